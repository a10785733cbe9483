# SPDX-License-Identifier: MIT

foreach(TARN_OPTION IN ITEMS TARN_ASSERTS TARN_VALIDATE)
	if(NOT ${TARN_OPTION} MATCHES "^(auto|ON|OFF)$")
		message(FATAL_ERROR "${TARN_OPTION} must be auto, ON or OFF, got '${${TARN_OPTION}}'")
	endif()
endforeach()
if(NOT TARN_SIMD MATCHES "^(auto|scalar)$")
	message(FATAL_ERROR "TARN_SIMD must be auto or scalar, got '${TARN_SIMD}'")
endif()
if(NOT TARN_SANITIZE MATCHES "^(|address|thread|memory)$")
	message(FATAL_ERROR "TARN_SANITIZE must be empty, address, thread or memory, got '${TARN_SANITIZE}'")
endif()
if(TARN_SANITIZE STREQUAL "memory" AND NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
	message(FATAL_ERROR "TARN_SANITIZE=memory needs clang, the compiler is ${CMAKE_C_COMPILER_ID}")
endif()

set(TARN_SANITIZE_FLAGS "")
if(TARN_SANITIZE STREQUAL "address")
	# A float that does not fit into an int gives different integers on different processors, and `undefined` leaves
	# that check out.
	set(TARN_SANITIZE_FLAGS -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all)
elseif(TARN_SANITIZE)
	set(TARN_SANITIZE_FLAGS -fsanitize=${TARN_SANITIZE})
endif()

# Language, floating point, warnings, asserts and sanitizer of everything that is built here. Nothing of it reaches
# projects that link tarn::tarn.
function(tarn_target_defaults target)
	target_compile_features(${target} PRIVATE c_std_17)
	set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)

	# A game may link what is a static library here into a plugin of its own.
	get_target_property(type ${target} TYPE)
	if(type MATCHES "_LIBRARY$" AND NOT EMSCRIPTEN)
		set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
	endif()

	if(MSVC)
		target_compile_options(${target} PRIVATE /fp:precise /W4 $<$<BOOL:${TARN_WERROR}>:/WX>)
		target_compile_definitions(${target} PRIVATE _CRT_SECURE_NO_WARNINGS)
	else()
		target_compile_options(${target} PRIVATE -ffp-contract=off -Wall -Wextra -pedantic -Wshadow
			$<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> $<$<BOOL:${TARN_WERROR}>:-Werror>)
	endif()

	if(MINGW)
		# A printf that knows %zu, as everywhere else.
		target_compile_definitions(${target} PRIVATE __USE_MINGW_ANSI_STDIO=1)
	endif()

	set(asserts $<BOOL:${TARN_ASSERTS}>)
	if(TARN_ASSERTS STREQUAL "auto")
		set(asserts $<NOT:$<CONFIG:Release,MinSizeRel>>)
	endif()
	set(validate $<BOOL:${TARN_VALIDATE}>)
	if(TARN_VALIDATE STREQUAL "auto")
		set(validate $<AND:$<CONFIG:Debug>,$<NOT:$<BOOL:${TARN_OPTIMIZE}>>>)
	endif()
	target_compile_definitions(${target} PRIVATE
		$<${asserts}:TN_ENABLE_ASSERT>
		$<${validate}:TN_ENABLE_VALIDATE>)

	if(TARN_SANITIZE_FLAGS)
		target_compile_options(${target} PRIVATE ${TARN_SANITIZE_FLAGS} -fno-omit-frame-pointer)
		# A library passes the flag on to the programs linked with it, which need the run-time of the sanitizer.
		target_link_options(${target} PUBLIC "$<BUILD_INTERFACE:${TARN_SANITIZE_FLAGS}>")
	endif()
endfunction()

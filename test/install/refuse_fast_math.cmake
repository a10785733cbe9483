# SPDX-License-Identifier: MIT

# cmake -D SOURCE=... -D SCRATCH=... -D GENERATOR=... -D COMPILER=... -P refuse_fast_math.cmake
#
# The configure step must refuse each of these flags by name, wherever it comes from, and must not refuse a safe one.

set(common -S "${SOURCE}" -B "${SCRATCH}" -G "${GENERATOR}" "-DCMAKE_C_COMPILER=${COMPILER}"
	-DTARN_TESTS=OFF -DTARN_APP=OFF -DTARN_SCENE=OFF)

function(expect_refusal flag)
	file(REMOVE_RECURSE "${SCRATCH}")
	execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
	if(code EQUAL 0)
		message(FATAL_ERROR "${flag} was not refused")
	endif()
	string(FIND "${output}" "tarn refuses ${flag}:" place)
	if(place EQUAL -1)
		message(FATAL_ERROR "the configure step failed without naming ${flag}:\n${output}")
	endif()
	message(STATUS "refused ${flag}")
endfunction()

foreach(flag IN ITEMS -ffast-math -funsafe-math-optimizations -ffp-contract=fast)
	expect_refusal(${flag} "${CMAKE_COMMAND}" ${common} "-DCMAKE_C_FLAGS=-g ${flag} -Wall")
endforeach()
expect_refusal(-Ofast "${CMAKE_COMMAND}" ${common} -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-Ofast)
expect_refusal(-ffast-math "${CMAKE_COMMAND}" -E env CFLAGS=-ffast-math "${CMAKE_COMMAND}" ${common})

file(REMOVE_RECURSE "${SCRATCH}")
execute_process(COMMAND "${CMAKE_COMMAND}" ${common} "-DCMAKE_C_FLAGS=-g -fno-fast-math -ffp-contract=off"
	RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT code EQUAL 0)
	message(FATAL_ERROR "safe flags were refused:\n${output}")
endif()
message(STATUS "took -fno-fast-math and -ffp-contract=off")

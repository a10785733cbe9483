# SPDX-License-Identifier: MIT

# tarn promises the same bits on every machine. A flag that lets the compiler change float arithmetic breaks that
# promise silently, so it is refused before anything is built. Flags come from CFLAGS (CMake copies it into
# CMAKE_C_FLAGS), from the cache, or from add_compile_options of a project around this one.

set(TARN_ALL_FLAGS "${CMAKE_C_FLAGS}")
foreach(TARN_CONFIG IN ITEMS DEBUG RELEASE RELWITHDEBINFO MINSIZEREL)
	string(APPEND TARN_ALL_FLAGS " ${CMAKE_C_FLAGS_${TARN_CONFIG}}")
endforeach()
if(CMAKE_BUILD_TYPE)
	string(TOUPPER "${CMAKE_BUILD_TYPE}" TARN_CONFIG)
	string(APPEND TARN_ALL_FLAGS " ${CMAKE_C_FLAGS_${TARN_CONFIG}}")
endif()
get_directory_property(TARN_DIRECTORY_OPTIONS COMPILE_OPTIONS)
string(APPEND TARN_ALL_FLAGS " ${TARN_DIRECTORY_OPTIONS}")
string(REGEX REPLACE "[ \t;]+" ";" TARN_ALL_FLAGS "${TARN_ALL_FLAGS}")

foreach(TARN_FLAG IN LISTS TARN_ALL_FLAGS)
	if(TARN_FLAG MATCHES "^(-Ofast|-ffast-math|-funsafe-math-optimizations|-fassociative-math|-freciprocal-math)$" OR
		TARN_FLAG MATCHES "^(-ffinite-math-only|-fno-signed-zeros|-mdaz-ftz|-ffp-model=(fast|aggressive))$" OR
		TARN_FLAG MATCHES "^(-ffp-contract=(fast|on)|[-/]fp:fast)$")
		message(FATAL_ERROR "tarn refuses ${TARN_FLAG}: it would change the bits of the simulation, which are "
			"promised to be the same everywhere. Remove it from CFLAGS, CMAKE_C_FLAGS or add_compile_options.")
	endif()
endforeach()

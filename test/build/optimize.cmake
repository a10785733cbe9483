# SPDX-License-Identifier: MIT

# cmake -D SOURCE=... -D SCRATCH=... -D GENERATOR=... -D COMPILER=... -P optimize.cmake
#
# Inside a game without optimisation the library is optimised nevertheless, the game is not, and nothing changes in the
# builds that are optimised anyway. Compiles nothing: the commands tell.

function(configure type)
	file(REMOVE_RECURSE "${SCRATCH}")
	execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}/test/install" -B "${SCRATCH}" -G "${GENERATOR}"
		"-DCMAKE_C_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=${type}" "-DTARN_FOLDER=${SOURCE}"
		-DCMAKE_EXPORT_COMPILE_COMMANDS=ON ${ARGN}
		RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
	if(NOT code EQUAL 0)
		message(FATAL_ERROR "a ${type} build does not configure:\n${output}")
	endif()
	set(OUTPUT "${output}" PARENT_SCOPE)
endfunction()

# expect(<pattern of a source> <flag> <YES or NO>): how all commands for such sources are.
function(expect source flag wanted)
	file(READ "${SCRATCH}/compile_commands.json" commands)
	string(JSON count LENGTH "${commands}")
	math(EXPR last "${count} - 1")
	set(seen 0)
	foreach(i RANGE ${last})
		string(JSON file GET "${commands}" ${i} file)
		if(NOT file MATCHES "${source}")
			continue()
		endif()
		math(EXPR seen "${seen} + 1")
		string(JSON command GET "${commands}" ${i} command)
		string(FIND "${command} " " ${flag} " place)
		if(wanted STREQUAL "YES" AND place EQUAL -1)
			message(FATAL_ERROR "no ${flag} for ${file}: ${command}")
		elseif(wanted STREQUAL "NO" AND NOT place EQUAL -1)
			message(FATAL_ERROR "${flag} for ${file}: ${command}")
		endif()
	endforeach()
	if(seen EQUAL 0)
		message(FATAL_ERROR "nothing is compiled from ${source}")
	endif()
endfunction()

set(library "/src/.*[.]c$")
set(game "/foreign[.]c$")

foreach(type IN ITEMS Debug "")
	configure("${type}")
	expect("${library}" -O2 YES)
	expect("${library}" -fPIC YES)
	expect("${library}" -DTN_ENABLE_ASSERT YES)
	expect("${library}" -DTN_ENABLE_VALIDATE NO)
	expect("${game}" -O2 NO)
	if(NOT OUTPUT MATCHES "TARN_OPTIMIZE")
		message(FATAL_ERROR "nobody was told of TARN_OPTIMIZE in '${type}':\n${OUTPUT}")
	endif()
	message(STATUS "'${type}': the library is optimised, the game is not")
endforeach()

configure(Debug -DTARN_OPTIMIZE=OFF)
expect("${library}" -O2 NO)
expect("${library}" -DTN_ENABLE_VALIDATE YES)
message(STATUS "TARN_OPTIMIZE=OFF: nothing is optimised")

configure(Debug -DTARN_VALIDATE=ON)
expect("${library}" -DTN_ENABLE_VALIDATE YES)
message(STATUS "TARN_VALIDATE=ON is kept")

configure(Release)
expect("${library}" -O2 NO)
expect("${library}" -O3 YES)
message(STATUS "Release: as the game says")

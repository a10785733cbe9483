# SPDX-License-Identifier: MIT

# cmake -D SOURCE=... -D SCRATCH=... -D COMPILER=... -P by_hand.cmake
#
# The one line of docs/install.md compiles library and program. Here with -O0, which is faster, and the program of the README.

file(STRINGS "${SOURCE}/docs/install.md" lines REGEX "^cc .*src/\\*/\\*[.]c")
list(LENGTH lines count)
if(NOT count EQUAL 1)
	message(FATAL_ERROR "docs/install.md has ${count} lines that compile by hand, expected 1")
endif()
file(MAKE_DIRECTORY "${SCRATCH}")
string(REPLACE "-O2" "-O0" line "${lines}")
string(REPLACE "game.c" "docs/hello.c" line "${line}")
string(REGEX REPLACE "^cc " "\"${COMPILER}\" " line "${line}")
string(REPLACE "-o game" "-o \"${SCRATCH}/game\"" line "${line}")
execute_process(COMMAND sh -c "${line}" WORKING_DIRECTORY "${SOURCE}"
	RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT code EQUAL 0 OR NOT output STREQUAL "")
	message(FATAL_ERROR "${line}\nended with ${code}:\n${output}")
endif()
execute_process(COMMAND "${SCRATCH}/game" RESULT_VARIABLE code OUTPUT_VARIABLE output)
file(READ "${SOURCE}/README.md" text)
string(FIND "${text}" "```\n${output}```\n" place)
if(NOT code EQUAL 0 OR place EQUAL -1)
	message(FATAL_ERROR "the program ended with ${code} and printed ${output}")
endif()

# SPDX-License-Identifier: MIT
#
# A document shows a program of docs/ and what it prints. This test runs the program and looks for both in the document.
#
#   cmake -D "SOURCE=<project>" -D "DOCUMENT=README.md" -D "CODE=docs/hello.c" -D "PROGRAM=<hello>"
#     [-D "EMULATOR=<runner>"] -P readme_program.cmake

file(READ "${SOURCE}/${DOCUMENT}" text)
file(READ "${SOURCE}/${CODE}" program)

# The licence line is for the file, not for the reader.
string(REGEX REPLACE "^// SPDX-License-Identifier: MIT\n\n" "" program "${program}")
string(FIND "${text}" "```c\n${program}```\n" position)
if(position EQUAL -1)
	message(FATAL_ERROR "${DOCUMENT}: no code block is identical to ${CODE} (without its first two lines)")
endif()

execute_process(COMMAND ${EMULATOR} "${PROGRAM}" RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(NOT code EQUAL 0)
	message(FATAL_ERROR "${PROGRAM} ended with ${code}: ${output}${errors}")
endif()
string(REPLACE "\r\n" "\n" output "${output}")
string(FIND "${text}" "```\n${output}```\n" position)
if(output STREQUAL "" OR position EQUAL -1)
	message(FATAL_ERROR "${DOCUMENT}: no block shows what ${CODE} prints: ${output}")
endif()

# SPDX-License-Identifier: MIT
#
# README.md shows docs/hello.c and what it prints. This test runs the program and looks for both in the README.
#
#   cmake -D "SOURCE=<project>" -D "PROGRAM=<hello>" [-D "EMULATOR=<runner>"] -P readme_program.cmake

file(READ "${SOURCE}/README.md" readme)
file(READ "${SOURCE}/docs/hello.c" program)

# The licence line is for the file, not for the reader.
string(REGEX REPLACE "^// SPDX-License-Identifier: MIT\n\n" "" program "${program}")
string(FIND "${readme}" "```c\n${program}```\n" position)
if(position EQUAL -1)
	message(FATAL_ERROR "README.md: no code block is identical to docs/hello.c (without its first two lines)")
endif()

execute_process(COMMAND ${EMULATOR} "${PROGRAM}" RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(NOT code EQUAL 0)
	message(FATAL_ERROR "${PROGRAM} ended with ${code}: ${output}${errors}")
endif()
string(REPLACE "\r\n" "\n" output "${output}")
string(FIND "${readme}" "```\n${output}```\n" position)
if(output STREQUAL "" OR position EQUAL -1)
	message(FATAL_ERROR "README.md: no block shows what docs/hello.c prints: ${output}")
endif()

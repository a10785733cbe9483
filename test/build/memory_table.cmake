# SPDX-License-Identifier: MIT

# cmake -D SOURCE=... -D PROGRAM=... -P memory_table.cmake: docs/world.md has the table that the program prints.

execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE code OUTPUT_VARIABLE table ERROR_VARIABLE errors)
if(NOT code EQUAL 0)
	message(FATAL_ERROR "${PROGRAM} ended with ${code}: ${table}${errors}")
endif()
file(READ "${SOURCE}/docs/world.md" text)
string(FIND "${text}" "${table}" place)
if(table STREQUAL "" OR place EQUAL -1)
	message(FATAL_ERROR "docs/world.md does not have this table:\n${table}")
endif()

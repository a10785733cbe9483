# SPDX-License-Identifier: MIT

# What the driver prints is a program: it compiles with the public headers only, runs, and its twins agree.
file(MAKE_DIRECTORY "${SCRATCH}")
foreach(kind IN ITEMS terrain voxels)
	set(option "")
	if(kind STREQUAL "voxels")
		set(option --voxels)
	endif()
	set(source "${SCRATCH}/${kind}.c")
	execute_process(COMMAND "${DRIVER}" ${option} --seed 3 --bytes 4000 --print OUTPUT_FILE "${source}"
		COMMAND_ERROR_IS_FATAL ANY)
	execute_process(COMMAND "${COMPILER}" -std=gnu17 -O1 -ffp-contract=off -I "${INCLUDE}" "${source}" "${LIBRARY}"
		-lm -lpthread -o "${SCRATCH}/${kind}" COMMAND_ERROR_IS_FATAL ANY)
	execute_process(COMMAND "${SCRATCH}/${kind}" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
	string(LENGTH "${output}" length)
	if(length LESS 10000 OR output MATCHES "DIFFER")
		message(FATAL_ERROR "the program of ${kind} printed ${length} characters, or its twins differ")
	endif()
endforeach()

# SPDX-License-Identifier: MIT

# cmake -D SOURCE=... -D SCRATCH=... -D GENERATOR=... -D COMPILER=... -P variants.cmake
#
# What is missing is left out: tarn configures without each of the things that it can do without, says so, and what
# takes their places compiles. Whole builds would take too long here; .ci/run makes one with nothing at all.

cmake_minimum_required(VERSION 3.22)

file(REMOVE_RECURSE "${SCRATCH}")

# Compile the files whose names end with _missing.c, or as given: they are not part of the usual build.
function(compile names)
	file(READ "${SCRATCH}/compile_commands.json" commands)
	string(JSON count LENGTH "${commands}")
	math(EXPR last "${count} - 1")
	set(seen "")
	foreach(i RANGE ${last})
		string(JSON file GET "${commands}" ${i} file)
		get_filename_component(name "${file}" NAME)
		if(NOT name IN_LIST names)
			continue()
		endif()
		string(JSON command GET "${commands}" ${i} command)
		string(JSON folder GET "${commands}" ${i} directory)
		separate_arguments(command UNIX_COMMAND "${command}")
		execute_process(COMMAND ${command} WORKING_DIRECTORY "${folder}"
			RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
		if(NOT code EQUAL 0)
			message(FATAL_ERROR "${name} does not compile:\n${output}")
		endif()
		list(APPEND seen ${name})
	endforeach()
	foreach(name IN LISTS names)
		if(NOT name IN_LIST seen)
			message(FATAL_ERROR "${name} is not part of this build")
		endif()
	endforeach()
endfunction()

# variant(<name> [SAYS <pattern>] [COMPILES <file>...] [TESTS <there>...] [NO_TESTS <not there>...] OPTIONS <option>...)
function(variant name)
	cmake_parse_arguments(PARSE_ARGV 1 v "" "SAYS" "COMPILES;TESTS;NO_TESTS;OPTIONS")
	# In one folder, so that the compiler is looked at once; nothing else is kept.
	file(REMOVE "${SCRATCH}/CTestTestfile.cmake")
	execute_process(COMMAND "${CMAKE_COMMAND}" --no-warn-unused-cli -S "${SOURCE}" -B "${SCRATCH}" -G "${GENERATOR}"
		-U "TARN_*" -U "PNG_*" -U "ZLIB_*" -U "glfw3_*" -U "CMAKE_DISABLE_*" -U "BUILD_SHARED_LIBS"
		"-DCMAKE_C_COMPILER=${COMPILER}" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_EXPORT_COMPILE_COMMANDS=ON ${v_OPTIONS}
		RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
	if(NOT code EQUAL 0 OR output MATCHES "CMake (Warning|Error|Deprecation)")
		message(FATAL_ERROR "${name}: does not configure cleanly:\n${output}")
	endif()
	if(v_SAYS AND NOT output MATCHES "${v_SAYS}")
		message(FATAL_ERROR "${name}: does not say '${v_SAYS}':\n${output}")
	endif()
	compile("${v_COMPILES}")
	execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${SCRATCH}" -N OUTPUT_VARIABLE list)
	foreach(test IN LISTS v_TESTS)
		if(NOT list MATCHES "#[0-9]+: ${test}\n")
			message(FATAL_ERROR "${name}: no test ${test}:\n${list}")
		endif()
	endforeach()
	foreach(test IN LISTS v_NO_TESTS)
		if(list MATCHES "#[0-9]+: ${test}\n")
			message(FATAL_ERROR "${name}: a test ${test}, which cannot work there")
		endif()
	endforeach()
	message(STATUS "${name}")
endfunction()

# A name that is set to nothing is not looked for and not found: as on a machine that does not have it.
set(no_gl -DTARN_GLES_LIBRARY= -DTARN_EGL_LIBRARY= -DTARN_GLES_INCLUDE=)
set(no_ode -DTARN_ODE_LIBRARY= -DTARN_ODE_INCLUDE=)
set(no_fftw -DTARN_FFTW_LIBRARY= -DTARN_FFTW_THREADS_LIBRARY= -DTARN_FFTW_INCLUDE=)
set(no_png -DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON)
set(no_glfw -DCMAKE_DISABLE_FIND_PACKAGE_glfw3=ON)
set(no_zstd -DTARN_ZSTD_LIBRARY= -DTARN_ZSTD_INCLUDE=)
set(no_enet -DTARN_ENET_LIBRARY= -DTARN_ENET_INCLUDE=)
set(no_sdl -DCMAKE_DISABLE_FIND_PACKAGE_SDL2=ON)

variant("no libpng" OPTIONS ${no_png} SAYS "No libpng here" COMPILES png_missing.c png_plain.c
	TESTS scene cli_run NO_TESTS terrain_files render)
variant("TARN_PNG=OFF" OPTIONS -DTARN_PNG=OFF COMPILES png_missing.c TESTS scene cli_run NO_TESTS terrain_files render)
variant("no OpenGL" OPTIONS ${no_gl} SAYS "No OpenGL ES 3 here"
	COMPILES viewer_missing.c film_missing.c bench_render_missing.c
	TESTS scene cli_no_renderer terrain_files NO_TESTS render play viewer render_program)
variant("TARN_RENDER=OFF" OPTIONS -DTARN_RENDER=OFF COMPILES viewer_missing.c TESTS cli_no_renderer NO_TESTS render)
variant("no GLFW" OPTIONS ${no_glfw} SAYS "No GLFW here|No OpenGL ES 3 here" COMPILES viewer_missing.c NO_TESTS viewer)
variant("no ODE" OPTIONS ${no_ode} SAYS "No ODE here" COMPILES scene_physics_missing.c TESTS scene
	NO_TESTS adapters level_play)
variant("TARN_ODE=OFF" OPTIONS -DTARN_ODE=OFF COMPILES scene_physics_missing.c NO_TESTS adapters)
variant("no FFTW" OPTIONS ${no_fftw} TESTS cli_bench)
file(READ "${SCRATCH}/compile_commands.json" commands)
if(commands MATCHES "TARN_HAVE_FFTW")
	message(FATAL_ERROR "no FFTW: it is used nevertheless")
endif()
variant("no zstd" OPTIONS ${no_zstd} COMPILES packed_file.c TESTS cli_run)
file(READ "${SCRATCH}/compile_commands.json" commands)
if(commands MATCHES "TARN_HAVE_ZSTD")
	message(FATAL_ERROR "no zstd: it is used nevertheless")
endif()
variant("TARN_ZSTD=OFF" OPTIONS -DTARN_ZSTD=OFF COMPILES packed_file.c TESTS cli_run)
variant("no ENet" OPTIONS ${no_enet} SAYS "No ENet here" TESTS core NO_TESTS net)
variant("no SDL2" OPTIONS ${no_sdl} SAYS "No SDL2 or OpenGL here" TESTS core audio NO_TESTS sample_sdl)
variant("TARN_SOUND=OFF" OPTIONS -DTARN_SOUND=OFF COMPILES soundtrack_missing.c TESTS core sound cli_run NO_TESTS audio)
variant("no samples" OPTIONS -DTARN_SAMPLES=OFF TESTS core NO_TESTS net sample_sdl)
variant("nothing" OPTIONS ${no_png} ${no_gl} ${no_glfw} ${no_ode} ${no_fftw} ${no_zstd} ${no_enet} ${no_sdl}
	COMPILES png_missing.c viewer_missing.c scene_physics_missing.c packed_file.c
	TESTS core scene cli_run hello NO_TESTS render net sample_sdl)
variant("no scenes" OPTIONS -DTARN_SCENE=OFF -DTARN_APP=OFF ${no_gl} TESTS core hello NO_TESTS scene cli_run)
variant("renderer without scenes" OPTIONS -DTARN_SCENE=OFF -DTARN_APP=OFF
	SAYS "building the renderer, but not the viewer|No OpenGL ES 3 here" TESTS core NO_TESTS play scene)
variant("shared library" OPTIONS -DBUILD_SHARED_LIBS=ON TESTS core hello scene)
variant("no tests" OPTIONS -DTARN_TESTS=OFF NO_TESTS core)

# Every preset that this machine has a compiler for.
foreach(preset IN ITEMS library debug release)
	execute_process(COMMAND "${CMAKE_COMMAND}" --preset ${preset} -B "${SCRATCH}/${preset}" -G "${GENERATOR}"
		"-DCMAKE_C_COMPILER=${COMPILER}" WORKING_DIRECTORY "${SOURCE}"
		RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
	if(NOT code EQUAL 0)
		message(FATAL_ERROR "preset ${preset}: does not configure:\n${output}")
	endif()
	message(STATUS "preset ${preset}")
endforeach()

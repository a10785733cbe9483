# SPDX-License-Identifier: MIT

# cmake -D MODE=installed|shared|subdirectory -D SOURCE=... -D BUILD=... -D SCRATCH=... -D COMPILER=... -P run.cmake
#
# installed:    install the build at BUILD and use it through find_package
# shared:       build and install tarn once more, as a shared library and with its tests, and use that
# subdirectory: use the sources through add_subdirectory
#
# Each time by a program and by a plugin, as by a compiler that does not make position-independent code by itself.

function(run)
	execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
	if(NOT code EQUAL 0)
		string(REPLACE ";" " " command "${ARGV}")
		message("${output}")
		message(FATAL_ERROR "ended with ${code}: ${command}")
	endif()
	set(RUN_OUTPUT "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${SCRATCH}")
# What is installed and found is the same without optimisation, and compiled in a third of the time.
set(common -G "${GENERATOR}" "-DCMAKE_C_COMPILER=${COMPILER}" -DCMAKE_BUILD_TYPE=RelWithDebInfo
	-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0)
if(UNIX AND NOT APPLE)
	list(APPEND common "-DCMAKE_C_FLAGS=-fno-pie" "-DCMAKE_EXE_LINKER_FLAGS=-no-pie")
endif()

set(arguments "-DCMAKE_PREFIX_PATH=${SCRATCH}/prefix" "-DTARN_WANTED_VERSION=${VERSION}")
if(MODE STREQUAL "installed")
	# The library alone must be enough.
	run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${SCRATCH}/prefix" --component library)
elseif(MODE STREQUAL "shared")
	run("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${SCRATCH}/tarn" ${common} -DBUILD_SHARED_LIBS=ON
		-DTARN_APP=OFF -DTARN_SCENE=OFF -DTARN_RENDER=OFF -DTARN_ODE=OFF -DTARN_TESTS=ON -DTARN_ONLY_SUITES=core)
	run("${CMAKE_COMMAND}" --build "${SCRATCH}/tarn" --parallel 2 --target tarn tarn_test hello)
	# Tests look into the library, programs do not.
	run("${SCRATCH}/tarn/test/tarn_test" core)
	run("${SCRATCH}/tarn/test/hello")
	run("${CMAKE_COMMAND}" --install "${SCRATCH}/tarn" --prefix "${SCRATCH}/prefix")
elseif(MODE STREQUAL "subdirectory")
	set(arguments "-DTARN_FOLDER=${SOURCE}")
else()
	message(FATAL_ERROR "MODE must be installed, shared or subdirectory, got '${MODE}'")
endif()

run("${CMAKE_COMMAND}" -S "${SOURCE}/test/install" -B "${SCRATCH}/foreign" ${common} ${arguments})
run("${CMAKE_COMMAND}" --build "${SCRATCH}/foreign" --parallel 2)
run("${SCRATCH}/foreign/foreign")
message(STATUS "${RUN_OUTPUT}")
if(EXISTS "${SCRATCH}/foreign/plugin_host")
	run("${SCRATCH}/foreign/plugin_host" "${SCRATCH}/foreign/plugin.so")
	message(STATUS "plugin: ${RUN_OUTPUT}")
elseif(UNIX AND NOT APPLE)
	message(FATAL_ERROR "no plugin was built")
endif()

# What find_package knows, pkg-config knows too.
find_program(pkg_config NAMES pkg-config pkgconf)
if(NOT MODE STREQUAL "subdirectory" AND pkg_config)
	file(GLOB_RECURSE file "${SCRATCH}/prefix/*/tarn.pc")
	get_filename_component(folder "${file}" DIRECTORY)
	set(ENV{PKG_CONFIG_PATH} "${folder}")
	run("${pkg_config}" --modversion tarn)
	if(NOT RUN_OUTPUT MATCHES "^${VERSION}\n$")
		message(FATAL_ERROR "tarn.pc has version ${RUN_OUTPUT}, expected ${VERSION}")
	endif()
	run("${pkg_config}" --libs --static tarn)
	if(NOT RUN_OUTPUT MATCHES "-ltarn.*-lm.*-pthread")
		message(FATAL_ERROR "pkg-config --static forgets something: ${RUN_OUTPUT}")
	endif()
	foreach(extra IN ITEMS "" --static)
		run("${pkg_config}" --cflags --libs ${extra} tarn)
		separate_arguments(flags UNIX_COMMAND "${RUN_OUTPUT}")
		run("${COMPILER}" -std=c99 "${SOURCE}/test/install/foreign.c" -o "${SCRATCH}/by_pkg_config" ${flags}
			"-Wl,-rpath,${folder}/..")
		run("${SCRATCH}/by_pkg_config")
	endforeach()
	message(STATUS "pkg-config: ${RUN_OUTPUT}")
endif()

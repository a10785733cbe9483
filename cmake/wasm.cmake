# SPDX-License-Identifier: MIT

# Toolchain for WebAssembly: finds the Emscripten that owns the emcc of the path, be it a package of the system or an
# emsdk, and uses its toolchain file, which also makes the tests run in node.

find_program(TARN_EMCC emcc NO_CMAKE_FIND_ROOT_PATH)
if(NOT TARN_EMCC)
	message(FATAL_ERROR "emcc is not in the path. On Debian: scripts/setup.sh wasm")
endif()
# The emcc in the path may be a link.
file(REAL_PATH "${TARN_EMCC}" TARN_EMCC_FILE)
get_filename_component(TARN_EMSCRIPTEN_FOLDER "${TARN_EMCC_FILE}" DIRECTORY)
include("${TARN_EMSCRIPTEN_FOLDER}/cmake/Modules/Platform/Emscripten.cmake")

# SPDX-License-Identifier: MIT

# cmake -D OUTPUT=shaders.h -D "SHADERS=a.frag;b.vert" -P embed_shaders.cmake
# Writes each file as an array of bytes that ends with 0: shaders/water.frag becomes s_water_frag. Bytes, because the
# language allows no string longer than 4095 characters. With -D SMALL=ON comments and indents are left out: a page loads
# faster without them.

set(text "// SPDX-License-Identifier: MIT\n// Made from render/shaders by embed_shaders.cmake.\n\n#pragma once\n")
foreach(shader IN LISTS SHADERS)
	get_filename_component(name "${shader}" NAME)
	string(REPLACE "." "_" name "${name}")
	file(READ "${shader}" code)
	if(SMALL)
		string(REGEX REPLACE "//[^\n]*" "" code "${code}")
		string(REGEX REPLACE "[\t ]*\n[\n\t ]*" "\n" code "${code}")
	endif()
	string(HEX "${code}" bytes)
	string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
	string(APPEND text "\nstatic const char s_${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")

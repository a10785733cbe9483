#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Makes from the public headers what other languages need: docs/api/, which is committed, and build/bindings/, which is not.
#
#   bindings/build.sh [PART...]       api library lua luanti js csharp rust godot; all by default. And godot4, which needs the header
#                                     gdextension_interface.h of Godot 4.3 or newer: GDEXTENSION_INCLUDE is the folder that has it

set -euo pipefail
cd "$(dirname "$0")/.."

# pycparser and cffi are packages of Debian's Python. Another one that comes first in the path does not know them.
python=${PYTHON:-/usr/bin/python3}
out=build/bindings
mkdir -p "$out"
if [ $# = 0 ]; then
	set -- api library lua luanti js csharp rust godot
fi

for part; do
	case "$part" in
		api)
			"$python" bindings/generate/describe.py --output "$out/tarn.json"
			"$python" bindings/generate/api_pages.py
			;;
		library)
			# What was compiled for build/ anyway, as a library to be loaded at run time.
			test -f build/build.ninja || cmake --preset default
			cmake --build build --target tarn
			${CC:-cc} -shared -o "$out/libtarn.so" -Wl,--whole-archive build/src/libtarn.a -Wl,--no-whole-archive -lm -lpthread
			;;
		lua)
			# The file, and a game of LÖVE with all it needs in its folder.
			mkdir -p "$out/lua/love"
			"$python" bindings/generate/lua.py "$out/lua/tarn.lua"
			cp bindings/lua/love/*.lua "$out/lua/tarn.lua" "$out/libtarn.so" "$out/lua/love/"
			;;
		js)
			bindings/js/build.sh
			;;
		csharp)
			# A package of Unity: com.tarn.water.
			package="$out/csharp/com.tarn.water"
			rm -rf "$package"
			mkdir -p "$package/Runtime/Unity" "$package/Plugins/Linux/x86_64" "$package/Documentation~" "$package/Samples~/Program"
			"$python" bindings/generate/csharp.py "$package/Runtime/Generated.cs"
			cp bindings/csharp/Runtime/*.cs bindings/csharp/Runtime/*.asmdef "$package/Runtime/"
			cp bindings/csharp/Unity/*.cs "$package/Runtime/Unity/"
			cp "$out/libtarn.so" "$package/Plugins/Linux/x86_64/"
			cp bindings/csharp/package.json LICENSE "$package/"
			cp bindings/csharp/README.md "$package/"
			cp bindings/csharp/README.md "$package/Documentation~/tarn.md"
			cp bindings/csharp/tests/Test.cs "$package/Samples~/Program/"
			;;
		rust)
			mkdir -p "$out/rust"
			bindgen include/tarn/tarn.h --allowlist-function 'tn.*' --allowlist-type 'tn.*' --allowlist-var 'TN_.*' \
				--default-enum-style consts --no-prepend-enum-name --size_t-is-usize --no-layout-tests -o "$out/rust/sys.rs" -- -Iinclude
			cp bindings/rust/tarn.rs "$out/rust/"
			;;
		luanti)
			# The mod with all it needs in its folder.
			mkdir -p "$out/luanti/tarn_water"
			"$python" bindings/generate/lua.py "$out/luanti/tarn_water/tarn.lua"
			cp bindings/luanti/tarn_water/* "$out/libtarn.so" LICENSE "$out/luanti/tarn_water/"
			;;
		godot)
			# An addon of Godot 3, with the library in its own one.
			addon="$out/godot/addons/tarn"
			rm -rf "$out/godot/addons"
			mkdir -p "$addon"
			"$python" bindings/generate/godot.py 3 "$out/godot" "$addon/doc_classes"
			${CC:-cc} -std=c17 -O1 -Wall -Wextra -Werror -fPIC -shared -fvisibility=hidden -Iinclude "-I$out/godot" bindings/godot/godot3.c \
				-o "$addon/libtarn_godot.so" build/src/libtarn.a -lm -lpthread
			cp bindings/godot/addon/* bindings/godot/README.md LICENSE "$addon/"
			;;
		godot4)
			# An addon of Godot 4.
			header=${GDEXTENSION_INCLUDE:-}
			if ! test -f "$header/gdextension_interface.h"; then
				echo "build.sh: there is no gdextension_interface.h in GDEXTENSION_INCLUDE='$header'" >&2
				exit 2
			fi
			addon="$out/godot4/addons/tarn"
			rm -rf "$out/godot4/addons"
			mkdir -p "$addon"
			"$python" bindings/generate/godot.py 4 "$out/godot4" "$addon/doc_classes"
			${CC:-cc} -std=c17 -O1 -Wall -Wextra -Werror -fPIC -shared -fvisibility=hidden -Iinclude "-I$out/godot4" "-I$header" \
				bindings/godot/godot4.c -o "$addon/libtarn_godot4.so" build/src/libtarn.a -lm -lpthread
			cp bindings/godot/addon4/* bindings/godot/README.md LICENSE "$addon/"
			;;
		*)
			echo "build.sh: unknown part '$part', allowed are: api library lua luanti js csharp rust godot godot4" >&2
			exit 2
			;;
	esac
done

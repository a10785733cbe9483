#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Makes and tests tarn in other languages. In each of them a program must print what bindings/test/program.c prints: the same bits.
#
#   bindings/test.sh [PART...]       description amalgamation cpp python lua luanti godot godot4 csharp rust js docs; all by default

set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-/usr/bin/python3}
export PYTHON="$python"
# Of Emscripten, see .ci/run.
export EMSDK_PYTHON="${EMSDK_PYTHON:-$python}"
export NODE_PATH="/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}"
out=build/bindings
mkdir -p "$out"
if [ $# = 0 ]; then
	set -- description amalgamation cpp python lua luanti godot godot4 csharp rust js docs
fi

expected="$out/program.txt"

# What all others must print, by the library of the build.
make_expected()
{
	bindings/build.sh library
	cc -std=c17 -O1 -Iinclude bindings/test/program.c build/src/libtarn.a -lm -lpthread -o "$out/program"
	"$out/program" | tee "$expected"
	cc -std=c17 -O1 -Iinclude bindings/test/replay.c build/src/libtarn.a -lm -lpthread -o "$out/replay"
}

# The same to the letter?
compare()
{
	diff "$expected" "$1" && echo "the same bits: $2"
}

# Are pages and layouts what headers say?
test_description()
{
	"$python" bindings/generate/describe.py --self-test
	"$python" bindings/generate/describe.py --layout-check "$out/layout.c"
	cc -std=c17 -Iinclude -fsyntax-only "$out/layout.c"
	emcc -Iinclude -c "$out/layout.c" -o "$out/layout.o"
	"$python" bindings/generate/api_pages.py --check
}

# One call of a compiler for each system. Optimised only for the one on which it runs.
test_amalgamation()
{
	bindings/generate/amalgamate.py "$out/amalgamation"
	(
		cd "$out/amalgamation"
		x86_64-w64-mingw32-gcc-posix -O0 -c tarn.c -o windows.o &
		windows=$!
		cc -O1 -c tarn.c -o linux.o
		wait "$windows"
	)
	cc -O1 -DONE_FILE -I"$out/amalgamation" bindings/test/program.c "$out/amalgamation/linux.o" -lm -lpthread -o "$out/program_one_file"
	"$out/program_one_file" > "$out/amalgamation.txt"
	compare "$out/amalgamation.txt" "tarn.c"
}

test_cpp()
{
	c++ -std=c++17 -O1 -Wall -Wextra -pedantic -Wshadow -Werror -Iinclude -Ibindings/cpp bindings/cpp/test_cpp.cpp \
		build/src/libtarn.a -lm -lpthread -o "$out/test_cpp"
	"$out/test_cpp" > "$out/cpp.txt"
	compare "$out/cpp.txt" "C++"
	echo '#include "tarn.hpp"' | c++ -std=c++17 -fno-exceptions -DTARN_NO_EXCEPTIONS -Wall -Wextra -Werror -Iinclude \
		-Ibindings/cpp -fsyntax-only -x c++ -
}

# Installed as users do, offline, with the library that is there; the sources of it are compiled as tarn.c elsewhere.
test_python()
{
	rm -rf "$out/python" "$out/wheels"
	local pip=("$python" -m pip --quiet --disable-pip-version-check)
	TARN_LIBRARY="$PWD/build/src/libtarn.a" "${pip[@]}" wheel --no-index --no-build-isolation --no-deps --wheel-dir "$out/wheels" bindings/python
	"${pip[@]}" install --root-user-action=ignore --no-index --no-deps --target "$out/python" "$out"/wheels/tarn*.whl
	export PYTHONPATH="$PWD/$out/python"
	"$python" bindings/python/tests/test_tarn.py
	"$python" bindings/python/tests/program.py > "$out/python.txt"
	compare "$out/python.txt" "Python"
	"$python" bindings/python/examples/dam_break.py "$out/dam_break.png"
	# Says so and is done where the data of the benchmark are not beside the project.
	"$python" bindings/python/examples/monai.py "${TARN_REAL:-../shared/real}/bp07_monai_valley" "$out/monai.png" 3
}

# tarn.lua by itself, and in a game of LÖVE that plays itself: crates float where Archimedes says, a breach floods a valley.
test_lua()
{
	bindings/build.sh lua
	TARN_LIBRARY="$PWD/$out/libtarn.so" LUA_PATH="$PWD/$out/lua/?.lua" luajit bindings/lua/test.lua > "$out/lua.txt"
	compare "$out/lua.txt" "LuaJIT"
	TARN_LIBRARY="$PWD/$out/libtarn.so" timeout 120 xvfb-run -a love "$out/lua/love" --screenshot "$PWD/$out/love.png" \
		> "$out/love.txt"
	cat "$out/love.txt"
	grep -Eq '^floating 5 of 5, .* east of the ridge 0\.[1-9]' "$out/love.txt"
	test -s "$out/love.png"
}

# The mod on a server without players: every unit is counted, and there again after the server was started anew.
test_luanti()
{
	bindings/build.sh luanti
	bindings/luanti/test.sh "$out/luanti"
}

# In Godot without a screen. Thousands of worlds that are forgotten would not fit into this much memory.
test_godot()
{
	bindings/build.sh godot
	local project="$out/godot/project"
	rm -rf "$project"
	mkdir -p "$project"
	cp bindings/godot/test/program.gd bindings/godot/test/project.godot "$project/"
	cp -r "$out/godot/addons" "$project/"
	"$python" -c 'import sys, xml.dom.minidom; [xml.dom.minidom.parse(page) for page in sys.argv[1:]]' "$project"/addons/tarn/doc_classes/*.xml
	if ! (ulimit -v 8000000 && timeout 300 godot3-server --path "$project" -s program.gd "$PWD/$out/godot.txt") > "$out/godot/log.txt" 2>&1 ||
		! grep -q '^failed: 0' "$out/godot/log.txt"; then
		grep -E 'FAIL|SCRIPT|failed:' "$out/godot/log.txt"
		return 1
	fi
	compare "$out/godot.txt" "GDScript in Godot 3"
}

# Without Godot 4: compiled with stand-ins of its interface, and run in a host that stands in for it and counts each value.
test_godot4()
{
	local project="$out/godot4"
	GDEXTENSION_INCLUDE=bindings/godot/test/stand_ins bindings/build.sh godot4
	"$python" -c 'import sys, xml.dom.minidom; [xml.dom.minidom.parse(page) for page in sys.argv[1:]]' "$project"/addons/tarn/doc_classes/*.xml
	c++ -std=c++17 -O0 -Wall -Wextra -Werror -Ibindings/godot/test/stand_ins bindings/godot/test/stand_in_host.cpp -o "$project/host" -ldl
	"$project/host" "$project/addons/tarn/libtarn_godot4.so" "$out/godot4.txt"
	compare "$out/godot4.txt" "the extension of Godot 4 in a stand-in"
	# What cannot be had is said.
	if GDEXTENSION_INCLUDE=/nowhere bindings/build.sh godot4 2> "$project/refused.txt"; then
		return 1
	fi
	grep -q "no gdextension_interface.h in GDEXTENSION_INCLUDE='/nowhere'" "$project/refused.txt"
	# Nobody takes what was made with stand-ins for what runs in Godot.
	rm -r "$project/addons"
}

# Compiled and run by mono; the components of Unity with stand-ins of what they use of it.
test_csharp()
{
	bindings/build.sh csharp
	local package="$out/csharp/com.tarn.water"
	mcs -warnaserror -unsafe -langversion:7 "-out:$out/csharp/test.exe" "$package"/Runtime/*.cs bindings/csharp/tests/Test.cs
	mcs -warnaserror -nowarn:649 -unsafe -langversion:7 -main:UnityTest "-out:$out/csharp/unity.exe" "$package"/Runtime/*.cs \
		"$package"/Runtime/Unity/*.cs bindings/csharp/tests/UnityStandIns.cs
	export LD_LIBRARY_PATH="$PWD/$package/Plugins/Linux/x86_64"
	mono "$out/csharp/test.exe" > "$out/csharp.txt"
	compare "$out/csharp.txt" "C# in mono"
	mono "$out/csharp/unity.exe"
	unset LD_LIBRARY_PATH
}

# Programs of Rust by its compiler alone: source, name of the program.
compile_rust()
{
	TARN_SYS="$PWD/$out/rust" "${RUSTC:-/usr/bin/rustc}" --edition 2021 -D warnings "$1" -o "$2" -L build/src -l static=tarn -l m -l pthread
}

test_rust()
{
	bindings/build.sh rust
	compile_rust bindings/rust/program.rs "$out/rust/program"
	"$out/rust/program" > "$out/rust.txt"
	compare "$out/rust.txt" "Rust"
	# Who looks at a field while the world is stepped is refused by the borrow checker, and only for that.
	if compile_rust bindings/rust/stale_field.rs "$out/rust/stale" 2> "$out/rust/refused.txt"; then
		echo "a stale field was not refused"
		return 1
	fi
	grep -q 'error\[E0502\]' "$out/rust/refused.txt"
	test "$(grep -c '^error\[' "$out/rust/refused.txt")" = 1
}

# The npm package in node with both of its builds, with Rapier and Jolt, as types, packed by vite, and its examples in a browser and in node.
# What examples have done to their worlds, C does again, and finds the same bits.
test_js()
{
	bindings/js/build.sh "$out/amalgamation"
	local npm="$out/npm"
	if ! cmp -s bindings/js/test/package-lock.json "$npm/package-lock.json" || ! test -d "$npm/node_modules/vite"; then
		mkdir -p "$npm"
		cp bindings/js/test/package.json bindings/js/test/package-lock.json "$npm/"
		(cd "$npm" && npm ci --no-audit --no-fund --ignore-scripts)
	fi
	rm -rf "$npm/node_modules/tarn-water" "$out"/tarn-water-*.tgz
	mkdir "$npm/node_modules/tarn-water"
	# What npm would ship, no more.
	(cd "$out/js" && npm pack --silent --pack-destination ..)
	tar -xzf "$out"/tarn-water-*.tgz -C "$npm/node_modules/tarn-water" --strip-components=1
	rm -rf "$npm/vite" "$npm/out"
	cp -r bindings/js/test/*.mjs bindings/js/test/*.ts bindings/js/test/tsconfig*.json bindings/js/test/vite bindings/js/examples/* "$npm/"
	# Examples are short, or nobody reads them.
	wc -l bindings/js/examples/* | awk '$2 != "total" && $1 >= 150 { print $2 " is too long"; long = 1 } END { exit long }'
	# What a page loads: one of the builds, and the code.
	local size
	size=$(cat "$out/js/simd.wasm" "$out/js/index.mjs" "$out/js/api.mjs" | gzip -9 | wc -c)
	echo "a page loads $size bytes compressed, the package has $(stat -c %s "$out"/tarn-water-*.tgz)"
	test "$size" -lt 700000
	local build
	for build in simd plain; do
		(cd "$npm" && node test.mjs node_modules/tarn-water "$build") > "$out/js.txt"
		compare "$out/js.txt" "JavaScript in node, $build"
	done
	(
		cd "$npm"
		# Two of these at a time.
		(node_modules/.bin/tsc -p tsconfig.json && node_modules/.bin/tsc -p tsconfig.jolt.json && node floating.mjs rapier) &
		types=$!
		node floating.mjs jolt
		wait "$types"
		node_modules/.bin/vite build vite --base ./ --logLevel warn
		node server_test.mjs . &
		server=$!
		node browser.mjs . ../program.txt
		wait "$server"
	)
	local example
	for example in flood ocean ponds server; do
		"$out/replay" "$npm/out/$example.tarnrec" > "$out/replayed.txt"
		diff "$npm/out/$example.txt" "$out/replayed.txt"
		echo "the same bits in C as in the example $example: $(cat "$out/replayed.txt")"
	done
}

# The first programs of docs/engines.md, as they stand there: all print the same.
test_docs()
{
	local first="$out/first"
	bindings/build.sh lua csharp godot
	rm -rf "$first"
	mkdir -p "$first/node_modules"
	"$python" bindings/test/first_programs.py "$first"
	test -f "$out/amalgamation/linux.o" || test_amalgamation
	cc -I"$out/amalgamation" "$first/first.c" "$out/amalgamation/linux.o" -lm -lpthread -o "$first/first_c"
	c++ -std=c++17 -Iinclude -Ibindings/cpp "$first/first.cpp" build/src/libtarn.a -lm -lpthread -o "$first/first_cpp"
	mcs -unsafe -langversion:7 "-out:$first/first.exe" "$first/first.csharp" "$out"/csharp/com.tarn.water/Runtime/*.cs
	test -d "$out/python/tarn" || test_python
	bindings/build.sh rust
	cp "$out/rust/tarn.rs" "$first/"
	compile_rust "$first/first.rust" "$first/first_rust"
	ln -s ../../js "$first/node_modules/tarn-water"
	mkdir "$first/godot"
	cp -r "$out/godot/addons" bindings/godot/test/project.godot "$first/godot/"
	mv "$first/first.gdscript" "$first/godot/first.gd"
	test -f "$out/js/simd.wasm" || bindings/js/build.sh "$out/amalgamation"
	local library="$PWD/$out/libtarn.so"
	{
		"$first/first_c"
		"$first/first_cpp"
		PYTHONPATH="$PWD/$out/python" "$python" "$first/first.python"
		TARN_LIBRARY="$library" LUA_PATH="$PWD/$out/lua/?.lua" luajit "$first/first.lua"
		LD_LIBRARY_PATH="$PWD/$out" mono "$first/first.exe"
		"$first/first_rust"
		(cd "$first" && node first.mjs)
		godot3-server --path "$first/godot" -s first.gd 2>&1 | grep deep
	} | tee "$first/printed.txt"
	test "$(sort -u "$first/printed.txt")" = "0.11 m deep, 500.0 m3"
	test "$(wc -l < "$first/printed.txt")" = 8
}

make_expected
for part; do
	begin=$SECONDS
	echo "--- $part"
	"test_$part"
	echo "--- $part: $((SECONDS - begin)) s"
done

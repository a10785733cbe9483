#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Makes the npm package tarn-water in build/bindings/js: two builds of the library, without any glue of Emscripten, and the code and
# types that go with them.
#
#   bindings/js/build.sh [SOURCES]      SOURCES: folder with tarn.c and tarn.h, build/bindings/amalgamation by default

set -euo pipefail
cd "$(dirname "$0")/../.."

python=${PYTHON:-/usr/bin/python3}
export EMSDK_PYTHON="${EMSDK_PYTHON:-$python}"
export NODE_PATH="/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}"
sources=${1:-build/bindings/amalgamation}
out=build/bindings/js
mkdir -p "$out"

test -f "$sources/tarn.c" || bindings/generate/amalgamate.py "$sources"
"$python" bindings/generate/javascript.py "$out"
cp bindings/js/src/*.mjs bindings/js/package.json bindings/js/README.md LICENSE "$out/"
cp bindings/js/src/*.d.ts bindings/js/src/*.d.mts "$out/"

# name, optimisation, flags...
build()
{
	local name=$1
	local level=$2
	shift 2
	# Only when something it is made of is newer.
	if [ "$out/$name.wasm" -nt "$sources/tarn.c" ] && [ "$out/$name.wasm" -nt bindings/js/src/glue.c ]; then
		return
	fi
	emcc "$level" "$@" -I"$sources" -c "$sources/tarn.c" -o "$out/$name.o"
	emcc -O2 "$@" -I"$sources" -fvisibility=hidden bindings/js/src/glue.c "$out/$name.o" -o "$out/$name.wasm" --no-entry \
		-sSTANDALONE_WASM -sWASM_BIGINT -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=1MB \
		-sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0 -sEXPORTED_FUNCTIONS="@$out/exports.txt"
	rm "$out/$name.o"
}

# For machines without vectors, of which there are few: small. For all others: fast.
build plain -Os -DTN_ONLY_SCALAR &
plain=$!
build simd -O2 -DTN_WITHOUT_SCALAR
wait "$plain"
rm -f "$out/exports.txt"
for name in simd plain; do
	echo "$name.wasm: $(gzip -9 -c "$out/$name.wasm" | wc -c) bytes compressed"
done

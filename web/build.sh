#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the playground: build/web/dist is the whole page, to be served by any web server.

set -eu
cd "$(dirname "$0")/.."

for preset in web web-threads; do
	test -f "build/$preset/build.ninja" || cmake --preset "$preset"
	cmake --build --preset "$preset"
done
# The program with threads goes beside the one without; the page picks one.
cp build/web-threads/dist/tarn-threads.* build/web/dist/
echo "The playground is in build/web/dist, $(du -cb build/web/dist/* | tail -n 1 | cut -f 1) bytes"

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the playground and tests it in a browser without a window. Pictures are left in build/web/pictures.

set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh build web browser
web/build.sh
test -f build/build.ninja || cmake --preset default
cmake --build --preset default --target hash_scenes

# The driver of the browser, by its lock file, only once.
driver=build/web/driver
if ! cmp -s web/package-lock.json "$driver/package-lock.json" || ! test -d "$driver/node_modules/playwright-core"; then
	mkdir -p "$driver"
	cp web/package.json web/package-lock.json "$driver/"
	(cd "$driver" && npm ci --no-audit --no-fund --ignore-scripts)
fi

node test/web/playground.mjs --dist build/web/dist --driver "$driver" --pictures build/web/pictures \
	--native build/test/web/hash_scenes --node build/web/web/hash/hash_scenes.js --scenes scenes \
	--picture test/reference/mountain.png "$@"

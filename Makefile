# SPDX-License-Identifier: MIT
#
# Short names for the commands of every day. CMake does the work; see CMakePresets.json for the other builds.

.PHONY: build run test bench check format clean

build:
	@scripts/setup.sh build
	@test -f build/build.ninja || cmake --preset default
	@cmake --build --preset default

run: build
	@build/tarn run scenes/valley_flood.json --out out
	@echo "The pictures are in $(CURDIR)/out"

test: build
	@ctest --preset default

bench: build
	@build/tarn bench

check: build
	@build/tarn check

format:
	@scripts/setup.sh check
	@scripts/format.sh

clean:
	@rm -rf build out

# SPDX-License-Identifier: MIT
#
# Short names for the commands of every day. CMake does the work; see CMakePresets.json for the other builds.

.PHONY: build run gallery test test-long coverage bench check web serve site bindings amalgamation format clean

build:
	@scripts/setup.sh build
	@test -f build/build.ninja || cmake --preset default
	@cmake --build --preset default

# With a screen the viewer, without one a film of seven seconds, drawn in memory: about half a minute on two processors.
run: build
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		exec build/tarn view scenes/valley_flood.json; \
	fi; \
	build/tarn run scenes/valley_flood.json --seconds 56 --every 28 --out out --video out/valley_flood.mp4 \
		--picture out/valley_flood.png --size 640x360 --fps 15 --speed 8 && \
	echo "There is no screen here, so this is a film: $(CURDIR)/out/valley_flood.mp4" && \
	echo "Its last picture: $(CURDIR)/out/valley_flood.png; maps: $(CURDIR)/out/frame_0000.png ..."

# Pictures of docs/gallery.md and the one at the top of the README.
gallery: build
	@scripts/gallery.sh

test: build
	@ctest --preset default

# An hour or more, see scripts/test_long.sh: TARN_LONG_SECONDS=60 make test-long
test-long:
	@scripts/setup.sh build check
	@scripts/test_long.sh

# Lines and branches of src/ that tests reach.
coverage:
	@scripts/setup.sh build
	@scripts/coverage.sh

bench: build
	@build/tarn bench

check: build
	@build/tarn check

web:
	@scripts/setup.sh web
	@web/build.sh

# PORT=8080
serve: web
	@node web/serve.mjs --port $(or $(PORT),8080)

# The whole web site, for any static host: playground, gallery, docs, API, examples, in build/site.
site: web
	@node web/site.mjs
	@node web/pack.mjs build/site

# What is made of the headers: docs/api, and tarn for other languages in build/bindings.
bindings: build
	@scripts/setup.sh build bindings
	@bindings/build.sh

# The library as one tarn.c and one tarn.h, in build/amalgamation.
amalgamation:
	@bindings/generate/amalgamate.py

format:
	@scripts/setup.sh check
	@scripts/format.sh

clean:
	@rm -rf build out

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the Debian packages that tarn needs and this machine lacks. Does nothing when all are there.
#
#   scripts/setup.sh [build] [view] [check] [arm64] [wasm] [windows] [web] [browser] [bindings]      build is the default
#
# TARN_SKIP_SETUP=1 turns it off, for machines where the tools come from elsewhere.

set -eu

# What draws: OpenGL ES and a software renderer for it, windows, videos, and a screen in memory that tests open windows on.
view_packages="libegl-dev libgles-dev libgl1-mesa-dri libglfw3-dev ffmpeg libsdl2-dev xvfb xauth xdotool"
# What compiles the library, the program and the tests, and runs them.
build_packages="gcc g++ libc6-dev make cmake ninja-build libpng-dev libzstd-dev libode-dev libfftw3-dev libenet-dev $view_packages"
# What the slower checks of .ci/run need on top: the second compiler, its sanitizers and fuzzer, the formatter, the second
# physics engine, and what scripts/check_rooms.py runs in.
check_packages="clang libclang-rt-14-dev clang-format libbullet-dev python3"
# The presets of the same names: cross compilers, and what runs the programs they make.
arm64_packages="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
wasm_packages="emscripten nodejs"
windows_packages="gcc-mingw-w64-x86-64-posix wine wine64"
# The playground, and the browser that its tests drive. Its driver, an npm package, is installed by web/test.sh.
web_packages="emscripten nodejs cmake ninja-build"
browser_packages="chromium nodejs npm"
# What makes the bindings to other languages and tests them, beside what `build`, `wasm` and `browser` bring.
bindings_packages="python3 python3-dev python3-pycparser python3-cffi python3-numpy python3-matplotlib python3-pip python3-setuptools \
python3-wheel luajit love minetest-server godot3-server mono-mcs mono-runtime rustc bindgen xvfb xauth emscripten chromium nodejs npm"

if [ "${TARN_SKIP_SETUP:-0}" = 1 ]; then
	exit 0
fi

if [ $# = 0 ]; then
	set -- build
fi
packages=""
for group; do
	case "$group" in
		build) packages="$packages $build_packages" ;;
		view) packages="$packages $view_packages" ;;
		check) packages="$packages $check_packages" ;;
		arm64) packages="$packages $arm64_packages" ;;
		wasm) packages="$packages $wasm_packages" ;;
		windows) packages="$packages $windows_packages" ;;
		web) packages="$packages $web_packages" ;;
		browser) packages="$packages $browser_packages" ;;
		bindings) packages="$packages $bindings_packages" ;;
		*)
			echo "setup.sh: unknown group '$group', allowed are: build view check arm64 wasm windows web browser bindings" >&2
			exit 2
			;;
	esac
done

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
	# Not a Debian: the best that can be done is to say what is needed.
	if ! command -v cmake > /dev/null || ! command -v ninja > /dev/null || ! command -v cc > /dev/null; then
		echo "This is not a Debian system. Please install what is called there:$packages" >&2
		exit 1
	fi
	exit 0
fi

# Second letter i: installed, whether or not held back.
# shellcheck disable=SC2086
installed=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' $packages 2> /dev/null |
	sed -n 's/^.i *//p' | tr '\n' ' ')
missing=""
for package in $packages; do
	case " $installed $missing " in
		*" $package "*) continue ;;
	esac
	# A node from elsewhere brings its own npm, and the packages of Debian would take their places.
	case "$package" in
		nodejs) command -v node > /dev/null && continue ;;
		npm) command -v npm > /dev/null && continue ;;
	esac
	missing="$missing $package"
done
if [ -z "$missing" ]; then
	exit 0
fi

if [ "$(id -u)" = 0 ]; then
	as_root=""
elif command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
	as_root="sudo"
else
	echo "tarn needs packages that are not installed. Please type:" >&2
	echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
	exit 1
fi

echo "installing:$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing < /dev/null

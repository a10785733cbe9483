#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the Debian packages that tarn needs and this machine lacks. Does nothing when all are there.
#
#   scripts/setup.sh [build] [check] [arm64] [wasm]      build is the default
#
# TARN_SKIP_SETUP=1 turns it off, for machines where the tools come from elsewhere.

set -eu

# What compiles the library, the program and the tests.
build_packages="gcc g++ libc6-dev make cmake ninja-build libpng-dev"
# What the slower checks of .ci/run need on top: the second compiler, its sanitizers and fuzzer, the formatter.
check_packages="clang libclang-rt-14-dev clang-format"
# The presets of the same names: cross compilers, and what runs the programs they make.
arm64_packages="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
wasm_packages="emscripten nodejs"

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
		check) packages="$packages $check_packages" ;;
		arm64) packages="$packages $arm64_packages" ;;
		wasm) packages="$packages $wasm_packages" ;;
		*)
			echo "setup.sh: unknown group '$group', allowed are: build check arm64 wasm" >&2
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
	case " $installed " in
		*" $package "*) ;;
		*) missing="$missing $package" ;;
	esac
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

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds ODE, the physics engine that moves bodies, for the browser: fetches Debian's source package by its name and
# compiles it with Emscripten. Only once: what is there already is left alone.
#
#   web/ode.sh SOURCE_FOLDER RESULT_FOLDER      RESULT_FOLDER/lib/libode.a and RESULT_FOLDER/include
#
# One library for both programs of the playground, with threads and without: the linker wants every object of a program
# with threads to be made for these two features of WebAssembly, and in one without threads they do no harm.
#
# Needs apt-get and a mirror. Where they are missing it fails, and the playground is built without an engine.

set -eu
toolchain="$(cd "$(dirname "$0")/.." && pwd)/cmake/wasm.cmake"
mkdir -p "$1" "$2"
source=$(cd "$1" && pwd)
result=$(cd "$2" && pwd)
# Fused multiply-add would make other bits than the engine of other machines. The platform is for ODE's own header.
flags="-ffp-contract=off -matomics -mbulk-memory -D__linux__"

if test -f "$result/lib/libode.a"; then
	exit 0
fi

# The mirrors of this system, asked for sources, in lists of our own: nothing of the system is changed.
fetch()
{
	command -v apt-get > /dev/null || return 1
	mkdir -p "$source/apt/parts" "$source/apt/lists/partial"
	for list in /etc/apt/sources.list.d/*.sources; do
		if test -f "$list" && grep -q '^URIs:.*debian' "$list"; then
			sed 's/^Types:.*/Types: deb-src/' "$list" > "$source/apt/parts/$(basename "$list")"
		fi
	done
	if test -f /etc/apt/sources.list; then
		sed -n 's/^deb /deb-src /p' /etc/apt/sources.list > "$source/apt/parts/system.list"
	fi
	set -- -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$source/apt/parts" \
		-o "Dir::State::Lists=$source/apt/lists" -o APT::Sandbox::User=
	apt-get "$@" update && (cd "$source" && apt-get "$@" source --download-only ode)
}

if ! test -f "$source/code/CMakeLists.txt"; then
	fetch
	mkdir -p "$source/code"
	tar -xzf "$source"/ode_*.orig.tar.gz -C "$source/code" --strip-components=1
fi

# What ODE's configuration would find out about Emscripten by linking a program for each line, in half a minute.
present="CMAKE_HAVE_LIBC_PTHREAD HAVE_ALLOCA_H HAVE_INTTYPES_H HAVE_MALLOC_H HAVE_STDINT_H HAVE_SYS_TIME_H
	HAVE_SYS_TYPES_H HAVE_UNISTD_H"
absent="HAVE_GETTIMEOFDAY HAVE_ISNAN HAVE_ISNANF HAVE__ISNAN HAVE__ISNANF HAVE___ISNAN HAVE___ISNANF
	HAVE_PTHREAD_ATTR_SETSTACKLAZY HAVE_PTHREAD_CONDATTR_SETCLOCK"

# Small, because it is loaded by everybody. As Debian builds it otherwise: double precision, with libccd for the pairs of shapes that ODE itself does not know. The processor
# has to be named, or ODE takes it for the one whose assembly it knows.
NODE_PATH="/usr/share/nodejs:${NODE_PATH:-}"
export NODE_PATH
build()
{
	set --
	for check in $present; do
		set -- "$@" "-D$check=1"
	done
	for check in $absent; do
		set -- "$@" "-D$check="
	done
	cmake -S "$source/code" -B "$result/build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" \
		-DEMSCRIPTEN_SYSTEM_PROCESSOR=wasm32 -DCMAKE_BUILD_TYPE=MinSizeRel -DBUILD_SHARED_LIBS=OFF \
		-DODE_WITH_DEMOS=OFF -DODE_WITH_TESTS=OFF -DODE_DOUBLE_PRECISION=ON -DODE_WITH_LIBCCD=ON \
		-DODE_NO_BUILTIN_THREADING_IMPL=ON -DODE_NO_THREADING_INTF=ON \
		-DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags -fno-exceptions -fno-rtti" "$@" &&
		cmake --build "$result/build" && cmake --install "$result/build" --prefix "$result"
}

echo "compiling ODE for the browser"
if ! build > "$result/log" 2>&1; then
	echo "ODE could not be built, see $result/log" >&2
	rm -f "$result/lib/libode.a"
	exit 1
fi

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What takes too long for every push: the random driver, plain and under the sanitizers, each for TARN_LONG_SECONDS (600);
# the suite flow under the thread sanitizer;
# runs in which every allocation fails in turn, TARN_LONG_RUNS (200) of them; an hour, or TARN_QUIET_SECONDS (3600), of
# thirty closed worlds and of each scene, of columns and of voxels; and two hours, or TARN_POND_SECONDS (7200), of ponds of
# TARN_POND_DEPTHS (9) depths around each of three limits of sub-steps; every level won by hands that miss in twenty ways; and all verification cases with all methods, in full
# length: `make test` runs the ends of what long cases vary. What the driver finds is in build/long/*.c, shrunk to a few calls.
# TARN_LONG_SEED (0) is where seeds begin: another one gives other worlds.
# `elsewhere` saves all scenes in the middle of what happens in them and goes on with them on ARM, in WebAssembly and on Windows:
# TARN_ELSEWHERE (arm64 wasm windows) says where, TARN_ELSEWHERE_STEPS (300) for how many steps, a multiple of 10,
# TARN_ELSEWHERE_BEFORE (1000000) how many steps before the save at most: no more than half of a scene; TARN_ELSEWHERE_METHODS (turns)
# if scenes take turns with the methods or have `all` of them, and TARN_ELSEWHERE_SECONDS (0: as many as it takes) how long for
# each file: what comes after is left out, and said.
#
#   scripts/test_long.sh [plain] [asan] [msan] [tsan] [memory] [quiet] [scenes] [energy] [keep] [elsewhere] [levels] [cases]
#                                                                                                         all by default

set -eu
cd "$(dirname "$0")/.."

seconds=${TARN_LONG_SECONDS:-600}
runs=${TARN_LONG_RUNS:-200}
quiet=${TARN_QUIET_SECONDS:-3600}
seed=${TARN_LONG_SEED:-0}
mkdir -p build/long
failed=""

# name, preset, folder, options
drive()
{
	cmake --preset "$2" > "build/long/$1.log" && cmake --build --preset "$2" --target tarn_driver >> "build/long/$1.log"
	echo "$1: $seconds s"
	# shellcheck disable=SC2086
	"$3/test/driver/tarn_driver" ${4:-} --both --seed "$seed" --seconds "$seconds" --out build/long || failed="$failed $1"
}

plain()
{
	cmake --preset default > build/long/plain.log
	cmake --build --preset default --target tarn_driver tarn_quiet >> build/long/plain.log
}

# preset: all files that are kept, on another machine
go_on()
{
	log="build/long/elsewhere_$1.log"
	program="build/$1/test/elsewhere/tarn_go_on"
	if [ "$1" = default ]; then
		program=build/test/elsewhere/tarn_go_on
	elif ! { cmake --preset "$1" "-DTARN_ONLY_SUITES=harness" > "$log" && cmake --build --preset "$1" --target tarn_go_on >> "$log"; }; then
		return 1
	fi
	case "$1" in
		arm64) runner="qemu-aarch64 $program" ;;
		wasm) runner="node $program.js" ;;
		windows) runner="cmake/wine.sh $program.exe" ;;
		*) runner=$program ;;
	esac
	echo "elsewhere: $1"
	# shellcheck disable=SC2086
	$runner --seconds "${TARN_ELSEWHERE_SECONDS:-0}" build/long/kept/*.kept > "build/long/elsewhere_$1.txt"
	code=$?
	grep -v '^same' "build/long/elsewhere_$1.txt"
	return $code
}

if [ $# = 0 ]; then
	set -- plain asan msan tsan memory quiet scenes energy keep elsewhere levels cases
fi
for part; do
	case "$part" in
		plain) drive plain default build ;;
		asan | msan) drive "$part" "$part" "build/$part" ;;
		tsan)
			drive tsan tsan build/tsan --threads
			# The flow by threads of its own: in every check the suite threads stands for it, with smaller worlds.
			cmake --preset tsan "-DTARN_ONLY_SUITES=flow" >> build/long/tsan.log
			cmake --build --preset tsan --target tarn_test >> build/long/tsan.log
			build/tsan/test/tarn_test flow || failed="$failed tsan-flow"
			;;
		memory)
			plain
			echo "memory: $runs runs"
			build/test/driver/tarn_driver --both --alloc-fail --bytes 250 --seed "$seed" --count "$runs" --out build/long ||
				failed="$failed memory"
			;;
		quiet)
			plain
			build/test/driver/tarn_quiet --count 30 --seed "$seed" --seconds "$quiet" || failed="$failed quiet"
			;;
		scenes)
			plain
			build/test/driver/tarn_quiet --count 0 --seconds "$quiet" scenes/*.json scenes/voxels/*.json || failed="$failed scenes"
			;;
		energy)
			plain
			build/test/driver/tarn_quiet --ponds --count "${TARN_POND_DEPTHS:-9}" --seconds "${TARN_POND_SECONDS:-7200}" ||
				failed="$failed energy"
			;;
		keep)
			plain
			cmake --build --preset default --target tarn_test >> build/long/plain.log
			TARN_KEEP_STEPS=300 build/test/tarn_test scene_keeps || failed="$failed keep"
			;;
		elsewhere)
			plain
			cmake --build --preset default --target tarn_keep_worlds tarn_go_on >> build/long/plain.log
			rm -rf build/long/kept
			mkdir build/long/kept
			build/test/elsewhere/tarn_keep_worlds --before "${TARN_ELSEWHERE_BEFORE:-1000000}" --steps "${TARN_ELSEWHERE_STEPS:-300}" \
				--methods "${TARN_ELSEWHERE_METHODS:-turns}" build/long/kept scenes/*.json scenes/voxels/*.json \
				> build/long/kept.txt || failed="$failed elsewhere"
			for machine in default ${TARN_ELSEWHERE:-arm64 wasm windows}; do
				go_on "$machine" || failed="$failed elsewhere-$machine"
			done
			;;
		levels)
			plain
			cmake --build --preset default --target tarn_test >> build/long/plain.log
			TARN_LONG_TESTS=1 build/test/tarn_test level_play || failed="$failed levels"
			;;
		cases)
			plain
			cmake --build --preset default --target tarn_app >> build/long/plain.log
			build/tarn check > build/long/cases.txt || failed="$failed cases"
			;;
		*)
			echo "test_long.sh: unknown part '$part', allowed are: plain asan msan tsan memory quiet scenes energy keep elsewhere levels cases" >&2
			exit 2
			;;
	esac
done
if [ -n "$failed" ]; then
	echo "failed:$failed"
	exit 1
fi
echo "all passed"

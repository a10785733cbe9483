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
#
#   scripts/test_long.sh [plain] [asan] [msan] [tsan] [memory] [quiet] [scenes] [energy] [keep] [levels] [cases]      all by default

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

if [ $# = 0 ]; then
	set -- plain asan msan tsan memory quiet scenes energy keep levels cases
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
			echo "test_long.sh: unknown part '$part', allowed are: plain asan msan tsan memory quiet scenes energy keep cases" >&2
			exit 2
			;;
	esac
done
if [ -n "$failed" ]; then
	echo "failed:$failed"
	exit 1
fi
echo "all passed"

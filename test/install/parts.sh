#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each part can be installed alone, and the installed program finds its scenes wherever it is started.
# Usage: parts.sh CMAKE BUILD_FOLDER SOURCE_FOLDER SCRATCH_FOLDER PART...

set -u
cmake=$1
build=$2
source=$3
scratch=$4
shift 4
rm -rf "$scratch"
mkdir -p "$scratch/elsewhere" || exit 1
cd "$scratch" || exit 1
unset TARN_SCENES

fail()
{
	echo "FAILED: $*"
	for file in stdout stderr; do
		[ ! -s "$file" ] || { echo "--- $file"; cat "$file"; }
	done
	exit 1
}

# has PART PATTERN: the part installs a file like that. lacks PART PATTERN: it does not.
has()
{
	find "$1" -path "$2" | grep -q . || fail "part $1 has no $2"
}
lacks()
{
	! find "$1" -path "$2" | grep -q . || fail "part $1 has $2"
}

for part; do
	"$cmake" --install "$build" --prefix "$scratch/$part" --component "$part" > stdout 2>&1 || fail "part $part"
	case "$part" in
		library)
			has library '*/include/tarn/tarn.h'
			has library '*/include/tarn/tarn.hpp'
			has library '*/libtarn.*'
			has library '*/pkgconfig/tarn.pc'
			has library '*/cmake/tarn/tarnConfig.cmake'
			lacks library '*/bin/tarn'
			lacks library '*/libtarn_*'
			lacks library '*.json'
			;;
		render)
			has render '*/include/tarn_render/render.h'
			has render '*/include/tarn_render/headless.h'
			has render '*/libtarn_render.a'
			has render '*/cmake/tarn/tarn_renderTargets.cmake'
			lacks render '*/libtarn.*'
			;;
		adapters)
			has adapters '*/include/tarn_ode/tarn_ode.h'
			has adapters '*/libtarn_ode.a'
			lacks adapters '*/libtarn.*'
			;;
		program)
			has program '*/bin/tarn'
			has program '*/share/tarn/scenes/river_valley.json'
			has program '*/share/tarn/scenes/voxels/u_bend.json'
			has program '*/share/tarn/scenes/levels/19_save_the_houses.json'
			lacks program '*.h'
			;;
		*) fail "what is $part?" ;;
	esac
	"$cmake" --install "$build" --prefix "$scratch/all" --component "$part" > stdout 2>&1 || fail "part $part with others"
done

# Parts are found as packages, together.
cat > elsewhere/CMakeLists.txt << 'EOF'
cmake_minimum_required(VERSION 3.22)
project(parts C)
find_package(tarn CONFIG REQUIRED COMPONENTS ${WANTED})
foreach(part IN LISTS WANTED)
	add_executable(with_${part} ${part}.c)
	target_link_libraries(with_${part} PRIVATE tarn::${part})
endforeach()
EOF
wanted=
for part; do
	case "$part" in
		render)
			wanted="$wanted;render"
			cp "$source/docs/picture.c" elsewhere/render.c
			;;
		adapters)
			wanted="$wanted;ode"
			printf '#include <tarn_ode.h>\nint main(void) { return tnGetVersion() == TN_VERSION ? 0 : 1; }\n' > elsewhere/ode.c
			;;
	esac
done
if [ -n "$wanted" ]; then
	"$cmake" -S elsewhere -B found "-DWANTED=${wanted#;}" "-DCMAKE_PREFIX_PATH=$scratch/all" > stdout 2>&1 || fail "find_package of$wanted"
	"$cmake" --build found > stdout 2>&1 || fail "programs with$wanted"
	for program in found/with_*; do
		"$program" > stdout 2>&1 || fail "$program returned $?"
	done
fi
if "$cmake" -S elsewhere -B missing -DWANTED=mushroom "-DCMAKE_PREFIX_PATH=$scratch/all" > stdout 2>&1; then
	fail "a part that is not there was found"
fi
grep -q mushroom stdout || fail "the part that is missing is not named"

# ----------------------------------------------------------------------------------------------------------------------
# Scenes

tarn="$scratch/program/bin/tarn"
if [ ! -x "$tarn" ]; then
	exit 0
fi
cd elsewhere || exit 1

expect()
{
	wanted_code=$1
	shift
	"$tarn" "$@" > stdout 2> stderr
	code=$?
	[ $code -eq "$wanted_code" ] || fail "tarn $* returned $code, expected $wanted_code"
}
says()
{
	grep -q -- "$2" "$1" || fail "no '$2' in $1"
}
run()
{
	expect "$1" run "$2" --seconds 0 --every 0 --quiet --scale 1
}

run 0 dam_break
# Not those of the source folder: these are nowhere else.
cp "$source/test/cli/pond.json" ../program/share/tarn/scenes/installed_pond.json
run 0 installed_pond
cp "$source/scenes/voxels/u_bend.json" ../program/share/tarn/scenes/voxels/installed_bend.json
expect 0 voxels installed_bend --steps 1
# Through a link, as packages have them.
ln -s "$tarn" linked
"$scratch/elsewhere/linked" run installed_pond --seconds 0 --every 0 --quiet --scale 1 > stdout 2> stderr || fail "through a link"

# The environment comes first, the rest is still there.
mkdir -p own/levels
cp "$source/test/cli/pond.json" own/dam_break.json
cp "$source/test/cli/pond.json" own/levels/own_level.json
TARN_SCENES=$scratch/elsewhere/own
export TARN_SCENES
expect 0 run dam_break --seconds 0 --every 0 --scale 1
says stdout '^pond'
run 0 own_level
run 0 installed_pond

run 2 no_such_scene
says stderr "no_such_scene: there is no such file, and no scene of that name in $scratch/elsewhere/own"
says stderr 'share/tarn/scenes'
[ "$(wc -l < stderr)" -eq 1 ] || fail "more than one line"

TARN_SCENES=$scratch/elsewhere/nowhere
run 2 dam_break
says stderr "TARN_SCENES must be a folder with scenes in it, got '$scratch/elsewhere/nowhere'"
expect 2 voxels u_bend
says stderr 'TARN_SCENES must be'
# A path needs no folder of scenes.
run 0 "$source/test/cli/pond.json"
TARN_SCENES=
run 0 dam_break

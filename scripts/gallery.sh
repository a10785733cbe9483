#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Renders the pictures of docs/gallery.md and the moving one at the top of the README, without a screen. The cameras are
# those of the scenes. Takes some minutes on a software renderer.
#
#   scripts/gallery.sh [SCENE...]      names as in scenes/, voxel_NAME for those in scenes/voxels, or "readme" for the
#                                      moving picture; all without one
#
# TARN is the program, build/tarn unless the environment says otherwise.

set -eu
cd "$(dirname "$0")/.."

tarn="${TARN:-build/tarn}"
pictures=docs/images/gallery
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$pictures"

wanted=" $* "
is_wanted()
{
	[ "$wanted" = "  " ] || case "$wanted" in *" $1 "*) true ;; *) false ;; esac
}

# keep NAME: half the size, each pixel the mean of four: no jagged edges.
keep()
{
	ffmpeg -nostdin -v error -y -i "$scratch/$1.png" -q:v 5 "$pictures/$1.jpg"
}

# still SCENE SECONDS: the moment after so many seconds of water.
still()
{
	if ! is_wanted "$1"; then
		return
	fi
	echo "$1"
	"$tarn" run "scenes/$1.json" --seconds "$2" --every 0 --out "$scratch/run" --quiet --size 1280x720 \
		--picture "$scratch/$1.png"
	keep "$1"
}

# voxels SCENE STEPS: the same for scenes of voxels.
voxels()
{
	if ! is_wanted "voxel_$1"; then
		return
	fi
	echo "voxel_$1"
	"$tarn" voxels "scenes/voxels/$1.json" --steps "$2" --size 1280x720 --picture "$scratch/voxel_$1.png" > "$scratch/log"
	keep "voxel_$1"
}

still aqueduct 40
still beach_breaking 26
still beach_waves 44
still beaver_dam 40
still block_or_through 8
still boat_race 22
still boat_wakes 28
still box_drop 4
still crate_dam 45
still dam_break 14
still dam_break_town 16
still dam_burst 6
still ferry 24
still harbour 10
still harbour_mouth 30
still island_tide 130
still lift_out 9
still log_jam 44
still mountain_river 340
still ocean_bay 32
still polluted_river 150
still pond_rain 12
still pull_the_dam 1
still raft 14
still rain_lakes 520
still river_valley 560
still river_wake 30
still sluice 9
still three_falls 12
still three_players 20
still valley_flood 44
still village_flood 110
still wave_tank 34
still whirlpools 64

voxels aqueduct 2400
voxels canyon_dam 560
voxels cave_flooding 1500
voxels crates 1500
voxels downhill 900
voxels ground 1800
voxels hull 990
voxels random 2400
voxels u_bend 60
voxels volcano 2400

# 48 seconds of water in 6.
if is_wanted readme; then
	echo readme
	"$tarn" run scenes/valley_flood.json --seconds 56 --from 4 --speed 8 --fps 15 --every 0 --out "$scratch/run" --quiet \
		--size 960x540 --frames "$scratch/readme"
	ffmpeg -nostdin -v error -y -framerate 15 -i "$scratch/readme/frame_%05d.png" -vf scale=640:360:flags=area \
		-c:v libwebp -loop 0 -q:v 60 -compression_level 6 docs/images/valley_flood.webp
fi

du -ch "$pictures"/*.jpg docs/images/valley_flood.webp | tail -n 1

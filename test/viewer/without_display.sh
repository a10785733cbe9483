#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `tarn view` where there is no display, and with wrong arguments.
# Usage: without_display.sh PROGRAM SCENE_FOLDER SCRATCH_FOLDER

set -u
program=$1
scenes=$2
scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch" || exit 1
cd "$scratch" || exit 1
unset DISPLAY WAYLAND_DISPLAY

fail()
{
	echo "FAILED: $*"
	cat stdout stderr
	exit 1
}

expect()
{
	wanted=$1
	shift
	"$program" "$@" > stdout 2> stderr
	code=$?
	[ $code -eq "$wanted" ] || fail "tarn $* returned $code, expected $wanted"
}

says()
{
	grep -q -- "$2" "$1" || fail "no '$2' in $1"
}

expect 1 view "$scenes/basin.json"
[ "$(wc -l < stderr)" -eq 1 ] || fail "more than one line"
says stderr 'tarn run SCENE'
[ ! -s stdout ] || fail "something on standard output"
expect 0 view --help
says stdout 'Usage: tarn view'
expect 1 view --size 12
says stderr 'like 1280x720'
expect 1 view --size 10x10
expect 1 view --size 640x360x2
expect 1 view --frames 0
expect 1 view a b
expect 1 view --speed 3
says stderr 'unknown option'
echo passed

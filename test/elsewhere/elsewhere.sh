#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests the programs that keep worlds and go on with them, on one machine and with few steps: what is good passes, what is not is
# refused by name.
# Usage: elsewhere.sh KEEP_WORLDS GO_ON SOURCE_FOLDER SCRATCH_FOLDER

set -u
keep=$1
go_on=$2
source=$3
scratch=$4

rm -rf "$scratch"
mkdir -p "$scratch" || exit 1
cd "$scratch" || exit 1

fail()
{
	echo "FAILED: $*"
	cat stdout stderr 2> /dev/null
	exit 1
}

# expect CODE TEXT COMMAND...: what the command returns, and a text that it prints
expect()
{
	code=$1
	text=$2
	shift 2
	"$@" > stdout 2> stderr
	got=$?
	[ $got -eq "$code" ] || fail "$* returned $got, expected $code"
	cat stdout stderr | grep -qF -- "$text" || fail "$* does not say '$text'"
}

# put FILE OFFSET BYTES: changes them in a copy, bad.kept; bytes as printf has them
put()
{
	cp "$1" bad.kept
	# shellcheck disable=SC2059
	printf "$3" | dd of=bad.kept bs=1 seek="$2" conv=notrunc 2> /dev/null
}

expect 0 "kept ./pond_pipes.kept" "$keep" --before 20 --steps 6 --interval 2 . "$source/test/cli/pond.json"
expect 0 "kept ./u_bend_voxels.kept" "$keep" --before 20 --steps 6 --interval 2 . "$source/scenes/voxels/u_bend.json"
expect 0 "2 passed, 0 failed; 2 with all steps, 12 steps in all" "$go_on" pond_pipes.kept u_bend_voxels.kept
expect 0 "2 passed, 0 failed" "$go_on" --workers 1 --seconds 100 pond_pipes.kept u_bend_voxels.kept
expect 0 "kept ./pond_mac_cormack.kept" "$keep" --methods all --before 4 --steps 2 --interval 1 . "$source/test/cli/pond.json"
# Twice the same bytes.
cp pond_pipes.kept once.kept
expect 0 "kept ./pond_own.kept" "$keep" --methods all --before 4 --steps 2 --interval 1 . "$source/test/cli/pond.json"
cmp once.kept pond_pipes.kept || fail "not the same bytes the second time"
expect 0 "7 passed, 0 failed; 7 with all steps, 14 steps in all" "$go_on" pond_*.kept

good=pond_fine.kept
voxels=u_bend_voxels.kept
expect 1 "FAIL missing.kept: cannot be read" "$go_on" missing.kept
: > bad.kept
expect 1 "FAIL bad.kept: 0 bytes, a header has 48" "$go_on" bad.kept
expect 1 "it begins with other letters" "$go_on" "$source/README.md"
put $good 8 '\002'
expect 1 "version 2, known is 1" "$go_on" bad.kept
put $good 12 '\007'
expect 1 "kind 7, known are 1 and 2" "$go_on" bad.kept
put $good 12 '\002'
expect 1 "0 words of a def, kind 2 has 69" "$go_on" bad.kept
put $good 20 '\377\377\377\377'
expect 1 "4294967295 steps with a hash after each 1" "$go_on" bad.kept
put $good 24 '\000'
expect 1 "2 steps with a hash after each 0" "$go_on" bad.kept
put $good 16 '\001'
expect 1 "damaged: sum" "$go_on" bad.kept
put $good 50 'tarn'
expect 1 "damaged: sum" "$go_on" bad.kept
put $voxels 60 'tarn'
expect 1 "damaged: sum" "$go_on" bad.kept
head -c 1000 $good > bad.kept
expect 1 "1000 bytes, expected 72 and a snapshot of" "$go_on" bad.kept
# The snapshot has sums of its own.
put $good 600 'tarn'
expect 1 "FAIL bad.kept: after 0 steps: " "$go_on" bad.kept
put $voxels 600 'tarn'
expect 1 "FAIL bad.kept: after 0 steps: " "$go_on" bad.kept
# The header of one world with the snapshot of another that is as long: what was expected does not come.
{ head -c 72 pond_linear.kept && tail -c +73 pond_pipes.kept; } > bad.kept
if [ "$(wc -c < pond_linear.kept)" = "$(wc -c < pond_pipes.kept)" ]; then
	expect 1 "FAIL bad.kept: after 0 steps: hash" "$go_on" bad.kept
else
	expect 1 "FAIL bad.kept: " "$go_on" bad.kept
fi
expect 1 "1 passed, 1 failed" "$go_on" bad.kept $good
expect 2 "unknown option '--fast'" "$go_on" --fast 1 $good
expect 2 "expected a number from 0 to 100000, got 'x'" "$go_on" --seconds x $good
expect 2 "use: tarn_go_on" "$go_on"
expect 2 "steps must be a multiple of interval" "$keep" --steps 5 --interval 2 . "$source/test/cli/pond.json"
expect 1 "cannot be written" "$keep" --before 1 --steps 1 --interval 1 nowhere "$source/test/cli/pond.json"
echo "passed"

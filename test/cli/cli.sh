#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests the program as a user meets it: what it prints, what it writes, what it returns.
# Usage: cli.sh PROGRAM SOURCE_FOLDER SCRATCH_FOLDER TEST

set -u
program=$1
source=$2
scratch=$3
test=$4
scene="$source/test/cli/pond.json"

rm -rf "$scratch"
mkdir -p "$scratch" || exit 1
cd "$scratch" || exit 1

fail()
{
	echo "FAILED: $*"
	for file in stdout stderr; do
		if [ -s "$file" ]; then
			echo "--- $file"
			cat "$file"
		fi
	done
	exit 1
}

# expect CODE ARGUMENTS...: run the program, keep what it prints in stdout and stderr.
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

is_picture()
{
	[ -s "$1" ] || fail "$1 is missing or empty"
	# The signature of PNG, after its first byte.
	[ "$(dd if="$1" bs=1 skip=1 count=3 2> /dev/null)" = PNG ] || fail "$1 is no PNG"
}

has_lines()
{
	[ -f "$1" ] || fail "$1 is missing"
	lines=$(wc -l < "$1")
	[ "$lines" -eq "$2" ] || fail "$1 has $lines lines, expected $2"
}

is_hash()
{
	echo "$1" | grep -Eq '^[0-9a-f]{16}$' || fail "'$1' is no hash"
}

# names_file KIND FILE: a scene with a world of 32 x 32 that names a file in one of the places where one can stand.
names_file()
{
	world='"world": {"columns": 32, "rows": 32}, "seconds": 0.1'
	case $1 in
		terrain) echo "{$world, \"terrain\": {\"file\": \"$2\"}}" ;;
		depth) echo "{$world, \"water\": {\"depthFile\": \"$2\"}}" ;;
		velocity) echo "{$world, \"water\": {\"level\": 1, \"velocityFiles\": [\"$2\", \"$2\"]}}" ;;
		rain) echo "{$world, \"rain\": {\"rate\": 0.001, \"mapFile\": \"$2\"}}" ;;
		evaporation) echo "{$world, \"evaporation\": {\"rate\": 0.001, \"mapFile\": \"$2\"}}" ;;
		infiltration) echo "{$world, \"infiltration\": {\"rate\": 0.001, \"mapFile\": \"$2\"}}" ;;
	esac
}

all_kinds='terrain depth velocity rain evaporation infiltration'

# expect_soon: as expect, but 124 if it takes longer than it should.
expect_soon()
{
	wanted=$1
	shift
	timeout 20 "$program" "$@" > stdout 2> stderr
	code=$?
	[ $code -eq "$wanted" ] || fail "tarn $* returned $code, expected $wanted"
}

# expect_small: as expect, but 600 MB of memory are all there is. Sanitizers reserve terabytes of addresses before the
# program starts, so that they watch what it really uses instead.
expect_small()
{
	wanted=$1
	shift
	(
		if (ulimit -v 600000 && exec "$program" --version) > /dev/null 2>&1; then
			ulimit -v 600000
		else
			export ASAN_OPTIONS="${ASAN_OPTIONS:-}:hard_rss_limit_mb=600:max_allocation_size_mb=600"
		fi
		exec "$program" "$@" --workers 1
	) > stdout 2> stderr
	code=$?
	[ $code -eq "$wanted" ] || fail "tarn $* with little memory returned $code, expected $wanted"
}

# Values for 32 x 32 cells in all formats: zero.r16, zero.r32, zero.asc.
make_values()
{
	dd if=/dev/zero of="$1/zero.r16" bs=2048 count=1 2> /dev/null
	dd if=/dev/zero of="$1/zero.r32" bs=4096 count=1 2> /dev/null
	{
		printf 'ncols 32\nnrows 32\ncellsize 1\n'
		i=0
		while [ $i -lt 32 ]; do
			echo '0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0'
			i=$((i + 1))
		done
	} > "$1/zero.asc"
}

# Pipes, devices and folders in the place of files: said at once, and none of them is opened.
test_strange_files()
{
	mkdir scene
	make_values scene
	for ending in png r16 r32 asc; do
		mkfifo "scene/pipe.$ending" || exit 77
		mkdir "scene/folder.$ending"
		ln -s /dev/zero "scene/device.$ending"
		ln -s "loop.$ending" "scene/loop.$ending"
		: > "scene/empty.$ending"
		for kind in $all_kinds; do
			for name in pipe folder device; do
				names_file $kind "$name.$ending" > scene/s.json
				expect_soon 2 run scene/s.json --quiet
				says stderr "it is no regular file"
			done
			names_file $kind "loop.$ending" > scene/s.json
			expect_soon 2 run scene/s.json --quiet
			names_file $kind "empty.$ending" > scene/s.json
			expect_soon 2 run scene/s.json --quiet
		done
	done
	for kind in $all_kinds; do
		for ending in r16 r32 asc; do
			names_file $kind "zero.$ending" > scene/s.json
			expect_soon 0 run scene/s.json --quiet --every 0
			head -c 1000 "scene/zero.$ending" > "scene/short.$ending"
			names_file $kind "short.$ending" > scene/s.json
			expect_soon 2 run scene/s.json --quiet
		done
	done
	# The scene itself.
	mkfifo pipe.json
	for name in pipe.json scene /dev/zero; do
		for command in run voxels; do
			expect_soon 2 $command "$name"
			says stderr "it is no regular file"
		done
	done
}

# A scene reads files in its folder and below it, wherever links lead, and says nothing of what is in others.
test_links()
{
	mkdir -p scene/below secret
	make_values scene/below
	make_values secret
	echo 'swordfish swordfish swordfish' > secret/secret.txt
	for ending in r16 r32 asc; do
		ln -s "below/zero.$ending" "scene/inside.$ending"
		ln -s "../../secret/zero.$ending" "scene/below/outside.$ending"
		ln -s "$PWD/secret/zero.$ending" "scene/absolute.$ending"
		ln -s ../secret/secret.txt "scene/secret.$ending"
		ln -s secret.$ending "scene/again.$ending"
	done
	ln -s ../secret scene/way
	ln -s scene other
	brief='--quiet --every 0 --seconds 0 --scale 1 --workers 1'
	for kind in $all_kinds; do
		endings=r32
		[ $kind = terrain ] && endings='r16 r32 asc'
		for ending in $endings; do
			for name in below/zero inside way/../scene/below/zero below/../inside; do
				names_file $kind "$name.$ending" > scene/s.json
				expect 0 run scene/s.json $brief
			done
			# A folder may itself be reached by a link.
			expect 0 run other/s.json $brief
			for name in below/outside absolute way/zero secret again; do
				names_file $kind "$name.$ending" > scene/s.json
				expect 2 run scene/s.json --quiet
				says stderr "it is not in the folder of the scene"
				grep -q swordfish stderr && fail "an error quotes a file"
			done
			for name in ../secret/zero "$PWD/secret/zero" below/../../secret/zero; do
				names_file $kind "$name.$ending" > scene/s.json
				expect 2 run scene/s.json --quiet
				says stderr "stays in its folder"
				expect 0 run scene/s.json $brief --allow-outside
			done
			for name in below/outside absolute way/zero; do
				names_file $kind "$name.$ending" > scene/s.json
				expect 0 run scene/s.json $brief --allow-outside
			done
			# Allowed, but still not quoted.
			names_file $kind "secret.$ending" > scene/s.json
			expect 2 run scene/s.json --quiet --allow-outside
			grep -q swordfish stderr && fail "an error quotes a file"
		done
	done
	# From within the folder there is no folder in the name.
	names_file terrain ../secret/zero.r32 > scene/s.json
	cd scene || fail "no folder"
	expect 2 run s.json --quiet
	names_file terrain below/zero.r32 > s.json
	expect 0 run s.json $brief
	names_file terrain below/outside.r32 > s.json
	expect 2 run s.json --quiet
}

# A few bytes do not decide how much memory is used.
test_memory()
{
	echo '{"world": {"columns": 8192, "rows": 8192}}' > large.json
	echo '{"voxels": {"size": [512, 512, 512]}}' > voxels.json
	expect_small 3 run large.json --quiet
	says stderr "need more memory than the 1073741824 bytes that are allowed"
	expect 3 voxels voxels.json --memory 1
	says stderr "out of memory"
	echo '{"world": {"columns": 256, "rows": 256}, "seconds": 0}' > middle.json
	expect_soon 3 run middle.json --quiet --memory 1
	says stderr "memory"
	expect_soon 0 run middle.json --quiet --memory 6
	expect_soon 3 run middle.json --quiet --memory 6 --beside linear,shallow,shallow-fine
	expect_soon 1 run middle.json --memory 0
	# A picture that is mostly header: 20000 x 20000 pixels for a world of 32 x 32.
	printf '\211PNG\r\n\032\n\000\000\000\015IHDR\000\000\116\040\000\000\116\040\020\000\000\000\000\226\213\305\246' > huge.png
	printf '\000\020\000\000IDAT' >> huge.png
	dd if=/dev/zero bs=1048576 count=1 2> /dev/null >> huge.png
	names_file terrain huge.png > picture.json
	expect_small 2 run picture.json --quiet
	# A build without libpng does not even look.
	grep -q "has no libpng" stderr ||
		says stderr "20000 x 20000 cells are more than the 1048576 that are allowed for a world of this size"
	# A file of a gigabyte that takes no room on the disk.
	for ending in png r16 r32 asc; do
		dd if=/dev/zero of="sparse.$ending" bs=1 count=1 seek=1073741824 2> /dev/null || exit 77
		for kind in $all_kinds; do
			names_file $kind "sparse.$ending" > sparse.json
			expect_small 2 run sparse.json --quiet
			says stderr "bytes that are allowed"
		done
	done
}

test_help()
{
	expect 0 --help
	for command in run bench check; do
		says stdout "  $command "
	done
	says stdout "Exit codes"
	for command in run bench check; do
		expect 0 $command --help
		says stdout "Usage: tarn $command"
		says stdout "Examples:"
		says stdout "Exit codes: 0 "
		cp stdout page
		expect 0 help $command
		cmp -s stdout page || fail "tarn help $command differs from tarn $command --help"
	done
	# Every option of the table has a place in the help.
	expect 0 run --help
	for option in seconds every scale method beside view simd workers dump out quiet video frames picture size fps speed sound \
		from memory allow-outside; do
		says stdout "--$option"
	done
	expect 0 --version
	grep -Eq '^tarn [0-9]+\.[0-9]+\.[0-9]+ \(.*scalar' stdout || fail "the version does not look like one"
	expect 1
	says stdout "Usage: tarn COMMAND"
}

test_usage()
{
	expect 1 rnu
	says stderr "did you mean run?"
	expect 1 run "$scene" --secnds 3
	says stderr "unknown option --secnds: did you mean --seconds?"
	says stderr "tarn run --help"
	expect 1 run "$scene" --zzzzzzzzzz
	says stderr "unknown option --zzzzzzzzzz"
	expect 1 run "$scene" -x
	expect 1 run
	says stderr "which scene"
	expect 1 run "$scene" other.json
	says stderr "too many arguments: 'other.json'"
	expect 1 run "$scene" --seconds
	says stderr "--seconds needs a value"
	for wrong in -1 nan inf 1x ''; do
		expect 1 run "$scene" --seconds "$wrong"
		says stderr "--seconds must be a number in \[0, "
	done
	expect 1 run "$scene" --workers 0
	says stderr "--workers must be a whole number in \[1, 64\], got '0'"
	expect 1 run "$scene" --workers 1.5
	expect 1 run "$scene" --quiet=yes
	says stderr "--quiet takes no value"
	expect 1 run "$scene" --method pip
	says stderr "--method is one of pipe, linear, shallow, shallow-fine, shallow-sl, shallow-mc, not 'pip': did you mean pipe?"
	expect 1 run "$scene" --beside linear,shalow
	says stderr "--beside is one of pipe, linear, shallow, shallow-fine, shallow-sl, shallow-mc, not 'shalow': did you mean shallow?"
	expect 1 run "$scene" --beside pipe
	says stderr "--beside pipe: the scene runs with it anyway"
	expect 1 run "$scene" --view vortices
	says stderr "--view is one of water, depth, speed, tracer, vorticity, waves, surface-with-waves, not 'vortices'"
	expect 1 run "$scene" --dump depth,colour
	says stderr "not 'colour'"
	for wrong in '' 0x0 15x90 160x15 8193x90 160 160x x90 160x90x3 160,90 -160x90 ' 160x90' 160x90.5 1e2x90 99999999999x90; do
		expect 1 run "$scene" --picture p.png --size "$wrong"
		says stderr "--size is WIDTHxHEIGHT in pixels, 16 to 8192 each, like 1280x720, not '$wrong'"
	done
	for wrong in 0 0.5 241 nan fast; do
		expect 1 run "$scene" --video v.mp4 --fps "$wrong"
		says stderr "--fps must be a number in \[1, 240\], got '$wrong'"
	done
	expect 1 run "$scene" --video v.mp4 --speed 0
	says stderr "--speed must be a number in \[0.001, 10000\], got '0'"
	expect 1 run "$scene" --video v.mp4 --seconds 2 --from 2
	says stderr "--from 2: the run ends after 2 seconds of water"
	expect 1 run "$scene" --video v.mp4 --from -1
	says stderr "--from must be"
	for wrong in v.avi v mp4 .mp4 v.mp4.txt; do
		expect 1 run "$scene" --video $wrong
		says stderr "--video ends with .mp4, .webp or .gif, not like '$wrong'"
	done
	expect 1 bench --render shores
	says stderr "--render stands alone"
	expect 1 bench --waves shores
	says stderr "--waves stands alone"
	expect 1 bench --bodies --spray
	says stderr "--spray stands alone"
	expect 1 bench --bodies --per-second-of-water
	says stderr "--bodies stands alone"
	expect 1 bench no_such_entry
	says stderr "no_such_entry"
	expect 1 check no_such_case
	says stderr "there is no case 'no_such_case'"
	expect 1 check --method steam
	says stderr "not 'steam'"
	[ ! -e out ] || fail "a refused command left files"
}

# What a run did can be done again, with other workers and instructions; a file that is none, or not whole, is refused.
test_record()
{
	expect 0 run "$scene" --seconds 2 --every 0 --record run.tarn
	hash=$(sed -n 's/^  hash  *//p' stdout)
	expect 0 replay run.tarn --workers 1 --simd scalar
	says stdout "hash $hash"
	says stdout "the same bits as recorded"
	expect 0 run --replay run.tarn --workers 1 --simd scalar
	says stdout "hash $hash"
	says stdout "the same bits as recorded"
	expect 0 run --workers 1 --replay=run.tarn
	says stdout "hash $hash"
	expect 1 run --replay
	says stderr "which recording"
	expect 2 run --replay missing.tarn
	says stderr "cannot read missing.tarn"
	expect 1 run --replay run.tarn --seconds 1
	says stderr "seconds"
	expect 1 run "$scene" --replay run.tarn
	expect 1 replay
	says stderr "which recording"
	expect 2 replay missing.tarn
	says stderr "cannot read missing.tarn"
	expect 2 replay "$scene"
	says stderr "not a recording"
	head -c 3000 run.tarn > cut.tarn
	expect 2 replay cut.tarn
	expect 2 run "$scene" --seconds 1 --every 0 --record no/such/folder.tarn
	says stderr "cannot write no/such/folder.tarn"
}

test_files()
{
	expect 2 run missing.json
	says stderr "missing.json"
	[ ! -s stdout ] || fail "an error was printed to stdout"
	printf '{\n\t"wrold": {}\n}\n' > broken.json
	expect 2 run broken.json
	says stderr 'broken.json:2:2: '
	# A file where the folder should be.
	echo > occupied
	expect 2 run "$scene" --seconds 0.1 --out occupied
	says stderr "occupied"
	expect 2 run "$scene" --seconds 0.1 --out occupied/below
}

test_run()
{
	expect 0 run "$scene" --seconds 1 --dump depth,velocity,tracer,bed,surface
	folder=out/pond
	# At 0, 0.5 and 1 s.
	for picture in frame_0000.png frame_0001.png frame_0002.png final.png; do
		is_picture $folder/$picture
	done
	[ ! -e $folder/frame_0003.png ] || fail "a picture too many"
	# 61 x 47 cells of 4 bytes.
	for field in depth velocity_x velocity_z tracer0 bed surface; do
		for number in 0000 0001 0002 final; do
			file=$folder/${field}_$number.r32
			[ -f "$file" ] || fail "$file is missing"
			[ "$(wc -c < "$file")" -eq 11468 ] || fail "$file has the wrong size"
			[ -s "$file.json" ] || fail "$file has no header"
		done
	done
	# A header and 50 steps.
	has_lines $folder/gauges.csv 51
	says $folder/gauges.csv '^time,tower surface,tower depth,tower vx,tower vz$'
	grep -Eq '^1(,[-+0-9.e]+){4}$' $folder/gauges.csv || fail "gauges.csv has no last row"
	says $folder/events.csv '^time,region,event,max_depth$'
	says $folder/summary.json '"interrupted": false'
	says $folder/summary.json '"steps": 50,'
	for entry in volume airborne edits sources drains wells rain evaporation infiltration edge_west edge_east edge_north \
		edge_south drift; do
		says $folder/summary.json "\"$entry\": "
		says stdout "^  $entry "
	done
	# Half a cubic meter a second for one second.
	grep -Eq '^  sources +\+0\.(49999|50000)' stdout || fail "the spring did not bring 0.5 m3"
	hash=$(sed -n 's/^  hash  *//p' stdout)
	is_hash "$hash"
	says $folder/summary.json "\"hash\": \"$hash\""
	# No terminal: a line for each tenth of the way and no control characters.
	[ "$(grep -c ' % ' stderr)" -eq 11 ] || fail "expected a line of progress per 10 %"
	says stderr '^100 %'
	if grep -q "$(printf '\033')" stderr; then
		fail "control characters without a terminal"
	fi

	# Pictures of a longer run go, its other files are replaced, and nothing is said.
	expect 0 run "$scene" --seconds 0.5 --every 0 --quiet
	[ ! -s stdout ] && [ ! -s stderr ] || fail "--quiet was not quiet"
	[ ! -e $folder/frame_0000.png ] || fail "a picture of the run before is still there"
	is_picture $folder/final.png
	has_lines $folder/gauges.csv 26

	# Large and small pictures, and no time at all.
	for scale in 0.05 1 3.5; do
		expect 0 run "$scene" --seconds 0 --scale $scale --out scaled --quiet
		is_picture scaled/final.png
	done
}

# The hash of a run of one second.
hash_of()
{
	expect 0 run "$scene" --seconds 1 --every 0 "$@" --out hashed
	sed -n 's/^  hash  *//p' stdout
}

test_same_bits()
{
	one=$(hash_of --workers 1) || fail "$one"
	is_hash "$one"
	for variant in '--workers 2' '--workers 7' '--simd scalar' '--simd scalar --workers 2'; do
		# shellcheck disable=SC2086
		other=$(hash_of $variant) || fail "$other"
		[ "$one" = "$other" ] || fail "$variant gives $other, one worker gives $one"
	done
	# And the hash does tell different water apart.
	other=$(hash_of --method linear) || fail "$other"
	is_hash "$other"
	[ "$one" != "$other" ] || fail "two methods have one hash"
}

# Runs beside each other are the runs one gets alone, and share the pictures.
test_beside()
{
	expect 0 run "$scene" --seconds 1 --beside linear,shallow --view vorticity --dump depth
	folder=out/pond
	for picture in frame_0000.png frame_0001.png frame_0002.png final.png; do
		is_picture $folder/$picture
		[ ! -e $folder/linear/$picture ] || fail "a picture in the folder of a method"
	done
	for part in $folder $folder/linear $folder/shallow; do
		has_lines $part/gauges.csv 51
		[ "$(wc -c < $part/depth_final.r32)" -eq 11468 ] || fail "$part/depth_final.r32 has the wrong size"
	done
	says $folder/summary.json '"method": "pipe"'
	says $folder/summary.json '"beside": \["linear", "shallow"\]'
	says $folder/linear/summary.json '"method": "linear"'
	says $folder/shallow/summary.json '"method": "shallow"'
	cp stdout together
	for method in pipe linear shallow; do
		other=$(hash_of --method $method) || fail "$other"
		grep -Eq "^  $method .* $other\$" together || fail "$method beside the others is not $method alone"
	done
	for view in water depth speed tracer; do
		expect 0 run "$scene" --seconds 0.1 --every 0 --view $view --beside shallow --out viewed --quiet
		is_picture viewed/final.png
	done
}

# The wave layer has maps of its own, and a file that is as fine as its finest band.
test_waves()
{
	sed 's/"manning": 0.03,/"waves": {"finerLevels": 1, "levelCount": 4, "drops": [{"perSecond": 99, "volume": 1e-3}]},/' \
		"$scene" > waves.json
	for view in waves surface-with-waves; do
		expect 0 run waves.json --seconds 0.2 --every 0 --view $view --dump waves --out viewed --quiet
		is_picture viewed/final.png
		[ "$(wc -c < viewed/waves_final.r32)" -eq 45872 ] || fail "viewed/waves_final.r32 has the wrong size"
		says viewed/waves_final.r32.json '0.25'
		expect 1 run "$scene" --view $view
		says stderr "the scene has no waves"
	done
	expect 1 run "$scene" --dump waves
	says stderr "the scene has no waves"
}

# interrupt SIGNAL: stop a run that would take long.
interrupt()
{
	"$program" run "$scene" --seconds 1000000 --every 0 --out stopped_"$1" > stdout 2> stderr &
	child=$!
	# It has begun when the first rows of the time series are on the disk.
	waited=0
	until [ -s stopped_"$1"/gauges.csv ]; do
		waited=$((waited + 1))
		[ $waited -lt 600 ] || { kill -KILL $child; fail "the run did not begin"; }
		sleep 0.1
	done
	kill -"$1" $child
	wait $child
	code=$?
	[ $code -eq 130 ] || fail "after SIG$1 tarn returned $code, expected 130"
	is_picture stopped_"$1"/final.png
	says stopped_"$1"/summary.json '"interrupted": true'
	says stdout "(interrupted)"
	is_hash "$(sed -n 's/^  hash  *//p' stdout)"
	# Rows are whole.
	tail -n 1 stopped_"$1"/gauges.csv | grep -Eq '^[0-9.e+]+(,[-+0-9.e]+){4}$' || fail "gauges.csv ends in a torn row"
}

test_voxels()
{
	bend="$source/scenes/voxels/u_bend.json"
	expect 0 voxels "$bend" --steps 20
	says stdout "^U-bend, 20 steps"
	says stdout "^water: 1290240 units, drift 0"
	grep -Eq '^hash [0-9a-f]{16}$' stdout || fail "no hash"
	expect 0 voxels "$source/scenes/voxels/aqueduct.json" --steps 2
	says stdout "^wheel 1: "
	expect 1 voxels
	expect 1 voxels "$bend" --size 3x3
	says stderr "3x3"
	expect 1 voxels "$bend" --video v.avi
	says stderr "v.avi"
	expect 2 voxels missing.json
	says stderr "missing.json"
	echo '{"voxels": {"size": [4, 4]}}' > broken.json
	expect 2 voxels broken.json
	says stderr "broken.json:1:21: size "
	# Of columns.
	expect 2 voxels "$scene"
	expect 1 run "$bend"
	says stderr "tarn voxels"
	# Scenes have names as well as paths.
	mkdir -p scenes/voxels
	cp "$bend" scenes/voxels/my_bend.json
	expect 0 voxels my_bend --steps 0
	says stdout "^U-bend, 0 steps"
}

# Nobody plays: the terrace is dry. It wins a level that wants it dry, and loses one that wants it wet.
test_level()
{
	for bound in '"atMost": 5' '"atLeast": 500'; do
		sed '$d' "$scene" > game.json
		printf ',"level": {"title": "Terrace", "classes": "G3 C1", "story": "Wait.", "timeLimit": 1, "goals": [' >> game.json
		printf '{"label": "Lake", "measure": "volume", "region": "terrace", %s}]}}\n' "$bound" >> game.json
		expect 0 run game.json --seconds 1.2 --every 0
		case $bound in
			*Most*)
				says stdout '^  level  *Terrace: won after 0.0 s$'
				says stdout '\[x\] Lake: 0, at most 5 wins$'
				;;
			*)
				says stdout '^  level  *Terrace: lost after 1.0 s$'
				says stdout '\[ \] Lake: 0, at least 500 wins$'
				;;
		esac
	done
	# Scenes that are no levels say nothing of it.
	expect 0 run "$scene" --seconds 0.1 --every 0
	grep -q '^  level' stdout && fail "a pond is no level"
	sed -e 's/"terrace", "atLeast"/"roof", "atLeast"/' game.json > bad.json
	expect 2 run bad.json
	says stderr 'there is no region "roof"'
}

test_interrupt()
{
	interrupt INT
	interrupt TERM
}

# has_size FILE WIDTH HEIGHT: two big-endian numbers in the header of a PNG.
has_size()
{
	is_picture "$1"
	found=$(od -An -v -t u1 -j 16 -N 8 "$1" | awk '{ print ($1 * 256 + $2) * 65536 + $3 * 256 + $4, $7 * 256 + $8 }')
	[ "$found" = "$2 $3" ] || fail "$1 has $found pixels, expected $2 $3"
}

test_frames()
{
	# 0.3 seconds at 10 frames per second: at 0, 0.1 and 0.2 s, between steps of 0.02 s.
	expect 0 run "$scene" --seconds 0.3 --every 0 --frames shots/below --size 160x90 --fps 10
	for number in 00000 00001 00002; do
		has_size shots/below/frame_$number.png 160 90
	done
	[ ! -e shots/below/frame_00003.png ] || fail "a frame too many"
	cmp -s shots/below/frame_00000.png shots/below/frame_00001.png && fail "nothing moves between frames 0 and 1"
	cmp -s shots/below/frame_00001.png shots/below/frame_00002.png && fail "nothing moves between frames 1 and 2"
	says stdout "^  film  *3 frames of 160 x 90 pixels, drawn by "
	# What a run leaves without a film, it leaves with one.
	for file in final.png gauges.csv events.csv summary.json; do
		[ -s out/pond/$file ] || fail "$file is missing"
	done
	cp -r shots/below before
	# The same again is the same, and a shorter film leaves no frames of the longer one. Half the speed, from later on:
	# at 0.1 and 0.15 s.
	expect 0 run "$scene" --seconds 0.3 --every 0 --frames shots/below --size 160x90 --fps 10 --quiet
	for number in 00000 00001 00002; do
		cmp shots/below/frame_$number.png before/frame_$number.png || fail "frame $number differs from run to run"
	done
	expect 0 run "$scene" --seconds 0.2 --from 0.1 --speed 0.5 --every 0 --frames shots/below --size 160x90 --fps 10
	[ -e shots/below/frame_00001.png ] || fail "not two frames, but less"
	[ ! -e shots/below/frame_00002.png ] || fail "a frame of the longer film is still there"

	# A last picture, of every view, of another size, with a camera of its own.
	for view in water depth speed tracer vorticity; do
		expect 0 run "$scene" --seconds 0.1 --every 0 --view $view --picture pictures/$view.png --size 97x61 --quiet
		has_size pictures/$view.png 97 61
	done
	cmp -s pictures/water.png pictures/depth.png && fail "two views are one picture"
	sed '$d' "$scene" > seen.json
	printf ',"camera": {"orbit": {"target": [15, 1, 12], "distance": 20, "height": 9, "from": 200}}}\n' >> seen.json
	expect 0 run seen.json --seconds 0.1 --every 0 --picture pictures/seen.png --size 97x61 --quiet
	cmp -s pictures/water.png pictures/seen.png && fail "the camera of the scene makes no difference"

	expect 0 voxels "$source/scenes/voxels/u_bend.json" --steps 2 --picture pictures/bend.png --size 97x61
	has_size pictures/bend.png 97 61
	expect 0 voxels "$source/scenes/voxels/u_bend.json" --steps 2 --picture pictures/blocks.png --size 97x61 --blocky
	cmp -s pictures/bend.png pictures/blocks.png && fail "blocks look like smooth ground"

	# Files that cannot be written.
	echo > occupied
	expect 2 voxels "$source/scenes/voxels/u_bend.json" --steps 2 --picture occupied/p.png --size 97x61
	says stderr "occupied"
	expect 2 run "$scene" --seconds 0.1 --every 0 --frames occupied --size 160x90
	says stderr "occupied"
	expect 2 run "$scene" --seconds 0.1 --every 0 --picture occupied/p.png --size 160x90
	says stderr "occupied"
	if [ -c /dev/full ]; then
		expect 2 run "$scene" --seconds 0.1 --every 0 --picture /dev/full --size 160x90
		says stderr "/dev/full"
	fi
	# Nothing to draw with. (The variable is that of the usual dispatcher; where there is another, it draws anyway.)
	__EGL_VENDOR_LIBRARY_DIRS=/nowhere "$program" run "$scene" --seconds 0.1 --every 0 --picture p.png --size 160x90 \
		> stdout 2> stderr
	code=$?
	if [ $code -ne 0 ]; then
		[ $code -eq 2 ] || fail "without EGL tarn returned $code, expected 2"
		says stderr "cannot draw: "
	fi
}

# has_frames FILE COUNT: what ffmpeg makes of a video of 160 x 90 pixels.
has_frames()
{
	bytes=$(ffmpeg -nostdin -v error -i "$1" -f rawvideo -pix_fmt rgb24 - | wc -c)
	[ "$bytes" -eq $((160 * 90 * 3 * $2)) ] || fail "$1 has $bytes bytes of pictures, expected $2 frames"
}

test_sound()
{
	if ! "$program" run "$scene" --seconds 0 --every 0 --quiet --sound probe.wav > /dev/null 2> stderr; then
		says stderr "built without sound"
		echo "skipped: TARN_SOUND is off"
		exit 77
	fi
	plain=$(hash_of) || fail "$plain"
	heard=$(hash_of --sound one.wav) || fail "$heard"
	[ "$plain" = "$heard" ] || fail "with sound the water is $heard, without $plain"
	heard=$(hash_of --sound two.wav --workers 3) || fail "$heard"
	cmp -s one.wav two.wav || fail "the same water does not sound the same"
	bytes=$(wc -c < one.wav)
	[ "$bytes" -eq $((44 + 4 * 48000)) ] || fail "one.wav has $bytes bytes, expected those of a second"
	[ "$(head -c 4 one.wav)$(head -c 12 one.wav | tail -c 4)" = RIFFWAVE ] || fail "one.wav is no WAV file"
	[ "$(tail -c +45 one.wav | tr -d '\0' | wc -c)" -gt 1000 ] || fail "one.wav is silent"
	# At twice the pace half as long.
	expect 0 run "$scene" --seconds 1 --every 0 --speed 2 --sound fast.wav --quiet
	bytes=$(wc -c < fast.wav)
	[ "$bytes" -eq $((44 + 4 * 24000)) ] || fail "fast.wav has $bytes bytes, expected those of half a second"
	expect 2 run "$scene" --seconds 0.1 --every 0 --sound /nowhere/x.wav
	says stderr "/nowhere/x.wav: No such file or directory"
}

test_video()
{
	if ! command -v ffmpeg > /dev/null; then
		echo "skipped: there is no ffmpeg"
		exit 77
	fi
	plain=$(hash_of) || fail "$plain"
	is_hash "$plain"
	filmed=$(hash_of --video films/pond.mp4 --size 160x90 --fps 12) || fail "$filmed"
	[ "$plain" = "$filmed" ] || fail "with a film the water is $filmed, without $plain"
	has_frames films/pond.mp4 12
	if "$program" run "$scene" --seconds 0 --every 0 --quiet --sound probe.wav > /dev/null 2>&1; then
		# A second of sound; packets of AAC are 1024 samples long, and there may be some more of them.
		bytes=$(ffmpeg -nostdin -v error -i films/pond.mp4 -f s16le - | wc -c)
		[ "$bytes" -ge 192000 ] && [ "$bytes" -le 220000 ] || fail "films/pond.mp4 has $bytes bytes of sound, expected 192000"
		[ ! -e films/pond.mp4.wav.part ] && [ ! -e films/pond.mp4.part ] || fail "parts of films/pond.mp4 are left"
	fi
	expect 0 run "$scene" --seconds 0.4 --every 0 --video pond.gif --size 160x90 --fps 10 --quiet
	has_frames pond.gif 4
	expect 0 run "$scene" --seconds 0 --every 0 --video still.mp4 --size 160x90 --quiet
	has_frames still.mp4 1

	expect 0 voxels "$source/scenes/voxels/u_bend.json" --steps 30 --video films/bend.mp4 --size 160x90 --fps 10
	has_frames films/bend.mp4 5
	expect 0 voxels "$source/scenes/voxels/u_bend.json" --steps 0 --video films/still.mp4 --size 160x90
	has_frames films/still.mp4 1

	# ffmpeg is missing, or ends with a complaint, or cannot write.
	env PATH=/nowhere "$program" run "$scene" --seconds 0.1 --every 0 --video v.mp4 --size 160x90 > stdout 2> stderr
	[ $? -eq 2 ] || fail "without ffmpeg the code is not 2"
	says stderr "v.mp4: .*ffmpeg"
	mkdir -p fake
	printf '#!/bin/sh\necho no such codec here >&2\nexit 7\n' > fake/ffmpeg
	chmod +x fake/ffmpeg
	env PATH="$PWD/fake:$PATH" "$program" run "$scene" --seconds 1 --every 0 --video v.mp4 --size 160x90 > stdout 2> stderr
	[ $? -eq 2 ] || fail "with a broken ffmpeg the code is not 2"
	says stderr "v.mp4: ffmpeg: no such codec here"
	if [ -c /dev/full ]; then
		ln -s /dev/full full.gif
		expect 2 run "$scene" --seconds 0.4 --every 0 --video full.gif --size 160x90 --fps 10
		says stderr "full.gif: ffmpeg: "
	fi

	# Stopped half-way, the film is whole.
	"$program" run "$scene" --seconds 1000000 --every 0 --out stopped --frames shots --video stopped.mp4 --size 160x90 \
		--quiet 2> stderr &
	child=$!
	waited=0
	until [ -s shots/frame_00003.png ]; do
		waited=$((waited + 1))
		[ $waited -lt 600 ] || { kill -KILL $child; fail "the film did not begin"; }
		sleep 0.1
	done
	kill -INT $child
	wait $child
	code=$?
	[ $code -eq 130 ] || fail "after SIGINT tarn returned $code, expected 130"
	set -- shots/frame_*.png
	has_frames stopped.mp4 $#
}

test_bench_render()
{
	expect 0 bench --render --runs 1 --csv
	has_lines stdout 5
	[ "$(head -n 1 stdout)" = name,columns,rows,width,height,upload_ms,terrain_ms,water_ms,overlay_ms,total_ms,triangles,hash,device ] ||
		fail "the header is not the promised one"
	for name in render_256 render_512 lake_256 waves_256; do
		size=${name#*_}
		grep -Eq "^$name,$size,$size,1280,720(,[0-9]+\.[0-9]+){5},[1-9][0-9]+,[0-9a-f]{16},\".+\"\$" stdout ||
			fail "no well-formed row for $name"
	done
}

# A program that was built without OpenGL ES says so, and how to get it.
test_no_renderer()
{
	for option in --video=v.mp4 --frames=shots --picture=p.png; do
		expect 2 run "$scene" --seconds 0.1 --every 0 $option
		says stderr "built without one: install"
	done
	expect 2 bench --render
	says stderr "built without a renderer: install"
}

test_bench()
{
	expect 0 bench --list
	for name in pipe_fixed_1024 pipe_fixed_4096 pipe_depth_manning_1024 pipe_depth_rate_4096_single linear_1024 shores \
		tracers still_lake sample_many pipe_depth_scalar pipe_depth_sse2 moving_pipe_1024 moving_linear_4096 shallow_1024 \
		shallow_fine_1024 shallow_sl_1024 shallow_mc_1024 shallow_4096; do
		says stdout "^$name "
	done
	# Each entry can be asked for by its name, the last one, too.
	last=$(tail -n 1 stdout | cut -d ' ' -f 1)
	expect 0 bench "=$last" --csv --runs 1 --seconds 0.001 --workers 1
	grep -q "^$last," stdout || fail "no row for $last"
	expect 0 bench --waves --csv --runs 1 --seconds 0.001 --workers 2
	[ "$(head -n 1 stdout)" = name,tiles,cells,workers,ms_per_step,mcells_per_s,roofline,to_first,hash ] ||
		fail "the header of the waves is not the promised one"
	grep -Eq '^pyramids_8x128,44,[0-9]+,2,[0-9.]+,[0-9.]+,[0-9.]+,1\.00,[0-9a-f]{16}$' stdout || fail "no row for pyramids"
	grep -Eq '^pyramids_84,18,' stdout || fail "no row for the pool of 84 pyramids"
	expect 0 bench --saving --csv --runs 1 --seconds 0.001 --workers 2
	has_lines stdout 5
	grep -Eq '^tenth_1024,2,[0-9]+,[0-9]+(,[0-9.]+){5},[0-9a-f]{16}$' stdout || fail "no well-formed row for saving"
	expect 0 bench --bodies --csv --runs 1 --seconds 0.001 --workers 2
	has_lines stdout 9
	grep -Eq '^bodies_drift_10000,pipe,2,1,' stdout || fail "no row for many small bodies"
	grep -Eq '^bodies_game,shallow,2,1,' stdout || fail "no row for bodies in a game's world"
	# A run of one step says nothing: bodies may even seem to cost less than none.
	grep -Eq '^bodies_shallow_fine,shallow-fine,2,4(,-?[0-9.]+){8},[0-9a-f]{16}$' stdout || fail "no well-formed row for bodies"
	expect 0 bench tracers --csv --runs 1 --seconds 0.001 --workers 1,2
	has_lines stdout 3
	[ "$(head -n 1 stdout)" = name,method,columns,rows,workers,ms_per_step,mcells_per_s,rtkc,roofline,hash ] ||
		fail "the header is not the promised one"
	for workers in 1 2; do
		grep -Eq "^tracers,pipe,512,512,$workers,[0-9]+\.[0-9]+,[0-9]+\.[0-9],[0-9]+,[0-9]+\.[0-9]+,[0-9a-f]{16}\$" stdout ||
			fail "no well-formed row for $workers workers"
	done
	[ "$(sed -n 's/.*,//p' stdout | tail -n 2 | uniq | wc -l)" -eq 1 ] || fail "the hash depends on the workers"
	expect 0 bench tracers --runs 1 --seconds 0.001 --workers 1
	says stdout "^tracers "
	says stdout "GB/s"
	expect 0 bench 1024_single --per-second-of-water --csv --runs 1 --seconds 0.001
	has_lines stdout 7
	[ "$(head -n 1 stdout)" = name,method,workers,time_step_ms,ms_per_step,step_to_pipe,ms_per_s,to_pipe,to_linear,hash ] ||
		fail "the header of the comparison is not the promised one"
	grep -Eq '^moving_pipe_1024_single,pipe,[0-9]+,[0-9.]+,[0-9.]+,1\.00,[0-9.]+,1\.00,[0-9.]+,[0-9a-f]{16}$' stdout ||
		fail "no well-formed row for pipe"
	grep -Eq '^shallow_1024_single,shallow,[0-9]+(,[0-9.]+){6},[0-9a-f]{16}$' stdout || fail "no well-formed row for shallow"
}

test_check()
{
	expect 0 check --list
	grep -Eq '^F01 ' stdout || fail "F01 is not in the list"
	expect 0 check F01 --csv --method pipe
	[ "$(head -n 1 stdout)" = case,method,measure,value,limit,pass ] || fail "the header is not the promised one"
	grep -Eq '^F01[a-z]?,pipe,[^,]+,[-+0-9.e]+,[^,]*,pass$' stdout || fail "no well-formed row"
	expect 0 check F01 --method pipe
	says stdout " 0 failed"
	# Without its table a dam break cannot pass.
	expect 4 check F02 --csv --method pipe --references nowhere
	grep -q ',fail$' stdout || fail "no failing row"
}

# Each method stands first equally often, in each level, and follows each other one equally often; nothing is asked without a window.
test_study()
{
	expect 1 study
	says stderr "which participant"
	expect 1 study --participant 1 --methods pipe
	says stderr "at least two"
	expect 2 study --participant 1 --levels river_valley
	says stderr "no level"
	expect 1 study --participant 0
	for methods in pipe,shallow pipe,linear,shallow; do
		count=$(echo "$methods" | tr ',' '\n' | wc -l)
		# Three levels, and k rows, or 2 k for three methods.
		rows=$((count == 2 ? 2 : 6))
		expect 0 study --participant $((3 * rows)) --methods $methods --plan
		for method in $(echo "$methods" | tr ',' ' '); do
			for place in 1 2; do
				for level in 01_the_ford 06_the_broom 19_save_the_houses; do
					times=$(grep -c "^[0-9]*,[0-9]*,$level,$place,$method\$" stdout)
					test "$times" = $((3 * rows / count)) || fail "$method is $times times at place $place of $level"
				done
			done
		done
		# Who follows whom.
		awk -F, 'NR > 1 { if ($4 > 1) pairs[last "," $5]++; last = $5 } END { for (p in pairs) print pairs[p] }' stdout |
			sort -u | wc -l | grep -q '^1$' || fail "some follow each other more often with $methods"
	done
}

case $test in
	help) test_help ;;
	usage) test_usage ;;
	files) test_files ;;
	strange_files) test_strange_files ;;
	links) test_links ;;
	memory) test_memory ;;
	run) test_run ;;
	record) test_record ;;
	same_bits) test_same_bits ;;
	beside) test_beside ;;
	waves) test_waves ;;
	level) test_level ;;
	study) test_study ;;
	voxels) test_voxels ;;
	interrupt) test_interrupt ;;
	frames) test_frames ;;
	video) test_video ;;
	sound) test_sound ;;
	bench_render) test_bench_render ;;
	no_renderer) test_no_renderer ;;
	bench) test_bench ;;
	check) test_check ;;
	*) fail "there is no test '$test'" ;;
esac

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Drives `tarn view` under Xvfb with key and mouse events, and checks the world through the log of the program.
# Usage: viewer.sh PROGRAM SCENE_FOLDER SCRATCH_FOLDER

set -u
program=$1
scenes=$2
scratch=$3

# The second time, inside the X server.
if [ "${TARN_VIEWER_INSIDE:-}" = "" ]; then
	for tool in Xvfb xvfb-run xdotool; do
		if ! command -v $tool > /dev/null; then
			echo "skipped: $tool is not installed"
			exit 77
		fi
	done
	rm -rf "$scratch"
	mkdir -p "$scratch" || exit 1
	TARN_VIEWER_INSIDE=1
	export TARN_VIEWER_INSIDE
	exec xvfb-run -a -s "-screen 0 800x700x24" sh "$0" "$@"
fi

cd "$scratch" || exit 1
viewer=
# What is kept of levels is kept here.
XDG_STATE_HOME=$PWD/state
export XDG_STATE_HOME

fail()
{
	echo "FAILED: $*"
	echo "--- last lines of the log"
	tail -n 12 log
	cat stderr
	[ -n "$viewer" ] && kill "$viewer" 2> /dev/null
	exit 1
}

# field NAME: its value in the last line of the log.
field()
{
	tail -n 1 log | tr ' ' '\n' | sed -n "s/^$1=//p"
}

# check WHAT EXPRESSION: an awk expression over numbers.
check()
{
	awk "BEGIN { exit !($2) }" || fail "$1: $2"
	echo "ok: $1 ($2)"
}

# wait_for WHAT EXPRESSION: until an expression over $name of the last line is true. Software draws slowly: a minute.
wait_for()
{
	tries=0
	while :; do
		step=$(field step)
		paused=$(field paused)
		frame=$(field frame)
		method=$(field method)
		tool=$(field tool)
		scene=$(field scene)
		volume=$(field volume)
		ground=$(field ground)
		hash=$(field hash)
		bodies=$(field bodies)
		undo=$(field undo)
		past=$(field past)
		back=$(field back)
		level=$(field level)
		if eval "$2"; then
			echo "ok: $1"
			return
		fi
		kill -0 "$viewer" 2> /dev/null || fail "the viewer ended while waiting for: $1"
		tries=$((tries + 1))
		[ $tries -lt 600 ] || fail "waited in vain for: $1"
		sleep 0.1
	done
}

# Let the program draw some pictures.
let_draw()
{
	begin=$(field frame)
	# shellcheck disable=SC2016
	wait_for "$1 pictures" '[ "$frame" -ge $((begin + '"$1"')) ]'
}

key()
{
	xdotool key "$1"
}

point()
{
	xdotool mousemove --window "$window" "$1" "$2"
}

picture()
{
	before=$(ls tarn-*.png 2> /dev/null | wc -l)
	key F12
	tries=0
	while [ "$(ls tarn-*.png 2> /dev/null | wc -l)" -le "$before" ]; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || fail "no picture"
		sleep 0.1
	done
}

# A scene that is not there, and one that is, for a few pictures.
: > log
"$program" view "$scenes/nowhere.json" 2> stderr
[ $? -eq 2 ] || fail "a missing scene is code 2"
grep -q nowhere.json stderr || fail "the missing scene is not named"
"$program" view "$scenes/channel.json" --size 160x120 --frames 3 --paused --log log 2> stderr || fail "--frames 3"
[ "$(field event)" = end ] || fail "--frames 3 has no end"
[ "$(field frame)" -eq 3 ] || fail "--frames 3 drew $(field frame)"
[ "$(field step)" -eq 0 ] || fail "--paused stepped"
rm log

"$program" view "$scenes/basin.json" --size 640x360 --log log 2> stderr &
viewer=$!
tries=0
while ! grep -q event=frame log 2> /dev/null; do
	kill -0 $viewer 2> /dev/null || fail "the viewer did not start"
	tries=$((tries + 1))
	[ $tries -lt 600 ] || fail "the viewer draws nothing"
	sleep 0.1
done
window=$(xdotool search --onlyvisible --name '^tarn' | head -n 1)
[ -n "$window" ] || fail "there is no window"
xdotool windowfocus --sync "$window"

# Pour: hold the left button over the water.
volume_0=$(field volume)
ground_0=$(field ground)
key 1
point 280 200
xdotool mousedown 1
wait_for "the button is down" 'grep -q event=press log'
step_0=$(grep event=press log | tr ' ' '\n' | sed -n 's/^step=//p' | head -n 1)
wait_for "half a second of pouring" '[ "$step" -ge $((step_0 + 30)) ]'
xdotool mouseup 1
wait_for "the tool is pour" '[ "$tool" = pour ]'
volume_1=$(field volume)
# Radius 2.35 m: 12.2 m^3 a second.
check "water was poured" "$volume_1 > $volume_0 + 4"
check "the ground is as it was" "$(field ground) == $ground_0"
let_draw 5
picture

# Pause: no step more. One step with the point.
key space
wait_for "it is paused" '[ "$paused" = 1 ]'
step_0=$(field step)
hash_0=$(field hash)
let_draw 10
check "no step while paused" "$(field step) == $step_0"
[ "$(field hash)" = "$hash_0" ] || fail "the water moved while paused"
key period
wait_for "one step" '[ "$step" -eq $((step_0 + 1)) ]'

# Dig while paused: the ground goes down, the water stays as much.
volume_1=$(field volume)
key 4
wait_for "the tool is lower" '[ "$tool" = lower ]'
xdotool mousedown 1
wait_for "the ground goes down" 'awk "BEGIN { exit !($ground < $ground_0 - 0.5) }"'
xdotool mouseup 1
check "digging keeps the water" "($(field volume) - $volume_1)^2 < 1e-6"
picture

# Undo, and do again.
ground_1=$(field ground)
key ctrl+z
wait_for "the digging is undone" 'awk "BEGIN { exit !(($ground - $ground_0)^2 < 1e-9) }"'
key ctrl+y
wait_for "it is done again" 'awk "BEGIN { exit !(($ground - $ground_1)^2 < 1e-9) }"'

# Back in time, save what is there, come to the present again, and open what was saved.
[ "$(field past)" -ge 3 ] || fail "there is no past: $(field past) images"
key Left
key Left
wait_for "it is back" 'awk "BEGIN { exit !($back > 0.05) }"'
let_draw 2
hash_1=$(field hash)
key ctrl+s
wait_for "the world is saved" 'grep -q event=saved log'
picture
key Right
key Right
wait_for "the present" 'awk "BEGIN { exit !($back < 0.01) }"'
[ "$(field hash)" != "$hash_1" ] || fail "going back changed nothing"
key ctrl+o
wait_for "the world is opened" '[ "$hash" = "$hash_1" ] && grep -q event=opened log'
[ -s tarn-basin-1.tarn ] || fail "tarn-basin-1.tarn is missing or empty"
save_hash=$hash_1
ground_0=$(field ground)
key 4
wait_for "the tool is lower again" '[ "$tool" = lower ]'
xdotool mousedown 1
wait_for "the ground goes down again" 'awk "BEGIN { exit !($ground < $ground_0 - 0.5) }"'
xdotool mouseup 1
let_draw 5

# Turning the camera changes nothing.
hash_0=$(field hash)
point 300 200
xdotool mousedown 3
point 380 230
xdotool mouseup 3
xdotool click 4
let_draw 5
[ "$(field hash)" = "$hash_0" ] || fail "the camera moved the water"
picture

# Switch the method while the water runs.
key space
wait_for "it runs" '[ "$paused" = 0 ]'
check "it has the method of the scene" "\"$(field method)\" == \"shallow\""
volume_1=$(field volume)
# Without shift the key is for sound.
key m
let_draw 2
check "sound is no method" "\"$(field method)\" == \"shallow\""
key m
xdotool key shift+m
wait_for "the method is linear" '[ "$method" = linear ]'
step_0=$(field step)
wait_for "it steps on" '[ "$step" -ge $((step_0 + 10)) ]'
check "switching keeps the water" "($(field volume) - $volume_1)^2 < 1e-4"

# Bodies: two crates, one on top of the other, a hand that moves one, a throw. Where there is no physics engine the tools
# refuse.
pictures=5
if [ "$(field physics)" = 1 ]; then
	volume_1=$(field volume)
	key b
	wait_for "the tool is stack" '[ "$tool" = stack ]'
	point 300 260
	xdotool click 1
	wait_for "a crate" '[ "$bodies" = 1 ]'
	let_draw 5
	xdotool click 1
	wait_for "a second crate" '[ "$bodies" = 2 ]'
	let_draw 10
	key g
	wait_for "the tool is grab" '[ "$tool" = grab ]'
	xdotool mousedown 1
	for x in 310 320 330 340 350; do
		point $x 250
		let_draw 2
	done
	picture
	xdotool mouseup 1
	key k
	key t
	wait_for "the tool is throw" '[ "$tool" = throw ]'
	# Where a crate has drifted to, it is that which is thrown, and not a new one: try elsewhere.
	for x in 380 220 420 160; do
		point $x 300
		let_draw 2
		xdotool click 1
		let_draw 10
		[ "$(field bodies)" = 3 ] && break
	done
	wait_for "a third body" '[ "$bodies" = 3 ]'
	let_draw 20
	key x
	wait_for "the tool is cut" '[ "$tool" = cut ]'
	xdotool click 1
	let_draw 5
	picture
	pictures=7
	check "bodies keep the water" "($(field volume) - $volume_1)^2 < 1e-4"
else
	key g
	let_draw 5
	check "no hand without physics" "\"$(field tool)\" != \"grab\""
fi

# The tool bar by mouse: the first button is look, and the world does not feel the click.
point 30 84
xdotool click 1
wait_for "the tool is look" '[ "$tool" = look ]'

# Another scene, from the start, in a window like a phone.
key n
wait_for "the scene is channel" '[ "$scene" = channel ]'
wait_for "the spring runs" '[ "$step" -ge 20 ]'
key r
wait_for "it begins again" '[ "$step" -lt 20 ]'
xdotool windowsize --sync "$window" 360 640
let_draw 5
picture

# Record a little.
if command -v ffmpeg > /dev/null; then
	key F5
	let_draw 10
	key F5
	tries=0
	while ! grep -q event=recorded log; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || fail "no recording"
		sleep 0.1
	done
	[ -s tarn-channel-1.mp4 ] || fail "tarn-channel-1.mp4 is missing or empty"
fi

# Voxels: pour, dig through the water, and go back to columns. Not a unit is lost.
key n
wait_for "the scene is voxels" '[ "$scene" = voxels ] && [ "$method" = voxels ]'
let_draw 3
volume_0=$(field volume)
ground_0=$(field ground)
key 1
point 180 330
xdotool mousedown 1
wait_for "water was poured into voxels" 'awk "BEGIN { exit !($volume > $volume_0 + 1) }"'
xdotool mouseup 1
key 4
wait_for "the tool is dig" '[ "$tool" = dig ]'
xdotool mousedown 1
wait_for "voxels are dug" 'awk "BEGIN { exit !($ground < $ground_0 - 10) }"'
xdotool mouseup 1
check "voxels lose nothing" "$(field drift) == 0"
key 5
let_draw 3
check "no lava here" "\"$(field tool)\" == \"dig\""
picture
pictures=$((pictures + 1))
key n
wait_for "columns again" '[ "$scene" = basin ] && [ "$method" != voxels ] && [ "$tool" = pour ]'

xdotool key ctrl+q
wait $viewer
code=$?
viewer=
[ $code -eq 0 ] || fail "the viewer returned $code"
[ "$(field event)" = end ] || fail "the log has no end"
[ ! -s stderr ] || fail "the viewer complained"
[ "$(ls tarn-*.png | wc -l)" -eq $pictures ] || fail "expected $pictures pictures"
# A saved world in another window: the same water. A damaged one is refused with words.
rm -f log
TARN_SCENES="$scenes" "$program" view tarn-basin-1.tarn --size 160x120 --frames 3 --paused --log log 2> stderr || fail "a saved world is not shown"
[ "$(field hash)" = "$save_hash" ] || fail "the saved world is another one: $(field hash)"
[ ! -s stderr ] || fail "the viewer complained about a saved world"
head -c 700 tarn-basin-1.tarn > cut.tarn
TARN_SCENES="$scenes" "$program" view cut.tarn 2> stderr
[ $? -eq 2 ] || fail "a save that is cut off is code 2"
grep -q 'cut.tarn: it is' stderr || fail "the save that is cut off is not named"
echo nonsense > no.tarn
"$program" view no.tarn 2> stderr
[ $? -eq 2 ] || fail "a file that is no save is code 2"
grep -q 'not a saved world' stderr || fail "a file that is no save is not refused with words"
echo "ok: saved worlds"

# A level is lost, begun again, and won by waiting; the next one follows. It is known as won in the next window.
mkdir -p own || exit 1
for name in first second; do
	cat > own/$name.json << END
{ "world": { "columns": 31, "rows": 23, "cellSize": 1 }, "terrain": { "kind": "flat" },
	"regions": [{ "name": "floor", "shape": "disc", "x": 15, "z": 11, "radius": 5 }],
	"level": { "title": "The $name", "classes": "G4 C1", "story": "Wait.", "timeLimit": 1, "atEnd": "win",
		"tools": [{ "tool": "pour", "budget": 500, "radius": 4, "strength": 10 }],
		"goals": [{ "label": "Floor is wet", "measure": "volume", "region": "floor", "atLeast": 1, "then": "lose" }] } }
END
done
rm -f log
"$program" view own/first.json --size 640x360 --log log 2> stderr &
viewer=$!
tries=0
while ! grep -q event=frame log 2> /dev/null; do
	kill -0 $viewer 2> /dev/null || fail "the level did not start"
	tries=$((tries + 1))
	[ $tries -lt 600 ] || fail "the level draws nothing"
	sleep 0.1
done
window=$(xdotool search --onlyvisible --name '^tarn' | head -n 1)
xdotool windowfocus --sync "$window"
check "a level waits" "$(field step) == 0 && $(field paused) == 1"
point 320 330
key space
xdotool mousedown 1
wait_for "the level is lost" '[ "$level" = lost ]'
xdotool mouseup 1
[ ! -e state/tarn/levels ] || fail "a lost level was kept as won"
key Return
wait_for "the level is won" '[ "$level" = won ]'
wait_for "it is kept" 'grep -q "^first 1 1\.[0-9]*$" state/tarn/levels'
let_draw 2
picture
key Return
wait_for "the next level" '[ "$scene" = second ] && [ "$level" = playing ] && [ "$step" = 0 ]'
xdotool key ctrl+q
wait $viewer || fail "the viewer of levels returned $?"
viewer=
[ ! -s stderr ] || fail "the viewer complained about levels"
[ "$(wc -l < state/tarn/levels)" -eq 1 ] || fail "more is kept than was won"

echo "passed; pictures are in $scratch"

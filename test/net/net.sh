#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Plays together over a bad wire: a server, clients and the wire are processes of their own, on loopback, at ports that are free.
# Usage: net.sh FOLDER_OF_PROGRAMS PROXY SCRATCH_FOLDER TEST [SEED_OF_THE_WIRE]

set -u
programs=$1
proxy=$2
scratch=$3
test=$4
seed=${5:-7}

rm -rf "$scratch"
mkdir -p "$scratch" || exit 1
cd "$scratch" || exit 1

# All that was started, to be ended whatever happens. Each process also ends by itself (--limit).
processes=""
stop_all()
{
	# shellcheck disable=SC2086
	[ -z "$processes" ] || kill $processes 2> /dev/null
}
trap stop_all EXIT
trap 'exit 1' INT TERM

fail()
{
	echo "FAILED: $*"
	for file in *.log; do
		echo "--- $file"
		cat "$file"
	done
	exit 1
}

# start NAME COMMAND...: in the background, what it prints in NAME.log. Its process is $last.
start()
{
	name=$1
	shift
	"$@" > "$name.log" 2>&1 &
	last=$!
	processes="$processes $last"
}

# The port that a program in NAME.log listens at.
port_of()
{
	tries=0
	while ! grep -q 'listening port=' "$1.log"; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || fail "$1 does not listen"
		sleep 0.1
	done
	sed -n 's/.*listening port=\([0-9]*\).*/\1/p' "$1.log"
}

# await FILE PATTERN COUNT: until so many lines have it.
await()
{
	tries=0
	while [ "$(grep -Ec -- "$2" "$1.log")" -lt "$3" ]; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || fail "no '$2' in $1.log"
		sleep 0.1
	done
}

# A server and a wire before it.
start_server()
{
	start server "$programs/tarn_net_server" "$@"
	server=$last
	start wire "$proxy" --server "$(port_of server)" --loss 10 --delay 30 --delay-most 80 --double 2 --damage 1 --seed "$seed"
	wire=$last
	port=$(port_of wire)
}

start_client()
{
	who=$1
	shift
	start "$who" "$programs/tarn_net_client" --port "$port" --name "$who" --limit 40 "$@"
}

# says FILE PATTERN
says()
{
	grep -Eq -- "$2" "$1.log" || fail "no '$2' in $1.log"
}

says_not()
{
	! grep -Eq -- "$2" "$1.log" || fail "'$2' in $1.log"
}

# value FILE EVENT NAME: the value of NAME in the line of an event.
value()
{
	sed -n "s/^$2 .*$3=\([^ ]*\).*/\1/p" "$1.log" | tail -n 1
}

# at_most VALUE BOUND WHAT
at_most()
{
	awk "BEGIN { exit !(\"$1\" != \"\" && $1 + 0 <= $2 + 0) }" || fail "$3 is '$1', more than $2"
}

# The game ended alike for who stayed to the end.
same_end()
{
	hash=$(value server end hash)
	[ -n "$hash" ] || fail "the server has not ended"
	for who; do
		[ "$(value "$who" end hash)" = "$hash" ] || fail "$who ended with another hash than the server, $hash"
		says server "^agreed .*name=$who "
		says_not server "^parted .*name=$who "
	done
}

# The wire was as bad as it should be.
wire_was_bad()
{
	kill "$wire"
	wait "$wire"
	says wire '^passed=[0-9]{3,} lost=[0-9]{2,} doubled=[1-9]'
	says wire 'overtaken=[1-9]'
}

# Three play from the beginning: one to the end, one leaves, one lies. One comes late.
play_in()
{
	start_server --seconds 5 --seed 3 --wait 3
	start_client anna --mode "$1" --seed 1
	anna=$last
	start_client bert --mode "$1" --seed 2 --seconds 2
	bert=$last
	start_client mallory --mode "$1" --seed 3 --lie "$2"
	mallory=$last
	await server '^loaded .*' 3
	sleep 1
	start_client dora --mode "$1" --seed 4
	dora=$last
	wait "$anna" || fail "anna"
	wait "$bert" || fail "bert"
	wait "$dora" || fail "dora"
	wait "$mallory"
	mallory=$?
	wait "$server" || fail "the server"
	same_end anna dora
	says server '^joined .*name=dora .*tick=([1-9][0-9]|1[0-9][0-9]) '
	says server '^left .*name=bert '
	says_not server '^parted .*name=bert '
	wire_was_bad
}

case "$test" in
	lockstep)
		# Who pours water that nobody else has is told so, with the tile, gets the true game, and plays on with it.
		play_in lockstep water
		says server '^parted .*name=mallory .*tiles="0,0" action=resync'
		says mallory 'again=1'
		[ $mallory -eq 0 ] || fail "mallory was not forgiven"
		[ "$(value mallory end hash)" = "$(value server end hash)" ] || fail "mallory has another game"
		;;
	rollback)
		# Who tells wrong hashes is dropped the second time.
		play_in rollback hash
		says server '^parted .*name=mallory .*action=drop'
		says server '^dropped .*name=mallory .*reason="has another game, again"'
		says anna '^rollbacks .*count=[1-9]'
		;;
	stream)
		# Anna and bert compute nothing of what they show, but the truth beside it. Mallory sends inputs that cannot be.
		start_server --seconds 4 --seed 4 --size 97 --rate 20 --wait 4
		start_client anna --mode stream --measure --seed 1
		anna=$last
		start_client bert --mode stream --measure --radius 25 --seed 2
		bert=$last
		start_client dora --mode stream --seed 4
		dora=$last
		start_client mallory --mode stream --lie input
		mallory=$last
		wait "$anna" || fail "anna"
		wait "$bert" || fail "bert"
		wait "$dora" || fail "dora"
		wait "$mallory" && fail "mallory was let through"
		wait "$server" || fail "the server"
		same_end anna bert
		says server '^dropped .*name=mallory .*reason="damaged input"'
		for who in anna bert; do
			says "$who" '^errors .*frames=([5-9]|[1-9][0-9])'
			# In parts of what the server states; floats round at heights of some meters by 1e-6.
			for error in ground surface velocity foam dry; do
				at_most "$(value "$who" errors $error)" 1.001 "error of $error"
			done
		done
		# To the last tick, which is that of the game.
		says dora '^stream .*tick=80 messages=[1-9][0-9]'
		at_most "$(value bert stream bytes)" "$(value anna stream bytes)" "a part of the world"
		wire_was_bad
		;;
	usage)
		"$programs/tarn_net_client" --mode sideways > usage.log 2>&1
		[ $? -eq 2 ] || fail "a wrong mode is let in"
		says usage "cannot be 'sideways'"
		"$programs/tarn_net_server" --size 7 > usage.log 2>&1
		[ $? -eq 2 ] || fail "a wrong size is let in"
		says usage '\-\-size must be a number in \[16, 1024\]'
		;;
	*)
		fail "unknown test $test"
		;;
esac
echo passed

// SPDX-License-Identifier: MIT

#pragma once

#include "net_history.h"
#include "net_message.h"

// The game as a client has it. Turns that have come from the server are certain; past them the replica may guess: its own inputs
// are known to it, and others go on doing what they did last. When the true turn comes and is another, the replica goes back to
// before it, plays it, and then plays again what it had guessed.
//
//   certain turns                       guessed turns
//   |------------------------------------|- - - - - - - |
//   0                                 certain        game.tick

// Turns that may come ahead of what was played.
#define NET_TURN_WINDOW 256
// Checks that are kept until they are sent.
#define NET_CHECKS_KEPT 8
// Most turns that are played at a time: who comes late catches up in several, and stays in touch with the server meanwhile.
#define NET_MAX_PLAYS 40

typedef struct NetReplica
{
	NetGame game;
	int player, checkInterval;
	// Turns before this one have come, and turns before this one were played as they came.
	uint32_t known, certain;
	NetTurn turns[NET_TURN_WINDOW];
	// What was played for turns from `certain` on.
	NetTurn guesses[NET_HISTORY_LENGTH];
	// The player's own inputs, by turn.
	struct
	{
		uint32_t tick;
		NetInput input;
	} own[NET_INPUT_WINDOW];
	NetHistory history;
	// What others held last.
	NetInput held[NET_MAX_PLAYERS];
	// Checks of states that were reached, by tick; certain ones only are sent.
	NetCheck checks[NET_CHECKS_KEPT];
	uint32_t nextCheck;
	// A surface before going back, to see by how much the shown water jumps.
	float *before, *after;
	// For tests of servers: water that nobody else has comes into the world in this turn. 0 for never.
	uint32_t cheatTick;

	// How often it went back, turns played again, most of them at once, and the largest jump of the surface, meters.
	int rollbackCount, replayCount, longestReplay;
	float largestJump;
} NetReplica;

// Begin, or begin anew, with the snapshot that a welcome has announced.
tnResult NetReplica_Load(NetReplica* replica, const NetWelcome* welcome, const uint8_t* bytes);
void NetReplica_Destroy(NetReplica* replica);
// Take turns in; those that are known already, or come too early, are left out.
void NetReplica_AddTurns(NetReplica* replica, const NetTurns* turns);
void NetReplica_SetOwnInput(NetReplica* replica, uint32_t tick, const NetInput* input);
// Play what is known, at most so many turns, and guess until game.tick is `target`, if that is more.
tnResult NetReplica_Advance(NetReplica* replica, uint32_t target, int mostPlays);
// The next check that is certain. False if there is none.
bool NetReplica_TakeCheck(NetReplica* replica, NetCheck* check);
// The check of now, whatever the tick.
void NetReplica_GetCheck(const NetReplica* replica, NetCheck* check);

// SPDX-License-Identifier: MIT

#pragma once

#include "net_game.h"

// Most ticks that a client can go back: how far it guesses ahead.
#define NET_HISTORY_LENGTH 16

// The last states of a game, to go back to: images of the world (tarn/rollback.h), and the boxes beside them.
typedef struct NetHistory
{
	tnRollback* worlds;
	struct
	{
		uint32_t tick;
		NetBox boxes[NET_MAX_PLAYERS];
	} games[NET_HISTORY_LENGTH];
} NetHistory;

// Of a game that has a world. It must be destroyed before that.
tnResult NetHistory_Create(NetHistory* history, const NetGame* game);
void NetHistory_Destroy(NetHistory* history);
// Keep the state of now, under its tick.
tnResult NetHistory_Keep(NetHistory* history, const NetGame* game);
// Make the game what it was then. What was kept later goes. Fails if that was not kept, or too long ago.
tnResult NetHistory_GoBack(NetHistory* history, NetGame* game, uint32_t tick);

// SPDX-License-Identifier: MIT

#pragma once

#include "net_game.h"

// Most ticks that a client can go back: how far it guesses ahead.
#define NET_HISTORY_LENGTH 32

// The last states of a game, to go back to. Each slot grows to what it needs once, and is then written over.
typedef struct NetHistory
{
	struct
	{
		uint8_t* bytes;
		size_t capacity, size;
		uint32_t tick;
	} slots[NET_HISTORY_LENGTH];
} NetHistory;

// Keep the state of now, under its tick.
tnResult NetHistory_Keep(NetHistory* history, const NetGame* game);
// Make the game what it was then. Fails if that was not kept, or too long ago.
tnResult NetHistory_GoBack(const NetHistory* history, NetGame* game, uint32_t tick);
void NetHistory_Free(NetHistory* history);

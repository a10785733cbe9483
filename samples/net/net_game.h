// SPDX-License-Identifier: MIT

#pragma once

#include "net_input.h"

#include <tarn/tarn.h>

// The game that server and clients share: a world of tarn, a box per player, and what inputs do with them. Everything that the
// next tick reads is in here, and comes out of NetGame_Save. Nothing else may change a game: no clock, no random numbers of a
// machine, no order in which packets happen to arrive.

// Largest side of a world: what places of inputs can reach.
#define NET_MAX_SIZE 1024
#define NET_MAX_RATE 120

// A crate that floats, and moves by what tarn says about forces. The ids of bodies are not in it: machines that go back and forth in time
// hand out other ids, and ask for the body by its player (userData).
typedef struct NetBox
{
	bool there;
	tnVec3 position, velocity;
	// What the water did to it in the last step, N.
	tnVec3 force;
} NetBox;

typedef struct NetGame
{
	tnWorld* world;
	// Turns that were played.
	uint32_t tick;
	// Ticks per second.
	int rate;
	NetBox boxes[NET_MAX_PLAYERS];
} NetGame;

// A valley with a lake, a spring and a dam. @param size cells along each side, of 1 m, in [16, NET_MAX_SIZE]
tnResult NetGame_Create(NetGame* game, int size, int rate, uint32_t seed);
void NetGame_Destroy(NetGame* game);
NetExtent NetGame_GetExtent(const NetGame* game);

// One tick: inputs, boxes, water. Fails only if there is no memory. What the world refuses, it refuses on all machines: so that is
// left out, and the game goes on.
tnResult NetGame_Play(NetGame* game, const NetTurn* turn);

// With bytes NULL, size only.
tnResult NetGame_Save(const NetGame* game, uint8_t* bytes, size_t capacity, size_t* size);
// The game of another machine. The bytes may come from anywhere: a new world is made of them and takes the place of the old one, if
// there is one, when nothing is wrong with it. If this fails, the game is as it was.
tnResult NetGame_Load(NetGame* game, const uint8_t* bytes, size_t size);

// Water, ground, time and boxes in a number. Where it differs, so do games.
uint64_t NetGame_GetHash(const NetGame* game);
// One number per tile of TN_HASH_TILE cells, row by row. @param hashes NULL to count. Returns how many there are.
int NetGame_GetTileHashes(const NetGame* game, uint32_t* hashes);
// Tiles along a side.
int NetGame_GetTileColumns(const NetGame* game);

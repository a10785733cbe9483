// SPDX-License-Identifier: MIT

#pragma once

#include "net_bytes.h"

// What players can do, as numbers without fractions: all machines make the same floats of them. An input cannot say anything that
// its player must not do: there is no box of another player in it, no place outside of the world, no amount without bound. So who
// reads one needs no second check.

// One bit each in the masks of a turn.
#define NET_MAX_PLAYERS 8
// Steps of places: 1/16 m.
#define NET_PLACE_STEP 16
#define NET_MAX_POUR 200
#define NET_MAX_DIG 25
#define NET_MAX_PUSH 100

typedef enum NetInputKind
{
	net_noInput = 0,
	// Water at a place, amount in 0.1 m^3.
	net_pourInput,
	// Lower the ground at a place, amount in centimeters.
	net_digInput,
	// Drop the player's box there. The first time it is made.
	net_placeInput,
	// Make the player's box faster by x, z in 0.1 m/s.
	net_pushInput,
	net_inputKindCount,
} NetInputKind;

typedef struct NetInput
{
	NetInputKind kind;
	int x, z, amount;
} NetInput;

// What happens before a step, to all players.
typedef struct NetTurn
{
	// Players who have left: their boxes go. One bit each.
	uint32_t leftMask;
	NetInput inputs[NET_MAX_PLAYERS];
} NetTurn;

// Width of the world in steps of places: [0, x) by [0, z) can be meant.
typedef struct NetExtent
{
	int x, z;
} NetExtent;

// Is it something that NetInput_Read would give?
bool NetInput_IsValid(const NetInput* input, NetExtent extent);
bool NetInput_IsSame(const NetInput* a, const NetInput* b);
// Between 1 and 6 bytes. An input that is not valid comes out as other bytes than it had: check first.
void NetInput_Write(NetWriter* writer, const NetInput* input);
// Marks the reader as damaged, and gives no input, if the bytes are not what NetInput_Write makes of a valid input.
NetInput NetInput_Read(NetReader* reader, NetExtent extent);

bool NetTurn_IsSame(const NetTurn* a, const NetTurn* b);
void NetTurn_Write(NetWriter* writer, const NetTurn* turn);
NetTurn NetTurn_Read(NetReader* reader, NetExtent extent);

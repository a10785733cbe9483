// SPDX-License-Identifier: MIT

#pragma once

#include "net_input.h"

// A player without hands: draws inputs from a seed, as people give them: hold a thing for a while, then another.
typedef struct NetScript
{
	uint64_t state;
	NetExtent extent;
	// What is held, and for how many ticks yet.
	NetInput held;
	int ticks;
	bool hasBox;
} NetScript;

void NetScript_Begin(NetScript* script, uint32_t seed, NetExtent extent);
NetInput NetScript_Next(NetScript* script);

// SPDX-License-Identifier: MIT

#pragma once

#include "net_stream.h"

// How wrong is what a client shows that computes nothing? Here is one that computes nevertheless, keeps what is true for a while,
// and compares.

// Ticks that are kept: frames come after the turns they were made of.
#define NET_TRUTHS_KEPT 48

typedef struct NetTruth
{
	int columns, rows;
	struct
	{
		uint32_t tick;
		// By tnStreamField.
		float* fields[tn_streamFieldCount];
	} truths[NET_TRUTHS_KEPT];
	// Frames that were compared, and the largest errors: of what is shown wet, and of the depth of what is shown dry, in
	// parts of what the server states.
	int frameCount;
	float ground, surface, velocity, foam, dry;
} NetTruth;

// @return false if there is no memory
bool NetTruth_Create(NetTruth* truth, NetExtent extent);
void NetTruth_Destroy(NetTruth* truth);
// Keep what is true now.
void NetTruth_Keep(NetTruth* truth, const NetGame* game);
// Compare what is shown, if it is whole and the truth of its tick is there.
void NetTruth_Compare(NetTruth* truth, const NetShow* show);

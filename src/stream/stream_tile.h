// SPDX-License-Identifier: MIT

#pragma once

#include "stream_coder.h"

// One tile of a stream: what a client has of it, as whole numbers, becomes what it should have, within the errors.

enum
{
	TN_STREAM_SIDE = 64,
	TN_STREAM_CELLS = TN_STREAM_SIDE * TN_STREAM_SIDE,
};

typedef enum tnStreamChannel
{
	tn_bedChannel = 0,
	tn_heightChannel,
	tn_velocityXChannel,
	tn_velocityZChannel,
	tn_foamChannel,
	tn_streamChannelCount,
} tnStreamChannel;

// Row by row without gaps.
typedef struct tnStreamCells
{
	int32_t values[tn_streamChannelCount][TN_STREAM_CELLS];
	uint8_t wet[TN_STREAM_CELLS];
} tnStreamCells;

// Units of a channel are such that a value that is off by as many as this is within its error, with the half unit of rounding.
int tnGetStreamReach(tnStreamChannel channel);
// How long a unit is.
double tnGetStreamUnit(tnStreamChannel channel, float error);

typedef struct tnStreamTileCoding
{
	int columns, rows;
	uint32_t channels; // a bit for each that is coded; of the others the old values stay
	bool isKey;        // nothing is known of it
	const tnStreamCells* old;
	const tnStreamCells* target; // writing: what it should be; `wet` is what it will be
	tnStreamCells* now;          // what it is then, on both sides
} tnStreamTileCoding;

// Write or read a tile: bits for its channels, wet cells, values.
void tnStreamTile_Code(tnStreamCoder* coder, tnStreamTileCoding* coding);

// SPDX-License-Identifier: MIT

#pragma once

#include "net_game.h"
#include "net_message.h"
#include "net_view.h"

// What the server shows to a client that computes nothing: frames, ten times a second, of the tiles around a place. A frame is one
// or more messages over a reliable channel. When the last one has come, what the client shows is the water at one tick, and right
// within the errors of net_view.h.

#define NET_FRAMES_PER_SECOND 10
// A frame's message ends before it gets longer than this, bytes.
#define NET_STREAM_MESSAGE (2000 + NET_VIEW_TILE_BYTES)

typedef struct NetStream
{
	NetView view;
	// Of the last frame that is whole: its tick, 0 before the first, and what it was made for.
	uint32_t tick;
	NetInterest interest;
	// Who has a box, one bit each, and where they are.
	uint32_t boxMask;
	tnVec3 boxes[NET_MAX_PLAYERS];
	// Frames, and bytes of their messages before ENet has compressed them.
	int frameCount;
	uint64_t byteCount;
} NetStream;

typedef void NetSendFcn(const NetWriter* writer, void* context);

bool NetStream_Create(NetStream* stream, NetExtent extent);
void NetStream_Destroy(NetStream* stream);
// Is a tile part of frames that are made for this interest?
bool NetStream_Has(const NetStream* stream, const NetInterest* interest, int tile);
// For servers: send a frame of a game.
void NetStream_Send(NetStream* stream, const NetFrame* frame, const NetGame* game, const NetInterest* interest,
	NetSendFcn* send, void* context);
// For clients: take a message in. True if it is good. @param whole receives whether the frame is.
bool NetStream_Read(NetStream* stream, NetReader* reader, bool* whole);

// Largest differences between what is shown and the true frame.
typedef struct NetStreamErrors
{
	float surface, velocity, foam;
	// Cells that are shown wet and are dry, or the other way round.
	int wrongCount;
} NetStreamErrors;

void NetStream_Compare(const NetStream* stream, const NetFrame* truth, NetStreamErrors* errors);

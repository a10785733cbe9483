// SPDX-License-Identifier: MIT

#pragma once

#include "net_game.h"
#include "net_message.h"

// What the server shows to a client that computes nothing (tarn/stream.h): frames, ten times a second, of the tiles around a place. A
// frame is one or more messages over a reliable channel. When the last one has come, what the client shows is the water at one tick,
// and right within the stated errors. Who would rather have a hole for a moment than wait for what was lost sends the same messages
// unreliably, and receipts back.

#define NET_FRAMES_PER_SECOND 10
// Most bytes of a message, and messages of a frame: what has no room waits for the next one.
#define NET_STREAM_MESSAGE 4096
#define NET_STREAM_MESSAGES 16

// The side of the server, one for each such client.
typedef struct NetStream
{
	tnStream* stream;
	// Of the last frame.
	uint32_t tick;
} NetStream;

typedef void NetSendFcn(const NetWriter* writer, void* context);

tnResult NetStream_Create(NetStream* stream, const NetGame* game);
void NetStream_Destroy(NetStream* stream);
// Send a frame of a game. @param interest radius 0: all of it
tnResult NetStream_Send(
	NetStream* stream, const NetGame* game, const NetInterest* interest, NetSendFcn* send, void* context);

// The side of the client.
typedef struct NetShow
{
	tnStreamView* view;
	// Of the last frame that has come: its tick, 0 before the first, what it was made for, and whether all of that had room.
	uint32_t tick;
	NetInterest interest;
	bool whole;
	// Who has a box, one bit each, and where they are.
	uint32_t boxMask;
	tnVec3 boxes[NET_MAX_PLAYERS];
	// Frames, and bytes of their messages.
	int frameCount;
	uint64_t byteCount;
} NetShow;

tnResult NetShow_Create(NetShow* show);
void NetShow_Destroy(NetShow* show);
// Take a message in. False for bytes that no server sends. @param last receives whether the frame has come with it
bool NetShow_Read(NetShow* show, NetReader* reader, bool* last);

// SPDX-License-Identifier: MIT

#pragma once

#include "net_game.h"
#include "net_message.h"

// What the server shows to a client that computes nothing (tarn/stream.h): ten times a second a message with what is most wrong, as much
// as the budget has room for. Messages may be lost: receipts of the client say which, and the next ones make up for it. The client
// knows when nothing is missing: then what it shows is the water of one tick, right within the stated errors.

#define NET_FRAMES_PER_SECOND 10
// Bytes of tarn in a message, the budget: three packets. Without one of them the others are of no use.
#define NET_STREAM_BYTES 4000

// The side of the server, one for each such client.
typedef struct NetStream
{
	tnStream* stream;
	// The newest message of which it is known whether it came, and all before it.
	uint32_t settled;
	// Of the last message: tiles in it, and tiles that had no room.
	tnStreamState state;
} NetStream;

// Bytes of the longest message.
#define NET_STREAM_MESSAGE (NET_STREAM_BYTES + 256)

tnResult NetStream_Create(NetStream* stream, const NetGame* game);
void NetStream_Destroy(NetStream* stream);
// Write the next message. @param interest radius 0: all of the world
tnResult NetStream_Write(NetStream* stream, const NetGame* game, const NetInterest* interest, NetWriter* writer);
// False for what no honest client says.
bool NetStream_TakeReceipt(NetStream* stream, const tnStreamReceipt* receipt);

// The side of the client.
typedef struct NetShow
{
	tnStreamView* view;
	// Of the newest message that has come: its tick, 0 before the first, what it was made for, and whether nothing is missing.
	uint32_t tick;
	NetInterest interest;
	bool whole;
	// Who has a box, one bit each, and where they are.
	uint32_t boxMask;
	tnVec3 boxes[NET_MAX_PLAYERS];
	// Messages, those after which nothing was missing, and bytes.
	int messageCount, wholeCount;
	uint64_t byteCount;
} NetShow;

tnResult NetShow_Create(NetShow* show);
void NetShow_Destroy(NetShow* show);
// Take a message in. False for bytes that no server sends. @param isNew receives whether it was not overtaken by another
bool NetShow_Read(NetShow* show, NetReader* reader, bool* isNew);

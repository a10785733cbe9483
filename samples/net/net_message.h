// SPDX-License-Identifier: MIT

#pragma once

#include "net_input.h"

// What server and clients say to each other. The first byte of a message is its kind.
//
// What must not get lost, and does not hurry, goes over ENet's reliable channel. Inputs and turns do hurry: each packet has all that the
// other side has not yet confirmed, so a packet that is lost is repaired by the next one, a tick later, and nobody waits
// for anything to be sent again.

// Raised with every change of a message, of an input, or of what the game does with it.
#define NET_PROTOCOL_VERSION 1
#define NET_MAX_NAME 15
#define NET_MAX_TEXT 120
// Bytes of a snapshot per message: with ENet's own it fits into a packet of 1400.
#define NET_PIECE_SIZE 1200
// Most bytes of a message but a piece or a check.
#define NET_MESSAGE_SIZE 1300
// Most tiles whose hashes fit in a check: worlds of 1024 x 1024 cells.
#define NET_MAX_TILES 256
// Inputs that are on their way or wait for their turn. Turns that fit into a message.
#define NET_INPUT_WINDOW 64
#define NET_TURNS_PER_MESSAGE 128
// Of the smallest world, 16 x 16 cells.
#define NET_LEAST_EXTENT (16 * NET_PLACE_STEP)
#define NET_MAX_SNAPSHOT ((uint32_t)256 << 20)

typedef enum NetMode
{
	// Plays turns when they have come. Shows what is certain.
	net_lockstepMode = 0,
	// Plays ahead of what has come, and back when a guess was wrong.
	net_rollbackMode,
	// Computes nothing: shows what the server streams.
	net_streamMode,
	net_modeCount,
} NetMode;

extern const char* const netModeNames[net_modeCount];

typedef enum NetMessageKind
{
	// From clients.
	net_helloMessage = 1,
	net_loadedMessage,
	net_inputsMessage,
	net_checkMessage,
	net_interestMessage,
	// From the server.
	net_welcomeMessage,
	net_pieceMessage,
	net_turnsMessage,
	net_noticeMessage,
	net_stateMessage,
} NetMessageKind;

// ENet channels.
enum
{
	net_reliableChannel = 0,
	net_hurryChannel,
	net_streamChannel,
	net_channelCount,
};

typedef struct NetHello
{
	uint32_t protocol, tarn;
	NetMode mode;
	// A client that shows a stream also wants all turns, to measure how wrong what it shows is.
	bool measure;
	// Letters and digits.
	char name[NET_MAX_NAME + 1];
} NetHello;

// Comes before the pieces of a snapshot: to who joins, and to who has lost the thread.
typedef struct NetWelcome
{
	int player;
	// Of the snapshot, with its size in bytes, that of its pieces (Net_Pack), and its hash. 0 bytes for who computes nothing.
	uint32_t tick, size, packedSize;
	uint64_t hash;
	int rate;
	NetExtent extent;
	// Ticks from one check to the next.
	int checkInterval;
	// The tick at which the game is over.
	uint32_t endTick;
} NetWelcome;

typedef struct NetInputs
{
	// All turns before this one have come.
	uint32_t nextTurn;
	// The receipt of a stream (tarn/stream.h), 0 if there is none.
	uint32_t newest;
	uint64_t before;
	// The input for turn `first`, and for those after it.
	uint32_t first;
	int count;
	NetInput inputs[NET_INPUT_WINDOW];
} NetInputs;

typedef struct NetTurns
{
	// The next turn that the server will play, and the first for which it has no input of this client.
	uint32_t serverTick, nextInput;
	uint32_t first;
	int count;
	NetTurn turns[NET_TURNS_PER_MESSAGE];
} NetTurns;

// The place around which a client wants to see water, and how far, in steps of places.
typedef struct NetInterest
{
	int x, z, radius;
} NetInterest;

// What a client has after `tick` turns.
typedef struct NetCheck
{
	uint32_t tick;
	uint64_t hash;
	int tileCount;
	uint32_t tiles[NET_MAX_TILES];
} NetCheck;

// Bytes of the longest message.
#define NET_CHECK_SIZE (1 + 4 + 8 + 2 + 4 * NET_MAX_TILES)

// Each write puts the kind first, each read expects that the kind is taken already, and returns false for bytes that no honest
// machine sends: cut off, too long, out of range.
void NetHello_Write(NetWriter* writer, const NetHello* hello);
bool NetHello_Read(NetReader* reader, NetHello* hello);
void NetWelcome_Write(NetWriter* writer, const NetWelcome* welcome);
bool NetWelcome_Read(NetReader* reader, NetWelcome* welcome);
void NetInputs_Write(NetWriter* writer, const NetInputs* inputs);
bool NetInputs_Read(NetReader* reader, NetExtent extent, NetInputs* inputs);
// Leaves turns out, and lowers their count, if they do not fit.
void NetTurns_Write(NetWriter* writer, NetTurns* turns);
bool NetTurns_Read(NetReader* reader, NetExtent extent, NetTurns* turns);
// Without the kind: frames have one, too.
void NetInterest_Write(NetWriter* writer, const NetInterest* interest);
void NetInterest_Read(NetReader* reader, NetInterest* interest);
void NetCheck_Write(NetWriter* writer, const NetCheck* check);
bool NetCheck_Read(NetReader* reader, NetCheck* check);
// Text for people: printable, one line.
void NetNotice_Write(NetWriter* writer, const char* text);
bool NetNotice_Read(NetReader* reader, char text[NET_MAX_TEXT + 1]);

// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/query.h"

/// @file Water for those who only look at it: a server sends surface, velocity and foam of the tiles that a client is interested in,
/// and the client shows them without computing anything. Nothing is off by more than what the server states.
///
///   server, ten times a second           tnStream_Write(stream, bytes, capacity, &size, &state);
///   client, for each message             tnStreamView_Read(view, bytes, size);
///   client, now and then, to the server  tnStreamReceipt receipt = tnStreamView_GetReceipt(view);
///   server                               tnStream_TakeReceipt(stream, &receipt);
///
/// A stream is for one client: it knows what that client has. Messages may be lost, doubled, or come in another order: those that come
/// late are left aside, and what was lost is sent anew when a receipt tells of it. Over a transport that is reliable and in order no
/// receipts are needed.

// ---------------------------------------------------------------------------------------------------------------------
// The server

/// Start from tnDefaultStreamDef.
typedef struct tnStreamDef
{
	/// Largest error of surface and ground, meters, in [0.001, 10]. Default 0.005.
	float heightError;
	/// Largest error of each component of velocity, m/s, in [0.05, 100]. Default 0.25.
	float velocityError;
	/// Largest error of the share that foam covers, in [0.01, 0.5]. Default 0.1.
	float foamError;
	/// Water that is no deeper may be shown as dry, meters, in [0, 1]. Default 0.005.
	float dryDepth;
	/// Default on. Foam is there in worlds with the layer.
	bool enableVelocity, enableFoam;
	/// Cells along a side of a tile: 16, 32 or 64. Small tiles for small messages. Default 64.
	int tileSize;
	/// Written by tnDefaultStreamDef and checked on creation. Leave alone.
	uint32_t stamp;
} tnStreamDef;

TN_API tnStreamDef tnDefaultStreamDef(void);

/// What one client is sent.
typedef struct tnStream tnStream;

/// @param world must outlive the stream
/// @param stream receives the stream, or NULL if the result is not tn_ok
TN_API tnResult tnCreateStream(const tnWorld* world, const tnStreamDef* def, tnStream** stream);
/// NULL is allowed.
TN_API void tnDestroyStream(tnStream* stream);

/// A disc that the client looks at.
typedef struct tnStreamInterest
{
	tnVec2 center;
	/// Meters, > 0.
	float radius;
	/// How urgent it is, in (0, 1000]. Where discs overlap the largest counts.
	float weight;
} tnStreamInterest;

enum
{
	TN_MAX_STREAM_INTERESTS = 64,
};

/// Only tiles that a disc touches are sent. With count 0, as in the beginning, all are, with weight 1.
TN_API tnResult tnStream_SetInterests(tnStream* stream, const tnStreamInterest* interests, int count);

/// What a message has, and what it has not.
typedef struct tnStreamState
{
	/// Of the message, counted from 1.
	uint32_t number;
	/// Tiles in it; tiles that are wrong by more than the stated errors and had no room.
	int tileCount, waitingCount;
} tnStreamState;

/// Write the next message: tiles of which something is off by more than its error, the most urgent first: those where most is
/// wrong, weighted by interest and by how long they wait. What has no room waits. Does not allocate.
/// @param capacity the budget of this message, bytes
/// @param size receives how many bytes there are
/// @param state may be NULL
TN_API tnResult tnStream_Write(tnStream* stream, void* bytes, size_t capacity, size_t* size, tnStreamState* state);

/// What a client has got: plain values to be sent as the host likes.
typedef struct tnStreamReceipt
{
	/// The last message that was read. 0: none.
	uint32_t newest;
	/// Bit i: message newest - 1 - i was read.
	uint64_t before;
} tnStreamReceipt;

/// Learn what a client has got. Tiles of messages that it has not are sent anew. Receipts may be lost.
TN_API tnResult tnStream_TakeReceipt(tnStream* stream, const tnStreamReceipt* receipt);

// ---------------------------------------------------------------------------------------------------------------------
// The client

/// Start from tnDefaultStreamViewDef.
typedef struct tnStreamViewDef
{
	/// Most cells a world may have, so that no message can ask for more memory than is to be had. Default 2^24.
	int cellLimit;
	/// Zero for memory of the C library.
	tnAllocator allocator;
	/// Written by tnDefaultStreamViewDef and checked on creation. Leave alone.
	uint32_t stamp;
} tnStreamViewDef;

TN_API tnStreamViewDef tnDefaultStreamViewDef(void);

/// Fields that are made from messages alone.
typedef struct tnStreamView tnStreamView;

/// @param view receives the view, or NULL if the result is not tn_ok
TN_API tnResult tnCreateStreamView(const tnStreamViewDef* def, tnStreamView** view);
/// NULL is allowed.
TN_API void tnDestroyStreamView(tnStreamView* view);

/// Read a message. The first one says how large the world is, and gets memory for it; later ones do not allocate.
/// Bytes may come from anywhere: what is cut off, damaged, of another stream or of a newer version is refused by name, and nothing
/// has changed then. A message that comes late is tn_notAvailable, and nothing has changed either.
TN_API tnResult tnStreamView_Read(tnStreamView* view, const void* bytes, size_t size);

TN_API tnStreamReceipt tnStreamView_GetReceipt(const tnStreamView* view);

/// What messages told of the world. All zero before the first one.
typedef struct tnStreamViewInfo
{
	int columnCount, rowCount;
	float cellSize;
	tnVec2 origin;
	/// Of the last message: seconds since the creation of the world.
	double time;
	uint32_t number;
	float heightError, velocityError, foamError, dryDepth;
	int tileSize;
} tnStreamViewInfo;

TN_API tnStreamViewInfo tnStreamView_GetInfo(const tnStreamView* view);

/// Fields of a view. Data is NULL before the first message. Stale after the next tnStreamView_Read.
typedef enum tnStreamField
{
	/// Height of the water, meters; of the ground where dry. Lift of bodies included, waves of the layer not.
	tn_streamSurface = 0,
	/// Surface - ground, meters; 0 where dry.
	tn_streamDepth,
	tn_streamBed,
	/// m/s, 0 where dry.
	tn_streamVelocityX,
	tn_streamVelocityZ,
	/// Share that is covered, in [0, 1].
	tn_streamFoam,
	tn_streamFieldCount,
} tnStreamField;

TN_API tnFieldView tnStreamView_GetField(const tnStreamView* view, tnStreamField field);

/// The last message that had something of the tile that a cell is in. 0: none yet, and its fields are 0.
TN_API uint32_t tnStreamView_GetCellNumber(const tnStreamView* view, int column, int row);

// SPDX-License-Identifier: MIT

#pragma once

#include "net_bytes.h"

#include <tarn/tarn.h>

// What a client shows that computes nothing: surface, velocity, foam and wetness of the cells, and the boxes, as whole numbers of
// steps. The server has the same view for each such client and writes what is no longer true within the stated error; it goes over
// a reliable channel, so that both views stay the same. A number that is still within the error is not sent.

// Cells along a side of a tile: what of the world a client is interested in, and what is sent, counts in these.
#define NET_VIEW_TILE 16
// Bytes of a tile at most: each value escaped.
#define NET_VIEW_TILE_BYTES (4 + net_planeCount * NET_VIEW_TILE * NET_VIEW_TILE * 5)

typedef enum NetPlane
{
	net_surfacePlane = 0,
	net_velocityXPlane,
	net_velocityZPlane,
	net_foamPlane,
	net_wetPlane,
	net_planeCount,
} NetPlane;

// Largest error of a plane: meters, m/s, m/s, share, and none.
extern const float netPlaneErrors[net_planeCount];

// The values of all cells at a tick.
typedef struct NetFrame
{
	int columns, rows;
	float* planes[net_planeCount];
} NetFrame;

bool NetFrame_Create(NetFrame* frame, int columns, int rows);
void NetFrame_Destroy(NetFrame* frame);
void NetFrame_Take(NetFrame* frame, const tnWorld* world);

typedef struct NetView
{
	int columns, rows;
	// In steps of twice the error.
	int32_t* planes[net_planeCount];
} NetView;

// All zero. @return false if there is no memory
bool NetView_Create(NetView* view, int columns, int rows);
void NetView_Destroy(NetView* view);
int NetView_CountTiles(const NetView* view);
// Middle of a tile, in cells.
void NetView_GetTileMiddle(const NetView* view, int tile, float* column, float* row);
// Write a tile of the frame as far as it differs by more than the error, and take it over into the view. Writes nothing if it does not
// differ, and returns false if there is no room, with nothing changed.
bool NetView_WriteTile(NetView* view, const NetFrame* frame, int tile, NetWriter* writer);
// Take a tile in. False, and the tile in part, for bytes that no server writes.
bool NetView_ReadTile(NetView* view, NetReader* reader);
float NetView_Get(const NetView* view, NetPlane plane, int cell);

// SPDX-License-Identifier: MIT

#include "net_view.h"

#include <math.h>
#include <stdlib.h>

// Half a centimeter, 5 cm/s, a sixteenth of foam, wet or dry.
const float netPlaneErrors[net_planeCount] = {0.005f, 0.05f, 0.05f, 0.0625f, 0.5f};

// Beyond what a world can have.
#define NET_MAX_STEPS (1 << 25)

// Codes of differences: 0 .. 127 a run of one more zeros, then small ones, and one that is followed by four bytes.
enum
{
	first_small = 128,
	escape = 255,
	max_small = escape - first_small - 1,
};

bool NetFrame_Create(NetFrame* frame, int columns, int rows)
{
	*frame = (NetFrame){.columns = columns, .rows = rows};
	bool good = true;
	for (int i = 0; i < net_planeCount; ++i)
	{
		frame->planes[i] = calloc((size_t)columns * (size_t)rows, sizeof(float));
		good = good && frame->planes[i];
	}
	return good;
}

void NetFrame_Destroy(NetFrame* frame)
{
	for (int i = 0; i < net_planeCount; ++i)
	{
		free(frame->planes[i]);
	}
	*frame = (NetFrame){0};
}

void NetFrame_Take(NetFrame* frame, const tnWorld* world)
{
	tnWorld_CopySurface(world, 1.0f, frame->planes[net_surfacePlane]);
	tnWorld_CopyVelocities(world, frame->planes[net_velocityXPlane], frame->planes[net_velocityZPlane]);
	const tnFieldView depth = tnWorld_GetDepth(world), foam = tnWorld_GetFoam(world);
	for (int row = 0; row < frame->rows; ++row)
	{
		for (int column = 0; column < frame->columns; ++column)
		{
			const int cell = row * frame->columns + column;
			const bool wet = depth.data[row * depth.stride + column] > TN_WET_DEPTH;
			const float amount = foam.data ? foam.data[row * foam.stride + column] : 0.0f;
			frame->planes[net_wetPlane][cell] = wet ? 1.0f : 0.0f;
			frame->planes[net_foamPlane][cell] = wet ? amount / (1.0f + amount) : 0.0f;
			// A film has a velocity, but nobody sees it.
			frame->planes[net_velocityXPlane][cell] *= wet ? 1.0f : 0.0f;
			frame->planes[net_velocityZPlane][cell] *= wet ? 1.0f : 0.0f;
		}
	}
}

bool NetView_Create(NetView* view, int columns, int rows)
{
	*view = (NetView){.columns = columns, .rows = rows};
	bool good = true;
	for (int i = 0; i < net_planeCount; ++i)
	{
		view->planes[i] = calloc((size_t)columns * (size_t)rows, sizeof(int32_t));
		good = good && view->planes[i];
	}
	return good;
}

void NetView_Destroy(NetView* view)
{
	for (int i = 0; i < net_planeCount; ++i)
	{
		free(view->planes[i]);
	}
	*view = (NetView){0};
}

static int GetTileColumns(const NetView* view)
{
	return (view->columns + NET_VIEW_TILE - 1) / NET_VIEW_TILE;
}

int NetView_CountTiles(const NetView* view)
{
	return GetTileColumns(view) * ((view->rows + NET_VIEW_TILE - 1) / NET_VIEW_TILE);
}

void NetView_GetTileMiddle(const NetView* view, int tile, float* column, float* row)
{
	*column = ((float)(tile % GetTileColumns(view)) + 0.5f) * NET_VIEW_TILE;
	*row = ((float)(tile / GetTileColumns(view)) + 0.5f) * NET_VIEW_TILE;
}

float NetView_Get(const NetView* view, NetPlane plane, int cell)
{
	return (float)view->planes[plane][cell] * 2.0f * netPlaneErrors[plane];
}

// The cells of a tile, in order; at the edges of the world tiles are smaller.
static int ListCells(const NetView* view, int tile, int cells[NET_VIEW_TILE * NET_VIEW_TILE])
{
	const int firstColumn = tile % GetTileColumns(view) * NET_VIEW_TILE;
	const int firstRow = tile / GetTileColumns(view) * NET_VIEW_TILE;
	int count = 0;
	for (int row = firstRow; row < firstRow + NET_VIEW_TILE && row < view->rows; ++row)
	{
		for (int column = firstColumn; column < firstColumn + NET_VIEW_TILE && column < view->columns; ++column)
		{
			cells[count++] = row * view->columns + column;
		}
	}
	return count;
}

// Steps that a number should have, which are those it has as long as they are near enough. A wet cell must not be called dry.
static int32_t Choose(const NetView* view, NetPlane plane, int cell, float value)
{
	const float error = netPlaneErrors[plane];
	const bool near = fabsf(value - NetView_Get(view, plane, cell)) <= (plane == net_wetPlane ? 0.0f : error);
	return near ? view->planes[plane][cell] : (int32_t)floorf(value / (2.0f * error) + 0.5f);
}

static void PutDifference(NetWriter* writer, int32_t difference)
{
	// 1, -1, 2, -2, ... become 0, 1, 2, 3, ...
	const uint32_t folded = difference > 0 ? 2u * (uint32_t)(difference - 1) : 2u * (uint32_t)(-difference - 1) + 1;
	if (folded < max_small + 1)
	{
		Net_Put(writer, first_small + folded, 1);
		return;
	}
	Net_Put(writer, escape, 1);
	Net_Put(writer, folded, 4);
}

static int32_t TakeDifference(NetReader* reader, int code)
{
	const uint32_t folded = code == escape ? (uint32_t)Net_Take(reader, 4) : (uint32_t)(code - first_small);
	if (folded > 4u * NET_MAX_STEPS)
	{
		reader->damaged = true;
		return 0;
	}
	return folded % 2 == 0 ? (int32_t)(folded / 2) + 1 : -(int32_t)(folded / 2) - 1;
}

static void WritePlane(
	NetView* view, const NetFrame* frame, NetPlane plane, const int* cells, int count, NetWriter* writer)
{
	int zeroCount = 0;
	for (int i = 0; i <= count; ++i)
	{
		int32_t difference = 0;
		if (i < count)
		{
			const int32_t value = Choose(view, plane, cells[i], frame->planes[plane][cells[i]]);
			difference = value - view->planes[plane][cells[i]];
			view->planes[plane][cells[i]] = value;
		}
		if (zeroCount > 0 && (difference != 0 || i == count || zeroCount == first_small))
		{
			Net_Put(writer, (uint64_t)(zeroCount - 1), 1);
			zeroCount = 0;
		}
		if (difference != 0)
		{
			PutDifference(writer, difference);
		}
		else
		{
			++zeroCount;
		}
	}
}

bool NetView_WriteTile(NetView* view, const NetFrame* frame, int tile, NetWriter* writer)
{
	int cells[NET_VIEW_TILE * NET_VIEW_TILE];
	const int count = ListCells(view, tile, cells);
	uint32_t mask = 0;
	for (int plane = 0; plane < net_planeCount; ++plane)
	{
		for (int i = 0; i < count && !(mask >> plane & 1); ++i)
		{
			const int32_t value = Choose(view, (NetPlane)plane, cells[i], frame->planes[plane][cells[i]]);
			mask |= value != view->planes[plane][cells[i]] ? 1u << plane : 0;
		}
	}
	if (mask == 0)
	{
		return true;
	}
	if (writer->capacity - writer->size < NET_VIEW_TILE_BYTES)
	{
		return false;
	}
	Net_Put(writer, (uint64_t)tile, 3);
	Net_Put(writer, mask, 1);
	for (int plane = 0; plane < net_planeCount; ++plane)
	{
		if (mask >> plane & 1)
		{
			WritePlane(view, frame, (NetPlane)plane, cells, count, writer);
		}
	}
	return true;
}

static void ReadPlane(NetView* view, NetPlane plane, const int* cells, int count, NetReader* reader)
{
	for (int i = 0; i < count && !reader->damaged;)
	{
		const int code = (int)Net_Take(reader, 1);
		if (code < first_small)
		{
			i += code + 1;
			reader->damaged = reader->damaged || i > count;
			continue;
		}
		const int32_t value = view->planes[plane][cells[i]] + TakeDifference(reader, code);
		if (value < -NET_MAX_STEPS || value > NET_MAX_STEPS)
		{
			reader->damaged = true;
			return;
		}
		view->planes[plane][cells[i]] = value;
		++i;
	}
}

bool NetView_ReadTile(NetView* view, NetReader* reader)
{
	const int tile = Net_TakeInt(reader, 3, 0, NetView_CountTiles(view) - 1);
	const int mask = Net_TakeInt(reader, 1, 1, (1 << net_planeCount) - 1);
	int cells[NET_VIEW_TILE * NET_VIEW_TILE];
	const int count = ListCells(view, tile, cells);
	for (int plane = 0; plane < net_planeCount; ++plane)
	{
		if (mask >> plane & 1)
		{
			ReadPlane(view, (NetPlane)plane, cells, count, reader);
		}
	}
	return !reader->damaged;
}

// SPDX-License-Identifier: MIT

// The side of a stream that shows: fields from messages alone. Nothing that is read is trusted. All that can be wrong about a message
// is found before anything is changed: bits of tiles always mean something.

#include "../core/memory.h"
#include "stream_message.h"
#include "stream_tile.h"

#include <string.h>

struct tnStreamView
{
	tnMemory memory;
	tnStreamViewDef def;
	tnStreamViewInfo info;
	tnStreamReceipt receipt;
	size_t byteCount; // of what the first message has asked for
	char* block;
	int tileColumns, tileRows, tileCount;
	uint32_t* numbers; // by tile: the last message that had it
	uint32_t* stamps;  // by tile: the message that is being looked at
	tnStreamCells* old;
	tnStreamCells* now;
	// By cell.
	int32_t* values[tn_streamChannelCount];
	uint8_t* wet;
	float* fields[tn_streamFieldCount];
};

tnStreamViewDef tnDefaultStreamViewDef(void)
{
	return (tnStreamViewDef){.cellLimit = 1 << 24, .stamp = TN_DEF_STAMP};
}

tnResult tnCreateStreamView(const tnStreamViewDef* def, tnStreamView** view)
{
	if (view == NULL)
	{
		return tnFail(tn_invalidArgument, "view must not be NULL");
	}
	*view = NULL;
	if (def == NULL)
	{
		return tnFail(tn_invalidArgument, "def must not be NULL");
	}
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(tn_invalidArgument, "def.stamp is wrong: start from tnDefaultStreamViewDef(), got 0x%x",
			(unsigned)def->stamp);
	}
	if (def->cellLimit < 16 || def->cellLimit > TN_MAX_CELLS)
	{
		return tnFail(tn_invalidArgument, "cellLimit must be in [16, %d], got %d", TN_MAX_CELLS, def->cellLimit);
	}
	if ((def->allocator.allocFcn == NULL) != (def->allocator.freeFcn == NULL))
	{
		return tnFail(tn_invalidArgument, "allocator must have both functions or neither");
	}
	tnMemory memory;
	tnMemory_Init(&memory, &def->allocator, 0);
	tnStreamView* made = tnMemory_Alloc(&memory, sizeof(tnStreamView));
	if (made == NULL)
	{
		return tnFail(tn_outOfMemory, "out of memory for a view of a stream");
	}
	made->memory = memory;
	made->def = *def;
	*view = made;
	return tnSuccess();
}

void tnDestroyStreamView(tnStreamView* view)
{
	if (view != NULL)
	{
		tnMemory memory = view->memory;
		tnMemory_Free(&memory, view->block, view->byteCount);
		tnMemory_Free(&memory, view, sizeof(tnStreamView));
	}
}

static void tnCarveView(tnStreamView* view, tnCarver* carver)
{
	const size_t cells = (size_t)view->info.columnCount * (size_t)view->info.rowCount;
	const size_t tiles = (size_t)view->tileCount;
	view->numbers = tnCarve(carver, tiles * sizeof(uint32_t));
	view->stamps = tnCarve(carver, tiles * sizeof(uint32_t));
	view->old = tnCarve(carver, sizeof(tnStreamCells));
	view->now = tnCarve(carver, sizeof(tnStreamCells));
	view->wet = tnCarve(carver, cells);
	for (int i = 0; i < tn_streamChannelCount; ++i)
	{
		view->values[i] = tnCarve(carver, cells * sizeof(int32_t));
	}
	for (int i = 0; i < tn_streamFieldCount; ++i)
	{
		view->fields[i] = tnCarve(carver, cells * sizeof(float));
	}
}

static tnResult tnOpenView(tnStreamView* view, const tnStreamViewInfo* info)
{
	if ((int64_t)info->columnCount * info->rowCount > view->def.cellLimit)
	{
		return tnFail(tn_outOfMemory, "message: cellLimit is %d, its world has %d x %d cells", view->def.cellLimit,
			info->columnCount, info->rowCount);
	}
	tnStreamView shape = *view;
	shape.info = *info;
	shape.info.number = 0;
	shape.tileColumns = (info->columnCount + info->tileSize - 1) / info->tileSize;
	shape.tileRows = (info->rowCount + info->tileSize - 1) / info->tileSize;
	shape.tileCount = shape.tileColumns * shape.tileRows;
	tnCarver carver = {0};
	tnCarveView(&shape, &carver);
	shape.byteCount = carver.used;
	shape.block = tnMemory_Alloc(&shape.memory, shape.byteCount);
	if (shape.block == NULL)
	{
		return tnFail(tn_outOfMemory, "out of memory for a view of %d x %d cells: %zu bytes are needed",
			info->columnCount, info->rowCount, shape.byteCount);
	}
	carver = (tnCarver){shape.block, 0};
	tnCarveView(&shape, &carver);
	*view = shape;
	return tnSuccess();
}

static bool tnIsSameStream(const tnStreamViewInfo* a, const tnStreamViewInfo* b)
{
	return a->columnCount == b->columnCount && a->rowCount == b->rowCount && a->cellSize == b->cellSize &&
		a->origin.x == b->origin.x && a->origin.z == b->origin.z && a->heightError == b->heightError &&
		a->velocityError == b->velocityError && a->foamError == b->foamError && a->dryDepth == b->dryDepth &&
		a->tileSize == b->tileSize;
}

// A tile of a message.
typedef struct tnTileBytes
{
	uint32_t index, length, base;
	const uint8_t* bits;
} tnTileBytes;

// False if there is none that is whole.
static bool tnTakeTile(const tnStreamView* view, const uint8_t* bytes, size_t size, size_t* at, tnTileBytes* tile)
{
	const int first = tnStreamGetCount(bytes + *at, size - *at, &tile->index);
	*at += (size_t)first;
	const int second = first > 0 ? tnStreamGetCount(bytes + *at, size - *at, &tile->length) : 0;
	*at += (size_t)second;
	if (second == 0 || tile->index >= (uint32_t)view->tileCount || size - *at < 4 || tile->length > size - *at - 4)
	{
		return false;
	}
	tile->base = (uint32_t)tnStreamGet(bytes + *at, 4);
	tile->bits = bytes + *at + 4;
	*at += 4 + (size_t)tile->length;
	return true;
}

// Are all tiles whole, inside of the world, and none twice? They are marked with the stamp.
static bool tnCheckTiles(tnStreamView* view, const uint8_t* bytes, size_t size)
{
	memset(view->stamps, 0, (size_t)view->tileCount * sizeof(uint32_t));
	for (size_t at = TN_STREAM_HEADER; at < size;)
	{
		tnTileBytes tile;
		if (!tnTakeTile(view, bytes, size, &at, &tile) || view->stamps[tile.index] != 0)
		{
			return false;
		}
		view->stamps[tile.index] = 1;
	}
	return true;
}

static void tnReadTile(tnStreamView* view, const tnTileBytes* tile)
{
	const tnStreamViewInfo* info = &view->info;
	const int column = (int)tile->index % view->tileColumns * info->tileSize;
	const int row = (int)tile->index / view->tileColumns * info->tileSize;
	const int columns = tnMinInt(info->tileSize, info->columnCount - column);
	const int rows = tnMinInt(info->tileSize, info->rowCount - row);
	for (int i = 0; i < columns * rows; ++i)
	{
		const size_t cell = (size_t)(row + i / columns) * (size_t)info->columnCount + (size_t)(column + i % columns);
		view->old->wet[i] = view->wet[cell];
		for (int k = 0; k < tn_streamChannelCount; ++k)
		{
			view->old->values[k][i] = view->values[k][cell];
		}
	}
	tnStreamTileCoding coding = {
		.columns = columns, .rows = rows, .isKey = tile->base == 0, .old = view->old, .now = view->now};
	tnStreamCoder coder;
	tnStreamCoder_BeginReading(&coder, tile->bits, tile->length);
	tnStreamTile_Code(&coder, &coding);
	const double height = tnGetStreamUnit(tn_heightChannel, info->heightError);
	const double velocity = tnGetStreamUnit(tn_velocityXChannel, info->velocityError);
	const double foam = tnGetStreamUnit(tn_foamChannel, info->foamError);
	for (int i = 0; i < columns * rows; ++i)
	{
		const size_t cell = (size_t)(row + i / columns) * (size_t)info->columnCount + (size_t)(column + i % columns);
		const bool wet = view->now->wet[i] != 0;
		view->wet[cell] = view->now->wet[i];
		for (int k = 0; k < tn_streamChannelCount; ++k)
		{
			view->values[k][cell] = view->now->values[k][i];
		}
		const float bed = (float)(view->now->values[tn_bedChannel][i] * height);
		const float surface = wet ? (float)(view->now->values[tn_heightChannel][i] * height) : bed;
		view->fields[tn_streamBed][cell] = bed;
		view->fields[tn_streamSurface][cell] = surface;
		view->fields[tn_streamDepth][cell] = surface > bed ? surface - bed : 0.0f;
		view->fields[tn_streamVelocityX][cell] = (float)(view->now->values[tn_velocityXChannel][i] * velocity);
		view->fields[tn_streamVelocityZ][cell] = (float)(view->now->values[tn_velocityZChannel][i] * velocity);
		const float cover = (float)(view->now->values[tn_foamChannel][i] * foam);
		view->fields[tn_streamFoam][cell] = cover < 0.0f ? 0.0f : cover > 1.0f ? 1.0f : cover;
	}
}

tnResult tnStreamView_Read(tnStreamView* view, const void* bytes, size_t size)
{
	if (view == NULL)
	{
		return tnFail(tn_invalidArgument, "view must not be NULL");
	}
	tnStreamViewInfo info;
	tnResult result = tnReadStreamHeader(bytes, size, &info);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (view->block != NULL && !tnIsSameStream(&view->info, &info))
	{
		return tnFail(tn_invalidArgument, "message: it is of another stream: %d x %d cells, errors of %g m and %g m/s",
			info.columnCount, info.rowCount, (double)info.heightError, (double)info.velocityError);
	}
	if (view->block != NULL && info.number <= view->receipt.newest)
	{
		return tnFail(tn_notAvailable, "message %u comes too late: the last one was %u", (unsigned)info.number,
			(unsigned)view->receipt.newest);
	}
	const bool isFirst = view->block == NULL;
	result = isFirst ? tnOpenView(view, &info) : result;
	if (result.status != tn_ok)
	{
		return result;
	}
	if (!tnCheckTiles(view, bytes, size))
	{
		if (isFirst)
		{
			// As it was: nothing is known of any world.
			tnMemory_Free(&view->memory, view->block, view->byteCount);
			*view = (tnStreamView){.memory = view->memory, .def = view->def};
		}
		return tnFail(tn_invalidArgument, "message: its tiles are not whole, not in the world, or there twice");
	}
	for (size_t at = TN_STREAM_HEADER; at < size;)
	{
		tnTileBytes tile;
		(void)tnTakeTile(view, bytes, size, &at, &tile);
		// What is based on something that did not come is no use.
		if (tile.base == 0 || tile.base == view->numbers[tile.index])
		{
			tnReadTile(view, &tile);
			view->numbers[tile.index] = info.number;
		}
	}
	const uint32_t passed = info.number - view->receipt.newest;
	view->receipt.before = passed > 64 ? 0 : passed == 64 ? 0 : view->receipt.before << passed;
	if (view->receipt.newest != 0 && passed <= 64)
	{
		view->receipt.before |= (uint64_t)1 << (passed - 1);
	}
	view->receipt.newest = info.number;
	view->info = info;
	return result;
}

tnStreamReceipt tnStreamView_GetReceipt(const tnStreamView* view)
{
	return view != NULL ? view->receipt : (tnStreamReceipt){0};
}

tnStreamViewInfo tnStreamView_GetInfo(const tnStreamView* view)
{
	return view != NULL ? view->info : (tnStreamViewInfo){0};
}

tnFieldView tnStreamView_GetField(const tnStreamView* view, tnStreamField field)
{
	if (view == NULL || view->block == NULL || (int)field < 0 || field >= tn_streamFieldCount)
	{
		return (tnFieldView){0};
	}
	return (tnFieldView){view->fields[field], view->info.columnCount, view->info.rowCount, view->info.columnCount};
}

uint32_t tnStreamView_GetCellNumber(const tnStreamView* view, int column, int row)
{
	if (view == NULL || view->block == NULL || column < 0 || row < 0 || column >= view->info.columnCount ||
		row >= view->info.rowCount)
	{
		return 0;
	}
	return view->numbers[row / view->info.tileSize * view->tileColumns + column / view->info.tileSize];
}

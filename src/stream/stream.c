// SPDX-License-Identifier: MIT

// The side of a stream that sends: what the client has, what is wrong with that, and what goes first.

#include "../flow/grid_sample.h"
#include "../world/world.h"
#include "stream_message.h"
#include "stream_tile.h"

#include <math.h>
#include <string.h>

enum
{
	// Messages of which it is not known whether they came.
	TN_STREAM_FLIGHT = 64,
};

typedef struct tnStreamTile
{
	uint32_t sent;     // message that had it last; 0: none
	uint32_t key;      // message that had it last as a whole
	uint32_t seen;     // tnTiles.changes when it was looked at last, of all tiles of the world that it lies in
	uint32_t channels; // that are off by more than they may be
	bool known;        // it was looked at
	bool needsKey;     // the client has something else than it should
	int age;           // messages for which it waits
	float urgency;
} tnStreamTile;

struct tnStream
{
	tnMemory memory;
	const tnWorld* world;
	tnStreamDef def;
	tnStreamViewInfo info;
	int tileColumns, tileRows, tileCount;
	tnStreamInterest interests[TN_MAX_STREAM_INTERESTS];
	int interestCount;
	tnStreamTile* tiles;
	int* order; // tiles to send, the most urgent first
	// What the client has, by cell.
	int32_t* heights;
	int32_t* beds;
	int16_t* velocitiesX;
	int16_t* velocitiesZ;
	uint8_t* foams;
	uint8_t* wet;
	// By message, of the last ones: which tiles it had, a bit each.
	uint8_t* flight[TN_STREAM_FLIGHT];
	uint32_t flightNumbers[TN_STREAM_FLIGHT]; // 0: free
	size_t flightBytes;
	uint32_t settled; // the newest message that receipts have told of
	bool hasReceipts;
	tnStreamCells* old;
	tnStreamCells* target;
	tnStreamCells* now;
	uint8_t* scratch;
	float* velocities; // of a row of a tile, x and z
};

tnStreamDef tnDefaultStreamDef(void)
{
	return (tnStreamDef){
		.heightError = 0.005f,
		.velocityError = 0.25f,
		.foamError = 0.1f,
		.dryDepth = 0.005f,
		.enableVelocity = true,
		.enableFoam = true,
		.tileSize = 64,
		.stamp = TN_DEF_STAMP,
	};
}

static tnResult tnCheckRange(const char* name, float value, float low, float high)
{
	return value >= low && value <= high
		? tnSuccess()
		: tnFail(tn_invalidArgument, "%s must be in [%g, %g], got %g", name, (double)low, (double)high, (double)value);
}

static tnResult tnCheckStreamDef(const tnStreamDef* def)
{
	if (def == NULL)
	{
		return tnFail(tn_invalidArgument, "def must not be NULL");
	}
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(
			tn_invalidArgument, "def.stamp is wrong: start from tnDefaultStreamDef(), got 0x%x", (unsigned)def->stamp);
	}
	if (def->tileSize != 16 && def->tileSize != 32 && def->tileSize != 64)
	{
		return tnFail(tn_invalidArgument, "tileSize must be 16, 32 or 64, got %d", def->tileSize);
	}
	tnResult result = tnCheckRange("heightError", def->heightError, 0.001f, 10.0f);
	result = result.status == tn_ok ? tnCheckRange("velocityError", def->velocityError, 0.05f, 100.0f) : result;
	result = result.status == tn_ok ? tnCheckRange("foamError", def->foamError, 0.01f, 0.5f) : result;
	return result.status == tn_ok ? tnCheckRange("dryDepth", def->dryDepth, 0.0f, 1.0f) : result;
}

// All arrays, or how long they are together if the carver has no block.
static void tnCarveStream(tnStream* stream, tnCarver* carver)
{
	const size_t cells = (size_t)stream->info.columnCount * (size_t)stream->info.rowCount;
	const size_t tiles = (size_t)stream->tileCount;
	stream->tiles = tnCarve(carver, tiles * sizeof(tnStreamTile));
	stream->order = tnCarve(carver, tiles * sizeof(int));
	stream->heights = tnCarve(carver, cells * sizeof(int32_t));
	stream->beds = tnCarve(carver, cells * sizeof(int32_t));
	stream->velocitiesX = tnCarve(carver, cells * sizeof(int16_t));
	stream->velocitiesZ = tnCarve(carver, cells * sizeof(int16_t));
	stream->foams = tnCarve(carver, cells);
	stream->wet = tnCarve(carver, cells);
	stream->flightBytes = (tiles + 7) / 8;
	for (int i = 0; i < TN_STREAM_FLIGHT; ++i)
	{
		stream->flight[i] = tnCarve(carver, stream->flightBytes);
	}
	stream->old = tnCarve(carver, sizeof(tnStreamCells));
	stream->target = tnCarve(carver, sizeof(tnStreamCells));
	stream->now = tnCarve(carver, sizeof(tnStreamCells));
	stream->scratch = tnCarve(carver, TN_STREAM_TILE_BYTES);
	stream->velocities = tnCarve(carver, 2 * (size_t)stream->info.columnCount * sizeof(float));
}

tnResult tnCreateStream(const tnWorld* world, const tnStreamDef* def, tnStream** stream)
{
	if (stream != NULL)
	{
		*stream = NULL;
	}
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && stream == NULL)
	{
		result = tnFail(tn_invalidArgument, "stream must not be NULL");
	}
	result = result.status == tn_ok ? tnCheckStreamDef(def) : result;
	if (result.status != tn_ok)
	{
		return tnWorld_Report(world, result);
	}
	tnStream shape = {.world = world, .def = *def};
	tnMemory_Init(&shape.memory, &world->def.allocator, 0);
	shape.info = (tnStreamViewInfo){
		.columnCount = world->grid.columnCount,
		.rowCount = world->grid.rowCount,
		.cellSize = world->grid.cellSize,
		.origin = world->grid.origin,
		.heightError = def->heightError,
		.velocityError = def->velocityError,
		.foamError = def->foamError,
		.dryDepth = def->dryDepth,
		.tileSize = def->tileSize,
	};
	shape.tileColumns = (shape.info.columnCount + def->tileSize - 1) / def->tileSize;
	shape.tileRows = (shape.info.rowCount + def->tileSize - 1) / def->tileSize;
	shape.tileCount = shape.tileColumns * shape.tileRows;
	tnCarver carver = {0};
	(void)tnCarve(&carver, sizeof(tnStream));
	tnCarveStream(&shape, &carver);
	const size_t bytes = carver.used;
	char* block = tnMemory_Alloc(&shape.memory, bytes);
	if (block == NULL)
	{
		return tnWorld_Report(world, tnFail(tn_outOfMemory, "out of memory for a stream: %zu bytes are needed", bytes));
	}
	carver = (tnCarver){block, 0};
	tnStream* made = tnCarve(&carver, sizeof(tnStream));
	*made = shape;
	tnCarveStream(made, &carver);
	*stream = made;
	return result;
}

void tnDestroyStream(tnStream* stream)
{
	if (stream != NULL)
	{
		tnMemory memory = stream->memory;
		tnMemory_Free(&memory, stream, memory.byteCount);
	}
}

tnResult tnStream_SetInterests(tnStream* stream, const tnStreamInterest* interests, int count)
{
	tnResult result = stream == NULL ? tnFail(tn_invalidArgument, "stream must not be NULL") : tnSuccess();
	if (result.status == tn_ok && (count < 0 || count > TN_MAX_STREAM_INTERESTS))
	{
		result = tnFail(tn_invalidArgument, "count must be in [0, %d], got %d", (int)TN_MAX_STREAM_INTERESTS, count);
	}
	if (result.status == tn_ok && count > 0 && interests == NULL)
	{
		result = tnFail(tn_invalidArgument, "interests must not be NULL when count is %d", count);
	}
	for (int i = 0; i < count && result.status == tn_ok; ++i)
	{
		const tnStreamInterest* is = interests + i;
		if (!tnIsFinite(is->center.x) || !tnIsFinite(is->center.z) || !(is->radius > 0.0f) || !tnIsFinite(is->radius) ||
			!(is->weight > 0.0f && is->weight <= 1000.0f))
		{
			result = tnFail(tn_invalidArgument,
				"interests[%d] must have a finite center, radius > 0 and weight in (0, 1000], got (%g, %g), %g, %g", i,
				(double)is->center.x, (double)is->center.z, (double)is->radius, (double)is->weight);
		}
	}
	if (result.status == tn_ok)
	{
		memcpy(stream->interests, interests != NULL ? interests : stream->interests,
			(size_t)count * sizeof(tnStreamInterest));
		stream->interestCount = count;
	}
	return tnWorld_Report(stream != NULL ? stream->world : NULL, result);
}

// ---------------------------------------------------------------------------------------------------------------------
// What is and what the client has

typedef struct tnStreamBox
{
	int column, row, columns, rows;
} tnStreamBox;

static tnStreamBox tnGetStreamBox(const tnStream* stream, int tile)
{
	const int side = stream->def.tileSize;
	const int column = tile % stream->tileColumns * side, row = tile / stream->tileColumns * side;
	return (tnStreamBox){
		column, row, tnMinInt(side, stream->info.columnCount - column), tnMinInt(side, stream->info.rowCount - row)};
}

static int32_t tnRoundValue(double value)
{
	const double most = 536870911.0;
	return (int32_t)floor(value < -most ? -most : value > most ? most : value + 0.5);
}

// What the client has of a tile.
static void tnGetOld(const tnStream* stream, tnStreamBox box, tnStreamCells* cells)
{
	for (int row = 0; row < box.rows; ++row)
	{
		const size_t at = (size_t)(box.row + row) * (size_t)stream->info.columnCount + (size_t)box.column;
		const size_t to = (size_t)row * (size_t)box.columns;
		for (size_t i = 0; i < (size_t)box.columns; ++i)
		{
			cells->values[tn_bedChannel][to + i] = stream->beds[at + i];
			cells->values[tn_heightChannel][to + i] = stream->heights[at + i];
			cells->values[tn_velocityXChannel][to + i] = stream->velocitiesX[at + i];
			cells->values[tn_velocityZChannel][to + i] = stream->velocitiesZ[at + i];
			cells->values[tn_foamChannel][to + i] = stream->foams[at + i];
			cells->wet[to + i] = stream->wet[at + i];
		}
	}
}

static void tnPutNow(tnStream* stream, tnStreamBox box, const tnStreamCells* cells)
{
	for (int row = 0; row < box.rows; ++row)
	{
		const size_t at = (size_t)(box.row + row) * (size_t)stream->info.columnCount + (size_t)box.column;
		const size_t from = (size_t)row * (size_t)box.columns;
		for (size_t i = 0; i < (size_t)box.columns; ++i)
		{
			stream->beds[at + i] = cells->values[tn_bedChannel][from + i];
			stream->heights[at + i] = cells->values[tn_heightChannel][from + i];
			stream->velocitiesX[at + i] = (int16_t)cells->values[tn_velocityXChannel][from + i];
			stream->velocitiesZ[at + i] = (int16_t)cells->values[tn_velocityZChannel][from + i];
			stream->foams[at + i] = (uint8_t)cells->values[tn_foamChannel][from + i];
			stream->wet[at + i] = cells->wet[from + i];
		}
	}
}

// What a tile should be. A cell is wet from dryDepth on, and stays so down to half of it.
static void tnFindTarget(
	const tnStream* stream, tnStreamBox box, bool isKey, const tnStreamCells* old, tnStreamCells* target)
{
	const tnGrid* grid = &stream->world->grid;
	const tnStreamDef* def = &stream->def;
	const double perHeight = 1.0 / tnGetStreamUnit(tn_heightChannel, def->heightError);
	const double perVelocity = 1.0 / tnGetStreamUnit(tn_velocityXChannel, def->velocityError);
	const double perFoam = 1.0 / tnGetStreamUnit(tn_foamChannel, def->foamError);
	float* u = stream->velocities;
	float* w = u + stream->info.columnCount;
	for (int row = 0; row < box.rows; ++row)
	{
		if (def->enableVelocity)
		{
			tnGrid_CopyVelocityRow(grid, box.row + row, box.column, box.column + box.columns, u, w);
		}
		for (int column = 0; column < box.columns; ++column)
		{
			const int i = row * box.columns + column;
			const ptrdiff_t cell = tnGrid_Index(grid, box.column + column, box.row + row);
			const float depth = grid->depth[cell];
			const bool wet = depth > (!isKey && old->wet[i] != 0 ? 0.5f * def->dryDepth : def->dryDepth);
			target->wet[i] = wet ? 1 : 0;
			target->values[tn_bedChannel][i] = tnRoundValue((double)grid->bed[cell] * perHeight);
			target->values[tn_heightChannel][i] =
				wet ? tnRoundValue(((double)grid->bed[cell] + (double)tnGrid_GetHeight(grid, cell)) * perHeight) : 0;
			const bool moves = wet && def->enableVelocity;
			target->values[tn_velocityXChannel][i] =
				moves ? tnClampInt(tnRoundValue((double)u[column] * perVelocity), -32700, 32700) : 0;
			target->values[tn_velocityZChannel][i] =
				moves ? tnClampInt(tnRoundValue((double)w[column] * perVelocity), -32700, 32700) : 0;
			const float foam = wet && def->enableFoam && grid->foam != NULL ? grid->foam[cell] : 0.0f;
			target->values[tn_foamChannel][i] = tnRoundValue((double)(foam / (1.0f + foam)) * perFoam);
		}
	}
}

// Which channels of a tile are off by more than they may be, and how badly.
static void tnCompareTile(
	const tnStream* stream, tnStreamBox box, const tnStreamCells* old, const tnStreamCells* target, tnStreamTile* tile)
{
	(void)stream;
	int off[tn_streamChannelCount] = {0};
	const int count = box.columns * box.rows;
	for (int channel = 0; channel < tn_streamChannelCount; ++channel)
	{
		const int32_t* was = old->values[channel];
		const int32_t* is = target->values[channel];
		const int reach = tnGetStreamReach((tnStreamChannel)channel);
		for (int i = 0; i < count; ++i)
		{
			const bool counts = channel == tn_bedChannel || target->wet[i] != 0;
			off[channel] += counts && (is[i] - was[i] > reach || was[i] - is[i] > reach) ? 1 : 0;
		}
	}
	for (int i = 0; i < count; ++i)
	{
		off[tn_heightChannel] += old->wet[i] != target->wet[i] ? 1 : 0;
	}
	tile->channels = 0;
	for (int channel = 0; channel < tn_streamChannelCount; ++channel)
	{
		tile->channels |= (off[channel] > 0 ? 1u : 0u) << channel;
	}
	tile->urgency = (float)(4 * off[tn_bedChannel] + 4 * off[tn_heightChannel] + off[tn_velocityXChannel] +
						off[tn_velocityZChannel] + off[tn_foamChannel]) /
		(float)count;
}

static float tnFindWeight(const tnStream* stream, tnStreamBox box)
{
	if (stream->interestCount == 0)
	{
		return 1.0f;
	}
	const tnStreamViewInfo* info = &stream->info;
	float most = 0.0f;
	for (int i = 0; i < stream->interestCount; ++i)
	{
		const tnStreamInterest* is = stream->interests + i;
		const float west = info->origin.x + (float)box.column * info->cellSize;
		const float north = info->origin.z + (float)box.row * info->cellSize;
		const float east = west + (float)box.columns * info->cellSize, south = north + (float)box.rows * info->cellSize;
		const float x = is->center.x < west ? west - is->center.x : is->center.x > east ? is->center.x - east : 0.0f;
		const float z = is->center.z < north ? north - is->center.z
			: is->center.z > south           ? is->center.z - south
											 : 0.0f;
		if (x * x + z * z <= is->radius * is->radius && is->weight > most)
		{
			most = is->weight;
		}
	}
	return most;
}

static uint32_t tnGetChanges(const tnStream* stream, tnStreamBox box, bool* foams)
{
	const tnWorld* world = stream->world;
	// Tiles of streams lie within those of the world, but faces at their far sides are of the next ones: velocities need them.
	uint32_t sum = 0;
	*foams = false;
	for (int i = 0; i < 4; ++i)
	{
		const int column = tnMinInt(box.column + (i & 1) * box.columns, world->grid.columnCount - 1) / TN_TILE_SIZE;
		const int row = tnMinInt(box.row + (i >> 1) * box.rows, world->grid.rowCount - 1) / TN_TILE_SIZE;
		const int tile = row * world->tiles.columnCount + column;
		sum += world->tiles.changes[tile];
		*foams = *foams || (world->grid.foam != NULL && world->foam.carried[tile] != 0);
	}
	return sum;
}

static bool tnGoesFirst(const tnStream* stream, int a, int b)
{
	const float first = stream->tiles[a].urgency, second = stream->tiles[b].urgency;
	return first > second || (first == second && a < b);
}

// A heap, so that long lists take no time of their own either.
static void tnSink(tnStream* stream, int at, int count)
{
	int* order = stream->order;
	for (int child = 2 * at + 1; child < count; child = 2 * at + 1)
	{
		child += child + 1 < count && tnGoesFirst(stream, order[child], order[child + 1]) ? 1 : 0;
		if (tnGoesFirst(stream, order[at], order[child]) == false)
		{
			return;
		}
		const int held = order[at];
		order[at] = order[child];
		order[child] = held;
		at = child;
	}
}

static void tnSortOrder(tnStream* stream, int count)
{
	for (int i = count / 2 - 1; i >= 0; --i)
	{
		tnSink(stream, i, count);
	}
	for (int i = count - 1; i > 0; --i)
	{
		const int held = stream->order[0];
		stream->order[0] = stream->order[i];
		stream->order[i] = held;
		tnSink(stream, 0, i);
	}
}

// Look at all tiles. Returns how many want to be sent.
static int tnListTiles(tnStream* stream)
{
	int count = 0;
	for (int i = 0; i < stream->tileCount; ++i)
	{
		tnStreamTile* tile = stream->tiles + i;
		const tnStreamBox box = tnGetStreamBox(stream, i);
		const float weight = tnFindWeight(stream, box);
		if (weight == 0.0f)
		{
			continue;
		}
		bool foams;
		const uint32_t changes = tnGetChanges(stream, box, &foams);
		if (!tile->known || tile->needsKey || tile->seen != changes || foams || tile->channels != 0)
		{
			tnGetOld(stream, box, stream->old);
			tnFindTarget(stream, box, tile->needsKey || tile->sent == 0, stream->old, stream->target);
			tnCompareTile(stream, box, stream->old, stream->target, tile);
			tile->seen = changes;
			tile->known = true;
		}
		if (tile->sent == 0 || tile->needsKey)
		{
			tile->channels |= 1u << tn_bedChannel | 1u << tn_heightChannel;
			tile->urgency += 8.0f;
		}
		if (tile->channels != 0)
		{
			tile->age += 1;
			tile->urgency *= weight * (float)tile->age;
			stream->order[count++] = i;
		}
		else
		{
			tile->age = 0;
		}
	}
	tnSortOrder(stream, count);
	return count;
}

// ---------------------------------------------------------------------------------------------------------------------
// Messages

static uint8_t* tnOpenFlight(tnStream* stream, uint32_t number)
{
	const int slot = (int)(number % TN_STREAM_FLIGHT);
	if (stream->flightNumbers[slot] != 0 && stream->hasReceipts)
	{
		// Nobody has told of it for so long: it is lost.
		for (int i = 0; i < stream->tileCount; ++i)
		{
			tnStreamTile* tile = stream->tiles + i;
			const bool had = (stream->flight[slot][i / 8] >> i % 8 & 1) != 0;
			tile->needsKey = tile->needsKey || (had && tile->key <= stream->flightNumbers[slot]);
		}
	}
	memset(stream->flight[slot], 0, stream->flightBytes);
	stream->flightNumbers[slot] = number;
	return stream->flight[slot];
}

// The bits of a tile, into scratch. Returns how many bytes, 0 if they are too many.
static size_t tnCodeTile(tnStream* stream, int index, uint32_t* channels)
{
	tnStreamTile* tile = stream->tiles + index;
	const tnStreamBox box = tnGetStreamBox(stream, index);
	const bool isKey = tile->sent == 0 || tile->needsKey;
	tnGetOld(stream, box, stream->old);
	tnFindTarget(stream, box, isKey, stream->old, stream->target);
	*channels = tile->channels;
	if (isKey)
	{
		*channels |= stream->def.enableVelocity ? 1u << tn_velocityXChannel | 1u << tn_velocityZChannel : 0;
		*channels |= stream->def.enableFoam && stream->world->grid.foam != NULL ? 1u << tn_foamChannel : 0;
	}
	tnStreamTileCoding coding = {.columns = box.columns,
		.rows = box.rows,
		.channels = *channels,
		.isKey = isKey,
		.old = stream->old,
		.target = stream->target,
		.now = stream->now};
	tnStreamCoder coder;
	tnStreamCoder_BeginWriting(&coder, stream->scratch, TN_STREAM_TILE_BYTES);
	tnStreamTile_Code(&coder, &coding);
	const size_t bytes = tnStreamCoder_End(&coder);
	return coder.full ? 0 : bytes;
}

tnResult tnStream_Write(tnStream* stream, void* bytes, size_t capacity, size_t* size, tnStreamState* state)
{
	if (size != NULL)
	{
		*size = 0;
	}
	if (state != NULL)
	{
		*state = (tnStreamState){0};
	}
	tnResult result = stream == NULL ? tnFail(tn_invalidArgument, "stream must not be NULL") : tnSuccess();
	result = result.status == tn_ok ? tnWorld_CheckReady(stream->world) : result;
	if (result.status == tn_ok && (bytes == NULL || size == NULL))
	{
		result = tnFail(tn_invalidArgument, "%s must not be NULL", bytes == NULL ? "bytes" : "size");
	}
	if (result.status == tn_ok && capacity < TN_STREAM_HEADER)
	{
		result = tnFail(tn_invalidArgument, "capacity must be at least %d, got %zu", TN_STREAM_HEADER, capacity);
	}
	if (result.status != tn_ok)
	{
		return tnWorld_Report(stream != NULL ? stream->world : NULL, result);
	}
	const uint32_t number = stream->info.number + 1;
	uint8_t* flight = tnOpenFlight(stream, number);
	const int count = tnListTiles(stream);
	uint8_t* out = bytes;
	size_t at = TN_STREAM_HEADER;
	int sent = 0;
	for (int i = 0; i < count; ++i)
	{
		const int index = stream->order[i];
		tnStreamTile* tile = stream->tiles + index;
		if (capacity - at < TN_STREAM_TILE_HEAD)
		{
			break;
		}
		uint32_t channels;
		const size_t length = tnCodeTile(stream, index, &channels);
		if (length == 0 || length > capacity - at - TN_STREAM_TILE_HEAD)
		{
			// A smaller one may still fit, but not many are worth a try.
			if (i > sent + 3)
			{
				break;
			}
			continue;
		}
		const bool isKey = tile->sent == 0 || tile->needsKey;
		at += (size_t)tnStreamPutCount(out + at, (uint32_t)index);
		at += (size_t)tnStreamPutCount(out + at, (uint32_t)length);
		tnStreamPut(out + at, isKey ? 0 : tile->sent, 4);
		memcpy(out + at + 4, stream->scratch, length);
		at += 4 + length;
		tnPutNow(stream, tnGetStreamBox(stream, index), stream->now);
		tile->sent = number;
		tile->key = isKey ? number : tile->key;
		tile->needsKey = false;
		tile->channels = 0;
		tile->age = 0;
		flight[index / 8] |= (uint8_t)(1u << index % 8);
		sent += 1;
	}
	stream->info.number = number;
	stream->info.time = stream->world->time;
	tnPutStreamHeader(out, &stream->info, at);
	*size = at;
	if (state != NULL)
	{
		*state = (tnStreamState){number, sent, count - sent};
	}
	return result;
}

tnResult tnStream_TakeReceipt(tnStream* stream, const tnStreamReceipt* receipt)
{
	tnResult result = stream == NULL ? tnFail(tn_invalidArgument, "stream must not be NULL") : tnSuccess();
	if (result.status == tn_ok && receipt == NULL)
	{
		result = tnFail(tn_invalidArgument, "receipt must not be NULL");
	}
	if (result.status == tn_ok && receipt->newest > stream->info.number)
	{
		result = tnFail(tn_invalidArgument, "receipt: message %u was never sent, the last is %u",
			(unsigned)receipt->newest, (unsigned)stream->info.number);
	}
	if (result.status != tn_ok)
	{
		return tnWorld_Report(stream != NULL ? stream->world : NULL, result);
	}
	stream->hasReceipts = true;
	for (int slot = 0; slot < TN_STREAM_FLIGHT && receipt->newest >= stream->settled; ++slot)
	{
		const uint32_t number = stream->flightNumbers[slot];
		if (number == 0 || number > receipt->newest)
		{
			continue;
		}
		const uint32_t back = receipt->newest - number;
		const bool came = back == 0 || (back <= 64 && (receipt->before >> (back - 1) & 1u) != 0);
		for (int i = 0; i < stream->tileCount && !came; ++i)
		{
			tnStreamTile* tile = stream->tiles + i;
			const bool had = (stream->flight[slot][i / 8] >> i % 8 & 1) != 0;
			tile->needsKey = tile->needsKey || (had && tile->key <= number);
		}
		stream->flightNumbers[slot] = 0;
	}
	stream->settled = receipt->newest > stream->settled ? receipt->newest : stream->settled;
	return result;
}

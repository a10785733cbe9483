// SPDX-License-Identifier: MIT

// Where water can be heard. What it loses in power becomes heat, and a little of it sound: about the same share for falls,
// fronts and rapids, so power is what a host needs to set a volume by. All of it is found from the state after a step.
//
// Falling. Through a face over a ledge, with a free fall below, q dx rho g (difference of surfaces). Falls that leave the columns
// as spray are heard where it lands, with the kinetic energy that it brings.
//
// Breaking. A front is a run of cells over which the surface rises by more than TN_FRONT_SLOPE. Over the cells a scheme smears it,
// and only its ends matter: from depth h1 to h2 = h1 + rise, a bore or hydraulic jump loses (Chow 1959, 3-2; Stoker 1957, 10.7)
//
//   P = rho g q (h2 - h1)^3 / (4 h1 h2) per length,   q = sqrt(g h1 h2 (h1 + h2) / 2)
//
// with q the discharge through it in its own frame. Water has to run into it: its velocity falls from the low end to the high one
// by (h2 - h1) sqrt(g (h1 + h2) / (2 h1 h2)). Where it falls by less, so does the power; where it grows, the surface is that of
// water that runs off, and loses nothing. Rows see a front at an angle, and columns too: each counts the share of its axis in the
// slope, so that both together have the length of the front.
//
// Flowing. Friction, by Manning and by def.friction: rho |u|^2 (g n^2 |u| / h^(1/3) + friction h) per area. Where the world has
// none, the n of a natural stream: rivers are not silent because a host left friction out.

#include "sound.h"

#include "../core/numerics.h"
#include "../flow/cell_disc.h"
#include "../flow/grid_sample.h"

#include <math.h>
#include <string.h>

// Of a face over which water falls freely.
#define TN_FALL_SLOPE 1.0f
// Rise of the surface of a front over its way: flatter ones hardly make white water.
#define TN_FRONT_SLOPE 0.05f
// Manning's n of a clean natural stream (Chow 1959, table 5-6), s/m^(1/3).
#define TN_STREAM_ROUGHNESS 0.03f
// The fastest Froude number of one: films that nothing holds back run down a slope many times as fast.
#define TN_STREAM_FROUDE 2.0f
// Cells between those whose friction is heard, in both directions.
#define TN_FRICTION_STRIDE 2
// Most cells of a front, and the largest h2 / h1: the edge of a flood on dry ground is no jump.
#define TN_FRONT_CELLS 12
#define TN_FRONT_RATIO 10.0f
// Slower water is silent, m/s.
#define TN_QUIET_SPEED 0.1f
// Shallower water is silent, m.
#define TN_QUIET_DEPTH 1.0e-3f
// Blocks within this many of a louder one are part of its region.
#define TN_REGION_REACH 1

int tnSounds_CountColumns(const tnGrid* grid)
{
	return (grid->columnCount + TN_SOUND_BLOCK - 1) / TN_SOUND_BLOCK;
}

int tnSounds_CountBlocks(const tnGrid* grid)
{
	return tnSounds_CountColumns(grid) * ((grid->rowCount + TN_SOUND_BLOCK - 1) / TN_SOUND_BLOCK);
}

bool tnSounds_Prepare(tnSounds* sounds, tnMemory* memory, const tnGrid* grid)
{
	if (sounds->blocks != NULL)
	{
		return true;
	}
	const int count = tnSounds_CountBlocks(grid);
	tnSoundBlock* blocks = tnMemory_Alloc(memory, (size_t)count * sizeof(tnSoundBlock));
	int* order = tnMemory_Alloc(memory, (size_t)count * sizeof(int));
	if (blocks == NULL || order == NULL)
	{
		tnMemory_Free(memory, blocks, (size_t)count * sizeof(tnSoundBlock));
		tnMemory_Free(memory, order, (size_t)count * sizeof(int));
		return false;
	}
	*sounds = (tnSounds){blocks, order, count};
	return true;
}

void tnSounds_Destroy(tnSounds* sounds, tnMemory* memory)
{
	tnMemory_Free(memory, sounds->blocks, (size_t)sounds->blockCount * sizeof(tnSoundBlock));
	tnMemory_Free(memory, sounds->order, (size_t)sounds->blockCount * sizeof(int));
	memset(sounds, 0, sizeof(*sounds));
}

// ---------------------------------------------------------------------------------------------------------------------
// What a block has to tell

static void tnBook(tnSoundBlock* block, double* kind, double power, float x, float y, float z)
{
	*kind += power;
	block->x += power * x;
	block->y += power * y;
	block->z += power * z;
	block->square += power * ((double)x * x + (double)z * z);
}

static float tnGetSurface(const tnGrid* grid, ptrdiff_t cell)
{
	return grid->bed[cell] + tnGrid_GetHeight(grid, cell);
}

// Water that falls freely through the face between two cells.
static void tnHearFall(
	const tnSoundScan* scan, tnSoundBlock* block, ptrdiff_t first, ptrdiff_t second, float velocity, float x, float z)
{
	const tnGrid* grid = scan->grid;
	const ptrdiff_t high = velocity > 0.0f ? first : second;
	const ptrdiff_t low = velocity > 0.0f ? second : first;
	const float foot = tnGetSurface(grid, low);
	const float fall = grid->bed[high] - foot;
	if (velocity != 0.0f && fall > TN_FALL_SLOPE * grid->cellSize && fall <= scan->ledgeHeight)
	{
		const float discharge = tnAbsFloat(velocity) * tnGrid_GetUpwindSection(grid, first, second, velocity);
		const float power = TN_WATER_DENSITY * scan->gravity * discharge * grid->cellSize * (fall + grid->depth[high]);
		tnBook(block, &block->falling, power, x, foot, z);
	}
}

// How the surface changes through the face before a cell: 1 if it rises steeply, -1 if it falls so, else 0.
static int tnGetFrontSign(const tnGrid* grid, ptrdiff_t cell, ptrdiff_t before)
{
	const float first = tnGetSurface(grid, cell - before);
	const float second = tnGetSurface(grid, cell);
	const float rise = second - first;
	// Not where water runs down over a step.
	const float ground = tnMaxFloat(grid->bed[cell - before], grid->bed[cell]);
	const bool isWet = tnMinFloat(first, second) - ground > TN_QUIET_DEPTH;
	return isWet && tnAbsFloat(rise) > TN_FRONT_SLOPE * grid->cellSize ? (rise > 0.0f ? 1 : -1) : 0;
}

// Of a cell, as hosts read it.
static tnVec2 tnGetVelocity(const tnGrid* grid, int column, int row)
{
	tnVec2 velocity;
	tnGrid_CopyVelocityRow(grid, row, column, column + 1, &velocity.x, &velocity.z);
	return velocity;
}

static float tnGetSpeedAlong(const tnGrid* grid, int column, int row, bool alongX)
{
	const tnVec2 velocity = tnGetVelocity(grid, column, row);
	return alongX ? velocity.x : velocity.z;
}

// Share of an axis in the slope of the surface at a cell.
static float tnGetAxisShare(const tnGrid* grid, int column, int row, bool alongX)
{
	const int west = tnMaxInt(column - 1, 0);
	const int east = tnMinInt(column + 1, grid->columnCount - 1);
	const int north = tnMaxInt(row - 1, 0);
	const int south = tnMinInt(row + 1, grid->rowCount - 1);
	const float x =
		tnGetSurface(grid, tnGrid_Index(grid, east, row)) - tnGetSurface(grid, tnGrid_Index(grid, west, row));
	const float z =
		tnGetSurface(grid, tnGrid_Index(grid, column, south)) - tnGetSurface(grid, tnGrid_Index(grid, column, north));
	const float length = sqrtf(x * x + z * z);
	return length > 0.0f ? tnAbsFloat(alongX ? x : z) / length : 0.0f;
}

// Power per length of a front from depth h1 up by `rise`, into which water runs with a difference of speeds.
static float tnGetFrontPower(float g, float h1, float rise, float inrush)
{
	const float low = tnMaxFloat(h1, rise / (TN_FRONT_RATIO - 1.0f));
	const float high = low + rise;
	const float exact = rise * sqrtf(g * (low + high) / (2.0f * low * high));
	const float head = rise * rise * rise / (4.0f * low * high);
	const float power = TN_WATER_DENSITY * g * head * sqrtf(0.5f * g * low * high * (low + high));
	return power * tnClampFloat(inrush / exact, 0.0f, 1.0f);
}

// A front that begins at the face before a cell, if one does.
static void tnHearFront(const tnSoundScan* scan, tnSoundBlock* block, int column, int row, bool alongX)
{
	const tnGrid* grid = scan->grid;
	const ptrdiff_t before = alongX ? 1 : grid->stride;
	const ptrdiff_t cell = tnGrid_Index(grid, column, row);
	const int sign = tnGetFrontSign(grid, cell, before);
	const int place = alongX ? column : row;
	if (sign == 0 || (place > 1 && tnGetFrontSign(grid, cell - before, before) == sign))
	{
		return;
	}
	const int end = tnMinInt((alongX ? grid->columnCount : grid->rowCount) - place, TN_FRONT_CELLS);
	int length = 1;
	while (length < end && tnGetFrontSign(grid, cell + length * before, before) == sign)
	{
		length += 1;
	}
	const ptrdiff_t last = cell + (length - 1) * before;
	const float rise = tnAbsFloat(tnGetSurface(grid, last) - tnGetSurface(grid, cell - before));
	const float h1 = grid->depth[sign > 0 ? cell - before : last];
	const int steps = length - 1;
	const float u1 = tnGetSpeedAlong(grid, alongX ? column - 1 : column, alongX ? row : row - 1, alongX);
	const float u2 = tnGetSpeedAlong(grid, alongX ? column + steps : column, alongX ? row : row + steps, alongX);
	const int middle = place + (length - 1) / 2;
	const float share = tnGetAxisShare(grid, alongX ? middle : column, alongX ? row : middle, alongX);
	const float power = tnGetFrontPower(scan->gravity, h1, rise, u1 - u2) * grid->cellSize * share;
	const float along = (float)place + 0.5f * (float)(length - 1);
	tnBook(block, &block->breaking, power, (alongX ? along : (float)column + 0.5f) * grid->cellSize,
		tnMaxFloat(tnGetSurface(grid, last), tnGetSurface(grid, cell - before)),
		(alongX ? (float)row + 0.5f : along) * grid->cellSize);
}

// Friction of a cell that speaks for some around it.
static void tnHearFriction(
	const tnSoundScan* scan, tnSoundBlock* block, int column, int row, tnVec2 velocity, int cellCount)
{
	const tnGrid* grid = scan->grid;
	const ptrdiff_t cell = tnGrid_Index(grid, column, row);
	const float depth = grid->depth[cell];
	const bool isRough = scan->friction > 0.0f || scan->manning > 0.0f;
	const float limit = isRough ? TN_WALL : TN_STREAM_FROUDE * TN_STREAM_FROUDE * scan->gravity * depth;
	const float square = tnMinFloat(velocity.x * velocity.x + velocity.z * velocity.z, limit);
	if (square > TN_QUIET_SPEED * TN_QUIET_SPEED)
	{
		const float n = isRough ? scan->manning : TN_STREAM_ROUGHNESS;
		const float rough = scan->gravity * n * n * sqrtf(square) / (float)tnCubeRoot((double)depth);
		const float perArea = TN_WATER_DENSITY * square * (rough + scan->friction * depth);
		const float area = (float)cellCount * grid->cellSize * grid->cellSize;
		tnBook(block, &block->flowing, perArea * area, ((float)column + 0.5f) * grid->cellSize,
			tnGetSurface(grid, cell), ((float)row + 0.5f) * grid->cellSize);
	}
}

// What is steep in a row of a block. The low bits of a column are for the faces before its cells.
static void tnHearRow(const tnSoundScan* scan, tnSoundBlock* block, int row, int begin, uint32_t fronts, uint32_t falls)
{
	const tnGrid* grid = scan->grid;
	const float size = grid->cellSize;
	const float z = (float)row * size;
	const uint32_t above = 1u << TN_SOUND_BLOCK;
	for (int column = begin; (fronts | falls) != 0; ++column, fronts >>= 1, falls >>= 1)
	{
		const ptrdiff_t cell = tnGrid_Index(grid, column, row);
		const float x = (float)column * size;
		if ((falls & 1u) != 0)
		{
			tnHearFall(scan, block, cell - 1, cell, tnGrid_GetFaceVelocityX(grid, column, row), x, z + 0.5f * size);
		}
		if ((fronts & 1u) != 0)
		{
			tnHearFront(scan, block, column, row, true);
		}
		if ((falls & above) != 0)
		{
			tnHearFall(
				scan, block, cell - grid->stride, cell, tnGrid_GetFaceVelocityZ(grid, column, row), x + 0.5f * size, z);
		}
		if ((fronts & above) != 0)
		{
			tnHearFront(scan, block, column, row, false);
		}
		// What was above the cells of the next columns must not become what is before some.
		fronts &= ~above;
		falls &= ~above;
	}
}

static tnSoundCells tnGetSoundCells(const tnGrid* grid, const tnCellBox* box)
{
	const ptrdiff_t first = tnGrid_Index(grid, box->columnBegin, box->rowBegin);
	return (tnSoundCells){
		.bed = grid->bed + first,
		.depth = grid->depth + first,
		.lift = grid->lift != NULL ? grid->lift + first : NULL,
		.flows = {grid->flowX + first, grid->flowZ + first},
		.stride = grid->stride,
		.rowCount = box->rowEnd - box->rowBegin,
	};
}

// The bits of the columns of a box, in the low half.
static uint32_t tnGetColumnBits(const tnCellBox* box)
{
	return ((uint32_t)1 << (box->columnEnd - box->columnBegin)) - 1;
}

static void tnHearAllSteep(const tnSoundScan* scan, tnSoundBlock* block, const tnCellBox* box)
{
	const float size = scan->grid->cellSize;
	const tnSteepLimits limits = {TN_FRONT_SLOPE * size, TN_QUIET_DEPTH, TN_FALL_SLOPE * size};
	const tnSoundCells cells = tnGetSoundCells(scan->grid, box);
	tnSteepBits bits;
	if (!scan->kernels->findSteep(&cells, &limits, &bits))
	{
		return;
	}
	// Not through the edges of the world.
	const uint32_t columns = tnGetColumnBits(box);
	const uint32_t before = box->columnBegin == 0 ? columns & ~(uint32_t)1 : columns;
	for (int row = box->rowBegin; row < box->rowEnd; ++row)
	{
		const uint32_t known = before | (row > 0 ? columns << TN_SOUND_BLOCK : 0);
		const int i = row - box->rowBegin;
		tnHearRow(scan, block, row, box->columnBegin, bits.fronts[i] & known, bits.falls[i] & known);
	}
}

// The velocity of a cell is the mean of what two faces give it along each axis, and a face gives it no more than its own
// velocity, or its discharge over half of the depth of the cell: tnGrid_CopyVelocityRow. So where all four faces are slow, the
// cell is. The square is at most twice that of the fastest face: 0.7 of the speed asked for, and a little less.
static void tnHearAllFriction(const tnSoundScan* scan, tnSoundBlock* block, const tnCellBox* box)
{
	const tnGrid* grid = scan->grid;
	const tnSoundCells cells = tnGetSoundCells(grid, box);
	const float speed = 0.7f * TN_QUIET_SPEED;
	const bool isVelocity = tnGrid_StoresVelocity(grid);
	uint32_t bits[TN_SOUND_BLOCK];
	if (!scan->kernels->findFast(
			&cells, TN_QUIET_DEPTH, isVelocity ? speed : 0.0f, isVelocity ? 0.0f : 0.5f * speed, bits))
	{
		return;
	}
	for (int row = box->rowBegin; row < box->rowEnd; row += TN_FRICTION_STRIDE)
	{
		// Every second column.
		const uint32_t fast = bits[row - box->rowBegin] & tnGetColumnBits(box) & 0x5555u;
		if (fast == 0)
		{
			continue;
		}
		float u[TN_SOUND_BLOCK], w[TN_SOUND_BLOCK];
		tnGrid_CopyVelocityRow(grid, row, box->columnBegin, box->columnEnd, u, w);
		for (int i = 0; i < box->columnEnd - box->columnBegin; i += TN_FRICTION_STRIDE)
		{
			if ((fast >> i & 1u) != 0)
			{
				const int columns = tnMinInt(TN_FRICTION_STRIDE, box->columnEnd - box->columnBegin - i);
				const int rows = tnMinInt(TN_FRICTION_STRIDE, box->rowEnd - row);
				tnHearFriction(scan, block, box->columnBegin + i, row, (tnVec2){u[i], w[i]}, columns * rows);
			}
		}
	}
}

typedef struct tnHearing
{
	tnSounds* sounds;
	const tnSoundScan* scan;
} tnHearing;

static void tnHearBlock(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnHearing* hearing = context;
	const tnSoundScan* scan = hearing->scan;
	const tnGrid* grid = scan->grid;
	tnSoundBlock* block = hearing->sounds->blocks + item;
	memset(block, 0, sizeof(*block));
	const int columnBegin = item % tnSounds_CountColumns(grid) * TN_SOUND_BLOCK;
	const int rowBegin = item / tnSounds_CountColumns(grid) * TN_SOUND_BLOCK;
	const tnCellBox box = {columnBegin, tnMinInt(columnBegin + TN_SOUND_BLOCK, grid->columnCount), rowBegin,
		tnMinInt(rowBegin + TN_SOUND_BLOCK, grid->rowCount)};
	const int tile = rowBegin / TN_TILE_SIZE * scan->tiles->columnCount + columnBegin / TN_TILE_SIZE;
	// A host may have touched a tile that slept through the step: it is active then and wakes in the next.
	if (scan->tiles->awake[tile] != 0 || scan->tiles->active[tile] != 0)
	{
		tnHearAllSteep(scan, block, &box);
		tnHearAllFriction(scan, block, &box);
	}
	if (scan->splashes != NULL && scan->splashes[item] > 0.0f)
	{
		const ptrdiff_t middle = tnGrid_Index(grid, (columnBegin + box.columnEnd) / 2, (rowBegin + box.rowEnd) / 2);
		tnBook(block, &block->falling, scan->splashes[item],
			0.5f * (float)(columnBegin + box.columnEnd) * grid->cellSize, tnGetSurface(grid, middle),
			0.5f * (float)(rowBegin + box.rowEnd) * grid->cellSize);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Regions

static double tnGetPower(const tnSoundBlock* block)
{
	return block->falling + block->breaking + block->flowing;
}

static void tnJoinBlocks(tnSoundBlock* into, const tnSoundBlock* from)
{
	into->falling += from->falling;
	into->breaking += from->breaking;
	into->flowing += from->flowing;
	into->x += from->x;
	into->y += from->y;
	into->z += from->z;
	into->square += from->square;
}

// Is the first louder than the second? Equal ones in the order of their blocks.
static bool tnIsLouder(const tnSounds* sounds, int a, int b)
{
	const double first = tnGetPower(sounds->blocks + a);
	const double second = tnGetPower(sounds->blocks + b);
	return first > second || (first == second && a < b);
}

static void tnSinkDown(const tnSounds* sounds, int root, int count)
{
	for (int child = 2 * root + 1; child < count; root = child, child = 2 * root + 1)
	{
		if (child + 1 < count && tnIsLouder(sounds, sounds->order[child], sounds->order[child + 1]))
		{
			child += 1;
		}
		if (!tnIsLouder(sounds, sounds->order[root], sounds->order[child]))
		{
			return;
		}
		const int swapped = sounds->order[root];
		sounds->order[root] = sounds->order[child];
		sounds->order[child] = swapped;
	}
}

// Loudest first: a heap with the quietest on top is taken apart from behind.
static void tnSortOrder(tnSounds* sounds, int count)
{
	for (int root = count / 2 - 1; root >= 0; --root)
	{
		tnSinkDown(sounds, root, count);
	}
	for (int end = count - 1; end > 0; --end)
	{
		const int quietest = sounds->order[0];
		sounds->order[0] = sounds->order[end];
		sounds->order[end] = quietest;
		tnSinkDown(sounds, 0, end);
	}
}

static tnSound tnMakeSound(const tnGrid* grid, const tnSoundBlock* block)
{
	const double power = tnGetPower(block);
	const double x = block->x / power;
	const double z = block->z / power;
	const double spread = block->square / power - x * x - z * z;
	return (tnSound){
		.position = {grid->origin.x + (float)x, (float)(block->y / power), grid->origin.z + (float)z},
		.radius = tnMaxFloat(sqrtf(tnMaxFloat((float)spread, 0.0f)), grid->cellSize),
		.falling = (float)block->falling,
		.breaking = (float)block->breaking,
		.flowing = (float)block->flowing,
	};
}

// Blocks apart, along the longer axis.
static int tnGetBlockDistance(int columns, int a, int b)
{
	const int x = a % columns - b % columns;
	const int z = a / columns - b / columns;
	return tnMaxInt(x < 0 ? -x : x, z < 0 ? -z : z);
}

int tnSounds_Find(tnSounds* sounds, const tnSoundScan* scan, tnSound* found, int capacity)
{
	tnHearing hearing = {sounds, scan};
	tnParallelFor(scan->parallel, sounds->blockCount, tnHearBlock, &hearing);
	int heard = 0;
	for (int i = 0; i < sounds->blockCount; ++i)
	{
		if (tnGetPower(sounds->blocks + i) > 0.0)
		{
			sounds->order[heard++] = i;
		}
	}
	tnSortOrder(sounds, heard);
	// The first `count` of the order lead a region; what is not near any of them leads one of its own, while there is room.
	const int columns = tnSounds_CountColumns(scan->grid);
	int count = 0;
	for (int i = 0; i < heard; ++i)
	{
		const int block = sounds->order[i];
		int nearest = -1;
		int distance = count < capacity ? TN_REGION_REACH + 1 : scan->grid->columnCount + scan->grid->rowCount;
		for (int k = 0; k < count; ++k)
		{
			const int d = tnGetBlockDistance(columns, block, sounds->order[k]);
			if (d < distance)
			{
				nearest = k;
				distance = d;
			}
		}
		if (nearest >= 0)
		{
			tnJoinBlocks(sounds->blocks + sounds->order[nearest], sounds->blocks + block);
		}
		else
		{
			sounds->order[i] = sounds->order[count];
			sounds->order[count++] = block;
		}
	}
	tnSortOrder(sounds, count);
	int told = 0;
	for (int i = 0; i < count && tnGetPower(sounds->blocks + sounds->order[i]) >= (double)TN_QUIET_POWER; ++i)
	{
		found[told++] = tnMakeSound(scan->grid, sounds->blocks + sounds->order[i]);
	}
	return told;
}

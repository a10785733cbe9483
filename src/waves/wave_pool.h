// SPDX-License-Identifier: MIT

#pragma once

#include "../core/memory.h"
#include "../core/parallel.h"
#include "tarn/wave_def.h"

// The tiles of the wave layer: which there are, where they lie, who is beside whom, and the heights they lend each
// other. wave_tile_dealer.c says who gets one.
//
// All levels share one lattice of integers. Cell (column, row) of level l covers
//
//   [origin.x + column s, + s) x [origin.z + row s, + s),    s = cellSize 2^(l - finerLevels)
//
// so cell (c, r) of level l + 1 covers cells 2c, 2c + 1 and 2r, 2r + 1 of level l. Tile (c, r) of a level has its cells
// [64 c, 64 c + 64) x [64 r, 64 r + 64). Cells beyond the edges of the world may be part of a tile.
//
// Level `finerLevels` has the cells of the world.

enum
{
	TN_WAVE_TILE = 64,
	// Cells around a cell that a kernel of 49 taps looks at.
	TN_WAVE_REACH = 3,
	// Cells of its neighbours that a tile has a copy of: drift looks that far.
	TN_WAVE_HALO = 9,
	// Floats before the first cell of a row: the halo, and 64-byte alignment.
	TN_WAVE_PAD = 16,
	TN_WAVE_STRIDE = TN_WAVE_PAD + TN_WAVE_TILE + TN_WAVE_PAD,
	// Floats of a field with its halo.
	TN_WAVE_FIELD = (TN_WAVE_TILE + 2 * TN_WAVE_HALO) * TN_WAVE_STRIDE,
};

// Each is at tile->fields[kind][row * TN_WAVE_STRIDE + column], also for the halo. NULL where the layer has no use for it.
typedef enum tnWaveField
{
	tn_waveHeight = 0, // m
	tn_waveRate,       // m/s: how fast the height rises
	// 1, and towards a side where the band ends 0: waves fade there, and nothing comes in. Always between; no halo.
	tn_waveWindow,
	// Of tiles whose depth varies, or that have walls (`varied`); see wave_kernels.h. Halo of TN_WAVE_REACH, the mask: full,
	// because drift looks at it.
	tn_waveMask,
	tn_waveMaskSum,
	// The same, for one time step: these lie in one of pool->kept.
	tn_waveRest,
	tn_waveSlope,
	tn_waveBend,
	tn_waveSlopeRest, // fine kernel only
	tn_waveTwist,     // fine kernel only
	// The current, m/s, of tiles that drift. Full halo.
	tn_waveDriftX,
	tn_waveDriftZ,
	// Depth and highest amplitude of cells of varied tiles, m. Halo of TN_WAVE_DEPTH_HALO, and none.
	tn_waveDepth,
	tn_waveLimit,
	// What the flow offers, all zeros between times: heights, m, and potentials over gravity, m s, with a halo of TN_WAVE_REACH; and
	// what the rates of these come to. Layers that take from it only.
	tn_waveOfferedHeight,
	tn_waveOfferedPotential,
	tn_waveOfferedRate,
	tn_waveFieldCount,
} tnWaveField;

enum
{
	// Cells around a tile that have coefficients: their halo and one more for each K.
	TN_WAVE_FIT_HALO = TN_WAVE_REACH + 2,
	// And whose depth decides them, for a step of the bed is looked for around each.
	TN_WAVE_DEPTH_HALO = TN_WAVE_FIT_HALO + 1,
	// Fields that are kept for several time steps, from tn_waveRest on.
	TN_WAVE_KEPT_FIELDS = tn_waveTwist - tn_waveRest + 1,
	// Time steps that coefficients of a tile are kept for at most: all tiles have room for tnWavesDef.keptSteps, and as long as
	// others leave theirs for so many.
	TN_WAVE_MOST_KEPT = 4,
};

// Coefficients of a varied tile for one time step: wave_kept.c.
typedef struct tnWaveKept
{
	float* fields[TN_WAVE_KEPT_FIELDS]; // cell (0, 0)
	float timeStep;                     // s
	uint32_t use;                       // when they were last in use
} tnWaveKept;

typedef struct tnWaveTile
{
	int level, column, row;
	// Slots of the tiles around it, -1 for none: [3 * (rows down + 1) + columns right + 1], itself in the middle.
	int neighbours[9];
	float* fields[tn_waveFieldCount]; // cell (0, 0)
	float depth;                      // m; the mean of one that is varied
	float lowestLimit;                // the lowest amplitude at which waves break in it, m
	float fastest;                    // of the current along an axis, m/s, not above driftLimit
	float current;                    // the same before it was limited
	float driftLimit;                 // m/s
	float fitStep;                    // that its coefficients are made for, s; 0 for none
	int kept[TN_WAVE_MOST_KEPT];      // of pool->kept: coefficients for other time steps, and those in use
	int keptCount;
	float retire;     // 1; of a tile that goes, what is left of it, down to 0
	float restTime;   // s, since its waves became too low to count
	float windSquare; // of its waves, a mean over some periods, m^2: wave_wind.c
	float windGain;   // amplitude that the wind adds now, m
	bool used;
	bool wanted;
	bool retiring;
	bool rests;        // heights and rates are zero, and nothing changes them
	bool varied;       // needs the fields of varied depth
	bool windows;      // has a window that is not 1
	bool drifts;       // has a current
	bool fresh;        // dealt since coefficients were made last
	bool offered;      // there is something in its fields of that kind
	bool mustFill;     // in this step: coefficients for its time step must be made
	bool mustDrift;    // and the current must be limited anew
	uint32_t bedStamp; // of the bed that its coefficients are made of
} tnWaveTile;

// A tile that one would like to have.
typedef struct tnWavePlace
{
	int level, column, row;
} tnWavePlace;

typedef struct tnWavePool
{
	int levelCount, finerLevels;
	float cellSize[TN_MAX_WAVE_LEVELS]; // m
	tnVec2 origin;
	// Cells of the world in each level, those at its far edges perhaps only in part.
	int columnCount[TN_MAX_WAVE_LEVELS], rowCount[TN_MAX_WAVE_LEVELS];
	// The world goes on at its other side in this level.
	bool wrapX[TN_MAX_WAVE_LEVELS], wrapZ[TN_MAX_WAVE_LEVELS];

	tnWaveTile* tiles; // by slot
	// Room for tiles: those that may be dealt, or as many as there are places if that is less.
	int capacity;
	int allowance;               // tnWavesDef.tileCount, of which bodies and coarse levels have their shares
	bool has[tn_waveFieldCount]; // fields that the layer has a use for
	int* order;                  // slots in use: coarse levels first, then by row, then by column
	int count;
	int32_t* map; // slot + 1 by hash of level, column, row; open addressing
	int mapSize;  // a power of two
	bool waits;   // somebody did not get a tile because others still retire
	tnWaveKept* kept;
	int keptCapacity;
	int keptSteps; // coefficients that each tile can have
	int* freeKept;
	int freeKeptCount;
	int nextGiver; // slot, where to look for a tile that has more than its share
	uint32_t use;
	float* memory;
	size_t memoryFloats;
} tnWavePool;

// Without the fields of its tiles.
bool tnWavePool_Create(tnWavePool* pool, tnMemory* memory, const tnWavesDef* def, int columnCount, int rowCount,
	float cellSize, tnVec2 origin);
void tnWavePool_Destroy(tnWavePool* pool, tnMemory* memory);
// Before the first tile is taken. False if memory ran out.
bool tnWavePool_CreateFields(tnWavePool* pool, tnMemory* memory, const tnWavesDef* def);
// No tile may be in use any more.
void tnWavePool_FreeFields(tnWavePool* pool, tnMemory* memory);

// Which levels go on at the other side of a world that wraps: those whose tiles fill it exactly.
// @param columnCount, rowCount of the world
void tnWavePool_SetWrap(tnWavePool* pool, bool wrapX, bool wrapZ, int columnCount, int rowCount);

uint32_t tnHashWavePlace(int level, int column, int row);

// Slot of a tile, -1 if it is not there. Columns and rows wrap.
int tnWavePool_Find(const tnWavePool* pool, int level, int column, int row);

// Slot of one of the four tiles of the next finer level that a tile covers, by 2 * row + column; -1 if it is not there.
// Nothing wraps here: a tile of a level that does not fill a world of an odd number of tiles reaches over its edge, and
// what would lie there is the child of another.
int tnWavePool_FindChild(const tnWavePool* pool, const tnWaveTile* tile, int child);

// Give a place a tile, zeroed; -1 if there is none left. Call tnWavePool_Link when all changes are made.
int tnWavePool_Take(tnWavePool* pool, tnWavePlace place);
void tnWavePool_Release(tnWavePool* pool, int slot);
// Bring order, map and neighbours up to date.
void tnWavePool_Link(tnWavePool* pool);

// Copy what neighbours lend: `width` cells of a field all around. Zero where there is no neighbour.
void tnWavePool_Exchange(const tnWavePool* pool, int slot, tnWaveField field, int width);

// Something is put into a tile: it moves, and in the next step its neighbours do.
void tnWavePool_Wake(tnWavePool* pool, int slot);

// Which cell of a level a coordinate is in, rounded down; the rest, in [0, 1), may be NULL.
static inline int tnWavePool_GetCell(const tnWavePool* pool, int level, float coordinate, float origin, float* rest)
{
	const double cells = ((double)coordinate - origin) / pool->cellSize[level];
	const double whole = cells < -1.0e9 ? -1.0e9 : (cells > 1.0e9 ? 1.0e9 : cells);
	int cell = (int)whole;
	cell -= whole < cell;
	if (rest != NULL)
	{
		*rest = (float)(whole - cell);
	}
	return cell;
}

// Division by the size of a tile, rounded down.
static inline int tnGetWaveTileOf(int cell)
{
	return cell >= 0 ? cell / TN_WAVE_TILE : -((-cell + TN_WAVE_TILE - 1) / TN_WAVE_TILE);
}

// A place in a world that goes on at its other side.
static inline int tnWrapWaveIndex(int index, int count)
{
	const int rest = index % count;
	return rest < 0 ? rest + count : rest;
}

// All of a field with its halo, and how many floats that is. NULL as long as the pool has no fields.
float* tnWaveTile_GetMemory(const tnWaveTile* tile, tnWaveField field, size_t* floats);

// What a tile has is of a bed, or a place, that is no more.
void tnWavePool_ForgetKept(tnWavePool* pool, int slot);

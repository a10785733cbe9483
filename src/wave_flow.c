// SPDX-License-Identifier: MIT

// Short waves of the flow become waves of the layer.
//
// The flow moves all waves with sqrt(g H), which is right for waves much longer than the depth only. So every few steps
// a share of what is short goes from the flow to the layer, where it has its right speed. With S the surface of the flow
// and D = div q the rate at which it falls, both lose the same share of each wave, and the layer gets what they lose:
//
//   S -= K F(S)      layer height += K F(S)               K: positive Laplacian on the grid of the flow
//   D -= K F(D)      layer rate   -= K F(D)
//
// K F is the divergence of the gradient of F: depth moves through faces and no volume is lost, and the discharge changes
// by a gradient, so its eddies stay as they are. The total surface, and how fast it rises, stay as they are too. Where
// all short waves go to the layer, the flow moves as if it had a lid, and the pressure under the lid is in the layer: a
// whirl keeps turning, and the dent it makes is a forced wave of the layer.
//
// F picks what is short against the depth. On coarsened grids n = 0, 1, .. of cell size s_n = s 2^n, with R and U
// restriction and prolongation of wave_filter.c (polynomials of degree 5 pass unchanged):
//
//   S_0 = S,  S_(n+1) = R S_n        b_n = (1 - U R)^4 S_n        F = sum over n of U^n (r 4^n w_n b_n)
//
// (squared only for n = 0, where it costs most). r is the share per handover, w_n in [0, 1] says whether waves of grid n
// are deep: 1 up to s_n = 1.4 H, 0 from s_n = 2 H on. Per handover a wave loses r K b of its height:
//
//   cells of grid n    2    3     4     5      6       7       8        10
//   K b                4    2.95  0.93  0.079  0.0040  2.0e-4  1.2e-5   7e-8
//
// All grids together take about 2 r of all waves that are short enough. With r = 0.35 some fifteen times a second, those
// of up to 3 to 6 H (it depends on where H lies between the sizes of two grids) are gone within a fraction of a period,
// and those of 12 H keep more than 0.9995 of their height in a period.
//
// The bands of the layer hold waves of 4 to 12 of their cells, and know no others. b_n is 2 to 6 cells of its grid long,
// so its short part goes to the level of the layer with half the cells and its long part to that with the same cells:
//
//   c_n = r 4^n w_n b_n,    long part (2 U R - (U R)^2) c_n = U t_(n+1),    short part c_n - U t_(n+1)
//   potential of the level with cells s_(n-1):  U x_n,    x_n = c_n - U t_(n+1) + t_n         F = x_0 + U (x_1 + U (..
//
// The layer takes K of that on its own grid, by gradients of fourth order where it is coarser than the flow: what it gets
// and what the flow loses differ by interpolation only.
//
// Walls and shores: nothing passes a face unless both its cells are wet, awake, and not at a body, and w_n is 0 in cells
// of grid n that are not all wet. The filters see through walls: dry cells are given the mean surface of wet ones near
// by, from the finest grid that has some. So they do where the water sleeps. At wrapped edges the grid ends.
//
// All passes write rows of their own only and sum nothing, so bits do not depend on who computes what; every sum is
// written so that mirrored water has mirrored bits.

#include "wave_flow.h"

#include <math.h>
#include <string.h>

// What every processor of the target has: nothing is chosen at run time here.
#if defined(TN_HAVE_SSE2)
#define TN_SIMD_SSE2
#elif defined(TN_HAVE_NEON)
#define TN_SIMD_NEON
#elif defined(TN_HAVE_WASM) && defined(__wasm_simd128__)
#define TN_SIMD_WASM
#else
#define TN_SIMD_SCALAR
#endif
#include "simd.h"

enum
{
	// Grids that filters look at, and one more for what they leave out.
	tnMaxGrids = 18,
	// Rows that are one piece of work.
	tnBlockRows = 16,
	// How far restriction and prolongation reach: cells beside the two (one) that lie in the middle.
	tnRestrictReach = 5,
	tnProlongReach = 3,
	// Cells of a tile of the layer and 2 on each side, for gradients of fourth order.
	tnPatchSize = TN_WAVE_TILE + 4,
	tnFieldCount = 2, // surface and divergence
	// Rows of scratch memory.
	tnLineCount = 3,
	// Cells beside the world that tiles of the layer may look at.
	tnPatchBorder = 72,
	// Tiles are awake, or so many tiles away from such; this is far.
	tnFar = 3,
};

// Shares are taken about so often, s, but at most every so many steps.
#define TN_HANDOVER_TIME 0.07f
#define TN_MAX_HANDOVER_STEPS 8
// Share r per handover. Waves of 2 cells of the finest grid along both axes have a K of 8, and nothing may lose more than
// twice what it has. Coarser grids do not have such waves: restriction takes them.
#define TN_FINEST_SHARE 0.12f
#define TN_HANDOVER_SHARE 0.35f
// And per second, over the root of gravity over cell size. More would take from long waves.
#define TN_HANDOVER_RATE 5.0f
// Powers of 1 - U R.
#define TN_FINEST_ROUNDS 2
#define TN_ROUNDS 4
// Cells of grids whose waves are all deep, and of those whose waves are not, over the depth.
#define TN_DEEP_SIZE 1.4f
#define TN_SHALLOW_SIZE 2.0f
// Of the depth of the shallower cell, what a face may carry at once.
#define TN_MOST_DEPTH_SHARE 0.05f
// Water that is not known. No surface is that low.
#define TN_UNKNOWN -1.0e30f
// Surfaces round; what is smaller than this share of them (8 units in the last place) is no wave.
#define TN_ROUNDING (1.0f / 2097152.0f)

// Share of the height at which waves rest that wakes a tile.
#define TN_LEAST_HEIGHT 0.01f

static const float s_prolong[6] = {504.0f / 65536.0f, -3960.0f / 65536.0f, 18480.0f / 65536.0f, 55440.0f / 65536.0f,
	-5544.0f / 65536.0f, 616.0f / 65536.0f};

typedef struct tnHandoverGrid
{
	int columnCount, rowCount, stride;
	float cellSize;
	// Surface and divergence; then what is short of them; then potentials F.
	float* fields[tnFieldCount];
	// Means to fill gaps with; then what is long of the short; then what the finer grid leaves to this one. NULL for the
	// finest.
	float* spares[tnFieldCount];
	float* others[tnFieldCount];
	float* depths; // least depth below each cell, 0 if not all of it is wet, m; NULL for the finest
	// The part in use.
	int columnBegin, columnEnd, rowBegin, rowEnd;
	float share; // r 4^n
} tnHandoverGrid;

struct tnWaveHandover
{
	tnHandoverGrid grids[tnMaxGrids];
	int gridCount;
	int bandCount;     // grids that give something
	float* change;     // of each depth, m
	uint8_t* distance; // by tile of the flow
	// By cell, with a border: waves are handed over through its faces.
	uint8_t* open;
	int openStride;
	size_t openBytes;
	float* lowest; // by tile: of the surface
	float* memory;
	size_t memoryFloats;
	float* scratch; // by worker
	size_t scratchFloats;
	int workerCount, tileCount;
};

// ---------------------------------------------------------------------------------------------------------------------
// Memory

static int tnHalveUp(int count)
{
	return (count + 1) / 2;
}

static size_t tnGetLineFloats(const tnGrid* grid)
{
	return 2 * (size_t)grid->columnCount + 8 * TN_ROW_PAD;
}

bool tnWaves_CreateHandover(tnWaves* waves, tnMemory* memory, const tnGrid* grid, int workerCount)
{
	tnWaveHandover* handover = tnMemory_Alloc(memory, sizeof(tnWaveHandover));
	waves->handover = handover;
	if (handover == NULL)
	{
		return false;
	}
	const tnWavePool* pool = &waves->pool;
	// Grid n feeds the levels finerLevels + n - 1 and the next coarser one.
	handover->bandCount = tnMaxInt(pool->levelCount - pool->finerLevels, 0);
	int columns = grid->columnCount;
	int rows = grid->rowCount;
	size_t floats = 0;
	// Down to a single cell: what is dry in all cells of a grid but one still finds a surface in the next.
	bool single = false;
	for (int n = 0; n < tnMaxGrids && (n <= handover->bandCount || !single); ++n)
	{
		tnHandoverGrid* level = handover->grids + n;
		single = columns == 1 && rows == 1;
		level->columnCount = columns;
		level->rowCount = rows;
		level->stride = (columns + TN_ROW_PAD - 1) / TN_ROW_PAD * TN_ROW_PAD;
		level->cellSize = n == 0 ? grid->cellSize : 2.0f * handover->grids[n - 1].cellSize;
		// Two fields, their two spares, and depths; the finest has the changes instead.
		floats += (n == 0 ? 3u : 7u) * (size_t)level->stride * (size_t)rows;
		columns = tnHalveUp(columns);
		rows = tnHalveUp(rows);
		handover->gridCount = n + 1;
	}
	handover->tileCount = grid->tileColumnCount * grid->tileRowCount;
	handover->workerCount = workerCount;
	handover->scratchFloats = tnLineCount * tnGetLineFloats(grid) + 4 * (size_t)tnPatchSize * tnPatchSize;
	handover->memoryFloats = floats;
	bool ok = (handover->memory = tnMemory_Alloc(memory, floats * sizeof(float))) != NULL;
	handover->openStride = grid->columnCount + 2 * tnPatchBorder;
	handover->openBytes = (size_t)handover->openStride * (size_t)(grid->rowCount + 2 * tnPatchBorder);
	ok = ok && (handover->open = tnMemory_Alloc(memory, handover->openBytes)) != NULL;
	ok = ok && (handover->distance = tnMemory_Alloc(memory, (size_t)handover->tileCount)) != NULL;
	ok = ok && (handover->lowest = tnMemory_Alloc(memory, (size_t)handover->tileCount * sizeof(float))) != NULL;
	ok = ok &&
		(handover->scratch = tnMemory_Alloc(memory, handover->scratchFloats * (size_t)workerCount * sizeof(float))) !=
			NULL;
	if (!ok)
	{
		tnWaves_DestroyHandover(waves, memory);
		return false;
	}
	float* next = handover->memory;
	for (int n = 0; n < handover->gridCount; ++n)
	{
		tnHandoverGrid* level = handover->grids + n;
		const size_t area = (size_t)level->stride * (size_t)level->rowCount;
		for (int f = 0; f < tnFieldCount; ++f)
		{
			level->fields[f] = next;
			next += area;
			level->spares[f] = n > 0 ? next : NULL;
			next += n > 0 ? area : 0;
			level->others[f] = n > 0 ? next : NULL;
			next += n > 0 ? area : 0;
		}
		if (n == 0)
		{
			handover->change = next;
		}
		else
		{
			level->depths = next;
		}
		next += area;
	}
	return true;
}

void tnWaves_DestroyHandover(tnWaves* waves, tnMemory* memory)
{
	tnWaveHandover* handover = waves->handover;
	if (handover == NULL)
	{
		return;
	}
	tnMemory_Free(memory, handover->memory, handover->memoryFloats * sizeof(float));
	tnMemory_Free(memory, handover->open, handover->openBytes);
	tnMemory_Free(memory, handover->distance, (size_t)handover->tileCount);
	tnMemory_Free(memory, handover->lowest, (size_t)handover->tileCount * sizeof(float));
	tnMemory_Free(memory, handover->scratch, handover->scratchFloats * (size_t)handover->workerCount * sizeof(float));
	tnMemory_Free(memory, handover, sizeof(tnWaveHandover));
	waves->handover = NULL;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is looked at

// Where the coarse part of a filter goes.
typedef enum tnTarget
{
	tn_toFields,
	tn_toSpares,
	tn_toOthers,
} tnTarget;

// What all passes share.
typedef struct tnTaking
{
	tnWaves* waves;
	tnWaveHandover* handover;
	tnGrid* grid;
	const tnTiles* tiles;
	int n; // of the grid that the pass works on
	int field;
	float reference; // subtracted from all surfaces, m
	bool isCoarsest;
	tnTarget target; // what passes between grids write and read there
} tnTaking;

// Tiles of a row of tiles, as cells [begin, end) of the finest grid.
typedef struct tnRun
{
	int begin, end;
} tnRun;

// The next run of tiles that are at most so far from awake ones. Start with end 0.
static bool tnNextRun(const tnTaking* taking, int tileRow, int most, tnRun* run)
{
	const int tileColumnCount = taking->grid->tileColumnCount;
	const uint8_t* distance = taking->handover->distance + (ptrdiff_t)tileRow * tileColumnCount;
	int tile = (run->end + TN_TILE_SIZE - 1) / TN_TILE_SIZE;
	while (tile < tileColumnCount && distance[tile] > most)
	{
		tile += 1;
	}
	if (tile >= tileColumnCount)
	{
		return false;
	}
	run->begin = tile * TN_TILE_SIZE;
	while (tile < tileColumnCount && distance[tile] <= most)
	{
		tile += 1;
	}
	run->end = tnMinInt(tile * TN_TILE_SIZE, taking->grid->columnCount);
	return true;
}

// How far tiles are from awake ones, and the part of all grids that is in use.
static bool tnFindParts(tnTaking* taking)
{
	tnWaveHandover* handover = taking->handover;
	const tnGrid* grid = taking->grid;
	const int columnCount = grid->tileColumnCount;
	const int rowCount = grid->tileRowCount;
	memset(handover->distance, tnFar, (size_t)handover->tileCount);
	int low[2] = {columnCount, rowCount};
	int high[2] = {0, 0};
	for (int row = 0; row < rowCount; ++row)
	{
		for (int column = 0; column < columnCount; ++column)
		{
			if (!taking->tiles->awake[row * columnCount + column])
			{
				continue;
			}
			for (int r = tnMaxInt(row - 2, 0); r <= tnMinInt(row + 2, rowCount - 1); ++r)
			{
				for (int c = tnMaxInt(column - 2, 0); c <= tnMinInt(column + 2, columnCount - 1); ++c)
				{
					const int across = c < column ? column - c : c - column;
					const int down = r < row ? row - r : r - row;
					const int distance = tnMaxInt(across, down);
					uint8_t* place = handover->distance + r * columnCount + c;
					*place = (uint8_t)tnMinInt(*place, distance);
				}
			}
			low[0] = tnMinInt(low[0], column - 2);
			low[1] = tnMinInt(low[1], row - 2);
			high[0] = tnMaxInt(high[0], column + 3);
			high[1] = tnMaxInt(high[1], row + 3);
		}
	}
	if (high[0] == 0)
	{
		return false;
	}
	int columnBegin = tnMaxInt(low[0], 0) * TN_TILE_SIZE;
	int rowBegin = tnMaxInt(low[1], 0) * TN_TILE_SIZE;
	int columnEnd = tnMinInt(high[0] * TN_TILE_SIZE, grid->columnCount);
	int rowEnd = tnMinInt(high[1] * TN_TILE_SIZE, grid->rowCount);
	for (int n = 0; n < handover->gridCount; ++n)
	{
		tnHandoverGrid* level = handover->grids + n;
		level->columnBegin = columnBegin;
		level->rowBegin = rowBegin;
		level->columnEnd = columnEnd;
		level->rowEnd = rowEnd;
		columnBegin /= 2;
		rowBegin /= 2;
		columnEnd = tnHalveUp(columnEnd);
		rowEnd = tnHalveUp(rowEnd);
	}
	return true;
}

static float* tnGetScratch(const tnTaking* taking, int workerIndex)
{
	return taking->handover->scratch + taking->handover->scratchFloats * (size_t)workerIndex;
}

static float* tnGetRow(const tnHandoverGrid* level, float* field, int row)
{
	return field + (ptrdiff_t)row * level->stride;
}

static float* tnGetTarget(const tnTaking* taking, const tnHandoverGrid* level, int field)
{
	return taking->target == tn_toFields
		? level->fields[field]
		: (taking->target == tn_toSpares ? level->spares[field] : level->others[field]);
}

// Rows of a piece of work. Pieces begin at multiples of their size, so they lie in one row of tiles.
static tnRun tnGetRows(const tnHandoverGrid* level, int item)
{
	const int first = (level->rowBegin / tnBlockRows + item) * tnBlockRows;
	return (tnRun){tnMaxInt(first, level->rowBegin), tnMinInt(first + tnBlockRows, level->rowEnd)};
}

static int tnGetPieceCount(const tnHandoverGrid* level)
{
	return (level->rowEnd + tnBlockRows - 1) / tnBlockRows - level->rowBegin / tnBlockRows;
}

// ---------------------------------------------------------------------------------------------------------------------
// Filters

// out = sum of six rows times the weights of prolongation, in their order.
static void tnWeighSix(const float* const rows[6], float* restrict out, int count)
{
	int i = 0;
	for (; i + TN_SIMD_WIDTH <= count; i += TN_SIMD_WIDTH)
	{
		tnFloatW sum = tnMulW(tnSplatW(s_prolong[0]), tnLoadW(rows[0] + i));
		for (int q = 1; q < 6; ++q)
		{
			sum = tnAddW(sum, tnMulW(tnSplatW(s_prolong[q]), tnLoadW(rows[q] + i)));
		}
		tnStoreW(out + i, sum);
	}
	for (; i < count; ++i)
	{
		float sum = s_prolong[0] * rows[0][i];
		for (int q = 1; q < 6; ++q)
		{
			sum += s_prolong[q] * rows[q][i];
		}
		out[i] = sum;
	}
}

// The same for restriction: half of the sum of six pairs of rows.
static void tnWeighPairs(const float* const first[6], const float* const second[6], float* restrict out, int count)
{
	int i = 0;
	for (; i + TN_SIMD_WIDTH <= count; i += TN_SIMD_WIDTH)
	{
		tnFloatW sum = tnMulW(tnSplatW(0.5f * s_prolong[0]), tnAddW(tnLoadW(first[0] + i), tnLoadW(second[0] + i)));
		for (int q = 1; q < 6; ++q)
		{
			const tnFloatW pair = tnAddW(tnLoadW(first[q] + i), tnLoadW(second[q] + i));
			sum = tnAddW(sum, tnMulW(tnSplatW(0.5f * s_prolong[q]), pair));
		}
		tnStoreW(out + i, sum);
	}
	for (; i < count; ++i)
	{
		float sum = 0.5f * s_prolong[0] * (first[0][i] + second[0][i]);
		for (int q = 1; q < 6; ++q)
		{
			sum += 0.5f * s_prolong[q] * (first[q][i] + second[q][i]);
		}
		out[i] = sum;
	}
}

// Beyond the part in use water is as if in a mirror: waves stand at walls, and water that sleeps is level.
static int tnReflect(int cell, int begin, int end)
{
	const int low = cell < begin ? 2 * begin - 1 - cell : cell;
	const int high = low >= end ? 2 * end - 1 - low : low;
	return tnClampInt(high, begin, end - 1);
}

// Fill the ends of a line of cells [first, last) of which [from, to) are known.
static void tnReflectEnds(float* line, int first, int last, int from, int to, int begin, int end)
{
	for (int i = first; i < from; ++i)
	{
		line[i - first] = line[tnClampInt(tnReflect(i, begin, end), from, to - 1) - first];
	}
	for (int i = to; i < last; ++i)
	{
		line[i - first] = line[tnClampInt(tnReflect(i, begin, end), from, to - 1) - first];
	}
}

// Cell c of a line of restricted values takes from fine cells 2c - 5 to 2c + 6.
// @param line room for 4 (end - begin) + 24
static void tnCoarsenRow(const tnHandoverGrid* fine, const float* field, int row, int begin, int end,
	float* restrict out, float* restrict line)
{
	const int first = 2 * begin - tnRestrictReach;
	const int last = 2 * end + tnRestrictReach;
	const int from = tnMaxInt(first, fine->columnBegin);
	const int to = tnMinInt(last, fine->columnEnd);
	const float* above[6];
	const float* below[6];
	for (int q = 0; q < 6; ++q)
	{
		const int aboveRow = tnReflect(2 * row - 5 + 2 * q, fine->rowBegin, fine->rowEnd);
		const int belowRow = tnReflect(2 * row + 6 - 2 * q, fine->rowBegin, fine->rowEnd);
		above[q] = field + (ptrdiff_t)aboveRow * fine->stride + from;
		below[q] = field + (ptrdiff_t)belowRow * fine->stride + from;
	}
	tnWeighPairs(above, below, line + (from - first), to - from);
	tnReflectEnds(line, first, last, from, to, fine->columnBegin, fine->columnEnd);
	// Cells of even and of odd number, each in a row of its own: p[0] + p[11], p[2] + p[9], ..
	const int count = end - begin;
	float* even = line + (last - first);
	float* odd = even + count + 6;
	for (int i = 0; i < count + 5; ++i)
	{
		even[i] = line[2 * i];
		odd[i] = line[2 * i + 1];
	}
	const float* evens[6] = {even, even + 1, even + 2, even + 3, even + 4, even + 5};
	const float* odds[6] = {odd + 5, odd + 4, odd + 3, odd + 2, odd + 1, odd};
	tnWeighPairs(evens, odds, out, count);
}

// Cells [begin, end) of a row of the next finer grid, begin even.
// @param line room for 3 ((end - begin) / 2 + 8)
static void tnRefineRow(const tnHandoverGrid* coarse, const float* field, int fineRow, int begin, int end,
	float* restrict out, float* restrict line)
{
	// Rounded down also for rows before the first.
	const int row = fineRow >= 0 ? fineRow / 2 : -((1 - fineRow) / 2);
	const bool odd = fineRow != 2 * row;
	const int half = begin >= 0 ? begin / 2 : -((1 - begin) / 2);
	const int count = (end - begin + 1) / 2;
	const int first = half - tnProlongReach;
	const int last = half + count + tnProlongReach;
	const int from = tnClampInt(first, coarse->columnBegin, coarse->columnEnd - 1);
	const int to = tnClampInt(last, coarse->columnBegin + 1, coarse->columnEnd);
	const float* rows[6];
	for (int q = 0; q < 6; ++q)
	{
		const int at = odd ? row + 3 - q : row - 3 + q;
		rows[q] = field + (ptrdiff_t)tnReflect(at, coarse->rowBegin, coarse->rowEnd) * coarse->stride + from;
	}
	tnWeighSix(rows, line + (from - first), to - from);
	tnReflectEnds(line, first, last, from, to, coarse->columnBegin, coarse->columnEnd);
	// line[3] is the cell above the first two.
	float* even = line + (last - first);
	float* uneven = even + count;
	const float* evens[6] = {line, line + 1, line + 2, line + 3, line + 4, line + 5};
	const float* unevens[6] = {line + 6, line + 5, line + 4, line + 3, line + 2, line + 1};
	tnWeighSix(evens, even, count);
	tnWeighSix(unevens, uneven, count);
	const int whole = (end - begin) / 2;
	for (int i = 0; i < whole; ++i)
	{
		out[2 * i] = even[i];
		out[2 * i + 1] = uneven[i];
	}
	if (end - begin > 2 * whole)
	{
		out[2 * whole] = even[whole];
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// The flow as it is

// Discharge through the face between two cells, m^2/s.
static float tnGetDischarge(const tnGrid* grid, float flow, ptrdiff_t first, ptrdiff_t second)
{
	return tnGrid_StoresVelocity(grid) ? flow * tnGrid_GetUpwindSection(grid, first, second, flow) : flow;
}

// Is this a cell of the flow through whose faces waves are handed over? Ready for cells in tiles that are near.
static uint8_t* tnGetOpen(const tnWaveHandover* handover, int column, int row)
{
	return handover->open + (ptrdiff_t)(row + tnPatchBorder) * handover->openStride + column + tnPatchBorder;
}

// Is there a body in a cell or beside it? The heads below it are no surface, and what passes its faces is not velocity
// times depth.
static bool tnIsAtBody(const tnGrid* grid, ptrdiff_t cell)
{
	const float* lift = grid->lift;
	return lift != NULL &&
		(lift[cell] != 0.0f || lift[cell - 1] != 0.0f || lift[cell + 1] != 0.0f || lift[cell - grid->stride] != 0.0f ||
			lift[cell + grid->stride] != 0.0f);
}

// Surface and divergence of a row of cells.
static float tnReadRow(const tnTaking* taking, int row, tnRun run, bool moves)
{
	const tnGrid* grid = taking->grid;
	const tnHandoverGrid* level = taking->handover->grids;
	const ptrdiff_t index = tnGrid_Index(grid, 0, row);
	const float perSize = 1.0f / grid->cellSize;
	// Less water than this is shallow for all waves that its cells hold. A discharge taken from a film would be a gale.
	const float shallow = grid->cellSize * (1.0f / TN_SHALLOW_SIZE);
	float* surface = tnGetRow(level, level->fields[0], row);
	float* divergence = tnGetRow(level, level->fields[1], row);
	uint8_t* open = tnGetOpen(taking->handover, 0, row);
	float lowest = -TN_UNKNOWN;
	for (int column = run.begin; column < run.end; ++column)
	{
		const ptrdiff_t cell = index + column;
		const ptrdiff_t south = cell + grid->stride;
		const bool wet = grid->depth[cell] > shallow && !tnIsAtBody(grid, cell);
		open[column] = moves && wet;
		const float height = grid->bed[cell] + grid->depth[cell];
		surface[column] = wet ? height : TN_UNKNOWN;
		lowest = wet && height < lowest ? height : lowest;
		divergence[column] = 0.0f;
		if (wet && moves)
		{
			const float east = tnGetDischarge(grid, grid->flowX[cell + 1], cell, cell + 1);
			const float west = tnGetDischarge(grid, grid->flowX[cell], cell - 1, cell);
			const float below = tnGetDischarge(grid, grid->flowZ[south], cell, south);
			const float above = tnGetDischarge(grid, grid->flowZ[cell], cell - grid->stride, cell);
			divergence[column] = ((east - west) + (below - above)) * perSize;
		}
	}
	return lowest;
}

static void tnReadTile(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const tnGrid* grid = taking->grid;
	tnWaveHandover* handover = taking->handover;
	const tnHandoverGrid* level = handover->grids;
	const int tileRow = item / grid->tileColumnCount;
	const int begin = item % grid->tileColumnCount * TN_TILE_SIZE;
	const tnRun run = {begin, tnMinInt(begin + TN_TILE_SIZE, grid->columnCount)};
	const int distance = handover->distance[item];
	float lowest = -TN_UNKNOWN;
	const int rowEnd = tnMinInt((tileRow + 1) * TN_TILE_SIZE, grid->rowCount);
	for (int row = tileRow * TN_TILE_SIZE; row < rowEnd; ++row)
	{
		if (distance < 2)
		{
			lowest = tnMinFloat(lowest, tnReadRow(taking, row, run, distance == 0));
			continue;
		}
		float* surface = tnGetRow(level, level->fields[0], row);
		float* divergence = tnGetRow(level, level->fields[1], row);
		for (int column = run.begin; column < run.end && distance == 2; ++column)
		{
			surface[column] = TN_UNKNOWN;
			divergence[column] = 0.0f;
			*tnGetOpen(handover, column, row) = 0;
		}
	}
	handover->lowest[item] = lowest;
}

// Surfaces from the reference on.
static void tnSubtractReference(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const tnHandoverGrid* level = taking->handover->grids;
	const tnRun rows = tnGetRows(level, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		float* surface = tnGetRow(level, level->fields[0], row);
		tnRun run = {0, 0};
		while (tnNextRun(taking, row / TN_TILE_SIZE, 1, &run))
		{
			for (int i = run.begin; i < run.end; ++i)
			{
				surface[i] = surface[i] > TN_UNKNOWN ? surface[i] - taking->reference : TN_UNKNOWN;
			}
		}
	}
}

// Least depth below a cell of a grid, m; 0 if it is not all wet.
static float tnGetLeastDepth(const tnTaking* taking, int n, int column, int row)
{
	if (n == 0)
	{
		const float depth = taking->grid->depth[tnGrid_Index(taking->grid, column, row)];
		return depth > TN_DRY_DEPTH ? depth : 0.0f;
	}
	const tnHandoverGrid* level = taking->handover->grids + n;
	return level->depths[(ptrdiff_t)row * level->stride + column];
}

static void tnMeasureRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	const tnRun rows = tnGetRows(coarse, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		float* depths = tnGetRow(coarse, coarse->depths, row);
		const int below = tnMinInt(2 * row + 1, fine->rowCount - 1);
		for (int column = coarse->columnBegin; column < coarse->columnEnd; ++column)
		{
			const int east = tnMinInt(2 * column + 1, fine->columnCount - 1);
			const float above =
				tnMinFloat(tnGetLeastDepth(taking, n, 2 * column, 2 * row), tnGetLeastDepth(taking, n, east, 2 * row));
			const float under =
				tnMinFloat(tnGetLeastDepth(taking, n, 2 * column, below), tnGetLeastDepth(taking, n, east, below));
			depths[column] = tnMinFloat(above, under);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Filling of what is not known

// Is anything known below a cell of the second grid?
static bool tnIsRead(const tnTaking* taking, int column, int row, int most)
{
	const tnGrid* grid = taking->grid;
	const int tile = 2 * row / TN_TILE_SIZE * grid->tileColumnCount + 2 * column / TN_TILE_SIZE;
	return taking->handover->distance[tile] <= most;
}

// Means of what is known of four cells.
static void tnAverageRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	float* const* source = n == 0 ? fine->fields : fine->spares;
	const tnRun rows = tnGetRows(coarse, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		const int below = tnMinInt(2 * row + 1, fine->rowCount - 1);
		const float* s[2] = {tnGetRow(fine, source[0], 2 * row), tnGetRow(fine, source[0], below)};
		const float* d[2] = {tnGetRow(fine, source[1], 2 * row), tnGetRow(fine, source[1], below)};
		float* surface = tnGetRow(coarse, coarse->spares[0], row);
		float* divergence = tnGetRow(coarse, coarse->spares[1], row);
		for (int column = coarse->columnBegin; column < coarse->columnEnd; ++column)
		{
			surface[column] = TN_UNKNOWN;
			divergence[column] = 0.0f;
			if (n == 0 && !tnIsRead(taking, column, row, 1))
			{
				continue;
			}
			const int west = 2 * column;
			const int east = tnMinInt(west + 1, fine->columnCount - 1);
			const float values[4] = {s[0][west], s[0][east], s[1][west], s[1][east]};
			float known[4];
			for (int i = 0; i < 4; ++i)
			{
				known[i] = values[i] > TN_UNKNOWN ? 1.0f : 0.0f;
			}
			const float count = (known[0] + known[3]) + (known[1] + known[2]);
			if (count > 0.0f)
			{
				// Sums of opposite corners first: mirrored either way they are the same.
				const float high = ((known[0] > 0.0f ? values[0] : 0.0f) + (known[3] > 0.0f ? values[3] : 0.0f)) +
					((known[1] > 0.0f ? values[1] : 0.0f) + (known[2] > 0.0f ? values[2] : 0.0f));
				const float fast =
					(known[0] * d[0][west] + known[3] * d[1][east]) + (known[1] * d[0][east] + known[2] * d[1][west]);
				surface[column] = high / count;
				divergence[column] = fast / count;
			}
		}
	}
}

static void tnFillRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	float* const* target = n == 0 ? fine->fields : fine->spares;
	const tnRun rows = tnGetRows(fine, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		float* surface = tnGetRow(fine, target[0], row);
		float* divergence = tnGetRow(fine, target[1], row);
		const float* coarseSurface = tnGetRow(coarse, coarse->spares[0], row / 2);
		const float* coarseDivergence = tnGetRow(coarse, coarse->spares[1], row / 2);
		tnRun run = {n == 0 ? 0 : fine->columnBegin, n == 0 ? 0 : fine->columnEnd};
		while (n > 0 || tnNextRun(taking, row / TN_TILE_SIZE, 2, &run))
		{
			for (int i = run.begin; i < run.end; ++i)
			{
				if (!(surface[i] > TN_UNKNOWN))
				{
					surface[i] = coarseSurface[i / 2];
					divergence[i] = coarseDivergence[i / 2];
				}
			}
			if (n > 0)
			{
				break;
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What is short

// First round: the field of the next grid. Second: what is long of what is short of this one, to the spare of the next.
static void tnCoarsenRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	float* line = tnGetScratch(taking, workerIndex);
	const tnRun rows = tnGetRows(coarse, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		for (int f = 0; f < tnFieldCount; ++f)
		{
			float* out = tnGetRow(coarse, tnGetTarget(taking, coarse, f), row);
			if (n > 0)
			{
				tnCoarsenRow(fine, fine->fields[f], row, coarse->columnBegin, coarse->columnEnd,
					out + coarse->columnBegin, line);
				continue;
			}
			// Far from water that is awake there are the means, and then nothing.
			const float* mean = tnGetRow(coarse, coarse->spares[f], row);
			for (int i = coarse->columnBegin; i < coarse->columnEnd; ++i)
			{
				out[i] = taking->target == tn_toFields ? mean[i] : 0.0f;
			}
			tnRun run = {0, 0};
			while (tnNextRun(taking, 2 * row / TN_TILE_SIZE, 1, &run))
			{
				const int begin = run.begin / 2;
				tnCoarsenRow(fine, fine->fields[f], row, begin, tnHalveUp(run.end), out + begin, line);
			}
		}
	}
}

// Subtract what is long.
static void tnSharpenRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	float* line = tnGetScratch(taking, workerIndex);
	float* longer = line + tnGetLineFloats(taking->grid);
	const tnRun rows = tnGetRows(fine, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		for (int f = 0; f < tnFieldCount; ++f)
		{
			const float* source = tnGetTarget(taking, coarse, f);
			float* out = tnGetRow(fine, fine->fields[f], row);
			tnRun run = {n == 0 ? 0 : fine->columnBegin, n == 0 ? 0 : fine->columnEnd};
			while (n > 0 || tnNextRun(taking, row / TN_TILE_SIZE, 1, &run))
			{
				const int begin = run.begin / 2 * 2;
				tnRefineRow(coarse, source, row, begin, run.end, longer, line);
				for (int i = run.begin; i < run.end; ++i)
				{
					out[i] -= longer[i - begin];
				}
				if (n > 0)
				{
					break;
				}
			}
			// Around that nothing is short.
			tnRun ring = {0, 0};
			while (n == 0 && taking->target == tn_toFields && tnNextRun(taking, row / TN_TILE_SIZE, 2, &ring))
			{
				for (int i = ring.begin; i < ring.end; ++i)
				{
					const int tile = row / TN_TILE_SIZE * taking->grid->tileColumnCount + i / TN_TILE_SIZE;
					out[i] = taking->handover->distance[tile] > 1 ? 0.0f : out[i];
				}
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What is deep

// The level of the layer that a grid feeds.
static int tnGetFedLevel(const tnWavePool* pool, int n)
{
	return tnMaxInt(pool->finerLevels + n - 1, 0);
}

// Cells of that level along a cell of the grid.
static int tnGetFactor(const tnWavePool* pool, int n)
{
	return pool->finerLevels + n > 0 ? 2 : 1;
}

// 1 if cells are no larger than the depth, 0 from 1.5 times that on.
static float tnGetDepthWeight(float size, float depth)
{
	if (size <= TN_DEEP_SIZE * depth)
	{
		return 1.0f;
	}
	const float t =
		depth > 0.0f ? 1.0f - (size / depth - TN_DEEP_SIZE) * (1.0f / (TN_SHALLOW_SIZE - TN_DEEP_SIZE)) : 0.0f;
	return t > 0.0f ? t * t * (t * t) * t : 0.0f;
}

// How much of what comes to a cell of grid n the layer takes.
// @param slots of the tile looked at last: its column, and its slot
static float tnGetWindow(const tnWavePool* pool, int n, int column, int row, int slots[2])
{
	const int factor = tnGetFactor(pool, n);
	const int tileColumn = factor * column / TN_WAVE_TILE;
	if (slots[0] != tileColumn)
	{
		slots[0] = tileColumn;
		slots[1] = tnWavePool_Find(pool, tnGetFedLevel(pool, n), tileColumn, factor * row / TN_WAVE_TILE);
	}
	const int slot = slots[1];
	if (slot < 0 || pool->tiles[slot].retiring)
	{
		return 0.0f;
	}
	const tnWaveTile* tile = pool->tiles + slot;
	if (!tile->windows || tile->fields[tn_waveWindow] == NULL)
	{
		return 1.0f;
	}
	const ptrdiff_t cell = (ptrdiff_t)(factor * row % TN_WAVE_TILE) * TN_WAVE_STRIDE + factor * column % TN_WAVE_TILE;
	const float* window = tile->fields[tn_waveWindow] + cell;
	const ptrdiff_t down = factor == 2 ? TN_WAVE_STRIDE : 0;
	const int right = factor - 1;
	return 0.25f * ((window[0] + window[down + right]) + (window[right] + window[down]));
}

static bool tnIsAwake(const tnTaking* taking, int n, int column, int row)
{
	const tnGrid* grid = taking->grid;
	// The middle of a cell.
	const int c = tnMinInt((2 * column + 1) << n >> 1, grid->columnCount - 1) / TN_TILE_SIZE;
	const int r = tnMinInt((2 * row + 1) << n >> 1, grid->rowCount - 1) / TN_TILE_SIZE;
	return taking->handover->distance[r * grid->tileColumnCount + c] == 0;
}

// What is short becomes a potential.
static void tnWeighRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* level = taking->handover->grids + n;
	const tnWaves* waves = taking->waves;
	float* weights = tnGetScratch(taking, workerIndex);
	const tnRun rows = tnGetRows(level, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		float* surface = tnGetRow(level, level->fields[0], row);
		float* divergence = tnGetRow(level, level->fields[1], row);
		tnRun run = {n == 0 ? 0 : level->columnBegin, n == 0 ? 0 : level->columnEnd};
		while (n > 0 || tnNextRun(taking, row / TN_TILE_SIZE, 1, &run))
		{
			int slots[2] = {-1, -1};
			for (int i = run.begin; i < run.end; ++i)
			{
				const float depth = tnGetLeastDepth(taking, n, i, row);
				weights[i] = tnGetDepthWeight(level->cellSize, depth);
				if (weights[i] > 0.0f)
				{
					weights[i] *= tnIsAwake(taking, n, i, row) ? tnGetWindow(&waves->pool, n, i, row, slots) : 0.0f;
				}
				// Surfaces are sums of a bed and a depth.
				const float noise = TN_ROUNDING * (depth + tnAbsFloat(taking->reference));
				const float wave = surface[i];
				surface[i] = wave > noise ? wave - noise : (wave < -noise ? wave + noise : 0.0f);
			}
			for (int i = run.begin; i < run.end; ++i)
			{
				surface[i] *= level->share * weights[i];
				divergence[i] *= level->share * weights[i];
			}
			if (n > 0)
			{
				break;
			}
		}
	}
}

// Where a coarser grid was deep enough this is 1: keeps what prolongation spreads out of shallows.
static float tnGetShallowness(const tnTaking* taking, int n, int column, int row)
{
	const tnHandoverGrid* level = taking->handover->grids + n;
	const float depth = tnGetLeastDepth(taking, n, column, row);
	return tnClampFloat(4.0f * depth / level->cellSize - 1.0f, 0.0f, 1.0f);
}

// Add what a finer grid found long to what is short here: both are for the same level of the layer. Of the coarsest grid
// there is nothing but that.
static void tnJoinRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const tnHandoverGrid* level = taking->handover->grids + taking->n;
	const tnRun rows = tnGetRows(level, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		for (int f = 0; f < tnFieldCount; ++f)
		{
			float* restrict out = tnGetRow(level, level->fields[f], row);
			const float* restrict a = tnGetRow(level, level->spares[f], row);
			const float* restrict b = tnGetRow(level, level->others[f], row);
			const float keep = taking->isCoarsest ? 0.0f : 1.0f;
			for (int i = level->columnBegin; i < level->columnEnd; ++i)
			{
				out[i] = keep * out[i] + (a[i] + b[i]);
			}
		}
	}
}

// Add the potentials of coarser grids.
static void tnGatherRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* fine = taking->handover->grids + n;
	const tnHandoverGrid* coarse = fine + 1;
	float* line = tnGetScratch(taking, workerIndex);
	float* more = line + tnGetLineFloats(taking->grid);
	float* weights = more + tnGetLineFloats(taking->grid);
	const tnRun rows = tnGetRows(fine, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		tnRun run = {n == 0 ? 0 : fine->columnBegin, n == 0 ? 0 : fine->columnEnd};
		while (n > 0 || tnNextRun(taking, row / TN_TILE_SIZE, 1, &run))
		{
			const int begin = run.begin / 2 * 2;
			for (int i = run.begin; i < run.end; ++i)
			{
				weights[i] = tnGetShallowness(taking, n, i, row);
			}
			for (int f = 0; f < tnFieldCount; ++f)
			{
				float* restrict out = tnGetRow(fine, fine->fields[f], row);
				tnRefineRow(coarse, coarse->fields[f], row, begin, run.end, more, line);
				for (int i = run.begin; i < run.end; ++i)
				{
					out[i] += more[i - begin] * weights[i];
				}
			}
			if (n > 0)
			{
				break;
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// To the layer

// A square of a grid: potentials, and which cells are open.
typedef struct tnPotentialPatch
{
	float* values;
	float* open;
	int stride;
} tnPotentialPatch;

// K of the potential of some cells of a row of the patch. Gradients are those of the finer grid of the flow where this is
// coarser: of almost fourth order then.
static void tnGetChanges(
	const tnPotentialPatch* patch, int place, int count, float factor, float order, float* restrict out)
{
	const float* p = patch->values + place;
	const float* o = patch->open + place;
	const int s = patch->stride;
	const float near = 1.0f + 3.0f * order;
	const tnFloatW nearW = tnSplatW(near);
	const tnFloatW orderW = tnSplatW(order);
	const tnFloatW factorW = tnSplatW(-factor);
	int i = 0;
	for (; i + TN_SIMD_WIDTH <= count; i += TN_SIMD_WIDTH)
	{
		const tnFloatW here = tnLoadW(p + i);
		const int steps[4] = {1, -1, s, -s};
		tnFloatW flows[4];
		for (int k = 0; k < 4; ++k)
		{
			const int d = steps[k];
			const tnFloatW rise = tnSubW(tnLoadW(p + i + d), here);
			const tnFloatW wide = tnSubW(tnLoadW(p + i + 2 * d), tnLoadW(p + i - d));
			flows[k] = tnMulW(tnLoadW(o + i + d), tnSubW(tnMulW(nearW, rise), tnMulW(orderW, wide)));
		}
		const tnFloatW sum = tnAddW(tnAddW(flows[0], flows[1]), tnAddW(flows[2], flows[3]));
		tnStoreW(out + i, tnMulW(tnMulW(factorW, tnLoadW(o + i)), sum));
	}
	for (; i < count; ++i)
	{
		const float east = o[i + 1] * (near * (p[i + 1] - p[i]) - order * (p[i + 2] - p[i - 1]));
		const float west = o[i - 1] * (near * (p[i - 1] - p[i]) - order * (p[i - 2] - p[i + 1]));
		const float south = o[i + s] * (near * (p[i + s] - p[i]) - order * (p[i + 2 * s] - p[i - s]));
		const float north = o[i - s] * (near * (p[i - s] - p[i]) - order * (p[i - 2 * s] - p[i + s]));
		out[i] = -factor * o[i] * ((east + west) + (south + north));
	}
}

// Potentials and open cells of the square that a tile of a level covers, and 2 cells around it.
static void tnFetchPatch(const tnTaking* taking, int n, int field, int firstColumn, int firstRow, int size,
	const tnPotentialPatch* patch, float* line)
{
	const tnHandoverGrid* coarse = taking->handover->grids + n;
	const tnHandoverGrid* fine = taking->handover->grids + tnMaxInt(n - 1, 0);
	// As tnGetShallowness.
	const float perSize = 4.0f / fine->cellSize;
	for (int r = 0; r < size; ++r)
	{
		const int row = firstRow + r;
		float* values = patch->values + r * patch->stride;
		if (n == 0)
		{
			for (int c = 0; c < size; ++c)
			{
				const int column = firstColumn + c;
				const bool inside = column >= coarse->columnBegin && column < coarse->columnEnd &&
					row >= coarse->rowBegin && row < coarse->rowEnd &&
					taking->handover
							->distance[row / TN_TILE_SIZE * taking->grid->tileColumnCount + column / TN_TILE_SIZE] < 2;
				values[c] = inside ? tnGetRow(coarse, coarse->fields[field], row)[column] : 0.0f;
				patch->open[r * patch->stride + c] = inside && *tnGetOpen(taking->handover, column, row) ? 1.0f : 0.0f;
			}
			continue;
		}
		tnRefineRow(coarse, coarse->fields[field], row, firstColumn, firstColumn + size, values, line);
		for (int c = 0; c < size; ++c)
		{
			const int column = firstColumn + c;
			const bool inside =
				column >= fine->columnBegin && row >= fine->rowBegin && column < fine->columnEnd && row < fine->rowEnd;
			const float depth = inside ? tnGetLeastDepth(taking, n - 1, column, row) : 0.0f;
			patch->open[r * patch->stride + c] = depth > 0.0f ? 1.0f : 0.0f;
			values[c] *= tnClampFloat(depth * perSize - 1.0f, 0.0f, 1.0f);
		}
	}
}

// What grid n takes from the flow, at the cells of a tile.
static void tnGetTileChange(const tnTaking* taking, const tnWaveTile* tile, int field, float* scratch, float* change)
{
	const int n = taking->n;
	// Cells of grid n under the tile.
	const int factor = tnGetFactor(&taking->waves->pool, n);
	const int width = TN_WAVE_TILE / factor;
	const int column = tile->column * width;
	const int row = tile->row * width;
	float* line = scratch;
	float* memory = scratch + tnLineCount * tnGetLineFloats(taking->grid);
	const tnPotentialPatch patch = {memory, memory + tnPatchSize * tnPatchSize, tnPatchSize};
	if (n > 0)
	{
		// Potentials are for the grid of the flow.
		const float perCell = 1.0f / (float)(1 << (2 * (n - 1)));
		const float order = n > 1 ? 1.0f / 14.0f : 0.0f;
		tnFetchPatch(taking, n, field, 2 * column - 2, 2 * row - 2, tnPatchSize, &patch, line);
		for (int r = 0; r < TN_WAVE_TILE; ++r)
		{
			tnGetChanges(&patch, (r + 2) * tnPatchSize + 2, TN_WAVE_TILE, perCell, order, change + r * TN_WAVE_TILE);
		}
		return;
	}

	// What the flow itself loses; where the layer is finer with what prolongation looks at, and then prolonged.
	const int margin = factor == 2 ? tnProlongReach : 0;
	const int size = width + 2 * margin;
	float small[(TN_WAVE_TILE / 2 + 2 * tnProlongReach) * (TN_WAVE_TILE / 2 + 2 * tnProlongReach)];
	float* coarse = factor == 2 ? small : change;
	tnFetchPatch(taking, 0, field, column - margin - 2, row - margin - 2, size + 4, &patch, line);
	for (int r = 0; r < size; ++r)
	{
		tnGetChanges(&patch, (r + 2) * tnPatchSize + 2, size, 1.0f, 0.0f, coarse + r * size);
	}
	const tnHandoverGrid square = {.stride = size, .columnEnd = size, .rowEnd = size};
	for (int r = 0; r < TN_WAVE_TILE && factor == 2; ++r)
	{
		tnRefineRow(
			&square, small, r + 2 * margin, 2 * margin, 2 * margin + TN_WAVE_TILE, change + r * TN_WAVE_TILE, line);
	}
}

// Add what grid n gives to a tile.
static void tnFeedTile(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const tnWaves* waves = taking->waves;
	const tnWavePool* pool = &waves->pool;
	tnWaveTile* tile = pool->tiles + pool->order[item];
	const tnHandoverGrid* coarse = taking->handover->grids + taking->n;
	const int width = TN_WAVE_TILE / tnGetFactor(pool, taking->n);
	if (tile->level != tnGetFedLevel(pool, taking->n) || tile->retiring ||
		(tile->column + 1) * width <= coarse->columnBegin || tile->column * width >= coarse->columnEnd ||
		(tile->row + 1) * width <= coarse->rowBegin || tile->row * width >= coarse->rowEnd)
	{
		return;
	}
	float* scratch = tnGetScratch(taking, workerIndex);
	float* changes[tnFieldCount];
	float highest = 0.0f;
	for (int f = 0; f < tnFieldCount; ++f)
	{
		changes[f] =
			scratch + tnLineCount * tnGetLineFloats(taking->grid) + (size_t)(2 + f) * tnPatchSize * tnPatchSize;
		tnGetTileChange(taking, tile, f, scratch, changes[f]);
		for (int i = 0; i < TN_WAVE_TILE * TN_WAVE_TILE; ++i)
		{
			highest = tnMaxFloat(highest, tnAbsFloat(changes[f][i]));
		}
	}
	// Too little to wake it.
	if (!(highest > (tile->rests ? TN_LEAST_HEIGHT * waves->def.restHeight : 0.0f)))
	{
		return;
	}
	const bool masked = tile->varied && tile->fields[tn_waveMask] != NULL;
	for (int r = 0; r < TN_WAVE_TILE; ++r)
	{
		const ptrdiff_t at = (ptrdiff_t)r * TN_WAVE_STRIDE;
		for (int c = 0; c < TN_WAVE_TILE; ++c)
		{
			const float share = masked && !(tile->fields[tn_waveMask][at + c] > 0.0f) ? 0.0f : 1.0f;
			tile->fields[tn_waveHeight][at + c] += share * changes[0][r * TN_WAVE_TILE + c];
			tile->fields[tn_waveRate][at + c] -= share * changes[1][r * TN_WAVE_TILE + c];
		}
	}
	// Who is beside it wakes in the next step.
	tile->rests = false;
	tile->restTime = 0.0f;
}

// ---------------------------------------------------------------------------------------------------------------------
// From the flow

// Difference of potentials across a face, bounded by what the cells can bear.
static float tnGetFaceChange(const tnTaking* taking, const float* potential, ptrdiff_t first, ptrdiff_t second,
	float depthFirst, float depthSecond)
{
	(void)taking;
	const float most = TN_MOST_DEPTH_SHARE * tnMinFloat(depthFirst, depthSecond);
	return tnClampFloat(potential[second] - potential[first], -most, most);
}

static void tnPushFace(tnGrid* grid, float* flow, float change, ptrdiff_t first, ptrdiff_t second)
{
	// Depths are well above zero here.
	const float section = 0.5f * (grid->depth[first] + grid->depth[second]);
	*flow += tnGrid_StoresVelocity(grid) ? change * grid->cellSize / section : change * grid->cellSize;
}

// Changes of depth, and the discharge.
static void tnPushRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	tnGrid* grid = taking->grid;
	const tnHandoverGrid* level = taking->handover->grids;
	const tnRun rows = tnGetRows(level, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		tnRun run = {0, 0};
		while (tnNextRun(taking, row / TN_TILE_SIZE, 0, &run))
		{
			for (int column = run.begin; column < run.end; ++column)
			{
				const ptrdiff_t at = (ptrdiff_t)row * level->stride + column;
				taking->handover->change[at] = 0.0f;
				const uint8_t* open = tnGetOpen(taking->handover, column, row);
				const int openStride = taking->handover->openStride;
				if (!open[0])
				{
					continue;
				}
				const ptrdiff_t cell = tnGrid_Index(grid, column, row);
				const float* depth = grid->depth;
				const float* s = level->fields[0];
				const float* d = level->fields[1];
				const bool west = open[-1];
				const bool north = open[-openStride];
				const bool east = open[1];
				const bool south = open[openStride];
				const ptrdiff_t gridStride = grid->stride;
				const ptrdiff_t stride = level->stride;
				const float fromWest =
					west ? tnGetFaceChange(taking, s, at, at - 1, depth[cell], depth[cell - 1]) : 0.0f;
				const float fromEast =
					east ? tnGetFaceChange(taking, s, at, at + 1, depth[cell], depth[cell + 1]) : 0.0f;
				const float fromNorth =
					north ? tnGetFaceChange(taking, s, at, at - stride, depth[cell], depth[cell - gridStride]) : 0.0f;
				const float fromSouth =
					south ? tnGetFaceChange(taking, s, at, at + stride, depth[cell], depth[cell + gridStride]) : 0.0f;
				taking->handover->change[at] = (fromWest + fromEast) + (fromNorth + fromSouth);
				if (west)
				{
					tnPushFace(grid, grid->flowX + cell, d[at] - d[at - 1], cell - 1, cell);
				}
				if (north)
				{
					tnPushFace(grid, grid->flowZ + cell, d[at] - d[at - stride], cell - gridStride, cell);
				}
			}
		}
	}
}

static void tnMoveRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	tnGrid* grid = taking->grid;
	const tnHandoverGrid* level = taking->handover->grids;
	const tnRun rows = tnGetRows(level, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		const ptrdiff_t index = tnGrid_Index(grid, 0, row);
		const float* change = tnGetRow(level, taking->handover->change, row);
		tnRun run = {0, 0};
		while (tnNextRun(taking, row / TN_TILE_SIZE, 0, &run))
		{
			for (int column = run.begin; column < run.end; ++column)
			{
				const ptrdiff_t cell = index + column;
				const float old = grid->depth[cell];
				if (change[column] == 0.0f)
				{
					continue;
				}
				if (grid->residual != NULL)
				{
					// What rounding keeps from the depth comes next time.
					const float more = change[column] + grid->residual[cell];
					const float depth = old + more;
					grid->residual[cell] = more - (depth - old);
					grid->depth[cell] = depth;
				}
				else
				{
					grid->depth[cell] = old + change[column];
				}
				if (grid->previousDepth != NULL)
				{
					// What goes to the layer goes there as if it had always been there.
					grid->previousDepth[cell] = tnMaxFloat(grid->previousDepth[cell] + change[column], 0.0f);
				}
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------

static void tnRunRows(tnTaking* taking, tnParallel* parallel, int n, int rowsOf, tnItemFcn* fcn)
{
	taking->n = n;
	tnParallelFor(parallel, tnGetPieceCount(taking->handover->grids + rowsOf), fcn, taking);
}

// Coarse grids that are larger than all water is deep give nothing.
static int tnGetBandCount(const tnTaking* taking)
{
	int count = 0;
	while (count < taking->handover->bandCount &&
		tnGetDepthWeight(taking->handover->grids[count].cellSize, taking->grid->maxDepth) > 0.0f)
	{
		count += 1;
	}
	return count;
}

void tnWaves_TakeFromFlow(
	tnWaves* waves, tnGrid* grid, const tnTiles* tiles, tnParallel* parallel, int64_t stepCount, float timeStep)
{
	tnWaveHandover* handover = waves->handover;
	const int interval = tnClampInt((int)(TN_HANDOVER_TIME / timeStep), 1, TN_MAX_HANDOVER_STEPS);
	tnTaking taking = {.waves = waves, .handover = handover, .grid = grid, .tiles = tiles};
	if (handover == NULL || stepCount % interval != 0)
	{
		return;
	}
	const int bandCount = tnGetBandCount(&taking);
	if (bandCount == 0 || !tnFindParts(&taking))
	{
		return;
	}
	const float time = (float)interval * timeStep;
	float scale = 1.0f;
	for (int n = 0; n < bandCount; ++n)
	{
		const float rate = TN_HANDOVER_RATE * sqrtf(waves->gravity / handover->grids[n].cellSize);
		handover->grids[n].share = scale * tnMinFloat(n == 0 ? TN_FINEST_SHARE : TN_HANDOVER_SHARE, rate * time);
		scale *= 4.0f;
	}

	tnParallelFor(parallel, handover->tileCount, tnReadTile, &taking);
	taking.reference = -TN_UNKNOWN;
	for (int tile = 0; tile < handover->tileCount; ++tile)
	{
		taking.reference = tnMinFloat(taking.reference, handover->lowest[tile]);
	}
	if (!(taking.reference < -TN_UNKNOWN))
	{
		return;
	}
	tnRunRows(&taking, parallel, 0, 0, tnSubtractReference);
	for (int n = 0; n + 1 < handover->gridCount; ++n)
	{
		tnRunRows(&taking, parallel, n, n + 1, tnAverageRows);
	}
	for (int n = handover->gridCount - 2; n >= 0; --n)
	{
		tnRunRows(&taking, parallel, n, n, tnFillRows);
	}
	for (int n = 0; n < bandCount; ++n)
	{
		tnRunRows(&taking, parallel, n, n + 1, tnMeasureRows);
	}
	taking.target = tn_toFields;
	for (int n = 0; n < bandCount; ++n)
	{
		tnRunRows(&taking, parallel, n, n + 1, tnCoarsenRows);
	}
	for (int n = 0; n < bandCount; ++n)
	{
		const int rounds = n == 0 ? TN_FINEST_ROUNDS : TN_ROUNDS;
		for (int round = 0; round < rounds; ++round)
		{
			taking.target = round == 0 ? tn_toFields : tn_toSpares;
			if (round > 0)
			{
				tnRunRows(&taking, parallel, n, n + 1, tnCoarsenRows);
			}
			tnRunRows(&taking, parallel, n, n, tnSharpenRows);
		}
		tnRunRows(&taking, parallel, n, n, tnWeighRows);
		for (int round = 0; round < 2; ++round)
		{
			taking.target = round == 0 ? tn_toSpares : tn_toOthers;
			tnRunRows(&taking, parallel, n, n + 1, tnCoarsenRows);
			tnRunRows(&taking, parallel, n, n, tnSharpenRows);
		}
		if (n > 0)
		{
			tnRunRows(&taking, parallel, n, n, tnJoinRows);
		}
		taking.n = n;
		tnParallelFor(parallel, waves->pool.count, tnFeedTile, &taking);
	}
	taking.isCoarsest = true;
	tnRunRows(&taking, parallel, bandCount, bandCount, tnJoinRows);
	tnParallelFor(parallel, waves->pool.count, tnFeedTile, &taking);
	for (int n = bandCount - 1; n >= 0; --n)
	{
		tnRunRows(&taking, parallel, n, n, tnGatherRows);
	}
	tnRunRows(&taking, parallel, 0, 0, tnPushRows);
	tnRunRows(&taking, parallel, 0, 0, tnMoveRows);
}

// SPDX-License-Identifier: MIT

// What is short and deep becomes a potential: W b on each grid, and the sum of all grids.

#include "wave_handover_parts.h"

#include <math.h>
#include <string.h>

// Waves lower than this share of the depth stay in the flow, and those lower than the height at which the layer rests. Nobody
// sees them, and they do not keep the flow awake.
#define TN_LEAST_WAVE 4.0e-6f
// Surfaces round; what is smaller than this share of them (16 units in the last place) is no wave. In moving water 8 units
// are not enough.
#define TN_ROUNDING (1.0f / 1048576.0f)
// The flow moves waves of two cells along both axes with 2.8 times its speed over the size of a cell, 1/s, and some of what
// rounds does not add up to waves.
#define TN_FASTEST 4.0f

// K of a wave of the middle of a band, of cells of its grid.
#define TN_SHORT_BEND 3.0f
// Waves that are higher than this share of the depth are too high for linear ones: bores.
#define TN_STEEPEST 0.08f
// By so much less is taken of heights for each closed face around.
#define TN_WALL_SHARE 1.0f
#define TN_FINEST_WALL_SHARE 0.001f // it has waves as short as walls are near
// Potentials move their differences through faces: no more than a tenth of the depth.
#define TN_MOST_POTENTIAL 0.055f

float tnGetDepthWeight(float size, float depth)
{
	if (!(depth > 0.0f))
	{
		return 0.0f;
	}
	const float fallen = (size / depth - TN_DEEP_SIZE) * (1.0f / (TN_SHALLOW_SIZE - TN_DEEP_SIZE));
	const float t = tnClampFloat(1.0f - fallen, 0.0f, 1.0f);
	return t * t * t;
}

// Windows of some cells that lie in one tile of the layer: how much of what comes to them it takes.
static void tnGetWindows(const tnWavePool* pool, int slot, int factor, int row, tnRun run, float* windows)
{
	const tnWaveTile* tile = slot >= 0 ? pool->tiles + slot : NULL;
	const bool taken = tile != NULL && !tile->retiring;
	const bool varies = taken && tile->windows && tile->fields[tn_waveWindow] != NULL;
	const ptrdiff_t down = factor == 2 ? TN_WAVE_STRIDE : 0;
	const int right = factor - 1;
	for (int i = run.begin; i < run.end; ++i)
	{
		windows[i] = taken ? 1.0f : 0.0f;
		if (varies)
		{
			const ptrdiff_t cell =
				(ptrdiff_t)(factor * row % TN_WAVE_TILE) * TN_WAVE_STRIDE + factor * i % TN_WAVE_TILE;
			const float* window = tile->fields[tn_waveWindow] + cell;
			windows[i] = 0.25f * ((window[0] + window[down + right]) + (window[right] + window[down]));
		}
	}
}

// Tile of the flow that the middle of a cell of grid n is in.
static int tnGetTileOf(int n, int cell, int count)
{
	return tnMinInt((int)(((int64_t)2 * cell + 1) << n >> 1), count - 1) / TN_TILE_SIZE;
}

// Windows of a run of cells of a row, 0 where the flow sleeps.
static void tnFindWindows(const tnTaking* taking, int n, int row, tnRun run, float* windows)
{
	const tnGrid* grid = taking->grid;
	const tnWavePool* pool = &taking->waves->pool;
	const int factor = tnGetFactor(pool, n);
	const int level = tnGetFedLevel(pool, n);
	const int tileRow = tnGetTileOf(n, row, grid->rowCount);
	const int width = TN_WAVE_TILE / factor;
	// Cells of a tile of the flow.
	const int step = n < 6 ? TN_TILE_SIZE >> n : 1;
	for (int begin = run.begin; begin < run.end;)
	{
		const int end = tnMinInt(run.end, tnMinInt((begin / width + 1) * width, (begin / step + 1) * step));
		const int tile = tileRow * grid->tileColumnCount + tnGetTileOf(n, begin, grid->columnCount);
		const bool awake = taking->handover->distance[tile] == 0;
		const int slot = awake ? tnWavePool_Find(pool, level, begin / width, row / width) : -1;
		tnGetWindows(pool, slot, factor, row, (tnRun){begin, end}, windows);
		begin = end;
	}
}

// Three rows of a coarser grid around one of its rows, from a column before a run on; zeros beyond the part in use.
typedef struct tnRowsAround
{
	const float* rows[3];
	int begin, count; // columns that are looked at
	int skipped;      // of them before those that there are
	int known;
} tnRowsAround;

static tnRowsAround tnGetRowsAround(
	const tnTaking* taking, const tnHandoverGrid* wide, const float* field, int row, tnRun columns)
{
	tnRowsAround around = {.begin = columns.begin - 1, .count = columns.end - columns.begin + 2};
	const int from = tnClampInt(around.begin, wide->columnBegin, wide->columnEnd);
	const int to = tnClampInt(columns.end + 1, from, wide->columnEnd);
	around.skipped = from - around.begin;
	around.known = to - from;
	for (int i = 0; i < 3; ++i)
	{
		const int at = row - 1 + i;
		const bool inside = at >= wide->rowBegin && at < wide->rowEnd;
		around.rows[i] = inside ? field + (ptrdiff_t)at * wide->stride + from : taking->handover->zeros;
	}
	return around;
}

// The largest depths around cells of a run of a row, and of what is within four cells of it.
static void tnFindDeepest(const tnTaking* taking, int n, int row, tnRun run, float* line, float* out)
{
	const tnHandoverGrid* wide = taking->handover->grids + n + 2;
	const tnRun columns = {run.begin / 4, (run.end + 3) / 4};
	const tnRowsAround around = tnGetRowsAround(taking, wide, wide->deepest, row / 4, columns);
	memset(line, 0, (size_t)around.count * sizeof(float));
	for (int i = 0; i < around.known; ++i)
	{
		line[around.skipped + i] = tnMaxFloat(around.rows[1][i], tnMaxFloat(around.rows[0][i], around.rows[2][i]));
	}
	for (int i = columns.begin; i < columns.end; ++i)
	{
		const float* middle = line + (i - around.begin);
		const float deepest = tnMaxFloat(middle[0], tnMaxFloat(middle[-1], middle[1]));
		// There is room for three more.
		for (int k = 0; k < 4; ++k)
		{
			out[4 * i + k] = deepest;
		}
	}
}

// How many faces are closed near cells of a run of a row.
static void tnFindWalls(const tnTaking* taking, int n, int row, tnRun run, float* line, float* out)
{
	const tnHandoverGrid* level = taking->handover->grids + n;
	const tnHandoverGrid* wide = level + 1;
	const tnRun columns = {run.begin / 2, tnHalveUp(run.end)};
	const tnRowsAround around = tnGetRowsAround(taking, wide, wide->walls, row / 2, columns);
	// Edges of the world beyond which there is no mirror image are walls.
	const float edge = (float)(6 << n);
	const float here = row + 6 > level->rowCount && !level->mirrorsRows ? edge : 0.0f;
	memset(line, 0, (size_t)around.count * sizeof(float));
	for (int i = 0; i < around.known; ++i)
	{
		line[around.skipped + i] = around.rows[1][i] + (around.rows[0][i] + around.rows[2][i]);
	}
	for (int i = columns.begin; i < columns.end; ++i)
	{
		const float* middle = line + (i - around.begin);
		const float sum = here + (middle[0] + (middle[-1] + middle[1]));
		out[2 * i] = sum;
		out[2 * i + 1] = sum;
	}
	for (int i = tnMaxInt(level->columnCount - 6, run.begin); i < run.end && !level->mirrorsColumns; ++i)
	{
		out[i] += edge;
	}
}

static void tnWeighRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* level = taking->handover->grids + n;
	const tnWaves* waves = taking->waves;
	float* windows = taking->handover->scratch[workerIndex].lines[0];
	float* deepest = taking->handover->scratch[workerIndex].lines[1];
	float* walls = taking->handover->scratch[workerIndex].lines[2];
	float* line = taking->handover->scratch[workerIndex].lines[3];
	// Surfaces are sums of a bed and a depth: they round. And the layer is at rest below a height. Of K of a surface, what is
	// worth of cells of this size.
	const float perHeight = TN_SHORT_BEND / (float)(1 << (2 * n));
	const tnHandoverWeight base = {
		.share = level->share,
		.rateShare = level->rateShare,
		.leastSection = taking->fixedSection,
		// What is not sharply cut is for water that is deep for waves of the next grid too.
		.cellSize = n == 0 ? 2.0f * level->cellSize : level->cellSize,
		.nextSize = n + 1 < taking->handover->bandCount ? 2.0f * level->cellSize : INFINITY,
		.noisePerDepth = perHeight * (TN_ROUNDING + TN_LEAST_WAVE),
		.noise = perHeight * (TN_ROUNDING * tnAbsFloat(taking->reference) + waves->def.restHeight),
		.ratePerHeight =
			TN_FASTEST * sqrtf(waves->gravity * taking->grid->maxDepth) / level->cellSize * (1.0f / perHeight),
		.steep = perHeight * TN_STEEPEST,
		.perWall = n > 0 ? TN_WALL_SHARE : TN_FINEST_WALL_SHARE,
		.mostPerDepth = TN_MOST_POTENTIAL * (float)(1 << n),
	};
	const tnRun rows = tnGetRows(level, item);
	for (int row = rows.begin; row < rows.end; ++row)
	{
		const float* depths =
			n == 0 ? taking->grid->depth + tnGrid_Index(taking->grid, 0, row) : tnGetRow(level, level->depths, row);
		tnRun run = {0, -1};
		while (tnNextRun(taking, n, row, 1, &run))
		{
			tnFindWindows(taking, n, row, run, windows);
			// Two rows have the same, each run in its own columns.
			if (row == rows.begin || row % 2 == 0)
			{
				tnFindDeepest(taking, n, row, run, line, deepest);
				tnFindWalls(taking, n, row, run, line, walls);
			}
			tnHandoverWeight weight = base;
			weight.walls = walls + run.begin;
			weight.depths = depths + run.begin;
			weight.deepest = deepest + run.begin;
			weight.windows = windows + run.begin;
			weight.softHeight = level->isSharp ? tnGetRow(level, level->softs[0], row) + run.begin : NULL;
			weight.softRate = level->isSharp ? tnGetRow(level, level->softs[1], row) + run.begin : NULL;
			taking->rows->weigh(tnGetRow(level, level->fields[0], row) + run.begin,
				tnGetRow(level, level->fields[1], row) + run.begin, &weight, run.end - run.begin);
		}
	}
}

void tnWeighShort(tnTaking* taking, tnParallel* parallel, int n)
{
	tnRunRows(taking, parallel, n, n, tnWeighRows);
}

// Add the potentials of coarser grids, but not in shallows.
static void tnGatherRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const tnHandoverGrid* fine = taking->handover->grids + taking->n;
	const tnHandoverGrid* coarse = fine + 1;
	float* line = taking->handover->scratch[workerIndex].lines[0];
	const tnRun rows = tnGetRows(fine, item);
	const int begin = fine->columnBegin / 2 * 2;
	for (int row = rows.begin; row < rows.end; ++row)
	{
		const float* depths = tnGetRow(fine, fine->depths, row) + begin;
		for (int f = 0; f < tnFieldCount; ++f)
		{
			const int count =
				tnRefineAcross(taking, coarse, coarse->fields[f], row, (tnRun){begin, fine->columnEnd}, line);
			float* out = tnGetRow(fine, fine->fields[f], row) + begin;
			taking->rows->deepenAlong(line, depths, tnGetDeepScale(fine->cellSize), out, out, count);
		}
	}
}

void tnGatherPotentials(tnTaking* taking, tnParallel* parallel, int n)
{
	tnRunRows(taking, parallel, n, n, tnGatherRows);
}

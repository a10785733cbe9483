// SPDX-License-Identifier: MIT

// What is short and deep becomes a potential: F = r 4^n w_n b_n on each grid, and the sum of all grids.

#include "wave_handover_parts.h"

#include <math.h>

// Waves lower than this share of the depth stay in the flow, and those lower than the height at which the layer rests. Nobody
// sees them, and they do not keep the flow awake.
#define TN_LEAST_WAVE 4.0e-6f
// Surfaces round; what is smaller than this share of them (16 units in the last place) is no wave. In moving water 8 units
// are not enough.
#define TN_ROUNDING (1.0f / 1048576.0f)
// The flow moves waves of two cells along both axes with 2.8 times its speed over the size of a cell, 1/s, and some of what
// rounds does not add up to waves.
#define TN_FASTEST 4.0f

float tnGetDepthWeight(float size, float depth)
{
	if (!(depth > 0.0f))
	{
		return 0.0f;
	}
	const float fallen = (size / depth - TN_DEEP_SIZE) * (1.0f / (TN_SHALLOW_SIZE - TN_DEEP_SIZE));
	const float t = tnClampFloat(1.0f - fallen, 0.0f, 1.0f);
	return t * t * (t * t) * t;
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

static void tnWeighRows(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	const int n = taking->n;
	const tnHandoverGrid* level = taking->handover->grids + n;
	const tnWaves* waves = taking->waves;
	float* windows = taking->handover->scratch[workerIndex].lines[0];
	// Surfaces are sums of a bed and a depth: they round. And the layer is at rest below a height.
	tnHandoverWeight weight = {
		.share = level->share,
		// What is not sharply cut is for water that is deep for waves of the next grid too.
		.cellSize = n == 0 ? 2.0f * level->cellSize : level->cellSize,
		.nextSize = n + 1 < taking->handover->bandCount ? 2.0f * level->cellSize : INFINITY,
		.noisePerDepth = TN_ROUNDING + TN_LEAST_WAVE,
		.noise = TN_ROUNDING * tnAbsFloat(taking->reference) + waves->def.restHeight,
		.ratePerHeight = TN_FASTEST * sqrtf(waves->gravity * taking->grid->maxDepth) / level->cellSize,
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
			weight.depths = depths + run.begin;
			weight.windows = windows + run.begin;
			weight.softSurface = level->isSharp ? tnGetRow(level, level->spares[0], row) + run.begin : NULL;
			weight.softDivergence = level->isSharp ? tnGetRow(level, level->spares[1], row) + run.begin : NULL;
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
				tnRefineAcross(taking, coarse, coarse->fields[f], row, (tnRun){begin, fine->columnEnd}, true, line);
			float* out = tnGetRow(fine, fine->fields[f], row) + begin;
			taking->rows->deepenAlong(line, depths, tnGetDeepScale(fine->cellSize), out, out, count);
		}
	}
}

void tnGatherPotentials(tnTaking* taking, tnParallel* parallel, int n)
{
	tnRunRows(taking, parallel, n, n, tnGatherRows);
}

// SPDX-License-Identifier: MIT

// The step of the wave layer. Tiles of all levels are moved alike and at the same time; bands know nothing of each
// other. A pass over tiles writes only what is theirs, so it may be dealt to workers in any way:
//
//   copy what neighbours lend -> move heights and rates -> [copy -> carry them along] -> break -> rest

#include "../core/core.h"
#include "../core/numerics.h"
#include "wave_kept_coefficients.h"
#include "wave_shore.h"
#include "wave_swell.h"
#include "wave_tile_fit.h"
#include "wave_wind.h"
#include "waves.h"

#include <math.h>
#include <string.h>

enum
{
	// Tiles are dealt anew every so many steps at most.
	TN_DEAL_PERIOD = 8,
	// Ripples are moved, and energy is handed down at shores, every so many steps: both are slow.
	TN_SLOW_PERIOD = 4,
};

// (k dx)^2 / K(k dx) of waves of TN_WAVE_TYPICAL_CELLS: the Laplacian of the grid is lower than k^2, by 2 % for waves of 12
// cells and by 15 % for those of 4.5.
#define TN_VISCOUS_SHARE 1.0714

// By how much phase speeds may be off because kernels are those of a time step nearby, a share.
#define TN_STEP_ERROR 0.002

// Seconds in which a tile that nobody wants any more fades, and for which waves must be too low to count.
#define TN_RETIRE_TIME 0.5f
#define TN_WAVE_REST_TIME 1.0f

// Cells that waves may be carried along at once. A wave of 4 cells then turns by half a radian, and loses t^4/24 of
// itself: 0.2 %, less than by going in shorter steps.
#define TN_MAX_DRIFT 0.3f
// And for how many steps they may wait for it.
#define TN_MAX_DRIFT_STEPS 4

// ---------------------------------------------------------------------------------------------------------------------
// Preparing

// Ottosson's kernel (2011, table 4.1, 7 pixels): weight of the impulse -5.91 g j / sqrt(2 pi), with j the middle of the
// octave of 6 to 12 cells; exp(-(0.53 r)^2) around. In shallow water weights are clamped so that the longest waves are no
// faster than sqrt(g H), and in long steps so that the shortest are stable: that one goes with 1.01 times the weight, and
// must stay below 4 in units of the step.
// @param perStep gravity timeStep^2 / cellSize
static tnWaveCoefficients tnGetGaussian(float depthInCells, double perStep)
{
	const double falloff = 0.53 * 0.53;
	double taps = 0.0;
	for (int r = -3; r <= 3; ++r)
	{
		taps += tnExp(-falloff * r * r);
	}
	double weight = 5.91 / sqrt(2.0 * 3.14159265358979) * (1.5 * 2.0 * 3.14159265358979 / 12.0);
	const double shallow = 4.0 * falloff * depthInCells;
	weight = weight < shallow ? weight : shallow;
	const double stable = 3.8 / perStep;
	weight = weight < stable ? weight : stable;
	return (tnWaveCoefficients){(float)-weight, (float)(weight / (taps * taps)), (float)falloff, 0.0f};
}

// Kernels for a time step: found among those that are kept, or made. Returns which.
static int tnFindTable(tnWaves* waves, int level, float timeStep)
{
	float* steps = waves->tableSteps[level];
	for (int i = 0; i < TN_WAVE_TABLES; ++i)
	{
		if (steps[i] == timeStep)
		{
			return i;
		}
	}
	const int index = waves->nextTables[level];
	waves->nextTables[level] = (index + 1) % TN_WAVE_TABLES;
	steps[index] = timeStep;
	tnMakeWaveTable(waves->tables + level * TN_WAVE_TABLES + index, waves->def.kernel, level == 0,
		waves->pool.cellSize[level], timeStep, waves->gravity);
	return index;
}

// A power of two times the time step of the def that is not more than sqrt(2) away.
static float tnGetNearStep(const tnWaves* waves, float timeStep)
{
	float near = waves->def.timeStep;
	while (timeStep > near * 1.41421356f)
	{
		near *= 2.0f;
	}
	while (timeStep < near * 0.70710678f)
	{
		near *= 0.5f;
	}
	return near;
}

// May kernels that were made for one time step be used in another? They are too fast or too slow then: a wave of frequency w
// by the share w^2 (near^2 - timeStep^2) / 24, which is most for the shortest, k = pi / 2 cells.
static bool tnMayStep(const tnWaves* waves, int level, const tnWaveTable* table, float near, float timeStep)
{
	const double frequency2 = 1.5707963 * waves->gravity / waves->pool.cellSize[level];
	const double difference = (double)near * near - (double)timeStep * timeStep;
	return timeStep <= table->mostTimeStep && frequency2 * fabs(difference) <= 24.0 * TN_STEP_ERROR;
}

// Kernels of a level follow from the time step alone, not from those before. Kernels that are not kept take half a
// millisecond or two, and then the coefficients of tiles a fifth of a millisecond each: so a host whose steps are never quite
// the same has one kernel for all, as long as speeds stay right.
static void tnChooseTables(tnWaves* waves, float timeStep)
{
	waves->timeStep = timeStep;
	const float near = tnGetNearStep(waves, timeStep);
	for (int level = 0; level < waves->pool.levelCount; ++level)
	{
		int index = tnFindTable(waves, level, near);
		const tnWaveTable* table = waves->tables + level * TN_WAVE_TABLES + index;
		if (near != timeStep && !tnMayStep(waves, level, table, near, timeStep))
		{
			index = tnFindTable(waves, level, timeStep);
		}
		waves->currentTables[level] = index;
	}
}

static tnWaveFitting tnMakeFitting(const tnWaves* waves, int level)
{
	return (tnWaveFitting){.def = &waves->def,
		.pool = &waves->pool,
		.bed = &waves->bed,
		.table = tnWaves_GetTable(waves, level),
		.edges = waves->edges,
		.gravity = waves->gravity,
		.timeStep = tnWaves_GetFitStep(waves, level)};
}

// The latest change of what is under a tile and around it.
static uint32_t tnGetBedStamp(const tnWaves* waves, const tnWaveTile* tile)
{
	const int coarser = tile->level - waves->pool.finerLevels;
	const int64_t size = TN_WAVE_TILE;
	const int64_t begin[2] = {tile->column * size - TN_WAVE_HALO, tile->row * size - TN_WAVE_HALO};
	int cells[4];
	for (int i = 0; i < 2; ++i)
	{
		const int64_t end = begin[i] + size + 2 * TN_WAVE_HALO;
		const int64_t low = coarser >= 0 ? begin[i] * (1 << coarser) : (begin[i] >> -coarser) - 1;
		const int64_t high = coarser >= 0 ? end * (1 << coarser) : (end >> -coarser) + 2;
		cells[2 * i] = (int)low;
		cells[2 * i + 1] = (int)high;
	}
	return tnWaveBed_GetStamp(&waves->bed, cells[0], cells[1], cells[2], cells[3]);
}

static void tnFitTile(int item, int workerIndex, void* context)
{
	tnWaves* waves = context;
	tnWaveTile* tile = waves->pool.tiles + waves->list[item];
	const tnWaveFitting fitting = tnMakeFitting(waves, tile->level);
	tnWaveTile_Fit(&fitting, tile, tnWaves_GetScratch(waves, workerIndex));
}

static void tnFitTileStep(int item, int workerIndex, void* context)
{
	tnWaves* waves = context;
	tnWaveTile* tile = waves->pool.tiles + waves->list[item];
	const tnWaveFitting fitting = tnMakeFitting(waves, tile->level);
	if (tile->mustFill)
	{
		tnWaveTile_FitStep(&fitting, tile, tnWaves_GetScratch(waves, workerIndex));
	}
	if (tile->mustDrift)
	{
		tnWaveTile_FitDrift(&fitting, tile);
	}
}

// Tiles that have seen another bed, or whose kernels are others than in the step before.
static void tnFitSteps(tnWaves* waves, tnParallel* parallel)
{
	tnWavePool* pool = &waves->pool;
	int count = 0;
	for (int i = 0; i < pool->count; ++i)
	{
		tnWaveTile* tile = pool->tiles + pool->order[i];
		const float fitStep = tnWaves_GetFitStep(waves, tile->level);
		if (tile->fitStep == fitStep)
		{
			continue;
		}
		const tnWaveFitting fitting = tnMakeFitting(waves, tile->level);
		tile->fitStep = fitStep;
		tile->mustFill = tile->varied && tnWavePool_UseKept(pool, pool->order[i], fitStep);
		tile->mustDrift = waves->def.enableDrift && tnWaveTile_MustFitDrift(&fitting, tile);
		waves->fitCount += tile->mustFill ? 1 : 0;
		if (tile->mustFill || tile->mustDrift)
		{
			waves->list[count++] = pool->order[i];
		}
	}
	tnParallelFor(parallel, count, tnFitTileStep, waves);
}

static void tnFitTileWindow(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	tnWaves* waves = context;
	tnWaveTile* tile = waves->pool.tiles + waves->pool.order[item];
	const tnWaveFitting fitting = tnMakeFitting(waves, tile->level);
	tnWaveTile_FitWindow(&fitting, tile);
}

void tnWaves_Renew(tnWaves* waves, tnParallel* parallel, float timeStep)
{
	tnWavePool* pool = &waves->pool;
	waves->timeStep = 0.0f;
	if (timeStep > 0.0f)
	{
		tnChooseTables(waves, timeStep);
	}
	int count = 0;
	for (int i = 0; i < pool->count; ++i)
	{
		tnWaveTile* tile = pool->tiles + pool->order[i];
		if (tile->fitStep == 0.0f || timeStep == 0.0f || tile->fitStep != tnWaves_GetFitStep(waves, tile->level))
		{
			tnWavePool_ForgetKept(pool, pool->order[i]);
			continue;
		}
		tile->mustDrift = false;
		tile->mustFill = tile->varied && tnWavePool_UseKept(pool, pool->order[i], tile->fitStep);
		if (tile->mustFill)
		{
			waves->list[count++] = pool->order[i];
		}
	}
	tnParallelFor(parallel, count, tnFitTileStep, waves);
}

void tnWaves_Prepare(tnWaves* waves, const tnGrid* grid, tnTiles* tiles, const tnBodies* bodies, tnParallel* parallel,
	float timeStep, int64_t stepCount, bool atOnce)
{
	tnWavePool* pool = &waves->pool;
	if (timeStep != waves->timeStep)
	{
		tnChooseTables(waves, timeStep);
	}
	// Between steps all that was edited is read; what only moves can wait for its turn. What sleeps must not matter.
	const bool touched = atOnce && (tiles->anyEdited || pool->count == 0);
	const bool changed = tnWaveBed_Refresh(&waves->bed, grid, tiles, bodies, parallel, stepCount, touched);
	waves->mustDeal = waves->mustDeal || changed || pool->waits;
	const bool turn = !atOnce && stepCount % TN_DEAL_PERIOD == 0;
	const uint64_t bodyHash = turn ? tnHashWaveBodies(bodies, grid) : waves->bodyHash;
	waves->mustDeal = waves->mustDeal || bodyHash != waves->bodyHash;
	if (waves->mustDeal && (atOnce || pool->count == 0 || turn))
	{
		waves->mustDeal = false;
		waves->bodyHash = bodyHash;
		waves->mustWindow = tnWaveDealer_Deal(&waves->dealer, pool, &waves->bed, bodies, grid) || waves->mustWindow;
	}
	int count = 0;
	for (int i = 0; i < pool->count; ++i)
	{
		tnWaveTile* tile = pool->tiles + pool->order[i];
		// Levels take turns, so that not all tiles are made anew in the same step.
		if (tile->fresh || touched || (stepCount + 2 * tile->level) % TN_BED_PERIOD == 0)
		{
			const uint32_t stamp = tnGetBedStamp(waves, tile);
			if (tile->fresh || tile->bedStamp < stamp)
			{
				tile->bedStamp = stamp;
				tnWavePool_ForgetKept(pool, pool->order[i]);
				waves->list[count++] = pool->order[i];
			}
		}
	}
	tnParallelFor(parallel, count, tnFitTile, waves);
	tnFitSteps(waves, parallel);
	if (waves->mustWindow)
	{
		tnParallelFor(parallel, pool->count, tnFitTileWindow, waves);
		waves->mustWindow = false;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Moving

typedef struct tnWavePass
{
	tnWaves* waves;
	float timeStep;
	double time; // after the step
	float keep;  // of waves, by damping
	// By level: how often waves are carried along in this step, and for how long each time, s.
	int driftCounts[TN_MAX_WAVE_LEVELS];
	float driftTimes[TN_MAX_WAVE_LEVELS];
	int drift; // which of these it is
} tnWavePass;

static void tnExchangeTile(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnWavePass* pass = context;
	tnWavePool_Exchange(&pass->waves->pool, pass->waves->list[item], tn_waveHeight, TN_WAVE_REACH);
}

float tnWaves_StepTile(const tnWaves* waves, const tnWaveTile* tile, tnWaveTileStep* step)
{
	const tnWaveKernels* kernels = waves->kernels;
	const double cellSize = waves->pool.cellSize[tile->level];
	const float factor = (float)((double)step->timeStep * waves->gravity / cellSize);
	const bool fine = waves->def.kernel == tn_fineWaves;
	if (waves->def.kernel == tn_gaussianWaves)
	{
		const tnWaveCoefficients kernel =
			tnGetGaussian((float)(tile->depth / cellSize), (double)factor * step->timeStep);
		step->uniform = (tnWaveCoefficients){factor * kernel.alpha, factor * kernel.beta, kernel.gamma, 0.0f};
		return kernels->stepGaussian(step);
	}
	if (tile->varied)
	{
		step->pull = step->timeStep / tnWaves_GetFitStep(waves, tile->level);
		step->mask = tile->fields[tn_waveMask];
		step->maskSum = tile->fields[tn_waveMaskSum];
		step->rest = tile->fields[tn_waveRest];
		step->slope = tile->fields[tn_waveSlope];
		step->bend = tile->fields[tn_waveBend];
		step->slopeRest = tile->fields[tn_waveSlopeRest];
		step->twist = tile->fields[tn_waveTwist];
		return (fine ? kernels->stepVaried49 : kernels->stepVaried25)(step);
	}
	const tnWaveCoefficients kernel = tnWaveTable_Get(tnWaves_GetTable(waves, tile->level), tile->depth);
	step->uniform =
		(tnWaveCoefficients){factor * kernel.alpha, factor * kernel.beta, factor * kernel.gamma, factor * kernel.delta};
	return (fine ? kernels->stepUniform49 : kernels->stepUniform25)(step);
}

static void tnMoveTile(int item, int workerIndex, void* context)
{
	const tnWavePass* pass = context;
	tnWaves* waves = pass->waves;
	const int slot = waves->list[item];
	tnWaveTile* tile = waves->pool.tiles + slot;
	const double cellSize = waves->pool.cellSize[tile->level];
	const double timeStep = pass->timeStep;

	tnWaveTileStep step = {0};
	step.height = tile->fields[tn_waveHeight];
	step.rate = tile->fields[tn_waveRate];
	if (tile->windows)
	{
		step.window = tile->fields[tn_waveWindow];
		step.windowLoss = (float)(1.0 - tnExp(-TN_WAVE_FADE_RATE * sqrt(waves->gravity / cellSize) * timeStep));
	}
	step.timeStep = pass->timeStep;
	step.keep = pass->keep;
	// Right for typical waves. No more than makes the shortest waves of the grid vanish at once.
	const double viscous = TN_VISCOUS_SHARE * 4.0 * waves->def.viscosity * timeStep / (cellSize * cellSize);
	step.viscous = (float)(viscous < 0.1875 ? viscous : 0.1875);
	step.scratch = tnWaves_GetScratch(waves, workerIndex);
	if (tile->retiring)
	{
		const float left = tnMaxFloat(tile->retire - pass->timeStep / TN_RETIRE_TIME, 0.0f);
		step.keep *= tile->retire > 0.0f ? left / tile->retire : 0.0f;
		tile->retire = left;
	}
	else if (tile->retire < 1.0f)
	{
		tile->retire = 1.0f;
	}

	waves->largest[slot] = tnWaves_StepTile(waves, tile, &step);
	if (tnWaves_TakesSwell(waves, tile))
	{
		tnWaves_ApplySwell(waves, tile, pass->time, pass->timeStep);
	}
}

static bool tnDriftsNow(const tnWavePass* pass, const tnWaveTile* tile)
{
	return tile->drifts && pass->drift < pass->driftCounts[tile->level];
}

static void tnExchangeDrift(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnWavePass* pass = context;
	const int slot = pass->waves->list[item];
	if (tnDriftsNow(pass, pass->waves->pool.tiles + slot))
	{
		tnWavePool_Exchange(&pass->waves->pool, slot, tn_waveHeight, TN_WAVE_HALO);
		tnWavePool_Exchange(&pass->waves->pool, slot, tn_waveRate, TN_WAVE_HALO);
	}
}

static void tnDriftTile(int item, int workerIndex, void* context)
{
	const tnWavePass* pass = context;
	tnWaves* waves = pass->waves;
	const tnWaveTile* tile = waves->pool.tiles + waves->list[item];
	if (!tnDriftsNow(pass, tile))
	{
		return;
	}
	tnWaveDrift drift = {0};
	drift.height = tile->fields[tn_waveHeight];
	drift.rate = tile->fields[tn_waveRate];
	drift.driftX = tile->fields[tn_waveDriftX];
	drift.driftZ = tile->fields[tn_waveDriftZ];
	drift.mask = tile->varied ? tile->fields[tn_waveMask] : NULL;
	drift.spread = pass->driftTimes[tile->level] / waves->pool.cellSize[tile->level];
	drift.scratch = tnWaves_GetScratch(waves, workerIndex);
	waves->kernels->drift(&drift);
}

// Carry all waves along for the time that is due, each level in as many parts as keep it stable.
// @param fastest by level: of the current, in cells per second
static void tnDriftTiles(tnWavePass* pass, tnParallel* parallel, int count, const float* fastest)
{
	tnWaves* waves = pass->waves;
	int most = 0;
	for (int level = 0; level < waves->pool.levelCount; ++level)
	{
		// No more than a few: tnFillDrift bounds the current.
		const int parts = tnMaxInt((int)ceilf(waves->driftDue * fastest[level] / TN_WAVE_DRIFT_CELLS), 1);
		pass->driftCounts[level] = parts;
		pass->driftTimes[level] = waves->driftDue / (float)parts;
		most = tnMaxInt(most, fastest[level] > 0.0f ? parts : 0);
	}
	for (pass->drift = 0; pass->drift < most; ++pass->drift)
	{
		tnParallelFor(parallel, count, tnExchangeDrift, pass);
		tnParallelFor(parallel, count, tnDriftTile, pass);
	}
	waves->driftDue = 0.0f;
}

static void tnBreakTile(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnWavePass* pass = context;
	tnWaves* waves = pass->waves;
	const int slot = waves->list[item];
	const tnWaveTile* tile = waves->pool.tiles + slot;
	const float frequency = tnWaves_GetFrequency(waves, tile->level, tile->depth);

	tnWaveBreaking breaking = {0};
	breaking.height = tile->fields[tn_waveHeight];
	breaking.rate = tile->fields[tn_waveRate];
	breaking.perFrequency = frequency > 0.0f ? 1.0f / frequency : 0.0f;
	breaking.limit = tile->lowestLimit;
	breaking.limits = tile->varied ? tile->fields[tn_waveLimit] : NULL;
	// Drift may have made them a little higher since.
	const float height = 1.1f * waves->largest[slot];
	const float swing = height / pass->timeStep * breaking.perFrequency;
	if (height * height + swing * swing > tile->lowestLimit * tile->lowestLimit)
	{
		waves->kernels->breakWaves(&breaking);
	}
	waves->broken[slot] = breaking;
}

// ---------------------------------------------------------------------------------------------------------------------
// After it

// Which way the waves of a cell run: energy flows along -rate grad height.
static tnVec2 tnGetDirection(const tnWaveTile* tile, int column, int row)
{
	const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE + column;
	const float* height = tile->fields[tn_waveHeight];
	const float rate = tile->fields[tn_waveRate][at];
	const float x = -rate * (height[at + 1] - height[at - 1]);
	const float z = -rate * (height[at + TN_WAVE_STRIDE] - height[at - TN_WAVE_STRIDE]);
	const float square = x * x + z * z;
	if (square > 1.0e-30f && square < 1.0e30f)
	{
		const float length = sqrtf(square);
		return (tnVec2){x / length, z / length};
	}
	// Waves of atoms and of mountains: their squares are no floats.
	const double wideX = -(double)rate * ((double)height[at + 1] - height[at - 1]);
	const double wideZ = -(double)rate * ((double)height[at + TN_WAVE_STRIDE] - height[at - TN_WAVE_STRIDE]);
	const double length = sqrt(wideX * wideX + wideZ * wideZ);
	return length > 0.0 ? (tnVec2){(float)(wideX / length), (float)(wideZ / length)} : (tnVec2){1.0f, 0.0f};
}

static void tnCollectBreakers(tnWaves* waves, int count)
{
	waves->breakerCount = 0;
	for (int i = 0; i < count; ++i)
	{
		const int slot = waves->list[i];
		const tnWaveBreaking* breaking = waves->broken + slot;
		if (breaking->amplitude == 0.0f)
		{
			continue;
		}
		const tnWaveTile* tile = waves->pool.tiles + slot;
		const float cellSize = waves->pool.cellSize[tile->level];
		const double energy = 0.5 * 1000.0 * waves->gravity * cellSize * cellSize * breaking->lost;
		tnBreaker* breaker = waves->breakers + waves->breakerCount++;
		breaker->position.x =
			waves->pool.origin.x + ((float)(tile->column * TN_WAVE_TILE + breaking->column) + 0.5f) * cellSize;
		breaker->position.z =
			waves->pool.origin.z + ((float)(tile->row * TN_WAVE_TILE + breaking->row) + 0.5f) * cellSize;
		breaker->position.y = tile->fields[tn_waveHeight][(ptrdiff_t)breaking->row * TN_WAVE_STRIDE + breaking->column];
		breaker->direction = tnGetDirection(tile, breaking->column, breaking->row);
		breaker->amplitude = breaking->amplitude;
		breaker->wavelength = TN_WAVE_TYPICAL_CELLS * cellSize;
		breaker->energy = (float)energy;
		waves->brokenEnergy += energy;
	}
}

// Is a tile, or one beside it, still moving?
static bool tnIsStirred(const tnWaves* waves, const tnWaveTile* tile)
{
	for (int k = 0; k < 9; ++k)
	{
		const int slot = tile->neighbours[k];
		if (slot >= 0 && !waves->pool.tiles[slot].rests && waves->pool.tiles[slot].restTime == 0.0f)
		{
			return true;
		}
	}
	return false;
}

static void tnStillTile(tnWaveTile* tile)
{
	for (int field = tn_waveHeight; field <= tn_waveRate; ++field)
	{
		memset(tile->fields[field] - TN_WAVE_HALO * TN_WAVE_STRIDE - TN_WAVE_PAD, 0, TN_WAVE_FIELD * sizeof(float));
	}
	tile->rests = true;
}

static void tnUpdateRest(tnWaves* waves, int count, float timeStep)
{
	tnWavePool* pool = &waves->pool;
	for (int i = 0; i < count; ++i)
	{
		tnWaveTile* tile = pool->tiles + waves->list[i];
		const bool low = waves->largest[waves->list[i]] < waves->def.restHeight;
		tile->restTime = low ? tile->restTime + timeStep : 0.0f;
	}
	for (int i = 0; i < count; ++i)
	{
		tnWaveTile* tile = pool->tiles + waves->list[i];
		const bool gone = tile->retiring && tile->retire <= 0.0f;
		if (gone || (tile->restTime > TN_WAVE_REST_TIME && !tnIsStirred(waves, tile)))
		{
			tnStillTile(tile);
			waves->mustDeal = waves->mustDeal || gone;
		}
	}
}

static void tnExchangeShore(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnWavePass* pass = context;
	const int slot = pass->waves->list[item];
	tnWavePool_Exchange(&pass->waves->pool, slot, tn_waveHeight, 1);
	tnWavePool_Exchange(&pass->waves->pool, slot, tn_waveRate, 1);
}

static void tnHandTileDown(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnWavePass* pass = context;
	tnWaves* waves = pass->waves;
	const int slot = waves->list[item];
	const tnWaveTile* tile = waves->pool.tiles + slot;
	waves->handed[slot] = tnWaveShore_HandDown(
		&waves->pool, slot, tile->varied ? tile->fields[tn_waveDepth] : NULL, waves->gravity, pass->timeStep);
}

// Over shallow ground waves feed those of half their length. Level by level: what one gets it may hand on.
static void tnHandDown(tnWaves* waves, tnParallel* parallel, float timeStep)
{
	tnWavePool* pool = &waves->pool;
	tnWavePass pass = {.waves = waves, .timeStep = timeStep, .keep = 1.0f};
	for (int level = pool->levelCount - 1; level > 0; --level)
	{
		int count = 0;
		for (int i = 0; i < pool->count; ++i)
		{
			const tnWaveTile* tile = pool->tiles + pool->order[i];
			const bool shallow = tile->varied || tnGetTypicalWaveNumber(pool->cellSize[level]) * tile->depth < 1.0f;
			if (tile->level == level && !tile->rests && shallow)
			{
				waves->list[count++] = pool->order[i];
			}
		}
		tnParallelFor(parallel, count, tnExchangeShore, &pass);
		tnParallelFor(parallel, count, tnHandTileDown, &pass);
		for (int i = 0; i < count; ++i)
		{
			const tnWaveTile* tile = pool->tiles + waves->list[i];
			for (int k = 0; k < 4; ++k)
			{
				if ((waves->handed[waves->list[i]] >> k & 1) != 0)
				{
					tnWavePool_Wake(pool, tnWavePool_FindChild(pool, tile, k));
				}
			}
		}
	}
}

// Waves that break become ripples that run on with them.
static void tnAdvanceRipples(tnWaves* waves, tnParallel* parallel, float timeStep, int64_t stepCount, float rain)
{
	for (int i = 0; i < waves->breakerCount; ++i)
	{
		const tnBreaker* breaker = waves->breakers + i;
		tnRipples_AddEnergy(waves->ripples, (tnVec2){breaker->position.x, breaker->position.z}, breaker->wavelength,
			breaker->energy, breaker->direction);
	}
	if (stepCount % TN_SLOW_PERIOD == 0)
	{
		tnRipples_Step(waves->ripples, &waves->bed, parallel, waves->wind, rain, timeStep * (float)TN_SLOW_PERIOD);
	}
}

void tnWaves_Advance(tnWaves* waves, tnParallel* parallel, double time, float timeStep, int64_t stepCount, float rain)
{
	tnWavePool* pool = &waves->pool;
	if (stepCount % TN_WIND_PERIOD == 0)
	{
		tnWaves_BlowWind(waves, parallel, time, timeStep * (float)TN_WIND_PERIOD);
	}
	int count = 0;
	bool drifts = false;
	float fastest[TN_MAX_WAVE_LEVELS] = {0}; // of the current, in cells per second
	float fastestOfAll = 0.0f;
	for (int i = 0; i < pool->count; ++i)
	{
		tnWaveTile* tile = pool->tiles + pool->order[i];
		if (tile->rests && !tile->retiring && tnIsStirred(waves, tile))
		{
			// In this step it only wakes: it must not stir those after it in the list.
			tile->restTime = timeStep;
			tile->rests = false;
		}
		if (tnWaves_TakesSwell(waves, tile))
		{
			tnWavePool_Wake(pool, pool->order[i]);
		}
		if (!tile->rests)
		{
			waves->list[count++] = pool->order[i];
			drifts = drifts || tile->drifts;
			const float speed = tile->drifts ? tile->fastest / pool->cellSize[tile->level] : 0.0f;
			fastest[tile->level] = tnMaxFloat(fastest[tile->level], speed);
			fastestOfAll = tnMaxFloat(fastestOfAll, speed);
		}
		else
		{
			waves->mustDeal = waves->mustDeal || tile->retiring;
		}
	}

	const float keep = (float)tnExp(-(double)waves->def.damping * (double)timeStep);
	tnWavePass pass = {.waves = waves, .timeStep = timeStep, .time = time, .keep = keep};
	tnParallelFor(parallel, count, tnExchangeTile, &pass);
	tnParallelFor(parallel, count, tnMoveTile, &pass);
	// The current is slow against the cells: it can wait until it is worth a pass.
	waves->driftDue = drifts ? waves->driftDue + timeStep : 0.0f;
	const float next = waves->driftDue + timeStep;
	if (drifts && (next * fastestOfAll > TN_MAX_DRIFT || next > 1.001f * (float)TN_MAX_DRIFT_STEPS * timeStep))
	{
		tnDriftTiles(&pass, parallel, count, fastest);
	}
	waves->breakerCount = 0;
	if (waves->def.breakingLimit > 0.0f)
	{
		tnParallelFor(parallel, count, tnBreakTile, &pass);
		tnCollectBreakers(waves, count);
	}
	tnUpdateRest(waves, count, timeStep);
	if (waves->def.breakingLimit > 0.0f && stepCount % TN_SLOW_PERIOD == 0)
	{
		tnHandDown(waves, parallel, timeStep * (float)TN_SLOW_PERIOD);
	}
	if (waves->ripples != NULL)
	{
		tnAdvanceRipples(waves, parallel, timeStep, stepCount, rain);
	}
}

// SPDX-License-Identifier: MIT

// How much of what is offered the layer may take: no more energy than the flow has given.
//
// The steps of both keep an energy, each of its own kind. With rates v, heights h and v -= dt A h, h += dt v a level keeps
//
//   W = g / 2 (h.h + v.A^-1 v - dt v.h)
//
// and the flow, with discharges q, sections s, surfaces S and sub-steps of dt, to second order in the height of its waves
//
//   E = 1/2 q.q/s + g/2 (S.S + dt S.div q)
//
// (the last terms say that heights are half a step ahead of rates). What is offered are heights d and rates A p, so A^-1 need not be
// known: with a share r of it, a level gains
//
//   g r (h.d + v.p - dt/2 (v.d + h.A p)) + g r^2 / 2 (d.d + p.A p - dt d.A p)
//
// and the flow releases as much as r and r^2 of face by face sums. A wave that is handed over little by little meets itself in the
// layer: energies are squares, so at first less is gained than is released, and later more. What is left over is kept in an account, and
//
//   gained <= released + account
//
// has one largest r in [0, 1]: that share is taken, everywhere in the world, and what is not taken stays in the flow. So flow + layer +
// account never grow by it, whatever operators, beds, walls and depths do. The account forgets: a wave has left where it was taken after
// a few periods, and what it left over is for no other wave.
//
// A body that is the flow's, or in part, is pushed by the layer, which loses nothing by it: W, and stirs the flow with what it got. So the
// layer owes W: it goes from the account. While that is below 0 nothing is handed over. A debt is forgotten as fast as friction takes
// what the flow has got.
//
// Sums of floats are by column, of 16 or 64 rows, and then double, in the order of tiles.

#include "wave_handover_parts.h"

#include "../bodies/bodies.h"
#include "../core/physical_constants.h"
#include "wave_handover.h"

#include <math.h>
#include <string.h>

// Seconds over sqrt(depth / gravity) in which the account forgets most.
#define TN_ACCOUNT_TIME 12.0
// What is left after rounding down: sums of floats are as good as that.
#define TN_ROUNDED_SHARE 0.99999
// It is not worth taking less.
#define TN_LEAST_TAKEN 1.0e-3

// Is a tile offered something, or one beside it?
static bool tnMeetsOffer(const tnWavePool* pool, const tnWaveTile* tile)
{
	for (int k = 0; k < 9; ++k)
	{
		if (tile->neighbours[k] >= 0 && pool->tiles[tile->neighbours[k]].offered)
		{
			return true;
		}
	}
	return false;
}

static void tnExchangeOffer(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const tnWavePool* pool = &taking->waves->pool;
	if (tnMeetsOffer(pool, pool->tiles + pool->order[item]))
	{
		tnWavePool_Exchange(pool, pool->order[item], tn_waveOfferedPotential, TN_WAVE_REACH);
	}
}

// Rates of the potential, and what a tile gains.
static void tnGainTile(int item, int workerIndex, void* context)
{
	const tnTaking* taking = context;
	tnWaves* waves = taking->waves;
	const tnWaveTile* tile = waves->pool.tiles + waves->pool.order[item];
	double* sums = taking->handover->sums + 2 * item;
	sums[0] = sums[1] = 0.0;
	if (!tnMeetsOffer(&waves->pool, tile))
	{
		return;
	}
	tnWaveTileStep step = {
		.height = tile->fields[tn_waveOfferedPotential],
		.rate = tile->fields[tn_waveOfferedRate],
		.timeStep = waves->timeStep,
		.keep = 1.0f,
		.scratch = tnWaves_GetScratch(waves, workerIndex),
	};
	tnWaves_StepTile(waves, tile, &step);
	float linear[TN_WAVE_TILE] = {0};
	float square[TN_WAVE_TILE] = {0};
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE;
		const tnHandoverGain gain = {
			.height = tile->fields[tn_waveHeight] + at,
			.rate = tile->fields[tn_waveRate] + at,
			.offeredHeight = tile->fields[tn_waveOfferedHeight] + at,
			.potential = tile->fields[tn_waveOfferedPotential] + at,
			.push = tile->fields[tn_waveOfferedRate] + at,
			.timeStep = waves->timeStep,
			.linear = linear,
			.square = square,
		};
		taking->rows->gain(&gain, TN_WAVE_TILE);
	}
	for (int i = 0; i < TN_WAVE_TILE; ++i)
	{
		sums[0] += (double)linear[i];
		sums[1] += (double)square[i];
	}
	const double size = waves->pool.cellSize[tile->level];
	const double scale = 0.5 * waves->gravity * size * size;
	sums[0] *= scale;
	sums[1] *= scale;
}

static void tnFindGain(tnTaking* taking, tnParallel* parallel, double gain[2])
{
	const int count = taking->waves->pool.count;
	tnParallelFor(parallel, count, tnExchangeOffer, taking);
	tnParallelFor(parallel, count, tnGainTile, taking);
	gain[0] = gain[1] = 0.0;
	for (int i = 0; i < count; ++i)
	{
		gain[0] += taking->handover->sums[2 * i];
		gain[1] += taking->handover->sums[2 * i + 1];
	}
}

// The largest r in [0, 1] up to which a r^2 + b r <= c, with a and c not below 0.
static double tnSolveShare(double a, double b, double c)
{
	if (a + b <= c)
	{
		return 1.0;
	}
	const double root = sqrt(b * b + 4.0 * a * c);
	return b > 0.0 ? 2.0 * c / (b + root) : (a > 0.0 ? (root - b) / (2.0 * a) : 0.0);
}

bool tnChooseShare(tnTaking* taking, tnParallel* parallel)
{
	tnWaves* waves = taking->waves;
	double gain[2], release[2];
	tnFindGain(taking, parallel, gain);
	taking->share = 1.0f;
	tnFindRelease(taking, parallel, release);
	const double square = gain[1] + release[1] > 0.0 ? gain[1] + release[1] : 0.0;
	const double linear = gain[0] - release[0];
	const double whole = tnSolveShare(square, linear, waves->account);
	const double share = whole < 1.0 ? TN_ROUNDED_SHARE * whole : 1.0;
	// What is not a number is no share.
	const bool any = share >= TN_LEAST_TAKEN;
	taking->share = any ? (float)share : 0.0f;
	const double r = taking->share;
	const double left = waves->account - (square * r + linear) * r;
	const double depth = taking->grid->maxDepth;
	const double rate = depth > 0.0 ? sqrt(waves->gravity / depth) / TN_ACCOUNT_TIME : 0.0;
	waves->account = (left > 0.0 ? left : 0.0) / (1.0 + rate * taking->time);
	return any;
}

// Power of a force and a torque, W.
static double tnGetPower(tnVec3 force, tnVec3 velocity)
{
	return (double)force.x * velocity.x + (double)force.y * velocity.y + (double)force.z * velocity.z;
}

void tnWaves_BookPushes(tnWaves* waves, const tnBodies* bodies, float timeStep, float friction)
{
	double work = 0.0;
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		if (body->wet && tnIsFinite(body->def.mass) && body->relief < 1.0f)
		{
			const double power = tnGetPower(body->state.waveForce, body->motion.velocity) +
				tnGetPower(body->state.waveTorque, body->motion.spin);
			work += (1.0 - (double)body->relief) * power * timeStep;
		}
	}
	waves->account -= work / (double)TN_WATER_DENSITY;
	if (waves->account < 0.0)
	{
		waves->account /= 1.0 + (double)friction * timeStep;
	}
}

static void tnFeedTile(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const tnWaves* waves = taking->waves;
	tnWaveTile* tile = waves->pool.tiles + waves->pool.order[item];
	if (!tnMeetsOffer(&waves->pool, tile))
	{
		return;
	}
	const float perStep = -taking->share / waves->timeStep;
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		const ptrdiff_t at = (ptrdiff_t)row * TN_WAVE_STRIDE;
		taking->rows->feed(
			tile->fields[tn_waveHeight] + at, taking->share, tile->fields[tn_waveOfferedHeight] + at, TN_WAVE_TILE);
		taking->rows->feed(
			tile->fields[tn_waveRate] + at, perStep, tile->fields[tn_waveOfferedRate] + at, TN_WAVE_TILE);
	}
	// Who is beside it wakes in the next step.
	tile->rests = false;
	tile->restTime = 0.0f;
}

void tnFeedLayer(tnTaking* taking, tnParallel* parallel)
{
	tnParallelFor(parallel, taking->waves->pool.count, tnFeedTile, taking);
}

static void tnClearField(const tnWaveTile* tile, tnWaveField field)
{
	size_t floats;
	float* begin = tnWaveTile_GetMemory(tile, field, &floats);
	memset(begin, 0, floats * sizeof(float));
}

static void tnForgetTile(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnTaking* taking = context;
	const tnWavePool* pool = &taking->waves->pool;
	const tnWaveTile* tile = pool->tiles + pool->order[item];
	if (tnMeetsOffer(pool, tile))
	{
		tnClearField(tile, tn_waveOfferedHeight);
		tnClearField(tile, tn_waveOfferedPotential);
		tnClearField(tile, tn_waveOfferedRate);
	}
}

void tnForgetOffer(tnTaking* taking, tnParallel* parallel)
{
	tnParallelFor(parallel, taking->waves->pool.count, tnForgetTile, taking);
}

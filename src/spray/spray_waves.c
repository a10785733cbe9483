// SPDX-License-Identifier: MIT

// Where waves of the layer break.
//
// A tile tells what its breaking waves lost in a step, where the highest of them stood, and which way it ran (tnBreaker). A share
// of that energy E lifts water and throws it ahead: a volume V, as fast as the wave, c, and from its crest, a above the water,
//
//   TN_WAVE_SPRAY_SHARE E = V density (c^2 / 2 + g a)        c^2 = g / k tanh(k H)
//
// Its momentum V density c comes from the wave, which has lost E / c; that is more, for any share below a half. The share is a
// choice, not a theory: most of what breakers lose makes eddies and bubbles.
//
// The layer has no water. So V comes out of the flow below the crest, TN_MOST_OF_CELL of a cell at most, with the momentum that it
// had there.
//
// Drops have a least size, or there would be thousands of nothing. What makes less than a pair of them is thrown now and then: by
// chance, as often as makes the sum right.

#include "../core/numerics.h"
#include "../flow/cell_disc.h"
#include "spray.h"

#include <math.h>

#define TN_WAVE_SPRAY_SHARE 0.1
// Of the water of a cell, at most, and least depth that has any to spare, m.
#define TN_MOST_OF_CELL 0.05f
#define TN_LEAST_BELOW 0.02f
// Least volume of a pair of drops, as a share of a cube whose edge is a tenth of the wave.
#define TN_LEAST_DROP 0.02
// Length of the crest that throws, over that of the wave.
#define TN_CREST_LENGTH 0.5f
// Pieces are this much slower or faster than the wave, and thrown up this much of the way that waves as high would go.
#define TN_PACE_SPREAD 0.2f
#define TN_KICK_SHARE 0.5f

enum
{
	// Pairs of pieces of a breaker in a step, at most: one of a pair to each side, so that mirrored waves have mirrored spray.
	TN_MOST_PAIRS = 2,
};

typedef struct tnWaveCrest
{
	const tnBreaker* breaker;
	int column, row;
	ptrdiff_t cell;
	float surface; // of the flow, m
	float speed;   // m/s
} tnWaveCrest;

static bool tnFindWaveCrest(const tnSprayStep* step, const tnBreaker* breaker, tnWaveCrest* crest)
{
	const tnGrid* grid = step->grid;
	const double x = ((double)breaker->position.x - grid->origin.x) / grid->cellSize;
	const double z = ((double)breaker->position.z - grid->origin.z) / grid->cellSize;
	if (!(x >= 0.0 && x < grid->columnCount && z >= 0.0 && z < grid->rowCount))
	{
		return false;
	}
	crest->breaker = breaker;
	crest->column = (int)x;
	crest->row = (int)z;
	crest->cell = tnGrid_Index(grid, crest->column, crest->row);
	const float depth = grid->depth[crest->cell];
	if (!(depth >= TN_LEAST_BELOW) || tnGrid_GetLift(grid, crest->cell) != 0.0f)
	{
		return false;
	}
	crest->surface = grid->bed[crest->cell] + depth;
	const double k = 6.283185307179586 / breaker->wavelength;
	crest->speed = (float)sqrt((double)step->gravity / k * tnTanh(k * depth));
	return crest->speed > 0.0f;
}

// Volume that is thrown, m^3, or none this time.
static double tnGetThrownVolume(const tnSprayStep* step, const tnWaveCrest* crest, uint32_t* random)
{
	const double speed = crest->speed;
	const double perVolume =
		TN_WATER_DENSITY * (0.5 * speed * speed + (double)step->gravity * crest->breaker->amplitude);
	const double volume = TN_WAVE_SPRAY_SHARE * crest->breaker->energy / perVolume;
	const double edge = 0.1 * (double)crest->breaker->wavelength;
	const double least = TN_LEAST_DROP * edge * edge * edge;
	const float chance = tnNextFraction(random);
	return volume >= least ? volume : (volume > (double)chance * least ? least : 0.0);
}

// What faces say: momentum is booked by it.
static tnVec2 tnGetFlowVelocity(const tnGrid* grid, int column, int row)
{
	return (tnVec2){
		0.5f * (tnGrid_GetFaceVelocityX(grid, column, row) + tnGrid_GetFaceVelocityX(grid, column + 1, row)),
		0.5f * (tnGrid_GetFaceVelocityZ(grid, column, row) + tnGrid_GetFaceVelocityZ(grid, column, row + 1))};
}

// A cell that is drawn down keeps its velocity or its discharge, by method: in the second case water left its own behind.
static void tnTakeMomentum(const tnSprayStep* step, const tnWaveCrest* crest, double mass, tnVec2 flow)
{
	tnGrid* grid = step->grid;
	if (!tnGrid_StoresVelocity(grid))
	{
		const tnDisc disc = {
			.box = {crest->column, crest->column + 1, crest->row, crest->row + 1},
			.center = tnGrid_GetCenter(grid, crest->column, crest->row),
			.cellCount = 1,
			.isCell = true,
			.depthSum = grid->depth[crest->cell],
		};
		tnDisc_Push(&disc, grid, (tnVec2){(float)(-mass * flow.x), (float)(-mass * flow.z)});
	}
	tnTiles_Touch(step->tiles, (tnCellBox){crest->column, crest->column + 1, crest->row, crest->row + 1});
}

static void tnThrowPair(
	tnSpray* spray, const tnSprayStep* step, const tnWaveCrest* crest, tnVec2 flow, int64_t units, uint32_t* random)
{
	const tnGrid* grid = step->grid;
	float tracers[TN_MAX_TRACERS];
	for (int i = 0; i < grid->tracerCount; ++i)
	{
		tracers[i] = grid->tracers[i][crest->cell];
	}
	const tnBreaker* breaker = crest->breaker;
	const tnVec2 ahead = breaker->direction;
	const float beside = TN_CREST_LENGTH * breaker->wavelength * (tnNextFraction(random) - 0.5f);
	const float time = step->timeStep * tnNextFraction(random);
	const float pace = crest->speed * (1.0f + TN_PACE_SPREAD * (2.0f * tnNextFraction(random) - 1.0f));
	const float kick = sqrtf(2.0f * step->gravity * TN_KICK_SHARE * breaker->amplitude * tnNextFraction(random));
	for (int side = 0; side < 2; ++side)
	{
		const float along = side == 0 ? beside : -beside;
		tnBirth birth = {.kind = tn_breakingSpray, .seed = *random + (uint32_t)side, .tracers = tracers};
		birth.velocity = (tnVec3){flow.x + pace * ahead.x, kick, flow.z + pace * ahead.z};
		const float y = crest->surface + breaker->amplitude + kick * time - 0.5f * step->gravity * time * time;
		birth.position = tnSpray_GetPlace(spray,
			breaker->position.x - spray->center.x + (along * -ahead.z + time * birth.velocity.x), y,
			breaker->position.z - spray->center.z + (along * ahead.x + time * birth.velocity.z));
		birth.velocity.y -= step->gravity * time;
		tnSpray_StopAtBodies(spray, step,
			(tnVec3){breaker->position.x, crest->surface + breaker->amplitude, breaker->position.z}, &birth.position);
		tnSpray_Add(spray, grid, &birth, units);
	}
}

static void tnBreakWave(tnSpray* spray, const tnSprayStep* step, const tnBreaker* breaker)
{
	tnWaveCrest crest;
	if (!(breaker->energy > 0.0f) || !tnFindWaveCrest(step, breaker, &crest))
	{
		return;
	}
	tnGrid* grid = step->grid;
	// The same for its mirror images: how far it is from the middle of the world, in half cells.
	const int across = 2 * crest.column + 1 - grid->columnCount;
	const int along = 2 * crest.row + 1 - grid->rowCount;
	uint32_t random =
		(uint32_t)(across < 0 ? -across : across) * 0x9e3779b1u ^ (uint32_t)(along < 0 ? -along : along) * 0xc2b2ae3du;
	random = tnScramble((uint32_t)step->stepCount * 0x85ebca6bu ^ tnScramble(random));
	const double area = (double)grid->cellSize * grid->cellSize;
	const double volume = tnGetThrownVolume(step, &crest, &random);
	const float depth = tnMinFloat((float)(volume / area), TN_MOST_OF_CELL * grid->depth[crest.cell]);
	const int64_t units = depth > 0.0f ? tnSpray_CountTaken(spray, grid, crest.cell, depth) : 0;
	if (units < 2 * TN_MOST_PAIRS)
	{
		return;
	}
	const tnVec2 flow = tnGetFlowVelocity(grid, crest.column, crest.row);
	int64_t left = units;
	for (int i = 0; i < TN_MOST_PAIRS; ++i)
	{
		const int64_t piece = units / (2 * TN_MOST_PAIRS);
		left -= 2 * piece;
		tnThrowPair(spray, step, &crest, flow, piece, &random);
	}
	// What cannot be halved.
	spray->rest += left;
	tnGrid_NoteTaken(grid, grid->depth[crest.cell]);
	grid->depth[crest.cell] -= depth;
	tnTakeMomentum(step, &crest, TN_WATER_DENSITY * area * (double)units / TN_SPRAY_UNITS, flow);
}

void tnSpray_BreakWaves(tnSpray* spray, const tnSprayStep* step)
{
	const tnWaves* waves = step->waves;
	for (int i = 0; i < waves->breakerCount && waves->enabled; ++i)
	{
		tnBreakWave(spray, step, waves->breakers + i);
	}
}

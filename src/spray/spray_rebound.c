// SPDX-License-Identifier: MIT

// Where a jet hits.
//
// Water of a jet that comes down faster than def.slamSpeed does not all stay: TN_REBOUND_SHARE of it is thrown up again, onwards with
// a part c of its velocity, and upwards with as much of its speed. So the particle lands with the rest of its water, and flies on
// as a splash. The water that it hits gets all momentum that the splash does not take along:
//
//   (units - kept) v_landing = units v - kept c v
//
// Splashes do not splash again. A splash takes the place of the piece that landed, so there is always room for it.

#include "spray.h"

#include <math.h>

// One part in so many: a choice. Hoses on a pool throw up a tenth to a fifth.
#define TN_REBOUND_SHARE 8
// Part of the velocity, on the mean; from half to one and a half times as much.
#define TN_REBOUND 0.3f
// Height above the water where it begins, m.
#define TN_REBOUND_RISE 0.02f

static float tnGetRebound(const tnSprayParticle* particle)
{
	uint32_t random = particle->seed;
	return TN_REBOUND * (0.5f + tnNextFraction(&random));
}

// What lands of a piece changes by this factor in velocity.
static float tnGetFactor(int64_t landed, int64_t kept, float rebound)
{
	return (float)(((double)landed + (1.0 - (double)rebound) * (double)kept) / (double)landed);
}

static int64_t tnSplitJet(tnSpray* spray, const tnSprayStep* step, int index)
{
	const tnGrid* grid = step->grid;
	tnSprayParticle* particle = spray->particles + index;
	const int32_t place = spray->landings[index];
	if (place < 0 || particle->kind != tn_jetSpray)
	{
		return 0;
	}
	const ptrdiff_t cell = tnGrid_Index(grid, place % grid->columnCount, place / grid->columnCount);
	tnVec3* v = &particle->velocity;
	const int64_t kept = spray->units[index] / TN_REBOUND_SHARE;
	// Beside bodies it might begin inside of one.
	if (!(sqrtf(v->x * v->x + v->z * v->z + v->y * v->y) > spray->def.slamSpeed) || kept == 0 ||
		tnGrid_GetLift(grid, cell) != 0.0f)
	{
		return 0;
	}
	spray->units[index] -= kept;
	const float factor = tnGetFactor(spray->units[index], kept, tnGetRebound(particle));
	v->x *= factor;
	v->z *= factor;
	particle->position.y = grid->bed[cell] + grid->depth[cell] + TN_REBOUND_RISE;
	return kept;
}

void tnSpray_SplitJets(tnSpray* spray, const tnSprayStep* step)
{
	for (int begin = 0; begin < spray->count; begin += TN_FLIGHT_BLOCK)
	{
		for (int k = 0; k < spray->landedCounts[begin / TN_FLIGHT_BLOCK]; ++k)
		{
			const int i = spray->landed[begin + k];
			spray->kept[i] = tnSplitJet(spray, step, i);
		}
	}
}

void tnSpray_Rebound(tnSpray* spray, const tnGrid* grid, int index)
{
	tnSprayParticle* particle = spray->particles + index;
	const int64_t kept = spray->kept[index];
	const float rebound = tnGetRebound(particle);
	const float factor = tnGetFactor(spray->units[index], kept, rebound);
	const tnVec3 v = {particle->velocity.x / factor, particle->velocity.y, particle->velocity.z / factor};
	particle->velocity = (tnVec3){rebound * v.x, rebound * sqrtf(v.x * v.x + v.z * v.z + v.y * v.y), rebound * v.z};
	particle->kind = tn_splashSpray;
	particle->age = 0.0f;
	particle->volume = (float)((double)kept / TN_SPRAY_UNITS) * grid->cellSize * grid->cellSize;
	spray->units[index] = kept;
	spray->bornCount += 1;
}

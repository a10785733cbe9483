// SPDX-License-Identifier: MIT

// How water gets into the air, and jets, which bring it from outside.
//
// Mirrored jets are to have mirrored water, but "to the right of a velocity" does not mirror: what is meant is the side that is
// away from the middle of the world. If there is none, pieces come in pairs, one to each side; those of a jet straight up by eights,
// for it mirrors along x, along z and x for z.

#include "spray.h"

#include "../core/numerics.h"

#include <math.h>

// Particles of a jet in a step.
#define TN_JET_PIECES 4
// If there are too many particles, the nearest of so many takes new water along.
#define TN_MERGE_TRIES 8
// Most that a jet throws in a step, units: 1024 m in a cell. The rest waits.
#define TN_MOST_THROWN 72057594037927936.0 // 2^56
// A jet whose horizontal part is a smaller share than this goes straight up or down.
#define TN_STEEP 1.0e-6f

// ---------------------------------------------------------------------------------------------------------------------
// Numbers

uint32_t tnScramble(uint32_t v)
{
	v ^= v >> 16;
	v *= 0x7feb352du;
	v ^= v >> 15;
	v *= 0x846ca68bu;
	return v ^ v >> 16;
}

float tnNextFraction(uint32_t* state)
{
	*state = tnScramble(*state + 0x9e3779b9u);
	return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

// ---------------------------------------------------------------------------------------------------------------------
// Births

bool tnSpray_HasRoom(const tnSpray* spray, int64_t units)
{
	// What has landed where no more fits is left over, and as good as in the air.
	const int64_t rest = spray->rest > 0 ? spray->rest : 0;
	return units <= TN_MAX_AIRBORNE - spray->airborne - rest;
}

static int tnFindNear(const tnSpray* spray, tnVec3 place, uint32_t random)
{
	int best = 0;
	float least = INFINITY;
	for (int k = 0; k < TN_MERGE_TRIES; ++k)
	{
		random = tnScramble(random + 0x9e3779b9u);
		const int i = (int)(random % (uint32_t)spray->count);
		const tnVec3 p = spray->particles[i].position;
		const tnVec3 d = {p.x - place.x, p.y - place.y, p.z - place.z};
		const float distance = d.x * d.x + d.z * d.z + d.y * d.y;
		best = distance < least ? i : best;
		least = tnMinFloat(distance, least);
	}
	return best;
}

// Another one takes it along: the sum of volume and momentum is the same.
static void tnMerge(tnSpray* spray, const tnGrid* grid, const tnBirth* birth, int64_t units)
{
	const int i = tnFindNear(spray, birth->position, birth->seed);
	const int count = spray->tracerCount;
	tnSprayParticle* other = spray->particles + i;
	const int64_t both = spray->units[i] + units;
	const float share = (float)((double)units / (double)both);
	other->velocity.x += share * (birth->velocity.x - other->velocity.x);
	other->velocity.y += share * (birth->velocity.y - other->velocity.y);
	other->velocity.z += share * (birth->velocity.z - other->velocity.z);
	for (int k = 0; k < count; ++k)
	{
		float* c = spray->tracers + i * count + k;
		*c += share * ((birth->tracers != NULL ? birth->tracers[k] : 0.0f) - *c);
	}
	spray->units[i] = both;
	other->volume = (float)((double)both / TN_SPRAY_UNITS) * (grid->cellSize * grid->cellSize);
	spray->mergedCount += 1;
}

void tnSpray_Add(tnSpray* spray, const tnGrid* grid, const tnBirth* birth, int64_t units)
{
	const float volume = (float)((double)units / TN_SPRAY_UNITS) * (grid->cellSize * grid->cellSize);
	const int count = spray->tracerCount;
	spray->airborne += units;
	if (spray->count == spray->def.capacity)
	{
		tnMerge(spray, grid, birth, units);
		return;
	}
	const int i = spray->count++;
	spray->particles[i] = (tnSprayParticle){birth->position, birth->velocity, volume, 0.0f, birth->kind, birth->seed};
	spray->units[i] = units;
	for (int k = 0; k < count; ++k)
	{
		spray->tracers[i * count + k] = birth->tracers != NULL ? birth->tracers[k] : 0.0f;
	}
	spray->bornCount += 1;
}

// ---------------------------------------------------------------------------------------------------------------------
// Jets

typedef struct tnNozzle
{
	tnVec3 place;      // from the middle of the world, m
	float speed;       // m/s
	tnVec3 side, over; // across the velocity
	bool mirrors;      // `side` could as well be the opposite one
	bool turns;        // and it could be `over`
} tnNozzle;

// Straight up or down: `side` and `over` lead away from the middle.
static void tnAimUpright(tnNozzle* nozzle)
{
	const float x = tnAbsFloat(nozzle->place.x);
	const float z = tnAbsFloat(nozzle->place.z);
	const tnVec3 alongX = {nozzle->place.x < 0.0f ? -1.0f : 1.0f, 0.0f, 0.0f};
	const tnVec3 alongZ = {0.0f, 0.0f, nozzle->place.z < 0.0f ? -1.0f : 1.0f};
	nozzle->turns = x == z || x == 0.0f || z == 0.0f;
	nozzle->mirrors = nozzle->turns;
	nozzle->side = x > z ? alongX : alongZ;
	nozzle->over = x > z ? alongZ : alongX;
}

static tnNozzle tnMakeNozzle(const tnGrid* grid, const tnJetDef* def)
{
	const tnVec3 v = def->velocity;
	tnNozzle nozzle = {.speed = sqrtf(v.x * v.x + v.z * v.z + v.y * v.y)};
	nozzle.place.x = (float)(def->position.x - (grid->origin.x + 0.5 * (double)grid->cellSize * grid->columnCount));
	nozzle.place.y = def->position.y;
	nozzle.place.z = (float)(def->position.z - (grid->origin.z + 0.5 * (double)grid->cellSize * grid->rowCount));
	const float level = sqrtf(v.x * v.x + v.z * v.z);
	if (!(level > TN_STEEP * nozzle.speed))
	{
		tnAimUpright(&nozzle);
		return nozzle;
	}
	const float rise = v.y / nozzle.speed;
	const float away = v.z * nozzle.place.x - v.x * nozzle.place.z;
	const float side = away < 0.0f ? -level : level;
	nozzle.side = (tnVec3){v.z / side, 0.0f, -v.x / side};
	nozzle.over = (tnVec3){-rise * (v.x / level), level / nozzle.speed, -rise * (v.z / level)};
	nozzle.mirrors = away == 0.0f;
	return nozzle;
}

static tnVec3 tnAddAcross(const tnNozzle* nozzle, tnVec3 p, float s, float t)
{
	const tnVec3 a = nozzle->side;
	const tnVec3 b = nozzle->over;
	return (tnVec3){p.x + s * a.x + t * b.x, p.y + s * a.y + t * b.y, p.z + s * a.z + t * b.z};
}

// Water that leaves the nozzle s beside and t over its middle, as shares of its radius, and has been in the air for a time.
static void tnThrow(tnSpray* spray, const tnSprayStep* step, const tnJetDef* def, const tnNozzle* nozzle, float s,
	float t, float time, uint32_t seed, int64_t units)
{
	tnBirth birth = {.kind = tn_jetSpray, .seed = seed};
	const float spread = nozzle->speed * def->spread;
	birth.velocity = tnAddAcross(nozzle, def->velocity, spread * s, spread * t);
	tnVec3 place = tnAddAcross(nozzle, nozzle->place, def->radius * s, def->radius * t);
	place.x += time * birth.velocity.x;
	place.y += time * birth.velocity.y - 0.5f * step->gravity * time * time;
	place.z += time * birth.velocity.z;
	birth.position = tnSpray_GetPlace(spray, place.x, place.y, place.z);
	birth.velocity.y -= step->gravity * time;
	tnSpray_StopAtBodies(spray, step, def->position, &birth.position);
	tnSpray_Add(spray, step->grid, &birth, units);
}

static int tnCountImages(const tnNozzle* nozzle)
{
	return nozzle->turns ? 8 : (nozzle->mirrors ? 2 : 1);
}

// Pieces of `units` each.
static void tnRunJet(tnSpray* spray, const tnSprayStep* step, const tnJetDef* def, const tnNozzle* nozzle,
	int64_t units, uint32_t random)
{
	const int imageCount = tnCountImages(nozzle);
	for (int i = 0; i < TN_JET_PIECES; i += imageCount)
	{
		// Even over the disc of the nozzle.
		const float reach = sqrtf(tnNextFraction(&random));
		const double turn = (double)tnNextFraction(&random);
		const float c = reach * (float)tnSinTurns(turn + 0.25);
		const float s = reach * (float)tnSinTurns(turn);
		const float time = step->timeStep * tnNextFraction(&random);
		for (int k = 0; k < imageCount; ++k)
		{
			const float side = k & 1 ? -c : c;
			const float over = k & 2 ? -s : s;
			tnThrow(spray, step, def, nozzle, k & 4 ? over : side, k & 4 ? side : over, time, random, units);
		}
	}
}

double tnSpray_RunJets(tnSpray* spray, const tnSprayStep* step)
{
	const double cellArea = (double)step->grid->cellSize * step->grid->cellSize;
	double brought = 0.0;
	for (int i = 0; i < spray->jetIds.slotCount; ++i)
	{
		if (!tnIdPool_IsUsed(&spray->jetIds, i))
		{
			continue;
		}
		tnJet* jet = spray->jets + i;
		jet->pending += (double)jet->def.rate * step->timeStep / cellArea;
		const tnNozzle nozzle = tnMakeNozzle(step->grid, &jet->def);
		const int count = tnMaxInt(tnCountImages(&nozzle), TN_JET_PIECES);
		const double due = jet->pending * TN_SPRAY_UNITS;
		const int64_t piece = (int64_t)(due < TN_MOST_THROWN ? due : TN_MOST_THROWN) / count;
		if (piece == 0 || !tnSpray_HasRoom(spray, piece * count))
		{
			continue;
		}
		const double depth = (double)(piece * count) / TN_SPRAY_UNITS;
		jet->pending -= depth;
		brought += depth;
		const uint32_t random = tnScramble((uint32_t)step->stepCount ^ (uint32_t)i * 0xc2b2ae3du);
		tnRunJet(spray, step, &jet->def, &nozzle, piece, random);
	}
	return brought;
}

// SPDX-License-Identifier: MIT

// Flight of water, and where it comes down.
//
//   dv/dt = -g - drag |v - wind| (v - wind)
//
// in steps short enough to cross half a cell: v' = wind + (v - g h - wind) / (1 + drag |v - wind| h), which never turns round and
// ends at the terminal speed, and places with the mean of both velocities, so that without drag a path is the parabola exactly.
//
// A particle lands in the cell whose surface it goes below. It meets a wall if ground rises beside it by more than TN_WALL_SLOPE
// over a cell: the part of its velocity across the wall is turned round, less what the impact takes.
//
// Landing is done in the order of particles by one worker: depth and momentum of cells do not depend on workers.

#include "spray.h"

#include "discs.h"
#include "hash.h"
#include "tracers.h"

#include <math.h>
#include <string.h>

// Rise of ground over a cell that is a wall to spray: 56 degrees.
#define TN_WALL_SLOPE 1.5f
// Share of the speed across a wall that is left after meeting it: water hardly bounces.
#define TN_BOUNCE 0.2f
// Most steps of a flight within one step of the world, and particles that one task moves.
#define TN_MAX_FLIGHT_STEPS 32
#define TN_FLIGHT_BLOCK 256

enum
{
	tnFlying = -1,
	tnGone = -2, // over an edge: tnGone - side
};

bool tnSpray_Create(tnSpray* spray, tnMemory* memory, const tnGrid* grid, const tnSprayDef* def)
{
	spray->def = *def;
	if (!def->enable)
	{
		return true;
	}
	const size_t count = (size_t)def->capacity;
	spray->tracerCount = grid->tracerCount;
	bool ok = (spray->particles = tnMemory_Alloc(memory, count * sizeof(tnSprayParticle))) != NULL;
	ok = ok && (spray->units = tnMemory_Alloc(memory, count * sizeof(int64_t))) != NULL;
	ok = ok && (spray->landings = tnMemory_Alloc(memory, count * sizeof(int32_t))) != NULL;
	const size_t tracerBytes = count * (size_t)spray->tracerCount * sizeof(float);
	return ok && (tracerBytes == 0 || (spray->tracers = tnMemory_Alloc(memory, tracerBytes)) != NULL);
}

void tnSpray_Destroy(tnSpray* spray, tnMemory* memory)
{
	const size_t count = (size_t)spray->def.capacity;
	tnMemory_Free(memory, spray->particles, count * sizeof(tnSprayParticle));
	tnMemory_Free(memory, spray->units, count * sizeof(int64_t));
	tnMemory_Free(memory, spray->landings, count * sizeof(int32_t));
	tnMemory_Free(memory, spray->tracers, count * (size_t)spray->tracerCount * sizeof(float));
	tnMemory_Free(memory, spray->jets, (size_t)spray->jetCapacity * sizeof(tnJet));
	tnIdPool_Destroy(&spray->jetIds, memory);
	memset(spray, 0, sizeof(*spray));
}

double tnSpray_GetAirborne(const tnSpray* spray)
{
	int64_t sum = spray->rest;
	for (int i = 0; i < spray->count; ++i)
	{
		sum += spray->units[i];
	}
	return (double)sum / TN_SPRAY_UNITS;
}

uint64_t tnSpray_Hash(const tnSpray* spray, uint64_t hash)
{
	for (int i = 0; i < spray->count; ++i)
	{
		const tnSprayParticle* p = spray->particles + i;
		hash = tnHashBytes(hash, &p->position, sizeof(p->position));
		hash = tnHashBytes(hash, &p->velocity, sizeof(p->velocity));
		hash = tnHashBytes(hash, spray->units + i, sizeof(int64_t));
	}
	return spray->rest != 0 ? tnHashBytes(hash, &spray->rest, sizeof(spray->rest)) : hash;
}

// ---------------------------------------------------------------------------------------------------------------------
// Flight

typedef struct tnPlace
{
	int column, row;
} tnPlace;

// May be outside of the world.
static tnPlace tnFindPlace(const tnGrid* grid, tnVec3 position)
{
	const float x = (position.x - grid->origin.x) / grid->cellSize;
	const float z = (position.z - grid->origin.z) / grid->cellSize;
	// Far outside is as good as just outside, and fits into an int.
	const float limit = 1.0e6f;
	return (tnPlace){(int)floorf(tnClampFloat(x, -limit, limit)), (int)floorf(tnClampFloat(z, -limit, limit))};
}

// The side over which a place is outside, tn_sideCount if it is inside.
static int tnFindSide(const tnGrid* grid, tnPlace place)
{
	if (place.column < 0 || place.column >= grid->columnCount)
	{
		return place.column < 0 ? tn_west : tn_east;
	}
	if (place.row < 0 || place.row >= grid->rowCount)
	{
		return place.row < 0 ? tn_north : tn_south;
	}
	return tn_sideCount;
}

// Wrapped edges lead to the other side.
static void tnWrapPlace(const tnGrid* grid, tnVec3* position, tnPlace* place)
{
	const float width = (float)grid->columnCount * grid->cellSize;
	const float length = (float)grid->rowCount * grid->cellSize;
	if (grid->wrapX && (place->column < 0 || place->column >= grid->columnCount))
	{
		position->x += place->column < 0 ? width : -width;
		*place = tnFindPlace(grid, *position);
	}
	if (grid->wrapZ && (place->row < 0 || place->row >= grid->rowCount))
	{
		position->z += place->row < 0 ? length : -length;
		*place = tnFindPlace(grid, *position);
	}
}

// It was at `before`, in the air, and would be in ground, or beyond a wall, now: turn round what led there.
static void tnBounce(tnSprayParticle* particle, tnVec3 before, tnPlace from, tnPlace to)
{
	particle->position = before;
	particle->velocity.x *= from.column != to.column ? -TN_BOUNCE : 1.0f;
	particle->velocity.z *= from.row != to.row ? -TN_BOUNCE : 1.0f;
}

static void tnAccelerate(const tnSpray* spray, const tnSprayStep* step, float h, tnVec3* velocity)
{
	const tnVec2 wind = spray->def.wind;
	const float x = velocity->x - wind.x;
	const float y = velocity->y;
	const float z = velocity->z - wind.z;
	const float keep = 1.0f / (1.0f + spray->def.drag * h * sqrtf(x * x + y * y + z * z));
	*velocity = (tnVec3){wind.x + keep * x, keep * (y - step->gravity * h), wind.z + keep * z};
}

// One step of the flight. Returns where it ends, or tnFlying.
static int32_t tnFlyOnce(const tnSpray* spray, const tnSprayStep* step, tnSprayParticle* particle, float h)
{
	const tnGrid* grid = step->grid;
	const tnVec3 before = particle->position;
	const tnVec3 old = particle->velocity;
	const tnPlace from = tnFindPlace(grid, before);
	tnAccelerate(spray, step, h, &particle->velocity);
	particle->position.x += 0.5f * h * (old.x + particle->velocity.x);
	particle->position.y += 0.5f * h * (old.y + particle->velocity.y);
	particle->position.z += 0.5f * h * (old.z + particle->velocity.z);
	tnPlace to = tnFindPlace(grid, particle->position);
	tnWrapPlace(grid, &particle->position, &to);
	const int side = tnFindSide(grid, to);
	if (side != tn_sideCount)
	{
		if (step->edges[side] != tn_wallEdge && step->edges[side] != tn_inflowEdge)
		{
			return tnGone - side;
		}
		tnBounce(particle, before, from, to);
		// It may have begun just outside, or right on the edge.
		to.column = tnClampInt(from.column, 0, grid->columnCount - 1);
		to.row = tnClampInt(from.row, 0, grid->rowCount - 1);
	}
	const ptrdiff_t cell = tnGrid_Index(grid, to.column, to.row);
	if (particle->position.y >= grid->bed[cell] + tnGrid_GetHeight(grid, cell))
	{
		return tnFlying;
	}
	const bool isBeside = tnFindSide(grid, from) == tn_sideCount && (from.column != to.column || from.row != to.row);
	if (isBeside && grid->bed[cell] > before.y &&
		grid->bed[cell] - grid->bed[tnGrid_Index(grid, from.column, from.row)] > TN_WALL_SLOPE * grid->cellSize)
	{
		tnBounce(particle, before, from, to);
		return tnFlying;
	}
	return to.row * grid->columnCount + to.column;
}

typedef struct tnFlight
{
	tnSpray* spray;
	const tnSprayStep* step;
} tnFlight;

static void tnFlyBlock(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnFlight* flight = context;
	const tnSprayStep* step = flight->step;
	tnSpray* spray = flight->spray;
	const int begin = item * TN_FLIGHT_BLOCK;
	const int end = tnMinInt(begin + TN_FLIGHT_BLOCK, spray->count);
	for (int i = begin; i < end; ++i)
	{
		tnSprayParticle* particle = spray->particles + i;
		const tnVec3 v = particle->velocity;
		const float speed = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z) + step->gravity * step->timeStep;
		const float wanted = speed * step->timeStep / (0.5f * step->grid->cellSize);
		const int count = wanted < (float)TN_MAX_FLIGHT_STEPS ? 1 + (int)wanted : TN_MAX_FLIGHT_STEPS;
		int32_t landing = tnFlying;
		for (int k = 0; k < count && landing == tnFlying; ++k)
		{
			landing = tnFlyOnce(spray, step, particle, step->timeStep / (float)count);
		}
		particle->age += step->timeStep;
		spray->landings[i] = landing;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Landing

// Put water into a cell. What the last place of the depth does not show stays with the spray.
static void tnGiveBack(tnSpray* spray, tnGrid* grid, ptrdiff_t cell, int64_t units, const float* tracers)
{
	const float before = grid->depth[cell];
	const double wanted = (double)(units + spray->rest) / TN_SPRAY_UNITS;
	const float after =
		tnMinFloat(tnMaxFloat((float)((double)before + wanted), 0.0f), tnMaxFloat(before, TN_MAX_LENGTH));
	const int64_t given = (int64_t)(((double)after - (double)before) * TN_SPRAY_UNITS);
	spray->rest += units - given;
	grid->depth[cell] = after;
	grid->maxDepth = tnMaxFloat(grid->maxDepth, after);
	for (int i = 0; i < grid->tracerCount && after > before; ++i)
	{
		float* c = grid->tracers[i] + cell;
		*c = tnMixTracer(*c, before, after - before, tracers[i]);
	}
}

static void tnLand(tnSpray* spray, const tnSprayStep* step, int index)
{
	tnGrid* grid = step->grid;
	const tnPlace place = {spray->landings[index] % grid->columnCount, spray->landings[index] / grid->columnCount};
	const ptrdiff_t cell = tnGrid_Index(grid, place.column, place.row);
	const tnVec3 velocity = spray->particles[index].velocity;
	const double mass =
		TN_WATER_DENSITY * (double)spray->units[index] / TN_SPRAY_UNITS * grid->cellSize * grid->cellSize;
	tnGiveBack(spray, grid, cell, spray->units[index],
		spray->tracers != NULL ? spray->tracers + (ptrdiff_t)index * spray->tracerCount : NULL);
	const tnDisc disc = {
		.box = {place.column, place.column + 1, place.row, place.row + 1},
		.center = tnGrid_GetCenter(grid, place.column, place.row),
		.cellCount = 1,
		.isCell = true,
		.depthSum = grid->depth[cell],
	};
	tnDisc_Push(&disc, grid, (tnVec2){(float)(mass * velocity.x), (float)(mass * velocity.z)});
	tnTiles_Touch(step->tiles, disc.box);
	spray->landedCount += 1;
}

static void tnMoveParticle(tnSpray* spray, int from, int to)
{
	spray->particles[to] = spray->particles[from];
	spray->units[to] = spray->units[from];
	for (int i = 0; i < spray->tracerCount; ++i)
	{
		spray->tracers[to * spray->tracerCount + i] = spray->tracers[from * spray->tracerCount + i];
	}
}

tnSprayBook tnSpray_Step(tnSpray* spray, const tnSprayStep* step)
{
	tnSprayBook book = {0};
	tnFlight flight = {spray, step};
	tnParallelFor(step->parallel, (spray->count + TN_FLIGHT_BLOCK - 1) / TN_FLIGHT_BLOCK, tnFlyBlock, &flight);
	int kept = 0;
	for (int i = 0; i < spray->count; ++i)
	{
		const int32_t landing = spray->landings[i];
		if (landing == tnFlying)
		{
			tnMoveParticle(spray, i, kept++);
		}
		else if (landing <= tnGone)
		{
			book.edges[tnGone - landing] += (double)spray->units[i] / TN_SPRAY_UNITS;
		}
		else
		{
			tnLand(spray, step, i);
		}
	}
	spray->count = kept;
	tnSpray_FallOverLedges(spray, step);
	book.sources = tnSpray_RunJets(spray, step);
	return book;
}

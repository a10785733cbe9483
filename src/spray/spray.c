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

#include "spray.h"

#include "../core/hash.h"

#include <math.h>
#include <string.h>

// Rise of ground over a cell that is a wall to spray: 56 degrees.
#define TN_WALL_SLOPE 1.5f
// Share of the speed across a wall that is left after meeting it: water hardly bounces.
#define TN_BOUNCE 0.2f
// Most steps of a flight within one step of the world.
#define TN_MAX_FLIGHT_STEPS 32

enum
{
	tnFlying = -1,
	tnGone = -2, // over an edge: tnGone - side
};

static int tnCountBlocks(int count)
{
	return (count + TN_FLIGHT_BLOCK - 1) / TN_FLIGHT_BLOCK;
}

// Places are floats in steps of the last place of the farthest corner.
static void tnSetFrame(tnSpray* spray, const tnGrid* grid)
{
	const double halfX = 0.5 * (double)grid->cellSize * grid->columnCount;
	const double halfZ = 0.5 * (double)grid->cellSize * grid->rowCount;
	const double x = grid->origin.x + halfX;
	const double z = grid->origin.z + halfZ;
	const double farX = (x < 0.0 ? -x : x) + halfX;
	const double farZ = (z < 0.0 ? -z : z) + halfZ;
	float reach = 0.0009765625f; // 2^-10 m: smaller worlds do not need smaller steps
	while (reach < farX || reach < farZ)
	{
		reach *= 2.0f;
	}
	// A step is reach / 2^24; floats between 2^23 and 2^24 steps have no smaller ones.
	spray->rounding = 0.5f * reach;
	spray->perCell = 1.0f / grid->cellSize;
	spray->center = (tnVec2){tnSpray_Round(spray, (float)x), tnSpray_Round(spray, (float)z)};
}

bool tnSpray_Create(tnSpray* spray, tnMemory* memory, const tnGrid* grid, const tnSprayDef* def)
{
	spray->def = *def;
	if (!def->enable)
	{
		return true;
	}
	const size_t count = (size_t)def->capacity;
	spray->tracerCount = grid->tracerCount;
	spray->cellCount = grid->columnCount * grid->rowCount;
	spray->tileCount = grid->tileColumnCount * grid->tileRowCount;
	tnSetFrame(spray, grid);
	bool ok = (spray->particles = tnMemory_Alloc(memory, count * sizeof(tnSprayParticle))) != NULL;
	ok = ok && (spray->units = tnMemory_Alloc(memory, count * sizeof(int64_t))) != NULL;
	ok = ok && (spray->landings = tnMemory_Alloc(memory, count * sizeof(int32_t))) != NULL;
	ok = ok && (spray->kept = tnMemory_Alloc(memory, count * sizeof(int64_t))) != NULL;
	ok = ok && (spray->landed = tnMemory_Alloc(memory, count * sizeof(int32_t))) != NULL;
	ok = ok && (spray->landing = tnMemory_Alloc(memory, count * sizeof(tnLanding))) != NULL;
	const size_t blockCount = (size_t)tnCountBlocks(def->capacity);
	ok = ok && (spray->landedCounts = tnMemory_Alloc(memory, blockCount * sizeof(int))) != NULL;
	ok = ok && (spray->marks = tnMemory_Alloc(memory, (size_t)spray->cellCount * sizeof(int32_t))) != NULL;
	ok = ok && (spray->rows = tnMemory_Alloc(memory, (size_t)spray->tileCount * sizeof(uint64_t))) != NULL;
	const size_t rowCount = (size_t)spray->tileCount * TN_TILE_SIZE;
	ok = ok && (spray->cells = tnMemory_Alloc(memory, rowCount * sizeof(uint64_t))) != NULL;
	spray->splashCount = tnSounds_CountBlocks(grid);
	ok = ok && (spray->splashes = tnMemory_Alloc(memory, (size_t)spray->splashCount * sizeof(float))) != NULL;
	const size_t tracerBytes = count * (size_t)spray->tracerCount * sizeof(float);
	return ok && (tracerBytes == 0 || (spray->tracers = tnMemory_Alloc(memory, tracerBytes)) != NULL);
}

void tnSpray_Destroy(tnSpray* spray, tnMemory* memory)
{
	const size_t count = (size_t)spray->def.capacity;
	tnMemory_Free(memory, spray->particles, count * sizeof(tnSprayParticle));
	tnMemory_Free(memory, spray->units, count * sizeof(int64_t));
	tnMemory_Free(memory, spray->landings, count * sizeof(int32_t));
	tnMemory_Free(memory, spray->kept, count * sizeof(int64_t));
	tnMemory_Free(memory, spray->landed, count * sizeof(int32_t));
	tnMemory_Free(memory, spray->landing, count * sizeof(tnLanding));
	tnMemory_Free(memory, spray->landedCounts, (size_t)tnCountBlocks(spray->def.capacity) * sizeof(int));
	tnMemory_Free(memory, spray->marks, (size_t)spray->cellCount * sizeof(int32_t));
	tnMemory_Free(memory, spray->rows, (size_t)spray->tileCount * sizeof(uint64_t));
	tnMemory_Free(memory, spray->cells, (size_t)spray->tileCount * TN_TILE_SIZE * sizeof(uint64_t));
	tnMemory_Free(memory, spray->tracers, count * (size_t)spray->tracerCount * sizeof(float));
	tnMemory_Free(memory, spray->splashes, (size_t)spray->splashCount * sizeof(float));
	tnMemory_Free(memory, spray->jets, (size_t)spray->jetCapacity * sizeof(tnJet));
	tnIdPool_Destroy(&spray->jetIds, memory);
	tnSprayBodies_Destroy(&spray->bodies, memory);
	memset(spray, 0, sizeof(*spray));
}

bool tnSpray_ReserveJets(tnSpray* spray, tnMemory* memory, int count)
{
	if (count > 0 && !tnIdPool_ReserveMany(&spray->jetIds, memory, count))
	{
		return false;
	}
	if (spray->jetCapacity < spray->jetIds.capacity)
	{
		tnJet* jets = tnMemory_Grow(memory, spray->jets, (size_t)spray->jetCapacity * sizeof(tnJet),
			(size_t)spray->jetIds.capacity * sizeof(tnJet));
		if (jets == NULL)
		{
			return false;
		}
		spray->jets = jets;
		spray->jetCapacity = spray->jetIds.capacity;
	}
	return true;
}

double tnSpray_GetAirborne(const tnSpray* spray)
{
	return (double)(spray->airborne + spray->rest) / TN_SPRAY_UNITS;
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

// By the way from the middle, so that a mirrored place is in the mirrored cell. On a border it is the cell further out; if that is
// the middle of the world, the one to which it goes.
static int tnFindIndex(float way, float velocity, int count)
{
	// Far outside is as good as just outside, and fits into an int.
	const int cells = (int)(tnMinFloat(tnAbsFloat(way), 1.0e6f) + 0.5f * (float)(count & 1));
	// Without branches: nobody could foretell them.
	const int isBefore = (way < 0.0f) | ((way == 0.0f) & (velocity < 0.0f));
	return ((count - isBefore) >> 1) + (cells ^ -isBefore) + isBefore;
}

// May be outside of the world.
static tnPlace tnFindPlace(const tnSpray* spray, const tnGrid* grid, tnVec3 position, tnVec3 velocity)
{
	const float x = (position.x - spray->center.x) * spray->perCell;
	const float z = (position.z - spray->center.z) * spray->perCell;
	return (tnPlace){tnFindIndex(x, velocity.x, grid->columnCount), tnFindIndex(z, velocity.z, grid->rowCount)};
}

static bool tnIsInside(const tnGrid* grid, tnPlace place)
{
	return (unsigned)place.column < (unsigned)grid->columnCount && (unsigned)place.row < (unsigned)grid->rowCount;
}

static bool tnLetsOut(const tnSprayStep* step, int side)
{
	return step->edges[side] != tn_wallEdge && step->edges[side] != tn_inflowEdge;
}

// The side over which water that is outside has left, tn_sideCount if walls keep it. At a corner it finds the side that lets it out.
static int tnFindWayOut(const tnSprayStep* step, tnPlace place)
{
	const tnGrid* grid = step->grid;
	const int sideX = place.column < 0 ? tn_west : tn_east;
	const int sideZ = place.row < 0 ? tn_north : tn_south;
	const bool isOutX = place.column < 0 || place.column >= grid->columnCount;
	const bool isOutZ = place.row < 0 || place.row >= grid->rowCount;
	if (isOutX && tnLetsOut(step, sideX))
	{
		return sideX;
	}
	return isOutZ && tnLetsOut(step, sideZ) ? sideZ : tn_sideCount;
}

// Wrapped edges lead to the other side.
static void tnWrapPlace(const tnSpray* spray, const tnGrid* grid, tnSprayParticle* particle, tnPlace* place)
{
	const bool wrapsX = grid->wrapX && (place->column < 0 || place->column >= grid->columnCount);
	const bool wrapsZ = grid->wrapZ && (place->row < 0 || place->row >= grid->rowCount);
	if (wrapsX)
	{
		const float width = tnSpray_Round(spray, (float)grid->columnCount * grid->cellSize);
		particle->position.x += place->column < 0 ? width : -width;
	}
	if (wrapsZ)
	{
		const float length = tnSpray_Round(spray, (float)grid->rowCount * grid->cellSize);
		particle->position.z += place->row < 0 ? length : -length;
	}
	if (wrapsX || wrapsZ)
	{
		*place = tnFindPlace(spray, grid, particle->position, particle->velocity);
	}
}

// It was at `before`, in the air, and would be in ground, or beyond a wall, now: turn round what led there.
static void tnBounce(tnSprayParticle* particle, tnVec3 before, tnPlace from, tnPlace to)
{
	particle->position = before;
	particle->velocity.x *= from.column != to.column ? -TN_BOUNCE : 1.0f;
	particle->velocity.z *= from.row != to.row ? -TN_BOUNCE : 1.0f;
}

static void tnAccelerate(const tnSpray* spray, float gravity, float h, tnVec3* velocity)
{
	const tnVec2 wind = spray->def.wind;
	const float x = velocity->x - wind.x;
	const float y = velocity->y;
	const float z = velocity->z - wind.z;
	const float keep = 1.0f / (1.0f + spray->def.drag * h * sqrtf(x * x + z * z + y * y));
	*velocity = (tnVec3){wind.x + keep * x, keep * (y - gravity * h), wind.z + keep * z};
}

// A particle has moved, from where it was with its old velocity. Returns where that ends, or tnFlying.
static int32_t tnArrive(
	tnSpray* spray, const tnSprayStep* step, int index, tnVec3 before, tnVec3 old, tnContact* contact)
{
	const tnGrid* grid = step->grid;
	tnSprayParticle* particle = spray->particles + index;
	if (spray->bodies.isAny)
	{
		const int32_t landing = tnSpray_MeetBodies(spray, step, index, before, contact);
		if (landing != tnFlying)
		{
			return landing;
		}
	}
	tnPlace to = tnFindPlace(spray, grid, particle->position, particle->velocity);
	tnWrapPlace(spray, grid, particle, &to);
	if (!tnIsInside(grid, to))
	{
		const int side = tnFindWayOut(step, to);
		if (side != tn_sideCount)
		{
			return tnGone - side;
		}
		const tnPlace from = tnFindPlace(spray, grid, before, old);
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
	const tnPlace from = tnFindPlace(spray, grid, before, old);
	const bool isBeside = tnIsInside(grid, from) && (from.column != to.column || from.row != to.row);
	if (isBeside && grid->bed[cell] > before.y &&
		grid->bed[cell] - grid->bed[tnGrid_Index(grid, from.column, from.row)] > TN_WALL_SLOPE * grid->cellSize)
	{
		tnBounce(particle, before, from, to);
		return tnFlying;
	}
	return to.row * grid->columnCount + to.column;
}

// One step of the flight. Returns where it ends, or tnFlying.
static int32_t tnFlyOnce(tnSpray* spray, const tnSprayStep* step, int index, float h, tnContact* contact)
{
	tnSprayParticle* particle = spray->particles + index;
	const tnVec3 before = particle->position;
	const tnVec3 old = particle->velocity;
	tnAccelerate(spray, step->gravity, h, &particle->velocity);
	particle->position.x += tnSpray_Round(spray, 0.5f * h * (old.x + particle->velocity.x));
	particle->position.y += 0.5f * h * (old.y + particle->velocity.y);
	particle->position.z += tnSpray_Round(spray, 0.5f * h * (old.z + particle->velocity.z));
	return tnArrive(spray, step, index, before, old, contact);
}

typedef struct tnFlight
{
	tnSpray* spray;
	const tnSprayStep* step;
} tnFlight;

// How many steps of half a cell a flight is.
static float tnGetFlightSteps(const tnSpray* spray, float gravity, float timeStep, tnVec3 v)
{
	const float speed = sqrtf(v.x * v.x + v.z * v.z + v.y * v.y) + gravity * timeStep;
	return speed * (2.0f * timeStep * spray->perCell);
}

// A block of particles side by side, so that compilers make vectors of them.
typedef struct tnFormation
{
	float x[TN_FLIGHT_BLOCK], y[TN_FLIGHT_BLOCK], z[TN_FLIGHT_BLOCK];
	float vx[TN_FLIGHT_BLOCK], vy[TN_FLIGHT_BLOCK], vz[TN_FLIGHT_BLOCK];
	int32_t column[TN_FLIGHT_BLOCK], row[TN_FLIGHT_BLOCK];
	int32_t isFast[TN_FLIGHT_BLOCK]; // it needs more than one step
} tnFormation;

static void tnGather(const tnSprayParticle* particles, int count, tnFormation* f)
{
	for (int i = 0; i < count; ++i)
	{
		f->x[i] = particles[i].position.x;
		f->y[i] = particles[i].position.y;
		f->z[i] = particles[i].position.z;
		f->vx[i] = particles[i].velocity.x;
		f->vy[i] = particles[i].velocity.y;
		f->vz[i] = particles[i].velocity.z;
	}
}

// What tnFlyOnce does for a whole step, up to the cell in which it ends: the same bits.
static void tnFlyTogether(const tnSpray* spray, const tnSprayStep* step, tnFormation* f, int count)
{
	const float h = step->timeStep;
	// Locals: the compiler cannot know that nothing of these is in the formation.
	const tnSpray here = *spray;
	const float gravity = step->gravity;
	const int columnCount = step->grid->columnCount;
	const int rowCount = step->grid->rowCount;
	for (int i = 0; i < count; ++i)
	{
		const tnVec3 old = {f->vx[i], f->vy[i], f->vz[i]};
		tnVec3 v = old;
		f->isFast[i] = tnGetFlightSteps(&here, gravity, h, v) >= 1.0f;
		tnAccelerate(&here, gravity, h, &v);
		f->x[i] += tnSpray_Round(&here, 0.5f * h * (old.x + v.x));
		f->y[i] += 0.5f * h * (old.y + v.y);
		f->z[i] += tnSpray_Round(&here, 0.5f * h * (old.z + v.z));
		f->vx[i] = v.x;
		f->vy[i] = v.y;
		f->vz[i] = v.z;
		f->column[i] = tnFindIndex((f->x[i] - here.center.x) * here.perCell, v.x, columnCount);
		f->row[i] = tnFindIndex((f->z[i] - here.center.z) * here.perCell, v.z, rowCount);
	}
}

// Most stay in the air: those need nothing else. False if this one has to be looked at.
static bool tnStaysInAir(const tnSpray* spray, const tnGrid* grid, const tnFormation* f, int i)
{
	const tnPlace place = {f->column[i], f->row[i]};
	if (!tnIsInside(grid, place))
	{
		return false;
	}
	const ptrdiff_t cell = tnGrid_Index(grid, place.column, place.row);
	const tnVec3 position = {f->x[i], f->y[i], f->z[i]};
	// Bodies are marked two cells around them, further than it has come.
	return position.y >= grid->bed[cell] + tnGrid_GetHeight(grid, cell) &&
		!(spray->bodies.isAny && tnSprayBodies_Find(&spray->bodies, grid, position) != 0);
}

static int32_t tnFly(tnSpray* spray, const tnSprayStep* step, int index, int workerIndex)
{
	const tnSprayParticle* particle = spray->particles + index;
	const float wanted = tnGetFlightSteps(spray, step->gravity, step->timeStep, particle->velocity);
	const int count = wanted < (float)TN_MAX_FLIGHT_STEPS ? 1 + (int)wanted : TN_MAX_FLIGHT_STEPS;
	int32_t landing = tnFlying;
	tnContact contact = {.worker = workerIndex, .isNew = particle->age == 0.0f};
	for (int k = 0; k < count && landing == tnFlying; ++k)
	{
		contact.begin = (float)k / (float)count;
		contact.end = (float)(k + 1) / (float)count;
		landing = tnFlyOnce(spray, step, index, step->timeStep / (float)count, &contact);
	}
	return landing;
}

// A flight of one step, of which the formation knows the end. Returns where it ends, or tnFlying.
static int32_t tnLeaveFormation(
	tnSpray* spray, const tnSprayStep* step, const tnFormation* f, int i, int index, int workerIndex)
{
	tnSprayParticle* particle = spray->particles + index;
	const tnVec3 before = particle->position;
	const tnVec3 old = particle->velocity;
	particle->position = (tnVec3){f->x[i], f->y[i], f->z[i]};
	particle->velocity = (tnVec3){f->vx[i], f->vy[i], f->vz[i]};
	if (tnStaysInAir(spray, step->grid, f, i))
	{
		return tnFlying;
	}
	tnContact contact = {.worker = workerIndex, .end = 1.0f, .isNew = particle->age == 0.0f};
	return tnArrive(spray, step, index, before, old, &contact);
}

static void tnFlyBlock(int item, int workerIndex, void* context)
{
	const tnFlight* flight = context;
	const tnSprayStep* step = flight->step;
	tnSpray* spray = flight->spray;
	const int begin = item * TN_FLIGHT_BLOCK;
	const int count = tnMinInt(TN_FLIGHT_BLOCK, spray->count - begin);
	tnFormation formation;
	tnGather(spray->particles + begin, count, &formation);
	tnFlyTogether(spray, step, &formation, count);
	int landedCount = 0;
	for (int i = 0; i < count; ++i)
	{
		tnSprayParticle* particle = spray->particles + begin + i;
		const int32_t landing = formation.isFast[i]
			? tnFly(spray, step, begin + i, workerIndex)
			: tnLeaveFormation(spray, step, &formation, i, begin + i, workerIndex);
		if (landing != tnFlying)
		{
			spray->landings[begin + i] = landing;
			spray->landed[begin + landedCount++] = begin + i;
		}
		particle->age += step->timeStep;
	}
	spray->landedCounts[item] = landedCount;
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps

static void tnMoveParticle(tnSpray* spray, int from, int to)
{
	spray->particles[to] = spray->particles[from];
	spray->units[to] = spray->units[from];
	for (int i = 0; i < spray->tracerCount; ++i)
	{
		spray->tracers[to * spray->tracerCount + i] = spray->tracers[from * spray->tracerCount + i];
	}
}

// What went over edges is booked.
static void tnLetGo(tnSpray* spray, tnSprayBook* book)
{
	int64_t gone[tn_sideCount] = {0};
	for (int block = 0; block < tnCountBlocks(spray->count); ++block)
	{
		for (int k = 0; k < spray->landedCounts[block]; ++k)
		{
			const int i = spray->landed[block * TN_FLIGHT_BLOCK + k];
			if (spray->landings[i] <= tnGone)
			{
				gone[tnGone - spray->landings[i]] += spray->units[i];
			}
		}
	}
	for (int side = 0; side < tn_sideCount; ++side)
	{
		book->edges[side] = (double)gone[side] / TN_SPRAY_UNITS;
	}
}

// The youngest fill the gaps, from the last one on.
static void tnCloseGaps(tnSpray* spray, const tnGrid* grid)
{
	for (int block = tnCountBlocks(spray->count) - 1; block >= 0; --block)
	{
		for (int k = spray->landedCounts[block] - 1; k >= 0; --k)
		{
			const int gap = spray->landed[block * TN_FLIGHT_BLOCK + k];
			spray->airborne -= spray->units[gap];
			if (spray->kept[gap] > 0)
			{
				tnSpray_Rebound(spray, grid, gap);
				continue;
			}
			spray->count -= 1;
			if (gap < spray->count)
			{
				tnMoveParticle(spray, spray->count, gap);
			}
		}
	}
}

tnSprayBook tnSpray_Step(tnSpray* spray, const tnSprayStep* step)
{
	tnSprayBook book = {0};
	tnFlight flight = {spray, step};
	tnSprayBodies_Begin(&spray->bodies, step->grid, step->bodies);
	tnParallelFor(step->parallel, tnCountBlocks(spray->count), tnFlyBlock, &flight);
	tnSprayBodies_End(&spray->bodies, step->bodies, step->timeStep);
	tnLetGo(spray, &book);
	tnSpray_SplitJets(spray, step);
	tnSpray_Land(spray, step);
	tnCloseGaps(spray, step->grid);
	tnSpray_FallOverLedges(spray, step);
	tnSpray_BreakCrests(spray, step);
	tnSpray_BreakWaves(spray, step);
	tnSpray_Slam(spray, step);
	book.sources = tnSpray_RunJets(spray, step);
	return book;
}

// SPDX-License-Identifier: MIT

// The worlds that `tarn bench` times, made of integer hashes and plain arithmetic.

#include "bench/bench_worlds.h"

#include <math.h>
#include <stdlib.h>

// Deepest water of the measure rtkc, meters; also the section of fixed pipes, so that their waves and with them the
// stable time step are those of the deepest water.
#define DEEPEST 20.0f

// A middling river bed, s/m^(1/3), and a friction so small that nothing falls asleep while it is timed, per second.
#define RIVER_BED 0.03f
#define SOME_FRICTION 0.002f

#define ENTRY_OF(name, title, kind, method, advection, section, friction, manning, size, subSteps, isGame)             \
	{                                                                                                                  \
		name, title, kind, method, advection, section, friction, manning, size, size, subSteps, tn_simdAuto, isGame, 0 \
	}

#define ENTRY(name, title, kind, method, advection, section, friction, manning, size, subSteps) \
	ENTRY_OF(name, title, kind, method, advection, section, friction, manning, size, subSteps, false)

#define WAVES(name, title, method, section, friction, manning, size)                                                  \
	ENTRY(name, title, benchWaves, method, tn_conservativeAdvection, section, friction, manning, size, 4),            \
		ENTRY(name "_single", title ", one sub-step per call", benchWaves, method, tn_conservativeAdvection, section, \
			friction, manning, size, 1)

// One entry for each method, from the same state.
#define CURRENTS(ending, note, manning, size, subSteps)                                                                \
	ENTRY("moving_pipe_" ending, "pipe in currents" note, benchCurrents, tn_pipeMethod, tn_conservativeAdvection,      \
		tn_depthSection, 0.0f, manning, size, subSteps),                                                               \
		ENTRY("moving_linear_" ending, "linear in currents" note, benchCurrents, tn_linearMethod,                      \
			tn_conservativeAdvection, tn_depthSection, 0.0f, manning, size, subSteps),                                 \
		ENTRY("shallow_" ending, "shallow" note, benchCurrents, tn_shallowMethod, tn_conservativeAdvection,            \
			tn_depthSection, 0.0f, manning, size, subSteps),                                                           \
		ENTRY("shallow_fine_" ending, "shallow, second order" note, benchCurrents, tn_shallowMethod, tn_fineAdvection, \
			tn_depthSection, 0.0f, manning, size, subSteps),                                                           \
		ENTRY("shallow_sl_" ending, "shallow, semi-Lagrangian" note, benchCurrents, tn_shallowMethod,                  \
			tn_semiLagrangianAdvection, tn_depthSection, 0.0f, manning, size, subSteps),                               \
		ENTRY("shallow_mc_" ending, "shallow, MacCormack" note, benchCurrents, tn_shallowMethod,                       \
			tn_macCormackAdvection, tn_depthSection, 0.0f, manning, size, subSteps)

// With and without bodies, from the same water.
#define BODIES(name, title, method, advection, subSteps, isGame)                                                      \
	ENTRY_OF("bodies_" name, title ", 200 bodies", benchBodies, method, advection, tn_depthSection, 0.0f, 0.0f, 1024, \
		subSteps, isGame),                                                                                            \
		ENTRY_OF("bodies_" name "_rest", title ", 200 bodies at rest", benchRestingBodies, method, advection,         \
			tn_depthSection, 0.0f, 0.0f, 1024, subSteps, isGame),                                                     \
		ENTRY_OF("bodies_" name "_none", title ", without the bodies", benchNoBodies, method, advection,              \
			tn_depthSection, 0.0f, 0.0f, 1024, subSteps, isGame)

// Many small ones, at 30 Hz.
#define SMALL_BODIES_OF(name, title, kind, method, count)                                                           \
	{                                                                                                               \
		name, title, kind, method, tn_conservativeAdvection, tn_depthSection, 0.0f, 0.0f, 512, 512, 1, tn_simdAuto, \
			false, count                                                                                            \
	}

#define SMALL_BODIES(name, title, method, count)                                                      \
	SMALL_BODIES_OF("bodies_" name, title, benchBodies, method, count),                               \
		SMALL_BODIES_OF("bodies_" name "_rest", title " at rest", benchRestingBodies, method, count), \
		SMALL_BODIES_OF("bodies_" name "_none", title ", the water alone", benchNoBodies, method, count)

static const BenchEntry s_entries[] = {
	WAVES("pipe_fixed_1024", "fixed section", tn_pipeMethod, tn_fixedSection, 0.0f, 0.0f, 1024),
	WAVES("pipe_depth_manning_1024", "depth section, Manning", tn_pipeMethod, tn_depthSection, 0.0f, RIVER_BED, 1024),
	WAVES("pipe_depth_rate_1024", "depth section, friction", tn_pipeMethod, tn_depthSection, SOME_FRICTION, 0.0f, 1024),
	WAVES("linear_1024", "linear", tn_linearMethod, tn_depthSection, 0.0f, 0.0f, 1024),
	WAVES("pipe_fixed_4096", "fixed section", tn_pipeMethod, tn_fixedSection, 0.0f, 0.0f, 4096),
	WAVES("pipe_depth_manning_4096", "depth section, Manning", tn_pipeMethod, tn_depthSection, 0.0f, RIVER_BED, 4096),
	WAVES("pipe_depth_rate_4096", "depth section, friction", tn_pipeMethod, tn_depthSection, SOME_FRICTION, 0.0f, 4096),
	WAVES("linear_4096", "linear", tn_linearMethod, tn_depthSection, 0.0f, 0.0f, 4096),
	{"pipe_depth_scalar", "depth section, no SIMD", benchWaves, tn_pipeMethod, tn_conservativeAdvection,
		tn_depthSection, SOME_FRICTION, 0.0f, 1024, 1024, 4, tn_simdScalar, false, 0},
	{"pipe_depth_sse2", "depth section, 4 lanes", benchWaves, tn_pipeMethod, tn_conservativeAdvection, tn_depthSection,
		SOME_FRICTION, 0.0f, 1024, 1024, 4, tn_simdSse2, false, 0},
	ENTRY("shores", "wetting and drying", benchShores, tn_pipeMethod, tn_conservativeAdvection, tn_depthSection, 0.0f,
		RIVER_BED, 1024, 4),
	ENTRY("tracers", "four tracers", benchTracers, tn_pipeMethod, tn_conservativeAdvection, tn_depthSection,
		SOME_FRICTION, 0.0f, 512, 4),
	ENTRY("still_lake", "everything asleep", benchStillLake, tn_pipeMethod, tn_conservativeAdvection, tn_depthSection,
		0.0f, 0.0f, 4096, 1),
	ENTRY("sample_many", "a million samples", benchSamples, tn_pipeMethod, tn_conservativeAdvection, tn_depthSection,
		0.0f, RIVER_BED, 1024, 4),
	CURRENTS("1024", "", 0.0f, 1024, 4),
	CURRENTS("1024_single", ", one sub-step per call", 0.0f, 1024, 1),
	CURRENTS("1024_manning", ", Manning", RIVER_BED, 1024, 4),
	CURRENTS("4096", "", 0.0f, 4096, 4),
	ENTRY("shallow_shores", "wetting and drying, shallow", benchShores, tn_shallowMethod, tn_conservativeAdvection,
		tn_depthSection, 0.0f, RIVER_BED, 1024, 4),
	BODIES("pipe", "pipe", tn_pipeMethod, tn_conservativeAdvection, 4, false),
	BODIES("pipe_single", "pipe, one sub-step per call", tn_pipeMethod, tn_conservativeAdvection, 1, false),
	BODIES("shallow", "shallow", tn_shallowMethod, tn_conservativeAdvection, 4, false),
	BODIES("shallow_single", "shallow, one sub-step per call", tn_shallowMethod, tn_conservativeAdvection, 1, false),
	BODIES("shallow_fine", "shallow, second order", tn_shallowMethod, tn_fineAdvection, 4, false),
	SMALL_BODIES("many_2000", "pipe, 2000 small bodies", tn_pipeMethod, 2000),
	SMALL_BODIES("drift_10000", "pipe, 10 000 small bodies", tn_pipeMethod, 10000),
	BODIES("game", "shallow, 60 Hz, waves, spray and foam", tn_shallowMethod, tn_conservativeAdvection, 1, true),
};

_Static_assert(sizeof(s_entries) / sizeof(s_entries[0]) <= BENCH_ENTRY_LIMIT, "names of entries do not fit");

int GetBenchEntryCount(void)
{
	return (int)(sizeof(s_entries) / sizeof(s_entries[0]));
}

const BenchEntry* GetBenchEntry(int index)
{
	return s_entries + index;
}

float BenchRandom(uint32_t seed)
{
	uint32_t h = seed * 0x9E3779B1u + 0x7F4A7C15u;
	h ^= h >> 16;
	h *= 0x85EBCA6Bu;
	h ^= h >> 13;
	h *= 0xC2B2AE35u;
	h ^= h >> 16;
	// 24 bits fit a float exactly.
	return (float)(h >> 8) * (1.0f / 16777216.0f);
}

// Smooth noise in [0, 1): random values on a lattice `period` cells apart.
static float Noise(int column, int row, int period, uint32_t seed)
{
	const int i = column / period;
	const int j = row / period;
	const float s = (float)(column - i * period) / (float)period;
	const float t = (float)(row - j * period) / (float)period;
	const float u = s * s * (3.0f - 2.0f * s);
	const float v = t * t * (3.0f - 2.0f * t);
	const uint32_t key = seed * 0x01000193u + (uint32_t)i * 7919u + (uint32_t)j * 104729u;
	const float a = BenchRandom(key);
	const float b = BenchRandom(key + 7919u);
	const float c = BenchRandom(key + 104729u);
	const float d = BenchRandom(key + 7919u + 104729u);
	const float top = a + (b - a) * u;
	const float bottom = c + (d - c) * u;
	return top + (bottom - top) * v;
}

static void FillWaves(const BenchEntry* entry, float* bed, float* depth)
{
	for (int row = 0; row < entry->rowCount; ++row)
	{
		for (int column = 0; column < entry->columnCount; ++column)
		{
			const size_t cell = (size_t)row * (size_t)entry->columnCount + (size_t)column;
			// Ground 0 to 8 m, surface 18.4 to 19.2 m: where two waves meet there is still less than 20 m of water.
			const float ground = 6.0f * Noise(column, row, 128, 1) + 2.0f * Noise(column, row, 32, 2);
			const float surface = 18.4f + 0.8f * Noise(column, row, 24, 3);
			bed[cell] = ground;
			depth[cell] = surface - ground;
		}
	}
}

static void FillShores(const BenchEntry* entry, float* bed, float* depth)
{
	for (int row = 0; row < entry->rowCount; ++row)
	{
		for (int column = 0; column < entry->columnCount; ++column)
		{
			const size_t cell = (size_t)row * (size_t)entry->columnCount + (size_t)column;
			// Half of the ground is above the water, and blocks of water of different heights start to run.
			const float ground = 16.0f * Noise(column, row, 64, 1) + 4.0f * Noise(column, row, 16, 2);
			const float surface = 8.0f + 4.0f * Noise(column, row, 48, 3);
			bed[cell] = ground;
			depth[cell] = surface > ground ? surface - ground : 0.0f;
		}
	}
}

// Currents along the lines of a random stream function, which keep every column nearly as deep as it is.
static tnResult FillCurrents(const BenchEntry* entry, tnWorld* world, float* velocityX, float* velocityZ)
{
	const int period = 96;
	// m^2/s. Neighbouring points of the lattice, 96 m apart, differ by 0.41 of it (root mean square), and the slope
	// between them is a tenth steeper where it is steep: 1.1 m/s in all.
	const float amplitude = 200.0f;
	for (int row = 0; row < entry->rowCount; ++row)
	{
		for (int column = 0; column < entry->columnCount; ++column)
		{
			const size_t cell = (size_t)row * (size_t)entry->columnCount + (size_t)column;
			const float here = Noise(column, row, period, 4);
			velocityX[cell] = amplitude * (Noise(column, row + 1, period, 4) - here);
			velocityZ[cell] = -amplitude * (Noise(column + 1, row, period, 4) - here);
		}
	}
	return tnWorld_SetVelocities(world, velocityX, velocityZ);
}

static tnResult FillTracers(const BenchEntry* entry, tnWorld* world, float* values)
{
	tnResult result = {.status = tn_ok};
	for (int channel = 0; channel < 4 && result.status == tn_ok; ++channel)
	{
		for (int row = 0; row < entry->rowCount; ++row)
		{
			for (int column = 0; column < entry->columnCount; ++column)
			{
				values[(size_t)row * (size_t)entry->columnCount + (size_t)column] =
					Noise(column, row, 40, 10u + (uint32_t)channel);
			}
		}
		result = tnWorld_SetTracer(world, channel, values);
	}
	return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies

enum
{
	// They lie on a lattice, so that they do not meet; small ones do.
	bodiesInRow = 20,
	smallBodiesInRow = 100,
	hullPoints = 102,
};

int GetBenchBodyCount(const BenchEntry* entry)
{
	return entry->smallBodyCount > 0 ? entry->smallBodyCount : BENCH_BODY_COUNT;
}

// Where a body is: on its place of the lattice, circling and bobbing slowly. Straight lines between hashed points, so
// that the bits are the same everywhere.
static tnPose GetBodyPose(const BenchEntry* entry, int index, int64_t step)
{
	const int period = 960;
	const int64_t time = step + 37 * index;
	const uint32_t from = (uint32_t)(time / period) * 1024u + (uint32_t)index;
	const float t = (float)(time % period) / (float)period;
	tnPose pose;
	float place[4];
	for (uint32_t i = 0; i < 4; ++i)
	{
		const float a = BenchRandom(4u * from + i);
		const float b = BenchRandom(4u * (from + 1024u) + i);
		place[i] = a + (b - a) * t;
	}
	const int inRow = entry->smallBodyCount > 0 ? smallBodiesInRow : bodiesInRow;
	const float spacingX = (float)entry->columnCount / (float)inRow;
	const float spacingZ = (float)entry->rowCount * (float)inRow / (float)GetBenchBodyCount(entry);
	pose.position.x = ((float)(index % inRow) + 0.5f) * spacingX + 20.0f * (place[0] - 0.5f);
	pose.position.z = ((float)(index / inRow) + 0.5f) * spacingZ + 20.0f * (place[1] - 0.5f);
	pose.position.y = 18.8f + (place[2] - 0.5f);
	pose.rotation = (tnQuat){0.1f * (place[2] - 0.5f), place[3] - 0.5f, 0.1f * (place[1] - 0.5f), 1.0f};
	return pose;
}

// Boxes, cylinders, and hulls of 200 triangles, each over about 105 cells.
static tnShapeDef MakeBodyShape(int index, tnVec3* points)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){4.0f, 1.5f, 6.5f};
	if (index % 3 == 1)
	{
		shape.kind = tn_cylinderShape;
		shape.radius = 5.75f;
		shape.halfLength = 1.5f;
	}
	else if (index % 3 == 2)
	{
		// Points of a flattened ball: all of them are corners.
		for (int i = 0; i < hullPoints; ++i)
		{
			tnVec3 p = {0.0f, 0.0f, 0.0f};
			float length = 0.0f;
			for (uint32_t attempt = 0; length < 0.1f || length > 1.0f; ++attempt)
			{
				const uint32_t seed = 3u * ((uint32_t)(index * hullPoints + i) * 16u + attempt);
				p.x = 2.0f * BenchRandom(seed) - 1.0f;
				p.y = 2.0f * BenchRandom(seed + 1u) - 1.0f;
				p.z = 2.0f * BenchRandom(seed + 2u) - 1.0f;
				length = p.x * p.x + p.y * p.y + p.z * p.z;
			}
			const float scale = 1.0f / sqrtf(length);
			points[i] = (tnVec3){6.0f * scale * p.x, 2.0f * scale * p.y, 6.0f * scale * p.z};
		}
		shape.kind = tn_hullShape;
		shape.points = points;
		shape.pointCount = hullPoints;
	}
	return shape;
}

// Boxes, barrels and balls of 0.5 to 1.9 m: half of them are smaller than a cell, and float.
static tnShapeDef MakeSmallShape(int index)
{
	tnShapeDef shape = tnDefaultShapeDef();
	const float half = 0.25f + 0.1f * (float)(index % 8);
	const tnShapeKind kinds[] = {tn_boxShape, tn_boxShape, tn_cylinderShape, tn_sphereShape};
	shape.kind = kinds[index / 8 % 4];
	shape.halfExtents = (tnVec3){half, half, half};
	shape.radius = half;
	shape.halfLength = half;
	return shape;
}

static tnResult CreateBodies(const BenchEntry* entry, tnWorld* world)
{
	tnResult result = {.status = tn_ok};
	if (entry->smallBodyCount > 0)
	{
		const tnShapeDef shape = MakeSmallShape(7);
		tnBodyDef def = tnDefaultBodyDef();
		def.shapes = &shape;
		def.shapeCount = 1;
		result = tnWorld_ReserveBodies(world, entry->smallBodyCount, &def);
	}
	for (int i = 0; i < GetBenchBodyCount(entry) && result.status == tn_ok; ++i)
	{
		tnVec3 points[hullPoints];
		const bool isSmall = entry->smallBodyCount > 0;
		const tnShapeDef shape = isSmall ? MakeSmallShape(i) : MakeBodyShape(i, points);
		tnBodyDef def = tnDefaultBodyDef();
		def.shapes = &shape;
		def.shapeCount = 1;
		// Half of the water that a box of this size would displace.
		const float side = 2.0f * shape.halfExtents.x;
		def.mass = isSmall ? 500.0f * side * side * side : 78000.0f;
		def.pose = GetBodyPose(entry, i, 0);
		tnBodyId id;
		result = tnWorld_CreateBody(world, &def, &id);
	}
	return result;
}

// Move the bodies of a world on their way: before every step.
static tnResult MoveBodies(const BenchEntry* entry, tnWorld* world, float timeStep)
{
	tnBodyId ids[BENCH_MOST_BODIES];
	const int count = tnWorld_GetBodies(world, ids, BENCH_MOST_BODIES);
	const int64_t step = tnWorld_GetStats(world).stepCount;
	tnResult result = {.status = tn_ok};
	for (int i = 0; i < count && result.status == tn_ok; ++i)
	{
		const tnPose before = GetBodyPose(entry, i, step);
		const tnPose pose = GetBodyPose(entry, i, step + 1);
		const float rate = 1.0f / timeStep;
		const tnVec3 velocity = {rate * (pose.position.x - before.position.x),
			rate * (pose.position.y - before.position.y), rate * (pose.position.z - before.position.z)};
		result = tnWorld_MoveBody(world, ids[i], &pose, velocity, (tnVec3){0.0f, 0.0f, 0.0f});
	}
	return result;
}

// s. Below the limit of all worlds whose bodies rest, which is 0.048 to 0.050.
static const float s_restingSubStep = 0.047f;

tnResult StepBenchWorld(const BenchEntry* entry, tnWorld* world, BenchSteps* steps)
{
	// Waves add up and the deepest place changes, and the limit with it, so that every call has its own time step: a little
	// below the limit, so that n sub-steps are enough for n limits. But a body is cut where it will be after the step, and
	// falls further in a longer one: with another time step each time it would never rest. Hosts keep theirs.
	const float subStep =
		entry->kind == benchRestingBodies ? s_restingSubStep : 0.999f * tnWorld_GetStats(world).stableTimeStep;
	float timeStep = entry->isGame ? 1.0f / 60.0f : (float)entry->subSteps * subStep;
	timeStep = entry->smallBodyCount > 0 ? 1.0f / 30.0f : timeStep;
	tnResult result = entry->kind == benchBodies ? MoveBodies(entry, world, timeStep) : (tnResult){.status = tn_ok};
	result = result.status == tn_ok ? tnWorld_Step(world, timeStep) : result;
	steps->subSteps += tnWorld_GetStats(world).subSteps;
	steps->waterSeconds += (double)timeStep;
	return result;
}

// Rings all over the world: no tile that small drops reach rests.
// @param volume of a drop, m^3
static tnResult AddRings(tnWorld* world, float volume)
{
	tnWaveDrop drops[1024];
	const tnWorldDef def = tnWorld_GetDef(world);
	const int count = (int)(sizeof(drops) / sizeof(drops[0]));
	for (int i = 0; i < count; ++i)
	{
		drops[i].position.x = BenchRandom((uint32_t)(2 * i)) * (float)def.columnCount * def.cellSize;
		drops[i].position.z = BenchRandom((uint32_t)(2 * i + 1)) * (float)def.rowCount * def.cellSize;
		drops[i].volume = volume;
	}
	return tnWorld_AddDrops(world, drops, count);
}

// A sea that moves everywhere, and a player in the middle of it, with short waves around.
static tnResult StirGame(tnWorld* world)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	tnInterestDef player = tnDefaultInterestDef();
	player.position = (tnVec2){0.5f * (float)def.columnCount * def.cellSize, 0.5f * (float)def.rowCount * def.cellSize};
	player.reach = 32.0f;
	tnInterestId id;
	const tnResult result = tnWorld_CreateInterest(world, &player, &id);
	return result.status == tn_ok ? AddRings(world, 20.0f) : result;
}

tnResult CreateBenchWorld(const BenchEntry* entry, int workerCount, tnWorld** world)
{
	*world = NULL;
	const size_t cellCount = (size_t)entry->columnCount * (size_t)entry->rowCount;
	float* bed = malloc(cellCount * sizeof(float));
	float* depth = malloc(cellCount * sizeof(float));
	if (bed == NULL || depth == NULL)
	{
		free(bed);
		free(depth);
		return (tnResult){.status = tn_outOfMemory, .text = "no memory for the terrain"};
	}

	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = entry->columnCount;
	def.rowCount = entry->rowCount;
	def.cellSize = 1.0f;
	def.method = entry->method;
	def.advection = entry->advection;
	def.section = entry->section;
	def.fixedSection = DEEPEST;
	def.friction = entry->friction;
	def.manning = entry->manning;
	def.enableSleep = true;
	def.maxSubSteps = 16;
	def.tracerCount = entry->kind == benchTracers ? 4 : 0;
	def.tasks.workerCount = workerCount;
	def.simd = entry->simd;

	def.waves.enable = def.spray.enable = def.foam.enable = entry->isGame;
	def.waves.tileCount = entry->isGame ? 400 : def.waves.tileCount;
	if (entry->kind == benchRings)
	{
		// Cells of 1/4 m to 8 m, everywhere.
		def.waves.enable = true;
		def.waves.finerLevels = 2;
		def.waves.levelCount = 6;
		def.waves.tileCount = 400;
	}
	tnResult result = tnCreateWorld(&def, world);
	if (entry->kind == benchShores)
	{
		FillShores(entry, bed, depth);
	}
	else
	{
		FillWaves(entry, bed, depth);
	}
	if (result.status == tn_ok)
	{
		result = tnWorld_SetTerrain(*world, bed);
	}
	if (result.status == tn_ok)
	{
		// A lake that covers everything, for the one that is still.
		const bool still = entry->kind == benchStillLake || entry->kind == benchRings;
		result = still ? tnWorld_FillToLevel(*world, 18.0f) : tnWorld_SetDepths(*world, depth);
	}
	if (result.status == tn_ok && entry->kind == benchTracers)
	{
		result = FillTracers(entry, *world, bed);
	}
	if (result.status == tn_ok && entry->kind == benchCurrents)
	{
		result = FillCurrents(entry, *world, bed, depth);
	}
	if (result.status == tn_ok && (entry->kind == benchBodies || entry->kind == benchRestingBodies))
	{
		result = CreateBodies(entry, *world);
	}
	if (result.status == tn_ok && entry->isGame)
	{
		result = StirGame(*world);
	}
	if (result.status == tn_ok && entry->kind == benchRings)
	{
		result = AddRings(*world, 0.05f);
	}
	free(bed);
	free(depth);
	if (result.status != tn_ok)
	{
		tnDestroyWorld(*world);
		*world = NULL;
	}
	return result;
}

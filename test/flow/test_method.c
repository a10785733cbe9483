// SPDX-License-Identifier: MIT

// Moving a world from one method to another while it runs: depth stays bit for bit, the discharge through every wet face
// up to rounding, and nothing else changes.

#include "harness.h"

#include <tarn/tarn.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	// Three columns and two rows of tiles, none of them full at the end.
	columns = 139,
	rows = 77,
	cells = columns * rows,
	facesX = (columns + 1) * rows,
	facesZ = columns * (rows + 1),
	// Long enough for water to run up the islands and to reach every edge.
	warmUp = 60,
};

// The section below which a face is dry, m: TN_DRY_DEPTH of the library.
static const float s_dryDepth = 1.0e-6f;

static const float s_timeStep = 1.0f / 30.0f;

// A method as a host names it.
typedef struct Way
{
	tnMethod method;
	tnAdvection advection;
} Way;

static const Way s_ways[] = {
	{tn_pipeMethod, tn_conservativeAdvection},
	{tn_linearMethod, tn_conservativeAdvection},
	{tn_shallowMethod, tn_conservativeAdvection},
	{tn_shallowMethod, tn_fineAdvection},
	{tn_shallowMethod, tn_semiLagrangianAdvection},
	{tn_shallowMethod, tn_macCormackAdvection},
};

enum
{
	wayCount = sizeof(s_ways) / sizeof(s_ways[0]),
};

static bool StoresVelocity(Way way)
{
	return way.method != tn_pipeMethod;
}

// ---------------------------------------------------------------------------------------------------------------------
// A scene with everything

typedef enum Surroundings
{
	// West and east wrap, a sea in the north, an outfall in the south.
	wrapAlongX = 0,
	// North and south wrap, an inflow in the west, a sea in the east.
	wrapAlongZ,
	// A wall, a sponge, a sea and a wall.
	noWrap,
	surroundingsCount,
} Surroundings;

static tnWorldDef MakeDef(Surroundings surroundings, Way way)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.method = way.method;
	def.advection = way.advection;
	def.fixedSection = 2.0f;
	def.manning = 0.02f;
	tnEdgeDef* edges = def.edges;
	switch (surroundings)
	{
		case wrapAlongX:
			edges[tn_west].kind = edges[tn_east].kind = tn_wrapEdge;
			edges[tn_north].kind = tn_levelEdge;
			edges[tn_north].level = 1.5f;
			edges[tn_south].kind = tn_openEdge;
			break;
		case wrapAlongZ:
			edges[tn_north].kind = edges[tn_south].kind = tn_wrapEdge;
			edges[tn_west].kind = tn_inflowEdge;
			edges[tn_west].inflow = 0.5f;
			edges[tn_east].kind = tn_levelEdge;
			edges[tn_east].level = 0.75f;
			break;
		default:
			edges[tn_east].kind = tn_absorbEdge;
			edges[tn_east].level = 1.0f;
			edges[tn_north].kind = tn_levelEdge;
			edges[tn_north].level = 1.25f;
			break;
	}
	return def;
}

static float s_bed[cells];
static float s_depth[cells];
static float s_dye[cells];

// Rough ground of whole 1/256 m with islands, and more water in the west than in the east.
static void MakeGround(void)
{
	for (int i = 0; i < cells; ++i)
	{
		const int column = i % columns;
		const int row = i / columns;
		uint32_t noise = (uint32_t)column * 0x9E3779B1u + (uint32_t)row * 0x85EBCA77u;
		noise = (noise ^ (noise >> 15)) * 0x2C1B3C6Du;
		const float hill = 2.0f * sinf(0.11f * (float)column) * cosf(0.13f * (float)row);
		s_bed[i] = floorf((hill + (float)(noise >> 28) / 64.0f) * 256.0f) / 256.0f;
		const float level = column < columns / 3 ? 2.5f : 1.0f;
		s_depth[i] = level > s_bed[i] ? level - s_bed[i] : 0.0f;
		s_dye[i] = (float)(column + row) / (float)(columns + rows);
	}
}

static tnWorld* CreateScene(const tnWorldDef* def)
{
	MakeGround();
	tnWorld* world = NULL;
	if (tnCreateWorld(def, &world).status != tn_ok)
	{
		return NULL;
	}
	tnSourceDef source = tnDefaultSourceDef();
	source.center = (tnVec2){0.5f * columns, 0.5f * rows};
	source.radius = 3.0f;
	source.rate = 4.0f;
	source.velocity = (tnVec2){2.0f, -1.0f};
	tnSourceId id;
	bool ok = tnWorld_SetTerrain(world, s_bed).status == tn_ok;
	ok = ok && tnWorld_SetDepths(world, s_depth).status == tn_ok;
	ok = ok && tnWorld_CreateSource(world, &source, &id).status == tn_ok;
	ok = ok && (def->tracerCount == 0 || tnWorld_SetTracer(world, 0, s_dye).status == tn_ok);
	if (!ok)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

static bool Run(tnWorld* world, int stepCount)
{
	bool ok = true;
	for (int i = 0; i < stepCount; ++i)
	{
		ok = ok && tnWorld_Step(world, s_timeStep).status == tn_ok;
	}
	return ok;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is compared

// A copy of everything a host can see of the water.
typedef struct Snapshot
{
	float depth[cells], previous[cells], bed[cells], dye[cells];
	float dischargeX[facesX], dischargeZ[facesZ];
	uint64_t hash;
	double time;
	tnLedger ledger;
	tnStats stats;
	tnWorldDef def;
} Snapshot;

static void CopyView(tnFieldView view, float* values)
{
	for (int row = 0; view.data != NULL && row < rows; ++row)
	{
		memcpy(values + row * columns, view.data + (ptrdiff_t)row * view.stride, columns * sizeof(float));
	}
}

static int TakeSnapshot(tnWorld* world, Snapshot* snapshot)
{
	memset(snapshot, 0, sizeof(*snapshot));
	CopyView(tnWorld_GetDepth(world), snapshot->depth);
	CopyView(tnWorld_GetPreviousDepth(world), snapshot->previous);
	CopyView(tnWorld_GetBed(world), snapshot->bed);
	CopyView(tnWorld_GetTracer(world, 0), snapshot->dye);
	ENSURE_OK(tnWorld_CopyDischarge(world, snapshot->dischargeX, snapshot->dischargeZ));
	snapshot->hash = tnWorld_GetHash(world);
	snapshot->time = tnWorld_GetTime(world);
	snapshot->ledger = tnWorld_GetLedger(world);
	snapshot->stats = tnWorld_GetStats(world);
	snapshot->def = tnWorld_GetDef(world);
	return 0;
}

// Everything but what faces hold.
static int CheckSameWater(const Snapshot* before, const Snapshot* after)
{
	ENSURE(memcmp(before->depth, after->depth, sizeof(before->depth)) == 0);
	ENSURE(memcmp(before->previous, after->previous, sizeof(before->previous)) == 0);
	ENSURE(memcmp(before->bed, after->bed, sizeof(before->bed)) == 0);
	ENSURE(memcmp(before->dye, after->dye, sizeof(before->dye)) == 0);
	ENSURE(before->time == after->time);
	ENSURE(memcmp(&before->ledger, &after->ledger, sizeof(before->ledger)) == 0);
	ENSURE_EQUAL_INT(after->stats.awakeTileCount, before->stats.awakeTileCount);
	ENSURE_EQUAL_INT(after->stats.stepCount, before->stats.stepCount);
	ENSURE(after->stats.maxDepth == before->stats.maxDepth);
	return 0;
}

// Bed and depth of a cell, or of the ghost beyond an edge.
typedef struct Column
{
	float bed, depth;
} Column;

static Column GetColumn(const Snapshot* snapshot, int column, int row)
{
	const tnSide side = column < 0 ? tn_west : (column >= columns ? tn_east : (row < 0 ? tn_north : tn_south));
	const bool outside = column < 0 || column >= columns || row < 0 || row >= rows;
	const tnEdgeDef* edge = &snapshot->def.edges[side];
	if (outside && edge->kind == tn_wrapEdge)
	{
		const int cell = (row + rows) % rows * columns + (column + columns) % columns;
		return (Column){snapshot->bed[cell], snapshot->depth[cell]};
	}
	const int insideColumn = column < 0 ? 0 : (column >= columns ? columns - 1 : column);
	const int insideRow = row < 0 ? 0 : (row >= rows ? rows - 1 : row);
	const int cell = insideRow * columns + insideColumn;
	Column result = {snapshot->bed[cell], snapshot->depth[cell]};
	if (outside)
	{
		const float sea = edge->level - result.bed;
		result.depth = edge->kind == tn_levelEdge && sea > 0.0f ? sea : 0.0f;
		result.bed = edge->kind == tn_wallEdge ? 1.0e30f : result.bed;
	}
	return result;
}

// Does water stand over a face where its flow comes from? What an edge brings in comes with the depth inside.
static bool IsWet(Column first, Column second, float flow)
{
	const float ground = fmaxf(first.bed, second.bed);
	const Column upstream = flow > 0.0f ? first : second;
	float section = upstream.bed + upstream.depth - ground;
	if (!(section > 0.0f))
	{
		section = fmaxf(first.bed + first.depth, second.bed + second.depth) - ground;
	}
	return section > s_dryDepth;
}

typedef struct Momentum
{
	// Sums of discharge, m^2/s: times the area of a cell and the density it is the momentum of the water.
	double x, z;
	// Sum of |discharge|.
	double size;
	int movingFaces, dryFaces;
} Momentum;

// Compares each face before and after: kept up to `tolerance` of itself where wet, zero where dry. Adds both up.
static int CheckFaces(
	const Snapshot* before, const Snapshot* after, float tolerance, Momentum* momentum, Momentum* momentumAfter)
{
	memset(momentum, 0, sizeof(*momentum));
	memset(momentumAfter, 0, sizeof(*momentumAfter));
	for (int axis = 0; axis < 2; ++axis)
	{
		const int count = axis == 0 ? facesX : facesZ;
		const int width = axis == 0 ? columns + 1 : columns;
		for (int i = 0; i < count; ++i)
		{
			const int column = i % width;
			const int row = i / width;
			const float old = axis == 0 ? before->dischargeX[i] : before->dischargeZ[i];
			const float now = axis == 0 ? after->dischargeX[i] : after->dischargeZ[i];
			const Column first = GetColumn(before, axis == 0 ? column - 1 : column, axis == 0 ? row : row - 1);
			const Column second = GetColumn(before, column, row);
			if (!IsWet(first, second, old))
			{
				ENSURE(now == 0.0f);
				momentum->dryFaces += old != 0.0f;
				continue;
			}
			ENSURE_CLOSE(now, old, tolerance * fabsf(old));
			momentum->movingFaces += old != 0.0f;
			momentum->size += fabsf(old);
			*(axis == 0 ? &momentum->x : &momentum->z) += old;
			*(axis == 0 ? &momentumAfter->x : &momentumAfter->z) += now;
		}
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Tests

static Snapshot s_before, s_after;

static int CheckPair(tnWorldDef def, Way from, Way to)
{
	def.method = from.method;
	def.advection = from.advection;
	tnWorld* world = CreateScene(&def);
	ENSURE(world != NULL);
	ENSURE(Run(world, warmUp));
	ENSURE(TakeSnapshot(world, &s_before) == 0);
	ENSURE_OK(tnWorld_SetMethod(world, to.method, to.advection));
	ENSURE(TakeSnapshot(world, &s_after) == 0);
	ENSURE(CheckSameWater(&s_before, &s_after) == 0);

	tnWorldDef expected = s_before.def;
	expected.method = to.method;
	expected.advection = to.advection;
	ENSURE(memcmp(&s_after.def, &expected, sizeof(expected)) == 0);

	if (StoresVelocity(from) == StoresVelocity(to))
	{
		ENSURE_EQUAL_HEX(s_after.hash, s_before.hash);
	}
	else
	{
		ENSURE(s_after.hash != s_before.hash);
	}
	if (def.tracerCount == 0 || !StoresVelocity(from))
	{
		// Discharge over section, rounded, and times section, rounded: two times half a unit in the last place. The
		// other way there is one product, and a host asks for the same one.
		const float tolerance = StoresVelocity(from) == StoresVelocity(to) || StoresVelocity(from) ? 0.0f : FLT_EPSILON;
		Momentum before, after;
		ENSURE(CheckFaces(&s_before, &s_after, tolerance, &before, &after) == 0);
		ENSURE_CLOSE(after.x, before.x, tolerance * before.size);
		ENSURE_CLOSE(after.z, before.z, tolerance * before.size);
		ENSURE(before.movingFaces > cells / 2);
	}

	// The world goes on, and its books with it. Each cell of each step rounds by half a unit of its depth at most.
	ENSURE(Run(world, 20));
	const tnLedger ledger = tnWorld_GetLedger(world);
	ENSURE(isfinite(ledger.volume) && ledger.volume > 0.0);
	ENSURE_CLOSE(ledger.drift, 0.0, 1.0e-6 * ledger.volume);
	tnDestroyWorld(world);
	return 0;
}

static int CheckAllPairs(int tracerCount)
{
	for (int surroundings = 0; surroundings < surroundingsCount; ++surroundings)
	{
		for (int section = 0; section < tn_pipeSectionCount; ++section)
		{
			for (int pair = 0; pair < wayCount * wayCount; ++pair)
			{
				const Way from = s_ways[pair / wayCount];
				const Way to = s_ways[pair % wayCount];
				if (section != tn_depthSection && StoresVelocity(from) && StoresVelocity(to))
				{
					continue; // no pipe in it
				}
				if (TEST_LEAVES_OUT(pair + section + surroundings))
				{
					continue; // each pair has other surroundings in which it comes
				}
				tnWorldDef def = MakeDef((Surroundings)surroundings, from);
				def.section = (tnPipeSection)section;
				def.tracerCount = tracerCount;
				ENSURE(CheckPair(def, from, to) == 0);
			}
		}
	}
	return 0;
}

static int EveryPairKeepsTheWater(void)
{
	return CheckAllPairs(0);
}

static int EveryPairKeepsTracers(void)
{
	return CheckAllPairs(1);
}

// Tracers change nothing about the water, so worlds with and without them tell the same discharge after a change.
static int TracersHaveTheSameDischarge(void)
{
	for (int pair = 0; pair < wayCount * wayCount; ++pair)
	{
		const Way from = s_ways[pair / wayCount];
		const Way to = s_ways[pair % wayCount];
		if (StoresVelocity(from) == StoresVelocity(to))
		{
			continue;
		}
		Snapshot* snapshots[2] = {&s_before, &s_after};
		for (int tracerCount = 0; tracerCount < 2; ++tracerCount)
		{
			tnWorldDef def = MakeDef(wrapAlongZ, from);
			def.tracerCount = tracerCount;
			tnWorld* world = CreateScene(&def);
			ENSURE(world != NULL);
			ENSURE(Run(world, warmUp));
			ENSURE_OK(tnWorld_SetMethod(world, to.method, to.advection));
			ENSURE(TakeSnapshot(world, snapshots[tracerCount]) == 0);
			tnDestroyWorld(world);
		}
		ENSURE(memcmp(s_before.depth, s_after.depth, sizeof(s_before.depth)) == 0);
		ENSURE(memcmp(s_before.dischargeX, s_after.dischargeX, sizeof(s_before.dischargeX)) == 0);
		ENSURE(memcmp(s_before.dischargeZ, s_after.dischargeZ, sizeof(s_before.dischargeZ)) == 0);
	}
	return 0;
}

// There and back without a step in between. Velocity to velocity: not a bit. Over pipes: each of the two ways rounds
// once or twice, and the speed that comes back is that of the same water.
static int ThereAndBack(void)
{
	for (int pair = 0; pair < wayCount * wayCount; ++pair)
	{
		if (TEST_LEAVES_OUT(pair / wayCount + pair % wayCount))
		{
			continue;
		}
		const Way from = s_ways[pair / wayCount];
		const Way to = s_ways[pair % wayCount];
		const tnWorldDef def = MakeDef(wrapAlongX, from);
		tnWorld* world = CreateScene(&def);
		tnWorld* twin = CreateScene(&def);
		ENSURE(world != NULL && twin != NULL);
		ENSURE(Run(world, warmUp) && Run(twin, warmUp));
		ENSURE(TakeSnapshot(world, &s_before) == 0);
		ENSURE_OK(tnWorld_SetMethod(world, to.method, to.advection));
		ENSURE_OK(tnWorld_SetMethod(world, from.method, from.advection));
		ENSURE(TakeSnapshot(world, &s_after) == 0);
		ENSURE(CheckSameWater(&s_before, &s_after) == 0);
		Momentum before, after;
		ENSURE(CheckFaces(&s_before, &s_after, 2.0f * FLT_EPSILON, &before, &after) == 0);
		if (StoresVelocity(from) == StoresVelocity(to))
		{
			ENSURE_EQUAL_HEX(s_after.hash, s_before.hash);
			ENSURE(Run(world, 20) && Run(twin, 20));
			ENSURE_EQUAL_HEX(tnWorld_GetHash(world), tnWorld_GetHash(twin));
		}
		tnDestroyWorld(world);
		tnDestroyWorld(twin);
	}
	return 0;
}

// To the method it has: no bit, no memory.
static int SameMethodChangesNothing(void)
{
	for (int i = 0; i < wayCount; ++i)
	{
		TestAllocator counter = {0};
		tnWorldDef def = MakeDef(noWrap, s_ways[i]);
		def.tracerCount = 1;
		tnWorld* twin = CreateScene(&def);
		def.allocator = TestGetAllocator(&counter);
		tnWorld* world = CreateScene(&def);
		ENSURE(world != NULL && twin != NULL);
		ENSURE(Run(world, 20) && Run(twin, 20));
		const int allocationCount = counter.allocationCount;
		ENSURE_OK(tnWorld_SetMethod(world, s_ways[i].method, s_ways[i].advection));
		ENSURE_EQUAL_INT(counter.allocationCount, allocationCount);
		ENSURE_EQUAL_HEX(tnWorld_GetHash(world), tnWorld_GetHash(twin));
		ENSURE(Run(world, 20) && Run(twin, 20));
		ENSURE_EQUAL_HEX(tnWorld_GetHash(world), tnWorld_GetHash(twin));
		tnDestroyWorld(world);
		tnDestroyWorld(twin);
	}
	return 0;
}

// A world that is changed before its first step is a world of that method.
static int ChangedBeforeTheFirstStep(void)
{
	for (int pair = 0; pair < wayCount * wayCount; ++pair)
	{
		if (TEST_LEAVES_OUT(pair / wayCount + pair % wayCount))
		{
			continue;
		}
		const Way from = s_ways[pair / wayCount];
		const Way to = s_ways[pair % wayCount];
		tnWorldDef def = MakeDef(wrapAlongX, from);
		def.section = (tnPipeSection)(pair % tn_pipeSectionCount);
		tnWorld* world = CreateScene(&def);
		def.method = to.method;
		def.advection = to.advection;
		tnWorld* fresh = CreateScene(&def);
		ENSURE(world != NULL && fresh != NULL);
		ENSURE_OK(tnWorld_SetMethod(world, to.method, to.advection));
		ENSURE(tnWorld_GetStats(world).stableTimeStep == tnWorld_GetStats(fresh).stableTimeStep);
		// A world that has been shallow keeps its residual.
		const bool residualStays = from.method == tn_shallowMethod && to.method != tn_shallowMethod;
		ENSURE(residualStays || tnWorld_GetStats(world).byteCount == tnWorld_GetStats(fresh).byteCount);
		ENSURE(Run(world, 30) && Run(fresh, 30));
		ENSURE_EQUAL_HEX(tnWorld_GetHash(world), tnWorld_GetHash(fresh));
		ENSURE_EQUAL_INT(tnWorld_GetStats(world).subSteps, tnWorld_GetStats(fresh).subSteps);
		tnDestroyWorld(world);
		tnDestroyWorld(fresh);
	}
	return 0;
}

// A lake with islands stays at rest through all changes, asleep or not, and what sleeps goes on sleeping.
static int RestStaysRest(void)
{
	MakeGround();
	for (int sleeps = 0; sleeps < 2; ++sleeps)
	{
		for (int wraps = 0; wraps < 2; ++wraps)
		{
			tnWorldDef def = MakeDef(wrapAlongX, s_ways[0]);
			def.edges[tn_north] = def.edges[tn_south] = tnDefaultEdgeDef();
			def.edges[tn_west].kind = def.edges[tn_east].kind = wraps ? tn_wrapEdge : tn_wallEdge;
			def.enableSleep = sleeps == 1;
			def.sleepTime = 0.1f;
			tnWorld* world = NULL;
			ENSURE_OK(tnCreateWorld(&def, &world));
			ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
			ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
			ENSURE(Run(world, 40));
			ENSURE(TakeSnapshot(world, &s_before) == 0);
			ENSURE_EQUAL_INT(s_before.stats.awakeTileCount, sleeps ? 0 : s_before.stats.tileCount);
			for (int pair = 0; pair < wayCount * wayCount; ++pair)
			{
				const Way way = s_ways[pair % 2 == 0 ? pair / wayCount : pair % wayCount];
				const uint64_t hash = tnWorld_GetHash(world);
				ENSURE_OK(tnWorld_SetMethod(world, way.method, way.advection));
				ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hash);
				ENSURE(Run(world, 2));
				ENSURE(TakeSnapshot(world, &s_after) == 0);
				ENSURE(memcmp(s_after.depth, s_before.depth, sizeof(s_before.depth)) == 0);
				for (int face = 0; face < facesX; ++face)
				{
					ENSURE(s_after.dischargeX[face] == 0.0f);
				}
				for (int face = 0; face < facesZ; ++face)
				{
					ENSURE(s_after.dischargeZ[face] == 0.0f);
				}
				ENSURE_EQUAL_INT(s_after.stats.awakeTileCount, s_before.stats.awakeTileCount);
				ENSURE(s_after.ledger.drift == s_before.ledger.drift);
			}
			tnDestroyWorld(world);
		}
	}
	return 0;
}

// Part of the world sleeps while the rest moves. At sleepSpeed 0 sleep changes no bit, changes of method included.
static int SleepersSleepOn(void)
{
	uint64_t hashes[2];
	for (int sleeps = 0; sleeps < 2; ++sleeps)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = 401;
		def.rowCount = 67;
		def.enableSleep = sleeps == 1;
		def.sleepSpeed = 0.0f;
		def.sleepTime = 0.1f;
		def.tracerCount = 1;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		// A dam keeps the east at rest until the last.
		const float dam = 5.0f;
		for (int row = 0; row < def.rowCount; ++row)
		{
			ENSURE_OK(tnWorld_SetTerrainBlock(world, 150, row, 1, 1, &dam));
			ENSURE_OK(tnWorld_AddWater(world, (tnVec2){150.5f, (float)row + 0.5f}, 0.25f, -10.0f, NULL));
		}
		ENSURE(Run(world, 40));
		ENSURE_OK(tnWorld_AddWater(world, (tnVec2){40.0f, 30.0f}, 8.0f, 100.0f, NULL));
		for (int i = 0; i < wayCount; ++i)
		{
			ENSURE(Run(world, 6));
			const int awake = tnWorld_GetStats(world).awakeTileCount;
			ENSURE(awake > 0);
			ENSURE(sleeps == 0 || awake < tnWorld_GetStats(world).tileCount);
			ENSURE_OK(tnWorld_SetMethod(world, s_ways[i].method, s_ways[i].advection));
			ENSURE_EQUAL_INT(tnWorld_GetStats(world).awakeTileCount, awake);
		}
		// And now the wave gets out among the sleepers.
		const float gap = 0.0f;
		ENSURE_OK(tnWorld_SetTerrainBlock(world, 150, 30, 1, 1, &gap));
		for (int i = wayCount - 1; i >= 0; --i)
		{
			ENSURE(Run(world, 10));
			ENSURE_OK(tnWorld_SetMethod(world, s_ways[i].method, s_ways[i].advection));
		}
		hashes[sleeps] = tnWorld_GetHash(world);
		tnDestroyWorld(world);
	}
	ENSURE_EQUAL_HEX(hashes[1], hashes[0]);
	return 0;
}

// One walk through all methods, for any number of workers and each instruction set.
static int WorkersAndSimdDoNotShow(void)
{
	for (int surroundings = 0; surroundings < surroundingsCount; ++surroundings)
	{
		uint64_t expected = 0;
		for (int variant = 0; variant < 5 + tn_simdWasm + 1; ++variant)
		{
			tnWorldDef def = MakeDef((Surroundings)surroundings, s_ways[0]);
			def.section = tn_meanSection;
			def.tracerCount = 1;
			def.tasks.workerCount = variant < 5 ? variant + 1 : 2;
			def.simd = variant < 5 ? tn_simdAuto : (tnSimd)(variant - 5);
			if (!tnIsSimdAvailable(def.simd) || (variant < 5 && TEST_LEAVES_OUT(variant)))
			{
				continue;
			}
			tnWorld* world = CreateScene(&def);
			ENSURE(world != NULL);
			for (int i = 0; i < 2 * wayCount; ++i)
			{
				ENSURE(Run(world, 5));
				// Each method from a pipe, and each from another.
				const Way way = i % 2 == 0 ? s_ways[i / 2] : s_ways[(i / 2 + 3) % wayCount];
				ENSURE_OK(tnWorld_SetMethod(world, way.method, way.advection));
			}
			expected = variant == 0 ? tnWorld_GetHash(world) : expected;
			ENSURE_EQUAL_HEX(tnWorld_GetHash(world), expected);
			tnDestroyWorld(world);
		}
	}
	return 0;
}

// Whichever allocation fails, the world goes on as if nobody had asked.
static int MemoryRunsOut(void)
{
	for (int pair = 0; pair < wayCount * wayCount; ++pair)
	{
		if (TEST_LEAVES_OUT(pair / wayCount + pair % wayCount))
		{
			continue;
		}
		const Way from = s_ways[pair / wayCount];
		const Way to = s_ways[pair % wayCount];
		if (pair / wayCount == pair % wayCount)
		{
			continue;
		}
		TestAllocator counter = {0};
		tnWorldDef def = MakeDef(noWrap, from);
		def.tracerCount = 1;
		tnWorld* twin = CreateScene(&def);
		def.allocator = TestGetAllocator(&counter);
		tnWorld* world = CreateScene(&def);
		ENSURE(world != NULL && twin != NULL);
		ENSURE(Run(world, 5) && Run(twin, 5));
		const uint64_t hash = tnWorld_GetHash(twin);
		const size_t byteCount = counter.liveBytes;
		int failures = 0;
		for (bool done = false; !done;)
		{
			counter.failIn = failures + 1;
			counter.failAfterwards = failures % 2 == 1;
			const tnResult result = tnWorld_SetMethod(world, to.method, to.advection);
			counter.failIn = 0;
			counter.failAfterwards = false;
			done = result.status == tn_ok;
			if (done)
			{
				break;
			}
			ENSURE_REFUSED(result, tn_outOfMemory, "memory");
			ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hash);
			ENSURE_EQUAL_INT(counter.liveBytes, byteCount);
			ENSURE_EQUAL_INT(tnWorld_GetStats(world).byteCount, byteCount);
			ENSURE_EQUAL_INT(tnWorld_GetDef(world).method, from.method);
			ENSURE_EQUAL_INT(tnWorld_GetDef(world).advection, from.advection);
			failures += 1;
		}
		ENSURE(failures >= 1 && failures < 100);
		ENSURE_OK(tnWorld_SetMethod(twin, to.method, to.advection));
		ENSURE(Run(world, 5) && Run(twin, 5));
		ENSURE_EQUAL_HEX(tnWorld_GetHash(world), tnWorld_GetHash(twin));
		tnDestroyWorld(world);
		tnDestroyWorld(twin);
		ENSURE_EQUAL_INT(counter.liveBytes, 0);
		ENSURE_EQUAL_INT(counter.badFreeCount, 0);
	}

	// A limit counts too.
	tnWorldDef def = MakeDef(noWrap, s_ways[0]);
	tnWorld* world = CreateScene(&def);
	ENSURE(world != NULL);
	def.memoryLimit = tnWorld_GetStats(world).byteCount + 64;
	tnDestroyWorld(world);
	world = CreateScene(&def);
	ENSURE(world != NULL);
	const uint64_t hash = tnWorld_GetHash(world);
	ENSURE_REFUSED(
		tnWorld_SetMethod(world, tn_shallowMethod, tn_conservativeAdvection), tn_outOfMemory, "method from 0 to 2");
	ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hash);
	ENSURE(Run(world, 2));
	tnDestroyWorld(world);
	return 0;
}

// A row of water 1 m deep that runs with 1000 m/s, most of which is then taken away: `left` meters stay.
static tnWorld* CreateFilm(float left)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 9;
	def.rowCount = 5;
	tnWorld* world = NULL;
	float velocities[45], still[45] = {0};
	for (int i = 0; i < 45; ++i)
	{
		velocities[i] = 1000.0f;
	}
	bool ok = tnCreateWorld(&def, &world).status == tn_ok;
	ok = ok && tnWorld_FillToLevel(world, 1.0f).status == tn_ok;
	ok = ok && tnWorld_SetVelocities(world, velocities, still).status == tn_ok;
	for (int i = 0; i < 45; ++i)
	{
		const tnVec2 center = {(float)(i % 9) + 0.5f, (float)(i / 9) + 0.5f};
		ok = ok && tnWorld_AddWater(world, center, 0.25f, left - 1.0f, NULL).status == tn_ok;
	}
	return ok ? world : NULL;
}

// Where next to no water is left the discharge of a pipe would want any velocity: it stays what a host may ask for, and
// a dry face has none.
static int FilmsAreNotShot(void)
{
	tnWorld* world = CreateFilm(4.0f * s_dryDepth);
	ENSURE(world != NULL);
	const double volume = tnWorld_GetLedger(world).volume;
	ENSURE_OK(tnWorld_SetMethod(world, tn_linearMethod, tn_conservativeAdvection));
	float velocitiesX[45];
	ENSURE_OK(tnWorld_CopyVelocities(world, velocitiesX, NULL));
	ENSURE(velocitiesX[22] == 1000.0f);
	ENSURE(Run(world, 5));
	// 45 cells, each rounded in at most 5 * 8 sub-steps.
	ENSURE_CLOSE(tnWorld_GetLedger(world).volume, volume, 40.0 * FLT_EPSILON * volume);
	tnDestroyWorld(world);

	world = CreateFilm(0.5f * s_dryDepth);
	ENSURE(world != NULL);
	float discharge[50];
	ENSURE_OK(tnWorld_CopyDischarge(world, discharge, NULL));
	ENSURE(discharge[24] == 1000.0f);
	ENSURE_OK(tnWorld_SetMethod(world, tn_linearMethod, tn_conservativeAdvection));
	ENSURE_OK(tnWorld_CopyDischarge(world, discharge, NULL));
	for (int i = 0; i < 50; ++i)
	{
		ENSURE(discharge[i] == 0.0f);
	}
	tnDestroyWorld(world);
	return 0;
}

// Water poured beside a wrapped edge counts at once for the faces between the two sides.
static int WaterPouredAtAWrapCounts(void)
{
	for (int i = 0; i < 2; ++i)
	{
		const tnWorldDef def = MakeDef(i == 0 ? wrapAlongX : wrapAlongZ, s_ways[0]);
		tnWorld* world = CreateScene(&def);
		ENSURE(world != NULL);
		ENSURE(Run(world, warmUp));
		for (int place = 0; place < 60; ++place)
		{
			const float along = 1.0f + (float)place;
			ENSURE_OK(
				tnWorld_AddWater(world, i == 0 ? (tnVec2){0.5f, along} : (tnVec2){along, 0.5f}, 0.25f, 3.0f, NULL));
			ENSURE_OK(tnWorld_AddWater(
				world, i == 0 ? (tnVec2){columns - 0.5f, along} : (tnVec2){along, rows - 0.5f}, 0.25f, 2.0f, NULL));
		}
		ENSURE(TakeSnapshot(world, &s_before) == 0);
		ENSURE_OK(tnWorld_SetMethod(world, tn_linearMethod, tn_conservativeAdvection));
		// Setting the edges they have makes nothing but the ghosts anew.
		ENSURE_OK(tnWorld_SetEdges(world, s_before.def.edges));
		ENSURE(TakeSnapshot(world, &s_after) == 0);
		Momentum before, after;
		ENSURE(CheckFaces(&s_before, &s_after, FLT_EPSILON, &before, &after) == 0);
		tnDestroyWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is refused

typedef struct Meddler
{
	tnWorld* world;
	tnResult method, confinement;
} Meddler;

// A task of the host that changes the world it works for.
static void* Meddle(tnTaskFcn* task, void* taskContext, void* context)
{
	Meddler* meddler = context;
	meddler->method = tnWorld_SetMethod(meddler->world, tn_shallowMethod, tn_fineAdvection);
	meddler->confinement = tnWorld_SetVorticityConfinement(meddler->world, 0.5f);
	task(taskContext);
	return NULL;
}

static void Wait(void* hostTask, void* context)
{
	(void)hostTask;
	(void)context;
}

static int NotDuringAStep(void)
{
	Meddler meddler = {0};
	tnWorldDef def = MakeDef(noWrap, s_ways[0]);
	tnWorld* twin = CreateScene(&def);
	def.tasks = (tnTaskSystem){Meddle, Wait, &meddler, 2};
	tnWorld* world = CreateScene(&def);
	ENSURE(world != NULL && twin != NULL);
	meddler.world = world;
	ENSURE(Run(world, 3) && Run(twin, 3));
	ENSURE_REFUSED(meddler.method, tn_notAvailable, "stepping");
	ENSURE_REFUSED(meddler.confinement, tn_notAvailable, "stepping");
	ENSURE_EQUAL_HEX(tnWorld_GetHash(world), tnWorld_GetHash(twin));
	ENSURE_EQUAL_INT(tnWorld_GetDef(world).method, tn_pipeMethod);
	ENSURE(tnWorld_GetDef(world).vorticityConfinement == 0.0f);
	tnDestroyWorld(world);
	tnDestroyWorld(twin);
	return 0;
}

// The knob is kept in the def, through changes of method, and pipes and linear do not look at it.
static int VorticityConfinement(void)
{
	tnWorldDef def = MakeDef(wrapAlongX, s_ways[0]);
	ENSURE(def.vorticityConfinement == 0.0f);
	tnWorld* twin = CreateScene(&def);
	def.vorticityConfinement = 0.25f;
	tnWorld* world = CreateScene(&def);
	ENSURE(world != NULL && twin != NULL);
	ENSURE(tnWorld_GetDef(world).vorticityConfinement == 0.25f);
	const float strengths[] = {0.0f, 1.0f, 0.125f};
	for (int i = 0; i < 3; ++i)
	{
		const uint64_t hash = tnWorld_GetHash(world);
		ENSURE_OK(tnWorld_SetVorticityConfinement(world, strengths[i]));
		ENSURE(tnWorld_GetDef(world).vorticityConfinement == strengths[i]);
		ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hash);
		ENSURE_OK(tnWorld_SetMethod(world, (tnMethod)(i % 2), tn_conservativeAdvection));
		ENSURE_OK(tnWorld_SetMethod(twin, (tnMethod)(i % 2), tn_conservativeAdvection));
		ENSURE(tnWorld_GetDef(world).vorticityConfinement == strengths[i]);
		ENSURE(Run(world, 10) && Run(twin, 10));
		ENSURE_EQUAL_HEX(tnWorld_GetHash(world), tnWorld_GetHash(twin));
	}
	tnDestroyWorld(world);
	tnDestroyWorld(twin);
	return 0;
}

static const Test s_tests[] = {
	{"EveryPairKeepsTheWater", EveryPairKeepsTheWater},
	{"EveryPairKeepsTracers", EveryPairKeepsTracers},
	{"TracersHaveTheSameDischarge", TracersHaveTheSameDischarge},
	{"ThereAndBack", ThereAndBack},
	{"SameMethodChangesNothing", SameMethodChangesNothing},
	{"ChangedBeforeTheFirstStep", ChangedBeforeTheFirstStep},
	{"RestStaysRest", RestStaysRest},
	{"SleepersSleepOn", SleepersSleepOn},
	{"WorkersAndSimdDoNotShow", WorkersAndSimdDoNotShow},
	{"MemoryRunsOut", MemoryRunsOut},
	{"FilmsAreNotShot", FilmsAreNotShot},
	{"WaterPouredAtAWrapCounts", WaterPouredAtAWrapCounts},
	{"NotDuringAStep", NotDuringAStep},
	{"VorticityConfinement", VorticityConfinement},
};

const TestSuite methodSuite = TEST_SUITE("method", s_tests);

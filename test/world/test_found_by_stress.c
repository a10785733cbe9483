// SPDX-License-Identifier: MIT

// What the random driver has found, as small tests of their own: traces of water, sleep and pushes across wrapped edges,
// sponges, absurd rain, what is left of refused calls.

#include "harness.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdlib.h>

enum
{
	side = 16,
	cells = side * side,
	ringRows = 512
};

static float s_bed[cells];
static float s_depth[cells];
static float s_alongX[cells];
static float s_alongZ[cells];
static float s_faces[side * (ringRows + 1)];

static tnWorldDef MakeDef(int method)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = side;
	def.rowCount = side;
	def.method = (tnMethod)method;
	return def;
}

static int StepTimes(tnWorld* world, int count, float timeStep)
{
	for (int i = 0; i < count; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, timeStep));
	}
	return 0;
}

// Cells that hold a few of the smallest floats, and momentum that wants to carry them out against higher water. A share
// of such a depth is off by half of itself, which once made it negative, and not a number in the next sub-step.
static int TracesOfWaterStayPositive(void)
{
	for (int units = 1; units <= 64; ++units)
	{
		// dt/dx above 1, so that half a unit of discharge is more than half a unit of depth.
		tnWorldDef def = MakeDef(tn_pipeMethod);
		def.cellSize = 0.05f;
		def.gravity = 1.0f;
		def.maxSubSteps = 1;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		for (int i = 0; i < cells; ++i)
		{
			s_depth[i] = i % side == 0 ? (float)units * 1.4e-45f : 0.01f;
			s_alongX[i] = 0.5f + 0.1f * (float)(i / side);
			s_alongZ[i] = 0.0f;
		}
		ENSURE_OK(tnWorld_SetDepths(world, s_depth));
		ENSURE_OK(tnWorld_SetVelocities(world, s_alongX, s_alongZ));
		for (int step = 0; step < 4; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 0.1f + 1.0e-3f * (float)units));
			const tnFieldView depth = tnWorld_GetDepth(world);
			for (int i = 0; i < cells; ++i)
			{
				ENSURE(depth.data[i / side * depth.stride + i % side] >= 0.0f);
			}
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// Eight rows of tiles around a wrapped world: the last one sleeps, the first is awake because of the third. The faces
// between last and first must not go on pouring what they carried when the last fell asleep.
static int SleepAcrossAWrapMakesNoWater(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = MakeDef(method);
		def.rowCount = ringRows;
		def.edges[tn_north].kind = tn_wrapEdge;
		def.edges[tn_south].kind = tn_wrapEdge;
		def.sleepTime = 0.1f;
		def.sleepSpeed = 0.05f;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		static float across[side * ringRows];
		static float along[side * ringRows];
		for (int i = 0; i < side * ringRows; ++i)
		{
			const int row = i / side;
			along[i] = row < 5 || row > ringRows - 5 ? 0.04f : 0.0f;
		}
		ENSURE_OK(tnWorld_SetVelocities(world, across, along));
		int fewest = 8;
		for (int step = 0; step < 400; ++step)
		{
			// Keeps the third row of tiles busy.
			ENSURE_OK(tnWorld_AddImpulse(world, (tnVec2){8.0f, 160.0f}, 3.0f, (tnVec2){2.0e4f, 0.0f}));
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			const int awake = tnWorld_GetStats(world).awakeTileCount;
			fewest = awake < fewest ? awake : fewest;
		}
		ENSURE(fewest < 8);
		// 6e-8 of the volume for each of 400 steps would be the worst.
		ENSURE_CLOSE(tnWorld_GetLedger(world).drift, 0.0, 2.0e-3);
		ENSURE_OK(tnWorld_CopyDischarge(world, NULL, s_faces));
		for (int column = 0; column < side; ++column)
		{
			ENSURE(s_faces[column] == s_faces[side * ringRows + column]);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// A pond in the outermost cells, with high ground on its other sides: the only face that moves is that of the edge.
static int PondsDrainOffEveryEdge(void)
{
	for (int edge = 0; edge < tn_sideCount; ++edge)
	{
		for (int method = 0; method < tn_methodCount; ++method)
		{
			double left[2];
			for (int sleep = 0; sleep < 2; ++sleep)
			{
				tnWorldDef def = MakeDef(method);
				def.edges[edge].kind = tn_openEdge;
				def.enableSleep = sleep != 0;
				tnWorld* world = NULL;
				ENSURE_OK(tnCreateWorld(&def, &world));
				for (int i = 0; i < cells; ++i)
				{
					const int distances[tn_sideCount] = {i % side, side - 1 - i % side, i / side, side - 1 - i / side};
					s_bed[i] = distances[edge] == 0 ? 0.0f : 50.0f;
					s_depth[i] = distances[edge] == 0 ? 20.0f : 0.0f;
				}
				ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
				ENSURE_OK(tnWorld_SetDepths(world, s_depth));
				ENSURE(StepTimes(world, 600, 1.0f / 60.0f) == 0);
				left[sleep] = tnWorld_GetLedger(world).volume;
				tnDestroyWorld(world);
			}
			ENSURE(left[0] < 1.0);
			ENSURE(left[1] == left[0]);
		}
	}
	return 0;
}

// Water at rest at an edge has the same bits whether it sleeps or not, the sign of zero included.
static int RestAtEdgesHasTheBitsOfSleep(void)
{
	for (int kind = 0; kind < tn_edgeKindCount; ++kind)
	{
		for (int method = 0; method < tn_methodCount; ++method)
		{
			uint64_t hashes[2];
			for (int sleep = 0; sleep < 2; ++sleep)
			{
				tnWorldDef def = MakeDef(method);
				def.enableSleep = sleep != 0;
				def.sleepSpeed = 0.0f;
				for (int edge = 0; edge < tn_sideCount; ++edge)
				{
					def.edges[edge].kind = (tnEdgeKind)kind;
					def.edges[edge].level = 2.0f;
				}
				tnWorld* world = NULL;
				ENSURE_OK(tnCreateWorld(&def, &world));
				ENSURE_OK(tnWorld_FillToLevel(world, kind == tn_openEdge ? 0.0f : 2.0f));
				ENSURE(StepTimes(world, 120, 1.0f / 60.0f) == 0);
				ENSURE(sleep == 0 || tnWorld_GetStats(world).awakeTileCount == 0);
				hashes[sleep] = tnWorld_GetHash(world);
				tnDestroyWorld(world);
			}
			ENSURE_EQUAL_HEX(hashes[1], hashes[0]);
		}
	}
	return 0;
}

// Mirrored worlds: a level edge on one side, then on the other, and a sponge across. The sponge slows the faces of
// both.
static int SpongesSlowAllEdgesAlike(void)
{
	for (int axis = 0; axis < 2; ++axis)
	{
		for (int method = 0; method < tn_methodCount; ++method)
		{
			tnWorld* worlds[2] = {NULL, NULL};
			for (int mirror = 0; mirror < 2; ++mirror)
			{
				tnWorldDef def = MakeDef(method);
				def.edges[2 * axis + mirror].kind = tn_levelEdge;
				def.edges[2 * axis + mirror].level = 3.0f;
				def.edges[2 - 2 * axis].kind = tn_absorbEdge;
				def.edges[2 - 2 * axis].level = 1.0f;
				def.edges[2 - 2 * axis].spongeWidth = 12;
				ENSURE_OK(tnCreateWorld(&def, worlds + mirror));
				ENSURE_OK(tnWorld_FillToLevel(worlds[mirror], 1.0f));
				ENSURE(StepTimes(worlds[mirror], 60, 1.0f / 60.0f) == 0);
			}
			const tnFieldView first = tnWorld_GetDepth(worlds[0]);
			const tnFieldView second = tnWorld_GetDepth(worlds[1]);
			for (int i = 0; i < cells; ++i)
			{
				const int column = i % side;
				const int row = i / side;
				const int mirrorColumn = axis == 0 ? side - 1 - column : column;
				const int mirrorRow = axis == 1 ? side - 1 - row : row;
				ENSURE(
					first.data[row * first.stride + column] == second.data[mirrorRow * second.stride + mirrorColumn]);
			}
			tnDestroyWorld(worlds[0]);
			tnDestroyWorld(worlds[1]);
		}
	}
	return 0;
}

// One sub-step where forty are needed: waves are slowed, and so is the water that an absorbing edge lets in. It may
// swing, but the level outside is 1 m.
static int AbsorbingEdgesSlowDownToo(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		tnWorldDef def = MakeDef(method);
		def.cellSize = 0.1f;
		def.maxSubSteps = 1;
		for (int edge = 0; edge < tn_sideCount; ++edge)
		{
			def.edges[edge].kind = tn_absorbEdge;
			def.edges[edge].level = 1.0f;
		}
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 0.5f));
		for (int step = 0; step < 200; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 0.5f));
			ENSURE(tnWorld_GetStats(world).maxDepth < 1.5f);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// Water that comes after a long drought is not taken at once for all that could have seeped away before.
static int DryGroundIsOwedNothing(void)
{
	for (int kind = 0; kind < 2; ++kind)
	{
		const tnWorldDef def = MakeDef(tn_pipeMethod);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(
			kind == 0 ? tnWorld_SetInfiltration(world, 1.0e-4f, NULL) : tnWorld_SetEvaporation(world, 1.0e-4f, NULL));
		ENSURE(StepTimes(world, 6000, 1.0f / 60.0f) == 0);
		ENSURE_OK(tnWorld_FillToLevel(world, 0.005f));
		ENSURE(StepTimes(world, 60, 1.0f / 60.0f) == 0);
		// 0.1 mm a second from 5 mm, in portions of 2^-18 m.
		ENSURE_CLOSE(tnWorld_GetLedger(world).volume, 0.0049 * cells, 1.0e-5 * cells);
		tnDestroyWorld(world);
	}
	return 0;
}

// A curve of inflows does not become one of levels when the kind of an edge changes.
static int CurvesGoWithTheKindOfEdge(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	def.edges[tn_west].kind = tn_inflowEdge;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	const tnCurvePoint point = {0.0f, 500000.0f};
	ENSURE_OK(tnWorld_SetEdgeCurve(world, tn_west, &point, 1));
	tnEdgeDef edge = tnDefaultEdgeDef();
	edge.kind = tn_levelEdge;
	edge.level = 1.0f;
	ENSURE_OK(tnWorld_SetEdge(world, tn_west, &edge));
	ENSURE(StepTimes(world, 60, 1.0f / 60.0f) == 0);
	ENSURE(tnWorld_GetStats(world).maxDepth < 2.0f);
	// The same kind keeps its curve.
	const tnCurvePoint level = {0.0f, 5.0f};
	ENSURE_OK(tnWorld_SetEdgeCurve(world, tn_west, &level, 1));
	ENSURE_OK(tnWorld_SetEdge(world, tn_west, &edge));
	ENSURE(StepTimes(world, 60, 1.0f / 60.0f) == 0);
	ENSURE(tnWorld_GetStats(world).maxDepth > 2.0f);
	tnDestroyWorld(world);
	return 0;
}

// Cells of a millimeter 100 km from the origin: coordinates cannot tell them apart, but a disc has at least one.
static int SmallDiscsFarAwayHoldWater(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	def.cellSize = 0.001f;
	def.origin = (tnVec2){1.0e5f, -1.0e5f};
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	double moved = 0.0;
	const tnVec2 center = {1.0e5f + 0.0078125f, -1.0e5f + 0.0078125f};
	ENSURE_OK(tnWorld_AddWater(world, center, 0.0002f, 1.0e-6f, &moved));
	ENSURE_CLOSE(moved, 1.0e-6, 1.0e-12);
	tnDestroyWorld(world);
	return 0;
}

// Pouring does not take away: water that an edge has raised above the limit stays.
static int PouringOnDeepWaterTakesNothing(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	for (int i = 0; i < cells; ++i)
	{
		s_bed[i] = -TN_MAX_LENGTH;
	}
	ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0e4f));
	double moved = 0.0;
	ENSURE_OK(tnWorld_AddWater(world, (tnVec2){8.0f, 8.0f}, 2.0f, 1000.0f, &moved));
	ENSURE(moved >= 0.0);
	tnDestroyWorld(world);
	return 0;
}

// The water of a disc gains all of an impulse, also beside an edge that wraps.
static int ImpulsesCrossWrappedEdges(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		const tnVec2 places[] = {{8.0f, 8.0f}, {0.5f, 8.0f}, {15.5f, 8.0f}, {8.0f, 0.5f}, {8.0f, 15.5f}};
		for (int place = 0; place < 5; ++place)
		{
			tnWorldDef def = MakeDef(method);
			for (int edge = 0; edge < tn_sideCount; ++edge)
			{
				def.edges[edge].kind = tn_wrapEdge;
			}
			tnWorld* world = NULL;
			ENSURE_OK(tnCreateWorld(&def, &world));
			ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
			ENSURE_OK(tnWorld_AddImpulse(world, places[place], 0.4f, (tnVec2){1000.0f, 2000.0f}));
			ENSURE_OK(tnWorld_Step(world, 1.0e-4f));
			double momentum[2] = {0.0, 0.0};
			ENSURE_OK(tnWorld_CopyDischarge(world, s_faces, NULL));
			for (int i = 0; i < cells; ++i)
			{
				momentum[0] += 1000.0 * (double)s_faces[i / side * (side + 1) + i % side];
			}
			ENSURE_OK(tnWorld_CopyDischarge(world, NULL, s_faces));
			for (int i = 0; i < cells; ++i)
			{
				momentum[1] += 1000.0 * (double)s_faces[i];
			}
			// The slopes that the push makes take back 1e-4 of it in this step.
			ENSURE_CLOSE(momentum[0], 1000.0, 0.2);
			ENSURE_CLOSE(momentum[1], 2000.0, 0.4);
			tnDestroyWorld(world);
		}
	}
	return 0;
}

// The fastest rain and the strongest inflow that are accepted, on the smallest cells, with the longest step.
static int AbsurdRainAndInflowStayFinite(void)
{
	for (int which = 0; which < 2; ++which)
	{
		tnWorldDef def = MakeDef(tn_pipeMethod);
		def.manning = 0.03f;
		def.cellSize = which == 0 ? 1.0f : 0.001f;
		def.edges[tn_west].kind = tn_inflowEdge;
		def.edges[tn_west].inflow = which == 0 ? 0.0f : 1.0e6f;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		for (int i = 0; i < cells; ++i)
		{
			s_depth[i] = 1.0e6f;
		}
		ENSURE_OK(tnWorld_SetRain(world, which == 0 ? 1000.0f : 0.0f, s_depth));
		ENSURE(StepTimes(world, 200, 10.0f) == 0);
		const tnFieldView depth = tnWorld_GetDepth(world);
		for (int i = 0; i < cells; ++i)
		{
			const float d = depth.data[i / side * depth.stride + i % side];
			ENSURE(d >= 0.0f && d < INFINITY);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// The faces of a level edge get their velocity from the level of the def before the first step too.
static int VelocitiesKnowTheLevelOutside(void)
{
	tnWorldDef def = MakeDef(tn_pipeMethod);
	def.edges[tn_west].kind = tn_levelEdge;
	def.edges[tn_west].level = 10.0f;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));
	for (int i = 0; i < cells; ++i)
	{
		s_alongX[i] = 1.0f;
		s_alongZ[i] = 0.0f;
	}
	ENSURE_OK(tnWorld_SetVelocities(world, s_alongX, s_alongZ));
	ENSURE_OK(tnWorld_CopyDischarge(world, s_faces, NULL));
	ENSURE(s_faces[0] == 10.0f);
	ENSURE(s_faces[1] == 2.0f);
	tnDestroyWorld(world);
	return 0;
}

// Absorbing edges change depths after all else: the largest depth of the stats is what is then there.
static int SpongesLowerTheLargestDepth(void)
{
	for (int advection = 0; advection < tn_advectionCount; ++advection)
	{
		tnWorldDef def = MakeDef(tn_shallowMethod);
		def.advection = (tnAdvection)advection;
		for (int edge = 0; edge < tn_sideCount; ++edge)
		{
			def.edges[edge].kind = tn_absorbEdge;
			def.edges[edge].level = 1.0f;
		}
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));
		for (int step = 0; step < 10; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			const tnFieldView depth = tnWorld_GetDepth(world);
			float largest = 0.0f;
			for (int i = 0; i < cells; ++i)
			{
				largest = fmaxf(largest, depth.data[i / side * depth.stride + i % side]);
			}
			ENSURE(tnWorld_GetStats(world).maxDepth == largest);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// Water that all but stands still, down to the smallest floats: how long its momentum may wait is then any number.
static int SlowestWaterMayWait(void)
{
	for (int exponent = -149; exponent <= -100; ++exponent)
	{
		tnWorldDef def = MakeDef(tn_shallowMethod);
		def.enableSleep = false;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		for (int i = 0; i < cells; ++i)
		{
			s_alongX[i] = ldexpf(1.0f, exponent);
			s_alongZ[i] = 0.0f;
		}
		ENSURE_OK(tnWorld_SetVelocities(world, s_alongX, s_alongZ));
		ENSURE(StepTimes(world, 3, 1.0f / 60.0f) == 0);
		ENSURE(tnWorld_GetStats(world).maxDepth == 1.0f);
		tnDestroyWorld(world);
	}
	return 0;
}

// What pipes are told as a discharge, shallow water does not take for a velocity.
static int PushedPipesMakeNoHaste(void)
{
	float stable[2];
	for (int changed = 0; changed < 2; ++changed)
	{
		tnWorldDef def = MakeDef(changed ? tn_pipeMethod : tn_shallowMethod);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 100.0f));
		for (int i = 0; i < cells; ++i)
		{
			s_alongX[i] = 3.0f;
			s_alongZ[i] = -2.0f;
		}
		ENSURE_OK(tnWorld_SetVelocities(world, s_alongX, s_alongZ));
		ENSURE_OK(tnWorld_SetMethod(world, tn_shallowMethod, tn_conservativeAdvection));
		stable[changed] = tnWorld_GetStats(world).stableTimeStep;
		tnDestroyWorld(world);
	}
	// 3 m/s and 2 m/s besides waves of sqrt(2 g 100) = 44.3 m/s; before the change 3 m/s count twice.
	ENSURE_CLOSE(stable[1], 0.95 / 49.3, 0.001);
	ENSURE_CLOSE(stable[0], stable[1], 0.001);
	return 0;
}

// A push beside a wrapped edge shows on both of its sides before the next step too.
static int PushesShowOnBothSidesOfAWrap(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		const tnVec2 places[] = {{0.5f, 8.5f}, {15.5f, 8.5f}, {8.5f, 0.5f}, {8.5f, 15.5f}};
		for (int place = 0; place < 4; ++place)
		{
			tnWorldDef def = MakeDef(method);
			for (int edge = 0; edge < tn_sideCount; ++edge)
			{
				def.edges[edge].kind = tn_wrapEdge;
			}
			tnWorld* world = NULL;
			ENSURE_OK(tnCreateWorld(&def, &world));
			ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
			ENSURE_OK(tnWorld_AddImpulse(world, places[place], 0.4f, (tnVec2){1000.0f, 2000.0f}));
			ENSURE_OK(tnWorld_CopyDischarge(world, s_faces, NULL));
			const float alongX = s_faces[8 * (side + 1)];
			ENSURE((alongX != 0.0f) == (place < 2));
			ENSURE(alongX == s_faces[8 * (side + 1) + side]);
			ENSURE_OK(tnWorld_CopyDischarge(world, NULL, s_faces));
			ENSURE((s_faces[8] != 0.0f) == (place >= 2));
			ENSURE(s_faces[8] == s_faces[side * side + 8]);
			tnDestroyWorld(world);
		}
	}
	return 0;
}

// A call that was refused for want of memory leaves a world that can be saved, and that comes back as it was.
static int RefusedCallsCanBeSaved(void)
{
	for (int keepPrevious = 0; keepPrevious < 2; ++keepPrevious)
	{
		tnResult result = {.status = tn_outOfMemory};
		for (int failIn = 1; result.status != tn_ok; ++failIn)
		{
			TestAllocator allocator = {0};
			tnWorldDef def = MakeDef(tn_shallowMethod);
			def.keepPrevious = keepPrevious != 0;
			def.waves.enable = true;
			def.spray.enable = true;
			def.foam.enable = true;
			def.allocator = TestGetAllocator(&allocator);
			tnWorld* world = NULL;
			ENSURE_OK(tnCreateWorld(&def, &world));
			ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
			tnShapeDef shape = tnDefaultShapeDef();
			shape.halfExtents = (tnVec3){2.0f, 1.0f, 2.0f};
			tnBodyDef body = tnDefaultBodyDef();
			body.shapes = &shape;
			body.shapeCount = 1;
			body.pose.position = (tnVec3){8.0f, 1.0f, 8.0f};
			allocator.failIn = failIn;
			tnBodyId id;
			result = tnWorld_CreateBody(world, &body, &id);
			allocator.failIn = 0;
			ENSURE(result.status == tn_ok || result.status == tn_outOfMemory);
			size_t size = 0;
			ENSURE_OK(tnWorld_Save(world, NULL, 0, &size));
			void* bytes = malloc(size);
			ENSURE(bytes != NULL);
			ENSURE_OK(tnWorld_Save(world, bytes, size, &size));
			tnWorld* made = NULL;
			ENSURE_OK(tnCreateWorldFrom(bytes, size, NULL, &made));
			ENSURE_EQUAL_HEX(tnWorld_GetHash(made), tnWorld_GetHash(world));
			free(bytes);
			tnDestroyWorld(made);
			tnDestroyWorld(world);
			ENSURE_EQUAL_INT(allocator.liveBytes, 0);
		}
	}
	return 0;
}

static int SaveAndRestore(tnWorld* world)
{
	size_t size = 0;
	ENSURE_OK(tnWorld_Save(world, NULL, 0, &size));
	void* bytes = malloc(size);
	ENSURE(bytes != NULL);
	ENSURE_OK(tnWorld_Save(world, bytes, size, &size));
	const uint64_t hash = tnWorld_GetHash(world);
	ENSURE_OK(tnWorld_Restore(world, bytes, size));
	ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hash);
	free(bytes);
	return 0;
}

// Whatever reach a call takes a snapshot takes too.
static int SmallestReachesAreSaved(void)
{
	const float reaches[] = {1.4e-45f, 1.0e-40f, 1.0e-38f, 1.0e5f};
	for (int i = 0; i < 4; ++i)
	{
		tnWorldDef def = MakeDef(tn_linearMethod);
		def.waves.enable = true;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		tnInterestDef interest = tnDefaultInterestDef();
		interest.reach = reaches[i];
		tnInterestId id;
		ENSURE_OK(tnWorld_CreateInterest(world, &interest, &id));
		ENSURE_EQUAL_INT(SaveAndRestore(world), 0);
		tnDestroyWorld(world);
	}
	return 0;
}

// Water that pours in over a steep front in cells of a centimeter made more foam than a snapshot took, and left no water bare.
static int AllFoamLeavesWaterBare(void)
{
	tnWorldDef def = MakeDef(tn_shallowMethod);
	def.cellSize = 0.014f;
	def.foam.enable = true;
	def.foam.strength = 100.0f;
	def.edges[tn_east].kind = tn_levelEdge;
	def.edges[tn_east].level = 5.0f;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	for (int step = 0; step < 20; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		for (int i = 0; i < cells; ++i)
		{
			const tnVec2 place = {def.cellSize * ((float)(i % side) + 0.5f), def.cellSize * ((float)(i / side) + 0.5f)};
			ENSURE(tnWorld_Sample(world, place).foam < 1.0f);
		}
	}
	ENSURE_EQUAL_INT(SaveAndRestore(world), 0);
	tnDestroyWorld(world);
	return 0;
}

// A light body that turns on the ground gets past cells in a step of next to no time: the discharge that takes their water along has
// no end.
static int ShortestStepsSweepNothing(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 333;
	def.rowCount = 4;
	def.cellSize = 10.652488f;
	def.gravity = 1.0f;
	def.froudeLimit = 1.0f;
	def.edges[tn_south].kind = tn_levelEdge;
	def.edges[tn_south].level = 1.0f;
	def.maxSubSteps = 1;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_capsuleShape;
	shape.radius = 42.60995f;
	shape.halfLength = 0.0f;
	shape.pose.position.z = -43.0f;
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.mass = 1.0f;
	body.pose.position = (tnVec3){3567.8313f, 0.0f, 1.0f};
	body.pose.rotation.y = 1.0f;
	body.spin.z = 1.0f;
	tnBodyId id;
	ENSURE_OK(tnWorld_CreateBody(world, &body, &id));
	for (int i = 0; i < 3; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0e-45f));
		const tnFieldView lift = tnWorld_GetLift(world);
		for (int k = 0; k < lift.columnCount * lift.rowCount; ++k)
		{
			ENSURE(isfinite(lift.data[k / lift.columnCount * lift.stride + k % lift.columnCount]));
		}
	}
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"ShortestStepsSweepNothing", ShortestStepsSweepNothing},
	{"TracesOfWaterStayPositive", TracesOfWaterStayPositive},
	{"SleepAcrossAWrapMakesNoWater", SleepAcrossAWrapMakesNoWater},
	{"PondsDrainOffEveryEdge", PondsDrainOffEveryEdge},
	{"RestAtEdgesHasTheBitsOfSleep", RestAtEdgesHasTheBitsOfSleep},
	{"SpongesSlowAllEdgesAlike", SpongesSlowAllEdgesAlike},
	{"AbsorbingEdgesSlowDownToo", AbsorbingEdgesSlowDownToo},
	{"DryGroundIsOwedNothing", DryGroundIsOwedNothing},
	{"CurvesGoWithTheKindOfEdge", CurvesGoWithTheKindOfEdge},
	{"SmallDiscsFarAwayHoldWater", SmallDiscsFarAwayHoldWater},
	{"PouringOnDeepWaterTakesNothing", PouringOnDeepWaterTakesNothing},
	{"ImpulsesCrossWrappedEdges", ImpulsesCrossWrappedEdges},
	{"AbsurdRainAndInflowStayFinite", AbsurdRainAndInflowStayFinite},
	{"VelocitiesKnowTheLevelOutside", VelocitiesKnowTheLevelOutside},
	{"SpongesLowerTheLargestDepth", SpongesLowerTheLargestDepth},
	{"SlowestWaterMayWait", SlowestWaterMayWait},
	{"PushedPipesMakeNoHaste", PushedPipesMakeNoHaste},
	{"PushesShowOnBothSidesOfAWrap", PushesShowOnBothSidesOfAWrap},
	{"RefusedCallsCanBeSaved", RefusedCallsCanBeSaved},
	{"SmallestReachesAreSaved", SmallestReachesAreSaved},
	{"AllFoamLeavesWaterBare", AllFoamLeavesWaterBare},
};

const TestSuite found_by_stressSuite = TEST_SUITE("found_by_stress", s_tests);

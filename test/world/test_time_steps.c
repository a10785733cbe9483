// SPDX-License-Identifier: MIT

// Every time step that a world takes: from the shortest that a float can hold to ten seconds. In worlds with bodies, waves,
// spray and foam, with every method, all that a host can read is finite, volume is kept, and afterwards steps of 1/60 s go on
// from there.

#include "busy_world.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum
{
	usualSteps = 6, // before and after those of another length
	oddSteps = 3,
	mostFaces = busyCells + 48,
};

// The limits, and both sides of where float, its square, or what waves are fitted to come to an end.
static const float s_timeSteps[] = {1.0e-45f, 1.0e-40f, 0.99f * FLT_MIN, FLT_MIN, 1.01f * FLT_MIN, 1.0e-30f, 1.0e-23f,
	1.0e-20f, 1.0e-19f, 1.0e-15f, 1.0e-10f, 0.99e-6f, 1.0e-6f, 1.01e-6f, 1.0e-4f, 0.99f, 1.01f, 9.99f, 10.0f};

static bool AreFinite(const float* values, int count)
{
	bool finite = true;
	for (int i = 0; i < count; ++i)
	{
		finite = finite && isfinite(values[i]);
	}
	return finite;
}

static bool IsFieldFinite(tnFieldView view)
{
	bool finite = true;
	for (int row = 0; row < view.rowCount && view.data != NULL; ++row)
	{
		finite = finite && AreFinite(view.data + row * view.stride, view.columnCount);
	}
	return finite;
}

static float FindDeepest(tnFieldView depth)
{
	float deepest = 0.0f;
	for (int i = 0; i < depth.columnCount * depth.rowCount; ++i)
	{
		deepest = fmaxf(deepest, depth.data[i / depth.columnCount * depth.stride + i % depth.columnCount]);
	}
	return deepest;
}

static int EnsureFiniteFlow(BusyWorld* busy)
{
	static float x[mostFaces], z[mostFaces];
	tnWorld* world = busy->world;
	const int columns = busy->def.columnCount, rows = busy->def.rowCount;
	ENSURE(IsFieldFinite(tnWorld_GetDepth(world)));
	ENSURE(IsFieldFinite(tnWorld_GetBed(world)));
	ENSURE(IsFieldFinite(tnWorld_GetFoam(world)));
	ENSURE(IsFieldFinite(tnWorld_GetLift(world)));
	for (int channel = 0; channel < busy->def.tracerCount; ++channel)
	{
		ENSURE(IsFieldFinite(tnWorld_GetTracer(world, channel)));
	}
	ENSURE_OK(tnWorld_CopyVelocities(world, x, z));
	ENSURE(AreFinite(x, columns * rows) && AreFinite(z, columns * rows));
	ENSURE_OK(tnWorld_CopyDischarge(world, x, z));
	ENSURE(AreFinite(x, (columns + 1) * rows) && AreFinite(z, columns * (rows + 1)));
	const tnStats stats = tnWorld_GetStats(world);
	ENSURE(isfinite(stats.stableTimeStep) && isfinite(stats.waveSlowdown));
	ENSURE_CLOSE(stats.maxDepth, FindDeepest(tnWorld_GetDepth(world)), 0.0);
	const tnLedger ledger = tnWorld_GetLedger(world);
	ENSURE(isfinite(ledger.volume) && isfinite(ledger.airborne));
	// Each sub-step rounds each depth by at most half a unit in the last place, 6e-8; errors of many cells cancel.
	ENSURE(fabs(ledger.drift) <= 1.0e-5 * (ledger.volume + fabs(ledger.airborne)) + 1.0e-6);
	return 0;
}

static int EnsureFiniteLayers(BusyWorld* busy)
{
	tnWorld* world = busy->world;
	for (int i = 0; i < tnWorld_GetWaveTileCount(world); ++i)
	{
		tnWaveTileView view;
		ENSURE_OK(tnWorld_GetWaveTile(world, i, &view));
		for (int row = 0; row < view.size; ++row)
		{
			ENSURE(AreFinite(view.heights + row * view.stride, view.size));
			ENSURE(AreFinite(view.rates + row * view.stride, view.size));
		}
	}
	const tnRippleView ripples = tnWorld_GetRipples(world);
	ENSURE(IsFieldFinite(ripples.energy) && IsFieldFinite(ripples.directionX) && IsFieldFinite(ripples.directionZ));
	const tnSprayView spray = tnWorld_GetSpray(world);
	for (int i = 0; i < spray.count; ++i)
	{
		ENSURE(AreFinite(&spray.particles[i].position.x, 3) && AreFinite(&spray.particles[i].velocity.x, 3));
		ENSURE(isfinite(spray.particles[i].volume) && isfinite(spray.particles[i].age));
	}
	for (int i = 0; i < busy->bodyCount; ++i)
	{
		tnBodyState state;
		tnWrench wrench;
		ENSURE_OK(tnWorld_GetBodyState(world, busy->bodies[i], &state));
		ENSURE_OK(tnWorld_GetBodyWrench(world, busy->bodies[i], &wrench));
		ENSURE(AreFinite(&wrench.force.x, 3) && AreFinite(&wrench.torque.x, 3));
		ENSURE(isfinite(state.submergedVolume) && isfinite(state.waterlineArea) && isfinite(state.waterlineHeight));
		ENSURE(AreFinite(&state.buoyancyCenter.x, 3) && AreFinite(&state.pressure.x, 3) && AreFinite(&state.drag.x, 3));
		ENSURE(AreFinite(&state.waveForce.x, 3) && AreFinite(&state.sprayForce.x, 3));
		ENSURE(AreFinite(&state.pressureTorque.x, 3) && AreFinite(&state.dragTorque.x, 3));
		ENSURE(AreFinite(&state.waveTorque.x, 3) && AreFinite(&state.sprayTorque.x, 3));
		ENSURE(isfinite(state.current.x) && isfinite(state.current.z));
	}
	return 0;
}

static int StepBusily(BusyWorld* busy, float timeStep, int count)
{
	for (int i = 0; i < count; ++i)
	{
		for (int k = 0; k < busy->bodyCount; ++k)
		{
			ENSURE_OK(MoveBusyBody(busy, k));
		}
		if (busy->def.waves.enable)
		{
			ENSURE_OK(MakeBusyWave(busy));
		}
		ENSURE_OK(tnWorld_Step(busy->world, timeStep));
		ENSURE(EnsureFiniteFlow(busy) == 0);
		ENSURE(EnsureFiniteLayers(busy) == 0);
	}
	return 0;
}

static int RunBusily(uint64_t seed, tnMethod method, float timeStep, bool fresh)
{
	BusyWorld busy;
	ENSURE(MakeBusyWorld(&busy, seed, 1, true));
	ENSURE_OK(tnWorld_SetMethod(busy.world, method, busy.def.advection));
	int failed = fresh ? 0 : StepBusily(&busy, 1.0f / 60.0f, usualSteps);
	failed = failed != 0 ? failed : StepBusily(&busy, timeStep, oddSteps);
	failed = failed != 0 ? failed : StepBusily(&busy, 1.0f / 60.0f, usualSteps);
	tnDestroyWorld(busy.world);
	return failed;
}

static int EveryTimeStepIsFinite(void)
{
	enum
	{
		worldCount = 6,
		stepCount = sizeof(s_timeSteps) / sizeof(s_timeSteps[0]),
	};
	static const uint64_t seeds[worldCount] = {101, 102, 103, 104, 105, 107};
	int failCount = 0;
	for (int i = 0; i < worldCount * tn_methodCount * stepCount; ++i)
	{
		if (TEST_LEAVES_OUT(i))
		{
			continue;
		}
		const int world = i / (tn_methodCount * stepCount);
		const tnMethod method = (tnMethod)(i / stepCount % tn_methodCount);
		const float timeStep = s_timeSteps[i % stepCount];
		if (RunBusily(seeds[world], method, timeStep, i % 2 == 0) != 0)
		{
			printf("    world %d, method %d, steps of %g s\n", world, (int)method, (double)timeStep);
			failCount += 1;
		}
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// A body that fills all of the cells that it covers, on the ground or with a gap below it: heads there follow from what flows in
// the time, and from nothing else. From rest, so that only the surface beside it moves the water.
static int BodiesThatFillTheirCells(void)
{
	static const float heights[] = {0.5f, 1.25f};
	int failCount = 0;
	for (int i = 0; i < 2 * tn_methodCount * (int)(sizeof(s_timeSteps) / sizeof(s_timeSteps[0])); ++i)
	{
		BusyWorld busy = {.random = TestMakeRandom(7), .def = tnDefaultWorldDef()};
		busy.def.columnCount = 17;
		busy.def.rowCount = 13;
		busy.def.cellSize = 0.5f;
		busy.def.method = (tnMethod)(i / 2 % tn_methodCount);
		ENSURE_OK(tnCreateWorld(&busy.def, &busy.world));
		ENSURE_OK(tnWorld_FillToLevel(busy.world, 1.0f));
		ENSURE_OK(tnWorld_AddWater(busy.world, (tnVec2){1.0f, 3.0f}, 1.0f, 0.5f, NULL));
		tnShapeDef shape = tnDefaultShapeDef();
		shape.kind = tn_boxShape;
		shape.halfExtents = (tnVec3){1.5f, 1.0f, 1.0f};
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.mode = tn_blockingBody;
		body.pose.position = (tnVec3){4.0f, heights[i % 2], 3.0f};
		ENSURE_OK(tnWorld_CreateBody(busy.world, &body, busy.bodies));
		busy.bodyCount = 1;
		const float timeStep = s_timeSteps[i / (2 * tn_methodCount)];
		int failed = 0;
		// Fresh, and again when all is in motion.
		for (int k = 0; k < 2 * (oddSteps + usualSteps) && failed == 0; ++k)
		{
			const bool odd = k % (oddSteps + usualSteps) < oddSteps;
			ENSURE_OK(tnWorld_Step(busy.world, odd ? timeStep : 1.0f / 60.0f));
			failed = EnsureFiniteFlow(&busy) + EnsureFiniteLayers(&busy);
		}
		if (failed != 0)
		{
			printf("    height %g, method %d, steps of %g s\n", (double)heights[i % 2], (int)busy.def.method,
				(double)timeStep);
			failCount += 1;
		}
		tnDestroyWorld(busy.world);
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// A body that floats on a lake and weighs next to nothing: it gives way to the water as far as it falls in a step.
static int BodiesWithoutWeight(void)
{
	int failCount = 0;
	for (int i = 0; i < tn_methodCount * (int)(sizeof(s_timeSteps) / sizeof(s_timeSteps[0])); ++i)
	{
		BusyWorld busy = {.def = tnDefaultWorldDef(), .bodyCount = 1};
		busy.def.columnCount = 5;
		busy.def.rowCount = 4;
		busy.def.gravity = 1.0f;
		busy.def.maxSubSteps = 1;
		busy.def.waves.enable = true;
		busy.def.waves.finerLevels = 0;
		busy.def.waves.levelCount = 1;
		busy.def.method = (tnMethod)(i % tn_methodCount);
		ENSURE_OK(tnCreateWorld(&busy.def, &busy.world));
		ENSURE_OK(tnWorld_FillToLevel(busy.world, 3.0f));
		tnShapeDef shape = tnDefaultShapeDef();
		// A prism, at an edge.
		static const tnVec3 points[] = {{1.0f, -1.0f, 0.0f}, {-0.5f, -1.0f, -0.9f}, {-0.5f, -1.0f, 0.9f},
			{1.0f, 1.0f, 0.0f}, {-0.5f, 1.0f, -0.9f}, {-0.5f, 1.0f, 0.9f}};
		shape.kind = tn_hullShape;
		shape.points = points;
		shape.pointCount = 6;
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.mass = 1.0e-45f;
		body.pose.position = (tnVec3){1.0f, 4.0f, 0.0f};
		ENSURE_OK(tnWorld_CreateBody(busy.world, &body, busy.bodies));
		const float timeStep = s_timeSteps[i / tn_methodCount];
		int failed = 0;
		for (int k = 0; k < 2 * oddSteps && failed == 0; ++k)
		{
			ENSURE_OK(tnWorld_Step(busy.world, k % 2 == 1 ? timeStep : 1.0f / 30.0f));
			failed = EnsureFiniteFlow(&busy) + EnsureFiniteLayers(&busy);
		}
		if (failed != 0)
		{
			printf("    method %d, steps of %g s\n", (int)busy.def.method, (double)timeStep);
			failCount += 1;
		}
		tnDestroyWorld(busy.world);
	}
	ENSURE_EQUAL_INT(failCount, 0);
	return 0;
}

// Over cells so large, and with so many sub-steps, that a time step is less than half of the least float there is.
static int MovesWaterInNoTime(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		BusyWorld busy = {.def = tnDefaultWorldDef()};
		busy.def.columnCount = 7;
		busy.def.rowCount = 5;
		busy.def.cellSize = 1000.0f;
		busy.def.method = (tnMethod)method;
		busy.def.edges[tn_east].kind = tn_absorbEdge;
		busy.def.edges[tn_east].spongeWidth = 1;
		ENSURE_OK(tnCreateWorld(&busy.def, &busy.world));
		ENSURE_OK(tnWorld_FillToLevel(busy.world, 1.0f));
		ENSURE_OK(tnWorld_AddWater(busy.world, (tnVec2){1500.0f, 2500.0f}, 1000.0f, 0.5f, NULL));
		for (int k = 0; k < oddSteps; ++k)
		{
			ENSURE_OK(tnWorld_Step(busy.world, 1.0e-45f));
			ENSURE(EnsureFiniteFlow(&busy) == 0);
		}
		tnDestroyWorld(busy.world);
	}
	return 0;
}

// Short waves of a hump become waves of the layer, every few steps.
static int HandsWavesOver(void)
{
	const int stepCount = (int)(sizeof(s_timeSteps) / sizeof(s_timeSteps[0]));
	for (int i = 0; i < tn_methodCount * stepCount; ++i)
	{
		BusyWorld busy = {.def = tnDefaultWorldDef()};
		busy.def.columnCount = 19;
		busy.def.rowCount = 13;
		busy.def.waves.enable = true;
		busy.def.waves.takeFromFlow = true;
		busy.def.method = (tnMethod)(i % tn_methodCount);
		ENSURE_OK(tnCreateWorld(&busy.def, &busy.world));
		ENSURE_OK(tnWorld_FillToLevel(busy.world, 3.0f));
		ENSURE_OK(tnWorld_AddWater(busy.world, (tnVec2){9.0f, 6.0f}, 1.5f, 2.0f, NULL));
		for (int k = 0; k < 2 * (oddSteps + usualSteps); ++k)
		{
			const bool odd = k % (oddSteps + usualSteps) < oddSteps;
			ENSURE_OK(tnWorld_Step(busy.world, odd ? s_timeSteps[i / tn_methodCount] : 1.0f / 60.0f));
			ENSURE(EnsureFiniteFlow(&busy) == 0 && EnsureFiniteLayers(&busy) == 0);
		}
		tnDestroyWorld(busy.world);
	}
	return 0;
}

// Just outside, and what is no number.
static int OthersAreRefused(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 5;
	def.rowCount = 4;
	tnWorld* world;
	ENSURE_OK(tnCreateWorld(&def, &world));
	const uint64_t hash = tnWorld_GetHash(world);
	const float refused[] = {0.0f, -0.0f, -1.0e-45f, -1.0f / 60.0f, nextafterf(10.0f, 11.0f), FLT_MAX, INFINITY, NAN};
	for (int i = 0; i < (int)(sizeof(refused) / sizeof(refused[0])); ++i)
	{
		ENSURE_REFUSED(tnWorld_Step(world, refused[i]), tn_invalidArgument, "timeStep must be in (0, 10]");
		ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hash);
	}
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"EveryTimeStepIsFinite", EveryTimeStepIsFinite},
	{"BodiesThatFillTheirCells", BodiesThatFillTheirCells},
	{"BodiesWithoutWeight", BodiesWithoutWeight},
	{"MovesWaterInNoTime", MovesWaterInNoTime},
	{"HandsWavesOver", HandsWavesOver},
	{"OthersAreRefused", OthersAreRefused},
};

const TestSuite time_stepsSuite = TEST_SUITE("time_steps", s_tests);

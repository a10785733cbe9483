// SPDX-License-Identifier: MIT

// Bodies make waves in the wave layer, and feel them.

#include "harness.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdlib.h>

#define TIME_STEP (1.0f / 60.0f)
#define GRAVITY 9.81

static tnWorld* CreateLake(bool handover, int workerCount)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 96;
	def.rowCount = 64;
	def.cellSize = 1.0f;
	def.gravity = (float)GRAVITY;
	def.maxSubSteps = 64;
	def.tasks.workerCount = workerCount;
	def.waves.enable = true;
	def.waves.takeFromFlow = handover;
	def.waves.finerLevels = 2;
	def.waves.levelCount = 6;
	def.waves.tileCount = 256;
	def.waves.enableDetail = false;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status == tn_ok)
	{
		float* heights = malloc(sizeof(float) * 96 * 64);
		for (int i = 0; i < 96 * 64; ++i)
		{
			heights[i] = -8.0f;
		}
		tnWorld_SetTerrain(world, heights);
		tnWorld_FillToLevel(world, 0.0f);
		free(heights);
	}
	return world;
}

static tnBodyId AddBox(tnWorld* world, tnVec3 position, tnVec3 halfExtents, float mass)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = halfExtents;
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = &shape;
	def.shapeCount = 1;
	def.mass = mass;
	def.pose.position = position;
	tnBodyId id = {0};
	tnWorld_CreateBody(world, &def, &id);
	return id;
}

static double SumEnergies(const tnWorld* world, int levelEnd)
{
	tnWaveStats stats;
	tnWorld_GetWaveStats(world, &stats);
	double sum = 0.0;
	for (int level = 0; level < levelEnd; ++level)
	{
		sum += stats.energies[level];
	}
	return sum;
}

// A body that moves makes waves that are too short for the flow, and one that stands still makes none.
static int MovingBodiesStir(void)
{
	tnWorld* world = CreateLake(false, 1);
	ENSURE(world != NULL);
	const tnVec3 still = {0.0f, 0.0f, 0.0f};
	tnPose pose = {{30.3f, 0.0f, 32.2f}, {0.0f, 0.0f, 0.0f, 1.0f}};
	const tnBodyId id = AddBox(world, pose.position, (tnVec3){1.7f, 0.5f, 0.8f}, INFINITY);
	// It comes in: a splash. That must go before it counts what stays.
	for (int i = 0; i < 30; ++i)
	{
		tnWorld_Step(world, TIME_STEP);
	}
	const double splash = SumEnergies(world, 2);
	ENSURE(splash > 0.0);
	for (int i = 0; i < 900; ++i)
	{
		tnWorld_Step(world, TIME_STEP);
	}
	const double calm = SumEnergies(world, 2);
	for (int i = 0; i < 60; ++i)
	{
		tnWorld_Step(world, TIME_STEP);
	}
	// What there is of the splash runs to and fro; its energy is known to a percent, since all waves of a band count as if
	// they had its typical frequency.
	ENSURE_CLOSE(SumEnergies(world, 2), calm, 0.02 * calm);
	for (int i = 0; i < 60; ++i)
	{
		pose.position.x += 4.0f * TIME_STEP;
		ENSURE_OK(tnWorld_MoveBody(world, id, &pose, (tnVec3){4.0f, 0.0f, 0.0f}, still));
		tnWorld_Step(world, TIME_STEP);
	}
	ENSURE(SumEnergies(world, 2) > calm + 1.0);
	tnDestroyWorld(world);
	return 0;
}

// A shallow box on long waves feels rho g h times its area, and rho g V times the slope. Nothing without waves.
static int WavesPush(void)
{
	tnWorld* world = CreateLake(false, 1);
	ENSURE(world != NULL);
	const double draft = 0.1;
	const tnVec3 half = {0.5f, 0.3f, 0.5f};
	const tnBodyId id = AddBox(world, (tnVec3){40.5f, 0.2f, 32.5f}, half, INFINITY);
	tnWorld_Step(world, TIME_STEP);
	tnBodyState state;
	ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
	for (int i = 0; i < 120; ++i)
	{
		tnWorld_Step(world, TIME_STEP);
	}
	const tnWaveEllipse ellipse = {{56.0f, 32.5f}, {1.0f, 0.0f}, {5.0f, 5.0f}, 0.2f};
	ENSURE_OK(tnWorld_AddWave(world, NULL, &ellipse));
	double worst = 0.0, highest = 0.0, worstPush = 0.0, highestPush = 0.0;
	for (int i = 0; i < 240; ++i)
	{
		tnWorld_Step(world, TIME_STEP);
		tnWaveSample sample;
		ENSURE_OK(tnWorld_SampleWaves(world, (tnVec2){40.5f, 32.5f}, &sample));
		ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
		const double lift = 1000.0 * GRAVITY * 1.0 * (double)sample.height;
		const double push = -1000.0 * GRAVITY * draft * (double)sample.slope.x;
		worst = fmax(worst, fabs((double)state.waveForce.y - lift));
		highest = fmax(highest, fabs(lift));
		worstPush = fmax(worstPush, fabs((double)state.waveForce.x - push));
		highestPush = fmax(highestPush, fabs(push));
		tnWrench wrench;
		ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
		ENSURE_CLOSE(wrench.force.y, state.pressure.y + state.drag.y + state.waveForce.y, 0.01);
	}
	// Measured 0.12 and 0.29. A sample knows nothing of the width of the box: the edge of the ellipse makes waves as short
	// as that, which count for slopes, and which the box feels by half.
	ENSURE(highest > 50.0);
	ENSURE(worst < 0.15 * highest);
	ENSURE(worstPush < 0.35 * highestPush);
	tnDestroyWorld(world);
	return 0;
}

// A light crate in waves does not fly away: forces are bounded by what a step allows.
static int LightBodiesStay(void)
{
	tnWorld* world = CreateLake(true, 1);
	ENSURE(world != NULL);
	const float mass = 20.0f;
	tnPose pose = {{48.0f, 0.3f, 32.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
	tnVec3 velocity = {0.0f, 0.0f, 0.0f};
	const tnBodyId id = AddBox(world, pose.position, (tnVec3){0.5f, 0.5f, 0.5f}, mass);
	for (int i = 0; i < 600; ++i)
	{
		if (i % 30 == 0)
		{
			const tnWaveDrop drop = {{48.0f + (float)(i % 7), 31.0f}, 0.5f};
			ENSURE_OK(tnWorld_AddDrops(world, &drop, 1));
		}
		tnWorld_Step(world, TIME_STEP);
		tnWrench wrench;
		ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
		velocity.x += wrench.force.x / mass * TIME_STEP;
		velocity.y += (wrench.force.y / mass - (float)GRAVITY) * TIME_STEP;
		velocity.z += wrench.force.z / mass * TIME_STEP;
		pose.position.x += velocity.x * TIME_STEP;
		pose.position.y += velocity.y * TIME_STEP;
		pose.position.z += velocity.z * TIME_STEP;
		ENSURE_OK(tnWorld_MoveBody(world, id, &pose, velocity, (tnVec3){0.0f, 0.0f, 0.0f}));
		ENSURE(fabsf(pose.position.y) < 2.0f);
	}
	tnDestroyWorld(world);
	return 0;
}

static int SameBitsForAnyWorkerCount(void)
{
	uint64_t hashes[2];
	float forces[2];
	for (int i = 0; i < 2; ++i)
	{
		tnWorld* world = CreateLake(true, i == 0 ? 1 : 3);
		tnPose pose = {{30.3f, 0.0f, 32.2f}, {0.0f, 0.0f, 0.0f, 1.0f}};
		const tnBodyId id = AddBox(world, pose.position, (tnVec3){1.7f, 0.5f, 0.8f}, 1000.0f);
		for (int step = 0; step < 60; ++step)
		{
			pose.position.x += 3.0f * TIME_STEP;
			tnWorld_MoveBody(world, id, &pose, (tnVec3){3.0f, 0.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 0.0f});
			tnWorld_Step(world, TIME_STEP);
		}
		tnWrench wrench;
		tnWorld_GetBodyWrench(world, id, &wrench);
		forces[i] = wrench.force.x;
		hashes[i] = tnWorld_GetHash(world);
		tnDestroyWorld(world);
	}
	ENSURE_EQUAL_HEX(hashes[1], hashes[0]);
	ENSURE(forces[1] == forces[0]);
	return 0;
}

static const Test s_tests[] = {
	{"MovingBodiesStir", MovingBodiesStir},
	{"WavesPush", WavesPush},
	{"LightBodiesStay", LightBodiesStay},
	{"SameBitsForAnyWorkerCount", SameBitsForAnyWorkerCount},
};
const TestSuite wave_bodiesSuite = TEST_SUITE("wave_bodies", s_tests);

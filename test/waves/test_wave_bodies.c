// SPDX-License-Identifier: MIT

// Bodies make waves in the wave layer, and feel them.

#include "harness.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdlib.h>

#define TIME_STEP (1.0f / 60.0f)
#define GRAVITY 9.81
#define PI 3.14159265358979

static tnWorldDef MakeLakeDef(bool handover, int workerCount)
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
	return def;
}

static tnWorld* CreateLakeOf(const tnWorldDef* def)
{
	tnWorld* world = NULL;
	const tnResult result = tnCreateWorld(def, &world);
	if (result.status == tn_ok)
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

static tnWorld* CreateLake(bool handover, int workerCount)
{
	const tnWorldDef def = MakeLakeDef(handover, workerCount);
	return CreateLakeOf(&def);
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

// A body that moves makes waves, and one that stands still makes none.
static int MovingBodiesStir(void)
{
	tnWorld* world = CreateLake(false, 1);
	ENSURE(world != NULL);
	const tnVec3 still = {0.0f, 0.0f, 0.0f};
	tnPose pose = {{30.3f, 0.0f, 32.2f}, {0.0f, 0.0f, 0.0f, 1.0f}};
	const tnBodyId id = AddBox(world, pose.position, (tnVec3){1.7f, 0.5f, 0.8f}, INFINITY);
	// Who is created in the water has been there all the time.
	for (int i = 0; i < 30; ++i)
	{
		tnWorld_Step(world, TIME_STEP);
	}
	ENSURE(SumEnergies(world, 6) == 0.0);
	for (int i = 0; i < 60; ++i)
	{
		pose.position.x += 4.0f * TIME_STEP;
		ENSURE_OK(tnWorld_MoveBody(world, id, &pose, (tnVec3){4.0f, 0.0f, 0.0f}, still));
		tnWorld_Step(world, TIME_STEP);
	}
	ENSURE(SumEnergies(world, 2) > 1.0);
	tnDestroyWorld(world);
	return 0;
}

// A box of 1 x 1 m around a place, half of it in x and z.
#define BOX_HALF 0.5
#define BOX_DRAFT 0.1

static double SampleHeight(const tnWorld* world, double x, double z)
{
	tnWaveSample sample = {0};
	tnWorld_SampleWaves(world, (tnVec2){(float)x, (float)z}, &sample);
	return (double)sample.height;
}

// What a box feels of the surface: its mean height, and its mean slope along x, which is the difference between its sides.
static void MeasureFootprint(const tnWorld* world, double x, double z, double* height, double* slope)
{
	enum
	{
		pointCount = 8
	};
	*height = 0.0;
	*slope = 0.0;
	for (int r = 0; r < pointCount; ++r)
	{
		const double atZ = z + BOX_HALF * ((2.0 * r + 1.0) / pointCount - 1.0);
		for (int c = 0; c < pointCount; ++c)
		{
			const double atX = x + BOX_HALF * ((2.0 * c + 1.0) / pointCount - 1.0);
			*height += SampleHeight(world, atX, atZ) / (pointCount * pointCount);
		}
		const double difference = SampleHeight(world, x + BOX_HALF, atZ) - SampleHeight(world, x - BOX_HALF, atZ);
		*slope += difference / (2.0 * BOX_HALF * pointCount);
	}
}

// A shallow box on a ring of waves of all lengths feels their pressure on its bottom and sides, by Froude and Krylov
//
//   F = -rho g (integral of grad h a(depth) over its volume)
//
// With the fall a(depth) left out that is rho g A times the mean of h over the bottom, and rho g A d times the mean of its
// slope: not that at the middle, of which waves as short as the box have much and the box feels half. What the fall does to
// such waves is most of what is left; PlaneWavesPush has it.
static int WavesPush(void)
{
	tnWorld* world = CreateLake(false, 1);
	ENSURE(world != NULL);
	const tnVec3 half = {(float)BOX_HALF, 0.3f, (float)BOX_HALF};
	const tnBodyId id = AddBox(world, (tnVec3){40.5f, 0.2f, 32.5f}, half, INFINITY);
	tnBodyState state;
	for (int i = 0; i < 121; ++i)
	{
		tnWorld_Step(world, TIME_STEP);
	}
	const tnWaveEllipse ellipse = {{56.0f, 32.5f}, {1.0f, 0.0f}, {5.0f, 5.0f}, 0.2f};
	ENSURE_OK(tnWorld_AddWave(world, NULL, &ellipse));
	double worst = 0.0, highest = 0.0, worstPush = 0.0, highestPush = 0.0;
	double heights[2] = {0.0, 0.0}, slopes[2] = {0.0, 0.0};
	MeasureFootprint(world, 40.5, 32.5, heights + 1, slopes + 1);
	for (int i = 0; i < 240; ++i)
	{
		// At the start of this step and of the last one, as the force has them.
		heights[0] = heights[1];
		slopes[0] = slopes[1];
		MeasureFootprint(world, 40.5, 32.5, heights + 1, slopes + 1);
		tnWorld_Step(world, TIME_STEP);
		ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
		const double height = 0.65 * heights[0] + 0.35 * heights[1];
		const double slope = 0.65 * slopes[0] + 0.35 * slopes[1];
		const double lift = 1000.0 * GRAVITY * 1.0 * height;
		const double push = -1000.0 * GRAVITY * BOX_DRAFT * slope;
		worst = fmax(worst, fabs((double)state.waveForce.y - lift));
		highest = fmax(highest, fabs(lift));
		worstPush = fmax(worstPush, fabs((double)state.waveForce.x - push));
		highestPush = fmax(highestPush, fabs(push));
		tnWrench wrench;
		ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
		ENSURE_CLOSE(wrench.force.y, state.pressure.y + state.drag.y + state.waveForce.y, 0.01);
	}
	// Measured 0.020 and 0.050.
	ENSURE(highest > 50.0);
	ENSURE(worst < 0.04 * highest);
	ENSURE(worstPush < 0.08 * highestPush);
	tnDestroyWorld(world);
	return 0;
}

// Largest height of the levels finer than the flow, and the sum of their heights times areas, m^3.
static double MeasureFine(const tnWorld* world, double* volume)
{
	double largest = 0.0;
	*volume = 0.0;
	for (int i = 0; i < tnWorld_GetWaveTileCount(world); ++i)
	{
		tnWaveTileView view;
		if (tnWorld_GetWaveTile(world, i, &view).status != tn_ok || view.level >= 2)
		{
			continue;
		}
		for (int cell = 0; cell < view.size * view.size; ++cell)
		{
			const double height = (double)view.heights[cell / view.size * view.stride + cell % view.size];
			largest = fmax(largest, fabs(height));
			*volume += height * (double)view.cellSize * (double)view.cellSize;
		}
	}
	return largest;
}

// What a body displaces when it comes it gives back when it is destroyed: in steps so short that nothing moves, nothing is
// left. One that was moved between gives back where it is.
static int DestroyedBodiesGiveBack(void)
{
	const float shortStep = 1.0e-5f;
	for (int moves = 0; moves < 2; ++moves)
	{
		tnWorld* world = CreateLake(false, 1);
		ENSURE(world != NULL);
		tnWorld_Step(world, shortStep);
		// 5 cm deep: more would break.
		tnPose pose = {{40.3f, 0.35f, 32.2f}, {0.0f, 0.0f, 0.0f, 1.0f}};
		// Who is created in the water displaces nothing.
		const tnBodyId id = AddBox(world, (tnVec3){40.3f, 5.0f, 32.2f}, (tnVec3){0.9f, 0.4f, 0.6f}, 500.0f);
		ENSURE_OK(tnWorld_SetBodyMode(world, id, tn_floatingBody));
		tnWorld_Step(world, shortStep);
		ENSURE_OK(tnWorld_MoveBody(world, id, &pose, (tnVec3){0.0f, 0.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 0.0f}));
		tnWorld_Step(world, shortStep);
		double volume;
		const double largest = MeasureFine(world, &volume);
		ENSURE(largest > 0.01);
		if (moves == 1)
		{
			pose.position.x += 1.4f;
			ENSURE_OK(tnWorld_MoveBody(world, id, &pose, (tnVec3){0.0f, 0.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 0.0f}));
			tnWorld_Step(world, shortStep);
		}
		ENSURE_OK(tnWorld_DestroyBody(world, id));
		tnWorld_Step(world, shortStep);
		// Measured 1e-7 of it, and 2e-10 m^3: rounding.
		ENSURE(MeasureFine(world, &volume) < 1.0e-6 * largest);
		ENSURE_CLOSE(volume, 0.0, 1.0e-8);
		tnDestroyWorld(world);
	}
	return 0;
}

static double Sinc(double x)
{
	return fabs(x) > 1.0e-6 ? sin(x) / x : 1.0;
}

// What a box feels of waves, h = amplitude (cos(k.x) + sin(k.x)) with x from its middle, just after they are there.
static int FeelPlaneWaves(double amplitude, double kx, double kz, tnVec3* force)
{
	enum
	{
		columnCount = 96 * 4,
		rowCount = 64 * 4
	};
	tnWorld* world = CreateLake(false, 1);
	ENSURE(world != NULL);
	const tnVec3 half = {(float)BOX_HALF, 0.3f, (float)BOX_HALF};
	const tnBodyId id = AddBox(world, (tnVec3){40.5f, 0.2f, 32.5f}, half, INFINITY);
	tnWorld_Step(world, TIME_STEP);
	float* heights = malloc(sizeof(float) * columnCount * rowCount);
	for (int cell = 0; cell < columnCount * rowCount; ++cell)
	{
		const double x = (cell % columnCount + 0.5) * 0.25 - 40.5;
		const double z = (cell / columnCount + 0.5) * 0.25 - 32.5;
		heights[cell] = (float)(amplitude * (cos(kx * x + kz * z) + sin(kx * x + kz * z)));
	}
	ENSURE_OK(tnWorld_AddWaveField(world, 0, 0, columnCount, rowCount, heights, NULL));
	free(heights);
	tnWorld_Step(world, TIME_STEP);
	tnBodyState state;
	ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
	*force = state.waveForce;
	tnDestroyWorld(world);
	return 0;
}

// The same box on plane waves: in deep water exactly
//
//   upwards  rho g A w^2 S exp(-k d)      along x  -rho g A w^2 S kx (1 - exp(-k d)) / k      S = sinc(kx w/2) sinc(kz w/2)
//
// Lengths from 6 cells of the finest band on, along x, z and between. Measured: sideways 3.0 %, upwards 8.2 % at 6 cells and
// 5.7 % beyond. That is the fall with depth, which is that of a typical wave of each band.
static int PlaneWavesPush(void)
{
	const double lengths[6] = {1.5, 2.0, 3.0, 4.4, 8.0, 12.0};
	const double amplitude = 0.005;
	// What it displaces by coming in is there without waves too.
	tnVec3 calm, force;
	ENSURE(FeelPlaneWaves(0.0, 0.0, 0.0, &calm) == 0);
	for (int i = 0; i < 18; ++i)
	{
		const double k = 2.0 * PI / lengths[i / 3];
		const double turn = 0.25 * PI * (i % 3);
		const double kx = k * cos(turn);
		const double kz = k * sin(turn);
		ENSURE(FeelPlaneWaves(amplitude, kx, kz, &force) == 0);
		const double weight = 1000.0 * GRAVITY * amplitude * Sinc(kx * BOX_HALF) * Sinc(kz * BOX_HALF);
		const double lift = weight * exp(-k * BOX_DRAFT);
		const double push = weight * (1.0 - exp(-k * BOX_DRAFT));
		ENSURE_CLOSE(force.y - calm.y, lift, 0.085 * lift);
		ENSURE_CLOSE(force.x - calm.x, -push * kx / k, 0.04 * push);
		ENSURE_CLOSE(force.z - calm.z, -push * kz / k, 0.04 * push);
	}
	return 0;
}

// A part of a box that is as high above and below the water everywhere: where it begins and ends along x and z, m.
typedef struct Part
{
	double begin[2], end[2];
} Part;

// Waves of several lengths pass under boxes of infinite mass. What they do to all of these, and the torque about the origin.
// @param cellSize the boxes are what cells of this size have of the whole; 0 for one box
static int FeelParts(const Part* whole, double cellSize, double force[3], double torque[3])
{
	enum
	{
		columnCount = 96 * 4,
		rowCount = 64 * 4,
		partLimit = 600
	};
	// Nothing moves in it.
	const float shortStep = 1.0e-5f;
	static tnBodyId ids[partLimit];
	static tnVec3 places[partLimit];
	tnWorld* world = CreateLake(false, 1);
	ENSURE(world != NULL);
	int count = 0;
	const int columns = cellSize > 0.0 ? 96 : 1;
	const int rows = cellSize > 0.0 ? 64 : 1;
	for (int i = 0; i < columns * rows; ++i)
	{
		Part part = *whole;
		const int index[2] = {i % columns, i / columns};
		for (int axis = 0; axis < 2 && cellSize > 0.0; ++axis)
		{
			part.begin[axis] = fmax(part.begin[axis], index[axis] * cellSize);
			part.end[axis] = fmin(part.end[axis], (index[axis] + 1) * cellSize);
		}
		const double width[2] = {part.end[0] - part.begin[0], part.end[1] - part.begin[1]};
		if (width[0] > 0.0 && width[1] > 0.0)
		{
			ENSURE(count < partLimit);
			places[count] =
				(tnVec3){(float)(part.begin[0] + 0.5 * width[0]), 0.2f, (float)(part.begin[1] + 0.5 * width[1])};
			const tnVec3 half = {(float)(0.5 * width[0]), 0.3f, (float)(0.5 * width[1])};
			ids[count] = AddBox(world, places[count], half, INFINITY);
			ENSURE_OK(tnWorld_SetBodyMode(world, ids[count], tn_floatingBody));
			++count;
		}
	}
	tnWorld_Step(world, shortStep);
	float* heights = malloc(sizeof(float) * columnCount * rowCount);
	for (int cell = 0; cell < columnCount * rowCount; ++cell)
	{
		const double x = (cell % columnCount + 0.5) * 0.25;
		const double z = (cell / columnCount + 0.5) * 0.25;
		heights[cell] = (float)(0.01 *
			(sin(2.0 * PI * (x + 0.3 * z) / 3.1) + 2.0 * sin(2.0 * PI * (x - z) / 9.0) +
				4.0 * cos(2.0 * PI * (0.4 * x + z) / 31.0)));
	}
	ENSURE_OK(tnWorld_AddWaveField(world, 0, 0, columnCount, rowCount, heights, NULL));
	free(heights);
	tnWorld_Step(world, shortStep);
	for (int axis = 0; axis < 3; ++axis)
	{
		force[axis] = torque[axis] = 0.0;
	}
	for (int i = 0; i < count; ++i)
	{
		tnBodyState state;
		ENSURE_OK(tnWorld_GetBodyState(world, ids[i], &state));
		const tnVec3 f = state.waveForce, t = state.waveTorque, p = places[i];
		force[0] += (double)f.x;
		force[1] += (double)f.y;
		force[2] += (double)f.z;
		torque[0] += (double)t.x + (double)p.y * (double)f.z - (double)p.z * (double)f.y;
		torque[1] += (double)t.y + (double)p.z * (double)f.x - (double)p.x * (double)f.z;
		torque[2] += (double)t.z + (double)p.x * (double)f.y - (double)p.y * (double)f.x;
	}
	tnDestroyWorld(world);
	return 0;
}

// Columns of a body share what they find out about waves. Alone, each in a box of its own, they share nothing, and feel the same in
// sum: under a box that is wider than what is kept, lies over tiles of all fine levels, and ends within cells.
static int WholeFeelsWhatPartsFeel(void)
{
	const Part whole = {{31.3, 22.4}, {52.6, 41.1}};
	double force[3], torque[3], forceOfParts[3], torqueOfParts[3];
	ENSURE(FeelParts(&whole, 0.0, force, torque) == 0);
	ENSURE(FeelParts(&whole, 1.0, forceOfParts, torqueOfParts) == 0);
	ENSURE(fabs(force[1]) > 1000.0);
	for (int axis = 0; axis < 3; ++axis)
	{
		// Measured 2e-6 and 3e-6.
		ENSURE_CLOSE(force[axis], forceOfParts[axis], 1.0e-5 * fabs(forceOfParts[1]));
		ENSURE_CLOSE(torque[axis], torqueOfParts[axis], 1.0e-5 * fabs(torqueOfParts[0]));
	}
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

// Bodies from one end of the lake to the other, and some of them on the line x = 66 between two blocks of wave_wakes.c. These
// are decomposed at once where workers have memory for both, and one after the other where there is one worker; both give to
// the tiles between them.
static int SameBitsForAnyWorkerCount(void)
{
	enum
	{
		bodyCount = 7
	};
	const float places[bodyCount][2] = {
		{3.1f, 3.2f}, {30.3f, 32.2f}, {4.4f, 60.7f}, {62.0f, 4.6f}, {65.2f, 31.5f}, {66.9f, 58.0f}, {90.3f, 20.1f}};
	uint64_t hashes[3];
	float forces[3];
	for (int i = 0; i < 3; ++i)
	{
		tnWorld* world = CreateLake(true, i + 1);
		tnBodyId ids[bodyCount];
		for (int k = 0; k < bodyCount; ++k)
		{
			ids[k] = AddBox(world, (tnVec3){places[k][0], 0.0f, places[k][1]}, (tnVec3){1.7f, 0.5f, 0.8f}, 1000.0f);
		}
		for (int step = 0; step < 60; ++step)
		{
			for (int k = 0; k < bodyCount; ++k)
			{
				const float way = 3.0f * TIME_STEP * (float)(step + 1);
				const tnPose pose = {{places[k][0] + way, 0.0f, places[k][1]}, {0.0f, 0.0f, 0.0f, 1.0f}};
				tnWorld_MoveBody(world, ids[k], &pose, (tnVec3){3.0f, 0.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 0.0f});
			}
			tnWorld_Step(world, TIME_STEP);
		}
		ENSURE(SumEnergies(world, 1) > 0.0);
		ENSURE(SumEnergies(world, 2) > SumEnergies(world, 1));
		tnWrench wrench;
		tnWorld_GetBodyWrench(world, ids[4], &wrench);
		forces[i] = wrench.force.x;
		hashes[i] = tnWorld_GetHash(world);
		tnDestroyWorld(world);
	}
	for (int i = 1; i < 3; ++i)
	{
		ENSURE_EQUAL_HEX(hashes[i], hashes[0]);
		ENSURE(forces[i] == forces[0]);
	}
	return 0;
}

// What bodies of all sizes feel is the same to the bit for all instruction sets: a crate within a cell, a raft, and a ship over tiles
// of all fine levels, all turned and none at a cell, in water where some tiles are missing.
static int SameBitsForAnySimd(void)
{
	enum
	{
		bodyCount = 4
	};
	const tnVec3 places[bodyCount] = {
		{30.3f, 0.1f, 32.2f}, {63.8f, -0.2f, 31.7f}, {47.2f, 0.1f, 15.9f}, {31.9f, -0.9f, 8.1f}};
	const tnVec3 halves[bodyCount] = {{0.3f, 0.5f, 0.2f}, {3.2f, 0.6f, 2.1f}, {17.3f, 1.5f, 3.9f}, {1.6f, 0.4f, 2.3f}};
	tnVec3 forces[bodyCount] = {0}, torques[bodyCount] = {0};
	for (int simd = tn_simdAuto; simd <= tn_simdWasm; ++simd)
	{
		if (!tnIsSimdAvailable((tnSimd)simd))
		{
			continue;
		}
		tnWorldDef def = MakeLakeDef(false, 1);
		def.simd = (tnSimd)simd;
		def.waves.tileCount = 24;
		tnWorld* world = CreateLakeOf(&def);
		ENSURE(world != NULL);
		// 6 of the 24 finest tiles, and 4 of the next 6: bodies are on both sides of where they end.
		tnInterestDef interest = tnDefaultInterestDef();
		interest.position = (tnVec2){60.0f, 24.0f};
		interest.reach = 10.0f;
		tnInterestId interestId;
		ENSURE_OK(tnWorld_CreateInterest(world, &interest, &interestId));
		tnBodyId ids[bodyCount];
		for (int i = 0; i < bodyCount; ++i)
		{
			ids[i] = AddBox(world, places[i], halves[i], INFINITY);
			const tnPose pose = {places[i], {0.02f, sinf(0.2f + (float)i), 0.03f, cosf(0.2f + (float)i)}};
			ENSURE_OK(tnWorld_MoveBody(world, ids[i], &pose, (tnVec3){0.3f, 0.0f, 0.2f}, (tnVec3){0.0f, 0.0f, 0.0f}));
		}
		const tnWaveEllipse ellipse = {{50.0f, 20.0f}, {1.0f, 0.0f}, {4.0f, 3.0f}, 0.2f};
		ENSURE_OK(tnWorld_AddWave(world, NULL, &ellipse));
		for (int step = 0; step < 40; ++step)
		{
			tnWorld_Step(world, TIME_STEP);
		}
		tnWaveStats stats;
		tnWorld_GetWaveStats(world, &stats);
		ENSURE(stats.tileCounts[0] > 0 && stats.tileCounts[0] < 24);
		for (int i = 0; i < bodyCount; ++i)
		{
			tnBodyState state;
			ENSURE_OK(tnWorld_GetBodyState(world, ids[i], &state));
			const tnVec3 f = state.waveForce, t = state.waveTorque;
			ENSURE(fabsf(f.y) > 0.01f);
			if (simd == tn_simdAuto)
			{
				forces[i] = f;
				torques[i] = t;
			}
			ENSURE(f.x == forces[i].x && f.y == forces[i].y && f.z == forces[i].z);
			ENSURE(t.x == torques[i].x && t.y == torques[i].y && t.z == torques[i].z);
		}
		tnDestroyWorld(world);
	}
	return 0;
}

// A boat in deep water is the layer's: the flow has no ripples of it, whatever cells it crosses. In water as shallow as
// half of its length it is the flow's.
static int DeepBodiesLeaveTheFlow(void)
{
	for (int isDeep = 0; isDeep < 2; ++isDeep)
	{
		tnWorld* world = CreateLake(false, 1);
		ENSURE(world != NULL);
		const float half = isDeep == 1 ? 2.0f : 8.5f;
		tnPose pose = {{30.3f, 0.0f, 32.2f}, {0.0f, 0.130526f, 0.0f, 0.991445f}};
		const float mass = 1000.0f * 4.0f * half * 0.8f * 0.5f;
		// Without drag, which pushes the flow.
		tnShapeDef shape = tnDefaultShapeDef();
		shape.halfExtents = (tnVec3){half, 0.5f, 0.8f};
		tnBodyDef def = tnDefaultBodyDef();
		def.shapes = &shape;
		def.shapeCount = 1;
		def.mass = mass;
		def.pose = pose;
		def.pressureDrag = 0.0f;
		def.skinFriction = 0.0f;
		tnBodyId id;
		ENSURE_OK(tnWorld_CreateBody(world, &def, &id));
		double worst = 0.0, highest = 0.0;
		for (int i = 0; i < 240; ++i)
		{
			pose.position.x += 3.0f * TIME_STEP;
			const tnVec3 velocity = {3.0f, 0.0f, 0.0f}, still = {0.0f, 0.0f, 0.0f};
			ENSURE_OK(tnWorld_MoveBody(world, id, &pose, velocity, still));
			tnWorld_Step(world, TIME_STEP);
		}
		for (int i = 0; i < 96 * 64; ++i)
		{
			const tnVec2 place = {(float)(i % 96) + 0.5f, (float)(i / 96) + 0.5f};
			tnWaveSample waves = {0};
			ENSURE_OK(tnWorld_SampleWaves(world, place, &waves));
			const tnSample sample = tnWorld_Sample(world, place);
			highest = fmax(highest, fabs((double)waves.height));
			worst = fmax(worst, fabs((double)sample.surface - (double)waves.height));
		}
		// Measured 5e-7 and 0.16 m, 0.55 and 0.10 m.
		ENSURE(isDeep == 1 ? worst < 1.0e-4 : worst > 0.005);
		ENSURE(isDeep == 1 ? highest > 0.05 : highest < 0.5);
		tnDestroyWorld(world);
	}
	return 0;
}

// A light crate that falls into a pond without damping rocks on its own waves for good: neither it nor they get any
// higher. With the force of heights half a step later they do, by 10 % in this time.
static int PondsGainNothing(void)
{
	tnWorldDef def = MakeLakeDef(false, 1);
	def.cellSize = 0.5f;
	tnWorld* world = CreateLakeOf(&def);
	ENSURE(world != NULL);
	const double mass = 40.0, timeStep = 1.0 / 30.0;
	tnPose pose = {{20.1f, 0.75f, 11.7f}, {0.0f, 0.0f, 0.0f, 1.0f}};
	const tnBodyId id = AddBox(world, pose.position, (tnVec3){0.5f, 0.5f, 0.4f}, (float)mass);
	double height = 0.75, rise = 0.0, early = 0.0;
	for (int i = 0; i < 3000; ++i)
	{
		const tnVec3 velocity = {0.0f, (float)rise, 0.0f}, spin = {0.0f, 0.0f, 0.0f};
		pose.position.y = (float)height;
		ENSURE_OK(tnWorld_MoveBody(world, id, &pose, velocity, spin));
		tnWorld_Step(world, (float)timeStep);
		tnWrench wrench;
		ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
		rise += timeStep * ((double)wrench.force.y / mass - GRAVITY);
		height += timeStep * rise;
		early = i == 600 ? SumEnergies(world, 6) : early;
		ENSURE(i < 600 || fabs(height - 0.45) < 0.03);
	}
	ENSURE(early > 10.0);
	// Measured 1.00; energies are known to a percent.
	ENSURE(SumEnergies(world, 6) < 1.03 * early);
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"DeepBodiesLeaveTheFlow", DeepBodiesLeaveTheFlow},
	{"PondsGainNothing", PondsGainNothing},
	{"MovingBodiesStir", MovingBodiesStir},
	{"DestroyedBodiesGiveBack", DestroyedBodiesGiveBack},
	{"WavesPush", WavesPush},
	{"PlaneWavesPush", PlaneWavesPush},
	{"WholeFeelsWhatPartsFeel", WholeFeelsWhatPartsFeel},
	{"LightBodiesStay", LightBodiesStay},
	{"SameBitsForAnyWorkerCount", SameBitsForAnyWorkerCount},
	{"SameBitsForAnySimd", SameBitsForAnySimd},
};
const TestSuite wave_bodiesSuite = TEST_SUITE("wave_bodies", s_tests);

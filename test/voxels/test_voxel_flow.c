// SPDX-License-Identifier: MIT

// Currents of voxels: what steps, levels and jets move.

#include "core/hash.h"
#include "voxel_flow_kit.h"
#include "voxels/voxel_flow.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------------------
// What steps move

static tnVoxelSpot FindSpot(const tnVoxelWorld* world, int x, int y, int z)
{
	tnVoxelSpot spot = {.index = tnGetChunkIndex((x >> 4) & 7, (y >> 4) & 7, (z >> 4) & 7),
		.voxel = (y & 15) * TN_LAYER + (z & 15) * TN_ROW + (x & 15)};
	spot.chunk = tnVoxelStore_FindChunk(&world->store, (tnVoxel){x >> 4, y >> 4, z >> 4}, &spot.block);
	spot.word = tnGetWord(&world->store, spot.chunk, spot.voxel);
	return spot;
}

enum
{
	heapX = 21,
	heapY = 23,
	heapZ = 19,
};

// Ground and two liquids at random, the first of them slow or not. They are as heavy as each other, so that they stay where they are.
static tnVoxelWorld* MakeHeap(uint64_t seed)
{
	tnVoxelWorldDef def = GetDef();
	def.rules = tn_basicRules;
	def.liquids[1].density = def.liquids[0].density;
	def.liquids[0].viscosity = seed % 2 == 0 ? 3 : 1;
	tnVoxelWorld* world = MakeRock(&def);
	TestRandom random = TestMakeRandom(seed);
	for (int i = 0; world != NULL && i < heapX * heapY * heapZ; ++i)
	{
		const int x = 3 + i % heapX;
		const int y = 5 + i / (heapX * heapZ);
		const int z = 7 + i / heapX % heapZ;
		const tnVoxelBox box = VoxelBox(x, y, z, x + 1, y + 1, z + 1);
		const int ground = TestRandomInt(&random, 0, 5);
		(void)tnVoxelWorld_FillSolid(world, box, ground < 4 ? 0 : (ground == 4 ? TestRandomInt(&random, 1, 254) : 255));
		const int liquid = TestRandomInt(&random, 0, 3);
		const int amount = TestRandomInt(&random, 0, 2) * TestRandomInt(&random, 1, 255);
		(void)tnVoxelWorld_AddLiquid(world, box, liquid == 3 ? 2 : 1, amount < 255 ? amount : 255, NULL);
	}
	return world;
}

// What comes in less what goes out is what each voxel has more after the step, and both sides of a face say the same.
static int FlowsAreThoseOfTheStep(void)
{
	static int expected[heapX * heapY * heapZ];
	for (int seed = 1; seed <= 3; ++seed)
	{
		tnVoxelWorld* world = MakeHeap((uint64_t)seed);
		ENSURE(world != NULL);
		int moved = 0;
		for (int step = 0; step < 7; ++step)
		{
			// Of the first kind, which moves before the other one.
			for (int i = 0; i < heapX * heapY * heapZ; ++i)
			{
				const tnVoxelSpot spot = FindSpot(world, 3 + i % heapX, 5 + i / (heapX * heapZ), 7 + i / heapX % heapZ);
				const tnFaceFlows flows = tnGetStepFlows(world, &spot, 1);
				expected[i] = tnGetKind(spot.word) == 1 ? tnGetAmount(spot.word) : 0;
				for (int side = 0; side < tn_voxelSideCount; ++side)
				{
					static const int axes[3] = {0, 2, 1};
					const tnVoxelSpot next = tnGetNext(&world->store, &spot, axes[side / 2], side % 2 != 0);
					ENSURE_EQUAL_INT(tnGetStepFlows(world, &next, 1).out[side ^ 1], -flows.out[side]);
					expected[i] -= flows.out[side];
					moved += flows.out[side] != 0 ? 1 : 0;
				}
			}
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
			for (int i = 0; i < heapX * heapY * heapZ; ++i)
			{
				const tnVoxelState state = tnVoxelWorld_GetVoxel(
					world, (tnVoxel){3 + i % heapX, 5 + i / (heapX * heapZ), 7 + i / heapX % heapZ});
				ENSURE_EQUAL_INT(state.liquid == 1 ? state.amount : 0, expected[i]);
			}
		}
		ENSURE(moved > 10000);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

static tnResult AddSource(tnVoxelWorld* world, tnVoxelBox box, int rate)
{
	tnVoxelSourceDef def = tnDefaultVoxelSourceDef();
	def.box = box;
	def.rate = rate;
	tnVoxelSourceId id;
	return tnVoxelWorld_CreateSource(world, &def, &id);
}

// Voxels a step.
static float GetSpeed(float metersPerSecond, const tnVoxelWorldDef* def)
{
	return metersPerSecond / (def->voxelSize * def->stepRate);
}

// What falls freely makes a voxel in each step, however little it is.
static int FallsAreFast(void)
{
	for (int rate = 3; rate <= 251; rate += 124)
	{
		const tnVoxelWorldDef def = GetDef();
		tnVoxelWorld* world = MakeRock(&def);
		ENSURE(world != NULL);
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(15, 2, 5, 16, 61, 6), 0));
		ENSURE_OK(AddSource(world, VoxelBox(15, 60, 5, 16, 61, 6), rate));
		ENSURE_OK(AddSource(world, VoxelBox(15, 2, 5, 16, 3, 6), -255));
		for (int i = 0; i < 80; ++i)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		for (int y = 4; y < 59; ++y)
		{
			const tnVoxelSample sample = Sample(world, 15.5f, (float)y, 5.5f);
			ENSURE(sample.inLiquid && sample.velocity.x == 0.0f && sample.velocity.z == 0.0f);
			ENSURE_CLOSE(GetSpeed(sample.velocity.y, &def), -1.0, 1.0e-6);
		}
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// Water that runs along a gutter carries as much through each cross-section, deep or thin.
static int FilmsCarryWhatTheyGet(void)
{
	for (int mirror = 0; mirror < 2; ++mirror)
	{
		tnVoxelWorldDef def = GetDef();
		def.cap = 4096;
		def.rules = tn_basicRules;
		tnVoxelWorld* world = MakeRock(&def);
		ENSURE(world != NULL);
		const int rate = 41;
		const int first = mirror == 0 ? 9 : 23;
		const int last = mirror == 0 ? 23 : 9;
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(9, 4, 5, 24, 9, 6), 0));
		ENSURE_OK(AddSource(world, VoxelBox(first, 4, 5, first + 1, 5, 6), rate));
		ENSURE_OK(AddSource(world, VoxelBox(last, 4, 5, last + 1, 5, 6), -4096));
		for (int i = 0; i < 1500; ++i)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		for (int x = 11; x < 22; ++x)
		{
			const tnVoxelSample sample = Sample(world, (float)x + 0.5f, 4.0f, 5.5f);
			const double flux = (double)(GetSpeed(sample.velocity.x, &def) * sample.depth / s_size * 4096.0f);
			ENSURE(sample.inLiquid && sample.velocity.z == 0.0f);
			// Both faces have the same flow and nearly the same depth.
			ENSURE_CLOSE(flux, mirror == 0 ? rate : -rate, 0.1 * rate);
		}
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What levels move

// Basins of 7 x 7 voxels, 40 apart, with a pipe between them that crosses three borders of chunks, and a blind gallery off
// it. Nine voxels of the left one get water, from above, and nine of the right one lose as much, below its surface.
typedef struct Pipe
{
	bool isTurned;   // along z and not x
	bool isMirrored; // it flows the other way
	bool isWider;    // in its second half 4 x 4 and not 2 x 2 voxels, else it has 2 x 3 all along
	int rate;        // units of each of the nine voxels
	int shift;       // along the pipe: into the blocks at both ends of the first one
} Pipe;

static tnVoxelBox TurnBox(const Pipe* pipe, int x0, int y0, int z0, int x1, int y1, int z1)
{
	const int low = (pipe->isMirrored ? 58 - x1 : x0) + pipe->shift;
	const int high = (pipe->isMirrored ? 58 - x0 : x1) + pipe->shift;
	return pipe->isTurned ? VoxelBox(z0, y0, low, z1, y1, high) : VoxelBox(low, y0, z0, high, y1, z1);
}

// As if it were neither turned nor mirrored.
static tnVoxelSample SamplePipe(tnVoxelWorld* world, const Pipe* pipe, int x, int y, int z)
{
	const float along = (float)((pipe->isMirrored ? 57 - x : x) + pipe->shift) + 0.5f;
	const float across = (float)z + 0.5f;
	const float sign = pipe->isMirrored ? -1.0f : 1.0f;
	tnVoxelSample sample =
		Sample(world, pipe->isTurned ? across : along, (float)y + 0.5f, pipe->isTurned ? along : across);
	const tnVec3 v = sample.velocity;
	sample.velocity = (tnVec3){(pipe->isTurned ? v.z : v.x) * sign, v.y, pipe->isTurned ? v.x : v.z};
	return sample;
}

// Dig a box and fill it up to a height.
static bool DigAndFill(tnVoxelWorld* world, tnVoxelBox box, int top)
{
	tnVoxelBox wet = box;
	wet.high.y = top < box.high.y ? top : box.high.y;
	return tnVoxelWorld_FillSolid(world, box, 0).status == tn_ok &&
		tnVoxelWorld_AddLiquid(world, wet, 1, TN_MAX_VOXEL_CAP, NULL).status == tn_ok;
}

static tnVoxelWorld* MakePipe(const tnVoxelWorldDef* def, const Pipe* pipe)
{
	tnVoxelWorld* world = MakeRock(def);
	bool ok = world != NULL;
	for (int i = -1; i <= 1 && pipe->shift != 0; i += 2)
	{
		const tnVoxel block = {pipe->isTurned ? 0 : i, 0, pipe->isTurned ? i : 0};
		const tnVoxel low = {128 * block.x, 0, 128 * block.z};
		ok = ok && tnVoxelWorld_LoadBlock(world, block).status == tn_ok;
		ok = ok &&
			tnVoxelWorld_FillSolid(world, VoxelBox(low.x, 0, low.z, low.x + 128, 128, low.z + 128), TN_VOXEL_ROCK)
					.status == tn_ok;
	}
	ok = ok && DigAndFill(world, TurnBox(pipe, 2, 12, 5, 9, 40, 12), 25);
	ok = ok && DigAndFill(world, TurnBox(pipe, 49, 12, 5, 56, 40, 12), 25);
	ok = ok && DigAndFill(world, TurnBox(pipe, 9, 14, 7, 49, 16, pipe->isWider ? 9 : 10), 25);
	ok = ok && (!pipe->isWider || DigAndFill(world, TurnBox(pipe, 29, 13, 6, 49, 17, 10), 25));
	ok = ok && (pipe->isWider || DigAndFill(world, TurnBox(pipe, 27, 14, 10, 29, 16, 23), 25));
	ok = ok && AddSource(world, TurnBox(pipe, 4, 30, 7, 7, 31, 10), pipe->rate).status == tn_ok;
	ok = ok && AddSource(world, TurnBox(pipe, 51, 20, 7, 54, 21, 10), -pipe->rate).status == tn_ok;
	if (!ok)
	{
		tnDestroyVoxelWorld(world);
	}
	return ok ? world : NULL;
}

static int RunSteps(tnVoxelWorld* world, int count)
{
	for (int i = 0; i < count; ++i)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
	}
	return 0;
}

enum
{
	meanSteps = 64,
};

typedef struct Section
{
	double speed;  // mean along the pipe, voxels a step
	double flux;   // voxels a step
	double spread; // largest distance of the mean of a voxel from that of all
	double across; // fastest across the pipe at any time
} Section;

// One step further. Called meanSteps times it has the means.
static void AddToSection(tnVoxelWorld* world, const Pipe* pipe, int x, double sums[16], Section* section)
{
	const tnVoxelWorldDef def = tnVoxelWorld_GetDef(world);
	for (int i = 0; i < 16; ++i)
	{
		const tnVoxelSample sample = SamplePipe(world, pipe, x, 13 + i / 4, 6 + i % 4);
		sums[i] += (double)GetSpeed(sample.velocity.x, &def) / meanSteps;
		const double y = fabs((double)GetSpeed(sample.velocity.y, &def));
		const double z = fabs((double)GetSpeed(sample.velocity.z, &def));
		section->across = fmax(section->across, fmax(y, z));
	}
}

static void FinishSection(const tnVoxelWorld* world, const Pipe* pipe, int x, const double sums[16], Section* section)
{
	int count = 0;
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int i = 0; i < 16; ++i)
		{
			const tnVoxelBox box = TurnBox(pipe, x, 13 + i / 4, 6 + i % 4, x + 1, 14 + i / 4, 7 + i % 4);
			const bool isWet = tnVoxelWorld_GetVoxel(world, box.low).amount > 0;
			count += pass == 0 && isWet ? 1 : 0;
			section->flux += pass == 0 && isWet ? sums[i] : 0.0;
			section->spread = fmax(section->spread, pass == 1 && isWet ? fabs(sums[i] - section->speed) : 0.0);
		}
		section->speed = section->flux / count;
	}
}

static void RunSections(tnVoxelWorld* world, const Pipe* pipe, const int* places, int count, Section* sections)
{
	double sums[8][16] = {{0}};
	memset(sections, 0, (size_t)count * sizeof(Section));
	for (int step = 0; step < meanSteps; ++step)
	{
		(void)tnVoxelWorld_Step(world, 0);
		for (int i = 0; i < count; ++i)
		{
			AddToSection(world, pipe, places[i], sums[i], sections + i);
		}
	}
	for (int i = 0; i < count; ++i)
	{
		FinishSection(world, pipe, places[i], sums[i], sections + i);
	}
}

// Velocity in a full pipe is what goes in over its cross-section, everywhere along it, and nothing moves in the gallery.
static int PipesCarryWhatTheyGet(void)
{
	tnVoxelWorldDef def = GetDef();
	def.cap = 1024;
	static const int places[7] = {10, 15, 16, 24, 31, 33, 47};
	static const int shifts[6] = {0, 0, 0, 0, -29, 97};
	for (int i = 0; i < 6; ++i)
	{
		const Pipe pipe = {.isTurned = i / 2 == 1, .isMirrored = i % 2 != 0, .rate = 21, .shift = shifts[i]};
		tnVoxelWorld* world = MakePipe(&def, &pipe);
		ENSURE(world != NULL);
		ENSURE(RunSteps(world, 400) == 0);
		Section sections[7];
		RunSections(world, &pipe, places, 7, sections);
		const double speed = 9.0 * pipe.rate / (6.0 * def.cap);
		for (int k = 0; k < 7; ++k)
		{
			ENSURE_CLOSE(sections[k].speed, speed, 0.03 * speed);
			ENSURE_CLOSE(sections[k].spread, 0.0, 0.03 * speed);
			ENSURE_CLOSE(sections[k].across, 0.0, 0.03 * speed);
		}
		for (int z = 14; z < 23; ++z)
		{
			const tnVoxelSample blind = SamplePipe(world, &pipe, 27 + z % 2, 14, z);
			ENSURE(blind.inLiquid);
			ENSURE_CLOSE(GetSpeed(blind.velocity.x, &def), 0.0, 0.01 * speed);
			ENSURE_CLOSE(GetSpeed(blind.velocity.y, &def), 0.0, 0.01 * speed);
			ENSURE_CLOSE(GetSpeed(blind.velocity.z, &def), 0.0, 0.01 * speed);
		}
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// Where a pipe has four times the cross-section it has a fourth of the speed.
static int WidePipesAreSlow(void)
{
	tnVoxelWorldDef def = GetDef();
	def.cap = 1024;
	const Pipe pipe = {.isWider = true, .rate = 10};
	tnVoxelWorld* world = MakePipe(&def, &pipe);
	ENSURE(world != NULL);
	ENSURE(RunSteps(world, 400) == 0);
	static const int places[4] = {12, 25, 33, 45};
	Section sections[4];
	RunSections(world, &pipe, places, 4, sections);
	const double flux = 9.0 * pipe.rate / def.cap;
	for (int i = 0; i < 4; ++i)
	{
		ENSURE_CLOSE(sections[i].flux, flux, 0.03 * flux);
		ENSURE_CLOSE(sections[i].speed, flux / (i < 2 ? 4.0 : 16.0), 0.03 * sections[i].speed);
	}
	ENSURE_CLOSE(sections[0].speed / sections[3].speed, 4.0, 0.12);
	tnDestroyVoxelWorld(world);
	return 0;
}

// Within one chunk: down in the arm that is filled, up in the one that is emptied, and across below.
static int BendsFlowDownAndUp(void)
{
	tnVoxelWorldDef def = GetDef();
	def.cap = 1024;
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	ENSURE(DigAndFill(world, VoxelBox(33, 17, 21, 36, 32, 23), 27));
	ENSURE(DigAndFill(world, VoxelBox(42, 17, 21, 45, 32, 23), 27));
	ENSURE(DigAndFill(world, VoxelBox(36, 17, 21, 42, 19, 23), 27));
	ENSURE_OK(AddSource(world, VoxelBox(33, 31, 21, 36, 32, 23), 50));
	ENSURE_OK(AddSource(world, VoxelBox(42, 26, 21, 45, 27, 23), -50));
	ENSURE(RunSteps(world, 400) == 0);
	double down = 0.0, up = 0.0, across = 0.0;
	for (int step = 0; step < meanSteps; ++step)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		for (int i = 0; i < 6; ++i)
		{
			const float x = (float)(i % 3);
			const float z = 21.5f + (float)(i / 3);
			down += (double)GetSpeed(Sample(world, 33.5f + x, 22.5f, z).velocity.y, &def) / meanSteps;
			up += (double)GetSpeed(Sample(world, 42.5f + x, 22.5f, z).velocity.y, &def) / meanSteps;
			across +=
				i % 3 < 2 ? (double)GetSpeed(Sample(world, 38.5f, 17.5f + x, z).velocity.x, &def) / meanSteps : 0.0;
		}
	}
	const double flux = 6.0 * 50.0 / def.cap;
	ENSURE_CLOSE(down, -flux, 0.03 * flux);
	ENSURE_CLOSE(across, flux, 0.03 * flux);
	ENSURE_CLOSE(up, flux, 0.03 * flux);
	tnDestroyVoxelWorld(world);
	return 0;
}

// A trough without a slope, open above, between a spring and a drain: steps and levels move the water, both count.
static int AqueductsFlow(void)
{
	tnVoxelWorldDef def = GetDef();
	def.cap = 1024;
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(5, 20, 9, 62, 30, 12), 0));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(5, 20, 9, 62, 21, 12), 1, 700, NULL));
	const int rate = 30;
	ENSURE_OK(AddSource(world, VoxelBox(5, 20, 9, 6, 21, 12), rate));
	ENSURE_OK(AddSource(world, VoxelBox(61, 20, 9, 62, 21, 12), -rate));
	ENSURE(RunSteps(world, 600) == 0);
	static const int places[5] = {12, 20, 33, 47, 55};
	double sums[5] = {0};
	for (int step = 0; step < meanSteps; ++step)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		for (int i = 0; i < 15; ++i)
		{
			const tnVoxelSample sample = Sample(world, (float)places[i / 3] + 0.5f, 20.2f, 9.5f + (float)(i % 3));
			const double area = (double)(sample.depth / s_size);
			sums[i / 3] += (double)GetSpeed(sample.velocity.x, &def) * area / meanSteps;
			ENSURE(sample.inLiquid);
		}
	}
	const double flux = 3.0 * rate / def.cap;
	for (int i = 0; i < 5; ++i)
	{
		ENSURE_CLOSE(sums[i], flux, 0.1 * flux);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

// As much goes through every cross-section of a wide lake with a bed like a stair, between a spring and a drain.
static int LakesCarryWhatTheyGet(void)
{
	tnVoxelWorldDef def = GetDef();
	def.cap = 1024;
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	ENSURE(DigAndFill(world, VoxelBox(5, 20, 7, 66, 50, 46), 35));
	for (int i = 0; i < 5; ++i)
	{
		ENSURE_OK(
			tnVoxelWorld_FillSolid(world, VoxelBox(24 + 4 * i, 20, 7, 28 + 4 * i, 21 + 2 * i, 40), TN_VOXEL_ROCK));
	}
	ENSURE_OK(AddSource(world, VoxelBox(8, 45, 20, 12, 46, 24), 90));
	ENSURE_OK(AddSource(world, VoxelBox(58, 28, 20, 62, 29, 24), -90));
	ENSURE(RunSteps(world, 600) == 0);
	static const int places[5] = {18, 27, 31, 40, 52};
	double sums[5] = {0};
	for (int step = 0; step < meanSteps; ++step)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		for (int i = 0; i < 5 * 20 * 39; ++i)
		{
			const tnVoxel voxel = {places[i % 5], 20 + i / 5 % 20, 7 + i / 100};
			const double amount = tnVoxelWorld_GetVoxel(world, voxel).amount;
			const tnVoxelSample sample =
				Sample(world, (float)voxel.x + 0.5f, (float)voxel.y + 0.001f, (float)voxel.z + 0.5f);
			sums[i % 5] += amount > 0.0 ? (double)GetSpeed(sample.velocity.x, &def) * amount / meanSteps : 0.0;
		}
	}
	for (int i = 0; i < 5; ++i)
	{
		ENSURE_CLOSE(sums[i], 16.0 * 90.0, 0.03 * 16.0 * 90.0);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

// Nothing moves in a lake at rest, not even by the error of a solver.
static int LakesAreStill(void)
{
	tnVoxelWorldDef def = GetDef();
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	ENSURE(DigAndFill(world, VoxelBox(3, 13, 5, 44, 40, 38), 17));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 30, 5, 9, 35, 9), 1, 255, NULL));
	ENSURE(RunSteps(world, 20) == 0);
	double fastest = 0.0;
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int i = 0; i < 41 * 7 * 33; ++i)
		{
			const tnVoxelSample sample =
				Sample(world, 3.5f + (float)(i % 41), 13.0f + (float)(i / 41 % 7), 5.5f + (float)(i / (41 * 7)));
			const double speed =
				fabs((double)sample.velocity.x) + fabs((double)sample.velocity.y) + fabs((double)sample.velocity.z);
			fastest = fmax(fastest, speed);
			ENSURE(pass == 0 || (sample.velocity.x == 0.0f && sample.velocity.y == 0.0f && sample.velocity.z == 0.0f));
		}
		// It was not still before.
		ENSURE(fastest > 0.1);
		ENSURE(RunToRest(world, 2000) >= 0);
		ENSURE(RunSteps(world, 5 * def.levelInterval) == 0);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

// An ocean fills up what is drained from a cave that a tunnel joins with it.
static int OceansFlowIntoCaves(void)
{
	tnVoxelWorldDef def = GetDef();
	def.cap = 1024;
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	tnVoxelOceanDef ocean = tnDefaultVoxelOceanDef();
	ocean.box = VoxelBox(3, 10, 3, 20, 40, 20);
	ocean.level = 25 * 1024 + 300;
	ENSURE(DigAndFill(world, ocean.box, 25));
	ENSURE(DigAndFill(world, VoxelBox(20, 12, 9, 50, 14, 11), 25));
	ENSURE(DigAndFill(world, VoxelBox(50, 12, 5, 60, 40, 15), 25));
	ENSURE_OK(tnVoxelWorld_SetOcean(world, &ocean));
	ENSURE_OK(AddSource(world, VoxelBox(52, 22, 7, 55, 23, 10), -50));
	ENSURE(RunSteps(world, 400) == 0);
	double sums[3] = {0};
	for (int step = 0; step < meanSteps; ++step)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		for (int i = 0; i < 12; ++i)
		{
			const tnVoxelSample sample =
				Sample(world, 24.5f + 10.0f * (float)(i / 4), 12.5f + (float)(i / 2 % 2), 9.5f + (float)(i % 2));
			sums[i / 4] += (double)GetSpeed(sample.velocity.x, &def) / meanSteps;
		}
	}
	const double flux = 9.0 * 50.0 / def.cap;
	for (int i = 0; i < 3; ++i)
	{
		ENSURE_CLOSE(sums[i], flux, 0.03 * flux);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

// A tank with a hole of 2 x 2 voxels in a wall 4 thick: what comes in above goes out through the hole.
static int HolesLetThrough(void)
{
	tnVoxelWorldDef def = GetDef();
	def.cap = 1024;
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	ENSURE(DigAndFill(world, VoxelBox(5, 10, 5, 21, 60, 18), 47));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(21, 12, 10, 25, 14, 12), 0));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(25, 2, 5, 45, 20, 18), 0));
	ENSURE_OK(AddSource(world, VoxelBox(8, 50, 8, 12, 51, 12), 100));
	ENSURE_OK(AddSource(world, VoxelBox(25, 2, 5, 45, 3, 18), -1024));
	ENSURE(RunSteps(world, 1000) == 0);
	const int64_t before = tnVoxelWorld_GetLedger(world, 1).drains;
	double sums[4] = {0};
	for (int step = 0; step < meanSteps; ++step)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		for (int i = 0; i < 16; ++i)
		{
			const tnVoxel voxel = {21 + i / 4, 12 + i / 2 % 2, 10 + i % 2};
			const tnVoxelSample sample =
				Sample(world, (float)voxel.x + 0.5f, (float)voxel.y + 0.1f, (float)voxel.z + 0.5f);
			sums[i / 4] +=
				(double)GetSpeed(sample.velocity.x, &def) * tnVoxelWorld_GetVoxel(world, voxel).amount / meanSteps;
		}
	}
	const double flux = (double)(tnVoxelWorld_GetLedger(world, 1).drains - before) / meanSteps;
	ENSURE(flux > 1000.0);
	for (int i = 0; i < 4; ++i)
	{
		// It gets faster, and less, towards the edge over which it falls: the faces of the last voxel differ.
		ENSURE_CLOSE(sums[i], flux, (i < 3 ? 0.1 : 0.35) * flux);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

// A rock that is dropped into a shaft pushes the water away from it and up in the other one.
static int RocksPushWaterAway(void)
{
	tnVoxelWorldDef def = GetDef();
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	ENSURE(DigAndFill(world, VoxelBox(5, 10, 5, 9, 40, 8), 25));
	ENSURE(DigAndFill(world, VoxelBox(25, 10, 5, 29, 40, 8), 25));
	ENSURE(DigAndFill(world, VoxelBox(9, 10, 5, 25, 13, 8), 25));
	ENSURE(RunToRest(world, 400) >= 0);
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(6, 11, 6, 8, 14, 7), TN_VOXEL_ROCK));
	double moved = 0.0;
	for (int step = 0; step < 200; ++step)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		for (int i = 0; i < 9; ++i)
		{
			const tnVoxelSample sample = Sample(world, 17.5f, 10.5f + (float)(i / 3), 5.5f + (float)(i % 3));
			moved += (double)GetSpeed(sample.velocity.x, &def);
		}
	}
	// Half of its six voxels go into the other shaft, which is as wide. All of it is taken in one pass and put in seven: what
	// comes after the four that are remembered has no source any more, an eighth of it.
	ENSURE_CLOSE(moved, 3.0, 0.125 * 3.0);
	tnDestroyVoxelWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Promises

// Velocities of a pipe that is as busy as it can be: of all its voxels, the basins and the gallery.
static uint64_t HashCurrents(tnVoxelWorld* world, int stride)
{
	uint64_t hash = TN_HASH_SEED;
	for (int i = 0; i < 54 * 27 * 18; i += stride)
	{
		const tnVoxelSample sample =
			Sample(world, 2.5f + (float)(i % 54), 12.1f + (float)(i / 54 % 27), 5.5f + (float)(i / (54 * 27)));
		const float values[3] = {sample.velocity.x, sample.velocity.y, sample.velocity.z};
		for (int k = 0; k < 3; ++k)
		{
			uint32_t bits;
			memcpy(&bits, values + k, sizeof(bits));
			const uint8_t bytes[4] = {
				(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
			hash = tnHashBytes(hash, bytes, sizeof(bytes));
		}
	}
	return hash;
}

// Of the currents after some steps. The same on every machine, for any number of workers and all instruction sets.
static int CurrentsHaveOneHash(void)
{
	static const int workers[4] = {1, 2, 4, 2};
	for (int i = 0; i < 4; ++i)
	{
		tnVoxelWorldDef def = GetDef();
		def.tasks.workerCount = workers[i];
		def.simd = i == 3 ? tn_simdScalar : tn_simdAuto;
		const Pipe pipe = {.rate = 17};
		tnVoxelWorld* world = MakePipe(&def, &pipe);
		ENSURE(world != NULL);
		ENSURE(RunSteps(world, 123) == 0);
		ENSURE_EQUAL_HEX(HashCurrents(world, 1), 0xf1636320a286d8fc);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// It makes no difference to anything when and how often somebody has asked before.
static int AskingChangesNothing(void)
{
	const tnVoxelWorldDef def = GetDef();
	const Pipe pipe = {.rate = 17};
	tnVoxelWorld* asked = MakePipe(&def, &pipe);
	tnVoxelWorld* other = MakePipe(&def, &pipe);
	ENSURE(asked != NULL && other != NULL);
	for (int step = 0; step < 75; ++step)
	{
		if (step == 41)
		{
			// In the middle of the time between two passes.
			ENSURE_OK(tnVoxelWorld_FillSolid(asked, VoxelBox(12, 14, 7, 14, 15, 8), TN_VOXEL_ROCK));
			ENSURE_OK(tnVoxelWorld_FillSolid(other, VoxelBox(12, 14, 7, 14, 15, 8), TN_VOXEL_ROCK));
		}
		// From another end than where the other world is asked first.
		(void)Sample(asked, 50.5f, 14.5f, 8.5f);
		(void)Sample(asked, 20.5f, 14.5f, 8.5f);
		(void)HashCurrents(asked, 7);
		ENSURE_OK(tnVoxelWorld_Step(asked, 0));
		ENSURE_OK(tnVoxelWorld_Step(other, 0));
		if (step % 6 == 5)
		{
			ENSURE_EQUAL_HEX(HashCurrents(asked, 1), HashCurrents(other, 1));
		}
	}
	ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(asked), tnVoxelWorld_GetHash(other));
	tnDestroyVoxelWorld(asked);
	tnDestroyVoxelWorld(other);
	return 0;
}

// Without memory for the record there is no step, and without memory for currents no sample; the next try has all of both.
static int MemoryMayRunOut(void)
{
	uint64_t hashes[2] = {0};
	int refusedSteps = 0, refusedSamples = 0;
	for (int failIn = 0; failIn < 60; ++failIn)
	{
		TestAllocator allocator = {0};
		tnVoxelWorldDef def = GetDef();
		def.allocator = TestGetAllocator(&allocator);
		def.chunkReserve = 256;
		const Pipe pipe = {.rate = 17};
		tnVoxelWorld* world = MakePipe(&def, &pipe);
		ENSURE(world != NULL);
		ENSURE(RunSteps(world, 1) == 0);
		// Those of the record come while it steps, those of currents when somebody asks.
		allocator.failIn = failIn;
		for (int step = 0; step < 60; ++step)
		{
			const uint64_t before = tnVoxelWorld_GetHash(world);
			const tnResult result = tnVoxelWorld_Step(world, 0);
			if (result.status != tn_ok)
			{
				ENSURE_REFUSED(result, tn_outOfMemory, "out of memory");
				ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(world), before);
				refusedSteps += 1;
				ENSURE_OK(tnVoxelWorld_Step(world, 0));
			}
			tnVoxelSample sample;
			for (int i = 0; i < 8; ++i)
			{
				const tnVec3 point = {s_size * (10.5f + 2.0f * (float)i), s_size * 14.5f, s_size * 8.5f};
				const tnResult asked = tnVoxelWorld_Sample(world, point, &sample);
				if (asked.status != tn_ok)
				{
					ENSURE_REFUSED(asked, tn_outOfMemory, "currents");
					refusedSamples += 1;
				}
			}
		}
		allocator.failIn = 0;
		ENSURE(Sample(world, 20.5f, 14.5f, 8.5f).velocity.x > 0.0f);
		const uint64_t found[2] = {tnVoxelWorld_GetHash(world), HashCurrents(world, 97)};
		for (int i = 0; i < 2; ++i)
		{
			hashes[i] = failIn == 0 ? found[i] : hashes[i];
			ENSURE_EQUAL_HEX(found[i], hashes[i]);
		}
		tnDestroyVoxelWorld(world);
		ENSURE_EQUAL_INT(allocator.liveBytes, 0);
		ENSURE_EQUAL_INT(allocator.badFreeCount, 0);
	}
	ENSURE(refusedSteps > 3 && refusedSamples > 3);
	return 0;
}

// A world that comes from a save has no currents until levels have been looked at, then those of the one that was saved.
static int SavesForgetCurrents(void)
{
	const tnVoxelWorldDef def = GetDef();
	const Pipe pipe = {.rate = 17};
	tnVoxelWorld* saved = MakePipe(&def, &pipe);
	tnVoxelWorld* loaded = NULL;
	ENSURE(saved != NULL);
	ENSURE(RunSteps(saved, 203) == 0);
	size_t sizes[2];
	ENSURE_OK(tnVoxelWorld_SaveBlock(saved, (tnVoxel){0, 0, 0}, NULL, 0, sizes));
	ENSURE_OK(tnVoxelWorld_SaveState(saved, NULL, 0, sizes + 1));
	uint8_t* bytes = malloc(sizes[0] + sizes[1]);
	ENSURE(bytes != NULL);
	ENSURE_OK(tnVoxelWorld_SaveBlock(saved, (tnVoxel){0, 0, 0}, bytes, sizes[0], sizes));
	ENSURE_OK(tnVoxelWorld_SaveState(saved, bytes + sizes[0], sizes[1], sizes + 1));
	ENSURE_OK(tnCreateVoxelWorld(&def, &loaded));
	ENSURE_OK(tnVoxelWorld_LoadBlockFrom(loaded, (tnVoxel){0, 0, 0}, bytes, sizes[0]));
	ENSURE_OK(tnVoxelWorld_LoadState(loaded, bytes + sizes[0], sizes[1]));
	free(bytes);
	ENSURE(Sample(saved, 20.5f, 14.5f, 8.5f).velocity.x > 0.0f);
	ENSURE(Sample(loaded, 20.5f, 14.5f, 8.5f).velocity.x == 0.0f);
	// Five passes: the first one begins a record, four are remembered.
	ENSURE(RunSteps(saved, 6 * def.levelInterval) == 0);
	ENSURE(RunSteps(loaded, 6 * def.levelInterval) == 0);
	ENSURE_EQUAL_HEX(HashCurrents(loaded, 1), HashCurrents(saved, 1));
	tnDestroyVoxelWorld(saved);
	tnDestroyVoxelWorld(loaded);
	return 0;
}

static const Test s_tests[] = {
	{"FlowsAreThoseOfTheStep", FlowsAreThoseOfTheStep},
	{"FallsAreFast", FallsAreFast},
	{"FilmsCarryWhatTheyGet", FilmsCarryWhatTheyGet},
	{"PipesCarryWhatTheyGet", PipesCarryWhatTheyGet},
	{"WidePipesAreSlow", WidePipesAreSlow},
	{"BendsFlowDownAndUp", BendsFlowDownAndUp},
	{"AqueductsFlow", AqueductsFlow},
	{"LakesCarryWhatTheyGet", LakesCarryWhatTheyGet},
	{"LakesAreStill", LakesAreStill},
	{"OceansFlowIntoCaves", OceansFlowIntoCaves},
	{"HolesLetThrough", HolesLetThrough},
	{"RocksPushWaterAway", RocksPushWaterAway},
	{"CurrentsHaveOneHash", CurrentsHaveOneHash},
	{"AskingChangesNothing", AskingChangesNothing},
	{"MemoryMayRunOut", MemoryMayRunOut},
	{"SavesForgetCurrents", SavesForgetCurrents},
};

const TestSuite voxel_flowSuite = TEST_SUITE("voxel_flow", s_tests);

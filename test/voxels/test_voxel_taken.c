// SPDX-License-Identifier: MIT

// Bodies that push liquid aside in voxels.

#include "voxel_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	cap = 1024,
	maxBodies = 4,
	saveLimit = 1 << 21,
};

static tnBodyDef MakeBoxDef(tnShapeDef* shape, tnVec3 half, tnVec3 position)
{
	*shape = tnDefaultShapeDef();
	shape->halfExtents = half;
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shape;
	def.shapeCount = 1;
	def.mode = tn_blockingBody;
	def.pose.position = position;
	return def;
}

static tnBodyId AddBox(tnVoxelWorld* world, tnVec3 half, tnVec3 position)
{
	tnShapeDef shape;
	const tnBodyDef def = MakeBoxDef(&shape, half, position);
	tnBodyId id;
	return tnVoxelWorld_CreateBody(world, &def, &id).status == tn_ok ? id : (tnBodyId){0};
}

static tnResult MoveTo(tnVoxelWorld* world, tnBodyId id, tnVec3 position)
{
	const tnPose pose = {position, {0.0f, 0.0f, 0.0f, 1.0f}};
	return tnVoxelWorld_MoveBody(world, id, &pose, (tnVec3){0}, (tnVec3){0});
}

// Voxels of 1 m: a tank in rock from (3, 2, 5) on, with water.
static tnVoxelWorld* MakeTank(int width, int height, int depth, int layers, const tnVoxelWorldDef* like)
{
	tnVoxelWorldDef def = like != NULL ? *like : tnDefaultVoxelWorldDef();
	def.voxelSize = 1.0f;
	tnVoxelWorld* world = MakeRock(&def);
	if (world != NULL)
	{
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(3, 2, 5, 3 + width, 2 + height, 5 + depth), 0);
		(void)tnVoxelWorld_AddLiquid(world, VoxelBox(3, 2, 5, 3 + width, 2 + layers, 5 + depth), 1, def.cap, NULL);
	}
	return world;
}

// No unit is lost or made, none is where it does not fit, and nothing waits if nothing may.
static int CheckUnits(const tnVoxelWorld* world, bool mayWait)
{
	const tnVoxelWorldDef def = tnVoxelWorld_GetDef(world);
	for (int liquid = 1; liquid <= def.liquidCount; ++liquid)
	{
		const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(world, liquid);
		ENSURE_EQUAL_INT(ledger.drift, 0);
		ENSURE(ledger.waiting == 0 || mayWait);
	}
	return 0;
}

static int64_t SumRoom(const tnVoxelWorld* world, tnVoxelBox box)
{
	int64_t sum = 0;
	for (int y = box.low.y; y < box.high.y; ++y)
	{
		for (int z = box.low.z; z < box.high.z; ++z)
		{
			for (int x = box.low.x; x < box.high.x; ++x)
			{
				sum += tnVoxelWorld_GetVoxel(world, (tnVoxel){x, y, z}).room;
			}
		}
	}
	return sum;
}

// A block in a tank takes exactly its voxels where it stands on the grid, and the share of its height where it does not; the
// level rises by that, to a unit.
static int LevelsRiseByWhatIsTaken(void)
{
	static const float heights[] = {4.0f, 4.25f, 4.5f, 5.0f};
	for (int i = 0; i < 4; ++i)
	{
		tnVoxelWorld* world = MakeTank(17, 21, 13, 9, NULL);
		ENSURE(world != NULL);
		const tnVoxelBox tank = VoxelBox(3, 2, 5, 20, 23, 18);
		const int64_t before = SumRoom(world, tank);
		const tnBodyId id = AddBox(world, (tnVec3){2.0f, 1.5f, 1.0f}, (tnVec3){10.0f, heights[i] + 1.5f, 11.0f});
		ENSURE(id.index1 != 0);
		tnBodyState state;
		ENSURE_OK(tnVoxelWorld_GetBodyState(world, id, &state));
		ENSURE_EQUAL_INT(state.mode, tn_blockingBody);
		// Eight columns of three voxels. Shares have 256 parts of a voxel at most, and each column two that are not whole.
		const int64_t taken = before - SumRoom(world, tank);
		ENSURE(llabs(taken - 24 * cap) <= 8 * 2 * (cap / 256));
		if (heights[i] == 4.0f || heights[i] == 5.0f)
		{
			ENSURE_EQUAL_INT(taken, 24 * cap);
		}
		ENSURE(RunToRest(world, 4000) >= 0);
		ENSURE(CheckUnits(world, false) == 0);
		// Every column beside it is full up to the level, to a unit.
		const int64_t water = (int64_t)17 * 13 * 9 * cap + taken;
		const int64_t level = water / (17 * 13);
		for (int x = 3; x < 20; ++x)
		{
			for (int z = 5; z < 18; ++z)
			{
				int64_t column = 0;
				for (int y = 2; y < 23; ++y)
				{
					const tnVoxelState voxel = tnVoxelWorld_GetVoxel(world, (tnVoxel){x, y, z});
					column += voxel.amount + (cap - voxel.room);
				}
				ENSURE(column - level >= 0 && column - level <= 1);
			}
		}
		// It is lifted out, and all is as before.
		ENSURE_OK(MoveTo(world, id, (tnVec3){10.0f, 40.0f, 11.0f}));
		ENSURE_EQUAL_INT(SumRoom(world, tank), before);
		ENSURE(RunToRest(world, 4000) >= 0);
		ENSURE(CheckUnits(world, false) == 0);
		ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(world, (tnVoxel){9, 10, 11}).amount, cap);
		ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(world, (tnVoxel){9, 11, 11}).amount, 0);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// A wall as thick as a voxel keeps water on one side wherever it stands and however it is turned, until it is lifted.
static int WallsDamChannels(void)
{
	for (int i = 0; i < 24; ++i)
	{
		const int width = 1 + 4 * (i % 2);
		tnVoxelWorld* world = MakeTank(40, 12, width, 0, NULL);
		ENSURE(world != NULL);
		const float angle = i < 12 ? 0.0f : 0.06f * (float)(i - 11);
		tnShapeDef shape;
		tnBodyDef def = MakeBoxDef(
			&shape, (tnVec3){0.5f, 8.0f, 9.0f}, (tnVec3){22.0f + 0.083f * (float)i, 9.0f, 5.0f + 0.5f * (float)width});
		def.pose.rotation = (tnQuat){0.0f, sinf(0.5f * angle), 0.0f, cosf(0.5f * angle)};
		tnBodyId id;
		ENSURE_OK(tnVoxelWorld_CreateBody(world, &def, &id));
		int64_t added;
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 2, 5, 13, 10, 5 + width), 1, cap, &added));
		ENSURE_EQUAL_INT(added, (int64_t)10 * 8 * width * cap);
		for (int step = 0; step < 600; ++step)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		int64_t behind = 0;
		for (int x = 30; x < 43; ++x)
		{
			for (int z = 5; z < 5 + width; ++z)
			{
				for (int y = 2; y < 14; ++y)
				{
					behind += tnVoxelWorld_GetVoxel(world, (tnVoxel){x, y, z}).amount;
				}
			}
		}
		ENSURE_EQUAL_INT(behind, 0);
		ENSURE(CheckUnits(world, false) == 0);
		// The water pushes it to the other side, with rho g h^2 / 2 for each meter of the channel, were it as wide as that: here
		// the wall goes on into the rock, and the whole of it feels the same water.
		tnWrench wrench;
		ENSURE_OK(tnVoxelWorld_GetBodyWrench(world, id, &wrench));
		tnVoxelSample sample;
		ENSURE_OK(tnVoxelWorld_Sample(world, (tnVec3){10.0f, 3.0f, 5.5f}, &sample));
		const float rise = sample.level - 2.0f;
		if (angle == 0.0f)
		{
			const float low = 1000.0f * 9.81f * 18.0f * 0.5f * rise * rise;
			ENSURE(wrench.force.x > low && wrench.force.x < 1.6f * low);
		}
		ENSURE(wrench.force.x > 0.0f);
		def.pose.position.y += 30.0f;
		ENSURE_OK(tnVoxelWorld_MoveBody(world, id, &def.pose, (tnVec3){0}, (tnVec3){0}));
		ENSURE(RunToRest(world, 8000) >= 0);
		ENSURE(CheckUnits(world, false) == 0);
		for (int x = 3; x < 43; ++x)
		{
			const int amount = tnVoxelWorld_GetVoxel(world, (tnVoxel){x, 3, 5}).amount;
			ENSURE(amount == cap || tnVoxelWorld_GetVoxel(world, (tnVoxel){x, 4, 5}).amount == 0);
		}
		ENSURE(abs(tnVoxelWorld_GetVoxel(world, (tnVoxel){4, 3, 5}).amount -
				   tnVoxelWorld_GetVoxel(world, (tnVoxel){42, 3, 5}).amount) <= 1);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// A wall that moves pushes what is before it, and nothing passes through it.
static int PistonsPushWaterBeforeThem(void)
{
	tnVoxelWorld* world = MakeTank(40, 30, 3, 4, NULL);
	ENSURE(world != NULL);
	const tnBodyId id = AddBox(world, (tnVec3){0.5f, 14.0f, 3.0f}, (tnVec3){8.5f, 16.0f, 6.5f});
	ENSURE(id.index1 != 0);
	ENSURE(RunToRest(world, 2000) >= 0);
	int64_t first = 0;
	for (int i = 0; i <= 200; ++i)
	{
		const float x = 8.5f + 0.1f * (float)i;
		ENSURE_OK(MoveTo(world, id, (tnVec3){x, 16.0f, 6.5f}));
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		ENSURE(CheckUnits(world, true) == 0);
		if (i % 20 != 0)
		{
			continue;
		}
		ENSURE(RunToRest(world, 4000) >= 0);
		ENSURE(CheckUnits(world, false) == 0);
		int64_t sum = 0;
		for (int at = 3; at < (int)floorf(x); ++at)
		{
			for (int y = 2; y < 32; ++y)
			{
				for (int z = 5; z < 8; ++z)
				{
					sum += tnVoxelWorld_GetVoxel(world, (tnVoxel){at, y, z}).amount;
				}
			}
		}
		// What was there, and what the wall displaced when it was made: that went to both sides.
		first = i == 0 ? sum : first;
		ENSURE_EQUAL_INT(sum, first);
		ENSURE_EQUAL_INT(first, (int64_t)(5 * 3 * 4 + 6) * cap);
	}
	ENSURE(RunToRest(world, 4000) >= 0);
	ENSURE(CheckUnits(world, false) == 0);
	tnDestroyVoxelWorld(world);
	return 0;
}

// Where there is no room at all liquid waits, and comes back.
static int LiquidWithoutRoomWaits(void)
{
	tnVoxelWorld* world = MakeTank(9, 7, 11, 7, NULL);
	ENSURE(world != NULL);
	const tnBodyId id = AddBox(world, (tnVec3){2.0f, 2.0f, 2.0f}, (tnVec3){8.0f, 6.0f, 10.0f});
	ENSURE(id.index1 != 0);
	for (int i = 0; i < 100; ++i)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		ENSURE(CheckUnits(world, true) == 0);
	}
	ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).waiting, 64 * cap);
	ENSURE(tnVoxelWorld_IsAtRest(world));
	// Half of it comes out at once.
	ENSURE_OK(MoveTo(world, id, (tnVec3){8.0f, 11.0f, 10.0f}));
	for (int i = 0; i < 400; ++i)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		ENSURE(CheckUnits(world, true) == 0);
	}
	ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).waiting, 0);
	ENSURE_OK(tnVoxelWorld_DestroyBody(world, id));
	ENSURE(RunToRest(world, 1000) >= 0);
	ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).volume, (int64_t)9 * 7 * 11 * cap);
	tnDestroyVoxelWorld(world);
	return 0;
}

// A body at rest in water at rest costs nothing, and to say again where it is wakes nobody.
static int RestCostsNothing(void)
{
	tnVoxelWorld* world = MakeTank(33, 20, 29, 11, NULL);
	ENSURE(world != NULL);
	const tnVec3 place = {15.2f, 11.3f, 17.9f};
	const tnBodyId id = AddBox(world, (tnVec3){2.3f, 1.6f, 3.1f}, place);
	ENSURE(id.index1 != 0);
	ENSURE(RunToRest(world, 4000) >= 0);
	const tnVoxelStats stats = tnVoxelWorld_GetStats(world);
	for (int i = 0; i < 20; ++i)
	{
		ENSURE_OK(MoveTo(world, id, place));
		ENSURE(tnVoxelWorld_IsAtRest(world));
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		ENSURE_EQUAL_INT(tnVoxelWorld_GetStats(world).workedVoxelCount, 0);
	}
	ENSURE(tnVoxelWorld_GetStats(world).byteCount == stats.byteCount);
	// Less than a part of a voxel does not wake anybody, either.
	ENSURE_OK(MoveTo(world, id, (tnVec3){place.x, place.y + 1.0e-4f, place.z}));
	ENSURE(tnVoxelWorld_IsAtRest(world));
	ENSURE_OK(MoveTo(world, id, (tnVec3){place.x, place.y + 0.3f, place.z}));
	ENSURE(!tnVoxelWorld_IsAtRest(world));
	tnDestroyVoxelWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Random worlds

typedef struct Wanderer
{
	tnVoxelWorld* world;
	tnBodyId bodies[maxBodies];
	// How they were made, and where they were put last: the engine's, not what came of it.
	unsigned numbers[maxBodies];
	tnPose poses[maxBodies];
} Wanderer;

static float DrawFloat(unsigned* random, float low, float high)
{
	return low + (high - low) * (float)(NextRandom(random) % 4096u) / 4096.0f;
}

static tnPose DrawPose(unsigned* random)
{
	tnPose pose;
	pose.position.x = DrawFloat(random, 0.0f, 40.0f);
	pose.position.y = DrawFloat(random, 0.0f, 24.0f);
	pose.position.z = DrawFloat(random, 0.0f, 40.0f);
	pose.rotation.x = DrawFloat(random, -1.0f, 1.0f);
	pose.rotation.y = DrawFloat(random, -1.0f, 1.0f);
	pose.rotation.z = DrawFloat(random, -1.0f, 1.0f);
	pose.rotation.w = DrawFloat(random, 1.0f, 2.0f);
	return pose;
}

// Ground, water and oil in a block, alike for the same seed.
static bool Begin(Wanderer* wanderer, const tnVoxelWorldDef* def, unsigned random)
{
	wanderer->world = MakeRock(def);
	if (wanderer->world == NULL)
	{
		return false;
	}
	tnVoxelWorld* world = wanderer->world;
	(void)tnVoxelWorld_FillSolid(world, VoxelBox(2, 2, 2, 40, 28, 40), 0);
	for (int i = 0; i < 6; ++i)
	{
		const int x = 2 + (int)(NextRandom(&random) % 30u);
		const int z = 2 + (int)(NextRandom(&random) % 30u);
		const int solid = (int)(NextRandom(&random) % 256u);
		(void)tnVoxelWorld_FillSolid(
			world, VoxelBox(x, 2, z, x + 5, 4 + (int)(NextRandom(&random) % 8u), z + 6), solid);
	}
	const int layers = 4 + (int)(NextRandom(&random) % 8u);
	(void)tnVoxelWorld_AddLiquid(world, VoxelBox(2, 2, 2, 40, layers, 40), 1, def->cap, NULL);
	if (def->liquidCount > 1)
	{
		(void)tnVoxelWorld_AddLiquid(world, VoxelBox(2, layers, 2, 20, layers + 3, 40), 2, def->cap, NULL);
	}
	return true;
}

static tnResult AddRandomBody(Wanderer* wanderer, int slot, unsigned random, const tnPose* pose)
{
	wanderer->numbers[slot] = random;
	tnShapeDef shapes[2] = {tnDefaultShapeDef(), tnDefaultShapeDef()};
	shapes[0].kind = (tnShapeKind)(NextRandom(&random) % 4u);
	shapes[0].halfExtents =
		(tnVec3){DrawFloat(&random, 0.4f, 4.0f), DrawFloat(&random, 0.4f, 4.0f), DrawFloat(&random, 0.4f, 4.0f)};
	shapes[0].radius = DrawFloat(&random, 0.5f, 3.0f);
	shapes[0].halfLength = DrawFloat(&random, 0.5f, 3.0f);
	shapes[1].pose.position = (tnVec3){DrawFloat(&random, -3.0f, 3.0f), DrawFloat(&random, -3.0f, 3.0f), 0.0f};
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shapes;
	def.shapeCount = 1 + (int)(NextRandom(&random) % 2u);
	def.mode = tn_blockingBody;
	def.pose = pose != NULL ? *pose : DrawPose(&random);
	wanderer->poses[slot] = def.pose;
	return tnVoxelWorld_CreateBody(wanderer->world, &def, wanderer->bodies + slot);
}

// One call, alike for the same number.
static tnResult Play(Wanderer* wanderer, unsigned random)
{
	tnVoxelWorld* world = wanderer->world;
	const int slot = (int)(NextRandom(&random) % maxBodies);
	const tnBodyId id = wanderer->bodies[slot];
	const unsigned verb = NextRandom(&random) % 20u;
	if (verb < 10)
	{
		return tnVoxelWorld_Step(world, 0);
	}
	if (verb < 15 && tnVoxelWorld_HasBody(world, id))
	{
		tnPose pose = DrawPose(&random);
		if (verb < 14)
		{
			// A little.
			const tnPose last = wanderer->poses[slot];
			pose.position.x = last.position.x + DrawFloat(&random, -1.0f, 1.0f);
			pose.position.y = last.position.y + DrawFloat(&random, -1.0f, 1.0f);
			pose.position.z = last.position.z + DrawFloat(&random, -1.0f, 1.0f);
			pose.rotation = last.rotation;
		}
		wanderer->poses[slot] = pose;
		return tnVoxelWorld_MoveBody(world, id, &pose, (tnVec3){0}, (tnVec3){0});
	}
	if (verb < 16)
	{
		if (tnVoxelWorld_HasBody(world, id))
		{
			return tnVoxelWorld_DestroyBody(world, id);
		}
		return AddRandomBody(wanderer, slot, random, NULL);
	}
	const int x = (int)(NextRandom(&random) % 36u);
	const int y = (int)(NextRandom(&random) % 24u);
	const int z = (int)(NextRandom(&random) % 36u);
	const tnVoxelBox box = VoxelBox(x, y, z, x + 3, y + 4, z + 5);
	if (verb < 18)
	{
		const int solid = (int)(NextRandom(&random) % 3u) * 127;
		return tnVoxelWorld_FillSolid(world, box, solid == 254 ? TN_VOXEL_ROCK : solid);
	}
	return verb == 18 ? tnVoxelWorld_AddLiquid(world, box, 1, 700, NULL)
					  : tnVoxelWorld_RemoveLiquid(world, box, 300, NULL);
}

// Saves of a world, without its bodies, in a new one that has them again.
static int Reload(Wanderer* wanderer)
{
	static uint8_t bytes[saveLimit];
	static uint8_t state[saveLimit];
	size_t size;
	size_t stateSize;
	ENSURE_OK(tnVoxelWorld_SaveBlock(wanderer->world, (tnVoxel){0, 0, 0}, bytes, sizeof(bytes), &size));
	ENSURE_OK(tnVoxelWorld_SaveState(wanderer->world, state, sizeof(state), &stateSize));
	const tnVoxelWorldDef def = tnVoxelWorld_GetDef(wanderer->world);
	tnVoxelWorld* world;
	ENSURE_OK(tnCreateVoxelWorld(&def, &world));
	ENSURE_OK(tnVoxelWorld_LoadBlockFrom(world, (tnVoxel){0, 0, 0}, bytes, size));
	ENSURE_OK(tnVoxelWorld_LoadState(world, state, stateSize));
	ENSURE(tnVoxelWorld_GetHash(world) == tnVoxelWorld_GetHash(wanderer->world));
	for (int i = 0; i < maxBodies; ++i)
	{
		if (!tnVoxelWorld_HasBody(wanderer->world, wanderer->bodies[i]))
		{
			wanderer->bodies[i] = (tnBodyId){0};
			continue;
		}
		Wanderer again = *wanderer;
		again.world = world;
		ENSURE_OK(AddRandomBody(&again, i, wanderer->numbers[i], wanderer->poses + i));
		wanderer->bodies[i] = again.bodies[i];
	}
	tnDestroyVoxelWorld(wanderer->world);
	wanderer->world = world;
	return 0;
}

static tnVoxelWorldDef DrawDef(unsigned* random)
{
	static const int caps[] = {1024, 1024, 255, 64};
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.voxelSize = 1.0f;
	def.cap = caps[NextRandom(random) % 4u];
	def.rules = (tnVoxelRules)(NextRandom(random) % 4u % 3u);
	def.liquidCount = 1 + (int)(NextRandom(random) % 2u);
	def.liquids[1].density = 800.0f;
	return def;
}

enum
{
	side = 44,
	boxCount = side * side * side,
};

// Ground of the host is what he made it, whatever bodies did there.
static int CompareGround(const tnVoxelWorld* world, const tnVoxelWorld* other)
{
	static uint8_t solids[2][boxCount];
	const tnVoxelBox box = VoxelBox(0, 0, 0, side, side, side);
	ENSURE_OK(tnVoxelWorld_Read(world, box, solids[0], NULL, NULL));
	ENSURE_OK(tnVoxelWorld_Read(other, box, solids[1], NULL, NULL));
	ENSURE(memcmp(solids[0], solids[1], boxCount) == 0);
	return 0;
}

// The same liquid everywhere. Hashes also have it which chunks have pages: a chunk that was woken for nothing has one for a while.
static int CompareLiquid(const tnVoxelWorld* world, const tnVoxelWorld* other)
{
	static uint16_t amounts[2][boxCount];
	static uint8_t liquids[2][boxCount];
	const tnVoxelBox box = VoxelBox(0, 0, 0, side, side, side);
	ENSURE_OK(tnVoxelWorld_Read(world, box, NULL, amounts[0], liquids[0]));
	ENSURE_OK(tnVoxelWorld_Read(other, box, NULL, amounts[1], liquids[1]));
	ENSURE(memcmp(amounts[0], amounts[1], sizeof(amounts[0])) == 0);
	ENSURE(memcmp(liquids[0], liquids[1], boxCount) == 0);
	for (int liquid = 1; liquid <= tnVoxelWorld_GetDef(world).liquidCount; ++liquid)
	{
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, liquid).waiting, tnVoxelWorld_GetLedger(other, liquid).waiting);
	}
	return 0;
}

static int RunWanderers(unsigned seed)
{
	unsigned random = seed * 2654435761u + 7u;
	random ^= random >> 13;
	random *= 0x85ebca6bu;
	const tnVoxelWorldDef def = DrawDef(&random);
	const unsigned beginning = NextRandom(&random);
	// Workers and instructions, a world that is saved and loaded now and then, and one without bodies.
	Wanderer wanderers[4] = {{0}};
	for (int i = 0; i < 4; ++i)
	{
		tnVoxelWorldDef mine = def;
		mine.tasks.workerCount = i == 1 ? 3 : 1;
		mine.simd = i == 1 ? tn_simdScalar : def.simd;
		ENSURE(Begin(wanderers + i, &mine, beginning));
	}
	for (int call = 0; call < 400; ++call)
	{
		const unsigned number = NextRandom(&random);
		if (call % 57 == 56)
		{
			ENSURE(Reload(wanderers + 2) == 0);
		}
		tnStatus status = tn_ok;
		for (int i = 0; i < 3; ++i)
		{
			const tnResult result = Play(wanderers + i, number);
			status = i == 0 ? result.status : status;
			ENSURE_EQUAL_INT(result.status, status);
		}
		unsigned peek = number;
		(void)NextRandom(&peek);
		if (NextRandom(&peek) % 20u >= 16)
		{
			(void)Play(wanderers + 3, number);
		}
		const uint64_t hash = tnVoxelWorld_GetHash(wanderers[0].world);
		if (tnVoxelWorld_GetHash(wanderers[1].world) != hash ||
			CompareLiquid(wanderers[0].world, wanderers[2].world) != 0)
		{
			printf("seed %u, call %d, rules %d, %d liquids, cap %d\n", seed, call, (int)def.rules, def.liquidCount,
				def.cap);
			return 1;
		}
		ENSURE(CheckUnits(wanderers[0].world, true) == 0);
	}
	ENSURE(CompareGround(wanderers[0].world, wanderers[3].world) == 0);
	// Without bodies all room is there again, and in the end all liquid has found some.
	for (int i = 0; i < maxBodies; ++i)
	{
		if (tnVoxelWorld_HasBody(wanderers[0].world, wanderers[0].bodies[i]))
		{
			ENSURE_OK(tnVoxelWorld_DestroyBody(wanderers[0].world, wanderers[0].bodies[i]));
		}
	}
	ENSURE_EQUAL_INT(SumRoom(wanderers[0].world, VoxelBox(0, 0, 0, side, side, side)),
		SumRoom(wanderers[3].world, VoxelBox(0, 0, 0, side, side, side)));
	ENSURE(CompareGround(wanderers[0].world, wanderers[3].world) == 0);
	for (int i = 0; i < 200; ++i)
	{
		ENSURE_OK(tnVoxelWorld_Step(wanderers[0].world, 0));
	}
	ENSURE(CheckUnits(wanderers[0].world, true) == 0);
	for (int i = 0; i < 4; ++i)
	{
		tnDestroyVoxelWorld(wanderers[i].world);
	}
	return 0;
}

static int RandomBodiesKeepEveryUnit(void)
{
	for (unsigned seed = 1; seed <= 6; ++seed)
	{
		if (!TEST_LEAVES_OUT((int)seed))
		{
			ENSURE(RunWanderers(seed) == 0);
		}
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks, ground and input

// Blocks that come and go around a body, and ground that is made and dug where it is.
static int BlocksComeAndGo(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.voxelSize = 1.0f;
	tnVoxelWorld* world;
	ENSURE_OK(tnCreateVoxelWorld(&def, &world));
	const tnBodyId id = AddBox(world, (tnVec3){3.0f, 2.0f, 2.0f}, (tnVec3){128.0f, 6.0f, 20.0f});
	ENSURE(id.index1 != 0);
	for (int round = 0; round < 3; ++round)
	{
		for (int i = 0; i < 2; ++i)
		{
			ENSURE_OK(tnVoxelWorld_LoadBlock(world, (tnVoxel){i, 0, 0}));
		}
		ENSURE(!tnVoxelWorld_IsAtRest(world));
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(120, 0, 10, 136, 2, 30), TN_VOXEL_ROCK));
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(120, 2, 10, 136, 8, 30), 1, cap, NULL));
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(world, (tnVoxel){127, 5, 20}).room, 0);
		ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(world, (tnVoxel){128, 5, 20}).room, 0);
		ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(world, (tnVoxel){128, 5, 20}).solid, 0);
		ENSURE(CheckUnits(world, true) == 0);
		// Ground below the body is the host's, and room is not there before both are gone.
		const tnVoxelBox below = VoxelBox(127, 5, 20, 129, 6, 21);
		ENSURE_OK(tnVoxelWorld_FillSolid(world, below, 100));
		ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(world, (tnVoxel){128, 5, 20}).solid, 100);
		ENSURE_OK(MoveTo(world, id, (tnVec3){128.0f, 40.0f, 20.0f}));
		ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(world, (tnVoxel){128, 5, 20}).room, cap - 100 * cap / 256);
		ENSURE_OK(MoveTo(world, id, (tnVec3){128.0f, 6.0f, 20.0f}));
		ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(world, (tnVoxel){128, 5, 20}).room, 0);
		ENSURE_OK(tnVoxelWorld_UnloadBlock(world, (tnVoxel){round % 2, 0, 0}));
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		ENSURE_OK(MoveTo(world, id, (tnVec3){128.0f, 6.5f, 20.0f}));
		ENSURE(CheckUnits(world, true) == 0);
		ENSURE_OK(tnVoxelWorld_UnloadBlock(world, (tnVoxel){1 - round % 2, 0, 0}));
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		ENSURE_OK(MoveTo(world, id, (tnVec3){128.0f, 6.0f, 20.0f}));
	}
	ENSURE_OK(tnVoxelWorld_DestroyBody(world, id));
	tnDestroyVoxelWorld(world);
	return 0;
}

// Bodies of which a side is shorter than a voxel float, if nobody asks for more.
static int ModesFollowTheSize(void)
{
	tnVoxelWorld* world = MakeTank(20, 20, 20, 9, NULL);
	ENSURE(world != NULL);
	static const struct
	{
		tnVec3 half;
		tnBodyMode asked, given;
	} rows[] = {
		{{0.5f, 0.5f, 0.5f}, tn_autoBody, tn_blockingBody},
		{{0.49f, 2.0f, 2.0f}, tn_autoBody, tn_floatingBody},
		{{3.0f, 2.0f, 2.0f}, tn_floatingBody, tn_floatingBody},
		{{0.2f, 0.2f, 0.2f}, tn_blockingBody, tn_blockingBody},
		{{900.0f, 900.0f, 900.0f}, tn_autoBody, tn_floatingBody},
	};
	for (int i = 0; i < 5; ++i)
	{
		tnShapeDef shape;
		tnBodyDef def = MakeBoxDef(&shape, rows[i].half, (tnVec3){12.0f, 9.0f, 14.0f});
		def.mode = rows[i].asked;
		tnBodyId id;
		ENSURE_OK(tnVoxelWorld_CreateBody(world, &def, &id));
		tnBodyState state;
		ENSURE_OK(tnVoxelWorld_GetBodyState(world, id, &state));
		ENSURE_EQUAL_INT(state.mode, rows[i].given);
		ENSURE_OK(tnVoxelWorld_DestroyBody(world, id));
	}
	tnShapeDef shape;
	const tnBodyDef def = MakeBoxDef(&shape, (tnVec3){900.0f, 900.0f, 900.0f}, (tnVec3){0.0f, 0.0f, 0.0f});
	tnBodyId id;
	ENSURE_REFUSED(tnVoxelWorld_CreateBody(world, &def, &id), tn_invalidArgument, "mode");
	ENSURE_EQUAL_INT(id.index1, 0);
	ENSURE(CheckUnits(world, true) == 0);
	tnDestroyVoxelWorld(world);
	return 0;
}

// A step that is refused and a move that is refused change nothing: with every limit of memory, and of chunks.
static int RefusedMovesChangeNothing(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.voxelSize = 1.0f;
	def.chunkLimit = 18;
	def.chunkReserve = 18;
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	// Nine chunks of deep water have no pages; surfaces there and in another lake have all that there may be.
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(16, 16, 16, 64, 48, 64), 0));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(16, 64, 16, 64, 80, 64), 0));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(16, 16, 16, 64, 32, 64), 1, cap, NULL));
	ENSURE(RunToRest(world, 1000) >= 0);
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(16, 32, 16, 64, 33, 64), 1, 100, NULL));
	ENSURE(RunToRest(world, 1000) >= 0);
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(16, 64, 16, 64, 65, 64), 1, 100, NULL));
	ENSURE(RunToRest(world, 1000) >= 0);
	ENSURE_EQUAL_INT(tnVoxelWorld_GetStats(world).liquidChunkCount, 18);
	const tnBodyId id = AddBox(world, (tnVec3){1.0f, 1.0f, 1.0f}, (tnVec3){40.0f, 55.0f, 40.0f});
	ENSURE(id.index1 != 0);
	int refused = 0;
	for (int i = 0; i < 40; ++i)
	{
		const uint64_t hash = tnVoxelWorld_GetHash(world);
		const tnVec3 place = {18.0f + (float)(i * 7 % 37), 20.0f + (float)(i % 23), 19.0f + (float)(i * 11 % 37)};
		const tnResult result = MoveTo(world, id, place);
		tnBodyState state;
		ENSURE_OK(tnVoxelWorld_GetBodyState(world, id, &state));
		if (result.status != tn_ok)
		{
			ENSURE_EQUAL_INT(result.status, tn_outOfMemory);
			ENSURE(strstr(result.text, "chunkLimit") != NULL);
			ENSURE(tnVoxelWorld_GetHash(world) == hash);
			ENSURE(state.pose.position.x != place.x || state.pose.position.z != place.z);
			++refused;
		}
		else
		{
			ENSURE(state.pose.position.x == place.x);
		}
		(void)tnVoxelWorld_Step(world, 0);
		ENSURE(CheckUnits(world, true) == 0);
	}
	ENSURE(refused > 5 && refused < 35);
	tnDestroyVoxelWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"LevelsRiseByWhatIsTaken", LevelsRiseByWhatIsTaken},
	{"WallsDamChannels", WallsDamChannels},
	{"PistonsPushWaterBeforeThem", PistonsPushWaterBeforeThem},
	{"LiquidWithoutRoomWaits", LiquidWithoutRoomWaits},
	{"RestCostsNothing", RestCostsNothing},
	{"RandomBodiesKeepEveryUnit", RandomBodiesKeepEveryUnit},
	{"BlocksComeAndGo", BlocksComeAndGo},
	{"ModesFollowTheSize", ModesFollowTheSize},
	{"RefusedMovesChangeNothing", RefusedMovesChangeNothing},
};
const TestSuite voxel_takenSuite = TEST_SUITE("voxel_taken", s_tests);

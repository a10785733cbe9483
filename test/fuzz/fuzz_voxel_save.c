// SPDX-License-Identifier: MIT

// Any bytes as a save of a chunk, a block or a state. The first byte says of what and if the sum is to be put right: without
// that few inputs would get further. What is refused changes nothing; what is let in keeps to the rules.

#include "fuzz_voxel_kit.h"

enum
{
	liquidCount = 3,
};

static tnVoxelWorld* MakeWorld(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.liquidCount = liquidCount;
	def.liquids[2].levels = false;
	def.chunkLimit = 256;
	def.memoryLimit = (size_t)64 << 20;
	tnVoxelWorld* world = NULL;
	REQUIRE(tnCreateVoxelWorld(&def, &world).status == tn_ok);
	REQUIRE(tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0}).status == tn_ok);
	const tnVoxelBox ground = {{0, 0, 0}, {128, 16, 128}};
	const tnVoxelBox pool = {{4, 3, 4}, {40, 16, 40}};
	const tnVoxelBox water = {{4, 3, 4}, {20, 12, 40}};
	REQUIRE(tnVoxelWorld_FillSolid(world, ground, TN_VOXEL_ROCK).status == tn_ok);
	REQUIRE(tnVoxelWorld_FillSolid(world, pool, 0).status == tn_ok);
	REQUIRE(tnVoxelWorld_AddLiquid(world, water, 1, 900, NULL).status == tn_ok);
	return world;
}

static void CheckWorld(const tnVoxelWorld* world)
{
	CheckLedgers(world);
	CheckVoxels(world, (tnVoxelBox){{0, 0, 0}, {48, 48, 48}});
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	if (size < 6)
	{
		return 0;
	}
	tnVoxelWorld* world = MakeWorld();
	uint8_t* save = malloc(size - 1);
	memcpy(save, bytes + 1, size - 1);
	size -= 1;
	if ((bytes[0] & 4) != 0)
	{
		uint32_t sum = 2166136261u;
		for (size_t i = 0; i < size - 4; ++i)
		{
			sum = (sum ^ save[i]) * 16777619u;
		}
		for (size_t i = 0; i < 4; ++i)
		{
			save[size - 4 + i] = (uint8_t)(sum >> (8 * i));
		}
	}
	const uint64_t before = tnVoxelWorld_GetHash(world);
	tnResult result;
	switch (bytes[0] & 3)
	{
		case 0:
			result = tnVoxelWorld_LoadBlockFrom(world, (tnVoxel){1, 0, 0}, save, size);
			break;
		case 1:
			result = tnVoxelWorld_LoadState(world, save, size);
			break;
		default:
			result = tnVoxelWorld_LoadChunk(world, (tnVoxel){1, bytes[0] >> 4 & 1, 1}, save, size);
			break;
	}
	REQUIRE(result.status == tn_ok || tnVoxelWorld_GetHash(world) == before);
	CheckWorld(world);
	for (int step = 0; step < 5 && result.status == tn_ok; ++step)
	{
		REQUIRE(tnVoxelWorld_Step(world, 0).status == tn_ok);
	}
	CheckWorld(world);
	// What was let in can be saved again.
	size_t saved = 0;
	REQUIRE(tnVoxelWorld_SaveChunk(world, (tnVoxel){1, 0, 1}, NULL, 0, &saved).status == tn_ok);
	free(save);
	tnDestroyVoxelWorld(world);
	return 0;
}

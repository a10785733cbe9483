// SPDX-License-Identifier: MIT

// Snapshots of voxel worlds that somebody has changed: fuzz_busy_kit.h says how. What is refused changes nothing, in place as for
// new worlds. What is let in can be stepped and saved again.

#include "core/archive.h"
#include "fuzz_busy_kit.h"

static tnVoxelWorldDef DescribeWorld(uint32_t seed)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.rules = (tnVoxelRules)(seed % tn_voxelRulesCount);
	def.liquidCount = 3;
	def.liquids[1] = def.liquids[2] = tnDefaultLiquidDef();
	def.liquids[1].density = 2000.0f;
	def.liquids[1].viscosity = 2;
	def.liquids[2].levels = false;
	def.liquids[2].evaporation = 5;
	def.chunkLimit = 256;
	def.chunkReserve = 4;
	def.memoryLimit = (size_t)64 << 20;
	return def;
}

static tnVoxelWorld* MakeWorld(uint32_t seed, int stepCount)
{
	const tnVoxelWorldDef def = DescribeWorld(seed);
	tnVoxelWorld* world = NULL;
	REQUIRE(tnCreateVoxelWorld(&def, &world).status == tn_ok);
	REQUIRE(tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0}).status == tn_ok);
	REQUIRE(tnVoxelWorld_FillSolid(world, (tnVoxelBox){{0, 0, 0}, {40, 20, 40}}, TN_VOXEL_ROCK).status == tn_ok);
	REQUIRE(tnVoxelWorld_FillSolid(world, (tnVoxelBox){{4, 3, 4}, {36, 20, 36}}, 0).status == tn_ok);
	REQUIRE(tnVoxelWorld_FillSolid(world, (tnVoxelBox){{17, 5, 4}, {19, 20, 36}}, TN_VOXEL_ROCK).status == tn_ok);
	REQUIRE(tnVoxelWorld_AddLiquid(world, (tnVoxelBox){{4, 3, 4}, {16, 15, 36}}, 1, 900, NULL).status == tn_ok);
	REQUIRE(tnVoxelWorld_AddLiquid(world, (tnVoxelBox){{20, 8, 10}, {26, 12, 16}}, 2, 800, NULL).status == tn_ok);
	REQUIRE(tnVoxelWorld_AddLiquid(world, (tnVoxelBox){{28, 8, 10}, {30, 12, 16}}, 3, 500, NULL).status == tn_ok);
	tnVoxelSourceDef source = tnDefaultVoxelSourceDef();
	source.box = (tnVoxelBox){{6, 17, 6}, {8, 18, 8}};
	source.liquid = 1;
	source.rate = 30;
	tnVoxelSourceId id;
	REQUIRE(tnVoxelWorld_CreateSource(world, &source, &id).status == tn_ok);
	tnVoxelOceanDef ocean = tnDefaultVoxelOceanDef();
	ocean.box = (tnVoxelBox){{32, 3, 32}, {36, 12, 36}};
	ocean.liquid = 1;
	ocean.level = (int64_t)6 * def.cap;
	REQUIRE(def.rules == tn_pressureRules || tnVoxelWorld_SetOcean(world, &ocean).status == tn_ok);
	tnReactionDef reaction = tnDefaultReactionDef();
	reaction.first = 1, reaction.second = 3;
	REQUIRE(tnVoxelWorld_SetReaction(world, &reaction).status == tn_ok);
	for (int i = 0; i < stepCount; ++i)
	{
		REQUIRE(tnVoxelWorld_Step(world, 0).status == tn_ok);
	}
	return world;
}

// Pieces have sums of their own inside of their section: those are mended too, where pieces can be found.
static void MendPieces(uint8_t* save, size_t size)
{
	for (size_t at = TN_SNAPSHOT_HEADER; at + TN_SECTION_HEADER <= size;)
	{
		uint64_t length = 0;
		memcpy(&length, save + at + 8, 8);
		const size_t begin = at + TN_SECTION_HEADER;
		if (length > size - begin)
		{
			return;
		}
		const bool isBlocks = memcmp(save + at, "blck", 4) == 0;
		for (size_t piece = begin + (isBlocks ? 4 : 0); piece + 8 <= begin + length;)
		{
			piece += isBlocks ? 12 : 0;
			uint64_t bytes = 0;
			if (piece + 8 > begin + length)
			{
				break;
			}
			memcpy(&bytes, save + piece, 8);
			piece += 8;
			if (bytes < 4 || bytes > begin + length - piece)
			{
				break;
			}
			uint32_t sum = 2166136261u;
			for (size_t i = 0; i < bytes - 4; ++i)
			{
				sum = (sum ^ save[piece + i]) * 16777619u;
			}
			for (size_t i = 0; i < 4; ++i)
			{
				save[piece + bytes - 4 + i] = (uint8_t)(sum >> (8 * i));
			}
			piece += (size_t)bytes;
		}
		at = begin + (size_t)length;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	tnSetAssertHandler(IgnoreAssert);
	Input input = {bytes, size};
	const uint32_t seed = Draw(&input, 1);
	const int stepCount = (int)(Draw(&input, 1) % 20);
	const bool mends = Draw(&input, 1) % 8 != 0;
	tnVoxelWorld* world = MakeWorld(seed, stepCount);
	size_t saveSize = 0;
	REQUIRE(tnVoxelWorld_Save(world, NULL, 0, &saveSize).status == tn_ok);
	uint8_t* data = malloc(saveSize);
	REQUIRE(tnVoxelWorld_Save(world, data, saveSize, &saveSize).status == tn_ok);
	saveSize = Spoil(&input, data, saveSize);
	uint8_t* save = CopyExactly(data, saveSize);
	free(data);
	if (mends)
	{
		MendPieces(save, saveSize);
		tnMendSnapshot(save, saveSize);
	}
	const uint64_t hash = tnVoxelWorld_GetHash(world);
	const tnVoxelWorldDef def = DescribeWorld(seed);
	tnVoxelWorld* other = NULL;
	const tnResult made = tnCreateVoxelWorldFrom(save, saveSize, &def, &other);
	REQUIRE((made.status == tn_ok) == (other != NULL));
	const tnResult restored = tnVoxelWorld_Restore(world, save, saveSize);
	REQUIRE(restored.status == tn_ok || (restored.text[0] != 0 && tnVoxelWorld_GetHash(world) == hash));
	REQUIRE(restored.status != tn_ok || made.status == tn_ok);
	tnVoxelWorld* worlds[2] = {world, other};
	for (int i = 0; i < 2; ++i)
	{
		for (int k = 0; k < 3 && worlds[i] != NULL; ++k)
		{
			const tnResult step = tnVoxelWorld_Step(worlds[i], 0);
			REQUIRE(step.status == tn_ok || step.status == tn_outOfMemory);
		}
		size_t again = 0;
		REQUIRE(worlds[i] == NULL || tnVoxelWorld_Save(worlds[i], NULL, 0, &again).status == tn_ok);
		tnDestroyVoxelWorld(worlds[i]);
	}
	free(save);
	return 0;
}

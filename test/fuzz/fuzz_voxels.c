// SPDX-License-Identifier: MIT

// Any bytes as calls on a world of voxels: edits, sources, oceans, steps with and without a limit, blocks that come and go.
// No unit is lost, no voxel holds more than it has room for, and a failing call changes nothing.

#include "fuzz_voxel_kit.h"

typedef struct Input
{
	const uint8_t* bytes;
	size_t size;
	size_t at;
} Input;

static int Next(Input* input)
{
	return input->at < input->size ? input->bytes[input->at++] : 0;
}

// Around the place where eight blocks meet; only four of them are ever loaded.
static tnVoxelBox NextBox(Input* input)
{
	tnVoxelBox box;
	box.low.x = Next(input) % 48 - 24;
	box.low.y = Next(input) % 48;
	box.low.z = Next(input) % 48 - 24;
	const int extent = Next(input);
	box.high.x = box.low.x + extent % 4 * 6 + 1;
	box.high.y = box.low.y + extent / 4 % 4 * 5 + 1;
	box.high.z = box.low.z + extent / 16 % 4 * 7 + 1;
	return box;
}

enum
{
	blockCount = 4,
	liquidCount = 3,
	mostCalls = 30,
};

static const tnVoxel s_places[blockCount] = {{0, 0, 0}, {-1, 0, 0}, {0, 0, -1}, {-1, 0, -1}};

typedef struct Kept
{
	uint8_t* bytes;
	size_t size;
} Kept;

// Save, unload, or load again.
static void ToggleBlock(tnVoxelWorld* world, int i, bool keeps, Kept* kept)
{
	if (!tnVoxelWorld_IsLoaded(world, s_places[i]))
	{
		const tnResult result = kept->bytes != NULL
			? tnVoxelWorld_LoadBlockFrom(world, s_places[i], kept->bytes, kept->size)
			: tnVoxelWorld_LoadBlock(world, s_places[i]);
		REQUIRE(result.status == tn_ok || result.status == tn_outOfMemory);
		return;
	}
	free(kept->bytes);
	*kept = (Kept){0};
	if (keeps && tnVoxelWorld_SaveBlock(world, s_places[i], NULL, 0, &kept->size).status == tn_ok)
	{
		kept->bytes = malloc(kept->size);
		REQUIRE(tnVoxelWorld_SaveBlock(world, s_places[i], kept->bytes, kept->size, &kept->size).status == tn_ok);
	}
	REQUIRE(tnVoxelWorld_UnloadBlock(world, s_places[i]).status == tn_ok);
}

static tnResult Call(tnVoxelWorld* world, Input* input, int action, Kept* kept)
{
	tnVoxelSourceDef source = tnDefaultVoxelSourceDef();
	tnVoxelOceanDef ocean = tnDefaultVoxelOceanDef();
	tnReactionDef reaction = tnDefaultReactionDef();
	tnVoxelSourceId id;
	switch (action)
	{
		case 0:
		{
			const tnVoxelBox box = NextBox(input);
			return tnVoxelWorld_FillSolid(world, box, Next(input));
		}
		case 1:
		case 2:
		{
			const tnVoxelBox box = NextBox(input);
			const int liquid = Next(input) % (liquidCount + 1);
			return tnVoxelWorld_AddLiquid(world, box, liquid, 16 * Next(input), NULL);
		}
		case 3:
		{
			const tnVoxelBox box = NextBox(input);
			return tnVoxelWorld_RemoveLiquid(world, box, 16 * Next(input), NULL);
		}
		case 4:
			source.box = NextBox(input);
			source.liquid = Next(input) % (liquidCount + 1);
			source.rate = 8 * Next(input) - 1000;
			return tnVoxelWorld_CreateSource(world, &source, &id);
		case 5:
			id = (tnVoxelSourceId){Next(input) % 8, (uint32_t)Next(input) % 8};
			return tnVoxelWorld_DestroySource(world, id);
		case 6:
			ocean.box = NextBox(input);
			ocean.liquid = 1 + Next(input) % liquidCount;
			ocean.level = 200 * Next(input);
			return tnVoxelWorld_SetOcean(world, &ocean);
		case 7:
			return tnVoxelWorld_RemoveOcean(world, Next(input) % 5);
		case 8:
			reaction.first = Next(input) % 5;
			reaction.second = Next(input) % 5;
			reaction.rate = Next(input);
			reaction.ground = Next(input) % 4;
			return tnVoxelWorld_SetReaction(world, &reaction);
		case 9:
		{
			const float place = 0.2f * (float)Next(input) - 25.0f;
			return tnVoxelWorld_FillSolidBall(
				world, (tnVec3){place, 0.2f * (float)Next(input), -place}, 0.02f * (float)Next(input), Next(input));
		}
		case 10:
		case 11:
		{
			const int which = Next(input);
			ToggleBlock(world, which % blockCount, which >= 64, kept + which % blockCount);
			return (tnResult){0};
		}
		case 12:
			return tnVoxelWorld_Step(world, 512 * (1 + Next(input)));
		default:
		{
			tnResult result = {0};
			for (int i = Next(input) % 4; i >= 0 && result.status == tn_ok; --i)
			{
				result = tnVoxelWorld_Step(world, 0);
			}
			return result;
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	Input input = {bytes, size, 0};
	static const int caps[4] = {1024, 255, 8, 4096};
	const int setup = Next(&input);
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.cap = caps[setup % 4];
	def.liquidCount = liquidCount;
	def.liquids[1].viscosity = 5;
	def.liquids[1].density = 3000.0f;
	def.liquids[2].levels = (setup >> 2 & 1) != 0;
	def.liquids[2].evaporation = setup >> 5;
	def.levelInterval = 1 + (setup >> 3 & 3);
	static const tnVoxelRules rules[4] = {tn_componentRules, tn_basicRules, tn_pressureRules, tn_componentRules};
	def.rules = rules[setup >> 5 & 3];
	def.cap = def.rules == tn_pressureRules && def.cap == 4096 ? 2048 : def.cap;
	def.chunkReserve = 0;
	def.chunkLimit = (setup >> 6 & 1) != 0 ? 12 : 16384;
	tnVoxelWorld* world = NULL;
	REQUIRE(tnCreateVoxelWorld(&def, &world).status == tn_ok);
	for (int i = 0; i < blockCount; ++i)
	{
		REQUIRE(tnVoxelWorld_LoadBlock(world, s_places[i]).status == tn_ok);
	}
	const tnVoxelBox ground = {{-128, 0, -128}, {128, 16, 128}};
	const tnVoxelBox pool = {{-20, 4, -20}, {20, 16, 20}};
	REQUIRE(tnVoxelWorld_FillSolid(world, ground, TN_VOXEL_ROCK).status == tn_ok);
	REQUIRE(tnVoxelWorld_FillSolid(world, pool, 0).status == tn_ok);
	Kept kept[blockCount] = {{0}};
	for (int i = 0; i < mostCalls && input.at < input.size; ++i)
	{
		const uint64_t before = tnVoxelWorld_GetHash(world);
		const tnResult result = Call(world, &input, Next(&input) % 16, kept);
		REQUIRE(result.status == tn_ok || tnVoxelWorld_GetHash(world) == before);
		CheckLedgers(world);
	}
	CheckVoxels(world, (tnVoxelBox){{-32, 0, -32}, {32, 64, 32}});
	for (int i = 0; i < blockCount; ++i)
	{
		free(kept[i].bytes);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

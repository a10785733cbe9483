// SPDX-License-Identifier: MIT

// Saves of voxel worlds: bit for bit, small, and nothing else is let in.

#include "voxel_kit.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Kit

// Bytes of a save; NULL on failure.
typedef struct Save
{
	uint8_t* bytes;
	size_t size;
} Save;

typedef enum SaveWhat
{
	chunkSave,
	blockSave,
	stateSave,
} SaveWhat;

static tnResult CallSave(tnVoxelWorld* world, SaveWhat what, tnVoxel place, void* bytes, size_t capacity, size_t* size)
{
	switch (what)
	{
		case chunkSave:
			return tnVoxelWorld_SaveChunk(world, place, bytes, capacity, size);
		case blockSave:
			return tnVoxelWorld_SaveBlock(world, place, bytes, capacity, size);
		default:
			return tnVoxelWorld_SaveState(world, bytes, capacity, size);
	}
}

static tnResult CallLoad(tnVoxelWorld* world, SaveWhat what, tnVoxel place, const void* bytes, size_t size)
{
	switch (what)
	{
		case chunkSave:
			return tnVoxelWorld_LoadChunk(world, place, bytes, size);
		case blockSave:
			return tnVoxelWorld_LoadBlockFrom(world, place, bytes, size);
		default:
			return tnVoxelWorld_LoadState(world, bytes, size);
	}
}

static Save MakeSave(tnVoxelWorld* world, SaveWhat what, tnVoxel place)
{
	Save save = {0};
	size_t size = 0;
	if (CallSave(world, what, place, NULL, 0, &size).status != tn_ok)
	{
		return save;
	}
	save.bytes = malloc(size);
	if (CallSave(world, what, place, save.bytes, size, &save.size).status != tn_ok || save.size != size)
	{
		free(save.bytes);
		return (Save){0};
	}
	return save;
}

static bool IsSame(Save a, Save b)
{
	return a.bytes != NULL && b.bytes != NULL && a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

enum
{
	maxBlocks = 8
};

// Everything there is to know about a world.
typedef struct Whole
{
	Save state;
	Save blocks[maxBlocks];
	tnVoxel places[maxBlocks];
	int blockCount;
} Whole;

static bool SaveWhole(tnVoxelWorld* world, const tnVoxel* places, int count, Whole* whole)
{
	memset(whole, 0, sizeof(*whole));
	whole->state = MakeSave(world, stateSave, (tnVoxel){0});
	bool ok = whole->state.bytes != NULL;
	for (int i = 0; i < count; ++i)
	{
		if (tnVoxelWorld_IsLoaded(world, places[i]))
		{
			whole->places[whole->blockCount] = places[i];
			whole->blocks[whole->blockCount] = MakeSave(world, blockSave, places[i]);
			ok = ok && whole->blocks[whole->blockCount++].bytes != NULL;
		}
	}
	return ok;
}

static void FreeWhole(Whole* whole)
{
	free(whole->state.bytes);
	for (int i = 0; i < whole->blockCount; ++i)
	{
		free(whole->blocks[i].bytes);
	}
}

static bool IsSameWhole(const Whole* a, const Whole* b)
{
	bool same = IsSame(a->state, b->state) && a->blockCount == b->blockCount;
	for (int i = 0; same && i < a->blockCount; ++i)
	{
		same = IsSame(a->blocks[i], b->blocks[i]);
	}
	return same;
}

static tnVoxelWorld* LoadWhole(const tnVoxelWorldDef* def, const Whole* whole)
{
	tnVoxelWorld* world = NULL;
	bool ok = tnCreateVoxelWorld(def, &world).status == tn_ok;
	for (int i = whole->blockCount - 1; ok && i >= 0; --i)
	{
		const tnResult result =
			tnVoxelWorld_LoadBlockFrom(world, whole->places[i], whole->blocks[i].bytes, whole->blocks[i].size);
		ok = result.status == tn_ok;
	}
	ok = ok && tnVoxelWorld_LoadState(world, whole->state.bytes, whole->state.size).status == tn_ok;
	if (!ok)
	{
		tnDestroyVoxelWorld(world);
		return NULL;
	}
	return world;
}

static int CheckLedgers(tnVoxelWorld* world, int liquidCount)
{
	for (int liquid = 1; liquid <= liquidCount; ++liquid)
	{
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, liquid).drift, 0);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// A busy world: rubble and liquids across the borders of four blocks, some of them at negative places

static const tnVoxel s_busyPlaces[4] = {{-1, 0, -1}, {0, 0, -1}, {-1, 0, 0}, {0, 0, 0}};

static tnVoxelWorldDef MakeBusyDef(tnVoxelRules rules)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.rules = rules;
	def.cap = 255; // no power of two
	def.liquidCount = 3;
	def.liquids[1].viscosity = 5;
	def.liquids[2].levels = false;
	def.liquids[2].viscosity = 3;
	return def;
}

static tnVoxelWorld* MakeBusy(const tnVoxelWorldDef* def)
{
	tnVoxelWorld* world = NULL;
	bool ok = tnCreateVoxelWorld(def, &world).status == tn_ok;
	for (int i = 0; ok && i < 4; ++i)
	{
		ok = tnVoxelWorld_LoadBlock(world, s_busyPlaces[i]).status == tn_ok;
	}
	ok = ok && tnVoxelWorld_FillSolid(world, VoxelBox(-128, 0, -128, 128, 128, 128), TN_VOXEL_ROCK).status == tn_ok;
	ok = ok && tnVoxelWorld_FillSolid(world, VoxelBox(-21, 5, -23, 26, 60, 19), 0).status == tn_ok;
	// A lake that has long been at rest.
	ok = ok && tnVoxelWorld_FillSolid(world, VoxelBox(-120, 1, -120, -95, 60, -95), 0).status == tn_ok;
	ok = ok && tnVoxelWorld_AddLiquid(world, VoxelBox(-120, 1, -120, -95, 41, -95), 1, 255, NULL).status == tn_ok;
	for (int i = 0; ok && i < 30; ++i)
	{
		ok = tnVoxelWorld_Step(world, 0).status == tn_ok;
	}
	unsigned random = 11;
	for (int i = 0; ok && i < 1200; ++i)
	{
		const int x = (int)(NextRandom(&random) % 46) - 21;
		const int y = (int)(NextRandom(&random) % 50) + 6;
		const int z = (int)(NextRandom(&random) % 41) - 23;
		const int solid = (int)(NextRandom(&random) % 256);
		ok = tnVoxelWorld_FillSolid(world, VoxelBox(x, y, z, x + 1, y + 1, z + 1), solid).status == tn_ok;
		ok = ok &&
			tnVoxelWorld_AddLiquid(world, VoxelBox(x, y - 1, z, x + 2, y + 1, z + 1), 1 + i % def->liquidCount,
				(int)(NextRandom(&random) % 256), NULL)
					.status == tn_ok;
	}
	tnVoxelSourceDef source = tnDefaultVoxelSourceDef();
	tnVoxelSourceId ids[3];
	for (int i = 0; ok && i < 3; ++i)
	{
		source.box = VoxelBox(-5 + i, 50, -2, -3 + i, 51, 1);
		source.rate = 40 - 30 * i;
		source.liquid = 1;
		ok = tnVoxelWorld_CreateSource(world, &source, ids + i).status == tn_ok;
	}
	ok = ok && tnVoxelWorld_DestroySource(world, ids[1]).status == tn_ok;
	const tnVoxel interest = {3, 20, -4};
	ok = ok && tnVoxelWorld_SetInterests(world, &interest, 1).status == tn_ok;
	if (!ok)
	{
		tnDestroyVoxelWorld(world);
		return NULL;
	}
	return world;
}

// A world that goes on from saves has the bits of the one that was saved.
static int GoesOnBitForBit(void)
{
	for (int variant = 0; variant < 5; ++variant)
	{
		static const tnVoxelRules rules[5] = {
			tn_componentRules, tn_basicRules, tn_componentRules, tn_componentRules, tn_componentRules};
		static const int before[5] = {17, 23, 2, 122, 31};
		static const int64_t limits[5] = {0, 0, 20000, 0, 90000};
		tnVoxelWorldDef def = MakeBusyDef(rules[variant]);
		if (variant == 4)
		{
			// Some liquids lie on others.
			def.liquids[1].density = 800.0f;
			def.liquids[0].density = 1200.0f;
		}
		tnVoxelWorld* world = MakeBusy(&def);
		ENSURE(world != NULL);
		const int64_t workLimit = limits[variant];
		for (int step = 0; step < before[variant]; ++step)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, workLimit));
		}
		Whole saved, again;
		ENSURE(SaveWhole(world, s_busyPlaces, 4, &saved));
		tnVoxelWorld* loaded = LoadWhole(&def, &saved);
		ENSURE(loaded != NULL);
		ENSURE(SaveWhole(loaded, s_busyPlaces, 4, &again));
		ENSURE(IsSameWhole(&saved, &again));
		ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(loaded), tnVoxelWorld_GetHash(world));
		for (int step = 0; step < 80 + TEST_REPEATS(120); ++step)
		{
			if (step == 50)
			{
				// Ids of sources live on, and new ones are the same.
				tnVoxelSourceDef source = tnDefaultVoxelSourceDef();
				source.box = VoxelBox(2, 40, 2, 3, 41, 3);
				tnVoxelSourceId ids[2];
				ENSURE_OK(tnVoxelWorld_CreateSource(world, &source, ids));
				ENSURE_OK(tnVoxelWorld_CreateSource(loaded, &source, ids + 1));
				ENSURE_EQUAL_INT(ids[0].index1, ids[1].index1);
				ENSURE_EQUAL_INT(ids[0].generation, ids[1].generation);
			}
			if (step == 70)
			{
				// Some liquid has to wait.
				ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(-12, 5, -9, -2, 9, 6), 200));
				ENSURE_OK(tnVoxelWorld_FillSolid(loaded, VoxelBox(-12, 5, -9, -2, 9, 6), 200));
			}
			ENSURE_OK(tnVoxelWorld_Step(world, workLimit));
			ENSURE_OK(tnVoxelWorld_Step(loaded, workLimit));
			// What differs once goes on to differ.
			if (TEST_LEAVES_OUT(step + 1))
			{
				continue;
			}
			ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(loaded), tnVoxelWorld_GetHash(world));
			for (int liquid = 1; liquid <= 3; ++liquid)
			{
				ENSURE_EQUAL_INT(
					tnVoxelWorld_GetLedger(loaded, liquid).waiting, tnVoxelWorld_GetLedger(world, liquid).waiting);
			}
		}
		FreeWhole(&saved);
		FreeWhole(&again);
		ENSURE(SaveWhole(world, s_busyPlaces, 4, &saved));
		ENSURE(SaveWhole(loaded, s_busyPlaces, 4, &again));
		ENSURE(IsSameWhole(&saved, &again));
		ENSURE_EQUAL_INT(CheckLedgers(loaded, 3), 0);
		FreeWhole(&saved);
		FreeWhole(&again);
		tnDestroyVoxelWorld(world);
		tnDestroyVoxelWorld(loaded);
	}
	return 0;
}

// The sum of a save that was changed on purpose.
static void SetSum(uint8_t* bytes, size_t size)
{
	uint32_t sum = 2166136261u;
	for (size_t i = 0; i < size - 4; ++i)
	{
		sum = (sum ^ bytes[i]) * 16777619u;
	}
	for (size_t i = 0; i < 4; ++i)
	{
		bytes[size - 4 + i] = (uint8_t)(sum >> (8 * i));
	}
}

// The first version of states had neither a cursor nor flags: four bytes after the first, all 0 in a world that has had no
// limit of work and in which something has changed.
static int OldStatesAreRead(void)
{
	for (int version = 1; version <= 2; ++version)
	{
		const tnVoxelWorldDef def = MakeBusyDef(tn_componentRules);
		tnVoxelWorld* world = MakeBusy(&def);
		ENSURE(world != NULL);
		Whole saved;
		ENSURE(SaveWhole(world, s_busyPlaces, 4, &saved));
		Save* state = &saved.state;
		for (int i = 1; i < 5; ++i)
		{
			ENSURE_EQUAL_INT(state->bytes[i], 0);
		}
		state->bytes[0] = (uint8_t)(0xd0 + version);
		if (version == 1)
		{
			memmove(state->bytes + 1, state->bytes + 5, state->size - 5);
			state->size -= 4;
		}
		SetSum(state->bytes, state->size);
		tnVoxelWorld* loaded = LoadWhole(&def, &saved);
		ENSURE(loaded != NULL);
		for (int step = 0; step < 40; ++step)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
			ENSURE_OK(tnVoxelWorld_Step(loaded, 0));
		}
		ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(loaded), tnVoxelWorld_GetHash(world));
		FreeWhole(&saved);
		tnDestroyVoxelWorld(world);
		tnDestroyVoxelWorld(loaded);
	}
	return 0;
}

static int CheckDamage(tnVoxelWorld* world, SaveWhat what, tnVoxel place, Save save, int step);

// Water below a ceiling that is half rock: what is connected does not follow from the chunk alone.
static int ConnectedWaterComesBack(void)
{
	const tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(18, 20, 18, 46, 60, 30), 0));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(22, 32, 18, 25, 60, 30), TN_VOXEL_ROCK));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(18, 20, 18, 46, 32, 30), 1, 1024, NULL));
	ENSURE(RunToRest(world, 100) >= 0);
	Save save = MakeSave(world, chunkSave, (tnVoxel){1, 1, 1});
	ENSURE(save.bytes != NULL);
	ENSURE((save.bytes[1] >> 5 & 1) != 0); // parts are in it
	ENSURE_EQUAL_INT(CheckDamage(world, chunkSave, (tnVoxel){1, 1, 1}, save, 1), 0);
	free(save.bytes);
	const tnVoxel origin = {0, 0, 0};
	Whole saved, again;
	ENSURE(SaveWhole(world, &origin, 1, &saved));
	tnVoxelWorld* loaded = LoadWhole(&def, &saved);
	ENSURE(loaded != NULL);
	ENSURE(tnVoxelWorld_IsAtRest(loaded));
	for (int step = 0; step < 100; ++step)
	{
		if (step % 20 == 0)
		{
			const tnVoxelBox box = VoxelBox(40, 50, 20, 43, 52, 22);
			ENSURE_OK(tnVoxelWorld_AddLiquid(world, box, 1, 1024, NULL));
			ENSURE_OK(tnVoxelWorld_AddLiquid(loaded, box, 1, 1024, NULL));
		}
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		ENSURE_OK(tnVoxelWorld_Step(loaded, 0));
		ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(loaded), tnVoxelWorld_GetHash(world));
	}
	FreeWhole(&saved);
	ENSURE(SaveWhole(world, &origin, 1, &saved));
	ENSURE(SaveWhole(loaded, &origin, 1, &again));
	ENSURE(IsSameWhole(&saved, &again));
	FreeWhole(&saved);
	FreeWhole(&again);
	tnDestroyVoxelWorld(world);
	tnDestroyVoxelWorld(loaded);
	return 0;
}

// Load each chunk over itself: nothing changes.
static int ChunksComeBack(void)
{
	const tnVoxelWorldDef def = MakeBusyDef(tn_componentRules);
	tnVoxelWorld* world = MakeBusy(&def);
	ENSURE(world != NULL);
	for (int step = 0; step < 21; ++step)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
	}
	Whole saved, again;
	const uint64_t hash = tnVoxelWorld_GetHash(world);
	ENSURE(SaveWhole(world, s_busyPlaces, 4, &saved));
	size_t largest = 0;
	for (int i = 0; i < 16 * 8 * 16; ++i)
	{
		const tnVoxel place = {i % 16 - 8, i / 16 % 8, i / 128 - 8};
		const Save save = MakeSave(world, chunkSave, place);
		ENSURE(save.bytes != NULL);
		largest = save.size > largest ? save.size : largest;
		ENSURE_OK(tnVoxelWorld_LoadChunk(world, place, save.bytes, save.size));
		free(save.bytes);
	}
	ENSURE(largest < TN_MAX_CHUNK_SAVE);
	ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(world), hash);
	ENSURE_EQUAL_INT(CheckLedgers(world, 3), 0);
	ENSURE(SaveWhole(world, s_busyPlaces, 4, &again));
	for (int i = 0; i < 4; ++i)
	{
		ENSURE(IsSame(saved.blocks[i], again.blocks[i]));
	}
	FreeWhole(&saved);
	FreeWhole(&again);
	tnDestroyVoxelWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Random chunks

static uint8_t s_solid[TN_CHUNK_VOXELS];

// Ground and liquid of many kinds of disorder.
static tnResult FillRandomChunk(tnVoxelWorld* world, int variant, unsigned* random)
{
	const tnVoxelBox box = VoxelBox(16, 16, 32, 32, 32, 48);
	for (int i = 0; i < TN_CHUNK_VOXELS; ++i)
	{
		const unsigned value = NextRandom(random);
		const unsigned solids[4] = {value % 256, value % 3 == 0 ? 255 : 0, (unsigned)(i / 256) * 13, 0};
		s_solid[i] = (uint8_t)solids[variant % 4];
	}
	tnResult result = tnVoxelWorld_SetSolid(world, box, s_solid);
	for (int i = 0; i < TN_CHUNK_VOXELS && result.status == tn_ok; ++i)
	{
		const int x = 16 + i % 16;
		const int y = 16 + i / 256;
		const int z = 32 + i / 16 % 16;
		const unsigned value = NextRandom(random);
		const int amounts[5] = {(int)(value % 4097), value % 2 == 0 ? 4096 : 0, 4096, 2000 + (int)(value % 7), 1};
		const int liquid = variant / 20 == 0 ? 1 : 1 + (int)(NextRandom(random) % 15);
		result = tnVoxelWorld_AddLiquid(
			world, VoxelBox(x, y, z, x + 1, y + 1, z + 1), liquid, amounts[variant / 4 % 5], NULL);
	}
	return result;
}

static int RandomChunksComeBack(void)
{
	unsigned random = 3;
	size_t largest = 0;
	for (int variant = 0; variant < 40; ++variant)
	{
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.cap = 4096;
		def.liquidCount = 15;
		tnVoxelWorld* world = MakeRock(&def);
		tnVoxelWorld* other = MakeRock(&def);
		ENSURE(world != NULL && other != NULL);
		ENSURE_OK(FillRandomChunk(world, variant, &random));
		const tnVoxel place = {1, 1, 2};
		for (int round = 0; round < 3; ++round)
		{
			const Save save = MakeSave(world, chunkSave, place);
			ENSURE(save.bytes != NULL);
			largest = save.size > largest ? save.size : largest;
			// The place in the other one is rock, and has been woken by that.
			ENSURE_OK(tnVoxelWorld_LoadChunk(other, place, save.bytes, save.size));
			static uint8_t solids[2][TN_CHUNK_VOXELS], liquids[2][TN_CHUNK_VOXELS];
			static uint16_t amounts[2][TN_CHUNK_VOXELS];
			const tnVoxelBox box = VoxelBox(16, 16, 32, 32, 32, 48);
			ENSURE_OK(tnVoxelWorld_Read(world, box, solids[0], amounts[0], liquids[0]));
			ENSURE_OK(tnVoxelWorld_Read(other, box, solids[1], amounts[1], liquids[1]));
			ENSURE(memcmp(solids[0], solids[1], sizeof(solids[0])) == 0);
			ENSURE(memcmp(amounts[0], amounts[1], sizeof(amounts[0])) == 0);
			ENSURE(memcmp(liquids[0], liquids[1], sizeof(liquids[0])) == 0);
			ENSURE_EQUAL_INT(CheckLedgers(other, 15), 0);
			free(save.bytes);
			for (int step = 0; step < 9; ++step)
			{
				ENSURE_OK(tnVoxelWorld_Step(world, 0));
				ENSURE_OK(tnVoxelWorld_Step(other, 0));
			}
			ENSURE_EQUAL_INT(CheckLedgers(world, 15), 0);
			ENSURE_EQUAL_INT(CheckLedgers(other, 15), 0);
		}
		tnDestroyVoxelWorld(world);
		tnDestroyVoxelWorld(other);
	}
	ENSURE(largest < TN_MAX_CHUNK_SAVE);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Sizes

static int SavesAreSmall(void)
{
	for (int variant = 0; variant < 4; ++variant)
	{
		static const int caps[4] = {1024, 255, 4096, 8};
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.cap = caps[variant];
		def.liquidCount = 2;
		tnVoxelWorld* world = MakeRock(&def);
		ENSURE(world != NULL);
		// Air over a lake 40 voxels deep, over even ground.
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(16, 16, 16, 112, 128, 112), 0));
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(16, 16, 16, 112, 55, 112), 1, caps[variant], NULL));
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(16, 55, 16, 112, 56, 112), 1, caps[variant] / 2 - 1, NULL));
		ENSURE(RunToRest(world, 200) >= 0);
		static const struct
		{
			tnVoxel place;
			size_t size;
		} chunks[5] = {{{0, 0, 0}, 9}, {{3, 6, 3}, 9}, {{3, 1, 3}, 9}, {{3, 2, 3}, 9}, {{3, 3, 3}, 13}};
		for (int i = 0; i < 5; ++i)
		{
			size_t size = 0;
			ENSURE_OK(tnVoxelWorld_SaveChunk(world, chunks[i].place, NULL, 0, &size));
			// A cap that is no power of two takes two bytes more.
			ENSURE_EQUAL_INT(size, chunks[i].size + (caps[variant] == 255 ? 2 : 0));
			ENSURE(size < 16);
		}
		tnVoxelState state = tnVoxelWorld_GetVoxel(world, (tnVoxel){50, 20, 50});
		ENSURE(state.settled);
		size_t blockSize = 0;
		ENSURE_OK(tnVoxelWorld_SaveBlock(world, (tnVoxel){0, 0, 0}, NULL, 0, &blockSize));
		ENSURE(blockSize < 1500);
		// A save that is read back is settled as well.
		const Save save = MakeSave(world, blockSave, (tnVoxel){0, 0, 0});
		ENSURE_OK(tnVoxelWorld_UnloadBlock(world, (tnVoxel){0, 0, 0}));
		ENSURE_OK(tnVoxelWorld_LoadBlockFrom(world, (tnVoxel){0, 0, 0}, save.bytes, save.size));
		ENSURE(tnVoxelWorld_IsAtRest(world));
		free(save.bytes);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Coming and going

static int CyclesLoseNothing(void)
{
	const tnVoxelWorldDef def = MakeBusyDef(tn_componentRules);
	tnVoxelWorld* world = MakeBusy(&def);
	ENSURE(world != NULL);
	unsigned random = 77;
	Save kept[4] = {{0}};
	int64_t volumes[4] = {0};
	for (int cycle = 0; cycle < TEST_REPEATS(1000); ++cycle)
	{
		const int i = (int)(NextRandom(&random) % 4);
		if (kept[i].bytes == NULL)
		{
			kept[i] = MakeSave(world, blockSave, s_busyPlaces[i]);
			ENSURE(kept[i].bytes != NULL);
			const int64_t before = tnVoxelWorld_GetLedger(world, 1).unloaded;
			ENSURE_OK(tnVoxelWorld_UnloadBlock(world, s_busyPlaces[i]));
			volumes[i] = tnVoxelWorld_GetLedger(world, 1).unloaded - before;
		}
		else
		{
			const int64_t before = tnVoxelWorld_GetLedger(world, 1).loaded;
			ENSURE_OK(tnVoxelWorld_LoadBlockFrom(world, s_busyPlaces[i], kept[i].bytes, kept[i].size));
			ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).loaded - before, volumes[i]);
			free(kept[i].bytes);
			kept[i] = (Save){0};
		}
		if (cycle % 10 == 0 && kept[3].bytes == NULL)
		{
			const int y = 6 + (int)(NextRandom(&random) % 40);
			ENSURE_OK(
				tnVoxelWorld_FillSolid(world, VoxelBox(3, y, 2, 12, y + 2, 9), (int)(NextRandom(&random) % 2) * 230));
		}
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		ENSURE_EQUAL_INT(CheckLedgers(world, 3), 0);
	}
	for (int i = 0; i < 4; ++i)
	{
		free(kept[i].bytes);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is no save

// Is the world as it was?
static int CheckUntouched(tnVoxelWorld* world, const Whole* before)
{
	Whole after;
	ENSURE(SaveWhole(world, s_busyPlaces, 4, &after));
	const bool same = IsSameWhole(before, &after);
	FreeWhole(&after);
	ENSURE(same);
	return 0;
}

// Every length, and every byte changed.
static int CheckDamage(tnVoxelWorld* world, SaveWhat what, tnVoxel place, Save save, int step)
{
	const uint64_t hash = tnVoxelWorld_GetHash(world);
	uint8_t* copy = malloc(save.size + 1);
	// Every fifth, if a quarter is enough: a step that is no power of two meets bytes of all kinds.
	step *= TEST_BREVITY > 1 ? 5 : 1;
	for (size_t size = 0; size < save.size; size += (size_t)step)
	{
		// At the end of its memory, for the address sanitizer.
		uint8_t* tight = malloc(size > 0 ? size : 1);
		memcpy(tight, save.bytes, size);
		const tnResult result = CallLoad(world, what, place, tight, size);
		free(tight);
		ENSURE_REFUSED(result, tn_invalidArgument, "save");
		ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(world), hash);
	}
	memcpy(copy, save.bytes, save.size);
	copy[save.size] = 0;
	ENSURE_REFUSED(CallLoad(world, what, place, copy, save.size + 1), tn_invalidArgument, "save");
	for (size_t i = 0; i < save.size; i += (size_t)step)
	{
		static const uint8_t flips[3] = {0x01, 0x80, 0xff};
		for (int j = 0; j < 3; ++j)
		{
			copy[i] = (uint8_t)(save.bytes[i] ^ flips[j]);
			ENSURE_REFUSED(CallLoad(world, what, place, copy, save.size), tn_invalidArgument, "save");
		}
		copy[i] = save.bytes[i];
	}
	ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(world), hash);
	free(copy);
	return 0;
}

static int DamageIsRefused(void)
{
	const tnVoxelWorldDef def = MakeBusyDef(tn_componentRules);
	tnVoxelWorld* world = MakeBusy(&def);
	ENSURE(world != NULL);
	for (int step = 0; step < 9; ++step)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
	}
	Whole before;
	ENSURE(SaveWhole(world, s_busyPlaces, 4, &before));
	const tnVoxel chunks[3] = {{0, 1, 0}, {-8, 0, -8}, {-6, 1, -6}};
	for (int i = 0; i < 3; ++i)
	{
		const Save save = MakeSave(world, chunkSave, chunks[i]);
		ENSURE_EQUAL_INT(CheckDamage(world, chunkSave, chunks[i], save, 1), 0);
		free(save.bytes);
	}
	ENSURE_EQUAL_INT(CheckDamage(world, stateSave, (tnVoxel){0}, before.state, 7), 0);
	ENSURE_EQUAL_INT(CheckDamage(world, blockSave, (tnVoxel){5, 0, 5}, before.blocks[3], 631), 0);
	ENSURE(!tnVoxelWorld_IsLoaded(world, (tnVoxel){5, 0, 5}));
	ENSURE_EQUAL_INT(CheckUntouched(world, &before), 0);
	FreeWhole(&before);
	tnDestroyVoxelWorld(world);
	return 0;
}

// Random changes with the right sum: what is let in keeps to the rules.
static int ForgeriesDoNoHarm(void)
{
	const tnVoxelWorldDef def = MakeBusyDef(tn_componentRules);
	tnVoxelWorld* world = MakeBusy(&def);
	ENSURE(world != NULL);
	unsigned random = 9;
	int refused = 0;
	for (int round = 0; round < TEST_REPEATS(600); ++round)
	{
		const tnVoxel place = {
			(int)(NextRandom(&random) % 3) - 2, (int)(NextRandom(&random) % 3), (int)(NextRandom(&random) % 3) - 2};
		const Save save = MakeSave(world, chunkSave, place);
		ENSURE(save.bytes != NULL);
		for (int i = 0; i < 3; ++i)
		{
			const size_t limit = i == 0 && save.size > 20 ? 20 : save.size;
			save.bytes[1 + NextRandom(&random) % (limit - 5)] = (uint8_t)NextRandom(&random);
		}
		SetSum(save.bytes, save.size);
		const uint64_t hash = tnVoxelWorld_GetHash(world);
		if (tnVoxelWorld_LoadChunk(world, place, save.bytes, save.size).status != tn_ok)
		{
			refused += 1;
			ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(world), hash);
		}
		free(save.bytes);
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		ENSURE_EQUAL_INT(CheckLedgers(world, 3), 0);
	}
	ENSURE(refused > TEST_REPEATS(100) && refused < TEST_REPEATS(600));
	tnDestroyVoxelWorld(world);
	return 0;
}

// Refused with a text that says why.
static int WrongSavesAreNamed(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.liquidCount = 2;
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	const tnVoxel place = {1, 1, 1};
	const tnVoxel origin = {0, 0, 0};
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(16, 16, 16, 32, 32, 32), 0));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(16, 16, 16, 32, 20, 32), 2, 300, NULL));
	const Save chunk = MakeSave(world, chunkSave, place);
	const Save block = MakeSave(world, blockSave, origin);
	const Save state = MakeSave(world, stateSave, origin);
	ENSURE(chunk.bytes != NULL && block.bytes != NULL && state.bytes != NULL);

	// Another cap, fewer liquids, other rules.
	def.cap = 512;
	tnVoxelWorld* other = MakeRock(&def);
	ENSURE_REFUSED(tnVoxelWorld_LoadChunk(other, place, chunk.bytes, chunk.size), tn_invalidArgument,
		"save.cap must be 512 as in the world, got 1024");
	ENSURE_REFUSED(tnVoxelWorld_LoadState(other, state.bytes, state.size), tn_invalidArgument, "cap must be 512");
	ENSURE_REFUSED(tnVoxelWorld_LoadBlockFrom(other, (tnVoxel){1, 0, 0}, block.bytes, block.size), tn_invalidArgument,
		"save.cap must be 512");
	tnDestroyVoxelWorld(other);
	def.cap = 1024;
	def.liquidCount = 1;
	other = MakeRock(&def);
	ENSURE_REFUSED(tnVoxelWorld_LoadChunk(other, place, chunk.bytes, chunk.size), tn_invalidArgument,
		"save.liquid must be in [0, 1], got 2");
	ENSURE_REFUSED(tnVoxelWorld_LoadState(other, state.bytes, state.size), tn_invalidArgument, "liquidCount");
	tnDestroyVoxelWorld(other);
	def.liquidCount = 2;
	def.liquids[1].density = 3.0f;
	other = MakeRock(&def);
	ENSURE_REFUSED(tnVoxelWorld_LoadState(other, state.bytes, state.size), tn_invalidArgument, "density");
	tnDestroyVoxelWorld(other);

	// Other blocks and voxels.
	ENSURE_REFUSED(
		tnVoxelWorld_LoadBlockFrom(world, origin, block.bytes, block.size), tn_invalidArgument, "loaded already");
	ENSURE_REFUSED(tnVoxelWorld_LoadBlockFrom(world, (tnVoxel){1 << 20, 0, 0}, block.bytes, block.size),
		tn_invalidArgument, "block.x");
	ENSURE_OK(tnVoxelWorld_LoadBlock(world, (tnVoxel){3, 0, 0}));
	ENSURE_REFUSED(tnVoxelWorld_LoadState(world, state.bytes, state.size), tn_invalidArgument, "1 loaded blocks");
	ENSURE_OK(tnVoxelWorld_UnloadBlock(world, (tnVoxel){3, 0, 0}));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(16, 16, 16, 17, 17, 17), 2, 1, NULL));
	ENSURE_REFUSED(tnVoxelWorld_LoadState(world, state.bytes, state.size), tn_invalidArgument, "other voxels");

	// The wrong kind, version, place and arguments.
	ENSURE_REFUSED(tnVoxelWorld_LoadChunk(world, place, block.bytes, block.size), tn_invalidArgument, "a chunk");
	ENSURE_REFUSED(tnVoxelWorld_LoadState(world, chunk.bytes, chunk.size), tn_invalidArgument, "a state");
	chunk.bytes[0] += 1;
	ENSURE_REFUSED(
		tnVoxelWorld_LoadChunk(world, place, chunk.bytes, chunk.size), tn_invalidArgument, "version must be 1, got 2");
	chunk.bytes[0] -= 1;
	state.bytes[0] += 1;
	ENSURE_REFUSED(
		tnVoxelWorld_LoadState(world, state.bytes, state.size), tn_invalidArgument, "version must be in [1, 3], got 4");
	state.bytes[0] -= 1;
	ENSURE_REFUSED(tnVoxelWorld_LoadChunk(world, (tnVoxel){8, 0, 0}, chunk.bytes, chunk.size), tn_invalidArgument,
		"chunk (8, 0, 0)");
	ENSURE_REFUSED(tnVoxelWorld_LoadChunk(world, place, NULL, 9), tn_invalidArgument, "bytes");
	ENSURE_REFUSED(tnVoxelWorld_LoadChunk(NULL, place, chunk.bytes, chunk.size), tn_invalidArgument, "world");
	ENSURE_REFUSED(tnVoxelWorld_LoadBlockFrom(NULL, place, chunk.bytes, chunk.size), tn_invalidArgument, "world");
	ENSURE_REFUSED(tnVoxelWorld_LoadState(NULL, chunk.bytes, chunk.size), tn_invalidArgument, "world");
	size_t size = 0;
	uint8_t few[8];
	ENSURE_REFUSED(tnVoxelWorld_SaveChunk(NULL, place, few, 8, &size), tn_invalidArgument, "world");
	ENSURE_REFUSED(tnVoxelWorld_SaveChunk(world, place, few, 8, NULL), tn_invalidArgument, "size");
	ENSURE_REFUSED(tnVoxelWorld_SaveChunk(world, place, NULL, 8, &size), tn_invalidArgument, "bytes");
	ENSURE_REFUSED(
		tnVoxelWorld_SaveChunk(world, place, few, 8, &size), tn_invalidArgument, "capacity must be at least");
	ENSURE(size > 8);
	ENSURE_REFUSED(tnVoxelWorld_SaveChunk(world, (tnVoxel){-1, 0, 0}, few, 8, &size), tn_invalidArgument, "chunk (-1");
	ENSURE_REFUSED(tnVoxelWorld_SaveBlock(world, (tnVoxel){-1, 0, 0}, few, 8, &size), tn_invalidArgument, "block (-1");
	ENSURE_REFUSED(tnVoxelWorld_SaveState(world, few, 8, &size), tn_invalidArgument, "capacity");
	ENSURE_EQUAL_INT(CheckLedgers(world, 2), 0);
	free(chunk.bytes);
	free(block.bytes);
	free(state.bytes);
	tnDestroyVoxelWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"SavesAreSmall", SavesAreSmall},
	{"RandomChunksComeBack", RandomChunksComeBack},
	{"ChunksComeBack", ChunksComeBack},
	{"ConnectedWaterComesBack", ConnectedWaterComesBack},
	{"GoesOnBitForBit", GoesOnBitForBit},
	{"OldStatesAreRead", OldStatesAreRead},
	{"CyclesLoseNothing", CyclesLoseNothing},
	{"DamageIsRefused", DamageIsRefused},
	{"ForgeriesDoNoHarm", ForgeriesDoNoHarm},
	{"WrongSavesAreNamed", WrongSavesAreNamed},
};
const TestSuite voxel_saveSuite = TEST_SUITE("voxel_save", s_tests);

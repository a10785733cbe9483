// SPDX-License-Identifier: MIT

// What voxels do depends on voxels and calls, never on memory: how much was reserved, what is free, who asked for it before,
// and whether the world comes from a save. Random worlds, random calls, and twins that must have the same hash after each.

#include "voxel_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	maxBlocks = 4,
	maxSources = 4,
	maxTwins = 4,
	// Everything happens in this range of voxels, from -reach on, over the corner of the blocks.
	reach = 24,
	height = 56,
};

static const tnVoxel s_places[maxBlocks] = {{-1, 0, -1}, {0, 0, -1}, {-1, 0, 0}, {0, 0, 0}};

typedef enum Verb
{
	digVerb,
	ballVerb,
	addVerb,
	removeVerb,
	sourceVerb,
	oceanVerb,
	dryVerb,
	reactionVerb,
	interestVerb,
	loadVerb,
	unloadVerb,
	stepVerb,
	verbCount,
} Verb;

// A call, with all that it needs.
typedef struct Call
{
	Verb verb;
	tnVoxelBox box;
	int liquid, other, amount, value;
	int64_t workLimit;
} Call;

// A world, and what a host keeps of it.
typedef struct Twin
{
	tnVoxelWorldDef def;
	tnVoxelWorld* world;
	tnVoxelSourceId sources[maxSources];
	tnBodyId body;
} Twin;

static int Draw(unsigned* random, int low, int high)
{
	return low + (int)(NextRandom(random) % (unsigned)(high - low + 1));
}

static tnVoxelBox DrawBox(unsigned* random, int most)
{
	tnVoxelBox box;
	box.low = (tnVoxel){Draw(random, -reach, reach - 1), Draw(random, 0, height - 1), Draw(random, -reach, reach - 1)};
	box.high = (tnVoxel){
		box.low.x + Draw(random, 1, most), box.low.y + Draw(random, 1, most), box.low.z + Draw(random, 1, most)};
	return box;
}

static tnVoxelWorldDef DrawDef(unsigned* random)
{
	static const int caps[5] = {8, 64, 255, 1024, 1000};
	static const int limits[8] = {1, 3, 9, 30, 100, 16384, 16384, 16384};
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	const int rules = Draw(random, 0, 9);
	def.rules = rules == 0 ? tn_basicRules : (rules == 1 ? tn_pressureRules : tn_componentRules);
	def.cap = caps[Draw(random, 0, 4)];
	def.liquidCount = Draw(random, 1, 4);
	def.levelInterval = Draw(random, 0, 2) == 0 ? Draw(random, 1, 9) : 8;
	def.chunkLimit = limits[Draw(random, 0, 7)];
	def.chunkReserve = 0;
	for (int i = 0; i < def.liquidCount; ++i)
	{
		def.liquids[i].viscosity = Draw(random, 0, 3) == 0 ? Draw(random, 2, 9) : 1;
		def.liquids[i].density = (float)Draw(random, 5, 30) * 100.0f;
		def.liquids[i].levels = Draw(random, 0, 3) != 0;
		def.liquids[i].evaporation = Draw(random, 0, 5) == 0 ? Draw(random, 3, 60) : 0;
	}
	return def;
}

static Call DrawCall(unsigned* random, const tnVoxelWorldDef* def)
{
	// Steps most often.
	static const uint8_t weights[verbCount] = {6, 2, 8, 2, 3, 1, 1, 2, 1, 1, 1, 72};
	int number = Draw(random, 0, 99);
	Call call = {0};
	while (call.verb < stepVerb && number >= weights[call.verb])
	{
		number -= weights[call.verb];
		call.verb = (Verb)(call.verb + 1);
	}
	static const int solids[8] = {0, 0, 0, 255, 255, 30, 128, 254};
	call.box = DrawBox(random, Draw(random, 0, 3) == 0 ? 40 : 9);
	call.liquid = Draw(random, 1, def->liquidCount);
	call.other = Draw(random, 1, def->liquidCount);
	call.amount = Draw(random, 0, 3) == 0 ? Draw(random, 1, def->cap) : def->cap;
	call.value = call.verb == digVerb || call.verb == ballVerb ? solids[Draw(random, 0, 7)] : Draw(random, 0, 3);
	call.workLimit = Draw(random, 0, 4) == 0 ? Draw(random, 1, 200000) : 0;
	return call;
}

// What it says, and how many units it moved.
static tnResult Play(Twin* twin, const Call* call, int64_t* units)
{
	tnVoxelWorld* world = twin->world;
	*units = 0;
	switch (call->verb)
	{
		case digVerb:
			return tnVoxelWorld_FillSolid(world, call->box, call->value);
		case ballVerb:
		{
			const float size = twin->def.voxelSize;
			const tnVec3 center = {
				size * (float)call->box.low.x, size * (float)call->box.low.y, size * (float)call->box.low.z};
			return tnVoxelWorld_FillSolidBall(world, center, size * 4.3f, call->value);
		}
		case addVerb:
			return tnVoxelWorld_AddLiquid(world, call->box, call->liquid, call->amount, units);
		case removeVerb:
			return tnVoxelWorld_RemoveLiquid(world, call->box, call->amount, units);
		case sourceVerb:
		{
			tnVoxelSourceId* id = twin->sources + call->value;
			if (id->index1 != 0)
			{
				const tnVoxelSourceId old = *id;
				*id = (tnVoxelSourceId){0};
				return tnVoxelWorld_DestroySource(world, old);
			}
			tnVoxelSourceDef def = tnDefaultVoxelSourceDef();
			def.box = call->box;
			def.liquid = call->liquid;
			def.rate = call->other == 1 ? -call->amount : call->amount / 3 + 1;
			return tnVoxelWorld_CreateSource(world, &def, id);
		}
		case oceanVerb:
		{
			tnVoxelOceanDef def = tnDefaultVoxelOceanDef();
			def.box = call->box;
			def.liquid = call->liquid;
			def.level = (int64_t)(call->box.low.y + call->value) * twin->def.cap + call->amount;
			return tnVoxelWorld_SetOcean(world, &def);
		}
		case dryVerb:
			return tnVoxelWorld_RemoveOcean(world, call->liquid);
		case reactionVerb:
		{
			tnReactionDef def = tnDefaultReactionDef();
			def.first = call->liquid;
			def.second = call->other;
			def.rate = call->amount;
			def.ground = call->value % 3;
			return tnVoxelWorld_SetReaction(world, &def);
		}
		case interestVerb:
			return tnVoxelWorld_SetInterests(world, &call->box.low, 1);
		case loadVerb:
			return tnVoxelWorld_LoadBlock(world, s_places[call->value]);
		case unloadVerb:
			return tnVoxelWorld_UnloadBlock(world, s_places[call->value]);
		default:
			return tnVoxelWorld_Step(world, call->workLimit);
	}
}

// Rock with a hall in it, or air over a floor, in all blocks but perhaps one.
static bool Begin(Twin* twin, unsigned random)
{
	if (tnCreateVoxelWorld(&twin->def, &twin->world).status != tn_ok)
	{
		return false;
	}
	const bool isRock = Draw(&random, 0, 1) == 0;
	const int missing = Draw(&random, 0, 7);
	bool ok = true;
	for (int i = 0; i < maxBlocks; ++i)
	{
		const tnVoxel low = {128 * s_places[i].x, 0, 128 * s_places[i].z};
		const tnVoxelBox box = {low, {low.x + 128, isRock ? 128 : 2, low.z + 128}};
		if (i != missing)
		{
			ok = ok && tnVoxelWorld_LoadBlock(twin->world, s_places[i]).status == tn_ok;
			ok = ok && tnVoxelWorld_FillSolid(twin->world, box, TN_VOXEL_ROCK).status == tn_ok;
		}
	}
	return ok;
}

static int CheckUnits(const Twin* twin)
{
	for (int liquid = 1; liquid <= twin->def.liquidCount; ++liquid)
	{
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(twin->world, liquid).drift, 0);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Saves

static void* GetBytes(tnVoxelWorld* world, int what, tnVoxel place, size_t* size)
{
	void* bytes = NULL;
	for (int round = 0; round < 2; ++round)
	{
		const size_t capacity = round == 0 ? 0 : *size;
		bytes = round == 0 ? NULL : malloc(capacity);
		const tnResult result = what == 0 ? tnVoxelWorld_SaveState(world, bytes, capacity, size)
			: what == 1                   ? tnVoxelWorld_SaveBlock(world, place, bytes, capacity, size)
										  : tnVoxelWorld_SaveChunk(world, place, bytes, capacity, size);
		if (result.status != tn_ok)
		{
			free(bytes);
			return NULL;
		}
	}
	return bytes;
}

// Put a block of one world into another: in one piece, or chunk by chunk in any order.
static int CopyBlock(tnVoxelWorld* from, tnVoxelWorld* to, tnVoxel place, unsigned* random)
{
	size_t size;
	if (Draw(random, 0, 1) == 0)
	{
		void* bytes = GetBytes(from, 1, place, &size);
		ENSURE(bytes != NULL);
		ENSURE_OK(tnVoxelWorld_LoadBlockFrom(to, place, bytes, size));
		free(bytes);
		return 0;
	}
	ENSURE_OK(tnVoxelWorld_LoadBlock(to, place));
	const int first = Draw(random, 0, 511);
	const int step = 2 * Draw(random, 0, 255) + 1; // 512 is even: each has its turn
	for (int i = 0; i < 512; ++i)
	{
		const int number = (first + i * step) % 512;
		const tnVoxel chunk = {8 * place.x + number % 8, 8 * place.y + number / 8 % 8, 8 * place.z + number / 64};
		void* bytes = GetBytes(from, 2, chunk, &size);
		ENSURE(bytes != NULL);
		ENSURE_OK(tnVoxelWorld_LoadChunk(to, chunk, bytes, size));
		free(bytes);
	}
	return 0;
}

// In the place of a twin one that is made from its saves, with other memory and other workers.
static int Reload(Twin* twin, unsigned* random)
{
	static const int workers[4] = {1, 2, 3, 7};
	twin->def.tasks.workerCount = workers[Draw(random, 0, 3)];
	twin->def.chunkReserve = Draw(random, 0, twin->def.chunkLimit < 300 ? twin->def.chunkLimit : 300);
	tnVoxelWorld* world = NULL;
	ENSURE_OK(tnCreateVoxelWorld(&twin->def, &world));
	const int first = Draw(random, 0, maxBlocks - 1);
	for (int i = 0; i < maxBlocks; ++i)
	{
		const tnVoxel place = s_places[(first + i) % maxBlocks];
		if (tnVoxelWorld_IsLoaded(twin->world, place))
		{
			ENSURE_EQUAL_INT(CopyBlock(twin->world, world, place, random), 0);
		}
	}
	size_t size;
	void* bytes = GetBytes(twin->world, 0, (tnVoxel){0}, &size);
	ENSURE(bytes != NULL);
	ENSURE_OK(tnVoxelWorld_LoadState(world, bytes, size));
	size_t again;
	void* same = GetBytes(world, 0, (tnVoxel){0}, &again);
	ENSURE(same != NULL && again == size && memcmp(same, bytes, size) == 0);
	free(same);
	free(bytes);
	tnDestroyVoxelWorld(twin->world);
	twin->world = world;
	return 0;
}

// Something that takes memory and changes nothing.
static void Disturb(Twin* twin, unsigned* random)
{
	size_t size;
	free(GetBytes(twin->world, Draw(random, 0, 1), s_places[Draw(random, 0, 3)], &size));
	const tnVoxel far = {90, Draw(random, 70, 120), 90};
	if (tnVoxelWorld_GetVoxel(twin->world, far).loaded)
	{
		tnVoxelSample sample;
		(void)tnVoxelWorld_Sample(twin->world, (tnVec3){0.7f, (float)Draw(random, 0, 40), 0.7f}, &sample);
	}
}

// The host's own: saves do not have it, and voxels do not feel one in floating mode.
static bool AddBody(Twin* twin)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){2.0f, 1.1f, 1.7f};
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = &shape;
	def.shapeCount = 1;
	def.mass = 6000.0f;
	def.mode = tn_floatingBody;
	def.pose.position = (tnVec3){0.4f, 9.0f, -0.3f};
	return tnVoxelWorld_CreateBody(twin->world, &def, &twin->body).status == tn_ok;
}

static int RunTwins(unsigned seed, int callCount)
{
	static const int workers[maxTwins] = {1, 2, 3, 7};
	static const int reserves[maxTwins] = {0, 300, 17, 1};
	unsigned random = seed * 2654435761u + 17u;
	const tnVoxelWorldDef def = DrawDef(&random);
	Twin twins[maxTwins];
	memset(twins, 0, sizeof(twins));
	const unsigned beginning = NextRandom(&random);
	for (int i = 0; i < maxTwins; ++i)
	{
		twins[i].def = def;
		twins[i].def.tasks.workerCount = workers[i];
		twins[i].def.chunkReserve = reserves[i] < def.chunkLimit ? reserves[i] : def.chunkLimit;
		ENSURE(Begin(twins + i, beginning));
	}
	ENSURE(AddBody(twins) && AddBody(twins + 1));
	for (int number = 0; number < callCount; ++number)
	{
		const Call call = DrawCall(&random, &def);
		// The second is disturbed, and the last two come from saves now and then.
		if (Draw(&random, 0, 4) == 0)
		{
			Disturb(twins + 1, &random);
		}
		if (Draw(&random, 0, 39) == 0)
		{
			ENSURE_EQUAL_INT(Reload(twins + 2 + Draw(&random, 0, 1), &random), 0);
		}
		tnStatus status = tn_ok;
		int64_t units = 0;
		uint64_t hash = 0;
		for (int i = 0; i < maxTwins; ++i)
		{
			int64_t moved;
			const tnResult result = Play(twins + i, &call, &moved);
			const uint64_t now = tnVoxelWorld_GetHash(twins[i].world);
			status = i == 0 ? result.status : status;
			units = i == 0 ? moved : units;
			hash = i == 0 ? now : hash;
			if (result.status != status || moved != units || now != hash)
			{
				printf("seed %u, call %d (verb %d), twin %d\n", seed, number, (int)call.verb, i);
			}
			ENSURE_EQUAL_INT(result.status, status);
			ENSURE_EQUAL_INT(moved, units);
			ENSURE_EQUAL_HEX(now, hash);
		}
		tnWrench wrenches[2];
		for (int i = 0; i < 2; ++i)
		{
			ENSURE_OK(tnVoxelWorld_GetBodyWrench(twins[i].world, twins[i].body, wrenches + i));
		}
		ENSURE(memcmp(wrenches, wrenches + 1, sizeof(tnWrench)) == 0);
		ENSURE_EQUAL_INT(CheckUnits(twins), 0);
		for (int liquid = 1; liquid <= def.liquidCount; ++liquid)
		{
			const int64_t waiting = tnVoxelWorld_GetLedger(twins[0].world, liquid).waiting;
			ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(twins[3].world, liquid).waiting, waiting);
		}
		ENSURE(tnVoxelWorld_GetStats(twins[0].world).liquidChunkCount <= def.chunkLimit);
	}
	for (int i = 0; i < maxTwins; ++i)
	{
		tnDestroyVoxelWorld(twins[i].world);
	}
	return 0;
}

static int MemoryMakesNoDifference(void)
{
	for (unsigned seed = 1; seed <= 8; ++seed)
	{
		ENSURE_EQUAL_INT(RunTwins(seed, 80 + TEST_REPEATS(80)), 0);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory that is not to be had

// An allocator that fails now and then.
typedef struct Moody
{
	tnAllocator plain;
	unsigned random;
	bool isOn;
	int refusals;
} Moody;

static void* AllocMoodily(size_t size, size_t alignment, void* context)
{
	Moody* moody = context;
	if (moody->isOn && NextRandom(&moody->random) % 3 == 0)
	{
		moody->refusals += 1;
		return NULL;
	}
	return moody->plain.allocFcn(size, alignment, moody->plain.context);
}

static void FreeMoodily(void* memory, size_t size, void* context)
{
	const Moody* moody = context;
	moody->plain.freeFcn(memory, size, moody->plain.context);
}

// Currents are those of a world with plenty, or there is no answer.
static int CompareCurrents(const Twin* plenty, const Twin* little, unsigned* random, int* sampledCount)
{
	for (int i = 0; i < 4; ++i)
	{
		tnVoxelSample samples[2] = {0};
		const tnVoxel at = DrawBox(random, 1).low;
		const tnVec3 point = {(float)at.x + 0.5f, (float)at.y + 0.5f, (float)at.z + 0.5f};
		const tnResult result = tnVoxelWorld_Sample(little->world, point, samples);
		ENSURE_OK(tnVoxelWorld_Sample(plenty->world, point, samples + 1));
		if (result.status != tn_ok)
		{
			ENSURE_REFUSED(result, tn_outOfMemory, "currents");
			continue;
		}
		const tnVec3 v = samples[0].velocity, w = samples[1].velocity;
		ENSURE(v.x == w.x && v.y == w.y && v.z == w.z);
		*sampledCount += v.x != 0.0f || v.y != 0.0f || v.z != 0.0f ? 1 : 0;
	}
	return 0;
}

// A call that is refused for want of memory changes nothing, and all others do what they do where there is plenty.
static int RunShort(unsigned seed, int callCount, int* refusedCount, int* sampledCount)
{
	unsigned random = seed * 2246822519u + 3u;
	TestAllocator counter = {0};
	Moody moody = {.plain = TestGetAllocator(&counter), .random = seed};
	Twin plenty = {.def = DrawDef(&random)};
	Twin little = {.def = plenty.def};
	little.def.allocator = (tnAllocator){AllocMoodily, FreeMoodily, &moody};
	const bool hasLimit = Draw(&random, 0, 1) == 0;
	const unsigned beginning = NextRandom(&random);
	ENSURE(Begin(&plenty, beginning) && Begin(&little, beginning));
	if (hasLimit)
	{
		// As much as it has now, and a little more. What is not loaded yet is loaded now.
		tnDestroyVoxelWorld(little.world);
		little.def.memoryLimit = tnVoxelWorld_GetStats(plenty.world).byteCount + (size_t)Draw(&random, 0, 3000) * 1024;
		ENSURE(Begin(&little, beginning));
	}
	moody.isOn = !hasLimit;
	for (int number = 0; number < callCount; ++number)
	{
		const Call call = DrawCall(&random, &plenty.def);
		const uint64_t before = tnVoxelWorld_GetHash(plenty.world);
		int64_t moved, units;
		const tnVoxelSourceId old = little.sources[call.value % maxSources];
		const tnResult result = Play(&little, &call, &moved);
		if (result.status == tn_outOfMemory)
		{
			little.sources[call.value % maxSources] = old;
			*refusedCount += 1;
			ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(little.world), before);
			ENSURE_EQUAL_INT(moved, 0);
		}
		else
		{
			ENSURE_EQUAL_INT(Play(&plenty, &call, &units).status, result.status);
			ENSURE_EQUAL_INT(moved, units);
			ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(little.world), tnVoxelWorld_GetHash(plenty.world));
			ENSURE_EQUAL_INT(CompareCurrents(&plenty, &little, &random, sampledCount), 0);
		}
		ENSURE_EQUAL_INT(CheckUnits(&little), 0);
	}
	tnDestroyVoxelWorld(plenty.world);
	tnDestroyVoxelWorld(little.world);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	ENSURE_EQUAL_INT(counter.badFreeCount, 0);
	return 0;
}

static int RefusedCallsChangeNothing(void)
{
	int refusedCount = 0, sampledCount = 0;
	for (unsigned seed = 1; seed <= 10; ++seed)
	{
		ENSURE_EQUAL_INT(RunShort(seed, 80 + TEST_REPEATS(160), &refusedCount, &sampledCount), 0);
	}
	ENSURE(refusedCount > 100 && sampledCount > 50);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Reactions

// Ground is left where nobody has dug before, and as much of it as anywhere else.
static int ReactionsLeaveGround(void)
{
	int64_t grounds[2] = {0};
	int64_t reacted[2] = {0};
	for (int edited = 0; edited < 2; ++edited)
	{
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.liquidCount = 2;
		def.liquids[1].density = 3000.0f;
		tnVoxelWorld* world = NULL;
		ENSURE_OK(tnCreateVoxelWorld(&def, &world));
		ENSURE_OK(tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0}));
		if (edited == 1)
		{
			ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(100, 100, 100, 101, 101, 101), 128));
			ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(100, 100, 100, 101, 101, 101), 0));
		}
		tnReactionDef reaction = tnDefaultReactionDef();
		reaction.first = 1;
		reaction.second = 2;
		reaction.ground = 2;
		ENSURE_OK(tnVoxelWorld_SetReaction(world, &reaction));
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(20, 0, 20, 28, 4, 28), 1, 1024, NULL));
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(28, 0, 20, 36, 4, 28), 2, 1024, NULL));
		for (int step = 0; step < 300; ++step)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		static uint8_t solid[128 * 32 * 128];
		ENSURE_OK(tnVoxelWorld_Read(world, VoxelBox(0, 0, 0, 128, 32, 128), solid, NULL, NULL));
		for (size_t i = 0; i < sizeof(solid); ++i)
		{
			grounds[edited] += solid[i];
		}
		reacted[edited] = -tnVoxelWorld_GetLedger(world, 1).reactions;
		tnDestroyVoxelWorld(world);
	}
	// A pair of units leaves two of ground, of which a voxel of 1024 has 256 steps; less than a step is steam.
	ENSURE(reacted[0] > 10000);
	ENSURE(grounds[0] * 4 <= 2 * reacted[0] && grounds[0] * 4 * 5 > 2 * reacted[0] * 4);
	ENSURE_EQUAL_INT(grounds[1], grounds[0]);
	ENSURE_EQUAL_INT(reacted[1], reacted[0]);
	return 0;
}

// Liquid that fills a chunk to its top rises onto dry ground at the bottom of the next one, which has no memory for liquid
// yet: a U-bend with a higher arm elsewhere, and a hole that is an open surface of the same part.
static int RisesOntoDryGround(void)
{
	for (int variant = 0; variant < 8; ++variant)
	{
		const int y = 16 * (1 + variant % 3);
		const int solid = variant == 0 ? 0 : 31 * variant;
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.chunkLimit = variant == 7 ? 3 : def.chunkLimit; // too few to rise
		def.chunkReserve = 0;
		tnVoxelWorld* world = MakeRock(&def);
		ENSURE(world != NULL);
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(20, y - 15, 20, 41, y - 14, 21), 0));
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(20, y - 15, 20, 21, y + 40, 21), 0));
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(20, y, 20, 21, y + 1, 21), solid));
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(24, y - 15, 20, 25, y - 1, 21), 0));
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(40, y - 15, 20, 41, y + 40, 21), 0));
		const int high = variant == 7 ? y : y + 24;
		const tnVoxelBox boxes[4] = {VoxelBox(20, y - 15, 20, 41, y - 14, 21), VoxelBox(20, y - 15, 20, 21, y, 21),
			VoxelBox(24, y - 15, 20, 25, y - 10, 21), VoxelBox(40, y - 15, 20, 41, high, 21)};
		for (int i = 0; i < 4; ++i)
		{
			ENSURE_OK(tnVoxelWorld_AddLiquid(world, boxes[i], 1, 1024, NULL));
		}
		for (int step = 0; step < 300; ++step)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
			ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
		}
		const tnVoxelState state = tnVoxelWorld_GetVoxel(world, (tnVoxel){20, y, 20});
		ENSURE(variant == 7 || state.amount == state.room);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Reserves and rest

// Counts portions of 64 chunks.
static void* AllocPortions(size_t size, size_t alignment, void* context)
{
	Moody* moody = context;
	const size_t portion = (size_t)64 * 10 * 1024;
	moody->refusals += moody->isOn && size == portion ? 1 : 0;
	return moody->plain.allocFcn(size, alignment, moody->plain.context);
}

static void ReadAround(const tnVoxelWorld* world, uint16_t* amounts)
{
	(void)tnVoxelWorld_Read(world, VoxelBox(-reach, 0, -reach, reach, height, reach), NULL, amounts, NULL);
}

// With all chunks in reserve no step makes any, and a world that says it rests does not change, whatever was done to it.
static int RunAtRest(unsigned seed, int callCount, int* restedCount)
{
	static uint16_t amounts[2][4 * reach * reach * height];
	unsigned random = seed * 2654435761u + 5u;
	TestAllocator counter = {0};
	Moody moody = {.plain = TestGetAllocator(&counter)};
	Twin twin = {.def = DrawDef(&random)};
	twin.def.chunkLimit = twin.def.chunkLimit > 100 ? 100 : twin.def.chunkLimit;
	twin.def.chunkReserve = twin.def.chunkLimit;
	twin.def.allocator = (tnAllocator){AllocPortions, FreeMoodily, &moody};
	ENSURE(Begin(&twin, NextRandom(&random)));
	for (int number = 0; number < callCount; ++number)
	{
		Call call = DrawCall(&random, &twin.def);
		int64_t units;
		if (call.verb != stepVerb)
		{
			// Few changes, and few sources, or it would never rest.
			const bool isLeftOut = Draw(&random, 0, 3) != 0 || (call.verb == sourceVerb && Draw(&random, 0, 7) != 0);
			call.verb = isLeftOut ? stepVerb : call.verb;
		}
		const bool rests = tnVoxelWorld_IsAtRest(twin.world);
		moody.isOn = call.verb == stepVerb;
		ReadAround(twin.world, amounts[0]);
		const tnResult result = Play(&twin, &call, &units);
		ENSURE(call.verb != stepVerb || result.status == tn_ok);
		ENSURE_EQUAL_INT(moody.refusals, 0);
		if (call.verb == stepVerb && rests)
		{
			ReadAround(twin.world, amounts[1]);
			ENSURE(memcmp(amounts[0], amounts[1], sizeof(amounts[0])) == 0);
			*restedCount += 1;
		}
	}
	tnDestroyVoxelWorld(twin.world);
	return 0;
}

static int WhatRestsStaysAsItIs(void)
{
	int restedCount = 0;
	for (unsigned seed = 1; seed <= 12; ++seed)
	{
		ENSURE_EQUAL_INT(RunAtRest(seed, 100 + TEST_REPEATS(200), &restedCount), 0);
	}
	printf("%d steps at rest\n", restedCount);
	ENSURE(restedCount > 20);
	return 0;
}

// An ocean that has not filled its box, one that was removed before it did, water that dries up: each with all rules.
static int RestComesInTheEnd(void)
{
	for (int rules = 0; rules < tn_voxelRulesCount; ++rules)
	{
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.rules = (tnVoxelRules)rules;
		def.liquidCount = 2;
		def.liquids[1].evaporation = 7;
		tnVoxelWorld* world = MakeRock(&def);
		ENSURE(world != NULL);
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(10, 10, 10, 20, 20, 20), 0));
		ENSURE(RunToRest(world, 1000) >= 0);
		tnVoxelOceanDef ocean = tnDefaultVoxelOceanDef();
		ocean.box = VoxelBox(10, 10, 10, 12, 14, 12);
		ocean.level = 12 * def.cap;
		ENSURE_OK(tnVoxelWorld_SetOcean(world, &ocean));
		ENSURE(!tnVoxelWorld_IsAtRest(world));
		ENSURE_OK(tnVoxelWorld_RemoveOcean(world, 1));
		ENSURE(RunToRest(world, 1000) >= 0);
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).volume, 0);
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(13, 10, 13, 15, 11, 15), 2, 30, NULL));
		ENSURE(RunToRest(world, 5000) > 0);
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 2).volume, 0);
		// Under rock nothing evaporates, unless pressure makes room there.
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(10, 10, 10, 20, 20, 20), 2, def.cap, NULL));
		ENSURE((RunToRest(world, 1000) >= 0) == (def.rules != tn_pressureRules));
		ENSURE(tnVoxelWorld_GetLedger(world, 2).volume > 0);
		ENSURE_OK(tnVoxelWorld_RemoveLiquid(world, VoxelBox(10, 10, 10, 20, 20, 20), TN_MAX_VOXEL_CAP, NULL));
		ENSURE_OK(tnVoxelWorld_SetOcean(world, &ocean));
		// Pressure goes to and fro for long.
		ENSURE(RunToRest(world, 5000) > 0 || def.rules == tn_pressureRules);
		ENSURE(tnVoxelWorld_GetLedger(world, 1).volume > 0);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

// A step of a world at rest asks for no memory, also if an ocean has nothing to fill, and evaporation looks for something.
static int OceansAtRestNeedNothing(void)
{
	for (int y = 14; y < 20; ++y)
	{
		TestAllocator allocator = {0};
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.chunkReserve = 0;
		def.levelInterval = 1;
		def.liquids[0].evaporation = 1;
		def.allocator = TestGetAllocator(&allocator);
		tnVoxelWorld* world = NULL;
		ENSURE_OK(tnCreateVoxelWorld(&def, &world));
		ENSURE_OK(tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0}));
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(0, 0, 0, 128, 16, 128), TN_VOXEL_ROCK));
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(0, 0, 2, 1, 1, 3), 0));
		tnVoxelOceanDef ocean = tnDefaultVoxelOceanDef();
		ocean.box = VoxelBox(0, y, 0, 1, y + 1, 1);
		// Of the air above the rock it wants nothing.
		ocean.level = 16 * (int64_t)def.cap;
		ENSURE_OK(tnVoxelWorld_SetOcean(world, &ocean));
		ENSURE(RunToRest(world, 100) >= 0);
		const int count = allocator.allocationCount;
		for (int step = 0; step < 8; ++step)
		{
			ENSURE(tnVoxelWorld_IsAtRest(world));
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		ENSURE_EQUAL_INT(allocator.allocationCount, count);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"RisesOntoDryGround", RisesOntoDryGround},
	{"MemoryMakesNoDifference", MemoryMakesNoDifference},
	{"RefusedCallsChangeNothing", RefusedCallsChangeNothing},
	{"ReactionsLeaveGround", ReactionsLeaveGround},
	{"WhatRestsStaysAsItIs", WhatRestsStaysAsItIs},
	{"RestComesInTheEnd", RestComesInTheEnd},
	{"OceansAtRestNeedNothing", OceansAtRestNeedNothing},
};
const TestSuite voxel_memorySuite = TEST_SUITE("voxel_memory", s_tests);

// SPDX-License-Identifier: MIT

// Everything a host of a voxel world can get wrong, and every lack of memory. Each mistake gets a status, a text that names
// the field and the value, and a call of the error hook, and leaves the world as it was.

#include "voxel_kit.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct Hook
{
	int count;
	tnResult last;
	tnVoxelWorld* world; // to call from within, if it is not NULL
	int calls;
} Hook;

static void HearError(const tnResult* result, void* context)
{
	Hook* hook = context;
	hook->count += 1;
	hook->last = *result;
	if (hook->world != NULL)
	{
		tnVoxelWorld* world = hook->world;
		hook->world = NULL;
		(void)tnVoxelWorld_AddLiquid(world, VoxelBox(20, 40, 20, 21, 41, 21), 1, 5, NULL);
		(void)tnVoxelWorld_Step(world, 0);
		(void)tnVoxelWorld_GetHash(world);
		hook->calls += 1;
	}
}

typedef struct Bench
{
	tnVoxelWorld* world;
	Hook hook;
	uint64_t hash;
} Bench;

static bool OpenBench(Bench* bench)
{
	memset(bench, 0, sizeof(*bench));
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.liquidCount = 3;
	def.errors = (tnErrorHook){HearError, &bench->hook};
	bench->world = MakeRock(&def);
	bool ok = bench->world != NULL;
	ok = ok && tnVoxelWorld_FillSolid(bench->world, VoxelBox(3, 2, 5, 44, 50, 39), 0).status == tn_ok;
	ok = ok && tnVoxelWorld_AddLiquid(bench->world, VoxelBox(5, 30, 7, 25, 40, 19), 1, 700, NULL).status == tn_ok;
	ok = ok && tnVoxelWorld_AddLiquid(bench->world, VoxelBox(30, 30, 20, 35, 33, 30), 2, 700, NULL).status == tn_ok;
	for (int i = 0; ok && i < 5; ++i)
	{
		ok = tnVoxelWorld_Step(bench->world, 0).status == tn_ok;
	}
	bench->hash = tnVoxelWorld_GetHash(bench->world);
	return ok && bench->hook.count == 0;
}

static int CheckRefused(Bench* bench, tnResult result, tnStatus status, const char* field, const char* value)
{
	ENSURE_REFUSED(result, status, field);
	ENSURE_TEXT(result.text, value);
	ENSURE_EQUAL_INT(bench->hook.count, 1);
	ENSURE_EQUAL_INT(bench->hook.last.status, status);
	ENSURE_TEXT(bench->hook.last.text, result.text);
	ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(bench->world), bench->hash);
	bench->hook = (Hook){0};
	return 0;
}

#define REFUSE(call, status, field, value)                                          \
	do                                                                              \
	{                                                                               \
		if (CheckRefused(&bench, (call), (status), (field), (value)) != 0)          \
		{                                                                           \
			TestCheck(__FILE__, __LINE__, #call " is refused as it should", false); \
			return 1;                                                               \
		}                                                                           \
	} while (0)

#define INVALID(call, field, value) REFUSE(call, tn_invalidArgument, field, value)

// ---------------------------------------------------------------------------------------------------------------------
// Defs

static tnResult TryDef(const tnVoxelWorldDef* def)
{
	static int something;
	tnVoxelWorld* world = (tnVoxelWorld*)(void*)&something;
	tnResult result = tnCreateVoxelWorld(def, &world);
	if (result.status != tn_ok && world != NULL)
	{
		return (tnResult){.status = tn_ok, .text = "a world came with an error"};
	}
	tnDestroyVoxelWorld(world);
	return result;
}

#define INVALID_FIELD(field, badValue, name, valueText)   \
	do                                                    \
	{                                                     \
		Hook hook = {0};                                  \
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();   \
		def.liquidCount = 2;                              \
		def.errors = (tnErrorHook){HearError, &hook};     \
		def.field = badValue;                             \
		const tnResult result = TryDef(&def);             \
		ENSURE_REFUSED(result, tn_invalidArgument, name); \
		ENSURE_TEXT(result.text, valueText);              \
		ENSURE_EQUAL_INT(hook.count, 1);                  \
		ENSURE_TEXT(hook.last.text, result.text);         \
	} while (0)

static void* AllocNothing(size_t size, size_t alignment, void* context)
{
	(void)size;
	(void)alignment;
	(void)context;
	return NULL;
}

static int BadDefs(void)
{
	INVALID_FIELD(cap, 7, "cap", "got 7");
	INVALID_FIELD(cap, 4097, "cap", "got 4097");
	INVALID_FIELD(cap, INT_MIN, "cap", "got -2147483648");
	INVALID_FIELD(rules, tn_voxelRulesCount, "rules", "got 3");
	INVALID_FIELD(rules, (tnVoxelRules)-1, "rules", "got -1");
	const float floats[5] = {0.0f, -1.0f, NAN, INFINITY, -INFINITY};
	static const char* const texts[5] = {"got 0", "got -1", "nan", "inf", "got -inf"};
	for (int i = 0; i < 5; ++i)
	{
		INVALID_FIELD(voxelSize, floats[i], "voxelSize", texts[i]);
		INVALID_FIELD(stepRate, floats[i], "stepRate", texts[i]);
		INVALID_FIELD(gravity, floats[i], "gravity", texts[i]);
		INVALID_FIELD(liquids[1].density, floats[i], "density", texts[i]);
	}
	INVALID_FIELD(liquidCount, 0, "liquidCount", "got 0");
	INVALID_FIELD(liquidCount, 16, "liquidCount", "got 16");
	INVALID_FIELD(liquids[0].stamp, 0, "liquids[0].stamp", "0x0");
	INVALID_FIELD(liquids[1].viscosity, 0, "viscosity", "got 0");
	INVALID_FIELD(liquids[1].viscosity, 1001, "viscosity", "got 1001");
	INVALID_FIELD(liquids[1].evaporation, -1, "evaporation", "got -1");
	INVALID_FIELD(liquids[1].evaporation, 1000001, "evaporation", "got 1000001");
	INVALID_FIELD(levelInterval, 0, "levelInterval", "got 0");
	INVALID_FIELD(levelInterval, 65, "levelInterval", "got 65");
	INVALID_FIELD(chunkLimit, 0, "chunkLimit", "got 0");
	INVALID_FIELD(chunkLimit, INT_MAX, "chunkLimit", "got 2147483647");
	INVALID_FIELD(chunkReserve, -1, "chunkReserve", "got -1");
	INVALID_FIELD(chunkReserve, 16385, "chunkReserve", "got 16385");
	INVALID_FIELD(allocator.allocFcn, AllocNothing, "alloc", "alloc");
	INVALID_FIELD(tasks.workerCount, 0, "workerCount", "got 0");
	INVALID_FIELD(tasks.workerCount, TN_MAX_WORKERS + 1, "workerCount", "got 65");
	INVALID_FIELD(simd, (tnSimd)99, "simd", "got 99");

	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	// Nothing of a def without a stamp is believed, and no hook in it called.
	def.stamp = 7;
	def.errors.fcn = (void (*)(const tnResult*, void*))1;
	ENSURE_REFUSED(TryDef(&def), tn_invalidArgument, "stamp is wrong: start from tnDefaultVoxelWorldDef(), got 0x7");
	ENSURE_REFUSED(TryDef(NULL), tn_invalidArgument, "def");
	def = tnDefaultVoxelWorldDef();
	ENSURE_REFUSED(tnCreateVoxelWorld(&def, NULL), tn_invalidArgument, "world");
	// Liquids past the count are nobody's business.
	def.liquids[1].viscosity = -1;
	def.liquids[14].stamp = 0;
	ENSURE_OK(TryDef(&def));
	def.memoryLimit = 1;
	ENSURE_REFUSED(TryDef(&def), tn_outOfMemory, "are needed at least, memoryLimit is 1 bytes");
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Worlds that are not there

static int NoWorld(void)
{
	const tnVoxelBox box = VoxelBox(0, 0, 0, 1, 1, 1);
	const tnVoxel origin = {0, 0, 0};
	const uint8_t solid = 0;
	const tnVoxelSourceDef source = tnDefaultVoxelSourceDef();
	const tnVoxelOceanDef ocean = tnDefaultVoxelOceanDef();
	const tnReactionDef reaction = tnDefaultReactionDef();
	tnVoxelSourceId id;
	int64_t count = 5;
	tnVoxel place;
	tnDestroyVoxelWorld(NULL);
#define REFUSE_NULL(call) ENSURE_REFUSED(call, tn_invalidArgument, "world")
	REFUSE_NULL(tnVoxelWorld_LoadBlock(NULL, origin));
	REFUSE_NULL(tnVoxelWorld_UnloadBlock(NULL, origin));
	REFUSE_NULL(tnVoxelWorld_SetSolid(NULL, box, &solid));
	REFUSE_NULL(tnVoxelWorld_FillSolid(NULL, box, 0));
	REFUSE_NULL(tnVoxelWorld_FillSolidBall(NULL, (tnVec3){0}, 1.0f, 0));
	REFUSE_NULL(tnVoxelWorld_AddLiquid(NULL, box, 1, 1, &count));
	ENSURE_EQUAL_INT(count, 0);
	count = 5;
	REFUSE_NULL(tnVoxelWorld_RemoveLiquid(NULL, box, 1, &count));
	ENSURE_EQUAL_INT(count, 0);
	REFUSE_NULL(tnVoxelWorld_CreateSource(NULL, &source, &id));
	REFUSE_NULL(tnVoxelWorld_DestroySource(NULL, (tnVoxelSourceId){1, 1}));
	REFUSE_NULL(tnVoxelWorld_SetOcean(NULL, &ocean));
	REFUSE_NULL(tnVoxelWorld_RemoveOcean(NULL, 1));
	REFUSE_NULL(tnVoxelWorld_SetReaction(NULL, &reaction));
	REFUSE_NULL(tnVoxelWorld_Step(NULL, 0));
	REFUSE_NULL(tnVoxelWorld_SetInterests(NULL, &origin, 1));
	REFUSE_NULL(tnVoxelWorld_Read(NULL, box, NULL, NULL, NULL));
#undef REFUSE_NULL
	ENSURE(!tnVoxelWorld_IsLoaded(NULL, origin));
	ENSURE(tnVoxelWorld_IsAtRest(NULL));
	ENSURE(!tnVoxelWorld_GetVoxel(NULL, origin).loaded);
	ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(NULL, 1).volume, 0);
	ENSURE_EQUAL_INT(tnVoxelWorld_GetStats(NULL).blockCount, 0);
	ENSURE_EQUAL_INT(tnVoxelWorld_GetHash(NULL), 0);
	ENSURE_EQUAL_INT(tnVoxelWorld_TakeChanged(NULL, &place, 1), 0);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Places

// Each box with each call that takes one.
static int RefuseBox(Bench* open, tnVoxelBox box, const char* field, const char* value)
{
	Bench bench = *open;
	static const uint8_t solid[1] = {0};
	tnVoxelSourceDef source = tnDefaultVoxelSourceDef();
	tnVoxelOceanDef ocean = tnDefaultVoxelOceanDef();
	tnVoxelSourceId id;
	int64_t count = 5;
	source.box = ocean.box = box;
	tnResult results[6];
	int calls = 0;
	results[calls++] = tnVoxelWorld_SetSolid(bench.world, box, solid);
	results[calls++] = tnVoxelWorld_FillSolid(bench.world, box, 0);
	results[calls++] = tnVoxelWorld_AddLiquid(bench.world, box, 1, 1, &count);
	ENSURE_EQUAL_INT(count, 0);
	results[calls++] = tnVoxelWorld_RemoveLiquid(bench.world, box, 1, &count);
	results[calls++] = tnVoxelWorld_CreateSource(bench.world, &source, &id);
	ENSURE_EQUAL_INT(id.index1, 0);
	results[calls++] = tnVoxelWorld_SetOcean(bench.world, &ocean);
	for (int i = 0; i < calls; ++i)
	{
		ENSURE_REFUSED(results[i], tn_invalidArgument, field);
		ENSURE_TEXT(results[i].text, value);
	}
	ENSURE_EQUAL_INT(open->hook.count, calls);
	open->hook = (Hook){0};
	ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(bench.world), bench.hash);
	return 0;
}

static int BadPlaces(void)
{
	static Bench bench;
	ENSURE(OpenBench(&bench));
	tnVoxelWorld* world = bench.world;
	const int big = TN_MAX_VOXEL;
	ENSURE(RefuseBox(&bench, VoxelBox(4, 4, 4, 4, 5, 5), "box.x", "[4, 4)") == 0);
	ENSURE(RefuseBox(&bench, VoxelBox(4, 9, 4, 5, 8, 5), "box.y", "[9, 8)") == 0);
	ENSURE(RefuseBox(&bench, VoxelBox(4, 4, INT_MIN, 5, 5, INT_MAX), "box.z", "[-2147483648, 2147483647)") == 0);
	ENSURE(RefuseBox(&bench, VoxelBox(INT_MAX, 4, 4, INT_MIN, 5, 5), "box.x", "[2147483647, -2147483648)") == 0);
	ENSURE(RefuseBox(&bench, VoxelBox(-big, -big, -big, big, big, big), "box", "not loaded") == 0);
	ENSURE(RefuseBox(&bench, VoxelBox(-1, 4, 4, 5, 5, 5), "box", "(-1, 0, 0) is not loaded") == 0);
	ENSURE(RefuseBox(&bench, VoxelBox(0, 0, 0, 128, 129, 128), "box", "(0, 1, 0) is not loaded") == 0);
	ENSURE(RefuseBox(&bench, VoxelBox(0, 0, 0, 1, 1, big + 1), "box.z", "1048577)") == 0);
	ENSURE(RefuseBox(&bench, VoxelBox(-big - 1, 0, 0, 1, 1, 1), "box.x", "[-1048577") == 0);

	INVALID(tnVoxelWorld_LoadBlock(world, (tnVoxel){8192, 0, 0}), "block.x", "got 8192");
	INVALID(tnVoxelWorld_LoadBlock(world, (tnVoxel){0, -8193, 0}), "block.y", "got -8193");
	INVALID(tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, INT_MIN}), "block.z", "got -2147483648");
	INVALID(tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0}), "block (0, 0, 0)", "loaded already");
	INVALID(tnVoxelWorld_UnloadBlock(world, (tnVoxel){INT_MAX, 0, 0}), "block (2147483647, 0, 0)", "not loaded");
	ENSURE(!tnVoxelWorld_IsLoaded(world, (tnVoxel){INT_MIN, INT_MAX, 0}));

	// Reading is allowed everywhere: rock where nothing is.
	const tnVoxel far[4] = {{INT_MAX, 0, 0}, {0, INT_MIN, 0}, {-1, 0, 0}, {0, 128, 0}};
	for (int i = 0; i < 4; ++i)
	{
		const tnVoxelState state = tnVoxelWorld_GetVoxel(world, far[i]);
		ENSURE(!state.loaded && state.settled && state.solid == TN_VOXEL_ROCK && state.room == 0);
		uint8_t solid = 0;
		const tnVoxelBox box = {far[i], {far[i].x == INT_MAX ? INT_MAX : far[i].x + 1, far[i].y + 1, far[i].z + 1}};
		const bool isEmpty = far[i].x == INT_MAX;
		ENSURE_OK(tnVoxelWorld_Read(world, box, &solid, NULL, NULL));
		ENSURE_EQUAL_INT(solid, isEmpty ? 0 : TN_VOXEL_ROCK);
	}
	INVALID(tnVoxelWorld_Read(world, VoxelBox(5, 5, 5, 4, 6, 6), NULL, NULL, NULL), "box", "5");
	// Nothing to read, however much of it there is.
	ENSURE_OK(tnVoxelWorld_Read(world, VoxelBox(-big, -big, -big, big, big, big), NULL, NULL, NULL));

	// The last blocks there are.
	const tnVoxel ends[2] = {{-8192, -8192, -8192}, {8191, 8191, 8191}};
	for (int i = 0; i < 2; ++i)
	{
		ENSURE_OK(tnVoxelWorld_LoadBlock(world, ends[i]));
		const tnVoxel low = {128 * ends[i].x, 128 * ends[i].y, 128 * ends[i].z};
		const tnVoxelBox all = {low, {low.x + 128, low.y + 128, low.z + 128}};
		const tnVoxelBox top = {{low.x, low.y + 126, low.z}, {low.x + 128, low.y + 128, low.z + 128}};
		int64_t added = 0;
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, top, 1, 1024, &added));
		ENSURE_EQUAL_INT(added, 2 * 128 * 128 * 1024);
		for (int step = 0; step < 4; ++step)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		ENSURE_OK(tnVoxelWorld_RemoveLiquid(world, all, 4096, &added));
		ENSURE_EQUAL_INT(added + tnVoxelWorld_GetLedger(world, 1).waiting >= 2 * 128 * 128 * 1024, 1);
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
		ENSURE_OK(tnVoxelWorld_UnloadBlock(world, ends[i]));
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Values

static int BadValues(void)
{
	static Bench bench;
	ENSURE(OpenBench(&bench));
	tnVoxelWorld* world = bench.world;
	const tnVoxelBox box = VoxelBox(4, 4, 6, 5, 5, 7);
	INVALID(tnVoxelWorld_SetSolid(world, box, NULL), "solid", "NULL");
	INVALID(tnVoxelWorld_FillSolid(world, box, -1), "solid", "got -1");
	INVALID(tnVoxelWorld_FillSolid(world, box, 256), "solid", "got 256");
	INVALID(tnVoxelWorld_AddLiquid(world, box, 0, 1, NULL), "liquid", "got 0");
	INVALID(tnVoxelWorld_AddLiquid(world, box, 4, 1, NULL), "liquid must be in [1, 3]", "got 4");
	INVALID(tnVoxelWorld_AddLiquid(world, box, INT_MIN, 1, NULL), "liquid", "got -2147483648");
	INVALID(tnVoxelWorld_AddLiquid(world, box, 1, -1, NULL), "amount", "got -1");
	INVALID(tnVoxelWorld_AddLiquid(world, box, 1, 4097, NULL), "amount", "got 4097");
	INVALID(tnVoxelWorld_RemoveLiquid(world, box, -1, NULL), "amount", "got -1");
	INVALID(tnVoxelWorld_RemoveLiquid(world, box, INT_MIN, NULL), "amount", "got -2147483648");

	const tnVec3 middle = {20.0f, 20.0f, 20.0f};
	INVALID(tnVoxelWorld_FillSolidBall(world, middle, 1.0f, 256), "solid", "got 256");
	INVALID(tnVoxelWorld_FillSolidBall(world, middle, -1.0f, 0), "radius", "got -1.3");
	INVALID(tnVoxelWorld_FillSolidBall(world, middle, NAN, 0), "radius", "nan");
	INVALID(tnVoxelWorld_FillSolidBall(world, middle, INFINITY, 0), "radius", "inf");
	INVALID(tnVoxelWorld_FillSolidBall(world, (tnVec3){NAN, 1.0f, 1.0f}, 1.0f, 0), "center.x", "nan");
	INVALID(tnVoxelWorld_FillSolidBall(world, (tnVec3){1.0f, -INFINITY, 1.0f}, 1.0f, 0), "center.y", "-inf");
	INVALID(tnVoxelWorld_FillSolidBall(world, (tnVec3){1.0f, 1.0f, 3.0e38f}, 1.0f, 0), "center.z", "inf");
	INVALID(tnVoxelWorld_FillSolidBall(world, (tnVec3){0.1f, 10.0f, 10.0f}, 1.0f, 0), "box", "not loaded");
	INVALID(tnVoxelWorld_FillSolidBall(world, (tnVec3){-786432.0f, 1.0f, 1.0f}, 2.0f, 0), "box.x", "-10485");

	tnVoxelSourceDef source = tnDefaultVoxelSourceDef();
	tnVoxelSourceId id = {9, 9};
	source.box = box;
	INVALID(tnVoxelWorld_CreateSource(world, NULL, &id), "def", "NULL");
	INVALID(tnVoxelWorld_CreateSource(world, &source, NULL), "id", "NULL");
	source.rate = 4097;
	INVALID(tnVoxelWorld_CreateSource(world, &source, &id), "rate", "got 4097");
	ENSURE_EQUAL_INT(id.index1, 0);
	source.rate = INT_MIN;
	INVALID(tnVoxelWorld_CreateSource(world, &source, &id), "rate", "got -2147483648");
	source.rate = 5;
	source.liquid = 0;
	INVALID(tnVoxelWorld_CreateSource(world, &source, &id), "liquid", "got 0");
	source.liquid = 4;
	INVALID(tnVoxelWorld_CreateSource(world, &source, &id), "liquid", "got 4");
	source.rate = -5;
	source.liquid = -1;
	INVALID(tnVoxelWorld_CreateSource(world, &source, &id), "liquid", "got -1");
	source.stamp = 0;
	INVALID(tnVoxelWorld_CreateSource(world, &source, &id), "stamp", "tnDefaultVoxelSourceDef");
	REFUSE(tnVoxelWorld_DestroySource(world, (tnVoxelSourceId){0, 0}), tn_staleId, "source", "0");
	REFUSE(tnVoxelWorld_DestroySource(world, (tnVoxelSourceId){1, 1}), tn_staleId, "source", "1");
	REFUSE(tnVoxelWorld_DestroySource(world, (tnVoxelSourceId){INT_MAX, 1}), tn_staleId, "source", "2147483647");
	REFUSE(tnVoxelWorld_DestroySource(world, (tnVoxelSourceId){INT_MIN, 1}), tn_staleId, "source", "-2147483648");
	source = tnDefaultVoxelSourceDef();
	source.box = box;
	ENSURE_OK(tnVoxelWorld_CreateSource(world, &source, &id));
	ENSURE_OK(tnVoxelWorld_DestroySource(world, id));
	REFUSE(tnVoxelWorld_DestroySource(world, id), tn_staleId, "source", "1");
	tnVoxelSourceId next;
	ENSURE_OK(tnVoxelWorld_CreateSource(world, &source, &next));
	ENSURE_EQUAL_INT(next.index1, id.index1);
	REFUSE(tnVoxelWorld_DestroySource(world, id), tn_staleId, "source", "1");
	ENSURE_OK(tnVoxelWorld_DestroySource(world, next));

	tnVoxelOceanDef ocean = tnDefaultVoxelOceanDef();
	ocean.box = box;
	INVALID(tnVoxelWorld_SetOcean(world, NULL), "def", "NULL");
	ocean.level = INT64_MAX;
	INVALID(tnVoxelWorld_SetOcean(world, &ocean), "level", "got 9223372036854775807");
	ocean.level = INT64_MIN;
	INVALID(tnVoxelWorld_SetOcean(world, &ocean), "level", "got -9223372036854775808");
	ocean.level = 0;
	ocean.liquid = 4;
	INVALID(tnVoxelWorld_SetOcean(world, &ocean), "liquid", "got 4");
	ocean.stamp = 1;
	INVALID(tnVoxelWorld_SetOcean(world, &ocean), "stamp", "0x1");
	INVALID(tnVoxelWorld_RemoveOcean(world, 1), "liquid 1", "no ocean");
	INVALID(tnVoxelWorld_RemoveOcean(world, 0), "liquid", "got 0");
	INVALID(tnVoxelWorld_RemoveOcean(world, 16), "liquid", "got 16");

	tnReactionDef reaction = tnDefaultReactionDef();
	INVALID(tnVoxelWorld_SetReaction(world, NULL), "def", "NULL");
	reaction.first = 4;
	INVALID(tnVoxelWorld_SetReaction(world, &reaction), "first", "got 4");
	reaction.first = 2;
	INVALID(tnVoxelWorld_SetReaction(world, &reaction), "first and second", "got 2");
	reaction.second = 0;
	INVALID(tnVoxelWorld_SetReaction(world, &reaction), "second", "got 0");
	reaction = tnDefaultReactionDef();
	reaction.rate = 0;
	INVALID(tnVoxelWorld_SetReaction(world, &reaction), "rate", "got 0");
	reaction.rate = 1;
	reaction.ground = 3;
	INVALID(tnVoxelWorld_SetReaction(world, &reaction), "ground", "got 3");
	reaction.ground = -1;
	INVALID(tnVoxelWorld_SetReaction(world, &reaction), "ground", "got -1");
	reaction.stamp = 0;
	INVALID(tnVoxelWorld_SetReaction(world, &reaction), "stamp", "0x0");
	// The same two the other way round say something else.
	reaction = tnDefaultReactionDef();
	ENSURE_OK(tnVoxelWorld_SetReaction(world, &reaction));
	reaction.first = 2;
	reaction.second = 1;
	INVALID(tnVoxelWorld_SetReaction(world, &reaction), "first 2 and second 1", "other way round");

	const tnVoxel points[2] = {{INT_MAX, INT_MIN, 0}, {1, 2, 3}};
	INVALID(tnVoxelWorld_SetInterests(world, points, -1), "count", "got -1");
	INVALID(tnVoxelWorld_SetInterests(world, points, 65), "count", "got 65");
	INVALID(tnVoxelWorld_SetInterests(world, NULL, 1), "points", "1");
	ENSURE_OK(tnVoxelWorld_SetInterests(world, points, 2));
	INVALID(tnVoxelWorld_Step(world, -1), "workLimit", "got -1");
	INVALID(tnVoxelWorld_Step(world, INT64_MIN), "workLimit", "got -9223372036854775808");
	ENSURE_OK(tnVoxelWorld_Step(world, 1));
	ENSURE_OK(tnVoxelWorld_Step(world, INT64_MAX));
	ENSURE_OK(tnVoxelWorld_SetInterests(world, NULL, 0));

	ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 0).volume, 0);
	ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 16).volume, 0);
	ENSURE(tnVoxelWorld_TakeChanged(world, NULL, 5) > 0);
	tnVoxel chunks[2];
	ENSURE(tnVoxelWorld_TakeChanged(world, chunks, -1) > 2);
	const int count = tnVoxelWorld_TakeChanged(world, chunks, 2);
	ENSURE_EQUAL_INT(tnVoxelWorld_TakeChanged(world, chunks, 0), count - 2);
	tnDestroyVoxelWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Calls from within

typedef struct Inner
{
	tnVoxelWorld* world;
	tnAllocator plain;
	int calls, refusals;
} Inner;

// An allocator that calls the world back.
static void* AllocAndCall(size_t size, size_t alignment, void* context)
{
	Inner* inner = context;
	if (inner->world != NULL)
	{
		inner->calls += 1;
		inner->refusals += tnVoxelWorld_Step(inner->world, 0).status == tn_notAvailable ? 1 : 0;
		inner->refusals +=
			tnVoxelWorld_FillSolid(inner->world, VoxelBox(0, 0, 0, 1, 1, 1), 0).status == tn_notAvailable ? 1 : 0;
		inner->refusals += tnVoxelWorld_UnloadBlock(inner->world, (tnVoxel){0}).status == tn_notAvailable ? 1 : 0;
		size_t saved;
		inner->refusals += tnVoxelWorld_SaveState(inner->world, NULL, 0, &saved).status == tn_notAvailable ? 1 : 0;
		// Calls without a result give nothing, and nothing is destroyed.
		tnDestroyVoxelWorld(inner->world);
		inner->refusals += tnVoxelWorld_GetStats(inner->world).byteCount == 0 ? 1 : 0;
		inner->refusals += tnVoxelWorld_GetHash(inner->world) == 0 ? 1 : 0;
		inner->refusals += tnVoxelWorld_GetVoxel(inner->world, (tnVoxel){0}).loaded ? 0 : 1;
		inner->refusals += tnVoxelWorld_IsAtRest(inner->world) ? 0 : 1;
		uint16_t amount = 7;
		const tnVoxelBox one = VoxelBox(0, 0, 0, 1, 1, 1);
		inner->refusals += tnVoxelWorld_Read(inner->world, one, NULL, &amount, NULL).status == tn_notAvailable ? 1 : 0;
	}
	return inner->plain.allocFcn(size, alignment, inner->plain.context);
}

static void FreePlainly(void* memory, size_t size, void* context)
{
	const Inner* inner = context;
	inner->plain.freeFcn(memory, size, inner->plain.context);
}

static int CallsFromWithin(void)
{
	// The error hook is called when nothing is going on: all is allowed.
	static Bench bench;
	ENSURE(OpenBench(&bench));
	bench.hook.world = bench.world;
	ENSURE_REFUSED(tnVoxelWorld_Step(bench.world, -1), tn_invalidArgument, "workLimit");
	ENSURE_EQUAL_INT(bench.hook.calls, 1);
	ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(bench.world, 1).drift, 0);
	tnDestroyVoxelWorld(bench.world);

	// In a step nothing is.
	TestAllocator counter = {0};
	Inner inner = {.plain = TestGetAllocator(&counter)};
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.allocator = (tnAllocator){AllocAndCall, FreePlainly, &inner};
	def.chunkReserve = 0;
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(3, 3, 3, 9, 9, 9), 0));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 7, 3, 6, 8, 6), 1, 500, NULL));
	inner.world = world;
	ENSURE_OK(tnVoxelWorld_Step(world, 0));
	inner.world = NULL;
	ENSURE(inner.calls > 0);
	ENSURE_EQUAL_INT(inner.refusals, 9 * inner.calls);
	tnDestroyVoxelWorld(world);
	return 0;
}

// A host whose tasks call the world, and the mesher, that they work for.
typedef struct Meddler
{
	tnVoxelWorld* world;
	tnVoxelMesher* mesher;
	tnVoxelMeshTask* mesh;
	int calls, refusals, errors;
} Meddler;

static void HearMeddling(const tnResult* result, void* context)
{
	Meddler* meddler = context;
	meddler->errors += result->status == tn_notAvailable ? 1 : 0;
}

static void* StartMeddling(tnTaskFcn* task, void* taskContext, void* context)
{
	Meddler* meddler = context;
	if (meddler->world != NULL)
	{
		tnVoxelWorld* world = meddler->world;
		const tnStatus statuses[] = {tnVoxelWorld_Step(world, 0).status,
			tnVoxelWorld_FillSolid(world, VoxelBox(0, 0, 0, 1, 1, 1), 0).status,
			tnVoxelMesher_BuildMany(meddler->mesher, world, meddler->mesh, 1).status};
		for (int i = 0; i < 3; ++i)
		{
			meddler->refusals += statuses[i] == tn_notAvailable ? 1 : 0;
		}
		tnDestroyVoxelWorld(world);
		meddler->calls += 1;
	}
	if (meddler->mesh != NULL && meddler->world == NULL)
	{
		// While it builds: nobody's world.
		meddler->refusals += tnVoxelMesher_BuildMany(meddler->mesher, NULL, NULL, 0).status == tn_ok ? 0 : 1;
		tnDestroyVoxelMesher(meddler->mesher);
		meddler->calls += 1;
	}
	task(taskContext);
	return NULL;
}

static void WaitForNothing(void* hostTask, void* context)
{
	(void)hostTask;
	(void)context;
}

static int TasksDoNotDestroyTheirWorld(void)
{
	Meddler meddler = {0};
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.tasks = (tnTaskSystem){StartMeddling, WaitForNothing, &meddler, 3};
	def.errors = (tnErrorHook){HearMeddling, &meddler};
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	ENSURE_OK(tnCreateVoxelMesher(NULL, &meddler.mesher));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(3, 3, 3, 45, 40, 45), 0));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 20, 3, 40, 38, 40), 1, 500, NULL));
	static tnVec3 positions[2][9000];
	static uint32_t indices[2][30000];
	tnVoxelMeshTask tasks[2] = {0};
	for (int i = 0; i < 2; ++i)
	{
		tasks[i].def = tnDefaultVoxelMeshDef();
		tasks[i].mesh.positions = positions[i];
		tasks[i].mesh.vertexCapacity = 9000;
		tasks[i].mesh.indices = indices[i];
		tasks[i].mesh.indexCapacity = 30000;
	}
	meddler.mesh = tasks;
	meddler.world = world;
	for (int i = 0; i < 3; ++i)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
	}
	ENSURE(meddler.calls > 0);
	ENSURE_EQUAL_INT(meddler.refusals, 3 * meddler.calls);
	ENSURE_EQUAL_INT(meddler.errors, 4 * meddler.calls);

	const int before = meddler.calls;
	ENSURE_OK(tnVoxelMesher_BuildMany(meddler.mesher, world, tasks, 2));
	ENSURE(meddler.calls > before);
	ENSURE_EQUAL_INT(meddler.refusals, 3 * meddler.calls);
	ENSURE_EQUAL_INT(meddler.errors, 4 * meddler.calls);

	const int second = meddler.calls;
	meddler.world = NULL;
	tasks[0].key = tasks[1].key = 0;
	ENSURE_OK(tnVoxelMesher_BuildMany(meddler.mesher, world, tasks, 2));
	ENSURE(meddler.calls > second);
	ENSURE_EQUAL_INT(meddler.refusals, 3 * second + meddler.calls - second);
	ENSURE_EQUAL_INT(meddler.errors, 4 * second + meddler.calls - second);
	meddler.mesh = NULL;
	tnDestroyVoxelMesher(meddler.mesher);
	ENSURE_OK(tnVoxelWorld_Step(world, 0));
	tnDestroyVoxelWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory

// A short life with all that takes memory. Every failure is one for want of memory, and no water is lost.
static int LiveShortly(TestAllocator* counter, bool* finished)
{
	Hook hook = {0};
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.allocator = TestGetAllocator(counter);
	def.errors = (tnErrorHook){HearError, &hook};
	def.liquidCount = 2;
	def.chunkReserve = 3;
	tnVoxelWorld* world = NULL;
	int failures = 0;
	*finished = false;
#define MAY_FAIL(call)                                                 \
	do                                                                 \
	{                                                                  \
		const uint64_t hashBefore = tnVoxelWorld_GetHash(world);       \
		const tnResult outcome = (call);                               \
		if (outcome.status != tn_ok)                                   \
		{                                                              \
			failures += 1;                                             \
			ENSURE_REFUSED(outcome, tn_outOfMemory, "memory");         \
			ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(world), hashBefore); \
		}                                                              \
	} while (0)
	const tnResult made = tnCreateVoxelWorld(&def, &world);
	if (made.status != tn_ok)
	{
		ENSURE_REFUSED(made, tn_outOfMemory, "memory");
		ENSURE(world == NULL);
		ENSURE_EQUAL_INT(hook.count, 1);
		return 0;
	}
	const tnVoxel origin = {0, 0, 0};
	const tnVoxel west = {-1, 0, 0};
	MAY_FAIL(tnVoxelWorld_LoadBlock(world, west));
	const bool hasOrigin = tnVoxelWorld_LoadBlock(world, origin).status == tn_ok;
	failures += hasOrigin ? 0 : 1;
	if (hasOrigin)
	{
		MAY_FAIL(tnVoxelWorld_FillSolid(world, VoxelBox(0, 0, 0, 128, 20, 128), TN_VOXEL_ROCK));
		MAY_FAIL(tnVoxelWorld_FillSolid(world, VoxelBox(3, 5, 3, 70, 17, 70), 0));
		MAY_FAIL(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 5, 3, 70, 12, 40), 1, 1000, NULL));
		tnVoxelSourceDef source = tnDefaultVoxelSourceDef();
		source.box = VoxelBox(10, 25, 10, 12, 26, 12);
		for (int i = 0; i < 18; ++i)
		{
			tnVoxelSourceId id;
			MAY_FAIL(tnVoxelWorld_CreateSource(world, &source, &id));
		}
		for (int step = 0; step < 6; ++step)
		{
			MAY_FAIL(tnVoxelWorld_Step(world, 0));
		}
		// More than there is room for has to wait.
		MAY_FAIL(tnVoxelWorld_FillSolid(world, VoxelBox(3, 5, 3, 60, 16, 40), 240));
		MAY_FAIL(tnVoxelWorld_Step(world, 0));
		static uint8_t bytes[400000];
		size_t size = 0;
		size_t stateSize = 0;
		const bool saved = tnVoxelWorld_SaveBlock(world, origin, bytes, sizeof(bytes), &size).status == tn_ok;
		failures += saved ? 0 : 1;
		if (saved)
		{
			ENSURE_OK(tnVoxelWorld_UnloadBlock(world, origin));
			MAY_FAIL(tnVoxelWorld_LoadBlockFrom(world, origin, bytes, size));
		}
		MAY_FAIL(tnVoxelWorld_Step(world, 0));
		ENSURE_OK(tnVoxelWorld_SaveState(world, bytes, sizeof(bytes), &stateSize));
		MAY_FAIL(tnVoxelWorld_LoadState(world, bytes, stateSize));
	}
#undef MAY_FAIL
	for (int liquid = 1; liquid <= 2; ++liquid)
	{
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, liquid).drift, 0);
	}
	ENSURE_EQUAL_INT(hook.count, failures);
	*finished = failures == 0 && counter->failIn != 0;
	tnDestroyVoxelWorld(world);
	return 0;
}

static int EveryAllocationMayFail(void)
{
	for (int afterwards = 0; afterwards < 2; ++afterwards)
	{
		bool finished = false;
		int n = 1;
		for (; n < 300 && !finished; ++n)
		{
			TestAllocator counter = {.failIn = n, .failAfterwards = afterwards == 1};
			ENSURE(LiveShortly(&counter, &finished) == 0);
			ENSURE_EQUAL_INT(counter.liveBytes, 0);
			ENSURE_EQUAL_INT(counter.badFreeCount, 0);
		}
		ENSURE(finished);
		ENSURE(n > 20);
	}
	return 0;
}

// With few chunks water waits. Nothing is lost, and the limit is kept.
static int FewChunks(void)
{
	static const int limits[4] = {1, 2, 5, 17};
	for (int variant = 0; variant < 4; ++variant)
	{
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.chunkLimit = limits[variant];
		def.chunkReserve = 0;
		tnVoxelWorld* world = MakeRock(&def);
		ENSURE(world != NULL);
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(1, 1, 1, 100, 60, 100), 0));
		int64_t added = 0;
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(20, 50, 20, 30, 60, 30), 1, 1024, &added));
		for (int step = 0; step < 120; ++step)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
			const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(world, 1);
			ENSURE_EQUAL_INT(ledger.drift, 0);
			ENSURE_EQUAL_INT(ledger.volume + ledger.waiting, added);
			ENSURE(tnVoxelWorld_GetStats(world).liquidChunkCount <= limits[variant]);
		}
		// Taking from what is dry, and adding to rock, needs nothing.
		int64_t none = 5;
		ENSURE_OK(tnVoxelWorld_RemoveLiquid(world, VoxelBox(64, 80, 0, 128, 128, 128), 5, &none));
		ENSURE_EQUAL_INT(none, 0);
		ENSURE_REFUSED(tnVoxelWorld_AddLiquid(world, VoxelBox(1, 1, 1, 100, 60, 100), 1, 1, &none), tn_outOfMemory,
			"chunkLimit is");
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

static int LittleMemory(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.chunkLimit = 64;
	def.chunkReserve = 0;
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	const size_t needed = tnVoxelWorld_GetStats(world).byteCount;
	tnDestroyVoxelWorld(world);
	int refusedCount = 0;
	for (int i = 0; i < 12; ++i)
	{
		def.memoryLimit = needed + (size_t)i * 131072u;
		world = MakeRock(&def);
		ENSURE(world != NULL);
		for (int y = 1; y < 60; y += 7)
		{
			(void)tnVoxelWorld_FillSolid(world, VoxelBox(1, y, 1, 50, y + 5, 50), 0);
			(void)tnVoxelWorld_AddLiquid(world, VoxelBox(1, y, 1, 50, y + 2, 20), 1, 900, NULL);
		}
		for (int step = 0; step < 40; ++step)
		{
			// It has what it needs, or it does not happen.
			const uint64_t before = tnVoxelWorld_GetHash(world);
			const tnResult result = tnVoxelWorld_Step(world, 0);
			ENSURE(result.status == tn_ok || result.status == tn_outOfMemory);
			ENSURE((tnVoxelWorld_GetHash(world) == before) == (result.status != tn_ok));
			refusedCount += result.status != tn_ok ? 1 : 0;
			if (step % 9 == 0)
			{
				(void)tnVoxelWorld_FillSolid(world, VoxelBox(5, 1 + step, 5, 30, 4 + step, 30), step % 2 * 250);
			}
			ENSURE(tnVoxelWorld_GetStats(world).byteCount <= def.memoryLimit);
			ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
		}
		tnDestroyVoxelWorld(world);
	}
	ENSURE(refusedCount > 0 && refusedCount < 12 * 40);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks and borders

// A basin over the corner of eight blocks, and the same one in the middle of a single block: the same water. (Connected
// liquid is dealt out in the order of blocks.)
static int BordersMakeNoDifference(void)
{
	static uint16_t amounts[2][40 * 40 * 40];
	for (int variant = 0; variant < 2; ++variant)
	{
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.rules = tn_basicRules;
		tnVoxelWorld* world = NULL;
		ENSURE_OK(tnCreateVoxelWorld(&def, &world));
		const int shift = variant == 0 ? 64 : 0;
		for (int i = 0; i < (variant == 0 ? 1 : 8); ++i)
		{
			const tnVoxel block = {-(i & 1), -(i >> 1 & 1), -(i >> 2)};
			ENSURE_OK(tnVoxelWorld_LoadBlock(world, block));
		}
		const int low = shift - 20;
		const int high = shift + 20;
		ENSURE_OK(tnVoxelWorld_FillSolid(
			world, VoxelBox(low - 1, low - 1, low - 1, high + 1, high + 1, high + 1), TN_VOXEL_ROCK));
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(low, low, low, high, high, high), 0));
		unsigned random = 21;
		for (int i = 0; i < 400; ++i)
		{
			const int x = low + (int)(NextRandom(&random) % 39);
			const int y = low + (int)(NextRandom(&random) % 39);
			const int z = low + (int)(NextRandom(&random) % 39);
			ENSURE_OK(tnVoxelWorld_FillSolid(
				world, VoxelBox(x, y, z, x + 1, y + 1, z + 1), (int)(NextRandom(&random) % 256)));
			ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(x, y, z, x + 2, y + 2, z + 2), 1, 600, NULL));
		}
		for (int step = 0; step < 100; ++step)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
		ENSURE_OK(tnVoxelWorld_Read(world, VoxelBox(low, low, low, high, high, high), NULL, amounts[variant], NULL));
		tnDestroyVoxelWorld(world);
	}
	ENSURE(memcmp(amounts[0], amounts[1], sizeof(amounts[0])) == 0);
	return 0;
}

// A lake that is full to the top of its block rises when the one above is loaded.
static int LakesRiseIntoNewBlocks(void)
{
	const tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	// A shaft up to the top, and one that is lower, joined at the bottom.
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(10, 100, 10, 14, 128, 14), 0));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(14, 100, 10, 24, 104, 14), 0));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(20, 104, 10, 24, 128, 14), 0));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(10, 100, 10, 24, 128, 14), 1, 1024, NULL));
	ENSURE(RunToRest(world, 200) >= 0);
	ENSURE_OK(tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 1, 0}));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(0, 128, 0, 128, 256, 128), TN_VOXEL_ROCK));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(10, 128, 10, 14, 150, 14), 0));
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(20, 128, 10, 24, 150, 14), 0));
	ENSURE(RunToRest(world, 400) >= 0);
	int64_t added = 0;
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(10, 140, 10, 14, 144, 14), 1, 1024, &added));
	ENSURE_EQUAL_INT(added, 64 * 1024);
	ENSURE(RunToRest(world, 2000) >= 0);
	for (int i = 0; i < 2; ++i)
	{
		ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(world, (tnVoxel){11 + 10 * i, 129, 11}).amount, 1024);
		ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(world, (tnVoxel){11 + 10 * i, 130, 11}).amount, 0);
	}
	ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
	tnDestroyVoxelWorld(world);
	return 0;
}

// Kinds in turns, one voxel each: as many surfaces as there are voxels.
static int ManySurfaces(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.liquidCount = 2;
	tnVoxelWorld* world = MakeRock(&def);
	ENSURE(world != NULL);
	ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(16, 16, 16, 48, 48, 48), 0));
	for (int y = 16; y < 48; ++y)
	{
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(16, y, 16, 48, y + 1, 48), 1 + y % 2, 500, NULL));
	}
	for (int step = 0; step < 20; ++step)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 2).drift, 0);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"BadDefs", BadDefs},
	{"NoWorld", NoWorld},
	{"BadPlaces", BadPlaces},
	{"BadValues", BadValues},
	{"CallsFromWithin", CallsFromWithin},
	{"TasksDoNotDestroyTheirWorld", TasksDoNotDestroyTheirWorld},
	{"EveryAllocationMayFail", EveryAllocationMayFail},
	{"FewChunks", FewChunks},
	{"LittleMemory", LittleMemory},
	{"BordersMakeNoDifference", BordersMakeNoDifference},
	{"LakesRiseIntoNewBlocks", LakesRiseIntoNewBlocks},
	{"ManySurfaces", ManySurfaces},
};
const TestSuite voxel_inputSuite = TEST_SUITE("voxel_input", s_tests);

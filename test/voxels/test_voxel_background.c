// SPDX-License-Identifier: MIT

// A step of voxels beside the host: the same bits, and whoever asks meanwhile sees the world before it, from any number of threads.

#include "snapshot_kit.h"
#include "voxel_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32) || (defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__))
#define ASKERS 0
#else
#include <pthread.h>
#define ASKERS 3
#endif

enum
{
	side = 40,
	height = 24,
	boxVoxels = side * side * height,
};

typedef struct Pool
{
	tnVoxelWorld* world;
	TestRandom random;
	tnBodyId body;
	tnPose pose;
} Pool;

static bool MakePool(Pool* pool, uint64_t seed, int workerCount, size_t memoryLimit, tnAllocator allocator)
{
	*pool = (Pool){.random = TestMakeRandom(seed), .pose = {{9.0f, 6.0f, 12.0f}, {0.0f, 0.0f, 0.0f, 1.0f}}};
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.liquidCount = 2;
	def.liquids[1] = tnDefaultLiquidDef();
	def.liquids[1].density = 1500.0f;
	def.tasks.workerCount = workerCount;
	def.memoryLimit = memoryLimit;
	def.allocator = allocator;
	pool->world = MakeRock(&def);
	bool ok = pool->world != NULL;
	ok = ok && tnVoxelWorld_FillSolid(pool->world, VoxelBox(2, 2, 2, 38, 24, 38), 0).status == tn_ok;
	ok = ok && tnVoxelWorld_FillSolid(pool->world, VoxelBox(18, 5, 2, 20, 24, 38), TN_VOXEL_ROCK).status == tn_ok;
	ok = ok && tnVoxelWorld_AddLiquid(pool->world, VoxelBox(2, 2, 2, 18, 14, 38), 1, 900, NULL).status == tn_ok;
	ok = ok && tnVoxelWorld_AddLiquid(pool->world, VoxelBox(24, 10, 8, 32, 14, 20), 2, 700, NULL).status == tn_ok;
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){1.6f, 1.1f, 1.3f};
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.pose = pool->pose;
	return ok && tnVoxelWorld_CreateBody(pool->world, &body, &pool->body).status == tn_ok;
}

static tnResult ChangePool(Pool* pool)
{
	TestRandom* random = &pool->random;
	const int x = TestRandomInt(random, 2, 34), y = TestRandomInt(random, 2, 20), z = TestRandomInt(random, 2, 34);
	const tnVoxelBox box = VoxelBox(x, y, z, x + 3, y + 3, z + 3);
	switch (TestRandomInt(random, 0, 4))
	{
		case 0:
			return tnVoxelWorld_FillSolid(pool->world, box, TestRandomInt(random, 0, 255));
		case 1:
			return tnVoxelWorld_AddLiquid(pool->world, box, TestRandomInt(random, 1, 2), 700, NULL);
		case 2:
			pool->pose.position.x += TestRandomFloat(random, -0.7f, 0.7f);
			return tnVoxelWorld_MoveBody(
				pool->world, pool->body, &pool->pose, (tnVec3){1.0f, 0.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 0.0f});
		case 3:
		{
			// Gone and there again: all of its chunks are others.
			const tnVoxel block = {1, 0, 0};
			return tnVoxelWorld_IsLoaded(pool->world, block) ? tnVoxelWorld_UnloadBlock(pool->world, block)
															 : tnVoxelWorld_LoadBlock(pool->world, block);
		}
		default:
			return (tnResult){.status = tn_ok};
	}
}

// All that takes a const world.
typedef struct Sight
{
	uint64_t hash;
	tnVoxelLedger ledgers[2];
	int64_t counts[7];
	tnVoxelState voxel;
	tnVec3 force, torque;
	tnPose pose;
	float submerged, waterline;
	tnVec3 line[64];
	int lineCount, bodyCount, corners;
	bool rests, loaded, hasBody;
	uint64_t meshKey;
	uint8_t solid[boxVoxels], liquids[boxVoxels];
	uint16_t amounts[boxVoxels];
} Sight;

static bool Look(const Pool* pool, tnVoxelMesher* mesher, Sight* sight)
{
	memset(sight, 0, sizeof(*sight));
	const tnVoxelWorld* world = pool->world;
	sight->hash = tnVoxelWorld_GetHash(world);
	sight->ledgers[0] = tnVoxelWorld_GetLedger(world, 1);
	sight->ledgers[1] = tnVoxelWorld_GetLedger(world, 2);
	// Structs with gaps are taken apart.
	const tnVoxelStats stats = tnVoxelWorld_GetStats(world);
	const int64_t counts[7] = {stats.stepCount, stats.blockCount, stats.solidChunkCount, stats.liquidChunkCount,
		stats.awakeChunkCount, stats.workedVoxelCount, stats.componentCount};
	memcpy(sight->counts, counts, sizeof(counts));
	sight->voxel = tnVoxelWorld_GetVoxel(world, (tnVoxel){5, 8, 9});
	sight->rests = tnVoxelWorld_IsAtRest(world);
	sight->loaded = tnVoxelWorld_IsLoaded(world, (tnVoxel){1, 0, 0});
	sight->hasBody = tnVoxelWorld_HasBody(world, pool->body);
	sight->bodyCount = tnVoxelWorld_GetBodies(world, NULL, 0);
	tnBodyMesh mesh;
	bool ok = tnVoxelWorld_GetBodyMesh(world, pool->body, &mesh).status == tn_ok;
	sight->corners = mesh.pointCount;
	tnWrench wrench = {0};
	tnBodyState state = {0};
	ok = ok && tnVoxelWorld_GetBodyWrench(world, pool->body, &wrench).status == tn_ok;
	ok = ok && tnVoxelWorld_GetBodyState(world, pool->body, &state).status == tn_ok;
	sight->force = wrench.force;
	sight->torque = wrench.torque;
	sight->pose = state.pose;
	sight->submerged = state.submergedVolume;
	sight->waterline = state.waterlineHeight;
	ok = ok && tnVoxelWorld_CopyBodyWaterline(world, pool->body, sight->line, 64, &sight->lineCount).status == tn_ok;
	ok = ok &&
		tnVoxelWorld_Read(world, VoxelBox(0, 0, 0, side, height, side), sight->solid, sight->amounts, sight->liquids)
				.status == tn_ok;
	const tnVoxelMeshDef def = tnDefaultVoxelMeshDef();
	return ok && tnVoxelMesher_GetKey(mesher, world, (tnVoxel){0, 0, 0}, &def, &sight->meshKey).status == tn_ok;
}

typedef struct Asker
{
	const Pool* pool;
	const Sight* before;
	tnVoxelMesher* mesher;
	Sight sight;
	bool same;
} Asker;

static void* Ask(void* context)
{
	Asker* asker = context;
	asker->same = true;
	for (int i = 0; i < 3 && asker->same; ++i)
	{
		asker->same =
			Look(asker->pool, asker->mesher, &asker->sight) && memcmp(&asker->sight, asker->before, sizeof(Sight)) == 0;
	}
	return NULL;
}

static int VoxelsStepBesideTheHost(void)
{
	static Sight before;
	static Asker askers[ASKERS + 1];
	for (int i = 0; i <= ASKERS; ++i)
	{
		ENSURE_OK(tnCreateVoxelMesher(NULL, &askers[i].mesher));
	}
	for (uint64_t seed = 1; seed <= (uint64_t)TEST_REPEATS(8); ++seed)
	{
		Pool pool, reference;
		ENSURE(MakePool(&pool, seed, 1 + (int)seed % 3, 0, (tnAllocator){0}));
		ENSURE(MakePool(&reference, seed, 1, 0, (tnAllocator){0}));
		for (int step = 0; step < 20; ++step)
		{
			ENSURE_OK(ChangePool(&pool));
			ENSURE_OK(ChangePool(&reference));
			ENSURE(Look(&pool, askers[0].mesher, &before));
			ENSURE_OK(tnVoxelWorld_BeginStep(pool.world, 0));
#if ASKERS > 0
			pthread_t threads[ASKERS];
			for (int i = 0; i < ASKERS; ++i)
			{
				askers[i + 1] = (Asker){.pool = &pool, .before = &before, .mesher = askers[i + 1].mesher};
				ENSURE(pthread_create(threads + i, NULL, Ask, askers + i + 1) == 0);
			}
#endif
			askers[0] = (Asker){.pool = &pool, .before = &before, .mesher = askers[0].mesher};
			Ask(askers);
			bool same = askers[0].same;
#if ASKERS > 0
			for (int i = 0; i < ASKERS; ++i)
			{
				ENSURE(pthread_join(threads[i], NULL) == 0);
				same = same && askers[i + 1].same;
			}
#endif
			ENSURE_OK(tnVoxelWorld_EndStep(pool.world));
			ENSURE_OK(tnVoxelWorld_Step(reference.world, 0));
			if (!same || tnVoxelWorld_GetHash(pool.world) != tnVoxelWorld_GetHash(reference.world))
			{
				printf("seed %d, step %d\n", (int)seed, step);
				return 1;
			}
			// Back and forth: the second store must not believe what it had.
			if (step % 7 == 6)
			{
				Bytes bytes = {0};
				ENSURE_OK(tnVoxelWorld_Save(pool.world, NULL, 0, &bytes.size));
				bytes.data = malloc(bytes.size);
				ENSURE_OK(tnVoxelWorld_Save(pool.world, bytes.data, bytes.size, &bytes.size));
				ENSURE_OK(tnVoxelWorld_FillSolidBall(pool.world, (tnVec3){8.0f, 5.0f, 8.0f}, 4.0f, 0));
				ENSURE_OK(tnVoxelWorld_BeginStep(pool.world, 0));
				ENSURE_OK(tnVoxelWorld_EndStep(pool.world));
				ENSURE_OK(tnVoxelWorld_Restore(pool.world, bytes.data, bytes.size));
				ENSURE_OK(tnVoxelWorld_MoveBody(
					pool.world, pool.body, &pool.pose, (tnVec3){1.0f, 0.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 0.0f}));
				FreeBytes(&bytes);
			}
		}
		tnDestroyVoxelWorld(pool.world);
		tnDestroyVoxelWorld(reference.world);
	}
	for (int i = 0; i <= ASKERS; ++i)
	{
		tnDestroyVoxelMesher(askers[i].mesher);
	}
	return 0;
}

static int VoxelChangesAreRefused(void)
{
	Pool pool;
	ENSURE(MakePool(&pool, 3, 2, 0, (tnAllocator){0}));
	tnVoxelWorld* world = pool.world;
	ENSURE_REFUSED(tnVoxelWorld_EndStep(world), tn_notAvailable, "no step is running");
	ENSURE_REFUSED(tnVoxelWorld_EndStep(NULL), tn_invalidArgument, "world must not be NULL");
	ENSURE_REFUSED(tnVoxelWorld_BeginStep(NULL, 0), tn_invalidArgument, "world must not be NULL");
	ENSURE_REFUSED(tnVoxelWorld_BeginStep(world, -1), tn_invalidArgument, "workLimit must be");
	ENSURE(!tnVoxelWorld_IsStepRunning(world) && !tnVoxelWorld_IsStepRunning(NULL));
	ENSURE_OK(tnVoxelWorld_BeginStep(world, 0));
	ENSURE(tnVoxelWorld_IsStepRunning(world));
	const char* text = "stepping in the background";
	const tnVoxelBox box = VoxelBox(4, 4, 4, 6, 6, 6);
	size_t size;
	tnVoxelSample sample;
	tnVoxelSourceId source;
	const tnVoxelSourceDef sourceDef = tnDefaultVoxelSourceDef();
	uint8_t bytes[8] = {0};
	ENSURE_REFUSED(tnVoxelWorld_BeginStep(world, 0), tn_notAvailable, text);
	ENSURE_REFUSED(tnVoxelWorld_Step(world, 0), tn_notAvailable, text);
	ENSURE_REFUSED(tnVoxelWorld_FillSolid(world, box, 0), tn_notAvailable, text);
	ENSURE_REFUSED(tnVoxelWorld_AddLiquid(world, box, 1, 5, NULL), tn_notAvailable, text);
	ENSURE_REFUSED(tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 1, 0}), tn_notAvailable, text);
	ENSURE_REFUSED(tnVoxelWorld_UnloadBlock(world, (tnVoxel){0, 0, 0}), tn_notAvailable, text);
	ENSURE_REFUSED(tnVoxelWorld_CreateSource(world, &sourceDef, &source), tn_notAvailable, text);
	ENSURE_REFUSED(tnVoxelWorld_Save(world, NULL, 0, &size), tn_notAvailable, text);
	ENSURE_REFUSED(tnVoxelWorld_Restore(world, bytes, 8), tn_notAvailable, text);
	ENSURE_REFUSED(tnVoxelWorld_Sample(world, (tnVec3){1.0f, 1.0f, 1.0f}, &sample), tn_notAvailable, text);
	ENSURE_REFUSED(tnVoxelWorld_DestroyBody(world, pool.body), tn_notAvailable, text);
	ENSURE_REFUSED(
		tnVoxelWorld_MoveBody(world, pool.body, &pool.pose, (tnVec3){0}, (tnVec3){0}), tn_notAvailable, text);
	ENSURE_EQUAL_INT(tnVoxelWorld_TakeChanged(world, NULL, 0), 0);
	ENSURE_OK(tnVoxelWorld_EndStep(world));
	ENSURE_OK(tnVoxelWorld_Sample(world, (tnVec3){1.0f, 1.0f, 1.0f}, &sample));
	// Destroyed in the middle of one.
	ENSURE_OK(tnVoxelWorld_BeginStep(world, 0));
	tnDestroyVoxelWorld(world);
	return 0;
}

// Whichever allocation fails: no step, and the next one is right.
static int BackgroundsRunOutOfMemory(void)
{
	CountedMemory memory = {0};
	Pool pool, reference;
	ENSURE(MakePool(&pool, 7, 1, 0, (tnAllocator){CountedAlloc, CountedFree, &memory}));
	ENSURE(MakePool(&reference, 7, 1, 0, (tnAllocator){0}));
	tnResult result = {.status = tn_outOfMemory};
	for (int64_t fail = 1; result.status != tn_ok && fail < 200; ++fail)
	{
		const uint64_t hash = tnVoxelWorld_GetHash(pool.world);
		memory = (CountedMemory){.failAt = fail};
		result = tnVoxelWorld_BeginStep(pool.world, 0);
		if (result.status == tn_ok)
		{
			result = tnVoxelWorld_EndStep(pool.world);
		}
		memory.failAt = 0;
		ENSURE(result.status == tn_ok || result.status == tn_outOfMemory);
		ENSURE(!tnVoxelWorld_IsStepRunning(pool.world));
		ENSURE(result.status == tn_ok || tnVoxelWorld_GetHash(pool.world) == hash);
	}
	ENSURE_OK(result);
	ENSURE_OK(tnVoxelWorld_Step(reference.world, 0));
	ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(pool.world), tnVoxelWorld_GetHash(reference.world));
	tnDestroyVoxelWorld(pool.world);
	tnDestroyVoxelWorld(reference.world);
	// A limit in which there is no room for a second store: refused, and a plain step goes on.
	ENSURE(MakePool(&pool, 7, 1, 0, (tnAllocator){0}));
	const size_t used = tnVoxelWorld_GetStats(pool.world).byteCount;
	tnDestroyVoxelWorld(pool.world);
	ENSURE(MakePool(&pool, 7, 1, used + used / 20, (tnAllocator){0}));
	ENSURE_REFUSED(tnVoxelWorld_BeginStep(pool.world, 0), tn_outOfMemory, "out of memory");
	tnDestroyVoxelWorld(pool.world);
	return 0;
}

static const Test s_tests[] = {
	{"VoxelsStepBesideTheHost", VoxelsStepBesideTheHost},
	{"VoxelChangesAreRefused", VoxelChangesAreRefused},
	{"BackgroundsRunOutOfMemory", BackgroundsRunOutOfMemory},
};

const TestSuite voxel_backgroundSuite = TEST_SUITE("voxel_background", s_tests);

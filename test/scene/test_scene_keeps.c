// SPDX-License-Identifier: MIT

// Worlds of the scenes that ship, in the middle of what happens in them: saved and made anew, and gone back to, they go on with the same
// bits. Here with few steps and by turns with each method; TARN_KEEP_STEPS=300 makes it long and takes all methods
// (scripts/test_long.sh keep).

#include "harness.h"
#include "scene.h"
#include "voxel_scene.h"

#include <tarn/tarn.h>

#include <stdio.h>
#include <stdlib.h>

static const char* const s_scenes[] = {
#include "scene_names.inc"
};

static const char* const s_voxelScenes[] = {
#include "voxel_scene_names.inc"
};

static int StepWorld(tnWorld* world, float timeStep, int steps)
{
	for (int i = 0; i < steps; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, timeStep));
	}
	return 0;
}

static int KeepScene(const char* name, tnMethod method, int before, int after)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/scenes/%s.json", TARN_SOURCE_FOLDER, name);
	tnsResult result;
	tnsScene* scene = tnsLoadScene(path, &result);
	ENSURE(scene != NULL);
	tnsOverrides overrides = tnsDefaultOverrides();
	overrides.workerCount = 1;
	overrides.method = method;
	tnsRun* run = NULL;
	result = tnsStartScene(scene, &overrides, &run);
	ENSURE(run != NULL);
	for (int i = 0; i < before; ++i)
	{
		ENSURE(tnsRun_Step(run).status == tns_ok);
	}
	tnWorld* world = tnsRun_GetWorld(run);
	const float timeStep = tnsScene_GetInfo(scene)->timeStep;
	size_t size = 0;
	ENSURE_OK(tnWorld_Save(world, NULL, 0, &size));
	uint8_t* bytes = malloc(size);
	ENSURE_OK(tnWorld_Save(world, bytes, size, &size));
	tnWorldDef hooks = tnDefaultWorldDef();
	hooks.tasks.workerCount = 2;
	hooks.simd = tn_simdScalar;
	tnWorld* other = NULL;
	const tnResult made = tnCreateWorldFrom(bytes, size, &hooks, &other);
	free(bytes);
	ENSURE_OK(made);
	tnRollbackDef def = tnDefaultRollbackDef();
	def.imageCount = 2;
	tnRollback* rollback;
	ENSURE_OK(tnCreateRollback(world, &def, &rollback));
	ENSURE_OK(tnRollback_Push(rollback));
	ENSURE_EQUAL_INT(StepWorld(world, timeStep, after), 0);
	const uint64_t hash = tnWorld_GetHash(world);
	ENSURE_EQUAL_INT(StepWorld(other, timeStep, after), 0);
	ENSURE_EQUAL_HEX(tnWorld_GetHash(other), hash);
	ENSURE_OK(tnRollback_Restore(rollback, 0));
	ENSURE_EQUAL_INT(StepWorld(world, timeStep, after), 0);
	ENSURE_EQUAL_HEX(tnWorld_GetHash(world), hash);
	tnDestroyRollback(rollback);
	tnDestroyWorld(other);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return 0;
}

static int ScenesGoOn(void)
{
	const char* wanted = getenv("TARN_KEEP_STEPS");
	const int steps = wanted != NULL ? atoi(wanted) : 5;
	const int count = (int)(sizeof(s_scenes) / sizeof(s_scenes[0]));
	for (int i = 0; i < count; ++i)
	{
		if (wanted == NULL && TEST_LEAVES_OUT(i))
		{
			continue;
		}
		// tn_methodCount: as the scene says.
		for (int method = 0; method <= (int)tn_methodCount; ++method)
		{
			if ((wanted != NULL || method == i % ((int)tn_methodCount + 1)) &&
				KeepScene(s_scenes[i], (tnMethod)method, steps, steps) != 0)
			{
				printf("scene %s, method %d\n", s_scenes[i], method);
				return 1;
			}
		}
	}
	return 0;
}

// Worlds of voxels, in place and, where no body stands in the water, as another world.
static int KeepVoxelScene(const char* name, int before, int after)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/scenes/voxels/%s.json", TARN_SOURCE_FOLDER, name);
	tnsVoxelScene* scene = tnsLoadVoxelScene(path, NULL);
	ENSURE(scene != NULL);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
	ENSURE(run != NULL);
	for (int i = 0; i < before; ++i)
	{
		ENSURE(tnsVoxelRun_Step(run).status == tns_ok);
	}
	tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
	size_t size = 0;
	ENSURE_OK(tnVoxelWorld_Save(world, NULL, 0, &size));
	uint8_t* bytes = malloc(size);
	ENSURE_OK(tnVoxelWorld_Save(world, bytes, size, &size));
	tnVoxelWorldDef def = tnVoxelWorld_GetDef(world);
	def.tasks = tnDefaultVoxelWorldDef().tasks;
	def.simd = tn_simdScalar;
	tnVoxelWorld* other = NULL;
	ENSURE_OK(tnCreateVoxelWorldFrom(bytes, size, &def, &other));
	uint64_t hashes[2] = {0, 0};
	for (int round = 0; round < 2; ++round)
	{
		for (int i = 0; i < after; ++i)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		hashes[round] = tnVoxelWorld_GetHash(world);
		ENSURE_OK(tnVoxelWorld_Restore(world, bytes, size));
	}
	ENSURE_EQUAL_HEX(hashes[1], hashes[0]);
	for (int i = 0; i < after && tnVoxelWorld_GetBodies(world, NULL, 0) == 0; ++i)
	{
		ENSURE_OK(tnVoxelWorld_Step(other, 0));
	}
	ENSURE(tnVoxelWorld_GetBodies(world, NULL, 0) > 0 || tnVoxelWorld_GetHash(other) == hashes[0]);
	free(bytes);
	tnDestroyVoxelWorld(other);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

static int VoxelScenesGoOn(void)
{
	const char* wanted = getenv("TARN_KEEP_STEPS");
	const int steps = wanted != NULL ? atoi(wanted) : 12;
	for (size_t i = 0; i < sizeof(s_voxelScenes) / sizeof(s_voxelScenes[0]); ++i)
	{
		if (wanted == NULL && TEST_LEAVES_OUT((int)i))
		{
			continue;
		}
		if (KeepVoxelScene(s_voxelScenes[i], 4 * steps, steps) != 0)
		{
			printf("scene %s\n", s_voxelScenes[i]);
			return 1;
		}
	}
	return 0;
}

static const Test s_tests[] = {
	{"ScenesGoOn", ScenesGoOn},
	{"VoxelScenesGoOn", VoxelScenesGoOn},
};

const TestSuite scene_keepsSuite = TEST_SUITE("scene_keeps", s_tests);

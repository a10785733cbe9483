// SPDX-License-Identifier: MIT

// Worlds of the scenes that ship, in the middle of what happens in them: saved and made anew, and gone back to, they go on with the same
// bits. Here with few steps and by turns with each method; TARN_KEEP_STEPS=300 makes it long and takes all methods
// (scripts/test_long.sh keep).

#include "harness.h"
#include "scene.h"

#include <tarn/tarn.h>

#include <stdio.h>
#include <stdlib.h>

static const char* const s_scenes[] = {"aqueduct", "beach_breaking", "beach_waves", "beaver_dam", "block_or_through",
	"boat_race", "boat_wakes", "boulder", "box_drop", "crate_dam", "dam_break", "dam_break_town", "dam_burst", "ferry",
	"firehose", "harbour", "island_tide", "lift_out", "log_jam", "mountain_river", "ocean_bay", "polluted_river",
	"pond_rain", "pull_the_dam", "raft", "rain_lakes", "river_valley", "river_wake", "sluice", "three_falls",
	"three_players", "valley_flood", "village_flood", "wave_tank", "whirlpools"};

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

static const Test s_tests[] = {
	{"ScenesGoOn", ScenesGoOn},
};

const TestSuite scene_keepsSuite = TEST_SUITE("scene_keeps", s_tests);

// SPDX-License-Identifier: MIT

// Scene files of voxel worlds.

#include "harness.h"
#include "voxel_kit.h"
#include "voxel_scene.h"

#include <stdio.h>
#include <string.h>

static tnsVoxelScene* LoadVoxelScene(const char* name)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/scenes/voxels/%s.json", TARN_SOURCE_FOLDER, name);
	tnsResult result;
	tnsVoxelScene* scene = tnsLoadVoxelScene(path, &result);
	if (scene == NULL)
	{
		printf("%s\n", result.text);
	}
	return scene;
}

static int BothArmsOfTheBendLevel(void)
{
	tnsVoxelScene* scene = LoadVoxelScene("u_bend");
	ENSURE(scene != NULL);
	const tnsVoxelSceneInfo* info = tnsVoxelScene_GetInfo(scene);
	ENSURE_EQUAL_INT(strcmp(info->name, "U-bend"), 0);
	ENSURE_EQUAL_INT(info->clip.high.z, 10);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
	ENSURE(run != NULL);
	tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
	const int64_t volume = tnVoxelWorld_GetLedger(world, 1).volume;
	ENSURE_EQUAL_INT(volume, 10 * 18 * 7 * 1024);
	ENSURE(RunToRest(world, info->steps) >= 0);
	// Filled from the bottom: 38 x 4 x 7 voxels of the gallery, the rest in both shafts, to a unit.
	const int64_t above = volume - 38 * 4 * 7 * 1024;
	const int level = 7 + (int)(above / (2 * 10 * 7 * 1024));
	const int units = (int)(above / (2 * 10 * 7) % 1024);
	for (int x = 5; x < 42; x += 36)
	{
		const tnVoxelState state = tnVoxelWorld_GetVoxel(world, (tnVoxel){x, level, 6});
		ENSURE(state.amount >= units && state.amount <= units + 1);
	}
	ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

static int TheCaveFills(void)
{
	tnsVoxelScene* scene = LoadVoxelScene("cave_flooding");
	ENSURE(scene != NULL);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
	ENSURE(run != NULL);
	tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
	ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(world, (tnVoxel){42, 7, 42}).amount, 0);
	for (int step = 0; step < 600; ++step)
	{
		ENSURE_EQUAL_INT(tnsVoxelRun_Step(run).status, tns_ok);
	}
	// From the first chamber through the second and third into the fourth.
	ENSURE(tnVoxelWorld_GetVoxel(world, (tnVoxel){32, 4, 40}).amount > 0);
	ENSURE(tnVoxelWorld_GetVoxel(world, (tnVoxel){42, 7, 42}).amount > 0);
	ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

static int MistakesAreNamed(void)
{
	static const char* const cases[][2] = {
		{"{}", "voxels"},
		{"[]", "1:1"},
		{"{\"voxels\": {}}", "size"},
		{"{\"voxels\": {\"size\": [0, 4, 4]}}", "size"},
		{"{\"voxels\": {\"size\": [4, 4, 4], \"gruond\": []}}", "ground"},
		{"{\"voxels\": {\"size\": [4, 4, 4], \"ground\": [{\"box\": [0, 0, 0, 5, 1, 1]}]}}", "box"},
		{"{\"voxels\": {\"size\": [4, 4, 4], \"ground\": [{\"solid\": 3}]}}", "ball"},
		{"{\"voxels\": {\"size\": [4, 4, 4], \"ground\": [{\"box\": [0, 0, 0, 1, 1, 1], \"solid\": 300}]}}", "solid"},
		{"{\"voxels\": {\"size\": [4, 4, 4], \"fills\": [{\"box\": [0, 0, 0, 1, 1, 1], \"liquid\": \"tea\"}]}}", "tea"},
		{"{\"voxels\": {\"size\": [4, 4, 4], \"liquids\": []}}", "liquids"},
		{"{\"voxels\": {\"size\": [4, 4, 4], \"sources\": [{\"rate\": 1}]}}", "box"},
		{"{\"voxels\": {\"size\": [4, 4, 4], \"clip\": [2, 0, 0, 1, 4, 4]}}", "clip"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		tnsResult result;
		tnsVoxelScene* scene = tnsParseVoxelScene(cases[i][0], strlen(cases[i][0]), "test.json", &result);
		ENSURE(scene == NULL);
		ENSURE_TEXT(result.text, cases[i][1]);
	}
	ENSURE(tnsParseVoxelScene(NULL, 0, "x", NULL) == NULL);
	ENSURE(tnsLoadVoxelScene("/nothing/here.json", NULL) == NULL);
	ENSURE(tnsLoadVoxelScene(NULL, NULL) == NULL);
	tnsDestroyVoxelScene(NULL);
	return 0;
}

static const Test s_tests[] = {
	{"BothArmsOfTheBendLevel", BothArmsOfTheBendLevel},
	{"TheCaveFills", TheCaveFills},
	{"MistakesAreNamed", MistakesAreNamed},
};
const TestSuite voxel_sceneSuite = TEST_SUITE("voxel_scene", s_tests);

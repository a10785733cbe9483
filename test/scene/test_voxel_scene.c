// SPDX-License-Identifier: MIT

// Scene files of voxel worlds: what they say, and that each of those that come with tarn ends as it should.

#include "bodies/scene_bodies.h"
#include "harness.h"
#include "voxel_kit.h"
#include "voxels/voxel_scene_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

static tnsVoxelRun* BeginWithWorkers(const tnsVoxelScene* scene, int workerCount)
{
	tnVoxelWorldDef hooks = tnDefaultVoxelWorldDef();
	hooks.tasks.workerCount = workerCount;
	tnsResult result;
	tnsVoxelRun* run = tnsVoxelScene_BeginWith(scene, &hooks, &result);
	if (run == NULL)
	{
		printf("%s\n", result.text);
	}
	return run;
}

static bool StepTo(tnsVoxelRun* run, int step)
{
	bool isFine = true;
	while (isFine && tnsVoxelRun_GetStepCount(run) < step)
	{
		isFine = tnsVoxelRun_Step(run).status == tns_ok;
	}
	return isFine;
}

// Units of a liquid in a box.
static int64_t CountUnits(const tnsVoxelRun* run, int liquid, tnVoxelBox box)
{
	const tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
	int64_t sum = 0;
	for (int y = box.low.y; y < box.high.y; ++y)
	{
		for (int z = box.low.z; z < box.high.z; ++z)
		{
			for (int x = box.low.x; x < box.high.x; ++x)
			{
				const tnVoxelState state = tnVoxelWorld_GetVoxel(world, (tnVoxel){x, y, z});
				sum += state.liquid == liquid ? state.amount : 0;
			}
		}
	}
	return sum;
}

static bool HasDrift(const tnsVoxelRun* run)
{
	const tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
	bool has = false;
	for (int liquid = 1; liquid <= tnVoxelWorld_GetDef(world).liquidCount; ++liquid)
	{
		has = has || tnVoxelWorld_GetLedger(world, liquid).drift != 0;
	}
	return has;
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
	ENSURE(StepTo(run, info->steps));
	ENSURE(tnsVoxelRun_IsAtRest(run));
	// Filled from the bottom: 38 x 4 x 7 voxels of the gallery, the rest in both shafts, to a unit.
	const int64_t above = volume - 38 * 4 * 7 * 1024;
	const int level = 7 + (int)(above / (2 * 10 * 7 * 1024));
	const int units = (int)(above / (2 * 10 * 7) % 1024);
	for (int x = 5; x < 42; x += 36)
	{
		const tnVoxelState state = tnVoxelWorld_GetVoxel(world, (tnVoxel){x, level, 6});
		ENSURE(state.amount >= units && state.amount <= units + 1);
	}
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

// Every scene, to its end: no unit is lost, and the bits are the same with one worker and with three.
static int EveryVoxelSceneRunsToItsEnd(void)
{
	static const char* const names[] = {
#include "voxel_scene_names.inc"
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
	{
		tnsVoxelScene* scene = LoadVoxelScene(names[i]);
		ENSURE(scene != NULL);
		const tnsVoxelSceneInfo* info = tnsVoxelScene_GetInfo(scene);
		ENSURE(info->size.x <= 192 && info->name[0] != 0 && info->description[0] != 0);
		uint64_t hashes[2];
		float spins[2];
		for (int k = 0; k < 2; ++k)
		{
			tnsVoxelRun* run = BeginWithWorkers(scene, k == 0 ? 1 : 3);
			ENSURE(run != NULL);
			// On the way, when much is moving. One of them goes on to the end, where builds are fast.
			ENSURE(StepTo(run, TEST_REPEATS(info->steps / 3)));
			ENSURE(HasDrift(run) == false);
			ENSURE(tnsVoxelRun_IsOver(run) == false);
			hashes[k] = tnVoxelWorld_GetHash(tnsVoxelRun_GetWorld(run));
			spins[k] = tnsVoxelRun_GetWheel(run, 0).spin;
			const bool goesOn = k == 1 && TEST_BREVITY == 1;
			ENSURE(StepTo(run, goesOn ? info->steps : 0));
			ENSURE(HasDrift(run) == false);
			ENSURE(tnsVoxelRun_IsOver(run) == goesOn);
			tnsDestroyVoxelRun(run);
		}
		ENSURE_EQUAL_HEX(hashes[0], hashes[1]);
		ENSURE(spins[0] == spins[1]);
		tnsDestroyVoxelScene(scene);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Ends of scenes

static int TheCaveFills(void)
{
	tnsVoxelScene* scene = LoadVoxelScene("cave_flooding");
	ENSURE(scene != NULL);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
	ENSURE(run != NULL);
	ENSURE_EQUAL_INT(CountUnits(run, 1, VoxelBox(0, 0, 0, 64, 44, 48)), 0);
	// From the first chamber through the second and third into the fourth.
	ENSURE(StepTo(run, 600));
	ENSURE(CountUnits(run, 1, VoxelBox(32, 4, 40, 33, 5, 41)) > 0);
	ENSURE(CountUnits(run, 1, VoxelBox(42, 7, 42, 43, 8, 43)) > 0);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

static int BothPondsAndThePitGetWater(void)
{
	tnsVoxelScene* scene = LoadVoxelScene("ground");
	ENSURE(scene != NULL);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
	ENSURE(run != NULL);
	const tnVoxelBox pit = VoxelBox(62, 4, 56, 82, 10, 68);
	// The trench opens at step 400, the tunnel reaches the pit after step 960.
	ENSURE(StepTo(run, 400));
	const int64_t first = CountUnits(run, 1, VoxelBox(16, 7, 26, 36, 17, 46));
	ENSURE(first > 100 * 1024);
	ENSURE(StepTo(run, 900));
	ENSURE(CountUnits(run, 1, VoxelBox(56, 6, 20, 76, 17, 40)) > 100 * 1024);
	const int64_t dry = CountUnits(run, 1, pit);
	ENSURE(StepTo(run, 1800));
	ENSURE(CountUnits(run, 1, pit) > dry + 100 * 1024);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

static int AllWaterGoesDownhill(void)
{
	tnsVoxelScene* scene = LoadVoxelScene("downhill");
	ENSURE(scene != NULL);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
	ENSURE(run != NULL);
	// 12 voxels of 170 units for 900 steps.
	const int64_t total = 12 * 170 * 900;
	ENSURE(StepTo(run, 900));
	ENSURE(CountUnits(run, 1, VoxelBox(0, 0, 0, 92, 64, 64)) > total / 10);
	ENSURE(StepTo(run, tnsVoxelScene_GetInfo(scene)->steps));
	ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(tnsVoxelRun_GetWorld(run), 1).sources, total);
	// Single units may rest beside each other on the way.
	ENSURE(CountUnits(run, 1, VoxelBox(92, 0, 0, 128, 12, 64)) >= total - 100);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

static int RandomLandComesToRest(void)
{
	tnsVoxelScene* scene = LoadVoxelScene("random");
	ENSURE(scene != NULL);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
	ENSURE(run != NULL);
	ENSURE(tnsVoxelRun_IsAtRest(run) == false);
	ENSURE(StepTo(run, tnsVoxelScene_GetInfo(scene)->steps));
	ENSURE(tnsVoxelRun_IsAtRest(run));
	ENSURE_EQUAL_INT(CountUnits(run, 1, VoxelBox(0, 0, 0, 112, 64, 80)), 96 * 2 * 64 * 800);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

static int LavaMakesLand(void)
{
	tnsVoxelScene* scene = LoadVoxelScene("volcano");
	ENSURE(scene != NULL);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
	ENSURE(run != NULL);
	tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
	// Around the surface of the sea.
	const tnVoxel size = tnsVoxelScene_GetInfo(scene)->size;
	const tnVoxelBox sea = VoxelBox(0, 8, 0, size.x, 20, size.z);
	const size_t count = (size_t)size.x * (size_t)size.z * 12;
	uint8_t *before = malloc(count), *after = malloc(count);
	ENSURE(before != NULL && after != NULL);
	ENSURE_OK(tnVoxelWorld_Read(world, sea, before, NULL, NULL));
	ENSURE(StepTo(run, tnsVoxelScene_GetInfo(scene)->steps));
	ENSURE_OK(tnVoxelWorld_Read(world, sea, after, NULL, NULL));
	int grown = 0;
	for (size_t i = 0; i < count; ++i)
	{
		grown += after[i] > before[i] ? after[i] - before[i] : 0;
	}
	free(before);
	free(after);
	// At least 30 voxels of stone, and as many units of lava and of water gone.
	ENSURE(grown > 30 * TN_VOXEL_ROCK);
	const int64_t lava = tnVoxelWorld_GetLedger(world, 2).reactions, water = tnVoxelWorld_GetLedger(world, 1).reactions;
	ENSURE(lava < -30 * 1024);
	ENSURE_EQUAL_INT(water, lava);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

static int TheDamBreaksAndTheVillageGetsWet(void)
{
	tnsVoxelScene* scene = LoadVoxelScene("canyon_dam");
	ENSURE(scene != NULL);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
	ENSURE(run != NULL);
	const tnVoxelBox village = VoxelBox(110, 0, 20, 150, 40, 64), dam = VoxelBox(62, 14, 42, 63, 34, 43);
	ENSURE(StepTo(run, 200));
	ENSURE_EQUAL_INT(CountUnits(run, 1, village), 0);
	ENSURE_EQUAL_INT(CountUnits(run, 1, dam), 0);
	// A leak wets the ground; then the flood stands around the houses.
	ENSURE(StepTo(run, 420));
	const int64_t leak = CountUnits(run, 1, village);
	ENSURE(leak > 0);
	ENSURE(StepTo(run, 640));
	ENSURE(CountUnits(run, 1, village) > 20 * leak);
	ENSURE(CountUnits(run, 1, dam) > 0);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

static int HoldsFillOneByOne(void)
{
	tnsVoxelScene* scene = LoadVoxelScene("hull");
	ENSURE(scene != NULL);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
	ENSURE(run != NULL);
	// In the middle of each hold, above the planks.
	const tnVoxelBox holds[4] = {VoxelBox(26, 15, 22, 40, 30, 27), VoxelBox(46, 14, 22, 68, 30, 27),
		VoxelBox(74, 14, 22, 96, 30, 27), VoxelBox(102, 15, 22, 116, 30, 27)};
	// Before the hole, before the door and at the end: which holds have water, to the level of the sea at 24.5.
	static const int steps[3] = {240, 900, 1800};
	static const bool isFull[3][4] = {{0, 0, 0, 0}, {0, 0, 1, 0}, {0, 1, 1, 0}};
	for (int k = 0; k < 3; ++k)
	{
		ENSURE(StepTo(run, steps[k]));
		for (int i = 0; i < 4; ++i)
		{
			ENSURE_EQUAL_INT(CountUnits(run, 1, holds[i]), isFull[k][i] ? 22 * 5 * (10 * 1024 + 512) : 0);
		}
	}
	ENSURE(tnsVoxelRun_IsAtRest(run));
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

// The blades go as fast as the water in the channel: units over its cross-section in a step, over those in it.
static int TheWheelOfTheAqueductTurns(void)
{
	tnsVoxelScene* scene = LoadVoxelScene("aqueduct");
	ENSURE(scene != NULL);
	const tnsVoxelSceneInfo* info = tnsVoxelScene_GetInfo(scene);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
	ENSURE(run != NULL);
	ENSURE_EQUAL_INT(info->wheelCount, 1);
	ENSURE(StepTo(run, info->steps - 200));
	// What has passed x = 100 in the last 200 steps is what came, less what stayed before it.
	const tnVoxelBox before = VoxelBox(0, 0, 0, 100, 56, 56), section = VoxelBox(100, 27, 25, 101, 40, 31);
	const int64_t old = CountUnits(run, 1, before);
	ENSURE(StepTo(run, info->steps));
	const int64_t passed = 16 * 60 * 200 - (CountUnits(run, 1, before) - old);
	const double perStep = (double)passed / 200.0 / (double)CountUnits(run, 1, section);
	const double speed = perStep * (double)(info->worldDef.voxelSize * info->worldDef.stepRate);
	const tnsWheel wheel = tnsVoxelRun_GetWheel(run, 0);
	ENSURE(wheel.turns > 2.0);
	ENSURE_CLOSE((double)wheel.spin * 0.5 * (double)(wheel.radius + wheel.hub), speed, 0.2 * speed);
	ENSURE(tnsVoxelRun_GetWheel(run, 1).radius == 0.0f);
	ENSURE(tnsVoxelRun_GetWheel(run, -1).radius == 0.0f);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts of scenes

static tnsVoxelScene* Parse(const char* text, tnsResult* result)
{
	return tnsParseVoxelScene(text, strlen(text), "test.json", result);
}

// Sources that begin and end, edits that repeat and move, drains, oceans: at the steps that the scene says.
static int ThingsHappenWhenTheyAreDue(void)
{
	static const char text[] =
		"{\"steps\": 50, \"voxels\": {\"size\": [17, 9, 11], \"ground\": [{\"box\": [0, 0, 0, 17, 3, 11]}],"
		"\"sources\": [{\"box\": [2, 6, 3, 3, 7, 4], \"rate\": 5, \"begin\": 4, \"end\": 9}],"
		"\"edits\": [{\"step\": 2, \"every\": 3, \"until\": 9, \"dig\": {\"box\": [8, 1, 4, 9, 2, 5]}, \"move\": [1, "
		"0, 0]},"
		"{\"step\": 20, \"pour\": {\"box\": [12, 5, 7, 14, 6, 8], \"amount\": 100}},"
		"{\"step\": 30, \"drain\": {\"box\": [0, 0, 0, 17, 9, 11]}},"
		"{\"step\": 40, \"build\": {\"ball\": [4, 6, 5, 1.5], \"solid\": 100}}]}}";
	tnsResult result;
	tnsVoxelScene* scene = Parse(text, &result);
	ENSURE_TEXT(result.text, "");
	ENSURE(scene != NULL);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, &result);
	ENSURE(run != NULL);
	const tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
	for (int step = 1; step <= 50; ++step)
	{
		ENSURE(tnsVoxelRun_IsAtRest(run) == false || step > 41);
		ENSURE_EQUAL_INT(tnsVoxelRun_Step(run).status, tns_ok);
		const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(world, 1);
		ENSURE_EQUAL_INT(ledger.sources, step <= 4 ? 0 : step <= 9 ? 5 * (step - 4) : 25);
		ENSURE_EQUAL_INT(ledger.added, step <= 20 ? 0 : 200);
		ENSURE_EQUAL_INT(ledger.removed, step <= 30 ? 0 : 225);
		for (int i = 0; i < 4; ++i)
		{
			const bool isDug = i < 3 && step > 2 + 3 * i;
			const int solid = tnVoxelWorld_GetVoxel(world, (tnVoxel){8 + i, 1, 4}).solid;
			ENSURE_EQUAL_INT(solid, isDug ? 0 : TN_VOXEL_ROCK);
		}
		ENSURE_EQUAL_INT(tnVoxelWorld_GetVoxel(world, (tnVoxel){4, 5, 5}).solid, step <= 40 ? 0 : 100);
	}
	ENSURE(tnsVoxelRun_IsAtRest(run));
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

static int CountRock(const tnVoxelWorld* world, tnVoxel size, int64_t* sum)
{
	int rock = 0;
	*sum = 0;
	for (int i = 0; i < size.x * size.y * size.z; ++i)
	{
		const tnVoxel at = {i % size.x, i / size.x % size.y, i / size.x / size.y};
		const int solid = tnVoxelWorld_GetVoxel(world, at).solid;
		*sum += solid;
		rock += solid == TN_VOXEL_ROCK;
	}
	return rock;
}

// Volumes of forms of ground against the formulas of solids, in voxels.
static int FormsHaveTheirVolumes(void)
{
	static const struct
	{
		const char* form;
		double volume, error;
	} forms[] = {
		{"{\"box\": [3, 4, 5, 10, 9, 16]}", 7.0 * 5.0 * 11.0, 0.0},
		{"{\"ball\": [20.3, 21.1, 19.7, 14.5]}", 4.18879 * 3048.6, 0.005},
		{"{\"cylinder\": {\"from\": [20.3, 5, 19.6], \"to\": [20.3, 30, 19.6], \"radius\": 11.7}}",
			3.14159 * 136.89 * 25.0, 0.01},
		{"{\"path\": {\"points\": [[12.2, 20.3, 19.6], [28.4, 20.3, 19.6]], \"radius\": 8.4}}",
			3.14159 * 70.56 * 16.2 + 4.18879 * 592.7, 0.01},
		{"{\"slope\": {\"from\": 4, \"to\": 24}}", 14.0 * 41.0 * 39.0, 0.005},
		{"{\"slope\": {\"from\": 30, \"to\": 10, \"alongZ\": true}}", 20.0 * 41.0 * 39.0, 0.005},
		{"{\"hills\": {\"height\": 12.5, \"amplitude\": 0}}", 12.5 * 41.0 * 39.0, 0.001},
		// Sides of 0.55 s + 0.45 s^2 for s from 0 to 1: a third of 0.55 and a sixth of 0.45 of the cylinder.
		{"{\"cone\": {\"at\": [20, 0, 20], \"radius\": 18, \"height\": 30}}",
			3.14159 * 324.0 * 30.0 * (0.55 / 3.0 + 0.45 / 6.0), 0.03},
	};
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); ++i)
	{
		char text[512];
		snprintf(text, sizeof(text), "{\"voxels\": {\"size\": [41, 43, 39], \"ground\": [%s]}}", forms[i].form);
		tnsResult result;
		tnsVoxelScene* scene = Parse(text, &result);
		ENSURE_TEXT(result.text, "");
		ENSURE(scene != NULL);
		tnsVoxelRun* run = tnsVoxelScene_Begin(scene, &result);
		ENSURE(run != NULL);
		int64_t sum;
		(void)CountRock(tnsVoxelRun_GetWorld(run), (tnVoxel){41, 43, 39}, &sum);
		ENSURE_CLOSE((double)sum / TN_VOXEL_ROCK, forms[i].volume, forms[i].error * forms[i].volume + 1.0e-9);
		tnsDestroyVoxelRun(run);
		tnsDestroyVoxelScene(scene);
	}
	return 0;
}

// All forms with noise in them, as bits: the same on every machine.
static int GroundIsGolden(void)
{
	static const char text[] =
		"{\"voxels\": {\"size\": [67, 35, 53], \"ground\": ["
		"{\"hills\": {\"height\": 12, \"amplitude\": 5, \"length\": 17, \"seed\": 3}},"
		"{\"cone\": {\"at\": [40, 8, 20], \"radius\": 17, \"height\": 20, \"crater\": 5, \"depth\": 6, \"amplitude\": "
		"2, \"seed\": 9}},"
		"{\"canyon\": {\"points\": [[0, 9, 30], [30, 7, 40], [67, 4, 30]], \"width\": 6, \"amplitude\": 3, \"length\": "
		"9}},"
		"{\"noise\": {\"length\": 7, \"limit\": 0.66, \"seed\": 5}, \"solid\": 0},"
		"{\"path\": {\"points\": [[5, 5, 5], [20, 15, 25], [60, 9, 45]], \"radius\": 2.5}, \"solid\": 0},"
		"{\"hull\": {\"box\": [4, 18, 30, 60, 33, 47], \"bulkheads\": [30]}}]}}";
	tnsVoxelScene* scene = Parse(text, NULL);
	ENSURE(scene != NULL);
	tnsVoxelRun* run = tnsVoxelScene_Begin(scene, NULL);
	ENSURE(run != NULL);
	ENSURE_EQUAL_HEX(tnVoxelWorld_GetHash(tnsVoxelRun_GetWorld(run)), 0x730e452620d3ef89u);
	tnsDestroyVoxelRun(run);
	tnsDestroyVoxelScene(scene);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Wheels

// A stream of a speed along x that stands up to a height.
static void SampleStream(const tnsWheel* wheel, float surface, float speed, tnVoxelSample* samples)
{
	tnVec3 points[TNS_MAX_BLADES * TNS_BLADE_PATCHES];
	const int count = tnsWheel_GetPoints(wheel, points);
	for (int i = 0; i < count; ++i)
	{
		samples[i] = (tnVoxelSample){.loaded = true};
		if (points[i].y < surface)
		{
			samples[i].liquid = 1;
			samples[i].inLiquid = true;
			samples[i].velocity = (tnVec3){speed, 0.0f, 0.0f};
		}
	}
}

// Without a load the blades get the speed of the stream, slower ones by a load, and none without a stream.
static int WheelsFollowTheStream(void)
{
	const tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	tnVoxelSample samples[TNS_MAX_BLADES * TNS_BLADE_PATCHES];
	tnsWheelRule rule = {.center = {20.0, 20.0, 20.0},
		.radius = 8.0,
		.hub = 7.6,
		.width = 3.0,
		.bladeCount = 48,
		.axis = 1,
		.inertia = 2.0e4};
	static const float speeds[] = {2.0f, -1.5f, 0.0f};
	for (int i = 0; i < 3; ++i)
	{
		tnsWheel wheel = tnsMakeWheel(&rule, def.voxelSize);
		// So that only the lowest blades dip in, which go along with the stream.
		const float surface = wheel.center.y - 0.97f * wheel.radius;
		for (int step = 0; step < 20000; ++step)
		{
			SampleStream(&wheel, surface, speeds[i], samples);
			tnsWheel_Turn(&wheel, &rule, samples, &def);
		}
		// Blades at the bottom go to +x when the wheel turns from x to y. The patches reach 0.96 to 0.99 of the radius.
		ENSURE_CLOSE(wheel.spin * 0.975f * wheel.radius, speeds[i], 0.03f * fabsf(speeds[i]));
		ENSURE_CLOSE(wheel.cosine * wheel.cosine + wheel.sine * wheel.sine, 1.0f, 1.0e-6f);
		ENSURE((wheel.turns > 10.0 && i == 0) || (wheel.turns < -10.0 && i == 1) || (wheel.turns == 0.0 && i == 2));
	}
	rule.friction = 5.0e4;
	tnsWheel wheel = tnsMakeWheel(&rule, def.voxelSize);
	for (int step = 0; step < 20000; ++step)
	{
		SampleStream(&wheel, wheel.center.y - 0.97f * wheel.radius, 2.0f, samples);
		tnsWheel_Turn(&wheel, &rule, samples, &def);
	}
	ENSURE(wheel.spin * wheel.radius > 0.1f && wheel.spin * wheel.radius < 1.5f);
	return 0;
}

// The same along the other axis: the stream along z turns y to z the other way round.
static int WheelsTurnAroundBothAxes(void)
{
	const tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	tnsWheelRule rule = {
		.center = {9.0, 9.0, 9.0}, .radius = 6.0, .hub = 4.0, .width = 2.0, .bladeCount = 11, .axis = 0};
	tnsWheel wheel = tnsMakeWheel(&rule, def.voxelSize);
	tnVoxelSample samples[TNS_MAX_BLADES * TNS_BLADE_PATCHES];
	for (int step = 0; step < 200; ++step)
	{
		SampleStream(&wheel, wheel.center.y - 0.5f * wheel.radius, 0.0f, samples);
		for (int i = 0; i < wheel.bladeCount * TNS_BLADE_PATCHES; ++i)
		{
			samples[i].velocity.z = 2.0f;
		}
		tnsWheel_Turn(&wheel, &rule, samples, &def);
	}
	ENSURE(wheel.spin < -0.05f);
	const tnVec3 blade = tnsWheel_GetBlade(&wheel, 3);
	ENSURE(blade.x == 0.0f);
	ENSURE_CLOSE(blade.y * blade.y + blade.z * blade.z, 1.0f, 1.0e-6f);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Mistakes

// What stands in the part "voxels" after its size, and what the error must speak of: the field, and the value.
static const char* const s_mistakes[][3] = {
	{"\"gruond\": []", "gruond", "ground"},
	{"\"voxelSize\": 0", "voxelSize", "0"},
	{"\"cap\": 5000", "cap", "5000"},
	{"\"rules\": \"siphon\"", "rules", "siphon"},
	{"\"workLimit\": -1", "workLimit", "-1"},
	{"\"rock\": \"grey\"", "colour", "grey"},
	{"\"clip\": [2, 0, 0, 1, 4, 4]", "clip", "2, 0, 0, 1, 4, 4"},
	{"\"ground\": {}", "ground", "an object"},
	{"\"ground\": [{\"box\": [0, 0, 0, 5, 1, 1]}]", "box", "5, 1, 1"},
	{"\"ground\": [{\"box\": [0, 0, 0, 1.5, 1, 1]}]", "box", "1.5"},
	{"\"ground\": [{\"solid\": 3}]", "ground", "canyon"},
	{"\"ground\": [{\"box\": [0, 0, 0, 1, 1, 1], \"ball\": [1, 1, 1, 1]}]", "box", "both"},
	{"\"ground\": [{\"box\": [0, 0, 0, 1, 1, 1], \"solid\": 300}]", "solid", "300"},
	{"\"ground\": [{\"ball\": [0, 0, 0, -1]}]", "ball", "-1"},
	{"\"ground\": [{\"cylinder\": {\"from\": [1, 1, 1], \"to\": [1, 1, 1], \"radius\": 1}}]", "cylinder", "1, 1, 1"},
	{"\"ground\": [{\"path\": {\"points\": [], \"radius\": 1}}]", "points", "0"},
	{"\"ground\": [{\"path\": {\"points\": [[1, 2]], \"radius\": 1}}]", "point", "3 numbers"},
	{"\"ground\": [{\"hull\": {\"box\": [0, 0, 0, 4, 4, 4], \"wall\": 0.2}}]", "wall", "0.2"},
	{"\"ground\": [{\"hull\": {\"box\": [0, 0, 0, 4, 4, 4], \"bulkheads\": [\"a\"]}}]", "bulkhead", "a"},
	{"\"ground\": [{\"noise\": {\"limit\": 2}}]", "limit", "2"},
	{"\"ground\": [{\"hills\": {\"height\": 3, \"seed\": 1.5}}]", "seed", "1.5"},
	{"\"ground\": [{\"slope\": {\"from\": 3}}]", "slope", "to"},
	{"\"ground\": [{\"cone\": {\"at\": [1, 1], \"radius\": 3, \"height\": 3}}]", "at", "3 numbers"},
	{"\"ground\": [{\"canyon\": {\"points\": [[1, 2, 3]], \"width\": -2}}]", "width", "-2"},
	{"\"fills\": [{\"box\": [0, 0, 0, 1, 1, 1], \"liquid\": \"tea\"}]", "liquid", "tea"},
	{"\"fills\": [{\"box\": [0, 0, 0, 1, 1, 1], \"amount\": 0}]", "amount", "0"},
	{"\"liquids\": []", "liquids", "0"},
	{"\"liquids\": [{\"name\": \"tea\"}, {\"name\": \"tea\"}]", "two liquids", "tea"},
	{"\"liquids\": [{\"name\": \"tea\", \"color\": \"brown\"}]", "colour", "brown"},
	{"\"liquids\": [{\"name\": \"tea\", \"glow\": 3}]", "colour", "3"},
	{"\"liquids\": [{\"name\": \"tea\", \"clarity\": 0}]", "clarity", "0"},
	{"\"liquids\": [{\"name\": \"tea\", \"evaporation\": -1}]", "evaporation", "-1"},
	{"\"reactions\": [{\"first\": \"water\", \"second\": \"water\"}]", "reaction", "water"},
	{"\"reactions\": [{\"first\": \"water\", \"second\": \"tea\"}]", "second", "tea"},
	{"\"oceans\": [{\"box\": [0, 0, 0, 1, 1, 1], \"level\": 600}]", "level", "600"},
	{"\"oceans\": [{\"level\": 6}]", "ocean", "box"},
	{"\"interests\": [[1, 2, 3.5]]", "interest", "3.5"},
	{"\"sources\": [{\"rate\": 1}]", "source", "box"},
	{"\"sources\": [{\"box\": [0, 0, 0, 1, 1, 1], \"rate\": 5000}]", "rate", "5000"},
	{"\"sources\": [{\"box\": [0, 0, 0, 1, 1, 1], \"rate\": 5, \"begin\": 9, \"end\": 4}]", "begin 9", "end 4"},
	{"\"edits\": [{\"step\": 3}]", "edit", "dig"},
	{"\"edits\": [{\"step\": -3, \"dig\": {\"box\": [0, 0, 0, 1, 1, 1]}}]", "step", "-3"},
	{"\"edits\": [{\"step\": 3, \"until\": 5, \"dig\": {\"box\": [0, 0, 0, 1, 1, 1]}}]", "until", "every"},
	{"\"edits\": [{\"step\": 3, \"move\": [1, 0, 0], \"dig\": {\"box\": [0, 0, 0, 1, 1, 1]}}]", "move", "every"},
	{"\"edits\": [{\"step\": 3, \"every\": 1, \"until\": 2, \"dig\": {\"box\": [0, 0, 0, 1, 1, 1]}}]", "until", "2"},
	{"\"edits\": [{\"step\": 3, \"build\": {\"solid\": 4}}]", "build", "box"},
	{"\"edits\": [{\"step\": 3, \"drain\": {\"box\": [0, 0, 0, 9, 1, 1]}}]", "box", "9, 1, 1"},
	{"\"wheels\": [{\"at\": [1, 1, 1], \"radius\": 0}]", "radius", "0"},
	{"\"wheels\": [{\"at\": [1, 1, 1], \"radius\": 3, \"hub\": 4}]", "hub", "4"},
	{"\"wheels\": [{\"at\": [1, 1, 1], \"radius\": 3, \"axis\": \"y\"}]", "axis", "y"},
	{"\"wheels\": [{\"at\": [1, 1, 1], \"radius\": 3, \"blades\": 2}]", "blades", "2"},
	{"\"props\": [{\"box\": [1, 1, 1, 0.5, 2, 2]}]", "box", "0.5"},
	{"\"props\": [{\"box\": [1, 1, 1, 2, 2, 2], \"material\": \"gold\"}]", "material", "gold"},
};

static int MistakesAreNamed(void)
{
	for (size_t i = 0; i < sizeof(s_mistakes) / sizeof(s_mistakes[0]); ++i)
	{
		char text[512];
		snprintf(text, sizeof(text), "{\n \"voxels\": {\"size\": [4, 4, 4],\n  %s}}", s_mistakes[i][0]);
		tnsResult result;
		ENSURE(Parse(text, &result) == NULL);
		ENSURE_EQUAL_INT(result.status, tns_badScene);
		ENSURE_TEXT(result.text, "test.json:3:");
		ENSURE_TEXT(result.text, s_mistakes[i][1]);
		ENSURE_TEXT(result.text, s_mistakes[i][2]);
	}
	static const char* const whole[][2] = {
		{"{}", "voxels"},
		{"[]", "1:1"},
		{"{\"voxels\": 3}", "voxels"},
		{"{\"voxels\": {}}", "size"},
		{"{\"voxels\": {\"size\": [0, 4, 4]}}", "0, 4, 4"},
		{"{\"voxels\": {\"size\": [4, 513, 4]}}", "513"},
		{"{\"voxels\": {\"size\": [4, 4, 4]}, \"steps\": -1}", "steps"},
		{"{\"voxels\": {\"size\": [4, 4, 4]}, \"sun\": [400, 0]}", "sun"},
	};
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); ++i)
	{
		tnsResult result;
		ENSURE(Parse(whole[i][0], &result) == NULL);
		ENSURE_TEXT(result.text, whole[i][1]);
	}
	ENSURE(tnsParseVoxelScene(NULL, 0, "x", NULL) == NULL);
	ENSURE(tnsLoadVoxelScene("/nothing/here.json", NULL) == NULL);
	ENSURE(tnsLoadVoxelScene(NULL, NULL) == NULL);
	ENSURE(tnsVoxelScene_Begin(NULL, NULL) == NULL);
	tnsDestroyVoxelScene(NULL);
	tnsDestroyVoxelRun(NULL);
	return 0;
}

// What only the world finds wrong is told with the place in the scene.
static int TheWorldRefusesWithAPlace(void)
{
	static const char text[] =
		"{\"voxels\": {\"size\": [5, 7, 9],\n \"oceans\": [{\"box\": [0, 0, 0, 5, 7, 9], \"level\": 3}]}}";
	tnsVoxelScene* scene = Parse(text, NULL);
	ENSURE(scene != NULL);
	tnVoxelWorldDef hooks = tnDefaultVoxelWorldDef();
	hooks.memoryLimit = 1000;
	tnsResult result;
	ENSURE(tnsVoxelScene_BeginWith(scene, &hooks, &result) == NULL);
	ENSURE_EQUAL_INT(result.status, tns_outOfMemory);
	ENSURE_TEXT(result.text, "test.json:1:1");
	tnsDestroyVoxelScene(scene);
	return 0;
}

static int KindsOfScenesAreToldApart(void)
{
	static const char voxels[] = "{\"voxels\": 3}", columns[] = "{\"world\": {}}", broken[] = "{\"voxels\": ";
	ENSURE(tnsIsVoxelScene(voxels, strlen(voxels)));
	ENSURE(tnsIsVoxelScene(columns, strlen(columns)) == false);
	ENSURE(tnsIsVoxelScene(broken, strlen(broken)) == false);
	ENSURE(tnsIsVoxelScene(NULL, 0) == false);
	ENSURE(tnsIsVoxelSceneFile(TARN_SOURCE_FOLDER "/scenes/voxels/u_bend.json"));
	ENSURE(tnsIsVoxelSceneFile(TARN_SOURCE_FOLDER "/scenes/dam_break.json") == false);
	ENSURE(tnsIsVoxelSceneFile("/nothing/here.json") == false);
	return 0;
}

// Water of the hall behind the gate, in units.
static int64_t CountInHall(const tnVoxelWorld* world)
{
	int64_t sum = 0;
	for (int y = 3; y < 28; ++y)
	{
		for (int z = 4; z < 36; ++z)
		{
			for (int x = 44; x < 93; ++x)
			{
				sum += tnVoxelWorld_GetVoxel(world, (tnVoxel){x, y, z}).amount;
			}
		}
	}
	return sum;
}

// The gate keeps the water back until it is lifted, bodies float and stay out of the ground, and all of it is the same for any
// number of workers.
static int TheGateOpensAndCratesFloat(void)
{
	if (tnsHavePhysics() == false)
	{
		return 0;
	}
	tnsVoxelScene* scene = LoadVoxelScene("crates");
	ENSURE(scene != NULL);
	const tnsVoxelSceneInfo* info = tnsVoxelScene_GetInfo(scene);
	ENSURE_EQUAL_INT(info->bodyCount, 12);
	uint64_t hashes[2];
	for (int i = 0; i < 2; ++i)
	{
		tnsVoxelRun* run = BeginWithWorkers(scene, 1 + 2 * i);
		ENSURE(run != NULL);
		const tnVoxelWorld* world = tnsVoxelRun_GetWorld(run);
		const tnsRun* bodies = tnsVoxelRun_GetBodies(run);
		ENSURE_EQUAL_INT(tnVoxelWorld_GetBodies(world, NULL, 0), 12);
		const int64_t before = (int64_t)49 * 3 * 32 * info->worldDef.cap;
		ENSURE(StepTo(run, 170));
		const tnVoxelLedger closed = tnVoxelWorld_GetLedger(world, 1);
		ENSURE_EQUAL_INT(closed.drift, 0);
		ENSURE(llabs(CountInHall(world) - before) <= closed.waiting);
		ENSURE(StepTo(run, 420));
		ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, 1).drift, 0);
		ENSURE(CountInHall(world) > before + before / 4);
		// Crates are where the water is, not in the ground and not in the air.
		for (int body = 1; body < tnsRun_GetBodyEnd(bodies); ++body)
		{
			tnsBody crate;
			ENSURE(tnsRun_GetBody(bodies, body, &crate));
			ENSURE(crate.pose.position.y > 2.0f && crate.pose.position.y < 8.0f);
			ENSURE(crate.pose.position.x > 1.5f && crate.pose.position.x < 46.5f);
		}
		hashes[i] = tnVoxelWorld_GetHash(world);
		tnsDestroyVoxelRun(run);
	}
	ENSURE_EQUAL_HEX(hashes[0], hashes[1]);
	tnsDestroyVoxelScene(scene);
	return 0;
}

// What is wrong with a body is said, with its place.
static int BadBodiesOfVoxelScenesAreNamed(void)
{
	static const struct
	{
		const char* body;
		const char* text;
	} rows[] = {
		{"{\"shape\": \"box\", \"size\": [1, 1, 1]}", "position"},
		{"{\"shape\": \"box\", \"size\": [1, -1, 1], \"position\": [2, 2, 2]}", "size"},
		{"{\"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [2, 2, 2], \"mode\": \"dam\"}", "mode"},
		{"{\"shape\": \"egg\", \"position\": [2, 2, 2]}", "shape"},
	};
	for (int i = 0; i < 4; ++i)
	{
		char text[512];
		snprintf(text, sizeof(text), "{\"voxels\": {\"size\": [8, 8, 8]}, \"bodies\": [%s]}", rows[i].body);
		tnsResult result;
		ENSURE(tnsParseVoxelScene(text, strlen(text), "bad", &result) == NULL);
		ENSURE(result.status != tns_ok);
		ENSURE(strstr(result.text, rows[i].text) != NULL);
	}
	return 0;
}

static const Test s_tests[] = {
	{"TheGateOpensAndCratesFloat", TheGateOpensAndCratesFloat},
	{"BadBodiesOfVoxelScenesAreNamed", BadBodiesOfVoxelScenesAreNamed},
	{"BothArmsOfTheBendLevel", BothArmsOfTheBendLevel},
	{"EveryVoxelSceneRunsToItsEnd", EveryVoxelSceneRunsToItsEnd},
	{"TheCaveFills", TheCaveFills},
	{"BothPondsAndThePitGetWater", BothPondsAndThePitGetWater},
	{"AllWaterGoesDownhill", AllWaterGoesDownhill},
	{"RandomLandComesToRest", RandomLandComesToRest},
	{"LavaMakesLand", LavaMakesLand},
	{"TheDamBreaksAndTheVillageGetsWet", TheDamBreaksAndTheVillageGetsWet},
	{"HoldsFillOneByOne", HoldsFillOneByOne},
	{"TheWheelOfTheAqueductTurns", TheWheelOfTheAqueductTurns},
	{"ThingsHappenWhenTheyAreDue", ThingsHappenWhenTheyAreDue},
	{"FormsHaveTheirVolumes", FormsHaveTheirVolumes},
	{"GroundIsGolden", GroundIsGolden},
	{"WheelsFollowTheStream", WheelsFollowTheStream},
	{"WheelsTurnAroundBothAxes", WheelsTurnAroundBothAxes},
	{"MistakesAreNamed", MistakesAreNamed},
	{"TheWorldRefusesWithAPlace", TheWorldRefusesWithAPlace},
	{"KindsOfScenesAreToldApart", KindsOfScenesAreToldApart},
};
const TestSuite voxel_sceneSuite = TEST_SUITE("voxel_scene", s_tests);

// SPDX-License-Identifier: MIT

// Camera paths of scene files.

#include "harness.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tnsScene* Parse(const char* text, tnsResult* result)
{
	return tnsParseScene(text, strlen(text), "s.json", NULL, result);
}

// A camera that nobody has touched.
static const tnsCamera s_untouched = {{-1.0f, -2.0f, -3.0f}, {-4.0f, -5.0f, -6.0f}, -7.0f};

static int NoCamera(void)
{
	tnsResult result;
	tnsScene* scene = Parse("{}", &result);
	ENSURE(scene != NULL);
	ENSURE(tnsScene_GetInfo(scene)->hasCamera == false);
	ENSURE(tnsScene_GetInfo(scene)->videoSpeed == 1.0);
	tnsCamera camera = s_untouched;
	ENSURE(tnsScene_GetCamera(scene, 0.0, &camera) == false);
	ENSURE(memcmp(&camera, &s_untouched, sizeof(camera)) == 0);
	tnsDestroyScene(scene);
	return 0;
}

static const char s_keys[] = "{\"camera\": {\"speed\": 4, \"keys\": ["
							 "{\"time\": 1, \"eye\": [0, 10, 20], \"target\": [0, 0, 0], \"fieldOfView\": 30},"
							 "{\"time\": 2, \"eye\": [8, 10, 20], \"target\": [0, 0, 0]},"
							 "{\"time\": 4, \"eye\": [9, 30, 20], \"target\": [1, 0, 0]},"
							 "{\"time\": 5, \"eye\": [9, 12, 20], \"target\": [1, 0, 0], \"fieldOfView\": 60}]}}";

static int KeysAreReachedAndHeld(void)
{
	tnsResult result;
	tnsScene* scene = Parse(s_keys, &result);
	ENSURE_TEXT(result.text, "");
	ENSURE(tnsScene_GetInfo(scene)->hasCamera);
	ENSURE(tnsScene_GetInfo(scene)->videoSpeed == 4.0);
	static const struct
	{
		double time;
		tnVec3 eye;
		float targetX, degrees;
	} wanted[] = {
		{-1.0e9, {0.0f, 10.0f, 20.0f}, 0.0f, 30.0f},
		{0.0, {0.0f, 10.0f, 20.0f}, 0.0f, 30.0f},
		{1.0, {0.0f, 10.0f, 20.0f}, 0.0f, 30.0f},
		{2.0, {8.0f, 10.0f, 20.0f}, 0.0f, 30.0f},
		{4.0, {9.0f, 30.0f, 20.0f}, 1.0f, 30.0f},
		{5.0, {9.0f, 12.0f, 20.0f}, 1.0f, 60.0f},
		{1.0e9, {9.0f, 12.0f, 20.0f}, 1.0f, 60.0f},
		{(double)INFINITY, {9.0f, 12.0f, 20.0f}, 1.0f, 60.0f},
	};
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); ++i)
	{
		tnsCamera camera = s_untouched;
		ENSURE(tnsScene_GetCamera(scene, wanted[i].time, &camera));
		// float32 of coordinates below 32 m.
		ENSURE_CLOSE(camera.eye.x, wanted[i].eye.x, 4.0e-6);
		ENSURE_CLOSE(camera.eye.y, wanted[i].eye.y, 4.0e-6);
		ENSURE_CLOSE(camera.eye.z, wanted[i].eye.z, 4.0e-6);
		ENSURE_CLOSE(camera.target.x, wanted[i].targetX, 4.0e-6);
		ENSURE_CLOSE(camera.fieldOfView, (double)wanted[i].degrees * 3.14159265358979 / 180.0, 1.0e-6);
	}
	tnsDestroyScene(scene);
	return 0;
}

// Between keys nothing jumps, nothing leaves the interval of the two values, and the speed does not jump either.
static int KeysAreSmooth(void)
{
	tnsResult result;
	tnsScene* scene = Parse(s_keys, &result);
	ENSURE(scene != NULL);
	const double step = 1.0e-3;
	tnsCamera before;
	tnsCamera last;
	ENSURE(tnsScene_GetCamera(scene, 0.9, &before));
	ENSURE(tnsScene_GetCamera(scene, 0.9 + step, &last));
	for (int i = 2; i < 4300; ++i)
	{
		const double time = 0.9 + i * step;
		tnsCamera now;
		ENSURE(tnsScene_GetCamera(scene, time, &now));
		// The steepest piece falls 18 m in a second; a cubic at rest at both ends gets to 3/2 of that, and its speed
		// changes by at most 6 x 18 m in a second, in steps of 1 ms. On top the rounding of float32.
		ENSURE(fabs((double)(now.eye.y - last.eye.y)) < 1.5 * 18.0 * step * 1.001 + 4.0e-6);
		ENSURE(fabs((double)(now.eye.y - 2.0f * last.eye.y + before.eye.y)) < 6.0 * 18.0 * step * step * 1.01 + 8.0e-6);
		ENSURE(now.eye.x >= last.eye.x - 1.0e-6f && now.eye.x <= 9.0f);
		ENSURE(now.eye.y >= 10.0f - 1.0e-6f && now.eye.y <= 30.0f);
		if (time < 2.0)
		{
			ENSURE(now.eye.y == 10.0f && now.target.x == 0.0f);
		}
		before = last;
		last = now;
	}
	tnsDestroyScene(scene);
	return 0;
}

static int OneKeyStands(void)
{
	tnsResult result;
	tnsScene* scene =
		Parse("{\"camera\": {\"keys\": [{\"time\": 3, \"eye\": [1, 2, 3], \"target\": [4, 5, 6]}]}}", &result);
	ENSURE_TEXT(result.text, "");
	for (int time = 0; time < 6; ++time)
	{
		tnsCamera camera;
		ENSURE(tnsScene_GetCamera(scene, time, &camera));
		ENSURE(camera.eye.x == 1.0f && camera.eye.y == 2.0f && camera.eye.z == 3.0f && camera.target.z == 6.0f);
		ENSURE_CLOSE(camera.fieldOfView, 0.785398163, 1.0e-7);
	}
	tnsDestroyScene(scene);
	return 0;
}

static int Orbit(void)
{
	tnsResult result;
	tnsScene* scene = Parse("{\"seconds\": 8, \"camera\": {\"orbit\": {\"target\": [5, 1, 7], \"distance\": 10,"
							"\"height\": 4, \"from\": 0, \"to\": 90, \"fieldOfView\": 50}}}",
		&result);
	ENSURE_TEXT(result.text, "");
	// In the south, half-way to the east, and in the east.
	const float diagonal = 7.07106781f;
	const float wanted[][3] = {{-1.0f, 5.0f, 17.0f}, {0.0f, 5.0f, 17.0f}, {4.0f, 5.0f + diagonal, 7.0f + diagonal},
		{8.0f, 15.0f, 7.0f}, {99.0f, 15.0f, 7.0f}};
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); ++i)
	{
		tnsCamera camera;
		ENSURE(tnsScene_GetCamera(scene, (double)wanted[i][0], &camera));
		ENSURE_CLOSE(camera.eye.x, wanted[i][1], 4.0e-6);
		ENSURE_CLOSE(camera.eye.y, 5.0, 1.0e-6);
		ENSURE_CLOSE(camera.eye.z, wanted[i][2], 4.0e-6);
		ENSURE(camera.target.x == 5.0f && camera.target.y == 1.0f && camera.target.z == 7.0f);
		ENSURE_CLOSE(camera.fieldOfView, 0.872664626, 1.0e-7);
	}
	tnsDestroyScene(scene);
	return 0;
}

static int WrongCameras(void)
{
#define KEY "{\"time\": 0, \"eye\": [0, 9, 9], \"target\": [0, 0, 0]}"
	static const struct
	{
		const char* text;
		const char* error;
	} cases[] = {
		{"{\"camera\": 3}", "s.json:1:12: camera must be an object"},
		{"{\"camera\": {}}", "s.json:1:12: camera needs "},
		{"{\"camera\": {\"keys\": [" KEY "], \"orbit\": {}}}", "s.json:1:"},
		{"{\"camera\": {\"kyes\": []}}", "s.json:1:13: unknown key \"kyes\" in camera; did you mean \"keys\"?"},
		{"{\"camera\": {\"speed\": 0, \"keys\": [" KEY "]}}",
			"s.json:1:22: speed must be a number from 0.001 to 10000"},
		{"{\"camera\": {\"keys\": {}}}", "s.json:1:21: keys must be an array"},
		{"{\"camera\": {\"keys\": []}}", "s.json:1:21: keys needs at least one key"},
		{"{\"camera\": {\"keys\": [3]}}", "s.json:1:22: a key of the camera must be an object"},
		{"{\"camera\": {\"keys\": [{\"eye\": [0, 0, 9], \"target\": [0, 0, 0]}]}}",
			"s.json:1:22: a key of the camera needs \"time\""},
		{"{\"camera\": {\"keys\": [{\"time\": 0, \"target\": [0, 0, 0]}]}}",
			"s.json:1:22: a key of the camera needs \"eye\""},
		{"{\"camera\": {\"keys\": [{\"time\": -1, \"eye\": [0, 0, 9], \"target\": [0, 0, 0]}]}}",
			"s.json:1:31: time must be a number from 0 to 10000000, got -1"},
		{"{\"camera\": {\"keys\": [{\"time\": 0, \"eye\": [0, 9], \"target\": [0, 0, 0]}]}}",
			"s.json:1:41: eye must be an array of 3 numbers"},
		{"{\"camera\": {\"keys\": [{\"time\": 0, \"eye\": [0, \"up\", 9], \"target\": [0, 0, 0]}]}}",
			"s.json:1:45: eye must be"},
		{"{\"camera\": {\"keys\": [{\"time\": 0, \"eye\": [0, 9, 1e30], \"target\": [0, 0, 0]}]}}",
			"s.json:1:48: eye must be"},
		{"{\"camera\": {\"keys\": [{\"time\": 0, \"eye\": [0, 9, 9], \"target\": [0, 0, 0], \"fieldOfView\": 180}]}}",
			"s.json:1:88: fieldOfView must be a number from 5 to 120, got 180"},
		{"{\"camera\": {\"keys\": [{\"time\": 0, \"eye\": [2, 9, 3], \"target\": [2, 0, 3]}]}}",
			"s.json:1:22: eye and target of a camera must not be above each other"},
		{"{\"camera\": {\"keys\": [" KEY ",\n" KEY "]}}",
			"s.json:2:10: times of the camera's keys must increase by at least 0.001, got 0 after 0"},
		{"{\"camera\": {\"keys\": [" KEY ",{\"time\": 1e-320, \"eye\": [9, 9, 9], \"target\": [0, 0, 0]}]}}",
			"s.json:1:82: times of the camera's keys must increase by at least 0.001"},
		{"{\"camera\": {\"orbit\": {\"distance\": 1, \"height\": 1}}}", "s.json:1:22: orbit needs \"target\""},
		{"{\"camera\": {\"orbit\": {\"target\": [0, 0, 0], \"height\": 1}}}", "s.json:1:22: orbit needs \"distance\""},
		{"{\"camera\": {\"orbit\": {\"target\": [0, 0, 0], \"distance\": 0, \"height\": 1}}}",
			"s.json:1:56: distance must be a number from 0.01 to "},
		{"{\"camera\": {\"orbit\": {\"target\": [0, 0, 0], \"distance\": 5, \"height\": 1, \"turns\": 2}}}",
			"s.json:1:72: unknown key \"turns\" in orbit"},
	};
#undef KEY
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		tnsResult result;
		tnsScene* scene = Parse(cases[i].text, &result);
		ENSURE_TEXT(result.text, cases[i].error);
		ENSURE(scene == NULL);
		ENSURE_EQUAL_INT(result.status, tns_badScene);
	}
	return 0;
}

// In every scene that comes with tarn the camera stays above the ground, and looks at a place in the world.
static int CamerasOfTheScenes(void)
{
	static const char* const names[] = {
#include "scene_names.inc"
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
	{
		char path[512];
		snprintf(path, sizeof(path), "%s/scenes/%s.json", TARN_SOURCE_FOLDER, names[i]);
		tnsResult result;
		tnsScene* scene = tnsLoadScene(path, &result);
		ENSURE_TEXT(result.text, "");
		ENSURE(tnsScene_GetInfo(scene)->hasCamera);
		tnsRun* run = NULL;
		result = tnsStartScene(scene, NULL, &run);
		ENSURE_TEXT(result.text, "");
		const tnWorld* world = tnsRun_GetWorld(run);
		const tnWorldDef def = tnWorld_GetDef(world);
		for (int k = 0; k <= 100; ++k)
		{
			tnsCamera camera;
			ENSURE(tnsScene_GetCamera(scene, tnsScene_GetInfo(scene)->seconds * k / 100.0, &camera));
			const tnSample below = tnWorld_Sample(world, (tnVec2){camera.eye.x, camera.eye.z});
			// Far enough that the near plane does not cut hills open.
			ENSURE(camera.eye.y > below.surface + 2.0f * def.cellSize);
			const float x = camera.target.x - def.origin.x;
			const float z = camera.target.z - def.origin.z;
			ENSURE(x >= 0.0f && x <= (float)def.columnCount * def.cellSize);
			ENSURE(z >= 0.0f && z <= (float)def.rowCount * def.cellSize);
		}
		tnsDestroyRun(run);
		tnsDestroyScene(scene);
	}
	return 0;
}

static const Test s_tests[] = {
	{"NoCamera", NoCamera},
	{"KeysAreReachedAndHeld", KeysAreReachedAndHeld},
	{"KeysAreSmooth", KeysAreSmooth},
	{"OneKeyStands", OneKeyStands},
	{"Orbit", Orbit},
	{"WrongCameras", WrongCameras},
	{"CamerasOfTheScenes", CamerasOfTheScenes},
};
const TestSuite cameraSuite = TEST_SUITE("camera", s_tests);

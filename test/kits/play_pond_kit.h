// SPDX-License-Identifier: MIT

#pragma once

// A viewer on a picture in memory, with a pond and a river. Files of scenes begin with PLAY_FILES, which a test file
// defines first.

#include "harness.h"
#include "headless.h"
#include "viewer/play_internal.h"

#include <stdio.h>

enum
{
	windowWidth = 640,
	windowHeight = 360,
	// Window pixels per real pixel: software draws slowly, and nothing here looks at details.
	coarseness = 4,
};

// A scene without anything that moves or changes its volume by itself: still water in a box with an island.
static const char s_pondText[] = "{\"name\": \"pond\", \"world\": {\"columns\": 61, \"rows\": 47, \"cellSize\": 0.5},"
								 "\"timeStep\": 0.0166666667, \"manning\": 0.03, \"method\": \"shallow\","
								 "\"terrain\": {\"kind\": \"flat\", \"features\": ["
								 "{\"add\": \"cone\", \"x\": 7, \"z\": 7, \"radius\": 5, \"height\": 2}]},"
								 "\"water\": {\"level\": 0.5}}";

// Two springs at the sides, rain and a dam that goes: water that is never at rest.
static const char s_riverText[] = "{\"name\": \"river\", \"world\": {\"columns\": 67, \"rows\": 43, \"cellSize\": 1},"
								  "\"timeStep\": 0.0166666667, \"manning\": 0.03, \"method\": \"shallow\","
								  "\"terrain\": {\"kind\": \"plane\", \"slope\": [-0.05, 0.01]},"
								  "\"water\": {\"boxes\": [{\"x\": 9, \"z\": 20, \"width\": 18, \"length\": 30,"
								  " \"depth\": 2}]},"
								  "\"rain\": {\"mmPerHour\": 500},"
								  "\"sources\": [{\"x\": 40, \"z\": 30, \"radius\": 2, \"rate\": 3}]}";

typedef struct Fixture
{
	tnrHeadless* headless;
	tnpPlay* play;
	int width, height;
} Fixture;

static const char* const s_paths[] = {
	PLAY_FILES "_pond.json", PLAY_FILES "_river.json", PLAY_FILES "_broken.json", PLAY_FILES "_nowhere.json"};

static inline bool WriteFile(const char* path, const char* text)
{
	FILE* file = fopen(path, "w");
	if (file == NULL)
	{
		return false;
	}
	fputs(text, file);
	return fclose(file) == 0;
}

static inline bool Open(Fixture* fixture, int width, int height, int firstScene, bool dye)
{
	static const tnpSceneItem items[] = {{"pond", PLAY_FILES "_pond.json", false},
		{"river", PLAY_FILES "_river.json", false}, {"broken", PLAY_FILES "_broken.json", false},
		{"nowhere", PLAY_FILES "_nowhere.json", false}};
	*fixture = (Fixture){.width = width, .height = height};
	if (!WriteFile(s_paths[0], s_pondText) || !WriteFile(s_paths[1], s_riverText) ||
		!WriteFile(s_paths[2], "{\"world\": {\"columns\": -1}}"))
	{
		return false;
	}
	tnrResult result;
	fixture->headless = tnrCreateHeadless(width / coarseness, height / coarseness, &result);
	if (fixture->headless != NULL)
	{
		tnpPlayDef def = tnpDefaultPlayDef();
		def.scenes = items;
		def.sceneCount = 4;
		def.firstScene = firstScene;
		def.workerCount = 1;
		def.dye = dye;
		fixture->play = tnpCreatePlay(&def, &result);
	}
	if (fixture->play == NULL)
	{
		printf("%s\n", result.text);
	}
	return fixture->play != NULL;
}

static inline void Close(Fixture* fixture)
{
	tnpDestroyPlay(fixture->play);
	tnrDestroyHeadless(fixture->headless);
	for (int i = 0; i < 3; ++i)
	{
		remove(s_paths[i]);
	}
}

static inline void Frames(Fixture* fixture, int count, double seconds)
{
	for (int i = 0; i < count; ++i)
	{
		tnpPlay_Frame(fixture->play, seconds, tnrHeadless_GetFramebuffer(fixture->headless),
			fixture->width / coarseness, fixture->height / coarseness, 1.0f / coarseness);
	}
}

// Put the mouse over a place of the world.
static inline bool PointAt(Fixture* fixture, float x, float z)
{
	const tnrCamera camera = tnpPlay_GetCamera(fixture->play);
	const tnVec3 place = {x, tnWorld_Sample(fixture->play->world, (tnVec2){x, z}).surface, z};
	float px, py;
	if (!tnpProject(&camera, (float)fixture->width, (float)fixture->height, place, &px, &py))
	{
		return false;
	}
	tnpPlay_MouseMove(fixture->play, px, py);
	return px > 0.0f && py > 0.0f && px < (float)fixture->width && py < (float)fixture->height;
}

static inline void Click(Fixture* fixture, float x, float y)
{
	tnpPlay_MouseMove(fixture->play, x, y);
	tnpPlay_MouseButton(fixture->play, tnp_leftButton, true);
	tnpPlay_MouseButton(fixture->play, tnp_leftButton, false);
}

static inline double SumLedger(const tnLedger* ledger)
{
	double sum = ledger->sources + ledger->drains + ledger->wells + ledger->rain + ledger->evaporation +
		ledger->infiltration + ledger->edits;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		sum += ledger->edges[side];
	}
	return sum;
}

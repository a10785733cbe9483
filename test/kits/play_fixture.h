// SPDX-License-Identifier: MIT

#pragma once

// A viewer on a picture in memory, with scenes that tests write themselves.

#include "harness.h"
#include "headless.h"
#include "viewer/play_internal.h"

#include <stdio.h>

enum
{
	windowWidth = 640,
	windowHeight = 360,
	// Window pixels per real pixel: software draws slowly, and nothing here looks at details.
	coarseness = 8,
};

typedef struct Fixture
{
	tnrHeadless* headless;
	tnpPlay* play;
	const tnpSceneItem* items;
	int count;
} Fixture;

// Write texts to the files of scenes, and open a viewer with these. Without texts the files are there already, and stay.
static inline bool OpenFixture(Fixture* fixture, const tnpSceneItem* items, const char* const* texts, int count)
{
	*fixture = (Fixture){.items = items, .count = texts != NULL ? count : 0};
	for (int i = 0; i < fixture->count; ++i)
	{
		FILE* file = fopen(items[i].path, "w");
		if (file == NULL || fputs(texts[i], file) < 0 || fclose(file) != 0)
		{
			return false;
		}
	}
	tnrResult result;
	fixture->headless = tnrCreateHeadless(windowWidth / coarseness, windowHeight / coarseness, &result);
	if (fixture->headless != NULL)
	{
		tnpPlayDef def = tnpDefaultPlayDef();
		def.scenes = items;
		def.sceneCount = count;
		def.workerCount = 1;
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
	for (int i = 0; i < fixture->count; ++i)
	{
		remove(fixture->items[i].path);
	}
}

// Only the first one draws: the others are those of a window that is hidden.
static inline void Frames(Fixture* fixture, int count)
{
	for (int i = 0; i < count; ++i)
	{
		const int width = i == 0 ? windowWidth / coarseness : 0;
		tnpPlay_Frame(fixture->play, 1.0 / 60.0, tnrHeadless_GetFramebuffer(fixture->headless), width,
			windowHeight / coarseness, 1.0f / coarseness);
	}
}

// Put the mouse over a place. False if that is not in the window.
static inline bool PointAt(Fixture* fixture, tnVec3 place)
{
	const tnrCamera camera = tnpPlay_GetCamera(fixture->play);
	float x, y;
	if (tnpProject(&camera, windowWidth, windowHeight, place, &x, &y) == false)
	{
		return false;
	}
	tnpPlay_MouseMove(fixture->play, x, y);
	return x > 0.0f && y > 0.0f && x < windowWidth && y < windowHeight;
}

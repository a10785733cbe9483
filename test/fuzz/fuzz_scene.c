// SPDX-License-Identifier: MIT

// Any bytes as the text of a scene: it is refused with a text, or it can be started and stepped.

#include "level.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>

// A player who does a bit of everything. What the level does not have is refused.
static void Play(tnsLevel* level, int step)
{
	const tnVec3 target = {1.0f + (float)step, 0.5f, 2.0f};
	(void)tnsLevel_AimHose(level, step != 2 ? &target : NULL);
	(void)tnsLevel_Drive(level, (tnVec2){1.0f, (float)step});
	(void)tnsLevel_Stack(level, target, NULL);
	(void)tnsLevel_Cut(level, step);
}

static void Look(tnsLevel* level)
{
	tnsLevel_Update(level);
	for (int i = 0; i < tnsLevel_GetInfo(level)->goalCount; ++i)
	{
		const tnsGoalReport report = tnsLevel_GetGoal(level, i);
		if (!(report.progress >= 0.0f && report.progress <= 1.0f) || !isfinite(report.value))
		{
			abort();
		}
	}
	for (int i = 0; i < tnsLevel_GetInfo(level)->toolCount; ++i)
	{
		if (!(tnsLevel_GetLeft(level, i) >= 0.0))
		{
			abort();
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	tnsResult result;
	tnsScene* scene = tnsParseScene((const char*)bytes, size, "fuzz", NULL, &result);
	if ((scene != NULL) != (result.status == tns_ok) || (result.status != tns_ok && result.text[0] == 0))
	{
		abort();
	}
	if (scene == NULL)
	{
		return 0;
	}
	tnsCamera camera;
	for (int i = 0; i < 8; ++i)
	{
		if (tnsScene_GetCamera(scene, 0.3 * i, &camera) &&
			!(isfinite(camera.eye.x) && isfinite(camera.eye.y) && isfinite(camera.eye.z) && isfinite(camera.target.x) &&
				camera.fieldOfView > 0.0f && camera.fieldOfView < 3.0f))
		{
			abort();
		}
	}
	// Large worlds and heaps of bodies are slow, not wrong. Text is what is under test here.
	const tnsSceneInfo* info = tnsScene_GetInfo(scene);
	const int64_t cellCount = (int64_t)info->worldDef.columnCount * info->worldDef.rowCount;
	const bool isQuick = info->bodyCount == 0 || (info->bodyCount <= 16 && info->timeStep <= 0.05f);
	const tnWavesDef* waves = &info->worldDef.waves;
	const bool isSmall = waves->enable == false || (waves->tileCount <= 64 && waves->levelCount <= 6);
	if (cellCount <= 32 * 32 && info->timeStep <= 1.0f && info->worldDef.maxSubSteps <= 16 && isQuick && isSmall)
	{
		tnsRun* run = NULL;
		result = tnsStartScene(scene, NULL, &run);
		tnsLevel* level = result.status == tns_ok ? tnsCreateLevel(run, &result) : NULL;
		for (int step = 0; step < 4 && result.status == tns_ok; ++step)
		{
			if (level != NULL)
			{
				Play(level, step);
			}
			result = tnsRun_Step(run);
			if (level != NULL)
			{
				Look(level);
			}
		}
		tnsDestroyLevel(level);
		tnsDestroyRun(run);
	}
	tnsDestroyScene(scene);
	return 0;
}

// SPDX-License-Identifier: MIT

// Any bytes as the text of a scene: it is refused with a text, or it can be started and stepped.

#include "scene.h"

#include <math.h>
#include <stdlib.h>

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
		for (int step = 0; step < 4 && result.status == tns_ok; ++step)
		{
			result = tnsRun_Step(run);
		}
		tnsDestroyRun(run);
	}
	tnsDestroyScene(scene);
	return 0;
}

// SPDX-License-Identifier: MIT

// Any bytes as the text of a scene of voxels: it is refused with a text, or it can be begun and stepped, and no unit is
// lost.

#include "fuzz_voxel_kit.h"
#include "voxel_scene.h"

#include <math.h>

// Large worlds are slow, not wrong.
static bool IsQuick(const tnsVoxelSceneInfo* info)
{
	return info->size.x <= 64 && info->size.y <= 64 && info->size.z <= 64;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
	tnsResult result;
	tnsVoxelScene* scene = tnsParseVoxelScene((const char*)bytes, size, "fuzz", &result);
	REQUIRE((scene != NULL) == (result.status == tns_ok));
	REQUIRE(result.status == tns_ok || result.text[0] != 0);
	if (scene == NULL)
	{
		return 0;
	}
	REQUIRE(tnsIsVoxelScene((const char*)bytes, size));
	const tnsVoxelSceneInfo* info = tnsVoxelScene_GetInfo(scene);
	if (IsQuick(info))
	{
		tnsVoxelRun* run = tnsVoxelScene_Begin(scene, &result);
		REQUIRE((run != NULL) == (result.status == tns_ok));
		for (int step = 0; step < 6 && result.status == tns_ok; ++step)
		{
			result = tnsVoxelRun_Step(run);
		}
		if (run != NULL)
		{
			(void)tnsVoxelRun_IsAtRest(run);
			CheckLedgers(tnsVoxelRun_GetWorld(run));
			CheckVoxels(tnsVoxelRun_GetWorld(run), (tnVoxelBox){{0, 0, 0}, info->size});
			for (int i = 0; i < info->wheelCount; ++i)
			{
				const tnsWheel wheel = tnsVoxelRun_GetWheel(run, i);
				REQUIRE(isfinite(wheel.spin) && isfinite(wheel.turns) && isfinite(wheel.cosine + wheel.sine));
			}
		}
		tnsDestroyVoxelRun(run);
	}
	tnsDestroyVoxelScene(scene);
	return 0;
}

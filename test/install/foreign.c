// SPDX-License-Identifier: MIT

// Pours a cubic meter into a small basin with the installed library. Exit code 0 if it is all there afterwards.

#include <tarn/tarn.h>

#include <stdio.h>

#if TN_VERSION != TN_VERSION_MAJOR * 10000 + TN_VERSION_MINOR * 100 + TN_VERSION_PATCH
#error TN_VERSION is not made of its parts
#endif

static int Report(tnResult result)
{
	printf("tarn failed: %s\n", result.text);
	return 1;
}

int main(void)
{
	if (tnGetVersion() != TN_VERSION)
	{
		printf("headers of version %d, library of version %d\n", TN_VERSION, tnGetVersion());
		return 1;
	}

	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 21;
	def.rowCount = 13;
	tnWorld* world = NULL;
	tnResult result = tnCreateWorld(&def, &world);
	if (result.status != tn_ok)
	{
		return Report(result);
	}

	const tnVec2 center = {10.5f, 6.5f};
	result = tnWorld_AddWater(world, center, 2.0f, 1.0f, NULL);
	for (int i = 0; i < 60 && result.status == tn_ok; ++i)
	{
		result = tnWorld_Step(world, 1.0f / 60.0f);
	}
	if (result.status != tn_ok)
	{
		tnDestroyWorld(world);
		return Report(result);
	}

	const double volume = tnWorld_GetLedger(world).volume;
	const double time = tnWorld_GetTime(world);
	tnDestroyWorld(world);
	printf("%.9f m^3 after %.9f s\n", volume, time);
	// Depths are float32: 60 steps, each off by at most half a unit in the last place, 6e-8 of the volume.
	return volume > 1.0 - 3.6e-6 && volume < 1.0 + 3.6e-6 && time > 0.999 && time < 1.001 ? 0 : 1;
}

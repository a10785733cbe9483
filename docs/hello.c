// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <tarn/tarn.h>

int main(void)
{
	tnWorldDef def = tnDefaultWorldDef(); // 128 x 128 cells of 1 m: flat, dry, walls around
	tnWorld* world;
	if (tnCreateWorld(&def, &world).status != tn_ok)
	{
		return 1;
	}
	tnWorld_AddWater(world, (tnVec2){32.0f, 64.0f}, 8.0f, 500.0f, NULL); // 500 m^3 on a disc of 8 m radius
	while (tnWorld_GetTime(world) < 5.0)
	{
		tnWorld_Step(world, 1.0f / 60.0f);
	}
	tnSample here = tnWorld_Sample(world, (tnVec2){48.0f, 64.0f});
	printf("%.2f m deep, %.2f m/s to the east, ", here.depth, here.velocity.x);
	printf("%.1f m^3 of water in the world\n", tnWorld_GetLedger(world).volume);
	tnDestroyWorld(world);
}

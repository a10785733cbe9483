// SPDX-License-Identifier: MIT

#include <headless.h>
#include <stdio.h>
#include <tarn/tarn.h>

static uint8_t s_pixels[640 * 360 * 3];

int main(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	tnWorld* world;
	tnrResult result;
	tnrHeadless* context = tnrCreateHeadless(640, 360, &result); // or the context of your window
	tnrRenderer* renderer = context != NULL ? tnrCreateRenderer(&result) : NULL;
	if (renderer == NULL || tnCreateWorld(&def, &world).status != tn_ok)
	{
		fprintf(stderr, "%s\n", result.text);
		return 1;
	}
	tnWorld_AddWater(world, (tnVec2){64.0f, 64.0f}, 20.0f, 4000.0f, NULL);
	tnrRenderer_SetWorld(renderer, world, NULL); // once for each world
	tnrFrame frame = {.camera = tnrGetOverview(world), .look = tnrDefaultLook(), .width = 640, .height = 360};
	frame.framebuffer = tnrHeadless_GetFramebuffer(context); // 0 for a window
	for (int i = 0; i < 60; ++i)
	{
		tnWorld_Step(world, 1.0f / 60.0f);
		frame.time = tnWorld_GetTime(world);
		tnrRenderer_Update(renderer, world, 1.0f); // what the picture shows: here the last state
	}
	tnrRenderer_Draw(renderer, &frame); // a game draws after every update
	tnrHeadless_Read(context, s_pixels);
	FILE* file = fopen("picture.ppm", "wb");
	if (file != NULL)
	{
		fprintf(file, "P6 640 360 255\n");
		printf("%d rows in picture.ppm\n", (int)fwrite(s_pixels, 640 * 3, 360, file));
		fclose(file);
	}
	tnrDestroyRenderer(renderer); // while its context is current
	tnrDestroyHeadless(context);
	tnDestroyWorld(world);
}

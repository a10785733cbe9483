// SPDX-License-Identifier: MIT

// Voxel worlds in pictures: water, lava, and what changes.

#include "canvas.h"
#include "voxel_kit.h"
#include "voxels/draw_voxels.h"

#include <stdio.h>
#include <string.h>

// Level ground at y = 8 with a basin from (8, 8) to (24, 24), 5 voxels deep, and beside it a pit with liquid 2.
static tnVoxelWorld* MakeBasins(void)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.liquidCount = 2;
	def.voxelSize = 0.5f;
	tnVoxelWorld* world = MakeRock(&def);
	if (world != NULL)
	{
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(0, 8, 0, 128, 128, 128), 0);
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(8, 3, 8, 24, 8, 24), 0);
		(void)tnVoxelWorld_AddLiquid(world, VoxelBox(8, 3, 8, 24, 7, 24), 1, 1024, NULL);
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(32, 5, 8, 40, 8, 24), 0);
		(void)tnVoxelWorld_AddLiquid(world, VoxelBox(32, 5, 8, 40, 7, 24), 2, 1024, NULL);
	}
	return world;
}

static tnrVoxelDef MakeDef(void)
{
	tnrVoxelDef def = tnrDefaultVoxelDef();
	def.chunks = VoxelBox(0, 0, 0, 3, 2, 2);
	return def;
}

static tnrCamera MakeCamera(void)
{
	return (tnrCamera){.eye = {12.0f, 18.0f, 24.0f}, .target = {12.0f, 4.0f, 8.0f}, .fieldOfView = 0.9f};
}

// Mean of the pixels around the one that shows a place.
static void GetMean(const Canvas* canvas, const tnrFrame* frame, float x, float y, float z, float* mean)
{
	const Spot spot = Project(&frame->camera, (tnVec3){x, y, z});
	mean[0] = mean[1] = mean[2] = 0.0f;
	for (int i = 0; i < 49; ++i)
	{
		const uint8_t* pixel = GetPixel(canvas->pixels, (int)spot.x + i % 7 - 3, (int)spot.y + i / 7 - 3);
		for (int k = 0; k < 3; ++k)
		{
			mean[k] += (float)pixel[k] / 49.0f;
		}
	}
}

static int LiquidsAreSeen(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	tnVoxelWorld* world = MakeBasins();
	ENSURE(world != NULL);
	for (int style = 0; style < tn_voxelMeshStyleCount; ++style)
	{
		tnrVoxelDef def = MakeDef();
		def.style = (tnVoxelMeshStyle)style;
		ENSURE(tnrRenderer_SetVoxels(canvas.renderer, world, &def).ok);
		tnrFrame frame = MakeFrame(&canvas, MakeCamera());
		float wet[3], dry[3], bare[3], lava[3];
		Draw(&canvas, &frame);
		GetMean(&canvas, &frame, 8.0f, 3.5f, 8.0f, wet);
		GetMean(&canvas, &frame, 14.0f, 4.0f, 8.0f, dry);
		GetMean(&canvas, &frame, 18.0f, 3.5f, 8.0f, lava);
		frame.look.water = false;
		Draw(&canvas, &frame);
		GetMean(&canvas, &frame, 8.0f, 3.5f, 8.0f, bare);
		// Water takes red and gives blue; lava is red, and brighter than ground in the sun.
		ENSURE(wet[2] > wet[0] + 20.0f);
		ENSURE(bare[2] < bare[0] + 10.0f);
		ENSURE(lava[0] > dry[0] + 20.0f);
		ENSURE(lava[0] > lava[2] + 60.0f);
		float same[3];
		GetMean(&canvas, &frame, 14.0f, 4.0f, 8.0f, same);
		ENSURE_CLOSE(same[0], dry[0], 0.01);
	}
	tnDestroyVoxelWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

// After every change the picture is the one that a renderer makes that never saw what was before.
static int PicturesFollowTheWorld(void)
{
	static Canvas canvas;
	static uint8_t followed[byteCount];
	ENSURE(OpenCanvas(&canvas));
	tnVoxelWorld* world = MakeBasins();
	ENSURE(world != NULL);
	tnrVoxelDef def = MakeDef();
	def.cutOut = true;
	def.clip = VoxelBox(0, 0, 0, 44, 30, 30);
	ENSURE(tnrRenderer_SetVoxels(canvas.renderer, world, &def).ok);
	const tnrFrame frame = MakeFrame(&canvas, MakeCamera());
	tnVoxel changed[64];
	for (int step = 0; step < 40; ++step)
	{
		if (step == 3)
		{
			// A ditch between the basins.
			ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(24, 4, 14, 32, 8, 18), 0));
		}
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		int count = 64;
		while (count >= 64)
		{
			count = tnVoxelWorld_TakeChanged(world, changed, 64);
			tnrRenderer_UpdateVoxels(canvas.renderer, world, changed, count < 64 ? count : 64);
		}
	}
	Draw(&canvas, &frame);
	memcpy(followed, canvas.pixels, byteCount);
	ENSURE(tnrRenderer_SetVoxels(canvas.renderer, world, &def).ok);
	Draw(&canvas, &frame);
	ENSURE(memcmp(followed, canvas.pixels, byteCount) == 0);
	ENSURE(CompareGolden(&canvas, "voxels") == 0);
	tnDestroyVoxelWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

// Boxes stand among the voxels until others come, or another world.
static int BoxesAreSeen(void)
{
	static Canvas canvas;
	static uint8_t without[byteCount];
	ENSURE(OpenCanvas(&canvas));
	tnVoxelWorld* world = MakeBasins();
	ENSURE(world != NULL);
	const tnrVoxelDef def = MakeDef();
	const tnrFrame frame = MakeFrame(&canvas, MakeCamera());
	const tnrBoxDef box = {.center = {14.0f, 5.0f, 10.0f},
		.half = {1.0f, 1.0f, 1.0f},
		.rotation = {0.0f, 0.0f, 0.0f, 1.0f},
		.look = {.color = {0.8f, 0.05f, 0.05f}, .material = tnr_paintMaterial}};
	// Without a world there is nothing to put them in.
	tnrRenderer_SetBoxes(canvas.renderer, &box, 1);
	ENSURE(tnrRenderer_SetVoxels(canvas.renderer, world, &def).ok);
	Draw(&canvas, &frame);
	memcpy(without, canvas.pixels, byteCount);
	float bare[3], red[3];
	GetMean(&canvas, &frame, 14.0f, 6.0f, 10.0f, bare);
	tnrRenderer_SetBoxes(canvas.renderer, &box, 1);
	Draw(&canvas, &frame);
	GetMean(&canvas, &frame, 14.0f, 6.0f, 10.0f, red);
	ENSURE(red[0] > 2.0f * red[1] && red[0] > 2.0f * red[2]);
	ENSURE(bare[0] < 1.5f * bare[1]);
	tnrRenderer_SetBoxes(canvas.renderer, NULL, 0);
	Draw(&canvas, &frame);
	ENSURE(memcmp(without, canvas.pixels, byteCount) == 0);
	tnrRenderer_SetBoxes(canvas.renderer, &box, 1);
	ENSURE(tnrRenderer_SetVoxels(canvas.renderer, world, &def).ok);
	Draw(&canvas, &frame);
	ENSURE(memcmp(without, canvas.pixels, byteCount) == 0);
	tnDestroyVoxelWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

// Water that flows shows it: from moment to moment its picture changes more than that of water at rest, and the world stays as it was.
static int CurrentsAreSeen(void)
{
	static Canvas canvas;
	static uint8_t before[byteCount];
	ENSURE(OpenCanvas(&canvas));
	double change[2];
	for (int flows = 0; flows < 2; ++flows)
	{
		const tnVoxelWorldDef worldDef = tnDefaultVoxelWorldDef();
		tnVoxelWorld* world = MakeRock(&worldDef);
		ENSURE(world != NULL);
		// A channel, 8 wide and 4 deep, full; one end of it may be open over a pit.
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(0, 16, 0, 128, 128, 128), 0));
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(2, 10, 20, 60, 16, 28), 0));
		if (flows == 1)
		{
			ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(60, 1, 8, 120, 16, 40), 0));
		}
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(2, 10, 20, 60, 14, 28), 1, 1024, NULL));
		for (int step = 0; step < 40; ++step)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		const uint64_t hash = tnVoxelWorld_GetHash(world);
		const tnrVoxelDef def = tnrDefaultVoxelDef();
		ENSURE(tnrRenderer_SetVoxels(canvas.renderer, world, &def).ok);
		ENSURE(tnVoxelWorld_GetHash(world) == hash);
		tnrFrame frame = MakeFrame(
			&canvas, (tnrCamera){.eye = {30.0f, 30.0f, 34.0f}, .target = {30.0f, 12.0f, 24.0f}, .fieldOfView = 0.5f});
		frame.time = 1.0;
		Draw(&canvas, &frame);
		memcpy(before, canvas.pixels, byteCount);
		frame.time = 1.25;
		Draw(&canvas, &frame);
		change[flows] = 0.0;
		for (int i = 0; i < width * height; ++i)
		{
			change[flows] += GetDifference(before + 3 * i, canvas.pixels + 3 * i);
		}
		tnDestroyVoxelWorld(world);
	}
	printf("a picture changes by %.2f at rest, %.2f where it flows\n", change[0] / (width * height),
		change[1] / (width * height));
	ENSURE(change[1] > 1.5 * change[0]);
	CloseCanvas(&canvas);
	return 0;
}

static int BadVoxelsAreRefused(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	tnVoxelWorld* world = MakeBasins();
	ENSURE(world != NULL);
	tnrVoxelDef def = MakeDef();
	ENSURE(tnrRenderer_SetVoxels(canvas.renderer, NULL, &def).ok == false);
	def.chunks = VoxelBox(0, 0, 0, 0, 1, 1);
	ENSURE(tnrRenderer_SetVoxels(canvas.renderer, world, &def).ok == false);
	def.chunks = VoxelBox(0, 0, 0, 1000, 1000, 1000);
	ENSURE(tnrRenderer_SetVoxels(canvas.renderer, world, &def).ok == false);
	// Chunks that are not loaded are no mistake, there is only nothing to see.
	def.chunks = VoxelBox(-9, -9, -9, -7, -7, -7);
	ENSURE(tnrRenderer_SetVoxels(canvas.renderer, world, &def).ok);
	const tnrFrame frame = MakeFrame(&canvas, MakeCamera());
	Draw(&canvas, &frame);
	tnDestroyVoxelWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

// Are all meshes as they would be if all were made anew?
static int CompareWithNew(const tnrVoxels* voxels, tnVoxelWorld* world)
{
	tnrVoxels fresh;
	ENSURE(tnrMakeVoxels(&fresh, world, &voxels->def));
	tnrUpdateVoxels(&fresh, world, NULL, 0);
	for (int i = 0; i < voxels->chunkCount * tnr_voxelLayers; ++i)
	{
		// Nothing may have the key of nothing, or another one if there is something in a chunk beside it.
		const tnrVoxelPiece *piece = &voxels->pieces[i], *made = &fresh.pieces[i];
		ENSURE_EQUAL_INT(piece->indexCount, made->indexCount);
		ENSURE(piece->key == made->key || made->indexCount == 0);
	}
	tnrDestroyVoxels(&fresh);
	return 0;
}

// What is looked at after a change is all that looks different: edits anywhere, most of them near the sides of chunks.
static int NoMeshIsForgotten(void)
{
	static Canvas canvas;
	ENSURE(OpenCanvas(&canvas));
	tnVoxelWorld* world = MakeBasins();
	ENSURE(world != NULL);
	tnrVoxelDef def = MakeDef();
	def.clip = VoxelBox(1, 0, 2, 45, 29, 31);
	def.cutOut = true;
	tnrVoxels voxels;
	ENSURE(tnrMakeVoxels(&voxels, world, &def));
	tnrUpdateVoxels(&voxels, world, NULL, 0);
	TestRandom random = TestMakeRandom(5);
	for (int i = 0; i < 60; ++i)
	{
		const int x = TestRandomInt(&random, 0, 46), y = TestRandomInt(&random, 2, 28),
				  z = TestRandomInt(&random, 0, 30);
		const tnVoxelBox box = VoxelBox(x, y, z, x + 1, y + 1, z + 1);
		if (i % 3 == 0)
		{
			ENSURE(tnVoxelWorld_FillSolid(world, box, TestRandomInt(&random, 0, 255)).status == tn_ok);
		}
		else
		{
			ENSURE(tnVoxelWorld_AddLiquid(world, box, i % 3, 700, NULL).status == tn_ok);
		}
		if (i % 4 == 0)
		{
			ENSURE(tnVoxelWorld_Step(world, 0).status == tn_ok);
		}
		tnVoxel changed[512];
		const int count = tnVoxelWorld_TakeChanged(world, changed, 512);
		ENSURE(count <= 512);
		tnrUpdateVoxels(&voxels, world, changed, count);
		ENSURE_EQUAL_INT(CompareWithNew(&voxels, world), 0);
	}
	tnrDestroyVoxels(&voxels);
	tnDestroyVoxelWorld(world);
	CloseCanvas(&canvas);
	return 0;
}

static const Test s_tests[] = {
	{"LiquidsAreSeen", LiquidsAreSeen},
	{"NoMeshIsForgotten", NoMeshIsForgotten},
	{"PicturesFollowTheWorld", PicturesFollowTheWorld},
	{"BoxesAreSeen", BoxesAreSeen},
	{"CurrentsAreSeen", CurrentsAreSeen},
	{"BadVoxelsAreRefused", BadVoxelsAreRefused},
};
const TestSuite render_voxelsSuite = TEST_SUITE("render_voxels", s_tests);

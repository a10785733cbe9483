// SPDX-License-Identifier: MIT

// How scenes of voxels look: liquids, sun, camera, wheels.

#include "voxels/voxel_looks.h"

#include "bodies/body_looks.h"

#include <math.h>
#include <stdlib.h>

// Angle of view from top to bottom, rad.
#define FIELD_OF_VIEW 0.75f

// Lava is this much brighter than a white sheet of paper in the shade.
#define GLOW 3.6f

// A colour is what comes back from deep liquid. What it does not give back it takes away, the more the less clear it
// is.
static tnrLiquidLook tnpMakeLiquidLook(const tnsLiquidInfo* liquid)
{
	const tnVec3 c = liquid->color;
	const float most = fmaxf(fmaxf(c.x, c.y), fmaxf(c.z, 1.0e-3f)), per = 1.0f / liquid->clarity;
	return (tnrLiquidLook){
		.absorption = {per * (1.15f - c.x / most), per * (1.15f - c.y / most), per * (1.15f - c.z / most)},
		.scatter = c,
		.glow = {GLOW * liquid->glow.x, GLOW * liquid->glow.y, GLOW * liquid->glow.z},
	};
}

static bool tnpGlows(const tnsLiquidInfo* liquid)
{
	return liquid->glow.x > 0.0f || liquid->glow.y > 0.0f || liquid->glow.z > 0.0f;
}

tnrVoxelDef tnpMakeVoxelDef(const tnsVoxelSceneInfo* info, tnVoxelMeshStyle style)
{
	const int n = TN_VOXEL_CHUNK;
	const tnVoxelBox clip = info->clip;
	tnrVoxelDef def = tnrDefaultVoxelDef();
	def.chunks = (tnVoxelBox){{clip.low.x / n, clip.low.y / n, clip.low.z / n},
		{(clip.high.x + n - 1) / n, (clip.high.y + n - 1) / n, (clip.high.z + n - 1) / n}};
	def.clip = clip;
	def.cutOut = info->cutOut;
	def.grass = info->grass;
	def.style = style;
	def.rock = info->rock.x >= 0.0f ? info->rock : def.rock;
	for (int i = 0; i < info->worldDef.liquidCount; ++i)
	{
		const tnsLiquidInfo* liquid = &info->liquids[i];
		if (liquid->color.x >= 0.0f || tnpGlows(liquid))
		{
			def.liquids[i] = tnpMakeLiquidLook(liquid);
		}
		else if (i > 0)
		{
			// By default the second is lava; here only what glows is.
			def.liquids[i] = def.liquids[0];
		}
	}
	return def;
}

tnrLook tnpMakeVoxelLook(const tnsVoxelSceneInfo* info)
{
	const float radians = 0.01745329f;
	tnrLook look = tnrDefaultLook();
	look.sunAzimuth = radians * info->sun.x;
	look.sunElevation = radians * info->sun.z;
	return look;
}

tnrCamera tnpGetVoxelCamera(const tnsVoxelSceneInfo* info)
{
	return (tnrCamera){.eye = info->eye, .target = info->target, .fieldOfView = FIELD_OF_VIEW};
}

// ---------------------------------------------------------------------------------------------------------------------
// Wheels: an axle, blades, spokes, and two rims of boards from blade to blade.

enum
{
	// Of each blade: the blade, two spokes, two boards of the rims.
	boxesPerBlade = 5,
	mostBlades = 64,
};

// How thick boards are, as a share of the radius.
#define BOARD 0.035f

static const tnrBodyLook s_blade = {.color = {0.30f, 0.185f, 0.085f}, .material = tnr_woodMaterial};
static const tnrBodyLook s_frame = {.color = {0.20f, 0.115f, 0.05f}, .material = tnr_woodMaterial};

// A box that reaches along a direction across the axle. Its sides: along that direction, across it, along the axle.
static tnrBoxDef tnpMakeBoard(
	const tnsWheel* wheel, tnVec3 center, float cosine, float sine, tnVec3 half, tnrBodyLook look)
{
	// Half of the angle, from the cosine: x to y around z, or y to z around x.
	const float w = sqrtf(fmaxf(0.5f * (1.0f + cosine), 0.0f));
	const float s = copysignf(sqrtf(fmaxf(0.5f * (1.0f - cosine), 0.0f)), sine);
	tnrBoxDef box = {.center = center, .look = look};
	box.rotation = wheel->alongZ ? (tnQuat){0.0f, 0.0f, s, w} : (tnQuat){s, 0.0f, 0.0f, w};
	box.half = wheel->alongZ ? half : (tnVec3){half.z, half.x, half.y};
	return box;
}

static tnVec3 tnpPutOnWheel(const tnsWheel* wheel, float cosine, float sine, float from, float along)
{
	const tnVec3 c = wheel->center;
	return wheel->alongZ ? (tnVec3){c.x + from * cosine, c.y + from * sine, c.z + along}
						 : (tnVec3){c.x + along, c.y + from * cosine, c.z + from * sine};
}

static int tnpMakeWheelBoxes(const tnsWheel* wheel, tnrBoxDef* boxes)
{
	const float thick = BOARD * wheel->radius, side = 0.5f * wheel->width;
	int count = 0;
	boxes[count++] = tnpMakeBoard(wheel, wheel->center, wheel->cosine, wheel->sine,
		(tnVec3){2.5f * thick, 2.5f * thick, side + 6.0f * thick}, s_frame);
	for (int i = 0; i < wheel->bladeCount; ++i)
	{
		const tnVec3 blade = tnsWheel_GetBlade(wheel, i), next = tnsWheel_GetBlade(wheel, (i + 1) % wheel->bladeCount);
		const float c = wheel->alongZ ? blade.x : blade.y, s = wheel->alongZ ? blade.y : blade.z;
		const float mx = 0.5f * (c + (wheel->alongZ ? next.x : next.y)),
					my = 0.5f * (s + (wheel->alongZ ? next.y : next.z));
		const float middle = sqrtf(mx * mx + my * my), chord = sqrtf(fmaxf(1.0f - middle * middle, 0.0f));
		const float half = 0.5f * (wheel->radius - wheel->hub);
		boxes[count++] = tnpMakeBoard(
			wheel, tnpPutOnWheel(wheel, c, s, wheel->hub + half, 0.0f), c, s, (tnVec3){half, thick, side}, s_blade);
		// The rim stands at nine tenths of the blades.
		const float rim = wheel->hub + 1.6f * half;
		for (int k = -1; k <= 1; k += 2)
		{
			const float along = (float)k * (side + 0.5f * thick);
			boxes[count++] = tnpMakeBoard(wheel, tnpPutOnWheel(wheel, c, s, 0.5f * rim, along), c, s,
				(tnVec3){0.5f * rim, thick, 0.6f * thick}, s_frame);
			boxes[count++] = tnpMakeBoard(wheel, tnpPutOnWheel(wheel, mx / middle, my / middle, rim * middle, along),
				mx / middle, my / middle, (tnVec3){2.2f * thick, rim * chord + thick, 0.8f * thick}, s_frame);
		}
	}
	return count;
}

static tnrBoxDef tnpMakePropBox(const tnsVoxelProp* prop)
{
	static const tnrMaterial materials[] = {tnr_woodMaterial, tnr_stoneMaterial, tnr_paintMaterial};
	const tnVec3 low = prop->low, high = prop->high;
	return (tnrBoxDef){
		.center = {0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z)},
		.half = {0.5f * (high.x - low.x), 0.5f * (high.y - low.y), 0.5f * (high.z - low.z)},
		.rotation = {0.0f, 0.0f, 0.0f, 1.0f},
		.look = {.color = prop->color, .material = materials[prop->material]},
	};
}

void tnpShowVoxelBoxes(tnrRenderer* renderer, const tnsVoxelRun* run, int pointed)
{
	tnpShowBodies(renderer, tnsVoxelRun_GetBodies(run), pointed);
	const tnsVoxelSceneInfo* info = tnsVoxelScene_GetInfo(tnsVoxelRun_GetScene(run));
	const size_t most = (size_t)info->propCount + (size_t)info->wheelCount * (boxesPerBlade * mostBlades + 1);
	tnrBoxDef* boxes = most > 0 ? malloc(most * sizeof(tnrBoxDef)) : NULL;
	int count = 0;
	for (int i = 0; i < info->propCount && boxes != NULL; ++i)
	{
		boxes[count++] = tnpMakePropBox(&info->props[i]);
	}
	for (int i = 0; i < info->wheelCount && boxes != NULL; ++i)
	{
		const tnsWheel wheel = tnsVoxelRun_GetWheel(run, i);
		count += tnpMakeWheelBoxes(&wheel, boxes + count);
	}
	tnrRenderer_SetBoxes(renderer, boxes, count);
	free(boxes);
}

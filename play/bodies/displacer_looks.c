// SPDX-License-Identifier: MIT

// Boxes for the displacers of a scene, by the size and the form of their waterline.

#include "bodies/displacer_looks.h"

#include <math.h>

enum
{
	mostBoxes = 256,
	// Of the largest kind.
	boxesPerThing = 5,
};

// Waterlines no longer than this are people, m; round ones are posts.
#define LONGEST_SWIMMER 0.6f
#define ROUND 1.3f

// Where a thing floats, which way it points, how long and how wide half of it is, m.
typedef struct Thing
{
	tnVec3 place;
	float cosine, sine, length, width;
} Thing;

// @param forward, up, from the middle of the thing, m
// @param turn against the direction of the thing around the vertical, rad
static tnrBoxDef tnpMakeBox(const Thing* thing, float forward, float up, tnVec3 half, float turn, tnrBodyLook look)
{
	// From +x towards +z is a negative turn around +y.
	const float angle = turn - atan2f(thing->sine, thing->cosine);
	tnrBoxDef box = {.half = half, .look = look};
	box.center =
		(tnVec3){thing->place.x + forward * thing->cosine, thing->place.y + up, thing->place.z + forward * thing->sine};
	box.rotation = (tnQuat){0.0f, sinf(0.5f * angle), 0.0f, cosf(0.5f * angle)};
	return box;
}

static int tnpMakeBoat(const Thing* thing, int number, tnrBoxDef* boxes)
{
	static const tnVec3 colors[4] = {
		{0.55f, 0.07f, 0.05f}, {0.06f, 0.16f, 0.38f}, {0.62f, 0.60f, 0.55f}, {0.05f, 0.25f, 0.16f}};
	const tnrBodyLook hull = {.color = colors[number % 4], .material = tnr_paintMaterial};
	const tnrBodyLook deck = {.color = {0.34f, 0.21f, 0.10f}, .material = tnr_woodMaterial};
	const tnrBodyLook white = {.color = {0.72f, 0.72f, 0.69f}, .material = tnr_paintMaterial};
	const float l = thing->length, w = thing->width, h = 0.5f * w;
	int count = 0;
	// A square on its corner is the bow.
	const float bow = 0.6f * w;
	boxes[count++] = tnpMakeBox(thing, -0.18f * l, 0.2f * h, (tnVec3){0.8f * l - 0.3f * w, h, 0.85f * w}, 0.0f, hull);
	boxes[count++] = tnpMakeBox(thing, 0.62f * l - 0.3f * w, 0.2f * h, (tnVec3){bow, h, bow}, 0.785398f, hull);
	boxes[count++] =
		tnpMakeBox(thing, -0.18f * l, 1.22f * h, (tnVec3){0.76f * l - 0.3f * w, 0.05f * h, 0.75f * w}, 0.0f, deck);
	if (l > 2.0f)
	{
		boxes[count++] = tnpMakeBox(thing, -0.25f * l, 1.9f * h, (tnVec3){0.3f * l, 0.7f * h, 0.5f * w}, 0.0f, white);
		boxes[count++] =
			tnpMakeBox(thing, -0.25f * l, 2.65f * h, (tnVec3){0.34f * l, 0.08f * h, 0.58f * w}, 0.0f, hull);
	}
	else
	{
		boxes[count++] = tnpMakeBox(thing, 0.0f, 1.5f * h, (tnVec3){0.12f * l, 0.06f * h, 0.8f * w}, 0.0f, deck);
	}
	return count;
}

static int tnpMakeSwimmer(const Thing* thing, tnrBoxDef* boxes)
{
	const tnrBodyLook skin = {.color = {0.62f, 0.38f, 0.26f}, .material = tnr_paintMaterial};
	const tnrBodyLook cap = {.color = {0.75f, 0.12f, 0.08f}, .material = tnr_paintMaterial};
	const float l = thing->length;
	boxes[0] = tnpMakeBox(thing, 0.0f, -0.02f, (tnVec3){0.9f * l, 0.08f, 0.8f * thing->width}, 0.0f, skin);
	boxes[1] = tnpMakeBox(thing, 0.9f * l, 0.09f, (tnVec3){0.11f, 0.11f, 0.09f}, 0.0f, cap);
	return 2;
}

static int tnpMakePost(const Thing* thing, tnrBoxDef* boxes)
{
	const tnrBodyLook wood = {.color = {0.20f, 0.13f, 0.075f}, .material = tnr_woodMaterial};
	const float half = 0.75f * thing->width;
	boxes[0] = tnpMakeBox(thing, 0.0f, 0.0f, (tnVec3){half, 5.0f * half, half}, 0.3f, wood);
	return 1;
}

void tnpShowDisplacers(tnrRenderer* renderer, const tnsRun* run)
{
	tnrBoxDef boxes[mostBoxes];
	const tnWorld* world = tnsRun_GetWorld(run);
	int count = 0;
	for (int i = 0; i < tnsRun_GetDisplacerCount(run) && world != NULL && count + boxesPerThing <= mostBoxes; ++i)
	{
		tnsDisplacer displacer;
		if (tnsRun_GetDisplacer(run, i, &displacer) == false)
		{
			continue;
		}
		const tnWaveEllipse* ellipse = &displacer.ellipse;
		const float axis = hypotf(ellipse->axis.x, ellipse->axis.z);
		const tnSample sample = tnWorld_Sample(world, ellipse->center);
		Thing thing = {.place = {ellipse->center.x, sample.surface, ellipse->center.z},
			.cosine = axis > 0.0f ? ellipse->axis.x / axis : 1.0f,
			.sine = axis > 0.0f ? ellipse->axis.z / axis : 0.0f,
			.length = ellipse->radii.x,
			.width = ellipse->radii.z};
		if (thing.length < ROUND * thing.width && thing.length < 1.0f)
		{
			count += tnpMakePost(&thing, boxes + count);
		}
		else
		{
			count += thing.length < LONGEST_SWIMMER ? tnpMakeSwimmer(&thing, boxes + count)
													: tnpMakeBoat(&thing, i, boxes + count);
		}
	}
	tnrRenderer_SetBoxes(renderer, boxes, count);
}

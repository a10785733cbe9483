// SPDX-License-Identifier: MIT

#pragma once

#include "play.h"

// What tools do to a world. A stroke acts once per fixed step, at a rate: the same strokes at the same steps give the
// same water, whatever the frame rate.

// A tool at a place, for the length of one step.
typedef struct tnpStroke
{
	tnpTool tool;
	tnVec2 center;
	// Meters.
	float radius;
	// Factor on the rate of the tool.
	float strength;
	// Height of the ground where the stroke began, meters (flatten).
	float height;
	// How the cursor moves over the ground, m/s (push).
	tnVec2 velocity;
	// Tracer channel, negative for none (dye).
	int channel;
	// Where it acted last (stir).
	tnVec2 from;
	// How often strokes have acted before in this world: drops fall elsewhere each time.
	int64_t tick;
} tnpStroke;

// Rain that the rain tool makes, m/s.
float tnpGetRainRate(const tnpStroke* stroke);

// Do a step of a stroke. Tools of single clicks and the rain do nothing here.
tnResult tnpApplyStroke(tnWorld* world, const tnpStroke* stroke, float timeStep);

bool tnpIsWaveTool(tnpTool tool);

// A spring or a well of the user.
typedef struct tnpSpring
{
	tnSourceId id;
	tnSourceKind kind;
	tnVec2 center;
	float radius;
} tnpSpring;

enum
{
	TNP_MAX_SPRINGS = 64,
};

typedef struct tnpSprings
{
	tnpSpring items[TNP_MAX_SPRINGS];
	int count;
} tnpSprings;

// A click of the source or well tool: take away the one that is there, or put one there.
// @param text receives what happened, in a few words
tnResult tnpClickSpring(tnWorld* world, tnpSprings* springs, const tnpStroke* stroke, char* text, size_t size);

// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>

// When the water steps. It takes fixed steps from an accumulator of real time; what does not fit into a frame is
// dropped, so that a slow machine sees slow water and not a frozen window.

enum
{
	// Most steps of a frame: at 60 frames a second, four times real time with two steps to spare.
	TNP_MAX_FRAME_STEPS = 8,
};

// Most seconds of a frame that are spent on steps; the step that passes it is the last one.
#define TNP_STEP_BUDGET 0.025

typedef struct tnpLoop
{
	// Water time that is due, seconds.
	double due;
	// Steps taken in this frame.
	int steps;
	// Clock at the begin of the frame.
	double frameBegin;
} tnpLoop;

// A clock that never jumps, seconds.
double tnpGetClock(void);

// A frame begins: so much water time is due on top. Not finite or negative: none.
void tnpLoop_Begin(tnpLoop* loop, double waterSeconds, double clock);
// Take a step now? Drops what is due and can no longer be done.
bool tnpLoop_Next(tnpLoop* loop, double timeStep, double clock);
// How far the picture is between the last two states, 0 to 1.
float tnpLoop_GetAlpha(const tnpLoop* loop, double timeStep);

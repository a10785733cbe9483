// SPDX-License-Identifier: MIT

// When the water steps: fixed steps out of the time that passes.

// clock_gettime is hidden without this.
#define _POSIX_C_SOURCE 200809L

#include "viewer/loop.h"

#include <math.h>
#include <time.h>

double tnpGetClock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1.0e-9 * (double)now.tv_nsec;
}

void tnpLoop_Begin(tnpLoop* loop, double waterSeconds, double clock)
{
	// A computer that slept for a day must not count a day's steps.
	const double most = 1.0e3;
	loop->due += waterSeconds > 0.0 ? (waterSeconds < most ? waterSeconds : most) : 0.0;
	loop->steps = 0;
	loop->frameBegin = clock;
}

bool tnpLoop_Next(tnpLoop* loop, double timeStep, double clock)
{
	if (loop->due < timeStep)
	{
		return false;
	}
	if (loop->steps >= TNP_MAX_FRAME_STEPS || (loop->steps > 0 && clock - loop->frameBegin > TNP_STEP_BUDGET))
	{
		// The part of a step stays, so that the picture goes on without a jump.
		loop->due = fmod(loop->due, timeStep);
		return false;
	}
	loop->due -= timeStep;
	loop->steps += 1;
	return true;
}

float tnpLoop_GetAlpha(const tnpLoop* loop, double timeStep)
{
	const double alpha = loop->due / timeStep;
	return alpha > 1.0 ? 1.0f : alpha > 0.0 ? (float)alpha : 0.0f;
}

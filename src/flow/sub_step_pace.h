// SPDX-License-Identifier: MIT

#pragma once

#include "../core/core.h"

#include <stdbool.h>

// Into how many sub-steps a step is cut. sub_step_pace.c says why that needs a memory.

typedef struct tnPace
{
	double step;    // seconds: what the host asked for last
	double subStep; // seconds: the length of a sub-step, 0 before the first
	double before;  // seconds: the same of the step before
	double kick;    // seconds: how long the first sub-step of a step pushes the water
	double longest; // seconds: sub-step that capped sections are made for, the longest of late
	float section;  // m: what sections are capped at, 0 before the first step
	float sectionBefore;
	bool capped; // sections are capped
	bool cappedBefore;
	int cappedSteps; // steps for which that is remembered
	int easySteps;   // steps in a row that would have done with fewer sub-steps
	bool careful;    // sub-steps use less of the stability limit
	int wildSteps;   // steps for which the host is still taken for one whose time step varies
	double turned;   // seconds and sub-steps since pipes were calmed (flow_curl.c)
	int turnedSubSteps;
} tnPace;

// Called first in a step: what the host asks for, and whether there are bodies.
void tnPace_Begin(tnPace* pace, double seconds, bool bodies);

// The share of the stability limit that sub-steps may use.
double tnPace_GetCourant(const tnPace* pace);

// The sub-steps that a step should take, at least 1 and at most a million. More than `most` only if it needs them.
// @param stable longest stable sub-step, seconds
int tnPace_Choose(tnPace* pace, double seconds, double stable, int most);

// Called once a step, after tnPace_Choose: it takes this many sub-steps.
// @param stable longest stable sub-step, seconds
void tnPace_Settle(tnPace* pace, double seconds, int subSteps, double stable);

// By how much the surface must be softened before sub-steps change: s of sub_step_pace.c, 0 if not at all.
// @param y (w a / 2)^2 of the fastest wave before
// @param ratio the same after, over y
double tnPace_GetSoftening(double y, double ratio);

// SPDX-License-Identifier: MIT

// The forces of water on a body: body_wrench.c says how they are found.

#pragma once

#include "body_flow.h"

// Find what the water did to the bodies of a group in a step, after its last sub-step was solved: sets wrench and state,
// and what the water is owed in return.
void tnBodies_FeelGroup(tnBodies* bodies, tnBodyFlow* flow, const tnGrid* grid, int index, int workerIndex);

// Of a group that leaves out a step: they stay, but for what others have added.
void tnBodies_RestGroup(tnBodies* bodies, const tnBodyFlow* flow, int index);

// SPDX-License-Identifier: MIT

#pragma once

#include "body_flow.h"

// Find what the water did to the bodies of a group in a step, after its last sub-step was solved: sets wrench and state,
// and what the water is owed in return.
void tnBodies_FeelGroup(tnBodies* bodies, tnBodyFlow* flow, const tnGrid* grid, int index, int workerIndex);

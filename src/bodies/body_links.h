// SPDX-License-Identifier: MIT

#pragma once

#include "body_flow.h"

// Decides about the faces beside bodies that stand on the ground: see body_links.c.

// Find how much of them is open, for all heights. Call when the cells of a group have been made, and the kinds of its
// faces found. Returns whether bodies stand on the ground.
// @param perSpeed time step over cell size, s/m
// @param scratch of tnBodyFlow_GetPacked
bool tnGroup_LinkFaces(
	tnGroup* group, const tnGrid* grid, const tnBodies* bodies, const int* grouped, float perSpeed, float* scratch);

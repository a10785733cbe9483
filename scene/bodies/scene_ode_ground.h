// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/scene_water.h"

#include <ode/ode.h>

// Ground of voxels for ODE: around a body, as few boxes as hold it. They are made anew for each step, so that digging and
// building show at once.

typedef struct tnsOdeGround tnsOdeGround;

// NULL if memory ran out.
tnsOdeGround* tnsCreateOdeGround(const tnsWater* water);
// NULL is allowed.
void tnsDestroyOdeGround(tnsOdeGround* ground);

// Forget the boxes of the last step.
void tnsOdeGround_Clear(tnsOdeGround* ground);
// Boxes within a box, m. @param first receives the number of the first @return how many
int tnsOdeGround_Gather(tnsOdeGround* ground, const dReal bounds[6], int* first);
dGeomID tnsOdeGround_GetGeom(const tnsOdeGround* ground, int index);

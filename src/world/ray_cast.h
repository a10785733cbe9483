// SPDX-License-Identifier: MIT

// Where a ray meets the water or the ground.

#pragma once

#include "../flow/grid.h"
#include "../waves/waves.h"
#include "tarn/query.h"

// First point of a ray that is on or below the surface as tnSampleGrid sees it, with waves added. Arguments are finite,
// the direction is not zero, maxDistance > 0. The world is a block with upright sides: a ray that enters through a side
// below the surface hits where it enters.
tnRayHit tnCastRay(const tnGrid* grid, const tnWaves* waves, tnVec3 origin, tnVec3 direction, float maxDistance);

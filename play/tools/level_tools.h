// SPDX-License-Identifier: MIT

#pragma once

#include "level.h"
#include "tools/tools.h"
#include "voxels/voxel_play.h"

// Brushes in a level: what they do is measured and paid from its budgets.

// Do a step of a stroke if the level allows it, with the radius and strength of the level.
// @param level NULL: a scene for its own sake, everything is allowed
// @return why not, for the player
tnResult tnpApplyLevelStroke(tnsLevel* level, tnWorld* world, const tnpStroke* stroke, float timeStep);
// The same in voxels.
tnResult tnpApplyVoxelLevelStroke(tnsLevel* level, tnpVoxelPlay* voxels, tnpVoxelStroke* stroke);

// SPDX-License-Identifier: MIT

#pragma once

#include "render.h"
#include "voxel_scene.h"

/// @file How scenes of voxels look, the same in the program, the viewer and the playground.

/// What to draw of a scene: the chunks of its clip, and liquids as it says.
tnrVoxelDef tnpMakeVoxelDef(const tnsVoxelSceneInfo* info, tnVoxelMeshStyle style);
/// Where the sun stands.
tnrLook tnpMakeVoxelLook(const tnsVoxelSceneInfo* info);
/// Where it is looked at from.
tnrCamera tnpGetVoxelCamera(const tnsVoxelSceneInfo* info);
/// Put the wheels of a run into the picture, as they are turned now, and what else its scene has to look at, and say what its
/// bodies look like. Call it after tnrRenderer_SetVoxels, and again before each frame if the scene has wheels or bodies.
/// @param pointed index of a body that shines because someone points at it or holds it, or -1
void tnpShowVoxelBoxes(tnrRenderer* renderer, const tnsVoxelRun* run, int pointed);

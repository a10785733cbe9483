// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

/// @file A dam that can be pulled. A scene has one if it has a region of that name, a box around the dam with its long
/// side along the crest. The ground beneath is taken to run straight from one long side of the box to the other.

#define TNP_DAM_REGION "dam"

typedef struct tnpDam tnpDam;

/// @return NULL if the scene has no dam, or no memory
tnpDam* tnpCreateDam(const tnsScene* scene, const tnWorld* world);
void tnpDestroyDam(tnpDam* dam);

/// Lower the dam to a share of its height, 0 untouched to 1 gone. A share below the one it has changes nothing.
void tnpDam_Pull(tnpDam* dam, tnWorld* world, float share);
float tnpDam_GetShare(const tnpDam* dam);
/// The middle of the crest as it was at the start.
tnVec3 tnpDam_GetCrest(const tnpDam* dam);

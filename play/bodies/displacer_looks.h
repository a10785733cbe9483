// SPDX-License-Identifier: MIT

#pragma once

#include "render.h"
#include "world/scene_waves.h"

// What moves through the water without being a body is drawn as what it is: boats with bow and cabin, posts, swimmers. Call it each frame.
void tnpShowDisplacers(tnrRenderer* renderer, const tnsRun* run);

// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/scene_bodies.h"
#include "render.h"

// Tell the renderer what the bodies of a run look like: their colours, and materials by how dense they are. The viewer
// and films draw with it.

// @param pointed index of a body that shines because someone points at it or holds it, or -1
void tnpShowBodies(tnrRenderer* renderer, const tnsRun* run, int pointed);

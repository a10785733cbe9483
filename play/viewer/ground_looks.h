// SPDX-License-Identifier: MIT

#pragma once

#include "render.h"
#include "scene.h"

/// How the ground of a run looks. Pointers live as long as the run.
tnrGroundDef tnpGetGroundDef(const tnsRun* run);

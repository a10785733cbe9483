// SPDX-License-Identifier: MIT

// Checks of what a host says about a body.

#pragma once

#include "../core/core.h"
#include "tarn/body.h"

// Is the def of a body one that a body can be made of? Its shapes are for tnCheckShape.
tnResult tnBodies_CheckDef(const tnBodyDef* def);
tnResult tnBodies_CheckMotion(const tnPose* pose, tnVec3 velocity, tnVec3 spin);

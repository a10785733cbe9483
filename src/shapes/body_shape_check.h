// SPDX-License-Identifier: MIT

// Checks of the def of a shape.

#pragma once

#include "../core/core.h"
#include "tarn/body.h"

// Is the def of a shape one that triangles can be made of? Whether a mesh is closed is left to tnCheckClosed.
tnResult tnCheckShape(int index, const tnShapeDef* shape);

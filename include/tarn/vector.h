// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/base.h"

/// A horizontal vector: x to the right (columns), z towards the viewer (rows).
typedef struct tnVec2
{
	float x, z;
} tnVec2;

/// A vector in space: y is up.
typedef struct tnVec3
{
	float x, y, z;
} tnVec3;

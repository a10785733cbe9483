// SPDX-License-Identifier: MIT

#pragma once

// Matrices, and what is found out about a camera before it is drawn with.

#include "render.h"

// Matrices are stored column by column, as OpenGL wants them.
typedef struct tnrMatrix
{
	float m[16];
} tnrMatrix;

typedef struct tnrBox
{
	tnVec3 low, high;
} tnrBox;

// The camera, with everything that cannot be drawn (NaN, no direction, absurd angles) replaced by something that can.
tnrCamera tnrMendCamera(const tnrCamera* camera);

// Choose planes that are not given: as tight around the box as the eye allows, for the sake of the depth buffer.
void tnrChoosePlanes(tnrCamera* camera, tnrBox box, float cellSize);

// @param camera mended, with planes
tnrMatrix tnrMakeViewProjection(const tnrCamera* camera, float aspect);
tnrMatrix tnrInvertMatrix(const tnrMatrix* matrix);
bool tnrIsBoxVisible(const tnrMatrix* viewProjection, tnrBox box);
float tnrGetDistanceToBox(tnVec3 point, tnrBox box);

// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/body_meshes.h"
#include "frame/camera.h"
#include "render.h"

// Boxes in a world or among voxels: parts of wheels and the like. One mesh, drawn once for each of them.

typedef struct tnrBoxes
{
	tnrShapes shapes;
	int shape;
	float* instances;
	int count, capacity;
	// Around all of them, in places of the picture.
	tnrBox box;
	GLuint instanceBuffer;
} tnrBoxes;

// @param origin of the picture
void tnrSetBoxes(tnrBoxes* boxes, const tnrBoxDef* defs, int count, tnVec2 origin);
void tnrDestroyBoxes(tnrBoxes* boxes);
void tnrForgetBoxes(tnrBoxes* boxes);
// With the program that is in use. @return triangles
int tnrDrawBoxes(const tnrBoxes* boxes);

// SPDX-License-Identifier: MIT

#pragma once

#include "gl/gl.h"
#include "tarn/body.h"

// Meshes of bodies on the GPU. Bodies that differ only in size along their axes share one: a thousand crates are one
// mesh, drawn a thousand times.

// What a mesh is like, for materials that nobody chose.
typedef enum tnrForm
{
	tnr_boxForm = 0,
	tnr_ballForm,
	// A cylinder along one of its axes.
	tnr_rollForm,
	// Convex, of no particular form.
	tnr_rockForm,
	// Boats, rafts, arches.
	tnr_builtForm,
} tnrForm;

typedef struct tnrShape
{
	// Bodies that use it; 0: the place is free.
	int userCount;
	// To find it again: points as shares of their largest coordinates, and triangles.
	int pointCount, triangleCount;
	int16_t* key;
	int32_t* triangles;
	tnrForm form;
	// Of a roll: 0 to 2 for x, y, z.
	int axis;
	GLuint vertexArray, vertexBuffer;
	int vertexCount;
	// What would hold water when upright, closed by a lid at the height of the rim: the surface of a lake does not
	// reach into a boat. Without one, lidCount is 0.
	GLuint lidArray, lidBuffer;
	int lidCount;
} tnrShape;

typedef struct tnrShapes
{
	tnrShape* items;
	int count;
} tnrShapes;

// Attributes 0 to 2 are those of the mesh; instances have the four from here on, with TNR_INSTANCE_FLOATS floats.
#define TNR_FIRST_INSTANCE_ATTRIBUTE 3
#define TNR_INSTANCE_FLOATS 16

// Find or make the shape of a mesh.
// @param scale receives what its coordinates are to be multiplied with, meters
// @return its index, or -1 without memory or without a mesh
int tnrTakeShape(tnrShapes* shapes, const tnBodyMesh* mesh, tnVec3* scale);
// The last body that gives it back frees it.
void tnrGiveShapeBack(tnrShapes* shapes, int index);
void tnrDestroyShapes(tnrShapes* shapes);
void tnrForgetShapes(tnrShapes* shapes);

// body_lids.c: where a mesh would hold water, as heights over a grid in its frame.
typedef struct tnrBasins
{
	int columnCount, rowCount;
	float x, z, step;
	// Heights of the mesh from above, and of the water it would hold; equal where it holds none.
	float* top;
	float* fill;
} tnrBasins;

// @return false if it holds none, or without memory; the basins are then empty
bool tnrFindBasins(tnrBasins* basins, const tnBodyMesh* mesh);
void tnrFreeBasins(tnrBasins* basins);
// Height of the water that a place inside the mesh would be under, or -INFINITY.
float tnrGetRim(const tnrBasins* basins, tnVec3 place);
// Triangles of the lid, three floats per vertex. @param vertices NULL to count @return vertices
int tnrMakeLid(const tnrBasins* basins, float* vertices);

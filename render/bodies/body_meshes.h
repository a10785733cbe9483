// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/body_rooms.h"
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
	// The rooms in it, with their lids: the surface of a lake does not reach into a boat. Without one, roomVertexCount is 0.
	int roomCount;
	GLuint roomArray, roomBuffer;
	int roomVertexCount;
} tnrShape;

typedef struct tnrShapes
{
	tnrShape* items;
	int count;
} tnrShapes;

// Attributes 0 to 2 are those of the mesh; instances have those from here on, with TNR_INSTANCE_FLOATS floats.
#define TNR_FIRST_INSTANCE_ATTRIBUTE 3
#define TNR_INSTANCE_ATTRIBUTES 5
#define TNR_INSTANCE_FLOATS (4 * TNR_INSTANCE_ATTRIBUTES)

// Rooms of a body whose walls are drawn wet.
#define TNR_WET_ROOMS 4
// Stands for "no rim" and "no water": lower than anything.
#define TNR_NO_HEIGHT -1.0e9f

// Find or make the shape of a mesh with rooms in it.
// @param scale receives what its coordinates are to be multiplied with, meters
// @return its index, or -1 without memory or without a mesh
int tnrTakeShape(tnrShapes* shapes, const tnBodyMesh* mesh, const tnrRooms* rooms, tnVec3* scale);
// The last body that gives it back frees it.
void tnrGiveShapeBack(tnrShapes* shapes, int index);
void tnrDestroyShapes(tnrShapes* shapes);
void tnrForgetShapes(tnrShapes* shapes);

// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/body_meshes.h"
#include "frame/camera.h"

// The bodies of a world: where they are in the picture and how they look.

enum
{
	// Texels along a side of the shadow map.
	tnr_shadowSize = 2048
};

typedef struct tnrBody
{
	// 0: none.
	uint32_t generation;
	bool present;
	int shape;
	tnVec3 scale;
	// Of the sphere around its centre of mass that holds it, meters.
	float radius;
	// As shown, relative to the corner of the world.
	tnVec3 place;
	tnQuat rotation;
	tnVec3 velocity;
	// Of the water in its rooms, as shown; TNR_NO_HEIGHT in those that are dry.
	int roomCount;
	float levels[TNR_WET_ROOMS];
	// The body that the look was given for, 0 for none.
	uint32_t lookGeneration;
	tnrBodyLook look;
} tnrBody;

typedef struct tnrBodies
{
	tnrShapes shapes;
	// By the index of their ids.
	tnrBody* items;
	int count, capacity;
	tnBodyId* ids;
	int idCount, idCapacity;
	// Numbers of instances, and where those of each shape begin.
	float* instances;
	int32_t* begins;
	int instanceCapacity, beginCapacity;
	GLuint instanceBuffer;
	// Surfaces of the water in bodies: triangles, three floats a corner, in the picture.
	float* held;
	int heldCount, heldCapacity;
	GLuint heldArray, heldBuffer;
	GLuint shadowFramebuffer, shadowMap;
	tnrMatrix shadowMatrix;
	// Meters per texel of the map, 0 while it is not in use, and how deep it is, meters.
	float shadowTexel, shadowDepth;
	tnrBox box;
	bool any;
} tnrBodies;

bool tnrMakeBodies(tnrBodies* bodies);
void tnrDestroyBodies(tnrBodies* bodies);
void tnrForgetBodies(tnrBodies* bodies);

// Seconds from a moment between the last two states to the last one, by which things that move are set back.
float tnrGetTimeBack(const tnWorld* world, float alpha);
// Take over poses and new meshes. @param alpha between the last two states
void tnrUpdateBodies(tnrBodies* bodies, const tnWorld* world, float alpha);
// The same for voxels, as of the last step. @param origin of the picture
void tnrUpdateVoxelBodies(tnrBodies* bodies, const tnVoxelWorld* world, tnVec2 origin);
void tnrSetBodyLook(tnrBodies* bodies, tnBodyId id, const tnrBodyLook* look);

// Which bodies to draw: all in sight, or all whose shadow may be.
typedef enum tnrBodyPass
{
	tnr_solidPass = 0,
	tnr_shadowPass,
	// Rooms that no water around them gets into.
	tnr_roomPass,
} tnrBodyPass;

// Take the instances from this one on out of the buffer that is bound, for the vertex array that is bound.
void tnrPointToInstances(int first);
// Draw with the program that is in use. @return triangles
int tnrDrawBodies(tnrBodies* bodies, const tnrMatrix* viewProjection, tnrBodyPass pass);

// Draw the water in bodies with the program that is in use. @return triangles
int tnrDrawHeld(tnrBodies* bodies);

// Fit the shadow map around what may throw a shadow into sight. @return false if nothing does
bool tnrAimShadows(tnrBodies* bodies, const tnrMatrix* viewProjection, tnVec3 sun);
// Fill it with the program that is in use. Leaves another framebuffer and viewport bound. @return triangles
int tnrDrawShadows(tnrBodies* bodies, const tnrMatrix* viewProjection);

// A turned vector, by a quaternion of length 1.
tnVec3 tnrTurn(tnQuat q, tnVec3 v);

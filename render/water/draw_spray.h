// SPDX-License-Identifier: MIT

#pragma once

#include "water/mist.h"

// Water in the air: each particle of the world is a packet of drops, drawn as a soft streak that faces the eye.

// Floats of a particle on the GPU: place, radius, velocity, cover, seed, share of bubbles; 2 for mist.
#define TNR_SPRAY_FLOATS 10

typedef struct tnrSpray
{
	// Room for all that the world can have. NULL without the layer.
	float* instances;
	int count, capacity;
	// Height of the highest one, m.
	float highest;
	tnrMist mist;
	tnrPuff* puffs; // room for tnr_mostPuffs
	GLuint buffer, vertexArray;
} tnrSpray;

// @return false without memory
bool tnrMakeSpray(tnrSpray* spray, const tnWorld* world);
void tnrDestroySpray(tnrSpray* spray);
void tnrForgetSpray(tnrSpray* spray);

// Take over all particles, after the water. @param back seconds before the state of the world
void tnrUpdateSpray(tnrSpray* spray, const tnrWater* water, const tnWorld* world, float back);
// Draw with the program that is in use, over what is there. @return triangles
int tnrDrawSpray(const tnrSpray* spray);

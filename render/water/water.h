// SPDX-License-Identifier: MIT

#pragma once

#include "bodies/draw_bodies.h"
#include "ground/ground.h"

// The water on the GPU, and the copies of it that pictures are made from.

typedef struct tnrWater
{
	int columnCount, rowCount;
	float cellSize, gravity;
	int tracerCount;
	// Interpolated between the last two states. Depth is 0 where dry.
	float* depth;
	// What the mesh shows: the surface, continued under the ground around shores (see water.c).
	float* surface;
	float* velocityX;
	float* velocityZ;
	// 0 to 1, or to 1.3 with foam of the world. Foam lives on for a while and drifts; ground dries slowly.
	float* foam;
	float* wetness;
	float* scratch;
	// Cells a pass has reached.
	uint8_t* reach;
	uint8_t* awake;
	// Concentrations, one field after the other.
	float* tracers;
	uint16_t* halves;
	GLuint surfaceTexture, flowTexture, waveTexture, tracerTexture;
	// World time of the last update; negative before the first.
	double time;
	float maxDepth, maxSpeed;
	// Sub-steps of the last step, of the cell that needs most.
	int subSteps;
	// Colours the tracer texture was mixed with.
	tnVec3 tracerColors[TN_MAX_TRACERS];
	float tracerDensity[TN_MAX_TRACERS];
	bool tracersAreStale;
} tnrWater;

bool tnrMakeWater(tnrWater* water, const tnWorld* world);
void tnrDestroyWater(tnrWater* water);
void tnrForgetWater(tnrWater* water);

// @param cover what bodies cover, NULL: nothing
void tnrUpdateWater(tnrWater* water, const tnrGround* ground, const tnrCover* cover, const tnWorld* world, float alpha);

// Seconds until a particle meets the water or the ground below it, infinite if it does not fall.
float tnrGetTimeToLand(const tnrWater* water, const tnSprayParticle* particle, tnVec2 origin);

// Mix the tracers into one colour per cell, if they or their colours have changed.
void tnrMixTracers(tnrWater* water, const tnrLook* look);

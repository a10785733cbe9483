// SPDX-License-Identifier: MIT

#pragma once

#include "ground/ground.h"
#include "tarn/surface.h"

// The water on the GPU: three textures that follow the layers of a surface (tarn/surface.h), and the tracers.

typedef struct tnrWater
{
	int columnCount, rowCount;
	float cellSize, gravity;
	int tracerCount;
	tnSurface* surface;
	// Foam is that of the world: a share of the water that it covers, not what the shader makes of it.
	bool hasFoam;
	// Concentrations, one field after the other, and texels of their colours. NULL without tracers.
	float* tracers;
	uint16_t* halves;
	GLuint surfaceTexture, flowTexture, waveTexture, tracerTexture;
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

// The level of the water at a place, relative to the corner of the world. @return false where there is none
bool tnrFindLevel(const tnrWater* water, const tnrGround* ground, float x, float z, float* level);

void tnrUpdateWater(tnrWater* water, const tnWorld* world, float alpha);

// Mix the tracers into one colour per cell, if they or their colours have changed.
void tnrMixTracers(tnrWater* water, const tnrLook* look);

// SPDX-License-Identifier: MIT

#pragma once

#include "gl/gl.h"
#include "ground/houses.h"
#include "tarn/surface.h"

// The ground on the GPU: heights, normals, light, buildings. Edits are found by comparing with a copy.

typedef struct tnrGround
{
	int columnCount, rowCount;
	float cellSize;
	// As on the GPU, row by row without gaps.
	float* bed;
	// Light from the sky and from the sun that arrives at each cell, 0 to 1.
	float* sky;
	float* sun;
	// Of the sweeps: two rows of heights and distances of what throws the shadow, and a scratch field.
	float* scratch;
	// Four bytes per cell: 255 in a building; a number that differs from house to house, 0 for walls and pillars; how far the vertex of the cell
	// moves along x and z to make walls steep, from 128, 255 being a cell.
	uint8_t* built;
	uint16_t* halves;
	// Those of the buildings that have walls and roofs of their own, and how high roofs rise over the bed, m.
	tnrHouses houses;
	float* rise;
	GLuint bedTexture, groundTexture, builtTexture, blendTexture;
	bool hasBlend;
	// Layers for sand, grass, rock and snow, which of them there are as bits, and 1 / m that one covers. 0 without any.
	GLuint tileTexture;
	int tileMask;
	float tilesPerMeter;
	float low, high;
	// Of all tiles, when the bed was compared last: their sum grows with every edit.
	uint64_t edits;
	// The bed changed since light was computed.
	bool lightIsStale;
	// Sun of the shadows.
	tnVec3 sunDirection;
	float beachLevel, treeLine, snowLine, rockSlope;
} tnrGround;

// @return false without memory; the ground is then empty
bool tnrMakeGround(tnrGround* ground, const tnWorld* world, const tnrGroundDef* def);
void tnrDestroyGround(tnrGround* ground);
void tnrForgetGround(tnrGround* ground);

// Take over edited rows. @return true if anything changed
// @param surface tells which tiles hosts have edited
bool tnrUpdateGround(tnrGround* ground, const tnWorld* world, const tnSurface* surface);

// Bring normals, shadow and sky light up to date, if the bed or the sun has changed.
void tnrLightGround(tnrGround* ground, tnVec3 sunDirection);

// ground_light.c
void tnrSweepSun(tnrGround* ground, tnVec3 sunDirection);
void tnrOpenSky(tnrGround* ground);

// SPDX-License-Identifier: MIT

#pragma once

#include "gl/gl.h"
#include "tarn/waves.h"

// The wave layer of a world on the GPU: tiles that move in one atlas, an index that says where in it the tile of a place
// is, and the grid of ripples. wave_bands.c says what is in a texel.

enum
{
	tnr_waveTile = 64,
	// Texels around a tile that its neighbours lend: as far as a cubic B-spline reaches from its last half cell.
	tnr_waveBorder = 2,
	tnr_waveSlot = tnr_waveTile + 2 * tnr_waveBorder,
	// Blocks of cells whose mean square slopes are known, along a side of a tile.
	tnr_waveBlocks = 8,
};

typedef struct tnrWaveLevel
{
	float cellSize;
	// Tiles of the world, and where they begin in the index.
	int columnCount, rowCount, firstRow;
	// What has changed in the index since its last upload; nothing if columnEnd is 0.
	int columnBegin, rowBegin, columnEnd, rowEnd;
	// Highest wave, m.
	float highest;
} tnrWaveLevel;

typedef struct tnrWaves
{
	// The world has a layer. Everything else is nothing if not.
	bool any;
	int levelCount;
	// Finer levels are not drawn: their index would be larger than a texture can be.
	int firstLevel;
	tnrWaveLevel levels[TN_MAX_WAVE_LEVELS];
	tnVec2 origin;
	// By place: slot of the atlas, or one of below zero (see wave_bands.c).
	int16_t* index;
	int indexColumns, indexRows;
	// Places in the index that are not empty.
	int* places;
	int placeCount, placeCapacity;
	// By slot.
	tnWaveTileView* views;
	float* energies;
	int slotCount, slotCapacity;
	// A row of slots on its way to the atlas, and a tile with what it needs of its neighbours.
	uint16_t* texels;
	float* scratch;
	int slotsPerRow, layerCount;
	GLuint tileTexture, indexTexture;
	// Meters that waves may stand above the surface of the flow.
	float highest;
	// Of steps of the world, as far as the times of updates tell.
	float timeStep;
	double time;
	int64_t stepCount;
	bool keepsPrevious;
	// Ripples: texture of their grid, 0 before there are any; its size, and that of its cells, m.
	GLuint rippleTexture;
	uint16_t* rippleTexels;
	int rippleColumns, rippleRows;
	float rippleCellSize;
} tnrWaves;

// @return false without memory
bool tnrMakeWaves(tnrWaves* waves, const tnWorld* world);
void tnrDestroyWaves(tnrWaves* waves);
void tnrForgetWaves(tnrWaves* waves);

void tnrUpdateWaves(tnrWaves* waves, const tnWorld* world, float alpha);

// Cells of the finest level that moves, m; 0 if none does.
float tnrGetFinestWaveCell(const tnrWaves* waves);

// SPDX-License-Identifier: MIT

#pragma once

#include "frame/camera.h"
#include "gl/gl.h"
#include "tarn/surface.h"

// The grid as a mesh: square patches of 64 x 64 quads whose vertices are made in the vertex shader from gl_VertexID.
// A vertex stands on every cell centre, and one more row half a cell further out on each rim. Distant patches take
// every 2nd, 4th or 8th vertex, and hang a skirt over the gap that this leaves to their neighbours.

enum
{
	tnr_patchQuads = 64,
	tnr_patchVertices = tnr_patchQuads + 1,
	tnr_strideCount = 4,
};

typedef struct tnrPatch
{
	int column, row;
	tnrBox box;
	// Set by tnrChoosePatches: index into strides, -1 if out of sight; meters to the eye.
	int level;
	float distance;
	// Some cell of it is wet.
	bool wet;
	// Heights of its ground, m.
	float low, high;
} tnrPatch;

typedef struct tnrPatches
{
	GLuint vertexArray, indexBuffer;
	GLintptr indexOffsets[tnr_strideCount];
	GLsizei indexCounts[tnr_strideCount];
	tnrPatch* patches;
	int patchCount, patchColumns;
	int columnCount, rowCount;
	float cellSize;
} tnrPatches;

bool tnrMakePatches(tnrPatches* patches);
void tnrDestroyPatches(tnrPatches* patches);
void tnrForgetPatches(tnrPatches* patches);

// Deal the grid to patches. @return false without memory
bool tnrResizePatches(tnrPatches* patches, int columnCount, int rowCount, float cellSize);

// Find the heights of the ground of each patch.
void tnrMeasurePatchGround(tnrPatches* patches, const float* bed);
// Find the heights between which each patch lies, with its water, and whether it is wet.
// @param waves meters that waves stand above and below the surface
void tnrMeasurePatches(tnrPatches* patches, const tnSurface* surface, float waves);

// Choose what to draw, and sort it from near to far.
void tnrChoosePatches(tnrPatches* patches, const tnrMatrix* viewProjection, tnVec3 eye, float pixelsPerRadian);

// @param patchLocation uniform ivec4: column, row, stride, 0; the stride is 0 for what lies around the world
// @return triangles
int tnrDrawPatches(const tnrPatches* patches, GLint patchLocation, bool onlyWet);

// Draw what goes on beyond the world: its sides and corners. @return triangles
int tnrDrawSurroundings(const tnrPatches* patches, GLint patchLocation);

// Waves are part of the mesh where their cells are at least this large on the screen, pixels, and in full at twice this.
// Quads near the eye are never larger, so waves of 4 cells and more have vertices enough.
#define TNR_SMALLEST_WAVE_CELL 10.0f

// How fine water with waves is drawn.
typedef struct tnrFineness
{
	const tnrMatrix* viewProjection;
	tnVec3 eye;
	float pixelsPerRadian;
	// No finer than this, m; 0: no finer than the grid.
	float smallestCell;
} tnrFineness;

// Draw wet patches, near ones cut into quarters again and again, each of 64 x 64 quads.
// @param patchLocation uniform ivec4: column and row in quads, stride, how often the cells of the grid are halved
int tnrDrawFinePatches(const tnrPatches* patches, GLint patchLocation, const tnrFineness* fineness);

// SPDX-License-Identifier: MIT

#pragma once

#include "gl/gl.h"
#include "gl/vectors.h"

// Trees, grass, reeds and stones on the ground: a square grid of points, made in the vertex shader from nothing but its place.

typedef struct tnrPlantGrid
{
	// Of the points, in points that are `spacing` apart; every so many of them has a plant.
	int column, row, step;
	// Meters.
	float spacing, reach;
	tnVec2 center;
} tnrPlantGrid;

enum
{
	// Along a side of the grids of trees and of what is small.
	tnr_treeRow = 44,
	tnr_tuftRow = 56,
	// Of plants.vert.
	tnr_treeVertices = 5 * 3 * 6 + 6,
	tnr_tuftVertices = 6 * 3,
	tnr_treeShadowVertices = 4 * 6,
};

// The grid around what a camera looks at.
// @param ground the height of the ground there, m
// @param spacing of the points where they are densest, m
tnrPlantGrid tnrPlacePlants(tnVec3 eye, tnVec3 forward, float ground, float spacing, int perRow);

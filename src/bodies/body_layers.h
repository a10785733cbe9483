// SPDX-License-Identifier: MIT

#pragma once

#include "body_columns.h"

// Tops and bottoms of a body that may be concave, over one cell or one face, and how they become solid intervals.

// Strips along the sides of a cell, as wide as the way of the body in a step: see tnTravel.
typedef enum tnCellStrip
{
	tn_westStrip = 0,
	tn_eastStrip,
	tn_northStrip,
	tn_southStrip,
	tn_cellStripCount,
} tnCellStrip;

// Tops or bottoms that belong together. Of a face: `area` is a width, and only y counts.
typedef struct tnSlot
{
	float area;                      // cells
	float x, z;                      // integrals from the corner of the cell
	float y;                         // integral of the height, m
	float yMin, yMax;                // m
	float xMin, xMax, zMin, zMax;    // cells from its corner
	float strips[tn_cellStripCount]; // shares of them; only of tops
} tnSlot;

// Bottoms are at [0], tops at [1].
typedef struct tnStack
{
	int32_t counts[2];
	tnSlot slots[2][TN_MAX_BODY_LAYERS];
} tnStack;

// A solid interval.
typedef struct tnInterval
{
	float share;     // in (0, 1]
	float low, high; // m
	float x, z;      // middle, in cells from the corner
	float xMin, xMax, zMin, zMax;
	float strips[tn_cellStripCount];
} tnInterval;

// Pieces whose heights touch are taken together.
void tnStack_Add(tnStack* stack, bool top, const tnSlot* piece);

// Pair bottoms with tops, from below upwards. The sum of share * (high - low) is the volume.
// @param layers room for TN_MAX_BODY_LAYERS. Returns how many there are.
int tnStack_Match(const tnStack* stack, tnInterval* layers);

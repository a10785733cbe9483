// SPDX-License-Identifier: MIT

#pragma once

#include "body_track.h"

// Integrals of heights over a cell, and what is carried on east from there: in column `i` it is worth
// carriedY + carriedSlope * (i + 0.5). Bottoms and tops.
typedef struct tnSweepNode
{
	struct
	{
		double y, carriedY;
	} sides[2];
	double carriedSlope[2];
} tnSweepNode;

// Edges inside of the body, where two planes of the same side meet: their difference is the difference of their slopes
// times the distance from the edge along x.
typedef struct tnFoldList
{
	const tnPlane* planes;
	const tnFineCorner* corners;
	const int32_t* edges; // of the mesh
	const int32_t* items; // those that are folds
	int count;
	int crossings; // how many lines each of them crosses
} tnFoldList;

// Add what they bring to the nodes, which lie in rows of `stride`.
void tnFoldList_Walk(const tnFoldList* list, tnSweepNode* nodes, int stride);

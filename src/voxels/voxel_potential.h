// SPDX-License-Identifier: MIT

#pragma once

#include "../core/memory.h"

// Potential flow through cells that are joined by edges:
//
//   sum over edges of c (phi_i - phi_j) = source_i,
//
// where c is the area of an edge over its length, and c (phi_i - phi_j) flows from i to j. By conjugate gradients, divided by
// the diagonal, always in the same order: the same bits everywhere.

typedef struct tnPotentialCell
{
	double source;
	double phi;
	double residual;
	double direction;
	double product;
	double inverse; // of the diagonal
	int32_t piece;
} tnPotentialCell;

typedef struct tnPotentialEdge
{
	int32_t from;
	int32_t to;
	double conductance;
} tnPotentialEdge;

typedef struct tnPotential
{
	tnPotentialCell* cells;
	tnPotentialEdge* edges;
	int32_t cellCount;
	int32_t edgeCount;
	int32_t cellCapacity;
	int32_t edgeCapacity;
} tnPotential;

// Room for so many in all. False if memory ran out: then it is as it was.
bool tnPotential_Reserve(tnPotential* potential, tnMemory* memory, int32_t cellCount, int32_t edgeCount);
void tnPotential_Destroy(tnPotential* potential, tnMemory* memory);
// Cells that are not joined to others in any way are solved apart. In each such piece the mean of the sources is taken off
// first, or there would be no solution.
void tnPotential_Solve(tnPotential* potential);

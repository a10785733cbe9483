// SPDX-License-Identifier: MIT

// Finds the potential, by conjugate gradients.

#include "voxel_potential.h"

// It ends when the residual is 10^-4 of the sources (these are squares), or after so many rounds.
#define TN_SMALL_RESIDUAL 1.0e-8
#define TN_MAX_ROUNDS 1000

bool tnPotential_Reserve(tnPotential* potential, tnMemory* memory, int32_t cellCount, int32_t edgeCount)
{
	if (cellCount > potential->cellCapacity)
	{
		const int32_t capacity = tnMaxInt(cellCount, 2 * potential->cellCapacity);
		tnPotentialCell* grown = tnMemory_Grow(memory, potential->cells,
			(size_t)potential->cellCapacity * sizeof(tnPotentialCell), (size_t)capacity * sizeof(tnPotentialCell));
		if (grown == NULL)
		{
			return false;
		}
		potential->cells = grown;
		potential->cellCapacity = capacity;
	}
	if (edgeCount > potential->edgeCapacity)
	{
		const int32_t capacity = tnMaxInt(edgeCount, 2 * potential->edgeCapacity);
		tnPotentialEdge* grown = tnMemory_Grow(memory, potential->edges,
			(size_t)potential->edgeCapacity * sizeof(tnPotentialEdge), (size_t)capacity * sizeof(tnPotentialEdge));
		if (grown == NULL)
		{
			return false;
		}
		potential->edges = grown;
		potential->edgeCapacity = capacity;
	}
	return true;
}

void tnPotential_Destroy(tnPotential* potential, tnMemory* memory)
{
	tnMemory_Free(memory, potential->cells, (size_t)potential->cellCapacity * sizeof(tnPotentialCell));
	tnMemory_Free(memory, potential->edges, (size_t)potential->edgeCapacity * sizeof(tnPotentialEdge));
	*potential = (tnPotential){0};
}

static int32_t tnFindPiece(tnPotentialCell* cells, int32_t cell)
{
	while (cells[cell].piece != cell)
	{
		cells[cell].piece = cells[cells[cell].piece].piece;
		cell = cells[cell].piece;
	}
	return cell;
}

// What flows into a piece must flow out of it.
static void tnBalancePieces(tnPotential* potential)
{
	tnPotentialCell* cells = potential->cells;
	for (int32_t i = 0; i < potential->cellCount; ++i)
	{
		cells[i].piece = i;
		cells[i].residual = 0.0;
		cells[i].product = 0.0;
	}
	for (int32_t i = 0; i < potential->edgeCount; ++i)
	{
		const int32_t a = tnFindPiece(cells, potential->edges[i].from);
		const int32_t b = tnFindPiece(cells, potential->edges[i].to);
		cells[tnMaxInt(a, b)].piece = tnMinInt(a, b);
	}
	for (int32_t i = 0; i < potential->cellCount; ++i)
	{
		tnPotentialCell* piece = cells + tnFindPiece(cells, i);
		piece->residual += cells[i].source;
		piece->product += 1.0;
	}
	for (int32_t i = 0; i < potential->cellCount; ++i)
	{
		const tnPotentialCell* piece = cells + tnFindPiece(cells, i);
		cells[i].source -= piece->residual / piece->product;
	}
}

// Products of directions with the matrix. Returns their product with the directions again.
static double tnMultiply(tnPotential* potential)
{
	tnPotentialCell* cells = potential->cells;
	for (int32_t i = 0; i < potential->cellCount; ++i)
	{
		cells[i].product = 0.0;
	}
	for (int32_t i = 0; i < potential->edgeCount; ++i)
	{
		const tnPotentialEdge edge = potential->edges[i];
		const double flow = edge.conductance * (cells[edge.from].direction - cells[edge.to].direction);
		cells[edge.from].product += flow;
		cells[edge.to].product -= flow;
	}
	double sum = 0.0;
	for (int32_t i = 0; i < potential->cellCount; ++i)
	{
		sum += cells[i].direction * cells[i].product;
	}
	return sum;
}

void tnPotential_Solve(tnPotential* potential)
{
	tnPotentialCell* cells = potential->cells;
	const int32_t count = potential->cellCount;
	tnBalancePieces(potential);
	for (int32_t i = 0; i < count; ++i)
	{
		cells[i].inverse = 0.0;
	}
	for (int32_t i = 0; i < potential->edgeCount; ++i)
	{
		cells[potential->edges[i].from].inverse += potential->edges[i].conductance;
		cells[potential->edges[i].to].inverse += potential->edges[i].conductance;
	}
	double slope = 0.0;
	double error = 0.0;
	for (int32_t i = 0; i < count; ++i)
	{
		tnPotentialCell* cell = cells + i;
		cell->inverse = cell->inverse > 0.0 ? 1.0 / cell->inverse : 0.0;
		cell->phi = 0.0;
		cell->residual = cell->source;
		cell->direction = cell->inverse * cell->residual;
		slope += cell->residual * cell->direction;
		error += cell->residual * cell->residual;
	}
	const double small = TN_SMALL_RESIDUAL * error;
	for (int round = 0; round < TN_MAX_ROUNDS && error > small; ++round)
	{
		const double curvature = tnMultiply(potential);
		if (!(curvature > 0.0))
		{
			return;
		}
		const double step = slope / curvature;
		const double oldSlope = slope;
		slope = 0.0;
		error = 0.0;
		for (int32_t i = 0; i < count; ++i)
		{
			tnPotentialCell* cell = cells + i;
			cell->phi += step * cell->direction;
			cell->residual -= step * cell->product;
			slope += cell->residual * cell->residual * cell->inverse;
			error += cell->residual * cell->residual;
		}
		for (int32_t i = 0; i < count; ++i)
		{
			tnPotentialCell* cell = cells + i;
			cell->direction = cell->inverse * cell->residual + slope / oldSlope * cell->direction;
		}
	}
}

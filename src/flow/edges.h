// SPDX-License-Identifier: MIT

#pragma once

#include "flow_kernels.h"
#include "grid.h"
#include "tiles.h"

// The four edges of the world. Walls, levels and wraps are ghost cells, which the flow kernels treat like any other
// cell. Open, absorbing and inflow edges set the discharge of the edge faces themselves. Absorbing edges also have a
// sponge.

typedef struct tnEdge
{
	tnEdgeDef def;
	tnCurvePoint* points;
	int pointCount;
	// As of the present step.
	float level, inflow;
	float criticalDepth; // of the inflow, m
} tnEdge;

typedef struct tnEdges
{
	tnEdge sides[tn_sideCount];
	float gravityRoot; // sqrt(g)
	bool anySponge;
} tnEdges;

// Pointers to cell 0 of a row and what the flow has there. Also used for rows in scratch memory.
typedef struct tnRow
{
	const float* bed;
	float* depth;
	float* flowX;
	float* flowZ;    // upper faces
	float* residual; // shallow only, else NULL
} tnRow;

void tnEdges_Init(tnEdges* edges, const tnWorldDef* def);
void tnEdges_Destroy(tnEdges* edges, tnMemory* memory);

// Defs have been put in place: find what follows from them.
void tnEdges_Renew(tnEdges* edges);

tnResult tnEdges_CheckDef(const tnEdgeDef* def, const char* name);
// Wrap must come in pairs.
tnResult tnEdges_CheckAll(const tnEdgeDef* defs);
// A curve goes when the kind changes.
void tnEdges_Set(tnEdges* edges, tnMemory* memory, tnSide side, const tnEdgeDef* def);
tnResult tnEdges_SetCurve(tnEdges* edges, tnMemory* memory, tnSide side, const tnCurvePoint* points, int count);

// Set the ghost beds after terrain or edges have changed.
void tnEdges_PrepareBed(const tnEdges* edges, tnGrid* grid);

// Before the sub-steps of a step: levels and inflows of this time, and wake what they move.
void tnEdges_BeginStep(tnEdges* edges, tnGrid* grid, tnTiles* tiles, double time);

// Ghost depths of the whole world, for the level edges of this step and wrapped edges.
void tnEdges_SetGhosts(const tnEdges* edges, tnGrid* grid);
// Velocities just outside the columns, which friction sees: across a wrapped edge, or none.
void tnEdges_SetFlowGhosts(const tnGrid* grid, float* flowZ);
// Both, of one row.
void tnEdges_SetRowGhosts(const tnEdges* edges, const tnGrid* grid, const tnRow* row);

// Does this side set the discharge of its faces itself?
bool tnEdges_Overrides(const tnEdges* edges, tnSide side);

// Discharge out of the world through an edge face, m^2/s (negative: into it).
// @param position cell along the edge
// @param inner discharge towards the edge at the next face inside
// @param sectionLimit largest section the time step is stable for, m
float tnEdges_GetOutflow(
	const tnEdges* edges, tnSide side, int position, float bed, float depth, float inner, float sectionLimit);

// Relax one row in the sponges. Adds to `taken` the depth that came from each side, summed over cells, m.
// @param flowBelow faces of the south edge for the last row, else NULL
// @param courant sqrt(g h) dt/dx of the fastest wave
// @param moving by tile of this row of tiles: set where a depth changes by more than `stillness`, m. May be NULL.
void tnEdges_RelaxRow(const tnEdges* edges, const tnGrid* grid, const tnRow* row, float* flowBelow, int rowIndex,
	float courant, float stillness, uint8_t* moving, tnSpanList spans, double taken[tn_sideCount]);

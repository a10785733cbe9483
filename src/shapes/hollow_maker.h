// SPDX-License-Identifier: MIT

// What the makers of hollow meshes share: hollow_parts.c knows which triangles hang together, hollow_pieces.c cuts triangles and sorts
// the pieces, hollow_lids.c closes basins, hollow_mesh.c has the order.

#pragma once

#include "hollow_search.h"

enum
{
	TN_MAX_PIECE_CORNERS = 24,
	TN_MAX_PIECES = 256,               // of a triangle
	TN_MAX_HOLLOW_TRIANGLES = 1 << 15, // meshes of more are not looked at
	TN_MAX_CONVEX_WORK = 1 << 22,
	TN_MAX_LID_EDGES = 2048,
	TN_MAX_LOWERINGS = 12,
};

// Over the extent of the mesh: what is nearer than that touches.
#define TN_TOUCHING 1.0e-5

typedef struct tnPiece
{
	double at[TN_MAX_PIECE_CORNERS][3];
	int count;
} tnPiece;

// A triangle of what is made.
typedef struct tnMadeTriangle
{
	int32_t corners[3];
	int32_t basin; // or -1
} tnMadeTriangle;

typedef struct tnLidEdge
{
	double from[2], to[2]; // x, z
	int32_t ends[2];       // points
} tnLidEdge;

// A part of the mesh that shares no point with others.
typedef struct tnMeshPart
{
	double low[3], high[3];
	double volume; // m^3, negative for the walls of a room that is closed on all sides
	int32_t triangleCount;
	bool convex;
} tnMeshPart;

typedef struct tnMaker
{
	const tnMesh* mesh;
	tnMemory* memory;
	tnHollowSearch search;
	double extent;
	double (*planes)[4];    // of all triangles: unit normal, distance from the origin
	int32_t* partOf;        // triangle: its part
	int32_t* partTriangles; // triangles, by part
	int32_t* partBegin;
	tnMeshPart* parts;
	int partCount;
	bool alive[TN_MAX_BASINS];
	int hollowOf[TN_MAX_BASINS];
	float heights[TN_MAX_BASINS]; // of lids; of those that are closed INFINITY
	// What is made.
	tnGrowing points, triangles, edges, rims;
	tnPiece* pieces; // 2 * TN_MAX_PIECES
} tnMaker;

// hollow_parts.c: the parts of the mesh, and what lies flat on or in others.
// @param parents room for an index for each point
void tnMaker_FindParts(tnMaker* maker, int32_t* parents);

// hollow_pieces.c: cut away of a triangle what others cover, and add the rest to what is made: to the basin it faces into, or outside.
void tnSortTriangle(tnMaker* maker, int triangle);
// The index of a point of what is made; the same for places nearer than snap.
int32_t tnAddPoint(tnMaker* maker, const double at[3], float snap);
void tnAddMade(tnMaker* maker, int32_t a, int32_t b, int32_t c, int basin);

// hollow_lids.c: edges that the lid of a basin has to close, and its area.
double tnFindLidEdges(tnMaker* maker, int basin);
bool tnIsClosed(const tnMaker* maker, int basin);
bool tnFillLid(tnMaker* maker, int basin, double area);
void tnFindRim(tnMaker* maker, int basin, double area);

// SPDX-License-Identifier: MIT

#pragma once

#include "../core/simd_double.h"
#include "../shapes/body_mesh.h"
#include "body_edge_planes.h"
#include "body_patch.h"

// What the sweeps of body_sweep.inc and body_face_sweep.c share: how the planes of triangles are found, and the way of an edge
// through the cells of a patch.

// An edge from north to south and the planes of its facets: of the one that runs along with it, which lies to the
// east if it faces up, and of the one that runs back.
typedef struct tnSweepEdge
{
	const tnFineCorner* north;
	const tnFineCorner* south;
	const tnPlane* along;
	const tnPlane* back;
} tnSweepEdge;

// Facets that are steeper than this are vertical: projected area over the square of the extent of the body. What is
// carried is then at most 1e8 times the height of the body, and its rounding, and that of corners, 1e-8 times.
#define TN_LEAST_FLATNESS 1.0e-8

// Find the planes of all facets.
static inline void tnFindPlanes(const tnPatch* patch, const tnMesh* mesh, const tnFineCorner* corners, tnPlane* planes)
{
	const double extent = (double)mesh->radius / (double)patch->grid->cellSize;
	const tnDouble4 least = tnSplat4(TN_LEAST_FLATNESS * extent * extent);
	const tnDouble4 one = tnSplat4(1.0);
	for (int i = 0; i < mesh->facetCount; i += TN_PLANE_LANES)
	{
		tnDouble4 a[TN_PLANE_LANES], b[TN_PLANE_LANES], c[TN_PLANE_LANES];
		for (int lane = 0; lane < TN_PLANE_LANES; ++lane)
		{
			const int32_t* facet = mesh->facets + 3 * (ptrdiff_t)tnMinInt(i + lane, mesh->facetCount - 1);
			a[lane] = tnLoad4(corners[facet[0]].at);
			b[lane] = tnLoad4(corners[facet[1]].at);
			c[lane] = tnLoad4(corners[facet[2]].at);
		}
		// x, z, y of all of them.
		tnTranspose4(a);
		tnTranspose4(b);
		tnTranspose4(c);
		const tnDouble4 xB = tnSub4(b[0], a[0]), zB = tnSub4(b[1], a[1]), yB = tnSub4(b[2], a[2]);
		const tnDouble4 xC = tnSub4(c[0], a[0]), zC = tnSub4(c[1], a[1]), yC = tnSub4(c[2], a[2]);
		const tnDouble4 twice = tnSub4(tnMul4(zB, xC), tnMul4(xB, zC));
		const tnDouble4 scale = tnDiv4(one, twice);
		tnDouble4 out[TN_PLANE_LANES];
		out[1] = tnMul4(tnSub4(tnMul4(zB, yC), tnMul4(yB, zC)), scale);
		out[2] = tnMul4(tnSub4(tnMul4(yB, xC), tnMul4(xB, yC)), scale);
		out[0] = tnSub4(tnSub4(a[2], tnMul4(out[1], a[0])), tnMul4(out[2], a[1]));
		const tnDouble4 top = tnKeep4(tnGreater4(twice, least), tnSplat4(tn_topSide + 1.0));
		const tnDouble4 bottom = tnKeep4(tnGreater4(tnSub4(tnSplat4(0.0), least), twice), one);
		out[3] = tnSub4(tnAdd4(top, bottom), one);
		tnTranspose4(out);
		for (int lane = 0; lane < TN_PLANE_LANES; ++lane)
		{
			tnStore4(&planes[i + lane].y0, out[lane]);
		}
	}
}

static inline tnSweepEdge tnGetSweepEdge(const tnPlane* planes, const tnFineCorner* corners, const int32_t* edge)
{
	const int turned = corners[edge[1]].at[1] < corners[edge[0]].at[1] ? 1 : 0;
	return (tnSweepEdge){
		.north = corners + edge[turned],
		.south = corners + edge[1 - turned],
		.along = planes + edge[2 + turned],
		.back = planes + edge[3 - turned],
	};
}

// An edge that runs along lines does not come to the next one: that is beyond its end.
#define TN_TRACK_NEVER 2.0

// The way of an edge, from crossing to crossing of the lines of the grid. A line that touches a corner is taken to lie
// a little to the west or north: lines that are crossed are x < line <= end going east, end < line <= x going west,
// and z < line <= end.
//
// Where an edge goes next is as good as random to a processor that guesses ahead. So all choices are made by looking up
// what to add, not by branches. [0] is for crossing a line along x, [1] for one along z.
typedef struct tnTrack
{
	double xBegin, zBegin, dx, dz;
	double x, z;             // where it is
	double nextX, nextZ;     // where on the way the next line along z, or x, is crossed: 0 .. 1
	double addX[2], addZ[2]; // to these
	double west;             // of the cell
	double addWest[2];
	ptrdiff_t addNode[2]; // to an index of nodes
	int left;             // lines that are still to be crossed
	int column, row;      // where it begins
} tnTrack;

static inline tnTrack tnTrack_Begin(const tnFineCorner* north, const tnFineCorner* south, ptrdiff_t stride)
{
	tnTrack track;
	track.xBegin = north->at[0];
	track.zBegin = north->at[1];
	track.dx = south->at[0] - track.xBegin;
	track.dz = south->at[1] - track.zBegin;
	track.x = track.xBegin;
	track.z = track.zBegin;
	track.column = (int)north->at[0];
	track.row = (int)north->at[1];
	const int columns = (int)south->at[0] - track.column;
	const int rows = (int)south->at[1] - track.row;
	const int east = track.dx > 0.0;
	const int step = 2 * east - 1;
	track.left = columns * step + rows;
	track.west = (double)track.column;
	const double rateX = track.dx != 0.0 ? 1.0 / track.dx : 0.0;
	const double rateZ = track.dz != 0.0 ? 1.0 / track.dz : 0.0;
	track.nextX = track.dx != 0.0 ? ((double)(track.column + east) - track.xBegin) * rateX : TN_TRACK_NEVER;
	track.nextZ = track.dz != 0.0 ? ((double)(track.row + 1) - track.zBegin) * rateZ : TN_TRACK_NEVER;
	track.addX[0] = 0.0;
	track.addX[1] = rateX * step;
	track.addZ[0] = rateZ;
	track.addZ[1] = 0.0;
	track.addWest[0] = 0.0;
	track.addWest[1] = (double)step;
	track.addNode[0] = stride;
	track.addNode[1] = step;
	return track;
}

// Find the next crossing. Returns 1 if it is one of a line along z, else 0.
static inline int tnTrack_FindCrossing(const tnTrack* track, double* x, double* z)
{
	const double next = track->nextX < track->nextZ ? track->nextX : track->nextZ;
	*x = track->xBegin + next * track->dx;
	*z = track->zBegin + next * track->dz;
	return track->nextX <= track->nextZ;
}

// Go there.
static inline void tnTrack_Cross(tnTrack* track, int across, double x, double z)
{
	track->x = x;
	track->z = z;
	track->nextX += track->addX[across];
	track->nextZ += track->addZ[across];
	track->west += track->addWest[across];
	track->left -= 1;
}

// ---------------------------------------------------------------------------------------------------------------------
// Edges that stand on lines

// The line that both ends are near to, on the side where the body is; -1 if there is none. The body is east or south of
// the edge if `behind`, and counts as standing on the line from there; else it must not be counted as crossing already.
static inline int tnGetTouchedLine(double a, double b, bool behind)
{
	const double low = a < b ? a : b;
	const double high = a < b ? b : a;
	const int line = (int)(behind ? low : high + (1.0 - 1.0e-7));
	const double farther = behind ? high - line : line - low;
	const double nearer = behind ? low - line : line - high;
	if (!(nearer >= 0.0 && farther <= (double)TN_TOUCH) || (!behind && farther == 0.0))
	{
		return -1;
	}
	return line;
}

// What an edge of the outline touches along one axis.
typedef struct tnTouchedLine
{
	int line; // -1 for nothing
	int before;
	const tnFineCorner* low;
	const tnFineCorner* high;
} tnTouchedLine;

// @param east the body lies east of the edge, going from north to south; else west
static inline tnTouchedLine tnFindTouchedLine(
	const tnPatch* patch, int axis, bool east, const tnFineCorner* north, const tnFineCorner* south)
{
	// With the body to the east of an edge that runs south and west, it lies south of it.
	const bool behind = axis == 0 ? east : (south->at[0] < north->at[0]) == east;
	const int count = axis == 0 ? patch->columnCount : patch->rowCount;
	tnTouchedLine touched = {.line = tnGetTouchedLine(north->at[axis], south->at[axis], behind)};
	const bool rising = north->at[1 - axis] < south->at[1 - axis];
	touched.before = behind ? 1 : 0;
	touched.low = rising ? north : south;
	touched.high = rising ? south : north;
	if (touched.line > count || !(touched.high->at[1 - axis] > touched.low->at[1 - axis]))
	{
		touched.line = -1;
	}
	return touched;
}

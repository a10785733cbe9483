// SPDX-License-Identifier: MIT

// Convex obstacles in the rectangle of a link, and the narrowest place between them: see body_links.c.

#pragma once

#include "body_flow.h"

enum
{
	TN_LINK_POINTS = 512,
	TN_LINK_OBSTACLES = 48,
	TN_LINK_BODIES = 24,
	TN_SECTION_POINTS = 128,
	TN_SECTION_CACHE = 16,
	// Of a mesh that is not convex, at most.
	TN_LINK_TRIANGLES = 4096,
	// Corners that clipping at the four sides of a rectangle adds.
	TN_CLIP_CORNERS = 4,
};

// In cells.
#define TN_LINK_TOLERANCE ((double)TN_SEALED_SHARE)
// What is as near to a line as this is on it.
#define TN_LINK_TOUCH 1.0e-4
// The rim of a cell lies so far inside of it.
#define TN_LINK_INSET (1.0 / 512.0)
// As far beyond the sides of a link another body shows that a sliver is part of a gap.
#define TN_LINK_BEYOND 0.25
// Water along less than this share of the longest part of the rim does not count: a corner that a wall cuts off. What cuts a cell
// through its middle leaves two that are longer.
#define TN_LINK_MINOR 0.5
#define TN_LINK_UNIT (1.0 / 1048576.0)

// Along the link, and across.
typedef struct tnSpot
{
	double u, v;
} tnSpot;

// A convex polygon, or a line of two points.
typedef struct tnObstacle
{
	int begin, count;
} tnObstacle;

typedef struct tnObstacles
{
	tnSpot spots[TN_LINK_POINTS];
	int spotCount;
	tnObstacle items[TN_LINK_OBSTACLES];
	int count;
	bool full; // there was no room for all: nothing is open
} tnObstacles;

// From (u0, v0) to (u1, v1).
typedef struct tnFrame
{
	double u0, u1, v0, v1;
} tnFrame;

static inline double tnRoundPlace(double place)
{
	return rint(place * (1.0 / TN_LINK_UNIT)) * TN_LINK_UNIT;
}

// A link: where it begins and ends.
typedef struct tnWay
{
	tnSpot from, to;
} tnWay;

// Keep what is on one side of a line. `keep` is 1 for places from `at` on, -1 for those up to it.
int tnClipSide(const tnSpot* in, int count, bool alongV, double at, double keep, tnSpot* out);

// @param spots room for four more
int tnClipToFrame(tnSpot* spots, int count, const tnFrame* frame);

void tnObstacles_Add(tnObstacles* obstacles, const tnSpot* spots, int count);

// Obstacles as a frame sees them.
void tnObstacles_Clip(const tnObstacles* from, const tnFrame* frame, tnObstacles* to);

double tnGetTurn(tnSpot a, tnSpot b, tnSpot p);

bool tnPolygon_Holds(const tnSpot* spots, int count, tnSpot p);

// Square of the distance of a place from the rim of a polygon.
double tnPolygon_GetSquare(const tnSpot* spots, int count, tnSpot p);

// How far two polygons are apart, 0 if they overlap; else the places where they are nearest to each other, too.
double tnPolygons_FindNearest(const tnSpot* a, int aCount, const tnSpot* b, int bCount, tnSpot ends[2]);

// Close the gaps between those that touch, within the tolerance: a line between the two places that are nearest to each other.
void tnObstacles_Bridge(tnObstacles* obstacles);

// Of those that touch, within a tolerance.
double tnObstacles_GetGap(const tnObstacles* obstacles, int first, int second);

// The width of the narrowest place of a link that crosses the obstacles, or of a cell if it has no ends.
// @param ends may be NULL
double tnFindWidth(const tnObstacles* all, double u0, double u1, const tnWay* ends);

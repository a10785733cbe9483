// SPDX-License-Identifier: MIT

// What stands in links: bodies by cell, what they are at a height, and the obstacles that they make: see body_links.c.

#pragma once

#include "link_water.h"

// What stands in a link: a body, between two heights.
typedef struct tnStander
{
	const tnBody* body;
	int shiftColumn, shiftRow; // to where it is seen from there, in a world that wraps
	float share;               // of its columns, to weigh heights by
	float low, high;           // m
	bool beside;               // not in one of the two cells
} tnStander;

// Bodies by cell: lists of their columns.
typedef struct tnStanders
{
	int* heads; // by slot, + 1; 0 for none
	int* links; // three each: body, column, the next one + 1
	int count, capacity;
} tnStanders;

enum
{
	TN_STANDER_INTS = 3,
	TN_LINK_HEIGHTS = 2 * TN_LINK_BODIES + 1,
};

// Sections that were made last: links beside each other see the same.
typedef struct tnSectionCache
{
	struct
	{
		const tnBody* body;
		double height;
		bool before;
		int count;
		tnSpot hull[TN_SECTION_POINTS];
	} items[TN_SECTION_CACHE];
	int next;
} tnSectionCache;

// Where a link is: its first cell, not wrapped.
typedef struct tnLinkPlace
{
	int column, row;
	bool alongZ;
} tnLinkPlace;

enum
{
	TN_MOST_GAPS = 1024,
	TN_GAP_FACES = 24,
};

// A face on the way through a gap: that of a link.
typedef struct tnGapFace
{
	int column, row;
	bool alongZ;
	float share; // of the width of the gap
} tnGapFace;

// A narrow gap between two bodies, or none: see link_gaps.c.
typedef struct tnGap
{
	double width;      // cells
	tnSpot plug[2];    // in cells of the grid
	double likeHeight; // whether it is like that at a height, m: the last one that was asked for
	int first, second; // bodies, by index; -1 for nothing
	bool open;         // there is one
	bool like;
	int faceCount;
	tnGapFace faces[TN_GAP_FACES];
} tnGap;

// Those that were found last, by their bodies. How many there is room for changes no result.
typedef struct tnGapCache
{
	tnGap* items;
	int capacity;
	tnGap only; // where there is no room
} tnGapCache;

typedef struct tnLinkContext
{
	tnGroup* group;
	const tnGrid* grid;
	const tnBodies* bodies;
	tnSectionCache* cache;
	tnGapCache* gaps;
	tnStanders standers;
	uint8_t* swept; // by slot: see tnSweepCells
} tnLinkContext;

// False if there is no room for all.
bool tnListStanders(tnLinkContext* context, const int* grouped);

// The bodies of a cell. Intervals of a body that overlap are one, which is that of both cells.
// @param column, row where the cell is seen from the link, not wrapped
int tnAddStanders(
	const tnLinkContext* context, int slot, int column, int row, bool beside, tnStander* standers, int count);

// Does a body that blocks stand on the ground in a cell?
bool tnStandsIn(const tnGroup* group, const tnGrid* grid, int slot);

// Where the centre of mass of a body is, in cells of the grid.
tnSpot tnGetMiddle(const tnGrid* grid, const tnPose* pose);

// The section of a convex body at a height: see tnSectionCache. Returns how many corners it has, or -1 if they are too many.
int tnGetSection(
	const tnLinkContext* context, const tnBody* body, double height, bool before, tnSpot hull[TN_SECTION_POINTS]);

// What a link sees of a polygon in cells of the grid.
void tnAddToLink(const tnLinkPlace* place, const tnSpot* hull, int count, tnObstacles* obstacles);

// Is it wholly covered by one that does?
bool tnIsFilled(const tnGroup* group, int slot);

// Velocity of bodies through a face, m/s: their mean.
float tnGetFaceSpeed(
	const tnGrid* grid, const tnLinkPlace* place, const tnStander* standers, int count, float low, float high);

// The heights between which the same bodies stand. Gaps that are lower than `least` are closed, and steps that are lower than half of
// it are none.
int tnFindLevels(tnStander* standers, int count, float ground, float least, float* heights);

// The obstacles of a level. Returns how many bodies stand in the two cells.
// @param before as they were when the step began
int tnFindObstacles(const tnLinkContext* context, const tnLinkPlace* place, const tnStander* standers, int count,
	float low, float high, bool before, tnObstacles* obstacles);

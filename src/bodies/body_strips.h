// SPDX-License-Identifier: MIT

#pragma once

#include "bodies.h"
#include "body_profile.h"
#include "body_vacated_cells.h"

// The cells around a group of bodies, dense, so that loops over them are loops over vectors.
//
//   strip      eight cells of a row. A group has the strips that its bodies can touch, and a ring of cells around them;
//              row by row, from west to east, so that the cells east and west of a cell are its neighbours in memory
//              where it matters. Far apart bodies of one group cost nothing in between.
//   slot       a place in the fields of a group: eight for each strip
//   field      one float for each slot. All fields of a group lie together.
//   packed     what the solver needs for a moment: fields with, of each strip, the four cells of one colour of a
//              chessboard; all of the first colour come first, then all of the second
//
// The west and the north face of a cell have its slot. East and south of a covered cell there always is a slot, at an
// edge of the world one beyond it, whose faces are for the edge. Where the world wraps along x, cells beyond its edge
// are copies (seams) of those at the other edge.

enum
{
	TN_STRIP_SIZE = 8,
	TN_STRIP_HALF = TN_STRIP_SIZE / 2,
	// Floats from packed field to packed field where a group fits in: enough for bodies of 40 x 40 cells, and little
	// enough to stay in the second cache. A constant: so all of them can be reached from one pointer.
	TN_PACKED_STRIDE = 2520,
	// Runs of cells that a body may leave in a row of cells: one on each side, and one more where it wraps. What else it leaves
	// behind where it is more ragged is a dent for a step.
	TN_LEFT_RUNS = 3,
};

typedef struct tnStrip
{
	int32_t column, row;
	int32_t index;               // of its first cell in the grid
	int32_t north, south;        // strips of the group beside it; itself if there is none
	bool meetsNorth, meetsSouth; // the cells there are of the same colours: where an odd number of rows wraps
	bool solves;                 // it has covered cells
	bool fresh;                  // some of them were not covered before
	bool odd;                    // sections of its faces need profiles that fields do not hold
	// By axis: some of its X faces, or Z faces, are solid in part, or sealed.
	bool solid[2];
	bool narrow[2];    // some of them are gaps between bodies
	uint8_t halves[2]; // bits: its first half and its second half have faces of covered cells
} tnStrip;

// Cells of one colour that the solver takes together: those of a strip, or of two strips side by side if all cells north
// and south of both lie side by side, too. Places in packed fields, of the first cell and of those beside it.
typedef struct tnRun
{
	int32_t at, west, north, south;
	int32_t slot; // of the first cell; every second one is of its colour
	int32_t stripCount;
} tnRun;

// A cell beyond the edge of a wrapped world, and the one it is.
typedef struct tnSeam
{
	int32_t copy, origin; // slots
	bool east;            // beyond the east edge: its west face is that of the origin
} tnSeam;

// What solids take from a face and what flows through it. Fields of X faces, and then of Z faces.
typedef enum tnFaceField
{
	tn_faceKind = 0, // see tnFaceKind
	tn_faceSolid,    // a solid interval at the face itself: share, and between which heights, m
	tn_faceLow,
	tn_faceHigh,
	tn_faceSpeed,   // of solids, through the face, m/s
	tn_faceSection, // in the last sub-step, m
	tn_faceCarried, // discharge that bodies carry along beyond what goes through the section, m^2/s; see body_flow.c
	tn_faceShut,    // height that solids take from it, after the last sub-step, m
	tn_faceFall,    // of heads, by which water was pushed: sum over the sub-steps of the last step, m
	// Before the heads are known discharge = fixed + rate * (fall of head). Then it holds the result.
	tn_faceFixed,
	tn_faceDischarge = tn_faceFixed, // m^2/s
	tn_faceVelocity,                 // m/s; not for pipes
	tn_faceFieldCount,
} tnFaceField;

typedef enum tnBodyField
{
	tn_cellHead = 0, // m; bed + depth where no body is
	tn_cellMeanHead, // sum over the sub-steps of a step, then their mean, m
	tn_cellMissing,  // how much more water would be there without bodies: the same
	tn_cellCovered,  // 1 or 0, or TN_COVERED_COPY
	// A solid interval: share and heights, m. Cells with several have a profile.
	tn_cellSolid,
	tn_cellLow,
	tn_cellHigh,
	tn_cellBlocked, // the same share if it takes from the sections of faces, else 0
	tn_cellAllowance,
	tn_cellHeld, // see body_flow.c
	tn_cellHanded,
	tn_firstFaceX,
	tn_firstFaceZ = tn_firstFaceX + tn_faceFieldCount,
	// While bodies are collected: the share of a cell's solids that gives way, see body_flow.c. Then the share that they take
	// at a face, mean of the step; and half of the speed of the body in a cell along an axis times the height that it has
	// below the head there, whatever its share, m^2/s.
	tn_cellGivesWay = tn_cellHeld,
	tn_faceTakenX = tn_cellHeld,
	tn_faceTakenZ = tn_cellHanded,
	tn_cellSweptX = tn_cellMeanHead,
	tn_cellSweptZ = tn_cellMissing,
	// Until the first sub-step has its faces: impulse that drag owes to the water, half of that of a cell, over the density and
	// its area, m^2/s; and for pipes, whose faces have no velocity, what moving solids have taken of the section of a cell
	// since the last step, m, see body_flow.c.
	tn_cellDebtX = tn_cellMeanHead,
	tn_cellDebtZ = tn_cellMissing,
	tn_cellNarrowed = tn_firstFaceX + tn_faceVelocity,
	tn_bodyFieldCount = tn_firstFaceZ + tn_faceFieldCount,
} tnBodyField;

// volume(head) + slope * head = sum + rates * heads beside. Volume is base + open * head between two heights.
typedef enum tnPackedField
{
	tn_packedHead = 0,
	tn_packedSum,
	tn_packedInverse, // 1 / (open + slope)
	tn_packedBase,
	tn_packedLow,
	tn_packedHigh,
	tn_packedFloor, // the bed, m
	tn_packedWest,  // rates, whose sum the slope is
	tn_packedEast,
	tn_packedNorth,
	tn_packedSouth,
	// Not packed, but of a moment, too: sections and rates of faces, one float for each slot, by axis. Sections of the
	// last sub-step go to tn_faceSection.
	tn_packedSection,
	tn_packedRate = tn_packedSection + 2,
	tn_packedFieldCount = tn_packedRate + 2,
} tnPackedField;

// Marks copies of covered cells beyond a wrapped edge: they are not solved for.
#define TN_COVERED_COPY 0.5f

typedef enum tnFaceKind
{
	tn_foreignFace = 0, // no body beside it: it is for the kernels of the flow
	tn_freeFace,
	tn_sealedFace, // a body stands on the ground beside it: what is solid at the face itself decides
	tn_linkedFace, // the same, and that is known from the way between its cells: body_links.c
} tnFaceKind;

// Chains of layers while they are collected, then profiles + 1; 0 for none.
typedef enum tnChain
{
	tn_cellChain = 0,
	tn_faceChainX,
	tn_faceChainZ,
	tn_chainCount,
} tnChain;

typedef struct tnLayerLink
{
	tnLayer layer;
	float speed;
	int next; // + 1, 0 for the last
} tnLayerLink;

// Bodies that may share cells, and what they cover. Groups share nothing, so each can be worked on by itself.
// How a step found that a group stays as it is: its water sleeps, its bodies have not moved, and the step has changed no head. Another
// step of that kind would find the same, to the last bit.
typedef enum tnGroupStillness
{
	tn_restlessGroup = 0,
	tn_idleGroup,  // all water slept, and nothing was solved
	tn_stillGroup, // other water was awake, and heads were solved for
} tnGroupStillness;

typedef struct tnGroup
{
	int bodyBegin, bodyEnd; // in tnBodyFlow.grouped
	tnStrip* strips;
	int stripCount;
	int stripLimit;         // that it has room for: all that its bodies can touch
	tnRun* runs;            // by colour, with room for stripCount each
	int runCount;           // of each colour
	float* fields;          // see tnGroup_GetField
	float* packed;          // of its own, if there are too many strips for the scratch of a worker
	int32_t* columns;       // of the strips, once more
	int* chains;            // see tnGroup_GetChain
	int* rowStrips;         // rowCount + 1: the first strip of each row
	int firstRow, rowCount; // of its strips
	int columnBegin;        // of its first strips; -TN_STRIP_SIZE if it crosses an edge that wraps
	int columnEnd;
	tnSeam* seams;
	int seamCount;
	tnLeftRun* left; // by its bodies in the last step
	int leftCount, leftCapacity;
	tnLayerLink* layers;
	int layerCount;
	int sharing,
		sharingLimit; // intervals at places that have several, and how many of them may be: tnBody_GetSharingLimit
	tnProfile* profiles;
	int profileCount;
	tnBreak* breaks;
	int breakCount;
	int cellCount;   // covered
	float side;      // of its largest body, in cells
	float leastOpen; // of its cells
	int sweepLimit;
	int liftedBegin; // in tnBodyFlow.lifted
	float rise;      // the most that a head would change by in a sub-step of this step, m
	bool crosses;    // an edge that wraps
	bool kept;       // nothing has changed since it was collected
	bool hangs;      // columns were left out because they hang above the water
	bool leaves;     // it has cells that a body has left
	bool stands;     // a body stands on the ground: it has faces that are sealed
	bool narrow;     // it has faces that are gaps between bodies
	bool carries;    // tn_faceCarried counts
	bool sweeps;     // while it is collected: tn_faceFall holds what goes out of swept cells, see body_links.c
	bool owes;       // in the first sub-step: debts count
	// The rest is not saved: who does not know finds out.
	bool skips;        // this step, or what has been of it
	bool watched;      // whether this step changes a head is asked for
	uint8_t stillness; // tnGroupStillness
	uint64_t headHash; // before the step
} tnGroup;

// Floats that a group with that many strips needs, and ints for its chains. A pad on both sides of each field makes the
// cells before the first and after the last one legal to read.
static inline size_t tnGetFieldLength(int stripCount)
{
	return ((size_t)stripCount + 2) * TN_STRIP_SIZE;
}

// Floats from field to field. An odd number of strips: fields whose distance is a power of two would push each other out of
// the cache.
static inline size_t tnGetFieldStride(int stripCount)
{
	return tnGetFieldLength(stripCount) | TN_STRIP_SIZE;
}

static inline float* tnGroup_GetField(const tnGroup* group, int field)
{
	return group->fields + tnGetFieldStride(group->stripCount) * (size_t)field + TN_STRIP_SIZE;
}

static inline size_t tnGetPackedStride(int stripCount)
{
	const size_t length = tnGetFieldLength(stripCount);
	return length <= TN_PACKED_STRIDE ? TN_PACKED_STRIDE : length;
}

// A field of `packed`.
static inline float* tnGroup_GetPacked(const tnGroup* group, float* packed, tnPackedField field)
{
	return packed + tnGetPackedStride(group->stripCount) * (size_t)field + TN_STRIP_SIZE;
}

static inline float* tnGroup_GetFace(const tnGroup* group, bool alongZ, tnFaceField field)
{
	return tnGroup_GetField(group, (alongZ ? tn_firstFaceZ : tn_firstFaceX) + (int)field);
}

static inline int* tnGroup_GetChain(const tnGroup* group, tnChain chain)
{
	return group->chains + tnGetFieldLength(group->stripCount) * (size_t)chain + TN_STRIP_SIZE;
}

// Where the second colour of a packed field begins.
static inline int tnGroup_GetHalf(const tnGroup* group)
{
	return group->stripCount * TN_STRIP_HALF;
}

// Is the first cell of a strip of the second colour?
static inline int tnStrip_GetParity(const tnStrip* strip)
{
	return (strip->column + strip->row) & 1;
}

// The slot of the cell north of the first one of a strip, and south.
static inline int tnStrip_GetNorth(const tnStrip* strip)
{
	return TN_STRIP_SIZE * strip->north;
}

static inline int tnStrip_GetSouth(const tnStrip* strip)
{
	return TN_STRIP_SIZE * strip->south;
}

// Words of bits that laying out strips needs as scratch.
size_t tnGetStripBitCount(const tnGrid* grid);

// Strips, with what fields have beside them, that a body can need at most, wherever it is and whoever is beside it; and
// rows of them.
int64_t tnGetStripLimit(const tnGrid* grid, const tnBody* body);
int64_t tnGetRowLimit(const tnGrid* grid, const tnBody* body);
// The same for all bodies that fit into the world: those of different groups share no cells.
// @param leastSpan of the thinnest body
int64_t tnGetStripsOfWorld(const tnGrid* grid, int leastSpan);

// The room of a group with that many strips.
static inline size_t tnGetStripRoom(int stripCount)
{
	return tnGetFieldStride(stripCount) / TN_STRIP_SIZE;
}

// Strips that the bodies of a group can touch, where they are now. Call before they are cut.
// @param bits scratch, zero before and after
int tnGroup_CountStrips(
	const tnGroup* group, const tnGrid* grid, const tnBodies* bodies, const int* indices, uint64_t* bits);

// Lay out the strips of a group around the columns of its bodies, and around the cells that they have left.
// @param bits scratch, zero before and after
void tnGroup_LayStrips(tnGroup* group, const tnGrid* grid, const tnBodies* bodies, const int* indices, uint64_t* bits);

// Find the strips beside each strip, and the seams, from the columns of strips and rowStrips.
void tnGroup_JoinStrips(tnGroup* group, const tnGrid* grid);

// List the runs of strips with covered cells.
void tnGroup_ListRuns(tnGroup* group);

// The slot of a cell of the world. -1 if the group has none.
int tnGroup_FindSlot(const tnGroup* group, int column, int row);

// Finds slots of cells that come row by row, from west to east: mostly the next one.
typedef struct tnSlotWalk
{
	int column, row, slot;
} tnSlotWalk;

static inline int tnSlotWalk_Find(tnSlotWalk* walk, const tnGroup* group, int column, int row)
{
	const int step = column - walk->column;
	const bool near = walk->slot >= 0 && row == walk->row && step >= 0;
	const bool same = near && walk->slot % TN_STRIP_SIZE + step < TN_STRIP_SIZE;
	const int slot = same ? walk->slot + step : tnGroup_FindSlot(group, column, row);
	*walk = (tnSlotWalk){column, row, slot};
	return slot;
}

// The slot beside a slot: cells are found through their strip.
static inline int tnGroup_GetNorthSlot(const tnGroup* group, int slot)
{
	return tnStrip_GetNorth(group->strips + slot / TN_STRIP_SIZE) + slot % TN_STRIP_SIZE;
}

static inline int tnGroup_GetSouthSlot(const tnGroup* group, int slot)
{
	return tnStrip_GetSouth(group->strips + slot / TN_STRIP_SIZE) + slot % TN_STRIP_SIZE;
}

static inline int32_t tnGroup_GetCell(const tnGroup* group, int slot)
{
	return group->strips[slot / TN_STRIP_SIZE].index + slot % TN_STRIP_SIZE;
}

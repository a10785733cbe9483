// SPDX-License-Identifier: MIT

#pragma once

#include "voxel_world.h"

// Connected liquid. Voxels of one kind that lie on something are connected
//
//   upwards, if the lower one is full, and
//   sideways, if the liquid of both reaches above the ground of both.
//
// Within a column they form spans, of which only the topmost voxel may be less than full: one comparison tells if two spans
// of neighbouring columns touch. Spans of a chunk that are connected form a part, and parts of chunks that are connected a
// component. Only chunks that have changed are divided again; a chunk of deep water is one part without any memory for it.

// A place where the surface of a component is open to the air.
struct tnVoxelPart
{
	tnVoxelPart* parent; // of the same component; itself: the first one, which stands for all of it
	int32_t order;       // in the world
	uint16_t links[3];   // bit l: touches part l of the chunk to the east, south, above
	uint8_t kind;
	bool inOcean;
	bool opensAbove;      // has a surface at the very top of its chunk: it rises into the chunk above
	int32_t surfaceCount; // columns
	int64_t levelSum;     // of the heights of surfaces, in units
	int64_t lowest, highest;
	// Liquid that was taken and not yet put, of the whole component, at its first part, and how much of it jets will need.
	int64_t account;
	int64_t reserve;
	// Lowest and highest voxels under a lighter liquid, INT32_MAX and INT32_MIN if there are none.
	int32_t coverLow, coverHigh;
	// How many there are, the sum of their heights in units, and under which parts of the chunk and of the one above: bit l,
	// bit 0 for none.
	int32_t coverCount;
	int64_t coverSum;
	uint16_t coversHere, coversAbove;
	// Those of them that are surfaces, for there is room between; and of the whole component, at its first part.
	int32_t pressedCount, allPressed, allCovers;
	int64_t pressedSum, allPressedLevels;
	int64_t target; // height that all surfaces should have, or one unit more
	int64_t allLevels;
	int64_t allLowest, allHighest;
	int32_t allSurfaces;
	bool allOcean;
	bool isRestless;  // surfaces must move
	bool isTrimming;  // none is too high, but some are too low
	bool isFinishing; // they differ by one unit at most, but some liquid waits
	// In this pass: what it wants and gets, for how much of that it was dealt out, and what was put; the same for the whole
	// component.
	int64_t wanted, taken, granted, dealt, given;
	int64_t allWanted, allGranted, allDealt;
	int64_t touched; // the step, from 1, in which levels may move it, at the first part
};

// A surface of a part, found anew.
typedef struct tnVoxelSurface
{
	tnVoxelPart* part;
	int32_t voxel;  // with liquid
	int32_t amount; // of it
	int32_t room;   // that is left in it or, if it is full, in the voxel above
	bool above;     // it is full
	bool isCovered; // and above it is a lighter liquid: there is no room
	bool isPressed; // it is not full, and above it is a lighter liquid
	bool isDry;     // and above it is dry ground of height `level`: how high it stands only the component knows
	int64_t level;
} tnVoxelSurface;

typedef struct tnSpan
{
	uint8_t column, low, high, kind;
	uint16_t root;
	uint16_t size; // voxels, at roots
} tnSpan;

// What is needed to divide a chunk into parts.
typedef struct tnDivision
{
	tnVoxelView view;
	tnSpanBits bits;
	tnSpan spans[TN_CHUNK_VOXELS];
	uint8_t labelOf[TN_CHUNK_VOXELS]; // by span
	uint8_t labels[TN_CHUNK_VOXELS];
	int32_t columnStart[TN_LAYER + 1];
	int32_t spanCount;
	tnVoxelSurface surfaces[TN_CHUNK_VOXELS];
} tnDivision;

// A chunk that is being divided: its new parts and labels, in pages large enough for any.
typedef struct tnDivideTask
{
	tnVoxelBlock* block;
	int32_t chunk;
	int32_t partCount;
	bool needsLabels;
	tnVoxelPart* parts;
	uint8_t* labels;
} tnDivideTask;
#define TN_DIVIDE_BATCH 64

static inline int32_t tnGetLabel(const tnVoxelStore* store, const tnVoxelChunk* chunk, int32_t voxel)
{
	if (chunk->partCount == 0)
	{
		return 0;
	}
	if (chunk->labels != NULL)
	{
		return chunk->labels[voxel / 2] >> (4 * (voxel % 2)) & 15;
	}
	return tnGetWord(store, chunk, voxel) != 0 ? 1 : 0;
}

static inline int64_t tnFloorDivide(int64_t a, int64_t b)
{
	return a >= 0 ? a / b : -((-a + b - 1) / b);
}

tnVoxelPart* tnFindComponent(tnVoxelPart* part);
// Once targets are known each part knows its component: nothing is written, so that many can ask at the same time.
static inline tnVoxelPart* tnGetComponent(const tnVoxelPart* part)
{
	return part->parent;
}
// One without voxels.
tnVoxelPart tnMakePart(int32_t kind);
// Find anew which parts of a chunk touch an ocean.
void tnMarkOceans(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk);

// What a component of a light liquid covers of one of a heavy liquid (voxel_layered_liquids.c).
typedef struct tnVoxelCover
{
	tnVoxelPart* heavy;
	tnVoxelPart* light; // NULL: what is in no component
	int32_t low, high;  // voxels
	int32_t count;      // of columns
	int64_t sum;        // of their heights, in units
	int32_t middle;     // the voxel at their mean, or the one below it
	bool hasHead;
	double head;   // in units
	double slope;  // by how much the head falls for each unit that leaves
	int32_t moves; // columns that should sink; less than 0: rise
	bool waits;    // for its turn, for it is viscous
	int32_t cursor;
} tnVoxelCover;
#define TN_MAX_COVERS 256

// A voxel of a heavy liquid under a light one that is too high, or too low.
typedef struct tnVoxelExchange
{
	tnVoxelCover* cover;
	tnVoxelBlock* block;
	int32_t chunk;
	int32_t voxel;
	int32_t y;
} tnVoxelExchange;
#define TN_MAX_EXCHANGES 2048

// A voxel that gets more than its share, because it is deep below the surface of a component (voxel_jets.c).
typedef struct tnVoxelJet
{
	tnVoxelPart* component;
	tnVoxelBlock* block;
	int32_t chunk;
	int32_t voxel;
	int32_t rate; // units a step
	// The full voxel that it comes from, and on which side and how many voxels from there it is.
	tnVoxelBlock* homeBlock;
	int32_t homeChunk;
	int32_t homeVoxel;
	int32_t side;
	int32_t distance;
	int32_t given; // in the last step
} tnVoxelJet;
#define TN_MAX_JETS 4096

// A chunk whose surfaces rise or fall (voxel_surface_rise.c): what has changed in it, and in the one above, and where.
typedef struct tnRiseTask
{
	tnVoxelWriter own;
	tnVoxelWriter above;
	int32_t noteCount;
	tnFlowNote notes[TN_CHUNK_VOXELS];
} tnRiseTask;
#define TN_RISE_BATCH 32

// voxel_surfaces.c
void tnViewChunk(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk, tnVoxelView* view);
// All surfaces of parts of a chunk that is viewed, in the order of voxels. Labels are two voxels a byte, NULL: all are of the
// first part. Returns how many, at most TN_CHUNK_VOXELS.
int32_t tnListSurfaces(const tnVoxelWorld* world, const tnDivideTask* task, const uint8_t* labels,
	const tnVoxelView* view, tnVoxelSurface* surfaces);
// The same for a chunk as it is now.
int32_t tnFindSurfaces(
	const tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk, tnVoxelView* view, tnVoxelSurface* surfaces);

// voxel_components.c
// Divide a chunk into parts: take what is needed, find them (for many chunks at a time), put them in the place of the old
// ones. There must be pages for it.
void tnBeginDivision(tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk, tnDivideTask* task);
void tnFindVoxelParts(const tnVoxelWorld* world, tnDivideTask* task, tnDivision* division);
void tnEndDivision(tnVoxelWorld* world, const tnDivideTask* task);
// Which parts of a chunk touch those of its neighbours to the east, to the south and above, and which are covered.
void tnLinkChunk(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk, tnDivision* division);
// voxel_levels.c: all chunks of a set of bits that blocks have at an offset, in their order or in the other one
typedef void tnChunkFcn(tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk);
void tnForEachChunk(tnVoxelWorld* world, size_t bitsOffset, tnChunkFcn* fcn, bool isDownwards);
#define TN_FOR_EACH(world, bits, fcn) tnForEachChunk(world, offsetof(tnVoxelBlock, bits), fcn, false)
#define TN_FOR_EACH_DOWNWARDS(world, bits, fcn) tnForEachChunk(world, offsetof(tnVoxelBlock, bits), fcn, true)
// voxel_layered_liquids.c: once components and jets are known, and once surfaces have moved
void tnVoxelWorld_FindCovers(tnVoxelWorld* world);
void tnVoxelWorld_MoveCovers(tnVoxelWorld* world);
// voxel_surface_rise.c: once targets are known
void tnVoxelWorld_MoveSurfaces(tnVoxelWorld* world);
// voxel_jets.c: once components are known
void tnFindJets(tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk);

// SPDX-License-Identifier: MIT

// The loops over the voxels of a chunk, and what they see of its neighbours. voxel_kernels.inc has them.

#pragma once

#include "../core/instruction_sets.h"
#include "voxel_store.h"

// A chunk with a voxel of its neighbours all around: 18 layers, from y = -1 to 16, of 20 lines of 16 voxels. Lines are rows along
// x, the one to the north of the chunk, its own 16, and the one to the south; and the columns along z to the west and east.
// So a layer is 20 vectors, without a lane that is not needed. A pad says where they are; who takes no part is a wall.
#define TN_PAD_LINES 20
#define TN_PAD_LAYER (TN_PAD_LINES * TN_ROW)

enum
{
	tn_padNorth = 0,
	tn_padOwn = 1,
	tn_padSouth = 17,
	tn_padWest = 18,
	tn_padEast = 19,
};

// The side of a neighbour that faces the chunk, a line for each layer.
typedef struct tnVoxelLines
{
	const uint16_t* words; // TN_ROW for each layer
	const uint8_t* solid;  // the first voxel of the first layer, TN_LAYER for each layer. NULL: room everywhere
	int32_t stride;        // from voxel to voxel
	int32_t room;
	uint32_t layers; // those that take part
} tnVoxelLines;

// A chunk and what is beside it.
typedef struct tnVoxelSlab
{
	const uint16_t* words;
	const uint8_t* solid; // NULL: room everywhere
	int32_t room;
	uint32_t layers; // those that take part
	tnVoxelLines lines[4];
} tnVoxelSlab;

typedef struct tnVoxelPad
{
	tnVoxelSlab slabs[3]; // the top layer of what is below, the chunk, the bottom layer of what is above
} tnVoxelPad;

// How one liquid moves in one step.
typedef struct tnVoxelMotion
{
	int32_t cap;
	int32_t kind;
	// Of what could move, so many 8192ths have moved before this step, and after it: for water 0 and 8192.
	int32_t movedBefore;
	int32_t movedAfter;
	// Towards each side: units that a voxel must have to give one away, where it would be less than one. Along x or along z
	// none does.
	int32_t fewest[4];
	// Rules of pressure: units more for each voxel of depth, that over cap + press in 65536ths, and the most units over the room
	// of a voxel. 0 for other rules.
	int32_t press;
	int32_t pressShare;
	int32_t spare;
	uint32_t layers; // those to work on
	bool isAlone;    // no other liquid is there
} tnVoxelMotion;

// More units than a voxel can have.
#define TN_NO_FEW 0x7fff

// A chunk spelled out, with the layers below and above it: at TN_LAYER + voxel.
typedef struct tnVoxelView
{
	uint16_t words[TN_CHUNK_VOXELS + 2 * TN_LAYER];
	uint16_t spaces[TN_CHUNK_VOXELS + 2 * TN_LAYER]; // room that is left
} tnVoxelView;

// Of each column of a chunk, bit y: the voxel is in a span, and the first one of it.
typedef struct tnSpanBits
{
	uint16_t inside[TN_LAYER];
	uint16_t first[TN_LAYER];
} tnSpanBits;

// Voxels around a chunk, as a mesh sees them: see voxel_mesh.h.
typedef struct tnMeshPad
{
	const uint8_t* solid;
	const uint16_t* words; // NULL: no liquid is wanted. Filled with one kind: all units that a word can have
	int32_t cap;
	int32_t kind; // that is wanted, or 0 for all
	// Units up to which a voxel is filled, of these ground below liquid, and the kind of that, 0 for none.
	uint16_t* tops;
	uint16_t* bottoms;
	uint16_t* kinds;
	// A bit for each voxel: it has something, is full, has liquid.
	uint8_t* filled;
	uint8_t* full;
	uint8_t* wet;
} tnMeshPad;

typedef struct tnVoxelKernels
{
	// Units that fit beside the ground of a layer.
	void (*findRooms)(const uint8_t* solid, int32_t cap, uint16_t* rooms);
	// Move liquid of one kind in the layers asked for, and say where it changed. Returns layers in which something of it moves
	// or could move soon.
	uint32_t (*move)(const tnVoxelPad* pad, const tnVoxelMotion* motion, uint16_t* words, tnVoxelChange* change);
	// Add `amount` units of a kind to the voxels of a layer where the mask is set, or take them if it is less than 0, as far
	// as there is room, or some left; other kinds stay. `moved` receives how many came, modulo 65536.
	void (*pour)(
		uint16_t* words, const uint16_t* rooms, const uint16_t* mask, int32_t kind, int32_t amount, uint16_t* moved);
	// Rooms become the room that words leave, in place.
	void (*findSpaces)(const uint16_t* words, int32_t count, uint16_t* rooms);
	// Spans of all columns. Kinds of `clumps` (bit k) are in none. Returns whether there is liquid outside of spans.
	bool (*markSpans)(const tnVoxelView* view, uint32_t clumps, tnSpanBits* bits);
	// Voxels of a layer with liquid that are not full, or have something else than ground or their own kind above them: bits x
	// of rows z.
	void (*markSurfaces)(const tnVoxelView* view, int32_t layer, uint16_t rows[TN_ROW]);
	// Voxels of a layer without space that have some beside them, where the sides are those of neighbours: bits x of rows z.
	void (*markBeside)(const uint16_t spaces[TN_LAYER], const uint16_t sides[4][TN_ROW], uint16_t rows[TN_ROW]);
	// What voxels of a pad of a mesh are filled with. `count` is a multiple of 16.
	void (*spellPad)(const tnMeshPad* pad, int32_t count);
} tnVoxelKernels;

TN_DECLARE_TABLES(tnVoxelKernels);

// For an instruction set that is available.
const tnVoxelKernels* tnGetVoxelKernels(tnSimd simd);

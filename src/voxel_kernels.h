// SPDX-License-Identifier: MIT

#pragma once

#include "voxel_store.h"

// A chunk with a voxel of its neighbours all around: 18 layers, from y = -1 to 16, of 20 lines of 16 voxels. Lines are rows along
// x, the one to the north of the chunk, its own 16, and the one to the south; and the columns along z to the west and east.
// So a layer is 20 vectors, without a lane that is not needed.
#define TN_PAD_LINES 20
#define TN_PAD_LAYER (TN_PAD_LINES * TN_ROW)
#define TN_PAD_COUNT (18 * TN_PAD_LAYER)

enum
{
	tn_padNorth = 0,
	tn_padOwn = 1,
	tn_padSouth = 17,
	tn_padWest = 18,
	tn_padEast = 19,
};

typedef struct tnVoxelPad
{
	uint16_t words[TN_PAD_COUNT];
	uint16_t rooms[TN_PAD_COUNT]; // 0 is a wall
} tnVoxelPad;

static inline int32_t tnGetPadIndex(int32_t y, int32_t line)
{
	return ((y + 1) * TN_PAD_LINES + line) * TN_ROW;
}

// How one liquid moves in one step.
typedef struct tnVoxelMotion
{
	int32_t cap;
	int32_t kind;
	// Of what could move, so many 8192ths have moved before this step, and after it: for water 0 and 8192.
	int32_t movedBefore;
	int32_t movedAfter;
	// Towards each side: units that a voxel must have to give one away, where it would be less than one.
	int32_t fewest[4];
	// Rules of pressure: units more for each voxel of depth, that over cap + press in 65536ths, and the most units over the room
	// of a voxel. 0 for other rules.
	int32_t press;
	int32_t pressShare;
	int32_t spare;
	uint32_t layers; // those to work on
} tnVoxelMotion;

typedef struct tnVoxelKernels
{
	// Units that fit beside the ground of a layer.
	void (*findRooms)(const uint8_t* solid, int32_t cap, uint16_t* rooms);
	// Liquid of one kind after a step: units of each voxel in the layers asked for, TN_CHUNK_VOXELS of them. Returns layers
	// in which something of it moves or could move soon.
	uint32_t (*move)(const tnVoxelPad* pad, const tnVoxelMotion* motion, uint16_t* amounts);
	// Put them into the words of a chunk, and say where they changed.
	void (*merge)(uint16_t* words, const uint16_t* amounts, const tnVoxelMotion* motion, tnVoxelChange* change);
	// Add `amount` units of a kind to the voxels of a layer where the mask is set, or take them if it is less than 0, as far
	// as there is room, or some left; other kinds stay. `moved` receives how many came, modulo 65536.
	void (*pour)(
		uint16_t* words, const uint16_t* rooms, const uint16_t* mask, int32_t kind, int32_t amount, uint16_t* moved);
} tnVoxelKernels;

extern const tnVoxelKernels tnVoxelKernelsScalar;
#ifdef TN_HAVE_SSE2
extern const tnVoxelKernels tnVoxelKernelsSse2;
#endif
#ifdef TN_HAVE_AVX2
extern const tnVoxelKernels tnVoxelKernelsAvx2;
#endif
#ifdef TN_HAVE_NEON
extern const tnVoxelKernels tnVoxelKernelsNeon;
#endif
#ifdef TN_HAVE_WASM
extern const tnVoxelKernels tnVoxelKernelsWasm;
#endif

// For an instruction set that is available.
const tnVoxelKernels* tnGetVoxelKernels(tnSimd simd);

// SPDX-License-Identifier: MIT

#pragma once

#include "../core/memory.h"
#include "tarn/world.h"

// The state of the water and how it lies in memory.
//
//   face c      face c+1
//     |  cell c  |            Bed and depth sit at cell centres. X face c lies between the cells c-1 and c of a row,
//                             Z face r between rows r-1 and r. Faces 0 and columnCount (rowCount) are the edges.
//
// All arrays share one layout: rows of `stride` floats with a pad on both sides, whole tiles in between, and one ghost
// row before and after. The pointers address cell (0, 0), so [-1] and row -1 are legal. Cells outside the world are
// ghosts: their bed is TN_WALL unless an edge says otherwise, and kernels may compute on them, but nothing reads the
// result.
//
// Row r owns its depth, its X faces and its *upper* Z face.

enum
{
	// Sleeping, and the spans that kernels run over, are decided per tile. A multiple of every vector width.
	TN_TILE_SIZE = 64,
	// Room for ghosts beside a row, and 64-byte alignment of its first cell.
	TN_ROW_PAD = 16,
};

// A bed so high that no water gets over it, and no sum with a depth overflows.
#define TN_WALL 1.0e30f

// Faces with less water above the higher bed than this carry nothing, m. A wetting film; it also keeps friction away
// from 0/0.
#define TN_DRY_DEPTH 1.0e-6f

// A difference in height over the depth of the deeper cell that rounding alone can make: both depths are off by half a unit in their last
// place, 2^-24 each, and half as much again. The surface of a lake is level only up to that, and waves that it would drive
// never die: with pipes and linear they grow as the root of time, to 0.1 mm. The shallow method has residuals.
#define TN_STILL_SLOPE (1.5f / 8388608.0f)

// Surfaces that fall by no more than this share of twice the mean section are gentle: waves.
#define TN_GENTLE 0.1f

typedef struct tnGrid
{
	int columnCount, rowCount;
	int tileColumnCount, tileRowCount;
	int stride;
	float cellSize;
	float gravity;
	tnVec2 origin;
	tnMethod method;
	int tracerCount;
	bool wrapX, wrapZ; // as of the edges

	float* bed;
	float* depth;
	// Discharge per meter of face, m^2/s, or velocity, m/s (see tnMethod_StoresVelocity). Positive towards +x and +z.
	float* flowX;
	float* flowZ;
	// The discharge that moved the water in the last sub-step, m^2/s, for tracers. NULL if there are none.
	float* dischargeX;
	float* dischargeZ;
	float* previousDepth; // NULL if not kept
	// How much higher than bed + depth the surface stands in cells that bodies take room from, m, and the same before
	// the last step. NULL while there has been no body; the second also if previous depths are not kept.
	float* lift;
	float* previousLift;
	// Shallow: what rounding has kept from each depth, m, to be added next time. Steady flow would otherwise lose the
	// same half unit in the last place in each sub-step. NULL if the world has never been shallow.
	float* residual;
	// Squares of the factors on Manning's n. NULL if there has never been a map; not looked at if there is none.
	float* roughness;
	bool isRough;
	float* tracers[TN_MAX_TRACERS];
	float* tracersNext[TN_MAX_TRACERS];
	// Foam: its amount, a second buffer, shares of cells that pass each face in a step, what leaves each cell, and units added
	// since the last step. NULL without the layer (foam.h).
	float* foam;
	float* foamNext;
	float* foamShareX;
	float* foamShareZ;
	float* foamLeaving;
	int32_t* foamAdded;
	float* tracerReach; // scratch of second-order tracers, see tracers.c; NULL without tracers

	// Shallow: sub-steps since momentum was last carried along, and dt / dx of them together, s/m.
	int waiting;
	float waitingSpread;

	// Largest depth anywhere; an upper bound where water was taken since the flow has moved from a cell that was as deep.
	float maxDepth;
	bool maxDepthIsBound;
	// Shallow: fastest signal and flow of the awake tiles after the last step (see tnFlowKernels.signalSpeed), and
	// fastest face that an edit made since, m/s.
	float maxSignal, maxFlow, editSpeed;
} tnGrid;

static inline ptrdiff_t tnGrid_Index(const tnGrid* grid, int column, int row)
{
	return (ptrdiff_t)row * grid->stride + column;
}

static inline float tnGrid_GetLift(const tnGrid* grid, ptrdiff_t cell)
{
	return grid->lift != NULL ? grid->lift[cell] : 0.0f;
}

// How high the surface of a cell stands above its bed, m: its depth, and more where bodies take room. Without water a head may
// be anything below the bed, and the lift is that of the last step, from which water may have been taken since.
static inline float tnGrid_GetHeight(const tnGrid* grid, ptrdiff_t cell)
{
	const float height = grid->lift != NULL ? grid->depth[cell] + grid->lift[cell] : grid->depth[cell];
	return height > 0.0f ? height : 0.0f;
}

// Water was taken from a cell of this depth.
static inline void tnGrid_NoteTaken(tnGrid* grid, float before)
{
	grid->maxDepthIsBound = grid->maxDepthIsBound || (before > 0.0f && before >= grid->maxDepth);
}

// Do the faces of a method hold velocity? Pipes hold discharge.
static inline bool tnMethod_StoresVelocity(tnMethod method)
{
	return method != tn_pipeMethod;
}

static inline bool tnGrid_StoresVelocity(const tnGrid* grid)
{
	return tnMethod_StoresVelocity(grid->method);
}

// Water surface above the higher bed at a face between two cells: the section through which they exchange water.
// 0 or less if the higher ground is dry and higher than the other cell's surface.
static inline float tnFaceDepth(float bedA, float depthA, float bedB, float depthB)
{
	float surface = tnMaxFloat(bedA + depthA, bedB + depthB);
	return surface - tnMaxFloat(bedA, bedB);
}

// Velocities that are read are those of the water of a cell: the discharge of each of its faces over the section of that face,
// or over half of the cell's own depth where that is more. A fast film that falls into a pool does not make all of the pool fast.
//
// Pipes keep the discharge of a face that all but falls dry for one more sub-step, and over next to nothing it would be hundreds
// of m/s. So films of pipes, thinner than TN_READ_FILM meters, are not shown faster than sqrt(TN_READ_LIMIT g d), with d from the
// highest surface to the lowest bed of the cells beside the face: twice as fast as a front on dry ground.
#define TN_READ_FILM 0.1f
#define TN_READ_LIMIT 16.0f

// What the velocity of a face has to be multiplied by to give its discharge, m: the depth upstream above the higher
// bed. `first` and `second` are the indices of the cells on its negative and positive side; the sign of `flow` says
// which is upstream. 0 where it is dry.
static inline float tnGrid_GetUpwindSection(const tnGrid* grid, ptrdiff_t first, ptrdiff_t second, float flow)
{
	const float ground = tnMaxFloat(grid->bed[first], grid->bed[second]);
	const ptrdiff_t upstream = flow > 0.0f ? first : second;
	float section = grid->bed[upstream] + grid->depth[upstream] - ground;
	if (section <= 0.0f)
	{
		// What enters through an edge comes from a ghost that holds no water: its velocity is that of the cell inside.
		// And a pipe may still carry water up a step that it has fallen below.
		section = tnFaceDepth(grid->bed[first], grid->depth[first], grid->bed[second], grid->depth[second]);
	}
	return section > TN_DRY_DEPTH ? section : 0.0f;
}

// Squares of the factors of a map of roughness are at most this.
#define TN_MOST_ROUGHNESS 1.0e6f

// Creates the arrays: flat, dry, still, walls all around. False if memory ran out (nothing is then held).
bool tnGrid_Create(tnGrid* grid, tnMemory* memory, const tnWorldDef* def);
void tnGrid_Destroy(tnGrid* grid, tnMemory* memory);

// Give the world a residual if it has none. False if memory ran out.
bool tnGrid_AddResidual(tnGrid* grid, tnMemory* memory);

// Give the world room for a map of roughness if it has none. False if memory ran out.
bool tnGrid_AddRoughness(tnGrid* grid, tnMemory* memory);
// Cells beside the world are as if it were wrapped: where it is not, nothing flows there but what edges say.
void tnGrid_SetRoughnessAround(const tnGrid* grid);

// Give the world a lift if it has none. False if memory ran out.
bool tnGrid_AddLift(tnGrid* grid, tnMemory* memory);

// Bytes that tnGrid_Create will ask for.
size_t tnGrid_GetByteCount(const tnWorldDef* def);

// Velocity through a face, m/s, whatever the method stores. Zero if the face is dry.
// The largest depth itself.
float tnGrid_FindMaxDepth(const tnGrid* grid);
float tnGrid_GetFaceVelocityX(const tnGrid* grid, int column, int row);
float tnGrid_GetFaceVelocityZ(const tnGrid* grid, int column, int row);

// A rectangle of cells. Ends are exclusive.
typedef struct tnCellBox
{
	int columnBegin, columnEnd, rowBegin, rowEnd;
} tnCellBox;

static inline bool tnHasCells(const tnCellBox* box)
{
	return box->columnBegin < box->columnEnd && box->rowBegin < box->rowEnd;
}

// The cells that two boxes share.
static inline tnCellBox tnMeetBoxes(const tnCellBox* a, const tnCellBox* b)
{
	return (tnCellBox){tnMaxInt(a->columnBegin, b->columnBegin), tnMinInt(a->columnEnd, b->columnEnd),
		tnMaxInt(a->rowBegin, b->rowBegin), tnMinInt(a->rowEnd, b->rowEnd)};
}

// The cells whose centres can lie within radius of a point, clipped.
tnCellBox tnGrid_GetBox(const tnGrid* grid, tnVec2 center, float halfX, float halfZ);
// Is a point inside the world?
bool tnGrid_Contains(const tnGrid* grid, tnVec2 point);
// Centre of a cell in the host's space.
tnVec2 tnGrid_GetCenter(const tnGrid* grid, int column, int row);

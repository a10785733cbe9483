// SPDX-License-Identifier: MIT

#pragma once

#include "../core/ids.h"
#include "../core/parallel.h"
#include "../flow/tiles.h"
#include "../shapes/body_motion.h"
#include "body_cut.h"

// The bodies of a world: where they are, what they take from the grid, what the water does to them.

// What a column of a body had below the water, for the waves that it makes: see wave_wakes.c.
typedef struct tnPrint
{
	int32_t column, row;
	float share, low, high, insetX, insetZ, widthX, widthZ; // as of tnColumn
	float draft;  // how deep it reached below the water, 0 or less if there was none, m
	float water;  // how deep that was, m
	float relief; // of the body
} tnPrint;

// What a body and the waves that it makes know of each other.
typedef struct tnBodyHeave
{
	float addedMass;     // of water that heaves with it at once, kg; see wave_wakes.c
	float lastAdded;     // the same of the last step
	float addedDepth;    // the same over its plan, m
	float printedHeight; // of its centre of mass, as its prints have it, m
	float lastWaves[6];  // force and torque of waves in the last step, N and N m
	float lastRise;      // m/s, in the last step with waves
	float lastPush;      // m/s^2, that it should have gained by what the water did in that and its weight
	float lastStep;      // s; 0 if there was none
} tnBodyHeave;

typedef struct tnBody
{
	tnBodyDef def;                 // without shapes
	tnMesh mesh;                   // with hollows filled
	struct tnBodyHollows* hollows; // NULL if there are none
	float heldMass;                // of the water in them, kg
	tnBodyMode mode;               // in use: blocking or floating
	tnPose pose;
	tnMotion motion;
	char* block; // all arrays that follow
	size_t blockBytes;
	size_t scratchBytes; // for cutting it
	tnVec3* points;      // of the mesh, in the axes of the world, from the centre of mass
	tnQuat turned;       // with this rotation; zeros before the first step
	// Where it will be at the end of the step, as far as one knows before: that is what is cut.
	tnPose aheadPose;
	float fall; // of that: what it falls in a step with nothing below it, m
	tnVec3* aheadPoints;
	tnCut cut;
	tnThinPart* thinParts; // room for all columns; see body_thin_parts.h
	int thinCount;
	tnPrint* prints; // room for all columns; NULL in worlds without waves
	int printCount;
	float relief;         // share of it that displaces the wave layer, and not the flow: body_relief.c
	tnBodyHeave* heave;   // NULL in worlds without waves
	bool isPrinted;       // prints have been made: who comes into the water makes no waves by that
	bool stirs;           // it has moved since they were made
	bool moved;           // since it was cut
	bool wet;             // it touched water in the last step
	bool raised;          // it covers cells with air below: body_deck.h
	tnCellBox printed;    // cells of prints, if there are any
	tnCellBox stirred;    // cells of these and of its columns, if it stirs
	int32_t nextStirring; // the next body that stirs the same cells, or -1: scratch of wave_wakes.c
	tnCellBox touched;    // cells it can touch, not clipped and not wrapped
	tnCellBox box;        // these, those that it may have left in the last step, and one more on each side
	float reshaped;       // how far points of its mesh have moved in it since the last step at most, m
	uint32_t cutCount;    // how often it was cut
	tnVec2 owed;          // impulse that the water still gets from drag, N s
	float owedTurn;       // and its moment about the centre of mass, N m s
	float owedTo;         // the most water that it was found for, kg
	tnBodyState state;    // of the last step
	tnWrench wrench;
} tnBody;

enum
{
	// Bodies that share a piece of memory: so many come and go without the others being moved.
	TN_BODY_PAGE = 32,
};

typedef struct tnBodies
{
	tnIdPool ids;
	tnBody** pages; // see tnBodies_Get; NULL where no index is in use
	int pageCapacity;
	int* list; // indices in use, in order
	int listCapacity, count;
	char* scratch; // by worker
	size_t scratchBytes;
	int workerCount;
	float timeStep; // of the last cut
	bool changed;   // something moved, came or went since the last step
} tnBodies;

static inline tnBody* tnBodies_Get(const tnBodies* bodies, int index)
{
	return bodies->pages[index / TN_BODY_PAGE] + index % TN_BODY_PAGE;
}

// Bodies for which there is room, in use or not.
static inline int tnBodies_GetCapacity(const tnBodies* bodies)
{
	return bodies->ids.capacity;
}

// Make a body that is nobody's yet.
// @param waves there is a layer of them
tnResult tnBody_Make(tnBody* body, tnMemory* memory, const tnGrid* grid, const tnBodyDef* def, bool waves);
void tnBody_Free(tnBody* body, tnMemory* memory);
// Room for so many bodies in all, and for the next one. False if memory ran out: then nothing has changed but that there
// may be more room.
// @param scratchBytes of tnCutSize
bool tnBodies_Reserve(tnBodies* bodies, tnMemory* memory, int count, size_t scratchBytes, int workerCount);
// The same for so many slots, and no more.
bool tnBodies_ReserveSlots(tnBodies* bodies, tnMemory* memory, int count, size_t scratchBytes, int workerCount);
// Bring the list up to date.
void tnBodies_List(tnBodies* bodies);
// There must be room.
tnBodyId tnBodies_Add(tnBodies* bodies, tnMemory* memory, const tnBody* body);
void tnBodies_Remove(tnBodies* bodies, tnMemory* memory, int index);
void tnBodies_Destroy(tnBodies* bodies, tnMemory* memory);
void tnBody_Move(tnBody* body, const tnPose* pose, tnVec3 velocity, tnVec3 spin);

// The cells that a body can touch, from aheadPose and aheadPoints.
tnCellBox tnBody_FindTouched(const tnBody* body, const tnGrid* grid);
// Put one that has been made with other shapes into the place of a body, which is gone then. It goes on where that was.
void tnBody_Replace(tnBody* body, tnMemory* memory, tnBody* made);

// Decide about the mode of a body.
void tnBody_ChooseMode(tnBody* body, const tnGrid* grid);

// Decide whose waves a body that has moved makes: body_relief.c.
void tnBody_FindRelief(tnBody* body, const tnGrid* grid, float timeStep);

// Find out where bodies that have moved are, and will be after the step, and wake the tiles around them.
void tnBodies_Aim(
	tnBodies* bodies, const tnGrid* grid, tnTiles* tiles, tnParallel* parallel, float gravity, float timeStep);

// Cut a body there, if it has moved.
// @param scratch of tnBodies_GetScratch
void tnBody_Cut(tnBody* body, const tnGrid* grid, float timeStep, tnCutColumnsFcn* cutColumns, void* scratch);
// What it takes at faces themselves, if that is not there already: needed only where a body of its group stands on the
// ground. Call after tnBody_Cut.
void tnBody_CutFaces(tnBody* body, const tnGrid* grid, void* scratch);

static inline void* tnBodies_GetScratch(const tnBodies* bodies, int workerIndex)
{
	return bodies->scratch + bodies->scratchBytes * (size_t)workerIndex;
}

// The ground in a box is another. Bodies over it, or beside it, are cut again.
void tnBodies_GroundChanged(tnBodies* bodies, const tnGrid* grid, tnCellBox box);

// All bodies are: the edges of the world are others.
void tnBodies_CutAllAgain(tnBodies* bodies);

// Wake the tiles around a body.
void tnBodies_Wake(const tnBody* body, const tnGrid* grid, tnTiles* tiles);

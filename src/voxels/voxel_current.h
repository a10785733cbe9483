// SPDX-License-Identifier: MIT

#pragma once

#include "voxel_location.h"
#include "voxel_potential.h"
#include "voxel_world.h"

// Currents of what levels and jets move (voxel_current.c from chunk to chunk, voxel_current_field.c from voxel to
// voxel), and the record of it (voxel_exchange_record.c).

// So many passes of levels are remembered, and currents are their mean. One more is under way.
#define TN_FLOW_PASSES 4

// Notes of one chunk, up to the first one of the next group.
typedef struct tnFlowGroup
{
	const tnVoxelBlock* block; // to compare with: it may be gone
	int32_t chunk;
	tnVoxel place;
	int32_t first;
} tnFlowGroup;

// Of one pass, and what jets did until the next.
typedef struct tnFlowRecord
{
	tnFlowGroup* groups;
	tnFlowNote* notes;
	int32_t groupCount, groupCapacity;
	int32_t noteCount, noteCapacity;
} tnFlowRecord;

// Notes of what is taken from a chunk, or put into it, in one pass, and of what waited at one place. What is more makes no
// current: four surfaces in each column.
#define TN_MAX_CHUNK_NOTES 1024
#define TN_WAITING_NOTES 256

// What is known of a part of a chunk, by its order in the world.
typedef struct tnFlowNode
{
	double taken, put; // units in all passes
	double phi;        // once its component is solved
	int32_t cell;      // among those of the component, -1: not yet
	// Of the whole component, at its first part.
	bool isSolved;
	double allTaken, allPut;
	double takenScale, putScale; // so that both are the same
	double oceanShare;           // of each part in an ocean, voxels a step
} tnFlowNode;

// A part of a chunk.
typedef struct tnFlowPlace
{
	tnVoxelBlock* block;
	int32_t chunk;
	int32_t label;
} tnFlowPlace;

// Velocities over the faces of voxels in a part of a chunk, along the axes, voxels a step.
typedef struct tnFlowField
{
	const tnVoxelBlock* block;
	int32_t chunk;
	int32_t label;
	uint64_t key;     // of all that it depends on
	uint64_t version; // of the world when that was last found
	uint64_t lastUse;
	float faces[TN_CHUNK_VOXELS][tn_voxelSideCount];
} tnFlowField;
#define TN_FLOW_FIELDS 32

// A part of a chunk spelled out: 0 for all that is no liquid of it, else ground and top of the liquid in 64ths of a voxel.
typedef struct tnFlowShape
{
	uint16_t inside[TN_CHUNK_VOXELS];
	uint16_t beside[tn_voxelSideCount][TN_LAYER];
	uint8_t labels[tn_voxelSideCount][TN_LAYER]; // of what is beside
} tnFlowShape;

typedef struct tnVoxelFlow
{
	tnFlowRecord records[TN_FLOW_PASSES + 1];
	int32_t running; // the one that is written
	int64_t passCount;

	// Found when somebody asks, for one pass and one shape of the ground.
	bool isMapped;
	int64_t mappedPass;
	uint64_t mappedGround;
	tnFlowNode* nodes;
	tnFlowPlace* places;
	int32_t nodeCapacity;
	tnPotential potential;
	tnFlowShape shape;
	int16_t cells[TN_CHUNK_VOXELS];  // of voxels, -1: none
	int16_t voxels[TN_CHUNK_VOXELS]; // of cells
	tnFlowField* fields[TN_FLOW_FIELDS];
	uint64_t useCount;
	bool isShort; // somebody has asked, and there was no memory to find it out
} tnVoxelFlow;

// voxel_exchange_record.c
bool tnVoxelWorld_CreateFlow(tnVoxelWorld* world);
void tnVoxelWorld_DestroyFlow(tnVoxelWorld* world);
// Memory for what the next step may note.
bool tnVoxelWorld_ReserveExchanges(tnVoxelWorld* world, int64_t noteCount, int64_t groupCount);
// A pass begins: what was noted until now belongs to the last one.
void tnVoxelWorld_BeginExchanges(tnVoxelWorld* world);
// Nothing was ever noted.
void tnVoxelWorld_ForgetExchanges(tnVoxelWorld* world);
// Units were taken from the liquid at a voxel, to be put elsewhere, or put there: < 0. At most those of a voxel.
void tnVoxelWorld_NoteExchange(
	tnVoxelWorld* world, const tnVoxelBlock* block, int32_t chunk, int32_t voxel, int64_t units);
void tnVoxelWorld_NoteExchanges(
	tnVoxelWorld* world, const tnVoxelBlock* block, int32_t chunk, const tnFlowNote* notes, int32_t count);
// The same for liquid that waited and has come to some that is connected, of any number of units.
void tnVoxelWorld_NoteWaiting(tnVoxelWorld* world, tnVoxel voxel, int64_t units);

// voxel_current.c
// Find how liquid flows from chunk to chunk in the component of a part: phi of its nodes. False if it does not, or if memory
// ran out.
bool tnVoxelWorld_SolveCurrents(tnVoxelWorld* world, const tnFlowPlace* place);
tnFlowNode* tnGetFlowNode(const tnVoxelWorld* world, const tnFlowPlace* place);
bool tnIsFlowInOcean(const tnFlowPlace* place);
// The part that an exchange at a voxel belongs to: its own, or that of the one below or above, for surfaces rise and fall. 0:
// none.
int32_t tnFindNoteLabel(const tnVoxelChunk* chunk, int32_t voxel);
int32_t tnGetNoteEnd(const tnFlowRecord* record, int32_t group);
// The voxels on both sides of a side of a chunk, number 0 to 255.
void tnGetFaceVoxels(int side, int32_t number, int32_t* here, int32_t* there);
// The area over which two parts touch, in faces of voxels. What flows from one to the other is this times the difference of
// phi.
double tnGetTouchingArea(const tnVoxelWorld* world, const tnFlowPlace* from, const tnFlowPlace* to, int side);
// Calls for each part that touches one, until it returns false.
typedef bool tnLinkFcn(tnVoxelWorld* world, const tnFlowPlace* from, const tnFlowPlace* to, int side, void* context);
bool tnForEachLink(tnVoxelWorld* world, const tnFlowPlace* from, tnLinkFcn* fcn, void* context);

// voxel_current_field.c
// Velocities of what levels and jets move over the faces of a voxel with liquid, along the axes, voxels a step. False if
// there are none.
bool tnVoxelWorld_GetCurrent(tnVoxelWorld* world, const tnVoxelSpot* spot, double faces[tn_voxelSideCount]);

// SPDX-License-Identifier: MIT

#pragma once

#include "../core/ids.h"
#include "../core/parallel.h"
#include "voxel_body.h"
#include "voxel_kernels.h"

// The world of voxels: all modules, and the order in which they take part in a step (voxel_step.c). The public functions
// are in voxel_world_life.c (worlds and blocks come and go), voxel_bodies.c, voxel_ground_edit.c,
// voxel_liquid_edit.c, voxel_sources.c, voxel_mixing.c, voxel_selection.c (what a host changes), voxel_query.c
// (what a host asks), voxel_save.c and voxel_world_save.c (what a host keeps).

// A chunk that takes part in a step.
typedef struct tnVoxelPick
{
	tnVoxelBlock* block;
	int32_t chunk;
	uint32_t kinds;  // that may come to be here
	uint32_t layers; // worked on
	uint32_t moving; // of these, where something moves or could move
	tnVoxelChange change;
} tnVoxelPick;

// The lowest and the highest layer of a chunk, as they were before a step.
typedef struct tnVoxelEnds
{
	uint16_t bottom[TN_LAYER];
	uint16_t top[TN_LAYER];
} tnVoxelEnds;
// So many chunks move one by one; more of them column by column, which needs no ends.
#define TN_MAX_SPLIT 64

// Units that were taken from a voxel, or put there: < 0.
typedef struct tnFlowNote
{
	int16_t voxel;
	int16_t units;
} tnFlowNote;

// Liquid that has no place: where it was, until it finds one.
typedef struct tnVoxelWaiting
{
	tnVoxel voxel;
	int32_t liquid;
	int64_t amount;
} tnVoxelWaiting;

typedef struct tnVoxelSource
{
	tnVoxelSourceDef def;
} tnVoxelSource;

// What a step may need (voxel_memory_needs.c).
typedef struct tnVoxelNeeds
{
	int32_t liquidPages, solidPages;
	int32_t divisions; // chunks that are divided into parts
	int32_t waiting;   // entries
	int32_t jets;      // which there will be is not known yet
	int64_t notes;     // of exchanges, and groups of them, at most
	int64_t groups;
	uint32_t kinds;  // that may meet
	bool allTouched; // levels may move anything
} tnVoxelNeeds;

struct tnVoxelWorld
{
	tnVoxelWorldDef def;
	tnMemory memory;
	tnParallel* parallel;
	const tnVoxelKernels* kernels;
	tnVoxelStore store;
	tnErrorHook errors;
	bool locked; // a step is running
	int64_t stepCount;

	tnVoxelPick* picks; // chunkLimit of them; columns from the bottom up are together
	int32_t pickCount;
	bool isPartial;   // some that are awake take no part in this step
	int64_t turn;     // what decides whose turn it is in this step: stepCount, unless there is a limit of work
	tnVoxel cursor;   // the chunk that had its turn last, of those that share what a limit leaves
	int32_t* columns; // first pick of each column
	int32_t columnCount;
	tnVoxelEnds* ends;            // TN_MAX_SPLIT of them, of picks
	struct tnDivision* divisions; // one for each worker
	struct tnDivideTask* tasks;
	int32_t taskCount;
	struct tnRiseTask* rises;
	int32_t riseCount;
	struct tnVoxelExchange* highs;
	struct tnVoxelExchange* lows;
	int32_t highCount;
	int32_t lowCount;
	struct tnVoxelCover* covers;
	int32_t coverCount;
	struct tnVoxelJet* jets;
	int32_t jetCount;
	struct tnVoxelFlow* flow;   // what levels and jets have moved
	uint64_t version;           // of liquid: steps, and what a host has changed between them
	uint64_t groundVersion;     // of ground
	int32_t partCount;          // of all chunks
	bool componentsKnown;       // parts have found theirs, and none of them is gone since
	bool levelsPending;         // a viscous liquid is not level yet, and waits for its turn
	struct tnVoxelSaver* saver; // NULL until the first save

	tnVoxelLedger ledgers[TN_MAX_LIQUIDS + 1]; // entries only
	tnVoxelWaiting* waiting;
	int32_t waitingCount;
	int32_t waitingCapacity;
	bool waitingRests;  // no place was found for any of it, and nothing has changed since
	bool waitingMayFit; // some of it was not tried yet, or lacks no more than a page

	tnIdPool sourceIds;
	tnVoxelSource* sources;
	int32_t sourceCapacity;
	tnVoxelOceanDef oceans[TN_MAX_LIQUIDS + 1]; // liquid 0: none
	bool oceanIsNew[TN_MAX_LIQUIDS + 1];
	tnReactionDef reactions[TN_MAX_LIQUIDS + 1][TN_MAX_LIQUIDS + 1]; // rate 0: none
	tnVoxel interests[TN_MAX_VOXEL_INTERESTS];
	int32_t interestCount;
	tnVoxelStats stats;
	tnVoxelNeeds needs;
	tnVoxelBodies bodies;
	struct tnVoxelBackground* background; // NULL until a step begins beside the host
};

// Tell the error hook about a failure. Returns the result.
tnResult tnVoxelWorld_Report(const tnVoxelWorld* world, tnResult result);
// Fails if the world is NULL or stepping.
tnResult tnVoxelWorld_CheckReady(const tnVoxelWorld* world);
// For calls that have no result to return: false if the world is NULL or stepping.
bool tnVoxelWorld_IsReady(const tnVoxelWorld* world);

// voxel_world_life.c
// Give all back. Returns how many bytes of its memory are left: others' that were counted there.
size_t tnVoxelWorld_Close(tnVoxelWorld* world);
// Fails unless a block can be loaded there.
tnResult tnVoxelWorld_CheckNewBlock(const tnVoxelWorld* world, tnVoxel block);
// A block has come or is about to go: connected liquid beside it must be looked at again.
void tnVoxelBlock_SetStaleAround(tnVoxelBlock* block);
// Wake what faces other blocks, and what it faces.
void tnVoxelBlock_WakeBorders(tnVoxelBlock* block);

// voxel_background.c
// What hosts read: while a step runs beside them the world before it, else the world.
const tnVoxelWorld* tnVoxelWorld_GetShown(const tnVoxelWorld* world);
// No step may be running.
void tnVoxelWorld_EndBackground(tnVoxelWorld* world);
// All of it may be another.
void tnVoxelWorld_ShowAgain(tnVoxelWorld* world);
// voxel_step.c: a step, without telling anybody about a failure
tnResult tnVoxelWorld_StepNow(tnVoxelWorld* world, int64_t workLimit);
tnResult tnCheckWorkLimit(int64_t workLimit);
// voxel_query.c: liquid on the way to a place
int64_t tnVoxelWorld_CountWaiting(const tnVoxelWorld* world, int liquid);

// voxel_query.c: does anything move, or must connected liquid be looked at again?
bool tnVoxelWorld_IsBusy(const tnVoxelWorld* world);

// voxel_memory_needs.c
// All memory that the next step may need. False if it is not to be had: then there must be no step.
bool tnVoxelWorld_Prepare(tnVoxelWorld* world);
// Voxels of a chunk may change, perhaps in its lowest layer, and in its highest.
void tnMarkChange(tnVoxelBlock* block, int32_t chunk, bool low, bool high);
// All that these changes wake.
void tnMarkWoken(tnVoxelWorld* world);

// voxel_selection.c
// Who takes part in the step, and with what number.
void tnVoxelWorld_Pick(tnVoxelWorld* world, int64_t workLimit);
// Those that had a wall where somebody waits keep all their layers awake.
void tnVoxelWorld_KeepAwake(tnVoxelWorld* world);

// voxel_neighbour_lines.c
// Copy the sides of a chunk as they are before the step.
void tnKeepSides(tnVoxelChunk* chunk);
// Where a chunk and what is around it are, with what the one below had at its top before the step, and the one above at its
// bottom (NULL: has it still).
void tnGatherPad(tnVoxelPad* pad, const tnVoxelStore* store, const tnVoxelPick* pick, const uint16_t* topBelow,
	const uint16_t* bottomAbove);
// Which kinds are in a chunk or next to it.
uint32_t tnGetKindsAround(tnVoxelBlock* block, int32_t chunk);

// voxel_box_parts.c: change voxels of a chunk, which must have pages, and then wake what depends on them, once for all.
typedef struct tnVoxelWriter
{
	tnVoxelBlock* block; // NULL: none
	int32_t chunk;
	tnVoxelChange change;
} tnVoxelWriter;
void tnVoxelWriter_Set(tnVoxelWriter* writer, int32_t voxel, uint16_t word);
// Something else of it was changed.
void tnVoxelWriter_Note(tnVoxelWriter* writer, int32_t voxel);
void tnVoxelWriter_Wake(const tnVoxelWriter* writer);
// One voxel.
void tnVoxelWorld_SetWord(tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk, int32_t voxel, uint16_t word);

// voxel_sources.c: room for so many in all.
bool tnVoxelWorld_ReserveSources(tnVoxelWorld* world, int32_t count);
void tnVoxelWorld_ApplySources(tnVoxelWorld* world);
// What they may change, and those of oceans.
void tnVoxelWorld_MarkSources(tnVoxelWorld* world);

// voxel_waiting.c: find places for what waits.
void tnVoxelWorld_PlaceWaiting(tnVoxelWorld* world);
// Let liquid wait. There must be room for it.
bool tnVoxelWorld_ReserveWaiting(tnVoxelWorld* world, int32_t count);
void tnVoxelWorld_Wait(tnVoxelWorld* world, tnVoxel voxel, int32_t liquid, int64_t amount);

// voxel_step.c: how a kind moves in the next step, in no layers yet
tnVoxelMotion tnVoxelWorld_GetMotion(const tnVoxelWorld* world, int32_t kind);

// voxel_jets.c
void tnVoxelWorld_RunJets(tnVoxelWorld* world);

// voxel_mixing.c: for the chunks that take part in the step
void tnVoxelWorld_Mix(tnVoxelWorld* world);
void tnVoxelWorld_Evaporate(tnVoxelWorld* world);
// Is there any liquid that will evaporate, in some step?
bool tnVoxelWorld_EvaporatesYet(const tnVoxelWorld* world);

// voxel_levels.c
bool tnVoxelWorld_CreateLevels(tnVoxelWorld* world);
void tnVoxelWorld_DestroyLevels(tnVoxelWorld* world);
void tnVoxelWorld_Level(tnVoxelWorld* world);
// Chunks that must be looked at again.
int32_t tnCountAllStale(const tnVoxelWorld* world);
// The bodies of connected liquid as the last pass found them, if nothing is stale.
void tnVoxelWorld_FindComponents(tnVoxelWorld* world);
// Forget what points to parts of chunks, which are about to go.
void tnVoxelWorld_ForgetParts(tnVoxelWorld* world);
// Liquid of a kind that components hold and have no place for, of one block or of all (NULL).
int64_t tnVoxelWorld_GetAccounts(const tnVoxelWorld* world, const tnVoxelBlock* block, int32_t liquid);

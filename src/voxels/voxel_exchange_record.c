// SPDX-License-Identifier: MIT

// The record of what levels take and put, and jets give: nothing but notes, for somebody who may ask for currents. It has no
// part in what happens, and is neither saved nor hashed.

#include "voxel_current.h"

bool tnVoxelWorld_CreateFlow(tnVoxelWorld* world)
{
	world->flow = tnMemory_Alloc(&world->memory, sizeof(tnVoxelFlow));
	return world->flow != NULL;
}

void tnVoxelWorld_DestroyFlow(tnVoxelWorld* world)
{
	tnVoxelFlow* flow = world->flow;
	tnMemory* memory = &world->memory;
	if (flow == NULL)
	{
		return;
	}
	for (int i = 0; i <= TN_FLOW_PASSES; ++i)
	{
		tnFlowRecord* record = flow->records + i;
		tnMemory_Free(memory, record->groups, (size_t)record->groupCapacity * sizeof(tnFlowGroup));
		tnMemory_Free(memory, record->notes, (size_t)record->noteCapacity * sizeof(tnFlowNote));
	}
	for (int i = 0; i < TN_FLOW_FIELDS; ++i)
	{
		tnMemory_Free(memory, flow->fields[i], sizeof(tnFlowField));
	}
	tnMemory_Free(memory, flow->nodes, (size_t)flow->nodeCapacity * sizeof(tnFlowNode));
	tnMemory_Free(memory, flow->places, (size_t)flow->nodeCapacity * sizeof(tnFlowPlace));
	tnPotential_Destroy(&flow->potential, memory);
	tnMemory_Free(memory, flow, sizeof(tnVoxelFlow));
	world->flow = NULL;
}

void tnVoxelWorld_BeginExchanges(tnVoxelWorld* world)
{
	tnVoxelFlow* flow = world->flow;
	flow->passCount += 1;
	flow->running = (flow->running + 1) % (TN_FLOW_PASSES + 1);
	tnFlowRecord* record = flow->records + flow->running;
	record->groupCount = 0;
	record->noteCount = 0;
	record->isBroken = false;
}

void tnVoxelWorld_ForgetExchanges(tnVoxelWorld* world)
{
	for (int i = 0; i <= TN_FLOW_PASSES; ++i)
	{
		tnVoxelWorld_BeginExchanges(world);
	}
	world->version += 1;
}

static bool tnGrowGroups(tnMemory* memory, tnFlowRecord* record)
{
	const int32_t capacity = tnMaxInt(16, 2 * record->groupCapacity);
	tnFlowGroup* grown = tnMemory_Grow(memory, record->groups, (size_t)record->groupCapacity * sizeof(tnFlowGroup),
		(size_t)capacity * sizeof(tnFlowGroup));
	record->groups = grown != NULL ? grown : record->groups;
	record->groupCapacity = grown != NULL ? capacity : record->groupCapacity;
	return grown != NULL;
}

static bool tnGrowNotes(tnMemory* memory, tnFlowRecord* record)
{
	const int32_t capacity = tnMaxInt(256, 2 * record->noteCapacity);
	tnFlowNote* grown = tnMemory_Grow(memory, record->notes, (size_t)record->noteCapacity * sizeof(tnFlowNote),
		(size_t)capacity * sizeof(tnFlowNote));
	record->notes = grown != NULL ? grown : record->notes;
	record->noteCapacity = grown != NULL ? capacity : record->noteCapacity;
	return grown != NULL;
}

void tnVoxelWorld_NoteExchanges(
	tnVoxelWorld* world, const tnVoxelBlock* block, int32_t chunk, const tnFlowNote* notes, int32_t count)
{
	tnVoxelFlow* flow = world->flow;
	tnFlowRecord* record = flow->records + flow->running;
	const tnFlowGroup* last = record->groupCount > 0 ? record->groups + record->groupCount - 1 : NULL;
	const bool isNew = last == NULL || last->block != block || last->chunk != chunk;
	// Half of what would overflow, so that nothing can be doubled without it.
	bool isRoom = record->noteCount < INT32_MAX / 4 &&
		(!isNew || record->groupCount < record->groupCapacity || tnGrowGroups(&world->memory, record));
	while (isRoom && record->noteCapacity - record->noteCount < count)
	{
		isRoom = tnGrowNotes(&world->memory, record);
	}
	if (!isRoom)
	{
		record->isBroken = true;
		return;
	}
	if (isNew && count > 0)
	{
		record->groups[record->groupCount++] =
			(tnFlowGroup){block, chunk, tnGetChunkPlace(block, chunk), record->noteCount};
	}
	for (int32_t i = 0; i < count; ++i)
	{
		record->notes[record->noteCount++] = notes[i];
	}
}

void tnVoxelWorld_NoteExchange(
	tnVoxelWorld* world, const tnVoxelBlock* block, int32_t chunk, int32_t voxel, int64_t units)
{
	const tnFlowNote note = {(int16_t)voxel, (int16_t)units};
	tnVoxelWorld_NoteExchanges(world, block, chunk, &note, 1);
}

// Notes of one find: what is more than this makes no current.
#define TN_WAITING_NOTES 256

void tnVoxelWorld_NoteWaiting(tnVoxelWorld* world, tnVoxel voxel, int64_t units)
{
	tnVoxelBlock* block;
	const tnVoxelChunk* chunk =
		tnVoxelStore_FindChunk(&world->store, (tnVoxel){voxel.x >> 4, voxel.y >> 4, voxel.z >> 4}, &block);
	const int32_t index = (voxel.y & 15) * TN_LAYER + (voxel.z & 15) * TN_ROW + (voxel.x & 15);
	for (int i = 0; i < TN_WAITING_NOTES && units > 0; ++i)
	{
		const int64_t most = units < TN_MAX_VOXEL_CAP ? units : TN_MAX_VOXEL_CAP;
		tnVoxelWorld_NoteExchange(world, block, (int32_t)(chunk - block->chunks), index, most);
		units -= most;
	}
}

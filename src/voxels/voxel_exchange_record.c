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
}

void tnVoxelWorld_ForgetExchanges(tnVoxelWorld* world)
{
	for (int i = 0; i <= TN_FLOW_PASSES; ++i)
	{
		tnVoxelWorld_BeginExchanges(world);
	}
	world->version += 1;
}

// Grow an array so that there is room for `count`, and for half as much again as there was.
static bool tnGrowTo(tnMemory* memory, void** array, int32_t* capacity, int64_t count, size_t unit)
{
	if (count <= *capacity)
	{
		return true;
	}
	const int64_t more = (int64_t)*capacity + *capacity / 2;
	const int64_t wanted = count > more ? count : more;
	// So that nothing can be added to it without a check.
	if (wanted > INT32_MAX / 4)
	{
		return false;
	}
	void* grown = tnMemory_Grow(memory, *array, (size_t)*capacity * unit, (size_t)wanted * unit);
	if (grown != NULL)
	{
		*array = grown;
		*capacity = (int32_t)wanted;
	}
	return grown != NULL;
}

bool tnVoxelWorld_ReserveExchanges(tnVoxelWorld* world, int64_t noteCount, int64_t groupCount)
{
	tnVoxelFlow* flow = world->flow;
	// The one that the step will write to, and what it has then.
	const bool begins = world->def.rules == tn_componentRules && world->stepCount % world->def.levelInterval == 0;
	tnFlowRecord* record = flow->records + (flow->running + (begins ? 1 : 0)) % (TN_FLOW_PASSES + 1);
	void* notes = record->notes;
	void* groups = record->groups;
	const bool ok = tnGrowTo(&world->memory, &notes, &record->noteCapacity,
						noteCount + (begins ? 0 : record->noteCount), sizeof(tnFlowNote)) &&
		tnGrowTo(&world->memory, &groups, &record->groupCapacity, groupCount + (begins ? 0 : record->groupCount),
			sizeof(tnFlowGroup));
	record->notes = notes;
	record->groups = groups;
	return ok;
}

void tnVoxelWorld_NoteExchanges(
	tnVoxelWorld* world, const tnVoxelBlock* block, int32_t chunk, const tnFlowNote* notes, int32_t count)
{
	tnVoxelFlow* flow = world->flow;
	tnFlowRecord* record = flow->records + flow->running;
	const tnFlowGroup* last = record->groupCount > 0 ? record->groups + record->groupCount - 1 : NULL;
	const bool isNew = last == NULL || last->block != block || last->chunk != chunk;
	count = tnMinInt(count, TN_MAX_CHUNK_NOTES);
	// voxel_needs.c has seen to it.
	TN_ASSERT(count == 0 || record->groupCount + (isNew ? 1 : 0) <= record->groupCapacity);
	TN_ASSERT(record->noteCount + count <= record->noteCapacity);
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

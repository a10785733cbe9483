// SPDX-License-Identifier: MIT

// Ids of things that come and go.

#pragma once

#include "archive.h"
#include "memory.h"

// Hands out slots with generations. A slot that is freed gets a new generation, so an old id is recognised as stale.
// Slots are handed out lowest free index first: the same calls give the same ids on every machine.
typedef struct tnIdPool
{
	uint32_t* generations; // odd: in use
	int capacity;
	int count;     // in use
	int slotCount; // slots ever handed out: every index in use is below it
	int firstFree; // every index below it is in use: where the search for a free slot starts
	// Even. New slots get a later generation: an id that was handed out before a snapshot was restored is never another's.
	uint32_t floor;
} tnIdPool;

// Makes room for one more. Returns false if memory ran out (the pool is then unchanged).
bool tnIdPool_Reserve(tnIdPool* pool, tnMemory* memory);
// Makes room for that many in all. The same.
bool tnIdPool_ReserveMany(tnIdPool* pool, tnMemory* memory, int count);
// Index of a new slot; call tnIdPool_Reserve first.
int tnIdPool_Take(tnIdPool* pool);
// The one that would be next.
int tnIdPool_GetNext(const tnIdPool* pool);
void tnIdPool_Release(tnIdPool* pool, int index);
bool tnIdPool_IsUsed(const tnIdPool* pool, int index);
uint32_t tnIdPool_GetGeneration(const tnIdPool* pool, int index);
// Index of (index1, generation), or -1 if null or stale.
int tnIdPool_Find(const tnIdPool* pool, int32_t index1, uint32_t generation);
// For snapshots: how many slots there are, to be called first; then for each of them whether it is in use, and what is in it if
// so; and last the end. There must be room to apply. Returns the number of slots.
int tnIdPool_Archive(tnIdPool* pool, tnArchive* archive, const char* name);
// @param generation receives that of the slot; may be NULL
bool tnIdPool_ArchiveSlot(tnIdPool* pool, tnArchive* archive, int index, uint32_t* generation);
void tnIdPool_EndArchive(tnIdPool* pool, tnArchive* archive, int slotCount);
// The same in pieces, for what is not archived: slots are what they were once, and whatever this pool has handed out since is
// nobody's any more. First so many slots, for which there must be room, then each of them, then the end.
void tnIdPool_BeginReturn(tnIdPool* pool, int slotCount);
void tnIdPool_ReturnSlot(tnIdPool* pool, int index, uint32_t generation);
void tnIdPool_EndReturn(tnIdPool* pool);
// What another pool, of the same things, has handed out is nobody's here.
void tnIdPool_Outlive(tnIdPool* pool, const tnIdPool* other);
void tnIdPool_Destroy(tnIdPool* pool, tnMemory* memory);

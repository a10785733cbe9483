// SPDX-License-Identifier: MIT

#pragma once

// What the driver and the programs that it prints have in common: this code is compiled, and printed as it is. No comments
// and no lines of the preprocessor inside.

#include <tarn/tarn.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
// It shall see what nobody has written.
#define DRIVER_NO_JUNK 1
#endif
#endif
#ifndef DRIVER_NO_JUNK
#define DRIVER_NO_JUNK 0
#endif

#define DRIVER_SHARED(name, ...) \
	__VA_ARGS__                  \
	static const char name[] __attribute__((unused)) = #__VA_ARGS__;

// Ids of one world, several of each kind so that stale ones are about, saves of voxels, and a snapshot and a recording of a
// terrain.
DRIVER_SHARED(
	s_idsSource, enum {slotCount = 5, saveSlotCount = 3};

	typedef struct Ids {
		tnSourceId sources[slotCount];
		tnRegionId regions[slotCount];
		tnGaugeId gauges[slotCount];
		tnBodyId bodies[slotCount];
		tnJetId jets[slotCount];
		tnInterestId interests[slotCount];
		tnVoxelSourceId voxelSources[slotCount];
		uint8_t* saves[saveSlotCount];
		size_t saveSizes[saveSlotCount];
		uint8_t* snapshot;
		size_t snapshotSize;
		uint8_t* record;
		size_t recordSize;
		size_t recordCapacity;
	} Ids;)

// Room for a save, and one byte of it that is no longer what it was.
DRIVER_SHARED(
	s_saveSource,
	static inline tnResult KeepSave(Ids* ids, int slot, size_t size) {
		free(ids->saves[slot]);
		ids->saves[slot] = calloc(1, size + 1);
		ids->saveSizes[slot] = ids->saves[slot] != NULL ? size : 0;
		return (tnResult){0};
	}

	static inline tnResult SpoilSave(Ids* ids, int slot, int at, int mask) {
		if (ids->saveSizes[slot] > 0)
		{
			ids->saves[slot][(size_t)at % ids->saveSizes[slot]] ^= (uint8_t)mask;
		}
		return (tnResult){0};
	})

// A world of voxels that goes on in another one, by the recipe of voxel_save.h.
DRIVER_SHARED(
	s_reloadSource, static inline tnResult ReloadWorld(tnVoxelWorld** world, bool reloads) {
		static const tnVoxel blocks[5] = {{0, -1, 0}, {-1, 0, -1}, {0, 0, -1}, {-1, 0, 0}, {0, 0, 0}};
		const tnVoxelWorldDef def = tnVoxelWorld_GetDef(*world);
		tnVoxelWorld* made = NULL;
		tnResult result = {0};
		if (!reloads)
		{
			return result;
		}
		result = tnCreateVoxelWorld(&def, &made);
		for (int i = 0; i < 6 && result.status == tn_ok; ++i)
		{
			size_t size = 0;
			if (i < 5 && !tnVoxelWorld_IsLoaded(*world, blocks[i]))
			{
				continue;
			}
			result = i < 5 ? tnVoxelWorld_SaveBlock(*world, blocks[i], NULL, 0, &size)
						   : tnVoxelWorld_SaveState(*world, NULL, 0, &size);
			uint8_t* bytes = malloc(size + 1);
			if (result.status == tn_ok)
			{
				result = i < 5 ? tnVoxelWorld_SaveBlock(*world, blocks[i], bytes, size, &size)
							   : tnVoxelWorld_SaveState(*world, bytes, size, &size);
			}
			if (result.status == tn_ok)
			{
				result = i < 5 ? tnVoxelWorld_LoadBlockFrom(made, blocks[i], bytes, size)
							   : tnVoxelWorld_LoadState(made, bytes, size);
			}
			free(bytes);
		}
		tnDestroyVoxelWorld(result.status == tn_ok ? *world : made);
		*world = result.status == tn_ok ? made : *world;
		return result;
	})

// A world that goes on in another one, made of its bytes.
DRIVER_SHARED(
	s_snapshotSource,
	static inline tnResult RemakeWorld(tnWorld** world, bool remakes, int workerCount) {
		tnWorldDef hooks = tnWorld_GetDef(*world);
		hooks.tasks.workerCount = workerCount;
		tnWorld* made = NULL;
		size_t size = 0;
		tnResult result = {0};
		if (!remakes)
		{
			return result;
		}
		result = tnWorld_Save(*world, NULL, 0, &size);
		uint8_t* bytes = malloc(size + 1);
		if (result.status == tn_ok)
		{
			result = tnWorld_Save(*world, bytes, size, &size);
		}
		if (result.status == tn_ok)
		{
			result = tnCreateWorldFrom(bytes, size, &hooks, &made);
		}
		free(bytes);
		if (result.status == tn_ok)
		{
			tnDestroyWorld(*world);
			*world = made;
		}
		return result;
	}

	static inline bool HadBody(const Ids* ids) {
		bool had = false;
		for (int i = 0; i < slotCount; ++i)
		{
			had = had || ids->bodies[i].index1 != 0;
		}
		return had;
	}

	static inline tnResult RemakeVoxels(tnVoxelWorld** world, bool remakes, bool inPlace) {
		const tnVoxelWorldDef def = tnVoxelWorld_GetDef(*world);
		tnVoxelWorld* made = NULL;
		size_t size = 0;
		tnResult result = {0};
		if (!remakes)
		{
			return result;
		}
		result = tnVoxelWorld_Save(*world, NULL, 0, &size);
		uint8_t* bytes = malloc(size + 1);
		if (result.status == tn_ok)
		{
			result = tnVoxelWorld_Save(*world, bytes, size, &size);
		}
		if (result.status == tn_ok && inPlace)
		{
			// What never happened.
			(void)tnVoxelWorld_Step(*world, 0);
			result = tnVoxelWorld_Restore(*world, bytes, size);
		}
		else if (result.status == tn_ok)
		{
			result = tnCreateVoxelWorldFrom(bytes, size, &def, &made);
		}
		free(bytes);
		if (result.status == tn_ok && !inPlace)
		{
			tnDestroyVoxelWorld(*world);
			*world = made;
		}
		return result;
	}

	// A step, of some twins beside the host, who sees what was before it.
	static inline tnResult StepVoxels(tnVoxelWorld* world, int64_t workLimit, bool beside, bool* good) {
		*good = true;
		if (!beside)
		{
			return tnVoxelWorld_Step(world, workLimit);
		}
		const uint64_t hash = tnVoxelWorld_GetHash(world);
		const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(world, 1);
		const bool rests = tnVoxelWorld_IsAtRest(world);
		tnResult result = tnVoxelWorld_BeginStep(world, workLimit);
		if (result.status == tn_ok)
		{
			const tnVoxelLedger shown = tnVoxelWorld_GetLedger(world, 1);
			*good = tnVoxelWorld_GetHash(world) == hash && tnVoxelWorld_IsAtRest(world) == rests &&
				tnVoxelWorld_IsStepRunning(world) && shown.volume == ledger.volume && shown.waiting == ledger.waiting &&
				shown.drift == 0;
			result = tnVoxelWorld_EndStep(world);
			*good = *good && !tnVoxelWorld_IsStepRunning(world);
		}
		return result;
	}

	static inline tnResult KeepSnapshot(Ids* ids, size_t size) {
		free(ids->snapshot);
		ids->snapshot = calloc(1, size + 1);
		ids->snapshotSize = ids->snapshot != NULL ? size : 0;
		return (tnResult){0};
	})

// Where a recording goes, and the same once more.
DRIVER_SHARED(
	s_recordSource,
	static inline void AppendRecord(const void* bytes, size_t size, void* context) {
		Ids* ids = context;
		if (ids->recordSize + size > ids->recordCapacity)
		{
			ids->recordCapacity = 2 * (ids->recordSize + size);
			uint8_t* grown = realloc(ids->record, ids->recordCapacity);
			if (grown == NULL)
			{
				abort();
			}
			ids->record = grown;
		}
		memcpy(ids->record + ids->recordSize, bytes, size);
		ids->recordSize += size;
	}

	static inline tnResult StartRecord(tnWorld* world, Ids* ids, bool records) {
		if (!records)
		{
			return (tnResult){0};
		}
		if (!tnWorld_IsRecording(world))
		{
			ids->recordSize = 0;
		}
		return tnWorld_StartRecording(world, AppendRecord, ids);
	}

	static inline tnResult PlayRecord(const Ids* ids, bool plays, tnReplayState* state, uint64_t* hash) {
		tnReplay* replay = NULL;
		tnResult result = {0};
		if (!plays)
		{
			return result;
		}
		result = tnCreateReplay(ids->record, ids->recordSize, NULL, &replay);
		while (result.status == tn_ok && !state->atEnd)
		{
			result = tnReplay_Step(replay, state);
		}
		*hash = result.status == tn_ok ? tnWorld_GetHash(tnReplay_GetWorld(replay)) : 0;
		tnDestroyReplay(replay);
		return result;
	})

// Some steps that never happened: forth, back, as deltas, beside the host; and what somebody sees who only looks. The world is what
// it was then. `seen` receives what twins must agree about, `good` whether all is as it must be.
DRIVER_SHARED(
	s_rollbackSource,
	static inline tnResult StepAndSave(tnWorld* world, tnRollback* rollback, float timeStep, int steps, bool* good) {
		tnResult result = {0};
		for (int i = 0; i < steps && result.status == tn_ok; ++i)
		{
			result = i % 2 == 0 ? tnWorld_Step(world, timeStep) : tnWorld_BeginStep(world, timeStep);
			if (i % 2 == 1 && result.status == tn_ok)
			{
				*good = *good && tnWorld_IsStepRunning(world);
				result = tnWorld_EndStep(world);
			}
			if (result.status == tn_ok)
			{
				result = tnRollback_Push(rollback);
			}
		}
		return result;
	}

	static inline tnResult GoByDelta(tnWorld* world, tnRollback* rollback, int back, bool* good) {
		size_t size = 0;
		tnRollbackImage image = {0};
		tnRollbackImage made = {0};
		tnDeltaInfo info = {0};
		tnResult result = tnRollback_SaveDelta(rollback, back, NULL, 0, &size);
		uint8_t* bytes = result.status == tn_ok ? calloc(1, size + 1) : NULL;
		const uint64_t hash = tnWorld_GetHash(world);
		result = result.status == tn_ok ? tnRollback_SaveDelta(rollback, back, bytes, size, &size) : result;
		result = result.status == tn_ok ? tnReadDeltaInfo(bytes, size, &info) : result;
		result = result.status == tn_ok ? tnRollback_GetImage(rollback, 0, &image) : result;
		result = result.status == tn_ok ? tnRollback_Restore(rollback, back) : result;
		result = result.status == tn_ok ? tnRollback_RestoreDelta(rollback, bytes, size) : result;
		result = result.status == tn_ok ? tnRollback_GetImage(rollback, 0, &made) : result;
		*good = *good &&
			(result.status != tn_ok ||
				(tnWorld_GetHash(world) == hash && made.sum == image.sum && info.sum == image.sum));
		free(bytes);
		return result;
	}

	static inline tnResult TryRollback(tnWorld* world, float timeStep, int steps, uint64_t* seen, bool* good) {
		tnRollbackDef def = tnDefaultRollbackDef();
		def.imageCount = steps + 2;
		tnRollback* rollback = NULL;
		const uint64_t before = tnWorld_GetHash(world);
		*good = true;
		tnResult result = tnCreateRollback(world, &def, &rollback);
		result = result.status == tn_ok ? tnRollback_Push(rollback) : result;
		if (result.status == tn_ok)
		{
			result = StepAndSave(world, rollback, timeStep, steps, good);
			*seen = result.status == tn_ok ? tnWorld_GetHash(world) : 0;
			result = result.status == tn_ok ? GoByDelta(world, rollback, steps, good) : result;
			const tnResult back = tnRollback_Restore(rollback, tnRollback_GetCount(rollback) - 1);
			result = result.status == tn_ok ? back : result;
			*good = *good && tnWorld_GetHash(world) == before;
		}
		tnDestroyRollback(rollback);
		return result;
	})

DRIVER_SHARED(
	s_streamSource,
	static inline tnResult ShowStream(
		const tnWorld* world, const tnStreamDef* def, int capacity, uint64_t* seen, bool* good) {
		tnStreamViewDef viewDef = tnDefaultStreamViewDef();
		tnStreamView* view = NULL;
		tnStream* stream = NULL;
		tnStreamState state = {0};
		uint8_t* bytes = calloc(1, (size_t)capacity);
		*good = true;
		tnResult result = tnCreateStreamView(&viewDef, &view);
		result = result.status == tn_ok ? tnCreateStream(world, def, &stream) : result;
		for (int i = 0; i < 3 && result.status == tn_ok; ++i)
		{
			const tnStreamInterest interest = {tnWorld_GetDef(world).origin, 10.0f, 2.0f};
			result = tnStream_SetInterests(stream, &interest, i == 0 ? 1 : 0);
			size_t size = 0;
			result = result.status == tn_ok ? tnStream_Write(stream, bytes, (size_t)capacity, &size, &state) : result;
			result = result.status == tn_ok ? tnStreamView_Read(view, bytes, size) : result;
			const tnStreamReceipt receipt = tnStreamView_GetReceipt(view);
			result = result.status == tn_ok ? tnStream_TakeReceipt(stream, &receipt) : result;
			for (size_t k = 0; k < size; ++k)
			{
				*seen = (*seen ^ bytes[k]) * 0x100000001B3u;
			}
			*good = *good && (result.status != tn_ok || tnStreamView_GetInfo(view).number == (uint32_t)i + 1);
		}
		const tnFieldView beds = tnStreamView_GetField(view, tn_streamBed);
		const tnFieldView bed = tnWorld_GetBed(world);
		for (int i = 0; i < beds.columnCount * beds.rowCount && result.status == tn_ok; ++i)
		{
			const int column = i % beds.columnCount, row = i / beds.columnCount;
			const float off = beds.data[i] - bed.data[row * bed.stride + column];
			// Floats of high ground round by more than the error.
			const float most = def->heightError + fabsf(beds.data[i]) * 2.4e-7f;
			*good = *good && (tnStreamView_GetCellNumber(view, column, row) == 0 || (off <= most && off >= -most));
		}
		tnDestroyStream(stream);
		tnDestroyStreamView(view);
		free(bytes);
		return result;
	})

// A field of one value per cell between low and high, with one value of its own at `at`.
DRIVER_SHARED(
	s_fillSource,
	static inline void Fill(
		float* field, int columns, int rows, int pattern, uint32_t seed, float low, float high, int at, float value) {
		uint64_t state = seed;
		for (int i = 0; i < columns * rows; ++i)
		{
			state += 0x9E3779B97F4A7C15u;
			uint64_t bits = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
			bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
			const float noise = (float)((bits ^ (bits >> 31)) >> 40) * (1.0f / 16777216.0f);
			const float x = (float)(i % columns) / (float)columns;
			const float z = (float)(i / columns) / (float)rows;
			float share = 0.5f;
			share = pattern == 1 ? x : share;
			share = pattern == 2 ? noise : share;
			share = pattern == 3 ? 2.0f * ((x - 0.5f) * (x - 0.5f) + (z - 0.5f) * (z - 0.5f)) : share;
			share = pattern == 4 ? (noise > 0.99f ? 1.0f : 0.0f) : share;
			share = pattern == 5 ? floorf(4.0f * z) * 0.25f + (noise > 0.5f ? 0.01f : 0.0f) : share;
			share = pattern == 6 ? (x < 0.5f ? 1.0f : 0.0f) : share;
			share = pattern == 7 ? ldexpf(1.0f, -(int)(140.0f * noise)) : share;
			share = share > 1.0f ? 1.0f : share;
			field[i] = low + (high - low) * share;
		}
		if (at >= 0)
		{
			field[at % (columns * rows)] = value;
		}
	})

// Memory of a twin. It counts, can say no, fills what it gives with junk, and keeps no more alignment than asked for.
DRIVER_SHARED(
	s_memorySource,
	typedef struct TwinMemory {
		int64_t allocationCount;
		int64_t liveBytes;
		int64_t failAt;
		int64_t failCount;
		int badFreeCount;
		uint8_t junk;
		bool isOdd;
	} TwinMemory;

	static inline void* TwinAlloc(size_t size, size_t alignment, void* context) {
		TwinMemory* memory = context;
		memory->allocationCount += 1;
		if (memory->allocationCount == memory->failAt)
		{
			memory->failCount += 1;
			return NULL;
		}
		const size_t shift = memory->isOdd ? alignment : 0;
		uint8_t* base = malloc(size + 3 * alignment + 64);
		if (base == NULL)
		{
			memory->failCount += 1;
			return NULL;
		}
		const size_t wide = 2 * alignment;
		uint8_t* block = base + 32;
		block += (wide - (uintptr_t)block % wide) % wide;
		block += shift;
		memcpy(block - 16, &base, sizeof(base));
		const uint64_t end = 0x7E57ED0E7E57ED0Eu;
		memcpy(block + size, &end, sizeof(end));
		if (memory->junk != 0)
		{
			memset(block, memory->junk, size);
		}
		memory->liveBytes += (int64_t)size;
		return block;
	}

	static inline void TwinFree(void* block, size_t size, void* context) {
		TwinMemory* memory = context;
		uint64_t end;
		memcpy(&end, (uint8_t*)block + size, sizeof(end));
		memory->badFreeCount += end != 0x7E57ED0E7E57ED0Eu ? 1 : 0;
		memory->liveBytes -= (int64_t)size;
		void* base;
		memcpy(&base, (uint8_t*)block - 16, sizeof(base));
		free(base);
	})

// Job systems of a host: at once, or as late and in as odd an order as is allowed.
DRIVER_SHARED(
	s_tasksSource,
	typedef struct TwinTasks {
		tnTaskFcn* fcns[64];
		void* contexts[64];
		bool isDone[64];
		int count;
		bool isLate;
	} TwinTasks;

	static inline void* TwinStart(tnTaskFcn* task, void* taskContext, void* context) {
		TwinTasks* tasks = context;
		if (!tasks->isLate || tasks->count == 64)
		{
			task(taskContext);
			return NULL;
		}
		tasks->fcns[tasks->count] = task;
		tasks->contexts[tasks->count] = taskContext;
		tasks->isDone[tasks->count] = false;
		tasks->count += 1;
		return tasks->isDone + tasks->count - 1;
	}

	static inline void TwinWait(void* hostTask, void* context) {
		TwinTasks* tasks = context;
		const bool* isDone = hostTask;
		for (int i = tasks->count - 1; i >= 0 && !*isDone; --i)
		{
			if (!tasks->isDone[i])
			{
				tasks->isDone[i] = true;
				tasks->fcns[i](tasks->contexts[i]);
			}
		}
		while (tasks->count > 0 && tasks->isDone[tasks->count - 1])
		{
			tasks->count -= 1;
		}
	})

// SPDX-License-Identifier: MIT

// Chunks and blocks as bytes.
//
// A chunk:   kind and version, flags, cap and assumptions, ground, liquid, and what the flags say; sum
// A block:   kind and version, runs of chunks with the same bytes, layer by layer, what waits in it; sum
//
// Which voxels are connected follows from the liquid of a chunk and of the voxels above and below it, as they were when it
// was last divided. Most often it is enough to say if all above is open and if all below is; labels and parts are then
// found anew when the chunk is read, and not in the save. If the chunk is to be divided again anyway, only what its parts
// have on account is of interest.

#include "voxel_save.h"

#include "check.h"

#include <string.h>

enum
{
	tn_saveLiquid = 1 << 0, // a plane of liquid, else one byte: the kind of which it is full
	tn_saveSolid = 1 << 1,  // a plane of ground, else one byte
	tn_saveStale = 1 << 2,
	tn_saveLayers = 1 << 3,   // some are awake
	tn_saveKinds = 1 << 4,    // not just those in it
	tn_saveParts = 1 << 5,    // labels and parts do not follow from the assumptions
	tn_saveAccounts = 1 << 6, // some parts have something on account
	tn_saveOceans = 1 << 7,   // some parts are in oceans
	// In the byte after the flags: log2 of the cap, 0: it follows; and the assumptions.
	TN_CAP_BITS = 0x0f,
	tn_openBelow = 1 << 4,
	tn_openAbove = 1 << 5,
	tn_saveLabels = 1 << 6, // with tn_saveParts: voxels have labels
};

// ---------------------------------------------------------------------------------------------------------------------
// Scratch

tnVoxelSaver* tnVoxelWorld_GetSaver(tnVoxelWorld* world)
{
	if (world->saver == NULL)
	{
		world->saver = tnMemory_Alloc(&world->memory, sizeof(tnVoxelSaver));
	}
	tnVoxelStore* store = &world->store;
	const bool enough = world->saver != NULL && tnPagePool_Reserve(&store->labelPages, &world->memory, 1) &&
		tnPagePool_Reserve(store->partPages, &world->memory, 1) &&
		tnPagePool_Reserve(store->partPages + 1, &world->memory, 1);
	return enough ? world->saver : NULL;
}

void tnVoxelWorld_DestroySaver(tnVoxelWorld* world)
{
	tnMemory_Free(&world->memory, world->saver, sizeof(tnVoxelSaver));
}

tnResult tnCheckSaveTarget(const tnVoxelWorld* world, const void* bytes, size_t capacity, size_t* size)
{
	if (size == NULL)
	{
		return tnVoxelWorld_Report(world, tnFail(tn_invalidArgument, "size must not be NULL"));
	}
	*size = 0;
	if (bytes == NULL && capacity > 0)
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_invalidArgument, "bytes must not be NULL with a capacity of %zu", capacity));
	}
	return tnSuccess();
}

tnResult tnFinishSave(const tnVoxelWorld* world, const tnByteWriter* writer, size_t* size)
{
	*size = writer->size;
	if (writer->bytes != NULL && writer->size > writer->capacity)
	{
		return tnVoxelWorld_Report(world,
			tnFail(tn_invalidArgument, "capacity must be at least %zu, got %zu", writer->size, writer->capacity));
	}
	return tnSuccess();
}

static tnResult tnReportNoMemory(const tnVoxelWorld* world)
{
	return tnVoxelWorld_Report(world, tnFail(tn_outOfMemory, "save: out of memory"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts

// The chunk of the scratch that stands at a place, with nothing in it and rock around.
static tnVoxelChunk* tnGetScratchChunk(tnVoxelSaver* saver, tnVoxel place)
{
	saver->block.place = (tnVoxel){place.x >> 3, place.y >> 3, place.z >> 3};
	tnVoxelChunk* chunk = saver->block.chunks + tnGetChunkIndex(place.x & 7, place.y & 7, place.z & 7);
	*chunk = (tnVoxelChunk){0};
	return chunk;
}

// Divide the chunk of the scratch with what is assumed around it. Takes pages for labels and parts.
static void tnDivideAlone(tnVoxelWorld* world, tnVoxelSaver* saver, tnVoxelChunk* chunk, uint32_t assumptions)
{
	tnVoxelStore* store = &world->store;
	if (chunk->liquid == NULL && chunk->solid == NULL && chunk->liquidFill != 0 && assumptions == 0 &&
		store->rooms[chunk->solidFill] > 0 && world->def.liquids[chunk->liquidFill - 1].levels)
	{
		// Deep water, of which there are many: one part without a surface.
		chunk->parts = tnPagePool_Take(store->partPages);
		*chunk->parts = tnMakePart(chunk->liquidFill);
		chunk->parts->parent = chunk->parts;
		chunk->partCount = 1;
		return;
	}
	const int32_t index = (int32_t)(chunk - saver->block.chunks);
	saver->block.neighbours[tn_voxelDown] = index % 8 == 0 ? &saver->other : NULL;
	saver->block.neighbours[tn_voxelUp] = index % 8 == 7 ? &saver->other : NULL;
	for (int side = tn_voxelDown; side <= tn_voxelUp; ++side)
	{
		const uint32_t flag = side == tn_voxelDown ? tn_openBelow : tn_openAbove;
		tnVoxelBlock* owner;
		int32_t otherIndex;
		tnVoxelChunk* other = tnVoxelBlock_GetNeighbour(&saver->block, index, (tnVoxelSide)side, &owner, &otherIndex);
		*other = (tnVoxelChunk){.solidFill = (assumptions & flag) != 0 ? 0 : TN_VOXEL_ROCK};
	}
	const uint16_t kinds = chunk->kinds;
	tnDivideTask task;
	if (tnBeginDivision(world, &saver->block, index, &task))
	{
		tnFindVoxelParts(world, &task, world->divisions);
		tnEndDivision(world, &task);
	}
	chunk->kinds = kinds;
}

static bool tnIsSameDivision(const tnVoxelChunk* a, const tnVoxelChunk* b)
{
	if (a->partCount != b->partCount || (a->labels == NULL) != (b->labels == NULL) ||
		(a->labels != NULL && memcmp(a->labels, b->labels, TN_CHUNK_VOXELS / 2) != 0))
	{
		return false;
	}
	for (int32_t i = 0; i < a->partCount; ++i)
	{
		const tnVoxelPart* one = a->parts + i;
		const tnVoxelPart* other = b->parts + i;
		if (one->kind != other->kind || one->opensAbove != other->opensAbove ||
			one->surfaceCount != other->surfaceCount || one->levelSum != other->levelSum ||
			one->lowest != other->lowest || one->highest != other->highest || one->coverLow != other->coverLow ||
			one->coverHigh != other->coverHigh)
		{
			return false;
		}
	}
	return true;
}

// Assumptions from which the parts of a chunk follow. False if there are none.
static bool tnFindAssumptions(tnVoxelWorld* world, const tnVoxelChunk* chunk, tnVoxel place, uint32_t* assumptions)
{
	static const uint32_t tries[4] = {0, tn_openAbove, tn_openBelow, tn_openAbove | tn_openBelow};
	if (chunk->kinds == 0 && chunk->partCount == 0)
	{
		*assumptions = 0;
		return true;
	}
	tnVoxelSaver* saver = world->saver;
	bool found = false;
	for (int i = 0; i < 4 && !found; ++i)
	{
		tnVoxelChunk* alone = tnGetScratchChunk(saver, place);
		alone->liquid = chunk->liquid;
		alone->solid = chunk->solid;
		alone->liquidFill = chunk->liquidFill;
		alone->solidFill = chunk->solidFill;
		tnDivideAlone(world, saver, alone, tries[i]);
		found = tnIsSameDivision(chunk, alone);
		*assumptions = tries[i];
		alone->liquid = NULL;
		alone->solid = NULL;
		tnVoxelStore_GivePages(&world->store, alone);
	}
	return found;
}

static int64_t tnGetBottom(const tnVoxelWorld* world, tnVoxel place)
{
	return (int64_t)place.y * TN_VOXEL_CHUNK * world->def.cap;
}

static void tnWriteParts(tnByteWriter* writer, tnVoxelWorld* world, const tnVoxelChunk* chunk, tnVoxel place)
{
	const int64_t bottom = tnGetBottom(world, place);
	tnWriteByte(writer, chunk->partCount);
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		const tnVoxelPart* part = chunk->parts + i;
		const bool isCovered = part->coverLow <= part->coverHigh;
		tnWriteByte(writer, (uint32_t)part->kind << 2 | (isCovered ? 2u : 0u) | (part->opensAbove ? 1u : 0u));
		if (isCovered)
		{
			tnWriteByte(writer, (uint32_t)(part->coverLow & 15) << 4 | (uint32_t)(part->coverHigh & 15));
		}
		tnWriteNumber(writer, (uint64_t)part->surfaceCount);
		if (part->surfaceCount > 0)
		{
			tnWriteNumber(writer, (uint64_t)(part->lowest - bottom));
			tnWriteNumber(writer, (uint64_t)(part->highest - part->lowest));
			tnWriteNumber(writer, (uint64_t)(part->levelSum - part->surfaceCount * part->lowest));
		}
	}
	if (chunk->labels != NULL)
	{
		for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
		{
			world->saver->values[i] = chunk->labels[i / 2] >> (4 * (i % 2)) & 15;
		}
		tnWritePlane(writer, &(tnPlane){.full = TN_NO_PART, .most = TN_NO_PART}, world->saver->values);
	}
}

// Kinds and heights of parts. The voxels of the chunk are known.
static void tnReadParts(tnByteReader* reader, tnVoxelWorld* world, tnVoxelChunk* chunk, tnVoxel place, bool hasLabels)
{
	tnVoxelStore* store = &world->store;
	tnVoxelSaver* saver = world->saver;
	const int64_t bottom = tnGetBottom(world, place);
	const int32_t count = (int32_t)tnReadWithin(reader, hasLabels ? 1 : 0, hasLabels ? TN_MAX_PARTS : 1);
	if (count > 0)
	{
		chunk->parts = tnPagePool_Take(store->partPages + (count > 1 ? 1 : 0));
		memset(chunk->parts, 0, (size_t)count * sizeof(tnVoxelPart));
		chunk->partCount = (uint8_t)count;
	}
	for (int32_t i = 0; i < count; ++i)
	{
		tnVoxelPart* part = chunk->parts + i;
		const int64_t code = tnReadWithin(reader, 4, 4 * world->def.liquidCount + 3);
		*part = tnMakePart((int32_t)(code / 4));
		part->parent = part;
		part->opensAbove = code % 2 != 0;
		if (code / 2 % 2 != 0)
		{
			const int64_t cover = tnReadWithin(reader, 0, 255);
			part->coverLow = 16 * place.y + (int32_t)(cover / 16);
			part->coverHigh = 16 * place.y + (int32_t)(cover % 16);
			reader->failed = reader->failed || part->coverLow > part->coverHigh;
		}
		part->surfaceCount = (int32_t)tnReadWithin(reader, 0, TN_CHUNK_VOXELS);
		if (part->surfaceCount > 0)
		{
			// A surface may lie on the ground of the chunk above.
			const int64_t top = (int64_t)(TN_VOXEL_CHUNK + 1) * world->def.cap;
			part->lowest = bottom + tnReadWithin(reader, 0, top);
			part->highest = part->lowest + tnReadWithin(reader, 0, top);
			const int64_t most = part->surfaceCount * (part->highest - part->lowest);
			part->levelSum = part->surfaceCount * part->lowest + tnReadWithin(reader, 0, most);
		}
	}
	if (hasLabels)
	{
		const tnPlane plane = {.full = TN_NO_PART, .most = TN_NO_PART};
		chunk->labels = tnPagePool_Take(&store->labelPages);
		(void)tnReadPlane(reader, &plane, saver->values);
		for (int32_t i = 0; i < TN_CHUNK_VOXELS / 2 && !reader->failed; ++i)
		{
			chunk->labels[i] = (uint8_t)(saver->values[2 * i] | saver->values[2 * i + 1] << 4);
		}
	}
	// Every voxel with liquid has a label, of a part of the same kind.
	for (int32_t i = 0; i < TN_CHUNK_VOXELS && !reader->failed; ++i)
	{
		const int32_t kind = tnGetKind(tnGetWord(store, chunk, i));
		const int32_t label = tnGetLabel(store, chunk, i);
		const bool isPart = label > 0 && label != TN_NO_PART;
		const bool fits = isPart ? label <= count && chunk->parts[label - 1].kind == kind : true;
		reader->failed = !fits || (count > 0 && (label == 0) != (kind == 0));
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// A chunk to bytes

static uint32_t tnGetCapCode(int32_t cap)
{
	uint32_t code = 0;
	while (1 << code < cap)
	{
		++code;
	}
	return 1 << code == cap ? code : 0;
}

static uint32_t tnFindKinds(const tnVoxelStore* store, const tnVoxelChunk* chunk)
{
	uint32_t kinds = 0;
	const int32_t count = chunk->liquid == NULL && chunk->solid == NULL ? 1 : TN_CHUNK_VOXELS;
	for (int32_t i = 0; i < count; ++i)
	{
		kinds |= 1u << tnGetKind(tnGetWord(store, chunk, i));
	}
	return kinds & ~1u;
}

static void tnWriteVoxels(tnByteWriter* writer, tnVoxelWorld* world, const tnVoxelChunk* chunk)
{
	tnVoxelSaver* saver = world->saver;
	if (chunk->solid == NULL)
	{
		tnWriteByte(writer, chunk->solidFill);
	}
	else
	{
		for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
		{
			saver->values[i] = chunk->solid[i];
		}
		tnWritePlane(writer, &(tnPlane){.full = TN_VOXEL_ROCK, .most = TN_VOXEL_ROCK}, saver->values);
	}
	if (chunk->liquid == NULL)
	{
		tnWriteByte(writer, chunk->liquidFill);
	}
	else
	{
		for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
		{
			saver->rooms[i] = (uint16_t)tnGetRoom(&world->store, chunk, i);
		}
		tnWritePlane(writer, &(tnPlane){.rooms = saver->rooms}, chunk->liquid);
	}
}

static void tnWriteAccounts(tnByteWriter* writer, tnVoxelWorld* world, const tnVoxelChunk* chunk)
{
	int32_t count = 0;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		count += chunk->parts[i].account != 0 ? 1 : 0;
	}
	tnWriteByte(writer, (uint32_t)count);
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		const tnVoxelPart* part = chunk->parts + i;
		if (part->account != 0)
		{
			// Its kind, if there are to be no parts: see tnReadAccounts.
			tnWriteByte(writer, chunk->stale ? part->kind : (uint32_t)i);
			tnWriteNumber(writer, (uint64_t)part->account);
		}
	}
	if (!chunk->stale || chunk->labels == NULL)
	{
		return;
	}
	// Where the voxels of those parts were: that decides who inherits.
	uint16_t rank[TN_NO_PART + 1] = {0};
	uint16_t last = 0;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		rank[i + 1] = chunk->parts[i].account != 0 ? ++last : 0;
	}
	for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
	{
		world->saver->values[i] = rank[chunk->labels[i / 2] >> (4 * (i % 2)) & 15];
	}
	tnWritePlane(writer, &(tnPlane){.full = TN_NO_PART, .most = TN_NO_PART}, world->saver->values);
}

// The saver must be there.
static void tnWriteChunk(tnByteWriter* writer, tnVoxelWorld* world, const tnVoxelChunk* chunk, tnVoxel place)
{
	const uint32_t capCode = tnGetCapCode(world->def.cap);
	uint32_t assumptions = 0;
	const bool follows = chunk->stale || tnFindAssumptions(world, chunk, place, &assumptions);
	uint32_t oceans = 0;
	bool hasAccounts = false;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		oceans |= !chunk->stale && chunk->parts[i].inOcean ? 1u << i : 0;
		hasAccounts = hasAccounts || chunk->parts[i].account != 0;
	}
	const bool hasOtherKinds = chunk->kinds != 0 && chunk->kinds != tnFindKinds(&world->store, chunk);
	uint32_t flags = chunk->liquid != NULL ? tn_saveLiquid : 0;
	flags |= chunk->solid != NULL ? tn_saveSolid : 0;
	flags |= chunk->stale ? tn_saveStale : 0;
	flags |= chunk->layers != 0 ? tn_saveLayers : 0;
	flags |= hasOtherKinds ? tn_saveKinds : 0;
	flags |= follows ? 0 : tn_saveParts;
	flags |= hasAccounts ? tn_saveAccounts : 0;
	flags |= oceans != 0 ? tn_saveOceans : 0;
	tnWriteByte(writer, tn_chunkSave | TN_SAVE_VERSION);
	tnWriteByte(writer, flags);
	const bool hasLabels = chunk->labels != NULL && (!follows || (chunk->stale && hasAccounts));
	tnWriteByte(writer, capCode | (follows ? assumptions : 0) | (hasLabels ? tn_saveLabels : 0));
	if (capCode == 0)
	{
		tnWriteNumber(writer, (uint64_t)world->def.cap);
	}
	tnWriteVoxels(writer, world, chunk);
	if (chunk->layers != 0)
	{
		tnWriteByte(writer, chunk->layers & 0xffu);
		tnWriteByte(writer, chunk->layers >> 8);
	}
	if (hasOtherKinds)
	{
		tnWriteNumber(writer, chunk->kinds);
	}
	if (!follows)
	{
		tnWriteParts(writer, world, chunk, place);
	}
	if (hasAccounts)
	{
		tnWriteAccounts(writer, world, chunk);
	}
	if (oceans != 0)
	{
		tnWriteNumber(writer, oceans);
	}
	tnWriteSum(writer);
}

// ---------------------------------------------------------------------------------------------------------------------
// A chunk from bytes

static tnResult tnReadVoxels(tnByteReader* reader, tnVoxelWorld* world, tnVoxelChunk* chunk, uint32_t flags)
{
	tnVoxelStore* store = &world->store;
	tnVoxelSaver* saver = world->saver;
	if ((flags & tn_saveSolid) == 0)
	{
		chunk->solidFill = (uint8_t)tnReadByte(reader);
	}
	else
	{
		chunk->solid = tnPagePool_Take(&store->solidPages);
		memset(saver->values, 0, sizeof(saver->values));
		(void)tnReadPlane(reader, &(tnPlane){.full = TN_VOXEL_ROCK, .most = TN_VOXEL_ROCK}, saver->values);
		for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
		{
			chunk->solid[i] = (uint8_t)saver->values[i];
		}
	}
	if ((flags & tn_saveLiquid) == 0)
	{
		chunk->liquidFill = (uint8_t)tnReadByte(reader);
		if (chunk->liquidFill > world->def.liquidCount)
		{
			return tnFail(tn_invalidArgument, "save.liquid must be in [0, %d], got %d", world->def.liquidCount,
				chunk->liquidFill);
		}
		return tnSuccess();
	}
	for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
	{
		saver->rooms[i] = (uint16_t)tnGetRoom(store, chunk, i);
	}
	chunk->liquid = tnPagePool_Take(&store->liquidPages);
	memset(chunk->liquid, 0, TN_LIQUID_PAGE * sizeof(uint16_t));
	(void)tnReadPlane(reader, &(tnPlane){.rooms = saver->rooms}, chunk->liquid);
	for (int32_t i = 0; i < TN_CHUNK_VOXELS && !reader->failed; ++i)
	{
		const int32_t kind = tnGetKind(chunk->liquid[i]);
		const int32_t amount = tnGetAmount(chunk->liquid[i]);
		if (kind > world->def.liquidCount)
		{
			return tnFail(tn_invalidArgument, "save.liquid must be in [0, %d], got %d in voxel %d",
				world->def.liquidCount, kind, i);
		}
		const int32_t most = saver->rooms[i] > 0 ? saver->rooms[i] + store->spare : 0;
		if (amount > most)
		{
			return tnFail(tn_invalidArgument, "save.amount must be in [0, %d] in voxel %d, got %d", most, i, amount);
		}
	}
	return tnSuccess();
}

// Parts must be there, unless the chunk is to be divided: then all there is to know is what to leave to their heirs. They
// have no parents.
static void tnReadAccounts(tnByteReader* reader, tnVoxelWorld* world, tnVoxelChunk* chunk, bool hasLabels)
{
	const int32_t count = (int32_t)tnReadWithin(reader, 1, chunk->stale ? TN_MAX_PARTS : chunk->partCount);
	if (chunk->stale && !reader->failed)
	{
		chunk->parts = tnPagePool_Take(world->store.partPages + (count > 1 ? 1 : 0));
		memset(chunk->parts, 0, (size_t)count * sizeof(tnVoxelPart));
		chunk->partCount = (uint8_t)count;
	}
	for (int32_t i = 0; i < count && !reader->failed; ++i)
	{
		int32_t index = i;
		if (chunk->stale)
		{
			chunk->parts[i].kind = (uint8_t)tnReadWithin(reader, 1, world->def.liquidCount);
		}
		else
		{
			index = (int32_t)tnReadWithin(reader, 0, chunk->partCount - 1);
		}
		chunk->parts[index].account = tnReadWithin(reader, 1, TN_MAX_ACCOUNT);
	}
	if (!chunk->stale || !hasLabels || reader->failed)
	{
		return;
	}
	uint16_t* values = world->saver->values;
	chunk->labels = tnPagePool_Take(&world->store.labelPages);
	(void)tnReadPlane(reader, &(tnPlane){.full = TN_NO_PART, .most = TN_NO_PART}, values);
	for (int32_t i = 0; i < TN_CHUNK_VOXELS / 2 && !reader->failed; ++i)
	{
		chunk->labels[i] = (uint8_t)(values[2 * i] | values[2 * i + 1] << 4);
		reader->failed = values[2 * i] > count || values[2 * i + 1] > count;
	}
}

static tnResult tnReadRest(
	tnByteReader* reader, tnVoxelWorld* world, tnVoxelChunk* chunk, tnVoxel place, uint32_t flags, uint32_t cap)
{
	chunk->kinds = (uint16_t)tnFindKinds(&world->store, chunk);
	chunk->stale = (flags & tn_saveStale) != 0;
	if ((flags & tn_saveLayers) != 0)
	{
		chunk->layers = (uint16_t)tnReadByte(reader);
		chunk->layers = (uint16_t)(chunk->layers | tnReadByte(reader) << 8);
	}
	if ((flags & tn_saveKinds) != 0)
	{
		const int64_t kinds = tnReadWithin(reader, 0, (2 << world->def.liquidCount) - 2);
		reader->failed = reader->failed || (kinds & 1) != 0 || (kinds & chunk->kinds) != chunk->kinds;
		chunk->kinds = (uint16_t)kinds;
	}
	const bool hasParts = (flags & tn_saveParts) != 0;
	reader->failed = reader->failed || (chunk->stale && (hasParts || (flags & tn_saveOceans) != 0));
	if (reader->failed)
	{
		return tnSuccess();
	}
	if (hasParts)
	{
		tnReadParts(reader, world, chunk, place, (cap & tn_saveLabels) != 0);
	}
	else if (!chunk->stale && chunk->kinds != 0)
	{
		tnDivideAlone(world, world->saver, chunk, cap & (tn_openAbove | tn_openBelow));
	}
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		chunk->parts[i].inOcean = false;
	}
	if ((flags & tn_saveAccounts) != 0)
	{
		tnReadAccounts(reader, world, chunk, (cap & tn_saveLabels) != 0);
	}
	if ((flags & tn_saveOceans) != 0)
	{
		const int64_t oceans = tnReadWithin(reader, 1, (1 << chunk->partCount) - 1);
		for (int32_t i = 0; i < chunk->partCount; ++i)
		{
			chunk->parts[i].inOcean = (oceans >> i & 1) != 0;
		}
	}
	return tnSuccess();
}

// Pages that are needed to read any chunk.
static bool tnReserveForOne(tnVoxelWorld* world)
{
	return tnVoxelWorld_GetSaver(world) != NULL && tnPagePool_Reserve(&world->store.liquidPages, &world->memory, 1) &&
		tnPagePool_Reserve(&world->store.solidPages, &world->memory, 1);
}

// Reads into the chunk of the scratch at a place, with pages of its own. On failure there are none.
static tnResult tnReadChunk(tnVoxelWorld* world, tnVoxel place, const void* bytes, size_t size, tnVoxelChunk** made)
{
	tnByteReader reader;
	tnResult result = tnOpenSave(tn_chunkSave, bytes, size, &reader);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (!tnReserveForOne(world))
	{
		return tnFail(tn_outOfMemory, "save: out of memory for a chunk");
	}
	const uint32_t flags = tnReadByte(&reader);
	const uint32_t capByte = tnReadByte(&reader);
	const uint32_t capCode = capByte & TN_CAP_BITS;
	const int64_t cap = capCode != 0 ? 1 << capCode : tnReadWithin(&reader, 0, INT32_MAX);
	if (!reader.failed && cap != world->def.cap)
	{
		return tnFail(tn_invalidArgument, "save.cap must be %d as in the world, got %d", world->def.cap, (int)cap);
	}
	tnVoxelChunk* chunk = tnGetScratchChunk(world->saver, place);
	result = tnReadVoxels(&reader, world, chunk, flags);
	if (result.status == tn_ok && !reader.failed)
	{
		result = tnReadRest(&reader, world, chunk, place, flags, capByte);
	}
	if (result.status == tn_ok && (reader.failed || reader.at != reader.size))
	{
		result = tnFail(tn_invalidArgument, "save is damaged at byte %zu", reader.at);
	}
	if (result.status != tn_ok)
	{
		tnVoxelStore_GivePages(&world->store, chunk);
		return result;
	}
	*made = chunk;
	return result;
}

// Liquid in voxels and on accounts.
static void tnCountChunk(const tnVoxelStore* store, const tnVoxelChunk* chunk, int64_t sums[TN_MAX_LIQUIDS + 1])
{
	memset(sums, 0, (TN_MAX_LIQUIDS + 1) * sizeof(int64_t));
	for (int32_t i = 0; i < TN_CHUNK_VOXELS && chunk->kinds != 0; ++i)
	{
		const uint16_t word = tnGetWord(store, chunk, i);
		sums[tnGetKind(word)] += tnGetAmount(word);
	}
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		sums[chunk->parts[i].kind] += chunk->parts[i].account;
	}
}

static void tnSetBit(uint8_t* bits, int32_t chunk, bool value)
{
	const int32_t bit = 1 << chunk % 8;
	bits[chunk / 8] = (uint8_t)(value ? bits[chunk / 8] | bit : bits[chunk / 8] & ~bit);
}

// Move what was read into the world.
static void tnInstall(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, tnVoxelChunk* made)
{
	// Parts that jets belong to may go.
	tnVoxelWorld_ForgetParts(world);
	int64_t sums[TN_MAX_LIQUIDS + 1];
	tnVoxelChunk* chunk = block->chunks + index;
	tnCountChunk(&world->store, chunk, sums);
	for (int32_t kind = 1; kind <= TN_MAX_LIQUIDS; ++kind)
	{
		world->ledgers[kind].unloaded += sums[kind];
	}
	tnCountChunk(&world->store, made, sums);
	for (int32_t kind = 1; kind <= TN_MAX_LIQUIDS; ++kind)
	{
		world->ledgers[kind].loaded += sums[kind];
	}
	tnVoxelStore_GivePages(&world->store, chunk);
	chunk->liquid = made->liquid;
	chunk->solid = made->solid;
	chunk->labels = made->labels;
	chunk->parts = made->parts;
	chunk->partCount = made->partCount;
	chunk->kinds = made->kinds;
	chunk->solidFill = made->solidFill;
	chunk->liquidFill = made->liquidFill;
	chunk->changed = true;
	tnVoxelBlock_SetLayers(block, index, made->layers);
	tnVoxelBlock_SetStale(block, index, made->stale);
	tnSetBit(block->divided, index, made->partCount > 0);
	tnSetBit(block->unlinked, index, true);
	static const tnVoxelSide before[3] = {tn_voxelWest, tn_voxelNorth, tn_voxelDown};
	for (int i = 0; i < 3; ++i)
	{
		tnVoxelBlock* owner;
		int32_t other;
		if (tnVoxelBlock_GetNeighbour(block, index, before[i], &owner, &other) != NULL)
		{
			tnSetBit(owner->unlinked, other, true);
		}
	}
	*made = (tnVoxelChunk){0};
}

// Where two chunks differ.
static tnVoxelChange tnCompareChunks(const tnVoxelStore* store, const tnVoxelChunk* a, const tnVoxelChunk* b)
{
	tnVoxelChange change = {0};
	for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
	{
		const int32_t solidA = a->solid != NULL ? a->solid[i] : a->solidFill;
		const int32_t solidB = b->solid != NULL ? b->solid[i] : b->solidFill;
		if (solidA == solidB && tnGetWord(store, a, i) == tnGetWord(store, b, i))
		{
			continue;
		}
		const int32_t x = i % TN_ROW;
		const int32_t z = i / TN_ROW % TN_ROW;
		const uint32_t bit = 1u << i / TN_LAYER;
		change.layers |= bit;
		change.sides[tn_voxelWest] |= x == 0 ? bit : 0;
		change.sides[tn_voxelEast] |= x == TN_ROW - 1 ? bit : 0;
		change.sides[tn_voxelNorth] |= z == 0 ? bit : 0;
		change.sides[tn_voxelSouth] |= z == TN_ROW - 1 ? bit : 0;
	}
	return change;
}

// ---------------------------------------------------------------------------------------------------------------------
// Chunks

static tnResult tnFindSaved(const tnVoxelWorld* world, tnVoxel place, tnVoxelBlock** block)
{
	if (tnVoxelStore_FindChunk(&world->store, place, block) == NULL)
	{
		return tnVoxelWorld_Report(world,
			tnFail(tn_invalidArgument, "chunk (%d, %d, %d) must lie in a loaded block", place.x, place.y, place.z));
	}
	return tnSuccess();
}

tnResult tnVoxelWorld_SaveChunk(tnVoxelWorld* world, tnVoxel place, void* bytes, size_t capacity, size_t* size)
{
	tnVoxelBlock* block = NULL;
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status == tn_ok)
	{
		result = tnCheckSaveTarget(world, bytes, capacity, size);
	}
	if (result.status == tn_ok)
	{
		result = tnFindSaved(world, place, &block);
	}
	if (result.status != tn_ok)
	{
		return result;
	}
	if (tnVoxelWorld_GetSaver(world) == NULL)
	{
		return tnReportNoMemory(world);
	}
	tnByteWriter writer = tnMakeWriter(bytes, capacity);
	tnWriteChunk(&writer, world, block->chunks + tnGetChunkIndex(place.x & 7, place.y & 7, place.z & 7), place);
	return tnFinishSave(world, &writer, size);
}

tnResult tnVoxelWorld_LoadChunk(tnVoxelWorld* world, tnVoxel place, const void* bytes, size_t size)
{
	tnVoxelBlock* block = NULL;
	tnVoxelChunk* made = NULL;
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status == tn_ok)
	{
		result = tnFindSaved(world, place, &block);
	}
	if (result.status != tn_ok)
	{
		return result;
	}
	result = tnReadChunk(world, place, bytes, size, &made);
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	const int32_t index = tnGetChunkIndex(place.x & 7, place.y & 7, place.z & 7);
	tnVoxelChunk* chunk = block->chunks + index;
	// It is in the count with the page that it has.
	const int32_t used = world->store.liquidPages.usedCount - (chunk->liquid != NULL ? 1 : 0);
	if (made->liquid != NULL && used > world->def.chunkLimit)
	{
		tnVoxelStore_GivePages(&world->store, made);
		return tnVoxelWorld_Report(world,
			tnFail(tn_outOfMemory, "save needs one more chunk of liquid, chunkLimit is %d and all are used",
				world->def.chunkLimit));
	}
	// Where nothing is different everybody else is right to sleep. What has woken it stays.
	const tnVoxelChange change = tnCompareChunks(&world->store, chunk, made);
	made->layers |= chunk->layers;
	made->stale = made->stale || chunk->stale;
	tnInstall(world, block, index, made);
	if (change.layers != 0)
	{
		tnVoxelBlock_WakeAround(block, index, &change);
	}
	return tnSuccess();
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks

static bool tnIsInBlock(tnVoxel voxel, tnVoxel block)
{
	return voxel.x >> 7 == block.x && voxel.y >> 7 == block.y && voxel.z >> 7 == block.z;
}

// Layer by layer: chunks of one layer are often alike.
static int32_t tnGetIndexInOrder(int32_t number)
{
	return number % 64 * 8 + number / 64;
}

static void tnWriteWaiting(tnByteWriter* writer, const tnVoxelWorld* world, tnVoxel block)
{
	uint32_t count = 0;
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		count += tnIsInBlock(world->waiting[i].voxel, block) ? 1 : 0;
	}
	tnWriteNumber(writer, count);
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		const tnVoxelWaiting* waiting = world->waiting + i;
		if (tnIsInBlock(waiting->voxel, block))
		{
			tnWriteByte(writer, (uint32_t)waiting->voxel.x & 127u);
			tnWriteByte(writer, (uint32_t)waiting->voxel.y & 127u);
			tnWriteByte(writer, (uint32_t)waiting->voxel.z & 127u);
			tnWriteByte(writer, (uint32_t)waiting->liquid);
			tnWriteNumber(writer, (uint64_t)waiting->amount);
		}
	}
}

tnResult tnVoxelWorld_SaveBlock(tnVoxelWorld* world, tnVoxel place, void* bytes, size_t capacity, size_t* size)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status == tn_ok)
	{
		result = tnCheckSaveTarget(world, bytes, capacity, size);
	}
	if (result.status != tn_ok)
	{
		return result;
	}
	tnVoxelBlock* block = tnVoxelStore_FindBlock(&world->store, place);
	if (block == NULL)
	{
		return tnVoxelWorld_Report(
			world, tnFail(tn_invalidArgument, "block (%d, %d, %d) is not loaded", place.x, place.y, place.z));
	}
	tnVoxelSaver* saver = tnVoxelWorld_GetSaver(world);
	if (saver == NULL)
	{
		return tnReportNoMemory(world);
	}
	tnByteWriter writer = tnMakeWriter(bytes, capacity);
	tnWriteByte(&writer, tn_blockSave | TN_SAVE_VERSION);
	size_t lastSize = 0;
	uint32_t run = 0;
	for (int32_t i = 0; i < TN_BLOCK_CHUNKS; ++i)
	{
		const int32_t index = tnGetIndexInOrder(i);
		tnByteWriter one = tnMakeWriter(saver->chunkBytes[1], TN_MAX_CHUNK_SAVE);
		tnWriteChunk(&one, world, block->chunks + index, tnGetChunkPlace(block, index));
		TN_ASSERT(one.size <= TN_MAX_CHUNK_SAVE);
		if (run > 0 && (one.size != lastSize || memcmp(saver->chunkBytes[0], saver->chunkBytes[1], one.size) != 0))
		{
			tnWriteNumber(&writer, run);
			tnWriteNumber(&writer, lastSize);
			tnWriteBytes(&writer, saver->chunkBytes[0], lastSize);
			run = 0;
		}
		if (run == 0)
		{
			memcpy(saver->chunkBytes[0], saver->chunkBytes[1], one.size);
			lastSize = one.size;
		}
		run += 1;
	}
	tnWriteNumber(&writer, run);
	tnWriteNumber(&writer, lastSize);
	tnWriteBytes(&writer, saver->chunkBytes[0], lastSize);
	tnWriteWaiting(&writer, world, place);
	tnWriteSum(&writer);
	return tnFinishSave(world, &writer, size);
}

// What a block needs.
typedef struct tnBlockNeeds
{
	int32_t liquidPages, solidPages, labelPages, partPages[2];
	int32_t waiting;
} tnBlockNeeds;

// Reads all chunks of a block, and what waits. The first time, with needs, nothing is changed.
static tnResult tnReadBlock(
	tnVoxelWorld* world, tnVoxel place, tnByteReader* reader, tnVoxelBlock* block, tnBlockNeeds* needs)
{
	int32_t number = 0;
	while (number < TN_BLOCK_CHUNKS && !reader->failed)
	{
		const int32_t run = (int32_t)tnReadWithin(reader, 1, TN_BLOCK_CHUNKS - number);
		const size_t size = (size_t)tnReadWithin(reader, 1, TN_MAX_CHUNK_SAVE);
		if (reader->failed || size > reader->size - reader->at)
		{
			reader->failed = true;
			break;
		}
		// To know what they need one of them is enough.
		for (int32_t i = 0; i < (block != NULL ? run : 1); ++i)
		{
			const int32_t index = tnGetIndexInOrder(number + i);
			const tnVoxel chunkPlace = {8 * place.x + index / 8 % 8, 8 * place.y + index % 8, 8 * place.z + index / 64};
			tnVoxelChunk* made = NULL;
			const tnResult result = tnReadChunk(world, chunkPlace, reader->bytes + reader->at, size, &made);
			if (result.status != tn_ok)
			{
				return result;
			}
			if (block != NULL)
			{
				tnInstall(world, block, index, made);
				continue;
			}
			needs->liquidPages += made->liquid != NULL ? run : 0;
			needs->solidPages += made->solid != NULL ? run : 0;
			needs->labelPages += made->labels != NULL ? run : 0;
			needs->partPages[made->partCount > 1 ? 1 : 0] += made->parts != NULL ? run : 0;
			tnVoxelStore_GivePages(&world->store, made);
		}
		number += run;
		reader->at += size;
	}
	const int32_t count = (int32_t)tnReadWithin(reader, 0, INT32_MAX);
	for (int32_t i = 0; i < count && !reader->failed; ++i)
	{
		tnVoxelWaiting waiting;
		waiting.voxel.x = 128 * place.x + (int32_t)tnReadWithin(reader, 0, 127);
		waiting.voxel.y = 128 * place.y + (int32_t)tnReadWithin(reader, 0, 127);
		waiting.voxel.z = 128 * place.z + (int32_t)tnReadWithin(reader, 0, 127);
		waiting.liquid = (int32_t)tnReadWithin(reader, 1, world->def.liquidCount);
		waiting.amount = tnReadWithin(reader, 1, TN_MAX_ACCOUNT);
		if (block != NULL)
		{
			world->waiting[world->waitingCount++] = waiting;
			world->waitingRests = false;
			world->ledgers[waiting.liquid].loaded += waiting.amount;
		}
	}
	if (needs != NULL)
	{
		needs->waiting = count;
	}
	if (reader->failed || reader->at != reader->size)
	{
		return tnFail(tn_invalidArgument, "save is damaged at byte %zu", reader->at);
	}
	return tnSuccess();
}

// With one more of each, into which chunks are read.
static tnResult tnReserveForBlock(tnVoxelWorld* world, const tnBlockNeeds* needs)
{
	tnVoxelStore* store = &world->store;
	tnMemory* memory = &world->memory;
	if (needs->liquidPages > world->def.chunkLimit - store->liquidPages.usedCount)
	{
		return tnFail(tn_outOfMemory, "save needs %d more chunks of liquid, chunkLimit is %d and %d are used",
			needs->liquidPages, world->def.chunkLimit, store->liquidPages.usedCount);
	}
	const bool enough = tnPagePool_Reserve(&store->liquidPages, memory, needs->liquidPages + 1) &&
		tnPagePool_Reserve(&store->solidPages, memory, needs->solidPages + 1) &&
		tnPagePool_Reserve(&store->labelPages, memory, needs->labelPages + 1) &&
		tnPagePool_Reserve(store->partPages, memory, needs->partPages[0] + 1) &&
		tnPagePool_Reserve(store->partPages + 1, memory, needs->partPages[1] + 1) &&
		tnVoxelWorld_ReserveWaiting(world, needs->waiting);
	return enough ? tnSuccess() : tnFail(tn_outOfMemory, "save: out of memory for a block");
}

tnResult tnVoxelWorld_LoadBlockFrom(tnVoxelWorld* world, tnVoxel place, const void* bytes, size_t size)
{
	tnResult result = tnVoxelWorld_CheckNewBlock(world, place);
	if (result.status != tn_ok)
	{
		return result;
	}
	tnByteReader reader;
	tnBlockNeeds needs = {0};
	result = tnOpenSave(tn_blockSave, bytes, size, &reader);
	const tnByteReader start = reader;
	if (result.status == tn_ok)
	{
		result = tnReadBlock(world, place, &reader, NULL, &needs);
	}
	if (result.status == tn_ok)
	{
		result = tnReserveForBlock(world, &needs);
	}
	tnVoxelBlock* block = result.status == tn_ok ? tnVoxelStore_AddBlock(&world->store, place) : NULL;
	if (result.status == tn_ok && block == NULL)
	{
		result = tnFail(tn_outOfMemory, "block: out of memory for (%d, %d, %d)", place.x, place.y, place.z);
	}
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	reader = start;
	(void)tnReadBlock(world, place, &reader, block, NULL);
	tnVoxelBlock_WakeBorders(block);
	tnVoxelBlock_SetStaleAround(block);
	world->stats.blockCount = world->store.blockCount;
	return tnSuccess();
}

// SPDX-License-Identifier: MIT

// A chunk as bytes: kind and version, flags, cap and assumptions, ground, liquid, and what the flags say; sum.
//
// Which voxels are connected follows from the liquid of a chunk and of the voxels above and below it, as they were when it
// was last divided. Most often it is enough to say if all above is open and if all below is; labels and parts are then
// found anew when the chunk is read, and not in the save. If the chunk is to be divided again anyway, only what its parts
// have on account is of interest.

#include "voxel_save.h"

#include "../core/def_checks.h"

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
	tnBeginDivision(world, &saver->block, index, &task);
	tnFindVoxelParts(world, &task, world->divisions);
	tnEndDivision(world, &task);
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

// Ground as the host has it, NULL: the same everywhere.
typedef struct tnSavedGround
{
	const uint8_t* solid;
	uint8_t fill;
	uint8_t without[TN_CHUNK_VOXELS]; // bodies
} tnSavedGround;

static void tnFindGround(const tnVoxelWorld* world, const tnVoxelChunk* chunk, tnVoxel place, tnSavedGround* ground)
{
	ground->solid = chunk->solid;
	ground->fill = chunk->solidFill;
	if (chunk->taken)
	{
		const bool isSame = tnVoxelWorld_CopyGround(world, place, ground->without);
		ground->solid = isSame ? NULL : ground->without;
		ground->fill = ground->without[0];
	}
}

static void tnWriteVoxels(
	tnByteWriter* writer, tnVoxelWorld* world, const tnVoxelChunk* chunk, const tnSavedGround* ground)
{
	tnVoxelSaver* saver = world->saver;
	if (ground->solid == NULL)
	{
		tnWriteByte(writer, ground->fill);
	}
	else
	{
		for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
		{
			saver->values[i] = ground->solid[i];
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
			saver->rooms[i] = world->store.rooms[ground->solid != NULL ? ground->solid[i] : ground->fill];
		}
		tnWritePlane(writer, &(tnPlane){.rooms = saver->rooms}, chunk->liquid);
	}
}

static void tnWriteAccounts(tnByteWriter* writer, tnVoxelWorld* world, const tnVoxelChunk* chunk)
{
	const bool isStale = tnIsSavedStale(chunk);
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
			tnWriteByte(writer, isStale ? part->kind : (uint32_t)i);
			tnWriteNumber(writer, (uint64_t)part->account);
		}
	}
	if (!isStale || chunk->labels == NULL)
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
void tnWriteChunk(tnByteWriter* writer, tnVoxelWorld* world, const tnVoxelChunk* chunk, tnVoxel place)
{
	const uint32_t capCode = tnGetCapCode(world->def.cap);
	// Where bodies take room liquid is connected otherwise than in the save, which has none.
	const bool isStale = tnIsSavedStale(chunk);
	const uint32_t layers = tnGetSavedLayers(world, chunk, place);
	tnSavedGround ground;
	tnFindGround(world, chunk, place, &ground);
	uint32_t assumptions = 0;
	const bool follows = isStale || tnFindAssumptions(world, chunk, place, &assumptions);
	uint32_t oceans = 0;
	bool hasAccounts = false;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		oceans |= !isStale && chunk->parts[i].inOcean ? 1u << i : 0;
		hasAccounts = hasAccounts || chunk->parts[i].account != 0;
	}
	const bool hasOtherKinds = chunk->kinds != 0 && chunk->kinds != tnFindKinds(&world->store, chunk);
	uint32_t flags = chunk->liquid != NULL ? tn_saveLiquid : 0;
	flags |= ground.solid != NULL ? tn_saveSolid : 0;
	flags |= isStale ? tn_saveStale : 0;
	flags |= layers != 0 ? tn_saveLayers : 0;
	flags |= hasOtherKinds ? tn_saveKinds : 0;
	flags |= follows ? 0 : tn_saveParts;
	flags |= hasAccounts ? tn_saveAccounts : 0;
	flags |= oceans != 0 ? tn_saveOceans : 0;
	tnWriteByte(writer, tn_chunkSave | TN_SAVE_VERSION);
	tnWriteByte(writer, flags);
	const bool hasLabels = chunk->labels != NULL && (!follows || (isStale && hasAccounts));
	tnWriteByte(writer, capCode | (follows ? assumptions : 0) | (hasLabels ? tn_saveLabels : 0));
	if (capCode == 0)
	{
		tnWriteNumber(writer, (uint64_t)world->def.cap);
	}
	tnWriteVoxels(writer, world, chunk, &ground);
	if (layers != 0)
	{
		tnWriteByte(writer, layers & 0xffu);
		tnWriteByte(writer, layers >> 8);
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
bool tnReserveForOne(tnVoxelWorld* world)
{
	return tnVoxelWorld_GetSaver(world) != NULL && tnPagePool_Reserve(&world->store.liquidPages, &world->memory, 1) &&
		tnPagePool_Reserve(&world->store.solidPages, &world->memory, 1);
}

// Reads into the chunk of the scratch at a place, with pages of its own. On failure there are none.
tnResult tnReadChunk(tnVoxelWorld* world, tnVoxel place, const void* bytes, size_t size, tnVoxelChunk** made)
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

// SPDX-License-Identifier: MIT

// What a step may need: found before it, so that it has all of it or does not happen. What comes out of a step depends on
// voxels, calls and chunkLimit alone, never on how many pages happen to be free.
//
// A chunk takes a page of liquid when something changes in it, or could, and when it takes part in the step. Both follow from
// what is known before: sources and oceans have boxes, what waits looks for a place above it, levels move surfaces of bodies
// of liquid of which some chunk has changed, covers move columns, jets go to the next chunks, and whoever looks at a voxel that
// changes wakes up (tnVoxelBlock_WakeAround). Everything here may be too much, and must never be too little; where it costs
// little it is exact, for a page that is not used is 10 KiB.

#include "voxel_components.h"
#include "voxel_current.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Sets of chunks

static bool tnHasBit(const uint8_t* bits, int32_t chunk)
{
	return (bits[chunk / 8] >> chunk % 8 & 1) != 0;
}

static void tnAddBit(uint8_t* bits, int32_t chunk)
{
	bits[chunk / 8] |= (uint8_t)(1 << chunk % 8);
}

void tnMarkChange(tnVoxelBlock* block, int32_t chunk, bool low, bool high)
{
	tnAddBit(block->reach.changes, chunk);
	if (low)
	{
		tnAddBit(block->reach.lows, chunk);
	}
	if (high)
	{
		tnAddBit(block->reach.highs, chunk);
	}
	block->reach.isAny = true;
}

static void tnForgetReach(tnVoxelWorld* world)
{
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		memset(&world->store.blocks[b]->reach, 0, sizeof(tnVoxelReach));
	}
}

static bool tnHasChanges(const tnVoxelWorld* world)
{
	bool any = false;
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		any = any || world->store.blocks[b]->reach.isAny;
	}
	return any;
}

// What changes before levels look at it.
static void tnKeepSources(tnVoxelWorld* world)
{
	for (int32_t b = 0; b < world->store.blockCount; ++b)
	{
		tnVoxelReach* reach = &world->store.blocks[b]->reach;
		memcpy(reach->sources, reach->changes, sizeof(reach->sources));
	}
}

static void tnAddWithSides(tnVoxelBlock* block, int32_t chunk)
{
	tnAddBit(block->reach.woken, chunk);
	for (int side = 0; side < 4; ++side)
	{
		tnVoxelBlock* owner;
		int32_t index;
		if (tnVoxelBlock_GetNeighbour(block, chunk, (tnVoxelSide)side, &owner, &index) != NULL)
		{
			tnAddBit(owner->reach.woken, index);
		}
	}
}

// Whom a change wakes, as tnVoxelBlock_WakeAround does.
static void tnSpread(tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk)
{
	(void)world;
	tnAddWithSides(block, chunk);
	tnVoxelBlock* owner;
	int32_t index;
	if (tnHasBit(block->reach.lows, chunk) &&
		tnVoxelBlock_GetNeighbour(block, chunk, tn_voxelDown, &owner, &index) != NULL)
	{
		tnAddWithSides(owner, index);
	}
	if (tnHasBit(block->reach.highs, chunk) &&
		tnVoxelBlock_GetNeighbour(block, chunk, tn_voxelUp, &owner, &index) != NULL)
	{
		tnAddWithSides(owner, index);
	}
}

void tnMarkWoken(tnVoxelWorld* world)
{
	TN_FOR_EACH(world, reach.changes, tnSpread);
}

static bool tnIsAllRock(const tnVoxelWorld* world, const tnVoxelChunk* chunk)
{
	return chunk->solid == NULL && world->store.rooms[chunk->solidFill] == 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What waits

// From where it is upwards, until there is room for all that waits anywhere.
static void tnMarkWaiting(tnVoxelWorld* world)
{
	const int64_t roomOfAir = (int64_t)TN_VOXEL_CHUNK * world->def.cap;
	int64_t sum = 0;
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		sum += world->waiting[i].amount;
	}
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		const tnVoxel voxel = world->waiting[i].voxel;
		int64_t left = sum;
		for (int32_t cy = voxel.y >> 4; left > 0; ++cy)
		{
			tnVoxelBlock* block;
			const tnVoxelChunk* chunk =
				tnVoxelStore_FindChunk(&world->store, (tnVoxel){voxel.x >> 4, cy, voxel.z >> 4}, &block);
			const bool isFirst = cy == voxel.y >> 4;
			if (chunk == NULL || (!isFirst && tnIsAllRock(world, chunk)))
			{
				break;
			}
			const int32_t index = (int32_t)(chunk - block->chunks);
			const bool isAir = chunk->liquid == NULL && chunk->liquidFill == 0 && chunk->solid == NULL &&
				chunk->solidFill == 0 && !tnHasBit(block->reach.sources, index);
			left -= isAir && !isFirst ? roomOfAir : 0;
			if (!tnIsAllRock(world, chunk) && (chunk->liquid != NULL || chunk->liquidFill == 0))
			{
				tnMarkChange(block, index, true, true);
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Levels

static void tnTouchParts(tnVoxelWorld* world, const tnVoxelChunk* chunk)
{
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		chunk->parts[i].parent->touched = world->stepCount + 1;
	}
}

// Bodies of liquid in a chunk that has changed, or beside it: they may be connected otherwise than before.
static void tnTouchAround(tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk)
{
	tnTouchParts(world, block->chunks + chunk);
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		tnVoxelBlock* owner;
		int32_t index;
		const tnVoxelChunk* other = tnVoxelBlock_GetNeighbour(block, chunk, (tnVoxelSide)side, &owner, &index);
		if (other != NULL)
		{
			tnTouchParts(world, other);
		}
	}
}

// The chunk above, NULL if none is loaded, and whether something may change in it before levels look at it.
static const tnVoxelChunk* tnGetAbove(tnVoxelBlock* block, int32_t chunk, bool* isEarly)
{
	tnVoxelBlock* owner;
	int32_t index;
	const tnVoxelChunk* above = tnVoxelBlock_GetNeighbour(block, chunk, tn_voxelUp, &owner, &index);
	*isEarly = above != NULL && tnHasBit(owner->reach.sources, index);
	return above;
}

// Where surfaces of a chunk are: in its lowest layer, where one in its highest may rise or fall, and where it may rise into
// the chunk above.
typedef struct tnSurfaceEnds
{
	bool low, high, above;
} tnSurfaceEnds;

static tnSurfaceEnds tnFindSurfaceEnds(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	const tnVoxelStore* store = &world->store;
	const tnVoxelChunk* chunk = block->chunks + index;
	const int32_t top = TN_CHUNK_VOXELS - TN_LAYER;
	bool isEarly;
	const tnVoxelChunk* above = tnGetAbove(block, index, &isEarly);
	tnSurfaceEnds ends = {0};
	for (int32_t i = 0; i < TN_LAYER; ++i)
	{
		const int32_t last = tnGetAmount(tnGetWord(store, chunk, top + i));
		const int32_t lastRoom = tnGetRoom(store, chunk, top + i);
		const bool isOpen =
			above != NULL && (isEarly || (tnGetWord(store, above, i) == 0 && tnGetRoom(store, above, i) > 0));
		ends.above = ends.above || (last > 0 && last >= lastRoom && isOpen);
		ends.high = ends.high || (last > 0 && last < lastRoom);
		if (chunk->liquid == NULL)
		{
			continue;
		}
		const int32_t before = tnGetAmount(chunk->liquid[top - TN_LAYER + i]);
		ends.high = ends.high || (last == 0 && lastRoom > 0 && before > 0);
		const int32_t first = tnGetAmount(chunk->liquid[i]);
		const bool isFirstOpen = chunk->liquid[TN_LAYER + i] == 0 && tnGetRoom(store, chunk, TN_LAYER + i) > 0;
		ends.low = ends.low || (first > 0 && (isFirstOpen || first < tnGetRoom(store, chunk, i)));
	}
	ends.high = ends.high || ends.above;
	return ends;
}

// Surfaces of a chunk that rise or fall, and rise into the one above.
static void tnMarkSurfaces(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	const tnVoxelChunk* chunk = block->chunks + index;
	tnSurfaceEnds ends = {true, true, true};
	if (!tnHasBit(block->reach.sources, index))
	{
		if (chunk->liquid == NULL && chunk->liquidFill == 0)
		{
			return;
		}
		ends = tnFindSurfaceEnds(world, block, index);
		if (chunk->liquid == NULL && !ends.above)
		{
			// Deep below the surface.
			return;
		}
	}
	tnMarkChange(block, index, ends.low, ends.high);
	tnVoxelBlock* owner;
	int32_t other;
	if (ends.above && tnVoxelBlock_GetNeighbour(block, index, tn_voxelUp, &owner, &other) != NULL)
	{
		tnMarkChange(owner, other, true, false);
	}
}

// How many of its voxels are surfaces, or may be one when some liquid is taken from it and above it, at most.
static int32_t tnBoundSurfaces(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	const tnVoxelChunk* chunk = block->chunks + index;
	const uint16_t* words = chunk->liquid;
	bool isEarly;
	const tnVoxelChunk* above = tnGetAbove(block, index, &isEarly);
	if (tnHasBit(block->reach.sources, index))
	{
		return TN_MAX_CHUNK_NOTES;
	}
	// Those of the uppermost layer.
	int32_t count =
		words != NULL || (above != NULL && (isEarly || above->kinds != 0 || chunk->kinds != 0)) ? TN_LAYER : 0;
	for (int32_t i = 0; i < TN_CHUNK_VOXELS - TN_LAYER && words != NULL; ++i)
	{
		count += words[i] != 0 && (words[i + TN_LAYER] == 0 || tnGetAmount(words[i]) < world->def.cap) ? 1 : 0;
	}
	return tnMinInt(count, TN_MAX_CHUNK_NOTES);
}

// Levels take from a chunk and put into it, and note both.
static void tnCountNotes(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	const tnVoxelChunk* chunk = block->chunks + index;
	if (chunk->kinds != 0 || tnHasBit(block->reach.sources, index))
	{
		world->needs.notes += 2 * tnBoundSurfaces(world, block, index);
		world->needs.groups += 2;
	}
}

static void tnMarkTouched(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	const tnVoxelChunk* chunk = block->chunks + index;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		const tnVoxelPart* part = chunk->parts + i;
		// Those that are to be divided come with all that are stale.
		if (part->surfaceCount > 0 && (world->needs.allTouched || part->parent->touched == world->stepCount + 1))
		{
			tnMarkSurfaces(world, block, index);
			if (!tnHasBit(block->reach.stale, index))
			{
				tnCountNotes(world, block, index);
			}
			return;
		}
	}
}

// Where all is full there is none.
static bool tnHasRoom(const tnVoxelChunk* chunk)
{
	return chunk->liquid != NULL || chunk->liquidFill == 0;
}

// Jets go from chunks that are awake to those beside them.
static void tnMarkJetsFrom(tnVoxelBlock* block, int32_t index, uint32_t layers)
{
	const bool low = (layers & 1u) != 0;
	const bool high = (layers >> (TN_VOXEL_CHUNK - 1)) != 0;
	for (int side = 0; side < 4; ++side)
	{
		tnVoxelBlock* owner;
		int32_t other;
		const tnVoxelChunk* target = tnVoxelBlock_GetNeighbour(block, index, (tnVoxelSide)side, &owner, &other);
		if (target != NULL && tnHasRoom(target))
		{
			tnMarkChange(owner, other, low, high);
		}
	}
	if (tnHasRoom(block->chunks + index))
	{
		tnMarkChange(block, index, low, high);
	}
}

static void tnMarkAwakeJets(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	if (block->chunks[index].kinds != 0)
	{
		world->needs.jets = TN_MAX_JETS;
		world->needs.groups += 1;
		tnMarkJetsFrom(block, index, block->chunks[index].layers);
	}
}

static void tnMarkWokenJets(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	if (block->chunks[index].kinds != 0 || tnHasBit(block->reach.sources, index))
	{
		world->needs.jets = TN_MAX_JETS;
		world->needs.groups += 1;
		tnMarkJetsFrom(block, index, TN_ALL_LAYERS);
	}
}

// May a heavy liquid of a chunk be under a light one?
static bool tnMayBeCovered(tnVoxelBlock* block, int32_t index)
{
	const tnVoxelChunk* chunk = block->chunks + index;
	bool isEarly;
	const tnVoxelChunk* above = tnGetAbove(block, index, &isEarly);
	if (isEarly || tnHasBit(block->reach.sources, index))
	{
		return true;
	}
	if (tnHasBit(block->reach.stale, index))
	{
		const uint32_t kinds = chunk->kinds | (above != NULL ? above->kinds : 0u);
		return (kinds & (kinds - 1)) != 0;
	}
	bool is = false;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		is = is || chunk->parts[i].coverLow <= chunk->parts[i].coverHigh;
	}
	return is;
}

// Columns with a light liquid on a heavy one move up or down by a voxel, with all that lies on them.
static void tnMarkCovers(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	(void)world;
	if (!tnMayBeCovered(block, index))
	{
		return;
	}
	tnVoxelBlock* owner;
	int32_t other;
	if (tnVoxelBlock_GetNeighbour(block, index, tn_voxelDown, &owner, &other) != NULL)
	{
		tnMarkChange(owner, other, false, true);
	}
	tnMarkChange(block, index, true, true);
	// Up to the top of the liquid, and one more.
	const tnVoxelChunk* above = tnVoxelBlock_GetNeighbour(block, index, tn_voxelUp, &owner, &other);
	for (bool isLiquid = true; above != NULL && isLiquid;)
	{
		isLiquid = above->kinds != 0 || tnHasBit(owner->reach.changes, other);
		tnMarkChange(owner, other, true, isLiquid);
		above = tnVoxelBlock_GetNeighbour(owner, other, tn_voxelUp, &owner, &other);
	}
}

// Chunks that will be divided, and accounts that may lose their parts by that.
static void tnCountDivided(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	const tnVoxelChunk* chunk = block->chunks + index;
	const bool isDivided = chunk->kinds != 0 || chunk->partCount != 0 || tnHasBit(block->reach.sources, index);
	world->needs.divisions += isDivided ? 1 : 0;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		world->needs.waiting += chunk->parts[i].account != 0 ? 1 : 0;
	}
}

// What is stale, or will be.
static void tnAddStale(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	(void)world;
	tnAddBit(block->reach.stale, index);
}

static void tnAddStaleAround(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	(void)world;
	tnAddBit(block->reach.stale, index);
	for (int side = tn_voxelDown; side <= tn_voxelUp; ++side)
	{
		tnVoxelBlock* owner;
		int32_t other;
		const tnVoxelChunk* chunk = tnVoxelBlock_GetNeighbour(block, index, (tnVoxelSide)side, &owner, &other);
		if (chunk != NULL && chunk->kinds != 0)
		{
			tnAddBit(owner->reach.stale, other);
		}
	}
}

static void tnMarkLevels(tnVoxelWorld* world)
{
	TN_FOR_EACH(world, stale, tnAddStale);
	TN_FOR_EACH(world, reach.sources, tnAddStaleAround);
	TN_FOR_EACH(world, reach.stale, tnCountDivided);
	world->needs.allTouched =
		world->levelsPending || !world->componentsKnown || (world->waitingCount > 0 && !world->waitingRests);
	if (!world->needs.allTouched)
	{
		TN_FOR_EACH(world, reach.stale, tnTouchAround);
	}
	tnMarkWoken(world);
	TN_FOR_EACH(world, awake, tnMarkAwakeJets);
	TN_FOR_EACH(world, reach.woken, tnMarkWokenJets);
	TN_FOR_EACH(world, divided, tnMarkTouched);
	TN_FOR_EACH(world, reach.stale, tnMarkSurfaces);
	TN_FOR_EACH(world, reach.stale, tnCountNotes);
	if (world->def.liquidCount > 1)
	{
		TN_FOR_EACH(world, divided, tnMarkCovers);
		TN_FOR_EACH(world, reach.stale, tnMarkCovers);
	}
}

// What waits joins liquid that is connected: that is noted, too.
static void tnCountWaitingNotes(tnVoxelWorld* world)
{
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		const int64_t notes = world->waiting[i].amount / TN_MAX_VOXEL_CAP + 1;
		world->needs.notes += notes < TN_WAITING_NOTES ? notes : TN_WAITING_NOTES;
	}
	world->needs.notes += (int64_t)world->needs.waiting * TN_WAITING_NOTES;
	world->needs.groups += world->waitingCount + world->needs.waiting;
}

static void tnMarkOldJets(tnVoxelWorld* world)
{
	for (int32_t i = 0; i < world->jetCount; ++i)
	{
		const tnVoxelJet* jet = world->jets + i;
		const int32_t layer = jet->voxel / TN_LAYER;
		if (jet->component->account > 0)
		{
			tnMarkChange(jet->block, jet->chunk, layer == 0, layer == TN_VOXEL_CHUNK - 1);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Counting

static bool tnIsBesideLiquid(tnVoxelBlock* block, int32_t chunk)
{
	bool is = block->chunks[chunk].kinds != 0;
	for (int side = 0; side < tn_voxelSideCount && !is; ++side)
	{
		tnVoxelBlock* owner;
		int32_t index;
		const tnVoxelChunk* other = tnVoxelBlock_GetNeighbour(block, chunk, (tnVoxelSide)side, &owner, &index);
		is = other != NULL && (other->kinds != 0 || tnHasBit(owner->reach.changes, index));
	}
	return is;
}

static void tnOpen(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	const tnVoxelChunk* chunk = block->chunks + index;
	if (!tnIsAllRock(world, chunk) && !tnHasBit(block->reach.opened, index))
	{
		tnAddBit(block->reach.opened, index);
		world->needs.liquidPages += chunk->liquid == NULL ? 1 : 0;
		world->needs.solidPages += chunk->solid == NULL ? 1 : 0;
		world->needs.kinds |= chunk->kinds;
	}
}

// May a chunk that takes part and the next one have different liquids?
static bool tnMayMix(tnVoxelBlock* block, int32_t index, const tnVoxelBlock* owner, int32_t other)
{
	const uint32_t kinds = tnGetKindsAround(block, index) | owner->chunks[other].kinds;
	bool mayCome = tnHasBit(block->reach.changes, index) || tnHasBit(owner->reach.changes, other);
	for (int side = 0; side < tn_voxelSideCount && !mayCome; ++side)
	{
		tnVoxelBlock* beside;
		int32_t besideIndex;
		mayCome = tnVoxelBlock_GetNeighbour(block, index, (tnVoxelSide)side, &beside, &besideIndex) != NULL &&
			tnHasBit(beside->reach.changes, besideIndex);
	}
	return mayCome || (kinds & (kinds - 1)) != 0;
}

// Who takes part, and in worlds of several liquids whom it changes places with.
static void tnOpenPick(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	static const tnVoxelSide next[3] = {tn_voxelEast, tn_voxelSouth, tn_voxelUp};
	if (!tnHasBit(block->reach.changes, index) && !tnIsBesideLiquid(block, index))
	{
		return;
	}
	tnOpen(world, block, index);
	for (int i = 0; i < 3 && world->def.liquidCount > 1; ++i)
	{
		tnVoxelBlock* owner;
		int32_t other;
		const tnVoxelChunk* chunk = tnVoxelBlock_GetNeighbour(block, index, next[i], &owner, &other);
		if (chunk != NULL && (chunk->kinds != 0 || tnHasBit(owner->reach.changes, other)) &&
			tnMayMix(block, index, owner, other))
		{
			tnOpen(world, owner, other);
		}
	}
}

// Kinds that evaporate in this step.
static uint32_t tnGetEvaporating(const tnVoxelWorld* world)
{
	uint32_t kinds = 0;
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		const int32_t interval = world->def.liquids[kind - 1].evaporation;
		kinds |= interval != 0 && world->stepCount % interval == interval - 1 ? 1u << kind : 0;
	}
	return kinds;
}

// May the top of a full chunk be open to the air at the end of the step?
static bool tnMayEvaporate(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelBlock* owner;
	int32_t other;
	const tnVoxelChunk* above = tnVoxelBlock_GetNeighbour(block, index, tn_voxelUp, &owner, &other);
	// One that takes part, or changes.
	bool is = above != NULL && tnHasBit(owner->reach.opened, other);
	for (int32_t i = 0; i < TN_LAYER && above != NULL && !is; ++i)
	{
		// A last unit may be gone before.
		is = tnGetRoom(&world->store, above, i) > 0 && tnGetAmount(tnGetWord(&world->store, above, i)) <= 1;
	}
	return is;
}

static void tnOpenEvaporating(tnVoxelWorld* world, uint32_t kinds)
{
	for (int32_t b = 0; b < world->store.blockCount && kinds != 0; ++b)
	{
		tnVoxelBlock* block = world->store.blocks[b];
		for (int32_t c = 0; c < TN_BLOCK_CHUNKS; ++c)
		{
			const tnVoxelChunk* chunk = block->chunks + c;
			if (chunk->liquid == NULL && (chunk->kinds & kinds) != 0 && tnMayEvaporate(world, block, c))
			{
				tnOpen(world, block, c);
			}
		}
	}
}

static bool tnMayReact(const tnVoxelWorld* world)
{
	const uint32_t kinds = world->needs.kinds;
	for (int32_t first = 1; first <= world->def.liquidCount; ++first)
	{
		for (int32_t second = 1; second <= world->def.liquidCount; ++second)
		{
			const tnReactionDef* reaction = &world->reactions[first][second];
			if (reaction->rate != 0 && reaction->ground > 0 && (kinds >> first & 1u) != 0 &&
				(kinds >> second & 1u) != 0)
			{
				return true;
			}
		}
	}
	return false;
}

// Nothing moves, and nobody makes anything move: most worlds, most of the time.
static bool tnNeedsNothing(const tnVoxelWorld* world)
{
	bool is = !tnVoxelWorld_IsBusy(world) && world->sourceIds.count == 0 && world->jetCount == 0 &&
		world->componentsKnown && (world->waitingCount == 0 || world->waitingRests) && tnGetEvaporating(world) == 0;
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		is = is && !world->oceanIsNew[kind];
	}
	return is;
}

static void tnFindNeeds(tnVoxelWorld* world)
{
	world->needs = (tnVoxelNeeds){0};
	if (tnNeedsNothing(world))
	{
		return;
	}
	tnForgetReach(world);
	tnVoxelWorld_MarkSources(world);
	const bool isBusy = tnVoxelWorld_IsBusy(world) || tnHasChanges(world);
	tnKeepSources(world);
	if (world->waitingCount > 0 && (isBusy || !world->waitingRests))
	{
		tnMarkWaiting(world);
		tnKeepSources(world);
	}
	const bool isPass = world->def.rules == tn_componentRules && world->stepCount % world->def.levelInterval == 0;
	if (isPass && (isBusy || world->waitingCount > 0 || !world->componentsKnown))
	{
		tnMarkLevels(world);
		tnCountWaitingNotes(world);
		world->needs.notes += world->needs.jets;
	}
	else
	{
		tnMarkOldJets(world);
	}
	// Also those of a pass that finds nothing to do.
	world->needs.notes += world->jetCount;
	world->needs.groups += world->jetCount;
	tnMarkWoken(world);
	TN_FOR_EACH(world, reach.changes, tnOpenPick);
	TN_FOR_EACH(world, reach.woken, tnOpenPick);
	TN_FOR_EACH(world, awake, tnOpenPick);
	tnOpenEvaporating(world, tnGetEvaporating(world));
	// Sources, oceans and what waits may bring kinds that are not there yet.
	for (int i = 0; i < world->sourceIds.slotCount; ++i)
	{
		world->needs.kinds |= tnIdPool_IsUsed(&world->sourceIds, i) ? 1u << world->sources[i].def.liquid : 0;
	}
	for (int32_t i = 0; i < world->waitingCount; ++i)
	{
		world->needs.kinds |= 1u << world->waiting[i].liquid;
	}
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		world->needs.kinds |= world->oceans[kind].liquid != 0 ? 1u << kind : 0;
	}
}

bool tnVoxelWorld_Prepare(tnVoxelWorld* world)
{
	tnFindNeeds(world);
	tnVoxelStore* store = &world->store;
	tnMemory* memory = &world->memory;
	const tnVoxelNeeds* needs = &world->needs;
	const int32_t liquidPages =
		tnMinInt(needs->liquidPages, tnMaxInt(store->liquidLimit - store->liquidPages.usedCount, 0));
	// Tasks take their pages before those of others come back.
	const int32_t parts = needs->divisions > 0 ? needs->divisions + 2 * TN_DIVIDE_BATCH : 0;
	return tnPagePool_Reserve(&store->liquidPages, memory, liquidPages) &&
		tnPagePool_Reserve(&store->solidPages, memory, tnMayReact(world) ? needs->solidPages : 0) &&
		tnPagePool_Reserve(&store->labelPages, memory, parts) && tnPagePool_Reserve(store->partPages, memory, parts) &&
		tnPagePool_Reserve(store->partPages + 1, memory, parts) && tnVoxelWorld_ReserveWaiting(world, needs->waiting) &&
		tnVoxelWorld_ReserveExchanges(world, needs->notes, needs->groups);
}

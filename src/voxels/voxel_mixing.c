// SPDX-License-Identifier: MIT

// Liquids that touch. A voxel has one kind of liquid only, so kinds do not flow into each other; they change places or react,
// two voxels at a time. In a step the pairs of one direction have their turn, (2k, 2k + 1) or (2k + 1, 2k + 2) along x, y or
// z, so that no voxel is in two pairs.
//
//   up:       the heavier one sinks, if both have room for what they get;
//   sideways: the heavier one slides over, if what lies below the lighter one is lighter, too: it sinks there next;
//   any:      if they react, as many units of both as react in a step are gone, and ground is left where the first was.
//
// Sliding alone leaves piles with a slope of one voxel. What is left to do is done with the levels (voxel_layered_liquids.c).

#include "voxel_edit.h"
#include "voxel_location.h"

static float tnGetDensity(const tnVoxelWorld* world, uint16_t word)
{
	return world->def.liquids[tnGetKind(word) - 1].density;
}

static bool tnFits(const tnVoxelStore* store, const tnVoxelSpot* a, const tnVoxelSpot* b)
{
	return tnGetAmount(a->word) <= tnGetRoom(store, b->chunk, b->voxel) + store->spare &&
		tnGetAmount(b->word) <= tnGetRoom(store, a->chunk, a->voxel) + store->spare;
}

// Should a go to the place of b?
static bool tnSlides(const tnVoxelWorld* world, const tnVoxelSpot* a, const tnVoxelSpot* b)
{
	if (tnGetDensity(world, a->word) <= tnGetDensity(world, b->word))
	{
		return false;
	}
	const tnVoxelSpot below = tnGetNext(&world->store, b, 1, false);
	return below.word != 0 && tnGetDensity(world, below.word) < tnGetDensity(world, a->word) &&
		tnGetKind(below.word) != tnGetKind(a->word);
}

static bool tnSwaps(const tnVoxelWorld* world, const tnVoxelSpot* a, const tnVoxelSpot* b, int axis)
{
	if (!tnFits(&world->store, a, b))
	{
		return false;
	}
	// b is above a.
	return axis == 1 ? tnGetDensity(world, b->word) > tnGetDensity(world, a->word)
					 : tnSlides(world, a, b) || tnSlides(world, b, a);
}

// The reaction of two words, and whether the first of it is the second word. NULL if there is none.
static const tnReactionDef* tnFindReaction(const tnVoxelWorld* world, uint16_t a, uint16_t b, bool* isTurned)
{
	const tnReactionDef* straight = &world->reactions[tnGetKind(a)][tnGetKind(b)];
	const tnReactionDef* turned = &world->reactions[tnGetKind(b)][tnGetKind(a)];
	*isTurned = straight->rate == 0;
	return straight->rate != 0 ? straight : (turned->rate != 0 ? turned : NULL);
}

static void tnReact(
	tnVoxelWorld* world, const tnVoxelSpot* first, const tnVoxelSpot* second, const tnReactionDef* reaction)
{
	tnVoxelStore* store = &world->store;
	const int32_t a = tnGetAmount(first->word);
	const int32_t b = tnGetAmount(second->word);
	const int32_t units = tnMinInt(reaction->rate, tnMinInt(a, b));
	// In steps of ground; what is less than one step is steam.
	const int32_t solid = first->chunk->solid != NULL ? first->chunk->solid[first->voxel] : first->chunk->solidFill;
	int32_t grown = tnMinInt(solid + units * reaction->ground * 256 / store->cap, TN_VOXEL_ROCK);
	while (grown > solid && store->rooms[grown] < a - units)
	{
		--grown;
	}
	if (grown > solid)
	{
		tnVoxelStore_OpenSolid(store, first->chunk);
		first->chunk->solid[first->voxel] = (uint8_t)grown;
		if (first->chunk->taken)
		{
			const tnVoxel voxel = tnGetVoxelPlace(first->block, first->index, first->voxel);
			(void)tnVoxelWorld_SetGround(world, voxel, tnVoxelWorld_GetGround(world, voxel, solid) + grown - solid);
		}
		world->groundVersion += 1;
	}
	world->ledgers[tnGetKind(first->word)].reactions -= units;
	world->ledgers[tnGetKind(second->word)].reactions -= units;
	tnVoxelWorld_SetWord(
		world, first->block, first->index, first->voxel, tnPackLiquid(tnGetKind(first->word), a - units));
	tnVoxelWorld_SetWord(
		world, second->block, second->index, second->voxel, tnPackLiquid(tnGetKind(second->word), b - units));
}

// Is it the turn of a pair? Viscous liquids take their time for this, too: the slower one of both decides.
static bool tnIsTurn(const tnVoxelWorld* world, const tnVoxelSpot* a, const tnVoxelSpot* b, int axis)
{
	const tnLiquidDef* liquids = world->def.liquids;
	const int32_t slowest =
		tnMaxInt(liquids[tnGetKind(a->word) - 1].viscosity, liquids[tnGetKind(b->word) - 1].viscosity);
	const int64_t turn = world->turn / slowest % 6;
	const int turnAxis = (int)(turn / 2 + 1) % 3; // first y
	return world->turn % slowest == 0 && axis == turnAxis && (tnGetCoordinate(a->voxel, axis) & 1) == (int)(turn % 2);
}

// Do what a pair does, if it is its turn. Returns whether it has something to do.
static bool tnMixPair(tnVoxelWorld* world, const tnVoxelSpot* a, int axis)
{
	const tnVoxelSpot b = tnGetNext(&world->store, a, axis, true);
	if (b.word == 0 || tnGetKind(a->word) == tnGetKind(b.word))
	{
		return false;
	}
	bool isTurned = false;
	const tnReactionDef* reaction = tnFindReaction(world, a->word, b.word, &isTurned);
	const bool swaps = reaction == NULL && tnSwaps(world, a, &b, axis);
	if (reaction == NULL && !swaps)
	{
		return false;
	}
	if (tnIsTurn(world, a, &b, axis) && tnVoxelStore_OpenLiquid(&world->store, a->chunk) &&
		tnVoxelStore_OpenLiquid(&world->store, b.chunk))
	{
		if (reaction != NULL)
		{
			tnReact(world, isTurned ? &b : a, isTurned ? a : &b, reaction);
		}
		else
		{
			tnVoxelWorld_SetWord(world, a->block, a->index, a->voxel, b.word);
			tnVoxelWorld_SetWord(world, b.block, b.index, b.voxel, a->word);
		}
	}
	else
	{
		tnVoxelBlock_Wake(b.block, b.index, 1u << tnGetCoordinate(b.voxel, 1));
	}
	return true;
}

static void tnMixChunk(tnVoxelWorld* world, tnVoxelPick* pick)
{
	tnVoxelChunk* chunk = pick->block->chunks + pick->chunk;
	uint32_t layers = 0;
	for (int32_t voxel = 0; voxel < TN_CHUNK_VOXELS; ++voxel)
	{
		if ((pick->layers >> (voxel / TN_LAYER) & 1u) == 0)
		{
			voxel += TN_LAYER - 1;
			continue;
		}
		tnVoxelSpot spot = {pick->block, chunk, pick->chunk, voxel, tnGetWord(&world->store, chunk, voxel)};
		for (int axis = 0; axis < 3 && spot.word != 0; ++axis)
		{
			if (tnMixPair(world, &spot, axis))
			{
				layers |= 1u << (voxel / TN_LAYER);
				spot.word = tnGetWord(&world->store, chunk, voxel);
			}
		}
	}
	tnVoxelBlock_Wake(pick->block, pick->chunk, tnSpreadLayers(layers));
}

void tnVoxelWorld_Mix(tnVoxelWorld* world)
{
	for (int32_t i = 0; i < world->pickCount && world->def.liquidCount > 1; ++i)
	{
		const uint32_t kinds = world->picks[i].kinds;
		if ((kinds & (kinds - 1)) != 0)
		{
			tnMixChunk(world, world->picks + i);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Evaporation

static bool tnIsOpenToAir(const tnVoxelStore* store, const tnVoxelSpot* spot)
{
	const tnVoxelSpot above = tnGetNext(store, spot, 1, true);
	return above.chunk != NULL && above.word == 0 && tnGetRoom(store, above.chunk, above.voxel) > 0;
}

static bool tnEvaporatesYet(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, uint32_t kinds)
{
	const tnVoxelStore* store = &world->store;
	tnVoxelChunk* chunk = block->chunks + index;
	if ((chunk->kinds & kinds) == 0 || (chunk->liquid == NULL && store->liquidPages.usedCount >= store->liquidLimit))
	{
		return false;
	}
	for (int32_t voxel = 0; voxel < TN_CHUNK_VOXELS; ++voxel)
	{
		const tnVoxelSpot spot = {block, chunk, index, voxel, tnGetWord(store, chunk, voxel)};
		if (spot.word != 0 && (kinds >> tnGetKind(spot.word) & 1u) != 0 && tnIsOpenToAir(store, &spot))
		{
			return true;
		}
	}
	return false;
}

bool tnVoxelWorld_EvaporatesYet(const tnVoxelWorld* world)
{
	uint32_t kinds = 0;
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		kinds |= world->def.liquids[kind - 1].evaporation != 0 ? 1u << kind : 0;
	}
	for (int32_t b = 0; b < world->store.blockCount && kinds != 0; ++b)
	{
		for (int32_t c = 0; c < TN_BLOCK_CHUNKS; ++c)
		{
			if (tnEvaporatesYet(world, world->store.blocks[b], c, kinds))
			{
				return true;
			}
		}
	}
	return false;
}

static void tnEvaporateChunk(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, int32_t kind)
{
	tnVoxelChunk* chunk = block->chunks + index;
	for (int32_t voxel = 0; voxel < TN_CHUNK_VOXELS; ++voxel)
	{
		const tnVoxelSpot spot = {block, chunk, index, voxel, tnGetWord(&world->store, chunk, voxel)};
		if (tnGetKind(spot.word) != kind)
		{
			continue;
		}
		if (tnIsOpenToAir(&world->store, &spot) && tnVoxelStore_OpenLiquid(&world->store, chunk))
		{
			world->ledgers[kind].evaporated += 1;
			tnVoxelWorld_SetWord(world, block, index, voxel, tnPackLiquid(kind, tnGetAmount(spot.word) - 1));
		}
	}
}

void tnVoxelWorld_Evaporate(tnVoxelWorld* world)
{
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		const int32_t interval = world->def.liquids[kind - 1].evaporation;
		if (interval == 0 || world->stepCount % interval != interval - 1)
		{
			continue;
		}
		for (int32_t b = 0; b < world->store.blockCount; ++b)
		{
			for (int32_t c = 0; c < TN_BLOCK_CHUNKS; ++c)
			{
				if ((world->store.blocks[b]->chunks[c].kinds >> kind & 1u) != 0)
				{
					tnEvaporateChunk(world, world->store.blocks[b], c, kind);
				}
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What reacts

tnResult tnVoxelWorld_SetReaction(tnVoxelWorld* world, const tnReactionDef* def)
{
	tnResult result = tnVoxelWorld_CheckReady(world);
	if (result.status != tn_ok)
	{
		return result;
	}
	if (def == NULL)
	{
		return tnVoxelWorld_Report(world, tnFail(tn_invalidArgument, "def must not be NULL"));
	}
	result = tnCheckVoxelStamp(def->stamp, "tnDefaultReactionDef");
	if (result.status == tn_ok)
	{
		result = tnVoxelWorld_CheckLiquid(world, "first", def->first, 1);
	}
	if (result.status == tn_ok)
	{
		result = tnVoxelWorld_CheckLiquid(world, "second", def->second, 1);
	}
	if (result.status == tn_ok && def->first == def->second)
	{
		result = tnFail(tn_invalidArgument, "first and second must differ, got %d twice", def->first);
	}
	if (result.status == tn_ok)
	{
		result = tnCheckVoxelAmount("rate", def->rate, 1);
	}
	if (result.status == tn_ok && (def->ground < 0 || def->ground > 2))
	{
		result = tnFail(tn_invalidArgument, "ground must be in [0, 2], got %d", def->ground);
	}
	if (result.status == tn_ok && world->reactions[def->second][def->first].rate != 0)
	{
		result = tnFail(
			tn_invalidArgument, "first %d and second %d react already the other way round", def->first, def->second);
	}
	if (result.status != tn_ok)
	{
		return tnVoxelWorld_Report(world, result);
	}
	world->reactions[def->first][def->second] = *def;
	return result;
}

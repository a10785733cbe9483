// SPDX-License-Identifier: MIT

// Heavy liquids under light ones. Where a component of a heavy liquid is covered by one of a lighter liquid it has no surface
// of its own, but a pressure. In units of height of the heavy liquid, with t the height of its top, r the density of the light
// one over that of the heavy one, and L the pressure of the light one, its head is
//
//   H = t + r (L - t),
//
// and that of open surfaces is their level M; so L is the level of the light liquid or, where that is covered all over, its
// own H. At rest all heads of a component are the same, to a voxel of the whole cover. A cover is all that one component of a
// light liquid covers of one of a heavy liquid: K columns. If each of n of them loses a voxel, its head falls by
//
//   n cap s,     s = (1 - r) / K + r / A,
//
// with A surfaces of the light liquid, and the level of N open ones rises by n cap / N. So the common head is
//
//   P = (sum H / s + M N) / (sum 1 / s + N),     and     n = (H - P) / (cap s)
//
// voxels of each cover are too many, or too few. Half of them move in a pass, and none if there is less than one: then no
// voxel goes back that has gone. One that leaves lets all that lies on it sink by a voxel, and what it has goes to the account
// of the component, and from there to other surfaces (voxel_levels.c); one that comes lifts all that lies there, and the
// account pays for it. Without open surfaces they move from one cover to another.
//
// Within a cover the top is level to a voxel: while its highest voxels are two or more above its lowest ones, each of the
// highest changes places with the light voxel above one of the lowest.

#include "voxel_components.h"
#include "voxel_location.h"

// ---------------------------------------------------------------------------------------------------------------------
// Covers

static double tnGetDensityRatio(const tnVoxelWorld* world, int32_t light, int32_t heavy)
{
	return (double)world->def.liquids[light - 1].density / (double)world->def.liquids[heavy - 1].density;
}

// The cover of two components, a new one if there is none yet. NULL if there are too many.
static tnVoxelCover* tnGetCover(tnVoxelWorld* world, tnVoxelPart* heavy, tnVoxelPart* light)
{
	// Most often it is the last one.
	for (int32_t i = world->coverCount - 1; i >= 0; --i)
	{
		tnVoxelCover* cover = world->covers + i;
		if (cover->heavy == heavy && cover->light == light)
		{
			return cover;
		}
	}
	if (world->coverCount == TN_MAX_COVERS)
	{
		return NULL;
	}
	tnVoxelCover* cover = world->covers + world->coverCount++;
	*cover = (tnVoxelCover){.heavy = heavy, .light = light, .low = INT32_MAX, .high = INT32_MIN};
	return cover;
}

static void tnAddToCover(tnVoxelCover* cover, int32_t low, int32_t high, int32_t count, int64_t sum)
{
	if (cover != NULL)
	{
		cover->low = tnMinInt(cover->low, low);
		cover->high = tnMaxInt(cover->high, high);
		cover->count += count;
		cover->sum += sum;
	}
}

// The components of a voxel and of the lighter liquid above it, which may be in none. False if it is not covered.
static bool tnFindCover(const tnVoxelWorld* world, const tnVoxelSpot* spot, tnVoxelPart** heavy, tnVoxelPart** light)
{
	const tnVoxelStore* store = &world->store;
	const int32_t label = tnGetLabel(store, spot->chunk, spot->voxel);
	if (spot->word == 0 || label == 0 || label == TN_NO_PART)
	{
		return false;
	}
	const tnVoxelSpot above = tnGetNext(store, spot, 1, true);
	if (above.word == 0 || tnGetKind(above.word) == tnGetKind(spot->word) ||
		tnGetDensityRatio(world, tnGetKind(above.word), tnGetKind(spot->word)) >= 1.0)
	{
		return false;
	}
	const int32_t labelAbove = tnGetLabel(store, above.chunk, above.voxel);
	const bool isInPart = labelAbove != 0 && labelAbove != TN_NO_PART;
	*heavy = tnFindComponent(spot->chunk->parts + label - 1);
	*light = isInPart ? tnFindComponent(above.chunk->parts + labelAbove - 1) : NULL;
	return tnGetKind(spot->word) == (*heavy)->kind;
}

// The one light component above a part, if there is only one or none.
static bool tnFindOnlyLight(tnVoxelBlock* block, int32_t index, const tnVoxelPart* part, tnVoxelPart** light)
{
	tnVoxelBlock* owner;
	int32_t other;
	tnVoxelChunk* chunks[2] = {
		block->chunks + index, tnVoxelBlock_GetNeighbour(block, index, tn_voxelUp, &owner, &other)};
	const uint32_t masks[2] = {part->coversHere, part->coversAbove};
	bool isFirst = true;
	for (int i = 0; i < 2; ++i)
	{
		for (int32_t label = 0; label <= TN_MAX_PARTS; ++label)
		{
			if ((masks[i] >> label & 1u) == 0)
			{
				continue;
			}
			const bool isThere = label > 0 && chunks[i] != NULL && label <= chunks[i]->partCount;
			tnVoxelPart* found = isThere ? tnFindComponent(chunks[i]->parts + label - 1) : NULL;
			if (!isFirst && found != *light)
			{
				return false;
			}
			*light = found;
			isFirst = false;
		}
	}
	return true;
}

// Covers of a chunk, voxel by voxel.
static void tnGatherMixedCovers(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, const tnVoxelPart* part)
{
	tnVoxelChunk* chunk = block->chunks + index;
	const int32_t bottom = 16 * tnGetChunkPlace(block, index).y;
	const int32_t label = (int32_t)(part - chunk->parts) + 1;
	for (int32_t voxel = 0; voxel < TN_CHUNK_VOXELS; ++voxel)
	{
		const tnVoxelSpot spot = {block, chunk, index, voxel, tnGetWord(&world->store, chunk, voxel)};
		tnVoxelPart* heavy;
		tnVoxelPart* light;
		if (tnGetLabel(&world->store, chunk, voxel) == label && tnFindCover(world, &spot, &heavy, &light))
		{
			const int32_t y = bottom + voxel / TN_LAYER;
			const int32_t space = tnGetRoom(&world->store, chunk, voxel) - tnGetAmount(spot.word);
			tnAddToCover(tnGetCover(world, heavy, light), y, y, 1, (int64_t)(y + 1) * world->def.cap - space);
		}
	}
}

static void tnGatherCovers(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelChunk* chunk = block->chunks + index;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		tnVoxelPart* part = chunk->parts + i;
		tnVoxelPart* light = NULL;
		if (part->coverCount == 0)
		{
			continue;
		}
		if (tnFindOnlyLight(block, index, part, &light))
		{
			tnVoxelCover* cover = tnGetCover(world, tnFindComponent(part), light);
			tnAddToCover(cover, part->coverLow, part->coverHigh, part->coverCount, part->coverSum);
		}
		else
		{
			tnGatherMixedCovers(world, block, index, part);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Heads

// Surfaces with nothing above them.
static int32_t tnCountOpen(const tnVoxelPart* component)
{
	return component->allSurfaces - component->allPressed;
}

// Their level, with something else that is theirs. False if there are none.
static bool tnGetOpenHead(const tnVoxelWorld* world, const tnVoxelPart* component, int64_t more, double* head)
{
	const int32_t count = tnCountOpen(component);
	if (count == 0)
	{
		return false;
	}
	const double sum = (double)(component->allLevels - component->allPressedLevels + more);
	*head = component->allOcean ? (double)world->oceans[component->kind].level : sum / count;
	return true;
}

// Of all of a component, open or covered: covers of lighter liquids must have their heads. The mean, for a few surfaces may be
// open only because what lies there is about to fall.
static bool tnGetHead(const tnVoxelWorld* world, const tnVoxelPart* component, double* head)
{
	double level = 0.0;
	double count = tnGetOpenHead(world, component, 0, &level) ? tnCountOpen(component) : 0.0;
	double sum = level * count;
	for (int32_t i = 0; i < world->coverCount; ++i)
	{
		const tnVoxelCover* cover = world->covers + i;
		if (cover->heavy == component && cover->hasHead)
		{
			sum += cover->head * cover->count;
			count += cover->count;
		}
	}
	*head = count > 0.0 ? sum / count : 0.0;
	return count > 0.0;
}

static void tnFindHead(const tnVoxelWorld* world, tnVoxelCover* cover)
{
	double pressure = 0.0;
	const double ratio = cover->light != NULL ? tnGetDensityRatio(world, cover->light->kind, cover->heavy->kind) : 1.0;
	cover->hasHead = ratio < 1.0 && tnGetHead(world, cover->light, &pressure);
	if (cover->hasHead)
	{
		const double top = (double)cover->sum / cover->count;
		const int32_t open = tnCountOpen(cover->light);
		const int32_t surfaces = open > 0 ? open : cover->count;
		cover->head = top + ratio * (pressure - top);
		// An ocean of the light liquid stays where it is.
		cover->slope = (1.0 - ratio) / cover->count + (cover->light->allOcean ? 0.0 : ratio / surfaces);
	}
}

// Light ones first.
static void tnFindHeads(tnVoxelWorld* world)
{
	const tnLiquidDef* liquids = world->def.liquids;
	float last = -1.0f;
	for (int32_t round = 0; round < world->def.liquidCount; ++round)
	{
		float next = last;
		for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
		{
			const float density = liquids[kind - 1].density;
			next = density > last && (next <= last || density < next) ? density : next;
		}
		for (int32_t i = 0; i < world->coverCount && next > last; ++i)
		{
			if (liquids[world->covers[i].heavy->kind - 1].density == next)
			{
				tnFindHead(world, world->covers + i);
			}
		}
		last = next;
	}
}

// The head that all covers and open surfaces of a component should have. False if there is only one of them.
static bool tnGetCommonHead(const tnVoxelWorld* world, const tnVoxelPart* component, double* head)
{
	double weights = 0.0;
	double sum = 0.0;
	int32_t count = 0;
	for (int32_t i = 0; i < world->coverCount; ++i)
	{
		const tnVoxelCover* cover = world->covers + i;
		if (cover->heavy == component && cover->hasHead)
		{
			weights += 1.0 / cover->slope;
			sum += cover->head / cover->slope;
			count += 1;
		}
	}
	// What is on account, and no jet needs, is for all of them.
	double level = 0.0;
	if (count > 0 && tnGetOpenHead(world, component, component->account - component->reserve, &level))
	{
		weights += tnCountOpen(component);
		sum += level * tnCountOpen(component);
		count += 1;
	}
	*head = component->allOcean ? level : (count > 0 ? sum / weights : 0.0);
	return count > 1;
}

static void tnFindCoverMoves(tnVoxelWorld* world, tnVoxelCover* cover)
{
	double common = 0.0;
	if (!cover->hasHead || !tnGetCommonHead(world, cover->heavy, &common))
	{
		return;
	}
	// A little more, so that just one is not lost in rounding.
	const double wish = 1.000001 * (cover->head - common) / (cover->slope * world->def.cap);
	const double most = TN_MAX_EXCHANGES;
	const int32_t count = (int32_t)(wish > most ? most : (wish < -most ? -most : wish));
	cover->moves = count / 2 != 0 ? count / 2 : count;
	// Viscous liquids have a turn less often.
	const tnLiquidDef* liquids = world->def.liquids;
	const int32_t slowest =
		tnMaxInt(liquids[cover->heavy->kind - 1].viscosity, liquids[cover->light->kind - 1].viscosity);
	cover->waits = cover->moves != 0 && world->stepCount / world->def.levelInterval % slowest != 0;
	world->levelsPending = world->levelsPending || cover->waits;
}

// ---------------------------------------------------------------------------------------------------------------------
// Moving columns

static bool tnIsFull(const tnVoxelStore* store, const tnVoxelSpot* spot)
{
	return spot->chunk != NULL && tnGetAmount(spot->word) == tnGetRoom(store, spot->chunk, spot->voxel);
}

// Put all that lies on the highest full voxel of a column one voxel lower, in the place of it, or only see if it fits.
// Returns the units that were there, 0 if it does not fit.
static int32_t tnSinkColumn(tnVoxelWorld* world, const tnVoxelSpot* top, bool moves)
{
	tnVoxelStore* store = &world->store;
	const tnVoxelSpot full = tnIsFull(store, top) ? *top : tnGetNext(store, top, 1, false);
	if (tnGetKind(full.word) != tnGetKind(top->word) || !tnIsFull(store, &full))
	{
		return 0;
	}
	tnVoxelSpot here = full;
	for (uint16_t word = full.word; word != 0;)
	{
		const tnVoxelSpot above = tnGetNext(store, &here, 1, true);
		word = above.word;
		if (moves)
		{
			tnVoxelWorld_SetWord(world, here.block, here.index, here.voxel, word);
		}
		else if (tnGetAmount(word) > tnGetRoom(store, here.chunk, here.voxel) ||
			!tnVoxelStore_OpenLiquid(store, here.chunk))
		{
			return 0;
		}
		here = above;
	}
	return tnGetAmount(full.word);
}

// Put all that lies on the highest full voxel of a column one voxel higher, and another full one in the place of that, or one
// with `most` units, or only see if it fits. Returns how many units that takes, 0 if it does not fit.
static int32_t tnLiftColumn(tnVoxelWorld* world, const tnVoxelSpot* top, int64_t most, bool moves)
{
	tnVoxelStore* store = &world->store;
	tnVoxelSpot here = tnIsFull(store, top) ? tnGetNext(store, top, 1, true) : *top;
	const int32_t room = here.chunk != NULL ? tnGetRoom(store, here.chunk, here.voxel) : 0;
	const int32_t units = most < room ? (int32_t)most : room;
	for (uint16_t word = tnPackLiquid(tnGetKind(top->word), units); word != 0;)
	{
		const uint16_t next = here.word;
		if (moves)
		{
			tnVoxelWorld_SetWord(world, here.block, here.index, here.voxel, word);
		}
		else if (here.chunk == NULL || tnGetAmount(word) > tnGetRoom(store, here.chunk, here.voxel) ||
			!tnVoxelStore_OpenLiquid(store, here.chunk))
		{
			return 0;
		}
		word = next;
		here = word != 0 ? tnGetNext(store, &here, 1, true) : here;
	}
	return units;
}

// ---------------------------------------------------------------------------------------------------------------------
// Which columns

static bool tnHasOpen(const tnVoxelCover* cover)
{
	return tnCountOpen(cover->heavy) > 0;
}

// Is there something on account that no surface will take?
static bool tnMustTake(const tnVoxelCover* cover)
{
	return cover->heavy->allSurfaces == 0 && cover->hasHead && cover->heavy->account > 0;
}

static bool tnIsUneven(const tnVoxelCover* cover)
{
	return cover->high - cover->low >= 2;
}

static bool tnWantsHighs(const tnVoxelCover* cover)
{
	return tnIsUneven(cover) || cover->moves > 0;
}

static bool tnWantsLows(const tnVoxelCover* cover)
{
	return tnIsUneven(cover) || cover->moves < 0 || tnMustTake(cover);
}

static bool tnIsInMiddle(const tnVoxelCover* cover, int32_t y)
{
	return y == cover->middle || y == cover->middle + 1;
}

static void tnCollectVoxel(tnVoxelWorld* world, const tnVoxelSpot* spot, int32_t y)
{
	tnVoxelPart* heavy;
	tnVoxelPart* light;
	tnVoxelCover* cover = tnFindCover(world, spot, &heavy, &light) ? tnGetCover(world, heavy, light) : NULL;
	if (cover == NULL)
	{
		return;
	}
	const tnVoxelExchange exchange = {cover, spot->block, spot->index, spot->voxel, y};
	if ((y >= cover->high - 1 || tnIsInMiddle(cover, y)) && tnWantsHighs(cover) && world->highCount < TN_MAX_EXCHANGES)
	{
		world->highs[world->highCount++] = exchange;
	}
	if ((y <= cover->low + 1 || tnIsInMiddle(cover, y)) && tnWantsLows(cover) && world->lowCount < TN_MAX_EXCHANGES)
	{
		world->lows[world->lowCount++] = exchange;
	}
}

// The bits of a layer and the next one, of those that are in the chunk.
static uint32_t tnGetTwoLayers(int32_t layer)
{
	return layer < -1 || layer > 15 ? 0 : (layer < 0 ? 1u : 3u << layer & TN_ALL_LAYERS);
}

// Voxels of the highest, lowest and middle layers of covers in which something is to do, two of each: a few voxels in nooks
// that do not fit must not keep all others from moving.
static void tnCollectColumns(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelChunk* chunk = block->chunks + index;
	const int32_t bottom = 16 * tnGetChunkPlace(block, index).y;
	uint32_t layers = 0;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		const tnVoxelPart* component = chunk->parts[i].coverCount > 0 ? tnFindComponent(chunk->parts + i) : NULL;
		for (int32_t j = 0; j < world->coverCount && component != NULL; ++j)
		{
			const tnVoxelCover* cover = world->covers + j;
			if (cover->heavy == component)
			{
				layers |= tnWantsHighs(cover) ? tnGetTwoLayers(cover->high - 1 - bottom) : 0;
				layers |= tnWantsLows(cover) ? tnGetTwoLayers(cover->low - bottom) : 0;
				layers |= tnWantsHighs(cover) || tnWantsLows(cover) ? tnGetTwoLayers(cover->middle - bottom) : 0;
			}
		}
	}
	for (int32_t voxel = 0; voxel < TN_CHUNK_VOXELS && layers != 0; ++voxel)
	{
		if ((layers >> (voxel / TN_LAYER) & 1u) == 0)
		{
			voxel += TN_LAYER - 1;
			continue;
		}
		const tnVoxelSpot spot = {block, chunk, index, voxel, tnGetWord(&world->store, chunk, voxel)};
		tnCollectVoxel(world, &spot, bottom + voxel / TN_LAYER);
	}
}

static tnVoxelSpot tnGetSpot(const tnVoxelWorld* world, const tnVoxelExchange* exchange)
{
	tnVoxelChunk* chunk = exchange->block->chunks + exchange->chunk;
	return (tnVoxelSpot){
		exchange->block, chunk, exchange->chunk, exchange->voxel, tnGetWord(&world->store, chunk, exchange->voxel)};
}

// What must be on the account of components for columns that are lifted, less what comes from those that sink.
static void tnReserveForCovers(tnVoxelWorld* world)
{
	for (int32_t i = 0; i < world->coverCount; ++i)
	{
		tnVoxelCover* cover = world->covers + i;
		int32_t left = -cover->moves;
		for (int32_t j = 0; j < world->lowCount && left > 0; ++j)
		{
			const tnVoxelSpot spot = tnGetSpot(world, world->lows + j);
			const int32_t units = world->lows[j].cover == cover ? tnLiftColumn(world, &spot, INT64_MAX, false) : 0;
			left -= units > 0 ? 1 : 0;
			// Without open surfaces all comes from columns that sink.
			cover->heavy->reserve += tnHasOpen(cover) ? units : 0;
		}
	}
}

void tnVoxelWorld_FindCovers(tnVoxelWorld* world)
{
	world->coverCount = 0;
	world->highCount = 0;
	world->lowCount = 0;
	TN_FOR_EACH(world, divided, tnGatherCovers);
	if (world->coverCount == 0)
	{
		return;
	}
	tnFindHeads(world);
	for (int32_t i = 0; i < world->coverCount; ++i)
	{
		tnVoxelCover* cover = world->covers + i;
		// Tops of the voxel y are at y + 1.
		cover->middle = (int32_t)tnFloorDivide(cover->sum, (int64_t)cover->count * world->def.cap) - 1;
		tnFindCoverMoves(world, cover);
	}
	TN_FOR_EACH(world, divided, tnCollectColumns);
	tnReserveForCovers(world);
}

// ---------------------------------------------------------------------------------------------------------------------
// Moving

// Is it still what was found, after surfaces have moved?
static bool tnIsStillCovered(const tnVoxelWorld* world, const tnVoxelExchange* exchange, const tnVoxelSpot* spot)
{
	tnVoxelPart* heavy;
	tnVoxelPart* light;
	return tnFindCover(world, spot, &heavy, &light) && heavy == exchange->cover->heavy;
}

static void tnExchangeUneven(tnVoxelWorld* world, const tnVoxelExchange* high)
{
	tnVoxelStore* store = &world->store;
	tnVoxelCover* cover = high->cover;
	while (cover->cursor < world->lowCount &&
		(world->lows[cover->cursor].cover != cover || world->lows[cover->cursor].y != cover->low))
	{
		cover->cursor += 1;
	}
	if (cover->cursor == world->lowCount)
	{
		return;
	}
	const tnVoxelExchange* low = world->lows + cover->cursor++;
	const tnVoxelSpot top = tnGetSpot(world, high);
	const tnVoxelSpot bottom = tnGetSpot(world, low);
	if (!tnIsStillCovered(world, high, &top) || !tnIsStillCovered(world, low, &bottom))
	{
		return;
	}
	const tnVoxelSpot above = tnGetNext(store, &bottom, 1, true);
	const bool fits = tnGetAmount(top.word) <= tnGetRoom(store, above.chunk, above.voxel) &&
		tnGetAmount(above.word) <= tnGetRoom(store, top.chunk, top.voxel);
	if (fits && tnVoxelStore_OpenLiquid(store, top.chunk) && tnVoxelStore_OpenLiquid(store, above.chunk))
	{
		tnVoxelWorld_SetWord(world, top.block, top.index, top.voxel, above.word);
		tnVoxelWorld_SetWord(world, above.block, above.index, above.voxel, top.word);
	}
}

// A column of another cover of the component that should rise, and for which so many units are just enough. NULL if there is
// none.
static const tnVoxelExchange* tnFindPartner(tnVoxelWorld* world, const tnVoxelPart* component, int32_t units)
{
	for (int32_t i = 0; i < world->lowCount; ++i)
	{
		const tnVoxelExchange* low = world->lows + i;
		if (low->cover->heavy != component || low->cover->moves >= 0 || low->cover->waits)
		{
			continue;
		}
		const tnVoxelSpot spot = tnGetSpot(world, low);
		if (tnIsStillCovered(world, low, &spot) && tnLiftColumn(world, &spot, INT64_MAX, false) == units)
		{
			return low;
		}
	}
	return NULL;
}

static void tnLiftOne(tnVoxelWorld* world, const tnVoxelExchange* low)
{
	tnVoxelCover* cover = low->cover;
	tnVoxelPart* component = cover->heavy;
	const tnVoxelSpot spot = tnGetSpot(world, low);
	if (((cover->moves >= 0 || cover->waits) && !tnMustTake(cover)) || !tnIsStillCovered(world, low, &spot))
	{
		return;
	}
	// A whole voxel, or a last rest.
	const int64_t most = tnMustTake(cover) ? component->account : INT64_MAX;
	const int32_t units = tnLiftColumn(world, &spot, most, false);
	if (units > 0 && component->account >= units)
	{
		(void)tnLiftColumn(world, &spot, most, true);
		cover->moves += 1;
		component->account -= units;
	}
}

static void tnSinkOne(tnVoxelWorld* world, const tnVoxelExchange* high)
{
	tnVoxelCover* cover = high->cover;
	const tnVoxelSpot spot = tnGetSpot(world, high);
	const bool moves = cover->moves > 0 && !cover->waits && tnIsStillCovered(world, high, &spot);
	const int32_t units = moves ? tnSinkColumn(world, &spot, false) : 0;
	const bool needsPartner = units > 0 && !tnHasOpen(cover);
	const tnVoxelExchange* low = needsPartner ? tnFindPartner(world, cover->heavy, units) : NULL;
	if (units == 0 || (needsPartner && low == NULL))
	{
		return;
	}
	(void)tnSinkColumn(world, &spot, true);
	cover->moves -= 1;
	cover->heavy->account += units;
	if (low != NULL)
	{
		// If it was above the one that sank it is no longer there, and the account keeps the units.
		tnLiftOne(world, low);
	}
}

void tnVoxelWorld_MoveCovers(tnVoxelWorld* world)
{
	for (int32_t i = 0; i < world->highCount; ++i)
	{
		const tnVoxelExchange* high = world->highs + i;
		if (tnIsUneven(high->cover) && high->y == high->cover->high)
		{
			tnExchangeUneven(world, high);
		}
	}
	// The highest ones first, and the lowest ones.
	for (int32_t i = 0; i < 2 * world->highCount; ++i)
	{
		const tnVoxelExchange* high = world->highs + i % world->highCount;
		if ((high->y == high->cover->high) == (i < world->highCount))
		{
			tnSinkOne(world, high);
		}
	}
	for (int32_t i = 0; i < 2 * world->lowCount; ++i)
	{
		const tnVoxelExchange* low = world->lows + i % world->lowCount;
		if ((low->y == low->cover->low) == (i < world->lowCount))
		{
			tnLiftOne(world, low);
		}
	}
}

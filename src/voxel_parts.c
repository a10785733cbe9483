// SPDX-License-Identifier: MIT

#include "voxel_parts.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Spans

static uint16_t tnFindRoot(tnDivision* division, uint16_t span)
{
	struct tnSpan* spans = division->spans;
	while (spans[span].root != span)
	{
		spans[span].root = spans[spans[span].root].root;
		span = spans[span].root;
	}
	return span;
}

// The earlier one stands for both.
static void tnJoin(tnDivision* division, uint16_t a, uint16_t b)
{
	a = tnFindRoot(division, a);
	b = tnFindRoot(division, b);
	if (a != b)
	{
		division->spans[a < b ? b : a].root = a < b ? a : b;
	}
}

// Is there room below for liquid of a kind to fall into?
static bool tnFalls(const tnVoxelStore* store, const tnVoxelChunk* chunk, int32_t voxel, int32_t kind)
{
	if (chunk == NULL)
	{
		return false;
	}
	const uint16_t below = tnGetWord(store, chunk, voxel);
	const bool open = below == 0 || tnGetKind(below) == kind;
	return open && tnGetAmount(below) < tnGetRoom(store, chunk, voxel);
}

static void tnFindSpans(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, tnDivision* division)
{
	const tnVoxelStore* store = &world->store;
	const tnVoxelChunk* chunk = block->chunks + index;
	tnVoxelBlock* owner;
	int32_t belowIndex;
	const tnVoxelChunk* below = tnVoxelBlock_GetNeighbour(block, index, tn_voxelDown, &owner, &belowIndex);
	division->spanCount = 0;
	memset(division->labels, 0, sizeof(division->labels));
	for (int32_t column = 0; column < TN_LAYER; ++column)
	{
		division->columnStart[column] = division->spanCount;
		uint16_t last = 0;
		for (int32_t y = 0; y < TN_VOXEL_CHUNK; ++y)
		{
			const int32_t voxel = y * TN_LAYER + column;
			const uint16_t word = tnGetWord(store, chunk, voxel);
			const int32_t kind = tnGetKind(word);
			if (word == 0)
			{
				last = 0;
				continue;
			}
			division->labels[voxel] = TN_NO_PART;
			const bool falls = y > 0 ? tnFalls(store, chunk, voxel - TN_LAYER, kind)
									 : tnFalls(store, below, voxel + TN_CHUNK_VOXELS - TN_LAYER, kind);
			if (falls || !world->def.liquids[kind - 1].levels)
			{
				last = 0;
				continue;
			}
			// The one below is full, if it is of this kind.
			const bool grows = last != 0 && tnGetKind(last) == kind &&
				division->spans[division->spanCount - 1].high == y - 1 &&
				division->spanCount > division->columnStart[column];
			if (grows)
			{
				division->spans[division->spanCount - 1].high = (uint8_t)y;
			}
			else
			{
				const uint16_t number = (uint16_t)division->spanCount++;
				division->spans[number] =
					(struct tnSpan){(uint8_t)column, (uint8_t)y, (uint8_t)y, (uint8_t)kind, number, 0};
			}
			division->spanOf[voxel] = (uint16_t)(division->spanCount - 1);
			last = word;
		}
	}
	division->columnStart[TN_LAYER] = division->spanCount;
}

// Does liquid of two voxels side by side reach over the ground of both?
static bool tnTouches(int32_t cap, int32_t amountA, int32_t roomA, int32_t amountB, int32_t roomB)
{
	const int32_t ground = cap - tnMinInt(roomA, roomB);
	return cap - roomA + amountA > ground && cap - roomB + amountB > ground;
}

static void tnJoinColumns(
	const tnVoxelStore* store, const tnVoxelChunk* chunk, tnDivision* division, int32_t a, int32_t b)
{
	int32_t i = division->columnStart[a];
	int32_t j = division->columnStart[b];
	while (i < division->columnStart[a + 1] && j < division->columnStart[b + 1])
	{
		const struct tnSpan* one = division->spans + i;
		const struct tnSpan* other = division->spans + j;
		const int32_t low = tnMaxInt(one->low, other->low);
		const int32_t high = tnMinInt(one->high, other->high);
		if (low <= high && one->kind == other->kind)
		{
			bool touches = low < high; // both are full at the lower one
			if (!touches)
			{
				const int32_t voxelA = low * TN_LAYER + a;
				const int32_t voxelB = low * TN_LAYER + b;
				touches =
					tnTouches(store->cap, tnGetAmount(tnGetWord(store, chunk, voxelA)), tnGetRoom(store, chunk, voxelA),
						tnGetAmount(tnGetWord(store, chunk, voxelB)), tnGetRoom(store, chunk, voxelB));
			}
			if (touches)
			{
				tnJoin(division, (uint16_t)i, (uint16_t)j);
			}
		}
		if (one->high < other->high)
		{
			++i;
		}
		else
		{
			++j;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts

// The TN_MAX_PARTS largest get labels, in the order of their first spans. Returns how many there are.
static int32_t tnChooseParts(tnDivision* division, uint8_t* labelOf, uint8_t kinds[TN_MAX_PARTS])
{
	int32_t rootCount = 0;
	for (int32_t i = 0; i < division->spanCount; ++i)
	{
		struct tnSpan* span = division->spans + i;
		labelOf[i] = TN_NO_PART;
		const uint16_t root = tnFindRoot(division, (uint16_t)i);
		division->spans[root].size = (uint16_t)(division->spans[root].size + span->high - span->low + 1);
		rootCount += root == i ? 1 : 0;
	}
	// The smallest size that still gets one, and how many of just that size.
	int32_t least = 0;
	int32_t ofLeast = TN_MAX_PARTS;
	if (rootCount > TN_MAX_PARTS)
	{
		int32_t low = 1;
		int32_t high = TN_CHUNK_VOXELS;
		while (low < high)
		{
			const int32_t middle = (low + high + 1) / 2;
			int32_t count = 0;
			for (int32_t i = 0; i < division->spanCount; ++i)
			{
				count += division->spans[i].root == i && division->spans[i].size >= middle ? 1 : 0;
			}
			low = count >= TN_MAX_PARTS ? middle : low;
			high = count >= TN_MAX_PARTS ? high : middle - 1;
		}
		least = low;
		ofLeast = TN_MAX_PARTS;
		for (int32_t i = 0; i < division->spanCount; ++i)
		{
			ofLeast -= division->spans[i].root == i && division->spans[i].size > least ? 1 : 0;
		}
	}
	int32_t count = 0;
	for (int32_t i = 0; i < division->spanCount; ++i)
	{
		const struct tnSpan* span = division->spans + i;
		if (span->root == i && (span->size > least || (span->size == least && ofLeast-- > 0)))
		{
			kinds[count] = span->kind;
			labelOf[i] = (uint8_t)++count;
		}
	}
	for (int32_t i = 0; i < division->spanCount; ++i)
	{
		labelOf[i] = labelOf[tnFindRoot(division, (uint16_t)i)];
	}
	return count;
}

static bool tnNeedsLabels(const tnVoxelChunk* chunk, const tnDivision* division, int32_t partCount)
{
	if (partCount != 1)
	{
		return partCount > 1;
	}
	// One part, and every voxel with liquid in it?
	int32_t wet = 0;
	int32_t labelled = 0;
	for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
	{
		wet += division->labels[i] != 0 ? 1 : 0;
		labelled += division->labels[i] == 1 ? 1 : 0;
	}
	(void)chunk;
	return wet != labelled;
}

static bool tnOverlaps(const tnVoxelBox* box, tnVoxel place)
{
	return box->low.x < 16 * place.x + 16 && box->high.x > 16 * place.x && box->low.y < 16 * place.y + 16 &&
		box->high.y > 16 * place.y && box->low.z < 16 * place.z + 16 && box->high.z > 16 * place.z;
}

static void tnMarkOceans(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelChunk* chunk = block->chunks + index;
	const tnVoxel place = tnGetChunkPlace(block, index);
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		const tnVoxelOceanDef* ocean = world->oceans + kind;
		if (ocean->liquid == 0 || !tnOverlaps(&ocean->box, place))
		{
			continue;
		}
		for (int32_t voxel = 0; voxel < TN_CHUNK_VOXELS; ++voxel)
		{
			const int32_t x = 16 * place.x + voxel % 16;
			const int32_t y = 16 * place.y + voxel / TN_LAYER;
			const int32_t z = 16 * place.z + voxel / TN_ROW % 16;
			const bool inside = x >= ocean->box.low.x && x < ocean->box.high.x && y >= ocean->box.low.y &&
				y < ocean->box.high.y && z >= ocean->box.low.z && z < ocean->box.high.z;
			const int32_t label = inside ? tnGetLabel(&world->store, chunk, voxel) : 0;
			if (label >= 1 && label <= TN_MAX_PARTS && chunk->parts[label - 1].kind == kind)
			{
				chunk->parts[label - 1].inOcean = true;
			}
		}
	}
}

// Where to leave the accounts of parts that are no more: with the first part of the same kind, or with the world.
static void tnInherit(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, const tnVoxelPart* old, int32_t oldCount)
{
	tnVoxelChunk* chunk = block->chunks + index;
	for (int32_t i = 0; i < oldCount; ++i)
	{
		if (old[i].account == 0)
		{
			continue;
		}
		int32_t heir = 0;
		while (heir < chunk->partCount && chunk->parts[heir].kind != old[i].kind)
		{
			++heir;
		}
		if (heir < chunk->partCount)
		{
			chunk->parts[heir].account += old[i].account;
		}
		else
		{
			const tnVoxel place = tnGetChunkPlace(block, index);
			tnVoxelWorld_Wait(
				world, (tnVoxel){16 * place.x + 8, 16 * place.y, 16 * place.z + 8}, old[i].kind, old[i].account);
		}
	}
}

static void tnMeasureParts(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelSurface* surfaces = world->surfaces;
	const int32_t count = tnFindSurfaces(world, block, index, surfaces);
	for (int32_t i = 0; i < count; ++i)
	{
		tnVoxelPart* part = surfaces[i].part;
		const int64_t level = surfaces[i].level;
		if (surfaces[i].isCovered)
		{
			const int32_t y = 16 * tnGetChunkPlace(block, index).y + surfaces[i].voxel / TN_LAYER;
			part->coverLow = tnMinInt(part->coverLow, y);
			part->coverHigh = tnMaxInt(part->coverHigh, y);
		}
		if (surfaces[i].isCovered || surfaces[i].isDry)
		{
			continue;
		}
		part->lowest = part->surfaceCount == 0 || level < part->lowest ? level : part->lowest;
		part->highest = part->surfaceCount == 0 || level > part->highest ? level : part->highest;
		part->levelSum += level;
		part->surfaceCount += 1;
		part->opensAbove = part->opensAbove || (surfaces[i].above && surfaces[i].voxel >= TN_CHUNK_VOXELS - TN_LAYER);
	}
}

void tnDivideChunk(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, tnDivision* division)
{
	tnVoxelStore* store = &world->store;
	tnVoxelChunk* chunk = block->chunks + index;
	tnVoxelPart old[TN_MAX_PARTS];
	const int32_t oldCount = chunk->partCount;
	if (oldCount > 0)
	{
		memcpy(old, chunk->parts, (size_t)oldCount * sizeof(tnVoxelPart));
		tnPagePool_Give(store->partPages + (oldCount > 1 ? 1 : 0), chunk->parts);
	}
	if (chunk->labels != NULL)
	{
		tnPagePool_Give(&store->labelPages, chunk->labels);
	}
	chunk->labels = NULL;
	chunk->parts = NULL;
	chunk->partCount = 0;
	block->divided[index / 8] &= (uint8_t) ~(1 << index % 8);

	int32_t partCount = 0;
	bool enough = true;
	uint8_t kinds[TN_MAX_PARTS];
	if (chunk->liquid == NULL && chunk->liquidFill == 0)
	{
		chunk->kinds = 0;
	}
	else
	{
		uint8_t labelOf[TN_LAYER * 8];
		tnFindSpans(world, block, index, division);
		for (int32_t column = 0; column < TN_LAYER; ++column)
		{
			if (column % TN_ROW != TN_ROW - 1)
			{
				tnJoinColumns(store, chunk, division, column, column + 1);
			}
			if (column + TN_ROW < TN_LAYER)
			{
				tnJoinColumns(store, chunk, division, column, column + TN_ROW);
			}
		}
		partCount = tnChooseParts(division, labelOf, kinds);
		uint32_t present = 0;
		for (int32_t i = 0; i < division->spanCount; ++i)
		{
			const struct tnSpan* span = division->spans + i;
			for (int32_t y = span->low; y <= span->high; ++y)
			{
				division->labels[y * TN_LAYER + span->column] = labelOf[i];
			}
			present |= 1u << span->kind;
		}
		const bool needsLabels = tnNeedsLabels(chunk, division, partCount);
		tnPagePool* pool = store->partPages + (partCount > 1 ? 1 : 0);
		enough = pool->freeCount > 0 && (!needsLabels || store->labelPages.freeCount > 0);
		partCount = enough ? partCount : 0;
		if (partCount > 0)
		{
			chunk->parts = tnPagePool_Take(pool);
			memset(chunk->parts, 0, (size_t)partCount * sizeof(tnVoxelPart));
			chunk->partCount = (uint8_t)partCount;
			block->divided[index / 8] |= (uint8_t)(1 << index % 8);
			for (int32_t i = 0; i < partCount; ++i)
			{
				chunk->parts[i].kind = kinds[i];
				chunk->parts[i].parent = chunk->parts + i;
				chunk->parts[i].coverLow = INT32_MAX;
				chunk->parts[i].coverHigh = INT32_MIN;
			}
			if (needsLabels)
			{
				chunk->labels = tnPagePool_Take(&store->labelPages);
				for (int32_t i = 0; i < TN_CHUNK_VOXELS; i += 2)
				{
					chunk->labels[i / 2] = (uint8_t)(division->labels[i] | division->labels[i + 1] << 4);
				}
			}
			tnMeasureParts(world, block, index);
			tnMarkOceans(world, block, index);
		}
	}
	tnInherit(world, block, index, old, oldCount);
	// Next time, if there is no memory for it now.
	tnVoxelBlock_SetStale(block, index, !enough);
}

// ---------------------------------------------------------------------------------------------------------------------
// Surfaces

int32_t tnFindSurfaces(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, tnVoxelSurface* surfaces)
{
	const tnVoxelStore* store = &world->store;
	const tnVoxelChunk* chunk = block->chunks + index;
	tnVoxelBlock* owner;
	int32_t aboveIndex;
	const tnVoxelChunk* above = tnVoxelBlock_GetNeighbour(block, index, tn_voxelUp, &owner, &aboveIndex);
	const int64_t bottom = (int64_t)tnGetChunkPlace(block, index).y * TN_VOXEL_CHUNK;
	int32_t count = 0;
	for (int32_t column = 0; column < TN_LAYER; ++column)
	{
		for (int32_t y = 0; y < TN_VOXEL_CHUNK; ++y)
		{
			const int32_t voxel = y * TN_LAYER + column;
			const int32_t label = tnGetLabel(store, chunk, voxel);
			if (label == 0 || label == TN_NO_PART)
			{
				continue;
			}
			const int32_t amount = tnGetAmount(tnGetWord(store, chunk, voxel));
			const int32_t room = tnGetRoom(store, chunk, voxel);
			tnVoxelSurface surface = {
				.part = chunk->parts + label - 1, .voxel = voxel, .amount = amount, .room = room - amount};
			surface.level = (bottom + y + 1) * store->cap - room + amount;
			if (amount == room)
			{
				const bool isTop = y == TN_VOXEL_CHUNK - 1;
				const tnVoxelChunk* next = isTop ? above : chunk;
				const int32_t nextVoxel = isTop ? column : voxel + TN_LAYER;
				const uint16_t wordAbove = next != NULL ? tnGetWord(store, next, nextVoxel) : 0;
				if (next == NULL || tnGetKind(wordAbove) == surface.part->kind)
				{
					continue;
				}
				if (wordAbove != 0)
				{
					surface.isCovered = world->def.liquids[tnGetKind(wordAbove) - 1].density <
						world->def.liquids[surface.part->kind - 1].density;
					surfaces[count] = surface;
					count += surface.isCovered ? 1 : 0;
					continue;
				}
				surface.room = tnGetRoom(store, next, nextVoxel);
				surface.above = true;
				surface.isDry = surface.room < store->cap;
				surface.level += store->cap - surface.room;
				if (surface.room == 0)
				{
					continue;
				}
			}
			surfaces[count++] = surface;
		}
	}
	return count;
}

// ---------------------------------------------------------------------------------------------------------------------
// Links

static void tnLink(const tnVoxelStore* store, tnVoxelChunk* chunk, int32_t voxel, const tnVoxelChunk* other,
	int32_t otherVoxel, int direction)
{
	const int32_t label = tnGetLabel(store, chunk, voxel);
	const int32_t otherLabel = tnGetLabel(store, other, otherVoxel);
	if (label == 0 || label == TN_NO_PART || otherLabel == 0 || otherLabel == TN_NO_PART)
	{
		return;
	}
	tnVoxelPart* part = chunk->parts + label - 1;
	if (part->kind != other->parts[otherLabel - 1].kind || (part->links[direction] >> otherLabel & 1u) != 0)
	{
		return;
	}
	const int32_t amount = tnGetAmount(tnGetWord(store, chunk, voxel));
	const int32_t room = tnGetRoom(store, chunk, voxel);
	const bool touches = direction == 2
		? amount == room
		: tnTouches(store->cap, amount, room, tnGetAmount(tnGetWord(store, other, otherVoxel)),
			  tnGetRoom(store, other, otherVoxel));
	part->links[direction] |= touches ? (uint16_t)(1u << otherLabel) : 0;
}

void tnLinkChunk(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	const tnVoxelStore* store = &world->store;
	tnVoxelChunk* chunk = block->chunks + index;
	static const tnVoxelSide sides[3] = {tn_voxelEast, tn_voxelSouth, tn_voxelUp};
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		memset(chunk->parts[i].links, 0, sizeof(chunk->parts[i].links));
	}
	for (int direction = 0; direction < 3 && chunk->partCount > 0; ++direction)
	{
		tnVoxelBlock* owner;
		int32_t otherIndex;
		const tnVoxelChunk* other = tnVoxelBlock_GetNeighbour(block, index, sides[direction], &owner, &otherIndex);
		if (other == NULL || other->partCount == 0)
		{
			continue;
		}
		for (int32_t i = 0; i < TN_ROW; ++i)
		{
			for (int32_t j = 0; j < TN_ROW; ++j)
			{
				// i up, or south; j along the face.
				const int32_t here[3] = {i * TN_LAYER + j * TN_ROW + TN_ROW - 1, i * TN_LAYER + TN_LAYER - TN_ROW + j,
					TN_CHUNK_VOXELS - TN_LAYER + i * TN_ROW + j};
				const int32_t there[3] = {i * TN_LAYER + j * TN_ROW, i * TN_LAYER + j, i * TN_ROW + j};
				tnLink(store, chunk, here[direction], other, there[direction], direction);
			}
		}
	}
}

tnVoxelPart* tnFindComponent(tnVoxelPart* part)
{
	while (part->parent != part)
	{
		part->parent = part->parent->parent;
		part = part->parent;
	}
	return part;
}

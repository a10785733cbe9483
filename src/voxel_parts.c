// SPDX-License-Identifier: MIT

#include "voxel_parts.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Spans

static uint16_t tnFindRoot(tnDivision* division, uint16_t span)
{
	tnSpan* spans = division->spans;
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

static void tnViewLayers(const tnVoxelWorld* world, const tnVoxelChunk* chunk, int32_t first, int32_t count,
	tnVoxelView* view, int32_t target)
{
	const tnVoxelStore* store = &world->store;
	const tnVoxelKernels* kernels = world->kernels;
	uint16_t* amounts = view->amounts + target;
	uint16_t* spaces = view->spaces + target;
	uint8_t* kinds = view->kinds + target;
	if (chunk == NULL)
	{
		memset(amounts, 0, (size_t)count * sizeof(uint16_t));
		memset(spaces, 0, (size_t)count * sizeof(uint16_t));
		memset(kinds, 0, (size_t)count);
		return;
	}
	const uint16_t room = store->rooms[chunk->solidFill];
	for (int32_t i = 0; i < count && chunk->solid == NULL; ++i)
	{
		spaces[i] = room;
	}
	for (int32_t i = 0; i < count && chunk->solid != NULL; i += TN_LAYER)
	{
		kernels->findRooms(chunk->solid + first + i, store->cap, spaces + i);
	}
	if (chunk->liquid == NULL)
	{
		for (int32_t i = 0; i < count; ++i)
		{
			kinds[i] = spaces[i] > 0 ? chunk->liquidFill : 0;
			amounts[i] = chunk->liquidFill != 0 ? spaces[i] : 0;
			spaces[i] = (uint16_t)(spaces[i] - amounts[i]);
		}
		return;
	}
	const uint16_t* words = chunk->liquid + first;
	for (int32_t i = 0; i < count; ++i)
	{
		const uint16_t amount = (uint16_t)((words[i] & 0xfff) + (words[i] != 0 ? 1 : 0));
		kinds[i] = (uint8_t)(words[i] >> 12);
		amounts[i] = amount;
		spaces[i] = (uint16_t)(spaces[i] - amount);
	}
}

static void tnViewChunk(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, tnVoxelView* view)
{
	tnVoxelBlock* owner;
	int32_t other;
	const tnVoxelChunk* below = tnVoxelBlock_GetNeighbour(block, index, tn_voxelDown, &owner, &other);
	const tnVoxelChunk* above = tnVoxelBlock_GetNeighbour(block, index, tn_voxelUp, &owner, &other);
	tnViewLayers(world, below, TN_CHUNK_VOXELS - TN_LAYER, TN_LAYER, view, 0);
	tnViewLayers(world, block->chunks + index, 0, TN_CHUNK_VOXELS, view, TN_LAYER);
	tnViewLayers(world, above, 0, TN_LAYER, view, TN_LAYER + TN_CHUNK_VOXELS);
}

// Of each column, bit y: the voxel is in a span, and the first one of it.
typedef struct tnSpanBits
{
	uint16_t inside[TN_LAYER];
	uint16_t first[TN_LAYER];
} tnSpanBits;

// Layers of all columns at once: compilers make vectors of it.
static void tnMarkSpans(const tnVoxelWorld* world, tnVoxelView* view, tnSpanBits* bits)
{
	memset(bits, 0, sizeof(*bits));
	for (int32_t y = 0; y < TN_VOXEL_CHUNK; ++y)
	{
		const uint8_t* kindsBelow = view->kinds + y * TN_LAYER;
		const uint16_t* spacesBelow = view->spaces + y * TN_LAYER;
		const uint8_t* kinds = kindsBelow + TN_LAYER;
		uint8_t* labels = view->labels + y * TN_LAYER;
		// What can fall is in no part.
		uint8_t isIn[TN_LAYER];
		for (int32_t i = 0; i < TN_LAYER; ++i)
		{
			const int falls = (spacesBelow[i] > 0) & ((kindsBelow[i] == 0) | (kindsBelow[i] == kinds[i]));
			isIn[i] = (uint8_t)((kinds[i] != 0) & (falls ^ 1));
			labels[i] = kinds[i] != 0 ? TN_NO_PART : 0;
		}
		for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
		{
			for (int32_t i = 0; i < TN_LAYER && !world->def.liquids[kind - 1].levels; ++i)
			{
				isIn[i] = kinds[i] == kind ? 0 : isIn[i];
			}
		}
		// The one below is full, if it is of this kind.
		const uint16_t bit = (uint16_t)(1u << y);
		const uint16_t bitBelow = (uint16_t)(bit >> 1);
		for (int32_t i = 0; i < TN_LAYER; ++i)
		{
			const uint16_t here = (uint16_t)(isIn[i] * bit);
			const uint16_t below = (uint16_t)((bits->inside[i] & bitBelow) << 1);
			const uint16_t goesOn = kindsBelow[i] == kinds[i] ? below : 0;
			bits->inside[i] = (uint16_t)(bits->inside[i] | here);
			bits->first[i] = (uint16_t)(bits->first[i] | (here & ~goesOn));
		}
	}
}

static int32_t tnFindLowestBit(uint32_t bits)
{
	int32_t place = 0;
	while ((bits >> place & 1u) == 0)
	{
		++place;
	}
	return place;
}

static void tnFindSpans(const tnVoxelWorld* world, tnDivision* division)
{
	const tnVoxelView* view = &division->view;
	tnSpanBits bits;
	tnMarkSpans(world, &division->view, &bits);
	int32_t count = 0;
	for (int32_t column = 0; column < TN_LAYER; ++column)
	{
		division->columnStart[column] = count;
		for (uint32_t first = bits.first[column]; first != 0; first &= first - 1)
		{
			const int32_t low = tnFindLowestBit(first);
			// It goes on up to the next that is not inside, or begins another.
			const uint32_t ends = ~(uint32_t)bits.inside[column] | (first & (first - 1));
			const int32_t high = low + tnFindLowestBit(ends >> (low + 1));
			const uint8_t kind = view->kinds[TN_LAYER + low * TN_LAYER + column];
			division->spans[count] = (tnSpan){(uint8_t)column, (uint8_t)low, (uint8_t)high, kind, (uint16_t)count, 0};
			count += 1;
		}
	}
	division->columnStart[TN_LAYER] = count;
	division->spanCount = count;
}

// Does liquid of two voxels side by side reach over the ground of both?
static bool tnTouches(int32_t cap, int32_t amountA, int32_t roomA, int32_t amountB, int32_t roomB)
{
	const int32_t ground = cap - tnMinInt(roomA, roomB);
	return cap - roomA + amountA > ground && cap - roomB + amountB > ground;
}

static void tnJoinColumns(int32_t cap, tnDivision* division, int32_t a, int32_t b)
{
	const tnVoxelView* view = &division->view;
	int32_t i = division->columnStart[a];
	int32_t j = division->columnStart[b];
	while (i < division->columnStart[a + 1] && j < division->columnStart[b + 1])
	{
		const tnSpan* one = division->spans + i;
		const tnSpan* other = division->spans + j;
		const int32_t low = tnMaxInt(one->low, other->low);
		const int32_t high = tnMinInt(one->high, other->high);
		if (low <= high && one->kind == other->kind)
		{
			bool touches = low < high; // both are full at the lower one
			if (!touches)
			{
				const int32_t voxelA = TN_LAYER + low * TN_LAYER + a;
				const int32_t voxelB = TN_LAYER + low * TN_LAYER + b;
				touches = tnTouches(cap, view->amounts[voxelA], view->amounts[voxelA] + view->spaces[voxelA],
					view->amounts[voxelB], view->amounts[voxelB] + view->spaces[voxelB]);
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
// Surfaces

// A voxel in a part that is not full, or has something else than ground or its own kind above it.
static void tnMarkSurfaces(const tnVoxelView* view, int32_t layer, uint8_t isOpen[TN_LAYER])
{
	const uint8_t* labels = view->labels + layer * TN_LAYER;
	const uint8_t* kinds = view->kinds + (layer + 1) * TN_LAYER;
	const uint16_t* spaces = view->spaces + (layer + 1) * TN_LAYER;
	for (int32_t i = 0; i < TN_LAYER; ++i)
	{
		const int isClosed =
			(kinds[i + TN_LAYER] == kinds[i]) | ((kinds[i + TN_LAYER] == 0) & (spaces[i + TN_LAYER] == 0));
		const int isPart = (labels[i] != 0) & (labels[i] != TN_NO_PART);
		isOpen[i] = (uint8_t)(isPart & ((spaces[i] != 0) | (isClosed ^ 1)));
	}
}

// Is any of 16 set?
static bool tnAnyOfRow(const uint8_t* flags)
{
	uint64_t halves[2];
	memcpy(halves, flags, sizeof(halves));
	return (halves[0] | halves[1]) != 0;
}

static int32_t tnListSurfaces(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, const tnVoxelView* view,
	tnVoxelPart* parts, tnVoxelSurface* surfaces)
{
	const int32_t cap = world->def.cap;
	const int64_t bottom = (int64_t)tnGetChunkPlace(block, index).y * TN_VOXEL_CHUNK;
	int32_t count = 0;
	uint8_t isOpen[TN_LAYER];
	for (int32_t voxel = 0; voxel < TN_CHUNK_VOXELS; ++voxel)
	{
		if (voxel % TN_LAYER == 0)
		{
			tnMarkSurfaces(view, voxel / TN_LAYER, isOpen);
		}
		if (voxel % TN_ROW == 0 && !tnAnyOfRow(isOpen + voxel % TN_LAYER))
		{
			voxel += TN_ROW - 1;
			continue;
		}
		if (isOpen[voxel % TN_LAYER] == 0)
		{
			continue;
		}
		const int32_t label = view->labels[voxel];
		const int32_t here = TN_LAYER + voxel;
		const int32_t kindAbove = view->kinds[here + TN_LAYER];
		const bool isFull = view->spaces[here] == 0;
		tnVoxelSurface surface = {.part = parts + label - 1,
			.voxel = voxel,
			.amount = view->amounts[here],
			.room = view->spaces[here],
			.level = (bottom + voxel / TN_LAYER + 1) * cap - view->spaces[here]};
		const tnLiquidDef* liquids = world->def.liquids;
		const bool isUnder = kindAbove != 0 && liquids[kindAbove - 1].density < liquids[surface.part->kind - 1].density;
		surface.isPressed = isUnder && !isFull;
		if (isFull && kindAbove != 0)
		{
			surface.isCovered = isUnder;
			if (!surface.isCovered)
			{
				continue;
			}
		}
		else if (isFull)
		{
			surface.above = true;
			surface.room = view->spaces[here + TN_LAYER];
			surface.isDry = surface.room < cap;
			surface.level += cap - surface.room;
		}
		surfaces[count++] = surface;
	}
	return count;
}

int32_t tnFindSurfaces(
	const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, tnVoxelView* view, tnVoxelSurface* surfaces)
{
	const tnVoxelChunk* chunk = block->chunks + index;
	tnViewChunk(world, block, index, view);
	for (int32_t i = 0; i < TN_CHUNK_VOXELS; i += 2)
	{
		const uint8_t pair = chunk->labels != NULL ? chunk->labels[i / 2] : 0x11;
		// What has fallen dry since is no surface any more.
		view->labels[i] = view->kinds[TN_LAYER + i] != 0 ? pair & 15 : 0;
		view->labels[i + 1] = view->kinds[TN_LAYER + i + 1] != 0 ? pair >> 4 : 0;
	}
	return tnListSurfaces(world, block, index, view, chunk->parts, surfaces);
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts

// The TN_MAX_PARTS largest get labels, in the order of their first spans. Returns how many there are.
static int32_t tnChooseParts(tnDivision* division, uint8_t kinds[TN_MAX_PARTS])
{
	uint8_t* labelOf = division->labelOf;
	int32_t rootCount = 0;
	for (int32_t i = 0; i < division->spanCount; ++i)
	{
		tnSpan* span = division->spans + i;
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
		const tnSpan* span = division->spans + i;
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

static bool tnNeedsLabels(const tnDivision* division, int32_t partCount)
{
	// One part, and every voxel with liquid in it?
	int32_t other = 0;
	for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
	{
		other += division->view.labels[i] > 1 ? 1 : 0;
	}
	return partCount > 0 && other > 0;
}

static bool tnOverlaps(const tnVoxelBox* box, tnVoxel place)
{
	return box->low.x < 16 * place.x + 16 && box->high.x > 16 * place.x && box->low.y < 16 * place.y + 16 &&
		box->high.y > 16 * place.y && box->low.z < 16 * place.z + 16 && box->high.z > 16 * place.z;
}

void tnMarkOceans(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelChunk* chunk = block->chunks + index;
	const tnVoxel place = tnGetChunkPlace(block, index);
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		chunk->parts[i].inOcean = false;
	}
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

// Where to leave the accounts of parts that are no more: with the part that has most of their voxels, or where they were.
// @param labels those of before, NULL if all liquid was of the first part
static void tnInherit(tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, const tnVoxelPart* old, int32_t oldCount,
	const uint8_t* labels)
{
	tnVoxelChunk* chunk = block->chunks + index;
	for (int32_t i = 0; i < oldCount; ++i)
	{
		if (old[i].account == 0)
		{
			continue;
		}
		int32_t shares[TN_NO_PART + 1] = {0};
		int32_t first = -1;
		for (int32_t voxel = 0; voxel < TN_CHUNK_VOXELS; ++voxel)
		{
			const bool wasMine = labels == NULL || (labels[voxel / 2] >> (4 * (voxel % 2)) & 15) == i + 1;
			first = wasMine && first < 0 && labels != NULL ? voxel : first;
			shares[wasMine ? tnGetLabel(&world->store, chunk, voxel) : 0] += 1;
		}
		int32_t heir = -1;
		for (int32_t part = 0; part < chunk->partCount; ++part)
		{
			const bool isLarger = shares[part + 1] > (heir < 0 ? 0 : shares[heir + 1]);
			heir = isLarger && chunk->parts[part].kind == old[i].kind ? part : heir;
		}
		if (heir >= 0)
		{
			chunk->parts[heir].account += old[i].account;
		}
		else
		{
			const tnVoxel place = tnGetChunkPlace(block, index);
			const int32_t voxel = first < 0 ? TN_ROW / 2 * TN_ROW + TN_ROW / 2 : first;
			const tnVoxel home = {
				16 * place.x + voxel % TN_ROW, 16 * place.y + voxel / TN_LAYER, 16 * place.z + voxel / TN_ROW % TN_ROW};
			tnVoxelWorld_Wait(world, home, old[i].kind, old[i].account);
		}
	}
}

static void tnMeasureParts(const tnVoxelWorld* world, const tnDivideTask* task, tnDivision* division)
{
	const tnVoxelSurface* surfaces = division->surfaces;
	const int32_t bottom = 16 * tnGetChunkPlace(task->block, task->chunk).y;
	const int32_t count =
		tnListSurfaces(world, task->block, task->chunk, &division->view, task->parts, division->surfaces);
	for (int32_t i = 0; i < count; ++i)
	{
		tnVoxelPart* part = surfaces[i].part;
		const int64_t level = surfaces[i].level;
		if (surfaces[i].isCovered || surfaces[i].isPressed)
		{
			const int32_t y = bottom + surfaces[i].voxel / TN_LAYER;
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

tnVoxelPart tnMakePart(int32_t kind)
{
	return (tnVoxelPart){.kind = (uint8_t)kind, .coverLow = INT32_MAX, .coverHigh = INT32_MIN};
}

bool tnBeginDivision(tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk, tnDivideTask* task)
{
	tnVoxelStore* store = &world->store;
	// Of the small pages one for each task that is under way.
	if (store->labelPages.freeCount == 0 || store->partPages[1].freeCount == 0 ||
		store->partPages[0].freeCount <= world->taskCount)
	{
		return false;
	}
	*task = (tnDivideTask){.block = block, .chunk = chunk};
	task->labels = tnPagePool_Take(&store->labelPages);
	task->parts = tnPagePool_Take(store->partPages + 1);
	return true;
}

void tnFindVoxelParts(const tnVoxelWorld* world, tnDivideTask* task, tnDivision* division)
{
	const tnVoxelChunk* chunk = task->block->chunks + task->chunk;
	if (chunk->liquid == NULL && chunk->liquidFill == 0)
	{
		return;
	}
	const int32_t cap = world->def.cap;
	uint8_t kinds[TN_MAX_PARTS];
	tnViewChunk(world, task->block, task->chunk, &division->view);
	tnFindSpans(world, division);
	for (int32_t column = 0; column < TN_LAYER; ++column)
	{
		if (column % TN_ROW != TN_ROW - 1)
		{
			tnJoinColumns(cap, division, column, column + 1);
		}
		if (column + TN_ROW < TN_LAYER)
		{
			tnJoinColumns(cap, division, column, column + TN_ROW);
		}
	}
	task->partCount = tnChooseParts(division, kinds);
	for (int32_t i = 0; i < division->spanCount; ++i)
	{
		const tnSpan* span = division->spans + i;
		for (int32_t y = span->low; y <= span->high; ++y)
		{
			division->view.labels[y * TN_LAYER + span->column] = division->labelOf[i];
		}
	}
	task->needsLabels = tnNeedsLabels(division, task->partCount);
	const uint8_t* labels = division->view.labels;
	uint8_t* pairs = task->labels;
	for (int32_t i = 0; task->needsLabels && i < TN_CHUNK_VOXELS / 2; ++i)
	{
		pairs[i] = (uint8_t)(labels[2 * i] | labels[2 * i + 1] << 4);
	}
	for (int32_t i = 0; i < task->partCount; ++i)
	{
		task->parts[i] = tnMakePart(kinds[i]);
	}
	tnMeasureParts(world, task, division);
}

void tnEndDivision(tnVoxelWorld* world, const tnDivideTask* task)
{
	tnVoxelStore* store = &world->store;
	tnVoxelBlock* block = task->block;
	tnVoxelChunk* chunk = block->chunks + task->chunk;
	tnVoxelPart old[TN_MAX_PARTS];
	const int32_t oldCount = chunk->partCount;
	if (oldCount > 0)
	{
		memcpy(old, chunk->parts, (size_t)oldCount * sizeof(tnVoxelPart));
		tnPagePool_Give(store->partPages + (oldCount > 1 ? 1 : 0), chunk->parts);
	}
	uint8_t oldLabels[TN_CHUNK_VOXELS / 2];
	const bool hadLabels = chunk->labels != NULL;
	if (hadLabels)
	{
		memcpy(oldLabels, chunk->labels, sizeof(oldLabels));
		tnPagePool_Give(&store->labelPages, chunk->labels);
	}
	chunk->labels = task->needsLabels ? task->labels : NULL;
	if (!task->needsLabels)
	{
		tnPagePool_Give(&store->labelPages, task->labels);
	}
	chunk->partCount = (uint8_t)task->partCount;
	chunk->parts = task->partCount > 1 ? task->parts : NULL;
	if (task->partCount == 1)
	{
		chunk->parts = tnPagePool_Take(store->partPages);
		chunk->parts[0] = task->parts[0];
	}
	if (task->partCount <= 1)
	{
		tnPagePool_Give(store->partPages + 1, task->parts);
	}
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		chunk->parts[i].parent = chunk->parts + i;
	}
	if (chunk->liquid == NULL && chunk->liquidFill == 0)
	{
		chunk->kinds = 0;
	}
	const uint8_t bit = (uint8_t)(1 << task->chunk % 8);
	uint8_t* divided = block->divided + task->chunk / 8;
	*divided = (uint8_t)(task->partCount > 0 ? *divided | bit : *divided & ~bit);
	tnMarkOceans(world, block, task->chunk);
	tnInherit(world, block, task->chunk, old, oldCount, hadLabels ? oldLabels : NULL);
	tnVoxelBlock_SetStale(block, task->chunk, false);
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

// What lies on the heavy liquids of a chunk: as much as voxel_covers.c needs to know.
static void tnLinkCovers(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index)
{
	tnVoxelChunk* chunk = block->chunks + index;
	tnVoxelBlock* owner;
	int32_t other;
	const tnVoxelChunk* above = tnVoxelBlock_GetNeighbour(block, index, tn_voxelUp, &owner, &other);
	bool isCovered = false;
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		tnVoxelPart* part = chunk->parts + i;
		part->coverCount = 0;
		part->coverSum = 0;
		part->coversHere = part->coversAbove = 0;
		part->pressedCount = 0;
		part->pressedSum = 0;
		isCovered = isCovered || part->coverLow <= part->coverHigh;
	}
	if (!isCovered)
	{
		return;
	}
	tnDivision* division = world->divisions;
	const int32_t count = tnFindSurfaces(world, block, index, &division->view, division->surfaces);
	for (int32_t i = 0; i < count; ++i)
	{
		const tnVoxelSurface* surface = division->surfaces + i;
		tnVoxelPart* part = surface->part;
		if (!surface->isCovered && !surface->isPressed)
		{
			continue;
		}
		part->pressedCount += surface->isPressed ? 1 : 0;
		part->pressedSum += surface->isPressed ? surface->level : 0;
		const tnVoxelChunk* upper = surface->voxel < TN_CHUNK_VOXELS - TN_LAYER ? chunk : above;
		const int32_t label = tnGetLabel(&world->store, upper, (surface->voxel + TN_LAYER) % TN_CHUNK_VOXELS);
		const uint16_t bit = (uint16_t)(1u << (label == TN_NO_PART ? 0 : label));
		part->coverCount += 1;
		part->coverSum += surface->level;
		part->coversHere |= upper == chunk ? bit : 0;
		part->coversAbove |= upper == chunk ? 0 : bit;
	}
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
	tnLinkCovers(world, block, index);
	for (int direction = 0; direction < 3 && chunk->partCount > 0; ++direction)
	{
		tnVoxelBlock* owner;
		int32_t otherIndex;
		const tnVoxelChunk* other = tnVoxelBlock_GetNeighbour(block, index, sides[direction], &owner, &otherIndex);
		if (other == NULL || other->partCount == 0)
		{
			continue;
		}
		// Until each part touches each, if it does.
		const uint32_t all = ((1u << other->partCount) - 1) << 1;
		bool isComplete = false;
		for (int32_t i = 0; i < TN_ROW && !isComplete; ++i)
		{
			isComplete = true;
			for (int32_t k = 0; k < chunk->partCount; ++k)
			{
				isComplete = isComplete && chunk->parts[k].links[direction] == all;
			}
			for (int32_t j = 0; j < TN_ROW && !isComplete; ++j)
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

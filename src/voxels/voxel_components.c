// SPDX-License-Identifier: MIT

// Finds connected liquid: spans of columns, parts of chunks, components of the world.

#include "voxel_components.h"

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

static void tnFindSpans(tnDivision* division)
{
	const tnSpanBits* bits = &division->bits;
	int32_t count = 0;
	for (int32_t column = 0; column < TN_LAYER; ++column)
	{
		division->columnStart[column] = count;
		for (uint32_t first = bits->first[column]; first != 0; first &= first - 1)
		{
			const int32_t low = tnFindLowestBit(first);
			// It goes on up to the next that is not inside, or begins another.
			const uint32_t ends = ~(uint32_t)bits->inside[column] | (first & (first - 1));
			const int32_t high = low + tnFindLowestBit(ends >> (low + 1));
			const uint8_t kind = (uint8_t)tnGetKind(division->view.words[TN_LAYER + low * TN_LAYER + column]);
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

static bool tnSpansTouch(int32_t cap, const tnVoxelView* view, const tnSpan* one, const tnSpan* other)
{
	const int32_t low = tnMaxInt(one->low, other->low);
	const int32_t high = tnMinInt(one->high, other->high);
	if (low > high || one->kind != other->kind)
	{
		return false;
	}
	if (low < high)
	{
		return true; // both are full at the lower one
	}
	const int32_t a = TN_LAYER + low * TN_LAYER + one->column;
	const int32_t b = TN_LAYER + low * TN_LAYER + other->column;
	const int32_t amountA = tnGetAmount(view->words[a]);
	const int32_t amountB = tnGetAmount(view->words[b]);
	return tnTouches(cap, amountA, amountA + view->spaces[a], amountB, amountB + view->spaces[b]);
}

static inline void tnJoinColumns(int32_t cap, tnDivision* division, int32_t a, int32_t b)
{
	const tnSpan* spans = division->spans;
	int32_t i = division->columnStart[a];
	int32_t j = division->columnStart[b];
	while (i < division->columnStart[a + 1] && j < division->columnStart[b + 1])
	{
		if (spans[i].root != spans[j].root && tnSpansTouch(cap, &division->view, spans + i, spans + j))
		{
			tnJoin(division, (uint16_t)i, (uint16_t)j);
		}
		if (spans[i].high < spans[j].high)
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

// The TN_MAX_PARTS largest get labels, in the order of their first spans. Returns how many there are. `isAll` receives
// whether all of them get one.
static int32_t tnChooseParts(tnDivision* division, uint8_t kinds[TN_MAX_PARTS], bool* isAll)
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
	*isAll = rootCount <= TN_MAX_PARTS;
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

// Labels of all voxels, two in a byte.
static void tnWriteLabels(tnDivision* division, uint8_t* pairs)
{
	uint8_t* labels = division->labels;
	for (int32_t i = 0; i < TN_CHUNK_VOXELS; ++i)
	{
		labels[i] = division->view.words[TN_LAYER + i] != 0 ? TN_NO_PART : 0;
	}
	for (int32_t i = 0; i < division->spanCount; ++i)
	{
		const tnSpan* span = division->spans + i;
		for (int32_t y = span->low; y <= span->high; ++y)
		{
			labels[y * TN_LAYER + span->column] = division->labelOf[i];
		}
	}
	for (int32_t i = 0; i < TN_CHUNK_VOXELS / 2; ++i)
	{
		pairs[i] = (uint8_t)(labels[2 * i] | labels[2 * i + 1] << 4);
	}
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
		tnListSurfaces(world, task, task->needsLabels ? task->labels : NULL, &division->view, division->surfaces);
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

void tnBeginDivision(tnVoxelWorld* world, tnVoxelBlock* block, int32_t chunk, tnDivideTask* task)
{
	tnVoxelStore* store = &world->store;
	// Of the small pages one for each task that is under way.
	TN_ASSERT(store->labelPages.freeCount > 0 && store->partPages[1].freeCount > 0 &&
		store->partPages[0].freeCount > world->taskCount);
	*task = (tnDivideTask){.block = block, .chunk = chunk};
	task->labels = tnPagePool_Take(&store->labelPages);
	task->parts = tnPagePool_Take(store->partPages + 1);
}

// Kinds that stay in clumps: bit k.
static uint32_t tnGetClumps(const tnVoxelWorld* world)
{
	uint32_t clumps = 0;
	for (int32_t kind = 1; kind <= world->def.liquidCount; ++kind)
	{
		clumps |= world->def.liquids[kind - 1].levels ? 0 : 1u << kind;
	}
	return clumps;
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
	const bool hasOthers = world->kernels->markSpans(&division->view, tnGetClumps(world), &division->bits);
	tnFindSpans(division);
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
	bool isAll;
	task->partCount = tnChooseParts(division, kinds, &isAll);
	// Without labels all liquid is of the first part.
	task->needsLabels = task->partCount > 1 || (task->partCount == 1 && (hasOthers || !isAll));
	if (task->needsLabels)
	{
		tnWriteLabels(division, task->labels);
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

// What lies on the heavy liquids of a chunk: as much as voxel_layered_liquids.c needs to know.
static void tnLinkCovers(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, tnDivision* division)
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

void tnLinkChunk(const tnVoxelWorld* world, tnVoxelBlock* block, int32_t index, tnDivision* division)
{
	const tnVoxelStore* store = &world->store;
	tnVoxelChunk* chunk = block->chunks + index;
	static const tnVoxelSide sides[3] = {tn_voxelEast, tn_voxelSouth, tn_voxelUp};
	for (int32_t i = 0; i < chunk->partCount; ++i)
	{
		memset(chunk->parts[i].links, 0, sizeof(chunk->parts[i].links));
	}
	tnLinkCovers(world, block, index, division);
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

// SPDX-License-Identifier: MIT

// Finds basins: vertical rays through the mesh, the air between the solids of each, and a flood from outside.
//
//   rays       through a grid of places that is wider than the mesh. Solid is where more surfaces were entered than left, so shapes
//              of a compound add.
//   neighbours the air of two rays side by side is connected above the lowest height at which a level line from one to the other
//              meets no triangle. That sees walls of any thickness, between rays too.
//   flood      from the air around the mesh, lowest passage first: the height of a passage to it is the height to which water
//              could rise. Air that is lower than that is a basin, and basins that are connected below it are one.
//
// Rays lie at odd shares of the extent of the mesh, so that they do not run along the edges of boxes.

#include "hollow_search.h"

#include <math.h>
#include <string.h>

enum
{
	TN_MOST_RAYS = 40,  // across the longer side
	TN_LEAST_RAYS = 16, // across the shorter one
	TN_MAX_HITS = 64,   // of a vertical line; what is beyond is left out
};

// Over the extent of the mesh: heights and gaps that make no difference.
#define TN_HOLLOW_TOLERANCE 1.0e-3

// A basin is none if it has less volume than this over the box around the mesh.
#define TN_LEAST_BASIN 2.0e-3

void* tnGrowing_Add(tnGrowing* growing)
{
	if (growing->count == growing->capacity)
	{
		const int capacity = tnMaxInt(64, 2 * growing->capacity);
		void* items = growing->failed
			? NULL
			: tnMemory_Grow(growing->memory, growing->items, (size_t)growing->capacity * growing->unit,
				  (size_t)capacity * growing->unit);
		if (items == NULL)
		{
			growing->failed = true;
			return NULL;
		}
		growing->items = items;
		growing->capacity = capacity;
	}
	void* item = (char*)growing->items + (size_t)growing->count * growing->unit;
	memset(item, 0, growing->unit);
	growing->count += 1;
	return item;
}

void tnGrowing_Free(tnGrowing* growing)
{
	tnMemory_Free(growing->memory, growing->items, (size_t)growing->capacity * growing->unit);
	*growing = (tnGrowing){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Rays

// A surface that a ray meets.
typedef struct tnAirHit
{
	int32_t ray;
	bool enters; // from below
	double y;
} tnAirHit;

// Heights between two rays at which there is a triangle.
typedef struct tnWallPiece
{
	int32_t strip; // 2 * ray + axis: to the next one along that axis
	double low, high;
} tnWallPiece;

typedef struct tnRayWork
{
	tnHollowSearch* search;
	tnGrowing hits, walls, buckets;
	int32_t* hitBegin;
	int32_t* wallBegin;
} tnRayWork;

// The pieces of wall in a strip; NULL where a mesh so narrow that no ray meets it has none at all.
static tnWallPiece* tnGetWalls(const tnRayWork* work, int strip)
{
	return work->walls.items == NULL ? NULL : (tnWallPiece*)work->walls.items + work->wallBegin[strip];
}

static int tnGetWallCount(const tnRayWork* work, int strip)
{
	return work->wallBegin[strip + 1] - work->wallBegin[strip];
}

static int tnGetRayCount(const tnHollowSearch* search)
{
	return search->count[0] * search->count[1];
}

static double tnGetRayPlace(const tnHollowSearch* search, int axis, int index)
{
	return search->first[axis] + search->space[axis] * index;
}

// The first ray at or after a place along an axis.
static int tnFindRay(const tnHollowSearch* search, int axis, double place)
{
	const double at = (place - search->first[axis]) / search->space[axis];
	int index = (int)at;
	index = tnClampInt(index - 1, 0, search->count[axis] - 1);
	while (index < search->count[axis] && tnGetRayPlace(search, axis, index) < place)
	{
		++index;
	}
	return index;
}

static void tnGetCorner(const tnMesh* mesh, int triangle, int corner, double p[3])
{
	const tnVec3 q = mesh->points[mesh->triangles[3 * (ptrdiff_t)triangle + corner]];
	// x, z, height: as rays have it.
	p[0] = q.x;
	p[1] = q.z;
	p[2] = q.y;
}

// Where an edge meets a plane across an axis, from its lower end on: both triangles of an edge get the same point.
static void tnMeetPlane(const double a[3], const double b[3], int axis, double place, double out[2])
{
	const double* from = a[axis] < b[axis] ? a : b;
	const double* to = a[axis] < b[axis] ? b : a;
	const double share = (place - from[axis]) / (to[axis] - from[axis]);
	out[0] = from[1 - axis] + share * (to[1 - axis] - from[1 - axis]);
	out[1] = from[2] + share * (to[2] - from[2]);
}

// The line in which a triangle meets a vertical plane through a row of rays, cut at these.
// @param axis along which the row runs
static void tnAddRow(tnRayWork* work, int axis, int row, const double up[2], const double down[2])
{
	tnHollowSearch* search = work->search;
	const double* first = up[0] < down[0] ? up : down;
	const double* last = up[0] < down[0] ? down : up;
	const double run = last[0] - first[0];
	const int end = tnFindRay(search, axis, last[0]);
	int index = tnFindRay(search, axis, first[0]);
	double from = first[1];
	for (; index <= end && index < search->count[axis]; ++index)
	{
		const double place = tnGetRayPlace(search, axis, index);
		const bool passes = index < end;
		const double to = passes ? first[1] + (place - first[0]) / run * (last[1] - first[1]) : last[1];
		const int before = index - 1;
		if (before >= 0)
		{
			tnWallPiece* wall = tnGrowing_Add(&work->walls);
			if (wall != NULL)
			{
				const int ray = axis == 0 ? row * search->count[0] + before : before * search->count[0] + row;
				*wall = (tnWallPiece){2 * ray + axis, from < to ? from : to, from < to ? to : from};
			}
		}
		if (passes && axis == 0)
		{
			tnAirHit* hit = tnGrowing_Add(&work->hits);
			if (hit != NULL)
			{
				*hit = (tnAirHit){row * search->count[0] + index, !(up[0] < down[0]), to};
			}
		}
		from = to;
	}
}

static void tnAddTriangleToRays(tnRayWork* work, int triangle)
{
	tnHollowSearch* search = work->search;
	double p[3][3];
	double low[2], high[2];
	for (int i = 0; i < 3; ++i)
	{
		tnGetCorner(search->mesh, triangle, i, p[i]);
		for (int axis = 0; axis < 2; ++axis)
		{
			low[axis] = i == 0 || p[i][axis] < low[axis] ? p[i][axis] : low[axis];
			high[axis] = i == 0 || p[i][axis] > high[axis] ? p[i][axis] : high[axis];
		}
	}
	for (int axis = 0; axis < 2; ++axis)
	{
		const int across = 1 - axis;
		const int end = tnFindRay(search, across, high[across]);
		for (int row = tnFindRay(search, across, low[across]); row < end; ++row)
		{
			const double place = tnGetRayPlace(search, across, row);
			double up[2] = {0.0, 0.0}, down[2] = {0.0, 0.0};
			int found = 0;
			for (int i = 0; i < 3; ++i)
			{
				const double* a = p[i];
				const double* b = p[(i + 1) % 3];
				if ((a[across] < place) != (b[across] < place))
				{
					tnMeetPlane(a, b, across, place, a[across] < place ? up : down);
					found += 1;
				}
			}
			if (found == 2)
			{
				tnAddRow(work, axis, row, up, down);
			}
		}
	}
	// Cells between rays: cell (i, j) has ray (i, j) at its lower corner.
	const int begin[2] = {tnMaxInt(tnFindRay(search, 0, low[0]) - 1, 0), tnMaxInt(tnFindRay(search, 1, low[1]) - 1, 0)};
	const int end[2] = {tnFindRay(search, 0, high[0]), tnFindRay(search, 1, high[1])};
	for (int row = begin[1]; row <= tnMinInt(end[1], search->count[1] - 1); ++row)
	{
		for (int column = begin[0]; column <= tnMinInt(end[0], search->count[0] - 1); ++column)
		{
			int32_t* item = tnGrowing_Add(&work->buckets);
			if (item != NULL)
			{
				item[0] = row * search->count[0] + column;
				item[1] = triangle;
			}
		}
	}
}

// Where the items of each key begin, by counting. begin has room for keyCount + 2.
static void tnCountKeys(const char* items, int count, size_t unit, int keyCount, int32_t* begin)
{
	memset(begin, 0, (size_t)(keyCount + 2) * sizeof(int32_t));
	for (int i = 0; i < count; ++i)
	{
		int32_t key;
		memcpy(&key, items + (size_t)i * unit, sizeof(key));
		begin[key + 2] += 1;
	}
	for (int i = 2; i < keyCount + 2; ++i)
	{
		begin[i] += begin[i - 1];
	}
}

// Sort items by the key that they begin with, and by their order. False if memory ran out.
static bool tnSortByKey(tnGrowing* growing, int keyCount, int32_t* begin)
{
	tnCountKeys(growing->items, growing->count, growing->unit, keyCount, begin);
	if (growing->count == 0)
	{
		return true;
	}
	char* sorted = tnMemory_AllocDirty(growing->memory, (size_t)growing->capacity * growing->unit);
	if (sorted == NULL)
	{
		return false;
	}
	const char* items = growing->items;
	for (int i = 0; i < growing->count; ++i)
	{
		int32_t key;
		memcpy(&key, items + (size_t)i * growing->unit, sizeof(key));
		memcpy(sorted + (size_t)begin[key + 1] * growing->unit, items + (size_t)i * growing->unit, growing->unit);
		begin[key + 1] += 1;
	}
	tnMemory_Free(growing->memory, growing->items, (size_t)growing->capacity * growing->unit);
	growing->items = sorted;
	return true;
}

// Sort by height. Few of them.
static void tnSortHits(tnAirHit* hits, int count)
{
	for (int i = 1; i < count; ++i)
	{
		const tnAirHit hit = hits[i];
		int k = i;
		// Where two shapes touch, the one above is entered before the one below is left.
		for (; k > 0 && (hit.y < hits[k - 1].y || (hit.y == hits[k - 1].y && hit.enters && !hits[k - 1].enters)); --k)
		{
			hits[k] = hits[k - 1];
		}
		hits[k] = hit;
	}
}

static void tnSortWalls(tnWallPiece* walls, int count)
{
	for (int i = 1; i < count; ++i)
	{
		const tnWallPiece wall = walls[i];
		int k = i;
		for (; k > 0 && wall.low < walls[k - 1].low; --k)
		{
			walls[k] = walls[k - 1];
		}
		walls[k] = wall;
	}
}

// The air of all rays.
static bool tnMakeAir(tnRayWork* work)
{
	tnHollowSearch* search = work->search;
	tnGrowing air = {.memory = search->memory, .unit = sizeof(tnAir)};
	const int rayCount = tnGetRayCount(search);
	for (int ray = 0; ray < rayCount && !air.failed; ++ray)
	{
		search->airBegin[ray] = air.count;
		const int count = work->hitBegin[ray + 1] - work->hitBegin[ray];
		// Rays that meet nothing may have no hits at all.
		tnAirHit* hits = count > 0 ? (tnAirHit*)work->hits.items + work->hitBegin[ray] : NULL;
		tnSortHits(hits, count);
		int depth = 0;
		double low = -HUGE_VAL;
		for (int i = 0; i <= count; ++i)
		{
			const double high = i < count ? hits[i].y : HUGE_VAL;
			const bool closes = i == count || (depth <= 0 && depth + (hits[i].enters ? 1 : -1) > 0);
			if (closes && depth <= 0 && high - low > search->tolerance)
			{
				tnAir* item = tnGrowing_Add(&air);
				if (item != NULL)
				{
					*item = (tnAir){low, high, HUGE_VAL, -1};
				}
			}
			if (i < count)
			{
				depth += hits[i].enters ? 1 : -1;
				low = high;
			}
		}
	}
	search->airBegin[rayCount] = air.count;
	search->air = air.items;
	search->airCount = air.capacity;
	return !air.failed;
}

// The lowest height at which the air of two rays is connected; HUGE_VAL if there is none.
// @param walls between them, from the lowest on
static double tnFindPassage(const tnAir* a, const tnAir* b, const tnWallPiece* walls, int wallCount, double tolerance)
{
	double height = a->low > b->low ? a->low : b->low;
	const double top = a->high < b->high ? a->high : b->high;
	for (int i = 0; i < wallCount; ++i)
	{
		if (walls[i].low > height + tolerance)
		{
			break;
		}
		height = walls[i].high > height ? walls[i].high : height;
	}
	return height + tolerance < top ? height : HUGE_VAL;
}

// ---------------------------------------------------------------------------------------------------------------------
// Flood

// Air that waits, lowest first: a binary heap.
typedef struct tnWaiting
{
	double height;
	int32_t air, ray;
} tnWaiting;

static bool tnIsBefore(const tnWaiting* a, const tnWaiting* b)
{
	return a->height < b->height || (a->height == b->height && a->air < b->air);
}

static void tnPushWaiting(tnGrowing* heap, tnWaiting item)
{
	if (tnGrowing_Add(heap) == NULL)
	{
		return;
	}
	tnWaiting* items = heap->items;
	int place = heap->count - 1;
	while (place > 0 && tnIsBefore(&item, items + (place - 1) / 2))
	{
		items[place] = items[(place - 1) / 2];
		place = (place - 1) / 2;
	}
	items[place] = item;
}

static tnWaiting tnPopWaiting(tnGrowing* heap)
{
	tnWaiting* items = heap->items;
	const tnWaiting top = items[0];
	heap->count -= 1;
	const tnWaiting last = items[heap->count];
	int place = 0;
	for (;;)
	{
		int child = 2 * place + 1;
		if (child + 1 < heap->count && tnIsBefore(items + child + 1, items + child))
		{
			child += 1;
		}
		if (child >= heap->count || !tnIsBefore(items + child, &last))
		{
			break;
		}
		items[place] = items[child];
		place = child;
	}
	items[place] = last;
	return top;
}

// The ray beside one: 0 to the right, 1 behind, 2 to the left, 3 before. -1 if there is none.
static int tnGetNextRay(const tnHollowSearch* search, int ray, int side, int* strip)
{
	const int column = ray % search->count[0];
	const int row = ray / search->count[0];
	const int axis = side % 2;
	const int place = axis == 0 ? column : row;
	const int step = axis == 0 ? 1 : search->count[0];
	if (side < 2)
	{
		*strip = 2 * ray + axis;
		return place + 1 < search->count[axis] ? ray + step : -1;
	}
	*strip = 2 * (ray - step) + axis;
	return place > 0 ? ray - step : -1;
}

static double tnGetPassage(const tnRayWork* work, int strip, const tnAir* a, const tnAir* b)
{
	return tnFindPassage(a, b, tnGetWalls(work, strip), tnGetWallCount(work, strip), work->search->tolerance);
}

static bool tnFlood(tnRayWork* work)
{
	tnHollowSearch* search = work->search;
	tnGrowing heap = {.memory = search->memory, .unit = sizeof(tnWaiting)};
	const int rayCount = tnGetRayCount(search);
	for (int ray = 0; ray < rayCount; ++ray)
	{
		const int column = ray % search->count[0];
		const int row = ray / search->count[0];
		if (column == 0 || row == 0 || column == search->count[0] - 1 || row == search->count[1] - 1)
		{
			// Beside the mesh there is nothing but air.
			tnAir* air = search->air + search->airBegin[ray];
			air->spill = -HUGE_VAL;
			tnPushWaiting(&heap, (tnWaiting){-HUGE_VAL, search->airBegin[ray], ray});
		}
	}
	while (heap.count > 0 && !heap.failed)
	{
		const tnWaiting next = tnPopWaiting(&heap);
		const tnAir* from = search->air + next.air;
		if (next.height > from->spill)
		{
			continue;
		}
		for (int side = 0; side < 4; ++side)
		{
			int strip;
			const int ray = tnGetNextRay(search, next.ray, side, &strip);
			for (int i = ray >= 0 ? search->airBegin[ray] : 0; ray >= 0 && i < search->airBegin[ray + 1]; ++i)
			{
				tnAir* to = search->air + i;
				if (to->spill <= from->spill)
				{
					continue;
				}
				const double passage = tnGetPassage(work, strip, from, to);
				const double height = passage > from->spill ? passage : from->spill;
				if (height < to->spill)
				{
					to->spill = height;
					tnPushWaiting(&heap, (tnWaiting){height, i, ray});
				}
			}
		}
	}
	const bool ok = !heap.failed;
	tnGrowing_Free(&heap);
	return ok;
}

static bool tnIsHollowAir(const tnHollowSearch* search, const tnAir* air)
{
	return air->spill > air->low + 2.0 * search->tolerance && air->low > -HUGE_VAL;
}

// All air that is connected below the height to which it can be filled is one basin.
static bool tnGatherBasin(tnRayWork* work, int firstRay, int firstAir, tnGrowing* stack)
{
	tnHollowSearch* search = work->search;
	const int index = search->basinCount;
	tnBasin* basin = search->basins + index;
	*basin = (tnBasin){.spill = search->air[firstAir].spill};
	const double area = search->space[0] * search->space[1];
	search->air[firstAir].basin = index;
	tnPushWaiting(stack, (tnWaiting){0.0, firstAir, firstRay});
	while (stack->count > 0 && !stack->failed)
	{
		const tnWaiting next = ((tnWaiting*)stack->items)[--stack->count];
		const tnAir* from = search->air + next.air;
		const double top = from->high < from->spill ? from->high : from->spill;
		basin->volume += area * (top - from->low);
		basin->rayCount += 1;
		for (int side = 0; side < 4; ++side)
		{
			int strip;
			const int ray = tnGetNextRay(search, next.ray, side, &strip);
			for (int i = ray >= 0 ? search->airBegin[ray] : 0; ray >= 0 && i < search->airBegin[ray + 1]; ++i)
			{
				tnAir* to = search->air + i;
				if (to->basin >= 0 || !tnIsHollowAir(search, to))
				{
					continue;
				}
				const double lower = to->spill < from->spill ? to->spill : from->spill;
				if (tnGetPassage(work, strip, from, to) < lower - search->tolerance)
				{
					to->basin = index;
					tnWaiting* item = tnGrowing_Add(stack);
					if (item != NULL)
					{
						*item = (tnWaiting){0.0, i, ray};
					}
				}
			}
		}
	}
	return !stack->failed;
}

static bool tnGatherBasins(tnRayWork* work)
{
	tnHollowSearch* search = work->search;
	tnGrowing stack = {.memory = search->memory, .unit = sizeof(tnWaiting)};
	const int rayCount = tnGetRayCount(search);
	double box = 1.0;
	for (int axis = 0; axis < 3; ++axis)
	{
		box *= search->high[axis] - search->low[axis];
	}
	bool ok = true;
	for (int ray = 0; ray < rayCount && ok; ++ray)
	{
		for (int i = search->airBegin[ray]; i < search->airBegin[ray + 1] && ok; ++i)
		{
			if (search->air[i].basin >= 0 || !tnIsHollowAir(search, search->air + i) ||
				search->basinCount == TN_MAX_BASINS)
			{
				continue;
			}
			ok = tnGatherBasin(work, ray, i, &stack);
			const tnBasin* basin = search->basins + search->basinCount;
			if (basin->rayCount >= 4 && basin->volume > TN_LEAST_BASIN * box)
			{
				search->basinCount += 1;
			}
			else
			{
				for (int k = 0; k < search->airBegin[rayCount]; ++k)
				{
					if (search->air[k].basin == search->basinCount)
					{
						// Never looked at again, and never found.
						search->air[k].basin = -1;
						search->air[k].spill = search->air[k].low;
					}
				}
			}
		}
	}
	tnGrowing_Free(&stack);
	return ok;
}

static void tnPlaceRays(tnHollowSearch* search)
{
	// Shares of the space between rays.
	static const double s_odd[2] = {0.4629, 0.5311};
	double extent[2];
	for (int axis = 0; axis < 2; ++axis)
	{
		extent[axis] = search->high[axis] - search->low[axis];
	}
	for (int axis = 0; axis < 2; ++axis)
	{
		const double ratio = extent[axis] / (extent[1 - axis] > extent[axis] ? extent[1 - axis] : extent[axis]);
		const int across = tnClampInt((int)(TN_MOST_RAYS * ratio), TN_LEAST_RAYS, TN_MOST_RAYS);
		search->space[axis] = extent[axis] / across;
		search->first[axis] = search->low[axis] - (1.0 - s_odd[axis]) * search->space[axis];
		search->count[axis] = across + 2;
	}
}

static bool tnRayWork_Run(tnRayWork* work)
{
	tnHollowSearch* search = work->search;
	const int rayCount = tnGetRayCount(search);
	for (int i = 0; i < search->mesh->triangleCount; ++i)
	{
		tnAddTriangleToRays(work, i);
	}
	bool ok = !work->hits.failed && !work->walls.failed && !work->buckets.failed;
	ok = ok && tnSortByKey(&work->hits, rayCount, work->hitBegin);
	ok = ok && tnSortByKey(&work->walls, 2 * rayCount, work->wallBegin);
	ok = ok && tnSortByKey(&work->buckets, rayCount, search->bucketBegin);
	for (int strip = 0; strip < 2 * rayCount && ok; ++strip)
	{
		tnSortWalls(tnGetWalls(work, strip), tnGetWallCount(work, strip));
	}
	search->bucket = work->buckets.items;
	search->bucketCount = work->buckets.capacity;
	work->buckets = (tnGrowing){0};
	return ok && tnMakeAir(work) && tnFlood(work) && tnGatherBasins(work);
}

bool tnHollowSearch_Make(tnHollowSearch* search, const tnMesh* mesh, tnMemory* memory)
{
	*search = (tnHollowSearch){.mesh = mesh, .memory = memory};
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		const double p[3] = {mesh->points[i].x, mesh->points[i].z, mesh->points[i].y};
		for (int axis = 0; axis < 3; ++axis)
		{
			search->low[axis] = i == 0 || p[axis] < search->low[axis] ? p[axis] : search->low[axis];
			search->high[axis] = i == 0 || p[axis] > search->high[axis] ? p[axis] : search->high[axis];
		}
	}
	double extent = 0.0;
	for (int axis = 0; axis < 3; ++axis)
	{
		const double size = search->high[axis] - search->low[axis];
		extent = size > extent ? size : extent;
		if (!(size > 1.0e-6 * (double)mesh->radius))
		{
			return true;
		}
	}
	search->tolerance = TN_HOLLOW_TOLERANCE * (search->high[2] - search->low[2]);
	tnPlaceRays(search);
	const int rayCount = tnGetRayCount(search);
	tnRayWork work = {
		.search = search,
		.hits = {.memory = memory, .unit = sizeof(tnAirHit)},
		.walls = {.memory = memory, .unit = sizeof(tnWallPiece)},
		.buckets = {.memory = memory, .unit = 2 * sizeof(int32_t)},
	};
	const size_t rayBytes = (size_t)(rayCount + 2) * sizeof(int32_t);
	const size_t stripBytes = (size_t)(2 * rayCount + 2) * sizeof(int32_t);
	work.hitBegin = tnMemory_Alloc(memory, rayBytes);
	work.wallBegin = tnMemory_Alloc(memory, stripBytes);
	search->airBegin = tnMemory_Alloc(memory, rayBytes);
	search->bucketBegin = tnMemory_Alloc(memory, rayBytes);
	const bool room =
		work.hitBegin != NULL && work.wallBegin != NULL && search->airBegin != NULL && search->bucketBegin != NULL;
	const bool ok = room && tnRayWork_Run(&work);
	tnGrowing_Free(&work.hits);
	tnGrowing_Free(&work.walls);
	tnGrowing_Free(&work.buckets);
	tnMemory_Free(memory, work.hitBegin, rayBytes);
	tnMemory_Free(memory, work.wallBegin, stripBytes);
	return ok;
}

void tnHollowSearch_Free(tnHollowSearch* search)
{
	const size_t rayBytes = (size_t)(tnGetRayCount(search) + 2) * sizeof(int32_t);
	tnMemory_Free(search->memory, search->airBegin, rayBytes);
	tnMemory_Free(search->memory, search->bucketBegin, rayBytes);
	tnMemory_Free(search->memory, search->air, (size_t)search->airCount * sizeof(tnAir));
	tnMemory_Free(search->memory, search->bucket, 2 * (size_t)search->bucketCount * sizeof(int32_t));
	*search = (tnHollowSearch){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Places

// Where a way meets a triangle, as a share of it; HUGE_VAL if it does not. After Moeller and Trumbore.
static double tnMeetTriangle(const tnMesh* mesh, int triangle, const double from[3], const double way[3])
{
	double p[3][3];
	for (int i = 0; i < 3; ++i)
	{
		tnGetCorner(mesh, triangle, i, p[i]);
	}
	double e[3], f[3], t[3];
	for (int i = 0; i < 3; ++i)
	{
		e[i] = p[1][i] - p[0][i];
		f[i] = p[2][i] - p[0][i];
		t[i] = from[i] - p[0][i];
	}
	const double h[3] = {way[1] * f[2] - way[2] * f[1], way[2] * f[0] - way[0] * f[2], way[0] * f[1] - way[1] * f[0]};
	const double scale = e[0] * h[0] + e[1] * h[1] + e[2] * h[2];
	if (scale == 0.0)
	{
		return HUGE_VAL;
	}
	const double u = (t[0] * h[0] + t[1] * h[1] + t[2] * h[2]) / scale;
	const double q[3] = {t[1] * e[2] - t[2] * e[1], t[2] * e[0] - t[0] * e[2], t[0] * e[1] - t[1] * e[0]};
	const double v = (way[0] * q[0] + way[1] * q[1] + way[2] * q[2]) / scale;
	const double at = (f[0] * q[0] + f[1] * q[1] + f[2] * q[2]) / scale;
	return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && at >= 0.0 ? at : HUGE_VAL;
}

double tnHollowSearch_Cast(const tnHollowSearch* search, const double from[3], const double way[3])
{
	double nearest = 1.0;
	for (int i = 0; i < search->mesh->triangleCount; ++i)
	{
		const double at = tnMeetTriangle(search->mesh, i, from, way);
		nearest = at < nearest ? at : nearest;
	}
	return nearest;
}

// The cell between rays that a place is in; -1 if it is outside of them.
static int tnFindCell(const tnHollowSearch* search, const double point[3])
{
	int place[2];
	for (int axis = 0; axis < 2; ++axis)
	{
		place[axis] = tnFindRay(search, axis, point[axis]) - 1;
		if (place[axis] < 0 || place[axis] >= search->count[axis] - 1)
		{
			return -1;
		}
	}
	return place[1] * search->count[0] + place[0];
}

// The basin of the air of a ray at a height.
static int tnLocateOnRay(const tnHollowSearch* search, int ray, double height)
{
	for (int i = search->airBegin[ray]; i < search->airBegin[ray + 1]; ++i)
	{
		const tnAir* air = search->air + i;
		if (air->low <= height && height <= air->high)
		{
			return air->basin >= 0 && height < air->spill ? air->basin : TN_OUTER_AIR;
		}
	}
	return TN_UNKNOWN_AIR;
}

// From a point straight to the rays around it, the nearest first.
static int tnLookAtRays(const tnHollowSearch* search, const double point[3])
{
	const int cell = tnFindCell(search, point);
	if (cell < 0)
	{
		return TN_OUTER_AIR;
	}
	const int column = cell % search->count[0];
	const int row = cell / search->count[0];
	const bool right = point[0] > tnGetRayPlace(search, 0, column) + 0.5 * search->space[0];
	const bool behind = point[1] > tnGetRayPlace(search, 1, row) + 0.5 * search->space[1];
	for (int i = 0; i < 4; ++i)
	{
		const int c = column + (right ? 1 - i % 2 : i % 2);
		const int r = row + (behind ? 1 - i / 2 : i / 2);
		const double way[3] = {tnGetRayPlace(search, 0, c) - point[0], tnGetRayPlace(search, 1, r) - point[1], 0.0};
		bool free = true;
		for (int k = search->bucketBegin[cell]; k < search->bucketBegin[cell + 1] && free; ++k)
		{
			free = !(tnMeetTriangle(search->mesh, search->bucket[2 * k + 1], point, way) <= 1.0);
		}
		const int found = free ? tnLocateOnRay(search, r * search->count[0] + c, point[2]) : TN_UNKNOWN_AIR;
		if (found != TN_UNKNOWN_AIR)
		{
			return found;
		}
	}
	return TN_UNKNOWN_AIR;
}

int tnHollowSearch_Locate(const tnHollowSearch* search, const double point[3])
{
	static const double s_sides[8][2] = {
		{1.0, 0.1}, {-1.0, 0.1}, {0.1, 1.0}, {0.1, -1.0}, {0.7, 0.6}, {-0.7, 0.6}, {0.7, -0.6}, {-0.7, -0.6}};
	double at[3] = {point[0], point[1], point[2]};
	int found = tnLookAtRays(search, at);
	// In a narrow corner no ray is in sight: go where there is most room, and look again.
	for (int tries = 0; tries < 4 && found == TN_UNKNOWN_AIR; ++tries)
	{
		double best = 0.0;
		double step[2] = {0.0, 0.0};
		for (int i = 0; i < 8; ++i)
		{
			const double way[3] = {2.0 * search->space[0] * s_sides[i][0], 2.0 * search->space[1] * s_sides[i][1], 0.0};
			const double room = 0.8 * tnHollowSearch_Cast(search, at, way);
			const double length = room * room * (way[0] * way[0] + way[1] * way[1]);
			if (length > best)
			{
				best = length;
				step[0] = room * way[0];
				step[1] = room * way[1];
			}
		}
		at[0] += step[0];
		at[1] += step[1];
		found = tnLookAtRays(search, at);
	}
	return found;
}

bool tnHollowSearch_IsSolid(const tnHollowSearch* search, const double point[3], double* top)
{
	*top = point[2];
	const int cell = tnFindCell(search, point);
	if (cell < 0)
	{
		return false;
	}
	tnAirHit hits[TN_MAX_HITS];
	int count = 0;
	const double from[3] = {point[0], point[1], search->low[2] - 1.0};
	const double way[3] = {0.0, 0.0, 1.0};
	for (int k = search->bucketBegin[cell]; k < search->bucketBegin[cell + 1] && count < TN_MAX_HITS; ++k)
	{
		const int triangle = search->bucket[2 * k + 1];
		const double at = tnMeetTriangle(search->mesh, triangle, from, way);
		if (at < HUGE_VAL)
		{
			double a[3], b[3], c[3];
			tnGetCorner(search->mesh, triangle, 0, a);
			tnGetCorner(search->mesh, triangle, 1, b);
			tnGetCorner(search->mesh, triangle, 2, c);
			const double up = (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1]);
			hits[count++] = (tnAirHit){0, up < 0.0, from[2] + at};
		}
	}
	tnSortHits(hits, count);
	int depth = 0;
	for (int i = 0; i < count; ++i)
	{
		const int next = depth + (hits[i].enters ? 1 : -1);
		if (hits[i].y >= point[2] && depth > 0 && next <= 0)
		{
			*top = hits[i].y;
			return true;
		}
		if (hits[i].y > point[2] && depth <= 0)
		{
			return false;
		}
		depth = next;
	}
	return false;
}

// SPDX-License-Identifier: MIT

// What stands in links: bodies by cell, their outlines at a height as obstacles, and the levels in which these are others. See body_links.c.

#include "link_standers.h"

#include "body_cover.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Bodies

bool tnListStanders(tnLinkContext* context, const int* grouped)
{
	const tnGroup* group = context->group;
	tnStanders* list = &context->standers;
	memset(list->heads, 0, (size_t)(group->stripCount * TN_STRIP_SIZE) * sizeof(int));
	for (int i = group->bodyBegin; i < group->bodyEnd; ++i)
	{
		const tnBody* body = tnBodies_Get(context->bodies, grouped[i]);
		tnSlotWalk walk = {.slot = -1};
		for (int k = 0; k < body->cut.columnCount && body->mode == tn_blockingBody; ++k)
		{
			const int slot = tnSlotWalk_Find(&walk, group, body->cut.cells[k].column, body->cut.cells[k].row);
			if (slot < 0)
			{
				continue;
			}
			if (list->count == list->capacity)
			{
				return false;
			}
			int* link = list->links + (ptrdiff_t)TN_STANDER_INTS * list->count;
			link[0] = grouped[i];
			link[1] = k;
			link[2] = list->heads[slot];
			list->heads[slot] = ++list->count;
		}
	}
	for (int i = 0; i < group->seamCount; ++i)
	{
		list->heads[group->seams[i].copy] = list->heads[group->seams[i].origin];
	}
	return true;
}

// How far a range of cells has to be shifted to hold a cell, in a world that wraps.
static int tnFindShift(int begin, int end, int cell, int count, bool wrap)
{
	if (!wrap || (cell >= begin - 1 && cell <= end))
	{
		return 0;
	}
	const int turns = (cell - begin) >= 0 ? (cell - begin) / count : -((begin - cell + count - 1) / count);
	const int shift = turns * count;
	// One beside it is near enough.
	return cell >= begin + shift - 1 && cell <= end + shift ? shift : shift + count;
}

int tnAddStanders(
	const tnLinkContext* context, int slot, int column, int row, bool beside, tnStander* standers, int count)
{
	const tnGrid* grid = context->grid;
	for (int at = context->standers.heads[slot]; at > 0 && count >= 0;)
	{
		const int* link = context->standers.links + (ptrdiff_t)TN_STANDER_INTS * (at - 1);
		const tnBody* body = tnBodies_Get(context->bodies, link[0]);
		const tnCellBox* box = &body->touched;
		at = link[2];
		const tnStander next = {
			.body = body,
			.shiftColumn = tnFindShift(box->columnBegin, box->columnEnd, column, grid->columnCount, grid->wrapX),
			.shiftRow = tnFindShift(box->rowBegin, box->rowEnd, row, grid->rowCount, grid->wrapZ),
			.share = tnCut_GetField(&body->cut, tn_columnShare)[link[1]],
			.low = tnCut_GetField(&body->cut, tn_columnLow)[link[1]],
			.high = tnCut_GetField(&body->cut, tn_columnHigh)[link[1]],
			.beside = beside,
		};
		tnStander* same = NULL;
		for (int i = 0; i < count && same == NULL; ++i)
		{
			const tnStander* s = standers + i;
			const bool here = s->shiftColumn == next.shiftColumn && s->shiftRow == next.shiftRow;
			const bool joined = body->mesh.simple || (s->low < next.high && next.low < s->high);
			same = s->body == body && here && joined ? standers + i : NULL;
		}
		if (same == NULL)
		{
			if (count == TN_LINK_BODIES)
			{
				return -1;
			}
			standers[count++] = next;
		}
		else if (same->beside == beside)
		{
			const float share = same->share + next.share;
			same->low = (same->share * same->low + next.share * next.low) / share;
			same->high = (same->share * same->high + next.share * next.high) / share;
			same->share = share;
		}
	}
	return count;
}

// ---------------------------------------------------------------------------------------------------------------------
// What bodies are at a height

// The hull of some places, in order.
static int tnMakeHull(tnSpot* spots, int count, tnSpot* hull)
{
	for (int i = 1; i < count; ++i)
	{
		const tnSpot spot = spots[i];
		int place = i;
		for (; place > 0 &&
			 (spots[place - 1].u > spot.u || (spots[place - 1].u == spot.u && spots[place - 1].v > spot.v));
			 --place)
		{
			spots[place] = spots[place - 1];
		}
		spots[place] = spot;
	}
	int kept = 0;
	for (int i = 0; i < count; ++i)
	{
		while (kept >= 2 && !(tnGetTurn(hull[kept - 2], hull[kept - 1], spots[i]) > 0.0))
		{
			kept -= 1;
		}
		hull[kept++] = spots[i];
	}
	const int lower = kept + 1;
	for (int i = count - 2; i >= 0; --i)
	{
		while (kept >= lower && !(tnGetTurn(hull[kept - 2], hull[kept - 1], spots[i]) > 0.0))
		{
			kept -= 1;
		}
		hull[kept++] = spots[i];
	}
	return kept > 1 ? kept - 1 : kept;
}

tnSpot tnGetMiddle(const tnGrid* grid, const tnPose* pose)
{
	const double scale = 1.0 / (double)grid->cellSize;
	return (tnSpot){((double)pose->position.x - (double)grid->origin.x) * scale,
		((double)pose->position.z - (double)grid->origin.z) * scale};
}

// The section of a convex body at a height: along x and z, in cells of the grid. Returns how many corners it has, or -1 if they are
// too many.
static int tnMakeSection(
	const tnGrid* grid, const tnMesh* mesh, const tnPose* pose, double height, tnSpot hull[TN_SECTION_POINTS])
{
	const tnAxes axes = tnQuat_GetAxes(pose->rotation);
	const tnSpot middle = tnGetMiddle(grid, pose);
	const double scale = 1.0 / (double)grid->cellSize;
	tnSpot spots[TN_SECTION_POINTS];
	int count = 0;
	for (int i = 0; i < mesh->edgeCount; ++i)
	{
		double ends[2][3];
		for (int k = 0; k < 2; ++k)
		{
			const tnVec3 p = mesh->points[mesh->edges[4 * (ptrdiff_t)i + k]];
			ends[k][0] = (double)axes.x.x * p.x + (double)axes.y.x * p.y + (double)axes.z.x * p.z;
			ends[k][1] = (double)axes.x.y * p.x + (double)axes.y.y * p.y + (double)axes.z.y * p.z;
			ends[k][2] = (double)axes.x.z * p.x + (double)axes.y.z * p.y + (double)axes.z.z * p.z;
		}
		const double from = height - pose->position.y - ends[0][1];
		const double to = height - pose->position.y - ends[1][1];
		if ((from < 0.0) == (to < 0.0))
		{
			continue;
		}
		if (count == TN_SECTION_POINTS / 2)
		{
			return -1;
		}
		const double share = from / (from - to);
		const double x = middle.u + scale * (ends[0][0] + share * (ends[1][0] - ends[0][0]));
		const double z = middle.v + scale * (ends[0][2] + share * (ends[1][2] - ends[0][2]));
		spots[count++] = (tnSpot){tnRoundPlace(x), tnRoundPlace(z)};
	}
	return count > 1 ? tnMakeHull(spots, count, hull) : 0;
}

static int tnSectionCache_Find(
	tnSectionCache* cache, const tnGrid* grid, const tnBody* body, double height, bool before)
{
	for (int i = 0; i < TN_SECTION_CACHE; ++i)
	{
		if (cache->items[i].body == body && cache->items[i].height == height && cache->items[i].before == before)
		{
			return i;
		}
	}
	const int place = cache->next;
	cache->next = (place + 1) % TN_SECTION_CACHE;
	cache->items[place].body = body;
	cache->items[place].height = height;
	cache->items[place].before = before;
	cache->items[place].count =
		tnMakeSection(grid, &body->mesh, before ? &body->pose : &body->aheadPose, height, cache->items[place].hull);
	return place;
}

static tnSpot tnToLink(const tnLinkPlace* place, double x, double z)
{
	return place->alongZ ? (tnSpot){z - place->row, x - place->column} : (tnSpot){x - place->column, z - place->row};
}

// What a link may look at.
static const tnFrame s_linkFrame = {-TN_LINK_BEYOND, 2.0 + TN_LINK_BEYOND, -TN_LINK_BEYOND, 1.0 + TN_LINK_BEYOND};

// Of bodies that are not convex: those of their triangles that face down, as far as they are below the height. Turned as they are
// when the step begins.
static void tnAddBottoms(const tnGrid* grid, const tnLinkPlace* place, const tnStander* stander, const tnPose* pose,
	double height, tnObstacles* obstacles)
{
	const tnBody* body = stander->body;
	const tnMesh* mesh = &body->mesh;
	const tnSpot middle = tnGetMiddle(grid, pose);
	const tnSpot shifted = {middle.u + stander->shiftColumn, middle.v + stander->shiftRow};
	const double scale = 1.0 / (double)grid->cellSize;
	// The frame, from the centre of mass, m.
	const tnSpot at = tnToLink(place, shifted.u, shifted.v);
	const float low[2] = {
		(float)((s_linkFrame.u0 - at.u) * grid->cellSize), (float)((s_linkFrame.v0 - at.v) * grid->cellSize)};
	const float high[2] = {
		(float)((s_linkFrame.u1 - at.u) * grid->cellSize), (float)((s_linkFrame.v1 - at.v) * grid->cellSize)};
	const double top = height - pose->position.y;
	for (int i = 0; i < mesh->triangleCount && !obstacles->full; ++i)
	{
		const int32_t* corners = mesh->triangles + 3 * (ptrdiff_t)i;
		const tnVec3 p[3] = {body->points[corners[0]], body->points[corners[1]], body->points[corners[2]]};
		bool outside = p[0].y > top && p[1].y > top && p[2].y > top;
		for (int axis = 0; axis < 2 && !outside; ++axis)
		{
			const bool x = (axis == 0) != place->alongZ;
			const float a = x ? p[0].x : p[0].z;
			const float b = x ? p[1].x : p[1].z;
			const float c = x ? p[2].x : p[2].z;
			outside = (a < low[axis] && b < low[axis] && c < low[axis]) ||
				(a > high[axis] && b > high[axis] && c > high[axis]);
		}
		// Counterclockwise from outside: seen from above, with z to the south, those that face down turn to the right.
		const float turn = (p[1].x - p[0].x) * (p[2].z - p[0].z) - (p[1].z - p[0].z) * (p[2].x - p[0].x);
		if (outside || !(turn > 0.0f))
		{
			continue;
		}
		tnSpot spots[6 + TN_CLIP_CORNERS];
		int count = 0;
		for (int k = 0; k < 3; ++k)
		{
			const tnVec3 a = p[k];
			const tnVec3 b = p[(k + 1) % 3];
			if (!(a.y > top))
			{
				spots[count++] = tnToLink(place, shifted.u + scale * a.x, shifted.v + scale * a.z);
			}
			if ((a.y > top) != (b.y > top))
			{
				const double share = (top - a.y) / ((double)b.y - a.y);
				const double x = a.x + share * ((double)b.x - a.x);
				const double z = a.z + share * ((double)b.z - a.z);
				spots[count++] = tnToLink(place, shifted.u + scale * x, shifted.v + scale * z);
			}
		}
		tnObstacles_Add(obstacles, spots, tnClipToFrame(spots, count, &s_linkFrame));
	}
}

int tnGetSection(
	const tnLinkContext* context, const tnBody* body, double height, bool before, tnSpot hull[TN_SECTION_POINTS])
{
	const int found = tnSectionCache_Find(context->cache, context->grid, body, height, before);
	const int count = context->cache->items[found].count;
	memcpy(hull, context->cache->items[found].hull, (size_t)tnMaxInt(count, 0) * sizeof(tnSpot));
	return count;
}

void tnAddToLink(const tnLinkPlace* place, const tnSpot* hull, int count, tnObstacles* obstacles)
{
	tnSpot spots[TN_SECTION_POINTS + TN_CLIP_CORNERS];
	for (int i = 0; i < count; ++i)
	{
		spots[i] = tnToLink(place, hull[i].u, hull[i].v);
	}
	tnObstacles_Add(obstacles, spots, tnClipToFrame(spots, count, &s_linkFrame));
}

static void tnAddObstacle(const tnLinkContext* context, const tnLinkPlace* place, const tnStander* stander, bool before,
	double height, tnObstacles* obstacles)
{
	const tnBody* body = stander->body;
	if (!body->mesh.simple)
	{
		obstacles->full |= body->mesh.triangleCount > TN_LINK_TRIANGLES;
		tnAddBottoms(context->grid, place, stander, before ? &body->pose : &body->aheadPose, height, obstacles);
		return;
	}
	const int found = tnSectionCache_Find(context->cache, context->grid, body, height, before);
	const int count = context->cache->items[found].count;
	tnSpot spots[TN_SECTION_POINTS + TN_CLIP_CORNERS];
	for (int i = 0; i < count; ++i)
	{
		const tnSpot spot = context->cache->items[found].hull[i];
		spots[i] = tnToLink(place, spot.u + stander->shiftColumn, spot.v + stander->shiftRow);
	}
	obstacles->full |= count < 0;
	tnObstacles_Add(obstacles, spots, tnClipToFrame(spots, count, &s_linkFrame));
}

// ---------------------------------------------------------------------------------------------------------------------
// Faces

bool tnStandsIn(const tnGroup* group, const tnGrid* grid, int slot)
{
	if (!(tnGroup_GetField(group, tn_cellCovered)[slot] > 0.0f) ||
		!(tnGroup_GetField(group, tn_cellBlocked)[slot] > 0.0f))
	{
		return false;
	}
	const int own = tnGroup_GetChain(group, tn_cellChain)[slot];
	if (own > 0)
	{
		const tnProfile* profile = group->profiles + own - 1;
		return profile->count > 0 && !(profile->breaks->volume > 0.0f);
	}
	return tnGroup_GetField(group, tn_cellSolid)[slot] > 0.0f &&
		tnGroup_GetField(group, tn_cellLow)[slot] <= grid->bed[tnGroup_GetCell(group, slot)];
}

// Where no body is the share of solids is that of one that was there once, in this place of memory.
bool tnIsFilled(const tnGroup* group, int slot)
{
	return tnGroup_GetField(group, tn_cellCovered)[slot] > 0.0f && tnGroup_GetChain(group, tn_cellChain)[slot] == 0 &&
		tnGroup_GetField(group, tn_cellSolid)[slot] >= 1.0f;
}

// Is it in a level? Those beside the link, and small steps, do not divide it into levels.
static bool tnStander_IsAt(const tnStander* s, float low, float high)
{
	const float middle = 0.5f * (low + high);
	return s->low < middle && s->high > middle;
}

float tnGetFaceSpeed(
	const tnGrid* grid, const tnLinkPlace* place, const tnStander* standers, int count, float low, float high)
{
	// Faces lie before their second cell.
	const tnFaceCut face = {
		.column = place->column + (place->alongZ ? 0 : 1),
		.row = place->row + (place->alongZ ? 1 : 0),
		.alongZ = place->alongZ,
	};
	float sum = 0.0f;
	float weight = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		const tnBody* body = standers[i].body;
		if (standers[i].beside || !tnStander_IsAt(standers + i, low, high))
		{
			continue;
		}
		const tnVec2 offset = tnGetFaceOffset(grid, body, &face);
		const tnVec3 at = {offset.x, 0.5f * (low + high) - body->aheadPose.position.y, offset.z};
		const tnVec3 velocity = tnMotion_At(&body->motion, at);
		sum += standers[i].share * (place->alongZ ? velocity.z : velocity.x);
		weight += standers[i].share;
	}
	return weight > 0.0f ? sum / weight : 0.0f;
}

int tnFindLevels(tnStander* standers, int count, float ground, float least, float* heights)
{
	int heightCount = 0;
	heights[heightCount++] = ground;
	for (int i = 0; i < count; ++i)
	{
		tnStander* s = standers + i;
		s->low = s->low < ground + least ? ground : s->low;
		for (int k = 0; k < count && s->low > ground; ++k)
		{
			const float gap = s->low - standers[k].high;
			s->low = gap > 0.0f && gap < least ? standers[k].high : s->low;
		}
		if (!s->beside)
		{
			heights[heightCount++] = s->low;
			heights[heightCount++] = s->high;
		}
	}
	for (int i = 1; i < heightCount; ++i)
	{
		const float height = heights[i];
		int place = i;
		for (; place > 0 && heights[place - 1] > height; --place)
		{
			heights[place] = heights[place - 1];
		}
		heights[place] = height;
	}
	int kept = 0;
	for (int i = 0; i < heightCount; ++i)
	{
		if (heights[i] >= ground && (kept == 0 || heights[i] > heights[kept - 1] + 0.5f * least))
		{
			heights[kept++] = heights[i];
		}
	}
	return kept;
}

int tnFindObstacles(const tnLinkContext* context, const tnLinkPlace* place, const tnStander* standers, int count,
	float low, float high, bool before, tnObstacles* obstacles)
{
	int here = 0;
	obstacles->count = 0;
	obstacles->spotCount = 0;
	obstacles->full = false;
	for (int i = 0; i < count; ++i)
	{
		const tnStander* s = standers + i;
		if (!tnStander_IsAt(s, low, high))
		{
			continue;
		}
		bool again = false;
		for (int k = 0; k < i; ++k)
		{
			const tnStander* other = standers + k;
			again |= other->body == s->body && other->shiftColumn == s->shiftColumn && other->shiftRow == s->shiftRow &&
				other->low <= low && other->high >= high;
		}
		here += s->beside ? 0 : 1;
		if (!again)
		{
			tnAddObstacle(context, place, s, before, 0.5 * ((double)low + (double)high), obstacles);
		}
	}
	tnObstacles_Bridge(obstacles);
	return here;
}

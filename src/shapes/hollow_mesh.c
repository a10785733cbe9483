// SPDX-License-Identifier: MIT

// Makes closed meshes of the basins that hollow_search.c has found, exactly: of the triangles that face into a basin, cut off at
// the height to which it can be filled, and of a level lid there.
//
// Shapes of a compound lie in each other and side by side. What of a triangle lies inside of another convex part, or flat on it, is cut
// away first, so that the floor of a boat of boxes ends where its walls stand. What is left is either in a basin or outside.
//
//        outside            The mesh that the water around a body meets is what is outside (o), and the lids (l). A basin is what
//     o lllllllll o         faces into it (i), turned round, and its lid. Both are closed but for corners that lie on edges of
//     o i       i o         others, where sums over them close all the same.
//     o iiiiiiiii o
//     ooooooooooooo

#include "hollow_mesh.h"

#include "body_measure.h"
#include "hollow_search.h"

#include <math.h>
#include <string.h>

enum
{
	TN_MAX_PIECE_CORNERS = 24,
	TN_MAX_PIECES = 256,               // of a triangle
	TN_MAX_HOLLOW_TRIANGLES = 1 << 15, // meshes of more are not looked at
	TN_MAX_CONVEX_WORK = 1 << 22,
	TN_MAX_LID_EDGES = 2048,
	TN_MAX_LOWERINGS = 12,
};

// Over the extent of the mesh: what is nearer than that touches.
#define TN_TOUCHING 1.0e-5

typedef struct tnPiece
{
	double at[TN_MAX_PIECE_CORNERS][3];
	int count;
} tnPiece;

// A triangle of what is made.
typedef struct tnMadeTriangle
{
	int32_t corners[3];
	int32_t basin; // or -1
} tnMadeTriangle;

typedef struct tnLidEdge
{
	double from[2], to[2]; // x, z
	int32_t ends[2];       // points
} tnLidEdge;

// A part of the mesh that shares no point with others.
typedef struct tnMeshPart
{
	double low[3], high[3];
	double volume; // m^3, negative for the walls of a room that is closed on all sides
	int32_t triangleCount;
	bool convex;
} tnMeshPart;

typedef struct tnMaker
{
	const tnMesh* mesh;
	tnMemory* memory;
	tnHollowSearch search;
	double extent;
	double (*planes)[4];    // of all triangles: unit normal, distance from the origin
	int32_t* partOf;        // triangle: its part
	int32_t* partTriangles; // triangles, by part
	int32_t* partBegin;
	tnMeshPart* parts;
	int partCount;
	bool alive[TN_MAX_BASINS];
	int hollowOf[TN_MAX_BASINS];
	float heights[TN_MAX_BASINS]; // of lids; of those that are closed INFINITY
	// What is made.
	tnGrowing points, triangles, edges, rims;
	tnPiece* pieces; // 2 * TN_MAX_PIECES
} tnMaker;

// ---------------------------------------------------------------------------------------------------------------------
// Pieces of triangles

// Cut a piece at a plane: what is before it, and what is behind it or on it. Corners nearer than the margin are on it.
static void tnPiece_Cut(const tnPiece* piece, const double plane[4], double margin, tnPiece* before, tnPiece* behind)
{
	double height[TN_MAX_PIECE_CORNERS];
	bool anyBefore = false, anyBehind = false;
	for (int i = 0; i < piece->count; ++i)
	{
		const double* p = piece->at[i];
		const double h = plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] - plane[3];
		height[i] = h > margin || h < -margin ? h : 0.0;
		anyBefore = anyBefore || height[i] > 0.0;
		anyBehind = anyBehind || height[i] < 0.0;
	}
	before->count = 0;
	behind->count = 0;
	if (!anyBefore || !anyBehind || piece->count + 2 > TN_MAX_PIECE_CORNERS)
	{
		*(anyBefore ? before : behind) = *piece;
		return;
	}
	for (int i = 0; i < piece->count; ++i)
	{
		const int k = (i + 1) % piece->count;
		if (height[i] >= 0.0)
		{
			memcpy(before->at[before->count++], piece->at[i], sizeof(piece->at[i]));
		}
		if (height[i] <= 0.0)
		{
			memcpy(behind->at[behind->count++], piece->at[i], sizeof(piece->at[i]));
		}
		if ((height[i] > 0.0 && height[k] < 0.0) || (height[i] < 0.0 && height[k] > 0.0))
		{
			// From the same end for both triangles of an edge.
			const bool turn = height[i] > 0.0;
			const double* from = piece->at[turn ? k : i];
			const double* to = piece->at[turn ? i : k];
			const double a = height[turn ? k : i];
			const double share = a / (a - height[turn ? i : k]);
			double cut[3];
			for (int axis = 0; axis < 3; ++axis)
			{
				cut[axis] = from[axis] + share * (to[axis] - from[axis]);
			}
			memcpy(before->at[before->count++], cut, sizeof(cut));
			memcpy(behind->at[behind->count++], cut, sizeof(cut));
		}
	}
}

static bool tnLiesOn(const tnPiece* piece, const double plane[4], double margin)
{
	for (int i = 0; i < piece->count; ++i)
	{
		const double* p = piece->at[i];
		if (fabs(plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] - plane[3]) > margin)
		{
			return false;
		}
	}
	return true;
}

// What of a piece is outside of a convex part of the mesh. Pieces are added at the end of a list; false if it is full.
static bool tnCutAway(
	const tnMaker* maker, int own, int part, const double plane[4], const tnPiece* piece, tnPiece* out, int* outCount)
{
	const double margin = TN_TOUCHING * maker->extent;
	const int first = *outCount;
	tnPiece rest = *piece;
	bool keeps = false;
	for (int i = maker->partBegin[part]; i < maker->partBegin[part + 1]; ++i)
	{
		const double* side = maker->planes[maker->partTriangles[i]];
		if (tnLiesOn(&rest, side, margin))
		{
			const double turn = side[0] * plane[0] + side[1] * plane[1] + side[2] * plane[2];
			// Back to back there is no surface; face to face the first part has it.
			keeps = keeps || (turn > 0.0 && own < part);
			continue;
		}
		tnPiece before, behind;
		tnPiece_Cut(&rest, side, margin, &before, &behind);
		if (before.count >= 3)
		{
			if (*outCount == TN_MAX_PIECES)
			{
				return false;
			}
			out[(*outCount)++] = before;
		}
		rest = behind;
		if (rest.count < 3)
		{
			break;
		}
	}
	if (rest.count < 3 || keeps)
	{
		// Nothing of it goes.
		*outCount = first;
		if (*outCount == TN_MAX_PIECES)
		{
			return false;
		}
		out[(*outCount)++] = *piece;
	}
	return true;
}

static bool tnAreApart(const tnPiece* piece, const tnMeshPart* part, double margin)
{
	for (int axis = 0; axis < 3; ++axis)
	{
		double low = piece->at[0][axis], high = piece->at[0][axis];
		for (int i = 1; i < piece->count; ++i)
		{
			low = piece->at[i][axis] < low ? piece->at[i][axis] : low;
			high = piece->at[i][axis] > high ? piece->at[i][axis] : high;
		}
		if (low > part->high[axis] + margin || high < part->low[axis] - margin)
		{
			return true;
		}
	}
	return false;
}

// The triangle without what lies in other parts. Returns how many pieces are left at maker->pieces; 1 with the whole of it if none
// was cut.
static int tnCutTriangle(tnMaker* maker, int triangle)
{
	tnPiece* pieces = maker->pieces;
	tnPiece* next = maker->pieces + TN_MAX_PIECES;
	for (int i = 0; i < 3; ++i)
	{
		const tnVec3 p = maker->mesh->points[maker->mesh->triangles[3 * (ptrdiff_t)triangle + i]];
		pieces[0].at[i][0] = p.x;
		pieces[0].at[i][1] = p.y;
		pieces[0].at[i][2] = p.z;
	}
	pieces[0].count = 3;
	int count = 1;
	const int own = maker->partOf[triangle];
	for (int part = 0; part < maker->partCount && maker->partCount > 1; ++part)
	{
		if (part == own || !maker->parts[part].convex)
		{
			continue;
		}
		int nextCount = 0;
		bool room = true;
		for (int i = 0; i < count && room; ++i)
		{
			if (tnAreApart(pieces + i, maker->parts + part, TN_TOUCHING * maker->extent))
			{
				room = nextCount < TN_MAX_PIECES;
				if (room)
				{
					next[nextCount++] = pieces[i];
				}
			}
			else
			{
				room = tnCutAway(maker, own, part, maker->planes[triangle], pieces + i, next, &nextCount);
			}
		}
		if (room)
		{
			tnPiece* swap = pieces;
			pieces = next;
			next = swap;
			count = nextCount;
		}
	}
	if (pieces != maker->pieces)
	{
		memcpy(maker->pieces, pieces, (size_t)count * sizeof(tnPiece));
	}
	return count;
}

// ---------------------------------------------------------------------------------------------------------------------
// Sorting pieces

// Turn a piece into the order of rays.
static int tnLocatePiece(const tnMaker* maker, const tnPiece* piece, const double plane[4])
{
	double middle[3] = {0.0, 0.0, 0.0};
	// The middle of the largest triangle of its fan: the mean of corners would be near a corner where these are dense.
	double best = -1.0;
	for (int i = 2; i < piece->count; ++i)
	{
		const double* a = piece->at[0];
		const double* b = piece->at[i - 1];
		const double* c = piece->at[i];
		double u[3], v[3];
		for (int axis = 0; axis < 3; ++axis)
		{
			u[axis] = b[axis] - a[axis];
			v[axis] = c[axis] - a[axis];
		}
		const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
		const double area = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
		if (area > best)
		{
			best = area;
			for (int axis = 0; axis < 3; ++axis)
			{
				middle[axis] = (a[axis] + b[axis] + c[axis]) / 3.0;
			}
		}
	}
	const double off = 10.0 * TN_TOUCHING * maker->extent;
	const double point[3] = {middle[0] + off * plane[0], middle[2] + off * plane[2], middle[1] + off * plane[1]};
	const int basin = tnHollowSearch_Locate(&maker->search, point);
	return basin >= 0 && maker->alive[basin] && middle[1] < (double)maker->heights[basin] ? basin : -1;
}

static int32_t tnAddPoint(tnMaker* maker, const double at[3], float snap)
{
	// Corners that are cut come in twos and threes, soon after each other.
	enum
	{
		lookBack = 256,
	};
	tnVec3 p = {(float)at[0], (float)at[1], (float)at[2]};
	p.y = fabs(at[1] - (double)snap) <= 0.1 * TN_TOUCHING * maker->extent ? snap : p.y;
	const tnVec3* points = maker->points.items;
	for (int i = maker->points.count - 1; i >= 0 && i >= maker->points.count - lookBack; --i)
	{
		if (memcmp(points + i, &p, sizeof(p)) == 0)
		{
			return i;
		}
	}
	tnVec3* added = tnGrowing_Add(&maker->points);
	if (added == NULL)
	{
		return 0;
	}
	*added = p;
	return maker->points.count - 1;
}

static void tnAddMade(tnMaker* maker, int32_t a, int32_t b, int32_t c, int basin)
{
	if (a == b || b == c || c == a)
	{
		return;
	}
	tnMadeTriangle* made = tnGrowing_Add(&maker->triangles);
	if (made != NULL)
	{
		*made = (tnMadeTriangle){{a, b, c}, basin};
	}
}

// A piece, cut at the heights of all lids.
// @param snap height of the lid of the basin
static void tnAddPiece(tnMaker* maker, const tnPiece* piece, int basin)
{
	const float snap = basin >= 0 ? maker->heights[basin] : HUGE_VALF;
	int32_t corners[TN_MAX_PIECE_CORNERS];
	for (int i = 0; i < piece->count; ++i)
	{
		corners[i] = tnAddPoint(maker, piece->at[i], snap);
	}
	for (int i = 2; i < piece->count; ++i)
	{
		tnAddMade(maker, corners[0], corners[i - 1], corners[i], basin);
	}
}

// Cut a piece at all lids, and sort what is left. Returns whether all of it is in the same basin as the first part of it.
static bool tnSortPiece(tnMaker* maker, tnPiece piece, const double plane[4], bool adds, int* basin, bool* first)
{
	bool same = true;
	tnPiece above = piece;
	while (above.count >= 3)
	{
		// The lowest lid that cuts what is left.
		double low = HUGE_VAL, high = -HUGE_VAL;
		for (int i = 0; i < above.count; ++i)
		{
			low = above.at[i][1] < low ? above.at[i][1] : low;
			high = above.at[i][1] > high ? above.at[i][1] : high;
		}
		const double margin = 0.1 * TN_TOUCHING * maker->extent;
		double cut = HUGE_VAL;
		for (int i = 0; i < maker->search.basinCount; ++i)
		{
			const double height = (double)maker->heights[i];
			if (maker->alive[i] && height > low + margin && height < high - margin && height < cut)
			{
				cut = height;
			}
		}
		tnPiece part = above;
		above.count = 0;
		if (cut < HUGE_VAL)
		{
			const double lid[4] = {0.0, 1.0, 0.0, cut};
			const tnPiece whole = part;
			tnPiece_Cut(&whole, lid, margin, &above, &part);
		}
		const int found = tnLocatePiece(maker, &part, plane);
		if (*first)
		{
			*basin = found;
			*first = false;
		}
		same = same && found == *basin;
		if (adds)
		{
			tnAddPiece(maker, &part, found);
		}
	}
	return same;
}

static void tnSortTriangle(tnMaker* maker, int triangle)
{
	const double* plane = maker->planes[triangle];
	const int count = tnCutTriangle(maker, triangle);
	// Whole if nothing was cut away and all of it is on one side.
	int basin = -1;
	bool first = true;
	bool same = count == 1 && maker->pieces[0].count == 3;
	if (same)
	{
		for (int i = 0; i < 3 && same; ++i)
		{
			const tnVec3 p = maker->mesh->points[maker->mesh->triangles[3 * (ptrdiff_t)triangle + i]];
			const double at[3] = {p.x, p.y, p.z};
			same = memcmp(maker->pieces[0].at[i], at, sizeof(at)) == 0;
		}
	}
	same = same && tnSortPiece(maker, maker->pieces[0], plane, false, &basin, &first);
	if (same)
	{
		const int32_t* corners = maker->mesh->triangles + 3 * (ptrdiff_t)triangle;
		tnAddMade(maker, corners[0], corners[1], corners[2], basin);
		return;
	}
	for (int i = 0; i < count; ++i)
	{
		first = true;
		tnSortPiece(maker, maker->pieces[i], plane, true, &basin, &first);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Lids

// The edges of what faces into a basin that lie in the plane of its lid. Returns twice the area inside of them, signed.
static double tnFindLidEdges(tnMaker* maker, int basin)
{
	maker->edges.count = 0;
	const tnMadeTriangle* triangles = maker->triangles.items;
	const tnVec3* points = maker->points.items;
	const float height = maker->heights[basin];
	double area = 0.0;
	for (int i = 0; i < maker->triangles.count; ++i)
	{
		for (int k = 0; k < 3 && triangles[i].basin == basin; ++k)
		{
			const int32_t a = triangles[i].corners[k];
			const int32_t b = triangles[i].corners[(k + 1) % 3];
			if (points[a].y == height && points[b].y == height)
			{
				tnLidEdge* edge = tnGrowing_Add(&maker->edges);
				if (edge != NULL)
				{
					*edge = (tnLidEdge){{points[a].x, points[a].z}, {points[b].x, points[b].z}, {a, b}};
					area += edge->from[0] * edge->to[1] - edge->to[0] * edge->from[1];
				}
			}
		}
	}
	return area;
}

// Does all that faces into a basin close up to a level hole?
static bool tnIsClosed(const tnMaker* maker, int basin)
{
	const tnMadeTriangle* triangles = maker->triangles.items;
	const tnVec3* points = maker->points.items;
	double sum[3] = {0.0, 0.0, 0.0};
	double all = 0.0;
	for (int i = 0; i < maker->triangles.count; ++i)
	{
		if (triangles[i].basin != basin)
		{
			continue;
		}
		const tnVec3 a = points[triangles[i].corners[0]];
		const tnVec3 b = points[triangles[i].corners[1]];
		const tnVec3 c = points[triangles[i].corners[2]];
		const double u[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
		const double v[3] = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
		const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
		all += fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
		for (int axis = 0; axis < 3; ++axis)
		{
			sum[axis] += n[axis];
		}
	}
	const double limit = 1.0e-4 * all;
	const bool sideways = fabs(sum[0]) <= limit && fabs(sum[2]) <= limit;
	return all > 0.0 && sideways && (maker->heights[basin] < HUGE_VALF || fabs(sum[1]) <= limit);
}

typedef struct tnLidCrossing
{
	double z[2]; // at both ends of a band
	int turn;
} tnLidCrossing;

static void tnSortDoubles(double* values, int count)
{
	for (int i = 1; i < count; ++i)
	{
		const double value = values[i];
		int k = i;
		for (; k > 0 && value < values[k - 1]; --k)
		{
			values[k] = values[k - 1];
		}
		values[k] = value;
	}
}

static void tnSortCrossings(tnLidCrossing* items, int count)
{
	for (int i = 1; i < count; ++i)
	{
		const tnLidCrossing item = items[i];
		int k = i;
		for (; k > 0 && item.z[0] + item.z[1] < items[k - 1].z[0] + items[k - 1].z[1]; --k)
		{
			items[k] = items[k - 1];
		}
		items[k] = item;
	}
}

// Fill what is inside of the edges of a lid: bands between the corners along x, of which each is cut where edges cross it. Triangles
// face up and belong to nobody yet: `basin` is theirs, counted from -2 downwards. False if the edges do not close.
static bool tnFillLid(tnMaker* maker, int basin, double area)
{
	const int edgeCount = maker->edges.count;
	const tnLidEdge* edges = maker->edges.items;
	const size_t placeBytes = 2 * (size_t)edgeCount * sizeof(double);
	const size_t crossingBytes = (size_t)edgeCount * sizeof(tnLidCrossing);
	double* places = tnMemory_Alloc(maker->memory, placeBytes);
	tnLidCrossing* crossings = tnMemory_Alloc(maker->memory, crossingBytes);
	bool closed = true;
	maker->points.failed = maker->points.failed || places == NULL || crossings == NULL;
	for (int i = 0; i < edgeCount && !maker->points.failed; ++i)
	{
		places[2 * i] = edges[i].from[0];
		places[2 * i + 1] = edges[i].to[0];
	}
	if (!maker->points.failed)
	{
		tnSortDoubles(places, 2 * edgeCount);
	}
	const double margin = 0.1 * TN_TOUCHING * maker->extent;
	int begin = 0;
	for (int band = 1; band < 2 * edgeCount && !maker->points.failed && closed; ++band)
	{
		const double low = places[begin], high = places[band];
		if (high - low <= margin)
		{
			continue;
		}
		begin = band;
		int count = 0;
		for (int i = 0; i < edgeCount; ++i)
		{
			const bool right = edges[i].to[0] > edges[i].from[0];
			const double* a = right ? edges[i].from : edges[i].to;
			const double* b = right ? edges[i].to : edges[i].from;
			if (a[0] <= low + margin && b[0] >= high - margin && b[0] - a[0] > margin)
			{
				const double slope = (b[1] - a[1]) / (b[0] - a[0]);
				crossings[count++] = (tnLidCrossing){{a[1] + slope * (low - a[0]), a[1] + slope * (high - a[0])},
					(right ? 1 : -1) * (area > 0.0 ? 1 : -1)};
			}
		}
		tnSortCrossings(crossings, count);
		int depth = 0;
		for (int i = 0; i < count; ++i)
		{
			const tnLidCrossing* from = crossings + i - 1;
			const tnLidCrossing* to = crossings + i;
			if (depth > 0 && to->z[0] + to->z[1] - from->z[0] - from->z[1] > margin)
			{
				const double y = (double)maker->heights[basin];
				const double corners[4][3] = {
					{low, y, from->z[0]}, {low, y, to->z[0]}, {high, y, to->z[1]}, {high, y, from->z[1]}};
				int32_t at[4];
				for (int k = 0; k < 4; ++k)
				{
					at[k] = tnAddPoint(maker, corners[k], maker->heights[basin]);
				}
				tnAddMade(maker, at[0], at[1], at[2], -2 - basin);
				tnAddMade(maker, at[0], at[2], at[3], -2 - basin);
			}
			depth += to->turn;
		}
		closed = depth == 0;
	}
	tnMemory_Free(maker->memory, places, placeBytes);
	tnMemory_Free(maker->memory, crossings, crossingBytes);
	return closed;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rims

// The way out over the rim from a place on it. False if there is none, or none that leads anywhere else.
static bool tnFindWayOut(
	const tnMaker* maker, int basin, const double middle[2], const double out[2], double length, tnRim* rim)
{
	const tnHollowSearch* search = &maker->search;
	double crest = (double)maker->heights[basin];
	for (double way = 1.0e-4 * maker->extent; way < maker->extent; way *= 1.4)
	{
		const double point[3] = {middle[0] + way * out[0], middle[1] + way * out[1], crest - search->tolerance};
		double top;
		if (tnHollowSearch_IsSolid(search, point, &top))
		{
			crest = top > crest ? top : crest;
			continue;
		}
		const int other = tnHollowSearch_Locate(search, point);
		const bool hollow = other >= 0 && maker->alive[other] && point[2] < (double)maker->heights[other];
		if (other == TN_UNKNOWN_AIR || (hollow && other == basin))
		{
			continue;
		}
		*rim = (tnRim){
			.crest = {(float)(middle[0] + 0.5 * way * out[0]), (float)crest, (float)(middle[1] + 0.5 * way * out[1])},
			.beyond = {(float)point[0], (float)crest, (float)point[1]},
			.length = (float)length,
			.other = hollow ? (int16_t)maker->hollowOf[other] : (int16_t)-1,
		};
		// Of two hollows side by side the first one has what is between them.
		return !hollow || maker->hollowOf[basin] < maker->hollowOf[other];
	}
	return false;
}

static void tnFindRim(tnMaker* maker, int basin, double area)
{
	const tnLidEdge* edges = maker->edges.items;
	double around = 0.0;
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int i = 0; i < maker->edges.count; ++i)
		{
			const double d[2] = {edges[i].to[0] - edges[i].from[0], edges[i].to[1] - edges[i].from[1]};
			const double length = sqrt(d[0] * d[0] + d[1] * d[1]);
			if (pass == 0)
			{
				around += length;
			}
			else if (length > 1.0e-4 * around)
			{
				const int parts = 1 + (int)(24.0 * length / around);
				const double turn = area > 0.0 ? 1.0 : -1.0;
				const double out[2] = {turn * d[1] / length, -turn * d[0] / length};
				for (int k = 0; k < parts; ++k)
				{
					const double share = (k + 0.5) / parts;
					const double middle[2] = {edges[i].from[0] + share * d[0], edges[i].from[1] + share * d[1]};
					tnRim rim;
					if (tnFindWayOut(maker, basin, middle, out, length / parts, &rim))
					{
						tnRim* added = tnGrowing_Add(&maker->rims);
						if (added != NULL)
						{
							*added = rim;
						}
					}
				}
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts

static int tnFindRoot(int32_t* parents, int index)
{
	while (parents[index] != index)
	{
		parents[index] = parents[parents[index]];
		index = parents[index];
	}
	return index;
}

static void tnFindPlane(const tnMesh* mesh, int triangle, double plane[4])
{
	const int32_t* corners = mesh->triangles + 3 * (ptrdiff_t)triangle;
	tnMesh_GetNormal(mesh, corners, plane);
	const double length = tnNormal_GetLength(plane);
	const tnVec3 a = mesh->points[corners[0]];
	for (int axis = 0; axis < 3; ++axis)
	{
		plane[axis] = length > 0.0 ? plane[axis] / length : 0.0;
	}
	plane[3] = plane[0] * a.x + plane[1] * a.y + plane[2] * a.z;
}

// All corners of a part are behind all of its triangles.
static bool tnIsConvex(const tnMaker* maker, int part)
{
	const int begin = maker->partBegin[part];
	const int end = maker->partBegin[part + 1];
	if ((int64_t)(end - begin) * (end - begin) > TN_MAX_CONVEX_WORK)
	{
		return false;
	}
	for (int i = begin; i < end; ++i)
	{
		const double* plane = maker->planes[maker->partTriangles[i]];
		for (int k = begin; k < end; ++k)
		{
			for (int corner = 0; corner < 3; ++corner)
			{
				const tnVec3 p =
					maker->mesh->points[maker->mesh->triangles[3 * (ptrdiff_t)maker->partTriangles[k] + corner]];
				if (plane[0] * p.x + plane[1] * p.y + plane[2] * p.z - plane[3] > TN_TOUCHING * maker->extent)
				{
					return false;
				}
			}
		}
	}
	return true;
}

static void tnMeasurePart(tnMaker* maker, int part)
{
	tnMeshPart* item = maker->parts + part;
	for (int axis = 0; axis < 3; ++axis)
	{
		item->low[axis] = HUGE_VAL;
		item->high[axis] = -HUGE_VAL;
	}
	for (int i = maker->partBegin[part]; i < maker->partBegin[part + 1]; ++i)
	{
		const int triangle = maker->partTriangles[i];
		double n[3];
		tnMesh_GetNormal(maker->mesh, maker->mesh->triangles + 3 * (ptrdiff_t)triangle, n);
		const double area = tnNormal_GetLength(n);
		item->volume += maker->planes[triangle][3] * area / 6.0;
		for (int corner = 0; corner < 3; ++corner)
		{
			const tnVec3 q = maker->mesh->points[maker->mesh->triangles[3 * (ptrdiff_t)triangle + corner]];
			const double p[3] = {q.x, q.y, q.z};
			for (int axis = 0; axis < 3; ++axis)
			{
				item->low[axis] = p[axis] < item->low[axis] ? p[axis] : item->low[axis];
				item->high[axis] = p[axis] > item->high[axis] ? p[axis] : item->high[axis];
			}
		}
	}
	item->convex = tnIsConvex(maker, part);
}

// A part that has a room closed on all sides in it is not solid, whatever its outside is like.
static void tnExcludeAround(tnMaker* maker, int room)
{
	const tnMeshPart* inner = maker->parts + room;
	for (int i = 0; i < maker->partCount; ++i)
	{
		tnMeshPart* part = maker->parts + i;
		bool meets = true;
		for (int axis = 0; axis < 3; ++axis)
		{
			meets = meets && part->low[axis] < inner->high[axis] && inner->low[axis] < part->high[axis];
		}
		part->convex = part->convex && !meets;
	}
}

// @param parents room for all points
static void tnFindParts(tnMaker* maker, int32_t* parents)
{
	const tnMesh* mesh = maker->mesh;
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		parents[i] = i;
	}
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		tnFindPlane(mesh, i, maker->planes[i]);
		for (int k = 1; k < 3; ++k)
		{
			const int a = tnFindRoot(parents, mesh->triangles[3 * (ptrdiff_t)i]);
			const int b = tnFindRoot(parents, mesh->triangles[3 * (ptrdiff_t)i + k]);
			parents[tnMaxInt(a, b)] = tnMinInt(a, b);
		}
	}
	// Roots come before those that they stand for, so parts are counted in the order of their first points.
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		const int root = tnFindRoot(parents, i);
		if (root == i)
		{
			maker->partBegin[maker->partCount] = i;
			maker->partCount += 1;
		}
	}
	// partBegin has the roots for now.
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		const int root = tnFindRoot(parents, mesh->triangles[3 * (ptrdiff_t)i]);
		int low = 0, high = maker->partCount - 1;
		while (low < high)
		{
			const int middle = (low + high) / 2;
			low = maker->partBegin[middle] < root ? middle + 1 : low;
			high = maker->partBegin[middle] < root ? high : middle;
		}
		maker->partOf[i] = low;
	}
	memset(maker->partBegin, 0, (size_t)(mesh->pointCount + 1) * sizeof(int32_t));
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		maker->partBegin[maker->partOf[i] + 1] += 1;
	}
	for (int i = 0; i < maker->partCount; ++i)
	{
		maker->partBegin[i + 1] += maker->partBegin[i];
	}
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		tnMeshPart* part = maker->parts + maker->partOf[i];
		maker->partTriangles[maker->partBegin[maker->partOf[i]] + part->triangleCount] = i;
		part->triangleCount += 1;
	}
	for (int i = 0; i < maker->partCount; ++i)
	{
		tnMeasurePart(maker, i);
	}
	for (int i = 0; i < maker->partCount; ++i)
	{
		if (maker->parts[i].volume < 0.0)
		{
			tnExcludeAround(maker, i);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// All of it

static bool tnMaker_Failed(const tnMaker* maker)
{
	return maker->points.failed || maker->triangles.failed || maker->edges.failed || maker->rims.failed;
}

// The highest corner of the mesh that is not above a height.
static float tnFindCornerBelow(const tnMesh* mesh, double height)
{
	float best = -HUGE_VALF;
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		const float y = mesh->points[i].y;
		best = (double)y <= height && y > best ? y : best;
	}
	return best;
}

// Sort all triangles, and make lids. Returns whether all basins close; those that do not are lower from then on, or none at all.
static bool tnMaker_Sort(tnMaker* maker)
{
	const tnMesh* mesh = maker->mesh;
	maker->points.count = 0;
	maker->triangles.count = 0;
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		tnVec3* point = tnGrowing_Add(&maker->points);
		if (point != NULL)
		{
			*point = mesh->points[i];
		}
	}
	for (int i = 0; i < mesh->triangleCount && !tnMaker_Failed(maker); ++i)
	{
		tnSortTriangle(maker, i);
	}
	bool closed = true;
	const double least = TN_TOUCHING * maker->extent;
	for (int basin = 0; basin < maker->search.basinCount && !tnMaker_Failed(maker); ++basin)
	{
		if (!maker->alive[basin])
		{
			continue;
		}
		bool closes = tnIsClosed(maker, basin);
		if (closes && maker->heights[basin] < HUGE_VALF)
		{
			const double area = tnFindLidEdges(maker, basin);
			closes = maker->edges.count >= 3 && maker->edges.count <= TN_MAX_LID_EDGES && area != 0.0 &&
				tnFillLid(maker, basin, area);
		}
		if (!closes)
		{
			maker->heights[basin] = maker->heights[basin] < HUGE_VALF
				? tnFindCornerBelow(mesh, (double)maker->heights[basin] - least)
				: -HUGE_VALF;
			maker->alive[basin] = (double)maker->heights[basin] > maker->search.low[2];
			closed = false;
		}
	}
	return closed;
}

static tnVec3 tnGetMadePoint(const tnMaker* maker, int32_t index)
{
	return ((const tnVec3*)maker->points.items)[index];
}

// Six times the volume of a basin, and its moments, from a point.
static void tnMeasureBasin(const tnMaker* maker, int basin, tnHollowShape* shape)
{
	const tnMadeTriangle* triangles = maker->triangles.items;
	double sum = 0.0, moments[3] = {0.0, 0.0, 0.0}, lid = 0.0;
	tnVec3 o = {0.0f, 0.0f, 0.0f};
	bool first = true;
	for (int i = 0; i < maker->triangles.count; ++i)
	{
		const bool isLid = triangles[i].basin == -2 - basin;
		if (triangles[i].basin != basin && !isLid)
		{
			continue;
		}
		double p[3][3];
		for (int k = 0; k < 3; ++k)
		{
			const tnVec3 q = tnGetMadePoint(maker, triangles[i].corners[k]);
			o = first ? q : o;
			first = false;
			p[k][0] = (double)q.x - o.x;
			p[k][1] = (double)q.y - o.y;
			p[k][2] = (double)q.z - o.z;
		}
		const double six = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
			p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) + p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
		const double signedSix = isLid ? six : -six;
		sum += signedSix;
		for (int axis = 0; axis < 3; ++axis)
		{
			moments[axis] += signedSix * (p[0][axis] + p[1][axis] + p[2][axis]);
		}
		lid += isLid ? (p[1][2] - p[0][2]) * (p[2][0] - p[0][0]) - (p[1][0] - p[0][0]) * (p[2][2] - p[0][2]) : 0.0;
	}
	shape->volume = (float)(sum / 6.0);
	shape->lidArea = (float)(0.5 * lid);
	const double scale = sum > 0.0 ? 1.0 / (4.0 * sum) : 0.0;
	shape->centroid = (tnVec3){
		(float)(o.x + scale * moments[0]), (float)(o.y + scale * moments[1]), (float)(o.z + scale * moments[2])};
}

// Leave the largest. Returns whether any had to go.
static bool tnMaker_Choose(tnMaker* maker)
{
	bool changed = false;
	double volumes[TN_MAX_BASINS];
	int count = 0;
	for (int basin = 0; basin < maker->search.basinCount; ++basin)
	{
		volumes[basin] = 0.0;
		if (maker->alive[basin])
		{
			tnHollowShape shape;
			tnMeasureBasin(maker, basin, &shape);
			volumes[basin] = shape.volume;
			const double rough = maker->search.basins[basin].volume;
			if (!((double)shape.volume > 0.01 * rough && (double)shape.volume < 10.0 * rough))
			{
				maker->alive[basin] = false;
				changed = true;
			}
			count += maker->alive[basin];
		}
	}
	for (; count > TN_MAX_HOLLOWS; --count)
	{
		int smallest = -1;
		for (int basin = 0; basin < maker->search.basinCount; ++basin)
		{
			if (maker->alive[basin] && (smallest < 0 || volumes[basin] < volumes[smallest]))
			{
				smallest = basin;
			}
		}
		maker->alive[smallest] = false;
		changed = true;
	}
	return changed;
}

// Copy triangles that are wanted, and the points that they need. @param places room for all points; @return false if memory ran out
static bool tnMaker_Copy(const tnMaker* maker, int basin, bool hull, int32_t* places, tnVec3* points, int* pointCount,
	int32_t* triangles, int* triangleCount)
{
	const tnMadeTriangle* made = maker->triangles.items;
	for (int i = 0; i < maker->triangles.count; ++i)
	{
		const bool lid = made[i].basin <= -2;
		const bool wanted = hull ? made[i].basin < 0 : made[i].basin == basin || made[i].basin == -2 - basin;
		if (!wanted)
		{
			continue;
		}
		int32_t corners[3];
		for (int k = 0; k < 3; ++k)
		{
			const int32_t from = made[i].corners[k];
			if (places[from] == 0)
			{
				if (points != NULL)
				{
					points[*pointCount] = tnGetMadePoint(maker, from);
				}
				*pointCount += 1;
				places[from] = *pointCount;
			}
			corners[k] = places[from] - 1;
		}
		if (triangles != NULL)
		{
			int32_t* to = triangles + 3 * (ptrdiff_t)*triangleCount;
			const bool turn = !hull && !lid;
			to[0] = corners[0];
			to[1] = corners[turn ? 2 : 1];
			to[2] = corners[turn ? 1 : 2];
		}
		*triangleCount += 1;
	}
	return true;
}

static size_t tnGetPlaceBytes(const tnMaker* maker)
{
	return (size_t)maker->points.count * sizeof(int32_t);
}

static bool tnMakeHullMesh(tnMaker* maker, int32_t* places, tnMesh* hull)
{
	*hull = (tnMesh){0};
	for (int pass = 0; pass < 2; ++pass)
	{
		hull->pointCount = 0;
		hull->triangleCount = 0;
		memset(places, 0, tnGetPlaceBytes(maker));
		tnMaker_Copy(maker, -1, true, places, hull->points, &hull->pointCount, hull->triangles, &hull->triangleCount);
		if (pass == 0)
		{
			hull->points = tnMemory_Alloc(maker->memory, (size_t)hull->pointCount * sizeof(tnVec3));
			hull->triangles = tnMemory_Alloc(maker->memory, 3 * (size_t)hull->triangleCount * sizeof(int32_t));
			if (hull->points == NULL || hull->triangles == NULL)
			{
				tnMemory_Free(maker->memory, hull->points, (size_t)hull->pointCount * sizeof(tnVec3));
				tnMemory_Free(maker->memory, hull->triangles, 3 * (size_t)hull->triangleCount * sizeof(int32_t));
				*hull = (tnMesh){0};
				return false;
			}
		}
	}
	const tnSolid solid = tnMesh_GetSolid(hull, 0);
	tnMesh_Measure(hull, &solid);
	return true;
}

static bool tnMakeHollowMesh(tnMaker* maker, int32_t* places, tnHollowMesh* hollows)
{
	for (int pass = 0; pass < 2; ++pass)
	{
		hollows->pointCount = 0;
		hollows->triangleCount = 0;
		hollows->count = 0;
		memset(places, 0, tnGetPlaceBytes(maker));
		for (int basin = 0; basin < maker->search.basinCount; ++basin)
		{
			if (!maker->alive[basin])
			{
				continue;
			}
			tnHollowShape* shape = hollows->items + hollows->count;
			*shape = (tnHollowShape){.firstTriangle = hollows->triangleCount};
			tnMaker_Copy(maker, basin, false, places, hollows->points, &hollows->pointCount, hollows->triangles,
				&hollows->triangleCount);
			shape->triangleCount = hollows->triangleCount - shape->firstTriangle;
			shape->lid = maker->heights[basin];
			shape->open = maker->heights[basin] < HUGE_VALF;
			tnMeasureBasin(maker, basin, shape);
			maker->hollowOf[basin] = hollows->count;
			hollows->count += 1;
		}
		if (pass == 0)
		{
			hollows->points = tnMemory_Alloc(maker->memory, (size_t)hollows->pointCount * sizeof(tnVec3));
			hollows->triangles = tnMemory_Alloc(maker->memory, 3 * (size_t)hollows->triangleCount * sizeof(int32_t));
			if (hollows->points == NULL || hollows->triangles == NULL)
			{
				return false;
			}
		}
	}
	for (int basin = 0; basin < maker->search.basinCount; ++basin)
	{
		if (maker->alive[basin])
		{
			tnHollowShape* shape = hollows->items + maker->hollowOf[basin];
			shape->firstRim = maker->rims.count;
			if (shape->open)
			{
				tnFindRim(maker, basin, tnFindLidEdges(maker, basin));
			}
			shape->rimCount = maker->rims.count - shape->firstRim;
		}
	}
	if (maker->rims.count > 0)
	{
		hollows->rims = tnMemory_Alloc(maker->memory, (size_t)maker->rims.count * sizeof(tnRim));
		if (hollows->rims == NULL)
		{
			return false;
		}
		hollows->rimCount = maker->rims.count;
		memcpy(hollows->rims, maker->rims.items, (size_t)maker->rims.count * sizeof(tnRim));
	}
	return !tnMaker_Failed(maker);
}

static bool tnMaker_Run(tnMaker* maker, tnMesh* hull, tnHollowMesh* hollows)
{
	bool any = false;
	for (int basin = 0; basin < maker->search.basinCount; ++basin)
	{
		const double spill = maker->search.basins[basin].spill;
		maker->heights[basin] =
			spill < HUGE_VAL ? tnFindCornerBelow(maker->mesh, spill + maker->search.tolerance) : HUGE_VALF;
		maker->alive[basin] = (double)maker->heights[basin] > maker->search.low[2];
	}
	bool closed = false;
	for (int i = 0; i < TN_MAX_LOWERINGS && !closed && !tnMaker_Failed(maker); ++i)
	{
		closed = tnMaker_Sort(maker);
		closed = closed && !tnMaker_Choose(maker);
	}
	for (int basin = 0; basin < maker->search.basinCount; ++basin)
	{
		any = any || maker->alive[basin];
	}
	if (tnMaker_Failed(maker) || !closed || !any)
	{
		return !tnMaker_Failed(maker);
	}
	int32_t* places = tnMemory_Alloc(maker->memory, tnGetPlaceBytes(maker));
	if (places == NULL)
	{
		return false;
	}
	bool ok = tnMakeHollowMesh(maker, places, hollows);
	ok = ok && tnMakeHullMesh(maker, places, hull);
	tnMemory_Free(maker->memory, places, tnGetPlaceBytes(maker));
	if (!ok)
	{
		tnHollowMesh_Destroy(hollows, maker->memory);
	}
	return ok;
}

bool tnFindHollows(const tnMesh* mesh, tnMemory* memory, tnMesh* hull, tnHollowMesh* hollows)
{
	*hollows = (tnHollowMesh){0};
	*hull = (tnMesh){0};
	if (mesh->simple || mesh->triangleCount > TN_MAX_HOLLOW_TRIANGLES)
	{
		return true;
	}
	tnMaker maker = {
		.mesh = mesh,
		.memory = memory,
		.extent = (double)mesh->radius,
		.points = {.memory = memory, .unit = sizeof(tnVec3)},
		.triangles = {.memory = memory, .unit = sizeof(tnMadeTriangle)},
		.edges = {.memory = memory, .unit = sizeof(tnLidEdge)},
		.rims = {.memory = memory, .unit = sizeof(tnRim)},
	};
	bool ok = tnHollowSearch_Make(&maker.search, mesh, memory);
	if (ok && maker.search.basinCount > 0)
	{
		tnCarver count = {0};
		char* block = NULL;
		size_t bytes = 0;
		int32_t* parents = NULL;
		for (int pass = 0; pass < 2 && (pass == 0 || block != NULL); ++pass)
		{
			tnCarver carver = {.block = block};
			maker.planes = tnCarve(&carver, (size_t)mesh->triangleCount * sizeof(maker.planes[0]));
			maker.partOf = tnCarve(&carver, (size_t)mesh->triangleCount * sizeof(int32_t));
			maker.partTriangles = tnCarve(&carver, (size_t)mesh->triangleCount * sizeof(int32_t));
			maker.partBegin = tnCarve(&carver, (size_t)(mesh->pointCount + 1) * sizeof(int32_t));
			maker.parts = tnCarve(&carver, (size_t)mesh->pointCount * sizeof(tnMeshPart));
			maker.pieces = tnCarve(&carver, 2 * TN_MAX_PIECES * sizeof(tnPiece));
			parents = tnCarve(&carver, (size_t)mesh->pointCount * sizeof(int32_t));
			count = carver;
			if (pass == 0)
			{
				bytes = count.used;
				block = tnMemory_Alloc(memory, bytes);
			}
		}
		ok = block != NULL;
		if (ok)
		{
			tnFindParts(&maker, parents);
			ok = tnMaker_Run(&maker, hull, hollows);
		}
		tnMemory_Free(memory, block, bytes);
	}
	tnGrowing_Free(&maker.points);
	tnGrowing_Free(&maker.triangles);
	tnGrowing_Free(&maker.edges);
	tnGrowing_Free(&maker.rims);
	tnHollowSearch_Free(&maker.search);
	return ok;
}

void tnHollowMesh_Destroy(tnHollowMesh* hollows, tnMemory* memory)
{
	tnMemory_Free(memory, hollows->points, (size_t)hollows->pointCount * sizeof(tnVec3));
	tnMemory_Free(memory, hollows->triangles, 3 * (size_t)hollows->triangleCount * sizeof(int32_t));
	tnMemory_Free(memory, hollows->rims, (size_t)hollows->rimCount * sizeof(tnRim));
	*hollows = (tnHollowMesh){0};
}

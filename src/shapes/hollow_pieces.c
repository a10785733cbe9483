// SPDX-License-Identifier: MIT

// Triangles of a hollow mesh are cut at others and at the lids of basins, and each piece goes to the basin that it faces into.

#include "hollow_maker.h"

#include <math.h>
#include <string.h>

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

int32_t tnAddPoint(tnMaker* maker, const double at[3], float snap)
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

void tnAddMade(tnMaker* maker, int32_t a, int32_t b, int32_t c, int basin)
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

void tnSortTriangle(tnMaker* maker, int triangle)
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

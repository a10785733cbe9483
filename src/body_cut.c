// SPDX-License-Identifier: MIT

#include "body_cut.h"

#include "body_clip.h"
#include "body_sweep.h"
#include "body_thin.h"

#include <math.h>

// The footprint of a body is a patch of cells. Its points are brought into cell units from the corner of the patch;
// how the patch is cut depends on the mesh and on where it is.

// Cells that a body can cover along one axis.
static int tnGetSpanLimit(const tnGrid* grid, const tnMesh* mesh, int worldCount)
{
	// One cell more than rounding of its points can need.
	const double span = 2.0 * (double)mesh->radius / (double)grid->cellSize + 3.0;
	return span < (double)worldCount ? (int)span : worldCount;
}

// Of the points of a mesh in scratch, and room to align what follows.
static size_t tnGetCornerBytes(const tnMesh* mesh)
{
	return ((size_t)mesh->pointCount * sizeof(tnCorner) + 63) / 64 * 64;
}

tnCutSize tnCut_GetSize(const tnGrid* grid, const tnMesh* mesh)
{
	const int columns = tnGetSpanLimit(grid, mesh, grid->columnCount);
	const int rows = tnGetSpanLimit(grid, mesh, grid->rowCount);
	const int64_t layers = mesh->simple ? 1 : TN_MAX_BODY_LAYERS;
	const int64_t columnCapacity = layers * columns * rows;
	const int64_t faceCapacity = layers * ((int64_t)(columns + 1) * rows + (int64_t)columns * (rows + 1));
	tnCutSize size;
	size.columnCapacity = columnCapacity < INT32_MAX ? (int)columnCapacity : INT32_MAX;
	size.faceCapacity = faceCapacity < INT32_MAX ? (int)faceCapacity : INT32_MAX;
	const size_t clipBytes = tnClip_GetByteCount(mesh, columns, rows);
	const size_t sweepBytes = mesh->simple ? tnSweep_GetByteCount(mesh, columns, rows) : 0;
	size.scratchBytes = tnGetCornerBytes(mesh) + (clipBytes > sweepBytes ? clipBytes : sweepBytes);
	return size;
}

// Cells of the world along one axis.
typedef struct tnAxisCells
{
	int count;
	bool wrap;
	int limit; // of cells that a body can cover
} tnAxisCells;

typedef struct tnPatchRange
{
	int begin, count;
	float center; // centre of mass, in cells from the begin
	bool whole;   // nothing was clipped
} tnPatchRange;

// Cells that a footprint covers along one axis: clipped to the world, and never more than the limit. All in cells.
static bool tnGetPatchRange(double center, double low, double high, tnAxisCells cells, tnPatchRange* range)
{
	double first = floor(center + low);
	double last = -floor(-(center + high));
	const double size = last - first;
	if (!cells.wrap)
	{
		first = first > 0.0 ? first : 0.0;
		last = last < (double)cells.count ? last : (double)cells.count;
	}
	if (!(last > first))
	{
		return false;
	}
	if (last - first > (double)cells.limit)
	{
		// Wider than a world without ends: what is left is around its middle.
		first = floor(0.5 * (first + last - (double)cells.limit));
		last = first + (double)cells.limit;
	}
	range->count = (int)(last - first);
	range->whole = last - first == size;
	range->center = (float)(center - first);
	if (cells.wrap)
	{
		first -= floor(first / (double)cells.count) * (double)cells.count;
	}
	range->begin = (int)first;
	return true;
}

typedef struct tnFootprint
{
	float xMin, xMax, zMin, zMax; // from the centre of mass, m
} tnFootprint;

static tnFootprint tnGetFootprint(const tnVec3* points, int count)
{
	tnFootprint box = {points[0].x, points[0].x, points[0].z, points[0].z};
	for (int i = 1; i < count; ++i)
	{
		box.xMin = tnMinFloat(box.xMin, points[i].x);
		box.xMax = tnMaxFloat(box.xMax, points[i].x);
		box.zMin = tnMinFloat(box.zMin, points[i].z);
		box.zMax = tnMaxFloat(box.zMax, points[i].z);
	}
	return box;
}

// Where a body is cut, and how.
typedef struct tnCutPlan
{
	tnPatch patch;
	int columnLimit, rowLimit;
	bool sweeps;
	tnCorner* corners;
	void* scratch; // what is left of it
} tnCutPlan;

// False if the body is outside of the world.
static bool tnMakeCutPlan(tnCutPlan* plan, tnCut* cut, const tnGrid* grid, const tnMesh* mesh, const tnVec3* points,
	tnVec3 position, void* scratch)
{
	if (mesh->pointCount == 0)
	{
		return false;
	}
	const tnFootprint box = tnGetFootprint(points, mesh->pointCount);
	const double scale = 1.0 / (double)grid->cellSize;
	const double x = ((double)position.x - (double)grid->origin.x) * scale;
	const double z = ((double)position.z - (double)grid->origin.z) * scale;
	const tnAxisCells cellsX = {grid->columnCount, grid->wrapX, tnGetSpanLimit(grid, mesh, grid->columnCount)};
	const tnAxisCells cellsZ = {grid->rowCount, grid->wrapZ, tnGetSpanLimit(grid, mesh, grid->rowCount)};
	tnPatchRange rangeX, rangeZ;
	if (!tnGetPatchRange(x, (double)box.xMin * scale, (double)box.xMax * scale, cellsX, &rangeX) ||
		!tnGetPatchRange(z, (double)box.zMin * scale, (double)box.zMax * scale, cellsZ, &rangeZ))
	{
		return false;
	}
	plan->patch = (tnPatch){
		.grid = grid,
		.cut = cut,
		.position = position,
		.columnBegin = rangeX.begin,
		.rowBegin = rangeZ.begin,
		.columnCount = rangeX.count,
		.rowCount = rangeZ.count,
		.centerX = rangeX.center,
		.centerZ = rangeZ.center,
	};
	plan->columnLimit = cellsX.limit;
	plan->rowLimit = cellsZ.limit;
	// A seam of the world would come out of order, and large patches do not fit.
	const bool seamless =
		rangeX.begin + rangeX.count < grid->columnCount && rangeZ.begin + rangeZ.count < grid->rowCount;
	plan->sweeps = mesh->simple && rangeX.whole && rangeZ.whole && (seamless || !(grid->wrapX || grid->wrapZ)) &&
		(rangeX.count + 1) * (int64_t)(rangeZ.count + 1) <= TN_MAX_SWEEP_NODES;
	plan->corners = scratch;
	plan->scratch = (char*)scratch + tnGetCornerBytes(mesh);
	return true;
}

static void tnCutPlan_PlaceCorners(const tnCutPlan* plan, const tnMesh* mesh, const tnVec3* points)
{
	const float scale = 1.0f / plan->patch.grid->cellSize;
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		tnCorner* corner = plan->corners + i;
		corner->at[0] = plan->patch.centerX + points[i].x * scale;
		corner->at[1] = plan->patch.centerZ + points[i].z * scale;
		corner->at[2] = points[i].y;
	}
}

void tnCut_Make(tnCut* cut, const tnGrid* grid, const tnMesh* mesh, const tnVec3* points, tnVec3 position,
	tnThinParts* thin, void* scratch)
{
	tnCut_ClearColumns(cut);
	cut->faceCount = 0;
	cut->facesMade = true;
	cut->truncated = false;
	if (thin != NULL)
	{
		thin->count = 0;
	}
	tnCutPlan plan;
	if (!tnMakeCutPlan(&plan, cut, grid, mesh, points, position, scratch))
	{
		return;
	}
	tnCutPlan_PlaceCorners(&plan, mesh, points);
	if (plan.sweeps)
	{
		tnSweep_MakeColumns(&plan.patch, mesh, plan.corners, thin, plan.scratch);
		cut->facesMade = false;
		return;
	}
	tnClip_Make(&plan.patch, mesh, plan.corners, plan.columnLimit, plan.rowLimit, plan.scratch);
	if (thin != NULL)
	{
		tnThinParts_Find(thin, cut, grid);
	}
}

float tnCut_GetShares(const tnCut* cut)
{
	enum
	{
		laneCount = 8,
	};
	const float* shares = tnCut_GetField(cut, tn_columnShare);
	// Side by side: a sum waits for the one before it.
	float lanes[laneCount] = {0.0f};
	const int whole = cut->columnCount / laneCount * laneCount;
	for (int i = 0; i < whole; i += laneCount)
	{
		for (int lane = 0; lane < laneCount; ++lane)
		{
			lanes[lane] += shares[i + lane];
		}
	}
	float sum = 0.0f;
	for (int lane = 0; lane < laneCount; ++lane)
	{
		sum += whole + lane < cut->columnCount ? lanes[lane] + shares[whole + lane] : lanes[lane];
	}
	return sum;
}

void tnCut_MakeFaces(
	tnCut* cut, const tnGrid* grid, const tnMesh* mesh, const tnVec3* points, tnVec3 position, void* scratch)
{
	tnCutPlan plan;
	if (!cut->facesMade && tnMakeCutPlan(&plan, cut, grid, mesh, points, position, scratch))
	{
		tnCutPlan_PlaceCorners(&plan, mesh, points);
		tnSweep_MakeFaces(&plan.patch, mesh, plan.corners, plan.scratch);
		cut->facesMade = true;
	}
}

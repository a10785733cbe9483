// SPDX-License-Identifier: MIT

#include "body_cut.h"

#include "body_clip.h"
#include "body_sweep.h"
#include "body_thin_parts.h"

#include <float.h>
#include <math.h>

// The footprint of a body is a patch of cells. Its points are brought into cell units from the corner of the patch;
// how the patch is cut depends on the mesh and on where it is.

int tnGetSpanLimit(const tnGrid* grid, float radius)
{
	// A hair's breadth more, for rounding of its points. Whoever is wider than all worlds is as wide as they are.
	const double span = 2.0 * (double)radius * (1.0 + 1.0e-5) / (double)grid->cellSize + 2.0;
	return span < (double)TN_MAX_CELLS ? (int)span : TN_MAX_CELLS;
}

int tnGetLeastSpan(const tnGrid* grid, const tnMesh* mesh)
{
	// A thousandth of the thickness has been left out for rounding. With it a cube of one cell is as wide as a cell.
	const double span = 1.0011 * (double)mesh->thickness / (double)grid->cellSize + 1.0;
	return span < (double)TN_MAX_CELLS ? (int)span : TN_MAX_CELLS;
}

// Lines of the grid across one axis that it can cross or touch at most: one less than cells, but for what counts as touching.
static int tnGetLineLimit(const tnGrid* grid, float radius)
{
	const double span = 2.0 * (double)radius * (1.0 + 1.0e-5) / (double)grid->cellSize + 2.0 * (double)TN_TOUCH + 1.0;
	return span < (double)TN_MAX_CELLS ? (int)span : TN_MAX_CELLS;
}

// Of the points of a mesh in scratch, and room to align what follows.
static size_t tnGetCornerBytes(const tnMesh* mesh)
{
	return ((size_t)mesh->pointCount * (sizeof(tnFineCorner) + sizeof(tnCorner)) + 63) / 64 * 64;
}

tnCutSize tnCut_GetSize(const tnGrid* grid, const tnMesh* mesh)
{
	const int columns = tnMinInt(tnGetSpanLimit(grid, mesh->radius), grid->columnCount);
	const int rows = tnMinInt(tnGetSpanLimit(grid, mesh->radius), grid->rowCount);
	const int64_t layers = mesh->simple ? 1 : TN_MAX_BODY_LAYERS;
	const int64_t columnCapacity = layers * columns * rows;
	const int lines = tnGetLineLimit(grid, mesh->radius);
	const int64_t facesX = (int64_t)tnMinInt(lines, columns + 1) * rows;
	const int64_t facesZ = (int64_t)tnMinInt(lines, rows + 1) * columns;
	const int64_t faceCapacity = layers * (facesX + facesZ);
	tnCutSize size;
	size.columnCapacity = columnCapacity < INT32_MAX ? (int)columnCapacity : INT32_MAX;
	size.faceCapacity = faceCapacity < INT32_MAX ? (int)faceCapacity : INT32_MAX;
	const size_t clipBytes = tnClip_GetByteCount(mesh, columns, rows);
	const size_t sweepBytes = mesh->simple ? tnSweep_GetByteCount(mesh, columns, rows) : 0;
	tnCarver carver = {0};
	tnCarve(&carver, tnGetCornerBytes(mesh));
	tnCarve(&carver, clipBytes > sweepBytes ? clipBytes : sweepBytes);
	size.scratchBytes = carver.used;
	return size;
}

// Cells of the world along one axis.
typedef struct tnAxisCells
{
	int count;
	bool wrap;
	int limit;      // of cells that a body can cover
	int begin, end; // cells to which it is cut, not wrapped
} tnAxisCells;

typedef struct tnPatchRange
{
	int begin, count;
	double center; // centre of mass, in cells from the begin
	bool whole;    // nothing was clipped
} tnPatchRange;

// Cells that a footprint covers along one axis: clipped to the world, and never more than the limit. All in cells.
static bool tnGetPatchRange(double center, double low, double high, tnAxisCells cells, tnPatchRange* range)
{
	double first = floor(center + low);
	double last = -floor(-(center + high));
	const double size = last - first;
	first = first > (double)cells.begin ? first : (double)cells.begin;
	last = last < (double)cells.end ? last : (double)cells.end;
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
	range->center = center - first;
	if (cells.wrap)
	{
		first -= floor(first / (double)cells.count) * (double)cells.count;
	}
	range->begin = (int)first;
	return true;
}

// From the centre of mass, m. 0 is x, 1 is z.
typedef struct tnFootprint
{
	double low[2], high[2];
} tnFootprint;

// Turn the points of a mesh: m from the centre of mass.
static tnFootprint tnTurnCorners(const tnMesh* mesh, tnQuat rotation, tnFineCorner* corners)
{
	const tnAxes axes = tnQuat_GetAxes(rotation);
	const double x[3] = {axes.x.x, axes.x.z, axes.x.y};
	const double y[3] = {axes.y.x, axes.y.z, axes.y.y};
	const double z[3] = {axes.z.x, axes.z.z, axes.z.y};
	tnFootprint box = {{DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX}};
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		const double p[3] = {mesh->points[i].x, mesh->points[i].y, mesh->points[i].z};
		double* at = corners[i].at;
		for (int axis = 0; axis < 3; ++axis)
		{
			at[axis] = x[axis] * p[0] + y[axis] * p[1] + z[axis] * p[2];
		}
		at[3] = 0.0;
		for (int axis = 0; axis < 2; ++axis)
		{
			box.low[axis] = at[axis] < box.low[axis] ? at[axis] : box.low[axis];
			box.high[axis] = at[axis] > box.high[axis] ? at[axis] : box.high[axis];
		}
	}
	return box;
}

// Where a body is cut, and how.
typedef struct tnCutPlan
{
	tnPatch patch;
	double center[2]; // of the patch, as fine as corners are
	int columnLimit, rowLimit;
	bool sweeps;
	tnFineCorner* corners; // m from the centre of mass, until they are placed
	void* scratch;         // what is left of it
} tnCutPlan;

// False if the body is outside of the world.
static bool tnMakeCutPlan(tnCutPlan* plan, tnCut* cut, const tnGrid* grid, const tnMesh* mesh, const tnPose* pose,
	const tnTravel* travel, const tnCellBox* within, void* scratch)
{
	if (mesh->pointCount == 0)
	{
		return false;
	}
	tnCarver carver = {.block = scratch};
	plan->corners = tnCarve(&carver, tnGetCornerBytes(mesh));
	plan->scratch = (char*)scratch + carver.used;
	const tnFootprint print = tnTurnCorners(mesh, pose->rotation, plan->corners);
	const double scale = 1.0 / (double)grid->cellSize;
	const double x = ((double)pose->position.x - (double)grid->origin.x) * scale;
	const double z = ((double)pose->position.z - (double)grid->origin.z) * scale;
	const int span = tnGetSpanLimit(grid, mesh->radius);
	const tnCellBox all = {-INT32_MAX, INT32_MAX, -INT32_MAX, INT32_MAX};
	const tnCellBox* box = within != NULL ? within : &all;
	const tnAxisCells cellsX = {
		grid->columnCount, grid->wrapX, tnMinInt(span, grid->columnCount), box->columnBegin, box->columnEnd};
	const tnAxisCells cellsZ = {
		grid->rowCount, grid->wrapZ, tnMinInt(span, grid->rowCount), box->rowBegin, box->rowEnd};
	tnPatchRange rangeX, rangeZ;
	if (!tnGetPatchRange(x, print.low[0] * scale, print.high[0] * scale, cellsX, &rangeX) ||
		!tnGetPatchRange(z, print.low[1] * scale, print.high[1] * scale, cellsZ, &rangeZ))
	{
		return false;
	}
	plan->patch = (tnPatch){
		.grid = grid,
		.cut = cut,
		.position = pose->position,
		.columnBegin = rangeX.begin,
		.rowBegin = rangeZ.begin,
		.columnCount = rangeX.count,
		.rowCount = rangeZ.count,
		.centerX = (float)rangeX.center,
		.centerZ = (float)rangeZ.center,
	};
	if (travel != NULL)
	{
		plan->patch.travel = *travel;
		plan->patch.stripWidths = tnTravel_GetStripWidths(travel, mesh->radius);
	}
	plan->center[0] = rangeX.center;
	plan->center[1] = rangeZ.center;
	plan->columnLimit = cellsX.limit;
	plan->rowLimit = cellsZ.limit;
	// A seam of the world would come out of order, and large patches do not fit.
	const bool seamless =
		rangeX.begin + rangeX.count < grid->columnCount && rangeZ.begin + rangeZ.count < grid->rowCount;
	plan->sweeps = mesh->simple && rangeX.whole && rangeZ.whole && (seamless || !(grid->wrapX || grid->wrapZ)) &&
		(rangeX.count + 1) * (int64_t)(rangeZ.count + 1) <= TN_MAX_SWEEP_NODES;
	return true;
}

// Cells from the corner of the patch. Sweeps look for nothing outside of it: it holds the body but for rounding.
static void tnCutPlan_PlaceCorners(const tnCutPlan* plan, const tnMesh* mesh)
{
	const tnPatch* patch = &plan->patch;
	const double scale = 1.0 / (double)patch->grid->cellSize;
	const double low = plan->sweeps ? 0.0 : -DBL_MAX;
	const double high[2] = {plan->sweeps ? patch->columnCount : DBL_MAX, plan->sweeps ? patch->rowCount : DBL_MAX};
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		double* at = plan->corners[i].at;
		for (int axis = 0; axis < 2; ++axis)
		{
			const double place = plan->center[axis] + at[axis] * scale;
			const double most = place < high[axis] ? place : high[axis];
			at[axis] = most > low ? most : low;
		}
	}
}

// All of the scratch is for a sweep: what a clip has carved out of it is no more.
static void tnCutPlan_OpenSweep(const tnCutPlan* plan, const tnMesh* mesh)
{
	tnCarver carver = {.block = plan->scratch};
	tnCarve(&carver, tnSweep_GetByteCount(mesh, plan->columnLimit, plan->rowLimit));
}

// The same in floats, behind the others.
static tnCorner* tnCutPlan_RoundCorners(const tnCutPlan* plan, const tnMesh* mesh)
{
	tnCorner* corners = (tnCorner*)(plan->corners + mesh->pointCount);
	for (int i = 0; i < mesh->pointCount; ++i)
	{
		for (int axis = 0; axis < 3; ++axis)
		{
			corners[i].at[axis] = (float)plan->corners[i].at[axis];
		}
	}
	return corners;
}

void tnCut_Make(tnCut* cut, const tnGrid* grid, const tnMesh* mesh, const tnPose* pose, const tnTravel* travel,
	const tnCellBox* within, tnCutColumnsFcn* cutColumns, tnThinParts* thin, void* scratch)
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
	if (!tnMakeCutPlan(&plan, cut, grid, mesh, pose, travel, within, scratch))
	{
		return;
	}
	tnCutPlan_PlaceCorners(&plan, mesh);
	if (plan.sweeps)
	{
		tnCutPlan_OpenSweep(&plan, mesh);
		cutColumns(&plan.patch, mesh, plan.corners, thin, plan.scratch);
		cut->facesMade = false;
		return;
	}
	tnClip_Make(&plan.patch, mesh, tnCutPlan_RoundCorners(&plan, mesh), plan.columnLimit, plan.rowLimit, plan.scratch);
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
	tnCut* cut, const tnGrid* grid, const tnMesh* mesh, const tnPose* pose, const tnCellBox* within, void* scratch)
{
	tnCutPlan plan;
	if (!cut->facesMade && tnMakeCutPlan(&plan, cut, grid, mesh, pose, NULL, within, scratch))
	{
		tnCutPlan_PlaceCorners(&plan, mesh);
		tnCutPlan_OpenSweep(&plan, mesh);
		tnSweep_MakeFaces(&plan.patch, mesh, plan.corners, plan.scratch);
		cut->facesMade = true;
	}
}

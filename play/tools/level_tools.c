// SPDX-License-Identifier: MIT

// Brushes in a level, paid from its budgets.

#include "tools/level_tools.h"

#include <math.h>
#include <stdio.h>

static bool tnpIsEarthTool(tnpTool tool)
{
	return tool == tnp_raiseTool || tool == tnp_lowerTool || tool == tnp_flattenTool;
}

// Ground and water, m and m^3: each changes by what a stroke moves. Strokes only raise or only lower, but for flatten,
// which cuts hills and fills hollows: the sum of heights above its plane and below it.
static double tnpMeasureStroke(tnWorld* world, const tnpStroke* stroke)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	if (tnpIsEarthTool(stroke->tool) == false)
	{
		return tnWorld_GetLedger(world).edits;
	}
	const tnFieldView bed = tnWorld_GetBed(world);
	const double size = (double)def.cellSize, reach = (double)stroke->radius + size;
	const double x = (double)stroke->center.x - (double)def.origin.x;
	const double z = (double)stroke->center.z - (double)def.origin.z;
	// Places outside of the world, or nowhere, are refused by whoever moves the ground.
	const int firstColumn = (int)fmin(fmax(0.0, (x - reach) / size), bed.columnCount);
	const int firstRow = (int)fmin(fmax(0.0, (z - reach) / size), bed.rowCount);
	double sum = 0.0;
	for (int row = firstRow; row < bed.rowCount && row * size <= z + reach; ++row)
	{
		for (int column = firstColumn; column < bed.columnCount && column * size <= x + reach; ++column)
		{
			const double height = (double)bed.data[(size_t)row * (size_t)bed.stride + (size_t)column];
			sum += stroke->tool == tnp_flattenTool ? fabs(height - (double)stroke->height) : height;
		}
	}
	return sum * size * size;
}

tnResult tnpApplyLevelStroke(tnsLevel* level, tnWorld* world, const tnpStroke* stroke, float timeStep)
{
	if (level == NULL)
	{
		return tnpApplyStroke(world, stroke, timeStep);
	}
	const char* name = tnpGetToolName(stroke->tool);
	const int tool = tnsLevel_FindTool(level, name);
	tnpStroke fair = *stroke;
	if (tool >= 0)
	{
		fair.radius = tnsLevel_GetInfo(level)->tools[tool].radius;
		fair.strength = tnsLevel_GetInfo(level)->tools[tool].strength;
	}
	tnResult result = {0};
	const tnsResult may = tnsLevel_MayUse(level, name, fair.center, fair.radius);
	if (may.status != tns_ok)
	{
		result.status = tn_invalidArgument;
		snprintf(result.text, sizeof(result.text), "%.150s", may.text);
		return result;
	}
	const double before = tnpMeasureStroke(world, &fair);
	result = tnpApplyStroke(world, &fair, timeStep);
	const double moved = fabs(tnpMeasureStroke(world, &fair) - before);
	tnsLevel_Charge(level, tool, fair.tool == tnp_pushTool ? (double)timeStep : moved);
	return result;
}

tnResult tnpApplyVoxelLevelStroke(tnsLevel* level, tnpVoxelPlay* voxels, tnpVoxelStroke* stroke)
{
	const char* name = tnpGetToolName(stroke->tool);
	const int tool = level != NULL ? tnsLevel_FindTool(level, name) : -1;
	if (level == NULL)
	{
		return tnpVoxels_ApplyStroke(voxels, stroke);
	}
	if (tool >= 0)
	{
		stroke->radius = tnsLevel_GetInfo(level)->tools[tool].radius;
		stroke->strength = tnsLevel_GetInfo(level)->tools[tool].strength;
	}
	const tnVec2 center = {stroke->hand.point.x, stroke->hand.point.z};
	const tnsResult may = tnsLevel_MayUse(level, name, center, stroke->radius);
	if (may.status != tns_ok)
	{
		tnResult result = {.status = tn_invalidArgument};
		snprintf(result.text, sizeof(result.text), "%.150s", may.text);
		return result;
	}
	const tnResult result = tnpVoxels_ApplyStroke(voxels, stroke);
	const double size = (double)voxels->info->worldDef.voxelSize;
	tnsLevel_Charge(level, tool, stroke->moved * size * size * size);
	return result;
}

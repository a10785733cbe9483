// SPDX-License-Identifier: MIT

// A dam that can be pulled: it lowers the ground under a box of the scene.

#include "tools/dam.h"

#include <stdlib.h>
#include <string.h>

// Less of it, m, is no dam.
static const float s_leastHeight = 0.5f;

struct tnpDam
{
	int column, row, columnCount, rowCount;
	float share;
	tnVec3 crest;
	// columnCount * rowCount values each.
	float* start;
	float* ground;
	float* now;
};

static int tnpFindDamRegion(const tnsScene* scene)
{
	const int count = tnsScene_GetInfo(scene)->regionCount;
	for (int i = 0; i < count; ++i)
	{
		if (strcmp(tnsScene_GetRegionName(scene, i), TNP_DAM_REGION) == 0 &&
			tnsScene_GetRegionDef(scene, i).shape == tn_boxRegion)
		{
			return i;
		}
	}
	return -1;
}

static int tnpClampCell(float cell, int count)
{
	return cell < 0.0f ? 0 : (cell > (float)(count - 1) ? count - 1 : (int)cell);
}

// The ground that the dam stands on, between the cells just outside its long sides.
static void tnpFillGround(tnpDam* dam, tnFieldView bed, bool crestAlongX)
{
	const int lastRow = bed.rowCount - 1, lastColumn = bed.columnCount - 1;
	for (int row = 0; row < dam->rowCount; ++row)
	{
		for (int column = 0; column < dam->columnCount; ++column)
		{
			const int c = dam->column + column, r = dam->row + row;
			const int before = crestAlongX ? dam->row - 1 : dam->column - 1;
			const int after = crestAlongX ? dam->row + dam->rowCount : dam->column + dam->columnCount;
			const int last = crestAlongX ? lastRow : lastColumn;
			const int first = before < 0 ? 0 : before, end = after > last ? last : after;
			const float from = crestAlongX ? bed.data[first * bed.stride + c] : bed.data[r * bed.stride + first];
			const float to = crestAlongX ? bed.data[end * bed.stride + c] : bed.data[r * bed.stride + end];
			const float way = (float)((crestAlongX ? r : c) - before) / (float)(after - before);
			const float start = bed.data[r * bed.stride + c];
			const float ground = from + (to - from) * way;
			const int cell = row * dam->columnCount + column;
			dam->start[cell] = start;
			dam->ground[cell] = ground < start ? ground : start;
		}
	}
}

tnpDam* tnpCreateDam(const tnsScene* scene, const tnWorld* world)
{
	const int index = tnpFindDamRegion(scene);
	if (index < 0)
	{
		return NULL;
	}
	const tnRegionDef region = tnsScene_GetRegionDef(scene, index);
	const tnWorldDef def = tnWorld_GetDef(world);
	const tnFieldView bed = tnWorld_GetBed(world);
	const float x = region.center.x - def.origin.x, z = region.center.z - def.origin.z;

	tnpDam dam = {0};
	dam.column = tnpClampCell((x - region.extent.x) / def.cellSize, def.columnCount);
	dam.row = tnpClampCell((z - region.extent.z) / def.cellSize, def.rowCount);
	dam.columnCount = tnpClampCell((x + region.extent.x) / def.cellSize, def.columnCount) - dam.column + 1;
	dam.rowCount = tnpClampCell((z + region.extent.z) / def.cellSize, def.rowCount) - dam.row + 1;
	const size_t cellCount = (size_t)dam.columnCount * (size_t)dam.rowCount;
	float* values = malloc(3 * cellCount * sizeof(float));
	tnpDam* result = malloc(sizeof(tnpDam));
	if (values == NULL || result == NULL)
	{
		free(values);
		free(result);
		return NULL;
	}
	dam.start = values;
	dam.ground = values + cellCount;
	dam.now = values + 2 * cellCount;
	tnpFillGround(&dam, bed, region.extent.x >= region.extent.z);
	const int middle = (dam.rowCount / 2) * dam.columnCount + dam.columnCount / 2;
	float tallest = 0.0f;
	for (size_t i = 0; i < cellCount; ++i)
	{
		tallest = dam.start[i] - dam.ground[i] > tallest ? dam.start[i] - dam.ground[i] : tallest;
	}
	// In a world that was saved after the flood there is no dam to pull any more.
	dam.share = tallest < s_leastHeight ? 1.0f : 0.0f;
	dam.crest = (tnVec3){region.center.x, dam.start[middle], region.center.z};
	*result = dam;
	return result;
}

void tnpDestroyDam(tnpDam* dam)
{
	if (dam != NULL)
	{
		free(dam->start);
		free(dam);
	}
}

void tnpDam_Pull(tnpDam* dam, tnWorld* world, float share)
{
	const float wanted = share > 1.0f ? 1.0f : share;
	if (!(wanted > dam->share))
	{
		return;
	}
	dam->share = wanted;
	const tnFieldView bed = tnWorld_GetBed(world);
	for (int row = 0; row < dam->rowCount; ++row)
	{
		for (int column = 0; column < dam->columnCount; ++column)
		{
			const int cell = row * dam->columnCount + column;
			const float here = bed.data[(dam->row + row) * bed.stride + dam->column + column];
			const float height = dam->start[cell] + (dam->ground[cell] - dam->start[cell]) * wanted;
			// Where the player has dug deeper already it stays so.
			dam->now[cell] = height < here ? height : here;
		}
	}
	tnWorld_SetTerrainBlock(world, dam->column, dam->row, dam->columnCount, dam->rowCount, dam->now);
}

float tnpDam_GetShare(const tnpDam* dam)
{
	return dam->share;
}

tnVec3 tnpDam_GetCrest(const tnpDam* dam)
{
	return dam->crest;
}

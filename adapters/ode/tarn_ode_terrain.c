// SPDX-License-Identifier: MIT

// The bed of a world as a geom of ODE.

#include "tarn_ode.h"

#include <stdlib.h>

struct tnoTerrain
{
	const tnWorld* water;
	dHeightfieldDataID data;
	dGeomID ground;
	// NULL where bodies can pass.
	dGeomID walls[tn_sideCount];
};

// Samples stand on the centres of cells, and there is one more on each side, outside, as high as its neighbour: so the
// ground reaches half a cell beyond the edges of the world.
static dReal tnoGetHeight(void* context, int x, int z)
{
	const tnoTerrain* terrain = context;
	const tnFieldView bed = tnWorld_GetBed(terrain->water);
	int column = x - 1, row = z - 1;
	column = column < 0 ? 0 : column >= bed.columnCount ? bed.columnCount - 1 : column;
	row = row < 0 ? 0 : row >= bed.rowCount ? bed.rowCount - 1 : row;
	return (dReal)bed.data[(size_t)row * (size_t)bed.stride + (size_t)column];
}

tnoTerrain* tnoCreateTerrain(const tnWorld* water, dSpaceID space, const bool* walls)
{
	tnoTerrain* terrain = water != NULL && space != NULL ? calloc(1, sizeof(tnoTerrain)) : NULL;
	if (terrain == NULL)
	{
		return NULL;
	}
	const tnWorldDef def = tnWorld_GetDef(water);
	const dReal cell = (dReal)def.cellSize;
	const dReal width = cell * (def.columnCount + 1), depth = cell * (def.rowCount + 1);
	const dReal low[2] = {(dReal)def.origin.x, (dReal)def.origin.z};
	const dReal high[2] = {low[0] + cell * def.columnCount, low[1] + cell * def.rowCount};
	terrain->water = water;
	terrain->data = dGeomHeightfieldDataCreate();
	// The thickness below the lowest point in which ODE still sees a body that got under the ground.
	const dReal thickness = 10;
	dGeomHeightfieldDataBuildCallback(
		terrain->data, terrain, tnoGetHeight, width, depth, def.columnCount + 2, def.rowCount + 2, 1, 0, thickness, 0);
	dGeomHeightfieldDataSetBounds(terrain->data, (dReal)-TN_MAX_LENGTH, (dReal)TN_MAX_LENGTH);
	terrain->ground = dCreateHeightfield(space, terrain->data, 1);
	dGeomSetPosition(terrain->ground, (low[0] + high[0]) / 2, 0, (low[1] + high[1]) / 2);

	// The half-space a * x + b * y + c * z < d is solid.
	const dReal planes[tn_sideCount][4] = {
		{1, 0, 0, low[0]}, {-1, 0, 0, -high[0]}, {0, 0, 1, low[1]}, {0, 0, -1, -high[1]}};
	for (int side = 0; side < tn_sideCount; ++side)
	{
		if (walls == NULL || walls[side])
		{
			const dReal* plane = planes[side];
			terrain->walls[side] = dCreatePlane(space, plane[0], plane[1], plane[2], plane[3]);
		}
	}
	return terrain;
}

void tnoDestroyTerrain(tnoTerrain* terrain)
{
	if (terrain == NULL)
	{
		return;
	}
	for (int side = 0; side < tn_sideCount; ++side)
	{
		if (terrain->walls[side] != NULL)
		{
			dGeomDestroy(terrain->walls[side]);
		}
	}
	dGeomDestroy(terrain->ground);
	dGeomHeightfieldDataDestroy(terrain->data);
	free(terrain);
}

bool tnoTerrain_HasGeom(const tnoTerrain* terrain, dGeomID geom)
{
	bool has = geom == terrain->ground;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		has = has || (geom != NULL && geom == terrain->walls[side]);
	}
	return has;
}

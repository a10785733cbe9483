// SPDX-License-Identifier: MIT

#include "bodies/draw_bodies.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

// Which cells bodies are over, as the picture needs it: by the middle of each cell. The water itself knows better, with
// shares of cells; here it only matters where the surface must go on level because a body stands in the way, and where
// a body stirs up foam.

void tnrMakeCover(tnrCover* cover, const tnWorld* world)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	*cover = (tnrCover){.columnCount = def.columnCount, .rowCount = def.rowCount, .cellSize = def.cellSize};
}

void tnrFreeCover(tnrCover* cover)
{
	free(cover->low);
	free(cover->high);
	free(cover->velocity);
	free(cover->cells);
	*cover = (tnrCover){0};
}

// Made when the first body comes: most worlds have none.
static bool tnrAllocateCover(tnrCover* cover)
{
	if (cover->cells != NULL)
	{
		return true;
	}
	const size_t cellCount = (size_t)cover->columnCount * (size_t)cover->rowCount;
	cover->low = malloc(cellCount * sizeof(float));
	cover->high = malloc(cellCount * sizeof(float));
	cover->velocity = malloc(cellCount * sizeof(tnVec2));
	cover->cells = malloc(cellCount * sizeof(int32_t));
	if (cover->low == NULL || cover->high == NULL || cover->velocity == NULL || cover->cells == NULL)
	{
		free(cover->low);
		free(cover->high);
		free(cover->velocity);
		free(cover->cells);
		cover->low = cover->high = NULL;
		cover->velocity = NULL;
		cover->cells = NULL;
		return false;
	}
	for (size_t i = 0; i < cellCount; ++i)
	{
		cover->low[i] = INFINITY;
		cover->high[i] = -INFINITY;
	}
	return true;
}

static void tnrClearCover(tnrCover* cover)
{
	for (int i = 0; i < cover->cellCount; ++i)
	{
		cover->low[cover->cells[i]] = INFINITY;
		cover->high[cover->cells[i]] = -INFINITY;
	}
	cover->cellCount = 0;
}

static void tnrCoverCell(tnrCover* cover, int cell, float height, tnVec2 velocity)
{
	if (cover->low[cell] > cover->high[cell])
	{
		cover->cells[cover->cellCount++] = cell;
		cover->velocity[cell] = velocity;
	}
	cover->low[cell] = fminf(cover->low[cell], height);
	cover->high[cell] = fmaxf(cover->high[cell], height);
}

// In cells: x and z are columns and rows, cell middles are whole numbers.
static void tnrCoverTriangle(tnrCover* cover, tnVec3 a, tnVec3 b, tnVec3 c, tnVec2 velocity)
{
	const float area = (b.x - a.x) * (c.z - a.z) - (c.x - a.x) * (b.z - a.z);
	const float west = fminf(a.x, fminf(b.x, c.x)), east = fmaxf(a.x, fmaxf(b.x, c.x));
	const float north = fminf(a.z, fminf(b.z, c.z)), south = fmaxf(a.z, fmaxf(b.z, c.z));
	const float lastColumn = (float)(cover->columnCount - 1), lastRow = (float)(cover->rowCount - 1);
	if (!(fabsf(area) > 1.0e-9f) || east < 0.0f || south < 0.0f || west > lastColumn || north > lastRow)
	{
		return;
	}
	const int firstRow = (int)ceilf(fmaxf(north, 0.0f)), endRow = (int)floorf(fminf(south, lastRow));
	const int firstColumn = (int)ceilf(fmaxf(west, 0.0f)), endColumn = (int)floorf(fminf(east, lastColumn));
	for (int row = firstRow; row <= endRow; ++row)
	{
		for (int column = firstColumn; column <= endColumn; ++column)
		{
			const float x = (float)column, z = (float)row;
			const float u = ((b.x - x) * (c.z - z) - (c.x - x) * (b.z - z)) / area;
			const float v = ((c.x - x) * (a.z - z) - (a.x - x) * (c.z - z)) / area;
			if (u >= 0.0f && v >= 0.0f && u + v <= 1.0f)
			{
				const float height = u * a.y + v * b.y + (1.0f - u - v) * c.y;
				tnrCoverCell(cover, row * cover->columnCount + column, height, velocity);
			}
		}
	}
}

static void tnrCoverBody(tnrCover* cover, const tnrBody* body, const tnBodyMesh* mesh)
{
	const float perMeter = 1.0f / cover->cellSize;
	const float width = (float)cover->columnCount * cover->cellSize, length = (float)cover->rowCount * cover->cellSize;
	const tnVec3 p = body->place;
	const float r = body->radius;
	if (p.x + r < 0.0f || p.z + r < 0.0f || p.x - r > width || p.z - r > length)
	{
		return;
	}
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		tnVec3 corners[3];
		for (int j = 0; j < 3; ++j)
		{
			const tnVec3 turned = tnrTurn(body->rotation, mesh->points[mesh->triangles[3 * i + j]]);
			corners[j] =
				(tnVec3){(turned.x + p.x) * perMeter - 0.5f, turned.y + p.y, (turned.z + p.z) * perMeter - 0.5f};
		}
		tnrCoverTriangle(cover, corners[0], corners[1], corners[2], (tnVec2){body->velocity.x, body->velocity.z});
	}
}

bool tnrUpdateCover(tnrCover* cover, const tnrBodies* bodies, const tnWorld* world)
{
	if (bodies->any == false && cover->cells == NULL)
	{
		return false;
	}
	if (tnrAllocateCover(cover) == false)
	{
		return false;
	}
	tnrClearCover(cover);
	for (int i = 0; i < bodies->idCount; ++i)
	{
		const tnrBody* body = &bodies->items[bodies->ids[i].index1 - 1];
		tnBodyMesh mesh;
		if (body->present && tnWorld_GetBodyMesh(world, bodies->ids[i], &mesh).status == tn_ok)
		{
			tnrCoverBody(cover, body, &mesh);
		}
	}
	return true;
}

// SPDX-License-Identifier: MIT

// Bodies in a surface. Where one comes through the surface nobody sees the surface, but a mesh with vertices in the middle of cells
// shows half a cell of what is inside beside the body: pressures of a dam, what has been left on its top. So these cells become
// walls, and so do dry cells on which a body stands:
//
//       ~~~~~~~~~~|~~o  |      The surface goes on level into the body, and behind a thin one as far below the
//                 |   \ |      ground as it was above it: it meets the ground at the border of the two cells.
//       __________|____\|_o__
//
// Over a body that is flooded from beside it water is drawn.

#include "../core/hash.h"
#include "../core/numerics.h"
#include "../shapes/body_mesh.h"
#include "surface.h"

#include <math.h>
#include <string.h>

// Engines leave gaps between things that touch, cells.
#define TN_COVER_GAP 0.1f
// Thinner water on top of a body is not drawn, m. Cells and faces of a body agree on its height to the second.
#define TN_COVER_FILM 0.01f
#define TN_COVER_SLACK 0.02f
// Whole turns in a step: nobody can see which way, rad.
#define TN_MOST_TURN 1.5f
// How far below dry ground the surface lies where there is no water near, cells: as in surface_tile.c.
#define TN_COVER_HIDDEN 0.5f

static size_t tnGetTexelCount(const tnSurface* surface)
{
	return (size_t)surface->columnCount * (size_t)surface->rowCount;
}

void tnSurface_FreeCover(tnSurface* surface)
{
	tnSurfaceCover* cover = &surface->cover;
	tnMemory* memory = &surface->memory;
	const size_t cells = tnGetTexelCount(surface), tiles = (size_t)surface->tileCount;
	tnMemory_Free(memory, cover->low, cells * sizeof(float));
	tnMemory_Free(memory, cover->high, cells * sizeof(float));
	tnMemory_Free(memory, cover->velocity, cells * sizeof(tnVec2));
	tnMemory_Free(memory, cover->held, cells * sizeof(float));
	tnMemory_Free(memory, cover->kind, cells);
	tnMemory_Free(memory, cover->cells, cells * sizeof(int32_t));
	tnMemory_Free(memory, cover->hashes, tiles * sizeof(uint64_t));
	tnMemory_Free(memory, cover->hashesBefore, tiles * sizeof(uint64_t));
	*cover = (tnSurfaceCover){0};
}

// Made when the first body comes: most worlds have none.
static bool tnAllocateCover(tnSurface* surface)
{
	tnSurfaceCover* cover = &surface->cover;
	tnMemory* memory = &surface->memory;
	const size_t cells = tnGetTexelCount(surface), tiles = (size_t)surface->tileCount;
	bool ok = (cover->low = tnMemory_AllocDirty(memory, cells * sizeof(float))) != NULL;
	ok = ok && (cover->high = tnMemory_AllocDirty(memory, cells * sizeof(float))) != NULL;
	ok = ok && (cover->velocity = tnMemory_AllocDirty(memory, cells * sizeof(tnVec2))) != NULL;
	ok = ok && (cover->held = tnMemory_AllocDirty(memory, cells * sizeof(float))) != NULL;
	ok = ok && (cover->kind = tnMemory_Alloc(memory, cells)) != NULL;
	ok = ok && (cover->cells = tnMemory_AllocDirty(memory, cells * sizeof(int32_t))) != NULL;
	ok = ok && (cover->hashes = tnMemory_Alloc(memory, tiles * sizeof(uint64_t))) != NULL;
	ok = ok && (cover->hashesBefore = tnMemory_Alloc(memory, tiles * sizeof(uint64_t))) != NULL;
	if (!ok)
	{
		tnSurface_FreeCover(surface);
		return false;
	}
	cover->any = true;
	return true;
}

static void tnCoverCell(tnSurfaceCover* cover, int cell, float height, tnVec2 velocity)
{
	if (cover->kind[cell] == tn_coverNone)
	{
		cover->cells[cover->cellCount++] = cell;
		cover->kind[cell] = tn_coverOpen;
		cover->velocity[cell] = velocity;
		cover->low[cell] = cover->high[cell] = height;
		return;
	}
	cover->low[cell] = tnMinFloat(cover->low[cell], height);
	cover->high[cell] = tnMaxFloat(cover->high[cell], height);
}

static float tnMin3(float a, float b, float c)
{
	return tnMinFloat(a, tnMinFloat(b, c));
}

static float tnMax3(float a, float b, float c)
{
	return tnMaxFloat(a, tnMaxFloat(b, c));
}

// In cells: x and z are columns and rows, cell middles are whole numbers.
static void tnCoverTriangle(tnSurface* surface, tnVec3 a, tnVec3 b, tnVec3 c, tnVec2 velocity)
{
	const float area = (b.x - a.x) * (c.z - a.z) - (c.x - a.x) * (b.z - a.z);
	const float west = tnMin3(a.x, b.x, c.x), east = tnMax3(a.x, b.x, c.x);
	const float north = tnMin3(a.z, b.z, c.z), south = tnMax3(a.z, b.z, c.z);
	const float lastColumn = (float)(surface->columnCount - 1), lastRow = (float)(surface->rowCount - 1);
	// Not for NaN either.
	if (!(fabsf(area) > 1.0e-9f) || !(east >= 0.0f && south >= 0.0f && west <= lastColumn && north <= lastRow))
	{
		return;
	}
	const int firstRow = -tnFloorToInt(-(double)tnMaxFloat(north, 0.0f));
	const int endRow = tnFloorToInt((double)tnMinFloat(south, lastRow));
	const int firstColumn = -tnFloorToInt(-(double)tnMaxFloat(west, 0.0f));
	const int endColumn = tnFloorToInt((double)tnMinFloat(east, lastColumn));
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
				tnCoverCell(&surface->cover, row * surface->columnCount + column, height, velocity);
			}
		}
	}
}

// Turned on by a spin, rad, in the frame of the world.
static tnQuat tnSpin(tnQuat q, tnVec3 spin)
{
	const float angle = sqrtf(spin.x * spin.x + spin.y * spin.y + spin.z * spin.z);
	if (!(angle > 1.0e-6f && angle < TN_MOST_TURN))
	{
		return q;
	}
	const double turns = (double)angle / (4.0 * 3.14159265358979323846);
	const float s = (float)tnSinTurns(turns) / angle, w = (float)tnSinTurns(turns + 0.25);
	const tnVec3 a = {spin.x * s, spin.y * s, spin.z * s};
	return tnQuat_Normalize((tnQuat){
		w * q.x + a.x * q.w + a.y * q.z - a.z * q.y,
		w * q.y + a.y * q.w + a.z * q.x - a.x * q.z,
		w * q.z + a.z * q.w + a.x * q.y - a.y * q.x,
		w * q.w - a.x * q.x - a.y * q.y - a.z * q.z,
	});
}

// Where a body is at the moment of the surface: engines move a body by its new velocity, so the pose before follows from it.
static void tnCoverBody(tnSurface* surface, const tnBody* body)
{
	const float back = surface->back, perMeter = 1.0f / surface->cellSize;
	const tnVec2 origin = surface->world->grid.origin;
	const tnVec3 v = body->motion.velocity, spin = body->motion.spin, p = body->pose.position;
	const tnVec3 place = {p.x - v.x * back - origin.x, p.y - v.y * back, p.z - v.z * back - origin.z};
	const float r = body->mesh.radius;
	if (!(place.x + r >= 0.0f && place.z + r >= 0.0f &&
			place.x - r <= (float)surface->columnCount * surface->cellSize &&
			place.z - r <= (float)surface->rowCount * surface->cellSize))
	{
		return;
	}
	const tnQuat rotation =
		tnSpin(tnQuat_Normalize(body->pose.rotation), (tnVec3){-spin.x * back, -spin.y * back, -spin.z * back});
	const tnAxes axes = tnQuat_GetAxes(rotation);
	for (int i = 0; i < body->mesh.triangleCount; ++i)
	{
		tnVec3 corners[3];
		for (int j = 0; j < 3; ++j)
		{
			const tnVec3 turned = tnAxes_Turn(&axes, body->mesh.points[body->mesh.triangles[3 * i + j]]);
			corners[j] = (tnVec3){
				(turned.x + place.x) * perMeter - 0.5f, turned.y + place.y, (turned.z + place.z) * perMeter - 0.5f};
		}
		tnCoverTriangle(surface, corners[0], corners[1], corners[2], (tnVec2){v.x, v.z});
	}
}

static void tnMakeWall(tnSurfaceCover* cover, int cell, float highest)
{
	cover->kind[cell] = tn_coverWall;
	cover->held[cell] = tnMinFloat(cover->held[cell], highest);
}

// Has water over a body come from beside it? Then a neighbour stands higher than the body.
static bool tnIsFlooded(const tnSurface* surface, int cell, float height)
{
	const tnSurfaceCover* cover = &surface->cover;
	const int column = cell % surface->columnCount, row = cell / surface->columnCount;
	for (int side = 0; side < 9; ++side)
	{
		const int c = column + side % 3 - 1, r = row + side / 3 - 1;
		if (c < 0 || r < 0 || c >= surface->columnCount || r >= surface->rowCount)
		{
			continue;
		}
		const int other = r * surface->columnCount + c;
		if (cover->kind[other] == tn_coverWall || cover->kind[other] == tn_coverUnsure)
		{
			continue;
		}
		float depth;
		const float top = tnSurface_GetCell(surface, c, r, &depth);
		if (depth > TN_WET_DEPTH && top > height)
		{
			return true;
		}
	}
	return false;
}

// Which cells are walls.
static void tnFindWalls(tnSurface* surface)
{
	tnSurfaceCover* cover = &surface->cover;
	const tnGrid* grid = &surface->world->grid;
	int unsure = 0;
	for (int i = 0; i < cover->cellCount; ++i)
	{
		const int cell = cover->cells[i], column = cell % surface->columnCount, row = cell / surface->columnCount;
		float depth;
		const float height = tnSurface_GetCell(surface, column, row, &depth);
		const float bed = grid->bed[tnGrid_Index(grid, column, row)];
		cover->held[cell] = height;
		cover->kind[cell] =
			cover->low[cell] < bed + TN_COVER_GAP * surface->cellSize ? (uint8_t)tn_coverStands : (uint8_t)tn_coverOpen;
		if (!(depth > TN_WET_DEPTH) || height <= cover->low[cell])
		{
			continue;
		}
		if (height < cover->high[cell] + TN_COVER_FILM)
		{
			tnMakeWall(cover, cell, cover->high[cell] - TN_COVER_SLACK);
			continue;
		}
		cover->kind[cell] = tn_coverUnsure;
		unsure += 1;
	}
	// Forwards and backwards by turns; no body is wider than what this reaches and then still in one picture.
	const int mostSweeps = 64;
	bool changed = unsure > 0;
	for (int sweep = 0; sweep < mostSweeps && changed; ++sweep)
	{
		changed = false;
		for (int i = 0; i < cover->cellCount; ++i)
		{
			const int cell = cover->cells[sweep % 2 == 0 ? i : cover->cellCount - 1 - i];
			if (cover->kind[cell] == tn_coverUnsure && tnIsFlooded(surface, cell, cover->high[cell] - TN_COVER_SLACK))
			{
				cover->kind[cell] = tn_coverOpen;
				changed = true;
			}
		}
	}
	for (int i = 0; i < cover->cellCount && unsure > 0; ++i)
	{
		const int cell = cover->cells[i];
		if (cover->kind[cell] == tn_coverUnsure)
		{
			tnMakeWall(cover, cell, cover->high[cell] - TN_COVER_SLACK);
		}
	}
}

bool tnSurface_UpdateCover(tnSurface* surface)
{
	tnSurfaceCover* cover = &surface->cover;
	const tnBodies* bodies = &surface->world->bodies;
	if (!cover->any && (bodies->count == 0 || !tnAllocateCover(surface)))
	{
		return bodies->count == 0;
	}
	for (int i = 0; i < cover->cellCount; ++i)
	{
		cover->kind[cover->cells[i]] = tn_coverNone;
	}
	cover->cellCount = 0;
	for (int i = 0; i < bodies->count; ++i)
	{
		tnCoverBody(surface, tnBodies_Get(bodies, bodies->list[i]));
	}
	tnFindWalls(surface);
	uint64_t* swap = cover->hashes;
	cover->hashes = cover->hashesBefore;
	cover->hashesBefore = swap;
	memset(cover->hashes, 0, (size_t)surface->tileCount * sizeof(uint64_t));
	for (int i = 0; i < cover->cellCount; ++i)
	{
		const int cell = cover->cells[i];
		const int tile = tnSurface_FindTile(surface, cell % surface->columnCount, cell / surface->columnCount);
		const float numbers[7] = {(float)(cell & 0xFFFF), (float)(cell >> 16), cover->low[cell], cover->high[cell],
			(float)cover->kind[cell], cover->velocity[cell].x, cover->velocity[cell].z};
		uint64_t* hash = cover->hashes + tile;
		*hash = tnHashBytes(*hash == 0 ? TN_HASH_SEED : *hash, numbers, sizeof(numbers));
		*hash = tnHashBytes(*hash, cover->held + cell, sizeof(float));
	}
	tnSurface_HashDecks(surface, cover->hashes);
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks with bodies

void tnSurface_ApplyCover(const tnSurface* surface, tnCellBox box, tnSurfaceScratch* scratch)
{
	for (int row = -TN_SURFACE_MARGIN; row < TN_SURFACE_TILE + TN_SURFACE_MARGIN; ++row)
	{
		for (int column = -TN_SURFACE_MARGIN; column < TN_SURFACE_TILE + TN_SURFACE_MARGIN; ++column)
		{
			const ptrdiff_t at = tnSurface_GetBlockIndex(column, row);
			if (scratch->rings[at] > 50.0f)
			{
				continue;
			}
			const int cell = (box.rowBegin + row) * surface->columnCount + box.columnBegin + column;
			if (surface->cover.kind[cell] == tn_coverWall)
			{
				scratch->rings[at] = 0.0f;
				scratch->surface[at] = surface->cover.held[cell];
			}
		}
	}
}

// Is there a body instead of a surface?
static bool tnIsWallThere(const tnSurface* surface, int cell, float ring)
{
	const uint8_t kind = surface->cover.kind[cell];
	return ring != 1.0f && (kind == tn_coverWall || kind == tn_coverStands);
}

// The same as the kernel does for blocks without bodies, and what walls change of it.
static bool tnGrowCell(
	const tnSurface* surface, int cell, ptrdiff_t at, float ground, int ring, tnSurfaceScratch* scratch)
{
	float sum = 0.0f, highest = -2.0e30f;
	int count = 0, walls = 0;
	for (int j = -1; j <= 1; ++j)
	{
		for (int i = -1; i <= 1; ++i)
		{
			const ptrdiff_t other = at + (ptrdiff_t)j * TN_SURFACE_STRIDE + i;
			const float reached = scratch->rings[other];
			if (reached > 0.5f && reached < (float)ring + 0.5f)
			{
				sum += scratch->surface[other];
				highest = tnMaxFloat(highest, scratch->surface[other]);
				count += 1;
				walls += tnIsWallThere(surface, cell + j * surface->columnCount + i, reached) ? 1 : 0;
			}
		}
	}
	if (count == 0)
	{
		return false;
	}
	float* own = scratch->surface + at;
	if (tnIsWallThere(surface, cell, 0.0f))
	{
		// Only as far as one cell into the body: on its other side the water may stand lower, or not at all.
		*own = ring == 1 ? sum / (float)count : *own;
		return ring == 1;
	}
	if (walls == count)
	{
		*own = highest > ground ? 2.0f * ground - highest : ground - TN_COVER_HIDDEN * surface->cellSize;
		return true;
	}
	*own = highest > ground ? ground : sum / (float)count;
	return true;
}

void tnSurface_GrowAroundBodies(const tnSurface* surface, tnCellBox box, tnSurfaceScratch* scratch)
{
	const tnGrid* grid = &surface->world->grid;
	for (int ring = 1; ring <= TN_SURFACE_RINGS + 1; ++ring)
	{
		// Cells of the outermost row and column are only looked at.
		const int less = ring <= TN_SURFACE_RINGS ? 1 : 0;
		for (int row = less - TN_SURFACE_MARGIN; row < TN_SURFACE_TILE + TN_SURFACE_MARGIN - less; ++row)
		{
			for (int column = less - TN_SURFACE_MARGIN; column < TN_SURFACE_TILE + TN_SURFACE_MARGIN - less; ++column)
			{
				const ptrdiff_t at = tnSurface_GetBlockIndex(column, row);
				if (scratch->rings[at] != 0.0f)
				{
					continue;
				}
				const int cell = (box.rowBegin + row) * surface->columnCount + box.columnBegin + column;
				const float ground = grid->bed[tnGrid_Index(grid, box.columnBegin + column, box.rowBegin + row)];
				if (ring > TN_SURFACE_RINGS)
				{
					// A wall that no open water is beside keeps its own height.
					scratch->surface[at] = surface->cover.kind[cell] == tn_coverWall
						? scratch->surface[at]
						: ground - TN_COVER_HIDDEN * surface->cellSize;
				}
				else if (tnGrowCell(surface, cell, at, ground, ring, scratch))
				{
					scratch->rings[at] = (float)ring + 1.0f;
				}
			}
		}
	}
}

// SPDX-License-Identifier: MIT

// Bodies that go down into water throw some of it up.
//
// While a body goes down faster than w = def.slamSpeed, TN_SLAM_SHARE of the volume that comes below the water in a step leaves
// around its waterline as a crown. In Wagner's theory of impact the sheet follows the surface of the body, away from it where it
// hangs over and up where it is upright, some times as fast as the body; here it is TN_CROWN_SPEED times as fast on the mean, and
// faster on the side to which the body goes. That takes about a tenth of the work of the slam, which the body has done
// already: half density * w^2 times the volume, by its drag.
//
// Water comes from the nearest cell outwards that no body covers, no more than TN_MOST_SLAMMED of it. Its momentum goes along, and what
// it is thrown outwards with the rest of that cell gets backwards.
//
// The waterline is gathered in sectors around its middle. Mirrored sectors have the same random numbers, so the crown of a body
// that goes straight down throws as much to one side as to the other.

#include "../core/numerics.h"
#include "../flow/cell_disc.h"
#include "../shapes/submerged_mesh.h"
#include "spray.h"

#include <math.h>

#define TN_SLAM_SHARE 0.15f
#define TN_CROWN_SPEED 0.7f
// Of the water of a cell, at most.
#define TN_MOST_SLAMMED 0.2f
// Outward part of the crown beside an upright wall, over its upward part.
#define TN_CROWN_LEAN 0.4f
// Least depth in a cell that is worth to throw, m, and the height above the water where it begins.
#define TN_LEAST_SLAM 1.0e-5f
#define TN_CROWN_RISE 0.02f

enum
{
	TN_SECTORS = 32,
	// Cells outwards that are looked at, and pieces that one sector is thrown in.
	TN_SLAM_REACH = 5,
	TN_SLAM_PIECES = 3,
	// Most parts into which a segment of the waterline is cut.
	TN_MOST_PARTS = 64,
};

// A part of the waterline. Sums are times their length till they are made means.
typedef struct tnCrownSector
{
	double length;
	double x, z;      // from the centre of mass, m
	double normal[3]; // of the body
} tnCrownSector;

typedef struct tnCrown
{
	const tnBody* body;
	float height; // of the water, from the centre of mass
	double length, x, z;
	float directions[TN_SECTORS][2];
	tnCrownSector sectors[TN_SECTORS];
} tnCrown;

// ---------------------------------------------------------------------------------------------------------------------
// The waterline

static int tnFindSector(const tnCrown* crown, double x, double z)
{
	int best = 0;
	double most = -INFINITY;
	for (int i = 0; i < TN_SECTORS; ++i)
	{
		const double along = x * crown->directions[i][0] + z * crown->directions[i][1];
		best = along > most ? i : best;
		most = along > most ? along : most;
	}
	return best;
}

static void tnGetNormal(const tnBody* body, int triangle, double normal[3])
{
	const int32_t* corners = body->mesh.triangles + 3 * (ptrdiff_t)triangle;
	const tnVec3 p = body->points[corners[0]];
	const tnVec3 q = body->points[corners[1]];
	const tnVec3 r = body->points[corners[2]];
	const double a[3] = {(double)q.x - p.x, (double)q.y - p.y, (double)q.z - p.z};
	const double b[3] = {(double)r.x - p.x, (double)r.y - p.y, (double)r.z - p.z};
	normal[0] = a[1] * b[2] - a[2] * b[1];
	normal[1] = a[2] * b[0] - a[0] * b[2];
	normal[2] = a[0] * b[1] - a[1] * b[0];
	const double length = sqrt(normal[0] * normal[0] + normal[2] * normal[2] + normal[1] * normal[1]);
	for (int k = 0; k < 3; ++k)
	{
		normal[k] = length > 0.0 ? normal[k] / length : 0.0;
	}
}

static void tnAddSegment(tnCrown* crown, const double normal[3], const tnVec3 ends[2], float cellSize)
{
	const double dx = (double)ends[1].x - ends[0].x;
	const double dz = (double)ends[1].z - ends[0].z;
	const double length = sqrt(dx * dx + dz * dz);
	const double wanted = 4.0 * length / cellSize;
	const int count = wanted < TN_MOST_PARTS ? 1 + (int)wanted : TN_MOST_PARTS;
	for (int i = 0; i < count; ++i)
	{
		const double at = (i + 0.5) / count;
		const double x = ends[0].x + at * dx;
		const double z = ends[0].z + at * dz;
		const double part = length / count;
		tnCrownSector* sector = crown->sectors + tnFindSector(crown, x - crown->x, z - crown->z);
		sector->length += part;
		sector->x += part * x;
		sector->z += part * z;
		for (int k = 0; k < 3; ++k)
		{
			sector->normal[k] += part * normal[k];
		}
	}
}

// False if there is none.
static bool tnGatherCrown(tnCrown* crown, float cellSize)
{
	const tnBody* body = crown->body;
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int i = 0; i < body->mesh.triangleCount; ++i)
		{
			tnVec3 ends[2];
			double normal[3];
			if (!tnMesh_CutTriangle(&body->mesh, body->points, i, crown->height, ends))
			{
				continue;
			}
			if (pass == 1)
			{
				tnGetNormal(body, i, normal);
				tnAddSegment(crown, normal, ends, cellSize);
				continue;
			}
			const double dx = (double)ends[1].x - ends[0].x;
			const double dz = (double)ends[1].z - ends[0].z;
			const double length = sqrt(dx * dx + dz * dz);
			crown->length += length;
			crown->x += 0.5 * length * ((double)ends[0].x + ends[1].x);
			crown->z += 0.5 * length * ((double)ends[0].z + ends[1].z);
		}
		if (!(crown->length > 0.0))
		{
			return false;
		}
		crown->x /= pass == 0 ? crown->length : 1.0;
		crown->z /= pass == 0 ? crown->length : 1.0;
	}
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// The splash

// Water of a sector, and where it comes from.
typedef struct tnSplash
{
	tnVec2 place;   // at the waterline
	tnVec2 out;     // away from the body
	float up, lean; // of the sheet, together of length 1
	float height;   // at which it begins, m
	int column, row;
	ptrdiff_t cell;
} tnSplash;

static tnSplash tnAimSplash(const tnCrown* crown, const tnCrownSector* sector)
{
	const double x = sector->x / sector->length;
	const double z = sector->z / sector->length;
	const tnVec3 p = crown->body->pose.position;
	tnSplash splash = {.place = {(float)(p.x + x), (float)(p.z + z)}};
	const double n[3] = {
		sector->normal[0] / sector->length, sector->normal[1] / sector->length, sector->normal[2] / sector->length};
	// Away from the surface, or from the middle if it faces down.
	const double level = sqrt(n[0] * n[0] + n[2] * n[2]);
	const bool isSteep = level > 0.2;
	const double away[2] = {isSteep ? n[0] : x - crown->x, isSteep ? n[2] : z - crown->z};
	const double length = sqrt(away[0] * away[0] + away[1] * away[1]);
	splash.out = length > 0.0 ? (tnVec2){(float)(away[0] / length), (float)(away[1] / length)} : (tnVec2){0};
	const double lean = TN_CROWN_LEAN + (n[1] < 0.0 ? -n[1] : 0.0);
	const double up = level > 0.3 ? level : 0.3;
	const double size = sqrt(lean * lean + up * up);
	splash.lean = (float)(lean / size);
	splash.up = (float)(up / size);
	return splash;
}

// Around a world that wraps. False outside.
static bool tnFindCell(const tnGrid* grid, float x, float z, int* column, int* row)
{
	const float limit = 1.0e6f;
	*column = (int)floorf(tnClampFloat((x - grid->origin.x) / grid->cellSize, -limit, limit));
	*row = (int)floorf(tnClampFloat((z - grid->origin.z) / grid->cellSize, -limit, limit));
	*column = grid->wrapX ? (*column % grid->columnCount + grid->columnCount) % grid->columnCount : *column;
	*row = grid->wrapZ ? (*row % grid->rowCount + grid->rowCount) % grid->rowCount : *row;
	return *column >= 0 && *column < grid->columnCount && *row >= 0 && *row < grid->rowCount;
}

static float tnGetSurface(const tnGrid* grid, ptrdiff_t cell)
{
	return grid->bed[cell] + tnGrid_GetHeight(grid, cell);
}

// The nearest cell outwards that is wet and that no body covers. False if there is none.
static bool tnFindOpenWater(const tnGrid* grid, tnSplash* splash)
{
	splash->height = -INFINITY;
	for (int i = 0; i < TN_SLAM_REACH; ++i)
	{
		const float reach = (float)i * grid->cellSize;
		if (!tnFindCell(grid, splash->place.x + reach * splash->out.x, splash->place.z + reach * splash->out.z,
				&splash->column, &splash->row))
		{
			return false;
		}
		splash->cell = tnGrid_Index(grid, splash->column, splash->row);
		// It must not begin below the water that stands higher beside the body.
		splash->height = tnMaxFloat(splash->height, tnGetSurface(grid, splash->cell));
		if (tnGrid_GetLift(grid, splash->cell) == 0.0f)
		{
			return grid->depth[splash->cell] > TN_LEAST_SLAM;
		}
	}
	return false;
}

// What faces say and not what hosts read: momentum is booked by it.
static tnVec2 tnGetWaterVelocity(const tnGrid* grid, int column, int row)
{
	return (tnVec2){
		0.5f * (tnGrid_GetFaceVelocityX(grid, column, row) + tnGrid_GetFaceVelocityX(grid, column + 1, row)),
		0.5f * (tnGrid_GetFaceVelocityZ(grid, column, row) + tnGrid_GetFaceVelocityZ(grid, column, row + 1))};
}

// @param impulse of the water that is thrown, N s; @param water that it had in the cell
static void tnRecoil(const tnSprayStep* step, const tnSplash* splash, const double impulse[2], const double water[2])
{
	tnGrid* grid = step->grid;
	const tnDisc disc = {
		.box = {splash->column, splash->column + 1, splash->row, splash->row + 1},
		.center = tnGrid_GetCenter(grid, splash->column, splash->row),
		.cellCount = 1,
		.isCell = true,
		.depthSum = grid->depth[splash->cell],
	};
	// A cell that is drawn down keeps its velocity or its discharge, by method: in the first case water took its own along.
	const double kept = tnGrid_StoresVelocity(grid) ? 1.0 : 0.0;
	tnDisc_Push(&disc, grid, (tnVec2){(float)(kept * water[0] - impulse[0]), (float)(kept * water[1] - impulse[1])});
	tnTiles_Touch(step->tiles, disc.box);
}

// @param speed with which the body goes down, m/s
static void tnThrowUp(tnSpray* spray, const tnSprayStep* step, const tnCrown* crown, const tnSplash* splash,
	float depth, float speed, uint32_t random)
{
	tnGrid* grid = step->grid;
	depth = tnMinFloat(depth, TN_MOST_SLAMMED * grid->depth[splash->cell]);
	const int64_t units = depth >= TN_LEAST_SLAM ? tnSpray_CountTaken(spray, grid, splash->cell, depth) : 0;
	if (units < TN_SLAM_PIECES)
	{
		return;
	}
	float tracers[TN_MAX_TRACERS];
	for (int i = 0; i < grid->tracerCount; ++i)
	{
		tracers[i] = grid->tracers[i][splash->cell];
	}
	const tnVec2 water = tnGetWaterVelocity(grid, splash->column, splash->row);
	const tnVec3 own = crown->body->motion.velocity;
	const float ahead = tnMaxFloat(own.x * splash->out.x + own.z * splash->out.z, 0.0f);
	const double mass = TN_WATER_DENSITY * (double)grid->cellSize * grid->cellSize / TN_SPRAY_UNITS;
	double thrown[2] = {0.0, 0.0};
	int64_t left = units;
	for (int i = 0; i < TN_SLAM_PIECES; ++i)
	{
		const int64_t piece = i < TN_SLAM_PIECES - 1 ? units / TN_SLAM_PIECES : left;
		left -= piece;
		const float time = step->timeStep * tnNextFraction(&random);
		const float pace = (TN_CROWN_SPEED * speed + 0.5f * ahead) * (0.5f + tnNextFraction(&random));
		tnBirth birth = {.kind = tn_splashSpray, .seed = random, .tracers = tracers};
		birth.velocity = (tnVec3){water.x + splash->lean * pace * splash->out.x, splash->up * pace,
			water.z + splash->lean * pace * splash->out.z};
		thrown[0] += mass * (double)piece * birth.velocity.x;
		thrown[1] += mass * (double)piece * birth.velocity.z;
		const tnVec3 start = {splash->place.x, splash->height + TN_CROWN_RISE, splash->place.z};
		birth.position = tnSpray_GetPlace(spray, start.x + time * birth.velocity.x - spray->center.x,
			start.y + time * birth.velocity.y - 0.5f * step->gravity * time * time,
			start.z + time * birth.velocity.z - spray->center.z);
		birth.velocity.y -= step->gravity * time;
		tnSpray_Add(spray, grid, &birth, piece);
	}
	tnGrid_NoteTaken(grid, grid->depth[splash->cell]);
	grid->depth[splash->cell] -= depth;
	const double all = mass * (double)units;
	tnRecoil(step, splash, thrown, (double[2]){all * water.x, all * water.z});
}

static void tnSlamBody(tnSpray* spray, const tnSprayStep* step, const tnBody* body, float volume)
{
	const tnGrid* grid = step->grid;
	tnCrown crown = {.body = body, .height = body->state.waterlineHeight - body->pose.position.y};
	for (int i = 0; i < TN_SECTORS; ++i)
	{
		crown.directions[i][0] = (float)tnSinTurns((double)i / TN_SECTORS + 0.25);
		crown.directions[i][1] = (float)tnSinTurns((double)i / TN_SECTORS);
	}
	if (!tnGatherCrown(&crown, grid->cellSize))
	{
		return;
	}
	for (int i = 0; i < TN_SECTORS; ++i)
	{
		const tnCrownSector* sector = crown.sectors + i;
		if (!(sector->length > 0.0))
		{
			continue;
		}
		tnSplash splash = tnAimSplash(&crown, sector);
		if (tnFindOpenWater(grid, &splash))
		{
			const double share = TN_SLAM_SHARE * sector->length / crown.length;
			const float depth = (float)(share * volume / ((double)grid->cellSize * grid->cellSize));
			// The same for its mirror images.
			const int half = tnMinInt(i, TN_SECTORS - i);
			const int quarter = tnMinInt(half, TN_SECTORS / 2 - half);
			const uint32_t random =
				tnScramble((uint32_t)step->stepCount * 0x85ebca6bu ^ (uint32_t)quarter * 0xc2b2ae3du);
			tnThrowUp(spray, step, &crown, &splash, depth, -body->motion.velocity.y, random);
		}
	}
}

void tnSpray_Slam(tnSpray* spray, const tnSprayStep* step)
{
	const tnBodies* bodies = step->bodies;
	for (int i = 0; i < bodies->count; ++i)
	{
		const tnBody* body = tnBodies_Get(bodies, bodies->list[i]);
		tnObstacle* item = spray->bodies.items + bodies->list[i];
		const float volume = body->wet ? body->state.submergedVolume : 0.0f;
		// What was put into the water has not come through its surface.
		const float gained = item->isSubmergedKnown && !item->hasJumped ? volume - item->submerged : 0.0f;
		item->submerged = volume;
		item->isSubmergedKnown = true;
		if (gained > 0.0f && -body->motion.velocity.y > spray->def.slamSpeed)
		{
			tnSlamBody(spray, step, body, gained);
		}
	}
}

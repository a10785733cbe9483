// SPDX-License-Identifier: MIT

// Where water leaves the columns.
//
// Ledges. A heightfield lets what goes over a cliff drop at once: it is at the foot in the same step. Over a face with a fall of
// more than def.ledgeHeight, steeper than TN_LEDGE_SLOPE, the flow brought q dt dx of water to the lower cell. That is taken
// out again and put into the air at the lip. Columns are drawn down to a film at such a face, many times too fast; water that
// leaves a brink freely has 0.715 of the critical depth (q^2 / g)^(1/3) there (Rouse 1936), and the velocity that goes with it,
// or that of the stream above if it arrives faster (shallow method: others do not know their speed there). Each face has its turn every TN_LEDGE_PERIOD
// steps, with the water of all of them; particles begin as if they had left at a moment of that time, so that the sheet is
// without gaps. What has less than TN_LEAST_FALL runs down the wall as before.
//
// Jets bring water from outside.

#include "spray.h"

#include "numerics.h"

#include <math.h>

#define TN_LEDGE_SLOPE 1.5f
#define TN_BRINK 0.715f
#define TN_LEDGE_PERIOD 4
#define TN_LEAST_FALL 1.0e-4f // m of depth in a cell
// Most of the water of the lower cell that is taken: the rest was there before.
#define TN_MOST_TAKEN 0.9f
// Particles of a birth, at most, and the volume that they should have, as a share of a cube of the cell.
#define TN_MOST_PIECES 4
#define TN_PIECE 0.002

// ---------------------------------------------------------------------------------------------------------------------
// Numbers

static uint32_t tnScramble(uint32_t v)
{
	v ^= v >> 16;
	v *= 0x7feb352du;
	v ^= v >> 15;
	v *= 0x846ca68bu;
	return v ^ v >> 16;
}

// In [0, 1). The next one each time.
static float tnNextFraction(uint32_t* state)
{
	*state = tnScramble(*state + 0x9e3779b9u);
	return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

// ---------------------------------------------------------------------------------------------------------------------
// Births

void tnSpray_Add(tnSpray* spray, const tnGrid* grid, const tnBirth* birth, int64_t units)
{
	const float area = grid->cellSize * grid->cellSize;
	const float volume = (float)((double)units / TN_SPRAY_UNITS) * area;
	const int count = spray->tracerCount;
	if (spray->count < spray->def.capacity)
	{
		const int i = spray->count++;
		spray->particles[i] =
			(tnSprayParticle){birth->position, birth->velocity, volume, 0.0f, birth->kind, birth->seed};
		spray->units[i] = units;
		for (int k = 0; k < count; ++k)
		{
			spray->tracers[i * count + k] = birth->tracers != NULL ? birth->tracers[k] : 0.0f;
		}
		spray->bornCount += 1;
		return;
	}
	// Another one takes it along: the sum of volume and momentum is the same.
	const int i = (int)(birth->seed % (uint32_t)spray->count);
	tnSprayParticle* other = spray->particles + i;
	const int64_t both = spray->units[i] + units;
	const float share = (float)((double)units / (double)both);
	other->velocity.x += share * (birth->velocity.x - other->velocity.x);
	other->velocity.y += share * (birth->velocity.y - other->velocity.y);
	other->velocity.z += share * (birth->velocity.z - other->velocity.z);
	for (int k = 0; k < count; ++k)
	{
		float* c = spray->tracers + i * count + k;
		*c += share * ((birth->tracers != NULL ? birth->tracers[k] : 0.0f) - *c);
	}
	spray->units[i] = both;
	other->volume = (float)((double)both / TN_SPRAY_UNITS) * area;
	spray->mergedCount += 1;
}

// Share units among pieces: the last one gets what is left.
static int64_t tnGetPiece(int64_t units, int piece, int count)
{
	const int64_t even = units / count;
	return piece < count - 1 ? even : units - even * (count - 1);
}

static int tnCountPieces(const tnGrid* grid, int64_t units)
{
	const double depth = (double)units / TN_SPRAY_UNITS;
	const double pieces = depth / (TN_PIECE * (double)grid->cellSize);
	return pieces < 1.0 ? 1 : (pieces < TN_MOST_PIECES ? (int)pieces : TN_MOST_PIECES);
}

// ---------------------------------------------------------------------------------------------------------------------
// Ledges

typedef struct tnLedge
{
	int column, row;     // of the cell behind the face, in +x or +z
	bool alongX;         // water goes along x
	bool isDown;         // towards +x or +z
	ptrdiff_t high, low; // cells
} tnLedge;

// Take water out of a cell. Returns units, 0 if that cannot be said exactly.
static int64_t tnTakeWater(tnGrid* grid, ptrdiff_t cell, float depth)
{
	const float before = grid->depth[cell];
	const float after = before - depth;
	const double taken = ((double)before - (double)after) * TN_SPRAY_UNITS;
	const int64_t units = (int64_t)taken;
	if (!(after >= 0.0f) || (double)units != taken || units <= 0)
	{
		return 0;
	}
	grid->depth[cell] = after;
	return units;
}

// What the last sub-step moved over the face, downwards, m^2/s.
static float tnGetLedgeDischarge(const tnGrid* grid, const tnLedge* ledge)
{
	const ptrdiff_t face = tnGrid_Index(grid, ledge->column, ledge->row);
	const float across = ledge->alongX ? grid->dischargeX[face] : grid->dischargeZ[face];
	return ledge->isDown ? across : -across;
}

// Velocity with which water arrives at the lip, m/s: across the face before the upper cell.
static float tnGetArrivalSpeed(const tnGrid* grid, const tnLedge* ledge)
{
	const int way = ledge->isDown ? -1 : 1;
	const int column = ledge->column + (ledge->alongX ? way : 0);
	const int row = ledge->row + (ledge->alongX ? 0 : way);
	if (column < 0 || column > grid->columnCount || row < 0 || row > grid->rowCount)
	{
		return 0.0f;
	}
	const float across =
		ledge->alongX ? tnGrid_GetFaceVelocityX(grid, column, row) : tnGrid_GetFaceVelocityZ(grid, column, row);
	return ledge->isDown ? across : -across;
}

static void tnFallOverLedge(tnSpray* spray, const tnSprayStep* step, const tnLedge* ledge)
{
	tnGrid* grid = step->grid;
	const float size = grid->cellSize;
	const float lip = grid->bed[ledge->high];
	const float fall = lip - (grid->bed[ledge->low] + tnGrid_GetHeight(grid, ledge->low));
	const float discharge = tnGetLedgeDischarge(grid, ledge);
	const float seconds = TN_LEDGE_PERIOD * step->timeStep;
	const float wanted = tnMinFloat(discharge * seconds / size, TN_MOST_TAKEN * grid->depth[ledge->low]);
	if (!(fall > spray->def.ledgeHeight && wanted >= TN_LEAST_FALL))
	{
		return;
	}
	const float critical = (float)tnCubeRoot((double)discharge * discharge / step->gravity);
	const float arriving = grid->method == tn_shallowMethod ? tnGetArrivalSpeed(grid, ledge) : 0.0f;
	const float speed = tnMaxFloat(discharge / (TN_BRINK * critical), arriving);
	const float section = discharge / speed;
	const int64_t units = tnTakeWater(grid, ledge->low, wanted);
	float tracers[TN_MAX_TRACERS];
	for (int i = 0; i < grid->tracerCount; ++i)
	{
		tracers[i] = grid->tracers[i][ledge->low];
	}
	const int count = units > 0 ? tnCountPieces(grid, units) : 0;
	uint32_t random = tnScramble((uint32_t)step->stepCount * 0x85ebca6bu ^
		(uint32_t)(2 * (ledge->row * grid->columnCount + ledge->column) + (ledge->alongX ? 1 : 0)));
	for (int i = 0; i < count; ++i)
	{
		const float along = tnNextFraction(&random);
		const float height = tnNextFraction(&random);
		const float time = seconds * tnNextFraction(&random);
		const float pace = speed * (0.9f + 0.2f * tnNextFraction(&random));
		const float way = ledge->isDown ? pace : -pace;
		tnBirth birth = {.kind = tn_fallingSpray, .seed = random, .tracers = tracers};
		// Beyond the lip, where it is after its time in the air.
		const float beyond = (ledge->isDown ? 0.02f : -0.02f) * size + way * time;
		const float x = ledge->alongX ? (float)ledge->column * size + beyond : ((float)ledge->column + along) * size;
		const float z = ledge->alongX ? ((float)ledge->row + along) * size : (float)ledge->row * size + beyond;
		birth.position = (tnVec3){
			grid->origin.x + x, lip + height * section - 0.5f * step->gravity * time * time, grid->origin.z + z};
		birth.velocity = (tnVec3){ledge->alongX ? way : 0.0f, -step->gravity * time, ledge->alongX ? 0.0f : way};
		tnSpray_Add(spray, grid, &birth, tnGetPiece(units, i, count));
	}
	if (count > 0)
	{
		const int column = ledge->alongX && !ledge->isDown ? ledge->column - 1 : ledge->column;
		const int row = !ledge->alongX && !ledge->isDown ? ledge->row - 1 : ledge->row;
		tnTiles_Touch(step->tiles, (tnCellBox){column, column + 1, row, row + 1});
	}
}

// Is there a step in the ground between any cells of a row and those before them?
static bool tnHasLedge(const float* bed, ptrdiff_t before, int count, float height)
{
	int any = 0;
	for (int i = 0; i < count; ++i)
	{
		const float step = bed[i] - bed[i - before];
		any |= (step > height) | (step < -height);
	}
	return any != 0;
}

static void tnFallInRow(tnSpray* spray, const tnSprayStep* step, int row, int begin, int end, bool alongX, float height)
{
	const tnGrid* grid = step->grid;
	const ptrdiff_t before = alongX ? 1 : grid->stride;
	const float* bed = grid->bed + tnGrid_Index(grid, 0, row);
	if (begin >= end || !tnHasLedge(bed + begin, before, end - begin, height))
	{
		return;
	}
	for (int column = begin; column < end; ++column)
	{
		const float rise = bed[column] - bed[column - before];
		if (rise > height || rise < -height)
		{
			const ptrdiff_t cell = tnGrid_Index(grid, column, row);
			const bool isDown = rise < 0.0f;
			const tnLedge ledge = {
				column, row, alongX, isDown, isDown ? cell - before : cell, isDown ? cell : cell - before};
			tnFallOverLedge(spray, step, &ledge);
		}
	}
}

void tnSpray_FallOverLedges(tnSpray* spray, const tnSprayStep* step)
{
	const tnGrid* grid = step->grid;
	const tnTiles* tiles = step->tiles;
	const float height = tnMaxFloat(spray->def.ledgeHeight, TN_LEDGE_SLOPE * grid->cellSize);
	for (int tile = 0; tile < tiles->count; ++tile)
	{
		if (tiles->awake[tile] == 0 || (step->stepCount + tile) % TN_LEDGE_PERIOD != 0)
		{
			continue;
		}
		// Faces of cells inside: those of the edges belong to what is outside.
		const int columnBegin = tile % tiles->columnCount * TN_TILE_SIZE;
		const int rowBegin = tile / tiles->columnCount * TN_TILE_SIZE;
		const int columnEnd = tnMinInt(columnBegin + TN_TILE_SIZE, grid->columnCount);
		const int rowEnd = tnMinInt(rowBegin + TN_TILE_SIZE, grid->rowCount);
		for (int row = rowBegin; row < rowEnd; ++row)
		{
			tnFallInRow(spray, step, row, tnMaxInt(columnBegin, 1), columnEnd, true, height);
			tnFallInRow(spray, step, row, columnBegin, row > 0 ? columnEnd : columnBegin, false, height);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Jets

// Two directions across a velocity.
static void tnFindAcross(tnVec3 d, tnVec3* a, tnVec3* b)
{
	const tnVec3 up = tnAbsFloat(d.y) < 0.9f ? (tnVec3){0.0f, 1.0f, 0.0f} : (tnVec3){1.0f, 0.0f, 0.0f};
	const tnVec3 c = {d.y * up.z - d.z * up.y, d.z * up.x - d.x * up.z, d.x * up.y - d.y * up.x};
	const float length = sqrtf(c.x * c.x + c.y * c.y + c.z * c.z);
	*a = (tnVec3){c.x / length, c.y / length, c.z / length};
	*b = (tnVec3){d.y * a->z - d.z * a->y, d.z * a->x - d.x * a->z, d.x * a->y - d.y * a->x};
}

static tnVec3 tnAddAcross(tnVec3 p, tnVec3 a, float s, tnVec3 b, float t)
{
	return (tnVec3){p.x + s * a.x + t * b.x, p.y + s * a.y + t * b.y, p.z + s * a.z + t * b.z};
}

static void tnRunJet(tnSpray* spray, const tnSprayStep* step, const tnJetDef* def, int64_t units, uint32_t random)
{
	const tnVec3 v = def->velocity;
	const float speed = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
	const tnVec3 ahead = speed > 0.0f ? (tnVec3){v.x / speed, v.y / speed, v.z / speed} : (tnVec3){0.0f, 1.0f, 0.0f};
	tnVec3 a, b;
	tnFindAcross(ahead, &a, &b);
	const int count = TN_MOST_PIECES;
	for (int i = 0; i < count; ++i)
	{
		// Even over the disc of the nozzle.
		const float reach = sqrtf(tnNextFraction(&random));
		const double turn = (double)tnNextFraction(&random);
		const float c = reach * (float)tnSinTurns(turn + 0.25);
		const float s = reach * (float)tnSinTurns(turn);
		const float time = step->timeStep * tnNextFraction(&random);
		tnBirth birth = {.kind = tn_jetSpray, .seed = random};
		birth.velocity = tnAddAcross(v, a, speed * def->spread * c, b, speed * def->spread * s);
		birth.position = tnAddAcross(def->position, a, def->radius * c, b, def->radius * s);
		birth.position.x += time * birth.velocity.x;
		birth.position.y += time * birth.velocity.y - 0.5f * step->gravity * time * time;
		birth.position.z += time * birth.velocity.z;
		birth.velocity.y -= step->gravity * time;
		tnSpray_Add(spray, step->grid, &birth, tnGetPiece(units, i, count));
	}
}

double tnSpray_RunJets(tnSpray* spray, const tnSprayStep* step)
{
	const double cellArea = (double)step->grid->cellSize * step->grid->cellSize;
	double brought = 0.0;
	for (int i = 0; i < spray->jetIds.slotCount; ++i)
	{
		if (!tnIdPool_IsUsed(&spray->jetIds, i))
		{
			continue;
		}
		tnJet* jet = spray->jets + i;
		jet->pending += (double)jet->def.rate * step->timeStep / cellArea;
		const int64_t units = (int64_t)(jet->pending * TN_SPRAY_UNITS);
		if (units < TN_MOST_PIECES)
		{
			continue;
		}
		jet->pending -= (double)units / TN_SPRAY_UNITS;
		brought += (double)units / TN_SPRAY_UNITS;
		tnRunJet(spray, step, &jet->def, units, tnScramble((uint32_t)step->stepCount ^ (uint32_t)i * 0xc2b2ae3du));
	}
	return brought;
}

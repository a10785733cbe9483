// SPDX-License-Identifier: MIT

// wave_ripples.c has the equations.

#include "wave_ripple_rows.h"

#include <math.h>
#include <string.h>

enum
{
	// Cells that a loop goes over.
	TN_RIPPLE_CHUNK = 64,
};

#define TN_PI 3.14159265358979323846
#define TN_ROOT_HALF 0.70710678f

// ---------------------------------------------------------------------------------------------------------------------
// What the bed says

typedef struct tnRippleBed
{
	float wet, speedX, speedZ; // sums over cells: shares, and shares times current
} tnRippleBed;

// Sums over a square of cells, quarter by quarter, so that a mirrored square has the same bits.
static tnRippleBed tnSumBed(const tnWaveBedLevel* level, int column, int row, int size)
{
	tnRippleBed sum = {0};
	if (column >= level->columnCount || row >= level->rowCount)
	{
		return sum;
	}
	if (size == 1)
	{
		const ptrdiff_t cell = (ptrdiff_t)row * level->columnCount + column;
		sum.wet = level->wet[cell];
		if (level->velocityX != NULL && level->velocityZ != NULL)
		{
			sum.speedX = sum.wet * level->velocityX[cell];
			sum.speedZ = sum.wet * level->velocityZ[cell];
		}
		return sum;
	}
	const int half = size / 2;
	const tnRippleBed a = tnSumBed(level, column, row, half);
	const tnRippleBed b = tnSumBed(level, column + half, row + half, half);
	const tnRippleBed c = tnSumBed(level, column + half, row, half);
	const tnRippleBed d = tnSumBed(level, column, row + half, half);
	sum.wet = (a.wet + b.wet) + (c.wet + d.wet);
	sum.speedX = (a.speedX + b.speedX) + (c.speedX + d.speedX);
	sum.speedZ = (a.speedZ + b.speedZ) + (c.speedZ + d.speedZ);
	return sum;
}

static void tnReadBed(const tnRippleStep* step, int row)
{
	const tnRipples* ripples = step->ripples;
	const ptrdiff_t begin = (ptrdiff_t)row * ripples->stride;
	float* wet = ripples->fields[tn_rippleWet] + begin;
	float* driftX = ripples->fields[tn_rippleDriftX] + begin;
	float* driftZ = ripples->fields[tn_rippleDriftZ] + begin;
	const int n = tnMinInt(ripples->shift, step->bed == NULL ? 0 : step->bed->levelCount - 1);
	const int size = 1 << (ripples->shift - n);
	for (int column = 0; column < ripples->columnCount; ++column)
	{
		tnRippleBed bed = {.wet = 1.0f};
		if (step->bed != NULL)
		{
			bed = tnSumBed(step->bed->levels + n, size * column, size * row, size);
		}
		const float limit = TN_MAX_DRIFT_COURANT;
		const bool isWet = bed.wet > 0.0f;
		const float perSpeed = isWet ? step->perSpeed / bed.wet : 0.0f;
		wet[column] = isWet ? 1.0f : 0.0f;
		driftX[column] = tnClampFloat(bed.speedX * perSpeed, -limit, limit);
		driftZ[column] = tnClampFloat(bed.speedZ * perSpeed, -limit, limit);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Sources, and what each cell gives

// Results go into arrays of their own first: compilers then see that nothing they read changes, and use vectors.
static void tnFeedRow(const tnRippleStep* step, int row)
{
	const tnRipples* ripples = step->ripples;
	const float loss = step->loss, rain = step->rain, saturation = step->saturation, growth = step->growth;
	const float windX = step->windX, windZ = step->windZ;
	const float limit = ripples->energyLimit;
	for (int first = 0; first < ripples->columnCount; first += TN_RIPPLE_CHUNK)
	{
		const int count = tnMinInt(ripples->columnCount - first, TN_RIPPLE_CHUNK);
		const ptrdiff_t begin = (ptrdiff_t)row * ripples->stride + first;
		const float* energy = ripples->fields[tn_rippleEnergy] + begin;
		const float* directionX = ripples->fields[tn_rippleDirectionX] + begin;
		const float* directionZ = ripples->fields[tn_rippleDirectionZ] + begin;
		const float* wet = ripples->fields[tn_rippleWet] + begin;
		float total[TN_RIPPLE_CHUNK], rest[TN_RIPPLE_CHUNK];
		float beamX[TN_RIPPLE_CHUNK], beamZ[TN_RIPPLE_CHUNK];
		float unitX[TN_RIPPLE_CHUNK], unitZ[TN_RIPPLE_CHUNK];
		for (int i = 0; i < count; ++i)
		{
			const float before = energy[i] * wet[i];
			const float over = tnMaxFloat(before - saturation, 0.0f);
			const float kept = before - over * loss;
			const float rained = kept + rain * wet[i];
			const float renewed = growth * tnMinFloat(rained, saturation);
			const float blown = growth * saturation * wet[i];
			const float fed = rained + (blown - renewed);
			// Momentum over the new energy.
			const bool some = fed > TN_LEAST_RIPPLES;
			const float perEnergy = 1.0f / (some ? fed : 1.0f);
			const float stay = kept * perEnergy * (1.0f - renewed / tnMaxFloat(rained, TN_LEAST_RIPPLES));
			const float turn = blown * perEnergy;
			const float x = stay * directionX[i] + turn * windX;
			const float z = stay * directionZ[i] + turn * windZ;
			const float length = sqrtf(x * x + z * z);
			// Directions of less than a millionth of the ripples are rounding.
			const bool runs = length > 1.0e-6f;
			const float perLength = (runs ? 1.0f : 0.0f) / (runs ? length : 1.0f);
			const float now = some ? tnMinFloat(fed, limit) : 0.0f;
			const float beam = now * tnMinFloat(length, runs ? 1.0f : 0.0f);
			total[i] = now;
			unitX[i] = x * perLength;
			unitZ[i] = z * perLength;
			beamX[i] = beam * (x * perLength);
			beamZ[i] = beam * (z * perLength);
			rest[i] = (now - beam) * (float)(1.0 / TN_PI);
		}
		const size_t bytes = (size_t)count * sizeof(float);
		memcpy(ripples->fields[tn_rippleTotal] + begin, total, bytes);
		memcpy(ripples->fields[tn_rippleUnitX] + begin, unitX, bytes);
		memcpy(ripples->fields[tn_rippleUnitZ] + begin, unitZ, bytes);
		memcpy(ripples->fields[tn_rippleBeamX] + begin, beamX, bytes);
		memcpy(ripples->fields[tn_rippleBeamZ] + begin, beamZ, bytes);
		memcpy(ripples->fields[tn_rippleRest] + begin, rest, bytes);
	}
}

// Cells beyond an edge: what is beyond a wall is the mirror image of what is before it, and open edges give nothing.
static void tnSetGhost(const tnRipples* ripples, tnSide side, ptrdiff_t ghost, ptrdiff_t near, ptrdiff_t far)
{
	const tnEdgeKind edge = ripples->def.edges[side];
	const bool alongX = side == tn_west || side == tn_east;
	for (int kind = tn_rippleTotal; kind <= tn_rippleDriftZ; ++kind)
	{
		const bool isX = kind == tn_rippleBeamX || kind == tn_rippleUnitX || kind == tn_rippleDriftX;
		const bool isZ = kind == tn_rippleBeamZ || kind == tn_rippleUnitZ || kind == tn_rippleDriftZ;
		float* field = ripples->fields[kind];
		if (edge == tn_wallEdge)
		{
			field[ghost] = (alongX && isX) || (!alongX && isZ) ? -field[near] : field[near];
		}
		else
		{
			field[ghost] = edge == tn_wrapEdge ? field[far] : 0.0f;
		}
	}
}

static void tnSetGhostColumns(const tnRipples* ripples, int row)
{
	const ptrdiff_t first = (ptrdiff_t)row * ripples->stride;
	const ptrdiff_t last = first + ripples->columnCount - 1;
	tnSetGhost(ripples, tn_west, first - 1, first, last);
	tnSetGhost(ripples, tn_east, last + 1, last, first);
}

void tnSetRippleGhosts(const tnRipples* ripples)
{
	const ptrdiff_t stride = ripples->stride;
	const ptrdiff_t last = (ripples->rowCount - 1) * stride;
	for (int column = -1; column <= ripples->columnCount; ++column)
	{
		tnSetGhost(ripples, tn_north, column - stride, column, last + column);
		tnSetGhost(ripples, tn_south, last + stride + column, last + column, column);
	}
}

static bool tnIsRowLive(const tnRipples* ripples, int row)
{
	if (row < 0)
	{
		return ripples->def.edges[tn_north] == tn_wrapEdge && ripples->live[ripples->rowCount - 1];
	}
	if (row >= ripples->rowCount)
	{
		return ripples->def.edges[tn_south] == tn_wrapEdge && ripples->live[0];
	}
	return ripples->live[row];
}

void tnPrepareRippleRow(const tnRippleStep* step, int row)
{
	tnRipples* ripples = step->ripples;
	ripples->touched[row] =
		step->fed || tnIsRowLive(ripples, row - 1) || tnIsRowLive(ripples, row) || tnIsRowLive(ripples, row + 1);
	if (ripples->touched[row])
	{
		tnReadBed(step, row);
		tnFeedRow(step, row);
		tnSetGhostColumns(ripples, row);
		ripples->clear[row] = 0;
	}
	else if (!ripples->clear[row])
	{
		for (int kind = tn_rippleTotal; kind <= tn_rippleRest; ++kind)
		{
			float* field = ripples->fields[kind] + (ptrdiff_t)row * ripples->stride;
			memset(field - 1, 0, (size_t)(ripples->columnCount + 2) * sizeof(float));
		}
		ripples->clear[row] = 1;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What each cell gets

typedef struct tnRippleGift
{
	float energy, x, z; // E and P
} tnRippleGift;

// A field of what cells give.
static inline float tnGetGiven(const float* given, ptrdiff_t cell, ptrdiff_t plane, tnRippleField field)
{
	return given[cell + plane * (ptrdiff_t)(field - tn_rippleTotal)];
}

// From an edge neighbour, to which this cell lies in direction (n_x, n_z).
static inline tnRippleGift tnTakeEdge(
	const float* given, ptrdiff_t cell, ptrdiff_t plane, float nX, float nZ, float share, float restShare)
{
	const float x = tnGetGiven(given, cell, plane, tn_rippleBeamX);
	const float z = tnGetGiven(given, cell, plane, tn_rippleBeamZ);
	const float driftX = tnGetGiven(given, cell, plane, tn_rippleDriftX);
	const float driftZ = tnGetGiven(given, cell, plane, tn_rippleDriftZ);
	const float beam = share * tnMaxFloat(nX * x + nZ * z, 0.0f);
	const float rest = restShare * tnGetGiven(given, cell, plane, tn_rippleRest);
	const float out = rest * (float)(0.25 * TN_PI);
	const float drift = tnMaxFloat(nX * driftX + nZ * driftZ, 0.0f);
	return (tnRippleGift){
		(beam + rest) + drift * tnGetGiven(given, cell, plane, tn_rippleTotal),
		(beam * tnGetGiven(given, cell, plane, tn_rippleUnitX) + nX * out) + drift * x,
		(beam * tnGetGiven(given, cell, plane, tn_rippleUnitZ) + nZ * out) + drift * z,
	};
}

// From a corner neighbour; signs of the direction.
static inline tnRippleGift tnTakeCorner(
	const float* given, ptrdiff_t cell, ptrdiff_t plane, float nX, float nZ, float share, float restShare)
{
	const float x = tnGetGiven(given, cell, plane, tn_rippleBeamX);
	const float z = tnGetGiven(given, cell, plane, tn_rippleBeamZ);
	const float beam = share * tnMaxFloat(nX * x + nZ * z, 0.0f);
	const float rest = restShare * tnGetGiven(given, cell, plane, tn_rippleRest);
	const float out = rest * (float)(0.25 * TN_PI) * TN_ROOT_HALF;
	return (tnRippleGift){
		beam + rest,
		beam * tnGetGiven(given, cell, plane, tn_rippleUnitX) + nX * out,
		beam * tnGetGiven(given, cell, plane, tn_rippleUnitZ) + nZ * out,
	};
}

static inline tnRippleGift tnAddGifts(tnRippleGift a, tnRippleGift b)
{
	return (tnRippleGift){a.energy + b.energy, a.x + b.x, a.z + b.z};
}

// Up to TN_RIPPLE_CHUNK cells. Returns nonzero if there are ripples.
static int tnMoveCells(const tnRippleStep* step, ptrdiff_t first, int count)
{
	const tnRipples* ripples = step->ripples;
	const float* given = ripples->fields[tn_rippleTotal] + first;
	const ptrdiff_t plane = ripples->fields[tn_rippleBeamX] - ripples->fields[tn_rippleTotal];
	const ptrdiff_t stride = ripples->stride;
	const float edge = step->edgeShare;
	const float corner = TN_ROOT_HALF * step->cornerShare; // for sums of components
	const float restShare = step->restShare;
	float energy[TN_RIPPLE_CHUNK], directionX[TN_RIPPLE_CHUNK], directionZ[TN_RIPPLE_CHUNK];
	// Three loops, none of which reads cells side by side: else compilers carry them along and use no vectors.
	float gotEnergy[TN_RIPPLE_CHUNK], gotX[TN_RIPPLE_CHUNK], gotZ[TN_RIPPLE_CHUNK];
	for (int column = 0; column < count; ++column)
	{
		const tnRippleGift west = tnTakeEdge(given, column - 1, plane, 1.0f, 0.0f, edge, restShare);
		const tnRippleGift east = tnTakeEdge(given, column + 1, plane, -1.0f, 0.0f, edge, restShare);
		const tnRippleGift north = tnTakeEdge(given, column - stride, plane, 0.0f, 1.0f, edge, restShare);
		const tnRippleGift south = tnTakeEdge(given, column + stride, plane, 0.0f, -1.0f, edge, restShare);
		const tnRippleGift edges = tnAddGifts(tnAddGifts(west, east), tnAddGifts(north, south));
		gotEnergy[column] = edges.energy;
		gotX[column] = edges.x;
		gotZ[column] = edges.z;
	}
	for (int column = 0; column < count; ++column)
	{
		const tnRippleGift northWest = tnTakeCorner(given, column - stride - 1, plane, 1.0f, 1.0f, corner, restShare);
		const tnRippleGift northEast = tnTakeCorner(given, column - stride + 1, plane, -1.0f, 1.0f, corner, restShare);
		const tnRippleGift southWest = tnTakeCorner(given, column + stride - 1, plane, 1.0f, -1.0f, corner, restShare);
		const tnRippleGift southEast = tnTakeCorner(given, column + stride + 1, plane, -1.0f, -1.0f, corner, restShare);
		const tnRippleGift corners = tnAddGifts(tnAddGifts(northWest, southEast), tnAddGifts(northEast, southWest));
		gotEnergy[column] += corners.energy;
		gotX[column] += corners.x;
		gotZ[column] += corners.z;
	}
	for (int column = 0; column < count; ++column)
	{
		// What it gives itself.
		const float total = tnGetGiven(given, column, plane, tn_rippleTotal);
		const float x = tnGetGiven(given, column, plane, tn_rippleBeamX);
		const float z = tnGetGiven(given, column, plane, tn_rippleBeamZ);
		// Made of the very products that neighbours get: other roundings would all err to the same side.
		const float straight = edge * tnAbsFloat(x) + edge * tnAbsFloat(z);
		const float diagonal = corner * tnAbsFloat(x + z) + corner * tnAbsFloat(x - z);
		const float beam = straight + diagonal;
		const float rest = 8.0f * (restShare * tnGetGiven(given, column, plane, tn_rippleRest));
		const float drift = tnAbsFloat(tnGetGiven(given, column, plane, tn_rippleDriftX)) +
			tnAbsFloat(tnGetGiven(given, column, plane, tn_rippleDriftZ));
		const float gave = (beam + rest) + drift * total;
		const float gaveX = beam * tnGetGiven(given, column, plane, tn_rippleUnitX) + drift * x;
		const float gaveZ = beam * tnGetGiven(given, column, plane, tn_rippleUnitZ) + drift * z;

		const float sum = (total + (gotEnergy[column] - gave)) * tnGetGiven(given, column, plane, tn_rippleWet);
		const bool some = sum > TN_LEAST_RIPPLES;
		const float perEnergy = (some ? 1.0f : 0.0f) / (some ? sum : 1.0f);
		const float newX = (x + (gotX[column] - gaveX)) * perEnergy;
		const float newZ = (z + (gotZ[column] - gaveZ)) * perEnergy;
		// Rounding may have made it longer than 1.
		const float square = newX * newX + newZ * newZ;
		const float scale = 1.0f / sqrtf(tnMaxFloat(square, 1.0f));
		energy[column] = some ? sum : 0.0f;
		directionX[column] = newX * scale;
		directionZ[column] = newZ * scale;
	}
	int any = 0;
	for (int column = 0; column < count; ++column)
	{
		any |= energy[column] > 0.0f;
	}
	const size_t bytes = (size_t)count * sizeof(float);
	memcpy(ripples->fields[tn_rippleEnergy] + first, energy, bytes);
	memcpy(ripples->fields[tn_rippleDirectionX] + first, directionX, bytes);
	memcpy(ripples->fields[tn_rippleDirectionZ] + first, directionZ, bytes);
	return any;
}

void tnMoveRippleRow(const tnRippleStep* step, int row)
{
	tnRipples* ripples = step->ripples;
	int any = 0;
	if (ripples->touched[row])
	{
		for (int column = 0; column < ripples->columnCount; column += TN_RIPPLE_CHUNK)
		{
			const int count = tnMinInt(ripples->columnCount - column, TN_RIPPLE_CHUNK);
			any |= tnMoveCells(step, (ptrdiff_t)row * ripples->stride + column, count);
		}
	}
	ripples->live[row] = any != 0;
}

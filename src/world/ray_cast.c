// SPDX-License-Identifier: MIT

// Ray casting. The ray walks over the squares between four cell centres, in cells: u along x, v along z.
//
//     +-----+-----+-----+          + corners of cells       o centres of cells
//     |     |     |     |
//     |  o--|--o--|--o  |          Square (i, j) lies between the centres of columns i and i + 1 and of rows
//     +--|--+--|--+--|--+          j and j + 1. The half cells outside the outermost centres are squares too, index
//     |  o--|--o--|--o  |          -1 and columnCount - 1 (rowCount - 1); the surface is level across them.
//     +-----+-----+-----+
//
// In a square the ground is bilinear, and so is the water if all four cells are wet: along a ray, height above them is
// a quadratic polynomial, solved exactly. At shores the water follows the rule of grid_sample.c, and is searched in small
// pieces. Every turn of the walk leaves one square for good, so its length is bounded by columnCount + rowCount.
//
// Waves. They are no higher than h, so a ray meets them between where it meets water that is higher by h and where it
// meets water that is lower by h. There it is looked at from half a cell of the finest level to the next, in at most
// TN_WAVE_LOOKS places: a ray that grazes the water over hundreds of cells may miss a crest.

#include "ray_cast.h"

#include "../flow/grid_sample.h"

#include <float.h>
#include <math.h>

enum
{
	// Pieces of a square in which the water of a shore is searched. Within two of them it bends at most one way.
	TN_SHORE_PIECES = 16,
	// Halvings of a piece: 2^-40 of 1/16 cell is far below what a float can tell.
	TN_SHORE_HALVINGS = 40,
	// Places at which a ray is compared with waves, and more of them between two.
	TN_WAVE_LOOKS = 512,
	TN_WAVE_SECANTS = 24,
};

// Heights above waves that are none, m.
#define TN_WAVE_TOUCH 1.0e-5

// The ray in cells along x and z and in meters along y.
typedef struct tnCellRay
{
	double u, v, y;
	double stepU, stepV, stepY;
} tnCellRay;

// Corners in the order (0, 0), (1, 0), (0, 1), (1, 1).
typedef struct tnSquare
{
	double bed[4];
	double surface[4];
	double ground[4]; // the bed, and the film where it is too thin to be wet
	bool wet[4];
	int wetCount;
} tnSquare;

// A piece of the ray in a square: place (a, b) in the square and height y as functions of s in [0, length].
typedef struct tnPiece
{
	double a, b, y;
	double stepA, stepB, stepY;
	double length;
} tnPiece;

static const double s_noHit = HUGE_VAL;

// @param rise of wet cells, m: no lower than the bed
static tnSquare tnReadSquare(const tnGrid* grid, int i, int j, double rise)
{
	tnSquare square = {0};
	for (int k = 0; k < 4; ++k)
	{
		int column = tnClampInt(i + (k & 1), 0, grid->columnCount - 1);
		int row = tnClampInt(j + (k >> 1), 0, grid->rowCount - 1);
		ptrdiff_t cell = tnGrid_Index(grid, column, row);
		float depth = tnGrid_GetHeight(grid, cell);
		square.wet[k] = depth > TN_WET_DEPTH;
		square.wetCount += square.wet[k] ? 1 : 0;
		square.bed[k] = (double)grid->bed[cell];
		square.surface[k] = (double)(grid->bed[cell] + depth);
		if (square.wet[k] && rise != 0.0)
		{
			const double risen = square.surface[k] + rise;
			square.surface[k] = risen > square.bed[k] ? risen : square.bed[k];
		}
		square.ground[k] = square.wet[k] ? square.bed[k] : square.surface[k];
	}
	return square;
}

// Where a piece first reaches a bilinear patch, as s, or s_noHit.
static double tnHitBilinear(const double* heights, const tnPiece* piece)
{
	double alongA = heights[1] - heights[0];
	double alongB = heights[2] - heights[0];
	double twist = (heights[3] - heights[2]) - (heights[1] - heights[0]);
	double a = piece->a, b = piece->b;

	// Height of the ray above the patch is c0 + c1 s + c2 s^2.
	double c0 = piece->y - (heights[0] + alongA * a + alongB * b + twist * a * b);
	double c1 =
		piece->stepY - (alongA * piece->stepA + alongB * piece->stepB) - twist * (a * piece->stepB + b * piece->stepA);
	double c2 = -twist * piece->stepA * piece->stepB;
	if (c0 <= 0.0)
	{
		return 0.0;
	}
	double discriminant = c1 * c1 - 4.0 * c2 * c0;
	if (discriminant < 0.0)
	{
		return s_noHit;
	}
	// Free of cancellation, and right for c2 = 0. Since c0 > 0, no root is 0.
	double root = -0.5 * (c1 + (c1 < 0.0 ? -sqrt(discriminant) : sqrt(discriminant)));
	double first = root != 0.0 ? c0 / root : s_noHit;
	double second = c2 != 0.0 ? root / c2 : s_noHit;
	double hit = s_noHit;
	if (first > 0.0 && first <= piece->length)
	{
		hit = first;
	}
	if (second > 0.0 && second <= piece->length && second < hit)
	{
		hit = second;
	}
	return hit;
}

// Height of the ray above the water of a shore, by the rule of grid_sample.c.
static double tnGetHeightAboveShore(const tnSquare* square, const tnPiece* piece, double s)
{
	double a = piece->a + piece->stepA * s;
	double b = piece->b + piece->stepB * s;
	const double weights[4] = {(1.0 - a) * (1.0 - b), a * (1.0 - b), (1.0 - a) * b, a * b};
	double wetShare = 0.0;
	double sum = 0.0;
	for (int k = 0; k < 4; ++k)
	{
		if (square->wet[k])
		{
			wetShare += weights[k];
			sum += weights[k] * square->surface[k];
		}
	}
	if (wetShare <= 0.0)
	{
		return s_noHit;
	}
	double water = sum / wetShare;
	double fall = 0.0;
	for (int k = 0; k < 4; ++k)
	{
		if (!square->wet[k] && square->bed[k] < water)
		{
			fall += weights[k] * (square->bed[k] - water);
		}
	}
	return piece->y + piece->stepY * s - (water + fall);
}

// The zero between a place above the water and one that is not.
static double tnBisectShore(const tnSquare* square, const tnPiece* piece, double above, double below)
{
	for (int i = 0; i < TN_SHORE_HALVINGS; ++i)
	{
		double middle = 0.5 * (above + below);
		if (tnGetHeightAboveShore(square, piece, middle) > 0.0)
		{
			above = middle;
		}
		else
		{
			below = middle;
		}
	}
	return below;
}

// The lowest place between two others.
static double tnFindLowest(const tnSquare* square, const tnPiece* piece, double begin, double end)
{
	for (int i = 0; i < TN_SHORE_HALVINGS; ++i)
	{
		double first = begin + (end - begin) / 3.0;
		double second = end - (end - begin) / 3.0;
		if (tnGetHeightAboveShore(square, piece, first) < tnGetHeightAboveShore(square, piece, second))
		{
			end = second;
		}
		else
		{
			begin = first;
		}
	}
	return 0.5 * (begin + end);
}

static double tnHitShore(const tnSquare* square, const tnPiece* piece)
{
	// The far side of the square may run between two dry cells. Water has no height there, but it has one just before.
	const double step = piece->length * (1.0 - 1.0e-7) / TN_SHORE_PIECES;
	double heights[TN_SHORE_PIECES + 1];
	for (int i = 0; i <= TN_SHORE_PIECES; ++i)
	{
		heights[i] = tnGetHeightAboveShore(square, piece, step * i);
	}
	if (heights[0] <= 0.0)
	{
		return 0.0;
	}
	for (int i = 1; i <= TN_SHORE_PIECES; ++i)
	{
		// A crest may be touched between two places that are both above it.
		bool dips = i < TN_SHORE_PIECES && heights[i] <= heights[i - 1] && heights[i] <= heights[i + 1];
		if (dips && heights[i] > 0.0)
		{
			double lowest = tnFindLowest(square, piece, step * (i - 1), step * (i + 1));
			if (tnGetHeightAboveShore(square, piece, lowest) <= 0.0)
			{
				return tnBisectShore(square, piece, step * (i - 1), lowest);
			}
		}
		if (heights[i] <= 0.0)
		{
			return tnBisectShore(square, piece, step * (i - 1), step * i);
		}
	}
	return s_noHit;
}

static double tnHitSquare(const tnSquare* square, const tnPiece* piece)
{
	if (square->wetCount == 4)
	{
		return tnHitBilinear(square->surface, piece);
	}
	double hit = tnHitBilinear(square->ground, piece);
	if (square->wetCount > 0)
	{
		double water = tnHitShore(square, piece);
		hit = water < hit ? water : hit;
	}
	return hit;
}

// Cut [begin, end] down to where 0 <= start + step t <= size. False if nothing is left.
static bool tnClipRay(double start, double step, double size, double* begin, double* end)
{
	if (step == 0.0)
	{
		return 0.0 <= start && start <= size;
	}
	double t0 = (0.0 - start) / step;
	double t1 = (size - start) / step;
	double low = t0 < t1 ? t0 : t1;
	double high = t0 < t1 ? t1 : t0;
	*begin = low > *begin ? low : *begin;
	*end = high < *end ? high : *end;
	return *begin <= *end;
}

// The square of a coordinate in cells.
static int tnGetSquareIndex(double coordinate, int count)
{
	double index = floor(coordinate - 0.5);
	return index < -1.0 ? -1 : (index > count - 1 ? count - 1 : (int)index);
}

// When the ray leaves square i along one axis.
static double tnGetCrossing(double start, double step, int i)
{
	if (step == 0.0)
	{
		return s_noHit;
	}
	// Centres lie at half cells; square i reaches from i + 0.5 to i + 1.5.
	return ((step > 0.0 ? i + 1.5 : i + 0.5) - start) / step;
}

static double tnClampUnit(double value)
{
	return value < 0.0 ? 0.0 : (value > 1.0 ? 1.0 : value);
}

// First hit on [begin, end] as t, or s_noHit. Water is taken to be higher by `rise`, m.
static double tnWalk(const tnGrid* grid, const tnCellRay* ray, double begin, double end, double rise)
{
	int i = tnGetSquareIndex(ray->u + ray->stepU * begin, grid->columnCount);
	int j = tnGetSquareIndex(ray->v + ray->stepV * begin, grid->rowCount);
	double t = begin;
	for (;;)
	{
		double crossingU = tnGetCrossing(ray->u, ray->stepU, i);
		double crossingV = tnGetCrossing(ray->v, ray->stepV, j);
		double crossing = crossingU < crossingV ? crossingU : crossingV;
		double next = crossing < end ? crossing : end;
		next = next > t ? next : t;

		tnPiece piece;
		piece.a = tnClampUnit(ray->u + ray->stepU * t - 0.5 - i);
		piece.b = tnClampUnit(ray->v + ray->stepV * t - 0.5 - j);
		piece.y = ray->y + ray->stepY * t;
		piece.stepA = ray->stepU;
		piece.stepB = ray->stepV;
		piece.stepY = ray->stepY;
		piece.length = next - t;
		const tnSquare square = tnReadSquare(grid, i, j, rise);
		double hit = tnHitSquare(&square, &piece);
		if (hit <= piece.length)
		{
			return t + hit;
		}
		if (next >= end)
		{
			return s_noHit;
		}

		t = next;
		if (crossingU <= crossingV)
		{
			i += ray->stepU > 0.0 ? 1 : -1;
		}
		else
		{
			j += ray->stepV > 0.0 ? 1 : -1;
		}
		if (i < -1 || i > grid->columnCount - 1 || j < -1 || j > grid->rowCount - 1)
		{
			return s_noHit;
		}
	}
}

// A ray among waves.
typedef struct tnWaveRay
{
	const tnGrid* grid;
	const tnWaves* waves;
	tnVec3 origin, direction;
} tnWaveRay;

static double tnGetHeightAboveWaves(const tnWaveRay* ray, double t)
{
	const tnVec2 position = {(float)((double)ray->origin.x + (double)ray->direction.x * t),
		(float)((double)ray->origin.z + (double)ray->direction.z * t)};
	tnSample sample = tnSampleGrid(ray->grid, position);
	tnWaves_AddToSample(ray->waves, position, &sample);
	return (double)ray->origin.y + (double)ray->direction.y * t - (double)sample.surface;
}

// The zero between a place above the waves and one that is not, by false position: an end that stays counts half
// (Illinois), so that both come closer.
static double tnBisectWaves(const tnWaveRay* ray, double above, double heightAbove, double below, double heightBelow)
{
	for (int i = 0; i < TN_WAVE_SECANTS && heightBelow < -TN_WAVE_TOUCH; ++i)
	{
		const double t = above + (below - above) * (heightAbove / (heightAbove - heightBelow));
		const double height = tnGetHeightAboveWaves(ray, t);
		if (height > 0.0)
		{
			above = t;
			heightAbove = height;
			// What is above by nothing is as good as what is below.
			if (height < TN_WAVE_TOUCH)
			{
				return t;
			}
			heightBelow *= 0.5;
		}
		else
		{
			below = t;
			heightBelow = height;
			heightAbove *= 0.5;
		}
	}
	return below;
}

// Where a ray first reaches the waves, between t = begin and t = end, or `end`.
// @param length of that, cells of the finest level
static double tnHitWaves(const tnWaveRay* ray, double begin, double end, double length)
{
	double above = begin;
	double heightAbove = tnGetHeightAboveWaves(ray, begin);
	if (!(begin < end) || heightAbove <= 0.0)
	{
		return begin;
	}
	const int looks = length < TN_WAVE_LOOKS / 2 ? (int)(2.0 * length) + 1 : TN_WAVE_LOOKS;
	for (int i = 1; i <= looks; ++i)
	{
		const double next = begin + (end - begin) * ((double)i / looks);
		const double height = tnGetHeightAboveWaves(ray, next);
		if (height <= 0.0)
		{
			return tnBisectWaves(ray, above, heightAbove, next, height);
		}
		above = next;
		heightAbove = height;
	}
	return s_noHit;
}

// tnWalk with waves.
static double tnWalkOverWaves(const tnWaveRay* ray, const tnCellRay* cells, double begin, double end)
{
	const double highest = tnWaves_GetHighest(ray->waves);
	const double first = tnWalk(ray->grid, cells, begin, end, highest);
	if (highest == 0.0 || first == s_noHit)
	{
		return first;
	}
	const double last = tnWalk(ray->grid, cells, first, end, -highest);
	const double stop = last < end ? last : end;
	const double length = sqrt(cells->stepU * cells->stepU + cells->stepV * cells->stepV) * (stop - first) *
		(double)(1 << ray->waves->pool.finerLevels);
	const double hit = tnHitWaves(ray, first, stop, length);
	// Below the lowest waves there is water, or ground, whatever rounding says.
	return hit == s_noHit ? last : hit;
}

tnRayHit tnCastRay(const tnGrid* grid, const tnWaves* waves, tnVec3 origin, tnVec3 direction, float maxDistance)
{
	const double cellsPerMeter = 1.0 / (double)grid->cellSize;
	tnCellRay ray;
	ray.u = ((double)origin.x - (double)grid->origin.x) * cellsPerMeter;
	ray.v = ((double)origin.z - (double)grid->origin.z) * cellsPerMeter;
	ray.y = (double)origin.y;
	ray.stepU = (double)direction.x * cellsPerMeter;
	ray.stepV = (double)direction.z * cellsPerMeter;
	ray.stepY = (double)direction.y;

	tnRayHit result = {0};
	double begin = 0.0;
	double end = (double)maxDistance;
	if (!tnClipRay(ray.u, ray.stepU, grid->columnCount, &begin, &end) ||
		!tnClipRay(ray.v, ray.stepV, grid->rowCount, &begin, &end))
	{
		return result;
	}
	const tnWaveRay waveRay = {grid, waves, origin, direction};
	double t = tnWalkOverWaves(&waveRay, &ray, begin, end);
	if (t == s_noHit)
	{
		return result;
	}

	result.hit = true;
	result.distance = (float)t;
	result.point.x = (float)((double)origin.x + (double)direction.x * t);
	// Inside the world x and z are small, but a ray may enter it at any height.
	double y = (double)origin.y + (double)direction.y * t;
	result.point.y = (float)(y < -(double)FLT_MAX ? -(double)FLT_MAX : (y > (double)FLT_MAX ? (double)FLT_MAX : y));
	result.point.z = (float)((double)origin.z + (double)direction.z * t);
	const tnVec2 place = {result.point.x, result.point.z};
	tnSample sample = tnSampleGrid(grid, place);
	tnWaves_AddToSample(waves, place, &sample);
	result.normal = sample.normal;
	// Only a ray that starts or enters below the surface can find itself under the bed.
	bool buried = t == begin && result.point.y < sample.bed;
	result.water = sample.wet && !buried;
	return result;
}

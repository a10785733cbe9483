// SPDX-License-Identifier: MIT

// Analytic entry of ellipses into a band.
//
// Band l of an ellipse E of height 1 is s_l - U s_(l+1), s_l = p_l * E, where p_l is the low pass of wave_filter.c as a
// function of the distance, and U the prolongation. So the bands of all levels add up to s_0: the ellipse without waves
// shorter than 4 cells. s is evaluated at the cells of its level, by what fits the size of E in these cells:
//
// Edge, for a smaller radius of at least 6 cells: by the distance d from the edge, and its curvature c. With x and z along
// the axes a and b (Ottosson, section 4.5; his root in (4.16) has to be that of x^2 + y^2):
//
//   n = sqrt(x^2/a^2 + z^2/b^2),  G = sqrt(x^2/a^4 + z^2/b^4),  q = n / G,  d = q (n - 1) >= -min(a, b),  c = q^3/(a b)^2
//   s = H(-d) + (Phi(d) - H(-d) + c Psi(d)) / sqrt(1 + c d)
//
// Phi is the low pass of a half-plane, H the half-plane itself. The root is how ripples of a ring spread outwards and
// come together inwards, and Psi what is left to first order in c, where r^2 = d^2 + y^2 (even in d):
//
//   Phi(d) = int_d^inf int p(r) dy dd        Psi(d) = -1/2 int y^2 p(r) dy + d/2 (Phi(d) - H(-d))
//
// d is exact on the axes, and to first order near the edge; at the centre it would jump between -a and -b. Error in the
// mean square, circles and ellipses of 3 to 1: radius 8 cells 1.5 and 4 %, 6 cells 2 and 5 %, 4 cells 4 and 7 %, with Phi
// alone 3 and 4, 4.5 and 5, 5 and 8 %. Of the band alone, which has less in it than s, that is several times as much.
//
// Points, below that. The ellipse is a sum of points by Gauss quadrature: chords across the longer radius by the
// Chebyshev rule of the second kind, whose weight sqrt(1 - t^2) is the length of the chord, Legendre's along each chord:
//
//   x = a cos(i pi / (n+1)),  c = b sin(i pi / (n+1))      i = 1 .. n;  weight a b pi/(n+1) sin^2(i pi / (n+1)) g_j
//   z = c t_j                                               j = 1 .. m;  sum of g_j over a chord is 2
//
// With about one chord per cell that is exact for waves of 4 cells, so the error is that of p. s = sum of weight p(r).
//
// p is a radial cubic spline with knots at whole cells that ends after 16, by least squares of its transform (Hankel's)
// against L, so that the tail of the ideal kernel is not cut but fitted away: error 1.0 % where L is 1, 0.9 % where L is 0,
// 3.4 % between. Its volume is 1.
//
// Covers, the ellipse itself on the cells of the finest level, have the same bits when they are mirrored or transposed.
//
// Zero sum. What sampling misses, what a patch cuts off, and in the coarsest band the volume itself, is subtracted with
// the weight (1 - u^2)^2 (1 - v^2)^2, u and v in [-1, 1] over the support. Sums are taken in integers, so they do not
// depend on the order of cells, and mirrored stamps have mirrored bits where single points or edges are concerned; sums
// of several points differ by rounding.

#include "wave_stamp.h"

#include "../core/core.h"
#include "../core/numerics.h"
#include "wave_fit.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define TN_PI 3.141592653589793

// From this on, in cells, the smaller radius is large enough for edges.
#define TN_EDGE_RADIUS 6.0
// The most that an edge is taken to be bent, 1/cells: beyond that the expansion in the curvature is of no use.
#define TN_MAX_BEND 0.25f
// Ripples come together at the centre of a disc as if it were so far away, squared, cells^2: at a distance of 1/2 the
// amplitude sqrt(2 / (pi k r)) of J0(k r) is its value at 0, for waves in the middle of a band.
#define TN_FOCUS_SQUARE 0.25f
// Sums of weights, at most 1 each, are in this unit: 2^12 cells of a row and more fit in 63 bits.
#define TN_WEIGHT_UNIT 281474976710656.0 // 2^48
// Weight at the ends of a support, before it is squared. Small against 1, so that no step is made there, but not zero: a
// patch may have nothing but an end.
#define TN_END_WEIGHT (1.0f / 1024.0f)

enum
{
	tnReach = TN_WAVE_STAMP_REACH,
	tnSplineCount = TN_WAVE_STAMP_REACH - 1,
	// Wave numbers of the fit, from 0 to 2 pi: waves that the grid cannot tell from longer ones are kept out too.
	tnFitCount = 64,
	// Steps of integrals over the distance, per cell.
	tnIntegralSteps = 8,
	tnRadiusCount = tnReach * tnIntegralSteps,
	tnMaxChords = 64,
	tnLineCount = 64,
	// What the coarser level has reaches out twice as far, and its prolongation 6 cells more.
	tnCoarserReach = 2 * tnReach + 6,
	// The coarser level is worked out for so many cells at a time, on the stack.
	tnBlockSize = 48,
	tnCoarseBlockSize = tnBlockSize / 2 + 6,
	tnBlockScratch = (2 * tnCoarseBlockSize + 10) * (tnCoarseBlockSize + 2) + tnCoarseBlockSize + 10,
};

static double tnSine(double angle)
{
	return tnSinTurns(angle / (2.0 * TN_PI));
}

static double tnCosine(double angle)
{
	return tnSinTurns(angle / (2.0 * TN_PI) + 0.25);
}

// ---------------------------------------------------------------------------------------------------------------------
// Tables

// Bessel function of order 0, x >= 0. The midpoint rule over a period; its error is J of order 4 count.
static double tnBessel(double x)
{
	const int count = (int)(0.25 * x) + 6;
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		sum += tnCosine(x * tnSinTurns((i + 0.5) / (4.0 * count)));
	}
	return sum / count;
}

static double tnCubicSpline(double x)
{
	const double a = fabs(x);
	if (a >= 2.0)
	{
		return 0.0;
	}
	const double b = 2.0 - a;
	const double outer = b * b * b / 6.0;
	const double c = 1.0 - a;
	return c > 0.0 ? outer - 4.0 / 6.0 * c * c * c : outer;
}

// A ring of the kernel, even in the distance.
static double tnGetRing(int ring, double distance)
{
	return tnCubicSpline(distance - ring) + (ring > 0 ? tnCubicSpline(distance + ring) : 0.0);
}

static double tnGetKernel(const double* rings, double distance)
{
	double sum = 0.0;
	const int first = (int)distance - 1;
	for (int i = first < 0 ? 0 : first; i < tnSplineCount && i <= first + 3; ++i)
	{
		sum += rings[i] * tnGetRing(i, distance);
	}
	return sum;
}

static void tnFitRings(double* rings)
{
	double matrix[tnSplineCount * tnSplineCount] = {0.0};
	double values[tnRadiusCount][tnSplineCount];
	for (int i = 0; i < tnRadiusCount; ++i)
	{
		const double distance = (i + 0.5) / tnIntegralSteps;
		for (int n = 0; n < tnSplineCount; ++n)
		{
			values[i][n] = 2.0 * TN_PI * distance / tnIntegralSteps * tnGetRing(n, distance);
		}
	}
	memset(rings, 0, tnSplineCount * sizeof(double));
	for (int i = 0; i <= tnFitCount; ++i)
	{
		const double angle = 2.0 * TN_PI * i / tnFitCount;
		double responses[tnSplineCount] = {0.0};
		for (int j = 0; j < tnRadiusCount; ++j)
		{
			const double wave = tnBessel(angle * (j + 0.5) / tnIntegralSteps);
			for (int n = 0; n < tnSplineCount; ++n)
			{
				responses[n] += wave * values[j][n];
			}
		}
		const double target = tnGetWaveLowPass(angle);
		// A wave number stands for a ring of them, and the mean for itself.
		const double weight = (i == 0 ? 1.0 : angle) * tnGetFitWeight(angle);
		for (int n = 0; n < tnSplineCount; ++n)
		{
			for (int m = 0; m < tnSplineCount; ++m)
			{
				matrix[n * tnSplineCount + m] += weight * responses[n] * responses[m];
			}
			rings[n] += weight * responses[n] * target;
		}
	}
	tnSolveNormalEquations(tnSplineCount, matrix, rings);
	// The volume of a ring is the integral of 2 pi |r| B(r - n): 2 pi n unless it covers the centre.
	double volume = 2.0 * TN_PI * (7.0 / 30.0 * rings[0] + 61.0 / 60.0 * rings[1]);
	for (int n = 2; n < tnSplineCount; ++n)
	{
		volume += 2.0 * TN_PI * n * rings[n];
	}
	for (int n = 0; n < tnSplineCount; ++n)
	{
		rings[n] /= volume;
	}
}

// Nodes and weights of Gauss and Legendre on [-1, 1] for a number of points, by Newton's method.
static void tnMakeLegendre(int count, double* nodes, double* weights)
{
	for (int i = 0; i < count; ++i)
	{
		double x = -tnCosine(TN_PI * (i + 0.75) / (count + 0.5));
		double slope = 1.0;
		for (int j = 0; j < 6; ++j)
		{
			double last = 1.0;
			double value = x;
			for (int n = 2; n <= count; ++n)
			{
				const double next = ((2 * n - 1) * x * value - (n - 1) * last) / n;
				last = value;
				value = next;
			}
			slope = count * (last - x * value) / (1.0 - x * x);
			x -= value / slope;
		}
		nodes[i] = x;
		weights[i] = 2.0 / ((1.0 - x * x) * slope * slope);
	}
}

void tnMakeWaveStamps(tnWaveStamps* stamps)
{
	for (int n = 0; n < TN_MAX_LEGENDRE; ++n)
	{
		tnMakeLegendre(n + 1, stamps->nodes[n], stamps->weights[n]);
	}
	double rings[tnSplineCount];
	tnFitRings(rings);

	const int pointCount = tnReach * tnReach * TN_WAVE_POINT_STEPS;
	for (int i = 0; i <= pointCount + 1; ++i)
	{
		stamps->point[i] = i < pointCount ? (float)tnGetKernel(rings, sqrt((double)i / TN_WAVE_POINT_STEPS)) : 0.0f;
	}

	// From the end inwards, a line through the kernel at a time.
	const int edgeCount = tnReach * TN_WAVE_EDGE_STEPS;
	double edge[TN_WAVE_STAMP_REACH * TN_WAVE_EDGE_STEPS + 1];
	edge[edgeCount] = 0.0;
	for (int i = edgeCount - 1; i >= 0; --i)
	{
		const double x = (i + 0.5) / TN_WAVE_EDGE_STEPS;
		double line = 0.0;
		for (int j = 0; j < tnRadiusCount; ++j)
		{
			const double z = (j + 0.5) / tnIntegralSteps;
			const double square = x * x + z * z;
			line += square < tnReach * tnReach ? tnGetKernel(rings, sqrt(square)) : 0.0;
		}
		edge[i] = edge[i + 1] + line;
	}
	for (int i = 0; i <= edgeCount; ++i)
	{
		stamps->edge[i] = (float)(0.5 * edge[i] / edge[0]);
		const double x = (double)i / TN_WAVE_EDGE_STEPS;
		double bend = 0.0;
		for (int j = 0; j < tnRadiusCount; ++j)
		{
			const double z = (j + 0.5) / tnIntegralSteps;
			const double square = x * x + z * z;
			bend -= square < tnReach * tnReach ? z * z * tnGetKernel(rings, sqrt(square)) : 0.0;
		}
		stamps->bend[i] = (float)(bend / tnIntegralSteps + 0.5 * x * (double)stamps->edge[i]);
	}
	stamps->edge[edgeCount + 1] = 0.0f;
	stamps->bend[edgeCount + 1] = 0.0f;
}

// ---------------------------------------------------------------------------------------------------------------------
// Low pass of an ellipse

// An ellipse in cells of the level of the patch.
typedef struct tnCellEllipse
{
	double x, z;         // centre
	double axisX, axisZ; // unit vector along radiusA
	double radiusA, radiusB;
	double reachX, reachZ; // half of the box around it
	float height;          // as a share of the largest of a stamp
} tnCellEllipse;

// What a stamp writes to.
typedef struct tnStampTarget
{
	const tnWaveStamps* stamps;
	tnWavePatch patch;
	float scale; // m
	double unit;
	int64_t sum; // of all that was added / scale, times unit
} tnStampTarget;

// First and end of the cells of a row or column of a patch whose middles lie in [low, high].
static int tnClipBegin(double low, int first, int count)
{
	const double begin = -floor(0.5 - low);
	return begin <= first ? first : begin >= (double)first + count ? first + count : (int)begin;
}

static int tnClipEnd(double high, int first, int count)
{
	const double end = floor(high - 0.5) + 1.0;
	return end <= first ? first : end >= (double)first + count ? first + count : (int)end;
}

static void tnAddLine(tnStampTarget* target, int column, int row, const float* restrict values, int count)
{
	float* restrict out = target->patch.values + (size_t)(row - target->patch.box.row) * (size_t)target->patch.stride +
		(column - target->patch.box.column);
	const float scale = target->scale;
	for (int i = 0; i < count; ++i)
	{
		out[i] += scale * values[i];
	}
	const double unit = target->unit;
	int64_t sum = 0;
	for (int i = 0; i < count; ++i)
	{
		sum += (int64_t)((double)values[i] * unit);
	}
	target->sum += sum;
}

// An ellipse as edges see it.
typedef struct tnEdgeShape
{
	double x;
	float axisX, axisZ;
	float inverseA, inverseB; // of the radii
	float inverseSquare;      // of the square of their product
	float radius;             // the smaller one
} tnEdgeShape;

// Some cells of a row: distance from the edge, curvature of the edge there, and gain of ripples.
typedef struct tnEdgeLine
{
	float distances[tnLineCount], bends[tnLineCount], gains[tnLineCount];
} tnEdgeLine;

static void tnMeasureEdge(const tnEdgeShape* shape, int column, float z, int count, tnEdgeLine* restrict line)
{
	const float axisX = shape->axisX;
	const float axisZ = shape->axisZ;
	const float inverseA = shape->inverseA;
	const float inverseB = shape->inverseB;
	const float inverseSquare = shape->inverseSquare;
	const float radius = shape->radius;
	const double center = shape->x;
	for (int i = 0; i < count; ++i)
	{
		const float x = (float)(column + i + 0.5 - center);
		const float u = (axisX * x + axisZ * z) * inverseA;
		const float v = (axisX * z - axisZ * x) * inverseB;
		const float n = sqrtf(u * u + v * v);
		const float slopeX = u * inverseA;
		const float slopeZ = v * inverseB;
		const float slope = sqrtf(slopeX * slopeX + slopeZ * slopeZ);
		const float ratio = slope > 0.0f ? n / slope : radius;
		const float measured = ratio * (n - 1.0f);
		const float distance = measured < -radius ? -radius : measured;
		const float measuredBend = ratio * ratio * ratio * inverseSquare;
		const float bend = measuredBend < TN_MAX_BEND ? measuredBend : TN_MAX_BEND;
		const float spread = 1.0f + bend * distance;
		line->distances[i] = distance;
		line->bends[i] = bend;
		line->gains[i] = 1.0f / sqrtf(sqrtf(spread * spread + TN_FOCUS_SQUARE * (bend * bend)));
	}
}

static void tnLookUpEdge(
	const tnWaveStamps* stamps, const tnEdgeLine* line, float factor, int count, float* restrict values)
{
	const float end = (float)(tnReach * TN_WAVE_EDGE_STEPS);
	for (int i = 0; i < count; ++i)
	{
		const float steps = fabsf(line->distances[i]) * (float)TN_WAVE_EDGE_STEPS;
		const float t = steps < end ? steps : end;
		const int index = (int)t;
		const float fraction = t - (float)index;
		const float outside = stamps->edge[index] + fraction * (stamps->edge[index + 1] - stamps->edge[index]);
		const float bend = stamps->bend[index] + fraction * (stamps->bend[index + 1] - stamps->bend[index]);
		const bool isInside = line->distances[i] < 0.0f;
		const float ripple = (isInside ? -outside : outside) + line->bends[i] * bend;
		values[i] = factor * ((isInside ? 1.0f : 0.0f) + line->gains[i] * ripple);
	}
}

static void tnAddEdge(tnStampTarget* target, const tnCellEllipse* ellipse, float factor)
{
	// Lines that are thinner than this have its width and their volume: squares of inverse radii have to stay finite.
	const double least = 0.125;
	const double a = ellipse->radiusA > least ? ellipse->radiusA : least;
	const double b = ellipse->radiusB > least ? ellipse->radiusB : least;
	const float height = factor * (float)((ellipse->radiusA * ellipse->radiusB) / (a * b));
	const tnEdgeShape shape = {ellipse->x, (float)ellipse->axisX, (float)ellipse->axisZ, (float)(1.0 / a),
		(float)(1.0 / b), (float)(1.0 / (a * b * (a * b))), (float)(a < b ? a : b)};
	const tnWaveBox box = target->patch.box;
	const double reach = tnReach;
	const int rowBegin = tnClipBegin(ellipse->z - ellipse->reachZ - reach, box.row, box.rowCount);
	const int rowEnd = tnClipEnd(ellipse->z + ellipse->reachZ + reach, box.row, box.rowCount);
	const int columnBegin = tnClipBegin(ellipse->x - ellipse->reachX - reach, box.column, box.columnCount);
	const int columnEnd = tnClipEnd(ellipse->x + ellipse->reachX + reach, box.column, box.columnCount);
	for (int row = rowBegin; row < rowEnd; ++row)
	{
		const float z = (float)(row + 0.5 - ellipse->z);
		for (int column = columnBegin; column < columnEnd; column += tnLineCount)
		{
			const int count = columnEnd - column < tnLineCount ? columnEnd - column : tnLineCount;
			tnEdgeLine line;
			float values[tnLineCount];
			tnMeasureEdge(&shape, column, z, count, &line);
			tnLookUpEdge(target->stamps, &line, height, count, values);
			tnAddLine(target, column, row, values, count);
		}
	}
}

// Points needed along a half length in cells of the low pass: one up to 0.4 cells, then about one per cell.
static int tnGetPointCount(double half)
{
	return 1 + (int)(half + 0.6);
}

typedef struct tnStampPoint
{
	double x, z;
	float weight;
} tnStampPoint;

// The points of an ellipse. Returns how many.
static int tnMakePoints(const tnWaveStamps* stamps, tnStampPoint* points, const tnCellEllipse* ellipse)
{
	// Chords across the longer radius.
	const bool isAcross = ellipse->radiusB > ellipse->radiusA;
	const double longer = isAcross ? ellipse->radiusB : ellipse->radiusA;
	const double shorter = isAcross ? ellipse->radiusA : ellipse->radiusB;
	const double alongX = isAcross ? -ellipse->axisZ : ellipse->axisX;
	const double alongZ = isAcross ? ellipse->axisX : ellipse->axisZ;
	const int chordCount = tnGetPointCount(longer);
	int pointCount = 0;
	for (int i = 1; i <= chordCount; ++i)
	{
		const double angle = TN_PI * i / (chordCount + 1);
		const double sine = tnSine(angle);
		const double place = longer * tnCosine(angle);
		const double half = shorter * sine;
		const int wanted = tnGetPointCount(half);
		const int count = wanted < TN_MAX_LEGENDRE ? wanted : TN_MAX_LEGENDRE;
		const double weight = longer * shorter * TN_PI / (chordCount + 1) * sine * sine;
		for (int j = 0; j < count; ++j)
		{
			const double across = half * stamps->nodes[count - 1][j];
			points[pointCount++] = (tnStampPoint){ellipse->x + (alongX * place - alongZ * across),
				ellipse->z + (alongZ * place + alongX * across), (float)(weight * stamps->weights[count - 1][j])};
		}
	}
	return pointCount;
}

// Add a point to some cells of a row: weight * p(r).
static void tnAddPoint(
	const tnWaveStamps* stamps, const tnStampPoint* point, float factor, int column, int row, int count, float* line)
{
	const double reach = tnReach;
	const double z = row + 0.5 - point->z;
	const double square = reach * reach - z * z;
	if (!(square > 0.0))
	{
		return;
	}
	const double half = sqrt(square);
	const int begin = tnClipBegin(point->x - half, column, count);
	const int end = tnClipEnd(point->x + half, column, count);
	const float weight = factor * point->weight;
	const float steps = (float)TN_WAVE_POINT_STEPS;
	const float z2 = (float)(z * z) * steps;
	const float last = (float)(tnReach * tnReach * TN_WAVE_POINT_STEPS);
	const float* restrict table = stamps->point;
	float places[tnLineCount];
	for (int i = begin; i < end; ++i)
	{
		const float x = (float)(i + 0.5 - point->x);
		const float t = x * x * steps + z2;
		places[i - begin] = t < last ? t : last;
	}
	float* restrict out = line + (begin - column);
	for (int i = 0; i < end - begin; ++i)
	{
		const int index = (int)places[i];
		const float fraction = places[i] - (float)index;
		out[i] += weight * (table[index] + fraction * (table[index + 1] - table[index]));
	}
}

static void tnAddPoints(tnStampTarget* target, const tnCellEllipse* ellipse, float factor)
{
	tnStampPoint points[tnMaxChords * TN_MAX_LEGENDRE];
	const int pointCount = tnMakePoints(target->stamps, points, ellipse);
	const tnWaveBox box = target->patch.box;
	const double reach = tnReach;
	const int rowBegin = tnClipBegin(ellipse->z - ellipse->reachZ - reach, box.row, box.rowCount);
	const int rowEnd = tnClipEnd(ellipse->z + ellipse->reachZ + reach, box.row, box.rowCount);
	const int columnBegin = tnClipBegin(ellipse->x - ellipse->reachX - reach, box.column, box.columnCount);
	const int columnEnd = tnClipEnd(ellipse->x + ellipse->reachX + reach, box.column, box.columnCount);
	for (int row = rowBegin; row < rowEnd; ++row)
	{
		for (int column = columnBegin; column < columnEnd; column += tnLineCount)
		{
			const int count = columnEnd - column < tnLineCount ? columnEnd - column : tnLineCount;
			float line[tnLineCount] = {0.0f};
			for (int i = 0; i < pointCount; ++i)
			{
				tnAddPoint(target->stamps, points + i, factor, column, row, count, line);
			}
			tnAddLine(target, column, row, line, count);
		}
	}
}

static void tnAddLowPass(tnStampTarget* target, const tnCellEllipse* ellipse, float factor)
{
	const bool isAcross = ellipse->radiusB > ellipse->radiusA;
	const double longer = isAcross ? ellipse->radiusB : ellipse->radiusA;
	const double shorter = isAcross ? ellipse->radiusA : ellipse->radiusB;
	// A line that is both thin and very long has more points than it is worth.
	if (shorter >= TN_EDGE_RADIUS || tnGetPointCount(longer) > tnMaxChords)
	{
		tnAddEdge(target, ellipse, factor);
	}
	else
	{
		tnAddPoints(target, ellipse, factor);
	}
}

// factor * what the coarser level has of the ellipse, in a block of the patch.
static void tnAddCoarserBlock(tnStampTarget* target, const tnCellEllipse* coarseEllipse, float factor, tnWaveBox block)
{
	float coarseValues[tnCoarseBlockSize * tnCoarseBlockSize] = {0.0f};
	float values[tnBlockSize * tnBlockSize] = {0.0f};
	float scratch[tnBlockScratch];
	const tnWaveBox box = tnGetRestrictedBox(block);
	const tnWavePatch coarse = {box, tnCoarseBlockSize, coarseValues};
	const tnWavePatch fine = {block, tnBlockSize, values};
	tnStampTarget coarseTarget = {target->stamps, coarse, 1.0f, 1.0, 0};
	tnAddLowPass(&coarseTarget, coarseEllipse, 1.0f);
	tnProlongWave(&coarse, factor, &fine, scratch);
	for (int row = 0; row < block.rowCount; ++row)
	{
		tnAddLine(target, block.column, block.row + row, values + row * tnBlockSize, block.columnCount);
	}
}

static void tnAddCoarser(tnStampTarget* target, const tnCellEllipse* ellipse, float factor)
{
	tnCellEllipse coarse = *ellipse;
	coarse.x *= 0.5;
	coarse.z *= 0.5;
	coarse.radiusA *= 0.5;
	coarse.radiusB *= 0.5;
	coarse.reachX *= 0.5;
	coarse.reachZ *= 0.5;
	const tnWaveBox box = target->patch.box;
	const double reach = tnCoarserReach;
	const int rowBegin = tnClipBegin(ellipse->z - ellipse->reachZ - reach, box.row, box.rowCount);
	const int rowEnd = tnClipEnd(ellipse->z + ellipse->reachZ + reach, box.row, box.rowCount);
	const int columnBegin = tnClipBegin(ellipse->x - ellipse->reachX - reach, box.column, box.columnCount);
	const int columnEnd = tnClipEnd(ellipse->x + ellipse->reachX + reach, box.column, box.columnCount);
	for (int row = rowBegin; row < rowEnd; row += tnBlockSize)
	{
		for (int column = columnBegin; column < columnEnd; column += tnBlockSize)
		{
			const int columnCount = columnEnd - column < tnBlockSize ? columnEnd - column : tnBlockSize;
			const int rowCount = rowEnd - row < tnBlockSize ? rowEnd - row : tnBlockSize;
			tnAddCoarserBlock(target, &coarse, factor, (tnWaveBox){column, row, columnCount, rowCount});
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Stamps

// The support of a stamp, cells.
typedef struct tnSupport
{
	double lowX, lowZ, highX, highZ;
} tnSupport;

static bool tnMakeCellEllipse(tnCellEllipse* result, const tnWaveBandGrid* grid, const tnWaveEllipse* ellipse)
{
	const double inverse = 1.0 / (double)grid->cellSize;
	const double axisX = ellipse->axis.x;
	const double axisZ = ellipse->axis.z;
	const double length = sqrt(axisX * axisX + axisZ * axisZ);
	result->x = ((double)ellipse->center.x - (double)grid->origin.x) * inverse;
	result->z = ((double)ellipse->center.z - (double)grid->origin.z) * inverse;
	result->radiusA = (double)ellipse->radii.x * inverse;
	result->radiusB = (double)ellipse->radii.z * inverse;
	result->height = ellipse->height;
	// 10^6 cells: squares and fourth powers stay in float. All comparisons are false for NaN.
	const double largest = 1.0e6;
	if (!(length > 0.0 && length < 1.0e30) || !(result->radiusA > 0.0 && result->radiusA <= largest) ||
		!(result->radiusB > 0.0 && result->radiusB <= largest) || !(fabsf(ellipse->height) <= 1.0e6f) ||
		!(fabs(result->x) < 1.0e30) || !(fabs(result->z) < 1.0e30))
	{
		return false;
	}
	result->axisX = axisX / length;
	result->axisZ = axisZ / length;
	const double ax = result->radiusA * result->axisX;
	const double az = result->radiusA * result->axisZ;
	const double bx = result->radiusB * result->axisZ;
	const double bz = result->radiusB * result->axisX;
	result->reachX = sqrt(ax * ax + bx * bx);
	result->reachZ = sqrt(az * az + bz * bz);
	return true;
}

static void tnGrowSupport(tnSupport* support, const tnCellEllipse* ellipse, double margin)
{
	const double lowX = ellipse->x - ellipse->reachX - margin;
	const double highX = ellipse->x + ellipse->reachX + margin;
	const double lowZ = ellipse->z - ellipse->reachZ - margin;
	const double highZ = ellipse->z + ellipse->reachZ + margin;
	support->lowX = lowX < support->lowX ? lowX : support->lowX;
	support->highX = highX > support->highX ? highX : support->highX;
	support->lowZ = lowZ < support->lowZ ? lowZ : support->lowZ;
	support->highZ = highZ > support->highZ ? highZ : support->highZ;
}

// Weight of a cell of the support along one axis.
static float tnGetWeight(int cell, double low, double high)
{
	const double middle = 0.5 * (low + high);
	const float u = (float)((cell + 0.5 - middle) / (0.5 * (high - low)));
	const float v = (1.0f + TN_END_WEIGHT) - u * u;
	return v * v;
}

static int64_t tnSumWeights(int begin, int end, double low, double high)
{
	int64_t sum = 0;
	for (int i = begin; i < end; ++i)
	{
		sum += (int64_t)((double)tnGetWeight(i, low, high) * TN_WEIGHT_UNIT);
	}
	return sum;
}

// Unit of the sum over a patch. In a cell both ellipses and both low passes are below 2 each, or the points of small
// ellipses together below 2^14, so nothing overflows.
static double tnGetUnit(tnWaveBox box)
{
	const double largest = 8.0 * ((double)box.columnCount * box.rowCount + 16384.0);
	double unit = 4611686018427387904.0; // 2^62
	for (double size = 1.0; size < largest; size *= 2.0)
	{
		unit *= 0.5;
	}
	return unit;
}

// Subtract the sum, and return it in cells of height 1.
static double tnMakeZeroSum(tnStampTarget* target, const tnSupport* support)
{
	const tnWaveBox box = target->patch.box;
	const int rowBegin = tnClipBegin(support->lowZ, box.row, box.rowCount);
	const int rowEnd = tnClipEnd(support->highZ, box.row, box.rowCount);
	const int columnBegin = tnClipBegin(support->lowX, box.column, box.columnCount);
	const int columnEnd = tnClipEnd(support->highX, box.column, box.columnCount);
	const double sum = (double)target->sum / target->unit;
	const double weightX = (double)tnSumWeights(columnBegin, columnEnd, support->lowX, support->highX) / TN_WEIGHT_UNIT;
	const double weightZ = (double)tnSumWeights(rowBegin, rowEnd, support->lowZ, support->highZ) / TN_WEIGHT_UNIT;
	if (!(weightX > 0.0 && weightZ > 0.0))
	{
		return 0.0;
	}
	const double share = sum / (weightX * weightZ);
	for (int row = rowBegin; row < rowEnd; ++row)
	{
		const float rowShare = (float)(share * (double)tnGetWeight(row, support->lowZ, support->highZ)) * target->scale;
		float* restrict out =
			target->patch.values + (size_t)(row - box.row) * (size_t)target->patch.stride + (columnBegin - box.column);
		for (int i = 0; i < columnEnd - columnBegin; ++i)
		{
			out[i] -= rowShare * tnGetWeight(columnBegin + i, support->lowX, support->highX);
		}
	}
	return sum;
}

// Cells that an ellipse covers. Lines through them along x, with the exact lengths inside of it, and as many along z: the
// mean of both. Places are those from its centre, and sums are such that a mirrored or transposed ellipse has mirrored or
// transposed bits.
//
//        |  .  |         . . lines along x, at offsets (i + 1/2) / count - 1/2 from the middle of a row
//   -----|--.--|---      : : along z
//   . . .|. : .|. .      |   cells
//   -----|--.--|---

// Lines along one axis, u, that lie side by side along the other, v: the ellipse is uu u^2 + 2 uv u v + vv v^2 < 1.
typedef struct tnCoverLines
{
	double uu, uv, vv;
	double reach; // of the ellipse along v
	int count;    // per cell
} tnCoverLines;

enum
{
	// Thinner than 1/8 of a cell no ellipse is.
	tnMaxCoverLines = 65,
	tnCoverBlock = 16,
};

// What of the lines through a row, or a column, is inside of the ellipse: [low, high) of each. All of them are between
// allLow and allHigh, and some between anyLow and anyHigh.
typedef struct tnChords
{
	double lows[tnMaxCoverLines], highs[tnMaxCoverLines];
	double allLow, allHigh, anyLow, anyHigh;
} tnChords;

// @param product of the radii
static tnCoverLines tnMakeCoverLines(double uu, double uv, double vv, double product)
{
	// Of [[uu, uv], [uv, vv]] the inverse has the squares of the reaches on its diagonal.
	const double reach = product * sqrt(uu);
	// At least 4 per cell, and at least 16 through the ellipse.
	const int count = reach < 2.0 ? (int)(8.0 / reach) + 1 : 4;
	return (tnCoverLines){uu, uv, vv, reach, tnMinInt(count, tnMaxCoverLines)};
}

// @param cell middle of a row or column along v
static void tnMakeChords(const tnCoverLines* lines, double cell, tnChords* chords)
{
	chords->allLow = -1.0e30;
	chords->allHigh = 1.0e30;
	chords->anyLow = 1.0e30;
	chords->anyHigh = -1.0e30;
	for (int i = 0; i < lines->count; ++i)
	{
		const double v = cell + (double)(2 * i + 1 - lines->count) / (2 * lines->count);
		const double square = lines->uv * v * (lines->uv * v) - lines->uu * (lines->vv * v * v - 1.0);
		const double middle = -(lines->uv * v) / lines->uu;
		const double half = square > 0.0 ? sqrt(square) / lines->uu : 0.0;
		const double low = middle - half;
		const double high = middle + half;
		chords->lows[i] = low;
		chords->highs[i] = high;
		chords->allLow = low > chords->allLow ? low : chords->allLow;
		chords->allHigh = high < chords->allHigh ? high : chords->allHigh;
		chords->anyLow = low < chords->anyLow ? low : chords->anyLow;
		chords->anyHigh = high > chords->anyHigh ? high : chords->anyHigh;
	}
}

// Share of lines through a cell that is inside.
static double tnCoverCell(const tnChords* chords, int count, double cell)
{
	const double begin = cell - 0.5;
	const double end = cell + 0.5;
	if (begin >= chords->allLow && end <= chords->allHigh)
	{
		return 1.0;
	}
	if (begin >= chords->anyHigh || end <= chords->anyLow)
	{
		return 0.0;
	}
	double lengths[tnMaxCoverLines];
	for (int i = 0; i < count; ++i)
	{
		const double low = chords->lows[i] > begin ? chords->lows[i] : begin;
		const double high = chords->highs[i] < end ? chords->highs[i] : end;
		lengths[i] = high > low ? high - low : 0.0;
	}
	double sum = count % 2 == 1 ? lengths[count / 2] : 0.0;
	for (int i = 0; i < count / 2; ++i)
	{
		sum += lengths[i] + lengths[count - 1 - i];
	}
	return sum / count;
}

// The area that all lines together see, cells. Of hundreds of lines it is right anyway: their error is count^(-3/2).
// @param center in cells, along v
static double tnMeasureLines(const tnCoverLines* lines, double center, double exact)
{
	if (lines->reach >= 64.0)
	{
		return exact;
	}
	const double unit = 4294967296.0;
	int64_t sum = 0;
	const int first = (int)floor(center - lines->reach) - 1;
	const int last = (int)floor(center + lines->reach) + 1;
	for (int cell = first; cell <= last; ++cell)
	{
		tnChords chords;
		tnMakeChords(lines, cell + 0.5 - center, &chords);
		for (int i = 0; i < lines->count; ++i)
		{
			sum += (int64_t)((chords.highs[i] - chords.lows[i]) * unit);
		}
	}
	return (double)sum / (unit * lines->count);
}

// The heights of an ellipse times factor, as means over cells.
static void tnAddCover(const tnWavePatch* patch, const tnCellEllipse* ellipse, double factor)
{
	// Waves of 4 cells do not tell a small disc from a smaller one, but lines would miss it.
	const double least = 0.125;
	const double a = ellipse->radiusA > least ? ellipse->radiusA : least;
	const double b = ellipse->radiusB > least ? ellipse->radiusB : least;
	const double c = ellipse->axisX;
	const double s = ellipse->axisZ;
	// xx x^2 + 2 xz x z + zz z^2 < 1
	const double xx = (c / a) * (c / a) + (s / b) * (s / b);
	const double xz = c * s * (1.0 / (a * a) - 1.0 / (b * b));
	const double zz = (s / a) * (s / a) + (c / b) * (c / b);
	const tnCoverLines alongX = tnMakeCoverLines(xx, xz, zz, a * b);
	const tnCoverLines alongZ = tnMakeCoverLines(zz, xz, xx, a * b);
	const tnWaveBox box = patch->box;
	const int rowBegin = tnClipBegin(ellipse->z - alongX.reach - 1.0, box.row, box.rowCount);
	const int rowEnd = tnClipEnd(ellipse->z + alongX.reach + 1.0, box.row, box.rowCount);
	const int columnBegin = tnClipBegin(ellipse->x - alongZ.reach - 1.0, box.column, box.columnCount);
	const int columnEnd = tnClipEnd(ellipse->x + alongZ.reach + 1.0, box.column, box.columnCount);
	if (rowBegin >= rowEnd || columnBegin >= columnEnd)
	{
		return;
	}
	const double exact = TN_PI * a * b;
	// Twice the area that is seen, cut off or not, and twice the volume.
	const double seen = tnMeasureLines(&alongX, ellipse->z, exact) + tnMeasureLines(&alongZ, ellipse->x, exact);
	const double height = factor * TN_PI * ellipse->radiusA * ellipse->radiusB / seen;
	for (int block = columnBegin; block < columnEnd; block += tnCoverBlock)
	{
		const int blockEnd = tnMinInt(block + tnCoverBlock, columnEnd);
		tnChords chordsZ[tnCoverBlock];
		for (int column = block; column < blockEnd; ++column)
		{
			tnMakeChords(&alongZ, column + 0.5 - ellipse->x, chordsZ + (column - block));
		}
		for (int row = rowBegin; row < rowEnd; ++row)
		{
			float* out = patch->values + (size_t)(row - box.row) * (size_t)patch->stride - box.column;
			const double z = row + 0.5 - ellipse->z;
			tnChords chordsX;
			tnMakeChords(&alongX, z, &chordsX);
			for (int column = block; column < blockEnd; ++column)
			{
				const double share = tnCoverCell(&chordsX, alongX.count, column + 0.5 - ellipse->x) +
					tnCoverCell(chordsZ + (column - block), alongZ.count, z);
				out[column] += (float)(height * share);
			}
		}
	}
}

bool tnCoverWave(
	const tnWaveBandGrid* grid, const tnWaveEllipse* before, const tnWaveEllipse* after, const tnWavePatch* patch)
{
	const tnWaveEllipse* given[2] = {before, after};
	tnCellEllipse ellipses[2];
	for (int i = 0; i < 2; ++i)
	{
		if (given[i] != NULL && (!(grid->cellSize > 0.0f) || !tnMakeCellEllipse(ellipses + i, grid, given[i])))
		{
			return false;
		}
	}
	for (int i = 0; i < 2; ++i)
	{
		if (given[i] != NULL)
		{
			const double height = ellipses[i].height;
			tnAddCover(patch, ellipses + i, i == 0 ? -height : height);
		}
	}
	return true;
}

// Add what ellipses give to a band, and the support of that. False for ellipses that are not accepted, and for none.
static bool tnAddStamp(tnStampTarget* target, const tnWaveBandGrid* grid, const tnWaveEllipse* before,
	const tnWaveEllipse* after, tnSupport* support, bool* accepted)
{
	const tnWaveEllipse* given[2] = {before, after};
	tnCellEllipse ellipses[2];
	float scale = 0.0f;
	*accepted = true;
	for (int i = 0; i < 2; ++i)
	{
		if (given[i] != NULL)
		{
			if (!(grid->cellSize > 0.0f) || !tnMakeCellEllipse(ellipses + i, grid, given[i]))
			{
				*accepted = false;
				return false;
			}
			const float size = fabsf(given[i]->height);
			scale = size > scale ? size : scale;
		}
	}
	if (!(scale > 0.0f))
	{
		return false;
	}

	target->scale = scale;
	*support = (tnSupport){1.0e30, 1.0e30, -1.0e30, -1.0e30};
	for (int i = 0; i < 2; ++i)
	{
		if (given[i] == NULL)
		{
			continue;
		}
		tnCellEllipse* ellipse = ellipses + i;
		ellipse->height = (i == 0 ? -ellipse->height : ellipse->height) / scale;
		tnAddLowPass(target, ellipse, ellipse->height);
		if (!grid->isCoarsest)
		{
			tnAddCoarser(target, ellipse, -ellipse->height);
		}
		tnGrowSupport(support, ellipse, grid->isCoarsest ? tnReach : tnCoarserReach);
	}
	return true;
}

bool tnStampWavePart(const tnWaveStamps* stamps, const tnWaveBandGrid* grid, const tnWaveEllipse* before,
	const tnWaveEllipse* after, const tnWavePatch* patch)
{
	tnStampTarget target = {stamps, *patch, 1.0f, tnGetUnit(patch->box), 0};
	tnSupport support;
	bool accepted;
	tnAddStamp(&target, grid, before, after, &support, &accepted);
	return accepted;
}

bool tnStampWave(const tnWaveStamps* stamps, const tnWaveBandGrid* grid, const tnWaveEllipse* before,
	const tnWaveEllipse* after, const tnWavePatch* patch, double* removed)
{
	if (removed != NULL)
	{
		*removed = 0.0;
	}
	tnStampTarget target = {stamps, *patch, 1.0f, tnGetUnit(patch->box), 0};
	tnSupport support;
	bool accepted;
	if (!tnAddStamp(&target, grid, before, after, &support, &accepted))
	{
		return accepted;
	}
	const double sum = tnMakeZeroSum(&target, &support);
	if (removed != NULL)
	{
		*removed = sum * (double)target.scale * (double)grid->cellSize * (double)grid->cellSize;
	}
	return true;
}

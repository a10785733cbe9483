// SPDX-License-Identifier: MIT

// Band pass of displacements on entry.
//
// Bands of the wave layer evolve on their own, so each wave has to enter the bands whose kernel was fitted to it and no
// others. With k in radians per cell of the level, the low pass into a level is radial and sharp:
//
//   L(k) = 1 up to pi/3, 0 from pi/2 on, cos^2(pi/2 log(3k/pi) / log(3/2)) between        tnGetWaveLowPass
//   band l = L_l - L_(l+1): wavelengths of 4 to 12 cells; finest 1 - L_1, coarsest L_n
//
// A displacement V_0 given on the finest grid is decomposed as a Laplacian pyramid (Burt & Adelson 1983), whose sum is
// V_0 whatever the filters are, since what is taken from a band is what the next one gives back:
//
//   V_(l+1) = R V_l      s_0 = V_0,  s_l = P V_l      band_l += s_l - U s_(l+1), coarsest: s_n
//
// U: prolongation, cell centred. A fine cell lies a quarter of a coarse cell beside the middle of its coarse one, and
// gets the polynomial of degree 5 through the 6 nearest middles of each axis (weights are n / 65536: no rounding):
//
//       |   C-1   |    C    |   C+1   |      even fine cells 2C:   weight[q] of coarse cell C - 3 + q
//       | e  | o  | e  | o  | e  | o  |      odd fine cells 2C+1:  weight[q] of coarse cell C + 3 - q
//
// R = U^T / 4: restriction. U has column sums 4, so R and P with sum 1 give every band but the coarsest zero volume.
// P: a polynomial of the positive 9-point Laplacian K (isotropic to 4th order; spectrum [0, 16/3]), which stands for a
// kernel of 33 x 33 taps, as Chebyshev sum over x = K / (8/3) - 1 with |x| <= 1:
//
//   P = sum a_n T_n(x),  T_0 = 1,  T_1 = x,  T_(n+1) = 2 x T_n - T_(n-1)        2 x h = h/2 - edges/2 - corners/8
//
// with a_n from weighted least squares of R^ P against L (R^: the response of restrictions before it). The coefficients
// of 2 x are powers of two and the sum of a_n (-1)^n is 1, so there is no bias in the volume. Largest error against L:
// 1.3 % where L is 1 (0.3 % for waves from 24 cells on), 0.8 % where L is 0, 3.4 % between. A 25 x 25 kernel by least
// squares has 1.9 and 0.9 %, and its separable form of rank 5, which adds 0.2 %, takes half more operations; a polynomial
// of degree 12, with the same reach as that, has 4.3 and 2.3 %. Waves that the restriction cannot tell from longer ones
// come through with 1.2 %.
//
// A displacement is zero outside of its patch and the results have room for all that is not zero: there are no borders
// inside the pyramid. All loops have a fixed order; mirrored displacements have mirrored bands, bit for bit.

#include "wave_filter.h"

#include "../core/numerics.h"
#include "wave_fit.h"
#include "wave_kernels.h"

#include <math.h>
#include <string.h>

#define TN_PI 3.141592653589793

enum
{
	tnReach = TN_WAVE_FILTER_REACH,
	tnTermCount = TN_WAVE_FILTER_REACH + 1,
	// How far prolongation reaches, coarse cells each way, and how much wider that makes a row of pairs of fine cells.
	tnProlongReach = 5,
	// Points of the least squares along each axis, from wave number 0 to pi.
	tnFitCount = 48,
	// Restrictions before the low pass that the fit knows of. More of them change nothing that matters.
	tnFitRestrictions = 3,
	tnMaxBoxSize = 4096,
	tnRowStep = TN_WAVE_TERM_STEP,
	tnMaxCell = 1 << 28,
};

static const float s_prolong[6] = {504.0f / 65536.0f, -3960.0f / 65536.0f, 18480.0f / 65536.0f, 55440.0f / 65536.0f,
	-5544.0f / 65536.0f, 616.0f / 65536.0f};

static double tnCosine(double angle)
{
	return tnSinTurns(angle / (2.0 * TN_PI) + 0.25);
}

// ---------------------------------------------------------------------------------------------------------------------
// The fit of the low pass

// Response of a restriction along one axis, for an angle per fine cell.
static double tnGetRestrictResponse(double angle)
{
	double sum = 0.0;
	for (int q = 0; q < 6; ++q)
	{
		sum += (double)s_prolong[q] * tnCosine(angle * (5.5 - 2.0 * q));
	}
	return sum;
}

double tnGetFitWeight(double angle)
{
	if (!(angle > 0.0))
	{
		// The mean has to be right.
		return 1.0e5;
	}
	// In the transition an error moves a wave between two bands that both know it: that counts for less. Most of what
	// is displaced is long, and a share of that in a band that does not know it is worse than the same share of shorter
	// waves. 3 makes the error of long waves a third, and adds a tenth to that of others.
	const double target = tnGetWaveLowPass(angle);
	return (target > 0.0 && target < 1.0 ? 0.15 : 1.0) * (1.0 + 3.0 / (angle * angle));
}

void tnSolveNormalEquations(int count, double* matrix, double* values)
{
	// Positive definite: needs no pivoting.
	for (int i = 0; i < count; ++i)
	{
		for (int j = i + 1; j < count; ++j)
		{
			const double factor = matrix[j * count + i] / matrix[i * count + i];
			for (int c = i; c < count; ++c)
			{
				matrix[j * count + c] -= factor * matrix[i * count + c];
			}
			values[j] -= factor * values[i];
		}
	}
	for (int i = count - 1; i >= 0; --i)
	{
		for (int c = i + 1; c < count; ++c)
		{
			values[i] -= matrix[i * count + c] * values[c];
		}
		values[i] /= matrix[i * count + i];
	}
}

tnWaveFilter tnMakeWaveFilter(tnSimd simd)
{
	double cosines[tnFitCount + 1];
	double responses[tnFitCount + 1];
	for (int i = 0; i <= tnFitCount; ++i)
	{
		double angle = TN_PI * i / tnFitCount;
		cosines[i] = tnCosine(angle);
		responses[i] = 1.0;
		for (int j = 0; j < tnFitRestrictions; ++j)
		{
			angle *= 0.5;
			responses[i] *= tnGetRestrictResponse(angle);
		}
	}

	double matrix[tnTermCount * tnTermCount] = {0.0};
	double solution[tnTermCount] = {0.0};
	for (int row = 0; row <= tnFitCount; ++row)
	{
		for (int column = 0; column <= row; ++column)
		{
			const double angle = TN_PI / tnFitCount * sqrt((double)(row * row + column * column));
			const double p = 1.0 - cosines[column];
			const double q = 1.0 - cosines[row];
			const double x = (2.0 * p + 2.0 * q - 2.0 / 3.0 * p * q) / (8.0 / 3.0) - 1.0;
			const double response = responses[column] * responses[row];
			const double target = tnGetWaveLowPass(angle);
			// Off the diagonal a point stands for two. The mean is made exactly right below.
			const double weight = (row == column ? 1.0 : 2.0) * tnGetFitWeight(angle);
			double terms[tnTermCount];
			terms[0] = response;
			terms[1] = response * x;
			for (int n = 2; n < tnTermCount; ++n)
			{
				terms[n] = 2.0 * x * terms[n - 1] - terms[n - 2];
			}
			for (int i = 0; i < tnTermCount; ++i)
			{
				for (int j = 0; j < tnTermCount; ++j)
				{
					matrix[i * tnTermCount + j] += weight * terms[i] * terms[j];
				}
				solution[i] += weight * terms[i] * target;
			}
		}
	}
	tnSolveNormalEquations(tnTermCount, matrix, solution);

	tnWaveFilter filter = {.kernels = tnGetWaveKernels(simd)};
	double sum = 0.0;
	for (int n = tnTermCount - 1; n > 0; --n)
	{
		filter.terms[n] = (float)solution[n];
		sum += n % 2 == 0 ? (double)filter.terms[n] : -(double)filter.terms[n];
	}
	filter.terms[0] = (float)(1.0 - sum);
	return filter;
}

// ---------------------------------------------------------------------------------------------------------------------
// Restriction and prolongation

static int tnFloorHalf(int x)
{
	return x >= 0 ? x / 2 : -((1 - x) / 2);
}

static float* tnGetRow(const tnWavePatch* patch, int row)
{
	return patch->values + (size_t)(row - patch->box.row) * (size_t)patch->stride;
}

static size_t tnGetArea(tnWaveBox box)
{
	return (size_t)box.columnCount * (size_t)box.rowCount;
}

tnWaveBox tnGetRestrictedBox(tnWaveBox box)
{
	// Coarse cell C takes from fine cells 2C - 5 to 2C + 6.
	const int column = tnFloorHalf(box.column - 5);
	const int row = tnFloorHalf(box.row - 5);
	const int lastColumn = tnFloorHalf(box.column + box.columnCount - 1 + 5);
	const int lastRow = tnFloorHalf(box.row + box.rowCount - 1 + 5);
	return (tnWaveBox){column, row, lastColumn - column + 1, lastRow - row + 1};
}

tnWaveBox tnGetRestrictSource(tnWaveBox target)
{
	return (tnWaveBox){
		2 * target.column - 5, 2 * target.row - 5, 2 * target.columnCount + 10, 2 * target.rowCount + 10};
}

size_t tnGetRestrictScratch(tnWaveBox box)
{
	const tnWaveBox coarse = tnGetRestrictedBox(box);
	return (size_t)(2 * coarse.columnCount + 2 * tnProlongReach) + (size_t)box.columnCount;
}

// Pairs of rows around a coarse row, three of them at once, times their weights: added to what the three before gave.
static void tnAddRowPairs(
	const float* const rows[6], const float weights[3], bool isFirst, float* restrict out, int count)
{
	const float* restrict a = rows[0];
	const float* restrict b = rows[1];
	const float* restrict c = rows[2];
	const float* restrict d = rows[3];
	const float* restrict e = rows[4];
	const float* restrict f = rows[5];
	for (int i = 0; i < count; ++i)
	{
		const float sum = (isFirst ? 0.0f : out[i]) + 0.5f * weights[0] * (a[i] + b[i]);
		out[i] = (sum + 0.5f * weights[1] * (c[i] + d[i])) + 0.5f * weights[2] * (e[i] + f[i]);
	}
}

void tnRestrictWave(const tnWavePatch* source, const tnWavePatch* target, float* scratch)
{
	const tnWaveBox coarse = target->box;
	const tnWaveBox wanted = tnGetRestrictSource(coarse);
	const tnWaveBox fine = tnMeetWaveBoxes(source->box, wanted);
	float* padded = scratch;
	float* zeros = scratch + wanted.columnCount;
	memset(padded, 0, (size_t)wanted.columnCount * sizeof(float));
	memset(zeros, 0, (size_t)fine.columnCount * sizeof(float));

	for (int row = coarse.row; row < coarse.row + coarse.rowCount; ++row)
	{
		const float* rows[12];
		for (int q = 0; q < 12; ++q)
		{
			// Rows 2 row - 5 + 2 q and 2 row + 6 - 2 q have the same weight.
			const int at = 2 * row + (q % 2 == 0 ? q - 5 : 7 - q);
			const bool isIn = at >= fine.row && at < fine.row + fine.rowCount;
			rows[q] = isIn ? tnGetRow(source, at) + (fine.column - source->box.column) : zeros;
		}
		float* middle = padded + (fine.column - wanted.column);
		tnAddRowPairs(rows, s_prolong, true, middle, fine.columnCount);
		tnAddRowPairs(rows + 6, s_prolong + 3, false, middle, fine.columnCount);
		float* restrict out = tnGetRow(target, row);
		const float* restrict in = padded;
		for (int i = 0; i < coarse.columnCount; ++i)
		{
			const float* restrict p = in + 2 * i;
			float sum = 0.5f * s_prolong[0] * (p[0] + p[11]);
			sum += 0.5f * s_prolong[1] * (p[2] + p[9]);
			sum += 0.5f * s_prolong[2] * (p[4] + p[7]);
			sum += 0.5f * s_prolong[3] * (p[6] + p[5]);
			sum += 0.5f * s_prolong[4] * (p[8] + p[3]);
			sum += 0.5f * s_prolong[5] * (p[10] + p[1]);
			out[i] = sum;
		}
	}
}

tnWaveBox tnGetProlongedBox(tnWaveBox box)
{
	return (tnWaveBox){2 * box.column - tnProlongReach, 2 * box.row - tnProlongReach,
		2 * box.columnCount + 2 * tnProlongReach, 2 * box.rowCount + 2 * tnProlongReach};
}

tnWaveBox tnGetProlongSource(tnWaveBox target)
{
	const int column = tnFloorHalf(target.column) - 3;
	const int row = tnFloorHalf(target.row) - 3;
	const int lastColumn = tnFloorHalf(target.column + target.columnCount - 1) + 3;
	const int lastRow = tnFloorHalf(target.row + target.rowCount - 1) + 3;
	return (tnWaveBox){column, row, lastColumn - column + 1, lastRow - row + 1};
}

size_t tnGetProlongScratch(tnWaveBox box)
{
	const tnWaveBox fine = tnGetProlongedBox(box);
	// Rows prolonged along x, one row of zeros, the padded row, and a row of results.
	return (size_t)fine.columnCount * (size_t)(box.rowCount + 2) + (size_t)(box.columnCount + 2 * tnProlongReach);
}

// Along x: each row of a box of the source becomes a row of the prolonged box.
static void tnProlongRows(
	const tnWavePatch* source, tnWaveBox box, float* restrict wide, int wideStride, float* restrict padded)
{
	const int count = box.columnCount;
	const float* w = s_prolong;
	memset(padded, 0, (size_t)(count + 2 * tnProlongReach) * sizeof(float));
	for (int row = 0; row < box.rowCount; ++row)
	{
		memcpy(padded + tnProlongReach, tnGetRow(source, box.row + row) + (box.column - source->box.column),
			(size_t)count * sizeof(float));
		float* restrict out = wide + (size_t)row * (size_t)wideStride;
		for (int j = 0; j < count + tnProlongReach; ++j)
		{
			const float* restrict p = padded + j;
			out[2 * j] = ((((w[0] * p[5] + w[1] * p[4]) + w[2] * p[3]) + w[3] * p[2]) + w[4] * p[1]) + w[5] * p[0];
			out[2 * j + 1] = ((((w[0] * p[0] + w[1] * p[1]) + w[2] * p[2]) + w[3] * p[3]) + w[4] * p[4]) + w[5] * p[5];
		}
	}
}

void tnProlongWave(const tnWavePatch* source, float factor, const tnWavePatch* target, float* scratch)
{
	const tnWaveBox coarse = tnMeetWaveBoxes(source->box, tnGetProlongSource(target->box));
	if (!tnHasWaveCells(coarse))
	{
		return;
	}
	const tnWaveBox fine = tnGetProlongedBox(coarse);
	float* wide = scratch;
	float* zeros = wide + tnGetArea((tnWaveBox){0, 0, fine.columnCount, coarse.rowCount});
	float* result = zeros + fine.columnCount;
	memset(zeros, 0, (size_t)fine.columnCount * sizeof(float));
	tnProlongRows(source, coarse, wide, fine.columnCount, result + fine.columnCount);

	const tnWaveBox shared = tnMeetWaveBoxes(target->box, fine);
	const int begin = shared.column - fine.column;
	const int count = shared.columnCount;
	for (int row = shared.row; row < shared.row + shared.rowCount && count > 0; ++row)
	{
		// Row pair j of the result: first the odd, then the even one.
		const int j = (row - fine.row) / 2;
		const bool isSecond = (row - fine.row) % 2 != 0;
		const float* rows[6];
		for (int q = 0; q < 6; ++q)
		{
			const int k = isSecond ? j - tnProlongReach + q : j - q;
			rows[q] = (k >= 0 && k < coarse.rowCount ? wide + (size_t)k * (size_t)fine.columnCount : zeros) + begin;
		}
		const float* w = s_prolong;
		const float* restrict a = rows[0];
		const float* restrict b = rows[1];
		const float* restrict c = rows[2];
		const float* restrict d = rows[3];
		const float* restrict e = rows[4];
		const float* restrict f = rows[5];
		float* restrict out = tnGetRow(target, row) + (shared.column - target->box.column);
		for (int i = 0; i < count; ++i)
		{
			const float sum = ((((w[0] * a[i] + w[1] * b[i]) + w[2] * c[i]) + w[3] * d[i]) + w[4] * e[i]) + w[5] * f[i];
			out[i] += factor * sum;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Low pass

static tnWaveBox tnGrowBox(tnWaveBox box, int count)
{
	return (tnWaveBox){box.column - count, box.row - count, box.columnCount + 2 * count, box.rowCount + 2 * count};
}

tnWaveBox tnGetSmoothBox(tnWaveBox box)
{
	return tnGrowBox(box, tnReach);
}

// Terms have a border around all that is not zero, and room for rows to be rounded up.
static size_t tnGetTermStride(tnWaveBox box)
{
	return (size_t)(box.columnCount + 2 + tnRowStep);
}

static size_t tnGetTermArea(tnWaveBox box)
{
	return tnGetTermStride(box) * (size_t)(box.rowCount + 2);
}

size_t tnGetSmoothScratch(tnWaveBox box)
{
	return 3 * tnGetTermArea(tnGetSmoothBox(box));
}

// What the terms of a low pass lie in, one after the other.
typedef struct tnTerms
{
	const tnWaveKernels* kernels;
	tnWaveBox source, target;
	tnWaveBox box; // cells that there is room for
	size_t stride;
	float* sum;
} tnTerms;

// Where term n is not zero, and those after it look.
static tnWaveBox tnGetTermBox(const tnTerms* terms, int n)
{
	return tnMeetWaveBoxes(tnGrowBox(terms->source, n), tnGrowBox(terms->target, tnReach - n));
}

// Of a cell. One row up and one column to the left is the corner of its border.
static size_t tnGetTermPlace(const tnTerms* terms, int column, int row)
{
	return (size_t)(row - terms->box.row + 1) * terms->stride + (size_t)(column - terms->box.column + 1);
}

// Term n of what the term before it is.
static void tnNextTerm(const tnTerms* terms, int n, float weight, const float* term, float* next)
{
	const tnWaveBox box = tnGetTermBox(terms, n);
	// Whole vectors are faster. Beyond the reach of the term is zero and stays it; what lies beyond where others look,
	// those after it do not see, since they look less far.
	const int count = (box.columnCount + tnRowStep - 1) / tnRowStep * tnRowStep;
	const size_t corner = tnGetTermPlace(terms, box.column - 1, box.row - 1);
	terms->kernels->addTerm(
		term + corner, next + corner, terms->sum + corner, terms->stride, weight, count, box.rowCount);
}

void tnSmoothWave(const tnWaveFilter* filter, const tnWavePatch* source, const tnWavePatch* target, float* scratch)
{
	const tnWaveBox all = tnMeetWaveBoxes(tnGetSmoothBox(source->box), tnGetSmoothBox(target->box));
	const tnTerms terms = {filter->kernels, source->box, target->box, all, tnGetTermStride(all), scratch};
	const size_t area = tnGetTermArea(all);
	float* term = scratch + area;
	float* next = scratch + 2 * area;
	memset(scratch, 0, 3 * area * sizeof(float));
	const tnWaveBox seen = tnGetTermBox(&terms, 0);
	for (int row = seen.row; row < seen.row + seen.rowCount; ++row)
	{
		const float* in = tnGetRow(source, row) + (seen.column - source->box.column);
		const size_t start = tnGetTermPlace(&terms, seen.column, row);
		for (int i = 0; i < seen.columnCount; ++i)
		{
			term[start + (size_t)i] = in[i];
			terms.sum[start + (size_t)i] = filter->terms[0] * in[i];
		}
	}
	// T_1 is half of 2 x T_0. Halves are exact.
	tnNextTerm(&terms, 1, 0.5f * filter->terms[1], term, next);
	const tnWaveBox first = tnGetTermBox(&terms, 1);
	for (int row = first.row; row < first.row + first.rowCount; ++row)
	{
		float* values = next + tnGetTermPlace(&terms, first.column, row);
		for (int i = 0; i < first.columnCount; ++i)
		{
			values[i] *= 0.5f;
		}
	}
	for (int n = 2; n <= tnReach; ++n)
	{
		float* swap = term;
		term = next;
		next = swap;
		tnNextTerm(&terms, n, filter->terms[n], term, next);
	}
	for (int row = target->box.row; row < target->box.row + target->box.rowCount; ++row)
	{
		memcpy(tnGetRow(target, row), terms.sum + tnGetTermPlace(&terms, target->box.column, row),
			(size_t)target->box.columnCount * sizeof(float));
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// All levels

static size_t tnMaxSize(size_t a, size_t b)
{
	return a > b ? a : b;
}

bool tnPlanWaveEntry(tnWavePlan* plan, tnWaveBox box, int levelCount)
{
	*plan = (tnWavePlan){0};
	if (levelCount < 1 || levelCount > TN_MAX_WAVE_LEVELS || box.columnCount < 1 || box.columnCount > tnMaxBoxSize ||
		box.rowCount < 1 || box.rowCount > tnMaxBoxSize || box.column < -tnMaxCell || box.column > tnMaxCell ||
		box.row < -tnMaxCell || box.row > tnMaxCell)
	{
		return false;
	}
	plan->levelCount = levelCount;
	plan->averages[0] = box;
	plan->smooth[0] = box;
	size_t working = 0;
	for (int l = 1; l < levelCount; ++l)
	{
		plan->averages[l] = tnGetRestrictedBox(plan->averages[l - 1]);
		plan->smooth[l] = tnGetSmoothBox(plan->averages[l]);
		plan->bands[l - 1] = tnGetProlongedBox(plan->smooth[l]);
		working = tnMaxSize(working, tnGetRestrictScratch(plan->averages[l - 1]));
		working = tnMaxSize(working, tnGetSmoothScratch(plan->averages[l]));
		working = tnMaxSize(working, tnGetProlongScratch(plan->smooth[l]));
		// Levels get smaller, except that margins do not: the largest is not always the first.
		plan->scratchCount = tnMaxSize(plan->scratchCount, tnGetArea(plan->smooth[l]));
	}
	plan->bands[levelCount - 1] = plan->smooth[levelCount - 1];
	// Averages and low pass of two levels at a time, and what the steps between need.
	plan->scratchCount = 4 * plan->scratchCount + working;
	return true;
}

void tnAddPatch(const tnWavePatch* source, const tnWavePatch* target)
{
	const tnWaveBox box = tnMeetWaveBoxes(source->box, target->box);
	for (int row = box.row; row < box.row + box.rowCount; ++row)
	{
		const float* restrict in = tnGetRow(source, row) + (box.column - source->box.column);
		float* restrict out = tnGetRow(target, row) + (box.column - target->box.column);
		for (int i = 0; i < box.columnCount; ++i)
		{
			out[i] += in[i];
		}
	}
}

void tnDecomposeWave(const tnWaveFilter* filter, const tnWavePlan* plan, const float* displacement, int stride,
	const tnWavePatch* bands, float* scratch)
{
	size_t area = 0;
	for (int l = 1; l < plan->levelCount; ++l)
	{
		area = tnMaxSize(area, tnGetArea(plan->smooth[l]));
	}
	float* working = scratch + 4 * area;
	// Only read: the displacement is its own average and low pass.
	tnWavePatch average = {plan->averages[0], stride, (float*)displacement};
	tnWavePatch smooth = average;
	for (int l = 0; l < plan->levelCount; ++l)
	{
		tnAddPatch(&smooth, bands + l);
		if (l + 1 == plan->levelCount)
		{
			break;
		}
		float* memory = scratch + (size_t)(l % 2) * 2 * area;
		const tnWavePatch nextAverage = {plan->averages[l + 1], plan->averages[l + 1].columnCount, memory};
		const tnWavePatch nextSmooth = {plan->smooth[l + 1], plan->smooth[l + 1].columnCount, memory + area};
		tnRestrictWave(&average, &nextAverage, working);
		tnSmoothWave(filter, &nextAverage, &nextSmooth, working);
		tnProlongWave(&nextSmooth, -1.0f, bands + l, working);
		average = nextAverage;
		smooth = nextSmooth;
	}
}

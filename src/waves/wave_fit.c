// SPDX-License-Identifier: MIT

// Kernels of the bands of waves. Per cell a band holds a height h and a velocity v of the surface, and a step is
//
//   v -= dt g/dx (alpha + beta K + gamma K^2 + delta K^3) h          h += dt v
//
// with K the nine-point Laplacian, positive, of which a polynomial is 25 taps (delta = 0) or 49:
//
//         -1  -4  -1                symbol  K = 2 p + 2 q - (2/3) p q,   p = 1 - cos kx,  q = 1 - cos kz
//   1/6   -4  20  -4                          = k^2 - k^4/12 + O(k^6)    the direction first counts in k^6
//         -1  -4  -1                        largest at kx = kz = pi: 16/3
//
// All wave numbers in this file are kappa = k dx, radians per cell, all depths are H/dx, and time is in sqrt(dx/g). A
// wave then turns by the angle x per half step, P being the polynomial and tau = dt sqrt(g/dx):
//
//   sin^2 x = tau^2 P(K) / 4                                                                        (leapfrog)
//
// Waves on water of depth H have w^2 = kappa tanh(kappa H) (Airy 1845). So with the target
//
//   T(kappa) = (4 / tau^2) sin^2(tau w / 2)
//
// a polynomial with P(K(kappa)) = T(kappa) moves its waves exactly: the error of the time step is in the fit. A
// relative error of P becomes one of the phase speed of
//
//   dc/c = (P/T - 1) / 2 * tan(x)/x                                                                 (1)
//
// The polynomial has a constant. A kernel with alpha = 0 keeps a mean where it is, but a band has none, and over
// wavelengths of 4 to 12 cells 25 taps reach 0.6 % with it, and 8 % without.
//
// Bands. A low pass L hands the waves of a band to its coarser neighbour, whose cells are twice as large:
//
//   L(kappa) = 1 below pi/2/r,  0 above pi/2,  cos^2 in log kappa between;   B(kappa) = L(kappa) - L(2 kappa)
//
//      B   1 |      ______            r = 1.5. Waves from 12 down to 4 cells. Bands are never taken apart again, so a
//            |     /      \           wave in the overlap of two bands is two waves that should run as one, and fades
//          0 |____/        \____      by their beat. So bands are sharp (binomial ones hold waves of 3 octaves, for
//           pi/6  pi/4 pi/3 pi/2      which no small kernel will do), and errors count in the overlaps, too.
//
// The fit is a linear program in the coefficients and the largest error e (Stiefel 1959; Rice 1964):
//
//   minimise e    such that    |B^(1/4) dc/c| <= e             over the band, along axes and along diagonals (for other
//                                                              directions K is between these)
//                              low <= P(K) <= high             for all K in [0, 16/3]: stable outside of the band
//
// and such that cells of different depths beside each other make no energy (wave_kernels.inc): beta and delta are not below
// zero, and without delta gamma not below -3/20 beta. With delta, gamma + 2 sqrt(beta delta) must not be below zero: fits
// have that without being asked, or all but, save for the longest steps. There, and where the sum of all squares might turn a
// wave by too much in a step, the next simpler kernel takes over: 49 taps, 25, 9. The last has alpha and beta alone, with a
// half of what is stable for each.
//
// With B^(3/4) the largest error of the sum of all bands is a third smaller, but neighbours disagree two times as
// much in the overlap. Rows that ask for agreement gained nothing beyond the fourth root.
//
// It is solved by the dual simplex method, which without the second line is the exchange method of Remez (1934): from
// n + 1 places with errors of alternating signs, let the worst place enter, and that one leave which keeps all
// multipliers positive. Rows of different K are never dependent (polynomials), so the start always exists.
//
// Depths are tabulated where the bits of a float32 are equally spaced: seven linear steps per octave. Kernels of
// shallow water are proportional to depth, and linear interpolation then is exact.

#include "wave_fit.h"

#include "../core/core.h"
#include "../core/numerics.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define TN_PI 3.14159265358979323846

// Shortest wave of a band: 4 cells. Radians per cell.
#define TN_BAND_END (0.5 * TN_PI)

// r, ratio of wave numbers over which a band fades. Smaller: larger filters on entry. Larger: a wider band to fit, and
// more waves in overlaps.
#define TN_BAND_FADE 1.5

// Below this share of a band its waves do not count.
#define TN_LEAST_SHARE 0.02

// Largest K.
#define TN_LARGEST_SYMBOL (16.0 / 3.0)

// Largest tau^2 P. Leapfrog is stable below 4; the rest is for cells whose neighbours have another depth.
#define TN_STABLE_LIMIT 3.6

// Largest tau^2 times the sum of the largest alpha, beta and bend of all depths, each with the largest power of K: more than
// any depths beside each other were seen to make of it. (At 60 Hz and cells of 1 m that sum is 13.9. Of 3000 grids of noise,
// stripes, checks and single cells, with and without walls, the largest eigenvalue was 8.6; 8.5 are those of one depth.)
#define TN_VARIED_LIMIT 3.8

// Share of beta that delta may be put up by: the speed of the shortest waves of a band rises by twice as much.
#define TN_SMALL_TWIST 5.0e-4

// Least gamma, as a share of beta.
#define TN_LEAST_BEND 0.15

// Largest turn of the target in half a step, radians: 4 sin^2(1.1) is 3.2. Waves that would turn by more are slowed.
#define TN_LARGEST_TURN 1.1

// Least P, as a share of the target at the near end of the band: for waves longer, and for those shorter than the band.
// Both come in by rounding and by cells of other depths. With P = 0 they would drift away.
#define TN_LONG_FLOOR 0.02
#define TN_SHORT_FLOOR 0.1

// Largest P, as a share of the target at the short end. Only the fine kernel comes near it, at waves of two cells.
// Below 5 its error rises (4: by a quarter), and without a limit these waves need shorter time steps for nothing.
#define TN_CEILING 6.0

// What is missing to feasible, in errors of the speed, is rounding below this.
#define TN_FIT_TOLERANCE 1.0e-10

// Depth of the first entry of the table, cells: the longest wave of a band is 770 times as long, and the shortest
// runs at 0.9999 of sqrt(gH). The last is 512 times as deep: the longest runs at 0.9998 of its speed in deep water.
#define TN_FIRST_DEPTH 0.015625f
#define TN_LAST_DEPTH 8.0f

enum
{
	TN_STEPS_PER_OCTAVE = 7,
	TN_BITS_PER_OCTAVE = 1 << 23, // float32

	// Coefficients, at most. The linear program has one more unknown.
	TN_MAX_ORDER = 4,
	TN_MAX_UNKNOWNS = TN_MAX_ORDER + 1,

	// Places where the fit looks. With three times as many the largest error changes by a hundredth of it.
	TN_BAND_SAMPLES = 32,
	TN_STABILITY_SAMPLES = 33,
	TN_DIRECTIONS = 2,
	TN_MAX_ROWS = 2 * TN_DIRECTIONS * TN_BAND_SAMPLES + 2 * TN_STABILITY_SAMPLES + 4,

	// Exchanges. Four to eight is the rule, 20 the most that was seen.
	TN_MAX_EXCHANGES = 200,
};

// sum over i of rows[i] x[i] <= limit.
typedef struct tnFitRow
{
	double factors[TN_MAX_UNKNOWNS];
	double limit;
} tnFitRow;

typedef struct tnWaveFit
{
	int order; // coefficients
	bool finest;
	double depth; // cells, 0 for deep
	double tau2;  // g dt^2 / dx
	double scale; // of the coefficients in the program: T of the shortest wave of the band
	int rowCount, bandRowCount;
	int basis[TN_MAX_UNKNOWNS];
	double inverse[TN_MAX_UNKNOWNS][TN_MAX_UNKNOWNS]; // of the rows in the basis
	tnFitRow rows[TN_MAX_ROWS];
} tnWaveFit;

// ---------------------------------------------------------------------------------------------------------------------
// Waves

static double tnCosine(double angle)
{
	return tnSinTurns(angle * (0.5 / TN_PI) + 0.25);
}

static double tnGetSymbol(double kappaX, double kappaZ)
{
	const double p = 1.0 - tnCosine(kappaX);
	const double q = 1.0 - tnCosine(kappaZ);
	return 2.0 * p + 2.0 * q - 2.0 / 3.0 * p * q;
}

double tnGetWaveLowPass(double kappa)
{
	const double low = TN_BAND_END / TN_BAND_FADE;
	if (!(kappa > low))
	{
		return 1.0;
	}
	if (kappa >= TN_BAND_END)
	{
		return 0.0;
	}
	const double cosine = tnCosine(0.5 * TN_PI * tnLog(kappa / low) / tnLog(TN_BAND_FADE));
	return cosine * cosine;
}

double tnGetWaveShare(double kappa, bool finest)
{
	return (finest ? 1.0 : tnGetWaveLowPass(kappa)) - tnGetWaveLowPass(2.0 * kappa);
}

// T, and the factor 1/2 tan(x)/x in (1).
static double tnGetTarget(const tnWaveFit* fit, double kappa, double* sensitivity)
{
	const double frequency2 = kappa * (fit->depth > 0.0 ? tnTanh(kappa * fit->depth) : 1.0);
	double turn = 0.5 * sqrt(fit->tau2 * frequency2);
	*sensitivity = 0.5;
	// The square is then 1 to the last bit.
	if (turn < 1.0e-8)
	{
		return frequency2;
	}
	if (turn > TN_LARGEST_TURN)
	{
		turn = TN_LARGEST_TURN;
	}
	const double sine = tnSinTurns(turn * (0.5 / TN_PI));
	*sensitivity = 0.5 * sine / (tnCosine(turn) * turn);
	return 4.0 * sine * sine / fit->tau2;
}

double tnGetWaveSpeed(
	tnWaveCoefficients kernel, double cellSize, double timeStep, double gravity, double waveX, double waveZ)
{
	const double symbol = tnGetSymbol(waveX * cellSize, waveZ * cellSize);
	const double polynomial = kernel.alpha + symbol * (kernel.beta + symbol * (kernel.gamma + symbol * kernel.delta));
	const double frequency2 = gravity / cellSize * polynomial;
	const double number = sqrt(waveX * waveX + waveZ * waveZ);
	if (!(frequency2 > 0.0) || !(number > 0.0))
	{
		return 0.0;
	}
	const double frequency = sqrt(frequency2);
	const double sine = 0.5 * timeStep * frequency;
	if (!(sine < 1.0))
	{
		return 0.0;
	}
	return (sine > 1.0e-8 ? tnArcSin(sine) / sine : 1.0) * frequency / number;
}

// ---------------------------------------------------------------------------------------------------------------------
// The linear program

static void tnGetPowers(const tnWaveFit* fit, double symbol, double scale, double* powers)
{
	for (int i = 0; i < fit->order; ++i)
	{
		powers[i] = scale;
		scale *= symbol;
	}
}

static tnFitRow* tnAddRow(tnWaveFit* fit)
{
	TN_ASSERT(fit->rowCount < TN_MAX_ROWS);
	tnFitRow* row = fit->rows + fit->rowCount++;
	memset(row, 0, sizeof(*row));
	return row;
}

// Two rows: the error, which is sum - value, is between -e and e.
static void tnAddError(tnWaveFit* fit, const double* factors, double value)
{
	for (int side = 0; side < 2; ++side)
	{
		const double sign = side == 0 ? 1.0 : -1.0;
		tnFitRow* row = tnAddRow(fit);
		for (int i = 0; i < fit->order; ++i)
		{
			row->factors[i] = sign * factors[i];
		}
		row->factors[fit->order] = -1.0;
		row->limit = sign * value;
	}
}

// Factors of the coefficients in weight * (dc/c + sensitivity) of a wave along an axis (0) or a diagonal (1). Returns
// what to take from it.
static double tnGetErrorFactors(const tnWaveFit* fit, double kappa, int direction, double weight, double* factors)
{
	const double side = kappa * sqrt(0.5);
	const double symbol = direction == 0 ? tnGetSymbol(kappa, 0.0) : tnGetSymbol(side, side);
	double sensitivity;
	const double target = tnGetTarget(fit, kappa, &sensitivity);
	tnGetPowers(fit, symbol, weight * sensitivity * fit->scale / target, factors);
	return weight * sensitivity;
}

static void tnAddBand(tnWaveFit* fit)
{
	// From 12 cells to 4 cells, or to where the share gets small.
	const double octaves = tnLog(2.0 * TN_BAND_FADE);
	for (int i = 0; i < TN_BAND_SAMPLES; ++i)
	{
		const double kappa = TN_BAND_END * tnExp(octaves * (i / (TN_BAND_SAMPLES - 1.0) - 1.0));
		const double share = tnGetWaveShare(kappa, fit->finest);
		for (int direction = 0; direction < TN_DIRECTIONS && share > TN_LEAST_SHARE; ++direction)
		{
			double factors[TN_MAX_ORDER];
			const double value = tnGetErrorFactors(fit, kappa, direction, sqrt(sqrt(share)), factors);
			tnAddError(fit, factors, value);
		}
	}
}

static void tnAddStability(tnWaveFit* fit)
{
	double sensitivity;
	const double longTarget = tnGetTarget(fit, TN_BAND_END / (2.0 * TN_BAND_FADE), &sensitivity) / fit->scale;
	// Of the longest and the shortest wave.
	const double longSymbol = tnGetSymbol(TN_BAND_END / (2.0 * TN_BAND_FADE), 0.0);
	const double shortSymbol = tnGetSymbol(TN_BAND_END, 0.0);
	const double stiffness = fit->tau2 * fit->scale;
	const double ceiling = stiffness * TN_CEILING > TN_STABLE_LIMIT ? TN_STABLE_LIMIT / stiffness : TN_CEILING;
	for (int i = 0; i < TN_STABILITY_SAMPLES; ++i)
	{
		const double symbol = TN_LARGEST_SYMBOL * i / (TN_STABILITY_SAMPLES - 1.0);
		tnFitRow* row = tnAddRow(fit);
		tnGetPowers(fit, symbol, -1.0, row->factors);
		row->limit = symbol < longSymbol ? -TN_LONG_FLOOR * longTarget : (symbol > shortSymbol ? -TN_SHORT_FLOOR : 0.0);
		row = tnAddRow(fit);
		tnGetPowers(fit, symbol, 1.0, row->factors);
		row->limit = ceiling;
	}
}

// One coefficient is at most `limit`, or with a factor of -1 at least -limit.
static void tnAddBound(tnWaveFit* fit, int coefficient, double factor, double limit)
{
	tnFitRow* row = tnAddRow(fit);
	row->factors[coefficient] = factor;
	row->limit = limit;
}

// What varied depth needs.
static void tnAddSigns(tnWaveFit* fit)
{
	tnAddBound(fit, 1, -1.0, 0.0);
	if (fit->order == 4)
	{
		tnAddBound(fit, 3, -1.0, 0.0);
	}
	else if (fit->order == 3)
	{
		tnFitRow* row = tnAddRow(fit);
		row->factors[1] = -TN_LEAST_BEND;
		row->factors[2] = -1.0;
	}
	else
	{
		const double half = 0.5 * TN_STABLE_LIMIT / (fit->tau2 * fit->scale);
		tnAddBound(fit, 0, 1.0, half);
		tnAddBound(fit, 1, 1.0, half / TN_LARGEST_SYMBOL);
	}
}

// Inverts the matrix whose rows are those of the basis. False if they depend on each other.
static bool tnInvertBasis(tnWaveFit* fit)
{
	const int size = fit->order + 1;
	double matrix[TN_MAX_UNKNOWNS][TN_MAX_UNKNOWNS];
	for (int i = 0; i < size; ++i)
	{
		for (int j = 0; j < size; ++j)
		{
			matrix[i][j] = fit->rows[fit->basis[i]].factors[j];
			fit->inverse[i][j] = i == j ? 1.0 : 0.0;
		}
	}
	for (int i = 0; i < size; ++i)
	{
		int pivot = i;
		for (int k = i + 1; k < size; ++k)
		{
			pivot = fabs(matrix[k][i]) > fabs(matrix[pivot][i]) ? k : pivot;
		}
		// The least that was seen is 5e-4.
		if (!(fabs(matrix[pivot][i]) > 1.0e-12))
		{
			return false;
		}
		for (int j = 0; j < size; ++j)
		{
			const double a = matrix[i][j], b = fit->inverse[i][j];
			matrix[i][j] = matrix[pivot][j];
			fit->inverse[i][j] = fit->inverse[pivot][j];
			matrix[pivot][j] = a;
			fit->inverse[pivot][j] = b;
		}
		const double scale = 1.0 / matrix[i][i];
		for (int j = 0; j < size; ++j)
		{
			matrix[i][j] *= scale;
			fit->inverse[i][j] *= scale;
		}
		for (int k = 0; k < size; ++k)
		{
			const double factor = matrix[k][i];
			for (int j = 0; j < size && k != i; ++j)
			{
				matrix[k][j] -= factor * matrix[i][j];
				fit->inverse[k][j] -= factor * fit->inverse[i][j];
			}
		}
	}
	return true;
}

// The row that is missed by most. -1 if none is.
static int tnFindWorstRow(const tnWaveFit* fit, const double* unknowns)
{
	const int size = fit->order + 1;
	double worst = TN_FIT_TOLERANCE;
	int index = -1;
	for (int i = 0; i < fit->rowCount; ++i)
	{
		const tnFitRow* row = fit->rows + i;
		double excess = -row->limit;
		for (int j = 0; j < size; ++j)
		{
			excess += row->factors[j] * unknowns[j];
		}
		if (excess > worst)
		{
			worst = excess;
			index = i;
		}
	}
	return index;
}

// Which row of the basis has to leave for a new one, so that no multiplier gets negative. -1 if none can.
static int tnFindLeavingRow(const tnWaveFit* fit, const tnFitRow* entering)
{
	const int size = fit->order + 1;
	double least = DBL_MAX;
	int leaving = -1;
	for (int i = 0; i < size; ++i)
	{
		// The multipliers y solve sum y row = (0, ..., 0, -1), and the new row is sum z row.
		double part = 0.0;
		for (int j = 0; j < size; ++j)
		{
			part += entering->factors[j] * fit->inverse[j][i];
		}
		const double multiplier = -fit->inverse[size - 1][i];
		if (part > 1.0e-12 && multiplier < least * part)
		{
			least = multiplier / part;
			leaving = i;
		}
	}
	return leaving;
}

// Starts from errors with alternating signs at places that lie like the extremes of a Chebyshev polynomial.
static void tnStartExchange(tnWaveFit* fit)
{
	const int rowsPerSample = 2 * TN_DIRECTIONS;
	const int last = fit->bandRowCount / rowsPerSample - 1;
	for (int i = 0; i <= fit->order; ++i)
	{
		const double part = 0.5 - 0.5 * tnCosine(TN_PI * i / fit->order);
		fit->basis[i] = rowsPerSample * (int)(part * last + 0.5) + (i & 1);
	}
}

// The coefficients of the best polynomial. True if it was found.
static bool tnSolve(tnWaveFit* fit, double* unknowns)
{
	const int size = fit->order + 1;
	tnStartExchange(fit);
	for (int exchange = 0; exchange < TN_MAX_EXCHANGES; ++exchange)
	{
		if (!tnInvertBasis(fit))
		{
			return false;
		}
		for (int i = 0; i < size; ++i)
		{
			unknowns[i] = 0.0;
			for (int j = 0; j < size; ++j)
			{
				unknowns[i] += fit->inverse[i][j] * fit->rows[fit->basis[j]].limit;
			}
		}
		const int entering = tnFindWorstRow(fit, unknowns);
		if (entering < 0)
		{
			return true;
		}
		const int leaving = tnFindLeavingRow(fit, fit->rows + entering);
		if (leaving < 0)
		{
			return false;
		}
		fit->basis[leaving] = entering;
	}
	return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Tables

static tnWaveCoefficients tnFitKernel(tnWaveFit* fit)
{
	double sensitivity;
	fit->scale = tnGetTarget(fit, TN_BAND_END, &sensitivity);
	fit->rowCount = 0;
	tnAddBand(fit);
	fit->bandRowCount = fit->rowCount;
	tnAddStability(fit);
	tnAddSigns(fit);

	double unknowns[TN_MAX_UNKNOWNS];
	const bool solved = tnSolve(fit, unknowns);
	TN_ASSERT(solved);
	if (!solved)
	{
		return (tnWaveCoefficients){0};
	}
	return (tnWaveCoefficients){
		.alpha = (float)(fit->scale * unknowns[0]),
		.beta = (float)(fit->scale * unknowns[1]),
		.gamma = fit->order > 2 ? (float)(fit->scale * unknowns[2]) : 0.0f,
		.delta = fit->order > 3 ? (float)(fit->scale * unknowns[3]) : 0.0f,
	};
}

float tnGetWaveDepth(int index)
{
	const float first = TN_FIRST_DEPTH;
	int32_t bits;
	memcpy(&bits, &first, sizeof(bits));
	bits += (int32_t)((int64_t)index * TN_BITS_PER_OCTAVE / TN_STEPS_PER_OCTAVE);
	float depth;
	memcpy(&depth, &bits, sizeof(depth));
	return depth;
}

// Fits the kernels of all depths with so many coefficients. True if depths may lie beside each other in any way.
static bool tnFitDepths(tnWaveTable* table, tnWaveFit* fit, double timeStep)
{
	double alpha = 0.0, beta = 0.0, bend = 0.0;
	bool positive = true;
	for (int i = 0; i < TN_WAVE_DEPTHS; ++i)
	{
		fit->depth = i + 1 < TN_WAVE_DEPTHS ? (double)tnGetWaveDepth(i) : 0.0;
		tnWaveCoefficients kernel = tnFitKernel(fit);
		const float least = kernel.gamma < 0.0f ? 0.2501f * kernel.gamma * kernel.gamma / kernel.beta : 0.0f;
		if (fit->order == 4 && kernel.delta < least)
		{
			// Where delta goes through zero a little of it is missing, less than speeds are off by.
			positive = positive && least - kernel.delta < TN_SMALL_TWIST * kernel.beta;
			kernel.delta = least;
		}
		table->byDepth[i] = kernel;
		const double squares = (double)kernel.gamma + 2.0 * sqrt((double)kernel.beta * kernel.delta);
		alpha = fmax(alpha, (double)kernel.alpha);
		beta = fmax(beta, (double)kernel.beta);
		bend = fmax(bend, squares);
	}
	table->deep = table->byDepth[TN_WAVE_DEPTHS - 1];
	table->mostBeta = (float)beta;
	const double largest = alpha + TN_LARGEST_SYMBOL * (beta + TN_LARGEST_SYMBOL * bend);
	table->mostTimeStep = fit->tau2 > 0.0 ? (float)(timeStep * sqrt(TN_VARIED_LIMIT / (fit->tau2 * largest))) : 0.0f;
	return positive && fit->tau2 * largest <= TN_VARIED_LIMIT;
}

void tnMakeWaveTable(
	tnWaveTable* table, tnWaveKernel kernel, bool finest, float cellSize, float timeStep, float gravity)
{
	memset(table, 0, sizeof(*table));
	if (!(cellSize > 0.0f && cellSize <= FLT_MAX && timeStep >= 0.0f && timeStep <= FLT_MAX && gravity >= 0.0f &&
			gravity <= FLT_MAX))
	{
		return;
	}
	table->perCellSize = 1.0f / cellSize;
	tnWaveFit fit;
	fit.order = kernel == tn_fineWaves ? 4 : 3;
	fit.finest = finest;
	fit.tau2 = (double)gravity * timeStep * timeStep / cellSize;
	while (!tnFitDepths(table, &fit, (double)timeStep) && fit.order > 2)
	{
		fit.order -= 1;
	}
}

tnWaveCoefficients tnWaveTable_Get(const tnWaveTable* table, float depth)
{
	const float cells = depth * table->perCellSize;
	if (!(cells > 0.0f))
	{
		return (tnWaveCoefficients){0};
	}
	if (cells >= TN_LAST_DEPTH)
	{
		return table->deep;
	}
	const tnWaveCoefficients* a = table->byDepth;
	if (cells < TN_FIRST_DEPTH)
	{
		const float share = cells / TN_FIRST_DEPTH;
		return (tnWaveCoefficients){share * a->alpha, share * a->beta, share * a->gamma, share * a->delta};
	}
	const float first = TN_FIRST_DEPTH;
	int32_t bits, firstBits;
	memcpy(&bits, &cells, sizeof(bits));
	memcpy(&firstBits, &first, sizeof(firstBits));
	// Exact as integers, and below 2^27.
	const int32_t steps = (bits - firstBits) / 8 * TN_STEPS_PER_OCTAVE;
	const int index = steps / (TN_BITS_PER_OCTAVE / 8);
	const float share = (float)(steps % (TN_BITS_PER_OCTAVE / 8)) * (8.0f / TN_BITS_PER_OCTAVE);
	a += index;
	const tnWaveCoefficients* b = a + 1;
	return (tnWaveCoefficients){
		a->alpha + share * (b->alpha - a->alpha),
		a->beta + share * (b->beta - a->beta),
		a->gamma + share * (b->gamma - a->gamma),
		a->delta + share * (b->delta - a->delta),
	};
}

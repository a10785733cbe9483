// SPDX-License-Identifier: MIT

// In shallow water waves lean forward and feed their second harmonic. Bands do not know each other, so it is done here.
//
// All waves of a band are taken to have its typical number k = 2 pi / (6.9 dx), and omega^2 = g k tanh(k H). Height h
// and rate v of a cell then are a point in the plane of phases, and its energy per area is rho g / 2 A^2:
//
//   h = A cos(theta)    s = v / omega = A sin(theta)    A^2 = h^2 + s^2
//
// The second harmonic has the phase 2 theta: cos(2 theta) = (h^2 - s^2) / A^2, sin(2 theta) = 2 h s / A^2. Its number
// 2k is the typical one of the next finer band, whose frequency is omega' = omega(2k).
//
// Rate. Stokes' wave of second order has, in shallow water, a harmonic of b = 3 A / (4 k^2 H^3) times its amplitude
// (three quarters of the Ursell number; Dean & Dalrymple 1991, chapter 11). b^2 is the share of energy that belongs to the
// harmonic; it is handed over once per period, at most TN_HAND_DOWN of it, and fades out towards deeper water:
//
//   dE/dt = -E omega / (2 pi) TN_HAND_DOWN b^2 / (1 + b^2) (1 - (k H)^2)^2       k H < 1, else nothing
//
// It never comes back. (In nature some does, over flat ground.) Over a step, backward in time: E loses
// the share x / (1 + x), x = -dt dE/dt / E.
//
// Balance. A coarse cell loses L = share A^2 by scaling h and v. Its four fine cells gain G, sum G = 4 L: as areas are
// 4 : 1 nothing is lost. G is in proportion to A^2 of h and v as interpolated to the fine cells, linearly, so there are
// no blocks. A fine cell at the point q = (h', v' / omega') goes to
//
//   q + sqrt(G) (cos(2 theta), sin(2 theta)), scaled to have the energy |q|^2 + G
//
// so waves that are there already gain whatever their phase is, and are drawn towards that of the harmonic.
//
// Where there is no finer tile, or it is dry there, nothing happens. Sums over fine cells are made of diagonal pairs,
// so that mirrored and transposed waves have mirrored and transposed bits.

#include "wave_shore.h"

#include <math.h>

// Largest share of energy that is handed down per period: waves that run up a beach for some lengths lose most of it.
#define TN_HAND_DOWN 0.5f
// Shallower water counts as this, cells: as in the table of kernels. Rates would be divided by nothing.
#define TN_LEAST_SHORE_DEPTH 0.02f
// Waves lower than a micrometer are left alone, m^2.
#define TN_LEAST_SHORE_SQUARE 1.0e-12f
// Below this share of its energy a sum has no direction: the wave was in antiphase, and just as high.
#define TN_LEAST_SUM 1.0e-4f

// Of the water under a cell.
typedef struct tnShoreWater
{
	float frequency, finerFrequency; // 1/s
	float perCube;                   // b / A, 1/m
	float fade;                      // of the rate, all but b: 1/s
} tnShoreWater;

// False where the water is too deep or dry.
static bool tnGetShoreWater(tnShoreWater* water, float k, float depth, float gravity)
{
	const float x = k * depth;
	// Also for a depth that is no number.
	if (!(depth > 0.0f && x < 1.0f))
	{
		return false;
	}
	// Continued fraction of the hyperbolic tangent, right to 1e-7 below 1; and that of the double angle.
	const float square = x * x;
	const float tangent = x * (945.0f + square * (105.0f + square)) / (945.0f + square * (420.0f + 15.0f * square));
	const float doubled = 2.0f * tangent / (1.0f + tangent * tangent);
	const float rest = 1.0f - square;
	water->frequency = sqrtf(gravity * k * tangent);
	water->finerFrequency = sqrtf(gravity * 2.0f * k * doubled);
	water->perCube = 0.75f / (square * depth);
	water->fade = water->frequency * (float)(0.15915494) * TN_HAND_DOWN * (rest * rest);
	return water->frequency > 0.0f;
}

static float tnGetShoreRate(const tnShoreWater* water, float amplitudeSquare)
{
	// Of b^2; bounded, so that nothing overflows.
	const float square = tnMinFloat(water->perCube * water->perCube * amplitudeSquare, 1.0e30f);
	return water->fade * (square / (1.0f + square));
}

float tnGetHandDownRate(float waveNumber, float depth, float amplitude, float gravity)
{
	const float least = TN_LEAST_SHORE_DEPTH * 6.2831853f / (6.9f * waveNumber);
	tnShoreWater water;
	if (!tnGetShoreWater(&water, waveNumber, depth > 0.0f ? tnMaxFloat(depth, least) : 0.0f, gravity))
	{
		return 0.0f;
	}
	return tnGetShoreRate(&water, amplitude * amplitude);
}

// Heights or rates at the four fine cells of a cell: north west, north east, south west, south east.
static void tnInterpolateShore(const float* field, float fine[4])
{
	for (int i = 0; i < 4; ++i)
	{
		const int x = i % 2 ? 1 : -1;
		const int z = i / 2 ? TN_WAVE_STRIDE : -TN_WAVE_STRIDE;
		fine[i] = (9.0f * field[0] + 3.0f * (field[x] + field[z]) + field[x + z]) * 0.0625f;
	}
}

// Hand the energy of a cell to its four finer ones, from `finer` on. Returns the share that it loses.
static float tnHandDownCell(const tnShoreWater* water, const float* height, const float* rate, float timeStep,
	const tnWaveTile* child, ptrdiff_t finer)
{
	const float perFrequency = 1.0f / water->frequency;
	const float s = *rate * perFrequency;
	const float amplitudeSquare = *height * *height + s * s;
	if (!(amplitudeSquare > TN_LEAST_SHORE_SQUARE))
	{
		return 0.0f;
	}
	const float x = tnGetShoreRate(water, amplitudeSquare) * timeStep;
	const float share = x / (1.0f + x);

	float heights[4], rates[4], squares[4];
	tnInterpolateShore(height, heights);
	tnInterpolateShore(rate, rates);
	const float* mask = child->varied ? child->fields[tn_waveMask] : NULL;
	ptrdiff_t cells[4];
	for (int i = 0; i < 4; ++i)
	{
		cells[i] = finer + i % 2 + (i / 2) * TN_WAVE_STRIDE;
		rates[i] *= perFrequency;
		const bool wet = mask == NULL || mask[cells[i]] > 0.0f;
		squares[i] = wet ? heights[i] * heights[i] + rates[i] * rates[i] : 0.0f;
	}
	const float sum = (squares[0] + squares[3]) + (squares[1] + squares[2]);
	// Neighbours in antiphase: no wave of this band, and no phase.
	if (!(sum > TN_LEAST_SUM * amplitudeSquare) || !(share > 0.0f))
	{
		return 0.0f;
	}
	const float perSquare = 4.0f * share * amplitudeSquare / sum;
	for (int i = 0; i < 4; ++i)
	{
		if (!(squares[i] > 0.0f))
		{
			continue;
		}
		const float gain = squares[i] * perSquare;
		const float cosine = (heights[i] * heights[i] - rates[i] * rates[i]) / squares[i];
		const float sine = 2.0f * heights[i] * rates[i] / squares[i];
		float* h = child->fields[tn_waveHeight] + cells[i];
		float* v = child->fields[tn_waveRate] + cells[i];
		const float before = *v / water->finerFrequency;
		const float wanted = (*h * *h + before * before) + gain;
		const float root = sqrtf(gain);
		float newHeight = *h + root * cosine;
		float newRate = before + root * sine;
		float square = newHeight * newHeight + newRate * newRate;
		if (!(square > TN_LEAST_SUM * wanted))
		{
			newHeight = cosine;
			newRate = sine;
			square = cosine * cosine + sine * sine;
		}
		const float scale = sqrtf(wanted / square);
		*h = newHeight * scale;
		*v = newRate * scale * water->finerFrequency;
	}
	return share;
}

int tnWaveShore_HandTo(
	const tnWavePool* pool, int slot, const int slots[4], const float* depths, float gravity, float timeStep)
{
	const tnWaveTile* tile = pool->tiles + slot;
	if (tile->level < 1 || tile->rests || !(timeStep > 0.0f))
	{
		return 0;
	}
	const float cellSize = pool->cellSize[tile->level];
	const float k = tnGetTypicalWaveNumber(cellSize);
	const float least = TN_LEAST_SHORE_DEPTH * cellSize;
	tnShoreWater water = {0};
	bool shallow = false;
	if (depths == NULL)
	{
		shallow = tnGetShoreWater(&water, k, tile->depth > 0.0f ? tnMaxFloat(tile->depth, least) : 0.0f, gravity);
		if (!shallow)
		{
			return 0;
		}
	}
	const tnWaveTile* children[4];
	bool any = false;
	for (int i = 0; i < 4; ++i)
	{
		children[i] = slots[i] >= 0 ? pool->tiles + slots[i] : NULL;
		any |= slots[i] >= 0;
	}
	if (!any)
	{
		return 0;
	}
	// What cells lose is taken at the end: neighbours read them as they were.
	float shares[TN_WAVE_TILE * TN_WAVE_TILE];
	const int half = TN_WAVE_TILE / 2;
	int touched = 0;
	for (int row = 0; row < TN_WAVE_TILE; ++row)
	{
		for (int column = 0; column < TN_WAVE_TILE; ++column)
		{
			const int quarter = 2 * (row / half) + column / half;
			const ptrdiff_t cell = (ptrdiff_t)row * TN_WAVE_STRIDE + column;
			if (depths != NULL && children[quarter] != NULL)
			{
				const float depth = depths[cell] > 0.0f ? tnMaxFloat(depths[cell], least) : 0.0f;
				shallow = tnGetShoreWater(&water, k, depth, gravity);
			}
			float share = 0.0f;
			if (shallow && children[quarter] != NULL)
			{
				const ptrdiff_t finer = (ptrdiff_t)(2 * (row % half)) * TN_WAVE_STRIDE + 2 * (column % half);
				share = tnHandDownCell(&water, tile->fields[tn_waveHeight] + cell, tile->fields[tn_waveRate] + cell,
					timeStep, children[quarter], finer);
			}
			shares[row * TN_WAVE_TILE + column] = share;
			touched |= share > 0.0f ? 1 << quarter : 0;
		}
	}
	for (int row = 0; row < TN_WAVE_TILE && touched != 0; ++row)
	{
		for (int column = 0; column < TN_WAVE_TILE; ++column)
		{
			const ptrdiff_t cell = (ptrdiff_t)row * TN_WAVE_STRIDE + column;
			const float keep = sqrtf(1.0f - shares[row * TN_WAVE_TILE + column]);
			tile->fields[tn_waveHeight][cell] *= keep;
			tile->fields[tn_waveRate][cell] *= keep;
		}
	}
	return touched;
}

// SPDX-License-Identifier: MIT

// A sea as trains of waves. With peak frequency p and peakedness g energy is spread over frequencies f like
//
//   S(f) ~ f^-5 exp(-5/4 (f/p)^-4) g^exp(-(f/p - 1)^2 / (2 s^2))        s = 0.07 up to the peak, 0.09 beyond it
//
// and over angles a like cos(a/2)^(2 spread) (Hasselmann and others 1973; Longuet-Higgins, Cartwright & Smith 1963). Its whole
// is m0 = significantHeight^2 / 16.
//
// Trains have the same energy each, so that none is wasted where there is little. The energy that bands hold is cut into
// as many parts as there are trains, along f and, apart from that, along a. A train has a frequency from somewhere in a
// part of the first, and an angle from somewhere in a part of the second; which belongs to which is shuffled. So sums over
// trains are those of the spectrum whatever the seed.

#include "wave_spectrum.h"

#include "../core/core.h"
#include "../core/hash.h"
#include "../core/numerics.h"
#include "wave_swell.h"

#include <math.h>

#define TN_TWO_PI 6.283185307179586

enum
{
	// Points of the sum of energy over frequencies, evenly over their logarithm.
	TN_FREQUENCY_POINTS = 1024,
	// And over half a turn.
	TN_ANGLE_POINTS = 512,
};

// Over the peak frequency: below there is nothing, and above 5e-5 of the energy.
#define TN_LEAST_FREQUENCY 0.3
#define TN_MOST_FREQUENCY 8.0

tnSpectrumDef tnDefaultSpectrumDef(void)
{
	tnSpectrumDef def = {0};
	def.direction = (tnVec2){1.0f, 0.0f};
	def.significantHeight = 0.5f;
	def.peakPeriod = 4.0f;
	def.peakedness = 3.3f;
	def.spread = 10.0f;
	def.trainCount = 48;
	def.stamp = TN_DEF_STAMP;
	return def;
}

tnSpectrumDef tnGetWindSea(tnVec2 wind, float fetch, float gravity)
{
	tnSpectrumDef def = tnDefaultSpectrumDef();
	const double speed2 = (double)wind.x * wind.x + (double)wind.z * wind.z;
	const double reach = speed2 > 0.0 ? (double)gravity * fetch / speed2 : 0.0;
	if (!(reach > 0.0 && reach <= 1.0e30 && gravity > 0.0f && speed2 <= 1.0e12 && speed2 >= 1.0e-12))
	{
		def.significantHeight = 0.0f;
		return def;
	}
	const double speed = sqrt(speed2);
	// Heights grow like the root of the fetch, periods like its third power of 0.33, until waves are as fast as the wind.
	const double height = 0.0016 * sqrt(reach);
	const double period = tnExp(0.33 * tnLog(reach)) / 3.5;
	const bool grown = height > 0.2433;
	def.direction = wind;
	def.significantHeight = (float)((grown ? 0.2433 : height) * speed2 / gravity);
	def.peakPeriod = (float)((grown || period > 8.134 ? 8.134 : period) * speed / gravity);
	def.peakedness = grown ? 1.0f : 3.3f;
	return def;
}

static tnResult tnCheckSpectrum(const tnSpectrumDef* def)
{
	if (def == NULL)
	{
		return tnFail(tn_invalidArgument, "def must not be NULL");
	}
	if (def->stamp != TN_DEF_STAMP)
	{
		return tnFail(tn_invalidArgument, "def.stamp is wrong: start from tnDefaultSpectrumDef(), got 0x%x",
			(unsigned)def->stamp);
	}
	const float length = def->direction.x * def->direction.x + def->direction.z * def->direction.z;
	if (!(length > 1.0e-12f && length < 1.0e12f))
	{
		return tnFail(tn_invalidArgument, "direction must be finite and not zero, got (%g, %g)",
			(double)def->direction.x, (double)def->direction.z);
	}
	if (!(def->significantHeight >= 0.0f && def->significantHeight <= 100.0f))
	{
		return tnFail(
			tn_invalidArgument, "significantHeight must be in [0, 100], got %g", (double)def->significantHeight);
	}
	if (!(def->peakPeriod >= 1.0e-3f && def->peakPeriod <= 1.0e4f))
	{
		return tnFail(tn_invalidArgument, "peakPeriod must be in [0.001, 10000], got %g", (double)def->peakPeriod);
	}
	if (!(def->peakedness >= 1.0f && def->peakedness <= 20.0f))
	{
		return tnFail(tn_invalidArgument, "peakedness must be in [1, 20], got %g", (double)def->peakedness);
	}
	if (!(def->spread >= 0.0f && def->spread <= 1000.0f))
	{
		return tnFail(tn_invalidArgument, "spread must be in [0, 1000], got %g", (double)def->spread);
	}
	if (def->trainCount < 1 || def->trainCount > TN_MAX_TRAINS)
	{
		return tnFail(tn_invalidArgument, "trainCount must be in [1, %d], got %d", TN_MAX_TRAINS, def->trainCount);
	}
	return tnSuccess();
}

// ---------------------------------------------------------------------------------------------------------------------
// Sums of energy

// A sum that grows from 0 to 1 over points that lie evenly from low to high.
typedef struct tnEnergySum
{
	double low, high;
	int count;
	double* sums;
} tnEnergySum;

static void tnEnergySum_Finish(tnEnergySum* energy, double last)
{
	// So far each has the density at its point.
	double sum = 0.0;
	for (int i = 0; i < energy->count; ++i)
	{
		const double density = energy->sums[i];
		sum += i > 0 ? 0.5 * (density + last) : 0.0;
		last = density;
		energy->sums[i] = sum;
	}
	for (int i = 0; i < energy->count; ++i)
	{
		energy->sums[i] /= sum;
	}
}

// What there is below a place.
static double tnEnergySum_At(const tnEnergySum* energy, double x)
{
	const double point = (x - energy->low) / (energy->high - energy->low) * (energy->count - 1);
	if (!(point > 0.0))
	{
		return 0.0;
	}
	if (point >= energy->count - 1)
	{
		return 1.0;
	}
	const int i = (int)point;
	return energy->sums[i] + (point - i) * (energy->sums[i + 1] - energy->sums[i]);
}

// Below which place there is so much.
static double tnEnergySum_Find(const tnEnergySum* energy, double sum)
{
	int i = 0;
	while (i < energy->count - 2 && energy->sums[i + 1] < sum)
	{
		++i;
	}
	const double step = energy->sums[i + 1] - energy->sums[i];
	const double rest = step > 0.0 ? (sum - energy->sums[i]) / step : 0.0;
	const double point = i + (rest < 0.0 ? 0.0 : (rest > 1.0 ? 1.0 : rest));
	return energy->low + point / (energy->count - 1) * (energy->high - energy->low);
}

// Over the logarithm of frequencies over that of the peak.
static tnEnergySum tnSumFrequencies(double peakedness, double sums[TN_FREQUENCY_POINTS])
{
	tnEnergySum energy = {tnLog(TN_LEAST_FREQUENCY), tnLog(TN_MOST_FREQUENCY), TN_FREQUENCY_POINTS, sums};
	const double logPeakedness = tnLog(peakedness);
	for (int i = 0; i < energy.count; ++i)
	{
		const double f = tnExp(energy.low + (energy.high - energy.low) * i / (energy.count - 1));
		const double f4 = f * f * f * f;
		const double width = f <= 1.0 ? 0.07 : 0.09;
		const double peak = tnExp(-(f - 1.0) * (f - 1.0) / (2.0 * width * width));
		// Times f: per logarithm.
		sums[i] = tnExp(-1.25 / f4 + peak * logPeakedness) / f4;
	}
	tnEnergySum_Finish(&energy, 0.0);
	return energy;
}

struct tnSpectrumSums
{
	double sums[2][TN_FREQUENCY_POINTS];
};

size_t tnGetSpectrumSumsBytes(void)
{
	return sizeof(struct tnSpectrumSums);
}

void tnMakeSpectrumSums(struct tnSpectrumSums* sums)
{
	(void)tnSumFrequencies(1.0, sums->sums[0]);
	(void)tnSumFrequencies(3.3, sums->sums[1]);
}

double tnGetSpectrumBelow(const struct tnSpectrumSums* sums, bool grows, double frequency)
{
	const tnEnergySum energy = {
		tnLog(TN_LEAST_FREQUENCY), tnLog(TN_MOST_FREQUENCY), TN_FREQUENCY_POINTS, (double*)sums->sums[grows ? 1 : 0]};
	return frequency > 0.0 ? tnEnergySum_At(&energy, tnLog(frequency)) : 0.0;
}

// Over angles from 0 to half a turn, to one side, in turns.
static tnEnergySum tnSumAngles(double spread, double sums[TN_ANGLE_POINTS])
{
	// Narrow ones need narrow steps: beyond 8 / sqrt(spread) rad there is nothing.
	const double most = spread > 0.0 ? 8.0 / sqrt(spread) / TN_TWO_PI : 0.5;
	tnEnergySum energy = {0.0, most < 0.5 ? most : 0.5, TN_ANGLE_POINTS, sums};
	for (int i = 0; i < energy.count; ++i)
	{
		const double cosine = tnSinTurns(0.25 - 0.5 * energy.high * i / (energy.count - 1));
		sums[i] = cosine > 1.0e-9 ? tnExp(2.0 * spread * tnLog(cosine)) : (spread > 0.0 ? 0.0 : 1.0);
	}
	tnEnergySum_Finish(&energy, 0.0);
	return energy;
}

// ---------------------------------------------------------------------------------------------------------------------
// Trains

static double tnDrawFraction(uint32_t seed, int train, int what)
{
	const int32_t key[3] = {(int32_t)seed, train, what};
	return (double)(tnHashBytes(TN_HASH_SEED, key, sizeof(key)) >> 12) / 4503599627370496.0;
}

tnResult tnWaves_MakeSpectrum(
	const tnWaves* waves, const tnGrid* grid, const tnSpectrumDef* def, tnSwell trains[TN_MAX_TRAINS])
{
	const tnResult result = tnCheckSpectrum(def);
	if (result.status != tn_ok)
	{
		return result;
	}
	double frequencySums[TN_FREQUENCY_POINTS], angleSums[TN_ANGLE_POINTS];
	const tnEnergySum frequencies = tnSumFrequencies(def->peakedness, frequencySums);
	const tnEnergySum angles = tnSumAngles(def->spread, angleSums);
	const tnPeriodRange periods = tnWaves_GetSwellPeriods(waves, grid, def->direction);
	const double least = tnEnergySum_At(&frequencies, tnLog(def->peakPeriod / periods.longest));
	const double most = tnEnergySum_At(&frequencies, tnLog(def->peakPeriod / periods.shortest));
	if (!(most - least >= 0.5))
	{
		return tnFail(tn_invalidArgument,
			"peakPeriod of %g leaves %.3g of the energy to bands that are not there: those that are hold %.3g to %.3g "
			"s",
			(double)def->peakPeriod, 1.0 - (most - least), periods.shortest, periods.longest);
	}

	const int count = def->trainCount;
	int order[TN_MAX_TRAINS];
	for (int i = 0; i < count; ++i)
	{
		// Each comes to a place of those before it.
		const int place = (int)(tnDrawFraction(def->seed, i, 0) * (i + 1));
		order[i] = order[place];
		order[place] = i;
	}
	const double length =
		sqrt((double)def->direction.x * def->direction.x + (double)def->direction.z * def->direction.z);
	const double x = def->direction.x / length;
	const double z = def->direction.z / length;
	const double square = (double)def->significantHeight * def->significantHeight / 16.0 * (most - least);
	for (int i = 0; i < count; ++i)
	{
		const double below = (i + tnDrawFraction(def->seed, i, 1)) / count;
		const double frequency = tnExp(tnEnergySum_Find(&frequencies, least + below * (most - least)));
		const double side = 2.0 * (order[i] + tnDrawFraction(def->seed, i, 2)) / count - 1.0;
		const double angle = tnEnergySum_Find(&angles, fabs(side));
		const double cosine = tnSinTurns(angle + 0.25);
		const double sine = side < 0.0 ? -tnSinTurns(angle) : tnSinTurns(angle);
		// In the order of their directions: see tnWaves_ApplySwell.
		tnSwell* train = trains + order[i];
		train->direction = (tnVec2){(float)(x * cosine - z * sine), (float)(x * sine + z * cosine)};
		train->amplitude = (float)sqrt(2.0 * square / count);
		train->period = (float)(def->peakPeriod / frequency);
		train->phase = (float)tnDrawFraction(def->seed, i, 3);
	}
	return tnSuccess();
}

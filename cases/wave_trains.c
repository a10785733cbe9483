// SPDX-License-Identifier: MIT

// Packets of plane waves, made and measured as sums of the waves that fit into a world that wraps.

#include "wave_kit.h"

#include <math.h>
#include <stdlib.h>

// Length of the world along the direction of a train after which it repeats, m.
static double tncGetRepeat(const tncWaves* waves, const tncWaveTrain* train)
{
	const double length = waves->columnCount * waves->cellSize;
	return train->diagonal ? length / sqrt(2.0) : length;
}

// Distance along the direction of the middle of a cell of the first row, or of the first column.
static double tncGetPlace(const tncWaves* waves, const tncWaveTrain* train, double cells)
{
	return train->diagonal ? cells * waves->cellSize / sqrt(2.0) : cells * waves->cellSize;
}

void tncAddTrain(tncWaves* waves, const tncWaveTrain* train)
{
	const int columns = waves->columnCount;
	const double repeat = tncGetRepeat(waves, train);
	// The profile along the direction, in steps of half a cell for diagonals that go through corners.
	const int count = columns;
	double* heights = calloc((size_t)count, sizeof(double));
	double* rates = calloc((size_t)count, sizeof(double));
	const double k0 = 2.0 * TNC_PI / train->wavelength;
	const int limit = (int)(repeat * (k0 + 6.0 / train->width) / (2.0 * TNC_PI)) + 1;
	for (int n = 1; n <= limit && heights != NULL && rates != NULL; ++n)
	{
		const double k = 2.0 * TNC_PI * n / repeat;
		const double share = (k - k0) * train->width;
		const double amplitude =
			train->amplitude * train->width * sqrt(2.0 * TNC_PI) / repeat * exp(-0.5 * share * share);
		const double omega = (train->backward ? -1.0 : 1.0) * tncGetOmega(k, train->depth);
		for (int i = 0; i < count && amplitude > 1.0e-9 * train->amplitude; ++i)
		{
			// Cells (i, 0) for trains along x; diagonals know column + row only, from 1 on.
			const double place = tncGetPlace(waves, train, train->diagonal ? i + 1.0 : i + 0.5) - train->start;
			heights[i] += amplitude * cos(k * place);
			// The rate of leapfrog is that of half a step before.
			rates[i] += amplitude * (cos(k * place) - cos(k * place + omega * TNC_WAVE_STEP)) / TNC_WAVE_STEP;
		}
	}
	for (int row = 0; row < waves->rowCount && heights != NULL && rates != NULL; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			const int i = train->diagonal ? (column + row) % count : column;
			waves->heights[row * columns + column] += (float)heights[i];
			waves->rates[row * columns + column] += (float)rates[i];
		}
	}
	free(heights);
	free(rates);
}

// Mean along the crests: a profile of `columns` values.
static void tncAverage(const tncWaves* waves, const float* field, bool diagonal, double* profile)
{
	const int columns = waves->columnCount;
	for (int i = 0; i < columns; ++i)
	{
		profile[i] = 0.0;
	}
	for (int row = 0; row < waves->rowCount; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			const int i = diagonal ? (column + row) % columns : column;
			profile[i] += (double)field[row * columns + column] / waves->rowCount;
		}
	}
}

tncEnergySplit tncSplitEnergy(tncWaves* waves, const tncWaveTrain* train, double timeStep)
{
	tncEnergySplit split = {0};
	const int count = waves->columnCount;
	double* profiles = calloc(2 * (size_t)count, sizeof(double));
	if (profiles == NULL)
	{
		return (tncEnergySplit){NAN, NAN, NAN, NAN};
	}
	double* heights = profiles;
	double* rates = profiles + count;
	tncSumBands(waves, tnc_bandHeights, 0, waves->heights);
	tncAverage(waves, waves->heights, train->diagonal, heights);
	tncSumBands(waves, tnc_bandRates, 0, waves->heights);
	tncAverage(waves, waves->heights, train->diagonal, rates);

	const double repeat = tncGetRepeat(waves, train);
	const double k0 = 2.0 * TNC_PI / train->wavelength;
	const int limit = (int)(repeat * (k0 + 6.0 / train->width) / (2.0 * TNC_PI)) + 1;
	const int carrier = (int)floor(repeat * k0 / (2.0 * TNC_PI) + 0.5);
	for (int n = 1; n <= limit && n < count / 2; ++n)
	{
		// Coefficients of exp(i k x), now and a step before.
		double now[2] = {0}, before[2] = {0};
		for (int i = 0; i < count; ++i)
		{
			const double angle = 2.0 * TNC_PI * n * (i + (train->diagonal ? 1.0 : 0.5)) / count;
			const double earlier = heights[i] - timeStep * rates[i];
			now[0] += heights[i] * cos(angle) * 2.0 / count;
			now[1] -= heights[i] * sin(angle) * 2.0 / count;
			before[0] += earlier * cos(angle) * 2.0 / count;
			before[1] -= earlier * sin(angle) * 2.0 / count;
		}
		// a exp(-i w t) runs along, b exp(i w t) against: a e^(iq) + b e^(-iq) is what was, a + b what is.
		const double q = tncGetOmega(2.0 * TNC_PI * n / repeat, train->depth) * timeStep;
		const double scale = 1.0 / (2.0 * sin(q));
		const double difference[2][2] = {
			{before[0] - (now[0] * cos(q) + now[1] * sin(q)), before[1] - (now[1] * cos(q) - now[0] * sin(q))},
			{now[0] * cos(q) - now[1] * sin(q) - before[0], now[1] * cos(q) + now[0] * sin(q) - before[1]},
		};
		for (int way = 0; way < 2; ++way)
		{
			const double* d = difference[way];
			const double energy = 0.5 * (d[0] * d[0] + d[1] * d[1]) * scale * scale;
			*(way == 0 ? &split.along : &split.against) += energy;
		}
		if (n == carrier)
		{
			// a = difference / 2i.
			split.phase = train->backward ? atan2(-difference[1][0], difference[1][1])
										  : atan2(-difference[0][0], difference[0][1]);
		}
	}

	double cosine = 0.0, sine = 0.0;
	for (int i = 0; i < count; ++i)
	{
		const double angle = 2.0 * TNC_PI * (i + (train->diagonal ? 1.0 : 0.5)) / count;
		const double perOmega = 1.0 / tncGetOmega(k0, train->depth);
		const double energy = heights[i] * heights[i] + rates[i] * rates[i] * perOmega * perOmega;
		cosine += energy * cos(angle);
		sine += energy * sin(angle);
	}
	split.middle = atan2(sine, cosine) / (2.0 * TNC_PI) * repeat;
	free(profiles);
	return split;
}

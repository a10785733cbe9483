// SPDX-License-Identifier: MIT

// Packets of waves, made and measured as sums of the waves that fit into the world.

#include "kits/wave_kit.h"

#include <math.h>
#include <stdlib.h>

// One wave of a train: wave n along x, n of either sign.
typedef struct tncTrainWave
{
	double waveX, omega, amplitude;
} tncTrainWave;

static double tncGetWaveZ(const tncWaves* waves, const tncWaveTrain* train)
{
	return 2.0 * TNC_PI * train->rowWaves / (waves->rowCount * waves->cellSize);
}

// Wave number along x of the middle of the spectrum.
static double tncGetCarrier(const tncWaves* waves, const tncWaveTrain* train)
{
	const double k = 2.0 * TNC_PI / train->wavelength;
	const double waveZ = tncGetWaveZ(waves, train);
	return sqrt(k * k - waveZ * waveZ);
}

// Waves along x up to which there is something of a train.
static int tncGetWaveLimit(const tncWaves* waves, const tncWaveTrain* train)
{
	const double length = waves->columnCount * waves->cellSize;
	const int limit = (int)(length * (tncGetCarrier(waves, train) + 6.0 / train->width) / (2.0 * TNC_PI)) + 1;
	return limit < waves->columnCount / 2 ? limit : waves->columnCount / 2 - 1;
}

static tncTrainWave tncGetTrainWave(const tncWaves* waves, const tncWaveTrain* train, int n)
{
	const double length = waves->columnCount * waves->cellSize;
	tncTrainWave wave = {2.0 * TNC_PI * n / length, 0.0, 0.0};
	wave.omega = tncGetOmega(hypot(wave.waveX, tncGetWaveZ(waves, train)), train->depth);
	const double sign = train->backward ? -1.0 : 1.0;
	const double share = (wave.waveX - sign * tncGetCarrier(waves, train)) * train->width;
	wave.amplitude = train->amplitude * train->width * sqrt(2.0 * TNC_PI) / length * exp(-0.5 * share * share);
	return wave;
}

void tncAddTrain(tncWaves* waves, const tncWaveTrain* train)
{
	const int columns = waves->columnCount;
	// Real and imaginary part along x, now and a step before: the rate of leapfrog is that of half a step before.
	double* parts = calloc(4 * (size_t)columns, sizeof(double));
	const int limit = tncGetWaveLimit(waves, train);
	for (int n = -limit; n <= limit && parts != NULL; ++n)
	{
		const tncTrainWave wave = tncGetTrainWave(waves, train, n);
		for (int column = 0; column < columns && wave.amplitude > 1.0e-9 * train->amplitude; ++column)
		{
			const double phase = wave.waveX * ((column + 0.5) * waves->cellSize - train->start);
			const double before = phase + wave.omega * waves->timeStep;
			const double values[4] = {cos(phase), sin(phase), cos(before), sin(before)};
			for (int k = 0; k < 4; ++k)
			{
				parts[4 * column + k] += wave.amplitude * values[k];
			}
		}
	}
	for (int row = 0; row < waves->rowCount && parts != NULL; ++row)
	{
		const double phase = tncGetWaveZ(waves, train) * (row + 0.5) * waves->cellSize;
		for (int column = 0; column < columns; ++column)
		{
			const double* part = parts + 4 * column;
			const double height = part[0] * cos(phase) - part[1] * sin(phase);
			const double before = part[2] * cos(phase) - part[3] * sin(phase);
			waves->heights[row * columns + column] += (float)height;
			waves->rates[row * columns + column] += (float)((height - before) / waves->timeStep);
		}
	}
	free(parts);
}

// The wave along z taken out of a field: complex values along x.
static void tncTakeRowWave(const tncWaves* waves, const float* field, double waveZ, double* values)
{
	const int columns = waves->columnCount;
	for (int i = 0; i < 2 * columns; ++i)
	{
		values[i] = 0.0;
	}
	for (int row = 0; row < waves->rowCount; ++row)
	{
		const double phase = waveZ * (row + 0.5) * waves->cellSize;
		const double cosine = cos(phase) * 2.0 / (columns * (double)waves->rowCount);
		const double sine = sin(phase) * 2.0 / (columns * (double)waves->rowCount);
		for (int column = 0; column < columns; ++column)
		{
			const double value = (double)field[row * columns + column];
			values[2 * column] += cosine * value;
			values[2 * column + 1] -= sine * value;
		}
	}
}

// Sum of values exp(-i k x).
static void tncTransform(const double* values, int count, int n, double sums[2])
{
	sums[0] = 0.0;
	sums[1] = 0.0;
	for (int i = 0; i < count; ++i)
	{
		const double angle = 2.0 * TNC_PI * n * (i + 0.5) / count;
		const double c = cos(angle);
		const double s = sin(angle);
		sums[0] += values[2 * i] * c + values[2 * i + 1] * s;
		sums[1] += values[2 * i + 1] * c - values[2 * i] * s;
	}
}

tncEnergySplit tncSplitEnergy(tncWaves* waves, const tncWaveTrain* train)
{
	tncEnergySplit split = {0};
	const int count = waves->columnCount;
	double* memory = calloc(6 * (size_t)count, sizeof(double));
	if (memory == NULL)
	{
		return (tncEnergySplit){NAN, NAN, NAN, NAN};
	}
	double* heights = memory;
	double* rates = memory + 2 * count;
	double* signal = memory + 4 * count;
	const double waveZ = tncGetWaveZ(waves, train);
	tncSumBands(waves, tnc_bandHeights, 0, waves->heights);
	tncTakeRowWave(waves, waves->heights, waveZ, heights);
	tncSumBands(waves, tnc_bandRates, 0, waves->heights);
	tncTakeRowWave(waves, waves->heights, waveZ, rates);

	const double sign = train->backward ? -1.0 : 1.0;
	const double length = count * waves->cellSize;
	const int carrier = (int)(sign * floor(tncGetCarrier(waves, train) * length / (2.0 * TNC_PI) + 0.5));
	const int limit = tncGetWaveLimit(waves, train);
	for (int n = -limit; n <= limit; ++n)
	{
		if (n == 0)
		{
			continue;
		}
		// The coefficient of exp(i k x) is a exp(-i w t) + b exp(i w t); with q the angle of a step, a + b is what is and
		// a e^(iq) + b e^(-iq) what was: a = (was - is e^(-iq)) / (2i sin q).
		double now[2], rate[2];
		tncTransform(heights, count, n, now);
		tncTransform(rates, count, n, rate);
		const double q = tncGetTrainWave(waves, train, n).omega * waves->timeStep;
		const double before[2] = {now[0] - waves->timeStep * rate[0], now[1] - waves->timeStep * rate[1]};
		const double difference[2] = {
			before[0] - (now[0] * cos(q) + now[1] * sin(q)),
			before[1] - (now[1] * cos(q) - now[0] * sin(q)),
		};
		const double a[2] = {difference[1] / (2.0 * sin(q)), -difference[0] / (2.0 * sin(q))};
		const double energy = 0.5 * (a[0] * a[0] + a[1] * a[1]);
		split.along += n > 0 ? energy : 0.0;
		split.against += n < 0 ? energy : 0.0;
		split.phase = n == carrier ? atan2(a[1], a[0]) : split.phase;
		for (int i = 0; i < count && sign * n > 0.0; ++i)
		{
			const double angle = 2.0 * TNC_PI * n * (i + 0.5) / count;
			signal[2 * i] += a[0] * cos(angle) - a[1] * sin(angle);
			signal[2 * i + 1] += a[0] * sin(angle) + a[1] * cos(angle);
		}
	}

	double cosine = 0.0, sine = 0.0;
	for (int i = 0; i < count; ++i)
	{
		const double angle = 2.0 * TNC_PI * (i + 0.5) / count;
		const double energy = signal[2 * i] * signal[2 * i] + signal[2 * i + 1] * signal[2 * i + 1];
		cosine += energy * cos(angle);
		sine += energy * sin(angle);
	}
	split.middle = atan2(sine, cosine) / (2.0 * TNC_PI) * length;
	split.middle += split.middle < 0.0 ? length : 0.0;
	free(memory);
	return split;
}

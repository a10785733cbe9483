// SPDX-License-Identifier: MIT

// Fields of cells brought to the pixels of a picture, smoothly and without ringing.

#include "maps/resample.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

// The cubic of Mitchell and Netravali (1988) with B = C = 1/3, their choice between blur and ringing. Its slope has no
// jumps, and that is what hill shading needs.
static float CubicWeight(float x)
{
	const float a = fabsf(x);
	if (a < 1.0f)
	{
		return ((7.0f * a - 12.0f) * a * a + 16.0f / 3.0f) / 6.0f;
	}
	if (a < 2.0f)
	{
		return (((-7.0f / 3.0f * a + 12.0f) * a - 20.0f) * a + 32.0f / 3.0f) / 6.0f;
	}
	return 0.0f;
}

static bool CreateAxis(Axis* axis, int cellCount, int pixelCount)
{
	axis->cellCount = cellCount;
	axis->pixelCount = pixelCount;
	const float cellsPerPixel = (float)cellCount / (float)pixelCount;
	// Smaller pictures need a wider filter, so that every cell is counted.
	const float stretch = cellsPerPixel > 1.0f ? cellsPerPixel : 1.0f;
	const float reach = 2.0f * stretch;
	const int mostTaps = (int)ceilf(2.0f * reach) + 2;

	axis->taps = malloc((size_t)pixelCount * sizeof(Taps));
	axis->weights = malloc((size_t)pixelCount * (size_t)mostTaps * sizeof(float));
	if (axis->taps == NULL || axis->weights == NULL)
	{
		return false;
	}

	int used = 0;
	for (int pixel = 0; pixel < pixelCount; ++pixel)
	{
		const float center = ((float)pixel + 0.5f) * cellsPerPixel - 0.5f;
		int begin = (int)ceilf(center - reach);
		int end = (int)floorf(center + reach) + 1;
		begin = begin < 0 ? 0 : begin;
		end = end > cellCount ? cellCount : end;

		Taps* taps = axis->taps + pixel;
		*taps = (Taps){begin, end - begin, used};
		float sum = 0.0f;
		for (int cell = begin; cell < end; ++cell)
		{
			const float weight = CubicWeight(((float)cell - center) / stretch);
			axis->weights[used + cell - begin] = weight;
			sum += weight;
		}
		for (int i = 0; i < taps->count; ++i)
		{
			axis->weights[used + i] /= sum;
		}
		used += taps->count;
	}
	return true;
}

bool CreateResampler(Resampler* resampler, int columnCount, int rowCount, int width, int height)
{
	*resampler = (Resampler){0};
	if (!CreateAxis(&resampler->x, columnCount, width) || !CreateAxis(&resampler->z, rowCount, height))
	{
		return false;
	}
	resampler->between = malloc((size_t)width * (size_t)rowCount * sizeof(float));
	return resampler->between != NULL;
}

void DestroyResampler(Resampler* resampler)
{
	free(resampler->x.taps);
	free(resampler->x.weights);
	free(resampler->z.taps);
	free(resampler->z.weights);
	free(resampler->between);
	*resampler = (Resampler){0};
}

void Resample(const Resampler* resampler, const float* cells, float* pixels)
{
	const Axis* x = &resampler->x;
	const Axis* z = &resampler->z;
	const size_t width = (size_t)x->pixelCount;

	for (int row = 0; row < z->cellCount; ++row)
	{
		const float* from = cells + (size_t)row * (size_t)x->cellCount;
		float* to = resampler->between + (size_t)row * width;
		for (int pixel = 0; pixel < x->pixelCount; ++pixel)
		{
			const Taps taps = x->taps[pixel];
			float sum = 0.0f;
			for (int i = 0; i < taps.count; ++i)
			{
				sum += from[taps.begin + i] * x->weights[taps.weights + i];
			}
			to[pixel] = sum;
		}
	}

	for (int line = 0; line < z->pixelCount; ++line)
	{
		const Taps taps = z->taps[line];
		float* to = pixels + (size_t)line * width;
		for (size_t i = 0; i < width; ++i)
		{
			to[i] = 0.0f;
		}
		for (int k = 0; k < taps.count; ++k)
		{
			const float weight = z->weights[taps.weights + k];
			const float* from = resampler->between + (size_t)(taps.begin + k) * width;
			for (size_t i = 0; i < width; ++i)
			{
				to[i] += from[i] * weight;
			}
		}
	}
}

// Mean over [i - radius, i + radius] of values that lie `step` apart; the ends are held.
static void BlurLine(const float* from, float* to, int count, size_t step, int radius)
{
	const float share = 1.0f / (float)(2 * radius + 1);
	double sum = 0.0;
	for (int i = -radius; i <= radius; ++i)
	{
		const int held = i < 0 ? 0 : i >= count ? count - 1 : i;
		sum += from[(size_t)held * step];
	}
	for (int i = 0; i < count; ++i)
	{
		to[(size_t)i * step] = (float)sum * share;
		const int in = i + radius + 1 < count ? i + radius + 1 : count - 1;
		const int out = i - radius > 0 ? i - radius : 0;
		sum += (double)from[(size_t)in * step] - (double)from[(size_t)out * step];
	}
}

void BlurPixels(float* pixels, float* scratch, int width, int height, int radius)
{
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int y = 0; y < height; ++y)
		{
			BlurLine(pixels + (size_t)y * (size_t)width, scratch + (size_t)y * (size_t)width, width, 1, radius);
		}
		for (int x = 0; x < width; ++x)
		{
			BlurLine(scratch + x, pixels + x, height, (size_t)width, radius);
		}
	}
}

// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>

/// @file Fields of cells brought to the pixels of a picture, larger or smaller.

typedef struct Taps
{
	/// First cell and number of cells that have a say, and where their weights begin.
	int begin, count, weights;
} Taps;

/// Weights for one axis.
typedef struct Axis
{
	Taps* taps;
	float* weights;
	int cellCount, pixelCount;
} Axis;

/// Weights for both axes and room for the step between.
typedef struct Resampler
{
	Axis x, z;
	float* between;
} Resampler;

/// @return false if there is no memory. Destroy it in either case.
bool CreateResampler(Resampler* resampler, int columnCount, int rowCount, int width, int height);
void DestroyResampler(Resampler* resampler);

/// Resample a packed field with a smooth filter: interpolation when the picture is larger, averaging when smaller.
void Resample(const Resampler* resampler, const float* cells, float* pixels);

/// Blur pixels in place with a box, twice, which is close to a bell.
/// @param scratch room for width * height values
void BlurPixels(float* pixels, float* scratch, int width, int height, int radius);

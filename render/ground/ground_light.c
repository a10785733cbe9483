// SPDX-License-Identifier: MIT

// Light on the ground: shadows of the sun, and how much of the sky a place sees.

#include "ground/ground.h"

#include "gl/vectors.h"

#include <string.h>

// Shadows of the sun: one sweep over the field, away from the sun. Each line of cells knows how high the shadow stands
// above it: as high as the shadow or the ground one line nearer to the sun, less what the ray falls on the way.
//
//         *  sun
//            '  .
//        ______   '  .             shadow(line) = max(shadow, bed)(line - 1) - fall
//       |      |_____'__.______
//
// Rays that run between two cells take both in proportion, which blurs the rim of a shadow with its distance, as the
// width of the sun does.

// Width of the soft rim: a share of the distance to what throws the shadow, and at least a share of a cell, meters.
#define PENUMBRA 0.035f
#define SHARPEST_RIM 0.35f

typedef struct Sweep
{
	// Lines run along x (rows) or z (columns), whichever the sun crosses more squarely.
	int lineCount, lineLength, lineStride, cellStride;
	int firstLine, lineStep;
	// Cells to move along the line per line, and how far the ray falls and goes, meters.
	float shift, fall, distance;
} Sweep;

static Sweep tnrMakeSweep(const tnrGround* ground, tnVec3 sun)
{
	const bool alongRows = fabsf(sun.z) >= fabsf(sun.x);
	const float across = alongRows ? sun.z : sun.x, along = alongRows ? sun.x : sun.z;
	const float steep = fmaxf(fabsf(across), 1.0e-4f);
	const float length = ground->cellSize / steep;
	Sweep sweep = {
		.lineCount = alongRows ? ground->rowCount : ground->columnCount,
		.lineLength = alongRows ? ground->columnCount : ground->rowCount,
		.lineStride = alongRows ? ground->columnCount : 1,
		.cellStride = alongRows ? 1 : ground->columnCount,
		.shift = along / steep,
		.fall = sun.y * length,
		.distance = length,
	};
	// The line nearest to the sun first.
	sweep.firstLine = across > 0.0f ? sweep.lineCount - 1 : 0;
	sweep.lineStep = across > 0.0f ? -1 : 1;
	return sweep;
}

void tnrSweepSun(tnrGround* ground, tnVec3 sunDirection)
{
	const Sweep sweep = tnrMakeSweep(ground, sunDirection);
	// Height of the shadow, and how far away what throws it stands, for the line before and for this one.
	const size_t n = (size_t)sweep.lineLength;
	float* before = ground->scratch;
	float* now = before + 2 * n;
	for (size_t i = 0; i < n; ++i)
	{
		before[i] = -1.0e9f;
		before[n + i] = 0.0f;
	}
	const int whole = (int)floorf(sweep.shift);
	const float share = sweep.shift - (float)whole;
	for (int line = 0; line < sweep.lineCount; ++line)
	{
		const size_t begin = (size_t)(sweep.firstLine + line * sweep.lineStep) * (size_t)sweep.lineStride;
		for (int i = 0; i < sweep.lineLength; ++i)
		{
			const int a = tnrClampInt(i + whole, 0, sweep.lineLength - 1);
			const int b = tnrClampInt(i + whole + 1, 0, sweep.lineLength - 1);
			const float height = tnrMix(before[a], before[b], share) - sweep.fall;
			const float distance = tnrMix(before[n + (size_t)a], before[n + (size_t)b], share) + sweep.distance;
			const size_t cell = begin + (size_t)i * (size_t)sweep.cellStride;
			const float bed = ground->bed[cell] + ground->rise[cell];
			const float rim = PENUMBRA * distance + SHARPEST_RIM * ground->cellSize;
			ground->sun[cell] = 1.0f - tnrSmoothStep(-rim, rim, height - bed);
			const bool higher = bed >= height;
			now[i] = higher ? bed : height;
			now[n + (size_t)i] = higher ? 0.0f : distance;
		}
		float* swap = before;
		before = now;
		now = swap;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Light from the sky: ground that lies lower than the mean of its surroundings sees less of it. Means over squares of
// three sizes stand for the near and the far surroundings.

static void tnrBlurLine(const float* from, float* to, int count, int stride, int radius)
{
	float sum = 0.0f;
	for (int i = -radius; i <= radius; ++i)
	{
		sum += from[tnrClampInt(i, 0, count - 1) * stride];
	}
	const float scale = 1.0f / (float)(2 * radius + 1);
	for (int i = 0; i < count; ++i)
	{
		to[i * stride] = sum * scale;
		sum += from[tnrClampInt(i + radius + 1, 0, count - 1) * stride];
		sum -= from[tnrClampInt(i - radius, 0, count - 1) * stride];
	}
}

static void tnrBlur(const tnrGround* ground, const float* from, float* scratch, float* to, int radius)
{
	for (int row = 0; row < ground->rowCount; ++row)
	{
		const size_t begin = (size_t)row * (size_t)ground->columnCount;
		tnrBlurLine(from + begin, scratch + begin, ground->columnCount, 1, radius);
	}
	for (int column = 0; column < ground->columnCount; ++column)
	{
		tnrBlurLine(scratch + column, to + column, ground->rowCount, ground->columnCount, radius);
	}
}

void tnrOpenSky(tnrGround* ground)
{
	static const int radii[3] = {1, 4, 14};
	static const float weights[3] = {0.35f, 0.55f, 0.6f};
	const size_t cellCount = (size_t)ground->columnCount * (size_t)ground->rowCount;
	float* mean = ground->scratch + cellCount;
	for (size_t i = 0; i < cellCount; ++i)
	{
		ground->sky[i] = 1.0f;
	}
	for (int level = 0; level < 3; ++level)
	{
		tnrBlur(ground, level == 0 ? ground->bed : mean, ground->scratch, mean, radii[level]);
		const float scale = weights[level] / ((float)radii[level] * ground->cellSize);
		for (size_t i = 0; i < cellCount; ++i)
		{
			const float below = tnrClamp((mean[i] - ground->bed[i]) * scale, -0.12f, 0.55f);
			ground->sky[i] *= 1.0f - below;
		}
	}
	for (size_t i = 0; i < cellCount; ++i)
	{
		ground->sky[i] = tnrClamp(ground->sky[i], 0.15f, 1.15f);
	}
}

// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/vector.h"

#include <math.h>

// Small vector and number helpers of the renderer.

#define TNR_PI 3.14159265f

// NaN becomes low.
static inline float tnrClamp(float value, float low, float high)
{
	return value >= low ? (value > high ? high : value) : low;
}

static inline int tnrClampInt(int value, int low, int high)
{
	return value < low ? low : (value > high ? high : value);
}

static inline float tnrMix(float a, float b, float share)
{
	return a + (b - a) * share;
}

static inline float tnrSmoothStep(float low, float high, float value)
{
	const float share = tnrClamp((value - low) / (high - low), 0.0f, 1.0f);
	return share * share * (3.0f - 2.0f * share);
}

static inline tnVec3 tnrSubtract(tnVec3 a, tnVec3 b)
{
	return (tnVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline tnVec3 tnrAddScaled(tnVec3 a, tnVec3 b, float scale)
{
	return (tnVec3){a.x + b.x * scale, a.y + b.y * scale, a.z + b.z * scale};
}

static inline float tnrDot(tnVec3 a, tnVec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline tnVec3 tnrCross(tnVec3 a, tnVec3 b)
{
	return (tnVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float tnrLength(tnVec3 a)
{
	return sqrtf(tnrDot(a, a));
}

static inline tnVec3 tnrNormalize(tnVec3 a)
{
	const float length = tnrLength(a);
	const float scale = length > 0.0f ? 1.0f / length : 0.0f;
	return (tnVec3){a.x * scale, a.y * scale, a.z * scale};
}

static inline bool tnrIsFiniteVec3(tnVec3 a)
{
	return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

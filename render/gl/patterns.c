// SPDX-License-Identifier: MIT

// Ripples and noise that tile, made once from hashes.

#include "gl/patterns.h"

#include "gl/vectors.h"

#include <stdlib.h>

enum
{
	size = tnr_patternSize,
	levelCount = 9,
	waveCount = 40
};

static uint32_t tnrHash(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x7FEB352Du;
	x ^= x >> 15;
	x *= 0x846CA68Bu;
	return x ^ (x >> 16);
}

// In [0, 1).
static float tnrRandom(uint32_t a, uint32_t b, uint32_t seed)
{
	return (float)(tnrHash(a + tnrHash(b + tnrHash(seed))) >> 8) / 16777216.0f;
}

// Smooth noise that repeats after `period` knots.
static float tnrNoise(float x, float y, int period, uint32_t seed)
{
	const int ix = (int)floorf(x), iy = (int)floorf(y);
	const float fx = x - (float)ix, fy = y - (float)iy;
	const float sx = fx * fx * fx * (fx * (fx * 6.0f - 15.0f) + 10.0f);
	const float sy = fy * fy * fy * (fy * (fy * 6.0f - 15.0f) + 10.0f);
	// Eight directions are enough where noise of many sizes is added.
	static const float directions[8][2] = {{1.0f, 0.0f}, {0.7071f, 0.7071f}, {0.0f, 1.0f}, {-0.7071f, 0.7071f},
		{-1.0f, 0.0f}, {-0.7071f, -0.7071f}, {0.0f, -1.0f}, {0.7071f, -0.7071f}};
	float corners[2][2];
	for (int j = 0; j < 2; ++j)
	{
		for (int i = 0; i < 2; ++i)
		{
			const uint32_t a = (uint32_t)((ix + i) % period), b = (uint32_t)((iy + j) % period);
			const float* direction = directions[tnrHash(a + 4099u * b + 65537u * seed) & 7u];
			corners[j][i] = direction[0] * (fx - (float)i) + direction[1] * (fy - (float)j);
		}
	}
	return tnrMix(tnrMix(corners[0][0], corners[0][1], sx), tnrMix(corners[1][0], corners[1][1], sx), sy);
}

static float tnrClouds(float x, float y, int period, int octaves, uint32_t seed)
{
	float sum = 0.0f, weight = 1.0f;
	for (int i = 0; i < octaves; ++i)
	{
		const float scale = (float)period / size;
		sum += weight * tnrNoise(x * scale, y * scale, period, seed + (uint32_t)i);
		weight *= 0.55f;
		period *= 2;
	}
	return sum;
}

// Points strewn one per square of a grid that wraps, and the distances to the nearest two of them.
static void tnrFindPoints(float x, float y, int period, uint32_t seed, float* first, float* second)
{
	const float px = x * (float)period / size, py = y * (float)period / size;
	const int ix = (int)floorf(px), iy = (int)floorf(py);
	float nearest = 9.0f, next = 9.0f;
	for (int j = -1; j <= 1; ++j)
	{
		for (int i = -1; i <= 1; ++i)
		{
			const uint32_t a = (uint32_t)((ix + i + period) % period), b = (uint32_t)((iy + j + period) % period);
			const float dx = (float)(ix + i) + tnrRandom(a, b, seed) - px;
			const float dy = (float)(iy + j) + tnrRandom(a, b, seed + 77u) - py;
			const float d = dx * dx + dy * dy;
			next = d < nearest ? nearest : (d < next ? d : next);
			nearest = d < nearest ? d : nearest;
		}
	}
	*first = sqrtf(nearest);
	*second = sqrtf(next);
}

// Walls between bubbles of two sizes, thicker here and thinner there.
static float tnrMakeFoam(float x, float y)
{
	float a, b, c, d;
	const float bend = 9.0f;
	const float wx = x + bend * tnrClouds(x, y, 8, 3, 51u), wy = y + bend * tnrClouds(x, y, 8, 3, 61u);
	const float mx = fmodf(wx + size, size), my = fmodf(wy + size, size);
	tnrFindPoints(mx, my, 11, 5u, &a, &b);
	tnrFindPoints(mx, my, 29, 9u, &c, &d);
	const float large = 1.0f - tnrSmoothStep(0.0f, 0.5f, b - a);
	const float small = 1.0f - tnrSmoothStep(0.0f, 0.5f, d - c);
	const float patches = tnrClouds(x, y, 4, 4, 23u);
	return 0.42f * large + 0.28f * small + 0.3f + 0.45f * patches - 0.1f;
}

static float tnrMakeCaustics(float x, float y)
{
	float a, b;
	const float bend = 12.0f;
	const float wx = x + bend * tnrClouds(x, y, 6, 2, 91u), wy = y + bend * tnrClouds(x, y, 6, 2, 93u);
	tnrFindPoints(fmodf(wx + size, size), fmodf(wy + size, size), 9, 15u, &a, &b);
	const float line = 1.0f - tnrSmoothStep(0.0f, 0.42f, b - a);
	return line * line;
}

static uint8_t tnrMakeByte(float value)
{
	return (uint8_t)tnrClamp(value * 255.0f + 0.5f, 0.0f, 255.0f);
}

static void tnrFillPattern(uint8_t* texels)
{
	for (int y = 0; y < size; ++y)
	{
		for (int x = 0; x < size; ++x)
		{
			const float fx = (float)x, fy = (float)y;
			uint8_t* texel = texels + ((size_t)y * size + (size_t)x) * 4;
			texel[0] = tnrMakeByte(0.5f + 0.62f * tnrClouds(fx, fy, 4, 6, 1u));
			texel[1] = tnrMakeByte(tnrMakeFoam(fx, fy));
			texel[2] = tnrMakeByte(0.5f + 0.7f * tnrClouds(fx, fy, 32, 3, 31u));
			texel[3] = tnrMakeByte(tnrMakeCaustics(fx, fy));
		}
	}
}

typedef struct Ripple
{
	// Waves per tile, phase in 256ths of a turn, slope.
	int kx, ky, phase;
	float slopeX, slopeY;
} Ripple;

// Waves of wind: whole numbers of them fit into the tile. Directions spread around +x, so that turned copies of the
// tile can be laid over each other.
static void tnrFillRipples(uint8_t* texels)
{
	Ripple ripples[waveCount];
	float variance = 0.0f;
	for (int i = 0; i < waveCount; ++i)
	{
		const float angle = (tnrRandom((uint32_t)i, 1u, 7u) - 0.5f) * 3.6f;
		const float k = 2.0f * powf(14.0f, ((float)i + tnrRandom((uint32_t)i, 2u, 7u)) / waveCount);
		Ripple* ripple = &ripples[i];
		ripple->kx = (int)lroundf(k * cosf(angle));
		ripple->ky = (int)lroundf(k * sinf(angle));
		const float length = sqrtf((float)(ripple->kx * ripple->kx + ripple->ky * ripple->ky)) + 1.0e-3f;
		// Slopes fall off slowly: short waves are what glitters.
		const float slope = powf(length, -0.35f);
		ripple->phase = (int)(size * tnrRandom((uint32_t)i, 3u, 7u));
		ripple->slopeX = slope * (float)ripple->kx / length;
		ripple->slopeY = slope * (float)ripple->ky / length;
		variance += 0.5f * slope * slope;
	}
	// A root mean square slope of 1/4 of the range of a texel.
	const float scale = 0.25f / sqrtf(0.5f * variance);
	float cosines[size];
	for (int i = 0; i < size; ++i)
	{
		cosines[i] = cosf(2.0f * TNR_PI * (float)i / size);
	}
	for (int y = 0; y < size; ++y)
	{
		for (int x = 0; x < size; ++x)
		{
			float sx = 0.0f, sy = 0.0f;
			for (int i = 0; i < waveCount; ++i)
			{
				const Ripple* ripple = &ripples[i];
				const float c = cosines[(ripple->kx * x + ripple->ky * y + ripple->phase) & (size - 1)];
				sx += c * ripple->slopeX;
				sy += c * ripple->slopeY;
			}
			sx = tnrClamp(sx * scale, -1.0f, 1.0f);
			sy = tnrClamp(sy * scale, -1.0f, 1.0f);
			uint8_t* texel = texels + ((size_t)y * size + (size_t)x) * 4;
			texel[0] = tnrMakeByte(0.5f + 0.5f * sx);
			texel[1] = tnrMakeByte(0.5f + 0.5f * sy);
			texel[2] = tnrMakeByte(sx * sx);
			texel[3] = tnrMakeByte(sy * sy);
		}
	}
}

static GLuint tnrUploadTile(const uint8_t* texels)
{
	const GLuint texture = tnrMakeTexture(GL_RGBA8, size, size, levelCount, GL_LINEAR, GL_REPEAT);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, texels);
	glGenerateMipmap(GL_TEXTURE_2D);
	return texture;
}

bool tnrMakePatterns(tnrPatterns* patterns)
{
	uint8_t* texels = malloc((size_t)size * size * 4);
	if (texels == NULL)
	{
		return false;
	}
	tnrFillRipples(texels);
	patterns->ripples = tnrUploadTile(texels);
	tnrFillPattern(texels);
	patterns->pattern = tnrUploadTile(texels);
	free(texels);
	return true;
}

void tnrDestroyPatterns(tnrPatterns* patterns)
{
	glDeleteTextures(1, &patterns->ripples);
	glDeleteTextures(1, &patterns->pattern);
}

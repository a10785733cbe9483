// SPDX-License-Identifier: MIT

// The colours of a map: hill-shaded ground, and water by depth, speed or whatever else is shown.

#include "maps/map_internal.h"
#include "system/platform.h"

#include <math.h>
#include <stddef.h>

// Colours of the ground, from the water up.
static const Color s_sand = {0.87f, 0.80f, 0.64f};
static const Color s_meadow = {0.67f, 0.71f, 0.50f};
static const Color s_forest = {0.47f, 0.58f, 0.40f};
static const Color s_heath = {0.70f, 0.66f, 0.50f};
static const Color s_rock = {0.60f, 0.57f, 0.54f};
static const Color s_snow = {0.91f, 0.93f, 0.96f};
static const Color s_white = {1.0f, 1.0f, 1.0f};

// Light that comes back out of the water: turquoise where it is shallow, blue where it is deep.
static const Color s_shallowGlow = {0.30f, 0.72f, 0.74f};
static const Color s_middleGlow = {0.08f, 0.43f, 0.64f};
static const Color s_deepGlow = {0.03f, 0.15f, 0.36f};

// Tracers: something a person would not drink, then dyes.
static const Color s_tracerColors[maxMapTracers] = {
	{0.42f, 0.36f, 0.06f},
	{0.78f, 0.16f, 0.46f},
	{0.95f, 0.52f, 0.10f},
	{0.48f, 0.22f, 0.70f},
	{0.10f, 0.62f, 0.30f},
	{0.85f, 0.20f, 0.16f},
	{0.92f, 0.82f, 0.20f},
	{0.15f, 0.15f, 0.18f},
};

// The sun stands in the north-west, as on every printed map: with it elsewhere the eye takes valleys for ridges. The
// other lights soften it, so that slopes along the sun's direction have a shape too. Weights add to 1.
typedef struct Light
{
	float x, y, z, weight;
} Light;

// Height 40 degrees; azimuths 315, 270, 0 and 225.
static const Light s_lights[] = {
	{-0.5417f, 0.6428f, -0.5417f, 0.55f},
	{-0.7660f, 0.6428f, 0.0f, 0.18f},
	{0.0f, 0.6428f, -0.7660f, 0.17f},
	{-0.5417f, 0.6428f, 0.5417f, 0.10f},
};

static Color Scale(Color color, float factor)
{
	return (Color){color.r * factor, color.g * factor, color.b * factor};
}

Color SandColor(void)
{
	return s_sand;
}

// Beer and Lambert: light loses a share per meter, red first. What is lost from the ground is replaced by light that
// the water scatters back.
Color ShadeDepth(Color ground, float depth, float depthScale)
{
	const float share = fmaxf(depth, 0.0f) / depthScale;
	// Optical depths at the end of the scale. The least depth keeps a puddle from vanishing.
	const float leastShare = 0.035f;
	const float path = share + leastShare;
	const Color kept = {expf(-7.5f * path), expf(-4.2f * path), expf(-3.4f * path)};
	Color glow = MixColor(s_shallowGlow, s_middleGlow, Smoothstep(0.0f, 0.5f, share));
	glow = MixColor(glow, s_deepGlow, Smoothstep(0.3f, 1.15f, share));
	return (Color){Mix(glow.r, ground.r, kept.r), Mix(glow.g, ground.g, kept.g), Mix(glow.b, ground.b, kept.b)};
}

Color ShadeSpeed(Color water, float speed, float speedScale, float streak)
{
	const float share = speed / speedScale;
	// Streaks come first, then light, then foam.
	const float drawn = Saturate(4.0f * share);
	water = Scale(water, 1.0f + 0.22f * drawn * (streak - 0.5f));
	water = MixColor(water, s_white, 0.16f * Smoothstep(0.1f, 1.0f, share));
	const float foam = Smoothstep(0.25f, 1.0f, share);
	const float threshold = Mix(0.95f, 0.30f, foam);
	return MixColor(water, s_white, 0.85f * foam * Smoothstep(threshold, threshold + 0.35f, streak));
}

Color ShadeTracer(Color water, int channel, float concentration, float scale)
{
	if (scale <= 0.0f)
	{
		return water;
	}
	// Half the scale is already clearly coloured: dilution is what one wants to see.
	const float share = 1.0f - expf(-2.6f * fmaxf(concentration, 0.0f) / scale);
	return MixColor(water, s_tracerColors[channel], 0.86f * share);
}

Color RampColor(float share)
{
	static const Color stops[] = {
		{0.17f, 0.12f, 0.35f},
		{0.20f, 0.30f, 0.58f},
		{0.13f, 0.50f, 0.62f},
		{0.18f, 0.69f, 0.54f},
		{0.58f, 0.83f, 0.33f},
		{0.99f, 0.90f, 0.35f},
	};
	enum
	{
		last = sizeof(stops) / sizeof(stops[0]) - 1,
	};
	const float place = Saturate(share) * (float)last;
	const int stop = (int)place < last ? (int)place : last - 1;
	return MixColor(stops[stop], stops[stop + 1], place - (float)stop);
}

Color DivergingColor(float share)
{
	// Dark ends of about the same lightness, so that neither sign looks stronger.
	static const Color stops[] = {
		{0.03f, 0.19f, 0.48f},
		{0.16f, 0.47f, 0.76f},
		{0.58f, 0.78f, 0.91f},
		{0.96f, 0.97f, 0.97f},
		{0.98f, 0.72f, 0.58f},
		{0.84f, 0.32f, 0.25f},
		{0.48f, 0.02f, 0.13f},
	};
	enum
	{
		last = sizeof(stops) / sizeof(stops[0]) - 1,
	};
	const float place = Saturate(0.5f + 0.5f * share) * (float)last;
	const int stop = (int)place < last ? (int)place : last - 1;
	return MixColor(stops[stop], stops[stop + 1], place - (float)stop);
}

static float ReadNoise(const Map* map, float x, float y)
{
	const int column = (int)floorf(x) & (noiseSize - 1);
	const int row = (int)floorf(y) & (noiseSize - 1);
	return map->noise[row * noiseSize + column];
}

// A mean of n noise values varies 1 / sqrt(n) as much as one of them; stretch it back so that streaks of any length
// have the same contrast.
static float StretchMean(float mean, int count)
{
	// Noise values are means of four themselves: their spread is 0.144, and 0.25 is wanted.
	const float stretch = 1.7f * sqrtf(0.5f * (float)count);
	return Saturate(0.5f + (mean - 0.5f) * stretch);
}

float LegendStreak(const Map* map, int x, int y)
{
	enum
	{
		reach = 10,
	};
	float sum = 0.0f;
	for (int i = -reach; i <= reach; ++i)
	{
		sum += ReadNoise(map, (float)(x + i), (float)y);
	}
	return StretchMean(sum / (2 * reach + 1), 2 * reach + 1);
}

// Noise smeared along the flow (line integral convolution, Cabral and Leedom 1993): the eye sees which way and how
// fast the water goes.
static float FindStreak(const Map* map, int x, int y, float speed)
{
	// Steps each way, of a pixel each: fast water has long streaks.
	const int reach = 4 + (int)(16.0f * Saturate(speed / map->speedScale));
	float sum = ReadNoise(map, (float)x, (float)y);
	int count = 1;
	for (int sign = -1; sign <= 1; sign += 2)
	{
		float px = (float)x + 0.5f;
		float py = (float)y + 0.5f;
		for (int step = 0; step < reach; ++step)
		{
			const int column = (int)px;
			const int row = (int)py;
			if (px < 0.0f || py < 0.0f || column >= map->width || row >= map->height)
			{
				break;
			}
			const size_t here = (size_t)row * (size_t)map->width + (size_t)column;
			const float u = map->velocityX[here];
			const float v = map->velocityZ[here];
			const float length = sqrtf(u * u + v * v);
			if (length < 1.0e-4f)
			{
				break;
			}
			px += (float)sign * u / length;
			py += (float)sign * v / length;
			sum += ReadNoise(map, px, py);
			count += 1;
		}
	}
	return StretchMean(sum / (float)count, count);
}

// Height difference per meter across a pixel.
static void FindSlope(const Map* map, const float* heights, int x, int y, float* slopeX, float* slopeZ)
{
	const int left = x > 0 ? x - 1 : x;
	const int right = x + 1 < map->width ? x + 1 : x;
	const int up = y > 0 ? y - 1 : y;
	const int down = y + 1 < map->height ? y + 1 : y;
	const size_t width = (size_t)map->width;
	const size_t line = (size_t)y * width;
	*slopeX = (heights[line + (size_t)right] - heights[line + (size_t)left]) / ((float)(right - left) * map->meters);
	*slopeZ = (heights[(size_t)down * width + (size_t)x] - heights[(size_t)up * width + (size_t)x]) /
		((float)(down - up) * map->meters);
}

// Light on a slope, 1 on the level.
static float FindLight(float slopeX, float slopeZ)
{
	const float length = sqrtf(1.0f + slopeX * slopeX + slopeZ * slopeZ);
	float light = 0.0f;
	float level = 0.0f;
	for (size_t i = 0; i < sizeof(s_lights) / sizeof(s_lights[0]); ++i)
	{
		const Light* lamp = s_lights + i;
		const float facing = (-slopeX * lamp->x + lamp->y - slopeZ * lamp->z) / length;
		light += lamp->weight * fmaxf(facing, 0.0f);
		level += lamp->weight * lamp->y;
	}
	return light / level;
}

static Color FindTint(const Map* map, float height, float slope, float grain)
{
	const float relief = map->highest - map->lowest;
	if (relief < 0.01f)
	{
		return s_sand;
	}
	const float t = map->tintReach * (height - map->lowest) / relief + 0.05f * (grain - 0.5f);
	Color tint = MixColor(s_sand, s_meadow, Smoothstep(0.03f, 0.20f, t));
	tint = MixColor(tint, s_forest, Smoothstep(0.22f, 0.45f, t));
	tint = MixColor(tint, s_heath, Smoothstep(0.48f, 0.66f, t));
	tint = MixColor(tint, s_rock, Smoothstep(0.64f, 0.80f, t));
	tint = MixColor(
		tint, s_snow, Smoothstep(0.84f, 0.93f, t) * (1.0f - 0.7f * Smoothstep(1.0f, 1.6f, slope / map->rockSlope)));
	const float bare = Smoothstep(1.0f, 1.5f, slope / map->rockSlope) * (1.0f - Smoothstep(0.86f, 0.95f, t));
	return MixColor(tint, s_rock, 0.85f * bare);
}

// A thin line where the height passes a multiple of the step; every fifth is stronger.
static float FindContour(const Map* map, float height, float slope)
{
	if (map->contourStep <= 0.0f)
	{
		return 0.0f;
	}
	const float perPixel = slope * map->meters;
	// Where the next line is a picture away, ground is level and a line would only show rounding.
	if (perPixel < 1.0e-3f * map->contourStep)
	{
		return 0.0f;
	}
	// Half a step off: flat floors tend to lie at round heights, where the filter's ringing would draw lines.
	const float place = height / map->contourStep - 0.5f;
	const float nearest = roundf(place);
	const float distance = fabsf(place - nearest) * map->contourStep / perPixel;
	// Lines closer together than a few pixels would only darken the slope.
	const float room = Smoothstep(2.0f, 5.0f, map->contourStep / perPixel);
	const float strength = fmodf(fabsf(nearest), 5.0f) == 0.0f ? 0.26f : 0.13f;
	return strength * room * Saturate(1.15f - distance);
}

static Color ShadeGround(const Map* map, int x, int y, size_t here)
{
	float slopeX, slopeZ;
	FindSlope(map, map->bed, x, y, &slopeX, &slopeZ);
	const float slope = sqrtf(slopeX * slopeX + slopeZ * slopeZ);
	const float height = map->bed[here];

	const float grain = ReadNoise(map, 0.37f * (float)x, 0.37f * (float)y);
	Color color =
		FindTint(map, height, slope, 0.5f * grain + 0.5f * ReadNoise(map, 0.11f * (float)x, 0.11f * (float)y));
	color = Scale(color, 1.0f + 0.045f * (grain - 0.5f));

	const float light = FindLight(map->terrainSteepness * slopeX, map->terrainSteepness * slopeZ);
	// Shadows are filled by the sky and are blue, sunlit slopes are warm.
	const float lit = 0.34f + 0.66f * light;
	color.r *= lit * Mix(0.92f, 1.02f, Saturate(light));
	color.g *= lit * Mix(0.95f, 1.01f, Saturate(light));
	color.b *= lit * Mix(1.04f, 0.98f, Saturate(light));

	// Hollows are darker than ridges.
	const float relief = fmaxf(map->highest - map->lowest, 0.05f);
	const float bulge = (height - map->bedBlurred[here]) / relief;
	color = Scale(color, 1.0f + fmaxf(-0.16f, fminf(0.14f, 3.0f * bulge)));

	const Color ink = {0.28f, 0.22f, 0.16f};
	return MixColor(color, ink, FindContour(map, height, slope));
}

// The water surface in the sun: waves are light on the side towards it and dark on the other, and glint a little.
static Color ShadeSurface(const Map* map, Color color, int x, int y)
{
	float slopeX, slopeZ;
	FindSlope(map, map->surface, x, y, &slopeX, &slopeZ);
	slopeX *= map->waterSteepness;
	slopeZ *= map->waterSteepness;
	const float facing = 0.7071f * (slopeX + slopeZ);
	const float shape = facing / sqrtf(1.0f + slopeX * slopeX + slopeZ * slopeZ);
	// On deep blue a factor alone would show nothing.
	const float added = 0.035f * shape;
	color = Scale(color, 1.0f + 0.24f * shape);
	color = (Color){color.r + 0.7f * added, color.g + added, color.b + 1.2f * added};
	const float glint = Smoothstep(0.45f, 0.95f, shape);
	return MixColor(color, s_white, 0.16f * glint);
}

static Color ShadeWater(const Map* map, Color ground, int x, int y, size_t here)
{
	const float depth = map->water[here];
	const float speed =
		sqrtf(map->velocityX[here] * map->velocityX[here] + map->velocityZ[here] * map->velocityZ[here]);
	const MapDef* def = &map->def;
	if (def->mode == mapVorticity)
	{
		// Streaks tell a shear, along which water runs straight, from an eddy.
		const float drawn = Saturate(6.0f * speed / map->speedScale);
		const float streak = drawn > 0.05f ? FindStreak(map, x, y, speed) : 0.5f;
		const Color color = DivergingColor(map->vorticity[here] / map->vorticityScale);
		return Scale(color, 1.0f + 0.22f * drawn * (streak - 0.6f));
	}
	if (def->mode == mapWaves)
	{
		return DivergingColor(map->waves[here] / map->waveScale);
	}
	if (IsPlainMode(def->mode))
	{
		const float share = def->mode == mapDepth ? depth / map->depthScale : speed / map->speedScale;
		return ShadeSurface(map, RampColor(share), x, y);
	}

	Color color = ShadeDepth(ground, depth, map->depthScale);
	for (int channel = 0; channel < def->tracerCount; ++channel)
	{
		if (def->mode == mapTracer && channel != def->tracer)
		{
			continue;
		}
		color = ShadeTracer(color, channel, map->tracers[channel][here], map->tracerScales[channel]);
	}
	color = ShadeSurface(map, color, x, y);
	// Too slow to show, one hundredth of the scale.
	if (speed < 0.01f * map->speedScale)
	{
		return color;
	}
	return ShadeSpeed(color, speed, map->speedScale, FindStreak(map, x, y, speed));
}

static void ShadeLine(Map* map, int y, float film)
{
	const Color grey = {0.86f, 0.86f, 0.85f};
	for (int x = 0; x < map->width; ++x)
	{
		const size_t here = (size_t)y * (size_t)map->width + (size_t)x;
		Color color = ShadeGround(map, x, y, here);
		if (IsPlainMode(map->def.mode))
		{
			// Colours belong to the quantity: the ground steps back.
			const float light = 0.30f * color.r + 0.59f * color.g + 0.11f * color.b;
			// Water that does neither turn nor rise is white: beside it ground must be darker, and keep some of its own colour.
			const bool diverging = map->def.mode == mapVorticity || map->def.mode == mapWaves;
			color = MixColor(color, Scale(grey, 0.35f + 0.85f * light), diverging ? 0.45f : 0.85f);
			color = Scale(color, diverging ? 0.72f : 1.0f);
		}
		const float cover = map->cover[here];
		if (cover > 0.0f)
		{
			const float visible = cover * (1.0f - expf(-fmaxf(map->water[here], 0.0f) / film));
			// Wet ground is darker.
			const Color ground = Scale(color, 1.0f - 0.12f * visible);
			color = MixColor(ground, ShadeWater(map, ground, x, y, here), visible);
		}
		BlendPixel(&map->page, map->left + x, map->top + y, color, 1.0f);
	}
}

// Threads take turns line by line, so that a lake at one end does not keep one of them waiting.
static void ShadeLines(void* context, int thread)
{
	Map* map = context;
	// Films thinner than this fade: rain on a slope is wet ground, not a lake. A two hundredth of the scale, between
	// half a millimeter and two centimeters.
	const float film = fminf(fmaxf(0.005f * map->depthScale, 0.0005f), 0.02f);
	for (int y = thread; y < map->height; y += map->def.threadCount)
	{
		ShadeLine(map, y, film);
	}
}

void ShadeMap(Map* map)
{
	if (!RunOnThreads(ShadeLines, map, map->def.threadCount))
	{
		// No threads to be had: draw all of it here.
		map->def.threadCount = 1;
		ShadeLines(map, 0);
	}
}

// SPDX-License-Identifier: MIT

// Maps of the water: where panels lie in a picture, and fields of cells brought to its pixels.

#include "maps/map_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Largest picture a user can ask for, pixels a side.
static const float s_mostPixels = 16384.0f;
// Below this depth ground is drawn dry, meters. The same as TN_WET_DEPTH.
static const float s_wetDepth = 1.0e-3f;

float Saturate(float x)
{
	return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

float Mix(float a, float b, float share)
{
	return a + (b - a) * share;
}

Color MixColor(Color a, Color b, float share)
{
	return (Color){Mix(a.r, b.r, share), Mix(a.g, b.g, share), Mix(a.b, b.b, share)};
}

float Smoothstep(float begin, float end, float x)
{
	const float t = Saturate((x - begin) / (end - begin));
	return t * t * (3.0f - 2.0f * t);
}

static float RoundUp(float value, const float* steps, int stepCount)
{
	float decade = powf(10.0f, floorf(log10f(value)));
	// The logarithm of a power of ten may round either way.
	decade = decade > value ? 0.1f * decade : decade;
	// A value that is one of the steps but for rounding stays.
	const float lead = value / decade * (1.0f - 1.0e-5f);
	for (int i = 0; i < stepCount; ++i)
	{
		if (lead <= steps[i])
		{
			return decade * steps[i];
		}
	}
	return decade * 10.0f;
}

float RoundUpNicely(float value)
{
	static const float steps[] = {1.0f, 2.0f, 5.0f};
	return RoundUp(value, steps, sizeof(steps) / sizeof(steps[0]));
}

// Ends of scales: close enough to the value to use nearly all the colours, and half of it is still easy to read.
static float RoundUpScale(float value)
{
	static const float steps[] = {1.0f, 1.2f, 1.6f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 8.0f};
	return RoundUp(value, steps, sizeof(steps) / sizeof(steps[0]));
}

static int CompareFloats(const void* a, const void* b)
{
	const float x = *(const float*)a;
	const float y = *(const float*)b;
	return (x > y) - (x < y);
}

// The value below which a share of the values lies, from at most 4096 of them: a few odd cells shall not decide the
// scale of a picture.
static float Quantile(const float* values, size_t count, const float* select, float selectAbove, float share)
{
	enum
	{
		most = 4096,
	};
	float picked[most];
	int pickedCount = 0;
	// A stride that is odd and no divisor of common widths, so that the picks do not line up in columns.
	size_t stride = count / most | 1;
	stride = stride > 1 && stride % 3 == 0 ? stride + 2 : stride;
	for (size_t i = 0; i < count && pickedCount < most; i += stride)
	{
		if (select == NULL || select[i] > selectAbove)
		{
			picked[pickedCount] = values[i];
			pickedCount += 1;
		}
	}
	if (pickedCount == 0)
	{
		return 0.0f;
	}
	qsort(picked, (size_t)pickedCount, sizeof(float), CompareFloats);
	return picked[(int)(share * (float)(pickedCount - 1))];
}

static uint32_t HashPosition(uint32_t x, uint32_t y)
{
	uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u;
	h ^= h >> 15;
	h *= 0xC2B2AE3Du;
	h ^= h >> 13;
	return h;
}

static void MakeNoise(float* noise)
{
	for (uint32_t y = 0; y < noiseSize; ++y)
	{
		for (uint32_t x = 0; x < noiseSize; ++x)
		{
			// Mean of a 2 x 2 block of hashes: grain of about two pixels.
			uint32_t sum = 0;
			for (uint32_t k = 0; k < 4; ++k)
			{
				sum += HashPosition((x + (k & 1)) % noiseSize, (y + (k >> 1)) % noiseSize) >> 16;
			}
			noise[y * noiseSize + x] = (float)sum / (4.0f * 65535.0f);
		}
	}
}

static bool AllocateMap(Map* map)
{
	const size_t cellCount = (size_t)map->def.columnCount * (size_t)map->def.rowCount;
	const size_t pixelCount = (size_t)map->width * (size_t)map->height;
	float** perPixel[] = {&map->bed, &map->bedBlurred, &map->water, &map->surface, &map->cover, &map->velocityX,
		&map->velocityZ, &map->scratch};
	bool ok = true;
	for (size_t i = 0; i < sizeof(perPixel) / sizeof(perPixel[0]); ++i)
	{
		*perPixel[i] = malloc(pixelCount * sizeof(float));
		ok = ok && *perPixel[i] != NULL;
	}
	for (int i = 0; i < map->def.tracerCount; ++i)
	{
		map->tracers[i] = malloc(pixelCount * sizeof(float));
		ok = ok && map->tracers[i] != NULL;
	}
	map->cells = malloc(cellCount * sizeof(float));
	map->cellWater = malloc(cellCount * sizeof(float));
	map->cellSurface = malloc(cellCount * sizeof(float));
	if (map->def.mode == mapVorticity)
	{
		map->vorticity = malloc(pixelCount * sizeof(float));
		ok = ok && map->vorticity != NULL;
	}
	if (IsWaveMode(map->def.mode))
	{
		map->waves = malloc(pixelCount * sizeof(float));
		ok = ok && map->waves != NULL;
	}
	map->noise = malloc((size_t)noiseSize * noiseSize * sizeof(float));
	map->page.pixels = malloc((size_t)map->page.width * (size_t)map->page.height * 3);
	return ok && map->cells != NULL && map->cellWater != NULL && map->cellSurface != NULL && map->noise != NULL &&
		map->page.pixels != NULL;
}

Map* CreateMap(const MapDef* def)
{
	Map* map = calloc(1, sizeof(Map));
	if (map == NULL)
	{
		return NULL;
	}
	map->def = *def;

	float zoom;
	LayOutPanels(def, &map->panelColumns, &zoom);
	zoom = def->pixelsPerCell > 0.0f ? def->pixelsPerCell : zoom;
	const int panelRows = (def->panelCount + map->panelColumns - 1) / map->panelColumns;
	const float widest = (float)def->columnCount * (float)map->panelColumns;
	const float highest = (float)def->rowCount * (float)panelRows;
	zoom = fminf(zoom, s_mostPixels / fmaxf(widest, highest));
	map->width = (int)fmaxf(1.0f, roundf(zoom * (float)def->columnCount));
	map->height = (int)fmaxf(1.0f, roundf(zoom * (float)def->rowCount));
	map->zoom = (float)map->width / (float)def->columnCount;
	map->meters = def->cellSize / map->zoom;
	LayOutPage(map);

	const int waveScale = IsWaveMode(def->mode) ? def->waveScale : 1;
	if (!AllocateMap(map) ||
		!CreateResampler(&map->resampler, def->columnCount, def->rowCount, map->width, map->height) ||
		!CreateResampler(
			&map->waveResampler, def->columnCount * waveScale, def->rowCount * waveScale, map->width, map->height))
	{
		DestroyMap(map);
		return NULL;
	}
	MakeNoise(map->noise);
	return map;
}

void DestroyMap(Map* map)
{
	if (map == NULL)
	{
		return;
	}
	DestroyResampler(&map->resampler);
	DestroyResampler(&map->waveResampler);
	float* memory[] = {map->cellSurface, map->surface, map->cells, map->cellWater, map->bed, map->bedBlurred,
		map->water, map->cover, map->velocityX, map->velocityZ, map->vorticity, map->waves, map->scratch, map->noise};
	for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); ++i)
	{
		free(memory[i]);
	}
	for (int i = 0; i < maxMapTracers; ++i)
	{
		free(map->tracers[i]);
	}
	free(map->page.pixels);
	free(map);
}

// Mean surface and depth of the wet cells around a dry one, from the nearest ring that has any. The filter reaches two
// cells, so two rings are enough for a smooth shore.
static bool FindWaterNearby(const Map* map, const MapFields* fields, int column, int row, float* surface, float* depth)
{
	const int columnCount = map->def.columnCount;
	for (int ring = 1; ring <= 2; ++ring)
	{
		float surfaceSum = 0.0f;
		float depthSum = 0.0f;
		int count = 0;
		for (int j = row - ring; j <= row + ring; ++j)
		{
			for (int i = column - ring; i <= column + ring; ++i)
			{
				if (i < 0 || j < 0 || i >= columnCount || j >= map->def.rowCount)
				{
					continue;
				}
				const size_t cell = (size_t)j * (size_t)columnCount + (size_t)i;
				if (fields->depth[cell] > s_wetDepth)
				{
					surfaceSum += fields->bed[cell] + fields->depth[cell];
					depthSum += fields->depth[cell];
					count += 1;
				}
			}
		}
		if (count > 0)
		{
			*surface = surfaceSum / (float)count;
			*depth = depthSum / (float)count;
			return true;
		}
	}
	return false;
}

// Depth where wet. Where dry, how far the surface nearby lies below the ground, so that the zero line of the
// interpolated field follows the ground and not the cells. Kept in proportion to the depth nearby: at a wall the line
// then runs halfway between the cells, and a front that runs downhill gets no water ahead of it.
static void FindCellWater(Map* map, const MapFields* fields)
{
	const float mostShare = 1.0f;
	const float leastShare = 0.3f;
	for (int row = 0; row < map->def.rowCount; ++row)
	{
		for (int column = 0; column < map->def.columnCount; ++column)
		{
			const size_t cell = (size_t)row * (size_t)map->def.columnCount + (size_t)column;
			float water = fields->depth[cell];
			float surface = fields->bed[cell] + water;
			if (water <= s_wetDepth)
			{
				float depth;
				water = -map->def.cellSize;
				if (FindWaterNearby(map, fields, column, row, &surface, &depth))
				{
					const float below = fields->bed[cell] - surface;
					water = -fminf(fmaxf(below, leastShare * depth), mostShare * depth);
				}
			}
			map->cellWater[cell] = water;
			map->cellSurface[cell] = surface;
		}
	}
}

// Several cells to a pixel: the pixel shows the mean of the wet ones and is covered by their share.
static void AverageWater(Map* map, const MapFields* fields)
{
	const size_t cellCount = (size_t)map->def.columnCount * (size_t)map->def.rowCount;
	const size_t pixelCount = (size_t)map->width * (size_t)map->height;
	for (size_t i = 0; i < cellCount; ++i)
	{
		map->cells[i] = fields->depth[i] > s_wetDepth ? 1.0f : 0.0f;
	}
	Resample(&map->resampler, map->cells, map->cover);
	for (size_t i = 0; i < cellCount; ++i)
	{
		map->cells[i] *= fields->depth[i];
	}
	Resample(&map->resampler, map->cells, map->water);
	for (size_t i = 0; i < pixelCount; ++i)
	{
		map->cover[i] = Saturate(map->cover[i]);
		map->water[i] = map->cover[i] > 0.02f ? fmaxf(map->water[i], 0.0f) / map->cover[i] : -map->def.cellSize;
		map->surface[i] = map->bed[i] + fmaxf(map->water[i], 0.0f);
	}
}

// Is one of the four cells around a pixel wet? Elsewhere the filter's ringing may lift the water over zero.
static bool IsNearWater(const Map* map, const MapFields* fields, int x, int y)
{
	const int left = (int)floorf(((float)x + 0.5f) / map->zoom - 0.5f);
	const int top = (int)floorf(((float)y + 0.5f) / map->zoom - 0.5f);
	for (int k = 0; k < 4; ++k)
	{
		const int column = left + (k & 1);
		const int row = top + (k >> 1);
		const bool inside = column >= 0 && row >= 0 && column < map->def.columnCount && row < map->def.rowCount;
		if (inside && fields->depth[(size_t)row * (size_t)map->def.columnCount + (size_t)column] > s_wetDepth)
		{
			return true;
		}
	}
	return false;
}

// Several pixels to a cell: the shore runs between the cells, with an edge one pixel soft.
static void InterpolateWater(Map* map, const MapFields* fields)
{
	FindCellWater(map, fields);
	Resample(&map->resampler, map->cellWater, map->water);
	Resample(&map->resampler, map->cellSurface, map->surface);
	for (int y = 0; y < map->height; ++y)
	{
		const int up = y > 0 ? y - 1 : y;
		const int down = y + 1 < map->height ? y + 1 : y;
		for (int x = 0; x < map->width; ++x)
		{
			const int left = x > 0 ? x - 1 : x;
			const int right = x + 1 < map->width ? x + 1 : x;
			const size_t width = (size_t)map->width;
			const size_t line = (size_t)y * width;
			const float slopeX = 0.5f * (map->water[line + (size_t)right] - map->water[line + (size_t)left]);
			const float slopeZ =
				0.5f * (map->water[(size_t)down * width + (size_t)x] - map->water[(size_t)up * width + (size_t)x]);
			// Steepness is kept off zero, so that a level plain of water is simply covered.
			const float perPixel = sqrtf(slopeX * slopeX + slopeZ * slopeZ) + 1.0e-6f;
			const float cover = Saturate(0.5f + map->water[line + (size_t)x] / perPixel);
			map->cover[line + (size_t)x] = cover > 0.0f && IsNearWater(map, fields, x, y) ? cover : 0.0f;
		}
	}
}

// Copy a field with the outermost cells taking the values of their inner neighbours. Where water falls over an open edge
// it is several times faster than anywhere else, and would decide the scale of the picture and draw a rim around it.
static void CopyInside(const Map* map, const float* from, float* to)
{
	const int lastColumn = map->def.columnCount - 1;
	const int lastRow = map->def.rowCount - 1;
	for (int row = 0; row <= lastRow; ++row)
	{
		const int innerRow = row < 1 ? 1 : row > lastRow - 1 ? lastRow - 1 : row;
		for (int column = 0; column <= lastColumn; ++column)
		{
			const int innerColumn = column < 1 ? 1 : column > lastColumn - 1 ? lastColumn - 1 : column;
			to[(size_t)row * (size_t)map->def.columnCount + (size_t)column] =
				from[(size_t)innerRow * (size_t)map->def.columnCount + (size_t)innerColumn];
		}
	}
}

// Difference of a velocity across a wet cell, per cell, between the wet ones of its two neighbours and itself: what
// stands beside a wall must not be compared with the stillness inside it.
static float FindDifference(
	const MapFields* fields, const float* velocity, size_t cell, bool hasBefore, bool hasAfter, size_t step)
{
	const size_t before = hasBefore && fields->depth[cell - step] > s_wetDepth ? cell - step : cell;
	const size_t after = hasAfter && fields->depth[cell + step] > s_wetDepth ? cell + step : cell;
	const float distance = (float)((after - before) / step);
	return distance > 0.0f ? (velocity[after] - velocity[before]) / distance : 0.0f;
}

// dv/dx - du/dz, 1/s. On a map with z downwards it is positive where water turns with the clock, at twice the rate at
// which a straw on it would turn.
static void MeasureVorticity(const Map* map, const MapFields* fields, float* vorticity)
{
	const int columnCount = map->def.columnCount;
	const int rowCount = map->def.rowCount;
	for (int row = 0; row < rowCount; ++row)
	{
		for (int column = 0; column < columnCount; ++column)
		{
			const size_t cell = (size_t)row * (size_t)columnCount + (size_t)column;
			vorticity[cell] = 0.0f;
			if (fields->depth[cell] > s_wetDepth)
			{
				const float alongX =
					FindDifference(fields, fields->velocityZ, cell, column > 0, column + 1 < columnCount, 1);
				const float alongZ =
					FindDifference(fields, fields->velocityX, cell, row > 0, row + 1 < rowCount, (size_t)columnCount);
				vorticity[cell] = (alongX - alongZ) / map->def.cellSize;
			}
		}
	}
}

static void BringToPixels(Map* map, const MapFields* fields)
{
	const size_t cellCount = (size_t)map->def.columnCount * (size_t)map->def.rowCount;
	const size_t pixelCount = (size_t)map->width * (size_t)map->height;
	Resample(&map->resampler, fields->bed, map->bed);
	if (map->zoom < 1.0f)
	{
		AverageWater(map, fields);
	}
	else
	{
		InterpolateWater(map, fields);
	}
	CopyInside(map, fields->velocityX, map->cells);
	Resample(&map->resampler, map->cells, map->velocityX);
	CopyInside(map, fields->velocityZ, map->cells);
	Resample(&map->resampler, map->cells, map->velocityZ);

	if (map->vorticity != NULL)
	{
		MeasureVorticity(map, fields, map->cellWater);
		CopyInside(map, map->cellWater, map->cells);
		Resample(&map->resampler, map->cells, map->vorticity);
	}

	if (map->waves != NULL)
	{
		Resample(&map->waveResampler, fields->waves, map->waves);
		for (size_t i = 0; i < pixelCount && map->def.mode == mapSurfaceWithWaves; ++i)
		{
			map->surface[i] += map->waves[i];
		}
	}

	// Dry cells have no concentration: only wet ones have a say.
	if (map->def.tracerCount > 0)
	{
		for (size_t i = 0; i < cellCount; ++i)
		{
			map->cells[i] = fields->depth[i] > s_wetDepth ? 1.0f : 0.0f;
		}
		Resample(&map->resampler, map->cells, map->scratch);
	}
	for (int channel = 0; channel < map->def.tracerCount; ++channel)
	{
		for (size_t i = 0; i < cellCount; ++i)
		{
			map->cells[i] = fields->depth[i] > s_wetDepth ? fields->tracers[channel][i] : 0.0f;
		}
		float* pixels = map->tracers[channel];
		Resample(&map->resampler, map->cells, pixels);
		for (size_t i = 0; i < pixelCount; ++i)
		{
			pixels[i] = map->scratch[i] > 0.02f ? pixels[i] / map->scratch[i] : 0.0f;
		}
	}
}

// The end of the scale of waves: most of what moves is inside, and what lies still does not count.
static void MeasureWaves(Map* map, const MapFields* fields)
{
	// Share of the picture that the scale covers, and its least end, meters: a millimeter.
	const float highShare = 0.97f;
	const float leastHeight = 1.0e-3f;
	const size_t pixelCount = (size_t)map->width * (size_t)map->height;
	Resample(&map->waveResampler, fields->waves, map->waves);
	for (size_t i = 0; i < pixelCount; ++i)
	{
		map->scratch[i] = fabsf(map->waves[i]);
	}
	const float high = Quantile(map->scratch, pixelCount, map->scratch, 0.2f * leastHeight, highShare);
	map->waveScale = fmaxf(map->waveScale, RoundUpScale(fmaxf(high, leastHeight)));
}

// Scales of the legend. They grow with the water and never shrink, so that pictures of one run can be compared.
static void ChooseScales(Map* map, const MapFields* fields)
{
	const size_t cellCount = (size_t)map->def.columnCount * (size_t)map->def.rowCount;
	// Shares of the cells that the scales cover: the rest gets the last colour.
	const float deepShare = 0.98f;
	const float fastShare = 0.995f;
	// Smallest scales, meters and m/s: a puddle is not drawn like a sea, nor a ripple like a torrent.
	const float leastDepth = 0.1f;
	const float leastSpeed = 1.0f;

	if (map->def.maxDepth > 0.0f)
	{
		map->depthScale = map->def.maxDepth;
	}
	else
	{
		const float deep = Quantile(fields->depth, cellCount, fields->depth, s_wetDepth, deepShare);
		map->depthScale = fmaxf(map->depthScale, RoundUpScale(fmaxf(deep, leastDepth)));
	}

	if (map->def.maxSpeed > 0.0f)
	{
		map->speedScale = map->def.maxSpeed;
	}
	else
	{
		for (size_t i = 0; i < cellCount; ++i)
		{
			map->cells[i] =
				sqrtf(fields->velocityX[i] * fields->velocityX[i] + fields->velocityZ[i] * fields->velocityZ[i]);
		}
		CopyInside(map, map->cells, map->cellWater);
		// Films run fast and mean little: only water of some depth counts.
		const float fast = Quantile(map->cellWater, cellCount, fields->depth, 0.02f * map->depthScale, fastShare);
		map->speedScale = fmaxf(map->speedScale, RoundUpScale(fmaxf(fast, leastSpeed)));
	}

	if (map->def.mode == mapVorticity)
	{
		// Share of the cells that the scale covers, and its least end, 1/s: a turn in ten minutes is no eddy.
		const float strongShare = 0.985f;
		const float leastVorticity = 0.02f;
		MeasureVorticity(map, fields, map->cells);
		for (size_t i = 0; i < cellCount; ++i)
		{
			map->cells[i] = fabsf(map->cells[i]);
		}
		CopyInside(map, map->cells, map->cellWater);
		const float strong = Quantile(map->cellWater, cellCount, fields->depth, 0.02f * map->depthScale, strongShare);
		map->vorticityScale = fmaxf(map->vorticityScale, RoundUpScale(fmaxf(strong, leastVorticity)));
	}

	if (map->def.mode == mapWaves)
	{
		MeasureWaves(map, fields);
	}

	for (int channel = 0; channel < map->def.tracerCount; ++channel)
	{
		float most = 0.0f;
		for (size_t i = 0; i < cellCount; ++i)
		{
			if (fields->depth[i] > s_wetDepth)
			{
				most = fmaxf(most, fabsf(fields->tracers[channel][i]));
			}
		}
		// Rounding in the transport may pass a nice number by a hair.
		const float scale = most > 0.0f ? RoundUpScale(most * 0.999f) : 0.0f;
		map->tracerScales[channel] = fmaxf(map->tracerScales[channel], scale);
	}
}

static void MeasureSlopes(const Map* map, const float* heights, float* slopes)
{
	for (int y = 0; y < map->height; ++y)
	{
		for (int x = 0; x < map->width; ++x)
		{
			const size_t here = (size_t)y * (size_t)map->width + (size_t)x;
			const size_t right = x + 1 < map->width ? here + 1 : here;
			const size_t down = y + 1 < map->height ? here + (size_t)map->width : here;
			const float slopeX = heights[right] - heights[here];
			const float slopeZ = heights[down] - heights[here];
			slopes[here] = sqrtf(slopeX * slopeX + slopeZ * slopeZ) / map->meters;
		}
	}
}

// How much ground and waves are exaggerated, so that a flood plain and a mountain both have a shape.
static void ChooseLighting(Map* map, const MapFields* fields)
{
	const size_t cellCount = (size_t)map->def.columnCount * (size_t)map->def.rowCount;
	const size_t pixelCount = (size_t)map->width * (size_t)map->height;
	map->lowest = Quantile(fields->bed, cellCount, NULL, 0.0f, 0.01f);
	map->highest = Quantile(fields->bed, cellCount, NULL, 0.0f, 0.995f);
	const float relief = map->highest - map->lowest;
	// A plain stays green, only mountains reach rock and snow: the tints used grow with the relief in meters.
	map->tintReach = Mix(0.42f, 1.0f, Smoothstep(0.3f, 2.0f, log10f(fmaxf(relief, 1.0e-3f))));
	// About a dozen contour lines.
	map->contourStep = relief > 0.01f ? RoundUpNicely(relief / 20.0f) : 0.0f;

	// Steep places get about this slope in the lit picture; gentle ones are raised by at most the factor.
	const float terrainTarget = 0.75f;
	const float mostTerrainFactor = 12.0f;
	MeasureSlopes(map, map->bed, map->scratch);
	const float steep = Quantile(map->scratch, pixelCount, NULL, 0.0f, 0.9f);
	map->terrainSteepness = fminf(terrainTarget / fmaxf(steep, 1.0e-6f), mostTerrainFactor);
	// Nothing grows on slopes of 35 degrees, nor on walls; but a land that is steep all over is not all rock.
	map->rockSlope = fmaxf(0.7f, steep);

	// Slope that counts as a clear wave: the waves there are, but no less than a few millimeters per meter, or else
	// rounding would look like a storm; and no more than a steep chop.
	const float leastWave = 0.006f;
	const float mostWave = 0.25f;
	MeasureSlopes(map, map->surface, map->scratch);
	const float wave = Quantile(map->scratch, pixelCount, map->water, 0.02f * map->depthScale, 0.75f);
	map->waterSteepness = 1.0f / fminf(fmaxf(wave, leastWave), mostWave);
}

const Image* DrawMap(Map* map, const MapFields* panels, double time, const char* note)
{
	for (int panel = 0; panel < map->def.panelCount; ++panel)
	{
		ChooseScales(map, panels + panel);
	}
	DrawPage(map, time, note);
	// All cuts have one range.
	for (int panel = 0; panel < map->def.panelCount && map->sectionHeight > 0; ++panel)
	{
		BringToPixels(map, panels + panel);
		ExtendSection(map);
	}

	for (int panel = 0; panel < map->def.panelCount; ++panel)
	{
		SelectPanel(map, panel);
		BringToPixels(map, panels + panel);
		// Panels are there to be compared: the light of the first one falls on all of them.
		if (panel == 0)
		{
			ChooseLighting(map, panels);
		}
		memcpy(map->bedBlurred, map->bed, (size_t)map->width * (size_t)map->height * sizeof(float));
		// Hollows and ridges of about a fortieth of the picture are shaded.
		const int radius = (map->width > map->height ? map->width : map->height) / 80 + 1;
		BlurPixels(map->bedBlurred, map->scratch, map->width, map->height, radius);

		ShadeMap(map);
		DrawMarks(map);
		if (map->sectionHeight > 0)
		{
			DrawSection(map);
		}
	}
	return &map->page;
}

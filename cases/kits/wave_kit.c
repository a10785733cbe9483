// SPDX-License-Identifier: MIT

// Still water with waves on it for cases: making waves, stepping, and measuring what becomes of them.

#include "kits/wave_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	// Cells along each side of a tile.
	tncTileSize = 64,
};

static int tncCountTilesAlong(int cellCount)
{
	return (cellCount + tncTileSize - 1) / tncTileSize;
}

int tncCountWaveTiles(const tnWorldDef* def)
{
	int columns = def->columnCount << def->waves.finerLevels;
	int rows = def->rowCount << def->waves.finerLevels;
	int count = 0;
	for (int level = 0; level < def->waves.levelCount; ++level)
	{
		count += tncCountTilesAlong(columns) * tncCountTilesAlong(rows);
		columns = (columns + 1) / 2;
		rows = (rows + 1) / 2;
	}
	return count;
}

tnWorldDef tncMakeWaveDef(
	tncContext* context, int columnCount, int rowCount, double cellSize, int levelCount, int finerLevels)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columnCount >> finerLevels;
	def.rowCount = rowCount >> finerLevels;
	def.cellSize = (float)ldexp(cellSize, finerLevels);
	def.gravity = (float)TNC_GRAVITY;
	def.sleepSpeed = 0.0f;
	def.sleepTime = 0.0f;
	def.tasks.workerCount = context->config.workerCount;
	def.simd = context->config.simd;
	context->method->applyFcn(&def, 1.0f);
	def.waves.finerLevels = finerLevels;
	def.waves.levelCount = levelCount;
	def.waves.breakingLimit = 0.0f;
	def.waves.enableDrift = false;
	def.waves.enableDetail = false;
	def.waves.takeFromFlow = false;
	def.waves.reserve = true;
	def.waves.timeStep = (float)TNC_WAVE_STEP;
	def.waves.tileCount = tncCountWaveTiles(&def);
	return def;
}

void tncSetWaveEdges(tnWorldDef* def, tnEdgeKind kind)
{
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def->edges[side].kind = kind;
	}
}

static bool tncIsGood(tncWaves* waves, tnResult result, const char* what)
{
	if (result.status != tn_ok && waves->failed == false)
	{
		waves->failed = true;
		tncRequire(waves->context, NAN, 0.0, 0.0, "%s refused", what);
	}
	return result.status == tn_ok;
}

bool tncOpenWavesOver(tncContext* context, const tnWorldDef* def, const float* depths, tncWaves* waves)
{
	*waves = (tncWaves){0};
	waves->context = context;
	waves->def = *def;
	waves->timeStep = (double)def->waves.timeStep;
	waves->levelCount = def->waves.levelCount;
	waves->columnCount = def->columnCount << def->waves.finerLevels;
	waves->rowCount = def->rowCount << def->waves.finerLevels;
	waves->cellSize = ldexp((double)def->cellSize, -def->waves.finerLevels);
	const size_t count = (size_t)waves->columnCount * (size_t)waves->rowCount;
	const size_t bedCount = (size_t)def->columnCount * (size_t)def->rowCount;
	float* bed = calloc(bedCount, sizeof(float));
	waves->heights = calloc(count, sizeof(float));
	waves->rates = calloc(count, sizeof(float));
	waves->scratch[0] = calloc(count, sizeof(float));
	waves->scratch[1] = calloc(count, sizeof(float));
	bool good = bed != NULL && waves->heights != NULL && waves->rates != NULL && waves->scratch[0] != NULL &&
		waves->scratch[1] != NULL;
	good = good && tncIsGood(waves, tnCreateWorld(def, &waves->world), "world");
	for (size_t i = 0; i < bedCount && good; ++i)
	{
		bed[i] = -depths[i];
	}
	good = good && tncIsGood(waves, tnWorld_SetTerrain(waves->world, bed), "terrain");
	good = good && tncIsGood(waves, tnWorld_FillToLevel(waves->world, 0.0f), "water");
	free(bed);
	if (good == false)
	{
		tncCloseWaves(waves);
		waves->failed = true;
	}
	return good;
}

bool tncOpenWaves(tncContext* context, const tnWorldDef* def, double depth, tncWaves* waves)
{
	const size_t count = (size_t)def->columnCount * (size_t)def->rowCount;
	float* depths = calloc(count, sizeof(float));
	for (size_t i = 0; i < count && depths != NULL; ++i)
	{
		depths[i] = (float)depth;
	}
	*waves = (tncWaves){0};
	const bool good = depths != NULL && tncOpenWavesOver(context, def, depths, waves);
	free(depths);
	return good;
}

void tncCloseWaves(tncWaves* waves)
{
	tnDestroyWorld(waves->world);
	free(waves->heights);
	free(waves->rates);
	free(waves->scratch[0]);
	free(waves->scratch[1]);
	*waves = (tncWaves){0};
}

void tncAddPlaneWave(tncWaves* waves, double amplitude, double waveX, double waveZ)
{
	// cos(a + b) = cos a cos b - sin a sin b, with the row of cosines and sines in the scratch memory.
	float* cosines = waves->scratch[0];
	float* sines = waves->scratch[1];
	for (int column = 0; column < waves->columnCount; ++column)
	{
		const double phase = waveX * (column + 0.5) * waves->cellSize;
		cosines[column] = (float)cos(phase);
		sines[column] = (float)sin(phase);
	}
	for (int row = 0; row < waves->rowCount; ++row)
	{
		const double phase = waveZ * (row + 0.5) * waves->cellSize;
		const float cosine = (float)(amplitude * cos(phase));
		const float sine = (float)(amplitude * sin(phase));
		float* heights = waves->heights + (size_t)row * (size_t)waves->columnCount;
		for (int column = 0; column < waves->columnCount; ++column)
		{
			heights[column] += cosine * cosines[column] - sine * sines[column];
		}
	}
}

void tncEnterWaves(tncWaves* waves, bool useHeights, bool useRates)
{
	const tnResult result = tnWorld_AddWaveField(waves->world, 0, 0, waves->columnCount, waves->rowCount,
		useHeights ? waves->heights : NULL, useRates ? waves->rates : NULL);
	tncIsGood(waves, result, "field of waves");
}

void tncStepWaves(tncWaves* waves, int64_t stepCount)
{
	for (int64_t i = 0; i < stepCount && waves->failed == false; ++i)
	{
		tncIsGood(waves, tnWorld_Step(waves->world, waves->def.waves.timeStep), "step");
		waves->time += waves->timeStep;
	}
}

int tncGetBandColumns(const tncWaves* waves, int level)
{
	return (waves->columnCount + (1 << level) - 1) >> level;
}

int tncGetBandRows(const tncWaves* waves, int level)
{
	return (waves->rowCount + (1 << level) - 1) >> level;
}

void tncCopyBand(const tncWaves* waves, int level, tncBandPart part, float* band)
{
	const int columns = tncGetBandColumns(waves, level);
	const int rows = tncGetBandRows(waves, level);
	memset(band, 0, (size_t)columns * (size_t)rows * sizeof(float));
	for (int i = 0; i < tnWorld_GetWaveTileCount(waves->world); ++i)
	{
		tnWaveTileView view;
		if (tnWorld_GetWaveTile(waves->world, i, &view).status != tn_ok || view.level != level || view.rests)
		{
			continue;
		}
		const float* values = part == tnc_bandHeights ? view.heights : view.rates;
		const int column = view.column * view.size;
		const int row = view.row * view.size;
		const int width = column + view.size < columns ? view.size : columns - column;
		for (int r = 0; r < view.size && row + r < rows; ++r)
		{
			memcpy(band + (size_t)(row + r) * (size_t)columns + column, values + (ptrdiff_t)r * view.stride,
				(size_t)width * sizeof(float));
		}
	}
}

// Where a cell is that lies beyond the ends.
static int tncFold(int index, int count, bool wraps)
{
	if (wraps)
	{
		return ((index % count) + count) % count;
	}
	index = index < 0 ? -1 - index : index;
	return index >= count ? (2 * count - 1 - index > 0 ? 2 * count - 1 - index : 0) : index;
}

// A quarter of a cell beside a middle, through the three cells to each side.
static const double s_between[6] = {
	504.0 / 65536.0, -3960.0 / 65536.0, 18480.0 / 65536.0, 55440.0 / 65536.0, -5544.0 / 65536.0, 616.0 / 65536.0};

static double tncInterpolate(const float* values, ptrdiff_t stride, int count, int fine, bool wraps)
{
	const int coarse = fine / 2;
	double sum = 0.0;
	for (int q = 0; q < 6; ++q)
	{
		const int index = fine % 2 == 0 ? coarse - 3 + q : coarse + 3 - q;
		sum += s_between[q] * (double)values[stride * tncFold(index, count, wraps)];
	}
	return sum;
}

void tncSumBands(const tncWaves* waves, tncBandPart part, int levelBegin, float* sum)
{
	const bool wrapX = waves->def.edges[tn_west].kind == tn_wrapEdge;
	const bool wrapZ = waves->def.edges[tn_north].kind == tn_wrapEdge;
	float* coarse = waves->scratch[0];
	float* wide = waves->scratch[1];
	memset(coarse, 0, (size_t)waves->columnCount * (size_t)waves->rowCount * sizeof(float));
	for (int level = waves->levelCount - 1; level >= 0; --level)
	{
		const int columns = tncGetBandColumns(waves, level);
		const int rows = tncGetBandRows(waves, level);
		if (level >= levelBegin)
		{
			tncCopyBand(waves, level, part, sum);
		}
		else
		{
			memset(sum, 0, (size_t)columns * (size_t)rows * sizeof(float));
		}
		if (level < waves->levelCount - 1)
		{
			const int coarseColumns = tncGetBandColumns(waves, level + 1);
			const int coarseRows = tncGetBandRows(waves, level + 1);
			for (int row = 0; row < coarseRows; ++row)
			{
				for (int column = 0; column < columns; ++column)
				{
					wide[row * columns + column] =
						(float)tncInterpolate(coarse + row * coarseColumns, 1, coarseColumns, column, wrapX);
				}
			}
			for (int row = 0; row < rows; ++row)
			{
				for (int column = 0; column < columns; ++column)
				{
					sum[row * columns + column] +=
						(float)tncInterpolate(wide + column, columns, coarseRows, row, wrapZ);
				}
			}
		}
		memcpy(coarse, sum, (size_t)columns * (size_t)rows * sizeof(float));
	}
}

double tncGetLargest(const tncWaves* waves, tncBandPart part)
{
	double largest = 0.0;
	for (int i = 0; i < tnWorld_GetWaveTileCount(waves->world); ++i)
	{
		tnWaveTileView view;
		if (tnWorld_GetWaveTile(waves->world, i, &view).status != tn_ok)
		{
			return NAN;
		}
		const float* values = part == tnc_bandHeights ? view.heights : view.rates;
		for (int r = 0; r < view.size; ++r)
		{
			for (int c = 0; c < view.size; ++c)
			{
				const double size = fabs((double)values[(ptrdiff_t)r * view.stride + c]);
				largest = size <= largest ? largest : size;
			}
		}
	}
	return largest;
}

double tncGetBandVolume(const tncWaves* waves, int level)
{
	double sum = 0.0;
	for (int i = 0; i < tnWorld_GetWaveTileCount(waves->world); ++i)
	{
		tnWaveTileView view;
		if (tnWorld_GetWaveTile(waves->world, i, &view).status != tn_ok || view.level != level)
		{
			continue;
		}
		for (int r = 0; r < view.size; ++r)
		{
			for (int c = 0; c < view.size; ++c)
			{
				sum += (double)view.heights[(ptrdiff_t)r * view.stride + c];
			}
		}
	}
	const double size = ldexp(waves->cellSize, level);
	return sum * size * size;
}

double tncProjectWave(const tncWaves* waves, tncBandPart part, double waveX, double waveZ)
{
	double total = 0.0;
	for (int i = 0; i < tnWorld_GetWaveTileCount(waves->world); ++i)
	{
		tnWaveTileView view;
		if (tnWorld_GetWaveTile(waves->world, i, &view).status != tn_ok || view.rests)
		{
			continue;
		}
		const float* values = part == tnc_bandHeights ? view.heights : view.rates;
		const double size = (double)view.cellSize;
		// cos(a + b) = cos a cos b - sin a sin b, with a along the row. Columns first: they do not wait for each other.
		double cosines[tncTileSize] = {0}, sines[tncTileSize] = {0};
		for (int r = 0; r < view.size; ++r)
		{
			const float* row = values + (ptrdiff_t)r * view.stride;
			const double phase = waveZ * (((double)(view.row * view.size + r)) + 0.5) * size;
			const double cosine = cos(phase);
			const double sine = sin(phase);
			for (int c = 0; c < tncTileSize; ++c)
			{
				cosines[c] += cosine * (double)row[c];
				sines[c] += sine * (double)row[c];
			}
		}
		double sum = 0.0;
		for (int c = 0; c < tncTileSize; ++c)
		{
			const double phase = waveX * (((double)(view.column * view.size + c)) + 0.5) * size;
			sum += cos(phase) * cosines[c] - sin(phase) * sines[c];
		}
		const double cellCount =
			(double)tncGetBandColumns(waves, view.level) * (double)tncGetBandRows(waves, view.level);
		total += 2.0 * sum / cellCount;
	}
	return total;
}

double tncGetHeight(tncWaves* waves, double x, double z)
{
	tnWaveSample sample = {0};
	tncIsGood(waves, tnWorld_SampleWaves(waves->world, (tnVec2){(float)x, (float)z}, &sample), "sample");
	return (double)sample.height;
}

double tncGetOmega(double waveNumber, double depth)
{
	return sqrt(TNC_GRAVITY * waveNumber * tanh(waveNumber * depth));
}

double tncGetGroupSpeed(double waveNumber, double depth)
{
	const double kh = waveNumber * depth;
	const double share = kh > 50.0 ? 0.0 : 2.0 * kh / sinh(2.0 * kh);
	return 0.5 * tncGetOmega(waveNumber, depth) / waveNumber * (1.0 + share);
}

// SPDX-License-Identifier: MIT

// The wave layer on the GPU: an atlas of tiles that move, and an index of places.

#include "water/wave_bands.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

// A tile that moves has a slot of 68 x 68 texels in an atlas: its cells, and two of its neighbours all around, so that
// filters need not know where tiles end. Slots lie in rows, rows in layers of an array: more of them than an array may
// have layers (256 in WebGL 2), and no slot is larger than any texture may be.
//
//   red           height of the band, m
//   green, blue   its slope along x and z
//   alpha         mean square slope around, for waves that are too small to see
//
// Half floats: unlike floats all devices filter them. 11 bits are 0.5 mm of a wave of 1 m.
//
// Waves of a band are 4 to 12 cells long, too few for linear interpolation: shaders draw cubic B-splines through four
// filtered fetches (Sigg and Hadwiger 2005). Splines flatten what they are laid through, so texels hold steeper waves:
// after (-1 8 -1) / 6 along both axes a wave of 7 cells comes out at 98 % of its height, and one of 4 at 89 %.

enum
{
	// Cells that slopes and sharpening look at beyond the texels of a slot.
	slopeReach = 2,
	sharpenReach = 1,
	sharpMargin = tnr_waveBorder + slopeReach,
	rawMargin = sharpMargin + sharpenReach,
	sharpSize = tnr_waveTile + 2 * sharpMargin,
	rawSize = tnr_waveTile + 2 * rawMargin,
	blockSize = tnr_waveTile / tnr_waveBlocks,
	blockCount = tnr_waveBlocks * tnr_waveBlocks,
	// In the index.
	noTile = -1,
	tileRests = -2,
	// Slots that there are room for at most: 150 MB on the GPU.
	mostSlots = 4096,
};

static int tnrGetSlotsPerLayer(const tnrWaves* waves)
{
	return waves->slotsPerRow * waves->slotsPerRow;
}

// ---------------------------------------------------------------------------------------------------------------------
// Life

// Deal rows of the index to levels, coarse ones first; fine ones that no texture has room for stay out.
static void tnrLayOutIndex(tnrWaves* waves, const tnWorldDef* def)
{
	GLint largest = 2048;
	glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
	const float width = (float)def->columnCount * def->cellSize, length = (float)def->rowCount * def->cellSize;
	waves->firstLevel = waves->levelCount;
	for (int level = waves->levelCount - 1; level >= 0; --level)
	{
		tnrWaveLevel* to = &waves->levels[level];
		to->cellSize = ldexpf(def->cellSize, level - def->waves.finerLevels);
		const float tile = to->cellSize * tnr_waveTile;
		const float columns = ceilf(width / tile), rows = ceilf(length / tile);
		if (columns > (float)largest || rows > (float)(largest - waves->indexRows))
		{
			break;
		}
		to->columnCount = (int)columns;
		to->rowCount = (int)rows;
		to->firstRow = waves->indexRows;
		waves->indexRows += to->rowCount;
		waves->indexColumns = to->columnCount > waves->indexColumns ? to->columnCount : waves->indexColumns;
		waves->firstLevel = level;
	}
}

static void tnrMakeAtlas(tnrWaves* waves, int layerCount)
{
	const int size = waves->slotsPerRow * tnr_waveSlot;
	glDeleteTextures(1, &waves->tileTexture);
	glGenTextures(1, &waves->tileTexture);
	tnrBindArray(tnr_waveTileUnit, waves->tileTexture);
	tnrStoreTexture(GL_TEXTURE_2D_ARRAY, GL_RGBA16F, size, size, layerCount, 1);
	glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	waves->layerCount = layerCount;
}

static void tnrUploadIndexRows(const tnrWaves* waves, int column, int row, int columns, int rows)
{
	tnrBindTexture(tnr_waveIndexUnit, waves->indexTexture);
	glPixelStorei(GL_UNPACK_ROW_LENGTH, waves->indexColumns);
	glTexSubImage2D(GL_TEXTURE_2D, 0, column, row, columns, rows, GL_RED_INTEGER, GL_SHORT,
		waves->index + (size_t)row * (size_t)waves->indexColumns + (size_t)column);
	glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

bool tnrMakeWaves(tnrWaves* waves, const tnWorld* world)
{
	const tnWorldDef def = tnWorld_GetDef(world);
	*waves = (tnrWaves){0};
	if (def.waves.enable == false)
	{
		return true;
	}
	waves->any = true;
	waves->levelCount = def.waves.levelCount;
	waves->origin = def.origin;
	waves->keepsPrevious = def.keepPrevious;
	waves->timeStep = def.waves.timeStep;
	tnrLayOutIndex(waves, &def);
	waves->indexColumns = waves->indexColumns > 0 ? waves->indexColumns : 1;
	waves->indexRows = waves->indexRows > 0 ? waves->indexRows : 1;
	waves->placeCapacity = def.waves.tileCount;
	waves->slotCapacity = def.waves.tileCount < mostSlots ? def.waves.tileCount : mostSlots;
	// A small pool gets a small atlas.
	waves->slotsPerRow = waves->slotCapacity <= 64 ? 8 : 16;
	const size_t slots = (size_t)waves->slotCapacity,
				 indexSize = (size_t)waves->indexColumns * (size_t)waves->indexRows;
	waves->index = malloc(indexSize * sizeof(int16_t));
	waves->places = malloc((size_t)waves->placeCapacity * sizeof(int));
	waves->views = malloc(slots * sizeof(tnWaveTileView));
	waves->energies = malloc(slots * blockCount * sizeof(float));
	waves->texels = malloc((size_t)waves->slotsPerRow * tnr_waveSlot * (size_t)tnr_waveSlot * 4 * sizeof(uint16_t));
	waves->scratch = malloc(2 * (size_t)rawSize * rawSize * sizeof(float));
	if (waves->index == NULL || waves->places == NULL || waves->views == NULL || waves->energies == NULL ||
		waves->texels == NULL || waves->scratch == NULL)
	{
		tnrForgetWaves(waves);
		return false;
	}
	for (size_t i = 0; i < indexSize; ++i)
	{
		waves->index[i] = noTile;
	}
	waves->indexTexture =
		tnrMakeTexture(GL_R16I, waves->indexColumns, waves->indexRows, 1, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	tnrUploadIndexRows(waves, 0, 0, waves->indexColumns, waves->indexRows);
	tnrMakeAtlas(waves, 1);
	return true;
}

void tnrDestroyWaves(tnrWaves* waves)
{
	glDeleteTextures(1, &waves->tileTexture);
	glDeleteTextures(1, &waves->indexTexture);
	glDeleteTextures(1, &waves->rippleTexture);
	tnrForgetWaves(waves);
}

void tnrForgetWaves(tnrWaves* waves)
{
	free(waves->index);
	free(waves->places);
	free(waves->views);
	free(waves->energies);
	free(waves->texels);
	free(waves->scratch);
	free(waves->rippleTexels);
	memset(waves, 0, sizeof(*waves));
}

// ---------------------------------------------------------------------------------------------------------------------
// Which tiles there are

static void tnrMarkPlace(tnrWaveLevel* level, int column, int row)
{
	const bool first = level->columnEnd == 0;
	level->columnBegin = first || column < level->columnBegin ? column : level->columnBegin;
	level->columnEnd = first || column >= level->columnEnd ? column + 1 : level->columnEnd;
	level->rowBegin = first || row < level->rowBegin ? row : level->rowBegin;
	level->rowEnd = first || row >= level->rowEnd ? row + 1 : level->rowEnd;
}

// What the index says of a tile; outside of the world there is none.
static int tnrFindTile(const tnrWaves* waves, int level, int column, int row)
{
	const tnrWaveLevel* of = &waves->levels[level];
	if (column < 0 || row < 0 || column >= of->columnCount || row >= of->rowCount)
	{
		return noTile;
	}
	return waves->index[(size_t)(of->firstRow + row) * (size_t)waves->indexColumns + (size_t)column];
}

static void tnrSetPlace(tnrWaves* waves, const tnWaveTileView* view, int16_t value)
{
	tnrWaveLevel* level = &waves->levels[view->level];
	const int place = (level->firstRow + view->row) * waves->indexColumns + view->column;
	waves->index[place] = value;
	waves->places[waves->placeCount++] = place;
	tnrMarkPlace(level, view->column, view->row);
}

static void tnrClearIndex(tnrWaves* waves)
{
	int level = waves->levelCount - 1;
	for (int i = 0; i < waves->placeCount; ++i)
	{
		const int place = waves->places[i], row = place / waves->indexColumns;
		// Coarse levels come first, and have the first rows.
		while (level > waves->firstLevel && row >= waves->levels[level].firstRow + waves->levels[level].rowCount)
		{
			--level;
		}
		waves->index[place] = noTile;
		tnrMarkPlace(&waves->levels[level], place % waves->indexColumns, row - waves->levels[level].firstRow);
	}
	waves->placeCount = 0;
	waves->slotCount = 0;
}

static void tnrFindTiles(tnrWaves* waves, const tnWorld* world)
{
	tnrClearIndex(waves);
	const int count = tnWorld_GetWaveTileCount(world);
	for (int i = 0; i < count && waves->placeCount < waves->placeCapacity; ++i)
	{
		tnWaveTileView view;
		if (tnWorld_GetWaveTile(world, i, &view).status != tn_ok || view.level < waves->firstLevel ||
			view.level >= waves->levelCount || view.column < 0 || view.row < 0 || view.size != tnr_waveTile ||
			view.column >= waves->levels[view.level].columnCount || view.row >= waves->levels[view.level].rowCount)
		{
			continue;
		}
		if (view.rests)
		{
			tnrSetPlace(waves, &view, tileRests);
		}
		else if (waves->slotCount < waves->slotCapacity)
		{
			waves->views[waves->slotCount] = view;
			tnrSetPlace(waves, &view, (int16_t)waves->slotCount++);
		}
	}
}

static void tnrUploadIndex(tnrWaves* waves)
{
	for (int i = waves->firstLevel; i < waves->levelCount; ++i)
	{
		tnrWaveLevel* level = &waves->levels[i];
		if (level->columnEnd > 0)
		{
			tnrUploadIndexRows(waves, level->columnBegin, level->firstRow + level->rowBegin,
				level->columnEnd - level->columnBegin, level->rowEnd - level->rowBegin);
			level->columnEnd = 0;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// What is in a tile

// Mean square slopes of blocks of cells, and the highest wave.
static void tnrMeasureTile(const tnWaveTileView* view, float* energies, float* highest)
{
	const float scale = 1.0f / (view->cellSize * view->cellSize * (float)(blockSize * (blockSize - 1)));
	for (int block = 0; block < blockCount; ++block)
	{
		const int column = block % tnr_waveBlocks * blockSize, row = block / tnr_waveBlocks * blockSize;
		const float* begin = view->heights + (ptrdiff_t)row * view->stride + column;
		float sum = 0.0f, most = 0.0f;
		for (int r = 0; r < blockSize; ++r)
		{
			const float* at = begin + (ptrdiff_t)r * view->stride;
			for (int c = 0; c < blockSize - 1; ++c)
			{
				sum += (at[c + 1] - at[c]) * (at[c + 1] - at[c]);
			}
			for (int c = 0; c < blockSize && r < blockSize - 1; ++c)
			{
				sum += (at[view->stride + c] - at[c]) * (at[view->stride + c] - at[c]);
			}
			for (int c = 0; c < blockSize; ++c)
			{
				const float height = fabsf(at[c]);
				most = height > most ? height : most;
			}
		}
		energies[block] = sum * scale;
		*highest = most > *highest ? most : *highest;
	}
}

// Slots of a tile and of those around it, or what the index says instead: [3 * (rows down + 1) + columns right + 1].
static void tnrLookAroundTile(const tnrWaves* waves, const tnWaveTileView* view, int around[9])
{
	for (int i = 0; i < 9; ++i)
	{
		around[i] = tnrFindTile(waves, view->level, view->column + i % 3 - 1, view->row + i / 3 - 1);
	}
}

// Some cells of a row as they were some time ago. @param from of which cells, NULL for a tile that rests
static void tnrCopyCells(const tnWaveTileView* from, int row, int column, int count, float ago, float* to)
{
	if (from == NULL)
	{
		memset(to, 0, (size_t)count * sizeof(float));
		return;
	}
	const float* heights = from->heights + (ptrdiff_t)row * from->stride + column;
	const float* rates = from->rates + (ptrdiff_t)row * from->stride + column;
	for (int i = 0; i < count; ++i)
	{
		to[i] = heights[i] - ago * rates[i];
	}
}

// A tile and what lies around it. Where nothing does, at the rim of a world for instance, its own waves go on level.
static void tnrCopyTile(const tnrWaves* waves, const int around[9], float ago, float* raw)
{
	for (int row = -rawMargin; row < tnr_waveTile + rawMargin; ++row)
	{
		int down = row < 0 ? 0 : (row >= tnr_waveTile ? 2 : 1);
		int cellRow = row - (down - 1) * tnr_waveTile;
		if (around[3 * down + 1] == noTile)
		{
			cellRow = down == 0 ? 0 : tnr_waveTile - 1;
			down = 1;
		}
		float* to = raw + (row + rawMargin) * rawSize;
		const int* slots = around + 3 * down;
		tnrCopyCells(slots[1] < 0 ? NULL : waves->views + slots[1], cellRow, 0, tnr_waveTile, ago, to + rawMargin);
		for (int side = 0; side < 2; ++side)
		{
			const int slot = slots[2 * side];
			float* margin = side == 0 ? to : to + rawMargin + tnr_waveTile;
			const float last = side == 0 ? to[rawMargin] : to[rawMargin + tnr_waveTile - 1];
			for (int i = 0; i < rawMargin && slot == noTile; ++i)
			{
				margin[i] = last;
			}
			if (slot != noTile)
			{
				tnrCopyCells(slot < 0 ? NULL : waves->views + slot, cellRow, side == 0 ? tnr_waveTile - rawMargin : 0,
					rawMargin, ago, margin);
			}
		}
	}
}

// Make waves steeper by what splines will take from them. Raw is used up.
static void tnrSharpen(float* raw, float* sharp)
{
	const float middle = 8.0f / 6.0f, side = 1.0f / 6.0f;
	for (int row = 0; row < rawSize; ++row)
	{
		float* at = raw + row * rawSize;
		// Each is written one place to the left of its neighbours, which have been read.
		for (int i = 0; i < sharpSize; ++i)
		{
			at[i] = middle * at[i + 1] - side * (at[i] + at[i + 2]);
		}
	}
	for (int row = 0; row < sharpSize; ++row)
	{
		const float* at = raw + row * rawSize;
		for (int i = 0; i < sharpSize; ++i)
		{
			sharp[row * sharpSize + i] = middle * at[rawSize + i] - side * (at[i] + at[2 * rawSize + i]);
		}
	}
}

// Mean square slopes along a row of cells, linear between the middles of blocks. The first is that of the cell half a
// block before the tile.
static void tnrSpreadEnergies(const tnrWaves* waves, const int around[9], int row, float* out)
{
	const float place = ((float)(row - tnr_waveBorder) + 0.5f) / blockSize - 0.5f;
	const int first = (int)floorf(place);
	const float share = place - (float)first;
	float blocks[tnr_waveBlocks + 2];
	for (int block = -1; block <= tnr_waveBlocks; ++block)
	{
		const int right = block < 0 ? 0 : (block >= tnr_waveBlocks ? 2 : 1);
		float pair[2];
		for (int i = 0; i < 2; ++i)
		{
			const int blockRow = first + i, down = blockRow < 0 ? 0 : (blockRow >= tnr_waveBlocks ? 2 : 1);
			const int slot = around[3 * down + right];
			const int at =
				(blockRow - (down - 1) * tnr_waveBlocks) * tnr_waveBlocks + block - (right - 1) * tnr_waveBlocks;
			pair[i] = slot < 0 ? 0.0f : waves->energies[(size_t)slot * blockCount + (size_t)at];
		}
		blocks[block + 1] = tnrMix(pair[0], pair[1], share);
	}
	for (int block = 0; block <= tnr_waveBlocks; ++block)
	{
		const float step = (blocks[block + 1] - blocks[block]) / blockSize;
		for (int i = 0; i < blockSize; ++i)
		{
			out[block * blockSize + i] = blocks[block] + ((float)i + 0.5f) * step;
		}
	}
}

// As tnrMakeHalf, of a row of texels, without branches: a compiler can do many at once.
static void tnrMakeHalves(const float* from, uint16_t* to)
{
	int32_t bits[tnr_waveSlot];
	memcpy(bits, from, sizeof(bits));
	for (int i = 0; i < tnr_waveSlot; ++i)
	{
		int32_t half = ((bits[i] & 0x7FFFFFFF) - (0x38000000 - 0x1000)) >> 13;
		half = half > 0x7BFF ? 0x7BFF : half;
		half = half < 0x400 ? 0 : half;
		bits[i] = half | ((bits[i] >> 16) & 0x8000);
	}
	for (int i = 0; i < tnr_waveSlot; ++i)
	{
		to[i] = (uint16_t)bits[i];
	}
}

static void tnrPackTile(tnrWaves* waves, int slot, float ago, uint16_t* texels)
{
	const tnWaveTileView* view = &waves->views[slot];
	int around[9];
	tnrLookAroundTile(waves, view, around);
	float* raw = waves->scratch;
	float* sharp = waves->scratch + rawSize * rawSize;
	tnrCopyTile(waves, around, ago, raw);
	tnrSharpen(raw, sharp);
	// Differences of fourth order: those of second order would make short waves flat.
	const float near = 8.0f / (12.0f * view->cellSize), far = 1.0f / (12.0f * view->cellSize);
	for (int row = 0; row < tnr_waveSlot; ++row)
	{
		float channels[3][tnr_waveSlot], energies[(tnr_waveBlocks + 1) * blockSize];
		uint16_t halves[4][tnr_waveSlot];
		const float* at = sharp + (row + slopeReach) * sharpSize + slopeReach;
		for (int i = 0; i < tnr_waveSlot; ++i)
		{
			const float* p = at + i;
			channels[0][i] = p[0];
			channels[1][i] = near * (p[1] - p[-1]) - far * (p[2] - p[-2]);
			channels[2][i] = near * (p[sharpSize] - p[-sharpSize]) - far * (p[2 * sharpSize] - p[-2 * sharpSize]);
		}
		tnrSpreadEnergies(waves, around, row, energies);
		for (int channel = 0; channel < 3; ++channel)
		{
			tnrMakeHalves(channels[channel], halves[channel]);
		}
		tnrMakeHalves(energies + blockSize / 2 - tnr_waveBorder, halves[3]);
		uint16_t* to = texels + (size_t)row * (size_t)waves->slotsPerRow * tnr_waveSlot * 4;
		for (int i = 0; i < tnr_waveSlot; ++i)
		{
			for (int channel = 0; channel < 4; ++channel)
			{
				to[4 * i + channel] = halves[channel][i];
			}
		}
	}
}

static void tnrUploadTiles(tnrWaves* waves, float ago)
{
	const int perRow = waves->slotsPerRow, perLayer = tnrGetSlotsPerLayer(waves);
	const int layers = (waves->slotCount + perLayer - 1) / perLayer;
	if (layers > waves->layerCount)
	{
		// Rarely, and in leaps. All that it held is written anew anyway.
		tnrMakeAtlas(waves, layers > 2 * waves->layerCount ? layers : 2 * waves->layerCount);
	}
	tnrBindArray(tnr_waveTileUnit, waves->tileTexture);
	glPixelStorei(GL_UNPACK_ROW_LENGTH, perRow * tnr_waveSlot);
	for (int first = 0; first < waves->slotCount; first += perRow)
	{
		const int count = waves->slotCount - first < perRow ? waves->slotCount - first : perRow;
		for (int i = 0; i < count; ++i)
		{
			tnrPackTile(waves, first + i, ago, waves->texels + (size_t)i * tnr_waveSlot * 4);
		}
		glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, first % perLayer / perRow * tnr_waveSlot, first / perLayer,
			count * tnr_waveSlot, tnr_waveSlot, 1, GL_RGBA, GL_HALF_FLOAT, waves->texels);
	}
	glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

// ---------------------------------------------------------------------------------------------------------------------
// Ripples

static bool tnrMakeRipples(tnrWaves* waves, const tnRippleView* view)
{
	const int columns = view->energy.columnCount, rows = view->energy.rowCount;
	if (waves->rippleTexture != 0 && waves->rippleColumns == columns && waves->rippleRows == rows)
	{
		return true;
	}
	glDeleteTextures(1, &waves->rippleTexture);
	free(waves->rippleTexels);
	waves->rippleTexture = 0;
	waves->rippleTexels = malloc((size_t)columns * (size_t)rows * 4 * sizeof(uint16_t));
	GLint largest = 0;
	glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
	if (waves->rippleTexels == NULL || columns > largest || rows > largest)
	{
		return false;
	}
	glActiveTexture(GL_TEXTURE0 + tnr_rippleFieldUnit);
	waves->rippleTexture = tnrMakeTexture(GL_RGBA16F, columns, rows, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	waves->rippleColumns = columns;
	waves->rippleRows = rows;
	return true;
}

// Root mean square height and direction by cell.
static void tnrUploadRipples(tnrWaves* waves, const tnRippleView* view)
{
	const bool any = view->energy.data != NULL && view->directionX.data != NULL && view->directionZ.data != NULL &&
		view->cellSize > 0.0f && view->energy.columnCount > 0 && view->energy.rowCount > 0;
	waves->rippleCellSize = 0.0f;
	if (any == false || tnrMakeRipples(waves, view) == false)
	{
		return;
	}
	waves->rippleCellSize = view->cellSize;
	for (int row = 0; row < waves->rippleRows; ++row)
	{
		const float* energies = view->energy.data + (size_t)row * (size_t)view->energy.stride;
		const float* x = view->directionX.data + (size_t)row * (size_t)view->directionX.stride;
		const float* z = view->directionZ.data + (size_t)row * (size_t)view->directionZ.stride;
		uint16_t* to = waves->rippleTexels + (size_t)row * (size_t)waves->rippleColumns * 4;
		for (int column = 0; column < waves->rippleColumns; ++column)
		{
			const float energy = energies[column] > 0.0f ? energies[column] : 0.0f;
			// In millimeters: halves are coarse below a tenth of one.
			to[4 * column] = tnrMakeHalf(1000.0f * sqrtf(energy));
			to[4 * column + 1] = tnrMakeHalf(x[column]);
			to[4 * column + 2] = tnrMakeHalf(z[column]);
			to[4 * column + 3] = 0;
		}
	}
	tnrBindTexture(tnr_rippleFieldUnit, waves->rippleTexture);
	glTexSubImage2D(
		GL_TEXTURE_2D, 0, 0, 0, waves->rippleColumns, waves->rippleRows, GL_RGBA, GL_HALF_FLOAT, waves->rippleTexels);
}

// ---------------------------------------------------------------------------------------------------------------------
// Update

// How long the last step was: worlds do not say, but their clocks do.
static void tnrFindTimeStep(tnrWaves* waves, const tnWorld* world)
{
	const double time = tnWorld_GetTime(world);
	const int64_t stepCount = tnWorld_GetStats(world).stepCount;
	if (stepCount > waves->stepCount && time > waves->time)
	{
		waves->timeStep = (float)((time - waves->time) / (double)(stepCount - waves->stepCount));
	}
	waves->time = time;
	waves->stepCount = stepCount;
}

void tnrUpdateWaves(tnrWaves* waves, const tnWorld* world, float alpha)
{
	if (waves->any == false)
	{
		return;
	}
	tnrFindTimeStep(waves, world);
	tnrFindTiles(waves, world);
	for (int i = 0; i < waves->levelCount; ++i)
	{
		waves->levels[i].highest = 0.0f;
	}
	for (int slot = 0; slot < waves->slotCount; ++slot)
	{
		tnrMeasureTile(&waves->views[slot], waves->energies + (size_t)slot * blockCount,
			&waves->levels[waves->views[slot].level].highest);
	}
	waves->highest = 0.0f;
	for (int i = 0; i < waves->levelCount; ++i)
	{
		waves->highest += waves->levels[i].highest;
	}
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	tnrUploadTiles(waves, waves->keepsPrevious ? (1.0f - alpha) * waves->timeStep : 0.0f);
	tnrUploadIndex(waves);
	const tnRippleView ripples = tnWorld_GetRipples(world);
	tnrUploadRipples(waves, &ripples);
}

float tnrGetFinestWaveCell(const tnrWaves* waves)
{
	// Coarse levels come first.
	return waves->slotCount > 0 ? waves->views[waves->slotCount - 1].cellSize : 0.0f;
}

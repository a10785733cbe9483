// SPDX-License-Identifier: MIT

// The ground on the GPU: heights, normals and buildings, and what edits change of them.

#include "ground/ground.h"

#include "gl/vectors.h"

#include <stdlib.h>
#include <string.h>

// Buildings are terrain as well. To give them walls and roofs they are looked for once: a piece of even ground, not
// too large, that stands out steeply on nearly all sides.

// Steps between neighbours of one piece are gentler than this, steps down from a building steeper (rise over run).
#define GENTLE_STEP 0.3f
#define STEEP_STEP 0.8f
// Lowest building, meters, largest one as a share of the world, and the share of its rim that must be steep.
#define LOWEST_WALL 0.6f
#define LARGEST_BUILDING 0.02f
#define STEEP_SHARE 0.85f
// Something thinner than this is a wall or a pillar, not a house, meters.
#define THINNEST_HOUSE 2.2f

// Share of dry ground that may lie below the level of the water before that is taken for a reservoir.
#define LOW_LAND 0.2f
// Hills lower than this are green to the top, and white, meters above the water.
#define LOWEST_TREE_LINE 50.0f
#define LOWEST_SNOW_LINE 80.0f

typedef struct Piece
{
	int cellCount, rimCount, steepCount;
	// The cells around it, and the heights of its own and of those beside it.
	int lowColumn, lowRow, highColumn, highRow;
	float top, foot;
	double street;
} Piece;

// Grow a piece from a cell over gentle steps. Cells of it are put into the queue and marked.
static Piece tnrGrowPiece(const tnrGround* ground, int start, int* queue, uint8_t* marks)
{
	static const int offsets[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
	const int columns = ground->columnCount, rows = ground->rowCount;
	const float gentle = GENTLE_STEP * ground->cellSize;
	const float steep = fmaxf(STEEP_STEP * ground->cellSize, LOWEST_WALL);
	Piece piece = {.cellCount = 1, .lowColumn = columns, .lowRow = rows, .top = -INFINITY, .foot = INFINITY};
	queue[0] = start;
	marks[start] = 1;
	for (int head = 0; head < piece.cellCount; ++head)
	{
		const int cell = queue[head], column = cell % columns, row = cell / columns;
		piece.lowColumn = column < piece.lowColumn ? column : piece.lowColumn;
		piece.highColumn = column >= piece.highColumn ? column + 1 : piece.highColumn;
		piece.lowRow = row < piece.lowRow ? row : piece.lowRow;
		piece.highRow = row >= piece.highRow ? row + 1 : piece.highRow;
		piece.top = fmaxf(piece.top, ground->bed[cell]);
		for (int side = 0; side < 4; ++side)
		{
			const int c = column + offsets[side][0], r = row + offsets[side][1];
			if (c < 0 || r < 0 || c >= columns || r >= rows)
			{
				continue;
			}
			const int other = r * columns + c;
			const float step = ground->bed[cell] - ground->bed[other];
			if (fabsf(step) <= gentle)
			{
				if (marks[other] == 0)
				{
					marks[other] = 1;
					queue[piece.cellCount++] = other;
				}
			}
			else
			{
				++piece.rimCount;
				piece.steepCount += step >= steep ? 1 : 0;
				piece.street += (double)ground->bed[other];
				piece.foot = fminf(piece.foot, ground->bed[other]);
			}
		}
	}
	return piece;
}

// For shadows.
static void tnrRaiseRoof(tnrGround* ground, const tnrHouse* house)
{
	for (int row = house->lowRow; row < house->highRow; ++row)
	{
		for (int column = house->lowColumn; column < house->highColumn; ++column)
		{
			const int cell = row * ground->columnCount + column;
			const float x = ((float)column + 0.5f) * ground->cellSize, z = ((float)row + 0.5f) * ground->cellSize;
			ground->rise[cell] = tnrGetRoofRise(house, ground->cellSize, x, z);
		}
	}
}

// A rectangle of ground gets a roof, if it is a house.
static void tnrRoofPiece(tnrGround* ground, const Piece* piece, uint8_t name)
{
	const int width = piece->highColumn - piece->lowColumn, length = piece->highRow - piece->lowRow;
	if (width * length != piece->cellCount)
	{
		return;
	}
	const tnrHouse house = {
		.lowColumn = piece->lowColumn,
		.lowRow = piece->lowRow,
		.highColumn = piece->highColumn,
		.highRow = piece->highRow,
		.top = piece->top,
		.street = (float)(piece->street / piece->rimCount),
		.foot = piece->foot,
		.name = (float)name / 255.0f,
	};
	if (tnrAddHouse(&ground->houses, &house, ground->cellSize) == false)
	{
		return;
	}
	tnrRaiseRoof(ground, &house);
}

static void tnrFindBuildings(tnrGround* ground)
{
	const int cellCount = ground->columnCount * ground->rowCount;
	const int largest = (int)(LARGEST_BUILDING * (float)cellCount);
	int* queue = malloc(sizeof(int) * (size_t)cellCount);
	uint8_t* marks = calloc((size_t)cellCount, 1);
	memset(ground->built, 0, (size_t)cellCount * 4);
	for (int start = 0; start < cellCount && queue != NULL && marks != NULL; ++start)
	{
		if (marks[start] != 0)
		{
			continue;
		}
		const Piece piece = tnrGrowPiece(ground, start, queue, marks);
		if (piece.cellCount < 4 || piece.cellCount > largest || piece.rimCount == 0 ||
			(float)piece.steepCount < STEEP_SHARE * (float)piece.rimCount)
		{
			continue;
		}
		// Twice the area over the rim: the width of a long wall, about half of that of a square house.
		const float breadth = 2.0f * (float)piece.cellCount / (float)piece.rimCount * ground->cellSize;
		const uint8_t hash = (uint8_t)(((uint32_t)start * 2654435761u) >> 24);
		const uint8_t name = breadth < THINNEST_HOUSE ? 0 : (uint8_t)(hash > 16 ? hash : 16);
		for (int i = 0; i < piece.cellCount; ++i)
		{
			ground->built[4 * queue[i]] = 255;
			ground->built[4 * queue[i] + 1] = name;
		}
		if (name > 0)
		{
			tnrRoofPiece(ground, &piece, name);
		}
	}
	free(queue);
	free(marks);
}

// Vertices stand on cell centres, so a wall would lean over a whole cell. Those on both sides of it move towards the
// border between the cells, where the wall is.
static void tnrShiftVertices(tnrGround* ground, int firstRow, int lastRow)
{
	// Nearly half a cell, in 255ths of one.
	const int reach = 110;
	for (int row = firstRow; row <= lastRow; ++row)
	{
		for (int column = 0; column < ground->columnCount; ++column)
		{
			uint8_t* cell = ground->built + ((size_t)row * (size_t)ground->columnCount + (size_t)column) * 4;
			int x = 0, z = 0;
			for (int side = 0; side < 9; ++side)
			{
				const int c = column + side % 3 - 1, r = row + side / 3 - 1;
				if (c >= 0 && r >= 0 && c < ground->columnCount && r < ground->rowCount &&
					ground->built[((size_t)r * (size_t)ground->columnCount + (size_t)c) * 4] != cell[0])
				{
					x += side % 3 - 1;
					z += side / 3 - 1;
				}
			}
			cell[2] = (uint8_t)(128 + reach * tnrClampInt(x, -1, 1));
			cell[3] = (uint8_t)(128 + reach * tnrClampInt(z, -1, 1));
		}
	}
}

// Heights that a share of the values lie below, from a histogram.
static float tnrFindQuantile(const float* values, int count, float low, float high, float share)
{
	enum
	{
		binCount = 256
	};
	int bins[binCount] = {0};
	const float scale = high > low ? (binCount - 1) / (high - low) : 0.0f;
	int counted = 0;
	for (int i = 0; i < count; ++i)
	{
		if (isfinite(values[i]))
		{
			++bins[tnrClampInt((int)((values[i] - low) * scale), 0, binCount - 1)];
			++counted;
		}
	}
	int below = 0, bin = 0;
	while (bin < binCount - 1 && (float)(below + bins[bin]) < share * (float)counted)
	{
		below += bins[bin++];
	}
	return scale > 0.0f ? low + (float)bin / scale : low;
}

// Sand lies up to a little above most of the water; grass up to where mountains begin, snow on the tops of high ones.
static void tnrChooseLevels(tnrGround* ground, const tnWorld* world, const tnrGroundDef* def)
{
	const int columns = ground->columnCount, rows = ground->rowCount;
	const tnFieldView depth = tnWorld_GetDepth(world);
	float* surfaces = ground->scratch;
	float* dry = ground->scratch + (size_t)columns * (size_t)rows;
	int wetCount = 0, dryCount = 0;
	for (int row = 0; row < rows; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			const float d = depth.data[(size_t)row * (size_t)depth.stride + (size_t)column];
			if (d > 0.05f)
			{
				surfaces[wetCount++] = ground->bed[row * columns + column] + d;
			}
			else
			{
				dry[dryCount++] = ground->bed[row * columns + column];
			}
		}
	}
	const float range = ground->high - ground->low;
	const float lowGround = tnrFindQuantile(ground->bed, columns * rows, ground->low, ground->high, 0.02f);
	const float water =
		wetCount > 0 ? tnrFindQuantile(surfaces, wetCount, ground->low, ground->high, 0.4f) : lowGround - 0.05f * range;
	const float band = tnrClamp(0.02f * range, 0.1f, 1.2f);
	// Below the level of a reservoir lies dry land that never was a beach.
	const bool hasLowLand = tnrFindQuantile(dry, dryCount, ground->low, ground->high, LOW_LAND) < water + band;
	const float beach = hasLowLand ? lowGround - band : water + band;
	ground->beachLevel = isfinite(def->beachLevel) ? def->beachLevel : beach;
	const float base = water > lowGround ? water : lowGround;
	const float mountain = fmaxf(LOWEST_TREE_LINE, 0.6f * (ground->high - base));
	ground->treeLine = isfinite(def->treeLine) ? def->treeLine : base + mountain;
	ground->snowLine =
		isfinite(def->snowLine) ? def->snowLine : base + fmaxf(LOWEST_SNOW_LINE, 0.75f * (ground->high - base));
	ground->rockSlope = def->rockSlope > 0.0f ? def->rockSlope : tnrDefaultGroundDef().rockSlope;
}

static void tnrMeasureGround(tnrGround* ground)
{
	ground->low = INFINITY;
	ground->high = -INFINITY;
	for (int i = 0; i < ground->columnCount * ground->rowCount; ++i)
	{
		ground->low = fminf(ground->low, ground->bed[i]);
		ground->high = fmaxf(ground->high, ground->bed[i]);
	}
}

static void tnrMakeGroundTextures(tnrGround* ground, const tnrGroundDef* def)
{
	const int columns = ground->columnCount, rows = ground->rowCount;
	ground->bedTexture = tnrMakeTexture(GL_R32F, columns, rows, 1, GL_NEAREST, GL_CLAMP_TO_EDGE);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, columns, rows, GL_RED, GL_FLOAT, ground->bed);
	ground->groundTexture = tnrMakeTexture(GL_RGBA16F, columns, rows, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	ground->builtTexture = tnrMakeTexture(GL_RGBA8, columns, rows, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, columns, rows, GL_RGBA, GL_UNSIGNED_BYTE, ground->built);
	ground->hasBlend = def->blendMap != NULL && def->blendWidth > 0 && def->blendHeight > 0;
	const int width = ground->hasBlend ? def->blendWidth : 1, height = ground->hasBlend ? def->blendHeight : 1;
	ground->blendTexture = tnrMakeTexture(GL_RGBA8, width, height, 1, GL_LINEAR, GL_CLAMP_TO_EDGE);
	if (ground->hasBlend)
	{
		glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, def->blendMap);
	}
}

// Pictures of the host.
static void tnrMakeTiles(tnrGround* ground, const tnrGroundDef* def)
{
	const int side = def->textureSide, layerCount = 4;
	for (int i = 0; i < layerCount; ++i)
	{
		ground->tileMask |= def->textures[i] != NULL && side >= 1 && side <= 4096 ? 1 << i : 0;
	}
	ground->tilesPerMeter = def->textureSize > 0.0f ? 1.0f / def->textureSize : 0.25f;
	if (ground->tileMask == 0)
	{
		// Something must be bound, or browsers complain.
		glGenTextures(1, &ground->tileTexture);
		tnrBindArray(tnr_groundTileUnit, ground->tileTexture);
		tnrStoreTexture(GL_TEXTURE_2D_ARRAY, GL_RGBA8, 1, 1, 1, 1);
		return;
	}
	int levelCount = 1;
	while (side >> levelCount > 0)
	{
		++levelCount;
	}
	glGenTextures(1, &ground->tileTexture);
	tnrBindArray(tnr_groundTileUnit, ground->tileTexture);
	tnrStoreTexture(GL_TEXTURE_2D_ARRAY, GL_SRGB8_ALPHA8, side, side, layerCount, levelCount);
	glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
	glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_REPEAT);
	glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_REPEAT);
	const size_t count = (size_t)side * (size_t)side;
	uint8_t* pixels = malloc(count * 4);
	if (pixels == NULL)
	{
		ground->tileMask = 0;
		return;
	}
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	for (int layer = 0; layer < layerCount; ++layer)
	{
		const uint8_t* from = (ground->tileMask >> layer & 1) != 0 ? def->textures[layer] : NULL;
		for (size_t i = 0; i < count; ++i)
		{
			for (size_t channel = 0; channel < 3; ++channel)
			{
				pixels[4 * i + channel] = from != NULL ? from[3 * i + channel] : 0;
			}
			pixels[4 * i + 3] = 255;
		}
		glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, side, side, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	}
	free(pixels);
	glGenerateMipmap(GL_TEXTURE_2D_ARRAY);
}

bool tnrMakeGround(tnrGround* ground, const tnWorld* world, const tnrGroundDef* def)
{
	const tnFieldView bed = tnWorld_GetBed(world);
	const size_t cellCount = (size_t)bed.columnCount * (size_t)bed.rowCount;
	*ground = (tnrGround){.columnCount = bed.columnCount,
		.rowCount = bed.rowCount,
		.cellSize = tnWorld_GetDef(world).cellSize,
		.lightIsStale = true};
	ground->bed = malloc(cellCount * sizeof(float));
	ground->sky = malloc(cellCount * sizeof(float));
	ground->sun = malloc(cellCount * sizeof(float));
	ground->scratch = malloc(cellCount * sizeof(float) * 2);
	ground->built = malloc(cellCount * 4);
	ground->halves = malloc(cellCount * sizeof(uint16_t) * 4);
	ground->rise = calloc(cellCount, sizeof(float));
	if (ground->bed == NULL || ground->sky == NULL || ground->sun == NULL || ground->scratch == NULL ||
		ground->built == NULL || ground->halves == NULL || ground->rise == NULL)
	{
		tnrForgetGround(ground);
		return false;
	}
	for (int row = 0; row < bed.rowCount; ++row)
	{
		memcpy(ground->bed + (size_t)row * (size_t)bed.columnCount, bed.data + (size_t)row * (size_t)bed.stride,
			(size_t)bed.columnCount * sizeof(float));
	}
	tnrMeasureGround(ground);
	tnrChooseLevels(ground, world, def);
	tnrFindBuildings(ground);
	tnrShiftVertices(ground, 0, ground->rowCount - 1);
	tnrMakeGroundTextures(ground, def);
	tnrMakeTiles(ground, def);
	return true;
}

void tnrDestroyGround(tnrGround* ground)
{
	glDeleteTextures(1, &ground->bedTexture);
	glDeleteTextures(1, &ground->groundTexture);
	glDeleteTextures(1, &ground->builtTexture);
	glDeleteTextures(1, &ground->blendTexture);
	glDeleteTextures(1, &ground->tileTexture);
	tnrDestroyHouses(&ground->houses);
	tnrForgetGround(ground);
}

void tnrForgetGround(tnrGround* ground)
{
	free(ground->bed);
	free(ground->sky);
	free(ground->sun);
	free(ground->scratch);
	free(ground->built);
	free(ground->halves);
	free(ground->rise);
	tnrForgetHouses(&ground->houses);
	memset(ground, 0, sizeof(*ground));
}

// A house that was dug at or buried is ground again, cell by cell.
static void tnrTakeOverRow(tnrGround* ground, int row, const float* heights)
{
	float* kept = ground->bed + (size_t)row * (size_t)ground->columnCount;
	uint8_t* built = ground->built + (size_t)row * (size_t)ground->columnCount * 4;
	for (int column = 0; column < ground->columnCount; ++column)
	{
		if (kept[column] != heights[column])
		{
			kept[column] = heights[column];
			built[4 * column] = built[4 * column + 1] = 0;
		}
	}
}

// Of houses that are none any more.
static void tnrDropRoofs(tnrGround* ground)
{
	if (tnrDropHouses(&ground->houses, ground->built, ground->columnCount) == false)
	{
		return;
	}
	memset(ground->rise, 0, (size_t)ground->columnCount * (size_t)ground->rowCount * sizeof(float));
	for (int i = 0; i < ground->houses.count; ++i)
	{
		tnrRaiseRoof(ground, &ground->houses.items[i]);
	}
}

static uint64_t tnrSumEdits(const tnSurface* surface)
{
	uint64_t sum = 0;
	for (int i = 0; i < tnSurface_GetTileCount(surface); ++i)
	{
		tnSurfaceTile tile;
		tnSurface_GetTile(surface, i, &tile);
		sum += tile.edits;
	}
	return sum;
}

bool tnrUpdateGround(tnrGround* ground, const tnWorld* world, const tnSurface* surface)
{
	const tnFieldView bed = tnWorld_GetBed(world);
	const uint64_t edits = tnrSumEdits(surface);
	if (edits == ground->edits)
	{
		return false;
	}
	ground->edits = edits;
	const size_t columns = (size_t)ground->columnCount;
	int first = ground->rowCount, last = -1;
	for (int row = 0; row < ground->rowCount; ++row)
	{
		const float* heights = bed.data + (size_t)row * (size_t)bed.stride;
		if (memcmp(ground->bed + (size_t)row * columns, heights, columns * sizeof(float)) != 0)
		{
			tnrTakeOverRow(ground, row, heights);
			first = row < first ? row : first;
			last = row;
		}
	}
	if (last < 0)
	{
		return false;
	}
	const size_t begin = (size_t)first * columns;
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	tnrBindTexture(tnr_bedUnit, ground->bedTexture);
	glTexSubImage2D(
		GL_TEXTURE_2D, 0, 0, first, ground->columnCount, last - first + 1, GL_RED, GL_FLOAT, ground->bed + begin);
	tnrBindTexture(tnr_builtUnit, ground->builtTexture);
	first = first > 0 ? first - 1 : first;
	last = last < ground->rowCount - 1 ? last + 1 : last;
	tnrShiftVertices(ground, first, last);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, first, ground->columnCount, last - first + 1, GL_RGBA, GL_UNSIGNED_BYTE,
		ground->built + (size_t)first * columns * 4);
	tnrMeasureGround(ground);
	tnrDropRoofs(ground);
	ground->lightIsStale = true;
	return true;
}

static void tnrUploadLight(tnrGround* ground)
{
	const int columns = ground->columnCount, rows = ground->rowCount;
	const float* bed = ground->bed;
	for (int row = 0; row < rows; ++row)
	{
		const int north = (row > 0 ? row - 1 : row) * columns, south = (row < rows - 1 ? row + 1 : row) * columns;
		for (int column = 0; column < columns; ++column)
		{
			const int west = column > 0 ? column - 1 : column, east = column < columns - 1 ? column + 1 : column;
			const int cell = row * columns + column;
			const float gx = (bed[row * columns + east] - bed[row * columns + west]) / (2.0f * ground->cellSize);
			const float gz = (bed[south + column] - bed[north + column]) / (2.0f * ground->cellSize);
			const float scale = 1.0f / sqrtf(1.0f + gx * gx + gz * gz);
			uint16_t* texel = ground->halves + (size_t)cell * 4;
			texel[0] = tnrMakeHalf(-gx * scale);
			texel[1] = tnrMakeHalf(-gz * scale);
			texel[2] = tnrMakeHalf(ground->sky[cell]);
			texel[3] = tnrMakeHalf(ground->sun[cell]);
		}
	}
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	tnrBindTexture(tnr_groundUnit, ground->groundTexture);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, columns, rows, GL_RGBA, GL_HALF_FLOAT, ground->halves);
}

void tnrLightGround(tnrGround* ground, tnVec3 sunDirection)
{
	const bool sunMoved = tnrLength(tnrSubtract(sunDirection, ground->sunDirection)) > 1.0e-4f;
	if (ground->lightIsStale == false && sunMoved == false)
	{
		return;
	}
	if (ground->lightIsStale)
	{
		tnrOpenSky(ground);
	}
	tnrSweepSun(ground, sunDirection);
	tnrUploadLight(ground);
	ground->sunDirection = sunDirection;
	ground->lightIsStale = false;
}

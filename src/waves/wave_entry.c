// SPDX-License-Identifier: MIT

// Displacements of the surface enter all bands that are there, each by itself.
//
// Small ones are averaged to cells of the finest level and decomposed in scratch memory, whether that level has tiles
// there or not (wave_filter.c), but only where some tile sees what comes out; large ellipses are stamped into each band
// (wave_stamp.c). Which of the two depends on the size alone, so what a band gets does not depend on who else is there.
//
// The layer has no volume: what a band gets has the sum zero. The filters see to that where all of a band's support has
// tiles, no wall and no fading edge. Elsewhere, with w in [0, 1] the window of the tile (0 without a tile, and in walls),
//
//   added = w d - c w b,    c = sum(w d) / sum(w b),    b = (1 - u^2)^2 (1 - v^2)^2,    u, v in [-1, 1] over the support
//
// In the coarsest band the volume of the displacement goes the same way. Sums are integers, so they do not depend on the
// order of cells, and mirrored displacements have mirrored bits.

#include "wave_entry.h"

#include <math.h>
#include <string.h>

// Values are summed in 2^-40 of the largest; 2^22 of them fit into 63 bits, and what is cut off is below 10^-12 each.
#define TN_SUM_UNIT 1099511627776.0
// Weight of the correction at the ends of a support, before it is squared: small, but a part may have nothing but ends.
#define TN_END_WEIGHT (1.0f / 1024.0f)
// Beyond that ellipses are nowhere near any world, and cells no longer integers, m and cells.
#define TN_FAR_CELL 268435456.0

enum
{
	// The stamps of wave_stamp.c reach out so far: their own reach, and that of the next coarser level.
	tnStampMargin = 2 * TN_WAVE_STAMP_REACH + 8,
};

// ---------------------------------------------------------------------------------------------------------------------
// Tiles below a box

// The cells that a box of a level and a tile have in common.
typedef struct tnBandPart
{
	int slot;
	int column, row; // of the first of them, as the box counts: not wrapped
	int columnCount, rowCount;
	ptrdiff_t cell; // of the first of them, in fields of the tile
} tnBandPart;

typedef struct tnBandCursor
{
	const tnWavePool* pool;
	int level;
	tnWaveBox box;
	int columnBegin, columnEnd, rowEnd; // of tiles
	int column, row;
	int onlyRow; // of tiles, wrapped; -1 for all
} tnBandCursor;

static int tnGetTileCount(int cellCount)
{
	return (cellCount + TN_WAVE_TILE - 1) / TN_WAVE_TILE;
}

static tnBandCursor tnBeginParts(const tnWavePool* pool, int level, tnWaveBox box)
{
	tnBandCursor cursor = {.pool = pool, .level = level, .box = box, .onlyRow = -1};
	cursor.columnBegin = tnGetWaveTileOf(box.column);
	cursor.columnEnd = tnGetWaveTileOf(box.column + box.columnCount - 1) + 1;
	cursor.row = tnGetWaveTileOf(box.row);
	cursor.rowEnd = tnGetWaveTileOf(box.row + box.rowCount - 1) + 1;
	// A support that is wider than a wrapped world counts once on each side, and no more often.
	const int across = tnGetTileCount(pool->columnCount[level]);
	const int down = tnGetTileCount(pool->rowCount[level]);
	const int spareX = pool->wrapX[level] ? across : 0;
	const int spareZ = pool->wrapZ[level] ? down : 0;
	cursor.columnBegin = tnMaxInt(cursor.columnBegin, -spareX);
	cursor.columnEnd = tnMinInt(cursor.columnEnd, across + spareX);
	cursor.row = tnMaxInt(cursor.row, -spareZ);
	cursor.rowEnd = tnMinInt(cursor.rowEnd, down + spareZ);
	cursor.column = cursor.columnBegin;
	return cursor;
}

// Rows that are as far apart as the world is high are the same.
static bool tnIsRowWanted(const tnBandCursor* cursor)
{
	const int rowCount = tnGetTileCount(cursor->pool->rowCount[cursor->level]);
	return cursor->onlyRow < 0 || (cursor->row - cursor->onlyRow) % rowCount == 0;
}

static bool tnNextPart(tnBandCursor* cursor, tnBandPart* part)
{
	while (cursor->row < cursor->rowEnd)
	{
		if (cursor->column >= cursor->columnEnd || !tnIsRowWanted(cursor))
		{
			cursor->column = cursor->columnBegin;
			cursor->row += 1;
			continue;
		}
		const int column = cursor->column;
		const int row = cursor->row;
		cursor->column += 1;
		const int slot = tnWavePool_Find(cursor->pool, cursor->level, column, row);
		if (slot < 0 || cursor->pool->tiles[slot].retiring)
		{
			continue;
		}
		const tnWaveBox* box = &cursor->box;
		const int columnBegin = tnMaxInt(box->column, column * TN_WAVE_TILE);
		const int rowBegin = tnMaxInt(box->row, row * TN_WAVE_TILE);
		const int columnEnd = tnMinInt(box->column + box->columnCount, (column + 1) * TN_WAVE_TILE);
		const int rowEnd = tnMinInt(box->row + box->rowCount, (row + 1) * TN_WAVE_TILE);
		*part = (tnBandPart){slot, columnBegin, rowBegin, columnEnd - columnBegin, rowEnd - rowBegin,
			(ptrdiff_t)(rowBegin - row * TN_WAVE_TILE) * TN_WAVE_STRIDE + (columnBegin - column * TN_WAVE_TILE)};
		return true;
	}
	return false;
}

static bool tnHasParts(const tnWavePool* pool, int level, tnWaveBox box)
{
	tnBandCursor cursor = tnBeginParts(pool, level, box);
	tnBandPart part;
	return tnNextPart(&cursor, &part);
}

static tnWaveBox tnJoinWaveBoxes(tnWaveBox a, tnWaveBox b)
{
	if (!tnHasWaveCells(a) || !tnHasWaveCells(b))
	{
		return tnHasWaveCells(a) ? a : b;
	}
	const int column = tnMinInt(a.column, b.column);
	const int row = tnMinInt(a.row, b.row);
	return (tnWaveBox){column, row, tnMaxInt(a.column + a.columnCount, b.column + b.columnCount) - column,
		tnMaxInt(a.row + a.rowCount, b.row + b.rowCount) - row};
}

// The box around all parts.
static tnWaveBox tnGetPartsBox(const tnWavePool* pool, int level, tnWaveBox box)
{
	tnWaveBox all = {0};
	tnBandCursor cursor = tnBeginParts(pool, level, box);
	tnBandPart part;
	while (tnNextPart(&cursor, &part))
	{
		all = tnJoinWaveBoxes(all, (tnWaveBox){part.column, part.row, part.columnCount, part.rowCount});
	}
	return all;
}

// ---------------------------------------------------------------------------------------------------------------------
// Zero sum

// Multiply a row by the window of its tile.
static void tnMaskRow(const tnWaveTile* tile, ptrdiff_t cell, float* restrict values, int count)
{
	if (tile->windows && tile->fields[tn_waveWindow] != NULL)
	{
		const float* restrict window = tile->fields[tn_waveWindow] + cell;
		for (int i = 0; i < count; ++i)
		{
			values[i] *= window[i];
		}
	}
	if (tile->varied && tile->fields[tn_waveMask] != NULL)
	{
		const float* restrict mask = tile->fields[tn_waveMask] + cell;
		for (int i = 0; i < count; ++i)
		{
			values[i] = mask[i] > 0.0f ? values[i] : 0.0f;
		}
	}
}

// Weight of a cell along one axis of a support.
static float tnGetBump(int cell, int first, int count)
{
	const float u = (float)((cell + 0.5 - (first + 0.5 * count)) / (0.5 * count));
	const float v = (1.0f + TN_END_WEIGHT) - u * u;
	return v * v;
}

static void tnGetBumps(tnWaveBox box, const tnBandPart* part, float bumps[TN_WAVE_TILE])
{
	for (int i = 0; i < part->columnCount; ++i)
	{
		bumps[i] = tnGetBump(part->column + i, box.column, box.columnCount);
	}
}

// Weights of the correction of a row of a part.
static void tnMakeWeights(const tnWaveTile* tile, tnWaveBox box, const tnBandPart* part, int row,
	const float* restrict bumps, float* restrict weights)
{
	const float rowWeight = tnGetBump(row, box.row, box.rowCount);
	for (int i = 0; i < part->columnCount; ++i)
	{
		weights[i] = rowWeight * bumps[i];
	}
	tnMaskRow(tile, part->cell + (ptrdiff_t)(row - part->row) * TN_WAVE_STRIDE, weights, part->columnCount);
}

static int64_t tnSumRow(const float* restrict values, int count, double unit)
{
	int64_t sum = 0;
	int i = 0;
	// Four at once: one by one, counting takes a third of it.
	for (; i + 4 <= count; i += 4)
	{
		const int64_t a = (int64_t)((double)values[i] * unit) + (int64_t)((double)values[i + 1] * unit);
		const int64_t b = (int64_t)((double)values[i + 2] * unit) + (int64_t)((double)values[i + 3] * unit);
		sum += a + b;
	}
	for (; i < count; ++i)
	{
		sum += (int64_t)((double)values[i] * unit);
	}
	return sum;
}

static int64_t tnSumWeights(const tnWavePool* pool, int level, tnWaveBox box)
{
	int64_t sum = 0;
	tnBandCursor cursor = tnBeginParts(pool, level, box);
	tnBandPart part;
	while (tnNextPart(&cursor, &part))
	{
		float bumps[TN_WAVE_TILE];
		tnGetBumps(box, &part, bumps);
		for (int row = part.row; row < part.row + part.rowCount; ++row)
		{
			float weights[TN_WAVE_TILE];
			tnMakeWeights(pool->tiles + part.slot, box, &part, row, bumps, weights);
			sum += tnSumRow(weights, part.columnCount, TN_SUM_UNIT);
		}
	}
	return sum;
}

// What must be taken from each cell per weight, m. A sum without any cell that could give it is nothing.
static double tnGetShare(int64_t sum, double unit, int64_t weights)
{
	return weights > 0 ? (double)sum / unit / ((double)weights / TN_SUM_UNIT) : 0.0;
}

// What a part has of the values.
static float* tnGetLine(const tnWavePatch* values, const tnBandPart* part, int row)
{
	return values->values + (ptrdiff_t)(part->row + row - values->box.row) * values->stride +
		(part->column - values->box.column);
}

// Bits of the largest |value|, or of what is given: floats that are not negative are in the order of their bits, and of
// integers compilers make vectors.
static int32_t tnGetLargest(const float* restrict values, int count, int32_t largest)
{
	for (int i = 0; i < count; ++i)
	{
		int32_t bits;
		memcpy(&bits, values + i, sizeof(bits));
		bits &= INT32_MAX;
		largest = bits > largest ? bits : largest;
	}
	return largest;
}

// Mask the values, and find the largest. Parts of a wrapped world that lie over each other are parts of the patch all the
// same.
static float tnMaskValues(const tnWavePool* pool, const tnWaveAddition* addition)
{
	int32_t bits = 0;
	tnBandPart part;
	tnBandCursor cursor = tnBeginParts(pool, addition->level, addition->support);
	while (tnNextPart(&cursor, &part))
	{
		for (int row = 0; row < part.rowCount; ++row)
		{
			float* restrict line = tnGetLine(&addition->values, &part, row);
			tnMaskRow(pool->tiles + part.slot, part.cell + (ptrdiff_t)row * TN_WAVE_STRIDE, line, part.columnCount);
			bits = tnGetLargest(line, part.columnCount, bits);
		}
	}
	float largest;
	memcpy(&largest, &bits, sizeof(largest));
	return largest;
}

// Find what makes the sum zero, unless nothing is higher than `least`. Writes only to the addition and its values.
static void tnPrepareAddition(const tnWavePool* pool, tnWaveAddition* addition, float least)
{
	const float largest = tnMaskValues(pool, addition);
	// The second is for heights so small that their inverse is not finite.
	addition->adds = largest > least && largest > 1.0e-30f;
	if (!addition->adds)
	{
		return;
	}
	const double unit = TN_SUM_UNIT / (double)largest;
	int64_t sum = 0;
	tnBandPart part;
	tnBandCursor cursor = tnBeginParts(pool, addition->level, addition->support);
	while (tnNextPart(&cursor, &part))
	{
		for (int row = 0; row < part.rowCount; ++row)
		{
			sum += tnSumRow(tnGetLine(&addition->values, &part, row), part.columnCount, unit);
		}
	}
	addition->share = sum != 0 ? tnGetShare(sum, unit, tnSumWeights(pool, addition->level, addition->support)) : 0.0;
}

static void tnAddPart(tnWavePool* pool, const tnWaveAddition* addition, const tnBandPart* part)
{
	const tnWaveTile* tile = pool->tiles + part->slot;
	float bumps[TN_WAVE_TILE];
	tnGetBumps(addition->support, part, bumps);
	for (int row = 0; row < part->rowCount; ++row)
	{
		const float* restrict line = tnGetLine(&addition->values, part, row);
		float* restrict out = tile->fields[addition->field] + part->cell + (ptrdiff_t)row * TN_WAVE_STRIDE;
		float weights[TN_WAVE_TILE];
		tnMakeWeights(tile, addition->support, part, part->row + row, bumps, weights);
		for (int i = 0; i < part->columnCount; ++i)
		{
			out[i] += line[i] - (float)(addition->share * (double)weights[i]);
		}
	}
	tnWavePool_Wake(pool, part->slot);
}

// @param tileRow whose tiles get it, or -1 for all
static void tnAddAddition(tnWavePool* pool, const tnWaveAddition* addition, int tileRow)
{
	if (!addition->adds)
	{
		return;
	}
	tnBandPart part;
	tnBandCursor cursor = tnBeginParts(pool, addition->level, addition->support);
	cursor.onlyRow = tileRow;
	while (tnNextPart(&cursor, &part))
	{
		tnAddPart(pool, addition, &part);
	}
}

void tnWaves_AddToBand(tnWaves* waves, int level, const tnWavePatch* values, tnWaveField field, float least)
{
	tnWaveAddition addition = {.level = level, .support = values->box, .values = *values, .field = field};
	tnPrepareAddition(&waves->pool, &addition, least);
	tnAddAddition(&waves->pool, &addition, -1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Decomposition

// Floats of the parts of the scratch memory, by plan. The displacement itself comes first.
typedef struct tnEntryLayout
{
	size_t displacement, average, smooth, bands, working;
} tnEntryLayout;

static size_t tnGetArea(tnWaveBox box)
{
	return (size_t)box.columnCount * (size_t)box.rowCount;
}

static size_t tnMaxSize(size_t a, size_t b)
{
	return a > b ? a : b;
}

static tnEntryLayout tnLayOut(const tnWavePlan* plan)
{
	tnEntryLayout layout = {.displacement = tnGetArea(plan->averages[0])};
	for (int l = 0; l < plan->levelCount; ++l)
	{
		layout.bands += tnGetArea(plan->bands[l]);
		if (l + 1 < plan->levelCount)
		{
			layout.average = tnMaxSize(layout.average, tnGetArea(plan->averages[l + 1]));
			layout.smooth = tnMaxSize(layout.smooth, tnGetArea(plan->smooth[l + 1]));
			layout.working = tnMaxSize(layout.working, tnGetRestrictScratch(plan->averages[l]));
			layout.working = tnMaxSize(layout.working, tnGetSmoothScratch(plan->averages[l + 1]));
			layout.working = tnMaxSize(layout.working, tnGetProlongScratch(plan->smooth[l + 1]));
		}
	}
	return layout;
}

static size_t tnGetLayoutSize(const tnEntryLayout* layout)
{
	return layout->displacement + 2 * layout->average + 2 * layout->smooth + layout->bands + layout->working;
}

size_t tnGetWaveEntryFloats(int levelCount)
{
	// How many coarse cells a box touches depends on where it lies: 8 cells more are room for that.
	const int size = TN_WAVE_ENTRY_SIZE + 8;
	tnWavePlan plan;
	tnPlanWaveEntry(&plan, (tnWaveBox){0, 0, size, size}, levelCount);
	const tnEntryLayout layout = tnLayOut(&plan);
	return tnGetLayoutSize(&layout);
}

tnWavePatch tnBeginWaveEntry(float* memory, tnWaveBox box)
{
	TN_ASSERT(box.columnCount <= TN_WAVE_ENTRY_SIZE && box.rowCount <= TN_WAVE_ENTRY_SIZE);
	memset(memory, 0, tnGetArea(box) * sizeof(float));
	return (tnWavePatch){box, box.columnCount, memory};
}

// The bands of a displacement, and one level more, for what the coarsest of them must leave out.
static bool tnPlanBands(const tnWavePool* pool, tnWaveBox box, int bandCount, tnWavePlan* plan)
{
	return bandCount >= 1 && tnPlanWaveEntry(plan, box, tnMinInt(bandCount + 1, pool->levelCount));
}

bool tnWaves_MayEnter(const tnWaves* waves, tnWaveBox box, int levelEnd)
{
	const int bandCount = tnMinInt(levelEnd, waves->pool.levelCount);
	tnWavePlan plan;
	bool any = false;
	const bool isPlanned = tnPlanBands(&waves->pool, box, bandCount, &plan);
	for (int l = 0; l < bandCount && isPlanned && !any; ++l)
	{
		any = tnHasParts(&waves->pool, l, plan.bands[l]);
	}
	return any;
}

// Bands have been cut to where tiles are. Leave out of the steps before them what they do not look at.
static void tnTrimPlan(tnWavePlan* plan)
{
	for (int l = plan->levelCount - 1; l > 0; --l)
	{
		const tnWaveBox none = {0};
		const tnWaveBox finer = tnHasWaveCells(plan->bands[l - 1]) ? tnGetProlongSource(plan->bands[l - 1]) : none;
		plan->smooth[l] = tnMeetWaveBoxes(plan->smooth[l], tnJoinWaveBoxes(plan->bands[l], finer));
		const tnWaveBox low = tnHasWaveCells(plan->smooth[l]) ? tnGetSmoothBox(plan->smooth[l]) : none;
		const bool isLast = l + 1 == plan->levelCount || !tnHasWaveCells(plan->averages[l + 1]);
		const tnWaveBox coarser = isLast ? none : tnGetRestrictSource(plan->averages[l + 1]);
		plan->averages[l] = tnMeetWaveBoxes(plan->averages[l], tnJoinWaveBoxes(low, coarser));
	}
}

bool tnWaves_PlanEntry(const tnWaves* waves, tnWaveBox box, int levelEnd, tnWaveEntry* entry)
{
	const tnWavePool* pool = &waves->pool;
	entry->bandCount = tnMinInt(levelEnd, pool->levelCount);
	tnWavePlan* plan = &entry->plan;
	if (!tnPlanBands(pool, box, entry->bandCount, plan))
	{
		return false;
	}
	bool any = false;
	for (int l = 0; l < plan->levelCount; ++l)
	{
		const tnWaveBox support = plan->bands[l];
		entry->additions[l] = (tnWaveAddition){.level = l, .support = support, .field = tn_waveHeight};
		plan->bands[l] = l < entry->bandCount ? tnGetPartsBox(pool, l, support) : (tnWaveBox){0};
		any = any || tnHasWaveCells(plan->bands[l]);
	}
	tnTrimPlan(plan);
	const tnEntryLayout layout = tnLayOut(plan);
	entry->floatCount = tnGetLayoutSize(&layout);
	return any;
}

static tnWavePatch tnPlacePatch(tnWaveBox box, float* values)
{
	return (tnWavePatch){box, box.columnCount, values};
}

void tnWaves_Decompose(const tnWaves* waves, tnWaveEntry* entry, float* memory, float least)
{
	const tnWavePlan* plan = &entry->plan;
	const tnEntryLayout layout = tnLayOut(plan);
	float* averages = memory + layout.displacement;
	float* smooths = averages + 2 * layout.average;
	float* band = smooths + 2 * layout.smooth;
	float* working = band + layout.bands;
	tnWavePatch average = tnPlacePatch(plan->averages[0], memory);
	tnWavePatch smooth = average;
	for (int l = 0; l < entry->bandCount; ++l)
	{
		tnWavePatch nextAverage = {0};
		tnWavePatch nextSmooth = {0};
		if (l + 1 < plan->levelCount && tnHasWaveCells(plan->averages[l + 1]))
		{
			const size_t half = (size_t)(l % 2);
			nextAverage = tnPlacePatch(plan->averages[l + 1], averages + half * layout.average);
			nextSmooth = tnPlacePatch(plan->smooth[l + 1], smooths + half * layout.smooth);
			tnRestrictWave(&average, &nextAverage, working);
			if (tnHasWaveCells(nextSmooth.box))
			{
				tnSmoothWave(&waves->filter, &nextAverage, &nextSmooth, working);
			}
		}
		if (tnHasWaveCells(plan->bands[l]))
		{
			tnWaveAddition* addition = entry->additions + l;
			addition->values = tnPlacePatch(plan->bands[l], band);
			memset(band, 0, tnGetArea(plan->bands[l]) * sizeof(float));
			tnProlongWave(&nextSmooth, -1.0f, &addition->values, working);
			tnAddPatch(&smooth, &addition->values);
			tnPrepareAddition(&waves->pool, addition, least);
			band += tnGetArea(plan->bands[l]);
		}
		average = nextAverage;
		smooth = nextSmooth;
	}
}

// Restrictions between what is drawn and the band that it is for: the low pass knows of them (wave_filter.c).
#define TN_DRAWN_LEVELS 1

void tnWaves_DecomposeBands(
	const tnWaves* waves, tnWaveEntry* entry, float* memory, float least, tnDrawBandFcn* draw, void* context)
{
	const tnWavePlan* plan = &entry->plan;
	const tnEntryLayout layout = tnLayOut(plan);
	float* averages = memory + layout.displacement;
	float* smooths = averages + 2 * layout.average;
	float* band = smooths + 2 * layout.smooth;
	float* working = band + layout.bands;
	for (int l = 0; l < entry->bandCount; ++l)
	{
		const int first = tnMaxInt(l - TN_DRAWN_LEVELS, 0);
		if (!tnHasWaveCells(plan->bands[l]) || !tnHasWaveCells(plan->averages[first]))
		{
			continue;
		}
		float* drawn = first == 0 ? memory : averages + (size_t)(first % 2) * layout.average;
		tnWavePatch average = tnPlacePatch(plan->averages[first], drawn);
		memset(drawn, 0, tnGetArea(plan->averages[first]) * sizeof(float));
		draw(&average, first, l, context);
		// What passes into the band, and what into the next one.
		tnWavePatch smooth[2] = {average};
		for (int n = first; n <= l + 1; ++n)
		{
			if (n > first)
			{
				const bool has = n < plan->levelCount && tnHasWaveCells(plan->averages[n]);
				tnWavePatch next = {0};
				if (has)
				{
					next = tnPlacePatch(plan->averages[n], averages + (size_t)(n % 2) * layout.average);
					tnRestrictWave(&average, &next, working);
				}
				average = next;
			}
			if (n >= l && n > 0)
			{
				smooth[n - l] = (tnWavePatch){0};
				if (tnHasWaveCells(average.box) && tnHasWaveCells(plan->smooth[n]))
				{
					smooth[n - l] = tnPlacePatch(plan->smooth[n], smooths + (size_t)(n % 2) * layout.smooth);
					tnSmoothWave(&waves->filter, &average, &smooth[n - l], working);
				}
			}
		}
		tnWaveAddition* addition = entry->additions + l;
		addition->values = tnPlacePatch(plan->bands[l], band);
		memset(band, 0, tnGetArea(plan->bands[l]) * sizeof(float));
		if (tnHasWaveCells(smooth[1].box))
		{
			tnProlongWave(&smooth[1], -1.0f, &addition->values, working);
		}
		if (tnHasWaveCells(smooth[0].box))
		{
			tnAddPatch(&smooth[0], &addition->values);
		}
		tnPrepareAddition(&waves->pool, addition, least);
		band += tnGetArea(plan->bands[l]);
	}
}

typedef struct tnAdding
{
	tnWavePool* pool;
	const tnWaveEntry* entries;
	int count;
} tnAdding;

// All that a row of tiles gets. Items are the rows of all levels, from the finest on.
static void tnAddToTileRow(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnAdding* adding = context;
	const tnWavePool* pool = adding->pool;
	int level = 0;
	int row = item;
	for (; row >= tnGetTileCount(pool->rowCount[level]); ++level)
	{
		row -= tnGetTileCount(pool->rowCount[level]);
	}
	for (int i = 0; i < adding->count; ++i)
	{
		if (level < adding->entries[i].bandCount)
		{
			tnAddAddition(adding->pool, adding->entries[i].additions + level, row);
		}
	}
}

void tnWaves_AddEntries(tnWaves* waves, const tnWaveEntry* entries, int count, tnParallel* parallel)
{
	int levelEnd = 0;
	for (int i = 0; i < count; ++i)
	{
		levelEnd = tnMaxInt(levelEnd, entries[i].bandCount);
	}
	int rowCount = 0;
	for (int level = 0; level < levelEnd; ++level)
	{
		rowCount += tnGetTileCount(waves->pool.rowCount[level]);
	}
	tnAdding adding = {&waves->pool, entries, count};
	tnParallelFor(parallel, rowCount, tnAddToTileRow, &adding);
}

void tnWaves_Enter(tnWaves* waves, const tnWavePatch* displacement, float least)
{
	tnWaveEntry entry;
	if (tnWaves_PlanEntry(waves, displacement->box, waves->pool.levelCount, &entry))
	{
		TN_ASSERT(entry.floatCount <= waves->entryFloats);
		tnWaves_Decompose(waves, &entry, displacement->values, least);
		for (int l = 0; l < entry.bandCount; ++l)
		{
			tnAddAddition(&waves->pool, entry.additions + l, -1);
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Ellipses

// The cells of a level that ellipses and a margin cover. False if it is too far away from any world to count them.
static bool tnGetEllipseBox(const tnWavePool* pool, int level, const tnWaveEllipse* before, const tnWaveEllipse* after,
	int margin, tnWaveBox* box)
{
	const tnWaveEllipse* given[2] = {before, after};
	double low[2] = {TN_FAR_CELL, TN_FAR_CELL};
	double high[2] = {-TN_FAR_CELL, -TN_FAR_CELL};
	for (int i = 0; i < 2; ++i)
	{
		const tnWaveEllipse* e = given[i];
		if (e == NULL)
		{
			continue;
		}
		const double size = pool->cellSize[level];
		const double length = sqrt((double)e->axis.x * e->axis.x + (double)e->axis.z * e->axis.z);
		const double c = e->axis.x / length;
		const double s = e->axis.z / length;
		const double a = e->radii.x;
		const double b = e->radii.z;
		const double reach[2] = {sqrt(a * c * (a * c) + b * s * (b * s)), sqrt(a * s * (a * s) + b * c * (b * c))};
		const double center[2] = {(double)e->center.x - pool->origin.x, (double)e->center.z - pool->origin.z};
		for (int axis = 0; axis < 2; ++axis)
		{
			const double first = floor((center[axis] - reach[axis]) / size) - margin;
			const double last = floor((center[axis] + reach[axis]) / size) + margin;
			low[axis] = first < low[axis] ? first : low[axis];
			high[axis] = last > high[axis] ? last : high[axis];
		}
	}
	if (!(low[0] > -TN_FAR_CELL && low[1] > -TN_FAR_CELL && high[0] < TN_FAR_CELL && high[1] < TN_FAR_CELL))
	{
		return false;
	}
	*box = (tnWaveBox){(int)low[0], (int)low[1], (int)(high[0] - low[0]) + 1, (int)(high[1] - low[1]) + 1};
	return true;
}

// Does the displacement of these fit into the scratch memory?
static bool tnIsSmall(const tnWavePool* pool, const tnWaveEllipse* before, const tnWaveEllipse* after, tnWaveBox* box)
{
	// Ellipses thinner than an eighth of a cell are taken to be as wide as that.
	return tnGetEllipseBox(pool, 0, before, after, 1, box) && box->columnCount <= TN_WAVE_ENTRY_SIZE &&
		box->rowCount <= TN_WAVE_ENTRY_SIZE;
}

static tnWaveBandGrid tnGetBandGrid(const tnWavePool* pool, int level)
{
	return (tnWaveBandGrid){pool->origin, pool->cellSize[level], level + 1 == pool->levelCount};
}

static bool tnEnterSmall(tnWaves* waves, const tnWaveEllipse* before, const tnWaveEllipse* after, tnWaveBox box)
{
	const tnWaveBandGrid grid = tnGetBandGrid(&waves->pool, 0);
	const tnWavePatch patch = tnBeginWaveEntry(waves->entryScratch, box);
	if (!tnCoverWave(&grid, before, after, &patch))
	{
		return false;
	}
	tnWaves_Enter(waves, &patch, 0.0f);
	return true;
}

// Stamp into one band, tile by tile.
static void tnEnterLarge(tnWaves* waves, int level, const tnWaveEllipse* before, const tnWaveEllipse* after)
{
	tnWavePool* pool = &waves->pool;
	tnWaveBox box;
	if (!tnGetEllipseBox(pool, level, before, after, tnStampMargin, &box))
	{
		return;
	}
	const tnWaveBandGrid grid = tnGetBandGrid(pool, level);
	const float heightBefore = before != NULL ? fabsf(before->height) : 0.0f;
	const float heightAfter = after != NULL ? fabsf(after->height) : 0.0f;
	const float largest = heightBefore > heightAfter ? heightBefore : heightAfter;
	if (!(largest > 1.0e-30f))
	{
		return;
	}
	// No value is higher than a few times that.
	const double unit = 0.125 * TN_SUM_UNIT / (double)largest;
	int64_t sum = 0;
	tnBandPart part;
	tnBandCursor cursor = tnBeginParts(pool, level, box);
	while (tnNextPart(&cursor, &part))
	{
		const tnWaveTile* tile = pool->tiles + part.slot;
		const tnWavePatch patch =
			tnBeginWaveEntry(waves->entryScratch, (tnWaveBox){part.column, part.row, part.columnCount, part.rowCount});
		tnStampWavePart(waves->stamps, &grid, before, after, &patch);
		for (int row = 0; row < part.rowCount; ++row)
		{
			const ptrdiff_t cell = part.cell + (ptrdiff_t)row * TN_WAVE_STRIDE;
			float* restrict line = patch.values + (ptrdiff_t)row * patch.stride;
			float* restrict out = tile->fields[tn_waveHeight] + cell;
			tnMaskRow(tile, cell, line, part.columnCount);
			sum += tnSumRow(line, part.columnCount, unit);
			for (int i = 0; i < part.columnCount; ++i)
			{
				out[i] += line[i];
			}
		}
		tnWavePool_Wake(pool, part.slot);
	}

	const double share = sum != 0 ? tnGetShare(sum, unit, tnSumWeights(pool, level, box)) : 0.0;
	cursor = tnBeginParts(pool, level, box);
	while (share != 0.0 && tnNextPart(&cursor, &part))
	{
		const tnWaveTile* tile = pool->tiles + part.slot;
		float bumps[TN_WAVE_TILE];
		tnGetBumps(box, &part, bumps);
		for (int row = 0; row < part.rowCount; ++row)
		{
			float* restrict out = tile->fields[tn_waveHeight] + part.cell + (ptrdiff_t)row * TN_WAVE_STRIDE;
			float weights[TN_WAVE_TILE];
			tnMakeWeights(tile, box, &part, part.row + row, bumps, weights);
			for (int i = 0; i < part.columnCount; ++i)
			{
				out[i] -= (float)(share * (double)weights[i]);
			}
		}
	}
}

bool tnWaves_AddEllipses(tnWaves* waves, const tnWaveEllipse* before, const tnWaveEllipse* after)
{
	const tnWavePool* pool = &waves->pool;
	if ((before != NULL && tnWaves_CheckEllipse(waves, before, "before").status != tn_ok) ||
		(after != NULL && tnWaves_CheckEllipse(waves, after, "after").status != tn_ok))
	{
		return false;
	}
	if (before == NULL && after == NULL)
	{
		return true;
	}
	tnWaveBox box;
	if (tnIsSmall(pool, before, after, &box))
	{
		return tnEnterSmall(waves, before, after, box);
	}
	// Far apart, or large.
	tnWaveBox boxBefore = {0}, boxAfter = {0};
	if (before != NULL && after != NULL && tnIsSmall(pool, before, NULL, &boxBefore) &&
		tnIsSmall(pool, NULL, after, &boxAfter))
	{
		return tnEnterSmall(waves, before, NULL, boxBefore) && tnEnterSmall(waves, NULL, after, boxAfter);
	}
	for (int level = 0; level < pool->levelCount; ++level)
	{
		tnEnterLarge(waves, level, before, after);
	}
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Validation

tnResult tnWaves_CheckEllipse(const tnWaves* waves, const tnWaveEllipse* ellipse, const char* name)
{
	const tnVec2 c = ellipse->center;
	const tnVec2 a = ellipse->axis;
	const tnVec2 r = ellipse->radii;
	const float far = 10.0f * TN_MAX_LENGTH;
	// 10^6 cells: squares of squares stay in float.
	const float largest = 1.0e6f * waves->pool.cellSize[0];
	const float highest = 1.0e6f;
	if (!(tnAbsFloat(c.x) <= far && tnAbsFloat(c.z) <= far))
	{
		return tnFail(tn_invalidArgument, "%s.center must be within %g along each axis, got (%g, %g)", name,
			(double)far, (double)c.x, (double)c.z);
	}
	const float square = a.x * a.x + a.z * a.z;
	if (!(square > 1.0e-30f && square < 1.0e30f))
	{
		return tnFail(tn_invalidArgument, "%s.axis must have a length in (1e-15, 1e15), got (%g, %g)", name,
			(double)a.x, (double)a.z);
	}
	if (!(r.x > 0.0f && r.x <= largest && r.z > 0.0f && r.z <= largest))
	{
		return tnFail(tn_invalidArgument, "%s.radii must be in (0, %g], got (%g, %g)", name, (double)largest,
			(double)r.x, (double)r.z);
	}
	if (!(tnAbsFloat(ellipse->height) <= highest))
	{
		return tnFail(tn_invalidArgument, "%s.height must be in [%g, %g], got %g", name, -(double)highest,
			(double)highest, (double)ellipse->height);
	}
	return tnSuccess();
}

// SPDX-License-Identifier: MIT

// How a tile becomes bits. Each cell is foretold from what is known: its old value, moved like the cells west and north of it have
// moved; or, where it has no old value, those cells themselves. What is coded is by how many steps of twice the error it is missed:
// mostly none.

#include "stream_tile.h"

enum
{
	// Contexts of a number, by how far the cells beside it were missed.
	TN_MISS_CLASSES = 5,
	TN_MOST_VALUE = 1 << 29,
};

typedef struct tnChannelModels
{
	tnBitModel known[TN_MISS_CLASSES][TN_NUMBER_MODELS];
	tnBitModel fresh[TN_MISS_CLASSES][TN_NUMBER_MODELS];
} tnChannelModels;

int tnGetStreamReach(tnStreamChannel channel)
{
	return channel <= tn_heightChannel ? 4 : 1;
}

double tnGetStreamUnit(tnStreamChannel channel, float error)
{
	// A little less than the error, for what floats round.
	return (double)error * 0.998 / (tnGetStreamReach(channel) + 0.5);
}

static int32_t tnFindMedian(int32_t west, int32_t north, int32_t northWest)
{
	// The plane through all three, between the two that are beside it.
	const int32_t low = west < north ? west : north, high = west < north ? north : west;
	const int64_t plane = (int64_t)west + north - northWest;
	return plane < low ? low : plane > high ? high : (int32_t)plane;
}

static int32_t tnClampValue(int64_t value)
{
	return (int32_t)(value < -TN_MOST_VALUE ? -TN_MOST_VALUE : value > TN_MOST_VALUE ? TN_MOST_VALUE : value);
}

static int tnClassifyMiss(int32_t west, int32_t north)
{
	const int64_t a = west < 0 ? -(int64_t)west : west, b = north < 0 ? -(int64_t)north : north;
	const int64_t sum = a + b;
	return sum < 3 ? (int)sum : sum < 8 ? 3 : 4;
}

// Values of a channel in the cells of a mask.
// @param known cells with an old value, NULL: none
// @param steady cells stay as they are rather than move like their neighbours
static void tnCodeChannel(tnStreamCoder* coder, const tnStreamTileCoding* coding, tnStreamChannel channel,
	const uint8_t* mask, const uint8_t* known, bool steady)
{
	tnChannelModels models;
	tnBitModels_Init(&models.known[0][0], TN_MISS_CLASSES * TN_NUMBER_MODELS);
	tnBitModels_Init(&models.fresh[0][0], TN_MISS_CLASSES * TN_NUMBER_MODELS);
	const int reach = tnGetStreamReach(channel), step = 2 * reach + 1;
	const int columns = coding->columns;
	const int32_t* old = coding->old->values[channel];
	int32_t* now = coding->now->values[channel];
	int32_t misses[2][TN_STREAM_SIDE] = {{0}};
	int32_t last = 0;
	for (int row = 0; row < coding->rows; ++row)
	{
		int32_t* missed = misses[row & 1];
		const int32_t* missedNorth = misses[(row & 1) ^ 1];
		for (int column = 0; column < columns; ++column)
		{
			const int i = row * columns + column;
			missed[column] = 0;
			if (mask[i] == 0)
			{
				now[i] = 0;
				continue;
			}
			const bool has = known != NULL && known[i] != 0;
			bool west = column > 0 && mask[i - 1] != 0, north = row > 0 && mask[i - columns] != 0;
			bool northWest = column > 0 && row > 0 && mask[i - columns - 1] != 0;
			int64_t guess = has ? old[i] : last;
			if (has)
			{
				west = west && known[i - 1] != 0 && !steady;
				north = north && known[i - columns] != 0 && !steady;
				northWest = northWest && known[i - columns - 1] != 0;
			}
			const int32_t w = west ? now[i - 1] - (has ? old[i - 1] : 0) : 0;
			const int32_t n = north ? now[i - columns] - (has ? old[i - columns] : 0) : 0;
			if (west || north)
			{
				const int32_t nw = northWest ? now[i - columns - 1] - (has ? old[i - columns - 1] : 0) : (west ? w : n);
				guess = (has ? old[i] : 0) + (int64_t)(west && north ? tnFindMedian(w, n, nw) : west ? w : n);
			}
			const int kind = tnClassifyMiss(column > 0 ? missed[column - 1] : 0, missedNorth[column]);
			int32_t miss = 0;
			if (!coder->reads)
			{
				const int64_t off = coding->target->values[channel][i] - guess;
				miss = (int32_t)(off >= 0 ? (off + reach) / step : -((-off + reach) / step));
			}
			miss = tnStreamCoder_Number(coder, has ? models.known[kind] : models.fresh[kind], miss);
			missed[column] = miss;
			now[i] = tnClampValue(guess + (int64_t)miss * step);
			last = now[i];
		}
	}
}

// Which cells have water.
static void tnCodeWet(tnStreamCoder* coder, const tnStreamTileCoding* coding)
{
	tnBitModel models[3 * 8];
	tnBitModels_Init(models, 3 * 8);
	const int columns = coding->columns;
	uint8_t* wet = coding->now->wet;
	for (int i = 0; i < columns * coding->rows; ++i)
	{
		const bool first = i % columns == 0;
		const int was = coding->isKey ? 2 : coding->old->wet[i];
		const int west = !first && wet[i - 1] != 0, north = i >= columns && wet[i - columns] != 0;
		// What comes next has not been coded yet, but it was there before.
		const int east = i % columns + 1 < columns && was != 2 && coding->old->wet[i + 1] != 0;
		wet[i] = (uint8_t)tnStreamCoder_Bit(
			coder, models + was * 8 + east * 4 + north * 2 + west, coder->reads ? 0 : coding->target->wet[i]);
	}
}

static void tnKeepChannel(const tnStreamTileCoding* coding, tnStreamChannel channel)
{
	const uint8_t* wet = coding->now->wet;
	for (int i = 0; i < coding->columns * coding->rows; ++i)
	{
		// Nothing is left of what fell dry.
		const bool keeps = channel == tn_bedChannel || (wet[i] != 0 && coding->old->wet[i] != 0);
		coding->now->values[channel][i] = keeps ? coding->old->values[channel][i] : 0;
	}
}

// Does more of the water stay than move along with its neighbours?
static bool tnChoosePrediction(const tnStreamTileCoding* coding, tnStreamChannel channel)
{
	const int reach = tnGetStreamReach(channel);
	int steady = 0, count = 0;
	for (int i = 0; i < coding->columns * coding->rows; ++i)
	{
		if (channel == tn_bedChannel || (coding->old->wet[i] != 0 && coding->target->wet[i] != 0))
		{
			const int32_t off = coding->target->values[channel][i] - coding->old->values[channel][i];
			steady += off >= -reach && off <= reach ? 1 : 0;
			count += 1;
		}
	}
	return 5 * steady > 4 * count;
}

void tnStreamTile_Code(tnStreamCoder* coder, tnStreamTileCoding* coding)
{
	coding->channels = tnStreamCoder_Raw(coder, coding->channels, tn_streamChannelCount);
	const bool heights = (coding->channels >> tn_heightChannel & 1u) != 0;
	if (heights)
	{
		tnCodeWet(coder, coding);
	}
	else
	{
		for (int i = 0; i < coding->columns * coding->rows; ++i)
		{
			coding->now->wet[i] = coding->isKey ? 0 : coding->old->wet[i];
		}
	}
	uint8_t all[TN_STREAM_CELLS];
	for (int i = 0; i < coding->columns * coding->rows; ++i)
	{
		all[i] = 1;
	}
	for (int i = 0; i < tn_streamChannelCount; ++i)
	{
		const tnStreamChannel channel = (tnStreamChannel)i;
		if ((coding->channels >> i & 1u) == 0)
		{
			tnKeepChannel(coding, channel);
			continue;
		}
		const bool isBed = channel == tn_bedChannel;
		const bool steady =
			tnStreamCoder_Raw(coder, !coder->reads && tnChoosePrediction(coding, channel) ? 1 : 0, 1) != 0;
		tnCodeChannel(coder, coding, channel, isBed ? all : coding->now->wet,
			coding->isKey ? NULL
				: isBed   ? all
						  : coding->old->wet,
			steady);
	}
}

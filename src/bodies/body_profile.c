// SPDX-License-Identifier: MIT

// Profiles of several solid intervals: sums of them, and how much is open below a height.

#include "body_profile.h"

void tnLayer_Merge(tnLayer* layer, tnLayer other)
{
	const float solid = layer->share * (layer->high - layer->low) + other.share * (other.high - other.low);
	layer->low = tnMinFloat(layer->low, other.low);
	layer->high = tnMaxFloat(layer->high, other.high);
	const float height = layer->high - layer->low;
	layer->share = height > 0.0f ? tnMinFloat(solid / height, 1.0f) : 0.0f;
}

int tnAddLayer(tnLayer* layers, int count, tnLayer layer)
{
	if (count < TN_MAX_LAYERS)
	{
		layers[count] = layer;
		return count + 1;
	}
	int nearest = 0;
	float least = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		const float gap = tnMaxFloat(layer.low - layers[i].high, layers[i].low - layer.high);
		if (i == 0 || gap < least)
		{
			nearest = i;
			least = gap;
		}
	}
	tnLayer_Merge(layers + nearest, layer);
	return count;
}

static int tnSortHeights(float* heights, int count)
{
	for (int i = 1; i < count; ++i)
	{
		const float height = heights[i];
		int place = i;
		for (; place > 0 && heights[place - 1] > height; --place)
		{
			heights[place] = heights[place - 1];
		}
		heights[place] = height;
	}
	int kept = 0;
	for (int i = 0; i < count; ++i)
	{
		if (kept == 0 || heights[i] > heights[kept - 1])
		{
			heights[kept] = heights[i];
			kept += 1;
		}
	}
	return kept;
}

static float tnGetOpenShare(const tnLayer* layers, int count, float low, float high)
{
	float solid = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		solid += layers[i].low <= low && layers[i].high >= high ? layers[i].share : 0.0f;
	}
	return tnMaxFloat(1.0f - solid, 0.0f);
}

tnProfile tnMakeProfile(
	float ground, const tnLayer* layers, int count, float sealedGap, float givesWay, float leastBelow, tnBreak* breaks)
{
	tnLayer clipped[TN_MAX_LAYERS];
	float heights[TN_MAX_BREAKS];
	int layerCount = 0;
	for (int i = 0; i < count; ++i)
	{
		tnLayer layer = layers[i];
		layer.low = layer.low < ground + sealedGap ? ground : layer.low;
		if (layer.high > layer.low && layer.share > 0.0f)
		{
			heights[2 * layerCount] = layer.low;
			heights[2 * layerCount + 1] = layer.high;
			clipped[layerCount] = layer;
			layerCount += 1;
		}
	}
	const int breakCount = tnSortHeights(heights, 2 * layerCount);
	float volume = breakCount > 0 ? heights[0] - ground : 0.0f;
	for (int i = 0; i < breakCount; ++i)
	{
		const bool last = i + 1 == breakCount;
		const float open = last ? 1.0f : tnGetOpenShare(clipped, layerCount, heights[i], heights[i + 1]);
		const float gives = open + (1.0f - open) * givesWay;
		const float closed = tnMaxFloat(open > TN_SEALED_SHARE ? open : 0.0f, leastBelow);
		breaks[i] = (tnBreak){heights[i], volume > 0.0f ? gives : closed, volume};
		volume += last ? 0.0f : breaks[i].open * (heights[i + 1] - heights[i]);
	}
	return (tnProfile){.ground = ground, .count = breakCount, .breaks = breaks};
}

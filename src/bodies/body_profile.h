// SPDX-License-Identifier: MIT

#pragma once

#include "../core/core.h"

// How much of a cell or face is open to water, by height.
//
//   height[2]  ─────────  open[2] = 1       Solid intervals cover shares of a cell (or of the width of a face). Between
//              ▒▒▒▒│                        two breaks the open share is constant, above the last one and below the
//   height[1]  ─────────  open[1] = 0.4     first everything is open. Volume is what lies below a height, in meters of
//              ▒▒▒▒│▒▒                      water: continuous, piecewise linear and growing, so that a volume gives a
//   height[0]  ─────────  open[0] = 0.2     height and the other way round.
//                         1
//   ground     ─────────

// A solid interval over a share of a cell or face.
typedef struct tnLayer
{
	float share;
	float low, high; // m
} tnLayer;

typedef struct tnBreak
{
	float height; // m
	float open;   // share above it, up to the next break
	float volume; // open meters between the ground and here
} tnBreak;

typedef struct tnProfile
{
	float ground; // m
	int count;
	const tnBreak* breaks;
} tnProfile;

enum
{
	// Layers of one profile at most; tnMergeLayers sees to it.
	TN_MAX_LAYERS = 8,
	TN_MAX_BREAKS = 2 * TN_MAX_LAYERS,
};

// Openings narrower than this share are closed. Crates that a physics engine has stacked do not touch exactly, and a
// dam of them would leak through slits that no grid resolves.
#define TN_SEALED_SHARE 0.02f

// Make one layer of two: as much solid between the outer heights.
void tnLayer_Merge(tnLayer* layer, tnLayer other);

// Add a layer to at most TN_MAX_LAYERS others: if there is no room it is merged with the nearest one. Returns the
// count.
int tnAddLayer(tnLayer* layers, int count, tnLayer layer);

// Make a profile. Gaps between the ground and a layer that are lower than `sealedGap` are closed.
// @param givesWay share of solids that is open to water that presses
// @param leastBelow share that stays open at least where solids stand on the ground, so that no water gets below them
// @param breaks room for 2 * count
tnProfile tnMakeProfile(
	float ground, const tnLayer* layers, int count, float sealedGap, float givesWay, float leastBelow, tnBreak* breaks);

// Open meters below a height.
static inline float tnProfile_GetVolume(const tnProfile* profile, float height)
{
	const tnBreak* breaks = profile->breaks;
	float volume = height - profile->ground;
	for (int i = 0; i < profile->count && height > breaks[i].height; ++i)
	{
		volume = breaks[i].volume + breaks[i].open * (height - breaks[i].height);
	}
	return volume > 0.0f ? volume : 0.0f;
}

// The height x at which volume(x) + slope * x = sum. Slope must be > 0 if the profile has closed parts.
static inline float tnProfile_Solve(const tnProfile* profile, float slope, float sum)
{
	const tnBreak* breaks = profile->breaks;
	float height = (sum + profile->ground) / (1.0f + slope);
	for (int i = 0; i < profile->count; ++i)
	{
		const float rest = sum - (breaks[i].volume + slope * breaks[i].height);
		if (!(rest > 0.0f))
		{
			break;
		}
		height = breaks[i].height + rest / (breaks[i].open + slope);
	}
	return height;
}

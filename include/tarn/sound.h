// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/world.h"

/// @file What water sounds like: where it falls, breaks and runs, and with how much power. A host pulls it after a step and
/// drives its own audio: the louder of two brooks is the one that loses more energy. tarn plays nothing.

/// A busy region.
typedef struct tnSound
{
	/// Centre of its power, on the surface, meters.
	tnVec3 position;
	/// How far it reaches: root mean square distance from the centre, meters, at least a cell.
	float radius;
	/// Power that water loses, W. Falls and splashes:
	float falling;
	/// Bores, hydraulic jumps and other steep fronts:
	float breaking;
	/// Turbulence over the ground:
	float flowing;
} tnSound;

/// Power below which a region is silent, W: a dripping tap has a hundredth of it.
#define TN_QUIET_POWER 1.0f

enum
{
	/// Most regions that are told.
	TN_MAX_SOUNDS = 256,
};

/// Regions of water that can be heard now, loudest first. When there are more than `capacity`, those left out are
/// joined to the nearest that is told, so that the sum of the power is always there.
/// It looks at all water that is awake, so ask as often as audio is updated, not more. Does not change the state of the world.
/// @param sounds room for `capacity` of them, at least 1; @param count receives how many there are
TN_API tnResult tnWorld_GetSounds(tnWorld* world, tnSound* sounds, int capacity, int* count);

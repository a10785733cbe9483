// SPDX-License-Identifier: MIT

// What a host hears of a world.

#include "world.h"

static tnResult tnCheckSounds(tnWorld* world, const tnSound* sounds, int capacity, const int* count)
{
	tnResult result = tnWorld_CheckReady(world);
	if (result.status == tn_ok && (sounds == NULL || count == NULL))
	{
		result = tnFail(tn_invalidArgument, "%s must not be NULL", sounds == NULL ? "sounds" : "count");
	}
	if (result.status == tn_ok && capacity < 1)
	{
		result = tnFail(tn_invalidArgument, "capacity must be at least 1, got %d", capacity);
	}
	if (result.status == tn_ok && !tnSounds_Prepare(&world->sounds, &world->memory, &world->grid))
	{
		result = tnFail(
			tn_outOfMemory, "out of memory for the power of %d blocks of cells", tnSounds_CountBlocks(&world->grid));
	}
	return result;
}

tnResult tnWorld_GetSounds(tnWorld* world, tnSound* sounds, int capacity, int* count)
{
	if (count != NULL)
	{
		*count = 0;
	}
	const tnResult result = tnCheckSounds(world, sounds, capacity, count);
	if (result.status == tn_ok)
	{
		const tnSoundScan scan = {
			.grid = &world->grid,
			.tiles = &world->tiles,
			.parallel = world->parallel,
			.kernels = tnGetSprayKernels(world->def.simd),
			.gravity = world->def.gravity,
			.friction = world->def.friction,
			.manning = world->def.manning,
			.ledgeHeight = world->spray.def.enable ? world->spray.def.ledgeHeight : TN_WALL,
			.splashes = world->spray.splashes,
		};
		*count = tnSounds_Find(&world->sounds, &scan, sounds, tnMinInt(capacity, TN_MAX_SOUNDS));
	}
	return tnWorld_Report(world, result);
}

// SPDX-License-Identifier: MIT

// Where the grids of plants lie.

#include "ground/plants.h"

tnrPlantGrid tnrPlacePlants(tnVec3 eye, tnVec3 forward, float ground, float spacing, int perRow)
{
	// The place on the ground in the middle of the picture, or as far ahead as the finest grid goes.
	const float half = 0.5f * (float)perRow;
	const float above = fmaxf(eye.y - ground, 0.0f);
	const float nearest = 0.75f * half * spacing;
	const float distance = forward.y < -0.02f ? fminf(above / -forward.y, 40.0f * nearest + above) : nearest;
	const float ahead = distance > nearest ? distance : nearest;
	tnrPlantGrid grid = {.step = 1, .spacing = spacing};
	// Farther away there are fewer: every second, every fourth. Which ones does not change with the camera.
	while (grid.step < 64 && half * spacing * (float)grid.step < 0.75f * ahead)
	{
		grid.step *= 2;
	}
	const float flat = sqrtf(forward.x * forward.x + forward.z * forward.z);
	const float share = distance > nearest ? ahead : nearest / fmaxf(flat, 0.2f);
	grid.center = (tnVec2){eye.x + forward.x * share, eye.z + forward.z * share};
	const float wide = spacing * (float)grid.step;
	grid.column = ((int)floorf(tnrClamp(grid.center.x / wide, -1.0e6f, 1.0e6f)) - perRow / 2) * grid.step;
	grid.row = ((int)floorf(tnrClamp(grid.center.z / wide, -1.0e6f, 1.0e6f)) - perRow / 2) * grid.step;
	grid.reach = half * wide;
	return grid;
}

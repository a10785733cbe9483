// SPDX-License-Identifier: MIT

// Water in the air at the moment of a surface.

#include "surface.h"

#include <math.h>

// What has just left a lip may still be over the stream above, seconds.
#define TN_YOUNGEST_LANDING 0.25f

static float tnGetTimeToLand(const tnSurface* surface, const tnSprayInstance* drop)
{
	const tnVec2 origin = surface->world->grid.origin;
	const float x = (drop->position.x - origin.x) / surface->cellSize;
	const float z = (drop->position.z - origin.z) / surface->cellSize;
	if (drop->age < TN_YOUNGEST_LANDING || !(x >= 0.0f && z >= 0.0f) || !(x < (float)surface->columnCount) ||
		!(z < (float)surface->rowCount) || !(drop->velocity.y < 0.0f))
	{
		return INFINITY;
	}
	float depth;
	const float height = tnSurface_GetCell(surface, (int)x, (int)z, &depth);
	return tnMaxFloat(drop->position.y - height, 0.0f) / -drop->velocity.y;
}

void tnSurface_UpdateSpray(tnSurface* surface)
{
	const tnSprayView view = tnWorld_GetSpray(surface->world);
	const float back = surface->back, gravity = surface->world->grid.gravity;
	surface->sprayCount = 0;
	for (int i = 0; i < view.count && surface->sprayCount < surface->sprayCapacity; ++i)
	{
		const tnSprayParticle* now = view.particles + i;
		if (now->age < back)
		{
			continue;
		}
		// On its parabola, as if the air had no drag in so short a time.
		tnSprayInstance* drop = surface->spray + surface->sprayCount;
		*drop = (tnSprayInstance){
			.position = {now->position.x - now->velocity.x * back,
				now->position.y - now->velocity.y * back - 0.5f * gravity * back * back,
				now->position.z - now->velocity.z * back},
			.velocity = {now->velocity.x, now->velocity.y + gravity * back, now->velocity.z},
			.volume = now->volume,
			.age = now->age - back,
			.kind = now->kind,
			.seed = now->seed,
		};
		drop->timeToLand = tnGetTimeToLand(surface, drop);
		surface->sprayCount += 1;
	}
}

tnSprayInstances tnSurface_GetSpray(const tnSurface* surface)
{
	return surface != NULL ? (tnSprayInstances){surface->spray, surface->sprayCount} : (tnSprayInstances){0};
}

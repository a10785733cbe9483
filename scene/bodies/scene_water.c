// SPDX-License-Identifier: MIT

// The water that bodies of a run are in.

#include "bodies/scene_water.h"

#include "tarn/voxel_flow.h"

tnResult tnsWater_CreateBody(const tnsWater* water, const tnBodyDef* def, tnBodyId* id)
{
	return water->voxels != NULL ? tnVoxelWorld_CreateBody(water->voxels, def, id)
								 : tnWorld_CreateBody(water->world, def, id);
}

tnResult tnsWater_DestroyBody(const tnsWater* water, tnBodyId id)
{
	return water->voxels != NULL ? tnVoxelWorld_DestroyBody(water->voxels, id) : tnWorld_DestroyBody(water->world, id);
}

tnResult tnsWater_GetBodyMesh(const tnsWater* water, tnBodyId id, tnBodyMesh* mesh)
{
	return water->voxels != NULL ? tnVoxelWorld_GetBodyMesh(water->voxels, id, mesh)
								 : tnWorld_GetBodyMesh(water->world, id, mesh);
}

tnResult tnsWater_GetBodyState(const tnsWater* water, tnBodyId id, tnBodyState* state)
{
	return water->voxels != NULL ? tnVoxelWorld_GetBodyState(water->voxels, id, state)
								 : tnWorld_GetBodyState(water->world, id, state);
}

float tnsWater_GetGravity(const tnsWater* water)
{
	return water->voxels != NULL ? tnVoxelWorld_GetDef(water->voxels).gravity : tnWorld_GetDef(water->world).gravity;
}

double tnsWater_GetTime(const tnsWater* water)
{
	if (water->voxels == NULL)
	{
		return tnWorld_GetTime(water->world);
	}
	const double rate = (double)tnVoxelWorld_GetDef(water->voxels).stepRate;
	return (double)tnVoxelWorld_GetStats(water->voxels).stepCount / rate;
}

bool tnsWater_IsWet(const tnsWater* water, tnVec3 point)
{
	if (water->voxels != NULL)
	{
		tnVoxelSample sample;
		return tnVoxelWorld_Sample(water->voxels, point, &sample).status == tn_ok && sample.inLiquid;
	}
	const tnSample sample = tnWorld_Sample(water->world, (tnVec2){point.x, point.z});
	return sample.wet && sample.surface >= point.y;
}

float tnsWater_GetGround(const tnsWater* water, tnVec3 point)
{
	// Below a roof there is more than one ground.
	return water->voxels != NULL ? point.y : tnWorld_Sample(water->world, (tnVec2){point.x, point.z}).bed;
}

tnResult tnsWater_Step(const tnsWater* water, float timeStep)
{
	return water->voxels != NULL ? tnVoxelWorld_Step(water->voxels, water->workLimit)
								 : tnWorld_Step(water->world, timeStep);
}

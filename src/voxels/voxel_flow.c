// SPDX-License-Identifier: MIT

// Velocities of liquid from what moves over the faces of voxels.
//
// In a step u units move over a face of which A units are wetted (cap, if all of it is): that is u / A voxels a step. Along
// each axis a voxel has the mean of its two faces. Walls count, with nothing; faces to air over which nothing moves do not.
// What falls is as wide as there is of it: A is what the upper voxel has. Sideways A is the mean height of the liquid of both
// above the ground of both.

#include "voxel_flow.h"

#include "voxel_components.h"
#include "voxel_current.h"

// ---------------------------------------------------------------------------------------------------------------------
// What steps move

// A voxel after liquid has fallen: see voxel_kernels.inc.
typedef struct tnSettledVoxel
{
	int32_t amount;  // m
	int32_t room;    // r, 0 for other liquids
	int32_t space;   // what is left of it
	int32_t falling; // what leaves it
	int32_t lying;   // e
	int32_t filling; // c
} tnSettledVoxel;

// Units of the kind, and those that fit for it.
static int32_t tnDecode(const tnVoxelStore* store, const tnVoxelSpot* spot, int32_t kind, int32_t* room)
{
	const bool isOther = spot->chunk == NULL || (spot->word != 0 && tnGetKind(spot->word) != kind);
	*room = isOther ? 0 : tnGetRoom(store, spot->chunk, spot->voxel);
	return isOther ? 0 : tnGetAmount(spot->word);
}

static int32_t tnSlow(const tnVoxelMotion* motion, int32_t flow)
{
	const int32_t eighths = 8 * flow;
	return (eighths * motion->movedAfter >> 16) - (eighths * motion->movedBefore >> 16);
}

static tnSettledVoxel tnSettleVoxel(const tnVoxelStore* store, const tnVoxelMotion* motion, const tnVoxelSpot* spot)
{
	tnSettledVoxel voxel = {0};
	voxel.amount = tnDecode(store, spot, motion->kind, &voxel.room);
	voxel.space = voxel.room - voxel.amount;
	int32_t above = 0;
	if (spot->chunk != NULL)
	{
		const tnVoxelSpot lower = tnGetNext(store, spot, 1, false);
		const tnVoxelSpot upper = tnGetNext(store, spot, 1, true);
		int32_t room = 0;
		const int32_t below = tnDecode(store, &lower, motion->kind, &room);
		voxel.falling = tnMinInt(voxel.amount, room - below);
		above = tnDecode(store, &upper, motion->kind, &room);
	}
	const int32_t fallIn = tnMinInt(above, voxel.space);
	voxel.lying = voxel.amount - voxel.falling;
	voxel.filling = motion->cap - voxel.room + voxel.amount - tnSlow(motion, voxel.falling) + tnSlow(motion, fallIn);
	return voxel;
}

// From one voxel to the one at a side of it.
static int32_t tnGetSideFlow(
	const tnVoxelMotion* motion, const tnSettledVoxel* from, const tnSettledVoxel* to, int side)
{
	const int32_t d = from->filling - to->filling;
	if (d <= 0)
	{
		return 0;
	}
	const int32_t many = tnMinInt(d * 13108 >> 16, from->lying >> 2);
	const int32_t few = d > 1 && motion->fewest[side] <= from->lying ? 1 : 0;
	return tnSlow(motion, tnMaxInt(many, few));
}

tnFaceFlows tnGetStepFlows(const tnVoxelWorld* world, const tnVoxelSpot* spot, int32_t kind)
{
	const tnVoxelStore* store = &world->store;
	const tnVoxelMotion motion = tnVoxelWorld_GetMotion(world, kind);
	const tnSettledVoxel here = tnSettleVoxel(store, &motion, spot);
	tnFaceFlows flows = {0};
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		const int axis = side < 2 ? 0 : (side < 4 ? 2 : 1);
		const tnVoxelSpot next = tnGetNext(store, spot, axis, side % 2 != 0);
		const tnSettledVoxel there = tnSettleVoxel(store, &motion, &next);
		if (side < 4)
		{
			const int32_t ground = motion.cap - tnMinInt(here.room, there.room);
			flows.out[side] =
				tnGetSideFlow(&motion, &here, &there, side) - tnGetSideFlow(&motion, &there, &here, side ^ 1);
			flows.areas[side] = (tnMaxInt(here.filling, ground) + tnMaxInt(there.filling, ground)) / 2 - ground;
		}
		else
		{
			const tnSettledVoxel* giver = side == tn_voxelDown ? &here : &there;
			flows.out[side] = (side == tn_voxelDown ? 1 : -1) * tnSlow(&motion, giver->falling);
			flows.areas[side] = giver->amount;
		}
		flows.areas[side] = tnMaxInt(flows.areas[side], 1);
		flows.isOpen[side] = flows.out[side] == 0 && there.amount == 0 && there.room > 0;
	}
	return flows;
}

// What jets carry over the faces of a voxel: from the full voxel they come from to where they end.
static void tnAddJets(const tnVoxelWorld* world, const tnVoxelSpot* spot, tnFaceFlows* flows)
{
	for (int32_t i = 0; i < world->jetCount; ++i)
	{
		const tnVoxelJet* jet = world->jets + i;
		// It is in one layer, and in one chunk or two.
		const tnVoxelChunk* home = jet->homeBlock->chunks + jet->homeChunk;
		const bool isNear = (home == spot->chunk || jet->block->chunks + jet->chunk == spot->chunk) &&
			jet->homeVoxel / TN_LAYER == spot->voxel / TN_LAYER;
		if (jet->given == 0 || !isNear)
		{
			continue;
		}
		tnVoxelSpot way = {jet->homeBlock, jet->homeBlock->chunks + jet->homeChunk, jet->homeChunk, jet->homeVoxel, 0};
		for (int32_t j = 0; j <= jet->distance; ++j)
		{
			if (way.chunk == spot->chunk && way.voxel == spot->voxel)
			{
				flows->out[jet->side] += j < jet->distance ? jet->given : 0;
				flows->out[jet->side ^ 1] -= j > 0 ? jet->given : 0;
				break;
			}
			way = tnGetNext(&world->store, &way, jet->side / 2 * 2, jet->side % 2 != 0);
		}
	}
}

void tnGetVoxelVelocity(tnVoxelWorld* world, const tnVoxelSpot* spot, double velocity[3])
{
	static const int axes[tn_voxelSideCount] = {0, 0, 2, 2, 1, 1};
	tnFaceFlows flows = tnGetStepFlows(world, spot, tnGetKind(spot->word));
	double faces[tn_voxelSideCount] = {0};
	tnAddJets(world, spot, &flows);
	(void)tnVoxelWorld_GetCurrent(world, spot, faces);
	int counts[3] = {0};
	velocity[0] = velocity[1] = velocity[2] = 0.0;
	for (int side = 0; side < tn_voxelSideCount; ++side)
	{
		// What a jet brings is at least as wide as if it made a voxel in this step.
		const int32_t out = flows.out[side];
		const double speed = (double)out / tnMaxInt(flows.areas[side], out < 0 ? -out : out);
		velocity[axes[side]] += faces[side] + (side % 2 != 0 ? speed : -speed);
		counts[axes[side]] += flows.isOpen[side] && out == 0 && faces[side] == 0.0 ? 0 : 1;
	}
	for (int axis = 0; axis < 3; ++axis)
	{
		velocity[axis] /= counts[axis] > 0 ? counts[axis] : 1;
	}
}

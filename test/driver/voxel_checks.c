// SPDX-License-Identifier: MIT

// What holds after every call and every step on a world of voxels: no unit is lost, no voxel holds more than it has room for,
// what rests stays as it is.

#include "voxel_calls.h"

enum
{
	lookSide = 48,
	lookCount = lookSide * lookSide * lookSide,
};

static const tnVoxelBox s_look = {{-24, 0, -24}, {24, lookSide, 24}};
static uint8_t s_solid[lookCount], s_liquids[lookCount];
static uint16_t s_amounts[lookCount];
static uint16_t s_before[lookCount];

void CheckVoxelCall(Driver* d)
{
	for (int i = 0; i < d->twinCount; ++i)
	{
		for (int liquid = 1; liquid <= d->voxelTrack.def.liquidCount; ++liquid)
		{
			const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(d->voxelWorlds[i], liquid);
			if (ledger.drift != 0 || ledger.volume < 0 || ledger.waiting < 0)
			{
				Fail(d, "ledger", "liquid %d: drift %d, volume %d, waiting %d", liquid, (int)ledger.drift,
					(int)ledger.volume, (int)ledger.waiting);
			}
		}
	}
	d->work += 20000.0 * d->twinCount;
}

void PrepareVoxelStep(Driver* d)
{
	d->voxelTrack.rested = tnVoxelWorld_IsAtRest(d->voxelWorlds[0]);
	if (d->voxelTrack.rested)
	{
		tnVoxelWorld_Read(d->voxelWorlds[0], s_look, NULL, s_before, NULL);
	}
}

void CheckVoxelStep(Driver* d)
{
	const tnVoxelWorldDef* def = &d->voxelTrack.def;
	const tnVoxelWorld* world = d->voxelWorlds[0];
	const bool rested = d->voxelTrack.rested;
	if (tnVoxelWorld_Read(world, s_look, s_solid, s_amounts, s_liquids).status != tn_ok)
	{
		Fail(d, "read", "voxels cannot be read");
		return;
	}
	if (rested && memcmp(s_before, s_amounts, sizeof(s_amounts)) != 0)
	{
		Fail(d, "rest", "the world was at rest and has moved");
	}
	for (int i = 0; i < lookCount; ++i)
	{
		const int room = def->cap - (s_solid[i] + (s_solid[i] >> 7)) * def->cap / 256;
		const int spare = def->rules == tn_pressureRules && room > 0 ? TN_MAX_VOXEL_CAP - def->cap : 0;
		if (s_amounts[i] > room + spare || s_liquids[i] > def->liquidCount ||
			(s_liquids[i] == 0) != (s_amounts[i] == 0))
		{
			Fail(d, "voxel", "voxel %d: solid %d, %d units of liquid %d, room for %d", i, (int)s_solid[i],
				(int)s_amounts[i], (int)s_liquids[i], room);
			return;
		}
	}
	tnBodyId bodies[slotCount];
	const int count = tnVoxelWorld_GetBodies(world, bodies, slotCount);
	d->report->bodyStepCount += count > 0 ? 1 : 0;
	for (int i = 0; i < count && i < slotCount; ++i)
	{
		tnBodyState state;
		const tnStatus status = tnVoxelWorld_GetBodyState(world, bodies[i], &state).status;
		if (status == tn_outOfMemory)
		{
			// The step had none for the currents around it, and says so.
			continue;
		}
		if (status != tn_ok)
		{
			Fail(d, "bodies", "body %d is not there", i);
			return;
		}
		CheckBodyState(d, &state);
	}
	d->work += lookCount / 4.0;
}

int CountKnownBlocks(const Driver* d)
{
	int count = 0;
	for (int i = 0; i < blockPlaceCount; ++i)
	{
		count += tnVoxelWorld_IsLoaded(d->voxelWorlds[0], blockPlaces[i]) ? 1 : 0;
	}
	return count;
}

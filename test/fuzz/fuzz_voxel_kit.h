// SPDX-License-Identifier: MIT

#pragma once

// What the fuzz targets of voxel worlds have in common.

#include <tarn/tarn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

#define REQUIRE(condition)                       \
	do                                           \
	{                                            \
		if (!(condition))                        \
		{                                        \
			fprintf(stderr, "%s\n", #condition); \
			abort();                             \
		}                                        \
	} while (0)

// No unit is lost.
static inline void CheckLedgers(const tnVoxelWorld* world)
{
	for (int liquid = 1; liquid <= tnVoxelWorld_GetDef(world).liquidCount; ++liquid)
	{
		REQUIRE(tnVoxelWorld_GetLedger(world, liquid).drift == 0);
	}
}

// No voxel of a box holds more than it has room for, or, under pressure, than fits into its number, or a liquid that there is not.
// At most 64 voxels along each side.
static inline void CheckVoxels(const tnVoxelWorld* world, tnVoxelBox box)
{
	enum
	{
		most = 64 * 64 * 64
	};
	static uint8_t solid[most], liquids[most];
	static uint16_t amounts[most];
	const tnVoxelWorldDef def = tnVoxelWorld_GetDef(world);
	const int count = (box.high.x - box.low.x) * (box.high.y - box.low.y) * (box.high.z - box.low.z);
	REQUIRE(count <= most);
	REQUIRE(tnVoxelWorld_Read(world, box, solid, amounts, liquids).status == tn_ok);
	for (int i = 0; i < count; ++i)
	{
		const int room = def.cap - (solid[i] + (solid[i] >> 7)) * def.cap / 256;
		const int spare = def.rules == tn_pressureRules && room > 0 ? TN_MAX_VOXEL_CAP - def.cap : 0;
		REQUIRE(amounts[i] <= room + spare);
		REQUIRE(liquids[i] <= def.liquidCount && (liquids[i] == 0) == (amounts[i] == 0));
	}
}

// SPDX-License-Identifier: MIT

// V06: a sea fills a cave and leaves it. V10: the same cave, poured.

#include "kits/voxel_case_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TNC_CAVE_CAP 1024

enum
{
	side = TNC_CAVE_SIDE,
};

// Steps around a voxel of the cave.
static const int s_around[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};

static int tncGetNeighbour(int index, int way)
{
	const int x = index % side + s_around[way][0];
	const int z = index / side % side + s_around[way][2];
	const int y = index / (side * side) + s_around[way][1];
	return x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side ? -1 : (y * side + z) * side + x;
}

// For each open voxel the highest layer on the best way to the face x = 0 below the sea: water in voxels below that layer
// cannot get out. INT32_MAX: no way.
static void tncFindLips(const int32_t* solid, int sea, int32_t* lips)
{
	for (int i = 0; i < TNC_CAVE_VOXELS; ++i)
	{
		const int y = i / (side * side);
		lips[i] = solid[i] == 0 && i % side == 0 && y < sea ? y : INT32_MAX;
	}
	for (bool changed = true; changed;)
	{
		changed = false;
		for (int i = 0; i < TNC_CAVE_VOXELS; ++i)
		{
			for (int way = 0; way < 6 && solid[i] == 0; ++way)
			{
				const int next = tncGetNeighbour(i, way);
				if (next < 0 || lips[next] == INT32_MAX)
				{
					continue;
				}
				const int y = i / (side * side);
				const int lip = lips[next] > y ? lips[next] : y;
				changed = changed || lip < lips[i];
				lips[i] = lip < lips[i] ? lip : lips[i];
			}
		}
	}
}

typedef struct tncFilled
{
	int count, partial;
	uint32_t crc;
} tncFilled;

static tncFilled tncGetFilled(const tncVoxels* voxels, int32_t* filled)
{
	tncFilled result = {0};
	for (int i = 0; i < TNC_CAVE_VOXELS; ++i)
	{
		const int amount = tncGetVoxelAt(voxels, i % side, i / (side * side), i / side % side).amount;
		filled[i] = amount == TNC_CAVE_CAP ? 1 : 0;
		result.count += filled[i];
		result.partial += amount > 0 && filled[i] == 0 ? 1 : 0;
	}
	result.crc = tncCrc32(filled, TNC_CAVE_VOXELS);
	return result;
}

static void tncSetCaveSea(tncVoxels* voxels, int level)
{
	tncSetSea(voxels, tncMakeBoxOf(0, 0, 0, 1, side, side), level);
}

// What the cave should hold once the sea has fallen: water behind lips, and all that the lower sea fills.
static void tncCompareDrained(
	tncContext* context, const tncVoxels* voxels, const int32_t* solid, const int32_t* before, int sea, int32_t* lips)
{
	tncFindLips(solid, sea, lips);
	int missing = 0;
	int deepest = 0;
	for (int i = 0; i < TNC_CAVE_VOXELS; ++i)
	{
		const int y = i / (side * side);
		const int amount = tncGetVoxelAt(voxels, i % side, y, i / side % side).amount;
		const bool stays = before[i] != 0 && (y < sea || y < lips[i]);
		missing += stays && amount != TNC_CAVE_CAP ? 1 : 0;
		deepest = !stays && amount > deepest ? amount : deepest;
	}
	tncJudge(context, true, missing, 0.0, 0.0, "sea down to %d: voxels that lost what lies behind a lip", sea);
	// As far as V01 lets levels be off.
	tncJudge(context, true, deepest, TNC_CAVE_CAP / 64.0, 1.0, "sea down to %d: thickest film that could drain (units)",
		sea);
}

void tncRunSea(tncContext* context)
{
	tncTable table;
	if (!tncReadTable(context, "v10_cave.csv", &table))
	{
		return;
	}
	int32_t* solid = malloc(3 * TNC_CAVE_VOXELS * sizeof(int32_t));
	if (solid == NULL)
	{
		tncFreeTable(&table);
		tncRequire(context, NAN, 0.0, 0.0, "out of memory");
		return;
	}
	int32_t* filled = solid + TNC_CAVE_VOXELS;
	tncMakeCave(side, solid);
	tncRequire(context, (double)tncCrc32(solid, TNC_CAVE_VOXELS) - tncGetRemark(&table, "crc32(solid)="), 0.0, 0.0,
		"ground of the cave: CRC less that of the table");
	const tnVoxelWorldDef def = tncMakeVoxelDef(context, TNC_CAVE_CAP);
	for (int row = 0; row < table.rowCount; ++row)
	{
		const int sea = (int)tncGetValue(&table, row, tncFindColumn(&table, "sea"));
		tncVoxels voxels;
		if (!tncOpenCave(context, &def, side, tnc_noTurn, &voxels))
		{
			break;
		}
		tncSetCaveSea(&voxels, sea);
		tncStepVoxels(&voxels, 8);
		const int steps = tncRestVoxels(&voxels, TNC_VOXEL_PATIENCE);
		tncFilled result = tncGetFilled(&voxels, filled);
		const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(voxels.world, 1);
		const double count = tncGetValue(&table, row, tncFindColumn(&table, "filled"));
		tncRequire(context, steps < 0 ? NAN : steps, 0.0, INFINITY, "sea %d: steps until settled", sea);
		tncRequire(context, result.count, count, count, "sea %d: full voxels", sea);
		tncRequire(context, result.partial, 0.0, 0.0, "sea %d: voxels that are partly full", sea);
		tncRequire(context, result.crc - tncGetValue(&table, row, tncFindColumn(&table, "crc32_filled")), 0.0, 0.0,
			"sea %d: CRC of the full voxels less that of the table", sea);
		tncRequire(context, (double)(ledger.ocean - tncSumScene(&voxels)), 0.0, 0.0,
			"sea %d: given by the sea less what is there (units)", sea);
		if (row + 1 == table.rowCount)
		{
			// The lowest of the table.
			const int low = (int)tncGetValue(&table, 0, tncFindColumn(&table, "sea"));
			tncSetCaveSea(&voxels, low);
			tncStepVoxels(&voxels, 8);
			const int fallSteps = tncRestVoxels(&voxels, TNC_VOXEL_PATIENCE);
			tncRequire(context, fallSteps < 0 ? NAN : fallSteps, 0.0, INFINITY, "sea down to %d: steps", low);
			tncCompareDrained(context, &voxels, solid, filled, low, filled + TNC_CAVE_VOXELS);
			const tnVoxelLedger after = tnVoxelWorld_GetLedger(voxels.world, 1);
			tncRequire(context, (double)(after.ocean - tncSumScene(&voxels)), 0.0, 0.0,
				"sea down to %d: given by the sea less what is there (units)", low);
		}
		tncCloseVoxels(&voxels);
	}
	free(solid);
	tncFreeTable(&table);
}

// ---------------------------------------------------------------------------------------------------------------------
// V10

// The open voxel of a layer that is nearest to (0, 16), and of a set if there is one.
static int tncFindPlace(const int32_t* solid, const int32_t* set, int y)
{
	int best = -1;
	int nearest = INT32_MAX;
	for (int i = 0; i < side * side; ++i)
	{
		const int index = y * side * side + i;
		const int x = i % side;
		const int z = i / side - 16;
		const bool isOpen = solid[index] == 0 && (set == NULL || set[index] != 0);
		if (isOpen && x * x + z * z < nearest)
		{
			nearest = x * x + z * z;
			best = index;
		}
	}
	return best;
}

// Voxels that are connected with the face x = 0 below the sea.
static int tncMarkSea(const int32_t* solid, int sea, int32_t* set)
{
	int count = 0;
	tncFindLips(solid, sea, set);
	for (int i = 0; i < TNC_CAVE_VOXELS; ++i)
	{
		set[i] = set[i] < sea ? 1 : 0;
		count += set[i];
	}
	return count;
}

typedef struct tncPoured
{
	int full, partial, elsewhere;
	int64_t sum;
	// -1: never at rest.
	int steps;
	uint32_t crc;
} tncPoured;

// A voxel of the place's layer and of the set that is not full. A surface that is a unit below the brim is level, and the
// voxel into which was poured may be at the brim: the last units have to be poured beside it.
static int tncFindRoom(const tncVoxels* voxels, int place, const int32_t* set)
{
	const int begin = place / (side * side) * side * side;
	for (int i = begin; i < begin + side * side; ++i)
	{
		const tnVoxelState state = tncGetVoxelAt(voxels, i % side, i / (side * side), i / side % side);
		if (set[i] != 0 && state.amount < state.room)
		{
			return i;
		}
	}
	return place;
}

static tncPoured tncPourCave(tncContext* context, int place, int64_t mass, const int32_t* set, int32_t* filled)
{
	tncPoured result = {0};
	const tnVoxelWorldDef def = tncMakeVoxelDef(context, TNC_CAVE_CAP);
	tncVoxels voxels;
	if (!tncOpenCave(context, &def, side, tnc_noTurn, &voxels))
	{
		return result;
	}
	int64_t left = mass;
	result.steps = -1;
	for (int step = 0; step < 2 * TNC_VOXEL_PATIENCE && result.steps < 0 && !voxels.failed; ++step)
	{
		const int amount = left < TNC_CAVE_CAP ? (int)left : TNC_CAVE_CAP;
		for (int i = 0; i < 2 && left > 0; ++i)
		{
			const int at = i == 0 ? place : tncFindRoom(&voxels, place, set);
			const tnVoxelBox box = tncMakeVoxelBox(at % side, at / (side * side), at / side % side);
			const int64_t added = tncPour(&voxels, box, 1, amount);
			left -= added;
			if (added > 0)
			{
				break;
			}
		}
		tncStepVoxels(&voxels, 1);
		result.steps = left == 0 && tnVoxelWorld_IsAtRest(voxels.world) ? step + 1 : -1;
	}
	const tncFilled full = tncGetFilled(&voxels, filled);
	result.full = full.count;
	result.partial = full.partial;
	result.crc = full.crc;
	result.sum = tncSumScene(&voxels);
	for (int i = 0; i < TNC_CAVE_VOXELS; ++i)
	{
		result.elsewhere += filled[i] != 0 && set[i] == 0 ? 1 : 0;
	}
	tncCloseVoxels(&voxels);
	return result;
}

// Poured into the set itself all of it must stay there. Poured from the top some of it remains in hollows on the way: how
// much depends on the way, so that is only told. The voxel at (0, 16, 31) of the case is rock; the nearest open one of
// that layer is taken.
void tncRunCaves(tncContext* context)
{
	tncTable table;
	if (!tncReadTable(context, "v10_cave.csv", &table))
	{
		return;
	}
	int32_t* solid = malloc(3 * TNC_CAVE_VOXELS * sizeof(int32_t));
	for (int row = 0; solid != NULL && row < table.rowCount; ++row)
	{
		int32_t* set = solid + TNC_CAVE_VOXELS;
		int32_t* filled = set + TNC_CAVE_VOXELS;
		tncMakeCave(side, solid);
		const int sea = (int)tncGetValue(&table, row, tncFindColumn(&table, "sea"));
		const double crc = tncGetValue(&table, row, tncFindColumn(&table, "crc32_filled"));
		const int count = tncMarkSea(solid, sea, set);
		tncRequire(context, tncCrc32(set, TNC_CAVE_VOXELS) - crc, 0.0, 0.0,
			"sea %d: CRC of the set less that of the table", sea);
		const int64_t mass = (int64_t)count * TNC_CAVE_CAP;
		const tncPoured inside = tncPourCave(context, tncFindPlace(solid, set, sea - 1), mass, set, filled);
		tncRequire(context, inside.full, count, count, "poured in for sea %d: full voxels", sea);
		tncRequire(context, inside.partial, 0.0, 0.0, "poured in for sea %d: partly full", sea);
		tncRequire(
			context, (double)(inside.sum - mass), 0.0, 0.0, "poured in for sea %d: units less those poured", sea);
		tncRequire(context, inside.crc - crc, 0.0, 0.0, "poured in for sea %d: CRC less that of the table", sea);
		tncRequire(context, inside.steps, 0.0, INFINITY, "poured in for sea %d: steps until settled", sea);
		const tncPoured top = tncPourCave(context, tncFindPlace(solid, NULL, side - 1), mass, set, filled);
		tncRequire(
			context, (double)(top.sum - mass), 0.0, 0.0, "poured on top for sea %d: units less those poured", sea);
		tncRequire(context, top.steps, 0.0, INFINITY, "poured on top for sea %d: steps until settled", sea);
		tncTell(context, top.full - top.elsewhere, "poured on top for sea %d: full voxels of the set", sea);
		tncTell(context, top.elsewhere, "poured on top for sea %d: full voxels on the way", sea);
		tncTell(context, top.partial, "poured on top for sea %d: partly full", sea);
	}
	free(solid);
	tncFreeTable(&table);
}

// SPDX-License-Identifier: MIT

// V01: arms of a U-bend have one level. V02: a basin has no stairs.

#include "kits/voxel_case_kit.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------------------
// V01

enum
{
	tncBendSide = 24,
	tncLeftBegin = 2,
	tncLeftEnd = 6,
	tncRightBegin = 16,
	tncRightEnd = 21,
	tncPourColumn = 3,
};

typedef struct tncBend
{
	const char* name;
	int depth;
	int turn;
	// Of all that is poured, into the other arm, in eighths.
	int otherEighths;
} tncBend;

static bool tncOpenBend(tncContext* context, const tncBend* bend, int cap, tncVoxels* voxels)
{
	const tnVoxelWorldDef def = tncMakeVoxelDef(context, cap);
	tncVoxelFrame frame = tncMakeFrame(tncBendSide, tncBendSide, bend->depth);
	frame.turn = bend->turn;
	if (!tncOpenVoxels(context, &def, &frame, voxels))
	{
		return false;
	}
	tncSetGround(voxels, tncMakeBoxOf(tncLeftBegin, 1, 0, tncLeftEnd, tncBendSide, bend->depth), 0);
	tncSetGround(voxels, tncMakeBoxOf(tncRightBegin, 1, 0, tncRightEnd, tncBendSide, bend->depth), 0);
	tncSetGround(voxels, tncMakeBoxOf(tncLeftBegin, 1, 0, tncRightEnd, 3, bend->depth), 0);
	return true;
}

typedef struct tncBendResult
{
	// Units, units outside of the table's range, steps. Infinite if the layers are not those of the table.
	double difference, deviation, steps;
} tncBendResult;

// Mean of the layer over an arm, and how far its voxels are out of [low, high].
static double tncGetArm(const tncVoxels* voxels, int begin, int end, int y, double low, double high, double* deviation)
{
	double sum = 0.0;
	int count = 0;
	for (int x = begin; x < end; ++x)
	{
		for (int z = 0; z < voxels->frame.size.z; ++z)
		{
			const double amount = tncGetVoxelAt(voxels, x, y, z).amount;
			*deviation = fmax(*deviation, fmax(low - amount, amount - high));
			sum += amount;
			count += 1;
		}
	}
	return sum / count;
}

static tncBendResult tncRunBend(tncContext* context, const tncBend* bend, const tncTable* table, int row)
{
	tncBendResult result = {INFINITY, INFINITY, INFINITY};
	const int cap = (int)tncGetValue(table, row, tncFindColumn(table, "cap"));
	const int64_t mass = (int64_t)tncGetValue(table, row, tncFindColumn(table, "mass")) * bend->depth;
	const int level = (int)tncGetValue(table, row, tncFindColumn(table, "level"));
	tncVoxels voxels;
	if (!tncOpenBend(context, bend, cap, &voxels))
	{
		return result;
	}
	int64_t left[2] = {mass - mass * bend->otherEighths / 8, mass * bend->otherEighths / 8};
	static const int columns[2] = {tncPourColumn, tncRightBegin + 1};
	int step = 0;
	bool atRest = false;
	for (; step < TNC_VOXEL_PATIENCE && !atRest && !voxels.failed; ++step)
	{
		for (int i = 0; i < 2 * bend->depth; ++i)
		{
			int64_t* here = left + i % 2;
			if (*here > 0)
			{
				const int amount = *here < cap ? (int)*here : cap;
				*here -= tncPour(&voxels, tncMakeVoxelBox(columns[i % 2], tncBendSide - 1, i / 2), 1, amount);
			}
		}
		tncStepVoxels(&voxels, 1);
		atRest = left[0] + left[1] == 0 && tnVoxelWorld_IsAtRest(voxels.world);
	}
	if (atRest && tncSumScene(&voxels) == mass)
	{
		const double low = tncGetValue(table, row, tncFindColumn(table, "lo"));
		const double high = tncGetValue(table, row, tncFindColumn(table, "hi"));
		double deviation = 0.0;
		const double a = tncGetArm(&voxels, tncLeftBegin, tncLeftEnd, level, low, high, &deviation);
		const double b = tncGetArm(&voxels, tncRightBegin, tncRightEnd, level, low, high, &deviation);
		const tnVoxel bottom = {tncLeftBegin, 1, 0};
		const tncPool pool = tncFillPool(&voxels, bottom, mass);
		const tncPoolDefects defects = tncComparePool(&voxels, bottom, &pool);
		const bool isTable = pool.level == level && defects.notFull == 0 && defects.above == 0;
		result = (tncBendResult){isTable ? fabs(a - b) : INFINITY, isTable ? deviation : INFINITY, step};
	}
	tncCloseVoxels(&voxels);
	return result;
}

static void tncCheckBendShape(tncContext* context, const tncTable* table)
{
	int32_t solid[tncBendSide * tncBendSide];
	int open = 0;
	tncVoxels voxels;
	const tncBend bend = {"", 1, tnc_noTurn, 0};
	if (tncOpenBend(context, &bend, 8, &voxels))
	{
		for (int i = 0; i < tncBendSide * tncBendSide; ++i)
		{
			solid[i] = tncGetVoxelAt(&voxels, i % tncBendSide, i / tncBendSide, 0).room == 0 ? 1 : 0;
			open += 1 - solid[i];
		}
		tncCloseVoxels(&voxels);
		const double crc = tncGetRemark(table, "[z][y][x])=");
		tncRequire(context, (double)open, 227.0, 227.0, "open voxels of the bend");
		tncRequire(context, (double)tncCrc32(solid, tncBendSide * tncBendSide) - crc, 0.0, 0.0,
			"ground of the bend: CRC less that of the table");
	}
}

void tncRunVessels(tncContext* context)
{
	static const tncBend bends[] = {
		{"1 deep", 1, tnc_noTurn, 0},
		{"5 deep", 5, tnc_noTurn, 0},
		{"mirrored", 1, tnc_flipColumns, 0},
		{"turned 5 deep", 5, tnc_transpose, 0},
		{"both arms", 1, tnc_noTurn, 3},
		{"both arms mirrored 5 deep", 5, tnc_flipColumns, 5},
	};
	tncTable table;
	if (!tncReadTable(context, "v01_ubend.csv", &table))
	{
		return;
	}
	tncCheckBendShape(context, &table);
	for (size_t i = 0; i < sizeof(bends) / sizeof(bends[0]); ++i)
	{
		static const int caps[3] = {8, 255, 4096};
		double steps = 0.0;
		for (int k = 0; k < 3; ++k)
		{
			double difference = 0.0;
			double deviation = 0.0;
			for (int row = 0; row < table.rowCount; ++row)
			{
				if ((int)tncGetValue(&table, row, tncFindColumn(&table, "cap")) == caps[k])
				{
					const tncBendResult result = tncRunBend(context, bends + i, &table, row);
					difference = fmax(difference, result.difference);
					deviation = fmax(deviation, result.deviation);
					steps = fmax(steps, result.steps);
				}
			}
			const double realistic = fmax(2.0, caps[k] / 64.0);
			tncJudge(context, true, difference, realistic, 1.0, "%s cap %d: difference of the arms (units)",
				bends[i].name, caps[k]);
			tncJudge(context, true, deviation, realistic, 0.0, "%s cap %d: out of the table's range (units)",
				bends[i].name, caps[k]);
		}
		tncJudge(context, true, steps, 20000.0, 2000.0, "%s: steps until settled, with pouring", bends[i].name);
	}
	tncFreeTable(&table);
}

// ---------------------------------------------------------------------------------------------------------------------
// V02

#define TNC_STAIR_CAP 255

typedef struct tncBasin
{
	const char* name;
	int sizeX, sizeZ;
	// Units, a mean of 40.5 in a voxel.
	int mass;
	// Of the column in the middle; 0 for pouring in a corner.
	int column;
	int turn;
} tncBasin;

static void tncRunBasin(tncContext* context, const tncBasin* basin)
{
	const tnVoxelWorldDef def = tncMakeVoxelDef(context, TNC_STAIR_CAP);
	tncVoxelFrame frame = tncMakeFrame(basin->sizeX + 2, 48, basin->sizeZ + 2);
	frame.turn = basin->turn;
	tncVoxels voxels;
	if (!tncOpenVoxels(context, &def, &frame, &voxels))
	{
		return;
	}
	tncSetGround(&voxels, tncMakeBoxOf(1, 1, 1, basin->sizeX + 1, 48, basin->sizeZ + 1), 0);
	int left = basin->mass;
	if (basin->column > 0)
	{
		// As high as it has to be.
		const int area = basin->column * basin->column;
		const int x = 1 + (basin->sizeX - basin->column) / 2;
		const int z = 1 + (basin->sizeZ - basin->column) / 2;
		for (int y = 1; left > 0 && y < 48; ++y)
		{
			const int amount = left / area < TNC_STAIR_CAP ? left / area : TNC_STAIR_CAP;
			left -=
				(int)tncPour(&voxels, tncMakeBoxOf(x, y, z, x + basin->column, y + 1, z + basin->column), 1, amount);
		}
	}
	int step = 0;
	bool atRest = false;
	for (; step < TNC_VOXEL_PATIENCE && !atRest && !voxels.failed; ++step)
	{
		const int amount = left < TNC_STAIR_CAP ? left : TNC_STAIR_CAP;
		left -= left > 0 ? (int)tncPour(&voxels, tncMakeVoxelBox(1, 20, 1), 1, amount) : 0;
		tncStepVoxels(&voxels, 1);
		atRest = left == 0 && tnVoxelWorld_IsAtRest(voxels.world);
	}
	int low = INT32_MAX;
	int high = 0;
	int skew = 0;
	for (int z = 1; z <= basin->sizeZ; ++z)
	{
		for (int x = 1; x <= basin->sizeX; ++x)
		{
			const int amount = tncGetVoxelAt(&voxels, x, 1, z).amount;
			low = amount < low ? amount : low;
			high = amount > high ? amount : high;
			if (basin->sizeX == basin->sizeZ)
			{
				const int other = tncGetVoxelAt(&voxels, z, 1, x).amount;
				skew = abs(amount - other) > skew ? abs(amount - other) : skew;
			}
		}
	}
	tncRequire(context, (double)tncSumScene(&voxels), basin->mass, basin->mass, "%s: units", basin->name);
	tncRequire(context, atRest ? 0.0 : 1.0, 0.0, 0.0, "%s: still moving", basin->name);
	tncJudge(context, true, high - low, TNC_STAIR_CAP / 64.0, 1.0, "%s: highest less lowest (units)", basin->name);
	if (basin->sizeX == basin->sizeZ)
	{
		tncJudge(context, true, skew, 1.0, 1.0, "%s: across the diagonal (units)", basin->name);
	}
	tncTell(context, step, "%s: steps until settled", basin->name);
	tncCloseVoxels(&voxels);
}

void tncRunNoStairs(tncContext* context)
{
	static const tncBasin basins[] = {
		{"corner", 64, 64, 165888, 0, tnc_noTurn},
		{"opposite corner", 64, 64, 165888, 0, tnc_flipColumns | tnc_flipRows},
		{"column in the centre", 64, 64, 165888, 4, tnc_noTurn},
		{"corner of 61 x 47", 61, 47, 116113, 0, tnc_noTurn},
		{"column in 61 x 47", 61, 47, 116109, 3, tnc_transpose},
	};
	for (size_t i = 0; i < sizeof(basins) / sizeof(basins[0]); ++i)
	{
		tncRunBasin(context, basins + i);
	}
}

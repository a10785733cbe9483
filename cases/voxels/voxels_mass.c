// SPDX-License-Identifier: MIT

// V03: not a unit is lost or made. V05: digging and building in water.

#include "kits/voxel_case_kit.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------------------
// V03

enum
{
	tncMassSide = 64,
	tncMassSteps = 10000,
	tncMassPeriod = 1000,
	tncMassCap = 255,
};

typedef struct tncMassCheck
{
	// Units, each the worst so far.
	int64_t drift, books, outside;
	int bad;
	// What own counts say: unloaded with blocks, and poured less taken by hand.
	int64_t unloaded, byHand;
} tncMassCheck;

static void tncCheckMass(const tncVoxels* voxels, tncMassCheck* check)
{
	const tnVoxel size = voxels->frame.size;
	int64_t sum = 0;
	for (int i = 0; i < tncCountScene(voxels); ++i)
	{
		const tnVoxelState state = tncGetVoxelAt(voxels, i % size.x, i / (size.x * size.z), i / size.x % size.z);
		sum += state.amount;
		check->bad += state.amount < 0 || state.amount > state.room || state.room > tncMassCap ? 1 : 0;
	}
	const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(voxels->world, 1);
	const int64_t expected = ledger.sources - ledger.drains + check->byHand - check->unloaded;
	const int64_t drift = llabs(ledger.drift);
	const int64_t books = llabs(sum + ledger.waiting - expected);
	const int64_t outside = llabs(sum - ledger.volume);
	check->drift = drift > check->drift ? drift : check->drift;
	check->books = books > check->books ? books : check->books;
	check->outside = outside > check->outside ? outside : check->outside;
}

// Something random: a hole, a heap, a bucket more or less.
static void tncEditAtRandom(tncVoxels* voxels, int turn, tncMassCheck* check)
{
	const uint32_t random = tncHash3((uint32_t)turn, 1, 77);
	const int x = (int)(random % 56);
	const int y = (int)(random / 64 % 56);
	const int z = (int)(random / 4096 % 56);
	const tnVoxelBox box = tncMakeBoxOf(x, y, z, x + 5, y + 3, z + 7);
	switch (turn % 4)
	{
		case 0:
			tncSetGround(voxels, box, 0);
			break;
		case 1:
			check->byHand += tncPour(voxels, box, 1, 100);
			break;
		case 2:
			// Half of it, or all: what has no room any more goes elsewhere.
			tncSetGround(voxels, box, turn % 8 == 2 ? 128 : TN_VOXEL_ROCK);
			break;
		default:
			check->byHand -= tncTakeOut(voxels, box, 60);
			break;
	}
}

// A block goes and comes back as it was at first.
static void tncReloadBlock(tncVoxels* voxels, int turn, const int32_t* solid, tncMassCheck* check)
{
	const tnVoxel place = {turn & 1 ? 0 : -1, turn & 2 ? 0 : -1, turn & 4 ? 0 : -1};
	const tnVoxelLedger before = tnVoxelWorld_GetLedger(voxels->world, 1);
	const int64_t sum = tncSumScene(voxels);
	tncCheckVoxels(voxels, tnVoxelWorld_UnloadBlock(voxels->world, place));
	// What waited in it goes too, and is not in its voxels.
	const tnVoxelLedger after = tnVoxelWorld_GetLedger(voxels->world, 1);
	check->unloaded += sum - tncSumScene(voxels) + before.waiting - after.waiting;
	tncStepVoxels(voxels, 10);
	tncCheckVoxels(voxels, tnVoxelWorld_LoadBlock(voxels->world, place));
	const tnVoxelBox all = {{place.x * TN_VOXEL_BLOCK, place.y * TN_VOXEL_BLOCK, place.z * TN_VOXEL_BLOCK},
		{(place.x + 1) * TN_VOXEL_BLOCK, (place.y + 1) * TN_VOXEL_BLOCK, (place.z + 1) * TN_VOXEL_BLOCK}};
	tncCheckVoxels(voxels, tnVoxelWorld_FillSolid(voxels->world, all, TN_VOXEL_ROCK));
	const tnVoxel origin = voxels->frame.origin;
	for (int i = 0; i < tncMassSide * tncMassSide * tncMassSide; ++i)
	{
		const tnVoxel at = {i % tncMassSide, i / (tncMassSide * tncMassSide), i / tncMassSide % tncMassSide};
		if (solid[i] == 0 && (at.x + origin.x < 0) == (place.x < 0) && (at.y + origin.y < 0) == (place.y < 0) &&
			(at.z + origin.z < 0) == (place.z < 0))
		{
			tncSetGround(voxels, tncMakeVoxelBox(at.x, at.y, at.z), 0);
		}
	}
}

void tncRunVoxelMass(tncContext* context)
{
	const tnVoxelWorldDef def = tncMakeVoxelDef(context, tncMassCap);
	int32_t* solid = malloc(tncMassSide * tncMassSide * tncMassSide * sizeof(int32_t));
	tncVoxels voxels;
	if (solid == NULL || !tncOpenCave(context, &def, tncMassSide, tnc_noTurn, &voxels))
	{
		free(solid);
		return;
	}
	tncMakeCave(tncMassSide, solid);
	tncMassCheck check = {0};
	const tnVoxelBox sky = tncMakeBoxOf(0, tncMassSide - 1, 0, tncMassSide, tncMassSide, tncMassSide);
	const tnVoxelBox ground = tncMakeBoxOf(0, 0, 0, 21, 5, tncMassSide);
	(void)tncAddVoxelSource(&voxels, ground, 0, -3);
	tnVoxelSourceId rain = {0};
	for (int step = 0; step < tncMassSteps && !voxels.failed; ++step)
	{
		// Showers of 500 steps.
		if (step % tncMassPeriod == 0)
		{
			rain = tncAddVoxelSource(&voxels, sky, 1, 2);
		}
		if (step % tncMassPeriod == 500)
		{
			tncCheckVoxels(&voxels, tnVoxelWorld_DestroySource(voxels.world, rain));
		}
		if (step % 100 == 50)
		{
			tncEditAtRandom(&voxels, step / 100, &check);
		}
		if (step % tncMassPeriod == 750)
		{
			tncReloadBlock(&voxels, step / tncMassPeriod, solid, &check);
		}
		tncStepVoxels(&voxels, 1);
		if ((step + 1) % tncMassPeriod == 0)
		{
			tncCheckMass(&voxels, &check);
		}
	}
	const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(voxels.world, 1);
	tncRequire(context, (double)check.drift, 0.0, 0.0, "ledger: worst drift (units)");
	tncRequire(context, (double)check.books, 0.0, 0.0, "all voxels against own books: worst (units)");
	tncRequire(context, (double)check.outside, 0.0, 0.0, "all voxels against the ledger: worst (units)");
	tncRequire(context, check.bad, 0.0, 0.0, "voxels with less than 0 or more than fits");
	tncRequire(context, (double)ledger.sources, 1.0, INFINITY, "rain (units)");
	tncRequire(context, (double)ledger.drains, 1.0, INFINITY, "drained (units)");
	tncRequire(
		context, (double)ledger.unloaded, (double)check.unloaded, (double)check.unloaded, "left with blocks (units)");
	tncTell(context, (double)ledger.volume, "in the end (units)");
	tncTell(context, (double)ledger.waiting, "waiting in the end (units)");
	tncTell(context, (double)tnVoxelWorld_GetStats(voxels.world).stepCount, "steps");
	tncCloseVoxels(&voxels);
	free(solid);
}

// ---------------------------------------------------------------------------------------------------------------------
// V05

#define TNC_DIG_CAP 1024

// Let it settle, then compare it with the state of rest that follows from ground and mass alone.
static void tncComparesToPool(tncVoxels* voxels, tnVoxel bottom, int64_t mass, int64_t elsewhere, const char* label)
{
	tncContext* context = voxels->context;
	const int steps = tncRestVoxels(voxels, TNC_VOXEL_PATIENCE);
	const tncPool pool = tncFillPool(voxels, bottom, mass - elsewhere);
	const tncPoolDefects defects = tncComparePool(voxels, bottom, &pool);
	const double realistic = TNC_DIG_CAP / 64.0;
	tncRequire(context, steps, 0.0, INFINITY, "%s: steps until settled", label);
	tncRequire(context, (double)(tncSumScene(voxels) - mass), 0.0, 0.0, "%s: units lost or made", label);
	tncRequire(context, defects.notFull, 0.0, 0.0, "%s: voxels below the surface that are not full", label);
	tncRequire(context, (double)(defects.above - elsewhere), 0.0, 0.0, "%s: units out of the pool", label);
	tncJudge(context, true, defects.spread, realistic, 1.0, "%s: highest less lowest (units)", label);
	tncJudge(context, true, defects.deviation, realistic, 1.0, "%s: off the level from scratch (units)", label);
}

static void tncRunDigging(tncContext* context)
{
	const tnVoxelWorldDef def = tncMakeVoxelDef(context, TNC_DIG_CAP);
	const tncVoxelFrame frame = tncMakeFrame(27, 31, 19);
	tncVoxels voxels;
	if (!tncOpenVoxels(context, &def, &frame, &voxels))
	{
		return;
	}
	const tnVoxelBox hole = tncMakeVoxelBox(11, 13, 8);
	const tnVoxel caveBottom = {6, 3, 5};
	const tnVoxel lakeBottom = {20, 14, 8};
	tncSetGround(&voxels, tncMakeBoxOf(6, 3, 5, 17, 13, 12), 0);
	tncSetGround(&voxels, tncMakeBoxOf(2, 14, 2, 24, 30, 17), 0);
	const int64_t mass = tncPour(&voxels, tncMakeBoxOf(2, 14, 2, 24, 23, 17), 1, TNC_DIG_CAP) +
		tncPour(&voxels, tncMakeBoxOf(5, 23, 4, 12, 24, 11), 1, 317);
	tncComparesToPool(&voxels, lakeBottom, mass, 0, "lake");

	tncSetGround(&voxels, hole, 0);
	tncStepVoxels(&voxels, 1);
	tncRequire(context, tncGetVoxelAt(&voxels, 11, 13, 8).amount, 1.0, INFINITY, "hole: units in it after a step");
	tncRequire(
		context, tncGetVoxelAt(&voxels, 11, 14, 8).settled ? 1.0 : 0.0, 0.0, 0.0, "hole: water above it still sleeps");
	tncComparesToPool(&voxels, caveBottom, mass, 0, "hole in the bed");

	tncSetGround(&voxels, tncMakeBoxOf(14, 15, 6, 19, 18, 10), TN_VOXEL_ROCK);
	tncStepVoxels(&voxels, 1);
	tncRequire(context, tnVoxelWorld_IsAtRest(voxels.world) ? 1.0 : 0.0, 0.0, 0.0, "rock in water: all still sleeps");
	const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(voxels.world, 1);
	tncRequire(
		context, (double)(ledger.volume + ledger.waiting - mass), 0.0, 0.0, "rock in water: units not on the books");
	tncComparesToPool(&voxels, caveBottom, mass, 0, "rock in water");

	// Half of the floor rises and closes the cave.
	tncSetGround(&voxels, tncMakeBoxOf(2, 13, 2, 13, 17, 17), TN_VOXEL_ROCK);
	tncRestVoxels(&voxels, TNC_VOXEL_PATIENCE);
	int64_t inCave = 0;
	for (int i = 0; i < 11 * 10 * 7; ++i)
	{
		inCave += tncGetVoxelAt(&voxels, 6 + i % 11, 3 + i / 77, 5 + i / 11 % 7).amount;
	}
	tncComparesToPool(&voxels, lakeBottom, mass, inCave, "floor up");
	tncSetGround(&voxels, tncMakeBoxOf(2, 13, 2, 13, 17, 17), 0);
	tncStepVoxels(&voxels, 1);
	tncRequire(context, tnVoxelWorld_IsAtRest(voxels.world) ? 1.0 : 0.0, 0.0, 0.0, "floor down: all still sleeps");
	tncComparesToPool(&voxels, caveBottom, mass, 0, "floor down");
	tncCloseVoxels(&voxels);
}

static void tncRunGate(tncContext* context)
{
	const tnVoxelWorldDef def = tncMakeVoxelDef(context, TNC_DIG_CAP);
	const tncVoxelFrame frame = tncMakeFrame(33, 20, 9);
	tncVoxels voxels;
	if (!tncOpenVoxels(context, &def, &frame, &voxels))
	{
		return;
	}
	const tnVoxelBox gate = tncMakeBoxOf(14, 3, 3, 15, 7, 5);
	tncSetGround(&voxels, tncMakeBoxOf(1, 1, 1, 14, 19, 8), 0);
	tncSetGround(&voxels, tncMakeBoxOf(15, 3, 1, 32, 19, 8), 0);
	const int64_t mass = tncPour(&voxels, tncMakeBoxOf(1, 1, 1, 14, 15, 8), 1, 1013);
	int64_t worst = 0;
	for (int turn = 0; turn < 12; ++turn)
	{
		tncSetGround(&voxels, gate, turn % 2 == 0 ? 0 : TN_VOXEL_ROCK);
		for (int i = 0; i < 100; ++i)
		{
			tncStepVoxels(&voxels, 1);
			const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(voxels.world, 1);
			const int64_t error = llabs(ledger.volume + ledger.waiting - mass);
			worst = error > worst ? error : worst;
		}
	}
	tncRequire(context, (double)worst, 0.0, 0.0, "gate each 100 steps: worst of the books (units)");
	tncSetGround(&voxels, gate, 0);
	tncComparesToPool(&voxels, (tnVoxel){1, 1, 1}, mass, 0, "gate open");
	tncCloseVoxels(&voxels);
}

void tncRunTerraforming(tncContext* context)
{
	tncRunDigging(context);
	tncRunGate(context);
}

// SPDX-License-Identifier: MIT

// V07: liquids sort by density. V08: viscous ones spread more slowly.

#include "kits/voxel_case_kit.h"

#include <math.h>
#include <stdlib.h>

#define TNC_LIQUID_CAP 1024

// ---------------------------------------------------------------------------------------------------------------------
// V07

enum
{
	tncBoxSide = 16,
	tncBoxVoxels = 4096,
	tncKinds = 3,
	tncOil = 1,
	tncWater = 2,
};

static tnVoxelWorldDef tncMakeLiquidDef(const tncContext* context)
{
	static const float densities[tncKinds] = {800.0f, 1000.0f, 1200.0f};
	tnVoxelWorldDef def = tncMakeVoxelDef(context, TNC_LIQUID_CAP);
	def.liquidCount = tncKinds;
	for (int i = 0; i < tncKinds; ++i)
	{
		def.liquids[i] = tnDefaultLiquidDef();
		def.liquids[i].density = densities[i];
	}
	return def;
}

// Voxels of each kind in each layer.
static void tncCountLayers(const tncVoxels* voxels, int layers[tncBoxSide][tncKinds + 1])
{
	for (int i = 0; i < tncBoxVoxels; ++i)
	{
		const tnVoxelState state = tncGetVoxelAt(
			voxels, 1 + i % tncBoxSide, 1 + i / (tncBoxSide * tncBoxSide), 1 + i / tncBoxSide % tncBoxSide);
		layers[i / (tncBoxSide * tncBoxSide)][state.liquid] += 1;
	}
}

// Of all voxels of liquid, those in a layer where the sorted state has no room for them.
static double tncGetMisplaced(const tncVoxels* voxels)
{
	int layers[tncBoxSide][tncKinds + 1] = {{0}};
	tncCountLayers(voxels, layers);
	int misplaced = 0;
	int all = 0;
	// Heavy ones first: begin is where a kind begins in the sorted state, in voxels from the bottom.
	int begin = 0;
	for (int kind = tncKinds; kind >= 1; --kind)
	{
		int count = 0;
		for (int y = 0; y < tncBoxSide; ++y)
		{
			count += layers[y][kind];
		}
		for (int y = 0; y < tncBoxSide; ++y)
		{
			const int low = y * tncBoxSide * tncBoxSide;
			const int high = low + tncBoxSide * tncBoxSide;
			const int from = begin > low ? begin : low;
			const int to = begin + count < high ? begin + count : high;
			const int wanted = to > from ? to - from : 0;
			misplaced += layers[y][kind] > wanted ? layers[y][kind] - wanted : 0;
		}
		begin += count;
		all += count;
	}
	return (double)misplaced / all;
}

static int tncGetColumnSpread(const tncVoxels* voxels)
{
	int low = INT32_MAX;
	int high = 0;
	for (int i = 0; i < tncBoxSide * tncBoxSide; ++i)
	{
		int sum = 0;
		for (int y = 0; y < tncBoxSide; ++y)
		{
			sum += tncGetVoxelAt(voxels, 1 + i % tncBoxSide, 1 + y, 1 + i / tncBoxSide).amount;
		}
		low = sum < low ? sum : low;
		high = sum > high ? sum : high;
	}
	return high - low;
}

// A box of which the lower `height` layers are full of all three in random order.
static void tncRunBox(tncContext* context, int height, uint32_t seed, const char* label)
{
	const tnVoxelWorldDef def = tncMakeLiquidDef(context);
	const tncVoxelFrame frame = tncMakeFrame(tncBoxSide + 2, tncBoxSide + 2, tncBoxSide + 2);
	tncVoxels voxels;
	if (!tncOpenVoxels(context, &def, &frame, &voxels))
	{
		return;
	}
	tncSetGround(&voxels, tncMakeBoxOf(1, 1, 1, tncBoxSide + 1, tncBoxSide + 1, tncBoxSide + 1), 0);
	const int count = height * tncBoxSide * tncBoxSide;
	uint8_t kinds[tncBoxVoxels];
	int64_t poured[tncKinds + 1] = {0};
	for (int i = 0; i < count; ++i)
	{
		kinds[i] = (uint8_t)(1 + i * tncKinds / count);
	}
	for (int i = count - 1; i > 0; --i)
	{
		const int other = (int)(tncHash3((uint32_t)i, 0, seed) % (uint32_t)(i + 1));
		const uint8_t swap = kinds[i];
		kinds[i] = kinds[other];
		kinds[other] = swap;
	}
	for (int i = 0; i < count; ++i)
	{
		const tnVoxelBox box =
			tncMakeVoxelBox(1 + i % tncBoxSide, 1 + i / (tncBoxSide * tncBoxSide), 1 + i / tncBoxSide % tncBoxSide);
		poured[kinds[i]] += tncPour(&voxels, box, kinds[i], TNC_LIQUID_CAP);
	}
	double at[2] = {1.0, 1.0};
	int sortedAt = -1;
	for (int step = 1; step <= 5000 && !voxels.failed; ++step)
	{
		tncStepVoxels(&voxels, 1);
		if (step % 50 == 0)
		{
			const double misplaced = tncGetMisplaced(&voxels);
			at[0] = step == 2000 ? misplaced : at[0];
			at[1] = step == 5000 ? misplaced : at[1];
			sortedAt = misplaced > 0.0 ? -1 : (sortedAt < 0 ? step : sortedAt);
		}
	}
	tncJudge(context, true, at[1], 0.01, 0.01, "%s: misplaced after 5000 steps", label);
	tncJudge(context, true, at[0], INFINITY, 0.0, "%s: misplaced after 2000 steps", label);
	tncTell(context, sortedAt, "%s: steps until sorted", label);
	tncTell(context, tnVoxelWorld_IsAtRest(voxels.world) ? 1.0 : 0.0, "%s: at rest after 5000 steps", label);
	tncRequire(context, tncGetColumnSpread(&voxels), 0.0, 1.0, "%s: columns: largest less smallest (units)", label);
	int64_t wrong = 0;
	for (int kind = 1; kind <= tncKinds; ++kind)
	{
		const tnVoxelLedger ledger = tnVoxelWorld_GetLedger(voxels.world, kind);
		wrong += llabs(ledger.volume + ledger.waiting - poured[kind]);
	}
	tncRequire(context, (double)wrong, 0.0, 0.0, "%s: units of any kind lost or made", label);
	tncCloseVoxels(&voxels);
}

// Height of the surface of an arm above the ground, voxels.
static double tncGetSurface(const tncVoxels* voxels, int begin, int end)
{
	double sum = 0.0;
	for (int x = begin; x < end; ++x)
	{
		for (int z = 0; z < voxels->frame.size.z; ++z)
		{
			for (int y = 1; y < voxels->frame.size.y; ++y)
			{
				sum += tncGetVoxelAt(voxels, x, y, z).amount;
			}
		}
	}
	return sum / ((double)TNC_LIQUID_CAP * (end - begin) * voxels->frame.size.z);
}

// Water in a bend, oil on one arm: the surfaces differ by a fifth of its height.
static void tncRunTwoLiquids(tncContext* context, int oilHeight)
{
	const tnVoxelWorldDef def = tncMakeLiquidDef(context);
	const tncVoxelFrame frame = tncMakeFrame(21, 40, 3);
	tncVoxels voxels;
	if (!tncOpenVoxels(context, &def, &frame, &voxels))
	{
		return;
	}
	tncSetGround(&voxels, tncMakeBoxOf(1, 1, 0, 6, 40, 3), 0);
	tncSetGround(&voxels, tncMakeBoxOf(15, 1, 0, 20, 40, 3), 0);
	tncSetGround(&voxels, tncMakeBoxOf(1, 1, 0, 20, 3, 3), 0);
	(void)tncPour(&voxels, tncMakeBoxOf(1, 1, 0, 20, 16, 3), tncWater, TNC_LIQUID_CAP);
	(void)tncPour(&voxels, tncMakeBoxOf(1, 16, 0, 6, 16 + oilHeight, 3), tncOil, TNC_LIQUID_CAP);
	const int steps = tncRestVoxels(&voxels, 5000);
	const double difference = tncGetSurface(&voxels, 1, 6) - tncGetSurface(&voxels, 15, 20);
	const double error = fabs(difference - 0.2 * oilHeight);
	tncJudge(context, true, error, 1.0, 0.25, "%d voxels of oil in a bend: surfaces: error (voxels)", oilHeight);
	tncTell(context, difference, "%d voxels of oil in a bend: difference of the surfaces (voxels)", oilHeight);
	tncTell(context, steps, "%d voxels of oil in a bend: steps until settled", oilHeight);
	tncCloseVoxels(&voxels);
}

void tncRunLayering(tncContext* context)
{
	tncRunBox(context, 16, 3, "full box");
	tncRunBox(context, 13, 8, "box with air");
	tncRunTwoLiquids(context, 3);
	tncRunTwoLiquids(context, 10);
}

// ---------------------------------------------------------------------------------------------------------------------
// V08

enum
{
	tncFloorSide = 61,
	tncViscosities = 3,
};

static const int s_viscosities[tncViscosities] = {1, 10, 100};

static double tncGetRadius(const tncVoxels* voxels)
{
	double moment = 0.0;
	double mass = 0.0;
	const double middle = tncFloorSide / 2 + 1;
	for (int z = 1; z <= tncFloorSide; ++z)
	{
		for (int x = 1; x <= tncFloorSide; ++x)
		{
			double amount = 0.0;
			for (int y = 1; y < 12; ++y)
			{
				amount += tncGetVoxelAt(voxels, x, y, z).amount;
			}
			mass += amount;
			moment += amount * ((x - middle) * (x - middle) + (z - middle) * (z - middle));
		}
	}
	return mass > 0.0 ? sqrt(moment / mass) : 0.0;
}

// When its radius was `radius`, by a straight line through the steps before and after.
static double tncGetCrossing(double before, double after, double step, double interval, double radius)
{
	return step - interval + interval * (radius - before) / (after - before);
}

void tncRunViscosity(tncContext* context)
{
	enum
	{
		fixedSteps = 60
	};
	double doubling[tncViscosities];
	double radius[tncViscosities];
	for (int i = 0; i < tncViscosities; ++i)
	{
		const int viscosity = s_viscosities[i];
		tnVoxelWorldDef def = tncMakeVoxelDef(context, TNC_LIQUID_CAP);
		def.liquids[0].viscosity = viscosity;
		const tncVoxelFrame frame = tncMakeFrame(tncFloorSide + 2, 14, tncFloorSide + 2);
		doubling[i] = radius[i] = NAN;
		tncVoxels voxels;
		if (!tncOpenVoxels(context, &def, &frame, &voxels))
		{
			return;
		}
		const int middle = tncFloorSide / 2 + 1;
		tncSetGround(&voxels, tncMakeBoxOf(1, 1, 1, tncFloorSide + 1, 13, tncFloorSide + 1), 0);
		(void)tncPour(&voxels, tncMakeBoxOf(middle - 1, 2, middle - 1, middle + 2, 12, middle + 2), 1, TNC_LIQUID_CAP);
		double begin = NAN;
		double end = NAN;
		double before = 0.0;
		for (int step = 1; step < 400 * viscosity && !(end > 0.0); ++step)
		{
			tncStepVoxels(&voxels, 1);
			if (step == fixedSteps)
			{
				radius[i] = tncGetRadius(&voxels);
			}
			if (step % viscosity != 0)
			{
				continue;
			}
			const double now = tncGetRadius(&voxels);
			begin = before < 5.0 && now >= 5.0 ? tncGetCrossing(before, now, step, viscosity, 5.0) : begin;
			end = before < 10.0 && now >= 10.0 ? tncGetCrossing(before, now, step, viscosity, 10.0) : end;
			before = now;
		}
		if (isnan(radius[i]))
		{
			tncStepVoxels(&voxels, fixedSteps - (int)tnVoxelWorld_GetStats(voxels.world).stepCount);
			radius[i] = tncGetRadius(&voxels);
		}
		doubling[i] = end - begin;
		tncTell(context, radius[i], "viscosity %d: radius after %d steps (voxels)", viscosity, fixedSteps);
		tncTell(context, doubling[i], "viscosity %d: from 5 to 10 voxels (steps)", viscosity);
		tncCloseVoxels(&voxels);
	}
	for (int i = 1; i < tncViscosities; ++i)
	{
		tncRequire(context, radius[i] - radius[i - 1], -INFINITY, -1.0e-9, "viscosity %d: radius less that of %d",
			s_viscosities[i], s_viscosities[i - 1]);
		const double ratio = doubling[i] / doubling[i - 1] / 10.0;
		tncJudgeRange(context, true, ratio, (tncRange){0.5, 2.0}, (tncRange){0.8, 1.25},
			"viscosity %d and %d: doubling time ratio over 10", s_viscosities[i], s_viscosities[i - 1]);
	}

	// The end of all of them, on a smaller floor.
	for (int i = 0; i < tncViscosities; ++i)
	{
		tnVoxelWorldDef def = tncMakeVoxelDef(context, TNC_LIQUID_CAP);
		def.liquids[0].viscosity = s_viscosities[i];
		const tncVoxelFrame frame = tncMakeFrame(13, 14, 11);
		tncVoxels voxels;
		if (!tncOpenVoxels(context, &def, &frame, &voxels))
		{
			return;
		}
		tncSetGround(&voxels, tncMakeBoxOf(1, 1, 1, 12, 13, 10), 0);
		const int64_t mass = tncPour(&voxels, tncMakeBoxOf(5, 1, 4, 7, 6, 6), 1, 1021);
		const int steps = tncRestVoxels(&voxels, 1000 * s_viscosities[i]);
		const tnVoxel bottom = {1, 1, 1};
		const tncPool pool = tncFillPool(&voxels, bottom, mass);
		const tncPoolDefects defects = tncComparePool(&voxels, bottom, &pool);
		tncRequire(context, steps, 0.0, INFINITY, "viscosity %d: steps until settled", s_viscosities[i]);
		tncJudge(context, true, defects.spread, TNC_LIQUID_CAP / 64.0, 1.0, "viscosity %d: highest less lowest (units)",
			s_viscosities[i]);
		tncRequire(context, (double)defects.above + defects.notFull, 0.0, 0.0, "viscosity %d: out of the pool (units)",
			s_viscosities[i]);
		tncCloseVoxels(&voxels);
	}
}

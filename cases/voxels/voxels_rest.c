// SPDX-License-Identifier: MIT

// V04: water comes to rest, and then costs nothing. With a limit of work it comes to the same rest.

#include "kits/voxel_case_kit.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum
{
	tncLanes = 9,
	tncLaneLength = 45,
	tncLookInterval = 4,
	tncCalmSteps = 1000,
};

// A channel two voxels wide that winds: its length is the longest way that water has to go.
static bool tncOpenChannel(tncContext* context, tncVoxels* voxels, int64_t* mass)
{
	const tnVoxelWorldDef def = tncMakeVoxelDef(context, 1024);
	const tncVoxelFrame frame = tncMakeFrame(tncLaneLength + 2, 13, 3 * tncLanes + 1);
	if (!tncOpenVoxels(context, &def, &frame, voxels))
	{
		return false;
	}
	for (int lane = 0; lane < tncLanes; ++lane)
	{
		const int z = 1 + 3 * lane;
		tncSetGround(voxels, tncMakeBoxOf(1, 1, z, tncLaneLength + 1, 12, z + 2), 0);
		const int x = lane % 2 == 0 ? tncLaneLength - 1 : 1;
		if (lane + 1 < tncLanes)
		{
			tncSetGround(voxels, tncMakeBoxOf(x, 1, z + 2, x + 2, 12, z + 3), 0);
		}
	}
	*mass = tncPour(voxels, tncMakeBoxOf(1, 1, 1, 22, 12, 3), 1, 1024);
	return true;
}

static int tncCountOpen(const tncVoxels* voxels)
{
	const tnVoxel size = voxels->frame.size;
	int count = 0;
	for (int i = 0; i < tncCountScene(voxels); ++i)
	{
		count += tncGetVoxelAt(voxels, i % size.x, i / (size.x * size.z), i / size.x % size.z).room > 0 ? 1 : 0;
	}
	return count;
}

// From the last input on.
static void tncWatchRest(tncVoxels* voxels, int path, const char* label)
{
	tncContext* context = voxels->context;
	const int open = tncCountOpen(voxels);
	int nearlyAll = -1;
	int all = -1;
	double work = 0.0;
	int64_t clocks = 0;
	int activeSteps = 0;
	const int limit = 4 * path * path < 40000 ? 4 * path * path : 40000;
	for (int step = 0; step <= limit && !voxels->failed; ++step)
	{
		if (tnVoxelWorld_IsAtRest(voxels->world))
		{
			all = step;
			nearlyAll = nearlyAll < 0 ? step : nearlyAll;
			break;
		}
		if (step % tncLookInterval == 0)
		{
			const bool isCalm = 100 * tncCountAwake(voxels) <= open;
			nearlyAll = isCalm ? (nearlyAll < 0 ? step : nearlyAll) : -1;
		}
		const clock_t begin = clock();
		tncStepVoxels(voxels, 1);
		clocks += clock() - begin;
		work += (double)tnVoxelWorld_GetStats(voxels->world).workedVoxelCount;
		activeSteps += 1;
	}
	tncTell(context, path, "%s: longest way (voxels)", label);
	tncJudge(context, true, nearlyAll < 0 ? INFINITY : nearlyAll, 4.0 * path * path, 20.0 * path,
		"%s: steps until 99 %% sleep", label);
	tncRequire(context, all, 0.0, INFINITY, "%s: steps until all sleep", label);

	const uint32_t hash = tncHashScene(voxels);
	int changes = 0;
	double calmWork = 0.0;
	int64_t calmClocks = 0;
	for (int i = 0; i < tncCalmSteps && !voxels->failed; ++i)
	{
		const clock_t begin = clock();
		tncStepVoxels(voxels, 1);
		calmClocks += clock() - begin;
		calmWork += (double)tnVoxelWorld_GetStats(voxels->world).workedVoxelCount;
		changes += i % 50 == 49 && tncHashScene(voxels) != hash ? 1 : 0;
	}
	tncRequire(context, changes, 0.0, 0.0, "%s: changes in 1000 steps of rest", label);
	tncJudge(context, true, calmWork / tncCalmSteps / (work / activeSteps), 0.01, 0.01,
		"%s: voxels worked on at rest over those before", label);
	tncTell(context, work / activeSteps, "%s: voxels worked on each step before", label);
	tncHope(context, (double)calmClocks / tncCalmSteps / ((double)clocks / activeSteps), 0.0, 0.01,
		"%s: time of a step at rest over those before", label);
}

// ---------------------------------------------------------------------------------------------------------------------
// Limits of work

static void tncCompareBudget(tncContext* context, int64_t workLimit, int pointCount)
{
	tncVoxels voxels[2];
	int64_t mass = 0;
	if (!tncOpenChannel(context, voxels, &mass))
	{
		return;
	}
	if (!tncOpenChannel(context, voxels + 1, &mass))
	{
		tncCloseVoxels(voxels);
		return;
	}
	const int count = tncCountScene(voxels);
	uint16_t* amounts = malloc(2 * (size_t)count * sizeof(uint16_t));
	const int freeSteps = tncRestVoxels(voxels, TNC_VOXEL_PATIENCE);
	const tnVoxel points[3] = {tncPlaceBox(voxels + 1, tncMakeVoxelBox(1, 1, 3 * tncLanes - 1)).low,
		tncPlaceBox(voxels + 1, tncMakeVoxelBox(tncLaneLength, 9, 1)).low,
		tncPlaceBox(voxels + 1, tncMakeVoxelBox(20, 3, 13)).low};
	tncCheckVoxels(voxels + 1, tnVoxelWorld_SetInterests(voxels[1].world, points, pointCount));
	int steps = 0;
	double most = 0.0;
	int64_t drift = 0;
	while (steps < 2 * TNC_VOXEL_PATIENCE && !tnVoxelWorld_IsAtRest(voxels[1].world) && !voxels[1].failed)
	{
		tncCheckVoxels(voxels + 1, tnVoxelWorld_Step(voxels[1].world, workLimit));
		const int64_t now = llabs(tnVoxelWorld_GetLedger(voxels[1].world, 1).drift);
		drift = now > drift ? now : drift;
		most = fmax(most, (double)tnVoxelWorld_GetStats(voxels[1].world).workedVoxelCount);
		steps += 1;
	}
	int worst = INT32_MAX;
	int differing = 0;
	if (amounts != NULL)
	{
		worst = 0;
		tncReadScene(voxels, amounts, NULL);
		tncReadScene(voxels + 1, amounts + count, NULL);
		for (int i = 0; i < count; ++i)
		{
			const int difference = abs(amounts[i] - amounts[count + i]);
			worst = difference > worst ? difference : worst;
			differing += difference != 0 ? 1 : 0;
		}
	}
	const char* names[4] = {"anywhere", "with a point of interest", "with two", "with three"};
	const char* name = names[pointCount];
	const int limit = (int)workLimit;
	tncJudge(context, true, worst, 1.0, 1.0, "%d voxels a step %s: largest difference (units)", limit, name);
	tncRequire(context, (double)(tncSumScene(voxels + 1) - mass), 0.0, 0.0, "%d voxels a step %s: units lost or made",
		limit, name);
	tncRequire(context, (double)drift, 0.0, 0.0, "%d voxels a step %s: drift in any step", limit, name);
	// A chunk with all around it that it looks at.
	tncRequire(context, most, 0.0, (double)(workLimit + 15 * TN_CHUNK_VOXELS), "%d voxels a step %s: most in a step",
		limit, name);
	tncTell(context, differing, "%d voxels a step %s: voxels that differ", limit, name);
	tncTell(context, (double)steps / freeSteps, "%d voxels a step %s: steps over those without a limit", limit, name);
	free(amounts);
	tncCloseVoxels(voxels);
	tncCloseVoxels(voxels + 1);
}

void tncRunSettling(tncContext* context)
{
	tncVoxels voxels;
	int64_t mass = 0;
	if (tncOpenChannel(context, &voxels, &mass))
	{
		tncWatchRest(&voxels, tncLanes * (tncLaneLength + 1), "winding channel");
		tncRequire(context, (double)(tncSumScene(&voxels) - mass), 0.0, 0.0, "winding channel: units lost or made");
		tncCloseVoxels(&voxels);
	}
	const tnVoxelWorldDef def = tncMakeVoxelDef(context, 1024);
	if (tncOpenCave(context, &def, TNC_CAVE_SIDE, tnc_noTurn, &voxels))
	{
		// Rain on the top for a while. The longest way is at least that to the other corner.
		const int side = TNC_CAVE_SIDE;
		const tnVoxelSourceId rain = tncAddVoxelSource(&voxels, tncMakeBoxOf(0, side - 1, 0, side, side, side), 1, 16);
		tncStepVoxels(&voxels, 300);
		tncCheckVoxels(&voxels, tnVoxelWorld_DestroySource(voxels.world, rain));
		tncWatchRest(&voxels, 3 * side, "rain in a cave");
		tncCloseVoxels(&voxels);
	}
	tncCompareBudget(context, 1, 0);
	tncCompareBudget(context, 1024, 0);
	tncCompareBudget(context, 9000, 0);
	tncCompareBudget(context, 1024, 1);
	tncCompareBudget(context, 9000, 3);
}

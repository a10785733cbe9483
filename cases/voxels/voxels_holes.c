// SPDX-License-Identifier: MIT

// V11: what flows through a hole of one voxel in the wall of a tank, d voxels below the surface.

#include "kits/voxel_case_kit.h"

#include <math.h>
#include <stdlib.h>

enum
{
	tncTankTop = 21,
	tncTankSize = 46,
	tncFlowSteps = 400,
};

typedef struct tncTank
{
	int width;
	// Along the wall.
	int place;
	int turn;
} tncTank;

// Units each step, NAN if it could not be run. A sea keeps the level, a drain takes what comes out.
static double tncMeasureHole(tncContext* context, const tncTank* tank, int depth)
{
	const tnVoxelWorldDef def = tncMakeVoxelDef(context, 1024);
	tncVoxelFrame frame = tncMakeFrame(tncTankSize, 26, tncTankSize);
	frame.turn = tank->turn;
	tncVoxels voxels;
	if (!tncOpenVoxels(context, &def, &frame, &voxels))
	{
		return NAN;
	}
	const int wall = 2 + tank->width;
	const int y = tncTankTop - depth;
	tncSetGround(&voxels, tncMakeBoxOf(2, 1, 2, wall, 25, wall), 0);
	(void)tncPour(&voxels, tncMakeBoxOf(2, 1, 2, wall, tncTankTop, wall), 1, 1024);
	tncSetSea(&voxels, tncMakeBoxOf(2, tncTankTop - 1, 2, 3, tncTankTop, 3), tncTankTop);
	// Beyond the hole it falls into a shaft.
	tncSetGround(&voxels, tncMakeVoxelBox(wall, y, tank->place), 0);
	tncSetGround(&voxels, tncMakeBoxOf(wall + 1, 1, tank->place, 44, y + 1, tank->place + 1), 0);
	(void)tncAddVoxelSource(
		&voxels, tncMakeBoxOf(wall + 1, 1, tank->place, 44, 2, tank->place + 1), 0, -TN_MAX_VOXEL_CAP);
	tncStepVoxels(&voxels, tncFlowSteps);
	const int64_t begin = tnVoxelWorld_GetLedger(voxels.world, 1).drains;
	tncStepVoxels(&voxels, tncFlowSteps);
	const double rate = (double)(tnVoxelWorld_GetLedger(voxels.world, 1).drains - begin) / tncFlowSteps;
	tncCloseVoxels(&voxels);
	return rate;
}

void tncRunHoles(tncContext* context)
{
	static const tncTank tanks[] = {
		{7, 4, tnc_noTurn}, {7, 7, tnc_noTurn}, {7, 4, tnc_flipColumns | tnc_transpose}, {13, 4, tnc_noTurn}};
	static const int depths[] = {1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 18};
	enum
	{
		depthCount = sizeof(depths) / sizeof(depths[0])
	};
	double rates[depthCount];
	double worst[4] = {0.0};
	int falls = 0;
	double low = INFINITY;
	double high = 0.0;
	for (int i = 0; i < depthCount; ++i)
	{
		rates[i] = tncMeasureHole(context, tanks, depths[i]);
		tncTell(context, rates[i], "depth %d: flow (units a step)", depths[i]);
		falls += i > 0 && rates[i] <= rates[i - 1] ? 1 : 0;
		const double factor = rates[i] / sqrt((double)depths[i]);
		low = fmin(low, factor);
		high = fmax(high, factor);
		for (int k = 1; k < 4 && i % 3 == 0; ++k)
		{
			worst[k] = fmax(worst[k], fabs(tncMeasureHole(context, tanks + k, depths[i]) / rates[i] - 1.0));
		}
	}
	tncRequire(context, falls, 0.0, 0.0, "deeper holes without more flow");
	// The best factor of sqrt(d) leaves as much above as below.
	tncJudge(context, true, (high - low) / (high + low), INFINITY, 0.25, "flow over sqrt(d): largest error");
	tncHope(context, worst[1], 0.0, 0.0, "another place in the wall: change of flow");
	tncHope(context, worst[2], 0.0, 0.0, "tank turned: change of flow");
	tncHope(context, worst[3], 0.0, 0.0, "tank twice as wide: change of flow");
	// Flow is counted over 400 steps, in which surfaces are levelled 100 times.
	tncRequire(context, fmax(worst[1], fmax(worst[2], worst[3])), 0.0, 0.02, "place and width: largest change of flow");
}

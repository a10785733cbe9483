// SPDX-License-Identifier: MIT

// V09: the same bits for all workers, instructions and orders; turned scenes.

#include "kits/voxel_case_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
	tncBitSteps = 10000,
	tncBusySteps = 1200,
};

typedef struct tncBitRun
{
	int workers;
	tnSimd simd;
	bool isLoadedBackwards;
} tncBitRun;

// A cave with rain, a spring and a drain for a while, with two liquids.
static bool tncRunBusyCave(tncContext* context, const tncBitRun* run, uint64_t hashes[2], bool* isSupported)
{
	tnVoxelWorldDef def = tncMakeVoxelDef(context, 1024);
	def.tasks.workerCount = run->workers;
	def.simd = run->simd;
	def.liquidCount = 2;
	def.liquids[1] = tnDefaultLiquidDef();
	def.liquids[1].density = 800.0f;
	def.liquids[1].viscosity = 3;
	tnVoxelWorld* probe = NULL;
	*isSupported = tnCreateVoxelWorld(&def, &probe).status == tn_ok;
	tnDestroyVoxelWorld(probe);
	const int side = TNC_CAVE_SIDE;
	tncVoxels voxels;
	tncVoxelFrame frame = tncMakeFrame(side, side, side);
	frame.isLoadedBackwards = run->isLoadedBackwards;
	int32_t* solid = malloc(TNC_CAVE_VOXELS * sizeof(int32_t));
	if (!*isSupported || solid == NULL || !tncOpenVoxels(context, &def, &frame, &voxels))
	{
		free(solid);
		return false;
	}
	tncMakeCave(side, solid);
	tncSetSceneGround(&voxels, solid);
	free(solid);
	const tnVoxelSourceId sources[3] = {
		tncAddVoxelSource(&voxels, tncMakeBoxOf(0, side - 1, 0, side, side, side), 1, 3),
		tncAddVoxelSource(&voxels, tncMakeBoxOf(20, 20, 7, 25, 21, 18), 2, 11),
		tncAddVoxelSource(&voxels, tncMakeBoxOf(0, 0, 0, 9, 3, side), 0, -2),
	};
	tncStepVoxels(&voxels, tncBusySteps);
	hashes[0] = tnVoxelWorld_GetHash(voxels.world);
	for (int i = 0; i < 3; ++i)
	{
		tncCheckVoxels(&voxels, tnVoxelWorld_DestroySource(voxels.world, sources[i]));
	}
	tncStepVoxels(&voxels, tncBitSteps - tncBusySteps);
	hashes[1] = tnVoxelWorld_GetHash(voxels.world);
	tncCloseVoxels(&voxels);
	return true;
}

static void tncCompareRuns(tncContext* context)
{
	static const tncBitRun runs[] = {
		{1, tn_simdAuto, false},
		{2, tn_simdAuto, false},
		{4, tn_simdAuto, false},
		{8, tn_simdAuto, false},
		{1, tn_simdScalar, false},
		{1, tn_simdSse2, false},
		{1, tn_simdAvx2, false},
		{1, tn_simdNeon, false},
		{1, tn_simdWasm, false},
		{1, tn_simdAuto, true},
	};
	static const char* const names[] = {"1 worker", "2 workers", "4 workers", "8 workers", "scalar", "SSE2", "AVX2",
		"NEON", "wasm", "blocks loaded in the other order"};
	uint64_t first[2] = {0};
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); ++i)
	{
		if (context->config.ends && (runs[i].workers == 2 || runs[i].workers == 4))
		{
			continue;
		}
		uint64_t hashes[2] = {0};
		bool isSupported = false;
		const bool good = tncRunBusyCave(context, runs + i, hashes, &isSupported);
		if (!isSupported)
		{
			// Not on this machine.
			continue;
		}
		first[0] = i == 0 ? hashes[0] : first[0];
		first[1] = i == 0 ? hashes[1] : first[1];
		const int same = (hashes[0] == first[0] ? 1 : 0) + (hashes[1] == first[1] ? 1 : 0);
		tncRequire(context, good ? same : NAN, 2.0, 2.0, "%s: equal hashes of 2", names[i]);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Turned

// Two basins of different depth, joined by a tunnel and a weir, with steps in the ground.
static bool tncOpenBasins(tncContext* context, int turn, tncVoxels* voxels)
{
	const tnVoxelWorldDef def = tncMakeVoxelDef(context, 1024);
	tncVoxelFrame frame = tncMakeFrame(37, 22, 23);
	frame.turn = turn;
	if (!tncOpenVoxels(context, &def, &frame, voxels))
	{
		return false;
	}
	tncSetGround(voxels, tncMakeBoxOf(1, 3, 1, 15, 21, 22), 0);
	tncSetGround(voxels, tncMakeBoxOf(20, 6, 4, 36, 21, 19), 0);
	tncSetGround(voxels, tncMakeBoxOf(24, 1, 9, 29, 6, 12), 0);
	tncSetGround(voxels, tncMakeBoxOf(14, 4, 7, 27, 5, 10), 0);
	tncSetGround(voxels, tncMakeBoxOf(5, 3, 5, 8, 6, 9), 100);
	tncSetGround(voxels, tncMakeBoxOf(30, 6, 13, 33, 9, 18), TN_VOXEL_ROCK);
	(void)tncPour(voxels, tncMakeBoxOf(2, 12, 3, 9, 20, 11), 1, 1019);
	(void)tncPour(voxels, tncMakeBoxOf(30, 15, 5, 35, 21, 9), 1, 777);
	return true;
}

static void tncCompareTurn(tncContext* context, int turn, const char* name)
{
	tncVoxels voxels[2];
	if (!tncOpenBasins(context, tnc_noTurn, voxels))
	{
		return;
	}
	if (!tncOpenBasins(context, turn, voxels + 1))
	{
		tncCloseVoxels(voxels);
		return;
	}
	const int count = tncCountScene(voxels);
	uint16_t* amounts = malloc(2 * (size_t)count * sizeof(uint16_t));
	int worst[2] = {0};
	int differing[2] = {0};
	for (int part = 0; part < 2 && amounts != NULL; ++part)
	{
		for (int i = 0; i < 2; ++i)
		{
			if (part == 0)
			{
				tncStepVoxels(voxels + i, 40);
			}
			else
			{
				tncRequire(context, tncRestVoxels(voxels + i, TNC_VOXEL_PATIENCE), 0.0, INFINITY,
					"%s: steps until %s settled", name, i == 0 ? "the first" : "the turned one");
			}
			tncReadScene(voxels + i, amounts + i * count, NULL);
		}
		for (int i = 0; i < count; ++i)
		{
			const int difference = abs(amounts[i] - amounts[count + i]);
			worst[part] = difference > worst[part] ? difference : worst[part];
			differing[part] += difference != 0 ? 1 : 0;
		}
	}
	tncTell(context, worst[0], "%s: largest difference after 40 steps (units)", name);
	tncTell(context, differing[0], "%s: voxels that differ after 40 steps", name);
	tncJudge(context, true, amounts != NULL ? worst[1] : NAN, 1.0, 0.0, "%s: largest difference at rest (units)", name);
	tncTell(context, differing[1], "%s: voxels that differ at rest", name);
	free(amounts);
	tncCloseVoxels(voxels);
	tncCloseVoxels(voxels + 1);
}

void tncRunVoxelBits(tncContext* context)
{
	tncCompareRuns(context);
	tncCompareTurn(context, tnc_flipColumns, "mirrored in x");
	tncCompareTurn(context, tnc_flipRows, "mirrored in z");
	tncCompareTurn(context, tnc_transpose | tnc_flipColumns, "turned by 90 degrees");
	tncCompareTurn(context, tnc_flipColumns | tnc_flipRows, "turned by 180 degrees");
}

// SPDX-License-Identifier: MIT

// Bodies and the level of the water: B07 what they displace, B08 what they leave behind, B10 many of them.

#include "kits/rigid_kit.h"

#include <math.h>
#include <stdio.h>

#define TNC_POOL_CELL 0.5
#define TNC_POOL_WIDTH 10.0
#define TNC_POOL_DEPTH 4.0

// Bodies in floating mode are meant to be about as large as a cell.
static double tncGetPoolCell(tnBodyMode mode)
{
	return mode == tn_floatingBody ? 2.5 : TNC_POOL_CELL;
}

enum
{
	TNC_POOL_CELLS = 20,
	TNC_CROWD_CELLS = 64,
	TNC_CROWD_SIDE = 8,
	TNC_CROWD = TNC_CROWD_SIDE * TNC_CROWD_SIDE,
};

// 4 m^3.
static tnShapeDef tncMakeCrate(void)
{
	return tncMakeBox(2.0, 1.0, 2.0);
}

static tncRigid tncMakePoolRigid(double density)
{
	tnShapeDef shape = tncMakeCrate();
	tncRigid rigid = tncMakeRigid(&shape, density, 5.1, TNC_POOL_DEPTH + 1.0, 4.9);
	rigid.linearDamping = 0.5;
	rigid.angularDamping = 0.5;
	rigid.ground = 0.0;
	return rigid;
}

static bool tncStartPool(tncContext* context, int cells, double cellSize, tncScene* scene, tncRun* run)
{
	*scene = tncMakeScene(context, cells, cells, cellSize, TNC_POOL_DEPTH, 0);
	tncFill(scene, TNC_POOL_DEPTH);
	return tncStartRun(context, scene, TNC_NO_TWIN, run);
}

// Mean rise of what is not the body, over ten seconds.
static double tncMeasureRise(tncRun* run, tncRigid* rigid)
{
	double rise = 0.0;
	for (int step = 0; step < 300 && run->failed == false; ++step)
	{
		tncStepRigids(run, rigid, 1, 1.0 / 30.0);
		tncDisc disc = {rigid->position.x, rigid->position.z, 2.0 + run->cellSize};
		rise += (tncMeasureLevel(run->world, &disc, 1, TNC_POOL_DEPTH).mean - TNC_POOL_DEPTH) / 300.0;
	}
	return rise;
}

static void tncJudgeRise(tncContext* context, double density, tnBodyMode mode, const char* label)
{
	tncScene scene;
	tncRun run;
	if (tncStartPool(context, (int)(TNC_POOL_WIDTH / tncGetPoolCell(mode)), tncGetPoolCell(mode), &scene, &run))
	{
		tnShapeDef shape = tncMakeCrate();
		tncRigid rigid = tncMakePoolRigid(density);
		if (tncAddRigid(&run, &rigid, &shape, mode, 0.0))
		{
			for (int step = 0; step < 900 && run.failed == false; ++step)
			{
				tncStepRigids(&run, &rigid, 1, 1.0 / 30.0);
			}
			double exact = 4.0 * fmin(1.0, density) / (TNC_POOL_WIDTH * TNC_POOL_WIDTH);
			double rise = tncMeasureRise(&run, &rigid);
			tncJudgeBody(
				context, 4.0, fabs(rise / exact - 1.0), 0.05, 0.01, "%s s %g rise of the level: error", label, density);
			double change = fabs(tncGetVolume(run.world) / run.startVolume - 1.0);
			tncJudgeProperty(context, change, 1.0e-5, 1.0e-6, "%s s %g: volume of the water: change", label, density);
		}
		tncJudgeGates(&run, label);
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

void tncRunDisplacement(tncContext* context)
{
	tncJudgeRise(context, 0.5, tn_blockingBody, "blocking dx 0.5");
	tncJudgeRise(context, 2.0, tn_blockingBody, "blocking dx 0.5");
	tncJudgeRise(context, 0.5, tn_floatingBody, "floating dx 2.5");
	tncJudgeRise(context, 2.0, tn_floatingBody, "floating dx 2.5");
}

// ---------------------------------------------------------------------------------------------------------------------
// B08

static void tncJudgeCycles(tncContext* context, tnBodyMode mode, const char* label)
{
	tncScene scene;
	tncRun run;
	if (tncStartPool(context, TNC_POOL_CELLS, TNC_POOL_CELL, &scene, &run))
	{
		tnShapeDef shape = tncMakeCrate();
		for (int cycle = 0; cycle < 1000 && run.failed == false; ++cycle)
		{
			// In the water, at changing places and turns.
			tncRigid rigid = tncMakePoolRigid(0.5);
			rigid.position.x = 2.0 + (cycle * 7 % 61) / 10.0;
			rigid.position.z = 2.0 + (cycle * 11 % 61) / 10.0;
			rigid.position.y = TNC_POOL_DEPTH - (cycle % 3) * 0.5;
			rigid.rotation = tncMakeTurn(1, 0.1 * cycle);
			rigid.velocity.y = -2.0;
			tncAddRigid(&run, &rigid, &shape, mode, 0.0);
			for (int step = 0; step < 4; ++step)
			{
				tncStepRigids(&run, &rigid, 1, 1.0 / 30.0);
			}
			run.failed = run.failed || tnWorld_DestroyBody(run.world, rigid.id).status != tn_ok;
			tncSteps(&run, 2, 1.0 / 30.0);
		}
		double change = fabs(tncGetVolume(run.world) / run.startVolume - 1.0);
		tncRequire(context, run.failed ? 1.0 : 0.0, 0.0, 0.0, "%s: calls refused", label);
		tncJudgeProperty(context, change, 1.0e-5, 1.0e-6, "%s: volume: change after 1000 cycles", label);
		tncJudgeGates(&run, label);
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

static void tncJudgeRemoval(tncContext* context, double density, tnBodyMode mode, const char* label)
{
	tncScene scene;
	tncRun run;
	if (tncStartPool(context, (int)(TNC_POOL_WIDTH / tncGetPoolCell(mode)), tncGetPoolCell(mode), &scene, &run))
	{
		tnShapeDef shape = tncMakeCrate();
		tncRigid rigid = tncMakePoolRigid(density);
		tncAddRigid(&run, &rigid, &shape, mode, 0.0);
		for (int step = 0; step < 900 && run.failed == false; ++step)
		{
			tncStepRigids(&run, &rigid, 1, 1.0 / 30.0);
		}
		run.failed = run.failed || tnWorld_DestroyBody(run.world, rigid.id).status != tn_ok;
		tncRequire(context, run.failed ? 1.0 : 0.0, 0.0, 0.0, "%s s %g: calls refused", label, density);
		double highest = 0.0;
		double level = 0.0;
		for (int step = 0; step < 300 && run.failed == false; ++step)
		{
			tncSteps(&run, 1, 1.0 / 60.0);
			tncLevel now = tncMeasureLevel(run.world, NULL, 0, TNC_POOL_DEPTH);
			highest = now.worst <= highest ? highest : now.worst;
			level = now.mean;
		}
		// The pit is as deep as the box reached below the level.
		double pit = fmin(1.0, density) * 1.0;
		tncJudgeProperty(
			context, fabs(level - TNC_POOL_DEPTH), 1.0e-5, 1.0e-6, "%s s %g: level: error (m)", label, density);
		tncRequire(context, highest / pit, 0.0, 2.0, "%s s %g: largest |eta| after removal / pit", label, density);
		tncJudgeGates(&run, label);
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

void tncRunRemoval(tncContext* context)
{
	tncJudgeRemoval(context, 0.5, tn_blockingBody, "blocking dx 0.5");
	tncJudgeRemoval(context, 2.0, tn_blockingBody, "blocking dx 0.5");
	tncJudgeRemoval(context, 0.5, tn_floatingBody, "floating dx 2.5");
	tncJudgeCycles(context, tn_blockingBody, "blocking dx 0.5");
	tncJudgeCycles(context, tn_floatingBody, "floating dx 0.5");
}

// ---------------------------------------------------------------------------------------------------------------------
// B10

// Boxes three cells wide, dropped from different heights in different poses, 4 m apart.
#define TNC_CROWD_WIDTH 1.5
#define TNC_CROWD_HEIGHT 0.75

static void tncMakeCrowd(tncRun* run, tncRigid* rigids)
{
	tnShapeDef shape = tncMakeBox(TNC_CROWD_WIDTH, TNC_CROWD_HEIGHT, TNC_CROWD_WIDTH);
	for (int i = 0; i < TNC_CROWD; ++i)
	{
		double density = 0.2 + 0.7 * (i * 29 % TNC_CROWD) / (TNC_CROWD - 1);
		double x = (i % TNC_CROWD_SIDE + 0.5) * 4.0 + 0.3 * tncNoise((uint32_t)i, 1, 5);
		double z = (i / TNC_CROWD_SIDE + 0.5) * 4.0 + 0.3 * tncNoise((uint32_t)i, 2, 5);
		double y = TNC_POOL_DEPTH + 1.0 + 0.5 * tncNoise((uint32_t)i, 3, 5);
		rigids[i] = tncMakeRigid(&shape, density, x, y, z);
		tncQuat yaw = tncMakeTurn(1, TNC_PI * tncNoise((uint32_t)i, 4, 5));
		rigids[i].rotation = tncMulQuat(yaw, tncMakeTurn(0, 0.3 * tncNoise((uint32_t)i, 5, 5)));
		rigids[i].linearDamping = 0.2;
		rigids[i].angularDamping = 0.2;
		tncAddRigid(run, rigids + i, &shape, tn_autoBody, 0.0);
	}
}

static uint64_t tncHashCrowd(tncContext* context)
{
	uint64_t hash = 0;
	tncScene scene;
	tncRun run;
	tncRigid rigids[TNC_CROWD];
	if (tncStartPool(context, TNC_CROWD_CELLS, TNC_POOL_CELL, &scene, &run))
	{
		tncMakeCrowd(&run, rigids);
		for (int step = 0; step < 90 && run.failed == false; ++step)
		{
			tncStepRigids(&run, rigids, TNC_CROWD, 1.0 / 30.0);
		}
		hash = tnWorld_GetHash(run.world);
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
	return hash;
}

void tncRunCrowd(tncContext* context)
{
	uint64_t hash = tncHashCrowd(context);
	tncRequire(context, hash != 0 && hash == tncHashCrowd(context) ? 0.0 : 1.0, 0.0, 0.0, "another hash when repeated");

	tncScene scene;
	tncRun run;
	tncRigid rigids[TNC_CROWD];
	if (tncStartPool(context, TNC_CROWD_CELLS, TNC_POOL_CELL, &scene, &run) == false)
	{
		tncFreeScene(&scene);
		return;
	}
	tncMakeCrowd(&run, rigids);
	double weights = 0.0;
	double displaced = 0.0;
	double rise = 0.0;
	tncDisc discs[TNC_CROWD];
	enum
	{
		stepCount = 1800,
		meanCount = 300
	};
	for (int step = 0; step < stepCount && run.failed == false; ++step)
	{
		tncStepRigids(&run, rigids, TNC_CROWD, 1.0 / 30.0);
		for (int i = 0; i < TNC_CROWD && step >= stepCount - meanCount; ++i)
		{
			tnBodyState state = {0};
			run.failed = run.failed || tnWorld_GetBodyState(run.world, rigids[i].id, &state).status != tn_ok;
			displaced += TNC_DENSITY * TNC_GRAVITY * (double)state.submergedVolume / meanCount;
			discs[i] = (tncDisc){rigids[i].position.x, rigids[i].position.z, 1.75};
		}
		if (step >= stepCount - meanCount)
		{
			tncLevel level = tncMeasureLevel(run.world, discs, TNC_CROWD, TNC_POOL_DEPTH);
			rise += (level.mean - TNC_POOL_DEPTH) / meanCount;
		}
	}
	int badCount = 0;
	for (int i = 0; i < TNC_CROWD; ++i)
	{
		weights += rigids[i].mass * TNC_GRAVITY;
		tncVec3 p = rigids[i].position;
		badCount += isfinite(p.x) && isfinite(p.y) && isfinite(p.z) && fabs(p.y - TNC_POOL_DEPTH) < 1.0 ? 0 : 1;
	}
	double area = TNC_CROWD_CELLS * TNC_CROWD_CELLS * TNC_POOL_CELL * TNC_POOL_CELL;
	double exact = weights / (TNC_DENSITY * TNC_GRAVITY * area);
	tncJudgeBody(context, 3.0, fabs(displaced / weights - 1.0), 0.02, 0.005, "dx 0.5: displaced weight: error");
	tncJudgeBody(context, 3.0, fabs(rise / exact - 1.0), 0.05, 0.01, "dx 0.5: rise of the level: error");
	tncRequire(context, (double)badCount, 0.0, 0.0, "bodies that are lost or sunk");
	tncJudgeGates(&run, "crowd");
	tncEndRun(&run);
	tncFreeScene(&scene);
}

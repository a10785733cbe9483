// SPDX-License-Identifier: MIT

// Hollow bodies, B18: an open boat of 4 x 2 x 1 m with walls of 0.1 m and 2500 kg. How deep it floats, how a hole floods it, and that no
// water is lost on the way.

#include "kits/rigid_kit.h"
#include "tarn/hollow.h"

#include <math.h>
#include <string.h>

#define TNC_BOAT_POOL 24.0
#define TNC_BOAT_DEPTH 4.0
#define TNC_BOAT_MASS 2500.0
#define TNC_BOAT_DRAFT 0.3125
// 3.8 x 1.8 m.
#define TNC_BOAT_FLOOR 6.84

typedef struct tncBoat
{
	tnVec3 points[16];
	int32_t triangles[84];
	int count;
} tncBoat;

static void tncAddBoatQuad(tncBoat* boat, int a, int b, int c, int d)
{
	const int32_t quad[6] = {a, b, c, a, c, d};
	memcpy(boat->triangles + boat->count, quad, sizeof(quad));
	boat->count += 6;
}

static tnShapeDef tncMakeBoat(tncBoat* boat)
{
	static const float s_signs[4][2] = {{-1.0f, -1.0f}, {1.0f, -1.0f}, {1.0f, 1.0f}, {-1.0f, 1.0f}};
	boat->count = 0;
	for (int i = 0; i < 4; ++i)
	{
		const float x = s_signs[i][0], z = s_signs[i][1];
		boat->points[i] = (tnVec3){2.0f * x, -0.5f, z};
		boat->points[i + 4] = (tnVec3){2.0f * x, 0.5f, z};
		boat->points[i + 8] = (tnVec3){1.9f * x, 0.5f, 0.9f * z};
		boat->points[i + 12] = (tnVec3){1.9f * x, -0.4f, 0.9f * z};
	}
	tncAddBoatQuad(boat, 0, 1, 2, 3);
	for (int i = 0; i < 4; ++i)
	{
		const int k = (i + 1) % 4;
		tncAddBoatQuad(boat, k, i, i + 4, k + 4);
		tncAddBoatQuad(boat, k + 4, i + 4, i + 8, k + 8);
		tncAddBoatQuad(boat, k + 8, i + 8, i + 12, k + 12);
	}
	tncAddBoatQuad(boat, 15, 14, 13, 12);
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_meshShape;
	shape.points = boat->points;
	shape.pointCount = 16;
	shape.triangles = boat->triangles;
	shape.triangleCount = boat->count / 3;
	return shape;
}

static tncRigid tncMakeBoatRigid(double yaw, double x, double y, double z)
{
	// As if it were a box of the same size, which has an inertia that is near enough.
	const tnShapeDef box = tncMakeBox(4.0, 1.0, 2.0);
	tncRigid rigid = tncMakeRigid(&box, TNC_BOAT_MASS / 8000.0, x, y, z);
	rigid.rotation = tncMakeTurn(1, yaw);
	rigid.linearDamping = 0.5;
	rigid.angularDamping = 0.5;
	return rigid;
}

static bool tncStartBoatPool(tncContext* context, double cellSize, tncScene* scene, tncRun* run)
{
	const int cells = (int)(TNC_BOAT_POOL / cellSize);
	*scene = tncMakeScene(context, cells, cells, cellSize, TNC_BOAT_DEPTH, 0);
	tncFill(scene, TNC_BOAT_DEPTH);
	return tncStartRun(context, scene, TNC_NO_TWIN, run);
}

static void tncJudgeBooks(tncContext* context, tncRun* run, double cellSize, const char* what)
{
	const tnLedger ledger = tnWorld_GetLedger(run->world);
	const double change = fabs((ledger.volume + ledger.held) / run->startVolume - 1.0);
	tncJudgeProperty(context, change, 5.0e-5, 1.0e-6, "dx %g %s: water in cells and hull: change", cellSize, what);
}

static void tncJudgeBoatDraft(tncContext* context, double cellSize, double yaw)
{
	tncScene scene;
	tncRun run;
	if (tncStartBoatPool(context, cellSize, &scene, &run))
	{
		tncBoat boat;
		const tnShapeDef shape = tncMakeBoat(&boat);
		tncRigid rigid = tncMakeBoatRigid(yaw, 12.1 + 0.3 * yaw, TNC_BOAT_DEPTH + 0.2, 11.9 - 0.2 * yaw);
		if (tncAddRigid(&run, &rigid, &shape, tn_blockingBody, 0.0))
		{
			const int settleCount = 600, meanCount = 300;
			double draft = 0.0;
			for (int step = 0; step < settleCount + meanCount && run.failed == false; ++step)
			{
				tncStepRigids(&run, &rigid, 1, 1.0 / 30.0);
				tnBodyState state;
				tnWorld_GetBodyState(run.world, rigid.id, &state);
				draft +=
					step < settleCount ? 0.0 : ((double)state.waterlineHeight - rigid.position.y + 0.5) / meanCount;
			}
			tncJudge(context, true, fabs(draft / TNC_BOAT_DRAFT - 1.0), 0.01, 0.002, "dx %g yaw %g: draft: error",
				cellSize, yaw);
			tncJudgeBooks(context, &run, cellSize, "afloat");
		}
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

// Held fast with its floor 0.4 m below the surface, until it is filled halfway up to that.
static void tncJudgeBoatHole(tncContext* context, double cellSize)
{
	tncScene scene;
	tncRun run;
	if (tncStartBoatPool(context, cellSize, &scene, &run))
	{
		tncBoat boat;
		const tnShapeDef shape = tncMakeBoat(&boat);
		tncRigid rigid = tncMakeBoatRigid(0.3, 12.1, TNC_BOAT_DEPTH, 11.9);
		rigid.isDriven = true;
		tnLeakDef leak = tnDefaultLeakDef();
		leak.position = (tnVec3){0.7f, -0.4f, 0.2f};
		leak.area = 0.02f;
		if (tncAddRigid(&run, &rigid, &shape, tn_blockingBody, INFINITY))
		{
			for (int step = 0; step < 600 && run.failed == false; ++step)
			{
				tncStepRigids(&run, &rigid, 1, 1.0 / 60.0);
			}
			run.failed = run.failed || tnWorld_SetLeak(run.world, rigid.id, 0, &leak).status != tn_ok;
			const double area = TNC_BOAT_POOL * TNC_BOAT_POOL;
			const double head = 0.4 + 4.0 / area;
			// The sea falls by what goes in: as if the drop went with both areas.
			const double both = TNC_BOAT_FLOOR * area / (TNC_BOAT_FLOOR + area);
			const double left = head * (1.0 - 0.5 * TNC_BOAT_FLOOR / both);
			const double exact = 2.0 * both * (sqrt(head) - sqrt(left)) /
				((double)leak.discharge * (double)leak.area * sqrt(2.0 * TNC_GRAVITY));
			double seconds = 0.0;
			tnHollowState state = {0};
			while (state.held < 0.5 * head * TNC_BOAT_FLOOR && seconds < 2.0 * exact && run.failed == false)
			{
				tncStepRigids(&run, &rigid, 1, 1.0 / 60.0);
				seconds += 1.0 / 60.0;
				run.failed = run.failed || tnWorld_GetHollow(run.world, rigid.id, 0, &state).status != tn_ok;
			}
			tncJudge(context, true, fabs(seconds / exact - 1.0), 0.1, 0.02,
				"dx %g: time to flood through a hole: error", cellSize);
			tncJudgeBooks(context, &run, cellSize, "flooding");
		}
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
}

void tncRunHollow(tncContext* context)
{
	for (int i = 0; i < 3; ++i)
	{
		tncJudgeBoatDraft(context, 1.0, 0.5 * i);
	}
	tncJudgeBoatDraft(context, 0.25, 0.4);
	tncJudgeBoatHole(context, 1.0);
	tncJudgeBoatHole(context, 0.5);
}

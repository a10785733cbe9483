// SPDX-License-Identifier: MIT

// Bodies and the grid: B09 rest at any place and turn, B11 no ripple when dragged across cells, B12 bodies narrower
// than a cell, B13 ten minutes afloat.

#include "kits/rigid_kit.h"

#include <math.h>
#include <stdio.h>

#define TNC_REST_CELL 0.5
#define TNC_REST_DEPTH 4.0

static double tncGetYaw(const tncRigid* rigid)
{
	tncVec3 axis = tncTurnVec(rigid->rotation, (tncVec3){1.0, 0.0, 0.0});
	return atan2(-axis.z, axis.x) * 180.0 / TNC_PI;
}

// ---------------------------------------------------------------------------------------------------------------------
// B09

typedef struct tncPlace
{
	const char* name;
	// Cells, and degrees.
	double offset, yaw;
} tncPlace;

static const tncPlace s_places[] = {
	{"aligned", 0.0, 0.0},
	{"offset 0.25 dx", 0.25, 0.0},
	{"offset 0.5 dx", 0.5, 0.0},
	{"turned by 30 deg", 0.0, 30.0},
};

// A box of 2 x 4 x 1 m at half of the density of water, without friction, from the moment it appears in water that it
// displaces exactly.
static void tncJudgeRestAsItAppears(tncContext* context, const tncPlace* place)
{
	enum
	{
		cells = 64
	};
	tncScene scene = tncMakeScene(context, cells, cells, TNC_REST_CELL, TNC_REST_DEPTH, 0);
	tncFill(&scene, TNC_REST_DEPTH);
	tnShapeDef shape = tncMakeBox(2.0, 1.0, 4.0);
	double middle = 16.0 + place->offset * TNC_REST_CELL;
	tncRigid rigid = tncMakeRigid(&shape, 0.5, middle, TNC_REST_DEPTH, middle);
	tncBlock block = {
		{middle - 1.0, TNC_REST_DEPTH - 0.5, middle - 2.0}, {middle + 1.0, TNC_REST_DEPTH + 0.5, middle + 2.0}};
	tncCarve(&scene, &block, TNC_REST_DEPTH);
	tncRun run;
	if (tncStartRun(context, &scene, TNC_NO_TWIN, &run) && tncAddRigid(&run, &rigid, &shape, tn_blockingBody, 0.0))
	{
		for (int step = 0; step < 1800 && run.failed == false; ++step)
		{
			tncStepRigids(&run, &rigid, 1, 1.0 / 30.0);
		}
		tncDisc disc = {rigid.position.x, rigid.position.z, 3.5};
		double level = tncMeasureLevel(run.world, &disc, 1, 0.0).mean;
		double drift = hypot(rigid.position.x - middle, rigid.position.z - middle);
		double rough = tncMeasureLevel(run.world, &disc, 1, level).worst;
		tncRequire(context, drift, 0.0, 1.0e-3, "%s as it appears: drift in 60 s (m)", place->name);
		tncRequire(context, fabs(tncGetYaw(&rigid)), 0.0, 0.01, "%s as it appears: yaw in 60 s (deg)", place->name);
		tncRequire(context, rough, 0.0, 1.0e-4, "%s as it appears: largest |eta| (m)", place->name);
	}
	tncEndRun(&run);
	tncFreeScene(&scene);
}

// Two boxes side by side, which share cells: 1.3 m wide and 0.2 m apart over cells of 0.5 m.
static void tncJudgePairAsItAppears(tncContext* context)
{
	enum
	{
		cells = 64
	};
	tncScene scene = tncMakeScene(context, cells, cells, TNC_REST_CELL, TNC_REST_DEPTH, 0);
	tncFill(&scene, TNC_REST_DEPTH);
	tnShapeDef shape = tncMakeBox(1.3, 1.0, 4.0);
	tncRigid rigids[2];
	for (int i = 0; i < 2; ++i)
	{
		double x = 16.1 + (i == 0 ? -0.75 : 0.75);
		rigids[i] = tncMakeRigid(&shape, 0.5, x, TNC_REST_DEPTH, 15.9);
		tncBlock block = {{x - 0.65, TNC_REST_DEPTH - 0.5, 13.9}, {x + 0.65, TNC_REST_DEPTH + 0.5, 17.9}};
		tncCarve(&scene, &block, TNC_REST_DEPTH);
	}
	tncRun run;
	if (tncStartRun(context, &scene, TNC_NO_TWIN, &run) && tncAddRigid(&run, rigids, &shape, tn_blockingBody, 0.0) &&
		tncAddRigid(&run, rigids + 1, &shape, tn_blockingBody, 0.0))
	{
		for (int step = 0; step < 900 && run.failed == false; ++step)
		{
			tncStepRigids(&run, rigids, 2, 1.0 / 30.0);
		}
		tncDisc disc = {16.1, 15.9, 4.0};
		double level = tncMeasureLevel(run.world, &disc, 1, 0.0).mean;
		double rough = tncMeasureLevel(run.world, &disc, 1, level).worst;
		double apart = rigids[1].position.x - rigids[0].position.x - 1.5;
		tncRequire(context, fabs(apart), 0.0, 1.0e-3, "two that share cells as they appear: parted in 30 s (m)");
		tncRequire(context, rough, 0.0, 1.0e-4, "two that share cells as they appear: largest |eta| (m)");
	}
	tncEndRun(&run);
	tncFreeScene(&scene);
}

// The same after it has calmed down; its draft, meters, after 60 s of rest.
static double tncMeasureRest(tncContext* context, const tncPlace* place)
{
	enum
	{
		cells = 64
	};
	tncScene scene = tncMakeScene(context, cells, cells, TNC_REST_CELL, TNC_REST_DEPTH, 0);
	tncFill(&scene, TNC_REST_DEPTH);
	tnShapeDef shape = tncMakeBox(2.0, 1.0, 4.0);
	double middle = 16.0 + place->offset * TNC_REST_CELL;
	tncRigid rigid = tncMakeRigid(&shape, 0.5, middle, TNC_REST_DEPTH, middle);
	rigid.rotation = tncMakeTurn(1, place->yaw * TNC_PI / 180.0);
	bool isExact = place->offset == 0.0 && place->yaw == 0.0;
	if (isExact)
	{
		// At rest from the start: cells are covered wholly or not at all.
		tncBlock block = {
			{middle - 1.0, TNC_REST_DEPTH - 0.5, middle - 2.0}, {middle + 1.0, TNC_REST_DEPTH + 0.5, middle + 2.0}};
		tncCarve(&scene, &block, TNC_REST_DEPTH);
	}
	else
	{
		// The water that it pushes away when it appears has to calm down: friction, 1/s.
		scene.def.friction = 0.5f;
	}
	double draft = NAN;
	tncRun run;
	if (tncStartRun(context, &scene, TNC_NO_TWIN, &run) && tncAddRigid(&run, &rigid, &shape, tn_blockingBody, 0.0))
	{
		for (int step = 0; step < 1800 && isExact == false; ++step)
		{
			rigid.linearDamping = rigid.angularDamping = 1.0;
			tncStepRigids(&run, &rigid, 1, 1.0 / 30.0);
		}
		rigid.linearDamping = rigid.angularDamping = 0.0;
		tncRigid start = rigid;
		for (int step = 0; step < 1800 && run.failed == false; ++step)
		{
			tncStepRigids(&run, &rigid, 1, 1.0 / 30.0);
		}
		tncDisc disc = {rigid.position.x, rigid.position.z, 3.5};
		tncLevel level = tncMeasureLevel(run.world, &disc, 1, 0.0);
		draft = level.mean - rigid.position.y + 0.5;
		double drift = hypot(rigid.position.x - start.position.x, rigid.position.z - start.position.z);
		double yaw = fabs(tncGetYaw(&rigid) - tncGetYaw(&start));
		double rough = tncMeasureLevel(run.world, &disc, 1, level.mean).worst;
		tncJudgeBody(context, 4.0, drift, 1.0e-3, 1.0e-5, "%s dx 0.5: drift in 60 s (m)", place->name);
		tncJudge(context, true, yaw, 0.01, 0.01, "%s dx 0.5: yaw in 60 s (deg)", place->name);
		tncJudge(context, true, rough, 1.0e-4, 1.0e-4, "%s dx 0.5: largest |eta| (m)", place->name);
		tncJudgeGates(&run, place->name);
	}
	tncEndRun(&run);
	tncFreeScene(&scene);
	return draft;
}

void tncRunBodyRest(tncContext* context)
{
	double first = tncMeasureRest(context, s_places);
	tncTell(context, first, "%s dx 0.5: draft (m)", s_places[0].name);
	tncJudgeRestAsItAppears(context, s_places + 1);
	tncJudgeRestAsItAppears(context, s_places + 2);
	tncJudgePairAsItAppears(context);
	for (size_t i = 1; i < sizeof(s_places) / sizeof(s_places[0]); ++i)
	{
		double draft = tncMeasureRest(context, s_places + i);
		tncJudgeBody(
			context, 4.0, fabs(draft / first - 1.0), 0.01, 0.002, "%s dx 0.5: draft: change", s_places[i].name);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// B11

// Drag speed, m/s: two cells in 20 s.
#define TNC_DRAG_SPEED 0.05

static void tncJudgeRipple(tncContext* context, bool isSphere, double degrees)
{
	enum
	{
		cells = 32,
		calmCount = 600,
		dragCount = 900
	};
	const char* name = isSphere ? "sphere" : "box";
	tncScene scene = tncMakeScene(context, cells, cells, TNC_REST_CELL, TNC_REST_DEPTH, 0);
	// Only the grid is looked for: friction, 1/s, calms the wave that the start makes.
	scene.def.friction = 0.5f;
	tncFill(&scene, TNC_REST_DEPTH);
	tnShapeDef shape = isSphere ? tncMakeSphere(1.0) : tncMakeBox(2.0, 1.0, 2.0);
	tncRigid rigid = tncMakeRigid(&shape, 0.5, 7.05, TNC_REST_DEPTH, 7.15);
	double angle = degrees * TNC_PI / 180.0;
	rigid.rotation = tncMakeTurn(1, -angle);
	rigid.isDriven = true;
	tncRun run;
	if (tncStartRun(context, &scene, TNC_NO_TWIN, &run) && tncAddRigid(&run, &rigid, &shape, tn_blockingBody, 0.0))
	{
		for (int step = 0; step < calmCount; ++step)
		{
			double speed = step < calmCount / 2 ? 0.0 : TNC_DRAG_SPEED;
			rigid.velocity = (tncVec3){speed * cos(angle), 0.0, speed * sin(angle)};
			tncStepRigids(&run, &rigid, 1, 1.0 / 30.0);
		}
		tncVec3 low = {INFINITY, INFINITY, INFINITY};
		tncVec3 high = {-INFINITY, -INFINITY, -INFINITY};
		double weight = rigid.mass * TNC_GRAVITY;
		tncPanel* panel =
			tncAddPanel(context, "way (cells)", "force / weight", "%s dragged at %g degrees", name, degrees);
		tncSeries* up = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "up");
		tncSeries* along = tncPanel_AddSeries(panel, tnc_variantRole, tnc_lineMark, "along");
		for (int step = 0; step < dragCount && run.failed == false; ++step)
		{
			tncStepRigids(&run, &rigid, 1, 1.0 / 30.0);
			tncVec3 f = {rigid.force.x / weight, rigid.force.y / weight, rigid.force.z / weight};
			low = (tncVec3){fmin(low.x, f.x), fmin(low.y, f.y), fmin(low.z, f.z)};
			high = (tncVec3){fmax(high.x, f.x), fmax(high.y, f.y), fmax(high.z, f.z)};
			double way = step / 30.0 * TNC_DRAG_SPEED / TNC_REST_CELL;
			tncSeries_AddPoint(up, way, f.y);
			tncSeries_AddPoint(along, way, f.x * cos(angle) + f.z * sin(angle));
		}
		tncRequire(context, high.y - low.y, 0.0, 0.03, "%s at %g deg dx 0.5: vertical ripple / weight", name, degrees);
		double across = fmax(high.x - low.x, high.z - low.z);
		tncRequire(context, across, 0.0, 0.03, "%s at %g deg dx 0.5: horizontal ripple / weight", name, degrees);
		tncTell(context, 0.5 * (high.y + low.y), "%s at %g deg: mean vertical force / weight", name, degrees);
		tncJudgeGates(&run, name);
	}
	tncEndRun(&run);
	tncFreeScene(&scene);
}

void tncRunRipple(tncContext* context)
{
	const double angles[] = {0.0, 17.0, 45.0};
	for (int i = 0; i < 3; ++i)
	{
		tncJudgeRipple(context, false, angles[i]);
		tncJudgeRipple(context, true, angles[i]);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// B12. A channel that is filled along its length with boxes of 0.6 cells of width, one for each row of cells, and
// driven by a difference of levels against friction: what runs through it is what the gaps are to the width.

enum
{
	TNC_SLOT_COLUMNS = 48,
	TNC_SLOT_ROWS = 8,
	// Cells without boxes at each end.
	TNC_SLOT_FREE = 2,
};

#define TNC_SLOT_WIDTH 0.6

// @param shift of the boxes from the middle of the rows, cells. @param boxHeight 0 for none. Returns m^3/s.
static double tncMeasureSlots(tncContext* context, double shift, double boxHeight, const char* label)
{
	tncScene scene = tncMakeScene(context, TNC_SLOT_COLUMNS, TNC_SLOT_ROWS, TNC_REST_CELL, 1.0, 0);
	tncFill(&scene, 1.0);
	// 1/s.
	scene.def.friction = 0.5f;
	const float levels[2] = {1.01f, 0.99f};
	for (int i = 0; i < 2; ++i)
	{
		scene.def.edges[i].kind = tn_levelEdge;
		scene.def.edges[i].level = levels[i];
	}
	tncRigid boxes[TNC_SLOT_ROWS + 1];
	double length = (TNC_SLOT_COLUMNS - 2 * TNC_SLOT_FREE) * TNC_REST_CELL;
	double width = TNC_SLOT_WIDTH * TNC_REST_CELL;
	tnShapeDef shape = tncMakeBox(length, fmax(boxHeight, 1.0), width);
	int boxCount = boxHeight == 0.0 ? 0 : shift != 0.0 ? TNC_SLOT_ROWS + 1 : TNC_SLOT_ROWS;
	double x = 0.5 * TNC_SLOT_COLUMNS * TNC_REST_CELL;
	for (int i = 0; i < boxCount; ++i)
	{
		double z = (i + 0.5 - shift) * TNC_REST_CELL;
		boxes[i] = tncMakeRigid(&shape, 2.0, x, 0.5 * boxHeight, z);
		boxes[i].isDriven = true;
		tncBlock block = {{x - 0.5 * length, 0.0, z - 0.5 * width}, {x + 0.5 * length, boxHeight, z + 0.5 * width}};
		tncCarve(&scene, &block, 1.0);
	}
	double rate = NAN;
	tncRun run;
	if (tncStartRun(context, &scene, TNC_NO_TWIN, &run))
	{
		for (int i = 0; i < boxCount; ++i)
		{
			tncAddRigid(&run, boxes + i, &shape, tn_blockingBody, (double)INFINITY);
		}
		tncAdvance(&run, 90.0, 1.0 / 30.0);
		double before = tnWorld_GetLedger(run.world).edges[tn_west];
		tncAdvance(&run, 30.0, 1.0 / 30.0);
		rate = (tnWorld_GetLedger(run.world).edges[tn_west] - before) / 30.0;
		tncJudgeGates(&run, label);
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
	return rate;
}

// The share that the boxed part blocks, by the resistance of its gaps in line with that of the free ends.
static double tncGetBlockedShare(double open, double blocked)
{
	double boxed = TNC_SLOT_COLUMNS - 2 * TNC_SLOT_FREE;
	return 1.0 - boxed / (TNC_SLOT_COLUMNS * open / blocked - 2 * TNC_SLOT_FREE);
}

void tncRunSlots(tncContext* context)
{
	double open = tncMeasureSlots(context, 0.0, 0.0, "no boxes");
	tncTell(context, open, "discharge without boxes (m3/s)");
	const double shifts[] = {0.0, 0.5};
	for (int i = 0; i < 2; ++i)
	{
		const char* name = i == 0 ? "boxes inside cells" : "boxes across two cells";
		double share = tncGetBlockedShare(open, tncMeasureSlots(context, shifts[i], 2.0, name));
		tncTell(context, share, "%s: blocked share", name);
		tncJudge(context, true, fabs(share - TNC_SLOT_WIDTH), 0.03, 0.006, "%s 0.6 wide: blocked share: error", name);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// B13

// @param friction of the water, 1/s. Without it the body is looked at from the moment it appears
static void tncJudgeTenMinutes(tncContext* context, double raised, double friction, tnBodyMode mode, const char* label)
{
	enum
	{
		cells = 32
	};
	// Bodies in floating mode are meant to be about as large as a cell.
	double cellSize = mode == tn_floatingBody ? 2.5 : TNC_REST_CELL;
	tncScene scene = tncMakeScene(context, cells, cells, cellSize, TNC_REST_DEPTH, 0);
	tncFill(&scene, TNC_REST_DEPTH);
	tnShapeDef shape = tncMakeBox(2.0, 1.0, 2.0);
	double x = 0.5 * cells * cellSize + 0.1;
	double y = TNC_REST_DEPTH + raised;
	double z = 0.5 * cells * cellSize - 0.1;
	tncRigid rigid = tncMakeRigid(&shape, 0.5, x, y, z);
	tncBlock block = {{x - 1.0, y - 0.5, z - 1.0}, {x + 1.0, y + 0.5, z + 1.0}};
	tncCarve(&scene, &block, TNC_REST_DEPTH);
	scene.def.friction = (float)friction;
	tncRun run;
	if (tncStartRun(context, &scene, TNC_NO_TWIN, &run) && tncAddRigid(&run, &rigid, &shape, mode, 0.0))
	{
		// From rest: what the start pushed comes to rest first, in the host's hands. After that it has no damping.
		bool isCalmed = raised == 0.0 && friction > 0.0;
		rigid.linearDamping = rigid.angularDamping = isCalmed ? 2.0 : 0.0;
		for (int step = 0; step < 1800 && isCalmed; ++step)
		{
			tncStepRigids(&run, &rigid, 1, 1.0 / 30.0);
		}
		rigid.linearDamping = rigid.angularDamping = 0.0;
		tncVec3 start = rigid.position;
		double highest = 0.0;
		double height = 0.0;
		enum
		{
			stepCount = 18000,
			meanCount = 1800
		};
		for (int step = 0; step < stepCount && run.failed == false; ++step)
		{
			tncStepRigids(&run, &rigid, 1, 1.0 / 30.0);
			highest = fmax(highest, fabs(rigid.position.y - TNC_REST_DEPTH));
			height += step >= stepCount - meanCount ? (rigid.position.y - TNC_REST_DEPTH) / meanCount : 0.0;
		}
		tncVec3 up = tncTurnVec(rigid.rotation, (tncVec3){0.0, 1.0, 0.0});
		double drift = hypot(rigid.position.x - start.x, rigid.position.z - start.z);
		// From rest it stays. Waves that come back from the walls give it a push, and a box that glides with
		// millimeters per second is not stopped by a drag that falls with the square of its speed.
		bool isCalm = raised == 0.0;
		tncRequire(context, drift, 0.0, isCalm ? 1.0e-3 : 0.1, "%s: drift in 600 s (m)", label);
		tncRequire(context, fabs(tncGetYaw(&rigid)), 0.0, isCalm ? 0.01 : 1.0, "%s: yaw in 600 s (deg)", label);
		tncRequire(context, acos(fmin(1.0, up.y)) * 180.0 / TNC_PI, 0.0, isCalm ? 0.1 : 1.0, "%s: heel (deg)", label);
		tncRequire(context, fabs(height), 0.0, 0.005, "%s: sunk or risen (m)", label);
		double most = isCalm ? 1.0e-3 : raised + 1.0e-3;
		tncRequire(context, highest, 0.0, most, "%s: farthest from afloat (m)", label);
		tncJudgeGates(&run, label);
	}
	tncEndRun(&run);
	tncFreeScene(&scene);
}

void tncRunTenMinutes(tncContext* context)
{
	// 1/s: waves of the start run to and fro for a minute, and not for ten.
	const double friction = 0.02;
	tncJudgeTenMinutes(context, 0.0, friction, tn_blockingBody, "calm blocking");
	tncJudgeTenMinutes(context, 0.1, friction, tn_blockingBody, "released 0.1 m high blocking");
	tncJudgeTenMinutes(context, 0.0, friction, tn_floatingBody, "calm floating");
	tncJudgeTenMinutes(context, 0.1, friction, tn_floatingBody, "released 0.1 m high floating");
	tncJudgeTenMinutes(context, 0.0, 0.0, tn_blockingBody, "no friction as it appears blocking");
	tncJudgeTenMinutes(context, 0.0, 0.0, tn_floatingBody, "no friction as it appears floating");
}

// SPDX-License-Identifier: MIT

// Boxes that stand upright or not: B02a heave on still water, B03 righting arms, roll and capsizing.

#include "kits/rigid_kit.h"

#include <math.h>
#include <stdio.h>

enum
{
	TNC_BOX_COUNT = 16,
	TNC_HEEL_COUNT = 4,
	// Boxes side by side, 8 m apart, in cells of 1/4 m: the narrowest is 3.2 cells wide.
	TNC_ROLL_SIDE = 4,
	TNC_ROLL_CELLS = 128,
};

#define TNC_ROLL_CELL 0.25
#define TNC_ROLL_SPACING 8.0
#define TNC_ROLL_DEPTH 4.0
#define TNC_ROLL_STEP (1.0 / 30.0)

// Friction of the water, 1/s, where only the state at rest matters.
#define TNC_CALMING 1.0

// Until it is calm, s.
#define TNC_CALM_TIME 12.0

// One of the table: roll is about its length, which lies along x.
typedef struct tncRollBox
{
	double beam, length, height, density, mass, draft, metacentre, heavePeriod, rollPeriod, stableAngle;
	double arms[TNC_HEEL_COUNT];
} tncRollBox;

static const double s_heels[TNC_HEEL_COUNT] = {5.0, 10.0, 20.0, 30.0};

static bool tncReadBoxes(tncContext* context, tncRollBox* boxes)
{
	tncTable table;
	if (tncReadTable(context, "b02_boxes.csv", &table) == false)
	{
		return false;
	}
	bool good = table.rowCount == TNC_BOX_COUNT;
	for (int row = 0; row < TNC_BOX_COUNT; ++row)
	{
		tncRollBox* box = boxes + row;
		box->beam = tncGetValue(&table, row, tncFindColumn(&table, "B"));
		box->length = tncGetValue(&table, row, tncFindColumn(&table, "L"));
		box->height = tncGetValue(&table, row, tncFindColumn(&table, "D"));
		box->density = tncGetValue(&table, row, tncFindColumn(&table, "s"));
		box->mass = tncGetValue(&table, row, tncFindColumn(&table, "mass"));
		box->draft = tncGetValue(&table, row, tncFindColumn(&table, "draft"));
		box->metacentre = tncGetValue(&table, row, tncFindColumn(&table, "GM"));
		box->heavePeriod = tncGetValue(&table, row, tncFindColumn(&table, "T_heave"));
		box->rollPeriod = tncGetValue(&table, row, tncFindColumn(&table, "T_roll"));
		box->stableAngle = tncGetValue(&table, row, tncFindColumn(&table, "stable_deg"));
		const char* arms[TNC_HEEL_COUNT] = {"GZ5", "GZ10", "GZ20", "GZ30"};
		for (int i = 0; i < TNC_HEEL_COUNT; ++i)
		{
			box->arms[i] = tncGetValue(&table, row, tncFindColumn(&table, arms[i]));
		}
	}
	tncFreeTable(&table);
	tncRequire(context, good ? 0.0 : 1.0, 0.0, 0.0, "boxes missing in the table");
	return good;
}

// All boxes afloat in one closed lake, whose waves die of friction.
typedef struct tncFleet
{
	tncScene scene;
	tncRun run;
	tncRigid rigids[TNC_BOX_COUNT];
	// Where the level is measured: not here.
	tncDisc discs[TNC_BOX_COUNT];
} tncFleet;

// @param heel degrees; @param raised above the draft of the table, meters
static bool tncStartFleet(tncContext* context, const tncRollBox* boxes, double heel, double raised, tncFleet* fleet)
{
	fleet->scene = tncMakeScene(context, TNC_ROLL_CELLS, TNC_ROLL_CELLS, TNC_ROLL_CELL, TNC_ROLL_DEPTH, 0);
	fleet->scene.def.friction = (float)TNC_CALMING;
	tncFill(&fleet->scene, TNC_ROLL_DEPTH);
	if (tncStartRun(context, &fleet->scene, TNC_NO_TWIN, &fleet->run) == false)
	{
		return false;
	}
	for (int i = 0; i < TNC_BOX_COUNT; ++i)
	{
		const tncRollBox* box = boxes + i;
		tnShapeDef shape = tncMakeBox(box->length, box->height, box->beam);
		double x = (i % TNC_ROLL_SIDE + 0.5) * TNC_ROLL_SPACING + 0.1;
		double z = (i / TNC_ROLL_SIDE + 0.5) * TNC_ROLL_SPACING - 0.07;
		double y = TNC_ROLL_DEPTH - box->draft + 0.5 * box->height + raised;
		tncRigid* rigid = fleet->rigids + i;
		*rigid = tncMakeRigid(&shape, box->density, x, y, z);
		rigid->rotation = tncMakeTurn(0, heel * TNC_PI / 180.0);
		for (int axis = 0; axis < 3; ++axis)
		{
			rigid->lockTurn[axis] = true;
			rigid->lockMove[axis] = axis != 1;
		}
		rigid->linearDamping = 2.0;
		fleet->discs[i] = (tncDisc){x, z, 3.5};
		tncAddRigid(&fleet->run, rigid, &shape, tn_blockingBody, 0.0);
	}
	return fleet->run.failed == false;
}

static void tncEndFleet(tncFleet* fleet)
{
	tncEndRun(&fleet->run);
	tncFreeScene(&fleet->scene);
}

static void tncStepFleet(tncFleet* fleet, double seconds)
{
	int stepCount = (int)(seconds / TNC_ROLL_STEP + 0.5);
	for (int step = 0; step < stepCount && fleet->run.failed == false; ++step)
	{
		tncStepRigids(&fleet->run, fleet->rigids, TNC_BOX_COUNT, TNC_ROLL_STEP);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// B02a. Water that does not react is water that had the time to come to rest: the force on a box that is held 2 cm
// above and below where it floats, once the lake is still, is the spring that the box hangs on.

#define TNC_SPRING_SHIFT 0.02

static bool tncMeasureHeldForces(tncContext* context, const tncRollBox* boxes, double raised, double* forces)
{
	tncFleet fleet;
	bool good = tncStartFleet(context, boxes, 0.0, raised, &fleet);
	for (int i = 0; i < TNC_BOX_COUNT && good; ++i)
	{
		fleet.rigids[i].lockMove[1] = true;
	}
	if (good)
	{
		tncStepFleet(&fleet, TNC_CALM_TIME);
		double level = tncMeasureLevel(fleet.run.world, fleet.discs, TNC_BOX_COUNT, TNC_ROLL_DEPTH).mean;
		for (int i = 0; i < TNC_BOX_COUNT; ++i)
		{
			// The lake has risen by what the boxes displace.
			double area = boxes[i].beam * boxes[i].length;
			double shift = TNC_DENSITY * TNC_GRAVITY * area * (level - TNC_ROLL_DEPTH);
			forces[i] = fleet.rigids[i].force.y - shift;
		}
		tncTell(context, level - TNC_ROLL_DEPTH, "held %+g m: level of the lake (m)", raised);
		tncJudgeGates(&fleet.run, raised < 0.0 ? "held low" : "held high");
	}
	tncEndFleet(&fleet);
	return good;
}

void tncRunHeave(tncContext* context)
{
	tncRollBox boxes[TNC_BOX_COUNT];
	double low[TNC_BOX_COUNT];
	double high[TNC_BOX_COUNT];
	if (tncReadBoxes(context, boxes) == false ||
		tncMeasureHeldForces(context, boxes, -TNC_SPRING_SHIFT, low) == false ||
		tncMeasureHeldForces(context, boxes, TNC_SPRING_SHIFT, high) == false)
	{
		return;
	}
	for (int i = 0; i < TNC_BOX_COUNT; ++i)
	{
		double spring = (low[i] - high[i]) / (2.0 * TNC_SPRING_SHIFT);
		double period = 2.0 * TNC_PI * sqrt(boxes[i].mass / spring);
		tncJudgeBody(context, boxes[i].beam / TNC_ROLL_CELL, fabs(period / boxes[i].heavePeriod - 1.0), 0.03, 0.005,
			"box %g x %g x %g s %g dx 0.25: heave period: error", boxes[i].beam, boxes[i].length, boxes[i].height,
			boxes[i].density);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// B03

// Righting arms of boxes that are held at a heel and float as deep as they like, meters: positive turns back.
static bool tncMeasureArms(tncContext* context, const tncRollBox* boxes, double heel, double* arms)
{
	tncFleet fleet;
	bool good = tncStartFleet(context, boxes, heel, 0.0, &fleet);
	if (good)
	{
		tncStepFleet(&fleet, TNC_CALM_TIME);
		char label[32];
		snprintf(label, sizeof(label), "heel %g", heel);
		double worst = 0.0;
		for (int i = 0; i < TNC_BOX_COUNT; ++i)
		{
			double weight = boxes[i].mass * TNC_GRAVITY;
			arms[i] = -fleet.rigids[i].torque.x / weight;
			worst = fmax(worst, fabs(fleet.rigids[i].force.y / weight - 1.0));
		}
		tncTell(context, worst, "%s: buoyancy is not the weight yet by", label);
		tncJudgeGates(&fleet.run, label);
	}
	tncEndFleet(&fleet);
	return good;
}

static void tncJudgeArms(tncContext* context, const tncRollBox* boxes)
{
	double arms[TNC_HEEL_COUNT][TNC_BOX_COUNT];
	for (int i = 0; i < TNC_HEEL_COUNT; ++i)
	{
		if (tncMeasureArms(context, boxes, s_heels[i], arms[i]) == false)
		{
			return;
		}
	}
	tncPanel* panel = tncAddPanel(context, "exact (m)", "computed (m)", "righting arms");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_dotMark, "computed");
	if (panel != NULL)
	{
		panel->isComparison = true;
	}
	for (int i = 0; i < TNC_BOX_COUNT; ++i)
	{
		double worst = 0.0;
		double worstHeel = s_heels[0];
		for (int k = 0; k < TNC_HEEL_COUNT; ++k)
		{
			double error = fabs(arms[k][i] - boxes[i].arms[k]) / (0.1 * boxes[i].beam);
			bool isWorst = (error <= worst) == false;
			worst = isWorst ? error : worst;
			worstHeel = isWorst ? s_heels[k] : worstHeel;
			tncSeries_AddPoint(result, boxes[i].arms[k], arms[k][i]);
		}
		tncJudgeBody(context, boxes[i].beam / TNC_ROLL_CELL, worst, 0.05, 0.01,
			"b box %g x %g x %g s %g: worst GZ error / (B/10) (%g deg)", boxes[i].beam, boxes[i].length,
			boxes[i].height, boxes[i].density, worstHeel);
	}
}

// The spring of the roll, from the arm at one degree.
static void tncJudgeRollPeriods(tncContext* context, const tncRollBox* boxes)
{
	double arms[TNC_BOX_COUNT];
	if (tncMeasureArms(context, boxes, 1.0, arms) == false)
	{
		return;
	}
	for (int i = 0; i < TNC_BOX_COUNT; ++i)
	{
		const tncRollBox* box = boxes + i;
		if (box->metacentre <= 0.0)
		{
			continue;
		}
		double inertia = box->mass * (box->beam * box->beam + box->height * box->height) / 12.0;
		double spring = box->mass * TNC_GRAVITY * arms[i] / sin(TNC_PI / 180.0);
		double period = 2.0 * TNC_PI * sqrt(inertia / spring);
		tncJudgeBody(context, box->beam / TNC_ROLL_CELL, fabs(period / box->rollPeriod - 1.0), 0.05, 0.01,
			"c box %g x %g x %g s %g: roll period: error", box->beam, box->length, box->height, box->density);
	}
}

static double tncGetHeel(const tncRigid* rigid)
{
	double angle = 2.0 * atan2(rigid->rotation.x, rigid->rotation.w) * 180.0 / TNC_PI;
	angle = fabs(remainder(angle, 180.0));
	return angle;
}

// Released at 2 degrees, free to roll and to heave, with an angular damping of the engine so that it ends somewhere.
static void tncJudgeRelease(tncContext* context, const tncRollBox* boxes)
{
	tncFleet fleet;
	bool good = tncStartFleet(context, boxes, 2.0, 0.0, &fleet);
	if (good)
	{
		// First the water closes around the held boxes.
		tncStepFleet(&fleet, 5.0);
		for (int i = 0; i < TNC_BOX_COUNT; ++i)
		{
			fleet.rigids[i].lockTurn[0] = false;
			fleet.rigids[i].angularDamping = 0.8;
		}
		tncStepFleet(&fleet, 40.0);
		for (int i = 0; i < TNC_BOX_COUNT; ++i)
		{
			const tncRollBox* box = boxes + i;
			bool isStable = box->metacentre > 0.0;
			double heel = tncGetHeel(fleet.rigids + i);
			tncRequire(context, heel, isStable ? 0.0 : 10.0, isStable ? 1.0 : 90.0,
				"a box %g x %g x %g s %g: heel after 40 s (deg)", box->beam, box->length, box->height, box->density);
			bool isSquare = box->beam == box->height;
			if (isSquare && isStable == false)
			{
				double error = fmin(fabs(heel - box->stableAngle), fabs(90.0 - heel - box->stableAngle));
				tncJudgeBody(context, box->beam / TNC_ROLL_CELL, error, 3.0, 1.0,
					"d square s %g: final heel: error (deg)", box->density);
			}
		}
		tncJudgeGates(&fleet.run, "release");
	}
	tncEndFleet(&fleet);
}

void tncRunRoll(tncContext* context)
{
	tncRollBox boxes[TNC_BOX_COUNT];
	if (tncReadBoxes(context, boxes))
	{
		tncJudgeRelease(context, boxes);
		tncJudgeArms(context, boxes);
		tncJudgeRollPeriods(context, boxes);
	}
}

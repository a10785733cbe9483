// SPDX-License-Identifier: MIT

// Floating: B01 how deep bodies float, B02b how they heave in a channel.

#include "kits/rigid_kit.h"

#include <math.h>
#include <stdio.h>

// The tank of section 3 of the cases.
#define TNC_TANK_CELLS 64
#define TNC_TANK_CELL 0.5
#define TNC_TANK_DEPTH 4.0

// Of bodies in floating mode, m.
#define TNC_COARSE_CELL 3.2
#define TNC_HOST_STEP (1.0 / 60.0)

// ---------------------------------------------------------------------------------------------------------------------
// B01

enum
{
	tnc_boxSolid,
	tnc_sphereSolid,
	tnc_lyingSolid,
	tnc_uprightSolid,
	tnc_solidCount,
};

// A shape of B01.
typedef struct tncSolid
{
	const char* name;
	// Column of the table, what its unit is, and the height of the shape, meters.
	const char* column;
	double unit, height;
	double realistic, ambitious;
	// Cells across, where it is narrowest.
	int cellCount;
} tncSolid;

static const tncSolid s_solids[tnc_solidCount] = {
	{"box", "box_d_over_D", 1.0, 1.0, 0.02, 0.005, 4},
	{"sphere", "sphere_d_over_R", 1.0, 2.0, 0.03, 0.01, 4},
	{"lying cylinder", "hcyl_d_over_R", 0.5, 1.0, 0.03, 0.01, 2},
	{"upright cylinder", "box_d_over_D", 1.0, 1.0, 0.03, 0.01, 4},
};

static tnShapeDef tncMakeSolid(int solid)
{
	switch (solid)
	{
		case tnc_boxSolid:
			return tncMakeBox(2.0, 1.0, 4.0);
		case tnc_sphereSolid:
			return tncMakeSphere(1.0);
		case tnc_lyingSolid:
			return tncMakeCylinder(0.5, 4.0);
		default:
			return tncMakeCylinder(1.0, 1.0);
	}
}

// Off the lines of the grid, each in its quarter of the tank.
static tncRigid tncMakeFloater(int solid, double density, double y)
{
	tnShapeDef shape = tncMakeSolid(solid);
	double x = solid % 2 == 0 ? 8.1 : 24.2;
	double z = solid < 2 ? 8.2 : 23.9;
	tncRigid rigid = tncMakeRigid(&shape, density, x, y, z);
	if (solid == tnc_lyingSolid)
	{
		rigid.rotation = tncMakeTurn(0, 0.5 * TNC_PI);
	}
	for (int axis = 0; axis < 3; ++axis)
	{
		rigid.lockTurn[axis] = true;
	}
	rigid.linearDamping = 1.0;
	rigid.ground = 0.0;
	return rigid;
}

typedef struct tncDrafts
{
	double draft[tnc_solidCount];
	double height[tnc_solidCount];
	double force[tnc_solidCount];
	// Share of the volume.
	double submerged[tnc_solidCount];
} tncDrafts;

// Released with the centre at the surface; means of the last ten of 60 s, over drafts against the level far away.
static tncDrafts tncMeasureDrafts(tncContext* context, double density, tnBodyMode mode, const char* label)
{
	tncDrafts drafts = {0};
	// Bodies in floating mode are meant to be about as large as a cell.
	double cellSize = mode == tn_floatingBody ? TNC_COARSE_CELL : TNC_TANK_CELL;
	int cells = (int)(TNC_TANK_CELLS * TNC_TANK_CELL / cellSize);
	tncScene scene = tncMakeScene(context, cells, cells, cellSize, TNC_TANK_DEPTH, 0);
	tncFill(&scene, TNC_TANK_DEPTH);
	// What is nearly as heavy as water takes minutes to come up again: it starts where it floats. And waves of a
	// centimeter would wash over it one way only: friction, 1/s, calms them.
	bool isSoft = density > 0.99 && density < 1.0;
	scene.def.friction = isSoft ? 0.3f : 0.0f;
	tncRun run;
	if (tncStartRun(context, &scene, TNC_NO_TWIN, &run))
	{
		tncRigid rigids[tnc_solidCount];
		tncDisc discs[tnc_solidCount];
		for (int i = 0; i < tnc_solidCount; ++i)
		{
			tnShapeDef shape = tncMakeSolid(i);
			double down = isSoft ? 0.5 * s_solids[i].height : 0.0;
			rigids[i] = tncMakeFloater(i, density, TNC_TANK_DEPTH - down);
			tncAddRigid(&run, rigids + i, &shape, mode, 0.0);
		}
		enum
		{
			// Steps of 1/30 s.
			stepCount = 1800,
			meanCount = 300
		};
		for (int step = 0; step < stepCount && run.failed == false; ++step)
		{
			tncStepRigids(&run, rigids, tnc_solidCount, 2.0 * TNC_HOST_STEP);
			if (step < stepCount - meanCount)
			{
				continue;
			}
			for (int i = 0; i < tnc_solidCount; ++i)
			{
				discs[i] = (tncDisc){rigids[i].position.x, rigids[i].position.z, 2.0 + 1.5 * cellSize};
			}
			double level = tncMeasureLevel(run.world, discs, tnc_solidCount, TNC_TANK_DEPTH).mean;
			for (int i = 0; i < tnc_solidCount; ++i)
			{
				drafts.draft[i] += (level - rigids[i].position.y + 0.5 * s_solids[i].height) / meanCount;
				drafts.height[i] += rigids[i].position.y / meanCount;
				drafts.force[i] += rigids[i].force.y / meanCount;
				tnBodyState state = {0};
				run.failed = run.failed || tnWorld_GetBodyState(run.world, rigids[i].id, &state).status != tn_ok;
				drafts.submerged[i] += (double)state.submergedVolume / (double)state.volume / meanCount;
			}
		}
		tncJudgeGates(&run, label);
		tncEndRun(&run);
	}
	tncFreeScene(&scene);
	return drafts;
}

// @param rowStep to leave out densities
static void tncJudgeDrafts(tncContext* context, const tncTable* table, tnBodyMode mode, int rowStep)
{
	double worst[tnc_solidCount] = {0};
	double worstDensity[tnc_solidCount] = {0};
	const char* modeName = mode == tn_floatingBody ? "floating" : "blocking";
	tncPanel* panel = tncAddPanel(context, "density over water's", "draft over height", "%s bodies", modeName);
	tncSeries* reference[tnc_solidCount];
	tncSeries* result[tnc_solidCount];
	for (int i = 0; i < tnc_solidCount; ++i)
	{
		reference[i] = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, s_solids[i].name);
		result[i] = tncPanel_AddSeries(panel, tnc_resultRole, tnc_dotMark, s_solids[i].name);
	}
	for (int row = 0; row < table->rowCount; row += rowStep)
	{
		double density = tncGetValue(table, row, tncFindColumn(table, "s"));
		char label[48];
		snprintf(label, sizeof(label), "%s %g", modeName, density);
		tncDrafts drafts = tncMeasureDrafts(context, density, mode, label);
		for (int i = 0; i < tnc_solidCount; ++i)
		{
			double exact = s_solids[i].unit * tncGetValue(table, row, tncFindColumn(table, s_solids[i].column));
			double error = fabs(drafts.draft[i] - exact) / s_solids[i].height;
			bool isWorst = (error <= worst[i]) == false;
			worst[i] = isWorst ? error : worst[i];
			worstDensity[i] = isWorst ? density : worstDensity[i];
			tncSeries_AddPoint(reference[i], density, exact / s_solids[i].height);
			tncSeries_AddPoint(result[i], density, drafts.draft[i] / s_solids[i].height);
		}
	}
	for (int i = 0; i < tnc_solidCount; ++i)
	{
		double dx = mode == tn_floatingBody ? TNC_COARSE_CELL : TNC_TANK_CELL;
		tncJudgeBody(context, s_solids[i].cellCount, worst[i], s_solids[i].realistic, s_solids[i].ambitious,
			"%s %s dx %g: worst draft error / height (s %g)", modeName, s_solids[i].name, dx, worstDensity[i]);
	}
}

void tncRunDraft(tncContext* context)
{
	tncTable table;
	if (tncReadTable(context, "b01_draft.csv", &table) == false)
	{
		return;
	}
	tncJudgeDrafts(context, &table, tn_blockingBody, 1);
	tncJudgeDrafts(context, &table, tn_floatingBody, 4);
	tncFreeTable(&table);

	tncDrafts drafts = tncMeasureDrafts(context, 1.02, tn_blockingBody, "s 1.02");
	for (int i = 0; i < tnc_solidCount; ++i)
	{
		double height = drafts.height[i] - 0.5 * s_solids[i].height;
		// The mesh of a round shape may end a little above or below the shape.
		tncRequire(context, height, -0.01, 0.02, "s 1.02: %s: height above the bed (m)", s_solids[i].name);
		tnShapeDef shape = tncMakeSolid(i);
		double weight = tncMakeRigid(&shape, 1.0, 0.0, 0.0, 0.0).mass * TNC_GRAVITY;
		tncJudge(context, true, fabs(drafts.force[i] / weight - 1.0), 0.01, 0.001,
			"s 1.02: %s on the bed: buoyancy: error", s_solids[i].name);
	}
	drafts = tncMeasureDrafts(context, 0.999, tn_blockingBody, "s 0.999");
	for (int i = 0; i < tnc_solidCount; ++i)
	{
		tncJudge(context, true, fabs(drafts.submerged[i] - 1.0), 0.01, 0.01, "s 0.999: %s: share above the water",
			s_solids[i].name);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// B02b

// A box that spans a channel: beam, height, density, depth of the water.
typedef struct tncHeaveCase
{
	double beam, height, density, depth;
} tncHeaveCase;

static const tncHeaveCase s_heaveCases[] = {
	{2.0, 1.0, 0.5, 4.0},
	{2.0, 1.0, 0.5, 1.0},
	{1.0, 2.0, 0.5, 10.0},
	{4.0, 1.0, 0.5, 2.0},
};

enum
{
	// Of the beam, of the water on each side, and across.
	TNC_BEAM_CELLS = 8,
	TNC_SIDE_BEAMS = 60,
	TNC_HEAVE_COLUMNS = TNC_BEAM_CELLS * (2 * TNC_SIDE_BEAMS + 1),
	TNC_HEAVE_ROWS = 4,
};

#define TNC_RELEASE 0.1

// The decay rate of the linear theory, 1/s.
static double tncGetHeaveDecay(const tncHeaveCase* heave)
{
	double b = heave->beam;
	double draft = heave->density * heave->height;
	double mass = TNC_DENSITY * b * draft + TNC_DENSITY * b * b * b / (12.0 * (heave->depth - draft));
	double radiation = TNC_DENSITY * TNC_GRAVITY * b * b / (2.0 * sqrt(TNC_GRAVITY * heave->depth));
	return 0.5 * radiation / mass;
}

// Follow a box released 0.1 m too high; its heights at the times of the table, 0.1 s apart.
typedef struct tncHeave
{
	double deviation, decay, period, highest;
} tncHeave;

static tncRigid tncMakeHeavingBox(const tncHeaveCase* heave, double cellSize)
{
	tnShapeDef shape = tncMakeBox(heave->beam, heave->height, TNC_HEAVE_ROWS * cellSize);
	double draft = heave->density * heave->height;
	double middle = 0.5 * TNC_HEAVE_COLUMNS * cellSize;
	double y = heave->depth - draft + 0.5 * heave->height + TNC_RELEASE;
	tncRigid rigid = tncMakeRigid(&shape, heave->density, middle, y, 0.5 * TNC_HEAVE_ROWS * cellSize);
	for (int axis = 0; axis < 3; ++axis)
	{
		rigid.lockTurn[axis] = true;
		rigid.lockMove[axis] = axis != 1;
	}
	// The theory knows waves and added mass, but no drag.
	rigid.isSmooth = true;
	return rigid;
}

static void tncFollowHeave(tncRun* run, tncRigid* rigid, const tncTable* table, int index, tncHeave* heave)
{
	char column[24];
	snprintf(column, sizeof(column), "z_case%d", index);
	int z = tncFindColumn(table, column);
	double rest = rigid->position.y - TNC_RELEASE;
	tncPanel* panel = tncAddPanel(run->context, "time (s)", "height (m)", "case %d", index);
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact");
	tncSeries* result = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "computed");
	double before = TNC_RELEASE;
	double lowest = TNC_RELEASE;
	double troughTime = NAN;
	*heave = (tncHeave){0.0, NAN, NAN, -INFINITY};
	for (int row = 0; row < table->rowCount && run->failed == false; ++row)
	{
		double height = rigid->position.y - rest;
		double reference = tncGetValue(table, row, z);
		double deviation = fabs(height - reference) / TNC_RELEASE;
		heave->deviation = deviation <= heave->deviation ? heave->deviation : deviation;
		tncSeries_AddPoint(exact, 0.1 * row, reference);
		tncSeries_AddPoint(result, 0.1 * row, height);
		for (int step = 0; step < 6; ++step)
		{
			tncStepRigids(run, rigid, 1, TNC_HOST_STEP);
			height = rigid->position.y - rest;
			bool isFirstTrough = isnan(troughTime) && height > before && before < 0.0;
			troughTime = isFirstTrough ? 0.1 * row + step * TNC_HOST_STEP : troughTime;
			lowest = isnan(troughTime) || isFirstTrough ? fmin(lowest, before) : lowest;
			heave->highest = isnan(troughTime) ? heave->highest : fmax(heave->highest, height);
			before = height;
		}
	}
	// From rest the first trough is half of a period later, and lower by the decay of that time.
	heave->period = 2.0 * troughTime;
	heave->decay = -log(-lowest / TNC_RELEASE) / troughTime;
}

static bool tncRunHeaveCase(tncContext* context, const tncTable* table, int index, tnBodyMode mode, tncHeave* result)
{
	const tncHeaveCase* heave = s_heaveCases + index;
	double cellSize = heave->beam / TNC_BEAM_CELLS;
	tncScene scene = tncMakeScene(context, TNC_HEAVE_COLUMNS, TNC_HEAVE_ROWS, cellSize, heave->depth, 0);
	tncFill(&scene, heave->depth);
	tncRigid rigid = tncMakeHeavingBox(heave, cellSize);
	tnShapeDef shape = tncMakeBox(heave->beam, heave->height, TNC_HEAVE_ROWS * cellSize);
	tncVec3 p = rigid.position;
	tncBlock block = {{p.x - 0.5 * heave->beam, p.y - 0.5 * heave->height, 0.0},
		{p.x + 0.5 * heave->beam, p.y + 0.5 * heave->height, TNC_HEAVE_ROWS * cellSize}};
	tncCarve(&scene, &block, heave->depth);

	tncRun run;
	bool good = tncStartRun(context, &scene, TNC_NO_TWIN, &run) && tncAddRigid(&run, &rigid, &shape, mode, 0.0);
	if (good)
	{
		char label[32];
		snprintf(label, sizeof(label), "%s case %d", mode == tn_floatingBody ? "floating" : "blocking", index);
		tncFollowHeave(&run, &rigid, table, index, result);
		// Rounding: some 80 units in the last place of the depth.
		tncRequire(context, tncGetRowSpread(&run), 0.0, 1.0e-5 * heave->depth, "%s: rows differ by (m)", label);
		tncJudgeGates(&run, label);
	}
	tncEndRun(&run);
	tncFreeScene(&scene);
	return good;
}

void tncRunHeaveChannel(tncContext* context)
{
	tncTable table;
	if (tncReadTable(context, "b02_heave_channel.csv", &table) == false)
	{
		return;
	}
	for (int i = 0; i < 4; ++i)
	{
		tncHeave heave;
		double dx = s_heaveCases[i].beam / TNC_BEAM_CELLS;
		if (tncRunHeaveCase(context, &table, i, tn_blockingBody, &heave))
		{
			double decay = fabs(heave.decay / tncGetHeaveDecay(s_heaveCases + i) - 1.0);
			tncJudge(context, true, heave.deviation, 0.15, 0.05, "case %d dx %g: z(t) deviation", i, dx);
			tncJudge(context, true, decay, 0.3, 0.1, "case %d dx %g: decay rate: error", i, dx);
			tncTell(context, heave.period, "case %d dx %g: period (s)", i, dx);
		}
		// Water passes through a floating body: the theory is not its own. It may not swing up.
		if (tncRunHeaveCase(context, &table, i, tn_floatingBody, &heave))
		{
			tncTell(context, heave.period, "floating case %d dx %g: period (s)", i, dx);
			tncTell(context, heave.decay, "floating case %d dx %g: decay rate (1/s)", i, dx);
			tncRequire(context, heave.highest / TNC_RELEASE, -INFINITY, 1.0,
				"floating case %d dx %g: next crest / release height", i, dx);
		}
	}
	tncFreeTable(&table);
}

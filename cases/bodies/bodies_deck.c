// SPDX-License-Identifier: MIT

// B19: two levels in one column. An aqueduct delivers what it gets, with the head that its outfall needs, and keeps the ground below
// dry; a roof sheds the rain.

#include "kits/rigid_kit.h"

#include <math.h>

enum
{
	TNC_DECK_COLUMNS = 48,
	TNC_DECK_ROWS = 24,
	TNC_DECK_CELLS = TNC_DECK_COLUMNS * TNC_DECK_ROWS,
	TNC_DECK_EDGE = 10, // column where the high ground ends
};

#define TNC_DECK_TOP 4.0
#define TNC_DECK_RATE 6.0
#define TNC_DECK_RAIN 2.0e-4

static void tncAddFixedBox(tncRun* run, const tnShapeDef* shape, double x, double y, double z)
{
	tncRigid rigid = tncMakeRigid(shape, 2.5, x, y, z);
	rigid.isDriven = true;
	tncAddRigid(run, &rigid, shape, tn_blockingBody, (double)INFINITY);
}

static double tncSumBelow(const tncRun* run)
{
	double sum = 0.0;
	for (int row = 0; row < TNC_DECK_ROWS; ++row)
	{
		for (int column = TNC_DECK_EDGE; column < TNC_DECK_COLUMNS; ++column)
		{
			sum += (double)tncGetDepthRow(run, row)[column];
		}
	}
	return sum;
}

static double tncSumOnDecks(const tncRun* run)
{
	static float depths[TNC_DECK_CELLS];
	tnWorld_CopyDecks(run->world, depths, NULL);
	double sum = 0.0;
	for (int i = 0; i < TNC_DECK_CELLS; ++i)
	{
		sum += (double)depths[i];
	}
	return sum;
}

// @param shift of the floor and its walls against the lines of the grid across it, cells
static void tncJudgeAqueduct(tncContext* context, double shift, const char* label)
{
	tncScene scene = tncMakeScene(context, TNC_DECK_COLUMNS, TNC_DECK_ROWS, 1.0, 1.0, 0);
	for (int i = 0; i < TNC_DECK_CELLS && scene.bed != NULL; ++i)
	{
		const int column = i % TNC_DECK_COLUMNS;
		const int row = i / TNC_DECK_COLUMNS;
		// Only in front of cells that the floor covers: the first row of a shifted one lets water down beside it.
		const bool basin = column > 0 && row >= (shift > 0.0 ? 9 : 8) && row < 16;
		scene.bed[i] = column >= TNC_DECK_EDGE ? 0.0f : (basin ? (float)TNC_DECK_TOP : 8.0f);
	}
	scene.sourceCount = 1;
	scene.sources[0] = tnDefaultSourceDef();
	scene.sources[0].center = (tnVec2){4.5f, 12.0f};
	scene.sources[0].radius = 2.0f;
	scene.sources[0].rate = (float)TNC_DECK_RATE;
	tncRun run;
	if (tncStartRun(context, &scene, TNC_NO_TWIN, &run))
	{
		const tnShapeDef floor = tncMakeBox(20.0, 0.5, 8.0);
		const tnShapeDef wall = tncMakeBox(20.0, 1.5, 0.5);
		tncAddFixedBox(&run, &floor, 20.0, TNC_DECK_TOP - 0.25, 12.0 + shift);
		tncAddFixedBox(&run, &wall, 20.0, TNC_DECK_TOP + 0.75, 8.25 + shift);
		tncAddFixedBox(&run, &wall, 20.0, TNC_DECK_TOP + 0.75, 15.75 + shift);
		tncSteps(&run, 500, 1.0 / 60.0);
		tncRequire(context, tncSumBelow(&run), 0.0, 0.0, "%s: water below before any has come to the end (m^3)", label);
		tncSteps(&run, 9000, 1.0 / 60.0);
		const double before = tncSumBelow(&run);
		double depth = 0.0;
		for (int i = 0; i < 60; ++i)
		{
			tncSteps(&run, 30, 1.0 / 60.0);
			depth += (double)tnWorld_SampleDeck(run.world, (tnVec2){20.5f, 12.5f}).depth / 60.0;
		}
		const double rate = (tncSumBelow(&run) - before) / 30.0;
		tncJudgeProperty(
			context, fabs(rate / TNC_DECK_RATE - 1.0), 0.01, 0.005, "%s: delivered over what comes in: error", label);
		// Between the walls; of those of a shifted one a quarter of a meter stands in a cell that counts.
		const double q = TNC_DECK_RATE / (shift > 0.0 ? 6.75 : 7.0);
		const double exact = 1.5 * cbrt(q * q / TNC_GRAVITY);
		const double head = depth + q * q / (2.0 * TNC_GRAVITY * depth * depth);
		tncTell(context, depth, "%s: depth in the middle (m)", label);
		// Without self-advection the depth is the energy head, as on the crest of F18: all methods have pipes on decks.
		tncRequire(context, fabs(head / exact - 1.0), 0.0, 0.2, "%s: energy head: error", label);
		const tnLedger ledger = tnWorld_GetLedger(run.world);
		tncRequire(context, fabs(ledger.drift) / ledger.volume, 0.0, 1.0e-6, "%s: drift of the ledger", label);
	}
	tncEndRun(&run);
	tncFreeScene(&scene);
}

static void tncJudgeRoof(tncContext* context)
{
	tncScene scene = tncMakeScene(context, TNC_DECK_COLUMNS, TNC_DECK_ROWS, 1.0, 1.0, 0);
	scene.rain = (float)TNC_DECK_RAIN;
	tncRun run;
	if (tncStartRun(context, &scene, TNC_NO_TWIN, &run))
	{
		const tnShapeDef roof = tncMakeBox(10.0, 0.4, 8.0);
		tncAddFixedBox(&run, &roof, 20.0, 5.0, 12.0);
		tncSteps(&run, 3600, 1.0 / 60.0);
		const double before = tncSumOnDecks(&run);
		tncSteps(&run, 3600, 1.0 / 60.0);
		const double kept = tncSumOnDecks(&run) - before;
		tncTell(context, before, "roof: water on it (m^3)");
		tncJudgeProperty(
			context, fabs(kept) / (TNC_DECK_RAIN * 60.0 * 80.0), 0.01, 0.01, "roof: kept of what rains in a minute");
		const tnLedger ledger = tnWorld_GetLedger(run.world);
		tncRequire(context, fabs(ledger.drift) / ledger.volume, 0.0, 1.0e-6, "roof: drift of the ledger");
	}
	tncEndRun(&run);
	tncFreeScene(&scene);
}

void tncRunDecks(tncContext* context)
{
	tncJudgeAqueduct(context, 0.0, "aligned");
	tncJudgeAqueduct(context, 0.25, "shifted");
	tncJudgeRoof(context);
}

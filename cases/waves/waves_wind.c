// SPDX-License-Identifier: MIT

// W16: wind over a fetch. A channel of still water, 256 m along the wind and without end across it.

#include "kits/wave_kit.h"

#include <math.h>

enum
{
	tncWindColumns = 2048,
	tncWindRows = 128,
	tncFetchCount = 3,
	tncAgeCount = 2,
};

// Cells that hold waves down to 0.5 m, and a wind whose waves are 0.8 to 1.25 m long where they are measured.
#define TNC_WIND_CELL 0.125
#define TNC_WIND_STEP 0.05
#define TNC_WIND 12.0f
// m of the channel over which a height is measured, s for which.
#define TNC_WIND_ZONE 10.0
#define TNC_WIND_TIME 16.0

static const double s_fetches[tncFetchCount] = {128.0, 184.0, 240.0};
// s since the wind began: one in which it has not blown for long enough, and one in which it has.
static const double s_ages[tncAgeCount] = {360.0, 600.0};

// Four times the root of the mean square, m.
static void tncMeasureHeights(tncWaves* waves, double heights[tncFetchCount])
{
	double squares[tncFetchCount] = {0.0};
	const int count = (int)(TNC_WIND_TIME / (8.0 * TNC_WIND_STEP));
	for (int i = 0; i < count; ++i)
	{
		tncStepWaves(waves, 8);
		for (int k = 0; k < tncFetchCount; ++k)
		{
			for (int place = 0; place < 120; ++place)
			{
				const double x = s_fetches[k] + TNC_WIND_ZONE * ((place % 20) / 20.0 - 0.5);
				const double h = tncGetHeight(waves, x, 0.3 + 2.7 * (double)(place / 20));
				squares[k] += h * h / (120.0 * count);
			}
		}
	}
	for (int k = 0; k < tncFetchCount; ++k)
	{
		heights[k] = 4.0 * sqrt(squares[k]);
	}
}

void tncRunWind(tncContext* context)
{
	tnWorldDef def = tncMakeWaveDef(context, tncWindColumns, tncWindRows, TNC_WIND_CELL, 2, 0);
	tncSetWaveEdges(&def, tn_wallEdge);
	def.edges[tn_north].kind = tn_wrapEdge;
	def.edges[tn_south].kind = tn_wrapEdge;
	def.edges[tn_east].kind = tn_absorbEdge;
	def.waves.timeStep = (float)TNC_WIND_STEP;
	def.waves.breakingLimit = 1.0f;
	def.waves.enableWindWaves = true;
	tncWaves waves;
	if (!tncOpenWaves(context, &def, TNC_DEEP, &waves))
	{
		return;
	}
	tncStepWaves(&waves, 40);
	double calm[tncFetchCount];
	tncMeasureHeights(&waves, calm);
	tncJudge(context, true, fmax(calm[0], calm[2]), 0.0, 0.0, "height without wind");

	const double begin = waves.time;
	const tnVec2 wind = {TNC_WIND, 0.0f};
	if (tnWorld_SetWind(waves.world, wind).status != tn_ok)
	{
		tncJudge(context, true, NAN, 0.0, 0.0, "wind was refused");
	}
	double worst = 0.0, highest = 0.0;
	for (int age = 0; age < tncAgeCount; ++age)
	{
		const double time = s_ages[age] - 0.5 * TNC_WIND_TIME - (waves.time - begin);
		tncStepWaves(&waves, (int64_t)(time / TNC_WIND_STEP + 0.5));
		double heights[tncFetchCount];
		tncMeasureHeights(&waves, heights);
		for (int k = 0; k < tncFetchCount; ++k)
		{
			// The curves: of the fetch, or of the time if that is shorter (JONSWAP; CERC 1984).
			const double root = sqrt(s_ages[age] / 68.8);
			const double reach = root * root * root * sqrt((double)TNC_WIND * 9.81);
			const tnSpectrumDef sea = tnGetWindSea(wind, (float)fmin(reach, s_fetches[k]), 9.81f);
			const double share = heights[k] / (double)sea.significantHeight;
			tncTell(context, share, "%g m, %g s: height over that of the curves, %.3g m", s_fetches[k], s_ages[age],
				(double)sea.significantHeight);
			worst = fmax(worst, fabs(share - 1.0));
			highest = fmax(highest, share);
		}
	}
	tncJudge(context, true, worst, 0.25, 0.25, "heights: worst error");
	tncJudge(context, true, highest, 1.1, 1.1, "heights over those of the curves, at most");
	tncCloseWaves(&waves);
}

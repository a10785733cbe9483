// SPDX-License-Identifier: MIT

// W06: waves across the rim of a finer level.

#include "kits/wave_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// 128 m that wrap, of cells of 0.5, 1 and 2 m. The seam is in the middle, and at the ends: the finest level is in the half
// of higher x only, where there are points of interest.
enum
{
	tncSeamCells = 256,
	tncSeamLevels = 3,
	tncCoarseTiles = 4 + 1,
	tncInterestCount = 4,
};

#define TNC_SEAM_CELL 0.5
#define TNC_SEAM_PLACE 64.0

typedef enum tncSeamKind
{
	tnc_withSeam,
	/// The finest level everywhere, or nowhere.
	tnc_allFine,
	tnc_allCoarse,
} tncSeamKind;

static bool tncOpenSeam(tncContext* context, tncSeamKind kind, tncWaves* waves)
{
	tnWorldDef def = tncMakeWaveDef(context, tncSeamCells, tncSeamCells, TNC_SEAM_CELL, tncSeamLevels, 4);
	tncSetWaveEdges(&def, tn_wrapEdge);
	def.waves.tileCount = kind == tnc_allCoarse ? tncCoarseTiles : def.waves.tileCount;
	if (!tncOpenWaves(context, &def, TNC_DEEP, waves))
	{
		return false;
	}
	for (int i = 0; i < tncInterestCount && kind == tnc_withSeam; ++i)
	{
		// Reaches the tiles of 32 m from 64 m on, and all of 64 m.
		tnInterestDef interest = tnDefaultInterestDef();
		interest.position = (tnVec2){112.0f, 16.0f + 32.0f * (float)i};
		interest.reach = 30.0f;
		tnInterestId id;
		waves->failed = waves->failed || tnWorld_CreateInterest(waves->world, &interest, &id).status != tn_ok;
	}
	// The first step deals the tiles.
	tncStepWaves(waves, 1);
	waves->time = 0.0;
	tnWaveStats stats = {0};
	waves->failed = waves->failed || tnWorld_GetWaveStats(waves->world, &stats).status != tn_ok;
	const int expected[3] = {8, 16, 0};
	tncRequire(context, stats.tileCounts[0], expected[kind], expected[kind], "tiles of the finest level");
	return true;
}

typedef struct tncPassage
{
	double along, against, middle;
	double begin;
} tncPassage;

static tncPassage tncPass(tncContext* context, const tncWaveTrain* train, tncSeamKind kind, double time)
{
	tncPassage passage = {NAN, NAN, NAN, NAN};
	tncWaves waves;
	if (!tncOpenSeam(context, kind, &waves))
	{
		return passage;
	}
	tncAddTrain(&waves, train);
	tncEnterWaves(&waves, true, true);
	const tncEnergySplit begin = tncSplitEnergy(&waves, train);
	tncStepWaves(&waves, (int64_t)(time / TNC_WAVE_STEP + 0.5));
	const tncEnergySplit end = tncSplitEnergy(&waves, train);
	passage.begin = train->backward ? begin.against : begin.along;
	passage.along = train->backward ? end.against : end.along;
	passage.against = train->backward ? end.along : end.against;
	passage.middle = end.middle - train->start;
	tncCloseWaves(&waves);
	return passage;
}

// 64 m across the seam in its middle, against the same without a seam.
static void tncRunPassage(tncContext* context, bool backward, int rowWaves, const char* label)
{
	tncWaveTrain train = {8.0, 12.0, TNC_AMPLITUDE, backward ? 96.0 : 32.0, TNC_DEEP, backward, rowWaves};
	const double k = 2.0 * TNC_PI / train.wavelength;
	const double waveZ = 2.0 * TNC_PI * rowWaves / (tncSeamCells * TNC_SEAM_CELL);
	const double speed = tncGetGroupSpeed(k, TNC_DEEP) * sqrt(1.0 - waveZ * waveZ / (k * k));
	const double time = 64.0 / speed;
	const tncPassage seam = tncPass(context, &train, tnc_withSeam, time);
	const tncPassage none = tncPass(context, &train, tnc_allFine, time);
	tncJudge(context, true, seam.against / seam.begin, 0.01, 0.001, "%s: reflected energy", label);
	tncTell(context, none.against / none.begin, "%s: the same without a seam", label);
	const double amplitude = sqrt(seam.along / none.along);
	tncJudge(context, true, fabs(amplitude - 1.0), 0.05, 0.01, "%s: transmitted amplitude: error", label);
	tncJudge(context, true, fabs(seam.middle / none.middle - 1.0), 0.02, 0.005, "%s: time of arrival: error", label);
}

// Waves that the coarser levels do not hold go out at the rim of the finest.
static void tncRunShortWaves(tncContext* context, double cells)
{
	tncWaveTrain train = {cells * 2.0 * TNC_SEAM_CELL, 5.0, TNC_AMPLITUDE, 96.0, TNC_DEEP, true, 0};
	const double speed = tncGetGroupSpeed(2.0 * TNC_PI / train.wavelength, TNC_DEEP);
	const tncPassage passage = tncPass(context, &train, tnc_withSeam, 48.0 / speed);
	tncJudge(context, true, sqrt(passage.against / passage.begin), 0.05, 0.05, "%g coarse cells: reflected amplitude",
		cells);
	tncJudge(context, true, sqrt(passage.along / passage.begin), 0.05, 0.05, "%g coarse cells: amplitude that goes on",
		cells);
}

// Whatever is fine, coarse bands have the same bits.
static void tncCompareCoarseBits(tncContext* context)
{
	tncWaves seam, coarse;
	const bool good = tncOpenSeam(context, tnc_withSeam, &seam);
	if (!tncOpenSeam(context, tnc_allCoarse, &coarse) || !good)
	{
		return;
	}
	tncWaves* both[2] = {&seam, &coarse};
	for (int i = 0; i < 2; ++i)
	{
		for (int cell = 0; cell < tncSeamCells * tncSeamCells; ++cell)
		{
			both[i]->heights[cell] =
				(float)(TNC_AMPLITUDE * tncNoise((uint32_t)(cell % tncSeamCells), (uint32_t)(cell / tncSeamCells), 31));
		}
		tncEnterWaves(both[i], true, false);
		tncStepWaves(both[i], 600);
	}
	int64_t count = 0;
	for (int level = 1; level < tncSeamLevels; ++level)
	{
		const size_t cells = (size_t)tncGetBandColumns(&seam, level) * (size_t)tncGetBandRows(&seam, level);
		tncCopyBand(&seam, level, tnc_bandHeights, seam.heights);
		tncCopyBand(&coarse, level, tnc_bandHeights, coarse.heights);
		for (size_t i = 0; i < cells; ++i)
		{
			count += memcmp(seam.heights + i, coarse.heights + i, sizeof(float)) != 0 ? 1 : 0;
		}
	}
	tncRequire(context, (double)count, 0.0, 0.0, "cells of coarse bands that differ without the finest level");
	tncRequire(context, tncGetLargest(&seam, tnc_bandHeights), 1.0e-6, INFINITY, "waves on both sides of the seam (m)");
	tncCloseWaves(&seam);
	tncCloseWaves(&coarse);
}

void tncRunSeams(tncContext* context)
{
	tncWaves still;
	if (tncOpenSeam(context, tnc_withSeam, &still))
	{
		tncStepWaves(&still, 600);
		const double height = tncGetLargest(&still, tnc_bandHeights);
		const double rate = tncGetLargest(&still, tnc_bandRates);
		tncRequire(context, height > rate ? height : rate, 0.0, 0.0, "still water: highest wave (m)");
		tncCloseWaves(&still);
	}
	tncRunPassage(context, false, 0, "into fine");
	tncRunPassage(context, true, 0, "out of fine");
	// 11 waves along z: 43 degrees.
	tncRunPassage(context, false, 11, "into fine at 43 degrees");
	tncRunPassage(context, true, 11, "out of fine at 43 degrees");
	tncRunShortWaves(context, 2.5);
	tncRunShortWaves(context, 3.0);
	tncCompareCoarseBits(context);
}

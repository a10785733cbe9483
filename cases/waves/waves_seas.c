// SPDX-License-Identifier: MIT

// W11: swell and seas that come in from outside. W12: what a raft feels of them does not hang on who looks.

#include "kits/wave_kit.h"

#include <math.h>

enum
{
	// Of the finest level.
	tncSeaCells = 256,
	tncSeaLevels = 5,
};

#define TNC_SEA_STEP (1.0 / 15.0)
#define TNC_SEA_CELL 1.0
// Significant height, m.
#define TNC_SEA_HEIGHT 0.8

static tnWorldDef tncMakeSeaDef(tncContext* context)
{
	tnWorldDef def = tncMakeWaveDef(context, tncSeaCells, tncSeaCells, TNC_SEA_CELL, tncSeaLevels, 1);
	tncSetWaveEdges(&def, tn_absorbEdge);
	def.waves.timeStep = (float)TNC_SEA_STEP;
	return def;
}

// Mean square of the surface in the middle of the world, m^2, from one time to another, s.
static double tncMeasureSquare(tncWaves* waves, double begin, double end)
{
	tncStepWaves(waves, (int64_t)(begin / waves->timeStep + 0.5));
	const int count = (int)((end - begin) / (3.0 * waves->timeStep) + 0.5);
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		tncStepWaves(waves, 3);
		for (int place = 0; place < 49; ++place)
		{
			const double height =
				tncGetHeight(waves, 70.0 + 17.7 * (double)(place % 7), 70.0 + 16.9 * (double)(place / 7));
			sum += height * height / 49.0;
		}
	}
	return count > 0 ? sum / count : NAN;
}

static double tncMeasureSwell(tncContext* context, float period, tnVec2 direction)
{
	const tnWorldDef def = tncMakeSeaDef(context);
	tncWaves waves;
	if (!tncOpenWaves(context, &def, TNC_DEEP, &waves))
	{
		return NAN;
	}
	const tnSwell swell = {direction, 0.1f, period, 0.0f};
	const tnResult result = tnWorld_SetSwell(waves.world, &swell, 1);
	const double square = result.status == tn_ok ? tncMeasureSquare(&waves, 110.0, 140.0) : NAN;
	tncCloseWaves(&waves);
	return sqrt(2.0 * square) / (double)swell.amplitude;
}

// Mean square of the surface, m^2.
static double tncMeasureSea(tncContext* context, uint32_t seed)
{
	const tnWorldDef def = tncMakeSeaDef(context);
	tncWaves waves;
	if (!tncOpenWaves(context, &def, TNC_DEEP, &waves))
	{
		return NAN;
	}
	tnSpectrumDef sea = tnDefaultSpectrumDef();
	sea.significantHeight = (float)TNC_SEA_HEIGHT;
	sea.peakPeriod = 3.2f;
	sea.direction = (tnVec2){1.0f, 0.5f};
	sea.spread = 30.0f;
	sea.trainCount = TN_MAX_TRAINS;
	sea.seed = seed;
	const tnResult result = tnWorld_SetSpectrum(waves.world, &sea);
	const double square = result.status == tn_ok ? tncMeasureSquare(&waves, 80.0, 150.0) : NAN;
	tncCloseWaves(&waves);
	tncTell(context, square, "sea %d: mean square of the surface", (int)seed);
	return square;
}

void tncRunSeas(tncContext* context)
{
	const float periods[4] = {2.3f, 2.7f, 3.1f, 3.6f};
	double worst = 0.0;
	for (int i = 0; i < 8; i += context->config.ends ? 7 : 1)
	{
		const double share = tncMeasureSwell(context, periods[i / 2], (tnVec2){1.0f, i % 2 == 0 ? 0.0f : 0.5f});
		tncTell(context, share, "swell of %g s at %g: height over what was asked for", (double)periods[i / 2],
			i % 2 == 0 ? 0.0 : 26.6);
		worst = fabs(share - 1.0) <= worst ? worst : fabs(share - 1.0);
	}
	tncJudge(context, true, worst, 0.1, 0.04, "swell: worst error of heights");

	// What chance does to one sea it does not to four.
	double square = 0.0;
	for (uint32_t seed = 1; seed <= 4; ++seed)
	{
		square += 0.25 * tncMeasureSea(context, seed);
	}
	const double wanted = TNC_SEA_HEIGHT * TNC_SEA_HEIGHT / 16.0;
	tncJudge(context, true, fabs(square / wanted - 1.0), 0.15, 0.08, "seas: error of the mean square of the surface");
}

enum
{
	tncLookSteps = 480,
};

// The force of waves on a raft beside the way of something that goes by.
// @param look 0: at the raft, 1: elsewhere, 2: nobody looks
static bool tncFeelPasser(tncContext* context, int look, tnVec3* forces)
{
	tnWorldDef def = tncMakeWaveDef(context, 1024, 1024, 0.25, 7, 2);
	tncSetWaveEdges(&def, tn_absorbEdge);
	def.waves.tileCount = 200;
	tncWaves waves;
	if (!tncOpenWaves(context, &def, 10.0, &waves))
	{
		return false;
	}
	tnInterestDef interest = tnDefaultInterestDef();
	interest.position = look == 0 ? (tnVec2){60.0f, 60.0f} : (tnVec2){230.0f, 220.0f};
	tnInterestId interestId;
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){2.0f, 0.5f, 1.0f};
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.mass = 4000.0f;
	body.pose.position = (tnVec3){60.0f, 0.0f, 60.0f};
	tnBodyId raft;
	bool good = look == 2 || tnWorld_CreateInterest(waves.world, &interest, &interestId).status == tn_ok;
	good = good && tnWorld_CreateBody(waves.world, &body, &raft).status == tn_ok;
	tnWaveEllipse before = {0};
	for (int i = 0; i < tncLookSteps && good; ++i)
	{
		const tnWaveEllipse now = {{50.0f + 0.08f * (float)i, 52.0f}, {1.0f, 0.0f}, {3.0f, 1.0f}, 0.5f};
		good = tnWorld_AddWave(waves.world, i > 0 ? &before : NULL, &now).status == tn_ok;
		before = now;
		tncStepWaves(&waves, 1);
		tnBodyState state;
		good = good && tnWorld_GetBodyState(waves.world, raft, &state).status == tn_ok;
		forces[i] = state.waveForce;
	}
	tncCloseWaves(&waves);
	return good;
}

void tncRunLooks(tncContext* context)
{
	tnVec3 forces[3][tncLookSteps];
	for (int look = 0; look < 3; ++look)
	{
		if (!tncFeelPasser(context, look, forces[look]))
		{
			return;
		}
	}
	const char* const names[3] = {"", "somebody looks elsewhere", "nobody looks"};
	for (int look = 1; look < 3; ++look)
	{
		double sum = 0.0, difference = 0.0;
		for (int i = 0; i < tncLookSteps; ++i)
		{
			const tnVec3 a = forces[0][i], b = forces[look][i];
			const double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, z = (double)b.z - (double)a.z;
			sum += (double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z;
			difference += x * x + y * y + z * z;
		}
		tncJudge(context, true, sqrt(difference / sum), 0.05, 0.01, "%s: difference of forces on a raft", names[look]);
	}
}

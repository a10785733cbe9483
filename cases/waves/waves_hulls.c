// SPDX-License-Identifier: MIT

// Bodies make waves, and lose to them what they carry away. W13: the wake of a motor boat, as W02 measures wakes. W14: a
// sphere that heaves, and the ring of a cylinder that is pushed down. W15: the resistance of a slender hull (Michell).

#include "kits/wave_kit.h"
#include "tarn/body.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------------------
// W13

enum
{
	tncHullStations = 13,
	// Places that are looked at: to each wavelength, along and across the track, and as many as that.
	tncHullCells = 24,
	tncHullAlong = 12 * tncHullCells,
	tncHullHalf = 7 * tncHullCells,
	tncHullAcross = 2 * tncHullHalf + 1,
};

#define TNC_HULL_SPEED 3.0
#define TNC_HULL_DEPTH 8.0
#define TNC_HULL_RUN 20.0 // wavelengths

typedef struct tncHullWake
{
	double angle, wavelength; // degrees, and over that of theory
} tncHullWake;

static double tncGetHullLength(void)
{
	return 2.0 * TNC_PI * TNC_HULL_SPEED * TNC_HULL_SPEED / TNC_GRAVITY;
}

// Convolve rows, or columns, with the Gaussian that the sources of W02 are at Froude 1.2: what is linear does not care
// whether the source is that wide or the eye.
static void tncBlur(const double* in, double* out, int count, int stride)
{
	const double width = TNC_HULL_SPEED * TNC_HULL_SPEED / (TNC_GRAVITY * 1.44) / tncGetHullLength() * tncHullCells;
	for (int i = 0; i < count; ++i)
	{
		double sum = 0.0, weights = 0.0;
		for (int k = -10; k <= 10; ++k)
		{
			const double weight = exp(-0.5 * k * k / (width * width));
			weights += weight;
			sum += i + k >= 0 && i + k < count ? weight * in[(i + k) * stride] : 0.0;
		}
		out[i * stride] = sum / weights;
	}
}

static tncHullWake tncMeasureHullWake(const double* surface)
{
	const double length = tncGetHullLength();
	const double size = length / tncHullCells;
	double sums[5] = {0};
	for (int s = 0; s < tncHullStations; ++s)
	{
		const double distance = (4.0 + 0.5 * s) * length;
		const int i = (int)floor(distance / size + 0.5);
		const int first = (int)ceil(0.12 * distance / size);
		const int last = (int)(0.6 * distance / size);
		double best = -1.0, at = 0.0, envelopes[3] = {0};
		for (int k = first - 1; k < last + 1 && k < tncHullHalf; ++k)
		{
			double envelope = 0.0;
			for (int c = i - tncHullCells / 2; c <= i + tncHullCells / 2 && c < tncHullAlong; ++c)
			{
				const double* row = surface + (size_t)c * tncHullAcross + tncHullHalf;
				envelope = fmax(envelope, fabs(0.5 * (row[k] + row[-k])));
			}
			envelopes[0] = envelopes[1];
			envelopes[1] = envelopes[2];
			envelopes[2] = envelope;
			if (k - 1 >= first && k - 1 < last && envelopes[1] > best)
			{
				const double bend = envelopes[0] - 2.0 * envelopes[1] + envelopes[2];
				const double offset = bend < 0.0 ? 0.5 * (envelopes[0] - envelopes[2]) / bend : 0.0;
				best = envelopes[1];
				at = k - 1 + fmin(fmax(offset, -0.5), 0.5);
			}
		}
		const double x = i * size, y = at * size;
		const double terms[5] = {1.0, x, y, x * x, x * y};
		for (int t = 0; t < 5; ++t)
		{
			sums[t] += terms[t];
		}
	}
	const double slope = (sums[0] * sums[4] - sums[1] * sums[2]) / (sums[0] * sums[3] - sums[1] * sums[1]);
	double firstZero = 0.0, lastZero = 0.0;
	int count = 0;
	for (int c = 4 * tncHullCells; c < 10 * tncHullCells; ++c)
	{
		const double a = surface[(size_t)c * tncHullAcross + tncHullHalf];
		const double b = surface[(size_t)(c + 1) * tncHullAcross + tncHullHalf];
		if ((a < 0.0) != (b < 0.0))
		{
			lastZero = c + a / (a - b);
			firstZero = count == 0 ? lastZero : firstZero;
			count += 1;
		}
	}
	const double cells = 2.0 * (lastZero - firstZero) / (count - 1);
	return (tncHullWake){atan(slope) * 180.0 / TNC_PI, cells / tncHullCells};
}

// What goes along a track: its pose after a way.
static tnPose tncGetTrackPose(double startX, double startZ, double angle, double way)
{
	return (tnPose){{(float)(startX + way * cos(angle)), 0.0f, (float)(startZ + way * sin(angle))},
		{0.0f, (float)-sin(0.5 * angle), 0.0f, (float)cos(0.5 * angle)}};
}

// Move a body along the track for a step.
static bool tncMoveAlong(tncWaves* waves, tnBodyId id, tnPose pose, double angle, double speed)
{
	const tnVec3 velocity = {(float)(speed * cos(angle)), 0.0f, (float)(speed * sin(angle))};
	const tnVec3 spin = {0.0f, 0.0f, 0.0f};
	const bool good = tnWorld_MoveBody(waves->world, id, &pose, velocity, spin).status == tn_ok;
	tncStepWaves(waves, 1);
	return good && waves->failed == false;
}

static tncHullWake tncRunHull(tncContext* context, double degrees)
{
	// The hull of a motor boat of 6 x 2 m.
	const tnVec3 points[9] = {{-2.6f, -0.5f, -0.7f}, {-2.6f, -0.5f, 0.7f}, {1.6f, -0.5f, -0.6f}, {1.6f, -0.5f, 0.6f},
		{-2.8f, 0.6f, -1.0f}, {-2.8f, 0.6f, 1.0f}, {1.4f, 0.6f, -1.1f}, {1.4f, 0.6f, 1.1f}, {3.2f, 0.75f, 0.0f}};
	const double angle = degrees * TNC_PI / 180.0;
	const double length = tncGetHullLength();
	const double run = TNC_HULL_RUN * length;
	const int columns = (int)ceil((run * cos(angle) + 8.0 * length * (sin(angle) + 1.5)) * 2.0 / 32.0) * 128;
	const int rows = (int)ceil((run * sin(angle) + 14.0 * length) * 2.0 / 32.0) * 128;
	tnWorldDef def = tncMakeWaveDef(context, columns, rows, 0.125, 6, 2);
	tncSetWaveEdges(&def, tn_absorbEdge);
	// As a host has it: fine bands are around the boat only.
	def.waves.tileCount = 400;
	tncHullWake result = {NAN, NAN};
	tncWaves waves;
	if (!tncOpenWaves(context, &def, TNC_HULL_DEPTH, &waves))
	{
		return result;
	}
	const double startX = 0.5 * (columns * 0.125 - run * cos(angle));
	const double startZ = 0.5 * (rows * 0.125 - run * sin(angle));
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_hullShape;
	shape.points = points;
	shape.pointCount = 9;
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.mass = 4000.0f;
	body.pose = tncGetTrackPose(startX, startZ, angle, 0.0);
	tnBodyId boat;
	bool good = tnWorld_CreateBody(waves.world, &body, &boat).status == tn_ok;
	const int steps = (int)(run / TNC_HULL_SPEED / TNC_WAVE_STEP);
	for (int i = 1; i <= steps && good; ++i)
	{
		const double way = i * TNC_HULL_SPEED * TNC_WAVE_STEP;
		good = tncMoveAlong(&waves, boat, tncGetTrackPose(startX, startZ, angle, way), angle, TNC_HULL_SPEED);
	}
	double* surface = malloc(2 * sizeof(double) * tncHullAlong * tncHullAcross);
	if (good && surface != NULL)
	{
		double* blurred = surface + tncHullAlong * tncHullAcross;
		const double way = steps * TNC_HULL_SPEED * TNC_WAVE_STEP;
		for (int i = 0; i < tncHullAlong * tncHullAcross; ++i)
		{
			const double behind = way - i / tncHullAcross * (length / tncHullCells);
			const double beside = (i % tncHullAcross - tncHullHalf) * (length / tncHullCells);
			// The flow is part of the surface.
			const tnVec2 place = {(float)(startX + behind * cos(angle) - beside * sin(angle)),
				(float)(startZ + behind * sin(angle) + beside * cos(angle))};
			surface[i] = (double)tnWorld_Sample(waves.world, place).surface;
		}
		for (int i = 0; i < tncHullAcross; ++i)
		{
			tncBlur(surface + i, blurred + i, tncHullAlong, tncHullAcross);
		}
		for (int i = 0; i < tncHullAlong; ++i)
		{
			tncBlur(blurred + (size_t)i * tncHullAcross, surface + (size_t)i * tncHullAcross, tncHullAcross, 1);
		}
		result = tncMeasureHullWake(surface);
	}
	free(surface);
	tncCloseWaves(&waves);
	return result;
}

void tncRunHullWakes(tncContext* context)
{
	if (context->method->grade == tnc_gatesGrade)
	{
		// Minutes, for a kernel that has no Kelvin wake.
		tncTell(context, 0.0, "not run with this kernel");
		return;
	}
	const double tracks[4] = {0.0, 17.0, 30.0, 45.0};
	double worst = 0.0, worstLength = 0.0;
	for (int i = 0; i < 4; ++i)
	{
		const tncHullWake wake = tncRunHull(context, tracks[i]);
		tncTell(context, wake.angle, "track of %g degrees: angle of the wake (degrees, 18.8)", tracks[i]);
		tncTell(context, wake.wavelength, "track of %g degrees: transverse waves over theory", tracks[i]);
		worst = fabs(wake.angle - 18.8) <= worst ? worst : fabs(wake.angle - 18.8);
		worstLength = fabs(wake.wavelength - 1.0) <= worstLength ? worstLength : fabs(wake.wavelength - 1.0);
	}
	tncJudge(context, true, worst, 1.5, 1.2, "worst error of angles (degrees)");
	tncJudge(context, true, worstLength, 0.05, 0.02, "worst error of lengths");
}

// ---------------------------------------------------------------------------------------------------------------------
// W14

// IEA OES Task 10: a sphere of 5 m, half of it in deep water, let go 1 m above rest. Turns of the CFD code of NREL.
static const double s_heaveTimes[2] = {2.23, 4.45};
#define TNC_HEAVE_RATIO 0.74 // of half swings

static void tncRunSphere(tncContext* context)
{
	const double mass = 261800.0;
	tnWorldDef def = tncMakeWaveDef(context, 768, 768, 0.25, 6, 2);
	tncSetWaveEdges(&def, tn_absorbEdge);
	def.waves.tileCount = 96;
	tncWaves waves;
	if (!tncOpenWaves(context, &def, 50.0, &waves))
	{
		return;
	}
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_sphereShape;
	shape.radius = 5.0f;
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.mass = (float)mass;
	tnPose pose = {{96.1f, 1.0f, 95.8f}, {0.0f, 0.0f, 0.0f, 1.0f}};
	body.pose = pose;
	tnBodyId id;
	bool good = tnWorld_CreateBody(waves.world, &body, &id).status == tn_ok;
	double height = 1.0, rise = 0.0, heights[2] = {1.0, 1.0};
	double turns[5] = {0}, times[5] = {0};
	int count = 0;
	for (int i = 1; i < 1200 && good && count < 5; ++i)
	{
		const tnVec3 velocity = {0.0f, (float)rise, 0.0f}, spin = {0.0f, 0.0f, 0.0f};
		pose.position.y = (float)height;
		good = tnWorld_MoveBody(waves.world, id, &pose, velocity, spin).status == tn_ok;
		tncStepWaves(&waves, 1);
		tnWrench wrench;
		good = good && tnWorld_GetBodyWrench(waves.world, id, &wrench).status == tn_ok;
		rise += TNC_WAVE_STEP * ((double)wrench.force.y / mass - TNC_GRAVITY);
		heights[0] = heights[1];
		heights[1] = height;
		height += TNC_WAVE_STEP * rise;
		if ((heights[1] - heights[0]) * (height - heights[1]) < 0.0)
		{
			turns[count] = heights[1];
			times[count] = (i - 1) * TNC_WAVE_STEP;
			count += 1;
		}
	}
	tncCloseWaves(&waves);
	for (int i = 0; i < 2; ++i)
	{
		tncTell(context, turns[i], "sphere: turn at (m) after %.2f s", times[i]);
		tncJudge(context, true, count < 5 ? NAN : fabs(times[i] - s_heaveTimes[i]), 0.1, 0.1,
			"sphere: turn %d: error of the time (s)", i + 1);
	}
	const double ratio = pow(fabs(turns[4]), 0.2);
	tncTell(context, ratio, "sphere: mean ratio of five half swings (%.2f)", TNC_HEAVE_RATIO);
	tncJudge(context, true, count < 5 ? NAN : fabs(ratio - TNC_HEAVE_RATIO), 0.05, 0.05,
		"sphere: error of the ratio of half swings");
}

// A cylinder is pushed down in a step. What it displaces at the depth T, times what the water that goes with it leaves of
// waves, is
//
//   S(k) = 2 pi R J1(k R) / k e^(-k T) / (1 + k M / (rho A)) D        eta = 1 / 2 pi (integral of S(k) cos(w t) J0(k r) k dk)
#define TNC_RING_RADIUS 0.8
#define TNC_RING_DRAFT 0.3
#define TNC_RING_PUSH 0.05
#define TNC_RING_TIME 3.0

static double tncBessel(int order, double x)
{
	double sum = 0.0;
	for (int i = 0; i < 96; ++i)
	{
		const double angle = TNC_PI * (i + 0.5) / 96.0;
		sum += cos(order * angle - x * sin(angle));
	}
	return sum / 96.0;
}

static double tncGetRingHeight(double r)
{
	// Half a disc's, of a full body.
	const double addedDepth = 4.0 / 3.0 * TNC_RING_RADIUS / TNC_PI;
	const double step = 0.01;
	double sum = 0.0;
	for (int i = 0; i < 1200; ++i)
	{
		const double k = (i + 0.5) * step;
		const double source = 2.0 * TNC_PI * TNC_RING_RADIUS * tncBessel(1, k * TNC_RING_RADIUS) *
			exp(-k * TNC_RING_DRAFT) / (1.0 + k * addedDepth) * TNC_RING_PUSH;
		sum += source * cos(sqrt(TNC_GRAVITY * k) * TNC_RING_TIME) * tncBessel(0, k * r) * step;
	}
	return sum / (2.0 * TNC_PI);
}

static void tncRunPush(tncContext* context)
{
	tnWorldDef def = tncMakeWaveDef(context, 512, 512, 0.125, 7, 2);
	tncSetWaveEdges(&def, tn_absorbEdge);
	tncWaves waves;
	if (!tncOpenWaves(context, &def, 20.0, &waves))
	{
		return;
	}
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_cylinderShape;
	shape.radius = (float)TNC_RING_RADIUS;
	shape.halfLength = 1.0f;
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.mass = 600.0f;
	tnPose pose = {{32.07f, 0.7f, 31.88f}, {0.0f, 0.0f, 0.0f, 1.0f}};
	body.pose = pose;
	tnBodyId id;
	bool good = tnWorld_CreateBody(waves.world, &body, &id).status == tn_ok;
	const int steps = (int)(TNC_RING_TIME / TNC_WAVE_STEP + 0.5);
	for (int i = -5; i < steps && good; ++i)
	{
		pose.position.y = i < 0 ? 0.725f : 0.675f;
		const tnVec3 still = {0.0f, 0.0f, 0.0f};
		good = tnWorld_MoveBody(waves.world, id, &pose, still, still).status == tn_ok;
		tncStepWaves(&waves, 1);
	}
	double errors = 0.0, squares = 0.0;
	tncPanel* panel = tncAddPanel(context, "r (m)", "surface (m)", "a cylinder is pushed down");
	tncSeries* exact = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "exact");
	tncSeries* own = tncPanel_AddSeries(panel, tnc_resultRole, tnc_lineMark, "mean of 8 rays");
	for (int i = 0; i < 40 && good; ++i)
	{
		const double r = 2.0 + 0.3 * i;
		const double height = tncGetRingHeight(r);
		double mean = 0.0;
		for (int ray = 0; ray < 8; ++ray)
		{
			const double angle = 2.0 * TNC_PI * (ray + 0.3) / 8.0;
			const tnVec2 place = {pose.position.x + (float)(r * cos(angle)), pose.position.z + (float)(r * sin(angle))};
			const double found = (double)tnWorld_Sample(waves.world, place).surface;
			errors += (found - height) * (found - height);
			squares += height * height;
			mean += 0.125 * found;
		}
		tncSeries_AddPoint(exact, r, height);
		tncSeries_AddPoint(own, r, mean);
	}
	tncCloseWaves(&waves);
	tncJudge(context, true, good ? sqrt(errors / squares) : NAN, 0.15, 0.15, "ring of a push: error (mean square)");
}

void tncRunHeavingHulls(tncContext* context)
{
	tncRunSphere(context);
	tncRunPush(context);
}

// ---------------------------------------------------------------------------------------------------------------------
// W15

// Wigley's hull: y = B/2 (1 - 4 x^2 / L^2) (1 - z^2 / T^2).
#define TNC_WIGLEY_LENGTH 10.0
#define TNC_WIGLEY_BEAM 1.0
#define TNC_WIGLEY_DRAFT 0.625

// Michell 1898: R = 4 rho g^2 / (pi V^2) (integral of (I^2 + J^2) sec^3 over the angle), I + iJ the transform of the slope of
// the hull.
static double tncGetMichell(double speed)
{
	const double k = TNC_GRAVITY / (speed * speed);
	double sum = 0.0;
	for (int i = 0; i < 2000; ++i)
	{
		const double angle = 0.999 * 0.5 * TNC_PI * (i + 0.5) / 2000.0;
		const double sec = 1.0 / cos(angle);
		double along = 0.0, down = 0.0;
		for (int n = 0; n < 400; ++n)
		{
			const double x = TNC_WIGLEY_LENGTH * ((n + 0.5) / 400.0 - 0.5);
			const double slope = -4.0 * TNC_WIGLEY_BEAM * x / (TNC_WIGLEY_LENGTH * TNC_WIGLEY_LENGTH);
			along += slope * sin(k * sec * x) * TNC_WIGLEY_LENGTH / 400.0;
		}
		for (int n = 0; n < 40; ++n)
		{
			const double z = (n + 0.5) / 40.0;
			down += (1.0 - z * z) * exp(-k * sec * sec * z * TNC_WIGLEY_DRAFT) * TNC_WIGLEY_DRAFT / 40.0;
		}
		sum += along * along * down * down * sec * sec * sec * (0.999 * 0.5 * TNC_PI / 2000.0);
	}
	return 4.0 * 1000.0 * TNC_GRAVITY * TNC_GRAVITY / (TNC_PI * speed * speed) * sum;
}

static double tncMeasureResistance(tncContext* context, double speed)
{
	tnVec3 points[25 * 9 * 2 + 50];
	int count = 0;
	for (int i = 0; i < 25 * 9; ++i)
	{
		const double x = TNC_WIGLEY_LENGTH * (i / 9 / 24.0 - 0.5);
		const double z = i % 9 / 8.0;
		const double along = 2.0 * x / TNC_WIGLEY_LENGTH;
		const double half = 0.5 * TNC_WIGLEY_BEAM * (1.0 - along * along) * (1.0 - z * z);
		for (int side = -1; side <= 1; side += 2)
		{
			points[count++] = (tnVec3){(float)x, (float)(-z * TNC_WIGLEY_DRAFT), (float)(side * half)};
			if (i % 9 == 0)
			{
				points[count++] = (tnVec3){(float)x, 0.4f, (float)(side * half)};
			}
		}
	}
	const double length = 2.0 * TNC_PI * speed * speed / TNC_GRAVITY;
	const double run = fmax(8.0 * length, 60.0);
	tnWorldDef def = tncMakeWaveDef(context, (int)ceil((run + 60.0) / 16.0) * 128, 512, 0.125, 6, 2);
	tncSetWaveEdges(&def, tn_absorbEdge);
	def.waves.tileCount = 300;
	tncWaves waves;
	if (!tncOpenWaves(context, &def, 12.0, &waves))
	{
		return NAN;
	}
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_hullShape;
	shape.points = points;
	shape.pointCount = count;
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.mass = 2778.0f;
	body.pose = tncGetTrackPose(30.0, 32.1, 0.0, 0.0);
	tnBodyId hull;
	bool good = tnWorld_CreateBody(waves.world, &body, &hull).status == tn_ok;
	const int steps = (int)(run / speed / TNC_WAVE_STEP);
	double way = 0.0, sum = 0.0;
	for (int i = 0; i < steps && good; ++i)
	{
		// It sets off in four seconds.
		const double now = speed * fmin(1.0, i / 240.0);
		way += now * TNC_WAVE_STEP;
		good = tncMoveAlong(&waves, hull, tncGetTrackPose(30.0, 32.1, 0.0, way), 0.0, now);
		tnBodyState state;
		good = good && tnWorld_GetBodyState(waves.world, hull, &state).status == tn_ok;
		sum -= good && i >= steps / 2 ? (double)state.waveForce.x : 0.0;
	}
	tncCloseWaves(&waves);
	return good ? sum / (steps - steps / 2) : NAN;
}

void tncRunHullResistance(tncContext* context)
{
	const double froudes[3] = {0.4, 0.45, 0.5};
	for (int i = 0; i < 3; ++i)
	{
		const double speed = froudes[i] * sqrt(TNC_GRAVITY * TNC_WIGLEY_LENGTH);
		const double exact = tncGetMichell(speed);
		const double own = tncMeasureResistance(context, speed);
		tncTell(context, own, "Froude %g: resistance (N, Michell %.0f)", froudes[i], exact);
		tncJudge(context, true, fabs(own / exact - 1.0), 0.2, 0.1, "Froude %g: error of the resistance", froudes[i]);
	}
}

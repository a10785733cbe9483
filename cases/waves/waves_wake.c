// SPDX-License-Identifier: MIT

// W02: the wake of a pressure that moves over the water (Kelvin), measured as the table was.

#include "kits/wave_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
	// Stations behind the source at which the wake is looked at: from 4 to 10 wavelengths, every half.
	tncStationCount = 13,
	tncWakeLevels = 5,
};

// Wavelengths from the source to the first and the last station, and that it runs.
#define TNC_FIRST_STATION 4.0
#define TNC_LAST_STATION 10.0
#define TNC_WAKE_RUN 24.0

// m, of the pressure: rho g times this.
#define TNC_PRESSURE 0.1

typedef struct tncWake
{
	double speed, width, depth, cellSize;
	double length; // of transverse waves
	// World: cells, and where the source ends.
	int columnCount, rowCount, endColumn, endRow;
} tncWake;

typedef struct tncWakeResult
{
	double angle, angleFromSource;
	double wavelength; // on the axis
	double stations[tncStationCount], maxima[tncStationCount];
	double cuspNormal, cuspLength; // of the waves at the cusp line, degrees and m
} tncWakeResult;

// Length of transverse waves, m.
static double tncGetWakeLength(double speed)
{
	return 2.0 * TNC_PI * speed * speed / TNC_GRAVITY;
}

static tncWake tncMakeWake(double speed, double froude, double depth, double cellSize)
{
	tncWake wake = {speed, speed * speed / (TNC_GRAVITY * froude * froude), depth, cellSize, 0.0, 0, 0, 0, 0};
	wake.length = tncGetWakeLength(speed);
	const double cells = wake.length / cellSize;
	// Three wavelengths to each end for waves to fade, and room for the wake: it is 3.6 wavelengths wide at the last
	// station, and looked for up to 6.
	wake.columnCount = (int)ceil((TNC_WAKE_RUN + 6.5) * cells / 32.0) * 32;
	wake.rowCount = (int)ceil(19.0 * cells / 32.0) * 32;
	wake.endColumn = (int)(3.0 * cells);
	wake.endRow = wake.rowCount / 2;
	return wake;
}

// Mean of the Gaussian over a cell, along one axis.
static double tncGetBell(double distance, double width, double cellSize)
{
	const double scale = 1.0 / (sqrt(2.0) * width);
	return (erf((distance + 0.5 * cellSize) * scale) - erf((distance - 0.5 * cellSize) * scale)) * width *
		sqrt(0.5 * TNC_PI) / cellSize;
}

// The pressure was at one place along x, and is at another: water is displaced by the difference.
static void tncPress(tncWaves* waves, const tncWake* wake, double from, double to, bool isFirst)
{
	const double size = wake->cellSize;
	const double z = (wake->endRow + 0.5) * size;
	const int reach = (int)ceil(5.0 * wake->width / size) + 2;
	const int column = (int)floor(to / size) - reach;
	const int row = wake->endRow - reach;
	const int columns = 2 * reach + 2;
	const int rows = 2 * reach + 1;
	float* heights = waves->heights;
	for (int c = 0; c < columns; ++c)
	{
		const double x = (column + c + 0.5) * size;
		const double bell = tncGetBell(x - to, wake->width, size);
		const double before = isFirst ? 0.0 : tncGetBell(x - from, wake->width, size);
		for (int r = 0; r < rows; ++r)
		{
			const double across = tncGetBell((row + r + 0.5) * size - z, wake->width, size);
			heights[r * columns + c] = (float)(TNC_PRESSURE * across * (bell - before));
		}
	}
	const tnResult result = tnWorld_AddWaveField(waves->world, column, row, columns, rows, heights, NULL);
	waves->failed = waves->failed || result.status != tn_ok;
}

// The procedure of wake_angle() in refgen.py: both halves averaged; at each station the envelope of half a wavelength to
// both sides, and its largest value between 0.12 and 0.6 of the distance; a line through those.
static void tncMeasureAngle(const tncWake* wake, const float* surface, tncWakeResult* result)
{
	const int columns = wake->columnCount;
	const int iy = wake->endRow;
	const int half = iy < wake->rowCount - 1 - iy ? iy : wake->rowCount - 1 - iy;
	const int reach = (int)floor(0.5 * wake->length / wake->cellSize + 0.5);
	double sums[5] = {0};
	for (int s = 0; s < tncStationCount; ++s)
	{
		const double distance = (TNC_FIRST_STATION + 0.5 * s) * wake->length;
		const int i = wake->endColumn + (int)floor(distance / wake->cellSize + 0.5);
		const int first = (int)ceil(0.12 * distance / wake->cellSize);
		const int last = (int)(0.6 * distance / wake->cellSize);
		double best = -1.0, at = 0.0, envelopes[3] = {0};
		for (int k = first - 1; k < last + 1 && k < half; ++k)
		{
			double envelope = 0.0;
			for (int c = i - reach; c <= i + reach; ++c)
			{
				const double value =
					fabs(0.5 * ((double)surface[(iy + k) * columns + c] + (double)surface[(iy - k) * columns + c]));
				envelope = value > envelope ? value : envelope;
			}
			envelopes[0] = envelopes[1];
			envelopes[1] = envelopes[2];
			envelopes[2] = envelope;
			// The one before this is in the middle.
			if (k - 1 >= first && k - 1 < last && envelopes[1] > best)
			{
				const double bend = envelopes[0] - 2.0 * envelopes[1] + envelopes[2];
				const double offset = bend < 0.0 ? 0.5 * (envelopes[0] - envelopes[2]) / bend : 0.0;
				best = envelopes[1];
				at = k - 1 + (offset < -0.5 ? -0.5 : (offset > 0.5 ? 0.5 : offset));
			}
		}
		const double x = (i - wake->endColumn) * wake->cellSize;
		const double y = at * wake->cellSize;
		result->stations[s] = x;
		result->maxima[s] = y;
		const double terms[5] = {1.0, x, y, x * x, x * y};
		for (int t = 0; t < 5; ++t)
		{
			sums[t] += terms[t];
		}
	}
	const double slope = (sums[0] * sums[4] - sums[1] * sums[2]) / (sums[0] * sums[3] - sums[1] * sums[1]);
	result->angle = atan(slope) * 180.0 / TNC_PI;
	result->angleFromSource = atan(sums[4] / sums[3]) * 180.0 / TNC_PI;
}

// Transverse waves, from one zero on the axis to the next, between the stations.
static void tncMeasureAxis(const tncWake* wake, const float* surface, tncWakeResult* result)
{
	const float* axis = surface + (size_t)wake->endRow * (size_t)wake->columnCount;
	const int begin = wake->endColumn + (int)(TNC_FIRST_STATION * wake->length / wake->cellSize);
	const int end = wake->endColumn + (int)(TNC_LAST_STATION * wake->length / wake->cellSize);
	double firstZero = NAN, lastZero = NAN;
	int count = 0;
	for (int c = begin; c < end; ++c)
	{
		const double a = (double)axis[c];
		const double b = (double)axis[c + 1];
		if ((a < 0.0) != (b < 0.0))
		{
			lastZero = c + a / (a - b);
			firstZero = count == 0 ? lastZero : firstZero;
			count += 1;
		}
	}
	result->wavelength = 2.0 * (lastZero - firstZero) / (count - 1) * wake->cellSize;
}

// The plane wave that fits the surface best around a place on the cusp line, at the last station: its normal against the
// track, and its length. What is seen lies under a Gaussian of half a wavelength.
static void tncMeasureCusp(const tncWake* wake, const float* surface, tncWakeResult* result)
{
	const double size = wake->cellSize;
	const double k = 2.0 * TNC_PI / wake->length;
	const int column = wake->endColumn + (int)(TNC_LAST_STATION * wake->length / size);
	const int row = wake->endRow + (int)(TNC_LAST_STATION * tan(asin(1.0 / 3.0)) * wake->length / size);
	const int reach = (int)(1.25 * wake->length / size);
	const int stride = reach / 24 + 1;
	double best[2] = {1.22 * k, -0.87 * k};
	for (double step = 0.1 * k; step > 0.001 * k; step *= 0.4)
	{
		const double middle[2] = {best[0], best[1]};
		double most = -1.0;
		for (int i = 0; i < 81; ++i)
		{
			const double waveX = middle[0] + (i % 9 - 4) * step;
			const double waveZ = middle[1] + (i / 9 - 4) * step;
			double sums[2] = {0};
			for (int r = -reach; r <= reach; r += stride)
			{
				for (int c = -reach; c <= reach; c += stride)
				{
					const double x = c * size / wake->length, z = r * size / wake->length;
					const double height = (double)surface[(row + r) * wake->columnCount + column + c];
					const double seen = height * exp(-2.0 * (x * x + z * z));
					sums[0] += seen * cos((waveX * x + waveZ * z) * wake->length);
					sums[1] += seen * sin((waveX * x + waveZ * z) * wake->length);
				}
			}
			const double power = sums[0] * sums[0] + sums[1] * sums[1];
			if (power > most)
			{
				most = power;
				best[0] = waveX;
				best[1] = waveZ;
			}
		}
	}
	result->cuspNormal = atan2(-best[1], best[0]) * 180.0 / TNC_PI;
	result->cuspLength = 2.0 * TNC_PI / hypot(best[0], best[1]);
}

// W02 (e): crests over those of theory. Those of the table are lines of one phase; a source of pressure has its transverse
// crests 1/8 of a wave behind the middle between two of them, and its divergent ones 1/8 before it.
static void tncDrawCrests(tncContext* context, const tncWake* wake, const float* surface)
{
	tncTable table;
	if (context->config.plots == NULL || !tncReadTable(context, "w02_kelvin_crest.csv", &table))
	{
		return;
	}
	tncPanel* panel = tncAddPanel(
		context, "behind the source (wavelengths)", "beside the track (wavelengths)", "crests at %g m/s", wake->speed);
	panel->xMin = 0.0;
	panel->xMax = TNC_LAST_STATION;
	panel->yMin = 0.0;
	panel->yMax = 0.4 * TNC_LAST_STATION;
	tncSeries* theory = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "theory");
	const int columns[3] = {tncFindColumn(&table, "theta_deg"), tncFindColumn(&table, "x"), tncFindColumn(&table, "y")};
	const double length = tncGetValue(&table, 0, columns[1]);
	for (int n = 0; n < (int)TNC_LAST_STATION; ++n)
	{
		for (int family = 0; family < 2; ++family)
		{
			for (int row = 0; row < table.rowCount; ++row)
			{
				const double theta = tncGetValue(&table, row, columns[0]);
				if ((theta > 35.2644) == (family == 1) && theta < 70.0)
				{
					const double scale = (n + (family == 0 ? 0.625 : 0.375)) / length;
					tncSeries_AddPoint(theory, scale * tncGetValue(&table, row, columns[1]),
						scale * tncGetValue(&table, row, columns[2]));
				}
			}
			tncSeries_AddPoint(theory, NAN, NAN);
		}
	}
	tncSeries* crests = tncPanel_AddSeries(panel, tnc_resultRole, tnc_dotMark, "highest along the track");
	const double cells = wake->length / wake->cellSize;
	for (int k = 0; k < (int)(0.4 * TNC_LAST_STATION * cells); k += (int)(cells / 8.0))
	{
		const float* row = surface + (size_t)(wake->endRow + k) * (size_t)wake->columnCount;
		for (int c = wake->endColumn + (int)cells; c < wake->endColumn + (int)(TNC_LAST_STATION * cells); ++c)
		{
			// A tenth of the pressure is no crest any more.
			if (row[c] > row[c - 1] && row[c] >= row[c + 1] && (double)row[c] > 0.1 * TNC_PRESSURE)
			{
				tncSeries_AddPoint(crests, (c - wake->endColumn) / cells, k / cells);
			}
		}
	}
	tncFreeTable(&table);
}

static tncWakeResult tncRunWake(tncContext* context, const tncWake* wake, bool drawCrests)
{
	tncWakeResult result = {0};
	result.angle = NAN;
	tnWorldDef def = tncMakeWaveDef(context, wake->columnCount, wake->rowCount, wake->cellSize, tncWakeLevels, 4);
	tncSetWaveEdges(&def, tn_absorbEdge);
	const double run = TNC_WAKE_RUN * wake->length;
	const int stepCount = (int)(run / wake->speed / TNC_WAVE_STEP + 0.5);
	def.waves.timeStep = (float)(run / wake->speed / stepCount);
	tncWaves waves;
	if (!tncOpenWaves(context, &def, wake->depth, &waves))
	{
		return result;
	}
	const double stride = run / stepCount;
	double x = (wake->endColumn + 0.5) * wake->cellSize + run;
	tncPress(&waves, wake, x, x, true);
	for (int step = 0; step < stepCount && waves.failed == false; ++step)
	{
		tncPress(&waves, wake, x, x - stride, false);
		x -= stride;
		tncStepWaves(&waves, 1);
	}
	tncSumBands(&waves, tnc_bandHeights, 0, waves.heights);
	tncMeasureAngle(wake, waves.heights, &result);
	tncMeasureAxis(wake, waves.heights, &result);
	if (drawCrests)
	{
		tncMeasureCusp(wake, waves.heights, &result);
		tncDrawCrests(context, wake, waves.heights);
	}
	tncCloseWaves(&waves);
	return result;
}

static void tncDrawMaxima(tncPanel* panel, const char* name, const tncWake* wake, const tncWakeResult* result)
{
	tncSeries* series = tncPanel_AddSeries(panel, tnc_resultRole, tnc_dotMark, name);
	for (int s = 0; s < tncStationCount; ++s)
	{
		tncSeries_AddPoint(series, result->stations[s] / wake->length, result->maxima[s] / wake->length);
	}
}

// Angle of the table for a series and two of its columns.
static double tncFindAngle(const tncTable* table, const char* column, double value, const char* angle, double speed)
{
	const int values = tncFindColumn(table, column);
	const int speeds = tncFindColumn(table, "U");
	const int angles = tncFindColumn(table, angle);
	for (int row = 0; row < table->rowCount; ++row)
	{
		if (fabs(tncGetValue(table, row, values) - value) < 1.0e-6 && tncGetValue(table, row, speeds) == speed)
		{
			return tncGetValue(table, row, angles);
		}
	}
	return NAN;
}

void tncRunWakeSpeeds(tncContext* context)
{
	tncTable table;
	if (!tncReadTable(context, "w02_kelvin.csv", &table))
	{
		return;
	}
	// From 20 cells per wave on.
	const double speeds[3] = {2.0, 3.0, 4.0};
	const double cellSizes[3] = {0.125, 0.25, 0.25};
	tncPanel* panel = tncAddPanel(
		context, "behind the source (wavelengths)", "beside the track (wavelengths)", "highest waves, Froude 1.2");
	double low = INFINITY, high = -INFINITY;
	for (int i = 0; i < 3; ++i)
	{
		const tncWake wake = tncMakeWake(speeds[i], 1.2, TNC_DEEP, cellSizes[i]);
		const bool drawCrests = speeds[i] == 3.0;
		const tncWakeResult result = tncRunWake(context, &wake, drawCrests);
		const double exact = tncFindAngle(&table, "Fr_b", 1.2, "angle_fit", speeds[i]);
		if (i == 0)
		{
			tncSeries* line = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_lineMark, "slope of theory");
			tncSeries_AddPoint(line, 0.0, 0.0);
			tncSeries_AddPoint(line, 10.0, 10.0 * tan(exact * TNC_PI / 180.0));
		}
		char label[32];
		snprintf(label, sizeof(label), "%g m/s", speeds[i]);
		tncDrawMaxima(panel, label, &wake, &result);
		tncTell(context, result.angle, "%g m/s on %.3g cells per wave: angle (degrees)", speeds[i],
			wake.length / wake.cellSize);
		const double error = fabs(result.angle - exact);
		tncJudge(context, true, error, 1.0, 0.6, "%g m/s: angle: error (degrees)", speeds[i]);
		const double wavelength = fabs(result.wavelength / wake.length - 1.0);
		tncJudge(context, true, wavelength, 0.05, 0.01, "%g m/s: transverse wavelength: error", speeds[i]);
		if (drawCrests)
		{
			// For infinitely far waves 35.26 and 2/3. Theory by this procedure: 33.03 and 0.702.
			tncTell(context, result.cuspNormal, "%g m/s: normal at the cusp (degrees, 33.03)", speeds[i]);
			tncTell(context, result.cuspLength / wake.length, "%g m/s: wavelength at the cusp (0.702)", speeds[i]);
		}
		low = result.angle < low ? result.angle : low;
		high = result.angle > high ? result.angle : high;
	}
	tncJudge(context, true, high - low, 1.0, 0.3, "spread over speeds (degrees)");
	tncFreeTable(&table);
}

void tncRunWakeShapes(tncContext* context)
{
	if (context->method->grade == tnc_gatesGrade)
	{
		// Minutes, for a kernel that has no Kelvin wake.
		tncTell(context, 0.0, "not run with this kernel");
		return;
	}
	tncTable table;
	if (!tncReadTable(context, "w02_kelvin.csv", &table))
	{
		return;
	}
	const double speed = 3.0;
	tncPanel* panel = tncAddPanel(context, "Froude number of the width", "angle (degrees)", "small sources");
	tncSeries* theory = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_dotMark, "theory");
	tncSeries* measured = tncPanel_AddSeries(panel, tnc_resultRole, tnc_dotMark, "measured");
	const double froudes[7] = {0.9, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0};
	for (int i = 0; i < 7; ++i)
	{
		if (context->config.ends && froudes[i] != 0.9 && froudes[i] != 2.5)
		{
			continue;
		}
		// The cells of the table, 48 to a wave, or half of them for sources narrower than a cell. Which of two arms is the
		// higher one hangs on that: with 46 cells theory itself has 16.6 degrees at Froude 2 instead of 15.6.
		const double cellSize = tncGetWakeLength(speed) / (froudes[i] > 2.5 ? 96.0 : 48.0);
		const tncWake wake = tncMakeWake(speed, froudes[i], TNC_DEEP, cellSize);
		const tncWakeResult result = tncRunWake(context, &wake, false);
		const double angle = result.angle;
		const double exact = tncFindAngle(&table, "Fr_b", froudes[i], "angle_fit", speed);
		const double exactFromSource = tncFindAngle(&table, "Fr_b", froudes[i], "angle_origin", speed);
		tncSeries_AddPoint(theory, froudes[i], exact);
		tncSeries_AddPoint(measured, froudes[i], angle);
		tncTell(context, angle, "width Froude %g: angle (degrees)", froudes[i]);
		tncJudge(context, true, fabs(angle - exact), 2.5, 1.0, "width Froude %g: angle: error (degrees)", froudes[i]);
		tncJudge(context, true, fabs(result.angleFromSource - exactFromSource), 2.5, 1.0,
			"width Froude %g: angle from the source: error (degrees)", froudes[i]);
	}

	panel = tncAddPanel(context, "Froude number of the depth", "angle (degrees)", "finite depth");
	theory = tncPanel_AddSeries(panel, tnc_referenceRole, tnc_dotMark, "theory");
	measured = tncPanel_AddSeries(panel, tnc_resultRole, tnc_dotMark, "measured");
	const double depthFroudes[3] = {0.5, 0.7, 0.8};
	for (int i = 0; i < 3; ++i)
	{
		const double depth = speed * speed / (TNC_GRAVITY * depthFroudes[i] * depthFroudes[i]);
		const tncWake wake = tncMakeWake(speed, 1.2, depth, 0.25);
		const double angle = tncRunWake(context, &wake, false).angle;
		const double exact = tncFindAngle(&table, "Fr_h", depthFroudes[i], "angle_fit", speed);
		tncSeries_AddPoint(theory, depthFroudes[i], exact);
		tncSeries_AddPoint(measured, depthFroudes[i], angle);
		tncTell(context, angle, "depth Froude %g: angle (degrees)", depthFroudes[i]);
		tncJudge(
			context, true, fabs(angle - exact), 2.0, 0.6, "depth Froude %g: angle: error (degrees)", depthFroudes[i]);
	}
	tncFreeTable(&table);
}

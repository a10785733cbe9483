// SPDX-License-Identifier: MIT

// Ranges and ticks of axes.

#include "plots/plot_draw.h"

#include <math.h>

// Share of a range that is left free at both of its ends.
#define TNC_AXIS_MARGIN 0.05

// Results may reach over the range of everything else by as many times that range: water that flies off the picture
// must not flatten the reference into a line.
#define TNC_AXIS_REACH 1.5

// Smallest extent of an axis over its largest value: what differs by less is the same to the eye, and its numbers would
// be too long to write.
#define TNC_AXIS_LEAST 0.01

// Ticks up the side of a panel.
#define TNC_SIDE_TICKS 5

typedef struct tncSpan
{
	double low, high;
} tncSpan;

static void tncWiden(tncSpan* span, double value, bool isLog)
{
	if (isfinite(value) && (isLog == false || value > 0.0))
	{
		span->low = fmin(span->low, value);
		span->high = fmax(span->high, value);
	}
}

static bool tncIsResult(const tncSeries* series)
{
	return series->role == tnc_resultRole || series->role == tnc_variantRole || series->role == tnc_ownRole;
}

// Points of one coordinate (0 is x, 1 is y) of the results, or of everything else.
static tncSpan tncMeasureSpan(const tncPanel* panel, int coordinate, bool ofResults)
{
	tncSpan span = {INFINITY, -INFINITY};
	bool isLog = coordinate == 0 ? panel->logX : panel->logY;
	bool isBounded = panel->xMin < panel->xMax;
	for (const tncSeries* series = panel->series; series != NULL; series = series->next)
	{
		if (tncIsResult(series) != ofResults || (coordinate == 0 && series->mark == tnc_levelMark))
		{
			continue;
		}
		for (int i = 0; i < series->count; ++i)
		{
			double x = series->points[2 * i];
			bool isSeen = isBounded == false || series->mark == tnc_levelMark || (x >= panel->xMin && x <= panel->xMax);
			// A gap in a line has no place.
			if (isSeen && isfinite(series->points[2 * i + 1]))
			{
				tncWiden(&span, series->points[2 * i + coordinate], isLog);
			}
		}
	}
	return span;
}

static tncSpan tncJoinSpans(tncSpan fixed, tncSpan results, bool isLog)
{
	if (fixed.low > fixed.high)
	{
		return results;
	}
	double reach = TNC_AXIS_REACH * (fixed.high - fixed.low);
	if (results.low <= results.high && reach > 0.0 && isLog == false)
	{
		results.low = fmax(results.low, fixed.low - reach);
		results.high = fmin(results.high, fixed.high + reach);
	}
	return (tncSpan){fmin(fixed.low, results.low), fmax(fixed.high, results.high)};
}

// The distance of ticks is 1, 2 or 5 times a power of ten.
static void tncAddTicks(tncAxis* axis, int hint)
{
	double rough = (axis->high - axis->low) / hint;
	double power = pow(10.0, floor(log10(rough)));
	double factor = rough / power;
	double step = power * (factor <= 1.0 ? 1.0 : (factor <= 2.0 ? 2.0 : (factor <= 5.0 ? 5.0 : 10.0)));
	double first = ceil(axis->low / step - 1.0e-9);
	for (int i = 0; i < 32 && (first + i) * step <= axis->high + 1.0e-9 * step; ++i)
	{
		axis->ticks[i] = (first + i) * step;
		axis->tickCount = i + 1;
	}
}

static void tncAddLogTicks(tncAxis* axis)
{
	const double factors[] = {1.0, 2.0, 5.0};
	double decades = log10(axis->high / axis->low);
	int stride = decades > 8.0 ? (int)ceil(decades / 6.0) : 1;
	int factorCount = decades <= 3.0 ? 3 : 1;
	for (int power = (int)floor(log10(axis->low)); power <= (int)ceil(log10(axis->high)); ++power)
	{
		for (int i = 0; i < factorCount; ++i)
		{
			double value = factors[i] * pow(10.0, power);
			bool inside = value >= axis->low * 0.999999 && value <= axis->high * 1.000001;
			if (inside && power % stride == 0 && axis->tickCount < 32)
			{
				axis->ticks[axis->tickCount] = value;
				axis->tickCount += 1;
			}
		}
	}
}

static tncAxis tncMakeAxis(tncSpan span, bool isLog, bool isTight, int tickHint)
{
	tncAxis axis = {0};
	axis.isLog = isLog;
	if (span.low > span.high)
	{
		span = isLog ? (tncSpan){1.0, 10.0} : (tncSpan){0.0, 1.0};
	}
	if (isLog && span.low <= 0.0)
	{
		// A range that was not made for a logarithm: the upper end of it.
		span.high = span.high > 0.0 ? span.high : 1.0;
		span.low = 1.0e-3 * span.high;
	}
	if (isLog)
	{
		axis.low = span.low / (isTight ? 1.0 : 1.25);
		axis.high = span.high * (isTight ? 1.0 : 1.25);
		if (axis.high < 1.01 * axis.low)
		{
			axis.low *= 0.5;
			axis.high *= 2.0;
		}
		tncAddLogTicks(&axis);
		return axis;
	}

	double least = TNC_AXIS_LEAST * fmax(fabs(span.low), fabs(span.high));
	least = least > 0.0 ? least : 1.0;
	if (span.high - span.low < least)
	{
		double middle = 0.5 * (span.low + span.high);
		span.low = middle - 0.5 * least;
		span.high = middle + 0.5 * least;
	}
	double extent = span.high - span.low;
	axis.low = span.low - (isTight ? 0.0 : TNC_AXIS_MARGIN * extent);
	axis.high = span.high + (isTight ? 0.0 : TNC_AXIS_MARGIN * extent);
	tncAddTicks(&axis, tickHint);
	return axis;
}

double tncAxis_Place(const tncAxis* axis, double value)
{
	if (axis->isLog)
	{
		return value > 0.0 ? log(value / axis->low) / log(axis->high / axis->low) : -1.0;
	}
	return (value - axis->low) / (axis->high - axis->low);
}

// Bars stand on zero.
static bool tncHasBars(const tncPanel* panel)
{
	for (const tncSeries* series = panel->series; series != NULL; series = series->next)
	{
		if (series->mark == tnc_barMark)
		{
			return true;
		}
	}
	return false;
}

void tncMakeAxes(const tncPanel* panel, int tickHint, tncAxis* x, tncAxis* y)
{
	tncSpan spans[2];
	for (int i = 0; i < 2; ++i)
	{
		bool isLog = i == 0 ? panel->logX : panel->logY;
		tncSpan fixed = tncMeasureSpan(panel, i, false);
		if (i == 1 && tncHasBars(panel))
		{
			tncWiden(&fixed, 0.0, isLog);
		}
		spans[i] = tncJoinSpans(fixed, tncMeasureSpan(panel, i, true), isLog);
	}
	bool isTight = false;
	bool isTightY = panel->yMin < panel->yMax;
	if (isTightY)
	{
		spans[1] = (tncSpan){panel->yMin, panel->yMax};
	}
	if (panel->xMin < panel->xMax)
	{
		spans[0] = (tncSpan){panel->xMin, panel->xMax};
		isTight = true;
	}
	if (panel->categoryCount > 0)
	{
		spans[0] = (tncSpan){-0.5, panel->categoryCount - 0.5};
		isTight = true;
	}
	if (panel->isComparison)
	{
		spans[0] = (tncSpan){fmin(spans[0].low, spans[1].low), fmax(spans[0].high, spans[1].high)};
		spans[1] = spans[0];
	}
	*x = tncMakeAxis(spans[0], panel->logX, isTight, tickHint);
	*y = tncMakeAxis(spans[1], panel->logY, isTightY, TNC_SIDE_TICKS);
	if (panel->categoryCount > 0)
	{
		x->tickCount = 0;
		for (int i = 0; i < panel->categoryCount; ++i)
		{
			x->ticks[i] = i;
			x->tickCount += 1;
		}
	}
}

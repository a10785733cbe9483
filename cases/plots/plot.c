// SPDX-License-Identifier: MIT

// Recording of pictures: lists of plots, panels and series, each allocated on its own so that pointers stay.

#include "plots/plot.h"

#include <stdio.h>
#include <stdlib.h>

void tncDestroyPlots(tncPlots* plots)
{
	while (plots->plots != NULL)
	{
		tncPlot* plot = plots->plots;
		plots->plots = plot->next;
		while (plot->panels != NULL)
		{
			tncPanel* panel = plot->panels;
			plot->panels = panel->next;
			while (panel->series != NULL)
			{
				tncSeries* series = panel->series;
				panel->series = series->next;
				free(series->points);
				free(series);
			}
			free(panel);
		}
		free(plot);
	}
	*plots = (tncPlots){0};
}

void tncMovePlots(tncPlots* target, tncPlots* source, int rowOffset)
{
	for (tncPlot* plot = source->plots; plot != NULL; plot = plot->next)
	{
		plot->rowBegin += rowOffset;
		plot->rowEnd += rowOffset;
		plot->owner = target;
	}
	if (source->plots != NULL)
	{
		*(target->plots != NULL ? &target->lastPlot->next : &target->plots) = source->plots;
		target->lastPlot = source->lastPlot;
	}
	target->incomplete = target->incomplete || source->incomplete;
	*source = (tncPlots){0};
}

tncPlot* tncAddPlot(tncPlots* plots, const tncCase* testCase, const tncMethod* method)
{
	if (plots == NULL)
	{
		return NULL;
	}
	tncPlot* plot = calloc(1, sizeof(tncPlot));
	if (plot == NULL)
	{
		plots->incomplete = true;
		return NULL;
	}
	plot->owner = plots;
	plot->testCase = testCase;
	plot->method = method;
	plot->columnCount = 2;
	*(plots->plots != NULL ? &plots->lastPlot->next : &plots->plots) = plot;
	plots->lastPlot = plot;
	return plot;
}

tncPanel* tncPlot_AddPanel(tncPlot* plot, const char* title, const char* xLabel, const char* yLabel)
{
	if (plot == NULL)
	{
		return NULL;
	}
	tncPanel* panel = calloc(1, sizeof(tncPanel));
	if (panel == NULL)
	{
		plot->owner->incomplete = true;
		return NULL;
	}
	panel->plot = plot;
	snprintf(panel->title, sizeof(panel->title), "%s", title);
	snprintf(panel->xLabel, sizeof(panel->xLabel), "%s", xLabel);
	snprintf(panel->yLabel, sizeof(panel->yLabel), "%s", yLabel);
	*(plot->panels != NULL ? &plot->lastPanel->next : &plot->panels) = panel;
	plot->lastPanel = panel;
	return panel;
}

tncSeries* tncPanel_AddSeries(tncPanel* panel, tncRole role, tncMark mark, const char* name)
{
	if (panel == NULL)
	{
		return NULL;
	}
	tncSeries* series = calloc(1, sizeof(tncSeries));
	if (series == NULL)
	{
		panel->plot->owner->incomplete = true;
		return NULL;
	}
	series->panel = panel;
	series->role = role;
	series->color = panel->plot->method != NULL ? panel->plot->method->color : "#000000";
	series->mark = mark;
	snprintf(series->name, sizeof(series->name), "%s", name);
	*(panel->series != NULL ? &panel->lastSeries->next : &panel->series) = series;
	panel->lastSeries = series;
	return series;
}

void tncSeries_AddPoint(tncSeries* series, double x, double y)
{
	if (series == NULL)
	{
		return;
	}
	if (series->count == series->capacity)
	{
		int capacity = series->capacity > 0 ? 2 * series->capacity : 64;
		double* points = realloc(series->points, 2 * (size_t)capacity * sizeof(double));
		if (points == NULL)
		{
			series->panel->plot->owner->incomplete = true;
			return;
		}
		series->points = points;
		series->capacity = capacity;
	}
	series->points[2 * series->count] = x;
	series->points[2 * series->count + 1] = y;
	series->count += 1;
}

void tncPanel_AddCategory(tncPanel* panel, const char* name)
{
	if (panel != NULL && panel->categoryCount < TNC_MAX_CATEGORIES)
	{
		snprintf(panel->categories[panel->categoryCount], sizeof(panel->categories[0]), "%s", name);
		panel->categoryCount += 1;
	}
}

// Several limits of one kind are one series, so that they have one place in the legend.
static tncSeries* tncGetLevels(tncPanel* panel, tncRole role, const char* name)
{
	for (tncSeries* series = panel->series; series != NULL; series = series->next)
	{
		if (series->role == role && series->mark == tnc_levelMark)
		{
			return series;
		}
	}
	return tncPanel_AddSeries(panel, role, tnc_levelMark, name);
}

void tncPanel_AddLimits(tncPanel* panel, double realistic, double ambitious)
{
	if (panel != NULL)
	{
		tncSeries_AddPoint(tncGetLevels(panel, tnc_realisticRole, "realistic limit"), 0.0, realistic);
		tncSeries_AddPoint(tncGetLevels(panel, tnc_ambitiousRole, "ambitious limit"), 0.0, ambitious);
	}
}

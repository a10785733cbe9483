// SPDX-License-Identifier: MIT

#pragma once

#include "cases.h"

/// @file Pictures of the cases. A case that runs with a sink in its config records curves and points into it; they are
/// drawn later as SVG text. Without a sink nothing is recorded. Numbers in the texts look the same on every machine and
/// in every locale.

/// What a series stands for: decides how it is drawn.
typedef enum tncRole
{
	/// The bed: filled down to the bottom of the panel.
	tnc_groundRole = 0,
	/// What the table or the exact solution says.
	tnc_referenceRole,
	/// What the water did.
	tnc_resultRole,
	/// What it did in another setting.
	tnc_variantRole,
	/// What the equations of this one method would give. Left out where several methods share a panel.
	tnc_ownRole,
	/// Realistic and ambitious limits.
	tnc_realisticRole,
	tnc_ambitiousRole,
	tnc_roleCount,
} tncRole;

typedef enum tncMark
{
	tnc_lineMark = 0,
	tnc_dotMark,
	tnc_barMark,
	/// Horizontal lines over the whole panel, one for each point.
	tnc_levelMark,
} tncMark;

typedef struct tncPlot tncPlot;
typedef struct tncPanel tncPanel;

/// Points of one curve. A point that is not finite breaks a line.
typedef struct tncSeries
{
	struct tncSeries* next;
	tncPanel* panel;
	tncRole role;
	tncMark mark;
	char name[48];
	/// Of its method, #rrggbb.
	const char* color;
	/// x and y in turns.
	double* points;
	int count, capacity;
} tncSeries;

#define TNC_MAX_CATEGORIES 16

/// One pair of axes.
struct tncPanel
{
	tncPanel* next;
	tncPlot* plot;
	char title[64];
	/// With units.
	char xLabel[48], yLabel[48];
	bool logX, logY;
	/// Both axes have one range, and the diagonal is drawn.
	bool isComparison;
	/// Ranges that are shown, if min < max. Otherwise all that is recorded is.
	double xMin, xMax, yMin, yMax;
	/// Names of x = 0, 1, 2 ... instead of numbers.
	char categories[TNC_MAX_CATEGORIES][20];
	int categoryCount;
	tncSeries* series;
	tncSeries* lastSeries;
};

/// The picture of one case with one method.
struct tncPlot
{
	tncPlot* next;
	tncPlots* owner;
	const tncCase* testCase;
	const tncMethod* method;
	/// Panels side by side.
	int columnCount;
	/// Its rows in the report, [rowBegin, rowEnd).
	int rowBegin, rowEnd;
	tncPanel* panels;
	tncPanel* lastPanel;
};

/// A sink of pictures. Start from zero, free with tncDestroyPlots.
struct tncPlots
{
	tncPlot* plots;
	tncPlot* lastPlot;
	/// Set if memory ran out: something is missing.
	bool incomplete;
};

void tncDestroyPlots(tncPlots* plots);

/// Move the plots of one sink to the end of another, and their rows by as many as the report had before.
void tncMovePlots(tncPlots* target, tncPlots* source, int rowOffset);

// ---------------------------------------------------------------------------------------------------------------------
// For cases. Everything takes NULL for what is not recorded, and does nothing.

/// Begin the picture of a case. Called by tncRunCase.
tncPlot* tncAddPlot(tncPlots* plots, const tncCase* testCase, const tncMethod* method);

tncPanel* tncPlot_AddPanel(tncPlot* plot, const char* title, const char* xLabel, const char* yLabel);
tncSeries* tncPanel_AddSeries(tncPanel* panel, tncRole role, tncMark mark, const char* name);
void tncSeries_AddPoint(tncSeries* series, double x, double y);

/// Name the next whole number on the x axis.
void tncPanel_AddCategory(tncPanel* panel, const char* name);

/// Horizontal lines at the realistic and the ambitious limit.
void tncPanel_AddLimits(tncPanel* panel, double realistic, double ambitious);

// ---------------------------------------------------------------------------------------------------------------------
// Drawing. Texts are allocated: free them. NULL if memory ran out.

/// One case with one method, as an SVG file.
char* tncDrawPlot(const tncPlot* plot, const tncReport* report);

/// One case with all methods that were recorded: results of each in its own colour on one reference, and a table.
char* tncDrawOverview(const tncPlots* plots, const tncCase* testCase, const tncReport* report);

/// A page that shows all pictures and all rows, as an HTML file.
char* tncDrawIndex(const tncPlots* plots, const tncReport* report);

/// Write all of them into a folder that exists: F02_shallow.svg for a case and method, F02.svg for a case with all its
/// methods, and index.html. @param error receives what went wrong. @return false if something did
bool tncWritePlots(const tncPlots* plots, const tncReport* report, const char* folder, char* error, size_t size);

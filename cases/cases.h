// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/tarn.h"

/// @file The verification cases: each runs worlds through the public interface, measures them against a published
/// reference and appends rows to a report. `tarn check` prints the rows, the tests ask whether they pass.

/// What a method can be expected to reproduce.
typedef enum tncModel
{
	/// Pipes whose section is the depth of the upwind column.
	tnc_pipeModel = 0,
	/// Pipes whose section is the mean of the depths on both sides.
	tnc_meanPipeModel,
	/// Pipes with a fixed section: all waves have one speed.
	tnc_fixedPipeModel,
	/// Shallow water without self-advection, velocities on faces.
	tnc_linearModel,
	/// The full shallow water equations.
	tnc_shallowModel,
	/// The wave layer over still water: linear waves of any length and depth.
	tnc_waveModel,
	/// Worlds of voxels.
	tnc_voxelModel,
	tnc_modelCount,
} tncModel;

/// How strictly a method is held to the limits of accuracy. Property gates (finite, never negative, volume, symmetry,
/// rest, boundedness) are required of every method.
typedef enum tncGrade
{
	/// No limit of accuracy is required.
	tnc_gatesGrade = 0,
	/// Realistic limits are required, ambitious ones hoped for.
	tnc_realisticGrade,
	/// Both are required.
	tnc_ambitiousGrade,
} tncGrade;

/// A way to step the water, as a change of a world def.
typedef struct tncMethod
{
	/// For the command line and the CSV: "pipe", "pipe-mean", "pipe-fixed", "linear", "shallow", "shallow-fine", "waves",
	/// "waves-quick", "voxels" ...
	const char* name;
	const char* title;
	tncModel model;
	tncGrade grade;
	/// Cells that a wave may cross in a step by theory, c dt / dx in the plane.
	double courantLimit;
	/// In pictures: #rrggbb.
	const char* color;
	/// @param depth typical depth of the case, meters: the section of fixed pipes
	void (*applyFcn)(tnWorldDef* def, float depth);
} tncMethod;

typedef enum tncCost
{
	/// A few seconds at most with optimisation.
	tnc_shortCase = 0,
	/// Up to minutes.
	tnc_longCase,
} tncCost;

/// Why a number is in a row.
typedef enum tncRowKind
{
	/// A property that must hold whatever the method.
	tnc_gateRow = 0,
	/// A realistic or an ambitious limit of accuracy. An ambitious one follows its realistic one, if both are given.
	tnc_realisticRow,
	tnc_ambitiousRow,
	/// Only told.
	tnc_toldRow,
} tncRowKind;

/// One measured number and what it may be.
typedef struct tncRow
{
	char caseName[8];
	char method[16];
	/// What was measured, with its unit. Contains no comma and no quote.
	char measure[88];
	double value;
	/// Allowed range, both ends included. -INFINITY or INFINITY for an open end; both for a number that is only
	/// reported.
	double lower, upper;
	/// Informational: a limit that this method is not held to, or a number of a method whose equations differ from the
	/// reference's.
	bool informational;
	/// Value is a number inside [lower, upper].
	bool pass;
	tncRowKind kind;
} tncRow;

/// Rows in the order they were measured. Start from zero, free with tncDestroyReport.
typedef struct tncReport
{
	tncRow* rows;
	int count, capacity;
	/// Rows that are not informational and did not pass.
	int failCount;
	/// Set if memory ran out: rows are missing.
	bool incomplete;
} tncReport;

/// Pictures that cases draw: see plot.h.
typedef struct tncPlots tncPlots;

typedef struct tncConfig
{
	/// Folder of the reference tables.
	const char* referenceDir;
	/// Workers of the worlds.
	int workerCount;
	tnSimd simd;
	/// Receives the pictures. NULL for none.
	tncPlots* plots;
	/// For slow machines. P05: only the largest worker count and the scalar kernels beside the best ones. B17: fewer angles.
	bool brief;
	/// For tests: of what a long case varies only some, the ends among them; of what it repeats a quarter.
	bool ends;
} tncConfig;

/// What a case runs with.
typedef struct tncContext tncContext;

/// A case. Names are a letter and two digits, for parts of a case followed by a lower case letter.
typedef struct tncCase
{
	/// "F01", "F15b".
	const char* name;
	const char* title;
	tncCost cost;
	void (*runFcn)(tncContext* context);
	/// Models that it is not run with, bits 1 << tncModel. cases.c says why.
	uint32_t skippedModels;
} tncCase;

/// Tables from the folder in the environment variable TARN_REFERENCE_DIR, else from the source tree; one worker.
tncConfig tncDefaultConfig(void);

/// All cases in order, and all methods in order.
int tncGetCaseCount(void);
const tncCase* tncGetCase(int index);
int tncGetMethodCount(void);
const tncMethod* tncGetMethod(int index);

/// @return NULL if there is no such method
const tncMethod* tncFindMethod(const char* name);

/// Does a name given by a user mean this case? "F15" means F15a, F15b and F15c. Upper and lower case are the same.
bool tncMatchCase(const tncCase* testCase, const char* name);

/// Is a case about what a method does? Cases of the flow, of the wave layer and of voxels are about methods of
/// their own.
bool tncIsAbout(const tncCase* testCase, const tncMethod* method);

/// Run a case with a method and append its rows. What could not be run (a table missing, a world refused) is a failing
/// row. A case that skips the method gives one row that says so. @return true if every row that is not informational
/// passed
bool tncRunCase(const tncCase* testCase, const tncMethod* method, const tncConfig* config, tncReport* report);

void tncDestroyReport(tncReport* report);

/// Move all rows of one report to the end of another.
void tncMoveRows(tncReport* target, tncReport* source);

/// The limit of a row as text: "<=0.02", ">=0", "-0.001..0.06", "=0", "" if there is none.
void tncFormatLimit(const tncRow* row, char* text, size_t size);

/// "pass", "fail" or "info": an informational row never fails.
const char* tncGetVerdict(const tncRow* row);

/// The first and the other lines of `tarn check --csv`, without line ends.
#define TNC_CSV_HEADER "case,method,measure,value,limit,pass"
void tncFormatCsv(const tncRow* row, char* text, size_t size);

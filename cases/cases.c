// SPDX-License-Identifier: MIT

// The tables of all methods and verification cases, how a case is run, and how its rows are judged.

#include "cases.h"

#include "kits/case_kit.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tncApplyPipe(tnWorldDef* def, float depth)
{
	(void)depth;
	def->method = tn_pipeMethod;
	def->section = tn_depthSection;
}

static void tncApplyMeanPipe(tnWorldDef* def, float depth)
{
	(void)depth;
	def->method = tn_pipeMethod;
	def->section = tn_meanSection;
}

static void tncApplyFixedPipe(tnWorldDef* def, float depth)
{
	def->method = tn_pipeMethod;
	def->section = tn_fixedSection;
	def->fixedSection = depth;
}

static void tncApplyLinear(tnWorldDef* def, float depth)
{
	(void)depth;
	def->method = tn_linearMethod;
}

static void tncApplyShallow(tnWorldDef* def, float depth)
{
	(void)depth;
	def->method = tn_shallowMethod;
	def->advection = tn_conservativeAdvection;
}

static void tncApplyShallowFine(tnWorldDef* def, float depth)
{
	(void)depth;
	def->method = tn_shallowMethod;
	def->advection = tn_fineAdvection;
}

static void tncApplyShallowSemiLagrangian(tnWorldDef* def, float depth)
{
	(void)depth;
	def->method = tn_shallowMethod;
	def->advection = tn_semiLagrangianAdvection;
}

static void tncApplyShallowMacCormack(tnWorldDef* def, float depth)
{
	(void)depth;
	def->method = tn_shallowMethod;
	def->advection = tn_macCormackAdvection;
}

static void tncApplyWaves(tnWorldDef* def, float depth)
{
	(void)depth;
	def->waves.enable = true;
	def->waves.kernel = tn_fineWaves;
}

static void tncApplyQuickWaves(tnWorldDef* def, float depth)
{
	tncApplyWaves(def, depth);
	def->waves.kernel = tn_quickWaves;
}

static void tncApplyGaussianWaves(tnWorldDef* def, float depth)
{
	tncApplyWaves(def, depth);
	def->waves.kernel = tn_gaussianWaves;
}

// Voxels have worlds of their own.
static void tncApplyVoxels(tnWorldDef* def, float depth)
{
	(void)def;
	(void)depth;
}

// c dt / dx of waves in the plane on a staggered grid: 1 / sqrt(2). Second-order schemes with two stages: 1/2.
#define TNC_STAGGERED_COURANT 0.70710678118654752
#define TNC_TWO_STAGE_COURANT 0.5

// Colours that eyes of all kinds can tell apart.
static const tncMethod s_methods[] = {
	{"pipe", "virtual pipes, section of the upwind depth", tnc_pipeModel, tnc_realisticGrade, TNC_STAGGERED_COURANT,
		"#0072b2", tncApplyPipe},
	{"pipe-mean", "virtual pipes, section of the mean depth", tnc_meanPipeModel, tnc_realisticGrade,
		TNC_STAGGERED_COURANT, "#56b4e9", tncApplyMeanPipe},
	{"pipe-fixed", "virtual pipes with a fixed section", tnc_fixedPipeModel, tnc_realisticGrade, TNC_STAGGERED_COURANT,
		"#cc79a7", tncApplyFixedPipe},
	{"linear", "shallow water without self-advection", tnc_linearModel, tnc_realisticGrade, TNC_STAGGERED_COURANT,
		"#e69f00", tncApplyLinear},
	{"shallow", "full shallow water, conservative advection", tnc_shallowModel, tnc_realisticGrade,
		TNC_STAGGERED_COURANT, "#d55e00", tncApplyShallow},
	{"shallow-fine", "full shallow water, second order", tnc_shallowModel, tnc_ambitiousGrade, TNC_TWO_STAGE_COURANT,
		"#009e73", tncApplyShallowFine},
	{"shallow-sl", "full shallow water, semi-Lagrangian advection", tnc_shallowModel, tnc_gatesGrade,
		TNC_STAGGERED_COURANT, "#7b4fc9", tncApplyShallowSemiLagrangian},
	{"shallow-mc", "full shallow water, MacCormack advection", tnc_shallowModel, tnc_gatesGrade, TNC_STAGGERED_COURANT,
		"#7a5c1e", tncApplyShallowMacCormack},
	{"waves", "wave layer, 49 taps", tnc_waveModel, tnc_ambitiousGrade, 0.0, "#009e73", tncApplyWaves},
	{"waves-quick", "wave layer, 25 taps", tnc_waveModel, tnc_realisticGrade, 0.0, "#0072b2", tncApplyQuickWaves},
	{"waves-gauss", "wave layer, Gaussian kernels", tnc_waveModel, tnc_gatesGrade, 0.0, "#d55e00",
		tncApplyGaussianWaves},
	{"voxels", "water of whole units in voxels", tnc_voxelModel, tnc_ambitiousGrade, 0.0, "#0072b2", tncApplyVoxels},
};

// Between the two sections that follow the depth only the path through a steep front differs. Where there is none, or
// where the case looks only for gates that others look for too, one of them is enough.
#define TNC_SKIP_MEAN (1u << tnc_meanPipeModel)

// Driven by a section that is not the depth, neither friction on a slope nor the head over a weir means anything.
#define TNC_SKIP_FIXED (1u << tnc_fixedPipeModel)

// Bodies: the section of pipes that the depth gives is one way or the other the same to them, and a fixed one knows
// nothing of the gap that a body leaves.
#define TNC_SKIP_BODIES (TNC_SKIP_MEAN | TNC_SKIP_FIXED)

// Of waves: what the kernel has no say in is looked at with one of them.
#define TNC_WAVES (~(1u << tnc_waveModel))
#define TNC_VOXELS (~(1u << tnc_voxelModel))

static const tncCase s_cases[] = {
	{"F01", "lake at rest on rough ground with islands", tnc_shortCase, tncRunLakeAtRest, 0},
	{"F02", "dam break on a dry bed (Ritter)", tnc_shortCase, tncRunRitter, 0},
	{"F03", "dam breaks on a wet bed (Stoker)", tnc_shortCase, tncRunStoker, 0},
	{"F04", "partial breach of a dam", tnc_shortCase, tncRunPartialDam, TNC_SKIP_MEAN},
	{"F05", "oscillations in a parabolic bowl (Thacker)", tnc_shortCase, tncRunThacker, TNC_SKIP_MEAN},
	{"F06", "small standing waves", tnc_shortCase, tncRunStandingWaves, 0},
	{"F07", "steady channels with friction (MacDonald)", tnc_shortCase, tncRunSteadyChannels, TNC_SKIP_FIXED},
	{"F08", "steady flow over a bump", tnc_shortCase, tncRunBump, TNC_SKIP_MEAN},
	{"F09", "circular dam break", tnc_shortCase, tncRunRadialDam, 0},
	{"F10", "dam break at angles to the grid", tnc_shortCase, tncRunOrientation, TNC_SKIP_MEAN},
	{"F11", "volume over 100 000 steps of wetting and drying", tnc_longCase, tncRunMass, 0},
	{"F12", "time step limit and hostile runs", tnc_shortCase, tncRunStability, 0},
	{"F13", "tracers", tnc_shortCase, tncRunTracers, TNC_SKIP_MEAN},
	{"F14", "valley flood after the failure of a dam", tnc_shortCase, tncRunValley, 0},
	{"F15a", "filled basins stay", tnc_shortCase, tncRunFilledBasins, 0},
	{"F15b", "rain fills basins to their spill levels", tnc_longCase, tncRunRainOnBasins, TNC_SKIP_MEAN},
	{"F15c", "poured basins find their level", tnc_longCase, tncRunPartlyFilledBasins, TNC_SKIP_MEAN},
	{"F16", "a pond left behind a crest", tnc_longCase, tncRunDisconnected, TNC_SKIP_MEAN},
	{"F17", "waves on a beach (Carrier-Greenspan)", tnc_shortCase, tncRunBeach, 0},
	{"F18", "weir overflow", tnc_shortCase, tncRunWeir, TNC_SKIP_FIXED},
	{"B01", "how deep bodies float (Archimedes)", tnc_longCase, tncRunDraft, TNC_SKIP_BODIES},
	{"B02a", "heave on still water", tnc_shortCase, tncRunHeave, TNC_SKIP_BODIES},
	{"B02b", "heave in a channel", tnc_shortCase, tncRunHeaveChannel, TNC_SKIP_BODIES},
	{"B03", "righting arms, roll and capsizing", tnc_longCase, tncRunRoll, TNC_SKIP_BODIES},
	{"B04", "drift with the current", tnc_shortCase, tncRunDrift, TNC_SKIP_BODIES},
	{"B05", "momentum and energy of body and water", tnc_shortCase, tncRunMomentum, TNC_SKIP_BODIES},
	{"B06", "a dam of boxes", tnc_shortCase, tncRunBoxDam, TNC_SKIP_BODIES},
	{"B07", "displaced volume", tnc_shortCase, tncRunDisplacement, TNC_SKIP_BODIES},
	{"B08", "removal", tnc_shortCase, tncRunRemoval, TNC_SKIP_BODIES},
	{"B09", "bodies at rest anywhere on the grid", tnc_shortCase, tncRunBodyRest, TNC_SKIP_BODIES},
	{"B10", "many bodies", tnc_longCase, tncRunCrowd, TNC_SKIP_BODIES},
	{"B11", "forces of a body dragged across the grid", tnc_shortCase, tncRunRipple, TNC_SKIP_BODIES},
	{"B12", "bodies narrower than a cell block their share", tnc_shortCase, tncRunSlots, TNC_SKIP_BODIES},
	{"B13", "ten minutes afloat", tnc_longCase, tncRunTenMinutes, TNC_SKIP_BODIES},
	{"B19", "two levels in one column", tnc_shortCase, tncRunDecks, TNC_SKIP_BODIES},
	{"B18", "hollow bodies", tnc_shortCase, tncRunHollow, TNC_SKIP_BODIES},
	{"B14", "walls, sheets and rows of crates dam", tnc_shortCase, tncRunThinWalls, TNC_SKIP_BODIES},
	{"B15", "boxes that touch along an edge dam", tnc_shortCase, tncRunKinkedWalls, TNC_SKIP_BODIES},
	{"B16", "gaps between bodies", tnc_shortCase, tncRunGaps, TNC_SKIP_BODIES},
	{"B17", "a wall that is pushed", tnc_shortCase, tncRunPiston, TNC_SKIP_BODIES},
	{"B20", "bodies turned against the grid", tnc_longCase, tncRunTurnedBodies, TNC_SKIP_BODIES},
	{"W01", "phase speed of waves", tnc_longCase, tncRunPhaseSpeed, TNC_WAVES},
	{"W02a", "wakes at several speeds (Kelvin)", tnc_longCase, tncRunWakeSpeeds, TNC_WAVES},
	{"W02b", "wakes of small sources and in shallow water", tnc_longCase, tncRunWakeShapes, TNC_WAVES},
	{"W03", "rings of a hump", tnc_shortCase, tncRunRingWaves, TNC_WAVES},
	{"W04", "a packet of waves", tnc_shortCase, tncRunGroupVelocity, TNC_WAVES},
	{"W05", "what waves lose", tnc_longCase, tncRunWaveLosses, TNC_WAVES},
	{"W06", "seams between levels", tnc_shortCase, tncRunSeams, TNC_WAVES},
	{"W07", "bands add up", tnc_shortCase, tncRunPartition, TNC_WAVES},
	{"W08", "stamps have no volume", tnc_shortCase, tncRunZeroSum, TNC_WAVES},
	{"W09", "waves over a rising bed", tnc_longCase, tncRunShoals, TNC_WAVES},
	{"W10", "walls and edges", tnc_longCase, tncRunWaveEdges, TNC_WAVES},
	{"W11", "swell and seas from outside", tnc_longCase, tncRunSeas, TNC_WAVES},
	{"W12", "what a raft feels, whoever looks", tnc_longCase, tncRunLooks, TNC_WAVES},
	{"W13", "the wake of a motor boat", tnc_longCase, tncRunHullWakes, TNC_WAVES},
	{"W14", "a sphere that heaves, and a push", tnc_longCase, tncRunHeavingHulls, TNC_WAVES},
	{"W15", "resistance of a slender hull (Michell)", tnc_longCase, tncRunHullResistance, TNC_WAVES},
	{"W16", "wind over a fetch", tnc_longCase, tncRunWind, TNC_WAVES},
	{"V01", "communicating vessels", tnc_shortCase, tncRunVessels, TNC_VOXELS},
	{"V02", "no stairs", tnc_shortCase, tncRunNoStairs, TNC_VOXELS},
	{"V03", "exact mass", tnc_longCase, tncRunVoxelMass, TNC_VOXELS},
	{"V04", "settling", tnc_shortCase, tncRunSettling, TNC_VOXELS},
	{"V05", "digging and building in water", tnc_shortCase, tncRunTerraforming, TNC_VOXELS},
	{"V06", "an endless sea in a cave", tnc_shortCase, tncRunSea, TNC_VOXELS},
	{"V07", "liquids sort by density", tnc_shortCase, tncRunLayering, TNC_VOXELS},
	{"V08", "viscous liquids spread more slowly", tnc_shortCase, tncRunViscosity, TNC_VOXELS},
	{"V09", "the same for all workers and turns", tnc_longCase, tncRunVoxelBits, TNC_VOXELS},
	{"V10", "poured caves", tnc_longCase, tncRunCaves, TNC_VOXELS},
	{"V11", "throughput of a hole", tnc_shortCase, tncRunHoles, TNC_VOXELS},
	{"P01", "reflection of the absorbing edge", tnc_shortCase, tncRunAbsorbingEdge, 0},
	{"P02", "mirrored and rotated scenes", tnc_shortCase, tncRunTurnedScenes, 0},
	{"P03", "the ledger closes", tnc_shortCase, tncRunLedger, 0},
	{"P04", "sleep changes no bit", tnc_shortCase, tncRunSleep, 0},
	{"P05", "the same bits for all workers and instructions", tnc_shortCase, tncRunSameBits, 0},
};

tncConfig tncDefaultConfig(void)
{
	tncConfig config = {0};
	config.referenceDir = getenv("TARN_REFERENCE_DIR");
	if (config.referenceDir == NULL || config.referenceDir[0] == 0)
	{
		config.referenceDir = TARN_REFERENCE_DIR;
	}
	config.workerCount = 1;
	config.simd = tn_simdAuto;
	return config;
}

int tncGetCaseCount(void)
{
	return (int)(sizeof(s_cases) / sizeof(s_cases[0]));
}

const tncCase* tncGetCase(int index)
{
	return index >= 0 && index < tncGetCaseCount() ? s_cases + index : NULL;
}

int tncGetMethodCount(void)
{
	return (int)(sizeof(s_methods) / sizeof(s_methods[0]));
}

const tncMethod* tncGetMethod(int index)
{
	return index >= 0 && index < tncGetMethodCount() ? s_methods + index : NULL;
}

const tncMethod* tncFindMethod(const char* name)
{
	for (int i = 0; i < tncGetMethodCount(); ++i)
	{
		if (strcmp(s_methods[i].name, name) == 0)
		{
			return s_methods + i;
		}
	}
	return NULL;
}

bool tncMatchCase(const tncCase* testCase, const char* name)
{
	const char* own = testCase->name;
	int length = 0;
	while (name[length] != 0)
	{
		// Past the end of the own name this compares with its zero and fails.
		if (tolower((unsigned char)name[length]) != tolower((unsigned char)own[length]))
		{
			return false;
		}
		length += 1;
	}

	bool whole = own[length] == 0;
	return length > 0 && (whole || (length == 3 && own[length + 1] == 0));
}

bool tncIsAbout(const tncCase* testCase, const tncMethod* method)
{
	return (testCase->skippedModels == TNC_WAVES) == (method->model == tnc_waveModel) &&
		(testCase->skippedModels == TNC_VOXELS) == (method->model == tnc_voxelModel);
}

bool tncRunCase(const tncCase* testCase, const tncMethod* method, const tncConfig* config, tncReport* report)
{
	tncContext context = {testCase, method, *config, report, NULL};
	int failCount = report->failCount;
	if (tncIsAbout(testCase, method) == false || (testCase->skippedModels & (1u << method->model)) != 0)
	{
		tncTell(&context, 0.0, "not run with this method");
	}
	else
	{
		int rowBegin = report->count;
		context.plot = tncAddPlot(config->plots, testCase, method);
		testCase->runFcn(&context);
		if (context.plot != NULL)
		{
			context.plot->rowBegin = rowBegin;
			context.plot->rowEnd = report->count;
		}
	}
	return report->failCount == failCount && report->incomplete == false;
}

void tncDestroyReport(tncReport* report)
{
	free(report->rows);
	*report = (tncReport){0};
}

void tncFormatLimit(const tncRow* row, char* text, size_t size)
{
	bool hasLower = isfinite(row->lower);
	bool hasUpper = isfinite(row->upper);
	if (hasLower && hasUpper && row->lower == row->upper)
	{
		snprintf(text, size, "=%.6g", row->lower);
	}
	else if (hasLower && hasUpper)
	{
		snprintf(text, size, "%.6g..%.6g", row->lower, row->upper);
	}
	else if (hasLower)
	{
		snprintf(text, size, ">=%.6g", row->lower);
	}
	else if (hasUpper)
	{
		snprintf(text, size, "<=%.6g", row->upper);
	}
	else
	{
		snprintf(text, size, "%s", "");
	}
}

const char* tncGetVerdict(const tncRow* row)
{
	bool hasLimit = isfinite(row->lower) || isfinite(row->upper);
	if (row->informational && (hasLimit == false || row->pass == false))
	{
		return "info";
	}
	return row->pass ? "pass" : "fail";
}

void tncFormatCsv(const tncRow* row, char* text, size_t size)
{
	char limit[64];
	tncFormatLimit(row, limit, sizeof(limit));
	snprintf(text, size, "%s,%s,%s,%.7g,%s,%s", row->caseName, row->method, row->measure, row->value, limit,
		tncGetVerdict(row));
}

static tncRow* tncNewRow(tncReport* report)
{
	if (report->count == report->capacity)
	{
		int capacity = report->capacity > 0 ? 2 * report->capacity : 64;
		tncRow* rows = realloc(report->rows, (size_t)capacity * sizeof(tncRow));
		if (rows == NULL)
		{
			report->incomplete = true;
			return NULL;
		}
		report->rows = rows;
		report->capacity = capacity;
	}
	report->count += 1;
	return report->rows + report->count - 1;
}

void tncMoveRows(tncReport* target, tncReport* source)
{
	for (int i = 0; i < source->count; ++i)
	{
		tncRow* row = tncNewRow(target);
		if (row != NULL)
		{
			*row = source->rows[i];
		}
	}
	target->failCount += source->failCount;
	target->incomplete = target->incomplete || source->incomplete;
	tncDestroyReport(source);
}

static void tncAddRow(tncContext* context, double value, tncRange range, tncRowKind kind, bool informational,
	const char* format, va_list arguments)
{
	tncReport* report = context->report;
	tncRow* row = tncNewRow(report);
	if (row == NULL)
	{
		return;
	}
	*row = (tncRow){0};
	snprintf(row->caseName, sizeof(row->caseName), "%s", context->testCase->name);
	snprintf(row->method, sizeof(row->method), "%s", context->method->name);
	vsnprintf(row->measure, sizeof(row->measure), format, arguments);
	row->value = value;
	row->lower = range.lower;
	row->upper = range.upper;
	row->kind = kind;
	row->informational = informational;
	// A NaN fails both comparisons.
	row->pass = value >= range.lower && value <= range.upper;
	if (row->pass == false && informational == false)
	{
		report->failCount += 1;
	}
}

void tncRequire(tncContext* context, double value, double lower, double upper, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	tncAddRow(context, value, (tncRange){lower, upper}, tnc_gateRow, false, format, arguments);
	va_end(arguments);
}

void tncHope(tncContext* context, double value, double lower, double upper, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	tncAddRow(context, value, (tncRange){lower, upper}, tnc_gateRow, true, format, arguments);
	va_end(arguments);
}

void tncTell(tncContext* context, double value, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	tncAddRow(context, value, (tncRange){-INFINITY, INFINITY}, tnc_toldRow, true, format, arguments);
	va_end(arguments);
}

// A row with a text that is ready.
static void tncAddText(tncContext* context, double value, tncRange range, tncRowKind kind, bool informational,
	const char* format, ...) TNC_PRINTF(6, 7);

static void tncAddText(
	tncContext* context, double value, tncRange range, tncRowKind kind, bool informational, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	tncAddRow(context, value, range, kind, informational, format, arguments);
	va_end(arguments);
}

typedef char tncMeasure[sizeof(((tncRow*)0)->measure)];

void tncJudgeProperty(tncContext* context, double value, double realistic, double ambitious, const char* format, ...)
{
	tncMeasure measure;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(measure, sizeof(measure), format, arguments);
	va_end(arguments);

	bool isHoped = context->method->grade != tnc_ambitiousGrade;
	tncAddText(context, value, (tncRange){-INFINITY, realistic}, tnc_realisticRow, false, "%s", measure);
	if (ambitious != realistic)
	{
		tncAddText(context, value, (tncRange){-INFINITY, ambitious}, tnc_ambitiousRow, isHoped, "%s (A)", measure);
	}
}

static void tncJudgeText(
	tncContext* context, bool sameModel, double value, tncRange realistic, tncRange ambitious, const char* measure)
{
	if (sameModel == false)
	{
		tncTell(context, value, "%s", measure);
		return;
	}
	const tncGrade grade = context->method->grade;
	bool hoped = grade == tnc_gatesGrade || tncIsKnownMiss(context, measure);
	tncAddText(context, value, realistic, tnc_realisticRow, hoped, "%s", measure);
	if (ambitious.lower != realistic.lower || ambitious.upper != realistic.upper)
	{
		char row[sizeof(tncMeasure) + sizeof(" (A)")];
		snprintf(row, sizeof(row), "%s (A)", measure);
		hoped = grade != tnc_ambitiousGrade || tncIsKnownMiss(context, row);
		tncAddText(context, value, ambitious, tnc_ambitiousRow, hoped, "%s", row);
	}
}

void tncJudge(
	tncContext* context, bool sameModel, double value, double realistic, double ambitious, const char* format, ...)
{
	tncMeasure measure;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(measure, sizeof(measure), format, arguments);
	va_end(arguments);
	tncJudgeText(
		context, sameModel, value, (tncRange){-INFINITY, realistic}, (tncRange){-INFINITY, ambitious}, measure);
}

void tncJudgeRange(
	tncContext* context, bool sameModel, double value, tncRange realistic, tncRange ambitious, const char* format, ...)
{
	tncMeasure measure;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(measure, sizeof(measure), format, arguments);
	va_end(arguments);
	tncJudgeText(context, sameModel, value, realistic, ambitious, measure);
}

tncPanel* tncAddPanel(tncContext* context, const char* xLabel, const char* yLabel, const char* format, ...)
{
	if (context->plot == NULL)
	{
		return NULL;
	}
	char title[sizeof(((tncPanel*)0)->title)];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(title, sizeof(title), format, arguments);
	va_end(arguments);
	return tncPlot_AddPanel(context->plot, title, xLabel, yLabel);
}

void tncSetPanelColumns(tncContext* context, int columnCount)
{
	if (context->plot != NULL)
	{
		context->plot->columnCount = columnCount;
	}
}

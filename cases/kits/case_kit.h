// SPDX-License-Identifier: MIT

#pragma once

#include "plots/plot.h"

/// @file What the cases are made of: rows, tables, scenes that can be turned, and runs that check the property gates.

/// Gravity of all cases, m/s^2.
#define TNC_GRAVITY 9.81

#define TNC_PI 3.14159265358979323846

/// Rows across a channel that stands for a 1D case: odd, and more than the two that touch a wall.
#define TNC_CHANNEL_ROWS 5

struct tncContext
{
	const tncCase* testCase;
	const tncMethod* method;
	tncConfig config;
	tncReport* report;
	/// The picture of this run. NULL for none.
	tncPlot* plot;
};

// ---------------------------------------------------------------------------------------------------------------------
// Rows

#if defined(__GNUC__)
#define TNC_PRINTF(formatIndex, argumentIndex) __attribute__((format(printf, formatIndex, argumentIndex)))
#else
#define TNC_PRINTF(formatIndex, argumentIndex)
#endif

/// A property gate: the value must be in [lower, upper], whatever the method.
void tncRequire(tncContext* context, double value, double lower, double upper, const char* format, ...)
	TNC_PRINTF(5, 6);

/// The value ought to be in [lower, upper], whatever the method.
void tncHope(tncContext* context, double value, double lower, double upper, const char* format, ...) TNC_PRINTF(5, 6);

/// A number worth knowing.
void tncTell(tncContext* context, double value, const char* format, ...) TNC_PRINTF(3, 4);

/// A property gate with a realistic upper limit, which is required of every method, and an ambitious one, which is
/// required of methods of that grade. One row if they are the same.
void tncJudgeProperty(tncContext* context, double value, double realistic, double ambitious, const char* format, ...)
	TNC_PRINTF(5, 6);

/// Accuracy: realistic and ambitious upper limits, a row each, or one row if they are the same. The grade of the method
/// says which are required. Methods whose equations are not those of the reference (`sameModel` false) are only told
/// about.
void tncJudge(tncContext* context, bool sameModel, double value, double realistic, double ambitious, const char* format,
	...) TNC_PRINTF(6, 7);

/// A closed range of values.
typedef struct tncRange
{
	double lower, upper;
} tncRange;

/// Is a row one that a method ought to meet and does not?
bool tncIsKnownMiss(const tncContext* context, const char* row);

/// The same with ranges.
void tncJudgeRange(tncContext* context, bool sameModel, double value, tncRange realistic, tncRange ambitious,
	const char* format, ...) TNC_PRINTF(6, 7);

// ---------------------------------------------------------------------------------------------------------------------
// Pictures

/// A panel of the picture of this run, NULL if there is none. Labels have units.
tncPanel* tncAddPanel(tncContext* context, const char* xLabel, const char* yLabel, const char* format, ...)
	TNC_PRINTF(4, 5);

/// Panels side by side, 2 unless told.
void tncSetPanelColumns(tncContext* context, int columnCount);

// ---------------------------------------------------------------------------------------------------------------------
// Tables

/// A table of numbers with named columns, and its comment lines.
typedef struct tncTable
{
	char* text;
	const char** names;
	double* values;
	int columnCount, rowCount;
} tncTable;

/// Read a reference table. A failure is a failing row and returns false.
bool tncReadTable(tncContext* context, const char* fileName, tncTable* table);
void tncFreeTable(tncTable* table);

/// Index of a column, -1 if there is none.
int tncFindColumn(const tncTable* table, const char* name);
double tncGetValue(const tncTable* table, int row, int column);

/// The number that follows `key` in the comment lines, NAN if there is none. 0x numbers are read too.
double tncGetRemark(const tncTable* table, const char* key);

// ---------------------------------------------------------------------------------------------------------------------
// Scenes

/// The eight symmetries of a square: flips first, then the transposition.
typedef enum tncTurn
{
	tnc_noTurn = 0,
	tnc_flipColumns = 1,
	tnc_flipRows = 2,
	tnc_transpose = 4,
	tnc_turnCount = 8,
} tncTurn;

#define TNC_MAX_SOURCES 8

/// All that a world starts with. Arrays are row by row and belong to the scene.
typedef struct tncScene
{
	tnWorldDef def;
	float* bed;
	float* depth;
	float* velocityX;
	float* velocityZ;
	/// One for each tracer channel of the def.
	float* tracers[TN_MAX_TRACERS];
	tnSourceDef sources[TNC_MAX_SOURCES];
	int sourceCount;
	float rain, evaporation, infiltration;
	/// Factors of rain, evaporation and infiltration. Unused while useMap is false.
	float* map;
	bool useMap, useVelocity;
} tncScene;

/// A flat dry still scene with walls, the method applied, sleeping only when exactly at rest. NULL arrays if memory ran
/// out: tncStartRun then fails.
tncScene tncMakeScene(
	tncContext* context, int columnCount, int rowCount, double cellSize, double depth, int tracerCount);
void tncFreeScene(tncScene* scene);

/// Turn a field of columnCount x rowCount.
void tncTurnField(const float* field, int columnCount, int rowCount, int turn, float* turned);

/// A turned copy of a scene. Free it.
tncScene tncTurnScene(tncContext* context, const tncScene* scene, int turn);

/// A turned copy of a source of a world of columnCount x rowCount cells.
tnSourceDef tncTurnSource(const tnSourceDef* source, const tnWorldDef* def, int turn);

/// The side that a side becomes.
tnSide tncTurnSide(tnSide side, int turn);

/// A world from a scene, NULL with a failing row if it is refused.
tnWorld* tncOpenScene(tncContext* context, const tncScene* scene);

// ---------------------------------------------------------------------------------------------------------------------
// Runs

/// A world that is stepped, and a twin that starts from the turned scene and must stay the turned world bit for bit.
typedef struct tncRun
{
	tncContext* context;
	tnWorld* world;
	tnWorld* twin;
	int twinTurn;
	int columnCount, rowCount;
	double cellSize, startVolume;
	/// Scratch of columnCount * rowCount.
	float* speedX;
	float* speedZ;
	float* turned;
	/// Seen so far, at every probe. The surface is that of cells deeper than TN_WET_DEPTH.
	int64_t badCount;
	double minDepth, maxDepth, maxSurface;
	int64_t stepCount;
	bool failed;
} tncRun;

/// No twin.
#define TNC_NO_TWIN -1

/// @param twinTurn a tncTurn, or TNC_NO_TWIN
bool tncStartRun(tncContext* context, const tncScene* scene, int twinTurn, tncRun* run);
void tncEndRun(tncRun* run);

/// Step the world and its twin. Probes every few steps and at the end.
void tncSteps(tncRun* run, int64_t stepCount, double timeStep);

/// Step to a time in equal steps no longer than timeStep.
void tncAdvance(tncRun* run, double seconds, double timeStep);

void tncRun_SetAcceleration(tncRun* run, double x, double z);
void tncRun_SetRain(tncRun* run, double rate);

/// A curve of an edge of the world and its twin. A refusal is a failing row.
void tncRun_SetEdgeCurve(tncRun* run, tnSide side, const tnCurvePoint* points, int count);

/// A source of the world and of its twin.
typedef struct tncSourcePair
{
	tnSourceId own, other;
} tncSourcePair;

tncSourcePair tncRun_CreateSource(tncRun* run, const tnSourceDef* def);
void tncRun_DestroySource(tncRun* run, tncSourcePair pair);

/// Judge the twin and go on without it: for runs that are too long for two.
void tncDropTwin(tncRun* run, const char* label);

/// Sum of the depths in double precision, m^3.
double tncGetVolume(const tnWorld* world);

/// Fastest speed at cell centres, m/s.
double tncGetMaxSpeed(tncRun* run);

/// Cells whose depth differs from the turned twin's.
int64_t tncCountTwinDefects(tncRun* run);

/// Largest difference of depth between rows of a channel, meters.
double tncGetRowSpread(const tncRun* run);

/// Depths of a row of cells, meters. Stale after the next step.
const float* tncGetDepthRow(const tncRun* run, int row);

/// sum |value - reference| / sum |reference|.
double tncMeasureL1(const double* values, const double* reference, int count);

/// Append the property gates: finite, not negative, volume drift, twin. `label` starts their names.
void tncJudgeGates(tncRun* run, const char* label);

/// Time step with which a wave over a depth crosses `courant` cells in a step.
double tncGetTimeStep(double cellSize, double depth, double courant);

// ---------------------------------------------------------------------------------------------------------------------
// Formulas

/// A lattice of hashed heights, interpolated: its spacing in cells and its amplitude in 1/256 m.
typedef struct tncOctave
{
	int spacing, amplitude;
} tncOctave;

/// Exact terrain of the reference tables, 1/256 m.
int32_t tncSumOctaves(int column, int row, uint32_t seed, const tncOctave* octaves, int count);

/// The same with the octaves of F01 and F15.
int32_t tncTerrain256(int column, int row, uint32_t seed);
void tncMakeTerrain256(int columnCount, int rowCount, uint32_t seed, int32_t* heights);

/// CRC-32 of a row-major array as little-endian int32.
uint32_t tncCrc32(const int32_t* values, int count);

/// Spill level of every cell with all edges open, 4-connected, 1/256 m.
void tncFloodToSpill(const int32_t* heights, int columnCount, int rowCount, int32_t* levels);

/// The same pseudo-random numbers on every machine.
uint32_t tncHash3(uint32_t x, uint32_t y, uint32_t seed);

/// In [-1, 1), from the hash.
double tncNoise(uint32_t x, uint32_t y, uint32_t seed);

/// The circling disc of water of case F05, with its velocity.
tncScene tncMakePlanarBowl(tncContext* context, int columnCount, int tracerCount);
double tncGetPlanarBowlPeriod(void);

// ---------------------------------------------------------------------------------------------------------------------
// The cases, one file a group

void tncRunLakeAtRest(tncContext* context);
void tncRunRitter(tncContext* context);
void tncRunStoker(tncContext* context);
void tncRunPartialDam(tncContext* context);
void tncRunThacker(tncContext* context);
void tncRunStandingWaves(tncContext* context);
void tncRunSteadyChannels(tncContext* context);
void tncRunBump(tncContext* context);
void tncRunRadialDam(tncContext* context);
void tncRunOrientation(tncContext* context);
void tncRunMass(tncContext* context);
void tncRunStability(tncContext* context);
void tncRunTracers(tncContext* context);
void tncRunValley(tncContext* context);
void tncRunFilledBasins(tncContext* context);
void tncRunRainOnBasins(tncContext* context);
void tncRunPartlyFilledBasins(tncContext* context);
void tncRunDisconnected(tncContext* context);
void tncRunBeach(tncContext* context);
void tncRunWeir(tncContext* context);
void tncRunAbsorbingEdge(tncContext* context);
void tncRunTurnedScenes(tncContext* context);
void tncRunLedger(tncContext* context);
void tncRunSleep(tncContext* context);
void tncRunSameBits(tncContext* context);
void tncRunDraft(tncContext* context);
void tncRunHeave(tncContext* context);
void tncRunHeaveChannel(tncContext* context);
void tncRunRoll(tncContext* context);
void tncRunDrift(tncContext* context);
void tncRunMomentum(tncContext* context);
void tncRunBoxDam(tncContext* context);
void tncRunDisplacement(tncContext* context);
void tncRunRemoval(tncContext* context);
void tncRunBodyRest(tncContext* context);
void tncRunCrowd(tncContext* context);
void tncRunRipple(tncContext* context);
void tncRunSlots(tncContext* context);
void tncRunTenMinutes(tncContext* context);
void tncRunDecks(tncContext* context);
void tncRunHollow(tncContext* context);
void tncRunThinWalls(tncContext* context);
void tncRunKinkedWalls(tncContext* context);
void tncRunGaps(tncContext* context);
void tncRunPiston(tncContext* context);
void tncRunTurnedBodies(tncContext* context);
void tncRunPhaseSpeed(tncContext* context);
void tncRunWakeSpeeds(tncContext* context);
void tncRunWakeShapes(tncContext* context);
void tncRunRingWaves(tncContext* context);
void tncRunGroupVelocity(tncContext* context);
void tncRunWaveLosses(tncContext* context);
void tncRunSeams(tncContext* context);
void tncRunPartition(tncContext* context);
void tncRunZeroSum(tncContext* context);
void tncRunShoals(tncContext* context);
void tncRunWaveEdges(tncContext* context);
void tncRunSeas(tncContext* context);
void tncRunLooks(tncContext* context);
void tncRunWind(tncContext* context);
void tncRunHullWakes(tncContext* context);
void tncRunHeavingHulls(tncContext* context);
void tncRunHullResistance(tncContext* context);
void tncRunVessels(tncContext* context);
void tncRunNoStairs(tncContext* context);
void tncRunVoxelMass(tncContext* context);
void tncRunSettling(tncContext* context);
void tncRunTerraforming(tncContext* context);
void tncRunSea(tncContext* context);
void tncRunLayering(tncContext* context);
void tncRunViscosity(tncContext* context);
void tncRunVoxelBits(tncContext* context);
void tncRunCaves(tncContext* context);
void tncRunHoles(tncContext* context);

// SPDX-License-Identifier: MIT

#pragma once

#include "kits/case_kit.h"
#include "tarn/waves.h"

/// @file Worlds of still water with waves on it. The flow sleeps; all that moves is the wave layer. The surface is at 0.

/// m, so deep that no wave of the cases feels the bed.
#define TNC_DEEP 1000.0

/// s, of all wave cases unless they say otherwise.
#define TNC_WAVE_STEP (1.0 / 60.0)

/// Amplitude of waves in cases, m.
#define TNC_AMPLITUDE 0.01

typedef struct tncWaves
{
	tncContext* context;
	tnWorld* world;
	tnWorldDef def;
	int levelCount;
	/// Cells of the finest level, m.
	int columnCount, rowCount;
	double cellSize;
	/// Room for a field of the finest level each, at [row * columnCount + column].
	float* heights;
	float* rates;
	float* scratch[2];
	double time, timeStep; // s
	bool failed;
} tncWaves;

/// A world with the kernel of the method: walls all around, waves of any height, nothing but waves.
/// @param columnCount, rowCount of the finest level: multiples of 2^finerLevels
/// @param cellSize of the finest level, m
/// @param finerLevels levels finer than the cells of the flow
tnWorldDef tncMakeWaveDef(
	tncContext* context, int columnCount, int rowCount, double cellSize, int levelCount, int finerLevels);

/// The same edge all around.
void tncSetWaveEdges(tnWorldDef* def, tnEdgeKind kind);

/// Tiles that all levels of a world have together.
int tncCountWaveTiles(const tnWorldDef* def);

/// Open a world over a flat bed.
/// @param depth m
bool tncOpenWaves(tncContext* context, const tnWorldDef* def, double depth, tncWaves* waves);
/// Over any bed: depths of the cells of the flow, m.
bool tncOpenWavesOver(tncContext* context, const tnWorldDef* def, const float* depths, tncWaves* waves);
void tncCloseWaves(tncWaves* waves);

/// Add amplitude cos(waveX x + waveZ z) to waves->heights; x and z from the corner of the world.
void tncAddPlaneWave(tncWaves* waves, double amplitude, double waveX, double waveZ);

/// Put waves->heights, waves->rates, or both into the layer.
void tncEnterWaves(tncWaves* waves, bool useHeights, bool useRates);

/// With the time step of the def.
void tncStepWaves(tncWaves* waves, int64_t stepCount);

typedef enum tncBandPart
{
	tnc_bandHeights,
	tnc_bandRates,
} tncBandPart;

/// Cells of a level along each side.
int tncGetBandColumns(const tncWaves* waves, int level);
int tncGetBandRows(const tncWaves* waves, int level);

/// One band, at [row * tncGetBandColumns + column]; zeros where it has no tiles.
void tncCopyBand(const tncWaves* waves, int level, tncBandPart part, float* band);

/// The sum of the bands [levelBegin, levelCount) on the finest level, interpolated as bands are made: with the polynomial
/// through the six nearest cells. Waves go on at the other side where edges wrap, and are mirrored elsewhere.
void tncSumBands(const tncWaves* waves, tncBandPart part, int levelBegin, float* sum);

/// Largest of all heights and rates of all bands.
double tncGetLargest(const tncWaves* waves, tncBandPart part);

/// Sum of all heights of a level times the area of a cell, m^3.
double tncGetBandVolume(const tncWaves* waves, int level);

/// Share of a plane wave cos(waveX x + waveZ z) in the bands: its coefficient, the sum over all of them.
double tncProjectWave(const tncWaves* waves, tncBandPart part, double waveX, double waveZ);

/// Angular frequency of waves, 1/s, and their group velocity, m/s.
double tncGetOmega(double waveNumber, double depth);
double tncGetGroupSpeed(double waveNumber, double depth);

// ---------------------------------------------------------------------------------------------------------------------
// Packets of waves that run one way

/// Waves under a Gaussian across x, cos(kx d + kz z) exp(-d^2 / (2 width^2)) with d the distance from `start` along x. All
/// of them run towards higher x, or towards lower ones if `backward`. Around it the world must be wide enough, and along z
/// it must wrap.
typedef struct tncWaveTrain
{
	double wavelength, width, amplitude; // m
	double start;                        // m, from the corner of the world
	double depth;                        // m
	bool backward;
	/// Waves that fit into the world along z: 0 for a train along x.
	int rowWaves;
} tncWaveTrain;

/// Add a train to waves->heights and waves->rates, at time 0.
void tncAddTrain(tncWaves* waves, const tncWaveTrain* train);

/// Energy of the waves that run towards higher and lower x, m^2 (half the square of an amplitude, mean over the world),
/// among those that the train is made of. The sum of all bands is looked at.
typedef struct tncEnergySplit
{
	double along, against;
	/// Where the middle of those is that run like the train, m, as a mean around a world that wraps.
	double middle;
	/// Of the wave in the middle of the spectrum, radians: it falls with time.
	double phase;
} tncEnergySplit;

tncEnergySplit tncSplitEnergy(tncWaves* waves, const tncWaveTrain* train);

/// The surface at a place, m, as hosts see it.
double tncGetHeight(tncWaves* waves, double x, double z);

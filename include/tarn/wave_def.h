// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/vector.h"

/// @file What the wave layer of a world is made of. tnWorldDef.waves has it; tarn/waves.h has its functions.

/// How the waves of a band are moved. All but the last keep the phase speed of omega^2 = g k tanh(k H) at any depth.
typedef enum tnWaveKernel
{
	/// 49 taps: phase speed right to 0.4 %. The default.
	tn_fineWaves = 0,
	/// 25 taps: to 1 %, in three quarters of the time. The wakes of small sources turn by up to 5 degrees.
	tn_quickWaves,
	/// The Gaussians of Ottosson (2011), 7 taps along each axis: off by 20 %. For comparison only.
	tn_gaussianWaves,
	tn_waveKernelCount,
} tnWaveKernel;

/// Most bands.
#define TN_MAX_WAVE_LEVELS 12

/// Waves on top of the flowing water: bands of one octave each, every band a grid of its own. Level 0 is the finest;
/// the cells of each level are twice as large as those of the level before. A band holds wavelengths of 4 to 12 of its
/// cells; longer waves than those of the coarsest level belong to the flow.
typedef struct tnWavesDef
{
	/// Off by default: then the world has no waves but those of the flow, and nothing here matters.
	bool enable;
	tnWaveKernel kernel;
	/// Levels that are finer than the cells of the world, in [0, 6]: the finest has cells of cellSize / 2^finerLevels.
	int finerLevels;
	/// Bands, in [1, TN_MAX_WAVE_LEVELS] and at most finerLevels + 7.
	int levelCount;
	/// Tiles of 64 x 64 cells that the layer may have, of all levels together, in [1, 65536]. They are dealt around
	/// points of interest; memory and the cost of a step do not grow beyond them.
	int tileCount;
	/// Share of its amplitude that each wave loses, 1/s, at least 0.
	float damping;
	/// Kinematic viscosity, m^2/s, at least 0: amplitudes fall by 2 viscosity k^2 per second. Water has 1e-6.
	float viscosity;
	/// Waves higher than this share of what water can bear break, in [0, 10]; 0 lets them be of any height. Default 1.
	float breakingLimit;
	/// Waves lower than this rest, m, at least 0: tiles in which all are cost nothing. Default 1e-6.
	float restHeight;
	/// The current carries the waves along. Default on.
	bool enableDrift;
	/// Waves of the flow that are too short for shallow water (shorter than about six depths) are handed over to the
	/// layer, with what bodies stir up that the host moves. The energy of both together never grows by it. It waits while a body of
	/// finite mass is anywhere in the water; docs/waves.md has what it costs. Default off.
	bool takeFromFlow;
	/// Ripples too short for any band: energy and direction, for pictures. Default on.
	bool enableDetail;
	/// The time step that is usual, s, in [1e-6, 1]: kernels are fitted to it, to twice of it, half of it, and so on. Default 1/60.
	/// Steps up to sqrt(2) longer or shorter than one of these use its kernels, if the speed of no wave is then off by more than
	/// 0.2 %; others have their own. What was fitted is kept, for eight of them, and for each tile for two to four: the first step
	/// of a length that is not kept costs a fifth of a millisecond for each tile. docs/waves.md has the figures.
	float timeStep;
	/// Time steps whose coefficients each tile can keep, in [1, 4]. Default 1: then as many tiles as are not in use, or lie on water
	/// of one depth, lend theirs to those that see other steps. A host whose steps are of two lengths by turns may ask for 2; it
	/// costs a quarter of the memory of a tile each. Changes no bit.
	int keptSteps;
	/// Ask for all memory on creation. By default the layer asks for nearly all of it when something comes that may make waves: a body,
	/// a wave, drops, a field, swell, a sea, wind, rain. Until then it has no tiles. What finds no memory is refused, with
	/// tn_outOfMemory. Default off.
	bool reserve;
	/// The wind of tnWorld_SetWind blows waves up in all bands, over a fetch and limited by it as measured. Default off: then it
	/// feeds ripples only.
	bool enableWindWaves;
} tnWavesDef;

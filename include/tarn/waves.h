// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/query.h"

/// @file Waves on the water: what a host does with the wave layer of a world (tnWorldDef.waves). The surface of the water
/// is that of the flow plus the sum of all bands; tnWorld_Sample returns it. All calls fail with tn_notAvailable in worlds
/// without the layer.

// ---------------------------------------------------------------------------------------------------------------------
// Points of interest: where the waves are fine

/// A point of interest: a player, a camera, a boat. Zero is null.
typedef struct tnInterestId
{
	int32_t index1;
	uint32_t generation;
} tnInterestId;

typedef struct tnInterestDef
{
	/// Anywhere, also outside of the world.
	tnVec2 position;
	/// How far around it the finest level reaches, m, > 0; each coarser level reaches twice as far. Default 16.
	float reach;
	uint32_t stamp;
} tnInterestDef;

TN_API tnInterestDef tnDefaultInterestDef(void);

/// Tiles are dealt coarse levels first, then near ones: with too few of them the finest levels shrink. Without any
/// point of interest every level is present that fits as a whole. Bodies in the water have tiles around them wherever points of
/// interest are, from at most half of all tiles: what they feel does not hang on who looks.
/// @param id receives the point, or null
TN_API tnResult tnWorld_CreateInterest(tnWorld* world, const tnInterestDef* def, tnInterestId* id);
TN_API tnResult tnWorld_SetInterest(tnWorld* world, tnInterestId id, const tnInterestDef* def);
TN_API tnResult tnWorld_DestroyInterest(tnWorld* world, tnInterestId id);
TN_API bool tnInterest_IsValid(const tnWorld* world, tnInterestId id);

// ---------------------------------------------------------------------------------------------------------------------
// Making waves

/// Water displaced by something of elliptic outline.
typedef struct tnWaveEllipse
{
	/// m
	tnVec2 center;
	/// Direction of the first radius, of any length but 0.
	tnVec2 axis;
	/// m, along the axis and across it, > 0.
	tnVec2 radii;
	/// How much water it displaces, m: its volume over the area of the ellipse. Negative sucks.
	float height;
} tnWaveEllipse;

/// Something in the water has gone from one place to another since the last call: water rises before it and falls behind.
/// The layer keeps no volume: what is displaced in total goes nowhere, so a thing that dives makes a ring of waves.
/// @param before where it was, NULL if it comes in now
/// @param after where it is, NULL if it is lifted out now
TN_API tnResult tnWorld_AddWave(tnWorld* world, const tnWaveEllipse* before, const tnWaveEllipse* after);

/// A drop that falls in.
typedef struct tnWaveDrop
{
	tnVec2 position;
	/// m^3, |volume| <= 1e6.
	float volume;
} tnWaveDrop;

/// Many drops at once: rings.
TN_API tnResult tnWorld_AddDrops(tnWorld* world, const tnWaveDrop* drops, int count);

/// Most cells along a side of a field of waves.
#define TN_MAX_WAVE_FIELD 4096

/// Any shape of the surface, and any motion: waves that begin with a picture or with another simulation. What is given is
/// added to the bands that are there, each its octave, whether the finest level has tiles there or not.
/// The layer keeps no volume: the mean of what is added is left out. If the block is all of the world it is taken from each
/// cell, otherwise softly from the block and what is around it.
/// @param column, row of the first cell of a block of cells of the finest level, which must be inside of the world;
/// columns and rows are at most TN_MAX_WAVE_FIELD
/// @param heights m, |height| <= 1e6, columns * rows values, row by row. NULL for none.
/// @param rates how fast they rise, m/s, |rate| <= 1e6. NULL for none.
TN_API tnResult tnWorld_AddWaveField(
	tnWorld* world, int column, int row, int columns, int rows, const float* heights, const float* rates);

/// Most trains of swell.
#define TN_MAX_SWELLS 8

/// Long-crested waves that come in from outside through all level and absorb edges they do not run away from.
typedef struct tnSwell
{
	/// Where it runs to; of any length but 0.
	tnVec2 direction;
	/// m, at least 0.
	float amplitude;
	/// Seconds, > 0. Its length follows from the depth at the edge.
	float period;
	/// Turns.
	float phase;
} tnSwell;

/// Replace all swell. Lengths that no band holds are refused. Count 0 for none.
TN_API tnResult tnWorld_SetSwell(tnWorld* world, const tnSwell* swells, int count);

/// Most trains of waves that a sea is made of.
#define TN_MAX_TRAINS 64

/// A sea: waves of many lengths and directions that come in from outside as swell does. Their energy is spread over frequencies
/// f as measured in the North Sea (JONSWAP: Hasselmann and others 1973), and over the angle a to the mean direction as
/// cos(a / 2)^(2 spread).
typedef struct tnSpectrumDef
{
	/// Where most of it runs to; of any length but 0. Default (1, 0).
	tnVec2 direction;
	/// Four times the root of the mean square of the surface, m, in [0, 100]: about the mean height, from trough to crest, of
	/// the highest third of all waves. Default 0.5.
	float significantHeight;
	/// Of the waves that have most of it, s. Default 4.
	float peakPeriod;
	/// How much higher the peak is than that of a sea that has stopped to grow, in [1, 20]. Default 3.3; that one has 1.
	float peakedness;
	/// In [0, 1000]: 0 runs everywhere, 10, the default, within 25 degrees or so, 1000 within 3 (root of the mean square).
	float spread;
	/// Trains of waves that it is made of, all of the same energy, in [1, TN_MAX_TRAINS]. Default 48. They cost time at the edges only.
	int trainCount;
	/// Of phases, and of which frequency runs where.
	uint32_t seed;
	uint32_t stamp;
} tnSpectrumDef;

TN_API tnSpectrumDef tnDefaultSpectrumDef(void);

/// The sea that a steady wind makes over so much open water, limited by the fetch or, from some 22 000 U^2 / g on, grown
/// (Hasselmann and others 1973; its limit is that of Pierson and Moskowitz).
/// @param wind m/s at 10 m height, U its speed; also its direction. No wind, or anything that is no number: a calm sea
/// @param fetch m, > 0
/// @param gravity m/s^2, > 0
TN_API tnSpectrumDef tnGetWindSea(tnVec2 wind, float fetch, float gravity);

/// Replace all swell by a sea. Waves that no band holds are left out; a sea that has more than half of its energy there is refused.
/// tnWorld_SetSwell with a count of 0 ends it.
TN_API tnResult tnWorld_SetSpectrum(tnWorld* world, const tnSpectrumDef* def);

/// Wind over the water, m/s at 10 m height, at most 100 along each axis: it feeds ripples, and waves with enableWindWaves. Default 0.
TN_API tnResult tnWorld_SetWind(tnWorld* world, tnVec2 velocity);

/// Change tnWavesDef.damping: the share of amplitudes that is lost from now on, 1/s, in [0, 1000].
TN_API tnResult tnWorld_SetWaveDamping(tnWorld* world, float damping);

// ---------------------------------------------------------------------------------------------------------------------
// What there is

/// The layer at a place.
typedef struct tnWaveSample
{
	/// Of all bands that are there, m above the surface of the flow.
	float height;
	/// How fast it rises, m/s.
	float rate;
	/// Slope of it, m/m.
	tnVec2 slope;
	/// Of the water at the surface, without the current, m/s.
	tnVec2 velocity;
	/// Ripples: energy per area over density and gravity, m^2 (the mean square of their height), and their direction:
	/// its length is 1 if all run the same way, 0 if they run everywhere.
	float rippleEnergy;
	tnVec2 rippleDirection;
	/// The finest level that is there; levelCount if none is.
	int finestLevel;
} tnWaveSample;

/// @param sample zeros outside of the world and on dry ground
TN_API tnResult tnWorld_SampleWaves(const tnWorld* world, tnVec2 position, tnWaveSample* sample);

/// A tile of a level. Stale after the next call that takes a non-const world.
typedef struct tnWaveTileView
{
	int level;
	/// Edge length of its cells, m, and corner of its first cell.
	float cellSize;
	tnVec2 origin;
	/// Its place among the tiles of its level: its first cell is (64 column, 64 row) of the level.
	int column, row;
	/// Cells along each side: 64.
	int size;
	/// Heights, m, and how fast they rise, m/s; cell (c, r) is at [r * stride + c]. The height a time t earlier is
	/// height - t * rate.
	const float* heights;
	const float* rates;
	int stride;
	/// All zero: nothing moves.
	bool rests;
} tnWaveTileView;

/// Tiles that are in use, coarse levels first.
TN_API int tnWorld_GetWaveTileCount(const tnWorld* world);
TN_API tnResult tnWorld_GetWaveTile(const tnWorld* world, int index, tnWaveTileView* view);

/// The grid of ripples: energy (m^2) and direction. Data is NULL without ripples.
typedef struct tnRippleView
{
	tnFieldView energy, directionX, directionZ;
	/// Edge length of its cells, m. Cell (0, 0) begins at the origin of the world.
	float cellSize;
} tnRippleView;

TN_API tnRippleView tnWorld_GetRipples(const tnWorld* world);

/// A place where waves broke in the last step.
typedef struct tnBreaker
{
	/// On the surface: the highest of those waves in its tile.
	tnVec3 position;
	/// Where it runs to, of length 1.
	tnVec2 direction;
	/// Amplitude it had, m, and the length of waves of its level, m.
	float amplitude, wavelength;
	/// What all breaking waves of the tile lost, J.
	float energy;
} tnBreaker;

/// In a fixed order. Stale after the next step.
typedef struct tnBreakers
{
	const tnBreaker* breakers;
	int count;
} tnBreakers;

TN_API tnBreakers tnWorld_GetBreakers(const tnWorld* world);

typedef struct tnWaveStats
{
	/// Tiles in use, by level, and those of them that are not at rest.
	int tileCounts[TN_MAX_WAVE_LEVELS];
	int movingCounts[TN_MAX_WAVE_LEVELS];
	/// Energy of each band, J: potential and kinetic.
	double energies[TN_MAX_WAVE_LEVELS];
	/// What breaking took since creation, J.
	double brokenEnergy;
	/// Of all tiles and tables.
	size_t byteCount;
} tnWaveStats;

/// Costs a pass over all tiles.
TN_API tnResult tnWorld_GetWaveStats(const tnWorld* world, tnWaveStats* stats);

// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/waves.h"
#include "wave_filter.h"

// Ellipses that enter a band analytically, without a grid of the finest level: wave_stamp.c says how.

// How far the low pass of a stamp reaches, cells of its level, and the steps of its tables.
#define TN_WAVE_STAMP_REACH 16
#define TN_WAVE_EDGE_STEPS 64  // per cell
#define TN_WAVE_POINT_STEPS 16 // per square cell

// Points along a chord of an ellipse.
#define TN_MAX_LEGENDRE 7

typedef struct tnWaveStamps
{
	// Gauss and Legendre's rules on [-1, 1] for 1, 2, .. points.
	double nodes[TN_MAX_LEGENDRE][TN_MAX_LEGENDRE];
	double weights[TN_MAX_LEGENDRE][TN_MAX_LEGENDRE];
	// Low pass of a straight edge by distance from it. Only outside: inside it is 1 minus that.
	float edge[TN_WAVE_STAMP_REACH * TN_WAVE_EDGE_STEPS + 2];
	// What curvature adds to that, per 1/cells.
	float bend[TN_WAVE_STAMP_REACH * TN_WAVE_EDGE_STEPS + 2];
	// Low pass of a point of volume 1 by square of the distance.
	float point[TN_WAVE_STAMP_REACH * TN_WAVE_STAMP_REACH * TN_WAVE_POINT_STEPS + 2];
} tnWaveStamps;

// A band that stamps go to.
typedef struct tnWaveBandGrid
{
	tnVec2 origin;   // corner of cell (0, 0), m
	float cellSize;  // of this level, m
	bool isCoarsest; // has no coarser band below: all longer waves are in this one
} tnWaveBandGrid;

void tnMakeWaveStamps(tnWaveStamps* stamps);

// Add the heights of an ellipse, `after` minus `before`, as means over cells: what tnDecomposeWave wants. For all but very
// large ellipses this is both faster and closer to the ideal than a stamp for each band, where the finest level is there.
// The volume is exact, to 10^-4 from radii of 64 cells on, unless the patch cuts off a part. False as below.
bool tnCoverWave(
	const tnWaveBandGrid* grid, const tnWaveEllipse* before, const tnWaveEllipse* after, const tnWavePatch* patch);

// Add what an ellipse gives to a band: `after` minus `before`, of which one may be NULL. What is added has the sum zero,
// also where the patch cuts it off. `removed` gets the volume, m^3, that was taken out for that: in the coarsest band the
// volume of the ellipse, elsewhere what the sampling missed and what was cut off. May be NULL.
// False, and nothing added, for numbers that are not finite, radii outside of (0, 10^6 cells], or a zero axis.
bool tnStampWave(const tnWaveStamps* stamps, const tnWaveBandGrid* grid, const tnWaveEllipse* before,
	const tnWaveEllipse* after, const tnWavePatch* patch, double* removed);

// The same for a part of the cells of a band, without making the sum zero: that is up to the caller, who knows all parts.
bool tnStampWavePart(const tnWaveStamps* stamps, const tnWaveBandGrid* grid, const tnWaveEllipse* before,
	const tnWaveEllipse* after, const tnWavePatch* patch);

// SPDX-License-Identifier: MIT

#pragma once

#include "wave_bed.h"
#include "wave_ripple_def.h"

// The two passes of ripples over their rows. wave_ripples.c has the equations.

// Of ripples, and of each component of the current: 1.15 * 0.4 + 2 * 0.25 < 1.
#define TN_MAX_RIPPLE_COURANT 0.4f
#define TN_MAX_DRIFT_COURANT 0.25f
// Less than this is nothing, m^2: a nanometer.
#define TN_LEAST_RIPPLES 1.0e-18f

typedef enum tnRippleField
{
	// What is there, after a step.
	tn_rippleEnergy = 0,
	tn_rippleDirectionX,
	tn_rippleDirectionZ,
	// What a cell gives. With ghosts.
	tn_rippleTotal, // E
	tn_rippleBeamX, // |P| u
	tn_rippleBeamZ,
	tn_rippleUnitX, // u
	tn_rippleUnitZ,
	tn_rippleRest,   // (E - |P|) / pi
	tn_rippleDriftX, // v dt / dx
	tn_rippleDriftZ,
	tn_rippleWet, // 1, or 0 where it is dry; no ghosts
	tn_rippleFieldCount,
} tnRippleField;

struct tnRipples
{
	tnRipplesDef def;
	int columnCount, rowCount, stride;
	int shift; // cells have 2^shift cells of the world along each side
	float cellSize;
	float waveNumber, frequency, groupSpeed, decayRate, energyLimit;
	float* fields[tn_rippleFieldCount]; // cell (0, 0)
	float* memory;
	size_t memoryFloats;
	// By row: has ripples; was moved in this step; what its cells give is all zero.
	uint8_t* live;
	uint8_t* touched;
	uint8_t* clear;
	bool anyLive;
};

// Of one step, the same for all cells.
typedef struct tnRippleStep
{
	tnRipples* ripples;
	const tnWaveBed* bed;
	bool fed;         // by wind or rain
	float loss;       // 1 - exp(-D dt)
	float rain;       // m^2
	float saturation; // E_s, m^2
	float growth;     // 1 - exp(-beta dt)
	float windX, windZ;
	float edgeShare, cornerShare; // q
	float restShare;              // q'
	float perSpeed;               // dt / dx, s/m
} tnRippleStep;

// First pass, over all rows: read the bed, feed, and write what each cell gives.
void tnPrepareRippleRow(const tnRippleStep* step, int row);
// Between the passes.
void tnSetRippleGhosts(const tnRipples* ripples);
// Second pass, over all rows: take what neighbours give.
void tnMoveRippleRow(const tnRippleStep* step, int row);

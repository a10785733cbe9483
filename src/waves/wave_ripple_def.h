// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/waves.h"

// What ripples are made of: for wave_ripples.c, and the passes over their rows that it makes.

typedef struct tnRipplesDef
{
	int columnCount, rowCount; // cells of the world
	float cellSize;            // of the world, m
	tnVec2 origin;
	float finestCell; // of the finest band, m
	float gravity;    // m/s^2
	float viscosity;  // m^2/s, at least 0
	float damping;    // share of amplitudes that is lost, 1/s, at least 0
	float film;       // how dirty the surface is, in [0, 1]: 1 for the water of lakes and seas
	// Walls mirror, wrapped edges go on at the other side, ripples leave through all others.
	tnEdgeKind edges[tn_sideCount];
} tnRipplesDef;

typedef struct tnRipples tnRipples;

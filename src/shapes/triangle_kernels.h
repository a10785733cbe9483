// SPDX-License-Identifier: MIT

#pragma once

#include "../core/core.h"
#include "../core/instruction_sets.h"
#include "tarn/vector.h"

// Triangles below the water, as submerged_mesh.c collects them and triangle_kernels.inc works on them: eight at a time, in lanes
// that do not mix, for the sake of vector units.

enum
{
	TN_LANES = 8,
};

// What is summed up over triangles.
enum
{
	tn_volumeSum,
	tn_volumeXSum,
	tn_volumeYSum,
	tn_volumeZSum,
	tn_areaSum, // projected area of what is below, positive upwards
	tn_forceXSum,
	tn_forceYSum,
	tn_forceZSum,
	tn_torqueXSum,
	tn_torqueYSum,
	tn_torqueZSum,
	tn_brakeSum,
	tn_spinBrakeSum,
	tn_sumCount,
};

// What the water does around the body.
typedef struct tnTide
{
	float height; // of the plane from which t is measured
	tnVec3 flow;  // of the water against the centre of mass, m/s
	tnVec3 spin;
	float pressure, suction, friction; // half the density times coefficients, kg/m^3
	float creep;                       // m/s
} tnTide;

typedef struct tnBatch
{
	float corners[9][TN_LANES]; // x, y, z of three corners
	float lanes[tn_sumCount][TN_LANES];
	double sums[tn_sumCount];
	int count, batchCount;
	tnTide tide;
} tnBatch;

typedef struct tnTriangleKernels
{
	// Integrals over the triangles of a batch, to its lanes.
	void (*sumBatch)(tnBatch* batch);
} tnTriangleKernels;

const tnTriangleKernels* tnGetTriangleKernels(tnSimd simd);
TN_DECLARE_TABLES(tnTriangleKernels);

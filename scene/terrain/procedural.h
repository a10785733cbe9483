// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

// Seeded terrain. Uses only integers and + - * / sqrt of doubles, so every machine makes the same heights.

// Where the cells are.
typedef struct tnsCells
{
	int columnCount, rowCount;
	double cellSize;
	// Corner of cell (0, 0), meters.
	double originX, originZ;
} tnsCells;

typedef enum tnsTerrainKind
{
	tns_flatTerrain = 0,
	tns_planeTerrain,
	tns_hillsTerrain,
	tns_ridgedTerrain,
	tns_valleyTerrain,
	tns_islandTerrain,
	tns_basinsTerrain,
	tns_fileTerrain,
	tns_terrainKindCount,
} tnsTerrainKind;

#define TNS_MAX_OCTAVES 12

// Lengths in meters. Coordinates of noise are measured from the corner of the world, not from its origin.
typedef struct tnsTerrainDef
{
	tnsTerrainKind kind;
	uint32_t seed;
	// hills, ridged, valley, island: how high the noise, the sides or the top get, the size of the largest feature,
	// the number of sizes, each half of the one before, and the share of height from one to the next.
	double height, wavelength, roughness;
	int octaves;
	// plane: rise per meter along x and z, zero in the middle of the world.
	double slopeX, slopeZ;
	// valley: runs along x (or z) and falls that way by `slope` per meter.
	bool alongZ;
	double slope, floorWidth, sideWidth, channelWidth, channelDepth, meander, meanderLength;
	// island: radius of its foot, and depth of the ground around it below zero.
	double radius, seaDepth;
	// basins: lattice spacings in cells, amplitudes and tilt per cell in 1/256 m.
	int basinOctaveCount;
	int basinSpacings[TNS_MAX_OCTAVES], basinAmplitudes[TNS_MAX_OCTAVES];
	int basinTiltX, basinTiltZ;
} tnsTerrainDef;

tnsTerrainDef tnsDefaultTerrainDef(void);

// Value noise in [0, 1), lattice spacing 1.
double tnsNoise(double x, double z, uint32_t seed);

// Heights of all kinds but tns_fileTerrain.
void tnsMakeTerrain(const tnsTerrainDef* def, const tnsCells* cells, float* heights);

// The height of the basins terrain at a cell, 1/256 m.
int tnsGetBasinHeight(const tnsTerrainDef* def, int column, int row);

// ---------------------------------------------------------------------------------------------------------------------
// Features: simple shapes put on a terrain, one after the other

typedef enum tnsFeatureKind
{
	tns_boxFeature = 0,
	tns_discFeature,
	tns_coneFeature,
	tns_rampFeature,
	tns_channelFeature,
	tns_wallFeature,
	tns_featureKindCount,
} tnsFeatureKind;

typedef enum tnsFeatureChange
{
	// Add `value` meters.
	tns_changeHeight = 0,
	// Fill up to `value`, where the ground is lower.
	tns_changeTop,
	// Cut down to `value`, where the ground is higher.
	tns_changeBottom,
	// Set to `value`.
	tns_changeLevel,
	tns_featureChangeCount,
} tnsFeatureChange;

typedef struct tnsFeaturePoint
{
	double x, z;
	// Bed of a channel here.
	double height;
} tnsFeaturePoint;

typedef struct tnsFeature
{
	tnsFeatureKind kind;
	tnsFeatureChange change;
	double value;
	// Centre and size: width along x, length along z (box, ramp), radius (disc, cone).
	double x, z, width, length, radius;
	// The change fades to nothing over this distance outside the shape (box, disc, ramp, wall).
	double rim;
	// Ramp: heights at its west and east ends (or north and south).
	double from, to;
	bool alongZ;
	// Channel: how deep below the ground, or, if its points have heights, how far its banks rise above its bed.
	double depth;
	bool hasHeights;
	const tnsFeaturePoint* points;
	int pointCount;
} tnsFeature;

typedef struct tnsBlockOfCells
{
	int column, row, columnCount, rowCount;
} tnsBlockOfCells;

// The cells a feature can change. Empty if it misses the world.
tnsBlockOfCells tnsGetFeatureBlock(const tnsFeature* feature, const tnsCells* cells);

// Apply to the heights of a block, row by row with a stride.
void tnsApplyFeature(
	const tnsFeature* feature, const tnsCells* cells, tnsBlockOfCells block, float* heights, int stride);

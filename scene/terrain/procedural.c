// SPDX-License-Identifier: MIT

// Seeded terrain: noise, ridges, valleys and features, the same heights on every machine.

#include "terrain/procedural.h"

#include <math.h>

tnsTerrainDef tnsDefaultTerrainDef(void)
{
	// The public set of the verification terrain: features of 16, 8, 4 and 2 cells, 8, 4, 2 and 0.75 m high.
	static const int spacings[] = {16, 8, 4, 2};
	static const int amplitudes[] = {2048, 1024, 512, 192};

	tnsTerrainDef def = {0};
	def.seed = 1;
	def.height = 10.0;
	def.wavelength = 64.0;
	def.roughness = 0.5;
	def.octaves = 5;
	def.slope = 0.005;
	def.floorWidth = 60.0;
	def.sideWidth = 80.0;
	def.channelWidth = 12.0;
	def.channelDepth = 2.0;
	def.meander = 20.0;
	def.meanderLength = 120.0;
	def.radius = 100.0;
	def.seaDepth = 10.0;
	def.basinOctaveCount = 4;
	for (int i = 0; i < 4; ++i)
	{
		def.basinSpacings[i] = spacings[i];
		def.basinAmplitudes[i] = amplitudes[i];
	}
	return def;
}

// ---------------------------------------------------------------------------------------------------------------------
// Noise

// The hash of the verification terrain. Multiplication wraps.
static uint32_t tnsHash(uint32_t x, uint32_t z, uint32_t seed)
{
	uint32_t v = x * 0x9E3779B1u + z * 0x85EBCA77u + seed * 0xC2B2AE3Du;
	v ^= v >> 15;
	v *= 0x2C1B3C6Du;
	v ^= v >> 12;
	v *= 0x297A2D39u;
	v ^= v >> 15;
	return v;
}

// In [0, 1): 24 bits are exact in every floating point type.
static double tnsLatticeValue(int64_t x, int64_t z, uint32_t seed)
{
	return (double)(tnsHash((uint32_t)x, (uint32_t)z, seed) >> 8) / 16777216.0;
}

static int64_t tnsFloor(double x)
{
	const int64_t whole = (int64_t)x;
	return (double)whole > x ? whole - 1 : whole;
}

// 6t^5 - 15t^4 + 10t^3: first and second derivatives are zero at both ends, so the lattice does not show in slopes.
static double tnsFade(double t)
{
	return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

static double tnsClamp01(double x)
{
	return x < 0.0 ? 0.0 : (x > 1.0 ? 1.0 : x);
}

static double tnsMix(double a, double b, double t)
{
	return a + (b - a) * t;
}

double tnsNoise(double x, double z, uint32_t seed)
{
	const int64_t column = tnsFloor(x), row = tnsFloor(z);
	const double u = tnsFade(x - (double)column), v = tnsFade(z - (double)row);
	const double north = tnsMix(tnsLatticeValue(column, row, seed), tnsLatticeValue(column + 1, row, seed), u);
	const double south = tnsMix(tnsLatticeValue(column, row + 1, seed), tnsLatticeValue(column + 1, row + 1, seed), u);
	return tnsMix(north, south, v);
}

// Sum of octaves in [0, 1). The first is turned by the angle of the 5-12-13 triangle and each of the others by that of
// the 3-4-5 triangle against the one before, so that their lattices line up neither with the world nor with each other.
static double tnsFractal(const tnsTerrainDef* def, double x, double z, bool ridged)
{
	double px = (12.0 * x - 5.0 * z) / (13.0 * def->wavelength), pz = (5.0 * x + 12.0 * z) / (13.0 * def->wavelength);
	double sum = 0.0, amplitude = 1.0, total = 0.0, weight = 1.0;
	for (int octave = 0; octave < def->octaves; ++octave)
	{
		double value = tnsNoise(px, pz, def->seed + 101u * (uint32_t)octave);
		if (ridged)
		{
			// Crests where the noise crosses one half; small crests stand mostly on the flanks of large ones.
			const double fold = 2.0 * value - 1.0;
			const double crest = 1.0 - (fold < 0.0 ? -fold : fold);
			value = crest * crest * weight;
			weight = tnsClamp01(0.3 + 2.0 * value);
		}
		sum += amplitude * value;
		total += amplitude;
		amplitude *= def->roughness;
		const double turnedX = 0.8 * px - 0.6 * pz, turnedZ = 0.6 * px + 0.8 * pz;
		px = 2.0 * turnedX;
		pz = 2.0 * turnedZ;
	}
	return sum / total;
}

// A smooth wave of period 1 and amplitude 1: two parabolas, close to a sine.
static double tnsWave(double t)
{
	t -= (double)tnsFloor(t);
	return t < 0.5 ? 16.0 * t * (0.5 - t) : -16.0 * (t - 0.5) * (1.0 - t);
}

// ---------------------------------------------------------------------------------------------------------------------
// Kinds

// Offset of the river from the middle of the valley: a regular wave, bent by noise that is slower and noise that is
// faster. Stays within the amplitude and a quarter.
static double tnsGetMeander(const tnsTerrainDef* def, double along)
{
	const double t = along / def->meanderLength;
	const double phase = tnsLatticeValue(0, 7, def->seed);
	const double slow = tnsNoise(0.7 * t, 0.5, def->seed + 17u) - 0.5;
	const double fast = tnsNoise(2.3 * t, 0.5, def->seed + 18u) - 0.5;
	return def->meander * (0.5 * tnsWave(t + 0.6 * slow + phase) + 1.0 * slow + 0.5 * fast);
}

static double tnsGetValleyHeight(const tnsTerrainDef* def, double along, double across, double alongEnd, double noise)
{
	const double center = tnsGetMeander(def, along);
	// The difference quotient over a meter turns distance across into distance from the line.
	const double bend = tnsGetMeander(def, along + 0.5) - tnsGetMeander(def, along - 0.5);
	const double fromRiver = fabs(across - center) / sqrt(1.0 + bend * bend);

	// The sides follow the river only a little: it swings within the floor.
	const double fromFloor = fabs(across - 0.35 * center) - 0.5 * def->floorWidth;
	const double rise = tnsFade(tnsClamp01(fromFloor / def->sideWidth));
	double height = def->slope * (alongEnd - along);
	height += def->height * rise * (0.5 + 0.5 * noise);
	// A floor that is not a table: swells of a twentieth of the sides on average, beginning at the banks.
	height += 0.1 * def->height * noise * noise * tnsClamp01(fromRiver / def->channelWidth - 0.5);

	const double u = fromRiver / (0.5 * def->channelWidth);
	if (u < 1.0)
	{
		height -= def->channelDepth * (1.0 - u * u);
	}
	return height;
}

static double tnsGetIslandHeight(const tnsTerrainDef* def, double x, double z, double noise, double ridges)
{
	// The shore wanders by a fifth of the radius.
	const double r = sqrt(x * x + z * z) / def->radius * (1.0 + 0.8 * (noise - 0.5));
	const double cover = tnsFade(tnsClamp01(1.0 - r));
	return -def->seaDepth + cover * (def->seaDepth + def->height * (0.5 * noise + 0.5 * ridges));
}

int tnsGetBasinHeight(const tnsTerrainDef* def, int column, int row)
{
	int64_t height = 0;
	for (int octave = 0; octave < def->basinOctaveCount; ++octave)
	{
		const int spacing = def->basinSpacings[octave];
		const int64_t p = spacing, fx = column % spacing, fz = row % spacing;
		const uint32_t a = (uint32_t)(column / spacing), b = (uint32_t)(row / spacing);
		const uint32_t seed = def->seed + 101u * (uint32_t)octave;
		const int64_t sum = (int64_t)(tnsHash(a, b, seed) >> 20) * (p - fx) * (p - fz) +
			(int64_t)(tnsHash(a + 1, b, seed) >> 20) * fx * (p - fz) +
			(int64_t)(tnsHash(a, b + 1, seed) >> 20) * (p - fx) * fz +
			(int64_t)(tnsHash(a + 1, b + 1, seed) >> 20) * fx * fz;
		height += (int64_t)def->basinAmplitudes[octave] * sum / (p * p * 4096);
	}
	return (int)(height + (int64_t)def->basinTiltX * column + (int64_t)def->basinTiltZ * row);
}

void tnsMakeTerrain(const tnsTerrainDef* def, const tnsCells* cells, float* heights)
{
	const double sizeX = cells->columnCount * cells->cellSize, sizeZ = cells->rowCount * cells->cellSize;
	for (int row = 0; row < cells->rowCount; ++row)
	{
		const double z = (row + 0.5) * cells->cellSize;
		for (int column = 0; column < cells->columnCount; ++column)
		{
			const double x = (column + 0.5) * cells->cellSize;
			double height = 0.0;
			switch (def->kind)
			{
				case tns_planeTerrain:
					height = def->slopeX * (x - 0.5 * sizeX) + def->slopeZ * (z - 0.5 * sizeZ);
					break;
				case tns_hillsTerrain:
					height = def->height * tnsFractal(def, x, z, false);
					break;
				case tns_ridgedTerrain:
					height = def->height * tnsFractal(def, x, z, true);
					break;
				case tns_valleyTerrain:
				{
					const double noise = tnsFractal(def, x, z, false);
					height = def->alongZ ? tnsGetValleyHeight(def, z, x - 0.5 * sizeX, sizeZ, noise)
										 : tnsGetValleyHeight(def, x, z - 0.5 * sizeZ, sizeX, noise);
					break;
				}
				case tns_islandTerrain:
					height = tnsGetIslandHeight(def, x - 0.5 * sizeX, z - 0.5 * sizeZ, tnsFractal(def, x, z, false),
						tnsFractal(def, x, z, true));
					break;
				case tns_basinsTerrain:
					height = tnsGetBasinHeight(def, column, row) / 256.0;
					break;
				default:
					break;
			}
			heights[(size_t)row * (size_t)cells->columnCount + (size_t)column] = (float)height;
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Features

// The rectangle that a feature can change.
static void tnsGetReach(const tnsFeature* feature, double* lowX, double* highX, double* lowZ, double* highZ)
{
	if (feature->kind == tns_channelFeature || feature->kind == tns_wallFeature)
	{
		const double reach = 0.5 * feature->width + feature->rim;
		*lowX = *highX = feature->points[0].x;
		*lowZ = *highZ = feature->points[0].z;
		for (int i = 1; i < feature->pointCount; ++i)
		{
			const tnsFeaturePoint* point = feature->points + i;
			*lowX = point->x < *lowX ? point->x : *lowX;
			*highX = point->x > *highX ? point->x : *highX;
			*lowZ = point->z < *lowZ ? point->z : *lowZ;
			*highZ = point->z > *highZ ? point->z : *highZ;
		}
		*lowX -= reach, *highX += reach;
		*lowZ -= reach, *highZ += reach;
		return;
	}
	const bool round = feature->kind == tns_discFeature || feature->kind == tns_coneFeature;
	const double reachX = (round ? feature->radius : 0.5 * feature->width) + feature->rim;
	const double reachZ = (round ? feature->radius : 0.5 * feature->length) + feature->rim;
	*lowX = feature->x - reachX, *highX = feature->x + reachX;
	*lowZ = feature->z - reachZ, *highZ = feature->z + reachZ;
}

// Cells [begin, end) that [low, high] touches.
static void tnsGetCellRange(double low, double high, double origin, double cellSize, int count, int* begin, int* end)
{
	const double first = (low - origin) / cellSize, last = (high - origin) / cellSize;
	*begin = first <= 0.0 ? 0 : (first >= count ? count : (int)first);
	*end = last < 0.0 ? 0 : (last >= count ? count : (int)last + 1);
	*end = *end < *begin ? *begin : *end;
}

tnsBlockOfCells tnsGetFeatureBlock(const tnsFeature* feature, const tnsCells* cells)
{
	double lowX, highX, lowZ, highZ;
	tnsGetReach(feature, &lowX, &highX, &lowZ, &highZ);
	int columnEnd, rowEnd;
	tnsBlockOfCells block;
	tnsGetCellRange(lowX, highX, cells->originX, cells->cellSize, cells->columnCount, &block.column, &columnEnd);
	tnsGetCellRange(lowZ, highZ, cells->originZ, cells->cellSize, cells->rowCount, &block.row, &rowEnd);
	block.columnCount = columnEnd - block.column;
	block.rowCount = rowEnd - block.row;
	return block;
}

// Distance from the line through the points, and the height of the line at the nearest place.
static double tnsGetLineDistance(const tnsFeature* feature, double x, double z, double* height)
{
	double nearest = 0.0;
	for (int i = 0; i + 1 < feature->pointCount; ++i)
	{
		const tnsFeaturePoint* a = feature->points + i;
		const tnsFeaturePoint* b = a + 1;
		const double dx = b->x - a->x, dz = b->z - a->z;
		const double squared = dx * dx + dz * dz;
		const double t = squared > 0.0 ? tnsClamp01(((x - a->x) * dx + (z - a->z) * dz) / squared) : 0.0;
		const double ox = x - (a->x + t * dx), oz = z - (a->z + t * dz);
		const double distance = ox * ox + oz * oz;
		if (i == 0 || distance < nearest)
		{
			nearest = distance;
			*height = tnsMix(a->height, b->height, t);
		}
	}
	return sqrt(nearest);
}

static double tnsGetBoxDistance(const tnsFeature* feature, double x, double z)
{
	const double dx = fabs(x - feature->x) - 0.5 * feature->width, dz = fabs(z - feature->z) - 0.5 * feature->length;
	const double ox = dx > 0.0 ? dx : 0.0, oz = dz > 0.0 ? dz : 0.0;
	return sqrt(ox * ox + oz * oz);
}

static double tnsChangeHeight(tnsFeatureChange change, double height, double value, double share)
{
	double target = value;
	switch (change)
	{
		case tns_changeHeight:
			target = height + value;
			break;
		case tns_changeTop:
			target = value > height ? value : height;
			break;
		case tns_changeBottom:
			target = value < height ? value : height;
			break;
		default:
			break;
	}
	// Exactly the target inside the shape: walls of boxes stand on the height that was asked for.
	return share >= 1.0 ? target : height + share * (target - height);
}

static double tnsCutChannel(const tnsFeature* feature, double x, double z, double height)
{
	double bed = 0.0;
	const double u = tnsGetLineDistance(feature, x, z, &bed) / (0.5 * feature->width);
	if (u >= 1.0)
	{
		return height;
	}
	if (feature->hasHeights)
	{
		const double target = bed + feature->depth * u * u;
		return target < height ? target : height;
	}
	return height - feature->depth * (1.0 - u * u);
}

static double tnsShapeHeight(const tnsFeature* feature, double x, double z, double height)
{
	const double fromX = x - feature->x, fromZ = z - feature->z;
	double distance = 0.0, value = feature->value, unused = 0.0;
	switch (feature->kind)
	{
		case tns_channelFeature:
			return tnsCutChannel(feature, x, z, height);
		case tns_coneFeature:
		{
			const double share = 1.0 - sqrt(fromX * fromX + fromZ * fromZ) / feature->radius;
			return share > 0.0 ? tnsChangeHeight(feature->change, height, value, share) : height;
		}
		case tns_discFeature:
			distance = sqrt(fromX * fromX + fromZ * fromZ) - feature->radius;
			break;
		case tns_wallFeature:
			distance = tnsGetLineDistance(feature, x, z, &unused) - 0.5 * feature->width;
			break;
		case tns_rampFeature:
		{
			const double t = feature->alongZ ? fromZ / feature->length + 0.5 : fromX / feature->width + 0.5;
			value = tnsMix(feature->from, feature->to, tnsClamp01(t));
			distance = tnsGetBoxDistance(feature, x, z);
			break;
		}
		default:
			distance = tnsGetBoxDistance(feature, x, z);
			break;
	}
	if (distance > 0.0 && distance >= feature->rim)
	{
		return height;
	}
	const double share = distance <= 0.0 ? 1.0 : tnsFade(1.0 - distance / feature->rim);
	return tnsChangeHeight(feature->change, height, value, share);
}

void tnsApplyFeature(
	const tnsFeature* feature, const tnsCells* cells, tnsBlockOfCells block, float* heights, int stride)
{
	for (int row = 0; row < block.rowCount; ++row)
	{
		const double z = cells->originZ + (block.row + row + 0.5) * cells->cellSize;
		float* line = heights + (size_t)row * (size_t)stride;
		for (int column = 0; column < block.columnCount; ++column)
		{
			const double x = cells->originX + (block.column + column + 0.5) * cells->cellSize;
			line[column] = (float)tnsShapeHeight(feature, x, z, (double)line[column]);
		}
	}
}

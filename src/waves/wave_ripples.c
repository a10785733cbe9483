// SPDX-License-Identifier: MIT

// Ripples: waves that are too short for the finest band. Not their heights but their presence is moved (Ottosson 2011,
// section 4.7): each cell of a coarse grid has
//
//   E    mean square of height, m^2; energy per area is rho g E
//   P    = E d: where it goes. |d| is 1 if all of it runs the same way, 0 if it runs everywhere alike
//
// Grid. Cells have the size of 2, 4, 8 .. cells of the world: the smallest power of two with which there are at most
// 2^16. So they are the cells of a level of tnWaveBed, whose means over what is wet are used as they are.
//
// Ripples. All are taken to have 2/3 of the shortest length in the finest band, which is 4 of its cells:
//
//   k = 2 pi / (8/3 cell)    omega^2 = g k + (sigma / rho) k^3
//   c = d omega / d k = (g + 3 (sigma / rho) k^2) / (2 omega)
//
// Water is deep for them.
//
// Propagation. The kinetic equation of energy that runs with speed c into all directions has the moments
//
//   dE/dt + c div P = 0     dP/dt + c div T = 0     T = |P| u u + (E - |P|) / 2      u = P / |P|
//
// where T, which two moments do not give, is that of a beam and an isotropic rest, as in the transport of radiation
// (Levermore 1984, J. Quant. Spectrosc. Radiat. Transfer 31). Signals then run with c forwards and c/2 backwards. In a
// step a cell gives each of its eight neighbours, in direction n,
//
//   of the beam:  q |P| max(0, u n), all of it running along u
//   of the rest:  q' (E - |P|) / pi, running along n, |d| = pi/4: the means of max(0, u n) and u max(0, u n) over all u
//
// with q = q1 for edges and q1/2 for corners. As max(0, x) = (x + |x|) / 2, and opposite neighbours cancel in the
// second part, a beam is moved by dx (q1 + sqrt(2) q1/2) u: the same in all directions. So q1 = c dt / dx / (1 +
// sqrt(1/2)). Corners with half the weight make the numerical diffusion of axes and diagonals the same: c dx / 2 (1 - c
// dt / dx) along u, and 0.41 (between them up to 0.53) of it across. The rest goes to all eight alike, q' = c dt / dx /
// (1 + sqrt(2)), which has the same second equation: rings then are round to 14 % of their energy per angle (with q: 50
// %). The current moves all of a cell, upwind.
//
// What one cell gives is what others get, so energy is conserved. A cell gives less than it has if 1.15 c dt / dx +
// (|v_x| + |v_z|) dt / dx <= 1: c and v are limited to that (see TN_MAX_RIPPLE_COURANT).
//
// Shores. What runs onto a dry cell is lost: short waves break on a beach. (Seelig & Ahrens 1981, Coastal Eng. Res.
// Center TP 81-1, give xi^2 / (xi^2 + 5.5) of the amplitude back: 4 % for a slope of 1 : 10.) Walls at the edges of the
// world mirror.
//
// Sources, before each propagation, as exact solutions over a step. E_s is what the wind sustains:
//
//   decay   d(E - E_s)/dt = -D (E - E_s)  where E > E_s
//           D = 2 (2 nu k^2 + k/2 sqrt(nu_water omega / 2) film + damping)
//           Viscosity (Lamb 1932, article 349), and the film of dirt that all open water has: it makes the water at
//           the surface stick (article 351). It stands for turbulence, too, which has no term of its own.
//   rain    dE/dt = TN_RAIN_SHARE R w^2 / (2 g): a share of the energy of drops that fall with w.
//   wind    dE/dt = beta (E_s - E) where E < E_s; and it renews E_s of a cell at the same rate, so the direction turns.
//           E_s = s^2 / k^2. s^2 = 5.12e-3 U is the mean square slope of Cox & Munk (1954, J. Opt. Soc. Am. 44)
//           without what they see in calm air; bands get nothing from the wind, so ripples have all of it.
//           beta = 0.04 (u* / c_phase)^2 omega (Plant 1982, J. Geophys. Res. 87), net of losses.
//           Their slopes along and across the wind, 3.16 and 1.92, are those of a spread with <cos 2a> = 0.24, which
//           lies between that of a half circle, <cos a> = 0.64, and of the cosine, 0.79: TN_WIND_DIRECTION.
//   limit   (k a)^2 / 2 <= 0.44^2 / 2 (Stokes): steeper ones break. E_max = 0.098 / k^2.
//
// Bits. Two passes over rows, each writes only its own rows: tnPrepareRippleRow what a cell gives, tnMoveRippleRow what
// it gets. Sums over neighbours are made of opposite pairs, (W + E) + (N + S) and (NW + SE) + (NE + SW), so mirrored
// and transposed ripples have mirrored and transposed bits.

#include "wave_ripples.h"

#include "../core/numerics.h"
#include "wave_ripple_rows.h"

#include <math.h>
#include <string.h>

enum
{
	// Most cells.
	TN_MAX_RIPPLE_CELLS = 1 << 16,
	// Floats beside a row: ghosts, and 64-byte alignment.
	TN_RIPPLE_PAD = 16,
	// Rows that a worker takes at once.
	TN_RIPPLE_ROWS = 8,
};

#define TN_PI 3.14159265358979323846
// Surface tension, N/m, of water at 20 degrees, and its density, kg/m^3.
#define TN_SURFACE_TENSION 0.074
#define TN_WATER_DENSITY 1000.0
// m^2/s, of water at 20 degrees.
#define TN_WATER_VISCOSITY 1.0e-6
// Speed of drops of 2 mm, m/s (Gunn & Kinzer 1949), and which share of their energy becomes waves. The rest makes
// splashes and eddies. Chosen so that heavy rain, 30 mm/h, sustains about a millimeter.
#define TN_DROP_SPEED 6.5
#define TN_RAIN_SHARE 0.01
// Slope per wind speed, s/m, and steepest mean square slope: see above.
#define TN_SLOPE_PER_WIND 5.12e-3
#define TN_STEEPEST_SLOPE 0.098
// (Friction velocity / wind speed)^2 over water of moderate roughness.
#define TN_WIND_DRAG 1.2e-3
#define TN_WIND_DIRECTION 0.75f
// Growth takes 1 to 10 seconds. Plant's rate is that of one wave; in a gust the shortest come first and feed the
// others.
#define TN_LEAST_GROWTH 0.1
#define TN_MOST_GROWTH 1.0
// What gravity is at least in conversions from Joule, m/s^2: without gravity a height has no energy.
#define TN_LEAST_GRAVITY 0.01

// ---------------------------------------------------------------------------------------------------------------------
// Life

static size_t tnGetRippleFloats(const tnRipples* ripples)
{
	return (size_t)ripples->stride * (size_t)(ripples->rowCount + 2);
}

static double tnGetRippleWaveNumber(const tnRipplesDef* def)
{
	return 2.0 * TN_PI / (8.0 / 3.0 * (double)def->finestCell);
}

static double tnGetRippleFrequency(const tnRipplesDef* def)
{
	const double k = tnGetRippleWaveNumber(def);
	return sqrt(k * ((double)def->gravity + TN_SURFACE_TENSION / TN_WATER_DENSITY * k * k));
}

void tnRipples_SetDamping(tnRipples* ripples, float damping)
{
	const double k = tnGetRippleWaveNumber(&ripples->def);
	const double frequency = tnGetRippleFrequency(&ripples->def);
	const double film = (double)ripples->def.film * 0.5 * k * sqrt(0.5 * TN_WATER_VISCOSITY * frequency);
	ripples->def.damping = damping;
	ripples->decayRate = (float)(2.0 * (2.0 * (double)ripples->def.viscosity * k * k + film + (double)damping));
}

void tnRipples_SetGravity(tnRipples* ripples, float gravity)
{
	ripples->def.gravity = gravity;
	const double tension = TN_SURFACE_TENSION / TN_WATER_DENSITY;
	const double k = tnGetRippleWaveNumber(&ripples->def);
	const double frequency = tnGetRippleFrequency(&ripples->def);
	ripples->waveNumber = (float)k;
	ripples->frequency = (float)frequency;
	ripples->groupSpeed = (float)(((double)gravity + 3.0 * tension * k * k) / (2.0 * frequency));
	ripples->energyLimit = (float)(TN_STEEPEST_SLOPE / (k * k));
	tnRipples_SetDamping(ripples, ripples->def.damping);
}

void tnRipples_SetViscosity(tnRipples* ripples, float viscosity)
{
	ripples->def.viscosity = viscosity;
	tnRipples_SetDamping(ripples, ripples->def.damping);
}

// Lay the fields into a block, which may be NULL. Returns how many bytes that takes.
static size_t tnLayRipples(tnRipples* ripples, float* block)
{
	tnCarver carver = {.block = (char*)block};
	for (int kind = 0; kind < tn_rippleFieldCount; ++kind)
	{
		float* field = tnCarve(&carver, tnGetRippleFloats(ripples) * sizeof(float));
		ripples->fields[kind] = field != NULL ? field + ripples->stride + TN_RIPPLE_PAD : NULL;
	}
	return carver.used;
}

tnRipples* tnRipples_Make(tnMemory* memory, const tnRipplesDef* def)
{
	tnRipples* ripples = tnMemory_Alloc(memory, sizeof(tnRipples));
	if (ripples == NULL)
	{
		return NULL;
	}
	ripples->def = *def;
	int shift = 0;
	int64_t columnCount, rowCount;
	do
	{
		shift += 1;
		columnCount = ((int64_t)def->columnCount + ((int64_t)1 << shift) - 1) >> shift;
		rowCount = ((int64_t)def->rowCount + ((int64_t)1 << shift) - 1) >> shift;
	} while (columnCount * rowCount > TN_MAX_RIPPLE_CELLS);
	ripples->shift = shift;
	ripples->columnCount = (int)columnCount;
	ripples->rowCount = (int)rowCount;
	ripples->cellSize = def->cellSize * (float)((int64_t)1 << shift);
	ripples->stride = (ripples->columnCount + 2 * TN_RIPPLE_PAD + 15) / 16 * 16;

	tnRipples_SetGravity(ripples, def->gravity);
	return ripples;
}

bool tnRipples_Reserve(tnRipples* ripples, tnMemory* memory)
{
	const size_t rowCount = (size_t)ripples->rowCount;
	ripples->memoryFloats = tnLayRipples(ripples, NULL) / sizeof(float);
	ripples->memory = tnMemory_Alloc(memory, ripples->memoryFloats * sizeof(float));
	ripples->live = tnMemory_Alloc(memory, 3 * rowCount);
	if (ripples->memory == NULL || ripples->live == NULL)
	{
		tnRipples_Free(ripples, memory);
		return false;
	}
	ripples->touched = ripples->live + rowCount;
	ripples->clear = ripples->touched + rowCount;
	memset(ripples->clear, 1, rowCount);
	tnLayRipples(ripples, ripples->memory);
	return true;
}

tnRipples* tnRipples_Create(tnMemory* memory, const tnRipplesDef* def)
{
	tnRipples* ripples = tnRipples_Make(memory, def);
	if (ripples != NULL && !tnRipples_Reserve(ripples, memory))
	{
		tnRipples_Destroy(ripples, memory);
		return NULL;
	}
	return ripples;
}

void tnRipples_Clear(tnRipples* ripples)
{
	// Field by field: there are red zones between them.
	for (int kind = 0; kind < tn_rippleFieldCount; ++kind)
	{
		float* field = ripples->fields[kind] - ripples->stride - TN_RIPPLE_PAD;
		memset(field, 0, tnGetRippleFloats(ripples) * sizeof(float));
	}
	memset(ripples->live, 0, 3 * (size_t)ripples->rowCount);
	memset(ripples->clear, 1, (size_t)ripples->rowCount);
	ripples->anyLive = false;
	tnLayRipples(ripples, ripples->memory);
}

void tnRipples_Free(tnRipples* ripples, tnMemory* memory)
{
	tnMemory_Free(memory, ripples->live, 3 * (size_t)ripples->rowCount);
	tnMemory_Free(memory, ripples->memory, ripples->memoryFloats * sizeof(float));
	ripples->live = NULL;
	ripples->memory = NULL;
}

void tnRipples_Destroy(tnRipples* ripples, tnMemory* memory)
{
	if (ripples != NULL)
	{
		tnRipples_Free(ripples, memory);
		tnMemory_Free(memory, ripples, sizeof(tnRipples));
	}
}

void tnRipples_SetEdges(tnRipples* ripples, const tnEdgeKind* edges)
{
	memcpy(ripples->def.edges, edges, sizeof(ripples->def.edges));
}

// ---------------------------------------------------------------------------------------------------------------------
// Step

static void tnPrepareRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnRippleStep* step = context;
	const int end = tnMinInt((item + 1) * TN_RIPPLE_ROWS, step->ripples->rowCount);
	for (int row = item * TN_RIPPLE_ROWS; row < end; ++row)
	{
		tnPrepareRippleRow(step, row);
	}
}

static void tnMoveRows(int item, int workerIndex, void* context)
{
	(void)workerIndex;
	const tnRippleStep* step = context;
	const int end = tnMinInt((item + 1) * TN_RIPPLE_ROWS, step->ripples->rowCount);
	for (int row = item * TN_RIPPLE_ROWS; row < end; ++row)
	{
		tnMoveRippleRow(step, row);
	}
}

static float tnGetWindSpeed(tnVec2 wind)
{
	return sqrtf(wind.x * wind.x + wind.z * wind.z);
}

void tnRipples_Step(
	tnRipples* ripples, const tnWaveBed* bed, tnParallel* parallel, tnVec2 wind, float rain, float timeStep)
{
	const float windSpeed = tnGetWindSpeed(wind);
	const bool fed = windSpeed > 0.0f || rain > 0.0f;
	if (!fed && !ripples->anyLive)
	{
		return;
	}
	tnRippleStep step = {.ripples = ripples, .bed = bed, .fed = fed};
	const double dt = (double)timeStep;
	const double decay = (double)ripples->decayRate;
	const double loss = 1.0 - tnExp(-decay * dt);
	step.loss = (float)loss;
	if (rain > 0.0f)
	{
		const double gravity = (double)tnMaxFloat(ripples->def.gravity, (float)TN_LEAST_GRAVITY);
		const double rate = TN_RAIN_SHARE * (double)rain * (0.5 * TN_DROP_SPEED * TN_DROP_SPEED / gravity);
		const double gain = rate * (loss > 0.0 ? loss / decay : dt);
		step.rain = gain < (double)ripples->energyLimit ? (float)gain : ripples->energyLimit;
	}
	if (windSpeed > 0.0f)
	{
		const double phaseSpeed = (double)ripples->frequency / (double)ripples->waveNumber;
		const double ratio = (double)windSpeed / phaseSpeed;
		const double plant = 0.04 * TN_WIND_DRAG * ratio * ratio * (double)ripples->frequency;
		const double growth =
			plant < TN_LEAST_GROWTH ? TN_LEAST_GROWTH : (plant > TN_MOST_GROWTH ? TN_MOST_GROWTH : plant);
		step.growth = (float)(1.0 - tnExp(-growth * dt));
		step.saturation = tnRipples_GetSaturation(ripples, wind);
		step.windX = TN_WIND_DIRECTION * (wind.x / windSpeed);
		step.windZ = TN_WIND_DIRECTION * (wind.z / windSpeed);
	}
	step.perSpeed = timeStep / ripples->cellSize;
	const float courant = tnMinFloat(ripples->groupSpeed * step.perSpeed, TN_MAX_RIPPLE_COURANT);
	step.edgeShare = courant / 1.70710678f;
	step.cornerShare = 0.5f * step.edgeShare;
	step.restShare = courant / 2.41421356f;

	const int itemCount = (ripples->rowCount + TN_RIPPLE_ROWS - 1) / TN_RIPPLE_ROWS;
	tnParallelFor(parallel, itemCount, tnPrepareRows, &step);
	tnSetRippleGhosts(ripples);
	tnParallelFor(parallel, itemCount, tnMoveRows, &step);
	ripples->anyLive = false;
	for (int row = 0; row < ripples->rowCount; ++row)
	{
		ripples->anyLive |= ripples->live[row] != 0;
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// In and out

// First and last cell that a span covers, clipped.
static void tnGetSpan(float low, float high, float origin, float cellSize, int count, int* first, int* last)
{
	const double begin = ((double)low - (double)origin) / (double)cellSize;
	const double end = ((double)high - (double)origin) / (double)cellSize;
	*first = begin > 0.0 ? (begin < count ? (int)begin : count) : 0;
	*last = end > 0.0 ? (end < count ? (int)end : count - 1) : -1;
}

void tnRipples_AddEnergy(tnRipples* ripples, tnVec2 center, float radius, float energy, tnVec2 direction)
{
	if (!(energy > 0.0f))
	{
		return;
	}
	const float reach = tnMaxFloat(radius, ripples->cellSize);
	int firstColumn, lastColumn, firstRow, lastRow;
	tnGetSpan(center.x - reach, center.x + reach, ripples->def.origin.x, ripples->cellSize, ripples->columnCount,
		&firstColumn, &lastColumn);
	tnGetSpan(center.z - reach, center.z + reach, ripples->def.origin.z, ripples->cellSize, ripples->rowCount,
		&firstRow, &lastRow);
	// Twice the same loop: sum of the weights, then shares. A disc that leaves the world leaves all it has inside.
	double weightSum = 0.0;
	double share = 0.0;
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int row = firstRow; row <= lastRow; ++row)
		{
			for (int column = firstColumn; column <= lastColumn; ++column)
			{
				const float x = ripples->def.origin.x + ((float)column + 0.5f) * ripples->cellSize - center.x;
				const float z = ripples->def.origin.z + ((float)row + 0.5f) * ripples->cellSize - center.z;
				const float inside = 1.0f - (x * x + z * z) / (reach * reach);
				if (!(inside > 0.0f))
				{
					continue;
				}
				const double weight = (double)inside * (double)inside;
				weightSum += pass == 0 ? weight : 0.0;
				if (pass == 1)
				{
					const ptrdiff_t cell = (ptrdiff_t)row * ripples->stride + column;
					const float before = ripples->fields[tn_rippleEnergy][cell];
					const double wanted = (double)before + weight * share;
					const float after = wanted < (double)ripples->energyLimit ? (float)wanted : ripples->energyLimit;
					const float part = after > 0.0f && after > before ? (after - before) / after : 0.0f;
					float* alongX = ripples->fields[tn_rippleDirectionX] + cell;
					float* alongZ = ripples->fields[tn_rippleDirectionZ] + cell;
					*alongX += part * (direction.x - *alongX);
					*alongZ += part * (direction.z - *alongZ);
					ripples->fields[tn_rippleEnergy][cell] = tnMaxFloat(before, after);
					ripples->live[row] = 1;
					ripples->anyLive = true;
				}
			}
		}
		if (!(weightSum > 0.0))
		{
			return;
		}
		const double gravity = (double)tnMaxFloat(ripples->def.gravity, (float)TN_LEAST_GRAVITY);
		const double cellArea = (double)ripples->cellSize * (double)ripples->cellSize;
		share = (double)energy / (TN_WATER_DENSITY * gravity * cellArea * weightSum);
	}
}

void tnRipples_Sample(const tnRipples* ripples, tnVec2 position, float* energy, tnVec2* direction)
{
	*energy = 0.0f;
	*direction = (tnVec2){0.0f, 0.0f};
	const double x = ((double)position.x - (double)ripples->def.origin.x) / (double)ripples->cellSize;
	const double z = ((double)position.z - (double)ripples->def.origin.z) / (double)ripples->cellSize;
	if (!(x >= 0.0 && x <= ripples->columnCount && z >= 0.0 && z <= ripples->rowCount))
	{
		return;
	}
	// Between the centres of four cells; beyond the outermost as on them.
	const int column = tnClampInt((int)(x + 0.5) - 1, 0, tnMaxInt(ripples->columnCount - 2, 0));
	const int row = tnClampInt((int)(z + 0.5) - 1, 0, tnMaxInt(ripples->rowCount - 2, 0));
	const float alongX = tnClampFloat((float)(x - 0.5 - column), 0.0f, 1.0f);
	const float alongZ = tnClampFloat((float)(z - 0.5 - row), 0.0f, 1.0f);
	float sum = 0.0f, sumX = 0.0f, sumZ = 0.0f;
	for (int corner = 0; corner < 4; ++corner)
	{
		const int c = tnMinInt(column + corner % 2, ripples->columnCount - 1);
		const int r = tnMinInt(row + corner / 2, ripples->rowCount - 1);
		const ptrdiff_t cell = (ptrdiff_t)r * ripples->stride + c;
		const float weight = (corner % 2 ? alongX : 1.0f - alongX) * (corner / 2 ? alongZ : 1.0f - alongZ);
		const float part = weight * ripples->fields[tn_rippleEnergy][cell];
		sum += part;
		sumX += part * ripples->fields[tn_rippleDirectionX][cell];
		sumZ += part * ripples->fields[tn_rippleDirectionZ][cell];
	}
	*energy = sum;
	if (sum > 0.0f)
	{
		*direction = (tnVec2){sumX / sum, sumZ / sum};
	}
}

tnRippleView tnRipples_GetView(const tnRipples* ripples)
{
	tnRippleView view = {.cellSize = ripples->cellSize};
	view.energy =
		(tnFieldView){ripples->fields[tn_rippleEnergy], ripples->columnCount, ripples->rowCount, ripples->stride};
	view.directionX = view.energy;
	view.directionX.data = ripples->fields[tn_rippleDirectionX];
	view.directionZ = view.energy;
	view.directionZ.data = ripples->fields[tn_rippleDirectionZ];
	return view;
}

float tnRipples_GetWaveNumber(const tnRipples* ripples)
{
	return ripples->waveNumber;
}

float tnRipples_GetGroupSpeed(const tnRipples* ripples)
{
	return ripples->groupSpeed;
}

float tnRipples_GetDecayRate(const tnRipples* ripples)
{
	return ripples->decayRate;
}

float tnRipples_GetEnergyLimit(const tnRipples* ripples)
{
	return ripples->energyLimit;
}

float tnRipples_GetSaturation(const tnRipples* ripples, tnVec2 wind)
{
	const double slope = TN_SLOPE_PER_WIND * (double)tnGetWindSpeed(wind);
	const double most = slope < TN_STEEPEST_SLOPE ? slope : TN_STEEPEST_SLOPE;
	return (float)(most / ((double)ripples->waveNumber * (double)ripples->waveNumber));
}

bool tnRipples_AreAtRest(const tnRipples* ripples)
{
	return !ripples->anyLive;
}

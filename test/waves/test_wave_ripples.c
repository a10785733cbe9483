// SPDX-License-Identifier: MIT

// Ripples: the equations at the top of wave_ripples.c, one by one.

#include "core/hash.h"
#include "harness.h"
#include "waves/wave_ripple_rows.h"
#include "waves/wave_ripples.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define DENSITY 1000.0
#define GRAVITY 9.81

typedef struct Water
{
	tnMemory memory;
	tnParallel* parallel;
	tnRipples* ripples;
	// One level of the bed, with the cells of the ripples; shift 1 of a bed with two levels.
	tnWaveBed bed;
	float wet[64 * 64], velocityX[64 * 64], velocityZ[64 * 64];
} Water;

// Ripples that neither grow nor decay, on a grid of their own size, between walls.
static tnRipplesDef MakeDef(int columnCount, int rowCount)
{
	tnRipplesDef def = {0};
	def.columnCount = 2 * columnCount;
	def.rowCount = 2 * rowCount;
	def.cellSize = 0.25f;
	def.finestCell = 0.0625f;
	def.gravity = (float)GRAVITY;
	def.origin = (tnVec2){-3.0f, 5.0f};
	return def;
}

static bool Create(Water* water, const tnRipplesDef* def, int workerCount)
{
	memset(water, 0, sizeof(*water));
	const tnAllocator none = {0};
	tnMemory_Init(&water->memory, &none, 0);
	const tnTaskSystem tasks = {.workerCount = workerCount};
	water->parallel = tnCreateParallel(&water->memory, &tasks);
	water->ripples = tnRipples_Create(&water->memory, def);
	water->bed.levelCount = 2;
	tnWaveBedLevel* level = water->bed.levels + 1;
	level->columnCount = (def->columnCount + 1) / 2;
	level->rowCount = (def->rowCount + 1) / 2;
	level->wet = water->wet;
	level->velocityX = water->velocityX;
	level->velocityZ = water->velocityZ;
	for (int i = 0; i < 64 * 64; ++i)
	{
		water->wet[i] = 1.0f;
	}
	return water->parallel != NULL && water->ripples != NULL;
}

static void Destroy(Water* water)
{
	tnRipples_Destroy(water->ripples, &water->memory);
	tnDestroyParallel(water->parallel, &water->memory);
}

static void Set(Water* water, int column, int row, float energy, float x, float z)
{
	const ptrdiff_t cell = (ptrdiff_t)row * water->ripples->stride + column;
	water->ripples->fields[tn_rippleEnergy][cell] = energy;
	water->ripples->fields[tn_rippleDirectionX][cell] = x;
	water->ripples->fields[tn_rippleDirectionZ][cell] = z;
	water->ripples->live[row] = 1;
	water->ripples->anyLive = true;
}

static float Get(const Water* water, int column, int row, tnRippleField field)
{
	return water->ripples->fields[field][(ptrdiff_t)row * water->ripples->stride + column];
}

static void Step(Water* water, int count, float timeStep)
{
	for (int i = 0; i < count; ++i)
	{
		tnRipples_Step(water->ripples, &water->bed, water->parallel, (tnVec2){0.0f, 0.0f}, 0.0f, timeStep);
	}
}

typedef struct Moments
{
	double energy, x, z, directionX, directionZ, along, across;
} Moments;

// Sum of energies; means of place (cells), direction, and variance along and across a direction (cells^2).
static Moments GetMoments(const Water* water, double angle)
{
	Moments m = {0};
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int row = 0; row < water->ripples->rowCount; ++row)
		{
			for (int column = 0; column < water->ripples->columnCount; ++column)
			{
				const double energy = (double)Get(water, column, row, tn_rippleEnergy);
				if (pass == 0)
				{
					m.energy += energy;
					m.x += energy * column;
					m.z += energy * row;
					m.directionX += energy * (double)Get(water, column, row, tn_rippleDirectionX);
					m.directionZ += energy * (double)Get(water, column, row, tn_rippleDirectionZ);
				}
				else
				{
					const double x = column - m.x;
					const double z = row - m.z;
					m.along += energy * pow(x * cos(angle) + z * sin(angle), 2.0) / m.energy;
					m.across += energy * pow(z * cos(angle) - x * sin(angle), 2.0) / m.energy;
				}
			}
		}
		if (pass == 0)
		{
			m.x /= m.energy;
			m.z /= m.energy;
			m.directionX /= m.energy;
			m.directionZ /= m.energy;
		}
	}
	return m;
}

static void Scatter(Water* water, uint64_t seed, float highest)
{
	TestRandom random = TestMakeRandom(seed);
	for (int row = 0; row < water->ripples->rowCount; ++row)
	{
		for (int column = 0; column < water->ripples->columnCount; ++column)
		{
			const float length = TestRandomFloat(&random, 0.0f, 1.0f);
			const float angle = TestRandomFloat(&random, 0.0f, 6.2831f);
			Set(water, column, row, TestRandomFloat(&random, 0.0f, highest), length * cosf(angle),
				length * sinf(angle));
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------

// Lengths of 1/6 m: deep water, some surface tension.
static int NumbersAreThoseOfWater(void)
{
	Water water;
	tnRipplesDef def = MakeDef(37, 23);
	def.viscosity = 1.0e-6f;
	def.film = 1.0f;
	def.damping = 0.1f;
	ENSURE(Create(&water, &def, 1));
	const double k = 2.0 * PI / (1.0 / 6.0);
	const double omega = sqrt(GRAVITY * k + 7.4e-5 * k * k * k);
	const double step = 1.0e-4 * k;
	const double above = sqrt(GRAVITY * (k + step) + 7.4e-5 * pow(k + step, 3.0));
	const double below = sqrt(GRAVITY * (k - step) + 7.4e-5 * pow(k - step, 3.0));
	ENSURE_CLOSE(tnRipples_GetWaveNumber(water.ripples), k, 1.0e-5 * k);
	ENSURE_CLOSE(tnRipples_GetGroupSpeed(water.ripples), (above - below) / (2.0 * step), 1.0e-6);
	const double film = 0.5 * k * sqrt(0.5e-6 * omega);
	ENSURE_CLOSE(tnRipples_GetDecayRate(water.ripples), 4.0e-6 * k * k + 2.0 * film + 0.2, 1.0e-6);
	// 5 m/s of wind: 4 mm.
	const tnVec2 wind = {3.0f, -4.0f};
	ENSURE_CLOSE(sqrt((double)tnRipples_GetSaturation(water.ripples, wind)), sqrt(0.0256) / k, 1.0e-7);
	ENSURE_EQUAL_INT(water.ripples->columnCount, 37);
	ENSURE_EQUAL_INT(water.ripples->rowCount, 23);
	Destroy(&water);

	// At most 2^16 cells, whatever the world.
	def.columnCount = 16384;
	def.rowCount = 16384;
	tnMemory memory;
	const tnAllocator none = {0};
	tnMemory_Init(&memory, &none, 0);
	tnRipples* ripples = tnRipples_Create(&memory, &def);
	ENSURE(ripples != NULL);
	const tnRippleView view = tnRipples_GetView(ripples);
	ENSURE_EQUAL_INT(view.energy.columnCount, 256);
	ENSURE_EQUAL_INT(view.energy.rowCount, 256);
	ENSURE_CLOSE(view.cellSize, 16.0, 0.0);
	tnRipples_Destroy(ripples, &memory);
	ENSURE_EQUAL_INT(memory.byteCount, 0);
	return 0;
}

// Between walls and in a world that wraps, with and without a current, at usual and at the longest steps. 851 cells
// round to 6e-8 each, in both directions. So low that none break where currents pile them up.
static int EnergyIsConserved(void)
{
	for (int kind = 0; kind < 6; ++kind)
	{
		Water water;
		tnRipplesDef def = MakeDef(37, 23);
		for (int side = 0; side < tn_sideCount; ++side)
		{
			def.edges[side] = kind % 2 ? tn_wrapEdge : tn_wallEdge;
		}
		ENSURE(Create(&water, &def, 1));
		Scatter(&water, 17, 2.0e-8f);
		for (int i = 0; i < 37 * 23 && kind >= 4; ++i)
		{
			water.velocityX[i] = 1.5f * sinf(0.37f * (float)i);
			water.velocityZ[i] = 1.5f * cosf(0.11f * (float)i);
		}
		const double before = GetMoments(&water, 0.0).energy;
		Step(&water, TEST_REPEATS(6000), kind / 2 % 2 ? 10.0f : 1.0f / 60.0f);
		ENSURE_CLOSE(GetMoments(&water, 0.0).energy / before, 1.0, 1.0e-6);
		Destroy(&water);
	}
	return 0;
}

// A packet in which all runs the same way goes on doing so, with the group speed, in any direction. Its speed does not
// depend on the direction at all (see wave_ripples.c), only rounding does. What the grid blurs is as stated there, too.
static int PacketsRunStraight(void)
{
	const double angles[4] = {0.0, 0.25 * PI, PI / 6.0, -0.5 * PI};
	for (int i = 0; i < 4; ++i)
	{
		if (TEST_LEAVES_OUT(i + 2))
		{
			continue;
		}
		Water water;
		const tnRipplesDef def = MakeDef(63, 59);
		ENSURE(Create(&water, &def, 1));
		const float directionX = (float)cos(angles[i]);
		const float directionZ = (float)sin(angles[i]);
		const double middle = i == 3 ? 44.0 : 15.0;
		for (int row = 0; row < 59; ++row)
		{
			for (int column = 0; column < 63; ++column)
			{
				const double square = pow(column - 15.0, 2.0) + pow(row - middle, 2.0);
				Set(&water, column, row, (float)(1.0e-5 * exp(-square / 8.0)), directionX, directionZ);
			}
		}
		const Moments before = GetMoments(&water, angles[i]);
		const float timeStep = 1.0f / 60.0f;
		const int stepCount = 2000;
		Step(&water, stepCount, timeStep);
		const Moments after = GetMoments(&water, angles[i]);
		const double way = (double)tnRipples_GetGroupSpeed(water.ripples) * stepCount * (double)timeStep / 0.5;
		ENSURE(way > 17.0);
		ENSURE_CLOSE((after.x - before.x) / way, cos(angles[i]), 0.001);
		ENSURE_CLOSE((after.z - before.z) / way, sin(angles[i]), 0.001);
		ENSURE_CLOSE(hypot(after.directionX, after.directionZ), 1.0, 1.0e-4);
		ENSURE_CLOSE(atan2(after.directionZ, after.directionX), angles[i], 1.0e-4);
		// Twice the diffusion times time.
		ENSURE_CLOSE((after.along - before.along) / way, 1.0, 0.02);
		ENSURE_CLOSE((after.across - before.across) / way, i == 2 ? 0.53 : 0.41, 0.02);
		Destroy(&water);
	}
	return 0;
}

// What is dropped at a point runs outwards as a ring, with the group speed, the same in all directions.
static int DropsBecomeRings(void)
{
	Water water;
	const tnRipplesDef def = MakeDef(63, 63);
	ENSURE(Create(&water, &def, 1));
	Set(&water, 31, 31, 1.0e-5f, 0.0f, 0.0f);
	const float timeStep = 1.0f / 60.0f;
	const int stepCount = 2600;
	Step(&water, stepCount, timeStep);
	const double way = (double)tnRipples_GetGroupSpeed(water.ripples) * stepCount * (double)timeStep / 0.5;
	double energy = 0.0, outwards = 0.0, radius = 0.0;
	double profiles[2][32] = {{0}};
	for (int row = 0; row < 63; ++row)
	{
		for (int column = 0; column < 63; ++column)
		{
			const double x = column - 31.0, z = row - 31.0, r = hypot(x, z);
			const double e = (double)Get(&water, column, row, tn_rippleEnergy);
			energy += e;
			radius += e * r;
			outwards += r > 0.0 ? e *
					(x * (double)Get(&water, column, row, tn_rippleDirectionX) +
						z * (double)Get(&water, column, row, tn_rippleDirectionZ)) /
					r
								: 0.0;
		}
	}
	for (int i = 0; i < 31; ++i)
	{
		profiles[0][i] = (double)Get(&water, 31 + i, 31, tn_rippleEnergy);
		tnVec2 direction;
		float sample;
		const float place = (31.5f + (float)(i * 0.70710678)) * 0.5f;
		tnRipples_Sample(water.ripples, (tnVec2){place - 3.0f, place + 5.0f}, &sample, &direction);
		profiles[1][i] = (double)sample;
	}
	int peaks[2] = {0};
	for (int i = 0; i < 31; ++i)
	{
		peaks[0] = profiles[0][i] > profiles[0][peaks[0]] ? i : peaks[0];
		peaks[1] = profiles[1][i] > profiles[1][peaks[1]] ? i : peaks[1];
	}
	ENSURE(way > 22.0);
	ENSURE_CLOSE(outwards / energy, 0.965, 0.01);
	ENSURE_CLOSE(radius / energy / way, 1.0, 0.02);
	// It is a ring, and nearly round.
	ENSURE(profiles[0][peaks[0]] > 8.0 * profiles[0][0]);
	ENSURE_CLOSE(peaks[0], way, 0.1 * way);
	ENSURE_CLOSE(peaks[1], peaks[0], 1);
	ENSURE_CLOSE(profiles[1][peaks[1]] / profiles[0][peaks[0]], 1.0, 0.1);
	Destroy(&water);
	return 0;
}

static int WindFeedsUpToSaturation(void)
{
	Water water;
	tnRipplesDef def = MakeDef(13, 11);
	def.film = 1.0f;
	def.viscosity = 1.0e-6f;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side] = tn_wrapEdge;
	}
	ENSURE(Create(&water, &def, 1));
	const tnVec2 wind = {6.0f, -8.0f};
	const double saturation = (double)tnRipples_GetSaturation(water.ripples, wind);
	double last = 0.0;
	for (int second = 1; second <= 60; ++second)
	{
		for (int i = 0; i < 60; ++i)
		{
			tnRipples_Step(water.ripples, &water.bed, water.parallel, wind, 0.0f, 1.0f / 60.0f);
		}
		const double now = (double)Get(&water, 5, 5, tn_rippleEnergy);
		ENSURE(now >= last && now <= saturation * 1.0001);
		// Plant's rate at 10 m/s: 0.04 * 1.2e-3 * (10 / 0.515)^2 * 19.5 = 0.35 1/s.
		if (second == 2)
		{
			ENSURE_CLOSE(now / saturation, 1.0 - exp(-2.0 * 0.35), 0.02);
		}
		last = now;
	}
	ENSURE_CLOSE(last / saturation, 1.0, 1.0e-4);
	ENSURE_CLOSE(Get(&water, 3, 4, tn_rippleDirectionX), 0.75 * 0.6, 1.0e-4);
	ENSURE_CLOSE(Get(&water, 3, 4, tn_rippleDirectionZ), -0.75 * 0.8, 1.0e-4);
	// The wind turns: so do they, without getting lower.
	for (int i = 0; i < 1200; ++i)
	{
		tnRipples_Step(water.ripples, &water.bed, water.parallel, (tnVec2){-8.0f, -6.0f}, 0.0f, 1.0f / 60.0f);
	}
	ENSURE_CLOSE(Get(&water, 5, 5, tn_rippleEnergy) / saturation, 1.0, 1.0e-4);
	ENSURE_CLOSE(Get(&water, 5, 5, tn_rippleDirectionX), -0.75 * 0.8, 0.01);
	ENSURE_CLOSE(Get(&water, 5, 5, tn_rippleDirectionZ), -0.75 * 0.6, 0.01);
	// It drops: they decay, and nothing is left in the end.
	Step(&water, 600, 1.0f / 60.0f);
	const double rate = (double)tnRipples_GetDecayRate(water.ripples);
	ENSURE_CLOSE(Get(&water, 5, 5, tn_rippleEnergy) / saturation, exp(-10.0 * rate), 1.0e-4);
	Step(&water, 600, 1.0f);
	ENSURE(tnRipples_AreAtRest(water.ripples));
	Destroy(&water);
	return 0;
}

// Exponential, whatever the step; rain to its balance with decay, without a direction.
static int DecayAndRainAreExact(void)
{
	for (int kind = 0; kind < 2; ++kind)
	{
		Water water;
		tnRipplesDef def = MakeDef(9, 7);
		def.film = 1.0f;
		def.damping = 0.05f;
		ENSURE(Create(&water, &def, 1));
		for (int i = 0; i < 63; ++i)
		{
			Set(&water, i % 9, i / 9, 1.0e-6f, 0.0f, 0.0f);
		}
		const double rate = (double)tnRipples_GetDecayRate(water.ripples);
		const float timeStep = kind == 0 ? 1.0f / 60.0f : 0.5f;
		const int count = kind == 0 ? 1200 : 40;
		Step(&water, count, timeStep);
		// A sixtieth is rounded to 1e-8.
		ENSURE_CLOSE(Get(&water, 4, 3, tn_rippleEnergy) / 1.0e-6, exp(-20.0 * rate), 1.0e-4 * exp(-20.0 * rate));
		const float rain = 30.0e-3f / 3600.0f;
		const double gain = 0.01 * (double)rain * 6.5 * 6.5 / (2.0 * GRAVITY);
		const double balance = gain / rate;
		const double start = (double)Get(&water, 4, 3, tn_rippleEnergy);
		for (int i = 0; i < count; ++i)
		{
			tnRipples_Step(water.ripples, &water.bed, water.parallel, (tnVec2){0.0f, 0.0f}, rain, timeStep);
		}
		const double expected = balance + (start - balance) * exp(-20.0 * rate);
		ENSURE_CLOSE(Get(&water, 4, 3, tn_rippleEnergy) / expected, 1.0, 1.0e-4);
		ENSURE(Get(&water, 4, 3, tn_rippleDirectionX) == 0.0f && Get(&water, 4, 3, tn_rippleDirectionZ) == 0.0f);
		ENSURE(sqrt(balance) > 0.5e-3 && sqrt(balance) < 5.0e-3);
		Destroy(&water);
	}
	return 0;
}

// Dry cells have none and take what comes; ripples that run along the shore are left alone. Ripples leave through open
// edges, and walls turn them around.
static int ShoresAndEdges(void)
{
	Water water;
	tnRipplesDef def = MakeDef(31, 21);
	def.edges[tn_west] = tn_openEdge;
	ENSURE(Create(&water, &def, 1));
	for (int row = 0; row < 21; ++row)
	{
		for (int column = 20; column < 31; ++column)
		{
			water.wet[row * 31 + column] = 0.0f;
		}
	}
	const tnVec2 wind = {5.0f, 0.0f};
	for (int i = 0; i < 1200; ++i)
	{
		tnRipples_Step(water.ripples, &water.bed, water.parallel, wind, 1.0e-5f, 1.0f / 60.0f);
	}
	ENSURE(Get(&water, 19, 10, tn_rippleEnergy) > 1.0e-6f);
	for (int column = 20; column < 31; ++column)
	{
		ENSURE(Get(&water, column, 10, tn_rippleEnergy) == 0.0f);
		ENSURE(Get(&water, column, 10, tn_rippleDirectionX) == 0.0f);
	}
	// No land in sight: nothing is lost. A beam towards the shore: all is.
	for (int kind = 0; kind < 2; ++kind)
	{
		for (int i = 0; i < 31 * 21; ++i)
		{
			Set(&water, i % 31, i / 31, 0.0f, 0.0f, 0.0f);
		}
		for (int row = 0; row < 21; ++row)
		{
			Set(&water, 12, row, 1.0e-5f, kind == 0 ? 0.0f : 1.0f, kind == 0 ? 1.0f : 0.0f);
		}
		const double before = GetMoments(&water, 0.0).energy;
		Step(&water, kind == 0 ? 60 : 4000, 1.0f / 60.0f);
		const double after = GetMoments(&water, 0.0).energy;
		ENSURE_CLOSE(after / before, kind == 0 ? 1.0 : 0.0, kind == 0 ? 1.0e-6 : 1.0e-3);
	}
	// A wall in the north: what ran there comes back.
	for (int column = 0; column < 20; ++column)
	{
		Set(&water, column, 4, 1.0e-5f, 0.0f, -1.0f);
	}
	Step(&water, 900, 1.0f / 60.0f);
	const Moments back = GetMoments(&water, 0.0);
	ENSURE(back.directionZ > 0.3);
	// Out through the west.
	for (int i = 0; i < 31 * 21; ++i)
	{
		Set(&water, i % 31, i / 31, 0.0f, 0.0f, 0.0f);
	}
	Set(&water, 5, 10, 1.0e-5f, -1.0f, 0.0f);
	Step(&water, 3000, 1.0f / 60.0f);
	ENSURE_CLOSE(GetMoments(&water, 0.0).energy / 1.0e-5, 0.0, 1.0e-2);
	// Where the water falls dry they are gone.
	Set(&water, 5, 10, 1.0e-5f, -1.0f, 0.0f);
	memset(water.wet, 0, sizeof(water.wet));
	Step(&water, 1, 1.0f / 60.0f);
	ENSURE(GetMoments(&water, 0.0).energy == 0.0 && tnRipples_AreAtRest(water.ripples));
	Destroy(&water);
	return 0;
}

// The current carries all of them along; a bed with fewer levels than there are is averaged.
static int CurrentsCarryThem(void)
{
	for (int kind = 0; kind < 2; ++kind)
	{
		Water water;
		tnRipplesDef def = MakeDef(31, 31);
		ENSURE(Create(&water, &def, 1));
		for (int i = 0; i < 64 * 64; ++i)
		{
			water.velocityX[i] = 0.5f;
			water.velocityZ[i] = -0.25f;
		}
		if (kind == 1)
		{
			water.bed.levelCount = 1;
			water.bed.levels[0] = water.bed.levels[1];
			water.bed.levels[0].columnCount = 62;
			water.bed.levels[0].rowCount = 62;
		}
		Set(&water, 10, 20, 1.0e-5f, 0.0f, 0.0f);
		Step(&water, 240, 1.0f / 60.0f);
		const Moments m = GetMoments(&water, 0.0);
		ENSURE_CLOSE(m.x, 10.0 + 4.0 * 0.5 / 0.5, 0.01);
		ENSURE_CLOSE(m.z, 20.0 - 4.0 * 0.25 / 0.5, 0.01);
		Destroy(&water);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------

// Ripples, land and current that are mirrored (bits 1 and 2) or transposed (bit 4) give mirrored or transposed bits.
static void MakeMirrored(Water* water, int mirror, int count)
{
	TestRandom random = TestMakeRandom(5);
	for (int r = 0; r < count; ++r)
	{
		for (int c = 0; c < count; ++c)
		{
			float x = TestRandomFloat(&random, -0.7f, 0.7f), z = TestRandomFloat(&random, -0.7f, 0.7f);
			float u = TestRandomFloat(&random, -2.0f, 2.0f), v = TestRandomFloat(&random, -2.0f, 2.0f);
			const float energy = TestRandomFloat(&random, 0.0f, 2.0e-5f);
			const float wet = TestRandomFloat(&random, -0.2f, 1.0f);
			int column = mirror & 1 ? count - 1 - c : c;
			int row = mirror & 2 ? count - 1 - r : r;
			x = mirror & 1 ? -x : x;
			u = mirror & 1 ? -u : u;
			z = mirror & 2 ? -z : z;
			v = mirror & 2 ? -v : v;
			const bool turn = (mirror & 4) != 0;
			Set(water, turn ? row : column, turn ? column : row, energy, turn ? z : x, turn ? x : z);
			const int cell = turn ? column * count + row : row * count + column;
			water->wet[cell] = wet > 0.0f ? wet : 0.0f;
			water->velocityX[cell] = turn ? v : u;
			water->velocityZ[cell] = turn ? u : v;
		}
	}
}

static int MirroredRipplesHaveMirroredBits(void)
{
	enum
	{
		count = 27
	};
	static Water waters[8];
	tnRipplesDef def = MakeDef(count, count);
	def.film = 1.0f;
	for (int mirror = 0; mirror < 8; ++mirror)
	{
		Water* water = waters + mirror;
		ENSURE(Create(water, &def, 1));
		MakeMirrored(water, mirror, count);
		float x = mirror & 1 ? -4.0f : 4.0f, z = mirror & 2 ? 3.0f : -3.0f;
		const tnVec2 wind = {mirror & 4 ? z : x, mirror & 4 ? x : z};
		for (int i = 0; i < 50; ++i)
		{
			tnRipples_Step(water->ripples, &water->bed, water->parallel, wind, 1.0e-6f, 0.1f);
		}
		for (int r = 0; r < count; ++r)
		{
			for (int c = 0; c < count; ++c)
			{
				const int column = mirror & 1 ? count - 1 - c : c;
				const int row = mirror & 2 ? count - 1 - r : r;
				const bool turn = (mirror & 4) != 0;
				const int here = turn ? row : column, there = turn ? column : row;
				x = Get(water, here, there, turn ? tn_rippleDirectionZ : tn_rippleDirectionX);
				z = Get(water, here, there, turn ? tn_rippleDirectionX : tn_rippleDirectionZ);
				ENSURE(Get(water, here, there, tn_rippleEnergy) == Get(waters, c, r, tn_rippleEnergy));
				ENSURE((mirror & 1 ? -x : x) == Get(waters, c, r, tn_rippleDirectionX));
				ENSURE((mirror & 2 ? -z : z) == Get(waters, c, r, tn_rippleDirectionZ));
			}
		}
	}
	for (int mirror = 0; mirror < 8; ++mirror)
	{
		Destroy(waters + mirror);
	}
	return 0;
}

static uint64_t HashRipples(const Water* water)
{
	uint64_t hash = TN_HASH_SEED;
	const tnRippleView view = tnRipples_GetView(water->ripples);
	const tnFieldView fields[3] = {view.energy, view.directionX, view.directionZ};
	for (int i = 0; i < 3; ++i)
	{
		for (int row = 0; row < fields[i].rowCount; ++row)
		{
			hash = tnHashBytes(hash, fields[i].data + (ptrdiff_t)row * fields[i].stride,
				(size_t)fields[i].columnCount * sizeof(float));
		}
	}
	return hash;
}

static int WorkersDoNotMatter(void)
{
	uint64_t first = 0;
	for (int workerCount = 1; workerCount <= 5; ++workerCount)
	{
		Water water;
		tnRipplesDef def = MakeDef(61, 47);
		def.film = 1.0f;
		def.edges[tn_east] = tn_openEdge;
		ENSURE(Create(&water, &def, workerCount));
		Scatter(&water, 3, 2.0e-5f);
		for (int i = 0; i < 100; ++i)
		{
			const tnVec2 wind = {i < 50 ? 3.0f : 0.0f, i < 50 ? 1.0f : 0.0f};
			tnRipples_AddEnergy(water.ripples, (tnVec2){4.0f, 9.0f}, 2.0f, 0.1f, (tnVec2){0.0f, 0.5f});
			tnRipples_Step(water.ripples, &water.bed, water.parallel, wind, 0.0f, 1.0f / 60.0f);
		}
		const uint64_t hash = HashRipples(&water);
		first = workerCount == 1 ? hash : first;
		ENSURE_EQUAL_HEX(hash, first);
		Destroy(&water);
	}
	return 0;
}

// Joule in, mean squares of heights out.
static int EnergyIsAdded(void)
{
	Water water;
	const tnRipplesDef def = MakeDef(31, 21);
	ENSURE(Create(&water, &def, 1));
	ENSURE(tnRipples_AreAtRest(water.ripples));
	// Small and large discs, in a corner, and outside of the world.
	const float radii[4] = {0.01f, 2.0f, 3.0f, 1.0f};
	const tnVec2 centers[4] = {{2.0f, 8.0f}, {4.0f, 9.0f}, {-2.9f, 5.1f}, {-6.0f, 0.0f}};
	double expected = 0.0;
	for (int i = 0; i < 4; ++i)
	{
		tnRipples_AddEnergy(water.ripples, centers[i], radii[i], 0.05f, (tnVec2){0.6f, 0.0f});
		expected += i < 3 ? 0.05 : 0.0;
		const Moments m = GetMoments(&water, 0.0);
		ENSURE_CLOSE(m.energy * 0.25 * DENSITY * GRAVITY, expected, 1.0e-6);
		ENSURE_CLOSE(m.directionX, 0.6, 1.0e-6);
	}
	float energy;
	tnVec2 direction;
	tnRipples_Sample(water.ripples, (tnVec2){2.0f, 8.0f}, &energy, &direction);
	ENSURE(energy > 0.0f);
	ENSURE_CLOSE(direction.x, 0.6, 1.0e-6);
	tnRipples_Sample(water.ripples, (tnVec2){-3.1f, 8.0f}, &energy, &direction);
	ENSURE(energy == 0.0f && direction.x == 0.0f);
	// At a centre it is that of the cell.
	tnRipples_Sample(water.ripples, (tnVec2){-3.0f + 14.5f * 0.5f, 5.0f + 8.5f * 0.5f}, &energy, &direction);
	ENSURE_CLOSE(energy, Get(&water, 14, 8, tn_rippleEnergy), 1.0e-12);
	Destroy(&water);
	return 0;
}

static int ExtremesAreSurvived(void)
{
	const float big[3] = {0.0f, 100.0f, -100.0f};
	const float steps[4] = {0.0f, 1.0e-9f, 1.0f, 1.0e6f};
	for (int kind = 0; kind < 36; ++kind)
	{
		Water water;
		tnRipplesDef def = MakeDef(1 + kind % 5, 1 + kind % 3);
		def.film = 1.0f;
		def.gravity = kind % 2 ? 0.0f : 1000.0f;
		def.finestCell = kind % 7 == 0 ? 1.0e-4f : 100.0f;
		ENSURE(Create(&water, &def, 1));
		for (int i = 0; i < 64; ++i)
		{
			water.velocityX[i] = kind % 2 ? 1.0e5f : -1.0e5f;
			water.velocityZ[i] = 1.0e30f;
			water.wet[i] = i % 3 ? 1.0e-30f : 1.0f;
		}
		tnRipples_AddEnergy(water.ripples, (tnVec2){-2.9f, 5.1f}, 1.0e5f, 3.0e38f, (tnVec2){0.6f, 0.8f});
		tnRipples_AddEnergy(water.ripples, (tnVec2){1.0e5f, -1.0e5f}, 1.0e-30f, 1.0e-38f, (tnVec2){0.6f, 0.8f});
		for (int i = 0; i < 20; ++i)
		{
			tnRipples_Step(water.ripples, &water.bed, water.parallel, (tnVec2){big[kind % 3], big[kind / 3 % 3]},
				kind % 2 ? 1.0e3f : 1.0e-30f, steps[kind % 4]);
		}
		for (int row = 0; row < water.ripples->rowCount; ++row)
		{
			for (int column = 0; column < water.ripples->columnCount; ++column)
			{
				const float energy = Get(&water, column, row, tn_rippleEnergy);
				const float x = Get(&water, column, row, tn_rippleDirectionX);
				const float z = Get(&water, column, row, tn_rippleDirectionZ);
				// All eight neighbours may give to one.
				ENSURE(energy >= 0.0f && energy <= 9.0f * tnRipples_GetEnergyLimit(water.ripples));
				ENSURE(x * x + z * z <= 1.00001f);
			}
		}
		Destroy(&water);
	}
	return 0;
}

// No memory is taken in a step, and what fails on creation leaves nothing behind.
static int MemoryIsTakenOnce(void)
{
	const tnRipplesDef def = MakeDef(31, 21);
	for (int failIn = 0; failIn <= 3; ++failIn)
	{
		TestAllocator counter = {.failIn = failIn};
		const tnAllocator allocator = TestGetAllocator(&counter);
		tnMemory memory;
		tnMemory_Init(&memory, &allocator, 0);
		tnRipples* ripples = tnRipples_Create(&memory, &def);
		ENSURE((ripples == NULL) == (failIn > 0));
		if (ripples != NULL)
		{
			const tnTaskSystem tasks = {.workerCount = 1};
			tnParallel* parallel = tnCreateParallel(&memory, &tasks);
			const int allocationCount = counter.allocationCount;
			tnRipples_AddEnergy(ripples, (tnVec2){2.0f, 8.0f}, 1.0f, 1.0f, (tnVec2){0.0f, 0.0f});
			for (int i = 0; i < 10; ++i)
			{
				tnRipples_Step(ripples, NULL, parallel, (tnVec2){1.0f, 0.0f}, 1.0e-6f, 1.0f / 60.0f);
			}
			ENSURE_EQUAL_INT(counter.allocationCount, allocationCount);
			tnDestroyParallel(parallel, &memory);
		}
		tnRipples_Destroy(ripples, &memory);
		ENSURE_EQUAL_INT(counter.liveBytes, 0);
		ENSURE_EQUAL_INT(counter.badFreeCount, 0);
	}
	return 0;
}

static const Test s_tests[] = {
	{"NumbersAreThoseOfWater", NumbersAreThoseOfWater},
	{"EnergyIsConserved", EnergyIsConserved},
	{"PacketsRunStraight", PacketsRunStraight},
	{"DropsBecomeRings", DropsBecomeRings},
	{"WindFeedsUpToSaturation", WindFeedsUpToSaturation},
	{"DecayAndRainAreExact", DecayAndRainAreExact},
	{"ShoresAndEdges", ShoresAndEdges},
	{"CurrentsCarryThem", CurrentsCarryThem},
	{"MirroredRipplesHaveMirroredBits", MirroredRipplesHaveMirroredBits},
	{"WorkersDoNotMatter", WorkersDoNotMatter},
	{"EnergyIsAdded", EnergyIsAdded},
	{"ExtremesAreSurvived", ExtremesAreSurvived},
	{"MemoryIsTakenOnce", MemoryIsTakenOnce},
};
const TestSuite wave_ripplesSuite = TEST_SUITE("wave_ripples", s_tests);

// SPDX-License-Identifier: MIT

// What water sounds like: power against what exact solutions lose.

#include "harness.h"

#include <tarn/tarn.h>

#include <math.h>
#include <string.h>

static const float s_step = 1.0f / 60.0f;
static const double s_density = 1000.0;

enum
{
	maxCells = 20000,
};

static float s_bed[maxCells], s_depth[maxCells], s_velocity[maxCells], s_zero[maxCells];

typedef struct Powers
{
	double falling, breaking, flowing;
	int count;
} Powers;

static int Hear(tnWorld* world, int capacity, Powers* powers)
{
	tnSound sounds[TN_MAX_SOUNDS];
	int count = -1;
	ENSURE_OK(tnWorld_GetSounds(world, sounds, capacity, &count));
	ENSURE(count >= 0 && count <= capacity);
	*powers = (Powers){.count = count};
	for (int i = 0; i < count; ++i)
	{
		powers->falling += sounds[i].falling;
		powers->breaking += sounds[i].breaking;
		powers->flowing += sounds[i].flowing;
	}
	return 0;
}

static int Run(tnWorld* world, float seconds)
{
	for (int i = 0; i < (int)(seconds / s_step + 0.5f); ++i)
	{
		ENSURE_OK(tnWorld_Step(world, s_step));
	}
	return 0;
}

static tnWorldDef GetDef(int columns, int rows, float cellSize, tnMethod method)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = cellSize;
	def.method = method;
	return def;
}

// ---------------------------------------------------------------------------------------------------------------------
// Oracles

// A channel without ends that is pushed: what the push brings, friction takes.
static int FrictionTakesWhatASlopeBrings(void)
{
	const struct
	{
		float friction, manning;
	} kinds[] = {{0.0f, 0.03f}, {0.05f, 0.0f}, {0.02f, 0.02f}};
	for (int i = 0; i < 3; ++i)
	{
		if (TEST_LEAVES_OUT(i + 2))
		{
			continue;
		}
		tnWorldDef def = GetDef(61, 37, 0.5f, tn_shallowMethod);
		def.friction = kinds[i].friction;
		def.manning = kinds[i].manning;
		def.edges[tn_west].kind = tn_wrapEdge;
		def.edges[tn_east].kind = tn_wrapEdge;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		const float depth = 0.8f;
		const float push = 0.05f;
		ENSURE_OK(tnWorld_FillToLevel(world, depth));
		ENSURE_OK(tnWorld_SetAcceleration(world, (tnVec2){push, 0.0f}));
		ENSURE(Run(world, 300.0f) == 0);
		const double u = tnWorld_Sample(world, (tnVec2){15.0f, 9.0f}).velocity.x;
		ENSURE(u > 0.3);
		Powers powers;
		ENSURE(Hear(world, 16, &powers) == 0);
		const double area = 61.0 * 37.0 * 0.25;
		const double brought = s_density * push * u * depth * area;
		ENSURE_CLOSE(powers.flowing / brought, 1.0, 0.01);
		ENSURE_CLOSE(powers.breaking, 0.0, 0.001 * brought);
		ENSURE_CLOSE(powers.falling, 0.0, 0.0);
		tnDestroyWorld(world);
	}
	return 0;
}

// A bore of exact height and speed loses (h2 - h1)^3 / (4 h1 h2) of head.
static int BoresLoseWhatTheyMust(void)
{
	const double ratios[] = {1.5, 2.0, 3.0};
	for (int i = 0; i < 3; ++i)
	{
		tnWorldDef def = GetDef(401, 13, 0.25f, tn_shallowMethod);
		const double h1 = 0.5;
		const double h2 = ratios[i] * h1;
		const double speed = sqrt(0.5 * def.gravity * h2 * (h1 + h2) / h1);
		const double u2 = speed * (h2 - h1) / h2;
		def.edges[tn_west].kind = tn_inflowEdge;
		def.edges[tn_west].inflow = (float)(u2 * h2);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		for (int k = 0; k < 401 * 13; ++k)
		{
			const bool behind = k % 401 < 80;
			s_depth[k] = (float)(behind ? h2 : h1);
			s_velocity[k] = behind ? (float)u2 : 0.0f;
		}
		ENSURE_OK(tnWorld_SetDepths(world, s_depth));
		ENSURE_OK(tnWorld_SetVelocities(world, s_velocity, s_zero));
		ENSURE(Run(world, 5.0f) == 0);
		// The mean over the time in which it crosses some cells.
		double mean = 0.0;
		for (int k = 0; k < 60; ++k)
		{
			ENSURE(Run(world, s_step) == 0);
			Powers powers;
			ENSURE(Hear(world, 64, &powers) == 0);
			mean += powers.breaking / 60.0;
		}
		const double head = (h2 - h1) * (h2 - h1) * (h2 - h1) / (4.0 * h1 * h2);
		const double lost = s_density * def.gravity * speed * h1 * head * 13.0 * 0.25;
		// Within 1 dB, which nobody hears. Schemes overshoot behind a bore by some percent, and its height counts cubed.
		ENSURE_CLOSE(mean / lost, 1.0, 0.2);
		tnDestroyWorld(world);
	}
	return 0;
}

// A river goes over a cliff: rho g Q times the fall. With spray it is heard where it lands.
static int FallsHaveTheirPower(void)
{
	for (int kind = 0; kind < 2; ++kind)
	{
		tnWorldDef def = GetDef(81, 23, 0.5f, tn_pipeMethod);
		def.spray.enable = kind == 1;
		def.spray.drag = 0.0f;
		def.manning = 0.03f;
		def.edges[tn_west].kind = tn_inflowEdge;
		def.edges[tn_west].inflow = 0.5f;
		def.edges[tn_east].kind = tn_levelEdge;
		def.edges[tn_east].level = 1.0f;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		for (int k = 0; k < 81 * 23; ++k)
		{
			s_bed[k] = k % 81 < 30 ? 9.0f : 0.0f;
		}
		ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
		ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
		ENSURE(Run(world, 60.0f) == 0);
		double mean = 0.0;
		for (int k = 0; k < 1200; ++k)
		{
			ENSURE(Run(world, s_step) == 0);
			Powers powers;
			ENSURE(Hear(world, 64, &powers) == 0);
			mean += powers.falling / 1200.0;
		}
		const double discharge = 0.5 * 23.0 * 0.5;
		const double head = tnWorld_Sample(world, (tnVec2){10.0f, 5.0f}).surface - 1.0;
		ENSURE_CLOSE(mean / (s_density * def.gravity * discharge * head), 1.0, 0.05);
		tnSound sounds[64];
		int count = 0;
		ENSURE_OK(tnWorld_GetSounds(world, sounds, 64, &count));
		tnSound loudest = {0};
		for (int i = 0; i < count; ++i)
		{
			loudest = sounds[i].falling > loudest.falling ? sounds[i] : loudest;
		}
		// At the foot; with spray 3 m further, known to half a block.
		ENSURE_CLOSE(loudest.position.x, kind == 0 ? 15.0 : 18.0, kind == 0 ? 1.0 : 4.0);
		ENSURE_CLOSE(loudest.position.z, 23.0 * 0.25, 0.5);
		ENSURE_CLOSE(loudest.position.y, 1.0, 1.0);
		tnDestroyWorld(world);
	}
	return 0;
}

// Water at rest, and a slow swell, break nothing.
static int CalmWaterIsSilent(void)
{
	const tnMethod methods[] = {tn_pipeMethod, tn_linearMethod, tn_shallowMethod};
	for (int i = 0; i < 3; ++i)
	{
		const tnWorldDef def = GetDef(97, 31, 1.0f, methods[i]);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		for (int k = 0; k < 97 * 31; ++k)
		{
			s_bed[k] = (float)(k * 7919 % 13) * 0.1f;
		}
		ENSURE_OK(tnWorld_SetTerrain(world, s_bed));
		ENSURE_OK(tnWorld_FillToLevel(world, 5.0f));
		ENSURE(Run(world, 1.0f) == 0);
		Powers powers;
		ENSURE(Hear(world, 8, &powers) == 0);
		ENSURE_EQUAL_INT(powers.count, 0);
		for (int k = 0; k < 97 * 31; ++k)
		{
			s_depth[k] = 5.0f - s_bed[k] + 0.2f * cosf(3.14159265f * ((float)(k % 97) + 0.5f) / 97.0f);
		}
		ENSURE_OK(tnWorld_SetDepths(world, s_depth));
		ENSURE(Run(world, 10.0f) == 0);
		ENSURE(Hear(world, 8, &powers) == 0);
		ENSURE_CLOSE(powers.falling + powers.breaking, 0.0, 0.0);
		tnDestroyWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Regions, bits, bad input

static int MakeTwoBrooks(const tnWorldDef* def, tnWorld** world)
{
	ENSURE_OK(tnCreateWorld(def, world));
	for (int k = 0; k < 129 * 97; ++k)
	{
		const int column = k % 129;
		const int row = k / 129;
		const bool isBrook = (row > 10 && row < 17) || (row > 70 && row < 74);
		s_bed[k] = 20.0f - 0.1f * (float)column + (isBrook ? 0.0f : 5.0f) - (column > 60 ? 8.0f : 0.0f);
	}
	ENSURE_OK(tnWorld_SetTerrain(*world, s_bed));
	for (int i = 0; i < 2; ++i)
	{
		tnSourceDef source = tnDefaultSourceDef();
		source.center = (tnVec2){4.0f, i == 0 ? 14.0f : 72.5f};
		source.radius = 2.0f;
		source.rate = i == 0 ? 4.0f : 1.0f;
		tnSourceId id;
		ENSURE_OK(tnWorld_CreateSource(*world, &source, &id));
	}
	return Run(*world, 60.0f);
}

// Loudest first; sounds of falls near those of the two brooks are noted.
static int FindFalls(tnWorld* world, float cellSize, bool* isNear)
{
	tnSound sounds[TN_MAX_SOUNDS];
	int count;
	ENSURE_OK(tnWorld_GetSounds(world, sounds, TN_MAX_SOUNDS, &count));
	for (int i = 0; i < count; ++i)
	{
		const tnSound* s = sounds + i;
		if (i > 0)
		{
			const tnSound* louder = sounds + i - 1;
			ENSURE(louder->falling + louder->breaking + louder->flowing >=
				(s->falling + s->breaking + s->flowing) * 0.999999f);
		}
		for (int k = 0; k < 2; ++k)
		{
			isNear[k] = isNear[k] ||
				(s->falling > 1000.0f && fabsf(s->position.x - 61.0f) < 20.0f &&
					fabsf(s->position.z - (k == 0 ? 14.0f : 72.5f)) < 5.0f);
		}
		ENSURE(s->radius >= cellSize);
	}
	return 0;
}

static int PowerIsSharedOut(void)
{
	tnWorldDef def = GetDef(129, 97, 1.0f, tn_pipeMethod);
	def.manning = 0.03f;
	tnWorld* world = NULL;
	ENSURE(MakeTwoBrooks(&def, &world) == 0);
	Powers all, few, one;
	ENSURE(Hear(world, TN_MAX_SOUNDS, &all) == 0);
	ENSURE(Hear(world, 3, &few) == 0);
	ENSURE(Hear(world, 1, &one) == 0);
	ENSURE(all.count > 4);
	ENSURE_EQUAL_INT(few.count, 3);
	ENSURE_EQUAL_INT(one.count, 1);
	const double sum = all.falling + all.breaking + all.flowing;
	ENSURE(all.falling > 0.0 && all.flowing > 0.0);
	// Regions below TN_QUIET_POWER are not told when there is room for all.
	ENSURE_CLOSE(few.falling + few.breaking + few.flowing, sum, 1.0e-5 * sum + 20.0 * (double)TN_QUIET_POWER);
	ENSURE_CLOSE(one.falling + one.breaking + one.flowing, sum, 1.0e-5 * sum + 20.0 * (double)TN_QUIET_POWER);

	// Loudest first, and the two falls are where they are. Brooks of pipes surge: a fall is not loud all the time.
	bool isNear[2] = {false, false};
	for (int look = 0; look < 10; ++look)
	{
		ENSURE(Run(world, 1.0f) == 0);
		ENSURE(FindFalls(world, def.cellSize, isNear) == 0);
	}
	ENSURE(isNear[0] && isNear[1]);
	tnDestroyWorld(world);
	return 0;
}

static int WorkersHearTheSame(void)
{
	tnSound sounds[3][TN_MAX_SOUNDS];
	int counts[3];
	uint64_t hashes[3];
	memset(sounds, 0, sizeof(sounds));
	const int stride = TEST_BREVITY > 1 ? 2 : 1;
	for (int i = 0; i < 3; i += stride)
	{
		tnWorldDef def = GetDef(129, 97, 1.0f, tn_shallowMethod);
		def.tasks.workerCount = 1 + i;
		tnWorld* world = NULL;
		ENSURE(MakeTwoBrooks(&def, &world) == 0);
		const uint64_t before = tnWorld_GetHash(world);
		ENSURE_OK(tnWorld_GetSounds(world, sounds[i], TN_MAX_SOUNDS, counts + i));
		hashes[i] = tnWorld_GetHash(world);
		ENSURE_EQUAL_HEX(hashes[i], before);
		ENSURE(counts[i] > 2);
		tnDestroyWorld(world);
	}
	for (int i = stride; i < 3; i += stride)
	{
		ENSURE_EQUAL_INT(counts[i], counts[0]);
		ENSURE_EQUAL_HEX(hashes[i], hashes[0]);
		ENSURE(memcmp(sounds[i], sounds[0], sizeof(sounds[0])) == 0);
	}
	return 0;
}

static int BadInputIsNamed(void)
{
	const tnWorldDef def = GetDef(17, 13, 1.0f, tn_pipeMethod);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnSound sound;
	int count = 7;
	ENSURE_REFUSED(tnWorld_GetSounds(NULL, &sound, 1, &count), tn_invalidArgument, "world");
	ENSURE_EQUAL_INT(count, 0);
	ENSURE_REFUSED(tnWorld_GetSounds(world, NULL, 1, &count), tn_invalidArgument, "sounds");
	ENSURE_REFUSED(tnWorld_GetSounds(world, &sound, 1, NULL), tn_invalidArgument, "count");
	ENSURE_REFUSED(
		tnWorld_GetSounds(world, &sound, 0, &count), tn_invalidArgument, "capacity must be at least 1, got 0");
	ENSURE_OK(tnWorld_GetSounds(world, &sound, 1, &count));
	ENSURE_EQUAL_INT(count, 0);
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"FrictionTakesWhatASlopeBrings", FrictionTakesWhatASlopeBrings},
	{"BoresLoseWhatTheyMust", BoresLoseWhatTheyMust},
	{"FallsHaveTheirPower", FallsHaveTheirPower},
	{"CalmWaterIsSilent", CalmWaterIsSilent},
	{"PowerIsSharedOut", PowerIsSharedOut},
	{"WorkersHearTheSame", WorkersHearTheSame},
	{"BadInputIsNamed", BadInputIsNamed},
};
const TestSuite soundSuite = TEST_SUITE("sound", s_tests);

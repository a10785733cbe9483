// SPDX-License-Identifier: MIT

// Every level that comes with tarn is played to a win and to a loss.

#include "level_script.h"

#include <stdlib.h>

// All ways to miss, in the whole proof; a few, every day. TARN_LONG_TESTS asks for the whole.
static int CountWays(void)
{
	return getenv("TARN_LONG_TESTS") != NULL ? 20 : 3;
}

// Off by up to half a cell everywhere: won in nine of ten ways at least.
static int PlayMissing(const LevelScript* script)
{
	const int ways = CountWays();
	int won = 0;
	for (int way = 0; way < ways; ++way)
	{
		LevelPlay play;
		ENSURE(BeginLevel(script->file, 2, tn_simdAuto, &play) == 0);
		play.miss =
			0.5f * (play.world != NULL ? tnWorld_GetDef(play.world).cellSize : play.voxels.info->worldDef.voxelSize);
		play.seed = 1000u + (uint32_t)way;
		ENSURE(PlayToEnd(&play, script->actions, script->count) == 0);
		won += tnsLevel_GetState(play.level) == tns_levelWon ? 1 : 0;
		if (getenv("TARN_TELL") != NULL)
		{
			const tnsStars stars = tnsLevel_GetStars(play.level);
			printf("%s way %d: %s %.2f s, %d stars, tools %.2f water %.2f danger %.2f, %d refusals %s\n", script->file,
				way, tnsGetLevelStateName(tnsLevel_GetState(play.level)), tnsLevel_GetTime(play.level), stars.count,
				stars.toolsUsed, stars.waterUsed, stars.worstDanger, play.refusals, play.refusal);
		}
		EndLevel(&play);
	}
	ENSURE(won >= (9 * ways + 9) / 10 - (ways < 10 ? 1 : 0));
	return 0;
}

static int PlayWith(const LevelScript* script, int count, int workerCount, tnSimd simd, tnsLevelState expected,
	uint64_t* hash, double* time)
{
	LevelPlay play;
	ENSURE(BeginLevel(script->file, workerCount, simd, &play) == 0);
	ENSURE(PlayToEnd(&play, script->actions, count) == 0);
	ENSURE_TEXT(tnsGetLevelStateName(tnsLevel_GetState(play.level)), tnsGetLevelStateName(expected));
	*hash = play.world != NULL ? tnWorld_GetHash(play.world) : tnVoxelWorld_GetHash(play.voxels.world);
	*time = tnsLevel_GetTime(play.level);
	if (getenv("TARN_TELL") != NULL)
	{
		printf("%s: %s %.2f s\n", script->file, tnsGetLevelStateName(tnsLevel_GetState(play.level)), *time);
		fflush(stdout);
	}
	EndLevel(&play);
	return 0;
}

// Won by its script, twice to the same bits at the same time; lost by whoever does nothing.
static int Play(const char* file)
{
	for (int i = 0; i < levelScriptCount; ++i)
	{
		const LevelScript* script = s_levelScripts + i;
		if (strcmp(script->file, file) != 0)
		{
			continue;
		}
		uint64_t first, second, idle;
		double firstTime, secondTime, idleTime;
		ENSURE(PlayWith(script, script->count, 1, tn_simdAuto, tns_levelWon, &first, &firstTime) == 0);
		ENSURE(PlayWith(script, script->count, 3, tn_simdScalar, tns_levelWon, &second, &secondTime) == 0);
		ENSURE_EQUAL_HEX(second, first);
		ENSURE_CLOSE(secondTime, firstTime, 0.0);
		ENSURE(PlayWith(script, 0, 2, tn_simdAuto, tns_levelLost, &idle, &idleTime) == 0);
		ENSURE(idle != first);
		return PlayMissing(script);
	}
	ENSURE_TEXT(file, "a level with a script");
	return 0;
}

static int TheFord(void)
{
	return Play("01_the_ford");
}

static int FireBrigade(void)
{
	return Play("02_fire_brigade");
}

static int RisingWater(void)
{
	return Play("03_rising_water");
}

static int Eureka(void)
{
	return Play("04_eureka");
}

static int WildWater(void)
{
	return Play("05_wild_water");
}

static int TheBroom(void)
{
	return Play("06_the_broom");
}

static int TheSandcastle(void)
{
	return Play("07_the_sandcastle");
}

static int LogDrive(void)
{
	return Play("08_log_drive");
}

static int TheLock(void)
{
	return Play("09_the_lock");
}

static int TheAquifer(void)
{
	return Play("10_the_aquifer");
}

static int DryFields(void)
{
	return Play("11_dry_fields");
}

static int TheBackwater(void)
{
	return Play("12_the_backwater");
}

static int TheMine(void)
{
	return Play("13_the_mine");
}

static int RainHarvest(void)
{
	return Play("14_rain_harvest");
}

static int SweetWater(void)
{
	return Play("15_sweet_water");
}

static int LavaFlow(void)
{
	return Play("16_lava_flow");
}

static int CleanWater(void)
{
	return Play("17_clean_water");
}

static int TheDeepMine(void)
{
	return Play("18_the_deep_mine");
}

static int SaveTheHouses(void)
{
	return Play("19_save_the_houses");
}

// A million cells take minutes: in make test-long only.
static int StormCrossing(void)
{
	return getenv("TARN_LONG_TESTS") != NULL ? Play("20_storm_crossing") : 0;
}

// Half of what is needed is not enough: each of these has two things to do.
static int HalfAWayLoses(void)
{
	static const Action straight[] = {{1, 60, "hose", {15, 24.5f}, {0, 0}, 0.1f}};
	static const Action blind[] = {{1, 70, "drive", {1, 0}, {0, 0}, 0}};
	static const Action half[] = {
		{1, 9, "drain", {12, 11}, {12, 11}, 0},
		{9, 70, "drive", {1, 0}, {0, 0}, 0},
	};
	static const Action cut[] = {{1, 1, "cut", {0, 0}, {0, 0}, 0}};
	static const struct
	{
		const char* file;
		const Action* actions;
		int count;
	} cases[] = {
		// Only the wide gap; only the crates.
		{"19_save_the_houses", s_saveTheHouses, 1},
		{"19_save_the_houses", s_saveTheHouses + 1, 3},
		// At the hut behind the ridge.
		{"02_fire_brigade", straight, 1},
		// Pouring without driving; driving without pouring.
		{"03_rising_water", s_risingWater, 1},
		{"03_rising_water", s_risingWater + 1, 2},
		// Through deep water, at once and after the first pond was pumped.
		{"01_the_ford", blind, 1},
		{"01_the_ford", half, 2},
		// Logs go to the ravine.
		{"08_log_drive", cut, 1},
		// A ditch without a dam, and a dam without a ditch.
		{"17_clean_water", s_cleanWater, 4},
		{"17_clean_water", s_cleanWater + 4, 2},
		// One field only.
		{"11_dry_fields", s_dryFields, 4},
		// One round of the pump.
		{"13_the_mine", s_theMine, 2},
	};
	for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); ++i)
	{
		const LevelScript script = {cases[i].file, cases[i].actions, cases[i].count};
		uint64_t hash;
		double time;
		ENSURE(PlayWith(&script, script.count, 1, tn_simdAuto, tns_levelLost, &hash, &time) == 0);
	}
	return 0;
}

static const Test s_tests[] = {
	{"TheFord", TheFord},
	{"FireBrigade", FireBrigade},
	{"RisingWater", RisingWater},
	{"Eureka", Eureka},
	{"WildWater", WildWater},
	{"TheBroom", TheBroom},
	{"TheSandcastle", TheSandcastle},
	{"LogDrive", LogDrive},
	{"TheLock", TheLock},
	{"TheAquifer", TheAquifer},
	{"DryFields", DryFields},
	{"TheBackwater", TheBackwater},
	{"TheMine", TheMine},
	{"RainHarvest", RainHarvest},
	{"SweetWater", SweetWater},
	{"LavaFlow", LavaFlow},
	{"CleanWater", CleanWater},
	{"TheDeepMine", TheDeepMine},
	{"SaveTheHouses", SaveTheHouses},
	{"StormCrossing", StormCrossing},
	{"HalfAWayLoses", HalfAWayLoses},
};
const TestSuite level_playSuite = TEST_SUITE("level_play", s_tests);

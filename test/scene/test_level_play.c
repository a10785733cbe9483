// SPDX-License-Identifier: MIT

// Every level that comes with tarn is played to a win and to a loss.

#include "level_script.h"

static int PlayWith(const LevelScript* script, int count, int workerCount, tnSimd simd, tnsLevelState expected,
	uint64_t* hash, double* time)
{
	LevelPlay play;
	ENSURE(BeginLevel(script->file, workerCount, simd, &play) == 0);
	ENSURE(PlayToEnd(&play, script->actions, count) == 0);
	ENSURE_TEXT(tnsGetLevelStateName(tnsLevel_GetState(play.level)), tnsGetLevelStateName(expected));
	*hash = tnWorld_GetHash(play.world);
	*time = tnsLevel_GetTime(play.level);
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
		return 0;
	}
	ENSURE_TEXT(file, "a level with a script");
	return 0;
}

static int SaveTheHouses(void)
{
	return Play("01_save_the_houses");
}

static int FireBrigade(void)
{
	return Play("02_fire_brigade");
}

static int RisingWater(void)
{
	return Play("03_rising_water");
}

static int TheFord(void)
{
	return Play("04_the_ford");
}

static int TheBroom(void)
{
	return Play("05_the_broom");
}

static int LogDrive(void)
{
	return Play("06_log_drive");
}

static int CleanWater(void)
{
	return Play("07_clean_water");
}

static int WildWater(void)
{
	return Play("08_wild_water");
}

static int DryFields(void)
{
	return Play("09_dry_fields");
}

static int TheMine(void)
{
	return Play("10_the_mine");
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
		{"01_save_the_houses", s_saveTheHouses, 1},
		{"01_save_the_houses", s_saveTheHouses + 1, 3},
		// At the hut behind the ridge.
		{"02_fire_brigade", straight, 1},
		// Pouring without driving; driving without pouring.
		{"03_rising_water", s_risingWater, 1},
		{"03_rising_water", s_risingWater + 1, 2},
		// Through deep water, at once and after the first pond was pumped.
		{"04_the_ford", blind, 1},
		{"04_the_ford", half, 2},
		// Logs go to the ravine.
		{"06_log_drive", cut, 1},
		// A ditch without a dam, and a dam without a ditch.
		{"07_clean_water", s_cleanWater, 4},
		{"07_clean_water", s_cleanWater + 4, 2},
		// One field only.
		{"09_dry_fields", s_dryFields, 4},
		// One round of the pump.
		{"10_the_mine", s_theMine, 2},
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
	{"SaveTheHouses", SaveTheHouses},
	{"FireBrigade", FireBrigade},
	{"RisingWater", RisingWater},
	{"TheFord", TheFord},
	{"TheBroom", TheBroom},
	{"LogDrive", LogDrive},
	{"CleanWater", CleanWater},
	{"WildWater", WildWater},
	{"DryFields", DryFields},
	{"TheMine", TheMine},
	{"HalfAWayLoses", HalfAWayLoses},
};
const TestSuite level_playSuite = TEST_SUITE("level_play", s_tests);

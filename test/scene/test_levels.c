// SPDX-License-Identifier: MIT

// Levels: what is read, what is refused, and what goals measure.

#include "level_scenes.h"
#include "level_script.h"

#include <stdio.h>

// ---------------------------------------------------------------------------------------------------------------------
// Reading

static int AllValuesArrive(void)
{
	static const char text[] = LAKE REGION
		"\"spray\": {}, \"bodies\": [{\"name\": \"b\", \"shape\": \"sphere\", \"radius\": 0.3, \"position\": [2, 1, "
		"2], "
		"\"repeat\": {\"count\": [3, 1, 1], \"spacing\": [1, 0, 0]}}, {\"name\": \"a\", \"shape\": \"sphere\", "
		"\"radius\": "
		"0.3, \"position\": [2, 1, 6]}], " HEAD
		"\"hint\": \"H\", \"atEnd\": \"win\", \"hose\": {\"position\": [1, 2, 3], \"speed\": 9, \"rate\": 0.25, "
		"\"spread\": 0.1}, \"avatar\": {\"body\": \"a\", \"acceleration\": 2, \"speed\": 4}, \"tools\": [{\"tool\": "
		"\"raise\", \"budget\": 12, \"radius\": 1.5, \"strength\": 0.5, \"region\": \"r\"}, {\"tool\": \"stack\", "
		"\"kind\": "
		"\"log\", \"size\": 2.5}, {\"tool\": \"hose\"}], \"goals\": [{\"label\": \"One\", \"measure\": \"bodies\", "
		"\"bodies\": \"b\", \"region\": \"r\", \"low\": 0.25, \"high\": 3, \"atLeast\": 2, \"seconds\": 1.5, \"once\": "
		"true, "
		"\"mark\": \"target\"}, {\"label\": \"Two\", \"measure\": \"tracer\", \"tracer\": \"dye\", \"region\": \"r\", "
		"\"atMost\": 0, \"then\": \"lose\"}, {\"label\": \"Three\", \"measure\": \"submerged\", \"bodies\": \"b 2\", "
		"\"atLeast\": 0.5}]}}";
	tnsResult result;
	tnsScene* scene = tnsParseScene(text, strlen(text), "s.json", NULL, &result);
	ENSURE_TEXT(result.text, "");
	const tnsLevelInfo* info = tnsScene_GetLevel(scene);
	ENSURE(info != NULL);
	ENSURE_TEXT(info->title, "T");
	ENSURE_TEXT(info->classes, "G1 C1");
	ENSURE_TEXT(info->story, "S");
	ENSURE_TEXT(info->hint, "H");
	ENSURE_CLOSE(info->timeLimit, 5.0, 0.0);
	// A run of a level is as long as the level.
	ENSURE_CLOSE(tnsScene_GetInfo(scene)->seconds, 5.0, 0.0);
	ENSURE(info->winsAtEnd && info->hose.given && info->avatar.given);
	ENSURE_CLOSE(info->hose.position.y, 2.0, 0.0);
	ENSURE_CLOSE(info->hose.speed, 9.0, 0.0);
	ENSURE_CLOSE(info->hose.rate, 0.25, 0.0);
	ENSURE_EQUAL_INT(info->avatar.body, 3);
	ENSURE_CLOSE(info->avatar.speed, 4.0, 0.0);
	ENSURE_EQUAL_INT(info->toolCount, 3);
	ENSURE_TEXT(info->tools[0].name, "raise");
	ENSURE_TEXT(info->tools[0].unit, "m3");
	ENSURE_CLOSE(info->tools[0].budget, 12.0, 0.0);
	ENSURE_CLOSE(info->tools[0].radius, 1.5, 0.0);
	ENSURE_EQUAL_INT(info->tools[0].region, 0);
	ENSURE_EQUAL_INT(info->tools[1].kind, tns_log);
	ENSURE_CLOSE(info->tools[1].size, 2.5, 0.0);
	ENSURE_EQUAL_INT(info->tools[1].region, -1);
	ENSURE(isinf(info->tools[2].budget));
	ENSURE_EQUAL_INT(info->goalCount, 3);
	const tnsGoal* goals = info->goals;
	ENSURE_EQUAL_INT(goals[0].measure, tns_bodiesMeasure);
	ENSURE_EQUAL_INT(goals[0].bodyBegin, 0);
	ENSURE_EQUAL_INT(goals[0].bodyEnd, 3);
	ENSURE(goals[0].once && goals[0].atMost == false && goals[0].loses == false);
	ENSURE_CLOSE(goals[0].low, 0.25, 0.0);
	ENSURE_CLOSE(goals[0].seconds, 1.5, 0.0);
	ENSURE_EQUAL_INT(goals[0].mark, tns_targetMark);
	ENSURE(goals[1].atMost && goals[1].loses && goals[1].tracer == 0);
	ENSURE_EQUAL_INT(goals[2].bodyBegin, 1);
	ENSURE_EQUAL_INT(goals[2].bodyEnd, 2);
	ENSURE_EQUAL_INT(goals[2].region, -1);
	tnsDestroyScene(scene);
	return 0;
}

// A scene without the key is not a level, and nothing is made of it.
static int ScenesAreNotLevels(void)
{
	tnsResult result;
	tnsScene* scene = tnsParseScene("{}", 2, "s.json", NULL, &result);
	ENSURE(scene != NULL);
	ENSURE(tnsScene_GetLevel(scene) == NULL);
	ENSURE(tnsScene_GetLevel(NULL) == NULL);
	tnsRun* run = NULL;
	ENSURE_TEXT(tnsStartScene(scene, NULL, &run).text, "");
	ENSURE(tnsCreateLevel(run, &result) == NULL);
	ENSURE_EQUAL_INT(result.status, tns_ok);
	ENSURE(tnsCreateLevel(NULL, &result) == NULL);
	ENSURE_EQUAL_INT(result.status, tns_invalidArgument);
	tnsDestroyLevel(NULL);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return 0;
}

static int WrongLevels(void)
{
#define WITH(tools) LAKE REGION HEAD "\"goals\": [" GOAL "], " tools "}}"
#define TOOL(tool) WITH("\"tools\": [" tool "]")
#define GOALS(goals) LAKE REGION HEAD "\"goals\": [" goals "]}}"
#define MEASURE(measure, more) GOALS("{\"label\": \"g\", \"measure\": \"" measure "\", " more "}")
	static const struct
	{
		const char* text;
		const char* error;
	} cases[] = {
		{"{\"level\": 1}", "s.json:1:11: level must be an object, got 1"},
		{"{\"level\": {\"titel\": \"T\"}}", "s.json:1:12: unknown key \"titel\" in level; did you mean \"title\"?"},
		{"{\"level\": {\"title\": \"T\"}}", "level needs \"classes\""},
		{"{\"level\": {\"title\": \"T\", \"classes\": \"G1 C1\", \"story\": \"S\", \"goals\": []}}",
			"level needs \"timeLimit\""},
		{"{\"level\": {\"timeLimit\": 0}}", "s.json:1:25: timeLimit must be a number from 1 to 3600, got 0"},
		{"{\"level\": {\"title\": \"T\", \"classes\": \"G7 C1\", \"story\": \"S\", \"timeLimit\": 5, \"goals\": []}}",
			"classes must be words G1 to G6 and C1 to C5"},
		{"{\"level\": {\"title\": \"T\", \"classes\": \"G1\", \"story\": \"S\", \"timeLimit\": 5, \"goals\": []}}",
			"classes must be words G1 to G6 and C1 to C5"},
		{"{\"level\": {\"title\": \"T\", \"classes\": \"G1 C1 \", \"story\": \"S\", \"timeLimit\": 5, \"goals\": []}}",
			"classes must be words G1 to G6 and C1 to C5"},
		{"{\"level\": {\"title\": \"T\", \"classes\": \"\", \"story\": \"S\", \"timeLimit\": 5, \"goals\": []}}",
			"classes must be words G1 to G6 and C1 to C5"},
		{GOALS(""), "a level needs a goal to win by"},
		{LAKE HEAD "\"atEnd\": \"win\", \"goals\": []}}", "a level needs a goal to win by"},
		{LAKE HEAD "\"atEnd\": \"draw\", \"goals\": []}}", "atEnd must be one of \"lose\", \"win\", got"},
		{MEASURE("depth", "\"region\": \"r\", \"atLeast\": 1, \"then\": \"lose\""), "a level needs a goal to win by"},
		{MEASURE("width", "\"region\": \"r\", \"atLeast\": 1"), "measure must be one of \"depth\", \"wetShare\""},
		{MEASURE("depth", "\"atLeast\": 1"), "a goal of measure depth needs \"region\""},
		{MEASURE("depth", "\"region\": \"q\", \"atLeast\": 1"), "there is no region \"q\""},
		{MEASURE("depth", "\"region\": \"r\""), "a goal needs one of \"atLeast\", \"atMost\""},
		{MEASURE("depth", "\"region\": \"r\", \"atLeast\": 1, \"atMost\": 2"), "but not both"},
		{MEASURE("depth", "\"region\": \"r\", \"atLeast\": -1"), "atLeast must be a number from 0 to 1e+09, got -1"},
		{MEASURE("depth", "\"region\": \"r\", \"atLeast\": 0"), "atLeast must be more than 0"},
		{MEASURE("depth", "\"region\": \"r\", \"atLeast\": 1, \"tracer\": \"dye\""),
			"\"tracer\" is not for goals of measure depth"},
		{MEASURE("depth", "\"region\": \"r\", \"atLeast\": 1, \"low\": 1"),
			"\"low\" is not for goals of measure depth"},
		{MEASURE("depth", "\"region\": \"r\", \"atLeast\": 1, \"seconds\": -1"), "seconds must be a number from 0 to"},
		{MEASURE("depth", "\"region\": \"r\", \"atLeast\": 1, \"then\": \"draw\""),
			"then must be one of \"win\", \"lose\""},
		{MEASURE("depth", "\"region\": \"r\", \"atLeast\": 1, \"mark\": \"x\""),
			"mark must be one of \"none\", \"house\""},
		{MEASURE("depth", "\"region\": \"r\", \"atLeast\": 1, \"once\": 1"), "once must be true or false, got 1"},
		{MEASURE("tracer", "\"region\": \"r\", \"atLeast\": 1"), "a goal of measure tracer needs \"tracer\""},
		{MEASURE("tracer", "\"region\": \"r\", \"atLeast\": 1, \"tracer\": \"ink\""), "there is no tracer \"ink\""},
		{MEASURE("bodies", "\"region\": \"r\", \"atLeast\": 1"), "a goal of measure bodies needs \"bodies\""},
		{MEASURE("bodies", "\"region\": \"r\", \"atLeast\": 1, \"bodies\": \"cow\""), "there is no body \"cow\""},
		{MEASURE("submerged", "\"region\": \"r\", \"atLeast\": 1, \"bodies\": \"cow\""),
			"\"region\" is not for goals of measure submerged"},
		{MEASURE("submerged", "\"atLeast\": 1, \"bodies\": \"cow\", \"mark\": \"fire\""),
			"\"mark\" is not for goals of measure submerged"},
		{MEASURE("bodies", "\"region\": \"r\", \"atLeast\": 1, \"bodies\": \"cow\", \"low\": 2, \"high\": 2"),
			"high must be above low, got 2 and 2"},
		{GOALS(GOAL ", 1"), "a goal must be an object, got 1"},
		{WITH("\"tools\": {}"), "tools must be an array"},
		{TOOL("{\"budget\": 1}"), "a tool needs \"tool\""},
		{TOOL("{\"tool\": \"magic\"}"), "tool must be one of \"pour\", \"drain\""},
		{TOOL("{\"tool\": \"lava\"}"), "the tool lava is not for columns"},
		{TOOL("{\"tool\": \"pour\", \"places\": [[1, 2]]}"), "\"places\" is not for the tool pour"},
		{TOOL("{\"tool\": \"stack\", \"places\": [[1]]}"), "a place must be"},
		{TOOL("{\"tool\": \"pour\", \"budget\": -1}"), "budget must be a number from 0 to 1e+09, got -1"},
		{TOOL("{\"tool\": \"pour\", \"radius\": 0}"), "radius must be a number from 0.01"},
		{TOOL("{\"tool\": \"pour\", \"strength\": 11}"), "strength must be a number from 0.1 to 10, got 11"},
		{TOOL("{\"tool\": \"pour\", \"size\": 1}"), "\"size\" is not for the tool pour"},
		{TOOL("{\"tool\": \"stack\", \"radius\": 1}"), "\"radius\" is not for the tool stack"},
		{TOOL("{\"tool\": \"stack\", \"kind\": \"cow\"}"), "kind must be one of \"crate\", \"heavy crate\""},
		{TOOL("{\"tool\": \"grab\", \"budget\": 1}"), "\"budget\" is not for the tool grab"},
		{TOOL("{\"tool\": \"pour\", \"region\": \"q\"}"), "there is no region \"q\""},
		{TOOL("{\"tool\": \"pour\"}, {\"tool\": \"pour\"}"), "tool \"pour\" is there twice"},
		{TOOL("{\"tool\": \"hose\"}"), "the tool hose needs a level with \"hose\""},
		{WITH("\"hose\": {\"position\": [1, 1, 1]}"), "a hose needs a scene with \"spray\""},
		{LAKE REGION "\"spray\": {}, " HEAD "\"hose\": {}, \"goals\": [" GOAL "]}}", "hose needs \"position\""},
		{WITH("\"avatar\": {}"), "avatar needs \"body\""},
		{WITH("\"avatar\": {\"body\": \"cow\"}"), "there is no body \"cow\""},
		{LAKE REGION "\"bodies\": [{\"name\": \"a\", \"shape\": \"sphere\", \"radius\": 1, \"position\": [2, 1, 2], "
					 "\"fixed\": true}], " HEAD "\"avatar\": {\"body\": \"a\"}, \"goals\": [" GOAL "]}}",
			"an avatar must not be fixed"},
		{LAKE REGION "\"bodies\": [{\"name\": \"a\", \"shape\": \"sphere\", \"radius\": 1, \"position\": [2, 1, 2], "
					 "\"repeat\": {\"count\": [2, 1, 1], \"spacing\": [3, 0, 0]}}], " HEAD
					 "\"avatar\": {\"body\": \"a\"}, \"goals\": [" GOAL "]}}",
			"there can be only one avatar, got 2 copies"},
	};
#undef MEASURE
#undef GOALS
#undef TOOL
#undef WITH
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		tnsResult result;
		ENSURE(tnsParseScene(cases[i].text, strlen(cases[i].text), "s.json", NULL, &result) == NULL);
		ENSURE_EQUAL_INT(result.status, tns_badScene);
		ENSURE_TEXT(result.text, cases[i].error);
	}
	return 0;
}

// The example of docs/levels.md is a level.
static int ExampleOfTheDocs(void)
{
	static char text[1 << 16];
	FILE* file = fopen(TARN_SOURCE_FOLDER "/docs/levels.md", "rb");
	ENSURE(file != NULL);
	text[fread(text, 1, sizeof(text) - 1, file)] = 0;
	fclose(file);
	char* begin = strstr(text, "```json\n");
	ENSURE(begin != NULL);
	begin += strlen("```json\n");
	char* end = strstr(begin, "```");
	ENSURE(end != NULL);
	*end = 0;
	LevelPlay play;
	ENSURE(Begin(begin, &play) == 0);
	ENSURE_TEXT(tnsLevel_GetInfo(play.level)->title, "Save the House");
	// Nothing floods it.
	ENSURE(PlayToEnd(&play, NULL, 0) == 0);
	ENSURE_EQUAL_INT(tnsLevel_GetState(play.level), tns_levelWon);
	EndLevel(&play);
	return 0;
}

// Every level has a script that wins it (level_play runs them), and together they have all classes.
static int LevelsHaveScriptsAndClasses(void)
{
	static const char* const names[] = {
#include "level_names.inc"
	};
	static const char* const classes[] = {"G1", "G2", "G3", "G4", "G5", "G6", "C1", "C2", "C3", "C4", "C5"};
	enum
	{
		nameCount = (int)(sizeof(names) / sizeof(names[0])),
		classCount = (int)(sizeof(classes) / sizeof(classes[0])),
	};
	int seen[classCount] = {0}, voxelCount = 0, largest = 0;
	ENSURE_EQUAL_INT(nameCount, 20);
	ENSURE_EQUAL_INT(levelScriptCount, nameCount);
	for (int i = 0; i < nameCount; ++i)
	{
		LevelPlay play;
		ENSURE_TEXT(s_levelScripts[i].file, names[i]);
		ENSURE(BeginLevel(names[i], 1, tn_simdAuto, &play) == 0);
		const tnsLevelInfo* info = tnsLevel_GetInfo(play.level);
		ENSURE(info->timeLimit >= 30.0 && info->timeLimit <= 120.0);
		ENSURE(info->hint[0] != 0);
		const bool voxels = play.world == NULL;
		ENSURE(voxels || tnsScene_GetInfo(play.scene)->hasCamera);
		voxelCount += voxels ? 1 : 0;
		largest = voxels || tnWorld_GetDef(play.world).columnCount < largest ? largest
																			 : tnWorld_GetDef(play.world).columnCount;
		ENSURE_EQUAL_INT(tnsLevel_GetStars(play.level).most, 3);
		for (int c = 0; c < classCount; ++c)
		{
			seen[c] += strstr(info->classes, classes[c]) != NULL ? 1 : 0;
		}
		EndLevel(&play);
	}
	for (int c = 0; c < classCount; ++c)
	{
		ENSURE(seen[c] > 0);
	}
	ENSURE_EQUAL_INT(voxelCount, 4);
	ENSURE_EQUAL_INT(largest, 1024);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Goals

static double Measure(const char* scene, const char* goal, double seconds, tnsLevelState* state)
{
	char text[2048];
	LevelPlay play;
	snprintf(text, sizeof(text), "%s" REGION HEAD "\"goals\": [{\"label\": \"g\", %s}]}}", scene, goal);
	if (Begin(text, &play) != 0 || PlayFor(&play, seconds) != 0)
	{
		return NAN;
	}
	const double value = tnsLevel_GetGoal(play.level, 0).value;
	*state = tnsLevel_GetState(play.level);
	EndLevel(&play);
	return value;
}

// A still lake of known depth: 6 x 4 cells of 0.25 m^2 are in the region, half of them dyed.
static int GoalsMeasureWater(void)
{
	static const char dyed[] =
		LAKE "\"tracersInitial\": [{\"tracer\": \"dye\", \"concentration\": 0.8, \"shape\": \"box\", "
			 "\"x\": 3.25, \"z\": 4, \"width\": 1.5, \"length\": 8}], ";
	static const char shore[] =
		LAKE "\"terrain\": {\"features\": [{\"add\": \"box\", \"x\": 3.25, \"z\": 4, \"width\": 1.5, "
			 "\"length\": 8, \"level\": 2}]}, ";
	tnsLevelState state;
#define IN_REGION "\"region\": \"r\", \"atLeast\": 100"
	ENSURE_CLOSE(Measure(dyed, "\"measure\": \"depth\", " IN_REGION, 0.1, &state), 0.5, 1.0e-6);
	ENSURE_EQUAL_INT(state, tns_levelPlaying);
	ENSURE_CLOSE(Measure(dyed, "\"measure\": \"volume\", " IN_REGION, 0.1, &state), 24 * 0.25 * 0.5, 1.0e-5);
	ENSURE_CLOSE(Measure(dyed, "\"measure\": \"wetShare\", " IN_REGION, 0.1, &state), 1.0, 0.0);
	ENSURE_CLOSE(Measure(shore, "\"measure\": \"wetShare\", " IN_REGION, 0.1, &state), 0.5, 0.0);
	ENSURE_CLOSE(Measure(dyed, "\"measure\": \"tracer\", \"tracer\": \"dye\", " IN_REGION, 0.1, &state), 0.4, 1.0e-5);
	// Dry ground has no concentration.
	ENSURE_CLOSE(Measure(DRY "\"tracers\": [\"dye\"], ", "\"measure\": \"tracer\", \"tracer\": \"dye\", " IN_REGION,
					 0.1, &state),
		0.0, 0.0);
#undef IN_REGION
	// Both sides of a limit, and it belongs to them.
	Measure(dyed, "\"measure\": \"wetShare\", \"region\": \"r\", \"atLeast\": 1", 0.1, &state);
	ENSURE_EQUAL_INT(state, tns_levelWon);
	Measure(dyed, "\"measure\": \"wetShare\", \"region\": \"r\", \"atMost\": 1", 0.1, &state);
	ENSURE_EQUAL_INT(state, tns_levelWon);
	Measure(dyed, "\"measure\": \"depth\", \"region\": \"r\", \"atMost\": 0.4", 0.1, &state);
	ENSURE_EQUAL_INT(state, tns_levelPlaying);
	Measure(dyed, "\"measure\": \"depth\", \"region\": \"r\", \"atMost\": 0.6", 0.1, &state);
	ENSURE_EQUAL_INT(state, tns_levelWon);
	return 0;
}

// Four posts, of which two stand in the region: one of them high above it. Half of a box is under water.
static int GoalsCountBodies(void)
{
#define POST "\"shape\": \"box\", \"size\": [0.4, 0.4, 0.4], \"fixed\": true, "
	static const char posts[] = LAKE "\"friction\": 2, \"bodies\": [{\"name\": \"p\", " POST
									 "\"position\": [3, 2, 4], \"repeat\": {\"count\": [2, 2, 1], \"spacing\": [5, 3, "
									 "0]}}, {\"name\": \"half\", \"shape\": \"box\", \"size\": [1, 0.6, 1], \"fixed\": "
									 "true, \"position\": [8, 0.5, 6]}], ";
#undef POST
	tnsLevelState state;
#define BODIES "\"measure\": \"bodies\", \"bodies\": \"p\", \"region\": \"r\", \"atLeast\": 100"
	ENSURE_CLOSE(Measure(posts, BODIES, 0.1, &state), 2.0, 0.0);
	ENSURE_CLOSE(Measure(posts, BODIES ", \"low\": 3", 0.1, &state), 1.0, 0.0);
	ENSURE_CLOSE(Measure(posts, BODIES ", \"high\": 3", 0.1, &state), 1.0, 0.0);
	ENSURE_CLOSE(Measure(posts, BODIES ", \"low\": 6", 0.1, &state), 0.0, 0.0);
#undef BODIES
	// From 0.2 to 0.8 m; the 0.3 m^3 that it displaces raise the lake by 3 mm, once the waves have died down.
	ENSURE_CLOSE(Measure(posts, "\"measure\": \"submerged\", \"bodies\": \"half\", \"atLeast\": 100", 4.5, &state),
		0.505, 0.005);
	ENSURE_CLOSE(
		Measure(posts, "\"measure\": \"submerged\", \"bodies\": \"p\", \"atLeast\": 100", 0.1, &state), 0.0, 0.0);
	return 0;
}

// Water comes into a pit after one second and is taken after two: a goal that must hold, one that is done for good, and a
// goal that is never reached, so that the level goes on.
static int GoalsHoldAndLast(void)
{
	static const char text[] = DRY "\"terrain\": {\"features\": [{\"add\": \"box\", \"x\": 4, \"z\": 4, \"width\": 4, "
								   "\"length\": 3, \"level\": -1}]}, "
								   "\"edits\": [{\"time\": 1, \"water\": {\"x\": 4, \"z\": 4, \"radius\": 1, "
								   "\"volume\": 3}}, {\"time\": 2, \"water\": "
								   "{\"x\": 4, \"z\": 4, \"radius\": 3, \"volume\": -9}}], " REGION HEAD
								   "\"goals\": [{\"label\": \"a\", \"measure\": \"volume\", \"region\": \"r\", "
								   "\"atLeast\": 0.5, \"seconds\": 0.5}, "
								   "{\"label\": \"b\", \"measure\": \"volume\", \"region\": \"r\", \"atLeast\": 0.5, "
								   "\"seconds\": 0.5, \"once\": true}, "
								   "{\"label\": \"c\", \"measure\": \"volume\", \"region\": \"r\", \"atLeast\": 50}]}}";
	LevelPlay play;
	ENSURE(Begin(text, &play) == 0);
	ENSURE(PlayFor(&play, 0.9) == 0);
	tnsGoalReport report = tnsLevel_GetGoal(play.level, 0);
	ENSURE(report.done == false && report.value == 0.0 && report.progress == 0.0f);
	ENSURE(PlayFor(&play, 0.4) == 0);
	report = tnsLevel_GetGoal(play.level, 0);
	ENSURE(report.done == false && report.progress > 0.5f && report.progress < 1.0f);
	// A step is the resolution of time.
	ENSURE_CLOSE(report.heldFor, 0.3, 0.021);
	ENSURE(PlayFor(&play, 0.4) == 0);
	ENSURE(tnsLevel_GetGoal(play.level, 0).done && tnsLevel_GetGoal(play.level, 1).done);
	ENSURE_CLOSE(tnsLevel_GetGoal(play.level, 0).progress, 1.0, 0.0);
	ENSURE(PlayFor(&play, 0.8) == 0);
	ENSURE(tnsLevel_GetGoal(play.level, 0).done == false);
	ENSURE(tnsLevel_GetGoal(play.level, 1).done);
	ENSURE_EQUAL_INT(tnsLevel_GetState(play.level), tns_levelPlaying);
	ENSURE_CLOSE(tnsLevel_GetTime(play.level), 2.5, 0.001);
	ENSURE_CLOSE(tnsLevel_GetTimeLeft(play.level), 2.5, 0.001);
	// The clock ends it; then it stands still.
	ENSURE(PlayFor(&play, 4.0) == 0);
	ENSURE_EQUAL_INT(tnsLevel_GetState(play.level), tns_levelLost);
	ENSURE_EQUAL_INT(tnsLevel_GetLosingGoal(play.level), -1);
	ENSURE_CLOSE(tnsLevel_GetTime(play.level), 5.0, 0.001);
	report = tnsLevel_GetGoal(play.level, 3);
	ENSURE(report.limit == 0.0 && report.done == false);
	ENSURE(tnsLevel_GetGoal(play.level, -1).limit == 0.0);
	EndLevel(&play);
	return 0;
}

// What the clock and the goals decide together.
static int EndsAreDecided(void)
{
#define WIN(limit) "{\"label\": \"w\", \"measure\": \"depth\", \"region\": \"r\", \"atLeast\": " limit "}"
#define LOSE(limit) \
	"{\"label\": \"l\", \"measure\": \"depth\", \"region\": \"r\", \"atLeast\": " limit ", \"then\": \"lose\"}"
	static const struct
	{
		const char* text;
		tnsLevelState state;
		double time;
		int losing;
	} cases[] = {
		// At once, but not before the first step.
		{LAKE REGION HEAD "\"goals\": [" WIN("0.4") "]}}", tns_levelWon, 0.02, -1},
		{LAKE REGION HEAD "\"goals\": [" WIN("0.4") ", " WIN("0.6") "]}}", tns_levelLost, 5.0, -1},
		{LAKE REGION HEAD "\"goals\": [" WIN("0.4") ", " LOSE("0.6") "]}}", tns_levelWon, 0.02, -1},
		// Whoever wins and loses in the same step has lost.
		{LAKE REGION HEAD "\"goals\": [" WIN("0.4") ", " LOSE("0.4") "]}}", tns_levelLost, 0.02, 1},
		{LAKE REGION HEAD "\"atEnd\": \"win\", \"goals\": [" LOSE("0.6") "]}}", tns_levelWon, 5.0, -1},
		{LAKE REGION HEAD "\"atEnd\": \"win\", \"goals\": [" LOSE("0.4") "]}}", tns_levelLost, 0.02, 0},
		{LAKE REGION HEAD "\"atEnd\": \"win\", \"goals\": [" WIN("0.4") "]}}", tns_levelWon, 5.0, -1},
		{LAKE REGION HEAD "\"atEnd\": \"win\", \"goals\": [" WIN("0.6") "]}}", tns_levelLost, 5.0, -1},
	};
#undef WIN
#undef LOSE
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		LevelPlay play;
		ENSURE(Begin(cases[i].text, &play) == 0);
		ENSURE_EQUAL_INT(tnsLevel_GetState(play.level), tns_levelPlaying);
		ENSURE(PlayToEnd(&play, NULL, 0) == 0);
		ENSURE_EQUAL_INT(tnsLevel_GetState(play.level), cases[i].state);
		ENSURE_CLOSE(tnsLevel_GetTime(play.level), cases[i].time, 0.001);
		ENSURE_EQUAL_INT(tnsLevel_GetLosingGoal(play.level), cases[i].losing);
		EndLevel(&play);
	}
	return 0;
}

static const Test s_tests[] = {
	{"AllValuesArrive", AllValuesArrive},
	{"ScenesAreNotLevels", ScenesAreNotLevels},
	{"WrongLevels", WrongLevels},
	{"ExampleOfTheDocs", ExampleOfTheDocs},
	{"LevelsHaveScriptsAndClasses", LevelsHaveScriptsAndClasses},
	{"GoalsMeasureWater", GoalsMeasureWater},
	{"GoalsCountBodies", GoalsCountBodies},
	{"GoalsHoldAndLast", GoalsHoldAndLast},
	{"EndsAreDecided", EndsAreDecided},
};
const TestSuite levelsSuite = TEST_SUITE("levels", s_tests);

// SPDX-License-Identifier: MIT

// Reads the level of a scene.

#include "voxel_scene.h"
#include "world/scene_rules.h"

#include <math.h>
#include <string.h>

// Words like G1 and C5 with spaces between, at least one of each letter.
static bool tnsReadClasses(tnsSceneReader* reader, const tnsJson* value)
{
	const char* text = value->string;
	bool effect = false, control = false, good = text[0] != 0;
	for (size_t i = 0; good && i < strlen(text); i += 3)
	{
		const char letter = text[i], digit = text[i + 1];
		const bool isEffect = letter == 'G' && digit >= '1' && digit <= '6';
		const bool isControl = letter == 'C' && digit >= '1' && digit <= '5';
		effect = effect || isEffect;
		control = control || isControl;
		good = (isEffect || isControl) && (text[i + 2] == 0 || (text[i + 2] == ' ' && text[i + 3] != 0));
		if (good && text[i + 2] == 0)
		{
			break;
		}
	}
	return (good && effect && control) ||
		tnsFail(reader, value->place,
			"classes must be words G1 to G6 and C1 to C5, at least one of each, like \"G4 C5\", got %s",
			tnsDescribe(value).text);
}

// value may be NULL: -1.
static bool tnsFindRegion(tnsSceneReader* reader, const tnsJson* value, int* index)
{
	*index = -1;
	if (value == NULL)
	{
		return true;
	}
	if (tnsCheckText(reader, value, "region", true) == false)
	{
		return false;
	}
	for (int i = 0; i < reader->scene->info.regionCount; ++i)
	{
		if (strcmp(reader->scene->regions[i].name, value->string) == 0)
		{
			*index = i;
			return true;
		}
	}
	return tnsFail(reader, value->place, "there is no region \"%s\"", value->string);
}

// ---------------------------------------------------------------------------------------------------------------------
// Tools

// What budgets count: earth and water in m^3, pieces, seconds, and nothing.
static const struct
{
	const char* name;
	const char* unit;
	bool brush;
} s_levelTools[] = {
	{"pour", "m3", true},
	{"drain", "m3", true},
	{"raise", "m3", true},
	{"lower", "m3", true},
	{"flatten", "m3", true},
	{"push", "s", true},
	{"grab", "", false},
	{"stack", "x", false},
	{"cut", "x", false},
	{"hose", "m3", false},
	// With voxels only.
	{"build", "m3", true},
	{"dig", "m3", true},
	{"lava", "m3", true},
};

// Which of them there are, with columns and with voxels.
static bool tnsHasLevelTool(const tnsSceneReader* reader, const char* name)
{
	static const char* const both[] = {"pour", "drain", "grab", "stack", "cut"};
	static const char* const voxels[] = {"build", "dig", "lava"};
	bool common = false, special = false;
	for (int i = 0; i < TNS_COUNT_OF(both); ++i)
	{
		common = common || strcmp(name, both[i]) == 0;
	}
	for (int i = 0; i < TNS_COUNT_OF(voxels); ++i)
	{
		special = special || strcmp(name, voxels[i]) == 0;
	}
	return common || special == (reader->liquids != NULL);
}

// Which tool it is, and what kind of body.
static bool tnsReadToolNames(tnsSceneReader* reader, const tnsJson* value, int* which, tnsLevelTool* tool)
{
	const char* names[TNS_COUNT_OF(s_levelTools) + 1] = {0};
	const char* kinds[tns_bodyKindCount + 1] = {0};
	for (int i = 0; i < TNS_COUNT_OF(s_levelTools); ++i)
	{
		names[i] = s_levelTools[i].name;
	}
	for (int i = 0; i < tns_bodyKindCount; ++i)
	{
		kinds[i] = tnsGetBodyKindName((tnsBodyKind)i);
	}
	const tnsJson* kind = tnsJson_Find(value, "kind");
	int choice = tns_crate;
	if (tnsReadChoice(reader, tnsJson_Find(value, "tool"), "tool", names, which) == false ||
		(kind != NULL && tnsReadChoice(reader, kind, "kind", kinds, &choice) == false))
	{
		return false;
	}
	tool->kind = (tnsBodyKind)choice;
	return true;
}

// Where bodies snap to.
static bool tnsReadPlaces(tnsSceneReader* reader, const tnsJson* value, tnsLevelTool* tool)
{
	if (value == NULL)
	{
		return true;
	}
	if (tnsCheckArray(reader, value, "places", TNS_MAX_LEVEL_PLACES) == false)
	{
		return false;
	}
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		double numbers[2];
		if (tnsReadNumbers(reader, item, "a place", 2, -TNS_WHERE, TNS_WHERE, numbers) == false)
		{
			return false;
		}
		tool->places[tool->placeCount] = (tnVec2){(float)numbers[0], (float)numbers[1]};
		tool->placeCount += 1;
	}
	return true;
}

static bool tnsReadTool(tnsSceneReader* reader, const tnsJson* value, tnsLevelTool* tool)
{
	static const tnsRule rules[] = {
		{"tool", tns_customRule, true, 0, 0, 0, NULL},
		{"budget", tns_doubleRule, false, offsetof(tnsLevelTool, budget), 0, 1.0e9, NULL},
		{"radius", tns_floatRule, false, offsetof(tnsLevelTool, radius), 0.01, TNS_LENGTH, NULL},
		{"strength", tns_floatRule, false, offsetof(tnsLevelTool, strength), 0.1, 10, NULL},
		{"kind", tns_customRule, false, 0, 0, 0, NULL},
		{"size", tns_floatRule, false, offsetof(tnsLevelTool, size), 0.01, 1000, NULL},
		{"region", tns_customRule, false, 0, 0, 0, NULL},
		{"places", tns_customRule, false, 0, 0, 0, NULL},
	};
	*tool = (tnsLevelTool){.budget = INFINITY, .radius = 2.0f, .strength = 1.0f, .size = 1.0f};
	int which = 0;
	if (TNS_READ(reader, value, "a tool", rules, tool) == false ||
		tnsReadToolNames(reader, value, &which, tool) == false ||
		tnsFindRegion(reader, tnsJson_Find(value, "region"), &tool->region) == false)
	{
		return false;
	}
	if (tnsHasLevelTool(reader, s_levelTools[which].name) == false)
	{
		return tnsFail(reader, tnsJson_Find(value, "tool")->place, "the tool %s is not for %s",
			s_levelTools[which].name, reader->liquids != NULL ? "voxels" : "columns");
	}
	tool->name = s_levelTools[which].name;
	tool->unit = s_levelTools[which].unit;
	static const struct
	{
		const char* key;
		bool brush;
	} uses[] = {{"radius", true}, {"strength", true}, {"kind", false}, {"size", false}, {"places", false}};
	for (int i = 0; i < TNS_COUNT_OF(uses); ++i)
	{
		const tnsJson* child = tnsJson_Find(value, uses[i].key);
		const bool fits = uses[i].brush ? s_levelTools[which].brush : strcmp(tool->name, "stack") == 0;
		if (child != NULL && fits == false)
		{
			return tnsFail(reader, child->keyPlace, "\"%s\" is not for the tool %s", uses[i].key, tool->name);
		}
	}
	const tnsJson* budget = tnsJson_Find(value, "budget");
	if (budget != NULL && tool->unit[0] == 0)
	{
		return tnsFail(reader, budget->keyPlace, "\"budget\" is not for the tool %s", tool->name);
	}
	return tnsReadPlaces(reader, tnsJson_Find(value, "places"), tool);
}

static bool tnsReadTools(tnsSceneReader* reader, const tnsJson* value)
{
	tnsLevelInfo* level = &reader->scene->level;
	if (value == NULL)
	{
		return true;
	}
	if (tnsCheckArray(reader, value, "tools", TNS_MAX_LEVEL_TOOLS) == false)
	{
		return false;
	}
	tnsLevelTool* tools = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnsLevelTool));
	level->tools = tools;
	for (const tnsJson* item = value->first; tools != NULL && item != NULL; item = item->next)
	{
		tnsLevelTool* tool = tools + level->toolCount;
		if (tnsReadTool(reader, item, tool) == false)
		{
			return false;
		}
		for (int i = 0; i < level->toolCount; ++i)
		{
			if (tools[i].name == tool->name)
			{
				return tnsFail(reader, item->place, "tool \"%s\" is there twice", tool->name);
			}
		}
		if (strcmp(tool->name, "hose") == 0 && level->hose.given == false)
		{
			return tnsFail(reader, item->place, "the tool hose needs a level with \"hose\"");
		}
		level->toolCount += 1;
	}
	return tools != NULL;
}

static bool tnsReadHose(tnsSceneReader* reader, const tnsJson* value)
{
	static const tnsRule rules[] = {
		{"position", tns_spaceRule, true, offsetof(tnsLevelHose, position), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"speed", tns_floatRule, false, offsetof(tnsLevelHose, speed), 0.1, 100, NULL},
		{"rate", tns_floatRule, false, offsetof(tnsLevelHose, rate), 0, 1000, NULL},
		{"spread", tns_floatRule, false, offsetof(tnsLevelHose, spread), 0, 1, NULL},
	};
	tnsLevelHose* hose = &reader->scene->level.hose;
	const tnJetDef standard = tnDefaultJetDef();
	if (value == NULL)
	{
		return true;
	}
	*hose = (tnsLevelHose){.given = true, .speed = 15.0f, .rate = standard.rate, .spread = standard.spread};
	return (reader->scene->info.worldDef.spray.enable ||
			   tnsFail(reader, value->place, "a hose needs a scene with \"spray\", and its \"enable\" not false")) &&
		TNS_READ(reader, value, "hose", rules, hose);
}

static bool tnsReadAvatar(tnsSceneReader* reader, const tnsJson* value)
{
	static const tnsRule rules[] = {
		{"body", tns_customRule, true, 0, 0, 0, NULL},
		{"acceleration", tns_floatRule, false, offsetof(tnsLevelAvatar, acceleration), 0.01, 100, NULL},
		{"speed", tns_floatRule, false, offsetof(tnsLevelAvatar, speed), 0.01, 100, NULL},
	};
	tnsLevelAvatar* avatar = &reader->scene->level.avatar;
	if (value == NULL)
	{
		return true;
	}
	*avatar = (tnsLevelAvatar){.given = true, .acceleration = 3.0f, .speed = 3.0f};
	if (TNS_READ(reader, value, "avatar", rules, avatar) == false)
	{
		return false;
	}
	const tnsJson* body = tnsJson_Find(value, "body");
	int count = 0;
	if (tnsFindBodies(reader, body, "body", &avatar->body, &count) == false)
	{
		return false;
	}
	bool fixed = false;
	for (int i = 0; i < reader->scene->bodyRuleCount; ++i)
	{
		const tnsBodyRule* rule = reader->scene->bodies + i;
		const bool same = avatar->body >= rule->first && avatar->body < rule->first + rule->copyCount;
		fixed = fixed || (same && rule->fixed);
	}
	return (count == 1 || tnsFail(reader, body->place, "there can be only one avatar, got %d copies", count)) &&
		(fixed == false || tnsFail(reader, body->place, "an avatar must not be fixed"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Goals

// The liquid of a goal by its name: the first one, unless it says.
static bool tnsFindGoalLiquid(tnsSceneReader* reader, const tnsJson* value, tnsGoal* goal)
{
	goal->liquid = 1;
	if (value == NULL)
	{
		return true;
	}
	if (tnsCheckText(reader, value, "liquid", true) == false)
	{
		return false;
	}
	for (int i = 0; i < reader->liquidCount; ++i)
	{
		if (strcmp(reader->liquids[i].name, value->string) == 0)
		{
			goal->liquid = i + 1;
			return true;
		}
	}
	return tnsFail(reader, value->place, "there is no liquid \"%s\"", value->string);
}

// Keys that only some measures have, and those that they cannot do without.
static bool tnsCheckGoalKeys(tnsSceneReader* reader, const tnsJson* value, const char* const* measures, int measure)
{
	enum
	{
		bodies = 1 << tns_bodiesMeasure,
		tracer = 1 << tns_tracerMeasure,
		submerged = 1 << tns_submergedMeasure,
		places = (1 << tns_measureCount) - 1 - submerged,
		filled = 1 << tns_depthMeasure | 1 << tns_wetShareMeasure | 1 << tns_volumeMeasure,
	};
	const int voxels = reader->liquids != NULL ? filled : 0;
	if (reader->liquids != NULL && measure == tns_tracerMeasure)
	{
		return tnsFail(reader, tnsJson_Find(value, "measure")->place, "voxels have no tracers to measure");
	}
	// Sets of measures.
	const struct
	{
		const char* key;
		int allowed, needed;
	} uses[] = {
		{"region", places, places},
		{"mark", places, 0},
		{"tracer", tracer, tracer},
		{"bodies", bodies | submerged, bodies | submerged},
		{"low", bodies | voxels, 0},
		{"high", bodies | voxels, 0},
		{"liquid", voxels, 0},
	};
	for (int i = 0; i < TNS_COUNT_OF(uses); ++i)
	{
		const tnsJson* child = tnsJson_Find(value, uses[i].key);
		if (child != NULL && (uses[i].allowed >> measure & 1) == 0)
		{
			return tnsFail(
				reader, child->keyPlace, "\"%s\" is not for goals of measure %s", uses[i].key, measures[measure]);
		}
		if (child == NULL && (uses[i].needed >> measure & 1) != 0)
		{
			return tnsFail(reader, value->place, "a goal of measure %s needs \"%s\"", measures[measure], uses[i].key);
		}
	}
	return true;
}

// What the goal looks at, by its names.
static bool tnsFindGoalParts(tnsSceneReader* reader, const tnsJson* value, tnsGoal* goal)
{
	const tnsJson* tracer = tnsJson_Find(value, "tracer");
	const tnsJson* bodies = tnsJson_Find(value, "bodies");
	int count = 0;
	if (tnsFindRegion(reader, tnsJson_Find(value, "region"), &goal->region) == false ||
		tnsFindGoalLiquid(reader, tnsJson_Find(value, "liquid"), goal) == false ||
		(tracer != NULL &&
			(tnsCheckText(reader, tracer, "tracer", true) == false ||
				tnsFindTracer(reader, tracer->string, tracer->place, &goal->tracer) == false)) ||
		(bodies != NULL && tnsFindBodies(reader, bodies, "bodies", &goal->bodyBegin, &count) == false))
	{
		return false;
	}
	goal->bodyEnd = goal->bodyBegin + count;
	return true;
}

static bool tnsReadGoal(tnsSceneReader* reader, const tnsJson* value, tnsGoal* goal)
{
	static const char* const measures[] = {"depth", "wetShare", "volume", "tracer", "bodies", "submerged", NULL};
	static const char* const marks[] = {"none", "house", "fire", "target", "danger", NULL};
	static const char* const outcomes[] = {"win", "lose", NULL};
	static const char* const bounds[] = {"atLeast", "atMost"};
	static const tnsRule rules[] = {
		{"label", tns_textRule, true, offsetof(tnsGoal, label), 0, 0, NULL},
		{"measure", tns_choiceRule, true, offsetof(tnsGoal, measure), 0, 0, measures},
		{"region", tns_customRule, false, 0, 0, 0, NULL},
		{"tracer", tns_customRule, false, 0, 0, 0, NULL},
		{"bodies", tns_customRule, false, 0, 0, 0, NULL},
		{"liquid", tns_customRule, false, 0, 0, 0, NULL},
		{"low", tns_floatRule, false, offsetof(tnsGoal, low), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"high", tns_floatRule, false, offsetof(tnsGoal, high), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"atLeast", tns_doubleRule, false, offsetof(tnsGoal, limit), 0, 1.0e9, NULL},
		{"atMost", tns_doubleRule, false, offsetof(tnsGoal, limit), 0, 1.0e9, NULL},
		{"seconds", tns_doubleRule, false, offsetof(tnsGoal, seconds), 0, TNS_MAX_SECONDS, NULL},
		{"once", tns_boolRule, false, offsetof(tnsGoal, once), 0, 0, NULL},
		{"then", tns_customRule, false, 0, 0, 0, NULL},
		{"mark", tns_choiceRule, false, offsetof(tnsGoal, mark), 0, 0, marks},
	};
	*goal = (tnsGoal){.low = -INFINITY, .high = INFINITY};
	if (TNS_READ(reader, value, "a goal", rules, goal) == false ||
		tnsCheckGoalKeys(reader, value, measures, goal->measure) == false)
	{
		return false;
	}
	const int bound = tnsFindOneOf(reader, value, "a goal", bounds, 2, false);
	const tnsJson* then = tnsJson_Find(value, "then");
	int outcome = 0;
	if (bound < 0 || (then != NULL && tnsReadChoice(reader, then, "then", outcomes, &outcome) == false))
	{
		return false;
	}
	goal->atMost = bound == 1;
	goal->loses = outcome == 1;
	if (goal->atMost == false && goal->limit == 0.0)
	{
		return tnsFail(reader, tnsJson_Find(value, "atLeast")->place, "atLeast must be more than 0: 0 is always there");
	}
	if (goal->high <= goal->low)
	{
		return tnsFail(
			reader, value->place, "high must be above low, got %.9g and %.9g", (double)goal->high, (double)goal->low);
	}
	return tnsFindGoalParts(reader, value, goal);
}

static bool tnsReadGoals(tnsSceneReader* reader, const tnsJson* value)
{
	tnsLevelInfo* level = &reader->scene->level;
	if (tnsCheckArray(reader, value, "goals", TNS_MAX_GOALS) == false)
	{
		return false;
	}
	tnsGoal* goals = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnsGoal));
	level->goals = goals;
	bool wins = level->winsAtEnd && value->count > 0;
	for (const tnsJson* item = value->first; goals != NULL && item != NULL; item = item->next)
	{
		tnsGoal* goal = goals + level->goalCount;
		if (tnsReadGoal(reader, item, goal) == false)
		{
			return false;
		}
		wins = wins || goal->loses == false;
		level->goalCount += 1;
	}
	return goals != NULL &&
		(wins ||
			tnsFail(reader, value->place,
				"a level needs a goal to win by, or \"atEnd\": \"win\" and a goal that can lose it"));
}

static bool tnsReadStars(tnsSceneReader* reader, const tnsJson* value)
{
	static const tnsRule rules[] = {
		{"time", tns_doubleRule, false, offsetof(tnsStarRules, time), 0.1, 3600, NULL},
		{"tools", tns_doubleRule, false, offsetof(tnsStarRules, tools), 0, 1, NULL},
		{"water", tns_doubleRule, false, offsetof(tnsStarRules, water), 0, 1, NULL},
		{"danger", tns_doubleRule, false, offsetof(tnsStarRules, danger), 0, 1, NULL},
	};
	tnsStarRules* stars = &reader->scene->level.stars;
	*stars = (tnsStarRules){-1.0, -1.0, -1.0, -1.0};
	return value == NULL || TNS_READ(reader, value, "stars", rules, stars);
}

bool tnsReadLevel(tnsSceneReader* reader, const tnsJson* value)
{
	static const char* const ends[] = {"lose", "win", NULL};
	static const tnsRule rules[] = {
		{"title", tns_textRule, true, offsetof(tnsLevelInfo, title), 0, 0, NULL},
		{"classes", tns_textRule, true, offsetof(tnsLevelInfo, classes), 0, 0, NULL},
		{"story", tns_textRule, true, offsetof(tnsLevelInfo, story), 0, 0, NULL},
		{"hint", tns_textRule, false, offsetof(tnsLevelInfo, hint), 0, 0, NULL},
		{"timeLimit", tns_doubleRule, true, offsetof(tnsLevelInfo, timeLimit), 1, 3600, NULL},
		{"atEnd", tns_customRule, false, 0, 0, 0, NULL},
		{"goals", tns_customRule, true, 0, 0, 0, NULL},
		{"tools", tns_customRule, false, 0, 0, 0, NULL},
		{"hose", tns_customRule, false, 0, 0, 0, NULL},
		{"avatar", tns_customRule, false, 0, 0, 0, NULL},
		{"stars", tns_customRule, false, 0, 0, 0, NULL},
	};
	tnsScene* scene = reader->scene;
	if (value == NULL)
	{
		return true;
	}
	scene->hasLevel = true;
	scene->level.hint = "";
	if (TNS_READ(reader, value, "level", rules, &scene->level) == false ||
		tnsReadClasses(reader, tnsJson_Find(value, "classes")) == false)
	{
		return false;
	}
	const tnsJson* end = tnsJson_Find(value, "atEnd");
	int choice = 0;
	if (end != NULL && tnsReadChoice(reader, end, "atEnd", ends, &choice) == false)
	{
		return false;
	}
	scene->level.winsAtEnd = choice == 1;
	// A film of a level is as long as the level.
	if (tnsJson_Find(tnsJson_GetRoot(scene->document), "seconds") == NULL)
	{
		scene->info.seconds = scene->level.timeLimit;
	}
	return tnsReadStars(reader, tnsJson_Find(value, "stars")) && tnsReadHose(reader, tnsJson_Find(value, "hose")) &&
		tnsReadTools(reader, tnsJson_Find(value, "tools")) && tnsReadAvatar(reader, tnsJson_Find(value, "avatar")) &&
		tnsReadGoals(reader, tnsJson_Find(value, "goals"));
}

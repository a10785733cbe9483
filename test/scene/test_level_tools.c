// SPDX-License-Identifier: MIT

// What players of levels may do, what it costs, and what the hose and the avatar do.

#include "level_scenes.h"
#include "tarn/spray.h"

// ---------------------------------------------------------------------------------------------------------------------
// Tools

static double SumBed(const tnWorld* world)
{
	const tnFieldView bed = tnWorld_GetBed(world);
	double sum = 0.0;
	for (int row = 0; row < bed.rowCount; ++row)
	{
		for (int column = 0; column < bed.columnCount; ++column)
		{
			sum += (double)bed.data[(size_t)row * (size_t)bed.stride + (size_t)column];
		}
	}
	return sum;
}

#define TOOLS                                                                                                       \
	DRY "\"water\": {\"level\": -1}, \"regions\": [{\"name\": \"r\", \"shape\": \"box\", \"x\": 4, \"z\": 4, "      \
		"\"width\": 3, "                                                                                            \
		"\"length\": 2}, {\"name\": \"home\", \"shape\": \"disc\", \"x\": 15, \"z\": 10, \"radius\": 2}], " HEAD    \
		"\"tools\": [{\"tool\": \"raise\", \"budget\": 4, \"radius\": 1.5}, {\"tool\": \"lower\", \"budget\": 50, " \
		"\"radius\": "                                                                                              \
		"1.5}, {\"tool\": \"flatten\", \"budget\": 50, \"radius\": 2}, {\"tool\": \"pour\", \"budget\": 3, "        \
		"\"radius\": 1, "                                                                                           \
		"\"region\": \"home\"}, {\"tool\": \"push\", \"budget\": 1}], \"goals\": [{\"label\": \"g\", \"measure\": " \
		"\"depth\", "                                                                                               \
		"\"region\": \"r\", \"atLeast\": 9, \"mark\": \"house\"}]}}"

// What is paid is what was moved, to the rim of the world, and what is used up is used up.
static int StrokesArePaid(void)
{
	LevelPlay play;
	ENSURE(Begin(TOOLS, &play) == 0);
	const double area = 0.25;
	const int raise = tnsLevel_FindTool(play.level, "raise"), lower = tnsLevel_FindTool(play.level, "lower");
	const int flatten = tnsLevel_FindTool(play.level, "flatten"), pour = tnsLevel_FindTool(play.level, "pour");
	const int push = tnsLevel_FindTool(play.level, "push");
	for (int i = 0; i < 20; ++i)
	{
		Stroke(&play, tnp_raiseTool, (tnVec2){12, 5}, (tnVec2){0});
	}
	const double raised = SumBed(play.world) * area;
	ENSURE(raised > 0.1);
	ENSURE_CLOSE(4.0 - tnsLevel_GetLeft(play.level, raise), raised, 1.0e-5);
	for (int i = 0; i < 20; ++i)
	{
		// Half of the brush is over the edge of the world.
		Stroke(&play, tnp_lowerTool, (tnVec2){0.1f, 12}, (tnVec2){0});
	}
	const double lowered = raised - SumBed(play.world) * area;
	ENSURE(lowered > 0.05);
	ENSURE_CLOSE(50.0 - tnsLevel_GetLeft(play.level, lower), lowered, 1.0e-5);
	// A mound is cut down to the plane at 0: what it was above it.
	Stroke(&play, tnp_flattenTool, (tnVec2){12, 5}, (tnVec2){0});
	ENSURE_CLOSE(50.0 - tnsLevel_GetLeft(play.level, flatten), raised - lowered - SumBed(play.world) * area, 1.0e-5);
	ENSURE_EQUAL_INT(play.refusals, 0);
	for (int i = 0; i < 10; ++i)
	{
		Stroke(&play, tnp_pourTool, (tnVec2){15, 10}, (tnVec2){0});
	}
	ENSURE_CLOSE(3.0 - tnsLevel_GetLeft(play.level, pour), tnWorld_GetLedger(play.world).edits, 1.0e-6);
	Stroke(&play, tnp_pushTool, (tnVec2){15, 10}, (tnVec2){1, 0});
	ENSURE_CLOSE(tnsLevel_GetLeft(play.level, push), 0.98, 1.0e-6);
	// Until nothing is left; the last stroke may go over by what one step does.
	while (tnsLevel_GetLeft(play.level, raise) > 0.0)
	{
		Stroke(&play, tnp_raiseTool, (tnVec2){12, 12}, (tnVec2){0});
	}
	ENSURE_EQUAL_INT(play.refusals, 0);
	const double bed = SumBed(play.world);
	Stroke(&play, tnp_raiseTool, (tnVec2){12, 12}, (tnVec2){0});
	ENSURE_EQUAL_INT(play.refusals, 1);
	ENSURE_TEXT(play.refusal, "Nothing is left of raise");
	ENSURE_CLOSE(SumBed(play.world), bed, 0.0);
	EndLevel(&play);
	return 0;
}

// Without a level a stroke is a stroke: with the radius and the strength it has.
static int ScenesHaveNoBudget(void)
{
	LevelPlay play;
	ENSURE(Begin(TOOLS, &play) == 0);
	tnpStroke stroke = {.tool = tnp_raiseTool, .center = {12, 5}, .radius = 3.0f, .strength = 2.0f};
	ENSURE_OK(tnpApplyLevelStroke(NULL, play.world, &stroke, 0.02f));
	const double wide = SumBed(play.world);
	ENSURE_OK(tnpApplyLevelStroke(play.level, play.world, &stroke, 0.02f));
	// The level has half of the radius and half of the strength: a cone of an eighth of the height and a quarter of the
	// area. Cells are coarse.
	const double own = SumBed(play.world) - wide;
	ENSURE(own > 0.0 && own < 0.1 * wide);
	EndLevel(&play);
	return 0;
}

static int PlacesAreRefused(void)
{
	LevelPlay play;
	ENSURE(Begin(TOOLS, &play) == 0);
	static const struct
	{
		tnpTool tool;
		tnVec2 center;
		const char* text;
	} cases[] = {
		{tnp_drainTool, {12, 5}, "No drain in this level"},
		{tnp_sourceTool, {12, 5}, "No source in this level"},
		{tnp_pourTool, {12, 5}, "Only at: home"},
		// The house is a box of 3 x 2 m around 4, 4; the brush has 1.5 m.
		{tnp_raiseTool, {4, 4}, "Too near to a house"},
		{tnp_lowerTool, {6.9f, 4}, "Too near to a house"},
		{tnp_raiseTool, {6.5f, 6}, "Too near to a house"},
	};
	for (int i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); ++i)
	{
		Stroke(&play, cases[i].tool, cases[i].center, (tnVec2){0});
		ENSURE_EQUAL_INT(play.refusals, i + 1);
		ENSURE_TEXT(play.refusal, cases[i].text);
	}
	ENSURE_CLOSE(SumBed(play.world), 0.0, 0.0);
	const int refusals = play.refusals;
	Stroke(&play, tnp_raiseTool, (tnVec2){7.1f, 4}, (tnVec2){0});
	Stroke(&play, tnp_raiseTool, (tnVec2){6.6f, 6.2f}, (tnVec2){0});
	ENSURE_EQUAL_INT(play.refusals, refusals);
	// Nothing more after the end.
	ENSURE(PlayToEnd(&play, NULL, 0) == 0);
	Stroke(&play, tnp_raiseTool, (tnVec2){12, 5}, (tnVec2){0});
	ENSURE_TEXT(play.refusal, "The level is lost");
	EndLevel(&play);
	return 0;
}

static int BadCalls(void)
{
	LevelPlay play;
	ENSURE(Begin(TOOLS, &play) == 0);
	const int raise = tnsLevel_FindTool(play.level, "raise");
	ENSURE_EQUAL_INT(tnsLevel_FindTool(play.level, NULL), -1);
	ENSURE_EQUAL_INT(tnsLevel_FindTool(play.level, "raises"), -1);
	ENSURE_CLOSE(tnsLevel_GetLeft(play.level, -1), 0.0, 0.0);
	ENSURE_CLOSE(tnsLevel_GetLeft(play.level, 99), 0.0, 0.0);
	tnsLevel_Charge(play.level, 99, 1.0);
	tnsLevel_Charge(play.level, raise, (double)NAN);
	tnsLevel_Charge(play.level, raise, (double)INFINITY);
	ENSURE_CLOSE(tnsLevel_GetLeft(play.level, raise), 4.0, 0.0);
	tnsLevel_Charge(play.level, raise, 3.0);
	ENSURE_CLOSE(tnsLevel_GetLeft(play.level, raise), 1.0, 0.0);
	tnsLevel_Charge(play.level, raise, -9.0);
	ENSURE_CLOSE(tnsLevel_GetLeft(play.level, raise), 4.0, 0.0);
	tnsLevel_Charge(play.level, raise, 9.0);
	ENSURE_CLOSE(tnsLevel_GetLeft(play.level, raise), 0.0, 0.0);
	const tnVec3 somewhere = {5, 0, 5};
	ENSURE_EQUAL_INT(tnsLevel_MayUse(play.level, NULL, (tnVec2){1, 1}, 1).status, tns_invalidArgument);
	ENSURE_TEXT(tnsLevel_AimHose(play.level, &somewhere).text, "this level has no hose");
	ENSURE_TEXT(tnsLevel_Drive(play.level, (tnVec2){1, 0}).text, "this level has no avatar");
	ENSURE_TEXT(tnsLevel_Stack(play.level, somewhere, NULL).text, "No stack in this level");
	ENSURE_TEXT(tnsLevel_TakeBack(play.level, 0).text, "is not one of yours");
	ENSURE_TEXT(tnsLevel_Cut(play.level, 7).text, "there is no body 7");
	Stroke(&play, tnp_lowerTool, (tnVec2){NAN, 5}, (tnVec2){0});
	Stroke(&play, tnp_lowerTool, (tnVec2){1.0e9f, 5}, (tnVec2){0});
	Stroke(&play, tnp_lowerTool, (tnVec2){-1.0e30f, INFINITY}, (tnVec2){0});
	ENSURE_EQUAL_INT(play.refusals, 3);
	ENSURE_CLOSE(SumBed(play.world), 0.0, 0.0);
	ENSURE_CLOSE(tnsLevel_GetLeft(play.level, tnsLevel_FindTool(play.level, "lower")), 50.0, 0.0);
	ENSURE_TEXT(tnsGetLevelStateName(tns_levelStateCount), "");
	EndLevel(&play);
	return 0;
}

#define HOSE(tank)                                                                                 \
	DRY REGION "\"spray\": {\"drag\": 0, \"slamSpeed\": 1000}, \"manning\": 0.3, " HEAD            \
			   "\"hose\": {\"position\": [2, 1.5, 7.5], \"speed\": 12, "                           \
			   "\"rate\": 0.1, \"spread\": 0}, \"tools\": [{\"tool\": \"hose\", \"budget\": " tank \
			   "}], \"goals\": [" GOAL "]}}"

// The middle of the water that has come down is where it was aimed at, and the tank gives what it has.
static int TheHoseHits(void)
{
	static const tnVec3 targets[] = {{12, 0, 7.5f}, {9, 0, 12}, {5, 0, 3}};
	for (int i = 0; i < 3; ++i)
	{
		LevelPlay play;
		ENSURE(Begin(HOSE("0.02"), &play) == 0);
		ENSURE_TEXT(tnsLevel_AimHose(play.level, &targets[i]).text, "");
		// Ten steps of 2 liters empty the tank.
		for (int step = 0; step < 75; ++step)
		{
			ENSURE_TEXT(tnsRun_Step(play.run).text, "");
			tnsLevel_Update(play.level);
		}
		const tnFieldView depth = tnWorld_GetDepth(play.world);
		double sum = 0.0, x = 0.0, z = 0.0;
		for (int row = 0; row < depth.rowCount; ++row)
		{
			for (int column = 0; column < depth.columnCount; ++column)
			{
				const double d = (double)depth.data[(size_t)row * (size_t)depth.stride + (size_t)column];
				sum += d;
				x += d * (0.5 * column + 0.25);
				z += d * (0.5 * row + 0.25);
			}
		}
		// Cells have 0.5 m, and water that has landed runs on for a fraction of a second.
		ENSURE_CLOSE(x / sum, targets[i].x, 0.4);
		ENSURE_CLOSE(z / sum, targets[i].z, 0.4);
		ENSURE_CLOSE(sum * 0.25, 0.02, 1.0e-5);
		ENSURE_EQUAL_INT(tnWorld_GetSprayStats(play.world).particleCount, 0);
		ENSURE_CLOSE(tnsLevel_GetLeft(play.level, 0), 0.0, 0.0);
		ENSURE_TEXT(tnsLevel_AimHose(play.level, &targets[i]).text, "Nothing is left of hose");
		EndLevel(&play);
	}
	return 0;
}

// Out of reach it goes as far as it can: with 12 m/s, 1.5 m above the ground, at 42.3 degrees. It closes when it is told to,
// and at the end.
static int TheHoseReachesFar(void)
{
	LevelPlay play;
	ENSURE(Begin(HOSE("9"), &play) == 0);
	const tnVec3 far = {1000, 0, 7.5f}, up = {2.0001f, 50, 7.5f}, high = {3, 50, 7.5f}, bad = {NAN, 0, 0};
	ENSURE_TEXT(tnsLevel_AimHose(play.level, &far).text, "");
	ENSURE_TEXT(tnsRun_Step(play.run).text, "");
	tnsLevel_Update(play.level);
	tnSprayView spray = tnWorld_GetSpray(play.world);
	ENSURE(spray.count > 0);
	const tnVec3 v = spray.particles[0].velocity;
	// 12 sin and 12 cos of it, less half a step of gravity.
	ENSURE_CLOSE(v.x, 8.88, 0.05);
	ENSURE_CLOSE(v.y, 8.07, 0.25);
	ENSURE_TEXT(tnsLevel_AimHose(play.level, &up).text, "");
	ENSURE_TEXT(tnsLevel_AimHose(play.level, &high).text, "");
	ENSURE_TEXT(tnsLevel_AimHose(play.level, &bad).text, "the target of the hose must be finite");
	ENSURE_TEXT(tnsLevel_AimHose(play.level, NULL).text, "");
	const double left = tnsLevel_GetLeft(play.level, 0);
	ENSURE(PlayFor(&play, 0.5) == 0);
	ENSURE_CLOSE(tnsLevel_GetLeft(play.level, 0), left, 0.0);
	ENSURE_CLOSE(left, 9.0 - 0.002, 1.0e-6);
	// The clock runs out while it is open.
	ENSURE_TEXT(tnsLevel_AimHose(play.level, &far).text, "");
	while (tnsLevel_GetState(play.level) == tns_levelPlaying)
	{
		ENSURE_TEXT(tnsRun_Step(play.run).text, "");
		tnsLevel_Update(play.level);
	}
	const int64_t born = tnWorld_GetSprayStats(play.world).bornCount;
	ENSURE_TEXT(tnsRun_Step(play.run).text, "");
	ENSURE_EQUAL_INT(tnWorld_GetSprayStats(play.world).bornCount, born);
	ENSURE_TEXT(tnsLevel_AimHose(play.level, &far).text, "The level is lost");
	EndLevel(&play);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies of the player

#define BODIES                                                                                                     \
	DRY REGION                                                                                                     \
		"\"bodies\": [{\"name\": \"ball\", \"shape\": \"sphere\", \"radius\": 0.4, \"position\": [3, 0.41, 10]}, " \
		"{\"name\": \"goal\", \"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [15, 0.51, 3]}, {\"name\": "  \
		"\"gate\", \"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [15, 3, 8], \"tied\": true}], " HEAD     \
		"\"avatar\": {\"body\": \"ball\", \"acceleration\": 3, \"speed\": 2}, \"tools\": [{\"tool\": \"stack\", "  \
		"\"budget\": 2, \"kind\": \"heavy crate\", \"size\": 1}, {\"tool\": \"cut\", \"budget\": 1}, {\"tool\": "  \
		"\"grab\"}], \"goals\": [{\"label\": \"g\", \"measure\": \"bodies\", \"bodies\": \"goal\", \"region\": "   \
		"\"r\", "                                                                                                  \
		"\"atLeast\": 1}]}}"

static int BodiesAreCounted(void)
{
	LevelPlay play;
	ENSURE(Begin(BODIES, &play) == 0);
	int index = 99;
	if (tnsHavePhysics() == false)
	{
		ENSURE_TEXT(tnsLevel_Stack(play.level, (tnVec3){8, 0, 8}, &index).text, "without a physics engine");
		ENSURE_EQUAL_INT(index, -1);
		ENSURE_CLOSE(tnsLevel_GetLeft(play.level, 0), 2.0, 0.0);
		EndLevel(&play);
		return 0;
	}
	ENSURE(tnsLevel_MayTouch(play.level, 0) == false);
	ENSURE(tnsLevel_MayTouch(play.level, 1) == false);
	ENSURE(tnsLevel_MayTouch(play.level, 2));
	// One that the world refuses is not paid.
	ENSURE(tnsLevel_Stack(play.level, (tnVec3){800, 0, 8}, &index).status != tns_ok);
	ENSURE_TEXT(tnsLevel_Stack(play.level, (tnVec3){8, 0, 8}, &index).text, "");
	ENSURE(index >= 3 && tnsLevel_MayTouch(play.level, index));
	ENSURE_TEXT(tnsLevel_Stack(play.level, (tnVec3){8, 0, 8}, NULL).text, "");
	ENSURE_TEXT(tnsLevel_Stack(play.level, (tnVec3){10, 0, 8}, NULL).text, "Nothing is left of stack");
	ENSURE_TEXT(tnsLevel_TakeBack(play.level, 1).text, "is not one of yours");
	ENSURE_TEXT(tnsLevel_TakeBack(play.level, index).text, "");
	ENSURE_TEXT(tnsLevel_TakeBack(play.level, index).text, "there is no body");
	ENSURE_CLOSE(tnsLevel_GetLeft(play.level, 0), 1.0, 0.0);
	// Nobody pays for cutting what nothing holds.
	ENSURE_TEXT(tnsLevel_Cut(play.level, 1).text, "");
	ENSURE_CLOSE(tnsLevel_GetLeft(play.level, 1), 1.0, 0.0);
	ENSURE_TEXT(tnsLevel_Cut(play.level, 2).text, "");
	ENSURE_CLOSE(tnsLevel_GetLeft(play.level, 1), 0.0, 0.0);
	tnsBody gate;
	ENSURE(tnsRun_GetBody(play.run, 2, &gate) && gate.tied == false);
	ENSURE_TEXT(tnsLevel_Cut(play.level, 2).text, "Nothing is left of cut");
	EndLevel(&play);
	return 0;
}

// The avatar comes to its speed, not beyond it, stops when nobody drives, and a drive of any length is at most a whole one.
static int TheAvatarDrives(void)
{
	LevelPlay play;
	ENSURE(Begin(BODIES, &play) == 0);
	if (tnsHavePhysics() == false)
	{
		ENSURE_TEXT(tnsLevel_Drive(play.level, (tnVec2){1, 0}).text, "without a physics engine");
		EndLevel(&play);
		return 0;
	}
	ENSURE_TEXT(tnsLevel_Drive(play.level, (tnVec2){NAN, 0}).text, "the drive of the avatar must be finite");
	static const Action east[] = {{0, 2, "drive", {100, 0}, {0, 0}, 0}};
	tnsBody body;
	for (int i = 0; i < 100; ++i)
	{
		ENSURE(StepLevel(&play, east, 1) == 0);
	}
	ENSURE(tnsRun_GetBody(play.run, 0, &body));
	ENSURE_CLOSE(body.velocity.x, 2.0, 0.1);
	ENSURE_CLOSE(body.velocity.z, 0.0, 0.01);
	// 3 m/s^2 at the centre are 2.1 for a ball that rolls: about a second to 2 m/s.
	ENSURE(body.pose.position.x > 4.5f && body.pose.position.x < 7.0f);
	for (int i = 0; i < 100; ++i)
	{
		ENSURE(StepLevel(&play, NULL, 0) == 0);
	}
	ENSURE(tnsRun_GetBody(play.run, 0, &body));
	ENSURE_CLOSE(body.velocity.x, 0.0, 0.05);
	ENSURE_EQUAL_INT(play.refusals, 0);
	EndLevel(&play);
	return 0;
}

static const Test s_tests[] = {
	{"StrokesArePaid", StrokesArePaid},
	{"ScenesHaveNoBudget", ScenesHaveNoBudget},
	{"PlacesAreRefused", PlacesAreRefused},
	{"BadCalls", BadCalls},
	{"TheHoseHits", TheHoseHits},
	{"TheHoseReachesFar", TheHoseReachesFar},
	{"BodiesAreCounted", BodiesAreCounted},
	{"TheAvatarDrives", TheAvatarDrives},
};
const TestSuite level_toolsSuite = TEST_SUITE("level_tools", s_tests);

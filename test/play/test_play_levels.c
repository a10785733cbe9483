// SPDX-License-Identifier: MIT

// Levels in the viewer, played with mouse, fingers and keys on a picture in memory.

#include "play_fixture.h"

#include <math.h>
#include <string.h>

// A plain scene; a level that is won by pouring within two seconds; one with a ball to drive; one that is wrong. Levels
// come last, as shells list them.
static const char s_plainText[] =
	"{\"name\": \"plain\", \"world\": {\"columns\": 31, \"rows\": 23, \"cellSize\": 1}, \"timeStep\": 0.0166666667,"
	"\"terrain\": {\"kind\": \"flat\"}}";
static const char s_tubText[] =
	"{\"name\": \"tub\", \"world\": {\"columns\": 31, \"rows\": 23, \"cellSize\": 1}, \"timeStep\": 0.0166666667,"
	"\"method\": \"pipe\", \"terrain\": {\"kind\": \"flat\"},"
	"\"regions\": [{\"name\": \"tub\", \"shape\": \"disc\", \"x\": 15, \"z\": 15, \"radius\": 4}],"
	"\"level\": {\"title\": \"Fill the Tub\", \"classes\": \"G3 C2\", \"story\": \"Pour three cubic meters into the "
	"tub.\","
	"\"hint\": \"Hold the button.\", \"timeLimit\": 2,"
	"\"tools\": [{\"tool\": \"pour\", \"budget\": 3.7, \"radius\": 2}, {\"tool\": \"stack\", \"budget\": 2, \"size\": "
	"1.5}],"
	"\"goals\": [{\"label\": \"Water in the tub\", \"measure\": \"volume\", \"region\": \"tub\", \"atLeast\": 3,"
	" \"mark\": \"fire\"}]}}";
static const char s_ballText[] =
	"{\"name\": \"ball\", \"world\": {\"columns\": 41, \"rows\": 23, \"cellSize\": 0.5}, \"timeStep\": 0.0166666667,"
	"\"method\": \"pipe\", \"terrain\": {\"kind\": \"flat\"},"
	"\"regions\": [{\"name\": \"flag\", \"shape\": \"disc\", \"x\": 14, \"z\": 6, \"radius\": 1.5}],"
	"\"bodies\": [{\"name\": \"ball\", \"shape\": \"sphere\", \"radius\": 0.5, \"density\": 500,"
	" \"position\": [8, 0.51, 6]}],"
	"\"level\": {\"title\": \"Roll\", \"classes\": \"G1 C1\", \"story\": \"Go to the flag.\", \"timeLimit\": 20,"
	"\"avatar\": {\"body\": \"ball\", \"acceleration\": 4, \"speed\": 3},"
	"\"goals\": [{\"label\": \"At the flag\", \"measure\": \"bodies\", \"bodies\": \"ball\", \"region\": \"flag\","
	" \"atLeast\": 1, \"mark\": \"target\"}]}}";
static const char s_wrongText[] = "{\"name\": \"wrong\", \"world\": {\"columns\": 31, \"rows\": 23, \"cellSize\": 1}, "
								  "\"terrain\": {\"kind\": \"flat\"},"
								  "\"level\": {\"title\": \"Wrong\", \"classes\": \"G1 C1\", \"story\": \"None.\", "
								  "\"timeLimit\": -3, \"goals\": []}}";

enum
{
	plainScene,
	wrongScene,
	tubScene,
	ballScene,
	sceneCount,
};

static bool Open(Fixture* fixture, int scene)
{
	static const tnpSceneItem items[sceneCount] = {{"plain", "play_plain.json", false},
		{"wrong", "play_wrong_level.json", false}, {"tub", "play_tub.json", true}, {"ball", "play_ball.json", true}};
	static const char* const texts[sceneCount] = {s_plainText, s_wrongText, s_tubText, s_ballText};
	if (OpenFixture(fixture, items, texts, sceneCount) == false)
	{
		return false;
	}
	Frames(fixture, 1);
	return scene == plainScene || tnpPlay_SetScene(fixture->play, scene).ok;
}

static tnsLevelState GetState(const Fixture* fixture)
{
	return tnsLevel_GetState(tnpPlay_GetLevel(fixture->play));
}

static double GetLeft(const Fixture* fixture, const char* tool)
{
	const tnsLevel* level = tnpPlay_GetLevel(fixture->play);
	return tnsLevel_GetLeft(level, tnsLevel_FindTool(level, tool));
}

static void Press(Fixture* fixture, int key)
{
	tnpPlay_Key(fixture->play, key, true);
	tnpPlay_Key(fixture->play, key, false);
}

// Put the mouse on the button with this hint. Fingers get no hints, but their buttons have them.
static bool PointAtButton(Fixture* fixture, const char* hint)
{
	tnpPanel* panel = &fixture->play->panel;
	const float rowScale = panel->rowScale;
	panel->rowScale = 1.0f;
	bool found = false;
	for (int y = 4; y < windowHeight && found == false; y += 8)
	{
		for (int x = 4; x < windowWidth && found == false; x += 8)
		{
			tnpPlay_MouseMove(fixture->play, (float)x, (float)y);
			found = strstr(panel->hint, hint) != NULL;
		}
	}
	panel->rowScale = rowScale;
	return found;
}

static void Click(Fixture* fixture)
{
	tnpPlay_MouseButton(fixture->play, tnp_leftButton, true);
	tnpPlay_MouseButton(fixture->play, tnp_leftButton, false);
}

static bool ClickButton(Fixture* fixture, const char* hint)
{
	const bool found = PointAtButton(fixture, hint);
	Click(fixture);
	return found;
}

// Hold the pour tool over the tub until the level ends.
static bool PourUntilTheEnd(Fixture* fixture)
{
	tnpPlay_SetTool(fixture->play, tnp_pourTool);
	if (PointAt(fixture, (tnVec3){15.0f, 0.0f, 15.0f}) == false)
	{
		return false;
	}
	tnpPlay_MouseButton(fixture->play, tnp_leftButton, true);
	for (int i = 0; i < 40 && GetState(fixture) == tns_levelPlaying; ++i)
	{
		Frames(fixture, 5);
	}
	tnpPlay_MouseButton(fixture->play, tnp_leftButton, false);
	return true;
}

static int BeginsWithAStory(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, tubScene));
	tnpPlay* play = fixture.play;
	ENSURE(tnpPlay_GetLevel(play) != NULL);
	ENSURE(tnpPlay_IsLevelWaiting(play));
	ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_pourTool);
	for (int tool = 0; tool < tnp_toolCount; ++tool)
	{
		const bool given = tool == tnp_lookTool || tool == tnp_pourTool || tool == tnp_stackTool;
		ENSURE_EQUAL_INT(tnpPlay_HasTool(play, (tnpTool)tool), given);
	}
	// What the level does not have is refused, by name too.
	Press(&fixture, '3');
	ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_pourTool);
	ENSURE_TEXT(play->message, "goes without");
	// It does not step, and tools for water rest.
	ENSURE(PointAt(&fixture, (tnVec3){15.0f, 0.0f, 3.0f}));
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	Frames(&fixture, 20);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	ENSURE_EQUAL_INT(play->stepCount, 0);
	ENSURE(tnpPlay_GetStatus(play).volume == 0.0);
	ENSURE_TEXT(play->message, "The level waits");
	// The brush is that of the level, and nobody makes it larger.
	ENSURE(play->values[tnp_brushRadius] == 2.0f);
	ENSURE(tnpPlay_SetParameter(play, "brushRadius", 5.0f));
	ENSURE(tnpPlay_SetParameter(play, "rain", 500.0f));
	Press(&fixture, ']');
	ENSURE(play->values[tnp_brushRadius] == 2.0f);
	ENSURE(play->values[tnp_rain] == 0.0f);
	ENSURE(tnpPlay_SetMethod(play, tn_shallowMethod, tn_conservativeAdvection).ok == false);
	ENSURE_EQUAL_INT(tnWorld_GetDef(play->world).method, tn_pipeMethod);
	ENSURE_EQUAL_INT(tnWorld_GetDef(play->world).tracerCount, 0);
	// The button of the card begins.
	ENSURE(ClickButton(&fixture, "Begin (space)"));
	ENSURE(tnpPlay_IsLevelWaiting(play) == false);
	Frames(&fixture, 3);
	ENSURE(play->stepCount > 0);
	// Another scene has everything again, and runs.
	ENSURE(tnpPlay_SetScene(play, tubScene).ok);
	ENSURE(tnpPlay_SetScene(play, plainScene).ok);
	ENSURE(tnpPlay_GetLevel(play) == NULL);
	ENSURE(tnpPlay_IsPaused(play) == false);
	ENSURE(tnpPlay_HasTool(play, tnp_raiseTool));
	ENSURE(tnpPlay_HasTool(play, tnp_hoseTool) == false);
	ENSURE(tnpPlay_SetParameter(play, "brushRadius", 5.0f));
	ENSURE(play->values[tnp_brushRadius] == 5.0f);
	Close(&fixture);
	return 0;
}

static int WinsByMouse(void)
{
	uint64_t hashes[2];
	double times[2];
	for (int i = 0; i < 2; ++i)
	{
		Fixture fixture;
		ENSURE(Open(&fixture, tubScene));
		tnpPlay* play = fixture.play;
		Press(&fixture, tnp_spaceKey);
		ENSURE(PourUntilTheEnd(&fixture));
		ENSURE_EQUAL_INT(GetState(&fixture), tns_levelWon);
		ENSURE(tnpPlay_IsLevelWon(play, tubScene));
		ENSURE(tnpPlay_IsLevelWon(play, ballScene) == false);
		// What was poured is paid for, and it was at least what the goal asked for.
		const double poured = tnWorld_GetLedger(play->world).edits;
		ENSURE(poured >= 3.0);
		ENSURE_CLOSE(3.7 - GetLeft(&fixture, "pour"), poured, 1.0e-9);
		hashes[i] = tnpPlay_GetHash(play);
		times[i] = tnsLevel_GetTime(play->level);
		// The clock stands, the water goes on.
		Frames(&fixture, 10);
		ENSURE(tnsLevel_GetTime(play->level) == times[i]);
		if (i == 0)
		{
			// First one sees how it ended.
			ENSURE(tnpPlay_IsLevelOver(play) == false);
			ENSURE(PointAtButton(&fixture, "The next level") == false);
			Frames(&fixture, 80);
			ENSURE(tnpPlay_IsLevelOver(play));
			ENSURE(ClickButton(&fixture, "The next level"));
		}
		else
		{
			Press(&fixture, tnp_enterKey);
		}
		ENSURE_EQUAL_INT(tnpPlay_GetScene(play), ballScene);
		ENSURE(tnpPlay_IsLevelWaiting(play));
		ENSURE_EQUAL_INT(tnpPlay_GetNextLevel(play), -1);
		Close(&fixture);
	}
	ENSURE(hashes[0] == hashes[1]);
	ENSURE(times[0] == times[1]);
	return 0;
}

static int LosesAndBeginsAgain(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, tubScene));
	tnpPlay* play = fixture.play;
	const uint64_t start = tnpPlay_GetHash(play);
	ENSURE(PointAtButton(&fixture, "From the start (R)"));
	Press(&fixture, tnp_enterKey);
	ENSURE(tnpPlay_IsPaused(play) == false);
	// A second as it is, and the last one slower.
	Frames(&fixture, 60);
	const double before = tnsLevel_GetTime(play->level);
	ENSURE_CLOSE(before, 1.0, 0.05);
	Frames(&fixture, 60);
	ENSURE_CLOSE(tnsLevel_GetTime(play->level) - before, 0.35, 0.05);
	ENSURE_EQUAL_INT(GetState(&fixture), tns_levelPlaying);
	Frames(&fixture, 125);
	ENSURE_EQUAL_INT(GetState(&fixture), tns_levelLost);
	ENSURE_EQUAL_INT(tnsLevel_GetLosingGoal(play->level), -1);
	ENSURE(tnpPlay_IsLevelWon(play, tubScene) == false);
	// Nothing can be done any more.
	ENSURE(PointAt(&fixture, (tnVec3){15.0f, 0.0f, 3.0f}));
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	Frames(&fixture, 5);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	ENSURE(tnpPlay_GetStatus(play).volume == 0.0);
	ENSURE_TEXT(play->message, "lost");
	// Again, by the button of the banner, by key, and then it is won.
	Frames(&fixture, 80);
	ENSURE(ClickButton(&fixture, "From the start (R)"));
	ENSURE_EQUAL_INT(GetState(&fixture), tns_levelPlaying);
	Press(&fixture, 'R');
	ENSURE_EQUAL_INT(play->stepCount, 0);
	ENSURE(tnpPlay_IsPaused(play) == false);
	ENSURE(tnpPlay_GetHash(play) == start);
	ENSURE(GetLeft(&fixture, "pour") == 3.7);
	ENSURE(PourUntilTheEnd(&fixture));
	ENSURE_EQUAL_INT(GetState(&fixture), tns_levelWon);
	// Won once, won for good.
	Press(&fixture, 'R');
	ENSURE_EQUAL_INT(GetState(&fixture), tns_levelPlaying);
	ENSURE(tnpPlay_IsLevelWon(play, tubScene));
	Close(&fixture);
	return 0;
}

// What was done is done again, at the same steps: the same bits, the same end.
static int ReplaysAreTheSame(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, tubScene));
	tnpPlay* play = fixture.play;
	ENSURE(tnpPlay_Replay(play) == false);
	Press(&fixture, tnp_spaceKey);
	ENSURE(PourUntilTheEnd(&fixture));
	ENSURE_EQUAL_INT(GetState(&fixture), tns_levelWon);
	const uint64_t end = tnpPlay_GetHash(play);
	const double time = tnsLevel_GetTime(play->level), left = GetLeft(&fixture, "pour");
	const int64_t steps = play->stepCount;
	for (int round = 0; round < 2; ++round)
	{
		ENSURE(tnpPlay_Replay(play));
		ENSURE(tnpPlay_IsReplaying(play));
		ENSURE_EQUAL_INT(play->stepCount, 0);
		// Hands are off.
		ENSURE(PointAt(&fixture, (tnVec3){15.0f, 0.0f, 3.0f}));
		tnpPlay_MouseButton(play, tnp_leftButton, true);
		tnpPlay_MouseButton(play, tnp_leftButton, false);
		ENSURE_TEXT(play->message, "replay");
		for (int i = 0; i < 2000 && play->stepCount < steps; ++i)
		{
			tnpPlay_SetPaused(play, true);
			tnpPlay_StepOnce(play);
		}
		ENSURE_EQUAL_INT(play->stepCount, steps);
		ENSURE_EQUAL_HEX(tnpPlay_GetHash(play), end);
		ENSURE_EQUAL_INT(GetState(&fixture), tns_levelWon);
		ENSURE(tnsLevel_GetTime(play->level) == time);
		ENSURE(GetLeft(&fixture, "pour") == left);
		ENSURE(tnpPlay_IsReplaying(play) == false);
	}
	// Another beginning forgets it.
	Press(&fixture, 'R');
	ENSURE(tnpPlay_Replay(play) == false);
	Close(&fixture);
	return 0;
}

// Poured outside of the tub it is used up in vain.
static int BudgetsEnd(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, tubScene));
	tnpPlay* play = fixture.play;
	Press(&fixture, tnp_spaceKey);
	char text[16];
	tnpDescribeLeft(play, tnp_pourTool, text, sizeof(text));
	ENSURE(strcmp(text, "3.7") == 0);
	ENSURE(PointAt(&fixture, (tnVec3){4.0f, 0.0f, 20.0f}));
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	Frames(&fixture, 45);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	ENSURE(GetLeft(&fixture, "pour") == 0.0);
	tnpDescribeLeft(play, tnp_pourTool, text, sizeof(text));
	ENSURE(strcmp(text, "0") == 0);
	ENSURE_TEXT(play->message, "left");
	// One step of pouring more than there was, at most.
	ENSURE(tnWorld_GetLedger(play->world).edits < 3.7 + 7.6 / 60.0);
	tnpDescribeLeft(play, tnp_lookTool, text, sizeof(text));
	ENSURE(text[0] == '\0');
	Close(&fixture);
	return 0;
}

static int StackIsCounted(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, tubScene));
	tnpPlay* play = fixture.play;
	Press(&fixture, tnp_spaceKey);
	tnpPlay_SetTool(play, tnp_stackTool);
	ENSURE(play->values[tnp_bodySize] == 1.5f);
	tnpPlay_SetBodyKind(play, tns_barrel);
	ENSURE_EQUAL_INT(tnpPlay_GetBodyKind(play), tns_crate);
	for (int i = 0; i < 3; ++i)
	{
		ENSURE(PointAt(&fixture, (tnVec3){6.0f + 5.0f * (float)i, 0.0f, 18.0f}));
		Frames(&fixture, 1);
		Click(&fixture);
		ENSURE(GetLeft(&fixture, "stack") == (i == 0 ? 1.0 : 0.0));
		ENSURE_EQUAL_INT(tnpPlay_GetStatus(play).bodyCount, i == 0 ? 1 : 2);
	}
	ENSURE_TEXT(play->message, "left");
	// With shift one comes back.
	tnsBody body;
	ENSURE(tnsRun_GetBody(play->run, 1, &body));
	ENSURE(PointAt(&fixture, body.pose.position));
	Frames(&fixture, 1);
	tnpPlay_Key(play, tnp_shiftKey, true);
	Click(&fixture);
	tnpPlay_Key(play, tnp_shiftKey, false);
	ENSURE(GetLeft(&fixture, "stack") == 1.0);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(play).bodyCount, 1);
	Close(&fixture);
	return 0;
}

static int AvatarGoes(void)
{
	for (int way = 0; way < 2; ++way)
	{
		Fixture fixture;
		ENSURE(Open(&fixture, ballScene));
		tnpPlay* play = fixture.play;
		ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_driveTool);
		Press(&fixture, tnp_spaceKey);
		Frames(&fixture, 1);
		const tnrCamera camera = tnpPlay_GetCamera(play);
		// The overview looks north: right is east. Or hold, and it goes there.
		if (way == 0)
		{
			tnpPlay_Key(play, 'D', true);
		}
		else
		{
			ENSURE(PointAt(&fixture, (tnVec3){14.0f, 0.0f, 6.0f}));
			tnpPlay_MouseButton(play, tnp_leftButton, true);
		}
		for (int i = 0; i < 20 && GetState(&fixture) == tns_levelPlaying; ++i)
		{
			Frames(&fixture, 20);
		}
		ENSURE_EQUAL_INT(GetState(&fixture), tns_levelWon);
		// At 3 m/s it takes a second and a half for 4.5 m, and some to get there.
		ENSURE(tnsLevel_GetTime(play->level) > 1.5 && tnsLevel_GetTime(play->level) < 4.0);
		// The camera stays where it is.
		const tnrCamera after = tnpPlay_GetCamera(play);
		ENSURE(memcmp(&camera.eye, &after.eye, sizeof(tnVec3)) == 0);
		Close(&fixture);
	}
	return 0;
}

static int MenuOpensLevels(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, plainScene));
	tnpPlay* play = fixture.play;
	ENSURE(tnpPlay_IsLevel(play, tubScene) && tnpPlay_IsLevel(play, plainScene) == false);
	ENSURE(tnpPlay_IsLevel(play, -1) == false && tnpPlay_IsLevel(play, sceneCount) == false);
	// Keys: down to the second, and back over the end.
	Press(&fixture, 'P');
	ENSURE(play->levelsOpen);
	ENSURE_EQUAL_INT(play->levelItem, 0);
	Press(&fixture, tnp_downKey);
	ENSURE_EQUAL_INT(play->levelItem, 1);
	Press(&fixture, tnp_downKey);
	Press(&fixture, tnp_upKey);
	Press(&fixture, tnp_enterKey);
	ENSURE_EQUAL_INT(tnpPlay_GetScene(play), ballScene);
	ENSURE(play->levelsOpen == false);
	Press(&fixture, 'P');
	ENSURE_EQUAL_INT(play->levelItem, 1);
	Press(&fixture, tnp_escapeKey);
	ENSURE(play->levelsOpen == false);
	Press(&fixture, 'P');
	Press(&fixture, '1');
	ENSURE_EQUAL_INT(tnpPlay_GetScene(play), tubScene);
	// A digit without a level does nothing.
	Press(&fixture, 'P');
	Press(&fixture, '7');
	ENSURE(play->levelsOpen);
	ENSURE_EQUAL_INT(tnpPlay_GetScene(play), tubScene);
	ENSURE(ClickButton(&fixture, "Close (escape)"));
	ENSURE(play->levelsOpen == false);
	// What has been won is where one need not begin.
	tnpPlay_SetLevelWon(play, tubScene, true);
	tnpPlay_SetLevelWon(play, plainScene, true);
	tnpPlay_SetLevelWon(play, 99, true);
	ENSURE(tnpPlay_IsLevelWon(play, plainScene) == false);
	int won;
	ENSURE_EQUAL_INT(tnpCountLevels(play, &won), 2);
	ENSURE_EQUAL_INT(won, 1);
	ENSURE(tnpPlay_SetScene(play, plainScene).ok);
	Press(&fixture, 'P');
	ENSURE_EQUAL_INT(play->levelItem, 1);
	Close(&fixture);
	return 0;
}

// The rows of the menu have no hints: they are below the button that closes it. Mouse and fingers press them alike.
static int MenuByMouseAndFinger(void)
{
	for (int finger = 0; finger < 2; ++finger)
	{
		Fixture fixture;
		ENSURE(Open(&fixture, tubScene));
		tnpPlay* play = fixture.play;
		play->touch = finger == 1;
		play->panel.rowScale = finger == 1 ? 1.4f : 1.0f;
		ENSURE(ClickButton(&fixture, "All levels (P)"));
		ENSURE(play->levelsOpen);
		Frames(&fixture, 1);
		ENSURE(PointAtButton(&fixture, "Close (escape)"));
		const float x = play->mouseX - 100.0f;
		int row = -1;
		for (float y = play->mouseY + 30.0f; y < windowHeight && play->levelsOpen; y += 6.0f)
		{
			tnpPlay_MouseMove(play, x, y);
			if (play->panel.inside == false)
			{
				break;
			}
			// The second row: the first one is the level that is there already.
			Click(&fixture);
			row = tnpPlay_GetScene(play);
			if (row == tubScene)
			{
				play->levelsOpen = true;
			}
		}
		ENSURE_EQUAL_INT(row, ballScene);
		ENSURE(play->levelsOpen == false);
		Close(&fixture);
	}
	return 0;
}

static int WrongLevelsAreNamed(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, tubScene));
	const tnrResult result = tnpPlay_SetScene(fixture.play, wrongScene);
	ENSURE(result.ok == false);
	ENSURE_TEXT(result.text, "timeLimit");
	ENSURE_EQUAL_INT(tnpPlay_GetScene(fixture.play), tubScene);
	ENSURE(tnpPlay_GetLevel(fixture.play) != NULL);
	Close(&fixture);
	return 0;
}

// Held, it uses up what the level gives, and brings water into the air; let go, it does not.
static int HoseRuns(Fixture* fixture)
{
	tnpPlay* play = fixture->play;
	const tnsLevelInfo* info = tnsLevel_GetInfo(play->level);
	tnpPlay_SetTool(play, tnp_hoseTool);
	const double before = GetLeft(fixture, "hose");
	const tnVec2 place = tnsScene_GetRegionDef(play->scene, info->goals[0].region).center;
	ENSURE(PointAt(fixture, (tnVec3){place.x, tnWorld_Sample(play->world, place).bed, place.z}));
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	Frames(fixture, 30);
	const double used = before - GetLeft(fixture, "hose");
	// Pictures and steps do not begin together: give or take a step or two.
	ENSURE_CLOSE(used, 30.0 * (double)(info->hose.rate * play->timeStep), 0.1 * used);
	ENSURE(tnWorld_GetLedger(play->world).airborne > 0.0);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	Frames(fixture, 2);
	const double closed = GetLeft(fixture, "hose");
	Frames(fixture, 10);
	ENSURE(GetLeft(fixture, "hose") == closed);
	return 0;
}

// The levels that tarn comes with: all tools are there, something is drawn, and a hose can be aimed.
static int OwnLevelsOpen(void)
{
	static const char* const names[] = {
#include "level_names.inc"
	};
	enum
	{
		count = sizeof(names) / sizeof(names[0]),
	};
	char paths[count][256];
	tnpSceneItem items[count];
	for (int i = 0; i < count; ++i)
	{
		snprintf(paths[i], sizeof(paths[i]), TARN_SOURCE_FOLDER "/scenes/levels/%s.json", names[i]);
		items[i] = (tnpSceneItem){names[i], paths[i], true};
	}
	Fixture fixture;
	ENSURE(OpenFixture(&fixture, items, NULL, count));
	tnpPlay* play = fixture.play;
	int hoses = 0;
	for (int i = 0; i < count; ++i)
	{
		ENSURE(tnpPlay_SetScene(play, i).ok);
		ENSURE(play->level != NULL);
		const tnsLevelInfo* info = tnsLevel_GetInfo(play->level);
		ENSURE(info->goalCount > 0);
		int toolCount = 0;
		for (int tool = tnp_pourTool; tool < tnp_toolCount; ++tool)
		{
			const bool refused = tnpPlay_GetToolRefusal(play, (tnpTool)tool) != NULL;
			toolCount += tnpPlay_HasTool(play, (tnpTool)tool) ? 1 : 0;
			ENSURE(tnpPlay_HasTool(play, (tnpTool)tool) == false || refused == false || tnsHavePhysics() == false);
		}
		ENSURE_EQUAL_INT(toolCount, info->toolCount + (info->avatar.given ? 1 : 0));
		Frames(&fixture, 1);
		Press(&fixture, tnp_spaceKey);
		if (info->hose.given && tnpPlay_HasTool(play, tnp_hoseTool))
		{
			hoses += 1;
			ENSURE(HoseRuns(&fixture) == 0);
		}
		Frames(&fixture, 10);
	}
	ENSURE(hoses > 0);
	Close(&fixture);
	return 0;
}

// A cat on the keyboard and the mouse: it gets no more than the level gives, and no other tool.
static int CatsPlayFair(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, tubScene));
	TestRandom random = TestMakeRandom(78);
	tnpPlay* play = fixture.play;
	int64_t tubSteps = 0;
	for (int i = 0; i < 2000; ++i)
	{
		tnpPlay_MouseMove(play, TestRandomFloat(&random, -20.0f, 660.0f), TestRandomFloat(&random, -20.0f, 380.0f));
		tnpPlay_MouseButton(play, (tnpButton)TestRandomInt(&random, 0, 2), TestRandomInt(&random, 0, 1) > 0);
		tnpPlay_Key(play, TestRandomInt(&random, 0, tnp_keyCount), TestRandomInt(&random, 0, 1) > 0);
		tnpPlay_SetTool(play, (tnpTool)TestRandomInt(&random, 0, tnp_toolCount));
		tnpPlay_SetParameter(play, "brushStrength", TestRandomFloat(&random, 0.1f, 10.0f));
		if (i % 10 == 0)
		{
			Frames(&fixture, 3);
		}
		if (tnpPlay_GetScene(play) == tubScene)
		{
			ENSURE(tnpPlay_HasTool(play, tnpPlay_GetTool(play)));
			// One step of pouring more than there was, at most.
			ENSURE(fabs(tnWorld_GetLedger(play->world).edits) < 3.7 + 7.6 / 60.0);
			ENSURE(tnWorld_Sample(play->world, (tnVec2){15.0f, 15.0f}).bed == 0.0f);
			tubSteps = play->stepCount > tubSteps ? play->stepCount : tubSteps;
		}
		else if (i % 200 == 0)
		{
			ENSURE(tnpPlay_SetScene(play, tubScene).ok);
		}
	}
	ENSURE(tubSteps > 10);
	Close(&fixture);
	return 0;
}

// Bodies move only with a physics engine.
#define WITH_PHYSICS(test)                    \
	static int test##IfPhysics(void)          \
	{                                         \
		return tnsHavePhysics() ? test() : 0; \
	}
WITH_PHYSICS(StackIsCounted)
WITH_PHYSICS(AvatarGoes)

static const Test s_tests[] = {
	{"BeginsWithAStory", BeginsWithAStory},
	{"WinsByMouse", WinsByMouse},
	{"LosesAndBeginsAgain", LosesAndBeginsAgain},
	{"ReplaysAreTheSame", ReplaysAreTheSame},
	{"BudgetsEnd", BudgetsEnd},
	{"StackIsCounted", StackIsCountedIfPhysics},
	{"AvatarGoes", AvatarGoesIfPhysics},
	{"MenuOpensLevels", MenuOpensLevels},
	{"MenuByMouseAndFinger", MenuByMouseAndFinger},
	{"WrongLevelsAreNamed", WrongLevelsAreNamed},
	{"OwnLevelsOpen", OwnLevelsOpen},
	{"CatsPlayFair", CatsPlayFair},
};

const TestSuite play_levelsSuite = TEST_SUITE("play_levels", s_tests);

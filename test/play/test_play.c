// SPDX-License-Identifier: MIT

// The viewer without its window, on a picture in memory: camera, clock, settings, scenes, panel, nonsense.

// Suites run at the same time: each has scene files of its own.
#define PLAY_FILES "play"
#include "play_pond_kit.h"

#include <math.h>
#include <string.h>

static void Press(Fixture* fixture, int key)
{
	tnpPlay_Key(fixture->play, key, true);
	tnpPlay_Key(fixture->play, key, false);
}

// ---------------------------------------------------------------------------------------------------------------------
// Camera

static int CameraSeesWhereItPoints(void)
{
	TestRandom random = TestMakeRandom(4);
	for (int i = 0; i < 200; ++i)
	{
		tnpPose pose = {.distance = TestRandomFloat(&random, 1.0f, 500.0f)};
		pose.target = (tnVec3){TestRandomFloat(&random, -100.0f, 100.0f), TestRandomFloat(&random, -10.0f, 50.0f),
			TestRandomFloat(&random, -100.0f, 100.0f)};
		pose.yaw = TestRandomFloat(&random, -3.1f, 3.1f);
		pose.pitch = TestRandomFloat(&random, -1.2f, 1.5f);
		const tnrCamera camera = {.eye = tnpPose_GetEye(&pose), .target = pose.target, .fieldOfView = 0.8f};

		// Turning a camera into a pose and back loses a few roundings of coordinates of hundreds of meters.
		const tnpPose again = tnpMakePose(&camera);
		ENSURE_CLOSE(again.distance, pose.distance, 1.0e-3);
		ENSURE_CLOSE(again.yaw, pose.yaw, 1.0e-2);
		ENSURE_CLOSE(again.pitch, pose.pitch, 1.0e-2);

		// The ray through the pixel where a point is seen passes through the point.
		const tnVec3 point = {pose.target.x + 0.2f * pose.distance * TestRandomFloat(&random, -1.0f, 1.0f),
			pose.target.y + 0.2f * pose.distance * TestRandomFloat(&random, -1.0f, 1.0f),
			pose.target.z + 0.2f * pose.distance * TestRandomFloat(&random, -1.0f, 1.0f)};
		float x, y;
		ENSURE(tnpProject(&camera, 1000.0f, 700.0f, point, &x, &y));
		tnVec3 origin, direction;
		tnrGetPixelRay(&camera, 1000, 700, x, y, &origin, &direction);
		const tnVec3 to = {point.x - origin.x, point.y - origin.y, point.z - origin.z};
		const float along = to.x * direction.x + to.y * direction.y + to.z * direction.z;
		const float miss =
			hypotf(hypotf(to.x - along * direction.x, to.y - along * direction.y), to.z - along * direction.z);
		ENSURE(along > 0.0f);
		ENSURE_CLOSE(miss, 0.0, 2.0e-3 * (double)pose.distance);
	}
	return 0;
}

static int WheelZoomsTowardsTheCursor(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, windowWidth, windowHeight, 0, true));
	Frames(&fixture, 1, 0.0);
	ENSURE(PointAt(&fixture, 18.0f, 15.0f));
	const float x = fixture.play->mouseX, y = fixture.play->mouseY;
	const float before = fixture.play->camera.goal.distance;
	for (int i = 0; i < 5; ++i)
	{
		tnpPlay_Scroll(fixture.play, 0.0f, 1.0f);
		Frames(&fixture, 1, 0.5);
	}
	ENSURE(fixture.play->camera.shown.distance < 0.6f * before);
	// The place is still under the cursor, to the pixel.
	ENSURE(PointAt(&fixture, 18.0f, 15.0f));
	ENSURE_CLOSE(fixture.play->mouseX, x, 1.0);
	ENSURE_CLOSE(fixture.play->mouseY, y, 1.0);
	for (int i = 0; i < 100; ++i)
	{
		tnpPlay_Scroll(fixture.play, 0.0f, i < 50 ? 10.0f : -10.0f);
	}
	ENSURE(fixture.play->camera.goal.distance <= 3.0f * fixture.play->camera.extent + 1.0f);
	Close(&fixture);
	return 0;
}

static int CameraCanBeSet(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, 64, 48, 0, true));
	const tnrCamera wanted = {.eye = {3.0f, 20.0f, 40.0f}, .target = {15.0f, 1.0f, 12.0f}, .fieldOfView = 0.8f};
	tnpPlay_SetCamera(fixture.play, &wanted);
	Frames(&fixture, 2, 0.05);
	tnrCamera camera = tnpPlay_GetCamera(fixture.play);
	ENSURE_CLOSE(camera.eye.x, 3.0, 1.0e-3);
	ENSURE_CLOSE(camera.eye.y, 20.0, 1.0e-3);
	ENSURE_CLOSE(camera.target.z, 12.0, 1.0e-3);
	static const float wrong[] = {NAN, INFINITY, -INFINITY, 1.0e30f, -3.0e38f};
	for (int i = 0; i < 5; ++i)
	{
		tnrCamera nonsense = wanted;
		nonsense.eye.x = wrong[i];
		nonsense.target.y = wrong[(i + 1) % 5];
		tnpPlay_SetCamera(fixture.play, &nonsense);
	}
	camera = tnpPlay_GetCamera(fixture.play);
	ENSURE_CLOSE(camera.eye.x, 3.0, 1.0e-3);
	Close(&fixture);
	return 0;
}

// Whatever the user does, the eye is above ground and water and everything is finite.
static int CameraStaysAboveGround(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, 64, 48, 0, true));
	Frames(&fixture, 1, 0.01);
	static const char keys[] = "WASDQEC";
	TestRandom random = TestMakeRandom(9);
	for (int i = 0; i < 300; ++i)
	{
		const int key = keys[TestRandomInt(&random, 0, 6)];
		tnpPlay_Key(fixture.play, key, TestRandomInt(&random, 0, 2) > 0);
		tnpPlay_MouseMove(fixture.play, TestRandomFloat(&random, 0.0f, 64.0f), TestRandomFloat(&random, 0.0f, 48.0f));
		tnpPlay_MouseButton(
			fixture.play, TestRandomInt(&random, 0, 1) > 0 ? tnp_rightButton : tnp_middleButton, i % 3 != 0);
		tnpPlay_Scroll(fixture.play, 0.0f, TestRandomFloat(&random, -3.0f, 3.0f));
		tnpPlay_Pinch(fixture.play, TestRandomFloat(&random, -9.0f, 9.0f), TestRandomFloat(&random, -9.0f, 9.0f),
			TestRandomFloat(&random, 0.5f, 2.0f), TestRandomFloat(&random, -0.5f, 0.5f));
		Frames(&fixture, 1, 0.05);
		const tnrCamera camera = tnpPlay_GetCamera(fixture.play);
		const tnSample below = tnWorld_Sample(fixture.play->world, (tnVec2){camera.eye.x, camera.eye.z});
		ENSURE(isfinite(camera.eye.x + camera.eye.y + camera.eye.z + camera.target.x + camera.target.y));
		// Who flies may dive.
		ENSURE(fixture.play->camera.flying || camera.eye.y > below.surface);
		ENSURE(camera.eye.y > below.bed);
	}
	Close(&fixture);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The loop

static int CountSteps(tnpLoop* loop, double seconds, double timeStep)
{
	int steps = 0;
	tnpLoop_Begin(loop, seconds, 0.0);
	while (tnpLoop_Next(loop, timeStep, 0.0))
	{
		steps += 1;
	}
	return steps;
}

static int CatchUpIsCapped(void)
{
	const double timeStep = 1.0 / 60.0;
	static const double lengths[] = {1.0, 1.0e9, INFINITY, 0.3};
	for (int i = 0; i < 4; ++i)
	{
		tnpLoop loop = {0};
		ENSURE_EQUAL_INT(CountSteps(&loop, lengths[i], timeStep), TNP_MAX_FRAME_STEPS);
		ENSURE(loop.due >= 0.0 && loop.due < timeStep);
		const float alpha = tnpLoop_GetAlpha(&loop, timeStep);
		ENSURE(alpha >= 0.0f && alpha <= 1.0f);
	}
	tnpLoop loop = {0};
	ENSURE_EQUAL_INT(CountSteps(&loop, (double)NAN, timeStep), 0);
	ENSURE_EQUAL_INT(CountSteps(&loop, -5.0, timeStep), 0);
	ENSURE(loop.due == 0.0);

	// A step that takes longer than its share of the frame is the last one.
	tnpLoop_Begin(&loop, 0.1, 10.0);
	ENSURE(tnpLoop_Next(&loop, timeStep, 10.0));
	ENSURE(tnpLoop_Next(&loop, timeStep, 10.0 + 0.5 * TNP_STEP_BUDGET));
	ENSURE(!tnpLoop_Next(&loop, timeStep, 10.0 + 1.1 * TNP_STEP_BUDGET));
	ENSURE(loop.due < timeStep);
	return 0;
}

// Ten seconds are ten seconds, however they are sliced.
static int StepsDoNotDependOnFrames(void)
{
	static const double frames[] = {1.0 / 240.0, 1.0 / 60.0, 1.0 / 59.0, 1.0 / 31.0, 1.0 / 10.0};
	for (int i = 0; i < 5; ++i)
	{
		tnpLoop loop = {0};
		int steps = 0;
		const int count = (int)(10.0 / frames[i] + 0.5);
		for (int j = 0; j < count; ++j)
		{
			steps += CountSteps(&loop, frames[i], 1.0 / 60.0);
		}
		// The last step may be due a rounding later.
		ENSURE(steps >= 599 && steps <= 600);
	}
	return 0;
}

// Run to a step, with frames of a length, and take the last steps one by one.
static uint64_t HashAfter(double frame, int64_t stepCount, bool dye, bool* good)
{
	Fixture fixture;
	*good = Open(&fixture, 64, 48, 1, dye);
	if (*good == false)
	{
		return 0;
	}
	int frames = 0;
	while (tnpPlay_GetStatus(fixture.play).stepCount < stepCount - TNP_MAX_FRAME_STEPS && frames < 20000)
	{
		Frames(&fixture, 1, frame);
		frames += 1;
	}
	tnpPlay_SetPaused(fixture.play, true);
	while (tnpPlay_GetStatus(fixture.play).stepCount < stepCount)
	{
		tnpPlay_StepOnce(fixture.play);
	}
	const uint64_t hash = tnWorld_GetHash(fixture.play->world);
	Close(&fixture);
	return hash;
}

static int WaterDoesNotDependOnFrames(void)
{
	bool good;
	const uint64_t slow = HashAfter(1.0 / 7.0, 600, false, &good);
	ENSURE(good);
	const uint64_t quick = HashAfter(1.0 / 60.0, 600, false, &good);
	ENSURE(good);
	ENSURE_EQUAL_HEX(slow, quick);

	// And it is the water of `tarn run`.
	tnsResult result;
	tnsScene* scene = tnsParseScene(s_riverText, strlen(s_riverText), "river.json", NULL, &result);
	ENSURE(scene != NULL);
	tnsRun* run = NULL;
	result = tnsStartScene(scene, NULL, &run);
	ENSURE(run != NULL);
	for (int i = 0; i < 600; ++i)
	{
		ENSURE_EQUAL_INT(tnsRun_Step(run).status, tns_ok);
	}
	ENSURE_EQUAL_HEX(tnWorld_GetHash(tnsRun_GetWorld(run)), slow);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return 0;
}

static int PaceAndPause(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, 64, 48, 0, true));
	tnpPlay_SetPace(fixture.play, 0.5f);
	// Two seconds at half pace are one second of water. Frames of a step at most are never cut short.
	Frames(&fixture, 120, 1.0 / 60.0);
	ENSURE_CLOSE(tnpPlay_GetStatus(fixture.play).time, 1.0, 0.02);
	ENSURE_CLOSE(tnpPlay_GetStatus(fixture.play).speed, 0.5, 0.1);
	Press(&fixture, tnp_spaceKey);
	ENSURE(tnpPlay_IsPaused(fixture.play));
	const int64_t steps = tnpPlay_GetStatus(fixture.play).stepCount;
	Frames(&fixture, 20, 0.05);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(fixture.play).stepCount, steps);
	Press(&fixture, '.');
	Press(&fixture, tnp_rightKey);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(fixture.play).stepCount, steps + 2);
	Press(&fixture, tnp_spaceKey);
	tnpPlay_StepOnce(fixture.play);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(fixture.play).stepCount, steps + 2);
	Close(&fixture);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What a shell asks for

static int ParametersAreClamped(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, 64, 48, 0, true));
	tnpPlay* play = fixture.play;
	const int count = tnpPlay_GetParameterCount(play);
	ENSURE(count >= 11);
	for (int i = 0; i < count; ++i)
	{
		const tnpParameter parameter = tnpPlay_GetParameter(play, i);
		ENSURE(parameter.low < parameter.high);
		ENSURE(parameter.value >= parameter.low && parameter.value <= parameter.high);
		ENSURE(parameter.logarithmic == false || parameter.low > 0.0f);
		ENSURE(tnpPlay_SetParameter(play, parameter.name, 1.0e30f));
		ENSURE(tnpPlay_GetParameter(play, i).value == parameter.high);
		ENSURE(tnpPlay_SetParameter(play, parameter.name, -1.0e30f));
		ENSURE(tnpPlay_GetParameter(play, i).value == parameter.low);
		ENSURE(tnpPlay_SetParameter(play, parameter.name, NAN) == false);
		ENSURE(tnpPlay_SetParameter(play, parameter.name, INFINITY) == false);
		ENSURE(tnpPlay_GetParameter(play, i).value == parameter.low);
		ENSURE(tnpPlay_SetParameter(play, parameter.name, parameter.value));
	}
	ENSURE(tnpPlay_SetParameter(play, "weight", 1.0f) == false);
	ENSURE(tnpPlay_SetParameter(play, NULL, 1.0f) == false);
	ENSURE(tnpPlay_GetParameter(play, -1).name[0] == '\0');
	ENSURE(tnpPlay_GetParameter(play, count).name[0] == '\0');
	tnpPlay_SetPace(play, NAN);
	tnpPlay_SetPace(play, 1000.0f);
	ENSURE(play->values[tnp_pace] == 4.0f);
	ENSURE(tnpPlay_SetParameter(play, "vorticityConfinement", 0.25f));
	ENSURE(tnWorld_GetDef(play->world).vorticityConfinement == 0.25f);

	// Rain of the slider reaches the ledger: 360 mm/h are 0.1 mm/s.
	tnpPlay_SetPace(play, 1.0f);
	ENSURE(tnpPlay_SetParameter(play, "rain", 360.0f));
	Frames(&fixture, 20, 0.05);
	const double expected = 1.0e-4 * 61.0 * 47.0 * 0.25 * tnpPlay_GetStatus(play).time;
	ENSURE_CLOSE(tnWorld_GetLedger(play->world).rain, expected, 0.05 * expected);
	Close(&fixture);
	return 0;
}

static int ScenesCanBeSwitched(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, 64, 48, 0, true));
	tnpPlay* play = fixture.play;
	const uint64_t begin = tnWorld_GetHash(play->world);
	Frames(&fixture, 5, 0.05);
	ENSURE(tnpPlay_SetScene(play, 1).ok);
	ENSURE_EQUAL_INT(tnpPlay_GetScene(play), 1);
	ENSURE_EQUAL_INT(tnWorld_GetDef(play->world).columnCount, 67);
	ENSURE(tnpPlay_SetMethod(play, tn_pipeMethod, tn_conservativeAdvection).ok);
	Frames(&fixture, 5, 0.05);

	// A scene that does not load leaves the one that runs, and says why.
	const uint64_t running = tnWorld_GetHash(play->world);
	ENSURE_TEXT(tnpPlay_SetScene(play, 2).text, "columns");
	ENSURE_TEXT(play->message, "columns");
	ENSURE(play->messageTime > 0.0);
	ENSURE_TEXT(tnpPlay_SetScene(play, 3).text, PLAY_FILES "_nowhere.json");
	ENSURE(tnpPlay_SetScene(play, -1).ok == false);
	ENSURE(tnpPlay_SetScene(play, 4).ok == false);
	ENSURE_EQUAL_INT(tnpPlay_GetScene(play), 1);
	ENSURE_EQUAL_HEX(tnWorld_GetHash(play->world), running);
	Frames(&fixture, 2, 0.05);

	// From the start keeps the method that was chosen; another scene has its own.
	tnpPlay_Reset(play);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(play).stepCount, 0);
	ENSURE_EQUAL_INT(tnWorld_GetDef(play->world).method, tn_pipeMethod);
	ENSURE(tnpPlay_SetScene(play, 0).ok);
	ENSURE_EQUAL_INT(tnWorld_GetDef(play->world).method, tn_shallowMethod);
	ENSURE_EQUAL_HEX(tnWorld_GetHash(play->world), begin);
	Press(&fixture, 'N');
	ENSURE_EQUAL_INT(tnpPlay_GetScene(play), 1);
	ENSURE_EQUAL_INT(tnpPlay_GetSceneCount(play), 4);
	ENSURE_TEXT(tnpPlay_GetSceneTitle(play, 1), "river");
	ENSURE(tnpPlay_GetSceneTitle(play, 9)[0] == '\0');
	Close(&fixture);

	ENSURE(Open(&fixture, 64, 48, 2, true) == false);
	Close(&fixture);
	return 0;
}

static int MethodsGoRound(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, 64, 48, 1, true));
	const int first = tnpGetWay(fixture.play);
	unsigned seen = 0;
	for (int i = 0; i < TNP_WAY_COUNT; ++i)
	{
		seen |= 1u << tnpGetWay(fixture.play);
		const double volume = tnWorld_GetLedger(fixture.play->world).volume;
		Press(&fixture, 'M');
		// Switching moves no water.
		ENSURE(tnWorld_GetLedger(fixture.play->world).volume == volume);
		Frames(&fixture, 2, 0.05);
	}
	ENSURE_EQUAL_INT(seen, (1 << TNP_WAY_COUNT) - 1);
	ENSURE_EQUAL_INT(tnpGetWay(fixture.play), first);
	ENSURE(tnpPlay_SetMethod(fixture.play, (tnMethod)99, tn_conservativeAdvection).ok == false);
	Close(&fixture);
	return 0;
}

static int LostContextLeavesTheWater(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, windowWidth, windowHeight, 1, true));
	Frames(&fixture, 10, 0.05);
	tnpPlay_SetPaused(fixture.play, true);
	const uint64_t hash = tnWorld_GetHash(fixture.play->world);
	tnpPlay_LoseContext(fixture.play);
	tnrDestroyHeadless(fixture.headless);
	// The window goes on without a picture; steps are steps.
	for (int i = 0; i < 3; ++i)
	{
		tnpPlay_Frame(fixture.play, 0.05, 0, windowWidth, windowHeight, 1.0f);
	}
	ENSURE_EQUAL_HEX(tnWorld_GetHash(fixture.play->world), hash);
	tnpPlay_StepOnce(fixture.play);
	const uint64_t stepped = tnWorld_GetHash(fixture.play->world);
	ENSURE(stepped != hash);

	tnrResult result;
	fixture.headless = tnrCreateHeadless(windowWidth / coarseness, windowHeight / coarseness, &result);
	ENSURE(fixture.headless != NULL);
	result = tnpPlay_RestoreContext(fixture.play);
	ENSURE(result.ok);
	Frames(&fixture, 3, 0.05);
	ENSURE_EQUAL_HEX(tnWorld_GetHash(fixture.play->world), stepped);
	enum
	{
		byteCount = windowWidth / coarseness * (windowHeight / coarseness) * 3,
	};
	static uint8_t pixels[byteCount];
	tnrHeadless_Read(fixture.headless, pixels);
	int differing = 0;
	for (int i = 3; i < byteCount; ++i)
	{
		differing += pixels[i] != pixels[i - 3] ? 1 : 0;
	}
	ENSURE(differing > byteCount / 10);
	Close(&fixture);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Panel

static int PanelTakesItsEvents(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, windowWidth, windowHeight, 0, true));
	tnpPlay* play = fixture.play;
	Frames(&fixture, 1, 0.0);
	// The last button of the bar opens the settings.
	ENSURE(play->menuOpen == false);
	Click(&fixture, 325.0f, 30.0f);
	ENSURE(play->menuOpen);
	tnpPlay_SetPaused(play, true);
	const uint64_t hash = tnWorld_GetHash(play->world);
	const tnpPose pose = play->camera.goal;

	// Clicks down the tool bar choose tools, and leave the world alone.
	unsigned seen = 0;
	for (int x = 30; x <= 80; x += 25)
	{
		for (int y = 64; y < 340; y += 6)
		{
			Click(&fixture, (float)x, (float)y);
			seen |= 1u << tnpPlay_GetTool(play);
			Frames(&fixture, 0, 0.05);
		}
	}
	// All but those for waves, which this scene does not have.
	ENSURE_EQUAL_INT(seen, (1 << tnp_stirTool) - 1);

	// Wheel and right drag over the panel do not reach the camera.
	tnpPlay_MouseMove(play, 600.0f, 300.0f);
	tnpPlay_Scroll(play, 0.0f, 3.0f);
	tnpPlay_MouseButton(play, tnp_rightButton, true);
	tnpPlay_MouseMove(play, 300.0f, 200.0f);
	tnpPlay_MouseButton(play, tnp_rightButton, false);
	ENSURE(memcmp(&pose, &play->camera.goal, sizeof(pose)) == 0);

	// A press on the panel that is dragged over the water pours nothing.
	tnpPlay_SetTool(play, tnp_pourTool);
	tnpPlay_MouseMove(play, 520.0f, 350.0f - 4.0f);
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	tnpPlay_MouseMove(play, 320.0f, 180.0f);
	Frames(&fixture, 2, 0.05);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	ENSURE_EQUAL_HEX(tnWorld_GetHash(play->world), hash);

	// Hidden, it takes nothing.
	Press(&fixture, tnp_tabKey);
	tnpPlay_MouseMove(play, 600.0f, 300.0f);
	tnpPlay_Scroll(play, 0.0f, 3.0f);
	ENSURE(memcmp(&pose, &play->camera.goal, sizeof(pose)) != 0);
	Close(&fixture);
	return 0;
}

// The settings by mouse: another scene from the list, a larger brush, another method.
static int SettingsByMouse(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, windowWidth, windowHeight, 0, true));
	tnpPlay* play = fixture.play;
	Frames(&fixture, 1, 0.0);
	Click(&fixture, 325.0f, 30.0f);
	ENSURE(play->menuOpen);
	Click(&fixture, 500.0f, 35.0f);
	ENSURE(play->folds.scenes);
	Click(&fixture, 500.0f, 86.0f);
	ENSURE(play->folds.scenes == false);
	ENSURE_EQUAL_INT(tnpPlay_GetScene(play), 1);

	tnpPlay_MouseMove(play, 420.0f, 108.0f);
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	const float small = play->values[tnp_brushRadius];
	tnpPlay_MouseMove(play, 600.0f, 20.0f);
	const float large = play->values[tnp_brushRadius];
	tnpPlay_MouseMove(play, 2000.0f, 108.0f);
	ENSURE(play->values[tnp_brushRadius] == tnpGetParameter(play, tnp_brushRadius).high);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	ENSURE(small < 0.5f * large);
	tnpPlay_MouseMove(play, 420.0f, 108.0f);
	ENSURE(play->values[tnp_brushRadius] == tnpGetParameter(play, tnp_brushRadius).high);

	// The method list is behind a fold, among what is tuned; the item above the chosen one is linear.
	ENSURE_EQUAL_INT(tnpGetWay(play), 2);
	float y = 120.0f;
	for (; y < 340.0f && play->folds.methods == false; y += 6.0f)
	{
		play->folds = (tnpFolds){.tuning = true};
		Frames(&fixture, 1, 0.0);
		Click(&fixture, 500.0f, y);
	}
	ENSURE(play->folds.methods);
	for (float below = y + 20.0f; below < y + 90.0f && tnpGetWay(play) != 1 && play->folds.methods; below += 4.0f)
	{
		tnpPlay_MouseMove(play, 500.0f, below);
		Frames(&fixture, 1, 0.0);
		play->folds.methods = true;
		Click(&fixture, 500.0f, below);
		play->folds.methods = play->folds.methods || tnpGetWay(play) != 1;
	}
	ENSURE_EQUAL_INT(tnpGetWay(play), 1);
	Close(&fixture);
	return 0;
}

// The widgets on their own, without a picture.
static int Widgets(void)
{
	tnpPanel panel = {.rowScale = 1.0f};
	const tnpBox box = {10.0f, 10.0f, 200.0f, 300.0f};
	float value = 1.0f;
	bool check = false, open = false;
	int choice = 0, clicks = 0;
	static const char* const items[] = {"one", "two", "three"};
	static const struct
	{
		float x, y;
		tnpPanelEvent event;
	} events[] = {
		{100.0f, 30.0f, tnp_pressEvent}, {100.0f, 30.0f, tnp_releaseEvent},   // button
		{100.0f, 30.0f, tnp_pressEvent}, {300.0f, 30.0f, tnp_releaseEvent},   // slips off: no click
		{100.0f, 60.0f, tnp_pressEvent}, {100.0f, 60.0f, tnp_releaseEvent},   // check
		{110.0f, 95.0f, tnp_pressEvent}, {110.0f, 95.0f, tnp_releaseEvent},   // slider, middle
		{100.0f, 130.0f, tnp_pressEvent}, {100.0f, 130.0f, tnp_releaseEvent}, // opens
		{100.0f, 180.0f, tnp_pressEvent}, {100.0f, 180.0f, tnp_releaseEvent}, // the second item
	};
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); ++i)
	{
		panel.x = events[i].x;
		panel.y = events[i].y;
		tnpPanel_Begin(&panel, NULL, 640.0f, 480.0f, events[i].event, 0.0f);
		tnpPanel_BeginBox(&panel, "box", box, NULL);
		clicks += tnpPanel_Button(&panel, "button", false, NULL) ? 1 : 0;
		tnpPanel_Check(&panel, "check", &check);
		tnpPanel_Slider(&panel, "slider", "m", 0.1f, 10.0f, true, &value);
		tnpPanel_Choice(&panel, "choice", items, 3, &choice, &open);
		tnpPanel_EndBox(&panel);
		tnpPanel_End(&panel);
		ENSURE_EQUAL_INT(panel.inside, events[i].x < 210.0f);
	}
	ENSURE_EQUAL_INT(clicks, 1);
	ENSURE(check);
	// The middle of a logarithmic slider is the geometric mean.
	ENSURE_CLOSE(value, 1.0, 1.0e-3);
	ENSURE_EQUAL_INT(choice, 1);
	ENSURE(open == false);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Nonsense

static int NonsenseIsIgnored(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, 64, 48, 0, true));
	tnpPlay* play = fixture.play;
	const uint32_t framebuffer = tnrHeadless_GetFramebuffer(fixture.headless);
	tnpPlay_MouseMove(play, 10.0f, 10.0f);
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	static const float numbers[] = {NAN, INFINITY, -INFINITY, 1.0e30f, -1.0e30f, 0.0f, -0.0f, 1.0e-30f};
	for (int i = 0; i < 64; ++i)
	{
		const float a = numbers[i % 8], b = numbers[i / 8];
		tnpPlay_MouseMove(play, a, b);
		tnpPlay_Scroll(play, a, b);
		tnpPlay_Pinch(play, a, b, a, b);
		tnpPlay_Frame(play, (double)a, framebuffer, 16, 12, b);
		tnpPlay_SetPace(play, a);
	}
	tnpPlay_Frame(play, 0.01, framebuffer, 0, 0, 1.0f);
	tnpPlay_Frame(play, 0.01, framebuffer, -5, 12, 1.0f);
	tnpPlay_Frame(play, 0.01, framebuffer, 1, 1, 1.0f);
	tnpPlay_Frame(play, 0.01, framebuffer, 16, 12, 0.0f);
	for (int key = -3; key < 3; ++key)
	{
		tnpPlay_Key(play, key, true);
		tnpPlay_Key(play, tnp_keyCount + key, true);
		tnpPlay_Key(play, 1000000 * key, true);
		tnpPlay_MouseButton(play, (tnpButton)(5 + key), true);
		tnpPlay_SetTool(play, (tnpTool)(100 * key));
		tnpPlay_SetView(play, (tnrView)(100 * key));
	}
	ENSURE(tnpGetToolName((tnpTool)99)[0] == '\0');
	const tnrCamera camera = tnpPlay_GetCamera(play);
	ENSURE(isfinite(camera.eye.x + camera.eye.y + camera.eye.z));
	ENSURE(tnpPlay_GetTool(play) < tnp_toolCount);
	Close(&fixture);

	tnrResult result;
	ENSURE(tnpCreatePlay(NULL, &result) == NULL);
	ENSURE(result.ok == false);
	const tnpPlayDef empty = tnpDefaultPlayDef();
	ENSURE(tnpCreatePlay(&empty, NULL) == NULL);
	tnpDestroyPlay(NULL);
	return 0;
}

// A cat on the keyboard and the mouse: the water stays whole.
static int RandomEvents(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, 360, 240, 0, true));
	TestRandom random = TestMakeRandom(77);
	tnpPlay* play = fixture.play;
	for (int i = 0; i < 1500; ++i)
	{
		tnpPlay_MouseMove(play, TestRandomFloat(&random, -20.0f, 380.0f), TestRandomFloat(&random, -20.0f, 260.0f));
		tnpPlay_MouseButton(play, (tnpButton)TestRandomInt(&random, 0, 2), TestRandomInt(&random, 0, 1) > 0);
		tnpPlay_Key(play, TestRandomInt(&random, 0, tnp_keyCount), TestRandomInt(&random, 0, 1) > 0);
		tnpPlay_Scroll(play, 0.0f, TestRandomFloat(&random, -2.0f, 2.0f));
		if (i % 10 == 0)
		{
			Frames(&fixture, 1, (double)TestRandomFloat(&random, 0.0f, 0.1f));
		}
	}
	const tnLedger ledger = tnWorld_GetLedger(play->world);
	ENSURE(isfinite(ledger.volume));
	// Rounding of float depths: a millionth of what went in and out.
	ENSURE_CLOSE(ledger.volume, SumLedger(&ledger), 1.0e-4 * (fabs(ledger.edits) + fabs(ledger.volume)) + 1.0e-3);
	Close(&fixture);
	return 0;
}

static int ShellRequests(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, 64, 48, 0, true));
	tnpPlay* play = fixture.play;
	ENSURE(tnpPlay_WantsScreenshot(play) == false);
	Press(&fixture, tnp_f12Key);
	ENSURE(tnpPlay_WantsScreenshot(play));
	ENSURE(tnpPlay_WantsScreenshot(play) == false);
	Press(&fixture, tnp_f5Key);
	ENSURE(tnpPlay_IsRecording(play));
	tnpPlay_SetRecording(play, false);
	ENSURE(tnpPlay_IsRecording(play) == false);
	ENSURE(tnpPlay_WantsToClose(play) == false);
	Press(&fixture, 'Q');
	ENSURE(tnpPlay_WantsToClose(play) == false);
	tnpPlay_Key(play, tnp_controlKey, true);
	Press(&fixture, 'Q');
	ENSURE(tnpPlay_WantsToClose(play));
	for (int i = 0; i < 10; ++i)
	{
		Press(&fixture, i < 9 ? '1' + i : '0');
		ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_pourTool + i);
	}
	Press(&fixture, tnp_escapeKey);
	ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_lookTool);
	Close(&fixture);
	return 0;
}

static const Test s_tests[] = {
	{"CameraSeesWhereItPoints", CameraSeesWhereItPoints},
	{"WheelZoomsTowardsTheCursor", WheelZoomsTowardsTheCursor},
	{"CameraCanBeSet", CameraCanBeSet},
	{"CameraStaysAboveGround", CameraStaysAboveGround},
	{"CatchUpIsCapped", CatchUpIsCapped},
	{"StepsDoNotDependOnFrames", StepsDoNotDependOnFrames},
	{"WaterDoesNotDependOnFrames", WaterDoesNotDependOnFrames},
	{"PaceAndPause", PaceAndPause},
	{"ParametersAreClamped", ParametersAreClamped},
	{"ScenesCanBeSwitched", ScenesCanBeSwitched},
	{"MethodsGoRound", MethodsGoRound},
	{"LostContextLeavesTheWater", LostContextLeavesTheWater},
	{"PanelTakesItsEvents", PanelTakesItsEvents},
	{"SettingsByMouse", SettingsByMouse},
	{"Widgets", Widgets},
	{"NonsenseIsIgnored", NonsenseIsIgnored},
	{"RandomEvents", RandomEvents},
	{"ShellRequests", ShellRequests},
};

const TestSuite playSuite = TEST_SUITE("play", s_tests);

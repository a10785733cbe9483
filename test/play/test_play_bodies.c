// SPDX-License-Identifier: MIT

// What the viewer's tools do to bodies, with mouse and keys, on a picture in memory.

#include "play_fixture.h"

#include <math.h>
#include <string.h>

// A crate and a barrel on dry land, and a crate that is tied. 24 m by 20 m, with a pond in the east.
static const char s_sceneText[] =
	"{\"name\": \"quay\", \"world\": {\"columns\": 48, \"rows\": 40, \"cellSize\": 0.5},"
	"\"timeStep\": 0.0166666667, \"manning\": 0.03, \"method\": \"shallow\","
	"\"terrain\": {\"kind\": \"flat\"},"
	"\"water\": {\"boxes\": [{\"x\": 20, \"z\": 10, \"width\": 8, \"length\": 20, \"depth\": 0.05}]},"
	"\"bodies\": ["
	"{\"name\": \"crate\", \"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [8, 0.5, 10], \"density\": 400},"
	"{\"name\": \"tied\", \"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [12, 2.5, 12], \"density\": 400,"
	" \"tied\": true},"
	"{\"name\": \"barrel\", \"shape\": \"cylinder\", \"radius\": 0.4, \"length\": 1, \"position\": [5, 0.5, 6],"
	" \"density\": 300}]}";

static bool Open(Fixture* fixture)
{
	static const tnpSceneItem item = {"quay", "play_bodies.json", false};
	static const char* const text = s_sceneText;
	return OpenFixture(fixture, &item, &text, 1);
}

static tnsBody GetBody(const Fixture* fixture, int index)
{
	tnsBody body = {.mass = -1.0f};
	(void)tnsRun_GetBody(fixture->play->run, index, &body);
	return body;
}

static float GetDistance(tnVec3 a, tnVec3 b)
{
	return hypotf(hypotf(a.x - b.x, a.y - b.y), a.z - b.z);
}

static int GrabMovesABody(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	tnpPlay* play = fixture.play;
	Frames(&fixture, 2);
	tnpPlay_SetTool(play, tnp_grabTool);
	const tnVec3 from = GetBody(&fixture, 0).pose.position;
	ENSURE(PointAt(&fixture, from));
	Frames(&fixture, 1);
	ENSURE_EQUAL_INT(play->hand.hovered, 0);
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	ENSURE_EQUAL_INT(play->hand.held, 0);
	ENSURE(GetBody(&fixture, 0).grabbed);
	// Up and to the right, slowly; the body follows in the plane that faces the camera.
	const float x = play->mouseX, y = play->mouseY;
	for (int i = 1; i <= 60; ++i)
	{
		tnpPlay_MouseMove(play, x + (float)i, y - 0.7f * (float)i);
		Frames(&fixture, 1);
	}
	Frames(&fixture, 60);
	const tnVec3 there = GetBody(&fixture, 0).pose.position;
	ENSURE(there.x > from.x + 1.0f);
	ENSURE(there.y > from.y + 0.5f);
	// The grip is where the cursor says, to what the spring gives under the weight of the crate.
	ENSURE(GetDistance(there, play->hand.target) < 1.2f);
	// The wheel moves it away, and not the camera.
	const tnpPose pose = play->camera.goal;
	const tnVec3 eye = tnpPlay_GetCamera(play).eye;
	const float before = GetDistance(eye, there);
	tnpPlay_Scroll(play, 0.0f, 2.0f);
	Frames(&fixture, 60);
	ENSURE(GetDistance(eye, GetBody(&fixture, 0).pose.position) > before + 0.5f);
	ENSURE(memcmp(&pose, &play->camera.goal, sizeof(pose)) == 0);
	// Let go at rest: it falls, and comes to rest near by.
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	ENSURE_EQUAL_INT(play->hand.held, -1);
	ENSURE(GetBody(&fixture, 0).grabbed == false);
	const tnVec3 dropped = GetBody(&fixture, 0).pose.position;
	Frames(&fixture, 120);
	const tnVec3 rest = GetBody(&fixture, 0).pose.position;
	ENSURE(rest.y < dropped.y);
	ENSURE(hypotf(rest.x - dropped.x, rest.z - dropped.z) < 2.5f);
	Close(&fixture);
	return 0;
}

static int ReleaseInMotionThrows(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	tnpPlay* play = fixture.play;
	Frames(&fixture, 2);
	tnpPlay_SetTool(play, tnp_grabTool);
	ENSURE(PointAt(&fixture, GetBody(&fixture, 0).pose.position));
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	ENSURE_EQUAL_INT(play->hand.held, 0);
	const float x = play->mouseX, y = play->mouseY;
	for (int i = 1; i <= 12; ++i)
	{
		tnpPlay_MouseMove(play, x + 6.0f * (float)i, y - 4.0f * (float)i);
		Frames(&fixture, 1);
	}
	const tnVec3 hand = play->hand.velocity;
	ENSURE(hand.x > 3.0f && hand.y > 1.0f);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	const tnsBody thrown = GetBody(&fixture, 0);
	ENSURE_CLOSE(thrown.velocity.x, hand.x, 1.0e-3);
	ENSURE_CLOSE(thrown.velocity.y, hand.y, 1.0e-3);
	Frames(&fixture, 12);
	ENSURE(GetBody(&fixture, 0).pose.position.x > thrown.pose.position.x + 0.1f * hand.x);

	// The right button throws what is held away from the eye.
	Frames(&fixture, 200);
	ENSURE(PointAt(&fixture, GetBody(&fixture, 2).pose.position));
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	ENSURE_EQUAL_INT(play->hand.held, 2);
	Frames(&fixture, 2);
	tnpPlay_MouseButton(play, tnp_rightButton, true);
	ENSURE_EQUAL_INT(play->hand.held, -1);
	const tnsBody barrel = GetBody(&fixture, 2);
	// The overview looks north.
	ENSURE(barrel.velocity.z < -3.0f && barrel.velocity.y > 1.0f);
	tnpPlay_MouseButton(play, tnp_rightButton, false);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	Frames(&fixture, 20);
	ENSURE(GetBody(&fixture, 2).pose.position.z < barrel.pose.position.z - 0.5f);
	Close(&fixture);
	return 0;
}

static int ThrowToolThrowsNewBodies(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	tnpPlay* play = fixture.play;
	Frames(&fixture, 2);
	tnpPlay_SetTool(play, tnp_throwTool);
	tnpPlay_SetBodyKind(play, tns_ball);
	const tnVec3 goal = {15.0f, 0.0f, 9.0f};
	ENSURE(PointAt(&fixture, goal));
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(play).bodyCount, 4);
	// It comes down at the goal: the parabola ends there, a ball of 1 m touches the ground a little before.
	float nearest = 1.0e9f;
	for (int i = 0; i < 150; ++i)
	{
		Frames(&fixture, 1);
		nearest = fminf(nearest, GetDistance(GetBody(&fixture, 3).pose.position, goal));
	}
	ENSURE(nearest < 1.2f);
	Close(&fixture);
	return 0;
}

static int StackPutsOneOnTop(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	tnpPlay* play = fixture.play;
	Frames(&fixture, 2);
	// The key, and a size in meters.
	tnpPlay_Key(play, 'B', true);
	tnpPlay_Key(play, 'B', false);
	ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_stackTool);
	ENSURE(tnpPlay_SetParameter(play, "bodySize", 1.0f));
	const tnVec3 crate = GetBody(&fixture, 0).pose.position;
	ENSURE(PointAt(&fixture, (tnVec3){crate.x, crate.y + 0.5f, crate.z}));
	for (int i = 0; i < 2; ++i)
	{
		tnpPlay_MouseButton(play, tnp_leftButton, true);
		Frames(&fixture, 1);
		tnpPlay_MouseButton(play, tnp_leftButton, false);
		Frames(&fixture, 1);
	}
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(play).bodyCount, 5);
	Frames(&fixture, 90);
	// Three of 1 m: the lowest one where it was, the others 1 m and 2 m higher.
	ENSURE_CLOSE(GetBody(&fixture, 0).pose.position.y, crate.y, 0.05);
	ENSURE_CLOSE(GetBody(&fixture, 3).pose.position.y, crate.y + 1.0f, 0.05);
	ENSURE_CLOSE(GetBody(&fixture, 4).pose.position.y, crate.y + 2.0f, 0.1);

	// A drag puts a row, side by side.
	ENSURE(PointAt(&fixture, (tnVec3){14.0f, 0.0f, 5.0f}));
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	for (int i = 0; i < 10; ++i)
	{
		ENSURE(PointAt(&fixture, (tnVec3){14.0f, 0.0f, 5.0f + 0.41f * (float)i}));
		Frames(&fixture, 1);
	}
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	// 3.69 m beside the first, one every 1.03 m.
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(play).bodyCount, 5 + 4);
	ENSURE_CLOSE(GetBody(&fixture, 6).pose.position.z - GetBody(&fixture, 5).pose.position.z, 1.03, 0.03);

	// With shift the click takes away.
	Frames(&fixture, 60);
	ENSURE(PointAt(&fixture, GetBody(&fixture, 8).pose.position));
	tnpPlay_Key(play, tnp_shiftKey, true);
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	tnpPlay_Key(play, tnp_shiftKey, false);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(play).bodyCount, 8);
	Close(&fixture);
	return 0;
}

static int CutLooseFrees(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	tnpPlay* play = fixture.play;
	Frames(&fixture, 30);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(play).tiedCount, 1);
	ENSURE_CLOSE(GetBody(&fixture, 1).pose.position.y, 2.5, 1.0e-3);
	// A hand cannot move what is tied, and says why.
	tnpPlay_SetTool(play, tnp_grabTool);
	ENSURE(PointAt(&fixture, GetBody(&fixture, 1).pose.position));
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	ENSURE_EQUAL_INT(play->hand.held, -1);
	ENSURE_TEXT(play->message, "cut it loose");
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	tnpPlay_SetTool(play, tnp_cutTool);
	ENSURE(PointAt(&fixture, GetBody(&fixture, 1).pose.position));
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(play).tiedCount, 0);
	Frames(&fixture, 90);
	ENSURE_CLOSE(GetBody(&fixture, 1).pose.position.y, 0.5, 0.1);
	Close(&fixture);
	return 0;
}

// A tub on the pond: click for a hole and a pump, and again to be rid of them. Elsewhere these tools do nothing, and in scenes
// without hollow bodies they are not there.
static int BoatToolsHoleAndPump(void)
{
	static const char text[] =
		"{\"name\": \"tub\", \"world\": {\"columns\": 48, \"rows\": 40, \"cellSize\": 0.5},"
		"\"timeStep\": 0.0166666667, \"method\": \"shallow\", \"water\": {\"level\": 1},"
		"\"bodies\": [{\"shape\": \"compound\", \"density\": 1200, \"position\": [12, 1.1, 10], \"shapes\": ["
		"{\"shape\": \"box\", \"size\": [3, 0.1, 1.4], \"position\": [0, -0.3, 0]},"
		"{\"shape\": \"box\", \"size\": [0.1, 0.6, 1.4], \"position\": [1.45, 0.05, 0]},"
		"{\"shape\": \"box\", \"size\": [0.1, 0.6, 1.4], \"position\": [-1.45, 0.05, 0]},"
		"{\"shape\": \"box\", \"size\": [2.8, 0.6, 0.1], \"position\": [0, 0.05, 0.65]},"
		"{\"shape\": \"box\", \"size\": [2.8, 0.6, 0.1], \"position\": [0, 0.05, -0.65]}]}]}";
	static const tnpSceneItem item = {"tub", "play_bodies_tub.json", false};
	static const char* const texts = text;
	Fixture fixture;
	ENSURE(Open(&fixture));
	ENSURE(
		tnpPlay_HasTool(fixture.play, tnp_holeTool) == false && tnpPlay_HasTool(fixture.play, tnp_pumpTool) == false);
	ENSURE_TEXT(tnpPlay_GetToolRefusal(fixture.play, tnp_holeTool), "Nothing is hollow here");
	Close(&fixture);
	ENSURE(OpenFixture(&fixture, &item, &texts, 1));
	tnpPlay* play = fixture.play;
	Frames(&fixture, 2);
	tnpPlay_Key(play, 'Y', true);
	tnpPlay_Key(play, 'Y', false);
	ENSURE_EQUAL_INT(tnpPlay_GetTool(play), tnp_holeTool);
	static const char* const answers[4] = {"Holed", "Mended", "The pump runs", "The pump is gone"};
	for (int click = 0; click < 4; ++click)
	{
		const tnsBody tub = GetBody(&fixture, 0);
		tnLeakDef leak;
		tnPumpDef pump;
		if (click == 2)
		{
			tnpPlay_SetTool(play, tnp_pumpTool);
		}
		ENSURE(PointAt(&fixture, tub.pose.position));
		tnpPlay_MouseButton(play, tnp_leftButton, true);
		tnpPlay_MouseButton(play, tnp_leftButton, false);
		ENSURE_TEXT(play->message, answers[click]);
		ENSURE_EQUAL_INT(tnWorld_GetLeak(play->world, tub.id, 0, &leak), click == 0);
		ENSURE_EQUAL_INT(tnWorld_GetPump(play->world, tub.id, 0, &pump), click == 2);
		ENSURE(click != 0 || fabsf(leak.area - 0.01f * play->values[tnp_brushStrength]) < 1.0e-6f);
		Frames(&fixture, 1);
	}
	// Beside the tub nothing happens.
	ENSURE(PointAt(&fixture, (tnVec3){4.0f, 0.0f, 4.0f}));
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	tnPumpDef pump;
	ENSURE(tnWorld_GetPump(play->world, GetBody(&fixture, 0).id, 0, &pump) == false);
	// People have a size of their own.
	tnpPlay_SetBodyKind(play, tns_person);
	tnpPlay_SetTool(play, tnp_stackTool);
	ENSURE(PointAt(&fixture, GetBody(&fixture, 0).pose.position));
	tnpPlay_MouseButton(play, tnp_leftButton, true);
	tnpPlay_MouseButton(play, tnp_leftButton, false);
	ENSURE_CLOSE(GetBody(&fixture, 1).mass, 75.0, 2.0);
	Close(&fixture);
	return 0;
}

// A reset, a pinch or another tool in the middle of a grab: the hand is empty, nothing is left hanging.
static int HandsLetGo(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	tnpPlay* play = fixture.play;
	for (int i = 0; i < 3; ++i)
	{
		Frames(&fixture, 5);
		tnpPlay_SetTool(play, tnp_grabTool);
		ENSURE(PointAt(&fixture, GetBody(&fixture, 0).pose.position));
		tnpPlay_MouseButton(play, tnp_leftButton, true);
		ENSURE_EQUAL_INT(play->hand.held, 0);
		Frames(&fixture, 3);
		if (i == 0)
		{
			tnpPlay_Reset(play);
		}
		else if (i == 1)
		{
			tnpPlay_Pinch(play, 2.0f, 1.0f, 1.0f, 0.0f);
		}
		else
		{
			tnpPlay_SetTool(play, tnp_pourTool);
		}
		ENSURE_EQUAL_INT(play->hand.held, -1);
		ENSURE(GetBody(&fixture, 0).grabbed == false);
		Frames(&fixture, 3);
		tnpPlay_MouseButton(play, tnp_leftButton, false);
	}
	Close(&fixture);
	return 0;
}

// Without an engine the tools are there, grey, and say why.
static int ToolsSayWhyNot(void)
{
	for (int tool = 0; tool < tnp_toolCount; ++tool)
	{
		const bool refused = tnpGetToolRefusal((tnpTool)tool) != NULL;
		ENSURE(refused == (tnpIsBodyTool((tnpTool)tool) && tnsHavePhysics() == false));
	}
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 1);
	tnpPlay_SetTool(fixture.play, tnp_pourTool);
	tnpPlay_Key(fixture.play, 'G', true);
	tnpPlay_Key(fixture.play, 'G', false);
	ENSURE_EQUAL_INT(tnpPlay_GetTool(fixture.play), tnsHavePhysics() ? tnp_grabTool : tnp_pourTool);
	ENSURE_TEXT(fixture.play->message, tnsHavePhysics() ? "Grab" : "physics engine");
	Close(&fixture);
	return 0;
}

// The tests of tools need bodies that move.
#define WITH_PHYSICS(test)                    \
	static int test##IfPhysics(void)          \
	{                                         \
		return tnsHavePhysics() ? test() : 0; \
	}
WITH_PHYSICS(GrabMovesABody)
WITH_PHYSICS(ReleaseInMotionThrows)
WITH_PHYSICS(ThrowToolThrowsNewBodies)
WITH_PHYSICS(StackPutsOneOnTop)
WITH_PHYSICS(CutLooseFrees)
WITH_PHYSICS(BoatToolsHoleAndPump)
WITH_PHYSICS(HandsLetGo)

static const Test s_tests[] = {
	{"GrabMovesABody", GrabMovesABodyIfPhysics},
	{"ReleaseInMotionThrows", ReleaseInMotionThrowsIfPhysics},
	{"ThrowToolThrowsNewBodies", ThrowToolThrowsNewBodiesIfPhysics},
	{"StackPutsOneOnTop", StackPutsOneOnTopIfPhysics},
	{"CutLooseFrees", CutLooseFreesIfPhysics},
	{"BoatToolsHoleAndPump", BoatToolsHoleAndPumpIfPhysics},
	{"HandsLetGo", HandsLetGoIfPhysics},
	{"ToolsSayWhyNot", ToolsSayWhyNot},
};

const TestSuite play_bodiesSuite = TEST_SUITE("play_bodies", s_tests);

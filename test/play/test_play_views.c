// SPDX-License-Identifier: MIT

// What the viewer shows when a scene opens.

#include "play_fixture.h"

// A scene with a camera opens on what that sees; H shows the whole world, with which scenes without one begin.
static int ScenesOpenOnTheirView(void)
{
	static const tnpSceneItem items[2] = {

		{"seen", "view_seen.json", false}, {"plain", "view_plain.json", false}};
	static const char* texts[2] = {
		"{ \"world\": { \"columns\": 64, \"rows\": 48, \"cellSize\": 1 },\n"
		"  \"terrain\": { \"kind\": \"flat\" },\n"
		"  \"camera\": { \"keys\": [ { \"time\": 0, \"eye\": [30, 6, 44], \"target\": [28, 2, 20], \"fieldOfView\": 50 "
		"} ] } }",
		"{ \"world\": { \"columns\": 64, \"rows\": 48, \"cellSize\": 1 },\n"
		"  \"terrain\": { \"kind\": \"flat\" } }",
	};
	Fixture fixture;
	ENSURE(OpenFixture(&fixture, items, texts, 2));
	tnrCamera camera = tnpPlay_GetCamera(fixture.play);
	const tnrCamera whole = tnrGetOverview(fixture.play->world);
	ENSURE_CLOSE(camera.eye.x, 30.0, 1.0e-3);
	ENSURE_CLOSE(camera.eye.y, 6.0, 1.0e-3);
	ENSURE_CLOSE(camera.eye.z, 44.0, 1.0e-3);
	ENSURE_CLOSE(camera.target.z, 20.0, 1.0e-3);
	ENSURE_CLOSE(camera.fieldOfView, 50.0 / 57.2957795, 1.0e-4);
	tnpPlay_Key(fixture.play, 'H', true);
	tnpPlay_Key(fixture.play, 'H', false);
	camera = tnpPlay_GetCamera(fixture.play);
	ENSURE_CLOSE(camera.eye.y, whole.eye.y, 1.0e-2);
	ENSURE_CLOSE(camera.eye.z, whole.eye.z, 1.0e-2);
	ENSURE(tnpPlay_SetScene(fixture.play, 1).ok);
	ENSURE_CLOSE(tnpPlay_GetCamera(fixture.play).eye.z, whole.eye.z, 1.0e-2);
	ENSURE(tnpPlay_SetScene(fixture.play, 0).ok);
	ENSURE_CLOSE(tnpPlay_GetCamera(fixture.play).eye.z, 44.0, 1.0e-3);
	Close(&fixture);
	return 0;
}

static const Test s_tests[] = {
	{"ScenesOpenOnTheirView", ScenesOpenOnTheirView},
};
const TestSuite play_viewsSuite = TEST_SUITE("play_views", s_tests);

// SPDX-License-Identifier: MIT

// The hose of the viewer: where it is, where its water comes down, and that it stops.

#include "play_fixture.h"

#include <math.h>
#include <string.h>

static const char s_yardText[] = "{\"name\": \"yard\", \"world\": {\"columns\": 61, \"rows\": 57, \"cellSize\": 0.5}, "
								 "\"timeStep\": 0.02, \"spray\": {\"drag\": 0, \"slamSpeed\": 1000}}";
static const char s_dryText[] = "{\"name\": \"dry\", \"world\": {\"columns\": 21, \"rows\": 19, \"cellSize\": 0.5}}";

static bool Open(Fixture* fixture)
{
	static const tnpSceneItem items[2] = {{"yard", "play_yard.json", false}, {"dry", "play_dry.json", false}};
	static const char* const texts[2] = {s_yardText, s_dryText};
	return OpenFixture(fixture, items, texts, 2);
}

// What is on the ground and in the air, m^3.
static double GetWater(const Fixture* fixture)
{
	const tnLedger ledger = tnWorld_GetLedger(tnpPlay_GetWorld(fixture->play));
	return ledger.volume + ledger.airborne;
}

static int HosesHitWhatTheyAimAt(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 3);
	tnpPlay_Key(fixture.play, 'J', true);
	tnpPlay_Key(fixture.play, 'J', false);
	ENSURE_EQUAL_INT(tnpPlay_GetTool(fixture.play), tnp_hoseTool);
	const tnVec3 target = {17.0f, 0.0f, 12.0f};
	ENSURE(PointAt(&fixture, target));
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, true);
	Frames(&fixture, 60);
	ENSURE(fixture.play->hose.isOpen);
	ENSURE(tnWorld_GetSpray(tnpPlay_GetWorld(fixture.play)).count > 0);
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, false);
	Frames(&fixture, 2);
	const double thrown = GetWater(&fixture);
	ENSURE(thrown > 0.01);
	ENSURE(fixture.play->hose.isOpen == false);
	Frames(&fixture, 120);
	ENSURE_CLOSE(GetWater(&fixture), thrown, 1.0e-6);
	// Where it came down it lies, and runs a little further.
	const tnWorld* world = tnpPlay_GetWorld(fixture.play);
	const tnFieldView depth = tnWorld_GetDepth(world);
	double sum = 0.0, x = 0.0, z = 0.0;
	for (int i = 0; i < 61 * 57; ++i)
	{
		const double d = (double)depth.data[i / 61 * depth.stride + i % 61];
		sum += d;
		x += d * 0.5 * (i % 61 + 0.5);
		z += d * 0.5 * (i / 61 + 0.5);
	}
	ENSURE_EQUAL_INT(tnWorld_GetSpray(world).count, 0);
	printf("aimed at (17, 12), hit (%.2f, %.2f)\n", x / sum, z / sum);
	ENSURE_CLOSE(x / sum, 17.0, 3.0);
	ENSURE_CLOSE(z / sum, 12.0, 3.0);
	Close(&fixture);
	return 0;
}

// Only scenes with spray have one, and a world that begins anew has it closed.
static int HosesAreWhereSprayIs(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 3);
	ENSURE(tnpPlay_HasTool(fixture.play, tnp_hoseTool));
	tnpPlay_SetTool(fixture.play, tnp_hoseTool);
	ENSURE(PointAt(&fixture, (tnVec3){15.0f, 0.0f, 15.0f}));
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, true);
	Frames(&fixture, 10);
	tnpPlay_Reset(fixture.play);
	ENSURE(fixture.play->hose.isOpen == false && GetWater(&fixture) == 0.0);
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, false);
	Frames(&fixture, 10);
	ENSURE(tnpPlay_SetScene(fixture.play, 1).ok);
	ENSURE(tnpPlay_HasTool(fixture.play, tnp_hoseTool) == false);
	ENSURE(tnpPlay_GetTool(fixture.play) != tnp_hoseTool);
	tnpPlay_Key(fixture.play, 'J', true);
	ENSURE_TEXT(fixture.play->message, "This scene has no spray");
	Close(&fixture);
	return 0;
}

// Sliders act on the def of the world, where there is spray.
static int SprayIsTuned(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 1);
	ENSURE(tnpPlay_SetParameter(fixture.play, "sprayLedge", 2.5f));
	ENSURE(tnpPlay_SetParameter(fixture.play, "sprayBreaking", 0.75f));
	ENSURE(tnpPlay_SetParameter(fixture.play, "sprayDrag", 0.125f));
	const tnSprayDef spray = tnWorld_GetDef(tnpPlay_GetWorld(fixture.play)).spray;
	ENSURE(spray.ledgeHeight == 2.5f && spray.breakingSlope == 0.75f && spray.drag == 0.125f);
	ENSURE(spray.slamSpeed == 1000.0f);
	Close(&fixture);
	return 0;
}

static const Test s_tests[] = {
	{"SprayIsTuned", SprayIsTuned},
	{"HosesHitWhatTheyAimAt", HosesHitWhatTheyAimAt},
	{"HosesAreWhereSprayIs", HosesAreWhereSprayIs},
};
const TestSuite play_spraySuite = TEST_SUITE("play_spray", s_tests);

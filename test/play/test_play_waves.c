// SPDX-License-Identifier: MIT

// The viewer's tools for waves, with mouse and keys, on a picture in memory.

#include "play_fixture.h"

#include <math.h>
#include <string.h>

// A lake of 32 m by 28 m, 4 m deep. The layer does not fit as a whole: viewers have a point of interest.
static const char s_lakeText[] =
	"{\"name\": \"lake\", \"world\": {\"columns\": 64, \"rows\": 56, \"cellSize\": 0.5}, \"terrain\": {\"offset\": -4},"
	"\"water\": {\"level\": 0}, \"waves\": {\"finerLevels\": 2, \"levelCount\": 5, \"tileCount\": 18}}";

static const char s_puddleText[] = "{\"name\": \"puddle\", \"world\": {\"columns\": 24, \"rows\": 20}, "
								   "\"water\": {\"level\": 0.2}}";

static bool Open(Fixture* fixture)
{
	static const tnpSceneItem items[2] = {
		{"lake", "play_waves_lake.json", false}, {"puddle", "play_puddle.json", false}};
	static const char* const texts[2] = {s_lakeText, s_puddleText};
	return OpenFixture(fixture, items, texts, 2);
}

static bool PointAtWater(Fixture* fixture, float x, float z)
{
	return PointAt(fixture, (tnVec3){x, 0.0f, z});
}

static double GetEnergy(const Fixture* fixture)
{
	tnWaveStats stats;
	double energy = 0.0;
	if (tnWorld_GetWaveStats(tnpPlay_GetWorld(fixture->play), &stats).status == tn_ok)
	{
		for (int level = 0; level < TN_MAX_WAVE_LEVELS; ++level)
		{
			energy += stats.energies[level];
		}
	}
	return energy;
}

static void PressKey(Fixture* fixture, int key)
{
	tnpPlay_Key(fixture->play, key, true);
	tnpPlay_Key(fixture->play, key, false);
}

// Tools for waves are there where waves are, and only there.
static int ToolsAreWhereWavesAre(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 3);
	ENSURE(tnpPlay_HasTool(fixture.play, tnp_stirTool));
	ENSURE(tnpPlay_HasTool(fixture.play, tnp_dropsTool));
	PressKey(&fixture, 'F');
	ENSURE_EQUAL_INT(tnpPlay_GetTool(fixture.play), tnp_stirTool);
	ENSURE_TEXT(fixture.play->message, "Stir");
	PressKey(&fixture, 'O');
	ENSURE_EQUAL_INT(tnpPlay_GetTool(fixture.play), tnp_dropsTool);
	// Nothing has stirred them yet.
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(fixture.play).waveTileCount, 0);

	ENSURE(tnpPlay_SetScene(fixture.play, 1).ok);
	ENSURE_EQUAL_INT(tnpPlay_GetTool(fixture.play), tnp_pourTool);
	for (int tool = 0; tool < tnp_toolCount; ++tool)
	{
		const bool elsewhere = tnpIsWaveTool((tnpTool)tool) || tnpIsVoxelTool((tnpTool)tool) ||
			tnpIsBoatTool((tnpTool)tool) || tool == tnp_hoseTool || tool == tnp_driveTool;
		ENSURE(tnpPlay_HasTool(fixture.play, (tnpTool)tool) == (elsewhere == false));
	}
	PressKey(&fixture, 'F');
	ENSURE_EQUAL_INT(tnpPlay_GetTool(fixture.play), tnp_pourTool);
	ENSURE_TEXT(fixture.play->message, "This scene has no waves");
	PressKey(&fixture, 'Z');
	Frames(&fixture, 2);
	ENSURE_EQUAL_INT(tnpPlay_GetStatus(fixture.play).waveTileCount, 0);
	ENSURE(tnpPlay_HasTool(fixture.play, tnp_toolCount) == false);
	ENSURE(tnpPlay_HasTool(fixture.play, (tnpTool)-1) == false);
	Close(&fixture);
	return 0;
}

// A spoon that is dragged makes waves, one that rests does not; the flow and its volume do not notice.
static int StirMakesWaves(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 1);
	const double volume = tnpPlay_GetStatus(fixture.play).volume;
	tnpPlay_SetTool(fixture.play, tnp_stirTool);
	ENSURE(PointAtWater(&fixture, 12.0f, 14.0f));
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, true);
	Frames(&fixture, 5);
	ENSURE(GetEnergy(&fixture) == 0.0);
	for (int i = 0; i < 30; ++i)
	{
		ENSURE(PointAtWater(&fixture, 12.0f + 0.2f * (float)i, 14.0f));
		Frames(&fixture, 1);
	}
	const double energy = GetEnergy(&fixture);
	ENSURE(energy > 1.0);
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, false);
	Frames(&fixture, 30);
	// Let go: nothing jumps, and nothing more comes in.
	ENSURE(GetEnergy(&fixture) < 1.2 * energy);
	ENSURE_CLOSE(tnpPlay_GetStatus(fixture.play).volume, volume, 1.0e-9);
	ENSURE(tnpPlay_GetStatus(fixture.play).movingWaveTileCount > 0);
	Close(&fixture);
	return 0;
}

static int DropsMakeRings(void)
{
	uint64_t hashes[2];
	for (int i = 0; i < 2; ++i)
	{
		Fixture fixture;
		ENSURE(Open(&fixture));
		Frames(&fixture, 1);
		tnpPlay_SetTool(fixture.play, tnp_dropsTool);
		ENSURE(PointAtWater(&fixture, 16.0f, 14.0f));
		tnpPlay_MouseButton(fixture.play, tnp_leftButton, true);
		Frames(&fixture, 30);
		tnpPlay_MouseButton(fixture.play, tnp_leftButton, false);
		ENSURE(GetEnergy(&fixture) > 0.0);
		tnWaveSample far;
		const tnVec2 corner = {2.0f, 2.0f};
		ENSURE_EQUAL_INT(tnWorld_SampleWaves(tnpPlay_GetWorld(fixture.play), corner, &far).status, tn_ok);
		ENSURE(fabsf(far.height) < 1.0e-3f);
		hashes[i] = tnWorld_GetHash(tnpPlay_GetWorld(fixture.play));
		Close(&fixture);
	}
	// Drops are not drawn from the clock.
	ENSURE_EQUAL_HEX(hashes[0], hashes[1]);
	return 0;
}

// While paused the spoon goes on: the waves wait.
static int StirWhilePaused(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 1);
	tnpPlay_SetPaused(fixture.play, true);
	tnpPlay_SetTool(fixture.play, tnp_stirTool);
	ENSURE(PointAtWater(&fixture, 12.0f, 14.0f));
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, true);
	Frames(&fixture, 2);
	ENSURE(PointAtWater(&fixture, 14.0f, 14.0f));
	Frames(&fixture, 2);
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, false);
	const double before = GetEnergy(&fixture);
	ENSURE(before > 0.0);
	Frames(&fixture, 10);
	ENSURE_CLOSE(GetEnergy(&fixture), before, 0.0);
	Close(&fixture);
	return 0;
}

// The layer is fine where the camera looks.
static int InterestFollowsTheCamera(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 2);
	tnpPlay* play = fixture.play;
	ENSURE_EQUAL_INT(tnsRun_GetInterestCount(play->run), 1);
	tnrCamera camera = tnpPlay_GetCamera(play);
	camera.target = (tnVec3){5.0f, 0.0f, 6.0f};
	camera.eye = (tnVec3){5.0f, 10.0f, 20.0f};
	tnpPlay_SetCamera(play, &camera);
	Frames(&fixture, 3);
	tnInterestDef interest;
	ENSURE(tnsRun_GetInterest(play->run, 0, &interest));
	ENSURE_CLOSE(interest.position.x, 5.0, 1.0);
	ENSURE_CLOSE(interest.position.z, 6.0, 1.0);
	// With rings drawn, and from the start again.
	PressKey(&fixture, 'Z');
	ENSURE(play->showRings);
	Frames(&fixture, 1);
	tnpPlay_Reset(play);
	Frames(&fixture, 2);
	ENSURE_EQUAL_INT(tnsRun_GetInterestCount(play->run), 1);
	Close(&fixture);
	return 0;
}

// Wind is a setting like the others.
static int WindIsASetting(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	ENSURE(tnpPlay_SetParameter(fixture.play, "windSpeed", 12.0f));
	ENSURE(tnpPlay_SetParameter(fixture.play, "windDirection", 90.0f));
	ENSURE_CLOSE(fixture.play->values[tnp_windSpeed], 12.0, 0.0);
	ENSURE(tnpPlay_SetParameter(fixture.play, "windSpeed", 1000.0f));
	ENSURE_CLOSE(fixture.play->values[tnp_windSpeed], 30.0, 0.0);
	Frames(&fixture, 3);
	tnpPlay_Reset(fixture.play);
	ENSURE_CLOSE(fixture.play->values[tnp_windSpeed], 30.0, 0.0);
	ENSURE(tnpPlay_SetScene(fixture.play, 1).ok);
	ENSURE_CLOSE(fixture.play->values[tnp_windSpeed], 0.0, 0.0);
	ENSURE(tnpPlay_SetParameter(fixture.play, "windSpeed", 3.0f));
	Frames(&fixture, 1);
	Close(&fixture);
	return 0;
}

// Sliders act on the def of the world, and those of what it has not do not show.
static int WavesAreTuned(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture));
	Frames(&fixture, 1);
	static const struct
	{
		const char* name;
		float value;
	} sliders[] = {{"waveViscosity", 0.03f}, {"waveBreaking", 0.5f}, {"waveDamping", 0.7f}, {"sleepSpeed", 0.02f}};
	for (size_t i = 0; i < sizeof(sliders) / sizeof(sliders[0]); ++i)
	{
		ENSURE(tnpPlay_SetParameter(fixture.play, sliders[i].name, sliders[i].value));
	}
	const tnWorldDef def = tnWorld_GetDef(tnpPlay_GetWorld(fixture.play));
	ENSURE(def.waves.viscosity == 0.03f && def.waves.breakingLimit == 0.5f && def.waves.damping == 0.7f);
	ENSURE(def.sleepSpeed == 0.02f);
	tnpPlay_Reset(fixture.play);
	const tnWorldDef again = tnWorld_GetDef(tnpPlay_GetWorld(fixture.play));
	ENSURE(again.waves.viscosity == 0.03f && again.waves.breakingLimit == 0.5f && again.sleepSpeed == 0.02f);
	for (int i = 0; i < tnpPlay_GetParameterCount(fixture.play); ++i)
	{
		const tnpParameter parameter = tnpPlay_GetParameter(fixture.play, i);
		ENSURE(strncmp(parameter.name, "spray", 5) != 0 || parameter.used == false);
	}
	Close(&fixture);
	return 0;
}

static const Test s_tests[] = {
	{"WavesAreTuned", WavesAreTuned},
	{"ToolsAreWhereWavesAre", ToolsAreWhereWavesAre},
	{"StirMakesWaves", StirMakesWaves},
	{"DropsMakeRings", DropsMakeRings},
	{"StirWhilePaused", StirWhilePaused},
	{"InterestFollowsTheCamera", InterestFollowsTheCamera},
	{"WindIsASetting", WindIsASetting},
};

const TestSuite play_wavesSuite = TEST_SUITE("play_waves", s_tests);

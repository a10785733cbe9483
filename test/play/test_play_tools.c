// SPDX-License-Identifier: MIT

// The tools of the viewer on water and ground: what they do with the mouse, that the ledger has it, and that the frame rate
// does not matter.

// Suites run at the same time: each has scene files of its own.
#define PLAY_FILES "play_tools"
#include "play_pond_kit.h"

#include <math.h>
#include <string.h>

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

// ---------------------------------------------------------------------------------------------------------------------
// Tools

// Hold the left button on a place for some frames of three steps each.
static int UseTool(Fixture* fixture, tnpTool tool, float x, float z, int frames)
{
	tnpPlay_SetTool(fixture->play, tool);
	ENSURE(PointAt(fixture, x, z));
	tnpPlay_MouseButton(fixture->play, tnp_leftButton, true);
	Frames(fixture, frames, 0.05);
	tnpPlay_MouseButton(fixture->play, tnp_leftButton, false);
	return 0;
}

static int ToolsKeepTheBooks(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, windowWidth, windowHeight, 0, true));
	Frames(&fixture, 1, 0.0);
	tnWorld* world = fixture.play->world;
	const double radius = (double)fixture.play->values[tnp_brushRadius];
	const double rate = 3.14159265 * radius * radius * radius * 0.3;
	const tnLedger start = tnWorld_GetLedger(world);

	// The brush acts once per step that was taken, whatever the clock said.
	int64_t steps = tnpPlay_GetStatus(fixture.play).stepCount;
	ENSURE_EQUAL_INT(UseTool(&fixture, tnp_pourTool, 18.0f, 15.0f, 10), 0);
	double seconds = (double)(tnpPlay_GetStatus(fixture.play).stepCount - steps) / 60.0;
	tnLedger ledger = tnWorld_GetLedger(world);
	ENSURE(seconds >= 10.0 / 60.0);
	// Floats of volumes, and depths to which they are added.
	ENSURE_CLOSE(ledger.edits - start.edits, rate * seconds, 1.0e-4 * rate * seconds);
	ENSURE_CLOSE(ledger.volume, SumLedger(&ledger), 1.0e-3);
	ENSURE_CLOSE(ledger.volume, start.volume + rate * seconds, 1.0e-3);

	const double poured = ledger.edits;
	steps = tnpPlay_GetStatus(fixture.play).stepCount;
	ENSURE_EQUAL_INT(UseTool(&fixture, tnp_drainTool, 18.0f, 15.0f, 10), 0);
	seconds = (double)(tnpPlay_GetStatus(fixture.play).stepCount - steps) / 60.0;
	ledger = tnWorld_GetLedger(world);
	ENSURE_CLOSE(ledger.edits - poured, -rate * seconds, 1.0e-4 * rate * seconds);
	ENSURE_CLOSE(ledger.volume, SumLedger(&ledger), 1.0e-3);

	// Rain is rain in the books, and stops with the button.
	const double area = 61.0 * 47.0 * 0.25;
	steps = tnpPlay_GetStatus(fixture.play).stepCount;
	ENSURE_EQUAL_INT(UseTool(&fixture, tnp_rainTool, 18.0f, 15.0f, 10), 0);
	seconds = (double)(tnpPlay_GetStatus(fixture.play).stepCount - steps) / 60.0;
	ledger = tnWorld_GetLedger(world);
	// Rain is saved up and falls in portions: one step's may still be in the clouds.
	ENSURE_CLOSE(ledger.rain, 2.0e-3 * area * seconds, 2.1e-3 * area / 60.0);
	Frames(&fixture, 10, 0.05);
	const double rained = ledger.rain;
	ledger = tnWorld_GetLedger(world);
	ENSURE_CLOSE(ledger.rain, rained, 2.1e-3 * area / 60.0);
	Close(&fixture);
	return 0;
}

static int DiggingMovesGroundOnly(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, windowWidth, windowHeight, 0, true));
	Frames(&fixture, 1, 0.0);
	tnWorld* world = fixture.play->world;
	const double volume = tnWorld_GetLedger(world).volume;
	const double bed = SumBed(world);
	ENSURE_EQUAL_INT(UseTool(&fixture, tnp_raiseTool, 18.0f, 15.0f, 6), 0);
	const double raised = SumBed(world);
	// A mound of 7 cm on 17 cells.
	ENSURE(raised > bed + 0.2);
	ENSURE_EQUAL_INT(UseTool(&fixture, tnp_lowerTool, 18.0f, 15.0f, 12), 0);
	const double lowered = SumBed(world);
	ENSURE(lowered < raised - 0.4);

	// The island gets a flat top: the highest ground sinks to where the stroke began.
	const float before = tnWorld_Sample(world, (tnVec2){7.0f, 7.0f}).bed;
	ENSURE_EQUAL_INT(UseTool(&fixture, tnp_flattenTool, 8.5f, 7.0f, 20), 0);
	const float after = tnWorld_Sample(world, (tnVec2){7.5f, 7.0f}).bed;
	ENSURE(after < before - 0.2f);
	// Edits of the ground carry the water with them.
	ENSURE_CLOSE(tnWorld_GetLedger(world).volume, volume, 1.0e-3);
	ENSURE(tnWorld_GetLedger(world).edits == volume || fabs(tnWorld_GetLedger(world).edits - volume) < 1.0e-3);
	Close(&fixture);
	return 0;
}

static int SpringsAndWells(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, windowWidth, windowHeight, 0, true));
	Frames(&fixture, 1, 0.0);
	tnWorld* world = fixture.play->world;
	ENSURE_EQUAL_INT(UseTool(&fixture, tnp_sourceTool, 18.0f, 15.0f, 10), 0);
	ENSURE_EQUAL_INT(fixture.play->springs.count, 1);
	const double brought = tnWorld_GetLedger(world).sources;
	ENSURE(brought > 0.0);
	// A click on it takes it away.
	ENSURE_EQUAL_INT(UseTool(&fixture, tnp_sourceTool, 18.0f, 15.0f, 10), 0);
	ENSURE_EQUAL_INT(fixture.play->springs.count, 0);
	ENSURE(tnWorld_GetLedger(world).sources == brought);

	// A well on risen water drains what is poured beside it.
	ENSURE_EQUAL_INT(UseTool(&fixture, tnp_wellTool, 14.0f, 15.0f, 1), 0);
	ENSURE_EQUAL_INT(fixture.play->springs.count, 1);
	ENSURE_EQUAL_INT(UseTool(&fixture, tnp_pourTool, 18.0f, 15.0f, 20), 0);
	ENSURE(tnWorld_GetLedger(world).wells < 0.0);
	for (int i = 0; i < 2 * TNP_MAX_SPRINGS; ++i)
	{
		fixture.play->springs.items[0].center.x = -1000.0f;
		UseTool(&fixture, tnp_sourceTool, 10.0f + 0.1f * (float)i, 18.0f, 0);
	}
	ENSURE(fixture.play->springs.count <= TNP_MAX_SPRINGS);
	tnpPlay_Reset(fixture.play);
	ENSURE_EQUAL_INT(fixture.play->springs.count, 0);
	Close(&fixture);
	return 0;
}

static int DyeAndPush(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, windowWidth, windowHeight, 0, true));
	Frames(&fixture, 1, 0.0);
	tnWorld* world = fixture.play->world;
	ENSURE_EQUAL_INT(fixture.play->dyeChannel, 0);
	const double volume = tnWorld_GetLedger(world).volume;
	ENSURE_EQUAL_INT(UseTool(&fixture, tnp_dyeTool, 18.0f, 15.0f, 2), 0);
	ENSURE_CLOSE(tnWorld_Sample(world, (tnVec2){18.0f, 15.0f}).tracers[0], 1.0, 1.0e-3);

	// Still water runs with the stroke.
	tnpPlay_SetTool(fixture.play, tnp_pushTool);
	ENSURE(PointAt(&fixture, 12.0f, 15.0f));
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, true);
	for (int i = 1; i <= 10; ++i)
	{
		ENSURE(PointAt(&fixture, 12.0f + 0.5f * (float)i, 15.0f));
		Frames(&fixture, 1, 0.05);
	}
	tnpPlay_MouseButton(fixture.play, tnp_leftButton, false);
	const tnSample sample = tnWorld_Sample(world, (tnVec2){16.0f, 15.0f});
	ENSURE(sample.velocity.x > 0.5f);
	ENSURE(fabsf(sample.velocity.z) < 0.5f * sample.velocity.x);
	ENSURE_CLOSE(tnWorld_GetLedger(world).volume, volume, 1.0e-3);
	Close(&fixture);

	// Without a channel there is nothing to dye with, and nothing happens.
	ENSURE(Open(&fixture, windowWidth, windowHeight, 0, false));
	Frames(&fixture, 1, 0.0);
	ENSURE(fixture.play->dyeChannel < 0);
	tnpPlay_SetPaused(fixture.play, true);
	const uint64_t hash = tnWorld_GetHash(fixture.play->world);
	ENSURE_EQUAL_INT(UseTool(&fixture, tnp_dyeTool, 18.0f, 15.0f, 2), 0);
	ENSURE_EQUAL_HEX(tnWorld_GetHash(fixture.play->world), hash);
	Close(&fixture);
	return 0;
}

// Tools act by steps, so what is poured in a second of water does not depend on the frames. Paused time counts too.
static int ToolsDoNotDependOnFrames(void)
{
	static const double frames[3] = {1.0 / 60.0, 1.0 / 20.0, 1.0 / 60.0};
	for (int i = 0; i < 3; ++i)
	{
		Fixture fixture;
		ENSURE(Open(&fixture, windowWidth, windowHeight, 0, true));
		tnpPlay_SetPaused(fixture.play, i == 2);
		Frames(&fixture, 1, 0.0);
		const double before = tnWorld_GetLedger(fixture.play->world).edits;
		tnpPlay_SetTool(fixture.play, tnp_pourTool);
		ENSURE(PointAt(&fixture, 18.0f, 15.0f));
		tnpPlay_MouseButton(fixture.play, tnp_leftButton, true);
		Frames(&fixture, (int)(0.5 / frames[i] + 0.5), frames[i]);
		tnpPlay_MouseButton(fixture.play, tnp_leftButton, false);
		const double poured = tnWorld_GetLedger(fixture.play->world).edits - before;
		const double radius = (double)fixture.play->values[tnp_brushRadius];
		const double portion = 3.14159265 * radius * radius * radius * 0.3 / 60.0;
		const int64_t steps = tnpPlay_GetStatus(fixture.play).stepCount;
		// Half a second has 30 steps; a rounding may move one over the end. Slow machines take fewer in long frames.
		const double expected = i == 2 ? floor(poured / portion + 0.5) : (double)steps;
		ENSURE_CLOSE(poured, portion * expected, 1.0e-3 * portion * expected);
		ENSURE(expected <= 31.0 && expected >= (i == 1 ? 10.0 : 29.0));
		ENSURE_EQUAL_INT(steps > 0, i != 2);
		Close(&fixture);
	}
	return 0;
}

// The same strokes at the same steps are the same water, for any number of workers.
static int StrokesAreDeterministic(void)
{
	tnsResult result;
	tnsScene* scene = tnsParseScene(s_riverText, strlen(s_riverText), "river.json", NULL, &result);
	ENSURE(scene != NULL);
	uint64_t hashes[2];
	for (int i = 0; i < 2; ++i)
	{
		tnsOverrides overrides = tnsDefaultOverrides();
		overrides.workerCount = 1 + 2 * i;
		overrides.extraTracers = 1;
		tnsRun* run = NULL;
		ENSURE_EQUAL_INT(tnsStartScene(scene, &overrides, &run).status, tns_ok);
		tnpSprings springs = {0};
		TestRandom random = TestMakeRandom(31);
		for (int step = 0; step < 200; ++step)
		{
			tnpStroke stroke = {.tool = (tnpTool)TestRandomInt(&random, 0, tnp_toolCount - 1), .channel = 0};
			stroke.center = (tnVec2){TestRandomFloat(&random, 0.5f, 66.0f), TestRandomFloat(&random, 0.5f, 42.0f)};
			stroke.radius = TestRandomFloat(&random, 0.5f, 8.0f);
			stroke.strength = TestRandomFloat(&random, 0.1f, 5.0f);
			stroke.height = TestRandomFloat(&random, -1.0f, 1.0f);
			stroke.velocity = (tnVec2){TestRandomFloat(&random, -9.0f, 9.0f), TestRandomFloat(&random, -9.0f, 9.0f)};
			char text[128];
			ENSURE_OK(tnpApplyStroke(tnsRun_GetWorld(run), &stroke, 1.0f / 60.0f));
			if (stroke.tool == tnp_sourceTool || stroke.tool == tnp_wellTool)
			{
				ENSURE_OK(tnpClickSpring(tnsRun_GetWorld(run), &springs, &stroke, text, sizeof(text)));
			}
			ENSURE_EQUAL_INT(tnsRun_SetExtraRain(run, tnpGetRainRate(&stroke)).status, tns_ok);
			ENSURE_EQUAL_INT(tnsRun_Step(run).status, tns_ok);
		}
		hashes[i] = tnWorld_GetHash(tnsRun_GetWorld(run));
		tnsDestroyRun(run);
	}
	ENSURE_EQUAL_HEX(hashes[0], hashes[1]);
	tnsDestroyScene(scene);
	return 0;
}

// A click that is shorter than a frame still pours, once.
static int ShortClicksCount(void)
{
	Fixture fixture;
	ENSURE(Open(&fixture, windowWidth, windowHeight, 0, true));
	Frames(&fixture, 1, 0.0);
	for (int paused = 0; paused < 2; ++paused)
	{
		tnpPlay_SetPaused(fixture.play, paused == 1);
		const double before = tnWorld_GetLedger(fixture.play->world).edits;
		ENSURE(PointAt(&fixture, 18.0f, 15.0f));
		Click(&fixture, fixture.play->mouseX, fixture.play->mouseY);
		Frames(&fixture, 1, 0.05);
		const double once = tnWorld_GetLedger(fixture.play->world).edits - before;
		ENSURE(once > 0.0);
		Frames(&fixture, 5, 0.05);
		ENSURE(tnWorld_GetLedger(fixture.play->world).edits - before == once);
	}
	Close(&fixture);
	return 0;
}

static const Test s_tests[] = {
	{"ToolsKeepTheBooks", ToolsKeepTheBooks},
	{"DiggingMovesGroundOnly", DiggingMovesGroundOnly},
	{"SpringsAndWells", SpringsAndWells},
	{"DyeAndPush", DyeAndPush},
	{"ToolsDoNotDependOnFrames", ToolsDoNotDependOnFrames},
	{"StrokesAreDeterministic", StrokesAreDeterministic},
	{"ShortClicksCount", ShortClicksCount},
};

const TestSuite play_toolsSuite = TEST_SUITE("play_tools", s_tests);

// SPDX-License-Identifier: MIT

// What of the def of a world can change between two steps.

#include "world_calls.h"

static void SetGravity(Driver* d)
{
	const float gravity = DrawBool(d) ? 9.81f : DrawPower(d, -2.0f, 3.0f);
	SHOW_FLOAT(d, gravity);
	CHANGE(d, tnWorld_SetGravity(world, gravity));
	DONE(d);
	if (IsOk(d))
	{
		d->track.def.gravity = gravity;
		// The same water has another energy.
		ForgetEnergy(d);
	}
}

static void SetDrag(Driver* d)
{
	const int kind = DrawInt(d, 0, 2);
	const float value = DrawOneIn(d, 4) ? 0.0f : DrawPower(d, -2.0f, 1.0f);
	SHOW_FLOAT(d, value);
	switch (kind)
	{
		case 0:
			CHANGE(d, tnWorld_SetFriction(world, value));
			break;
		case 1:
			CHANGE(d, tnWorld_SetManning(world, value));
			break;
		default:
			CHANGE(d, tnWorld_SetFroudeLimit(world, value));
			break;
	}
}

static void SetManningMap(Driver* d)
{
	const float* map = NULL;
	if (!DrawOneIn(d, 3))
	{
		DrawField(d, "depths", d->fieldA, d->track.def.columnCount, d->track.def.rowCount, 0.0f, 3.0f);
		map = d->fieldA;
	}
	ShowText(d, map != NULL ? "const float* map = depths;" : "const float* map = NULL;");
	CHANGE(d, tnWorld_SetManningMap(world, map));
}

static void SetLiveliness(Driver* d)
{
	const float liveliness = DrawBool(d) ? 1.0f : DrawPower(d, -2.0f, 0.6f);
	SHOW_FLOAT(d, liveliness);
	CHANGE(d, tnWorld_SetLiveliness(world, liveliness));
	DONE(d);
	if (IsOk(d))
	{
		d->track.def.liveliness = liveliness;
		ForgetEnergy(d);
	}
}

static void SetSection(Driver* d)
{
	const int section = DrawOneIn(d, 16) ? DrawInt(d, -1, tn_pipeSectionCount) : DrawInt(d, 0, tn_pipeSectionCount - 1);
	const float height = DrawPower(d, -1.0f, 1.0f);
	SHOW_INT(d, section);
	SHOW_FLOAT(d, height);
	CHANGE(d, tnWorld_SetSection(world, (tnPipeSection)section, height));
	DONE(d);
	if (IsOk(d))
	{
		d->track.def.section = (tnPipeSection)section;
		d->track.def.fixedSection = height;
		ForgetEnergy(d);
	}
}

static void SetMaxSubSteps(Driver* d)
{
	// As many as a step has time for, which the first def was drawn by.
	const int most = d->defs[0].maxSubSteps;
	const int count = DrawOneIn(d, 16) ? DrawInt(d, -1, 0) : DrawInt(d, 1, most > 1 ? most : 1);
	SHOW_INT(d, count);
	CHANGE(d, tnWorld_SetMaxSubSteps(world, count));
	DONE(d);
	d->track.def.maxSubSteps = IsOk(d) ? count : d->track.def.maxSubSteps;
}

// Twins with and without sleep have the same bits as long as only what rests entirely may sleep: then the speed stays 0. All
// of them change sides at once, so that they go on being different.
static void SetSleep(Driver* d)
{
	const bool swaps = DrawBool(d);
	const bool isExact = !d->defs[0].enableSleep || d->defs[0].sleepSpeed == 0.0f;
	const float drawn = DrawPower(d, -4.0f, 0.0f);
	const float speed = isExact ? 0.0f : drawn;
	const float time = DrawBool(d) ? 0.0f : DrawFloat(d, 0.0f, 2.0f);
	bool enables[4] = {false};
	for (int i = 0; i < twinLimit; ++i)
	{
		enables[i] = d->defs[i].enableSleep != swaps;
	}
	Show(d, "const bool enables[4] = {%d, %d, %d, %d};", (int)enables[0], (int)enables[1], (int)enables[2],
		(int)enables[3]);
	SHOW_FLOAT(d, speed);
	SHOW_FLOAT(d, time);
	CHANGE(d, tnWorld_SetSleep(world, enables[which], speed, time));
}

static void SetFoam(Driver* d)
{
	const float lifetime = DrawPower(d, -2.0f, 9.0f);
	const float strength = DrawFloat(d, 0.0f, 100.0f);
	SHOW_FLOAT(d, lifetime);
	SHOW_FLOAT(d, strength);
	CHANGE(d, tnWorld_SetFoam(world, lifetime, strength));
}

static void SetSpray(Driver* d)
{
	tnSprayDef spray = d->defs[0].spray;
	spray.capacity += DrawOneIn(d, 32) ? 1 : 0;
	spray.ledgeHeight = DrawFloat(d, 0.01f, 2.0f);
	spray.breakingSlope = DrawFloat(d, 0.0f, 10.0f);
	spray.drag = DrawFloat(d, 0.0f, 100.0f);
	spray.slamSpeed = DrawFloat(d, 0.0f, 1000.0f);
	spray.wind.x = DrawFloat(d, -100.0f, 100.0f);
	spray.wind.z = DrawFloat(d, -100.0f, 100.0f);
	ShowText(d, "tnSprayDef spray = tnWorld_GetDef(world).spray;");
	Show(d, "spray.enable = %d;", (int)spray.enable);
	Show(d, "spray.capacity = %d;", (int)spray.capacity);
	Show(d, "spray.ledgeHeight = %s;", GetFloatText(spray.ledgeHeight).text);
	Show(d, "spray.breakingSlope = %s;", GetFloatText(spray.breakingSlope).text);
	Show(d, "spray.drag = %s;", GetFloatText(spray.drag).text);
	Show(d, "spray.slamSpeed = %s;", GetFloatText(spray.slamSpeed).text);
	Show(d, "spray.wind.x = %s;", GetFloatText(spray.wind.x).text);
	Show(d, "spray.wind.z = %s;", GetFloatText(spray.wind.z).text);
	CHANGE(d, tnWorld_SetSpray(world, &spray));
}

static void SetWaves(Driver* d)
{
	const float viscosity = DrawBool(d) ? 1.0e-6f : DrawPower(d, -7.0f, 3.0f);
	// Waves that break go on breaking.
	const float limit = DrawFloat(d, 0.1f, 10.0f);
	const float breakingLimit = d->defs[0].waves.breakingLimit > 0.0f || DrawOneIn(d, 16) ? limit : 0.0f;
	const float restHeight = DrawPower(d, -9.0f, 0.0f);
	SHOW_FLOAT(d, viscosity);
	SHOW_FLOAT(d, breakingLimit);
	SHOW_FLOAT(d, restHeight);
	CHANGE(d, tnWorld_SetWaves(world, viscosity, breakingLimit, restHeight));
}

static void SetWorkerCount(Driver* d)
{
	const int wanted = DrawInt(d, 0, 6);
	const bool tooFew = DrawOneIn(d, 16);
	int counts[4] = {0};
	for (int i = 0; i < twinLimit; ++i)
	{
		const int most = d->defs[i].tasks.workerCount > 1 ? d->defs[i].tasks.workerCount : 1;
		counts[i] = tooFew ? 0 : 1 + wanted % most;
	}
	Show(d, "const int counts[4] = {%d, %d, %d, %d};", counts[0], counts[1], counts[2], counts[3]);
	// The text of a refusal names how many the world was made with.
	CALL_AND_JUDGE(d, tooFew ? mayDiffer : 0, tnWorld_SetWorkerCount(world, counts[which]));
}

const DriverCall tuneCalls[] = {{"SetGravity", SetGravity, 2, 0, false}, {"SetDrag", SetDrag, 3, 0, false},
	{"SetManningMap", SetManningMap, 2, 0, false}, {"SetLiveliness", SetLiveliness, 2, 0, false},
	{"SetSection", SetSection, 2, 0, false}, {"SetMaxSubSteps", SetMaxSubSteps, 2, 0, false},
	{"SetSleep", SetSleep, 3, 0, true}, {"SetFoam", SetFoam, 2, 0, false}, {"SetSpray", SetSpray, 2, 0, false},
	{"SetWaves", SetWaves, 2, 0, false}, {"SetWorkerCount", SetWorkerCount, 2, 0, true}};
const int tuneCallCount = (int)(sizeof(tuneCalls) / sizeof(tuneCalls[0]));

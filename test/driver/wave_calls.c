// SPDX-License-Identifier: MIT

// The wave layer: points of interest, waves that are made, and what there is.

#include "world_calls.h"

static tnInterestDef DrawInterest(Driver* d)
{
	const tnInterestDef preset = tnDefaultInterestDef();
	tnInterestDef def = preset;
	def.position = DrawPlace(d);
	def.reach = DrawBool(d) ? DrawRadius(d) : 16.0f;
	def.stamp += DrawOneIn(d, 64) ? 1u : 0u;
	SHOW_STRUCT(d, interestDefInfo, def, preset);
	return def;
}

// Few worlds have waves, and fewer have an interest: mostly the same, so that there is one to set and to destroy.
static int DrawInterestSlot(Driver* d)
{
	return DrawOneIn(d, 4) ? DrawSlot(d) : 0;
}

static void CreateInterest(Driver* d)
{
	const int slot = DrawInterestSlot(d);
	const tnInterestDef def = DrawInterest(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_CreateInterest(world, &def, ids->interests + slot));
	DONE(d);
	CompareOutputs(d, "ids", d->ids[0].interests + slot, sizeof(Ids), sizeof(tnInterestId));
	if (tnInterest_IsValid(d->worlds[0], d->ids[0].interests[slot]) != IsOk(d))
	{
		Fail(d, "id", "valid is %d", (int)!IsOk(d));
	}
}

static void SetInterest(Driver* d)
{
	const int slot = DrawInterestSlot(d);
	const tnInterestDef def = DrawInterest(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_SetInterest(world, ids->interests[slot], &def));
}

static void DestroyInterest(Driver* d)
{
	const int slot = DrawInterestSlot(d);
	SHOW_INT(d, slot);
	bool valid[twinLimit] = {0};
	ShowText(d, "bool valid[4];");
	TAKE(d, valid[which] = tnInterest_IsValid(world, ids->interests[slot]));
	CHANGE(d, tnWorld_DestroyInterest(world, ids->interests[slot]));
	DONE(d);
	if (IsOk(d) != valid[0])
	{
		Fail(d, "id", "valid was %d", (int)valid[0]);
	}
}

static tnWaveEllipse DrawEllipse(Driver* d)
{
	tnWaveEllipse ellipse;
	ellipse.center = DrawPlace(d);
	ellipse.axis.x = DrawFloat(d, -1.0f, 1.0f);
	ellipse.axis.z = DrawFloat(d, -1.0f, 1.0f);
	ellipse.radii.x = DrawRadius(d);
	ellipse.radii.z = DrawRadius(d);
	ellipse.height = DrawFloat(d, -0.5f, 0.5f);
	return ellipse;
}

static void AddWave(Driver* d)
{
	const tnWaveEllipse preset = {{0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}, 0.0f};
	const tnWaveEllipse first = DrawEllipse(d);
	const tnWaveEllipse second = DrawEllipse(d);
	const int kinds = DrawInt(d, 0, 4);
	const bool hasBefore = kinds != 0 && kinds != 4;
	const bool hasAfter = kinds != 1 && kinds != 4;
	SHOW_STRUCT(d, ellipseInfo, first, preset);
	SHOW_STRUCT(d, ellipseInfo, second, preset);
	SHOW_INT(d, hasBefore);
	SHOW_INT(d, hasAfter);
	CHANGE(d, tnWorld_AddWave(world, hasBefore ? &first : NULL, hasAfter ? &second : NULL));
}

static void AddDrops(Driver* d)
{
	enum
	{
		dropLimit = 4
	};
	tnWaveDrop drops[dropLimit] = {{{0.0f, 0.0f}, 0.0f}};
	const int count = DrawInt(d, -1, dropLimit);
	ShowText(d, "tnWaveDrop drops[4];");
	for (int i = 0; i < count; ++i)
	{
		drops[i].position = DrawPlace(d);
		drops[i].volume = DrawLimited(d, -1.0f, 1.0f, -1.0e6f, 1.0e6f);
		Show(d, "drops[%d] = (tnWaveDrop){{%s, %s}, %s};", i, GetFloatText(drops[i].position.x).text,
			GetFloatText(drops[i].position.z).text, GetFloatText(drops[i].volume).text);
	}
	SHOW_INT(d, count);
	CHANGE(d, tnWorld_AddDrops(world, drops, count));
}

static void AddWaveField(Driver* d)
{
	const int column = DrawInt(d, -1, 40);
	const int row = DrawInt(d, -1, 40);
	const int columns = DrawInt(d, 0, 40);
	const int rows = DrawInt(d, 0, 40);
	const int kinds = DrawInt(d, 0, 3);
	const float scale = DrawOneIn(d, 8) ? DrawPower(d, -3.0f, 6.0f) : 0.2f;
	const bool hasHeights = kinds != 0;
	const bool hasRates = kinds != 1;
	float* heights = d->fieldA;
	float* depths = d->fieldB;
	DrawField(d, "heights", heights, columns > 0 ? columns : 1, rows > 0 ? rows : 1, -scale, scale);
	DrawField(d, "depths", depths, columns > 0 ? columns : 1, rows > 0 ? rows : 1, -scale, scale);
	SHOW_INT(d, column);
	SHOW_INT(d, row);
	SHOW_INT(d, columns);
	SHOW_INT(d, rows);
	SHOW_INT(d, hasHeights);
	SHOW_INT(d, hasRates);
	CHANGE(d,
		tnWorld_AddWaveField(world, column, row, columns, rows, hasHeights ? heights : NULL, hasRates ? depths : NULL));
}

static void SetSwell(Driver* d)
{
	tnSwell swells[2] = {{{0.0f, 0.0f}, 0.0f, 0.0f, 0.0f}};
	const tnSwell preset = swells[0];
	const int count = DrawInt(d, 0, 2);
	ShowText(d, "tnSwell swells[2] = {{{0.0f, 0.0f}, 0.0f, 0.0f, 0.0f}};");
	for (int i = 0; i < count; ++i)
	{
		swells[i].direction.x = DrawFloat(d, -1.0f, 1.0f);
		swells[i].direction.z = DrawFloat(d, -1.0f, 1.0f);
		swells[i].amplitude = DrawFloat(d, 0.0f, 0.3f);
		// Of waves some cells long in deep water: most bands have them.
		const float length = d->track.def.cellSize * DrawPower(d, 0.0f, 1.5f);
		swells[i].period = sqrtf(6.2831853f * length / d->track.def.gravity);
		swells[i].phase = DrawFloat(d, 0.0f, 1.0f);
		char name[32];
		snprintf(name, sizeof(name), "swells[%d]", i);
		ShowFields(d, &swellInfo, name, swells + i, &preset);
	}
	SHOW_INT(d, count);
	CHANGE(d, tnWorld_SetSwell(world, swells, count));
	DONE(d);
	d->track.pushed = d->track.pushed || IsOk(d);
}

static void SetWind(Driver* d)
{
	tnVec2 velocity;
	velocity.x = DrawFloat(d, -100.0f, 100.0f);
	velocity.z = DrawFloat(d, -100.0f, 100.0f);
	SHOW_VEC2(d, velocity);
	CHANGE(d, tnWorld_SetWind(world, velocity));
}

static void SetWaveDamping(Driver* d)
{
	const float damping = DrawBool(d) ? DrawFloat(d, 0.0f, 1000.0f) : 0.0f;
	SHOW_FLOAT(d, damping);
	CHANGE(d, tnWorld_SetWaveDamping(world, damping));
}

static void SampleWaves(Driver* d)
{
	const tnVec2 position = DrawPlace(d);
	SHOW_VEC2(d, position);
	tnWaveSample samples[twinLimit] = {0};
	ShowText(d, "tnWaveSample samples[4];");
	ASK(d, tnWorld_SampleWaves(world, position, samples + which));
	DONE(d);
	if (!IsOk(d))
	{
		return;
	}
	CompareOutputs(d, "wave samples", samples, sizeof(samples[0]), sizeof(samples[0]));
	const tnWaveSample* s = samples;
	const double along =
		(double)s->rippleDirection.x * s->rippleDirection.x + (double)s->rippleDirection.z * s->rippleDirection.z;
	if (!AreFinite(&s->height, 9) || !(s->rippleEnergy >= 0.0f) || !(along <= 1.0001) || s->finestLevel < 0 ||
		s->finestLevel > d->track.def.waves.levelCount)
	{
		Fail(d, "wave sample", "height %g, rate %g, slope (%g, %g), velocity (%g, %g), ripples %g (%g, %g), level %d",
			(double)s->height, (double)s->rate, (double)s->slope.x, (double)s->slope.z, (double)s->velocity.x,
			(double)s->velocity.z, (double)s->rippleEnergy, (double)s->rippleDirection.x, (double)s->rippleDirection.z,
			s->finestLevel);
	}
}

static void AskWaves(Driver* d)
{
	const int index = DrawOneIn(d, 4) ? DrawInt(d, -1, 12) : 0;
	SHOW_INT(d, index);
	tnWaveTileView views[twinLimit] = {0};
	tnWaveStats stats[twinLimit] = {0};
	int tileCounts[twinLimit] = {0};
	tnRippleView ripples[twinLimit] = {0};
	tnBreakers breakers[twinLimit] = {0};
	ShowText(d, "tnWaveTileView views[4]; tnWaveStats stats[4]; int tileCounts[4];");
	ShowText(d, "tnRippleView ripples[4]; tnBreakers breakers[4];");
	TAKE(d, tileCounts[which] = tnWorld_GetWaveTileCount(world));
	CompareOutputs(d, "tile counts", tileCounts, sizeof(int), sizeof(int));
	ASK(d, tnWorld_GetWaveTile(world, index, views + which));
	if (IsOk(d) != (index >= 0 && index < tileCounts[0]))
	{
		Fail(d, "tile", "tile %d of %d: %d", index, tileCounts[0], (int)d->results[0].status);
	}
	TAKE(d, ripples[which] = tnWorld_GetRipples(world));
	TAKE(d, breakers[which] = tnWorld_GetBreakers(world));
	(void)ripples;
	(void)breakers;
	ASK(d, tnWorld_GetWaveStats(world, stats + which));
	DONE(d);
	if (!IsOk(d))
	{
		return;
	}
	CompareOutputs(d, "energies", stats[0].energies, sizeof(stats[0]), sizeof(stats[0].energies));
	for (int i = 0; i < TN_MAX_WAVE_LEVELS; ++i)
	{
		if (!(stats[0].energies[i] >= 0.0) || isinf(stats[0].energies[i]) || stats[0].movingCounts[i] < 0 ||
			stats[0].movingCounts[i] > stats[0].tileCounts[i])
		{
			Fail(d, "wave stats", "level %d: energy %g, %d of %d tiles move", i, stats[0].energies[i],
				stats[0].movingCounts[i], stats[0].tileCounts[i]);
		}
	}
	if (!(stats[0].brokenEnergy >= 0.0) || isinf(stats[0].brokenEnergy))
	{
		Fail(d, "wave stats", "breaking took %g", stats[0].brokenEnergy);
	}
}

static void SetSpectrum(Driver* d)
{
	const float gravity = d->track.def.gravity;
	tnSpectrumDef preset = tnDefaultSpectrumDef();
	tnSpectrumDef def = preset;
	// Now and then what a wind makes; else waves some cells long in deep water, which most bands have.
	const float length = d->track.def.cellSize * DrawPower(d, 0.0f, 1.5f);
	def.peakPeriod = sqrtf(6.2831853f * length / gravity);
	def.significantHeight = DrawFloat(d, 0.0f, 0.05f) * length;
	def.direction.x = DrawFloat(d, -1.0f, 1.0f);
	def.direction.z = DrawFloat(d, -1.0f, 1.0f);
	def.peakedness = DrawLimited(d, 1.0f, 7.0f, 1.0f, 20.0f);
	def.spread = DrawLimited(d, 0.0f, 30.0f, 0.0f, 1000.0f);
	def.trainCount = DrawInt(d, 1, 12);
	def.seed = (uint32_t)DrawInt(d, 0, 1000);
	const float fetch = DrawPower(d, 1.0f, 5.0f);
	const tnSpectrumDef windSea = tnGetWindSea(def.direction, fetch, gravity);
	if (!(windSea.significantHeight >= 0.0f && windSea.significantHeight < 1.0e6f && windSea.peakPeriod > 0.0f))
	{
		Fail(d, "wind sea", "height %g, period %g", (double)windSea.significantHeight, (double)windSea.peakPeriod);
	}
	def.stamp += DrawOneIn(d, 64) ? 1u : 0u;
	SHOW_STRUCT(d, spectrumDefInfo, def, preset);
	CHANGE(d, tnWorld_SetSpectrum(world, &def));
	DONE(d);
	CountCalls("tnDefaultSpectrumDef(), tnGetWindSea()", IsOk(d));
	d->track.pushed = d->track.pushed || IsOk(d);
}

const DriverCall waveCalls[] = {{"CreateInterest", CreateInterest, 3, 2, true},
	{"SetInterest", SetInterest, 2, 0, false}, {"DestroyInterest", DestroyInterest, 2, 0, false},
	{"AddWave", AddWave, 5, 0, true}, {"AddDrops", AddDrops, 5, 1, true}, {"AddWaveField", AddWaveField, 3, 0, false},
	{"SetSwell", SetSwell, 2, 0, false}, {"SetSpectrum", SetSpectrum, 2, 0, false}, {"SetWind", SetWind, 2, 0, false},
	{"SetWaveDamping", SetWaveDamping, 2, 0, false}, {"SampleWaves", SampleWaves, 3, 0, true},
	{"AskWaves", AskWaves, 4, 0, false}};
const int waveCallCount = (int)(sizeof(waveCalls) / sizeof(waveCalls[0]));

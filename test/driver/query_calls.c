// SPDX-License-Identifier: MIT

// Spray, foam and sound, and what hosts pull out of a world: samples, rays, regions, gauges, views.

#include "world_calls.h"

// ---------------------------------------------------------------------------------------------------------------------
// Spray, foam, sound

static tnJetDef DrawJet(Driver* d)
{
	const tnJetDef preset = tnDefaultJetDef();
	tnJetDef def = preset;
	const tnVec2 place = DrawPlace(d);
	def.position = (tnVec3){place.x, DrawFloat(d, -2.0f, 8.0f), place.z};
	def.velocity = DrawVec3(d, -10.0f, 10.0f);
	def.rate = DrawBool(d) ? DrawLimited(d, 0.0f, 2.0f, 0.0f, 1000.0f) : def.rate;
	def.radius = DrawBool(d) ? DrawLimited(d, 0.0f, 1.0f, 0.0f, 10.0f) : def.radius;
	def.spread = DrawBool(d) ? DrawFloat(d, 0.0f, 1.0f) : def.spread;
	def.stamp += DrawOneIn(d, 64) ? 1u : 0u;
	SHOW_STRUCT(d, jetDefInfo, def, preset);
	return def;
}

static void CreateJet(Driver* d)
{
	const int slot = DrawSlot(d);
	const tnJetDef def = DrawJet(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_CreateJet(world, &def, ids->jets + slot));
	DONE(d);
	CompareOutputs(d, "ids", d->ids[0].jets + slot, sizeof(Ids), sizeof(tnJetId));
	d->track.pushed = d->track.pushed || IsOk(d);
}

static void DestroyJet(Driver* d)
{
	const int slot = DrawSlot(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_DestroyJet(world, ids->jets[slot]));
}

static void SetJet(Driver* d)
{
	const int slot = DrawSlot(d);
	const tnJetDef def = DrawJet(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_SetJet(world, ids->jets[slot], &def));
}

static void AddFoam(Driver* d)
{
	const tnVec2 center = DrawPlace(d);
	const float radius = DrawRadius(d);
	const float amount = DrawFloat(d, 0.0f, 1000.0f);
	SHOW_VEC2(d, center);
	SHOW_FLOAT(d, radius);
	SHOW_FLOAT(d, amount);
	CHANGE(d, tnWorld_AddFoam(world, center, radius, amount));
}

static void GetSounds(Driver* d)
{
	enum
	{
		soundLimit = 8
	};
	const int capacity = DrawInt(d, -1, soundLimit);
	tnSound sounds[twinLimit][soundLimit] = {0};
	int counts[twinLimit] = {0};
	SHOW_INT(d, capacity);
	ShowText(d, "tnSound sounds[4][8]; int counts[4];");
	ASK(d, tnWorld_GetSounds(world, sounds[which], capacity, counts + which));
	DONE(d);
	if (!IsOk(d))
	{
		return;
	}
	if (counts[0] < 0 || counts[0] > capacity)
	{
		Fail(d, "sounds", "%d sounds, room for %d", counts[0], capacity);
		return;
	}
	for (int i = 0; i < counts[0]; ++i)
	{
		const tnSound* sound = sounds[0] + i;
		if (!AreFinite(&sound->position.x, 7) || !(sound->radius >= 0.0f) || !(sound->falling >= 0.0f) ||
			!(sound->breaking >= 0.0f) || !(sound->flowing >= 0.0f))
		{
			Fail(d, "sounds", "sound %d at (%g, %g, %g), radius %g, power %g, %g, %g", i, (double)sound->position.x,
				(double)sound->position.y, (double)sound->position.z, (double)sound->radius, (double)sound->falling,
				(double)sound->breaking, (double)sound->flowing);
		}
	}
	// Water that sleeps is not heard, and with a sleepSpeed of 0 it does not move either.
	CompareOutputs(d, "sounds", sounds, sizeof(sounds[0]), sizeof(tnSound) * (size_t)counts[0]);
}

// ---------------------------------------------------------------------------------------------------------------------
// Places

static void CheckDeckSample(Driver* d, const tnDeckSample* sample)
{
	CheckSample(d, &sample->below);
	if (!AreFinite(&sample->underside, 6) || !(sample->depth >= 0.0f) || !(sample->surface >= sample->bed) ||
		(sample->covered ? !(sample->bed > sample->underside) : sample->depth != 0.0f))
	{
		Fail(d, "decks", "underside %g, bed %g, surface %g, depth %g", (double)sample->underside, (double)sample->bed,
			(double)sample->surface, (double)sample->depth);
	}
}

static void Sample(Driver* d)
{
	tnVec2 places[sampleCount];
	tnSample samples[twinLimit][sampleCount] = {0};
	const int count = DrawOneIn(d, 16) ? DrawInt(d, -1, 0) : sampleCount;
	ShowText(d, "tnVec2 places[5]; tnSample samples[4][5];");
	for (int i = 0; i < sampleCount; ++i)
	{
		places[i] = DrawPlace(d);
		Show(d, "places[%d] = (tnVec2){%s, %s};", i, GetFloatText(places[i].x).text, GetFloatText(places[i].z).text);
	}
	SHOW_INT(d, count);
	TAKE(d, samples[which][0] = tnWorld_Sample(world, places[0]));
	CheckSample(d, &samples[0][0]);
	CompareOutputs(d, "samples", samples, sizeof(samples[0]), offsetof(tnSample, wet) + 2);
	tnDeckSample decks[twinLimit] = {0};
	int wet[twinLimit] = {0};
	ShowText(d, "tnDeckSample decks[4]; int wet[4]; static float surfaces[6500];");
	TAKE(d, decks[which] = tnWorld_SampleDeck(world, places[0]));
	CheckDeckSample(d, decks);
	CompareOutputs(d, "decks", &decks[0].underside, sizeof(decks[0]), 6 * sizeof(float));
	static float surfaces[maxCells];
	TAKE(d, wet[which] = tnWorld_CopyDecks(world, NULL, surfaces));
	CompareOutputs(d, "wet decks", wet, sizeof(wet[0]), sizeof(wet[0]));
	ASK(d, tnWorld_SampleMany(world, places, count, samples[which]));
	DONE(d);
	for (int i = 0; i < count && IsOk(d); ++i)
	{
		CheckSample(d, samples[0] + i);
		CompareOutputs(d, "samples", samples[0] + i, sizeof(samples[0]), offsetof(tnSample, wet) + 2);
	}
}

static void CastRay(Driver* d)
{
	const tnVec2 place = DrawPlace(d);
	const tnVec3 origin = {place.x, DrawFloat(d, -10.0f, 30.0f), place.z};
	const tnVec3 direction = DrawVec3(d, -2.0f, 2.0f);
	const float maxDistance = DrawPower(d, 0.0f, 3.0f);
	SHOW_VEC3(d, origin);
	SHOW_VEC3(d, direction);
	SHOW_FLOAT(d, maxDistance);
	tnRayHit hits[twinLimit] = {0};
	memset(hits, 0, sizeof(hits));
	ShowText(d, "tnRayHit hits[4];");
	ASK(d, tnWorld_CastRay(world, origin, direction, maxDistance, hits + which));
	DONE(d);
	if (!IsOk(d) || !hits[0].hit)
	{
		return;
	}
	CompareOutputs(d, "hits", &hits[0].distance, sizeof(hits[0]), sizeof(float) * 7);
	const tnVec3 n = hits[0].normal;
	const double length = sqrt((double)n.x * n.x + (double)n.y * n.y + (double)n.z * n.z);
	if (!(hits[0].distance >= 0.0f && hits[0].distance <= maxDistance && AreFinite(&hits[0].point.x, 3)) ||
		!(fabs(length - 1.0) < 1.0e-4))
	{
		Fail(d, "ray", "distance %g of %g, at (%g, %g, %g), normal (%g, %g, %g)", (double)hits[0].distance,
			(double)maxDistance, (double)hits[0].point.x, (double)hits[0].point.y, (double)hits[0].point.z, (double)n.x,
			(double)n.y, (double)n.z);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Regions and gauges

static tnRegionDef DrawRegion(Driver* d)
{
	const tnRegionDef preset = tnDefaultRegionDef();
	tnRegionDef def = preset;
	def.shape = (tnRegionShape)DrawInt(d, 0, tn_regionShapeCount - 1 + (DrawOneIn(d, 32) ? 1 : 0));
	def.center = DrawPlace(d);
	def.extent.x = DrawRadius(d);
	def.extent.z = DrawRadius(d);
	def.triggerDepth = DrawFloat(d, 0.01f, 2.0f);
	def.hysteresis = DrawFloat(d, 0.0f, 0.1f);
	def.stamp += DrawOneIn(d, 64) ? 1u : 0u;
	SHOW_STRUCT(d, regionDefInfo, def, preset);
	return def;
}

static void CheckRegionState(Driver* d, const tnRegionState* state)
{
	if (!(state->volume >= 0.0 && state->wetArea >= 0.0 && state->wetArea <= state->area && state->area > 0.0 &&
			state->maxDepth >= 0.0f) ||
		isinf(state->volume))
	{
		Fail(d, "region", "volume %g, wet %g of %g, depth %g", state->volume, state->wetArea, state->area,
			(double)state->maxDepth);
	}
}

static void CreateRegion(Driver* d)
{
	const int slot = DrawSlot(d);
	const tnRegionDef def = DrawRegion(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_CreateRegion(world, &def, ids->regions + slot));
	DONE(d);
	CompareOutputs(d, "ids", d->ids[0].regions + slot, sizeof(Ids), sizeof(tnRegionId));
	if (tnRegion_IsValid(d->worlds[0], d->ids[0].regions[slot]) != IsOk(d))
	{
		Fail(d, "id", "valid is %d", (int)!IsOk(d));
	}
}

static void DestroyRegion(Driver* d)
{
	const int slot = DrawSlot(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_DestroyRegion(world, ids->regions[slot]));
}

static void AskRegion(Driver* d)
{
	const int slot = DrawSlot(d);
	const tnRegionDef def = DrawRegion(d);
	tnRegionState states[twinLimit] = {0};
	bool valid[twinLimit] = {0};
	SHOW_INT(d, slot);
	ShowText(d, "tnRegionState states[4]; bool valid[4];");
	TAKE(d, valid[which] = tnRegion_IsValid(world, ids->regions[slot]));
	ASK(d, tnWorld_GetRegionState(world, ids->regions[slot], states + which));
	if (IsOk(d) != valid[0])
	{
		Fail(d, "id", "valid is %d", (int)valid[0]);
	}
	if (IsOk(d))
	{
		CheckRegionState(d, states);
		CompareOutputs(d, "states", states, sizeof(states[0]), offsetof(tnRegionState, maxDepth) + sizeof(float));
	}
	ASK(d, tnWorld_MeasureRegion(world, &def, states + which));
	DONE(d);
	if (IsOk(d))
	{
		CheckRegionState(d, states);
		CompareOutputs(d, "states", states, sizeof(states[0]), offsetof(tnRegionState, maxDepth) + sizeof(float));
	}
}

static void CreateGauge(Driver* d)
{
	const int slot = DrawSlot(d);
	const tnVec2 position = DrawPlace(d);
	SHOW_INT(d, slot);
	SHOW_VEC2(d, position);
	CHANGE(d, tnWorld_CreateGauge(world, position, ids->gauges + slot));
	DONE(d);
	CompareOutputs(d, "ids", d->ids[0].gauges + slot, sizeof(Ids), sizeof(tnGaugeId));
}

static void DestroyGauge(Driver* d)
{
	const int slot = DrawSlot(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_DestroyGauge(world, ids->gauges[slot]));
}

static void ResetGauge(Driver* d)
{
	const int slot = DrawSlot(d);
	SHOW_INT(d, slot);
	CHANGE(d, tnWorld_ResetGauge(world, ids->gauges[slot]));
}

static void AskGauge(Driver* d)
{
	const int slot = DrawSlot(d);
	tnGaugeState states[twinLimit] = {0};
	bool valid[twinLimit] = {0};
	SHOW_INT(d, slot);
	ShowText(d, "tnGaugeState states[4]; bool valid[4];");
	TAKE(d, valid[which] = tnGauge_IsValid(world, ids->gauges[slot]));
	ASK(d, tnWorld_GetGaugeState(world, ids->gauges[slot], states + which));
	DONE(d);
	if (IsOk(d) != valid[0])
	{
		Fail(d, "id", "valid is %d", (int)valid[0]);
	}
	if (!IsOk(d))
	{
		return;
	}
	CheckSample(d, &states[0].sample);
	CompareOutputs(d, "gauge samples", states, sizeof(states[0]), offsetof(tnSample, wet) + 2);
	CompareOutputs(d, "gauges", &states[0].maxDepth, sizeof(states[0]), 2 * sizeof(float));
	if (!(states[0].maxDepth >= 0.0f) || !(states[0].maxSpeed >= 0.0f) || !(states[0].arrivalTime <= d->track.time) ||
		!IsFinite(states[0].maxSpeed))
	{
		Fail(d, "gauge", "depth %g of %g, speed %g, arrival %g", (double)states[0].sample.depth,
			(double)states[0].maxDepth, (double)states[0].maxSpeed, states[0].arrivalTime);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Views, copies, and what takes no arguments

static void AskViews(Driver* d)
{
	tnFieldView views[twinLimit][8] = {0};
	tnRegionEvents events[twinLimit] = {0};
	tnSprayView sprays[twinLimit] = {0};
	tnSprayStats sprayStats[twinLimit] = {0};
	const int channel = DrawInt(d, -1, 3);
	SHOW_INT(d, channel);
	ShowText(
		d, "tnFieldView views[4][8]; tnRegionEvents events[4]; tnSprayView sprays[4]; tnSprayStats sprayStats[4];");
	TAKE(d, views[which][0] = tnWorld_GetBed(world));
	TAKE(d, views[which][1] = tnWorld_GetDepth(world));
	TAKE(d, views[which][2] = tnWorld_GetPreviousDepth(world));
	TAKE(d, views[which][3] = tnWorld_GetTracer(world, channel));
	TAKE(d, views[which][4] = tnWorld_GetFoam(world));
	TAKE(d, views[which][5] = tnWorld_GetLift(world));
	TAKE(d, views[which][6] = tnWorld_GetPreviousLift(world));
	TAKE(d, events[which] = tnWorld_GetRegionEvents(world));
	TAKE(d, sprays[which] = tnWorld_GetSpray(world));
	TAKE(d, sprayStats[which] = tnWorld_GetSprayStats(world));
	DONE(d);
	(void)events;
	(void)sprays;
	(void)sprayStats;
	for (int i = 0; i < 7; ++i)
	{
		const tnFieldView* view = views[0] + i;
		for (int row = 0; view->data != NULL && row < view->rowCount; ++row)
		{
			if (!AreFinite(view->data + (ptrdiff_t)row * view->stride, view->columnCount))
			{
				Fail(d, "view", "view %d is not finite in row %d", i, row);
				return;
			}
		}
	}
}

static void AskNumbers(Driver* d)
{
	tnWorldDef defs[twinLimit] = {0};
	tnStats stats[twinLimit] = {0};
	tnLedger ledgers[twinLimit] = {0};
	double times[twinLimit] = {0};
	uint64_t hashes[twinLimit] = {0};
	ShowText(d, "tnWorldDef defs[4]; tnStats stats[4]; tnLedger ledgers[4]; double times[4]; uint64_t hashes[4];");
	TAKE(d, defs[which] = tnWorld_GetDef(world));
	TAKE(d, stats[which] = tnWorld_GetStats(world));
	TAKE(d, ledgers[which] = tnWorld_GetLedger(world));
	TAKE(d, times[which] = tnWorld_GetTime(world));
	TAKE(d, hashes[which] = tnWorld_GetHash(world));
	DONE(d);
	(void)ledgers;
	(void)hashes;
	for (int i = 0; i < d->twinCount; ++i)
	{
		if (times[i] != d->track.time || defs[i].stamp != d->defs[i].stamp || stats[i].byteCount == 0 ||
			defs[i].method != d->track.def.method)
		{
			Fail(d, "numbers", "time %g, expected %g", times[i], d->track.time);
		}
		if (stats[i].byteCount != (size_t)d->memories[i].liveBytes)
		{
			Fail(d, "numbers", "%zu bytes, %zu were asked for", stats[i].byteCount, (size_t)d->memories[i].liveBytes);
		}
	}
}

static void CopyFields(Driver* d)
{
	const float alpha = DrawFloat(d, 0.0f, 1.0f);
	static float surface[maxCells];
	static float faces[2][maxCells + maxLongSide + maxSquareSide];
	static uint8_t awake[maxCells];
	SHOW_FLOAT(d, alpha);
	ShowText(d, "static float surface[6500]; static float faces[2][7040]; static uint8_t awake[6500];");
	ASK(d, tnWorld_CopyVelocities(world, surface, NULL));
	ASK(d, tnWorld_CopyDischarge(world, faces[0], faces[1]));
	ASK(d, tnWorld_CopyAwake(world, awake));
	for (int i = 0; i < d->track.cellCount && IsOk(d); ++i)
	{
		if (awake[i] > 1)
		{
			Fail(d, "awake", "cell %d: %d", i, (int)awake[i]);
		}
	}
	const bool same = d->twinCount < 2 ||
		(d->defs[0].keepPrevious == d->defs[1].keepPrevious &&
			d->defs[0].keepPrevious == d->defs[d->twinCount - 1].keepPrevious);
	CALL_AND_JUDGE(d, same ? 0 : mayDiffer, tnWorld_CopySurface(world, alpha, surface));
	DONE(d);
	if (d->results[d->twinCount - 1].status == tn_ok && !AreFinite(surface, d->track.cellCount))
	{
		Fail(d, "surface", "not finite");
	}
}

// Of the heights of a tile: are they finite, and what is their sum, bit by bit?
static bool SumHeights(const tnSurfaceTile* tile, uint64_t* sum)
{
	const float* heights = tile->texels[0];
	for (int i = 0; i < tile->size * tile->size; ++i)
	{
		uint32_t bits;
		memcpy(&bits, heights + i, sizeof(bits));
		*sum = (*sum ^ bits) * 0x100000001B3ull;
	}
	return AreFinite(heights, tile->size * tile->size);
}

static void MakeSurface(Driver* d)
{
	const tnSurfaceDef preset = tnDefaultSurfaceDef();
	tnSurfaceDef def = preset;
	def.halo = DrawOneIn(d, 3) ? DrawInt(d, -1, 17) : 0;
	def.addWaves = DrawBool(d);
	const float alpha = DrawBool(d) ? 1.0f : DrawFloat(d, 0.0f, 1.0f);
	tnSurface* surfaces[twinLimit] = {0};
	tnSurfaceTile tiles[twinLimit] = {0};
	tnSurfaceChanges changes[twinLimit] = {0};
	tnSprayInstances drops[twinLimit] = {0};
	uint64_t sums[twinLimit] = {0};
	static tnVec3 corners[TN_MAX_SURFACE_VERTICES];
	static uint32_t triangles[TN_MAX_SURFACE_INDICES];
	tnSurfaceMesh meshes[twinLimit];
	for (int i = 0; i < twinLimit; ++i)
	{
		meshes[i] = (tnSurfaceMesh){corners, NULL, TN_MAX_SURFACE_VERTICES, triangles, TN_MAX_SURFACE_INDICES, 0, 0};
	}
	int counts[twinLimit] = {0};
	float numbers[twinLimit] = {0};
	Show(d, "tnSurfaceDef def = tnDefaultSurfaceDef(); def.halo = %d; def.addWaves = %s;", def.halo,
		def.addWaves ? "true" : "false");
	SHOW_FLOAT(d, alpha);
	ShowText(d, "tnSurface* surfaces[4] = {0}; tnSurfaceTile tiles[4]; tnSurfaceChanges changes[4];");
	ShowText(d, "static tnVec3 corners[16641]; static uint32_t triangles[49152]; tnSurfaceMesh meshes[4];");
	ShowText(
		d, "for (int i = 0; i < 4; ++i) meshes[i] = (tnSurfaceMesh){corners, NULL, 16641, triangles, 49152, 0, 0};");
	ShowText(d, "tnSprayInstances drops[4]; int counts[4]; float numbers[4];");
	ASK(d, tnCreateSurface(world, &def, surfaces + which));
	bool made = true;
	for (int i = 0; i < d->twinCount; ++i)
	{
		made = made && surfaces[i] != NULL;
	}
	if (made)
	{
		ASK(d, tnSurface_Update(surfaces[which], world, alpha));
		TAKE(d, counts[which] = tnSurface_GetTileCount(surfaces[which]));
		ASK(d, tnSurface_GetTile(surfaces[which], 0, tiles + which));
		TAKE(d, changes[which] = tnSurface_TakeChanges(surfaces[which]));
		TAKE(d, drops[which] = tnSurface_GetSpray(surfaces[which]));
		TAKE(d, numbers[which] = tnSurface_Get(surfaces[which], tn_surfaceHeight, 0, 0));
		ASK(d, tnSurface_BuildMesh(surfaces[which], 0, meshes + which));
	}
	for (int i = 0; i < d->twinCount && made && changes[i].count > 0; ++i)
	{
		if (changes[i].count != counts[i] || !SumHeights(tiles + i, sums + i) || drops[i].count < 0 ||
			numbers[i] != numbers[i])
		{
			Fail(d, "surface", "%d changes of %d tiles, height %g", changes[i].count, counts[i], (double)numbers[i]);
		}
		if (alpha == 1.0f && d->sameHash && sums[i] != sums[0])
		{
			Fail(d, "surface", "twins 0 and %d have different heights", i);
		}
	}
	TAKE(d, tnDestroySurface(surfaces[which]));
	DONE(d);
}

static int TakeAssert(const char* condition, const char* file, int line)
{
	fprintf(stderr, "%s:%d: %s\n", file, line, condition);
	return 1;
}

// What needs no world.
static void AskLibrary(Driver* d)
{
	const int simd = DrawInt(d, -1, 7);
	SHOW_INT(d, simd);
	bool available[twinLimit] = {0};
	const char* names[twinLimit];
	int versions[twinLimit] = {0};
	tnInterestDef interests[twinLimit] = {0};
	(void)versions;
	(void)interests;
	ShowText(d, "bool available[4]; const char* names[4]; int versions[4]; tnInterestDef interests[4];");
	TAKE(d, available[which] = tnIsSimdAvailable((tnSimd)simd));
	TAKE(d, names[which] = tnGetSimdName((tnSimd)simd));
	TAKE(d, versions[which] = tnGetVersion());
	TAKE(d, (void)tnDefaultWorldDef());
	TAKE(d, (void)tnDefaultEdgeDef());
	TAKE(d, (void)tnDefaultBrush());
	TAKE(d, (void)tnDefaultSourceDef());
	TAKE(d, (void)tnDefaultRegionDef());
	TAKE(d, (void)tnDefaultShapeDef());
	TAKE(d, (void)tnDefaultBodyDef());
	TAKE(d, (void)tnDefaultLeakDef());
	TAKE(d, (void)tnDefaultPumpDef());
	TAKE(d, (void)tnDefaultJetDef());
	TAKE(d, (void)tnDefaultSurfaceDef());
	TAKE(d, interests[which] = tnDefaultInterestDef());
	DONE(d);
	tnSetAssertHandler(TakeAssert);
	tnSetAssertHandler(NULL);
	CountCalls("tnSetAssertHandler(", true);
	tnDestroyWorld(NULL);
	CountCalls("tnDestroyWorld(", true);
	if (names[0] == NULL || (available[0] && simd < 0))
	{
		Fail(d, "simd", "simd %d", simd);
	}
}

const DriverCall sprayCalls[] = {{"CreateJet", CreateJet, 5, 2, false}, {"DestroyJet", DestroyJet, 2, 0, false},
	{"SetJet", SetJet, 2, 0, false}, {"AddFoam", AddFoam, 3, 0, false}, {"GetSounds", GetSounds, 3, 0, false}};
const int sprayCallCount = (int)(sizeof(sprayCalls) / sizeof(sprayCalls[0]));

const DriverCall queryCalls[] = {{"Sample", Sample, 5, 0, false}, {"CastRay", CastRay, 4, 0, false},
	{"CreateRegion", CreateRegion, 3, 2, true}, {"DestroyRegion", DestroyRegion, 2, 0, false},
	{"AskRegion", AskRegion, 2, 0, false}, {"CreateGauge", CreateGauge, 3, 2, true},
	{"DestroyGauge", DestroyGauge, 2, 0, false}, {"ResetGauge", ResetGauge, 2, 0, false},
	{"AskGauge", AskGauge, 3, 0, false}, {"AskViews", AskViews, 2, 0, false}, {"AskNumbers", AskNumbers, 2, 0, false},
	{"CopyFields", CopyFields, 2, 0, false}, {"MakeSurface", MakeSurface, 2, 0, false},
	{"AskLibrary", AskLibrary, 2, 0, false}};
const int queryCallCount = (int)(sizeof(queryCalls) / sizeof(queryCalls[0]));

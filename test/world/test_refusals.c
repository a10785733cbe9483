// SPDX-License-Identifier: MIT

// A call that is refused changes nothing: not the hash, and not what becomes of the world later. Two worlds get the same
// calls, and one of them bad ones in between.

#include "busy_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Bad arguments

static float DrawBad(TestRandom* random)
{
	static const float bad[] = {NAN, INFINITY, -INFINITY, 1.0e30f, -1.0e30f};
	return bad[TestRandomInt(random, 0, 4)];
}

// One of the values of a field is bad.
static const float* DrawBadField(TestRandom* random, const tnWorldDef* def)
{
	static float field[busyCells];
	for (int i = 0; i < busyCells; ++i)
	{
		field[i] = TestRandomFloat(random, 0.0f, 1.0f);
	}
	field[TestRandomInt(random, 0, def->columnCount * def->rowCount - 1)] = DrawBad(random);
	return field;
}

enum
{
	worldCallCount = 22,
	layerCallCount = 17,
	bodyCallCount = 11,
	queryCallCount = 15,
};

static tnResult ChangeWorldBadly(BusyWorld* busy, TestRandom* random, int call)
{
	tnWorld* world = busy->world;
	const tnWorldDef* def = &busy->def;
	const float bad = DrawBad(random);
	const tnVec2 inside = {def->origin.x + 0.5f * busy->width, def->origin.z + 0.5f * busy->height};
	const tnVec2 outside = {bad, inside.z};
	const float* field = DrawBadField(random, def);
	tnSourceDef source = tnDefaultSourceDef();
	tnSourceId sourceId;
	tnBrush brush = tnDefaultBrush();
	brush.center = inside;
	tnEdgeDef edges[tn_sideCount];
	memcpy(edges, def->edges, sizeof(edges));
	const tnCurvePoint curve[2] = {{0.0f, 1.0f}, {1.0f, bad}};
	switch (call)
	{
		case 0:
			return tnWorld_Step(world, bad);
		case 1:
			return tnWorld_SetMethod(world, (tnMethod)TestRandomInt(random, tn_methodCount, 100), def->advection);
		case 2:
			return tnWorld_SetMethod(world, def->method, (tnAdvection)TestRandomInt(random, tn_advectionCount, 100));
		case 3:
			return tnWorld_SetVorticityConfinement(world, bad);
		case 4:
			return tnWorld_SetTerrain(world, field);
		case 5:
			return tnWorld_SetTerrainBlock(world, TestRandomInt(random, 0, 50), 0, def->columnCount + 1, 1, field);
		case 6:
			return tnWorld_SetDepths(world, field);
		case 7:
			return tnWorld_FillToLevel(world, bad);
		case 8:
			return tnWorld_SetVelocities(world, field, field);
		case 9:
			return tnWorld_SetTracer(world, def->tracerCount > 0 ? 0 : 1, field);
		case 10:
			return tnWorld_SetAcceleration(world, (tnVec2){bad, 0.0f});
		case 11:
			edges[TestRandomInt(random, 0, 3)].kind = (tnEdgeKind)TestRandomInt(random, tn_edgeKindCount, 99);
			return tnWorld_SetEdges(world, edges);
		case 12:
			edges[0].level = bad;
			edges[0].kind = edges[1].kind == tn_wrapEdge ? tn_wrapEdge : tn_levelEdge;
			edges[0].inflow = edges[0].tideAmplitude = bad;
			return tnWorld_SetEdge(world, tn_west, edges[0].kind == tn_wrapEdge ? NULL : edges);
		case 13:
			return tnWorld_SetEdgeCurve(world, (tnSide)TestRandomInt(random, 0, 3), curve, 2);
		case 14:
			brush.amount = bad;
			return tnWorld_EditTerrain(world, &brush);
		case 15:
			brush.radius = IsBusyChance(random, 2) ? bad : -1.0f;
			return tnWorld_EditTerrain(world, &brush);
		case 16:
			return IsBusyChance(random, 2) ? tnWorld_AddWater(world, outside, 1.0f, 1.0f, NULL)
										   : tnWorld_AddWater(world, inside, 1.0e-3f, bad, NULL);
		case 17:
			return tnWorld_AddImpulse(world, inside, 1.0f, (tnVec2){0.0f, bad});
		case 18:
			return tnWorld_AddTracer(world, IsBusyChance(random, 2) ? 0 : 9, inside, 1.0f, bad);
		case 19:
			return IsBusyChance(random, 2) ? tnWorld_SetRain(world, bad, NULL) : tnWorld_SetRain(world, 1.0f, field);
		case 20:
			return IsBusyChance(random, 2) ? tnWorld_SetEvaporation(world, bad, NULL)
										   : tnWorld_SetInfiltration(world, bad, NULL);
		default:
			source.center = inside;
			source.radius = 0.0f;
			source.level = source.rate = bad;
			return IsBusyChance(random, 2) ? tnWorld_CreateSource(world, &source, &sourceId)
										   : tnWorld_SetSource(world, (tnSourceId){3, 77}, &source);
	}
}

static tnResult ChangeLayerBadly(BusyWorld* busy, TestRandom* random, int call)
{
	tnWorld* world = busy->world;
	const tnWorldDef* def = &busy->def;
	const float bad = DrawBad(random);
	const tnVec2 inside = {def->origin.x + 0.5f * busy->width, def->origin.z + 0.5f * busy->height};
	tnInterestDef interest = tnDefaultInterestDef();
	interest.reach = bad;
	tnInterestId interestId;
	tnWaveEllipse ellipse = {inside, {1.0f, 0.0f}, {1.0f, 1.0f}, 0.1f};
	tnWaveDrop drops[2] = {{inside, 0.1f}, {inside, bad}};
	tnSwell swells[2] = {{{1.0f, 0.0f}, 0.1f, 1.5f, 0.0f}, {{bad, 0.0f}, 0.1f, 2.0f, 0.0f}};
	tnJetDef jet = tnDefaultJetDef();
	jet.position = (tnVec3){inside.x, 3.0f, bad};
	tnJetId jetId;
	switch (call)
	{
		case 0:
			return tnWorld_CreateInterest(world, &interest, &interestId);
		case 1:
			return tnWorld_SetInterest(world, busy->interest, &interest);
		case 2:
			return tnWorld_DestroyInterest(world, (tnInterestId){7, 99});
		case 3:
			ellipse.height = bad;
			return tnWorld_AddWave(world, NULL, &ellipse);
		case 4:
		{
			const tnWaveEllipse good = ellipse;
			ellipse.radii.x = 0.0f;
			return tnWorld_AddWave(world, &good, &ellipse);
		}
		case 5:
			return tnWorld_AddDrops(world, drops, 2);
		case 6:
			return tnWorld_AddDrops(world, NULL, 3);
		case 7:
			return tnWorld_AddWaveField(world, 0, 0, 4, 4, NULL, (const float[16]){0.1f, [15] = bad});
		case 8:
			return tnWorld_AddWaveField(world, -1, 0, 2, 2, NULL, NULL);
		case 9:
			return tnWorld_SetSwell(world, swells, 2);
		case 10:
			// Of a length that no band holds.
			swells[0].period = IsBusyChance(random, 2) ? 1.0e-3f : 1.0e4f;
			return tnWorld_SetSwell(world, swells, 1);
		case 11:
			return tnWorld_SetSwell(world, swells, TN_MAX_SWELLS + 1);
		case 12:
			if (IsBusyChance(random, 2))
			{
				tnSpectrumDef sea = tnDefaultSpectrumDef();
				float* fields[3] = {&sea.significantHeight, &sea.peakPeriod, &sea.spread};
				*fields[TestRandomInt(random, 0, 2)] = bad;
				return tnWorld_SetSpectrum(world, &sea);
			}
			return tnWorld_SetWind(world, (tnVec2){0.0f, bad});
		case 13:
			return tnWorld_SetWaveDamping(world, IsBusyChance(random, 2) ? bad : -1.0f);
		case 14:
			return tnWorld_CreateJet(world, &jet, &jetId);
		case 15:
			return tnWorld_SetJet(world, busy->jet, &jet);
		default:
			return tnWorld_AddFoam(world, inside, 1.0f, IsBusyChance(random, 2) ? bad : -1.0f);
	}
}

static tnResult ChangeBodiesBadly(BusyWorld* busy, TestRandom* random, int call)
{
	tnWorld* world = busy->world;
	const float bad = DrawBad(random);
	tnShapeDef shapes[2] = {tnDefaultShapeDef(), tnDefaultShapeDef()};
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shapes;
	def.shapeCount = 2;
	tnBodyId id;
	const tnBodyId known = busy->bodyCount > 0 ? busy->bodies[0] : (tnBodyId){0};
	const tnVec3 zero = {0.0f, 0.0f, 0.0f};
	tnPose pose = def.pose;
	switch (call)
	{
		case 0:
			shapes[1].halfExtents.y = bad;
			return tnWorld_CreateBody(world, &def, &id);
		case 1:
			shapes[1].kind = tn_hullShape;
			return tnWorld_CreateBody(world, &def, &id);
		case 2:
			// An open mesh.
			{
				const tnVec3 points[3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
				const int32_t triangles[3] = {0, 1, 2};
				shapes[1].kind = tn_meshShape;
				shapes[1].points = points;
				shapes[1].pointCount = 3;
				shapes[1].triangles = triangles;
				shapes[1].triangleCount = 1;
				return tnWorld_CreateBody(world, &def, &id);
			}
		case 3:
			def.mass = IsBusyChance(random, 2) ? 0.0f : NAN;
			return tnWorld_CreateBody(world, &def, &id);
		case 4:
			def.suction = bad;
			return tnWorld_CreateBody(world, &def, &id);
		case 5:
			return tnWorld_CreateBody(world, &def, NULL);
		case 6:
			return tnWorld_DestroyBody(world, (tnBodyId){1, 1234});
		case 7:
			pose.position.x = bad;
			return tnWorld_MoveBody(world, known, &pose, zero, zero);
		case 8:
			return tnWorld_MoveBody(world, known, &pose, (tnVec3){0.0f, bad, 0.0f}, zero);
		case 9:
			pose.rotation = (tnQuat){0.0f, 0.0f, 0.0f, 0.0f};
			return tnWorld_MoveBody(world, known, &pose, zero, zero);
		default:
			return tnWorld_SetBodyMode(world, known, (tnBodyMode)TestRandomInt(random, tn_bodyModeCount, 99));
	}
}

static tnResult AskBadly(BusyWorld* busy, TestRandom* random, int call)
{
	tnWorld* world = busy->world;
	const float bad = DrawBad(random);
	tnRegionDef region = tnDefaultRegionDef();
	region.extent.x = bad;
	tnRegionId regionId;
	tnRegionState regionState;
	tnGaugeId gauge;
	tnGaugeState gaugeState;
	const tnVec2 places[2] = {{busy->def.origin.x, busy->def.origin.z}, {NAN, 0.0f}};
	tnSample samples[2];
	tnRayHit hit;
	tnSound sound;
	int count = 0;
	switch (call)
	{
		case 0:
			return tnWorld_CreateRegion(world, &region, &regionId);
		case 1:
			return tnWorld_DestroyRegion(world, (tnRegionId){1, 99});
		case 2:
			return tnWorld_GetRegionState(world, (tnRegionId){0}, &regionState);
		case 3:
			return tnWorld_MeasureRegion(world, &region, &regionState);
		case 4:
			return tnWorld_CreateGauge(world, (tnVec2){bad, 0.0f}, &gauge);
		case 5:
			return tnWorld_DestroyGauge(world, (tnGaugeId){1, 99});
		case 6:
			return tnWorld_GetGaugeState(world, (tnGaugeId){0}, &gaugeState);
		case 7:
			return tnWorld_ResetGauge(world, (tnGaugeId){4, 4});
		case 8:
			return tnWorld_SampleMany(world, places, 2, samples);
		case 9:
			return tnWorld_CastRay(world, (tnVec3){0.0f, bad, 0.0f}, (tnVec3){0.0f, -1.0f, 0.0f}, NAN, &hit);
		case 10:
			return tnWorld_CopySurface(world, bad, NULL);
		case 11:
			return tnWorld_CopyAwake(world, NULL);
		case 12:
			return tnWorld_GetSounds(world, &sound, 0, &count);
		case 13:
			return tnWorld_GetWaveTile(world, 1 << 20, &(tnWaveTileView){0});
		default:
			return tnWorld_SampleWaves(world, (tnVec2){NAN, 0.0f}, &(tnWaveSample){0});
	}
}

static tnResult CallBadly(BusyWorld* busy, TestRandom* random, int* call)
{
	int at = TestRandomInt(random, 0, worldCallCount + layerCallCount + bodyCallCount + queryCallCount - 1);
	*call = at;
	if (at < worldCallCount)
	{
		return ChangeWorldBadly(busy, random, at);
	}
	at -= worldCallCount;
	if (at < layerCallCount)
	{
		return ChangeLayerBadly(busy, random, at);
	}
	at -= layerCallCount;
	return at < bodyCallCount ? ChangeBodiesBadly(busy, random, at) : AskBadly(busy, random, at - bodyCallCount);
}

static int RefusedCallsChangeNothing(void)
{
	for (int seed = 1; seed <= TEST_REPEATS(20); ++seed)
	{
		BusyWorld twins[2];
		TestRandom random = TestMakeRandom((uint64_t)(seed + 5000));
		for (int i = 0; i < 2; ++i)
		{
			ENSURE(MakeBusyWorld(twins + i, (uint64_t)seed, 1, false));
		}
		for (int step = 0; step < 12; ++step)
		{
			for (int i = 0; i < 30; ++i)
			{
				const uint64_t hash = tnWorld_GetHash(twins[0].world);
				int call;
				const tnResult result = CallBadly(twins, &random, &call);
				if (result.status == tn_ok || tnWorld_GetHash(twins[0].world) != hash)
				{
					printf("seed %d, step %d, call %d: status %d\n", seed, step, call, (int)result.status);
				}
				ENSURE(result.status != tn_ok);
				ENSURE_EQUAL_HEX(tnWorld_GetHash(twins[0].world), hash);
			}
			for (int i = 0; i < 2; ++i)
			{
				ENSURE_OK(StepBusyWorld(twins + i));
			}
			ENSURE_EQUAL_HEX(tnWorld_GetHash(twins[0].world), tnWorld_GetHash(twins[1].world));
		}
		for (int i = 0; i < 2; ++i)
		{
			tnDestroyWorld(twins[i].world);
		}
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory

static tnResult CallThatAllocates(BusyWorld* busy, TestRandom* random)
{
	tnWorld* world = busy->world;
	const tnVec2 inside = {busy->def.origin.x + 0.5f * busy->width, busy->def.origin.z + 0.5f * busy->height};
	static float field[busyCells];
	for (int i = 0; i < busyCells; ++i)
	{
		field[i] = TestRandomFloat(random, 0.0f, 1.0e-2f);
	}
	const tnCurvePoint curve[2] = {{0.0f, 1.0f}, {10.0f, 1.1f}};
	switch (TestRandomInt(random, 0, 12))
	{
		case 0:
		{
			tnSourceDef source = tnDefaultSourceDef();
			source.center = inside;
			tnSourceId id;
			return tnWorld_CreateSource(world, &source, &id);
		}
		case 1:
		{
			tnInterestDef interest = tnDefaultInterestDef();
			interest.position = inside;
			tnInterestId id;
			return tnWorld_CreateInterest(world, &interest, &id);
		}
		case 2:
		{
			tnJetDef jet = tnDefaultJetDef();
			jet.position = (tnVec3){inside.x, 3.0f, inside.z};
			tnJetId id;
			return tnWorld_CreateJet(world, &jet, &id);
		}
		case 3:
		{
			tnRegionDef region = tnDefaultRegionDef();
			region.center = inside;
			tnRegionId id;
			return tnWorld_CreateRegion(world, &region, &id);
		}
		case 4:
		{
			tnGaugeId id;
			return tnWorld_CreateGauge(world, inside, &id);
		}
		case 5:
			return tnWorld_SetMethod(world, (tnMethod)TestRandomInt(random, 0, tn_methodCount - 1),
				(tnAdvection)TestRandomInt(random, 0, tn_advectionCount - 1));
		case 6:
			return tnWorld_SetVorticityConfinement(world, TestRandomFloat(random, 0.0f, 1.0f));
		case 7:
			return tnWorld_SetRain(world, 1.0e-3f, field);
		case 8:
			return tnWorld_SetEdgeCurve(world, (tnSide)TestRandomInt(random, 0, 3), curve, 2);
		case 9:
			return tnWorld_AddWaveField(world, 0, 0, 4, 4, field, field);
		case 10:
		{
			tnBrush brush = tnDefaultBrush();
			brush.center = inside;
			brush.amount = 0.1f;
			return tnWorld_EditTerrain(world, &brush);
		}
		case 11:
		{
			tnShapeDef shape = tnDefaultShapeDef();
			tnBodyDef body = tnDefaultBodyDef();
			body.shapes = &shape;
			body.shapeCount = 1;
			body.pose.position = (tnVec3){inside.x, 1.0f, inside.z};
			tnBodyId id;
			return tnWorld_CreateBody(world, &body, &id);
		}
		default:
		{
			tnSound sound;
			int count;
			return tnWorld_GetSounds(world, &sound, 1, &count);
		}
	}
}

static int FailedAllocationsChangeNothing(void)
{
	int failedCount = 0;
	for (int seed = 1; seed <= TEST_REPEATS(24); ++seed)
	{
		TestAllocator allocators[2] = {0};
		BusyWorld twins[2];
		TestRandom random = TestMakeRandom((uint64_t)(seed + 9000));
		for (int i = 0; i < 2; ++i)
		{
			ENSURE(MakeBusyWorldWith(twins + i, (uint64_t)(seed + 100), 1, false, TestGetAllocator(allocators + i)));
		}
		for (int step = 0; step < 12; ++step)
		{
			for (int i = 0; i < 12; ++i)
			{
				const uint64_t hash = tnWorld_GetHash(twins[0].world);
				allocators[0].failIn = TestRandomInt(&random, 1, IsBusyChance(&random, 2) ? 2 : 16);
				TestRandom again = random;
				const tnResult result = CallThatAllocates(twins, &random);
				allocators[0].failIn = 0;
				if (result.status != tn_ok)
				{
					failedCount += result.status == tn_outOfMemory;
					ENSURE_EQUAL_HEX(tnWorld_GetHash(twins[0].world), hash);
				}
				else
				{
					ENSURE_OK(CallThatAllocates(twins + 1, &again));
				}
			}
			for (int i = 0; i < 2; ++i)
			{
				ENSURE_OK(StepBusyWorld(twins + i));
			}
			ENSURE_EQUAL_HEX(tnWorld_GetHash(twins[0].world), tnWorld_GetHash(twins[1].world));
		}
		for (int i = 0; i < 2; ++i)
		{
			tnDestroyWorld(twins[i].world);
			ENSURE(allocators[i].liveBytes == 0 && allocators[i].badFreeCount == 0);
		}
	}
	ENSURE(failedCount > 20);
	return 0;
}

static const Test s_tests[] = {
	{"RefusedCallsChangeNothing", RefusedCallsChangeNothing},
	{"FailedAllocationsChangeNothing", FailedAllocationsChangeNothing},
};

const TestSuite refusalsSuite = TEST_SUITE("refusals", s_tests);

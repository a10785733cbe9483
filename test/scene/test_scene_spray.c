// SPDX-License-Identifier: MIT

// Spray in scene files: what is read, what is refused, and what flies.

#include "bodies/scene_bodies.h"
#include "harness.h"
#include "scene_play.h"
#include "tarn/spray.h"

#include <math.h>
#include <stdio.h>

// Dry ground of 21.5 x 15.5 m, where nothing falls but what a jet throws.
#define GROUND "{\"world\": {\"columns\": 43, \"rows\": 31, \"cellSize\": 0.5}, \"timeStep\": 0.02, "

static int AllValuesArrive(void)
{
	tnsResult result;
	tnsScene* scene = Parse("{\"spray\": {}}", &result);
	ENSURE_TEXT(result.text, "");
	const tnSprayDef standard = tnDefaultWorldDef().spray;
	tnSprayDef def = tnsScene_GetInfo(scene)->worldDef.spray;
	ENSURE(def.enable);
	ENSURE_EQUAL_INT(def.capacity, standard.capacity);
	ENSURE_CLOSE(def.ledgeHeight, standard.ledgeHeight, 0.0);
	ENSURE_CLOSE(def.breakingSlope, standard.breakingSlope, 0.0);
	ENSURE_CLOSE(def.drag, standard.drag, 0.0);
	tnsDestroyScene(scene);

	scene = Parse("{\"spray\": {\"enable\": true, \"capacity\": 77, \"ledgeHeight\": 2.5, \"breakingSlope\": 0.5, "
				  "\"drag\": 0.25, "
				  "\"slamSpeed\": 1.75, \"wind\": [3, -4]}}",
		&result);
	ENSURE_TEXT(result.text, "");
	def = tnsScene_GetInfo(scene)->worldDef.spray;
	ENSURE(def.enable);
	ENSURE_EQUAL_INT(def.capacity, 77);
	ENSURE_CLOSE(def.ledgeHeight, 2.5, 0.0);
	ENSURE_CLOSE(def.breakingSlope, 0.5, 0.0);
	ENSURE_CLOSE(def.drag, 0.25, 0.0);
	ENSURE_CLOSE(def.slamSpeed, 1.75, 0.0);
	ENSURE_CLOSE(def.wind.x, 3.0, 0.0);
	ENSURE_CLOSE(def.wind.z, -4.0, 0.0);
	tnsDestroyScene(scene);

	scene = Parse("{\"foam\": {\"lifetime\": 3, \"strength\": 0.5}}", &result);
	ENSURE_TEXT(result.text, "");
	const tnFoamDef foam = tnsScene_GetInfo(scene)->worldDef.foam;
	ENSURE(foam.enable);
	ENSURE_CLOSE(foam.lifetime, 3.0, 0.0);
	ENSURE_CLOSE(foam.strength, 0.5, 0.0);
	tnsDestroyScene(scene);

	// Without the key, or switched off, there is no layer.
	const char* without[] = {"{}", "{\"spray\": {\"enable\": false}}"};
	for (int i = 0; i < 2; ++i)
	{
		scene = Parse(without[i], &result);
		ENSURE_TEXT(result.text, "");
		ENSURE(tnsScene_GetInfo(scene)->worldDef.spray.enable == false);
		ENSURE(tnsScene_GetInfo(scene)->worldDef.foam.enable == false);
		tnsDestroyScene(scene);
	}
	return 0;
}

static int WrongSpray(void)
{
	static const struct
	{
		const char* text;
		const char* error;
	} cases[] = {
		{"{\"spray\": 1}", "s.json:1:11: spray must be an object, got 1"},
		{"{\"foam\": []}", "s.json:1:10: foam must be an object"},
		{"{\"foam\": {\"lifetime\": 0}}", "lifetime"},
		{"{\"foam\": {\"strength\": -1}}", "strength"},
		{"{\"spray\": {\"drags\": 1}}", "s.json:1:12: unknown key \"drags\" in spray; did you mean \"drag\"?"},
		{"{\"spray\": {\"enable\": 1}}", "s.json:1:22: enable must be true or false, got 1"},
		{"{\"spray\": {\"capacity\": 15}}", "s.json:1:24: capacity must be a whole number from 16 to 1048576, got 15"},
		{"{\"spray\": {\"ledgeHeight\": 0}}", "s.json:1:27: ledgeHeight must be a number from 0.01 to"},
		{"{\"spray\": {\"breakingSlope\": 11}}", "s.json:1:29: breakingSlope must be a number from 0 to 10, got 11"},
		{"{\"spray\": {\"drag\": -1}}", "s.json:1:20: drag must be a number from 0 to 100, got -1"},
		{"{\"spray\": {\"slamSpeed\": -1}}", "s.json:1:25: slamSpeed must be a number from 0 to 1000, got -1"},
		{"{\"spray\": {\"wind\": [0, 101]}}", "s.json:1:24: wind must be a number from -100 to 100, got 101"},
		{"{\"jets\": []}", "s.json:1:10: jets need a scene with \"spray\""},
		{"{\"spray\": {\"enable\": false}, \"jets\": []}", "s.json:1:38: jets need a scene with \"spray\""},
		{"{\"spray\": {}, \"jets\": {}}", "s.json:1:23: jets must be an array"},
		{"{\"spray\": {}, \"jets\": [1]}", "s.json:1:24: a jet must be an object, got 1"},
		{"{\"spray\": {}, \"jets\": [{\"velocity\": [1, 2, 3]}]}", "s.json:1:24: a jet needs \"position\""},
		{"{\"spray\": {}, \"jets\": [{\"position\": [1, 2, 3]}]}", "s.json:1:24: a jet needs \"velocity\""},
		{"{\"spray\": {}, \"jets\": [{\"position\": [1, 2]}]}", "s.json:1:37: position must be an array of 3 numbers"},
		{"{\"spray\": {}, \"jets\": [{\"velocity\": [1, 2, 201]}]}",
			"s.json:1:44: velocity must be a number from -200 to 200, got 201"},
		{"{\"spray\": {}, \"jets\": [{\"rate\": -1}]}", "s.json:1:33: rate must be a number from 0 to 1000, got -1"},
		{"{\"spray\": {}, \"jets\": [{\"radius\": 11}]}", "s.json:1:35: radius must be a number from 0 to 10, got 11"},
		{"{\"spray\": {}, \"jets\": [{\"spread\": 2}]}", "s.json:1:35: spread must be a number from 0 to 1, got 2"},
		{"{\"spray\": {}, \"jets\": [{\"position\": [1, 2, 3], \"velocity\": [0, 0, 0], \"start\": 2, \"stop\": 2}]}",
			"s.json:1:24: stop must be later than start, got 2 and 2"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		tnsResult result;
		ENSURE(Parse(cases[i].text, &result) == NULL);
		ENSURE_EQUAL_INT(result.status, tns_badScene);
		ENSURE_TEXT(result.text, cases[i].error);
	}
	return 0;
}

// What a jet has thrown since the beginning, m^3: all of it is in the air or on the ground.
static double GetThrown(tnWorld* world)
{
	const tnLedger ledger = tnWorld_GetLedger(world);
	return ledger.airborne + ledger.volume;
}

// A jet is on from its beginning to its end, with its rate.
static int JetsBeginAndEnd(void)
{
	Play play;
	ENSURE(Start(GROUND "\"spray\": {\"drag\": 0, \"slamSpeed\": 1000}, \"jets\": [{\"position\": [4, 1, 7.5], "
						"\"velocity\": [6, 5, 0], \"rate\": 0.5, "
						"\"radius\": 0.1, \"spread\": 0.05, \"start\": 0.4, \"stop\": 1.4}]}",
			   2, &play) == 0);
	ENSURE(Run(&play, 0.4) == 0);
	ENSURE_EQUAL_INT(tnWorld_GetSpray(play.world).count, 0);
	ENSURE(Run(&play, 0.5) == 0);
	ENSURE(tnWorld_GetSpray(play.world).count > 0);
	// Steps are the resolution of time.
	ENSURE_CLOSE(GetThrown(play.world), 0.5 * 0.5, 0.5 * 0.02 + 1.0e-6);
	ENSURE(Run(&play, 0.5) == 0);
	const double thrown = GetThrown(play.world);
	ENSURE_CLOSE(thrown, 0.5, 0.5 * 0.02 + 1.0e-6);
	// 5 m/s upwards from 1 m: on the ground after 1.19 s.
	ENSURE(Run(&play, 1.6) == 0);
	ENSURE_EQUAL_INT(tnWorld_GetSpray(play.world).count, 0);
	ENSURE_CLOSE(tnWorld_GetLedger(play.world).volume, thrown, 1.0e-6);
	Stop(&play);
	return 0;
}

// The water of the falls in the air, and the same bits whoever counts.
static int ThreeFalls(void)
{
	tnsResult result;
	tnsScene* scene = tnsLoadScene(TARN_SOURCE_FOLDER "/scenes/three_falls.json", &result);
	ENSURE_TEXT(result.text, "");
	uint64_t hashes[2];
	for (int i = 0; i < 2; ++i)
	{
		tnsOverrides overrides = tnsDefaultOverrides();
		overrides.workerCount = i == 0 ? 1 : 3;
		overrides.simd = i == 0 ? tn_simdScalar : tn_simdAuto;
		tnsRun* run = NULL;
		ENSURE_EQUAL_INT(tnsStartScene(scene, &overrides, &run).status, tns_ok);
		for (int step = 0; step < 180; ++step)
		{
			ENSURE_EQUAL_INT(tnsRun_Step(run).status, tns_ok);
		}
		tnWorld* world = tnsRun_GetWorld(run);
		const tnSprayStats stats = tnWorld_GetSprayStats(world);
		printf("%d particles, %.3f m^3 in the air, %lld joined others\n", stats.particleCount, stats.airborne,
			(long long)stats.mergedCount);
		// Each of the three levels has water in the air above it.
		int counts[3] = {0};
		const tnSprayView spray = tnWorld_GetSpray(world);
		for (int k = 0; k < spray.count; ++k)
		{
			const float y = spray.particles[k].position.y;
			counts[y > 14.0f ? 0 : (y > 7.5f ? 1 : 2)] += 1;
		}
		ENSURE(counts[0] > 100 && counts[1] > 100 && counts[2] > 100);
		ENSURE_EQUAL_INT((int)stats.mergedCount, 0);
		hashes[i] = tnWorld_GetHash(world);
		tnsDestroyRun(run);
	}
	ENSURE_EQUAL_HEX(hashes[0], hashes[1]);
	tnsDestroyScene(scene);
	return 0;
}

// Runs a scene for so many steps. NULL if that fails.
static tnsRun* RunScene(tnsScene* scene, int workers, int steps)
{
	tnsOverrides overrides = tnsDefaultOverrides();
	overrides.workerCount = workers;
	tnsRun* run = NULL;
	bool ok = tnsStartScene(scene, &overrides, &run).status == tns_ok;
	for (int step = 0; step < steps && ok; ++step)
	{
		ok = tnsRun_Step(run).status == tns_ok;
	}
	if (ok == false)
	{
		tnsDestroyRun(run);
		return NULL;
	}
	return run;
}

// A hose drives crates off the quay; before it plays they stand.
static int FirehosePushesCrates(void)
{
	tnsResult result;
	tnsScene* scene = tnsLoadScene(TARN_SOURCE_FOLDER "/scenes/firehose.json", &result);
	ENSURE_TEXT(result.text, "");
	static const int steps[2] = {60, 1080};
	int counts[2] = {0};
	for (int i = 0; i < 2; ++i)
	{
		tnsRun* run = RunScene(scene, 2, steps[i]);
		ENSURE(run != NULL);
		tnWorld* world = tnsRun_GetWorld(run);
		tnBodyId ids[32];
		const int bodyCount = tnWorld_GetBodies(world, ids, 32);
		// The first nine are the crates, at x = 16.6; the quay ends at 18.5.
		ENSURE(bodyCount > 9);
		for (int k = 0; k < 9; ++k)
		{
			tnBodyState state;
			ENSURE_EQUAL_INT(tnWorld_GetBodyState(world, ids[k], &state).status, tn_ok);
			counts[i] += state.pose.position.x > 18.5f ? 1 : 0;
		}
		const tnLedger ledger = tnWorld_GetLedger(world);
		ENSURE(fabs(ledger.drift) < 1.0e-6 * ledger.volume);
		tnsDestroyRun(run);
	}
	printf("%d crates off the quay\n", counts[1]);
	ENSURE_EQUAL_INT(counts[0], 0);
	ENSURE(tnsHavePhysics() == false || counts[1] >= 3);
	tnsDestroyScene(scene);
	return 0;
}

// A boulder of 4 m^3 at the most throws 0.15 of that at the most, and no higher than it was; the same bits for all workers.
static int BouldersThrowCrowns(void)
{
	tnsResult result;
	tnsScene* scene = tnsLoadScene(TARN_SOURCE_FOLDER "/scenes/boulder.json", &result);
	ENSURE_TEXT(result.text, "");
	uint64_t hashes[2];
	for (int i = 0; i < 2; ++i)
	{
		tnsRun* run = RunScene(scene, i == 0 ? 1 : 3, 185);
		ENSURE(run != NULL);
		tnWorld* world = tnsRun_GetWorld(run);
		const tnSprayView spray = tnWorld_GetSpray(world);
		double volume = 0.0;
		float highest = 0.0f;
		for (int k = 0; k < spray.count; ++k)
		{
			// Its rings break, too.
			if (spray.particles[k].kind == tn_splashSpray)
			{
				volume += (double)spray.particles[k].volume;
				highest = fmaxf(highest, spray.particles[k].position.y);
			}
		}
		printf("%d particles, %.3f m^3, %.1f m high\n", spray.count, volume, (double)highest);
		ENSURE(tnsHavePhysics() == false || (volume > 0.1 && volume < 0.15 * 4.0 && highest > 2.0f && highest < 12.0f));
		hashes[i] = tnWorld_GetHash(world);
		tnsDestroyRun(run);
	}
	ENSURE_EQUAL_HEX(hashes[0], hashes[1]);
	tnsDestroyScene(scene);
	return 0;
}

static int CountKind(const tnWorld* world, tnSprayKind kind)
{
	const tnSprayView view = tnWorld_GetSpray(world);
	int count = 0;
	for (int i = 0; i < view.count; ++i)
	{
		count += view.particles[i].kind == kind;
	}
	return count;
}

// Waves break on the beach, and the burst dam has water fall and break; the same bits whoever counts.
static int BreakersAndBursts(void)
{
	static const char* const files[2] = {
		TARN_SOURCE_FOLDER "/scenes/beach_breaking.json", TARN_SOURCE_FOLDER "/scenes/dam_burst.json"};
	static const int stepCounts[2] = {480, 180};
	for (int i = 0; i < 2; ++i)
	{
		tnsResult result;
		tnsScene* scene = tnsLoadScene(files[i], &result);
		ENSURE_TEXT(result.text, "");
		uint64_t hashes[2];
		// The dam alone is counted twice if a quarter is enough.
		const int first = TEST_BREVITY > 1 && i == 0 ? 1 : 0;
		for (int k = first; k < 2; ++k)
		{
			tnsOverrides overrides = tnsDefaultOverrides();
			overrides.workerCount = k == 0 ? 1 : 3;
			overrides.simd = k == 0 ? tn_simdScalar : tn_simdAuto;
			tnsRun* run = NULL;
			ENSURE_EQUAL_INT(tnsStartScene(scene, &overrides, &run).status, tns_ok);
			tnWorld* world = tnsRun_GetWorld(run);
			int breaking = 0, falling = 0;
			for (int step = 0; step < stepCounts[i]; ++step)
			{
				ENSURE_EQUAL_INT(tnsRun_Step(run).status, tns_ok);
				breaking = (int)fmax(breaking, CountKind(world, tn_breakingSpray));
				falling = (int)fmax(falling, CountKind(world, tn_fallingSpray));
			}
			const tnLedger ledger = tnWorld_GetLedger(world);
			printf("at most %d from crests, %d from ledges; drift %.1e of the water\n", breaking, falling,
				ledger.drift / ledger.volume);
			ENSURE(breaking > 300 && (falling > 1000) == (i == 1));
			ENSURE(fabs(ledger.drift) < 1.0e-6 * ledger.volume);
			ENSURE_EQUAL_INT((int)tnWorld_GetSprayStats(world).mergedCount, 0);
			hashes[k] = tnWorld_GetHash(world);
			tnsDestroyRun(run);
		}
		ENSURE_EQUAL_HEX(hashes[first], hashes[1]);
		tnsDestroyScene(scene);
	}
	return 0;
}

static const Test s_tests[] = {
	{"AllValuesArrive", AllValuesArrive},
	{"WrongSpray", WrongSpray},
	{"JetsBeginAndEnd", JetsBeginAndEnd},
	{"ThreeFalls", ThreeFalls},
	{"FirehosePushesCrates", FirehosePushesCrates},
	{"BouldersThrowCrowns", BouldersThrowCrowns},
	{"BreakersAndBursts", BreakersAndBursts},
};

const TestSuite scene_spraySuite = TEST_SUITE("scene_spray", s_tests);

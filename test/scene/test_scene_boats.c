// SPDX-License-Identifier: MIT

// Boats in scene files, and what a player does with them: holes, pumps, people on board.

#include "bodies/scene_bodies.h"
#include "harness.h"
#include "scene_play.h"

#include <math.h>
#include <stdio.h>

// A boat of 3 x 1.4 m with sides of 0.6 m, on 2 m of water.
#define BOAT                                                                               \
	"\"shape\": \"compound\", \"density\": 1200, \"position\": [8, 2.1, 8], \"shapes\": [" \
	"{\"shape\": \"box\", \"size\": [3, 0.1, 1.4], \"position\": [0, -0.3, 0]}, "          \
	"{\"shape\": \"box\", \"size\": [0.1, 0.6, 1.4], \"position\": [1.45, 0.05, 0]}, "     \
	"{\"shape\": \"box\", \"size\": [0.1, 0.6, 1.4], \"position\": [-1.45, 0.05, 0]}, "    \
	"{\"shape\": \"box\", \"size\": [2.8, 0.6, 0.1], \"position\": [0, 0.05, 0.65]}, "     \
	"{\"shape\": \"box\", \"size\": [2.8, 0.6, 0.1], \"position\": [0, 0.05, -0.65]}]"
#define POND                                                                                                           \
	"{\"world\": {\"columns\": 33, \"rows\": 31, \"cellSize\": 0.5}, \"method\": \"shallow\", \"water\": {\"level\": " \
	"2}, \"bodies\": [{"

static tnHollowState GetHollow(const Play* play, int index)
{
	tnsBody body = {0};
	tnHollowState state = {.held = NAN};
	(void)tnsRun_GetBody(play->run, index, &body);
	(void)tnWorld_GetHollow(play->world, body.id, 0, &state);
	return state;
}

static double GetAllWater(const Play* play)
{
	const tnLedger ledger = tnWorld_GetLedger(play->world);
	return ledger.volume + ledger.held;
}

static int WrongKeys(void)
{
	static const struct
	{
		const char* keys;
		const char* error;
	} cases[] = {
		{"\"held\": 0.5", "held must be an array, got 0.5"},
		{"\"held\": [1.5]", "held must be a number from 0 to 1, got 1.5"},
		{"\"held\": [0, 0, 0, 0, 0, 0, 0, 0, 0]", "held must have at most 8 items, got 9"},
		{"\"hollows\": 1", "hollows must be true or false, got 1"},
		{"\"leaks\": [{}]", "a leak needs \"position\""},
		{"\"leaks\": [{\"position\": [0, 0, 0], \"area\": -1}]", "area must be a number from 0 to 1000000, got -1"},
		{"\"leaks\": [{\"position\": [0, 0, 0], \"discharge\": 2}]",
			"discharge must be a number from 0.01 to 1, got 2"},
		{"\"leaks\": [{\"position\": [0, 0, 0], \"to\": 0}]", "from and to must not be the same"},
		{"\"leaks\": [{\"position\": [0, 0, 0], \"to\": \"sea\"}]",
			"to must be the number of a hollow or \"outside\", got the string \"sea\""},
		{"\"leaks\": [{\"position\": [0, 0, 0], \"from\": 8}]", "from must be a whole number from 0 to 7, got 8"},
		{"\"pumps\": [{\"position\": [0, 0, 0], \"area\": 1}]", "unknown key \"area\" in a pump"},
		{"\"pumps\": [{\"position\": [0, 0, 0], \"rate\": \"much\"}]", "rate must be a number"},
		{"\"pumps\": {}", "pumps must be an array"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		char text[2048];
		snprintf(text, sizeof(text), "%s%s, %s}]}", POND, BOAT, cases[i].keys);
		tnsResult result;
		ENSURE(Parse(text, &result) == NULL);
		ENSURE_EQUAL_INT(result.status, tns_badScene);
		if (strstr(result.text, cases[i].error) == NULL)
		{
			printf("%s\n  instead of %s\n", result.text, cases[i].error);
			return 1;
		}
	}
	// What only the world can know.
	static const char* const late[] = {
		POND "\"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [8, 2, 8], \"held\": [0.5]}]}",
		POND BOAT ", \"hollows\": false, \"leaks\": [{\"position\": [0, -0.3, 0]}]}]}",
		POND BOAT ", \"pumps\": [{\"position\": [0, 0, 0], \"from\": 1}]}]}",
	};
	static const char* const errors[] = {
		"hollow must be in [0, 0)", "body must have a hollow", "from must be TN_OUTSIDE or a hollow in [0, 1), got 1"};
	for (int i = 0; i < 3; ++i)
	{
		tnsResult result;
		tnsRun* run = NULL;
		tnsScene* scene = Parse(late[i], &result);
		ENSURE_TEXT(result.text, "");
		result = tnsStartScene(scene, NULL, &run);
		ENSURE_EQUAL_INT(result.status, tns_worldError);
		ENSURE(strstr(result.text, "s.json:1:") == result.text && strstr(result.text, errors[i]) != NULL);
		ENSURE(run == NULL);
		tnsDestroyScene(scene);
	}
	return 0;
}

// Water at the start is there and is counted; a leak fills the boat, a pump empties it.
static int BoatsHoldLeakAndPump(void)
{
	Play play;
	ENSURE(Start(POND BOAT ", \"held\": [0.25], \"pumps\": [{\"position\": [0, 0.4, 0.7], \"rate\": 0.05}]}]}", 1,
			   &play) == 0);
	const double water = GetAllWater(&play);
	tnHollowState state = GetHollow(&play, 0);
	ENSURE_CLOSE(state.held, 0.25 * (double)state.volume, 1.0e-6);
	ENSURE(Run(&play, 1.0) == 0);
	const double held = GetHollow(&play, 0).held;
	ENSURE_CLOSE(held, 0.25 * (double)state.volume - 0.05, 0.002);
	ENSURE(Run(&play, 12.0) == 0);
	ENSURE(GetHollow(&play, 0).held < 0.002);
	ENSURE_CLOSE(GetAllWater(&play), water, 2.0e-5 * water);
	Stop(&play);

	ENSURE(Start(POND BOAT ", \"leaks\": [{\"position\": [0.2, -0.35, 0.1], \"area\": 0.02}]}]}", 1, &play) == 0);
	ENSURE(Run(&play, 10.0) == 0);
	state = GetHollow(&play, 0);
	// It draws less than 0.2 m: 0.6 * 0.02 * sqrt(2 g 0.2) is the most that comes in.
	ENSURE(state.held > 0.1 && state.held < 0.24);
	Stop(&play);
	return 0;
}

// Holes and pumps of a player: on, and off again at the same place.
static int PlayersHoleAndPump(void)
{
	Play play;
	ENSURE(Start(POND BOAT "}, {\"shape\": \"box\", \"size\": [0.5, 0.5, 0.5], \"position\": [3, 2, 3]}]}", 1, &play) ==
		0);
	ENSURE(Run(&play, 2.0) == 0);
	ENSURE(GetHollow(&play, 0).held < 1.0e-3);
	tnsBody boat;
	ENSURE(tnsRun_GetBody(play.run, 0, &boat));
	tnVec3 keel = boat.pose.position;
	keel.y -= 0.3f;
	bool done = false;
	ENSURE_EQUAL_INT(tnsRun_HoleBody(play.run, 0, keel, 0.03f, &done).status, tns_ok);
	ENSURE(done);
	ENSURE(Run(&play, 5.0) == 0);
	const double filled = GetHollow(&play, 0).held;
	ENSURE(filled > 0.1);
	ENSURE(tnsRun_GetBody(play.run, 0, &boat));
	keel = boat.pose.position;
	keel.y -= 0.3f;
	ENSURE_EQUAL_INT(tnsRun_HoleBody(play.run, 0, keel, 0.03f, &done).status, tns_ok);
	ENSURE(done == false);
	tnVec3 rail = boat.pose.position;
	rail.z += 0.7f;
	ENSURE_EQUAL_INT(tnsRun_PumpBody(play.run, 0, rail, 0.1f, &done).status, tns_ok);
	ENSURE(done);
	ENSURE(Run(&play, 1.0) == 0);
	const double pumped = GetHollow(&play, 0).held;
	ENSURE_CLOSE(filled - pumped, 0.1, 0.02);
	ENSURE_EQUAL_INT(tnsRun_PumpBody(play.run, 0, rail, 0.1f, &done).status, tns_ok);
	ENSURE(done == false);
	ENSURE(Run(&play, 1.0) == 0);
	ENSURE_CLOSE(GetHollow(&play, 0).held, pumped, 0.01);

	// Wrong ones are named, and nothing happens.
	ENSURE_TEXT(tnsRun_HoleBody(play.run, 7, keel, 0.01f, &done).text, "there is no body 7");
	ENSURE_TEXT(tnsRun_HoleBody(play.run, 1, keel, 0.01f, &done).text, "body 1 is not hollow");
	ENSURE_TEXT(tnsRun_PumpBody(play.run, 1, keel, 0.01f, &done).text, "body 1 is not hollow");
	ENSURE_EQUAL_INT(tnsRun_HoleBody(play.run, 0, (tnVec3){NAN, 0.0f, 0.0f}, 0.01f, &done).status, tns_invalidArgument);
	ENSURE(strstr(tnsRun_HoleBody(play.run, 0, keel, -1.0f, &done).text, "area must be in") != NULL);
	ENSURE(strstr(tnsRun_PumpBody(play.run, 0, keel, NAN, &done).text, "rate must be in") != NULL);
	for (int i = 0; i < TN_MAX_LEAKS; ++i)
	{
		const tnVec3 place = {boat.pose.position.x + 1.0f * (float)i, keel.y, keel.z};
		ENSURE_EQUAL_INT(tnsRun_HoleBody(play.run, 0, place, 0.0f, NULL).status, tns_ok);
	}
	keel.z += 5.0f;
	ENSURE_TEXT(tnsRun_HoleBody(play.run, 0, keel, 0.01f, &done).text, "a body can have at most 16 holes");
	Stop(&play);
	return 0;
}

// Height of a body in the mean over so many seconds: waves of a pond take long to die.
static double GetMeanHeight(const Play* play, int index, double seconds)
{
	double sum = 0.0;
	int count = 0;
	for (const double end = tnsRun_GetTime(play->run) + seconds; tnsRun_GetTime(play->run) < end; ++count)
	{
		tnsBody body = {0};
		if (tnsRun_Step(play->run).status != tns_ok || tnsRun_GetBody(play->run, index, &body) == false)
		{
			return NAN;
		}
		sum += (double)body.pose.position.y;
	}
	return sum / count;
}

// Who comes on board loads the boat: by weight over the area of the waterline. On their feet, and they stay on them.
static int PeopleLoadBoats(void)
{
	if (tnsHavePhysics() == false)
	{
		return 0;
	}
	Play play;
	ENSURE(Start(POND BOAT "}]}", 1, &play) == 0);
	ENSURE(Run(&play, 6.0) == 0);
	const double before = GetMeanHeight(&play, 0, 10.0);
	tnsBody boat;
	ENSURE(tnsRun_GetBody(play.run, 0, &boat));
	const tnVec3 place = boat.pose.position;
	int person = -1;
	ENSURE_CLOSE(tnsGetBodyKindSize(tns_person), 1.75, 0.0);
	ENSURE_CLOSE(tnsGetBodyKindSize(tns_crate), 0.0, 0.0);
	ENSURE_EQUAL_INT(tnsRun_AddBody(play.run, tns_person, place, 1.75f, &person).status, tns_ok);
	tnsBody body;
	ENSURE(tnsRun_GetBody(play.run, person, &body));
	ENSURE_CLOSE(body.mass, 75.0, 2.0);
	ENSURE(Run(&play, 20.0) == 0);
	const double after = GetMeanHeight(&play, 0, 10.0);
	ENSURE(tnsRun_GetBody(play.run, 0, &boat) && tnsRun_GetBody(play.run, person, &body));
	// 75 kg over 4.2 m^2 of water.
	ENSURE_CLOSE(before - after, (double)body.mass / (1000.0 * 3.0 * 1.4), 0.006);
	// On board: between the sides, standing on the floor, and upright.
	ENSURE(fabsf(body.pose.position.x - boat.pose.position.x) < 1.4f);
	ENSURE(fabsf(body.pose.position.z - boat.pose.position.z) < 0.6f);
	const tnQuat q = body.pose.rotation;
	ENSURE(1.0f - 2.0f * (q.x * q.x + q.z * q.z) > 0.9f);
	ENSURE(GetHollow(&play, 0).held < 1.0e-3);
	Stop(&play);
	return 0;
}

static const Test s_tests[] = {
	{"WrongKeys", WrongKeys},
	{"BoatsHoldLeakAndPump", BoatsHoldLeakAndPump},
	{"PlayersHoleAndPump", PlayersHoleAndPump},
	{"PeopleLoadBoats", PeopleLoadBoats},
};

const TestSuite scene_boatsSuite = TEST_SUITE("scene_boats", s_tests);

// SPDX-License-Identifier: MIT

// Bodies in scene files, and what a player does with them.

#include "bodies/scene_bodies.h"
#include "harness.h"
#include "scene_play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tnsBody GetBody(const Play* play, int index)
{
	tnsBody body = {0};
	body.mass = -1.0f;
	(void)tnsRun_GetBody(play->run, index, &body);
	return body;
}

// ---------------------------------------------------------------------------------------------------------------------
// Scene files

static int WrongBodies(void)
{
	static const struct
	{
		const char* text;
		const char* error;
	} cases[] = {
		{"{\"bodies\": 1}", "s.json:1:12: bodies must be an array, got 1"},
		{"{\"bodies\": [{}]}", "s.json:1:13: a body needs \"shape\""},
		{"{\"bodies\": [{\"shape\": \"box\", \"size\": [1, 1, 1]}]}", "s.json:1:13: a body needs \"position\""},
		{"{\"bodies\": [{\"shape\": \"box\", \"position\": [1, 1, 1]}]}", "s.json:1:13: a box needs \"size\""},
		{"{\"bodies\": [{\"shape\": \"ball\", \"position\": [1, 1, 1]}]}",
			"s.json:1:23: shape must be one of \"box\", \"sphere\", \"capsule\""},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"size\": [1, 1, 1], \"position\": [1, 1, 1]}]}",
			"s.json:1:46: a sphere has no \"size\""},
		{"{\"bodies\": [\n{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1], \"weight\": 3}]}",
			"s.json:2:57: unknown key \"weight\" in a body; did you mean"},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 0, \"position\": [1, 1, 1]}]}",
			"s.json:1:43: radius must be a number from 0.001 to 100000, got 0"},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1]}]}",
			"s.json:1:58: position must be an array of 3 numbers, got another count"},
		{"{\"bodies\": [{\"shape\": \"capsule\", \"radius\": 1, \"length\": 1, \"position\": [1, 1, 1]}]}",
			"s.json:1:57: the length of a capsule must be at least twice its radius, 2, got 1"},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1], \"density\": 1, \"mass\": 1}]}",
			"s.json:1:83: a body can have \"density\" or \"mass\", but not both"},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1], \"color\": \"red\"}]}",
			"s.json:1:78: a colour must be a # and six hexadecimal digits"},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1], \"mode\": \"wet\"}]}",
			"s.json:1:77: mode must be one of \"auto\", \"blocking\", \"floating\", got the string \"wet\""},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1], \"rotation\": [1, 2]}]}",
			"s.json:1:81: rotation must be an array of three angles"},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1], \"rotation\": [0, 0, 0, 0]}]}",
			"s.json:1:81: a rotation of four numbers must not be near zero"},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1], \"release\": 3}]}",
			"s.json:1:69: \"release\" is only for bodies with \"tied\": true"},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1], \"appear\": 3, \"remove\": "
		 "3}]}",
			"s.json:1:92: remove must be later than appear"},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1], \"fixed\": true, \"spin\": [1, "
		 "0, 0]}]}",
			"s.json:1:84: a fixed body never moves: it cannot have \"spin\""},
		{"{\"bodies\": [{\"shape\": \"hull\", \"points\": [[0, 0, 0]], \"position\": [1, 1, 1]}]}",
			"s.json:1:41: points must be at least 4, got 1"},
		{"{\"bodies\": [{\"shape\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
		 "\"triangles\": [[0, 1, 4]], \"position\": [1, 1, 1]}]}",
			"s.json:1:108: a triangle must be a number from 0 to 3, got 4"},
		{"{\"bodies\": [{\"shape\": \"compound\", \"shapes\": [], \"position\": [1, 1, 1]}]}",
			"s.json:1:45: a compound needs at least one shape"},
		{"{\"bodies\": [{\"shape\": \"compound\", \"shapes\": [{\"shape\": \"compound\"}], \"position\": [1, 1, 1]}]}",
			"s.json:1:56: a compound cannot consist of compounds"},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1], \"repeat\": {\"count\": [99, "
		 "99, 1]}}]}",
			"s.json:1:89: a scene can have at most 4096 bodies, these are 9801"},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1], \"lift\": {\"time\": 1}}]}",
			"s.json:1:77: lift needs \"velocity\""},
		{"{\"bodies\": [{\"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1], \"thrust\": "
		 "{\"force\": 1, \"direction\": [0, 0, 0]}}]}",
			"s.json:1:105: direction must not be near zero"},
		{"{\"joints\": [{\"kind\": \"ball\", \"a\": \"raft\", \"at\": [0, 0, 0]}]}",
			"s.json:1:35: there is no body \"raft\""},
		{"{\"joints\": [{\"kind\": \"glue\"}]}",
			"s.json:1:22: kind must be one of \"ball\", \"hinge\", \"fixed\", \"rope\", \"slide\""},
		{"{\"joints\": [{\"kind\": \"rope\", \"a\": \"b\", \"at\": [0, 0, 0]}]}",
			"s.json:1:13: a joint of kind rope needs \"to\""},
		{"{\"joints\": [{\"kind\": \"slide\", \"a\": \"b\"}]}", "s.json:1:13: a joint of kind slide needs \"axis\""},
		{"{\"joints\": [{\"kind\": \"ball\", \"a\": \"b\", \"at\": [0, 0, 0], \"turns\": [[0, 1]]}]}",
			"s.json:1:57: a joint of kind ball has no \"turns\""},
		{"{\"bodies\": [{\"name\": \"b\", \"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1]}], "
		 "\"joints\": [{\"kind\": \"slide\", \"a\": \"b\", \"axis\": [0, 1, 0], \"range\": [1, 2]}]}",
			"s.json:1:151: range must have 0 in it, where a slide begins, got [1, 2]"},
		{"{\"bodies\": [{\"name\": \"b\", \"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1]}], "
		 "\"joints\": [{\"kind\": \"slide\", \"a\": \"b\", \"axis\": [0, 1, 0], \"wheel\": \"b\"}]}",
			"s.json:1:151: a slide cannot be its own wheel"},
		{"{\"bodies\": [{\"name\": \"b\", \"shape\": \"sphere\", \"radius\": 1, \"position\": [1, 1, 1]}], "
		 "\"joints\": [{\"kind\": \"hinge\", \"a\": \"b\", \"at\": [0, 0, 0], \"axis\": [0, 1, 0], "
		 "\"turns\": [[2, 0], [2, 1]]}]}",
			"s.json:1:178: times of turns must increase, got 2 after 2"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		tnsResult result;
		tnsScene* scene = Parse(cases[i].text, &result);
		ENSURE(scene == NULL);
		ENSURE_EQUAL_INT(result.status, tns_badScene);
		ENSURE_TEXT(result.text, cases[i].error);
		ENSURE(strncmp(result.text, cases[i].error, strlen(cases[i].error)) == 0);
	}
	return 0;
}

// What only the world can know is wrong says where, too: this mesh has a side too few.
static int OpenMeshIsRefused(void)
{
	const char* text =
		"{\"world\": {\"columns\": 9, \"rows\": 7},\n \"bodies\": [{\"shape\": \"mesh\", \"position\": [4, 1, 4], "
		"\"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
		"\"triangles\": [[0, 2, 1], [0, 1, 3], [0, 3, 2]]}]}";
	tnsResult result;
	tnsRun* run = NULL;
	tnsScene* scene = Parse(text, &result);
	ENSURE_TEXT(result.text, "");
	result = tnsStartScene(scene, NULL, &run);
	ENSURE_EQUAL_INT(result.status, tns_worldError);
	ENSURE(strncmp(result.text, "s.json:2:13: ", 13) == 0);
	ENSURE(run == NULL);
	tnsDestroyScene(scene);
	return 0;
}

// Copies lie along x first, then along z, then up; each comes its delay after the one before.
static int CopiesComeInOrder(void)
{
	Play play;
	ENSURE(Start("{\"world\": {\"columns\": 33, \"rows\": 31}, \"bodies\": [{\"name\": \"brick\", \"shape\": \"box\", "
				 "\"size\": [1, 0.5, 0.7], \"density\": 2000, \"position\": [5, 0.25, 6], \"color\": \"#ff0000\", "
				 "\"tied\": true, \"repeat\": {\"count\": [3, 2, 2], \"spacing\": [2, 1, 3], \"delay\": 0.1}}]}",
			   1, &play) == 0);
	ENSURE_EQUAL_INT(tnsScene_GetInfo(play.scene)->bodyCount, 12);
	ENSURE_EQUAL_INT(tnsRun_GetBodyEnd(play.run), 12);
	tnsBody body;
	ENSURE(tnsRun_GetBody(play.run, 0, &body));
	ENSURE(tnsRun_GetBody(play.run, 1, &body) == false);
	ENSURE(Run(&play, 0.15) == 0);
	ENSURE(tnsRun_GetBody(play.run, 1, &body));
	ENSURE(tnsRun_GetBody(play.run, 2, &body) == false);
	ENSURE(Run(&play, 1.05) == 0);
	ENSURE(tnsRun_GetBody(play.run, 11, &body));
	ENSURE_CLOSE(body.pose.position.x, 9.0, 1.0e-6);
	ENSURE_CLOSE(body.pose.position.y, 1.25, 1.0e-6);
	ENSURE_CLOSE(body.pose.position.z, 9.0, 1.0e-6);
	ENSURE_CLOSE(body.mass, 700.0, 0.01);
	ENSURE_CLOSE(body.color.x, 1.0, 1.0e-6);
	ENSURE(body.tied);
	ENSURE(tnsRun_GetBody(play.run, 12, &body) == false);
	ENSURE(tnsRun_GetBody(play.run, -1, &body) == false);
	Stop(&play);
	return 0;
}

// The frame of a body in a scene is that of its shapes; its place in the run is that of its centre of mass.
static int CompoundsHaveTheirCentre(void)
{
	Play play;
	ENSURE(Start("{\"world\": {\"columns\": 33, \"rows\": 31}, \"bodies\": [{\"shape\": \"compound\", \"fixed\": true, "
				 "\"position\": [10, 5, 12], \"rotation\": [0, 90, 0], \"shapes\": ["
				 "{\"shape\": \"box\", \"size\": [1, 1, 1]}, "
				 "{\"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [3, 0, 0]}, "
				 "{\"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [0, 3, 0]}]}]}",
			   1, &play) == 0);
	const tnsBody body = GetBody(&play, 0);
	ENSURE(isinf(body.mass));
	// A turn by 90 degrees about y takes x to -z.
	ENSURE_CLOSE(body.pose.position.x, 10.0, 1.0e-5);
	ENSURE_CLOSE(body.pose.position.y, 6.0, 1.0e-5);
	ENSURE_CLOSE(body.pose.position.z, 11.0, 1.0e-5);
	// From above, the box that lies in the north is hit at its top.
	float distance = 0.0f;
	tnVec3 point = {0};
	ENSURE_EQUAL_INT(
		tnsRun_PickBody(play.run, (tnVec3){10.0f, 20.0f, 9.0f}, (tnVec3){0.0f, -2.0f, 0.0f}, &distance, &point), 0);
	ENSURE_CLOSE(distance, 7.25, 1.0e-4);
	ENSURE_CLOSE(point.y, 5.5, 1.0e-4);
	ENSURE_EQUAL_INT(
		tnsRun_PickBody(play.run, (tnVec3){10.0f, 20.0f, 15.0f}, (tnVec3){0.0f, -2.0f, 0.0f}, NULL, NULL), -1);
	ENSURE(tnsRun_GrabBody(play.run, 0, point).status == tns_invalidArgument);
	Stop(&play);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What bodies do

static const char* const s_pond =
	"{\"world\": {\"columns\": 33, \"rows\": 31, \"cellSize\": 0.5}, \"method\": \"shallow\", \"water\": {\"level\": "
	"2}, "
	"\"bodies\": ["
	"{\"name\": \"raft\", \"shape\": \"box\", \"size\": [2, 0.6, 2], \"density\": 500, \"position\": [4, 2, 4], "
	"\"tied\": true, \"release\": 2},"
	"{\"name\": \"stone\", \"shape\": \"sphere\", \"radius\": 0.4, \"density\": 2500, \"position\": [12, 3, 12], "
	"\"appear\": 0.5, \"remove\": 4}"
	"], \"joints\": ["
	"{\"kind\": \"rope\", \"a\": \"raft\", \"at\": [4, 2, 4], \"to\": [4, 2, 5], \"length\": 1.5}]}";

static int BodiesComeActAndGo(void)
{
	Play play;
	ENSURE(Start(s_pond, 1, &play) == 0);
	tnsBody body;
	ENSURE(tnsRun_GetBody(play.run, 0, &body) && body.tied);
	ENSURE(tnsRun_GetBody(play.run, 1, &body) == false);
	ENSURE(Run(&play, 1.9) == 0);
	// Held, in the middle of its sides where it was put.
	ENSURE_CLOSE(GetBody(&play, 0).pose.position.y, 2.0, 1.0e-6);
	ENSURE(tnsRun_GetBody(play.run, 1, &body));
	if (tnsHavePhysics())
	{
		ENSURE(body.pose.position.y < 1.5f);
	}
	ENSURE(Run(&play, 2.2) == 0);
	ENSURE(tnsRun_GetBody(play.run, 1, &body) == false);
	const tnLedger ledger = tnWorld_GetLedger(tnsRun_GetWorld(play.run));
	ENSURE_CLOSE(ledger.drift, 0.0, 1.0e-6 * ledger.volume);
	Stop(&play);
	return 0;
}

static int BodiesFloat(void)
{
	Play play;
	if (tnsHavePhysics() == false)
	{
		return 0;
	}
	ENSURE(
		Start("{\"world\": {\"columns\": 33, \"rows\": 31, \"cellSize\": 0.5}, \"method\": \"shallow\", "
			  "\"water\": {\"level\": 2}, \"friction\": 0.5, \"bodies\": ["
			  "{\"shape\": \"cylinder\", \"radius\": 0.4, \"length\": 3, \"rotation\": [90, 20, 0], "
			  "\"density\": 700, \"position\": [6, 2.1, 6]}, "
			  "{\"shape\": \"hull\", \"points\": [[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1], [-0.5, -0.8, -0.5], "
			  "[0.5, -0.8, -0.5], [0.5, -0.8, 0.5], [-0.5, -0.8, 0.5]], \"mass\": 600, \"position\": [12, 2.3, 11]}]}",
			1, &play) == 0);
	ENSURE(Run(&play, 20.0) == 0);
	double share = 0.0, mass = 0.0;
	for (int i = 0; i < 120; ++i)
	{
		tnBodyState state;
		ENSURE(Run(&play, 1.0 / 60.0) == 0);
		ENSURE_OK(tnWorld_GetBodyState(tnsRun_GetWorld(play.run), GetBody(&play, 0).id, &state));
		share += (double)(state.submergedVolume / state.volume) / 120.0;
		ENSURE_OK(tnWorld_GetBodyState(tnsRun_GetWorld(play.run), GetBody(&play, 1).id, &state));
		mass += 1000.0 * (double)state.submergedVolume / 120.0;
	}
	// Archimedes within 1 %.
	ENSURE_CLOSE(share, 0.7, 0.007);
	ENSURE_CLOSE(mass, 600.0, 6.0);
	Stop(&play);
	return 0;
}

// A point of a body that lies along its x.
static tnVec3 GetPoint(const Play* play, int index, float x)
{
	const tnsBody body = GetBody(play, index);
	const tnQuat q = body.pose.rotation;
	return (tnVec3){body.pose.position.x + x * (1.0f - 2.0f * (q.y * q.y + q.z * q.z)),
		body.pose.position.y + x * 2.0f * (q.x * q.y + q.w * q.z),
		body.pose.position.z + x * 2.0f * (q.x * q.z - q.w * q.y)};
}

// A boat follows its path, a crane lifts its load out of the water, a chain holds what it holds.
static int BoatsCranesAndChains(void)
{
	Play play;
	if (tnsHavePhysics() == false)
	{
		return 0;
	}
	ENSURE(Start("{\"world\": {\"columns\": 65, \"rows\": 41, \"cellSize\": 0.5}, \"method\": \"shallow\", "
				 "\"water\": {\"level\": 2}, \"bodies\": ["
				 "{\"name\": \"boat\", \"shape\": \"box\", \"size\": [3, 0.8, 1.2], \"density\": 350, "
				 "\"position\": [6, 2.1, 6], \"thrust\": {\"force\": 900, \"at\": [-1.4, -0.2, 0], \"reach\": 2, "
				 "\"path\": [[26, 14]]}}, "
				 "{\"name\": \"chest\", \"shape\": \"box\", \"size\": [1, 0.8, 0.8], \"density\": 1500, "
				 "\"position\": [6, 0.45, 16], \"lift\": {\"time\": 1, \"until\": 5, \"velocity\": [0, 1, 0], "
				 "\"at\": [0, 0.4, 0]}}, "
				 "{\"name\": \"float\", \"shape\": \"sphere\", \"radius\": 0.4, \"density\": 300, "
				 "\"position\": [26, 2, 3], \"repeat\": {\"count\": [3, 1, 1], \"spacing\": [1, 0, 0]}}], "
				 "\"joints\": [{\"kind\": \"ball\", \"a\": \"float\", \"b\": \"float 2\", \"at\": [26.5, 2, 3]}, "
				 "{\"kind\": \"ball\", \"a\": \"float 2\", \"b\": \"float 3\", \"at\": [27.5, 2, 3]}, "
				 "{\"kind\": \"rope\", \"a\": \"float 1\", \"at\": [26, 2, 3], \"to\": [26, 0, 3], \"length\": 2.5}]}",
			   1, &play) == 0);
	float nearest = INFINITY;
	for (int i = 0; i < 60 * 24; ++i)
	{
		ENSURE(Run(&play, 1.0 / 60.0) == 0);
		const tnVec3 boat = GetBody(&play, 0).pose.position;
		nearest = fminf(nearest, hypotf(boat.x - 26.0f, boat.z - 14.0f));
		const tnVec3 a = GetPoint(&play, 2, 0.5f), b = GetPoint(&play, 3, -0.5f);
		// Two floats at a ball joint have a point in common, but for what the joint gives in waves.
		ENSURE_CLOSE(hypotf(hypotf(a.x - b.x, a.y - b.y), a.z - b.z), 0.0, 0.03);
	}
	ENSURE(nearest < 2.1f);
	// 4 m up from 0.85 m, less what the rope of the crane gives.
	const tnsBody chest = GetBody(&play, 1);
	ENSURE_CLOSE(chest.pose.position.y, 0.45 + 4.0 - 9.81 / 36.0, 0.1);
	ENSURE(tnsRun_CutLoose(play.run, 2).status == tns_ok);
	ENSURE(GetBody(&play, 2).tied == false);
	ENSURE(GetBody(&play, 4).tied);
	Stop(&play);
	return 0;
}

// A wheel draws a gate up and lets it down; what it lets through comes out below. In between the gate hangs, whatever the
// water does to it, and friction holds the wheel.
static int WheelsDrawGates(void)
{
	Play play;
	if (tnsHavePhysics() == false)
	{
		return 0;
	}
	ENSURE(Start("{\"world\": {\"columns\": 65, \"rows\": 16, \"cellSize\": 0.5}, \"method\": \"shallow\", "
				 "\"water\": {\"boxes\": [{\"x\": 8, \"z\": 4, \"width\": 16, \"length\": 8, \"depth\": 1.5}]}, "
				 "\"bodies\": ["
				 "{\"name\": \"gate\", \"shape\": \"box\", \"size\": [1, 2.4, 7.9], \"density\": 700, "
				 "\"position\": [16.5, 1.2, 4]}, "
				 "{\"name\": \"wheel\", \"shape\": \"cylinder\", \"radius\": 0.5, \"length\": 0.2, "
				 "\"position\": [16.5, 5, 4]}], "
				 "\"joints\": [{\"kind\": \"hinge\", \"a\": \"wheel\", \"at\": [16.5, 5, 4], \"axis\": [0, 1, 0], "
				 "\"friction\": 100, \"turns\": [[1, 0], [3, 3.25], [5, 3.25]]}, "
				 "{\"kind\": \"slide\", \"a\": \"gate\", \"axis\": [0, 1, 0], \"range\": [0, 1.5], "
				 "\"wheel\": \"wheel\", \"perTurn\": 0.4}]}",
			   1, &play) == 0);
	ENSURE(Run(&play, 0.9) == 0);
	ENSURE_CLOSE(GetBody(&play, 0).pose.position.y, 1.2, 0.01);
	ENSURE(Run(&play, 3.6) == 0);
	// 3.25 turns of 0.4 m.
	ENSURE_CLOSE(GetBody(&play, 0).pose.position.y, 1.2 + 1.3, 0.02);
	ENSURE_CLOSE(GetBody(&play, 0).pose.position.x, 16.5, 0.02);
	ENSURE(tnWorld_Sample(tnsRun_GetWorld(play.run), (tnVec2){24.0f, 4.0f}).depth > 0.05f);
	// Nobody drives the wheel any more.
	ENSURE(Run(&play, 10.0) == 0);
	ENSURE_CLOSE(GetBody(&play, 0).pose.position.y, 1.2 + 1.3, 0.05);
	Stop(&play);
	return 0;
}

static int BodiesLeaveOverOpenEdges(void)
{
	Play play;
	if (tnsHavePhysics() == false)
	{
		return 0;
	}
	ENSURE(Start("{\"world\": {\"columns\": 33, \"rows\": 31, \"cellSize\": 0.5}, "
				 "\"edges\": {\"east\": {\"kind\": \"open\"}}, \"bodies\": ["
				 "{\"shape\": \"sphere\", \"radius\": 0.5, \"position\": [13, 0.5, 5], \"velocity\": [6, 0, 0]}, "
				 "{\"shape\": \"sphere\", \"radius\": 0.5, \"position\": [3, 0.5, 5], \"velocity\": [-6, 0, 0]}]}",
			   1, &play) == 0);
	ENSURE(Run(&play, 4.0) == 0);
	tnsBody body;
	ENSURE(tnsRun_GetBody(play.run, 0, &body) == false);
	ENSURE(tnsRun_GetBody(play.run, 1, &body));
	// The wall in the west has turned it back.
	ENSURE(body.pose.position.x > 0.45f);
	Stop(&play);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What a player does

static const char* const s_meadow = "{\"world\": {\"columns\": 33, \"rows\": 31, \"cellSize\": 0.5}}";

static int StackCrates(void)
{
	Play play;
	ENSURE(Start(s_meadow, 1, &play) == 0);
	int index = 7;
	if (tnsHavePhysics() == false)
	{
		ENSURE_TEXT(tnsRun_AddBody(play.run, tns_crate, (tnVec3){8, 0, 8}, 1.0f, &index).text, "physics");
		ENSURE_EQUAL_INT(index, -1);
		Stop(&play);
		return 0;
	}
	for (int i = 0; i < 5; ++i)
	{
		const tnsResult result = tnsRun_AddBody(play.run, tns_crate, (tnVec3){8.0f, 0.0f, 8.0f}, 1.0f, &index);
		ENSURE_TEXT(result.text, "");
		ENSURE_EQUAL_INT(index, i);
		ENSURE(Run(&play, 0.2) == 0);
	}
	ENSURE(Run(&play, 5.0) == 0);
	for (int i = 0; i < 5; ++i)
	{
		const tnVec3 place = GetBody(&play, i).pose.position;
		ENSURE_CLOSE(place.y, 0.5 + i, 0.03);
		ENSURE_CLOSE(place.x, 8.0, 0.03);
		ENSURE_CLOSE(place.z, 8.0, 0.03);
	}
	// A place that became free is used again.
	ENSURE(tnsRun_RemoveBody(play.run, 1).status == tns_ok);
	ENSURE(tnsRun_RemoveBody(play.run, 1).status == tns_invalidArgument);
	ENSURE(Run(&play, 2.0) == 0);
	ENSURE(GetBody(&play, 4).pose.position.y < 3.6f);
	for (int kind = 0; kind < tns_bodyKindCount; ++kind)
	{
		const tnVec3 place = {2.0f + 2.0f * (float)kind, 0.0f, 3.0f};
		ENSURE_TEXT(tnsRun_AddBody(play.run, (tnsBodyKind)kind, place, 1.2f, &index).text, "");
		ENSURE(kind > 0 || index == 1);
		ENSURE(strlen(tnsGetBodyKindName((tnsBodyKind)kind)) > 0);
	}
	ENSURE(Run(&play, 3.0) == 0);
	ENSURE_TEXT(tnsRun_AddBody(play.run, tns_bodyKindCount, (tnVec3){0}, 1.0f, NULL).text, "kind");
	ENSURE_TEXT(tnsRun_AddBody(play.run, tns_ball, (tnVec3){NAN, 0, 0}, 1.0f, NULL).text, "position");
	ENSURE_TEXT(tnsRun_AddBody(play.run, tns_ball, (tnVec3){0}, -1.0f, NULL).text, "size");
	ENSURE_TEXT(tnsRun_AddBody(play.run, tns_ball, (tnVec3){-1.0f, 0.0f, 5.0f}, 1.0f, NULL).text, "inside the world");
	Stop(&play);
	return 0;
}

static int GrabDragAndThrow(void)
{
	Play play;
	if (tnsHavePhysics() == false)
	{
		return 0;
	}
	ENSURE(Start(s_meadow, 1, &play) == 0);
	ENSURE(tnsRun_AddBody(play.run, tns_crate, (tnVec3){4.0f, 0.0f, 8.0f}, 1.0f, NULL).status == tns_ok);
	ENSURE(Run(&play, 0.5) == 0);
	float distance = 0.0f;
	tnVec3 point = {0};
	const int index =
		tnsRun_PickBody(play.run, (tnVec3){4.2f, 10.0f, 8.1f}, (tnVec3){0.0f, -1.0f, 0.0f}, &distance, &point);
	ENSURE_EQUAL_INT(index, 0);
	ENSURE_CLOSE(distance, 9.0, 0.01);
	ENSURE(tnsRun_GrabBody(play.run, 5, point).status == tns_invalidArgument);
	ENSURE(tnsRun_GrabBody(play.run, index, point).status == tns_ok);
	ENSURE(GetBody(&play, 0).grabbed);
	tnsRun_DragBody(play.run, (tnVec3){8.0f, 3.0f, 6.0f});
	ENSURE(Run(&play, 4.0) == 0);
	// It hangs from the point at which it is held, by g / frequency^2 lower than the hand, and its middle half a meter
	// below that.
	const tnsBody held = GetBody(&play, 0);
	ENSURE_CLOSE(held.pose.position.x, 8.0, 0.1);
	ENSURE_CLOSE(held.pose.position.z, 6.0, 0.1);
	ENSURE_CLOSE(held.pose.position.y, 3.0 - 9.81 / 81.0 - 0.5, 0.1);
	const tnVec3 velocity = {3.0f, 4.0f, 0.0f};
	tnsRun_ReleaseBody(play.run, &velocity);
	const tnsBody thrown = GetBody(&play, 0);
	ENSURE(thrown.grabbed == false);
	ENSURE_CLOSE(thrown.velocity.x, 3.0, 1.0e-6);
	ENSURE(Run(&play, 0.5) == 0);
	const tnsBody flying = GetBody(&play, 0);
	ENSURE_CLOSE(flying.pose.position.x - thrown.pose.position.x, 1.5, 0.02);
	ENSURE_CLOSE(flying.pose.position.y - thrown.pose.position.y, 2.0 - 0.5 * 9.81 * 0.25, 0.05);
	tnsRun_ReleaseBody(play.run, NULL);
	tnsRun_DragBody(play.run, (tnVec3){0});
	Stop(&play);
	return 0;
}

static int CutLoose(void)
{
	Play play;
	if (tnsHavePhysics() == false)
	{
		return 0;
	}
	ENSURE(Start("{\"world\": {\"columns\": 33, \"rows\": 31, \"cellSize\": 0.5}, \"bodies\": ["
				 "{\"shape\": \"box\", \"size\": [1, 1, 1], \"position\": [5, 4, 5], \"tied\": true}]}",
			   1, &play) == 0);
	ENSURE(Run(&play, 1.0) == 0);
	ENSURE_CLOSE(GetBody(&play, 0).pose.position.y, 4.0, 1.0e-6);
	ENSURE(tnsRun_GrabBody(play.run, 0, (tnVec3){5, 4, 5}).status == tns_invalidArgument);
	ENSURE(tnsRun_CutLoose(play.run, 0).status == tns_ok);
	ENSURE(tnsRun_CutLoose(play.run, 1).status == tns_invalidArgument);
	ENSURE(GetBody(&play, 0).tied == false);
	ENSURE(Run(&play, 2.0) == 0);
	ENSURE_CLOSE(GetBody(&play, 0).pose.position.y, 0.5, 0.02);
	Stop(&play);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The scenes that come with tarn

// All that have bodies, in order.
static const char* const s_names[] = {
#include "scene_names.inc"
};

static int ScenesRun(void)
{
	int count = 0;
	for (size_t i = 0; i < sizeof(s_names) / sizeof(s_names[0]); ++i)
	{
		char path[512];
		snprintf(path, sizeof(path), "%s/scenes/%s.json", TARN_SOURCE_FOLDER, s_names[i]);
		tnsResult result;
		Play play = {0};
		play.scene = tnsLoadScene(path, &result);
		ENSURE_TEXT(result.text, "");
		if (tnsScene_GetInfo(play.scene)->bodyCount > 0)
		{
			count += 1;
			result = tnsStartScene(play.scene, NULL, &play.run);
			ENSURE_TEXT(result.text, "");
			ENSURE(Run(&play, TEST_BREVITY > 1 ? 2.0 : 5.0) == 0);
			const tnLedger ledger = tnWorld_GetLedger(tnsRun_GetWorld(play.run));
			// Rounding of float32 depths, over 300 steps.
			ENSURE_CLOSE(ledger.drift, 0.0, 2.0e-6 * ledger.volume);
		}
		Stop(&play);
	}
	ENSURE(count >= 7);
	return 0;
}

static int SameBitsForAnyWorkerCount(void)
{
	uint64_t first = 0;
	static const int workerCounts[] = {1, 2, 4};
	for (int i = 0; i < 3; ++i)
	{
		tnsResult result;
		Play play = {0};
		play.scene = tnsLoadScene(TARN_SOURCE_FOLDER "/scenes/log_jam.json", &result);
		ENSURE_TEXT(result.text, "");
		tnsOverrides overrides = tnsDefaultOverrides();
		overrides.workerCount = workerCounts[i];
		result = tnsStartScene(play.scene, &overrides, &play.run);
		ENSURE_TEXT(result.text, "");
		ENSURE(Run(&play, 2.0) == 0);
		const uint64_t hash = tnWorld_GetHash(tnsRun_GetWorld(play.run));
		first = i == 0 ? hash : first;
		ENSURE_EQUAL_HEX(hash, first);
		Stop(&play);
	}
	return 0;
}

static const Test s_tests[] = {
	{"WrongBodies", WrongBodies},
	{"OpenMeshIsRefused", OpenMeshIsRefused},
	{"CopiesComeInOrder", CopiesComeInOrder},
	{"CompoundsHaveTheirCentre", CompoundsHaveTheirCentre},
	{"BodiesComeActAndGo", BodiesComeActAndGo},
	{"BodiesFloat", BodiesFloat},
	{"BoatsCranesAndChains", BoatsCranesAndChains},
	{"WheelsDrawGates", WheelsDrawGates},
	{"BodiesLeaveOverOpenEdges", BodiesLeaveOverOpenEdges},
	{"StackCrates", StackCrates},
	{"GrabDragAndThrow", GrabDragAndThrow},
	{"CutLoose", CutLoose},
	{"ScenesRun", ScenesRun},
	{"SameBitsForAnyWorkerCount", SameBitsForAnyWorkerCount},
};

const TestSuite scene_bodiesSuite = TEST_SUITE("scene_bodies", s_tests);

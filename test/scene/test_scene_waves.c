// SPDX-License-Identifier: MIT

// Waves in scene files: what is read, what is refused, and what moves.

#include "bodies/scene_bodies.h"
#include "harness.h"
#include "scene_play.h"
#include "world/scene_waves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A pond of 20 x 16 m, 4 m deep.
#define POND "{\"world\": {\"columns\": 40, \"rows\": 32, \"cellSize\": 0.5}, \"terrain\": {\"offset\": -4}, "
#define STILL POND "\"water\": {\"level\": 0}, "
// Small enough for tests.
#define FEW "\"finerLevels\": 1, \"levelCount\": 4, \"tileCount\": 24, "

// Energy of all bands, J.
static double GetEnergy(const Play* play)
{
	tnWaveStats stats;
	double energy = 0.0;
	if (tnWorld_GetWaveStats(play->world, &stats).status == tn_ok)
	{
		for (int level = 0; level < TN_MAX_WAVE_LEVELS; ++level)
		{
			energy += stats.energies[level];
		}
	}
	return energy;
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading

// A scene may ask for maps of its waves, if it has some.
static int ViewsOfWaves(void)
{
	tnsResult result;
	tnsScene* scene = Parse(STILL "\"waves\": {}, \"view\": {\"mode\": \"waves\"}}", &result);
	ENSURE_TEXT(result.text, "");
	ENSURE_EQUAL_INT(tnsScene_GetInfo(scene)->view.mode, tns_wavesView);
	tnsDestroyScene(scene);
	ENSURE(Parse("{\"view\": {\"mode\": \"waves\"}}", &result) == NULL);
	ENSURE_TEXT(result.text, "s.json:1:10: a view of mode waves needs a scene with waves");
	return 0;
}

static int WrongWaves(void)
{
	static const struct
	{
		// What stands in {"waves": ...}
		const char* text;
		const char* error;
	} cases[] = {
		{"1", "s.json:1:11: waves must be an object, got 1"},
		{"{\"wave\": 1}", "s.json:1:12: unknown key \"wave\" in waves; did you mean"},
		{"{\"kernel\": \"coarse\"}",
			"s.json:1:22: kernel must be one of \"fine\", \"quick\", \"gaussian\", got the string \"coarse\""},
		{"{\"finerLevels\": 7}", "s.json:1:27: finerLevels must be"},
		{"{\"finerLevels\": 1.5}", "s.json:1:27: finerLevels must be a whole number from 0 to 6, got 1.5"},
		{"{\"levelCount\": 0}", "s.json:1:26: levelCount must be a whole number from 1 to 12, got 0"},
		{"{\"levelCount\": 9, \"finerLevels\": 1}",
			"s.json:1:26: levelCount must be at most finerLevels + 7, which is 8, got 9"},
		{"{\"tileCount\": 0}", "s.json:1:25: tileCount must be a whole number from 1 to 65536, got 0"},
		{"{\"damping\": -1}", "s.json:1:23: damping must be a number from 0 to 1000, got -1"},
		{"{\"viscosity\": \"much\"}", "s.json:1:25: viscosity must be a number from 0 to 1000, got the string"},
		{"{\"breakingLimit\": 11}", "s.json:1:29: breakingLimit must be a number from 0 to 10, got 11"},
		{"{\"restHeight\": -0.1}", "s.json:1:26: restHeight must be a number from 0 to 1000, got -0.1"},
		{"{\"drift\": 1}", "s.json:1:21: drift must be true or false, got 1"},
		{"{\"keptSteps\": 0}", "s.json:1:25: keptSteps must be a whole number from 1 to 4, got 0"},
		{"{\"windWaves\": 1}", "s.json:1:25: windWaves must be true or false, got 1"},
		{"{\"takeFromFlow\": 0}", "s.json:1:28: takeFromFlow must be true or false, got 0"},
		{"{\"ripples\": \"no\"}", "s.json:1:23: ripples must be true or false, got the string \"no\""},
		{"{\"wind\": 3}", "s.json:1:20: wind must be an array of 2 numbers, got 3"},
		{"{\"wind\": [80, 80]}", "s.json:1:20: wind must be at most 100 m/s, got [80, 80]"},

		{"{\"interests\": {}}", "s.json:1:25: interests must be an array"},
		{"{\"interests\": [{}]}", "s.json:1:26: an interest needs one of \"at\", \"body\", \"displacer\", \"camera\""},
		{"{\"interests\": [{\"at\": [1, 2], \"camera\": true}]}",
			"s.json:1:41: an interest can have \"at\" or \"camera\", but not both"},
		{"{\"interests\": [{\"at\": [1]}]}", "s.json:1:33: at must be an array of 2 numbers"},
		{"{\"interests\": [{\"body\": \"boat\"}]}", "s.json:1:35: there is no body \"boat\""},
		{"{\"interests\": [{\"displacer\": \"boat\"}]}", "s.json:1:40: there is no displacer \"boat\""},
		{"{\"interests\": [{\"displacer\": 1}]}", "s.json:1:40: displacer must be"},
		{"{\"interests\": [{\"camera\": false}]}", "s.json:1:37: camera must be true, or left out, got false"},
		{"{\"interests\": [{\"at\": [1, 2], \"reach\": 0}]}",
			"s.json:1:50: reach must be a number from 0.001 to 100000, got 0"},

		{"{\"swell\": [{\"amplitude\": 1, \"period\": 3}]}", "s.json:1:22: swell needs \"direction\""},
		{"{\"swell\": [{\"direction\": [1, 0], \"period\": 3}]}", "s.json:1:22: swell needs \"amplitude\""},
		{"{\"swell\": [{\"direction\": [1, 0], \"amplitude\": 1}]}", "s.json:1:22: swell needs \"period\""},
		{"{\"swell\": [{\"direction\": [0, 0], \"amplitude\": 1, \"period\": 3}]}",
			"s.json:1:36: direction must not be near zero"},
		{"{\"swell\": [{\"direction\": [1, 0], \"amplitude\": -1, \"period\": 3}]}",
			"s.json:1:57: amplitude must be a number from 0 to 1000, got -1"},
		{"{\"swell\": [{\"direction\": [1, 0], \"amplitude\": 1, \"period\": 0}]}",
			"s.json:1:70: period must be a number from 0.01 to 1000, got 0"},
		{"{\"sea\": {\"significantHeight\": 1, \"peakPeriod\": 3}}", "s.json:1:19: sea needs \"direction\""},
		{"{\"sea\": {\"direction\": [0, 0], \"significantHeight\": 1, \"peakPeriod\": 3}}",
			"s.json:1:33: direction must not be near zero"},
		{"{\"sea\": {\"direction\": [1, 0], \"significantHeight\": 1, \"peakPeriod\": 3, \"trainCount\": 65}}",
			"s.json:1:96: trainCount must be a whole number from 1 to 64, got 65"},
		{"{\"swell\": [{\"direction\": [1, 0], \"amplitude\": 1, \"period\": 3}], \"sea\": {\"direction\": [1, 0], "
		 "\"significantHeight\": 1, \"peakPeriod\": 3}}",
			"s.json:1:82: sea must not be there beside swell"},
		{"{\"swell\": [1, 2, 3, 4, 5, 6, 7, 8, 9]}", "s.json:1:21: swell must have at most 8 items, got 9"},

		{"{\"drops\": [{\"volume\": 1}]}", "s.json:1:22: drops needs \"perSecond\""},
		{"{\"drops\": [{\"perSecond\": 1}]}", "s.json:1:22: drops needs \"volume\""},
		{"{\"drops\": [{\"perSecond\": 1, \"volume\": -1}]}",
			"s.json:1:49: volume must be a number from 0 to 1000, got -1"},
		{"{\"drops\": [{\"perSecond\": 1, \"volume\": [2, 1]}]}",
			"s.json:1:49: volume must be [least, most], got [2, 1]"},
		{"{\"drops\": [{\"perSecond\": 1, \"volume\": \"big\"}]}",
			"s.json:1:49: volume must be a number from 0 to 1000, got the string"},
		{"{\"drops\": [{\"perSecond\": 500000, \"volume\": 1}]}",
			"s.json:1:36: perSecond must be at most 245759.987 with this time step"},
		{"{\"drops\": [{\"perSecond\": 1, \"volume\": 1, \"x\": 1, \"z\": 2}]}",
			"s.json:1:22: drops fall on a box with \"x\", \"z\", \"width\" and \"length\""},
		{"{\"drops\": [{\"perSecond\": 1, \"volume\": 1, \"seed\": -1}]}",
			"s.json:1:60: seed must be a whole number from 0 to"},
		{"{\"drops\": [{\"perSecond\": 1, \"volume\": 1, \"start\": 2, \"stop\": 1}]}",
			"s.json:1:72: stop must be later than start, got 1 and 2"},
		{"{\"drops\": [{\"perSecond\": 1, \"volume\": 1, \"withRain\": 1}]}",
			"s.json:1:64: withRain must be true or false, got 1"},

		{"{\"displacers\": [{\"radii\": [1, 1], \"height\": 1}]}", "s.json:1:27: a displacer needs \"path\""},
		{"{\"displacers\": [{\"path\": [[1, 1]], \"height\": 1}]}", "s.json:1:27: a displacer needs \"radii\""},
		{"{\"displacers\": [{\"path\": [[1, 1]], \"radii\": [1, 1]}]}", "s.json:1:27: a displacer needs \"height\""},
		{"{\"displacers\": [{\"path\": [], \"radii\": [1, 1], \"height\": 1}]}",
			"s.json:1:36: path needs at least one point, [x, z] or [x, z, speed]"},
		{"{\"displacers\": [{\"path\": [[1, 1], [2, 2]], \"radii\": [1, 1], \"height\": 1}]}",
			"s.json:1:37: a displacer that moves needs \"speed\", or one in each point"},
		{"{\"displacers\": [{\"path\": [[1, 1], [1, 1]], \"speed\": 1, \"radii\": [1, 1], \"height\": 1}]}",
			"s.json:1:45: points of a path must be at least 0.001 m apart"},
		{"{\"displacers\": [{\"path\": [[1, 1, 0], [2, 1, 0]], \"radii\": [1, 1], \"height\": 1}]}",
			"s.json:1:48: two points of a path in a row cannot both have the speed 0"},
		{"{\"displacers\": [{\"path\": [[1, 1, -2], [2, 1, 0]], \"radii\": [1, 1], \"height\": 1}]}",
			"s.json:1:44: the speed at a point must be a number from 0 to 1000, got -2"},
		{"{\"displacers\": [{\"path\": [[1, 1, 0, 2]], \"radii\": [1, 1], \"height\": 1}]}",
			"s.json:1:37: a point of the path must be an array of 2 numbers"},
		{"{\"displacers\": [{\"path\": [[1, 1], [2, 1]], \"closed\": true, \"speed\": 1, \"radii\": [1, 1], "
		 "\"height\": 1}]}",
			"s.json:1:36: a closed path needs at least 3 points, got 2"},
		{"{\"displacers\": [{\"path\": [[1, 1], [2, 1]], \"smooth\": 5, \"speed\": 1, \"radii\": [1, 1], "
		 "\"height\": 1}]}",
			"s.json:1:64: smooth must be a whole number from 0 to 4, got 5"},
		{"{\"displacers\": [{\"path\": [[1, 1]], \"radii\": [1, 0], \"height\": 1}]}",
			"s.json:1:59: radii must be a number from 0.001 to 100000, got 0"},
		{"{\"displacers\": [{\"path\": [[1, 1]], \"radii\": [1, 1], \"height\": 2000}]}",
			"s.json:1:73: height must be a number from -1000 to 1000, got 2000"},
		{"{\"displacers\": [{\"path\": [[1, 1]], \"radii\": [1, 1], \"height\": 1, \"heading\": [0, 0]}]}",
			"s.json:1:87: heading must not be near zero"},
		{"{\"displacers\": [{\"path\": [[1, 1], [2, 1]], \"speed\": 1, \"radii\": [1, 1], \"height\": 1, "
		 "\"heading\": [1, 0]}]}",
			"s.json:1:96: \"heading\" is only for displacers that stay in one place"},
		{"{\"displacers\": [{\"path\": [[1, 1]], \"radii\": [1, 1], \"height\": 1, \"start\": 3, \"stop\": 3}]}",
			"s.json:1:96: stop must be later than start, got 3 and 3"},
		{"{\"displacers\": [{\"path\": [[1, 1]], \"radii\": [1, 1], \"height\": 1, \"ramp\": -1}]}",
			"s.json:1:84: ramp must be a number from 0 to 10000000, got -1"},
		{"{\"displacers\": [{\"name\": \"a\", \"path\": [[1, 1]], \"radii\": [1, 1], \"height\": 1}, {\"name\": \"a\", "
		 "\"path\": [[1, 1]], \"radii\": [1, 1], \"height\": 1}]}",
			"s.json:1:99: displacer \"a\" is named twice"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		char text[512];
		snprintf(text, sizeof(text), "{\"waves\": %s}", cases[i].text);
		tnsResult result;
		tnsScene* scene = Parse(text, &result);
		ENSURE(scene == NULL);
		ENSURE_EQUAL_INT(result.status, tns_badScene);
		ENSURE_TEXT(result.text, cases[i].error);
		ENSURE(strncmp(result.text, cases[i].error, strlen(cases[i].error)) == 0);
	}
	tnsResult result;
	ENSURE(Parse("{\"timeStep\": 2, \"waves\": {}}", &result) == NULL);
	ENSURE_TEXT(result.text, "s.json:1:26: waves need a timeStep of at most 1, got 2");
	return 0;
}

static int AllValuesArrive(void)
{
	tnsResult result;
	tnsScene* scene = Parse("{\"timeStep\": 0.02, \"waves\": {}}", &result);
	ENSURE_TEXT(result.text, "");
	const tnWavesDef standard = tnDefaultWorldDef().waves;
	tnWavesDef def = tnsScene_GetInfo(scene)->worldDef.waves;
	ENSURE(def.enable);
	ENSURE_EQUAL_INT(def.kernel, tn_fineWaves);
	ENSURE_EQUAL_INT(def.levelCount, standard.levelCount);
	ENSURE_EQUAL_INT(def.tileCount, standard.tileCount);
	ENSURE(def.enableDrift && !def.takeFromFlow && def.enableDetail);
	ENSURE_CLOSE(def.timeStep, 0.02, 1.0e-9);
	tnsDestroyScene(scene);

	scene = Parse("{\"waves\": {\"kernel\": \"quick\", \"finerLevels\": 3, \"levelCount\": 5, \"tileCount\": 77, "
				  "\"damping\": 0.1, \"viscosity\": 0.002, \"breakingLimit\": 0.5, \"restHeight\": 0.001, \"drift\": "
				  "false, \"takeFromFlow\": false, \"ripples\": false, \"windWaves\": true, \"reserve\": true, "
				  "\"keptSteps\": 3}}",
		&result);
	ENSURE_TEXT(result.text, "");
	def = tnsScene_GetInfo(scene)->worldDef.waves;
	ENSURE_EQUAL_INT(def.kernel, tn_quickWaves);
	ENSURE_EQUAL_INT(def.finerLevels, 3);
	ENSURE_EQUAL_INT(def.levelCount, 5);
	ENSURE_EQUAL_INT(def.tileCount, 77);
	ENSURE_CLOSE(def.damping, 0.1, 1.0e-7);
	ENSURE_CLOSE(def.viscosity, 0.002, 1.0e-8);
	ENSURE_CLOSE(def.breakingLimit, 0.5, 0.0);
	ENSURE_CLOSE(def.restHeight, 0.001, 1.0e-9);
	ENSURE(!def.enableDrift && !def.takeFromFlow && !def.enableDetail);
	ENSURE(def.enableWindWaves && def.reserve && !standard.enableWindWaves && !standard.reserve);
	ENSURE_EQUAL_INT(def.keptSteps, 3);
	tnsDestroyScene(scene);

	// Without the key there is no layer.
	scene = Parse("{}", &result);
	ENSURE(tnsScene_GetInfo(scene)->worldDef.waves.enable == false);
	tnsRun* run = NULL;
	result = tnsStartScene(scene, NULL, &run);
	ENSURE_TEXT(result.text, "");
	ENSURE_EQUAL_INT(tnsRun_GetInterestCount(run), 0);
	ENSURE_EQUAL_INT(tnsRun_GetDisplacerCount(run), 0);
	const tnVec2 anywhere = {1.0f, 2.0f};
	tnsRun_SetViewpoint(run, &anywhere);
	ENSURE_EQUAL_INT(tnsRun_GetInterestCount(run), 0);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Displacers

static tnWaveEllipse GetEllipse(const Play* play, int index)
{
	tnsDisplacer displacer = {0};
	(void)tnsRun_GetDisplacer(play->run, index, &displacer);
	return displacer.ellipse;
}

// Each is where its speeds say, after every step the place of the step before.
static int DisplacersFollowTheirWay(void)
{
	Play play;
	ENSURE(Start(STILL "\"timeStep\": 0.0625, \"waves\": {" FEW "\"displacers\": ["
					   "{\"name\": \"steady\", \"path\": [[2, 4], [10, 4]], \"speed\": 2, \"radii\": [0.8, 0.4], "
					   "\"height\": 0.1},"
					   "{\"path\": [[2, 8, 0], [6, 8, 4], [10, 8, 4]], \"radii\": [0.5, 0.5], \"height\": 0.1},"
					   "{\"path\": [[4, 10], [8, 10], [8, 14], [4, 14]], \"closed\": true, \"speed\": 4, \"radii\": "
					   "[0.5, 0.5], \"height\": 0.1},"
					   "{\"path\": [[15, 8]], \"heading\": [0, 2], \"radii\": [1, 0.5], \"height\": -0.2, \"start\": "
					   "1, \"stop\": 3, \"ramp\": 0.5}]}}",
			   1, &play) == 0);
	ENSURE_EQUAL_INT(tnsRun_GetDisplacerCount(play.run), 4);
	tnsDisplacer displacer;
	ENSURE(tnsRun_GetDisplacer(play.run, 0, &displacer) == false);
	ENSURE(tnsRun_GetDisplacer(play.run, 4, &displacer) == false);
	ENSURE(tnsRun_GetDisplacer(play.run, -1, &displacer) == false);
	// So many steps show the places at one second.
	ENSURE(Run(&play, 1.0625) == 0);
	ENSURE(tnsRun_GetDisplacer(play.run, 0, &displacer));
	ENSURE_TEXT(displacer.name, "steady");
	ENSURE_CLOSE(displacer.ellipse.center.x, 4.0, 1.0e-5);
	ENSURE_CLOSE(displacer.ellipse.center.z, 4.0, 1.0e-5);
	ENSURE(displacer.ellipse.axis.x > 0.0f && fabsf(displacer.ellipse.axis.z) < 1.0e-6f);
	ENSURE_CLOSE(displacer.ellipse.radii.x, 0.8, 1.0e-6);
	ENSURE_CLOSE(displacer.ellipse.radii.z, 0.4, 1.0e-6);
	// 4 m from 0 to 4 m/s take 2 s: half of 2 m/s^2 times the time squared.
	ENSURE_CLOSE(GetEllipse(&play, 1).center.x, 3.0, 1.0e-5);
	ENSURE_CLOSE(GetEllipse(&play, 2).center.x, 8.0, 1.0e-5);
	// Just there, and empty: it comes within half a second.
	ENSURE_CLOSE(GetEllipse(&play, 3).height, 0.0, 1.0e-6);

	ENSURE(Run(&play, 1.5) == 0);
	ENSURE_CLOSE(GetEllipse(&play, 0).center.x, 7.0, 1.0e-5);
	ENSURE_CLOSE(GetEllipse(&play, 1).center.x, 8.0, 1.0e-5);
	ENSURE_CLOSE(GetEllipse(&play, 2).center.x, 6.0, 1.0e-5);
	ENSURE_CLOSE(GetEllipse(&play, 2).center.z, 14.0, 1.0e-5);
	const tnWaveEllipse still = GetEllipse(&play, 3);
	ENSURE_CLOSE(still.center.x, 15.0, 0.0);
	ENSURE_CLOSE(still.height, -0.2, 1.0e-6);
	ENSURE(still.axis.x == 0.0f && still.axis.z > 0.0f);

	ENSURE(Run(&play, 2.5) == 0);
	// At the end of its way one stays; a closed way has none: 20 m of 16 are 4 m of the second round.
	ENSURE_CLOSE(GetEllipse(&play, 0).center.x, 10.0, 1.0e-5);
	ENSURE_CLOSE(GetEllipse(&play, 2).center.x, 8.0, 1.0e-4);
	ENSURE_CLOSE(GetEllipse(&play, 2).center.z, 10.0, 1.0e-4);
	ENSURE(tnsRun_GetDisplacer(play.run, 3, &displacer) == false);
	Stop(&play);
	return 0;
}

// Corners are rounded: the boat never turns by more than a few degrees between two steps.
static int DisplacersTurnSmoothly(void)
{
	Play play;
	ENSURE(Start(STILL "\"waves\": {" FEW "\"displacers\": [{\"path\": [[4, 4], [16, 4], [16, 12], [4, 12]], "
					   "\"closed\": true, \"smooth\": 3, \"speed\": 3, \"radii\": [1, 0.4], \"height\": 0.1}]}}",
			   1, &play) == 0);
	double last = 0.0, worst = 0.0, total = 0.0;
	for (int step = 0; step < 800; ++step)
	{
		ENSURE(Run(&play, 1.0 / 60.0) == 0);
		const tnWaveEllipse ellipse = GetEllipse(&play, 0);
		const double angle = atan2((double)ellipse.axis.z, (double)ellipse.axis.x);
		const double turn = step > 0 ? remainder(angle - last, 2.0 * 3.14159265358979) : 0.0;
		worst = fmax(worst, fabs(turn));
		total += turn;
		last = angle;
	}
	ENSURE(worst < 0.06);
	// 13 s at 3 m/s are a little more than the way of some 35 m: a full turn to the right.
	ENSURE(total > 6.0 && total < 8.5);
	Stop(&play);
	return 0;
}

// What moves makes waves, what rests does not, and the volume of the water stays.
static int DisplacersMakeWaves(void)
{
	Play play;
	ENSURE(Start(STILL "\"waves\": {" FEW "\"takeFromFlow\": false, \"displacers\": [{\"path\": [[4, 8], [16, 8]], "
					   "\"speed\": 2, \"radii\": [0.8, 0.4], \"height\": 0.1, \"ramp\": 1}]}}",
			   1, &play) == 0);
	const double volume = tnWorld_GetLedger(play.world).volume;
	ENSURE(GetEnergy(&play) == 0.0);
	ENSURE(Run(&play, 4.0) == 0);
	ENSURE(GetEnergy(&play) > 1.0);
	ENSURE_CLOSE(tnWorld_GetLedger(play.world).volume, volume, 1.0e-9);
	Stop(&play);
	return 0;
}

// A leaf that drifts with the river makes no waves; a boat that holds its place in it does.
static int CurrentsCount(void)
{
	static const char* const paths[2] = {"\"path\": [[4, 8], [36, 8]], \"speed\": 1.5", "\"path\": [[20, 8]]"};
	double energies[2];
	for (int i = 0; i < 2; ++i)
	{
		char text[1024];
		snprintf(text, sizeof(text),
			"{\"world\": {\"columns\": 80, \"rows\": 32, \"cellSize\": 0.5}, \"terrain\": {\"offset\": -2}, \"edges\": "
			"{\"west\": {\"kind\": \"wrap\"}, \"east\": {\"kind\": \"wrap\"}}, \"water\": {\"level\": 0, "
			"\"velocity\": [1.5, 0]}, \"waves\": {%s \"takeFromFlow\": false, \"displacers\": [{%s, \"radii\": [0.8, "
			"0.4], \"height\": 0.1, \"ramp\": 3}]}}",
			FEW, paths[i]);
		Play play;
		ENSURE(Start(text, 1, &play) == 0);
		ENSURE(Run(&play, 6.0) == 0);
		energies[i] = GetEnergy(&play);
		Stop(&play);
	}
	ENSURE(energies[1] > 1.0);
	ENSURE(energies[0] < 0.1 * energies[1]);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Drops

static int RunDrops(const char* drops, int workerCount, double extraRain, double* energy, uint64_t* hash)
{
	char text[1024];
	snprintf(text, sizeof(text), STILL "\"waves\": {" FEW "\"takeFromFlow\": false, \"drops\": [{%s}]}}", drops);
	Play play;
	ENSURE(Start(text, workerCount, &play) == 0);
	const tnsResult result = tnsRun_SetExtraRain(play.run, (float)extraRain);
	ENSURE_TEXT(result.text, "");
	ENSURE(Run(&play, 1.0) == 0);
	*energy = GetEnergy(&play);
	*hash = tnWorld_GetHash(play.world);
	Stop(&play);
	return 0;
}

// The same drops for the same seed, whatever the number of workers; others for another.
static int DropsAreTheSame(void)
{
	double energy, none;
	uint64_t first, hash;
	const char* drops = "\"perSecond\": 50, \"volume\": [1e-4, 1e-3]";
	ENSURE(RunDrops(drops, 1, 0.0, &energy, &first) == 0);
	ENSURE(energy > 0.0);
	ENSURE(RunDrops(drops, 3, 0.0, &energy, &hash) == 0);
	ENSURE_EQUAL_HEX(hash, first);
	ENSURE(RunDrops("\"perSecond\": 50, \"volume\": [1e-4, 1e-3], \"seed\": 2", 1, 0.0, &energy, &hash) == 0);
	ENSURE(hash != first);
	ENSURE(RunDrops("\"perSecond\": 50, \"volume\": 1e-3, \"start\": 2", 1, 0.0, &none, &hash) == 0);
	ENSURE(none == 0.0);
	ENSURE(RunDrops("\"perSecond\": 50, \"volume\": 1e-3, \"stop\": 0.001", 1, 0.0, &none, &hash) == 0);
	ENSURE(none == 0.0);
	ENSURE(RunDrops("\"perSecond\": 0, \"volume\": 1e-3", 1, 0.0, &none, &hash) == 0);
	ENSURE(none == 0.0);
	return 0;
}

// A drop a second makes waves after a second, not before, and only on its box.
static int DropsFallOnTheirBox(void)
{
	Play play;
	ENSURE(Start(STILL "\"timeStep\": 0.0625, \"waves\": {" FEW "\"takeFromFlow\": false, \"drops\": [{\"perSecond\": "
					   "2, \"volume\": 1e-3, \"x\": 4, \"z\": 4, \"width\": 0.5, \"length\": 0.5}]}}",
			   1, &play) == 0);
	ENSURE(Run(&play, 0.4375) == 0);
	ENSURE(GetEnergy(&play) == 0.0);
	ENSURE(Run(&play, 0.0625) == 0);
	ENSURE(GetEnergy(&play) > 0.0);
	tnWaveSample here, there;
	ENSURE_EQUAL_INT(tnWorld_SampleWaves(play.world, (tnVec2){4.0f, 4.0f}, &here).status, tn_ok);
	ENSURE_EQUAL_INT(tnWorld_SampleWaves(play.world, (tnVec2){16.0f, 12.0f}, &there).status, tn_ok);
	ENSURE(fabsf(here.height) > 1.0e-4f);
	ENSURE(fabsf(there.height) < 0.01f * fabsf(here.height));
	Stop(&play);
	return 0;
}

// With rain, drops are as many as it brings: none without any.
static int DropsFollowTheRain(void)
{
	const char* drops = "\"perSecond\": 2, \"volume\": 1e-3, \"withRain\": true";
	double none, light, heavy;
	uint64_t hash;
	ENSURE(RunDrops(drops, 1, 0.0, &none, &hash) == 0);
	ENSURE(none == 0.0);
	ENSURE(RunDrops(drops, 1, 10.0 / 3.6e6, &light, &hash) == 0);
	ENSURE(light > 0.0);
	ENSURE(RunDrops(drops, 1, 100.0 / 3.6e6, &heavy, &hash) == 0);
	// The energy of waves that do not know of each other adds up, about.
	ENSURE(heavy > 3.0 * light);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Swell and wind

// Swell comes in, wind makes ripples; what no band holds is refused by the world, with its place in the file.
static int SwellAndWind(void)
{
	Play play;
	ENSURE(
		Start(STILL "\"edges\": {\"west\": {\"kind\": \"level\"}}, \"waves\": {" FEW "\"takeFromFlow\": false, "
					"\"swell\": [{\"direction\": [1, 0], \"amplitude\": 0.05, \"period\": 1.4}], \"wind\": [8, -2]}}",
			1, &play) == 0);
	ENSURE_CLOSE(tnsScene_GetInfo(play.scene)->wind.x, 8.0, 0.0);
	ENSURE(Run(&play, 15.0) == 0);
	float most = 0.0f;
	for (int i = 0; i < 40; ++i)
	{
		tnWaveSample sample;
		const tnVec2 place = {6.0f + 0.1f * (float)i, 8.0f};
		ENSURE_EQUAL_INT(tnWorld_SampleWaves(play.world, place, &sample).status, tn_ok);
		most = fmaxf(most, fabsf(sample.height));
		ENSURE(sample.rippleEnergy > 0.0f);
	}
	// Up to twice as high, since the wall in the east sends it back.
	ENSURE_CLOSE(most, 0.08, 0.05);
	Stop(&play);

	ENSURE(
		Start(STILL "\"edges\": {\"west\": {\"kind\": \"level\"}}, \"waves\": {" FEW "\"sea\": {\"direction\": [1, 0], "
					"\"significantHeight\": 0.1, \"peakPeriod\": 1.4, \"spread\": 40, \"seed\": 7}}}",
			1, &play) == 0);
	ENSURE(Run(&play, 15.0) == 0);
	most = 0.0f;
	for (int i = 0; i < 40; ++i)
	{
		tnWaveSample sample;
		ENSURE_EQUAL_INT(
			tnWorld_SampleWaves(play.world, (tnVec2){6.0f + 0.1f * (float)i, 8.0f}, &sample).status, tn_ok);
		most = fmaxf(most, fabsf(sample.height));
	}
	ENSURE_CLOSE(most, 0.08, 0.06);
	Stop(&play);

	tnsResult result;
	tnsRun* run = NULL;
	tnsScene* scene =
		Parse(STILL "\"waves\": {" FEW "\n\"swell\": [{\"direction\": [1, 0], \"amplitude\": 0.1, \"period\": 60}]}}",
			&result);
	ENSURE_TEXT(result.text, "");
	result = tnsStartScene(scene, NULL, &run);
	ENSURE_EQUAL_INT(result.status, tns_worldError);
	ENSURE(strncmp(result.text, "s.json:2:10: ", 13) == 0);
	ENSURE(run == NULL);
	tnsDestroyScene(scene);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Points of interest

static int InterestsFollow(void)
{
	Play play;
	ENSURE(Start(STILL "\"bodies\": [{\"name\": \"buoy\", \"shape\": \"sphere\", \"radius\": 0.5, \"position\": [3, 0, "
					   "4], \"fixed\": true}], \"camera\": {\"keys\": [{\"time\": 0, \"eye\": [0, 5, 20], \"target\": "
					   "[6, 0, 6]}, {\"time\": 2, \"eye\": [0, 5, 20], \"target\": [12, 0, 6]}]}, "
					   "\"waves\": {" FEW "\"displacers\": [{\"name\": \"boat\", \"path\": [[4, 8], [16, 8]], "
					   "\"speed\": 2, \"radii\": [0.8, 0.4], \"height\": 0.1}], \"interests\": [{\"at\": [1, 2], "
					   "\"reach\": 3}, {\"body\": \"buoy\"}, {\"displacer\": \"boat\", \"reach\": 2}, {\"camera\": "
					   "true, \"reach\": 4}]}}",
			   1, &play) == 0);
	ENSURE_EQUAL_INT(tnsRun_GetInterestCount(play.run), 4);
	tnInterestDef at;
	ENSURE(tnsRun_GetInterest(play.run, 4, &at) == false);
	ENSURE(tnsRun_GetInterest(play.run, 0, &at));
	ENSURE_CLOSE(at.position.x, 1.0, 0.0);
	ENSURE_CLOSE(at.reach, 3.0, 0.0);
	ENSURE(tnsRun_GetInterest(play.run, 1, &at));
	ENSURE_CLOSE(at.position.x, 3.0, 1.0e-6);
	ENSURE_CLOSE(at.position.z, 4.0, 1.0e-6);
	ENSURE_CLOSE(at.reach, tnDefaultInterestDef().reach, 0.0);
	ENSURE(tnsRun_GetInterest(play.run, 2, &at));
	ENSURE_CLOSE(at.position.x, 4.0, 1.0e-6);
	ENSURE(tnsRun_GetInterest(play.run, 3, &at));
	ENSURE_CLOSE(at.position.x, 6.0, 1.0e-6);

	ENSURE(Run(&play, 2.5) == 0);
	// A twentieth of its reach and a step behind, at most.
	ENSURE(tnsRun_GetInterest(play.run, 2, &at));
	ENSURE_CLOSE(at.position.x, 9.0, 0.15);
	ENSURE(tnsRun_GetInterest(play.run, 3, &at));
	ENSURE_CLOSE(at.position.x, 12.0, 0.25);

	// Somebody looks elsewhere, and no longer.
	const tnVec2 elsewhere = {2.0f, 14.0f};
	tnsRun_SetViewpoint(play.run, &elsewhere);
	ENSURE_EQUAL_INT(tnsRun_GetInterestCount(play.run), 4);
	ENSURE(Run(&play, 0.1) == 0);
	ENSURE(tnsRun_GetInterest(play.run, 3, &at));
	ENSURE_CLOSE(at.position.z, 14.0, 0.0);
	tnsRun_SetViewpoint(play.run, NULL);
	ENSURE(Run(&play, 0.1) == 0);
	ENSURE(tnsRun_GetInterest(play.run, 3, &at));
	ENSURE_CLOSE(at.position.x, 12.0, 0.25);
	Stop(&play);
	return 0;
}

// A viewer has a point of its own where the layer does not fit as a whole, and only there.
static int ViewersAreAPoint(void)
{
	const tnVec2 place = {2.0f, 3.0f};
	tnInterestDef at;
	Play play;
	ENSURE(Start(STILL "\"waves\": {" FEW "\"ripples\": true}}", 1, &play) == 0);
	tnsRun_SetViewpoint(play.run, &place);
	ENSURE(Run(&play, 0.1) == 0);
	ENSURE_EQUAL_INT(tnsRun_GetInterestCount(play.run), 0);
	Stop(&play);

	ENSURE(Start(STILL "\"waves\": {\"finerLevels\": 4, \"levelCount\": 6, \"tileCount\": 60, \"reserve\": true}}", 1,
			   &play) == 0);
	tnsRun_SetViewpoint(play.run, &place);
	ENSURE(Run(&play, 0.1) == 0);
	ENSURE_EQUAL_INT(tnsRun_GetInterestCount(play.run), 1);
	ENSURE(tnsRun_GetInterest(play.run, 0, &at));
	ENSURE_CLOSE(at.position.x, 2.0, 0.0);
	tnWaveSample sample;
	ENSURE_EQUAL_INT(tnWorld_SampleWaves(play.world, place, &sample).status, tn_ok);
	ENSURE_EQUAL_INT(sample.finestLevel, 0);
	const tnVec2 nowhere = {NAN, 0.0f};
	tnsRun_SetViewpoint(play.run, &nowhere);
	ENSURE(Run(&play, 0.1) == 0);
	ENSURE_EQUAL_INT(tnsRun_GetInterestCount(play.run), 1);
	tnsRun_SetViewpoint(play.run, NULL);
	ENSURE(Run(&play, 0.1) == 0);
	ENSURE_EQUAL_INT(tnsRun_GetInterestCount(play.run), 0);
	ENSURE(tnsRun_GetInterest(play.run, 0, &at) == false);
	Stop(&play);
	return 0;
}

static const Test s_tests[] = {
	{"WrongWaves", WrongWaves},
	{"ViewsOfWaves", ViewsOfWaves},
	{"AllValuesArrive", AllValuesArrive},
	{"DisplacersFollowTheirWay", DisplacersFollowTheirWay},
	{"DisplacersTurnSmoothly", DisplacersTurnSmoothly},
	{"DisplacersMakeWaves", DisplacersMakeWaves},
	{"CurrentsCount", CurrentsCount},
	{"DropsAreTheSame", DropsAreTheSame},
	{"DropsFallOnTheirBox", DropsFallOnTheirBox},
	{"DropsFollowTheRain", DropsFollowTheRain},
	{"SwellAndWind", SwellAndWind},
	{"InterestsFollow", InterestsFollow},
	{"ViewersAreAPoint", ViewersAreAPoint},
};

const TestSuite scene_wavesSuite = TEST_SUITE("scene_waves", s_tests);

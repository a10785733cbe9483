// SPDX-License-Identifier: MIT

// Scene files: what they say, and that each mistake gets a text with file, line and column.

#include "harness.h"
#include "scene.h"
#include "terrain/terrain_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Parse a text of which nothing but the length is known at its end.
static tnsScene* Parse(const char* text, tnsResult* result)
{
	const size_t size = strlen(text);
	char* exact = malloc(size > 0 ? size : 1);
	memcpy(exact, text, size);
	tnsScene* scene = tnsParseScene(exact, size, "s.json", NULL, result);
	free(exact);
	return scene;
}

static tnsRun* Start(const char* text, tnsScene** scene, tnsResult* result)
{
	tnsRun* run = NULL;
	*scene = Parse(text, result);
	if (*scene != NULL)
	{
		*result = tnsStartScene(*scene, NULL, &run);
	}
	return run;
}

typedef struct ErrorCase
{
	const char* text;
	const char* error;
} ErrorCase;

static int CheckErrors(const ErrorCase* cases, size_t count)
{
	for (size_t i = 0; i < count; ++i)
	{
		tnsResult result;
		tnsScene* scene = Parse(cases[i].text, &result);
		ENSURE_TEXT(result.text, cases[i].error);
		ENSURE(strncmp(result.text, cases[i].error, strlen(cases[i].error)) == 0);
		ENSURE(scene == NULL);
		ENSURE(result.status == tns_badScene || result.status == tns_badFormat);
	}
	return 0;
}

#define CHECK_ERRORS(cases) CheckErrors((cases), sizeof(cases) / sizeof((cases)[0]))

static int Defaults(void)
{
	tnsResult result;
	tnsScene* scene = Parse("{}", &result);
	ENSURE_TEXT(result.text, "");
	ENSURE(scene != NULL);
	const tnsSceneInfo* info = tnsScene_GetInfo(scene);
	const tnWorldDef def = tnDefaultWorldDef();
	ENSURE(strcmp(info->name, "s") == 0);
	ENSURE(strcmp(info->description, "") == 0);
	ENSURE_EQUAL_INT(info->worldDef.columnCount, def.columnCount);
	ENSURE(info->worldDef.manning == def.manning);
	ENSURE_EQUAL_INT(info->worldDef.method, tn_pipeMethod);
	ENSURE_EQUAL_INT(info->worldDef.advection, tn_conservativeAdvection);
	ENSURE(info->worldDef.vorticityConfinement == 0.0f);
	ENSURE(info->timeStep == 1.0f / 60.0f);
	ENSURE(info->seconds == 10.0);
	ENSURE_EQUAL_INT(info->view.scale, 0);
	ENSURE(info->view.every == 1.0);
	ENSURE_EQUAL_INT(info->sourceCount + info->gaugeCount + info->regionCount, 0);
	ENSURE(tnsScene_GetGaugeName(scene, 0) == NULL);

	tnsRun* run = NULL;
	result = tnsStartScene(scene, NULL, &run);
	ENSURE_TEXT(result.text, "");
	ENSURE_EQUAL_INT(tnsRun_GetStepCount(run), 600);
	ENSURE_EQUAL_INT(tnsRun_Step(run).status, tns_ok);
	ENSURE(tnsRun_IsFinished(run) == false);
	ENSURE_EQUAL_INT(tnsRun_GetGauge(run, 0).index1, 0);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	tnsDestroyRun(NULL);
	tnsDestroyScene(NULL);
	return 0;
}

// A colour of a screen becomes light: half of 255 is a fifth of the light.
static int TracerColors(void)
{
	const char* text = "{\"tracers\": [\"silt\", \"dye\"], \"view\": {\"tracerColors\": {\"dye\": \"#fF8000\"}}}";
	tnsResult result;
	tnsScene* scene = tnsParseScene(text, strlen(text), "s.json", NULL, &result);
	ENSURE_TEXT(result.text, "");
	const tnsView* view = &tnsScene_GetInfo(scene)->view;
	ENSURE(view->hasTracerColor[0] == false && view->hasTracerColor[1]);
	ENSURE_CLOSE(view->tracerColors[1].x, 1.0, 1.0e-6);
	ENSURE_CLOSE(view->tracerColors[1].y, 0.2195, 1.0e-3);
	ENSURE_CLOSE(view->tracerColors[1].z, 0.0, 1.0e-6);
	tnsDestroyScene(scene);
	return 0;
}

static int WrongKeysAndTypes(void)
{
	static const ErrorCase cases[] = {
		{"", "s.json:1:1: there is nothing in this text"},
		{"[]", "s.json:1:1: the scene must be an object, got an array"},
		{"{\"world\": {\"columns\": 10,", "s.json:1:26: expected a key in double quotes, got the end of the text"},
		{"{\n \"grafity\": 1}",
			"s.json:2:2: unknown key \"grafity\" in the scene; did you mean \"gravity\"? Allowed are name, "},
		{"{\"world\": {\"colums\": 10}}",
			"s.json:1:12: unknown key \"colums\" in world; did you mean \"columns\"? Allowed are columns, rows, "
			"cellSize, "
			"origin"},
		{"{\"world\": {\"columns\": \"ten\"}}",
			"s.json:1:23: columns must be a whole number from 4 to 65536, got the string \"ten\""},
		{"{\"world\": {\"columns\": 3}}", "s.json:1:23: columns must be a whole number from 4 to 65536, got 3"},
		{"{\"world\": {\"columns\": 10.5}}", "s.json:1:23: columns must be a whole number from 4 to 65536, got 10.5"},
		{"{\"world\": {\"columns\": 65536, \"rows\": 65536}}",
			"s.json:1:11: the world has 65536 x 65536 cells; at most 268435456 cells are allowed"},
		{"{\"world\": {\"cellSize\": 0}}", "s.json:1:24: cellSize must be a number from 0.001 to 1000, got 0"},
		{"{\"world\": {\"columns\": 65536, \"cellSize\": 2}}", "s.json:1:11: the world reaches to x = 131072"},
		{"{\"world\": {\"origin\": [1]}}", "s.json:1:22: origin must be an array of 2 numbers, got another count"},
		{"{\"world\": 5}", "s.json:1:11: world must be an object, got 5"},
		{"{\"gravity\": -9.81}", "s.json:1:13: gravity must be a number from 1e-06 to 1000, got -9.81"},
		{"{\"gravity\": null}", "s.json:1:13: gravity must be a number from 1e-06 to 1000, got null"},
		{"{\"method\": \"swe\"}",
			"s.json:1:12: method must be one of \"pipe\", \"linear\", \"shallow\", got the string \"swe\""},
		{"{\"method\": 1}", "s.json:1:12: method must be one of \"pipe\", \"linear\", \"shallow\", got 1"},
		{"{\"method\": \"shallow-fine\"}",
			"s.json:1:12: method must be one of \"pipe\", \"linear\", \"shallow\", got the string \"shallow-fine\""},
		{"{\"advection\": \"upwind\"}",
			"s.json:1:15: advection must be one of \"conservative\", \"fine\", \"semi-lagrangian\", \"maccormack\", "
			"got "
			"the string \"upwind\""},
		{"{\"advection\": 0}", "s.json:1:15: advection must be one of"},
		{"{\"advektion\": \"fine\"}",
			"s.json:1:2: unknown key \"advektion\" in the scene; did you mean \"advection\"?"},
		{"{\"vorticityConfinement\": 1.5}", "s.json:1:26: vorticityConfinement must be a number from 0 to 1, got 1.5"},
		{"{\"vorticityConfinement\": -1}", "s.json:1:26: vorticityConfinement must be a number from 0 to 1, got -1"},
		{"{\"vorticityConfinement\": \"some\"}",
			"s.json:1:26: vorticityConfinement must be a number from 0 to 1, got the string \"some\""},
		{"{\"liveliness\": 5}", "s.json:1:16: liveliness must be a number from 0.01 to 4, got 5"},
		{"{\"timeStep\": 0}", "s.json:1:14: timeStep must be a number from 0.0001 to 10, got 0"},
		{"{\"timeStep\": 1e9}", "s.json:1:14: timeStep must be a number from 0.0001 to 10, got 1e+09"},
		{"{\"seconds\": -1}", "s.json:1:13: seconds must be a number from 0 to 10000000, got -1"},
		{"{\"sleep\": {\"enable\": 1}}", "s.json:1:22: enable must be true or false, got 1"},
		{"{\"name\": \"\"}", "s.json:1:10: name must be a name"},
		{"{\"name\": \"a,b\"}", "s.json:1:10: name must be a name"},
		{"{\"name\": 7}", "s.json:1:10: name must be a string, got 7"},
		{"{\"tracers\": [\"a\", \"a\"]}", "s.json:1:19: tracer \"a\" is named twice"},
		{"{\"tracers\": [1,2,3,4,5,6,7,8,9]}", "s.json:1:13: tracers must have at most 8 items, got 9"},
		{"{\"view\": {\"tracerColors\": 3}}",
			"s.json:1:27: tracerColors must be an object of colours by name, like {\"dye\": \"#d01040\"}, got 3"},
		{"{\"view\": {\"tracerColors\": {\"dye\": \"#d01040\"}}}", "s.json:1:28: there is no tracer"},
		{"{\"tracers\": [\"dye\"], \"view\": {\"tracerColors\": {\"dye\": \"#d0104g\"}}}",
			"s.json:1:55: a colour must be a # and six hexadecimal digits, like \"#d01040\", got the string "
			"\"#d0104g\""},
		{"{\"tracers\": [\"dye\"], \"view\": {\"tracerColors\": {\"dye\": 7}}}", "s.json:1:55: a colour must be a #"},
		{"{\"view\": {\"mode\": \"tracer\"}}", "s.json:1:10: a view of mode tracer needs a scene with tracers"},
		{"{\"view\": {\"scale\": 17}}", "s.json:1:20: scale must be a whole number from 0 to 16, got 17"},
		{"{\"view\": {\"tracer\": \"x\"}}", "s.json:1:21: there is no tracer \"x\"; tracers of this scene: none"},
	};
	return CHECK_ERRORS(cases);
}

static int WrongEdges(void)
{
	static const ErrorCase cases[] = {
		{"{\"edges\": {\"up\": {}}}", "s.json:1:12: unknown key \"up\" in edges; did you mean \"west\"?"},
		{"{\"edges\": {\"west\": {}}}", "s.json:1:20: west needs \"kind\""},
		{"{\"edges\": {\"west\": {\"kind\": \"sea\"}}}",
			"s.json:1:29: kind must be one of \"wall\", \"open\", \"absorb\", \"level\", \"inflow\", \"wrap\", got the "
			"string \"sea\""},
		{"{\"edges\": {\"west\": {\"kind\": \"wrap\"}}}",
			"s.json:1:11: west and east must both be of kind wrap, or neither"},
		{"{\"edges\": {\"south\": {\"kind\": \"wall\", \"tide\": {\"amplitude\": 1, \"period\": 2}}}}",
			"s.json:1:38: \"tide\" is only for edges of kind level, this one is of kind wall"},
		{"{\"edges\": {\"south\": {\"kind\": \"level\", \"tide\": {\"amplitude\": 1}}}}",
			"s.json:1:47: tide needs \"period\""},
		{"{\"edges\": {\"south\": {\"kind\": \"level\", \"curve\": []}}}",
			"s.json:1:48: curve needs at least one [time, value]"},
		{"{\"edges\": {\"south\": {\"kind\": \"level\", \"curve\": [[1, 2], [1, 3]]}}}",
			"s.json:1:58: times of a curve must increase, got 1 after 1"},
		{"{\"edges\": {\"south\": {\"kind\": \"inflow\", \"curve\": [[1, -2]]}}}",
			"s.json:1:54: the value of a curve must be a number from 0 to 1000000, got -2"},
		{"{\"edges\": {\"south\": {\"kind\": \"inflow\", \"range\": [5, 4]}}}",
			"s.json:1:49: range must be [first cell, cell after the last], got [5, 4]"},
		{"{\"edges\": {\"south\": {\"kind\": \"inflow\", \"range\": [0, 129]}}}",
			"s.json:1:53: range must be a number from 0 to 128, got 129"},
		{"{\"edges\": {\"south\": {\"kind\": \"inflow\", \"tracers\": {\"a\": 1}}}}",
			"s.json:1:52: there is no tracer \"a\""},
		{"{\"edges\": {\"south\": {\"kind\": \"inflow\", \"tracers\": [1]}}}",
			"s.json:1:51: tracers must be an object of concentrations"},
		{"{\"edges\": {\"south\": {\"kind\": \"absorb\", \"spongeWidth\": 0}}}",
			"s.json:1:55: spongeWidth must be a whole number from 1"},
	};
	return CHECK_ERRORS(cases);
}

static int WrongTerrainAndWater(void)
{
	static const ErrorCase cases[] = {
		{"{\"terrain\": {\"kind\": \"moon\"}}", "s.json:1:22: kind must be one of \"flat\", \"plane\", "},
		{"{\"terrain\": {\"kind\": \"flat\", \"seed\": 3}}", "s.json:1:30: \"seed\" is not for terrain of kind flat"},
		{"{\"terrain\": {\"kind\": \"hills\", \"seed\": -3}}",
			"s.json:1:39: seed must be a whole number from 0 to 4294967295, got -3"},
		{"{\"terrain\": {\"kind\": \"hills\", \"octaves\": 13}}",
			"s.json:1:42: octaves must be a whole number from 1 to 12, got 13"},
		{"{\"terrain\": {\"kind\": \"file\"}}", "s.json:1:13: terrain of kind file needs \"file\""},
		{"{\"terrain\": {\"file\": \"C:a.png\"}}", "s.json:1:22: file must be a path with / between folders"},
		{"{\"terrain\": {\"file\": \"a\\\\b.png\"}}", "s.json:1:22: file must be a path with / between folders"},
		{"{\"terrain\": {\"file\": \"a.bmp\"}}", "s.json:1:22: file must end with .png, .r16, .r32 or .asc"},
		{"{\"terrain\": {\"kind\": \"basins\", \"spacings\": [4, 2]}}",
			"s.json:1:13: spacings and amplitudes must be of the same count, got 2 and 4"},
		{"{\"terrain\": {\"kind\": \"basins\", \"amplitudes\": [1, 2, 3, 0.3]}}",
			"s.json:1:56: amplitudes must be whole multiples of 0.00390625, got 0.3"},
		{"{\"terrain\": {\"kind\": \"valley\", \"valley\": {\"axis\": \"y\"}}}",
			"s.json:1:51: axis must be one of \"x\", \"z\", got the string \"y\""},
		{"{\"terrain\": {\"features\": {}}}", "s.json:1:26: features must be an array, got an object"},
		{"{\"terrain\": {\"features\": [1]}}", "s.json:1:27: a feature must be an object, got 1"},
		{"{\"terrain\": {\"features\": [{}]}}", "s.json:1:27: a feature needs \"add\""},
		{"{\"terrain\": {\"features\": [{\"add\": \"tree\"}]}}",
			"s.json:1:35: add must be one of \"box\", \"disc\", \"cone\", \"ramp\", \"channel\", \"wall\""},
		{"{\"terrain\": {\"features\": [{\"add\": \"box\", \"x\": 1, \"z\": 1, \"width\": 1}]}}",
			"s.json:1:27: box needs \"length\""},
		{"{\"terrain\": {\"features\": [{\"add\": \"disc\", \"x\": 1, \"z\": 1, \"radius\": 1}]}}",
			"s.json:1:27: disc needs one of \"height\", \"top\", \"bottom\", \"level\""},
		{"{\"terrain\": {\"features\": [{\"add\": \"disc\", \"x\": 1, \"z\": 1, \"radius\": 1, \"top\": 1, \"level\": "
		 "2}]}}",
			"s.json:1:82: disc can have \"top\" or \"level\", but not both"},
		{"{\"terrain\": {\"features\": [{\"add\": \"disc\", \"radios\": 1}]}}",
			"s.json:1:43: unknown key \"radios\" in disc; did you mean \"radius\"?"},
		{"{\"terrain\": {\"features\": [{\"add\": \"channel\", \"width\": 1, \"depth\": 1, \"points\": [[1, 2]]}]}}",
			"s.json:1:80: points must have at least 2 items, got 1"},
		{"{\"terrain\": {\"features\": [{\"add\": \"channel\", \"width\": 1, \"depth\": 1, \"points\": [[1, 2, 3], [1, "
		 "2]]}]}}",
			"s.json:1:92: a point must be an array of 3 numbers, got another count"},
		{"{\"water\": {\"level\": 1, \"depthFile\": \"a.r32\"}}",
			"s.json:1:24: water can have \"level\" or \"depthFile\", but not both"},
		{"{\"water\": {\"boxes\": [{\"x\": 1, \"z\": 1, \"width\": 1, \"length\": 1}]}}",
			"s.json:1:22: a box of water needs one of \"level\", \"depth\""},
		{"{\"water\": {\"discs\": [{\"x\": 1, \"z\": 1, \"radius\": 1, \"depth\": -1}]}}",
			"s.json:1:61: depth must be a number from 0 to 100000, got -1"},
		{"{\"water\": {\"velocityFiles\": [\"a.r32\"]}}", "s.json:1:29: velocityFiles must be an array of two files"},
		{"{\"tracers\": [\"a\"], \"tracersInitial\": [{\"tracer\": \"b\", \"concentration\": 1}]}",
			"s.json:1:50: there is no tracer \"b\"; tracers of this scene: \"a\""},
		{"{\"tracers\": [\"a\"], \"tracersInitial\": [{\"tracer\": \"a\", \"concentration\": 1, \"shape\": \"disc\"}]}",
			"s.json:1:39: a disc needs \"x\""},
	};
	return CHECK_ERRORS(cases);
}

static int WrongParts(void)
{
	static const ErrorCase cases[] = {
		{"{\"sources\": [{\"x\": 500,\n \"z\": 20}]}",
			"s.json:1:20: a source must be inside the world, x in [0, 128) and z in [0, 128), got x = 500, z = 20"},
		{"{\"sources\": [{\"x\": 5,\n \"z\": -20}]}", "s.json:2:7: a source must be inside the world"},
		{"{\"sources\": [{\"x\": 5}]}", "s.json:1:14: a source needs \"z\""},
		{"{\"sources\": [{\"x\": 5, \"z\": 5, \"kind\": \"well\"}]}", "s.json:1:14: a well needs \"level\""},
		{"{\"sources\": [{\"x\": 5, \"z\": 5, \"level\": 1}]}",
			"s.json:1:31: \"level\" is only for sources of kind well"},
		{"{\"sources\": [{\"x\": 5, \"z\": 5, \"kind\": \"well\", \"level\": 1, \"rate\": 2}]}",
			"s.json:1:59: a well holds a level"},
		{"{\"sources\": [{\"x\": 5, \"z\": 5, \"start\": 4, \"stop\": 4}]}",
			"s.json:1:14: stop must be later than start, got 4 and 4"},
		{"{\"sources\": [{\"x\": 5, \"z\": 5, \"name\": \"a\"}, {\"x\": 5, \"z\": 5, \"name\": \"a\"}]}",
			"s.json:1:70: source \"a\" is named twice"},
		{"{\"sources\": [{\"x\": 5, \"z\": 5, \"radius\": 0}]}",
			"s.json:1:41: radius must be a number from 0.001 to 100000, got 0"},
		{"{\"rain\": {}}", "s.json:1:10: rain needs one of \"rate\", \"mmPerHour\""},
		{"{\"rain\": {\"rate\": 1, \"mmPerHour\": 1}}",
			"s.json:1:22: rain can have \"rate\" or \"mmPerHour\", but not both"},
		{"{\"evaporation\": {\"rate\": -1}}", "s.json:1:26: rate must be a number from 0 to 1000, got -1"},
		{"{\"gauges\": [{\"x\": 128, \"z\": 5}]}", "s.json:1:19: a gauge must be inside the world"},
		{"{\"regions\": [{\"x\": 5, \"z\": 5, \"shape\": \"disc\", \"width\": 3}]}",
			"s.json:1:14: a region of shape disc needs \"radius\""},
		{"{\"regions\": [{\"x\": 5, \"z\": 5, \"shape\": \"box\", \"width\": 3}]}",
			"s.json:1:14: a region of shape box needs \"width\" and \"length\""},
		{"{\"regions\": [{\"x\": 5, \"z\": 5, \"shape\": \"disc\", \"radius\": 3, \"triggerDepth\": 0}]}",
			"s.json:1:77: triggerDepth must be a number from 0.0011"},
		{"{\"edits\": [{\"time\": 1}]}",
			"s.json:1:12: an edit needs one of \"brush\", \"terrain\", \"water\", \"impulse\", \"tracer\""},
		{"{\"edits\": [{\"brush\": {}}]}", "s.json:1:12: an edit needs \"time\""},
		{"{\"edits\": [{\"time\": 1, \"brush\": {\"x\": 1, \"z\": 999}}]}",
			"s.json:1:47: the centre of a brush must be inside the world"},
		{"{\"edits\": [{\"time\": 1, \"brush\": {\"x\": 1, \"z\": 9, \"kind\": \"smooth\", \"amount\": 2}}]}",
			"s.json:1:78: amount must be a number from 0 to 1, got 2"},
		{"{\"edits\": [{\"time\": 1, \"until\": 2, \"water\": {\"x\": 1, \"z\": 9, \"radius\": 1, \"volume\": 1}}]}",
			"s.json:1:24: \"until\" needs \"every\""},
		{"{\"edits\": [{\"time\": 1, \"water\": {\"x\": 1, \"z\": 9, \"radius\": 1}}]}",
			"s.json:1:33: water needs \"volume\""},
		{"{\"edits\": [{\"time\": 1, \"tracer\": {\"tracer\": \"q\", \"x\": 1, \"z\": 9, \"radius\": 1, "
		 "\"concentration\": 1}}]}",
			"s.json:1:45: there is no tracer \"q\""},
	};
	return CHECK_ERRORS(cases);
}

// Ten million brackets, alone and where a value belongs.
static int Brackets(void)
{
	enum
	{
		size = 10 * 1024 * 1024
	};
	char* text = malloc(size);
	ENSURE(text != NULL);
	memset(text, '[', size);
	memcpy(text, "{\"rain\":", 8);
	tnsResult result;
	const tnsScene* scene = tnsParseScene(text, size, "s.json", NULL, &result);
	free(text);
	ENSURE(scene == NULL);
	ENSURE_TEXT(result.text, "s.json:1:72: arrays and objects are nested too deeply; at most 64 levels are allowed");
	return 0;
}

static int Files(void)
{
	tnsResult result;
	ENSURE(tnsLoadScene("no_such_scene.json", &result) == NULL);
	ENSURE_EQUAL_INT(result.status, tns_fileError);
	ENSURE_TEXT(result.text, "no_such_scene.json: cannot be opened: ");
	ENSURE(tnsLoadScene(".", &result) == NULL);
	ENSURE_EQUAL_INT(result.status, tns_fileError);
	ENSURE_TEXT(result.text, ".: cannot be ");
	ENSURE(tnsLoadScene(NULL, NULL) == NULL);

	// A file that a scene names is looked for when it is started, and the error says who named it.
	static const char text[] = "{\n\t\"terrain\": { \"file\": \"none.png\" }\n}";
	tnsScene* scene = tnsParseScene(text, sizeof(text) - 1, "s.json", "some_folder", &result);
	ENSURE(scene != NULL);
	tnsRun* run = NULL;
	result = tnsStartScene(scene, NULL, &run);
	ENSURE(run == NULL);
	ENSURE_EQUAL_INT(result.status, tns_fileError);
	ENSURE_TEXT(result.text, "s.json:2:23: some_folder/none.png: cannot be opened: ");
	tnsDestroyScene(scene);
	scene = Parse(text, &result);
	ENSURE(scene != NULL);
	result = tnsStartScene(scene, NULL, &run);
	ENSURE_TEXT(result.text, "s.json:2:23: this scene has no folder to read \"none.png\" from");
	tnsDestroyScene(scene);
	return 0;
}

// Names that lead out of the folder of the scene are refused, wherever they stand, unless the caller lets them.
static int FilesOutside(void)
{
	static const char* const names[] = {"/a.r32", "../a.r32", "b/../../a.r32", "./../a.r32", "b/./../../a.r32",
		"b/c/../../../a.r32", "//a.r32", "..//a.r32", "./b/../../b/a.r32"};
	static const char* const forms[] = {"\"terrain\": {\"file\": \"%s\"}", "\"water\": {\"depthFile\": \"%s\"}",
		"\"water\": {\"level\": 1, \"velocityFiles\": [\"%s\", \"a.r32\"]}",
		"\"rain\": {\"mapFile\": \"%s\", \"rate\": 1}"};
	tnsResult result;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) * 4; ++i)
	{
		char part[200];
		char text[300];
		// The format is one of the four above.
		const char* form = forms[i % 4];
		const char* place = strstr(form, "%s");
		snprintf(part, sizeof(part), "%.*s%s%s", (int)(place - form), form, names[i / 4], place + 2);
		snprintf(text, sizeof(text), "{\"world\": {\"columns\": 8, \"rows\": 8}, %s}", part);
		tnsScene* scene = tnsParseScene(text, strlen(text), "s.json", "", &result);
		ENSURE_TEXT(result.text, "");
		ENSURE(scene != NULL);
		tnsRun* run = NULL;
		result = tnsStartScene(scene, NULL, &run);
		ENSURE_EQUAL_INT(result.status, tns_fileError);
		ENSURE_TEXT(result.text, "must be a path relative to the scene that stays in its folder");
		tnsOverrides overrides = tnsDefaultOverrides();
		overrides.allowOutside = true;
		result = tnsStartScene(scene, &overrides, &run);
		ENSURE_EQUAL_INT(result.status, tns_fileError);
		ENSURE_TEXT(result.text, "cannot be opened");
		tnsDestroyScene(scene);
	}
	// One that is there.
	static const char text[] =
		"{\"world\": {\"columns\": 64, \"rows\": 64}, \"terrain\": {\"file\": \"" TARN_SOURCE_FOLDER
		"/scenes/terrain/mountain.r16\", \"columns\": 256, \"rows\": 256}}";
	for (int i = 0; i < 3; ++i)
	{
		// Where it may lie is a matter of its folder, not of its name.
		const char* folder = i == 2 ? TARN_SOURCE_FOLDER "/scenes" : "";
		tnsOverrides overrides = tnsDefaultOverrides();
		overrides.allowOutside = i == 1;
		const char* named = i == 2 ? strstr(text, TARN_SOURCE_FOLDER) + strlen(TARN_SOURCE_FOLDER "/scenes/") : "";
		char inside[400];
		snprintf(
			inside, sizeof(inside), "{\"world\": {\"columns\": 64, \"rows\": 64}, \"terrain\": {\"file\": \"%s", named);
		const char* used = i == 2 ? inside : text;
		tnsScene* scene = tnsParseScene(used, strlen(used), "s.json", folder, &result);
		ENSURE(scene != NULL);
		tnsRun* run = NULL;
		result = tnsStartScene(scene, &overrides, &run);
		ENSURE_EQUAL_INT(result.status, i == 0 ? tns_fileError : tns_ok);
		tnsDestroyRun(run);
		tnsDestroyScene(scene);
	}
	return 0;
}

// A scene of a few bytes does not decide how much memory is used: the caller does, for the world and for all that is read.
static int MemoryIsLimited(void)
{
	tnsResult result;
	tnsRun* run = NULL;
	tnsScene* scene = Parse("{\"world\": {\"columns\": 8192, \"rows\": 8192}}", &result);
	ENSURE(scene != NULL);
	result = tnsStartScene(scene, NULL, &run);
	ENSURE_EQUAL_INT(result.status, tns_outOfMemory);
	ENSURE_TEXT(result.text, "8192 x 8192 cells need more memory than the 1073741824 bytes that are allowed");
	tnsDestroyScene(scene);

	// Files of 300 x 200 cells for worlds of 37 x 29: with little memory they are refused, with more they are read.
	static float values[300 * 200];
	ENSURE_EQUAL_INT(tnsWriteField("test_limit.r32", values, 300, 200, 300, NULL).status, tns_ok);
	static const char text[] = "{\"world\": {\"columns\": 37, \"rows\": 29},"
							   "\"terrain\": {\"file\": \"test_limit.r32\", \"columns\": 300, \"rows\": 200}}";
	scene = tnsParseScene(text, strlen(text), "s.json", "", &result);
	ENSURE(scene != NULL);
	bool wasEnough = false;
	int refusedCount = 0;
	for (size_t limit = 1; limit < (size_t)64 << 20; limit += 1 + limit / 3)
	{
		tnsOverrides overrides = tnsDefaultOverrides();
		overrides.memoryLimit = limit;
		result = tnsStartScene(scene, &overrides, &run);
		ENSURE((result.status == tns_ok) == (run != NULL));
		ENSURE(!wasEnough || result.status == tns_ok);
		wasEnough = wasEnough || result.status == tns_ok;
		refusedCount += result.status == tns_ok ? 0 : 1;
		if (run != NULL)
		{
			ENSURE(tnWorld_GetStats(tnsRun_GetWorld(run)).byteCount + sizeof(values) <= limit);
		}
		tnsDestroyRun(run);
	}
	ENSURE(wasEnough && refusedCount > 10);
	tnsDestroyScene(scene);
	remove("test_limit.r32");
	remove("test_limit.r32.json");

	// A file may have more cells than the world, but not without end: a million, or 16 times as many.
	static const char large[] = "{\"world\": {\"columns\": 32, \"rows\": 32},"
								"\"terrain\": {\"file\": \"a.r16\", \"columns\": 1025, \"rows\": 1024}}";
	FILE* file = fopen("a.r16", "wb");
	ENSURE(file != NULL);
	static const uint8_t zeros[1025 * 2];
	for (int row = 0; row < 1024; ++row)
	{
		ENSURE_EQUAL_INT(fwrite(zeros, 1, sizeof(zeros), file), sizeof(zeros));
	}
	fclose(file);
	scene = tnsParseScene(large, strlen(large), "s.json", "", &result);
	ENSURE(scene != NULL);
	result = tnsStartScene(scene, NULL, &run);
	ENSURE_EQUAL_INT(result.status, tns_badFormat);
	ENSURE_TEXT(result.text, "more than the 2097152 bytes that are allowed");
	tnsDestroyScene(scene);
	remove("a.r16");
	return 0;
}

// Everything from files: heights, depths and velocities come back as they were written.
static int FieldsFromFiles(void)
{
	enum
	{
		columns = 9,
		rows = 7
	};
	float heights[columns * rows], depths[columns * rows], velocities[columns * rows];
	for (int i = 0; i < columns * rows; ++i)
	{
		heights[i] = (float)(i * i) / 64.0f;
		depths[i] = i % 5 == 0 ? 0.0f : (float)i / 8.0f;
		velocities[i] = 0.0f;
	}
	ENSURE_EQUAL_INT(tnsWriteField("test_scene_bed.r32", heights, columns, rows, columns, NULL).status, tns_ok);
	ENSURE_EQUAL_INT(tnsWriteField("test_scene_depth.r32", depths, columns, rows, columns, NULL).status, tns_ok);
	ENSURE_EQUAL_INT(tnsWriteField("test_scene_zero.r32", velocities, columns, rows, columns, NULL).status, tns_ok);
	static const char text[] = "{\"world\": {\"columns\": 9, \"rows\": 7, \"origin\": [-3, 4]},"
							   "\"terrain\": {\"file\": \"test_scene_bed.r32\", \"scale\": 2, \"offset\": -1},"
							   "\"water\": {\"depthFile\": \"test_scene_depth.r32\", \"depthScale\": 0.5,"
							   " \"velocityFiles\": [\"test_scene_depth.r32\", \"test_scene_zero.r32\"]}}";
	tnsResult result;
	tnsScene* scene = tnsParseScene(text, sizeof(text) - 1, "s.json", "", &result);
	ENSURE_TEXT(result.text, "");
	tnsRun* run = NULL;
	result = tnsStartScene(scene, NULL, &run);
	ENSURE_TEXT(result.text, "");
	const tnFieldView bed = tnWorld_GetBed(tnsRun_GetWorld(run));
	const tnFieldView depth = tnWorld_GetDepth(tnsRun_GetWorld(run));
	float velocityX[columns * rows], velocityZ[columns * rows];
	ENSURE_OK(tnWorld_CopyVelocities(tnsRun_GetWorld(run), velocityX, velocityZ));
	for (int row = 0; row < rows; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			const int i = row * columns + column;
			ENSURE(bed.data[row * bed.stride + column] == 2.0f * heights[i] - 1.0f);
			ENSURE(depth.data[row * depth.stride + column] == 0.5f * depths[i]);
			ENSURE(velocityZ[i] == 0.0f);
		}
	}
	ENSURE(velocityX[4 * columns + 2] > 0.0f);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	remove("test_scene_bed.r32");
	remove("test_scene_bed.r32.json");
	remove("test_scene_depth.r32");
	remove("test_scene_depth.r32.json");
	remove("test_scene_zero.r32");
	remove("test_scene_zero.r32.json");
	return 0;
}

static int RawFileOfAnotherSize(void)
{
	const float heights[6] = {0};
	ENSURE_EQUAL_INT(tnsWriteField("test_scene_small.r32", heights, 3, 2, 3, NULL).status, tns_ok);
	static const char text[] = "{\"terrain\": {\"file\": \"test_scene_small.r32\"}}";
	tnsResult result;
	tnsScene* scene = tnsParseScene(text, sizeof(text) - 1, "s.json", "", &result);
	tnsRun* run = NULL;
	result = tnsStartScene(scene, NULL, &run);
	ENSURE_EQUAL_INT(result.status, tns_badFormat);
	ENSURE_TEXT(result.text,
		"s.json:1:22: test_scene_small.r32: 128 x 128 cells of .r32 need 65536 bytes, but the file has 24");
	tnsDestroyScene(scene);
	// The size of the file can be said, and is then stretched over the world.
	static const char sized[] = "{\"terrain\": {\"file\": \"test_scene_small.r32\", \"columns\": 3, \"rows\": 2}}";
	scene = tnsParseScene(sized, sizeof(sized) - 1, "s.json", "", &result);
	result = tnsStartScene(scene, NULL, &run);
	ENSURE_TEXT(result.text, "");
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	remove("test_scene_small.r32");
	remove("test_scene_small.r32.json");
	return 0;
}

// Water by level, boxes and discs: the volumes are those of the cells whose centres are inside.
static int InitialWater(void)
{
	tnsScene* scene = NULL;
	tnsResult result;
	tnsRun* run = Start(
		"{\"world\": {\"columns\": 20, \"rows\": 12, \"cellSize\": 0.5, \"origin\": [100, 50]},"
		"\"terrain\": {\"kind\": \"flat\", \"offset\": 1,"
		" \"features\": [{\"add\": \"box\", \"x\": 101, \"z\": 51, \"width\": 2, \"length\": 2, \"level\": 9}]},"
		"\"water\": {\"level\": 1.5, \"boxes\": [{\"x\": 105, \"z\": 53, \"width\": 2, \"length\": 1, \"depth\": 3}],"
		" \"discs\": [{\"x\": 108.25, \"z\": 53.25, \"radius\": 0.1, \"level\": 6}]},"
		"\"tracers\": [\"a\", \"b\"],"
		"\"tracersInitial\": [{\"tracer\": \"b\", \"shape\": \"all\", \"concentration\": 0.25},"
		" {\"tracer\": \"b\", \"x\": 101, \"z\": 51, \"width\": 4, \"length\": 4, \"concentration\": 2}]}",
		&scene, &result);
	ENSURE_TEXT(result.text, "");
	tnWorld* world = tnsRun_GetWorld(run);
	// 240 cells of 0.25 m^2: 16 dry under the box, 8 of 3 m, 1 of 5 m, the rest of 0.5 m. All exact in float.
	const double expected = 0.25 * (8 * 3.0 + 1 * 5.0 + (240 - 16 - 8 - 1) * 0.5);
	ENSURE_CLOSE(tnWorld_GetLedger(world).volume, expected, 1.0e-9);
	ENSURE_CLOSE(tnWorld_GetLedger(world).edits, expected, 1.0e-9);
	ENSURE(tnWorld_GetTracer(world, 0).data[0] == 0.0f);
	const tnFieldView tracer = tnWorld_GetTracer(world, 1);
	ENSURE(tracer.data[5 * tracer.stride + 5] == 2.0f);
	ENSURE(tracer.data[5 * tracer.stride + 15] == 0.25f);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return 0;
}

// Things happen at the step boundary nearest to their time.
static int TimedThings(void)
{
	tnsScene* scene = NULL;
	tnsResult result;
	tnsRun* run = Start(
		"{\"world\": {\"columns\": 16, \"rows\": 16}, \"timeStep\": 0.1, \"seconds\": 3, \"tracers\": [\"dye\"],"
		"\"water\": {\"level\": 1},"
		"\"sources\": [{\"name\": \"a\", \"x\": 8, \"z\": 8, \"rate\": 10, \"start\": 0.5, \"stop\": 1.5},"
		" {\"x\": 8, \"z\": 8, \"rate\": -2, \"start\": 2}],"
		"\"rain\": {\"mmPerHour\": 3600, \"start\": 1, \"stop\": 2},"
		"\"infiltration\": {\"rate\": 0.001, \"stop\": 1},"
		"\"gauges\": [{\"name\": \"g\", \"x\": 2, \"z\": 3}], \"regions\": [{\"shape\": \"box\", \"x\": 4, \"z\": 4,"
		" \"width\": 2, \"length\": 2, \"triggerDepth\": 0.9}],"
		"\"edits\": [{\"time\": 2.5, \"every\": 0.2, \"until\": 2.8, \"water\": {\"x\": 8, \"z\": 8, \"radius\": 2,"
		" \"volume\": 1}}, {\"time\": 0.96, \"terrain\": {\"add\": \"box\", \"x\": 4, \"z\": 4, \"width\": 4,"
		" \"length\": 4, \"level\": -2}}, {\"time\": 0, \"brush\": {\"x\": 12, \"z\": 12, \"radius\": 2, \"amount\": "
		"0.25,"
		" \"falloff\": 0}}, {\"time\": 0, \"impulse\": {\"x\": 8, \"z\": 8, \"radius\": 4, \"impulse\": [1000, 0]}},"
		" {\"time\": 0, \"tracer\": {\"tracer\": \"dye\", \"x\": 8, \"z\": 8, \"radius\": 2, \"concentration\": 1}}]}",
		&scene, &result);
	ENSURE_TEXT(result.text, "");
	tnWorld* world = tnsRun_GetWorld(run);
	ENSURE_EQUAL_INT(tnsRun_GetStepCount(run), 30);
	ENSURE(strcmp(tnsScene_GetSourceName(scene, 1), "source 2") == 0);
	ENSURE(strcmp(tnsScene_GetRegionName(scene, 0), "region 1") == 0);
	ENSURE(tnsScene_GetGaugePosition(scene, 0).z == 3.0f);
	ENSURE(tnGauge_IsValid(world, tnsRun_GetGauge(run, 0)));
	ENSURE(tnRegion_IsValid(world, tnsRun_GetRegion(run, 0)));
	ENSURE(tnSource_IsValid(world, tnsRun_GetSource(run, 1)));
	for (int step = 1; tnsRun_IsFinished(run) == false; ++step)
	{
		result = tnsRun_Step(run);
		ENSURE_TEXT(result.text, "");
		const tnLedger ledger = tnWorld_GetLedger(world);
		// Sources act in steps 6 to 15, rain in 11 to 20, the drain from 21, infiltration in 1 to 10, water at 26, 28.
		const int sourceSteps = step < 6 ? 0 : (step > 15 ? 10 : step - 5);
		const int rainSteps = step < 11 ? 0 : (step > 20 ? 10 : step - 10);
		const int drainSteps = step < 21 ? 0 : step - 20;
		const int soakSteps = step > 10 ? 10 : step;
		const int pours = (step >= 26 ? 1 : 0) + (step >= 28 ? 1 : 0);
		// Rates are float32 and so are the depths they are added to: a part in a million and the drift.
		ENSURE_CLOSE(ledger.sources, 1.0 * sourceSteps, 1.0e-4);
		ENSURE_CLOSE(ledger.drains, -0.2 * drainSteps, 1.0e-4);
		ENSURE_CLOSE(ledger.rain, 256.0 * 0.001 * 0.1 * rainSteps, 1.0e-4);
		ENSURE_CLOSE(ledger.infiltration, -256.0 * 0.001 * 0.1 * soakSteps, 1.0e-4);
		ENSURE_CLOSE(ledger.edits, 256.0 + pours, 1.0e-4);
		const tnFieldView bed = tnWorld_GetBed(world);
		// 0.96 s is nearest to the boundary after 10 steps: the 11th step is the first with the pit.
		ENSURE(bed.data[4 * bed.stride + 4] == (step > 10 ? -2.0f : 0.0f));
		ENSURE(bed.data[12 * bed.stride + 12] == 0.25f);
	}
	ENSURE_CLOSE(tnsRun_GetTime(run), 3.0, 1.0e-6);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return 0;
}

static int Overrides(void)
{
	tnsResult result;
	tnsScene* scene =
		Parse("{\"world\": {\"columns\": 33, \"rows\": 21}, \"method\": \"linear\", \"seconds\": 1,"
			  "\"water\": {\"boxes\": [{\"x\": 8, \"z\": 8, \"width\": 8, \"length\": 8, \"depth\": 2}]}}",
			&result);
	ENSURE(scene != NULL);
	tnsOverrides overrides = tnsDefaultOverrides();
	uint64_t hashes[3];
	for (int i = 0; i < 3; ++i)
	{
		overrides.workerCount = i + 1;
		overrides.method = i == 2 ? tn_pipeMethod : tn_methodCount;
		overrides.seconds = 0.5;
		tnsRun* run = NULL;
		result = tnsStartScene(scene, &overrides, &run);
		ENSURE_TEXT(result.text, "");
		ENSURE_EQUAL_INT(tnsRun_GetStepCount(run), 30);
		ENSURE(tnsRun_GetSeconds(run) == 0.5);
		ENSURE_EQUAL_INT(tnWorld_GetDef(tnsRun_GetWorld(run)).method, i == 2 ? tn_pipeMethod : tn_linearMethod);
		while (tnsRun_IsFinished(run) == false)
		{
			ENSURE_EQUAL_INT(tnsRun_Step(run).status, tns_ok);
		}
		hashes[i] = tnWorld_GetHash(tnsRun_GetWorld(run));
		tnsDestroyRun(run);
	}
	ENSURE_EQUAL_HEX(hashes[0], hashes[1]);
	ENSURE(hashes[0] != hashes[2]);

	tnsRun* run = NULL;
	overrides.workerCount = 1000;
	result = tnsStartScene(scene, &overrides, &run);
	ENSURE_EQUAL_INT(result.status, tns_worldError);
	ENSURE(run == NULL);
	overrides = tnsDefaultOverrides();
	overrides.memoryLimit = 100;
	result = tnsStartScene(scene, &overrides, &run);
	ENSURE_EQUAL_INT(result.status, tns_outOfMemory);
	overrides = tnsDefaultOverrides();
	overrides.seconds = NAN;
	ENSURE_EQUAL_INT(tnsStartScene(scene, &overrides, &run).status, tns_invalidArgument);
	ENSURE_EQUAL_INT(tnsStartScene(NULL, NULL, &run).status, tns_invalidArgument);
	tnsDestroyScene(scene);
	return 0;
}

// Channels for a player move no water.
static int ExtraTracers(void)
{
	tnsResult result;
	tnsScene* scene =
		Parse("{\"world\": {\"columns\": 33, \"rows\": 21}, \"method\": \"shallow\", \"tracers\": [\"mud\"],"
			  "\"water\": {\"boxes\": [{\"x\": 8, \"z\": 8, \"width\": 8, \"length\": 8, \"depth\": 2}]}}",
			&result);
	ENSURE(scene != NULL);
	tnsOverrides overrides = tnsDefaultOverrides();
	tnsRun* runs[2] = {NULL, NULL};
	for (int i = 0; i < 2; ++i)
	{
		overrides.extraTracers = 2 * i;
		result = tnsStartScene(scene, &overrides, &runs[i]);
		ENSURE_EQUAL_INT(result.status, tns_ok);
		ENSURE_EQUAL_INT(tnWorld_GetDef(tnsRun_GetWorld(runs[i])).tracerCount, 1 + 2 * i);
	}
	ENSURE_OK(tnWorld_AddTracer(tnsRun_GetWorld(runs[1]), 2, (tnVec2){8.0f, 8.0f}, 3.0f, 1.0f));
	for (int step = 0; step < 60; ++step)
	{
		ENSURE_EQUAL_INT(tnsRun_Step(runs[0]).status, tns_ok);
		ENSURE_EQUAL_INT(tnsRun_Step(runs[1]).status, tns_ok);
	}
	const tnFieldView plain = tnWorld_GetDepth(tnsRun_GetWorld(runs[0]));
	const tnFieldView extra = tnWorld_GetDepth(tnsRun_GetWorld(runs[1]));
	for (int row = 0; row < 21; ++row)
	{
		ENSURE(memcmp(plain.data + row * plain.stride, extra.data + row * extra.stride, 33 * sizeof(float)) == 0);
	}
	ENSURE(tnWorld_Sample(tnsRun_GetWorld(runs[1]), (tnVec2){8.0f, 8.0f}).tracers[2] > 0.1f);
	tnsDestroyRun(runs[0]);
	tnsDestroyRun(runs[1]);

	static const int wrong[] = {-1, TN_MAX_TRACERS, 1000000};
	for (int i = 0; i < 3; ++i)
	{
		tnsRun* run = NULL;
		overrides.extraTracers = wrong[i];
		result = tnsStartScene(scene, &overrides, &run);
		ENSURE_EQUAL_INT(result.status, tns_invalidArgument);
		ENSURE_TEXT(result.text, "extraTracers must be in [0, 7]");
		ENSURE(run == NULL);
	}
	tnsDestroyScene(scene);
	return 0;
}

// Rain of a player falls on top of the rain of the scene, map or not, and leaves it as it was.
static int ExtraRain(void)
{
	enum
	{
		columns = 9,
		rows = 7
	};
	float map[columns * rows];
	for (int i = 0; i < columns * rows; ++i)
	{
		map[i] = i % columns < 3 ? 2.0f : 0.0f;
	}
	ENSURE_EQUAL_INT(tnsWriteField("test_scene_rain.r32", map, columns, rows, columns, NULL).status, tns_ok);
	static const char* const rains[3] = {"", ", \"rain\": {\"mmPerHour\": 3600}",
		", \"rain\": {\"mmPerHour\": 3600, \"mapFile\": \"test_scene_rain.r32\"}"};
	// 3600 mm/h are 1 mm/s; the map lets two thirds of that fall.
	static const double rates[3] = {0.0, 1.0e-3, 1.0e-3 * 2.0 / 3.0};
	for (int i = 0; i < 3; ++i)
	{
		char text[256];
		snprintf(text, sizeof(text), "{\"world\": {\"columns\": 9, \"rows\": 7}%s}", rains[i]);
		tnsResult result;
		tnsScene* scene = tnsParseScene(text, strlen(text), "s.json", "", &result);
		ENSURE_EQUAL_INT(result.status, tns_ok);
		tnsRun* run = NULL;
		result = tnsStartScene(scene, NULL, &run);
		ENSURE_EQUAL_INT(result.status, tns_ok);
		tnWorld* world = tnsRun_GetWorld(run);
		double before = 0.0;
		for (int part = 0; part < 3; ++part)
		{
			// Only in the middle second.
			const double extra = part == 1 ? 2.0e-3 : 0.0;
			ENSURE_EQUAL_INT(tnsRun_SetExtraRain(run, (float)extra).status, tns_ok);
			for (int step = 0; step < 60; ++step)
			{
				ENSURE_EQUAL_INT(tnsRun_Step(run).status, tns_ok);
			}
			const double rain = tnWorld_GetLedger(world).rain;
			// Rain is saved up until it can be seen in a float: a part of a step may still be missing.
			const double expected = (rates[i] + extra) * columns * rows;
			ENSURE_CLOSE(rain - before, expected, 3.0e-3 * columns * rows / 30.0);
			before = rain;
		}
		ENSURE_EQUAL_INT(tnsRun_SetExtraRain(run, NAN).status, tns_invalidArgument);
		ENSURE_EQUAL_INT(tnsRun_SetExtraRain(run, -1.0f).status, tns_invalidArgument);
		ENSURE_EQUAL_INT(tnsRun_SetExtraRain(run, 1.0e9f).status, tns_invalidArgument);
		tnsDestroyRun(run);
		tnsDestroyScene(scene);
	}
	remove("test_scene_rain.r32");
	remove("test_scene_rain.r32.json");
	return 0;
}

// Each method and advection by its name, and what the caller wants instead.
static int Methods(void)
{
	static const char* const methods[tn_methodCount] = {"pipe", "linear", "shallow"};
	static const char* const advections[tn_advectionCount] = {"conservative", "fine", "semi-lagrangian", "maccormack"};
	for (int i = 0; i < tn_methodCount * tn_advectionCount; ++i)
	{
		const tnMethod method = (tnMethod)(i / tn_advectionCount);
		const tnAdvection advection = (tnAdvection)(i % tn_advectionCount);
		char text[256];
		snprintf(text, sizeof(text),
			"{\"method\": \"%s\", \"advection\": \"%s\", \"vorticityConfinement\": 0.25, \"water\": {\"level\": 1}}",
			methods[method], advections[advection]);
		tnsResult result;
		tnsScene* scene = Parse(text, &result);
		ENSURE_TEXT(result.text, "");
		ENSURE(scene != NULL);
		const tnWorldDef* def = &tnsScene_GetInfo(scene)->worldDef;
		ENSURE_EQUAL_INT(def->method, method);
		ENSURE_EQUAL_INT(def->advection, advection);
		ENSURE(def->vorticityConfinement == 0.25f);

		tnsOverrides overrides = tnsDefaultOverrides();
		for (int overridden = 0; overridden < 2; ++overridden)
		{
			overrides.method = overridden ? tn_shallowMethod : tn_methodCount;
			overrides.advection = overridden ? tn_macCormackAdvection : tn_advectionCount;
			tnsRun* run = NULL;
			result = tnsStartScene(scene, &overrides, &run);
			ENSURE_EQUAL_INT(result.status, tns_ok);
			const tnWorldDef made = tnWorld_GetDef(tnsRun_GetWorld(run));
			ENSURE_EQUAL_INT(made.method, overridden ? tn_shallowMethod : method);
			ENSURE_EQUAL_INT(made.advection, overridden ? tn_macCormackAdvection : advection);
			ENSURE(made.vorticityConfinement == 0.25f);
			ENSURE_EQUAL_INT(tnsRun_Step(run).status, tns_ok);
			tnsDestroyRun(run);
		}
		overrides = tnsDefaultOverrides();
		overrides.advection = (tnAdvection)7;
		tnsRun* run = NULL;
		result = tnsStartScene(scene, &overrides, &run);
		ENSURE_EQUAL_INT(result.status, tns_worldError);
		ENSURE(strstr(result.text, "advection must be in [0, 3], got 7") != NULL);
		tnsDestroyScene(scene);
	}
	return 0;
}

// Rounding the corners of a line takes the corner away and leaves the ends.
static int SmoothLines(void)
{
	float heights[2][3];
	for (int smooth = 0; smooth < 2; ++smooth)
	{
		char text[512];
		snprintf(text, sizeof(text),
			"{\"world\": {\"columns\": 20, \"rows\": 20}, \"terrain\": {\"features\": [{\"add\": \"wall\", \"smooth\": "
			"%d,"
			" \"points\": [[1.5, 16.5], [16.5, 16.5], [16.5, 1.5]], \"width\": 1, \"level\": 3}]}}",
			4 * smooth);
		tnsScene* scene = NULL;
		tnsResult result;
		tnsRun* run = Start(text, &scene, &result);
		ENSURE_TEXT(result.text, "");
		const tnFieldView bed = tnWorld_GetBed(tnsRun_GetWorld(run));
		heights[smooth][0] = bed.data[16 * bed.stride + 1];
		heights[smooth][1] = bed.data[16 * bed.stride + 16];
		heights[smooth][2] = bed.data[1 * bed.stride + 16];
		tnsDestroyRun(run);
		tnsDestroyScene(scene);
	}
	ENSURE(heights[0][0] == 3.0f && heights[0][1] == 3.0f && heights[0][2] == 3.0f);
	ENSURE(heights[1][0] == 3.0f && heights[1][1] == 0.0f && heights[1][2] == 3.0f);
	return 0;
}

// Terrain that leaves the range of heights is refused with the cell.
static int TerrainOutOfRange(void)
{
	tnsScene* scene = NULL;
	tnsResult result;
	const tnsRun* run =
		Start("{\n\"terrain\": {\"kind\": \"plane\", \"slope\": [100, 0], \"scale\": 100}}", &scene, &result);
	ENSURE(run == NULL);
	ENSURE_EQUAL_INT(result.status, tns_badScene);
	ENSURE_TEXT(
		result.text, "s.json:2:12: heights must be from -100000 to 100000, but at column 0, row 0 the terrain gives");
	tnsDestroyScene(scene);
	return 0;
}

// The first block of JSON of the chapter that is a whole scene is read and run.
static int ExampleOfTheDocs(void)
{
	char* text = NULL;
	size_t size = 0;
	tnsResult result = tnsReadFile(TARN_SOURCE_FOLDER "/docs/scenes.md", 1 << 20, &text, &size);
	ENSURE_TEXT(result.text, "");
	char* terminated = realloc(text, size + 1);
	ENSURE(terminated != NULL);
	terminated[size] = 0;
	const char* begin = strstr(terminated, "```json\n");
	ENSURE(begin != NULL);
	begin += strlen("```json\n");
	const char* end = strstr(begin, "```");
	ENSURE(end != NULL);
	tnsScene* scene = tnsParseScene(begin, (size_t)(end - begin), "example", TARN_SOURCE_FOLDER "/scenes", &result);
	free(terminated);
	ENSURE_TEXT(result.text, "");
	tnsRun* run = NULL;
	tnsOverrides overrides = tnsDefaultOverrides();
	overrides.seconds = 2.0;
	result = tnsStartScene(scene, &overrides, &run);
	ENSURE_TEXT(result.text, "");
	while (tnsRun_IsFinished(run) == false)
	{
		result = tnsRun_Step(run);
		ENSURE_TEXT(result.text, "");
	}
	ENSURE(tnWorld_GetLedger(tnsRun_GetWorld(run)).volume > 0.0);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);
	return 0;
}

// What the ground shows: levels, a blend map, textures; and mistakes in them.
static int GroundLooks(void)
{
	static const ErrorCase cases[] = {
		{"{\"ground\": {\"beechLevel\": 1}}",
			"s.json:1:13: unknown key \"beechLevel\" in ground; did you mean \"beachLevel\"?"},
		{"{\"ground\": {\"rockSlope\": 0}}", "s.json:1:26: rockSlope must be a number from 0.01 to 100, got 0"},
		{"{\"ground\": {\"textureSize\": 1e9}}",
			"s.json:1:28: textureSize must be a number from 0.01 to 10000, got 1e+09"},
		{"{\"ground\": {\"blendMap\": \"a.r16\"}}", "s.json:1:25: pictures of the ground must be .png, got \"a.r16\""},
		{"{\"ground\": {\"textures\": {\"mud\": \"a.png\"}}}", "s.json:1:26: unknown key \"mud\" in textures"},
		{"{\"ground\": 3}", "s.json:1:12: ground must be an object, got 3"},
	};
	ENSURE(CHECK_ERRORS(cases) == 0);
	tnsResult result;
	tnsScene* scene = NULL;
	tnsRun* run =
		Start("{\"ground\": {\"treeLine\": 7, \"textures\": {\"rock\": \"no_such_rock.png\"}}}", &scene, &result);
	ENSURE(run == NULL);
	ENSURE_TEXT(result.text, "s.json:1:49: this scene has no folder to read \"no_such_rock.png\" from");
	tnsDestroyScene(scene);
	run = Start("{\"ground\": {\"treeLine\": 7}}", &scene, &result);
	ENSURE(run != NULL);
	const tnsGroundLook* plain = tnsRun_GetGround(run);
	ENSURE(plain->treeLine == 7.0f && isnan(plain->beachLevel) && isnan(plain->snowLine) && plain->rockSlope == 0.0f);
	ENSURE(plain->blend == NULL && plain->textures[0] == NULL && plain->textures[2] == NULL);
	tnsDestroyRun(run);
	tnsDestroyScene(scene);

	// West sand, middle half grass and half snow, east rock; and a texture of one colour.
	const uint8_t map[9] = {255, 0, 0, 0, 128, 0, 0, 0, 255};
	const uint8_t color[3] = {10, 120, 250};
	ENSURE_EQUAL_INT(tnsWritePicture("test_ground_map.png", map, 3, 1).status, tns_ok);
	ENSURE_EQUAL_INT(tnsWritePicture("test_ground_rock.png", color, 1, 1).status, tns_ok);
	const tnsGridRequest request = {.format = tns_pngFormat};
	tnsGrid grid;
	const bool hasPng = tnsLoadGrid("test_ground_map.png", &request, &grid).status == tns_ok;
	tnsFreeGrid(&grid);
	static const char text[] =
		"{\"world\": {\"columns\": 9, \"rows\": 5}, \"ground\": {\"blendMap\": \"test_ground_map.png\","
		"\"textures\": {\"rock\": \"test_ground_rock.png\"}, \"textureSize\": 2}}";
	scene = tnsParseScene(text, strlen(text), "s.json", "", &result);
	ENSURE(scene != NULL);
	if (hasPng)
	{
		ENSURE_TEXT(tnsStartScene(scene, NULL, &run).text, "");
		const tnsGroundLook* look = tnsRun_GetGround(run);
		ENSURE(
			look->blend != NULL && look->textures[2] != NULL && look->textures[1] == NULL && look->textureSize == 2.0f);
		const uint8_t *west = look->blend + 4 * 9, *middle = west + 4 * 4, *east = west + 4 * 8;
		ENSURE(west[0] == 255 && west[1] == 0 && west[2] == 0 && west[3] == 0);
		ENSURE(middle[0] == 0 && middle[1] == 128 && middle[2] == 0 && middle[3] == 127);
		ENSURE(east[2] == 255 && east[3] == 0);
		for (size_t i = 0; i < (size_t)TNS_TEXTURE_SIDE * TNS_TEXTURE_SIDE; i += 7777)
		{
			ENSURE(memcmp(look->textures[2] + 3 * i, color, 3) == 0);
		}
		tnsDestroyRun(run);
		// Textures count.
		tnsOverrides overrides = tnsDefaultOverrides();
		overrides.memoryLimit = 1 << 20;
		ENSURE_EQUAL_INT(tnsStartScene(scene, &overrides, &run).status, tns_outOfMemory);
	}
	tnsDestroyScene(scene);
	remove("test_ground_map.png");
	remove("test_ground_rock.png");
	return 0;
}

// Every scene that comes with tarn: starts, runs, keeps its books, and needs no more sub-steps than it may take.
static int ScenesThatComeWithTarn(void)
{
	static const char* const names[] = {
#include "scene_names.inc"
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
	{
		char path[512];
		snprintf(path, sizeof(path), "%s/scenes/%s.json", TARN_SOURCE_FOLDER, names[i]);
		tnsResult result;
		tnsScene* scene = tnsLoadScene(path, &result);
		ENSURE_TEXT(result.text, "");
		ENSURE(strlen(tnsScene_GetInfo(scene)->description) > 20);
		tnsRun* run = NULL;
		result = tnsStartScene(scene, NULL, &run);
		ENSURE_TEXT(result.text, "");
		tnWorld* world = tnsRun_GetWorld(run);
		for (int step = 0; step < 20; ++step)
		{
			result = tnsRun_Step(run);
			ENSURE_TEXT(result.text, "");
			ENSURE(tnWorld_GetStats(world).waveSlowdown == 1.0f);
		}
		const tnLedger ledger = tnWorld_GetLedger(world);
		// float32 depths: 2^-24 of each cell's water at most per step, far less in sum.
		ENSURE_CLOSE(ledger.drift, 0.0, 1.0e-6 * (ledger.volume + 1.0));
		tnsDestroyRun(run);
		tnsDestroyScene(scene);
	}
	return 0;
}

static const Test s_tests[] = {
	{"Defaults", Defaults},
	{"TracerColors", TracerColors},
	{"GroundLooks", GroundLooks},
	{"WrongKeysAndTypes", WrongKeysAndTypes},
	{"WrongEdges", WrongEdges},
	{"WrongTerrainAndWater", WrongTerrainAndWater},
	{"WrongParts", WrongParts},
	{"Brackets", Brackets},
	{"Files", Files},
	{"FilesOutside", FilesOutside},
	{"MemoryIsLimited", MemoryIsLimited},
	{"FieldsFromFiles", FieldsFromFiles},
	{"RawFileOfAnotherSize", RawFileOfAnotherSize},
	{"InitialWater", InitialWater},
	{"TimedThings", TimedThings},
	{"Overrides", Overrides},
	{"ExtraTracers", ExtraTracers},
	{"ExtraRain", ExtraRain},
	{"Methods", Methods},
	{"SmoothLines", SmoothLines},
	{"TerrainOutOfRange", TerrainOutOfRange},
	{"ExampleOfTheDocs", ExampleOfTheDocs},
	{"ScenesThatComeWithTarn", ScenesThatComeWithTarn},
};
const TestSuite sceneSuite = TEST_SUITE("scene", s_tests);

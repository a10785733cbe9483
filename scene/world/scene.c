// SPDX-License-Identifier: MIT

// Reads scene files as a whole. Keys are documented in docs/scenes.md.

#include "scene.h"

#include "terrain/terrain_files.h"
#include "world/scene_rules.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// World and edges

typedef struct tnsWorldSize
{
	int columns, rows;
	float cellSize;
	tnVec2 origin;
} tnsWorldSize;

static bool tnsReadWorld(tnsSceneReader* reader, const tnsJson* value)
{
	static const tnsRule rules[] = {
		{"columns", tns_intRule, false, offsetof(tnsWorldSize, columns), 4, 65536, NULL},
		{"rows", tns_intRule, false, offsetof(tnsWorldSize, rows), 4, 65536, NULL},
		{"cellSize", tns_floatRule, false, offsetof(tnsWorldSize, cellSize), 0.001, 1000, NULL},
		{"origin", tns_vectorRule, false, offsetof(tnsWorldSize, origin), -TNS_LENGTH, TNS_LENGTH, NULL},
	};
	tnsScene* scene = reader->scene;
	tnWorldDef* def = &scene->info.worldDef;
	tnsWorldSize size = {def->columnCount, def->rowCount, def->cellSize, def->origin};
	if (value != NULL)
	{
		if (TNS_READ(reader, value, "world", rules, &size) == false)
		{
			return false;
		}
		if ((int64_t)size.columns * size.rows > TN_MAX_CELLS)
		{
			return tnsFail(reader, value->place, "the world has %d x %d cells; at most %d cells are allowed",
				size.columns, size.rows, TN_MAX_CELLS);
		}
		const double highX = (double)size.origin.x + size.columns * (double)size.cellSize;
		const double highZ = (double)size.origin.z + size.rows * (double)size.cellSize;
		if (highX > TNS_LENGTH || highZ > TNS_LENGTH)
		{
			return tnsFail(reader, value->place, "the world reaches to x = %.9g, z = %.9g; at most %.9g is allowed",
				highX, highZ, TNS_LENGTH);
		}
	}
	def->columnCount = size.columns;
	def->rowCount = size.rows;
	def->cellSize = size.cellSize;
	def->origin = size.origin;
	scene->cells =
		(tnsCells){size.columns, size.rows, (double)size.cellSize, (double)size.origin.x, (double)size.origin.z};
	return true;
}

static bool tnsReadCurve(tnsSceneReader* reader, const tnsJson* value, double low, double high, tnsEdgeRule* edge)
{
	if (tnsCheckArray(reader, value, "curve", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	if (value->count == 0)
	{
		return tnsFail(reader, value->place, "curve needs at least one [time, value]");
	}
	edge->curve = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnCurvePoint));
	if (edge->curve == NULL)
	{
		return false;
	}
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		double numbers[2] = {0};
		if (tnsReadNumbers(reader, item, "a point of the curve", 2, -TNS_MAX_SECONDS, TNS_MAX_SECONDS, numbers) ==
				false ||
			tnsCheckNumber(reader, item->first->next, "the value of a curve", low, high) == false)
		{
			return false;
		}
		tnCurvePoint* point = edge->curve + edge->curveCount;
		*point = (tnCurvePoint){(float)numbers[0], (float)numbers[1]};
		if (edge->curveCount > 0 && point->time <= point[-1].time)
		{
			return tnsFail(reader, item->first->place, "times of a curve must increase, got %.9g after %.9g",
				(double)point->time, (double)point[-1].time);
		}
		edge->curveCount += 1;
	}
	return true;
}

static bool tnsReadEdge(tnsSceneReader* reader, const tnsJson* value, const char* what, tnSide side)
{
	static const char* const kinds[] = {"wall", "open", "absorb", "level", "inflow", "wrap", NULL};
	static const tnsRule rules[] = {
		{"kind", tns_choiceRule, true, offsetof(tnEdgeDef, kind), 0, 0, kinds},
		{"level", tns_floatRule, false, offsetof(tnEdgeDef, level), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"tide", tns_customRule, false, 0, 0, 0, NULL},
		{"curve", tns_customRule, false, 0, 0, 0, NULL},
		{"inflow", tns_floatRule, false, offsetof(tnEdgeDef, inflow), 0, 1.0e6, NULL},
		{"range", tns_customRule, false, 0, 0, 0, NULL},
		{"spongeWidth", tns_intRule, false, offsetof(tnEdgeDef, spongeWidth), 1, 65536, NULL},
		{"tracers", tns_customRule, false, 0, 0, 0, NULL},
	};
	static const tnsRule tideRules[] = {
		{"amplitude", tns_floatRule, true, offsetof(tnEdgeDef, tideAmplitude), 0, TNS_LENGTH, NULL},
		{"period", tns_floatRule, true, offsetof(tnEdgeDef, tidePeriod), 0.001, TNS_MAX_SECONDS, NULL},
		{"phase", tns_floatRule, false, offsetof(tnEdgeDef, tidePhase), -1000, 1000, NULL},
	};
	// Which keys mean something for which kind of edge. A tide on a wall is a mistake that would go unnoticed.
	static const struct
	{
		const char* key;
		bool kinds[tn_edgeKindCount];
		const char* where;
	} uses[] = {
		{"level", {[tn_absorbEdge] = true, [tn_levelEdge] = true}, "absorb and level"},
		{"tide", {[tn_levelEdge] = true}, "level"},
		{"curve", {[tn_levelEdge] = true, [tn_inflowEdge] = true}, "level and inflow"},
		{"inflow", {[tn_inflowEdge] = true}, "inflow"},
		{"range", {[tn_inflowEdge] = true}, "inflow"},
		{"spongeWidth", {[tn_absorbEdge] = true}, "absorb"},
		{"tracers", {[tn_levelEdge] = true, [tn_inflowEdge] = true}, "level and inflow"},
	};

	tnEdgeDef* def = &reader->scene->info.worldDef.edges[side];
	tnsEdgeRule* edge = &reader->scene->edges[side];
	edge->place = value->place;
	if (TNS_READ(reader, value, what, rules, def) == false)
	{
		return false;
	}
	for (int i = 0; i < TNS_COUNT_OF(uses); ++i)
	{
		const tnsJson* child = tnsJson_Find(value, uses[i].key);
		if (child != NULL && uses[i].kinds[def->kind] == false)
		{
			return tnsFail(reader, child->keyPlace, "\"%s\" is only for edges of kind %s, this one is of kind %s",
				uses[i].key, uses[i].where, kinds[def->kind]);
		}
	}
	const tnsJson* tide = tnsJson_Find(value, "tide");
	if (tide != NULL && TNS_READ(reader, tide, "tide", tideRules, def) == false)
	{
		return false;
	}
	const tnsJson* range = tnsJson_Find(value, "range");
	if (range != NULL)
	{
		const int count =
			side == tn_west || side == tn_east ? reader->scene->cells.rowCount : reader->scene->cells.columnCount;
		double numbers[2] = {0};
		if (tnsReadNumbers(reader, range, "range", 2, 0, count, numbers) == false ||
			tnsCheckWhole(reader, range->first, "range", 0, count) == false ||
			tnsCheckWhole(reader, range->first->next, "range", 0, count) == false)
		{
			return false;
		}
		if (numbers[0] >= numbers[1])
		{
			return tnsFail(reader, range->place, "range must be [first cell, cell after the last], got [%g, %g]",
				numbers[0], numbers[1]);
		}
		def->inflowBegin = (int)numbers[0];
		def->inflowEnd = (int)numbers[1];
	}
	const tnsJson* curve = tnsJson_Find(value, "curve");
	const bool flows = def->kind == tn_inflowEdge;
	if (curve != NULL &&
		tnsReadCurve(reader, curve, flows ? 0.0 : -TNS_LENGTH, flows ? 1.0e6 : TNS_LENGTH, edge) == false)
	{
		return false;
	}
	return tnsReadConcentrations(reader, tnsJson_Find(value, "tracers"), def->tracers);
}

static bool tnsReadEdges(tnsSceneReader* reader, const tnsJson* value)
{
	static const tnsRule rules[] = {
		{"west", tns_customRule, false, 0, 0, 0, NULL},
		{"east", tns_customRule, false, 0, 0, 0, NULL},
		{"north", tns_customRule, false, 0, 0, 0, NULL},
		{"south", tns_customRule, false, 0, 0, 0, NULL},
	};
	tnEdgeDef* defs = reader->scene->info.worldDef.edges;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		defs[side] = tnDefaultEdgeDef();
	}
	if (value == NULL)
	{
		return true;
	}
	if (TNS_READ(reader, value, "edges", rules, NULL) == false)
	{
		return false;
	}
	for (int side = 0; side < tn_sideCount; ++side)
	{
		const tnsJson* edge = tnsJson_Find(value, rules[side].key);
		if (edge != NULL && tnsReadEdge(reader, edge, rules[side].key, (tnSide)side) == false)
		{
			return false;
		}
	}
	for (int side = 0; side < tn_sideCount; side += 2)
	{
		if ((defs[side].kind == tn_wrapEdge) != (defs[side + 1].kind == tn_wrapEdge))
		{
			return tnsFail(reader, value->place, "%s and %s must both be of kind wrap, or neither", rules[side].key,
				rules[side + 1].key);
		}
	}
	return true;
}

static bool tnsReadTracerNames(tnsSceneReader* reader, const tnsJson* value)
{
	tnsSceneInfo* info = &reader->scene->info;
	if (value == NULL)
	{
		return true;
	}
	if (tnsCheckArray(reader, value, "tracers", TN_MAX_TRACERS) == false)
	{
		return false;
	}
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		if (tnsCheckText(reader, item, "a tracer", true) == false)
		{
			return false;
		}
		for (int i = 0; i < info->worldDef.tracerCount; ++i)
		{
			if (strcmp(info->tracerNames[i], item->string) == 0)
			{
				return tnsFail(reader, item->place, "tracer \"%s\" is named twice", item->string);
			}
		}
		info->tracerNames[info->worldDef.tracerCount++] = item->string;
	}
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// The scene as a whole

static bool tnsReadTracerColors(tnsSceneReader* reader, const tnsJson* value, tnsView* view)
{
	if (value == NULL)
	{
		return true;
	}
	if (value->kind != tns_jsonObject)
	{
		return tnsFail(reader, value->place,
			"tracerColors must be an object of colours by name, like {\"dye\": \"#d01040\"}, got %s",
			tnsDescribe(value).text);
	}
	for (const tnsJson* child = value->first; child != NULL; child = child->next)
	{
		int channel = 0;
		if (tnsFindTracer(reader, child->key, child->keyPlace, &channel) == false)
		{
			return false;
		}
		if (tnsReadColor(reader, child, &view->tracerColors[channel]) == false)
		{
			return false;
		}
		view->hasTracerColor[channel] = true;
	}
	return true;
}

static bool tnsReadView(tnsSceneReader* reader, const tnsJson* value)
{
	static const char* const modes[] = {"water", "depth", "speed", "tracer", "waves", NULL};
	static const tnsRule rules[] = {
		{"mode", tns_choiceRule, false, offsetof(tnsView, mode), 0, 0, modes},
		{"every", tns_doubleRule, false, offsetof(tnsView, every), 0.001, TNS_MAX_SECONDS, NULL},
		{"scale", tns_intRule, false, offsetof(tnsView, scale), 0, 16, NULL},
		{"maxDepth", tns_floatRule, false, offsetof(tnsView, maxDepth), 0, TNS_LENGTH, NULL},
		{"maxSpeed", tns_floatRule, false, offsetof(tnsView, maxSpeed), 0, 1000, NULL},
		{"tracer", tns_customRule, false, 0, 0, 0, NULL},
		{"tracerColors", tns_customRule, false, 0, 0, 0, NULL},
	};
	tnsView* view = &reader->scene->info.view;
	view->every = 1.0;
	view->scale = 0;
	if (value == NULL)
	{
		return true;
	}
	if (TNS_READ(reader, value, "view", rules, view) == false)
	{
		return false;
	}
	const tnsJson* tracer = tnsJson_Find(value, "tracer");
	if (tracer != NULL &&
		(tnsCheckText(reader, tracer, "tracer", true) == false ||
			tnsFindTracer(reader, tracer->string, tracer->place, &view->tracer) == false))
	{
		return false;
	}
	if (tnsReadTracerColors(reader, tnsJson_Find(value, "tracerColors"), view) == false)
	{
		return false;
	}
	if (view->mode == tns_tracerView && reader->scene->info.worldDef.tracerCount == 0)
	{
		return tnsFail(reader, value->place, "a view of mode tracer needs a scene with tracers");
	}
	if (view->mode == tns_wavesView && reader->scene->info.worldDef.waves.enable == false)
	{
		return tnsFail(reader, value->place, "a view of mode waves needs a scene with waves");
	}
	return true;
}

// The array of a key that holds many items. NULL without an error if the scene does not have it.
static const tnsJson* tnsFindItems(tnsSceneReader* reader, const tnsJson* root, const char* key)
{
	const tnsJson* value = tnsJson_Find(root, key);
	return value != NULL && tnsCheckArray(reader, value, key, TNS_MAX_ITEMS) ? value : NULL;
}

bool tnsReadRegions(tnsSceneReader* reader, const tnsJson* root)
{
	tnsScene* scene = reader->scene;
	const tnsJson* regions = tnsFindItems(reader, root, "regions");
	scene->regions = tnsSceneAlloc(reader, regions != NULL ? (size_t)regions->count : 0, sizeof(tnsRegionRule));
	bool good = reader->result.status == tns_ok;
	for (const tnsJson* item = regions != NULL ? regions->first : NULL; good && item != NULL; item = item->next)
	{
		good = tnsReadRegion(reader, item, scene->info.regionCount, scene->regions + scene->info.regionCount);
		scene->info.regionCount += 1;
	}
	return good;
}

// Each count grows as its items are read: a name is compared with those before it.
static bool tnsReadItems(tnsSceneReader* reader, const tnsJson* root)
{
	tnsScene* scene = reader->scene;
	tnsSceneInfo* info = &scene->info;
	const tnsJson* sources = tnsFindItems(reader, root, "sources");
	const tnsJson* gauges = tnsFindItems(reader, root, "gauges");
	const tnsJson* edits = tnsFindItems(reader, root, "edits");
	if (reader->result.status != tns_ok)
	{
		return false;
	}
	scene->sources = tnsSceneAlloc(reader, sources != NULL ? (size_t)sources->count : 0, sizeof(tnsSourceRule));
	scene->gauges = tnsSceneAlloc(reader, gauges != NULL ? (size_t)gauges->count : 0, sizeof(tnsGaugeRule));
	scene->edits = tnsSceneAlloc(reader, edits != NULL ? (size_t)edits->count : 0, sizeof(tnsEdit));
	if (reader->result.status != tns_ok)
	{
		return false;
	}
	bool good = true;
	for (const tnsJson* item = sources != NULL ? sources->first : NULL; good && item != NULL; item = item->next)
	{
		good = tnsReadSource(reader, item, info->sourceCount, scene->sources + info->sourceCount);
		info->sourceCount += 1;
	}
	for (const tnsJson* item = gauges != NULL ? gauges->first : NULL; good && item != NULL; item = item->next)
	{
		good = tnsReadGauge(reader, item, info->gaugeCount, scene->gauges + info->gaugeCount);
		info->gaugeCount += 1;
	}
	good = good && tnsReadRegions(reader, root);
	for (const tnsJson* item = edits != NULL ? edits->first : NULL; good && item != NULL; item = item->next)
	{
		good = tnsReadEdit(reader, item, scene->edits + scene->editCount);
		scene->editCount += 1;
	}
	return good;
}

static bool tnsReadScene(tnsSceneReader* reader, const tnsJson* root)
{
	static const char* const methods[] = {"pipe", "linear", "shallow", NULL};
	static const char* const advections[] = {"conservative", "fine", "semi-lagrangian", "maccormack", NULL};
	static const char* const sections[] = {"depth", "fixed", "mean", NULL};
#define TNS_DEF(member) offsetof(tnsSceneInfo, worldDef.member)
	static const tnsRule rules[] = {
		{"name", tns_nameRule, false, offsetof(tnsSceneInfo, name), 0, 0, NULL},
		{"description", tns_textRule, false, offsetof(tnsSceneInfo, description), 0, 0, NULL},
		{"world", tns_customRule, false, 0, 0, 0, NULL},
		{"gravity", tns_floatRule, false, TNS_DEF(gravity), 1.0e-6, 1000, NULL},
		{"method", tns_choiceRule, false, TNS_DEF(method), 0, 0, methods},
		{"section", tns_choiceRule, false, TNS_DEF(section), 0, 0, sections},
		{"fixedSection", tns_floatRule, false, TNS_DEF(fixedSection), 0.001, TNS_LENGTH, NULL},
		{"liveliness", tns_floatRule, false, TNS_DEF(liveliness), 0.01, 4, NULL},
		{"advection", tns_choiceRule, false, TNS_DEF(advection), 0, 0, advections},
		{"vorticityConfinement", tns_floatRule, false, TNS_DEF(vorticityConfinement), 0, 1, NULL},
		{"friction", tns_floatRule, false, TNS_DEF(friction), 0, 1000, NULL},
		{"manning", tns_floatRule, false, TNS_DEF(manning), 0, 10, NULL},
		{"froudeLimit", tns_floatRule, false, TNS_DEF(froudeLimit), 0, 100, NULL},
		{"edges", tns_customRule, false, 0, 0, 0, NULL},
		{"maxSubSteps", tns_intRule, false, TNS_DEF(maxSubSteps), 1, 256, NULL},
		{"sleep", tns_customRule, false, 0, 0, 0, NULL},
		{"tracers", tns_customRule, false, 0, 0, 0, NULL},
		{"timeStep", tns_floatRule, false, offsetof(tnsSceneInfo, timeStep), 0.0001, 10, NULL},
		{"seconds", tns_doubleRule, false, offsetof(tnsSceneInfo, seconds), 0, TNS_MAX_SECONDS, NULL},
		{"terrain", tns_customRule, false, 0, 0, 0, NULL},
		{"water", tns_customRule, false, 0, 0, 0, NULL},
		{"tracersInitial", tns_customRule, false, 0, 0, 0, NULL},
		{"sources", tns_customRule, false, 0, 0, 0, NULL},
		{"rain", tns_customRule, false, 0, 0, 0, NULL},
		{"evaporation", tns_customRule, false, 0, 0, 0, NULL},
		{"infiltration", tns_customRule, false, 0, 0, 0, NULL},
		{"gauges", tns_customRule, false, 0, 0, 0, NULL},
		{"regions", tns_customRule, false, 0, 0, 0, NULL},
		{"edits", tns_customRule, false, 0, 0, 0, NULL},
		{"bodies", tns_customRule, false, 0, 0, 0, NULL},
		{"joints", tns_customRule, false, 0, 0, 0, NULL},
		{"waves", tns_customRule, false, 0, 0, 0, NULL},
		{"spray", tns_customRule, false, 0, 0, 0, NULL},
		{"foam", tns_customRule, false, 0, 0, 0, NULL},
		{"jets", tns_customRule, false, 0, 0, 0, NULL},
		{"ground", tns_customRule, false, 0, 0, 0, NULL},
		{"view", tns_customRule, false, 0, 0, 0, NULL},
		{"camera", tns_customRule, false, 0, 0, 0, NULL},
		{"level", tns_customRule, false, 0, 0, 0, NULL},
	};
	static const tnsRule sleepRules[] = {
		{"enable", tns_boolRule, false, TNS_DEF(enableSleep), 0, 0, NULL},
		{"speed", tns_floatRule, false, TNS_DEF(sleepSpeed), 0, 1000, NULL},
		{"time", tns_floatRule, false, TNS_DEF(sleepTime), 0, TNS_MAX_SECONDS, NULL},
	};
#undef TNS_DEF
	tnsScene* scene = reader->scene;
	tnsSceneInfo* info = &scene->info;
	if (TNS_READ(reader, root, "the scene", rules, info) == false)
	{
		return false;
	}
	const tnsJson* sleep = tnsJson_Find(root, "sleep");
	if (sleep != NULL && TNS_READ(reader, sleep, "sleep", sleepRules, info) == false)
	{
		return false;
	}
	// Tracers and the size of the world first: the rest refers to them.
	return tnsReadTracerNames(reader, tnsJson_Find(root, "tracers")) &&
		tnsReadWorld(reader, tnsJson_Find(root, "world")) && tnsReadEdges(reader, tnsJson_Find(root, "edges")) &&
		tnsReadTerrain(reader, tnsJson_Find(root, "terrain")) && tnsReadWater(reader, tnsJson_Find(root, "water")) &&
		tnsReadTracerPatches(reader, tnsJson_Find(root, "tracersInitial")) &&
		tnsReadRain(reader, tnsJson_Find(root, "rain"), "rain", &scene->rain) &&
		tnsReadRain(reader, tnsJson_Find(root, "evaporation"), "evaporation", &scene->evaporation) &&
		tnsReadRain(reader, tnsJson_Find(root, "infiltration"), "infiltration", &scene->infiltration) &&
		tnsReadItems(reader, root) &&
		tnsReadBodies(reader, tnsJson_Find(root, "bodies"), tnsJson_Find(root, "joints")) &&
		tnsReadCamera(reader, tnsJson_Find(root, "camera")) && tnsReadWaves(reader, tnsJson_Find(root, "waves")) &&
		tnsReadSpray(reader, tnsJson_Find(root, "spray"), tnsJson_Find(root, "jets")) &&
		tnsReadFoam(reader, tnsJson_Find(root, "foam")) && tnsReadView(reader, tnsJson_Find(root, "view")) &&
		tnsReadGroundLook(reader, tnsJson_Find(root, "ground")) && tnsReadLevel(reader, tnsJson_Find(root, "level"));
}

static char* tnsCopyText(const char* text, size_t length)
{
	char* copy = malloc(length + 1);
	if (copy != NULL)
	{
		memcpy(copy, text, length);
		copy[length] = 0;
	}
	return copy;
}

// With a separator at its end, so that a file name can follow. The empty folder is the current one.
static char* tnsCopyFolder(const char* folder)
{
	const size_t length = strlen(folder);
	const bool complete = length == 0 || folder[length - 1] == '/' || folder[length - 1] == '\\';
	char* copy = malloc(length + 2);
	if (copy != NULL)
	{
		memcpy(copy, folder, length);
		memcpy(copy + length, complete ? "" : "/", complete ? 1 : 2);
	}
	return copy;
}

// The part of a path between the last separator and the last dot.
static char* tnsCopyBaseName(const char* path)
{
	const char* name = path;
	for (const char* c = path; *c != 0; ++c)
	{
		name = *c == '/' || *c == '\\' ? c + 1 : name;
	}
	const char* dot = strrchr(name, '.');
	return tnsCopyText(name, dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name));
}

void tnsDestroyScene(tnsScene* scene)
{
	if (scene == NULL)
	{
		return;
	}
	void* block = scene->blocks;
	while (block != NULL)
	{
		void* next = *(void**)block;
		free(block);
		block = next;
	}
	tnsDestroyJson(scene->document);
	free(scene->fileName);
	free(scene->baseFolder);
	free(scene->baseName);
	free(scene);
}

tnsScene* tnsParseScene(const char* text, size_t size, const char* name, const char* baseFolder, tnsResult* result)
{
	tnsSceneReader reader = {0};
	tnsResult unused;
	result = result != NULL ? result : &unused;
	*result = (tnsResult){0};
	if (text == NULL || name == NULL)
	{
		*result = tnsMakeError(tns_invalidArgument, "a scene needs a text and a name");
		return NULL;
	}
	tnsScene* scene = calloc(1, sizeof(tnsScene));
	if (scene != NULL)
	{
		scene->fileName = tnsCopyText(name, strlen(name));
		scene->baseName = tnsCopyBaseName(name);
		scene->baseFolder = baseFolder != NULL ? tnsCopyFolder(baseFolder) : NULL;
	}
	if (scene == NULL || scene->fileName == NULL || scene->baseName == NULL ||
		(baseFolder != NULL && scene->baseFolder == NULL))
	{
		*result = tnsMakeError(tns_outOfMemory, "%.200s: out of memory", name);
		tnsDestroyScene(scene);
		return NULL;
	}
	scene->info.name = scene->baseName;
	scene->info.description = "";
	scene->info.worldDef = tnDefaultWorldDef();
	scene->info.timeStep = 1.0f / 60.0f;
	scene->info.seconds = 10.0;

	reader.scene = scene;
	reader.result = tnsParseJson(text, size, name, &scene->document);
	if (reader.result.status == tns_ok)
	{
		tnsReadScene(&reader, tnsJson_GetRoot(scene->document));
	}
	*result = reader.result;
	if (result->status != tns_ok)
	{
		tnsDestroyScene(scene);
		return NULL;
	}
	return scene;
}

tnsScene* tnsLoadScene(const char* path, tnsResult* result)
{
	tnsResult unused;
	result = result != NULL ? result : &unused;
	if (path == NULL)
	{
		*result = tnsMakeError(tns_invalidArgument, "a scene needs a path");
		return NULL;
	}
	char* text = NULL;
	size_t size = 0;
	*result = tnsReadFile(path, TNS_MAX_SCENE_BYTES, &text, &size);
	if (result->status != tns_ok)
	{
		return NULL;
	}
	size_t folderLength = strlen(path);
	while (folderLength > 0 && path[folderLength - 1] != '/' && path[folderLength - 1] != '\\')
	{
		folderLength -= 1;
	}
	char* folder = tnsCopyText(path, folderLength);
	tnsScene* scene = NULL;
	if (folder == NULL)
	{
		*result = tnsMakeError(tns_outOfMemory, "%.200s: out of memory", path);
	}
	else
	{
		scene = tnsParseScene(text, size, path, folder, result);
	}
	free(folder);
	free(text);
	return scene;
}

const tnsSceneInfo* tnsScene_GetInfo(const tnsScene* scene)
{
	return &scene->info;
}

// While a scene is read, only the items before the current one are asked for.
const char* tnsScene_GetSourceName(const tnsScene* scene, int index)
{
	return index >= 0 && index < scene->info.sourceCount ? scene->sources[index].name : NULL;
}

const char* tnsScene_GetGaugeName(const tnsScene* scene, int index)
{
	return index >= 0 && index < scene->info.gaugeCount ? scene->gauges[index].name : NULL;
}

const char* tnsScene_GetRegionName(const tnsScene* scene, int index)
{
	return index >= 0 && index < scene->info.regionCount ? scene->regions[index].name : NULL;
}

tnRegionDef tnsScene_GetRegionDef(const tnsScene* scene, int index)
{
	return index >= 0 && index < scene->info.regionCount ? scene->regions[index].def : tnDefaultRegionDef();
}

tnVec2 tnsScene_GetGaugePosition(const tnsScene* scene, int index)
{
	return index >= 0 && index < scene->info.gaugeCount ? scene->gauges[index].position : (tnVec2){0};
}

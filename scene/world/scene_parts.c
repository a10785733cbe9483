// SPDX-License-Identifier: MIT

// Reads water, sources, rain, gauges, regions and edits of scene files.

#include "world/scene_rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Water

static bool tnsReadPatches(
	tnsSceneReader* reader, const tnsJson* value, const char* what, tnsAreaKind kind, tnsWaterRule* water)
{
	static const tnsRule boxRules[] = {
		{"x", tns_doubleRule, true, offsetof(tnsWaterPatch, area.x), -TNS_WHERE, TNS_WHERE, NULL},
		{"z", tns_doubleRule, true, offsetof(tnsWaterPatch, area.z), -TNS_WHERE, TNS_WHERE, NULL},
		{"width", tns_doubleRule, true, offsetof(tnsWaterPatch, area.width), 0.001, TNS_WHERE, NULL},
		{"length", tns_doubleRule, true, offsetof(tnsWaterPatch, area.length), 0.001, TNS_WHERE, NULL},
		{"level", tns_doubleRule, false, offsetof(tnsWaterPatch, level), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"depth", tns_doubleRule, false, offsetof(tnsWaterPatch, depth), 0, TNS_LENGTH, NULL},
	};
	static const tnsRule discRules[] = {
		{"x", tns_doubleRule, true, offsetof(tnsWaterPatch, area.x), -TNS_WHERE, TNS_WHERE, NULL},
		{"z", tns_doubleRule, true, offsetof(tnsWaterPatch, area.z), -TNS_WHERE, TNS_WHERE, NULL},
		{"radius", tns_doubleRule, true, offsetof(tnsWaterPatch, area.radius), 0.001, TNS_WHERE, NULL},
		{"level", tns_doubleRule, false, offsetof(tnsWaterPatch, level), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"depth", tns_doubleRule, false, offsetof(tnsWaterPatch, depth), 0, TNS_LENGTH, NULL},
	};
	static const char* const amounts[] = {"level", "depth"};
	for (const tnsJson* item = value != NULL ? value->first : NULL; item != NULL; item = item->next)
	{
		tnsWaterPatch* patch = water->patches + water->patchCount;
		patch->area.kind = kind;
		const bool good = kind == tns_boxArea ? TNS_READ(reader, item, what, boxRules, patch)
											  : TNS_READ(reader, item, what, discRules, patch);
		const int amount = good ? tnsFindOneOf(reader, item, what, amounts, 2, false) : -1;
		if (amount < 0)
		{
			return false;
		}
		patch->byLevel = amount == 0;
		water->patchCount += 1;
	}
	return true;
}

bool tnsReadWater(tnsSceneReader* reader, const tnsJson* value)
{
	static const tnsRule rules[] = {
		{"level", tns_floatRule, false, offsetof(tnsWaterRule, level), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"depthFile", tns_fileRule, false, offsetof(tnsWaterRule, depthFile), 0, 0, NULL},
		{"depthScale", tns_floatRule, false, offsetof(tnsWaterRule, depthScale), 0, TNS_LENGTH, NULL},
		{"boxes", tns_customRule, false, 0, 0, 0, NULL},
		{"discs", tns_customRule, false, 0, 0, 0, NULL},
		{"velocity", tns_vectorRule, false, offsetof(tnsWaterRule, velocity), -1000, 1000, NULL},
		{"velocityFiles", tns_customRule, false, 0, 0, 0, NULL},
	};
	tnsWaterRule* water = &reader->scene->water;
	water->depthScale = 1.0f;
	if (value == NULL)
	{
		return true;
	}
	water->place = value->place;
	static const char* const starts[] = {"level", "depthFile"};
	static const char* const velocities[] = {"velocity", "velocityFiles"};
	if (TNS_READ(reader, value, "water", rules, water) == false)
	{
		return false;
	}
	tnsFindOneOf(reader, value, "water", starts, 2, true);
	tnsFindOneOf(reader, value, "water", velocities, 2, true);
	water->hasLevel = tnsJson_Find(value, "level") != NULL;

	const tnsJson* boxes = tnsJson_Find(value, "boxes");
	const tnsJson* discs = tnsJson_Find(value, "discs");
	if (reader->result.status != tns_ok ||
		(boxes != NULL && tnsCheckArray(reader, boxes, "boxes", TNS_MAX_ITEMS) == false) ||
		(discs != NULL && tnsCheckArray(reader, discs, "discs", TNS_MAX_ITEMS) == false))
	{
		return false;
	}
	const int patchCount = (boxes != NULL ? boxes->count : 0) + (discs != NULL ? discs->count : 0);
	water->patches = tnsSceneAlloc(reader, (size_t)patchCount, sizeof(tnsWaterPatch));
	if (water->patches == NULL || tnsReadPatches(reader, boxes, "a box of water", tns_boxArea, water) == false ||
		tnsReadPatches(reader, discs, "a disc of water", tns_discArea, water) == false)
	{
		return false;
	}

	const tnsJson* files = tnsJson_Find(value, "velocityFiles");
	if (files == NULL)
	{
		return true;
	}
	if (files->kind != tns_jsonArray || files->count != 2)
	{
		return tnsFail(reader, files->place, "velocityFiles must be an array of two files, for x and for z");
	}
	return tnsReadFileRef(reader, files->first, "velocityFiles", &water->velocityFiles[0]) &&
		tnsReadFileRef(reader, files->first->next, "velocityFiles", &water->velocityFiles[1]);
}

bool tnsReadTracerPatches(tnsSceneReader* reader, const tnsJson* value)
{
	static const char* const shapes[] = {"box", "disc", "all", NULL};
	static const tnsRule rules[] = {
		{"tracer", tns_customRule, true, 0, 0, 0, NULL},
		{"shape", tns_choiceRule, false, offsetof(tnsTracerPatch, area.kind), 0, 0, shapes},
		{"x", tns_doubleRule, false, offsetof(tnsTracerPatch, area.x), -TNS_WHERE, TNS_WHERE, NULL},
		{"z", tns_doubleRule, false, offsetof(tnsTracerPatch, area.z), -TNS_WHERE, TNS_WHERE, NULL},
		{"width", tns_doubleRule, false, offsetof(tnsTracerPatch, area.width), 0.001, TNS_WHERE, NULL},
		{"length", tns_doubleRule, false, offsetof(tnsTracerPatch, area.length), 0.001, TNS_WHERE, NULL},
		{"radius", tns_doubleRule, false, offsetof(tnsTracerPatch, area.radius), 0.001, TNS_WHERE, NULL},
		{"concentration", tns_floatRule, true, offsetof(tnsTracerPatch, concentration), -1.0e6, 1.0e6, NULL},
	};
	static const char* const needed[tns_areaKindCount][5] = {
		{"x", "z", "width", "length", NULL}, {"x", "z", "radius", NULL}, {NULL}};
	tnsScene* scene = reader->scene;
	if (value == NULL)
	{
		return true;
	}
	if (tnsCheckArray(reader, value, "tracersInitial", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	scene->tracerPatches = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnsTracerPatch));
	if (scene->tracerPatches == NULL)
	{
		return false;
	}
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		tnsTracerPatch* patch = scene->tracerPatches + scene->tracerPatchCount;
		if (TNS_READ(reader, item, "an item of tracersInitial", rules, patch) == false)
		{
			return false;
		}
		const tnsJson* tracer = tnsJson_Find(item, "tracer");
		if (tnsCheckText(reader, tracer, "tracer", true) == false ||
			tnsFindTracer(reader, tracer->string, tracer->place, &patch->channel) == false)
		{
			return false;
		}
		for (const char* const* key = needed[patch->area.kind]; *key != NULL; ++key)
		{
			if (tnsJson_Find(item, *key) == NULL)
			{
				return tnsFail(reader, item->place, "a %s needs \"%s\"", shapes[patch->area.kind], *key);
			}
		}
		scene->tracerPatchCount += 1;
	}
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Sources, rain, gauges, regions

// Names are columns of tables: each only once. Names that are not given are made from the index.
static bool tnsCheckUniqueName(tnsSceneReader* reader, const tnsJson* object, const char* what, const char* prefix,
	int index, const char* (*getName)(const tnsScene* scene, int index), const char** name)
{
	const tnsJson* given = tnsJson_Find(object, "name");
	if (given == NULL)
	{
		enum
		{
			size = 32
		};
		char* text = tnsSceneAlloc(reader, size, 1);
		if (text == NULL)
		{
			return false;
		}
		snprintf(text, size, "%s %d", prefix, index + 1);
		*name = text;
	}
	for (int i = 0; i < index; ++i)
	{
		if (strcmp(getName(reader->scene, i), *name) == 0)
		{
			return tnsFail(
				reader, given != NULL ? given->place : object->place, "%s \"%s\" is named twice", what, *name);
		}
	}
	return true;
}

bool tnsReadSource(tnsSceneReader* reader, const tnsJson* value, int index, tnsSourceRule* source)
{
	static const char* const kinds[] = {"rate", "well", NULL};
	static const tnsRule rules[] = {
		{"name", tns_nameRule, false, offsetof(tnsSourceRule, name), 0, 0, NULL},
		{"kind", tns_choiceRule, false, offsetof(tnsSourceRule, def.kind), 0, 0, kinds},
		{"x", tns_floatRule, true, offsetof(tnsSourceRule, def.center.x), -TNS_WHERE, TNS_WHERE, NULL},
		{"z", tns_floatRule, true, offsetof(tnsSourceRule, def.center.z), -TNS_WHERE, TNS_WHERE, NULL},
		{"radius", tns_floatRule, false, offsetof(tnsSourceRule, def.radius), 0.001, TNS_LENGTH, NULL},
		{"rate", tns_floatRule, false, offsetof(tnsSourceRule, def.rate), -1.0e9, 1.0e9, NULL},
		{"level", tns_floatRule, false, offsetof(tnsSourceRule, def.level), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"velocity", tns_vectorRule, false, offsetof(tnsSourceRule, def.velocity), -1000, 1000, NULL},
		{"tracers", tns_customRule, false, 0, 0, 0, NULL},
		{"start", tns_doubleRule, false, offsetof(tnsSourceRule, start), 0, TNS_MAX_SECONDS, NULL},
		{"stop", tns_doubleRule, false, offsetof(tnsSourceRule, stop), 0, TNS_MAX_SECONDS, NULL},
	};
	source->def = tnDefaultSourceDef();
	source->stop = INFINITY;
	source->place = value->place;
	if (TNS_READ(reader, value, "a source", rules, source) == false ||
		tnsCheckInside(reader, value, "a source", source->def.center) == false ||
		tnsReadConcentrations(reader, tnsJson_Find(value, "tracers"), source->def.tracers) == false)
	{
		return false;
	}
	const bool isWell = source->def.kind == tn_wellSource;
	const tnsJson* level = tnsJson_Find(value, "level");
	const tnsJson* rate = tnsJson_Find(value, "rate");
	const tnsJson* velocity = tnsJson_Find(value, "velocity");
	if (isWell && level == NULL)
	{
		return tnsFail(reader, value->place, "a well needs \"level\"");
	}
	if (isWell && (rate != NULL || velocity != NULL))
	{
		return tnsFail(reader, rate != NULL ? rate->keyPlace : velocity->keyPlace,
			"a well holds a level: rate and velocity "
			"are only for sources of kind rate");
	}
	if (isWell == false && level != NULL)
	{
		return tnsFail(reader, level->keyPlace, "\"level\" is only for sources of kind well");
	}
	if (source->stop <= source->start)
	{
		return tnsFail(
			reader, value->place, "stop must be later than start, got %.9g and %.9g", source->stop, source->start);
	}
	return tnsCheckUniqueName(reader, value, "source", "source", index, tnsScene_GetSourceName, &source->name);
}

bool tnsReadRain(tnsSceneReader* reader, const tnsJson* value, const char* what, tnsRainRule* rain)
{
	static const tnsRule rules[] = {
		{"rate", tns_floatRule, false, offsetof(tnsRainRule, rate), 0, 1000, NULL},
		{"mmPerHour", tns_floatRule, false, offsetof(tnsRainRule, mmPerHour), 0, 1.0e9, NULL},
		{"start", tns_doubleRule, false, offsetof(tnsRainRule, start), 0, TNS_MAX_SECONDS, NULL},
		{"stop", tns_doubleRule, false, offsetof(tnsRainRule, stop), 0, TNS_MAX_SECONDS, NULL},
		{"mapFile", tns_fileRule, false, offsetof(tnsRainRule, map), 0, 0, NULL},
	};
	static const char* const rates[] = {"rate", "mmPerHour"};
	rain->stop = INFINITY;
	if (value == NULL)
	{
		return true;
	}
	rain->given = true;
	rain->place = value->place;
	if (TNS_READ(reader, value, what, rules, rain) == false)
	{
		return false;
	}
	const int found = tnsFindOneOf(reader, value, what, rates, 2, false);
	if (found < 0)
	{
		return false;
	}
	if (found == 1)
	{
		rain->rate = (float)((double)rain->mmPerHour / (1000.0 * 3600.0));
	}
	if (rain->stop <= rain->start)
	{
		return tnsFail(
			reader, value->place, "stop must be later than start, got %.9g and %.9g", rain->stop, rain->start);
	}
	return true;
}

bool tnsReadGroundLook(tnsSceneReader* reader, const tnsJson* value)
{
	static const tnsRule rules[] = {
		{"beachLevel", tns_floatRule, false, offsetof(tnsGroundLookRule, beachLevel), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"treeLine", tns_floatRule, false, offsetof(tnsGroundLookRule, treeLine), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"snowLine", tns_floatRule, false, offsetof(tnsGroundLookRule, snowLine), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"rockSlope", tns_floatRule, false, offsetof(tnsGroundLookRule, rockSlope), 0.01, 100, NULL},
		{"blendMap", tns_fileRule, false, offsetof(tnsGroundLookRule, blendMap), 0, 0, NULL},
		{"textures", tns_customRule, false, 0, 0, 0, NULL},
		{"textureSize", tns_floatRule, false, offsetof(tnsGroundLookRule, textureSize), 0.01, 10000, NULL},
	};
	static const tnsRule textureRules[] = {
		{"sand", tns_fileRule, false, offsetof(tnsGroundLookRule, textures[0]), 0, 0, NULL},
		{"grass", tns_fileRule, false, offsetof(tnsGroundLookRule, textures[1]), 0, 0, NULL},
		{"rock", tns_fileRule, false, offsetof(tnsGroundLookRule, textures[2]), 0, 0, NULL},
		{"snow", tns_fileRule, false, offsetof(tnsGroundLookRule, textures[3]), 0, 0, NULL},
	};
	tnsGroundLookRule* ground = &reader->scene->ground;
	ground->beachLevel = ground->treeLine = ground->snowLine = NAN;
	ground->textureSize = 4.0f;
	if (value == NULL)
	{
		return true;
	}
	if (TNS_READ(reader, value, "ground", rules, ground) == false)
	{
		return false;
	}
	const tnsJson* textures = tnsJson_Find(value, "textures");
	if (textures != NULL && TNS_READ(reader, textures, "textures", textureRules, ground) == false)
	{
		return false;
	}
	const tnsFileRef* files[TNS_GROUND_COUNT + 1] = {
		&ground->blendMap, &ground->textures[0], &ground->textures[1], &ground->textures[2], &ground->textures[3]};
	for (int i = 0; i <= TNS_GROUND_COUNT; ++i)
	{
		// Only these have colours.
		if (files[i]->path != NULL && tnsGetGridFormat(files[i]->path) != tns_pngFormat)
		{
			return tnsFail(reader, files[i]->place, "pictures of the ground must be .png, got \"%s\"",
				tnsMakeQuote(files[i]->path, strlen(files[i]->path)).text);
		}
	}
	return true;
}

bool tnsReadGauge(tnsSceneReader* reader, const tnsJson* value, int index, tnsGaugeRule* gauge)
{
	static const tnsRule rules[] = {
		{"name", tns_nameRule, false, offsetof(tnsGaugeRule, name), 0, 0, NULL},
		{"x", tns_floatRule, true, offsetof(tnsGaugeRule, position.x), -TNS_WHERE, TNS_WHERE, NULL},
		{"z", tns_floatRule, true, offsetof(tnsGaugeRule, position.z), -TNS_WHERE, TNS_WHERE, NULL},
	};
	gauge->place = value->place;
	return TNS_READ(reader, value, "a gauge", rules, gauge) &&
		tnsCheckInside(reader, value, "a gauge", gauge->position) &&
		tnsCheckUniqueName(reader, value, "gauge", "gauge", index, tnsScene_GetGaugeName, &gauge->name);
}

bool tnsReadRegion(tnsSceneReader* reader, const tnsJson* value, int index, tnsRegionRule* region)
{
	static const char* const shapes[] = {"disc", "box", NULL};
	// Just above a film: the core wants more than TN_WET_DEPTH.
	static const tnsRule rules[] = {
		{"name", tns_nameRule, false, offsetof(tnsRegionRule, name), 0, 0, NULL},
		{"shape", tns_choiceRule, true, offsetof(tnsRegionRule, def.shape), 0, 0, shapes},
		{"x", tns_floatRule, true, offsetof(tnsRegionRule, def.center.x), -TNS_WHERE, TNS_WHERE, NULL},
		{"z", tns_floatRule, true, offsetof(tnsRegionRule, def.center.z), -TNS_WHERE, TNS_WHERE, NULL},
		{"radius", tns_customRule, false, 0, 0, 0, NULL},
		{"width", tns_customRule, false, 0, 0, 0, NULL},
		{"length", tns_customRule, false, 0, 0, 0, NULL},
		{"triggerDepth", tns_floatRule, false, offsetof(tnsRegionRule, def.triggerDepth), 0.0011, TNS_LENGTH, NULL},
		{"hysteresis", tns_floatRule, false, offsetof(tnsRegionRule, def.hysteresis), 0, TNS_LENGTH, NULL},
	};
	region->def = tnDefaultRegionDef();
	region->def.userData = (uint64_t)index;
	region->place = value->place;
	if (TNS_READ(reader, value, "a region", rules, region) == false ||
		tnsCheckInside(reader, value, "a region", region->def.center) == false ||
		tnsCheckUniqueName(reader, value, "region", "region", index, tnsScene_GetRegionName, &region->name) == false)
	{
		return false;
	}
	const tnsJson* radius = tnsJson_Find(value, "radius");
	const tnsJson* width = tnsJson_Find(value, "width");
	const tnsJson* length = tnsJson_Find(value, "length");
	if (region->def.shape == tn_discRegion)
	{
		if (radius == NULL || width != NULL || length != NULL)
		{
			return tnsFail(
				reader, value->place, "a region of shape disc needs \"radius\", and neither \"width\" nor \"length\"");
		}
		if (tnsCheckNumber(reader, radius, "radius", 0.001, TNS_LENGTH) == false)
		{
			return false;
		}
		region->def.extent = (tnVec2){(float)radius->number, (float)radius->number};
		return true;
	}
	if (width == NULL || length == NULL || radius != NULL)
	{
		return tnsFail(reader, value->place, "a region of shape box needs \"width\" and \"length\", and no \"radius\"");
	}
	if (tnsCheckNumber(reader, width, "width", 0.001, TNS_LENGTH) == false ||
		tnsCheckNumber(reader, length, "length", 0.001, TNS_LENGTH) == false)
	{
		return false;
	}
	region->def.extent = (tnVec2){(float)(0.5 * width->number), (float)(0.5 * length->number)};
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Edits

static bool tnsReadBrush(tnsSceneReader* reader, const tnsJson* value, tnBrush* brush)
{
	static const char* const kinds[] = {"raise", "flatten", "smooth", NULL};
	static const char* const shapes[] = {"disc", "square", NULL};
	static const tnsRule rules[] = {
		{"kind", tns_choiceRule, false, offsetof(tnBrush, kind), 0, 0, kinds},
		{"shape", tns_choiceRule, false, offsetof(tnBrush, shape), 0, 0, shapes},
		{"x", tns_floatRule, true, offsetof(tnBrush, center.x), -TNS_WHERE, TNS_WHERE, NULL},
		{"z", tns_floatRule, true, offsetof(tnBrush, center.z), -TNS_WHERE, TNS_WHERE, NULL},
		{"radius", tns_floatRule, false, offsetof(tnBrush, radius), 0.001, TNS_LENGTH, NULL},
		{"falloff", tns_floatRule, false, offsetof(tnBrush, falloff), 0, 1, NULL},
		{"amount", tns_floatRule, false, offsetof(tnBrush, amount), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"height", tns_floatRule, false, offsetof(tnBrush, height), -TNS_LENGTH, TNS_LENGTH, NULL},
	};
	*brush = tnDefaultBrush();
	if (TNS_READ(reader, value, "brush", rules, brush) == false ||
		tnsCheckInside(reader, value, "the centre of a brush", brush->center) == false)
	{
		return false;
	}
	const tnsJson* amount = tnsJson_Find(value, "amount");
	return brush->kind == tn_raiseBrush || amount == NULL || tnsCheckNumber(reader, amount, "amount", 0, 1);
}

static bool tnsReadEditAction(tnsSceneReader* reader, const tnsJson* value, tnsEdit* edit)
{
#define TNS_EDIT_DISC                                                                         \
	{"x", tns_floatRule, true, offsetof(tnsEdit, center.x), -TNS_WHERE, TNS_WHERE, NULL},     \
		{"z", tns_floatRule, true, offsetof(tnsEdit, center.z), -TNS_WHERE, TNS_WHERE, NULL}, \
	{                                                                                         \
		"radius", tns_floatRule, true, offsetof(tnsEdit, radius), 0.001, TNS_LENGTH, NULL     \
	}
	static const tnsRule waterRules[] = {
		TNS_EDIT_DISC, {"volume", tns_floatRule, true, offsetof(tnsEdit, volume), -1.0e9, 1.0e9, NULL}};
	static const tnsRule impulseRules[] = {
		TNS_EDIT_DISC, {"impulse", tns_vectorRule, true, offsetof(tnsEdit, impulse), -1.0e12, 1.0e12, NULL}};
	static const tnsRule tracerRules[] = {{"tracer", tns_customRule, true, 0, 0, 0, NULL}, TNS_EDIT_DISC,
		{"concentration", tns_floatRule, true, offsetof(tnsEdit, concentration), -1.0e6, 1.0e6, NULL}};
#undef TNS_EDIT_DISC
	switch (edit->kind)
	{
		case tns_brushEdit:
			return tnsReadBrush(reader, value, &edit->brush);
		case tns_terrainEdit:
			return tnsReadFeature(reader, value, &edit->feature);
		case tns_waterEdit:
			return TNS_READ(reader, value, "water", waterRules, edit) &&
				tnsCheckInside(reader, value, "water", edit->center);
		case tns_impulseEdit:
			return TNS_READ(reader, value, "impulse", impulseRules, edit) &&
				tnsCheckInside(reader, value, "an impulse", edit->center);
		default:
			break;
	}
	if (TNS_READ(reader, value, "tracer", tracerRules, edit) == false ||
		tnsCheckInside(reader, value, "tracer", edit->center) == false)
	{
		return false;
	}
	const tnsJson* tracer = tnsJson_Find(value, "tracer");
	return tnsCheckText(reader, tracer, "tracer", true) &&
		tnsFindTracer(reader, tracer->string, tracer->place, &edit->channel);
}

bool tnsReadEdit(tnsSceneReader* reader, const tnsJson* value, tnsEdit* edit)
{
	static const char* const actions[tns_editKindCount] = {"brush", "terrain", "water", "impulse", "tracer"};
	static const tnsRule rules[] = {
		{"time", tns_doubleRule, true, offsetof(tnsEdit, time), 0, TNS_MAX_SECONDS, NULL},
		{"every", tns_doubleRule, false, offsetof(tnsEdit, every), 0.001, TNS_MAX_SECONDS, NULL},
		{"until", tns_doubleRule, false, offsetof(tnsEdit, until), 0, TNS_MAX_SECONDS, NULL},
		{"brush", tns_customRule, false, 0, 0, 0, NULL},
		{"terrain", tns_customRule, false, 0, 0, 0, NULL},
		{"water", tns_customRule, false, 0, 0, 0, NULL},
		{"impulse", tns_customRule, false, 0, 0, 0, NULL},
		{"tracer", tns_customRule, false, 0, 0, 0, NULL},
	};
	edit->until = INFINITY;
	edit->place = value->place;
	if (TNS_READ(reader, value, "an edit", rules, edit) == false)
	{
		return false;
	}
	const int action = tnsFindOneOf(reader, value, "an edit", actions, tns_editKindCount, false);
	if (action < 0)
	{
		return false;
	}
	const tnsJson* until = tnsJson_Find(value, "until");
	if (until != NULL && tnsJson_Find(value, "every") == NULL)
	{
		return tnsFail(reader, until->keyPlace, "\"until\" needs \"every\": an edit without it happens once");
	}
	edit->kind = (tnsEditKind)action;
	return tnsReadEditAction(reader, tnsJson_Find(value, actions[action]), edit);
}

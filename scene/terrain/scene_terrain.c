// SPDX-License-Identifier: MIT

// Reads the terrain of scene files.

#include "world/scene_rules.h"

#include <math.h>
#include <string.h>

#define TNS_FEATURE_CENTER                                                              \
	{"x", tns_doubleRule, true, offsetof(tnsFeature, x), -TNS_WHERE, TNS_WHERE, NULL},  \
	{                                                                                   \
		"z", tns_doubleRule, true, offsetof(tnsFeature, z), -TNS_WHERE, TNS_WHERE, NULL \
	}
#define TNS_FEATURE_BOX                                                                      \
	{"width", tns_doubleRule, true, offsetof(tnsFeature, width), 0.001, TNS_WHERE, NULL},    \
	{                                                                                        \
		"length", tns_doubleRule, true, offsetof(tnsFeature, length), 0.001, TNS_WHERE, NULL \
	}
#define TNS_FEATURE_RADIUS                                                                   \
	{                                                                                        \
		"radius", tns_doubleRule, true, offsetof(tnsFeature, radius), 0.001, TNS_WHERE, NULL \
	}
#define TNS_FEATURE_RIM                                                              \
	{                                                                                \
		"rim", tns_doubleRule, false, offsetof(tnsFeature, rim), 0, TNS_LENGTH, NULL \
	}
#define TNS_FEATURE_LINE                                                                               \
	{"points", tns_customRule, true, 0, 0, 0, NULL}, {"smooth", tns_customRule, false, 0, 0, 0, NULL}, \
	{                                                                                                  \
		"width", tns_doubleRule, true, offsetof(tnsFeature, width), 0.001, TNS_LENGTH, NULL            \
	}
#define TNS_FEATURE_CHANGES                                                                            \
	{"height", tns_doubleRule, false, offsetof(tnsFeature, value), -TNS_LENGTH, TNS_LENGTH, NULL},     \
		{"top", tns_doubleRule, false, offsetof(tnsFeature, value), -TNS_LENGTH, TNS_LENGTH, NULL},    \
		{"bottom", tns_doubleRule, false, offsetof(tnsFeature, value), -TNS_LENGTH, TNS_LENGTH, NULL}, \
	{                                                                                                  \
		"level", tns_doubleRule, false, offsetof(tnsFeature, value), -TNS_LENGTH, TNS_LENGTH, NULL     \
	}

static const char* const s_axes[] = {"x", "z", NULL};

static bool tnsReadAxis(tnsSceneReader* reader, const tnsJson* object, bool* alongZ)
{
	const tnsJson* axis = tnsJson_Find(object, "axis");
	int choice = 0;
	if (axis != NULL && tnsReadChoice(reader, axis, "axis", s_axes, &choice) == false)
	{
		return false;
	}
	*alongZ = choice == 1;
	return true;
}

// Round the corners of a line by cutting them off, a quarter of each side at a time (Chaikin). The ends stay.
static bool tnsSmoothPoints(tnsSceneReader* reader, const tnsJson* smooth, tnsFeature* feature)
{
	if (smooth != NULL && tnsCheckWhole(reader, smooth, "smooth", 0, 4) == false)
	{
		return false;
	}
	const int rounds = smooth != NULL ? (int)smooth->number : 0;
	for (int round = 0; round < rounds; ++round)
	{
		const tnsFeaturePoint* old = feature->points;
		const int oldCount = feature->pointCount;
		tnsFeaturePoint* points = tnsSceneAlloc(reader, 2 * (size_t)oldCount, sizeof(tnsFeaturePoint));
		if (points == NULL)
		{
			return false;
		}
		int count = 0;
		points[count++] = old[0];
		for (int i = 0; i + 1 < oldCount; ++i)
		{
			const tnsFeaturePoint a = old[i], b = old[i + 1];
			const tnsFeaturePoint step = {0.25 * (b.x - a.x), 0.25 * (b.z - a.z), 0.25 * (b.height - a.height)};
			if (i > 0)
			{
				points[count++] = (tnsFeaturePoint){a.x + step.x, a.z + step.z, a.height + step.height};
			}
			if (i + 2 < oldCount)
			{
				points[count++] = (tnsFeaturePoint){b.x - step.x, b.z - step.z, b.height - step.height};
			}
		}
		points[count++] = old[oldCount - 1];
		feature->points = points;
		feature->pointCount = count;
	}
	return true;
}

static bool tnsReadPoints(tnsSceneReader* reader, const tnsJson* object, tnsFeature* feature)
{
	const tnsJson* value = tnsJson_Find(object, "points");
	if (tnsCheckArray(reader, value, "points", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	if (value->count < 2)
	{
		return tnsFail(reader, value->place, "points must have at least 2 items, got %d", value->count);
	}
	tnsFeaturePoint* points = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnsFeaturePoint));
	if (points == NULL)
	{
		return false;
	}
	// Points of channels can carry the height of the bed; all of them, or none.
	const bool mayHaveHeights = feature->kind == tns_channelFeature;
	feature->hasHeights = mayHaveHeights && value->first->kind == tns_jsonArray && value->first->count == 3;
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		double numbers[3] = {0};
		if (tnsReadNumbers(reader, item, "a point", feature->hasHeights ? 3 : 2, -TNS_WHERE, TNS_WHERE, numbers) ==
			false)
		{
			return false;
		}
		points[feature->pointCount++] = (tnsFeaturePoint){numbers[0], numbers[1], numbers[2]};
	}
	feature->points = points;
	return tnsSmoothPoints(reader, tnsJson_Find(object, "smooth"), feature);
}

bool tnsReadFeature(tnsSceneReader* reader, const tnsJson* value, tnsFeature* feature)
{
	static const char* const kinds[] = {"box", "disc", "cone", "ramp", "channel", "wall", NULL};
	static const char* const changes[] = {"height", "top", "bottom", "level"};
	static const tnsRule addRule = {"add", tns_customRule, true, 0, 0, 0, NULL};
	static const tnsRule boxRules[] = {{"add", tns_customRule, true, 0, 0, 0, NULL}, TNS_FEATURE_CENTER,
		TNS_FEATURE_BOX, TNS_FEATURE_CHANGES, TNS_FEATURE_RIM};
	static const tnsRule discRules[] = {{"add", tns_customRule, true, 0, 0, 0, NULL}, TNS_FEATURE_CENTER,
		TNS_FEATURE_RADIUS, TNS_FEATURE_CHANGES, TNS_FEATURE_RIM};
	static const tnsRule coneRules[] = {
		{"add", tns_customRule, true, 0, 0, 0, NULL}, TNS_FEATURE_CENTER, TNS_FEATURE_RADIUS, TNS_FEATURE_CHANGES};
	static const tnsRule rampRules[] = {{"add", tns_customRule, true, 0, 0, 0, NULL}, TNS_FEATURE_CENTER,
		TNS_FEATURE_BOX, {"axis", tns_customRule, false, 0, 0, 0, NULL},
		{"from", tns_doubleRule, true, offsetof(tnsFeature, from), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"to", tns_doubleRule, true, offsetof(tnsFeature, to), -TNS_LENGTH, TNS_LENGTH, NULL}, TNS_FEATURE_RIM};
	static const tnsRule channelRules[] = {{"add", tns_customRule, true, 0, 0, 0, NULL}, TNS_FEATURE_LINE,
		{"depth", tns_doubleRule, true, offsetof(tnsFeature, depth), 0, TNS_LENGTH, NULL}};
	static const tnsRule wallRules[] = {
		{"add", tns_customRule, true, 0, 0, 0, NULL}, TNS_FEATURE_LINE, TNS_FEATURE_CHANGES, TNS_FEATURE_RIM};
	static const struct
	{
		const tnsRule* rules;
		int count;
		bool hasChange;
	} tables[tns_featureKindCount] = {
		{boxRules, TNS_COUNT_OF(boxRules), true},
		{discRules, TNS_COUNT_OF(discRules), true},
		{coneRules, TNS_COUNT_OF(coneRules), true},
		{rampRules, TNS_COUNT_OF(rampRules), false},
		{channelRules, TNS_COUNT_OF(channelRules), false},
		{wallRules, TNS_COUNT_OF(wallRules), true},
	};

	const tnsJson* add = value->kind == tns_jsonObject ? tnsJson_Find(value, "add") : NULL;
	int kind = 0;
	if (add == NULL)
	{
		return value->kind == tns_jsonObject ? tnsFail(reader, value->place, "a feature needs \"%s\"", addRule.key)
											 : tnsReadObject(reader, value, "a feature", &addRule, 1, NULL);
	}
	if (tnsReadChoice(reader, add, "add", kinds, &kind) == false ||
		tnsReadObject(reader, value, kinds[kind], tables[kind].rules, tables[kind].count, feature) == false)
	{
		return false;
	}
	feature->kind = (tnsFeatureKind)kind;
	feature->change = tns_changeLevel;
	if (tables[kind].hasChange)
	{
		const int change = tnsFindOneOf(reader, value, kinds[kind], changes, tns_featureChangeCount, false);
		if (change < 0)
		{
			return false;
		}
		feature->change = (tnsFeatureChange)change;
	}
	if ((kind == tns_channelFeature || kind == tns_wallFeature) && tnsReadPoints(reader, value, feature) == false)
	{
		return false;
	}
	return kind != tns_rampFeature || tnsReadAxis(reader, value, &feature->alongZ);
}

// Heights in meters, kept as whole 1/256 m.
static bool tnsReadBasinNumbers(tnsSceneReader* reader, const tnsJson* value, const char* key, double factor,
	double low, double high, int minCount, int maxCount, int* numbers, int* count)
{
	if (value->kind != tns_jsonArray || value->count < minCount || value->count > maxCount)
	{
		return tnsFail(reader, value->place, "%s must be an array of %d to %d numbers, got %s", key, minCount, maxCount,
			value->kind == tns_jsonArray ? "another count" : tnsDescribe(value).text);
	}
	*count = 0;
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		const double scaled = item->number * factor;
		if (tnsCheckNumber(reader, item, key, low, high) == false)
		{
			return false;
		}
		if (scaled != floor(scaled))
		{
			return tnsFail(
				reader, item->place, "%s must be whole multiples of %.9g, got %.9g", key, 1.0 / factor, item->number);
		}
		numbers[(*count)++] = (int)scaled;
	}
	return true;
}

static bool tnsReadBasins(tnsSceneReader* reader, const tnsJson* value, tnsTerrainDef* def)
{
	const tnsJson* spacings = tnsJson_Find(value, "spacings");
	const tnsJson* amplitudes = tnsJson_Find(value, "amplitudes");
	const tnsJson* tilt = tnsJson_Find(value, "tilt");
	int spacingCount = def->basinOctaveCount, amplitudeCount = def->basinOctaveCount;
	// 4096 cells and 1000 m keep the products of the formula inside 64 bits.
	if (spacings != NULL &&
		tnsReadBasinNumbers(
			reader, spacings, "spacings", 1.0, 1, 4096, 1, TNS_MAX_OCTAVES, def->basinSpacings, &spacingCount) == false)
	{
		return false;
	}
	if (amplitudes != NULL &&
		tnsReadBasinNumbers(reader, amplitudes, "amplitudes", 256.0, 0, 1000, 1, TNS_MAX_OCTAVES, def->basinAmplitudes,
			&amplitudeCount) == false)
	{
		return false;
	}
	if (spacingCount != amplitudeCount)
	{
		return tnsFail(reader, value->place, "spacings and amplitudes must be of the same count, got %d and %d",
			spacingCount, amplitudeCount);
	}
	def->basinOctaveCount = spacingCount;
	int tilts[2] = {0}, tiltCount = 0;
	if (tilt != NULL && tnsReadBasinNumbers(reader, tilt, "tilt", 256.0, -1, 1, 2, 2, tilts, &tiltCount) == false)
	{
		return false;
	}
	def->basinTiltX = tilts[0];
	def->basinTiltZ = tilts[1];
	return true;
}

static bool tnsReadFeatures(tnsSceneReader* reader, const tnsJson* value, tnsTerrainRule* terrain)
{
	if (value == NULL)
	{
		return true;
	}
	if (tnsCheckArray(reader, value, "features", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	terrain->features = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnsFeature));
	if (terrain->features == NULL)
	{
		return false;
	}
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		if (tnsReadFeature(reader, item, terrain->features + terrain->featureCount) == false)
		{
			return false;
		}
		terrain->featureCount += 1;
	}
	return true;
}

// The keys of each kind of terrain on top of kind, scale, offset and features.
static const char* const s_terrainKeys[tns_terrainKindCount][12] = {
	[tns_flatTerrain] = {NULL},
	[tns_planeTerrain] = {"slope", NULL},
	[tns_hillsTerrain] = {"seed", "height", "wavelength", "octaves", "roughness", NULL},
	[tns_ridgedTerrain] = {"seed", "height", "wavelength", "octaves", "roughness", NULL},
	[tns_valleyTerrain] = {"seed", "height", "wavelength", "octaves", "roughness", "valley", NULL},
	[tns_islandTerrain] = {"seed", "height", "wavelength", "octaves", "roughness", "radius", "seaDepth", NULL},
	[tns_basinsTerrain] = {"seed", "spacings", "amplitudes", "tilt", NULL},
	[tns_fileTerrain] = {"file", "columns", "rows", "fill", NULL},
};

bool tnsReadTerrain(tnsSceneReader* reader, const tnsJson* value)
{
	static const char* const kinds[] = {"flat", "plane", "hills", "ridged", "valley", "island", "basins", "file", NULL};
#define TNS_TERRAIN(member) offsetof(tnsTerrainRule, def.member)
	static const tnsRule rules[] = {
		{"kind", tns_choiceRule, false, TNS_TERRAIN(kind), 0, 0, kinds},
		{"scale", tns_doubleRule, false, offsetof(tnsTerrainRule, scale), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"offset", tns_doubleRule, false, offsetof(tnsTerrainRule, offset), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"features", tns_customRule, false, 0, 0, 0, NULL},
		{"seed", tns_seedRule, false, TNS_TERRAIN(seed), 0, 0, NULL},
		{"height", tns_doubleRule, false, TNS_TERRAIN(height), 0, TNS_LENGTH, NULL},
		{"wavelength", tns_doubleRule, false, TNS_TERRAIN(wavelength), 0.01, TNS_LENGTH, NULL},
		{"octaves", tns_intRule, false, TNS_TERRAIN(octaves), 1, TNS_MAX_OCTAVES, NULL},
		{"roughness", tns_doubleRule, false, TNS_TERRAIN(roughness), 0, 1, NULL},
		{"slope", tns_customRule, false, 0, 0, 0, NULL},
		{"valley", tns_customRule, false, 0, 0, 0, NULL},
		{"radius", tns_doubleRule, false, TNS_TERRAIN(radius), 0.01, TNS_LENGTH, NULL},
		{"seaDepth", tns_doubleRule, false, TNS_TERRAIN(seaDepth), 0, TNS_LENGTH, NULL},
		{"spacings", tns_customRule, false, 0, 0, 0, NULL},
		{"amplitudes", tns_customRule, false, 0, 0, 0, NULL},
		{"tilt", tns_customRule, false, 0, 0, 0, NULL},
		{"file", tns_fileRule, false, offsetof(tnsTerrainRule, file), 0, 0, NULL},
		{"columns", tns_intRule, false, offsetof(tnsTerrainRule, fileColumns), 1, 65536, NULL},
		{"rows", tns_intRule, false, offsetof(tnsTerrainRule, fileRows), 1, 65536, NULL},
		{"fill", tns_floatRule, false, offsetof(tnsTerrainRule, fill), -TNS_LENGTH, TNS_LENGTH, NULL},
	};
	static const tnsRule valleyRules[] = {
		{"axis", tns_customRule, false, 0, 0, 0, NULL},
		{"slope", tns_doubleRule, false, offsetof(tnsTerrainDef, slope), 0, 1, NULL},
		{"floorWidth", tns_doubleRule, false, offsetof(tnsTerrainDef, floorWidth), 0, TNS_LENGTH, NULL},
		{"sideWidth", tns_doubleRule, false, offsetof(tnsTerrainDef, sideWidth), 0.01, TNS_LENGTH, NULL},
		{"channelWidth", tns_doubleRule, false, offsetof(tnsTerrainDef, channelWidth), 0.01, TNS_LENGTH, NULL},
		{"channelDepth", tns_doubleRule, false, offsetof(tnsTerrainDef, channelDepth), 0, TNS_LENGTH, NULL},
		{"meander", tns_doubleRule, false, offsetof(tnsTerrainDef, meander), 0, TNS_LENGTH, NULL},
		{"meanderLength", tns_doubleRule, false, offsetof(tnsTerrainDef, meanderLength), 0.01, TNS_LENGTH, NULL},
	};
#undef TNS_TERRAIN

	tnsTerrainRule* terrain = &reader->scene->terrain;
	terrain->def = tnsDefaultTerrainDef();
	terrain->scale = 1.0;
	terrain->place = (tnsPlace){1, 1};
	if (value == NULL)
	{
		return true;
	}
	terrain->place = value->place;
	if (TNS_READ(reader, value, "terrain", rules, terrain) == false)
	{
		return false;
	}
	// A file needs no kind beside it.
	if (tnsJson_Find(value, "kind") == NULL && terrain->file.path != NULL)
	{
		terrain->def.kind = tns_fileTerrain;
	}
	if (terrain->def.kind == tns_fileTerrain && terrain->file.path == NULL)
	{
		return tnsFail(reader, value->place, "terrain of kind file needs \"file\"");
	}
	for (const tnsJson* child = value->first; child != NULL; child = child->next)
	{
		bool used = false;
		for (int i = 0; i < 4; ++i)
		{
			used = used || strcmp(child->key, rules[i].key) == 0;
		}
		for (const char* const* key = s_terrainKeys[terrain->def.kind]; *key != NULL; ++key)
		{
			used = used || strcmp(child->key, *key) == 0;
		}
		if (used == false)
		{
			return tnsFail(
				reader, child->keyPlace, "\"%s\" is not for terrain of kind %s", child->key, kinds[terrain->def.kind]);
		}
	}
	terrain->hasFill = tnsJson_Find(value, "fill") != NULL;

	const tnsJson* slope = tnsJson_Find(value, "slope");
	double slopes[2] = {0};
	if (slope != NULL && tnsReadNumbers(reader, slope, "slope", 2, -100, 100, slopes) == false)
	{
		return false;
	}
	terrain->def.slopeX = slopes[0];
	terrain->def.slopeZ = slopes[1];

	const tnsJson* valley = tnsJson_Find(value, "valley");
	if (valley != NULL &&
		(TNS_READ(reader, valley, "valley", valleyRules, &terrain->def) == false ||
			tnsReadAxis(reader, valley, &terrain->def.alongZ) == false))
	{
		return false;
	}
	if (terrain->def.kind == tns_basinsTerrain && tnsReadBasins(reader, value, &terrain->def) == false)
	{
		return false;
	}
	return tnsReadFeatures(reader, tnsJson_Find(value, "features"), terrain);
}

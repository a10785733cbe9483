// SPDX-License-Identifier: MIT

#include "voxels/voxel_scene_model.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Reading scenes of voxels.

#define TNS_CUSTOM(key, required)                    \
	{                                                \
		key, tns_customRule, required, 0, 0, 0, NULL \
	}

// ---------------------------------------------------------------------------------------------------------------------
// Liquids

static bool tnsFindLiquid(
	tnsSceneReader* reader, const tnsJson* value, const char* key, const tnsVoxelScene* scene, int* number)
{
	if (tnsCheckText(reader, value, key, true) == false)
	{
		return false;
	}
	for (int i = 0; i < scene->info.worldDef.liquidCount; ++i)
	{
		if (strcmp(scene->info.liquids[i].name, value->string) == 0)
		{
			*number = i + 1;
			return true;
		}
	}
	return tnsFail(reader, value->place, "%s: there is no liquid %s", key, tnsDescribe(value).text);
}

typedef struct tnsLiquidRule
{
	tnLiquidDef def;
	tnsLiquidInfo info;
} tnsLiquidRule;

static bool tnsReadLiquid(tnsSceneReader* reader, const tnsJson* value, tnsVoxelScene* scene)
{
	static const tnsRule rules[] = {
		{"name", tns_nameRule, true, offsetof(tnsLiquidRule, info.name), 0, 0, NULL},
		{"viscosity", tns_intRule, false, offsetof(tnsLiquidRule, def.viscosity), 1, 1000, NULL},
		{"density", tns_floatRule, false, offsetof(tnsLiquidRule, def.density), 1, 1.0e5, NULL},
		{"levels", tns_boolRule, false, offsetof(tnsLiquidRule, def.levels), 0, 0, NULL},
		{"evaporation", tns_intRule, false, offsetof(tnsLiquidRule, def.evaporation), 0, 1.0e6, NULL},
		TNS_CUSTOM("color", false),
		{"clarity", tns_floatRule, false, offsetof(tnsLiquidRule, info.clarity), 0.01, 1000, NULL},
		TNS_CUSTOM("glow", false),
	};
	tnsVoxelSceneInfo* info = &scene->info;
	const int index = info->worldDef.liquidCount;
	tnsLiquidRule rule = {tnDefaultLiquidDef(), {.color = {-1.0f, -1.0f, -1.0f}, .clarity = 4.0f}};
	if (TNS_READ(reader, value, "liquid", rules, &rule) == false)
	{
		return false;
	}
	for (int i = 0; i < index; ++i)
	{
		if (strcmp(info->liquids[i].name, rule.info.name) == 0)
		{
			return tnsFail(reader, value->place, "there are two liquids of the name \"%s\"", rule.info.name);
		}
	}
	const tnsJson* color = tnsJson_Find(value, "color");
	const tnsJson* glow = tnsJson_Find(value, "glow");
	if ((color != NULL && tnsReadColor(reader, color, &rule.info.color) == false) ||
		(glow != NULL && tnsReadColor(reader, glow, &rule.info.glow) == false))
	{
		return false;
	}
	info->worldDef.liquids[index] = rule.def;
	info->liquids[index] = rule.info;
	info->worldDef.liquidCount += 1;
	return true;
}

static bool tnsReadLiquids(tnsSceneReader* reader, const tnsJson* value, tnsVoxelScene* scene)
{
	if (value == NULL)
	{
		scene->info.liquids[0] = (tnsLiquidInfo){"water", {-1.0f, -1.0f, -1.0f}, 4.0f, {0.0f, 0.0f, 0.0f}};
		return true;
	}
	if (tnsCheckArray(reader, value, "liquids", TN_MAX_LIQUIDS) == false)
	{
		return false;
	}
	if (value->count == 0)
	{
		return tnsFail(reader, value->place, "liquids must have at least one item, got 0");
	}
	scene->info.worldDef.liquidCount = 0;
	for (const tnsJson* child = value->first; child != NULL; child = child->next)
	{
		if (tnsReadLiquid(reader, child, scene) == false)
		{
			return false;
		}
	}
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Items of lists

static bool tnsReadBoxAndLiquid(
	tnsSceneReader* reader, const tnsJson* value, const tnsVoxelScene* scene, tnVoxelBox* box, int* liquid)
{
	const tnsJson* name = tnsJson_Find(value, "liquid");
	return tnsReadVoxelBox(reader, tnsJson_Find(value, "box"), "box", scene->info.size, box) &&
		(name == NULL || tnsFindLiquid(reader, name, "liquid", scene, liquid));
}

// A fill, and the same as an edit.
static bool tnsReadPour(
	tnsSceneReader* reader, const tnsJson* value, const char* what, const tnsVoxelScene* scene, tnsPourRule* pour)
{
	static const tnsRule rules[] = {
		TNS_CUSTOM("box", true),
		TNS_CUSTOM("liquid", false),
		{"amount", tns_intRule, false, offsetof(tnsPourRule, amount), 1, TN_MAX_VOXEL_CAP, NULL},
	};
	*pour = (tnsPourRule){.liquid = 1, .amount = scene->info.worldDef.cap, .place = value->place};
	return TNS_READ(reader, value, what, rules, pour) &&
		tnsReadBoxAndLiquid(reader, value, scene, &pour->box, &pour->liquid);
}

static bool tnsReadFill(tnsSceneReader* reader, const tnsJson* value, const tnsVoxelScene* scene, void* item)
{
	return tnsReadPour(reader, value, "fill", scene, item);
}

static bool tnsReadVoxelSource(tnsSceneReader* reader, const tnsJson* value, const tnsVoxelScene* scene, void* item)
{
	static const tnsRule rules[] = {
		TNS_CUSTOM("box", true),
		TNS_CUSTOM("liquid", false),
		{"rate", tns_intRule, true, offsetof(tnsPourRule, amount), -TN_MAX_VOXEL_CAP, TN_MAX_VOXEL_CAP, NULL},
		{"begin", tns_intRule, false, offsetof(tnsPourRule, begin), 0, TNS_MAX_STEPS, NULL},
		{"end", tns_intRule, false, offsetof(tnsPourRule, end), 0, TNS_MAX_STEPS, NULL},
	};
	tnsPourRule* source = item;
	*source = (tnsPourRule){.liquid = 0, .end = INT_MAX, .place = value->place};
	if (TNS_READ(reader, value, "source", rules, source) == false ||
		tnsReadBoxAndLiquid(reader, value, scene, &source->box, &source->liquid) == false)
	{
		return false;
	}
	// A drain that does not say takes any liquid, a spring gives the first.
	source->liquid = source->liquid == 0 && source->amount >= 0 ? 1 : source->liquid;
	if (source->begin > source->end)
	{
		return tnsFail(reader, value->place, "a source must begin before its end, got begin %d and end %d",
			source->begin, source->end);
	}
	return true;
}

static bool tnsReadOcean(tnsSceneReader* reader, const tnsJson* value, const tnsVoxelScene* scene, void* item)
{
	static const tnsRule rules[] = {
		TNS_CUSTOM("box", true),
		TNS_CUSTOM("liquid", false),
		{"level", tns_doubleRule, true, offsetof(tnsOceanRule, level), 0, TNS_MAX_SCENE_VOXELS, NULL},
	};
	tnsOceanRule* ocean = item;
	*ocean = (tnsOceanRule){.liquid = 1, .place = value->place};
	return TNS_READ(reader, value, "ocean", rules, ocean) &&
		tnsReadBoxAndLiquid(reader, value, scene, &ocean->box, &ocean->liquid);
}

static bool tnsReadReaction(tnsSceneReader* reader, const tnsJson* value, const tnsVoxelScene* scene, void* item)
{
	static const tnsRule rules[] = {
		TNS_CUSTOM("first", true),
		TNS_CUSTOM("second", true),
		{"rate", tns_intRule, false, offsetof(tnsReactionRule, def.rate), 1, TN_MAX_VOXEL_CAP, NULL},
		{"ground", tns_intRule, false, offsetof(tnsReactionRule, def.ground), 0, 2, NULL},
	};
	tnsReactionRule* reaction = item;
	*reaction = (tnsReactionRule){tnDefaultReactionDef(), value->place};
	int first = 0, second = 0;
	if (TNS_READ(reader, value, "reaction", rules, reaction) == false ||
		tnsFindLiquid(reader, tnsJson_Find(value, "first"), "first", scene, &first) == false ||
		tnsFindLiquid(reader, tnsJson_Find(value, "second"), "second", scene, &second) == false)
	{
		return false;
	}
	reaction->def.first = first;
	reaction->def.second = second;
	return first != second ||
		tnsFail(reader, value->place, "first and second of a reaction must differ, got \"%s\" twice",
			scene->info.liquids[first - 1].name);
}

static bool tnsReadGroundItem(tnsSceneReader* reader, const tnsJson* value, const tnsVoxelScene* scene, void* item)
{
	return tnsReadGround(reader, value, "ground", scene->info.size, TN_VOXEL_ROCK, item);
}

static bool tnsReadVoxelEdit(tnsSceneReader* reader, const tnsJson* value, const tnsVoxelScene* scene, void* item)
{
	static const char* const kinds[] = {"dig", "build", "pour", "drain"};
	static const tnsRule rules[] = {
		{"step", tns_intRule, true, offsetof(tnsVoxelEdit, step), 0, TNS_MAX_STEPS, NULL},
		{"every", tns_intRule, false, offsetof(tnsVoxelEdit, every), 1, TNS_MAX_STEPS, NULL},
		{"until", tns_intRule, false, offsetof(tnsVoxelEdit, until), 0, TNS_MAX_STEPS, NULL},
		TNS_CUSTOM("move", false),
		TNS_CUSTOM("dig", false),
		TNS_CUSTOM("build", false),
		TNS_CUSTOM("pour", false),
		TNS_CUSTOM("drain", false),
	};
	tnsVoxelEdit* edit = item;
	*edit = (tnsVoxelEdit){.until = -1, .place = value->place};
	if (TNS_READ(reader, value, "edit", rules, edit) == false)
	{
		return false;
	}
	const tnsJson *every = tnsJson_Find(value, "every"), *until = tnsJson_Find(value, "until");
	const tnsJson* move = tnsJson_Find(value, "move");
	if (every == NULL && (until != NULL || move != NULL))
	{
		return tnsFail(reader, (until != NULL ? until : move)->keyPlace, "%s needs \"every\" beside it",
			until != NULL ? "until" : "move");
	}
	edit->until = every == NULL ? edit->step : until == NULL ? INT_MAX : edit->until;
	edit->every = every == NULL ? 1 : edit->every;
	if (edit->until < edit->step)
	{
		return tnsFail(reader, until->place, "until must not be before step %d, got %d", edit->step, edit->until);
	}
	if (move != NULL && tnsReadVoxel(reader, move, "move", &edit->move) == false)
	{
		return false;
	}
	const int kind = tnsFindOneOf(reader, value, "edit", kinds, 4, false);
	if (kind < 0)
	{
		return false;
	}
	const tnsJson* what = tnsJson_Find(value, kinds[kind]);
	edit->isPour = kind >= 2;
	if (edit->isPour)
	{
		const bool isRead = tnsReadPour(reader, what, kinds[kind], scene, &edit->pour);
		edit->pour.amount = kind == 3 ? -edit->pour.amount : edit->pour.amount;
		return isRead;
	}
	return tnsReadGround(reader, what, kinds[kind], scene->info.size, kind == 0 ? 0 : TN_VOXEL_ROCK, &edit->ground);
}

static bool tnsReadWheel(tnsSceneReader* reader, const tnsJson* value, const tnsVoxelScene* scene, void* item)
{
	static const char* const axes[] = {"x", "z", NULL};
	static const tnsRule rules[] = {
		TNS_CUSTOM("at", true),
		{"radius", tns_doubleRule, true, offsetof(tnsWheelRule, radius), 1, TNS_MAX_SCENE_VOXELS, NULL},
		{"hub", tns_doubleRule, false, offsetof(tnsWheelRule, hub), 0, TNS_MAX_SCENE_VOXELS, NULL},
		{"width", tns_doubleRule, false, offsetof(tnsWheelRule, width), 0.1, TNS_MAX_SCENE_VOXELS, NULL},
		{"blades", tns_intRule, false, offsetof(tnsWheelRule, bladeCount), 3, TNS_MAX_BLADES, NULL},
		{"axis", tns_choiceRule, false, offsetof(tnsWheelRule, axis), 0, 0, axes},
		{"inertia", tns_doubleRule, false, offsetof(tnsWheelRule, inertia), 1.0e-3, 1.0e12, NULL},
		{"friction", tns_doubleRule, false, offsetof(tnsWheelRule, friction), 0, 1.0e12, NULL},
	};
	(void)scene;
	tnsWheelRule* wheel = item;
	*wheel = (tnsWheelRule){.hub = -1.0, .width = 2.0, .bladeCount = 12, .axis = 1, .place = value->place};
	if (TNS_READ(reader, value, "wheel", rules, wheel) == false ||
		tnsReadVoxelPoint(reader, tnsJson_Find(value, "at"), "at", &wheel->center) == false)
	{
		return false;
	}
	wheel->hub = wheel->hub < 0.0 ? 0.6 * wheel->radius : wheel->hub;
	return wheel->hub < wheel->radius ||
		tnsFail(reader, value->place, "hub must be less than the radius %.9g, got %.9g", wheel->radius, wheel->hub);
}

static bool tnsReadProp(tnsSceneReader* reader, const tnsJson* value, const tnsVoxelScene* scene, void* item)
{
	static const char* const materials[] = {"wood", "stone", "paint", NULL};
	static const tnsRule rules[] = {
		TNS_CUSTOM("box", true),
		TNS_CUSTOM("color", false),
		{"material", tns_choiceRule, false, offsetof(tnsVoxelProp, material), 0, 0, materials},
	};
	tnsVoxelProp* prop = item;
	*prop = (tnsVoxelProp){.color = {0.30f, 0.185f, 0.085f}};
	double n[6];
	const tnsJson *box = tnsJson_Find(value, "box"), *color = tnsJson_Find(value, "color");
	if (TNS_READ(reader, value, "prop", rules, prop) == false ||
		(color != NULL && tnsReadColor(reader, color, &prop->color) == false) ||
		tnsReadNumbers(reader, box, "box", 6, 0, TNS_MAX_SCENE_VOXELS, n) == false)
	{
		return false;
	}
	if (n[0] >= n[3] || n[1] >= n[4] || n[2] >= n[5])
	{
		return tnsFail(reader, box->place,
			"box must go from a low corner to a higher one, got %.9g, %.9g, %.9g, %.9g, %.9g, %.9g", n[0], n[1], n[2],
			n[3], n[4], n[5]);
	}
	const double unit = (double)scene->info.worldDef.voxelSize;
	prop->low = (tnVec3){(float)(n[0] * unit), (float)(n[1] * unit), (float)(n[2] * unit)};
	prop->high = (tnVec3){(float)(n[3] * unit), (float)(n[4] * unit), (float)(n[5] * unit)};
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// The part "voxels"

typedef bool tnsReadItemFcn(tnsSceneReader* reader, const tnsJson* value, const tnsVoxelScene* scene, void* item);

// An array that may be missing.
static bool tnsReadList(tnsSceneReader* reader, const tnsJson* voxels, const char* key, const tnsVoxelScene* scene,
	tnsReadItemFcn* readFcn, size_t itemSize, void** items, int* count)
{
	const tnsJson* value = tnsJson_Find(voxels, key);
	*count = 0;
	if (value == NULL)
	{
		return true;
	}
	if (tnsCheckArray(reader, value, key, TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	*items = tnsSceneAlloc(reader, (size_t)value->count, itemSize);
	for (const tnsJson* child = value->first; child != NULL && *items != NULL; child = child->next)
	{
		if (readFcn(reader, child, scene, (char*)*items + (size_t)(*count)++ * itemSize) == false)
		{
			return false;
		}
	}
	return *items != NULL;
}

static bool tnsReadInterests(tnsSceneReader* reader, const tnsJson* value, tnsVoxelScene* scene)
{
	if (value == NULL)
	{
		return true;
	}
	scene->interestPlace = value->place;
	if (tnsCheckArray(reader, value, "interests", TN_MAX_VOXEL_INTERESTS) == false)
	{
		return false;
	}
	for (const tnsJson* child = value->first; child != NULL; child = child->next)
	{
		if (tnsReadVoxel(reader, child, "an interest", &scene->interests[scene->interestCount++]) == false)
		{
			return false;
		}
	}
	return true;
}

#define TNS_LIST(key, readFcn, items, count)                                                        \
	tnsReadList(reader, value, key, scene, readFcn, sizeof(*scene->items), &list, &scene->count) && \
		(scene->items = list, true)

static bool tnsReadLists(tnsSceneReader* reader, const tnsJson* value, tnsVoxelScene* scene)
{
	void* list = NULL;
	return TNS_LIST("ground", tnsReadGroundItem, ground, groundCount) &&
		TNS_LIST("fills", tnsReadFill, fills, fillCount) &&
		TNS_LIST("sources", tnsReadVoxelSource, sources, sourceCount) &&
		TNS_LIST("oceans", tnsReadOcean, oceans, oceanCount) &&
		TNS_LIST("reactions", tnsReadReaction, reactions, reactionCount) &&
		TNS_LIST("edits", tnsReadVoxelEdit, edits, editCount) &&
		TNS_LIST("wheels", tnsReadWheel, wheels, info.wheelCount) &&
		TNS_LIST("props", tnsReadProp, props, info.propCount) && (scene->info.props = scene->props, true) &&
		tnsReadInterests(reader, tnsJson_Find(value, "interests"), scene);
}

static bool tnsReadVoxels(tnsSceneReader* reader, const tnsJson* value, tnsVoxelScene* scene)
{
	static const char* const ruleNames[] = {"components", "basic", "pressure", NULL};
	static const tnsRule rules[] = {
		TNS_CUSTOM("size", true),
		{"voxelSize", tns_floatRule, false, offsetof(tnsVoxelSceneInfo, worldDef.voxelSize), 0.01, 100, NULL},
		{"cap", tns_intRule, false, offsetof(tnsVoxelSceneInfo, worldDef.cap), 8, TN_MAX_VOXEL_CAP, NULL},
		{"rules", tns_choiceRule, false, offsetof(tnsVoxelSceneInfo, worldDef.rules), 0, 0, ruleNames},
		{"workLimit", tns_intRule, false, offsetof(tnsVoxelSceneInfo, workLimit), 0, INT_MAX, NULL},
		{"cutOut", tns_boolRule, false, offsetof(tnsVoxelSceneInfo, cutOut), 0, 0, NULL},
		{"grass", tns_boolRule, false, offsetof(tnsVoxelSceneInfo, grass), 0, 0, NULL},
		TNS_CUSTOM("rock", false),
		TNS_CUSTOM("clip", false),
		TNS_CUSTOM("liquids", false),
		TNS_CUSTOM("reactions", false),
		TNS_CUSTOM("oceans", false),
		TNS_CUSTOM("interests", false),
		TNS_CUSTOM("ground", false),
		TNS_CUSTOM("fills", false),
		TNS_CUSTOM("sources", false),
		TNS_CUSTOM("edits", false),
		TNS_CUSTOM("wheels", false),
		TNS_CUSTOM("props", false),
	};
	tnsVoxelSceneInfo* info = &scene->info;
	if (TNS_READ(reader, value, "voxels", rules, info) == false)
	{
		return false;
	}
	const tnsJson* size = tnsJson_Find(value, "size");
	if (tnsReadVoxel(reader, size, "size", &info->size) == false)
	{
		return false;
	}
	const tnVoxel n = info->size;
	if (n.x < 1 || n.y < 1 || n.z < 1 || n.x > TNS_MAX_SCENE_VOXELS || n.y > TNS_MAX_SCENE_VOXELS ||
		n.z > TNS_MAX_SCENE_VOXELS)
	{
		return tnsFail(reader, size->place, "size must be from 1 to %d along each axis, got %d, %d, %d",
			TNS_MAX_SCENE_VOXELS, n.x, n.y, n.z);
	}
	info->clip = (tnVoxelBox){{0, 0, 0}, n};
	const tnsJson *clip = tnsJson_Find(value, "clip"), *rock = tnsJson_Find(value, "rock");
	return (rock == NULL || tnsReadColor(reader, rock, &info->rock)) &&
		(clip == NULL || tnsReadVoxelBox(reader, clip, "clip", n, &info->clip)) &&
		tnsReadLiquids(reader, tnsJson_Find(value, "liquids"), scene) && tnsReadLists(reader, value, scene);
}

bool tnsReadVoxelScene(tnsSceneReader* reader, const tnsJson* root, tnsVoxelScene* scene)
{
	static const tnsRule rules[] = {
		{"name", tns_textRule, false, offsetof(tnsVoxelSceneInfo, name), 0, 0, NULL},
		{"description", tns_textRule, false, offsetof(tnsVoxelSceneInfo, description), 0, 0, NULL},
		{"steps", tns_intRule, false, offsetof(tnsVoxelSceneInfo, steps), 0, TNS_MAX_STEPS, NULL},
		{"eye", tns_spaceRule, false, offsetof(tnsVoxelSceneInfo, eye), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"sun", tns_vectorRule, false, offsetof(tnsVoxelSceneInfo, sun), -360, 360, NULL},
		{"target", tns_spaceRule, false, offsetof(tnsVoxelSceneInfo, target), -TNS_LENGTH, TNS_LENGTH, NULL},
		TNS_CUSTOM("voxels", true),
		TNS_CUSTOM("bodies", false),
		TNS_CUSTOM("joints", false),
		TNS_CUSTOM("regions", false),
		TNS_CUSTOM("level", false),
	};
	if (root->kind == tns_jsonObject && tnsJson_Find(root, "voxels") != NULL &&
		tnsReadVoxels(reader, tnsJson_Find(root, "voxels"), scene) == false)
	{
		return false;
	}
	// From the south and above, if it does not say.
	tnsVoxelSceneInfo* info = &scene->info;
	const float unit = info->worldDef.voxelSize;
	const tnVec3 high = {unit * (float)info->size.x, unit * (float)info->size.y, unit * (float)info->size.z};
	info->target = (tnVec3){0.5f * high.x, 0.35f * high.y, 0.5f * high.z};
	info->eye = (tnVec3){0.5f * high.x, 1.1f * high.y, high.z + 0.9f * high.x};
	if (TNS_READ(reader, root, "a scene of voxels", rules, info) == false)
	{
		return false;
	}
	// Bodies are those of scenes with columns: they know steps in seconds, and where the world ends.
	tnsScene* base = scene->base;
	base->info.timeStep = 1.0f / info->worldDef.stepRate;
	base->cells = (tnsCells){.columnCount = info->size.x, .rowCount = info->size.z, .cellSize = (double)unit};
	const bool read = tnsReadBodies(reader, tnsJson_Find(root, "bodies"), tnsJson_Find(root, "joints"));
	info->bodyCount = base->info.bodyCount;
	// Goals refer to liquids by their names.
	reader->liquids = info->liquids;
	reader->liquidCount = info->worldDef.liquidCount;
	if (read == false || tnsReadRegions(reader, root) == false ||
		tnsReadLevel(reader, tnsJson_Find(root, "level")) == false)
	{
		return false;
	}
	// A film of a level is as long as the level.
	if (base->hasLevel && tnsJson_Find(root, "steps") == NULL)
	{
		info->steps = (int)(base->level.timeLimit * (double)info->worldDef.stepRate + 0.5);
	}
	return true;
}

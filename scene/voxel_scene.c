// SPDX-License-Identifier: MIT

#include "voxel_scene.h"

#include "scene_rules.h"
#include "terrain_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Voxels along a side of a scene, at most: four blocks.
#define TNS_MAX_SCENE_VOXELS 512

typedef enum tnsGroundKind
{
	tns_boxGround = 0,
	tns_ballGround,
	tns_hillsGround,
} tnsGroundKind;

typedef struct tnsGroundRule
{
	tnsGroundKind kind;
	tnVoxelBox box;
	double ball[4];
	int solid;
	// Hills: middle height, how far up and down, and from hill to hill, voxels.
	double height, amplitude, length;
	uint64_t seed;
	tnsPlace place;
} tnsGroundRule;

typedef struct tnsLiquidRule
{
	const char* name;
	int viscosity;
	float density;
	bool levels;
} tnsLiquidRule;

// Liquid that is there at the start, or that comes (or goes) with each step.
typedef struct tnsPourRule
{
	tnVoxelBox box;
	int liquid;
	int amount;
	tnsPlace place;
} tnsPourRule;

typedef struct tnsVoxelRule
{
	float voxelSize;
	int cap, rules;
	bool cutOut, grass;
} tnsVoxelRule;

struct tnsVoxelScene
{
	tnsScene* base; // memory and names
	tnsVoxelSceneInfo info;
	tnsVoxelRule rule;
	tnsLiquidRule* liquids;
	int liquidCount;
	tnsGroundRule* ground;
	int groundCount;
	tnsPourRule* fills;
	int fillCount;
	tnsPourRule* sources;
	int sourceCount;
};

// ---------------------------------------------------------------------------------------------------------------------
// Reading

static bool tnsReadBox(tnsSceneReader* reader, const tnsJson* value, const char* key, tnVoxel size, tnVoxelBox* box)
{
	double numbers[6];
	if (tnsReadNumbers(reader, value, key, 6, 0, TNS_MAX_SCENE_VOXELS, numbers) == false)
	{
		return false;
	}
	box->low = (tnVoxel){(int)numbers[0], (int)numbers[1], (int)numbers[2]};
	box->high = (tnVoxel){(int)numbers[3], (int)numbers[4], (int)numbers[5]};
	if (box->low.x >= box->high.x || box->low.y >= box->high.y || box->low.z >= box->high.z || box->high.x > size.x ||
		box->high.y > size.y || box->high.z > size.z)
	{
		return tnsFail(reader, value->place, "%s must go from a low corner to a higher one within the size %d, %d, %d",
			key, size.x, size.y, size.z);
	}
	return true;
}

static bool tnsReadGround(tnsSceneReader* reader, const tnsJson* value, tnVoxel size, tnsGroundRule* ground)
{
	static const tnsRule rules[] = {
		{"box", tns_customRule, false, 0, 0, 0, NULL},
		{"ball", tns_customRule, false, 0, 0, 0, NULL},
		{"hills", tns_customRule, false, 0, 0, 0, NULL},
		{"solid", tns_intRule, false, offsetof(tnsGroundRule, solid), 0, TN_VOXEL_ROCK, NULL},
	};
	static const tnsRule hillRules[] = {
		{"height", tns_doubleRule, true, offsetof(tnsGroundRule, height), 0, TNS_MAX_SCENE_VOXELS, NULL},
		{"amplitude", tns_doubleRule, false, offsetof(tnsGroundRule, amplitude), 0, TNS_MAX_SCENE_VOXELS, NULL},
		{"length", tns_doubleRule, false, offsetof(tnsGroundRule, length), 2, TNS_MAX_SCENE_VOXELS, NULL},
		{"seed", tns_seedRule, false, offsetof(tnsGroundRule, seed), 0, 0, NULL},
	};
	static const char* const kinds[] = {"box", "ball", "hills"};
	*ground =
		(tnsGroundRule){.solid = TN_VOXEL_ROCK, .amplitude = 4.0, .length = 20.0, .seed = 1, .place = value->place};
	if (TNS_READ(reader, value, "ground", rules, ground) == false)
	{
		return false;
	}
	const int kind = tnsFindOneOf(reader, value, "ground", kinds, 3, false);
	if (kind < 0)
	{
		return false;
	}
	ground->kind = (tnsGroundKind)kind;
	const tnsJson* form = tnsJson_Find(value, kinds[kind]);
	if (kind == tns_boxGround)
	{
		return tnsReadBox(reader, form, "box", size, &ground->box);
	}
	if (kind == tns_ballGround)
	{
		return tnsReadNumbers(reader, form, "ball", 4, -TNS_MAX_SCENE_VOXELS, 2 * TNS_MAX_SCENE_VOXELS, ground->ball);
	}
	return TNS_READ(reader, form, "hills", hillRules, ground);
}

static bool tnsReadPour(
	tnsSceneReader* reader, const tnsJson* value, const tnsVoxelScene* scene, bool isSource, tnsPourRule* pour)
{
	static const tnsRule rules[] = {
		{"box", tns_customRule, true, 0, 0, 0, NULL},
		{"liquid", tns_customRule, false, 0, 0, 0, NULL},
		{"amount", tns_intRule, false, offsetof(tnsPourRule, amount), 1, TN_MAX_VOXEL_CAP, NULL},
	};
	static const tnsRule sourceRules[] = {
		{"box", tns_customRule, true, 0, 0, 0, NULL},
		{"liquid", tns_customRule, false, 0, 0, 0, NULL},
		{"rate", tns_intRule, true, offsetof(tnsPourRule, amount), -TN_MAX_VOXEL_CAP, TN_MAX_VOXEL_CAP, NULL},
	};
	*pour = (tnsPourRule){.liquid = 1, .amount = scene->rule.cap, .place = value->place};
	const bool isRead =
		isSource ? TNS_READ(reader, value, "source", sourceRules, pour) : TNS_READ(reader, value, "fill", rules, pour);
	if (isRead == false || tnsReadBox(reader, tnsJson_Find(value, "box"), "box", scene->info.size, &pour->box) == false)
	{
		return false;
	}
	const tnsJson* name = tnsJson_Find(value, "liquid");
	if (name == NULL)
	{
		return true;
	}
	if (tnsCheckText(reader, name, "liquid", true) == false)
	{
		return false;
	}
	for (int i = 0; i < scene->liquidCount; ++i)
	{
		if (strcmp(scene->liquids[i].name, name->string) == 0)
		{
			pour->liquid = i + 1;
			return true;
		}
	}
	return tnsFail(reader, name->place, "there is no liquid %s", tnsDescribe(name).text);
}

static bool tnsReadLiquids(tnsSceneReader* reader, const tnsJson* value, tnsVoxelScene* scene)
{
	static const tnsRule rules[] = {
		{"name", tns_nameRule, true, offsetof(tnsLiquidRule, name), 0, 0, NULL},
		{"viscosity", tns_intRule, false, offsetof(tnsLiquidRule, viscosity), 1, 1000, NULL},
		{"density", tns_floatRule, false, offsetof(tnsLiquidRule, density), 1, 1.0e5, NULL},
		{"levels", tns_boolRule, false, offsetof(tnsLiquidRule, levels), 0, 0, NULL},
	};
	scene->liquidCount = value != NULL ? value->count : 1;
	if (value != NULL &&
		(tnsCheckArray(reader, value, "liquids", TN_MAX_LIQUIDS) == false ||
			(value->count == 0 && tnsFail(reader, value->place, "liquids must not be empty") == false)))
	{
		return false;
	}
	scene->liquids = tnsSceneAlloc(reader, (size_t)scene->liquidCount, sizeof(tnsLiquidRule));
	if (scene->liquids == NULL)
	{
		return false;
	}
	scene->liquids[0] = (tnsLiquidRule){"water", 1, 1000.0f, true};
	const tnsJson* child = value != NULL ? value->first : NULL;
	for (int i = 0; child != NULL; ++i, child = child->next)
	{
		scene->liquids[i] = (tnsLiquidRule){NULL, 1, 1000.0f, true};
		if (TNS_READ(reader, child, "liquid", rules, &scene->liquids[i]) == false)
		{
			return false;
		}
	}
	return true;
}

static bool tnsReadPours(tnsSceneReader* reader, const tnsJson* value, tnsVoxelScene* scene, bool isSource)
{
	if (value == NULL)
	{
		return true;
	}
	if (tnsCheckArray(reader, value, isSource ? "sources" : "fills", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	tnsPourRule* pours = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnsPourRule));
	int count = 0;
	for (const tnsJson* child = value->first; child != NULL && pours != NULL; child = child->next)
	{
		if (tnsReadPour(reader, child, scene, isSource, &pours[count++]) == false)
		{
			return false;
		}
	}
	*(isSource ? &scene->sources : &scene->fills) = pours;
	*(isSource ? &scene->sourceCount : &scene->fillCount) = count;
	return pours != NULL;
}

static bool tnsReadVoxels(tnsSceneReader* reader, const tnsJson* value, tnsVoxelScene* scene)
{
	static const char* const ruleNames[] = {"components", "basic", "pressure", NULL};
	static const tnsRule rules[] = {
		{"size", tns_customRule, true, 0, 0, 0, NULL},
		{"voxelSize", tns_floatRule, false, offsetof(tnsVoxelRule, voxelSize), 0.01, 100, NULL},
		{"cap", tns_intRule, false, offsetof(tnsVoxelRule, cap), 8, TN_MAX_VOXEL_CAP, NULL},
		{"rules", tns_choiceRule, false, offsetof(tnsVoxelRule, rules), 0, 0, ruleNames},
		{"cutOut", tns_boolRule, false, offsetof(tnsVoxelRule, cutOut), 0, 0, NULL},
		{"grass", tns_boolRule, false, offsetof(tnsVoxelRule, grass), 0, 0, NULL},
		{"clip", tns_customRule, false, 0, 0, 0, NULL},
		{"liquids", tns_customRule, false, 0, 0, 0, NULL},
		{"ground", tns_customRule, false, 0, 0, 0, NULL},
		{"fills", tns_customRule, false, 0, 0, 0, NULL},
		{"sources", tns_customRule, false, 0, 0, 0, NULL},
	};
	double size[3];
	if (TNS_READ(reader, value, "voxels", rules, &scene->rule) == false ||
		tnsReadNumbers(reader, tnsJson_Find(value, "size"), "size", 3, 1, TNS_MAX_SCENE_VOXELS, size) == false)
	{
		return false;
	}
	scene->info.size = (tnVoxel){(int)size[0], (int)size[1], (int)size[2]};
	scene->info.clip = (tnVoxelBox){{0, 0, 0}, scene->info.size};
	const tnsJson* clip = tnsJson_Find(value, "clip");
	if ((clip != NULL && tnsReadBox(reader, clip, "clip", scene->info.size, &scene->info.clip) == false) ||
		tnsReadLiquids(reader, tnsJson_Find(value, "liquids"), scene) == false)
	{
		return false;
	}
	const tnsJson* ground = tnsJson_Find(value, "ground");
	if (ground != NULL && tnsCheckArray(reader, ground, "ground", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	scene->ground = tnsSceneAlloc(reader, ground != NULL ? (size_t)ground->count : 0, sizeof(tnsGroundRule));
	const tnsJson* child = ground != NULL ? ground->first : NULL;
	for (; child != NULL && scene->ground != NULL; child = child->next)
	{
		if (tnsReadGround(reader, child, scene->info.size, &scene->ground[scene->groundCount++]) == false)
		{
			return false;
		}
	}
	return scene->ground != NULL && tnsReadPours(reader, tnsJson_Find(value, "fills"), scene, false) &&
		tnsReadPours(reader, tnsJson_Find(value, "sources"), scene, true);
}

static bool tnsReadVoxelScene(tnsSceneReader* reader, const tnsJson* root, tnsVoxelScene* scene)
{
	static const tnsRule rules[] = {
		{"name", tns_textRule, false, offsetof(tnsVoxelSceneInfo, name), 0, 0, NULL},
		{"description", tns_textRule, false, offsetof(tnsVoxelSceneInfo, description), 0, 0, NULL},
		{"steps", tns_intRule, false, offsetof(tnsVoxelSceneInfo, steps), 0, 1000000, NULL},
		{"eye", tns_spaceRule, false, offsetof(tnsVoxelSceneInfo, eye), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"target", tns_spaceRule, false, offsetof(tnsVoxelSceneInfo, target), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"voxels", tns_customRule, true, 0, 0, 0, NULL},
	};
	if (root->kind == tns_jsonObject && tnsJson_Find(root, "voxels") != NULL &&
		tnsReadVoxels(reader, tnsJson_Find(root, "voxels"), scene) == false)
	{
		return false;
	}
	// From the south and above, if it does not say.
	const float unit = scene->rule.voxelSize;
	const tnVec3 high = {
		unit * (float)scene->info.size.x, unit * (float)scene->info.size.y, unit * (float)scene->info.size.z};
	scene->info.target = (tnVec3){0.5f * high.x, 0.35f * high.y, 0.5f * high.z};
	scene->info.eye = (tnVec3){0.5f * high.x, 1.1f * high.y, high.z + 0.9f * high.x};
	if (TNS_READ(reader, root, "a scene of voxels", rules, &scene->info) == false)
	{
		return false;
	}
	tnVoxelWorldDef* def = &scene->info.worldDef;
	def->cap = scene->rule.cap;
	def->voxelSize = scene->rule.voxelSize;
	def->rules = (tnVoxelRules)scene->rule.rules;
	def->liquidCount = scene->liquidCount;
	for (int i = 0; i < scene->liquidCount; ++i)
	{
		def->liquids[i].viscosity = scene->liquids[i].viscosity;
		def->liquids[i].density = scene->liquids[i].density;
		def->liquids[i].levels = scene->liquids[i].levels;
	}
	scene->info.cutOut = scene->rule.cutOut;
	scene->info.grass = scene->rule.grass;
	return true;
}

void tnsDestroyVoxelScene(tnsVoxelScene* scene)
{
	if (scene != NULL)
	{
		tnsDestroyScene(scene->base);
		free(scene);
	}
}

tnsVoxelScene* tnsParseVoxelScene(const char* text, size_t size, const char* name, tnsResult* result)
{
	tnsResult unused;
	result = result != NULL ? result : &unused;
	*result = (tnsResult){0};
	if (text == NULL || name == NULL)
	{
		*result = tnsMakeError(tns_invalidArgument, "a scene needs a text and a name");
		return NULL;
	}
	tnsVoxelScene* scene = calloc(1, sizeof(*scene));
	tnsScene* base = calloc(1, sizeof(tnsScene));
	char* fileName = malloc(strlen(name) + 1);
	if (scene == NULL || base == NULL || fileName == NULL)
	{
		free(scene);
		free(base);
		free(fileName);
		*result = tnsMakeError(tns_outOfMemory, "%.200s: out of memory", name);
		return NULL;
	}
	strcpy(fileName, name);
	base->fileName = fileName;
	scene->base = base;
	scene->info = (tnsVoxelSceneInfo){.name = fileName, .description = "", .steps = 600};
	scene->info.worldDef = tnDefaultVoxelWorldDef();
	scene->rule = (tnsVoxelRule){0.75f, 1024, tn_componentRules, true, true};
	tnsSceneReader reader = {.scene = base};
	reader.result = tnsParseJson(text, size, name, &base->document);
	if (reader.result.status == tns_ok)
	{
		tnsReadVoxelScene(&reader, tnsJson_GetRoot(base->document), scene);
	}
	*result = reader.result;
	if (result->status != tns_ok)
	{
		tnsDestroyVoxelScene(scene);
		return NULL;
	}
	return scene;
}

tnsVoxelScene* tnsLoadVoxelScene(const char* path, tnsResult* result)
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
	tnsVoxelScene* scene = result->status == tns_ok ? tnsParseVoxelScene(text, size, path, result) : NULL;
	free(text);
	return scene;
}

const tnsVoxelSceneInfo* tnsVoxelScene_GetInfo(const tnsVoxelScene* scene)
{
	return &scene->info;
}

// ---------------------------------------------------------------------------------------------------------------------
// Making the world

// In [-1, 1] at the corners of a lattice. Whole numbers: the same everywhere.
static double tnsGetLattice(uint64_t seed, int64_t x, int64_t z)
{
	uint64_t h =
		seed * 0x9e3779b97f4a7c15ull + (uint64_t)x * 0xbf58476d1ce4e5b9ull + (uint64_t)z * 0x94d049bb133111ebull;
	h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9ull;
	h = (h ^ h >> 29) * 0x94d049bb133111ebull;
	return (double)(h >> 40) / 8388608.0 - 1.0;
}

// Smooth in between.
static double tnsGetNoise(uint64_t seed, double x, double z)
{
	const double cx = floor(x), cz = floor(z);
	const double u = (x - cx) * (x - cx) * (3.0 - 2.0 * (x - cx)), v = (z - cz) * (z - cz) * (3.0 - 2.0 * (z - cz));
	const int64_t i = (int64_t)cx, k = (int64_t)cz;
	const double north = tnsGetLattice(seed, i, k) * (1.0 - u) + tnsGetLattice(seed, i + 1, k) * u;
	const double south = tnsGetLattice(seed, i, k + 1) * (1.0 - u) + tnsGetLattice(seed, i + 1, k + 1) * u;
	return north * (1.0 - v) + south * v;
}

static tnResult tnsMakeHills(tnVoxelWorld* world, const tnsGroundRule* ground, tnVoxel size)
{
	tnResult result = {0};
	for (int i = 0; i < size.x * size.z && result.status == tn_ok; ++i)
	{
		const int x = i % size.x, z = i / size.x;
		const double px = (double)x / ground->length, pz = (double)z / ground->length;
		double height = ground->height + ground->amplitude * 0.75 * tnsGetNoise(ground->seed, px, pz) +
			ground->amplitude * 0.25 * tnsGetNoise(ground->seed + 1, 2.7 * px, 2.7 * pz);
		height = fmin(fmax(height, 0.0), (double)size.y);
		const int y = (int)height < size.y - 1 ? (int)height : size.y - 1;
		// Air above, so that hills end what was there before.
		result = tnVoxelWorld_FillSolid(world, (tnVoxelBox){{x, 0, z}, {x + 1, y, z + 1}}, TN_VOXEL_ROCK);
		if (result.status == tn_ok)
		{
			const int share = (int)((height - (double)y) * (double)TN_VOXEL_ROCK);
			result = tnVoxelWorld_FillSolid(
				world, (tnVoxelBox){{x, y, z}, {x + 1, y + 1, z + 1}}, share < TN_VOXEL_ROCK ? share : TN_VOXEL_ROCK);
		}
		if (result.status == tn_ok && y + 1 < size.y)
		{
			result = tnVoxelWorld_FillSolid(world, (tnVoxelBox){{x, y + 1, z}, {x + 1, size.y, z + 1}}, 0);
		}
	}
	return result;
}

static tnResult tnsMakeGround(tnVoxelWorld* world, const tnsGroundRule* ground, tnVoxel size, float unit)
{
	if (ground->kind == tns_hillsGround)
	{
		return tnsMakeHills(world, ground, size);
	}
	if (ground->kind == tns_boxGround)
	{
		return tnVoxelWorld_FillSolid(world, ground->box, ground->solid);
	}
	const tnVec3 center = {(float)ground->ball[0] * unit, (float)ground->ball[1] * unit, (float)ground->ball[2] * unit};
	return tnVoxelWorld_FillSolidBall(world, center, (float)ground->ball[3] * unit, ground->solid);
}

// Blocks, all rock but for the air of the scene.
static tnResult tnsMakeBlocks(tnVoxelWorld* world, tnVoxel size)
{
	const int n = TN_VOXEL_BLOCK;
	const tnVoxel count = {(size.x + n - 1) / n, (size.y + n - 1) / n, (size.z + n - 1) / n};
	tnResult result = {0};
	for (int i = 0; i < count.x * count.y * count.z && result.status == tn_ok; ++i)
	{
		result = tnVoxelWorld_LoadBlock(world, (tnVoxel){i % count.x, i / count.x % count.y, i / count.x / count.y});
	}
	if (result.status == tn_ok)
	{
		const tnVoxelBox all = {{0, 0, 0}, {count.x * n, count.y * n, count.z * n}};
		result = tnVoxelWorld_FillSolid(world, all, TN_VOXEL_ROCK);
	}
	return result.status == tn_ok ? tnVoxelWorld_FillSolid(world, (tnVoxelBox){{0, 0, 0}, size}, 0) : result;
}

tnVoxelWorld* tnsVoxelScene_CreateWorld(const tnsVoxelScene* scene, tnsResult* result)
{
	tnsResult unused;
	result = result != NULL ? result : &unused;
	*result = (tnsResult){0};
	tnVoxelWorld* world = NULL;
	tnsPlace place = {1, 1};
	tnResult done = tnCreateVoxelWorld(&scene->info.worldDef, &world);
	if (done.status == tn_ok)
	{
		done = tnsMakeBlocks(world, scene->info.size);
	}
	for (int i = 0; i < scene->groundCount && done.status == tn_ok; ++i)
	{
		place = scene->ground[i].place;
		done = tnsMakeGround(world, &scene->ground[i], scene->info.size, scene->info.worldDef.voxelSize);
	}
	for (int i = 0; i < scene->fillCount && done.status == tn_ok; ++i)
	{
		place = scene->fills[i].place;
		done = tnVoxelWorld_AddLiquid(world, scene->fills[i].box, scene->fills[i].liquid, scene->fills[i].amount, NULL);
	}
	for (int i = 0; i < scene->sourceCount && done.status == tn_ok; ++i)
	{
		const tnsPourRule* source = &scene->sources[i];
		tnVoxelSourceDef def = tnDefaultVoxelSourceDef();
		def.box = source->box;
		def.liquid = source->liquid;
		def.rate = source->amount;
		place = source->place;
		tnVoxelSourceId id;
		done = tnVoxelWorld_CreateSource(world, &def, &id);
	}
	if (done.status != tn_ok)
	{
		*result = tnsMakeSceneError(scene->base, tns_worldError, place, "%s", done.text);
		tnDestroyVoxelWorld(world);
		return NULL;
	}
	return world;
}

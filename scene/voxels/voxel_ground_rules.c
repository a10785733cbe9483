// SPDX-License-Identifier: MIT

#include "voxels/voxel_scene_model.h"

// Reading forms of ground.

#define TNS_FAR (2 * TNS_MAX_SCENE_VOXELS)

// Whole numbers.
static bool tnsReadWholes(tnsSceneReader* reader, const tnsJson* value, const char* key, int count, int* numbers)
{
	double read[6];
	if (tnsReadNumbers(reader, value, key, count, -TNS_FAR, TNS_FAR, read) == false)
	{
		return false;
	}
	int i = 0;
	for (const tnsJson* item = value->first; item != NULL; item = item->next, ++i)
	{
		if (tnsCheckWhole(reader, item, key, -TNS_FAR, TNS_FAR) == false)
		{
			return false;
		}
		numbers[i] = (int)read[i];
	}
	return true;
}

bool tnsReadVoxel(tnsSceneReader* reader, const tnsJson* value, const char* key, tnVoxel* voxel)
{
	int numbers[3];
	if (tnsReadWholes(reader, value, key, 3, numbers) == false)
	{
		return false;
	}
	*voxel = (tnVoxel){numbers[0], numbers[1], numbers[2]};
	return true;
}

bool tnsReadVoxelBox(tnsSceneReader* reader, const tnsJson* value, const char* key, tnVoxel size, tnVoxelBox* box)
{
	int n[6];
	if (tnsReadWholes(reader, value, key, 6, n) == false)
	{
		return false;
	}
	const int sizes[3] = {size.x, size.y, size.z};
	for (int i = 0; i < 3; ++i)
	{
		if (n[i] < 0 || n[i] >= n[i + 3] || n[i + 3] > sizes[i])
		{
			return tnsFail(reader, value->place,
				"%s must go from a low corner to a higher one within the size %d, %d, %d, got %d, %d, %d, %d, %d, %d",
				key, size.x, size.y, size.z, n[0], n[1], n[2], n[3], n[4], n[5]);
		}
	}
	*box = (tnVoxelBox){{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
	return true;
}

bool tnsReadVoxelPoint(tnsSceneReader* reader, const tnsJson* value, const char* key, tnsVoxelPoint* point)
{
	double numbers[3];
	if (tnsReadNumbers(reader, value, key, 3, -TNS_FAR, TNS_FAR, numbers) == false)
	{
		return false;
	}
	*point = (tnsVoxelPoint){numbers[0], numbers[1], numbers[2]};
	return true;
}

// The corners of a line, at least one.
static bool tnsReadPoints(tnsSceneReader* reader, const tnsJson* value, tnsGroundRule* ground)
{
	if (tnsCheckArray(reader, value, "points", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	if (value->count == 0)
	{
		return tnsFail(reader, value->place, "points must have at least one item, got 0");
	}
	ground->points = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnsVoxelPoint));
	for (const tnsJson* item = value->first; item != NULL && ground->points != NULL; item = item->next)
	{
		if (tnsReadVoxelPoint(reader, item, "a point", &ground->points[ground->pointCount++]) == false)
		{
			return false;
		}
	}
	return ground->points != NULL;
}

// Each form has a function that reads what is special about it.
typedef bool tnsReadFormFcn(tnsSceneReader* reader, const tnsJson* form, tnVoxel size, tnsGroundRule* ground);

static bool tnsReadBox(tnsSceneReader* reader, const tnsJson* form, tnVoxel size, tnsGroundRule* ground)
{
	return tnsReadVoxelBox(reader, form, "box", size, &ground->box);
}

static bool tnsReadBall(tnsSceneReader* reader, const tnsJson* form, tnVoxel size, tnsGroundRule* ground)
{
	(void)size;
	double numbers[4];
	if (tnsReadNumbers(reader, form, "ball", 4, -TNS_FAR, TNS_FAR, numbers) == false)
	{
		return false;
	}
	if (numbers[3] < 0.0)
	{
		return tnsFail(reader, form->place, "the radius of a ball must not be negative, got %.9g", numbers[3]);
	}
	ground->points = tnsSceneAlloc(reader, 1, sizeof(tnsVoxelPoint));
	if (ground->points == NULL)
	{
		return false;
	}
	ground->points[0] = (tnsVoxelPoint){numbers[0], numbers[1], numbers[2]};
	ground->pointCount = 1;
	ground->radius = numbers[3];
	return true;
}

#define TNS_RADIUS_RULE                                                                     \
	{                                                                                       \
		"radius", tns_doubleRule, true, offsetof(tnsGroundRule, radius), 0.1, TNS_FAR, NULL \
	}
#define TNS_AMPLITUDE_RULE                                                                       \
	{                                                                                            \
		"amplitude", tns_doubleRule, false, offsetof(tnsGroundRule, amplitude), 0, TNS_FAR, NULL \
	}
#define TNS_LENGTH_RULE                                                                    \
	{                                                                                      \
		"length", tns_doubleRule, false, offsetof(tnsGroundRule, length), 2, TNS_FAR, NULL \
	}
#define TNS_SEED_RULE                                                          \
	{                                                                          \
		"seed", tns_seedRule, false, offsetof(tnsGroundRule, seed), 0, 0, NULL \
	}
#define TNS_CUSTOM_RULE(key, required)               \
	{                                                \
		key, tns_customRule, required, 0, 0, 0, NULL \
	}

static bool tnsReadCylinder(tnsSceneReader* reader, const tnsJson* form, tnVoxel size, tnsGroundRule* ground)
{
	(void)size;
	static const tnsRule rules[] = {TNS_CUSTOM_RULE("from", true), TNS_CUSTOM_RULE("to", true), TNS_RADIUS_RULE};
	if (TNS_READ(reader, form, "cylinder", rules, ground) == false)
	{
		return false;
	}
	ground->points = tnsSceneAlloc(reader, 2, sizeof(tnsVoxelPoint));
	ground->pointCount = 2;
	if (ground->points == NULL ||
		tnsReadVoxelPoint(reader, tnsJson_Find(form, "from"), "from", &ground->points[0]) == false ||
		tnsReadVoxelPoint(reader, tnsJson_Find(form, "to"), "to", &ground->points[1]) == false)
	{
		return false;
	}
	const tnsVoxelPoint *a = &ground->points[0], *b = &ground->points[1];
	if (a->x == b->x && a->y == b->y && a->z == b->z)
	{
		return tnsFail(
			reader, form->place, "from and to of a cylinder must differ, got %.9g, %.9g, %.9g twice", a->x, a->y, a->z);
	}
	return true;
}

static bool tnsReadPath(tnsSceneReader* reader, const tnsJson* form, tnVoxel size, tnsGroundRule* ground)
{
	(void)size;
	static const tnsRule rules[] = {TNS_CUSTOM_RULE("points", true), TNS_RADIUS_RULE};
	return TNS_READ(reader, form, "path", rules, ground) && tnsReadPoints(reader, tnsJson_Find(form, "points"), ground);
}

static bool tnsReadHull(tnsSceneReader* reader, const tnsJson* form, tnVoxel size, tnsGroundRule* ground)
{
	static const tnsRule rules[] = {
		TNS_CUSTOM_RULE("box", true),
		{"wall", tns_doubleRule, false, offsetof(tnsGroundRule, radius), 1, TNS_FAR, NULL},
		TNS_CUSTOM_RULE("bulkheads", false),
	};
	ground->radius = 1.0;
	if (TNS_READ(reader, form, "hull", rules, ground) == false ||
		tnsReadVoxelBox(reader, tnsJson_Find(form, "box"), "box", size, &ground->box) == false)
	{
		return false;
	}
	const tnsJson* bulkheads = tnsJson_Find(form, "bulkheads");
	if (bulkheads == NULL)
	{
		return true;
	}
	if (tnsCheckArray(reader, bulkheads, "bulkheads", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	ground->bulkheads = tnsSceneAlloc(reader, (size_t)bulkheads->count, sizeof(double));
	for (const tnsJson* item = bulkheads->first; item != NULL && ground->bulkheads != NULL; item = item->next)
	{
		if (tnsCheckNumber(reader, item, "a bulkhead", 0, TNS_MAX_SCENE_VOXELS) == false)
		{
			return false;
		}
		ground->bulkheads[ground->bulkheadCount++] = item->number;
	}
	return ground->bulkheads != NULL;
}

static bool tnsReadNoise(tnsSceneReader* reader, const tnsJson* form, tnVoxel size, tnsGroundRule* ground)
{
	static const tnsRule rules[] = {
		TNS_CUSTOM_RULE("box", false),
		{"limit", tns_doubleRule, true, offsetof(tnsGroundRule, limit), 0, 1, NULL},
		TNS_LENGTH_RULE,
		TNS_SEED_RULE,
	};
	ground->box = (tnVoxelBox){{0, 0, 0}, size};
	const tnsJson* box = tnsJson_Find(form, "box");
	return TNS_READ(reader, form, "noise", rules, ground) &&
		(box == NULL || tnsReadVoxelBox(reader, box, "box", size, &ground->box));
}

static bool tnsReadHills(tnsSceneReader* reader, const tnsJson* form, tnVoxel size, tnsGroundRule* ground)
{
	(void)size;
	static const tnsRule rules[] = {
		{"height", tns_doubleRule, true, offsetof(tnsGroundRule, height), 0, TNS_MAX_SCENE_VOXELS, NULL},
		TNS_AMPLITUDE_RULE,
		TNS_LENGTH_RULE,
		TNS_SEED_RULE,
	};
	ground->amplitude = 4.0;
	return TNS_READ(reader, form, "hills", rules, ground);
}

static bool tnsReadSlope(tnsSceneReader* reader, const tnsJson* form, tnVoxel size, tnsGroundRule* ground)
{
	(void)size;
	static const tnsRule rules[] = {
		{"from", tns_doubleRule, true, offsetof(tnsGroundRule, from), -TNS_FAR, TNS_FAR, NULL},
		{"to", tns_doubleRule, true, offsetof(tnsGroundRule, to), -TNS_FAR, TNS_FAR, NULL},
		{"alongZ", tns_boolRule, false, offsetof(tnsGroundRule, alongZ), 0, 0, NULL},
		TNS_AMPLITUDE_RULE,
		TNS_LENGTH_RULE,
		TNS_SEED_RULE,
	};
	return TNS_READ(reader, form, "slope", rules, ground);
}

static bool tnsReadCone(tnsSceneReader* reader, const tnsJson* form, tnVoxel size, tnsGroundRule* ground)
{
	(void)size;
	static const tnsRule rules[] = {
		TNS_CUSTOM_RULE("at", true),
		TNS_RADIUS_RULE,
		{"height", tns_doubleRule, true, offsetof(tnsGroundRule, height), 0, TNS_MAX_SCENE_VOXELS, NULL},
		{"crater", tns_doubleRule, false, offsetof(tnsGroundRule, crater), 0.1, TNS_FAR, NULL},
		{"depth", tns_doubleRule, false, offsetof(tnsGroundRule, depth), 0, TNS_MAX_SCENE_VOXELS, NULL},
		TNS_AMPLITUDE_RULE,
		TNS_LENGTH_RULE,
		TNS_SEED_RULE,
	};
	ground->crater = 0.1;
	ground->points = tnsSceneAlloc(reader, 1, sizeof(tnsVoxelPoint));
	ground->pointCount = 1;
	return ground->points != NULL && TNS_READ(reader, form, "cone", rules, ground) &&
		tnsReadVoxelPoint(reader, tnsJson_Find(form, "at"), "at", &ground->points[0]);
}

static bool tnsReadCanyon(tnsSceneReader* reader, const tnsJson* form, tnVoxel size, tnsGroundRule* ground)
{
	(void)size;
	static const tnsRule rules[] = {
		TNS_CUSTOM_RULE("points", true),
		{"width", tns_doubleRule, true, offsetof(tnsGroundRule, width), 0, TNS_FAR, NULL},
		{"steepness", tns_doubleRule, false, offsetof(tnsGroundRule, steepness), 0, 1000, NULL},
		TNS_AMPLITUDE_RULE,
		TNS_LENGTH_RULE,
		TNS_SEED_RULE,
	};
	ground->steepness = 3.0;
	return TNS_READ(reader, form, "canyon", rules, ground) &&
		tnsReadPoints(reader, tnsJson_Find(form, "points"), ground);
}

bool tnsReadGround(
	tnsSceneReader* reader, const tnsJson* value, const char* what, tnVoxel size, int solid, tnsGroundRule* ground)
{
	static const char* const kinds[tns_groundKindCount] = {
		"box", "ball", "cylinder", "path", "hull", "noise", "hills", "slope", "cone", "canyon"};
	static tnsReadFormFcn* const functions[tns_groundKindCount] = {tnsReadBox, tnsReadBall, tnsReadCylinder,
		tnsReadPath, tnsReadHull, tnsReadNoise, tnsReadHills, tnsReadSlope, tnsReadCone, tnsReadCanyon};
	static const tnsRule rules[] = {
		TNS_CUSTOM_RULE("box", false),
		TNS_CUSTOM_RULE("ball", false),
		TNS_CUSTOM_RULE("cylinder", false),
		TNS_CUSTOM_RULE("path", false),
		TNS_CUSTOM_RULE("hull", false),
		TNS_CUSTOM_RULE("noise", false),
		TNS_CUSTOM_RULE("hills", false),
		TNS_CUSTOM_RULE("slope", false),
		TNS_CUSTOM_RULE("cone", false),
		TNS_CUSTOM_RULE("canyon", false),
		{"solid", tns_intRule, false, offsetof(tnsGroundRule, solid), 0, TN_VOXEL_ROCK, NULL},
	};
	*ground = (tnsGroundRule){.solid = solid, .length = 20.0, .seed = 1, .place = value->place};
	if (TNS_READ(reader, value, what, rules, ground) == false)
	{
		return false;
	}
	const int kind = tnsFindOneOf(reader, value, what, kinds, tns_groundKindCount, false);
	if (kind < 0)
	{
		return false;
	}
	ground->kind = (tnsGroundKind)kind;
	return functions[kind](reader, tnsJson_Find(value, kinds[kind]), size, ground);
}

// SPDX-License-Identifier: MIT

// Reads bodies and joints of scene files.

#include "world/scene_rules.h"

#include <math.h>
#include <string.h>

// Of a body that does not say, kg/m^3: wood.
#define TNS_BODY_DENSITY 500.0f

// ---------------------------------------------------------------------------------------------------------------------
// Places and turns

static tnQuat tnsMultiplyTurns(tnQuat a, tnQuat b)
{
	return (tnQuat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// Three angles in degrees, about x, then y, then z; or a quaternion x, y, z, w. value may be NULL.
static bool tnsReadRotation(tnsSceneReader* reader, const tnsJson* value, tnQuat* rotation)
{
	*rotation = (tnQuat){0.0f, 0.0f, 0.0f, 1.0f};
	if (value == NULL)
	{
		return true;
	}
	double numbers[4] = {0};
	if (value->kind == tns_jsonArray && value->count == 4)
	{
		if (tnsReadNumbers(reader, value, "rotation", 4, -1, 1, numbers) == false)
		{
			return false;
		}
		const double length =
			sqrt(numbers[0] * numbers[0] + numbers[1] * numbers[1] + numbers[2] * numbers[2] + numbers[3] * numbers[3]);
		if (length < 0.1)
		{
			return tnsFail(reader, value->place, "a rotation of four numbers must not be near zero");
		}
		*rotation = (tnQuat){(float)(numbers[0] / length), (float)(numbers[1] / length), (float)(numbers[2] / length),
			(float)(numbers[3] / length)};
		return true;
	}
	if (value->kind != tns_jsonArray || value->count != 3)
	{
		return tnsFail(reader, value->place,
			"rotation must be an array of three angles about x, y and z, or of four numbers of a quaternion");
	}
	if (tnsReadNumbers(reader, value, "rotation", 3, -3600, 3600, numbers) == false)
	{
		return false;
	}
	for (int axis = 0; axis < 3; ++axis)
	{
		// pi / 360: half of the angle.
		const double half = numbers[axis] * 0.008726646259971648;
		const float s = (float)sin(half);
		const tnQuat turn = {axis == 0 ? s : 0.0f, axis == 1 ? s : 0.0f, axis == 2 ? s : 0.0f, (float)cos(half)};
		*rotation = tnsMultiplyTurns(turn, *rotation);
	}
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Shapes

typedef struct tnsShapeText
{
	int kind;
	tnVec3 size, position;
	float radius, length;
} tnsShapeText;

// In the order of tnShapeKind, and one more that is no shape of its own.
static const char* const s_shapeKinds[] = {"box", "sphere", "capsule", "cylinder", "hull", "mesh", "compound", NULL};

enum
{
	tns_compoundKind = tn_shapeKindCount,
};

static bool tnsReadPoints(tnsSceneReader* reader, const tnsJson* value, int maxCount, tnShapeDef* shape)
{
	if (tnsCheckArray(reader, value, "points", maxCount) == false)
	{
		return false;
	}
	if (value->count < 4)
	{
		return tnsFail(reader, value->place, "points must be at least 4, got %d", value->count);
	}
	tnVec3* points = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnVec3));
	if (points == NULL)
	{
		return false;
	}
	shape->points = points;
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		double numbers[3] = {0};
		if (tnsReadNumbers(reader, item, "a point", 3, -TNS_LENGTH, TNS_LENGTH, numbers) == false)
		{
			return false;
		}
		points[shape->pointCount++] = (tnVec3){(float)numbers[0], (float)numbers[1], (float)numbers[2]};
	}
	return true;
}

static bool tnsReadTriangles(tnsSceneReader* reader, const tnsJson* value, tnShapeDef* shape)
{
	if (tnsCheckArray(reader, value, "triangles", TN_MAX_BODY_TRIANGLES) == false)
	{
		return false;
	}
	int32_t* triangles = tnsSceneAlloc(reader, 3 * (size_t)value->count, sizeof(int32_t));
	if (triangles == NULL)
	{
		return false;
	}
	shape->triangles = triangles;
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		double numbers[3] = {0};
		if (tnsReadNumbers(reader, item, "a triangle", 3, 0, shape->pointCount - 1, numbers) == false)
		{
			return false;
		}
		for (const tnsJson* corner = item->first; corner != NULL; corner = corner->next)
		{
			if (tnsCheckWhole(reader, corner, "a corner of a triangle", 0, shape->pointCount - 1) == false)
			{
				return false;
			}
			*triangles++ = (int32_t)corner->number;
		}
		shape->triangleCount += 1;
	}
	return true;
}

// The keys that a kind of shape needs; it may have no others of them.
static bool tnsCheckShapeKeys(tnsSceneReader* reader, const tnsJson* object, int kind)
{
	static const char* const keys[] = {"size", "radius", "length", "points", "triangles", "shapes"};
	static const bool needs[tns_compoundKind + 1][6] = {
		[tn_boxShape] = {true, false, false, false, false, false},
		[tn_sphereShape] = {false, true, false, false, false, false},
		[tn_capsuleShape] = {false, true, true, false, false, false},
		[tn_cylinderShape] = {false, true, true, false, false, false},
		[tn_hullShape] = {false, false, false, true, false, false},
		[tn_meshShape] = {false, false, false, true, true, false},
		[tns_compoundKind] = {false, false, false, false, false, true},
	};
	for (int i = 0; i < TNS_COUNT_OF(keys); ++i)
	{
		const tnsJson* child = tnsJson_Find(object, keys[i]);
		if (child == NULL && needs[kind][i])
		{
			return tnsFail(reader, object->place, "a %s needs \"%s\"", s_shapeKinds[kind], keys[i]);
		}
		if (child != NULL && needs[kind][i] == false)
		{
			return tnsFail(reader, child->keyPlace, "a %s has no \"%s\"", s_shapeKinds[kind], keys[i]);
		}
	}
	return true;
}

// text holds what the rules of the object have read.
static bool tnsMakeShape(tnsSceneReader* reader, const tnsJson* object, const tnsShapeText* text, tnShapeDef* shape)
{
	*shape = tnDefaultShapeDef();
	shape->kind = (tnShapeKind)text->kind;
	if (tnsCheckShapeKeys(reader, object, text->kind) == false)
	{
		return false;
	}
	shape->radius = text->radius;
	shape->halfLength = 0.5f * text->length;
	shape->halfExtents = (tnVec3){0.5f * text->size.x, 0.5f * text->size.y, 0.5f * text->size.z};
	if (shape->kind == tn_capsuleShape)
	{
		// The length is from end to end, that of tarn without the half spheres.
		shape->halfLength -= shape->radius;
		if (shape->halfLength < 0.0f)
		{
			return tnsFail(reader, tnsJson_Find(object, "length")->place,
				"the length of a capsule must be at least twice its radius, %.9g, got %.9g", 2.0 * (double)text->radius,
				(double)text->length);
		}
	}
	if (shape->kind == tn_hullShape || shape->kind == tn_meshShape)
	{
		const int most = shape->kind == tn_hullShape ? TN_MAX_HULL_POINTS : TNS_JSON_MAX_VALUES;
		if (tnsReadPoints(reader, tnsJson_Find(object, "points"), most, shape) == false)
		{
			return false;
		}
	}
	return shape->kind != tn_meshShape || tnsReadTriangles(reader, tnsJson_Find(object, "triangles"), shape);
}

#define TNS_SHAPE_RULES(where, kindOf, sizeOf, radiusOf, lengthOf)                            \
	{"shape", tns_choiceRule, true, offsetof(where, kindOf), 0, 0, s_shapeKinds},             \
		{"size", tns_spaceRule, false, offsetof(where, sizeOf), 0.001, TNS_LENGTH, NULL},     \
		{"radius", tns_floatRule, false, offsetof(where, radiusOf), 0.001, TNS_LENGTH, NULL}, \
		{"length", tns_floatRule, false, offsetof(where, lengthOf), 0.001, TNS_LENGTH, NULL}, \
		{"points", tns_customRule, false, 0, 0, 0, NULL},                                     \
	{                                                                                         \
		"triangles", tns_customRule, false, 0, 0, 0, NULL                                     \
	}

static bool tnsReadCompound(tnsSceneReader* reader, const tnsJson* value, tnsBodyRule* body)
{
	static const tnsRule rules[] = {
		TNS_SHAPE_RULES(tnsShapeText, kind, size, radius, length),
		{"position", tns_spaceRule, false, offsetof(tnsShapeText, position), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"rotation", tns_customRule, false, 0, 0, 0, NULL},
	};
	if (tnsCheckArray(reader, value, "shapes", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	if (value->count == 0)
	{
		return tnsFail(reader, value->place, "a compound needs at least one shape");
	}
	body->shapes = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnShapeDef));
	if (body->shapes == NULL)
	{
		return false;
	}
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		tnsShapeText text = {0};
		tnShapeDef* shape = body->shapes + body->shapeCount;
		if (TNS_READ(reader, item, "a shape of a compound", rules, &text) == false)
		{
			return false;
		}
		if (text.kind == tns_compoundKind)
		{
			return tnsFail(reader, tnsJson_Find(item, "shape")->place, "a compound cannot consist of compounds");
		}
		if (tnsMakeShape(reader, item, &text, shape) == false ||
			tnsReadRotation(reader, tnsJson_Find(item, "rotation"), &shape->pose.rotation) == false)
		{
			return false;
		}
		shape->pose.position = text.position;
		body->shapeCount += 1;
	}
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// What bodies do

static bool tnsReadLift(tnsSceneReader* reader, const tnsJson* value, tnsLiftRule* lift)
{
	static const tnsRule rules[] = {
		{"time", tns_doubleRule, true, offsetof(tnsLiftRule, start), 0, TNS_MAX_SECONDS, NULL},
		{"until", tns_doubleRule, false, offsetof(tnsLiftRule, stop), 0, TNS_MAX_SECONDS, NULL},
		{"release", tns_doubleRule, false, offsetof(tnsLiftRule, release), 0, TNS_MAX_SECONDS, NULL},
		{"velocity", tns_spaceRule, true, offsetof(tnsLiftRule, velocity), -1000, 1000, NULL},
		{"at", tns_spaceRule, false, offsetof(tnsLiftRule, at), -TNS_LENGTH, TNS_LENGTH, NULL},
	};
	lift->stop = INFINITY;
	lift->release = INFINITY;
	if (value == NULL)
	{
		return true;
	}
	lift->given = true;
	if (TNS_READ(reader, value, "lift", rules, lift) == false)
	{
		return false;
	}
	if (lift->stop <= lift->start || lift->release <= lift->start)
	{
		return tnsFail(reader, value->place, "until and release must be later than time");
	}
	return true;
}

static bool tnsReadPath(tnsSceneReader* reader, const tnsJson* value, tnsThrustRule* thrust)
{
	if (value == NULL)
	{
		return true;
	}
	if (tnsCheckArray(reader, value, "path", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	thrust->path = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnVec2));
	if (thrust->path == NULL)
	{
		return false;
	}
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		double numbers[2] = {0};
		if (tnsReadNumbers(reader, item, "a point of the path", 2, -TNS_WHERE, TNS_WHERE, numbers) == false)
		{
			return false;
		}
		thrust->path[thrust->pathCount++] = (tnVec2){(float)numbers[0], (float)numbers[1]};
	}
	return true;
}

static bool tnsReadThrust(tnsSceneReader* reader, const tnsJson* value, tnsThrustRule* thrust)
{
	static const tnsRule rules[] = {
		{"force", tns_floatRule, true, offsetof(tnsThrustRule, force), 0, 1.0e9, NULL},
		{"at", tns_spaceRule, false, offsetof(tnsThrustRule, at), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"direction", tns_spaceRule, false, offsetof(tnsThrustRule, direction), -1000, 1000, NULL},
		{"rudder", tns_floatRule, false, offsetof(tnsThrustRule, rudder), 0, 89, NULL},
		{"path", tns_customRule, false, 0, 0, 0, NULL},
		{"reach", tns_floatRule, false, offsetof(tnsThrustRule, reach), 0.001, TNS_LENGTH, NULL},
		{"start", tns_doubleRule, false, offsetof(tnsThrustRule, start), 0, TNS_MAX_SECONDS, NULL},
		{"stop", tns_doubleRule, false, offsetof(tnsThrustRule, stop), 0, TNS_MAX_SECONDS, NULL},
	};
	thrust->stop = INFINITY;
	thrust->direction = (tnVec3){1.0f, 0.0f, 0.0f};
	thrust->rudder = 35.0f;
	thrust->reach = 4.0f;
	if (value == NULL)
	{
		return true;
	}
	thrust->given = true;
	if (TNS_READ(reader, value, "thrust", rules, thrust) == false ||
		tnsReadPath(reader, tnsJson_Find(value, "path"), thrust) == false)
	{
		return false;
	}
	const tnVec3 d = thrust->direction;
	const float length = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
	if (length < 1.0e-3f)
	{
		return tnsFail(reader, tnsJson_Find(value, "direction")->place, "direction must not be near zero");
	}
	thrust->direction = (tnVec3){d.x / length, d.y / length, d.z / length};
	return true;
}

// A hollow by its number from 0, or the water around the body.
static bool tnsReadSide(tnsSceneReader* reader, const tnsJson* value, const char* key, int* side)
{
	if (value == NULL)
	{
		return true;
	}
	if (value->kind == tns_jsonString && strcmp(value->string, "outside") == 0)
	{
		*side = TN_OUTSIDE;
		return true;
	}
	if (value->kind != tns_jsonNumber)
	{
		return tnsFail(reader, value->place, "%s must be the number of a hollow or \"outside\", got %s", key,
			tnsDescribe(value).text);
	}
	if (tnsCheckWhole(reader, value, key, 0, TN_MAX_HOLLOWS - 1) == false)
	{
		return false;
	}
	*side = (int)value->number;
	return true;
}

static bool tnsReadSides(tnsSceneReader* reader, const tnsJson* object, int* from, int* to)
{
	if (tnsReadSide(reader, tnsJson_Find(object, "from"), "from", from) == false ||
		tnsReadSide(reader, tnsJson_Find(object, "to"), "to", to) == false)
	{
		return false;
	}
	return *from != *to || tnsFail(reader, object->place, "from and to must not be the same");
}

static bool tnsReadLeak(tnsSceneReader* reader, const tnsJson* object, tnLeakDef* leak)
{
	static const tnsRule rules[] = {
		{"position", tns_spaceRule, true, offsetof(tnLeakDef, position), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"area", tns_floatRule, false, offsetof(tnLeakDef, area), 0, 1.0e6, NULL},
		{"discharge", tns_floatRule, false, offsetof(tnLeakDef, discharge), 0.01, 1, NULL},
		{"from", tns_customRule, false, 0, 0, 0, NULL},
		{"to", tns_customRule, false, 0, 0, 0, NULL},
	};
	*leak = tnDefaultLeakDef();
	return TNS_READ(reader, object, "a leak", rules, leak) && tnsReadSides(reader, object, &leak->from, &leak->to);
}

static bool tnsReadPump(tnsSceneReader* reader, const tnsJson* object, tnPumpDef* pump)
{
	static const tnsRule rules[] = {
		{"position", tns_spaceRule, true, offsetof(tnPumpDef, position), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"rate", tns_floatRule, false, offsetof(tnPumpDef, rate), 0, 1.0e6, NULL},
		{"from", tns_customRule, false, 0, 0, 0, NULL},
		{"to", tns_customRule, false, 0, 0, 0, NULL},
	};
	*pump = tnDefaultPumpDef();
	return TNS_READ(reader, object, "a pump", rules, pump) && tnsReadSides(reader, object, &pump->from, &pump->to);
}

// What is in the hollows of a body, and goes in and out of them.
static bool tnsReadHold(tnsSceneReader* reader, const tnsJson* body, tnsHoldRule* hold)
{
	const tnsJson* held = tnsJson_Find(body, "held");
	const tnsJson* leaks = tnsJson_Find(body, "leaks");
	const tnsJson* pumps = tnsJson_Find(body, "pumps");
	if ((held != NULL && tnsCheckArray(reader, held, "held", TN_MAX_HOLLOWS) == false) ||
		(leaks != NULL && tnsCheckArray(reader, leaks, "leaks", TN_MAX_LEAKS) == false) ||
		(pumps != NULL && tnsCheckArray(reader, pumps, "pumps", TN_MAX_LEAKS) == false))
	{
		return false;
	}
	for (const tnsJson* item = held != NULL ? held->first : NULL; item != NULL; item = item->next)
	{
		if (tnsCheckNumber(reader, item, "held", 0.0, 1.0) == false)
		{
			return false;
		}
		hold->held[hold->heldCount++] = (float)item->number;
	}
	for (const tnsJson* item = leaks != NULL ? leaks->first : NULL; item != NULL; item = item->next)
	{
		if (tnsReadLeak(reader, item, hold->leaks + hold->leakCount++) == false)
		{
			return false;
		}
	}
	for (const tnsJson* item = pumps != NULL ? pumps->first : NULL; item != NULL; item = item->next)
	{
		if (tnsReadPump(reader, item, hold->pumps + hold->pumpCount++) == false)
		{
			return false;
		}
	}
	return true;
}

static bool tnsReadRepeat(tnsSceneReader* reader, const tnsJson* value, tnsBodyRule* body)
{
	static const tnsRule rules[] = {
		{"count", tns_customRule, true, 0, 0, 0, NULL},
		{"spacing", tns_spaceRule, false, offsetof(tnsBodyRule, spacing), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"delay", tns_doubleRule, false, offsetof(tnsBodyRule, delay), 0, TNS_MAX_SECONDS, NULL},
	};
	if (value == NULL)
	{
		return true;
	}
	if (TNS_READ(reader, value, "repeat", rules, body) == false)
	{
		return false;
	}
	const tnsJson* count = tnsJson_Find(value, "count");
	double numbers[3] = {0};
	if (tnsReadNumbers(reader, count, "count", 3, 1, TNS_MAX_BODIES, numbers) == false)
	{
		return false;
	}
	int64_t copies = 1;
	int axis = 0;
	for (const tnsJson* item = count->first; item != NULL; item = item->next)
	{
		if (tnsCheckWhole(reader, item, "count", 1, TNS_MAX_BODIES) == false)
		{
			return false;
		}
		body->count[axis++] = (int)item->number;
		copies *= (int)item->number;
	}
	if (copies > TNS_MAX_BODIES)
	{
		return tnsFail(
			reader, count->place, "a scene can have at most %d bodies, these are %d", TNS_MAX_BODIES, (int)copies);
	}
	body->copyCount = (int)copies;
	return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies

// What the rules of a body read: its shape stands in the same object.
typedef struct tnsBodyText
{
	tnsBodyRule rule;
	tnsShapeText shape;
} tnsBodyText;

static bool tnsCheckBodyName(tnsSceneReader* reader, const tnsJson* object, const char* name)
{
	const tnsScene* scene = reader->scene;
	for (int i = 0; name != NULL && i < scene->bodyRuleCount; ++i)
	{
		if (scene->bodies[i].name != NULL && strcmp(scene->bodies[i].name, name) == 0)
		{
			return tnsFail(reader, tnsJson_Find(object, "name")->place, "body \"%s\" is named twice", name);
		}
	}
	return true;
}

static bool tnsCheckBodyTimes(tnsSceneReader* reader, const tnsJson* object, const tnsBodyRule* body)
{
	const tnsJson* release = tnsJson_Find(object, "release");
	if (release != NULL && body->tied == false)
	{
		return tnsFail(reader, release->keyPlace, "\"release\" is only for bodies with \"tied\": true");
	}
	if (body->remove <= body->appear)
	{
		return tnsFail(reader, tnsJson_Find(object, "remove")->place, "remove must be later than appear");
	}
	static const char* const moving[] = {"velocity", "spin", "tied", "lift", "thrust"};
	for (int i = 0; body->fixed && i < TNS_COUNT_OF(moving); ++i)
	{
		const tnsJson* child = tnsJson_Find(object, moving[i]);
		if (child != NULL)
		{
			return tnsFail(reader, child->keyPlace, "a fixed body never moves: it cannot have \"%s\"", moving[i]);
		}
	}
	return true;
}

static bool tnsReadBody(tnsSceneReader* reader, const tnsJson* value, tnsBodyRule* body)
{
#define TNS_BODY(member) offsetof(tnsBodyText, rule.member)
	static const char* const modes[] = {"auto", "blocking", "floating", NULL};
	static const tnsRule rules[] = {
		{"name", tns_nameRule, false, TNS_BODY(name), 0, 0, NULL},
		TNS_SHAPE_RULES(tnsBodyText, shape.kind, shape.size, shape.radius, shape.length),
		{"shapes", tns_customRule, false, 0, 0, 0, NULL},
		{"density", tns_floatRule, false, TNS_BODY(density), 0.5, 1.0e6, NULL},
		{"mass", tns_floatRule, false, TNS_BODY(mass), 1.0e-6, 1.0e12, NULL},
		{"center", tns_spaceRule, false, TNS_BODY(center), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"position", tns_spaceRule, true, TNS_BODY(pose.position), -TNS_WHERE, TNS_WHERE, NULL},
		{"rotation", tns_customRule, false, 0, 0, 0, NULL},
		{"velocity", tns_spaceRule, false, TNS_BODY(velocity), -1000, 1000, NULL},
		{"spin", tns_spaceRule, false, TNS_BODY(spin), -100, 100, NULL},
		{"mode", tns_choiceRule, false, TNS_BODY(water.mode), 0, 0, modes},
		{"fixed", tns_boolRule, false, TNS_BODY(fixed), 0, 0, NULL},
		{"tied", tns_boolRule, false, TNS_BODY(tied), 0, 0, NULL},
		{"color", tns_customRule, false, 0, 0, 0, NULL},
		{"friction", tns_floatRule, false, TNS_BODY(friction), 0, 100, NULL},
		{"bounce", tns_floatRule, false, TNS_BODY(bounce), 0, 1, NULL},
		{"pressureDrag", tns_floatRule, false, TNS_BODY(water.pressureDrag), 0, 100, NULL},
		{"suction", tns_floatRule, false, TNS_BODY(water.suction), 0, 1, NULL},
		{"skinFriction", tns_floatRule, false, TNS_BODY(water.skinFriction), 0, 100, NULL},
		{"damping", tns_floatRule, false, TNS_BODY(water.damping), 0, 100, NULL},
		{"appear", tns_doubleRule, false, TNS_BODY(appear), 0, TNS_MAX_SECONDS, NULL},
		{"release", tns_doubleRule, false, TNS_BODY(release), 0, TNS_MAX_SECONDS, NULL},
		{"remove", tns_doubleRule, false, TNS_BODY(remove), 0, TNS_MAX_SECONDS, NULL},
		{"lift", tns_customRule, false, 0, 0, 0, NULL},
		{"thrust", tns_customRule, false, 0, 0, 0, NULL},
		{"hollows", tns_boolRule, false, TNS_BODY(water.hollows), 0, 0, NULL},
		{"held", tns_customRule, false, 0, 0, 0, NULL},
		{"leaks", tns_customRule, false, 0, 0, 0, NULL},
		{"pumps", tns_customRule, false, 0, 0, 0, NULL},
		{"repeat", tns_customRule, false, 0, 0, 0, NULL},
	};
#undef TNS_BODY
	static const char* const weights[] = {"density", "mass"};
	tnsBodyText text = {0};
	text.rule.density = TNS_BODY_DENSITY;
	text.rule.water = tnDefaultBodyDef();
	text.rule.friction = 0.6f;
	// Light wood.
	text.rule.color = (tnVec3){0.42f, 0.24f, 0.11f};
	text.rule.release = INFINITY;
	text.rule.remove = INFINITY;
	text.rule.count[0] = text.rule.count[1] = text.rule.count[2] = 1;
	text.rule.copyCount = 1;
	text.rule.place = value->place;
	if (TNS_READ(reader, value, "a body", rules, &text) == false)
	{
		return false;
	}
	*body = text.rule;
	const int weight = tnsFindOneOf(reader, value, "a body", weights, 2, true);
	const tnsJson* color = tnsJson_Find(value, "color");
	body->hasMass = weight == 1;
	body->hasCenter = tnsJson_Find(value, "center") != NULL;
	if (reader->result.status != tns_ok || tnsCheckBodyName(reader, value, body->name) == false ||
		tnsCheckBodyTimes(reader, value, body) == false ||
		tnsReadRotation(reader, tnsJson_Find(value, "rotation"), &body->pose.rotation) == false ||
		(color != NULL && tnsReadColor(reader, color, &body->color) == false) ||
		tnsReadLift(reader, tnsJson_Find(value, "lift"), &body->lift) == false ||
		tnsReadThrust(reader, tnsJson_Find(value, "thrust"), &body->thrust) == false ||
		tnsReadHold(reader, value, &body->hold) == false ||
		tnsReadRepeat(reader, tnsJson_Find(value, "repeat"), body) == false)
	{
		return false;
	}
	if (text.shape.kind == tns_compoundKind)
	{
		return tnsCheckShapeKeys(reader, value, tns_compoundKind) &&
			tnsReadCompound(reader, tnsJson_Find(value, "shapes"), body);
	}
	body->shapeCount = 1;
	body->shapes = tnsSceneAlloc(reader, 1, sizeof(tnShapeDef));
	return body->shapes != NULL && tnsMakeShape(reader, value, &text.shape, body->shapes);
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints

// A body by its name, or one of several copies by name and number from 1: "log 3".
bool tnsFindBodies(tnsSceneReader* reader, const tnsJson* value, const char* key, int* index, int* count)
{
	if (tnsCheckText(reader, value, key, true) == false)
	{
		return false;
	}
	const tnsScene* scene = reader->scene;
	for (int i = 0; i < scene->bodyRuleCount; ++i)
	{
		const tnsBodyRule* body = scene->bodies + i;
		if (body->name == NULL)
		{
			continue;
		}
		if (strcmp(body->name, value->string) == 0)
		{
			*index = body->first;
			*count = body->copyCount;
			return true;
		}
		const size_t length = strlen(body->name);
		if (strncmp(body->name, value->string, length) == 0 && value->string[length] == ' ')
		{
			int number = 0;
			const char* digit = value->string + length + 1;
			while (*digit >= '0' && *digit <= '9' && number <= TNS_MAX_BODIES)
			{
				number = 10 * number + (*digit++ - '0');
			}
			if (*digit == 0 && number >= 1 && number <= body->copyCount)
			{
				*index = body->first + number - 1;
				*count = 1;
				return true;
			}
		}
	}
	return tnsFail(
		reader, value->place, "there is no body \"%s\"", tnsMakeQuote(value->string, strlen(value->string)).text);
}

bool tnsFindBody(tnsSceneReader* reader, const tnsJson* value, const char* key, int* index)
{
	int count;
	return tnsFindBodies(reader, value, key, index, &count);
}

// [[time, turns], ...]
static bool tnsReadTurns(tnsSceneReader* reader, const tnsJson* value, tnsJointRule* joint)
{
	if (value == NULL)
	{
		return true;
	}
	if (tnsCheckArray(reader, value, "turns", TNS_MAX_ITEMS) == false)
	{
		return false;
	}
	if (value->count == 0)
	{
		return tnsFail(reader, value->place, "turns needs at least one [time, turns]");
	}
	joint->turns = tnsSceneAlloc(reader, (size_t)value->count, sizeof(tnCurvePoint));
	if (joint->turns == NULL)
	{
		return false;
	}
	for (const tnsJson* item = value->first; item != NULL; item = item->next)
	{
		double numbers[2];
		if (tnsReadNumbers(reader, item, "a point of turns", 2, -TNS_MAX_SECONDS, TNS_MAX_SECONDS, numbers) == false ||
			tnsCheckNumber(reader, item->first->next, "turns", -1000.0, 1000.0) == false)
		{
			return false;
		}
		tnCurvePoint* point = joint->turns + joint->turnCount;
		*point = (tnCurvePoint){(float)numbers[0], (float)numbers[1]};
		if (joint->turnCount > 0 && point->time <= point[-1].time)
		{
			return tnsFail(reader, item->first->place, "times of turns must increase, got %.9g after %.9g",
				(double)point->time, (double)point[-1].time);
		}
		joint->turnCount += 1;
	}
	return true;
}

// What a slide has beyond its axis.
static bool tnsReadSlide(tnsSceneReader* reader, const tnsJson* value, tnsJointRule* joint)
{
	const tnsJson* range = tnsJson_Find(value, "range");
	if (range != NULL)
	{
		double numbers[2];
		if (tnsReadNumbers(reader, range, "range", 2, -TNS_LENGTH, TNS_LENGTH, numbers) == false)
		{
			return false;
		}
		if (!(numbers[0] <= 0.0 && numbers[1] >= 0.0 && numbers[0] < numbers[1]))
		{
			return tnsFail(reader, range->place, "range must have 0 in it, where a slide begins, got [%.9g, %.9g]",
				numbers[0], numbers[1]);
		}
		joint->range[0] = (float)numbers[0];
		joint->range[1] = (float)numbers[1];
	}
	const tnsJson* wheel = tnsJson_Find(value, "wheel");
	if (wheel != NULL && tnsFindBody(reader, wheel, "wheel", &joint->wheel) == false)
	{
		return false;
	}
	if (wheel != NULL && joint->wheel == joint->a)
	{
		return tnsFail(reader, wheel->place, "a slide cannot be its own wheel");
	}
	return true;
}

static bool tnsReadJoint(tnsSceneReader* reader, const tnsJson* value, tnsJointRule* joint)
{
	static const char* const kinds[] = {"ball", "hinge", "fixed", "rope", "slide", NULL};
	static const tnsRule rules[] = {
		{"kind", tns_choiceRule, true, offsetof(tnsJointRule, kind), 0, 0, kinds},
		{"a", tns_customRule, true, 0, 0, 0, NULL},
		{"b", tns_customRule, false, 0, 0, 0, NULL},
		{"at", tns_spaceRule, false, offsetof(tnsJointRule, at), -TNS_WHERE, TNS_WHERE, NULL},
		{"to", tns_spaceRule, false, offsetof(tnsJointRule, to), -TNS_WHERE, TNS_WHERE, NULL},
		{"axis", tns_spaceRule, false, offsetof(tnsJointRule, axis), -1000, 1000, NULL},
		{"length", tns_floatRule, false, offsetof(tnsJointRule, length), 0.001, TNS_LENGTH, NULL},
		{"friction", tns_floatRule, false, offsetof(tnsJointRule, friction), 0, 1.0e9, NULL},
		{"turns", tns_customRule, false, 0, 0, 0, NULL},
		{"range", tns_customRule, false, 0, 0, 0, NULL},
		{"wheel", tns_customRule, false, 0, 0, 0, NULL},
		{"perTurn", tns_floatRule, false, offsetof(tnsJointRule, perTurn), -TNS_LENGTH, TNS_LENGTH, NULL},
		{"cut", tns_doubleRule, false, offsetof(tnsJointRule, cut), 0, TNS_MAX_SECONDS, NULL},
	};
	// Which keys a kind of joint needs, and which it may have.
	static const struct
	{
		const char* key;
		bool needs[tns_jointKindCount], allows[tns_jointKindCount];
	} uses[] = {
		{"at", {[tns_ballJoint] = true, [tns_hingeJoint] = true, [tns_ropeJoint] = true},
			{[tns_ballJoint] = true, [tns_hingeJoint] = true, [tns_ropeJoint] = true}},
		{"to", {[tns_ropeJoint] = true}, {[tns_ropeJoint] = true}},
		{"axis", {[tns_hingeJoint] = true, [tns_slideJoint] = true},
			{[tns_hingeJoint] = true, [tns_slideJoint] = true}},
		{"length", {false}, {[tns_ropeJoint] = true}},
		{"friction", {false}, {[tns_hingeJoint] = true}},
		{"turns", {false}, {[tns_hingeJoint] = true}},
		{"range", {false}, {[tns_slideJoint] = true}},
		{"wheel", {false}, {[tns_slideJoint] = true}},
		{"perTurn", {false}, {[tns_slideJoint] = true}},
	};
	joint->b = -1;
	joint->wheel = -1;
	joint->range[0] = -TNS_LENGTH;
	joint->range[1] = TNS_LENGTH;
	joint->perTurn = 0.25f;
	joint->cut = INFINITY;
	joint->place = value->place;
	if (TNS_READ(reader, value, "a joint", rules, joint) == false)
	{
		return false;
	}
	for (int i = 0; i < TNS_COUNT_OF(uses); ++i)
	{
		const tnsJson* child = tnsJson_Find(value, uses[i].key);
		if (child == NULL && uses[i].needs[joint->kind])
		{
			return tnsFail(reader, value->place, "a joint of kind %s needs \"%s\"", kinds[joint->kind], uses[i].key);
		}
		if (child != NULL && uses[i].allows[joint->kind] == false)
		{
			return tnsFail(
				reader, child->keyPlace, "a joint of kind %s has no \"%s\"", kinds[joint->kind], uses[i].key);
		}
	}
	const tnVec3 d = joint->axis;
	const tnsJson* axis = tnsJson_Find(value, "axis");
	if (axis != NULL && d.x * d.x + d.y * d.y + d.z * d.z < 1.0e-6f)
	{
		return tnsFail(reader, axis->place, "axis must not be near zero");
	}
	const tnsJson* b = tnsJson_Find(value, "b");
	if (tnsFindBody(reader, tnsJson_Find(value, "a"), "a", &joint->a) == false ||
		(b != NULL && tnsFindBody(reader, b, "b", &joint->b) == false))
	{
		return false;
	}
	if (joint->a == joint->b)
	{
		return tnsFail(reader, b->place, "a joint is between two bodies, not one and itself");
	}
	return tnsReadTurns(reader, tnsJson_Find(value, "turns"), joint) && tnsReadSlide(reader, value, joint);
}

bool tnsReadBodies(tnsSceneReader* reader, const tnsJson* bodies, const tnsJson* joints)
{
	tnsScene* scene = reader->scene;
	if ((bodies != NULL && tnsCheckArray(reader, bodies, "bodies", TNS_MAX_ITEMS) == false) ||
		(joints != NULL && tnsCheckArray(reader, joints, "joints", TNS_MAX_ITEMS) == false))
	{
		return false;
	}
	scene->bodies = tnsSceneAlloc(reader, bodies != NULL ? (size_t)bodies->count : 0, sizeof(tnsBodyRule));
	scene->joints = tnsSceneAlloc(reader, joints != NULL ? (size_t)joints->count : 0, sizeof(tnsJointRule));
	if (scene->bodies == NULL || scene->joints == NULL)
	{
		return false;
	}
	for (const tnsJson* item = bodies != NULL ? bodies->first : NULL; item != NULL; item = item->next)
	{
		tnsBodyRule* body = scene->bodies + scene->bodyRuleCount;
		if (tnsReadBody(reader, item, body) == false)
		{
			return false;
		}
		body->first = scene->info.bodyCount;
		scene->info.bodyCount += body->copyCount;
		scene->bodyRuleCount += 1;
		if (scene->info.bodyCount > TNS_MAX_BODIES)
		{
			return tnsFail(reader, item->place, "a scene can have at most %d bodies, with this one there are %d",
				TNS_MAX_BODIES, scene->info.bodyCount);
		}
	}
	for (const tnsJson* item = joints != NULL ? joints->first : NULL; item != NULL; item = item->next)
	{
		if (tnsReadJoint(reader, item, scene->joints + scene->jointCount) == false)
		{
			return false;
		}
		scene->jointCount += 1;
	}
	return true;
}

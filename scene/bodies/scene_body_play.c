// SPDX-License-Identifier: MIT

// What a player does with bodies.

#include "bodies/scene_bodies_model.h"

#include "bodies/scene_bodies.h"

#include <math.h>

// A body that is put on another one does not touch it yet, meters.
#define TNS_STACK_GAP 0.005f

static tnsResult tnsRefuseIndex(int index)
{
	return tnsMakeError(tns_invalidArgument, "there is no body %d", index);
}

static tnsResult tnsRefuseStill(void)
{
	return tnsMakeError(tns_invalidArgument, "bodies do not move here: tarn was built without a physics engine");
}

static bool tnsIsFinite(tnVec3 a)
{
	return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

// ---------------------------------------------------------------------------------------------------------------------
// Picking

// Distance along the ray to a triangle, or INFINITY.
static float tnsHitTriangle(tnVec3 origin, tnVec3 direction, tnVec3 a, tnVec3 b, tnVec3 c)
{
	const tnVec3 ab = tnsSubtract(b, a), ac = tnsSubtract(c, a), from = tnsSubtract(origin, a);
	const tnVec3 p = tnsCross(direction, ac);
	const float determinant = tnsDot(ab, p);
	if (determinant == 0.0f)
	{
		return INFINITY;
	}
	const float u = tnsDot(from, p) / determinant;
	const tnVec3 q = tnsCross(from, ab);
	const float v = tnsDot(direction, q) / determinant;
	const float t = tnsDot(ac, q) / determinant;
	return u >= 0.0f && v >= 0.0f && u + v <= 1.0f && t >= 0.0f ? t : INFINITY;
}

// In the frame of the body. Infinite if it is missed.
static float tnsHitBody(const tnsRun* run, const tnsBodyItem* item, tnVec3 origin, tnVec3 direction)
{
	const tnVec3 from = tnsToBody(&item->pose, origin);
	const tnVec3 ray = tnsRotateBack(item->pose.rotation, direction);
	const tnVec3 beside = tnsCross(from, ray);
	if (tnsDot(beside, beside) > item->radius * item->radius * tnsDot(ray, ray))
	{
		return INFINITY;
	}
	tnBodyMesh mesh = {0};
	float nearest = INFINITY;
	(void)tnsWater_GetBodyMesh(&run->water, item->id, &mesh);
	for (int i = 0; i < mesh.triangleCount; ++i)
	{
		const int32_t* corners = mesh.triangles + 3 * i;
		nearest = fminf(nearest,
			tnsHitTriangle(from, ray, mesh.points[corners[0]], mesh.points[corners[1]], mesh.points[corners[2]]));
	}
	return nearest;
}

int tnsRun_PickBody(const tnsRun* run, tnVec3 origin, tnVec3 direction, float* distance, tnVec3* point)
{
	int best = -1;
	float nearest = INFINITY;
	if (tnsIsFinite(origin) == false || tnsIsFinite(direction) == false)
	{
		return -1;
	}
	for (int i = 0; i < run->bodies->end; ++i)
	{
		if (run->bodies->items[i].there)
		{
			const float t = tnsHitBody(run, run->bodies->items + i, origin, direction);
			best = t < nearest ? i : best;
			nearest = t < nearest ? t : nearest;
		}
	}
	if (best >= 0 && distance != NULL)
	{
		*distance = nearest;
	}
	if (best >= 0 && point != NULL)
	{
		*point = tnsAdd(origin, tnsScale(direction, nearest));
	}
	return best;
}

// ---------------------------------------------------------------------------------------------------------------------
// Grabbing

tnsResult tnsRun_GrabBody(tnsRun* run, int index, tnVec3 point)
{
	if (tnsHasItem(run, index) == false)
	{
		return tnsRefuseIndex(index);
	}
	if (tnsHavePhysics() == false)
	{
		return tnsRefuseStill();
	}
	const tnsBodyItem* item = run->bodies->items + index;
	if (isinf(item->mass) || item->tied)
	{
		return tnsMakeError(tns_invalidArgument, "body %d is held in place%s", index,
			item->tied ? ": cut it loose first" : " for good");
	}
	if (tnsIsFinite(point) == false)
	{
		return tnsMakeError(tns_invalidArgument, "the point at which a body is held must be finite");
	}
	run->bodies->grabbed = index;
	run->bodies->grabPoint = tnsToBody(&item->pose, point);
	run->bodies->grabTarget = point;
	return (tnsResult){0};
}

void tnsRun_DragBody(tnsRun* run, tnVec3 target)
{
	if (run->bodies->grabbed >= 0 && tnsIsFinite(target))
	{
		run->bodies->grabTarget = target;
	}
}

void tnsRun_ReleaseBody(tnsRun* run, const tnVec3* velocity)
{
	tnsBodies* bodies = run->bodies;
	if (bodies->grabbed >= 0 && velocity != NULL && tnsIsFinite(*velocity))
	{
		// Faster ones would pass through walls between two steps.
		const float most = 100.0f, speed = tnsGetLength(*velocity);
		tnsBodyItem* item = bodies->items + bodies->grabbed;
		item->velocity = speed > most ? tnsScale(*velocity, most / speed) : *velocity;
		tnsPhysics_SetVelocity(bodies->physics, bodies->grabbed, item->velocity, item->spin);
	}
	bodies->grabbed = -1;
}

// ---------------------------------------------------------------------------------------------------------------------
// Adding and removing

// A rock of about 1 m: points on a dented sphere.
static const tnVec3 s_boulderPoints[TNS_KIND_POINTS] = {{0.50f, 0.02f, 0.06f}, {-0.47f, 0.05f, -0.08f},
	{0.04f, 0.40f, 0.03f}, {-0.03f, -0.38f, 0.05f}, {0.05f, 0.04f, 0.45f}, {0.02f, -0.02f, -0.46f},
	{0.32f, 0.24f, 0.24f}, {-0.30f, 0.26f, 0.22f}, {0.28f, 0.25f, -0.27f}, {-0.26f, 0.24f, -0.29f},
	{0.33f, -0.22f, 0.25f}, {-0.31f, -0.24f, 0.26f}, {0.30f, -0.24f, -0.24f}, {-0.33f, -0.21f, -0.25f}};

typedef struct tnsKind
{
	const char* name;
	tnShapeKind shape;
	// Of a body of size 1: half extents of a box; radius and half of the length of the others.
	tnVec3 halfExtents;
	float radius, halfLength;
	// kg/m^3.
	float density;
	float friction, bounce;
	// Lies along x.
	bool lies;
	tnVec3 color;
	// What it measures by nature, 0 for all sizes, m; and how far the centre of mass is above that of the shape, in sizes.
	float size, weightHeight;
} tnsKind;

static const tnsKind s_kinds[tns_bodyKindCount] = {
	[tns_crate] = {"crate", tn_boxShape, {0.5f, 0.5f, 0.5f}, 0, 0, 400, 0.6f, 0, false, {0.44f, 0.25f, 0.10f}, 0, 0},
	[tns_heavyCrate] = {"heavy crate", tn_boxShape, {0.5f, 0.5f, 0.5f}, 0, 0, 1800, 0.8f, 0, false,
		{0.20f, 0.21f, 0.23f}, 0, 0},
	[tns_ball] = {"ball", tn_sphereShape, {0}, 0.5f, 0, 150, 0.6f, 0.6f, false, {0.70f, 0.05f, 0.04f}, 0, 0},
	[tns_barrel] = {"barrel", tn_cylinderShape, {0}, 0.33f, 0.5f, 300, 0.5f, 0.1f, false, {0.05f, 0.16f, 0.33f}, 0, 0},
	[tns_log] = {"log", tn_cylinderShape, {0}, 0.09f, 0.5f, 650, 0.7f, 0, true, {0.24f, 0.13f, 0.06f}, 0, 0},
	[tns_boulder] = {"boulder", tn_hullShape, {0}, 0, 0, 2600, 0.9f, 0, false, {0.22f, 0.21f, 0.19f}, 0, 0},
	// 75 kg over 0.102 m^3. The weight is below the middle of the lower end: it stands up by itself.
	[tns_person] = {"person", tn_capsuleShape, {0}, 0.08f, 0.42f, 735, 0.9f, 0, false, {0.62f, 0.16f, 0.04f}, 1.75f,
		-0.457f},
};

const char* tnsGetBodyKindName(tnsBodyKind kind)
{
	return kind >= 0 && kind < tns_bodyKindCount ? s_kinds[kind].name : "";
}

float tnsGetBodyKindSize(tnsBodyKind kind)
{
	return kind >= 0 && kind < tns_bodyKindCount ? s_kinds[kind].size : 0.0f;
}

static void tnsMakeKindShape(const tnsKind* kind, float size, tnVec3* points, tnShapeDef* shape)
{
	*shape = tnDefaultShapeDef();
	shape->kind = kind->shape;
	shape->halfExtents = tnsScale(kind->halfExtents, size);
	shape->radius = kind->radius * size;
	shape->halfLength = kind->halfLength * size;
	if (kind->lies)
	{
		// A quarter turn about z: from y to -x.
		shape->pose.rotation = (tnQuat){0.0f, 0.0f, 0.70710678f, 0.70710678f};
	}
	if (kind->shape == tn_hullShape)
	{
		shape->pointCount = TNS_KIND_POINTS;
		shape->points = points;
		for (int i = 0; i < shape->pointCount; ++i)
		{
			points[i] = tnsScale(s_boulderPoints[i], size);
		}
	}
}

tnsBodyRule tnsMakeKindRule(tnsBodyKind kind, float size, tnsKindParts* parts)
{
	const tnsKind* what = s_kinds + kind;
	tnsMakeKindShape(what, size, parts->points, &parts->shape);
	tnsBodyRule rule = {0};
	rule.shapes = &parts->shape;
	rule.shapeCount = 1;
	rule.density = what->density;
	rule.water = tnDefaultBodyDef();
	rule.friction = what->friction;
	rule.bounce = what->bounce;
	rule.color = what->color;
	rule.hasCenter = what->weightHeight != 0.0f;
	rule.center = (tnVec3){0.0f, what->weightHeight * size, 0.0f};
	return rule;
}

// How far a new body must be lifted to stand on top of everything it would be in: the ground and other bodies.
static float tnsFindRoom(const tnsRun* run, tnVec3 position, tnVec3 half)
{
	float bottom = fmaxf(position.y, tnsWater_GetGround(&run->water, position) + TNS_STACK_GAP);
	// Each body lifts it at most once.
	for (int round = 0; round < run->bodies->end; ++round)
	{
		const float before = bottom;
		for (int i = 0; i < run->bodies->end; ++i)
		{
			tnVec3 low, high;
			if (run->bodies->items[i].there == false)
			{
				continue;
			}
			tnsGetItemBounds(run, i, &low, &high);
			if (low.x < position.x + half.x && high.x > position.x - half.x && low.z < position.z + half.z &&
				high.z > position.z - half.z && low.y < bottom + 2.0f * half.y && high.y > bottom)
			{
				bottom = high.y + TNS_STACK_GAP;
			}
		}
		if (bottom == before)
		{
			break;
		}
	}
	return bottom;
}

tnsResult tnsRun_AddBody(tnsRun* run, tnsBodyKind kind, tnVec3 position, float size, int* index)
{
	if (index != NULL)
	{
		*index = -1;
	}
	if (tnsHavePhysics() == false)
	{
		return tnsRefuseStill();
	}
	if (!(kind >= 0 && kind < tns_bodyKindCount) || tnsIsFinite(position) == false ||
		!(size >= 0.01f && size <= 1000.0f))
	{
		return tnsMakeError(tns_invalidArgument, "a body needs a kind, a finite position and a size in [0.01, 1000]");
	}
	const tnsCells* cells = &run->scene->cells;
	const double x = (double)position.x - cells->originX, z = (double)position.z - cells->originZ;
	if (x < 0.0 || x > cells->columnCount * cells->cellSize || z < 0.0 || z > cells->rowCount * cells->cellSize ||
		fabsf(position.y) > TN_MAX_LENGTH)
	{
		return tnsMakeError(tns_invalidArgument,
			"a body must be put inside the world, got x = %.9g, y = %.9g, z = %.9g", (double)position.x,
			(double)position.y, (double)position.z);
	}
	tnsBodies* bodies = run->bodies;
	int slot = run->scene->info.bodyCount;
	while (slot < bodies->end && bodies->items[slot].there)
	{
		slot += 1;
	}
	if (slot >= TNS_MAX_BODIES || (slot == bodies->end && tnsReserveItem(bodies) == false))
	{
		return tnsMakeError(tns_outOfMemory, "there can be at most %d bodies", TNS_MAX_BODIES);
	}
	const tnsKind* what = s_kinds + kind;
	tnsKindParts parts;
	const tnsBodyRule rule = tnsMakeKindRule(kind, size, &parts);
	const tnShapeDef shape = parts.shape;
	tnVec3 half = what->shape == tn_hullShape ? (tnVec3){0.5f * size, 0.4f * size, 0.5f * size} : shape.halfExtents;
	if (what->shape == tn_sphereShape || what->shape == tn_cylinderShape || what->shape == tn_capsuleShape)
	{
		const float ends = what->shape == tn_cylinderShape ? 0.0f : shape.radius;
		const float along = (what->shape == tn_sphereShape ? 0.0f : shape.halfLength) + ends;
		half = what->lies ? (tnVec3){along, shape.radius, shape.radius} : (tnVec3){shape.radius, along, shape.radius};
	}
	const tnPose pose = {{position.x, tnsFindRoom(run, position, half) + half.y, position.z}, {0, 0, 0, 1}};
	bodies->items[slot] = (tnsBodyItem){.kind = kind, .size = size};
	const tnResult result = tnsCreateItem(run, slot, &rule, &pose);
	if (result.status != tn_ok)
	{
		return tnsMakeError(result.status == tn_outOfMemory ? tns_outOfMemory : tns_worldError, "%s", result.text);
	}
	bodies->end = slot == bodies->end ? slot + 1 : bodies->end;
	if (index != NULL)
	{
		*index = slot;
	}
	return (tnsResult){0};
}

tnsResult tnsRun_RemoveBody(tnsRun* run, int index)
{
	if (tnsHasItem(run, index) == false)
	{
		return tnsRefuseIndex(index);
	}
	tnsDestroyItem(run, index);
	return (tnsResult){0};
}

tnsResult tnsRun_CutLoose(tnsRun* run, int index)
{
	if (tnsHasItem(run, index) == false)
	{
		return tnsRefuseIndex(index);
	}
	if (tnsHavePhysics() == false)
	{
		return tnsRefuseStill();
	}
	tnsBodies* bodies = run->bodies;
	if (bodies->items[index].tied)
	{
		bodies->items[index].tied = false;
		tnsPhysics_SetTied(bodies->physics, index, false);
	}
	for (int i = 0; i < run->scene->jointCount; ++i)
	{
		const tnsJointRule* rule = run->scene->joints + i;
		if (bodies->joints[i].made && (rule->a == index || rule->b == index))
		{
			tnsPhysics_DestroyJoint(bodies->physics, i);
			bodies->joints[i] = (tnsJointItem){false, true};
		}
	}
	return (tnsResult){0};
}

tnsResult tnsRun_PushBody(tnsRun* run, int index, tnVec3 force)
{
	if (tnsHasItem(run, index) == false)
	{
		return tnsRefuseIndex(index);
	}
	if (tnsHavePhysics() == false)
	{
		return tnsRefuseStill();
	}
	if (tnsIsFinite(force) == false)
	{
		return tnsMakeError(tns_invalidArgument, "the force on a body must be finite");
	}
	tnsPhysics_Push(run->bodies->physics, index, force, run->bodies->items[index].pose.position);
	return (tnsResult){0};
}

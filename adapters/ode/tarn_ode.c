// SPDX-License-Identifier: MIT

// Bodies of ODE in the water.

#include "tarn_ode.h"

#include "tarn_ode_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How much the force on a sleeping body may change, as a share of its weight, before it wakes. Below it friction at
// rest holds nearly any body that lies, and a floating one moves by the same share of its draft: too little to see.
#define TNO_WAKE_SHARE 0.02f

// Slower than this, m/s, water and bodies count as being at rest.
#define TNO_STILL_SPEED 0.02f

// Most contacts between two geoms: a box that stands on the corners of some cells has about this many.
#define TNO_MAX_CONTACTS 16

// One body, in the order of attaching.
typedef struct tnoEntry
{
	dBodyID body;
	tnBodyId id;
	// Of the last step. Zero if the water refused the body.
	tnWrench wrench;
	// While ODE lets it sleep, and what the water did to it when it fell asleep.
	bool asleep;
	tnWrench restWrench;
	// From the centre of mass to the farthest point, meters.
	float radius;
} tnoEntry;

struct tnoCoupling
{
	// One of them.
	tnWorld* water;
	tnVoxelWorld* voxels;
	int64_t workLimit;
	dWorldID world;
	tnoEntry* entries;
	int count, capacity;
	// Contacts of tnoStep.
	dJointGroupID contacts;
	const tnoStepDef* stepDef;
};

static tnResult tnoMakeCoupling(tnWorld* water, tnVoxelWorld* voxels, dWorldID world, tnoCoupling** coupling)
{
	if (coupling == NULL)
	{
		return tnoMakeResult(tn_invalidArgument, "coupling must not be NULL");
	}
	*coupling = NULL;
	if ((water == NULL && voxels == NULL) || world == NULL)
	{
		return tnoMakeResult(tn_invalidArgument, world == NULL ? "world must not be NULL" : "water must not be NULL");
	}
	tnoCoupling* made = calloc(1, sizeof(tnoCoupling));
	if (made == NULL)
	{
		return tnoMakeResult(tn_outOfMemory, "out of memory for a coupling");
	}
	made->water = water;
	made->voxels = voxels;
	made->world = world;
	made->contacts = dJointGroupCreate(0);
	*coupling = made;
	return (tnResult){0};
}

tnResult tnoCreateCoupling(tnWorld* water, dWorldID world, tnoCoupling** coupling)
{
	return tnoMakeCoupling(water, NULL, world, coupling);
}

tnResult tnoCreateVoxelCoupling(tnVoxelWorld* voxels, dWorldID world, int64_t workLimit, tnoCoupling** coupling)
{
	const tnResult result = tnoMakeCoupling(NULL, voxels, world, coupling);
	if (result.status == tn_ok)
	{
		(*coupling)->workLimit = workLimit;
	}
	return result;
}

static tnResult tnoDestroyBody(const tnoCoupling* coupling, tnBodyId id)
{
	return coupling->voxels != NULL ? tnVoxelWorld_DestroyBody(coupling->voxels, id)
									: tnWorld_DestroyBody(coupling->water, id);
}

static float tnoGetGravity(const tnoCoupling* coupling)
{
	return coupling->voxels != NULL ? tnVoxelWorld_GetDef(coupling->voxels).gravity
									: tnWorld_GetDef(coupling->water).gravity;
}

void tnoDestroyCoupling(tnoCoupling* coupling)
{
	if (coupling == NULL)
	{
		return;
	}
	for (int i = 0; i < coupling->count; ++i)
	{
		(void)tnoDestroyBody(coupling, coupling->entries[i].id);
	}
	dJointGroupDestroy(coupling->contacts);
	free(coupling->entries);
	free(coupling);
}

// ---------------------------------------------------------------------------------------------------------------------
// Attaching

static int tnoFind(const tnoCoupling* coupling, dBodyID body)
{
	for (int i = 0; i < coupling->count; ++i)
	{
		if (coupling->entries[i].body == body)
		{
			return i;
		}
	}
	return -1;
}

static bool tnoReserve(tnoCoupling* coupling)
{
	if (coupling->count < coupling->capacity)
	{
		return true;
	}
	const int capacity = coupling->capacity > 0 ? 2 * coupling->capacity : 16;
	tnoEntry* entries = realloc(coupling->entries, (size_t)capacity * sizeof(tnoEntry));
	if (entries == NULL)
	{
		return false;
	}
	coupling->entries = entries;
	coupling->capacity = capacity;
	return true;
}

static tnVec3 tnoToVector(const dReal* from)
{
	return (tnVec3){(float)from[0], (float)from[1], (float)from[2]};
}

static float tnoGetRadius(const tnoCoupling* coupling, tnBodyId id)
{
	tnBodyMesh mesh = {0};
	float most = 0.0f;
	const tnResult known = coupling->voxels != NULL ? tnVoxelWorld_GetBodyMesh(coupling->voxels, id, &mesh)
													: tnWorld_GetBodyMesh(coupling->water, id, &mesh);
	if (known.status == tn_ok)
	{
		for (int i = 0; i < mesh.pointCount; ++i)
		{
			const tnVec3 p = mesh.points[i];
			const float square = p.x * p.x + p.y * p.y + p.z * p.z;
			most = square > most ? square : most;
		}
	}
	return sqrtf(most);
}

tnResult tnoCoupling_Attach(tnoCoupling* coupling, dBodyID body, const tnBodyDef* def, tnBodyId* id)
{
	if (id != NULL)
	{
		*id = (tnBodyId){0};
	}
	if (coupling == NULL || body == NULL)
	{
		return tnoMakeResult(
			tn_invalidArgument, coupling == NULL ? "coupling must not be NULL" : "body must not be NULL");
	}
	if (dBodyGetWorld(body) != coupling->world)
	{
		return tnoMakeResult(tn_invalidArgument, "the body is in another world of ODE");
	}
	if (tnoFind(coupling, body) >= 0)
	{
		return tnoMakeResult(tn_invalidArgument, "the body is attached already");
	}
	if (tnoReserve(coupling) == false)
	{
		return tnoMakeResult(tn_outOfMemory, "out of memory for a body");
	}
	tnBodyDef full = def != NULL ? *def : tnDefaultBodyDef();
	tnoShapes shapes = {0};
	if (def == NULL || def->shapes == NULL)
	{
		const tnResult made = tnoMakeShapes(body, &shapes);
		if (made.status != tn_ok)
		{
			return made;
		}
		full.shapes = shapes.defs;
		full.shapeCount = shapes.count;
	}
	dMass mass;
	dBodyGetMass(body, &mass);
	full.mass = dBodyIsKinematic(body) ? INFINITY : (float)mass.mass;
	full.pose = tnoGetPose(body);
	full.velocity = tnoToVector(dBodyGetLinearVel(body));
	full.spin = tnoToVector(dBodyGetAngularVel(body));
	tnoEntry entry = {0};
	entry.body = body;
	const tnResult result = coupling->voxels != NULL ? tnVoxelWorld_CreateBody(coupling->voxels, &full, &entry.id)
													 : tnWorld_CreateBody(coupling->water, &full, &entry.id);
	tnoFreeShapes(&shapes);
	if (result.status != tn_ok)
	{
		return result;
	}
	entry.radius = tnoGetRadius(coupling, entry.id);
	coupling->entries[coupling->count++] = entry;
	if (id != NULL)
	{
		*id = entry.id;
	}
	return result;
}

tnResult tnoCoupling_Adopt(tnoCoupling* coupling, dBodyID body, tnBodyId id, float radius)
{
	if (coupling == NULL || body == NULL)
	{
		return tnoMakeResult(
			tn_invalidArgument, coupling == NULL ? "coupling must not be NULL" : "body must not be NULL");
	}
	if (coupling->water == NULL)
	{
		return tnoMakeResult(tn_notAvailable, "bodies among voxels cannot be adopted: attach them");
	}
	if (!(radius >= 0.0f && isfinite(radius)))
	{
		return tnoMakeResult(tn_invalidArgument, "radius must be at least 0");
	}
	if (dBodyGetWorld(body) != coupling->world || tnoFind(coupling, body) >= 0)
	{
		return tnoMakeResult(tn_invalidArgument, "the body is in another world of ODE, or attached already");
	}
	if (tnoReserve(coupling) == false)
	{
		return tnoMakeResult(tn_outOfMemory, "out of memory for a body");
	}
	coupling->entries[coupling->count++] = (tnoEntry){.body = body, .id = id, .radius = radius};
	return (tnResult){0};
}

void tnoCoupling_Forget(tnoCoupling* coupling)
{
	if (coupling != NULL)
	{
		coupling->count = 0;
	}
}

tnResult tnoCoupling_Detach(tnoCoupling* coupling, dBodyID body)
{
	if (coupling == NULL)
	{
		return tnoMakeResult(tn_invalidArgument, "coupling must not be NULL");
	}
	const int index = tnoFind(coupling, body);
	if (index < 0)
	{
		return tnoMakeResult(tn_invalidArgument, "the body is not attached");
	}
	const tnBodyId id = coupling->entries[index].id;
	// The rest keeps its order.
	memmove(coupling->entries + index, coupling->entries + index + 1,
		(size_t)(coupling->count - index - 1) * sizeof(tnoEntry));
	coupling->count -= 1;
	return tnoDestroyBody(coupling, id);
}

int tnoCoupling_GetCount(const tnoCoupling* coupling)
{
	return coupling != NULL ? coupling->count : 0;
}

tnBodyId tnoCoupling_GetBody(const tnoCoupling* coupling, dBodyID body)
{
	const int index = coupling != NULL ? tnoFind(coupling, body) : -1;
	return index >= 0 ? coupling->entries[index].id : (tnBodyId){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Stepping

static float tnoGetLength(tnVec3 a)
{
	return sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
}

static float tnoGetDistance(tnVec3 a, tnVec3 b)
{
	return tnoGetLength((tnVec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

// See tnoCoupling_Step for the rule.
static void tnoWake(const tnoCoupling* coupling, tnoEntry* entry)
{
	tnBodyState state;
	const tnResult known = coupling->voxels != NULL ? tnVoxelWorld_GetBodyState(coupling->voxels, entry->id, &state)
													: tnWorld_GetBodyState(coupling->water, entry->id, &state);
	if (known.status != tn_ok || dBodyIsKinematic(entry->body))
	{
		return;
	}
	const float current = tnoGetLength((tnVec3){state.current.x, 0.0f, state.current.z});
	bool moved =
		state.submergedVolume > 0.0f && (current > TNO_STILL_SPEED || tnoGetLength(state.velocity) > TNO_STILL_SPEED);
	if (dBodyIsEnabled(entry->body) == 0)
	{
		if (entry->asleep == false)
		{
			entry->asleep = true;
			entry->restWrench = entry->wrench;
		}
		dMass mass;
		dBodyGetMass(entry->body, &mass);
		const float most = TNO_WAKE_SHARE * (float)mass.mass * tnoGetGravity(coupling);
		moved = moved || tnoGetDistance(entry->wrench.force, entry->restWrench.force) > most ||
			tnoGetDistance(entry->wrench.torque, entry->restWrench.torque) > most * entry->radius;
	}
	if (moved)
	{
		// Also restarts the time after which ODE lets it sleep.
		dBodyEnable(entry->body);
	}
	entry->asleep = dBodyIsEnabled(entry->body) == 0;
}

tnResult tnoCoupling_Step(tnoCoupling* coupling, float timeStep)
{
	if (coupling == NULL)
	{
		return tnoMakeResult(tn_invalidArgument, "coupling must not be NULL");
	}
	tnResult first = {0};
	for (int i = 0; i < coupling->count; ++i)
	{
		const tnoEntry* entry = coupling->entries + i;
		const tnPose pose = tnoGetPose(entry->body);
		const tnVec3 velocity = tnoToVector(dBodyGetLinearVel(entry->body));
		const tnVec3 spin = tnoToVector(dBodyGetAngularVel(entry->body));
		const tnResult moved = coupling->voxels != NULL
			? tnVoxelWorld_MoveBody(coupling->voxels, entry->id, &pose, velocity, spin)
			: tnWorld_MoveBody(coupling->water, entry->id, &pose, velocity, spin);
		first = first.status == tn_ok ? moved : first;
		// Marked by a force that is no force until the water has been stepped.
		coupling->entries[i].wrench.force.x = moved.status == tn_ok ? 0.0f : NAN;
	}
	const tnResult stepped = coupling->voxels != NULL ? tnVoxelWorld_Step(coupling->voxels, coupling->workLimit)
													  : tnWorld_Step(coupling->water, timeStep);
	if (stepped.status != tn_ok)
	{
		for (int i = 0; i < coupling->count; ++i)
		{
			coupling->entries[i].wrench = (tnWrench){0};
		}
		return stepped;
	}
	for (int i = 0; i < coupling->count; ++i)
	{
		tnoEntry* entry = coupling->entries + i;
		const bool refused = isnan(entry->wrench.force.x);
		entry->wrench = (tnWrench){0};
		if (refused == false)
		{
			const tnResult got = coupling->voxels != NULL
				? tnVoxelWorld_GetBodyWrench(coupling->voxels, entry->id, &entry->wrench)
				: tnWorld_GetBodyWrench(coupling->water, entry->id, &entry->wrench);
			first = first.status == tn_ok ? got : first;
			tnoWake(coupling, entry);
		}
	}
	tnoCoupling_AddForces(coupling);
	return first;
}

void tnoCoupling_AddForces(tnoCoupling* coupling)
{
	for (int i = 0; coupling != NULL && i < coupling->count; ++i)
	{
		const tnoEntry* entry = coupling->entries + i;
		// ODE would save the force up for the moment at which a disabled body wakes.
		if (dBodyIsEnabled(entry->body) == 0 || dBodyIsKinematic(entry->body))
		{
			continue;
		}
		const tnVec3 force = entry->wrench.force, torque = entry->wrench.torque;
		dBodyAddForce(entry->body, (dReal)force.x, (dReal)force.y, (dReal)force.z);
		dBodyAddTorque(entry->body, (dReal)torque.x, (dReal)torque.y, (dReal)torque.z);
	}
}

tnoStepDef tnoDefaultStepDef(void)
{
	tnoStepDef def = {0};
	def.friction = 0.6f;
	def.subSteps = 1;
	def.iterations = 30;
	def.seed = 1;
	return def;
}

// Do two cylinders have the same axis, within a millionth of their radius? Then ODE divides by the distance of their axes.
static bool tnoAreCoaxial(dGeomID a, dGeomID b)
{
	if (dGeomGetClass(a) != dCylinderClass || dGeomGetClass(b) != dCylinderClass)
	{
		return false;
	}
	dReal radius, length;
	dGeomCylinderGetParams(a, &radius, &length);
	const dReal* place = dGeomGetPosition(a);
	const dReal* other = dGeomGetPosition(b);
	const dReal* turn = dGeomGetRotation(a);
	const dReal* otherTurn = dGeomGetRotation(b);
	// Axes are the third columns; rows have four numbers.
	const dReal axis[3] = {turn[2], turn[6], turn[10]};
	const dReal otherAxis[3] = {otherTurn[2], otherTurn[6], otherTurn[10]};
	const dReal way[3] = {other[0] - place[0], other[1] - place[1], other[2] - place[2]};
	const dReal along = way[0] * axis[0] + way[1] * axis[1] + way[2] * axis[2];
	const dReal turned = axis[0] * otherAxis[0] + axis[1] * otherAxis[1] + axis[2] * otherAxis[2];
	dReal apart = 0, bent = 0;
	for (int i = 0; i < 3; ++i)
	{
		const dReal beside = way[i] - along * axis[i];
		const dReal slant = otherAxis[i] - turned * axis[i];
		apart += beside * beside;
		bent += slant * slant;
	}
	const dReal limit = (dReal)1.0e-6 * radius;
	return apart < limit * limit && bent < (dReal)1.0e-12;
}

int tnoCollideGeoms(dGeomID a, dGeomID b, int flags, dContactGeom* contacts, int skip)
{
	if (!tnoAreCoaxial(a, b))
	{
		return dCollide(a, b, flags, contacts, skip);
	}
	// A twin of the first, a thousandth of its radius beside it.
	dReal radius, length;
	dGeomCylinderGetParams(a, &radius, &length);
	const dReal* place = dGeomGetPosition(a);
	const dReal* turn = dGeomGetRotation(a);
	const dReal aside = (dReal)1.0e-3 * radius;
	dGeomID twin = dCreateCylinder(NULL, radius, length);
	dGeomSetRotation(twin, turn);
	dGeomSetPosition(twin, place[0] + aside * turn[0], place[1] + aside * turn[4], place[2] + aside * turn[8]);
	const int count = dCollide(twin, b, flags, contacts, skip);
	dGeomDestroy(twin);
	for (int i = 0; i < count; ++i)
	{
		dContactGeom* contact = (dContactGeom*)((char*)contacts + (ptrdiff_t)i * skip);
		contact->g1 = contact->g1 == twin ? a : contact->g1;
		contact->g2 = contact->g2 == twin ? a : contact->g2;
	}
	return count;
}

static void tnoCollide(void* context, dGeomID a, dGeomID b)
{
	tnoCoupling* coupling = context;
	const dBodyID bodyA = dGeomGetBody(a), bodyB = dGeomGetBody(b);
	if (bodyA == bodyB || (bodyA != NULL && bodyB != NULL && dAreConnectedExcluding(bodyA, bodyB, dJointTypeContact)))
	{
		return;
	}
	dContact contacts[TNO_MAX_CONTACTS];
	const int count = tnoCollideGeoms(a, b, TNO_MAX_CONTACTS, &contacts[0].geom, sizeof(dContact));
	for (int i = 0; i < count; ++i)
	{
		dSurfaceParameters surface = {0};
		surface.mode = dContactApprox1 | dContactBounce;
		surface.mu = (dReal)coupling->stepDef->friction;
		surface.bounce = (dReal)coupling->stepDef->bounce;
		// m/s. Slower ones would never come to rest.
		surface.bounce_vel = (dReal)0.2;
		contacts[i].surface = surface;
		dJointAttach(dJointCreateContact(coupling->world, coupling->contacts, contacts + i), bodyA, bodyB);
	}
}

tnResult tnoStep(tnoCoupling* coupling, dSpaceID space, const tnoStepDef* def, float timeStep)
{
	const tnoStepDef standard = tnoDefaultStepDef();
	def = def != NULL ? def : &standard;
	if (coupling == NULL || space == NULL)
	{
		return tnoMakeResult(
			tn_invalidArgument, coupling == NULL ? "coupling must not be NULL" : "space must not be NULL");
	}
	if (def->subSteps < 1 || def->iterations < 0 || !(def->friction >= 0.0f) ||
		!(def->bounce >= 0.0f && def->bounce <= 1.0f))
	{
		return tnoMakeResult(
			tn_invalidArgument, "subSteps must be at least 1, iterations and friction at least 0, bounce in [0, 1]");
	}
	const tnResult result = tnoCoupling_Step(coupling, timeStep);
	// What the water takes for no time step, ODE would stop the program for.
	if (!(timeStep > 0.0f && timeStep <= 10.0f))
	{
		return result;
	}
	coupling->stepDef = def;
	for (int i = 0; i < def->subSteps; ++i)
	{
		if (i > 0)
		{
			tnoCoupling_AddForces(coupling);
		}
		dSpaceCollide(space, coupling, tnoCollide);
		if (def->iterations > 0)
		{
			dRandSetSeed(def->seed);
			dWorldSetQuickStepNumIterations(coupling->world, def->iterations);
			dWorldQuickStep(coupling->world, (dReal)timeStep / def->subSteps);
		}
		else
		{
			dWorldStep(coupling->world, (dReal)timeStep / def->subSteps);
		}
		dJointGroupEmpty(coupling->contacts);
	}
	coupling->stepDef = NULL;
	return result;
}

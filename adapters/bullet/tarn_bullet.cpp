// SPDX-License-Identifier: MIT

// Bodies of Bullet in the water.

#include "tarn_bullet.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <deque>
#include <map>
#include <new>
#include <vector>

// How much the force on a sleeping body may change, as a share of its weight, before it wakes.
static constexpr float wakeShare = 0.02f;

// Slower than this, m/s, water and bodies count as being at rest. Bullet's own limit, 0.8 m/s unless the host sets it,
// is that of a brisk river.
static constexpr float stillSpeed = 0.02f;

// One body, in the order of attaching.
struct tnbEntry
{
	btRigidBody* body = nullptr;
	tnBodyId id = {};
	// Of the last step. Zero if the water refused the body.
	tnWrench wrench = {};
	bool refused = false;
	// While Bullet lets it sleep, and what the water did to it when it fell asleep.
	bool asleep = false;
	tnWrench restWrench = {};
	// From the centre of mass to the farthest point, meters.
	float radius = 0.0f;
};

struct tnbCoupling
{
	tnWorld* water = nullptr;
	btDynamicsWorld* world = nullptr;
	std::vector<tnbEntry> entries;
};

static tnResult tnbMakeResult(tnStatus status, const char* text)
{
	tnResult result = {};
	result.status = status;
	std::snprintf(result.text, sizeof(result.text), "%s", text);
	return result;
}

static tnVec3 tnbToVector(const btVector3& from)
{
	return {(float)from.x(), (float)from.y(), (float)from.z()};
}

static tnPose tnbToPose(const btTransform& from)
{
	const btQuaternion q = from.getRotation();
	return {tnbToVector(from.getOrigin()), {(float)q.x(), (float)q.y(), (float)q.z(), (float)q.w()}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Shapes

// The arrays that shapes point into stay where they are while more are added.
struct tnbShapes
{
	std::vector<tnShapeDef> defs;
	std::deque<std::vector<tnVec3>> points;
	std::deque<std::vector<int32_t>> triangles;
};

// Collects the triangles of a mesh. The same corner of two triangles has the same bits.
struct tnbTriangles : public btTriangleCallback
{
	std::vector<tnVec3> points;
	std::vector<int32_t> triangles;
	std::map<std::array<float, 3>, int32_t> indices;

	void processTriangle(btVector3* triangle, int, int) override
	{
		for (int i = 0; i < 3; ++i)
		{
			// Adding zero makes a negative zero a positive one.
			const tnVec3 p = {
				(float)triangle[i].x() + 0.0f, (float)triangle[i].y() + 0.0f, (float)triangle[i].z() + 0.0f};
			const auto found = indices.insert({{p.x, p.y, p.z}, (int32_t)points.size()});
			if (found.second)
			{
				points.push_back(p);
			}
			triangles.push_back(found.first->second);
		}
	}
};

// From y, along which capsules and cylinders of tarn run, to the axis of Bullet's.
static btQuaternion tnbTurnAxis(int axis)
{
	switch (axis)
	{
		case 0:
			return btQuaternion(btVector3(0, 0, 1), -SIMD_HALF_PI);
		case 2:
			return btQuaternion(btVector3(1, 0, 0), SIMD_HALF_PI);
		default:
			return btQuaternion::getIdentity();
	}
}

static tnResult tnbAddMesh(const btConcaveShape* shape, tnShapeDef* def, tnbShapes& shapes)
{
	tnbTriangles collected;
	const btVector3 all(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
	shape->processAllTriangles(&collected, -all, all);
	shapes.points.push_back(std::move(collected.points));
	shapes.triangles.push_back(std::move(collected.triangles));
	def->kind = tn_meshShape;
	def->points = shapes.points.back().data();
	def->pointCount = (int)shapes.points.back().size();
	def->triangles = shapes.triangles.back().data();
	def->triangleCount = (int)shapes.triangles.back().size() / 3;
	return {};
}

static tnResult tnbAddShape(const btCollisionShape* shape, const btTransform& where, tnbShapes& shapes)
{
	tnShapeDef def = tnDefaultShapeDef();
	btTransform turned = where;
	const int kind = shape->getShapeType();
	if (kind == BOX_SHAPE_PROXYTYPE)
	{
		def.kind = tn_boxShape;
		def.halfExtents = tnbToVector(static_cast<const btBoxShape*>(shape)->getHalfExtentsWithMargin());
	}
	else if (kind == SPHERE_SHAPE_PROXYTYPE)
	{
		def.kind = tn_sphereShape;
		def.radius = (float)static_cast<const btSphereShape*>(shape)->getRadius();
	}
	else if (kind == CAPSULE_SHAPE_PROXYTYPE)
	{
		const auto* capsule = static_cast<const btCapsuleShape*>(shape);
		def.kind = tn_capsuleShape;
		def.radius = (float)capsule->getRadius();
		def.halfLength = (float)capsule->getHalfHeight();
		turned.setRotation(where.getRotation() * tnbTurnAxis(capsule->getUpAxis()));
	}
	else if (kind == CYLINDER_SHAPE_PROXYTYPE)
	{
		const auto* cylinder = static_cast<const btCylinderShape*>(shape);
		const int axis = cylinder->getUpAxis();
		def.kind = tn_cylinderShape;
		def.radius = (float)cylinder->getRadius();
		def.halfLength = (float)cylinder->getHalfExtentsWithMargin()[axis];
		turned.setRotation(where.getRotation() * tnbTurnAxis(axis));
	}
	else if (kind == CONVEX_HULL_SHAPE_PROXYTYPE)
	{
		const auto* hull = static_cast<const btConvexHullShape*>(shape);
		shapes.points.emplace_back();
		for (int i = 0; i < hull->getNumPoints(); ++i)
		{
			shapes.points.back().push_back(tnbToVector(hull->getScaledPoint(i)));
		}
		def.kind = tn_hullShape;
		def.points = shapes.points.back().data();
		def.pointCount = hull->getNumPoints();
	}
	else if (kind == COMPOUND_SHAPE_PROXYTYPE)
	{
		const auto* compound = static_cast<const btCompoundShape*>(shape);
		tnResult result = {};
		for (int i = 0; i < compound->getNumChildShapes() && result.status == tn_ok; ++i)
		{
			result = tnbAddShape(compound->getChildShape(i), where * compound->getChildTransform(i), shapes);
		}
		return result;
	}
	else if (kind == TRIANGLE_MESH_SHAPE_PROXYTYPE || kind == GIMPACT_SHAPE_PROXYTYPE)
	{
		tnbAddMesh(static_cast<const btConcaveShape*>(shape), &def, shapes);
	}
	else
	{
		return tnbMakeResult(tn_invalidArgument,
			"the body has a shape that is no box, sphere, capsule, cylinder, hull or mesh: attach it with shapes");
	}
	def.pose = tnbToPose(turned);
	shapes.defs.push_back(def);
	return {};
}

// ---------------------------------------------------------------------------------------------------------------------
// Attaching

tnResult tnbCreateCoupling(tnWorld* water, btDynamicsWorld* world, tnbCoupling** coupling)
{
	if (coupling == nullptr)
	{
		return tnbMakeResult(tn_invalidArgument, "coupling must not be NULL");
	}
	*coupling = nullptr;
	if (water == nullptr || world == nullptr)
	{
		return tnbMakeResult(
			tn_invalidArgument, water == nullptr ? "water must not be NULL" : "world must not be NULL");
	}
	*coupling = new (std::nothrow) tnbCoupling;
	if (*coupling == nullptr)
	{
		return tnbMakeResult(tn_outOfMemory, "out of memory for a coupling");
	}
	(*coupling)->water = water;
	(*coupling)->world = world;
	return {};
}

void tnbDestroyCoupling(tnbCoupling* coupling)
{
	if (coupling == nullptr)
	{
		return;
	}
	for (const tnbEntry& entry : coupling->entries)
	{
		(void)tnWorld_DestroyBody(coupling->water, entry.id);
	}
	delete coupling;
}

static int tnbFind(const tnbCoupling* coupling, const btRigidBody* body)
{
	for (size_t i = 0; i < coupling->entries.size(); ++i)
	{
		if (coupling->entries[i].body == body)
		{
			return (int)i;
		}
	}
	return -1;
}

static float tnbGetRadius(const tnWorld* water, tnBodyId id)
{
	tnBodyMesh mesh = {};
	float most = 0.0f;
	if (tnWorld_GetBodyMesh(water, id, &mesh).status == tn_ok)
	{
		for (int i = 0; i < mesh.pointCount; ++i)
		{
			const tnVec3 p = mesh.points[i];
			most = std::max(most, p.x * p.x + p.y * p.y + p.z * p.z);
		}
	}
	return std::sqrt(most);
}

static float tnbGetMass(const btRigidBody* body)
{
	return body->isStaticOrKinematicObject() ? INFINITY : (float)(1 / body->getInvMass());
}

static tnResult tnbAttach(tnbCoupling* coupling, btRigidBody* body, const tnBodyDef* def, tnbEntry& entry)
{
	tnBodyDef full = def != nullptr ? *def : tnDefaultBodyDef();
	tnbShapes shapes;
	if (def == nullptr || def->shapes == nullptr)
	{
		if (body->getCollisionShape() == nullptr)
		{
			return tnbMakeResult(
				tn_invalidArgument, "the body has no collision shape: give it one, or attach it with shapes");
		}
		const tnResult made = tnbAddShape(body->getCollisionShape(), btTransform::getIdentity(), shapes);
		if (made.status != tn_ok)
		{
			return made;
		}
		full.shapes = shapes.defs.data();
		full.shapeCount = (int)shapes.defs.size();
	}
	full.mass = tnbGetMass(body);
	full.pose = tnbToPose(body->getCenterOfMassTransform());
	full.velocity = tnbToVector(body->getLinearVelocity());
	full.spin = tnbToVector(body->getAngularVelocity());
	coupling->entries.reserve(coupling->entries.size() + 1);
	return tnWorld_CreateBody(coupling->water, &full, &entry.id);
}

tnResult tnbCoupling_Attach(tnbCoupling* coupling, btRigidBody* body, const tnBodyDef* def, tnBodyId* id)
{
	if (id != nullptr)
	{
		*id = {};
	}
	if (coupling == nullptr || body == nullptr)
	{
		return tnbMakeResult(
			tn_invalidArgument, coupling == nullptr ? "coupling must not be NULL" : "body must not be NULL");
	}
	if (tnbFind(coupling, body) >= 0)
	{
		return tnbMakeResult(tn_invalidArgument, "the body is attached already");
	}
	tnbEntry entry;
	entry.body = body;
	tnResult result = {};
	try
	{
		result = tnbAttach(coupling, body, def, entry);
	}
	catch (const std::bad_alloc&)
	{
		return tnbMakeResult(tn_outOfMemory, "out of memory for a body");
	}
	if (result.status == tn_ok)
	{
		entry.radius = tnbGetRadius(coupling->water, entry.id);
		coupling->entries.push_back(entry);
		if (id != nullptr)
		{
			*id = entry.id;
		}
	}
	return result;
}

tnResult tnbCoupling_Detach(tnbCoupling* coupling, btRigidBody* body)
{
	if (coupling == nullptr)
	{
		return tnbMakeResult(tn_invalidArgument, "coupling must not be NULL");
	}
	const int index = tnbFind(coupling, body);
	if (index < 0)
	{
		return tnbMakeResult(tn_invalidArgument, "the body is not attached");
	}
	const tnBodyId id = coupling->entries[(size_t)index].id;
	coupling->entries.erase(coupling->entries.begin() + index);
	return tnWorld_DestroyBody(coupling->water, id);
}

int tnbCoupling_GetCount(const tnbCoupling* coupling)
{
	return coupling != nullptr ? (int)coupling->entries.size() : 0;
}

tnBodyId tnbCoupling_GetBody(const tnbCoupling* coupling, const btRigidBody* body)
{
	const int index = coupling != nullptr ? tnbFind(coupling, body) : -1;
	return index >= 0 ? coupling->entries[(size_t)index].id : tnBodyId{};
}

// ---------------------------------------------------------------------------------------------------------------------
// Stepping

static float tnbGetDistance(tnVec3 a, tnVec3 b)
{
	const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
	return std::sqrt(x * x + y * y + z * z);
}

static float tnbGetLength(tnVec3 a)
{
	return tnbGetDistance(a, tnVec3{0.0f, 0.0f, 0.0f});
}

// See tnbCoupling_Step for the rule.
static void tnbWake(const tnbCoupling* coupling, tnbEntry& entry)
{
	tnBodyState state;
	if (tnWorld_GetBodyState(coupling->water, entry.id, &state).status != tn_ok ||
		entry.body->isStaticOrKinematicObject())
	{
		return;
	}
	const float current = tnbGetLength({state.current.x, 0.0f, state.current.z});
	bool moved = state.submergedVolume > 0.0f && (current > stillSpeed || tnbGetLength(state.velocity) > stillSpeed);
	if (entry.body->isActive() == false)
	{
		if (entry.asleep == false)
		{
			entry.asleep = true;
			entry.restWrench = entry.wrench;
		}
		const float most = wakeShare * tnbGetMass(entry.body) * tnWorld_GetDef(coupling->water).gravity;
		moved = moved || tnbGetDistance(entry.wrench.force, entry.restWrench.force) > most ||
			tnbGetDistance(entry.wrench.torque, entry.restWrench.torque) > most * entry.radius;
	}
	if (moved)
	{
		// Also restarts the time after which Bullet lets it sleep.
		entry.body->activate();
	}
	entry.asleep = entry.body->isActive() == false;
}

static void tnbAddForces(tnbCoupling* coupling)
{
	for (const tnbEntry& entry : coupling->entries)
	{
		if (entry.body->isActive() && entry.body->isStaticOrKinematicObject() == false)
		{
			const tnVec3 f = entry.wrench.force, t = entry.wrench.torque;
			entry.body->applyCentralForce(btVector3(f.x, f.y, f.z));
			entry.body->applyTorque(btVector3(t.x, t.y, t.z));
		}
	}
}

tnResult tnbCoupling_Step(tnbCoupling* coupling, float timeStep)
{
	if (coupling == nullptr)
	{
		return tnbMakeResult(tn_invalidArgument, "coupling must not be NULL");
	}
	tnResult first = {};
	for (tnbEntry& entry : coupling->entries)
	{
		const tnPose pose = tnbToPose(entry.body->getCenterOfMassTransform());
		const tnResult moved = tnWorld_MoveBody(coupling->water, entry.id, &pose,
			tnbToVector(entry.body->getLinearVelocity()), tnbToVector(entry.body->getAngularVelocity()));
		entry.wrench = {};
		entry.refused = moved.status != tn_ok;
		first = first.status == tn_ok ? moved : first;
	}
	const tnResult stepped = tnWorld_Step(coupling->water, timeStep);
	if (stepped.status != tn_ok)
	{
		return stepped;
	}
	for (tnbEntry& entry : coupling->entries)
	{
		if (entry.refused)
		{
			continue;
		}
		const tnResult got = tnWorld_GetBodyWrench(coupling->water, entry.id, &entry.wrench);
		first = first.status == tn_ok ? got : first;
		tnbWake(coupling, entry);
	}
	tnbAddForces(coupling);
	return first;
}

tnResult tnbStep(tnbCoupling* coupling, float timeStep, int subSteps)
{
	if (coupling == nullptr || subSteps < 1)
	{
		return tnbMakeResult(
			tn_invalidArgument, coupling == nullptr ? "coupling must not be NULL" : "subSteps must be at least 1");
	}
	const tnResult result = tnbCoupling_Step(coupling, timeStep);
	if (timeStep > 0.0f && timeStep <= 10.0f)
	{
		// One step of a fixed length each, as Bullet's own division into steps may carry a remainder over. Forces are
		// cleared after each of them, so all but the first get them again.
		const btScalar step = (btScalar)timeStep / (btScalar)subSteps;
		for (int i = 0; i < subSteps; ++i)
		{
			if (i > 0)
			{
				tnbAddForces(coupling);
			}
			coupling->world->stepSimulation(step, 0);
		}
	}
	return result;
}

// SPDX-License-Identifier: MIT

// Bodies of Bullet in the water: they float at the draft that Archimedes gives, sink when they are heavy, and drift
// with the current.

#include "tarn_bullet.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

TN_EXTERN_C tnResult TestNullFromC(void);

static int s_failed = 0;

static void Check(const char* what, double value, double expected, double tolerance)
{
	const bool good = std::fabs(value - expected) <= tolerance;
	std::printf("%s %-44s %.6g, expected %.6g within %.2g\n", good ? "pass" : "FAIL", what, value, expected, tolerance);
	s_failed += good ? 0 : 1;
}

static void CheckTrue(const char* what, bool good)
{
	std::printf("%s %s\n", good ? "pass" : "FAIL", what);
	s_failed += good ? 0 : 1;
}

// A basin of still or flowing water, and a world of Bullet.
class Basin
{
  public:
	explicit Basin(float depth, float current)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = 49;
		def.rowCount = 47;
		def.cellSize = 0.5f;
		def.method = tn_shallowMethod;
		if (current != 0.0f)
		{
			def.edges[tn_west].kind = tn_wrapEdge;
			def.edges[tn_east].kind = tn_wrapEdge;
		}
		tnCreateWorld(&def, &water);
		tnWorld_FillToLevel(water, depth);
		const size_t count = (size_t)def.columnCount * (size_t)def.rowCount;
		const std::vector<float> x(count, current), z(count, 0.0f);
		tnWorld_SetVelocities(water, x.data(), z.data());
		world = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher, &broadphase, &solver, &configuration);
		world->setGravity(btVector3(0, (btScalar)-9.81, 0));
		tnbCreateCoupling(water, world.get(), &coupling);
		// The bottom.
		Add(new btStaticPlaneShape(btVector3(0, 1, 0), 0), 0, btVector3(0, 0, 0));
	}

	~Basin()
	{
		tnbDestroyCoupling(coupling);
		for (const auto& body : bodies)
		{
			world->removeRigidBody(body.get());
		}
		tnDestroyWorld(water);
	}

	Basin(const Basin&) = delete;
	Basin& operator=(const Basin&) = delete;

	btRigidBody* Add(btCollisionShape* shape, btScalar mass, const btVector3& position)
	{
		shapes.emplace_back(shape);
		btVector3 inertia(0, 0, 0);
		if (mass > 0)
		{
			shape->calculateLocalInertia(mass, inertia);
		}
		btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
		info.m_startWorldTransform.setOrigin(position);
		bodies.push_back(std::make_unique<btRigidBody>(info));
		world->addRigidBody(bodies.back().get());
		return bodies.back().get();
	}

	void Run(double seconds)
	{
		for (int i = 0; i < (int)(60 * seconds); ++i)
		{
			const tnResult result = tnbStep(coupling, 1.0f / 60.0f, 2);
			if (result.status != tn_ok)
			{
				std::printf("FAIL %s\n", result.text);
				s_failed += 1;
				return;
			}
		}
	}

	tnWorld* water = nullptr;
	tnbCoupling* coupling = nullptr;

  private:
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher{&configuration};
	btDbvtBroadphase broadphase;
	btSequentialImpulseConstraintSolver solver;
	std::unique_ptr<btDiscreteDynamicsWorld> world;
	std::vector<std::unique_ptr<btCollisionShape>> shapes;
	std::vector<std::unique_ptr<btRigidBody>> bodies;
};

// Submerged share of the body's volume, and the mean of it over the last second: waves of the basin still come and go.
static double GetSubmergedShare(Basin& basin, btRigidBody* body)
{
	double sum = 0.0;
	const int count = 120;
	for (int i = 0; i < count; ++i)
	{
		basin.Run(1.0 / 60.0);
		tnBodyState state = {};
		tnWorld_GetBodyState(basin.water, tnbCoupling_GetBody(basin.coupling, body), &state);
		sum += (double)(state.submergedVolume / state.volume);
	}
	return sum / count;
}

// A body at rest displaces its weight. 1 %: what the issue of bodies asks for.
static void TestFloating()
{
	Basin basin(3.0f, 0.0f);
	btRigidBody* box =
		basin.Add(new btBoxShape(btVector3(1, (btScalar)0.5, 1)), 4000 * (btScalar)0.4, btVector3(6, 3, 6));
	const btScalar ball = (btScalar)(4.0 / 3.0 * 3.14159265 * 1000.0 * 0.5);
	btRigidBody* sphere = basin.Add(new btSphereShape(1), ball, btVector3(17, 3, 16));
	CheckTrue("a box is attached", tnbCoupling_Attach(basin.coupling, box, nullptr, nullptr).status == tn_ok);
	CheckTrue("a sphere is attached", tnbCoupling_Attach(basin.coupling, sphere, nullptr, nullptr).status == tn_ok);
	basin.Run(20);
	Check("share of a box of density 0.4 under water", GetSubmergedShare(basin, box), 0.4, 0.004);
	Check("share of a ball of density 0.5 under water", GetSubmergedShare(basin, sphere), 0.5, 0.01);
	const tnLedger ledger = tnWorld_GetLedger(basin.water);
	Check("water of the basin over what it was", ledger.volume / ledger.edits, 1.0, 1.0e-6);
	CheckTrue("a body is detached", tnbCoupling_Detach(basin.coupling, box).status == tn_ok);
	CheckTrue("and not twice", tnbCoupling_Detach(basin.coupling, box).status == tn_invalidArgument);
	CheckTrue("one is left", tnbCoupling_GetCount(basin.coupling) == 1);
	basin.Run(0.5);
}

static void TestSinking()
{
	Basin basin(3.0f, 0.0f);
	btRigidBody* ball =
		basin.Add(new btSphereShape((btScalar)0.5), (btScalar)(3.14159265 / 6.0 * 2000.0), btVector3(12, 3, 12));
	CheckTrue("a heavy ball is attached", tnbCoupling_Attach(basin.coupling, ball, nullptr, nullptr).status == tn_ok);
	basin.Run(8);
	// 4 cm: the margin of Bullet's contacts.
	Check("height of a ball of density 2 over the bottom", (double)ball->getCenterOfMassPosition().y(), 0.5, 0.04);
}

static void TestDrifting()
{
	const float current = 0.8f;
	Basin basin(2.0f, current);
	btCompoundShape* shape = new btCompoundShape;
	btCylinderShapeZ log(btVector3((btScalar)0.25, (btScalar)0.25, 1));
	shape->addChildShape(btTransform::getIdentity(), &log);
	btRigidBody* body =
		basin.Add(shape, (btScalar)(3.14159265 * 0.0625 * 2.0 * 600.0), btVector3(4, (btScalar)1.95, 12));
	CheckTrue("a log is attached", tnbCoupling_Attach(basin.coupling, body, nullptr, nullptr).status == tn_ok);
	basin.Run(16);
	// Drag takes what it lags behind, below `creepSpeed` like e^(-time / T) with T = mass / (half density * area * drag *
	// creep speed): pressure on a round front is two thirds of that on a flat one, and suction half of it again, so drag
	// 1, area 0.6 m^2, T 1.6 s. After 16 s nothing that can be measured is left.
	Check("speed of a log in a current", (double)body->getLinearVelocity().x(), (double)current, 0.02);
}

static void TestRefusing()
{
	Basin basin(1.0f, 0.0f);
	tnbCoupling* none = nullptr;
	CheckTrue("no water", tnbCreateCoupling(nullptr, nullptr, &none).status == tn_invalidArgument && none == nullptr);
	CheckTrue("no coupling, from C", TestNullFromC().status == tn_invalidArgument);
	CheckTrue("no body", tnbCoupling_Attach(basin.coupling, nullptr, nullptr, nullptr).status == tn_invalidArgument);
	btRigidBody* plane = basin.Add(new btStaticPlaneShape(btVector3(0, 1, 0), 0), 0, btVector3(0, 0, 0));
	CheckTrue("no plane", tnbCoupling_Attach(basin.coupling, plane, nullptr, nullptr).status == tn_invalidArgument);
	CheckTrue("no time", tnbStep(basin.coupling, -1.0f, 1).status == tn_invalidArgument);
	CheckTrue("no steps", tnbStep(basin.coupling, 0.1f, 0).status == tn_invalidArgument);
	tnbDestroyCoupling(nullptr);
}

int main()
{
	TestFloating();
	TestSinking();
	TestDrifting();
	TestRefusing();
	std::printf("%d failed\n", s_failed);
	return s_failed == 0 ? 0 : 1;
}

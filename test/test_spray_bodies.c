// SPDX-License-Identifier: MIT

// Water in the air and bodies: nothing goes through them, what it pushes with, what they throw up.

#include "golden.h"
#include "harness.h"

#include <tarn/tarn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float s_step = 1.0f / 60.0f;
// What is left of the speed across a surface: see spray_hits.c.
static const double s_bounce = 0.1;

static tnWorldDef GetDef(int columns, int rows, float cellSize)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = cellSize;
	def.spray.enable = true;
	def.spray.drag = 0.0f;
	return def;
}

static tnBodyDef GetBodyDef(const tnShapeDef* shapes, int count, tnVec3 position)
{
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shapes;
	def.shapeCount = count;
	def.mass = INFINITY;
	def.pose.position = position;
	return def;
}

static tnShapeDef GetBox(float x, float y, float z)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = (tnVec3){x, y, z};
	return shape;
}

// A turn about an axis of unit length.
static tnQuat GetTurn(tnVec3 axis, float angle)
{
	const float s = sinf(0.5f * angle);
	return (tnQuat){s * axis.x, s * axis.y, s * axis.z, cosf(0.5f * angle)};
}

static tnVec3 Turn(tnQuat q, tnVec3 v)
{
	const tnVec3 u = {q.x, q.y, q.z};
	const tnVec3 c = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
	const tnVec3 d = {u.y * c.z - u.z * c.y, u.z * c.x - u.x * c.z, u.x * c.y - u.y * c.x};
	return (tnVec3){v.x + 2.0f * (q.w * c.x + d.x), v.y + 2.0f * (q.w * c.y + d.y), v.z + 2.0f * (q.w * c.z + d.z)};
}

// ---------------------------------------------------------------------------------------------------------------------
// Nothing goes through

// Solid angle of a closed mesh from a place, over 4 pi: 1 inside, 0 outside (Van Oosterom and Strackee 1983).
static double GetWinding(const tnBodyMesh* mesh, const tnPose* pose, tnVec3 place)
{
	const tnQuat back = {-pose->rotation.x, -pose->rotation.y, -pose->rotation.z, pose->rotation.w};
	const tnVec3 p =
		Turn(back, (tnVec3){place.x - pose->position.x, place.y - pose->position.y, place.z - pose->position.z});
	double sum = 0.0;
	for (int i = 0; i < mesh->triangleCount; ++i)
	{
		double v[3][3], length[3];
		for (int k = 0; k < 3; ++k)
		{
			const tnVec3 q = mesh->points[mesh->triangles[3 * i + k]];
			v[k][0] = (double)q.x - (double)p.x;
			v[k][1] = (double)q.y - (double)p.y;
			v[k][2] = (double)q.z - (double)p.z;
			length[k] = sqrt(v[k][0] * v[k][0] + v[k][1] * v[k][1] + v[k][2] * v[k][2]);
		}
		const double det = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
			v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) + v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
		double dots[3];
		for (int k = 0; k < 3; ++k)
		{
			const double* a = v[k];
			const double* b = v[(k + 1) % 3];
			dots[k] = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * length[(k + 2) % 3];
		}
		sum += 2.0 * atan2(det, length[0] * length[1] * length[2] + dots[0] + dots[1] + dots[2]);
	}
	return sum / 12.566370614359172;
}

static int CountInside(const tnWorld* world, tnBodyId id)
{
	tnBodyMesh mesh;
	tnBodyState state;
	if (tnWorld_GetBodyMesh(world, id, &mesh).status != tn_ok ||
		tnWorld_GetBodyState(world, id, &state).status != tn_ok)
	{
		return -1;
	}
	const tnSprayView view = tnWorld_GetSpray(world);
	int count = 0;
	for (int i = 0; i < view.count; ++i)
	{
		const tnVec3 p = view.particles[i].position;
		const tnVec3 b = state.pose.position;
		if (fabsf(p.x - b.x) + fabsf(p.y - b.y) + fabsf(p.z - b.z) > 2.6f)
		{
			continue;
		}
		// A millimeter deep: an engine turns bodies a little differently than expected.
		bool inside = GetWinding(&mesh, &state.pose, p) > 0.5;
		for (int k = 0; k < 6 && inside; ++k)
		{
			const float way = k % 2 == 0 ? 0.001f : -0.001f;
			const tnVec3 q = {
				p.x + (k / 2 == 0 ? way : 0.0f), p.y + (k / 2 == 1 ? way : 0.0f), p.z + (k / 2 == 2 ? way : 0.0f)};
			inside = GetWinding(&mesh, &state.pose, q) > 0.5;
		}
		count += inside ? 1 : 0;
	}
	return count;
}

// A ring of triangles, 12 sides, with a hole.
static int MakeRing(tnVec3* points, int32_t* triangles)
{
	const int sides = 12;
	for (int i = 0; i < sides; ++i)
	{
		const float c = cosf(6.2831853f * (float)i / (float)sides);
		const float s = sinf(6.2831853f * (float)i / (float)sides);
		for (int k = 0; k < 4; ++k)
		{
			const float radius = k < 2 ? 1.0f : 0.5f;
			points[4 * i + k] = (tnVec3){radius * c, k == 0 || k == 3 ? -0.2f : 0.2f, radius * s};
		}
	}
	int count = 0;
	for (int i = 0; i < sides; ++i)
	{
		const int n = (i + 1) % sides;
		for (int k = 0; k < 4; ++k)
		{
			const int m = (k + 1) % 4;
			const int32_t quad[6] = {4 * i + k, 4 * i + m, 4 * n + m, 4 * i + k, 4 * n + m, 4 * n + k};
			memcpy(triangles + 3 * count, quad, sizeof(quad));
			count += 2;
		}
	}
	return count;
}

enum
{
	shapeCases = 8,
};

// All kinds of shapes; `part` of them is a compound.
static int MakeShapes(int kind, tnShapeDef shapes[2])
{
	static const tnVec3 corners[6] = {{0.9f, -0.3f, 0.1f}, {-0.8f, -0.4f, 0.3f}, {0.0f, 0.9f, 0.0f},
		{0.2f, -0.5f, 0.9f}, {-0.3f, 0.1f, -0.9f}, {0.4f, 0.6f, -0.4f}};
	static tnVec3 points[48];
	static int32_t triangles[3 * 96];
	shapes[0] = tnDefaultShapeDef();
	shapes[1] = tnDefaultShapeDef();
	switch (kind)
	{
		case 0:
			shapes[0].halfExtents = (tnVec3){0.8f, 0.5f, 0.6f};
			return 1;
		case 1:
			// As thin as a sheet.
			shapes[0].halfExtents = (tnVec3){0.004f, 1.0f, 1.0f};
			return 1;
		case 2:
			shapes[0].kind = tn_sphereShape;
			shapes[0].radius = 0.9f;
			return 1;
		case 3:
			shapes[0].kind = tn_capsuleShape;
			shapes[0].radius = 0.4f;
			shapes[0].halfLength = 0.6f;
			return 1;
		case 4:
			shapes[0].kind = tn_cylinderShape;
			shapes[0].radius = 0.6f;
			shapes[0].halfLength = 0.7f;
			return 1;
		case 5:
			shapes[0].kind = tn_hullShape;
			shapes[0].points = corners;
			shapes[0].pointCount = 6;
			return 1;
		case 6:
			shapes[0].kind = tn_meshShape;
			shapes[0].points = points;
			shapes[0].pointCount = 48;
			shapes[0].triangles = triangles;
			shapes[0].triangleCount = MakeRing(points, triangles);
			return 1;
		default:
			shapes[0].halfExtents = (tnVec3){0.9f, 0.15f, 0.9f};
			shapes[1].kind = tn_sphereShape;
			shapes[1].radius = 0.45f;
			shapes[1].pose.position = (tnVec3){0.1f, 0.4f, -0.2f};
			return 2;
	}
}

typedef struct Drive
{
	tnVec3 velocity, spin;
	tnBodyMode mode;
	float jetSpeed;
	tnEdgeKind edges;
} Drive;

// Two hoses play on a body that moves and turns. No drop is ever inside it.
static int DriveThrough(int kind, const Drive* drive)
{
	tnWorldDef def = GetDef(61, 47, 0.25f);
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side].kind = drive->edges;
	}
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	tnShapeDef shapes[2];
	const int count = MakeShapes(kind, shapes);
	tnBodyDef bodyDef = GetBodyDef(shapes, count, (tnVec3){7.4f, 2.5f, 6.0f});
	bodyDef.mode = drive->mode;
	bodyDef.pose.rotation = GetTurn((tnVec3){0.6f, 0.0f, 0.8f}, 0.3f);
	tnBodyId id;
	ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, &id));
	tnJetDef jet = tnDefaultJetDef();
	tnJetId hose;
	jet.position = (tnVec3){3.0f, 2.4f, 6.0f};
	jet.velocity = (tnVec3){drive->jetSpeed, 1.0f, 0.0f};
	jet.radius = 0.4f;
	jet.spread = 0.1f;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &hose));
	jet.position = (tnVec3){7.5f, 5.0f, 6.0f};
	jet.velocity = (tnVec3){0.0f, -3.0f, 0.0f};
	jet.radius = 0.8f;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &hose));
	tnPose pose = bodyDef.pose;
	double pushed = 0.0;
	for (int step = 0; step < 120; ++step)
	{
		// There and back.
		const float way = step % 40 < 20 ? 1.0f : -1.0f;
		const tnVec3 v = {way * drive->velocity.x, way * drive->velocity.y, way * drive->velocity.z};
		ENSURE_OK(tnWorld_MoveBody(world, id, &pose, v, drive->spin));
		ENSURE_OK(tnWorld_Step(world, s_step));
		tnBodyState state;
		ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
		pushed += fabs((double)state.sprayForce.x) + fabs((double)state.sprayForce.y);
		// As an engine moves it.
		pose.position.x += s_step * v.x;
		pose.position.y += s_step * v.y;
		pose.position.z += s_step * v.z;
		const float speed =
			sqrtf(drive->spin.x * drive->spin.x + drive->spin.y * drive->spin.y + drive->spin.z * drive->spin.z);
		if (speed > 0.0f)
		{
			const tnQuat t =
				GetTurn((tnVec3){drive->spin.x / speed, drive->spin.y / speed, drive->spin.z / speed}, speed * s_step);
			const tnQuat q = pose.rotation;
			pose.rotation =
				(tnQuat){t.w * q.x + t.x * q.w + t.y * q.z - t.z * q.y, t.w * q.y - t.x * q.z + t.y * q.w + t.z * q.x,
					t.w * q.z + t.x * q.y - t.y * q.x + t.z * q.w, t.w * q.w - t.x * q.x - t.y * q.y - t.z * q.z};
		}
		ENSURE_OK(tnWorld_MoveBody(world, id, &pose, v, drive->spin));
		ENSURE_EQUAL_INT(CountInside(world, id), 0);
	}
	ENSURE(pushed > 100.0);
	ENSURE(tnWorld_GetSprayStats(world).landedCount > 100);
	const tnLedger ledger = tnWorld_GetLedger(world);
	ENSURE(fabs(ledger.drift) <= 1.0e-6 * (ledger.volume + ledger.airborne));
	tnDestroyWorld(world);
	return 0;
}

static int NothingFliesThrough(void)
{
	static const Drive drives[] = {
		{{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, tn_autoBody, 15.0f, tn_wallEdge},
		{{6.0f, 0.0f, 3.0f}, {0.0f, 0.0f, 0.0f}, tn_blockingBody, 90.0f, tn_wallEdge},
		{{-4.0f, 3.0f, 0.0f}, {1.0f, 4.0f, -2.0f}, tn_floatingBody, 15.0f, tn_wrapEdge},
	};
	for (int kind = 0; kind < shapeCases; ++kind)
	{
		for (int i = 0; i < 3; ++i)
		{
			if (DriveThrough(kind, drives + i) != 0)
			{
				printf("shape %d, drive %d\n", kind, i);
				return 1;
			}
		}
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What it pushes with

// A plate that is fixed, turned about an axis, and a jet at it along x. What it feels on the mean of five seconds.
typedef struct PlateRun
{
	tnVec3 force, torque; // N, N m
	double lost[3];       // momentum of jet and water that the body has not got, over what came, x and z
} PlateRun;

static int RunPlate(tnVec3 axis, float angle, float rate, float speed, float high, PlateRun* run)
{
	// So high that nothing lands, and nothing comes to an edge.
	tnWorldDef def = GetDef(81, 41, 5.0f);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	const tnShapeDef shape = GetBox(0.1f, 5.0f, 2.0f);
	tnBodyDef bodyDef = GetBodyDef(&shape, 1, (tnVec3){152.0f, 300.0f, 102.0f});
	bodyDef.pose.rotation = GetTurn(axis, angle);
	tnBodyId id;
	ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, &id));
	tnJetDef jet = tnDefaultJetDef();
	tnJetId hose;
	jet.position = (tnVec3){150.0f, 300.0f + high, 102.0f};
	jet.velocity = (tnVec3){speed, 0.0f, 0.0f};
	jet.rate = rate;
	jet.spread = 0.0f;
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &hose));
	double impulse[3] = {0.0, 0.0, 0.0};
	*run = (PlateRun){0};
	for (int step = 0; step < 360; ++step)
	{
		ENSURE_OK(tnWorld_Step(world, s_step));
		tnBodyState state;
		tnWrench wrench;
		ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
		ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
		ENSURE_CLOSE(wrench.force.x, state.sprayForce.x, 0.0);
		ENSURE_CLOSE(wrench.torque.z, state.sprayTorque.z, 0.0);
		impulse[0] += (double)(s_step * wrench.force.x);
		impulse[2] += (double)(s_step * wrench.force.z);
		if (step >= 60)
		{
			run->force.x += wrench.force.x / 300.0f;
			run->force.y += wrench.force.y / 300.0f;
			run->force.z += wrench.force.z / 300.0f;
			run->torque.x += wrench.torque.x / 300.0f;
			run->torque.y += wrench.torque.y / 300.0f;
			run->torque.z += wrench.torque.z / 300.0f;
		}
	}
	const tnSprayView view = tnWorld_GetSpray(world);
	double water[3] = {0.0, 0.0, 0.0};
	for (int i = 0; i < view.count; ++i)
	{
		water[0] += 1000.0 * (double)view.particles[i].volume * (double)view.particles[i].velocity.x;
		water[2] += 1000.0 * (double)view.particles[i].volume * (double)view.particles[i].velocity.z;
	}
	const double came = 1000.0 * (double)rate * 360.0 * (double)s_step * (double)speed;
	ENSURE_EQUAL_INT(tnWorld_GetSprayStats(world).landedCount, 0);
	run->lost[0] = (came - impulse[0] - water[0]) / came;
	run->lost[2] = (-impulse[2] - water[2]) / came;
	tnDestroyWorld(world);
	return 0;
}

// A jet of rate Q and speed v presses on a plate with rho Q v (1 + bounce) across it, and on a turned one by the part of the
// velocity across that. What the plate gains the water loses.
static int JetsPushPlates(void)
{
	const double jet = 1000.0 * 0.02 * 15.0 * (1.0 + s_bounce);
	PlateRun run;
	ENSURE(RunPlate((tnVec3){0.0f, 1.0f, 0.0f}, 0.0f, 0.02f, 15.0f, 0.0f, &run) == 0);
	ENSURE_CLOSE(run.force.x, jet, 0.02 * jet);
	ENSURE_CLOSE(run.force.z, 0.0, 0.03 * jet);
	ENSURE_CLOSE(run.lost[0], 0.0, 1.0e-5);
	ENSURE_CLOSE(run.lost[2], 0.0, 1.0e-5);
	// Higher up it turns the plate backwards. In the time to the plate the jet falls.
	ENSURE(RunPlate((tnVec3){0.0f, 1.0f, 0.0f}, 0.0f, 0.05f, 25.0f, 1.0f, &run) == 0);
	const double strong = 1000.0 * 0.05 * 25.0 * (1.0 + s_bounce);
	const double time = 1.9 / 25.0;
	ENSURE_CLOSE(run.force.x, strong, 0.02 * strong);
	ENSURE_CLOSE(run.torque.z, -(double)run.force.x * (1.0 - 0.5 * 9.81 * time * time), 0.03 * strong);
	for (int i = 1; i <= 3; ++i)
	{
		// Across the plate, and rubbing against what goes along it.
		const float angle = 0.35f * (float)i;
		const double n[2] = {cos((double)angle), -sin((double)angle)};
		ENSURE(RunPlate((tnVec3){0.0f, 1.0f, 0.0f}, angle, 0.02f, 15.0f, 0.0f, &run) == 0);
		const double across = (double)run.force.x * n[0] + (double)run.force.z * n[1];
		const double along = (double)run.force.z * n[0] - (double)run.force.x * n[1];
		ENSURE_CLOSE(across, jet * n[0], 0.02 * jet);
		ENSURE_CLOSE(fabs(along), 0.1 * jet * n[0], 0.04 * jet);
		ENSURE_CLOSE(run.lost[0], 0.0, 1.0e-5);
		ENSURE_CLOSE(run.lost[2], 0.0, 1.0e-5);
	}
	return 0;
}

// A body on ice, pushed by a jet: w = v - u decays as dw/dt = -k w^2, k = rho Q (1 + bounce) / (v m).
static int JetsPushCrates(void)
{
	static const float masses[3] = {500.0f, 50.0f, 2.0f};
	for (int i = 0; i < 3; ++i)
	{
		tnWorldDef def = GetDef(121, 33, 0.25f);
		def.gravity = 1.0f;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		const tnShapeDef shape = GetBox(0.5f, 1.0f, 0.5f);
		tnBodyDef bodyDef = GetBodyDef(&shape, 1, (tnVec3){4.5f, 1.2f, 4.1f});
		bodyDef.mass = masses[i];
		tnBodyId id;
		ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, &id));
		tnJetDef jet = tnDefaultJetDef();
		tnJetId hose;
		const float v = 15.0f;
		jet.position = (tnVec3){3.9f, 1.2f, 4.1f};
		jet.velocity = (tnVec3){v, 0.0f, 0.0f};
		jet.spread = 0.0f;
		ENSURE_OK(tnWorld_CreateJet(world, &jet, &hose));
		tnPose pose = bodyDef.pose;
		float u = 0.0f;
		for (int step = 0; step < 60; ++step)
		{
			ENSURE_OK(tnWorld_MoveBody(world, id, &pose, (tnVec3){u, 0.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 0.0f}));
			ENSURE_OK(tnWorld_Step(world, s_step));
			tnBodyState state;
			ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
			u += s_step * state.sprayForce.x / masses[i];
			pose.position.x += s_step * u;
			// Never faster than the bounce of the jet makes it.
			ENSURE(u <= v * 1.1f);
		}
		const double k = 1000.0 * 0.02 * (1.0 + s_bounce) / (15.0 * (double)masses[i]);
		const double expected = 15.0 - 1.0 / (1.0 / 15.0 + k);
		printf("crate of %g kg: %.3f m/s, expected %.3f\n", (double)masses[i], (double)u, expected);
		ENSURE_CLOSE(u, expected, 0.05 * expected);
		tnDestroyWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"NothingFliesThrough", NothingFliesThrough},
	{"JetsPushPlates", JetsPushPlates},
	{"JetsPushCrates", JetsPushCrates},
};
const TestSuite spray_bodiesSuite = TEST_SUITE("spray_bodies", s_tests);

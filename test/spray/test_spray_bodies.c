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
	// A ball around the body, with room for rounding: what is outside needs no second look.
	float reach = 0.0f;
	for (int i = 0; i < mesh.pointCount; ++i)
	{
		const tnVec3 q = mesh.points[i];
		reach = fmaxf(reach, 1.01f * (q.x * q.x + q.y * q.y + q.z * q.z));
	}
	const tnSprayView view = tnWorld_GetSpray(world);
	int count = 0;
	for (int i = 0; i < view.count; ++i)
	{
		const tnVec3 p = view.particles[i].position;
		const tnVec3 b = state.pose.position;
		const tnVec3 d = {p.x - b.x, p.y - b.y, p.z - b.z};
		if (d.x * d.x + d.y * d.y + d.z * d.z > reach)
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
	printf("%.2f rad: force %.1f %.1f N, torque %.1f N m\n", (double)angle, (double)run->force.x, (double)run->force.z,
		(double)run->torque.z);
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

// A mesh of many triangles, and a sphere of few, feel the same.
static int FineMeshesFeelTheSame(void)
{
	enum
	{
		turns = 300,
		rings = 200,
		pointCount = turns * (rings - 1) + 2,
		triangleCount = 2 * turns * (rings - 1),
	};
	tnVec3* points = malloc(pointCount * sizeof(tnVec3));
	int32_t* triangles = malloc(triangleCount * 3 * sizeof(int32_t));
	ENSURE(points != NULL && triangles != NULL);
	int count = 0;
	for (int ring = 1; ring < rings; ++ring)
	{
		const float a = 3.14159265f * (float)ring / (float)rings;
		for (int i = 0; i < turns; ++i)
		{
			const float b = 6.2831853f * (float)i / (float)turns;
			points[(ring - 1) * turns + i] = (tnVec3){sinf(a) * cosf(b), cosf(a), sinf(a) * sinf(b)};
			// A triangle with an edge on the ring and a corner before it, and one with a corner after it.
			const int32_t p = (ring - 1) * turns + i;
			const int32_t q = (ring - 1) * turns + (i + 1) % turns;
			const int32_t corners[6] = {
				ring == 1 ? pointCount - 2 : p - turns, q, p, ring == rings - 1 ? pointCount - 1 : q + turns, p, q};
			memcpy(triangles + 3 * count, corners, sizeof(corners));
			count += 2;
		}
	}
	points[pointCount - 2] = (tnVec3){0.0f, 1.0f, 0.0f};
	points[pointCount - 1] = (tnVec3){0.0f, -1.0f, 0.0f};
	double forces[2] = {0.0, 0.0};
	for (int kind = 0; kind < 2; ++kind)
	{
		const tnWorldDef def = GetDef(41, 43, 0.25f);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		tnShapeDef shape = tnDefaultShapeDef();
		shape.kind = kind == 0 ? tn_sphereShape : tn_meshShape;
		shape.radius = 1.0f;
		shape.points = points;
		shape.pointCount = pointCount;
		shape.triangles = triangles;
		shape.triangleCount = count;
		const tnBodyDef bodyDef = GetBodyDef(&shape, 1, (tnVec3){5.0f, 4.0f, 5.3f});
		tnBodyId id;
		ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, &id));
		tnJetDef jet = tnDefaultJetDef();
		tnJetId hose;
		jet.position = (tnVec3){2.0f, 4.0f, 5.3f};
		jet.velocity = (tnVec3){20.0f, 0.5f, 0.0f};
		jet.radius = 0.2f;
		ENSURE_OK(tnWorld_CreateJet(world, &jet, &hose));
		for (int step = 0; step < 120; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, s_step));
			tnWrench wrench;
			ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
			forces[kind] += (double)wrench.force.x / 120.0;
		}
		tnDestroyWorld(world);
	}
	ENSURE(forces[0] > 300.0);
	ENSURE_CLOSE(forces[1], forces[0], 0.02 * forces[0]);
	free(points);
	free(triangles);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// What rests

// Water that is poured on a crate and into a bowl leaves them, and what was poured is there.
static int NothingRestsForever(void)
{
	for (int kind = 0; kind < 2; ++kind)
	{
		const tnWorldDef def = GetDef(33, 31, 0.25f);
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		tnShapeDef shapes[5];
		shapes[0] = GetBox(0.8f, 0.1f, 0.8f);
		for (int i = 1; i < 5; ++i)
		{
			shapes[i] = i < 3 ? GetBox(0.1f, 0.4f, 0.8f) : GetBox(0.6f, 0.4f, 0.1f);
			const float way = i % 2 == 0 ? 0.7f : -0.7f;
			shapes[i].pose.position = (tnVec3){i < 3 ? way : 0.0f, 0.5f, i < 3 ? 0.0f : way};
		}
		tnBodyDef bodyDef = GetBodyDef(shapes, kind == 0 ? 1 : 5, (tnVec3){4.0f, 1.5f, 4.0f});
		tnBodyId id;
		ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, &id));
		tnJetDef jet = tnDefaultJetDef();
		tnJetId hose;
		jet.position = (tnVec3){4.05f, 3.0f, 4.02f};
		jet.velocity = (tnVec3){0.0f, -2.0f, 0.0f};
		ENSURE_OK(tnWorld_CreateJet(world, &jet, &hose));
		double weight = 0.0;
		for (int step = 0; step < 1200; ++step)
		{
			if (step == 120)
			{
				ENSURE_OK(tnWorld_DestroyJet(world, hose));
			}
			ENSURE_OK(tnWorld_Step(world, s_step));
			ENSURE_EQUAL_INT(CountInside(world, id), 0);
			tnWrench wrench;
			ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
			weight -= (double)(s_step * wrench.force.y);
		}
		ENSURE_EQUAL_INT(tnWorld_GetSpray(world).count, 0);
		// It fell on it and lay there for some time.
		ENSURE(weight > 0.02 * 2.0 * 1000.0 * 5.0);
		ENSURE_CLOSE(tnWorld_GetLedger(world).volume, 0.02 * 2.0, 1.0e-6);
		tnDestroyWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Slam

typedef struct SlamRun
{
	double thrown;      // m^3
	double highest;     // m above the lake
	double momentum[2]; // of what was thrown, kg m/s, and
	double size;        // the sum of its sizes
	double displaced;   // m^3, in the end
	double entered;     // all that came below the water, m^3
	double drift;       // of the ledger, over the water
	uint64_t hash;
} SlamRun;

// A ball of 1 m radius goes straight down into a lake, at one speed.
static int RunSlam(tnMethod method, tnBodyMode mode, float speed, float slamSpeed, int workers, SlamRun* run)
{
	tnWorldDef def = GetDef(81, 81, 0.25f);
	def.method = method;
	def.spray.slamSpeed = slamSpeed;
	def.spray.breakingSlope = 0.0f; // rings around it would break, too
	def.tasks.workerCount = workers;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 5.0f));
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_sphereShape;
	shape.radius = 1.0f;
	tnBodyDef bodyDef = GetBodyDef(&shape, 1, (tnVec3){10.125f, 6.3f, 10.125f});
	bodyDef.mode = mode;
	bodyDef.velocity = (tnVec3){0.0f, -speed, 0.0f};
	tnBodyId id;
	ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, &id));
	*run = (SlamRun){0};
	tnPose pose = bodyDef.pose;
	for (int step = 0; step < 90; ++step)
	{
		const bool moves = pose.position.y > 3.5f;
		const tnVec3 v = {0.0f, moves ? -speed : 0.0f, 0.0f};
		ENSURE_OK(tnWorld_MoveBody(world, id, &pose, v, (tnVec3){0.0f, 0.0f, 0.0f}));
		ENSURE_OK(tnWorld_Step(world, s_step));
		pose.position.y += s_step * v.y;
		const tnSprayView view = tnWorld_GetSpray(world);
		for (int i = 0; i < view.count; ++i)
		{
			const tnSprayParticle* p = view.particles + i;
			run->highest = fmax(run->highest, (double)p->position.y - 5.0);
			if (p->age == 0.0f)
			{
				const double mass = 1000.0 * (double)p->volume;
				ENSURE(p->kind == tn_splashSpray);
				run->thrown += (double)p->volume;
				run->momentum[0] += mass * (double)p->velocity.x;
				run->momentum[1] += mass * (double)p->velocity.z;
				run->size += mass * hypot((double)p->velocity.x, (double)p->velocity.z);
			}
		}
		tnBodyState state;
		ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
		run->entered += fmax((double)state.submergedVolume - run->displaced, 0.0);
		run->displaced = (double)state.submergedVolume;
	}
	const tnLedger ledger = tnWorld_GetLedger(world);
	run->drift = ledger.drift / ledger.volume;
	run->hash = tnWorld_GetHash(world);
	tnDestroyWorld(world);
	return 0;
}

// What a ball throws up is 0.15 of what it displaces at most, and most of that; to all sides; no higher than its speed can.
static int SlamsThrowCrowns(void)
{
	for (int i = 0; i < 2 * tn_methodCount; ++i)
	{
		const tnMethod method = (tnMethod)(i % tn_methodCount);
		const tnBodyMode mode = i < tn_methodCount ? tn_blockingBody : tn_floatingBody;
		const float speed = 6.0f;
		SlamRun run;
		ENSURE(RunSlam(method, mode, speed, 1.0f, 1, &run) == 0);
		printf("thrown %.3f of %.3f m^3 displaced, %.2f m high, momentum %.2g %.2g of %.3g\n", run.thrown,
			run.displaced, run.highest, run.momentum[0], run.momentum[1], run.size);
		ENSURE_CLOSE(run.displaced, 4.18879, 0.05);
		// Waves wash over it: a little comes below twice.
		ENSURE_CLOSE(run.entered, run.displaced, 0.02 * run.displaced);
		ENSURE(run.thrown <= 0.15 * run.entered * (1.0 + 1.0e-6));
		ENSURE(run.thrown >= 0.9 * 0.15 * run.entered);
		ENSURE(run.size > 100.0);
		ENSURE(fabs(run.momentum[0]) < 1.0e-3 * run.size && fabs(run.momentum[1]) < 1.0e-3 * run.size);
		const double most = 1.05 * (double)speed;
		ENSURE(run.highest < most * most / (2.0 * 9.81) + 0.2);
		ENSURE(run.highest > 0.5);
		ENSURE(fabs(run.drift) < 1.0e-7);
		SlamRun other;
		ENSURE(RunSlam(method, mode, speed, 1.0f, 3, &other) == 0);
		ENSURE_EQUAL_HEX(other.hash, run.hash);
		// Slower than the limit: nothing.
		ENSURE(RunSlam(method, mode, 0.9f, 1.0f, 1, &run) == 0);
		ENSURE(run.thrown == 0.0);
		ENSURE(RunSlam(method, mode, speed, 6.1f, 1, &run) == 0);
		ENSURE(run.thrown == 0.0);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bits and bad input

// A pool with crates that bob, a ball that falls into it again and again, a plank that turns, and two hoses.
static int RunScene(int workers, tnSimd simd, uint64_t* hash)
{
	tnWorldDef def = GetDef(53, 47, 0.5f);
	def.method = tn_shallowMethod;
	def.spray.drag = 0.02f;
	def.tasks.workerCount = workers;
	def.simd = simd;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 2.0f));
	tnBodyId ids[8];
	tnPose poses[8];
	tnVec3 velocities[8];
	float masses[8];
	for (int i = 0; i < 8; ++i)
	{
		tnShapeDef shape = GetBox(0.5f + 0.1f * (float)i, 0.4f, 0.6f);
		shape.kind = i == 6 ? tn_sphereShape : tn_boxShape;
		shape.radius = 0.8f;
		tnBodyDef bodyDef =
			GetBodyDef(&shape, 1, (tnVec3){6.0f + 2.1f * (float)i, i == 6 ? 6.0f : 2.1f, 9.0f + (float)(i % 3)});
		bodyDef.mass = i == 6 ? 4000.0f : (i == 7 ? INFINITY : 500.0f);
		ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, ids + i));
		poses[i] = bodyDef.pose;
		masses[i] = bodyDef.mass;
		velocities[i] = (tnVec3){0.0f, 0.0f, 0.0f};
	}
	tnJetDef jet = tnDefaultJetDef();
	tnJetId hose;
	jet.position = (tnVec3){2.0f, 4.0f, 10.0f};
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &hose));
	jet.position = (tnVec3){21.0f, 3.0f, 3.0f};
	jet.velocity = (tnVec3){-1.0f, 3.0f, 9.0f};
	ENSURE_OK(tnWorld_CreateJet(world, &jet, &hose));
	for (int step = 0; step < 400; ++step)
	{
		for (int i = 0; i < 8; ++i)
		{
			const tnVec3 spin = {0.0f, i == 7 ? 2.0f : 0.0f, 0.0f};
			ENSURE_OK(tnWorld_MoveBody(world, ids[i], poses + i, velocities[i], spin));
		}
		ENSURE_OK(tnWorld_Step(world, s_step));
		for (int i = 0; i < 8; ++i)
		{
			tnWrench wrench;
			ENSURE_OK(tnWorld_GetBodyWrench(world, ids[i], &wrench));
			tnVec3* v = velocities + i;
			v->x += s_step * wrench.force.x / masses[i];
			v->y += i == 7 ? 0.0f : s_step * (wrench.force.y / masses[i] - 9.81f);
			v->z += s_step * wrench.force.z / masses[i];
			poses[i].position.x += s_step * v->x;
			poses[i].position.y += s_step * v->y;
			poses[i].position.z += s_step * v->z;
		}
		if (step % 130 == 129)
		{
			poses[6].position.y = 6.0f;
			velocities[6] = (tnVec3){1.0f, 0.0f, 0.5f};
		}
		// No sine of a C library: its last bits differ.
		const tnQuat q = poses[7].rotation;
		const float half = s_step;
		poses[7].rotation = (tnQuat){q.x, q.y + half * q.w, q.z, q.w - half * q.y};
		const float length =
			sqrtf(poses[7].rotation.y * poses[7].rotation.y + poses[7].rotation.w * poses[7].rotation.w);
		poses[7].rotation.y /= length;
		poses[7].rotation.w /= length;
	}
	ENSURE(tnWorld_GetSpray(world).count > 100);
	*hash = tnWorld_GetHash(world);
	const tnLedger ledger = tnWorld_GetLedger(world);
	ENSURE(fabs(ledger.drift) < 1.0e-7 * ledger.volume);
	tnDestroyWorld(world);
	return 0;
}

static int BitsAreGolden(void)
{
	static const tnSimd sets[2] = {tn_simdAuto, tn_simdScalar};
	for (int i = 0; i < 4; ++i)
	{
		uint64_t hash = 0;
		ENSURE(RunScene(i == 2 ? 3 : 1 + i % 2, sets[i / 3], &hash) == 0);
		ENSURE_EQUAL_HEX(hash, TNC_GOLDEN_SPRAY_BODIES);
	}
	return 0;
}

// Ten bodies in one cell, jumps across the world, bodies that come where water flies and go while it lies on them, at the edges
// of the world and beyond, as light as a feather: nothing is lost, and all forces are numbers.
static int CrowdsAreSound(void)
{
	for (int wraps = 0; wraps < 2; ++wraps)
	{
		tnWorldDef def = GetDef(23, 19, 1.0f);
		def.spray.capacity = 700;
		for (int side = 0; side < tn_sideCount; ++side)
		{
			def.edges[side].kind = wraps ? tn_wrapEdge : tn_wallEdge;
		}
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_OK(tnWorld_FillToLevel(world, 0.5f));
		tnJetDef jet = tnDefaultJetDef();
		tnJetId hose;
		jet.position = (tnVec3){11.5f, 4.0f, 9.5f};
		jet.velocity = (tnVec3){1.0f, -6.0f, 0.0f};
		jet.spread = 0.5f;
		jet.rate = 0.5f;
		ENSURE_OK(tnWorld_CreateJet(world, &jet, &hose));
		tnBodyId ids[10];
		uint32_t random = 7;
		for (int step = 0; step < 600; ++step)
		{
			for (int i = 0; i < 10 && step % 100 == 0; ++i)
			{
				tnShapeDef shape = GetBox(0.3f, 0.05f + 0.05f * (float)i, 0.25f);
				shape.kind = i % 2 == 0 ? tn_boxShape : tn_sphereShape;
				shape.radius = 0.3f;
				tnBodyDef bodyDef =
					GetBodyDef(&shape, 1, (tnVec3){11.4f + 0.02f * (float)i, 1.0f + 0.1f * (float)i, 9.5f});
				bodyDef.mass = i == 3 ? 1.0e-6f : (i == 4 ? INFINITY : 20.0f);
				ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, ids + i));
			}
			random = random * 1664525u + 1013904223u;
			const int chosen = (int)(random >> 16) % 10;
			const tnPose pose = {
				{(float)(random >> 8 & 31) - 4.0f, (float)(random >> 20 & 7), (float)(random >> 13 & 31) - 6.0f},
				{0.1f, (float)(random >> 4 & 3), 0.0f, 1.0f}};
			if (step % 3 == 0)
			{
				ENSURE_OK(tnWorld_MoveBody(
					world, ids[chosen], &pose, (tnVec3){30.0f, -90.0f, 1.0e4f}, (tnVec3){0.0f, 50.0f, 1.0e3f}));
			}
			if (step % 50 == 20)
			{
				const tnPose broken = {{NAN, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
				const tnVec3 still = {0.0f, 0.0f, 0.0f};
				ENSURE_REFUSED(
					tnWorld_MoveBody(world, ids[chosen], &broken, still, still), tn_invalidArgument, "pose.position");
			}
			ENSURE_OK(tnWorld_Step(world, s_step));
			for (int i = 0; i < 10; ++i)
			{
				tnWrench wrench;
				ENSURE_OK(tnWorld_GetBodyWrench(world, ids[i], &wrench));
				ENSURE(isfinite(wrench.force.x + wrench.force.y + wrench.force.z));
				ENSURE(isfinite(wrench.torque.x + wrench.torque.y + wrench.torque.z));
				if (step % 100 == 99)
				{
					ENSURE_OK(tnWorld_DestroyBody(world, ids[i]));
				}
			}
			const tnSprayView view = tnWorld_GetSpray(world);
			for (int i = 0; i < view.count; ++i)
			{
				const tnVec3 p = view.particles[i].position;
				ENSURE(isfinite(p.x + p.y + p.z) && fabsf(p.y) < 1.0e5f);
			}
		}
		const tnLedger ledger = tnWorld_GetLedger(world);
		ENSURE(fabs(ledger.drift) <= 1.0e-6 * (ledger.volume + ledger.airborne));
		tnDestroyWorld(world);
	}
	return 0;
}

static int BadInputIsNamed(void)
{
	tnWorldDef def = GetDef(21, 17, 1.0f);
	tnWorld* world = NULL;
	def.spray.slamSpeed = NAN;
	ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_invalidArgument, "spray.slamSpeed");
	def.spray.slamSpeed = -1.0f;
	ENSURE_REFUSED(tnCreateWorld(&def, &world), tn_invalidArgument, "spray.slamSpeed");
	// Memory for the world, but not for a body in its spray: refused, and the world goes on.
	def.spray.slamSpeed = 0.0f;
	ENSURE_OK(tnCreateWorld(&def, &world));
	const size_t bare = tnWorld_GetStats(world).byteCount;
	const tnShapeDef shape = GetBox(0.5f, 0.5f, 0.5f);
	const tnBodyDef bodyDef = GetBodyDef(&shape, 1, (tnVec3){10.0f, 1.0f, 8.0f});
	tnBodyId id;
	ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, &id));
	const size_t full = tnWorld_GetStats(world).byteCount;
	tnDestroyWorld(world);
	int refused = 0;
	for (size_t limit = bare; limit < full; limit += (full - bare) / 97)
	{
		def.memoryLimit = limit;
		ENSURE_OK(tnCreateWorld(&def, &world));
		ENSURE_REFUSED(tnWorld_CreateBody(world, &bodyDef, &id), tn_outOfMemory, "out of memory");
		ENSURE(id.index1 == 0 && tnWorld_GetBodies(world, NULL, 0) == 0);
		ENSURE_OK(tnWorld_Step(world, s_step));
		refused += 1;
		tnDestroyWorld(world);
	}
	ENSURE(refused > 10);
	return 0;
}

static const Test s_tests[] = {
	{"NothingFliesThrough", NothingFliesThrough},
	{"JetsPushPlates", JetsPushPlates},
	{"JetsPushCrates", JetsPushCrates},
	{"FineMeshesFeelTheSame", FineMeshesFeelTheSame},
	{"NothingRestsForever", NothingRestsForever},
	{"SlamsThrowCrowns", SlamsThrowCrowns},
	{"BitsAreGolden", BitsAreGolden},
	{"CrowdsAreSound", CrowdsAreSound},
	{"BadInputIsNamed", BadInputIsNamed},
};
const TestSuite spray_bodiesSuite = TEST_SUITE("spray_bodies", s_tests);

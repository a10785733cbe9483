// SPDX-License-Identifier: MIT

// Bodies of ODE in the water.

#include "harness.h"
#include "tarn/snapshot.h"
#include "tarn/tarn.h"
#include "tarn_ode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float s_timeStep = 1.0f / 60.0f;

// Water, a world of ODE, and what couples them.
typedef struct Basin
{
	tnWorld* water;
	dWorldID world;
	dSpaceID space;
	tnoCoupling* coupling;
	tnoTerrain* terrain;
} Basin;

// Sides that are odd and unequal.
static tnWorldDef MakeBasinDef(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 45;
	def.rowCount = 41;
	def.cellSize = 0.5f;
	def.method = tn_shallowMethod;
	return def;
}

static int OpenBasin(const tnWorldDef* def, float level, Basin* basin)
{
	memset(basin, 0, sizeof(*basin));
	dInitODE2(0);
	ENSURE_OK(tnCreateWorld(def, &basin->water));
	ENSURE_OK(tnWorld_FillToLevel(basin->water, level));
	basin->world = dWorldCreate();
	basin->space = dSimpleSpaceCreate(NULL);
	dWorldSetGravity(basin->world, 0, (dReal)-9.81, 0);
	ENSURE_OK(tnoCreateCoupling(basin->water, basin->world, &basin->coupling));
	basin->terrain = tnoCreateTerrain(basin->water, basin->space, NULL);
	ENSURE(basin->terrain != NULL);
	return 0;
}

static void CloseBasin(Basin* basin)
{
	tnoDestroyCoupling(basin->coupling);
	tnoDestroyTerrain(basin->terrain);
	dSpaceDestroy(basin->space);
	dWorldDestroy(basin->world);
	tnDestroyWorld(basin->water);
	dCloseODE();
}

static dBodyID AddBox(Basin* basin, tnVec3 size, float density, tnVec3 position)
{
	const dBodyID body = dBodyCreate(basin->world);
	dMass mass;
	dMassSetBox(&mass, (dReal)density, (dReal)size.x, (dReal)size.y, (dReal)size.z);
	dBodySetMass(body, &mass);
	dBodySetPosition(body, (dReal)position.x, (dReal)position.y, (dReal)position.z);
	dGeomSetBody(dCreateBox(basin->space, (dReal)size.x, (dReal)size.y, (dReal)size.z), body);
	return body;
}

static int Run(Basin* basin, float seconds)
{
	const int count = (int)(seconds / s_timeStep + 0.5f);
	for (int i = 0; i < count; ++i)
	{
		ENSURE_OK(tnoStep(basin->coupling, basin->space, NULL, s_timeStep));
	}
	return 0;
}

// Archimedes, through the whole chain of geom, shape, water, force and engine. 1 %: what is asked of the water.
static int BoxFloatsAtItsDraft(void)
{
	Basin basin;
	const tnWorldDef def = MakeBasinDef();
	ENSURE(OpenBasin(&def, 3.0f, &basin) == 0);
	const dBodyID body = AddBox(&basin, (tnVec3){2.2f, 1.0f, 1.9f}, 400.0f, (tnVec3){11.3f, 3.2f, 10.1f});
	tnBodyId id = {0};
	ENSURE_OK(tnoCoupling_Attach(basin.coupling, body, NULL, &id));
	ENSURE(Run(&basin, 30.0f) == 0);
	double draft = 0.0, share = 0.0;
	enum
	{
		count = 240
	};
	for (int i = 0; i < count; ++i)
	{
		ENSURE(Run(&basin, s_timeStep) == 0);
		tnBodyState state;
		ENSURE_OK(tnWorld_GetBodyState(basin.water, id, &state));
		const float surface = tnWorld_Sample(basin.water, (tnVec2){3.0f, 3.0f}).surface;
		draft += (double)(surface - (state.pose.position.y - 0.5f)) / count;
		share += (double)(state.submergedVolume / state.volume) / count;
	}
	ENSURE_CLOSE(draft, 0.4, 0.004);
	ENSURE_CLOSE(share, 0.4, 0.004);
	const tnLedger ledger = tnWorld_GetLedger(basin.water);
	// Rounding of float32 depths: a few parts in 1e7 of the volume.
	ENSURE_CLOSE(ledger.drift, 0.0, 1.0e-6 * ledger.volume);
	CloseBasin(&basin);
	return 0;
}

// Crates that fall on each other and into waves, and everything they did as one number.
static int HashCrates(int workerCount, uint64_t* hash)
{
	Basin basin;
	tnWorldDef def = MakeBasinDef();
	def.tasks.workerCount = workerCount;
	ENSURE(OpenBasin(&def, 2.0f, &basin) == 0);
	ENSURE_OK(tnWorld_AddWater(basin.water, (tnVec2){4.0f, 5.0f}, 3.0f, 20.0f, NULL));
	dBodyID bodies[9];
	for (int i = 0; i < 9; ++i)
	{
		const tnVec3 position = {
			8.0f + 0.7f * (float)(i % 3), 3.0f + 1.1f * (float)(i / 3), 9.0f + 0.4f * (float)(i % 2)};
		bodies[i] = AddBox(&basin, (tnVec3){1.0f, 0.9f, 1.2f}, 300.0f + 120.0f * (float)i, position);
		ENSURE_OK(tnoCoupling_Attach(basin.coupling, bodies[i], NULL, NULL));
	}
	ENSURE(Run(&basin, 4.0f) == 0);
	// FNV-1a over the poses of ODE in full precision, and the water.
	*hash = 14695981039346656037u;
	for (int i = 0; i < 9; ++i)
	{
		dReal state[7];
		memcpy(state, dBodyGetPosition(bodies[i]), 3 * sizeof(dReal));
		memcpy(state + 3, dBodyGetQuaternion(bodies[i]), 4 * sizeof(dReal));
		for (size_t k = 0; k < sizeof(state); ++k)
		{
			*hash = (*hash ^ ((const unsigned char*)state)[k]) * 1099511628211u;
		}
	}
	*hash ^= tnWorld_GetHash(basin.water);
	CloseBasin(&basin);
	return 0;
}

static int SameBitsForAnyWorkerCount(void)
{
	uint64_t first = 0;
	ENSURE(HashCrates(1, &first) == 0);
	static const int workerCounts[] = {1, 2, 4};
	for (int i = 0; i < 3; ++i)
	{
		uint64_t again = 0;
		ENSURE(HashCrates(workerCounts[i], &again) == 0);
		ENSURE_EQUAL_HEX(again, first);
	}
	return 0;
}

// A float goes through ODE's numbers and comes back as it was; ODE makes turns of unit length.
static int PosesRoundTrip(void)
{
	dInitODE2(0);
	const dWorldID world = dWorldCreate();
	const dBodyID body = dBodyCreate(world);
	TestRandom random = TestMakeRandom(7);
	for (int i = 0; i < 200; ++i)
	{
		tnPose pose;
		pose.position = (tnVec3){TestRandomFloat(&random, -1.0e5f, 1.0e5f), TestRandomFloat(&random, -9.0f, 9.0f),
			TestRandomFloat(&random, -0.001f, 0.001f)};
		pose.rotation = (tnQuat){TestRandomFloat(&random, -1.0f, 1.0f), TestRandomFloat(&random, -1.0f, 1.0f),
			TestRandomFloat(&random, -1.0f, 1.0f), TestRandomFloat(&random, 0.5f, 1.0f)};
		const double length =
			sqrt((double)pose.rotation.x * (double)pose.rotation.x + (double)pose.rotation.y * (double)pose.rotation.y +
				(double)pose.rotation.z * (double)pose.rotation.z + (double)pose.rotation.w * (double)pose.rotation.w);
		tnoSetPose(body, &pose);
		const tnPose back = tnoGetPose(body);
		ENSURE(memcmp(&back.position, &pose.position, sizeof(tnVec3)) == 0);
		// Half of the last bit of a float in [0.5, 1).
		const double tolerance = 3.0e-8;
		ENSURE_CLOSE(back.rotation.x, (double)pose.rotation.x / length, tolerance);
		ENSURE_CLOSE(back.rotation.y, (double)pose.rotation.y / length, tolerance);
		ENSURE_CLOSE(back.rotation.z, (double)pose.rotation.z / length, tolerance);
		ENSURE_CLOSE(back.rotation.w, (double)pose.rotation.w / length, tolerance);
	}
	dWorldDestroy(world);
	dCloseODE();
	return 0;
}

// The water closes in, none of it is lost, and the others float on.
static int DetachWhileFloating(void)
{
	Basin basin;
	const tnWorldDef def = MakeBasinDef();
	ENSURE(OpenBasin(&def, 2.0f, &basin) == 0);
	const dBodyID stays = AddBox(&basin, (tnVec3){1.5f, 1.0f, 1.5f}, 500.0f, (tnVec3){6.0f, 2.0f, 6.0f});
	const dBodyID goes = AddBox(&basin, (tnVec3){3.0f, 1.5f, 3.0f}, 500.0f, (tnVec3){15.0f, 2.0f, 13.0f});
	ENSURE_OK(tnoCoupling_Attach(basin.coupling, goes, NULL, NULL));
	ENSURE_OK(tnoCoupling_Attach(basin.coupling, stays, NULL, NULL));
	const double before = tnWorld_GetLedger(basin.water).volume;
	ENSURE(Run(&basin, 3.0f) == 0);
	ENSURE_OK(tnoCoupling_Detach(basin.coupling, goes));
	ENSURE_EQUAL_INT(tnoCoupling_GetCount(basin.coupling), 1);
	ENSURE_EQUAL_INT(tnoCoupling_GetBody(basin.coupling, goes).index1, 0);
	ENSURE_REFUSED(tnoCoupling_Detach(basin.coupling, goes), tn_invalidArgument, "not attached");
	ENSURE(Run(&basin, 3.0f) == 0);
	// Nothing holds it up any more but the ground.
	ENSURE_CLOSE(dBodyGetPosition(goes)[1], 0.75, 0.02);
	ENSURE(dBodyGetPosition(stays)[1] > 1.5);
	const tnLedger ledger = tnWorld_GetLedger(basin.water);
	ENSURE_CLOSE(ledger.volume, before, 1.0e-6 * before);
	CloseBasin(&basin);
	return 0;
}

static int SinkingBodyRestsOnTheGround(void)
{
	Basin basin;
	const tnWorldDef def = MakeBasinDef();
	ENSURE(OpenBasin(&def, 0.0f, &basin) == 0);
	float heights[45 * 41];
	for (int i = 0; i < 45 * 41; ++i)
	{
		// Steps of 1 m, with a ramp of a cell between them: a body lies flat on each.
		heights[i] = i % 45 < 20 ? 1.0f : 2.0f;
	}
	ENSURE_OK(tnWorld_SetTerrain(basin.water, heights));
	ENSURE_OK(tnWorld_FillToLevel(basin.water, 4.0f));
	const dBodyID low = AddBox(&basin, (tnVec3){1.0f, 0.6f, 1.2f}, 2000.0f, (tnVec3){5.0f, 3.0f, 10.0f});
	const dBodyID high = AddBox(&basin, (tnVec3){1.0f, 0.6f, 1.2f}, 2000.0f, (tnVec3){16.0f, 3.6f, 10.0f});
	ENSURE_OK(tnoCoupling_Attach(basin.coupling, low, NULL, NULL));
	ENSURE_OK(tnoCoupling_Attach(basin.coupling, high, NULL, NULL));
	ENSURE(Run(&basin, 6.0f) == 0);
	ENSURE_CLOSE(dBodyGetPosition(low)[1], 1.3, 0.01);
	ENSURE_CLOSE(dBodyGetPosition(high)[1], 2.3, 0.01);
	// The ground is read as it is now: dig it away.
	for (int i = 0; i < 45 * 41; ++i)
	{
		heights[i] = 0.5f;
	}
	ENSURE_OK(tnWorld_SetTerrain(basin.water, heights));
	ENSURE(Run(&basin, 6.0f) == 0);
	ENSURE_CLOSE(dBodyGetPosition(low)[1], 0.8, 0.01);
	ENSURE_CLOSE(dBodyGetPosition(high)[1], 0.8, 0.01);
	CloseBasin(&basin);
	return 0;
}

static int GetBounds(const Basin* basin, tnBodyId id, tnVec3* low, tnVec3* high, float* volume)
{
	tnBodyMesh mesh;
	tnBodyState state;
	ENSURE_OK(tnWorld_GetBodyMesh(basin->water, id, &mesh));
	ENSURE_OK(tnWorld_GetBodyState(basin->water, id, &state));
	*volume = state.volume;
	*low = *high = mesh.points[0];
	for (int i = 1; i < mesh.pointCount; ++i)
	{
		const tnVec3 p = mesh.points[i];
		*low = (tnVec3){fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z)};
		*high = (tnVec3){fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z)};
	}
	return 0;
}

// A cylinder of ODE runs along its z: with an offset and a turn of its own it must come out where ODE has it.
static int ShapesComeFromGeoms(void)
{
	Basin basin;
	const tnWorldDef def = MakeBasinDef();
	ENSURE(OpenBasin(&def, 1.0f, &basin) == 0);
	tnVec3 low, high;
	float volume = 0.0f;
	tnBodyId id;
	dBodyID body = dBodyCreate(basin.world);
	const dGeomID cylinder = dCreateCylinder(basin.space, (dReal)0.25, 3);
	dGeomSetBody(cylinder, body);
	dGeomSetOffsetPosition(cylinder, 1, 2, 3);
	ENSURE_OK(tnoCoupling_Attach(basin.coupling, body, NULL, &id));
	ENSURE(GetBounds(&basin, id, &low, &high, &volume) == 0);
	// A prism inside the cylinder: somewhat thinner, and as long.
	ENSURE_CLOSE(low.z, 1.5, 1.0e-5);
	ENSURE_CLOSE(high.z, 4.5, 1.0e-5);
	ENSURE_CLOSE(high.x, 1.25, 0.02);
	ENSURE_CLOSE(low.y, 1.75, 0.02);
	ENSURE_CLOSE(volume, 3.14159265 * 0.0625 * 3.0, 0.02);

	// The same turned onto x, with a box beside it.
	const dGeomID box = dCreateBox(basin.space, 1, 2, 4);
	dQuaternion turn;
	dQFromAxisAndAngle(turn, 0, 1, 0, (dReal)(0.5 * 3.14159265358979));
	dGeomSetOffsetQuaternion(cylinder, turn);
	dGeomSetBody(box, body);
	dGeomSetOffsetPosition(box, -5, 0, 0);
	ENSURE_OK(tnoCoupling_Detach(basin.coupling, body));
	ENSURE_OK(tnoCoupling_Attach(basin.coupling, body, NULL, &id));
	ENSURE(GetBounds(&basin, id, &low, &high, &volume) == 0);
	ENSURE_CLOSE(high.x, 2.5, 1.0e-5);
	ENSURE_CLOSE(low.x, -5.5, 1.0e-5);
	ENSURE_CLOSE(low.y, -1.0, 1.0e-5);
	ENSURE_CLOSE(high.z, 3.25, 0.02);
	ENSURE_CLOSE(volume, 8.0 + 3.14159265 * 0.0625 * 3.0, 0.02);

	// A tetrahedron, on a body that is somewhere and turned.
	static const float points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	static const dTriIndex triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
	const dTriMeshDataID data = dGeomTriMeshDataCreate();
	dGeomTriMeshDataBuildSingle(data, points, 3 * sizeof(float), 4, triangles, 12, 3 * sizeof(dTriIndex));
	body = dBodyCreate(basin.world);
	const dGeomID mesh = dCreateTriMesh(basin.space, data, NULL, NULL, NULL);
	dGeomSetBody(mesh, body);
	dBodySetPosition(body, 7, (dReal)0.3, 9);
	dBodySetQuaternion(body, turn);
	ENSURE_OK(tnoCoupling_Attach(basin.coupling, body, NULL, &id));
	tnBodyMesh welded;
	ENSURE_OK(tnWorld_GetBodyMesh(basin.water, id, &welded));
	ENSURE_EQUAL_INT(welded.pointCount, 4);
	ENSURE_EQUAL_INT(welded.triangleCount, 4);
	ENSURE(GetBounds(&basin, id, &low, &high, &volume) == 0);
	ENSURE_CLOSE(volume, 1.0 / 6.0, 1.0e-6);
	ENSURE_CLOSE(high.x, 1.0, 1.0e-6);
	ENSURE_CLOSE(low.z, 0.0, 1.0e-6);
	CloseBasin(&basin);
	dGeomTriMeshDataDestroy(data);
	return 0;
}

// Steps until a body is enabled, or not, as wanted. Returns whether it came to that.
static bool WaitFor(Basin* basin, dBodyID body, bool enabled, float seconds)
{
	const int count = (int)(seconds / s_timeStep + 0.5f);
	for (int i = 0; i < count && (dBodyIsEnabled(body) != 0) != enabled; ++i)
	{
		if (Run(basin, s_timeStep) != 0)
		{
			return false;
		}
	}
	return (dBodyIsEnabled(body) != 0) == enabled;
}

// A raft that lies aground falls asleep, and still water lets it sleep. A wave that lifts it wakes it, and so does the
// tide that takes its weight off the ground bit by bit. What floats freely never sleeps: ODE wants a contact for that.
static int WaterWakesWhatSleeps(void)
{
	Basin basin;
	tnWorldDef def = MakeBasinDef();
	// Friction brings the water to rest within the test.
	def.friction = 2.0f;
	ENSURE(OpenBasin(&def, 0.3f, &basin) == 0);
	dWorldSetAutoDisableFlag(basin.world, 1);
	dWorldSetAutoDisableLinearThreshold(basin.world, (dReal)0.02);
	dWorldSetAutoDisableAngularThreshold(basin.world, (dReal)0.02);
	dWorldSetAutoDisableTime(basin.world, (dReal)0.5);
	dWorldSetAutoDisableSteps(basin.world, 0);
	const dBodyID raft = AddBox(&basin, (tnVec3){2.0f, 1.0f, 2.0f}, 500.0f, (tnVec3){11.0f, 0.5f, 10.0f});
	ENSURE_OK(tnoCoupling_Attach(basin.coupling, raft, NULL, NULL));
	ENSURE(WaitFor(&basin, raft, false, 20.0f));
	const dReal height = dBodyGetPosition(raft)[1];
	ENSURE(Run(&basin, 5.0f) == 0);
	ENSURE(dBodyIsEnabled(raft) == 0);
	ENSURE(dBodyGetPosition(raft)[1] == height);

	ENSURE_OK(tnWorld_AddWater(basin.water, (tnVec2){4.0f, 10.0f}, 1.5f, 5.0f, NULL));
	ENSURE(WaitFor(&basin, raft, true, 5.0f));
	ENSURE(WaitFor(&basin, raft, false, 60.0f));

	// From 0.31 m to above its draft of half a meter in two minutes: a hundredth of its weight in five steps.
	ENSURE_OK(tnWorld_SetRain(basin.water, 0.002f, NULL));
	ENSURE(WaitFor(&basin, raft, true, 20.0f));
	ENSURE(Run(&basin, 120.0f) == 0);
	ENSURE(dBodyGetPosition(raft)[1] > height + (dReal)0.02);
	CloseBasin(&basin);
	return 0;
}

static int BadInput(void)
{
	Basin basin;
	const tnWorldDef def = MakeBasinDef();
	ENSURE(OpenBasin(&def, 1.0f, &basin) == 0);
	tnoCoupling* none = NULL;
	ENSURE_REFUSED(tnoCreateCoupling(NULL, basin.world, &none), tn_invalidArgument, "water");
	ENSURE_REFUSED(tnoCreateCoupling(basin.water, NULL, &none), tn_invalidArgument, "world");
	ENSURE_REFUSED(tnoCreateCoupling(basin.water, basin.world, NULL), tn_invalidArgument, "coupling");
	ENSURE(none == NULL);
	tnoDestroyCoupling(NULL);
	tnoDestroyTerrain(NULL);
	ENSURE(tnoCreateTerrain(NULL, basin.space, NULL) == NULL);
	ENSURE(tnoCreateTerrain(basin.water, NULL, NULL) == NULL);
	ENSURE_REFUSED(tnoCoupling_Step(NULL, s_timeStep), tn_invalidArgument, "coupling");
	ENSURE_REFUSED(tnoCoupling_Attach(basin.coupling, NULL, NULL, NULL), tn_invalidArgument, "body");
	ENSURE_REFUSED(tnoCoupling_Attach(NULL, NULL, NULL, NULL), tn_invalidArgument, "coupling");

	const dBodyID bare = dBodyCreate(basin.world);
	ENSURE_REFUSED(tnoCoupling_Attach(basin.coupling, bare, NULL, NULL), tn_invalidArgument, "no geoms");
	static const dReal planes[4] = {0, 1, 0, 1};
	static const dReal points[9] = {0, 1, 0, 1, 1, 0, 0, 1, 1};
	static const unsigned int polygons[4] = {3, 0, 2, 1};
	dGeomSetBody(dCreateConvex(basin.space, planes, 1, points, 3, polygons), bare);
	ENSURE_REFUSED(tnoCoupling_Attach(basin.coupling, bare, NULL, NULL), tn_invalidArgument, "convex");
	const dWorldID elsewhere = dWorldCreate();
	const dBodyID stranger = dBodyCreate(elsewhere);
	ENSURE_REFUSED(tnoCoupling_Attach(basin.coupling, stranger, NULL, NULL), tn_invalidArgument, "another world");
	dWorldDestroy(elsewhere);
	dBodyDestroy(bare);

	const dBodyID body = AddBox(&basin, (tnVec3){1.0f, 1.0f, 1.0f}, 500.0f, (tnVec3){5.0f, 1.0f, 5.0f});
	const dBodyID other = AddBox(&basin, (tnVec3){1.0f, 1.0f, 1.0f}, 500.0f, (tnVec3){9.0f, 1.0f, 9.0f});
	ENSURE_OK(tnoCoupling_Attach(basin.coupling, body, NULL, NULL));
	ENSURE_REFUSED(tnoCoupling_Attach(basin.coupling, body, NULL, NULL), tn_invalidArgument, "already");
	ENSURE_OK(tnoCoupling_Attach(basin.coupling, other, NULL, NULL));
	ENSURE(tnoStep(basin.coupling, basin.space, NULL, -1.0f).status == tn_invalidArgument);
	ENSURE(tnoStep(basin.coupling, basin.space, NULL, NAN).status == tn_invalidArgument);
	tnoStepDef bad = tnoDefaultStepDef();
	bad.subSteps = 0;
	ENSURE_REFUSED(tnoStep(basin.coupling, basin.space, &bad, s_timeStep), tn_invalidArgument, "subSteps");

	// A body of which ODE has lost its numbers is refused; the other one is pushed all the same.
	dBodySetLinearVel(body, (dReal)NAN, 0, 0);
	ENSURE(tnoCoupling_Step(basin.coupling, s_timeStep).status == tn_invalidArgument);
	ENSURE(dBodyGetForce(body)[1] == 0);
	ENSURE(dBodyGetForce(other)[1] > 0);
	CloseBasin(&basin);
	return 0;
}

// Two logs end to end: ODE divides by the distance of their axes, and stops the program if that is nothing.
// A world that is put back has its bodies in it already: the coupling takes them as they are, and goes on as before.
static int AdoptsWhatIsInTheWater(void)
{
	Basin basin;
	const tnWorldDef def = MakeBasinDef();
	ENSURE(OpenBasin(&def, 3.0f, &basin) == 0);
	const dBodyID body = AddBox(&basin, (tnVec3){2.2f, 1.0f, 1.9f}, 400.0f, (tnVec3){11.3f, 3.9f, 10.1f});
	tnBodyId id = {0};
	ENSURE_OK(tnoCoupling_Attach(basin.coupling, body, NULL, &id));
	ENSURE(Run(&basin, 1.0f) == 0);
	size_t size = 0;
	ENSURE_OK(tnWorld_Save(basin.water, NULL, 0, &size));
	void* bytes = malloc(size);
	ENSURE_OK(tnWorld_Save(basin.water, bytes, size, &size));
	const tnPose pose = tnoGetPose(body);
	const dReal* v = dBodyGetLinearVel(body);
	const dReal* w = dBodyGetAngularVel(body);
	const dVector3 velocity = {v[0], v[1], v[2]}, spin = {w[0], w[1], w[2]};
	ENSURE(Run(&basin, 1.0f) == 0);
	const tnPose later = tnoGetPose(body);
	// The body is gone from the coupling, not from the water.
	tnoCoupling_Forget(basin.coupling);
	ENSURE_EQUAL_INT(tnoCoupling_GetCount(basin.coupling), 0);
	ENSURE(tnBody_IsValid(basin.water, id));
	ENSURE_OK(tnWorld_Restore(basin.water, bytes, size));
	tnoSetPose(body, &pose);
	dBodySetLinearVel(body, velocity[0], velocity[1], velocity[2]);
	dBodySetAngularVel(body, spin[0], spin[1], spin[2]);
	const uint64_t hash = tnWorld_GetHash(basin.water);
	ENSURE_OK(tnoCoupling_Adopt(basin.coupling, body, id, 1.6f));
	ENSURE_EQUAL_HEX(tnWorld_GetHash(basin.water), hash);
	ENSURE_EQUAL_INT(tnoCoupling_GetBody(basin.coupling, body).index1, id.index1);
	ENSURE(Run(&basin, 1.0f) == 0);
	const tnPose again = tnoGetPose(body);
	// Through a pose of floats, where the engine may have doubles.
	ENSURE_CLOSE(again.position.y, later.position.y, 1.0e-4);
	ENSURE_CLOSE(again.position.x, later.position.x, 1.0e-4);
	ENSURE_REFUSED(tnoCoupling_Adopt(NULL, body, id, 1.0f), tn_invalidArgument, "coupling");
	ENSURE_REFUSED(tnoCoupling_Adopt(basin.coupling, NULL, id, 1.0f), tn_invalidArgument, "body");
	ENSURE_REFUSED(tnoCoupling_Adopt(basin.coupling, body, id, NAN), tn_invalidArgument, "radius");
	ENSURE_REFUSED(tnoCoupling_Adopt(basin.coupling, body, id, 1.0f), tn_invalidArgument, "attached already");
	tnoCoupling_Forget(NULL);
	free(bytes);
	CloseBasin(&basin);
	return 0;
}

static int LogsEndToEnd(void)
{
	Basin basin;
	const tnWorldDef def = MakeBasinDef();
	ENSURE(OpenBasin(&def, 1.0f, &basin) == 0);
	static const double offsets[] = {0.0, 1.0e-16, 1.0e-12, 1.0e-9, 3.0e-8, 1.0e-7, 1.0e-6, 1.0e-4};
	const dGeomID first = dCreateCylinder(basin.space, (dReal)0.23f, (dReal)3.2f);
	const dGeomID second = dCreateCylinder(basin.space, (dReal)0.23f, (dReal)3.6f);
	for (int i = 0; i < 400; ++i)
	{
		dMatrix3 turn;
		dRFromAxisAndAngle(turn, (dReal)(i % 3), (dReal)(i % 5), (dReal)(1 + i % 2), (dReal)(i < 40 ? 0.0 : 0.13 * i));
		// The ends touch; at first where they once stopped a scene, and then by a millimeter.
		const double offset = offsets[i % 8];
		const double along = i < 40 ? (double)10.6f - 14.0 : (i % 2 == 0 ? 1.0 : -1.0) * (3.4 - 0.001);
		const double place[3] = {(double)24.93f, (double)(0.16f + 0.4f * (float)(i / 8)), 14.0};
		dGeomSetRotation(first, turn);
		dGeomSetRotation(second, turn);
		dGeomSetPosition(first, (dReal)place[0], (dReal)place[1], (dReal)place[2]);
		dGeomSetPosition(second, (dReal)(place[0] + along * (double)turn[2] + offset * (double)turn[0]),
			(dReal)(place[1] + along * (double)turn[6] + offset * (double)turn[4]),
			(dReal)(place[2] + along * (double)turn[10] + offset * (double)turn[8]));
		dContactGeom contacts[8];
		const int count = tnoCollideGeoms(first, second, 8, contacts, sizeof(dContactGeom));
		ENSURE(count > 0 || i < 40);
		for (int k = 0; k < count; ++k)
		{
			ENSURE(contacts[k].g1 == first && contacts[k].g2 == second);
			// They meet by a millimeter, and push each other along their axis.
			ENSURE((double)contacts[k].depth > 0.0 && (double)contacts[k].depth < 0.002);
			const double push = (double)(contacts[k].normal[0] * turn[2] + contacts[k].normal[1] * turn[6] +
				contacts[k].normal[2] * turn[10]);
			ENSURE_CLOSE(fabs(push), 1.0, 1.0e-3);
		}
	}
	CloseBasin(&basin);
	return 0;
}

static const Test s_tests[] = {
	{"PosesRoundTrip", PosesRoundTrip},
	{"ShapesComeFromGeoms", ShapesComeFromGeoms},
	{"BoxFloatsAtItsDraft", BoxFloatsAtItsDraft},
	{"SameBitsForAnyWorkerCount", SameBitsForAnyWorkerCount},
	{"DetachWhileFloating", DetachWhileFloating},
	{"SinkingBodyRestsOnTheGround", SinkingBodyRestsOnTheGround},
	{"WaterWakesWhatSleeps", WaterWakesWhatSleeps},
	{"AdoptsWhatIsInTheWater", AdoptsWhatIsInTheWater},
	{"LogsEndToEnd", LogsEndToEnd},
	{"BadInput", BadInput},
};

const TestSuite adaptersSuite = TEST_SUITE("adapters", s_tests);

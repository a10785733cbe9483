// SPDX-License-Identifier: MIT

// Everything a host can get wrong with bodies, and everything odd that it may do with them: a named error that leaves
// the world as it was, or a sound result. The volume is kept in any case.

#include "harness.h"
#include "tarn/tarn.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	columnCount = 41,
	rowCount = 29,
	cellCount = columnCount * rowCount,
};

static const float s_cellSize = 0.5f;
static const tnVec3 s_middle = {10.0f, 1.0f, 7.0f};

typedef struct Bench
{
	tnWorld* world;
	tnBodyId body;
	int errorCount;
	uint64_t hash;
} Bench;

static void HearError(const tnResult* result, void* context)
{
	Bench* bench = context;
	bench->errorCount += result->status != tn_ok ? 1 : 0;
}

static tnShapeDef MakeBox(float x, float y, float z)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_boxShape;
	shape.halfExtents = (tnVec3){0.5f * x, 0.5f * y, 0.5f * z};
	return shape;
}

static tnBodyDef MakeDef(const tnShapeDef* shape)
{
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shape;
	def.shapeCount = 1;
	def.mass = 500.0f;
	def.mode = tn_blockingBody;
	def.pose = (tnPose){s_middle, {0.0f, 0.0f, 0.0f, 1.0f}};
	return def;
}

// Ground that rises to the east, water up to 1 m, and a body in it.
static bool OpenBench(Bench* bench, tnMethod method)
{
	memset(bench, 0, sizeof(*bench));
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columnCount;
	def.rowCount = rowCount;
	def.cellSize = s_cellSize;
	def.method = method;
	def.errors = (tnErrorHook){HearError, bench};
	static float heights[cellCount];
	for (int i = 0; i < cellCount; ++i)
	{
		heights[i] = i % columnCount < 30 ? 0.0f : 0.25f * (float)(i % columnCount - 29);
	}
	const tnShapeDef shape = MakeBox(1.0f, 1.0f, 1.0f);
	const tnBodyDef body = MakeDef(&shape);
	bool ok = tnCreateWorld(&def, &bench->world).status == tn_ok;
	ok = ok && tnWorld_SetTerrain(bench->world, heights).status == tn_ok;
	ok = ok && tnWorld_FillToLevel(bench->world, 1.0f).status == tn_ok;
	ok = ok && tnWorld_CreateBody(bench->world, &body, &bench->body).status == tn_ok;
	for (int i = 0; i < 3 && ok; ++i)
	{
		ok = tnWorld_Step(bench->world, 1.0f / 60.0f).status == tn_ok;
	}
	bench->hash = ok ? tnWorld_GetHash(bench->world) : 0;
	return ok;
}

static bool IsSound(tnWorld* world)
{
	const tnFieldView depth = tnWorld_GetDepth(world);
	const tnFieldView lift = tnWorld_GetLift(world);
	for (int i = 0; i < depth.rowCount * depth.columnCount; ++i)
	{
		const int row = i / depth.columnCount;
		const float h = depth.data[row * depth.stride + i % depth.columnCount];
		const float l = lift.data != NULL ? lift.data[row * lift.stride + i % depth.columnCount] : 0.0f;
		if (!(h >= 0.0f && h < 1.0e5f) || isfinite(l) == false)
		{
			return false;
		}
	}
	const tnLedger ledger = tnWorld_GetLedger(world);
	return fabs(ledger.drift) <= 1.0e-6 * fabs(ledger.edits);
}

static bool StepMany(tnWorld* world, int count)
{
	bool ok = true;
	for (int i = 0; i < count && ok; ++i)
	{
		ok = tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok;
	}
	return ok && IsSound(world);
}

static bool IsFinite(const tnWorld* world, tnBodyId id)
{
	tnWrench w;
	tnBodyState s;
	return tnWorld_GetBodyWrench(world, id, &w).status == tn_ok && isfinite(w.force.x) && isfinite(w.force.y) &&
		isfinite(w.force.z) && isfinite(w.torque.x) && isfinite(w.torque.y) && isfinite(w.torque.z) &&
		tnWorld_GetBodyState(world, id, &s).status == tn_ok && isfinite(s.submergedVolume) &&
		isfinite(s.waterlineArea) && isfinite(s.waterlineHeight) && isfinite(s.buoyancyCenter.y) &&
		isfinite(s.current.x);
}

// ---------------------------------------------------------------------------------------------------------------------
// Refused

#define ENSURE_DEF_REFUSED(part)                                                                     \
	do                                                                                               \
	{                                                                                                \
		tnBodyId refusedId = {7, 7};                                                                 \
		ENSURE_REFUSED(tnWorld_CreateBody(bench.world, &def, &refusedId), tn_invalidArgument, part); \
		ENSURE(refusedId.index1 == 0);                                                               \
		ENSURE_EQUAL_HEX(tnWorld_GetHash(bench.world), bench.hash);                                  \
	} while (0)

static const float s_bad[] = {NAN, INFINITY, -INFINITY};

static int BadDefsAreRefused(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench, tn_pipeMethod));
	const tnShapeDef shape = MakeBox(1.0f, 1.0f, 1.0f);
	tnBodyDef def = MakeDef(&shape);
	def.shapeCount = 0;
	ENSURE_DEF_REFUSED("shapes");
	def.shapeCount = -3;
	ENSURE_DEF_REFUSED("shapes");
	def = MakeDef(NULL);
	ENSURE_DEF_REFUSED("shapes");
	const float badMasses[] = {0.0f, -1.0f, NAN, -INFINITY};
	for (int i = 0; i < 4; ++i)
	{
		def = MakeDef(&shape);
		def.mass = badMasses[i];
		ENSURE_DEF_REFUSED("mass");
	}
	for (int i = 0; i < 3; ++i)
	{
		def = MakeDef(&shape);
		def.pose.position.y = s_bad[i];
		ENSURE_DEF_REFUSED("pose");
		def = MakeDef(&shape);
		def.pose.rotation.z = s_bad[i];
		ENSURE_DEF_REFUSED("rotation");
		def = MakeDef(&shape);
		def.velocity.x = s_bad[i];
		ENSURE_DEF_REFUSED("velocity");
		def = MakeDef(&shape);
		def.spin.z = s_bad[i];
		ENSURE_DEF_REFUSED("spin");
		def = MakeDef(&shape);
		def.pressureDrag = s_bad[i];
		ENSURE_DEF_REFUSED("pressureDrag");
		def = MakeDef(&shape);
		def.suction = s_bad[i];
		ENSURE_DEF_REFUSED("suction");
		def = MakeDef(&shape);
		def.creepSpeed = s_bad[i];
		ENSURE_DEF_REFUSED("creepSpeed");
		def = MakeDef(&shape);
		def.skinFriction = s_bad[i];
		ENSURE_DEF_REFUSED("skinFriction");
		def = MakeDef(&shape);
		def.damping = s_bad[i];
		ENSURE_DEF_REFUSED("damping");
	}
	def = MakeDef(&shape);
	def.pose.rotation = (tnQuat){0.0f, 0.0f, 0.0f, 0.0f};
	ENSURE_DEF_REFUSED("rotation");
	def = MakeDef(&shape);
	def.mode = tn_bodyModeCount;
	ENSURE_DEF_REFUSED("mode");
	def = MakeDef(&shape);
	def.mode = (tnBodyMode)-1;
	ENSURE_DEF_REFUSED("mode");
	def = MakeDef(&shape);
	def.pressureDrag = -1.0f;
	ENSURE_DEF_REFUSED("pressureDrag");
	def = MakeDef(&shape);
	def.suction = 1.5f;
	ENSURE_DEF_REFUSED("suction");
	def = MakeDef(&shape);
	def.stamp = 0;
	ENSURE_DEF_REFUSED("stamp");
	// The error hook has heard all of it.
	ENSURE(bench.errorCount > 30);
	def = MakeDef(&shape);
	ENSURE_REFUSED(tnWorld_CreateBody(bench.world, &def, NULL), tn_invalidArgument, "id");
	tnBodyId id;
	ENSURE_REFUSED(tnWorld_CreateBody(bench.world, NULL, &id), tn_invalidArgument, "def");
	ENSURE(tnWorld_CreateBody(NULL, &def, &id).status != tn_ok);
	tnDestroyWorld(bench.world);
	return 0;
}

static const tnVec3 s_corners[] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
static const int32_t s_tetrahedron[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const int32_t s_insideOut[] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};

static tnShapeDef MakeMesh(const int32_t* triangles, int count)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_meshShape;
	shape.points = s_corners;
	shape.pointCount = 4;
	shape.triangles = triangles;
	shape.triangleCount = count;
	return shape;
}

static int BadShapesAreRefused(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench, tn_pipeMethod));
	tnShapeDef shape = MakeBox(1.0f, 1.0f, 1.0f);
	tnBodyDef def = MakeDef(&shape);
	const float badSizes[] = {0.0f, -1.0f, NAN, INFINITY, 1.0e9f};
	for (int i = 0; i < 5; ++i)
	{
		shape = MakeBox(1.0f, 1.0f, 1.0f);
		shape.halfExtents.z = badSizes[i];
		ENSURE_DEF_REFUSED("halfExtents");
		shape.kind = tn_sphereShape;
		shape.radius = badSizes[i];
		ENSURE_DEF_REFUSED("radius");
		shape.kind = tn_cylinderShape;
		shape.radius = 1.0f;
		shape.halfLength = badSizes[i];
		ENSURE_DEF_REFUSED("halfLength");
	}
	shape = MakeBox(1.0f, 1.0f, 1.0f);
	shape.kind = tn_shapeKindCount;
	ENSURE_DEF_REFUSED("kind");
	shape = MakeBox(1.0f, 1.0f, 1.0f);
	shape.stamp = 1;
	ENSURE_DEF_REFUSED("stamp");
	shape = MakeBox(1.0f, 1.0f, 1.0f);
	shape.pose.position.x = NAN;
	ENSURE_DEF_REFUSED("pose");
	shape = MakeBox(1.0f, 1.0f, 1.0f);
	shape.pose.rotation = (tnQuat){0.0f, 0.0f, 0.0f, 0.0f};
	ENSURE_DEF_REFUSED("rotation");

	// Open, inside out, and an index out of range.
	shape = MakeMesh(s_tetrahedron, 3);
	ENSURE_DEF_REFUSED("shapes[0]");
	shape = MakeMesh(s_insideOut, 4);
	ENSURE_DEF_REFUSED("shapes[0]");
	const int32_t stray[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4};
	shape = MakeMesh(stray, 4);
	ENSURE_DEF_REFUSED("shapes[0]");
	const int32_t negative[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, -1};
	shape = MakeMesh(negative, 4);
	ENSURE_DEF_REFUSED("shapes[0]");
	shape = MakeMesh(s_tetrahedron, 0);
	ENSURE_DEF_REFUSED("triangleCount");
	shape = MakeMesh(s_tetrahedron, TN_MAX_BODY_TRIANGLES + 1);
	ENSURE_DEF_REFUSED("triangle");
	shape = MakeMesh(NULL, 4);
	ENSURE_DEF_REFUSED("triangles");
	shape = MakeMesh(s_tetrahedron, 4);
	shape.points = NULL;
	ENSURE_DEF_REFUSED("points");

	// A hull of too few, of flat, of bad and of too many points.
	shape = MakeMesh(NULL, 0);
	shape.kind = tn_hullShape;
	shape.pointCount = 3;
	ENSURE_DEF_REFUSED("shapes[0]");
	const tnVec3 flat[] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {1.0f, 0.0f, 1.0f}};
	shape.points = flat;
	shape.pointCount = 4;
	ENSURE_DEF_REFUSED("shapes[0]");
	tnVec3 bad[4];
	memcpy(bad, s_corners, sizeof(bad));
	bad[2].y = NAN;
	shape.points = bad;
	ENSURE_DEF_REFUSED("points");
	shape.points = s_corners;
	shape.pointCount = TN_MAX_HULL_POINTS + 1;
	ENSURE_DEF_REFUSED("pointCount");
	ENSURE(StepMany(bench.world, 3));
	tnDestroyWorld(bench.world);
	return 0;
}

static int BadMovesAreRefused(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench, tn_shallowMethod));
	const tnVec3 zero = {0.0f, 0.0f, 0.0f};
	const tnPose good = {s_middle, {0.0f, 0.0f, 0.0f, 1.0f}};
	tnPose pose = good;
	for (int i = 0; i < 3; ++i)
	{
		pose.position.z = s_bad[i];
		ENSURE_REFUSED(tnWorld_MoveBody(bench.world, bench.body, &pose, zero, zero), tn_invalidArgument, "position");
		pose = good;
		pose.rotation.w = s_bad[i];
		ENSURE_REFUSED(tnWorld_MoveBody(bench.world, bench.body, &pose, zero, zero), tn_invalidArgument, "rotation");
		pose = good;
		const tnVec3 fast = {s_bad[i], 0.0f, 0.0f};
		ENSURE_REFUSED(tnWorld_MoveBody(bench.world, bench.body, &pose, fast, zero), tn_invalidArgument, "velocity");
		ENSURE_REFUSED(tnWorld_MoveBody(bench.world, bench.body, &pose, zero, fast), tn_invalidArgument, "spin");
	}
	pose.rotation = (tnQuat){0.0f, 0.0f, 0.0f, 0.0f};
	ENSURE_REFUSED(tnWorld_MoveBody(bench.world, bench.body, &pose, zero, zero), tn_invalidArgument, "rotation");
	pose = good;
	pose.position.x = 1.1e6f;
	ENSURE_REFUSED(tnWorld_MoveBody(bench.world, bench.body, &pose, zero, zero), tn_invalidArgument, "position");
	ENSURE_REFUSED(tnWorld_MoveBody(bench.world, bench.body, NULL, zero, zero), tn_invalidArgument, "pose");
	ENSURE_REFUSED(tnWorld_SetBodyMode(bench.world, bench.body, tn_bodyModeCount), tn_invalidArgument, "mode");
	ENSURE_REFUSED(tnWorld_GetBodyWrench(bench.world, bench.body, NULL), tn_invalidArgument, "wrench");
	ENSURE_REFUSED(tnWorld_GetBodyState(bench.world, bench.body, NULL), tn_invalidArgument, "state");
	ENSURE_REFUSED(tnWorld_GetBodyMesh(bench.world, bench.body, NULL), tn_invalidArgument, "mesh");
	ENSURE_REFUSED(tnWorld_CopyWaterline(bench.world, bench.body, NULL, 0, NULL), tn_invalidArgument, "count");
	// It has not moved.
	tnBodyState state;
	ENSURE_OK(tnWorld_GetBodyState(bench.world, bench.body, &state));
	ENSURE(memcmp(&state.pose, &good, sizeof(good)) == 0);
	ENSURE_EQUAL_HEX(tnWorld_GetHash(bench.world), bench.hash);
	ENSURE(StepMany(bench.world, 3));
	tnDestroyWorld(bench.world);
	return 0;
}

static int StaleIdsAreRefused(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench, tn_pipeMethod));
	ENSURE(tnBody_IsValid(bench.world, bench.body));
	ENSURE_OK(tnWorld_DestroyBody(bench.world, bench.body));
	// The next one takes its place, but not its name.
	const tnShapeDef shape = MakeBox(1.0f, 1.0f, 1.0f);
	const tnBodyDef def = MakeDef(&shape);
	tnBodyId next;
	ENSURE_OK(tnWorld_CreateBody(bench.world, &def, &next));
	const tnVec3 zero = {0.0f, 0.0f, 0.0f};
	const tnBodyId ids[] = {bench.body, {0, 0}, {-5, 1}, {1000000, 1}, {INT32_MAX, 0}, {INT32_MIN, 0}};
	for (int i = 0; i < 6; ++i)
	{
		tnWrench wrench;
		tnBodyState state;
		tnBodyMesh mesh;
		int count = 0;
		ENSURE(tnBody_IsValid(bench.world, ids[i]) == false);
		ENSURE_REFUSED(tnWorld_DestroyBody(bench.world, ids[i]), tn_staleId, "");
		ENSURE_REFUSED(tnWorld_MoveBody(bench.world, ids[i], &def.pose, zero, zero), tn_staleId, "");
		ENSURE_REFUSED(tnWorld_SetBodyMode(bench.world, ids[i], tn_autoBody), tn_staleId, "");
		ENSURE_REFUSED(tnWorld_GetBodyWrench(bench.world, ids[i], &wrench), tn_staleId, "");
		ENSURE_REFUSED(tnWorld_GetBodyState(bench.world, ids[i], &state), tn_staleId, "");
		ENSURE_REFUSED(tnWorld_GetBodyMesh(bench.world, ids[i], &mesh), tn_staleId, "");
		ENSURE_REFUSED(tnWorld_CopyWaterline(bench.world, ids[i], NULL, 0, &count), tn_staleId, "");
	}
	ENSURE(tnBody_IsValid(bench.world, next));
	ENSURE_EQUAL_INT(tnWorld_GetBodies(bench.world, NULL, 0), 1);
	ENSURE(StepMany(bench.world, 3));
	tnDestroyWorld(bench.world);
	return 0;
}

// A host that calls from inside its own job system, while the world steps.
typedef struct Meddler
{
	tnWorld* world;
	tnBodyId body;
	int callCount, refusedCount;
	int errorCount;
} Meddler;

// Told of every refusal, and asks back: what has no result to refuse with must not tell it again.
static void HearMeddling(const tnResult* result, void* context)
{
	Meddler* meddler = context;
	meddler->errorCount += result->status == tn_notAvailable ? 1 : 0;
	(void)tnWorld_GetStats(meddler->world);
}

// Calls that have no result: nothing to see, nothing destroyed.
static int CountAnswers(Meddler* meddler)
{
	tnWorld* world = meddler->world;
	const int errorCount = meddler->errorCount;
	tnDestroyWorld(world);
	const bool isTold = meddler->errorCount == errorCount + 1;
	const tnVec2 place = {20.0f, 20.0f};
	int answers = isTold ? 0 : 1;
	answers += tnWorld_GetBed(world).data != NULL || tnWorld_GetDepth(world).data != NULL ? 1 : 0;
	answers += tnWorld_GetPreviousDepth(world).data != NULL || tnWorld_GetLift(world).data != NULL ? 1 : 0;
	answers += tnWorld_GetTracer(world, 0).data != NULL || tnWorld_GetFoam(world).data != NULL ? 1 : 0;
	answers += tnWorld_Sample(world, place).inside || tnWorld_GetLedger(world).volume != 0.0 ? 1 : 0;
	answers += tnWorld_GetStats(world).stepCount != 0 || tnWorld_GetHash(world) != 0 ? 1 : 0;
	answers += tnWorld_GetSpray(world).particles != NULL || tnWorld_GetWaveTileCount(world) != 0 ? 1 : 0;
	answers += tnWorld_GetRegionEvents(world).events != NULL || tnWorld_GetBreakers(world).breakers != NULL ? 1 : 0;
	// What no step changes.
	answers += tnBody_IsValid(world, meddler->body) && tnWorld_GetBodies(world, NULL, 0) == 1 ? 0 : 1;
	answers += tnWorld_GetDef(world).columnCount == 200 ? 0 : 1;
	return answers;
}

static void* StartMeddling(tnTaskFcn* task, void* taskContext, void* context)
{
	Meddler* meddler = context;
	if (meddler->world != NULL)
	{
		const tnShapeDef shape = MakeBox(1.0f, 1.0f, 1.0f);
		const tnBodyDef def = MakeDef(&shape);
		const tnVec3 zero = {0.0f, 0.0f, 0.0f};
		tnBodyId id;
		const tnStatus statuses[] = {tnWorld_CreateBody(meddler->world, &def, &id).status,
			tnWorld_MoveBody(meddler->world, meddler->body, &def.pose, zero, zero).status,
			tnWorld_SetBodyMode(meddler->world, meddler->body, tn_floatingBody).status,
			tnWorld_DestroyBody(meddler->world, meddler->body).status, tnWorld_Step(meddler->world, 0.01f).status,
			CountAnswers(meddler) == 0 ? tn_notAvailable : tn_ok};
		for (int i = 0; i < (int)(sizeof(statuses) / sizeof(statuses[0])); ++i)
		{
			meddler->callCount += 1;
			meddler->refusedCount += statuses[i] == tn_notAvailable ? 1 : 0;
		}
	}
	task(taskContext);
	return NULL;
}

static void WaitForNothing(void* hostTask, void* context)
{
	(void)hostTask;
	(void)context;
}

static int CallsDuringAStepAreRefused(void)
{
	Meddler meddler = {0};
	tnWorldDef worldDef = tnDefaultWorldDef();
	worldDef.columnCount = 200;
	worldDef.rowCount = 200;
	worldDef.tracerCount = 1;
	worldDef.keepPrevious = true;
	worldDef.foam.enable = true;
	worldDef.spray.enable = true;
	worldDef.waves.enable = true;
	worldDef.tasks = (tnTaskSystem){StartMeddling, WaitForNothing, &meddler, 2};
	worldDef.errors = (tnErrorHook){HearMeddling, &meddler};
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&worldDef, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	const tnShapeDef shape = MakeBox(3.0f, 1.0f, 3.0f);
	const tnBodyDef def = MakeDef(&shape);
	ENSURE_OK(tnWorld_CreateBody(world, &def, &meddler.body));
	meddler.world = world;
	for (int i = 0; i < 3; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	ENSURE(meddler.callCount > 0);
	ENSURE_EQUAL_INT(meddler.refusedCount, meddler.callCount);
	// Other calls have tasks, too.
	const int callCount = meddler.callCount;
	ENSURE_OK(tnWorld_SetMethod(world, tn_shallowMethod, tn_conservativeAdvection));
	(void)tnWorld_GetLedger(world);
	ENSURE(meddler.callCount > callCount);
	ENSURE_EQUAL_INT(meddler.refusedCount, meddler.callCount);
	meddler.world = NULL;
	ENSURE(tnBody_IsValid(world, meddler.body));
	ENSURE(StepMany(world, 3));
	tnDestroyWorld(world);
	return 0;
}

// Whatever allocation fails, the world is as it was and goes on.
static int MemoryRunsOut(void)
{
	TestAllocator allocator = {0};
	tnWorldDef worldDef = tnDefaultWorldDef();
	worldDef.columnCount = columnCount;
	worldDef.rowCount = rowCount;
	worldDef.allocator = TestGetAllocator(&allocator);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&worldDef, &world));
	ENSURE_OK(tnWorld_FillToLevel(world, 1.0f));
	const tnShapeDef shape = MakeBox(3.0f, 1.0f, 3.0f);
	const tnBodyDef def = MakeDef(&shape);
	bool done = false;
	for (int i = 1; i < 200 && done == false; ++i)
	{
		allocator.failIn = i;
		tnBodyId id = {7, 7};
		const tnResult result = tnWorld_CreateBody(world, &def, &id);
		done = result.status == tn_ok;
		allocator.failIn = 0;
		if (done == false)
		{
			ENSURE_EQUAL_INT(result.status, tn_outOfMemory);
			ENSURE(id.index1 == 0);
			ENSURE_EQUAL_INT(tnWorld_GetBodies(world, NULL, 0), 0);
		}
		ENSURE(StepMany(world, 1));
	}
	ENSURE(done);
	tnDestroyWorld(world);
	ENSURE_EQUAL_INT(allocator.liveBytes, 0);
	ENSURE_EQUAL_INT(allocator.badFreeCount, 0);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Odd, but sound

static const tnMethod s_methods[] = {tn_pipeMethod, tn_linearMethod, tn_shallowMethod};

// Puts a body of one box into the bench and steps.
static int CheckBox(Bench* bench, tnVec3 size, tnVec3 middle, tnBodyMode mode, int stepCount, tnBodyId* id)
{
	const tnShapeDef shape = MakeBox(size.x, size.y, size.z);
	tnBodyDef def = MakeDef(&shape);
	def.pose.position = middle;
	def.mode = mode;
	ENSURE_OK(tnWorld_CreateBody(bench->world, &def, id));
	ENSURE(StepMany(bench->world, stepCount));
	ENSURE(IsFinite(bench->world, *id));
	return 0;
}

// A body that covers the whole world: the water has nowhere to go but up or nowhere at all, and is kept.
static int BodyLargerThanTheWorld(void)
{
	for (int i = 0; i < 3; ++i)
	{
		for (int mode = tn_blockingBody; mode <= tn_floatingBody; ++mode)
		{
			Bench bench;
			ENSURE(OpenBench(&bench, s_methods[i]));
			tnBodyId id;
			const tnVec3 size = {1000.0f, 10.0f, 1000.0f};
			// Above the water, touching it, pressed to the ground.
			ENSURE_EQUAL_INT(CheckBox(&bench, size, (tnVec3){10.0f, 9.0f, 7.0f}, (tnBodyMode)mode, 5, &id), 0);
			const float heights[] = {5.9f, 5.5f, 5.0f, 0.0f, -2.0f, 8.0f};
			for (int k = 0; k < 6; ++k)
			{
				const tnPose pose = {{10.0f, heights[k], 7.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
				const tnVec3 velocity = {0.0f, -1.0f, 0.0f};
				ENSURE_OK(tnWorld_MoveBody(bench.world, id, &pose, velocity, (tnVec3){0.0f, 0.0f, 0.0f}));
				ENSURE(StepMany(bench.world, 5));
				ENSURE(IsFinite(bench.world, id));
			}
			ENSURE_OK(tnWorld_DestroyBody(bench.world, id));
			ENSURE(StepMany(bench.world, 20));
			tnDestroyWorld(bench.world);
		}
	}
	return 0;
}

static int TeleportsAcrossTheWorld(void)
{
	for (int i = 0; i < 3; ++i)
	{
		Bench bench;
		ENSURE(OpenBench(&bench, s_methods[i]));
		TestRandom random = TestMakeRandom(11);
		for (int step = 0; step < 120; ++step)
		{
			tnPose pose;
			pose.position.x = TestRandomFloat(&random, -5.0f, 25.0f);
			pose.position.y = TestRandomFloat(&random, -1.0f, 3.0f);
			pose.position.z = TestRandomFloat(&random, -5.0f, 20.0f);
			pose.rotation.x = TestRandomFloat(&random, -1.0f, 1.0f);
			pose.rotation.y = TestRandomFloat(&random, -1.0f, 1.0f);
			pose.rotation.z = TestRandomFloat(&random, -1.0f, 1.0f);
			pose.rotation.w = 1.0f;
			const float speed = step % 10 == 0 ? 1.0e4f : 3.0f;
			const tnVec3 velocity = {speed, -speed, speed};
			const tnVec3 spin = {-speed, speed, speed};
			ENSURE_OK(tnWorld_MoveBody(bench.world, bench.body, &pose, velocity, spin));
			ENSURE(StepMany(bench.world, 1));
			ENSURE(IsFinite(bench.world, bench.body));
		}
		tnDestroyWorld(bench.world);
	}
	return 0;
}

// In one place, each as large as a cell, each larger, and all the same.
static int TenBodiesInOneCell(void)
{
	for (int i = 0; i < 3; ++i)
	{
		Bench bench;
		ENSURE(OpenBench(&bench, s_methods[i]));
		for (int k = 0; k < 10; ++k)
		{
			tnBodyId id;
			const float size = k < 5 ? 0.5f : 0.4f + 0.2f * (float)k;
			ENSURE_EQUAL_INT(CheckBox(&bench, (tnVec3){size, 1.0f, size}, (tnVec3){5.25f, 1.0f, 5.25f},
								 k % 2 == 0 ? tn_blockingBody : tn_floatingBody, 5, &id),
				0);
		}
		ENSURE(StepMany(bench.world, 60));
		tnDestroyWorld(bench.world);
	}
	return 0;
}

// Outside, far below the ground, high in the air: no force, no effect.
static int BodiesThatAreNowhere(void)
{
	const tnVec3 places[] = {{-50.0f, 1.0f, 5.0f}, {5.0f, 1.0f, 500.0f}, {5.0f, 50.0f, 5.0f}, {1.0e5f, 1.0e5f, -1.0e5f},
		{5.0f, -30.0f, 5.0f}};
	for (int i = 0; i < 5; ++i)
	{
		Bench plain;
		Bench bench;
		ENSURE(OpenBench(&plain, tn_shallowMethod));
		ENSURE(OpenBench(&bench, tn_shallowMethod));
		tnBodyId id;
		ENSURE_EQUAL_INT(CheckBox(&bench, (tnVec3){2.0f, 2.0f, 2.0f}, places[i], tn_blockingBody, 20, &id), 0);
		ENSURE(StepMany(plain.world, 20));
		ENSURE_EQUAL_HEX(tnWorld_GetHash(bench.world), tnWorld_GetHash(plain.world));
		tnWrench wrench;
		ENSURE_OK(tnWorld_GetBodyWrench(bench.world, id, &wrench));
		ENSURE(wrench.force.x == 0.0f && wrench.force.y == 0.0f && wrench.force.z == 0.0f);
		tnDestroyWorld(bench.world);
		tnDestroyWorld(plain.world);
	}
	return 0;
}

// Half in the ground, across the shore, across the edge of the world.
static int BodiesInTheGround(void)
{
	const tnVec3 places[] = {{5.0f, 0.0f, 5.0f}, {5.0f, -0.9f, 5.0f}, {17.0f, 1.0f, 5.0f}, {19.5f, 2.0f, 5.0f},
		{0.0f, 0.8f, 0.0f}, {20.5f, 1.0f, 14.5f}};
	for (int i = 0; i < 6; ++i)
	{
		for (int k = 0; k < 3; ++k)
		{
			Bench bench;
			ENSURE(OpenBench(&bench, s_methods[k]));
			tnBodyId id;
			ENSURE_EQUAL_INT(CheckBox(&bench, (tnVec3){2.0f, 2.0f, 3.0f}, places[i], tn_blockingBody, 60, &id), 0);
			tnWrench wrench;
			ENSURE_OK(tnWorld_GetBodyWrench(bench.world, id, &wrench));
			// Never more than the water that it could displace if it was drowned in a flood of a meter more.
			ENSURE(fabsf(wrench.force.y) < 2.0f * 12.0f * 9810.0f);
			tnDestroyWorld(bench.world);
		}
	}
	return 0;
}

// A closed sphere of a million triangles.
static int AMillionTriangles(void)
{
	enum
	{
		rings = 500,
		sectors = 1002,
		pointCount = (rings - 1) * sectors + 2,
		triangleCount = 2 * sectors * (rings - 1)
	};
	tnVec3* points = malloc(pointCount * sizeof(tnVec3));
	int32_t* triangles = malloc((size_t)triangleCount * 3 * sizeof(int32_t));
	ENSURE(points != NULL && triangles != NULL);
	const double pi = 3.14159265358979;
	const int top = pointCount - 2;
	const int bottom = pointCount - 1;
	points[top] = (tnVec3){0.0f, 1.0f, 0.0f};
	points[bottom] = (tnVec3){0.0f, -1.0f, 0.0f};
	int32_t* next = triangles;
	for (int ring = 1; ring < rings; ++ring)
	{
		for (int i = 0; i < sectors; ++i)
		{
			const double a = pi * ring / rings;
			const double b = 2.0 * pi * i / sectors;
			const int here = (ring - 1) * sectors + i;
			const int right = (ring - 1) * sectors + (i + 1) % sectors;
			points[here] = (tnVec3){(float)(sin(a) * cos(b)), (float)cos(a), (float)(sin(a) * sin(b))};
			if (ring == 1)
			{
				*next++ = top, *next++ = right, *next++ = here;
			}
			if (ring == rings - 1)
			{
				*next++ = bottom, *next++ = here, *next++ = right;
			}
			else
			{
				*next++ = here, *next++ = right, *next++ = right + sectors;
				*next++ = here, *next++ = right + sectors, *next++ = here + sectors;
			}
		}
	}
	ENSURE_EQUAL_INT(next - triangles, 3 * triangleCount);
	Bench bench;
	ENSURE(OpenBench(&bench, tn_pipeMethod));
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_meshShape;
	shape.points = points;
	shape.pointCount = pointCount;
	shape.triangles = triangles;
	shape.triangleCount = triangleCount;
	tnBodyDef def = MakeDef(&shape);
	def.pose.position = (tnVec3){5.0f, 1.0f, 5.0f};
	tnBodyId id;
	ENSURE_OK(tnWorld_CreateBody(bench.world, &def, &id));
	free(points);
	free(triangles);
	ENSURE(StepMany(bench.world, 4));
	ENSURE(IsFinite(bench.world, id));
	tnBodyState state;
	ENSURE_OK(tnWorld_GetBodyState(bench.world, id, &state));
	ENSURE_CLOSE(state.volume, 4.0 / 3.0 * pi, 1.0e-3);
	tnDestroyWorld(bench.world);
	return 0;
}

// Thousands, of both modes, moved and destroyed in any order.
static int ThousandsOfBodies(void)
{
	enum
	{
		bodyCount = 3000
	};
	Bench bench;
	ENSURE(OpenBench(&bench, tn_shallowMethod));
	static tnBodyId ids[bodyCount];
	TestRandom random = TestMakeRandom(3);
	const tnShapeDef shape = MakeBox(0.3f, 0.3f, 0.3f);
	tnBodyDef def = MakeDef(&shape);
	for (int i = 0; i < bodyCount; ++i)
	{
		def.mode = i % 4 == 0 ? tn_blockingBody : tn_autoBody;
		def.pose.position.x = TestRandomFloat(&random, 0.0f, 20.0f);
		def.pose.position.y = TestRandomFloat(&random, 0.5f, 1.5f);
		def.pose.position.z = TestRandomFloat(&random, 0.0f, 14.0f);
		ENSURE_OK(tnWorld_CreateBody(bench.world, &def, ids + i));
	}
	ENSURE_EQUAL_INT(tnWorld_GetBodies(bench.world, NULL, 0), bodyCount + 1);
	ENSURE(StepMany(bench.world, 3));
	for (int i = 0; i < bodyCount; i += 2)
	{
		ENSURE_OK(tnWorld_DestroyBody(bench.world, ids[(i * 7) % bodyCount]));
		ENSURE(tnBody_IsValid(bench.world, ids[(i * 7) % bodyCount]) == false);
	}
	ENSURE(StepMany(bench.world, 3));
	ENSURE_EQUAL_INT(tnWorld_GetBodies(bench.world, NULL, 0), bodyCount / 2 + 1);
	tnDestroyWorld(bench.world);
	return 0;
}

// Body edits of every kind between steps of a world whose method, terrain and water change too.
static int EverythingChangesAtOnce(void)
{
	Bench bench;
	ENSURE(OpenBench(&bench, tn_pipeMethod));
	TestRandom random = TestMakeRandom(5);
	for (int i = 0; i < 150; ++i)
	{
		const int kind = TestRandomInt(&random, 0, 5);
		tnBodyId id;
		switch (kind)
		{
			case 0:
				ENSURE_OK(tnWorld_SetMethod(bench.world, s_methods[i % 3], (tnAdvection)(i % tn_advectionCount)));
				break;
			case 1:
				ENSURE_OK(tnWorld_AddWater(
					bench.world, (tnVec2){5.0f, 5.0f}, 2.0f, TestRandomFloat(&random, -5.0f, 5.0f), NULL));
				break;
			case 2:
			{
				tnBrush brush = tnDefaultBrush();
				brush.center = (tnVec2){9.0f, 7.0f};
				brush.radius = 3.0f;
				brush.amount = TestRandomFloat(&random, -0.5f, 0.5f);
				ENSURE_OK(tnWorld_EditTerrain(bench.world, &brush));
				break;
			}
			case 3:
			{
				const tnVec3 middle = {
					TestRandomFloat(&random, 0.0f, 20.0f), 1.0f, TestRandomFloat(&random, 0.0f, 14.0f)};
				ENSURE_EQUAL_INT(CheckBox(&bench, (tnVec3){2.0f, 1.0f, 2.0f}, middle, tn_autoBody, 1, &id), 0);
				break;
			}
			case 4:
				ENSURE_OK(tnWorld_SetBodyMode(bench.world, bench.body, (tnBodyMode)(i % tn_bodyModeCount)));
				break;
			default:
			{
				tnBodyId ids[64];
				const int count = tnWorld_GetBodies(bench.world, ids, 64);
				if (count > 4)
				{
					ENSURE_OK(tnWorld_DestroyBody(bench.world, ids[count - 1]));
				}
				break;
			}
		}
		ENSURE_OK(tnWorld_Step(bench.world, 1.0f / 30.0f));
	}
	// The turnover of all edits is more than what is left of them.
	const tnLedger ledger = tnWorld_GetLedger(bench.world);
	ENSURE(fabs(ledger.drift) <= 1.0e-5 * fabs(ledger.edits));
	tnDestroyWorld(bench.world);
	return 0;
}

static const Test s_tests[] = {
	{"BadDefsAreRefused", BadDefsAreRefused},
	{"BadShapesAreRefused", BadShapesAreRefused},
	{"BadMovesAreRefused", BadMovesAreRefused},
	{"StaleIdsAreRefused", StaleIdsAreRefused},
	{"CallsDuringAStepAreRefused", CallsDuringAStepAreRefused},
	{"MemoryRunsOut", MemoryRunsOut},
	{"BodyLargerThanTheWorld", BodyLargerThanTheWorld},
	{"TeleportsAcrossTheWorld", TeleportsAcrossTheWorld},
	{"TenBodiesInOneCell", TenBodiesInOneCell},
	{"BodiesThatAreNowhere", BodiesThatAreNowhere},
	{"BodiesInTheGround", BodiesInTheGround},
	{"AMillionTriangles", AMillionTriangles},
	{"ThousandsOfBodies", ThousandsOfBodies},
	{"EverythingChangesAtOnce", EverythingChangesAtOnce},
};
const TestSuite body_inputSuite = TEST_SUITE("body_input", s_tests);

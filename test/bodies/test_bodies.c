// SPDX-License-Identifier: MIT

// What must hold whatever bodies do to the water: volume, symmetry, the same bits, states that are told. How well they
// float is in the verification cases B01 to B13.

#include "body_water_kit.h"
#include "golden.h"

#include <math.h>
#include <string.h>

static bool IsFinite(tnWrench wrench)
{
	return isfinite(wrench.force.x) && isfinite(wrench.force.y) && isfinite(wrench.force.z) &&
		isfinite(wrench.torque.x) && isfinite(wrench.torque.y) && isfinite(wrench.torque.z);
}

// ---------------------------------------------------------------------------------------------------------------------
// A busy scene: bodies of all shapes that move, appear, vanish and jump over ground with water.

enum
{
	busyBodies = 12
};

static const tnVec3 s_octahedron[] = {{0.9f, 0.0f, 0.1f}, {-0.8f, 0.1f, 0.0f}, {0.0f, 0.7f, 0.0f}, {0.1f, -0.8f, 0.0f},
	{0.0f, 0.0f, 0.9f}, {0.0f, 0.1f, -0.9f}};

static tnShapeDef MakeBusyShape(int i)
{
	tnShapeDef shape = MakeBox(1.1f + 0.2f * (float)(i % 3), 0.8f, 1.7f);
	switch (i % 5)
	{
		case 1:
			shape.kind = tn_sphereShape;
			shape.radius = 0.7f;
			break;
		case 2:
			shape.kind = tn_cylinderShape;
			shape.radius = 0.5f;
			shape.halfLength = 0.9f;
			break;
		case 3:
			shape.kind = tn_capsuleShape;
			shape.radius = 0.4f;
			shape.halfLength = 0.6f;
			break;
		case 4:
			shape.kind = tn_hullShape;
			shape.points = s_octahedron;
			shape.pointCount = 6;
			break;
		default:
			break;
	}
	return shape;
}

typedef struct Busy
{
	tnWorld* world;
	tnBodyId ids[busyBodies];
	bool mirrored;
} Busy;

static const float s_width = 0.5f * (float)columnCount;

static tnVec3 MirrorVector(const Busy* busy, tnVec3 v)
{
	return (tnVec3){busy->mirrored ? -v.x : v.x, v.y, v.z};
}

// A spin mirrors the other way than a vector does.
static tnVec3 MirrorSpin(const Busy* busy, tnVec3 v)
{
	return busy->mirrored ? (tnVec3){v.x, -v.y, -v.z} : v;
}

// From -1 to 1 and back, with a period of 1. Plain arithmetic: the same bits everywhere.
static float Wave(float t)
{
	return 4.0f * fabsf(t - floorf(t) - 0.5f) - 1.0f;
}

// Where a body of the busy scene is at a step.
static tnPose GetBusyPose(const Busy* busy, int i, int step)
{
	const float t = (float)step / 384.0f;
	const float place = 0.125f * (float)i;
	const float x = 4.0f + (float)(i % 4) * 7.0f + 0.75f * Wave(t * (1.0f + 0.125f * (float)i) + place);
	const float y = 1.25f + 0.5f * Wave(2.0f * t + place);
	const float z = 3.5f + (float)(i / 4) * 5.5f + 0.625f * Wave(t + 0.25f + place);
	// Need not be of unit length.
	const float turn = Wave(0.25f * t + place);
	tnQuat q = {0.25f * turn, turn, 0.125f * (float)(i % 3) * turn, 1.0f};
	if (busy->mirrored)
	{
		q.y = -q.y;
		q.z = -q.z;
	}
	return (tnPose){{busy->mirrored ? s_width - x : x, y, z}, q};
}

static tnResult AddBusyBody(Busy* busy, int i, int step)
{
	tnShapeDef shape = MakeBusyShape(i);
	static tnVec3 points[6];
	for (int k = 0; k < 6 && shape.kind == tn_hullShape; ++k)
	{
		points[k] = MirrorVector(busy, s_octahedron[k]);
		shape.points = points;
	}
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = &shape;
	def.shapeCount = 1;
	def.mass = 600.0f;
	def.mode = i % 3 == 2 ? tn_floatingBody : tn_blockingBody;
	def.pose = GetBusyPose(busy, i, step);
	return tnWorld_CreateBody(busy->world, &def, busy->ids + i);
}

// Ground that rises to an island, water over most of it.
static bool OpenBusy(Busy* busy, const tnWorldDef* def, bool mirrored)
{
	memset(busy, 0, sizeof(*busy));
	busy->mirrored = mirrored;
	static float heights[cellCount];
	for (int i = 0; i < cellCount; ++i)
	{
		const int column = mirrored ? columnCount - 1 - i % columnCount : i % columnCount;
		heights[i] = 0.0625f * (float)(column / 4) + 0.125f * (float)(i / columnCount % 5);
	}
	bool ok = tnCreateWorld(def, &busy->world).status == tn_ok;
	ok = ok && tnWorld_SetTerrain(busy->world, heights).status == tn_ok;
	ok = ok && tnWorld_FillToLevel(busy->world, 1.25f).status == tn_ok;
	for (int i = 0; i < busyBodies && ok; ++i)
	{
		ok = AddBusyBody(busy, i, 0).status == tn_ok;
	}
	return ok;
}

// @param wrenches receives what the step did to the bodies. May be NULL
static bool StepBusy(Busy* busy, int step, tnWrench* wrenches)
{
	bool ok = true;
	for (int i = 0; i < busyBodies && ok; ++i)
	{
		if ((step + 13 * i) % 40 == 39)
		{
			// Away with it, and a new one somewhere else on its way.
			ok = tnWorld_DestroyBody(busy->world, busy->ids[i]).status == tn_ok;
			ok = ok && AddBusyBody(busy, i, step + 300).status == tn_ok;
			continue;
		}
		// Some jump.
		const int time = (step + 7 * i) % 25 == 24 ? step + 1000 : step;
		const tnPose pose = GetBusyPose(busy, i, time);
		const tnVec3 velocity = MirrorVector(busy, (tnVec3){0.7f, -0.4f, 0.3f});
		const tnVec3 spin = MirrorSpin(busy, (tnVec3){0.1f, 0.5f, -0.2f});
		ok = tnWorld_MoveBody(busy->world, busy->ids[i], &pose, velocity, spin).status == tn_ok;
	}
	ok = ok && tnWorld_Step(busy->world, 1.0f / 60.0f).status == tn_ok;
	for (int i = 0; i < busyBodies && ok && wrenches != NULL; ++i)
	{
		ok = tnWorld_GetBodyWrench(busy->world, busy->ids[i], wrenches + i).status == tn_ok;
	}
	return ok;
}

static float FindHighestSurface(const tnWorld* world)
{
	float highest = 0.0f;
	for (int i = 0; i < cellCount; ++i)
	{
		highest = fmaxf(highest, GetSurface(world, i % columnCount, i / columnCount));
	}
	return highest;
}

// Whatever bodies do, water is neither lost nor made, nor thrown up: the level is 1.25 m, bodies reach up to 2.5 m, and
// a fountain of twice that is too much.
static int VolumeIsKept(void)
{
	for (int way = 0; way < wayCount; ++way)
	{
		const tnWorldDef def = MakeDef(way);
		Busy busy;
		ENSURE(OpenBusy(&busy, &def, false));
		for (int step = 0; step < 200; ++step)
		{
			tnWrench wrenches[busyBodies];
			ENSURE(StepBusy(&busy, step, wrenches));
			for (int i = 0; i < busyBodies; ++i)
			{
				ENSURE(IsFinite(wrenches[i]));
			}
			ENSURE(FindHighestSurface(busy.world) < 5.0f);
		}
		ENSURE(IsSound(busy.world));
		// The limit of case F11.
		ENSURE(GetDrift(busy.world) < 1.0e-6);
		for (int i = 0; i < busyBodies; ++i)
		{
			ENSURE_OK(tnWorld_DestroyBody(busy.world, busy.ids[i]));
		}
		ENSURE(StepMany(busy.world, 30));
		ENSURE(GetDrift(busy.world) < 1.0e-6);
		const tnFieldView lift = tnWorld_GetLift(busy.world);
		for (int i = 0; i < cellCount && lift.data != NULL; ++i)
		{
			ENSURE(lift.data[i / columnCount * lift.stride + i % columnCount] == 0.0f);
		}
		tnDestroyWorld(busy.world);
	}
	return 0;
}

// FNV-1a over the bits of the wrenches and the hash of the water.
static uint64_t HashBusy(int way, int workerCount, tnSimd simd)
{
	tnWorldDef def = MakeDef(way);
	def.tasks.workerCount = workerCount;
	def.simd = simd;
	uint64_t hash = 0xCBF29CE484222325u;
	Busy busy;
	bool ok = OpenBusy(&busy, &def, false);
	for (int step = 0; step < 60 && ok; ++step)
	{
		tnWrench wrenches[busyBodies];
		ok = StepBusy(&busy, step, wrenches);
		unsigned char bytes[sizeof(wrenches)];
		memcpy(bytes, wrenches, sizeof(wrenches));
		for (size_t i = 0; i < sizeof(bytes); ++i)
		{
			hash = (hash ^ bytes[i]) * 0x100000001B3u;
		}
	}
	hash ^= ok ? tnWorld_GetHash(busy.world) : 0;
	tnDestroyWorld(busy.world);
	return ok ? hash : 0;
}

static int SameBits(void)
{
	for (int way = 0; way < 4; ++way)
	{
		const uint64_t first = HashBusy(way, 1, tn_simdAuto);
		ENSURE(first != 0);
		ENSURE_EQUAL_HEX(HashBusy(way, 1, tn_simdAuto), first);
		ENSURE_EQUAL_HEX(HashBusy(way, 2, tn_simdAuto), first);
		ENSURE_EQUAL_HEX(HashBusy(way, 3, tn_simdAuto), first);
		ENSURE_EQUAL_HEX(HashBusy(way, 8, tn_simdAuto), first);
		for (int simd = tn_simdScalar; simd <= tn_simdWasm; ++simd)
		{
			if (tnIsSimdAvailable((tnSimd)simd))
			{
				ENSURE_EQUAL_HEX(HashBusy(way, 2, (tnSimd)simd), first);
			}
		}
	}
	return 0;
}

// A house on dry land, turned, with its foot in the ground, while water comes: many heads are exactly where a line begins.
static uint64_t HashHouse(int way, tnSimd simd)
{
	tnWorldDef def = MakeDef(way);
	def.simd = simd;
	tnWorld* world = OpenWorld(&def, -9.0f);
	static float bed[cellCount];
	for (int i = 0; i < cellCount; ++i)
	{
		bed[i] = 1.4f - 0.02f * (float)(i / columnCount);
	}
	const tnShapeDef shape = MakeBox(4.0f, 3.0f, 3.0f);
	tnBodyDef house = tnDefaultBodyDef();
	house.shapes = &shape;
	house.shapeCount = 1;
	house.mass = INFINITY;
	house.pose = (tnPose){{18.5f, 1.4f, 9.0f}, {0.0f, -0.0871557f, 0.0f, 0.9961947f}};
	tnBodyId id;
	bool ok = world != NULL && tnWorld_SetTerrain(world, bed).status == tn_ok &&
		tnWorld_CreateBody(world, &house, &id).status == tn_ok;
	uint64_t hash = 0xCBF29CE484222325u;
	for (int step = 0; step < 60 && ok; ++step)
	{
		ok = tnWorld_AddWater(world, (tnVec2){14.0f, 8.0f}, 1.5f, 0.05f, NULL).status == tn_ok && StepMany(world, 1);
		const tnFieldView lift = tnWorld_GetLift(world);
		for (int i = 0; i < cellCount && lift.data != NULL; ++i)
		{
			uint32_t bits;
			memcpy(&bits, lift.data + i / columnCount * lift.stride + i % columnCount, sizeof(bits));
			hash = (hash ^ bits) * 0x100000001B3u;
		}
	}
	hash ^= ok ? tnWorld_GetHash(world) : 0;
	tnDestroyWorld(world);
	return ok ? hash : 0;
}

static int HousesHaveSameBits(void)
{
	for (int way = 0; way < wayCount; ++way)
	{
		const uint64_t first = HashHouse(way, tn_simdAuto);
		ENSURE(first != 0);
		for (int simd = tn_simdScalar; simd <= tn_simdWasm; ++simd)
		{
			if (tnIsSimdAvailable((tnSimd)simd))
			{
				ENSURE_EQUAL_HEX(HashHouse(way, (tnSimd)simd), first);
			}
		}
	}
	return 0;
}

// The same bits on every machine, for any compiler, and in WebAssembly.
static int BitsAreGolden(void)
{
	static const uint64_t golden[wayCount] = {TNC_GOLDEN_BODIES_PIPE, TNC_GOLDEN_BODIES_LINEAR,
		TNC_GOLDEN_BODIES_SHALLOW, TNC_GOLDEN_BODIES_SHALLOW_FINE, TNC_GOLDEN_BODIES_SHALLOW_SL,
		TNC_GOLDEN_BODIES_SHALLOW_MC};
	int badCount = 0;
	for (int way = 0; way < wayCount; ++way)
	{
		// All of them are told, so that all can be looked at in one run.
		badCount += TestCheckHex(__FILE__, __LINE__, "hash", HashBusy(way, 2, tn_simdAuto), golden[way]) ? 0 : 1;
	}
	ENSURE_EQUAL_INT(badCount, 0);
	return 0;
}

// Water that has come to rest around bodies sleeps, and sleeping water changes no more: what bodies felt last is not paid
// back to it again and again.
static int SleepingWaterStays(void)
{
	for (int way = 0; way < 4; ++way)
	{
		tnWorldDef def = MakeDef(way);
		def.friction = 2.0f;
		tnWorld* world = OpenWorld(&def, 1.0f);
		ENSURE(world != NULL);
		tnBodyId ids[2];
		ENSURE_OK(AddBox(world, (tnVec3){2.1f, 1.0f, 3.2f}, (tnVec3){9.1f, 1.0f, 8.3f}, tn_blockingBody, ids));
		ENSURE_OK(AddBox(world, (tnVec3){1.1f, 0.8f, 1.2f}, (tnVec3){19.3f, 0.4f, 11.3f}, tn_blockingBody, ids + 1));
		for (int i = 0; i < 60 && (i == 0 || tnWorld_GetStats(world).awakeTileCount > 0); ++i)
		{
			ENSURE(StepMany(world, 60));
		}
		ENSURE_EQUAL_INT(tnWorld_GetStats(world).awakeTileCount, 0);
		static float surface[cellCount];
		for (int i = 0; i < cellCount; ++i)
		{
			surface[i] = GetSurface(world, i % columnCount, i / columnCount);
		}
		ENSURE(StepMany(world, 120));
		static float velocityX[cellCount];
		static float velocityZ[cellCount];
		ENSURE_OK(tnWorld_CopyVelocities(world, velocityX, velocityZ));
		int changes = 0;
		for (int i = 0; i < cellCount; ++i)
		{
			const bool still = velocityX[i] == 0.0f && velocityZ[i] == 0.0f;
			changes += still && surface[i] == GetSurface(world, i % columnCount, i / columnCount) ? 0 : 1;
		}
		ENSURE_EQUAL_INT(changes, 0);
		tnWrench wrench;
		ENSURE_OK(tnWorld_GetBodyWrench(world, ids[0], &wrench));
		// What it displaces holds it up, and nothing else pushes.
		ENSURE_CLOSE(wrench.force.y, 9810.0 * 2.1 * 3.2 * 0.5, 9810.0 * 2.1 * 3.2 * 0.02);
		ENSURE_CLOSE(wrench.force.x, 0.0, 5.0);
		ENSURE_CLOSE(wrench.force.z, 0.0, 5.0);
		tnDestroyWorld(world);
	}
	return 0;
}

// Bodies that rest are left alone while others move; cut anew each step they do the same. Not bit for bit: their heads
// are then found from the surface once more.
static int RestingBodiesAreLeftAlone(void)
{
	for (int way = 0; way < 4; ++way)
	{
		const tnWorldDef def = MakeDef(way);
		tnWorld* worlds[2] = {NULL, NULL};
		for (int i = 0; i < 2; ++i)
		{
			worlds[i] = OpenWorld(&def, 1.0f);
			ENSURE(worlds[i] != NULL);
			tnBodyId mover, rest[2];
			ENSURE_OK(AddBox(worlds[i], (tnVec3){2.1f, 1.0f, 3.2f}, (tnVec3){9.1f, 1.0f, 5.3f}, tn_blockingBody, rest));
			ENSURE_OK(
				AddBox(worlds[i], (tnVec3){1.1f, 0.8f, 1.2f}, (tnVec3){13.3f, 0.4f, 14.3f}, tn_blockingBody, rest + 1));
			ENSURE_OK(
				AddBox(worlds[i], (tnVec3){1.3f, 0.8f, 1.7f}, (tnVec3){18.2f, 1.0f, 9.2f}, tn_blockingBody, &mover));
			for (int step = 1; step <= 90; ++step)
			{
				const tnPose pose = MakePose(18.2f + 0.0103f * (float)step, 1.0f, 9.2f);
				const tnVec3 none = {0.0f, 0.0f, 0.0f};
				ENSURE_OK(tnWorld_MoveBody(worlds[i], mover, &pose, (tnVec3){0.618f, 0.0f, 0.0f}, none));
				// A motion too slow to matter, and another one in each step.
				const tnVec3 hardly = {1.0e-20f * (float)step, 0.0f, 0.0f};
				const tnPose poses[2] = {MakePose(9.1f, 1.0f, 5.3f), MakePose(13.3f, 0.4f, 14.3f)};
				for (int k = 0; k < 2; ++k)
				{
					ENSURE_OK(tnWorld_MoveBody(worlds[i], rest[k], poses + k, i == 0 ? none : hardly, none));
				}
				ENSURE_OK(tnWorld_Step(worlds[i], 1.0f / 60.0f));
			}
			ENSURE(IsSound(worlds[i]) && GetDrift(worlds[i]) < 1.0e-6);
		}
		double worst = 0.0;
		for (int k = 0; k < cellCount; ++k)
		{
			const float a = GetSurface(worlds[0], k % columnCount, k / columnCount);
			worst = fmax(worst, fabs((double)a - (double)GetSurface(worlds[1], k % columnCount, k / columnCount)));
		}
		ENSURE_CLOSE(worst, 0.0, 1.0e-3);
		tnDestroyWorld(worlds[0]);
		tnDestroyWorld(worlds[1]);
	}
	return 0;
}

// A body that nothing can move is where it was after a step of any length: water around it sleeps, although the host has
// another time step each time. One that could fall is awaited elsewhere after each, and keeps it awake.
static int FixedBodiesIgnoreTheTimeStep(void)
{
	for (int i = 0; i < 3; ++i)
	{
		tnWorldDef def = MakeDef(0);
		def.friction = 2.0f;
		tnWorld* world = OpenWorld(&def, 1.0f);
		ENSURE(world != NULL);
		const tnShapeDef shape = MakeBox(2.1f, 1.0f, 3.2f);
		tnBodyDef bodyDef = tnDefaultBodyDef();
		bodyDef.shapes = &shape;
		bodyDef.shapeCount = 1;
		bodyDef.mass = i == 1 ? 3360.0f : INFINITY;
		bodyDef.pose = MakePose(9.1f, 1.0f, 8.3f);
		// Too slow to matter for the water.
		bodyDef.spin.y = i == 2 ? 1.0e-20f : 0.0f;
		tnBodyId id;
		ENSURE_OK(tnWorld_CreateBody(world, &bodyDef, &id));
		for (int step = 0; step < 3600; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, step % 2 == 0 ? 1.0f / 60.0f : 1.0f / 55.0f));
		}
		const int awake = tnWorld_GetStats(world).awakeTileCount;
		ENSURE(i == 0 ? awake == 0 : awake > 0);
		tnWrench wrench;
		ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
		ENSURE_CLOSE(wrench.force.y, 9810.0 * 2.1 * 3.2 * 0.5, 9810.0 * 2.1 * 3.2 * 0.02);
		tnDestroyWorld(world);
	}
	return 0;
}

// A box that moves and a boulder on the ground, which share cells, in a current through a world that wraps both ways;
// all of it some cells further on.
static tnWorld* RunAround(int way, int columns, int rows, int shiftX, int shiftZ, double* drift)
{
	tnWorldDef def = MakeDef(way);
	def.columnCount = columns;
	def.rowCount = rows;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side].kind = tn_wrapEdge;
	}
	static float speed[cellCount];
	static float zero[cellCount];
	for (int i = 0; i < cellCount; ++i)
	{
		speed[i] = 0.5f;
		zero[i] = 0.0f;
	}
	tnWorld* world = OpenWorld(&def, 2.0f);
	const float x = (float)shiftX * s_cellSize;
	const float z = (float)shiftZ * s_cellSize;
	tnBodyId box, boulder;
	bool ok = world != NULL && tnWorld_SetVelocities(world, speed, zero).status == tn_ok &&
		AddBox(world, (tnVec3){3.1f, 1.0f, 2.2f}, (tnVec3){8.3f + x, 2.0f, 7.13f + z}, tn_blockingBody, &box).status ==
			tn_ok &&
		AddBox(world, (tnVec3){2.3f, 1.2f, 1.7f}, (tnVec3){10.87f + x, 0.6f, 7.93f + z}, tn_blockingBody, &boulder)
				.status == tn_ok;
	for (int step = 1; step <= 60 && ok; ++step)
	{
		const tnPose pose = MakePose(8.3f + x + 0.0103f * (float)step, 2.0f, 7.13f + z);
		ok = tnWorld_MoveBody(world, box, &pose, (tnVec3){0.618f, 0.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 0.0f}).status ==
				tn_ok &&
			tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok;
	}
	if (!ok || !IsSound(world))
	{
		tnDestroyWorld(world);
		return NULL;
	}
	*drift = GetDrift(world);
	return world;
}

// Where a world wraps bodies are whole: what crosses an edge, or both, does what it does in the middle. Not bit for bit:
// cells are swept in another order, and sweeps stop at a hundredth of the first change. A box that is pushed through a
// gap changes the depth there by half a meter. Sizes are odd and even, because an odd world has two cells of one colour
// side by side where it wraps.
static int BodiesCrossWrappedEdges(void)
{
	const int sizes[][2] = {{columnCount, rowCount}, {40, 36}, {57, 32}};
	const int shifts[][2] = {{-17, 0}, {0, -14}, {-16, -15}, {-13, -12}, {columnCount, 3 * rowCount}};
	for (int way = 0; way < wayCount; ++way)
	{
		const int* size = sizes[way % 3];
		double drift = 1.0;
		tnWorld* still = RunAround(way, size[0], size[1], 0, 0, &drift);
		ENSURE(still != NULL);
		ENSURE(drift < 1.0e-6);
		for (int i = 0; i < 5; ++i)
		{
			tnWorld* moved = RunAround(way, size[0], size[1], shifts[i][0], shifts[i][1], &drift);
			ENSURE(moved != NULL);
			ENSURE(drift < 1.0e-6);
			double worst = 0.0;
			for (int k = 0; k < size[0] * size[1]; ++k)
			{
				const int column = (k % size[0] + shifts[i][0] + 10 * size[0]) % size[0];
				const int row = (k / size[0] + shifts[i][1] + 10 * size[1]) % size[1];
				const float a = GetDepth(still, k % size[0], k / size[0]);
				worst = fmax(worst, fabs((double)a - (double)GetDepth(moved, column, row)));
			}
			ENSURE_CLOSE(worst, 0.0, 5.0e-3);
			tnDestroyWorld(moved);
		}
		tnDestroyWorld(still);
	}
	return 0;
}

// A box that swells and shrinks in each step, and becomes a sphere and back: no water comes or goes, refused shapes change nothing,
// and the surface stays near where it was.
static int ShapesChangeInPlace(void)
{
	for (int way = 0; way < wayCount; ++way)
	{
		const tnWorldDef def = MakeDef(way);
		tnWorld* world = OpenWorld(&def, 2.0f);
		ENSURE(world != NULL);
		tnBodyId id;
		ENSURE_OK(AddBox(world, (tnVec3){3.1f, 1.0f, 2.2f}, (tnVec3){8.3f, 2.0f, 7.13f}, tn_blockingBody, &id));
		ENSURE(StepMany(world, 30));
		tnBodyState state;
		ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
		const float before = state.volume;
		tnShapeDef bad = MakeBox(1.0f, -1.0f, 1.0f);
		ENSURE(tnWorld_SetBodyShapes(world, id, &bad, 1).status == tn_invalidArgument);
		ENSURE(tnWorld_SetBodyShapes(world, id, NULL, 1).status == tn_invalidArgument);
		ENSURE(tnWorld_SetBodyShapes(world, (tnBodyId){0}, &bad, 1).status == tn_staleId);
		for (int step = 0; step < 120; ++step)
		{
			const int phase = step % 20;
			const float grown = 1.0f + 0.02f * (float)(phase < 10 ? phase : 20 - phase);
			tnShapeDef shape = MakeBox(3.1f * grown, 1.0f, 2.2f * grown);
			shape.kind = step % 40 == 39 ? tn_sphereShape : tn_boxShape;
			shape.radius = 1.0f;
			ENSURE_OK(tnWorld_SetBodyShapes(world, id, &shape, 1));
			ENSURE(StepMany(world, 1));
			ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
			if (shape.kind == tn_boxShape)
			{
				ENSURE_CLOSE(state.volume, before * grown * grown, 1.0e-3f * before);
			}
			ENSURE(FindHighestSurface(world) < 3.0f);
		}
		ENSURE(IsSound(world));
		ENSURE(GetDrift(world) < 1.0e-6);
		tnDestroyWorld(world);
	}
	return 0;
}

// The mirrored scene mirrors. Not bit for bit: the middles of mirrored shapes are rounded differently (width - x), sums
// over triangles and cells run in another order, and what is cut off a cell is one less what was left before. That is
// some 1e-6 of a cell in each step, and waves carry it on; a mistake of sign or of a neighbour makes centimeters.
static int MirroredScenesMirror(void)
{
	for (int way = 0; way < 4; ++way)
	{
		const tnWorldDef def = MakeDef(way);
		Busy own;
		Busy other;
		ENSURE(OpenBusy(&own, &def, false));
		ENSURE(OpenBusy(&other, &def, true));
		double worst = 0.0;
		double worstForce = 0.0;
		for (int step = 0; step < 45; ++step)
		{
			tnWrench a[busyBodies];
			tnWrench b[busyBodies];
			ENSURE(StepBusy(&own, step, a));
			ENSURE(StepBusy(&other, step, b));
			for (int i = 0; i < busyBodies; ++i)
			{
				double off = fabs((double)a[i].force.x + (double)b[i].force.x);
				off = fmax(off, fabs((double)a[i].force.y - (double)b[i].force.y));
				off = fmax(off, fabs((double)a[i].torque.z + (double)b[i].torque.z));
				// Over the force on the body, or over a weight of 6 kN if that is more.
				worstForce = fmax(worstForce, off / fmax(6000.0, fabs((double)a[i].force.y)));
			}
		}
		for (int i = 0; i < cellCount; ++i)
		{
			const int column = i % columnCount;
			const int row = i / columnCount;
			const float a = GetDepth(own.world, column, row);
			const float b = GetDepth(other.world, columnCount - 1 - column, row);
			worst = fmax(worst, fabs((double)a - (double)b));
		}
		ENSURE_CLOSE(worst, 0.0, 1.0e-3);
		ENSURE_CLOSE(worstForce, 0.0, 0.01);
		tnDestroyWorld(own.world);
		tnDestroyWorld(other.world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// States

// What a box that lies still half in the water says of itself.
static int StatesAreTold(void)
{
	tnWorldDef def = MakeDef(0);
	def.friction = 1.0f;
	tnWorld* world = OpenWorld(&def, 2.0f);
	ENSURE(world != NULL);
	const tnShapeDef shape = MakeBox(2.0f, 1.0f, 3.0f);
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = &shape;
	body.shapeCount = 1;
	body.mass = 3000.0f;
	body.pose = MakePose(15.2f, 2.0f, 9.1f);
	body.userData = 77;
	tnBodyId id;
	ENSURE_OK(tnWorld_CreateBody(world, &body, &id));
	tnWrench wrench;
	ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
	ENSURE(wrench.force.y == 0.0f);
	ENSURE(StepMany(world, 1200));

	// It lifts the level by 3 / 564 m.
	const double level = 2.0 + 3.0 / (cellCount * 0.25);
	const double submerged = 6.0 * (level - 1.5);
	tnBodyState state;
	ENSURE_OK(tnWorld_GetBodyState(world, id, &state));
	ENSURE_EQUAL_INT(state.mode, tn_blockingBody);
	ENSURE_EQUAL_INT(state.userData, 77);
	ENSURE_CLOSE(state.volume, 6.0, 1.0e-4);
	ENSURE_CLOSE(state.submergedVolume, submerged, 0.005 * submerged);
	ENSURE_CLOSE(state.waterlineArea, 6.0, 0.01);
	ENSURE_CLOSE(state.waterlineHeight, level, 0.002);
	ENSURE_CLOSE(state.buoyancyCenter.x, 15.2, 0.01);
	ENSURE_CLOSE(state.buoyancyCenter.y, 1.5 + 0.5 * (level - 1.5), 0.01);
	ENSURE_CLOSE(state.buoyancyCenter.z, 9.1, 0.01);
	ENSURE_OK(tnWorld_GetBodyWrench(world, id, &wrench));
	ENSURE_CLOSE(wrench.force.y, 9810.0 * submerged, 0.005 * 9810.0 * submerged);
	ENSURE_CLOSE(wrench.force.x, 0.0, 0.001 * 9810.0 * submerged);
	ENSURE_CLOSE(wrench.force.z, 0.0, 0.001 * 9810.0 * submerged);
	ENSURE_CLOSE(wrench.force.y, state.pressure.y + state.drag.y, 0.1);

	// The waterline runs around it at the level.
	int count = 0;
	ENSURE_OK(tnWorld_CopyWaterline(world, id, NULL, 0, &count));
	ENSURE(count >= 8 && count % 2 == 0 && count <= 64);
	tnVec3 points[64];
	ENSURE_OK(tnWorld_CopyWaterline(world, id, points, 64, &count));
	double length = 0.0;
	for (int i = 0; i < count; i += 2)
	{
		ENSURE_CLOSE(points[i].y, level, 0.01);
		const double x = (double)points[i + 1].x - (double)points[i].x;
		const double z = (double)points[i + 1].z - (double)points[i].z;
		length += sqrt(x * x + z * z);
	}
	ENSURE_CLOSE(length, 10.0, 0.05);

	tnBodyMesh mesh;
	ENSURE_OK(tnWorld_GetBodyMesh(world, id, &mesh));
	ENSURE_EQUAL_INT(mesh.pointCount, 8);
	ENSURE_EQUAL_INT(mesh.triangleCount, 12);
	tnBodyId ids[2];
	ENSURE_EQUAL_INT(tnWorld_GetBodies(world, NULL, 0), 1);
	ENSURE_EQUAL_INT(tnWorld_GetBodies(world, ids, 2), 1);
	ENSURE_EQUAL_INT(ids[0].index1, id.index1);
	tnDestroyWorld(world);
	return 0;
}

// Narrow bodies float, wide ones block, and the host may decide.
static int ModesAreChosen(void)
{
	const tnWorldDef def = MakeDef(0);
	tnWorld* world = OpenWorld(&def, 1.0f);
	ENSURE(world != NULL);
	tnBodyId narrow;
	tnBodyId wide;
	tnBodyState state;
	tnShapeDef log = tnDefaultShapeDef();
	log.halfExtents = (tnVec3){0.15f, 0.15f, 1.0f};
	tnBodyDef logDef = tnDefaultBodyDef();
	logDef.shapes = &log;
	logDef.shapeCount = 1;
	logDef.pose.position = (tnVec3){5.0f, 1.0f, 5.0f};
	ENSURE_OK(tnWorld_CreateBody(world, &logDef, &narrow));
	ENSURE_OK(AddBox(world, (tnVec3){1.0f, 0.3f, 2.0f}, (tnVec3){15.0f, 1.0f, 5.0f}, tn_autoBody, &wide));
	ENSURE_OK(tnWorld_GetBodyState(world, narrow, &state));
	ENSURE_EQUAL_INT(state.mode, tn_floatingBody);
	ENSURE_OK(tnWorld_GetBodyState(world, wide, &state));
	ENSURE_EQUAL_INT(state.mode, tn_blockingBody);
	// What never moves is a fence if it is as long as a cell, and a pole if it is not.
	for (int i = 0; i < 2; ++i)
	{
		tnShapeDef shape = tnDefaultShapeDef();
		shape.halfExtents = (tnVec3){0.05f, 1.0f, i == 0 ? 2.0f : 0.1f};
		tnBodyDef body = tnDefaultBodyDef();
		body.shapes = &shape;
		body.shapeCount = 1;
		body.mass = INFINITY;
		body.pose.position = (tnVec3){10.0f, 1.0f, 5.0f + 4.0f * (float)i};
		tnBodyId fence;
		ENSURE_OK(tnWorld_CreateBody(world, &body, &fence));
		ENSURE_OK(tnWorld_GetBodyState(world, fence, &state));
		ENSURE_EQUAL_INT(state.mode, i == 0 ? tn_blockingBody : tn_floatingBody);
	}
	ENSURE_OK(tnWorld_SetBodyMode(world, narrow, tn_blockingBody));
	ENSURE_OK(tnWorld_GetBodyState(world, narrow, &state));
	ENSURE_EQUAL_INT(state.mode, tn_blockingBody);
	ENSURE(StepMany(world, 5));
	ENSURE_OK(tnWorld_SetBodyMode(world, wide, tn_floatingBody));
	ENSURE(StepMany(world, 5));
	ENSURE_OK(tnWorld_GetBodyState(world, wide, &state));
	ENSURE_EQUAL_INT(state.mode, tn_floatingBody);
	ENSURE(GetDrift(world) < 1.0e-6);
	tnDestroyWorld(world);
	return 0;
}

static int StepsDoNotAllocate(void)
{
	for (int way = 0; way < wayCount; ++way)
	{
		TestAllocator allocator = {0};
		tnWorldDef def = MakeDef(way);
		def.allocator = TestGetAllocator(&allocator);
		Busy busy;
		ENSURE(OpenBusy(&busy, &def, false));
		ENSURE(StepMany(busy.world, 1));
		const int before = allocator.allocationCount;
		for (int step = 0; step < 20; ++step)
		{
			for (int i = 0; i < busyBodies; ++i)
			{
				const tnPose pose = GetBusyPose(&busy, i, 3 * step);
				ENSURE_OK(tnWorld_MoveBody(
					busy.world, busy.ids[i], &pose, (tnVec3){1.0f, 0.0f, 0.0f}, (tnVec3){0.0f, 1.0f, 0.0f}));
			}
			ENSURE_OK(tnWorld_Step(busy.world, 1.0f / 60.0f));
		}
		ENSURE_EQUAL_INT(allocator.allocationCount, before);
		tnDestroyWorld(busy.world);
		ENSURE_EQUAL_INT(allocator.liveBytes, 0);
		ENSURE_EQUAL_INT(allocator.badFreeCount, 0);
	}
	return 0;
}

static const Test s_tests[] = {
	{"VolumeIsKept", VolumeIsKept},
	{"SameBits", SameBits},
	{"HousesHaveSameBits", HousesHaveSameBits},
	{"BitsAreGolden", BitsAreGolden},
	{"SleepingWaterStays", SleepingWaterStays},
	{"RestingBodiesAreLeftAlone", RestingBodiesAreLeftAlone},
	{"FixedBodiesIgnoreTheTimeStep", FixedBodiesIgnoreTheTimeStep},
	{"BodiesCrossWrappedEdges", BodiesCrossWrappedEdges},
	{"ShapesChangeInPlace", ShapesChangeInPlace},
	{"MirroredScenesMirror", MirroredScenesMirror},
	{"StatesAreTold", StatesAreTold},
	{"ModesAreChosen", ModesAreChosen},
	{"StepsDoNotAllocate", StepsDoNotAllocate},
};

const TestSuite bodiesSuite = TEST_SUITE("bodies", s_tests);

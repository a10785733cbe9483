// SPDX-License-Identifier: MIT

// Hollow bodies: which are found, how deep they float, how they fill, sink, are bailed, capsize, and that no water is lost on the way.

#include "boat_kit.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

static const float s_level = 5.0f;

static tnWorldDef MakeSea(tnMethod method, float size, float cell)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = (int)(size / cell);
	def.rowCount = (int)(size / cell);
	def.cellSize = cell;
	def.method = method;
	def.friction = 0.3f;
	def.tasks.workerCount = 1;
	return def;
}

static tnWorld* OpenSea(const tnWorldDef* def)
{
	tnWorld* world = NULL;
	if (tnCreateWorld(def, &world).status != tn_ok || tnWorld_FillToLevel(world, s_level).status != tn_ok)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

static tnHollowState GetHollow(tnWorld* world, const Boat* boat, int index)
{
	tnHollowState state = {.held = NAN};
	tnWorld_GetHollow(world, boat->id, index, &state);
	return state;
}

// Water in cells and in bodies together, m^3.
static double GetAllWater(tnWorld* world)
{
	const tnLedger ledger = tnWorld_GetLedger(world);
	return ledger.volume + ledger.held;
}

// Drift of the ledger over the water. Shallow water keeps what rounding leaves over, until it sleeps: a unit in the last place of each
// depth at most. Pipes do not: a slow drain of 2.7 m^3 out of 11520 drifts by 0.4 m^3, with bodies or without.
static double GetDriftLimit(const tnWorld* world)
{
	return tnWorld_GetDef(world).method == tn_shallowMethod ? 1.2e-7 : 5.0e-5;
}

static bool IsBooked(tnWorld* world)
{
	const tnLedger ledger = tnWorld_GetLedger(world);
	return fabs(ledger.drift) <= GetDriftLimit(world) * ledger.volume;
}

// A litre. A boat that appears in the water makes a splash.
static const double s_splash = 1.0e-3;

// ---------------------------------------------------------------------------------------------------------------------
// Which are found

typedef struct Found
{
	int count;
	float volumes[TN_MAX_HOLLOWS];
	bool open[TN_MAX_HOLLOWS];
	float displaced;
} Found;

static Found Find(tnWorld* world, const tnShapeDef* shapes, int count, bool hollows)
{
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shapes;
	def.shapeCount = count;
	def.hollows = hollows;
	def.pose.position = (tnVec3){12.0f, 20.0f, 12.0f};
	tnBodyId id;
	Found found = {.count = -1};
	if (tnWorld_CreateBody(world, &def, &id).status == tn_ok)
	{
		found.count = tnWorld_GetHollowCount(world, id);
		for (int i = 0; i < found.count; ++i)
		{
			tnHollowState state;
			tnWorld_GetHollow(world, id, i, &state);
			found.volumes[i] = state.volume;
			found.open[i] = state.open;
		}
		tnBodyState state;
		tnWorld_GetBodyState(world, id, &state);
		found.displaced = state.volume;
		tnWorld_DestroyBody(world, id);
	}
	return found;
}

static int FindsHollows(void)
{
	const tnWorldDef def = MakeSea(tn_pipeMethod, 24.0f, 1.0f);
	tnWorld* world = OpenSea(&def);
	ENSURE(world != NULL);
	BoatMesh mesh;
	tnShapeDef boat = MakeBoatMesh(&mesh);
	for (int turn = 0; turn < 12; ++turn)
	{
		// About the vertical axis all the same.
		const float angle = 0.27f * (float)turn;
		boat.pose.rotation = (tnQuat){0.0f, sinf(0.5f * angle), 0.0f, cosf(0.5f * angle)};
		const Found found = Find(world, &boat, 1, true);
		ENSURE_EQUAL_INT(found.count, 1);
		ENSURE(found.open[0]);
		ENSURE_CLOSE(found.volumes[0], BOAT_HOLLOW, 1.0e-5 * BOAT_HOLLOW);
		ENSURE_CLOSE(found.displaced, 8.0, 1.0e-5);
	}
	boat.pose.rotation = (tnQuat){0.0f, 0.0f, 0.0f, 1.0f};
	ENSURE_EQUAL_INT(Find(world, &boat, 1, false).count, 0);
	boat.pose.rotation = (tnQuat){1.0f, 0.0f, 0.0f, 0.0f};
	ENSURE_EQUAL_INT(Find(world, &boat, 1, true).count, 0);

	tnShapeDef boxes[6];
	Found found = Find(world, boxes, MakeBoatOfBoxes(boxes, false), true);
	ENSURE_EQUAL_INT(found.count, 1);
	ENSURE_CLOSE(found.volumes[0], BOAT_HOLLOW, 1.0e-4 * BOAT_HOLLOW);
	ENSURE_CLOSE(found.displaced, 8.0, 1.0e-4);
	found = Find(world, boxes, MakeBoatOfBoxes(boxes, true), true);
	ENSURE_EQUAL_INT(found.count, 2);
	ENSURE_CLOSE(found.volumes[0], 1.85 * 1.8 * 0.9, 1.0e-4);
	ENSURE_CLOSE(found.volumes[1], 1.85 * 1.8 * 0.9, 1.0e-4);

	// Walls that lie in each other, and one of them 0.2 m lower.
	boxes[3] = MakePlank(0.0f, -0.1f, -0.95f, 2.0f, 0.4f, 0.05f);
	boxes[4] = MakePlank(0.0f, 0.0f, 0.95f, 2.0f, 0.5f, 0.05f);
	found = Find(world, boxes, 5, true);
	ENSURE_EQUAL_INT(found.count, 1);
	ENSURE_CLOSE(found.volumes[0], 3.8 * 1.8 * 0.7, 1.0e-3);

	// What holds nothing: rafts, tables, a box, a box in a box.
	tnShapeDef raft[4] = {MakePlank(0.0f, 0.0f, -0.5f, 2.0f, 0.2f, 0.2f), MakePlank(0.0f, 0.0f, 0.0f, 2.0f, 0.2f, 0.2f),
		MakePlank(0.0f, 0.0f, 0.5f, 2.0f, 0.2f, 0.2f), MakePlank(0.0f, 0.3f, 0.0f, 0.2f, 0.1f, 1.0f)};
	ENSURE_EQUAL_INT(Find(world, raft, 4, true).count, 0);
	ENSURE_EQUAL_INT(Find(world, raft, 1, true).count, 0);
	tnDestroyWorld(world);
	return 0;
}

// A box of 2 m with a room of 1.6 m in it: closed on all sides.
static int ClosedRoomsStayDry(void)
{
	tnVec3 points[16];
	int32_t triangles[72];
	static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
	int count = 0;
	for (int part = 0; part < 2; ++part)
	{
		const float size = part == 0 ? 1.0f : 0.8f;
		for (int i = 0; i < 8; ++i)
		{
			points[8 * part + i] = (tnVec3){i & 1 ? size : -size, i & 2 ? size : -size, i & 4 ? size : -size};
		}
		for (int i = 0; i < 6; ++i)
		{
			const int* face = faces[i];
			const int first = 8 * part;
			const bool turn = part == 1;
			AddQuad(triangles, &count, first + face[0], first + face[turn ? 3 : 1], first + face[2],
				first + face[turn ? 1 : 3]);
		}
	}
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_meshShape;
	shape.points = points;
	shape.pointCount = 16;
	shape.triangles = triangles;
	shape.triangleCount = count / 3;
	const tnWorldDef def = MakeSea(tn_shallowMethod, 24.0f, 0.5f);
	tnWorld* world = OpenSea(&def);
	ENSURE(world != NULL);
	Boat boat;
	// It floats with half of it below.
	ENSURE_OK(AddBoat(world, &boat, &shape, 1, 4000.0, 12.0, s_level, 12.0));
	boat.damping = 0.5;
	ENSURE_EQUAL_INT(tnWorld_GetHollowCount(world, boat.id), 1);
	const tnHollowState room = GetHollow(world, &boat, 0);
	ENSURE(!room.open && room.rim == INFINITY);
	ENSURE_CLOSE(room.volume, 4.096, 1.0e-4);
	ENSURE(StepBoats(world, &boat, 1, 900, 1.0 / 60.0, false));
	tnBodyState state;
	ENSURE_OK(tnWorld_GetBodyState(world, boat.id, &state));
	ENSURE_CLOSE(state.submergedVolume, 4.0, 0.04);
	ENSURE(state.heldVolume == 0.0f);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Draft

static int BoatsStayDry(void)
{
	static const tnMethod methods[] = {tn_pipeMethod, tn_shallowMethod};
	static const float cells[] = {1.0f, 0.25f};
	for (int i = 0; i < TEST_REPEATS(12); ++i)
	{
		const tnWorldDef def = MakeSea(methods[i % 2], 24.0f, cells[i / 2 % 2]);
		tnWorld* world = OpenSea(&def);
		ENSURE(world != NULL);
		BoatMesh mesh;
		tnShapeDef shapes[6];
		shapes[0] = MakeBoatMesh(&mesh);
		const int count = i % 3 == 2 ? MakeBoatOfBoxes(shapes, i % 4 == 3) : 1;
		Boat boat;
		ENSURE_OK(AddBoat(world, &boat, shapes, count, BOAT_MASS, 12.0 + 0.17 * i, s_level + 0.2, 12.0 - 0.11 * i));
		TurnBoat(&boat, 1, 0.37 * i);
		boat.damping = 0.3;
		ENSURE(StepBoats(world, &boat, 1, 900, 1.0 / 60.0, true));
		double draft = 0.0;
		const int looks = 300;
		for (int step = 0; step < looks; ++step)
		{
			ENSURE(StepBoats(world, &boat, 1, 1, 1.0 / 60.0, true));
			tnBodyState state;
			ENSURE_OK(tnWorld_GetBodyState(world, boat.id, &state));
			draft += ((double)state.waterlineHeight - (boat.position[1] - 0.5)) / looks;
		}
		ENSURE_CLOSE(draft, BOAT_DRAFT, 0.01 * BOAT_DRAFT);
		ENSURE(tnWorld_GetLedger(world).held < s_splash);
		ENSURE(IsBooked(world));
		tnDestroyWorld(world);
	}
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Holes

// A boat that is held fast, with its floor 0.4 m below the surface. Until the water inside stands halfway up to that outside:
// A / (C a) sqrt(2 h / g) (1 - sqrt(1/2)), A the area of the hollow.
static int HolesFloodInTime(void)
{
	// The small hole in the fine sea takes ten times as long.
	for (int i = 0; i < (TEST_BREVITY > 1 ? 2 : 4); ++i)
	{
		const tnWorldDef def = MakeSea(i % 2 == 0 ? tn_pipeMethod : tn_shallowMethod, 48.0f, i < 2 ? 1.0f : 0.5f);
		tnWorld* world = OpenSea(&def);
		ENSURE(world != NULL);
		BoatMesh mesh;
		const tnShapeDef shape = MakeBoatMesh(&mesh);
		Boat boat;
		ENSURE_OK(AddBoat(world, &boat, &shape, 1, 1.0e30, 24.2, s_level, 23.7));
		for (int step = 0; step < 600; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		tnLeakDef leak = tnDefaultLeakDef();
		leak.position = (tnVec3){0.5f, -0.4f, 0.2f};
		leak.area = i < 2 ? 0.02f : 0.005f;
		ENSURE_OK(tnWorld_SetLeak(world, boat.id, 0, &leak));
		const double water = GetAllWater(world);
		const double head = 0.4 + 8.0 * 0.5 / (48.0 * 48.0); // it has lifted the sea
		const double exact = 6.84 / ((double)leak.discharge * leak.area) * sqrt(2.0 * head / 9.81) * (1.0 - sqrt(0.5));
		double seconds = 0.0;
		while (GetHollow(world, &boat, 0).held < 0.5 * head * 6.84 && seconds < 3.0 * exact)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			seconds += 1.0 / 60.0;
		}
		ENSURE_CLOSE(seconds, exact, 0.02 * exact);
		// And never higher than outside.
		for (int step = 0; step < (int)(240.0 * exact); ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		const tnHollowState state = GetHollow(world, &boat, 0);
		ENSURE_CLOSE(state.level, s_level, 0.01);
		ENSURE_CLOSE(GetAllWater(world), water, GetDriftLimit(world) * water);
		tnDestroyWorld(world);
	}
	return 0;
}

// One of two rooms leaks: the other stays dry, and the boat floats, trimmed. A hole in the bulkhead shares it.
static int BulkheadsHold(void)
{
	const tnWorldDef def = MakeSea(tn_shallowMethod, 32.0f, 0.5f);
	tnWorld* world = OpenSea(&def);
	ENSURE(world != NULL);
	tnShapeDef shapes[6];
	Boat boat;
	ENSURE_OK(AddBoat(world, &boat, shapes, MakeBoatOfBoxes(shapes, true), 1200.0, 16.0, s_level + 0.3, 16.0));
	boat.damping = 0.3;
	const double water = GetAllWater(world);
	tnLeakDef leak = tnDefaultLeakDef();
	leak.position = (tnVec3){-1.0f, -0.4f, 0.0f};
	leak.area = 0.05f;
	ENSURE_OK(tnWorld_SetLeak(world, boat.id, 3, &leak));
	ENSURE(StepBoats(world, &boat, 1, 2400, 1.0 / 60.0, true));
	const tnHollowState first = GetHollow(world, &boat, 0);
	ENSURE(first.held > 0.1 && GetHollow(world, &boat, 1).held == 0.0);
	ENSURE(GetHeel(&boat) > 0.02 && GetHeel(&boat) < 0.5);
	ENSURE_CLOSE(GetAllWater(world), water, GetDriftLimit(world) * water);
	ENSURE_OK(tnWorld_SetLeak(world, boat.id, 3, NULL));
	leak.position = (tnVec3){0.0f, -0.39f, 0.0f};
	leak.to = 1;
	ENSURE_OK(tnWorld_SetLeak(world, boat.id, 0, &leak));
	ENSURE(StepBoats(world, &boat, 1, 2400, 1.0 / 60.0, true));
	const double shared[2] = {GetHollow(world, &boat, 0).held, GetHollow(world, &boat, 1).held};
	ENSURE_CLOSE(shared[0], shared[1], 0.02 * first.held);
	ENSURE_CLOSE(shared[0] + shared[1], first.held, 1.0e-9);
	ENSURE(GetHeel(&boat) < 0.01);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Over the rim

static int OvertoppedBoatsSink(void)
{
	for (int i = 0; i < 2; ++i)
	{
		const tnWorldDef def = MakeSea(i == 0 ? tn_pipeMethod : tn_shallowMethod, 32.0f, 0.5f);
		tnWorld* world = OpenSea(&def);
		ENSURE(world != NULL);
		BoatMesh mesh;
		const tnShapeDef shape = MakeBoatMesh(&mesh);
		Boat boat;
		ENSURE_OK(AddBoat(world, &boat, &shape, 1, BOAT_MASS, 16.1, s_level + 0.2, 15.8));
		boat.damping = 0.3;
		const double water = GetAllWater(world);
		ENSURE(StepBoats(world, &boat, 1, 600, 1.0 / 60.0, true));
		ENSURE(GetHollow(world, &boat, 0).held < s_splash);
		// Held down with the gunwale 0.1 m below the surface, when the splash is over: 11.2 m of a broad weir.
		boat.position[1] = s_level - 0.6;
		memset(boat.velocity, 0, sizeof(boat.velocity));
		ENSURE(TellBoat(world, &boat));
		for (int step = 0; step < 150; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		tnBodyState state;
		double expected = 0.0;
		const double start = GetHollow(world, &boat, 0).held;
		for (int step = 0; step < 60; ++step)
		{
			ENSURE_OK(tnWorld_GetBodyState(world, boat.id, &state));
			const double head = (double)state.waterlineHeight - (s_level - 0.1);
			expected += 11.2 * 0.5443 * sqrt(9.81 * head) * head / 60.0;
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		ENSURE_CLOSE(GetHollow(world, &boat, 0).held - start, expected, 0.1 * expected);
		// With so much in it it does not come up again.
		for (int step = 0; step < 600 && GetHollow(world, &boat, 0).held < 5.7; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		ENSURE(GetHollow(world, &boat, 0).held >= 5.7);
		ENSURE(StepBoats(world, &boat, 1, 600, 1.0 / 60.0, true));
		ENSURE_CLOSE(GetHollow(world, &boat, 0).held, BOAT_HOLLOW, 0.001 * BOAT_HOLLOW);
		ENSURE(boat.position[1] < s_level - 2.0);
		ENSURE_CLOSE(GetAllWater(world), water, GetDriftLimit(world) * water);
		tnDestroyWorld(world);
	}
	return 0;
}

static int BailedBoatsRise(void)
{
	const tnWorldDef def = MakeSea(tn_shallowMethod, 32.0f, 0.5f);
	tnWorld* world = OpenSea(&def);
	ENSURE(world != NULL);
	tnShapeDef shapes[6];
	// Five boxes of wood and a keel of lead: stable with water in it.
	const int count = MakeBoatOfBoxes(shapes, false);
	for (int i = 0; i < count; ++i)
	{
		shapes[i].pose.position.y += 0.3f;
	}
	Boat boat;
	ENSURE_OK(AddBoat(world, &boat, shapes, count, BOAT_MASS, 16.0, s_level, 16.0));
	boat.damping = 0.3;
	ENSURE_OK(tnWorld_SetHollowWater(world, boat.id, 0, 2.0));
	ENSURE(StepBoats(world, &boat, 1, 1800, 1.0 / 60.0, true));
	tnBodyState state;
	ENSURE_OK(tnWorld_GetBodyState(world, boat.id, &state));
	ENSURE_CLOSE(state.submergedVolume, 4.5, 0.03);
	ENSURE_CLOSE(state.heldForce.y, -2.0 * 9810.0, 200.0);
	ENSURE(GetHeel(&boat) < 0.01);
	tnPumpDef pump = tnDefaultPumpDef();
	pump.rate = 0.1f;
	pump.position = (tnVec3){2.2f, 0.8f, 0.0f};
	ENSURE_OK(tnWorld_SetPump(world, boat.id, 0, &pump));
	// Half of it takes ten seconds.
	ENSURE(StepBoats(world, &boat, 1, 600, 1.0 / 60.0, true));
	ENSURE_CLOSE(GetHollow(world, &boat, 0).held, 1.0, 0.01);
	ENSURE(StepBoats(world, &boat, 1, 2400, 1.0 / 60.0, true));
	ENSURE_CLOSE(GetHollow(world, &boat, 0).held, 0.0, 1.0e-4);
	ENSURE_OK(tnWorld_GetBodyState(world, boat.id, &state));
	ENSURE_CLOSE(state.submergedVolume, 2.5, 0.03);
	ENSURE(IsBooked(world));
	tnDestroyWorld(world);
	return 0;
}

// Pumped out onto dry ground, where a cell has nothing that could round: a boat never holds less than nothing.
static int DryPumpsLeaveNothing(void)
{
	for (int i = 1; i <= 40; ++i)
	{
		tnWorldDef def = tnDefaultWorldDef();
		def.columnCount = 32;
		def.rowCount = 32;
		def.cellSize = 1.0f + 0.01f * (float)i;
		tnWorld* world = NULL;
		ENSURE_OK(tnCreateWorld(&def, &world));
		tnShapeDef shapes[6];
		const int count = MakeBoatOfBoxes(shapes, false);
		Boat boat;
		ENSURE_OK(AddBoat(world, &boat, shapes, count, BOAT_MASS, 16.0, 8.0, 16.0));
		ENSURE_OK(tnWorld_SetHollowWater(world, boat.id, 0, 0.01 + 0.013 * i));
		tnPumpDef pump = tnDefaultPumpDef();
		pump.rate = 3.0f;
		pump.position = (tnVec3){2.2f, 0.8f, 0.0f};
		ENSURE_OK(tnWorld_SetPump(world, boat.id, 0, &pump));
		for (int step = 0; step < 30; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			ENSURE(tnWorld_GetLedger(world).held >= 0.0);
		}
		ENSURE_CLOSE(tnWorld_GetLedger(world).held, 0.0, 1.0e-6);
		ENSURE(tnWorld_GetLedger(world).volume > 0.0);
		tnDestroyWorld(world);
	}
	return 0;
}

// Turned over in the air above the sea a boat loses all that it holds, in a second or two; at 30 degrees what is above its rim.
static int TippedBoatsPour(void)
{
	static const double angles[] = {0.5235987755982988, 1.5707963267948966, 3.0};
	// Of 6.156 m^3: with the lid at 30 degrees and the walls 1.8 m apart. Upright nothing is lost.
	static const double left[] = {(0.9 - 0.9 * 0.5773502691896257) * 1.8 * 3.8, 0.0, 0.0};
	for (int i = 0; i < 3; ++i)
	{
		const tnWorldDef def = MakeSea(tn_shallowMethod, 24.0f, 0.5f);
		tnWorld* world = OpenSea(&def);
		ENSURE(world != NULL);
		BoatMesh mesh;
		const tnShapeDef shape = MakeBoatMesh(&mesh);
		Boat boat;
		ENSURE_OK(AddBoat(world, &boat, &shape, 1, 1.0e30, 12.0, s_level + 4.0, 12.0));
		ENSURE_OK(tnWorld_SetHollowWater(world, boat.id, 0, 6.15));
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		ENSURE_CLOSE(GetHollow(world, &boat, 0).held, 6.15, 1.0e-9);
		const double water = GetAllWater(world);
		TurnBoat(&boat, 0, angles[i]);
		ENSURE(TellBoat(world, &boat));
		for (int step = 0; step < 600; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		}
		ENSURE_CLOSE(GetHollow(world, &boat, 0).held, left[i], 0.03);
		ENSURE_CLOSE(GetAllWater(world), water, GetDriftLimit(world) * water);
		tnDestroyWorld(world);
	}
	return 0;
}

// The same boat, high centre of mass, let go at 6 degrees: dry it rights itself, and with three tons that lie still in it, too. With three
// tons of water that run to the lower side it capsizes. Metacentric heights 0.32, 0.25 and -0.09 m.
static int SwampedBoatsCapsize(void)
{
	double heels[3];
	for (int i = 0; i < 3; ++i)
	{
		const tnWorldDef def = MakeSea(tn_shallowMethod, 32.0f, 0.5f);
		tnWorld* world = OpenSea(&def);
		ENSURE(world != NULL);
		tnShapeDef shapes[6];
		const int count = MakeBoatOfBoxes(shapes, false);
		// Height of the centre of mass above the keel: of the hull, and of hull and load together.
		const double center = i == 1 ? (2500.0 * 0.9 + 3000.0 * 0.3193) / 5500.0 : 0.9;
		for (int k = 0; k < count; ++k)
		{
			shapes[k].pose.position.y += (float)(0.5 - center);
		}
		const double mass = i == 1 ? 5500.0 : 2500.0;
		const double draft = (i == 0 ? 2500.0 : 5500.0) / 8000.0;
		Boat boat;
		ENSURE_OK(AddBoat(world, &boat, shapes, count, mass, 16.0, s_level - draft + center, 16.0));
		boat.damping = 0.2;
		TurnBoat(&boat, 0, 0.1);
		if (i == 2)
		{
			ENSURE_OK(tnWorld_SetHollowWater(world, boat.id, 0, 3.0));
		}
		ENSURE(StepBoats(world, &boat, 1, i == 2 ? 0 : 900, 1.0 / 60.0, true));
		heels[i] = 0.0;
		for (int step = 0; step < 240; ++step)
		{
			ENSURE(StepBoats(world, &boat, 1, 1, 1.0 / 60.0, true));
			heels[i] = fmax(heels[i], GetHeel(&boat));
		}
		ENSURE(IsBooked(world));
		tnDestroyWorld(world);
	}
	ENSURE(heels[0] < 0.02);
	ENSURE(heels[1] < 0.05);
	ENSURE(heels[2] > 2.0);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Inertia

// A boat with as much water as it weighs falls no faster than others, and bobs as if it were that heavy: a push of the host on a boat that
// hangs still moves both.
static int HeldWaterIsHeavy(void)
{
	tnWorldDef def = MakeSea(tn_shallowMethod, 24.0f, 1.0f);
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorld(&def, &world));
	BoatMesh mesh;
	const tnShapeDef shape = MakeBoatMesh(&mesh);
	Boat boat;
	ENSURE_OK(AddBoat(world, &boat, &shape, 1, BOAT_MASS, 12.0, 30.0, 12.0));
	ENSURE_OK(tnWorld_SetHollowWater(world, boat.id, 0, 2.5));
	ENSURE(StepBoats(world, &boat, 1, 60, 1.0 / 60.0, true));
	ENSURE_CLOSE(boat.velocity[1], -9.81, 0.01);
	// Held by a rope: after some steps it weighs twice as much.
	boat.velocity[1] = 0.0;
	tnWrench wrench = {0};
	for (int step = 0; step < 60; ++step)
	{
		ENSURE(TellBoat(world, &boat));
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		ENSURE_OK(tnWorld_GetBodyWrench(world, boat.id, &wrench));
	}
	ENSURE_CLOSE(wrench.force.y, -2500.0 * 9.81, 1.0);
	// Let the rope push twice as much sideways: half of it is for the water.
	for (int step = 0; step < 60; ++step)
	{
		ENSURE_OK(tnWorld_GetBodyWrench(world, boat.id, &wrench));
		boat.velocity[0] += (10000.0 + (double)wrench.force.x) / BOAT_MASS / 60.0;
		boat.position[0] += boat.velocity[0] / 60.0;
		ENSURE(TellBoat(world, &boat));
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	ENSURE_CLOSE(boat.velocity[0], 2.0, 0.1);
	tnDestroyWorld(world);
	return 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Promises

static int DestroyedBoatsGiveBack(void)
{
	for (int i = 0; i < 2; ++i)
	{
		const tnWorldDef def = MakeSea(i == 0 ? tn_pipeMethod : tn_shallowMethod, 24.0f, 0.5f);
		tnWorld* world = OpenSea(&def);
		ENSURE(world != NULL);
		BoatMesh mesh;
		const tnShapeDef shape = MakeBoatMesh(&mesh);
		Boat boat;
		ENSURE_OK(AddBoat(world, &boat, &shape, 1, BOAT_MASS, 12.0, s_level + 0.2, 12.0));
		ENSURE_OK(tnWorld_SetHollowWater(world, boat.id, 0, 4.0));
		ENSURE(StepBoats(world, &boat, 1, 10, 1.0 / 60.0, true));
		const tnLedger before = tnWorld_GetLedger(world);
		ENSURE_CLOSE(before.held, 4.0, 0.01);
		ENSURE_OK(tnWorld_DestroyBody(world, boat.id));
		const tnLedger after = tnWorld_GetLedger(world);
		ENSURE(after.held == 0.0);
		ENSURE_CLOSE(after.volume, before.volume + before.held, 1.0e-5);
		tnDestroyWorld(world);
	}
	return 0;
}

// Other shapes: as many hollows keep what they hold, leaks and pumps too; what has no room pours out, and nothing is lost.
static int OtherShapesKeepWater(void)
{
	for (int method = 0; method < tn_methodCount; ++method)
	{
		const tnWorldDef def = MakeSea((tnMethod)method, 12.0f, 0.5f);
		tnWorld* world = OpenSea(&def);
		ENSURE(world != NULL);
		tnShapeDef boxes[6], low[6];
		const int count = MakeBoatOfBoxes(boxes, true);
		MakeBoatOfBoxes(low, true);
		for (int i = 1; i < count; ++i)
		{
			// Walls of half the height.
			low[i].halfExtents.y = 0.225f;
			low[i].pose.position.y = -0.175f;
		}
		Boat boat;
		ENSURE_OK(AddBoat(world, &boat, boxes, count, BOAT_MASS, 6.0, s_level + 0.1, 6.0));
		ENSURE_OK(tnWorld_SetHollowWater(world, boat.id, 0, 2.0));
		ENSURE_OK(tnWorld_SetHollowWater(world, boat.id, 1, 0.5));
		tnPumpDef pump = tnDefaultPumpDef();
		pump.from = 1, pump.to = 0;
		pump.rate = 0.06f;
		ENSURE_OK(tnWorld_SetPump(world, boat.id, 3, &pump));
		const double before = GetAllWater(world);
		// 1.5 m^3 fit below the lower walls.
		ENSURE_OK(tnWorld_SetBodyShapes(world, boat.id, low, count));
		const double room = GetHollow(world, &boat, 0).volume;
		ENSURE_CLOSE(room, 1.85 * 1.8 * 0.45, 1.0e-4);
		ENSURE_CLOSE(GetHollow(world, &boat, 0).held, room, 0.0);
		ENSURE_CLOSE(GetHollow(world, &boat, 1).held, 0.5, 0.0);
		ENSURE_CLOSE(GetAllWater(world), before, 1.0e-6 * before);
		ENSURE_OK(tnWorld_SetBodyShapes(world, boat.id, boxes, count));
		ENSURE_CLOSE(GetHollow(world, &boat, 0).held, room, 0.0);
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
		ENSURE_CLOSE(GetHollow(world, &boat, 1).held, 0.499, 1.0e-6);
		// A box has none.
		const tnShapeDef box = MakePlank(0.0f, 0.0f, 0.0f, 2.0f, 0.5f, 1.0f);
		ENSURE_OK(tnWorld_SetBodyShapes(world, boat.id, &box, 1));
		ENSURE_EQUAL_INT(tnWorld_GetHollowCount(world, boat.id), 0);
		ENSURE_CLOSE(tnWorld_GetLedger(world).held, 0.0, 0.0);
		ENSURE_CLOSE(GetAllWater(world), before, 1.0e-6 * before);
		tnDestroyWorld(world);
	}
	return 0;
}

static double DrawShare(uint32_t* seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (double)(*seed >> 8) / 16777216.0;
}

enum
{
	crewCount = 3,
};

// What a few boats in waves have come to, after leaks, pumps and swamping at random.
static uint64_t RunCrew(uint32_t seed, int workers, tnSimd simd, bool sleep, bool* ok)
{
	static const tnMethod methods[] = {tn_pipeMethod, tn_shallowMethod, tn_linearMethod};
	tnWorldDef def = MakeSea(methods[seed % 3], 36.0f, seed % 2 == 0 ? 1.0f : 0.5f);
	def.tasks.workerCount = workers;
	def.simd = simd;
	def.enableSleep = sleep;
	def.sleepSpeed = 0.0f;
	def.waves.enable = seed % 5 == 4;
	tnWorld* world = OpenSea(&def);
	*ok = *ok && world != NULL;
	if (world == NULL)
	{
		return 0;
	}
	Boat boats[crewCount];
	BoatMesh mesh;
	for (int i = 0; i < crewCount; ++i)
	{
		tnShapeDef shapes[6];
		shapes[0] = MakeBoatMesh(&mesh);
		const int count = i == 0 ? 1 : MakeBoatOfBoxes(shapes, i == 2);
		*ok = *ok &&
			AddBoat(world, boats + i, shapes, count, 800.0 + 2000.0 * DrawShare(&seed), 8.0 + 9.0 * i,
				s_level + 0.5 * DrawShare(&seed), 12.0 + 12.0 * DrawShare(&seed))
					.status == tn_ok;
		TurnBoat(boats + i, 1, 6.0 * DrawShare(&seed));
		TurnBoat(boats + i, 0, 0.6 * DrawShare(&seed));
		boats[i].damping = 0.2;
		tnLeakDef leak = tnDefaultLeakDef();
		leak.position = (tnVec3){0.5f, -0.4f, 0.1f};
		leak.area = (float)(0.05 * DrawShare(&seed));
		*ok = *ok && tnWorld_SetLeak(world, boats[i].id, 1, &leak).status == tn_ok;
		tnPumpDef pump = tnDefaultPumpDef();
		pump.rate = (float)(0.05 * DrawShare(&seed));
		*ok = *ok && tnWorld_SetPump(world, boats[i].id, 2, &pump).status == tn_ok;
		*ok = *ok && tnWorld_SetHollowWater(world, boats[i].id, 0, 1.5 * DrawShare(&seed)).status == tn_ok;
	}
	for (int step = 0; step < 90; ++step)
	{
		*ok = *ok && StepBoats(world, boats, crewCount, 1, 1.0 / 60.0, true);
		if (step == 40)
		{
			boats[1].velocity[1] = -3.0;
			*ok = *ok && tnWorld_SetLeak(world, boats[0].id, 1, NULL).status == tn_ok;
		}
		if (step == 70)
		{
			*ok = *ok && tnWorld_DestroyBody(world, boats[0].id).status == tn_ok;
			boats[0] = boats[crewCount - 1];
		}
	}
	*ok = *ok && IsBooked(world);
	const uint64_t hash = tnWorld_GetHash(world);
	tnDestroyWorld(world);
	return hash;
}

static int SameBits(void)
{
	for (int i = 0; i < TEST_REPEATS(10); ++i)
	{
		const uint32_t seed = 77u + (uint32_t)i;
		bool ok = true;
		const uint64_t hash = RunCrew(seed, 1, tn_simdAuto, false, &ok);
		ENSURE_EQUAL_HEX(RunCrew(seed, 3, tn_simdAuto, false, &ok), hash);
		ENSURE_EQUAL_HEX(RunCrew(seed, 2, tn_simdScalar, true, &ok), hash);
		ENSURE(ok);
	}
	return 0;
}

static int StepsDoNotAllocate(void)
{
	TestAllocator counter = {0};
	tnWorldDef def = MakeSea(tn_shallowMethod, 24.0f, 0.5f);
	def.allocator = TestGetAllocator(&counter);
	tnWorld* world = OpenSea(&def);
	ENSURE(world != NULL);
	BoatMesh mesh;
	const tnShapeDef shape = MakeBoatMesh(&mesh);
	Boat boat;
	ENSURE_OK(AddBoat(world, &boat, &shape, 1, BOAT_MASS, 12.0, s_level - 0.5, 12.0));
	const tnLeakDef leak = tnDefaultLeakDef();
	ENSURE_OK(tnWorld_SetLeak(world, boat.id, 0, &leak));
	const int before = counter.allocationCount;
	ENSURE(StepBoats(world, &boat, 1, 60, 1.0 / 60.0, true));
	ENSURE_EQUAL_INT(counter.allocationCount, before);
	tnDestroyWorld(world);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	return 0;
}

// Each allocation of a boat fails in turn: nothing is left of it.
static int FailsCleanly(void)
{
	TestAllocator counter = {0};
	tnWorldDef def = MakeSea(tn_shallowMethod, 12.0f, 1.0f);
	def.allocator = TestGetAllocator(&counter);
	tnWorld* world = OpenSea(&def);
	ENSURE(world != NULL);
	tnShapeDef shapes[6];
	const int count = MakeBoatOfBoxes(shapes, true);
	Boat boat;
	int failures = 0;
	for (;; ++failures)
	{
		ENSURE(failures < 1000);
		counter.failIn = 1 + failures;
		const tnResult result = AddBoat(world, &boat, shapes, count, BOAT_MASS, 6.0, s_level, 6.0);
		counter.failIn = 0;
		if (result.status == tn_ok)
		{
			break;
		}
		ENSURE_REFUSED(result, tn_outOfMemory, "out of memory");
		ENSURE_EQUAL_INT(tnWorld_GetBodies(world, NULL, 0), 0);
	}
	ENSURE(failures > 20);
	ENSURE_EQUAL_INT(tnWorld_GetHollowCount(world, boat.id), 2);
	tnDestroyWorld(world);
	ENSURE_EQUAL_INT(counter.liveBytes, 0);
	return 0;
}

static int BadInputIsRefused(void)
{
	const tnWorldDef def = MakeSea(tn_pipeMethod, 24.0f, 1.0f);
	tnWorld* world = OpenSea(&def);
	ENSURE(world != NULL);
	BoatMesh mesh;
	const tnShapeDef shape = MakeBoatMesh(&mesh);
	Boat boat;
	ENSURE_OK(AddBoat(world, &boat, &shape, 1, BOAT_MASS, 12.0, s_level, 12.0));
	tnHollowState state;
	const tnBodyId none = {0};
	ENSURE_EQUAL_INT(tnWorld_GetHollowCount(world, none), 0);
	ENSURE_REFUSED(tnWorld_GetHollow(world, none, 0, &state), tn_staleId, "body id");
	ENSURE_REFUSED(tnWorld_GetHollow(world, boat.id, 1, &state), tn_invalidArgument, "got 1");
	ENSURE_REFUSED(tnWorld_GetHollow(world, boat.id, -1, &state), tn_invalidArgument, "got -1");
	ENSURE_REFUSED(tnWorld_GetHollow(world, boat.id, 0, NULL), tn_invalidArgument, "state");
	ENSURE_REFUSED(tnWorld_GetHollow(NULL, boat.id, 0, &state), tn_invalidArgument, "world");
	ENSURE_REFUSED(tnWorld_SetHollowWater(world, boat.id, 0, -1.0), tn_invalidArgument, "held must be in [0, 6.156");
	ENSURE_REFUSED(tnWorld_SetHollowWater(world, boat.id, 0, 7.0), tn_invalidArgument, "got 7");
	ENSURE_REFUSED(tnWorld_SetHollowWater(world, boat.id, 0, NAN), tn_invalidArgument, "held");
	tnLeakDef leak = tnDefaultLeakDef();
	ENSURE_REFUSED(
		tnWorld_SetLeak(world, boat.id, TN_MAX_LEAKS, &leak), tn_invalidArgument, "slot must be in [0, 16), got 16");
	ENSURE_REFUSED(tnWorld_SetLeak(world, boat.id, -1, NULL), tn_invalidArgument, "got -1");
	leak.area = NAN;
	ENSURE_REFUSED(tnWorld_SetLeak(world, boat.id, 0, &leak), tn_invalidArgument, "area");
	leak = tnDefaultLeakDef();
	leak.discharge = 1.5f;
	ENSURE_REFUSED(
		tnWorld_SetLeak(world, boat.id, 0, &leak), tn_invalidArgument, "discharge must be in (0, 1], got 1.5");
	leak = tnDefaultLeakDef();
	leak.from = 4;
	ENSURE_REFUSED(tnWorld_SetLeak(world, boat.id, 0, &leak), tn_invalidArgument, "from");
	leak.from = 0;
	leak.to = 0;
	ENSURE_REFUSED(tnWorld_SetLeak(world, boat.id, 0, &leak), tn_invalidArgument, "to must");
	leak = tnDefaultLeakDef();
	leak.position.y = INFINITY;
	ENSURE_REFUSED(tnWorld_SetLeak(world, boat.id, 0, &leak), tn_invalidArgument, "position");
	leak = (tnLeakDef){0};
	ENSURE_REFUSED(tnWorld_SetLeak(world, boat.id, 0, &leak), tn_invalidArgument, "tnDefaultLeakDef");
	tnPumpDef pump = tnDefaultPumpDef();
	pump.rate = -1.0f;
	ENSURE_REFUSED(tnWorld_SetPump(world, boat.id, 0, &pump), tn_invalidArgument, "rate must be in [0, 1e6], got -1");
	pump = (tnPumpDef){0};
	ENSURE_REFUSED(tnWorld_SetPump(world, boat.id, 0, &pump), tn_invalidArgument, "tnDefaultPumpDef");
	const tnShapeDef box = MakePlank(0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f);
	Boat plain;
	ENSURE_OK(AddBoat(world, &plain, &box, 1, 1000.0, 4.0, s_level, 4.0));
	leak = tnDefaultLeakDef();
	ENSURE_REFUSED(tnWorld_SetLeak(world, plain.id, 0, &leak), tn_invalidArgument, "body must have a hollow");
	ENSURE(tnWorld_GetLedger(world).held == 0.0);
	tnDestroyWorld(world);
	return 0;
}

// Fifty boats in a harbour, some of which leak.
static int AHarbourOfBoats(void)
{
	enum
	{
		boatCount = 50,
	};
	tnWorldDef def = MakeSea(tn_shallowMethod, 96.0f, 0.75f);
	tnWorld* world = OpenSea(&def);
	ENSURE(world != NULL);
	static Boat boats[boatCount];
	const double water = GetAllWater(world);
	for (int i = 0; i < boatCount; ++i)
	{
		tnShapeDef shapes[6];
		BoatMesh mesh;
		shapes[0] = MakeBoatMesh(&mesh);
		const int count = i % 2 == 0 ? 1 : MakeBoatOfBoxes(shapes, false);
		ENSURE_OK(AddBoat(
			world, boats + i, shapes, count, BOAT_MASS, 8.0 + 8.5 * (i % 10), s_level + 0.2, 12.0 + 16.0 * (i / 10)));
		TurnBoat(boats + i, 1, 0.3 * i);
		boats[i].damping = 0.3;
	}
	tnLeakDef leak = tnDefaultLeakDef();
	leak.position.y = -0.4f;
	leak.area = 0.05f;
	ENSURE_OK(tnWorld_SetLeak(world, boats[7].id, 0, &leak));
	ENSURE(StepBoats(world, boats, boatCount, 900, 1.0 / 60.0, true));
	for (int i = 0; i < boatCount; ++i)
	{
		tnBodyState state;
		ENSURE_OK(tnWorld_GetBodyState(world, boats[i].id, &state));
		if (i == 7)
		{
			ENSURE(state.heldVolume > 0.5f);
		}
		else
		{
			ENSURE((double)state.heldVolume < s_splash);
			ENSURE_CLOSE(state.submergedVolume, 2.5, 0.1);
		}
	}
	ENSURE_CLOSE(GetAllWater(world), water, GetDriftLimit(world) * water);
	tnDestroyWorld(world);
	return 0;
}

// A hollow of a litre and a cell of five tons, which rounds what it gives.
static int SmallHollowsDoNotOverflow(void)
{
	for (int turn = 0; turn < TEST_REPEATS(24); ++turn)
	{
		tnWorldDef worldDef = MakeSea(tn_pipeMethod, 12.0f, 1.0f);
		worldDef.method = turn % 2 == 0 ? tn_pipeMethod : tn_shallowMethod;
		tnWorld* world = OpenSea(&worldDef);
		ENSURE(world != NULL);
		ENSURE_OK(tnWorld_FillToLevel(world, 5.0f + 0.077f * (float)turn));
		tnShapeDef shapes[5];
		const float side = 0.1f + 0.003f * (float)turn;
		for (int i = 0; i < 5; ++i)
		{
			shapes[i] = tnDefaultShapeDef();
			const bool alongX = i == 1 || i == 2;
			const float to = i % 2 == 1 ? 0.5f * side : -0.5f * side;
			shapes[i].halfExtents = (tnVec3){alongX ? 0.01f : 0.5f * side, 0.5f * side, alongX ? 0.5f * side : 0.01f};
			shapes[i].pose.position = (tnVec3){alongX ? to : 0.0f, 0.0f, alongX ? 0.0f : to};
		}
		shapes[0].halfExtents = (tnVec3){0.5f * side, 0.01f, 0.5f * side};
		shapes[0].pose.position = (tnVec3){0.0f, -0.5f * side, 0.0f};
		tnBodyDef def = tnDefaultBodyDef();
		def.shapes = shapes;
		def.shapeCount = 5;
		def.pose.position = (tnVec3){6.1f, 120.0f, 6.2f};
		tnBodyId id;
		ENSURE_OK(tnWorld_CreateBody(world, &def, &id));
		ENSURE(tnWorld_GetHollowCount(world, id) == 1);
		tnPumpDef pump = tnDefaultPumpDef();
		pump.from = TN_OUTSIDE;
		pump.to = 0;
		ENSURE_OK(tnWorld_SetPump(world, id, 0, &pump));
		tnHollowState state;
		for (int step = 0; step < 60; ++step)
		{
			ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
			ENSURE_OK(tnWorld_GetHollow(world, id, 0, &state));
			ENSURE(state.held <= (double)state.volume);
		}
		ENSURE(state.held > 0.95 * (double)state.volume);
		tnDestroyWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"FindsHollows", FindsHollows},
	{"ClosedRoomsStayDry", ClosedRoomsStayDry},
	{"BoatsStayDry", BoatsStayDry},
	{"HolesFloodInTime", HolesFloodInTime},
	{"BulkheadsHold", BulkheadsHold},
	{"OvertoppedBoatsSink", OvertoppedBoatsSink},
	{"BailedBoatsRise", BailedBoatsRise},
	{"DryPumpsLeaveNothing", DryPumpsLeaveNothing},
	{"TippedBoatsPour", TippedBoatsPour},
	{"SwampedBoatsCapsize", SwampedBoatsCapsize},
	{"HeldWaterIsHeavy", HeldWaterIsHeavy},
	{"DestroyedBoatsGiveBack", DestroyedBoatsGiveBack},
	{"OtherShapesKeepWater", OtherShapesKeepWater},
	{"SameBits", SameBits},
	{"StepsDoNotAllocate", StepsDoNotAllocate},
	{"FailsCleanly", FailsCleanly},
	{"BadInputIsRefused", BadInputIsRefused},
	{"AHarbourOfBoats", AHarbourOfBoats},
	{"SmallHollowsDoNotOverflow", SmallHollowsDoNotOverflow},
};
const TestSuite hollowSuite = TEST_SUITE("hollow", s_tests);

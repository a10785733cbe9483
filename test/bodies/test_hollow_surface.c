// SPDX-License-Identifier: MIT

// What renderers and hosts are told of hollows: their walls, the surface of the water in them, their leaks and pumps.

#include "boat_kit.h"
#include "harness.h"

static const float s_level = 5.0f;

static tnWorld* OpenSea(void)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = 24;
	def.rowCount = 24;
	def.tasks.workerCount = 1;
	tnWorld* world = NULL;
	if (tnCreateWorld(&def, &world).status != tn_ok || tnWorld_FillToLevel(world, s_level).status != tn_ok)
	{
		tnDestroyWorld(world);
		return NULL;
	}
	return world;
}

static tnHollowState GetHollow(tnWorld* world, tnBodyId id, int index)
{
	tnHollowState state = {.held = NAN};
	tnWorld_GetHollow(world, id, index, &state);
	return state;
}

// The surface is level where the state says, as large as the hollow is there, and what lies below it is what is held.
static int SurfacesAreCuts(void)
{
	tnWorld* world = OpenSea();
	ENSURE(world != NULL);
	BoatMesh mesh;
	tnShapeDef shapes[6];
	for (int i = 0; i < 24; ++i)
	{
		shapes[0] = MakeBoatMesh(&mesh);
		const int count = i % 2 == 0 ? 1 : MakeBoatOfBoxes(shapes, true);
		Boat boat;
		ENSURE_OK(AddBoat(world, &boat, shapes, count, BOAT_MASS, 12.3, s_level + 4.0, 11.6));
		TurnBoat(&boat, 1, 0.7 * i);
		TurnBoat(&boat, i % 3 == 0 ? 0 : 2, 0.03 * i);
		ENSURE(TellBoat(world, &boat));
		const tnHollowState empty = GetHollow(world, boat.id, 0);
		int cornerCount = -1;
		ENSURE_OK(tnWorld_CopyHollowSurface(world, boat.id, 0, NULL, 0, &cornerCount));
		ENSURE_EQUAL_INT(cornerCount, 0);
		const double share = i == 23 ? 1.0 : 0.02 + 0.04 * i;
		ENSURE_OK(tnWorld_SetHollowWater(world, boat.id, 0, share * (double)empty.volume));
		tnVec3 corners[96];
		ENSURE_OK(tnWorld_CopyHollowSurface(world, boat.id, 0, corners, 96, &cornerCount));
		ENSURE(cornerCount > 0 && cornerCount <= 96 && cornerCount % 3 == 0);
		const tnHollowState state = GetHollow(world, boat.id, 0);
		const double* q = boat.turn;
		double area = 0.0;
		for (int corner = 0; corner < cornerCount; corner += 3)
		{
			double at[3][3];
			for (int k = 0; k < 3; ++k)
			{
				const double v[3] = {corners[corner + k].x, corners[corner + k].y, corners[corner + k].z};
				const double t[3] = {2.0 * (q[1] * v[2] - q[2] * v[1]), 2.0 * (q[2] * v[0] - q[0] * v[2]),
					2.0 * (q[0] * v[1] - q[1] * v[0])};
				at[k][0] = v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1];
				at[k][1] = v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2];
				at[k][2] = v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0];
				// A full one is cut just below its lid.
				ENSURE_CLOSE(boat.position[1] + at[k][1], (double)state.level, i == 23 ? 1.0e-4 : 1.0e-5);
			}
			// Seen from above, z towards the viewer: counterclockwise is positive.
			const double twice =
				(at[1][2] - at[0][2]) * (at[2][0] - at[0][0]) - (at[1][0] - at[0][0]) * (at[2][2] - at[0][2]);
			ENSURE(twice > -1.0e-6);
			area += 0.5 * twice;
		}
		// By how much more goes in for each meter.
		if (i != 23)
		{
			const double more = 1.0e-4 * (double)empty.volume;
			ENSURE_OK(tnWorld_SetHollowWater(world, boat.id, 0, share * (double)empty.volume + more));
			const double above = (double)GetHollow(world, boat.id, 0).level;
			ENSURE_OK(tnWorld_SetHollowWater(world, boat.id, 0, share * (double)empty.volume - more));
			const double rise = above - (double)GetHollow(world, boat.id, 0).level;
			ENSURE_CLOSE(area * rise, 2.0 * more, 0.02 * more);
		}
		ENSURE_OK(tnWorld_DestroyBody(world, boat.id));
	}
	tnDestroyWorld(world);
	return 0;
}

// The mesh of a hollow is closed and has its volume; leaks and pumps are told as they were set.
static int RoomsAreTold(void)
{
	tnWorld* world = OpenSea();
	ENSURE(world != NULL);
	tnShapeDef boxes[6];
	const int count = MakeBoatOfBoxes(boxes, true);
	Boat boat;
	ENSURE_OK(AddBoat(world, &boat, boxes, count, BOAT_MASS, 12.0, s_level + 4.0, 12.0));
	for (int hollow = 0; hollow < 2; ++hollow)
	{
		tnBodyMesh room;
		ENSURE_OK(tnWorld_GetHollowMesh(world, boat.id, hollow, &room));
		double volume = 0.0;
		for (int i = 0; i < room.triangleCount; ++i)
		{
			const tnVec3 a = room.points[room.triangles[3 * i]], b = room.points[room.triangles[3 * i + 1]];
			const tnVec3 c = room.points[room.triangles[3 * i + 2]];
			volume += ((double)a.x * ((double)b.y * (double)c.z - (double)b.z * (double)c.y) +
						  (double)a.y * ((double)b.z * (double)c.x - (double)b.x * (double)c.z) +
						  (double)a.z * ((double)b.x * (double)c.y - (double)b.y * (double)c.x)) /
				6.0;
		}
		ENSURE_CLOSE(volume, (double)GetHollow(world, boat.id, hollow).volume, 1.0e-4);
	}
	tnLeakDef leak = tnDefaultLeakDef(), leakFound = {.area = -1.0f};
	leak.position = (tnVec3){0.5f, -0.5f, 0.25f};
	leak.from = 1;
	tnPumpDef pump = tnDefaultPumpDef(), pumpFound = {.rate = -1.0f};
	pump.rate = 0.25f;
	pump.to = 1;
	ENSURE(tnWorld_GetLeak(world, boat.id, 3, &leakFound) == false && leakFound.area == -1.0f);
	ENSURE_OK(tnWorld_SetLeak(world, boat.id, 3, &leak));
	ENSURE_OK(tnWorld_SetPump(world, boat.id, 15, &pump));
	ENSURE(tnWorld_GetLeak(world, boat.id, 3, &leakFound) && memcmp(&leak, &leakFound, sizeof(leak)) == 0);
	ENSURE(tnWorld_GetPump(world, boat.id, 15, &pumpFound) && memcmp(&pump, &pumpFound, sizeof(pump)) == 0);
	ENSURE(tnWorld_GetPump(world, boat.id, 14, &pumpFound) == false);
	ENSURE(tnWorld_GetLeak(world, boat.id, -1, &leakFound) == false);
	ENSURE(tnWorld_GetLeak(world, boat.id, TN_MAX_LEAKS, &leakFound) == false);
	ENSURE(tnWorld_GetLeak(world, (tnBodyId){0}, 3, &leakFound) == false);
	ENSURE(tnWorld_GetLeak(NULL, boat.id, 3, &leakFound) == false);
	ENSURE(tnWorld_GetPump(world, boat.id, 15, NULL) == false);
	ENSURE_OK(tnWorld_SetLeak(world, boat.id, 3, NULL));
	ENSURE(tnWorld_GetLeak(world, boat.id, 3, &leakFound) == false);
	tnBodyMesh room;
	int corners = 0;
	ENSURE_REFUSED(tnWorld_GetHollowMesh(world, boat.id, 2, &room), tn_invalidArgument, "got 2");
	ENSURE_REFUSED(tnWorld_GetHollowMesh(world, boat.id, 0, NULL), tn_invalidArgument, "mesh");
	ENSURE_REFUSED(tnWorld_CopyHollowSurface(world, boat.id, 0, NULL, 0, NULL), tn_invalidArgument, "count");
	tnVec3 one;
	ENSURE_REFUSED(tnWorld_CopyHollowSurface(world, boat.id, 0, &one, -1, &corners), tn_invalidArgument,
		"capacity must be at least 0");
	ENSURE_REFUSED(tnWorld_CopyHollowSurface(world, (tnBodyId){0}, 0, NULL, 0, &corners), tn_staleId, "body id");
	tnDestroyWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"SurfacesAreCuts", SurfacesAreCuts},
	{"RoomsAreTold", RoomsAreTold},
};
const TestSuite hollow_surfaceSuite = TEST_SUITE("hollow_surface", s_tests);

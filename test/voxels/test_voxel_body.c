// SPDX-License-Identifier: MIT

// Bodies that float in voxels.

#include "voxel_kit.h"

#include <math.h>
#include <string.h>

enum
{
	tankSize = 37,
	surfaceLayer = 21,
	liquidCount = 3,
};

// A tank of 37 x 30 x 37 voxels of 0.5 m. Water stands 21 layers and 300 of 1024 units high.
static tnVoxelWorld* MakeTank(int liquid)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.voxelSize = 0.5f;
	def.liquidCount = liquidCount;
	def.liquids[1].density = 800.0f;
	def.liquids[2].density = 1250.0f;
	tnVoxelWorld* world = MakeRock(&def);
	if (world != NULL)
	{
		(void)tnVoxelWorld_FillSolid(world, VoxelBox(5, 1, 7, 5 + tankSize, 31, 7 + tankSize), 0);
		(void)tnVoxelWorld_AddLiquid(
			world, VoxelBox(5, 1, 7, 5 + tankSize, 1 + surfaceLayer, 7 + tankSize), liquid, 1024, NULL);
		const int top = 1 + surfaceLayer;
		(void)tnVoxelWorld_AddLiquid(
			world, VoxelBox(5, top, 7, 5 + tankSize, top + 1, 7 + tankSize), liquid, 300, NULL);
	}
	return world;
}

static const float s_surface = 0.5f * (22.0f + 300.0f / 1024.0f);

static tnBodyId AddBox(tnVoxelWorld* world, tnBodyMode mode, tnVec3 half, float density, tnVec3 position)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.halfExtents = half;
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = &shape;
	def.shapeCount = 1;
	def.mode = mode;
	def.mass = 8.0f * half.x * half.y * half.z * density;
	def.pose.position = position;
	tnBodyId id;
	return tnVoxelWorld_CreateBody(world, &def, &id).status == tn_ok ? id : (tnBodyId){0};
}

// Let it move up and down, and sideways, as an engine would.
static int Float(tnVoxelWorld* world, tnBodyId id, float mass, int steps)
{
	const tnVoxelWorldDef def = tnVoxelWorld_GetDef(world);
	const float dt = 1.0f / def.stepRate;
	for (int step = 0; step < steps; ++step)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		tnBodyState state;
		tnWrench wrench;
		ENSURE_OK(tnVoxelWorld_GetBodyState(world, id, &state));
		ENSURE_OK(tnVoxelWorld_GetBodyWrench(world, id, &wrench));
		state.velocity.x += dt * wrench.force.x / mass;
		state.velocity.y += dt * (wrench.force.y / mass - def.gravity);
		state.velocity.z += dt * wrench.force.z / mass;
		state.pose.position.x += dt * state.velocity.x;
		state.pose.position.y += dt * state.velocity.y;
		state.pose.position.z += dt * state.velocity.z;
		ENSURE_OK(tnVoxelWorld_MoveBody(world, id, &state.pose, state.velocity, state.spin));
	}
	return 0;
}

// Archimedes: a box of density rho floats with the share rho of its height below the surface, in every liquid.
static int BoxesFloatAsArchimedesSays(void)
{
	static const float liquids[liquidCount] = {1000.0f, 800.0f, 1250.0f};
	static const float densities[] = {100.0f, 333.0f, 500.0f, 760.0f};
	for (int liquid = 1; liquid <= liquidCount; ++liquid)
	{
		for (int i = 0; i < 4; ++i)
		{
			if (TEST_LEAVES_OUT(liquid + i))
			{
				continue;
			}
			tnVoxelWorld* world = MakeTank(liquid);
			ENSURE(world != NULL);
			const tnVec3 half = {0.9f, 0.6f, 1.3f};
			const float mass = 8.0f * half.x * half.y * half.z * densities[i];
			const tnBodyId id =
				AddBox(world, tn_floatingBody, half, densities[i], (tnVec3){11.3f, s_surface + 0.2f, 12.9f});
			ENSURE(id.index1 != 0);
			ENSURE(Float(world, id, mass, 1800) == 0);
			// It bobs by a few millimeters for long: nothing but drag takes from it. The mean is what counts.
			tnBodyState state;
			double draft = 0.0;
			double volume = 0.0;
			for (int step = 0; step < 600; ++step)
			{
				ENSURE(Float(world, id, mass, 1) == 0);
				ENSURE_OK(tnVoxelWorld_GetBodyState(world, id, &state));
				draft += (double)(s_surface - (state.pose.position.y - half.y)) / 600.0;
				volume += (double)state.submergedVolume / 600.0;
			}
			const float exact = 2.0f * half.y * densities[i] / liquids[liquid - 1];
			ENSURE_CLOSE(draft, exact, 0.01f * exact);
			ENSURE_CLOSE(volume, mass / liquids[liquid - 1], 0.01f * mass / liquids[liquid - 1]);
			ENSURE_CLOSE(state.waterlineArea, 4.0f * half.x * half.z, 1.0e-3f);
			ENSURE_CLOSE(state.waterlineHeight, s_surface, 1.0e-5f);
			// Still water pushes nowhere.
			ENSURE(state.pressure.x == 0.0f && state.pressure.z == 0.0f);
			ENSURE_CLOSE(state.pose.position.x, 11.3f, 1.0e-4f);
			tnDestroyVoxelWorld(world);
		}
	}
	return 0;
}

// The same for boxes that push the liquid aside: measured from the level as it stands then.
static int BoxesThatBlockFloatAsArchimedesSays(void)
{
	static const float liquids[liquidCount] = {1000.0f, 800.0f, 1250.0f};
	static const float densities[] = {100.0f, 333.0f, 500.0f, 760.0f};
	for (int liquid = 1; liquid <= liquidCount; ++liquid)
	{
		for (int i = 0; i < 4; ++i)
		{
			if (TEST_LEAVES_OUT(liquid + i) || (liquid > 1 && i != liquid))
			{
				continue;
			}
			tnVoxelWorld* world = MakeTank(liquid);
			ENSURE(world != NULL);
			const tnVec3 half = {0.9f, 0.6f, 1.3f};
			const float mass = 8.0f * half.x * half.y * half.z * densities[i];
			const tnBodyId id =
				AddBox(world, tn_blockingBody, half, densities[i], (tnVec3){11.3f, s_surface + 0.2f, 12.9f});
			ENSURE(id.index1 != 0);
			ENSURE(Float(world, id, mass, 2400) == 0);
			tnBodyState state;
			double draft = 0.0;
			double volume = 0.0;
			for (int step = 0; step < 600; ++step)
			{
				ENSURE(Float(world, id, mass, 1) == 0);
				ENSURE_OK(tnVoxelWorld_GetBodyState(world, id, &state));
				draft += (double)(state.waterlineHeight - (state.pose.position.y - half.y)) / 600.0;
				volume += (double)state.submergedVolume / 600.0;
				ENSURE_EQUAL_INT(tnVoxelWorld_GetLedger(world, liquid).drift, 0);
			}
			ENSURE_EQUAL_INT(state.mode, tn_blockingBody);
			const float exact = 2.0f * half.y * densities[i] / liquids[liquid - 1];
			ENSURE_CLOSE(draft, exact, 0.01f * exact);
			ENSURE_CLOSE(volume, mass / liquids[liquid - 1], 0.01f * mass / liquids[liquid - 1]);
			// It stays about where it is.
			ENSURE_CLOSE(state.pose.position.x, 11.3f, 0.5f);
			ENSURE_CLOSE(state.pose.position.z, 12.9f, 0.5f);
			tnDestroyVoxelWorld(world);
		}
	}
	return 0;
}

// A ball of density 900 between oil (800) and water (1000) has half of its volume in each.
static int BallsFloatBetweenLayers(void)
{
	tnVoxelWorld* world = MakeTank(1);
	ENSURE(world != NULL);
	ENSURE_OK(tnVoxelWorld_RemoveLiquid(world, VoxelBox(5, 12, 7, 5 + tankSize, 31, 7 + tankSize), 1024, NULL));
	ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(5, 12, 7, 5 + tankSize, 22, 7 + tankSize), 2, 1024, NULL));
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_sphereShape;
	shape.radius = 0.8f;
	tnBodyDef def = tnDefaultBodyDef();
	def.mode = tn_floatingBody;
	def.shapes = &shape;
	def.shapeCount = 1;
	def.mass = 900.0f * 4.0f / 3.0f * 3.14159265f * 0.8f * 0.8f * 0.8f;
	def.pose.position = (tnVec3){11.0f, 8.0f, 12.0f};
	tnBodyId id;
	ENSURE_OK(tnVoxelWorld_CreateBody(world, &def, &id));
	ENSURE(Float(world, id, def.mass, 6000) == 0);
	tnBodyState state;
	ENSURE_OK(tnVoxelWorld_GetBodyState(world, id, &state));
	ENSURE_CLOSE(state.pose.position.y, 0.5f * 12.0f, 0.02f);
	ENSURE_CLOSE(state.submergedVolume, state.volume, 1.0e-4f * state.volume);
	tnDestroyVoxelWorld(world);
	return 0;
}

// A box that leans to one side is turned back, by its weight of water times the lever of what is submerged.
static int LeaningBoxesAreRighted(void)
{
	tnVoxelWorld* world = MakeTank(1);
	ENSURE(world != NULL);
	const tnVec3 half = {1.5f, 0.3f, 1.1f};
	const tnBodyId id = AddBox(world, tn_floatingBody, half, 500.0f, (tnVec3){11.0f, s_surface, 12.0f});
	// Two degrees about z: for small angles the moment is rho g I t, I = 2 * half.z * (2 half.x)^3 / 12, less the part
	// of the weight, rho g V (KB below the centre of mass: half.y / 2).
	const float angle = 0.035f;
	const tnPose pose = {{11.0f, s_surface, 12.0f}, {0.0f, 0.0f, sinf(0.5f * angle), cosf(0.5f * angle)}};
	ENSURE_OK(tnVoxelWorld_MoveBody(world, id, &pose, (tnVec3){0}, (tnVec3){0}));
	ENSURE_OK(tnVoxelWorld_Step(world, 0));
	tnWrench wrench;
	ENSURE_OK(tnVoxelWorld_GetBodyWrench(world, id, &wrench));
	const float volume = 4.0f * half.x * half.y * half.z;
	const float inertia = 2.0f * half.z * 8.0f * half.x * half.x * half.x / 12.0f;
	const float exact = -1000.0f * 9.81f * (inertia - volume * 0.5f * half.y) * angle;
	ENSURE_CLOSE(wrench.torque.z, exact, 0.02f * fabsf(exact));
	ENSURE_CLOSE(wrench.torque.x, 0.0f, 0.001f * fabsf(exact));
	tnDestroyVoxelWorld(world);
	return 0;
}

// In a canal 7 wide and 4 deep with a spring at one end and a drain at the other a box drifts as fast as the water, and with
// the canal turned the other way as fast the other way.
static int BoxesDriftWithTheCurrent(void)
{
	float ways[2];
	for (int mirror = 0; mirror < 2; ++mirror)
	{
		tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
		def.voxelSize = 0.5f;
		tnVoxelWorld* world = MakeRock(&def);
		ENSURE(world != NULL);
		const int rate = 61;
		ENSURE_OK(tnVoxelWorld_FillSolid(world, VoxelBox(3, 2, 9, 123, 12, 16), 0));
		ENSURE_OK(tnVoxelWorld_AddLiquid(world, VoxelBox(3, 2, 9, 123, 6, 16), 1, 1024, NULL));
		tnVoxelSourceDef source = tnDefaultVoxelSourceDef();
		tnVoxelSourceId sourceId;
		const int spring = mirror == 0 ? 3 : 119;
		const int drain = mirror == 0 ? 119 : 3;
		source.box = VoxelBox(spring, 9, 9, spring + 4, 10, 16);
		source.rate = rate;
		ENSURE_OK(tnVoxelWorld_CreateSource(world, &source, &sourceId));
		source.box = VoxelBox(drain, 2, 9, drain + 4, 3, 16);
		source.rate = -rate;
		ENSURE_OK(tnVoxelWorld_CreateSource(world, &source, &sourceId));
		for (int i = 0; i < 400; ++i)
		{
			ENSURE_OK(tnVoxelWorld_Step(world, 0));
		}
		const tnVec3 half = {0.4f, 0.3f, 0.5f};
		const float start = mirror == 0 ? 20.0f : 0.5f * 126.0f - 20.0f;
		const tnBodyId id = AddBox(world, tn_floatingBody, half, 500.0f, (tnVec3){start, 3.0f, 6.25f});
		const float mass = 8.0f * half.x * half.y * half.z * 500.0f;
		ENSURE(Float(world, id, mass, 600) == 0);
		tnBodyState state;
		ENSURE_OK(tnVoxelWorld_GetBodyState(world, id, &state));
		const float before = state.pose.position.x;
		ENSURE(Float(world, id, mass, 600) == 0);
		ENSURE_OK(tnVoxelWorld_GetBodyState(world, id, &state));
		// Units a step over those of a section of the canal.
		tnVoxelSample sample;
		ENSURE_OK(tnVoxelWorld_Sample(world, (tnVec3){state.pose.position.x, 2.0f, 6.25f}, &sample));
		const float expected = 600.0f * 0.5f * (float)(28 * rate) / (7.0f * sample.depth / 0.5f * 1024.0f);
		ways[mirror] = state.pose.position.x - before;
		ENSURE_CLOSE(mirror == 0 ? ways[0] : -ways[1], expected, 0.1f * expected);
		ENSURE_CLOSE(state.pose.position.z, 6.25f, 0.05f);
		tnDestroyVoxelWorld(world);
	}
	ENSURE_CLOSE(ways[0], -ways[1], 0.01f);
	return 0;
}

static int BadInputIsNamed(void)
{
	tnVoxelWorld* world = MakeTank(1);
	ENSURE(world != NULL);
	tnShapeDef shape = tnDefaultShapeDef();
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = &shape;
	def.shapeCount = 1;
	tnBodyId id;
	ENSURE_REFUSED(tnVoxelWorld_CreateBody(NULL, &def, &id), tn_invalidArgument, "world");
	ENSURE_REFUSED(tnVoxelWorld_CreateBody(world, NULL, &id), tn_invalidArgument, "def");
	ENSURE_REFUSED(tnVoxelWorld_CreateBody(world, &def, NULL), tn_invalidArgument, "id");
	def.mode = tn_bodyModeCount;
	ENSURE_REFUSED(tnVoxelWorld_CreateBody(world, &def, &id), tn_invalidArgument, "mode");
	def.mode = tn_floatingBody;
	def.mass = NAN;
	ENSURE_REFUSED(tnVoxelWorld_CreateBody(world, &def, &id), tn_invalidArgument, "mass");
	def.mass = 10.0f;
	shape.halfExtents.y = -1.0f;
	ENSURE_REFUSED(tnVoxelWorld_CreateBody(world, &def, &id), tn_invalidArgument, "halfExtents");
	shape.halfExtents.y = 1.0f;
	ENSURE(tnVoxelWorld_GetBodies(world, NULL, 0) == 0);
	ENSURE_OK(tnVoxelWorld_CreateBody(world, &def, &id));
	const tnPose nowhere = {{NAN, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
	ENSURE_REFUSED(
		tnVoxelWorld_MoveBody(world, id, &nowhere, (tnVec3){0}, (tnVec3){0}), tn_invalidArgument, "position");
	ENSURE_REFUSED(tnVoxelWorld_MoveBody(world, id, NULL, (tnVec3){0}, (tnVec3){0}), tn_invalidArgument, "pose");
	ENSURE_REFUSED(tnVoxelWorld_GetBodyWrench(world, id, NULL), tn_invalidArgument, "wrench");
	ENSURE_REFUSED(tnVoxelWorld_GetBodyState(world, (tnBodyId){7, 1}, &(tnBodyState){0}), tn_staleId, "stale");
	// Anywhere else, also where no voxels can be, it feels nothing.
	static const float places[] = {-3.0f, 1.0e4f, 9.0e5f, -9.0e5f};
	for (int i = 0; i < 4; ++i)
	{
		const tnPose away = {{places[i], places[i], 5.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
		ENSURE_OK(tnVoxelWorld_MoveBody(world, id, &away, (tnVec3){9.0e3f, 0.0f, 0.0f}, (tnVec3){0.0f, 9.0e3f, 0.0f}));
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
		tnWrench wrench;
		ENSURE_OK(tnVoxelWorld_GetBodyWrench(world, id, &wrench));
		ENSURE(wrench.force.x == 0.0f && wrench.force.y == 0.0f && wrench.force.z == 0.0f);
	}
	ENSURE_OK(tnVoxelWorld_DestroyBody(world, id));
	ENSURE(!tnVoxelWorld_HasBody(world, id));
	ENSURE_REFUSED(tnVoxelWorld_DestroyBody(world, id), tn_staleId, "stale");
	// A body in floating mode does nothing to the water.
	const uint64_t hash = tnVoxelWorld_GetHash(world);
	tnVoxelWorld* other = MakeTank(1);
	for (int i = 0; i < 4; ++i)
	{
		ENSURE_OK(tnVoxelWorld_Step(other, 0));
	}
	ENSURE(hash == tnVoxelWorld_GetHash(other));
	tnDestroyVoxelWorld(other);
	tnDestroyVoxelWorld(world);
	return 0;
}

static const Test s_tests[] = {
	{"BoxesFloatAsArchimedesSays", BoxesFloatAsArchimedesSays},
	{"BoxesThatBlockFloatAsArchimedesSays", BoxesThatBlockFloatAsArchimedesSays},
	{"BallsFloatBetweenLayers", BallsFloatBetweenLayers},
	{"LeaningBoxesAreRighted", LeaningBoxesAreRighted},
	{"BoxesDriftWithTheCurrent", BoxesDriftWithTheCurrent},
	{"BadInputIsNamed", BadInputIsNamed},
};
const TestSuite voxel_bodySuite = TEST_SUITE("voxel_body", s_tests);

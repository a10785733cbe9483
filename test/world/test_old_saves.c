// SPDX-License-Identifier: MIT

// Files that were written once and are read by all later versions, on every machine: worlds of columns and of voxels, with all that
// a world can have. What is read has the hash that was saved, and goes on with the same bits everywhere.
//
// Who changes a layout adds files of the new version and leaves the others as they are: TARN_MAKE_SAVES=FOLDER writes what this
// version makes, and prints the lines of the tables.

#include "boat_kit.h"
#include "core/archive.h"
#include "snapshot_kit.h"

#include <tarn/tarn.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct OldSave
{
	const char* file;
	// When it was saved, which no version may change; and some steps later, which changes with what golden hashes change with.
	uint64_t hash, later;
} OldSave;

enum
{
	laterSteps = 30,
	columns = 28,
	rows = 20,
};

static const OldSave s_worlds[] = {
	{"1_pipe", 0xab14783c915eab9full, 0x99a2cf9feffae2e7ull},
	{"1_linear", 0x68df4138a2751247ull, 0x19914279dfe1c6e0ull},
	{"1_shallow", 0x78cf248bf953501bull, 0x335776fa0a183142ull},
	{"2_pipe", 0xd62c05e3c04ce0d4ull, 0x514957aad9efccd4ull},
	{"2_linear", 0x99f30f1adff8aad2ull, 0x27502dce62e72838ull},
	{"2_shallow", 0x462d88d44ee357a5ull, 0xe203658221e0726full},
};

static const OldSave s_voxelWorlds[] = {
	{"1_voxels_component", 0x24d90a96552808f4ull, 0x211e43980fc88138ull},
	{"1_voxels_basic", 0xbbf98a240f1cd656ull, 0xaa913f845a023cb2ull},
	{"1_voxels_pressure", 0x7080cc12457c0892ull, 0x9d4246fef611c426ull},
};

// Sums of the bytes that this version makes: the same on every machine. They change with the layout and with golden hashes.
static const uint64_t s_made[] = {0x48c5a15a40914773ull, 0x8353325a565d2eabull, 0xbf8463b2c9d8ec7eull,
	0x5701b5bd72b9608eull, 0xa0304895c0da4dc9ull, 0xb36acf1adc425523ull};

static uint8_t* ReadSave(const char* name, size_t* size)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/test/reference/saves/%s.tarn", TARN_SOURCE_FOLDER, name);
	FILE* file = fopen(path, "rb");
	const size_t room = (size_t)1 << 20;
	uint8_t* bytes = file != NULL ? malloc(room) : NULL;
	*size = bytes != NULL ? fread(bytes, 1, room, file) : 0;
	if (file != NULL)
	{
		fclose(file);
	}
	return bytes;
}

static bool WriteSave(const char* name, const void* bytes, size_t size)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/%s.tarn", getenv("TARN_MAKE_SAVES"), name);
	FILE* file = fopen(path, "wb");
	const bool ok = file != NULL && fwrite(bytes, 1, size, file) == size;
	return file != NULL && fclose(file) == 0 && ok;
}

// ---------------------------------------------------------------------------------------------------------------------
// Making them

static tnWorldDef DescribeWorld(int kind)
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns, def.rowCount = rows;
	def.origin = (tnVec2){-3.0f, 5.0f};
	def.method = (tnMethod)kind;
	def.advection = tn_fineAdvection;
	def.vorticityConfinement = 0.1f;
	def.section = tn_meanSection;
	def.manning = 0.03f;
	def.friction = 0.01f;
	def.tracerCount = 2;
	def.keepPrevious = def.keepDischarge = true;
	def.sleepSpeed = kind == tn_linearMethod ? 0.01f : 0.0f;
	def.waves.enable = def.spray.enable = def.foam.enable = true;
	def.waves.finerLevels = 0;
	def.waves.levelCount = 2;
	def.waves.tileCount = 2;
	def.waves.breakingLimit = kind == tn_linearMethod ? 0.0f : 0.5f;
	def.spray.capacity = 256;
	def.spray.ledgeHeight = 0.3f;
	for (int side = 0; side < tn_sideCount; ++side)
	{
		def.edges[side].level = 2.0f;
		def.edges[side].kind = kind == tn_pipeMethod && side >= tn_north ? tn_wrapEdge : tn_wallEdge;
	}
	def.edges[tn_west].kind = tn_levelEdge;
	def.edges[tn_west].tideAmplitude = 0.2f;
	def.edges[tn_west].tidePeriod = 20.0f;
	def.edges[tn_east].kind = kind == tn_linearMethod ? tn_inflowEdge : tn_absorbEdge;
	def.edges[tn_east].inflow = 0.4f;
	return def;
}

// Everything with an id, everything with a map or a curve.
static bool FurnishWorld(tnWorld* world, int kind, tnBodyId* boat)
{
	static float bed[columns * rows], map[columns * rows];
	for (int i = 0; i < columns * rows; ++i)
	{
		const int column = i % columns, row = i / columns;
		bed[i] = 0.05f * (float)((column * 7 + row * 5) % 11) + (column > 20 && row > 13 ? 2.5f : 0.0f);
		map[i] = 0.1f * (float)(i % 13);
	}
	const tnCurvePoint points[3] = {{0.0f, 1.9f}, {1.5f, 2.1f}, {60.0f, 1.0f}};
	bool ok = tnWorld_SetTerrain(world, bed).status == tn_ok && tnWorld_FillToLevel(world, 2.0f).status == tn_ok;
	ok = ok && tnWorld_SetEdgeCurve(world, tn_west, points, 3).status == tn_ok;
	ok = ok && tnWorld_SetRain(world, 1.0e-3f, map).status == tn_ok;
	ok = ok && tnWorld_SetEvaporation(world, 1.0e-4f, NULL).status == tn_ok;
	ok = ok && tnWorld_SetInfiltration(world, 1.0e-4f, map).status == tn_ok;
	ok = ok && tnWorld_AddTracer(world, 1, (tnVec2){5.0f, 12.0f}, 4.0f, 1.0f).status == tn_ok;
	ok = ok && tnWorld_AddFoam(world, (tnVec2){9.0f, 12.0f}, 4.0f, 1.0f).status == tn_ok;
	ok = ok && tnWorld_AddImpulse(world, (tnVec2){9.0f, 12.0f}, 4.0f, (tnVec2){2.0e4f, 1.0e4f}).status == tn_ok;
	ok = ok && (kind != tn_shallowMethod || tnWorld_SetAcceleration(world, (tnVec2){0.01f, 0.0f}).status == tn_ok);
	tnSourceDef source = tnDefaultSourceDef();
	tnSourceId ids[3];
	for (int i = 0; i < 3 && ok; ++i)
	{
		source.center = (tnVec2){1.0f + 4.0f * (float)i, 20.0f};
		source.kind = i == 1 ? tn_wellSource : tn_rateSource;
		source.level = 1.7f;
		source.velocity = (tnVec2){1.0f, -1.0f};
		source.tracers[0] = 0.5f;
		ok = tnWorld_CreateSource(world, &source, ids + i).status == tn_ok;
	}
	ok = ok && tnWorld_DestroySource(world, ids[0]).status == tn_ok;
	tnRegionDef region = tnDefaultRegionDef();
	region.center = (tnVec2){21.0f, 21.0f};
	region.extent = (tnVec2){2.0f, 2.0f};
	region.userData = 77;
	tnRegionId regionId;
	tnGaugeId gauge;
	ok = ok && tnWorld_CreateRegion(world, &region, &regionId).status == tn_ok;
	ok = ok && tnWorld_CreateGauge(world, (tnVec2){10.0f, 10.0f}, &gauge).status == tn_ok;
	tnInterestDef interest = tnDefaultInterestDef();
	interest.position = (tnVec2){8.0f, 10.0f};
	tnInterestId interestId;
	ok = ok && tnWorld_CreateInterest(world, &interest, &interestId).status == tn_ok;
	const tnSwell swell = {{1.0f, 0.3f}, 0.05f, 2.6f, 0.25f};
	const tnWaveDrop drop = {{12.0f, 15.0f}, 0.2f};
	ok = ok && tnWorld_SetSwell(world, &swell, 1).status == tn_ok && tnWorld_AddDrops(world, &drop, 1).status == tn_ok;
	ok = ok && tnWorld_SetWind(world, (tnVec2){6.0f, 2.0f}).status == tn_ok;
	tnJetDef jet = tnDefaultJetDef();
	jet.position = (tnVec3){14.0f, 4.0f, 10.0f};
	jet.velocity = (tnVec3){-4.0f, 3.0f, 1.0f};
	jet.rate = 0.3f;
	tnJetId jetId;
	ok = ok && tnWorld_CreateJet(world, &jet, &jetId).status == tn_ok;

	tnShapeDef shapes[6];
	tnBodyDef body = tnDefaultBodyDef();
	body.shapes = shapes;
	body.shapeCount = MakeBoatOfBoxes(shapes, true);
	body.mode = tn_blockingBody;
	body.mass = 2500.0f;
	body.pose.position = (tnVec3){6.0f, 2.2f, 10.0f};
	ok = ok && tnWorld_CreateBody(world, &body, boat).status == tn_ok;
	tnLeakDef leak = tnDefaultLeakDef();
	leak.position = (tnVec3){-1.0f, -0.45f, 0.0f};
	leak.area = 0.02f;
	tnPumpDef pump = tnDefaultPumpDef();
	pump.from = 1;
	pump.rate = 0.03f;
	pump.position = (tnVec3){2.0f, 0.4f, 0.0f};
	ok = ok && tnWorld_SetLeak(world, *boat, 0, &leak).status == tn_ok;
	ok = ok && tnWorld_SetPump(world, *boat, 2, &pump).status == tn_ok;
	ok = ok && tnWorld_SetHollowWater(world, *boat, 1, 1.1).status == tn_ok;
	// A ball that floats, and a slab on which rain stands.
	tnBodyId other;
	body.shapeCount = 1;
	shapes[0] = tnDefaultShapeDef();
	shapes[0].kind = tn_sphereShape;
	shapes[0].radius = 0.4f;
	body.mode = tn_floatingBody;
	body.pose.position = (tnVec3){12.0f, 2.0f, 18.0f};
	ok = ok && tnWorld_CreateBody(world, &body, &other).status == tn_ok;
	shapes[0] = MakePlank(0.0f, 0.0f, 0.0f, 2.5f, 0.2f, 2.0f);
	body.mode = tn_blockingBody;
	body.mass = INFINITY;
	body.pose.position = (tnVec3){16.0f, 3.0f, 12.0f};
	return ok && tnWorld_CreateBody(world, &body, &other).status == tn_ok;
}

static tnWorld* MakeWorld(int kind)
{
	const tnWorldDef def = DescribeWorld(kind);
	tnWorld* world = NULL;
	tnBodyId boat = {0};
	bool ok = tnCreateWorld(&def, &world).status == tn_ok && FurnishWorld(world, kind, &boat);
	for (int i = 0; i < 50 && ok; ++i)
	{
		const tnPose pose = {{6.0f + 0.02f * (float)i, 2.2f, 10.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
		ok = tnWorld_MoveBody(world, boat, &pose, (tnVec3){1.2f, 0.0f, 0.0f}, (tnVec3){0.0f, 0.0f, 0.0f}).status ==
			tn_ok;
		ok = ok && tnWorld_Step(world, 1.0f / 60.0f).status == tn_ok;
	}
	return ok ? world : NULL;
}

static tnVoxelWorldDef DescribeVoxels(int kind)
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.rules = (tnVoxelRules)kind;
	def.liquidCount = 3;
	def.liquids[0].evaporation = 40;
	def.liquids[1] = def.liquids[2] = tnDefaultLiquidDef();
	def.liquids[1].density = 2000.0f;
	def.liquids[1].viscosity = 4;
	def.liquids[2].levels = false;
	def.chunkLimit = 512;
	return def;
}

static tnVoxelWorld* MakeVoxels(int kind)
{
	const tnVoxelWorldDef def = DescribeVoxels(kind);
	tnVoxelWorld* world = NULL;
	bool ok = tnCreateVoxelWorld(&def, &world).status == tn_ok;
	ok = ok && tnVoxelWorld_LoadBlock(world, (tnVoxel){0, 0, 0}).status == tn_ok;
	ok = ok && tnVoxelWorld_LoadBlock(world, (tnVoxel){-1, 0, 0}).status == tn_ok;
	ok = ok && tnVoxelWorld_FillSolid(world, (tnVoxelBox){{-24, 0, 0}, {24, 12, 24}}, TN_VOXEL_ROCK).status == tn_ok;
	ok = ok && tnVoxelWorld_FillSolid(world, (tnVoxelBox){{-20, 2, 4}, {20, 12, 20}}, 0).status == tn_ok;
	// A U-bend.
	ok = ok && tnVoxelWorld_FillSolid(world, (tnVoxelBox){{-1, 4, 4}, {1, 12, 20}}, TN_VOXEL_ROCK).status == tn_ok;
	ok = ok && tnVoxelWorld_FillSolidBall(world, (tnVec3){4.0f, 2.0f, 8.0f}, 1.5f, 140).status == tn_ok;
	ok = ok && tnVoxelWorld_AddLiquid(world, (tnVoxelBox){{-20, 2, 4}, {-4, 10, 20}}, 1, 900, NULL).status == tn_ok;
	ok = ok && tnVoxelWorld_AddLiquid(world, (tnVoxelBox){{4, 6, 6}, {10, 9, 12}}, 2, 700, NULL).status == tn_ok;
	ok = ok && tnVoxelWorld_AddLiquid(world, (tnVoxelBox){{12, 8, 6}, {15, 11, 9}}, 3, 500, NULL).status == tn_ok;
	tnReactionDef reaction = tnDefaultReactionDef();
	reaction.first = 1, reaction.second = 3;
	ok = ok && tnVoxelWorld_SetReaction(world, &reaction).status == tn_ok;
	tnVoxelOceanDef ocean = tnDefaultVoxelOceanDef();
	ocean.box = (tnVoxelBox){{16, 2, 16}, {20, 12, 20}};
	ocean.liquid = 1;
	ocean.level = (int64_t)5 * def.cap + 100;
	ok = ok && (kind == tn_pressureRules || tnVoxelWorld_SetOcean(world, &ocean).status == tn_ok);
	tnVoxelSourceDef source = tnDefaultVoxelSourceDef();
	tnVoxelSourceId ids[2];
	for (int i = 0; i < 2; ++i)
	{
		source.box = (tnVoxelBox){{-18 + 30 * i, 10 - 8 * i, 6}, {-16 + 30 * i, 11 - 8 * i, 8}};
		source.liquid = 1 - i;
		source.rate = i == 0 ? 60 : -20;
		ok = ok && tnVoxelWorld_CreateSource(world, &source, ids + i).status == tn_ok;
	}
	const tnVoxel point = {-10, 5, 10};
	ok = ok && tnVoxelWorld_SetInterests(world, &point, 1).status == tn_ok;
	for (int i = 0; i < 45 && ok; ++i)
	{
		ok = tnVoxelWorld_Step(world, i % 5 == 0 ? 20000 : 0).status == tn_ok;
	}
	return ok ? world : NULL;
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading them

static int GoOnFrom(const uint8_t* bytes, size_t size, uint64_t* hash, uint64_t* later)
{
	tnWorldDef hooks = tnDefaultWorldDef();
	hooks.tasks.workerCount = 2;
	tnWorld* world = NULL;
	ENSURE_OK(tnCreateWorldFrom(bytes, size, &hooks, &world));
	*hash = tnWorld_GetHash(world);
	// All is there.
	tnBodyId bodies[4];
	ENSURE_EQUAL_INT(tnWorld_GetBodies(world, bodies, 4), 3);
	ENSURE_EQUAL_INT(tnWorld_GetHollowCount(world, bodies[0]), 2);
	static float depths[columns * rows];
	ENSURE(tnWorld_CopyDecks(world, depths, NULL) > 0);
	ENSURE(!tnSource_IsValid(world, (tnSourceId){1, 1}) && tnSource_IsValid(world, (tnSourceId){3, 1}));
	ENSURE(tnRegion_IsValid(world, (tnRegionId){1, 1}) && tnGauge_IsValid(world, (tnGaugeId){1, 1}));
	ENSURE(tnInterest_IsValid(world, (tnInterestId){1, 1}) && tnWorld_GetSpray(world).count > 0);
	ENSURE(tnWorld_GetWaveTileCount(world) > 0);
	for (int i = 0; i < laterSteps; ++i)
	{
		ENSURE_OK(tnWorld_Step(world, 1.0f / 60.0f));
	}
	*later = tnWorld_GetHash(world);
	tnDestroyWorld(world);
	return 0;
}

static int ReadsWorlds(void)
{
	for (size_t i = 0; i < sizeof(s_worlds) / sizeof(s_worlds[0]); ++i)
	{
		size_t size;
		uint8_t* bytes = ReadSave(s_worlds[i].file, &size);
		ENSURE(bytes != NULL);
		uint64_t hash = 0, later = 0;
		ENSURE_EQUAL_INT(GoOnFrom(bytes, size, &hash, &later), 0);
		ENSURE_EQUAL_HEX(hash, s_worlds[i].hash);
		ENSURE_EQUAL_HEX(later, s_worlds[i].later);
		free(bytes);
	}
	return 0;
}

static int GoOnFromVoxels(int kind, const uint8_t* bytes, size_t size, uint64_t* hash, uint64_t* later)
{
	const tnVoxelWorldDef def = DescribeVoxels(kind);
	tnVoxelWorld* world = NULL;
	ENSURE_OK(tnCreateVoxelWorldFrom(bytes, size, &def, &world));
	*hash = tnVoxelWorld_GetHash(world);
	for (int i = 0; i < laterSteps; ++i)
	{
		ENSURE_OK(tnVoxelWorld_Step(world, 0));
	}
	*later = tnVoxelWorld_GetHash(world);
	for (int liquid = 1; liquid <= def.liquidCount; ++liquid)
	{
		ENSURE(tnVoxelWorld_GetLedger(world, liquid).drift == 0);
	}
	tnDestroyVoxelWorld(world);
	return 0;
}

static int ReadsVoxelWorlds(void)
{
	for (size_t i = 0; i < sizeof(s_voxelWorlds) / sizeof(s_voxelWorlds[0]); ++i)
	{
		size_t size;
		uint8_t* bytes = ReadSave(s_voxelWorlds[i].file, &size);
		ENSURE(bytes != NULL);
		uint64_t hash = 0, later = 0;
		ENSURE_EQUAL_INT(GoOnFromVoxels((int)i % tn_voxelRulesCount, bytes, size, &hash, &later), 0);
		ENSURE_EQUAL_HEX(hash, s_voxelWorlds[i].hash);
		ENSURE_EQUAL_HEX(later, s_voxelWorlds[i].later);
		free(bytes);
	}
	return 0;
}

// The files of this version: they can be read, too, and have the same bytes everywhere.
static int MakeFile(int index, const char* name, const Bytes* bytes, uint64_t hash, uint64_t later)
{
	const uint64_t sum = tnSumBytes(bytes->data, bytes->size);
	if (getenv("TARN_MAKE_SAVES") != NULL)
	{
		ENSURE(WriteSave(name, bytes->data, bytes->size));
		printf("\t{\"%s\", 0x%016llxull, 0x%016llxull},   sum 0x%016llxull\n", name, (unsigned long long)hash,
			(unsigned long long)later, (unsigned long long)sum);
		return 0;
	}
	ENSURE_EQUAL_HEX(sum, s_made[index]);
	return 0;
}

static int MakesFiles(void)
{
	static const char* const s_names[] = {
		"pipe", "linear", "shallow", "voxels_component", "voxels_basic", "voxels_pressure"};
	for (int kind = 0; kind < tn_methodCount; ++kind)
	{
		tnWorld* world = MakeWorld(kind);
		ENSURE(world != NULL);
		Bytes bytes;
		ENSURE(SaveWorld(world, &bytes));
		uint64_t hash = 0, later = 0;
		ENSURE_EQUAL_INT(GoOnFrom(bytes.data, bytes.size, &hash, &later), 0);
		ENSURE_EQUAL_HEX(hash, tnWorld_GetHash(world));
		ENSURE_EQUAL_INT(MakeFile(kind, s_names[kind], &bytes, hash, later), 0);
		FreeBytes(&bytes);
		tnDestroyWorld(world);
	}
	for (int kind = 0; kind < tn_voxelRulesCount; ++kind)
	{
		tnVoxelWorld* world = MakeVoxels(kind);
		ENSURE(world != NULL);
		Bytes bytes = {0};
		ENSURE_OK(tnVoxelWorld_Save(world, NULL, 0, &bytes.size));
		bytes.data = malloc(bytes.size);
		ENSURE_OK(tnVoxelWorld_Save(world, bytes.data, bytes.size, &bytes.size));
		uint64_t hash = 0, later = 0;
		ENSURE_EQUAL_INT(GoOnFromVoxels(kind, bytes.data, bytes.size, &hash, &later), 0);
		ENSURE_EQUAL_HEX(hash, tnVoxelWorld_GetHash(world));
		ENSURE_EQUAL_INT(MakeFile(tn_methodCount + kind, s_names[tn_methodCount + kind], &bytes, hash, later), 0);
		FreeBytes(&bytes);
		tnDestroyVoxelWorld(world);
	}
	return 0;
}

static const Test s_tests[] = {
	{"ReadsWorlds", ReadsWorlds},
	{"ReadsVoxelWorlds", ReadsVoxelWorlds},
	{"MakesFiles", MakesFiles},
};

const TestSuite old_savesSuite = TEST_SUITE("old_saves", s_tests);

// SPDX-License-Identifier: MIT

// Tests of tarn.hpp. Prints what bindings/test/program.c prints, after having looked at owners and errors.

#include "tarn.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstring>

#define ENSURE(condition)                                              \
	do                                                                 \
	{                                                                  \
		if (!(condition))                                              \
		{                                                              \
			std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			std::exit(1);                                              \
		}                                                              \
	} while (0)

// Memory that the library has, to see that nothing is left.
static std::size_t s_byteCount;

static void* Allocate(std::size_t size, std::size_t alignment, void*)
{
	s_byteCount += size;
	return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void Free(void* memory, std::size_t size, void*)
{
	s_byteCount -= memory != nullptr ? size : 0;
	std::free(memory);
}

static tnWorldDef GetCountedDef()
{
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = def.rowCount = 32;
	def.allocator = {Allocate, Free, nullptr};
	return def;
}

static void TestOwners()
{
	{
		tarn::World a(GetCountedDef());
		ENSURE(s_byteCount > 0);
		tarn::World b = std::move(a);
		ENSURE(!a && b);
		tarn::World c(GetCountedDef());
		const std::size_t two = s_byteCount;
		c = std::move(b);
		ENSURE(s_byteCount < two && !b && c);
		c = std::move(c);
		ENSURE(c);
		tnWorld* bare = c.Release();
		ENSURE(!c && bare != nullptr);
		c.Reset(bare);
		tarn::Surface surface(c);
		tarn::Rollback rollback(c);
		rollback.Push();
		ENSURE(rollback.GetCount() == 1);
	}
	ENSURE(s_byteCount == 0);
}

static void TestErrors()
{
	tnWorldDef def = GetCountedDef();
	def.gravity = -1.0f;
	bool caught = false;
	try
	{
		tarn::World world(def);
	}
	catch (const tarn::Error& error)
	{
		caught = error.status == tn_invalidArgument && std::strstr(error.what(), "gravity") != nullptr;
	}
	ENSURE(caught);
	ENSURE(s_byteCount == 0);

	tarn::World world(GetCountedDef());
	caught = false;
	try
	{
		world.SetTerrain(std::vector<float>(3));
	}
	catch (const tarn::Error&)
	{
		caught = true;
	}
	ENSURE(caught);
	caught = false;
	try
	{
		world.DestroyBody(tnBodyId{7, 7});
	}
	catch (const tarn::Error& error)
	{
		caught = error.status == tn_staleId;
	}
	ENSURE(caught);
}

static void TestSaves()
{
	tarn::World world(GetCountedDef());
	world.AddWater({16.0f, 16.0f}, 4.0f, 30.0f);
	world.Step(1.0f / 60.0f);
	const tarn::Bytes bytes = world.Save();
	const std::uint64_t hash = world.GetHash();
	tarn::World other = tarn::World::From(bytes);
	ENSURE(other.GetHash() == hash);
	world.Step(1.0f / 60.0f);
	ENSURE(world.GetHash() != hash);
	world.Restore(bytes);
	ENSURE(world.GetHash() == hash);
	const tarn::Field depth = world.GetDepth();
	double volume = 0.0;
	for (int row = 0; row < depth.Rows(); ++row)
	{
		for (int column = 0; column < depth.Columns(); ++column)
		{
			volume += depth(column, row);
		}
	}
	ENSURE(volume > 29.99 && volume < 30.01);
	ENSURE(!world.GetFoam());
	ENSURE(world.SampleMany({{16.0f, 16.0f}, {1.0f, 1.0f}})[0].wet);
	ENSURE(world.CastRay({16.0f, 9.0f, 16.0f}, {0.0f, -1.0f, 0.0f}, 20.0f).water);
}

static std::uint64_t RunWorld()
{
	constexpr int columns = 96, rows = 64;
	tnWorldDef def = tnDefaultWorldDef();
	def.columnCount = columns;
	def.rowCount = rows;
	def.cellSize = 0.5f;
	def.method = tn_shallowMethod;
	def.tracerCount = 1;
	def.edges[tn_east].kind = tn_openEdge;
	def.waves.enable = true;
	def.waves.levelCount = 3;
	def.waves.tileCount = 64;
	def.spray.enable = true;
	def.foam.enable = true;
	tarn::World world(def);
	std::vector<float> heights;
	for (int row = 0; row < rows; ++row)
	{
		for (int column = 0; column < columns; ++column)
		{
			heights.push_back(float((column * 7 + row * 13) % 16) / 16.0f + float(column) / 32.0f);
		}
	}
	world.SetTerrain(heights);
	world.AddWater({12.0f, 16.0f}, 6.0f, 200.0f);
	tnSourceDef spring = tnDefaultSourceDef();
	spring.center = {36.0f, 8.0f};
	spring.rate = 2.5f;
	spring.tracers[0] = 0.5f;
	world.CreateSource(spring);
	tnShapeDef box = tnDefaultShapeDef();
	box.halfExtents = {1.0f, 0.5f, 1.5f};
	tnBodyDef crate = tnDefaultBodyDef();
	crate.mass = 1500.0f;
	crate.pose.position = {14.0f, 2.0f, 16.0f};
	const tnBodyId body = world.CreateBody(crate, box);
	for (int step = 0; step < 90; ++step)
	{
		tnPose pose = crate.pose;
		pose.position.x = 14.0f + float(step) / 32.0f;
		world.MoveBody(body, pose, {1.875f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f});
		world.Step(1.0f / 64.0f);
	}
	return world.GetHash();
}

static std::uint64_t RunVoxels()
{
	tnVoxelWorldDef def = tnDefaultVoxelWorldDef();
	def.liquidCount = 2;
	def.liquids[1].viscosity = 4;
	def.liquids[1].density = 2500.0f;
	tarn::VoxelWorld world(def);
	world.LoadBlock({0, 0, 0});
	world.FillSolid({{0, 0, 0}, {64, 8, 64}}, TN_VOXEL_ROCK);
	world.FillSolidBall({20.0f, 8.0f, 20.0f}, 7.5f, 0);
	ENSURE(world.AddLiquid({{14, 20, 14}, {26, 30, 26}}, 1, 1024) == 12 * 10 * 12 * 1024);
	world.AddLiquid({{30, 12, 30}, {34, 20, 34}}, 2, 700);
	for (int step = 0; step < 120; ++step)
	{
		world.Step();
	}
	ENSURE(world.GetLedger(1).drift == 0);
	ENSURE(tarn::VoxelWorld::From(world.Save(), def).GetHash() == world.GetHash());
	return world.GetHash();
}

int main()
{
	TestOwners();
	TestErrors();
	ENSURE(s_byteCount == 0);
	TestSaves();
	std::printf("world %016" PRIx64 "\n", RunWorld());
	std::printf("voxels %016" PRIx64 "\n", RunVoxels());
	tnWorldDef def = tnDefaultWorldDef();
	def.cellSize = -1.0f;
	try
	{
		tarn::World world(def);
	}
	catch (const tarn::Error& error)
	{
		std::printf("%s\n", error.what());
	}
}

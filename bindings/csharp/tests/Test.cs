// SPDX-License-Identifier: MIT
//
// Tests of the binding, run by mono. Prints what bindings/test/program.c prints.

using System;
using System.Linq;
using Tarn;

public static unsafe class Test
{
	private static void Ensure(bool condition, string what)
	{
		if (!condition)
		{
			Console.WriteLine("failed: " + what);
			Environment.Exit(1);
		}
	}

	private static void Refused(Action call, Status status, string text)
	{
		try
		{
			call();
		}
		catch (TarnException problem)
		{
			Ensure(problem.Status == status && problem.Message.Contains(text), problem.Status + " " + problem.Message);
			return;
		}
		Ensure(false, "not refused: " + text);
	}

	private static void Disposed(Action call, string what)
	{
		try
		{
			call();
		}
		catch (ObjectDisposedException)
		{
			return;
		}
		Ensure(false, "not disposed: " + what);
	}

	private static World MakeLake()
	{
		WorldDef def = WorldDef.Default;
		def.columnCount = 37;
		def.rowCount = 23;
		var world = new World(def);
		world.FillToLevel(1);
		return world;
	}

	private static void TestLives()
	{
		World world = MakeLake();
		Field depth = world.GetDepth();
		Ensure(depth.Columns == 37 && depth[36, 22] == 1 && depth.ToArray().Sum() == 37 * 23, "depth");
		Ensure(!world.GetFoam().Exists, "foam");
		var surface = new Surface(world);
		surface.Update(world, 1);
		Ensure(surface.TakeChanges().count == surface.GetTileCount(), "changes");
		Ensure(surface.BuildMesh(0).Indices.Length > 3000, "mesh");
		world.Dispose();
		world.Dispose();
		Disposed(() => world.Step(0.1f), "step");
		Disposed(() => Console.WriteLine(depth[0, 0]), "view");
		Disposed(() => surface.GetTileCount(), "surface");
		surface.Dispose();
		for (int i = 0; i < 300; ++i)
		{
			new Rollback(new World());
			if (i % 20 == 0)
			{
				GC.Collect();
				GC.WaitForPendingFinalizers();
			}
		}
	}

	private static void TestErrors()
	{
		WorldDef def = WorldDef.Default;
		def.gravity = 0;
		Refused(() => new World(def), Status.InvalidArgument, "gravity");
		using (World world = MakeLake())
		{
			Refused(() => world.SetTerrain(new float[3]), Status.InvalidArgument, "851");
			Refused(() => world.SetTerrain(null), Status.InvalidArgument, "851");
			Refused(() => world.DestroyBody(new BodyId { index1 = 3, generation = 3 }), Status.StaleId, "");
			Refused(() => world.AddDrops(new[] { new WaveDrop() }), Status.NotAvailable, "");
		}
	}

	private static void TestCalls()
	{
		using (World world = MakeLake())
		{
			Ensure(Math.Abs(world.AddWater(new Vec2(10, 10), 3, 20) - 20) < 0.001, "moved");
			world.Step(1.0f / 60);
			byte[] bytes = world.Save();
			ulong hash = world.GetHash();
			world.Step(1.0f / 60);
			Ensure(world.GetHash() != hash, "hash");
			world.Restore(bytes);
			Ensure(world.GetHash() == hash, "restore");
			using (World other = World.From(bytes))
			{
				Ensure(other.GetHash() == hash, "from");
			}
			Tarn.Sample[] samples = world.SampleMany(new[] { new Vec2(1, 1), new Vec2(900, 1) });
			Ensure(samples[0].inside && !samples[1].inside && samples[0].wet, "samples");
			float[] x, z;
			world.CopyVelocities(out x, out z);
			Ensure(x.Length == 37 * 23, "velocities");
			ShapeDef ball = ShapeDef.Default;
			ball.kind = ShapeKind.Sphere;
			ball.radius = 2;
			BodyDef def = BodyDef.Default;
			def.pose.position = new Vec3(18, 1, 11);
			BodyId id = world.CreateBody(def, ball);
			world.Step(1.0f / 60);
			Ensure(world.GetBodies().Single().Equals(id) && world.IsBodyValid(id), "bodies");
			Ensure(world.GetBodyWrench(id).force.y > 1000 && world.CopyWaterline(id).Length > 8, "wrench");
			Ensure(world.CastRay(new Vec3(5, 9, 5), new Vec3(0, -1, 0), 20).water, "ray");
			LeakDef leak;
			Ensure(!world.GetLeak(id, 0, out leak), "leak");
			world.SetRain(1e-6f, null);
		}
		using (var world = new VoxelWorld())
		{
			world.LoadBlock(new Voxel());
			var box = new VoxelBox(new Voxel(), new Voxel(16, 2, 16));
			Ensure(world.AddLiquid(box, 1, 512) == 512 * 512, "liquid");
			byte[] solid, liquids;
			ushort[] amounts;
			world.Read(box, out solid, out amounts, out liquids);
			Ensure(amounts[511] == 512 && liquids[0] == 1, "read");
			Ensure(world.TakeChanged().Length == 512 && world.TakeChanged().Length == 0, "changed");
			Ensure(VoxelWorld.From(world.Save(), VoxelWorldDef.Default).GetHash() == world.GetHash(), "voxels from");
		}
		Ensure(Library.GetSimdName(Simd.Scalar) == "scalar" && Library.GetVersion() == Constants.Version, "library");
	}

	private static ulong RunWorld()
	{
		WorldDef def = WorldDef.Default;
		def.columnCount = 96;
		def.rowCount = 64;
		def.cellSize = 0.5f;
		def.method = Method.Shallow;
		def.tracerCount = 1;
		def.edges1.kind = EdgeKind.Open;
		def.waves.enable = true;
		def.waves.levelCount = 3;
		def.waves.tileCount = 64;
		def.spray.enable = true;
		def.foam.enable = true;
		using (var world = new World(def))
		{
			var heights = new float[96 * 64];
			for (int i = 0; i < heights.Length; ++i)
			{
				int column = i % 96, row = i / 96;
				heights[i] = (column * 7 + row * 13) % 16 / 16.0f + column / 32.0f;
			}
			world.SetTerrain(heights);
			world.AddWater(new Vec2(12, 16), 6, 200);
			SourceDef spring = SourceDef.Default;
			spring.center = new Vec2(36, 8);
			spring.rate = 2.5f;
			spring.tracers[0] = 0.5f;
			world.CreateSource(spring);
			ShapeDef box = ShapeDef.Default;
			box.halfExtents = new Vec3(1, 0.5f, 1.5f);
			BodyDef crate = BodyDef.Default;
			crate.mass = 1500;
			crate.pose.position = new Vec3(14, 2, 16);
			BodyId id = world.CreateBody(crate, box);
			for (int step = 0; step < 90; ++step)
			{
				Pose pose = crate.pose;
				pose.position.x = 14 + step / 32.0f;
				world.MoveBody(id, pose, new Vec3(1.875f, 0, 0), new Vec3());
				world.Step(1.0f / 64);
			}
			return world.GetHash();
		}
	}

	private static ulong RunVoxels()
	{
		VoxelWorldDef def = VoxelWorldDef.Default;
		def.liquidCount = 2;
		def.liquids1.viscosity = 4;
		def.liquids1.density = 2500;
		using (var world = new VoxelWorld(def))
		{
			world.LoadBlock(new Voxel());
			world.FillSolid(new VoxelBox(new Voxel(), new Voxel(64, 8, 64)), 255);
			world.FillSolidBall(new Vec3(20, 8, 20), 7.5f, 0);
			world.AddLiquid(new VoxelBox(new Voxel(14, 20, 14), new Voxel(26, 30, 26)), 1, 1024);
			world.AddLiquid(new VoxelBox(new Voxel(30, 12, 30), new Voxel(34, 20, 34)), 2, 700);
			for (int step = 0; step < 120; ++step)
			{
				world.Step();
			}
			return world.GetHash();
		}
	}

	public static void Main()
	{
		TestLives();
		TestErrors();
		TestCalls();
		Console.WriteLine("world {0:x16}", RunWorld());
		Console.WriteLine("voxels {0:x16}", RunVoxels());
		WorldDef def = WorldDef.Default;
		def.cellSize = -1;
		try
		{
			new World(def);
		}
		catch (TarnException problem)
		{
			Console.WriteLine(problem.Message);
		}
	}
}

// SPDX-License-Identifier: MIT

using System;
using System.Runtime.InteropServices;

// What is nicer by hand: how objects are made, and calls with structs that point to others.

namespace Tarn
{
	public sealed unsafe partial class World
	{
		public World() : this(WorldDef.Default)
		{
		}

		public World(WorldDef def)
		{
			IntPtr made;
			Check(Native.tnCreateWorld(&def, &made));
			Own(made);
		}

		private World(IntPtr pointer)
		{
			Own(pointer);
		}

		/// <summary>A world of what Save has made.</summary>
		public static World From(byte[] bytes)
		{
			IntPtr made;
			fixed (byte* place = bytes)
			{
				Check(Native.tnCreateWorldFrom(place, (UIntPtr)bytes.Length, null, &made));
			}
			return new World(made);
		}

		/// <summary>A body of these shapes. Points and triangles of hulls and meshes are those of the arrays, if they are given.</summary>
		public BodyId CreateBody(BodyDef def, params ShapeDef[] shapes)
		{
			fixed (ShapeDef* place = shapes)
			{
				def.shapes = place;
				def.shapeCount = shapes.Length;
				return CreateBody(def);
			}
		}

		/// <summary>A body that is one convex hull.</summary>
		public BodyId CreateHull(BodyDef def, Vec3[] points)
		{
			ShapeDef shape = ShapeDef.Default;
			shape.kind = ShapeKind.Hull;
			fixed (Vec3* place = points)
			{
				shape.points = place;
				shape.pointCount = points.Length;
				return CreateBody(def, shape);
			}
		}

		private long CellCount
		{
			get
			{
				WorldDef def = GetDef();
				return (long)def.columnCount * def.rowCount;
			}
		}

		private long XFaceCount
		{
			get
			{
				WorldDef def = GetDef();
				return (long)(def.columnCount + 1) * def.rowCount;
			}
		}

		private long ZFaceCount
		{
			get
			{
				WorldDef def = GetDef();
				return (long)def.columnCount * (def.rowCount + 1);
			}
		}
	}

	public sealed unsafe partial class VoxelWorld
	{
		public VoxelWorld() : this(VoxelWorldDef.Default)
		{
		}

		public VoxelWorld(VoxelWorldDef def)
		{
			IntPtr made;
			Check(Native.tnCreateVoxelWorld(&def, &made));
			Own(made);
		}

		public static VoxelWorld From(byte[] bytes, VoxelWorldDef def)
		{
			IntPtr made;
			fixed (byte* place = bytes)
			{
				Check(Native.tnCreateVoxelWorldFrom(place, (UIntPtr)bytes.Length, &def, &made));
			}
			return new VoxelWorld(made, 0);
		}

		private VoxelWorld(IntPtr pointer, int unused)
		{
			Own(pointer);
		}

		/// <summary>Places of chunks that have changed since the last call.</summary>
		public Voxel[] TakeChanged()
		{
			var found = new Voxel[0];
			var part = new Voxel[1024];
			for (;;)
			{
				int count;
				fixed (Voxel* place = part)
				{
					count = Native.tnVoxelWorld_TakeChanged(Pointer, place, part.Length);
				}
				int taken = Math.Min(count, part.Length);
				Array.Resize(ref found, found.Length + taken);
				Array.Copy(part, 0, found, found.Length - taken, taken);
				if (count <= part.Length)
				{
					GC.KeepAlive(this);
					return found;
				}
			}
		}
	}

	/// <summary>Arrays of a mesh.</summary>
	public sealed class MeshArrays
	{
		public Vec3[] Positions, Normals;
		public uint[] Indices;
	}

	public sealed unsafe partial class Surface
	{
		public Surface(World world) : this(world, SurfaceDef.Default)
		{
		}

		public Surface(World world, SurfaceDef def)
		{
			IntPtr made;
			Check(Native.tnCreateSurface(world.Pointer, &def, &made));
			Own(made, world);
		}

		/// <summary>Triangles of the water of a tile.</summary>
		public MeshArrays BuildMesh(int tile)
		{
			SurfaceMesh mesh = default(SurfaceMesh);
			Result result = Native.tnSurface_BuildMesh(Pointer, tile, &mesh);
			if (result.status != Status.OutOfMemory)
			{
				Check(result);
			}
			var arrays = new MeshArrays { Positions = new Vec3[mesh.vertexCount], Normals = new Vec3[mesh.vertexCount],
				Indices = new uint[mesh.indexCount] };
			if (mesh.vertexCount > 0)
			{
				fixed (Vec3* positions = arrays.Positions)
				fixed (Vec3* normals = arrays.Normals)
				fixed (uint* indices = arrays.Indices)
				{
					mesh.positions = positions;
					mesh.normals = normals;
					mesh.indices = indices;
					mesh.vertexCapacity = mesh.vertexCount;
					mesh.indexCapacity = mesh.indexCount;
					Check(Native.tnSurface_BuildMesh(Pointer, tile, &mesh));
				}
			}
			GC.KeepAlive(this);
			return arrays;
		}
	}

	public sealed unsafe partial class Rollback
	{
		public Rollback(World world) : this(world, RollbackDef.Default)
		{
		}

		public Rollback(World world, RollbackDef def)
		{
			IntPtr made;
			Check(Native.tnCreateRollback(world.Pointer, &def, &made));
			Own(made, world);
		}
	}

	public sealed unsafe partial class Stream
	{
		public Stream(World world, StreamDef def)
		{
			IntPtr made;
			Check(Native.tnCreateStream(world.Pointer, &def, &made));
			Own(made, world);
		}
	}

	public sealed unsafe partial class StreamView
	{
		public StreamView(StreamViewDef def)
		{
			IntPtr made;
			Check(Native.tnCreateStreamView(&def, &made));
			Own(made);
		}
	}

	public sealed unsafe partial class VoxelMesher
	{
		public VoxelMesher()
		{
			IntPtr made;
			Check(Native.tnCreateVoxelMesher(null, &made));
			Own(made);
		}
	}

	public static unsafe partial class Library
	{
		public static string GetSimdName(Simd simd)
		{
			return Marshal.PtrToStringAnsi(Native.tnGetSimdName(simd));
		}
	}
}

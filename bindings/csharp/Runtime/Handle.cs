// SPDX-License-Identifier: MIT

using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Tarn
{
	/// <summary>What the library refused. The message is its text, which names the field and the value; nothing was changed.</summary>
	public class TarnException : Exception
	{
		public TarnException(Status status, string text) : base(text)
		{
			Status = status;
		}

		public Status Status { get; }
	}

	/// <summary>A bool of C, of one byte.</summary>
	[StructLayout(LayoutKind.Sequential)]
	public struct Bool
	{
		private byte value;

		public static implicit operator bool(Bool b)
		{
			return b.value != 0;
		}

		public static implicit operator Bool(bool b)
		{
			return new Bool { value = (byte)(b ? 1 : 0) };
		}
	}

	public unsafe partial struct Result
	{
		public string Text
		{
			get
			{
				fixed (byte* bytes = text)
				{
					int length = 0;
					while (length < 156 && bytes[length] != 0)
					{
						++length;
					}
					return Encoding.UTF8.GetString(bytes, length);
				}
			}
		}
	}

	public partial struct Vec2
	{
		public Vec2(float x, float z)
		{
			this.x = x;
			this.z = z;
		}
	}

	public partial struct Vec3
	{
		public Vec3(float x, float y, float z)
		{
			this.x = x;
			this.y = y;
			this.z = z;
		}
	}

	public partial struct Quat
	{
		public Quat(float x, float y, float z, float w)
		{
			this.x = x;
			this.y = y;
			this.z = z;
			this.w = w;
		}

		public static Quat Identity => new Quat(0, 0, 0, 1);
	}

	public partial struct Voxel
	{
		public Voxel(int x, int y, int z)
		{
			this.x = x;
			this.y = y;
			this.z = z;
		}
	}

	public partial struct VoxelBox
	{
		public VoxelBox(Voxel low, Voxel high)
		{
			this.low = low;
			this.high = high;
		}
	}

	/// <summary>
	/// What has to be destroyed: by Dispose, or some time after it was forgotten. A world whose surface is still there waits for that, but
	/// refuses calls from Dispose on.
	/// </summary>
	public abstract class Handle : SafeHandle
	{
		private Handle parent;
		private bool disposed;

		protected Handle() : base(IntPtr.Zero, true)
		{
		}

		public override bool IsInvalid => handle == IntPtr.Zero;

		/// <summary>It, or what it lives on. The memory may stay for a while, until all that lives on it is gone.</summary>
		public bool IsDisposed => disposed || IsClosed || (parent != null && parent.IsDisposed);

		protected override void Dispose(bool disposing)
		{
			disposed = true;
			base.Dispose(disposing);
		}

		/// <summary>For functions of C. ObjectDisposedException after Dispose.</summary>
		internal IntPtr Pointer
		{
			get
			{
				if (IsDisposed || IsInvalid)
				{
					throw new ObjectDisposedException(GetType().Name);
				}
				return handle;
			}
		}

		protected abstract void Destroy(IntPtr pointer);

		protected override bool ReleaseHandle()
		{
			Destroy(handle);
			parent?.DangerousRelease();
			return true;
		}

		internal void Own(IntPtr pointer, Handle parent = null)
		{
			SetHandle(pointer);
			if (parent != null)
			{
				bool done = false;
				parent.DangerousAddRef(ref done);
				this.parent = parent;
			}
		}

		internal static void CheckResult(Result result)
		{
			if (result.status != Status.Ok)
			{
				throw new TarnException(result.status, result.Text);
			}
		}

		internal static void Check(Result result)
		{
			CheckResult(result);
		}

		internal static void CheckLength(Array array, long count, string name, bool optional)
		{
			if (array == null ? !optional : array.Length != count)
			{
				throw new TarnException(Status.InvalidArgument, $"{name} must have {count} values, got {(array == null ? 0 : array.Length)}");
			}
		}

		internal static long Count(VoxelBox box)
		{
			return (long)Math.Max(box.high.x - box.low.x, 0) * Math.Max(box.high.y - box.low.y, 0) * Math.Max(box.high.z - box.low.z, 0);
		}
	}

	/// <summary>
	/// A field inside a world, without a copy: what the world is now. Ask again after it has changed.
	/// </summary>
	public sealed unsafe class Field
	{
		private readonly Handle owner;
		private readonly FieldView view;

		internal Field(Handle owner, FieldView view)
		{
			this.owner = owner;
			this.view = view;
		}

		/// <summary>False without the layer.</summary>
		public bool Exists => view.data != null;
		public int Columns => view.columnCount;
		public int Rows => view.rowCount;

		public float this[int column, int row]
		{
			get
			{
				if (owner.IsDisposed)
				{
					throw new ObjectDisposedException("World");
				}
				if ((uint)column >= (uint)view.columnCount || (uint)row >= (uint)view.rowCount)
				{
					throw new ArgumentOutOfRangeException($"({column}, {row}) of {view.columnCount} x {view.rowCount} cells");
				}
				return view.data[(long)row * view.stride + column];
			}
		}

		public float[] ToArray()
		{
			if (owner.IsDisposed)
			{
				throw new ObjectDisposedException("World");
			}
			var copy = new float[view.columnCount * view.rowCount];
			for (int row = 0; row < view.rowCount; ++row)
			{
				Marshal.Copy((IntPtr)(view.data + (long)row * view.stride), copy, row * view.columnCount, view.columnCount);
			}
			GC.KeepAlive(owner);
			return copy;
		}
	}
}

// SPDX-License-Identifier: MIT

using System.Collections.Generic;
using UnityEngine;

namespace Tarn.Unity
{
	/// <summary>
	/// Water on a ground: put it on an empty object. The corner of the first cell is the origin of the world, whatever the object's
	/// transform is. Numbers of Unity go to tarn as they are: both have y up, and in both a rotation is the same numbers; what is seen is
	/// mirrored, so triangles are turned round.
	/// Compiled against stand-ins of Unity's types, not yet run in Unity.
	/// </summary>
	public sealed class WaterWorld : MonoBehaviour
	{
		public int columns = 128;
		public int rows = 128;
		public float cellSize = 1;
		public float waterLevel;
		/// <summary>The ground, if there is one.</summary>
		public Terrain terrain;
		/// <summary>Of the water.</summary>
		public Material material;
		public Method method = Method.Shallow;

		private readonly List<Floater> floaters = new List<Floater>();
		private readonly Dictionary<int, Mesh> meshes = new Dictionary<int, Mesh>();
		private Surface surface;

		/// <summary>All of tarn: pour, dig, ask. Null while the component is off.</summary>
		public World World { get; private set; }

		private void OnEnable()
		{
			WorldDef def = WorldDef.Default;
			def.columnCount = columns;
			def.rowCount = rows;
			def.cellSize = cellSize;
			def.method = method;
			World = new World(def);
			if (terrain != null)
			{
				World.SetTerrain(SampleGround());
			}
			World.FillToLevel(waterLevel);
			surface = new Surface(World);
			foreach (Floater floater in floaters)
			{
				floater.Enter(this);
			}
		}

		private void OnDisable()
		{
			foreach (Floater floater in floaters)
			{
				floater.Leave();
			}
			surface.Dispose();
			World.Dispose();
			World = null;
		}

		private float[] SampleGround()
		{
			var heights = new float[columns * rows];
			for (int i = 0; i < heights.Length; ++i)
			{
				float x = (i % columns + 0.5f) * cellSize, z = (i / columns + 0.5f) * cellSize;
				heights[i] = terrain.SampleHeight(new Vector3(x, 0, z)) + terrain.transform.position.y;
			}
			return heights;
		}

		internal void Add(Floater floater)
		{
			floaters.Add(floater);
			if (World != null)
			{
				floater.Enter(this);
			}
		}

		internal void Remove(Floater floater)
		{
			if (World != null)
			{
				floater.Leave();
			}
			floaters.Remove(floater);
		}

		private void FixedUpdate()
		{
			foreach (Floater floater in floaters)
			{
				floater.Move();
			}
			World.Step(Time.fixedDeltaTime);
			foreach (Floater floater in floaters)
			{
				floater.Push();
			}
		}

		private unsafe void LateUpdate()
		{
			surface.Update(World, 1);
			SurfaceChanges changes = surface.TakeChanges();
			for (int i = 0; i < changes.count; ++i)
			{
				Show(changes.items[i].tile);
			}
		}

		private void Show(int tile)
		{
			Mesh mesh;
			if (!meshes.TryGetValue(tile, out mesh))
			{
				var child = new GameObject("water " + tile);
				child.transform.SetParent(transform, false);
				mesh = new Mesh();
				child.AddComponent<MeshFilter>().sharedMesh = mesh;
				child.AddComponent<MeshRenderer>().sharedMaterial = material;
				meshes.Add(tile, mesh);
			}
			MeshArrays arrays = surface.BuildMesh(tile);
			var positions = new Vector3[arrays.Positions.Length];
			var normals = new Vector3[arrays.Positions.Length];
			var indices = new int[arrays.Indices.Length];
			for (int i = 0; i < positions.Length; ++i)
			{
				positions[i] = Convert.ToUnity(arrays.Positions[i]);
				normals[i] = Convert.ToUnity(arrays.Normals[i]);
			}
			for (int i = 0; i < indices.Length; i += 3)
			{
				indices[i] = (int)arrays.Indices[i];
				indices[i + 1] = (int)arrays.Indices[i + 2];
				indices[i + 2] = (int)arrays.Indices[i + 1];
			}
			mesh.Clear();
			mesh.vertices = positions;
			mesh.normals = normals;
			mesh.triangles = indices;
			mesh.RecalculateBounds();
		}
	}

	internal static class Convert
	{
		internal static Vector3 ToUnity(Vec3 v)
		{
			return new Vector3(v.x, v.y, v.z);
		}

		internal static Vec3 ToTarn(Vector3 v)
		{
			return new Vec3(v.x, v.y, v.z);
		}
	}
}

// SPDX-License-Identifier: MIT
//
// The few types of Unity that the components use, as far as they use them, and a program that steps a box on the water with them: it
// says whether the components compile and do their part, not whether Unity runs them.

using System;
using System.Collections.Generic;
using System.Reflection;

namespace UnityEngine
{
	public struct Vector3
	{
		public float x, y, z;

		public Vector3(float x, float y, float z)
		{
			this.x = x;
			this.y = y;
			this.z = z;
		}
	}

	public struct Quaternion
	{
		public float x, y, z, w;
	}

	public class Transform
	{
		public Vector3 position, lossyScale = new Vector3(1, 1, 1);

		public void SetParent(Transform parent, bool keep)
		{
		}
	}

	public class Material
	{
	}

	public class Mesh
	{
		public static int Written;
		public Vector3[] vertices, normals;
		public int[] triangles;

		public void Clear()
		{
			++Written;
		}

		public void RecalculateBounds()
		{
		}
	}

	public class GameObject
	{
		public readonly Transform transform = new Transform();
		public readonly List<object> components = new List<object>();

		public GameObject(string name)
		{
		}

		public T AddComponent<T>() where T : new()
		{
			var made = new T();
			components.Add(made);
			var behaviour = made as MonoBehaviour;
			if (behaviour != null)
			{
				behaviour.gameObject = this;
			}
			return made;
		}
	}

	public class MonoBehaviour
	{
		public GameObject gameObject;
		public Transform transform => gameObject.transform;

		public T GetComponent<T>() where T : class
		{
			return gameObject.components.Find(c => c is T) as T;
		}
	}

	public class MeshFilter
	{
		public Mesh sharedMesh;
	}

	public class MeshRenderer
	{
		public Material sharedMaterial;
	}

	public class BoxCollider
	{
		public Vector3 size = new Vector3(1, 1, 1);
	}

	public class Terrain
	{
		public readonly Transform transform = new Transform();

		public float SampleHeight(Vector3 place)
		{
			return 0;
		}
	}

	public class Rigidbody
	{
		public bool isKinematic;
		public float mass = 1;
		public Vector3 velocity, angularVelocity, worldCenterOfMass, Force;
		public Quaternion rotation = new Quaternion { w = 1 };

		public void AddForce(Vector3 force)
		{
			Force = force;
		}

		public void AddTorque(Vector3 torque)
		{
		}
	}

	public static class Time
	{
		public static float fixedDeltaTime = 1 / 60.0f;
	}

	[AttributeUsage(AttributeTargets.Class)]
	public class RequireComponent : Attribute
	{
		public RequireComponent(Type type)
		{
		}
	}
}

public static class UnityTest
{
	private static void Tell(object component, string message)
	{
		component.GetType().GetMethod(message, BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public).Invoke(component, null);
	}

	public static int Main()
	{
		var place = new UnityEngine.GameObject("water");
		var water = place.AddComponent<Tarn.Unity.WaterWorld>();
		water.columns = water.rows = 40;
		water.waterLevel = 3;
		water.terrain = new UnityEngine.Terrain();
		water.method = Tarn.Method.Pipe;
		var crate = new UnityEngine.GameObject("crate");
		var body = crate.AddComponent<UnityEngine.Rigidbody>();
		crate.AddComponent<UnityEngine.BoxCollider>().size = new UnityEngine.Vector3(3, 1, 3);
		body.mass = 9 * 1 * 400;
		body.worldCenterOfMass = new UnityEngine.Vector3(20, 3.2f, 20);
		var floater = crate.AddComponent<Tarn.Unity.Floater>();
		floater.water = water;
		Tell(water, "OnEnable");
		Tell(floater, "OnEnable");
		double draft = 0;
		for (int i = 0; i < 1800; ++i)
		{
			// What the engine would do with the force. Upright, and a little damped: here is no end to the lake that waves could leave by.
			body.velocity.y = (body.velocity.y + (body.Force.y / body.mass - 9.81f) / 60) * 0.985f;
			body.worldCenterOfMass.y += body.velocity.y / 60;
			Tell(water, "FixedUpdate");
			if (i % 60 == 0)
			{
				Tell(water, "LateUpdate");
			}
			if (i >= 1200)
			{
				// It heaves a little, with the lake: the mean.
				Tarn.BodyState state = water.World.GetBodyState(water.World.GetBodies()[0]);
				draft += (state.waterlineHeight - (body.worldCenterOfMass.y - 0.5)) / 600;
			}
		}
		int meshes = UnityEngine.Mesh.Written;
		Tell(floater, "OnDisable");
		Tell(water, "OnDisable");
		Console.WriteLine("Unity's components on stand-ins: draft {0:0.000} of 0.400 m, {1} meshes", draft, meshes);
		return Math.Abs(draft - 0.4) < 0.005 && meshes > 0 ? 0 : 1;
	}
}

// SPDX-License-Identifier: MIT

using UnityEngine;

namespace Tarn.Unity
{
	/// <summary>
	/// Lets a Rigidbody float: it pushes the water aside, and the water pushes it. Its shape is a box, by default that of its BoxCollider.
	/// Compiled against stand-ins of Unity's types, not yet run in Unity.
	/// </summary>
	[RequireComponent(typeof(Rigidbody))]
	public sealed class Floater : MonoBehaviour
	{
		public WaterWorld water;
		/// <summary>Zero: that of the BoxCollider.</summary>
		public Vector3 halfExtents;

		private Rigidbody body;
		private BodyId id;
		private World world;

		private void OnEnable()
		{
			body = GetComponent<Rigidbody>();
			water.Add(this);
		}

		private void OnDisable()
		{
			water.Remove(this);
		}

		internal void Enter(WaterWorld owner)
		{
			world = owner.World;
			BodyDef def = BodyDef.Default;
			def.mass = body.isKinematic ? float.PositiveInfinity : body.mass;
			def.pose = GetPose();
			ShapeDef shape = ShapeDef.Default;
			BoxCollider box = GetComponent<BoxCollider>();
			Vector3 half = halfExtents;
			if (half.x <= 0 && box != null)
			{
				Vector3 scale = transform.lossyScale;
				half = new Vector3(box.size.x * scale.x / 2, box.size.y * scale.y / 2, box.size.z * scale.z / 2);
			}
			shape.halfExtents = Convert.ToTarn(half);
			id = world.CreateBody(def, shape);
		}

		internal void Leave()
		{
			world.DestroyBody(id);
			world = null;
		}

		internal void Move()
		{
#if UNITY_6000_0_OR_NEWER
			Vector3 velocity = body.linearVelocity;
#else
			Vector3 velocity = body.velocity;
#endif
			world.MoveBody(id, GetPose(), Convert.ToTarn(velocity), Convert.ToTarn(body.angularVelocity));
		}

		internal void Push()
		{
			if (!body.isKinematic)
			{
				Wrench push = world.GetBodyWrench(id);
				body.AddForce(Convert.ToUnity(push.force));
				body.AddTorque(Convert.ToUnity(push.torque));
			}
		}

		private Pose GetPose()
		{
			Quaternion turn = body.rotation;
			return new Pose { position = Convert.ToTarn(body.worldCenterOfMass), rotation = new Quat(turn.x, turn.y, turn.z, turn.w) };
		}
	}
}

// SPDX-License-Identifier: MIT
//
// Bodies of Rapier in the water of tarn. Rapier owns their motion; the water pushes them and gives way to them.
//
//   import RAPIER from "@dimforge/rapier3d-compat";
//   import { RapierWater } from "tarn-water/rapier";
//   const water = new RapierWater(RAPIER, world);
//   water.add(rigidBody);            // shapes are those of its colliders
//   ...
//   water.step(timeStep);            // moves bodies in the water, steps it, pushes bodies of Rapier
//   rapierWorld.step();              // with the same time step

// A shape of Rapier as one of tarn: both have cylinders and capsules along y.
function getShape(RAPIER, collider, body)
{
	const { shape } = collider;
	// Where the collider is, seen from the centre of mass of its body, along the axes of the body.
	const turn = collider.rotationWrtParent() ?? { x: 0, y: 0, z: 0, w: 1 };
	const at = collider.translationWrtParent() ?? { x: 0, y: 0, z: 0 };
	const center = body.localCom();
	const def = { pose: { position: [at.x - center.x, at.y - center.y, at.z - center.z], rotation: [turn.x, turn.y, turn.z, turn.w] } };
	switch (shape.type)
	{
		case RAPIER.ShapeType.Cuboid:
		case RAPIER.ShapeType.RoundCuboid:
			return { ...def, kind: "box", halfExtents: [shape.halfExtents.x, shape.halfExtents.y, shape.halfExtents.z] };
		case RAPIER.ShapeType.Ball:
			return { ...def, kind: "sphere", radius: shape.radius };
		case RAPIER.ShapeType.Capsule:
			return { ...def, kind: "capsule", radius: shape.radius, halfLength: shape.halfHeight };
		case RAPIER.ShapeType.Cylinder:
		case RAPIER.ShapeType.RoundCylinder:
			return { ...def, kind: "cylinder", radius: shape.radius, halfLength: shape.halfHeight };
		case RAPIER.ShapeType.ConvexPolyhedron:
		case RAPIER.ShapeType.RoundConvexPolyhedron:
			return { ...def, kind: "hull", points: shape.vertices };
		case RAPIER.ShapeType.TriMesh:
			return { ...def, kind: "mesh", points: shape.vertices, triangles: Int32Array.from(shape.indices) };
		default:
			throw new Error(`tarn has no shape for the collider of type ${shape.type}; give shapes in the def`);
	}
}

export class RapierWater
{
	constructor(RAPIER, world)
	{
		this.RAPIER = RAPIER;
		this.world = world;
		this.pairs = new Map();
	}

	/** Put a body of Rapier into the water. Fields of `def` go before what its colliders say. */
	add(rigidBody, def = {})
	{
		const shapes = def.shapes ??
			Array.from({ length: rigidBody.numColliders() }, (_, i) => getShape(this.RAPIER, rigidBody.collider(i), rigidBody));
		const mass = rigidBody.isDynamic() ? rigidBody.mass() : Infinity;
		const body = this.world.addBody({ mass, ...def, shapes, pose: this.#getPose(rigidBody) });
		this.pairs.set(rigidBody, body);
		return body;
	}

	/** Take it out again, before or after Rapier removes it. */
	remove(rigidBody)
	{
		this.pairs.get(rigidBody)?.destroy();
		this.pairs.delete(rigidBody);
	}

	/** Move bodies in the water to where Rapier has them, step the water, and let it push them in the next step of Rapier. */
	step(timeStep)
	{
		for (const [rigidBody, body] of this.pairs)
		{
			const { position, rotation } = this.#getPose(rigidBody);
			// Rapier tells of the velocity of the centre of mass.
			const v = rigidBody.linvel(), w = rigidBody.angvel();
			body.move(position, rotation, [v.x, v.y, v.z], [w.x, w.y, w.z]);
		}
		this.world.step(timeStep);
		for (const [rigidBody, body] of this.pairs)
		{
			if (rigidBody.isDynamic())
			{
				const { force, torque } = body.getWrench();
				rigidBody.resetForces(false);
				rigidBody.resetTorques(false);
				// What rests, rests: a calm lake wakes nobody up.
				const awake = !rigidBody.isSleeping();
				rigidBody.addForce(force, awake);
				rigidBody.addTorque(torque, awake);
			}
		}
	}

	#getPose(rigidBody)
	{
		const at = rigidBody.worldCom(), turn = rigidBody.rotation();
		return { position: [at.x, at.y, at.z], rotation: [turn.x, turn.y, turn.z, turn.w] };
	}
}

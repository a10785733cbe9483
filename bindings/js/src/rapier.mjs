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

import { Coupling } from "./coupling.mjs";

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

export class RapierWater extends Coupling
{
	constructor(RAPIER, world)
	{
		super(world, {
			getKey: (body) => body,
			getShapes: (body) => Array.from({ length: body.numColliders() }, (_, i) => getShape(RAPIER, body.collider(i), body)),
			getMass: (body) => (body.isDynamic() ? body.mass() : Infinity),
			getPose: (body) =>
			{
				const at = body.worldCom(), q = body.rotation();
				return { position: [at.x, at.y, at.z], rotation: [q.x, q.y, q.z, q.w] };
			},
			// Rapier tells of the velocity of the centre of mass.
			getVelocities: (body) => ({ velocity: body.linvel(), spin: body.angvel() }),
			isAsleep: (body) => body.isSleeping(),
			wake: (body) => body.wakeUp(),
			push: (body, force, torque) =>
			{
				// Rapier keeps forces until they are reset.
				body.resetForces(false);
				body.resetTorques(false);
				body.addForce(force, false);
				body.addTorque(torque, false);
			},
		});
	}
}

// SPDX-License-Identifier: MIT
//
// Bodies of Jolt in the water of tarn. Jolt owns their motion; the water pushes them and gives way to them.
//
//   import initJolt from "jolt-physics";
//   import { JoltWater } from "tarn-water/jolt";
//   const Jolt = await initJolt();
//   const water = new JoltWater(Jolt, jolt.GetPhysicsSystem().GetBodyInterface(), world);
//   water.add(body);                 // its shape as one or more of tarn's
//   ...
//   water.step(timeStep);            // moves bodies in the water, steps it, pushes bodies of Jolt
//   jolt.Step(timeStep, 1);          // with the same time step; forces act in all of its collision steps

import { Coupling, multiply, turn } from "./coupling.mjs";

const fromVector = (v) => [v.GetX(), v.GetY(), v.GetZ()];
const fromTurn = (q) => [q.GetX(), q.GetY(), q.GetZ(), q.GetW()];
const noTurn = [0, 0, 0, 1];

// Corners and triangles of a shape around its centre of mass. Corners that several triangles have come once.
function getTriangles(Jolt, shape, scale)
{
	const bounds = Jolt.AABox.prototype.sBiggest();
	const factor = new Jolt.Vec3(...scale), center = new Jolt.Vec3(0, 0, 0), rotation = new Jolt.Quat(0, 0, 0, 1);
	const found = new Jolt.ShapeGetTriangles(shape, bounds, center, rotation, factor);
	const count = found.GetNumTriangles(), begin = found.GetVerticesData() >> 2;
	const corners = Jolt.HEAPF32.slice(begin, begin + 9 * count);
	[found, factor, center, rotation].forEach((object) => Jolt.destroy(object));
	const places = new Map(), points = [], triangles = [];
	for (let i = 0; i < corners.length; i += 3)
	{
		const point = corners.subarray(i, i + 3), name = point.join();
		if (!places.has(name))
		{
			places.set(name, points.length / 3);
			points.push(...point);
		}
		triangles.push(places.get(name));
	}
	return { points: Float32Array.from(points), triangles: Int32Array.from(triangles) };
}

// Shapes of tarn for one of Jolt, with their place as seen from the centre of mass of the body: Jolt, too, has the origin of a shape in
// its centre of mass while it computes, and cylinders and capsules along y.
function getShapes(Jolt, shape, position, rotation, scale)
{
	const pose = { position, rotation };
	const isScaled = scale.some((s) => s !== 1);
	const as = (type) => Jolt.castObject(shape, Jolt[type]);
	const kind = shape.GetSubType();
	if (!isScaled)
	{
		switch (kind)
		{
			case Jolt.EShapeSubType_Box:
				return [{ pose, kind: "box", halfExtents: fromVector(as("BoxShape").GetHalfExtent()) }];
			case Jolt.EShapeSubType_Sphere:
				return [{ pose, kind: "sphere", radius: as("SphereShape").GetRadius() }];
			case Jolt.EShapeSubType_Capsule:
				return [{ pose, kind: "capsule", radius: as("CapsuleShape").GetRadius(), halfLength: as("CapsuleShape").GetHalfHeightOfCylinder() }];
			case Jolt.EShapeSubType_Cylinder:
				return [{ pose, kind: "cylinder", radius: as("CylinderShape").GetRadius(), halfLength: as("CylinderShape").GetHalfHeight() }];
		}
	}
	switch (kind)
	{
		case Jolt.EShapeSubType_StaticCompound:
		case Jolt.EShapeSubType_MutableCompound:
		{
			if (isScaled)
			{
				break;
			}
			const compound = as("CompoundShape");
			return Array.from({ length: compound.GetNumSubShapes() }, (_, i) =>
			{
				const part = compound.GetSubShape(i);
				const at = turn(rotation, fromVector(part.GetPositionCOM()));
				return getShapes(Jolt, part.mShape, position.map((x, axis) => x + at[axis]), multiply(rotation, fromTurn(part.GetRotation())), scale);
			}).flat();
		}
		case Jolt.EShapeSubType_RotatedTranslated:
			if (isScaled)
			{
				break;
			}
			// The centre of mass is that of what is inside, so only the rotation is left.
			return getShapes(Jolt, as("RotatedTranslatedShape").GetInnerShape(), position,
				multiply(rotation, fromTurn(as("RotatedTranslatedShape").GetRotation())), scale);
		case Jolt.EShapeSubType_OffsetCenterOfMass:
		{
			const inner = as("DecoratedShape").GetInnerShape();
			const outside = fromVector(shape.GetCenterOfMass()), inside = fromVector(inner.GetCenterOfMass());
			const at = turn(rotation, inside.map((x, axis) => scale[axis] * (x - outside[axis])));
			return getShapes(Jolt, inner, position.map((x, axis) => x + at[axis]), rotation, scale);
		}
		case Jolt.EShapeSubType_Scaled:
			return getShapes(Jolt, as("ScaledShape").GetInnerShape(), position, rotation,
				fromVector(as("ScaledShape").GetScale()).map((s, axis) => s * scale[axis]));
		case Jolt.EShapeSubType_Mesh:
			return [{ pose, kind: "mesh", ...getTriangles(Jolt, shape, scale) }];
		case Jolt.EShapeSubType_Empty:
			return [];
	}
	if (shape.GetType() === Jolt.EShapeType_Convex)
	{
		return [{ pose, kind: "hull", points: getTriangles(Jolt, shape, scale).points }];
	}
	throw new Error(`tarn has no shape for the ${isScaled ? "scaled " : ""}shape of type ${kind} of Jolt; give shapes in the def`);
}

export class JoltWater extends Coupling
{
	#vectors;
	#destroy;

	constructor(Jolt, bodyInterface, world)
	{
		const force = new Jolt.Vec3(0, 0, 0), torque = new Jolt.Vec3(0, 0, 0);
		super(world, {
			getKey: (body) => Jolt.getPointer(body),
			getShapes: (body) => getShapes(Jolt, body.GetShape(), [0, 0, 0], noTurn, [1, 1, 1]),
			getMass: (body) => (body.IsDynamic() ? 1 / body.GetMotionProperties().GetInverseMass() : Infinity),
			getPose: (body) => ({ position: fromVector(body.GetCenterOfMassPosition()), rotation: fromTurn(body.GetRotation()) }),
			getVelocities: (body) => (body.IsStatic() ? { velocity: [0, 0, 0], spin: [0, 0, 0] } :
				{ velocity: fromVector(body.GetLinearVelocity()), spin: fromVector(body.GetAngularVelocity()) }),
			isAsleep: (body) => !body.IsActive(),
			wake: (body) => (body.IsActive() ? body.ResetSleepTimer() : bodyInterface.ActivateBody(body.GetID())),
			push: (body, f, t) =>
			{
				force.Set(f.x, f.y, f.z);
				torque.Set(t.x, t.y, t.z);
				body.AddForce(force);
				body.AddTorque(torque);
			},
		});
		this.#vectors = [force, torque];
		this.#destroy = (vector) => Jolt.destroy(vector);
	}

	/** Give back what this has in the memory of Jolt. Bodies and worlds stay. */
	destroy()
	{
		this.#vectors.splice(0).forEach(this.#destroy);
	}
}

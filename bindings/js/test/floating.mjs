// SPDX-License-Identifier: MIT
//
// Bodies of Rapier and of Jolt in the water: they float as deep as Archimedes says (as in B01 of the verification cases), drift with a
// current (B04), sleep on calm water and wake when it moves, and what the water refuses stops nobody else.
//
//   node floating.mjs rapier|jolt      where node finds tarn-water and the engine

import assert from "node:assert/strict";
import { init, World } from "tarn-water";

const timeStep = 1 / 60;
await init();

// The same few calls for both: body(shape, density, position, {fixed, canSleep}) and what the tests look at.
const engines = {
	async rapier()
	{
		const { default: RAPIER } = await import("@dimforge/rapier3d-compat");
		const { RapierWater } = await import("tarn-water/rapier");
		await RAPIER.init();
		return (world) =>
		{
			const rapier = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
			rapier.timestep = timeStep;
			const { ColliderDesc, RigidBodyDesc } = RAPIER;
			const shapes = {
				box: ([x, y, z]) => [ColliderDesc.cuboid(x, y, z)],
				sphere: ([radius]) => [ColliderDesc.ball(radius)],
				upright: ([radius, half]) => [ColliderDesc.cylinder(half, radius)],
				hull: ([x, y, z]) => [ColliderDesc.convexHull(Float32Array.from(getCorners(x, y, z)))],
				halves: ([x, y, z]) => [-1, 1].map((side) => ColliderDesc.cuboid(x / 2, y, z).setTranslation(side * x / 2, 0, 0)),
			};
			return {
				water: new RapierWater(RAPIER, world),
				body: (kind, sizes, density, [x, y, z], { fixed = false, canSleep = false } = {}) =>
				{
					const def = (fixed ? RigidBodyDesc.fixed() : RigidBodyDesc.dynamic()).setTranslation(x, y, z).setCanSleep(canSleep);
					const body = rapier.createRigidBody(def);
					shapes[kind](sizes).forEach((shape) => rapier.createCollider(shape.setDensity(density), body));
					return body;
				},
				step: () => rapier.step(),
				position: (body) => body.worldCom(),
				velocity: (body) => body.linvel(),
				isAsleep: (body) => body.isSleeping(),
				spoil: (body) => body.setLinvel({ x: NaN, y: 0, z: 0 }, true),
				destroy: () => rapier.free(),
			};
		};
	},

	async jolt()
	{
		const { default: initJolt } = await import("jolt-physics");
		const { JoltWater } = await import("tarn-water/jolt");
		const Jolt = await initJolt();
		return (world) =>
		{
			const settings = new Jolt.JoltSettings();
			const pairs = new Jolt.ObjectLayerPairFilterTable(1), layers = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
			pairs.EnableCollision(0, 0);
			const layer = new Jolt.BroadPhaseLayer(0);
			layers.MapObjectToBroadPhaseLayer(0, layer);
			Jolt.destroy(layer);
			settings.mObjectLayerPairFilter = pairs;
			settings.mBroadPhaseLayerInterface = layers;
			settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
			const jolt = new Jolt.JoltInterface(settings);
			Jolt.destroy(settings);
			const bodies = jolt.GetPhysicsSystem().GetBodyInterface();
			const vector = (x, y, z) => new Jolt.Vec3(x, y, z);
			const makeHull = ([x, y, z]) =>
			{
				const hull = new Jolt.ConvexHullShapeSettings();
				const corners = getCorners(x, y, z);
				for (let i = 0; i < corners.length; i += 3)
				{
					hull.mPoints.push_back(vector(...corners.slice(i, i + 3)));
				}
				hull.mMaxConvexRadius = 0;
				return hull.Create().Get();
			};
			const shapes = {
				box: ([x, y, z]) => new Jolt.BoxShape(vector(x, y, z), 0),
				sphere: ([radius]) => new Jolt.SphereShape(radius),
				upright: ([radius, half]) => new Jolt.CylinderShape(half, radius, 0),
				hull: makeHull,
				// A compound, one half of which is turned and the other scaled, with its centre of mass put back to the middle.
				halves: ([x, y, z]) =>
				{
					const compound = new Jolt.StaticCompoundShapeSettings(), quarter = Math.SQRT1_2;
					compound.AddShapeShape(vector(0, 0, 0), new Jolt.Quat(0, quarter, 0, quarter), new Jolt.BoxShape(vector(z, y, x / 2), 0), 0);
					compound.AddShapeShape(vector(x, 0, 0), new Jolt.Quat(0, 0, 0, 1),
						new Jolt.ScaledShape(new Jolt.BoxShape(vector(x / 4, y, z), 0), vector(2, 1, 1)), 0);
					return compound.Create().Get();
				},
			};
			return {
				water: new JoltWater(Jolt, bodies, world),
				body: (kind, sizes, density, [x, y, z], { fixed = false, canSleep = false } = {}) =>
				{
					const shape = shapes[kind](sizes);
					const at = new Jolt.RVec3(x - shape.GetCenterOfMass().GetX(), y, z);
					const def = new Jolt.BodyCreationSettings(shape, at, new Jolt.Quat(0, 0, 0, 1),
						fixed ? Jolt.EMotionType_Static : Jolt.EMotionType_Dynamic, 0);
					def.mAllowSleeping = canSleep;
					// Water is what damps here, nothing else. Jolt has 1000 kg/m^3 unless told otherwise.
					def.mLinearDamping = def.mAngularDamping = 0;
					const mass = shape.GetMassProperties();
					mass.ScaleToMass(shape.GetVolume() * density);
					def.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
					def.mMassPropertiesOverride = mass;
					const body = bodies.CreateBody(def);
					bodies.AddBody(body.GetID(), fixed ? Jolt.EActivation_DontActivate : Jolt.EActivation_Activate);
					Jolt.destroy(def);
					return body;
				},
				step: () => jolt.Step(timeStep, 1),
				position: (body) => fromJolt(body.GetCenterOfMassPosition()),
				velocity: (body) => fromJolt(body.GetLinearVelocity()),
				isAsleep: (body) => !body.IsActive(),
				spoil: (body) => body.SetLinearVelocity(vector(NaN, 0, 0)),
				destroy: () => Jolt.destroy(jolt),
			};
		};
	},
};

const fromJolt = (v) => ({ x: v.GetX(), y: v.GetY(), z: v.GetZ() });

function getCorners(x, y, z)
{
	return [-x, x].flatMap((a) => [-y, y].flatMap((b) => [-z, z].flatMap((c) => [a, b, c])));
}

// A lake without an end: what the body stirs up leaves.
function makeLake(size = 72)
{
	const edge = { kind: "absorb", level: 4, spongeWidth: 12 };
	const world = new World({ columnCount: size, rowCount: size, cellSize: 0.5, edges: [edge, edge, edge, edge] });
	world.fillToLevel(4);
	return world;
}

// How deep what is of a density lies in water, by the part of its volume that is under water.
function getDraft(kind, sizes, share)
{
	if (kind !== "sphere")
	{
		return 2 * sizes[1] * share;
	}
	// A cap of height h has pi h^2 (3 r - h) / 3.
	const r = sizes[0];
	let low = 0, high = 2 * r;
	for (let i = 0; i < 60; ++i)
	{
		const h = (low + high) / 2;
		h * h * (3 * r - h) / (4 * r ** 3) < share ? low = h : high = h;
	}
	return low;
}

function float(make, kind, sizes, density)
{
	const world = makeLake(), engine = make(world);
	const half = kind === "sphere" ? sizes[0] : sizes[1];
	const expected = getDraft(kind, sizes, density / 1000);
	// Dropped from a little above where it will float.
	const body = engine.body(kind, sizes, density, [18, 4.1 + half - expected, 18]);
	const inWater = engine.water.add(body);
	assert.equal(engine.water.get(body), inWater);
	let least = Infinity, most = -Infinity;
	for (let i = 0; i < 900; ++i)
	{
		engine.water.step(timeStep);
		engine.step();
		if (i >= 780)
		{
			least = Math.min(least, engine.position(body).y);
			most = Math.max(most, engine.position(body).y);
		}
	}
	const { volume, submergedVolume, waterlineHeight } = inWater.getState();
	const draft = waterlineHeight - (engine.position(body).y - half);
	const error = Math.abs(draft - expected) / (2 * half), heave = most - least;
	console.log(`${kind} of ${density} kg/m^3: draft ${draft.toFixed(4)} m, off by ${(100 * error).toFixed(2)} % of the height, ` +
		`heaves by ${heave.toFixed(4)} m`);
	assert.ok(error < 0.01, "draft");
	assert.ok(heave < 0.01, "at rest");
	assert.ok(Math.abs(submergedVolume / volume - density / 1000) < 0.01, "submerged");
	world.destroy();
	engine.destroy();
}

// A channel of 1 m/s: what floats in it goes along.
function drift(make)
{
	const world = new World({
		columnCount: 160, rowCount: 24, cellSize: 0.5, method: "shallow",
		edges: { west: { kind: "inflow", inflow: 2 }, east: { kind: "level", level: 2 } },
	});
	world.fillToLevel(2);
	world.setVelocities(new Float32Array(160 * 24).fill(1), new Float32Array(160 * 24));
	const engine = make(world);
	const body = engine.body("box", [0.6, 0.3, 0.6], 500, [12, 2, 6]);
	engine.water.add(body, { mode: "floating" });
	for (let i = 0; i < 1800; ++i)
	{
		engine.water.step(timeStep);
		engine.step();
	}
	const speed = engine.velocity(body).x, { x, z } = engine.position(body);
	const current = world.sample([x, z]).velocity.x;
	console.log(`drift: ${speed.toFixed(3)} m/s in a current of ${current.toFixed(3)} m/s`);
	assert.ok(Math.abs(speed - current) < 0.05 * current);
	engine.water.remove(body);
	assert.deepEqual(world.getBodies(), []);
	world.destroy();
	engine.destroy();
}

function sleepAndWake(make)
{
	const world = makeLake(48), engine = make(world);
	const body = engine.body("box", [1.5, 0.5, 1], 500, [12, 4, 12], { canSleep: true });
	const pier = engine.body("box", [0.5, 6, 0.5], 500, [17, 2, 12], { fixed: true });
	engine.water.add(body);
	assert.throws(() => engine.water.add(body), /already/);
	engine.water.add(pier);
	const run = (steps, until) =>
	{
		for (let i = 0; i < steps; ++i)
		{
			engine.water.step(timeStep);
			engine.step();
			if (until())
			{
				return i;
			}
		}
		return -1;
	};
	const slept = run(3600, () => engine.isAsleep(body));
	assert.ok(slept > 0, "it never falls asleep");
	assert.equal(run(120, () => !engine.isAsleep(body)), -1, "a calm lake wakes it");
	world.addWater([6, 12], 3, 20);
	const woke = run(300, () => !engine.isAsleep(body));
	assert.ok(woke >= 0, "a wave does not wake it");
	console.log(`asleep after ${(slept * timeStep).toFixed(1)} s, awake ${(woke * timeStep).toFixed(2)} s after a wave was made`);

	// A body that has gone mad is told of, once a step; the water and all others go on.
	const other = engine.body("sphere", [1], 400, [6, 4, 6]);
	engine.water.add(other);
	const before = world.time;
	engine.spoil(other);
	assert.throws(() => engine.water.step(timeStep), (error) => error.name === "TarnError" && /velocity/.test(error.message));
	assert.ok(world.time > before);
	engine.water.remove(other);
	engine.water.step(timeStep);
	world.destroy();
	engine.destroy();
}

const make = await engines[process.argv[2]]();
float(make, "box", [1.5, 0.5, 1], 500);
float(make, "halves", [1.5, 0.5, 1], 250);
float(make, "hull", [1.5, 0.5, 1], 800);
float(make, "sphere", [1.2], 500);
float(make, "upright", [1.5, 0.5], 700);
drift(make);
sleepAndWake(make);

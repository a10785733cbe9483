// SPDX-License-Identifier: MIT
//
// Bodies of Rapier float as deep as Archimedes says, and drift with a current.
//
//   node rapier.mjs      where node finds tarn-water and @dimforge/rapier3d-compat

import assert from "node:assert/strict";
import RAPIER from "@dimforge/rapier3d-compat";
import { init, World } from "tarn-water";
import { RapierWater } from "tarn-water/rapier";

await Promise.all([init(), RAPIER.init()]);
const timeStep = 1 / 60;

function makeRapier()
{
	const rapier = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
	rapier.timestep = timeStep;
	return rapier;
}

function float(density, kind)
{
	// A lake without an end: what the body stirs up leaves.
	const edge = { kind: "absorb", level: 4, spongeWidth: 12 };
	const world = new World({ columnCount: 72, rowCount: 72, cellSize: 0.5, edges: [edge, edge, edge, edge] });
	world.fillToLevel(4);
	const rapier = makeRapier();
	const body = rapier.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(18, 4.4, 18).setCanSleep(false));
	const shapes = {
		box: RAPIER.ColliderDesc.cuboid(1.5, 0.5, 1), // lies flat
		cylinder: RAPIER.ColliderDesc.cylinder(0.5, 1.5),
	};
	rapier.createCollider(shapes[kind].setDensity(density), body);
	const water = new RapierWater(RAPIER, world);
	const inWater = water.add(body);
	let least = Infinity, most = -Infinity;
	for (let i = 0; i < 1200; ++i)
	{
		water.step(timeStep);
		rapier.step();
		if (i >= 1080)
		{
			const y = body.translation().y;
			least = Math.min(least, y);
			most = Math.max(most, y);
		}
	}
	const { volume, submergedVolume, waterlineHeight } = inWater.getState();
	const draft = waterlineHeight - (body.translation().y - 0.5);
	// Of a height of 1 m.
	const error = Math.abs(draft - density / 1000);
	const heave = most - least;
	console.log(`${kind} of ${density} kg/m^3: draft ${draft.toFixed(4)} m, off by ${(100 * error).toFixed(2)} % of the height, heaves by ${heave.toFixed(4)} m`);
	assert.ok(error < 0.01, "draft");
	assert.ok(heave < 0.01, "at rest");
	assert.ok(Math.abs(submergedVolume / volume - density / 1000) < 0.01, "submerged");
	world.destroy();
	rapier.free();
}

// A channel of 1 m/s: what floats in it goes along.
function drift()
{
	const world = new World({
		columnCount: 160, rowCount: 24, cellSize: 0.5, method: "shallow",
		edges: { west: { kind: "inflow", inflow: 2 }, east: { kind: "level", level: 2 } },
	});
	world.fillToLevel(2);
	world.setVelocities(new Float32Array(160 * 24).fill(1), new Float32Array(160 * 24));
	const rapier = makeRapier();
	const body = rapier.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(12, 2, 6).setCanSleep(false));
	rapier.createCollider(RAPIER.ColliderDesc.cuboid(0.6, 0.3, 0.6).setDensity(500), body);
	const water = new RapierWater(RAPIER, world);
	water.add(body, { mode: "floating" });
	for (let i = 0; i < 1800; ++i)
	{
		water.step(timeStep);
		rapier.step();
	}
	const speed = body.linvel().x, current = world.sample([body.translation().x, body.translation().z]).velocity.x;
	console.log(`drift: ${speed.toFixed(3)} m/s in a current of ${current.toFixed(3)} m/s`);
	assert.ok(Math.abs(speed - current) < 0.05 * current);
	water.remove(body);
	world.destroy();
	rapier.free();
}

float(500, "box");
float(250, "box");
float(700, "cylinder");
drift();

// SPDX-License-Identifier: MIT
//
// Only compiled: do the types say what programs do, and refuse what they must not?

import RAPIER from "@dimforge/rapier3d-compat";
import { init, TarnError, World, VoxelWorld, Surface, type Given, type Sample, type WorldDef, type BodyState } from "tarn-water";
import { RapierWater } from "tarn-water/rapier";
import { TerrainMesh, WaterMesh } from "tarn-water/three";

await init({ simd: true });
const def: Given<WorldDef> = { columnCount: 64, method: "shallow", edges: { east: { kind: "open" } }, waves: { enable: true } };
const world = new World(def);
// @ts-expect-error: there is no such method
new World({ method: "fluid" });
// @ts-expect-error: nor such a field
new World({ cellsize: 1 });
world.setTerrain(new Float32Array(64 * 128));
const moved: number = world.addWater([1, 2], 3, 4);
const here: Sample = world.sample({ x: 1, z: 2 });
const hash: bigint = world.getHash();
const found: number = here.depth + here.velocity.x + (world.getFoam()?.at(1, 1) ?? 0) + world.depth.data.length + moved;
const { velocitiesX } = world.copyVelocities();
const { def: source, volume } = world.getSource(world.createSource({ center: [1, 2], rate: 3 }));
const body = world.addBody({ shapes: [{ kind: "hull", points: new Float32Array(12) }], pose: { position: { x: 1, y: 2, z: 3 }, rotation: { x: 0, y: 0, z: 0, w: 1 } } });
const origin: number = world.getDef().origin.x + world.getDef().edges[1]!.level;
world.setEdges(world.getDef().edges);
const state: BodyState = body.getState();
const mode: "auto" | "blocking" | "floating" = state.mode;
body.move([1, 2, 3], [0, 0, 0, 1]);
for (const drop of world.getSpray()) {
	console.log(drop.position.y, drop.kind === "jet");
}
const voxels = new VoxelWorld({ liquids: { 1: { viscosity: 4 } } });
const added: number = voxels.addLiquid({ low: [0, 0, 0], high: [1, 1, 1] }, 1, 2);
voxels.step();
const surface = new Surface(world);
surface.update(world, 1);
const texels: (Float32Array | Uint16Array)[] = surface.getTile(0).texels;
new RapierWater(RAPIER, world).step(1 / 60);
new WaterMesh(world, { clearness: 2 }).update();
new TerrainMesh(world).update();
try {
	world.step(1 / 60);
} catch (error) {
	if (error instanceof TarnError && error.status === "notAvailable") {
		console.log(error.message);
	}
}
console.log(hash, origin, found, velocitiesX.length, source.kind === "rate", volume, mode, added, texels);

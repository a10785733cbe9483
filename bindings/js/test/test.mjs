// SPDX-License-Identifier: MIT
//
// Tests of the npm package in node, and what bindings/test/program.c prints, to be compared.
//
//   node test.mjs PACKAGE simd|plain

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { runProgram } from "./program.mjs";

const tarn = await import(pathToFileURL(resolve(process.argv[2], "index.mjs")));
const { World, VoxelWorld, Surface, Rollback, Replay, Stream, StreamView, VoxelMesher, TarnError } = tarn;

assert.throws(() => new World(), { message: /await init/ });
await tarn.init({ simd: process.argv[3] === "simd" });
await tarn.init();
assert.equal(tarn.isSimdAvailable("wasm"), process.argv[3] === "simd");
assert.equal(tarn.getSimdName("scalar"), "scalar");
assert.equal(tarn.getVersion(), tarn.constants.VERSION);

const lake = (fields = {}) =>
{
	const world = new World({ columnCount: 37, rowCount: 23, ...fields });
	world.fillToLevel(1);
	return world;
};
const refused = (call, text, status = "invalidArgument") =>
	assert.throws(call, (error) => error instanceof TarnError && error.status === status && error.message.includes(text), text);

// Views.
{
	const world = lake();
	const depth = world.depth;
	assert.deepEqual([depth.columns, depth.rows, depth.at(36, 22)], [37, 23, 1]);
	assert.ok(depth.data instanceof Float32Array);
	const kept = depth.slice();
	assert.equal(kept.length, 37 * 23);
	assert.equal(world.getFoam(), null);
	// Memory grows: old views have no length, new ones are right.
	const large = new World({ columnCount: 2048, rowCount: 2048 });
	assert.equal(depth.data.length, 0);
	assert.equal(world.depth.at(36, 22), 1);
	large.destroy();
	world.destroy();
	world.destroy();
	assert.ok(world.isDestroyed);
	refused(() => world.step(0.1), "World is destroyed", "destroyed");
	refused(() => new Surface(world), "World is destroyed", "destroyed");
}

// Errors.
{
	refused(() => new World({ method: "fluid" }), "pipe, linear, shallow");
	refused(() => new World({ cellsize: 1 }), "has no field cellsize");
	refused(() => new World({ waves: { enable: true, levelCount: 99 } }), "levelCount");
	const world = lake();
	refused(() => world.setTerrain([1, 2, 3]), "must have 851 values, got 3");
	refused(() => world.step(), "timeStep is missing");
	refused(() => world.sample([1, 2, 3]), "has 2 parts");
	refused(() => world.sample(7), "an object or an array");
	refused(() => world.addDrops([{ position: [1, 1], volume: 0.1 }]), "", "notAvailable");
	refused(() => world.destroyBody({ index1: 3, generation: 3 }), "", "staleId");
	world.destroy();
}

// What is no number does not become one, and what is no world is not taken for one.
{
	const world = lake({ waves: { enable: true } }), voxels = new VoxelWorld();
	for (const [def, text] of [
		[{ columnCount: "64" }, 'columnCount must be a whole number in [-2147483648, 2147483647], got "64"'],
		[{ columnCount: 64.5 }, "columnCount must be a whole number"],
		[{ columnCount: 2 ** 32 + 64 }, "columnCount must be a whole number"],
		[{ cellSize: "1" }, 'cellSize must be a number, got "1"'],
		[{ cellSize: null }, "cellSize must be a number, got null"],
		[{ cellSize: NaN }, "cellSize"],
		[{ cellSize: Infinity }, "cellSize"],
		[{ enableSleep: "false" }, "enableSleep must be true or false"],
		[{ waves: 3 }, "must be an object"],
		[{ edges: { east: { kind: "open" }, up: {} } }, "has 4 places, got up"],
		[{ origin: [1, "2"] }, "z must be a number"],
		[{ method: null }, "Method must be a whole number"],
	])
	{
		refused(() => new World(def), text);
	}
	refused(() => new World(null), "must be an object");
	refused(() => new World("world"), 'must be an object or an array, got "world"');
	refused(() => world.step("1"), 'timeStep must be a number, got "1"');
	for (const step of [NaN, Infinity, -1, 0])
	{
		refused(() => world.step(step), "timeStep");
	}
	refused(() => world.setDepths({ length: 851 }), "depths must be an array");
	refused(() => world.setDepths(new Array(851).fill(NaN)), "depth");
	refused(() => world.setSwell(null), "swells must be an array, got null");
	refused(() => world.setEdges([{ kind: "open" }]), "defs must have 4 items");
	refused(() => world.restore("bytes"), "bytes must be an array");
	refused(() => world.restore([256]), "bytes[0] must be a whole number in [0, 255], got 256");
	refused(() => world.addBody({ userData: 0.5, shapes: [{}] }), "userData must be a whole number of 64 bits, got 0.5");
	refused(() => world.addBody({ userData: 2n ** 64n, shapes: [{}] }), "userData");
	refused(() => world.addBody({ shapes: [{ kind: "mesh", points: new Float32Array(9), triangles: [0, 1, 2 ** 32] }] }), "triangles[2]");
	refused(() => World.prototype.step.call(voxels, 1), "a World is wanted, got a VoxelWorld");
	refused(() => World.prototype.step.call({}, 1), "a World is wanted, got object");
	refused(() => new Surface(voxels), "a World is wanted, got a VoxelWorld");
	refused(() => new Surface(), "a World is wanted, got undefined");
	refused(() => new Surface(world).update(voxels, 1), "a World is wanted");
	refused(() => new VoxelMesher().build(world, [0, 0, 0]), "a VoxelWorld is wanted");
	refused(() => new Replay("text"), "bytes must be a Uint8Array");
	refused(() => new Replay(new Uint8Array(100)), "");
	refused(() => new Stream(world).write(-1), "capacity must be a whole number");
	assert.equal(world.time, 0);
	world.destroy();
	voxels.destroy();
}

// Who is given the bytes of a recording may fail, and must not meddle: the step is done all the same, and the world is whole.
{
	const world = lake();
	let fail = false;
	world.startRecording(() =>
	{
		if (fail)
		{
			throw new Error("the disk is full");
		}
	});
	fail = true;
	assert.throws(() => world.step(1 / 60), { message: "the disk is full" });
	assert.equal(world.time, Math.fround(1 / 60));
	fail = false;
	world.stopRecording();
	world.startRecording(() => {});
	world.destroy();
	const other = lake();
	let meddles = true;
	assert.throws(() => other.startRecording(() => meddles && other.step(1 / 60)), { message: /must not call the library/ });
	meddles = false;
	other.step(1 / 60);
	other.destroy();
}

// What comes back.
{
	const world = lake({ keepDischarge: true, spray: { enable: true } });
	const source = world.createSource({ center: { x: 4, z: 4 }, rate: 2 });
	const { def, volume } = world.getSource(source);
	assert.deepEqual([def.kind, def.rate, def.center, volume], ["rate", 2, { x: 4, z: 4 }, 0]);
	assert.ok(world.isSourceValid(source));
	world.step(1 / 60);
	const samples = world.sampleMany([[1, 1], [900, 1]]);
	assert.deepEqual(samples.map((s) => s.inside), [true, false]);
	assert.deepEqual(world.sampleMany(new Float32Array([1, 1, 900, 1])), samples);
	const bytes = world.save(), hash = world.getHash();
	assert.equal(typeof hash, "bigint");
	world.step(1 / 60);
	assert.notEqual(world.getHash(), hash);
	world.restore(bytes);
	assert.equal(world.getHash(), hash);
	assert.equal(World.from(bytes).getHash(), hash);
	refused(() => world.restore(bytes.slice(0, -3)), "");
	assert.equal(tarn.readSnapshotInfo(bytes).stepCount, 1);
	const rollback = new Rollback(world);
	rollback.push();
	world.step(1 / 60);
	rollback.restore(0);
	assert.equal(world.getHash(), hash);

	const body = world.addBody({ shapes: [{ kind: "sphere", radius: 2 }], pose: { position: [18, 1, 11] } });
	world.step(1 / 60);
	assert.deepEqual(world.getBodies(), [body.id]);
	assert.ok(body.getWrench().force.y > 1000);
	assert.equal(body.getState().mode, "blocking");
	assert.ok(world.copyWaterline(body.id).length > 24);
	const mesh = world.getBodyMesh(body.id);
	assert.equal(Math.max(...mesh.triangles), mesh.points.length / 3 - 1);
	assert.deepEqual(Object.values(world.copyDischarge()).map((a) => a.length), [38 * 23, 37 * 24]);
	assert.deepEqual(Object.keys(world.copyVelocities()), ["velocitiesX", "velocitiesZ"]);
	const hit = world.castRay([5, 9, 5], [0, -1, 0], 20);
	assert.ok(hit.hit && hit.water);
	world.createJet({ position: [30, 3, 10], velocity: [1, 4, 0], rate: 0.5 });
	for (let i = 0; i < 10; ++i)
	{
		world.step(1 / 60);
	}
	const spray = world.getSpray();
	assert.ok(spray.length > 2);
	assert.equal([...spray][1].kind, "jet");
	assert.ok(world.getLedger().airborne > 0);
	const edges = world.getDef().edges;
	edges[1].kind = "open";
	world.setEdges(edges);
	assert.equal(world.getDef().edges[1].kind, "open");
	world.setRain(1e-6);
	world.setRain(1e-6, new Float32Array(37 * 23).fill(1));
	body.destroy();
	refused(() => body.getState(), "", "staleId");

	const surface = new Surface(world);
	surface.update(world, 1);
	assert.equal(surface.takeChanges().length, surface.getTileCount());
	const tile = surface.getTile(0);
	assert.deepEqual(tile.texels.map((t) => [t.constructor.name, t.length]),
		[["Float32Array", 64 * 64], ["Uint16Array", 4 * 64 * 64], ["Uint16Array", 4 * 64 * 64]]);
	const triangles = surface.buildMesh(0);
	assert.ok(triangles.indices.length > 3000 && Math.max(...triangles.indices) < triangles.positions.length / 3);
	world.destroy();
	refused(() => surface.getTileCount(), "Surface is destroyed", "destroyed");
	refused(() => rollback.push(), "Rollback is destroyed", "destroyed");
}

// Recordings, streams, voxels.
{
	const world = lake(), parts = [];
	world.startRecording((bytes) => parts.push(bytes));
	world.addWater([10, 10], 3, 20);
	world.step(1 / 60);
	world.stopRecording();
	const replay = new Replay(Buffer.concat(parts));
	const state = replay.step();
	assert.deepEqual([state.parted, state.stepCount], [false, 1]);
	assert.equal(replay.world.getHash(), world.getHash());
	const played = replay.world;
	replay.destroy();
	refused(() => played.getHash(), "destroyed", "destroyed");

	const stream = new Stream(world), view = new StreamView();
	const message = stream.write(100000);
	view.read(message.bytes);
	stream.takeReceipt(view.getReceipt());
	assert.equal(message.state.waitingCount, 0);
	assert.ok(Math.abs(view.getField("depth").at(30, 2) - 1) < 0.01);

	const voxels = new VoxelWorld();
	voxels.loadBlock([0, 0, 0]);
	const box = { low: [0, 0, 0], high: [16, 2, 16] };
	assert.equal(voxels.addLiquid(box, 1, 512), 512 * 512);
	const { amounts, liquids } = voxels.read(box);
	assert.deepEqual([amounts.length, amounts[511], liquids[0]], [512, 512, 1]);
	assert.equal(voxels.takeChanged().length, 3 * 512);
	assert.equal(voxels.takeChanged().length, 0);
	const mesh = new VoxelMesher().build(voxels, [0, 0, 0], { liquid: 1, cutOut: true });
	assert.ok(mesh.indices.length > 100 && mesh.liquids.every((l) => l === 1));
	assert.equal(VoxelWorld.from(voxels.save()).getHash(), voxels.getHash());
}

// Nothing is left: many worlds in a memory that would not hold them all.
for (let i = 0; i < 400; ++i)
{
	const world = new World({ columnCount: 1024, rowCount: 512 });
	new Surface(world);
	world.destroy();
}

runProgram(tarn, console.log);

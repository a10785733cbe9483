// SPDX-License-Identifier: MIT
//
// What bindings/test/program.c does, in JavaScript: it must print the same. In node and in pages.

export function runProgram({ World, VoxelWorld }, print)
{
	const world = new World({
		columnCount: 96, rowCount: 64, cellSize: 0.5, method: "shallow", tracerCount: 1, edges: { east: { kind: "open" } },
		waves: { enable: true, levelCount: 3, tileCount: 64 }, spray: { enable: true }, foam: { enable: true },
	});
	const heights = new Float32Array(96 * 64);
	for (let row = 0; row < 64; ++row)
	{
		for (let column = 0; column < 96; ++column)
		{
			heights[row * 96 + column] = ((column * 7 + row * 13) % 16) / 16 + column / 32;
		}
	}
	world.setTerrain(heights);
	world.addWater([12, 16], 6, 200);
	world.createSource({ center: [36, 8], rate: 2.5, tracers: [0.5] });
	const crate = world.addBody({ shapes: [{ halfExtents: [1, 0.5, 1.5] }], mass: 1500, pose: { position: [14, 2, 16] } });
	for (let step = 0; step < 90; ++step)
	{
		crate.move([14 + step / 32, 2, 16], [0, 0, 0, 1], [1.875, 0, 0]);
		world.step(1 / 64);
	}
	print(`world ${world.getHash().toString(16).padStart(16, "0")}`);
	world.destroy();

	const voxels = new VoxelWorld({ liquidCount: 2, liquids: { 1: { viscosity: 4, density: 2500 } } });
	voxels.loadBlock([0, 0, 0]);
	voxels.fillSolid({ low: [0, 0, 0], high: [64, 8, 64] }, 255);
	voxels.fillSolidBall([20, 8, 20], 7.5, 0);
	voxels.addLiquid({ low: [14, 20, 14], high: [26, 30, 26] }, 1, 1024);
	voxels.addLiquid({ low: [30, 12, 30], high: [34, 20, 34] }, 2, 700);
	for (let step = 0; step < 120; ++step)
	{
		voxels.step();
	}
	print(`voxels ${voxels.getHash().toString(16).padStart(16, "0")}`);
	voxels.destroy();

	try
	{
		new World({ cellSize: -1 });
	}
	catch (error)
	{
		print(error.message);
	}
}

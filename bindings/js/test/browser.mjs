// SPDX-License-Identifier: MIT
//
// The npm package in Chromium, without a bundler: the program of bindings/test/program.c with both builds, and the examples. What they
// have done to their worlds is recorded, for the library in C to do it again: FOLDER/out/NAME.tarnrec, with the hash in NAME.txt and a
// picture in NAME.png.
//
//   node browser.mjs FOLDER EXPECTED      FOLDER has node_modules, the examples, and vite/dist, a page as vite has packed it

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const [folder, expectedFile] = process.argv.slice(2);
const out = join(folder, "out");
await mkdir(out, { recursive: true });
const types = { ".html": "text/html", ".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".css": "text/css" };
const server = createServer(async (request, response) =>
{
	try
	{
		const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
		const bytes = path === "/empty.html" ? await readFile(join(folder, "flood.html"), "utf8").then((text) =>
			text.replace(/<script type="module">[^]*<\/script>/, "")) : await readFile(join(folder, path));
		response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(bytes);
	}
	catch
	{
		response.writeHead(404).end();
	}
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const site = `http://127.0.0.1:${server.address().port}`;
const profile = await mkdtemp(join(tmpdir(), "tarn-"));
const browser = await chromium.launchPersistentContext(profile, {
	executablePath: "/usr/bin/chromium", headless: true, viewport: { width: 640, height: 360 },
	args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try
{
	const page = await browser.newPage();
	// Machines may be busy.
	page.setDefaultTimeout(180000);
	page.setDefaultNavigationTimeout(180000);
	const problems = [];
	page.on("pageerror", (error) => problems.push(error.stack));
	page.on("console", (message) => message.type() === "error" && !/favicon/.test(message.location().url) && problems.push(message.text()));

	const expected = (await readFile(expectedFile, "utf8")).trim().split("\n");
	for (const simd of [true, false])
	{
		await page.goto(`${site}/empty.html`);
		const printed = await page.evaluate(async (vectors) =>
		{
			const tarn = await import("tarn-water");
			const { runProgram } = await import("/program.mjs");
			await tarn.init({ simd: vectors });
			const lines = [];
			runProgram(tarn, (line) => lines.push(line));
			return lines;
		}, simd);
		assert.deepEqual(printed, expected);
		console.log(`the same bits in Chromium, ${simd ? "with" : "without"} vectors`);
	}

	for (const build of ["simd", "plain"])
	{
		await page.goto(`${site}/vite/dist/index.html?${build}`);
		await page.waitForFunction(() => window.done);
		assert.deepEqual(await page.evaluate(() => window.lines), expected);
		console.log(`the same bits when packed by vite, ${build}`);
	}

	// Opens an example, lets `play` run in it while all that is done is recorded, and leaves record, hash and picture.
	async function show(name, path, play)
	{
		await page.goto(`${site}/${path}?test`);
		await page.waitForFunction(() => window.example).catch((problem) =>
		{
			throw new Error([problem.message, ...problems].join("\n"));
		});
		await page.evaluate(() =>
		{
			window.parts = [];
			window.example.world.startRecording((bytes) => window.parts.push(bytes));
		});
		const told = await page.evaluate(play);
		const { record, hash, steps } = await page.evaluate(async () =>
		{
			const { world } = window.example;
			world.stopRecording();
			const url = await new Promise((done) =>
			{
				const reader = new FileReader();
				reader.onload = () => done(reader.result);
				reader.readAsDataURL(new Blob(window.parts));
			});
			return { record: url.slice(url.indexOf(",") + 1), hash: world.getHash().toString(16).padStart(16, "0"), steps: world.getStats().stepCount };
		});
		await writeFile(join(out, `${name}.tarnrec`), Buffer.from(record, "base64"));
		await writeFile(join(out, `${name}.txt`), `world ${hash} after ${steps} steps\n`);
		await page.screenshot({ path: join(out, `${name}.png`) });
		assert.deepEqual(problems, []);
		const { ledger } = told;
		assert.ok(Math.abs(ledger.drift) < 1e-3 * ledger.volume, "volume");
		return told;
	}

	const flood = () => show("flood", "flood.html", () =>
	{
		const { world, water, crates, step, draw, dig } = window.example;
		const run = (steps) => { while (steps--) { step(); } };
		run(120);
		draw();
		const before = { below: world.sample([100, 40]).depth };
		dig(49, 48 + 8 * Math.sin(49 / 22), -9, 6);
		run(480);
		draw();
		const inWater = window.example.world.getBodies().map((id) => world.getBodyState(id));
		return {
			before, ledger: world.getLedger(), tiles: water.tiles.length, uploads: water.update(),
			wet: [60, 80, 100].map((x) => world.sample([x, 48 + 8 * Math.sin(x / 22)]).depth),
			crates: crates.map(({ mesh }) => mesh.position.toArray()), afloat: inWater.filter((body) => body.submergedVolume > 1).length,
		};
	});
	const told = await flood();
	assert.equal(told.tiles, 6);
	assert.equal(told.uploads, 0);
	assert.equal(told.before.below, 0);
	assert.ok(told.wet[0] > 0.1 && told.wet[1] > 0.1, `the flood is not there: ${told.wet}`);
	assert.ok(told.crates.flat().every(Number.isFinite) && told.crates.every(([, y]) => y > -2), "crates");
	assert.ok(told.afloat >= 4, `${told.afloat} crates in the water`);
	console.log(`flood.html: depths below the dam ${told.wet.map((d) => d.toFixed(2)).join(", ")} m, ${told.afloat} crates in the water`);

	const sea = await show("ocean", "ocean.html", () =>
	{
		const { world, boat, inWater, step, draw } = window.example;
		const heights = [], levels = [], shares = [];
		for (let i = 0; i < 1500; ++i)
		{
			// Wait for the sea to come in, then ahead, and to port in the end.
			step(i < 1200 ? 0 : 1, i < 1400 ? 0 : 1);
			heights.push(boat.translation().y);
			levels.push(world.sampleWaves([32, 64]).height);
			const { submergedVolume, volume } = inWater.getState();
			shares.push(submergedVolume / volume);
		}
		draw();
		const v = boat.linvel();
		return { ledger: world.getLedger(), heights, levels, shares, speed: Math.hypot(v.x, v.z), turn: boat.rotation() };
	});
	const getMean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const spread = (values) => Math.sqrt(getMean(values.map((value) => value * value)) - getMean(values) ** 2);
	const share = getMean(sea.shares.slice(900, 1200));
	const waves = spread(sea.levels.slice(900, 1200)), heave = spread(sea.heights.slice(900, 1200));
	const upright = 1 - 2 * (sea.turn.x ** 2 + sea.turn.z ** 2);
	console.log(`ocean.html: sea of ${waves.toFixed(3)} m, boat heaves by ${heave.toFixed(3)} m, ${sea.speed.toFixed(2)} m/s, ` +
		`${(100 * share).toFixed(0)} % under water, upright ${upright.toFixed(3)}`);
	assert.ok(waves > 0.08, "there is no sea");
	assert.ok(heave > 0.3 * waves && heave < 3 * waves, "the boat does not ride it");
	assert.ok(sea.speed > 1, "it does not go ahead");
	assert.ok(upright > 0.8 && Math.abs(share - 0.33) < 0.05, "it does not float");

	const ponds = await show("ponds", "ponds.html", () =>
	{
		const { world, tiles, step, draw } = window.example;
		for (let i = 0; i < 2100; ++i)
		{
			step();
			i % 300 === 0 && draw();
		}
		draw();
		return { ledger: world.getLedger(), tiles: tiles.length, depths: [[28, 18], [36, 42]].map((at) => world.sample(at).depth),
			triangles: tiles.map(({ mesh }) => mesh.getTotalIndices() / 3) };
	});
	console.log(`ponds.html: ${ponds.depths.map((d) => d.toFixed(2)).join(" and ")} m deep`);
	assert.deepEqual([ponds.tiles, ponds.triangles.length], [4, 4]);
	assert.ok(ponds.depths[0] > 1 && ponds.depths[1] > 0.2, "the upper pond does not spill");
}
finally
{
	await browser.close();
	server.close();
	await rm(profile, { recursive: true, force: true, maxRetries: 5 });
}

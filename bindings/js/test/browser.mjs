// SPDX-License-Identifier: MIT
//
// The npm package in Chromium, without a bundler: the program of bindings/test/program.c with both builds, and the example of three.js
// with Rapier, of which a picture is left.
//
//   node browser.mjs FOLDER EXPECTED PICTURE      FOLDER has node_modules and the example

import assert from "node:assert/strict";
import { readFile, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const [folder, expectedFile, picture] = process.argv.slice(2);
const types = { ".html": "text/html", ".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm" };
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

	await page.goto(`${site}/flood.html?test`);
	await page.waitForFunction(() => window.example).catch((problem) =>
	{
		throw new Error([problem.message, ...problems].join("\n"));
	});
	const told = await page.evaluate(() =>
	{
		const { world, water, crates, step, draw, dig } = window.example;
		for (let i = 0; i < 120; ++i)
		{
			step();
		}
		draw();
		const before = { volume: world.getLedger().volume, below: world.sample([100, 40]).depth };
		dig(49, 48 + 8 * Math.sin(49 / 22), -9, 6);
		for (let i = 0; i < 480; ++i)
		{
			step();
		}
		draw();
		const ledger = world.getLedger();
		return {
			before, ledger, tiles: water.tiles.length, uploads: water.update(),
			wet: [60, 80, 100].map((x) => world.sample([x, 48 + 8 * Math.sin(x / 22)]).depth),
			crates: crates.map(({ body }) => body.translation()),
		};
	});
	assert.equal(told.tiles, 6);
	assert.equal(told.uploads, 0);
	assert.equal(told.before.below, 0);
	assert.ok(told.wet[0] > 0.1 && told.wet[1] > 0.1, `the flood is not there: ${told.wet}`);
	assert.ok(Math.abs(told.ledger.drift) < 1e-3 * told.ledger.volume);
	assert.ok(told.crates.every(({ x, y, z }) => Number.isFinite(x + y + z) && y > -2), "crates");
	await page.screenshot({ path: picture });
	assert.deepEqual(problems, []);
	console.log(`flood.html: depths below the dam ${told.wet.map((d) => d.toFixed(2)).join(", ")} m`);
}
finally
{
	await browser.close();
	server.close();
	await rm(profile, { recursive: true, force: true, maxRetries: 5 });
}

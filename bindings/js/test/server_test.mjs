// SPDX-License-Identifier: MIT
//
// The example server.mjs: two clients see the water of the server within the stated error, one of them pours, wishes that make no sense
// are refused, and a recording has all that was done.
//
//   node server_test.mjs FOLDER      out/server.tarnrec and out/server.txt of it are for the library in C

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { init, Replay, StreamView } from "tarn-water";

const folder = process.argv[2], record = join(folder, "out", "server.tarnrec");
await init();
await mkdir(join(folder, "out"), { recursive: true });
const child = spawn(process.execPath, [join(folder, "server.mjs"), "--port", "0", "--record", record], { stdio: ["ignore", "pipe", "inherit"] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
process.on("exit", () => child.kill("SIGKILL"));
const site = new URL("/", (await lines.next()).value).href;

// Messages of the server, one by one.
async function* listen()
{
	let rest = Buffer.alloc(0);
	for await (const part of (await fetch(`${site}water`)).body)
	{
		rest = Buffer.concat([rest, part]);
		while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32LE())
		{
			const end = 4 + rest.readUInt32LE();
			yield rest.subarray(4, end);
			rest = rest.subarray(end);
		}
	}
}

// A view that has seen the water up to a time. It loses every fifth message until then; what those had is sent anew when receipts have
// told of it, so it looks at some more before it is compared.
async function watch(until)
{
	const view = new StreamView();
	let number = null, count = 0, bytes = 0, whole = 0;
	for await (const message of listen())
	{
		if (number === null)
		{
			number = message.readUInt32LE();
			continue;
		}
		bytes += message.length;
		count += 1;
		if (whole === 0 && count % 5 === 0)
		{
			continue;
		}
		view.read(message);
		const receipt = view.getReceipt();
		await post(`got?client=${number}`, JSON.stringify({ ...receipt, before: String(receipt.before) }));
		whole += view.getInfo().time >= until;
		if (whole > 8)
		{
			break;
		}
	}
	return { view, count, bytes };
}

const post = async (path, body) =>
{
	const answer = await fetch(site + path, { method: "POST", body });
	return [answer.status, await answer.json()];
};

try
{
	const watching = Promise.all([watch(6), watch(4)]);
	watching.catch(() => {}); // told below
	const [status, { added }] = await post("pour?x=40&z=48&volume=60");
	assert.deepEqual([status, added], [200, 60]);
	const [refused, { error }] = await post("pour?x=nowhere&z=1&volume=1");
	assert.equal(refused, 400);
	assert.match(error, /center/);
	assert.equal((await post("got?client=1"))[0], 400);
	assert.equal((await post("what"))[0], 404);
	const seen = await watching;
	const state = await (await fetch(`${site}state`)).json();
	assert.ok(state.volume > 60 && state.time >= 6);
	child.kill("SIGTERM");
	const { value: said } = await lines.next();
	await once(child, "exit");

	// The recording is played, and what the clients have seen compared with what was there at that time.
	const replay = new Replay(await readFile(record));
	const views = seen.sort((a, b) => a.view.getInfo().time - b.view.getInfo().time);
	let steps = 0;
	for (;;)
	{
		const { atEnd, parted, stepCount } = replay.step();
		assert.ok(!parted);
		steps = Number(stepCount);
		if (views.length && replay.world.time >= views[0].view.getInfo().time - 1e-6)
		{
			const { view, count, bytes } = views.shift(), depth = replay.world.depth;
			let most = 0, wet = 0;
			for (let row = 0; row < depth.rows; ++row)
			{
				for (let column = 0; column < depth.columns; ++column)
				{
					const there = depth.at(column, row), shown = view.getField("depth").at(column, row);
					wet += there > 0.05;
					// Thin water may be shown as dry.
					most = Math.max(most, Math.abs(there - shown));
				}
			}
			console.log(`a client at ${view.getInfo().time.toFixed(2)} s: ${wet} wet cells within ${(1000 * most).toFixed(1)} mm, ` +
				`${count} messages, ${(bytes / count / 1000).toFixed(1)} kB each`);
			assert.ok(wet > 300 && most < 0.0201);
		}
		if (atEnd)
		{
			break;
		}
	}
	assert.equal(views.length, 0);
	assert.equal(said, `world ${replay.world.getHash().toString(16).padStart(16, "0")}`);
	await writeFile(join(folder, "out", "server.txt"), `${said} after ${steps} steps\n`);
}
finally
{
	child.kill("SIGKILL");
}

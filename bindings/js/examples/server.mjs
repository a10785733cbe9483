// SPDX-License-Identifier: MIT
//
// A server without a screen: it steps one river, and everyone who asks sees the same water, within a stated error, for some kilobytes a
// second. What a client sends are wishes; what is done is up to the server.
//
//   node server.mjs [--port 8080] [--record FILE]      a recording has all that was done: any program with tarn can play it
//
//   GET  /water            messages for a StreamView, each behind its length (four bytes, lowest first), for as long as one listens;
//                          the first is the number of the client, as a message of four bytes
//   POST /got?client=N     a receipt of the view, as JSON: what is missing is sent anew
//   POST /pour?x=&z=&volume=       cubic meters; answers with how many were added
//   GET  /state            time, volume and hash of the world

import { createServer } from "node:http";
import { openSync, closeSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { init, Stream, TarnError, World } from "tarn-water";

const { values: options } = parseArgs({ options: { port: { type: "string", default: "8080" }, record: { type: "string" } } });
const timeStep = 1 / 60, stepsPerMessage = 6, messageBytes = 8000;
const columns = 192, rows = 96;

await init();
const world = new World({ columnCount: columns, rowCount: rows, method: "shallow", manning: 0.03, edges: { east: { kind: "open" } } });
world.setTerrain(Float32Array.from({ length: columns * rows }, (_, i) =>
{
	const x = i % columns, z = Math.floor(i / columns), bank = (z - rows / 2 - 12 * Math.sin(x / 24)) / 12;
	return 10 - x / 24 + Math.min(bank * bank, 4);
}));
world.createSource({ center: [6, rows / 2], radius: 4, rate: 15 });
let recordFile = null;
if (options.record)
{
	recordFile = openSync(options.record, "w");
	world.startRecording((bytes) => writeSync(recordFile, bytes));
}

// Who listens: {response, stream, ready}. A client that does not read as fast as it is sent to misses messages, and gets what it lacks later.
const clients = new Map();
let clientCount = 0;

function send(response, bytes)
{
	const length = Buffer.alloc(4);
	length.writeUInt32LE(bytes.length);
	return response.write(Buffer.concat([length, bytes]));
}

function listen(request, response)
{
	const number = ++clientCount, client = { response, stream: new Stream(world, { heightError: 0.01 }), ready: true };
	clients.set(number, client);
	response.writeHead(200, { "content-type": "application/octet-stream", "access-control-allow-origin": "*" });
	const name = Buffer.alloc(4);
	name.writeUInt32LE(number);
	send(response, name);
	response.on("drain", () => { client.ready = true; });
	response.on("close", () =>
	{
		clients.delete(number);
		client.stream.destroy();
	});
}

async function answer(request, response)
{
	const url = new URL(request.url, "http://localhost"), parameter = (name) => Number(url.searchParams.get(name) ?? NaN);
	const reply = (what, status = 200) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(what));
	try
	{
		switch (`${request.method} ${url.pathname}`)
		{
			case "GET /water":
				return listen(request, response);
			case "GET /state":
				return reply({ time: world.time, volume: world.getLedger().volume, hash: world.getHash().toString(16).padStart(16, "0") });
			case "POST /pour":
				// Whoever pours too much, or nowhere, is told so by the library.
				return reply({ added: world.addWater([parameter("x"), parameter("z")], 3, Math.min(parameter("volume"), 500)) });
			case "POST /got":
			{
				const parts = [];
				for await (const part of request)
				{
					parts.push(part);
					if (parts.length > 4)
					{
						return reply({ error: "a receipt is smaller" }, 413);
					}
				}
				clients.get(parameter("client"))?.stream.takeReceipt(JSON.parse(Buffer.concat(parts).toString()));
				return reply({});
			}
			default:
				return reply({ error: "there is no such page" }, 404);
		}
	}
	catch (error)
	{
		return reply({ error: error.message }, error instanceof TarnError || error instanceof SyntaxError ? 400 : 500);
	}
}

function step(count)
{
	world.step(timeStep);
	if (count % stepsPerMessage === 0)
	{
		for (const client of clients.values())
		{
			const message = client.ready ? client.stream.write(messageBytes) : null;
			if (message)
			{
				client.ready = send(client.response, message.bytes);
			}
		}
	}
}

function end()
{
	world.isRecording() && world.stopRecording();
	recordFile !== null && closeSync(recordFile);
	console.log(`world ${world.getHash().toString(16).padStart(16, "0")}`);
	process.exit(0);
}

const server = createServer(answer);
server.listen(Number(options.port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/water`));
let count = 0, due = 0, last = performance.now();
function run()
{
	// As many steps as time has passed, but no more than three at once: who is too slow is slow, and does not freeze.
	const now = performance.now();
	due = Math.min(due + (now - last) / 1000 / timeStep, 3);
	last = now;
	for (; due >= 1; --due)
	{
		step(++count);
	}
	setTimeout(run, 2);
}
process.on("SIGTERM", end);
process.on("SIGINT", end);
run();

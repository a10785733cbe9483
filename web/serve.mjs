#!/usr/bin/env node
// SPDX-License-Identifier: MIT

// Serves the playground, or any folder, on this machine:
//
//   node web/serve.mjs [--port 8080] [--host 127.0.0.1] [--plain] [FOLDER]
//
// Without --plain it sends the two headers that let a page use threads. Port 0 takes any that is free.

import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {extname, resolve, sep} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

const types = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.json': 'application/json; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.wasm': 'application/wasm',
};

const isolation = {
	'Cross-Origin-Opener-Policy': 'same-origin',
	'Cross-Origin-Embedder-Policy': 'require-corp',
	'Cross-Origin-Resource-Policy': 'same-origin',
};

// The file that a request means, or null for a path that leads out of the folder.
function findFile(folder, url)
{
	let path;
	try
	{
		path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
	}
	catch
	{
		return null;
	}
	const file = resolve(folder, `.${path.endsWith('/') ? `${path}index.html` : path}`);
	return file.startsWith(folder + sep) && !file.includes('\0') ? file : null;
}

async function answer(folder, isolated, request, response)
{
	const fail = (code) => response.writeHead(code, {'Content-Type': 'text/plain'}).end(`${code}\n`);
	if (request.method !== 'GET' && request.method !== 'HEAD')
	{
		fail(405);
		return;
	}
	const file = findFile(folder, request.url);
	const facts = file === null ? null : await stat(file).catch(() => null);
	if (facts === null || !facts.isFile())
	{
		fail(404);
		return;
	}
	response.writeHead(200, {
		'Content-Type': types[extname(file)] ?? 'application/octet-stream',
		'Content-Length': facts.size,
		'Cache-Control': 'no-cache',
		...(isolated ? isolation : {}),
	});
	if (request.method === 'HEAD')
	{
		response.end();
		return;
	}
	createReadStream(file).on('error', () => response.destroy()).pipe(response);
}

/// @return the server, listening, and its address
export async function serve({folder, port, host, isolated})
{
	const root = resolve(folder);
	const server = createServer((request, response) =>
	{
		answer(root, isolated, request, response).catch(() => response.destroy());
	});
	await new Promise((done, failed) =>
	{
		server.once('error', failed);
		server.listen(port, host, done);
	});
	return {server, url: `http://${host === '127.0.0.1' ? 'localhost' : host}:${server.address().port}/`};
}

async function main()
{
	const {values, positionals} = parseArgs({
		allowPositionals: true,
		options: {
			port: {type: 'string', default: '8080'},
			host: {type: 'string', default: '127.0.0.1'},
			plain: {type: 'boolean', default: false},
		},
	});
	const folder = positionals[0] ?? fileURLToPath(new URL('../build/web/dist', import.meta.url));
	if (!(await stat(`${folder}/index.html`).catch(() => null))?.isFile())
	{
		throw new Error(`there is no index.html in ${folder}: type make web first`);
	}
	const {url} = await serve({folder, port: Number(values.port), host: values.host, isolated: !values.plain});
	console.log(`The playground is at ${url}   (Ctrl-C stops)`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
{
	main().catch((error) =>
	{
		console.error(`serve: ${error.message}`);
		process.exitCode = 1;
	});
}

#!/usr/bin/env node
// SPDX-License-Identifier: MIT

// Serves the playground, or any folder, on this machine:
//
//   node web/serve.mjs [--port 8080] [--host 127.0.0.1] [--name NAME]... [--plain] [FOLDER]
//
// Without --plain it sends the two headers that let a page use threads. Port 0 takes any that is free.
//
// A packed copy beside a file (FILE.br, FILE.gz: web/pack.mjs) is sent instead to whoever can unpack it, as a good host does.
//
// It answers only those who ask for this machine by a name that it has: localhost, 127.0.0.1, [::1], the one after --host, and
// those after --name. Else any page of the web could have its own name lead here, and read what this serves. Nothing outside of
// the folder is sent, also where links lead there.

import {constants} from 'node:fs';
import {open, realpath, stat} from 'node:fs/promises';
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
	'.png': 'image/png',
	'.jpg': 'image/jpeg',
	'.webp': 'image/webp',
	'.mp4': 'video/mp4',
};

// Endings of packed copies and their names in headers, the smallest first.
const packings = [['.br', 'br'], ['.gz', 'gzip']];

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

// A regular file in the folder, opened, with its size; null if it is none, or a link leads out of the folder.
async function openFile(folder, file)
{
	const real = file === null ? null : await realpath(file).catch(() => null);
	if (real === null || !real.startsWith(folder + sep) || !(await stat(real).catch(() => null))?.isFile())
	{
		return null;
	}
	// What has taken its place since then must neither wait nor lead elsewhere. Some systems have no such flags.
	const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
	const handle = await open(real, flags).catch(() => null);
	const facts = await handle?.stat();
	if (facts?.isFile())
	{
		return {handle, size: facts.size};
	}
	await handle?.close();
	return null;
}

// The packed copy that the asker can unpack, if there is one, or the file itself.
async function openBest(folder, file, accepted)
{
	const names = (accepted ?? '').split(',').map((part) => part.trim()).filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
		.map((part) => part.split(';')[0]);
	for (const [ending, name] of packings)
	{
		const opened = file !== null && names.includes(name) ? await openFile(folder, file + ending) : null;
		if (opened !== null)
		{
			return {...opened, packing: name};
		}
	}
	return openFile(folder, file);
}

// The name in a Host header, without the port. Null if it is not one.
function getHostName(header)
{
	const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header ?? '');
	return parts === null ? null : parts[1].toLowerCase();
}

async function answer(folder, names, isolated, request, response)
{
	const fail = (code) => response.writeHead(code, {'Content-Type': 'text/plain'}).end(`${code}\n`);
	if (!names.has(getHostName(request.headers.host)))
	{
		fail(403);
		return;
	}
	if (request.method !== 'GET' && request.method !== 'HEAD')
	{
		fail(405);
		return;
	}
	const file = findFile(folder, request.url);
	const opened = await openBest(folder, file, request.headers['accept-encoding']);
	if (opened === null)
	{
		fail(404);
		return;
	}
	response.writeHead(200, {
		'Content-Type': types[extname(file)] ?? 'application/octet-stream',
		'Content-Length': opened.size,
		...(opened.packing === undefined ? {} : {'Content-Encoding': opened.packing}),
		'Vary': 'Accept-Encoding',
		'Cache-Control': 'no-cache',
		...(isolated ? isolation : {}),
	});
	if (request.method === 'HEAD' || opened.size === 0)
	{
		await opened.handle.close();
		response.end();
		return;
	}
	// As much as was promised, also if the file grows meanwhile. The stream closes the file.
	const stream = opened.handle.createReadStream({start: 0, end: opened.size - 1});
	response.on('close', () => stream.destroy());
	stream.on('error', () => response.destroy()).pipe(response);
}

/// @param names of this machine by which it may be asked, on top of those of every machine and of host
/// @return the server, listening, and its address
export async function serve({folder, port, host, isolated, names = []})
{
	const root = await realpath(folder);
	const bracketed = (name) => (name.includes(':') && !name.startsWith('[') ? `[${name}]` : name).toLowerCase();
	const allowed = new Set(['localhost', '127.0.0.1', '[::1]', ...[host, ...names].map(bracketed)]);
	// All addresses are no name of one machine.
	allowed.delete('0.0.0.0');
	allowed.delete('[::]');
	const server = createServer((request, response) =>
	{
		answer(root, allowed, isolated, request, response).catch(() => response.destroy());
	});
	await new Promise((done, failed) =>
	{
		server.once('error', failed);
		server.listen(port, host, done);
	});
	return {server, url: `http://${host === '127.0.0.1' ? 'localhost' : bracketed(host)}:${server.address().port}/`};
}

async function main()
{
	const {values, positionals} = parseArgs({
		allowPositionals: true,
		options: {
			port: {type: 'string', default: '8080'},
			host: {type: 'string', default: '127.0.0.1'},
			name: {type: 'string', multiple: true, default: []},
			plain: {type: 'boolean', default: false},
		},
	});
	const folder = positionals[0] ?? fileURLToPath(new URL('../build/web/dist', import.meta.url));
	if (!(await stat(`${folder}/index.html`).catch(() => null))?.isFile())
	{
		throw new Error(`there is no index.html in ${folder}: type make web first`);
	}
	const {url} = await serve({
		folder,
		port: Number(values.port),
		host: values.host,
		isolated: !values.plain,
		names: values.name,
	});
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

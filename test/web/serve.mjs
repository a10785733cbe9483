#!/usr/bin/env node
// SPDX-License-Identifier: MIT

// Tests web/serve.mjs: what it sends, and to whom.
//
//   node test/web/serve.mjs SCRATCH_FOLDER

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdir, rm, symlink, writeFile} from 'node:fs/promises';
import {request} from 'node:http';
import {serve} from '../../web/serve.mjs';

const scratch = process.argv[2];
await rm(scratch, {recursive: true, force: true});
const folder = `${scratch}/served`;
await mkdir(`${folder}/below`, {recursive: true});
await mkdir(`${scratch}/served_not`);
await writeFile(`${folder}/index.html`, 'index');
await writeFile(`${folder}/empty.css`, '');
await writeFile(`${folder}/below/data.json`, '{}');
await writeFile(`${folder}/large.wasm`, Buffer.alloc(300000, 7));
await writeFile(`${scratch}/served_not/secret.txt`, 'swordfish');
await symlink('below/data.json', `${folder}/inside.json`);
await symlink('below', `${folder}/way`);
await symlink('../served_not/secret.txt', `${folder}/outside.txt`);
await symlink('../../served_not', `${folder}/below/out`);
await symlink(`/etc/hostname`, `${folder}/absolute.txt`);
await symlink('loop.txt', `${folder}/loop.txt`);
await symlink(folder, `${scratch}/link`);
execFileSync('mkfifo', [`${folder}/pipe.txt`]);

// A path as it is, which fetch would put in order first.
function get(port, path, headers = {}, method = 'GET')
{
	return new Promise((done, failed) =>
	{
		const sent = request({host: '127.0.0.1', port, path, method, headers, timeout: 10000}, (response) =>
		{
			const parts = [];
			response.on('data', (part) => parts.push(part));
			response.on('end', () => done({code: response.statusCode, headers: response.headers, body: Buffer.concat(parts)}));
		});
		sent.on('timeout', () => sent.destroy(new Error(`${path} takes too long`)));
		sent.on('error', failed);
		sent.end();
	});
}

const plain = await serve({folder: `${scratch}/link`, port: 0, host: '127.0.0.1', isolated: false, names: ['Tarn.example']});
const port = plain.server.address().port;

const there = {
	'/': 'index',
	'/index.html': 'index',
	'/empty.css': '',
	'/below/data.json': '{}',
	'/inside.json': '{}',
	'/way/data.json': '{}',
	'/below/../index.html': 'index',
	'/index.html?query=../../x': 'index',
};
for (const [path, body] of Object.entries(there))
{
	const answer = await get(port, path);
	assert.equal(answer.code, 200, path);
	assert.equal(answer.body.toString(), body, path);
	assert.equal((await get(port, path, {}, 'HEAD')).code, 200, path);
}
const large = await get(port, '/large.wasm');
assert.equal(large.body.length, 300000);
assert.equal(large.headers['content-type'], 'application/wasm');
assert.equal(large.headers['cross-origin-opener-policy'], undefined);

const away = ['/nothing', '/below', '/outside.txt', '/below/out/secret.txt', '/absolute.txt', '/loop.txt', '/pipe.txt',
	'/../served_not/secret.txt', '/%2e%2e/served_not/secret.txt', '/..%2fserved_not%2fsecret.txt', '//served_not/secret.txt',
	'/../served_not', '/index.html%00.txt', '/%ff', '/below/%2e%2e/%2e%2e/served_not/secret.txt',
	'/\\..\\served_not\\secret.txt'];
for (const path of away)
{
	const answer = await get(port, path);
	assert.equal(answer.code, 404, path);
	assert.ok(!answer.body.includes('swordfish'), path);
}
assert.equal((await get(port, '/', {}, 'POST')).code, 405);

// Packed copies go to those who can unpack them, the smaller one first; they stay in the folder like everything else.
await writeFile(`${folder}/big.js`, 'plain');
await writeFile(`${folder}/big.js.gz`, 'gz');
await writeFile(`${folder}/big.js.br`, 'br');
await writeFile(`${folder}/small.js`, 'plain');
await writeFile(`${folder}/small.js.gz`, 'gz');
await writeFile(`${folder}/led.js`, 'plain');
await symlink('../served_not/secret.txt', `${folder}/led.js.gz`);
for (const [path, accepted, body, packing] of [
	['/big.js', undefined, 'plain'], ['/big.js', 'gzip, deflate, br', 'br', 'br'], ['/big.js', 'gzip', 'gz', 'gzip'],
	['/big.js', 'br;q=0, gzip;q=0.5', 'gz', 'gzip'], ['/big.js', 'identity', 'plain'], ['/big.js', 'zip', 'plain'],
	['/small.js', 'br, gzip', 'gz', 'gzip'], ['/small.js', 'br', 'plain'], ['/led.js', 'gzip', 'plain']])
{
	const answer = await get(port, path, accepted === undefined ? {} : {'Accept-Encoding': accepted});
	assert.equal(answer.code, 200);
	assert.equal(answer.body.toString(), body, `${path} for ${accepted}`);
	assert.equal(answer.headers['content-encoding'], packing);
	assert.match(answer.headers['content-type'], /javascript/);
	assert.equal(answer.headers.vary, 'Accept-Encoding');
}

// Whom it answers.
for (const name of ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]', 'tarn.example'])
{
	assert.equal((await get(port, '/', {Host: name})).code, 200, name);
	assert.equal((await get(port, '/', {Host: `${name}:${port}`})).code, 200, name);
}
for (const name of ['evil.example', 'localhost.evil.example', 'evil.example:80', 'localhost@evil.example', '127.0.0.1.evil.example',
	'0.0.0.0', '[::]', 'localhost:x', 'localhost:80:80', '[::1', '192.168.0.1', 'localhost evil.example'])
{
	assert.equal((await get(port, '/', {Host: name})).code, 403, name);
}
plain.server.close();

const isolated = await serve({folder, port: 0, host: '0.0.0.0', isolated: true});
const other = isolated.server.address().port;
assert.equal((await get(other, '/')).headers['cross-origin-opener-policy'], 'same-origin');
assert.equal((await get(other, '/', {Host: '0.0.0.0'})).code, 403);
assert.equal((await get(other, '/', {Host: 'tarn.example'})).code, 403);
isolated.server.close();
console.log('serve: all as it should be');

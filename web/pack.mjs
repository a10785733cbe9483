#!/usr/bin/env node
// SPDX-License-Identifier: MIT

// Puts packed copies beside the files of a folder, for hosts that send them as they are: FILE.br and FILE.gz where that saves a tenth.
//
//   node web/pack.mjs FOLDER

import {readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {argv} from 'node:process';
import {brotliCompressSync, constants, gzipSync} from 'node:zlib';

const packable = /\.(html|css|js|json|svg|wasm|r16|r32|asc|md|txt|xml)$/;

function pack(folder)
{
	for (const entry of readdirSync(folder, {withFileTypes: true}))
	{
		const path = join(folder, entry.name);
		if (entry.isDirectory())
		{
			pack(path);
		}
		else if (packable.test(entry.name))
		{
			const time = statSync(path).mtimeMs;
			const isFresh = ['.br', '.gz'].every((ending) => (statSync(path + ending, {throwIfNoEntry: false})?.mtimeMs ?? 0) >= time);
			if (!isFresh)
			{
				packFile(path);
			}
		}
	}
}

function packFile(path)
{
	const bytes = readFileSync(path);
	const packed = {
		'.br': brotliCompressSync(bytes, {params: {
			[constants.BROTLI_PARAM_QUALITY]: bytes.length > 500000 ? 9 : 11,
			[constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
		}}),
		'.gz': gzipSync(bytes, {level: 9}),
	};
	for (const [ending, content] of Object.entries(packed))
	{
		rmSync(path + ending, {force: true});
		if (content.length < 0.9 * bytes.length)
		{
			writeFileSync(path + ending, content);
		}
	}
}

pack(argv[2]);

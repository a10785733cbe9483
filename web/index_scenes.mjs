#!/usr/bin/env node
// SPDX-License-Identifier: MIT

// Writes what the page shows of scenes before it fetches one: titles, descriptions, levels, and which other files a scene needs.
//
//   node web/index_scenes.mjs FOLDER PICTURES INDEX.json
//
// PICTURES is the folder of the gallery: which scenes have a picture of their own.

import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join, posix} from 'node:path';
import {argv} from 'node:process';

// The JSON of scenes has comments, and commas may stand before a closing bracket.
export function parseScene(text)
{
	const plain = text.replace(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (part) => part[0] === '"' ? part : ' ');
	return JSON.parse(plain.replace(/"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g, (part) => part === ',' ? '' : part));
}

// Every text that is the name of a file beside the scene.
function findFiles(value, folder, found)
{
	if (typeof value === 'string' && /\.(r16|r32|asc)$/.test(value))
	{
		found.add(posix.normalize(posix.join(folder, value)));
	}
	else if (typeof value === 'object' && value !== null)
	{
		Object.values(value).forEach((item) => findFiles(item, folder, found));
	}
	return found;
}

export function describeScene(file, text)
{
	const scene = parseScene(text);
	const stem = file.slice(file.lastIndexOf('/') + 1).replace(/\.json$/, '');
	const {title, classes, story, hint = '', timeLimit} = scene.level ?? {};
	return {
		file,
		title: title ?? scene.name ?? stem,
		description: scene.description ?? '',
		...(scene.level === undefined ? {} : {level: {title, classes, story, hint, timeLimit}}),
		files: [...findFiles(scene, posix.dirname(file), new Set())],
	};
}

function listScenes(folder, prefix = '')
{
	return readdirSync(join(folder, prefix), {withFileTypes: true}).flatMap((entry) =>
		entry.isDirectory() ? listScenes(folder, `${prefix}${entry.name}/`) :
			entry.name.endsWith('.json') ? [`${prefix}${entry.name}`] : []);
}

if (argv[1]?.endsWith('index_scenes.mjs'))
{
	const [folder, pictures, target] = argv.slice(2);
	const scenes = listScenes(folder).sort().map((file) =>
	{
		const name = `${file.replace(/^voxels\//, 'voxel_').replace(/\.json$/, '')}.jpg`;
		const thumb = existsSync(join(pictures, name)) ? {thumb: `thumbs/${name}`} : {};
		return {...describeScene(file, readFileSync(join(folder, file), 'utf8')), ...thumb};
	});
	writeFileSync(target, `${JSON.stringify(scenes)}\n`);
}

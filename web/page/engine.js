// SPDX-License-Identifier: MIT

// Loads the program and gives the rest of the page plain functions to call. See playground.h.

const sceneFolder = '/scenes/';

async function fetchBytes(path)
{
	const response = await fetch(path);
	if (!response.ok)
	{
		throw new Error(`${path}: ${response.status} ${response.statusText}`);
	}
	return new Uint8Array(await response.arrayBuffer());
}

async function fetchIndex()
{
	return JSON.parse(new TextDecoder().decode(await fetchBytes('scenes/index.json')));
}

// Threads need shared memory, which a browser gives only to pages that are isolated from others, and cores to run on.
function mayUseThreads(options)
{
	return self.crossOriginIsolated === true && (options.threads ?? navigator.hardwareConcurrency > 2);
}

async function loadProgram(options)
{
	// A world that goes waits for its threads, on the main thread. They end at once, so the general warning is not for us.
	const settings = {printErr: (text) => text.startsWith('Blocking on the main thread') || console.warn(text)};
	if (mayUseThreads(options))
	{
		try
		{
			const {default: createTarn} = await import('./tarn-threads.js');
			return {module: await createTarn(settings), threads: true};
		}
		catch (error)
		{
			console.warn('without threads:', error);
		}
	}
	const {default: createTarn} = await import('./tarn.js');
	return {module: await createTarn(settings), threads: false};
}

// Puts the files of a scene into the file system of the program, the first time that it is asked for.
function makeFetcher(module, items)
{
	const there = new Map();
	const write = async (file) =>
	{
		const bytes = await fetchBytes(`scenes/${file}`);
		const path = sceneFolder + file;
		module.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
		module.FS.writeFile(path, bytes);
	};
	return (index) =>
	{
		const item = items[index];
		if (item === undefined)
		{
			return Promise.resolve();
		}
		if (!there.has(item.file))
		{
			const all = Promise.all([item.file, ...item.files].map(write));
			there.set(item.file, all);
			// What did not come may come the next time.
			all.catch(() => there.delete(item.file));
		}
		return there.get(item.file);
	};
}

// 'name:result:arguments' with n number, s string, b boolean, v nothing, j a string of JSON.
const functions = [
	'AddScene:b:ssb', 'Start:b:snnb', 'GetError:s:', 'Frame:v:nnnn', 'LoseContext:v:', 'RestoreContext:b:', 'Move:v:nn',
	'Button:v:nb', 'Scroll:v:nn', 'Pinch:v:nnnn', 'Key:v:nb', 'SetScene:b:n', 'Reset:v:', 'Replay:b:', 'GetSaveScene:s:', 'SetPaused:v:b',
	'StepOnce:v:', 'SetTool:v:n', 'SetBodyKind:v:n', 'SetView:v:n', 'SetMethod:b:nn', 'SetParameter:b:sn', 'SetCamera:v:nnnnnn',
	'Describe:j:', 'GetStatus:j:', 'GetTime:n:', 'GetHash:s:', 'RunHash:j:snn', 'PullDam:v:n', 'Undo:b:',
	'Redo:b:', 'GoBackTo:b:n', 'GetBuilt:s:', 'Build:b:s', 'GetSaveSize:n:', 'Save:n:', 'Reserve:n:n', 'Load:b:',
];

// These return a few floats: 'name:count:arguments'.
const vectors = ['Project:3:nnn', 'Sample:3:nn', 'MeasureRegion:3:s', 'GetDam:4:'];

const types = {n: 'number', s: 'string', j: 'string', b: 'boolean', v: null};

function bind(module)
{
	const engine = {};
	const lower = (name) => name[0].toLowerCase() + name.slice(1);
	for (const entry of functions)
	{
		const [name, result, parameters] = entry.split(':');
		const call = module.cwrap(`tnw${name}`, types[result], [...parameters].map((p) => types[p]));
		engine[lower(name)] = result === 'j' ? (...values) => JSON.parse(call(...values)) :
			result === 'b' ? (...values) => Boolean(call(...values)) : call;
	}
	for (const entry of vectors)
	{
		const [name, count, parameters] = entry.split(':');
		const call = module.cwrap(`tnw${name}`, 'number', [...parameters].map((p) => types[p]));
		engine[lower(name)] = (...values) =>
		{
			const start = call(...values) / 4;
			return Array.from(module.HEAPF32.subarray(start, start + Number(count)));
		};
	}
	// Bytes instead of places in the memory of the program.
	const {save, reserve, load} = engine;
	engine.save = () =>
	{
		const place = save();
		return place === 0 ? null : module.HEAPU8.slice(place, place + engine.getSaveSize());
	};
	engine.load = async (bytes) =>
	{
		const place = reserve(bytes.length);
		if (place === 0 && bytes.length > 0)
		{
			return false;
		}
		module.HEAPU8.set(bytes, place);
		// Its scene has to be there.
		const key = engine.getSaveScene();
		const index = engine.describe().scenes.findIndex(({file}) => getSceneKey(file) === key);
		await engine.fetchScene(index).catch(() => {});
		return load();
	};
	return engine;
}

// The name of a scene in links: that of its file.
export function getSceneKey(file)
{
	return file.slice(file.lastIndexOf('/') + 1).replace(/\.json$/, '');
}

export async function loadEngine(options)
{
	const [program, items] = await Promise.all([loadProgram(options), fetchIndex()]);
	const {module, threads} = program;
	const engine = bind(module);
	engine.threads = threads;
	engine.module = module;
	// The toy comes first, then other scenes, voxels and levels.
	const rank = ({file}) => file === 'pull_the_dam.json' ? 0 : file.startsWith('levels/') ? 3 : file.startsWith('voxels/') ? 2 : 1;
	items.sort((a, b) => rank(a) - rank(b) || (a.file < b.file ? -1 : 1));
	for (const {file, title, level} of items)
	{
		if (!engine.addScene(sceneFolder + file, title, level !== undefined))
		{
			console.warn(engine.getError());
		}
	}
	engine.fetchScene = makeFetcher(module, items);
	// What the program does not know of scenes that it has not read.
	const describe = engine.describe;
	engine.describe = () =>
	{
		const description = describe();
		description.scenes.forEach((scene, index) =>
		{
			const {description: text, level, thumb} = items[index];
			Object.assign(scene, {description: text, thumb}, level === undefined ? {} : {level});
		});
		return description;
	};
	return engine;
}

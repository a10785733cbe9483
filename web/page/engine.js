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

async function fetchScenes()
{
	const files = JSON.parse(new TextDecoder().decode(await fetchBytes('scenes/index.json')));
	return Promise.all(files.map(async (file) => ({file, bytes: await fetchBytes(`scenes/${file}`)})));
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

function writeScenes(module, scenes)
{
	for (const {file, bytes} of scenes)
	{
		const path = sceneFolder + file;
		module.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
		module.FS.writeFile(path, bytes);
	}
}

// 'name:result:arguments' with n number, s string, b boolean, v nothing, j a string of JSON.
const functions = [
	'AddScene:b:s', 'Start:b:snnb', 'GetError:s:', 'Frame:v:nnnn', 'LoseContext:v:', 'RestoreContext:b:', 'Move:v:nn',
	'Button:v:nb', 'Scroll:v:nn', 'Pinch:v:nnnn', 'Key:v:nb', 'SetScene:b:n', 'Reset:v:', 'SetPaused:v:b',
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
	engine.load = (bytes) =>
	{
		const place = reserve(bytes.length);
		if (place === 0 && bytes.length > 0)
		{
			return false;
		}
		module.HEAPU8.set(bytes, place);
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
	const [program, scenes] = await Promise.all([loadProgram(options), fetchScenes()]);
	const {module, threads} = program;
	writeScenes(module, scenes);
	const engine = bind(module);
	engine.threads = threads;
	engine.module = module;
	// The toy comes first, then other scenes, voxels and levels.
	const names = scenes.map((scene) => scene.file).filter((file) => file.endsWith('.json'));
	const rank = (file) => file === 'pull_the_dam.json' ? 0 : file.startsWith('levels/') ? 3 : file.startsWith('voxels/') ? 2 : 1;
	names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
	for (const file of names)
	{
		if (!engine.addScene(sceneFolder + file))
		{
			console.warn(engine.getError());
		}
	}
	return engine;
}

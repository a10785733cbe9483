// SPDX-License-Identifier: MIT

// Links that hold a scene and what was changed in it: #scene=...&method=...&brushRadius=...&camera=...

import {getSceneKey} from './engine.js';

export const methods = [
	{key: 'pipe', title: 'pipe', method: 0, advection: 0},
	{key: 'linear', title: 'linear', method: 1, advection: 0},
	{key: 'shallow', title: 'shallow', method: 2, advection: 0},
	{key: 'shallow-fine', title: 'shallow, fine', method: 2, advection: 1},
	{key: 'shallow-sl', title: 'shallow, semi-Lagrangian', method: 2, advection: 2},
	{key: 'shallow-mc', title: 'shallow, MacCormack', method: 2, advection: 3},
];

export function findMethod(status)
{
	return methods.find((item) =>
		item.method === status.method && (item.method !== 2 || item.advection === status.advection));
}

// What a link says about the view that changes the picture only.
export const views = ['water', 'depth', 'speed', 'vorticity', 'tracer', 'wet', 'awake', 'substeps'];

/// @param start the parameters as the scene began with, by name
export function makeLink(engine, description, start)
{
	const status = engine.getStatus();
	const values = new URLSearchParams();
	values.set('scene', getSceneKey(description.scenes[status.scene].file));
	// Voxels have none.
	if (status.method !== undefined)
	{
		values.set('method', findMethod(status).key);
	}
	values.set('tool', description.tools[status.tool]);
	if (status.view !== 0)
	{
		values.set('view', views[status.view]);
	}
	for (const parameter of description.parameters)
	{
		if (parameter.value !== start.get(parameter.name))
		{
			values.set(parameter.name, String(parameter.value));
		}
	}
	const built = engine.getBuilt();
	if (built !== '')
	{
		values.set('built', built);
	}
	values.set('camera', status.camera.map((value) => Number(value.toPrecision(5))).join(','));
	return `${location.origin}${location.pathname}${location.search}#${values}`;
}

export function findSceneOfLink(description, hash)
{
	const key = new URLSearchParams(hash.replace(/^#/, '')).get('scene');
	// Levels are known by their names: the number before it says only where among the others it stands.
	const plain = (text) => text?.replace(/^\d+_/, '');
	const exact = description.scenes.findIndex((scene) => getSceneKey(scene.file) === key);
	return exact >= 0 || !key ? exact : description.scenes.findIndex(
		(scene) => scene.level !== undefined && plain(getSceneKey(scene.file)) === plain(key));
}

// Everything but the scene. What is unknown or out of range is left as it is: links live longer than programs.
// @return what was built and is not there, in a sentence, or ''
export function applyLink(engine, description, hash)
{
	const values = new URLSearchParams(hash.replace(/^#/, ''));
	const method = methods.find((item) => item.key === values.get('method'));
	if (method !== undefined)
	{
		engine.setMethod(method.method, method.advection);
	}
	const tool = description.tools.indexOf(values.get('tool'));
	if (tool >= 0)
	{
		engine.setTool(tool);
	}
	const view = views.indexOf(values.get('view'));
	if (view >= 0)
	{
		engine.setView(view);
	}
	for (const parameter of description.parameters)
	{
		const value = values.has(parameter.name) ? Number(values.get(parameter.name)) : NaN;
		if (Number.isFinite(value))
		{
			engine.setParameter(parameter.name, value);
		}
	}
	const camera = (values.get('camera') ?? '').split(',').map(Number);
	if (camera.length === 6 && camera.every(Number.isFinite))
	{
		engine.setCamera(...camera);
	}
	const built = values.get('built') ?? '';
	return built === '' || engine.build(built) ? '' : engine.getError();
}

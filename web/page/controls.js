// SPDX-License-Identifier: MIT

// Buttons, menus and sliders of the page. They show what the viewer says, whoever changed it: a button, a key, a link.

import {formatLeft, makeLevels} from './level.js';
import {makePast} from './keep.js';
import {findMethod, makeLink, methods, views} from './link.js';

const sliderSteps = 1000;
const toastMilliseconds = 2600;

const $ = (id) => document.getElementById(id);

function setIcon(button, name)
{
	button.querySelector('use').setAttribute('href', `#icon-${name}`);
}

function makeIcon(name)
{
	const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
	const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
	use.setAttribute('href', `#icon-${name}`);
	svg.setAttribute('aria-hidden', 'true');
	svg.append(use);
	return svg;
}

export function showToast(text)
{
	const toast = $('toast');
	toast.textContent = text;
	toast.hidden = false;
	clearTimeout(showToast.timer);
	showToast.timer = setTimeout(() => { toast.hidden = true; }, toastMilliseconds);
}

// ---------------------------------------------------------------------------------------------------------------------
// Tools: a group of radio buttons, of which one can be reached with the tab key and the others with arrows.

// Which there are depends on the scene: see refusals of the status.
function makeTools(engine, description, refresh)
{
	const dock = $('tools');
	description.tools.forEach((name, index) =>
	{
		const button = document.createElement('button');
		button.type = 'button';
		button.setAttribute('role', 'radio');
		button.setAttribute('aria-label', name);
		button.dataset.name = name;
		button.dataset.tool = name;
		button.append(makeIcon(name));
		button.addEventListener('click', () =>
		{
			const refusal = engine.getStatus().refusals[index];
			if (refusal)
			{
				showToast(refusal);
				return;
			}
			engine.setTool(index);
			refresh();
			// A finger sees no names by pointing.
			if (matchMedia('(hover: none)').matches)
			{
				showToast(name);
			}
		});
		dock.append(button);
	});
	dock.addEventListener('keydown', (event) =>
	{
		const direction = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
		if (direction === undefined)
		{
			return;
		}
		event.preventDefault();
		const count = description.tools.length;
		const {tool, refusals} = engine.getStatus();
		let next = (tool + direction + count) % count;
		// Past those that cannot be used here. There is always one that can: looking.
		while (refusals[next] !== '')
		{
			next = (next + direction + count) % count;
		}
		engine.setTool(next);
		refresh();
		dock.children[next].focus();
	});
}

function showTool({tool, refusals, level})
{
	// Two rows of six on a phone, or three.
	document.body.classList.toggle('many-tools', refusals.filter((refusal) => refusal === '').length > 12);
	[...$('tools').children].forEach((button, index) =>
	{
		const refusal = refusals[index];
		button.hidden = refusal === null;
		button.title = refusal ?? '';
		button.setAttribute('aria-disabled', String(Boolean(refusal)));
		button.setAttribute('aria-checked', String(index === tool));
		button.tabIndex = index === tool ? 0 : -1;
		const left = level?.tools.find(({name}) => name === button.dataset.tool)?.left;
		button.toggleAttribute('data-left', left !== undefined);
		if (left !== undefined)
		{
			button.dataset.left = formatLeft(left);
		}
	});
}

// ---------------------------------------------------------------------------------------------------------------------
// Scenes

function makeScenes(description, setScene)
{
	const dialog = $('scenes');
	description.scenes.forEach((scene, index) =>
	{
		const button = document.createElement('button');
		const title = document.createElement('strong');
		const text = document.createElement('span');
		const {level} = scene;
		button.type = 'button';
		button.dataset.scene = scene.file;
		button.dataset.index = index;
		title.textContent = level?.title ?? scene.title;
		text.textContent = level?.story ?? scene.description;
		if (scene.thumb !== undefined)
		{
			// Fetched when it comes into view.
			const picture = document.createElement('img');
			picture.loading = 'lazy';
			picture.alt = '';
			picture.width = 240;
			picture.height = 135;
			picture.src = scene.thumb;
			button.append(picture);
		}
		button.append(title, text);
		if (level !== undefined)
		{
			const stars = document.createElement('span');
			stars.className = 'stars';
			stars.append(makeIcon('star'), makeIcon('star'), makeIcon('star'));
			button.append(stars);
		}
		button.addEventListener('click', () =>
		{
			dialog.close();
			setScene(index);
		});
		$(level !== undefined ? 'level-list' : 'scene-list').append(button);
	});
	const show = (levels) =>
	{
		$('level-list').hidden = !levels;
		$('scene-list').hidden = levels;
		$('tab-levels').setAttribute('aria-selected', String(levels));
		$('tab-scenes').setAttribute('aria-selected', String(!levels));
	};
	$('tab-levels').addEventListener('click', () => show(true));
	$('tab-scenes').addEventListener('click', () => show(false));
	$('scene-button').addEventListener('click', () => dialog.showModal());
	window.addEventListener('keydown', (event) =>
	{
		if (event.key.toLowerCase() === 'p' && !event.ctrlKey && !event.metaKey && !event.target.closest?.('input, select'))
		{
			dialog.open ? dialog.close() : dialog.showModal();
		}
	});
	$('scenes-close').addEventListener('click', () => dialog.close());
	dialog.addEventListener('click', (event) =>
	{
		if (event.target === dialog)
		{
			dialog.close();
		}
	});
}

function showScene(description, index, levels)
{
	const {level, title} = description.scenes[index];
	$('scene-title').textContent = level?.title ?? title;
	for (const button of $('scenes').querySelectorAll('[data-scene]'))
	{
		button.setAttribute('aria-current', String(Number(button.dataset.index) === index));
		button.classList.toggle('won', levels.isWon(button.dataset.scene));
		button.dataset.stars = levels.countStars(button.dataset.scene);
	}
	const list = $('level-list');
	$('level-count').textContent = `${list.querySelectorAll('.won').length} of ${list.children.length} won`;
}

// ---------------------------------------------------------------------------------------------------------------------
// Settings

function toSlider(parameter)
{
	const {low, high, value, logarithmic} = parameter;
	const share = logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
	return Math.round(share * sliderSteps);
}

function fromSlider(parameter, position)
{
	const {low, high, logarithmic} = parameter;
	const share = position / sliderSteps;
	return logarithmic ? low * (high / low) ** share : low + (high - low) * share;
}

function formatValue(value, unit)
{
	const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
	return `${value.toFixed(digits)}${unit === '' ? '' : unit === 'x' ? ' ×' : ` ${unit}`}`;
}

function makeSliders(engine, description)
{
	for (const parameter of description.parameters)
	{
		const label = document.createElement('label');
		const name = document.createElement('span');
		const output = document.createElement('output');
		const input = document.createElement('input');
		label.className = 'slider';
		name.textContent = parameter.title;
		input.type = 'range';
		input.min = 0;
		input.max = sliderSteps;
		input.dataset.parameter = parameter.name;
		input.addEventListener('input', () =>
		{
			const now = engine.describe().parameters.find((item) => item.name === parameter.name);
			engine.setParameter(parameter.name, fromSlider(now, Number(input.value)));
			showSliders(engine.describe());
		});
		label.append(name, output, input);
		// What a player wants first: brush, water, weather. Then the picture, and what only those want who know how it works.
		const inner = parameter.tuning || parameter.name === 'vorticityConfinement';
		const picture = /^(sunAzimuth|exposure|ripples|foam|caustics|glitter|shadows)$/.test(parameter.name);
		$(inner ? 'tuning' : picture ? 'picture' : 'sliders').append(label);
	}
}

function showSliders(description)
{
	for (const parameter of description.parameters)
	{
		const input = $('panel').querySelector(`[data-parameter="${parameter.name}"]`);
		input.parentElement.hidden = !parameter.used;
		const position = toSlider(parameter);
		input.value = position;
		input.style.setProperty('--share', `${(100 * position) / sliderSteps}%`);
		input.previousElementSibling.textContent = formatValue(parameter.value, parameter.unit);
		input.setAttribute('aria-valuetext', formatValue(parameter.value, parameter.unit));
	}
}

function makeSettings(engine, description, refresh)
{
	const panel = $('panel');
	$('method').append(...methods.map(({key, title}) => new Option(title, key)));
	$('view').append(...views.map((name) => new Option(name, name)));
	$('method').addEventListener('change', (event) =>
	{
		const {method, advection} = methods.find((item) => item.key === event.target.value);
		if (!engine.setMethod(method, advection))
		{
			showToast(engine.getError());
		}
		refresh();
	});
	$('view').addEventListener('change', (event) => engine.setView(views.indexOf(event.target.value)));
	$('kind').append(...description.kinds.map((name) => new Option(name, name)));
	$('kind').addEventListener('change', (event) => engine.setBodyKind(description.kinds.indexOf(event.target.value)));
	$('kind').dataset.none = String(description.refusals[description.tools.indexOf('stack')] !== '');
	makeSliders(engine, description);
	const toggle = () =>
	{
		panel.hidden = !panel.hidden;
		$('readout').classList.toggle('aside', !panel.hidden);
		$('settings').setAttribute('aria-expanded', String(!panel.hidden));
		refresh();
	};
	$('settings').addEventListener('click', toggle);
	panel.addEventListener('keydown', (event) =>
	{
		if (event.key === 'Escape')
		{
			toggle();
			$('settings').focus();
		}
	});
	$('hash').addEventListener('click', () => { $('hash-value').textContent = engine.getHash(); });
	return toggle;
}

function makeHelp()
{
	const sheet = $('help-sheet');
	const toggle = () => sheet.open ? sheet.close() : sheet.showModal();
	$('help').addEventListener('click', toggle);
	$('help-close').addEventListener('click', () => sheet.close());
	sheet.addEventListener('click', (event) => event.target === sheet && sheet.close());
	sheet.addEventListener('keydown', (event) =>
	{
		if (event.key === 'F1')
		{
			event.preventDefault();
			event.stopPropagation();
			sheet.close();
		}
	});
	return toggle;
}

// Two lines for whoever is here for the first time, until the water has been touched.
function makeGreeting()
{
	const store = 'tarn.greeted';
	const seen = () =>
	{
		$('greeting').hidden = true;
		try
		{
			localStorage.setItem(store, '1');
		}
		catch
		{
			// Then it greets again.
		}
	};
	return (fresh) =>
	{
		let greeted = false;
		try
		{
			greeted = localStorage.getItem(store) !== null;
		}
		catch
		{
			// Nothing is known of anybody.
		}
		if (fresh && !greeted && !document.body.classList.contains('in-level'))
		{
			$('greeting').hidden = false;
			for (const id of ['water', 'handle', 'tools', 'scene-button', 'greeting'])
			{
				$(id).addEventListener('pointerdown', seen, {once: true});
			}
		}
	};
}

function describeColumns(status)
{
	const cells = `${status.columns} × ${status.rows} cells of ${formatValue(status.cellSize, 'm')}`;
	const bodies = status.bodies > 0 ? ` · ${status.bodies} bodies` : '';
	return `${cells} · ${formatVolume(status.volume)}${bodies} · ${status.stepMilliseconds.toFixed(2)} ms a step · ${status.simd}`;
}

function describeVoxels({voxels, cellSize, drift, stepMilliseconds})
{
	const liquids = voxels.liquids.map(({name, volume}) => `${name} ${formatVolume(volume)}`).join(' · ');
	const motion = voxels.atRest ? 'at rest' : `${voxels.awakeChunks} chunks move, ${voxels.components} pools`;
	return `${voxels.size.join(' × ')} voxels of ${formatValue(cellSize, 'm')} · ${liquids} · ${drift} units lost · ` +
		`${motion} · ${(1000 * stepMilliseconds).toFixed(0)} µs a step`;
}

function formatVolume(volume)
{
	return `${Math.round(volume).toLocaleString('en')} m³`;
}

function showSettings(engine, status)
{
	const isVoxels = status.voxels !== undefined;
	$('tuning').hidden = isVoxels;
	$('kind').closest('label').hidden = isVoxels || $('kind').dataset.none === 'true';
	for (const id of ['method', 'kind'])
	{
		$(id).closest('label').classList.toggle('kept', status.level !== undefined);
	}
	if (!isVoxels)
	{
		$('method').value = findMethod(status).key;
		$('view').value = views[status.view];
		$('kind').selectedIndex = status.bodyKind;
	}
	if ($('panel').hidden)
	{
		return;
	}
	if (document.activeElement?.dataset.parameter === undefined)
	{
		showSliders(engine.describe());
	}
	const threads = status.workers > 1 ? `${status.workers} threads` : 'one thread';
	$('facts').textContent = `${isVoxels ? describeVoxels(status) : describeColumns(status)}, ${threads}`;
}

// ---------------------------------------------------------------------------------------------------------------------
// All together

async function copyLink(engine, start)
{
	const link = makeLink(engine, engine.describe(), start());
	history.replaceState(null, '', link);
	try
	{
		await navigator.clipboard.writeText(link);
		showToast('link copied');
	}
	catch
	{
		// Not allowed here: then it can at least be copied by hand, from here or from the address bar.
		showToast(link);
	}
}

/// @param actions setScene(index), reset(), getStart(), moved(), opened(good)
export function makeControls(engine, actions)
{
	const description = engine.describe();
	const refresh = () =>
	{
		const status = engine.getStatus();
		const pause = $('pause');
		pause.setAttribute('aria-pressed', String(status.paused));
		pause.setAttribute('aria-label', status.paused ? 'Go on' : 'Pause');
		setIcon(pause, status.paused ? 'play' : 'pause');
		$('step').disabled = !status.paused;
		showTool(status);
		levels.show(status);
		past.show(status);
		showScene(description, status.scene, levels);
		showSettings(engine, status);
		$('readout').textContent =
			`${status.fps.toFixed(0)} fps · ${status.speed.toFixed(status.speed < 10 ? 1 : 0)}× real time`;
	};
	const levels = makeLevels(engine, description, {
		setScene: actions.setScene,
		restart: actions.reset,
		refresh,
		openMenu: () => $('scenes').showModal(),
	});
	const past = makePast(engine, description, {showToast, refresh, moved: actions.moved, opened: actions.opened});
	makeTools(engine, description, refresh);
	makeScenes(description, actions.setScene);
	const toggleSettings = makeSettings(engine, description, refresh);
	const toggleHelp = makeHelp();
	$('pause').addEventListener('click', () =>
	{
		engine.setPaused(!engine.getStatus().paused);
		refresh();
	});
	$('step').addEventListener('click', () =>
	{
		engine.stepOnce();
		refresh();
	});
	$('reset').addEventListener('click', actions.reset);
	$('again').addEventListener('click', actions.reset);
	$('share').addEventListener('click', () => copyLink(engine, actions.getStart));
	return {refresh, toggleSettings, toggleHelp, greet: makeGreeting()};
}

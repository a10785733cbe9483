// SPDX-License-Identifier: MIT

// The playground: loads the program, turns the browser's events into calls, and draws while the page is visible.

import {makeControls, showToast} from './controls.js';
import {getSceneKey, loadEngine} from './engine.js';
import {listenToInput} from './input.js';
import {keepWorld, readKept} from './keep.js';
import {applyLink, findSceneOfLink} from './link.js';
import {makeToy} from './toy.js';

const maxPixelRatio = 2;
const refreshMilliseconds = 200;
const longestFrame = 1; // seconds; after a pause of the browser the water goes on from where it was
// Pictures are drawn smaller when the machine is too slow for them, down to half of each side.
const smallestQuality = 0.5;
const slowFrame = 1 / 35;
const fastFrame = 1 / 55;
const framesPerVerdict = 45;

const canvas = document.getElementById('water');
const curtain = document.getElementById('curtain');

function fail(text)
{
	curtain.classList.remove('open');
	curtain.classList.add('failed');
	document.getElementById('curtain-text').textContent = text;
	document.documentElement.dataset.state = 'failed';
}

function readOptions()
{
	const values = new URLSearchParams(location.search);
	const threads = values.get('threads');
	return {
		threads: threads === null ? undefined : threads !== '0',
		quality: Number(values.get('quality')) || undefined,
		keep: values.get('keep') !== '0',
	};
}

function failWithoutWebGl2()
{
	fail('This water is drawn with WebGL 2, which this browser does not offer. A current Firefox, Chrome, Edge or ' +
		'Safari does; if yours is one, hardware acceleration may be switched off in its settings.');
}

// Keeps the canvas as large as its box, in real pixels.
function makeScreen(fixedQuality)
{
	let quality = fixedQuality ?? 1;
	let frames = 0;
	let seconds = 0;
	return {
		scale: 1,
		fit()
		{
			const ratio = Math.min(window.devicePixelRatio || 1, maxPixelRatio) * quality;
			const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
			const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
			if (canvas.width !== width || canvas.height !== height)
			{
				canvas.width = width;
				canvas.height = height;
			}
			this.scale = width / Math.max(1, canvas.clientWidth);
		},
		judge(frameSeconds)
		{
			frames += 1;
			seconds += frameSeconds;
			if (fixedQuality !== undefined || frames < framesPerVerdict)
			{
				return;
			}
			const mean = seconds / frames;
			quality = mean > slowFrame ? Math.max(smallestQuality, quality * 0.8) :
				mean < fastFrame ? Math.min(1, quality * 1.1) : quality;
			frames = 0;
			seconds = 0;
		},
	};
}

async function run(engine, options, kept)
{
	const screen = makeScreen(options.quality);
	const toy = makeToy(engine, {
		handle: document.getElementById('handle'), again: document.getElementById('again'),
	});
	let start = new Map();
	const begin = () =>
	{
		toy.look(canvas.clientWidth / Math.max(1, canvas.clientHeight));
		start = new Map(engine.describe().parameters.map(({name, value}) => [name, value]));
	};
	let wanted = 0;
	const setScene = async (index) =>
	{
		wanted += 1;
		const mine = wanted;
		try
		{
			await engine.fetchScene(index);
		}
		catch (error)
		{
			showToast(`This scene could not be fetched: ${error.message}`);
			return;
		}
		// Somebody has chosen another one meanwhile.
		if (mine !== wanted)
		{
			return;
		}
		if (!engine.setScene(index))
		{
			showToast(engine.getError());
		}
		begin();
		controls.refresh();
	};
	const controls = makeControls(engine, {
		setScene,
		reset: () =>
		{
			engine.reset();
			// A level goes on at once: what it is about has been read.
			engine.setPaused(engine.getStatus().paused && engine.getStatus().level === undefined);
			controls.refresh();
		},
		getStart: () => start,
		moved: () => toy.rest(),
		opened: (good) =>
		{
			toy.rest();
			start = good ? new Map() : start;
			controls.refresh();
		},
	});
	const follow = () =>
	{
		const missing = applyLink(engine, engine.describe(), location.hash);
		if (missing !== '')
		{
			showToast(missing);
		}
		controls.refresh();
	};
	begin();
	if (kept !== undefined && await engine.load(kept.bytes))
	{
		toy.rest();
		controls.refresh();
	}
	else
	{
		follow();
	}
	const keep = options.keep ? keepWorld(engine) : () => {};

	let last = performance.now();
	let lastRefresh = 0;
	let running = true;
	const draw = (now) =>
	{
		const seconds = Math.min(Math.max(now - last, 0) / 1000, longestFrame);
		last = now;
		screen.fit();
		engine.frame(seconds, canvas.width, canvas.height, screen.scale);
		toy.update(engine.getTime());
		screen.judge(seconds);
		if (now - lastRefresh > refreshMilliseconds)
		{
			lastRefresh = now;
			controls.refresh();
		}
		if (running)
		{
			requestAnimationFrame(draw);
		}
	};
	requestAnimationFrame(draw);

	document.addEventListener('visibilitychange', () =>
	{
		// The browser stops asking for pictures by itself. What matters is not to catch up afterwards.
		const wasRunning = running;
		running = !document.hidden;
		last = performance.now();
		if (running && !wasRunning)
		{
			requestAnimationFrame(draw);
		}
	});
	window.addEventListener('hashchange', async () =>
	{
		const description = engine.describe();
		const scene = findSceneOfLink(description, location.hash);
		await setScene(scene >= 0 ? scene : 0);
		follow();
	});
	canvas.addEventListener('webglcontextlost', (event) =>
	{
		event.preventDefault();
		engine.loseContext();
	});
	canvas.addEventListener('webglcontextrestored', () =>
	{
		if (!engine.restoreContext())
		{
			fail(engine.getError());
		}
	});
	listenToInput(canvas, engine, controls.refresh, {
		nextScene(step)
		{
			const {length} = engine.describe().scenes;
			setScene((engine.getStatus().scene + step + length) % length);
		},
		help: controls.toggleHelp,
		settings: controls.toggleSettings,
		hide: () => document.body.classList.toggle('bare'),
	});
	controls.greet(kept === undefined);
	return {screen, toy, setScene, keep};
}

// What tests use, and what is fun to use from the console.
function makeHook(engine, parts)
{
	return {
		...engine,
		sceneKeys: () => engine.describe().scenes.map((scene) => getSceneKey(scene.file)),
		async runHash(key, steps, workers = 0)
		{
			const {scenes} = engine.describe();
			const scene = scenes.find(({file}) => getSceneKey(file) === key);
			await engine.fetchScene(scenes.indexOf(scene));
			return engine.runHash(scene?.file ?? key, steps, workers);
		},
		async setScene(index)
		{
			await engine.fetchScene(index);
			return engine.setScene(index);
		},
		pull: parts.toy.pull,
		keep: parts.keep,
		// As the menu does it.
		open: (key) => parts.setScene(engine.describe().scenes.findIndex((scene) => getSceneKey(scene.file) === key)),
		// Draw, and read the picture before the browser takes it away: rows from the bottom, 4 bytes a pixel.
		readPixels()
		{
			engine.frame(0, canvas.width, canvas.height, parts.screen.scale);
			const gl = engine.module.GL.currentContext.GLctx;
			const data = new Uint8Array(canvas.width * canvas.height * 4);
			gl.bindFramebuffer(gl.FRAMEBUFFER, null);
			gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, data);
			return {width: canvas.width, height: canvas.height, scale: parts.screen.scale, data};
		},
	};
}

async function main()
{
	if (typeof WebGL2RenderingContext === 'undefined')
	{
		failWithoutWebGl2();
		return;
	}
	// A function of one v128.const: its bytes are valid only where there is SIMD.
	const simd = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
	if (typeof WebAssembly !== 'object' || !WebAssembly.validate(simd))
	{
		fail('This water needs a browser from 2021 or later (Chrome or Edge 91, Firefox 89, Safari 16.4): yours cannot yet do many ' +
			'sums at once (WebAssembly SIMD). An update of the browser, or of the phone, helps.');
		return;
	}
	const options = readOptions();
	const [engine, kept] = await Promise.all([loadEngine(options), options.keep ? readKept() : undefined]);
	performance.mark('playground-loaded');
	const scene = Math.max(0, findSceneOfLink(engine.describe(), location.hash));
	await engine.fetchScene(scene);
	const workers = engine.threads ? Math.min(navigator.hardwareConcurrency, 8) : 1;
	// Where pixels are small, edges need no smoothing.
	const antialias = (window.devicePixelRatio || 1) < 1.5;
	if (!engine.start('#water', scene, workers, antialias))
	{
		// The context itself is the only sure sign; a second one just to find out would cost a second on slow machines.
		if (/no WebGL 2/.test(engine.getError()))
		{
			failWithoutWebGl2();
			return;
		}
		fail(engine.getError());
		return;
	}
	performance.mark('playground-started');
	const parts = await run(engine, options, kept);
	window.tarn = makeHook(engine, parts);
	requestAnimationFrame(() => requestAnimationFrame(() =>
	{
		performance.mark('playground-ready');
		curtain.classList.add('open');
		document.documentElement.dataset.state = 'running';
	}));
}

main().catch((error) =>
{
	console.error(error);
	const offline = error instanceof TypeError || /fetch|network|\d{3} /i.test(error.message);
	const memory = error instanceof RangeError || /memory/i.test(error.message);
	fail(offline ? 'Part of the playground did not arrive. Is the network there? Loading the page again may help.' :
		memory ? 'There is not enough memory for this water. Closing other pages may help, or opening this one with ?threads=0.' :
			`The playground could not start. Loading the page again may help. (${error.message})`);
});

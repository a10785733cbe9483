// SPDX-License-Identifier: MIT

// Mouse, pen, fingers and keys on the canvas.

// One finger or the mouse uses the tool; a second finger turns the touch into a gesture of the camera, and the tool
// rests until all fingers are up.
function listenToPointers(canvas, engine)
{
	const pointers = new Map();
	const buttons = [0, 2, 1]; // of the browser: left, middle, right; of tarn: left, right, middle
	let gesture = null;
	let pressed = -1;

	const locate = (event) =>
	{
		const box = canvas.getBoundingClientRect();
		return {x: event.clientX - box.left, y: event.clientY - box.top};
	};
	const release = () =>
	{
		if (pressed >= 0)
		{
			engine.button(pressed, false);
			pressed = -1;
		}
	};
	const measure = () =>
	{
		const [a, b] = [...pointers.values()];
		return {
			x: (a.x + b.x) / 2, y: (a.y + b.y) / 2,
			distance: Math.max(Math.hypot(b.x - a.x, b.y - a.y), 1),
			angle: Math.atan2(b.y - a.y, b.x - a.x),
		};
	};

	canvas.addEventListener('pointerdown', (event) =>
	{
		event.preventDefault();
		canvas.focus({preventScroll: true});
		canvas.setPointerCapture(event.pointerId);
		const point = locate(event);
		pointers.set(event.pointerId, point);
		if (pointers.size === 1 && gesture === null)
		{
			engine.move(point.x, point.y);
			pressed = event.pointerType === 'mouse' ? buttons[event.button] ?? -1 : 0;
			if (pressed >= 0)
			{
				engine.button(pressed, true);
			}
		}
		else if (pointers.size === 2)
		{
			release();
			gesture = measure();
		}
	});

	canvas.addEventListener('pointermove', (event) =>
	{
		const point = locate(event);
		if (pointers.has(event.pointerId))
		{
			pointers.set(event.pointerId, point);
		}
		if (gesture === null)
		{
			engine.move(point.x, point.y);
		}
		else if (pointers.size === 2)
		{
			const now = measure();
			let turn = now.angle - gesture.angle;
			turn -= 2 * Math.PI * Math.round(turn / (2 * Math.PI));
			engine.pinch(now.x - gesture.x, now.y - gesture.y, now.distance / gesture.distance, turn);
			gesture = now;
		}
	});

	const lift = (event) =>
	{
		if (!pointers.delete(event.pointerId))
		{
			return;
		}
		release();
		if (pointers.size === 2)
		{
			gesture = measure();
		}
		else if (pointers.size === 0)
		{
			gesture = null;
		}
	};
	canvas.addEventListener('pointerup', lift);
	canvas.addEventListener('pointercancel', lift);
	canvas.addEventListener('contextmenu', (event) => event.preventDefault());
	canvas.addEventListener('wheel', (event) =>
	{
		event.preventDefault();
		// Notches of a wheel, as a desktop counts them: 100 pixels or 3 lines each.
		const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 3 : 100;
		engine.scroll(-event.deltaX / unit, -event.deltaY / unit);
	}, {passive: false});
}

const namedKeys = {
	' ': 32, Escape: 256, ArrowLeft: 258, ArrowRight: 259, ArrowUp: 260, ArrowDown: 261, PageUp: 262, PageDown: 263,
	Shift: 264, Control: 265, F4: 269,
};

function findKey(event)
{
	if (event.key in namedKeys)
	{
		return namedKeys[event.key];
	}
	return /^[a-z0-9.[\]+=-]$/i.test(event.key) ? event.key.toUpperCase().charCodeAt(0) : -1;
}

// Keys go to the viewer unless a control of the page has the focus and uses them itself.
function listenToKeys(engine, onKey, page)
{
	// What the page does itself.
	const pageKeys = {F1: page.help, '?': page.help, F2: page.hide, F3: page.settings, n: () => page.nextScene(1), N: () => page.nextScene(-1)};
	const down = new Set();
	window.addEventListener('keydown', (event) =>
	{
		const inControl = event.target instanceof Element && event.target.closest('input, select, dialog, button');
		const pageKey = pageKeys[event.key];
		if (pageKey !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest?.('input, select'))
		{
			event.preventDefault();
			pageKey();
			return;
		}
		const key = findKey(event);
		if (key < 0 || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
		{
			return;
		}
		if (inControl && (key === 32 || key >= 256 || !inControl.matches('button')))
		{
			return;
		}
		event.preventDefault();
		down.add(key);
		engine.key(key, true);
		onKey();
	});
	const lift = (key) =>
	{
		if (down.delete(key))
		{
			engine.key(key, false);
		}
	};
	window.addEventListener('keyup', (event) => lift(findKey(event)));
	window.addEventListener('blur', () => [...down].forEach(lift));
}

/// @param page what the page does at a key: help(), settings(), hide(), nextScene(step)
export function listenToInput(canvas, engine, onKey, page)
{
	listenToPointers(canvas, engine);
	listenToKeys(engine, onKey, page);
}

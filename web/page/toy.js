// SPDX-License-Identifier: MIT

// The handle over a dam. Drag it down and the dam sinks; past a third of the way, or with a tap, it gives way by
// itself. When the flood has passed, a button offers to do it again.

const handleTravel = 120; // CSS pixels of drag that would sink the whole dam
const releaseShare = 0.34; // from here on nothing holds it
const sinkSeconds = 1.1; // a dam that gives way is gone after this time of the water
const againSeconds = 28; // of water after that, when all has been seen
const handleLift = 3; // meters between crest and handle
const handleTop = 128; // CSS pixels from the top of the window that it always keeps, to stay within reach
// The first look at a dam: from so far before and above its crest to a place below it, meters.
const eyeOffset = [0, 80, 186];
const targetOffset = [0, -14, 30];
// Narrower windows look from farther away, but not so far that all is in the picture.
const wideAspect = 1.5;

export function makeToy(engine, elements)
{
	const {handle, again} = elements;
	let drag = null;
	let sinking = false;
	let lastTime = 0;
	let pulledAt = Infinity;

	handle.addEventListener('pointerdown', (event) =>
	{
		event.preventDefault();
		handle.setPointerCapture(event.pointerId);
		drag = {y: event.clientY, moved: 0};
		handle.classList.add('held');
	});
	handle.addEventListener('pointermove', (event) =>
	{
		if (drag !== null)
		{
			drag.moved = Math.max(0, event.clientY - drag.y);
			const share = drag.moved / handleTravel;
			engine.pullDam(Math.min(share, releaseShare));
			if (share >= releaseShare)
			{
				letGo();
			}
		}
	});
	const end = () =>
	{
		// A tap does it too.
		if (drag !== null && drag.moved < 6)
		{
			letGo();
		}
		drag = null;
		handle.classList.remove('held');
	};
	handle.addEventListener('pointerup', end);
	handle.addEventListener('pointercancel', () =>
	{
		drag = null;
		handle.classList.remove('held');
	});
	handle.addEventListener('click', (event) =>
	{
		// From the keyboard; pointers are dealt with above.
		if (event.detail === 0)
		{
			letGo();
		}
	});

	function letGo()
	{
		sinking = true;
		engine.setPaused(false);
	}

	function place(dam, moved)
	{
		const [x, y, visible] = engine.project(dam[0], dam[1] + handleLift, dam[2]);
		const shown = visible === 1 && dam[3] >= 0 && dam[3] < 1 && !sinking;
		handle.hidden = !shown;
		if (shown)
		{
			handle.style.transform = `translate(${x.toFixed(1)}px, ${(Math.max(y, handleTop) + moved).toFixed(1)}px)`;
		}
	}

	return {
		pull: letGo,
		// Time has jumped: whatever was on its way is not any more.
		rest()
		{
			sinking = false;
			drag = null;
			pulledAt = Infinity;
			lastTime = engine.getTime();
		},
		// A dam wants to be seen from below, with the lake behind it. @param aspect width over height of the window
		look(aspect)
		{
			const [x, y, z, share] = engine.getDam();
			if (share < 0)
			{
				return;
			}
			const far = Math.max(1, wideAspect / aspect) ** 0.5;
			const target = [x + targetOffset[0], y + targetOffset[1], z + targetOffset[2]];
			const eye = [x + eyeOffset[0], y + eyeOffset[1], z + eyeOffset[2]];
			engine.setCamera(...eye.map((value, i) => target[i] + far * (value - target[i])), ...target);
		},
		// After every frame. @param time seconds of water
		update(time)
		{
			if (time < lastTime)
			{
				sinking = false;
				pulledAt = Infinity;
			}
			const dam = engine.getDam();
			if (sinking && dam[3] >= 0)
			{
				engine.pullDam(dam[3] + (time - lastTime) / sinkSeconds);
			}
			if (dam[3] >= 1 && pulledAt === Infinity)
			{
				pulledAt = time;
			}
			lastTime = time;
			place(dam, drag !== null ? Math.min(drag.moved, handleTravel * releaseShare) : 0);
			again.hidden = !(time - pulledAt > againSeconds);
		},
	};
}

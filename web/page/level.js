// SPDX-License-Identifier: MIT

// Levels: goals and clock over the picture, what a level is about, how it ended, and which have been won.

import {getSceneKey} from './engine.js';

const storeName = 'tarn.levels';

const $ = (id) => document.getElementById(id);

// Kept by the browser. Where it keeps nothing (private windows, blocked storage) progress lasts as long as the page.
// A list of names, of old, or {name: {stars, time}}. The number before a name says only where among the others it stands.
function readBest()
{
	const best = new Map();
	try
	{
		const kept = JSON.parse(localStorage.getItem(storeName));
		const entries = Array.isArray(kept) ? kept.map((key) => [key, {}]) : Object.entries(kept ?? {});
		for (const [key, value] of entries)
		{
			if (typeof key === 'string')
			{
				const stars = Number.isInteger(value?.stars) && value.stars >= 1 && value.stars <= 5 ? value.stars : 1;
				const time = Number.isFinite(value?.time) && value.time > 0 ? value.time : null;
				best.set(getPlainKey(key), {stars, time});
			}
		}
	}
	catch
	{
		// What is damaged is as good as nothing.
	}
	return best;
}

function getPlainKey(file)
{
	return getSceneKey(file).replace(/^\d+_/, '');
}

function writeBest(best)
{
	try
	{
		localStorage.setItem(storeName, JSON.stringify(Object.fromEntries(best)));
	}
	catch
	{
		// Then not.
	}
}

function formatClock(seconds)
{
	const whole = Math.ceil(Math.max(0, seconds));
	return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

// A little is not nothing.
export function formatLeft(left)
{
	return left >= 10 || Number.isInteger(left) ? left.toFixed(0) : (Math.ceil(10 * left) / 10).toFixed(1);
}

function makeGoal()
{
	const row = document.createElement('li');
	row.append(document.createElement('span'), document.createElement('small'), document.createElement('progress'));
	return row;
}

function showGoals({goals})
{
	const list = $('goals');
	while (list.children.length < goals.length)
	{
		list.append(makeGoal());
	}
	[...list.children].forEach((row, index) =>
	{
		const goal = goals[index];
		row.hidden = goal === undefined;
		if (goal !== undefined)
		{
			row.className = goal.loses ? (goal.progress > 0.66 ? 'risk near' : 'risk') : goal.done ? 'done' : '';
			row.firstChild.textContent = goal.label;
			row.children[1].textContent = goal.needed > 0 ? `${goal.count} of ${goal.needed}` : '';
			row.lastChild.value = goal.done ? 1 : goal.progress;
			row.lastChild.setAttribute('aria-label', goal.label);
		}
	});
}

function describeTools({tools, avatar})
{
	const list = tools.map(({name, budget, unit}) => budget === undefined ? name :
		`${name} ${budget} ${unit.replace('m3', 'm³').replace('x', '×')}`);
	return (avatar ? ['go: hold, or W A S D', ...list] : list).join(' · ');
}

function describeEnd(info, level)
{
	const time = formatClock(level.time);
	return level.state === 'won' ? `${info.title} in ${time}.` :
		level.losingGoal >= 0 ? `${level.goals[level.losingGoal].label}, after ${time}.` : 'The time is over.';
}

// What each star is for.
function describeStar({name, limit, used})
{
	const percent = (share) => `${Math.ceil(100 * share - 1e-6)} %`;
	return name === 'time' ? `within ${limit.toFixed(0)} s` :
		name === 'danger' ? `never closer than ${percent(limit)} to losing (was ${percent(used)})` :
			`${percent(limit)} of the ${name} at most (used ${percent(used)})`;
}

function showStars(level)
{
	const list = $('card-stars');
	list.replaceChildren();
	if (level.state === 'won')
	{
		for (const {text, given} of [{text: 'won', given: true},
			...level.stars.map((star) => ({text: describeStar(star), given: star.given}))])
		{
			const row = document.createElement('li');
			row.textContent = text;
			row.className = given ? 'given' : '';
			list.append(row);
		}
	}
}

/// @param actions setScene(index), restart(), refresh(), openMenu()
export function makeLevels(engine, description, actions)
{
	const best = readBest();
	const scenes = description.scenes;
	let shown = '';
	let next = -1;
	const start = () =>
	{
		engine.setPaused(false);
		// The card is in the way of the first stroke.
		actions.refresh();
		$('water').focus({preventScroll: true});
	};
	$('card-levels').addEventListener('click', actions.openMenu);
	$('card-again').addEventListener('click', () =>
	{
		actions.restart();
		start();
	});
	$('card-replay').addEventListener('click', () =>
	{
		engine.replay();
		actions.refresh();
		$('water').focus({preventScroll: true});
	});
	$('card-go').addEventListener('click', () => next >= 0 ? actions.setScene(next) : start());
	$('hud-head').addEventListener('click', () => { $('hint').hidden = !$('hint').hidden; });
	window.addEventListener('keydown', (event) =>
	{
		if (event.key.toLowerCase() === 'i' && !event.target.closest?.('input, select') && !$('hud').hidden)
		{
			$('hud-head').click();
		}
	});

	// Only when it changes: a card that is read aloud is not to be read again with every picture.
	function showCard(info, status)
	{
		const {level} = status;
		// First one sees how it ends.
		const state = level.waiting ? 'waiting' : level.state !== 'playing' && !level.over ? 'playing' : level.state;
		const stamp = `${status.scene} ${state}`;
		if (stamp === shown)
		{
			return;
		}
		shown = stamp;
		const card = $('card');
		card.hidden = state === 'playing';
		card.dataset.state = state;
		next = state === 'won' ? level.next : -1;
		$('card-title').textContent = {waiting: info.title, won: 'Won!', lost: 'Lost'}[state] ?? '';
		showStars(state === 'won' ? level : {});
		$('card-replay').hidden = state === 'waiting';
		if (state === 'waiting' && !$('panel').hidden)
		{
			// A goal may be below the settings.
			$('settings').click();
		}
		$('card-text').textContent = state === 'waiting' ? info.story : describeEnd(info, level);
		$('card-tools').textContent = state === 'waiting' ? describeTools(
			{tools: level.tools, avatar: status.refusals[description.tools.indexOf('drive')] === ''}) : '';
		$('card-again').hidden = state === 'waiting';
		$('card-go').hidden = !(state === 'waiting' || next >= 0);
		$('card-go').textContent = state === 'waiting' ? 'Start' : 'Next';
		const main = state === 'lost' || $('card-go').hidden ? $('card-again') : $('card-go');
		$('card-again').classList.toggle('main', main === $('card-again'));
		// Enter and space go on, unless somebody is at the settings.
		if (!card.hidden && !$('scenes').open && !$('panel').contains(document.activeElement))
		{
			main.focus({preventScroll: true});
		}
	}

	return {
		isWon: (file) => best.has(getPlainKey(file)),
		countStars: (file) => best.get(getPlainKey(file))?.stars ?? 0,
		show(status)
		{
			const {level, scene} = status;
			const info = scenes[scene].level;
			$('hud').hidden = level === undefined;
			document.body.classList.toggle('in-level', level !== undefined);
			if (level === undefined)
			{
				$('card').hidden = true;
				shown = '';
				return;
			}
			if (shown.split(' ')[0] !== String(scene))
			{
				$('hint').hidden = true;
			}
			$('hud-title').textContent = info.title;
			$('hud-clock').textContent = formatClock(level.timeLeft);
			$('hud-time').value = level.timeLeft / info.timeLimit;
			$('hint').textContent = info.hint;
			$('hud-ask').hidden = info.hint === '';
			showGoals(level);
			const key = getPlainKey(scenes[scene].file);
			if (level.state === 'won')
			{
				const kept = best.get(key) ?? {stars: 0, time: null};
				const stars = Math.max(kept.stars, level.starCount);
				const time = Math.min(kept.time ?? Infinity, level.time);
				if (stars !== kept.stars || time !== kept.time)
				{
					best.set(key, {stars, time});
					writeBest(best);
				}
			}
			$('hud').classList.toggle('replaying', level.replaying);
			showCard(info, status);
		},
	};
}

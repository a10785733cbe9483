// SPDX-License-Identifier: MIT

// Levels: goals and clock over the picture, what a level is about, how it ended, and which have been won.

import {getSceneKey} from './engine.js';

const storeName = 'tarn.levels';

const $ = (id) => document.getElementById(id);

// Kept by the browser. Where it keeps nothing (private windows, blocked storage) progress lasts as long as the page.
function readWon()
{
	try
	{
		const list = JSON.parse(localStorage.getItem(storeName));
		return new Set(Array.isArray(list) ? list.filter((key) => typeof key === 'string') : []);
	}
	catch
	{
		return new Set();
	}
}

function writeWon(won)
{
	try
	{
		localStorage.setItem(storeName, JSON.stringify([...won]));
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
	row.append(document.createElement('span'), document.createElement('progress'));
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

/// @param actions setScene(index), restart(), refresh(), openMenu()
export function makeLevels(engine, description, actions)
{
	const won = readWon();
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
		const state = level.waiting ? 'waiting' : level.state;
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
		$('card-classes').textContent = state === 'waiting' ? info.classes : '';
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
		isWon: (file) => won.has(getSceneKey(file)),
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
			const key = getSceneKey(scenes[scene].file);
			if (level.state === 'won' && !won.has(key))
			{
				won.add(key);
				writeWon(won);
			}
			showCard(info, status);
		},
	};
}

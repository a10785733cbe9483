// SPDX-License-Identifier: MIT

// Worlds that last: over a reload in the browser, as files that are downloaded and opened, and the strip with the past.

const databaseName = 'tarn';
const storeName = 'worlds';
const recordKey = 'last';
const recordVersion = 1;
const keepMilliseconds = 10000;
const mostFileBytes = 512 * 1024 * 1024;
const lineSteps = 128;

const $ = (id) => document.getElementById(id);

// ---------------------------------------------------------------------------------------------------------------------
// The browser's own store. Where there is none (private windows, blocked storage) nothing is kept, and nobody is bothered.

function openDatabase()
{
	return new Promise((resolve, reject) =>
	{
		const request = indexedDB.open(databaseName, 1);
		request.onupgradeneeded = () => request.result.createObjectStore(storeName);
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

async function useStore(mode, use)
{
	const database = await openDatabase();
	try
	{
		return await new Promise((resolve, reject) =>
		{
			const transaction = database.transaction(storeName, mode);
			const request = use(transaction.objectStore(storeName));
			transaction.oncomplete = () => resolve(request.result);
			transaction.onerror = () => reject(transaction.error);
			transaction.onabort = () => reject(transaction.error);
		});
	}
	finally
	{
		database.close();
	}
}

// What was kept for this address, or undefined. Whatever else is found there is not looked at.
export async function readKept()
{
	try
	{
		const record = await useStore('readonly', (store) => store.get(recordKey));
		const good = record?.version === recordVersion && record.bytes instanceof Uint8Array && record.hash === location.hash;
		return good ? record : undefined;
	}
	catch
	{
		return undefined;
	}
}

/// Keep what is shown from now on, every few seconds while it changes, and when the page is left.
export function keepWorld(engine)
{
	let keptSteps = -1;
	let busy = false;
	const keep = async () =>
	{
		const status = engine.getStatus();
		if (busy || status.level !== undefined || status.steps === keptSteps || status.contextLost)
		{
			return;
		}
		busy = true;
		try
		{
			const bytes = engine.save();
			if (bytes !== null)
			{
				const record = {version: recordVersion, hash: location.hash, bytes};
				await useStore('readwrite', (store) => store.put(record, recordKey));
				keptSteps = status.steps;
			}
		}
		catch
		{
			// Full, or not allowed.
		}
		busy = false;
	};
	setInterval(() => document.hidden || keep(), keepMilliseconds);
	document.addEventListener('visibilitychange', () => document.hidden && keep());
	window.addEventListener('pagehide', keep);
	return keep;
}

// ---------------------------------------------------------------------------------------------------------------------
// Files

function download(engine, description, showToast)
{
	const bytes = engine.save();
	if (bytes === null)
	{
		showToast(engine.getError());
		return;
	}
	const {file} = description.scenes[engine.getStatus().scene];
	const link = document.createElement('a');
	link.href = URL.createObjectURL(new Blob([bytes], {type: 'application/octet-stream'}));
	link.download = `${file.slice(file.lastIndexOf('/') + 1).replace(/\.json$/, '')}.tarn`;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

async function openFile(engine, file, actions)
{
	if (file.size > mostFileBytes)
	{
		actions.showToast('This file is too large to be a world');
		return;
	}
	const good = await engine.load(new Uint8Array(await file.arrayBuffer()));
	actions.showToast(good ? `${file.name} goes on` : engine.getError());
	actions.opened(good);
}

// ---------------------------------------------------------------------------------------------------------------------
// The strip

/// @param actions showToast(text), moved() after time has jumped, opened(good) after a file, refresh()
export function makePast(engine, description, actions)
{
	const line = $('line');
	let held = false;
	let past = null;
	const jump = (done, refusal) =>
	{
		if (!done)
		{
			actions.showToast(refusal);
		}
		actions.moved();
		actions.refresh();
	};
	const undo = () => jump(engine.undo(), 'There is nothing to undo');
	const redo = () => jump(engine.redo(), 'There is nothing to do again');
	$('undo').addEventListener('click', undo);
	$('redo').addEventListener('click', redo);
	line.max = lineSteps;
	line.addEventListener('pointerdown', () => { held = true; });
	const release = () => { held = false; };
	line.addEventListener('pointerup', release);
	line.addEventListener('pointercancel', release);
	line.addEventListener('input', () =>
	{
		if (past !== null && past.count > 1)
		{
			engine.goBackTo(past.begin + (past.end - past.begin) * (Number(line.value) / lineSteps));
			actions.moved();
			actions.refresh();
		}
	});
	$('save').addEventListener('click', () => download(engine, description, actions.showToast));
	$('open').addEventListener('click', () => $('file').click());
	$('file').addEventListener('change', async () =>
	{
		const [file] = $('file').files;
		if (file !== undefined)
		{
			await openFile(engine, file, actions);
		}
		$('file').value = '';
	});
	window.addEventListener('dragover', (event) => event.preventDefault());
	window.addEventListener('drop', (event) =>
	{
		event.preventDefault();
		const [file] = event.dataTransfer?.files ?? [];
		if (file !== undefined)
		{
			openFile(engine, file, actions);
		}
	});
	window.addEventListener('keydown', (event) =>
	{
		if (!(event.ctrlKey || event.metaKey) || event.altKey)
		{
			return;
		}
		const act = {z: event.shiftKey ? redo : undo, y: redo, s: () => $('save').click(), o: () => $('open').click()}[
			event.key.toLowerCase()];
		if (act !== undefined)
		{
			event.preventDefault();
			act();
		}
	});
	return {
		show(status)
		{
			past = status.past;
			$('past').hidden = !past.available;
			$('keeping').hidden = !past.available;
			$('undo').disabled = past.undo === 0;
			$('redo').disabled = past.redo === 0;
			line.disabled = past.count < 2;
			const span = past.end - past.begin;
			const share = span > 0 ? (status.time - past.begin) / span : 1;
			if (!held)
			{
				line.value = Math.round(lineSteps * Math.min(Math.max(share, 0), 1));
			}
			line.style.setProperty('--share', `${line.value / lineSteps * 100}%`);
			const back = past.end - status.time;
			$('back').textContent = back > 0.005 ? `−${back.toFixed(1)} s` : past.count > 1 ? `${span.toFixed(0)} s` : '';
			line.setAttribute('aria-valuetext', back > 0.005 ? `${back.toFixed(1)} seconds back` : 'now');
		},
	};
}

// SPDX-License-Identifier: MIT

// A browser without a window, its pages, and what tests ask of them.

import {accessSync, constants} from 'node:fs';
import {createRequire} from 'node:module';
import {delimiter, join, resolve} from 'node:path';

// Software WebGL, and nothing that talks to the network.
const flags = [
	'--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic',
	'--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

// Software WebGL needs up to a second for a picture on a busy machine; a test that waits longer than this hangs.
export const patience = 120000;

function findBrowser()
{
	for (const folder of (process.env.PATH ?? '').split(delimiter))
	{
		for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
		{
			try
			{
				accessSync(join(folder, name), constants.X_OK);
				return join(folder, name);
			}
			catch
			{
				// Not there.
			}
		}
	}
	throw new Error('there is no Chromium in the path: scripts/setup.sh browser');
}

export async function launchBrowser(driverFolder)
{
	const {chromium} = createRequire(resolve(driverFolder, 'package.json'))('playwright-core');
	return chromium.launch({executablePath: findBrowser(), headless: true, args: flags});
}

// A page with the playground running. Everything it complains about is collected.
export async function openPage(context, url)
{
	const page = await context.newPage();
	page.setDefaultTimeout(patience);
	page.complaints = [];
	page.on('console', (message) =>
	{
		if (message.type() === 'error' || message.type() === 'warning')
		{
			page.complaints.push(`${message.type()}: ${message.text()}`);
		}
	});
	page.on('pageerror', (error) => page.complaints.push(`exception: ${error.message}`));
	// Without moving and blurred controls: those cost more than the water when there is no graphics card.
	const session = await context.newCDPSession(page);
	await session.send('Emulation.setEmulatedMedia', {features: [
		{name: 'prefers-reduced-motion', value: 'reduce'}, {name: 'prefers-reduced-transparency', value: 'reduce'}]});
	await page.goto(url);
	await page.waitForFunction(() => ['running', 'failed'].includes(document.documentElement.dataset.state));
	return page;
}

export const getStatus = (page) => page.evaluate(() => window.tarn.getStatus());

// Wait for pictures, not for time.
export async function waitFrames(page, count)
{
	const {frames} = await getStatus(page);
	await page.waitForFunction((wanted) => window.tarn.getStatus().frames >= wanted, frames + count);
}

export async function waitSteps(page, count)
{
	const {steps} = await getStatus(page);
	await page.waitForFunction((wanted) => window.tarn.getStatus().steps >= wanted, steps + count);
}

// Water without pictures, which cost far more than the water here.
export async function waitWater(page, seconds)
{
	await page.evaluate((wanted) =>
	{
		window.tarn.setPaused(true);
		const until = window.tarn.getTime() + wanted;
		while (window.tarn.getTime() < until)
		{
			window.tarn.stepOnce();
		}
		window.tarn.setPaused(false);
	}, seconds);
}

// Mean colour of a square of the picture, 0 to 255, and how much it varies.
export function readColor(page, x, y, half = 3)
{
	return page.evaluate(([centerX, centerY, radius]) =>
	{
		const {width, height, scale, data} = window.tarn.readPixels();
		const sum = [0, 0, 0];
		let count = 0;
		for (let dy = -radius; dy <= radius; ++dy)
		{
			for (let dx = -radius; dx <= radius; ++dx)
			{
				const column = Math.min(width - 1, Math.max(0, Math.round(centerX * scale) + dx));
				const row = Math.min(height - 1, Math.max(0, height - 1 - Math.round(centerY * scale) + dy));
				for (let channel = 0; channel < 3; ++channel)
				{
					sum[channel] += data[4 * (row * width + column) + channel];
				}
				count += 1;
			}
		}
		return sum.map((value) => value / count);
	}, [x, y, half]);
}

// Number of different colours, in steps of 8: a blank picture has one.
export function countColors(page)
{
	return page.evaluate(() =>
	{
		const {data} = window.tarn.readPixels();
		const seen = new Set();
		for (let i = 0; i < data.length; i += 4)
		{
			seen.add((data[i] >> 3) << 10 | (data[i + 1] >> 3) << 5 | data[i + 2] >> 3);
		}
		return seen.size;
	});
}

#!/usr/bin/env node
// SPDX-License-Identifier: MIT

// Makes the whole web site of tarn, ready for any static host: the README as the first page, docs and API as pages with their pictures and
// films, the gallery, the examples with their sources, and the playground.
//
//   node web/site.mjs [--dist build/web/dist] [--out build/site] [SOURCE]
//
// Without a playground at --dist the site is made without it, and says so.

import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, dirname, extname, join, posix} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

// The name that a heading has in links, as it is on the pages where the docs are read otherwise.
export function makeAnchor(text)
{
	return text.replace(/[`*]/g, '').toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').trim().replaceAll(' ', '-');
}

// ---------------------------------------------------------------------------------------------------------------------
// Markdown, as far as the docs use it

// @param follow what becomes of a link
function formatLine(text, follow)
{
	const kept = [];
	const keep = (html) => `\u0000${kept.push(html) - 1}\u0000`;
	const plain = escape(text.replace(/<a (?:id|name)="([\w-]+)"><\/a>/g, (_, id) => keep(`<a id="${id}"></a>`)).replace(/\\([\\`*_{}[\]()#+.!|<>-])/g, (_, letter) => keep(escape(letter)))
		.replace(/(`+)(.+?)\1/g, (_, ticks, code) => keep(`<code>${escape(code.trim())}</code>`)))
		.replace(/!\[([^\]]*)\]\(([^)\s]+)\)/g, (_, alt, link) => keep(`<img src="${follow(link)}" alt="${alt}" loading="lazy">`))
		.replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, label, link) => `${keep(`<a href="${follow(link)}">`)}${label}${keep('</a>')}`)
		.replace(/&lt;(https?:[^&\s]+)&gt;/g, (_, link) => keep(`<a href="${link}">${link}</a>`))
		.replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
		.replace(/(^|[\s(])\*(\S(?:.*?\S)?)\*(?=[\s).,;:]|$)/g, '$1<em>$2</em>');
	// What is kept may stand in what is kept.
	let html = plain;
	for (let i = 0; i < 3; ++i)
	{
		html = html.replace(/\u0000(\d+)\u0000/g, (_, index) => kept[Number(index)]);
	}
	return html;
}

const splitRow = (line) => line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => cell.trim());

export function formatMarkdown(text, follow)
{
	const lines = text.replace(/<!--[^]*?-->/g, '').split('\n');
	const html = [];
	let i = 0;
	const isBlock = (line) => /^(\s*$|#{1,6} |```|\s*([-*]|\d+\.) |\||> |<\/?[a-z])/.test(line);
	while (i < lines.length)
	{
		const line = lines[i];
		const heading = /^(#{1,6}) (.*)$/.exec(line);
		if (/^```/.test(line))
		{
			const code = [];
			for (i += 1; i < lines.length && !/^```/.test(lines[i]); ++i)
			{
				code.push(lines[i]);
			}
			i += 1;
			html.push(`<pre><code>${escape(code.join('\n'))}</code></pre>`);
		}
		else if (heading !== null)
		{
			const level = heading[1].length;
			html.push(`<h${level} id="${makeAnchor(heading[2])}">${formatLine(heading[2], follow)}</h${level}>`);
			i += 1;
		}
		else if (/^\|/.test(line) && /^\|[\s:|-]+$/.test(lines[i + 1] ?? ''))
		{
			const row = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${formatLine(cell, follow)}</${tag}>`).join('')}</tr>`;
			html.push('<div class="wide"><table>', row(splitRow(line), 'th'));
			for (i += 2; i < lines.length && /^\|/.test(lines[i]); ++i)
			{
				html.push(row(splitRow(lines[i]), 'td'));
			}
			html.push('</table></div>');
		}
		else if (/^\s*([-*]|\d+\.) /.test(line))
		{
			// Items; what is indented below one belongs to it, and so does a list in it.
			const tag = /^\s*\d/.test(line) ? 'ol' : 'ul';
			const depth = /^\s*/.exec(line)[0].length;
			const items = [];
			for (; i < lines.length && (!isBlock(lines[i]) || /^\s*([-*]|\d+\.) /.test(lines[i])); ++i)
			{
				const item = /^(\s*)(?:[-*]|\d+\.) (.*)$/.exec(lines[i]);
				if (item !== null && item[1].length <= depth)
				{
					items.push([item[2]]);
				}
				else
				{
					items.at(-1).push(item !== null ? `• ${item[2]}` : lines[i].trim());
				}
			}
			html.push(`<${tag}>${items.map((item) => `<li>${formatLine(item.join(' '), follow)}</li>`).join('\n')}</${tag}>`);
		}
		else if (/^> /.test(line))
		{
			const quote = [];
			for (; i < lines.length && /^>/.test(lines[i]); ++i)
			{
				quote.push(lines[i].replace(/^> ?/, ''));
			}
			html.push(`<blockquote>${formatMarkdown(quote.join('\n'), follow)}</blockquote>`);
		}
		else if (/^\s*$/.test(line))
		{
			i += 1;
		}
		else
		{
			const paragraph = [line];
			for (i += 1; i < lines.length && !isBlock(lines[i]); ++i)
			{
				paragraph.push(lines[i]);
			}
			html.push(`<p>${formatLine(paragraph.join(' '), follow)}</p>`);
		}
	}
	return html.join('\n');
}

// ---------------------------------------------------------------------------------------------------------------------
// Pages

const style = `:root { color-scheme: light dark; font: 17px/1.55 ui-sans-serif, system-ui, sans-serif; }
body { margin: 0 auto; max-width: 900px; padding: 0 20px 60px; }
nav { display: flex; flex-wrap: wrap; gap: 6px 20px; padding: 16px 0; border-bottom: 1px solid #8884; }
nav a:first-child { font-weight: 700; }
a { color: #0a7ea4; } @media (prefers-color-scheme: dark) { a { color: #7fdcf0; } body { background: #0b1722; } }
img { max-width: 100%; height: auto; border-radius: 8px; } pre { overflow-x: auto; padding: 14px; border-radius: 8px; background: #8881; }
code { font: 0.86em/1.45 ui-monospace, Menlo, Consolas, monospace; } .wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.92em; } td, th { text-align: left; vertical-align: top; padding: 5px 14px 5px 0; border-bottom: 1px solid #8883; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2em; }
`;

function makePage(title, body, root)
{
	const links = [['', 'tarn'], ['playground/', 'Playground'], ['docs/gallery.html', 'Gallery'], ['docs/levels.html', 'Levels'],
		['docs/index.html', 'Docs'], ['docs/api/README.html', 'API'], ['examples/index.html', 'Examples']];
	const nav = links.map(([path, label]) => `<a href="${root}${path === '' ? 'index.html' : path.replace(/\/$/, '/index.html')}">${label}</a>`);
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="og:title" content="${escape(title)}">
<meta property="og:image" content="${root}docs/images/levels.jpg">
<link rel="stylesheet" href="${root}style.css">
</head>
<body>
<nav>${nav.join('')}</nav>
${body}
</body>
</html>
`;
}

function listFiles(folder, prefix = '')
{
	return readdirSync(join(folder, prefix), {withFileTypes: true}).flatMap((entry) =>
		entry.isDirectory() ? listFiles(folder, `${prefix}${entry.name}/`) : [`${prefix}${entry.name}`]);
}

const sources = new Set(['.c', '.h', '.hpp', '.cpp', '.py', '.js', '.mjs', '.lua', '.rs', '.cs', '.html', '.json', '.sh', '.txt', '.md']);

export function makeSite({source, dist, out})
{
	rmSync(out, {recursive: true, force: true});
	const pages = ['README.md', ...listFiles(join(source, 'docs')).filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)];
	const written = [];
	const write = (path, content) =>
	{
		mkdirSync(dirname(join(out, path)), {recursive: true});
		writeFileSync(join(out, path), content);
		written.push(path);
	};
	write('style.css', style);
	const target = (page) => page === 'README.md' ? 'index.html' : page.replace(/\.md$/, '.html');
	const copied = new Set();
	// A link of a page: to another page, to a picture, to a source that comes along, or into the world.
	const makeFollow = (page) => (link) =>
	{
		const [path, anchor] = link.split('#');
		if (path === '' || /^[a-z]+:/.test(path))
		{
			return link;
		}
		const file = posix.normalize(posix.join(posix.dirname(page), path));
		const home = posix.dirname(target(page));
		const to = (place) => posix.relative(home, place) + (anchor === undefined ? '' : `#${anchor}`);
		// The playground is made, and not there when this is read elsewhere.
		if (file.startsWith('playground'))
		{
			return to('playground/index.html');
		}
		if (pages.includes(file))
		{
			return to(target(file));
		}
		if (!file.startsWith('..') && existsSync(join(source, file)) && extname(file) !== '')
		{
			copied.add(file);
			return to(file);
		}
		return to('examples/index.html');
	};
	for (const page of pages)
	{
		const text = readFileSync(join(source, page), 'utf8');
		const title = /^# (.*)$/m.exec(text)?.[1] ?? basename(page, '.md');
		const depth = target(page).split('/').length - 1;
		write(target(page), makePage(title === 'tarn' ? 'tarn: real-time water' : `${title} - tarn`,
			formatMarkdown(text, makeFollow(page)), '../'.repeat(depth)));
	}
	const list = pages.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/api/')).map((page) =>
	{
		const title = /^# (.*)$/m.exec(readFileSync(join(source, page), 'utf8'))?.[1] ?? page;
		return `<li><a href="${basename(target(page))}">${escape(title)}</a></li>`;
	});
	write('docs/index.html', makePage('Docs - tarn', `<h1>Docs</h1><ul>${list.join('\n')}</ul>`, '../'));

	// Sources of the examples, as they are.
	const examples = listFiles(join(source, 'samples')).filter((file) => sources.has(extname(file)));
	for (const file of examples)
	{
		copied.add(`samples/${file}`);
	}
	write('examples/index.html', makePage('Examples - tarn', `<h1>Examples</h1><p>Programs that use tarn. Each says at its top what it shows.</p><ul>${
		examples.map((file) => `<li><a href="../samples/${file}">${escape(file)}</a></li>`).join('\n')}</ul>`, '../'));
	for (const file of copied)
	{
		mkdirSync(dirname(join(out, file)), {recursive: true});
		cpSync(join(source, file), join(out, file));
	}
	mkdirSync(join(out, 'docs/images'), {recursive: true});
	cpSync(join(source, 'docs/images'), join(out, 'docs/images'), {recursive: true});
	const playground = existsSync(join(dist, 'index.html'));
	if (playground)
	{
		cpSync(dist, join(out, 'playground'), {recursive: true});
	}
	else
	{
		write('playground/index.html', makePage('Playground - tarn', '<h1>Playground</h1><p>This copy of the site was made without it: <code>make site</code> builds both.</p>', '../'));
	}
	return {pages: written.filter((path) => path.endsWith('.html')), playground};
}

if (process.argv[1] === fileURLToPath(import.meta.url))
{
	const {values, positionals} = parseArgs({
		allowPositionals: true,
		options: {dist: {type: 'string', default: 'build/web/dist'}, out: {type: 'string', default: 'build/site'}},
	});
	const source = positionals[0] ?? fileURLToPath(new URL('..', import.meta.url));
	const {pages, playground} = makeSite({source, ...values});
	console.log(`${pages.length} pages in ${values.out}${playground ? ', with the playground' : '; no playground: make web builds it'}`);
}

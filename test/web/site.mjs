// SPDX-License-Identifier: MIT

// The web site: every page is made, nothing of a document is lost, and every link leads to something that is there.
//
//   node test/web/site.mjs FOLDER

import assert from 'node:assert/strict';
import {existsSync, readFileSync, statSync} from 'node:fs';
import {join, posix} from 'node:path';
import {argv} from 'node:process';
import {fileURLToPath} from 'node:url';

import {formatMarkdown, makeAnchor, makeSite} from '../../web/site.mjs';

const source = fileURLToPath(new URL('../..', import.meta.url));
const out = argv[2];
const same = (link) => link;

// Markdown.
assert.equal(formatMarkdown('# A `b` *c*', same), '<h1 id="a-b-c">A <code>b</code> <em>c</em></h1>');
assert.equal(formatMarkdown('one\ntwo **three**\n\n[x](y.md)', same), '<p>one two <strong>three</strong></p>\n<p><a href="y.md">x</a></p>');
assert.equal(formatMarkdown('```c\na < b && c\n```', same), '<pre><code>a &lt; b &amp;&amp; c</code></pre>');
assert.equal(formatMarkdown('- a\n  b\n- c', same), '<ul><li>a b</li>\n<li>c</li></ul>');
assert.equal(formatMarkdown('| a | b |\n|---|---|\n| `x|y` \\| | 2 |', same).includes('<td>2</td>'), true);
assert.equal(formatMarkdown('![p](q.png)', same), '<p><img src="q.png" alt="p" loading="lazy"></p>');
assert.equal(formatMarkdown('a <script> & `<b>`', same), '<p>a &lt;script&gt; &amp; <code>&lt;b&gt;</code></p>');
assert.equal(makeAnchor('When they act'), 'when-they-act');

const {pages, playground} = makeSite({source, dist: join(out, 'none'), out: join(out, 'site')});
assert.equal(playground, false);
assert.ok(pages.length > 30, `${pages.length} pages`);
let links = 0;
for (const page of pages)
{
	const html = readFileSync(join(out, 'site', page), 'utf8');
	assert.doesNotMatch(html, /\u0000/, page);
	// As many of one kind open as close.
	for (const tag of ['table', 'ul', 'ol', 'li', 'pre', 'code', 'p', 'a', 'strong', 'tr', 'td'])
	{
		const count = (pattern) => (html.match(new RegExp(pattern, 'g')) ?? []).length;
		assert.equal(count(`<${tag}[ >]`), count(`</${tag}>`), `${tag} in ${page}`);
	}
	for (const [, link] of html.matchAll(/(?:href|src)="([^"]+)"/g))
	{
		if (/^[a-z]+:/.test(link))
		{
			continue;
		}
		const [path, anchor] = link.split('#');
		const file = path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path));
		assert.ok(existsSync(join(out, 'site', file)) && statSync(join(out, 'site', file)).isFile(), `${page}: ${link}`);
		if (anchor !== undefined && file.endsWith('.html'))
		{
			assert.ok(readFileSync(join(out, 'site', file), 'utf8').includes(`id="${anchor}"`), `${page}: ${link}`);
		}
		links += 1;
	}
}
console.log(`${pages.length} pages, ${links} links`);

// check.mjs BUILD EMPTY SMALL UNCOUNTED PAGE...: looks at PAGE/report.html in a browser, beside
// PAGE/results.csv, PAGE/paths.csv and PAGE/addresses.csv. EMPTY is a page without samples, SMALL one
// without room, UNCOUNTED one with a function that counted nothing. BROWSER is the path of Chromium,
// READPERF the program. Pictures of the views go to BUILD/pictures.
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {browser, build, check, checkPaper, checkQuiet, go, openFile, picture, press, run, state, text, WAIT} from './tab.mjs';
import {linesOfEvent, outermost, readCsv, readPaths, sum} from './tables.mjs';

const [empty, small, uncounted, ...pages] = process.argv.slice(3).map((path) => resolve(path));
const downloads = join(build, 'downloads');
rmSync(downloads, {recursive: true, force: true});
mkdirSync(downloads, {recursive: true});

const open = (folder, hash) => openFile(join(folder, 'report.html'), hash);

/** What the page's tree says of each function: the sums of its nodes. */
function sumsOfTree() {
	const {tree, functions} = readperf;
	const self = new Array(functions.count).fill(0);
	const total = new Array(functions.count).fill(0);
	for (let i = 1; i < tree.count; i++) {
		const row = tree.frames.function[tree.frame[i]];
		if (row >= 0)
			self[row] += tree.self(i);
	}
	for (let row = 0; row < functions.count; row++)
		for (const node of tree.outermost(row))
			total[row] += tree.total[node];
	return {all: tree.total[0], self, total};
}

async function checkSums(tab, folder, name, event, number, weight) {
	const rows = readCsv(join(folder, 'results.csv')).filter((row) => row.event === event);
	await go(tab, {event: number, weight, view: 'flame'});
	const sums = await tab.evaluate(sumsOfTree);
	const column = (of) => rows.map((row) => Number(row[of]));
	check(`${name}: total ${weight} of ${event}`, sums.all, column(weight).reduce((a, b) => a + b, 0));
	check(`${name}: ${weight} of each function in the tree`, sums.self, column(weight));
	check(`${name}: children_${weight} of each function in the tree`, sums.total, column(`children_${weight}`));
}

async function checkSearch(tab, folder, name, event, wanted) {
	const paths = readPaths(join(folder, 'paths.csv'), event);
	const hits = outermost(paths, (node) => node.name.includes(wanted));
	await go(tab, {search: wanted, weight: 'samples'});
	const found = await tab.evaluate(() => readperf.search.sum);
	check(`${name}: samples that match ${wanted}`, found, sum(hits, 'samples', 'total'));
	await go(tab, {search: ''});
}

async function checkSandwich(tab, folder, name, event) {
	const paths = readPaths(join(folder, 'paths.csv'), event);
	const rows = readCsv(join(folder, 'results.csv')).filter((row) => row.event === event);
	for (let row = 0; row < rows.length; row++) {
		const key = [rows[row].function, rows[row].binary, rows[row].filename, rows[row].reason].join('\0');
		const nodes = outermost(paths, (node) => node.key === key);
		const callers = {};
		for (const node of nodes)
			if (node.parent)
				callers[node.parent.name] = (callers[node.parent.name] ?? 0) + node.period.total;
		await go(tab, {view: 'sandwich', function: row, callers: '', callees: '', weight: 'period'});
		const shown = await tab.evaluate(() => {
			const {made} = readperf.sandwich.graphs.callers;
			const found = {};
			for (let i = 1; i < made.count; i = made.next[i]) {
				const of = made.frames.name(made.frame[i]);
				if (made.frames.function[made.frame[i]] >= 0)
					found[of] = (found[of] ?? 0) + made.total[i];
			}
			return {found, total: made.total[0], below: readperf.sandwich.graphs.callees.made.total[0]};
		});
		const small = Number(rows[row].children_period) / 8000;
		const seen = Object.fromEntries(Object.entries(callers).filter(([, period]) => period >= small));
		check(`${name}: callers of row ${row} of ${event}`, shown,
			{found: sorted(seen, shown.found), total: Number(rows[row].children_period),
				below: Number(rows[row].children_period)});
	}
}

/** Lines of functions: what addresses.csv says of their addresses. */
async function checkLines(tab, folder, name, event) {
	const addresses = readCsv(join(folder, 'addresses.csv')).filter((row) => row.event === event && row.line);
	const expected = {};
	for (const row of addresses) {
		const key = `${row.function} ${row.filename}:${row.line}`;
		expected[key] = (expected[key] ?? 0) + Number(row.period);
	}
	const found = await tab.evaluate(() => {
		const all = {};
		for (let row = 0; row < readperf.functions.count; row++)
			for (const line of readperf.lines.of(row))
				all[`${readperf.functions.text('function', row)} ${line.place}`] = line.period;
		return all;
	});
	const guarded = Object.fromEntries(Object.entries(found).map(([key, period]) => [key.replace(/^=/, "'="), period]));
	check(`${name}: lines of the functions of ${event}`, guarded, sorted(expected, guarded));
}

/** What the rows of a view of code count: by place, and all of them. */
const shownCode = (tab, view) => tab.evaluate((name) => {
	const {rows} = readperf[name].table;
	return {sum: rows.reduce((all, row) => all + row.weight, 0),
		cells: rows.map((row) => row.box.querySelector('.text').textContent),
		counted: rows.filter((row) => row.weight).map((row) => [row.code
			? '0x' + (row.code.start + BigInt(row.offset)).toString(16) : row.filename ? `${row.filename}:${row.number}` : '',
		row.weight])};
}, view);

/** Source and assembly of each function: what they show, and elsewhere, is what the function counted itself. */
async function checkCode(tab, folder, name, event, number) {
	const rows = readCsv(join(folder, 'results.csv')).filter((row) => row.event === event);
	const addresses = readCsv(join(folder, 'addresses.csv')).filter((row) => row.event === event);
	const sums = {source: [], assembly: []};
	for (const [row, {function: of, binary}] of rows.entries()) {
		const own = addresses.filter((at) => at.function === of && at.binary === binary);
		for (const view of ['source', 'assembly']) {
			await go(tab, {event: number, view, function: row, weight: 'samples'});
			const shown = await shownCode(tab, view);
			sums[view].push(shown.sum);
			for (const [place, weight] of shown.counted.filter(([at]) => at)) {
				const same = own.filter((at) => view === 'assembly' ? at.address === place : `${at.filename}:${at.line}` === place);
				if (sum(same.map((at) => ({samples: {self: Number(at.samples)}})), 'samples', 'self') !== weight)
					check(`${name}: ${view} of ${of.slice(0, 50)} at ${place}`, weight, same);
			}
		}
	}
	const self = rows.map((row) => Number(row.samples));
	check(`${name}: source lines of the functions of ${event}`, sums.source, self);
	check(`${name}: instructions of the functions of ${event}`, sums.assembly, self);
}

/** The object with its keys in the order of like: what counts is what they are. */
function sorted(object, like) {
	const keys = Object.keys(like).filter((key) => key in object);
	return Object.fromEntries([...keys, ...Object.keys(object).filter((key) => !(key in like))]
		.map((key) => [key, object[key]]));
}

async function checkCsv(tab, folder, name, event) {
	await go(tab, {view: 'table', search: '', sort: ''});
	const csv = await tab.evaluate(() => readperf.table.csv(readperf.run));
	check(`${name}: the table as CSV is results.csv of ${event}`, csv, linesOfEvent(join(folder, 'results.csv'), event));
}

/** All samples have a time: they are the bars of the timeline. */
async function checkTimeline(tab, folder, name, event) {
	const rows = readCsv(join(folder, 'results.csv')).filter((row) => row.event === event);
	const bars = await tab.evaluate(() => readperf.samples.reduce((a, b) => a + b, 0));
	check(`${name}: timeline of ${event}`, bars, rows.reduce((all, row) => all + Number(row.samples), 0));
}

/** results.csv of a part of the recording, as the program makes it with more options. */
function partOf(folder, ...options) {
	const out = join(build, 'part');
	const given = readFileSync(join(folder, 'arguments'), 'utf8').split('\n').slice(0, -1)
		.filter((argument) => !argument.startsWith('--html-size'));
	execFileSync(process.env.READPERF, ['-q', '--tables=results', '-o', out, ...options, ...given]);
	return join(out, 'results.csv');
}

/** Beside the search stands how many functions match: those that the table shows. */
async function checkMatched(tab, what) {
	const shown = [];
	const expected = [];
	for (const search of ['o', 'count_word', 'no such name']) {
		await go(tab, {view: 'table', search});
		shown.push((await text(tab, '#matched')).replace(/.* in /, ''));
		expected.push((await text(tab, '#rows')).replace(/ of .*/, ' functions'));
	}
	await go(tab, {search: ''});
	check(`${what}: functions that match`, shown, expected);
}

/** The table of functions as CSV is what the program says of the same part. */
async function checkPart(tab, what, path, event, changes) {
	await go(tab, {view: 'table', search: '', sort: '', threads: '', time: '', ...changes});
	const csv = await tab.evaluate(() => readperf.table.csv(readperf.run));
	check(what, csv, linesOfEvent(path, event));
	for (const weight of ['period', 'samples']) {
		await go(tab, {weight});
		const total = await tab.evaluate(() => readperf.tree.total[0]);
		const rows = readCsv(path).filter((row) => row.event === event);
		check(`${what}: ${weight} of the graph`, total, rows.reduce((all, row) => all + Number(row[weight]), 0));
		await checkMatched(tab, `${what}, ${weight}`);
	}
}

/** Of a part, the status line says of functions what the table does, though that is not made for it. */
async function checkStatus(tab, name, event) {
	await go(tab, {view: 'flame', threads: '', time: '0-20', weight: 'period'});
	const said = [];
	const count = await tab.evaluate(() => readperf.loaded.now.functions.count);
	for (let row = 0; row < count; row++) {
		await go(tab, {view: 'sandwich', function: row});
		said.push(await text(tab, '#status'));
	}
	const isMade = await tab.evaluate(() => readperf.loaded.now.part.functions !== null);
	const expected = await tab.evaluate(() => Array.from({length: readperf.functions.count}, (_, row) => {
		readperf.describeRow(row);
		return byId('status').textContent;
	}));
	check(`${name}: what functions of ${event} count in a span`, [isMade, said], [false, expected]);
	await go(tab, {view: 'flame', time: ''});
}

/** Each thread, a span of time, and both. */
async function checkChoice(tab, folder, name, event) {
	await go(tab, {view: 'threads', threads: '', time: ''});
	const {tids, start, length, slices} = await tab.evaluate(() => {
		const {event, threads} = readperf.loaded.now;
		return {tids: threads.tid, start: event.sliceStart, length: event.sliceLength, slices: event.slices};
	});
	const time = (first, last) => ['--time=' + [first, last + 1].map((slice) =>
		String(BigInt(start) + BigInt(slice) * BigInt(length))).join(',')];
	for (const [number, tid] of tids.entries())
		await checkPart(tab, `${name}: thread ${tid} of ${event}`, partOf(folder, `--tid=${tid}`), event,
			{threads: String(number)});
	const [first, last] = [Math.floor(slices / 5), Math.floor(slices / 2)];
	await checkPart(tab, `${name}: a span of ${event}`, partOf(folder, ...time(first, last)), event,
		{time: `${first}-${last}`});
	await checkPart(tab, `${name}: a span of a thread of ${event}`,
		partOf(folder, `--tid=${tids[0]}`, ...time(0, last)), event, {threads: '0', time: `0-${last}`});
	await go(tab, {threads: '', time: '', weight: 'period'});
}

/**
 * The nodes of a merged tree that differ from what the paths are that it is made of, path by path.
 * Each path is {frames, weight}; those with too little weight are not made.
 */
function differences() {
	const {tree} = readperf;
	const above = (node) => {
		const frames = [];
		for (; node; node = tree.parent[node])
			frames.push(tree.frame[node]);
		return frames;
	};
	const compare = (made, paths) => {
		const sums = new Map();
		for (const {frames, weight} of paths)
			for (let n = 1; n <= frames.length; n++) {
				const key = frames.slice(0, n).join('.');
				sums.set(key, (sums.get(key) ?? 0) + weight);
			}
		const least = made.total[0] / 8000;
		const expected = [...sums].filter(([, weight]) => weight > 0 && weight >= least);
		const seen = new Map();
		for (let i = 1; i < made.count; i++)
			seen.set(made.path(i).join('.'), made.total[i]);
		return expected.filter(([key, weight]) => seen.get(key) !== weight).concat(
			seen.size === expected.length ? [] : [['nodes', seen.size, expected.length]]);
	};
	const leaves = [...tree.leaves].map((node, i) => ({node, weight: tree.weighed[i]})).filter(({weight}) => weight > 0);
	const found = compare(invertedTree(tree, []), leaves.map(({node, weight}) => ({frames: above(node), weight})));
	for (let row = 0; row < readperf.functions.count; row++) {
		const nodes = [...tree.outermost(row)];
		const callees = leaves.flatMap(({node, weight}) => nodes.filter((of) => node > of && node < tree.next[of])
			.map((of) => ({weight, frames: above(node).slice(0, tree.depth[node] - tree.depth[of]).reverse()})));
		found.push(...compare(sandwichTree(tree, row, 'callees', []), callees),
			...compare(sandwichTree(tree, row, 'callers', []), nodes.map((node) =>
				({frames: above(node).slice(1), weight: tree.total[node]}))));
	}
	return found;
}

/** The trees upside down, of callers and of callees are those of the paths, also of a part. */
async function checkMerged(tab, name, event) {
	for (const changes of [{weight: 'period'}, {weight: 'samples', threads: '0', time: '0-9'}, {threads: '', time: ''}]) {
		await go(tab, {view: 'flame', ...changes});
		check(`${name}: merged trees of ${event}, ${JSON.stringify(changes)}`, await tab.evaluate(differences), []);
	}
}

async function checkPage(folder) {
	const name = folder.split('/').pop();
	const tab = await open(folder);
	const events = [...new Set(readCsv(join(folder, 'results.csv')).map((row) => row.event))];
	check(`${name}: its events`, await tab.$$eval('#event option', (all) => all.map((o) => o.textContent)), events);
	for (const [number, event] of events.entries()) {
		for (const weight of ['period', 'samples'])
			await checkSums(tab, folder, name, event, number, weight);
		for (const wanted of ['count_word', 'a', 'no such name'])
			await checkSearch(tab, folder, name, event, wanted);
		await checkCsv(tab, folder, name, event);
		await checkMatched(tab, `${name} ${event}`);
		await checkSandwich(tab, folder, name, event);
		await checkMerged(tab, name, event);
		await checkStatus(tab, name, event);
		await checkLines(tab, folder, name, event);
		await checkTimeline(tab, folder, name, event);
		await checkChoice(tab, folder, name, event);
		await checkCode(tab, folder, name, event, number);
		await go(tab, {view: 'flame', inverted: 1, zoom: ''});
		await go(tab, {view: 'about', inverted: 0});
	}
	await checkQuiet(tab, name);
	await tab.close();
}

/** The middle of the box of the node-th node, in the window. */
function boxOf(node) {
	const {flame} = readperf;
	const row = flame.tree.depth[node];
	const i = flame.rows[row].nodes.indexOf(node);
	const box = flame.canvas.getBoundingClientRect();
	return {x: box.left + flame.rows[row].left[i] + flame.rows[row].width[i] / 2, y: box.top + flame.top(row) + 9};
}

async function checkMouse(folder) {
	const tab = await open(folder);
	const box = await tab.evaluate(boxOf, 2);
	await tab.mouse.move(box.x, box.y);
	const name = await tab.evaluate(() => readperf.tree.frames.name(readperf.tree.frame[2]));
	check('mouse: the status line says what is under it', (await text(tab, '#status')).split(' · ')[0], name);
	await tab.mouse.click(box.x, box.y);
	check('mouse: a click zooms', (await state(tab)).zoom, '2');
	check('mouse: breadcrumbs', await tab.$$eval('#crumbs button', (all) => all.length), 3);
	await tab.goBack();
	check('mouse: Back goes back', (await state(tab)).zoom, '');
	await tab.goForward();
	check('mouse: Forward goes forward', (await state(tab)).zoom, '2');
	await (await tab.$('#crumbs button')).click();
	check('mouse: a breadcrumb zooms out', (await state(tab)).zoom, '');
	await tab.mouse.click(box.x, box.y, {count: 2});
	await tab.evaluate(() => readperf.rendered);
	check('mouse: a double click shows callers and callees', (await state(tab)).view, 'sandwich');
	await tab.click('[data-view=table]');
	await tab.click('#table-rows th:nth-child(2)');
	const shares = await tab.$$eval('#table-rows tbody tr:not(.gap) td:nth-child(2)', (all) =>
		all.map((cell) => Number.parseFloat(cell.textContent)));
	check('mouse: a click on a header sorts', shares, [...shares].sort((a, b) => b - a));
	check('mouse: nothing complained', tab.said, []);
	await tab.close();
}

async function checkKeys(folder) {
	const tab = await open(folder);
	await press(tab, 'ArrowDown', 'ArrowDown', 'ArrowDown');
	const selected = await tab.evaluate(() => readperf.flame.tree.depth[readperf.flame.selected]);
	check('keys: arrows go down', selected, 2);
	await press(tab, 'ArrowUp', 'Enter');
	check('keys: Enter zooms', (await state(tab)).zoom, '1');
	await press(tab, 'Escape');
	check('keys: Escape zooms out', (await state(tab)).zoom, '');
	await press(tab, 's');
	check('keys: s shows callers and callees', (await state(tab)).view, 'sandwich');
	await press(tab, 't', 'ArrowDown', 'ArrowDown', 'Enter');
	check('keys: Enter in the table shows those of the row', [(await state(tab)).view, (await state(tab)).function],
		['sandwich', 2]);
	await press(tab, 'f', 'i', 'r', 'c', 'w');
	const values = await state(tab);
	check('keys: i, r, c and w', [values.inverted, values.flipped, values.colour, values.weight],
		[1, 1, 'kind', 'samples']);
	await press(tab, 'e');
	check('keys: e', (await state(tab)).event, 1);
	await press(tab, 'e', 'i', '/');
	await tab.keyboard.type('word');
	await press(tab, 'Enter', 'n');
	const hit = await tab.evaluate(() => readperf.tree.frames.name(readperf.tree.frame[readperf.flame.selected]));
	check('keys: n goes to a frame that matches', hit.includes('word'), true);
	await press(tab, '?');
	check('keys: ? helps', await tab.$eval('#help', (help) => help.open), true);
	await press(tab, 'Escape');
	check('keys: Escape closes it', await tab.$eval('#help', (help) => help.open), false);
	check('keys: nothing complained', tab.said, []);
	await tab.close();
}

/** Whatever can be clicked is reached by Tab, and works from there. */
async function checkFocus(folder) {
	const tab = await open(folder, '#view=table');
	const focused = () => tab.evaluate(() => document.activeElement.id || document.activeElement.textContent);
	await tab.focus('#help-button');
	await press(tab, '?');
	check('focus: goes to the help', await focused(), 'Close (Esc)');
	await press(tab, 't', 'i');
	check('focus: other keys wait', [(await state(tab)).help, (await state(tab)).inverted], [1, 0]);
	await press(tab, 'Enter');
	check('focus: goes back', [(await state(tab)).help, await focused()], [0, 'help-button']);
	await tab.focus('#table-rows');
	await press(tab, 'Tab', 'Tab', 'Tab');
	check('focus: on the head of a column', await focused(), 'function');
	await press(tab, 'Enter');
	check('focus: Enter sorts by it', [(await state(tab)).sort, await tab.$eval('#table-rows th:nth-child(3)',
		(head) => head.getAttribute('aria-sort'))], ['function', 'ascending']);
	await press(tab, ...new Array(30).fill('ArrowDown'));
	const last = await tab.evaluate(() => {
		const [row] = document.querySelectorAll('#table-rows tr[aria-selected=true]');
		return row.getBoundingClientRect().bottom <= byId('table-rows').getBoundingClientRect().bottom;
	});
	check('focus: the selected row is seen', last, true);
	await press(tab, 'f');
	await tab.focus('#inverted');
	await press(tab, ' ');
	check('focus: Space checks a box', (await state(tab)).inverted, 1);
	check('focus: nothing complained', tab.said, []);
	await tab.close();
}

/** In narrow windows nothing is out of reach, and the names of functions are there. */
async function checkNarrow(folder) {
	const tab = await open(folder);
	for (const [width, most] of [[1300, 160], [800, 190], [400, 270]]) {
		await tab.setViewport({width, height: 800});
		await go(tab, {view: 'table'});
		const seen = await tab.evaluate(() => ({
			over: [...document.querySelectorAll('header button, header select, header input')]
				.filter((of) => of.offsetParent && of.getBoundingClientRect().right > innerWidth).map((of) => of.id),
			high: document.querySelector('header').offsetHeight,
			name: Math.min(innerWidth, document.querySelector('#table td.name').getBoundingClientRect().right) -
				document.querySelector('#table td.name').getBoundingClientRect().left,
		}));
		check(`${width} px: all controls are seen`, seen.over, []);
		check(`${width} px: a header of at most ${most} px`, seen.high <= most ? most : seen.high, most);
		check(`${width} px: names of functions have room`, seen.name >= 200 ? 200 : seen.name, 200);
		for (const view of ['flame', 'sandwich']) {
			await go(tab, {view, function: 1});
			await picture(tab, `narrow-${width}-${view}`);
		}
	}
	await tab.setViewport({width: 320, height: 640});
	await go(tab, {view: 'source'});
	const code = await tab.evaluate(() => {
		const box = byId('source-lines');
		return [box.querySelector('td.text').clientWidth >= 200, box.scrollWidth > box.clientWidth];
	});
	check('320 px: code has room, and is scrolled to', code, [true, true]);
	check('narrow: nothing complained', tab.said, []);
	await tab.close();
}

/** What could hide in a name or turn it around is a mark. */
async function checkHidden(folder) {
	const tab = await open(folder);
	const kept = await tab.evaluate(() => [0x1b, 0x7f, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200d, 0x202e, 0x2066,
		0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xe0001, 0xe007f, 0xe0100]
		.filter((code) => shownName(`a${String.fromCodePoint(code)}b`) !== 'a\ufffdb'));
	check('names: what is invisible is a mark', kept, []);
	check('names: the rest stays', await tab.evaluate(() => shownName('a é 中 😀 ا e\u0301')), 'a é 中 😀 ا e\u0301');
	await tab.close();
}

/** Grey text on the selected row can be read, in the dark, too. */
async function checkContrast(folder) {
	const tab = await open(folder, '#view=table');
	for (const value of ['light', 'dark']) {
		await tab.emulateMediaFeatures([{name: 'prefers-color-scheme', value}]);
		const ratio = await tab.evaluate(() => {
			const light = (colour) => colour.match(/\d+/g).map((part) => part / 255)
				.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
				.reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0.05);
			const {color, backgroundColor} = getComputedStyle(document.querySelector('tr[aria-selected=true] td.place'));
			const [low, high] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
			return high / low;
		});
		check(`${value}: contrast of grey text on the selected row`, ratio >= 4.5 ? 'enough' : ratio, 'enough');
	}
	check('the page has a heading', await tab.$$eval('h1', (all) => all.map((one) => one.id)), ['command']);
	check('what scrolls can be focused', await tab.$eval('#about', (box) => box.tabIndex), 0);
	await tab.close();
}

/** A span is dragged, or chosen by keys alone; so are threads. */
async function checkBrush(folder) {
	const tab = await open(folder);
	const bars = await (await tab.$('#timeline')).boundingBox();
	const at = (part) => [bars.x + bars.width * part, bars.y + bars.height / 2];
	const part = () => tab.$eval('#part', (box) => (box.hidden ? '' : box.firstChild.textContent));
	check('brush: all at first', await part(), '');
	await tab.mouse.move(...at(0.2));
	await tab.mouse.down();
	await tab.mouse.move(...at(0.4));
	await tab.mouse.move(...at(0.6), {steps: 4});
	await tab.mouse.up();
	await tab.evaluate(() => readperf.rendered);
	const {time} = await state(tab);
	const shares = await tab.evaluate(() => {
		const {event, cells, part: chosen} = readperf.loaded.now;
		const [first, last] = readperf.state.values.time.split('-').map(Number);
		let samples = 0;
		for (let i = 0; i < cells.count; i++)
			samples += cells.slice[i] >= first && cells.slice[i] <= last ? cells.samples[i] : 0;
		return {all: event.samples, samples, chosen: Number(chosen.event.samples), total: readperf.tree.total[0], first, last,
			slices: event.slices};
	});
	check('brush: dragging chooses a span', [shares.first > 0, shares.last < shares.slices - 1,
		shares.last > shares.first], [true, true, true]);
	check('brush: its samples', shares.chosen, shares.samples);
	check('brush: the header says what part it is',
		(await part()).includes(`(${shares.samples} of ${shares.all})`), true);
	await tab.reload();
	await tab.waitForFunction(() => document.documentElement.dataset.ready, {timeout: WAIT});
	check('brush: the link has it', [(await state(tab)).time, (await part()) !== ''], [time, true]);
	await press(tab, 'Escape');
	check('brush: Escape clears it', [(await state(tab)).time, await part()], ['', '']);
	await press(tab, 'b', 'ArrowRight', 'ArrowRight');
	await tab.keyboard.down('Shift');
	await press(tab, 'ArrowRight', 'ArrowRight');
	await tab.keyboard.up('Shift');
	const keyed = (await state(tab)).time.split('-').map(Number);
	check('keys: b and arrows choose a span', keyed, [1, Math.ceil((shares.slices - 1) / 10) + 3]);
	await press(tab, 'Escape');
	check('keys: Escape clears it', (await state(tab)).time, '');
	await press(tab, 'p', 'ArrowDown');
	const selected = await tab.evaluate(() => readperf.threadList.rows[readperf.threadList.selected].name);
	check('keys: the status line says which thread is selected', (await text(tab, '#status')).startsWith(selected), true);
	await press(tab, 'ArrowDown', 'Enter', 'f');
	const thread = await state(tab);
	check('keys: a thread is chosen', [thread.view, thread.threads !== '', (await part()) !== ''], ['flame', true, true]);
	await press(tab, 'p', 'ArrowUp', ' ');
	const more = await tab.evaluate(() => [readperf.choice.threads.length, readperf.threadList.rows
		.filter((row) => row.depth === 0 || row.threads.length > 1).length > 0]);
	check('keys: Space adds one', more[0] > 1, true);
	await press(tab, 'x');
	check('keys: x shows everything', [(await state(tab)).threads, await part()], ['', '']);
	check('brush: nothing complained', tab.said, []);
	await tab.close();
}

/** What had no room is in [rest]: the sums are those of the whole, for each thread and each part of the time. */
async function checkFolded(folder) {
	const tab = await open(folder);
	const rows = readCsv(join(folder, 'results.csv'));
	const [event, ...others] = new Set(rows.map((row) => row.event));
	const folded = await tab.evaluate(() => ({some: readperf.event.folded > 0,
		rest: [...readperf.tree.frames.words.values()].includes('[rest]'), slices: readperf.event.slices}));
	check('folded: some paths are, and times are coarse', [folded.some, folded.rest, folded.slices < 128],
		[true, true, true]);
	await checkCsv(tab, folder, 'folded', event);
	for (const [i, other] of others.entries()) {
		await go(tab, {event: i + 1});
		check(`folded: some paths of ${other} are`, await tab.evaluate(() => readperf.event.folded > 0), true);
		await checkCsv(tab, folder, `folded ${other}`, other);
		for (const weight of ['period', 'samples']) {
			await go(tab, {weight});
			check(`folded: ${weight} of all of ${other}`, await tab.evaluate(() => readperf.tree.total[0]),
				rows.reduce((all, row) => all + (row.event === other ? Number(row[weight]) : 0), 0));
		}
	}
	await go(tab, {event: 0});
	for (const weight of ['period', 'samples']) {
		const total = (path) => readCsv(path).filter((row) => row.event === event)
			.reduce((all, row) => all + Number(row[weight]), 0);
		await go(tab, {weight, view: 'threads'});
		check(`folded: ${weight} of all`, await tab.evaluate(() => readperf.tree.total[0]), total(join(folder, 'results.csv')));
		const tids = await tab.evaluate(() => readperf.loaded.now.threads.tid);
		const sums = [];
		for (const number of tids.keys()) {
			await go(tab, {threads: String(number)});
			sums.push(await tab.evaluate(() => readperf.tree.total[0]));
		}
		check(`folded: ${weight} of each thread`, sums, tids.map((tid) => total(partOf(folder, `--tid=${tid}`))));
		await go(tab, {threads: ''});
	}
	check('folded: nothing complained', tab.said, []);
	await tab.close();
}

/** A function that all is inlined into, without call chains, has no row. */
async function checkUncounted(folder) {
	const tab = await open(folder);
	const [{event}] = readCsv(join(folder, 'results.csv'));
	check('uncounted: a function is', await tab.evaluate(() => [...readperf.functions.children_samples.numbers].includes(0)), true);
	await checkCsv(tab, folder, 'uncounted', event);
	await checkMatched(tab, 'uncounted');
	await tab.close();
}

/** Whatever is searched, the page answers at once. */
async function checkStall(folder) {
	const tab = await open(folder);
	for (const search of ['/(a*)*b/', '/(L+)+x/', '/L*L*L*L*L*L*L*x/', '/(L|LL)+$x/', '/(){99999999}/', '/(L|l)*L(L|l){18}x/']) {
		const ms = await tab.evaluate(async (text) => {
			const from = performance.now();
			readperf.state.set({search: text}, true);
			await readperf.rendered;
			return performance.now() - from;
		}, search);
		check(`search: ${search} is answered within 100 ms`, ms < 100 ? 'yes' : ms, 'yes');
	}
	await tab.close();
}

/** Names that expressions find are those that the browser's own ones find. */
async function checkRegexps(folder) {
	const tab = await open(folder);
	const differ = await tab.evaluate(() => {
		const expressions = ['word', '^count', 's$', 'c.*_w', '(a|b)+c', '[a-c]o', '[^a-c]_', '\\d+', 'o{2}', 's{1,2}', '(ab)*c$',
			'^(a|ab)(c|bcd)(d*)$', '^$', 'x?y', '[A-Z]', '\\(\\)', 'a|b|', '\\w+::\\w+$', '(o*)*b', '(?:ab)+?c', '[a-]', 'a{0}b'];
		const names = ['', 'count_words', 'hash_word', 'ababc', 'cx', '12', 'aab', 'std::vector<int>::push', 'x', 'y', 'Zq', 'a()',
			'operator[]', 'abcd', 'b', '-', 'book', 'main'];
		const found = [];
		for (const text of expressions)
			for (const name of names)
				if (new RegExp(text, 'i').test(name) !== new Pattern(text).test(name))
					found.push([text, name]);
		return found;
	});
	check('search: expressions mean what they mean elsewhere', differ, []);
	await tab.close();
}

/** From a function to its source, to the instructions of a line, along a jump, and back. */
async function checkCodeKeys(folder) {
	const tab = await open(folder);
	const row = await tab.evaluate(() => {
		for (let i = 0; i < readperf.functions.count; i++)
			if (readperf.functions.text('function', i) === 'count_words')
				return i;
	});
	const selected = (view) => tab.evaluate((name) => {
		const {table} = readperf[name];
		return table.rows[table.selected].box.querySelector('.text').textContent.trim();
	}, view);
	await press(tab, 't');
	for (let i = 0; i < row; i++)
		await press(tab, 'ArrowDown');
	await press(tab, 'l');
	check('code: l shows the source of the selected row', [(await state(tab)).view, (await state(tab)).function], ['source', row]);
	check('code: the hottest line is selected', await selected('source'), 'count_word(word, (unsigned)(at - word));');
	await press(tab, 'ArrowUp', 'ArrowUp', 'ArrowUp');
	check('code: arrows select lines', await selected('source'), 'for (const char *at = text; *at; at++) {');
	check('code: the status line has its place', (await text(tab, '#status')).endsWith('/usr/src/demo/demo.c:81'), true);
	const hasCode = await tab.evaluate(() => readperf.code.length > 0);
	await press(tab, 'a');
	check('code: a shows assembly of the same function', [(await state(tab)).view, (await state(tab)).function], ['assembly', row]);
	if (hasCode) {
		await press(tab, 'l', 'Enter');
		const line = await tab.evaluate(() => readperf.assembly.table.rows[readperf.assembly.table.selected].line);
		check('code: Enter goes to the instructions of a line', line, 81);
		const jump = await tab.evaluate(() => {
			const {table} = readperf.assembly;
			table.selectWhere((of) => of.text === 'jmp 0x10d4');
			return table.rows[table.selected].box.querySelector('.arrows').textContent.trim();
		});
		check('code: a jump has an arrow', /└.*─$/.test(jump), true);
		await press(tab, 'Enter');
		const at = await tab.evaluate(() => {
			const {table} = readperf.assembly;
			const {code, offset} = table.rows[table.selected];
			return (code.start + BigInt(offset)).toString(16);
		});
		check('code: Enter follows a jump', at, '10d4');
		await press(tab, 'Enter');
		check('code: Enter goes from an instruction to its line', (await state(tab)).view, 'source');
	}
	await press(tab, 's');
	await tab.click('#lines tr');
	await tab.evaluate(() => readperf.rendered);
	check('code: a click on a line of the function shows it', (await state(tab)).view, 'source');
	check('code: nothing complained', tab.said, []);
	await tab.close();
}

/** Where something is missing, the views say why. */
async function checkLacks(stripped, flat) {
	const shown = async (folder, view) => {
		const tab = await open(folder, `#view=${view}&function=0`);
		const found = await text(tab, `#${view} table`);
		await tab.close();
		return found;
	};
	check('code: no binary', (await shown(stripped, 'assembly')).match(/No code is shown: [^.]*/)[0],
		await shown(flat, 'assembly').then((found) => found.includes('there is no capstone'))
			? 'No code is shown: there is no capstone' : 'No code is shown: the binary was not found');
	check('code: no source lines', (await shown(stripped, 'source')).includes('No source lines: file-missing.'), true);
	check('code: no source file', (await shown(flat, 'source')).includes('The source file is not on this machine: --source-dir=OLD=NEW'), true);
}

/** What a source file says becomes text. */
async function checkHostileSource(folder) {
	const tab = await open(folder);
	const cells = [];
	for (let row = 0; row < 6; row++) {
		await go(tab, {view: 'source', function: row});
		cells.push(...(await shownCode(tab, 'source')).cells);
	}
	check('hostile source: an element is text', cells.includes('</script><img src=x onerror=alert(1)><script>alert(2)</script>'), true);
	check('hostile source: what turns text is a mark', cells.includes('\ufffd<b>turned</b>  \ufffd\ufffd[31m'), true);
	check('hostile source: lines are cut', Math.max(...cells.map((cell) => cell.length)), 1000);
	await checkQuiet(tab, 'hostile source');
	await tab.close();
}

async function checkDownload(folder) {
	const tab = await open(folder, '#view=table');
	const session = await browser.target().createCDPSession();
	await session.send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: downloads});
	await press(tab, 'd');
	const file = join(downloads, 'functions.csv');
	for (let waited = 0; waited < WAIT && !existsSync(file); waited += 100)
		await new Promise((done) => setTimeout(done, 100));
	const event = readCsv(join(folder, 'results.csv'))[0].event;
	check('the CSV is downloaded', existsSync(file) && readFileSync(file, 'utf8'),
		linesOfEvent(join(folder, 'results.csv'), event));
	await tab.close();
}

/** Links that make no sense show what they can, and complain of nothing. */
async function checkLinks(folder) {
	const hashes = ['#zoom=99999&event=-3&weight=foo&colour=bar', '#event=99&view=nonsense', '#zoom=abc&inverted=1',
		'#inverted=1&zoom=1.2.3.99', '#view=sandwich&function=9999&callers=1.2.77', '#view=table&sort=nosuch',
		'#search=/((/', '#time=7', '#time=9999-2&threads=-1.7-3.99999999', '#time=5-99999&threads=0&view=table',
		'#threads=a.b&view=threads', '#threads=0-99999999999', '#view=source&function=9999', '#view=assembly&function=-5', '#constructor=1&__proto__=2',
		'#view=constructor', '#%'];
	for (const hash of hashes) {
		const tab = await open(folder, hash);
		await press(tab, 'ArrowDown', 'PageDown', 'ArrowRight', 'Enter', 's', 'ArrowDown', 'Enter', 'Escape');
		check(`a link to ${hash}`, tab.said, []);
		await tab.close();
	}
}

/** A recording without samples has a page, too. */
async function checkEmpty(folder) {
	const tab = await open(folder);
	for (const view of ['table', 'sandwich', 'source', 'assembly', 'about', 'flame'])
		await go(tab, {view});
	await go(tab, {view: 'about'});
	check('tracepoints: tabs in formats are blanks', (await text(tab, '#about dl')).includes('int common_pid; offset:4; size:4;'), true);
	await go(tab, {view: 'flame'});
	await press(tab, 'ArrowDown', 'Enter', 'n', 's', 'ArrowDown', 'PageDown', 'Home', 'Enter', 't', 'Enter', 'l', 'Enter', 'a', 'ArrowDown', 'Enter', 'i', 'Escape');
	check('no samples: nothing complained', tab.said, []);
	await tab.close();
}

/** A browser that cannot unpack the data says so. */
async function checkOld(folder) {
	const tab = await browser.newPage();
	await tab.evaluateOnNewDocument(() => {
		delete window.DecompressionStream;
	});
	await tab.goto(pathToFileURL(join(folder, 'report.html')).href);
	const seen = await tab.evaluate(() => ({old: !document.getElementById('old').hidden,
		app: !document.getElementById('app').hidden}));
	check('an old browser gets a sentence', seen, {old: true, app: false});
	await tab.close();
}

/** A picture of each view, to be looked at by people. */
async function takePictures(folder, name) {
	const tab = await open(folder);
	const views = {flame: {}, inverted: {inverted: 1, colour: 'kind'}, zoomed: {inverted: 0, zoom: '1', search: 'word'},
		table: {zoom: '', view: 'table', search: ''}, sandwich: {view: 'sandwich', function: 1},
		span: {view: 'flame', function: -1, time: '30-70'}, threads: {view: 'threads', threads: '1'},
		thread: {view: 'flame'}, about: {view: 'about', time: '', threads: ''},
		source: {view: 'source', function: 0}, assembly: {view: 'assembly', function: 1},
		help: {view: 'flame', help: 1}};
	for (const [view, changes] of Object.entries(views)) {
		await go(tab, changes);
		await picture(tab, `${name}-${view}`);
	}
	await tab.close();
}

await run(async () => {
	for (const folder of pages)
		await checkPage(folder);
	await checkMouse(pages[0]);
	await checkKeys(pages[0]);
	await checkFocus(pages[0]);
	await checkNarrow(pages[0]);
	await checkHidden(pages[0]);
	await checkContrast(pages[0]);
	await checkPaper(join(pages[0], 'report.html'));
	await checkUncounted(uncounted);
	await checkBrush(pages[0]);
	await checkFolded(small);
	await checkStall(pages[pages.length - 1]);
	await checkRegexps(pages[0]);
	await checkCodeKeys(pages[0]);
	await checkLacks(pages[3], pages[2]);
	await checkHostileSource(pages[pages.length - 1]);
	await checkDownload(pages[0]);
	await checkOld(pages[0]);
	await checkLinks(pages[0]);
	await checkEmpty(empty);
	await takePictures(pages[0], 'demo');
	await takePictures(pages[pages.length - 1], 'hostile');
});

// checkdiff.mjs BUILD CHANGE TABLES HOSTILE PAGE...: looks at diff.html of comparisons in a browser, beside
// diff.csv: in CHANGE functions have changed, a run of TABLES is a table, HOSTILE has hostile names.
// PAGE/children/, if it is there, has the same runs compared with --children.
import {existsSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {check, checkPaper, checkQuiet, go, openFile, picture, press, run, state, text} from './tab.mjs';
import {linesOfEvent, readCsv} from './tables.mjs';

const [changeFolder, tables, hostile, ...pages] = process.argv.slice(3).map((path) => resolve(path));

const open = (folder, hash) => openFile(join(folder, 'diff.html'), hash);
const rowsOf = (folder, event) => readCsv(join(folder, 'diff.csv')).filter((row) => row.event === event);
const eventsOf = (folder) => [...new Set(readCsv(join(folder, 'diff.csv')).map((row) => row.event))];

/** What the page's tree says of each function and altogether, as recorded: by side, of all runs. */
function sumsOfTree(of) {
	const {tree, rows} = readperf;
	return tree.sums(of).map((side) => {
		const self = new Array(rows.count).fill(0);
		const total = new Array(rows.count).fill(0);
		let without = 0; /* what functions without a row counted: nothing */
		for (let i = 1; i < tree.count; i++) {
			const row = tree.frames.function[tree.frame[i]];
			if (row < rows.count && row >= 0)
				self[row] += side.self[i];
			else
				without += side.self[i];
		}
		for (let row = 0; row < rows.count; row++)
			for (const node of tree.findOutermost(row))
				total[row] += side.total[node];
		return {all: side.total[0], self, total, without};
	});
}

async function checkSums(tab, folder, name, event) {
	const rows = rowsOf(folder, event);
	const withCallees = join(folder, 'children');
	const children = existsSync(withCallees) ? rowsOf(withCallees, event) : [];
	const like = (row) => children.find((other) => ['function', 'binary', 'filename'].every((key) => other[key] === row[key]));
	for (const of of ['period', 'samples']) {
		const [before, after] = await tab.evaluate(sumsOfTree, of);
		const column = (side, from = rows) => from.map((row) => Number(row[`${side}_${of}`]));
		const add = (numbers) => numbers.reduce((a, b) => a + b, 0);
		check(`${name}: ${of} of ${event}`, [before.all, after.all], [add(column('old')), add(column('new'))]);
		check(`${name}: old ${of} of each function of ${event} in the tree`, before.self, column('old'));
		check(`${name}: new ${of} of each function of ${event} in the tree`, after.self, column('new'));
		check(`${name}: functions without a row have no ${of}`, [before.without, after.without], [0, 0]);
		if (!children.length)
			continue;
		check(`${name}: old ${of} with callees of ${event}`, before.total, column('old', rows.map(like)));
		check(`${name}: new ${of} with callees of ${event}`, after.total, column('new', rows.map(like)));
	}
}

/** Boxes are as wide as the larger side, or as those below them together. */
async function checkWidths(tab, name) {
	for (const weight of ['period', 'share', 'samples']) {
		for (const inverted of [0, 1]) {
			await go(tab, {weight, inverted, view: 'flame', zoom: ''});
			const wrong = await tab.evaluate(() => {
				const {tree} = readperf.flame;
				const below = new Float64Array(tree.count);
				let found = 0;
				for (let i = tree.count - 1; i >= 0; i--) {
					const wide = Math.max(tree.sides[0][i], tree.sides[1][i], below[i]);
					found += Math.abs(tree.total[i] - wide) > 1e-9 * wide;
					below[tree.parent[i]] += i ? tree.total[i] : 0;
				}
				return {found, some: tree.count > 1};
			});
			check(`${name}: widths by ${weight}${inverted ? ', inverted' : ''}`, wrong, {found: 0, some: true});
		}
	}
	await go(tab, {weight: '', inverted: 0});
}

/** Upside down the first frames are functions: what they counted themselves is the rows' values. */
async function checkInverted(tab, folder, name, event) {
	const rows = rowsOf(folder, event);
	await go(tab, {inverted: 1, zoom: '', weight: ''});
	const found = await tab.evaluate(() => {
		const {tree} = readperf.flame;
		const sums = {};
		for (let i = 1; i < tree.count; i = tree.next[i]) {
			const row = tree.frames.function[tree.frame[i]];
			const have = sums[row] ??= [0, 0];
			have[0] += tree.sides[0][i];
			have[1] += tree.sides[1][i];
		}
		return sums;
	});
	const near = (a, b) => Math.abs(a - b) < 1;
	for (const [row, sums] of Object.entries(found))
		check(`${name}: ${event}, inverted, row ${row}`, near(sums[0], Number(rows[row].old_value)) &&
			near(sums[1], Number(rows[row].new_value)), true);
	await go(tab, {inverted: 0});
}

/** Grey is what has not changed; the colour of others says in which direction. */
async function checkColours(tab, folder, name, event) {
	const expected = rowsOf(folder, event).map(({verdict}) => verdict === 'same' || verdict === 'unsure' ? 'grey'
		: ['slower', 'new'].includes(verdict) ? 'orange' : 'blue');
	await go(tab, {view: 'flame'});
	const found = await tab.evaluate(() => {
		const {tree, rows, colours} = readperf;
		const kinds = new Array(rows.count);
		tree.frames.function.forEach((row, frame) => {
			if (row < 0 || row >= rows.count)
				return;
			const context = document.createElement('canvas').getContext('2d');
			context.fillStyle = colours.of(frame);
			const [red, blue] = [1, 5].map((at) => Number.parseInt(context.fillStyle.slice(at, at + 2), 16));
			kinds[row] = red === blue ? 'grey' : red > blue ? 'orange' : 'blue';
		});
		return kinds;
	});
	check(`${name}: colours of ${event}`, found, expected);
}

async function checkCsv(tab, folder, name, event) {
	await go(tab, {view: 'table', search: '', sort: '', verdict: ''});
	const csv = () => tab.evaluate(() => readperf.table.csv(readperf.run, readperf.strings));
	check(`${name}: the table as CSV is diff.csv of ${event}`, await csv(), linesOfEvent(join(folder, 'diff.csv'), event));
	await go(tab, {sort: '-new_value'});
	const sorted = await tab.evaluate(() => readperf.table.order.map((row) => readperf.rows.number('new_value', row)));
	check(`${name}: ${event} sorted by the new side`, sorted,
		rowsOf(folder, event).map((row) => Number(row.new_value)).sort((a, b) => b - a));
	await go(tab, {sort: ''});
}

/** Intervals are where diff.csv says, on one scale. */
async function checkIntervals(tab, folder, name, event) {
	await go(tab, {view: 'table', search: '', sort: '', verdict: ''});
	const rows = rowsOf(folder, event).slice(0, 20);
	const drawn = await tab.evaluate(() => ({most: readperf.table.most,
		points: [...document.querySelectorAll('#table .point')].map((point) => Number.parseFloat(point.style.left)),
		zeros: new Set([...document.querySelectorAll('#table .zero')].map((zero) => zero.style.left)).size}));
	const place = (row) => 50 + 50 * Math.min(Math.max(Number(row.delta_percent) / drawn.most, -1), 1);
	check(`${name}: points of ${event}`, rows.every((row, i) => !row.delta_percent ||
		Math.abs(drawn.points[i] - place(row)) < 0.01), true);
	check(`${name}: one zero`, drawn.zeros, 1);
}

async function checkPage(folder) {
	const name = folder.split('/').pop();
	const tab = await open(folder);
	const events = eventsOf(folder);
	check(`${name}: its events`, await tab.$$eval('#event option', (all) => all.map((o) => o.textContent)), events);
	for (const [number, event] of events.entries()) {
		await go(tab, {event: number, view: 'flame', zoom: ''});
		await checkSums(tab, folder, name, event);
		await checkWidths(tab, name);
		await checkInverted(tab, folder, name, event);
		await checkColours(tab, folder, name, event);
		await checkCsv(tab, folder, name, event);
		await checkIntervals(tab, folder, name, event);
		await go(tab, {view: 'about'});
	}
	await checkQuiet(tab, name);
	await tab.close();
}

/** Without paths the page says why, and has the rest. */
async function checkTables() {
	const tab = await open(tables);
	const [event] = eventsOf(tables);
	check('tables: the page says why there is no flame graph', (await text(tab, '#remarks')).includes('no flame graph: a run is a table'), true);
	check('tables: the table is seen', [(await state(tab)).view, await tab.$eval('#table', (table) => table.hidden)],
		['table', false]);
	await checkCsv(tab, tables, 'tables', event);
	await press(tab, 'ArrowDown', 'Enter', 'f', 'ArrowDown', 'Enter', 'i', 'r', 'w', 'Escape', 'n', 'h', 't', 'v', '/');
	await tab.keyboard.type('count_words');
	await press(tab, 'Enter');
	check('tables: the search finds rows', await text(tab, '#matched'), '1 function');
	await go(tab, {view: 'flame'});
	const {x, y} = await (await tab.$('#flame-graph')).boundingBox();
	await tab.mouse.move(x + 50, y + 50);
	await tab.mouse.move(x + 50, y - 50);
	await checkQuiet(tab, 'tables');
	await tab.close();
}

async function checkKeys() {
	const tab = await open(changeFolder);
	check('factors', await tab.evaluate(() => [2, 99.4, 99.5, 1234.4].map((to) => shownChange(1, to, 'samples').match(/\(.*/)[0])),
		['(x 2.0)', '(x 99)', '(x 100)', '(x 1,234)']);
	check('totals come first', (await text(tab, '#totals')).startsWith('Total per run: 664 ms -> 671.3 ms, +1.1 %'), true);
	await press(tab, 'ArrowDown', 'ArrowDown');
	check('keys: arrows select', await text(tab, '#status-path'), 'parse · 93.3 ms → 189 ms (x 2.0) · ' +
		'itself 93.3 ms → 189 ms (x 2.0) · /opt/change/change-2.0 · /usr/src/change/change.c:20');
	check('keys: what is known of the function', (await text(tab, '#status-function')).split(' · ').slice(0, 2),
		['the function itself: slower', '93.3 ms → 189 ms (x 2.0)']);
	await press(tab, 'Enter');
	check('keys: Enter zooms', (await state(tab)).zoom, '1');
	await press(tab, 'Escape');
	check('keys: Escape zooms out', (await state(tab)).zoom, '');
	await press(tab, 'ArrowDown', 't');
	check('keys: t shows the row of what is selected', [(await state(tab)).view, (await state(tab)).function], ['table', 2]);
	await press(tab, 'ArrowDown', 'Enter');
	check('keys: Enter shows the function of the row', [(await state(tab)).view,
		(await text(tab, '#status-path')).split(' · ')[0]], ['flame', 'lookup_slow']);
	const wide = () => tab.evaluate(() => readperf.flame.rows[1].width[2]);
	const before = await wide();
	await press(tab, 'w');
	check('keys: w draws other widths', await wide() === before, false);
	await press(tab, 'i', 'r');
	const values = await state(tab);
	check('keys: i, r and w', [values.inverted, values.flipped, values.weight], [1, 1, 'rate']);
	await press(tab, 'v', 'v');
	check('keys: v', [(await state(tab)).verdict, await text(tab, '#rows')], ['unsure', '1 of 8 functions']);
	await press(tab, 'v', 'v', 'v');
	check('keys: v again', await text(tab, '#rows'), '7 of 8 functions');
	await press(tab, 'f', 'i', '/');
	await tab.keyboard.type('hash');
	await press(tab, 'Enter');
	check('keys: the search goes to what it finds', (await text(tab, '#status-path')).split(' · ')[0], 'hash');
	await press(tab, '?');
	check('keys: ? helps', await tab.$eval('#help', (help) => help.open), true);
	await press(tab, 'Escape');
	check('keys: Escape closes it', await tab.$eval('#help', (help) => help.open), false);
	await checkQuiet(tab, 'keys');
	await tab.close();
}

/** Links show what they can, also those that make no sense; Back goes back. */
async function checkLinks() {
	const tab = await open(changeFolder, '#view=table&verdict=changed&sort=-new_value&function=4');
	check('a link: rows', await text(tab, '#rows'), '7 of 8 functions');
	await go(tab, {view: 'flame'});
	await tab.goBack();
	await tab.evaluate(() => readperf.rendered);
	check('Back goes back', (await state(tab)).view, 'table');
	await tab.close();
	for (const hash of ['#zoom=999&event=-3&weight=foo', '#event=99&view=nonsense&verdict=odd', '#zoom=abc&inverted=1',
		'#inverted=1&zoom=1.2.3.99', '#view=table&sort=nosuch&function=999', '#search=/((/', '#constructor=1&__proto__=2',
		'#view=constructor', '#%']) {
		const odd = await open(changeFolder, hash);
		check(`a link to ${hash}`, odd.said, []);
		await odd.close();
	}
}

async function takePictures() {
	const tab = await open(changeFolder);
	const views = {flame: {}, table: {view: 'table'}, about: {view: 'about'}, help: {view: 'flame', help: 1}};
	for (const [view, changes] of Object.entries(views)) {
		await go(tab, changes);
		await picture(tab, `diff-${view}`);
	}
	await tab.emulateMediaFeatures([{name: 'prefers-color-scheme', value: 'dark'}]);
	await go(tab, {view: 'table', help: 0});
	await picture(tab, 'diff-dark');
	await tab.close();
	for (const [name, folder] of Object.entries({hostile, tables})) {
		const other = await open(folder);
		await picture(other, `diff-${name}`);
		await other.close();
	}
}

await run(async () => {
	for (const folder of [changeFolder, hostile, ...pages])
		await checkPage(folder);
	await checkTables();
	await checkKeys();
	await checkLinks();
	await checkPaper(join(changeFolder, 'diff.html'));
	await takePictures();
});

// checkuse.mjs BUILD DEEP COMPARISON NOTHING DEMO STRIPPED: uses the page of a recording with deep call chains,
// that of its comparison with itself, that of a recording without events, and those of the bundled one with
// and without names, as people do: by mouse, by keys, in small windows.
import {readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {browser, check, checkQuiet, go, openFile, press, run, state, text, WAIT} from './tab.mjs';

const [deep, comparison, nothing, demo, stripped] = process.argv.slice(3).map((path) => resolve(path));
const open = (folder, hash) => openFile(join(folder, 'report.html'), hash);

/** Times have three digits, or all before the point. */
async function checkTimes() {
	const tab = await open(deep);
	const shown = await tab.evaluate(() => [0, 999, 1000, 9.994e3, 999.4e3, 999.5e3, 999.9e3, 999.4e6, 999.9e6, 999.4e9,
		999.6e9, 1390e9, 12345e9, -999.9e6].map(shownTime));
	check('times', shown, ['0 ns', '999 ns', '1.00 µs', '9.99 µs', '999 µs', '1.00 ms', '1.00 ms', '999 ms', '1.00 s',
		'999 s', '1000 s', '1390 s', '12345 s', '-1.00 s']);
	check('times: a period', await tab.evaluate(() => shownWeight(1390e9, 'period', {time: 1})), '1390 s');
	await tab.close();
}

/** Whether all of what box says is seen. */
const isWhole = (tab, box) => tab.$eval(box, ({scrollHeight, clientHeight, scrollWidth, clientWidth}) =>
	scrollHeight <= clientHeight && scrollWidth <= clientWidth);

/** What is known of a function with a long name is seen, also in narrow windows. */
async function checkStatus() {
	const name = `std::vector<std::pair<int, long>, ${'0'.repeat(300)}>::at(unsigned long)`;
	for (const [folder, file, path] of [[deep, 'report.html', '#status'], [comparison, 'diff.html', '#status-path']]) {
		const tab = await openFile(join(folder, file));
		const row = await tab.evaluate((wanted) => {
			const table = readperf.rows ?? readperf.functions;
			return Array.from({length: table.count}, (_, i) => table.text('function', i)).indexOf(wanted);
		}, name);
		for (const [width, most] of [[1300, 144], [800, 88], [360, 40]]) {
			await tab.setViewport({width, height: 800});
			await go(tab, {view: 'table'});
			await tab.evaluate((of) => readperf.describeRow(of), row);
			const [shown, ...others] = (await text(tab, path)).split(' · ');
			check(`${file}, ${width} px: a long name has its start and its end`, [shown.length, shown.slice(0, 12), shown.slice(-6),
				others.length > 0], [most, 'std::vector<', ' long)', true]);
			check(`${file}, ${width} px: all of the status is seen`, await isWhole(tab, '#status'), true);
			check(`${file}, ${width} px: its title has the name`, await tab.$eval(path, (box) => box.title.split(' · ')[0]), name);
		}
		check(`${file}: nothing complained`, tab.said, []);
		await tab.close();
	}
}

/** Where the row of a node is in the window, and whether all of it is seen in the graph. */
function rowOf(node) {
	const {flame} = readperf;
	const {left, top, bottom} = flame.box.getBoundingClientRect();
	const depth = flame.tree.depth[node];
	const boxes = flame.rows[depth];
	const y = top + flame.top(depth) - flame.box.scrollTop;
	return {x: left + boxes.left[boxes.nodes.indexOf(node)] + 10, y: y + 9, isSeen: y >= top && y + 18 <= bottom};
}

/** Waits until sizes that have changed are taken note of. */
const settle = (tab) => tab.evaluate(async () => {
	await readperf.rendered;
	for (let i = 0; i < 3; i++)
		await new Promise((done) => requestAnimationFrame(done));
});

/** The frame that is zoomed into is seen, and stays where it is. */
async function checkDeepZoom() {
	for (const flipped of ['', '&flipped=1']) {
		const tab = await open(deep, `#zoom=38${flipped}`);
		await tab.setViewport({width: 1300, height: 500});
		await settle(tab);
		const [is, name] = await tab.evaluate(() => [readperf.flame.tree.depth[38],
			readperf.tree.frames.name(readperf.tree.frame[38])]);
		check(`zoom${flipped}: the frame of a link is deep`, is, 38);
		check(`zoom${flipped}: it is seen`, (await tab.evaluate(rowOf, 38)).isSeen, true);
		check(`zoom${flipped}: the status line is about it`, (await text(tab, '#status')).split(' · ')[0], name);
		await tab.evaluate(() => readperf.flame.box.scrollBy(0, -20));
		const place = () => tab.evaluate(() => readperf.flame.box.scrollTop);
		const before = await place();
		await tab.setViewport({width: 1200, height: 500});
		await settle(tab);
		check(`zoom${flipped}: narrower, it stays`, await place(), before);
		await tab.setViewport({width: 1200, height: 560});
		await settle(tab);
		await tab.setViewport({width: 1200, height: 500});
		await settle(tab);
		check(`zoom${flipped}: lower and higher again, it stays`, await place(), before);
		check('zoom: nothing complained', tab.said, []);
		await tab.close();
	}
	const tab = await open(deep);
	await tab.setViewport({width: 1300, height: 500});
	await settle(tab);
	await tab.evaluate(() => {
		readperf.flame.box.scrollTop = 400;
	});
	await settle(tab);
	const at = await tab.evaluate(rowOf, 30);
	await tab.mouse.click(at.x, at.y);
	await settle(tab);
	check('zoom: a click', (await state(tab)).zoom, '30');
	check('zoom: what was clicked is seen', (await tab.evaluate(rowOf, 30)).isSeen, true);
	await tab.close();
}

/** A double click is of what the first click was of, and one step. */
async function checkDoubleClick() {
	const last = (tab) => tab.evaluate(async () => {
		await readperf.rendered;
		const {state: {values}, functions, rows} = readperf;
		return [values.view, (rows ?? functions).text('function', values.function)];
	});
	const tab = await open(deep, '#zoom=2');
	await tab.setViewport({width: 1300, height: 500});
	await settle(tab);
	const steps = await tab.evaluate(() => history.length);
	await tab.evaluate(() => {
		readperf.flame.box.scrollTop = 9999;
	});
	await settle(tab);
	for (const node of [36, 37, 38]) {
		const at = await tab.evaluate(rowOf, node);
		const name = await tab.evaluate((of) => readperf.tree.frames.name(readperf.tree.frame[of]), node);
		await tab.mouse.click(at.x, at.y, {count: 2, delay: 50});
		check(`double click: callers and callees of ${name}`, await last(tab), ['sandwich', name]);
		check('double click: one step', await tab.evaluate(() => history.length), steps + 1);
		await tab.goBack();
		await settle(tab);
		check('double click: Back goes to where it was', [(await state(tab)).view, (await state(tab)).zoom], ['flame', '2']);
		await tab.evaluate(() => {
			readperf.flame.box.scrollTop = 9999;
		});
		await settle(tab);
	}
	await go(tab, {inverted: 1, zoom: ''});
	await settle(tab);
	const at = await tab.evaluate(rowOf, 3);
	const name = await tab.evaluate(() => readperf.tree.frames.name(readperf.flame.tree.frame[3]));
	await tab.mouse.click(at.x, at.y, {count: 2, delay: 50});
	check('double click: upside down', await last(tab), ['sandwich', name]);
	const shown = await tab.evaluate(() => {
		const {made, box} = readperf.sandwich.graphs.callees;
		const {left, top} = box.getBoundingClientRect();
		const row = made.frames.function[made.frame[2]];
		return {x: left + 5, y: top + 2 * 18 + 9, name: readperf.functions.text('function', row)};
	});
	await tab.mouse.click(shown.x, shown.y, {count: 2, delay: 50});
	check('double click: in the graph of callees', await last(tab), ['sandwich', shown.name]);
	check('double click: nothing complained', tab.said, []);
	await tab.close();

	const diff = await openFile(join(comparison, 'diff.html'), '#zoom=2');
	const leaf = await diff.evaluate(() => readperf.tree.frame.findIndex((_, node) => readperf.rowOf(node) >= 0));
	await diff.evaluate((node) => readperf.flame.reveal(node), leaf);
	await settle(diff);
	const place = await diff.evaluate(rowOf, leaf);
	const called = await diff.evaluate((node) => readperf.tree.frames.name(readperf.tree.frame[node]), leaf);
	const before = await diff.evaluate(() => history.length);
	await diff.mouse.click(place.x, place.y, {count: 2, delay: 50});
	check('double click: the row of a comparison', await last(diff), ['table', called]);
	check('double click: one step there', await diff.evaluate(() => history.length), before + 1);
	await diff.close();
}

/** From callers and callees keys lead to other functions. */
async function checkKeysOfCallers() {
	const tab = await open(deep, '#view=sandwich&function=0');
	const shown = async (selector) => (await text(tab, selector)).split(': ')[0];
	const selected = () => tab.evaluate(() => {
		const {made, selected: node} = readperf.sandwich.graphs.callers;
		return made.frames.name(made.frame[node]);
	});
	for (const [key, selector] of [['s', '#function'], ['l', '#source-function'], ['a', '#assembly-function']]) {
		await go(tab, {view: 'sandwich', function: 0});
		await tab.focus('#callers-graph');
		await press(tab, 'ArrowUp', 'ArrowUp', 'ArrowUp');
		const name = await selected();
		await press(tab, key);
		check(`keys: ${key} in callers and callees is of the selected function`, await shown(selector), name);
	}
	await go(tab, {view: 'sandwich', function: 0});
	for (const [list, view, of] of [['callers', 'sandwich', (cells) => cells], ['callees', 'sandwich', (cells) => cells],
		['lines', 'source', () => 'count_word']]) {
		await tab.focus(`#${list} [role=button]`);
		const name = of(await text(tab, `#${list} [role=button]`));
		await press(tab, 'Enter');
		check(`keys: Enter on a row of ${list}`, [(await state(tab)).view,
			await shown(view === 'source' ? '#source-function' : '#function')], [view, name]);
		await go(tab, {view: 'sandwich', function: list === 'callers' ? 3 : 0});
	}
	await tab.focus('#callers [role=button]');
	await press(tab, 'w');
	check('keys: the keyboard stays in the list', await tab.evaluate(() => byId('callers').contains(document.activeElement)), true);
	check('keys: nothing complained in callers and callees', tab.said, []);
	await tab.close();
}

/** What is longer than the window is scrolled by keys. */
async function checkKeysScroll() {
	for (const [folder, file] of [[demo, 'report.html'], [comparison, 'diff.html']]) {
		const tab = await openFile(join(folder, file), '#view=about');
		await tab.setViewport({width: 360, height: 500});
		await settle(tab);
		const scrolled = (id, side) => tab.evaluate((box, where) => byId(box)[where], id, side);
		const least = await tab.$eval('#about', (box) => (box.scrollHeight > box.clientHeight ? box.scrollHeight - box.clientHeight : 0));
		check(`${file}: the header is longer than the window`, least > 0, true);
		for (const [key, back] of [['PageDown', 'PageUp'], ['ArrowDown', 'ArrowUp'], [' ', 'Home'], ['End', 'Home']]) {
			await press(tab, key);
			check(`${file}: ${key} scrolls the header`, await scrolled('about', 'scrollTop') > 0, true);
			await press(tab, back);
			check(`${file}: ${back} scrolls it back`, await scrolled('about', 'scrollTop'), 0);
		}
		await press(tab, 't', 'ArrowRight', 'ArrowRight');
		check(`${file}: arrows scroll the table sideways`, await scrolled('table-rows', 'scrollLeft'), 80);
		await settle(tab);
		const seen = await tab.$eval('#table tr:nth-child(2) td:nth-last-child(2)', (cell) => {
			cell.scrollIntoView({inline: 'end', block: 'end'});
			const {right, top} = cell.getBoundingClientRect();
			const isSeen = cell === document.elementFromPoint(right - 40, top + 5);
			byId('table-rows').scrollLeft = 80;
			return isSeen;
		});
		check(`${file}: other columns are seen beside names`, seen, true);
		await press(tab, 'ArrowLeft', 'End');
		const last = await tab.evaluate(() => [readperf.table.selected, readperf.table.order.length - 1]);
		check(`${file}: ... and back, End selects the last row`, [await scrolled('table-rows', 'scrollLeft'), last[0]], [40, last[1]]);
		await press(tab, 'f', 'ArrowDown', 'ArrowDown', 'Enter');
		const {zoom} = await state(tab);
		await press(tab, 't', 'Home');
		check(`${file}: Home selects the first row, the graph stays`, [await tab.evaluate(() => readperf.table.selected),
			(await state(tab)).zoom], [0, zoom]);
		await press(tab, 'f', 'Home');
		check(`${file}: Home shows all of the graph`, [zoom !== '', (await state(tab)).zoom], [true, '']);
		check(`${file}: keys: nothing complained`, tab.said, []);
		await tab.close();
	}
}

/** The search leads nowhere else than to what it finds. */
async function checkFound() {
	for (const [folder, file] of [[deep, 'report.html'], [comparison, 'diff.html']]) {
		const tab = await openFile(join(folder, file), '#view=table&zoom=2');
		await press(tab, '/');
		await tab.keyboard.type('count_w');
		await press(tab, 'Enter');
		const {view, search, zoom} = await state(tab);
		check(`${file}: Enter in the search stays in the table`, [view, search, zoom, await tab.evaluate(() =>
			document.activeElement.id)], ['table', 'count_w', '2', 'table-rows']);
		const steps = await tab.evaluate(() => history.length);
		await press(tab, 'n');
		check(`${file}: n goes to the graph, which is a step`, [(await state(tab)).view, await tab.evaluate(() => history.length)],
			['flame', steps + 1]);
		await go(tab, {inverted: 1, zoom: ''});
		const found = [];
		for (const key of ['n', 'n', 'N']) {
			await press(tab, key);
			await settle(tab);
			found.push(await tab.evaluate(() => readperf.flame.selected));
		}
		const names = await tab.evaluate((nodes) => nodes.map((node) =>
			readperf.flame.tree.frames.name(readperf.flame.tree.frame[node])), found);
		check(`${file}: n and N in the graph upside down`, [(await state(tab)).inverted, names.every((name) => name.includes('count_w')),
			found[0] !== found[1], found[0] === found[2]], [1, true, true, true]);
		check(`${file}: the search: nothing complained`, tab.said, []);
		await tab.close();
	}
}

/** Text that is dragged over is selected, and opens nothing. */
async function checkSelection() {
	for (const [folder, file, hash, cell] of [[deep, 'report.html', '#view=table', '#table td.name'],
		[deep, 'report.html', '#view=sandwich&function=3', '#callers td.name span'], [deep, 'report.html', '#view=threads', '#threads td.name'],
		[comparison, 'diff.html', '#view=table', '#table td.name']]) {
		const tab = await openFile(join(folder, file), hash);
		await settle(tab);
		const before = await state(tab);
		const {x, y, height} = await (await tab.$(cell)).boundingBox();
		const name = await text(tab, cell);
		await tab.mouse.move(x + 1, y + height / 2);
		await tab.mouse.down();
		await tab.mouse.move(x + 60, y + height / 2, {steps: 3});
		await tab.mouse.up();
		await settle(tab);
		const selected = await tab.evaluate(() => String(getSelection()));
		check(`${file}${hash}: what is dragged over is selected`, [selected.length > 3, name.startsWith(selected)], [true, true]);
		check(`${file}${hash}: and nothing else`, await state(tab), before);
		await tab.mouse.click(x + 20, y + height / 2);
		await settle(tab);
		check(`${file}${hash}: a click opens what is there`, JSON.stringify(await state(tab)) === JSON.stringify(before), false);
		await tab.close();
	}
}

/** With the few colours of a high contrast theme nothing that is told by colour is lost. */
async function checkForcedColours() {
	for (const [folder, file] of [[deep, 'report.html'], [comparison, 'diff.html']]) {
		const tab = await openFile(join(folder, file), '#view=table');
		const session = await tab.createCDPSession();
		await session.send('Emulation.setEmulatedMedia', {features: [{name: 'forced-colors', value: 'active'}]});
		await settle(tab);
		const back = (selector) => tab.$eval(selector, (box) => getComputedStyle(box).backgroundColor);
		check(`${file}: forced colours are there`, await tab.evaluate(() => matchMedia('(forced-colors: active)').matches), true);
		check(`${file}: the view that is shown`, await back('#views [aria-selected=true]') ===
			await back('#views [aria-selected=false]'), false);
		const colours = await tab.$eval('#views [aria-selected=true]', (box) => {
			const {color, backgroundColor} = getComputedStyle(box);
			return color === backgroundColor;
		});
		check(`${file}: its name`, colours, false);
		for (const cell of ['td', 'td.name'])
			check(`${file}: the selected row, ${cell}`, await back(`#table tr[aria-selected=true] ${cell}`) ===
				await back('body'), false);
		if (file === 'diff.html')
			for (const [mark, row, behind] of [['zero', 'false', 'body'], ['point', 'false', 'body'], ['point', 'true', '#table td']])
				check(`${file}: the ${mark} of an interval`, await back(`tr[aria-selected=${row}] .interval .${mark}`) ===
					await back(behind), false);
		await go(tab, {view: 'flame'});
		const swatches = await tab.$$eval('#legend i', (all) => all.map((of) => getComputedStyle(of).backgroundColor));
		check(`${file}: the legend`, [swatches.length > 0, new Set(swatches).size], [true, swatches.length]);
		await tab.close();
	}
}

/** In windows that are too low for all, the views keep some height, and the page scrolls. */
async function checkLow() {
	for (const [folder, file] of [[deep, 'report.html'], [comparison, 'diff.html']]) {
		const tab = await openFile(join(folder, file));
		for (const [width, height] of [[320, 256], [640, 360]]) {
			await tab.setViewport({width, height});
			for (const [view, box] of [['flame', '#flame-graph'], ['table', '#table-rows']]) {
				await go(tab, {view});
				await settle(tab);
				const high = await tab.$eval(box, (of) => of.clientHeight);
				check(`${file}, ${width} x ${height}: the ${view} has some height`, high >= 80 ? 80 : high, 80);
			}
			await tab.evaluate(() => scrollTo(0, 9999));
			const end = await tab.$eval('footer', (of) => Math.round(of.getBoundingClientRect().bottom) - innerHeight);
			check(`${file}, ${width} x ${height}: its end can be scrolled to`, end, 0);
			await tab.evaluate(() => scrollTo(0, 0));
		}
		await tab.setViewport({width: 1300, height: 800});
		check(`${file}: a large window does not scroll`, await tab.evaluate(() =>
			document.documentElement.scrollHeight - innerHeight), 0);
		await tab.close();
	}
}

/** What is printed is all of the view, on white paper. */
async function checkPrint() {
	for (const [folder, file] of [[deep, 'report.html'], [comparison, 'diff.html']]) {
		const tab = await openFile(join(folder, file), '#view=table');
		await tab.setViewport({width: 1300, height: 500});
		await tab.emulateMediaFeatures([{name: 'prefers-color-scheme', value: 'dark'}]);
		await settle(tab);
		await tab.evaluate(() => {
			const note = () => ({rows: document.querySelectorAll('#table tbody tr:not(.gap)').length,
				left: document.querySelector('#table tbody tr:last-child').textContent,
				high: Number.parseFloat(document.querySelector('#flame canvas').style.height)});
			addEventListener('beforeprint', () => {
				window.printed = note();
			});
			window.note = note;
			readperf.table.order = new Array(300).fill(0);
			readperf.table.fill();
		});
		const before = await tab.evaluate(() => window.note());
		const pages = async () => Buffer.from(await tab.pdf()).toString('latin1').match(/\/Type \/Page\b/g).length;
		const count = await pages();
		const {rows, left} = await tab.evaluate(() => window.printed);
		check(`${file}: all rows are printed`, [rows, left], [300, '']);
		check(`${file}: on so many pages`, count >= 4 && count <= 24 ? 'some' : count, 'some');
		await settle(tab);
		check(`${file}: then there are as many rows as before`, await tab.evaluate(() => window.note()), before);
		const most = await tab.evaluate(() => {
			readperf.table.order = new Array(2500).fill(0);
			dispatchEvent(new Event('beforeprint'));
			dispatchEvent(new Event('afterprint'));
			return [window.printed.rows, window.printed.left];
		});
		check(`${file}: up to 2000 rows are printed`, most, [2000, '500 more rows are not printed']);
		await go(tab, {view: 'flame'});
		await settle(tab);
		const shown = await tab.evaluate(() => window.note().high);
		check(`${file}: a graph is printed on two pages at most`, await pages() <= 2, true);
		const all = await tab.evaluate(() => [window.printed.high, 18 * readperf.flame.rows.length]);
		check(`${file}: with all of its rows`, all[0], all[1]);
		await settle(tab);
		check(`${file}: then it is as high as before`, [await tab.evaluate(() => window.note().high), shown < all[1]], [shown, true]);
		await tab.emulateMediaType('print');
		const colours = await tab.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor,
			getComputedStyle(document.querySelector('#legend i')).printColorAdjust]);
		check(`${file}: colours on paper`, colours, ['rgb(26, 26, 26)', 'rgb(255, 255, 255)', 'exact']);
		check(`${file}: print: nothing complained`, tab.said, []);
		await tab.close();
	}
}

/** Escape in the list's filter is for the filter. */
async function checkFilter() {
	const tab = await open(demo, '#view=threads&threads=1');
	const rows = () => tab.evaluate(() => readperf.threadList.rows.length);
	const all = await rows();
	await tab.focus('#threads-filter');
	await tab.keyboard.type('child');
	check('filter: it finds some', await rows() < all, true);
	await press(tab, 'Escape');
	check('filter: Escape clears it', [await rows(), await tab.$eval('#threads-filter', (of) => of.value), (await state(tab)).threads],
		[all, '', '1']);
	await press(tab, 'Escape');
	check('filter: then it goes to the list', [await tab.evaluate(() => document.activeElement.id), (await state(tab)).threads],
		['threads-rows', '1']);
	await press(tab, 'Escape');
	check('filter: then it shows everything', (await state(tab)).threads, '');
	await tab.close();
}

/** While the help is there, nothing behind it can be reached. */
async function checkHelp() {
	for (const [folder, file] of [[deep, 'report.html'], [comparison, 'diff.html']]) {
		const tab = await openFile(join(folder, file));
		const focused = () => tab.evaluate(() => {
			const of = document.activeElement;
			return of === document.body ? 'body' : of.closest('#help') ? 'help' : of.id || of.textContent;
		});
		await tab.focus('[data-view=table]');
		await press(tab, '?');
		const reached = new Set();
		for (let i = 0; i < 5; i++) {
			reached.add(await focused());
			await press(tab, 'Tab');
		}
		reached.delete('body');
		check(`${file}: the keyboard stays in the help`, [...reached], ['help']);
		const {x, y} = await (await tab.$('[data-view=table]')).boundingBox();
		await tab.mouse.click(x + 2, y + 2);
		await tab.evaluate(() => readperf.rendered);
		check(`${file}: so does the mouse`, [(await state(tab)).view, (await state(tab)).help], ['flame', 1]);
		await press(tab, 'Escape');
		check(`${file}: Escape closes it, and the keyboard goes back`, [(await state(tab)).help, await tab.$eval('#help', (of) => of.open),
			await focused()], [0, false, 'Table']);
		await press(tab, '?');
		await tab.click('#help button');
		await tab.evaluate(() => readperf.rendered);
		check(`${file}: so does its button`, [(await state(tab)).help, await focused()], [0, 'Table']);
		check(`${file}: the help: nothing complained`, tab.said, []);
		await tab.close();
	}
}

/** Whatever the keyboard reaches says what it is; arrows lead through the names of the views. */
async function checkNames() {
	for (const [folder, file, views] of [[demo, 'report.html', ['flame', 'table', 'sandwich', 'source', 'assembly', 'threads', 'about']],
		[comparison, 'diff.html', ['flame', 'table', 'about']]]) {
		const tab = await openFile(join(folder, file));
		const session = await tab.createCDPSession();
		await session.send('Accessibility.enable');
		for (const view of views) {
			await go(tab, {view, function: 0});
			await settle(tab);
			const {nodes} = await session.send('Accessibility.getFullAXTree');
			const reached = nodes.filter((node) => node.properties?.some(({name, value}) => name === 'focusable' && value.value));
			const nameless = reached.filter(({name, role}) => !name?.value || ['generic', 'none'].includes(role.value));
			check(`${file}: ${view}: what is reached has a name`, [reached.length > 5, nameless.map(({role, name}) => [role, name])], [true, []]);
			const selected = await tab.$$eval('[aria-selected]', (all) => all.filter((of) => of.tagName === 'TR' &&
				of.closest('table').getAttribute('role') !== 'grid').length);
			check(`${file}: ${view}: rows that can be selected are those of a grid`, selected, 0);
		}
		check(`${file}: the search is called so`, await tab.$eval('#search', (of) => of.ariaLabel), 'Search');
		const heads = await tab.$$eval('#table th', (all) => all.map((of) => of.textContent));
		check(`${file}: columns have no invisible characters`, heads.filter((of) => !/^[a-z_]+$/.test(of)), []);
		await tab.focus('[data-view=flame]');
		await press(tab, 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'Enter');
		check(`${file}: arrows lead from view to view`, [(await state(tab)).view, await tab.evaluate(() =>
			document.activeElement.dataset.view)], ['table', 'table']);
		check(`${file}: names say what they control`, await tab.$$eval('[role=tab]', (all) => all.map((of) =>
			byId(of.getAttribute('aria-controls')).getAttribute('role'))), views.map(() => 'tabpanel'));
		await go(tab, {view: 'flame'});
		await tab.focus('#flame-graph');
		await press(tab, 'Tab');
		await tab.keyboard.down('Shift');
		await press(tab, 'Tab');
		await tab.keyboard.up('Shift');
		check(`${file}: it is seen that the keyboard is in the graph`, await tab.$eval('#flame canvas', (of) =>
			getComputedStyle(of).outlineWidth), '2px');
		await tab.close();
	}
}

/** Of a function that calls itself the view says which calls count. */
async function checkRecursive() {
	const note = ' · it calls itself: these are the callers and callees of its outermost calls';
	const tab = await open(deep, '#view=sandwich');
	for (const [row, name, isRecursive] of [[0, 'count_word: ', false], [2, 'compare: ', false], [3, 'count_words: ', true],
		[6, 'work: ', true]]) {
		await go(tab, {function: row});
		const shown = await text(tab, '#function');
		check(`recursion: what is said of ${name}`, [shown.startsWith(name), shown.endsWith(note)], [true, isRecursive]);
	}
	await tab.close();
}

/** In a frame that is another page's text the page works, but for its address. */
async function checkFrame() {
	const file = join(deep, 'frame.html');
	const quoted = readFileSync(join(deep, 'report.html'), 'utf8').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
	writeFileSync(file, `<!DOCTYPE html><iframe width="1000" height="700" srcdoc="${quoted}"></iframe>`);
	const tab = await browser.newPage();
	const said = [];
	tab.on('pageerror', (error) => said.push(String(error)));
	await tab.goto(pathToFileURL(file).href);
	const frame = await (await tab.$('iframe')).contentFrame();
	await frame.waitForFunction(() => document.documentElement.dataset.ready, {timeout: WAIT});
	for (const view of ['table', 'flame', 'threads']) {
		await frame.click(`[data-view=${view}]`);
		await frame.evaluate(() => readperf.rendered);
		check(`a frame: the view ${view}`, await frame.$$eval('section', (all) => all.filter((of) => !of.hidden).map((of) => of.id)),
			[view]);
	}
	check('a frame: nothing complained', said, []);
	await tab.close();
}

/** The table finds what it shows, and a search ends in time, whatever it finds. */
async function checkSearched() {
	const tab = await open(stripped, '#view=table&search=unknown');
	check('search: rows that read [unknown]', await tab.$$eval('#table td.name', (all) => all.map((of) => of.textContent)),
		['[unknown]']);
	const slow = await tab.evaluate(() => {
		let names = 0;
		const name = () => {
			for (const end = performance.now() + 2; performance.now() < end;);
			names++;
			return 'name';
		};
		const {problem} = new Search({count: 1000, name, function: []}, 'no such name');
		return [problem, names < 100];
	});
	check('search: without a match it ends, too', slow, ['took too long: not all names were tried', true]);
	await tab.close();
}

/** With one event there is no next one; the bars of time are dark on light, and light on dark. */
async function checkSmall() {
	for (const [folder, file] of [[deep, 'report.html'], [comparison, 'diff.html']]) {
		const tab = await openFile(join(folder, file), '#zoom=3');
		await press(tab, 'e');
		check(`${file}: e with one event`, (await state(tab)).zoom, '3');
		await tab.close();
	}
	const tab = await open(deep);
	const colour = () => tab.$eval('#timeline', (of) => {
		const [red, green, blue] = of.getContext('2d').getImageData(5, of.height - 3, 1, 1).data;
		return [red, green, blue];
	});
	const seen = [];
	for (const value of ['light', 'dark']) {
		await tab.emulateMediaFeatures([{name: 'prefers-color-scheme', value}]);
		await settle(tab);
		seen.push(await colour());
	}
	check('the bars of time, light and dark', seen, [[0x0b, 0x5c, 0xad], [0x7d, 0xb8, 0xf0]]);
	await tab.close();
}

/** Of a page whose end is missing there is a sentence, which says so. */
async function checkCut() {
	const file = join(deep, 'cut.html');
	const whole = readFileSync(join(deep, 'report.html'), 'utf8');
	writeFileSync(file, whole.slice(0, whole.lastIndexOf('<script>') + 1000));
	const tab = await browser.newPage();
	await tab.goto(pathToFileURL(file).href);
	const seen = await tab.evaluate(() => document.body.innerText.trim());
	check('a page that is cut off says so', seen.endsWith('With these, the file is damaged: its end is missing, or more.'), true);
	await tab.close();
}

/** A page that a browser has saved, with all that it had made, is the same page. */
async function checkSaved() {
	for (const [folder, file, views] of [[demo, 'report.html', ['flame', 'table', 'sandwich', 'source', 'assembly', 'threads', 'about']],
		[comparison, 'diff.html', ['flame', 'table', 'about']]]) {
		const tab = await openFile(join(folder, file));
		const seen = async (of) => {
			const found = [];
			for (const view of views) {
				await go(of, {view, function: 0});
				await settle(of);
				found.push(await of.evaluate(() => document.querySelector('main').innerText));
			}
			await go(of, {help: 1});
			found.push(await of.evaluate(() => ['canvas', 'table', 'option', '#help dt', '#about h2'].map((name) =>
				document.querySelectorAll(name).length)));
			return found;
		};
		const expected = await seen(tab);
		const saved = join(folder, 'saved.html');
		writeFileSync(saved, await tab.evaluate(() => `<!DOCTYPE html>\n${document.documentElement.outerHTML}`));
		const copy = await openFile(saved);
		check(`${file}: a saved copy shows the same`, await seen(copy), expected);
		await checkQuiet(copy, `${file}, saved`);
		await copy.close();
		await tab.close();
	}
}

/** A recording without events has a page that says so. */
async function checkNothing() {
	const tab = await open(nothing);
	check('no events: the page says so', (await text(tab, '#about')).includes('The recording has no events: nothing was counted.'),
		true);
	check('no events: nothing else is seen', await tab.$$eval('section, #timeline, header select, header button', (all) =>
		all.filter((of) => of.offsetParent).map((of) => of.id)), ['about']);
	await press(tab, 's', 'ArrowDown', 'n', 'w', 'e', 'Escape', 'd', 't', 'Enter');
	check('no events: nothing complained', tab.said, []);
	await tab.close();
}

/** A span of time is a step, however it is dragged or moved by keys. */
async function checkSteps() {
	const tab = await open(deep);
	const steps = await tab.evaluate(() => history.length);
	const times = [''];
	for (const [from, to] of [[0.2, 0.6], [0.3, 0.5]]) {
		const bars = await (await tab.$('#timeline')).boundingBox();
		const at = (part) => [bars.x + bars.width * part, bars.y + bars.height / 2];
		await tab.mouse.move(...at(from));
		await tab.mouse.down();
		for (let i = 1; i <= 4; i++) {
			await tab.mouse.move(...at(from + (to - from) * i / 4));
			await settle(tab);
		}
		await tab.mouse.up();
		await settle(tab);
		times.push((await state(tab)).time);
	}
	check('steps: each drag is one', [new Set(times).size, await tab.evaluate(() => history.length)], [3, steps + 2]);
	for (const time of times.slice(0, 2).reverse()) {
		await tab.goBack();
		await settle(tab);
		check(`steps: Back goes to '${time}'`, (await state(tab)).time, time);
	}
	await press(tab, 'b', 'ArrowRight', 'ArrowRight', 'ArrowRight');
	check('steps: keys choose a span', (await state(tab)).time !== '', true);
	await tab.goBack();
	await settle(tab);
	check('steps: Back undoes it', (await state(tab)).time, '');
	check('steps: nothing complained', tab.said, []);
	await tab.close();
}

/** The keyboard is at the bars of time until a key is for the view. */
async function checkLeavingTime() {
	const tab = await open(demo);
	const time = async () => (await state(tab)).time;
	const focused = () => tab.evaluate(() => document.activeElement.id || document.activeElement.tagName);
	for (const [key, span] of [['ArrowRight', '0-13'], ['ArrowLeft', '114-127'], ['PageDown', '0-13'], ['PageUp', '114-127'],
		['Home', '0-13'], ['End', '114-127']]) {
		await press(tab, 'b', key);
		check(`time: ${key} chooses a tenth`, [await time(), await focused()], [span, 'timeline']);
		await press(tab, 'Escape');
	}
	await press(tab, 'End', 'Home');
	check('time: Home moves a span to the start', await time(), '0-13');
	await press(tab, 'End');
	check('time: End moves it to the end', await time(), '114-127');
	for (const [key, view] of [['f', 'flame'], ['t', 'table'], ['s', 'sandwich'], ['l', 'source'], ['a', 'assembly'],
		['p', 'threads'], ['h', 'about']]) {
		await press(tab, 'b', key);
		check(`time: ${key} leads back to the view`, [(await state(tab)).view, await focused()], [view, 'BODY']);
		await press(tab, 'ArrowLeft', 'PageUp');
		check(`time: ... and the span stays after ${key}`, await time(), '114-127');
	}
	await press(tab, 'b', 't', 'End');
	const [selected, last] = await tab.evaluate(() => [readperf.table.selected, readperf.table.order.length - 1]);
	check('time: after t, End is for the table', [await time(), selected, last > 0], ['114-127', last, true]);
	await go(tab, {zoom: '1'});
	await press(tab, 'b', 'f', 'Escape');
	check('time: after f, Escape zooms out', [await time(), (await state(tab)).zoom], ['114-127', '']);
	await press(tab, 't', 'b', 'Enter');
	check('time: Enter leads to the view', [(await state(tab)).view, await focused()], ['sandwich', 'BODY']);
	await go(tab, {view: 'flame', search: 'word'});
	await press(tab, 'b', 'n');
	check('time: so does n', [await focused(), await time()], ['BODY', '114-127']);
	check('time: nothing complained', tab.said, []);
	await tab.close();
}

await run(async () => {
	await checkTimes();
	await checkStatus();
	await checkDeepZoom();
	await checkDoubleClick();
	await checkSteps();
	await checkLeavingTime();
	await checkKeysOfCallers();
	await checkKeysScroll();
	await checkFound();
	await checkSelection();
	await checkForcedColours();
	await checkLow();
	await checkPrint();
	await checkFilter();
	await checkHelp();
	await checkNames();
	await checkRecursive();
	await checkFrame();
	await checkSearched();
	await checkSmall();
	await checkCut();
	await checkSaved();
	await checkNothing();
});

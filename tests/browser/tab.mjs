// What the checks of all pages share: the browser, pages in it, and how many checks have passed.
// BROWSER is the path of Chromium; puppeteer-core is below the folder that the first argument names.
import {appendFileSync, mkdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {pathToFileURL} from 'node:url';

export const build = resolve(process.argv[2]);
export const pictures = join(build, 'pictures');
const require = createRequire(join(build, 'package.json'));
const {default: puppeteer} = await import(pathToFileURL(require.resolve('puppeteer-core')));

export const WAIT = 10000; /* ms until something that should happen has not */
let passed = 0;
let failed = 0;

/** Counts whether is equals expected. */
export function check(what, is, expected) {
	const ok = isDeepStrictEqual(is, expected);
	console.log(`${ok ? 'ok      ' : 'FAILED  '} ${what}`);
	if (!ok)
		console.log(`    is ${JSON.stringify(is)?.slice(0, 400)}\n    not ${JSON.stringify(expected)?.slice(0, 400)}`);
	ok ? passed++ : failed++;
}

export const browser = await puppeteer.launch({
	executablePath: process.env.BROWSER,
	headless: 'shell',
	args: ['--no-sandbox', '--disable-gpu'],
});
mkdirSync(pictures, {recursive: true});

/** Opens the page in file; what it says, asks for or shows as a dialog is in tab.said. */
export async function openFile(file, hash = '') {
	const tab = await browser.newPage();
	tab.said = [];
	tab.on('console', (message) => tab.said.push(message.text()));
	tab.on('pageerror', (error) => tab.said.push(String(error)));
	tab.on('dialog', (dialog) => {
		tab.said.push('a dialog');
		dialog.dismiss();
	});
	tab.on('request', (request) => {
		if (request.url().split('#')[0] !== String(pathToFileURL(file)))
			tab.said.push(`asks for ${request.url()}`);
	});
	await tab.setViewport({width: 1300, height: 800});
	await tab.goto(pathToFileURL(file) + hash);
	await tab.waitForFunction(() => document.documentElement.dataset.ready, {timeout: WAIT});
	return tab;
}

/** Changes the state, as links do, and waits until it is shown. */
export async function go(tab, changes) {
	await tab.evaluate(async (to) => {
		readperf.state.set(to);
		await readperf.rendered;
	}, changes);
}

/** Presses keys, and waits until what they do is shown. */
export async function press(tab, ...keys) {
	for (const key of keys) {
		await tab.keyboard.press(key);
		await tab.evaluate(() => readperf.rendered);
	}
}

export const state = (tab) => tab.evaluate(() => ({...readperf.state.values}));
export const text = (tab, selector) => tab.$eval(selector, (found) => found.textContent);

/** Nothing that a name says has become an element; nothing was asked for or complained of. */
export async function checkQuiet(tab, name) {
	const elements = await tab.evaluate(() => {
		const allowed = new Set(('HTML HEAD META TITLE STYLE BODY P DIV HEADER SPAN BUTTON U UL LI LABEL SELECT ' +
			'OPTION INPUT OUTPUT MAIN SECTION NAV I H1 H2 FOOTER SCRIPT CANVAS TABLE CAPTION DIALOG THEAD TBODY TR TH TD DL DT DD WBR')
			.split(' '));
		const packed = [...document.querySelectorAll('script')].filter((script) => script.type).length;
		return {strange: [...document.querySelectorAll('*')].map((e) => e.tagName).filter((t) => !allowed.has(t)),
			scripts: document.scripts.length - packed, handlers: document.querySelectorAll('[onerror]').length};
	});
	check(`${name}: no element is made of names`, elements, {strange: [], scripts: 1, handlers: 0});
	check(`${name}: no request, no complaint`, tab.said, []);
}

/** On paper no column of the table in file is cut off. */
export async function checkPaper(file) {
	const tab = await openFile(file, '#view=table');
	await tab.emulateMediaType('print');
	for (const width of [718, 1047]) { /* A4, upright and across */
		await tab.setViewport({width, height: 1000});
		await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
		const cells = await tab.$$eval('#table-rows th, #table-rows td', (all) => all
			.filter((cell) => cell.offsetWidth && !cell.closest('.gap'))
			.map((cell) => [cell.getBoundingClientRect().right > innerWidth || cell.scrollWidth > cell.clientWidth + 1,
				cell.textContent]));
		check(`paper of ${width} px: there are columns`, cells.length > 7, true);
		check(`paper of ${width} px: all columns are on it`, cells.filter(([isCut]) => isCut), []);
		const name = await tab.$eval('#table-rows th.name', (cell) => cell.offsetWidth);
		check(`paper of ${width} px: names have room`, name >= 100 ? 'some' : name, 'some');
	}
	await tab.close();
}

/** A picture of what is seen, to be looked at by people. */
export async function picture(tab, name) {
	await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
	await tab.screenshot({path: join(pictures, `${name}.png`)});
}

/** Runs the checks, says how many have passed, or adds that to the file COUNTS, and ends the program. */
export async function run(checks) {
	try {
		await checks();
	} catch (error) {
		failed++;
		console.log(`FAILED   ${error.stack}`);
	} finally {
		await browser.close();
	}
	if (process.env.COUNTS)
		appendFileSync(process.env.COUNTS, `${passed} ${failed}\n`);
	else
		console.log(`${passed} passed, ${failed} failed`);
	process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

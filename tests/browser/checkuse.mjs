// checkuse.mjs BUILD DEEP DEMO: uses the page of a recording with deep call chains, and that of the bundled
// one, as people do: by mouse, by keys, in small windows.
import {join, resolve} from 'node:path';
import {check, openFile, run} from './tab.mjs';

const [deep, demo] = process.argv.slice(3).map((path) => resolve(path));
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

await run(async () => {
	await checkTimes();
});

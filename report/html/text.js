// Numbers and names as people read them. Names come from the recording: whatever could hide or turn
// text around is shown as a mark, and they only ever become text.

// Controls, formats, separators of lines, and what Unicode calls ignorable by default: as util/charwidth.c.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const NAME_MAX = 1000;

/** The name as it is shown. */
function shownName(name) {
	return (name.length > NAME_MAX ? name.slice(0, NAME_MAX) + '…' : name).replace(HIDDEN, '\ufffd');
}

/** 1234567 as 1,234,567. */
function shownCount(number) {
	return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Three digits of a number, or all before the point. */
function threeDigits(number) {
	const rounded = number.toPrecision(3);
	return rounded.includes('e') ? String(Math.round(number)) : rounded;
}

/** Nanoseconds in the unit that suits them: what would be 1000 of one is 1.00 of the next. */
function shownTime(ns) {
	const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs']];
	for (const [size, unit] of units)
		if (Math.abs(Number((ns / size).toPrecision(3))) >= 1)
			return `${threeDigits(ns / size)} ${unit}`;
	return `${ns} ns`;
}

/** A number of samples, or a period of the event: the time it is, or how many events. */
function shownWeight(number, weight, event) {
	if (weight === 'period' && event.time)
		return shownTime(number);
	return shownCount(number);
}

function shownPercent(part, whole) {
	return whole > 0 ? `${(100 * part / whole).toFixed(2)} %` : '0.00 %';
}

/** 100 * part / whole with four decimals, half rounded up, of BigInts: as in results.csv. */
function exactPercent(part, whole) {
	if (whole === 0n)
		return '0.0000';
	const digits = String((part * 2000000n + whole) / (2n * whole)).padStart(5, '0');
	return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/** A new element with a class and text. */
function element(name, className, text) {
	const made = document.createElement(name);
	if (className)
		made.className = className;
	if (text !== undefined)
		made.textContent = text;
	return made;
}

/** Calls act with true before the page is printed, and with false after that. */
function onPrint(act) {
	addEventListener('beforeprint', () => act(true));
	addEventListener('afterprint', () => act(false));
}

/** Calls act when light and dark change while the page is there. */
function onColourScheme(act) {
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', act);
}

/** Calls act for clicks on box, but not for those that end a selection of text. */
function onClick(box, act) {
	let before = '';
	box.addEventListener('mousedown', () => {
		before = String(getSelection());
	});
	box.addEventListener('click', (event) => {
		const selected = String(getSelection());
		if (!selected || selected === before)
			act(event);
	});
}

function byId(id) {
	return document.getElementById(id);
}

// The keyboard: everything that the mouse can do.

const SCROLL_STEP = 40; /* pixels */

const KEYS_EVERYWHERE = [
	['Page Up, Page Down', 'scroll the graph; select rows that are further away'],
	['Tab, Enter', 'to whatever can be clicked, and click it: heads of columns sort by them'],
	['?', 'this'],
];

const KEYS = [
	['f', 'flame graph'],
	['t', 'table of functions'],
	['s', 'callers and callees of the selected function, also of one among these'],
	['p', 'processes and threads, to choose from'],
	['l', 'source lines of the selected function'],
	['a', 'assembly: instructions of the selected function'],
	['h', 'header: what the recording says of itself'],
	['arrows', 'select: caller, callee, neighbours; rows of the table, which scrolls sideways; '
		+ 'scroll the header'],
	['Enter', 'zoom into the selected frame; callers and callees of the selected row; from a source line to its '
		+ 'instructions, from a jump to its target, from another instruction to its line'],
	['Esc, Backspace', 'zoom out; then everything again; close this'],
	['Home, End', 'all of the graph; the first row, the last one'],
	['/', 'search: part of a name, or /regexp/'],
	['n, N', 'the next frame that matches, the one before'],
	['i', 'invert: what counted itself first, its callers below'],
	['r', 'root below, or on top'],
	['b', 'to the bars of time: arrows choose and move a span, with Shift its end; '
		+ 'the key of a view leads back'],
	['Space, Enter', 'in the list of threads: add the selected one, choose it alone'],
	['x', 'everything again: no span, all threads'],
	['e', 'next event: all of it, without the span, threads and zoom of this one'],
	['w', 'weight: period or samples'],
	['c', 'colour by binary or by kind'],
	['d', 'download the table as CSV'],
	...KEYS_EVERYWHERE,
	['click', 'zoom into a frame; callers and callees of a row; of the threads only this one; '
		+ 'select a line'],
	['double click', 'callers and callees of a frame; as Enter, of a line or an instruction'],
	['Ctrl and click', 'in the list of threads: add one, or take it away'],
	['drag', 'over the bars of time: choose a span; a click chooses all of it again'],
];

function showHelp(box, keys = KEYS) {
	const close = element('button', '', 'Close (Esc)');
	close.addEventListener('click', () => byId('help-button').click());
	box.replaceChildren(element('h2', '', 'Keys and mouse'), close, definitions(keys));
	box.removeAttribute('open'); /* as it is in a saved copy, but not modal */
}

/** Opens or closes the help: the keyboard goes there and stays, then it goes back. */
function openHelp(box, isOpen) {
	if (isOpen && !box.open)
		box.showModal();
	else if (!isOpen)
		box.close();
}

/** Scrolls box as a browser does where the keyboard is in it; false if the key is for others. */
function scrollByKey(box, key) {
	const page = box.clientHeight * 0.9;
	const down = {ArrowUp: -SCROLL_STEP, ArrowDown: SCROLL_STEP, PageUp: -page, PageDown: page,
		' ': page, Home: -box.scrollHeight, End: box.scrollHeight}[key];
	const right = {ArrowLeft: -SCROLL_STEP, ArrowRight: SCROLL_STEP}[key];
	if (!down && !right)
		return false;
	box.scrollBy(right ?? 0, down ?? 0);
	return true;
}

/** Scrolls where keys select nothing: the header, and the table sideways; false if key does not. */
function scrollView(key) {
	if (!byId('about').hidden)
		return scrollByKey(byId('about'), key);
	const isSideways = key === 'ArrowLeft' || key === 'ArrowRight';
	return isSideways && !byId('table').hidden && scrollByKey(byId('table-rows'), key);
}

/** Calls the page's functions for keys; does maps keys to functions, which return false where
 * they do nothing. */
function listenToKeys(does) {
	document.addEventListener('keydown', (event) => {
		const typing = event.target.matches('input[type=search], select');
		if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== 'Escape'))
			return;
		if (event.target.matches('button, input[type=checkbox]') && (event.key === 'Enter' || event.key === ' '))
			return;
		if (byId('help').open && !['?', 'Escape', 'Backspace'].includes(event.key))
			return;
		const act = does[event.key];
		if (scrollView(event.key) || (act && act(event) !== false))
			event.preventDefault();
	});
}

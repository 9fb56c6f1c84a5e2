// The keyboard: everything that the mouse can do.

const KEYS_EVERYWHERE = [
	['Page Up, Page Down', 'scroll the graph; select rows that are further away'],
	['Tab, Enter', 'to whatever can be clicked, and click it: heads of columns sort by them'],
	['?', 'this'],
];

const KEYS = [
	['f', 'flame graph'],
	['t', 'table of functions'],
	['s', 'callers and callees of the selected function'],
	['p', 'processes and threads, to choose from'],
	['l', 'source lines of the selected function'],
	['a', 'assembly: instructions of the selected function'],
	['h', 'header: what the recording says of itself'],
	['arrows', 'select: caller, callee, neighbours; rows of the table'],
	['Enter', 'zoom into the selected frame; callers and callees of the selected row; from a source line to its '
		+ 'instructions, from a jump to its target, from another instruction to its line'],
	['Esc, Backspace', 'zoom out; then everything again; close this'],
	['Home', 'all of the graph'],
	['/', 'search: part of a name, or /regexp/'],
	['n, N', 'the next frame that matches, the one before'],
	['i', 'invert: what counted itself first, its callers below'],
	['r', 'root below, or on top'],
	['b', 'to the bars of time: arrows choose and move a span, with Shift its end'],
	['Space, Enter', 'in the list of threads: add the selected one, choose it alone'],
	['x', 'everything again: no span, all threads'],
	['e', 'next event'],
	['w', 'weight: period or samples'],
	['c', 'colour by binary or by kind'],
	['d', 'download the table as CSV'],
	...KEYS_EVERYWHERE,
	['click', 'zoom into a frame; callers and callees of a row; of the threads only this one; a line\'s instructions'],
	['double click', 'callers and callees of a frame'],
	['Ctrl and click', 'in the list of threads: add one, or take it away'],
	['drag', 'over the bars of time: choose a span; a click chooses all of it again'],
];

function showHelp(box, keys = KEYS) {
	const close = element('button', '', 'Close (Esc)');
	close.addEventListener('click', () => byId('help-button').click());
	box.replaceChildren(element('h2', '', 'Keys and mouse'), close, definitions(keys));
}

/** Opens or closes the help: the keyboard goes there, and back to where it was. */
function openHelp(box, isOpen) {
	if (box.hidden === !isOpen)
		return;
	box.hidden = !isOpen;
	if (isOpen)
		box.cameFrom = document.activeElement;
	(isOpen ? box.querySelector('button') : box.cameFrom)?.focus();
}

/** Calls the page's functions for keys; does maps keys to functions. */
function listenToKeys(does) {
	document.addEventListener('keydown', (event) => {
		const typing = event.target.matches('input[type=search], select');
		if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== 'Escape'))
			return;
		if (event.target.matches('button, input[type=checkbox]') && (event.key === 'Enter' || event.key === ' '))
			return;
		if (!byId('help').hidden && !['?', 'Escape', 'Backspace'].includes(event.key))
			return;
		const act = does[event.key];
		if (!act)
			return;
		event.preventDefault();
		act(event);
	});
}

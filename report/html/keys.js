// The keyboard: everything that the mouse can do.

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
	['?', 'this'],
	['double click', 'callers and callees of a frame'],
];

function showHelp(box, keys = KEYS) {
	const close = element('button', '', 'Close (Esc)');
	close.addEventListener('click', () => byId('help-button').click());
	box.replaceChildren(element('h2', '', 'Keys'), definitions(keys), close);
}

/** Calls the page's functions for keys; does maps keys to functions. */
function listenToKeys(does) {
	document.addEventListener('keydown', (event) => {
		const typing = event.target.matches('input[type=search], select');
		if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== 'Escape'))
			return;
		if (event.target.matches('button') && (event.key === 'Enter' || event.key === ' '))
			return;
		const act = does[event.key];
		if (!act)
			return;
		event.preventDefault();
		act(event);
	});
}

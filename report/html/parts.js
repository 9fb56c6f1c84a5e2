// What the pages of a run and of a comparison have in common: their parts outside of the views, and how they start.

const STATUS_LETTER = 9; /* pixels that a letter of the status takes at most, on average */
const STATUS_LEAST = 24; /* letters of a name that are shown in any case */

/** The frames from the root down to node zoom of tree, each as a button that calls go with its node. */
function showCrumbs(tree, zoom, go) {
	const crumbs = [];
	for (let node = zoom; ; node = tree.parent[node]) {
		const crumb = element('button', '', shownName(tree.frames.name(tree.frame[node])));
		crumb.addEventListener('click', () => go(node));
		crumbs.unshift(crumb);
		if (node === 0)
			break;
	}
	byId('crumbs').replaceChildren(...crumbs);
}

/** The name without its middle, if it would take more than a line of the window. */
function shortName(name) {
	const most = Math.max(Math.floor(innerWidth / STATUS_LETTER), STATUS_LEAST);
	return name.length <= most ? name
		: `${name.slice(0, Math.ceil(most / 2))}…${name.slice(1 - Math.floor(most / 2))}`;
}

/** Has box say a name, of which only the title has all, and words: what is known of it. */
function sayOf(box, name, words) {
	const shown = shownName(name);
	box.textContent = [shortName(shown), ...words].join(' · ');
	box.title = [shown, ...words].join(' · ');
}

/** Has box say text. */
function say(box, text) {
	box.textContent = box.title = text;
}

/** Text that can be clicked, also by keys; unlike that of a button it can be selected. */
function clickable(text) {
	const made = element('span', '', text);
	made.tabIndex = 0;
	made.setAttribute('role', 'button');
	made.addEventListener('keydown', (event) => {
		if (event.key !== 'Enter' && event.key !== ' ')
			return;
		event.preventDefault();
		event.stopPropagation();
		made.click();
	});
	return made;
}

/** Has box hold table, and the keyboard stay at the row where it is. */
function replaceTable(box, table) {
	const rows = () => [...box.querySelectorAll('[role=button]')];
	const at = rows().indexOf(document.activeElement);
	box.replaceChildren(table);
	if (at >= 0)
		(rows()[at] ?? rows()[0])?.focus();
}

/** What the colours mean: pairs of a text and a colour. */
function showLegend(legend) {
	byId('legend').replaceChildren(...legend.map(([text, colour]) => {
		const entry = element('span', '', text);
		const mark = element('i');
		mark.style.background = colour;
		entry.prepend(mark);
		return entry;
	}));
}

/** Arrows lead from a name of a view to the next one. */
function focusNext(event) {
	const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
	if (!by)
		return;
	const all = [...byId('views').children];
	all[(all.indexOf(event.target) + by + all.length) % all.length].focus();
	event.preventDefault();
	event.stopPropagation();
}

/** Listens to the controls that all pages have; page answers them. */
function listenToControls(page) {
	const {state} = page;
	for (const button of byId('views').children)
		button.addEventListener('click', (e) => {
			if (e.detail) /* by mouse: the keys are for the view then */
				button.blur();
			page.open(button.dataset.view);
		});
	byId('views').addEventListener('keydown', focusNext);
	byId('event').addEventListener('change', (e) => page.setEvent(Number(e.target.value)));
	byId('inverted').addEventListener('change', (e) => state.set({inverted: Number(e.target.checked), zoom: ''}));
	byId('flipped').addEventListener('change', (e) => state.set({flipped: Number(e.target.checked)}));
	byId('search').addEventListener('input', (e) => state.set({search: e.target.value}, true));
	byId('search').addEventListener('keydown', (e) => {
		if (e.key !== 'Enter')
			return;
		e.target.blur();
		if (byId('table').hidden)
			page.nextMatch(1);
		else
			byId('table-rows').focus();
	});
	byId('help-button').addEventListener('click', () => state.set({help: state.values.help ? 0 : 1}, true));
	byId('help').addEventListener('cancel', (e) => {
		e.preventDefault();
		state.set({help: 0}, true);
	});
	byId('download').addEventListener('click', () => page.download());
}

/** Selects the next node that matches in the graph upside down, or the one before. */
async function nextInverted(page, by) {
	if (byId('flame').hidden)
		page.state.set({view: 'flame'});
	await page.rendered;
	const node = page.search.stepIn(page.flame, by);
	if (node >= 0)
		page.flame.select(node);
}

/**
 * Starts the page that make(run, strings) returns, whose help has these keys; it can be reached as `readperf` from the
 * console. Old browsers keep the sentence that stands there instead. All that is made takes the
 * place of what is there: browsers save a page with what it has made.
 */
async function startPage(make, keys) {
	if (typeof DecompressionStream !== 'function')
		return;
	delete document.documentElement.dataset.ready;
	const run = JSON.parse(byId('run').textContent);
	const strings = await unpackStrings();
	byId('old').hidden = true;
	byId('app').hidden = false;
	const page = window.readperf = await make(run, strings);
	byId('event').replaceChildren(...run.events.map((event, i) => {
		const option = element('option', '', shownName(strings[event.name]));
		option.value = i;
		return option;
	}));
	showHelp(byId('help'), keys);
	page.state.read();
	await page.rendered;
	document.documentElement.dataset.ready = Math.round(performance.now());
}

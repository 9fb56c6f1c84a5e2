// The page of a comparison: what is shown follows from the state, and what people do changes the state.

const DIFF_START = {
	event: 0, weight: '', view: 'flame', inverted: 0, flipped: 0, zoom: '', function: -1, search: '', verdict: '',
	sort: '', help: 0,
};

const DIFF_KEYS = [
	['f', 'flame graph'],
	['t', 'table; the row of the selected function'],
	['h', 'header: totals, remarks, runs'],
	['arrows', 'select: caller, callee, neighbours; rows of the table, which scrolls sideways; '
		+ 'scroll the header'],
	['Enter', 'zoom into the selected frame; the function of the selected row in the flame graph'],
	['Esc, Backspace', 'zoom out; close this'],
	['Home, End', 'all of the graph; the first row, the last one'],
	['/', 'search: part of a name, or /regexp/'],
	['n, N', 'the next frame that matches, the one before'],
	['i', 'invert: what counted itself first, its callers below'],
	['r', 'root below, or on top'],
	['e', 'next event'],
	['w', 'next weight: period or samples per run, rate, share'],
	['v', 'rows of the next verdict'],
	['d', 'download the table as CSV'],
	...KEYS_EVERYWHERE,
	['click', 'zoom into a frame; the function of a row in the flame graph'],
	['double click', 'the row of a frame'],
];

const VERDICTS = ['', 'changed', 'unsure', 'same'];

/** What a weight is called, and how it is shown. */
const WEIGHT_WORDS = {period: 'period per run', rate: 'period per second', share: 'share', samples: 'samples per run'};

function shownSide(number, weight, event) {
	if (weight === 'share')
		return `${number.toFixed(2)} %`;
	if (weight === 'samples')
		return shownCount(Number(number.toFixed(number < 100 ? 1 : 0)));
	return shownWeight(Math.round(number), 'period', event) + (weight === 'rate' ? '/s' : '');
}

/** Two digits of a factor, or all before the point. */
function shownFactor(factor) {
	return factor >= 99.5 ? shownCount(Math.round(factor)) : factor.toPrecision(2);
}

/** From one value to another: "1.2 s → 1.5 s (+25 %)". */
function shownChange(from, to, weight, event) {
	const change = from === to ? '0 %' : !from ? 'new' : !to ? 'gone'
		: to >= 2 * from ? `x ${shownFactor(to / from)}`
			: `${withSign(Number((100 * (to / from - 1)).toPrecision(2)))} %`;
	return `${shownSide(from, weight, event)} → ${shownSide(to, weight, event)} (${change})`;
}

class DiffPage {
	constructor(run, strings) {
		this.run = run;
		this.strings = strings;
		this.by = strings[run.by];
		this.why = strings[run.why];
		this.loaded = []; /* by event: its rows, its tree */
		this.state = new State(() => {
			this.rendered = this.render();
		}, {...DIFF_START, view: this.why ? 'table' : 'flame'});
		this.flame = new Flame(byId('flame-graph'), 'Flame graph', {
			chosen: (node) => this.describe(node),
			opened: (node) => this.state.mark(() => this.zoomTo(node)),
			centred: (tree, node) => this.state.redo(() => this.openRow(this.rowOf(node, tree))),
		});
		this.table = new DiffTable(byId('table-rows'), {
			sorted: (name) => this.sortBy(name),
			opened: (row) => this.openFunction(row),
		}, run, strings);
		this.listen();
	}

	/** Rows and tree of an event, unpacked when it is first shown. */
	async load(number) {
		if (this.loaded[number])
			return this.loaded[number];
		const event = this.run.events[number];
		const rows = new DiffRows(await unpack('cells' + number), event.rows, this.run.columns, this.strings);
		let tree = null;
		event.nrRuns = this.run.sides.map((side) => side.runs.length);
		if (!this.why) {
			const functions = new DiffFunctions(await unpack('functions' + number), event.functions, this.strings);
			tree = new DiffTree(await unpack('tree' + number), await unpack('sides' + number), event, functions,
				this.strings);
		}
		const colours = tree && new DiffColours(tree.frames, rows, this.by);
		return this.loaded[number] = {event, rows, tree, colours};
	}

	/** Shows what the state says. */
	async render() {
		const s = this.state.values;
		if (!this.run.events.length)
			return;
		s.event = Math.min(Math.max(s.event, 0), this.run.events.length - 1);
		Object.assign(this, await this.load(s.event));
		this.weigh(this.weights().includes(s.weight) ? s.weight : this.by);
		this.find(s.search);
		this.showTotals();
		this.showControls();
		this.showView();
	}

	/** The weights that the event has. */
	weights() {
		const timed = this.event.oldSeconds > 0 && this.event.newSeconds > 0;
		return Object.keys(DIFF_WEIGHTS).filter((weight) => weight !== 'rate' || timed);
	}

	weigh(weight) {
		this.weight = weight;
		if (!this.tree || this.tree.weight === weight)
			return;
		this.tree.weigh(weight);
		this.inverted = null;
	}

	/** The search is done anew where text, tree or weight are others; sums are those of the sides. */
	find(text) {
		const {tree, rows} = this;
		if (this.search?.text === text && this.search.of === rows && this.search.weight === this.weight)
			return;
		const names = {count: rows.count + 1, name: (row) => rows.text('function', row),
			function: Array.from({length: rows.count}, (_, row) => row)};
		this.search = new Search(tree ? tree.frames : names, text);
		this.search.of = rows;
		this.search.weight = this.weight;
		if (!tree)
			return;
		const weighed = (total) => this.search.weigh(Object.assign(Object.create(tree), {total}));
		this.search.sums = tree.sides.map(weighed);
		weighed(tree.total); /* the widest comes first */
	}

	showTotals() {
		const {event, strings} = this;
		const most = Math.max(Math.abs(event.low), Math.abs(event.high));
		byId('totals').replaceChildren(element('span', '', shownName(strings[event.total])));
		if (event.low !== null && event.high !== null)
			byId('totals').append(drawInterval(event.low, event.percent, event.high, most * 1.1));
		byId('sides').textContent = this.run.sides.map((side) => shownName(strings[side.name]) + ': ' +
			side.runs.map((run) => shownName(strings[run])).join(', ')).join(' → ');
		byId('sides').title = byId('sides').textContent;
		const remarks = this.run.remarks.map((remark) => strings[remark]);
		if (this.why)
			remarks.unshift(this.why);
		byId('remarks').replaceChildren(...remarks.map((remark) => element('li', '', shownName(remark))));
		byId('remarks').hidden = !remarks.length;
	}

	showControls() {
		const s = this.state.values;
		const weights = this.weights();
		byId('event').value = s.event;
		byId('weight').replaceChildren(...weights.map((weight) => {
			const option = element('option', '', WEIGHT_WORDS[weight] + (weight === this.by ? ' (compared)' : ''));
			option.value = weight;
			return option;
		}));
		byId('weight').value = this.weight;
		byId('verdict').value = VERDICTS.includes(s.verdict) ? s.verdict : '';
		byId('inverted').checked = s.inverted > 0;
		byId('flipped').checked = s.flipped > 0;
		if (byId('search') !== document.activeElement)
			byId('search').value = s.search;
		byId('matched').textContent = s.search ? this.matched() : '';
		byId('notes').textContent = this.notes().map(([what, text]) => `${what}: ${text}`).join(' · ');
		openHelp(byId('help'), s.help > 0);
	}

	/** What the search has found. */
	matched() {
		const {search, tree, event} = this;
		const functions = `${shownCount(search.functions)} function${search.functions === 1 ? '' : 's'}`;
		if (search.problem || !tree)
			return search.problem || functions;
		return `${functions}: ${shownChange(...search.sums, this.weight, event)}`;
	}

	/** What to know of the event: [what, text]. */
	notes() {
		const {event, rows, table} = this;
		const counts = {changed: 0, unsure: 0, same: 0};
		table.rows = rows;
		for (let row = 0; row < rows.count; row++)
			counts[table.group(row)]++;
		const notes = [...Object.entries(counts).map(([verdict, count]) => [verdict, shownCount(count)]),
			['samples', `${shownCount(event.oldSamples)} → ${shownCount(event.newSamples)}`],
			['colours', `verdicts on functions ${this.run.children ? 'with their callees' : 'themselves'}`]];
		if (!this.run.chains && !this.why)
			notes.push(['call chains', 'missing in some runs: perf record -g records them']);
		if (event.folded)
			notes.push(['folded into [rest]', `${shownCount(event.folded)} of ${shownCount(event.paths)} paths: ` +
				'--html-size has room for more']);
		return notes;
	}

	showView() {
		const s = this.state.values;
		const views = {flame: () => this.showFlame(), table: () => this.showTable(), about: () => this.showAbout()};
		const view = Object.hasOwn(views, s.view) ? s.view : 'flame';
		for (const name of Object.keys(views))
			byId(name).hidden = name !== view;
		for (const button of byId('views').children)
			button.setAttribute('aria-selected', button.dataset.view === view);
		views[view]();
	}

	showFlame() {
		const {tree} = this;
		byId('why').hidden = Boolean(tree);
		byId('why').textContent = this.why;
		if (!tree) {
			this.describeRow(-1);
			return;
		}
		const s = this.state.values;
		const shown = s.inverted ? this.invert(s.zoom) : tree;
		const asked = s.inverted ? shown.zoom : pathNumbers(s.zoom)[0] ?? 0;
		const zoom = asked < shown.count ? asked : 0;
		showLegend(this.colours.legend);
		showCrumbs(shown, zoom, (node) => this.zoomTo(node));
		this.flame.hits = this.search.hits;
		this.flame.show(shown, zoom, s.flipped > 0, this.colours);
		if (this.wantSelected !== undefined) {
			this.flame.select(this.wantSelected);
			this.wantSelected = undefined;
		}
		this.describe(this.flame.current);
	}

	invert(zoom) {
		if (this.inverted?.key !== zoom || this.inverted.source !== this.tree) {
			this.inverted = invertedDiff(this.tree, pathNumbers(zoom));
			this.inverted.key = zoom;
		}
		return this.inverted;
	}

	showTable() {
		const s = this.state.values;
		this.fillTable();
		byId('rows').textContent = `${shownCount(this.table.order.length)} of ${shownCount(this.rows.count)} functions`;
		if (s.function >= 0)
			this.table.select(s.function);
		this.table.wantFill();
		this.describeRow(this.table.order[this.table.selected] ?? -1);
	}

	fillTable() {
		const s = this.state.values;
		const key = [s.event, s.verdict, s.search, s.sort].join(' ');
		if (this.table.key !== key)
			this.table.show(this.rows, this.search, s.verdict, s.sort);
		this.table.key = key;
	}

	showAbout() {
		const {run, strings} = this;
		const named = (numbers) => numbers.map((number) => strings[number]);
		const parts = [element('h2', '', 'Totals'),
			definitions(run.events.map((event) => [strings[event.name], strings[event.total]])),
			element('h2', '', 'Event'), definitions(this.notes()), element('h2', '', 'Runs')];
		for (const side of run.sides)
			parts.push(definitions([[strings[side.name], named(side.runs).join(', ')]]));
		if (this.why)
			parts.push(element('p', '', this.why));
		parts.push(element('p', '', `Compared by ${WEIGHT_WORDS[this.by]}. Made by readperf ${strings[run.version]}.`));
		byId('about').replaceChildren(...parts);
	}

	/** The row of the function of a node of what is shown; -1 if it has none. */
	rowOf(node, tree = this.flame.tree) {
		const row = node >= 0 ? tree.frames.function[tree.frame[node]] : NO_FUNCTION;
		return row < this.rows.count ? row : -1;
	}

	/** Says what both sides counted on the path to node, and on its function; -1: on all. */
	describe(node) {
		const {tree} = this.flame;
		const at = Math.max(node, 0);
		const {frames} = tree;
		const frame = tree.frame[at];
		const row = frames.function[frame];
		const change = (sides) => shownChange(sides[0][at], sides[1][at], this.weight, this.event);
		const words = [change(tree.sides)];
		if (tree.selves && tree.wide[at])
			words.push(`itself ${change(tree.selves)}`);
		if (frames.inlined[frame])
			words.push('inlined');
		if (row !== NO_FUNCTION)
			words.push(...this.origin(row));
		sayOf(byId('status-path'), frames.name(frame), words);
		this.describeFunction(this.rowOf(at), row !== NO_FUNCTION);
	}

	/** Where a function comes from. */
	origin(row) {
		const text = (name) => shownName(this.tree.frames.functions.text(name, row));
		const line = this.tree.frames.functions.line(row);
		return [text('binary'), text('filename') && text('filename') + (line ? ':' + line : '')].filter((word) => word);
	}

	/** Says what is known of the function at row; -1: nothing, as it has no samples itself. */
	describeFunction(row, isFunction) {
		const {rows} = this;
		if (row < 0) {
			say(byId('status-function'), isFunction ? 'the function itself has no samples' : '');
			return;
		}
		const values = ['old_value', 'new_value'].map((name) => rows.number(name, row));
		say(byId('status-function'), [
			`the function ${this.run.children ? 'with its callees' : 'itself'}: ${rows.text('verdict', row)}`,
			shownChange(...values, this.by, this.event), changeInWords(rows, row), `q ${rows.text('q_value', row)}`,
		].join(' · '));
	}

	/** Says what is known of a row of the table. */
	describeRow(row) {
		if (row < 0)
			say(byId('status-path'), '');
		else
			sayOf(byId('status-path'), this.rows.text('function', row),
				[shownName(this.rows.text('binary', row))]);
		this.describeFunction(row, false);
	}

	zoomTo(node) {
		const inverted = this.state.values.inverted > 0;
		this.wantSelected = inverted ? undefined : node;
		this.state.set({zoom: inverted ? this.flame.tree.path(node).join('.') : node ? String(node) : ''});
	}

	zoomOut() {
		const s = this.state.values;
		if (s.help)
			this.state.set({help: 0}, true);
		else if (document.activeElement === byId('search'))
			byId('search').blur();
		else if (this.isFlame() && this.flame.zoom > 0)
			this.zoomTo(this.flame.tree.parent[this.flame.zoom]);
	}

	isFlame() {
		return Boolean(this.tree) && !byId('flame').hidden;
	}

	/** Shows a row of the table, whatever is searched. */
	openRow(row) {
		this.state.set(row < 0 ? {view: 'table'} : {view: 'table', function: row, search: '', verdict: ''});
	}

	/** Shows the function of a row in the flame graph. */
	openFunction(row) {
		const node = this.tree ? this.tree.widest(row) : -1;
		if (node < 0)
			this.state.set({function: row}, true);
		else
			this.show(node);
	}

	/** Selects a node, and zooms to it if it could hardly be seen. */
	show(node) {
		const s = this.state.values;
		const zoom = s.inverted ? 0 : pathNumbers(s.zoom)[0] ?? 0;
		const inside = zoom < this.tree.count && node >= zoom && node < this.tree.next[zoom];
		const visible = inside && this.tree.total[node] / this.tree.total[zoom] * innerWidth >= 4;
		this.wantSelected = node;
		this.state.set({view: 'flame', inverted: 0, zoom: !visible ? String(node) : s.inverted ? '' : s.zoom});
	}

	nextMatch(by) {
		if (this.state.values.inverted) {
			nextInverted(this, by);
			return;
		}
		const node = this.search.step(by);
		if (node >= 0)
			this.show(node);
	}

	sortBy(name) {
		const {sort} = this.state.values;
		const text = this.table.columns.find(([of]) => of === name)[3] === null;
		const [first, second] = text ? [name, '-' + name] : ['-' + name, name];
		this.state.set({sort: sort === first ? second : sort === second ? '' : first}, true);
	}

	nextEvent() {
		const {length} = this.run.events;
		if (length > 1)
			this.setEvent((this.state.values.event + 1) % length);
	}

	/** Another event has other numbers of nodes and functions. */
	setEvent(number) {
		this.state.set({event: number, zoom: '', function: -1});
	}

	listen() {
		listenToControls(this);
		byId('weight').addEventListener('change', (e) => this.state.set({weight: e.target.value === this.by ? '' : e.target.value}));
		byId('verdict').addEventListener('change', (e) => this.state.set({verdict: e.target.value, view: 'table'}));
		this.listenToKeys();
	}

	/** Opens a view; of the table the row of what is selected. */
	open(view) {
		const row = this.isFlame() && this.flame.selected > 0 ? this.rowOf(this.flame.selected) : -1;
		if (view === 'table' && row >= 0)
			this.state.set({view, function: row});
		else
			this.state.set({view});
	}

	listenToKeys() {
		const {state} = this;
		const click = (id) => () => byId(id).click();
		const arrow = (where, by) => () => this.move(where, by);
		const next = (list, value) => list[(list.indexOf(value) + 1) % list.length];
		listenToKeys({
			f: () => this.open('flame'), t: () => this.open('table'), h: () => this.open('about'),
			i: click('inverted'), r: click('flipped'), d: click('download'), '?': click('help-button'),
			Escape: () => this.zoomOut(), Backspace: () => this.zoomOut(),
			Home: () => this.moveToEnd(-1), End: () => this.moveToEnd(1),
			'/': () => byId('search').select(), n: () => this.nextMatch(1), N: () => this.nextMatch(-1),
			e: () => this.nextEvent(),
			w: () => state.set({weight: next(this.weights(), this.weight)}),
			v: () => state.set({verdict: next(VERDICTS, byId('verdict').value), view: 'table'}),
			Enter: () => this.enter(),
			ArrowUp: arrow('parent', -1), ArrowDown: arrow('child', 1),
			ArrowLeft: arrow('previous', -1), ArrowRight: arrow('next', 1),
			PageUp: () => this.movePage(-1), PageDown: () => this.movePage(1),
		});
	}

	/** Arrows: false where there is nothing to move. */
	move(where, by) {
		const turned = {parent: 'child', child: 'parent'};
		if (!this.isFlame())
			return where in turned && this.moveRow(by);
		this.flame.move(this.flame.flipped ? turned[where] ?? where : where);
		return true;
	}

	/** The row that is selected is in the address, too. False if there is none. */
	moveRow(by) {
		if (byId('table').hidden || !this.table.order.length)
			return false;
		this.table.move(by);
		this.state.set({function: this.table.order[this.table.selected]}, true);
		return true;
	}

	/** To the first row or the last one; to all of the graph. */
	moveToEnd(by) {
		if (!this.isFlame())
			return this.moveRow(by * Infinity);
		if (by < 0)
			this.state.set({zoom: ''});
		return by < 0;
	}

	movePage(by) {
		if (!this.isFlame())
			return this.moveRow(by * this.table.pageRows());
		this.flame.box.scrollBy(0, by * this.flame.height * 0.9);
		return true;
	}

	enter() {
		if (this.isFlame() && this.flame.selected >= 0)
			this.zoomTo(this.flame.selected);
		else if (!byId('table').hidden && this.table.order.length)
			this.openFunction(this.table.order[this.table.selected]);
	}

	download() {
		this.fillTable();
		saveAs('diff.csv', this.table.csv(this.run, this.strings));
	}
}

/** The numbers that the zoom is in the address: a node, or a path of frames where inverted. */
function pathNumbers(text) {
	return text ? text.split('.').map(Number).filter((number) => Number.isInteger(number) && number >= 0) : [];
}

startPage((run, strings) => {
	document.title = `${run.sides.map((side) => shownName(strings[side.name]).slice(0, 40)).join(' → ')} - readperf`;
	return new DiffPage(run, strings);
}, DIFF_KEYS);

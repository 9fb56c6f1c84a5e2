// The page: what is shown follows from the state, and what people do changes the state.

const PAGE_ROWS = 20; /* that Page Up and Page Down go, of rows that may have several heights */
const PREPARE_MS = 200; /* after the page is there, and between the things that are made then */

class Page {
	constructor(run, strings) {
		this.run = run;
		this.strings = strings;
		this.loaded = []; /* by event: its functions, its tree */
		this.state = new State(() => {
			this.rendered = this.render();
		});
		const chosen = (tree, node) => this.describe(tree, node);
		const centred = (row) => this.state.set({function: row, callers: '', callees: ''});
		this.flame = new Flame(byId('flame-graph'), 'Flame graph', {
			chosen: (node) => chosen(this.flame.tree, node),
			opened: (node) => this.state.mark(() => this.zoomTo(node)),
			centred: (tree, node) => this.state.redo(() => this.centre(tree, node)),
		});
		this.table = new FunctionTable(byId('table-rows'), {
			sorted: (name) => this.sortBy(name),
			opened: (row) => this.state.set({view: 'sandwich', function: row, callers: '', callees: ''}),
		});
		this.timeline = new Timeline(byId('timeline'), {
			chosen: (text) => say(byId('status'), text),
			left: () => this.describeShown(),
			spanned: (first, last, small) => this.state.set({time: `${first}-${last}`}, small),
			cleared: () => this.state.set({time: ''}),
		});
		this.threadList = new ThreadList(byId('threads-rows'), byId('threads-filter'), {
			chosen: (threads) => this.state.set({threads: writeRanges(threads.sort((a, b) => a - b))}),
		});
		this.sandwich = new Sandwich({
			chosen,
			zoomed: (which, path) => this.state.mark(() => this.state.set({[which]: path.join('.')})),
			centred,
			recentred: (row) => this.state.redo(() => centred(row)),
			lineOpened: (line) => this.openLine(line.filename, line.line),
		});
		const said = (row) => this.describeCode(row);
		this.source = new SourceView({chosen: said, opened: (row) => this.openInstructions(row)});
		this.assembly = new AssemblyView({chosen: said, opened: (row) => this.followInstruction(row)});
		if (run.events.length)
			this.listen();
	}

	/** Functions and tree of an event, unpacked when it is first shown. */
	async load(number) {
		if (this.loaded[number])
			return this.loaded[number];
		const event = this.run.events[number];
		const parts = ['functions', 'tree', 'lines', 'timeline', 'threads', 'spots'];
		const [table, nodes, places, times, lives, counts] =
			await Promise.all(parts.map((what) => unpack(what + number)));
		const functions = new Functions(table, event.functions, this.strings);
		const tree = new Tree(nodes, event, functions, this.strings);
		if (event.sums)
			functions.readSums(await unpack('sums' + number));
		if (event.byName)
			tree.frames.renumber(functions.sort(functions.period ?? new PartSums(tree.periodsOf())));
		if (!event.sums)
			functions.addUp(tree);
		const lines = new Lines(places, this.strings);
		const samples = new Float64Array(event.parts);
		readColumn(times, 0, samples);
		const threads = new Threads(lives, event, this.strings);
		setTimeout(() => this.prepare(this.loaded[number]), PREPARE_MS);
		return this.loaded[number] = {number, event, functions, tree, lines, samples, threads,
			spots: new Spots(counts, this.strings)};
	}

	/** Makes what some views need, one thing at a time, so that people need not wait for it. */
	prepare(loaded) {
		const things = [() => loaded.tree.outermostRows, () => loaded.tree.leafRows,
			() => loaded.event.cells && this.loadCells(loaded)];
		things.forEach((make, i) => setTimeout(make, i * PREPARE_MS));
	}

	/** What was counted when and in which thread, unpacked when it is first needed. */
	async loadCells(loaded) {
		loaded.unpacked ??= unpack('cells' + loaded.number).then((cells) => new Cells(cells, loaded.event, loaded.tree));
		loaded.cells = await loaded.unpacked;
	}

	/** Shows what the state says. */
	async render() {
		const s = this.state.values;
		if (!this.run.events.length) {
			this.showNothing();
			return;
		}
		s.event = Math.min(Math.max(s.event, 0), this.run.events.length - 1);
		const loaded = await this.load(s.event);
		const choice = new Choice(loaded.event, s.time, s.threads);
		if (loaded.event.cells && (!choice.isAll || s.view === 'threads'))
			await this.loadCells(loaded);
		this.loaded.now = loaded;
		this.lines = loaded.lines;
		this.samples = loaded.samples;
		this.tree = loaded.tree;
		this.spots = loaded.spots;
		this.choose(loaded, choice, s.weight === 'samples' ? 'samples' : 'period');
		this.find(s.search);
		if (this.colours?.frames !== this.tree.frames || this.colours.by !== s.colour)
			this.colours = new Colours(this.tree.frames, s.colour);
		this.showControls();
		this.showView();
		this.showTimeline();
	}

	/** Without an event there is only what the recording says of itself. */
	showNothing() {
		for (const box of document.querySelectorAll('section, #timeline, .controls, .notes'))
			box.hidden = true;
		byId('about').hidden = false;
		showAbout(byId('about'), this);
		say(byId('status'), 'no events');
	}

	/** Has the tree stand for what is chosen. */
	choose(loaded, choice, weight) {
		const {tree, event, cells} = loaded;
		const key = `${weight} ${choice.key}`;
		this.choice = choice;
		if (tree.key === key)
			return;
		if (loaded.part?.key !== choice.key)
			loaded.part = {key: choice.key, own: choice.isAll ? tree.own : cells.sumsOf(choice), event,
				functions: choice.isAll ? loaded.functions : null};
		tree.key = key;
		tree.weight = weight;
		tree.weigh(loaded.part.own[weight]);
		if (!choice.isAll && loaded.part.event === event)
			loaded.part.event = eventOfPart(event, loaded.part.own);
		this.inverted = null;
	}

	/** The event with the sums of what is chosen. */
	get event() {
		return this.loaded.now.part.event;
	}

	/** The table of functions, of what is chosen. */
	get functions() {
		const {part, tree} = this.loaded.now;
		return part.functions ??= chosenFunctions(tree, part.own);
	}

	/** The table of functions, of the whole event: their names, and where they are. */
	get named() {
		return this.loaded.now.functions;
	}

	/** What the function at row counted of what is chosen: {self, children}. The table need not be there. */
	sumsOf(row) {
		const {part, tree} = this.loaded.now;
		const {functions} = part;
		return functions ? {self: functions[tree.weight].numbers[row],
			children: functions['children_' + tree.weight].numbers[row]} : tree.sumsOf(row);
	}

	/** The search is done anew where text, tree or weight are others. */
	find(text) {
		const {tree} = this;
		if (this.search?.text === text && this.search.tree === tree && this.search.version === tree.version)
			return;
		this.search = new Search(tree.frames, text);
		this.search.tree = tree;
		this.search.version = tree.version;
		this.search.sum = this.search.weigh(tree);
		this.search.countFunctions(tree, this.loaded.now.part.own.samples);
	}

	showControls() {
		const s = this.state.values;
		byId('event').value = s.event;
		byId('weight').value = this.tree.weight;
		byId('colour').value = s.colour === 'kind' ? 'kind' : 'binary';
		byId('inverted').checked = s.inverted > 0;
		byId('flipped').checked = s.flipped > 0;
		if (byId('search') !== document.activeElement)
			byId('search').value = s.search;
		byId('matched').textContent = s.search ? this.search.problem ||
			`${shownPercent(this.search.sum, this.tree.total[0])} in ${shownCount(this.search.functions)} functions` : '';
		byId('notes').textContent = eventNotes(this.loaded.now.event, this.loaded.now.functions, this.strings)
			.map(([what, text]) => `${what}: ${text}`).join(' · ');
		showLegend(this.colours.legend);
		openHelp(byId('help'), s.help > 0);
		byId('part').hidden = this.choice.isAll;
		byId('part-text').textContent = this.choice.isAll ? '' : this.describeChoice();
	}

	/** What part of the recording is shown. */
	describeChoice() {
		const {choice} = this;
		const {event, threads, part} = this.loaded.now;
		const shares = ['period', 'samples'].map((weight) =>
			`${shownPercent(Number(part.event[weight]), Number(event[weight]))} of the ${weight}`);
		const words = [`Only ${shares.join(', ')} (${shownCount(part.event.samples)} of ${shownCount(event.samples)})`];
		if (choice.isSpan) {
			const start = BigInt(event.sliceStart);
			const at = (slice) => start - BigInt(event.partStart) + BigInt(slice) * BigInt(event.sliceLength);
			words.push(`from ${shownTime(Number(at(choice.from)))} to ${shownTime(Number(at(choice.to)))} after the first sample`);
		}
		const names = [...new Set(choice.threads.map((number) => threads.processName(number)))];
		if (choice.threads.length === 1)
			words.push(`thread ${shownName(threads.name(choice.threads[0]))} (${threads.tid[choice.threads[0]]})`);
		else if (choice.threads.length)
			words.push(`${shownCount(choice.threads.length)} of ${shownCount(threads.count)} threads: ` +
				names.slice(0, 5).map(shownName).join(', ') + (names.length > 5 ? ', ...' : ''));
		return words.join(' · ');
	}

	showTimeline() {
		const {event, samples, cells} = this.loaded.now;
		if (this.timeline.parts !== samples)
			this.timeline.show(event, samples);
		this.timeline.mark(this.choice, this.choice.threads.length && event.slices > 1
			? cells.slicesOf(this.choice) : null);
	}

	/** The list of threads, with what they counted in the chosen time. */
	showThreads() {
		const {event, threads, cells, part} = this.loaded.now;
		const {choice} = this;
		const inTime = (weight) => choice.isSpan && event.cellThreads ? cells.threadsOf(weight, choice) : threads[weight];
		this.threadList.show(threads, {samples: inTime('samples'), period: inTime('period')}, part.event,
			this.tree.weight, choice);
		byId('threads-text').textContent = event.cells && event.cellThreads
			? `${shownCount(threads.count + (threads.others ? threads.others - 1 : 0))} threads` +
				(choice.isSpan ? ', with what they counted in the chosen span' : '') +
				'; a click on one has all views show it alone, Ctrl and a click adds one'
			: 'The page has no room to tell what each thread counted: --html-size gives it more.';
		this.describeShown();
	}

	showRecording() {
		showAbout(byId('about'), this);
		this.describeShown();
	}

	showView() {
		const s = this.state.values;
		const views = {flame: () => this.showFlame(), table: () => this.showTable(),
			sandwich: () => this.showSandwich(), threads: () => this.showThreads(), about: () => this.showRecording(),
			source: () => this.showSource(), assembly: () => this.showAssembly()};
		const view = Object.hasOwn(views, s.view) ? s.view : 'flame';
		s.view = view;
		for (const name of Object.keys(views))
			byId(name).hidden = name !== view;
		for (const button of byId('views').children)
			button.setAttribute('aria-selected', button.dataset.view === view);
		views[view]();
	}

	/** The numbers that the zoom is in the address: a node, or a path of frames where inverted. */
	zoomNumbers(text) {
		return text.split('.').map(Number).filter((number) => Number.isInteger(number) && number >= 0);
	}

	showFlame() {
		const s = this.state.values;
		let tree = this.tree;
		let zoom = this.zoomNumbers(s.zoom)[0] ?? 0;
		if (s.inverted) {
			if (this.inverted?.key !== s.zoom || this.inverted.of !== tree) {
				this.inverted = invertedTree(tree, s.zoom ? this.zoomNumbers(s.zoom) : []);
				this.inverted.key = s.zoom;
				this.inverted.of = tree;
			}
			tree = this.inverted;
			zoom = tree.zoom;
		}
		zoom = zoom < tree.count ? zoom : 0;
		showCrumbs(tree, zoom, (node) => this.zoomTo(node));
		this.flame.hits = this.search.hits;
		this.flame.show(tree, zoom, s.flipped > 0, this.colours);
		if (this.wantSelected !== undefined) {
			this.flame.select(this.wantSelected);
			this.wantSelected = undefined;
		}
		this.describe(tree, this.flame.current);
	}

	showTable() {
		const s = this.state.values;
		const key = this.tableKey();
		if (this.table.key !== key)
			this.table.show(this.functions, this.event, this.tree.weight, this.search, s.sort);
		this.table.key = key;
		byId('rows').textContent = `${shownCount(this.table.order.length)} of ` +
			`${shownCount((this.functions.rows ?? this.functions).length ?? this.functions.count)} functions` +
			(this.choice.isAll || !this.event.folded ? '' : '; what was folded into [rest] is not among them');
		this.table.wantFill();
		this.describeSelectedRow();
	}

	tableKey() {
		const s = this.state.values;
		return [s.event, s.weight, s.search, s.sort, this.choice.key].join(' ');
	}

	/** Says again what is selected. */
	describeShown() {
		const {view} = this.state.values;
		if (view === 'table')
			this.describeSelectedRow();
		else if ((view === 'sandwich' || this.codeTable()) && this.named.count)
			this.describeRow(this.sandwichRow());
		else if (view === 'threads' || view === 'about')
			say(byId('status'), view === 'threads' ? this.threadList.describe() : '');
		else
			this.describe(this.flame.tree ?? this.tree, this.flame.tree ? this.flame.current : 0);
	}

	sandwichRow() {
		const row = this.state.values.function;
		return row >= 0 && row < this.named.count ? row : 0;
	}

	describeSelectedRow() {
		const row = this.table.order[this.table.selected];
		if (row === undefined)
			say(byId('status'), 'no function matches');
		else
			this.describeRow(row);
	}

	showSandwich() {
		const s = this.state.values;
		const row = this.sandwichRow();
		if (!this.named.count)
			return;
		for (const graph of Object.values(this.sandwich.graphs))
			graph.hits = this.search.hits;
		this.sandwich.show(this.tree, row, {
			callers: s.callers ? this.zoomNumbers(s.callers) : [],
			callees: s.callees ? this.zoomNumbers(s.callees) : [],
		}, this.colours, this.event, this.tree.weight);
		this.sandwich.listLines(this.lines.of(row), this.loaded.now.functions[this.tree.weight].numbers[row],
			this.loaded.now.event, this.tree.weight);
		this.describeRow(row);
	}

	/** The function that is shown, -1 if there is none; its name and its share stand above the view. */
	shownFunction(view) {
		const s = this.state.values;
		if (!this.functions.count)
			return -1;
		const row = s.function >= 0 && s.function < this.functions.count ? s.function : 0;
		const sum = this.functions[this.tree.weight].numbers[row];
		byId(`${view}-function`).textContent = `${shownName(functionName(this.functions, row))}: itself ` +
			`${shownPercent(sum, this.tree.total[0])} of all, ${shownWeight(sum, this.tree.weight, this.event)}`;
		return row;
	}

	/** Whether what a view shows is another than before: else its selection stays. */
	isNew(view, row) {
		const key = [this.state.values.event, this.tree.weight, row].join(' ');
		const is = view.key !== key;
		view.key = key;
		return is;
	}

	showSource() {
		const row = this.shownFunction('source');
		if (row >= 0 && this.isNew(this.source, row))
			this.source.show(this.functions, row, this.lines.of(row), this.sources, this.tree.weight);
		else
			this.source.table.select(this.source.table.selected);
		this.source.table.selectWanted();
	}

	showAssembly() {
		const row = this.shownFunction('assembly');
		if (row >= 0 && this.isNew(this.assembly, row))
			this.assembly.show(this.functions, row, this.spots, this.code, this.tree.weight);
		else
			this.assembly.table.select(this.assembly.table.selected);
		this.assembly.table.selectWanted();
	}

	/** Says what a line or an instruction counted, and where it is. */
	describeCode(row) {
		const weight = this.tree.weight;
		const place = row.filename ? `${shownName(row.filename)}:${row.number ?? row.line}` : '';
		say(byId('status'), [shownPercent(row.weight, this.tree.total[0]) + ' of all',
			shownWeight(row.weight, weight, this.event) + (weight === 'samples' ? ' samples' : ''),
			place, row.text ? shownName(row.text) : ''].filter((word) => word).join(' · '));
	}

	/** From a source line to its first instruction. */
	openInstructions(row) {
		this.assembly.table.wanted = (of) => of.filename === row.filename && of.line === row.number;
		this.open('assembly');
	}

	/** From a jump to its target, from another instruction to its source line. */
	followInstruction(row) {
		const {table} = this.assembly;
		const target = row.target >= 0 ? table.rows.findIndex((of) => of.code === row.code && of.offset === row.target) : -1;
		if (target >= 0) {
			table.select(target);
			return;
		}
		this.openLine(row.filename, row.line);
	}

	openLine(filename, number) {
		this.source.table.wanted = (of) => of.filename === filename && of.number === number;
		this.open('source');
	}

	/** Says what node of tree is; -1: what all of it is. */
	describe(tree, node) {
		const at = Math.max(node, 0);
		const {frames} = tree;
		const frame = tree.frame[at];
		const row = frames.function[frame];
		const weight = this.tree.weight;
		const words = [`${shownPercent(tree.total[at], this.tree.total[0])} of all`,
			shownWeight(tree.total[at], weight, this.event) + (weight === 'samples' ? ' samples' : '')];
		if (tree === this.tree)
			words.push(`itself ${shownPercent(tree.self(at), tree.total[0])}`);
		if (frames.inlined[frame])
			words.push('inlined');
		if (row !== NO_FUNCTION)
			words.push(...this.origin(row));
		sayOf(byId('status'), frames.name(frame), words);
	}

	/** Where a function comes from, or why it has no name. */
	origin(row) {
		const text = (name) => shownName(this.named.text(name, row));
		const line = this.named.line(row);
		return [text('binary'), text('filename') && text('filename') + (line ? ':' + line : ''), text('reason')]
			.filter((word) => word);
	}

	/** Says what the function at row is. */
	describeRow(row) {
		const {self, children} = this.sumsOf(row);
		const part = (what, sum) =>
			`${what} ${shownPercent(sum, this.tree.total[0])}, ${shownWeight(sum, this.tree.weight, this.event)}`;
		sayOf(byId('status'), functionName(this.named, row),
			[part('itself', self), part('with callees', children), ...this.origin(row)]);
	}

	zoomTo(node) {
		const tree = this.flame.tree;
		this.wantSelected = this.state.values.inverted ? undefined : node;
		this.state.set({zoom: this.state.values.inverted ? tree.path(node).join('.') : node ? String(node) : ''});
	}

	zoomOut() {
		const s = this.state.values;
		if (s.help) {
			this.state.set({help: 0}, true);
		} else if (document.activeElement === byId('search')) {
			byId('search').blur();
		} else if (document.activeElement === byId('threads-filter')) {
			this.threadList.clearFilter();
		} else if (s.view === 'sandwich' && (s.callers || s.callees)) {
			const which = s.callers ? 'callers' : 'callees';
			this.state.set({[which]: s[which].split('.').slice(0, -1).join('.')});
		} else if (s.view === 'flame' && this.flame.zoom > 0) {
			this.zoomTo(this.flame.tree.parent[this.flame.zoom]);
		} else {
			this.showAll();
		}
	}

	/** No span, all threads. */
	showAll() {
		if (!this.choice.isAll)
			this.state.set({time: '', threads: ''});
	}

	/** Callers and callees of the function of a node, or another view of it. */
	centre(tree, node, view = 'sandwich') {
		const row = node >= 0 ? tree.frames.function[tree.frame[node]] : NO_FUNCTION;
		if (row !== NO_FUNCTION)
			this.state.set({view, function: row, callers: '', callees: ''});
		else
			this.state.set({view});
	}

	sortBy(name) {
		const {sort} = this.state.values;
		const text = TABLE_COLUMNS.find(([of]) => of === name)[3] === null;
		const first = text ? name : '-' + name;
		const second = text ? '-' + name : name;
		this.state.set({sort: sort === first ? second : sort === second ? '' : first}, true);
	}

	nextMatch(by) {
		const s = this.state.values;
		this.leaveTimeline();
		if (s.inverted) {
			nextInverted(this, by);
			return;
		}
		const node = this.search.step(by);
		if (node < 0)
			return;
		const scale = this.flame.width / this.tree.total[this.flame.zoom];
		const inside = node >= this.flame.zoom && node < this.tree.next[this.flame.zoom];
		const visible = inside && this.tree.total[node] * scale >= 4;
		this.wantSelected = node;
		this.state.set({view: 'flame', zoom: visible ? s.zoom : String(node)}, s.view === 'flame');
	}

	nextEvent() {
		const {length} = this.run.events;
		if (length > 1)
			this.setEvent((this.state.values.event + 1) % length);
	}

	/** Another event has other numbers of nodes and functions. */
	setEvent(number) {
		this.state.set({event: number, zoom: '', function: -1, callers: '', callees: '', threads: '', time: ''});
	}

	listen() {
		listenToControls(this);
		byId('weight').addEventListener('change', (e) => this.state.set({weight: e.target.value}));
		byId('colour').addEventListener('change', (e) => this.state.set({colour: e.target.value}));
		byId('clear').addEventListener('click', () => this.showAll());
		byId('threads-choose').addEventListener('click', () => this.threadList.chooseShown());
		this.listenToKeys();
	}

	/** Opens a view; of one function that of what is selected. */
	open(view) {
		const graph = ['flame', 'sandwich'].includes(this.state.values.view) ? this.graph() : null;
		const ofFunction = ['sandwich', 'source', 'assembly'].includes(view);
		this.leaveTimeline();
		if (ofFunction && graph?.selected > 0)
			this.centre(graph.tree, graph.selected, view);
		else if (ofFunction && this.state.values.view === 'table' && this.table.order.length)
			this.state.set({view, function: this.table.order[this.table.selected], callers: '', callees: ''});
		else
			this.state.set({view});
	}

	/** From the bars of time the keyboard goes back to the view. */
	leaveTimeline() {
		byId('timeline').blur();
	}

	listenToKeys() {
		const {state} = this;
		const click = (id) => () => byId(id).click();
		const arrow = (where, by) => () => this.move(where, by);
		listenToKeys({
			f: () => this.open('flame'), t: () => this.open('table'), s: () => this.open('sandwich'),
			p: () => this.open('threads'), b: () => byId('timeline').focus(), x: () => this.showAll(),
			' ': () => state.values.view === 'threads' && this.threadList.toggle(),
			Home: () => this.moveToEnd(-1), End: () => this.moveToEnd(1),
			l: () => this.open('source'), a: () => this.open('assembly'),
			h: () => this.open('about'), i: click('inverted'), r: click('flipped'), d: click('download'),
			'?': click('help-button'), Escape: () => this.zoomOut(), Backspace: () => this.zoomOut(),
			'/': () => byId('search').select(), n: () => this.nextMatch(1), N: () => this.nextMatch(-1),
			e: () => this.nextEvent(),
			w: () => state.set({weight: this.tree.weight === 'period' ? 'samples' : 'period'}),
			c: () => state.set({colour: state.values.colour === 'kind' ? 'binary' : 'kind'}),
			Enter: () => this.enter(),
			ArrowUp: arrow('parent', -1), ArrowDown: arrow('child', 1),
			ArrowLeft: arrow('previous', -1), ArrowRight: arrow('next', 1),
			PageUp: () => this.movePage(-1), PageDown: () => this.movePage(1),
		});
	}

	/** The graph that the keys are for. */
	graph() {
		if (this.state.values.view === 'flame')
			return this.flame;
		const {callers, callees} = this.sandwich.graphs;
		return callees.box.contains(document.activeElement) ? callees : callers;
	}

	/** The table of the view of source or assembly; null in other views. */
	codeTable() {
		const {view} = this.state.values;
		return view === 'source' || view === 'assembly' ? this[view].table : null;
	}

	/** Arrows: false where there is nothing to move. */
	move(where, by) {
		const turned = {parent: 'child', child: 'parent'};
		if (this.isOfRows())
			return where in turned && this.moveRows(by);
		const graph = this.graph();
		graph.move(graph.flipped ? turned[where] ?? where : where);
		return true;
	}

	/** Whether rows are selected in the view, not frames. */
	isOfRows() {
		return ['table', 'threads', 'source', 'assembly'].includes(this.state.values.view);
	}

	/** Selects the row that is so many further down. */
	moveRows(by) {
		const {view} = this.state.values;
		if (view === 'table')
			this.moveRow(by);
		else if (view === 'threads')
			this.moveThread(by);
		else
			this.codeTable().move(by);
		return true;
	}

	/** To the first row or the last one; to all of the graph. */
	moveToEnd(by) {
		if (this.isOfRows())
			return this.moveRows(by * Infinity);
		if (by < 0)
			this.state.set({zoom: '', callers: '', callees: ''});
		return by < 0;
	}

	moveRow(by) {
		this.table.move(by);
		this.describeSelectedRow();
	}

	moveThread(by) {
		this.threadList.move(by);
		this.describeShown();
	}

	movePage(by) {
		const {view} = this.state.values;
		if (this.isOfRows())
			this.moveRows(by * (view === 'table' ? this.table.pageRows() : PAGE_ROWS));
		else
			this.graph().box.scrollBy(0, by * this.graph().height * 0.9);
	}

	enter() {
		const {view} = this.state.values;
		this.leaveTimeline();
		if (view === 'table' && this.table.order.length)
			this.table.does.opened(this.table.order[this.table.selected]);
		else if (view === 'threads')
			this.threadList.chooseOnly();
		else if (this.codeTable())
			this.codeTable().open();
		else if (view !== 'about' && this.graph().selected >= 0)
			this.graph().does.opened(this.graph().selected);
	}

	download() {
		const s = this.state.values;
		if (this.table.key !== this.tableKey())
			this.table.show(this.functions, this.event, this.tree.weight, this.search, s.sort);
		saveAs('functions.csv', this.table.csv(this.run));
	}
}

/** The event with the sums of a part of it. */
function eventOfPart(event, own) {
	const sum = (column) => {
		let all = 0;
		for (let i = 0; i < column.length; i++)
			all += column[i];
		return String(BigInt(all));
	};
	return Object.assign(Object.create(event), {samples: sum(own.samples), period: sum(own.period)});
}

startPage(async (run, strings) => {
	const page = new Page(run, strings);
	page.code = readCode(await unpack('code0'), strings);
	page.sources = readSources(await unpack('sources0'), strings);
	const command = recordedCommand(run, strings);
	byId('command').textContent = byId('command').title = shownName(command);
	document.title = `${shownName(command).slice(0, 80)} - readperf`;
	return page;
});

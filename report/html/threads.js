// The processes and threads of an event, those of most weight first, to choose from.

const THREAD_COLUMNS = [['chosen', 'mark'], ['share', 'percent'], ['period', 'number'],
	['samples', 'number'], ['pid/tid', 'number'], ['process or thread', 'name']];

/** The threads of one event. Those of processes that run several are shown below these. */
class Threads {
	constructor(bytes, event, strings) {
		const reader = new ColumnReader(bytes);
		const column = (read) => Array.from({length: event.threads}, read);
		this.pid = column(() => reader.nextSigned());
		this.tid = column(() => reader.nextSigned());
		this.comm = column(() => strings[reader.next()]);
		this.processComm = column(() => strings[reader.next()]);
		this.samples = column(() => reader.next());
		this.period = column(() => reader.next());
		this.count = event.threads;
		this.others = event.otherThreads;
	}

	/** How a thread is called. */
	name(number) {
		if (this.pid[number] === -2)
			return `${shownCount(this.others)} other threads`;
		return this.pid[number] < 0 ? '(process unknown)' : this.comm[number];
	}

	processName(number) {
		return this.pid[number] < 0 ? this.name(number) : this.processComm[number];
	}

	/** Processes that match as {pid, threads, weight}, those of most weight first; weights are by thread. */
	processes(weights, matches) {
		const byPid = new Map();
		for (let i = 0; i < this.count; i++) {
			const texts = [this.name(i), this.processName(i), String(this.pid[i]), String(this.tid[i])];
			if (!texts.some(matches))
				continue;
			const pid = this.pid[i];
			const process = byPid.get(pid) ?? byPid.set(pid, {pid, threads: [], weight: 0}).get(pid);
			process.threads.push(i);
			process.weight += weights[i];
		}
		const processes = [...byPid.values()].sort((a, b) => b.weight - a.weight || a.threads[0] - b.threads[0]);
		for (const process of processes)
			process.threads.sort((a, b) => weights[b] - weights[a] || a - b);
		return processes;
	}
}

/** The list. A row is {threads, weight, depth, name, ids}: a process, or a thread of one. */
class ThreadList {
	constructor(box, filter, does) {
		this.box = box;
		this.filter = filter;
		this.does = does;
		this.selected = 0;
		this.table = element('table');
		this.table.setAttribute('role', 'grid');
		const head = this.table.createTHead().insertRow();
		for (const [name, className] of THREAD_COLUMNS)
			head.append(element('th', className, name));
		this.body = this.table.createTBody();
		box.replaceChildren(this.table);
		box.addEventListener('scroll', () => this.fill());
		new ResizeObserver(() => this.fill()).observe(box);
		onPrint((isPrinted) => {
			this.isPrinted = isPrinted;
			this.fill();
		});
		filter.addEventListener('input', () => this.refresh());
	}

	/** Shows threads with their samples and periods by number, as far as the choice of time goes. */
	show(threads, sums, event, weight, choice) {
		Object.assign(this, {threads, sums, event, weight, choice});
		this.refresh();
	}

	refresh() {
		const {threads, sums, weight} = this;
		const matches = matcher(this.filter.value) ?? (() => false);
		this.rows = [];
		for (const process of threads.processes(sums[weight], (text) => matches(text))) {
			const first = process.threads[0];
			const several = process.threads.length > 1;
			this.rows.push({threads: process.threads, depth: 0, ids: process.pid < 0 ? '' : `${process.pid}`,
				name: threads.processName(first) + (several ? ` (${process.threads.length} threads)` : '')});
			for (const thread of several ? process.threads : [])
				this.rows.push({threads: [thread], depth: 1, name: threads.name(thread), ids: `${threads.tid[thread]}`});
		}
		this.whole = sums[weight].reduce((a, b) => a + b, 0);
		this.selected = Math.max(Math.min(this.selected, this.rows.length - 1), 0);
		this.fill();
	}

	sum(row, weight) {
		return row.threads.reduce((sum, thread) => sum + this.sums[weight][thread], 0);
	}

	isChosen(row) {
		return this.choice.threads.length > 0 && row.threads.every((thread) => this.choice.mask[thread]);
	}

	/** Makes the rows that are seen, between two gaps as high as the others. */
	fill() {
		if (!this.rows || !this.box.clientHeight)
			return;
		this.body.replaceChildren(
			...madeRows(this, this.rows.length, THREAD_COLUMNS.length, (i) => this.makeRow(i)));
	}

	makeRow(i) {
		const row = this.rows[i];
		const made = element('tr');
		const name = element('td', row.depth ? 'name below' : 'name', shownName(row.name));
		name.title = shownName(row.name);
		made.append(element('td', 'mark', this.isChosen(row) ? '✓' : ''),
			element('td', 'percent', shownPercent(this.sum(row, this.weight), this.whole)),
			element('td', 'number', shownWeight(this.sum(row, 'period'), 'period', this.event)),
			element('td', 'number', shownCount(this.sum(row, 'samples'))),
			element('td', 'number', row.ids), name);
		made.setAttribute('aria-selected', i === this.selected);
		onClick(made, (event) => {
			this.selected = i;
			if (event.ctrlKey || event.metaKey || event.shiftKey || event.target.className === 'mark')
				this.toggle();
			else
				this.chooseOnly();
		});
		return made;
	}

	/** Says what is selected. */
	describe() {
		const row = this.rows[this.selected];
		if (!row)
			return 'no thread matches';
		return [`${shownName(row.name)} (${row.ids})`, `${shownPercent(this.sum(row, this.weight), this.whole)} of all threads`,
			shownWeight(this.sum(row, 'period'), 'period', this.event), `${shownCount(this.sum(row, 'samples'))} samples`]
			.join(' · ');
	}

	move(by) {
		this.selected = Math.min(Math.max(this.selected + by, 0), this.rows.length - 1);
		const top = this.selected * TABLE_ROW;
		const seen = this.box.clientHeight - 2 * TABLE_ROW;
		if (top < this.box.scrollTop)
			this.box.scrollTop = top;
		else if (top > this.box.scrollTop + seen)
			this.box.scrollTop = top - seen;
		this.fill();
	}

	/** What is selected is chosen and nothing else; all, if that was so already. */
	chooseOnly() {
		const row = this.rows[this.selected];
		if (row)
			this.does.chosen(this.isChosen(row) && this.choice.threads.length === row.threads.length ? [] : row.threads);
	}

	/** Adds what is selected to what is chosen, or takes it away. */
	toggle() {
		const row = this.rows[this.selected];
		if (!row)
			return;
		const chosen = new Set(this.choice.threads);
		const has = this.isChosen(row);
		for (const thread of row.threads)
			has ? chosen.delete(thread) : chosen.add(thread);
		this.does.chosen([...chosen]);
	}

	/** Takes the filter away; where there is none, the keyboard goes to the list. */
	clearFilter() {
		if (!this.filter.value)
			this.box.focus();
		this.filter.value = '';
		this.refresh();
	}

	/** Chooses all that the filter finds. */
	chooseShown() {
		this.does.chosen(this.filter.value ? this.rows.flatMap((row) => row.threads) : []);
	}
}

// The table of functions: results.csv, of which only the rows that are seen are made.

const TABLE_ROW = 23; /* pixels */
const PRINTED_ROWS = 2000; /* at most: some 30 pages */

/** The columns: [name, class, what it shows, what it is sorted by]. */
const TABLE_COLUMNS = [
	['self', 'percent', (t, row) => shownPercent(t.own(row), t.total()), (t, row) => t.own(row)],
	['children', 'percent', (t, row) => shownPercent(t.children(row), t.total()), (t, row) => t.children(row)],
	['function', 'name', (t, row) => t.functions.text('function', row), null],
	['binary', 'place', (t, row) => t.functions.text('binary', row).replace(/^.*\//s, ''), null],
	['filename', 'place', (t, row) => t.source(row).replace(/^.*\//s, ''), null],
	['reason', 'why', (t, row) => t.functions.text('reason', row), null],
	['period', 'number', (t, row) => t.weight('period', row), (t, row) => t.functions.period.numbers[row]],
	['samples', 'number', (t, row) => t.weight('samples', row), (t, row) => t.functions.samples.numbers[row]],
	['children_period', 'number', (t, row) => t.weight('children_period', row),
		(t, row) => t.functions.children_period.numbers[row]],
	['children_samples', 'number', (t, row) => t.weight('children_samples', row),
		(t, row) => t.functions.children_samples.numbers[row]],
];

class FunctionTable {
	constructor(box, does, columns = TABLE_COLUMNS) {
		this.box = box;
		this.does = does;
		this.columns = columns;
		this.table = element('table');
		this.table.setAttribute('role', 'grid');
		this.head = this.table.createTHead();
		this.body = this.table.createTBody();
		box.replaceChildren(this.table);
		this.makeHead();
		this.selected = 0;
		box.addEventListener('scroll', () => this.wantFill());
		new ResizeObserver(() => this.wantFill()).observe(box);
		onPrint((isPrinted) => {
			this.isPrinted = isPrinted;
			this.fill();
		});
	}

	makeHead() {
		const row = this.head.insertRow();
		for (const [name, className] of this.columns) {
			const cell = element('th', className);
			cell.scope = 'col';
			cell.append(element('button'));
			cell.addEventListener('click', () => this.does.sorted(name));
			row.append(cell);
		}
	}

	/** Shows the functions of event whose names search finds, sorted by sort: '', 'NAME' or '-NAME'. */
	show(functions, event, weight, search, sort) {
		Object.assign(this, {functions, event, kind: weight, sort});
		const counted = TABLE_COLUMNS.slice(-4).map(([name]) => functions[name].numbers);
		const rows = (functions.rows ?? Array.from({length: functions.count}, (_, row) => row))
			.filter((row) => counted.some((numbers) => numbers[row]));
		const names = (row) => [functionName(functions, row), functions.text('function', row)];
		const isFound = (row) => !search.text || names(row).some((name) => search.matches?.(name));
		this.order = rows.filter(isFound);
		this.arrange(sort);
	}

	/** Sorts the rows in order, and shows them. */
	arrange(sort) {
		if (sort)
			this.sortBy(sort.replace('-', ''), sort.startsWith('-') ? -1 : 1);
		this.selected = 0;
		this.box.scrollTop = 0;
		[...this.head.rows[0].cells].forEach((cell, i) => {
			const name = this.columns[i][0];
			cell.setAttribute('aria-sort', sort === name ? 'ascending' : sort === '-' + name ? 'descending' : 'none');
			cell.firstChild.replaceChildren(...shownHead(name),
				sort === name ? ' ▲' : sort === '-' + name ? ' ▼' : '');
		});
		this.fill();
	}

	sortBy(name, direction) {
		const column = this.columns.find(([of]) => of === name);
		if (!column)
			return;
		const key = column[3] ?? column[2];
		const keys = new Map(this.order.map((row) => [row, key(this, row)]));
		this.order.sort((a, b) => {
			const x = keys.get(a);
			const y = keys.get(b);
			return x < y ? -direction : x > y ? direction : 0;
		});
	}

	own(row) {
		return this.functions[this.kind].numbers[row];
	}

	children(row) {
		return this.functions['children_' + this.kind].numbers[row];
	}

	total() {
		return Number(this.event[this.kind]);
	}

	weight(name, row) {
		return shownWeight(this.functions[name].numbers[row], name.endsWith('period') ? 'period' : 'samples',
			this.event);
	}

	source(row) {
		const line = this.functions.line(row);
		return this.functions.text('filename', row) + (line ? ':' + line : '');
	}

	wantFill() {
		this.wanted ??= requestAnimationFrame(() => this.fill());
	}

	/** Makes the rows that are seen, between two gaps as high as the others. */
	fill() {
		this.wanted = undefined;
		if (!this.order || !this.box.clientHeight)
			return;
		this.body.replaceChildren(
			...madeRows(this, this.order.length, this.columns.length, (i) => this.row(i)));
	}

	row(i) {
		const made = element('tr');
		const row = this.order[i];
		for (const column of this.columns)
			made.append(this.cell(column, row));
		made.setAttribute('aria-selected', i === this.selected);
		onClick(made, () => {
			this.selected = i;
			this.does.opened(row);
		});
		return made;
	}

	cell([, className, text], row) {
		const value = shownName(text(this, row));
		const cell = element('td', className, value);
		cell.title = value;
		return cell;
	}

	/** How many rows Page Up and Page Down go. */
	pageRows() {
		return Math.max(1, Math.floor(this.box.clientHeight / TABLE_ROW) - 2);
	}

	move(by) {
		this.selected = Math.min(Math.max(this.selected + by, 0), this.order.length - 1);
		const top = this.selected * TABLE_ROW;
		const seen = this.box.clientHeight - this.head.offsetHeight - TABLE_ROW;
		if (top < this.box.scrollTop)
			this.box.scrollTop = top;
		else if (top > this.box.scrollTop + seen)
			this.box.scrollTop = top - seen;
		this.fill();
	}

	/** The rows in their order as readperf writes them to results.csv, under its header. */
	csv(run) {
		const functions = this.functions;
		const total = BigInt(this.event.period);
		const text = (value) => csvCell(value, run.raw);
		const lines = ['period,samples,filename,function,event,binary,percent,line,children_period,' +
			'children_samples,children_percent,build_id,reason,inlined_period,inlined_samples,size'];
		for (const row of this.order) {
			const self = functions.period.big(row);
			const children = functions.children_period.big(row);
			const inlined = (name) => run.inlined ? functions[name].big(row) : '';
			lines.push([self, functions.samples.big(row), text(functions.text('filename', row)),
				text(functions.text('function', row)), text(functions.strings[this.event.name]),
				text(functions.text('binary', row)), exactPercent(self, total), functions.line(row) || '',
				children, functions.children_samples.big(row), exactPercent(children, total),
				text(functions.text('build_id', row)), text(functions.text('reason', row)),
				inlined('inlined_period'), inlined('inlined_samples'), functions.size.big(row) || ''].join(','));
		}
		return lines.join('\n') + '\n';
	}
}

/** The name of a column in parts: it may be broken after each of its words. */
function shownHead(name) {
	return name.split('_').flatMap((word, i) => (i ? ['_', element('wbr'), word] : [word]));
}

/** Of count rows those that are seen, between two gaps as high as the others; for paper, the
 * first ones. */
function madeRows({box, table, isPrinted}, count, columns, make) {
	const first = isPrinted ? 0 : Math.max(0, Math.floor(box.scrollTop / TABLE_ROW) - 5);
	const seen = Math.ceil((box.scrollTop + box.clientHeight) / TABLE_ROW) + 5;
	const end = Math.min(count, isPrinted ? PRINTED_ROWS : seen);
	const rows = [gapRow(columns, first * TABLE_ROW)];
	table.setAttribute('aria-rowcount', count + 1); /* with the head */
	for (let i = first; i < end; i++) {
		rows.push(make(i));
		rows[rows.length - 1].setAttribute('aria-rowindex', i + 2);
	}
	const rest = gapRow(columns, isPrinted ? 0 : (count - end) * TABLE_ROW);
	if (isPrinted && end < count)
		rest.cells[0].textContent = `${shownCount(count - end)} more rows are not printed`;
	rows.push(rest);
	return rows;
}

/** A row as high as those that are not made. */
function gapRow(columns, height) {
	const row = element('tr', 'gap');
	row.setAttribute('aria-hidden', true);
	const cell = row.insertCell();
	cell.colSpan = columns;
	cell.style.height = `${height}px`;
	return row;
}

/** A text as a cell of CSV: guarded against formulas unless raw, quoted if necessary. */
function csvCell(text, raw) {
	const guarded = !raw && /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
	return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Has the browser save text as a file. */
function saveAs(name, text) {
	const link = element('a');
	link.href = URL.createObjectURL(new Blob([text], {type: 'text/csv'}));
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

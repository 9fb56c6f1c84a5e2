// Views of one function: its source lines, and its instructions, with what each of them counted.

const SOURCE_BEFORE = 3; /* lines that are shown above one that counted */
const SOURCE_AFTER = 5;
const SOURCE_WHOLE = 400; /* lines between two that counted: all are shown of a smaller function */
const CODE_ROWS = 3000; /* of larger code only what is near the hottest instructions is shown */
const CODE_NEAR = 16;
const LANES = 8; /* arrows beside each other */

/** A table of rows that can be selected; each counts something, or nothing. */
class CodeTable {
	constructor(box, does) {
		this.box = box;
		this.does = does; /* chosen(row), opened(row) */
		this.rows = [];
		box.addEventListener('click', (event) => {
			const line = event.target.closest('tr[data-row]');
			if (line)
				this.select(Number(line.dataset.row));
		});
		box.addEventListener('dblclick', () => this.open());
	}

	start(total) {
		this.rows = [];
		this.total = total;
		this.shown = 0;
		this.selected = -1;
		this.body = element('tbody');
	}

	/** Adds a row: cells are [class, text]; weight is what it counted. */
	add(cells, weight, of) {
		const line = element('tr');
		const share = element('td', 'percent', weight ? shownPercent(weight, this.total) : '');
		if (weight) {
			const part = Math.min(100, 100 * weight / this.total);
			share.style.background = `linear-gradient(to left, var(--heat) ${part}%, transparent ${part}%)`;
		}
		line.append(share, ...cells.map(([name, text]) => element('td', name, text)));
		line.dataset.row = this.rows.length;
		this.rows.push({...of, weight, box: line});
		this.shown += weight;
		this.body.append(line);
	}

	/** Adds a line of text between rows. */
	say(name, text) {
		const line = element('tr', name);
		const cell = element('td', '', text);
		cell.colSpan = 5;
		line.append(cell);
		this.body.append(line);
	}

	/** Shows the rows; the hottest one is selected. */
	end() {
		const table = element('table', 'code');
		table.setAttribute('role', 'grid');
		table.append(this.body);
		this.box.replaceChildren(table);
		let hottest = 0;
		this.rows.forEach((row, i) => {
			if (row.weight > this.rows[hottest].weight)
				hottest = i;
		});
		this.select(hottest, 'center');
	}

	select(number, block = 'nearest') {
		if (!this.rows[number])
			return;
		this.rows[this.selected]?.box.removeAttribute('aria-selected');
		this.selected = number;
		this.rows[number].box.setAttribute('aria-selected', true);
		this.rows[number].box.scrollIntoView({block});
		this.does.chosen(this.rows[number]);
	}

	/** Selects the first row that is right. */
	selectWhere(isRight) {
		this.select(this.rows.findIndex(isRight), 'center');
	}

	/** Selects what another view has asked for. */
	selectWanted() {
		if (this.wanted)
			this.selectWhere(this.wanted);
		this.wanted = null;
	}

	move(by) {
		this.select(Math.min(Math.max(this.selected + by, 0), this.rows.length - 1));
	}

	open() {
		if (this.rows[this.selected])
			this.does.opened(this.rows[this.selected]);
	}
}

/** The ranges [first, last] of lines that are shown of a file, of lines that counted. */
function shownRanges(numbers, start) {
	const last = numbers[numbers.length - 1];
	const first = start && start < numbers[0] ? start : numbers[0];
	const near = (from, to) => [Math.max(1, from - SOURCE_BEFORE), to + SOURCE_AFTER];
	if (last - first <= SOURCE_WHOLE)
		return [near(first, last)];
	const ranges = [];
	for (const number of first < numbers[0] ? [first, ...numbers] : numbers) {
		const [from, to] = near(number, number);
		const before = ranges[ranges.length - 1];
		if (before && from <= before[1] + 1)
			before[1] = to;
		else
			ranges.push([from, to]);
	}
	return ranges;
}

class SourceView {
	constructor(does) {
		this.table = new CodeTable(byId('source-lines'), does);
	}

	/** Shows the function at row of functions; lines are what it counted, files the texts. */
	show(functions, row, lines, files, weight) {
		const total = functions[weight].numbers[row];
		const byFile = new Map();
		for (const line of lines)
			byFile.set(line.filename, [...byFile.get(line.filename) ?? [], line]);
		const sum = (list) => list.reduce((all, line) => all + line[weight], 0);
		const sorted = [...byFile].sort(([, a], [, b]) => sum(b) - sum(a));
		this.table.start(total);
		for (const [name, list] of sorted) {
			const own = name === functions.text('filename', row);
			this.showFile(name, list.sort((a, b) => a.line - b.line), files.get(name), own ? functions.line(row) : 0, weight);
		}
		const elsewhere = total - this.table.shown;
		if (elsewhere > 0 || !lines.length) {
			this.table.say('file', 'Without a source line');
			this.table.add([['number', ''], ['text', this.reason(functions, row, total)]], elsewhere, {});
		}
		this.table.end();
	}

	reason(functions, row, total) {
		const reason = functions.text('reason', row);
		if (!total)
			return 'The function itself has no samples.';
		return reason ? `No source lines: ${reason}.` : 'No source lines: the binary has no debugging information for it.';
	}

	showFile(name, lines, file, start, weight) {
		const counted = new Map(lines.map((line) => [line.line, line[weight]]));
		this.table.say('file', shownName(name));
		if (!file || file.lack) {
			this.table.say('note', file ? `The source file ${file.lack}: --source-dir=OLD=NEW says where source files are.`
				: 'Too few samples, or too little room for its text: --html-size.');
			for (const [number, count] of counted)
				this.addLine(name, number, '', count);
			return;
		}
		if (file.newer)
			this.table.say('note', 'The file was written after the program: its lines may not be those of the code.');
		for (const [i, [from, to]] of shownRanges([...counted.keys()], start).entries()) {
			if (i)
				this.table.say('note', '⋯');
			for (let number = from; number <= to; number++)
				if (counted.has(number) || file.lines.has(number))
					this.addLine(name, number, file.lines.get(number) ?? '', counted.get(number) ?? 0);
		}
	}

	addLine(filename, number, text, count) {
		this.table.add([['number', String(number)], ['text', shownSource(text)]], count, {filename, number});
	}
}

/** Source text as it is shown: as a name, but tabs are blanks up to the next fourth column. */
function shownSource(text) {
	let shown = '';
	for (const [i, part] of text.split('\t').entries())
		shown += (i ? ' '.repeat(4 - shown.length % 4) : '') + part;
	return shownName(shown);
}

/** Which instructions are shown: all, or those near the hottest ones. */
function shownInstructions(code, spots, weight) {
	const count = code.instructions.length;
	const shown = new Uint8Array(count);
	if (count <= CODE_ROWS)
		return shown.fill(1);
	let marked = 0;
	for (const spot of [...spots].sort((a, b) => b[weight] - a[weight])) {
		for (let i = Math.max(0, spot.instruction - CODE_NEAR); i < Math.min(count, spot.instruction + CODE_NEAR); i++) {
			marked += 1 - shown[i];
			shown[i] = 1;
		}
		if (marked >= CODE_ROWS)
			break;
	}
	return shown;
}

/** Arrows of jumps between rows, drawn with characters: a text for each row. Rows have offset and target. */
function drawArrows(rows) {
	const byOffset = new Map(rows.map((row, i) => [row.offset, i]));
	const jumps = rows.map((row, from) => ({from, to: row.target >= 0 ? byOffset.get(row.target) : undefined}))
		.filter((jump) => jump.to !== undefined && jump.to !== jump.from)
		.map(({from, to}) => ({from, to, top: Math.min(from, to), end: Math.max(from, to)}))
		.sort((a, b) => (a.end - a.top) - (b.end - b.top) || a.top - b.top);
	const drawn = rows.map(() => new Array(LANES + 2).fill(' '));
	for (const {to, top, end} of jumps) {
		let lane = LANES - 1;
		const isTaken = (i) => drawn.slice(top, end + 1).some((row) => row[i] !== ' ');
		while (lane >= 0 && isTaken(lane))
			lane--;
		if (lane < 0)
			continue;
		for (let i = top; i <= end; i++)
			drawn[i][lane] = i === top ? '┌' : i === end ? '└' : '│';
		for (const i of [top, end])
			for (let at = lane + 1; at < LANES + 2; at++)
				drawn[i][at] = at === LANES + 1 && i === to ? '►' : drawn[i][at] === ' ' ? '─' : drawn[i][at];
	}
	return drawn.map((row) => row.join(''));
}

class AssemblyView {
	constructor(does) {
		this.table = new CodeTable(byId('assembly-code'), does);
	}

	show(functions, row, spots, codes, weight) {
		const total = functions[weight].numbers[row];
		const of = spots.of(row);
		const sum = (number) => of.reduce((all, spot) => all + (spot.code === number ? spot[weight] : 0), 0);
		const numbers = [...new Set(of.map((spot) => spot.code))].sort((a, b) => sum(b) - sum(a) || a - b);
		this.table.start(total);
		for (const number of numbers)
			this.showCode(codes[number], of.filter((spot) => spot.code === number), weight);
		const elsewhere = total - this.table.shown;
		if (elsewhere > 0 || !of.length) {
			const lack = spots.lacks.get(row);
			this.table.say('file', of.length ? 'Elsewhere' : 'No instructions');
			this.table.add([['address', ''], ['arrows', ''], ['text', this.reason(total, lack)]], elsewhere, {});
		}
		this.table.end();
	}

	reason(total, lack) {
		if (!total)
			return 'The function itself has no samples.';
		return lack ? `No code is shown: ${lack}.` : 'Too many instructions to be shown.';
	}

	showCode(code, spots, weight) {
		const counted = new Map(spots.map((spot) => [spot.instruction, spot[weight]]));
		const shown = shownInstructions(code, spots, weight);
		const rows = [];
		code.instructions.forEach((one, number) => {
			if (shown[number])
				rows.push({...one, code, count: counted.get(number) ?? 0});
		});
		const arrows = drawArrows(rows);
		this.table.say('file', `${shownName(code.name)} in ${shownName(code.binary)}`);
		let end = -1; /* the last line that was told */
		rows.forEach((one, i) => {
			if (i && one.offset - rows[i - 1].offset > 16)
				this.table.say('note', '⋯');
			const place = one.line ? `${one.filename.replace(/^.*\//s, '')}:${one.line}` : '';
			this.table.add([['address', (code.start + BigInt(one.offset)).toString(16)], ['arrows', arrows[i]],
				['text', shownName(one.text)], ['line', place === end ? '' : shownName(place)]], one.count, one);
			end = place;
		});
	}
}

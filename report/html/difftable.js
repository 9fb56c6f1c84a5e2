// The table of diff.csv, with its intervals as drawings.

/** The column of drawings; it is sorted by what it draws. */
const DRAWN = 'interval';
/** What stands first; the other columns follow as in diff.csv. */
const DIFF_FIRST = ['function', 'verdict', DRAWN, 'old_value', 'new_value', 'ratio', 'q_value'];

/** A drawing of the change from low to high around point, on a scale from -most to most, zero marked. */
function drawInterval(low, point, high, most) {
	const box = element('span', 'interval');
	const place = (value) => `${50 + 50 * Math.min(Math.max(value / most, -1), 1)}%`;
	const add = (className, at) => {
		const mark = element('i', className);
		mark.style.left = place(at);
		box.append(mark);
		return mark;
	};
	add('zero', 0);
	if (Number.isFinite(low) && Number.isFinite(high) && most > 0)
		add('line', low).style.right = `calc(100% - ${place(high)})`;
	if (Number.isFinite(point) && most > 0)
		add('point', point);
	return box;
}

/** A number with its sign. */
function withSign(number) {
	return `${number > 0 ? '+' : number < 0 ? '−' : ''}${Math.abs(number)}`;
}

/** The change of a row in words: "+3.2 % of all (+2.1 to +4.3)". */
function changeInWords(rows, row) {
	const [delta, low, high] = ['delta_percent', 'ci_low', 'ci_high'].map((name) => rows.number(name, row));
	const short = (number) => withSign(Number(number.toPrecision(3)));
	const interval = Number.isFinite(low + high) ? ` (${short(low)} to ${short(high)})` : '';
	const unit = rows.text('by', row) === 'share' ? 'points' : '% of all';
	return Number.isFinite(delta) ? `${short(delta)} ${unit}${interval}` : 'the old side has nothing';
}

/** The columns of the table: as TABLE_COLUMNS. */
function diffColumns(run, strings) {
	const all = run.columns.map((column) => {
		const name = strings[column.name];
		const key = column.text ? null : (t, row) => {
			const number = t.rows.number(name, row);
			return Number.isNaN(number) ? -Infinity : number;
		};
		const className = name === 'function' ? 'name' : column.text ? 'place' : 'number';
		return [name, className, (t, row) => t.rows.text(name, row), key, strings[column.meaning]];
	});
	all.push([DRAWN, 'drawn', (t, row) => changeInWords(t.rows, row), all.find(([of]) => of === 'delta_percent')[3],
		'The change with its 95 % interval; the mark is at zero.']);
	const first = DIFF_FIRST.map((name) => all.find(([of]) => of === name));
	return [...first, ...all.filter((column) => !first.includes(column))];
}

class DiffTable extends FunctionTable {
	constructor(box, does, run, strings) {
		super(box, does, diffColumns(run, strings));
		[...this.head.rows[0].cells].forEach((cell, i) => {
			cell.title = this.columns[i][4];
		});
	}

	/** Shows the rows that search finds and that have verdict ('': any), sorted as in FunctionTable. */
	show(rows, search, verdict, sort) {
		this.rows = rows;
		this.most = this.scale();
		this.order = [];
		for (let row = 0; row < rows.count; row++)
			if ((!search.text || search.matches?.(rows.text('function', row))) &&
					(!verdict || this.group(row) === verdict))
				this.order.push(row);
		this.arrange(sort);
	}

	/** 'changed', 'unsure' or 'same'. */
	group(row) {
		const verdict = this.rows.text('verdict', row);
		return verdict === 'same' || verdict === 'unsure' ? verdict : 'changed';
	}

	/** The largest end of an interval of what changed; if nothing did, of all. */
	scale() {
		const {rows} = this;
		const all = Array.from({length: rows.count}, (_, row) => row);
		const changed = all.filter((row) => this.group(row) === 'changed');
		let most = 0;
		for (const row of changed.length ? changed : all)
			for (const name of ['delta_percent', 'ci_low', 'ci_high'])
				most = Math.max(most, Math.abs(rows.number(name, row)) || 0);
		return most;
	}

	cell(column, row) {
		if (column[0] !== DRAWN)
			return super.cell(column, row);
		const cell = element('td', 'drawn');
		const number = (name) => this.rows.number(name, row);
		cell.title = changeInWords(this.rows, row);
		cell.append(drawInterval(number('ci_low'), number('delta_percent'), number('ci_high'), this.most));
		cell.setAttribute('aria-label', cell.title);
		return cell;
	}

	/** Selects row, if it is shown, and scrolls to it. */
	select(row) {
		const at = this.order.indexOf(row);
		if (at >= 0)
			this.move(at - this.selected);
	}

	/** The rows in their order as readperf writes them to diff.csv, under its header. */
	csv(run, strings) {
		const names = run.columns.map((column) => strings[column.name]);
		const lines = [names.join(',')];
		for (const row of this.order)
			lines.push(names.map((name, i) => run.columns[i].text
				? csvCell(this.rows.text(name, row), run.raw) : this.rows.text(name, row)).join(','));
		return lines.join('\n') + '\n';
	}
}

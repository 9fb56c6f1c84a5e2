// The data of a comparison: rows of diff.csv, and a tree whose nodes have what both sides counted.

/** The rows of diff.csv of one event: the texts of its cells, as they are in the file. */
class DiffRows {
	constructor(bytes, count, columns, strings) {
		this.cells = new Uint32Array(count * columns.length);
		readColumn(bytes, 0, this.cells);
		this.count = count;
		this.strings = strings;
		this.width = columns.length;
		this.place = new Map(columns.map((column, i) => [strings[column.name], i]));
	}

	text(name, row) {
		return this.strings[this.cells[row * this.width + this.place.get(name)]];
	}

	/** The number in a cell; NaN if it is empty. */
	number(name, row) {
		return Number.parseFloat(this.text(name, row));
	}
}

/** The functions of the paths of one event: first those of its rows, then those that have none. */
class DiffFunctions {
	constructor(bytes, count, strings) {
		let at = 0;
		this.count = count;
		this.strings = strings;
		for (const name of ['function', 'binary', 'filename', 'reason', 'line']) {
			this['_' + name] = new Uint32Array(count);
			at = readColumn(bytes, at, this['_' + name]);
		}
	}

	/** The text of the column called name ('function', 'binary', 'filename', 'reason'). */
	text(name, row) {
		return this.strings[this['_' + name][row]];
	}

	line(row) {
		return this._line[row];
	}
}

/** What people may weigh paths by: [name, what it is divided by, of which column]. */
const DIFF_WEIGHTS = {
	period: ['period', (event, side) => event.nrRuns[side]],
	rate: ['period', (event, side) => [event.oldSeconds, event.newSeconds][side]],
	share: ['period', (event, side) => Number([event.oldPeriod, event.newPeriod][side]) / 100],
	samples: ['samples', (event, side) => event.nrRuns[side]],
};

/** Numbers of a column divided by by; zeros if that is not above 0. */
function divided(column, by) {
	const made = new Float64Array(column.length);
	for (let i = 0; by > 0 && i < column.length; i++)
		made[i] = column[i] / by;
	return made;
}

/** The larger number of each pair. */
function larger(a, b) {
	const made = new Float64Array(a.length);
	for (let i = 0; i < a.length; i++)
		made[i] = a[i] > b[i] ? a[i] : b[i];
	return made;
}

/** The numbers of a column at places. */
function gather(column, places) {
	const made = new Float64Array(places.length);
	for (let i = 0; i < places.length; i++)
		made[i] = column[places[i]];
	return made;
}

/** Sets total, the width of nodes: the larger side, or as much as the nodes below need together. */
function widen(tree) {
	const {parent, sides: [from, to]} = tree;
	const total = tree.total = new Float64Array(tree.count); /* first what is below */
	for (let i = tree.count - 1; i >= 0; i--) {
		total[i] = Math.max(from[i], to[i], total[i]);
		if (i)
			total[parent[i]] += total[i];
	}
}

/** The tree of both sides: Tree has their sums, this one what each of them counted. */
class DiffTree extends Tree {
	constructor(bytes, sides, event, functions, strings) {
		super(bytes, event, functions, strings);
		let at = 0;
		const column = () => {
			const self = new Float64Array(this.count);
			at = readColumn(sides, at, self.subarray(1));
			return self;
		};
		this.event = event;
		this.version = 0; /* of total */
		this.selfOf = [0, 1].map(() => ({samples: column(), period: column()}));
		this.sumsOf = {}; /* by 'samples' or 'period': of each side self and total, as recorded */
	}

	/** What each side counted of 'samples' or 'period' in all its runs: {self, total} by node. */
	sums(of) {
		return this.sumsOf[of] ??= this.selfOf.map((side) => ({self: side[of], total: this.addUp(side[of])}));
	}

	addUp(self) {
		const total = Float64Array.from(self);
		for (let i = this.count - 1; i > 0; i--)
			total[this.parent[i]] += total[i];
		return total;
	}

	/** Sets sides and selves, what each side counted by weight, and total and wide, the widths. */
	weigh(weight) {
		const [of, divisor] = DIFF_WEIGHTS[weight];
		const sums = this.sums(of);
		const scaled = (what) => sums.map((side, i) => {
			const by = divisor(this.event, i);
			return divided(side[what], by);
		});
		this.weight = weight;
		this.sides = scaled('total');
		this.selves = scaled('self');
		this.wide = larger(...this.selves);
		widen(this);
		this.version++;
	}

	/** The widest node of the function at row; -1 if there is none. */
	widest(row) {
		return this.findOutermost(row).reduce((best, node) =>
			best < 0 || this.total[node] > this.total[best] ? node : best, -1);
	}
}

/** The tree upside down, with what both sides counted. */
function invertedDiff(tree, path) {
	const bundle = leafBundle(tree, [tree.wide, ...tree.selves].map((column) => gather(column, tree.leaves)));
	const inverted = new MergedTree(tree, tree.frame[0], bundle.sum(0), bundle, stepToCallers, path);
	widen(inverted);
	return inverted;
}

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

/** Sets total, the width of nodes: the larger side, or as much as the nodes below need together. */
function widen(tree) {
	const below = new Float64Array(tree.count);
	tree.total = new Float64Array(tree.count);
	for (let i = tree.count - 1; i >= 0; i--) {
		tree.total[i] = Math.max(tree.sides[0][i], tree.sides[1][i], below[i]);
		if (i)
			below[tree.parent[i]] += tree.total[i];
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
			return by > 0 ? side[what].map((sum) => sum / by) : new Float64Array(this.count);
		});
		this.weight = weight;
		this.sides = scaled('total');
		this.selves = scaled('self');
		this.wide = this.selves[0].map((self, i) => Math.max(self, this.selves[1][i]));
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
	const nodes = [];
	for (let i = 1; i < tree.count; i++)
		if (tree.wide[i] > 0)
			nodes.push(i);
	const of = (weights) => Float64Array.from(nodes, (node) => weights[node]);
	const bundle = new Bundle(nodes, of(tree.wide), tree.selves.map(of));
	const inverted = new MergedTree(tree, tree.frame[0], bundle.sum(), bundle, (b) => b.callers(tree), path);
	widen(inverted);
	return inverted;
}

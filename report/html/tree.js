// The tree of the call paths of one event: nodes in pre-order, node 0 being all of them.

/** A frame that is no function: [rest], or why paths are cut. */
const NO_FUNCTION = -1;
/** The columns of callees: see report/export/pagetree.h. */
const CALLEE_COLUMNS = 20;
/** The column of nodes that are of the only frame below their parent's. */
const NO_COLUMN = 255;

/** What the frames of an event stand for. The last one is that of node 0. */
class Frames {
	constructor(keys, event, functions, strings) {
		const count = keys.length + 1;
		this.count = count;
		this.functions = functions;
		this.function = new Int32Array(count).fill(NO_FUNCTION);
		this.inlined = new Uint8Array(count);
		this.words = new Map([[count - 1, 'all']]);
		keys.forEach((key, frame) => {
			if (key < 2 * functions.count) {
				this.function[frame] = key >>> 1;
				this.inlined[frame] = key & 1;
			} else {
				this.words.set(frame, '[' + strings[event.words[key - 2 * functions.count]] + ']');
			}
		});
	}

	/** The functions have new numbers. */
	renumber(numbers) {
		this.function.forEach((of, frame) => {
			if (of !== NO_FUNCTION)
				this.function[frame] = numbers[of];
		});
	}

	/** The name as people read it: without one, the binary stands for the function. */
	name(frame) {
		const row = this.function[frame];
		return row === NO_FUNCTION ? this.words.get(frame) : functionName(this.functions, row);
	}
}

/** The name of a row of the table; one without a name is named after its binary. */
function functionName(functions, row) {
	const name = functions.text('function', row);
	if (!functions.text('reason', row) && name)
		return name;
	const base = functions.text('binary', row).replace(/^.*\//s, '');
	return base.startsWith('[') ? base : base ? `[${base}]` : '[unknown]';
}

/** Which frames are below which, those of most nodes first. */
class Callees {
	constructor(reader, frames) {
		const counts = reader.column(Uint32Array, frames + 1);
		const starts = this.starts = new Uint32Array(frames + 1);
		this.columns = new Uint8Array(frames + 1);
		let all = 0;
		for (let i = 0; i <= frames; i++) {
			starts[i] = all;
			all += counts[i];
			this.columns[i] = Callees.columnOf(counts[i]);
		}
		this.list = Uint32Array.from(reader.planes(all));
	}

	/** The number of the column that tells nodes below a frame with count callees apart. */
	static columnOf(count) {
		if (count < 2)
			return NO_COLUMN;
		if (count <= 16)
			return count - 2;
		return Math.min(15 + 32 - Math.clz32(count - 1 >>> 5), CALLEE_COLUMNS - 1);
	}

	/** How many numbers of a column are in one byte. */
	static inByte(column) {
		return column + 2 > 16 ? 1 : Math.floor(Math.log(256.5) / Math.log(column + 2));
	}

	/** The columns follow. */
	startNodes(reader) {
		const lengths = reader.column(Uint32Array, CALLEE_COLUMNS);
		this.bytes = new Uint8Array(lengths.reduce((sum, length, i) => sum + length * Callees.inByte(i), 0));
		this.at = new Uint32Array(CALLEE_COLUMNS); /* by column: where the next node's number is */
		let to = 0;
		lengths.forEach((length, i) => {
			this.at[i] = to;
			to = this.spread(reader.bytes.subarray(reader.at, reader.at += length), i, to);
		});
	}

	/** Adds the numbers in packed, which are those of a column; returns where the next ones go. */
	spread(packed, column, to) {
		const count = Callees.inByte(column);
		const base = count > 1 ? column + 2 : 256;
		const {bytes} = this;
		for (let byte of packed) {
			for (let i = count; i > 0; i--) {
				const rest = byte / base | 0;
				bytes[to++] = byte - rest * base;
				byte = rest;
			}
		}
		return to;
	}

	/** The next number in the last column. */
	nextLarge() {
		let value = 0;
		for (let shift = 0; ; shift += 7) {
			const byte = this.bytes[this.at[CALLEE_COLUMNS - 1]++];
			value |= (byte & 127) << shift;
			if (byte < 128)
				return value;
		}
	}
}

/** Chains of nodes each of which is a child of the one before: how long they are, and how far up each starts. */
function readChains(reader) {
	const count = reader.next();
	const lengths = reader.column(Uint32Array, count);
	const ups = new Uint32Array(count);
	if (count)
		ups.set(reader.column(Uint32Array, count - 1), 1);
	for (let i = 0; i < count; i++) {
		lengths[i]++;
		if (i)
			ups[i]++;
	}
	return {lengths, ups};
}

class Tree {
	constructor(bytes, event, functions, strings) {
		const reader = new ColumnReader(bytes);
		const keys = new Uint32Array(event.frames);
		for (let i = 0, next = 0; i < keys.length; i++, next++)
			keys[i] = next += reader.next();
		this.count = event.nodes + 1;
		this.version = 0; /* of total */
		this.quotient = Number(event.quotient);
		this.frames = new Frames(keys, event, functions, strings);
		this.total = new Float64Array(this.count);
		const callees = new Callees(reader, event.frames);
		const chains = readChains(reader);
		callees.startNodes(reader);
		this.link(chains, callees);
		this.readOwn(reader, chains);
	}

	/** Sets parent, depth, frame, and next, the first node after those below. */
	link(chains, callees) {
		const {count} = this;
		const parent = this.parent = new Uint32Array(count);
		const depth = this.depth = new Uint16Array(count);
		const frame = this.frame = new Uint32Array(count);
		const next = this.next = new Uint32Array(count);
		const open = new Uint32Array(65536);
		const {lengths, ups} = chains;
		const {starts, list, columns, bytes, at} = callees;
		let i = 1;
		let level = 1;
		frame[0] = this.frames.count - 1;
		for (let chain = 0; chain < lengths.length; chain++) {
			for (let up = ups[chain]; up > 0; up--)
				next[open[--level]] = i;
			let above = open[level - 1];
			let of = frame[above];
			for (const end = i + lengths[chain]; i < end; i++) {
				parent[i] = above;
				depth[i] = level;
				const column = columns[of];
				const number = column === NO_COLUMN ? 0
					: column < CALLEE_COLUMNS - 1 ? bytes[at[column]++] : callees.nextLarge();
				frame[i] = of = list[starts[of] + number];
				open[level++] = above = i;
			}
		}
		while (level > 0)
			next[open[--level]] = count;
	}

	/** Sets own: the nodes that counted something themselves, the leaves, and their samples and periods. */
	readOwn(reader, {lengths}) {
		const last = reader.column(Uint32Array, lengths.length);
		const gaps = reader.column(Uint32Array, reader.next());
		const inner = reader.column(Float64Array, gaps.length);
		const count = lengths.length + gaps.length;
		const leaves = this.leaves = new Uint32Array(count);
		const samples = new Float64Array(count);
		let leaf = 0;
		let left = gaps.length ? gaps[0] : Infinity; /* inner nodes before the next one that counts */
		let node = 1;
		for (let chain = 0, at = 0; chain < lengths.length; chain++) {
			const end = node + lengths[chain] - 1;
			while (node + left < end) {
				node += left;
				leaves[leaf] = node++;
				samples[leaf++] = inner[at++] + 1;
				left = at < gaps.length ? gaps[at] : Infinity;
			}
			left -= end - node;
			leaves[leaf] = end;
			samples[leaf++] = last[chain] + 1;
			node = end + 1;
		}
		const period = reader.planes(count);
		for (leaf = 0; leaf < count; leaf++)
			period[leaf] += samples[leaf] * this.quotient;
		this.own = {samples, period};
	}

	/** Sets total to the sums of own, what each leaf counts. */
	weigh(own) {
		this.weighed = own;
		this.version++;
		this.addUp(own, this.total.fill(0));
	}

	/** What own, which each leaf counts, is together with the nodes below; total is all 0. */
	addUp(own, total = new Float64Array(this.count)) {
		const {leaves, parent} = this;
		for (let leaf = 0; leaf < leaves.length; leaf++)
			total[leaves[leaf]] = own[leaf];
		for (let i = this.count - 1; i > 0; i--)
			total[parent[i]] += total[i];
		return total;
	}

	/** What a node counted itself. */
	self(node) {
		let self = this.total[node];
		for (let child = node + 1; child < this.next[node]; child = this.next[child])
			self -= this.total[child];
		return self;
	}

	/** By leaf, twice the row of its function, and 1 more if it is inlined; NO_FUNCTION if it has none. */
	get leafRows() {
		return this.rowsOfLeaves ??= this.findLeafRows();
	}

	findLeafRows() {
		const {leaves, frame} = this;
		const {inlined} = this.frames;
		const rowOf = this.frames.function;
		const rows = new Int32Array(leaves.length);
		for (let leaf = 0; leaf < rows.length; leaf++) {
			const of = frame[leaves[leaf]];
			rows[leaf] = rowOf[of] === NO_FUNCTION ? NO_FUNCTION : 2 * rowOf[of] + inlined[of];
		}
		return rows;
	}

	/** By row of the table of functions, the periods of its leaves. */
	periodsOf() {
		const {leaves, frame, own: {period}} = this;
		const rowOf = this.frames.function;
		const sums = new Float64Array(this.frames.functions.count);
		for (let leaf = 0; leaf < leaves.length; leaf++)
			if (rowOf[frame[leaves[leaf]]] !== NO_FUNCTION)
				sums[rowOf[frame[leaves[leaf]]]] += period[leaf];
		return sums;
	}

	/** By row of the table of functions, what its leaves counted of own: self and inlined. */
	ownSums(own) {
		const {leafRows} = this;
		const self = new Float64Array(this.frames.functions.count);
		const inlined = new Float64Array(self.length);
		for (let leaf = 0; leaf < leafRows.length; leaf++) {
			const row = leafRows[leaf];
			if (row === NO_FUNCTION)
				continue;
			self[row >> 1] += own[leaf];
			if (row & 1)
				inlined[row >> 1] += own[leaf];
		}
		return {self, inlined};
	}

	/** By row, what functions counted with their callees: of total, by node, and of other, by leaf. */
	childrenSums(total, other) {
		const {outermostRows} = this;
		const pairs = new Float64Array(2 * this.frames.functions.count); /* which lie together in memory */
		const sums = this.scratch = this.addUp(other, this.scratch?.fill(0));
		for (let i = 1; i < this.count; i++) {
			const row = outermostRows[i];
			if (row === NO_FUNCTION || !sums[i] && !total[i])
				continue;
			pairs[2 * row] += total[i];
			pairs[2 * row + 1] += sums[i];
		}
		return [0, 1].map((which) => pairs.filter((_, i) => i % 2 === which));
	}

	/** What the function at row counts: {self, children}. */
	sumsOf(row) {
		const {leafRows, total, weighed} = this;
		let self = 0;
		for (let leaf = 0; leaf < leafRows.length; leaf++)
			if (leafRows[leaf] >> 1 === row)
				self += weighed[leaf];
		return {self, children: this.outermost(row).reduce((sum, node) => sum + total[node], 0)};
	}

	/** Whether the function at row calls itself, be it through others. */
	isRecursive(row) {
		const {frame, next, frames} = this;
		for (const node of this.outermost(row))
			for (let i = node + 1; i < next[node]; i++)
				if (frames.function[frame[i]] === row)
					return true;
		return false;
	}

	/** The nodes of the function at row that are below no other one of it. */
	outermost(row) {
		if (this.found?.row !== row)
			this.found = {row, nodes: this.findOutermost(row)};
		return this.found.nodes;
	}

	findOutermost(row) {
		const rows = this.outermostRows;
		const nodes = [];
		for (let i = rows.indexOf(row); i >= 0; i = rows.indexOf(row, i + 1))
			nodes.push(i);
		return Uint32Array.from(nodes);
	}

	/** By node, the row of its function; NO_FUNCTION if it has none, or is below another one of it. */
	get outermostRows() {
		return this.rows ??= this.findOutermostRows();
	}

	findOutermostRows() {
		const {frame, next, count} = this;
		const rowOf = this.frames.function;
		const rows = new Int32Array(count);
		const ends = new Uint32Array(this.frames.functions.count); /* by row: where the last one found ends */
		for (let i = 0; i < count; i++) {
			const row = rowOf[frame[i]];
			if (row === NO_FUNCTION || i < ends[row]) {
				rows[i] = NO_FUNCTION;
			} else {
				rows[i] = row;
				ends[row] = next[i];
			}
		}
		return rows;
	}
}

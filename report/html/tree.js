// The tree of the call paths of one event: nodes in pre-order, node 0 being all of them.

/** A frame that is no function: [rest], or why paths are cut. */
const NO_FUNCTION = -1;

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

class Tree {
	constructor(bytes, event, functions, strings) {
		const count = event.nodes;
		const keys = new Uint32Array(event.frames);
		let at = readColumn(bytes, 0, keys);
		const up = new Uint32Array(count);
		at = readColumn(bytes, at, up);
		this.count = count + 1;
		this.link(up);
		const reader = new ColumnReader(bytes);
		reader.at = at;
		this.readFrames(reader, event.frames);
		this.quotient = Number(event.quotient);
		this.version = 0; /* of total */
		this.total = new Float64Array(this.count);
		this.readOwn(reader);
		this.frames = new Frames(keys, event, functions, strings);
	}

	/** Sets frame: each is told by its number among those below its parent's frame, in the order of
	 * their first time; what each new one was follows. */
	readFrames(reader, all) {
		const count = this.count;
		const added = new ColumnReader(reader.bytes);
		added.skip(reader.at, count - 1);
		const known = Array.from({length: all + 1}, () => []);
		const frame = this.frame = new Uint32Array(count);
		frame[0] = all;
		for (let i = 1; i < count; i++) {
			const callees = known[frame[this.parent[i]]];
			const callee = reader.next();
			if (callee === callees.length)
				callees.push(added.next());
			frame[i] = callees[callee];
		}
		reader.at = added.at;
	}

	/** Sets parent, depth and next, the first node after those below, from how far each is up. */
	link(up) {
		const count = this.count;
		const parent = this.parent = new Uint32Array(count);
		const depth = this.depth = new Uint16Array(count);
		const next = this.next = new Uint32Array(count);
		const open = new Uint32Array(65536);
		let level = 1;
		for (let i = 1; i < count; i++) {
			for (let n = up[i - 1]; n > 0; n--)
				next[open[--level]] = i;
			parent[i] = open[level - 1];
			depth[i] = level;
			open[level++] = i;
		}
		while (level > 0)
			next[open[--level]] = count;
	}

	/** Sets own: the nodes that counted something themselves, the leaves, and their samples and periods. */
	readOwn(reader) {
		const nodes = new Uint32Array(this.count);
		const samples = new Float64Array(this.count);
		let count = 0;
		for (let i = 1; i < this.count; i++) {
			const own = reader.next() + (this.next[i] === i + 1 ? 1 : 0);
			if (own) {
				nodes[count] = i;
				samples[count++] = own;
			}
		}
		const period = reader.planes(count);
		for (let leaf = 0; leaf < count; leaf++)
			period[leaf] += samples[leaf] * this.quotient;
		this.leaves = nodes.slice(0, count);
		this.own = {samples: samples.slice(0, count), period};
	}

	/** Sets total to the sums of own, what each leaf counts. */
	weigh(own) {
		const {leaves, parent, total} = this;
		this.weighed = own;
		this.version++;
		total.fill(0);
		for (let leaf = 0; leaf < leaves.length; leaf++)
			total[leaves[leaf]] = own[leaf];
		for (let i = this.count - 1; i > 0; i--)
			total[parent[i]] += total[i];
	}

	/** What a node counted itself. */
	self(node) {
		let self = this.total[node];
		for (let child = node + 1; child < this.next[node]; child = this.next[child])
			self -= this.total[child];
		return self;
	}

	/** By row of the table of functions, what its leaves counted of own: self and inlined. */
	ownSums(own) {
		const {leaves, frame} = this;
		const rowOf = this.frames.function;
		const self = new Float64Array(this.frames.functions.count);
		const inlined = new Float64Array(self.length);
		for (let leaf = 0; leaf < leaves.length; leaf++) {
			const of = frame[leaves[leaf]];
			if (!own[leaf] || rowOf[of] === NO_FUNCTION)
				continue;
			self[rowOf[of]] += own[leaf];
			if (this.frames.inlined[of])
				inlined[rowOf[of]] += own[leaf];
		}
		return {self, inlined};
	}

	/** By row, what functions counted with their callees: of the weight of total, and of other, by leaf. */
	childrenSums(other) {
		const {leaves, frame, parent, total} = this;
		const rowOf = this.frames.function;
		const outermost = this.outermostMarks ??= markOutermost(this);
		const children = [0, 1].map(() => new Float64Array(this.frames.functions.count));
		const sums = new Float64Array(this.count);
		for (let leaf = 0; leaf < leaves.length; leaf++)
			sums[leaves[leaf]] = other[leaf];
		for (let i = this.count - 1; i > 0; i--) {
			if (!total[i] && !sums[i])
				continue;
			sums[parent[i]] += sums[i];
			if (outermost[i]) {
				children[0][rowOf[frame[i]]] += total[i];
				children[1][rowOf[frame[i]]] += sums[i];
			}
		}
		return children;
	}

	/** What the function at row counts: {self, children}. */
	sumsOf(row) {
		const {leaves, frame, total, weighed} = this;
		const rowOf = this.frames.function;
		let self = 0;
		for (let leaf = 0; leaf < leaves.length; leaf++)
			if (rowOf[frame[leaves[leaf]]] === row)
				self += weighed[leaf];
		return {self, children: this.outermost(row).reduce((sum, node) => sum + total[node], 0)};
	}

	/** The nodes of the function at row that are below no other one of it. */
	outermost(row) {
		if (this.found?.row !== row)
			this.found = {row, nodes: this.findOutermost(row)};
		return this.found.nodes;
	}

	findOutermost(row) {
		const nodes = [];
		const wanted = new Uint8Array(this.frames.count);
		this.frames.function.forEach((of, frame) => {
			wanted[frame] = of === row ? 1 : 0;
		});
		for (let i = 0; i < this.count;) {
			if (wanted[this.frame[i]]) {
				nodes.push(i);
				i = this.next[i];
			} else {
				i++;
			}
		}
		return Uint32Array.from(nodes);
	}
}

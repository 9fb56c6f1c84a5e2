// Trees that are made of another one: upside down, of all callers or of all callees of a function.
//
// Nodes that stand for less than a part of the whole are left out, as they could not be seen: what
// is zoomed is made anew, with a path of frames down to it.

/** What is too small to be seen beside the whole. */
const MERGE_PART = 1 / 8000;
/** How many nodes of the other tree are looked at: a tenth of a second's work. */
const MERGE_WORK = 4e6;
/** What trees have for sides that are of one recording. */
const NO_SIDES = [];

/**
 * Nodes of the other tree, with columns of weights that they stand for: the first one counts, in a
 * comparison those of the sides follow.
 */
class Bundle {
	constructor(columns, size = 64) {
		this.count = 0;
		this.nodes = new Uint32Array(size);
		this.columns = Array.from({length: columns}, () => new Float64Array(size));
	}

	/** Makes room for more nodes. */
	reserve(more) {
		const size = this.count + more;
		if (size <= this.nodes.length)
			return;
		const grown = (column) => {
			const longer = new column.constructor(Math.max(size, 2 * column.length));
			longer.set(column.subarray(0, this.count));
			return longer;
		};
		this.nodes = grown(this.nodes);
		this.columns = this.columns.map(grown);
	}

	sum(column, start = 0, end = this.count) {
		const weights = this.columns[column];
		let sum = 0;
		for (let i = start; i < end; i++)
			sum += weights[i];
		return sum;
	}
}

/** Sets to to the callers of the nodes of from, start up to end; each keeps its weights. */
function stepToCallers(source, from, start, end, to) {
	to.count = 0;
	to.reserve(end - start);
	const {nodes, columns} = to;
	let {count} = to;
	for (let i = start; i < end; i++) {
		const parent = source.parent[from.nodes[i]];
		if (parent === 0)
			continue;
		nodes[count] = parent;
		for (let column = 0; column < columns.length; column++)
			columns[column][count] = from.columns[column][i];
		count++;
	}
	to.count = count;
}

/** Sets to to what the nodes of from, start up to end, call, by what that counted. */
function stepToCallees(source, from, start, end, to) {
	const {next, total} = source;
	to.count = 0;
	for (let i = start; i < end; i++) {
		const node = from.nodes[i];
		for (let child = node + 1; child < next[node]; child = next[child]) {
			if (!total[child])
				continue;
			if (to.count === to.nodes.length)
				to.reserve(1);
			to.nodes[to.count] = child;
			to.columns[0][to.count++] = total[child];
		}
	}
}

/** What a bundle has of each frame; frames have the same numbers as those of the other tree. */
class Splitter {
	constructor(source) {
		this.frame = source.frame;
		this.sums = new Float64Array(source.frames.count);
		this.counts = new Uint32Array(source.frames.count); /* of nodes; then where the next one goes */
	}

	/** Adds bundle to to by frames of at least that weight: {frame, start, end}, the heaviest first. */
	split(bundle, least, to) {
		if (bundle.count === 1) /* as most are, far from the root */
			return this.keepOne(bundle, least, to);
		const found = this.count(bundle);
		const {sums, counts} = this;
		const kept = found.filter((frame) => sums[frame] >= least).sort((a, b) => sums[b] - sums[a] || a - b);
		const groups = [];
		let end = to.count;
		for (const frame of kept) {
			groups.push({frame, start: end, end: end += counts[frame]});
			counts[frame] = groups[groups.length - 1].start + 1;
		}
		for (const frame of found)
			if (!(sums[frame] >= least))
				counts[frame] = 0;
		to.reserve(end - to.count);
		this.copy(bundle, to);
		to.count = end;
		for (const frame of found)
			sums[frame] = counts[frame] = 0;
		return groups;
	}

	/** split() of a bundle of one node. */
	keepOne(bundle, least, to) {
		if (!(bundle.columns[0][0] >= least))
			return [];
		const start = to.count;
		to.reserve(1);
		to.nodes[start] = bundle.nodes[0];
		for (let column = 0; column < to.columns.length; column++)
			to.columns[column][start] = bundle.columns[column][0];
		to.count++;
		return [{frame: this.frame[bundle.nodes[0]], start, end: start + 1}];
	}

	/** Sets sums and counts; returns the frames that there are. */
	count(bundle) {
		const {frame, sums, counts} = this;
		const {nodes, columns: [weights]} = bundle;
		const found = [];
		for (let i = 0; i < bundle.count; i++) {
			const of = frame[nodes[i]];
			if (!counts[of]++)
				found.push(of);
			sums[of] += weights[i];
		}
		return found;
	}

	/** Copies nodes to where counts says, less one; those of frames where it is 0 are left out. */
	copy(bundle, to) {
		const {frame, counts} = this;
		const {nodes, columns} = bundle;
		for (let i = 0; i < bundle.count; i++) {
			const of = frame[nodes[i]];
			if (!counts[of])
				continue;
			const at = counts[of]++ - 1;
			to.nodes[at] = nodes[i];
			for (let column = 0; column < columns.length; column++)
				to.columns[column][at] = columns[column][i];
		}
	}
}

/**
 * A tree whose node 0 has the frame rootFrame and stands for total, and whose first nodes are made of
 * bundle; step leads from the nodes of one to those below it. Of what is on path, a list of frames,
 * nothing else is made; zoom is the node at its end.
 */
class MergedTree {
	constructor(source, rootFrame, total, bundle, step, path) {
		this.source = source;
		this.frames = source.frames;
		this.step = step;
		this.splitter = new Splitter(source);
		this.made = [{frame: rootFrame, total, sides: this.sideSums(bundle), parent: 0, first: 0, count: 0}];
		this.below = bundle; /* what is below the node that is split */
		const zoom = this.follow(path);
		this.expand(zoom);
		this.order(zoom);
		delete this.made;
		delete this.splitter;
		delete this.below;
	}

	sideSums(bundle, start, end) {
		return bundle.columns.length === 1 ? NO_SIDES
			: bundle.columns.slice(1).map((_, side) => bundle.sum(side + 1, start, end));
	}

	/** Makes the nodes of groups of bundle below parent. */
	add(parent, groups, bundle) {
		const made = this.made;
		made[parent].first = made.length;
		made[parent].count = groups.length;
		for (const {frame, start, end} of groups)
			made.push({frame, total: bundle.sum(0, start, end), sides: this.sideSums(bundle, start, end), parent,
				first: 0, count: 0, start, end});
	}

	/** Goes down path; below has what is below its end then, which is returned. */
	follow(path) {
		let at = 0;
		for (const frame of path) {
			const bundle = new Bundle(this.below.columns.length);
			const group = this.splitter.split(this.below, 0, bundle).find((of) => of.frame === frame);
			if (!group)
				break;
			this.add(at, [group], bundle);
			at = this.made.length - 1;
			this.step(this.source, bundle, group.start, group.end, this.below);
		}
		return at;
	}

	/** Makes all that is below from, level by level. */
	expand(from) {
		const {made, below, source} = this;
		const least = made[from].total * MERGE_PART;
		let level = new Bundle(below.columns.length, below.count);
		this.add(from, this.splitter.split(below, least, level), level);
		let work = below.count;
		for (let at = made[from].first, end = made.length; at < end; end = made.length) {
			const next = new Bundle(below.columns.length, level.count);
			for (; at < end && work <= MERGE_WORK; at++) {
				this.step(source, level, made[at].start, made[at].end, below);
				work += below.count;
				this.add(at, this.splitter.split(below, least, next), next);
			}
			if (work > MERGE_WORK)
				break;
			level = next;
		}
	}

	/** Brings what was made level by level into pre-order. */
	order(zoom) {
		const made = this.made;
		const count = this.count = made.length;
		this.frame = new Uint32Array(count);
		this.parent = new Uint32Array(count);
		this.depth = new Uint16Array(count);
		this.next = new Uint32Array(count);
		this.total = new Float64Array(count);
		this.sides = made[0].sides.map(() => new Float64Array(count));
		const waiting = [0];
		for (let at = 0; waiting.length; at++) {
			const node = made[waiting.pop()];
			node.at = at;
			this.frame[at] = node.frame;
			this.total[at] = node.total;
			node.sides.forEach((sum, side) => {
				this.sides[side][at] = sum;
			});
			if (at) {
				this.parent[at] = made[node.parent].at;
				this.depth[at] = this.depth[this.parent[at]] + 1;
			}
			for (let i = node.first + node.count - 1; i >= node.first && node.count; i--)
				waiting.push(i);
		}
		for (let at = count - 1; at >= 0; at--) {
			this.next[at] = Math.max(this.next[at], at + 1);
			if (at)
				this.next[this.parent[at]] = Math.max(this.next[this.parent[at]], this.next[at]);
		}
		this.zoom = made[zoom].at;
	}

	/** The frames from below node 0 down to node. */
	path(node) {
		const path = [];
		for (; node; node = this.parent[node])
			path.push(this.frame[node]);
		return path.reverse();
	}
}

/** The leaves of tree that counted something in the first of columns, which have a number for each leaf. */
function leafBundle(tree, columns) {
	const {leaves} = tree;
	const bundle = new Bundle(columns.length, leaves.length);
	for (let leaf = 0; leaf < leaves.length; leaf++) {
		if (!(columns[0][leaf] > 0))
			continue;
		bundle.nodes[bundle.count] = leaves[leaf];
		for (let column = 0; column < columns.length; column++)
			bundle.columns[column][bundle.count] = columns[column][leaf];
		bundle.count++;
	}
	return bundle;
}

/** The tree upside down: what counted itself first, then its callers. */
function invertedTree(tree, path) {
	return new MergedTree(tree, tree.frame[0], tree.total[0], leafBundle(tree, [tree.weighed]), stepToCallers, path);
}

/** All that calls the function at row, or all that it calls; each sample once. */
function sandwichTree(tree, row, which, path) {
	const nodes = tree.outermost(row);
	const bundle = new Bundle(1, nodes.length);
	for (const node of nodes) {
		if (!tree.total[node])
			continue;
		bundle.nodes[bundle.count] = node;
		bundle.columns[0][bundle.count++] = tree.total[node];
	}
	const frame = bundle.count ? tree.frame[bundle.nodes[0]] : tree.frame[0];
	const step = which === 'callers' ? stepToCallers : stepToCallees;
	const below = new Bundle(1);
	step(tree, bundle, 0, bundle.count, below);
	return new MergedTree(tree, frame, bundle.sum(0), below, step, path);
}

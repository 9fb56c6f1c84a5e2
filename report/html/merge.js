// Trees that are made of another one: upside down, of all callers or of all callees of a function.
//
// Nodes that stand for less than a part of the whole are left out, as they could not be seen: what
// is zoomed is made anew, with a path of frames down to it.

/** What is too small to be seen beside the whole. */
const MERGE_PART = 1 / 8000;
/** How many nodes of the other tree are looked at: a tenth of a second's work. */
const MERGE_WORK = 4e6;

/** Nodes of the other tree, and the weight that each stands for; of a comparison also those of its sides. */
class Bundle {
	constructor(nodes, weights, sides = []) {
		this.nodes = nodes;
		this.weights = weights;
		this.sides = sides; /* more weights of the nodes: lists as long */
	}

	/** The callers of the nodes; each keeps its weight. */
	callers(source) {
		const nodes = new Uint32Array(this.nodes.length);
		const weights = new Float64Array(this.nodes.length);
		const sides = this.sides.map((side) => new Float64Array(side.length));
		let count = 0;
		for (let i = 0; i < this.nodes.length; i++) {
			const parent = source.parent[this.nodes[i]];
			if (parent === 0)
				continue;
			nodes[count] = parent;
			for (let side = 0; side < sides.length; side++)
				sides[side][count] = this.sides[side][i];
			weights[count++] = this.weights[i];
		}
		const cut = (list) => count < list.length ? list.subarray(0, count) : list;
		return new Bundle(cut(nodes), cut(weights), sides.map(cut));
	}

	callees(source) {
		const nodes = [];
		const weights = [];
		for (const node of this.nodes) {
			for (let child = node + 1; child < source.next[node]; child = source.next[child]) {
				if (source.total[child] > 0) {
					nodes.push(child);
					weights.push(source.total[child]);
				}
			}
		}
		return new Bundle(nodes, weights);
	}

	sum(weights = this.weights) {
		let sum = 0;
		for (let i = 0; i < weights.length; i++)
			sum += weights[i];
		return sum;
	}

	sideSums() {
		return this.sides.map((side) => this.sum(side));
	}

	/** Bundles of the nodes of each frame as {frame, total, bundle}, the heaviest first. */
	groups(source, least) {
		const slots = Bundle.slots(source.frames.count);
		const found = [];
		for (let i = 0; i < this.nodes.length; i++) {
			const frame = source.frame[this.nodes[i]];
			let slot = slots[frame];
			if (slot < 0) {
				slot = slots[frame] = found.length;
				found.push({frame, total: 0, count: 0, bundle: null});
			}
			found[slot].total += this.weights[i];
			found[slot].count++;
		}
		for (const group of found) {
			slots[group.frame] = -1;
			if (group.total >= least)
				group.bundle = new Bundle(new Uint32Array(group.count), new Float64Array(group.count),
					this.sides.map(() => new Float64Array(group.count)));
			group.count = 0;
		}
		const kept = found.filter((group) => group.bundle);
		kept.forEach((group, i) => {
			slots[group.frame] = i;
		});
		for (let i = 0; i < this.nodes.length; i++) {
			const slot = slots[source.frame[this.nodes[i]]];
			if (slot < 0)
				continue;
			const group = kept[slot];
			group.bundle.nodes[group.count] = this.nodes[i];
			for (let side = 0; side < this.sides.length; side++)
				group.bundle.sides[side][group.count] = this.sides[side][i];
			group.bundle.weights[group.count++] = this.weights[i];
		}
		for (const group of kept)
			slots[group.frame] = -1;
		return kept.sort((a, b) => b.total - a.total || a.frame - b.frame);
	}

	/** A number for each frame, -1 between uses. */
	static slots(count) {
		if (!Bundle.shared || Bundle.shared.length < count)
			Bundle.shared = new Int32Array(count).fill(-1);
		return Bundle.shared;
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
		this.made = [{frame: rootFrame, total, sides: bundle.sideSums(), parent: 0, bundle, first: 0, count: 0}];
		const zoom = this.follow(path, step);
		this.expand(zoom, step);
		this.order(zoom);
		delete this.made;
	}

	add(parent, groups, step) {
		const made = this.made;
		made[parent].first = made.length;
		made[parent].count = groups.length;
		for (const group of groups)
			made.push({frame: group.frame, total: group.total, sides: group.bundle.sideSums(), parent,
				first: 0, count: 0, bundle: step(group.bundle)});
	}

	follow(path, step) {
		let at = 0;
		for (const frame of path) {
			const group = this.made[at].bundle.groups(this.source, 0).find((g) => g.frame === frame);
			if (!group)
				break;
			this.add(at, [group], step);
			this.made[at].bundle = null;
			at = this.made.length - 1;
		}
		return at;
	}

	expand(from, step) {
		const least = this.made[from].total * MERGE_PART;
		let work = 0;
		for (let i = from; i < this.made.length; i++) {
			const bundle = this.made[i].bundle;
			this.made[i].bundle = null;
			if (!bundle || work > MERGE_WORK)
				continue;
			work += bundle.nodes.length;
			this.add(i, bundle.groups(this.source, least), step);
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

/** The tree upside down: what counted itself first, then its callers. */
function invertedTree(tree, path) {
	const heavy = (_, leaf) => tree.weighed[leaf] > 0;
	const bundle = new Bundle(tree.leaves.filter(heavy), tree.weighed.filter(heavy));
	return new MergedTree(tree, tree.frame[0], tree.total[0], bundle,
		(bundle) => bundle.callers(tree), path);
}

/** All that calls the function at row, or all that it calls; each sample once. */
function sandwichTree(tree, row, which, path) {
	const nodes = tree.outermost(row).filter((node) => tree.total[node] > 0);
	const bundle = new Bundle(nodes, Float64Array.from(nodes, (node) => tree.total[node]));
	const frame = nodes.length ? tree.frame[nodes[0]] : tree.frame[0];
	const step = (of) => of[which](tree);
	return new MergedTree(tree, frame, bundle.sum(), step(bundle), step, path);
}

// The search: which frames match, what they weigh together, and the next of them.

const SEARCH_MS = 80; /* a regular expression may take that long */
const SEARCHED_MAX = 2000; /* characters of a name that one is tried on */
const HITS_MAX = 10000; /* nodes that n and N go through */

/** A function that tells whether a name matches; null if text is no regular expression. */
function matcher(text) {
	const regexp = /^\/(.+?)\/?$/s.exec(text);
	if (!regexp) {
		const wanted = text.toLowerCase();
		return (name) => name.toLowerCase().includes(wanted);
	}
	try {
		const wanted = new Pattern(regexp[1]);
		return (name) => wanted.test(name.slice(0, SEARCHED_MAX));
	} catch {
		return null;
	}
}

class Search {
	/** Of what matches text among the frames; '' finds nothing. */
	constructor(frames, text) {
		this.text = text;
		this.hits = null;
		this.functions = 0;
		this.problem = '';
		if (text)
			this.find(frames, text);
	}

	find(frames, text) {
		const matches = matcher(text);
		const end = performance.now() + SEARCH_MS;
		const rows = new Set();
		this.matches = matches;
		this.hits = new Uint8Array(frames.count);
		if (!matches) {
			this.problem = 'no regular expression';
			return;
		}
		for (let frame = 0; frame < frames.count - 1; frame++) {
			if (matches(frames.name(frame))) {
				this.hits[frame] = 1;
				rows.add(frames.function[frame]);
			}
			if (performance.now() > end) {
				this.problem = 'took too long: not all names were tried';
				break;
			}
		}
		this.functions = rows.size;
	}

	/** Sets functions to those that match and have some of samples, by leaf of tree, themselves or in callees. */
	countFunctions(tree, samples) {
		const {frame, leaves, parent, frames} = tree;
		const isSeen = new Uint8Array(tree.count);
		const rows = new Set();
		for (let leaf = 0; this.hits && leaf < leaves.length; leaf++) {
			for (let node = samples[leaf] ? leaves[leaf] : 0; node && !isSeen[node]; node = parent[node]) {
				isSeen[node] = 1;
				if (this.hits[frame[node]])
					rows.add(frames.function[frame[node]]);
			}
		}
		rows.delete(NO_FUNCTION);
		this.functions = rows.size;
	}

	/** What the nodes of tree that match weigh; they are those that step() goes through. */
	weigh(tree) {
		this.found = new Matches(tree, this.hits);
		return this.found.sum;
	}

	/** The next node that matches, or the one before; -1 if there is none. */
	step(by) {
		return this.found?.step(by) ?? -1;
	}

	/** As step(), of what is seen in a graph of another tree. */
	stepIn(flame, by) {
		const {tree, zoom, width} = flame;
		if (!tree)
			return -1;
		if (this.inOther?.tree !== tree)
			this.inOther = new Matches(tree, this.hits, tree.total[zoom] * LEAST / width);
		return this.inOther.step(by);
	}
}

/** The nodes of a tree that match, heaviest first, and what they weigh, each sample once. */
class Matches {
	/** Of frames that are hits, if there are any; of nodes of at least that weight. */
	constructor(tree, hits, least = 0) {
		const found = [];
		this.tree = tree;
		this.sum = 0;
		for (let i = 1; hits && i < tree.count;) {
			if (hits[tree.frame[i]] && tree.total[i] >= least) {
				this.sum += tree.total[i];
				found.push(i);
				i = tree.next[i];
			} else {
				i++;
			}
		}
		found.sort((a, b) => tree.total[b] - tree.total[a] || a - b);
		this.nodes = found.slice(0, HITS_MAX);
		this.at = -1;
	}

	/** The next one, or the one before; -1 if there is none. */
	step(by) {
		const {nodes, at} = this;
		if (!nodes.length)
			return -1;
		this.at = (at + by + nodes.length + (at < 0 && by < 0 ? 1 : 0)) % nodes.length;
		return nodes[this.at];
	}
}

// What was counted in each thread and slice of time: cells of the nodes that counted something themselves.

class Cells {
	/** Of tree; its leaves are the nodes that counted something themselves. */
	constructor(bytes, event, tree) {
		const reader = new ColumnReader(bytes);
		this.tree = tree;
		this.count = event.cells;
		this.slices = event.slices;
		this.readCounts(reader);
		this.readPlaces(reader);
		this.samples = this.readSums(tree.own.samples, (cells, samples) => samples > cells,
			() => reader.next() + 1, 1);
		const periods = reader.planes(this.count - this.ends.length);
		let at = 0;
		this.leaf = this.leaves();
		this.period = this.readSums(tree.own.period, () => true,
			(cell) => periods[at++] + this.samples[cell] * tree.quotient, 0);
	}

	/** Sets ends: by leaf, where its cells end. */
	readCounts(reader) {
		const {samples} = this.tree.own;
		this.ends = new Uint32Array(samples.length);
		for (let leaf = 0, end = 0; leaf < samples.length; leaf++) {
			end += samples[leaf] > 1 ? reader.next() + 1 : 1;
			this.ends[leaf] = end;
		}
	}

	readPlaces(reader) {
		const {ends, count} = this;
		const thread = this.thread = new Uint16Array(count);
		const slice = this.slice = new Uint16Array(count);
		for (let leaf = 0, cell = 0; leaf < ends.length; leaf++) {
			for (let before = 0; cell < ends[leaf]; cell++)
				before = thread[cell] = before + reader.next();
		}
		for (let leaf = 0, cell = 0; leaf < ends.length; leaf++) {
			for (let first = cell; cell < ends[leaf]; cell++) {
				const continues = cell > first && thread[cell] === thread[cell - 1];
				slice[cell] = reader.next() + (continues ? slice[cell - 1] + 1 : 0);
			}
		}
	}

	/** What cells counted: the last one of a leaf has what the others leave of its own sum. */
	readSums(own, isRead, read, otherwise) {
		const {ends} = this;
		const column = new Float64Array(this.count);
		for (let leaf = 0, cell = 0; leaf < ends.length; leaf++) {
			const isGiven = isRead(ends[leaf] - cell, own[leaf]);
			let rest = own[leaf];
			for (; cell + 1 < ends[leaf]; cell++) {
				column[cell] = isGiven ? read(cell) : otherwise;
				rest -= column[cell];
			}
			column[cell++] = rest;
		}
		return column;
	}

	/** By cell, its leaf. */
	leaves() {
		const {ends, count} = this;
		const leaves = new Uint32Array(count);
		for (let leaf = 0, cell = 0; leaf < ends.length; leaf++)
			while (cell < ends[leaf])
				leaves[cell++] = leaf;
		return leaves;
	}

	/** By leaf, what the chosen cells counted: {samples, period}. */
	sumsOf(choice) {
		const {count, leaf, thread, slice, samples, period} = this;
		const {from, to, mask} = choice;
		const ofSamples = new Float64Array(this.ends.length);
		const ofPeriod = new Float64Array(this.ends.length);
		for (let cell = 0; cell < count; cell++) {
			if (!mask[thread[cell]] || slice[cell] < from || slice[cell] >= to)
				continue;
			ofSamples[leaf[cell]] += samples[cell];
			ofPeriod[leaf[cell]] += period[cell];
		}
		return {samples: ofSamples, period: ofPeriod};
	}

	/** By slice, the samples of chosen threads. */
	slicesOf(choice) {
		const sums = new Float64Array(Math.max(this.slices, 1));
		for (let cell = 0; cell < this.count; cell++)
			if (choice.mask[this.thread[cell]])
				sums[this.slice[cell]] += this.samples[cell];
		return sums;
	}

	/** By thread, what was counted of weight in the chosen time. */
	threadsOf(weight, choice) {
		const column = this[weight];
		const sums = new Float64Array(choice.mask.length);
		for (let cell = 0; cell < this.count; cell++)
			if (this.slice[cell] >= choice.from && this.slice[cell] < choice.to)
				sums[this.thread[cell]] += column[cell];
		return sums;
	}
}

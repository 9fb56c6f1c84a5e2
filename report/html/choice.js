// What is chosen: a span of time, and threads; and what the functions counted there.

/** '0-3.7' as [0, 1, 2, 3, 7]: numbers below end, ascending. */
function readRanges(text, end) {
	const numbers = new Set();
	for (const part of text ? text.split('.') : []) {
		const [first, last] = part.split('-').map(Number);
		for (let i = Math.max(first, 0); i <= (last ?? first) && i < end; i++)
			numbers.add(i);
	}
	return [...numbers].filter(Number.isInteger).sort((a, b) => a - b);
}

/** The reverse of readRanges(). */
function writeRanges(numbers) {
	const parts = [];
	for (let i = 0, first = 0; i < numbers.length; i++) {
		if (numbers[i + 1] === numbers[i] + 1)
			continue;
		parts.push(first === i ? `${numbers[i]}` : `${numbers[first]}-${numbers[i]}`);
		first = i + 1;
	}
	return parts.join('.');
}

/** Slices from 'from' up to 'to', and threads by number where mask is 1. */
class Choice {
	/** Of the texts of the state; what makes no sense is everything. */
	constructor(event, time, threads) {
		const [first, last] = time.split('-').map(Number);
		const isSpan = event.cells > 0 && Number.isInteger(first) && Number.isInteger(last) &&
			time !== '' && first >= 0 && first <= last && first < event.slices;
		const numbers = event.cells > 0 && event.cellThreads ? readRanges(threads, event.threads) : [];
		this.key = `${isSpan ? time : ''} ${numbers.length ? threads : ''}`;
		this.isSpan = isSpan;
		this.from = isSpan ? first : 0;
		this.to = isSpan ? Math.min(last + 1, event.slices) : Infinity;
		this.threads = numbers;
		this.mask = new Uint8Array(Math.max(event.threads, 1)).fill(numbers.length ? 0 : 1);
		for (const number of numbers)
			this.mask[number] = 1;
		this.isAll = !isSpan && !numbers.length;
	}
}

/** As Sums, of numbers that were added up here. */
class PartSums {
	constructor(numbers) {
		this.numbers = numbers;
	}

	big(i) {
		return BigInt(this.numbers[i]);
	}
}

/** The table of functions with what is chosen of tree; own is by leaf, for both weights. */
function chosenFunctions(tree, own) {
	const functions = Object.create(tree.frames.functions);
	const weights = tree.weight === 'period' ? ['period', 'samples'] : ['samples', 'period'];
	const children = tree.childrenSums(tree.total, own[weights[1]]);
	const set = (name, numbers) => Object.defineProperty(functions, name, {value: new PartSums(numbers)});
	weights.forEach((weight, i) => {
		const {self, inlined} = tree.ownSums(own[weight]);
		set(weight, self);
		set(`inlined_${weight}`, inlined);
		set(`children_${weight}`, children[i]);
	});
	const rows = [];
	for (let row = 0; row < functions.count; row++)
		if (functions.children_samples.numbers[row])
			rows.push(row);
	const period = functions.period.numbers;
	const {place} = functions;
	functions.rows = rows.sort((a, b) => period[b] - period[a] || place[a] - place[b]);
	return functions;
}

// Source and instructions of the hottest functions, as readperf has put them into the page.

/** Reads numbers one after the other, where columns of one length do not fit. */
class Reader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
		this.one = new Float64Array(1);
	}

	number() {
		this.at = readColumn(this.bytes, this.at, this.one);
		return this.one[0];
	}

	column(type, count) {
		const column = new type(count);
		this.at = readColumn(this.bytes, this.at, column);
		return column;
	}
}

/** The code of functions: {name, binary, start, size, instructions}. */
function readCode(bytes, strings) {
	const from = new Reader(bytes);
	const all = [];
	for (let left = from.number(); left > 0; left--) {
		const code = {name: strings[from.number()], binary: strings[from.number()],
			start: (BigInt(from.number()) << 32n) + BigInt(from.number()), size: from.number(), instructions: []};
		let offset = 0;
		for (let more = from.number(); more > 0; more--) {
			offset += from.number();
			code.instructions.push({offset, text: strings[from.number()], filename: strings[from.number()],
				line: from.number(), target: from.number() - 1});
		}
		all.push(code);
	}
	return all;
}

/** The lines of source files, by file: {newer, lack, lines: a map from number to text}. */
function readSources(bytes, strings) {
	const from = new Reader(bytes);
	const files = new Map();
	for (let left = from.number(); left > 0; left--) {
		const name = strings[from.number()];
		const newer = from.number() > 0;
		const lack = strings[from.number()];
		const file = files.get(name) ?? {newer, lack, lines: new Map()};
		const first = from.number();
		const count = from.number();
		for (let i = 0; i < count; i++)
			file.lines.set(first + i, strings[from.number()]);
		files.set(name, file);
	}
	return files;
}

/** What instructions counted in one event, by function. */
class Spots {
	constructor(bytes, strings) {
		const from = new Reader(bytes);
		const count = from.number();
		this.function = added(from.column(Uint32Array, count));
		this.code = from.column(Uint32Array, count);
		this.instruction = from.column(Uint32Array, count);
		this.samples = from.column(Float64Array, count);
		this.period = from.column(Float64Array, count);
		const functions = added(from.column(Uint32Array, from.number()));
		const texts = from.column(Uint32Array, functions.length);
		this.lacks = new Map(Array.from(functions, (row, i) => [row, strings[texts[i]]]));
	}

	/** Those of the function at row: {code, instruction, samples, period}. */
	of(row) {
		const spots = [];
		for (let i = this.function.indexOf(row); i >= 0 && this.function[i] === row; i++)
			spots.push({code: this.code[i], instruction: this.instruction[i], samples: this.samples[i],
				period: this.period[i]});
		return spots;
	}
}

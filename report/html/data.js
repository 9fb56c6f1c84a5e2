// What readperf has put into the page: numbers and strings, unpacked once.

/** The bytes of text: 13 bits in two of 91 characters, those from '!' on but for three; a last one alone
 * stands for the last bits. */
function readText(text) {
	const digits = new Uint8Array(128);
	for (let code = 33, digit = 0; digit < 91; code++)
		if (!'<&\\'.includes(String.fromCharCode(code)))
			digits[code] = digit++;
	const codes = new TextEncoder().encode(text);
	const bytes = new Uint8Array((codes.length >>> 1) * 13 + (codes.length % 2) * 6 >>> 3);
	let waiting = 0;
	let bits = 0;
	for (let i = 0, at = 0; at < bytes.length; i += 2) {
		const digit = digits[codes[i]];
		waiting |= (i + 1 < codes.length ? digit * 91 + digits[codes[i + 1]] : digit) << bits;
		for (bits += 13; bits > 7; bits -= 8) {
			bytes[at++] = waiting;
			waiting >>>= 8;
		}
	}
	return bytes;
}

/** The bytes packed in the element called id: text of raw deflate. */
async function unpack(id) {
	const packed = readText(document.getElementById(id).textContent);
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Fills column with numbers of seven bits a byte, the lowest first; returns where the next one is. */
function readColumn(bytes, at, column) {
	for (let i = 0; i < column.length; i++) {
		let byte = bytes[at++];
		if (byte < 128) { /* as most are */
			column[i] = byte;
			continue;
		}
		let value = byte & 127;
		for (let scale = 128; byte > 127; scale *= 128) {
			byte = bytes[at++];
			value += (byte & 127) * scale;
		}
		column[i] = value;
	}
	return at;
}

/** 0, 1, 2, 3 as 0, -1, 1, -2. */
function signed(number) {
	return number % 2 ? -(number + 1) / 2 : number / 2;
}

/** Adds to each number of column the one before. */
function added(column) {
	for (let i = 1; i < column.length; i++)
		column[i] += column[i - 1];
	return column;
}

/** Reads numbers of seven bits a byte, one by one. */
class ColumnReader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	next() {
		const {bytes} = this;
		let byte = bytes[this.at++];
		if (byte < 128)
			return byte;
		let value = byte & 127;
		for (let scale = 128; byte > 127; scale *= 128) {
			byte = bytes[this.at++];
			value += (byte & 127) * scale;
		}
		return value;
	}

	/** The next count numbers. */
	column(type, count) {
		const column = new type(count);
		this.at = readColumn(this.bytes, this.at, column);
		return column;
	}

	nextSigned() {
		return signed(this.next());
	}

	/** The next count signed numbers, in three columns: their lowest 8 bits, the next 8, the others. */
	planes(count) {
		const {bytes, at} = this;
		const column = new Float64Array(count);
		this.at += 2 * count;
		for (let i = 0; i < count; i++)
			column[i] = bytes[at + i] + 256 * bytes[at + count + i] + 65536 * this.nextSigned();
		return column;
	}
}

/** Sums: numbers, and beside them exactly those that have more than 53 bits. */
class Sums {
	constructor(count) {
		this.numbers = new Float64Array(count);
		this.exact = new Map();
	}

	read(bytes, at) {
		const from = at;
		at = readColumn(bytes, at, this.numbers);
		if (this.numbers.some((number) => number > Number.MAX_SAFE_INTEGER))
			this.readExact(bytes, from);
		return at;
	}

	readExact(bytes, at) {
		for (let i = 0; i < this.numbers.length; i++) {
			let value = 0n;
			let shift = 0n;
			do {
				value |= BigInt(bytes[at] & 127) << shift;
				shift += 7n;
			} while (bytes[at++] > 127);
			if (value > Number.MAX_SAFE_INTEGER)
				this.exact.set(i, value);
		}
	}

	/** The number at i as a BigInt. */
	big(i) {
		return this.exact.get(i) ?? BigInt(this.numbers[i]);
	}

	/** Brings them into the order of rows. */
	arrange(rows) {
		const exact = this.exact;
		this.exact = new Map();
		rows.forEach((from, to) => exact.has(from) && this.exact.set(to, exact.get(from)));
		this.numbers = arranged(this.numbers, rows);
	}
}

/** A copy of column in the order of rows. */
function arranged(column, rows) {
	return column.map((_, i) => column[rows[i]]);
}

/** What functions count, in the order of the page's columns. */
const FUNCTION_SUMS = ['samples', 'period', 'children_samples', 'children_period', 'inlined_samples', 'inlined_period'];

/** The columns of the table of functions that are no sums and no sizes. */
const FUNCTION_COLUMNS = ['_function', '_binary', '_filename', '_build_id', '_reason', '_line', 'code', 'place'];

/** The table of functions of one event, a row for each row of results.csv: in its order after sort(). */
class Functions {
	constructor(bytes, count, strings) {
		const reader = new ColumnReader(bytes);
		this.count = count;
		this.strings = strings;
		this._function = new Uint32Array(count);
		for (let i = 0, next = 0; i < count; i++)
			next = (this._function[i] = next + reader.nextSigned()) + 1;
		for (const name of ['binary', 'filename', 'build_id', 'reason', 'line'])
			this['_' + name] = reader.column(Uint32Array, count);
		this.size = new Sums(count);
		reader.at = this.size.read(bytes, reader.at);
		this.code = reader.column(Uint8Array, count);
		this.place = new Uint32Array(count).map((_, i) => i); /* on the page: in the order of names */
	}

	/** Brings the rows, whose sums may be there, into the order of results.csv by period. Returns their new numbers. */
	sort({numbers: periods, exact}) {
		const big = (row) => exact.get(row) ?? BigInt(periods[row]);
		const rows = this.place.slice().sort((a, b) => periods[b] - periods[a] ||
			(exact?.size ? Number(big(b) - big(a)) : 0) || a - b);
		const numbers = new Uint32Array(this.count);
		rows.forEach((from, to) => {
			numbers[from] = to;
		});
		for (const name of FUNCTION_COLUMNS)
			this[name] = arranged(this[name], rows);
		for (const name of ['size', ...FUNCTION_SUMS])
			this[name]?.arrange(rows);
		return numbers;
	}

	/** Sets what they count. */
	readSums(bytes) {
		let at = 0;
		for (const name of FUNCTION_SUMS) {
			this[name] = new Sums(this.count);
			at = this[name].read(bytes, at);
		}
	}

	/** Has tree tell what they count: themselves now, with their callees once that is asked for. */
	addUp(tree) {
		for (const weight of ['samples', 'period']) {
			const {self, inlined} = tree.ownSums(tree.own[weight]);
			this[weight] = new PartSums(self);
			this[`inlined_${weight}`] = new PartSums(inlined);
			Object.defineProperty(this, `children_${weight}`, {get: () => this.children(tree)[weight]});
		}
	}

	children(tree) {
		if (!this.added) {
			const {samples, period} = tree.own;
			const sums = tree.childrenSums(tree.addUp(samples), period);
			this.added = {samples: new PartSums(sums[0]), period: new PartSums(sums[1])};
		}
		return this.added;
	}

	/** The text of the column called name ('function', 'binary', 'filename', 'build_id', 'reason'). */
	text(name, row) {
		return this.strings[this['_' + name][row]];
	}

	line(row) {
		return this._line[row];
	}
}

/** The source lines of the functions of one event, those of a function by falling period. */
class Lines {
	constructor(bytes, strings) {
		const count = new Uint32Array(1);
		let at = readColumn(bytes, 0, count);
		const column = (type) => {
			const read = new type(count[0]);
			at = readColumn(bytes, at, read);
			return read;
		};
		this.strings = strings;
		this.function = column(Uint32Array);
		this.filename = column(Uint32Array);
		this.line = column(Uint32Array);
		this.samples = column(Float64Array);
		this.period = column(Float64Array);
	}

	/** The lines of the function at row: {place, filename, line, samples, period}. */
	of(row) {
		const lines = [];
		for (let i = this.function.indexOf(row); i >= 0 && this.function[i] === row; i++)
			lines.push({place: `${this.strings[this.filename[i]]}:${this.line[i]}`,
				filename: this.strings[this.filename[i]], line: this.line[i], samples: this.samples[i], period: this.period[i]});
		return lines;
	}
}

/** The bytes of strings with what each shares with the one before; each ends with a 0. */
function joinStrings(bytes) {
	const reader = new ColumnReader(bytes);
	const count = reader.next();
	const shared = bytes.subarray(reader.at, reader.at + count);
	const rest = bytes.subarray(reader.at + count);
	const joined = new Uint8Array(shared.reduce((sum, length) => sum + length, rest.length));
	let from = 0;
	let to = 0;
	let last = 0;
	for (const length of shared) {
		const start = to;
		for (const end = to + length; to < end; to++)
			joined[to] = joined[last++];
		do
			joined[to++] = rest[from++];
		while (joined[to - 1]);
		last = start;
	}
	return joined;
}

/** The strings of the page by number. */
async function unpackStrings() {
	const strings = [];
	for (const id of ['strings0', 'strings1']) {
		const part = new TextDecoder().decode(joinStrings(await unpack(id))).split('\0');
		part.pop();
		for (const string of part)
			strings.push(string);
	}
	return strings;
}

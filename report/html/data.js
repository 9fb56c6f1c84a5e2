// What readperf has put into the page: numbers and strings, unpacked once.

/** The bytes of text: 13 bits in two of 91 characters, those from '!' on but for three; a last one alone
 * stands for the last bits. */
function readText(text) {
	const digits = new Uint8Array(128);
	for (let code = 33, digit = 0; digit < 91; code++)
		if (!'<&\\'.includes(String.fromCharCode(code)))
			digits[code] = digit++;
	const bytes = new Uint8Array((text.length >>> 1) * 13 + (text.length % 2) * 6 >>> 3);
	let waiting = 0;
	let bits = 0;
	for (let i = 0, at = 0; at < bytes.length; i += 2) {
		const digit = digits[text.charCodeAt(i)];
		waiting |= (i + 1 < text.length ? digit * 91 + digits[text.charCodeAt(i + 1)] : digit) << bits;
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

	/** Goes to the number after count numbers from at on. */
	skip(at, count) {
		for (; count > 0; at++)
			if (this.bytes[at] < 128)
				count--;
		this.at = at;
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
			column[i] = signed(bytes[at + i] + 256 * bytes[at + count + i] + 65536 * this.next());
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
}

/** The table of functions of one event, a row for each row of results.csv, in its order. */
class Functions {
	constructor(bytes, count, strings) {
		let at = 0;
		const column = (type) => {
			const read = new type(count);
			at = readColumn(bytes, at, read);
			return read;
		};
		const sums = () => {
			const read = new Sums(count);
			at = read.read(bytes, at);
			return read;
		};
		this.count = count;
		this.strings = strings;
		for (const name of ['function', 'binary', 'filename', 'build_id', 'reason', 'line'])
			this['_' + name] = column(Uint32Array);
		this.size = sums();
		this.code = column(Uint8Array);
		for (const name of ['samples', 'period', 'children_samples', 'children_period',
			'inlined_samples', 'inlined_period'])
			this[name] = sums();
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

/** The strings of the page by number. */
async function unpackStrings() {
	const strings = [];
	for (const id of ['strings0', 'strings1']) {
		const part = new TextDecoder().decode(await unpack(id)).split('\0');
		part.pop();
		for (const string of part)
			strings.push(string);
	}
	return strings;
}

// Regular expressions that cannot stall the page: a name is read once, from left to right, whatever the
// expression is. There are no back references and no looking around; capitals do not matter.

const PATTERN_STATES = 2000; /* of an expression; its repetitions count each time */
const KNOWN_STATES = 1000; /* of sets of them, before they are forgotten */

/** What a class like \d is: tests of a character. */
const CLASSES = {
	d: (c) => /\d/.test(c), w: (c) => /\w/.test(c), s: (c) => /\s/.test(c),
	D: (c) => /\D/.test(c), W: (c) => /\W/.test(c), S: (c) => /\S/.test(c),
};
const CONTROLS = {n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', 0: '\0'};

/** Reads an expression as a tree: {kind, ...}. Throws where it makes no sense. */
class PatternReader {
	constructor(text) {
		this.text = text;
		this.at = 0;
		const tree = this.choice();
		if (this.at < text.length)
			throw new Error('unexpected )');
		this.tree = tree;
	}

	next() {
		return this.text[this.at];
	}

	take(wanted) {
		const is = this.text.startsWith(wanted, this.at);
		if (is)
			this.at += wanted.length;
		return is;
	}

	choice() {
		const choices = [this.sequence()];
		while (this.take('|'))
			choices.push(this.sequence());
		return choices.length > 1 ? {kind: 'choice', choices} : choices[0];
	}

	sequence() {
		const parts = [];
		while (this.at < this.text.length && this.next() !== '|' && this.next() !== ')')
			parts.push(this.repeated(this.single()));
		return {kind: 'sequence', parts};
	}

	repeated(body) {
		const counts = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(this.text.slice(this.at));
		if (!counts)
			return body;
		const [sign, least, comma, most] = counts;
		this.at += sign.length;
		this.take('?'); /* what is lazy matches the same names */
		const part = {'*': [0, Infinity], '+': [1, Infinity], '?': [0, 1]}[sign] ??
			[Number(least), most ? Number(most) : comma ? Infinity : Number(least)];
		if (part[0] > part[1])
			throw new Error('{ has its numbers the wrong way round');
		return this.repeated({kind: 'repeat', body, least: part[0], most: part[1]});
	}

	single() {
		const c = this.text[this.at++];
		if (c === '(') {
			if (this.next() === '?' && !this.take('?:'))
				throw new Error('(? is not known');
			const body = this.choice();
			if (!this.take(')'))
				throw new Error('a ) is missing');
			return body;
		}
		if (c === '^' || c === '$')
			return {kind: c};
		if (c === '.')
			return {kind: 'set', test: () => true};
		if (c === '[')
			return this.set();
		if (c === '\\')
			return {kind: 'set', test: this.escaped()};
		if ('*+?'.includes(c))
			throw new Error(`nothing before ${c}`);
		const wanted = c.toLowerCase();
		return {kind: 'set', test: (d) => d === wanted};
	}

	/** After a backslash. */
	escaped() {
		const c = this.text[this.at++];
		if (c === undefined || /[1-9bBkpPux]/.test(c))
			throw new Error(`\\${c ?? ''} is not known`);
		const wanted = (CONTROLS[c] ?? c).toLowerCase();
		return CLASSES[c] ?? ((d) => d === wanted);
	}

	set() {
		const negated = this.take('^');
		const tests = [];
		while (this.next() !== ']') {
			const c = this.text[this.at++];
			if (c === undefined)
				throw new Error('a ] is missing');
			if (c === '\\') {
				tests.push(this.escaped());
				continue;
			}
			const last = this.next() === '-' && this.text[this.at + 1] !== ']' ? this.text[this.at + 1] : undefined;
			if (last !== undefined)
				this.at += 2;
			tests.push((d) => isBetween(d, c, last ?? c) || isBetween(d.toUpperCase(), c, last ?? c));
		}
		this.at++;
		return {kind: 'set', test: (d) => tests.some((test) => test(d)) !== negated};
	}
}

function isBetween(c, first, last) {
	return c >= first && c <= last;
}

/** test(name) tells whether the expression matches a part of name. */
class Pattern {
	constructor(text) {
		this.states = [{kind: 'match'}];
		this.work = 0;
		this.first = this.compile(new PatternReader(text).tree, 0);
		this.forget();
	}

	add(state) {
		if (this.states.length > PATTERN_STATES)
			throw new Error('too long');
		return this.states.push(state) - 1;
	}

	/** The number of the state where tree starts, if state number next follows it. */
	compile(tree, next) {
		if (this.work++ > PATTERN_STATES * 10)
			throw new Error('too long');
		if (tree.kind === 'sequence')
			return tree.parts.reduceRight((after, part) => this.compile(part, after), next);
		if (tree.kind === 'choice')
			return this.add({kind: 'split', to: tree.choices.map((choice) => this.compile(choice, next))});
		if (tree.kind === 'repeat')
			return this.repeat(tree, next);
		return this.add({kind: tree.kind, test: tree.test, to: [next]});
	}

	repeat({body, least, most}, next) {
		let at = next;
		if (most === Infinity) {
			const again = {kind: 'split', to: [next]};
			at = this.add(again);
			again.to.push(this.compile(body, at));
		} else {
			for (let i = least; i < most; i++)
				at = this.add({kind: 'split', to: [next, this.compile(body, at)]});
		}
		for (let i = 0; i < least; i++) /* compile() counts */
			at = this.compile(body, at);
		return at;
	}

	/** The states that are reached without a character: those that want one, and whether all matches. */
	reach(from, isStart, isEnd) {
		const seen = new Set();
		const waiting = [...from];
		let matches = false;
		while (waiting.length) {
			const number = waiting.pop();
			if (seen.has(number))
				continue;
			seen.add(number);
			const {kind, to} = this.states[number];
			matches ||= kind === 'match';
			if (kind === 'split' || (kind === '^' && isStart) || (kind === '$' && isEnd))
				waiting.push(...to);
		}
		const wanting = [...seen].filter((number) => this.states[number].kind === 'set');
		return {wanting, matches};
	}

	forget() {
		this.known = new Map();
		this.start = this.know([this.first], true);
	}

	/** What is known of being in states: by character what follows, whether it matches, also at the end. */
	know(from, isStart) {
		const key = `${isStart} ${from}`;
		let known = this.known.get(key);
		if (!known) {
			const {wanting, matches} = this.reach(from, isStart, false);
			known = {wanting, matches, matchesAtEnd: this.reach(from, isStart, true).matches, after: new Array(128)};
			this.known.set(key, known);
		}
		return known;
	}

	step(known, c) {
		const to = known.wanting.filter((number) => this.states[number].test(c)).map((number) => this.states[number].to[0]);
		const after = this.know([...new Set([...to, this.first])].sort((a, b) => a - b), false);
		if (c < '\x80') /* others are rare: an array of them all would be large */
			known.after[c.charCodeAt(0)] = after;
		return after;
	}

	test(name) {
		if (this.known.size > KNOWN_STATES)
			this.forget();
		let known = this.start;
		const text = name.toLowerCase();
		for (let i = 0; i < text.length && !known.matches; i++)
			known = known.after[text.charCodeAt(i)] ?? this.step(known, text[i]);
		return known.matches || known.matchesAtEnd;
	}
}

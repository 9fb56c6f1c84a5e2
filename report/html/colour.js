// Colours of frames, that can be told apart without seeing red or green (after Okabe and Ito).

const PALETTE = ['#7cc4ee', '#f2b552', '#63c7a3', '#f3e56b', '#e8a4cc', '#f08f63', '#8aa6e0', '#c9b28c'];
const GREY = '#c4c4c4';
const KINDS = [
	['user', '#7cc4ee'], ['kernel', '#f2b552'], ['JIT', '#63c7a3'], ['inlined', '#f3e56b'],
	['no name', '#e8a4cc'], ['cut, folded', GREY],
];
const MATCH = '#d81b9a';

/** The number of the kind of a frame in KINDS. */
function kindOf(frames, frame) {
	const row = frames.function[frame];
	if (row === NO_FUNCTION)
		return 5;
	if (frames.functions.text('reason', row))
		return 4;
	return frames.inlined[frame] ? 3 : frames.functions.code[row];
}

/** What has the colour of a function: its binary; all code made at run time counts as one. */
function colourGroup(functions, row) {
	const base = functions.text('binary', row).replace(/^.*\//s, '');
	return functions.code[row] === 2 || /^jitted-\d+-\d+\.so$/.test(base) ? 'JIT' : base || '(none)';
}

/** The groups that weigh most have colours of their own, in the order of their weight. */
function rankGroups(functions) {
	const totals = new Map();
	for (let row = 0; row < functions.count; row++) {
		const group = colourGroup(functions, row);
		totals.set(group, (totals.get(group) ?? 0) + functions.period.numbers[row]);
	}
	return [...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([group]) => group);
}

/** Colours for one event: of(frame), and a legend of [text, colour]. */
class Colours {
	constructor(frames, by) {
		this.frames = frames;
		this.by = by;
		this.known = new Array(frames.count);
		const ranked = rankGroups(frames.functions).slice(0, PALETTE.length);
		this.place = new Map(ranked.map((group, i) => [group, i]));
		this.legend = by === 'kind' ? KINDS : ranked.map((group, i) => [shownName(group), PALETTE[i]]);
	}

	of(frame) {
		return this.known[frame] ??= this.make(frame);
	}

	make(frame) {
		const row = this.frames.function[frame];
		if (row === NO_FUNCTION)
			return GREY;
		const base = this.by === 'kind' ? KINDS[kindOf(this.frames, frame)][1]
			: PALETTE[this.place.get(colourGroup(this.frames.functions, row))] ?? '#dcdcdc';
		return lighten(base, (row * 2654435761 >>> 0) % 7 / 18);
	}
}

/** The colour with that part of white in it: neighbours differ a little. */
function lighten(colour, part) {
	const mix = (at) => {
		const value = parseInt(colour.slice(at, at + 2), 16);
		return Math.round(value + (255 - value) * part);
	};
	return `rgb(${mix(1)},${mix(3)},${mix(5)})`;
}

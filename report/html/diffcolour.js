// Colours of a comparison: orange and blue can be told apart without seeing red or green. They are of
// functions whose change is more than noise, the stronger the larger it is; all others are grey.

const MORE = '#f08a24';
const LESS = '#5aa2e0';
const SAME = '#d2d2d2';
const UNSURE = '#b8b8b8';
const NO_ROW = '#e6e6e6';
const MORE_WORDS = ['slower', 'higher', 'larger', 'new'];
const LESS_WORDS = ['faster', 'lower', 'smaller', 'gone'];
const CHANGE_WORDS = {period: ['slower', 'faster'], rate: ['higher', 'lower'], share: ['larger', 'smaller']};

/** The part of white in the colour of a change: none from a factor of two on. */
function paleness(ratio) {
	const doublings = ratio > 0 ? Math.abs(Math.log2(ratio)) : 1; /* NaN, 0: new or gone */
	return 0.7 * (1 - Math.min(doublings, 1));
}

/** Colours of the frames of one event by the verdicts in rows: of(frame), and a legend. */
class DiffColours {
	constructor(frames, rows, by) {
		const [more, less] = CHANGE_WORDS[by];
		this.frames = frames;
		this.rows = rows;
		this.known = new Array(frames.count);
		this.legend = [[`${more}, new`, MORE], [`${less}, gone`, LESS], ['same', SAME], ['unsure', UNSURE],
			['no samples itself', NO_ROW]];
	}

	of(frame) {
		return this.known[frame] ??= this.make(this.frames.function[frame]);
	}

	make(row) {
		if (row === NO_FUNCTION || row >= this.rows.count)
			return NO_ROW;
		const verdict = this.rows.text('verdict', row);
		const pale = paleness(this.rows.number('ratio', row));
		if (MORE_WORDS.includes(verdict))
			return lighten(MORE, pale);
		if (LESS_WORDS.includes(verdict))
			return lighten(LESS, pale);
		return verdict === 'unsure' ? UNSURE : SAME;
	}
}

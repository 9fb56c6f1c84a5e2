// When the samples were taken: a bar for each part of the recording's time, and a span of it that is chosen. Where samples are few, a bar
// is several parts: it would say whether one came or none.

const BARS_LEAST = 60;
const BAR_SAMPLES = 5; /* on average */

/** The sums of so many neighbours each. */
function joinParts(samples, by) {
	const joined = new Float64Array(Math.ceil(samples.length / by));
	samples.forEach((count, i) => {
		joined[Math.floor(i / by)] += count;
	});
	return joined;
}

class Timeline {
	/** does: chosen(text) says what is under the mouse, left() that nothing is; spanned(first,
	 * last, small) changes the span to those slices and returns whether that is a step for Back,
	 * cleared() changes it to all. */
	constructor(canvas, does) {
		this.canvas = canvas;
		this.does = does;
		canvas.addEventListener('pointerdown', (event) => this.press(event));
		canvas.addEventListener('pointermove', (event) => this.move(event));
		canvas.addEventListener('pointerup', (event) => this.release(event));
		canvas.addEventListener('mouseleave', () => does.left());
		canvas.addEventListener('keydown', (event) => this.key(event));
		new ResizeObserver(() => this.paint()).observe(canvas);
		onColourScheme(() => this.paint());
	}

	/** Shows the samples of each part of event. */
	show(event, samples) {
		const all = samples.reduce((a, b) => a + b, 0) || 1;
		const by = Math.max(1, Math.min(Math.ceil(BAR_SAMPLES * samples.length / all),
			Math.floor(samples.length / BARS_LEAST)));
		this.event = event;
		this.parts = samples;
		this.samples = joinParts(samples, by);
		this.length = Number(event.partLength) * by;
		this.whole = Number(event.partLength) * samples.length;
		this.sliceStart = Number(BigInt(event.sliceStart) - BigInt(event.partStart));
		this.sliceLength = Number(event.sliceLength);
		this.slices = event.cells ? event.slices : 0;
		this.canvas.hidden = samples.length < 2;
	}

	/** Marks what is chosen; chosen has the samples of chosen threads by slice, or is null. */
	mark(choice, chosen) {
		const {canvas} = this;
		this.choice = choice;
		this.chosen = chosen;
		canvas.setAttribute('aria-valuemax', Math.max(this.slices - 1, 0));
		canvas.setAttribute('aria-valuenow', choice.from);
		canvas.setAttribute('aria-valuetext', this.describeSpan());
		this.paint();
	}

	/** The time that slices from up to to cover, in ns after the first part. */
	timesOf(from, to) {
		return [this.sliceStart + from * this.sliceLength, this.sliceStart + to * this.sliceLength];
	}

	describeSpan() {
		if (!this.choice?.isSpan)
			return 'all';
		const [from, to] = this.timesOf(this.choice.from, this.choice.to);
		return `${shownTime(from)} to ${shownTime(to)} after the first sample`;
	}

	describe(part) {
		const from = part * this.length;
		return `${shownCount(this.samples[part])} samples from ${shownTime(from)} to ` +
			`${shownTime(from + this.length)} after the first` + (this.slices > 1 ? '; drag to choose a span' : '');
	}

	/* ---- by mouse ---- */

	sliceAt(event) {
		const time = event.offsetX / this.canvas.clientWidth * this.whole - this.sliceStart;
		return Math.min(Math.max(Math.floor(time / this.sliceLength), 0), this.slices - 1);
	}

	press(event) {
		if (this.slices < 2 || event.button !== 0)
			return;
		this.canvas.setPointerCapture(event.pointerId);
		this.anchor = {slice: this.sliceAt(event), x: event.offsetX, moved: false, isStep: false};
	}

	move(event) {
		const {anchor} = this;
		if (!this.samples?.length)
			return;
		if (!anchor) {
			const part = Math.floor(event.offsetX / this.canvas.clientWidth * this.samples.length);
			this.does.chosen(this.describe(Math.min(Math.max(part, 0), this.samples.length - 1)));
			return;
		}
		anchor.moved ||= Math.abs(event.offsetX - anchor.x) > 2;
		if (anchor.moved)
			this.drag(anchor.slice, this.sliceAt(event));
	}

	/** While dragging, what is chosen follows once a frame at most. */
	drag(a, b) {
		this.dragged = [Math.min(a, b), Math.max(a, b)];
		this.wanted ??= requestAnimationFrame(() => {
			this.wanted = undefined;
			if (this.anchor)
				this.span(this.anchor, ...this.dragged);
		});
	}

	/** Chooses the slices from first to last: all that is chosen from an anchor on is one step. */
	span(anchor, first, last) {
		anchor.isStep = this.does.spanned(first, last, anchor.isStep) || anchor.isStep;
	}

	release(event) {
		const {anchor} = this;
		this.anchor = null;
		if (!anchor)
			return;
		const slice = this.sliceAt(event);
		if (anchor.moved)
			this.span(anchor, Math.min(anchor.slice, slice), Math.max(anchor.slice, slice));
		else
			this.does.cleared();
	}

	/* ---- by keys ---- */

	key(event) {
		const moves = {ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity};
		if (event.key === 'Escape' && this.choice?.isSpan)
			this.does.cleared();
		else if (event.key in moves && this.slices > 1)
			this.moveSpan(moves[event.key], event.shiftKey);
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	}

	/** Moves the span, or its end. Without one, the first tenth is chosen, or the last, where steps back start. */
	moveSpan(by, isEnd) {
		const last = this.slices - 1;
		let {from, to} = this.choice;
		to--;
		if (!this.choice.isSpan) {
			const isLast = Number.isFinite(by) ? by < 0 : by > 0;
			from = isLast ? Math.floor(last * 9 / 10) : 0;
			to = isLast ? last : Math.ceil(last / 10);
		} else if (isEnd) {
			to = Math.min(Math.max(to + by, from), last);
		} else {
			const step = Math.min(Math.max(by, -from), last - to);
			from += step;
			to += step;
		}
		this.does.spanned(from, to, this.choice.isSpan);
	}

	/* ---- picture ---- */

	paint() {
		const {canvas, samples} = this;
		const width = canvas.clientWidth;
		const height = canvas.clientHeight;
		if (!samples?.length || !width)
			return;
		const ratio = devicePixelRatio || 1;
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		const context = canvas.getContext('2d');
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		const style = getComputedStyle(canvas);
		context.fillStyle = style.color;
		context.globalAlpha = this.chosen ? 0.3 : 1;
		this.paintBars(context, samples, 0, this.length / this.whole * width);
		context.globalAlpha = 1;
		if (this.chosen)
			this.paintBars(context, this.chosen, this.sliceStart / this.whole * width,
				this.sliceLength / this.whole * width, this.perSlice(samples));
		if (this.choice?.isSpan)
			this.paintSpan(context, style);
	}

	/** The highest bar is of most. */
	paintBars(context, samples, left, step, most = samples.reduce((a, b) => Math.max(a, b), 0) || 1) {
		const height = this.canvas.clientHeight;
		samples.forEach((count, i) => {
			const high = Math.min(count / most, 1) * (height - 2);
			context.fillRect(left + i * step, height - high, Math.max(step - 0.2, 0.5), high);
		});
	}

	/** What the highest bar would be if it were as long as a slice. */
	perSlice(samples) {
		return (samples.reduce((a, b) => Math.max(a, b), 0) || 1) * this.sliceLength / this.length;
	}

	paintSpan(context, style) {
		const width = this.canvas.clientWidth;
		const height = this.canvas.clientHeight;
		const [from, to] = this.timesOf(this.choice.from, this.choice.to)
			.map((time) => time / this.whole * width);
		context.fillStyle = style.backgroundColor;
		context.globalAlpha = 0.7;
		context.fillRect(0, 0, from, height);
		context.fillRect(to, 0, width - to, height);
		context.globalAlpha = 1;
		context.strokeStyle = style.color;
		context.strokeRect(from + 0.5, 0.5, Math.max(to - from - 1, 1), height - 1);
	}
}

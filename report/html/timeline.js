// When the samples were taken: a bar for each part of the recording's time. Where samples are few, a bar
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
	constructor(canvas, does) {
		this.canvas = canvas;
		canvas.addEventListener('mousemove', (event) => {
			const part = Math.floor(event.offsetX / canvas.clientWidth * this.samples.length);
			does.chosen(this.describe(Math.min(Math.max(part, 0), this.samples.length - 1)));
		});
		canvas.addEventListener('mouseleave', () => does.left());
		new ResizeObserver(() => this.paint()).observe(canvas);
	}

	/** Shows the samples of each part; length is that of a part in ns. */
	show(samples, length) {
		const all = samples.reduce((a, b) => a + b, 0) || 1;
		const by = Math.max(1, Math.min(Math.ceil(BAR_SAMPLES * samples.length / all),
			Math.floor(samples.length / BARS_LEAST)));
		this.parts = samples;
		this.samples = joinParts(samples, by);
		this.length = length * by;
		this.canvas.hidden = samples.length < 2;
		this.paint();
	}

	describe(part) {
		const from = part * this.length;
		return `${shownCount(this.samples[part])} samples from ${shownTime(from)} to ` +
			`${shownTime(from + this.length)} after the first`;
	}

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
		context.fillStyle = getComputedStyle(canvas).color;
		const most = samples.reduce((a, b) => Math.max(a, b), 0) || 1;
		const step = width / samples.length;
		samples.forEach((count, i) => {
			const high = count / most * (height - 2);
			context.fillRect(i * step, height - high, Math.max(step - 0.2, 0.5), high);
		});
	}
}

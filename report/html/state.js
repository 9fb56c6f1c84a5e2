// What is shown, as the page's address says it: links can be shared, and Back works.

const STATE_START = {
	event: 0, weight: 'period', view: 'flame', colour: 'binary', inverted: 0, flipped: 0,
	zoom: '', function: -1, callers: '', callees: '', search: '', sort: '', help: 0,
	time: '', threads: '',
};

/** Has the address end with hash, as another step or in place of the last one. */
function putAddress(hash, instead) {
	try {
		history[instead ? 'replaceState' : 'pushState'](null, '', '#' + hash);
	} catch {
		/* a frame without an address of its own, or too many steps for the browser: the page goes on */
	}
}

class State {
	/** start: what is shown where the address says nothing else. */
	constructor(render, start = STATE_START) {
		this.render = render;
		this.start = start;
		this.values = {...start};
		this.isMade = false;
		addEventListener('popstate', () => this.read());
		addEventListener('hashchange', () => this.read());
	}

	/** Takes what the address says, and shows it. */
	read() {
		const hash = location.hash.replace(/^#/, '');
		if (hash === this.hash)
			return;
		this.hash = hash;
		this.values = {...this.start};
		for (const [key, value] of new URLSearchParams(hash)) {
			if (!Object.hasOwn(this.start, key))
				continue;
			const number = typeof this.start[key] === 'number';
			this.values[key] = number ? Number.parseInt(value, 10) || 0 : value;
		}
		this.render();
	}

	/** Makes a change that redo() can take back. */
	mark(change) {
		this.marked = {hash: this.hash, values: {...this.values}};
		change();
	}

	/** Takes back what mark() has made, and makes a change in its place: both are one step. */
	redo(change) {
		const {hash, values} = this.marked;
		this.isMade = this.hash !== hash;
		this.values = values;
		change();
		this.isMade = false;
	}

	/** Changes values: a step that Back goes back, unless it is small or has been made already.
	 * Returns whether it is one. */
	set(changes, small = this.isMade) {
		Object.assign(this.values, changes);
		const words = new URLSearchParams();
		for (const [key, value] of Object.entries(this.values))
			if (value !== this.start[key])
				words.set(key, value);
		const hash = words.toString();
		const isStep = hash !== this.hash && !small;
		if (hash !== this.hash)
			putAddress(hash, small);
		this.hash = hash;
		this.render();
		return isStep;
	}
}

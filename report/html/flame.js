// A flame graph of a tree on a canvas as large as what is seen of it: rows scroll, and nothing that
// is narrower than half a pixel is drawn but as dust, which says that something is there.

const ROW = 18; /* pixels */
const PRINTED_MAX = 16000; /* pixels: what a canvas may have */
const LEAST = 0.5; /* pixels of a box that is drawn */
const DUST = 'rgba(128, 128, 128, 0.35)';
const TEXT_LEAST = 24; /* pixels of a box with text */

/** The boxes of one row, from left to right. */
class Boxes {
	constructor() {
		this.nodes = [];
		this.left = [];
		this.width = [];
		this.dust = []; /* left, width of what is too narrow, in runs */
	}

	add(node, left, width) {
		this.nodes.push(node);
		this.left.push(left);
		this.width.push(width);
	}

	addDust(left, width) {
		const {dust} = this;
		const last = dust.length - 1;
		if (last > 0 && left <= dust[last - 1] + dust[last] + 1)
			dust[last] = left + width - dust[last - 1];
		else
			dust.push(left, width);
	}

	/** The number of the box at x; -1 if there is none. */
	at(x) {
		let low = 0;
		let high = this.left.length;
		while (low < high) {
			const middle = low + high >>> 1;
			if (this.left[middle] <= x)
				low = middle + 1;
			else
				high = middle;
		}
		const i = low - 1;
		return i >= 0 && x < this.left[i] + Math.max(this.width[i], 1) ? i : -1;
	}
}

/** Where the boxes of tree are when node zoom is as wide as width: a list of rows. */
function layOut(tree, zoom, width) {
	const rows = [];
	for (let node = zoom; ; node = tree.parent[node]) {
		rows[tree.depth[node]] = new Boxes();
		rows[tree.depth[node]].add(node, 0, width);
		if (node === 0)
			break;
	}
	const scale = tree.total[zoom] > 0 ? width / tree.total[zoom] : 0;
	const left = new Float64Array(65537);
	const end = tree.next[zoom];
	for (let i = zoom + 1; i < end;) {
		const depth = tree.depth[i];
		const x = left[depth];
		const w = tree.total[i] * scale;
		left[depth] = x + w;
		const row = rows[depth] ??= new Boxes();
		if (w < LEAST) {
			row.addDust(x, w);
			i = tree.next[i];
			continue;
		}
		left[depth + 1] = x;
		row.add(i, x, w);
		i++;
	}
	return rows;
}

class Flame {
	/** In box, an element that scrolls; chosen(node), opened(node) and, after that,
	 * centred(tree, node) are called. */
	constructor(box, label, does) {
		this.box = box;
		this.does = does;
		this.selected = -1;
		this.clicked = {node: -1};
		this.canvas = element('canvas');
		this.canvas.setAttribute('aria-hidden', true);
		this.spacer = element('div');
		this.spacer.append(this.canvas);
		box.replaceChildren(this.spacer);
		box.tabIndex = 0;
		box.setAttribute('role', 'application'); /* arrows select frames, which the status line tells */
		box.setAttribute('aria-label', label);
		box.addEventListener('scroll', () => this.wantPaint());
		this.canvas.addEventListener('mousemove', (e) => this.hover(e));
		this.canvas.addEventListener('mouseleave', () => this.tree && does.chosen(this.current));
		this.canvas.addEventListener('click', (e) => this.click(e));
		this.canvas.addEventListener('dblclick', (e) => this.doubleClick(e));
		new ResizeObserver(() => this.resize()).observe(box);
		onColourScheme(() => this.wantPaint());
		onPrint((isPrinted) => {
			this.isPrinted = isPrinted;
			this.resize();
		});
	}

	/** The node that is selected; without one, the one that fills the box. */
	get current() {
		return this.selected >= 0 ? this.selected : this.zoom;
	}

	/** Shows tree with zoom as wide as the box; flipped: the root is at the bottom. */
	show(tree, zoom, flipped, colours) {
		this.colours = colours;
		const isOther = this.tree !== tree || this.flipped !== flipped;
		if (isOther || this.version !== tree.version || this.zoom !== zoom) {
			if (this.tree !== tree)
				this.selected = -1;
			this.tree = tree;
			this.version = tree.version;
			this.zoom = zoom;
			this.flipped = flipped;
			this.fit();
			if (isOther)
				this.box.scrollTop = flipped ? this.spacer.offsetHeight : 0;
			this.reveal(zoom);
		}
		this.wantPaint();
	}

	/** What is seen stays, counted from the side where the root is. */
	resize() {
		const {height, spacer, box} = this;
		const wasSeen = this.rows && this.isSeen(this.current);
		const isAtEnd = box.scrollTop + box.clientHeight >= spacer.offsetHeight;
		const below = isAtEnd ? 0 : spacer.offsetHeight - box.scrollTop - height;
		this.fit();
		if (this.flipped)
			box.scrollTop = spacer.offsetHeight - this.height - below;
		if (wasSeen)
			this.reveal(this.current);
		this.paint();
	}

	/** Lays out the boxes for the size of the box; for paper, all rows are seen. */
	fit() {
		this.width = this.box.clientWidth;
		this.height = this.box.clientHeight;
		if (!this.tree || this.width === 0)
			return;
		this.rows = layOut(this.tree, this.zoom, this.width);
		const all = this.rows.length * ROW;
		if (this.isPrinted)
			this.height = Math.min(all, PRINTED_MAX);
		this.spacer.style.height = `${Math.max(all, this.height)}px`;
		const ratio = devicePixelRatio || 1;
		this.canvas.width = Math.round(this.width * ratio);
		this.canvas.height = Math.round(this.height * ratio);
		this.canvas.style.height = `${this.height}px`;
	}

	wantPaint() {
		this.wanted ??= requestAnimationFrame(() => this.paint());
	}

	/** The top of a row, in pixels from the top of what scrolls. */
	top(row) {
		const all = Math.max(this.rows.length * ROW, this.height);
		return this.flipped ? all - (row + 1) * ROW : row * ROW;
	}

	rowAt(y) {
		const at = Math.floor((y + this.box.scrollTop) / ROW);
		const all = Math.max(this.rows.length * ROW, this.height);
		return this.flipped ? Math.floor((all - y - this.box.scrollTop) / ROW) : at;
	}

	paint() {
		if (this.wanted !== undefined)
			cancelAnimationFrame(this.wanted);
		this.wanted = undefined;
		if (!this.rows || this.width === 0)
			return;
		const context = this.canvas.getContext('2d');
		const ratio = devicePixelRatio || 1;
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.clearRect(0, 0, this.width, this.height);
		context.font = '12px monospace';
		context.direction = 'ltr';
		context.textBaseline = 'middle';
		this.letter = context.measureText('m').width;
		for (let row = 0; row < this.rows.length; row++) {
			const y = this.top(row) - this.box.scrollTop;
			if (this.rows[row] && y > -ROW && y < this.height)
				this.paintRow(context, row, y);
		}
	}

	paintRow(context, row, y) {
		const boxes = this.rows[row];
		const above = row < this.tree.depth[this.zoom];
		context.fillStyle = DUST;
		for (let i = 0; i < boxes.dust.length; i += 2)
			context.fillRect(boxes.dust[i], y, boxes.dust[i + 1], ROW - 1);
		for (let i = 0; i < boxes.nodes.length; i++) {
			const node = boxes.nodes[i];
			const frame = this.tree.frame[node];
			const width = boxes.width[i];
			const match = this.hits?.[frame];
			context.globalAlpha = above ? 0.6 : 1;
			context.fillStyle = match ? MATCH : this.colours.of(frame);
			context.fillRect(boxes.left[i], y, width > 2 ? width - 0.6 : width, ROW - 1);
			context.globalAlpha = 1;
			if (width >= TEXT_LEAST)
				this.paintText(context, frame, boxes.left[i], y, width, match);
			if (node === this.selected)
				this.paintSelected(context, boxes.left[i], y, width);
		}
	}

	paintText(context, frame, left, y, width, match) {
		const fit = Math.floor((width - 6) / this.letter);
		const name = shownName(this.tree.frames.name(frame));
		context.fillStyle = match ? '#ffffff' : '#111111';
		context.fillText(name.length > fit ? name.slice(0, Math.max(fit - 1, 0)) + '…' : name,
			left + 3, y + ROW / 2, width - 4);
	}

	paintSelected(context, left, y, width) {
		context.strokeStyle = matchMedia('(prefers-color-scheme: dark)').matches ? '#ffffff' : '#000000';
		context.lineWidth = 2;
		context.strokeRect(left + 1, y + 1, Math.max(width - 2, 1), ROW - 3);
	}

	/** The node under the mouse; -1 if there is none. */
	nodeAt(event) {
		const boxes = this.rows?.[this.rowAt(event.offsetY)];
		const i = boxes ? boxes.at(event.offsetX) : -1;
		return i < 0 ? -1 : boxes.nodes[i];
	}

	hover(event) {
		if (!this.tree)
			return;
		const node = this.nodeAt(event);
		this.canvas.style.cursor = node < 0 ? 'default' : 'pointer';
		this.does.chosen(node < 0 ? this.current : node);
	}

	/** The first click of two zooms: what is at the place of the second one is another node. */
	click(event) {
		if (event.detail > 1)
			return;
		const node = this.nodeAt(event);
		this.clicked = {tree: this.tree, node};
		if (node < 0)
			return;
		this.select(node);
		this.does.opened(node);
	}

	doubleClick() {
		const {tree, node} = this.clicked;
		if (node >= 0)
			this.does.centred(tree, node);
	}

	isSeen(node) {
		const top = this.top(this.tree.depth[node]);
		const at = this.box.scrollTop;
		return top >= at && top + ROW <= at + this.height;
	}

	/** Scrolls to the row of a node, unless that is seen. */
	reveal(node) {
		if (this.rows && !this.isSeen(node))
			this.box.scrollTop = this.top(this.tree.depth[node]) - this.height / 2;
	}

	/** Selects a node, and scrolls to its row. */
	select(node) {
		this.selected = node;
		if (node >= 0)
			this.reveal(node);
		this.does.chosen(node);
		this.wantPaint();
	}

	/** Moves the selection: 'parent', 'child', 'previous' or 'next'. */
	move(where) {
		const tree = this.tree;
		if (!tree)
			return;
		if (this.selected < 0) {
			this.select(this.zoom);
			return;
		}
		const depth = tree.depth[this.selected];
		if (where === 'parent' && depth > 0) {
			this.select(tree.parent[this.selected]);
		} else if (where === 'child') {
			const below = this.rows[depth + 1]?.nodes.filter((n) => tree.parent[n] === this.selected) ?? [];
			if (below.length)
				this.select(below.reduce((a, b) => tree.total[b] > tree.total[a] ? b : a));
		} else if (where === 'previous' || where === 'next') {
			const nodes = this.rows[depth]?.nodes ?? [];
			const i = nodes.indexOf(this.selected) + (where === 'next' ? 1 : -1);
			if (i >= 0 && i < nodes.length)
				this.select(nodes[i]);
		}
	}
}

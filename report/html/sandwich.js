// One function between all that calls it and all that it calls.

const RECURSIVE = ' · it calls itself: these are the callers and callees of its outermost calls';

class Sandwich {
	constructor(does) {
		this.does = does;
		this.graphs = {
			callers: new Flame(byId('callers-graph'), 'Callers', this.doesOf('callers')),
			callees: new Flame(byId('callees-graph'), 'Callees', this.doesOf('callees')),
		};
	}

	doesOf(which) {
		return {
			chosen: (node) => this.does.chosen(this.graphs[which].tree, node),
			opened: (node) => this.does.zoomed(which, this.graphs[which].tree.path(node)),
			centred: (tree, node) => this.centre(tree, node, this.does.recentred),
		};
	}

	centre(tree, node, go) {
		const row = tree.frames.function[tree.frame[node]];
		if (row !== NO_FUNCTION)
			go(row);
	}

	/** Shows the function at row of tree; paths are where the halves are zoomed to, lists of frames. */
	show(tree, row, paths, colours, event, weight) {
		for (const which of ['callers', 'callees']) {
			const key = `${row} ${paths[which].join('.')}`;
			const graph = this.graphs[which];
			if (this.tree !== tree || graph.version !== tree.version || graph.key !== key) {
				graph.key = key;
				graph.version = tree.version;
				graph.made = sandwichTree(tree, row, which, paths[which]);
			}
			graph.show(graph.made, graph.made.zoom, which === 'callers', colours);
			this.list(which, graph.made, event, weight);
		}
		this.tree = tree;
		const text = byId('function');
		const whole = this.graphs.callers.made.total[0];
		text.textContent = `${shownName(functionName(tree.frames.functions, row))}: ` +
			`${shownPercent(whole, tree.total[0])} of all, ${shownWeight(whole, weight, event)}` +
			(tree.isRecursive(row) ? RECURSIVE : '');
	}

	/** The first ones below what is zoomed, with what they weigh. */
	list(which, tree, event, weight) {
		const table = element('table');
		const zoom = tree.zoom;
		let rest = tree.total[zoom];
		for (let node = zoom + 1; node < tree.next[zoom]; node = tree.next[node]) {
			rest -= tree.total[node];
			table.append(this.row(which, tree, node, event, weight));
		}
		const last = element('tr');
		last.append(element('td', 'percent', shownPercent(rest, tree.total[0])),
			element('td', 'name', which === 'callers' ? '(no caller, or too small)' : '(itself, or too small)'));
		table.append(last);
		replaceTable(byId(which), table);
	}

	/** The lines of the function itself, the hottest first; whole is what all of it counted. */
	listLines(lines, whole, event, weight) {
		const table = element('table');
		lines.sort((a, b) => b[weight] - a[weight]);
		for (const line of lines) {
			const row = element('tr');
			const place = shownName(line.place);
			row.append(element('td', 'percent', shownPercent(line[weight], whole)),
				this.nameCell(place.replace(/^.*\//s, '')));
			row.title = `${place}\n${shownWeight(line[weight], weight, event)}`;
			onClick(row, () => this.does.lineOpened(line));
			table.append(row);
		}
		if (!lines.length)
			table.append(element('caption', '', whole ? 'No source lines: the binary has no debugging information.'
				: 'The function itself has no samples.'));
		replaceTable(byId('lines'), table);
	}

	nameCell(name) {
		const cell = element('td', 'name');
		cell.append(clickable(name));
		return cell;
	}

	row(which, tree, node, event, weight) {
		const made = element('tr');
		const name = shownName(tree.frames.name(tree.frame[node]));
		made.append(element('td', 'percent', shownPercent(tree.total[node], tree.total[0])),
			this.nameCell(name));
		made.title = `${name}\n${shownWeight(tree.total[node], weight, event)}`;
		onClick(made, () => this.centre(tree, node, this.does.centred));
		return made;
	}
}

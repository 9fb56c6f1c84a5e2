// results.csv and paths.csv, and what the page must say if it agrees with them.
import {readFileSync} from 'node:fs';

/** A cell without its guard against formulas. */
const unguarded = (cell) => cell.replace(/^'(?=[=+\-@\t\r])/, '');

/** The rows of CSV (RFC 4180) as objects; header first. */
export function readCsv(path) {
	const text = readFileSync(path, 'utf8');
	const rows = [[]];
	let cell = '';
	let quoted = false;
	for (let i = 0; i < text.length; i++) {
		const c = text[i];
		if (quoted && c === '"' && text[i + 1] === '"') {
			cell += '"';
			i++;
		} else if (c === '"') {
			quoted = !quoted;
		} else if (!quoted && (c === ',' || c === '\n')) {
			rows[rows.length - 1].push(cell);
			cell = '';
			if (c === '\n')
				rows.push([]);
		} else {
			cell += c;
		}
	}
	rows.pop();
	const [header, ...others] = rows;
	return others.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]])));
}

/** The lines of results.csv that are of one event, with the header. */
export function linesOfEvent(path, event) {
	const text = readFileSync(path, 'utf8');
	const lines = text.match(/(?:"(?:[^"]|"")*"|[^"\n])*\n/g);
	const rows = readCsv(path);
	return lines[0] + lines.slice(1).filter((_, i) => rows[i].event === event).join('');
}

/** The paths of an event as a tree: nodes with their name as the page shows it, sums and parent. */
export function readPaths(path, event) {
	const nodes = new Map();
	for (const row of readCsv(path)) {
		if (row.event !== event)
			continue;
		const base = row.binary.replace(/^.*\//s, '');
		nodes.set(row.path_id, {
			name: !row.reason && row.function ? unguarded(row.function) : base.startsWith('[') ? base : `[${base}]`,
			key: [row.function, row.binary, row.filename, row.reason].join('\0'),
			parent: nodes.get(row.parent_id),
			period: {self: Number(row.self_period), total: Number(row.total_period)},
			samples: {self: Number(row.self_samples), total: Number(row.total_samples)},
		});
	}
	return [...nodes.values()];
}

/** Nodes that matches is true of, and of none of their callers. */
export function outermost(nodes, matches) {
	return nodes.filter((node) => {
		if (!matches(node))
			return false;
		for (let above = node.parent; above; above = above.parent)
			if (matches(above))
				return false;
		return true;
	});
}

export function sum(nodes, weight, what) {
	return nodes.reduce((all, node) => all + node[weight][what], 0);
}

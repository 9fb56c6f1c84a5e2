// Rows of a file in CSV as RFC 4180 describes it, with LF: lists of cells, the header's first.
export function csvRows(text) {
	const rows = [];
	let row = [];

	for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
		row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
		if (end === "\n") {
			rows.push(row);
			row = [];
		}
	}
	return rows;
}

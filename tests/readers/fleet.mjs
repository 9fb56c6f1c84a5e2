// node fleet.mjs MODULES DATABASE load FILE: runs the SQL of FILE in DuckDB.
// node fleet.mjs MODULES DATABASE ask FILE: prints the answer to its only query, a line for each row, with
// tabs between the values, and on standard error the milliseconds that it took.
// node fleet.mjs MODULES - same FILE FILE...: whether the FILEs hold the same answers: numbers to nine digits.
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join, resolve} from "node:path";

const [modules, database, job, ...files] = process.argv.slice(2);

async function connect() {
	const {DuckDBInstance} = createRequire(join(resolve(modules), "package.json"))("@duckdb/node-api");

	return (await DuckDBInstance.create(database)).connect();
}

const answers = file => readFileSync(file, "utf8").split("\n").map(line => line.split("\t"));
const isNumber = text => text !== "" && !Number.isNaN(Number(text));
const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

function difference(expected, got) {
	if (expected.length !== got.length)
		return `${got.length} lines, not ${expected.length}`;
	for (let line = 0; line < expected.length; line++)
		for (let at = 0; at < Math.max(expected[line].length, got[line].length); at++) {
			const [a, b] = [expected[line][at] ?? "nothing", got[line][at] ?? "nothing"];

			if (a !== b && !(isNumber(a) && isNumber(b) && near(Number(a), Number(b))))
				return `line ${line + 1}, column ${at + 1}: ${b}, not ${a}`;
		}
	return "";
}

if (job === "load") {
	await (await connect()).run(readFileSync(files[0], "utf8"));
} else if (job === "ask") {
	const connection = await connect();
	const sql = readFileSync(files[0], "utf8");
	const before = performance.now();
	const rows = (await connection.runAndReadAll(sql)).getRowsJS();

	console.error(Math.round(performance.now() - before));
	for (const row of rows)
		console.log(row.map(String).join("\t"));
} else {
	const [first, ...others] = files.map(answers);
	const problem = first.length > 1 ? others.map(other => difference(first, other)).find(text => text) : "no rows";

	if (problem) {
		console.error(problem);
		process.exit(1);
	}
}

// node duckdb.mjs MODULES DIR: imports tables into DuckDB by the lines of docs/import.md. In DIR stand
// columns.csv, which readperf --describe=columns wrote, and tables/, as readperf and readperf diff wrote
// them. Each table is imported twice: as it is, and made anew with the hardest values that its columns
// can have. Types must be those that are documented, and cells those in the file. The last line counts
// what passed and what failed.
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath} from "node:url";
import {check, finish} from "./checks.mjs";
import {csvRows} from "./csv.mjs";

const [modules, dir] = process.argv.slice(2).map(path => resolve(path));
const load = createRequire(join(modules, "package.json"));
const {DuckDBInstance} = load("@duckdb/node-api");
const documents = join(dirname(fileURLToPath(import.meta.url)), "../..");
const lines = readFileSync(join(documents, "docs/import.md"), "utf8");
const page = readFileSync(join(documents, "man/readperf-csv.5.in"), "utf8")
	.replaceAll("\\-", "-").replaceAll("\\(aq", "'").replaceAll("\\e", "\\");
const [importing, pivot, stacks] = [...lines.matchAll(/```sql\n([^]*?)```/g)].map(match => match[1]);

process.chdir(dir);
const columns = csvRows(readFileSync("columns.csv", "utf8")).slice(1);
const columnsOf = table => columns.filter(([of]) => of === table);
const tables = [...new Set(columns.map(([of]) => of))];

const duckType = {u64: "UBIGINT", i32: "INTEGER", decimal: "DOUBLE", hex: "VARCHAR", text: "VARCHAR"};

const hardest = {
	u64: ["18446744073709551615", "0", "", "9007199254740993", "1"],
	i32: ["-2147483648", "2147483647", "", "-1", "0"],
	decimal: ["100.0000", "0.0001", "", "-12.5000", "123456789.1250"],
	hex: ["0xffffffffff600000", "0x0", "", "0x1e5", "0x10"],
	text: ["nan", 'a "b", c\r\nd\n', "", "NULL", "'=1+1"],
	name: ["007", "1e10", "", "MAR1", "true"],
};

// Every second column of text gets names that look like something else.
function hardTable(table) {
	const own = columnsOf(table);
	const quoted = text => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
	const rows = [own.map(([, column]) => column)];

	for (let i = 0; i < hardest.u64.length; i++)
		rows.push(own.map(([, , type], at) => hardest[type === "text" && at % 2 ? "name" : type][i]));
	return rows.map(row => row.map(quoted).join(",") + "\n").join("");
}

// What a cell must be, by the type of its column.
const valueOf = {
	UBIGINT: BigInt,
	BIGINT: BigInt,
	INTEGER: Number,
	DOUBLE: Number,
	VARCHAR: String,
};

function differs(rows, types, values) {
	if (rows.length !== values.length)
		return `${values.length} rows, not ${rows.length}`;
	for (let i = 0; i < rows.length; i++)
		for (let at = 0; at < types.length; at++) {
			const expected = rows[i][at] === "" ? null : valueOf[types[at]](rows[i][at]);
			if (values[i][at] !== expected)
				return `row ${i + 1}, column ${at + 1}: ${values[i][at]}, not ${expected}`;
		}
	return "";
}

// The lines of the document, for another table in another folder.
const importOf = (table, folder) => importing.replaceAll(/(types_of\('|CREATE TABLE |tables\/)results/g, `$1${table}`)
	.replaceAll("tables/", `${folder}/`);

// The stacks that the query finds are those of the folded export.
function checkStacks(rows) {
	for (const event of new Set(rows.map(([of]) => of))) {
		const found = rows.filter(([of]) => of === event).map(([, stack, samples]) => `${stack} ${samples}\n`).join("");
		const folded = readFileSync(`tables/stacks.${event.replace(":", "_")}.folded`, "utf8");

		check(`DuckDB: stacks of ${event}`, found === folded ? "" : found);
	}
}

async function checkTable(table, folder) {
	const database = await (await DuckDBInstance.create(":memory:")).connect();
	const ask = async sql => (await database.runAndReadAll(sql)).getRowsJS();
	const [header, ...rows] = csvRows(readFileSync(`${folder}/${table}.csv`, "utf8"));
	// the runs of wide.csv are in no list
	const documented = header.map((column, at) => duckType[columnsOf(table)[at]?.[2]] ?? "BIGINT");

	await database.run(importOf(table, folder));
	const described = await ask(`DESCRIBE ${table}`);
	check(`DuckDB: columns of ${folder}/${table}.csv`,
		described.map(([name]) => name).join() === header.join() ? "" : described.join(" "));
	check(`DuckDB: types of ${folder}/${table}.csv`,
		described.map(([, type]) => type).join() === documented.join() ? "" : described.join(" "));
	check(`DuckDB: cells of ${folder}/${table}.csv`,
		differs(rows, documented, await ask(`FROM ${table}`)));
	if (table === "results" && folder === "tables")
		check("DuckDB: the pivot", (await ask(pivot)).length > 0 ? "" : "it has no rows");
	if (table === "paths" && folder === "tables")
		checkStacks(await ask(stacks));
	if (table === "addresses" && folder === "hard")
		check("DuckDB: addresses become numbers", differs([["18446744073699065856"]], ["UBIGINT"],
			await ask("SELECT address::UBIGINT FROM addresses LIMIT 1")));
}

// What the document says of DuckDB's own guesses.
async function checkGuesses() {
	const database = await (await DuckDBInstance.create(":memory:")).connect();

	writeFileSync("guess.csv", "address,line,period\n0x10,,18446744073709551615\n0x11,,1\n");
	const described = (await database.runAndReadAll("DESCRIBE FROM read_csv('guess.csv')")).getRowsJS();
	const types = described.map(([, type]) => type).join();
	check("DuckDB: what it guesses", types === "BIGINT,VARCHAR,DOUBLE" ? "" : types);
}

mkdirSync("hard", {recursive: true});
for (const table of tables)
	writeFileSync(`hard/${table}.csv`, hardTable(table));
for (const folder of ["tables", "hard"])
	for (const table of tables)
		await checkTable(table, folder).catch(error => check(`DuckDB: ${folder}/${table}.csv`, error.message));
await checkGuesses();
check("readperf-csv(5) has the lines for DuckDB", page.includes(importing) ? "" : "it has others");
finish();

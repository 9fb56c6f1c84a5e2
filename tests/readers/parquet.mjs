// node parquet.mjs MODULES DIR...: files of Parquet, as DuckDB and hyparquet read them. In each DIR stand
// tables as --csv=raw writes them, and what --export=parquet has written beside them. Types must be those
// of docs/import.md, and cells those of the tables. The last line counts what passed and what failed.
import {readdirSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {check, finish} from "./checks.mjs";
import {csvRows} from "./csv.mjs";

const [modules, ...dirs] = process.argv.slice(2).map(path => resolve(path));
const load = createRequire(join(modules, "package.json"));
const {DuckDBInstance} = load("@duckdb/node-api");
const module = name => import(pathToFileURL(load.resolve(name)));
const {parquetReadObjects, parquetMetadata} = await module("hyparquet");
const {compressors} = await module("hyparquet-compressors");

const valueOf = {UBIGINT: BigInt, INTEGER: Number, DOUBLE: Number, VARCHAR: String};

function differs(header, rows, types, values) {
	if (rows.length !== values.length)
		return `${values.length} rows, not ${rows.length}`;
	for (let i = 0; i < rows.length; i++)
		for (let at = 0; at < header.length; at++) {
			const expected = rows[i][at] === "" ? null : valueOf[types[at]](rows[i][at]);
			if ((values[i][at] ?? null) !== expected)
				return `row ${i + 1}, ${header[at]}: ${values[i][at]}, not ${expected}`;
		}
	return "";
}

function fileOf(path) {
	const bytes = readFileSync(path);

	return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

// What it says where nobody gave it zstd: docs/exports.md has the words.
async function readAlone(path) {
	return parquetReadObjects({file: fileOf(path)}).then(() => "reads it", ({message}) => message);
}

// hyparquet knows the column types, too: whole numbers of 64 bits are BigInts.
async function readByHyparquet(path, header) {
	const file = fileOf(path);
	const names = parquetMetadata(file).schema.slice(1).map(({name}) => name);
	const rows = await parquetReadObjects({file, compressors});

	return [names, rows.map(row => header.map(column => row[column]))];
}

const db = await (await DuckDBInstance.create(":memory:")).connect();
const ask = async sql => (await db.runAndReadAll(sql)).getRowsJS();

for (const dir of dirs)
	for (const name of readdirSync(dir).filter(name => name.endsWith(".parquet"))) {
		const path = join(dir, name);
		const [header, ...rows] = csvRows(readFileSync(path.replace(/parquet$/, "csv"), "utf8"));
		const described = await ask(`DESCRIBE FROM '${path}'`);
		const types = described.map(([, type]) => type);
		const [names, values] = await readByHyparquet(path, header);

		check(`${path}: columns`, described.map(([column]) => column).join() === header.join() && names.join() === header.join() ? "" : "others");
		check(`${path}: types`, types.every(type => valueOf[type]) ? "" : types.join());
		check(`${path}: cells by DuckDB`, differs(header, rows, types, await ask(`FROM '${path}'`)));
		check(`${path}: cells by hyparquet`, differs(header, rows, types, values));
	}

const said = await readAlone(join(dirs[0], "results.parquet"));

check("hyparquet alone", said.includes("unsupported compression codec: ZSTD") ? "" : said);
finish();

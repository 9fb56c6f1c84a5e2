// node check.mjs MODULES DIR...: reads what readperf diff exported into each DIR, as others will.
// MODULES is the folder with package.json and what it asks for; in DIR/shown.html stands what
// cmark-gfm made of diff.md. The last line counts what passed and what failed.
import {existsSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {check, finish} from "./checks.mjs";
import {csvRows} from "./csv.mjs";

const [modules, ...dirs] = process.argv.slice(2).map(path => path.replace(/^\.\/|\/$/g, ""));
const here = dirname(fileURLToPath(import.meta.url));
const load = createRequire(join(modules, "package.json"));
const addFormats = load("ajv-formats");

const read = path => readFileSync(path, "utf8");
const json = path => JSON.parse(read(path));

// ---- schemas -------------------------------------------------------------------------------------

// Schemas of draft 4 as the official one of SARIF, and of draft 7 as ours.
function compile(schema) {
	const Ajv = load(/draft-04/.test(schema.$schema) ? "ajv-draft-04" : "ajv").default;
	const ajv = new Ajv({allErrors: true, strict: false, unicodeRegExp: false});

	addFormats(ajv);
	const validate = ajv.compile(schema);
	return data => (validate(data) ? "" : ajv.errorsText(validate.errors).slice(0, 500));
}

const validators = {
	"diff.sarif": compile(json(load.resolve("@microsoft/jest-sarif").replace(/jest-sarif[/\\].*/, "jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"))),
	"diff.json": compile(json(join(here, "diff.schema.json"))),
	"diff.codequality.json": compile(json(join(here, "codequality.schema.json"))),
	"diff.benchmark.json": compile(json(join(here, "benchmark.schema.json"))),
};

// A schema that takes everything would make every check green.
function checkSchemas() {
	const wrong = {
		"diff.sarif": {version: "2.0.0", runs: []},
		"diff.json": {format: 1, rows: []},
		"diff.codequality.json": [{description: "x", severity: "high"}],
		"diff.benchmark.json": [{name: "x", unit: "ns", value: null}],
	};

	for (const [name, data] of Object.entries(wrong))
		check(`the schema of ${name} refuses what is wrong`, validators[name](data) ? "" : "it does not");
}

// ---- what schemas cannot say ---------------------------------------------------------------------

function repeated(values) {
	const seen = new Set();

	for (const value of values) {
		if (seen.has(value))
			return `twice: ${value}`;
		seen.add(value);
	}
	return "";
}

// The guard against formulas is taken off by readperf's --csv=raw.
const cell = value => (value === null ? "" : value);

function sameCell(text, value) {
	return typeof value === "number" ? Number(text) === value : text === cell(value);
}

// Every cell of the table, under its column's name and in its order.
function checkTable(dir, diff) {
	const [header, ...rows] = csvRows(read(join(dir, "diff.csv")));
	let problem = rows.length === diff.rows.length ? "" : `${rows.length} rows, ${diff.rows.length}`;

	for (let i = 0; i < rows.length && !problem; i++) {
		const keys = Object.keys(diff.rows[i]);

		if (keys.join() !== header.join())
			problem = `keys ${keys}`;
		for (let k = 0; k < keys.length && !problem; k++)
			if (!sameCell(rows[i][k], diff.rows[i][keys[k]]))
				problem = `row ${i + 1}, ${keys[k]}: ${rows[i][k]}, ${diff.rows[i][keys[k]]}`;
	}
	check(`${dir}: diff.json has what diff.csv has`, problem);
}

const more = diff => diff.rows.filter(row => /^(slower|higher|larger)$/.test(row.verdict));

// Without a gate what fails is what takes more, as far as it has a place in the source.
function checkFindings(dir, diff, gated) {
	const {results, tool} = json(join(dir, "diff.sarif")).runs[0];
	const rule = tool.driver.rules[0];
	const findings = json(join(dir, "diff.codequality.json"));
	const wanted = more(diff).filter(row => row.filename);
	const placed = wanted.filter(row => row.line);
	const names = json(join(dir, "diff.benchmark.json")).map(entry => entry.name);

	if (!gated) {
		check(`${dir}: a result of SARIF for each`, results.length === Math.min(wanted.length, 5000) ? "" : `${results.length}, not ${wanted.length}`);
		check(`${dir}: a finding for each`, findings.length === Math.min(placed.length, 5000) ? "" : `${findings.length}, not ${placed.length}`);
	}
	check(`${dir}: rules of results`, results.every(result => result.ruleId === rule.id) ? "" : "unknown rule");
	check(`${dir}: a rule has what GitHub wants of it`, ["shortDescription", "fullDescription", "help"].find(key => !rule[key]?.text));
	check(`${dir}: paths are no absolute URIs below --strip-prefix`, results.every(result => !result.locations[0].physicalLocation.artifactLocation.uri.startsWith("file:///src")) ? "" : "one is");
	check(`${dir}: fingerprints of SARIF`, repeated(results.map(result => result.partialFingerprints["readperfFunction/v1"])));
	check(`${dir}: fingerprints of findings`, repeated(findings.map(finding => finding.fingerprint)));
	check(`${dir}: names of benchmarks`, repeated(names));
}

// ---- the page ------------------------------------------------------------------------------------

const entities = {lt: "<", gt: ">", amp: "&", quot: '"'};
const plain = html => html.replace(/&(lt|gt|amp|quot);/g, (all, name) => entities[name]);

// As a terminal is shown it; a backslash before a bar has no other way into a table.
function shown(name) {
	return [...name]
		.map(c => (c < " " || c === "\u007f" ? null : c))
		.reduce((text, c) => text + (c === null ? "\u0000" : c), "")
		.replace(/\\(?=\\*\|)/g, "\\x5c");
}

const pattern = name => new RegExp("^" + shown(name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("\u0000", "(\\\\x[0-9a-f]{2})+") + "$");

function checkPage(dir, diff) {
	const html = read(join(dir, "shown.html"));
	const rows = [...html.matchAll(/<tr>\n((?:<td[^>]*>.*<\/td>\n)+)<\/tr>/g)].map(([, cells]) => [...cells.matchAll(/<td[^>]*>(.*)<\/td>/g)].map(([, text]) => text));
	const changed = diff.rows.filter(row => !/^(same|unsure)$/.test(row.verdict));
	const cut = /^<p>(\d+) more changes? did not fit here/m.exec(html);
	const tags = new Set([...html.matchAll(/<\/?([a-zA-Z0-9]+)/g)].map(([, tag]) => tag));
	const allowed = ["h3", "ul", "li", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "strong", "details", "summary"];
	const strange = [...tags].filter(tag => !allowed.includes(tag));
	let problem = "";

	check(`${dir}: diff.md fits into a comment`, Buffer.byteLength(read(join(dir, "diff.md"))) <= 60000 ? "" : "too long");
	check(`${dir}: diff.md has no elements but its own`, strange.join());
	check(`${dir}: details are closed`, html.match(/<details>/g).length === html.match(/<\/details>/g).length ? "" : "not all");
	check(`${dir}: diff.md has all changes, or counts them`, rows.length + Number(cut?.[1] ?? 0) === changed.length ? "" : `${rows.length} rows of ${changed.length}`);
	check(`${dir}: 20 changes at most are not folded`, html.split("<details>")[0].match(/<td>/g)?.length > 20 * 8 ? "more" : "");
	for (let i = 0; i < rows.length && !problem; i++) {
		const name = plain(rows[i][0].replace(/^<code>|<\/code>$/g, ""));

		if (rows[i].length !== 8)
			problem = `row ${i + 1} has ${rows[i].length} cells`;
		else if (!pattern(changed[i].function).test(name))
			problem = `row ${i + 1}: ${name}, not ${changed[i].function}`;
	}
	check(`${dir}: each row is a function by its name`, problem);
}

// Every line is a command, and what a name would begin one with is escaped.
function checkAnnotations(dir) {
	const lines = read(join(dir, "diff.github.txt")).split("\n").slice(0, -1);
	const wrong = lines.find(line => !/^::(error|warning) (?:[a-z]+=[^:,]*,?)+::[^\u0000-\u001f]+$/.test(line));

	check(`${dir}: annotations`, lines.length > 10 ? "more than GitHub shows" : wrong);
}

checkSchemas();
for (const dir of dirs) {
	for (const [name, validate] of Object.entries(validators))
		check(`${dir}/${name} by its schema`, validate(json(join(dir, name))));
	const diff = json(join(dir, "diff.json"));

	checkTable(dir, diff);
	checkFindings(dir, diff, existsSync(join(dir, "gated")));
	checkPage(dir, diff);
	checkAnnotations(dir);
}
finish();

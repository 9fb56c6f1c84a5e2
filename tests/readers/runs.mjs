// node runs.mjs MODULES DIR...: exports of runs, as their readers take them. In each DIR stand results.csv
// as --csv=raw writes it, and what --export=json,speedscope,pprof,firefox,callgrind has written beside it.
// What readers add up must be the rows of results.csv. The last line counts what passed and what failed.
import {execFileSync} from "node:child_process";
import {readdirSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join, resolve} from "node:path";
import {check, finish} from "./checks.mjs";
import {csvRows} from "./csv.mjs";

const [modules, ...dirs] = process.argv.slice(2).map(path => resolve(path));
const load = createRequire(join(modules, "package.json"));
const Ajv = load("ajv").default;
const schema = JSON.parse(readFileSync(load.resolve("speedscope/dist/release/file-format-schema.json"), "utf8"));
const validate = new Ajv({strict: false, allErrors: false}).compile(schema);
const numbers = new Set(["period", "samples", "percent", "line", "children_period", "children_samples", "children_percent",
	"inlined_period", "inlined_samples", "size"]);

const read = path => readFileSync(path, "utf8");

// As text cannot be more than UTF-8, invalid bytes are read as U+FFFD here, too.
function resultsOf(dir) {
	const [header, ...rows] = csvRows(read(join(dir, "results.csv")));

	return rows.map(row => Object.fromEntries(header.map((column, i) =>
		[column, !numbers.has(column) ? row[i] : row[i] === "" ? null : Number(row[i])])));
}

// What a frame is called: the function, or the binary.
function shown(row) {
	const base = row.binary.split("/").at(-1);

	if (!row.reason && row.function)
		return row.function;
	return base.startsWith("[") ? base : `[${base || "unknown"}]`;
}

function compareSums(what, rows, sums, weight) {
	for (const [i, row] of rows.entries()) {
		const [self, children] = sums[i];

		if (self !== row[weight] || children !== row[`children_${weight}`])
			return check(what, `${shown(row)}: ${self} ${children}, not ${row[weight]} ${row[`children_${weight}`]}`);
	}
	check(what, rows.length ? "" : "no rows");
}

// Sums of frames: [itself, with what it called] for each of the first @nr; a stack counts once for a frame.
function sumStacks(nr, stacks) {
	const sums = Array.from({length: nr}, () => [0, 0]);

	for (const [frames, weight] of stacks) {
		for (const frame of new Set(frames))
			if (frame < nr)
				sums[frame][1] += weight;
		if (frames.at(-1) < nr)
			sums[frames.at(-1)][0] += weight;
	}
	return sums;
}

// ---- JSON lines -----------------------------------------------------------------------------------------

function checkJson(dir, results) {
	const rows = read(join(dir, "results.jsonl")).split("\n").slice(0, -1).map(line => JSON.parse(line));
	const differs = rows.findIndex((row, i) => JSON.stringify(row) !== JSON.stringify(results[i]));

	check(`${dir}: results.jsonl is results.csv`, rows.length !== results.length ? `${rows.length} rows` :
		differs < 0 ? "" : JSON.stringify(rows[differs]));
}

// ---- speedscope -----------------------------------------------------------------------------------------

function checkSpeedscope(dir, results, events) {
	const file = JSON.parse(read(join(dir, "profile.speedscope.json")));

	check(`${dir}: speedscope's schema`, validate(file) ? "" : JSON.stringify(validate.errors[0]));
	check(`${dir}: speedscope's profiles are the events`, file.profiles.map(profile => profile.name).join() === events.join() ? "" : "not all");
	check(`${dir}: speedscope's frames`, results.every((row, i) => file.shared.frames[i].name === shown(row)) ? "" : "others");
	for (const profile of file.profiles) {
		const {samples, weights} = profile;
		const stacks = samples.map((stack, i) => [stack, weights[i]]);
		const sums = sumStacks(results.length, stacks);
		const of = results.map((row, i) => [row, sums[i]]).filter(([row]) => row.event === profile.name);

		compareSums(`${dir}: speedscope's sums of ${profile.name}`, of.map(([row]) => row), of.map(([, sum]) => sum), "samples");
		check(`${dir}: speedscope's end of ${profile.name}`, weights.reduce((a, b) => a + b, 0) === profile.endValue ? "" : "wrong");
	}
}

// ---- Firefox Profiler -----------------------------------------------------------------------------------

// Every column of a table has as many cells as it says.
function tableProblem(name, table) {
	const wrong = Object.entries(table).find(([, column]) => Array.isArray(column) && column.length !== table.length);

	return wrong ? `${name}.${wrong[0]} has ${wrong[1].length} of ${table.length}` : "";
}

const below = (column, limit, lowest = 0) => column.every(cell => cell === null || (Number.isInteger(cell) && cell >= lowest && cell < limit));

// What the loader and the viewer rely on.
function firefoxProblem(profile) {
	const {stackTable, frameTable, funcTable, resourceTable, nativeSymbols, sources, sourceLocationTable, stringArray} = profile.shared;
	const tables = {stackTable, frameTable, funcTable, resourceTable, nativeSymbols, sources, sourceLocationTable};
	const strings = stringArray.length;
	const problem = Object.entries(tables).map(([name, table]) => tableProblem(name, table)).find(text => text);

	if (problem)
		return problem;
	if (!below(stackTable.frame, frameTable.length) || !stackTable.prefixOffset.every((offset, i) => offset >= 0 && offset <= i))
		return "stackTable";
	if (!below(frameTable.func, funcTable.length) || !below(frameTable.category, profile.meta.categories.length))
		return "frameTable";
	if (!below(funcTable.name, strings) || !below(funcTable.resource, resourceTable.length, -1) || !below(funcTable.source, sources.length))
		return "funcTable";
	if (!below(resourceTable.lib, profile.libs.length) || !below(resourceTable.name, strings) || !below(sources.filename, strings))
		return "resourceTable";
	for (const {samples, markers} of profile.threads) {
		if (tableProblem("samples", samples) || tableProblem("markers", markers) || !below(samples.stack, stackTable.length))
			return "samples";
		if (samples.time.some((time, i) => i && time < samples.time[i - 1]))
			return "samples are not in the order of time";
	}
	return "";
}

function checkFirefox(dir, file, rows, event) {
	const profile = JSON.parse(read(join(dir, file)));
	const {stackTable, frameTable, funcTable, stringArray} = profile.shared;
	const what = `${dir}: the Firefox Profiler's`;
	const inMs = profile.threads[0]?.samples.weightType === "tracing-ms";
	const stacks = [];
	let periods = 0;

	check(`${what} tables of ${event}`, firefoxProblem(profile));
	check(`${what} functions of ${event}`, rows.every((row, i) => stringArray[funcTable.name[i]] === shown(row)) ? "" : "others");
	const functions = [];
	for (let i = 0; i < stackTable.length; i++) {
		const offset = stackTable.prefixOffset[i];
		functions.push([...offset ? functions[i - offset] : [], frameTable.func[stackTable.frame[i]]]);
	}
	for (const {samples} of profile.threads)
		for (let i = 0; i < samples.length; i++) {
			stacks.push([functions[samples.stack[i]], 1]);
			periods += inMs ? Math.round(samples.weight[i] * 1e6) : 0;
		}
	compareSums(`${what} sums of ${event}`, rows, sumStacks(rows.length, stacks), "samples");
	if (inMs)
		check(`${what} weights of ${event}`, periods === rows.reduce((sum, row) => sum + row.period, 0) ? "" : `${periods}`);
}

// ---- readers of text: sums by name ----------------------------------------------------------------------

// Rows by name: several functions may have one. What these called together is not in the table.
function byName(rows, weight) {
	const names = new Map();

	for (const row of rows) {
		const sum = names.get(shown(row)) ?? {self: 0, children: 0, nr: 0};

		names.set(shown(row), {self: sum.self + row[weight], children: sum.children + row[`children_${weight}`], nr: sum.nr + 1});
	}
	return names;
}

function compareNames(what, names, found) {
	for (const [name, {self, children, nr}] of names) {
		const sum = found.get(name) ?? {self: 0, children: 0};

		if ((sum.self ?? self) !== self || (nr === 1 && (sum.children ?? children) !== children))
			return check(what, `${name}: ${sum.self} ${sum.children}, not ${self} ${children}`);
	}
	check(what, names.size ? "" : "no names");
}

function addTo(found, name, self, children) {
	const sum = found.get(name) ?? {self: 0, children: 0};

	found.set(name, {self: sum.self + self, children: sum.children + children});
}

const run = (command, ...args) => execFileSync(command, args, {encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"]});

function checkPprof(dir, file, rows, event) {
	for (const [index, weight] of [["samples", "samples"], ["1", "period"]]) {
		const text = run("go", "tool", "pprof", "-top", `-sample_index=${index}`, "-unit=ns", "-nodecount=0", "-nodefraction=0", "-edgefraction=0",
			"-symbolize=none", join(dir, file));
		const found = new Map();

		for (const [, self, children, name] of text.matchAll(/^ *(\d+)(?:ns)? +[\d.]+% +[\d.]+% +(\d+)(?:ns)? +[\d.]+%  (.*?)(?: \((?:partial-)?inline\))?$/gm))
			addTo(found, name, Number(self), Number(children));
		compareNames(`${dir}: pprof's ${weight} of ${event}`, byName(rows, weight), found);
	}
}

// Recursion is no part of callgrind_annotate's sums: functions that call themselves, by whatever way, count more than once.
function checkCallgrind(dir, results, events) {
	const path = join(dir, "callgrind.out");
	const columns = /^events: (.*)$/m.exec(read(path))[1].split(" ");
	const at = new Map(events.map((event, i) => [event, 2 * i]));

	check(`${dir}: callgrind's columns`, columns.length === 2 * events.length ? "" : columns.join());
	for (const event of events)
		for (const [offset, weight] of [[0, "period"], [1, "samples"]]) {
			const column = columns[at.get(event) + offset];
			const found = new Map();

			for (const inclusive of ["no", "yes"]) {
				const text = run("callgrind_annotate", `--inclusive=${inclusive}`, "--auto=no", "--threshold=100", `--show=${column}`, `--sort=${column}`, path);

				for (const [, value, name] of text.matchAll(/^ *([\d,]+) \([ \d.]+%\)  (?:\?\?\?|[^:]*):(.*?)(?: \[[^\]]*\]?\])?$/gm)) {
					const number = Number(value.replaceAll(",", ""));
					addTo(found, name, inclusive === "no" ? number : 0, inclusive === "yes" ? number : 0);
				}
			}
			const names = byName(results.filter(row => row.event === event), weight);
			for (const [name, sum] of names)
				if (found.get(name)?.children > sum.children)
					found.get(name).children = sum.children;
			compareNames(`${dir}: callgrind's ${weight} of ${event}`, names, found);
		}
}

// ---------------------------------------------------------------------------------------------------------

const fileName = event => event.replaceAll(/[^A-Za-z0-9.\-_]/g, "_");

for (const dir of dirs) {
	const results = resultsOf(dir);
	const events = [...new Set(results.map(row => row.event))];
	const one = readdirSync(dir).includes("profile.pb.gz");

	checkJson(dir, results);
	checkSpeedscope(dir, results, events);
	checkCallgrind(dir, results, events);
	for (const event of events) {
		const rows = results.filter(row => row.event === event);
		const name = one ? "profile" : `profile.${fileName(event)}`;

		checkPprof(dir, `${name}.pb.gz`, rows, event);
		checkFirefox(dir, `${name}.firefox.json`, rows, event);
	}
}
finish();

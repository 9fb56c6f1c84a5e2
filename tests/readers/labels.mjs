// node labels.mjs DIR...: labels of samples as pprof adds them up. In each DIR stand results.csv with --per,
// as --csv=raw writes it, and what --export=pprof has written beside it. Sums must be those of the rows by
// the values of each key. The last line counts what passed and what failed.
import {execFileSync} from "node:child_process";
import {readdirSync, readFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {check, finish} from "./checks.mjs";
import {csvRows} from "./csv.mjs";

const COLUMNS = 16; // of results.csv, before the keys

for (const dir of process.argv.slice(2).map(path => resolve(path))) {
	const [header, ...rows] = csvRows(readFileSync(join(dir, "results.csv"), "utf8"));
	const events = [...new Set(rows.map(row => row[4]))];

	for (const event of events) {
		const of = rows.filter(row => row[4] === event);
		const file = readdirSync(dir).find(name => name.endsWith(".pb.gz") && (events.length === 1 || name.includes(event.replace(":", "_"))));
		const text = execFileSync("go", ["tool", "pprof", "-tags", "-sample_index=samples", "-symbolize=none", join(dir, file)],
			{encoding: "utf8", stdio: ["ignore", "pipe", "ignore"]});
		const found = new Map();
		let key = "";

		for (const line of text.split("\n")) {
			key = /^ *(\S+): Total/.exec(line)?.[1] ?? key;
			const [, sum, value] = /^ +([\d.]+) \([ \d.]+%\): (.*)$/.exec(line) ?? [];
			if (sum)
				found.set(`${key} ${value}`, Number(sum));
		}
		for (let at = COLUMNS; at < header.length; at++) {
			const sums = new Map();

			for (const row of of)
				if (row[at] !== "" && row[1] !== "0")
					sums.set(row[at], (sums.get(row[at]) ?? 0) + Number(row[1]));
			const wrong = [...sums].find(([value, sum]) => found.get(`${header[at]} ${value}`) !== sum);
			check(`${dir}: pprof's ${header[at]} of ${event}`, wrong ? `${wrong}, not ${found.get(`${header[at]} ${wrong[0]}`)}` : "");
		}
	}
}
finish();

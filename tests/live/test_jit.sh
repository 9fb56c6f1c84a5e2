#!/bin/sh
# Code of a JIT compiler: named by the map that it writes, by its jitdump, and by the ELF files that
# perf inject --jit makes of that. What we read of the jitdump itself is what perf says after inject.
. "$(dirname "$0")/live.sh"
need_perf
command -v node >/dev/null || skip "node is not installed"
trap 'for pid in $(cat pids); do rm -f "/tmp/perf-$pid.map"; done' EXIT

cat >jit.js <<'JS'
'use strict';
require('fs').appendFileSync('pids', process.pid + '\n');

function hot(n) {
	let sum = 0;
	for (let i = 0; i < n; i++)
		sum = (sum * 31 + i) | 0;
	return sum;
}

function sorted(n) {
	const list = [];
	for (let i = 0; i < n; i++)
		list.push((i * 7919) % 10007);
	return list.sort((x, y) => x - y)[n >> 1];
}

let sum = 0;
for (let round = 0; round < 60; round++) {
	const made = new Function('n', `let s = ${round}; for (let i = 0; i < n; i++) s += i % 7; return s;`);
	sum += hot(300000) + sorted(20000);
	for (let i = 0; i < 3; i++)
		sum += made(20000);
}
console.log(sum);
JS

# answer FILE SCRIPT: what perf report says of the recording FILE, edited by sed's SCRIPT
answer() {
	mv "$1" perf.data
	perf_report | sed "$2" >perfs.tsv
	mv perf.data "$1"
}

# named FUNCTION: results.csv has a row of it
named() {
	awk -v name="$1" 'index($0, name) { n++ } END { exit !n }' ours/results.csv ||
		{ echo "no row of $1" && exit 1; }
}

echo "a map:"
record -e cpu-clock -F 4000 -- node --perf-basic-prof jit.js
mv perf.data map.data
readperf --quiet --tables=results --demangle=none -o ours map.data
answer map.data 's/\[JIT\] tid \([0-9]*\)/perf-\1.map/'
compare perfs.tsv 1
named 'JS:*hot '

echo "a jitdump, against perf inject:"
record -e cpu-clock -F 4000 -k mono -- node --perf-prof jit.js
mv perf.data dump.data
perf inject --jit -i dump.data -o injected.data
readperf --quiet --tables=results --demangle=none -o ours dump.data
answer injected.data 's/jitted-\([0-9]*\)-[0-9]*\.so/jit-\1.dump/'
compare perfs.tsv 1
named 'JS:*hot '

echo "what perf inject made of it:"
readperf --quiet --tables=results --demangle=none -o ours injected.data
answer injected.data ''
compare perfs.tsv 1
named 'JS:*hot '

echo "without the dump's clock:"
record -e cpu-clock -F 4000 -- node --perf-prof jit.js
readperf --top=1 --tables=results -o ours perf.data >/dev/null 2>messages
named 'JS:*hot '
has "perf.data: note: 1 jitdump does not use the recording's clock" messages

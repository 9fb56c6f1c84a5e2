# shellcheck shell=bash
# The programs that are recorded, of several kinds, a second or two each. To be sourced.
#
# $INPUT is a text that make_input has made.

KINDS='shell forks python perl sort gzip xz threads readperf'

make_input() {
	seq 1 2000000 | awk '{ print $1 * 7919 % 1000003, "line", $1, $1 * $1 % 977 }' >"$INPUT"
}

run_shell() {
	bash -c 'for ((i = 0; i < 200000; i++)); do
		name=file$i.txt; base=${name%.txt}; words=($base $i); list[i % 100]=${words[0]//f/g}
		case $base in *99) ((n++)) ;; esac
	done'
}

run_forks() {
	sh -c 'i=0; while [ $i -lt 700 ]; do echo "$i some words" | sed s/some/other/ >/dev/null; i=$((i + 1)); done'
}

run_python() {
	python3 -c '
import json, re
words = {}
for i in range(240000):
    line = json.dumps({"number": i, "name": "n%d" % (i % 997), "list": [i, i * 2]})
    found = re.search(r"n(\d+)", line)
    words[found.group(1)] = words.get(found.group(1), 0) + len(json.loads(line)["list"])
print(sorted(words.items(), key=lambda item: -item[1])[:1])'
}

run_perl() {
	perl -ne '@w = split; $count{$w[3]} += $w[0]; $text .= substr($_, 0, 2) if /7 line/; $text = ""
		if length($text) > 100; END { $all += $_ for values %count; print "$all\n" }' "$INPUT"
}

run_sort() {
	LC_ALL=C.UTF-8 sort --parallel=1 "$INPUT"
}

run_gzip() {
	gzip -c -3 "$INPUT"
}

run_xz() {
	xz -c -0 "$INPUT"
}

# Several threads at a time, and merging.
run_threads() {
	sort --parallel=4 -S 200M -n "$INPUT"
}

# Itself: the recording $INPUT.data, which is large.
run_readperf() {
	"$READPERF" --quiet --tables=results -o "$INPUT.tables" "$INPUT.data"
}

# record FILE FREQUENCY COMMAND...: without a word; the build ids are no part of it
record() {
	perf record -q -B -N -e cpu-clock -F "$2" -o "$1" -- "${@:3}" >/dev/null 2>&1
}

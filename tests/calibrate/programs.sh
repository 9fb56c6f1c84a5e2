# shellcheck shell=bash
# The programs that are recorded, of several kinds, a second or two each. To be sourced.
#
# $INPUT is a text that make_input has made, $SOURCES the folder of the program's own sources.

# shellcheck disable=SC2034 # for who sources this
KINDS=${KINDS:-shell forks python perl sort gzip xz threads readperf hashes objects pages compile \
	files database node pipes git knob}

make_input() {
	record "$INPUT.data" 20000 bash -c "$(declare -f run_forks); run_forks"
	seq 1 300000 | awk '{ print $1 * 7919 % 1000003, "line", $1, $1 * $1 % 977 }' >"$INPUT"
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
		if length($text) > 100; END { $all += $_ for values %count; print "$all\n" }' "$INPUT" "$INPUT" "$INPUT" "$INPUT" "$INPUT"
}

run_sort() {
	for _ in 1 2 3 4 5 6 7; do LC_ALL=C.UTF-8 sort --parallel=1 "$INPUT"; done
}

run_gzip() {
	gzip -c -9 "$INPUT"
}

run_xz() {
	xz -c -2 "$INPUT"
}

# Several threads at a time, and merging.
run_threads() {
	for _ in 1 2 3 4 5 6; do sort --parallel=4 -S 40M -n "$INPUT"; done
}

# Itself, reading $INPUT.data.
run_readperf() {
	for _ in 1 2 3 4 5 6 7 8; do
		"$READPERF" --quiet --tables=all -o "$INPUT.tables" "$INPUT.data"
	done
}

# What follows uses much memory: where its pages lie differs from run to run, and so does how long
# they take.
run_hashes() {
	awk 'BEGIN {
		for (i = 0; i < 600000; i++) {
			key = i * 7919 % 1000003 "x"
			sum[key] += i
			text[key] = text[key] i
		}
		for (key in sum)
			all += sum[key] + length(text[key])
		print all
	}'
}

run_objects() {
	python3 -c '
import random
random.seed(1)
objects = [{"number": i, "next": None, "name": str(i)} for i in range(300000)]
random.shuffle(objects)
for one, other in zip(objects, objects[1:]):
    one["next"] = other
for _ in range(3):
    one, all = objects[0], 0
    while one:
        all += one["number"] + len(one["name"])
        one = one["next"]
print(all)'
}

run_pages() {
	python3 -c '
for i in range(24):
    data = bytearray(64 << 20)
    data[::4096] = bytes(len(data[::4096]))
    data = data[1:] + data[:1]'
}

run_compile() {
	for source in "$SOURCES"/perffile/*.c; do
		cc -std=c11 -D_GNU_SOURCE -I "$SOURCES" -O2 -c -o "$INPUT.o" "$source"
	done
}

# Many small files.
run_files() {
	tar -cf - /usr/include /usr/share/perl | wc -c
	find /usr -type f -name '*.h' -newer /etc/passwd | wc -l
}

# Writes that reach the disk.
run_database() {
	rm -f "$INPUT.db"
	sqlite3 "$INPUT.db" 'CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT);
		WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 300000)
		INSERT INTO t SELECT x, printf("%d words", x * 7919 % 1000003) FROM c;
		CREATE INDEX i ON t(b);
		SELECT count(*) FROM t a JOIN t b ON a.b = b.b;
		DELETE FROM t WHERE a % 3 = 0;'
}

# Code of a JIT compiler.
run_node() {
	node -e 'const sums = {};
		for (let i = 0; i < 400000; i++) {
			const text = JSON.stringify({number: i, name: "n" + i % 997, list: [i, 2 * i]});
			const back = JSON.parse(text);
			sums[back.name] = (sums[back.name] || 0) + back.list[1];
		}
		console.log(Object.keys(sums).length)'
}

run_pipes() {
	head -c 300M /dev/zero | cat | tr '\0' 'x' | wc -c
}

run_git() {
	git -C "$SOURCES" log -p --stat -- decode | wc -l
	git -C "$SOURCES" blame README.md | wc -l
}

run_knob() {
	"$KNOB" 40000
}

# record FILE FREQUENCY COMMAND...: without a word; the build ids are no part of it
record() {
	perf record -q -B -N -e cpu-clock -F "$2" -o "$1" -- "${@:3}" >/dev/null 2>&1
}

#!/bin/sh
# A Go program as it is built, and stripped: the same names, lines and call chains, by the table of functions
# that its runtime needs.
. "$(dirname "$0")/live.sh"
need_perf
command -v go >/dev/null || skip "go is not installed"

cat >work.go <<'GO'
package main

import (
	"fmt"
	"sort"
	"strings"
)

type point struct{ x, y int }

func (p *point) spread(n int) string {
	if n == 0 {
		return strings.Repeat("ab", 100)
	}
	return strings.ToUpper(p.spread(n - 1))
}

func main() {
	total := 0
	for i := 0; i < 6000; i++ {
		p := &point{i, i}
		total += len(p.spread(i % 40))
		list := make([]int, 400)
		for k := range list {
			list[k] = (k*7919 + i) % 211
		}
		sort.Slice(list, func(a, b int) bool { return list[a] < list[b] })
		seen := map[string]int{}
		seen[fmt.Sprint(i)]++
		total += list[3] + len(seen)
	}
	fmt.Println(total)
}
GO

# ask FOLDER: what the recording says of the program, with what is there of it now. The linker has two names for
# functions in assembly, and one for each use of those with types as parameters; the table has one of each.
ask() {
	readperf --quiet --tables=results,addresses,binaries -o "$1" perf.data
	sqlite3 -csv :memory: ".import $1/addresses.csv addresses" ".import $1/results.csv results" \
		"SELECT address, replace(function, '.abi0', '') FROM addresses
			WHERE binary LIKE '%/work' AND function NOT LIKE '%[%'" \
		"SELECT replace(function, '.abi0', ''), filename, line, size, samples, period, children_samples
			FROM results WHERE binary LIKE '%/work' AND function NOT LIKE '%[%' ORDER BY 1, 2, 3" >"$1.txt"
	sqlite3 -csv :memory: ".import $1/addresses.csv addresses" \
		"SELECT address, filename, line FROM addresses WHERE binary LIKE '%/work'" >"$1.lines"
	sqlite3 :memory: '.mode csv' ".import $1/binaries.csv binaries" \
		"SELECT unwound_by, unnamed_samples FROM binaries WHERE binary LIKE '%/work'" >"$1.how"
}

# the same answers, all with a name
compare_stripped() {
	HOME=$PWD GOFLAGS= GO111MODULE=off go build "$@" -o work work.go >go.log 2>&1 ||
		skip "go does not work here: $(head -n 1 go.log)"
	record -N --call-graph dwarf,16384 -e cpu-clock:u -F 4000 -- ./work
	ask whole
	strip work
	ask stripped
	diff whole.txt stripped.txt
	# DWARF and the table have instructions that do nothing in different lines
	diff whole.lines stripped.lines >lines.diff || :
	other=$(grep -c '^>' lines.diff || :)
	echo "$other of $(grep -c . whole.lines) lines differ"
	[ $((other * 50)) -le "$(grep -c . whole.lines)" ]
	has '^debug_frame,' whole.how
	has '^gopclntab,0$' stripped.how
	# of a machine with other work there may be few samples
	functions=$(grep -c -v ^0x stripped.txt)
	echo "$functions functions"
	[ "$functions" -ge 8 ]
}

compare_stripped
echo "== position-independent"
compare_stripped -buildmode=pie

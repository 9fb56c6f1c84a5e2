#!/bin/sh
# The checks of the rules must bite: a small tree that keeps them passes, and each violation planted
# in it is found.
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
trap 'exit 130' INT TERM
bad=0

# Fresh files in every room, each with its header.
plant_tree() {
	rm -rf "${tree:?}"/*
	mkdir -p "$tree/tests/rules" "$tree/util" "$tree/perffile" "$tree/decode/symbol/elf" \
		"$tree/decode/symbol/dwarf" "$tree/decode/symbol/find" \
		"$tree/decode/count" "$tree/decode/process" "$tree/decode/stack" "$tree/decode/answer" \
		"$tree/decode/replay" "$tree/decode/compare/match" "$tree/decode/compare/judge" \
		"$tree/report/export" "$tree/lib" "$tree/main"
	cp "$tests/rules/includes.sh" "$tests/rules/state.sh" "$tests/rules/names.sh" \
		"$tree/tests/rules/"
	for name in util/error util/text perffile/perffile perffile/reader \
		decode/process/maps decode/process/process \
		decode/count/address decode/stack/stack decode/answer/funcstat decode/replay/state \
		decode/results decode/symbol/symbol decode/symbol/elf/elffile decode/symbol/elf/elfsym \
		decode/symbol/dwarf/debuginfo decode/symbol/dwarf/die decode/symbol/find/locate \
		decode/compare/diff decode/compare/match/match decode/compare/judge/verdict \
		report/report report/export/export report/export/junit main/job; do
		echo 'typedef int planted;' >"$tree/$name.h"
		printf '#include "%s.h"\n' "$name" >"$tree/$name.c"
	done
	echo '#include "util/error.h"' >"$tree/readperf.c"
}

# expect WORDS COMMAND...: the command fails and says WORDS
expect() {
	words=$1
	shift
	if "$@" >"$tree/said" 2>&1; then
		echo "not found: $words"
		bad=1
	elif ! grep -qF -- "$words" "$tree/said"; then
		echo "found, but not said: $words; instead:"
		cat "$tree/said"
		bad=1
	fi
}

# includes FILE HEADER WORDS: a tree in which FILE includes HEADER as well
includes() {
	plant_tree
	echo "#include $2" >>"$tree/$1"
	expect "$3" "$tree/tests/rules/includes.sh"
}

plant_tree
if ! "$tree/tests/rules/includes.sh"; then
	echo "a tree that keeps the rules does not pass"
	bad=1
fi

includes util/error.c '"perffile/perffile.h"' 'util/error.c includes "perffile/perffile.h"'
includes util/error.h '"report/report.h"' 'util/error.h includes "report/report.h"'
includes perffile/reader.c '"decode/process/maps.h"' 'perffile/reader.c includes "decode/process/maps.h"'
includes perffile/reader.c '"decode/symbol/symbol.h"' 'perffile/reader.c includes "decode/symbol/'
includes decode/symbol/elf/elffile.c '"perffile/perffile.h"' 'decode/symbol/elf/elffile.c includes "perffile/'
includes decode/symbol/elf/elffile.c '"decode/process/maps.h"' 'decode/symbol/elf/elffile.c includes "decode/process/maps.h"'
includes decode/process/maps.c '"decode/symbol/elf/elffile.h"' 'decode/process/maps.c includes "decode/symbol/elf/elffile.h"'
includes decode/count/address.c '"decode/process/maps.h"' 'address.c includes "decode/process/maps.h"'
includes decode/process/maps.c '"decode/stack/stack.h"' 'maps.c includes "decode/stack/stack.h"'
includes decode/stack/stack.c '"decode/answer/funcstat.h"' 'stack.c includes "decode/answer/funcstat.h"'
includes decode/answer/funcstat.c '"decode/replay/state.h"' 'funcstat.c includes "decode/replay/state.h"'
includes decode/process/maps.c '"report/report.h"' 'decode/process/maps.c includes "report/report.h"'
includes decode/compare/match/match.c '"decode/process/maps.h"' 'decode/compare/match/match.c includes "decode/process/maps.h"'
includes decode/compare/diff.c '"decode/replay/filter.h"' 'diff.c includes "decode/replay/filter.h"'
includes decode/compare/match/match.c '"decode/compare/diff.h"' 'match.c includes "decode/compare/diff.h"'
includes decode/compare/match/match.c '"decode/compare/judge/verdict.h"' 'match.c includes "decode/compare/judge/verdict.h"'
includes decode/compare/judge/verdict.c '"decode/compare/match/match.h"' 'verdict.c includes "decode/compare/match/match.h"'
includes report/report.c '"decode/compare/match/match.h"' 'report.c includes "decode/compare/match/match.h"'
includes report/report.c '"decode/process/maps.h"' 'report/report.c includes "decode/process/maps.h"'
includes report/report.c '"perffile/perffile.h"' 'report/report.c includes "perffile/perffile.h"'
includes report/report.c '"util/csv.h"' 'report/report.c includes "util/csv.h"'
includes report/export/junit.c '"report/report.h"' 'report/export/junit.c includes "report/report.h"'
includes report/report.c '"report/export/junit.h"' 'report/report.c includes "report/export/junit.h"'
includes main/job.c '"decode/process/maps.h"' 'main/job.c includes "decode/process/maps.h"'
includes report/report.c '"main/job.h"' 'report/report.c includes "main/job.h"'
includes readperf.c '"decode/process/maps.h"' 'readperf.c includes "decode/process/maps.h"'
includes perffile/reader.c '<zstd.h>' 'perffile/reader.c includes <zstd.h>'
includes decode/process/maps.c '<libelf.h>' 'decode/process/maps.c includes <libelf.h>'
includes decode/symbol/elf/elffile.c '"decode/symbol/find/locate.h"' 'elffile.c includes "decode/symbol/find/'
includes decode/symbol/elf/elfsym.c '<libelf.h>' 'elfsym.c includes <libelf.h>'
includes decode/symbol/dwarf/die.c '"decode/symbol/symbol.h"' 'die.c includes "decode/symbol/symbol.h"'
includes decode/symbol/symbol.c '"decode/symbol/dwarf/die.h"' 'symbol.c includes "decode/symbol/dwarf/'
includes decode/symbol/dwarf/die.c '<elfutils/libdw.h>' 'die.c includes <elfutils/libdw.h>'
includes decode/symbol/symbol.c '<dwarf.h>' 'symbol.c includes <dwarf.h>'
includes util/text.c '<libiberty/demangle.h>' 'util/text.c includes <libiberty/demangle.h>'

plant_tree
echo 'static inline void fetch(const void *at) { __builtin_prefetch(at); }' >>"$tree/util/text.h"
expect 'util/text.h has __builtin_prefetch()' "$tree/tests/rules/includes.sh"

plant_tree
echo '#include "util/text.h"' | cat - "$tree/util/error.c" >"$tree/first"
mv "$tree/first" "$tree/util/error.c"
expect 'util/error.c includes "util/text.h" before its own header' "$tree/tests/rules/includes.sh"

plant_tree
echo 'size_t planted_size(void);' >"$tree/decode/process/alone.h" # without <stddef.h>
expect 'decode/process/alone.h:1:' "$tree/tests/rules/includes.sh"

plant_tree
echo 'typedef int planted;' >"$tree/decode/process/maps.c"
expect 'decode/process/maps.c does not include its own header' "$tree/tests/rules/includes.sh"

# A circle of two files, one through a source; what a file includes of itself is none.
plant_tree
echo '#include "decode/process/maps.h"' >>"$tree/decode/process/process.h"
echo '#include "decode/process/process.h"' >>"$tree/decode/process/maps.c"
expect 'a circle of includes:' "$tree/tests/rules/includes.sh"

plant_tree
mkdir "$tree/decode/other"
echo 'int x;' >"$tree/decode/other/file.c"
expect 'decode/other/file.c: no rule' "$tree/tests/rules/includes.sh"

# state CODE WORDS: an object with CODE in it
state() {
	plant_tree
	echo "$1" >"$tree/util/planted.c"
	${CC:-cc} -std=c11 -fPIE -c -o "$tree/util/planted.o" "$tree/util/planted.c" || bad=1
	if [ -n "$2" ]; then
		expect "$2" "$tree/tests/rules/state.sh" "$tree"
	elif ! "$tree/tests/rules/state.sh" "$tree"; then
		echo "a constant is taken for a variable: $1"
		bad=1
	fi
}

state 'int last = 5;' 'util/planted.o: the variable last'
state 'static char line[100]; char *get(void) { return line; }' 'the variable line'
state 'int next(void) { static int n; return ++n; }' 'the variable n'
state '_Thread_local int own;' 'the variable own'
state 'static const char *name = "x"; const char **get(void) { return &name; }' 'the variable name'
state 'static const char *const names[] = {"a", "b"}; const char *get(int i) { return names[i]; }' ''
state 'const int limits[] = {1, 2};' ''

# names CODE WORDS: util/text.c with CODE in it
names() {
	plant_tree
	echo "$1" >>"$tree/util/text.c"
	${CC:-cc} -std=c11 -I"$tree" -fPIE -c -o "$tree/util/text.o" "$tree/util/text.c" || bad=1
	if [ -n "$2" ]; then
		expect "$2" env TOOLS="$tree/tests" "$tree/tests/rules/names.sh"
	elif ! TOOLS=$tree/tests "$tree/tests/rules/names.sh"; then
		echo "a name is taken for a wrong one: $1"
		bad=1
	fi
}

names 'int text_length(void) { return 0; } int util_size; static int stray;' ''
names 'int stray(void) { return 0; }' 'util/text.c: stray: begins with the noun of neither'
names 'int text_a;
struct planted_tag {
	int a;
};' ''
echo 'struct planted_tag {' >>"$tree/util/error.c"
expect 'planted_tag: util/error.c util/text.c: the tag is there twice' \
	env TOOLS="$tree/tests" "$tree/tests/rules/names.sh"
names 'int text_a;' ''
echo >"$tree/perffile/text.c"
expect 'text.c: two files have this name' env TOOLS="$tree/tests" "$tree/tests/rules/names.sh"
names 'int text_a; int lzma_code(void) { return 0; }' 'util/text.c: lzma_code: begins as names of a library'

# headers CODE WORDS: a header of the library with CODE in it
headers() {
	plant_tree
	mkdir -p "$tree/include/readperf"
	cp "$tests/rules/headers.sh" "$tree/tests/rules/"
	printf '/*\n * Planted: for a test.\n */\n#ifndef PLANTED_H\n\n%s\n' "$1" >"$tree/include/readperf/planted.h"
	if [ -n "$2" ]; then
		expect "$2" "$tree/tests/rules/headers.sh"
	elif ! "$tree/tests/rules/headers.sh"; then
		echo "a comment is not seen: $1"
		bad=1
	fi
}

headers '/* ---- planted --- */

/** Returns a. */
READPERF_API int readperf_a(void);

/**
 * Returns b.
 */
READPERF_API int readperf_b(void);' ''
headers '/** Returns a. */
READPERF_API int readperf_a(void);
READPERF_API int readperf_b(void);' 'planted.h:8: no comment of its own'
headers '/** Returns a. */
READPERF_API int readperf_a(void);

READPERF_API int readperf_b(void);' 'planted.h:9: no comment of its own'
headers '/* Returns a. */
READPERF_API int readperf_a(void);' 'planted.h:7: no comment of its own'
headers '/** What both have. */

/** Returns a. */
READPERF_API int readperf_a(void);' 'planted.h:6: a comment of no declaration'
exit $bad

#!/bin/sh
# tests/run.sh [--only=KIND] [--update] [UNIT_TEST_PROGRAM...]: runs the tests, `make check` calls it.
#
#   READPERF  the program under test (not needed for --only=unit and --only=rules)
#   TOOLS     the folder of the helpers, as bigsystem; tests that need one are skipped without it
#   TESTS     a pattern to run some only: TESTS='cli/demo*' make check
#   SANITIZE  the sanitizers of the program, if any: tests that start it hundreds of times then do so less often
#   JOBS      how many tests run at a time; without it one more than there are cores, because some only wait,
#             but at most 8
#
# Five kinds, each test with a name KIND/NAME:
#   rules/NAME  tests/rules/NAME.sh: passes if it exits with 0
#   unit/NAME   a program of Check's; each of its checks counts
#   fuzz/NAME   a fuzz target over its kept inputs, tests/fuzz/corpus/NAME; one test
#   cli/NAME    a folder of tests/cli/: see tests/cli/README.md; --update writes its expectations anew
#   live/NAME   tests/live/test_NAME.sh: passes if it exits with 0
# A test that exits with 77 is skipped; the last line that it printed is the reason. A check of a unit
# test is skipped by machine_lacks().
#
# Tests that record with the machine's perf run one at a time, beside the others: without privileges, the
# kernel limits the buffers of all recorders of a user together (perf_event_mlock_kb).
#
# Each test runs in an empty directory of its own, which is also its HOME, without standard input.
set -u

only=
update=false
while [ $# -gt 0 ]; do
	case $1 in
	--only=*) only=${1#--only=} ;;
	--update) update=true ;;
	-*) echo "usage: tests/run.sh [--only=KIND] [--update] [UNIT_TEST_PROGRAM...]" >&2 && exit 2 ;;
	*) break ;;
	esac
	shift
done

root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d) || exit 1
workers=
trap 'kill $workers 2>/dev/null; wait; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# Tests that somebody has begun: each worker goes through all of them, and takes what is left.
begun=$scratch/begun
mkdir "$begun"
passed=0
failed=0
skipped=0
failures=

export LC_ALL=C TZ=UTC COLUMNS=100
export TESTS_DATA="$root/tests/data" # recordings, for unit tests
# An exit status of its own tells a sanitizer's finding from an error of the program.
export ASAN_OPTIONS="exitcode=99:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
# Check ends a test after 4 seconds, which a loaded machine under sanitizers may need.
export CK_TIMEOUT_MULTIPLIER=15 CK_VERBOSITY=normal
# What a user's environment would change.
unset DEBUGINFOD_URLS PERF_CONFIG PERF_BUILDID_DIR MAKEFLAGS MFLAGS MAKELEVEL
[ -x "${READPERF:-/bin/sh}" ] || { echo "tests/run.sh: $READPERF is no program" >&2 && exit 2; }
[ -z "${READPERF:-}" ] || PATH=$(dirname "$READPERF"):$PATH
[ -z "${TOOLS:-}" ] || PATH=$TOOLS:$PATH
export PATH

# mine NAME: is it among those that were asked for, and has nobody begun it?
mine() {
	[ -z "$only" ] || [ "${1%%/*}" = "$only" ] || return 1
	# shellcheck disable=SC2254 # a pattern
	case $1 in
	${TESTS:-*}) ;;
	*) return 1 ;;
	esac
	set -- "$1" "$begun/${1%%/*}:${1#*/}"
	set -C # the file must not be there yet
	{ true >"$2"; } 2>/dev/null
	set -- "$1" "$2" $?
	set +C
	[ "$3" -eq 0 ] || [ -e "$2" ] || fail "$1" 1 "it cannot be begun: no room in $scratch?"
	return "$3"
}

# run_in_scratch COMMAND...: its output in $scratch/out and $scratch/err, its status is returned
run_in_scratch() {
	rm -rf "${scratch:?}/home"
	mkdir "$scratch/home"
	ln -s "$root/tests/data" "$scratch/home/data"
	(cd "$scratch/home" && HOME=$scratch/home exec "$@" \
		>"$scratch/out" 2>"$scratch/err" </dev/null)
}

# indent FILE: so that what a failed test said stands apart
indent() {
	sed 's/^/    /' "$1"
}

pass() {
	passed=$((passed + $2))
	printf 'ok       %s%s\n' "$1" "${3:+ ($3)}"
}

fail() {
	failed=$((failed + $2))
	failures="$failures $1"
	printf 'FAILED   %s%s\n' "$1" "${3:+ ($3)}"
}

skip() {
	skipped=$((skipped + 1))
	printf 'skipped  %s: %s\n' "$1" "$(cat "$scratch/out" "$scratch/err" | tail -n 1)"
}

# run_script NAME FILE: a test that speaks by its exit status alone
run_script() {
	mine "$1" || return 0
	run_in_scratch "$2"
	status=$?
	case $status in
	0) pass "$1" 1 ;;
	77) skip "$1" ;;
	*)
		fail "$1" 1 "exit status $status"
		indent "$scratch/out"
		indent "$scratch/err"
		;;
	esac
}

# run_unit NAME PROGRAM: Check's own counts; a program that dies or checks nothing is a failure
run_unit() {
	mine "$1" || return 0
	run_in_scratch "$2"
	status=$?
	counts=$(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' \
		"$scratch/out" | awk '{ n += $1; bad += $2 + $3 } END { print n + 0, bad + 0 }')
	nr=${counts% *}
	bad=${counts#* }
	lacking=$(grep -c '^skipped a test: ' "$scratch/out")
	passed=$((passed + nr - bad - lacking))
	skipped=$((skipped + lacking))
	sed -n 's/^skipped a test: //p' "$scratch/out" | sort | uniq -c | while read -r times reason; do
		printf 'skipped  %s: %s (%s)\n' "$1" "$reason" "$times"
	done
	if [ "$status" -eq 0 ] && [ "$bad" -eq 0 ] && [ "$nr" -gt 0 ]; then
		[ "$nr" -eq "$lacking" ] || pass "$1" 0 "$((nr - lacking)) checks"
		return
	fi
	[ "$bad" -gt 0 ] || bad=1
	fail "$1" "$bad" "$nr checks, exit status $status"
	indent "$scratch/out"
	indent "$scratch/err"
}

# run_fuzz NAME PROGRAM: a target over what is kept for it, and over the recordings if they are for it
run_fuzz() {
	mine "$1" || return 0
	set -- "$1" "$2" "$root/tests/fuzz/corpus/${1#fuzz/}"
	case $1 in # what is kept for a target that takes the same
	fuzz/jitmap) set -- "$@" "$root/tests/fuzz/corpus/perfmap" ;;
	fuzz/symbol) set -- "$@" "$root/tests/fuzz/corpus/dwarf" ;;
	esac
	case $1 in
	fuzz/recording | fuzz/pipe) set -- "$@" "$root"/tests/data/*.data ;;
	fuzz/dwarf | fuzz/symbol) set -- "$@" "$root"/tests/data/buildid/.build-id/*/*/elf ;;
	esac
	name=$1
	shift
	run_in_scratch "$@"
	status=$?
	case $status in
	0) pass "$name" 1 "$(cat "$scratch/out")" ;;
	77) skip "$name" ;;
	*)
		fail "$name" 1 "exit status $status"
		tail -n 60 "$scratch/err" >"$scratch/report"
		indent "$scratch/report"
		;;
	esac
}

# differs EXPECTED GOT: shows the difference if there is one; a file that is missing is empty
differs() {
	[ -e "$1" ] || set -- /dev/null "$2"
	[ -e "$2" ] || set -- "$1" /dev/null
	! diff -u --label expected --label got "$1" "$2" >"$scratch/diff" && indent "$scratch/diff"
}

# update_cli FOLDER STATUS: what was just seen becomes what is expected
update_cli() {
	for stream in out err; do
		rm -f "$1/std$stream"
		[ ! -s "$scratch/$stream" ] || cp "$scratch/$stream" "$1/std$stream"
	done
	rm -f "$1/status"
	[ "$2" -eq 0 ] || echo "$2" >"$1/status"
	[ -d "$1/files" ] || return 0
	for file in "$1"/files/*; do
		cp "$scratch/home/$(basename "$file")" "$file"
	done
}

# run_cli NAME FOLDER
run_cli() {
	mine "$1" || return 0
	run_in_scratch sh -eu "$2/cmd"
	status=$?
	if [ $status -eq 77 ]; then
		skip "$1"
		return
	fi
	$update && update_cli "$2" $status
	expected=$(cat "$2/status" 2>/dev/null || echo 0)
	{
		[ "$status" -eq "$expected" ] || echo "    exit status $status, not $expected"
		differs "$2/stdout" "$scratch/out"
		differs "$2/stderr" "$scratch/err"
		for file in "$2"/files/*; do
			[ ! -e "$file" ] || differs "$file" "$scratch/home/$(basename "$file")"
		done
	} >"$scratch/report"
	if [ -s "$scratch/report" ]; then
		fail "$1" 1
		head -n 60 "$scratch/report"
	else
		pass "$1" 1
	fi
}

# name_of PATH PREFIX SUFFIX: sets $name to its last part without these
name_of() {
	name=${1##*/}
	name=${name#"$2"}
	name=${name%"$3"}
}

# whole COMMAND...: its output in one piece, as others may print meanwhile
whole() {
	"$@" >"$scratch/said"
	[ ! -s "$scratch/said" ] || cat "$scratch/said"
}

# run_live: those that record
run_live() {
	for file in ${READPERF:+"$root"/tests/live/test_*.sh}; do
		name_of "$file" test_ .sh
		[ ! -e "$file" ] || whole run_script "live/$name" "$file"
	done
}

# run_commands: those of the command line
run_commands() {
	for folder in ${READPERF:+"$root"/tests/cli/*/}; do
		name_of "${folder%/}" "" ""
		[ ! -e "$folder/cmd" ] || whole run_cli "cli/$name" "${folder%/}"
	done
}

# run_all [UNIT_TEST_PROGRAM...]: all but those that record
run_all() {
	for file in "$root"/tests/rules/*.sh; do
		name_of "$file" "" .sh
		[ ! -e "$file" ] || whole run_script "rules/$name" "$file"
	done
	for program in "$@"; do
		name_of "$program" test_ ""
		whole run_unit "unit/$name" "$program"
	done
	for program in ${TOOLS:+"$TOOLS"/fuzz/replay_*}; do
		case $program in
		*.[do] | *\*) ;;
		*) whole run_fuzz "fuzz/${program##*/replay_}" "$program" ;;
		esac
	done
	run_commands
}

# work NUMBER [UNIT_TEST_PROGRAM...]: as run_all, beside others; leaves its totals in a file. The first one
# begins with those that record, the second one with the commands: one of them takes more than a minute.
work() {
	trap - EXIT
	scratch=$scratch/$1
	mkdir "$scratch"
	case $1 in
	1) run_live ;;
	2) run_commands ;;
	esac
	shift
	run_all "$@"
	echo "$passed $failed $skipped$failures" >"$scratch/totals"
}

# run_together JOBS [UNIT_TEST_PROGRAM...]: all, by so many workers
run_together() {
	jobs=$1
	shift
	for number in $(seq "$jobs"); do
		work "$number" "$@" &
		workers="$workers $!"
	done
	for worker in $workers; do
		wait "$worker"
	done
	workers=
	for number in $(seq "$jobs"); do
		if ! read -r more_passed more_failed more_skipped more_failures <"$scratch/$number/totals"; then
			fail "worker $number" 1
			continue
		fi
		passed=$((passed + more_passed))
		failed=$((failed + more_failed))
		skipped=$((skipped + more_skipped))
		failures="$failures${more_failures:+ $more_failures}"
	done
}

# The paths of programs do not depend on the directory.
for program in "$@"; do
	shift
	case $program in
	/*) set -- "$@" "$program" ;;
	*) set -- "$@" "$PWD/$program" ;;
	esac
done
jobs=${JOBS:-$(($(getconf _NPROCESSORS_ONLN) + 1))}
[ "$jobs" -le 8 ] || [ -n "${JOBS:-}" ] || jobs=8
if [ "$jobs" -gt 1 ]; then
	run_together "$jobs" "$@"
else
	run_live
	run_all "$@"
fi

[ -z "$failures" ] || printf 'failed:%s\n' "$failures"
[ $((passed + failed)) -gt 0 ] || echo "no test ran"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]

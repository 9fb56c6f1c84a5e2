#!/bin/sh
# tests/fuzz/fuzz.sh PROGRAM...: runs libFuzzer targets, `make fuzz` calls it.
#
#   TIME   seconds for each of them
#   JOBS   how many at a time
#   KEEP   inputs of up to so many bytes that reach new code are added to tests/fuzz/corpus/NAME
#   SEEDS  the program that writes recordings to start from
#
# Inputs that reach something new stay in build/corpus/NAME, what libFuzzer says in
# build/corpus/NAME.log, an input that fails in build/corpus/NAME-KIND-HASH.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
export ASAN_OPTIONS="detect_leaks=1:${ASAN_OPTIONS:-}"
unset DEBUGINFOD_URLS

# put_recordings DIR PREFIX...: recordings, each behind one of the bytes that choose what is done
put_recordings() {
	dir=$1
	shift
	mkdir -p "$dir.plain" && "$SEEDS" "$dir.plain" && cp tests/data/*.data "$dir.plain"
	for file in "$dir.plain"/*; do
		for prefix in "$@"; do
			{ printf '%b' "$prefix" && cat "$file"; } >"$dir/${file##*/}${prefix#?}"
		done
	done
	rm -r "$dir.plain"
}

# put_seeds NAME DIR: what to start from besides the inputs that are kept with the tests
put_seeds() {
	mkdir -p "$2"
	case $1 in # those of a target that takes the same
	jitmap) cp tests/fuzz/corpus/perfmap/* "$2" ;;
	symbol) cp tests/fuzz/corpus/dwarf/* "$2" ;;
	esac
	[ ! -d "tests/fuzz/corpus/$1" ] || cp "tests/fuzz/corpus/$1"/* "$2"
	case $1 in
	recording | pipe) put_recordings "$2" '' ;;
	tables) put_recordings "$2" '\0000' '\0001' '\0005' '\0007' ;;
	wrapped) put_recordings "$2" '\0000\0000' '\0005\0000' '\0002\0000' ;;
	dwarf | symbol) find tests/data/buildid -name elf | while read -r file; do
		cp "$file" "$2/$(echo "$file" | cksum | cut -d' ' -f1)"
	done ;;
	esac
}

# keep_some PROGRAM: the small ones of those inputs that reach code which the kept ones do not
keep_some() {
	name=${1##*/fuzz_}
	rm -rf "build/corpus/$name.small"
	mkdir -p "build/corpus/$name.small" "tests/fuzz/corpus/$name"
	find "build/corpus/$name" -type f -size "-$((KEEP + 1))c" -exec cp {} "build/corpus/$name.small" \;
	"$1" -set_cover_merge=1 -use_counters=0 -close_fd_mask=3 "tests/fuzz/corpus/$name" "build/corpus/$name.small" \
		>"build/corpus/$name.merge.log" 2>&1
	rm -r "build/corpus/$name.small"
}

# fuzz_one PROGRAM: a line about the target; fails if it found something
fuzz_one() {
	name=${1##*/fuzz_}
	corpus=build/corpus/$name
	mkdir -p "$corpus"
	rm -rf "$corpus.seeds"
	put_seeds "$name" "$corpus.seeds"
	set -- "$1" "$corpus" "$corpus.seeds"
	case $name in
	recording | pipe | wrapped | tables | library) words=recording ;;
	dwarf | symbol) words=elf ;;
	jit) words=jitdump ;;
	jitmap) words=perfmap ;;
	*) words=$name ;;
	esac
	[ ! -e "tests/fuzz/$words.dict" ] || set -- "$@" "-dict=tests/fuzz/$words.dict"
	# The program's own messages are not wanted, least of all thousands of them.
	"$@" -max_total_time="$TIME" -timeout=10 -rss_limit_mb=1024 -max_len=65536 -close_fd_mask=3 \
		-artifact_prefix="$corpus-" -print_final_stats=1 >"$corpus.log" 2>&1
	status=$?
	rm -r "$corpus.seeds"
	[ -z "${KEEP:-}" ] || keep_some "$1"
	cover=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$corpus.log" | tail -n 1)
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$corpus.log")
	if [ $status -eq 0 ]; then
		echo "$name: $runs runs, $cover edges, nothing found"
	else
		echo "$name: FOUND something after $runs runs: see $corpus.log"
	fi
	return $status
}

if [ "${1:-}" = --one ]; then
	fuzz_one "$2"
	exit
fi
cd "$root" || exit 1
printf '%s\n' "$@" | xargs -n 1 -P "${JOBS:-1}" "$root/tests/fuzz/fuzz.sh" --one

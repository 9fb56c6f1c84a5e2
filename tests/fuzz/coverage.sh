#!/bin/sh
# tests/fuzz/coverage.sh DIR PROGRAM...: which part of each room the kept inputs reach, in lines; for
# `make fuzz-coverage`. The programs are the targets with driver.c, built by clang for coverage. With
# DIR/NAME there, inputs in it count, too: build/corpus is what `make fuzz` has found.
set -u
inputs=$1
shift
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

objects=
for program in "$@"; do
	name=${program##*/replay_}
	objects="$objects -object $program"
	set -- "tests/fuzz/corpus/$name"
	case $name in # what is kept for a target that takes the same
	jitmap) set -- "$@" tests/fuzz/corpus/perfmap ;;
	symbol) set -- "$@" tests/fuzz/corpus/dwarf ;;
	esac
	[ ! -d "$inputs/$name" ] || set -- "$@" "$inputs/$name"
	case $name in
	recording | pipe) set -- "$@" tests/data/*.data ;;
	dwarf | symbol) set -- "$@" tests/data/buildid/.build-id/*/*/elf ;;
	esac
	LLVM_PROFILE_FILE=$scratch/$name.raw "$program" "$@" 2>/dev/null | sed "s/^/$name: /"
done
# shellcheck disable=SC2086 # a list of options
llvm-profdata merge -o "$scratch/all" "$scratch"/*.raw &&
	llvm-cov export -summary-only -format=lcov -instr-profile="$scratch/all" ${objects#* -object } \
		>"$scratch/lines" || exit 1
awk -F : -v root="$PWD/" '
	$1 == "SF" { file = $2; sub(root, "", file); room = file; sub("/[^/]*$", "", room) }
	$1 == "LF" { all[room] += $2; found[file] = $2 }
	$1 == "LH" && found[file] { hit[room] += $2; printf "%5.1f %% of %4d  %s\n", 100 * $2 / found[file], found[file], file }
	END {
		for (room in all)
			printf "%5.1f %% of %5d lines in %s/\n", 100 * hit[room] / all[room], all[room], room | "sort -k 6"
	}' "$scratch/lines" | grep -v " tests/"

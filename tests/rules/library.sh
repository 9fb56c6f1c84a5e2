#!/bin/sh
# The library shows what its headers declare and nothing else, as C11 and as C++17; its ABI is the one
# that is committed in lib/abi.xml and lib/abi.txt, but for additions.
#
# `tests/rules/library.sh --update` commits the ABI of the library that is there.
set -u
cd "$(dirname "$0")/../.." || exit 1

built=${TOOLS:+${TOOLS%/tests}}
if [ -z "$built" ] || [ ! -e "$built/libreadperf.so.0" ]; then
	echo "the library is not built: make library"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0

complain() {
	echo "$*"
	bad=1
}

# Names that are declared, that are in the shared library, that are in the archive.
sed -n 's/.*[ *]\(readperf_[a-z_]*\)(.*/\1/p; s/^\(readperf_[a-z_]*\)(.*/\1/p' include/readperf/*.h |
	grep -v '^readperf_error$' | sort -u >"$scratch/words"
nm -D --defined-only "$built/libreadperf.so.0" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort >"$scratch/shared"
nm -g --defined-only "$built/libreadperf.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort >"$scratch/archive"
while read -r name; do
	grep -qx "$name" "$scratch/words" || complain "$name: no header declares it"
done <"$scratch/shared"
cmp -s "$scratch/shared" "$scratch/archive" || complain "libreadperf.a and libreadperf.so show different names"
# What is declared must be there; mentions in comments are of the same functions.
while read -r name; do
	grep -qx "$name" "$scratch/shared" || complain "$name: declared, but not in the library"
done <"$scratch/words"

# What a library must not do to a program: end it, print, change its signals, locale, environment, folder.
forbidden='_?_?exit|_Exit|quick_exit|abort|__assert_fail|err|errx|warn|warnx|verrx?|vwarnx?|error|std(out|err)|_*v?printf(_chk)?
puts|putchar|perror|psignal|v?syslog|signal|sigaction|sigprocmask|alarm|raise|kill|setlocale|uselocale|(set|un|put|clear)_?env
putenv|_*environ|chdir|fchdir|umask|atexit|on_exit|fork|vfork|system|popen|posix_spawnp?|execv[pe]*|s?rand(om)?|strtok
ctime|asctime|gmtime|localtime|getpwuid|getpwnam|readdir_r|set[ug]id|setrlimit|prctl'
# Sanitizers do, and say so, as does a build for debugging.
if ! nm -D "$built/libreadperf.so.0" | grep -q -e __asan_ -e __ubsan_ -e __tsan_ &&
	! grep -q 'used after' "$built/libreadperf.so.0"; then
	{ nm -D -u "$built/libreadperf.so.0" && nm -u "$built/libreadperf.a"; } 2>/dev/null |
		awk '{ sub(/@.*/, "", $NF); print $NF }' | sort -u |
		grep -x -E "$(echo "$forbidden" | tr '\n' '|' | sed 's/|$//')" >"$scratch/calls"
	while read -r name; do
		complain "$name: no function for a library"
	done <"$scratch/calls"
	# Variables: none but what the compiler's own start files have, and one for a thread in a call.
	objdump -t "$built/libreadperf.so.0" | awk '$4 ~ /^\.(data|bss|tdata|tbss)$/ || $3 ~ /^\.(data|bss|tdata|tbss)$/ { print $NF }' |
		grep -v -x -e __TMC_END__ -e __dso_handle -e 'completed\.[0-9]*' -e no_memory -e '\.[a-z]*' >"$scratch/variables"
	while read -r name; do
		complain "$name: a variable outlives the handles"
	done <"$scratch/variables"
fi

# Each header compiles alone, in both languages.
for header in include/readperf/*.h; do
	${CC:-cc} -std=c11 -Iinclude -Wall -Wextra -pedantic -fsyntax-only -x c "$header" || bad=1
	! command -v c++ >/dev/null ||
		c++ -std=c++17 -Iinclude -Wall -Wextra -pedantic -fsyntax-only -x c++ "$header" || bad=1
done

# Numbers of words never change: functions take them as int, so that no debugging information tells.
sed -n 's/.*\(READPERF_[A-Z_0-9]* = [0-9]*\),.*/\1/p' include/readperf/*.h | sort >"$scratch/words.txt"
[ "${1:-}" != --update ] || cp "$scratch/words.txt" lib/abi.txt
comm -23 lib/abi.txt "$scratch/words.txt" >"$scratch/gone"
while read -r line; do
	complain "lib/abi.txt has $line: it is another number now, or gone"
done <"$scratch/gone"

if ! command -v abidw >/dev/null || ! command -v abidiff >/dev/null; then
	[ $bad -eq 0 ] || exit 1
	echo "abidiff is not installed (abigail-tools): types of functions are not compared"
	exit 77
fi
if ! grep -q "architecture='elf-amd-x86_64'" lib/abi.xml || [ "$(uname -m)" != x86_64 ]; then
	[ $bad -eq 0 ] || exit 1
	echo "the committed ABI is that of x86_64"
	exit 77
fi
abidw --exported-interfaces-only --no-corpus-path --no-comp-dir-path --no-elf-needed --no-show-locs \
	--headers-dir include --drop-private-types --out-file "$scratch/abi.xml" "$built/libreadperf.so.0" ||
	complain "abidw failed"
[ "${1:-}" != --update ] || cp "$scratch/abi.xml" lib/abi.xml
# Bits of its status: 1, 2: it failed; 4: something has changed; 8: programs that are there would break
abidiff --no-added-syms lib/abi.xml "$scratch/abi.xml" >"$scratch/diff" 2>&1 || {
	if [ $bad -eq 0 ] && grep -q 'incompatible format version' "$scratch/diff"; then
		echo "this abidiff does not read the format of lib/abi.xml"
		exit 77
	fi
	cat "$scratch/diff"
	complain "the ABI has changed: see docs/library.md"
}
exit $bad

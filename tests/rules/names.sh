#!/bin/sh
# Names are found by where they stand: each function and object with external linkage begins with the
# noun of its file or of its folder (underscores and a plural s aside), none with a prefix of a
# library that is linked, and the tag of a struct, union or enum, like the base name of a file, is
# there once in the whole program.
set -u
cd "$(dirname "$0")/../.." || exit 1

rooms='util perffile decode report lib main'
# elfutils, libelf, zlib, bzip2, lzma, zstd, seccomp, utf8proc, capstone, libpfm4, libipt, sqlite, libdeflate
foreign='dwarf_|dwfl_|dwelf_|ebl_|elf_|elf32_|elf64_|gelf_|debuginfod_|inflate|deflate|BZ2_|lzma_|ZSTD_|seccomp_|utf8proc_|cs_|pfm_|pt_|sqlite3_|libdeflate_'

if [ -z "${TOOLS:-}" ] || [ ! -d "${TOOLS%/tests}/perffile" ]; then
	echo "the program's objects are not there: TOOLS is not set"
	exit 77
fi
bad=0

# Lines of FILE SYMBOL. One nm reads all objects: as many as are there.
symbols() {
	# shellcheck disable=SC2086 # a list of folders
	find $rooms -name '*.c' | sort | sed 's/c$/o/' |
		(cd "${TOOLS%/tests}" && xargs nm -A --defined-only -g 2>/dev/null) |
		awk '$2 ~ /^[TDRBVW]$/ && $3 !~ /^_/ { sub(/o:[0-9a-f]*$/, "c", $1); print $1, $3 }'
}

# Lines of FILE SYMBOL whose symbol begins with the noun of neither file nor folder.
misplaced() {
	awk '{
		n = split($1, parts, "/")
		sub(/\.c$/, "", parts[n])
		symbol = $2
		gsub(/_/, "", symbol)
		# what the library is for has its name; what only it uses has that of its file
		right = parts[1] == "lib" && index($2, "readperf_") == 1
		# what libiberty calls
		right += $1 == "decode/symbol/demangle.c" && $2 ~ /^x(m|re)alloc$/
		for (i = n - 1; i <= n; i++) {
			noun = parts[i]
			gsub(/_/, "", noun)
			sub(/s$/, "", noun)
			right += noun != "" && index(symbol, noun) == 1
		}
		if (!right)
			print $1 ": " $2
	}'
}

# Tags that are defined more than once, and where.
double_tags() {
	# shellcheck disable=SC2086
	find $rooms readperf.c -name '*.[ch]' | sort | xargs awk '
		match($0, /^[ \t]*(typedef )?(static const )?(struct|union|enum) [a-z_0-9]+ \{/) {
			tag = $0
			sub(/.*(struct|union|enum) /, "", tag)
			sub(/ \{.*/, "", tag)
			where[tag] = where[tag] " " FILENAME
			nr[tag]++
		}
		END {
			for (tag in nr)
				if (nr[tag] > 1)
					print tag ":" where[tag]
		}' | sort
}

double_files() {
	# shellcheck disable=SC2086
	find $rooms -name '*.c' | sed 's|.*/||' | sort | uniq -d
}

# complain TEXT: once for each line of standard input
complain() {
	while read -r line; do
		echo "$line: $1"
	done
}

found=$(symbols)
[ -n "$found" ] || {
	echo "no symbols found"
	exit 1
}
report=$(
	echo "$found" | misplaced | complain "begins with the noun of neither its file nor its folder"
	echo "$found" | awk -v foreign="^($foreign)" '$2 ~ foreign { print $1 ": " $2 }' |
		complain "begins as names of a library do"
	double_tags | complain "the tag is there twice"
	double_files | complain "two files have this name"
)
[ -z "$report" ] || {
	echo "$report"
	bad=1
}
exit $bad

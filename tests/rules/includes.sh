#!/bin/sh
# The rooms know only what lies below them: which file may include what, as a table. Also: no circle of
# includes, a .c file includes its own header first, each header compiles alone, and prefetching is left to
# util/prefetch.h.
set -u
cd "$(dirname "$0")/../.." || exit 1

# FILES ; HEADERS FROM THIS TREE ; HEADERS FROM OUTSIDE THE C LIBRARY AND THE KERNEL
# Patterns with spaces between them, a * not reaching into a folder below; the first row that matches
# a file counts.
rules='
util/charwidth.c ; util/* ; utf8proc.h
util/* ; util/* ;
util/codec/zstd.c ; util/codec/* util/* ; zstd.h zstd_errors.h
util/codec/gzip.c ; util/codec/* util/* ; zlib.h
util/codec/xz.c ; util/codec/* util/* ; lzma.h
util/codec/bzip2.c ; util/codec/* util/* ; bzlib.h
util/codec/unzlib.c ; util/codec/unzlib.h ; libdeflate.h
util/codec/* ; util/codec/* util/* ;
perffile/record/* ; perffile/record/* perffile/input/* perffile/* util/* ;
perffile/input/* ; perffile/input/* perffile/format.h util/codec/* util/* ;
perffile/feature/* ; perffile/feature/* perffile/record/* perffile/input/* perffile/* util/* ;
perffile/order/* ; perffile/order/* perffile/record/* perffile/input/* perffile/* util/codec/* util/* ;
perffile/recover/* ; perffile/recover/* perffile/order/* perffile/feature/* perffile/record/* perffile/input/* perffile/* util/* ;
perffile/* ; perffile/* perffile/recover/* perffile/order/* perffile/feature/* perffile/record/* perffile/input/* util/codec/* util/* ;
decode/symbol/file/* ; decode/symbol/file/* util/* ;
decode/symbol/demangle.* ; decode/symbol/demangle.h ; libiberty/demangle.h
decode/symbol/disasm.* ; decode/symbol/disasm.h util/* ; capstone.h
decode/symbol/dso.* decode/symbol/origin.* decode/symbol/answer.* decode/symbol/reason.* decode/symbol/symbolsettings.* ; decode/symbol/demangle.h decode/symbol/dso.h decode/symbol/origin.h decode/symbol/answer.h decode/symbol/reason.h decode/symbol/symbolsettings.h util/* ;
decode/symbol/elf/elffile.c decode/symbol/elf/elfsection.c ; decode/symbol/elf/* decode/symbol/file/file.h util/codec/* util/* ; gelf.h libelf.h
decode/symbol/elf/* ; decode/symbol/elf/* decode/symbol/demangle.h decode/symbol/dso.h decode/symbol/file/file.h util/codec/* util/* ;
decode/symbol/dwarf/* ; decode/symbol/dwarf/* decode/symbol/elf/* decode/symbol/file/file.h util/* ; dwarf.h elf.h
decode/symbol/go/* ; decode/symbol/go/* decode/symbol/cfi/cfirow.h decode/symbol/elf/* util/* ;
decode/symbol/cfi/* ; decode/symbol/cfi/* decode/symbol/elf/* util/* ; dwarf.h elf.h
decode/symbol/find/servers.c ; decode/symbol/find/servers.h util/* ; elfutils/debuginfod.h
decode/symbol/find/binary.* ; decode/symbol/find/* decode/symbol/cfi/cfi.h decode/symbol/dwarf/debuginfo.h decode/symbol/go/* decode/symbol/elf/* decode/symbol/demangle.h decode/symbol/dso.h decode/symbol/origin.h decode/symbol/answer.h decode/symbol/reason.h decode/symbol/symbolsettings.h decode/symbol/file/file.h util/* ;
decode/symbol/find/* ; decode/symbol/find/* decode/symbol/elf/* decode/symbol/demangle.h decode/symbol/dso.h decode/symbol/origin.h decode/symbol/answer.h decode/symbol/reason.h decode/symbol/symbolsettings.h decode/symbol/file/file.h decode/symbol/file/archive.h util/codec/* util/* ;
decode/symbol/kernel/* ; decode/symbol/kernel/* decode/symbol/find/* decode/symbol/elf/* decode/symbol/demangle.h decode/symbol/dso.h decode/symbol/origin.h decode/symbol/answer.h decode/symbol/reason.h decode/symbol/symbolsettings.h decode/symbol/file/file.h util/* ;
decode/symbol/jit/* ; decode/symbol/jit/* decode/symbol/cfi/cfi.h decode/symbol/find/* decode/symbol/elf/* decode/symbol/demangle.h decode/symbol/dso.h decode/symbol/origin.h decode/symbol/answer.h decode/symbol/reason.h decode/symbol/symbolsettings.h decode/symbol/file/* util/* ;
decode/symbol/* ; decode/symbol/* decode/symbol/cfi/* decode/symbol/go/* decode/symbol/kernel/* decode/symbol/jit/* decode/symbol/find/* decode/symbol/elf/* decode/symbol/dwarf/debuginfo.h decode/symbol/file/* util/* ;
decode/vendor/cpumodel.* ; decode/vendor/cpumodel.h ;
decode/vendor/pmucodes.* ; decode/vendor/pmucodes.h util/* ; perfmon/pfmlib.h
decode/vendor/* ; decode/vendor/* perffile/perffile.h perffile/event.h perffile/format.h util/* ;
decode/compare/names/* ; decode/compare/names/* util/* ;
decode/compare/judge/* ; decode/compare/judge/* util/* ;
decode/compare/profile/* ; decode/compare/profile/* decode/compare/names/* decode/results.h decode/results/* util/codec/unwrapped.h util/* ;
decode/compare/match/* ; decode/compare/match/* decode/compare/profile/* decode/compare/judge/values.h decode/compare/names/* util/* ;
decode/compare/remarks/remarklist.* ; decode/compare/remarks/remarklist.h util/* ;
decode/metric.* ; decode/metric.h decode/results.h decode/results/* perffile/event.h perffile/format.h util/* ;
decode/compare/changes.h ; decode/compare/remarks/remarklist.h decode/compare/match/matched.h decode/compare/judge/* decode/results.h decode/results/* util/* ;
decode/compare/remarks/* ; decode/compare/remarks/* decode/compare/changes.h decode/compare/match/matched.h decode/compare/profile/* decode/compare/names/* util/* ;
decode/compare/* ; decode/compare/* decode/compare/remarks/* decode/compare/match/* decode/compare/profile/* decode/compare/judge/* decode/compare/names/* decode/metric.h decode/results.h decode/results/* util/* ;
decode/results.* decode/results/* ; decode/results.h decode/results/* decode/count/tally.h perffile/event.h perffile/fact.h util/* ;
decode/replay.h ; decode/results.h decode/results/* decode/replay/filter.h decode/replay/perkeys.h decode/stack/stacksettings.h decode/process/roots.h decode/symbol/symbol.h perffile/perffile.h perffile/record.h util/* ;
decode/count/* ; decode/count/* decode/results.h decode/results/* util/* ;
decode/process/jitcode.c ; decode/process/* decode/symbol/jit/jitdump.h perffile/* util/* ;
decode/process/* ; decode/process/* decode/count/* decode/symbol/dso.h perffile/* util/* ;
decode/trace/ptlibrary.c decode/trace/ptshared.h ; decode/trace/* util/* ; intel-pt.h
decode/trace/* ; decode/trace/* decode/process/* decode/count/* decode/symbol/dso.h decode/symbol/symbol.h perffile/* util/* ;
decode/stack/unwind/unwindexpr.c ; decode/stack/unwind/* util/* ; dwarf.h
decode/stack/unwind/* ; decode/stack/unwind/* decode/stack/chainend.h decode/symbol/unwindinfo.h decode/symbol/cfi/cfirow.h decode/symbol/cfi/cfirule.h decode/process/* decode/count/* perffile/* util/* ;
decode/stack/* ; decode/stack/* decode/stack/unwind/unwind.h decode/process/* decode/count/* perffile/* util/* ;
decode/answer/* ; decode/answer/* decode/metric.h decode/trace/* decode/vendor/vendornames.h decode/symbol/unwindinfo.h decode/stack/unwind/unwind.h decode/stack/* decode/process/* decode/count/* decode/results.h decode/results/* decode/symbol/dso.h decode/symbol/symbol.h perffile/* util/* ;
decode/replay/bundle.c ; decode/replay/bundle.h decode/symbol/file/archive.h decode/symbol/file/file.h util/codec/* util/* ;
decode/replay/* ; decode/replay/* decode/replay.h decode/results.h decode/results/* decode/answer/* decode/trace/* decode/stack/* decode/process/* decode/count/* decode/symbol/symbol.h perffile/* util/* ;
report/export/pagenumbers.* ; report/export/pagenumbers.h util/codec/pack.h util/* ;
report/export/database.* ; report/export/database.h util/* ; sqlite3.h
report/export/parquet.c ; report/export/* decode/results.h decode/results/* report/table.h report/cell.h report/writer.h util/codec/zstdpack.h util/* ;
report/export/pprof.c ; report/export/* decode/results.h decode/results/* perffile/format.h util/codec/codec.h util/codec/gzipfile.h util/* ;
report/export/firefox.c ; report/export/* decode/results.h decode/results/* perffile/format.h util/* ;
report/export/pagecode.c ; report/export/* decode/results.h decode/results/* decode/symbol/answer.h util/* ;
report/export/* ; report/export/* decode/results.h decode/results/* report/table.h report/writer.h report/cell.h report/csvform.h report/measure.h report/valuetext.h decode/compare/diff.h util/* ;
report/* ; report/* report/export/export.h report/export/ownfile.h report/export/runexport.h report/export/recordlog.h report/export/tablerows.h decode/results.h decode/results/* decode/compare/diff.h perffile/record.h perffile/event.h perffile/format.h util/* ;
lib/* ; lib/* perffile/perffile.h perffile/record.h perffile/format.h decode/replay.h decode/replay/moment.h decode/replay/bundle.h decode/symbol/symbol.h report/report.h report/table.h report/csvform.h report/cell.h report/export/tablerows.h report/export/recordlog.h util/* ; readperf/*
main/sandbox.c ; main/* ; seccomp.h
main/* ; main/* perffile/perffile.h perffile/record.h decode/vendor/pmucodes.h decode/vendor/vendornames.h decode/vendor/vendorevents.h decode/replay.h decode/results.h decode/results/* decode/replay/filter.h decode/replay/perkeys.h decode/replay/bundle.h decode/stack/stacksettings.h decode/process/roots.h decode/symbol/symbol.h report/report.h report/diffreport.h report/valuetext.h report/export/export.h report/export/runexport.h decode/compare/diff.h decode/compare/profile/profiletables.h util/* ;
readperf.c ; main/* util/* ;
'

# dwarf.h holds nothing but the constants of the format. libdw itself is for the tests.
# Whatever else stands in angle brackets would be a library of its own.
outside='utf8proc.h seccomp.h zstd.h zstd_errors.h gelf.h libelf.h elfutils/* dwarf.h libiberty/* demangle.h bfd.h zlib.h lzma.h bzlib.h capstone.h libdeflate.h sqlite3.h perfmon/* intel-pt.h check.h readperf/*'

# check_includes FILE...: what each includes, against the table; a .c file includes its own header first;
# the form of CSV is the business of one file of report/
check_includes() {
	said=$(RULES=$rules OUTSIDE=$outside awk '
		function matches(name, patterns,    list, nr, i, regex) {
			nr = split(patterns, list, " ")
			for (i = 1; i <= nr; i++) {
				regex = list[i]
				gsub(/\./, "[.]", regex)
				gsub(/\*/, "[^/]*", regex)
				if (name ~ ("^" regex "$"))
					return 1
			}
			return 0
		}
		function begin_file(    i) {
			includes = 0
			for (i = 1; i <= nr_rules && !matches(FILENAME, files[i]); i++)
				;
			if (i > nr_rules)
				print FILENAME ": no rule says what it may include"
			rule = i
		}
		function check_own(    header) {
			header = FILENAME
			if (sub(/\.c$/, ".h", header) && header in is_source) {
				if (index($0, "\"" header "\"") != 1)
					print FILENAME " includes " $0 " before its own header"
				delete unchecked[FILENAME]
			}
		}
		BEGIN {
			nr_rules = split(ENVIRON["RULES"], rows, "\n")
			for (i = 1; i <= nr_rules; i++) {
				split(rows[i], cell, ";")
				files[i] = cell[1]
				own[i] = cell[2]
				libraries[i] = cell[3]
			}
			for (i = 1; i < ARGC; i++)
				is_source[ARGV[i]] = 1
			for (name in is_source)
				if (sub(/\.h$/, ".c", name) && name in is_source)
					unchecked[name] = 1
		}
		FNR == 1 { begin_file() }
		/__builtin_prefetch/ && FILENAME != "util/prefetch.h" {
			print FILENAME " has __builtin_prefetch(): prefetch_read() and prefetch_write() are not left out by gcc"
		}
		!/^#[ \t]*include[ \t]*["<]/ { next }
		{ sub(/^#[ \t]*include[ \t]*/, "") }
		includes++ == 0 { check_own() }
		/^"/ {
			split($0, part, "\"")
			if (!matches(part[2], own[rule]))
				print FILENAME " includes \"" part[2] "\": only" own[rule]
			if (part[2] == "util/csv.h" && FILENAME ~ /^report\// && FILENAME != "report/csvform.c")
				print FILENAME " includes \"util/csv.h\": only report/csvform.c knows CSV"
		}
		/^</ {
			split($0, part, /[<>]/)
			if (matches(part[2], ENVIRON["OUTSIDE"]) && !matches(part[2], libraries[rule]))
				print FILENAME " includes <" part[2] ">, which is the business of another file"
		}
		END {
			for (name in unchecked)
				print name " does not include its own header"
		}' "$@") || bad=1
	[ -z "$said" ] || {
		echo "$said"
		bad=1
	}
}

# check_circles FILE...: a .c file and its header count as one
check_circles() {
	! grep '^#[ \t]*include[ \t]*"' "$@" /dev/null | sed 's/\.[ch]:.*"\(.*\)\.h".*/ \1/' |
		awk '$1 != $2' | tsort 2>&1 >/dev/null |
		sed 's/^tsort: //; s/^-: input contains a loop:/a circle of includes:/' | grep . || bad=1
}

# check_alone FILE...: headers without a .c file compile alone; of the others the build shows it, as their
# .c file includes them first
check_alone() {
	for header in "$@"; do
		shift
		[ -e "${header%.h}.c" ] || set -- "$@" "$header"
	done
	[ $# -gt 0 ] || return 0
	${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -Iinclude -Wall -fsyntax-only -x c "$@" 2>&1 || {
		echo "a header does not compile alone"
		bad=1
	}
}

set -f # patterns are not for the shell
bad=0
files=$(find util perffile decode report lib main readperf.c -name '*.[ch]' | sort)
[ -n "$files" ] || {
	echo "no sources found"
	exit 1
}
# shellcheck disable=SC2086 # names without spaces
check_circles $files
# shellcheck disable=SC2086
check_includes $files
# shellcheck disable=SC2046
check_alone $(echo "$files" | grep '\.h$')
exit $bad

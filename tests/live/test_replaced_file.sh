#!/bin/sh
# A program takes another's path while both are recorded. perf names the samples of both from the
# file that lies there at the end, so it finds functions that never ran at those times; the first
# program's samples must have no names instead, and the second one's all of theirs.
. "$(dirname "$0")/live.sh"
need_perf

for name in one two; do
	compile $name <<-C
		static volatile unsigned long sink;
		static void of_$name(unsigned long n) { while (n--) sink += n; }
		int main(void) { of_$name(100000000); return 0; }
	C
done
cp one work
cp two work.new
# Without build ids in the records: with them there is nothing to tell apart.
record --no-buildid-mmap -e cpu-clock -F 4000 -- sh -c './work; mv work.new work; ./work'
"$READPERF" -q -o ours perf.data

# samples CONDITION: how many in the binary work
samples() {
	sqlite3 :memory: -cmd '.mode csv' -cmd '.import ours/results.csv results' \
		"SELECT sum(CAST(samples AS INTEGER)) FROM results WHERE binary LIKE '%/work' AND $1"
}
# What perf counts in the binary for each of the two processes, the first one first.
perf script -F pid,ip,dso -i perf.data 2>/dev/null | grep '/work)$' | awk '
	!($1 in samples) { pids[++nr] = $1 }
	{ samples[$1]++ }
	END { for (i = 1; i <= nr; i++) print samples[pids[i]] }' >perf.txt
{
	samples "reason = 'file-replaced' AND function = '[unknown]'"
	samples "reason <> 'file-replaced'"
} >ours.txt
diff perf.txt ours.txt
[ -z "$(samples "function = 'of_one'")" ]
[ -n "$(samples "function = 'of_two'")" ]

# However many threads there are: one that loads binaries ahead may meet the first program's file
# before the recording tells that another one came.
for threads in 1 2 3; do
	"$READPERF" -q --threads=$threads --tables=binaries -o by-$threads perf.data
	cmp by-1/binaries.csv by-$threads/binaries.csv
done

# Stacks of the first program are unwound by the second one's file before that is known: a note says so.
record --no-buildid-mmap -e cpu-clock -F 999 --call-graph dwarf,2048 -- \
	sh -c 'mv one work; ./work; mv work one; mv two work; ./work'
readperf --tables=paths -o ours perf.data >/dev/null 2>notes.txt
has "note: callers may be wrong in call chains through $PWD/work (file-replaced): they were unwound" notes.txt
# No note if the file's build ids are known in time, from a file that can be searched; one if they come at
# the end of a stream.
mv work two
cp one work
record --no-buildid-mmap -e cpu-clock -F 999 --call-graph dwarf,2048 ./work
readperf --tables=paths -o ours perf.data >/dev/null 2>notes.txt
if grep 'callers may be wrong' notes.txt; then exit 1; fi
mv two work
readperf --tables=paths -o ours - <perf.data >/dev/null 2>notes.txt
if grep 'callers may be wrong' notes.txt; then exit 1; fi
cat perf.data | readperf --tables=paths -o ours --buildid-dir=/nowhere - >/dev/null 2>notes.txt
has "note: callers may be wrong in call chains through $PWD/work (build-id-mismatch)" notes.txt

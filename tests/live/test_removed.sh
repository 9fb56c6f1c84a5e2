#!/bin/sh
# A program that was removed while it ran is named from what the process that runs still has; once that
# has ended, a note says what can be done, and not to record build ids, which perf cannot read then.
. "$(dirname "$0")/live.sh"
need_perf

compile work <<-C
	static volatile unsigned long sink;
	static void busy(unsigned long n) { while (n--) sink += n; }
	int main(void) { for (;;) busy(100000); }
C
./work &
pid=$!
trap 'kill $pid 2>/dev/null || true' EXIT
until readlink /proc/$pid/exe | grep -q '/work$'; do sleep 0.02; done
rm work
record --buildid-mmap -e cpu-clock:u -p $pid -- sleep 0.2
"$READPERF" --tables=results,binaries -o ours perf.data >/dev/null 2>notes.txt
has ",busy,cpu-clock:u,$PWD/work (deleted)," ours/results.csv
has ",running-process," ours/binaries.csv

kill $pid
wait $pid || true
"$READPERF" --tables=results -o ours perf.data >/dev/null 2>notes.txt
if grep ",busy," ours/results.csv; then exit 1; fi
has "work (deleted) (file-missing): put the file that ran below --symfs=DIR: it was deleted" notes.txt

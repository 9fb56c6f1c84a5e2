#!/bin/sh
# What perf archive packs of a recording is looked into as it is: the names are those that the
# binaries themselves give, also when these are gone.
. "$(dirname "$0")/live.sh"
need_perf
command -v bzip2 >/dev/null || skip "bzip2 is not installed"
perf archive --help >/dev/null 2>&1 || [ -x "$(perf --exec-path)/perf-archive" ] ||
	skip "perf archive is not installed"

compile spin <<'C'
static volatile unsigned long sink;

void __attribute__((noinline)) only_here(void)
{
	for (unsigned long i = 0; i < 400000000; i++)
		sink += i;
}

int main(void)
{
	only_here();
	return 0;
}
C
record -e cpu-clock:u -F 2000 -- ./spin
perf archive perf.data >said 2>&1 || skip "perf archive: $(tail -n 1 said)"
[ -s perf.data.tar.bz2 ] || skip "perf archive packs nothing: $(tail -n 1 said)"

readperf --quiet --tables=results -o there perf.data
has ",only_here," there/results.csv
rm spin
readperf --quiet --tables=results,binaries --buildid-dir=perf.data.tar.bz2 -o here perf.data
cmp there/results.csv here/results.csv
grep '/spin,' here/binaries.csv | grep -q ',perf.data.tar.bz2/.build-id/.*/elf,build-id-cache,'
mkdir cache
tar xf perf.data.tar.bz2 -C cache
readperf --quiet --tables=results --buildid-dir=cache -o unpacked perf.data
cmp unpacked/results.csv here/results.csv

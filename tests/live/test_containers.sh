#!/bin/sh
# A program in a mount namespace of its own, on a file system that is nowhere else: while it runs its
# files are seen through /proc; afterwards, in the directory that --root names.
. "$(dirname "$0")/live.sh"
need_perf
unshare -m true 2>/dev/null || skip "no mount namespace may be made here"

mkdir inside
compile spin <<'C'
static volatile unsigned long sink;

void __attribute__((noinline)) only_inside(void)
{
	for (;;)
		sink++;
}

int main(void)
{
	only_inside();
	return 0;
}
C
kept=$PWD/kept
mkdir -p "$kept$PWD/inside"
cp spin "$kept$PWD/inside/spin"
cat >script <<-'S'
	mount -t tmpfs none inside
	cp spin inside/spin
	exec inside/spin
S
unshare -m sh script >said 2>&1 &
pid=$!
trap 'kill $pid 2>/dev/null || true; wait' EXIT
for _ in $(seq 100); do
	[ "$(cat "/proc/$pid/comm" 2>/dev/null)" != spin ] || break
	sleep 0.1
done
[ -e "/proc/$pid/root$PWD/inside/spin" ] || skip "nothing can be mounted here: $(cat said)"

# Without build ids nothing but the namespace leads to the file.
record -B --namespaces -e cpu-clock:u -p $pid -- sleep 0.5
readperf --quiet --tables=results,binaries -o running perf.data
has ",only_inside," running/results.csv
has "/proc/$pid/root$PWD/inside/spin,recorded-path" running/binaries.csv

kill $pid
wait $pid 2>/dev/null || true
readperf --quiet --tables=results,binaries -o given --root="$pid=$kept" perf.data
has ",only_inside," given/results.csv
has "$kept$PWD/inside/spin,recorded-path" given/binaries.csv
readperf --quiet --tables=results -o without perf.data
! grep -q ",only_inside," without/results.csv

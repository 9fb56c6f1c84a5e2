#!/bin/sh
# Two processes of one mount namespace with two root directories, which have different programs at one
# path: each process has the names of its own.
. "$(dirname "$0")/live.sh"
need_perf
unshare -m -p -f true 2>/dev/null || skip "no namespaces may be made here"

# program NAME FUNCTION: the program NAME, which needs no library, spins in FUNCTION
program() {
	cat >"$1.c" <<-C
		static volatile unsigned long sink;

		void __attribute__((noinline)) $2(void)
		{
			for (;;)
				sink++;
		}

		int main(void)
		{
			$2();
			return 0;
		}
	C
	${CC:-cc} -static -g -O1 -o "$1" "$1.c" 2>cc.log || skip "programs cannot be static here"
}

program spin of_the_host
program other only_inside
mkdir -p "root$PWD"
cp other "root$PWD/spin"
# What waits for the second program has the host's root directory.
record -B -a --namespaces -e cpu-clock:u -- sh -c '
	unshare -m -p -f chroot root "$PWD/spin" >said 2>&1 &
	echo $! >pid
	sleep 1'
pid=$(cat pid)
inner=$(pgrep -P "$pid" -x spin 2>/dev/null || true)
trap 'kill -9 $inner 2>/dev/null || true' EXIT
[ -n "$inner" ] || skip "no such process can be started here: $(cat said)"

readperf --quiet --tables=results,binaries -o running perf.data
has ",only_inside," running/results.csv
if grep ",of_the_host," running/results.csv; then
	exit 1
fi
has ",/proc/$inner/root$PWD/spin,recorded-path," running/binaries.csv

# Of processes which it knew before, perf tells where files are for itself.
record -B --namespaces -e cpu-clock:u -p "$pid,$inner" -- sleep 0.5
readperf --quiet --tables=results,binaries -o before perf.data
has ",only_inside," before/results.csv
has ",/proc/$pid/root$PWD/root$PWD/spin,recorded-path," before/binaries.csv

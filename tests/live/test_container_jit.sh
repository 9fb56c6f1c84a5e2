#!/bin/sh
# Code made at run time by a process that has namespaces of its own, with its map in a file system that
# is nowhere else: found while it runs, and afterwards below the directory that --root names.
. "$(dirname "$0")/live.sh"
need_perf
unshare -m -p -f true 2>/dev/null || skip "no namespaces may be made here"

# The "compiler" copies one of its own functions, which needs nothing but its argument.
compile jit <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void __attribute__((noinline, aligned(64))) spin(volatile unsigned long *sink)
{
	for (;;)
		++*sink;
}

int main(void)
{
	static volatile unsigned long sink;
	void (*code)(volatile unsigned long *);
	char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	FILE *map;

	memcpy(memory, (const void *)(unsigned long)spin, 128);
	__builtin___clear_cache(memory, memory + 128);
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(name, "w");
	if (!map)
		return 1;
	fprintf(map, "%lx 80 made_inside\n", (unsigned long)memory);
	fclose(map);
	memcpy(&code, &memory, sizeof(code));
	code(&sink);
}
C
# Where our own directory is below /tmp the program is not seen there: it goes along in a descriptor.
cat >script <<-'S'
	mount -t tmpfs none /tmp || exit 1
	exec /proc/self/fd/3
S
unshare -m -p -f sh script 3<jit >said 2>&1 &
pid=$!
inner=
trap 'kill -9 $inner $pid 2>/dev/null || true; wait' EXIT
for _ in $(seq 100); do
	inner=$(pgrep -P $pid 2>/dev/null || true)
	[ -z "$inner" ] || [ ! -s "/proc/$inner/root/tmp/perf-1.map" ] || break
	sleep 0.1
done
if [ -z "$inner" ] || [ ! -s "/proc/$inner/root/tmp/perf-1.map" ]; then
	skip "no such process can be started here: $(cat said)"
fi

record --namespaces -e cpu-clock:u -p "$inner" -- sleep 0.5
readperf --tables=results -o running perf.data
has ",made_inside," running/results.csv
mkdir -p kept/tmp
cp "/proc/$inner/root/tmp/perf-1.map" kept/tmp/
kill -9 "$inner"
wait $pid 2>/dev/null || true

readperf --tables=results -o gone perf.data >printed 2>&1
has "(jit-map-missing): its process was in a container that is gone: .*--root=PID=DIR" printed
if grep ",made_inside," gone/results.csv; then
	exit 1
fi
readperf --quiet --tables=results -o given --root="$inner=kept" perf.data
cmp running/results.csv given/results.csv
mv kept/tmp/perf-1.map "kept/tmp/perf-$inner.map"
readperf --quiet --tables=results -o symfs --symfs=kept perf.data
has ",made_inside," symfs/results.csv

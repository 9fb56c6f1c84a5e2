#!/bin/sh
# Two programs of one name in two folders, run through one shell: told apart by their paths.
. "$(dirname "$0")/live.sh"
need_perf

for folder in one two; do
	mkdir $folder
	compile work <<-C
		static volatile unsigned long sink;
		static void of_$folder(unsigned long n) { while (n--) sink += n; }
		static void common(unsigned long n) { while (n--) sink ^= n; }
		int main(void) { of_$folder(80000000); common(80000000); return 0; }
	C
	mv work $folder/
done
record -e cpu-clock -F 4000 -- sh -c './one/work; ./two/work; ./one/work'
# perf report itself adds up functions at one address of two binaries with one base name.
compare_with_perf script

#!/bin/sh
# A program that is recorded without build ids and built anew, or replaced, is named from the file that
# lies there now, and a note says so; with build ids nothing is named wrongly and nothing noted.
. "$(dirname "$0")/live.sh"
need_perf

build() {
	compile work <<-C
		static volatile unsigned long sink;
		static void of_$1(unsigned long n) { while (n--) sink += n; }
		int main(void) { of_$1(100000000); return 0; }
	C
}
# names_from FUNCTION: work's samples lie in it
names_from() {
	has ",$1,cpu-clock:u,$PWD/work," ours/results.csv
}
# doubts WORD: what binaries.csv says of work
doubts() {
	[ "$(sqlite3 :memory: -cmd '.mode csv' -cmd '.import ours/binaries.csv binaries' \
		-cmd '.mode list' "SELECT doubt FROM binaries WHERE binary = '$PWD/work'")" = "$1" ]
}
read_it() {
	readperf --tables=results,binaries -o ours perf.data >/dev/null 2>notes.txt
}

build old
record -B -e cpu-clock:u ./work
read_it
names_from of_old
doubts ''
if grep 'may be wrong' notes.txt; then exit 1; fi

# The clock of files stands still for some ms.
sleep 0.1
build new
read_it
names_from of_new
doubts newer
has "may be wrong, most of them in $PWD/work (newer): its file was written after" notes.txt

build another
mv work replaces
build old
record -B -e cpu-clock:u ./work
mv replaces work
read_it
names_from of_another
doubts replaced
has "may be wrong, most of them in $PWD/work (replaced): the file at its path has been replaced" notes.txt

build old
record --buildid-mmap -e cpu-clock:u ./work
sleep 0.1
build another
read_it
doubts ''
if grep 'may be wrong' notes.txt; then exit 1; fi

# Sourced by the tests of live use: readperf reads a stream that the test writes bit by bit. Nothing
# counts on time: what is waited for comes.
# shellcheck shell=sh

env --default-signal=INT,HUP,TERM true 2>/dev/null || {
	echo "env cannot give a background command its signals back"
	exit 77
}
recording=data/demo-pipe.data
half=19052 # bytes of it, at the border of two records

# start_reader ARGS...: readperf ARGS reads what is written to descriptor 3
start_reader() {
	mkfifo stream
	env --default-signal=INT,HUP,TERM readperf "$@" - <stream >printed 2>said &
	reader=$!
	exec 3>stream
}

# The bytes from FROM to TO of the recording and two FINISHED_ROUND records: all that came before them
# is in order and need not wait for more.
part() {
	head -c "$2" $recording | tail -c +$(($1 + 1))
	printf '\104\0\0\0\0\0\10\0\104\0\0\0\0\0\10\0'
}

first_half() {
	part 0 $half
}

second_half() {
	part $half "$(wc -c <$recording)"
}

end_stream() {
	exec 3>&-
}

# wait_until COMMAND...: until it succeeds; that it never does is found out after a minute
wait_until() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 1200 ] || { echo "waited in vain: $*"; kill -KILL "$reader" || :; exit 1; }
		sleep 0.05
	done
}

# lines NR FILE: has it that many?
lines() {
	[ -e "$2" ] && [ "$(wc -l <"$2")" -eq "$1" ]
}

# The signals that readperf has blocked, so that it decides what they do.
signals_blocked() {
	blocked=$(sed -n 's/^SigBlk:[[:space:]]*/0x/p' "/proc/$reader/status")
	[ $((${blocked:-0} & 0x4003)) -eq $((0x4003)) ]
}

# finish: waits for readperf, shows what it said and how it ended
finish() {
	status=0
	wait "$reader" || status=$?
	cat said
	echo "status $status"
}

# make_whole ARGS...: tables that were made in one go, of the same bytes
make_whole() {
	{
		first_half
		second_half
	} | readperf --buildid-dir=data/buildid -o whole "$@" - >whole.txt
}

# same_tables DIR DIR
same_tables() {
	for table in stat overview processes results; do
		cmp "$1/$table.csv" "$2/$table.csv"
	done
}

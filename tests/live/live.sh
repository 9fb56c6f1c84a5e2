# Sourced by the live tests: record with the machine's perf, then hold results.csv against what
# perf itself says of the same recording. Needs READPERF, perf, sqlite3 and a C compiler.
# shellcheck shell=sh
set -eu

skip() {
	echo "$*"
	exit 77
}

# Skips the test where perf is missing or may not record; the programs are looked up here, too.
need_perf() {
	command -v perf >/dev/null || skip "perf is not installed"
	command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
	perf record -q -e cpu-clock -o probe.data true >probe.log 2>&1 ||
		skip "perf record does not work here: $(grep -m 1 . probe.log)"
}

# compile NAME: NAME.c, read from standard input, becomes the program NAME
compile() {
	cat >"$1.c"
	${CC:-cc} -g -O1 -fno-inline -fno-omit-frame-pointer -o "$1" "$1.c"
}

# record ARGS...: perf record ARGS into perf.data; without -q, which hides why it fails. Now and then perf
# fails beside other work: once more then.
record() {
	perf record -o perf.data "$@" >record.log 2>&1 && return
	echo "perf record ended with $?:"
	cat record.log
	perf record -o perf.data "$@" >record.log 2>&1 || {
		cat record.log
		exit 1
	}
}

# has PATTERN FILE: the test ends here, and shows FILE, unless a line of it matches PATTERN
has() {
	grep -q -- "$1" "$2" || {
		echo "no line of $2 matches: $1"
		head -n 40 "$2"
		exit 1
	}
}

# What perf report says, as event TAB binary TAB function TAB samples TAB period. perf prints a
# binary's base name (a kernel module's in brackets) and an address where it knows no function.
perf_report() {
	perf report --stdio --no-children -g none --no-demangle --percent-limit 0 \
		-F sample,period,dso,sym -t '|' -i perf.data 2>/dev/null | awk -F '|' -v OFS='\t' '
		/^# Samples: / { event = $0; sub(/^[^\047]*\047/, "", event); sub(/\047.*/, "", event) }
		/^#/ || NF < 4 { next }
		{
			for (i = 1; i <= 4; i++)
				sub(/ +$/, "", $i)
			sub(/^\[[^]]*\] /, "", $4)
			if ($4 ~ /^0x/)
				$4 = "[unknown]"
			print event, $3, $4, $1 + 0, $2
		}'
}

# What perf script says of each sample, in the same columns but with the binary's whole path.
perf_script() {
	perf script -G --no-demangle -F event,period,ip,sym,dso -i perf.data 2>/dev/null | awk -v OFS='\t' '
		{
			binary = $0
			sub(/^[^(]*\(/, "", binary)
			sub(/\)$/, "", binary)
			sub(/:$/, "", $2)
			print $2, binary, $4, 1, $1
		}'
}

# What perf script says, with the name of the sample's thread before the function's. Samples of a
# thread that the kernel had already forgotten have the tid -1, which perf names :-1; we do not.
perf_comms() {
	perf script -G --no-demangle -F comm,event,period,ip,sym,dso -i perf.data 2>/dev/null | awk -v OFS='\t' '
		match($0, / +[0-9]+ [^ ]+: +[0-9a-f]+ /) {
			comm = substr($0, 1, RSTART - 1)
			sub(/^ +/, "", comm)
			binary = $0
			sub(/^[^(]*\(/, "", binary)
			sub(/\)$/, "", binary)
			$0 = substr($0, RSTART)
			sub(/:$/, "", $2)
			if (comm != ":-1")
				print $2, binary, comm " " $4, 1, $1
		}'
}

# What perf script says of each process, its pid in place of a function.
perf_pids() {
	perf script -G -F pid,event,period -i perf.data 2>/dev/null | awk -v OFS='\t' '
		{
			sub(/:$/, "", $3)
			print $3, "", $1, 1, $2
		}'
}

# Our answer to perf_comms, as a table like results.csv: one run for each name that perf has found.
# Characters that mean something in a pattern stand for any.
our_comms() {
	rm -f comms.db
	cut -f 3 "$1" | sed 's/ [^ ]*$//' | sort -u >comms.txt
	while IFS= read -r comm; do
		pattern=$(printf '%s' "$comm" | sed 's/[][*?\\,]/?/g')
		readperf --quiet --tables=results --demangle=none "--comm=$pattern" -o of_comm perf.data
		sqlite3 comms.db '.mode csv' '.import of_comm/results.csv one' \
			"CREATE TABLE IF NOT EXISTS results AS SELECT * FROM one WHERE 0" \
			"INSERT INTO results SELECT * FROM one" \
			"UPDATE results SET function = '$(printf '%s' "$comm" | sed "s/'/''/g") ' || function
				WHERE rowid > (SELECT count(*) FROM results) - (SELECT count(*) FROM one)" \
			'DROP TABLE one'
	done <comms.txt
	mkdir -p ours
	sqlite3 -csv -header comms.db 'SELECT * FROM results' >ours/results.csv
}

# Our answer to perf_pids: all lives of a pid together.
our_pids() {
	readperf --quiet --tables=processes -o of_pid perf.data
	mkdir -p ours
	sqlite3 :memory: '.mode csv' '.headers on' '.import of_pid/processes.csv processes' \
		"SELECT event, pid AS function, sum(samples) AS samples, sum(period) AS period,
			'' AS binary FROM processes GROUP BY event, pid HAVING sum(samples) > 0" >ours/results.csv
}

# compare PERFS_ANSWER SHORT: results.csv against it, SHORT being 1 if it has base names only.
# Totals of each event must be equal, and of 1000 samples 999 must be in the same row (all but one
# where there are fewer). Where we name a PLT stub, any row of perf's is as good: perf 6.1 names stubs
# by the order of their relocations, or takes them for a part of _init.
compare() {
	rm -f compare.db
	sqlite3 compare.db >report.txt <<-SQL
		CREATE TABLE perf(event, binary, function, samples INTEGER, period INTEGER);
		.mode ascii
		.separator "\t" "\n"
		.import $1 perf
		.mode csv
		.import ours/results.csv results
		CREATE TABLE ours AS SELECT event, function, CAST(samples AS INTEGER) AS samples,
			CAST(period AS INTEGER) AS period, iif($2, replace(binary,
			rtrim(binary, replace(binary, '/', '')), ''), binary) AS binary FROM results;
		UPDATE ours SET binary = '[' || replace(substr(binary, 1, instr(binary, '.ko') - 1),
			'-', '_') || ']' WHERE $2 AND binary LIKE '%.ko%';
		UPDATE ours SET binary = '[unknown]' WHERE binary = '[unmapped]';
		CREATE TABLE both AS SELECT event, binary, function, sum(o) AS o, sum(p) AS p,
			sum(op) AS op, sum(pp) AS pp FROM (
			SELECT event, binary, function, samples AS o, 0 AS p, period AS op, 0 AS pp FROM ours
			UNION ALL
			SELECT event, binary, function, 0, samples, 0, period FROM perf)
			GROUP BY event, binary, function;
		CREATE TABLE totals AS SELECT event, sum(o) AS o, sum(p) AS p, sum(op) AS op,
			sum(pp) AS pp, sum(iif(function LIKE '_%@plt', o, min(o, p))) AS same FROM both GROUP BY event;
		.mode list
		.separator " "
		SELECT event || ': ' || o || ' samples, perf ' || p || '; period ' || op || ', perf '
			|| pp || '; in the same row ' || same FROM totals;
		SELECT 'differs: ' || event || ' ' || binary || ' ' || function || ': samples ' || o
			|| ', perf ' || p || '; period ' || op || ', perf ' || pp
			FROM both WHERE o <> p OR op <> pp ORDER BY abs(o - p) DESC LIMIT 40;
	SQL
	cat report.txt
	wrong=$(sqlite3 compare.db "SELECT count(*) FROM totals
		WHERE o <> p OR op <> pp OR o = 0 OR o - same > max(1, o / 1000)")
	events=$(sqlite3 compare.db "SELECT count(*) FROM totals")
	[ "$wrong" -eq 0 ] && [ "$events" -gt 0 ]
}

# compare_with_perf report|script...: results.csv of perf.data against these answers of perf
compare_with_perf() {
	readperf --quiet --tables=results --demangle=none -o ours perf.data
	for answer in "$@"; do
		echo "perf $answer:"
		"perf_$answer" >perfs.tsv
		compare perfs.tsv "$([ "$answer" = report ] && echo 1 || echo 0)"
	done
}

# compare_who_with_perf: who took the samples of perf.data, by the thread's name and by process
compare_who_with_perf() {
	for who in comms pids; do
		echo "perf script, by $who:"
		"perf_$who" >perfs.tsv
		"our_$who" perfs.tsv
		compare perfs.tsv 0
	done
}

# share WHAT SAME OF [OTHERS]: prints it; false if of 1000 samples more than OTHERS (5) are not the same
share() {
	echo "$1: $2 of $3 samples agree"
	[ "$3" -gt 0 ] && [ $((($3 - $2) * 1000)) -le $(($3 * ${4:-5})) ]
}

# lines.csv of perf.data against perf report --sort srcline, which names a file without its folder.
# perf shows ??:0 where we have no line, but a place in a file of which the line is not known too, and
# NAME+0 for PLT stubs, where the name may be one of C++. The addr2line that it asks takes another
# file where a function of a header begins (line 2615 of a file with 50 lines), so that the numbers
# must agree more often than the names; compare_inlined holds both against a second opinion.
compare_lines_with_perf() {
	command -v addr2line >/dev/null || return 0 # perf asks it
	readperf --quiet --tables=lines -o ours perf.data
	perf report --stdio --no-children -g none --percent-limit 0 -F sample,srcline -t '|' \
		-i perf.data 2>/dev/null | awk -F '|' -v OFS='\t' '
		/^#/ || NF < 2 { next }
		{ sub(/ +$/, "", $2); print $2 ~ /^\?\?/ || $2 !~ /:[0-9]+$/ ? "-" : $2, $1 + 0 }' >lines.tsv
	sqlite3 -separator '	' :memory: <<-SQL >ours.tsv
		.import --csv ours/lines.csv lines
		SELECT iif(filename = '', '-', replace(filename, rtrim(filename, replace(filename, '/', '')),
			'') || ':' || iif(line = '', 0, line)), samples FROM lines;
	SQL
	# shellcheck disable=SC2046 # two numbers
	share "perf's source lines" $(same_samples lines.tsv ours.tsv) 20
	for answer in lines ours; do
		sed 's/^.*:\([0-9]*\)	/\1	/' "$answer.tsv" >"$answer.numbers.tsv"
	done
	# shellcheck disable=SC2046 # two numbers
	share "perf's line numbers" $(same_samples lines.numbers.tsv ours.numbers.tsv)
}

# same_samples THEIRS OURS: of two lists of KEY TAB SAMPLES, how many samples have the same key, and
# how many we have. It names keys that differ on standard error.
same_samples() {
	awk -F '\t' 'NR == FNR { theirs[$1] += $2; next } { ours[$1] += $2; all += $2 } END {
		for (key in ours)
			same += ours[key] < theirs[key] ? ours[key] : theirs[key]
		for (key in theirs)
			if (ours[key] != theirs[key])
				print "differs: " key ": " ours[key] + 0 ", perf " theirs[key] >"/dev/stderr"
		print same + 0, all + 0
	}' "$1" "$2"
}

# compare_inlined BINARY: addresses.csv with --inline of the samples in BINARY against
# llvm-symbolizer: file and line of each address, and the innermost function where one is inlined.
# (Of those with code it does not choose among aliases as perf does, and it takes PLT stubs for a part
# of _init.) It shows line 0 where the line is not known, and leaves out the scopes of a function
# without a linkage name.
compare_inlined() {
	command -v llvm-symbolizer >/dev/null || return 0
	readperf --quiet --inline --demangle=none --tables=addresses -o inlined perf.data
	sqlite3 -separator '	' :memory: <<-SQL >asked.txt
		.import --csv inlined/addresses.csv addresses
		SELECT address, samples, iif(function = physical, '-', function),
			filename || ':' || iif(line = '', 0, line)
			FROM addresses WHERE binary LIKE '%/$1' AND function NOT LIKE '%@plt';
	SQL
	cut -f 1 asked.txt | llvm-symbolizer --no-demangle --inlines --obj="$1" |
		awk -v OFS='\t' 'BEGIN { RS = ""; FS = "\n" } {
			sub(/:[0-9]+$/, "", $2)
			sub(/^\?\?/, "", $2)
			while (sub(/[^\/]+\/\.\.\//, "", $2));
			print (NF > 2 ? $1 : "-"), $2
		}' >answers.txt
	# shellcheck disable=SC2046 # two numbers
	share "llvm-symbolizer's inlined functions" $(paste asked.txt answers.txt | awk -F '\t' '
		{ scoped = "::" $5; ends = substr($3, length($3) - length(scoped) + 1) == scoped }
		{ all += $2; good += ($3 == $5 || ends) && $4 == $6 ? $2 : 0 }
		END { print good + 0, all + 0 }')
}

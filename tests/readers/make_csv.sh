#!/bin/sh
# tests/readers/make_csv.sh KIND TIMES: a results.csv to compare, on standard output.
#
#   hostile  names that would be markup, links, mentions, commands or control sequences, TIMES as many
#            samples each but for one
#   many     6000 functions with long names in as many source files, TIMES as many samples
set -eu

kind=$1
times=$2
echo period,samples,filename,function,event,binary,percent,line,children_period,children_samples,children_percent,build_id,reason

# row SAMPLES FILENAME FUNCTION BINARY LINE: texts as they stand between quotes
row() {
	printf '%s000000,%s,"%s","%s",cpu-clock:u,"%s",1.0000,%s,%s000000,%s,1.0000,,\n' \
		"$1" "$1" "$2" "$3" "$4" "$5" "$1" "$1"
}

hostile() {
	row $((1000 * times)) '/src/a b/ä:1.c' \
		'a|b\|c `x` ``y`` <img src=x onerror=alert(1)> @user #1 *b* _i_ [l](http://x.com) &amp; </details>' \
		'/bin/app' 10
	row $((1100 * times)) '/src/x.c' 'www.example.com say ""hi"" ]]> -->' '/bin/<b>`' ''
	row $((500 * times)) '/src/one.c' 'helper' '/bin/app' 3
	row $((600 * times)) '/src/two.c' 'helper' '/bin/app' 4
	row $((700 * times)) '' "$(printf 'nl\nin\tname\001\033[2J\377\r')" '/lib/libfoo-1.2.so' ''
	row $((900 * times)) '/src/z.c' '::error::x%0Ay' '/bin/app' 7
	row $((800 * times)) '/src/b.c' '`' '|' 7
	row $((850 * times)) /src/b.c "\\" "/bin/app\\" 9
	row 4000 '/src/s.c' 'steady' '/bin/app' 8
}

many() {
	awk -v times="$times" 'BEGIN {
		for (i = 1; i <= 6000; i++)
			printf "%d,%d,/src/%d.c,\"ns::function_%d<std::vector<int>, std::map<int, long> >(int, long)\",cpu-clock:u,/bin/app,0.0100,%d,%d,%d,0.0100,,\n",
				times * (20000000 + i), times * 200, i, i, i, times * (20000000 + i), times * 200
		print "9000000000,9000,/src/s.c,steady,cpu-clock:u,/bin/app,1.0000,8,9000000000,9000,1.0000,,"
	}'
}

"$kind"

#!/bin/sh
# Real recordings of many perfs, kernels and machines, where they lie beside the checkout: each for
# which it is known how many samples of which event it holds gives as many, in stat.csv and, of each
# event, in all rows of results.csv.
#
#   EXPECTED.tsv: path, reader, samples, per_event ("EVENT=N;EVENT=N"); samples may be empty
set -u
corpus=$(cd "$(dirname "$0")/../.." && pwd)/../shared/corpus
[ -n "${READPERF:-}" ] || { echo "READPERF names no program to be checked" && exit 77; }
[ -r "$corpus/EXPECTED.tsv" ] || { echo "there are no recordings in ../shared/corpus" && exit 77; }
tables=$(mktemp -d) || exit 1
trap 'rm -rf "$tables"' EXIT
trap 'exit 130' INT TERM
tab=$(printf '\t')
checked=0
bad=0

# What results.csv says, as EVENT=N lines; the event is its fifth column, the samples the second.
events_of() {
	awk '
		# One field off the row; a quoted one may hold commas.
		function field(	text) {
			if (row ~ /^"/) {
				match(row, /^"([^"]|"")*"/)
				text = substr(row, 2, RLENGTH - 2)
				gsub(/""/, "\"", text)
				row = substr(row, RLENGTH + 2)
			} else {
				match(row, /^[^,]*/)
				text = substr(row, 1, RLENGTH)
				row = substr(row, RLENGTH + 2)
			}
			return text
		}
		NR > 1 {
			row = $0
			field()
			samples = field()
			field()
			field()
			sum[field()] += samples
		}
		END {
			for (event in sum)
				if (sum[event])
					print event "=" sum[event]
		}' "$1" | sort
}

while IFS=$tab read -r path reader samples per_event; do
	if [ "$path" = path ] || [ -z "$samples" ]; then
		continue
	fi
	checked=$((checked + 1))
	rm -rf "${tables:?}/out"
	"$READPERF" --quiet --tables=stat,results -o "$tables/out" --buildid-dir=/nonexistent \
		--debug-dir=/nonexistent "$corpus/$path" 2>"$tables/messages"
	status=$?
	echo "$per_event" | tr ';' '\n' | grep . | sort >"$tables/expected"
	events_of "$tables/out/results.csv" >"$tables/got"
	in_stat=$(sed -n 's/^SAMPLE,//p' "$tables/out/stat.csv")
	if [ "$status" -ne 0 ] && { [ "$status" -ne 3 ] || [ ! -s "$tables/messages" ]; } ||
		! cmp -s "$tables/expected" "$tables/got" ||
		[ "$in_stat" != "$samples" ]; then
		echo "$path (expected by $reader): exit status $status, $in_stat of $samples samples"
		diff "$tables/expected" "$tables/got"
		cat "$tables/messages"
		bad=1
	fi
done <"$corpus/EXPECTED.tsv"
[ $checked -gt 0 ] || { echo "EXPECTED.tsv names no recording" && exit 1; }
exit $bad

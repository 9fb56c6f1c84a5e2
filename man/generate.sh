#!/bin/sh
# man/generate.sh PROGRAM [DIR]: makes the manual pages in DIR (here, by default) from their templates
# beside this script; a line @WORD@ of a template stands for what PROGRAM --describe=WORD prints. Those of
# section 3 are made from the comments of the library's headers.
set -eu

program=$1
here=$(cd "$(dirname "$0")" && pwd)
to=${2:-$here}

# fill [COMMAND]: the options are those of COMMAND, or of the main job
fill() {
	while IFS= read -r line; do
		case $line in
		@OPTIONS@) "$program" "$@" --describe=options ;;
		@METHOD@) cat "$here/readperf-diff-method.in" ;;
		@TABLES@) "$program" --describe=tables ;;
		@REASONS@) "$program" --describe=reasons ;;
		*) printf '%s\n' "$line" ;;
		esac
	done
}

for page in readperf.1 readperf-diff.1 readperf-csv.5; do
	case $page in
	readperf-diff.1) set -- diff ;;
	*) set -- ;;
	esac
	fill "$@" <"$here/$page.in" >"$to/$page.new"
	mv "$to/$page.new" "$to/$page"
done

# page_of HEADER: the name of its page
page_of() {
	[ "$1" = readperf ] && echo libreadperf || echo "readperf_$1"
}

headers=$(cd "$here/../include/readperf" && echo *.h | sed 's/\.h//g')
pages=
for header in $headers; do
	pages="$pages $(page_of "$header")"
done
date=$(sed -n '1s/^.TH [^ ]* [0-9] \([^ ]*\) .*/\1/p' "$here/readperf.1.in")
for header in $headers; do
	page=$(page_of "$header").3
	file=$here/../include/readperf/$header.h
	awk -v header="$header" -v date="$date" -v others="$pages" -f "$here/header.awk" "$file" "$file" >"$to/$page.new"
	mv "$to/$page.new" "$to/$page"
done

#!/bin/sh
# The manual pages say what the program says: made anew from it, they come out the same. That is also
# how --help, the completion and the options of readperf.1 stay one list.
set -eu
[ -n "${READPERF:-}" ] || { echo "no program to compare with" && exit 77; }
man=$(cd "$(dirname "$0")/../../man" && pwd)
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT && cd "$scratch" || exit 1

"$man/generate.sh" "$READPERF" .
for page in readperf.1 readperf-diff.1 readperf-csv.5 $(cd "$man" && echo *.3); do
	diff -u "$man/$page" "$page" || { echo "man/$page is out of date: run make man" && exit 1; }
done

[ "$(cd "$man" && echo *.3)" = "$(echo *.3)" ] || { echo "man/ has not the pages of the headers" && exit 1; }

# lists_options PAGE [COMMAND]: whether the page has each option of the command's --help
lists_options() {
	page=$1
	shift
	for option in $("$READPERF" "$@" --help | grep -o '^ .*--[a-z-]*' | grep -o -e '--[a-z-]*$'); do
		sed 's/\\-/-/g' "$page" | grep -q -e "$option" || { echo "$page lacks $option" && exit 1; }
	done
}
lists_options readperf.1
lists_options readperf-diff.1 diff

# Each table is in the list of files of the page of its command.
for page in readperf.1 readperf-diff.1; do
	sed -n '/^\.SH FILES/,/^\.SH ENV/p' "$page"
done >files
for table in $("$READPERF" --describe=columns | sed '1d; s/,.*//' | sort -u); do
	grep -q -w -F "$table.csv" files || { echo "no page has $table.csv among its FILES" && exit 1; }
done

# A macro of two fonts sets its arguments without a space between them.
if grep -nE '^\.(BR|IR|RB|RI|BI|IB) ([^"]* )?[[:alnum:]]+ [[:alnum:]]' "$man"/*.in; then
	echo "these lines glue words together" && exit 1
fi

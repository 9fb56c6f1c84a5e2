#!/bin/sh
# The scripts of a page are joined into one: of two functions, classes or constants with one name the
# last one would be meant everywhere.
set -u
cd "$(dirname "$0")/../../report/html" || exit 1

failed=0
for page in *.html; do
	twice=$(sed -n 's/^@\(.*\.js\)@$/\1/p' "$page" | xargs cat |
		sed -nE 's/^(async )?(function|class|const|let) ([A-Za-z_]+).*/\3/p' | sort | uniq -d)
	[ -z "$twice" ] && continue
	echo "report/html/$page has two of the name" "$twice"
	failed=1
done
exit "$failed"

#!/bin/sh
# tests/picture.sh PROGRAM: prints docs/console.svg, the console as README.md shows it, from what PROGRAM
# prints about the bundled recording; `make picture` calls it, and a test compares.
#
# The picture has a background of its own, so that it can be read on light and on dark pages.
set -eu

program=$(realpath "$1")
data=$(cd "$(dirname "$0")/data" && pwd)
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
ln -s "$data/buildid" "$data/demo-callgraph.data" "$scratch"
cd "$scratch"

# shown COMMAND...: a command as it is typed on a terminal, and what it prints there
shown() {
	echo "\$ readperf $*"
	"$program" --color=always --width=100 "$@" 2>&1
}

shown -o tables --buildid-dir=buildid demo-callgraph.data | LC_ALL=C awk '
	function escaped(text) {
		gsub(/&/, "\\&amp;", text)
		gsub(/</, "\\&lt;", text)
		gsub(/>/, "\\&gt;", text)
		return text
	}

	# Text of one colour from a column on, in pieces without two spaces in a row: XML may run those
	# together. The length of a piece is given, so that every font keeps the columns.
	function span(text, class, column) {
		while (match(text, /[^ ]+( [^ ]+)*/)) {
			column += RSTART - 1
			body = body sprintf("<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\"%s>%s</text>\n",
				16 + 8.4 * column, 10 + 20 * NR, 8.4 * RLENGTH, class,
				escaped(substr(text, RSTART, RLENGTH)))
			column += RLENGTH
			text = substr(text, RSTART + RLENGTH)
		}
	}

	BEGIN { class_of["31"] = " class=\"much\""; class_of["32"] = " class=\"some\"" }
	{
		column = 0
		parts = split($0, part, /\033\[/)
		for (i = 1; i <= parts; i++) {
			class = NR == 1 ? " class=\"typed\"" : ""
			text = part[i]
			if (i > 1) {
				end = index(text, "m")
				class = class_of[substr(text, 1, end - 1)]
				text = substr(text, end + 1)
			}
			span(text, class, column)
			column += length(text)
		}
		if (column > columns)
			columns = column
	}
	END {
		width = 32 + 8.4 * columns
		height = 24 + 20 * NR
		printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.1f %d\" width=\"%.1f\" height=\"%d\" role=\"img\">\n",
			width, height, width, height
		print "<title>readperf in a terminal</title>"
		print "<style>"
		print "text { font: 14px ui-monospace, \"SF Mono\", Menlo, Consolas, \"DejaVu Sans Mono\", monospace; fill: #d5dae1 }"
		print ".typed { font-weight: bold; fill: #ffffff }"
		print ".much { fill: #ff8a80 }"
		print ".some { fill: #7ee08a }"
		print "</style>"
		printf "<rect x=\"0.5\" y=\"0.5\" width=\"%.1f\" height=\"%d\" rx=\"8\" fill=\"#1d2127\" stroke=\"#6e7681\"/>\n",
			width - 1, height - 1
		printf "%s</svg>\n", body
	}'

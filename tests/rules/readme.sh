#!/bin/sh
# README.md and docs/ are true. Each block that begins with "$ " is run, its "> " lines continuing a
# command, and prints what the page says; options exist; links lead to files and headings that exist, and
# so do files of the code that are named; README.md has at most 200 lines.
set -u
[ -n "${READPERF:-}" ] || { echo "no program to try the examples with" && exit 77; }
command -v sqlite3 >/dev/null || { echo "sqlite3 is not installed" && exit 77; }
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT && cd "$scratch" || exit 1
bad=0

# ---- examples ------------------------------------------------------------------------------------

# block_of PAGE NR: the NRth block of it that begins with a command
block_of() {
	awk -v wanted="$2" '
		/^```/ { inside = !inside; first = inside; next }
		inside && first { first = 0; shown = /^\$ / && ++nr == wanted }
		inside && shown' "$root/$1"
}

# Runs a block that is read from standard input, and prints it with what its commands print.
run_block() {
	command=
	while IFS= read -r line; do
		case $line in
		'$ '*)
			[ -z "$command" ] || eval "$command" 2>&1
			command=${line#??}
			;;
		'> '* | '>')
			command="$command
${line#??}"
			;;
		*) continue ;;
		esac
		printf '%s\n' "$line"
	done
	eval "$command" 2>&1
}

# run_examples PAGE: in a folder of its own; $nr is how many blocks it has
run_examples() {
	mkdir examples && cd examples || exit 1
	ln -s "$root/tests" tests
	nr=0
	while block_of "$1" $((nr + 1)) >../said && [ -s ../said ]; do
		run_block <../said | sed 's/ *$//' >../printed
		# Some versions of sqlite3 align numbers left, others right.
		! grep -q sqlite3 ../said || for side in said printed; do
			sed 's/^ *//; s/   */  /g' ../$side >../$side.left && mv ../$side.left ../$side
		done
		diff -u --label "$1" --label "what it prints" ../said ../printed || bad=1
		nr=$((nr + 1))
	done
	cd .. && rm -r examples
}

# ---- options and links ---------------------------------------------------------------------------

# Those of perf, SQLite, LibreOffice, pkg-config, lld and the tests that the pages name.
others='--cflags --libs --update --add --buildid-mmap --call-graph --jit --kcore --overwrite --sort --skip --sample-cpu --switch-events --convert-to --data-binary --headless --infilter --outdir --build-id'
{
	"$READPERF" --help
	"$READPERF" diff --help
	printf '%s\n' "$others"
} | grep -o -e '--[a-z][a-z-]*' >options

# check_options PAGE
check_options() {
	grep -o -e '--[a-z][a-z-]*' "$root/$1" | sort -u | grep -vxF -f options | while read -r option; do
		echo "$1: there is no $option"
	done
}

# headings_of PAGE: as GitHub makes anchors of them
headings_of() {
	sed -n '/^```/,/^```/d; s/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | tr ' ' '-' | tr -cd '[:alnum:]_\n-'
}

# check_links PAGE: those that are no addresses on the web
check_links() {
	grep -o '](\([^)]*\))' "$root/$1" | sed 's/^](//; s/)$//' | grep -v '^https*://' | while read -r link; do
		case $link in
		'#'*) file=$root/$1 ;;
		*) file=$root/$(dirname "$1")/${link%%#*} ;;
		esac
		if [ ! -e "$file" ]; then
			echo "$1: $link leads nowhere"
		elif [ "$link" != "${link#*#}" ] && ! headings_of "$file" | grep -qxF "${link#*#}"; then
			echo "$1: $link leads to no heading"
		fi
	done
}

# check_files PAGE: those in code type that stand in a room or another folder of ours, with their endings or without
check_files() {
	rooms='perffile|decode|report|lib|main|util|tests|bindings|examples|include|man|packages'
	grep -o -E "\`($rooms)/[A-Za-z0-9_./-]*\`" "$root/$1" | tr -d '`' | sort -u | while read -r file; do
		[ -e "$root/$file" ] || [ -e "$root/$file.c" ] || [ -e "$root/$file.h" ] ||
			echo "$1: there is no $file"
	done
}

# check_map: the files that begin a line of docs/architecture.md's map, below the folder that they are in
check_map() {
	awk '/^```/ { map = !map }
		map && /^[a-z\/]+\// { folder = $1; next }
		map && /^  [a-z]/ {
			sub(/^  /, "")
			sub(/  .*/, "") # two spaces and more end the names
			n = split($0, names, ", ")
			for (i = 1; i <= n; i++)
				if (names[i] !~ /NAME/)
					print folder names[i]
		}' "$root/docs/architecture.md" | while read -r file; do
		[ -e "$root/$file" ] || [ -e "$root/$file.c" ] || [ -e "$root/$file.h" ] ||
			echo "docs/architecture.md: there is no $file"
	done
}

# ---- all pages -----------------------------------------------------------------------------------

# page PAGE: docs/ci.md has a test of its own for its commands
page() {
	run_examples "$1"
	{
		[ "$1" = docs/ci.md ] || { check_options "$1"; check_files "$1"; }
		check_links "$1"
		[ "$1" != docs/architecture.md ] || check_map
	} >wrong
	[ ! -s wrong ] || { cat wrong && bad=1; }
}

page README.md
[ $nr -gt 1 ] || { echo "README.md has no examples" && bad=1; }
for file in "$root"/docs/*.md; do
	page "docs/$(basename "$file")"
done
[ "$(wc -l <"$root/README.md")" -le 200 ] || { echo "README.md has more than 200 lines" && bad=1; }
exit $bad

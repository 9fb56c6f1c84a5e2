#!/bin/sh
# The examples of README.md are true: each block of it that begins with "$ " is run, its "> " lines
# continuing a command, and prints what the README says.
set -u
[ -n "${READPERF:-}" ] || { echo "no program to try the examples with" && exit 77; }
command -v sqlite3 >/dev/null || { echo "sqlite3 is not installed" && exit 77; }
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT && cd "$scratch" || exit 1
ln -s "$root/tests" tests

# block_of NR: the NRth block that begins with a command
block_of() {
	awk -v wanted="$1" '
		/^```/ { inside = !inside; first = inside; next }
		inside && first { first = 0; shown = /^\$ / && ++nr == wanted }
		inside && shown' "$root/README.md"
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

nr=1
bad=0
while block_of $nr >said && [ -s said ]; do
	run_block <said | sed 's/ *$//' >printed
	diff -u --label README.md --label "what it prints" said printed || bad=1
	nr=$((nr + 1))
done
[ $nr -gt 1 ] || { echo "README.md has no examples" && exit 1; }
exit $bad

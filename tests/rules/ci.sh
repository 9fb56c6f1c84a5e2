#!/bin/sh
# The recipes of docs/ci.md work: each command in its blocks is run, as the code server would run it, on
# a repository with a base and a change. A perf that plays the bundled recordings stands in for the real
# one, and so do what talks to servers (gh, curl) and sudo.
set -u
[ -n "${READPERF:-}" ] || { echo "no program to try the recipes with" && exit 77; }
command -v git >/dev/null || { echo "git is not installed" && exit 77; }
root=$(cd "$(dirname "$0")/../.." && pwd)
doc=$root/docs/ci.md
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT && cd "$scratch" || exit 1

# ---- what stands in ------------------------------------------------------------------------------

# stub NAME: a program of that name, its text on standard input
stub() {
	cat >"$scratch/bin/$1"
	chmod +x "$scratch/bin/$1"
}

mkdir bin home
ln -s "$root/tests/data/buildid" home/.debug # where perf record would have put the binaries
stub perf <<STUB
#!/bin/sh
# perf record [-q] [-e EVENT] [-F HZ] -o FILE -- PROGRAM
[ "\$1" = record ] || exit 129
shift
while getopts qe:F:o: option; do
	case \$option in
	o) to=\$OPTARG ;;
	[qeF]) ;;
	*) exit 129 ;;
	esac
done
shift \$((OPTIND - 1))
[ -x "\$1" ] || exit 127
case \$1 in
base/*) cp "$root/tests/data/change-1.0.data" "\$to" ;;
*) cp "$root/tests/data/change-2.0.data" "\$to" ;;
esac
STUB
for name in sudo gh curl; do
	stub $name <<-STUB
		#!/bin/sh
		echo "$name \$*" >>"$scratch/calls"
	STUB
done

# A repository with the branch main and a change, cloned as for a job.
make_job() {
	rm -rf "$scratch/origin" "$scratch/job" "$scratch/calls"
	git init -q -b main "$scratch/origin"
	cd "$scratch/origin" || exit 1
	printf 'program:\n\t@cp /bin/true program\n' >Makefile
	git add Makefile
	git -c user.name=ci -c user.email=ci@example.com commit -qm base
	git checkout -q -b change
	git -c user.name=ci -c user.email=ci@example.com commit -q --allow-empty -m change
	git clone -q "$scratch/origin" "$scratch/job"
	cd "$scratch/job" || exit 1
}

# ---- the recipes ---------------------------------------------------------------------------------

# blocks_of HEADING: the lines of the code blocks below it, each with the block's language in front
blocks_of() {
	awk -v heading="## $1" '
		/^## / { here = $0 == heading }
		/^```/ { language = language ? "" : substr($0, 4); if (language && here) print language " {"; next }
		language && here { print language " " $0 }' "$doc"
}

# Splits the blocks on standard input into scripts step-1, step-2, ... as their servers do: a run of
# GitHub, an entry of a script of GitLab, a sh of Jenkins, and a block of sh as a whole.
split_steps() {
	awk '
		function start() { nr++; file = sprintf("step-%02d", nr); printf "" >file }
		function put(line) { print line >>file }
		{ language = $1; line = substr($0, length($1) + 2); match(line, /^ */); indent = RLENGTH }
		line == "{" && $0 == language " {" { inside = 0; script = 0; if (language == "sh") { start(); inside = 1; depth = -1 } next }
		inside && language == "yaml" && line != "" && indent <= depth { inside = 0 }
		inside && language == "groovy" && line ~ /^ *\047\047\047$/ { inside = 0; next }
		inside { put(line); next }
		language == "yaml" && line ~ /^ *run: \|$/ { start(); inside = 1; depth = indent; next }
		language == "yaml" && line ~ /^ *run: / { start(); sub(/^ *run: /, "", line); put(line); next }
		language == "yaml" && line ~ /^ *(before_|after_)?script:$/ { script = 1; outer = indent; next }
		language == "yaml" && script && indent <= outer { script = 0 }
		language == "yaml" && script && line ~ /^ *- \|$/ { start(); inside = 1; depth = indent; next }
		language == "yaml" && script { start(); sub(/^ *- /, "", line); put(line); next }
		language == "groovy" && line ~ /^ *sh \047\047\047$/ { start(); inside = 1; next }
	'
}

# commands_in FILE...: how many lines begin or hold a command that the recipes are about
commands_in() {
	cat "$@" | grep -c -E 'readperf |perf record|^ *(git|make|gh|curl|sudo|cat) ' || :
}

bad=0
complain() {
	echo "docs/ci.md, $recipe: $*"
	bad=1
}

# try HEADING STATUS...: runs its steps, which end with these statuses, and finds the files it names.
# A recipe that does not build both sides finds them built.
try() {
	recipe=$1
	shift
	make_job
	blocks_of "$recipe" >../blocks
	grep -q 'git worktree' ../blocks ||
		{ git worktree add -q base origin/main && make -s -C base && make -s; } || exit 1
	split_steps <../blocks
	in_doc=$(sed 's/^[a-z]* //; s/^ *run: //; s/^ *- //' ../blocks >../lines && commands_in ../lines)
	set -- "$(find . -name 'step-*' | wc -l)" "$#" "$@"
	[ "$1" -eq "$2" ] || { complain "$1 steps, not $2" && return; }
	shift 2
	[ "$(commands_in step-*)" -eq "$in_doc" ] || complain "not all of $in_doc commands are run"
	for step in step-*; do
		status=0
		sh -eu "$step" >said 2>&1 || status=$?
		[ $status -eq "$1" ] || { complain "$step: status $status, not $1:" && cat "$step" said; }
		shift
	done
	grep -o 'report/[a-z.]*[a-z]' ../blocks | sort -u >../named
	while read -r file; do
		[ -s "$file" ] || complain "$file is not there"
	done <../named
}

PATH=$scratch/bin:$(dirname "$READPERF"):$PATH
export HOME="$scratch/home" PATH
export GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY="$scratch/summary" PULL_REQUEST=7
export CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main CI_MERGE_REQUEST_IID=8 CI_PROJECT_ID=9
export CI_API_V4_URL=https://gitlab.example.com/api/v4 COMMENT_TOKEN=token CHANGE_TARGET=main

# said_to PROGRAM WORDS: what was asked of a server
said_to() {
	grep -q -F -x -- "$1 $2" "$scratch/calls" || complain "$1 was not called as it should: $(grep "^$1 " "$scratch/calls")"
}

try 'What makes a gate reliable' 4

try 'GitHub Actions' 0 0 4 0 0 0
cmp "$scratch/summary" report/diff.md || complain "the summary is not what was compared"
said_to gh 'pr comment 7 --edit-last --create-if-none --body-file report/diff.md'
grep -q '^::error title=\|^::error file=' said || complain "no annotations"

try 'GitLab CI' 0 0 0 0 0 4 0
grep -q 'body@report/diff.md https://gitlab.example.com/api/v4/projects/9/merge_requests/8/notes$' "$scratch/calls" ||
	complain "no comment"

try 'Jenkins' 0 4

try 'A stored baseline' 0 4

# No block is anywhere else.
recipe='the whole'
[ "$(grep -c '^```[a-z]' "$doc")" -eq 6 ] || complain "there are blocks that this test does not know"
exit $bad

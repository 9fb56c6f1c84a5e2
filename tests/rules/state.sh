#!/bin/sh
# No file-scope mutable state, so that two runs can live in one process: no object of the program may
# have a variable in a writable section. Constants, relocated ones too, are none. no_memory is a thread's
# own, and is set during one call of D's demangler only.
#
# tests/rules/state.sh [BUILD_DIR]: the objects' directory; by default that of $READPERF.
set -u
build=${1:-$(dirname "${READPERF:-/nonexistent/readperf}")}

objects=$(find "$build" -name '*.o' ! -path '*/tests/*' ! -path '*/debug/*' 2>/dev/null | sort)
if [ -z "$objects" ]; then
	echo "no objects in $build: what they hold is not checked"
	exit 77
fi
# shellcheck disable=SC2086 # no object has a space in its name
if nm -u $objects 2>/dev/null | grep -q -e '__asan_' -e '__ubsan_'; then
	echo "the objects were made with sanitizers, which add variables of their own"
	exit 77
fi

# Lines of OBJECT VARIABLE. Symbol lines of objdump -t end in SECTION<tab>SIZE NAME; a section's own
# symbol has no size.
writable() {
	# shellcheck disable=SC2086
	LC_ALL=C objdump -t $objects | awk -F '\t' '
		/:     file format / {
			object = $1
			sub(/: .*/, "", object)
		}
		NF == 2 {
			section = $1
			sub(/.* /, "", section)
			split($2, symbol, " ")
			if (section ~ /^\.data\.rel\.ro/)
				next
			if (section !~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/)
				next
			if (symbol[1] !~ /^0+$/ && symbol[2] != "no_memory")
				print object, symbol[2]
		}'
}

found=$(writable) || exit 1
[ -n "$found" ] || exit 0
echo "$found" | while read -r object name; do
	echo "${object#"$build"/}: the variable $name outlives a run"
done
exit 1

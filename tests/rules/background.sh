#!/bin/sh
# The tests of signals also pass where these are ignored: as commands in the background of a shell do,
# and nohup.
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
[ -n "${READPERF:-}" ] || { echo "READPERF names no program to be checked" && exit 77; }
[ -x "${TOOLS:-}/unit/test_interrupt" ] || { echo "the unit tests are not built" && exit 77; }
trap '' HUP INT QUIT

TESTS='unit/*' "$tests/run.sh" --only=unit "$TOOLS/unit/test_interrupt" "$TOOLS/unit/test_sandbox" &&
	TESTS='cli/interrupted_*' "$tests/run.sh" --only=cli &&
	TESTS='cli/live_stopped*' "$tests/run.sh" --only=cli

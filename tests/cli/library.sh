# shellcheck shell=sh
# What tests of the library share: a compiler, and the library that was built.

built=${TOOLS:+${TOOLS%/tests}}
top=$(cd -P data/../.. && pwd)
[ -e "$built/libreadperf.so.0" ] || { echo "the library is not built"; exit 77; }
! nm -D "$built/libreadperf.so.0" | grep -q -e __asan_ -e __ubsan_ -e __tsan_ ||
	{ echo "the library has sanitizers, which programs then need, too"; exit 77; }
export LD_LIBRARY_PATH="$built"

# compile PROGRAM SOURCE: with what is shared
compile() {
	${CC:-cc} -std=c11 -Wall -Wextra -Werror -I"$top/include" -o "$1" "$2" -L"$built" -lreadperf
}

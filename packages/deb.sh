#!/bin/sh
# packages/deb.sh VERSION DIR: the Debian packages of this tree, changes that are not committed included,
# as DIR/readperf_VERSION-1_ARCHITECTURE.deb, libreadperf0_..., libreadperf-dev_... and python3-readperf_...;
# `make deb` calls it. lintian looks at it if it is installed.
set -eu
cd "$(dirname "$0")/.."
name=readperf-$1
mkdir -p "$2"
to=$(cd "$2" && pwd)
log=$to/deb/log

die() {
	echo "make deb: $*" >&2
	exit 1
}

# quietly COMMAND...: shows the end of what it says only if it fails
quietly() {
	"$@" >>"$log" 2>&1 && return
	tail -n 40 "$log" >&2
	die "$1 failed; $log has all that it said"
}

command -v dpkg >/dev/null || die "this is neither Debian nor a system made of it"
command -v dh >/dev/null ||
	die "debhelper is not installed: apt install debhelper, or ./bootstrap deb, which installs what is missing"

# Debian's tools want their folder on top, and write beside the tree.
rm -rf "$to/deb"
mkdir -p "$to/deb/$name"
tar -c --exclude=./build --exclude=./.git . | tar -x -C "$to/deb/$name"
cp -R packages/debian "$to/deb/$name/debian"
cd "$to/deb/$name"

# The tests are for `make check`, where one sees them.
jobs=$(getconf _NPROCESSORS_ONLN)
export DEB_BUILD_PROFILES=nocheck DEB_BUILD_OPTIONS="nocheck parallel=$jobs"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKE_TERMOUT MAKE_TERMERR
# -I and -d: not asked for is build-essential, which would bring a compiler of C++.
lacking=$(dpkg-checkbuilddeps -I 2>&1) ||
	die "${lacking##*error: }: apt install them, or ./bootstrap deb, which does"
echo "make deb: building the package without its tests (make check runs them)"
quietly dpkg-buildpackage -d -b -us -uc
cd ..
verdict="lintian is not installed and has not looked at it"
if command -v lintian >/dev/null; then
	quietly lintian --allow-root --fail-on=error,warning,info ./*.changes
	verdict="lintian finds nothing"
fi
for deb in readperf_"$1"-*.deb libreadperf0_"$1"-*.deb libreadperf-dev_"$1"-*.deb python3-readperf_"$1"-*.deb; do
	mv "$deb" "$to/"
	echo "$2/$deb: $verdict"
done

#!/bin/sh
# packages/dist.sh VERSION DIR: DIR/readperf-VERSION.tar.xz of what is committed; `make dist` calls it.
set -eu
cd "$(dirname "$0")/.."
name=readperf-$1
tarball=$2/$name.tar.xz

die() {
	echo "make dist: $*" >&2
	exit 1
}

# A tree that was unpacked inside of somebody else's checkout is not one.
[ -e .git ] || die "this is not a git checkout, and the tarball is made of what is committed"
command -v xz >/dev/null || die "xz is not installed: on Debian it is in the package xz-utils"
[ -z "$(git status --porcelain --untracked-files=no)" ] ||
	echo "make dist: your changes that are not committed are left out"
mkdir -p "$2"
# Times, owners and order come from the commit, modes from here, and one thread compresses.
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD >"$tarball.tar"
xz -9 -T1 -c "$tarball.tar" >"$tarball.new"
rm "$tarball.tar"
mv "$tarball.new" "$tarball"
echo "$tarball"

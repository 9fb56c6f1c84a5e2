#!/bin/sh
# The packages say what the Makefile says: its version, and each file that `make install` installs.
set -eu
command -v make >/dev/null || { echo "make is not installed" && exit 77; }
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
packages=$root/packages
bad=0

# ---- the version ---------------------------------------------------------------------------------

version=$(sed -n 's/^VERSION := //p' "$root/Makefile")
[ -n "$version" ] || { echo "the Makefile has no version" && exit 1; }

# expect_version WHERE VERSION
expect_version() {
	[ "$2" = "$version" ] || { echo "$1 has version '$2', the Makefile $version" && bad=1; }
}
expect_version packages/debian/changelog "$(sed -n '1s/^readperf (\(.*\)-[0-9]*) .*/\1/p' "$packages/debian/changelog")"
expect_version packages/readperf.spec "$(sed -n 's/^Version: *//p' "$packages/readperf.spec")"
expect_version 'the changes of packages/readperf.spec' "$(sed -n '/^%changelog/,$s/^\* .* - \(.*\)-[0-9]*$/\1/p' "$packages/readperf.spec" | head -n 1)"
expect_version packages/APKBUILD "$(sed -n 's/^pkgver=//p' "$packages/APKBUILD")"

# ---- the files -----------------------------------------------------------------------------------

# files_of TARGET: what it would install or remove below /usr
files_of() {
	make -C "$root" -n -s "$1" DESTDIR= PREFIX=/usr | grep -o "'/usr/[^']*'" | tr -d "'" | sort
}
files_of install >"$scratch/install"
[ "$(wc -l <"$scratch/install")" -ge 7 ] || { echo "make -n install does not say what it installs" && bad=1; }

# same WHAT: the files on standard input are those of make install
same() {
	sort | diff -u --label "make install" --label "$1" "$scratch/install" - || bad=1
}
files_of uninstall | same "make uninstall"
sed -n '/^%files/,/^%changelog/s/^\(%{_[a-z]*dir}.*[^*]\)\*\{0,1\}$/\1/p' "$packages/readperf.spec" |
	sed 's,%{_bindir},/usr/bin,; s,%{_mandir},/usr/share/man,; s,%{_datadir},/usr/share,' |
	same packages/readperf.spec

# The others take all that is installed: a package of Debian with no list of its own, and Alpine's.
if ls "$packages"/debian/*install 2>/dev/null; then
	echo "this test does not know a list of files in packages/debian" && bad=1
fi
[ "$(grep -c '^Package: ' "$packages/debian/control")" -eq 1 ] ||
	{ echo "packages/debian makes several packages: which file is in which?" && bad=1; }
grep -q 'make install DESTDIR="$pkgdir" PREFIX=/usr' "$packages/APKBUILD" ||
	{ echo "packages/APKBUILD does not install with make install" && bad=1; }
exit $bad

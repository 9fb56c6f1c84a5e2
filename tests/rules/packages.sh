#!/bin/sh
# The packages say what the Makefile says: its version, and each file that `make install` installs; what
# `make install` says of places in readperf.pc is true of that call.
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

files_of uninstall >"$scratch/uninstall"
diff -u --label "make install" --label "make uninstall" "$scratch/install" "$scratch/uninstall" || bad=1

# expect_each WHERE: each file is in one package, by $scratch/patterns, of which each is of a file
expect_each() {
	: >"$scratch/met"
	while read -r file; do
		nr=0
		while read -r pattern; do
			# shellcheck disable=SC2254 # a pattern
			case $file in
			$pattern | $pattern/*) nr=$((nr + 1)) && echo "$pattern" >>"$scratch/met" ;;
			esac
		done <"$scratch/patterns"
		[ $nr -eq 1 ] || { echo "$file is in $nr packages of $1" && bad=1; }
	done <"$scratch/install"
	while read -r pattern; do
		grep -qxF "$pattern" "$scratch/met" || { echo "$1: no file is $pattern" && bad=1; }
	done <"$scratch/patterns"
}
sed -n '/^%files/,/^%changelog/{s/^%pycached //; /^%{[_p]/p}' "$packages/readperf.spec" |
	sed 's,%{_bindir},/usr/bin,; s,%{_mandir},/usr/share/man,; s,%{_datadir},/usr/share,; s,%{_libdir},/usr/lib,; s,%{_includedir},/usr/include,; s,%{python3_sitelib},/usr/lib/python3/dist-packages,' >"$scratch/patterns"
expect_each packages/readperf.spec
for list in "$packages"/debian/*.install; do
	sed 's,^,/,; s,/usr/lib/\*/,/usr/lib/,' "$list"
done >"$scratch/patterns"
expect_each packages/debian
# Alpine's takes all that is installed.
grep -q 'make install DESTDIR="$pkgdir" PREFIX=/usr' "$packages/APKBUILD" ||
	{ echo "packages/APKBUILD does not install with make install" && bad=1; }

# ---- what is built -------------------------------------------------------------------------------

# What has been built may be another user's: make install puts nothing beside it.
built=$scratch/built
mkdir "$built"
printf '#!/bin/sh\necho "$1"\n' >"$built/readperf"
chmod +x "$built/readperf"
set -- readperf "libreadperf.so.$version" libreadperf.a readperf.pc
for file in "$@"; do
	[ -e "$built/$file" ] || : >"$built/$file"
done
(umask 077 && cd "$root" && make -s install BUILD="$built" DESTDIR="$scratch/root" PREFIX=/usr \
	-o "$built/$1" -o "$built/$2" -o "$built/$3" -o "$built/$4" >/dev/null) || bad=1
printf '%s\n' "$@" | sort >"$scratch/before"
(cd "$built" && find . ! -name . | sed 's/^..//' | sort) |
	diff -u --label "what was built" --label "after make install" "$scratch/before" - || bad=1
(cd "$scratch/root" && find . ! -type d | sed 's/^.//' | sort) |
	diff -u --label "make -n install" --label "make install" "$scratch/install" - || bad=1
# expect_file FILE TEXT: below /usr/share, to be read by all
expect_file() {
	[ "$(stat -c %a "$scratch/root/usr/share/$1"):$(cat "$scratch/root/usr/share/$1")" = "644:$2" ] ||
		{ echo "make install: $1 is not '$2' for all" && bad=1; }
}
expect_file bash-completion/completions/readperf --describe=completion
expect_file zsh/site-functions/_readperf --describe=completion-zsh
expect_file fish/vendor_completions.d/readperf.fish --describe=completion-fish
expect_file man/man3/readperf_record_type.3 '.so man3/readperf_record.3'
cmp "$root/bindings/python/readperf.py" "$scratch/root/usr/lib/python3/dist-packages/readperf.py" || bad=1

# ---- places --------------------------------------------------------------------------------------

# places_of VARIABLE...: the readperf.pc that make install would install with these, as it is now
places_of() {
	pc=$(make -C "$root" -n -s install BUILD="$scratch" "$@" | sed -n 's/^install -D -m 644 \(.*readperf\.pc\) .*/\1/p')
	make -C "$root" -s BUILD="$scratch" "$@" "$pc" >/dev/null
	sed 3q "$pc" | tr '\n' ' '
}
# expect_places EXPECTED VARIABLE...
expect_places() {
	expected=$1
	shift
	[ "$(places_of "$@")" = "$expected " ] || { echo "make install $*: $(places_of "$@")" && bad=1; }
}
expect_places 'prefix=/usr/local libdir=/usr/local/lib includedir=/usr/local/include'
expect_places 'prefix=/usr libdir=/usr/lib includedir=/usr/include' PREFIX=/usr
expect_places 'prefix=/usr libdir=/usr/lib64 includedir=/usr/include' PREFIX=/usr LIBDIR=/usr/lib64
expect_places 'prefix=/usr libdir=/usr/lib includedir=/inc' PREFIX=/usr INCLUDEDIR=/inc

# Programs are compiled with the place of the headers, and nothing that other libraries need.
pc=$(make -C "$root" -n -s install BUILD="$scratch" | sed -n 's/^install -D -m 644 \(.*\)\/readperf\.pc .*/\1/p')
flags=$(PKG_CONFIG_PATH=$pc ${PKG_CONFIG:-pkg-config} --cflags readperf | sed 's/ *$//')
[ "$flags" = -I/inc ] || { echo "pkg-config --cflags readperf: $flags" && bad=1; }
exit $bad

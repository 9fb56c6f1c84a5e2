#!/bin/sh
# report/html/join.sh: prints the C source of the pages, report/export/pagesource.h, made of the files
# beside this one: page.html is that of a run, diff.html that of a comparison. Each has a line for each of
# its files: `@FILE@`; `@data@` is where the data go.
set -eu
cd "$(dirname "$0")"

# page FILE: FILE with the files in their places
page() {
	awk '
		/^@data@$/ { print; next }
		/^@.*@$/ {
			file = substr($0, 2, length($0) - 2)
			while ((status = (getline line < file)) > 0)
				print line
			if (status < 0)
				exit 1
			close(file)
			next
		}
		{ print }' "$1"
}

# array NAME: standard input as an array of bytes
array() {
	printf 'const unsigned char pagesource_%s[] = {\n' "$1"
	od -An -v -t u1 | sed 's/  */ /g; s/^ //; s/ *$//; s/ /,/g; s/$/,/'
	printf '};\nconst size_t pagesource_%s_len = sizeof(pagesource_%s);\n' "$1" "$1"
}

# both FILE PREFIX: what stands before the data, and after them
both() {
	joined=$(page "$1")
	printf '%s\n' "$joined" | sed '/^@data@$/,$d' | array "$2head"
	printf '%s\n' "$joined" | sed '1,/^@data@$/d' | array "$2tail"
}

printf '#include "report/export/pagesource.h"\n'
both page.html ''
both diff.html diff_

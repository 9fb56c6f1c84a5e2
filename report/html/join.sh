#!/bin/sh
# report/html/join.sh: prints the C source of the page, report/export/pagesource.h, made of the files
# beside this one. page.html has a line for each of them: `@FILE@`; `@data@` is where the data go.
set -eu
cd "$(dirname "$0")"

# page: page.html with the files in their places
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
		{ print }' page.html
}

# array NAME: standard input as an array of bytes
array() {
	printf 'const unsigned char pagesource_%s[] = {\n' "$1"
	od -An -v -t u1 | sed 's/  */ /g; s/^ //; s/ *$//; s/ /,/g; s/$/,/'
	printf '};\nconst size_t pagesource_%s_len = sizeof(pagesource_%s);\n' "$1" "$1"
}

joined=$(page)
printf '#include "report/export/pagesource.h"\n'
printf '%s\n' "$joined" | sed '/^@data@$/,$d' | array head
printf '%s\n' "$joined" | sed '1,/^@data@$/d' | array tail

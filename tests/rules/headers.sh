#!/bin/sh
# Each function that a header of the library declares has a comment of its own right before it, as its
# manual page puts every other one below what stands before; no text of the page stands before nothing.
set -u
cd "$(dirname "$0")/../.." || exit 1

wrong=$(awk '
	FNR == 1 { commented = 0; first = 1 }
	/^READPERF_API / && !commented { print FILENAME ":" FNR ": no comment of its own: " $0 }
	/^\/\*\*/ { documents = 1 }
	/^\/\*( |$)/ && !/^\/\* ---- / {
		if (!first)
			print FILENAME ":" FNR ": a comment of no declaration"
		documents = 0
	}
	commented && $0 == "" { print FILENAME ":" FNR - 1 ": a comment of no declaration" }
	{ commented = documents && /\*\/$/ }
	/\*\/$/ { first = documents = 0 }' include/readperf/*.h)
[ -z "$wrong" ] || { echo "$wrong" && exit 1; }

/* Demangling: symbol names as the programmer wrote them. */
#ifndef READPERF_DECODE_SYMBOL_DEMANGLE_H
#define READPERF_DECODE_SYMBOL_DEMANGLE_H

/** How much of a name is printed. */
enum demangle {
	DEMANGLE_FULL,	/* with parameters: "ns::f(int, std::string)" */
	DEMANGLE_SHORT, /* without: "ns::f" */
	DEMANGLE_NONE,	/* the linker's name: "_ZN2ns1fEi" */
};

/** The words for them, in their order. */
#define DEMANGLE_WORDS "full|short|none"

/**
 * Demangles the C++ (Itanium), Rust or D @name. A suffix from '@' on (a version, "plt") is kept.
 *
 * @return the string, owned by the caller, or NULL if @name stays as it is: it is not mangled, is
 * too long, nests too deep, @style is DEMANGLE_NONE, or memory is out.
 */
char *demangle(const char *name, enum demangle style);

#endif

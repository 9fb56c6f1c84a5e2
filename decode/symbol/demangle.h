/* The names that compilers give functions, turned back into what the programmer wrote. */
#ifndef READPERF_DECODE_SYMBOL_DEMANGLE_H
#define READPERF_DECODE_SYMBOL_DEMANGLE_H

/** How much of a name is shown. */
enum demangle {
	DEMANGLE_FULL,	/* with parameters: "ns::f(int, std::string)" */
	DEMANGLE_SHORT, /* without: "ns::f" */
	DEMANGLE_NONE,	/* the linker's name: "_ZN2ns1fEi" */
};

/**
 * Demangles the C++ (Itanium), Rust or D @name. What follows an '@' (a version, "plt") is kept.
 *
 * @return the string for the caller to free, or NULL if @name stays as it is: it is not mangled, is
 * too long, nests too deep, or @style is DEMANGLE_NONE.
 */
char *demangle(const char *name, enum demangle style);

#endif

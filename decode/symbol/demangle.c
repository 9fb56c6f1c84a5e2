#include "decode/symbol/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory of D's demangler ----------------------------------------------------------------- */

/*
 * D's demangler alone takes memory by xmalloc(), which in libiberty ends the program if there is
 * none. Here it leaves the demangler, which loses what that held. The functions have no argument
 * that could tell where to go.
 */
static _Thread_local jmp_buf *no_memory;

/* NOLINTBEGIN(readability-redundant-declaration): a header of libiberty may have them, too */
void *xmalloc(size_t size);
void *xrealloc(void *old, size_t size);
/* NOLINTEND(readability-redundant-declaration) */

void *xmalloc(size_t size)
{
	return xrealloc(NULL, size);
}

void *xrealloc(void *old, size_t size)
{
	void *new = realloc(old, size ? size : 1);

	if (!new)
		longjmp(*no_memory, 1);
	return new;
}

static char *demangle_d(const char *name, int options)
{
	jmp_buf here;
	char *plain = NULL;

	no_memory = &here;
	if (setjmp(here) == 0)
		plain = dlang_demangle(name, options);
	no_memory = NULL;
	return plain;
}

/* ---- names ----------------------------------------------------------------------------------- */

/*
 * libiberty limits its recursion but not its output: a name may refer twice to a part of itself,
 * which refers twice to another part. The output of 30 such steps does not fit in memory.
 */
enum { MAX_NAME = 64 * 1024, MAX_PLAIN = 256 * 1024, MAX_PLAIN_D = 1024 * 1024 };

/* The demangled name, appended piece by piece. */
struct plain {
	char *text;
	size_t len, room;
	bool is_over; /* the name is too long, or memory is out */
	jmp_buf stop;
};

/* True if a demangler might accept @name. Avoids the cost of demangling for every C name. */
static bool looks_mangled(const char *name)
{
	name += strspn(name, "_");
	return *name == 'Z' || *name == 'R' || *name == 'D' || strncmp(name, "GLOBAL_", 7) == 0;
}

/* Cuts "f!(int).g(int)" to "f!(int).g"; libiberty has no option for this in D. */
static void cut_parameters(char *name)
{
	size_t len = strlen(name), depth = 0, at = len;

	if (len == 0 || name[len - 1] != ')')
		return;
	do {
		at--;
		if (name[at] == ')')
			depth++;
		else if (name[at] == '(')
			depth--;
	} while (at > 0 && depth > 0);
	if (depth == 0 && at > 0 && name[at - 1] != '!')
		name[at] = '\0';
}

/*
 * Appends a piece. If the name is too long, longjmp() leaves the demangler. That leaks nothing: a
 * demangler has all its data on the stack, except while Rust's prints a punycode name, which it
 * does character by character.
 */
static void take_piece(const char *piece, size_t len, void *arg)
{
	struct plain *plain = arg;
	size_t room = plain->room ? plain->room : 256;
	char *grown;

	if (len == 0) /* @piece may be NULL */
		return;
	if (!plain->is_over && plain->len + len < MAX_PLAIN) {
		while (room <= plain->len + len)
			room *= 2;
		grown = room > plain->room ? realloc(plain->text, room) : plain->text;
		if (grown) {
			plain->text = grown;
			plain->room = room;
			memcpy(grown + plain->len, piece, len);
			plain->len += len;
			grown[plain->len] = '\0';
			return;
		}
	}
	plain->is_over = true;
	if (len >= 2 && (uint8_t)piece[0] < 0x80)
		longjmp(plain->stop, 1);
}

typedef int demangler(const char *name, int options, demangle_callbackref callback, void *arg);

/* Demangles @name with @run. The caller frees the result; NULL if it cannot be demangled. */
static char *demangle_by(demangler *run, const char *name, int options)
{
	struct plain *plain = calloc(1, sizeof(*plain));
	char *text = NULL;

	if (!plain)
		return NULL;
	if (setjmp(plain->stop) == 0 && run(name, options, take_piece, plain) && !plain->is_over)
		text = plain->text;
	else
		free(plain->text);
	free(plain);
	return text;
}

/* Returns the base-26 number after the 'Q' at @q (capital letters, then one small letter), or 0. */
static size_t back_reference(const char *q)
{
	size_t distance = 0;

	while (*++q >= 'A' && *q <= 'Z' && distance < MAX_NAME)
		distance = distance * 26 + (size_t)(*q - 'A');
	return *q >= 'a' && *q <= 'z' ? distance * 26 + (size_t)(*q - 'a') : 0;
}

/*
 * True if the output for the D name @name of @len bytes stays below MAX_PLAIN_D; D's demangler has
 * no callback that could stop it. Each 'Q' is counted as a reference to everything between its
 * target and itself, or to the identifier there. This is an upper bound, as a 'Q' may be part of an
 * identifier.
 */
static bool stays_short(const char *name, size_t len)
{
	size_t *lengths = calloc(len + 1, sizeof(*lengths)); /* output before each byte */
	bool is_short = lengths;

	for (size_t i = 0; i < len && is_short; i++) {
		size_t distance = name[i] == 'Q' ? back_reference(&name[i]) : 0;
		size_t cost = 1;

		if (distance && distance <= i) {
			const char *target = &name[i - distance];

			cost += *target >= '0' && *target <= '9'
					? strtoul(target, NULL, 10)
					: lengths[i] - lengths[i - distance];
		}
		is_short = cost < MAX_PLAIN_D && lengths[i] + cost < MAX_PLAIN_D;
		lengths[i + 1] = lengths[i] + cost;
	}
	free(lengths);
	return is_short;
}

/* Whether @name may be Rust's: "_ZN..." needs a last part of 17 characters, 'h' and 16 digits. */
static bool may_be_rust(const char *name)
{
	return strncmp(name, "_ZN", 3) != 0 || strstr(name, "17h");
}

static char *demangle_plain(const char *name, enum demangle style)
{
	int options = style == DEMANGLE_FULL ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;
	char *plain;

	if (strncmp(name, "_D", 2) != 0) {
		plain = may_be_rust(name) ? demangle_by(rust_demangle_callback, name, options)
					  : NULL;
		return plain ? plain : demangle_by(cplus_demangle_v3_callback, name, options);
	}
	plain = stays_short(name, strlen(name)) ? demangle_d(name, options) : NULL;
	if (plain && style == DEMANGLE_SHORT)
		cut_parameters(plain);
	return plain;
}

char *demangle(const char *name, enum demangle style)
{
	size_t len = strlen(name), base_len = strcspn(name, "@");
	char *base, *plain, *whole;

	if (style == DEMANGLE_NONE || len > MAX_NAME || !looks_mangled(name))
		return NULL;
	if (base_len == len)
		return demangle_plain(name, style);
	base = strndup(name, base_len);
	plain = base ? demangle_plain(base, style) : NULL;
	free(base);
	if (!plain)
		return NULL;
	base_len = strlen(plain);
	whole = realloc(plain, base_len + len - strcspn(name, "@") + 1);
	if (!whole) {
		free(plain);
		return NULL;
	}
	strcpy(whole + base_len, name + strcspn(name, "@"));
	return whole;
}

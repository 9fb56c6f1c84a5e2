#include "util/error.h"

#include "util/charwidth.h"
#include "util/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Replaces characters that a terminal would interpret. Cuts the text if it gets too long. */
static void hide_controls(char *text, size_t size)
{
	enum { ESCAPED_MAX = 4 * 4 }; /* bytes of an escaped four-byte character */
	char safe[sizeof((struct error){0}.text)];
	size_t left = strlen(text), out = 0;

	for (const char *p = text; left && out + ESCAPED_MAX < sizeof(safe);) {
		uint32_t code;
		size_t len = text_decode(p, left, &code);
		bool plain = code != TEXT_INVALID && charwidth(code) >= 0;

		for (size_t i = 0; i < len; i++) {
			if (plain)
				safe[out++] = p[i];
			else
				out += (size_t)snprintf(safe + out, sizeof(safe) - out, "\\x%02x",
							(unsigned char)p[i]);
		}
		p += len;
		left -= len;
	}
	safe[out] = '\0';
	memcpy(text, safe, out + 1 < size ? out + 1 : size);
}

__attribute__((format(printf, 4, 0))) static void
put(struct error *err, enum error_kind kind, uint64_t offset, const char *fmt, va_list args)
{
	if (!err)
		return;
	err->kind = kind;
	err->offset = offset;
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	hide_controls(err->text, sizeof(err->text));
}

int error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put(err, kind, ERROR_NO_OFFSET, fmt, args);
	va_end(args);
	return -1;
}

int error_at(struct error *err, enum error_kind kind, uint64_t offset, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put(err, kind, offset, fmt, args);
	va_end(args);
	return -1;
}

int error_io(struct error *err, const char *path, const char *what, int errnum)
{
	enum { PATH_BYTES = 500 }; /* leaves room for the rest of the text */
	const size_t len = strlen(path), left_out = len > PATH_BYTES ? len - PATH_BYTES : 0;

	return error_set(err, ERROR_IO, "%s%s: %s: %s", left_out ? "..." : "", path + left_out,
			 what, strerror(errnum));
}

int error_nomem(struct error *err, const char *what)
{
	return error_set(err, ERROR_NOMEM, "out of memory while %s", what);
}

#include "util/xml.h"

#include "util/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool is_allowed(uint32_t code)
{
	return code >= 0x20 ? code != TEXT_INVALID && code != 0xfffe && code != 0xffff
			    : code == '\t' || code == '\n' || code == '\r';
}

/*
 * Returns the replacement for @code, or NULL if it needs none. XML readers turn line ends and tabs
 * in attributes into spaces, and carriage returns into line feeds everywhere.
 */
static const char *escape(uint32_t code, bool attribute)
{
	switch (code) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return attribute ? "&quot;" : NULL;
	case '\t':
		return attribute ? "&#9;" : NULL;
	case '\n':
		return attribute ? "&#10;" : NULL;
	case '\r':
		return "&#13;";
	default:
		return is_allowed(code) ? NULL : TEXT_REPLACEMENT;
	}
}

static void put_escaped(struct outfile *out, const char *text, bool attribute)
{
	const char *from = text, *end = text + strlen(text);

	while (text < end) {
		uint32_t code;
		size_t len = text_decode(text, (size_t)(end - text), &code);
		const char *instead = escape(code, attribute);

		if (instead) {
			outfile_append(out, from, (size_t)(text - from));
			outfile_string(out, instead);
			from = text + len;
		}
		text += len;
	}
	outfile_append(out, from, (size_t)(text - from));
}

void xml_text(struct outfile *out, const char *text)
{
	put_escaped(out, text, false);
}

void xml_attribute(struct outfile *out, const char *name, const char *value)
{
	outfile_string(out, " ");
	outfile_string(out, name);
	outfile_string(out, "=\"");
	put_escaped(out, value, true);
	outfile_string(out, "\"");
}

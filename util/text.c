#include "util/text.h"

#include "util/charwidth.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The valid continuations of a first byte: Unicode's table 3-7 of well-formed UTF-8. */
struct utf8_lead {
	uint8_t first, last; /* range of first bytes, inclusive */
	uint8_t extra;	     /* number of following bytes */
	uint8_t low, high;   /* limits of the second byte, inclusive */
};

static const struct utf8_lead leads[] = {
	{0xc2, 0xdf, 1, 0x80, 0xbf}, {0xe0, 0xe0, 2, 0xa0, 0xbf}, {0xe1, 0xec, 2, 0x80, 0xbf},
	{0xed, 0xed, 2, 0x80, 0x9f}, {0xee, 0xef, 2, 0x80, 0xbf}, {0xf0, 0xf0, 3, 0x90, 0xbf},
	{0xf1, 0xf3, 3, 0x80, 0xbf}, {0xf4, 0xf4, 3, 0x80, 0x8f},
};

static const struct utf8_lead *find_lead(uint8_t byte)
{
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++)
		if (byte >= leads[i].first && byte <= leads[i].last)
			return &leads[i];
	return NULL;
}

size_t text_decode(const char *text, size_t len, uint32_t *code)
{
	const uint8_t *bytes = (const uint8_t *)text;
	const struct utf8_lead *lead;
	uint8_t low, high;

	*code = bytes[0];
	if (bytes[0] < 0x80)
		return 1;
	lead = find_lead(bytes[0]);
	*code = TEXT_INVALID;
	if (!lead)
		return 1;
	uint32_t value = bytes[0] & (0x3fu >> lead->extra);
	low = lead->low;
	high = lead->high;
	for (size_t i = 1; i <= lead->extra; i++) {
		if (i == len || bytes[i] < low || bytes[i] > high)
			return i;
		value = value << 6 | (bytes[i] & 0x3fu);
		low = 0x80;
		high = 0xbf;
	}
	*code = value;
	return lead->extra + 1u;
}

bool text_is_ascii(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text > 0x7f)
			return false;
	return true;
}

char *text_repair(char *to, const char *text, size_t len)
{
	while (len > 0) {
		uint32_t code;
		const size_t bytes = text_decode(text, len, &code);

		if (code == TEXT_INVALID)
			to = stpcpy(to, TEXT_REPLACEMENT);
		else
			to = mempcpy(to, text, bytes);
		text += bytes;
		len -= bytes;
	}
	return to;
}

static void show_escaped(FILE *out, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		fprintf(out, "\\x%02x", (unsigned)(uint8_t)bytes[i]);
}

/* How a text's first character is shown. */
struct shown {
	size_t len; /* its length in bytes */
	bool escaped;
	size_t columns;
};

static struct shown show_of(const char *text, size_t left)
{
	uint32_t code;
	size_t len = text_decode(text, left, &code);
	int width = code == TEXT_INVALID ? -1 : charwidth(code);

	return (struct shown){len, width < 0, width < 0 ? 4 * len : (size_t)width};
}

size_t text_show(FILE *out, const char *text, size_t columns)
{
	size_t left = strlen(text), used = 0;

	while (left) {
		const struct shown shown = show_of(text, left);

		if (shown.columns > columns - used)
			break;
		if (out && shown.escaped)
			show_escaped(out, text, shown.len);
		else if (out)
			fwrite(text, 1, shown.len, out);
		used += shown.columns;
		text += shown.len;
		left -= shown.len;
	}
	return used;
}

/* Returns the longest suffix that fits into @columns and starts with no combining mark. */
static const char *text_end(const char *text, size_t columns)
{
	size_t left = strlen(text), need = text_columns(text);

	while (left) {
		const struct shown shown = show_of(text, left);

		if (need <= columns && shown.columns > 0)
			break;
		need -= shown.columns;
		text += shown.len;
		left -= shown.len;
	}
	return text;
}

size_t text_show_ends(FILE *out, const char *text, size_t columns)
{
	enum { GAP = 3, LEAST = 3 };
	size_t used, end;

	if (columns < LEAST + GAP + LEAST || text_columns(text) <= columns)
		return text_show(out, text, columns);
	end = (columns - GAP) / 2;
	used = text_show(out, text, columns - GAP - end) + GAP;
	if (out)
		fputs("...", out);
	return used + text_show(out, text_end(text, end), end);
}

size_t text_columns(const char *text)
{
	return text_show(NULL, text, SIZE_MAX);
}

/* Gets the terminal's size, 80 by 24 if it is unknown. False if @stream is not a terminal. */
static bool terminal_size(FILE *stream, struct winsize *size)
{
	int fd = fileno(stream);

	if (fd < 0 || !isatty(fd))
		return false;
	if (ioctl(fd, TIOCGWINSZ, size) < 0)
		*size = (struct winsize){0};
	if (!size->ws_col)
		size->ws_col = 80;
	if (!size->ws_row)
		size->ws_row = 24;
	return true;
}

size_t text_terminal_columns(FILE *stream)
{
	struct winsize size;

	return terminal_size(stream, &size) ? size.ws_col : 0;
}

size_t text_terminal_lines(FILE *stream)
{
	struct winsize size;

	return terminal_size(stream, &size) ? size.ws_row : 0;
}

bool text_terminal_redraws(FILE *stream)
{
	const char *term = getenv("TERM");

	return text_terminal_columns(stream) && term && strcmp(term, "dumb") != 0;
}

void text_wrap(FILE *out, const char *text, size_t at, size_t indent, size_t columns)
{
	size_t column = at;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (column > at && column + 1 + len > columns) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = column = indent;
		} else if (column > at) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, len, out);
		column += len;
		text += len;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

void text_print_roff(FILE *out, const char *text)
{
	bool line_start = true;

	for (; *text; text++) {
		if (line_start && (*text == '.' || *text == '\''))
			fputs("\\&", out);
		line_start = strncmp(text, ". ", 2) == 0;
		if (line_start) {
			fputs(".\n", out);
			text++;
		} else if (*text == '-') {
			fputs("\\-", out);
		} else if (*text == '\\') {
			fputs("\\e", out);
		} else {
			fputc(*text, out);
		}
	}
}

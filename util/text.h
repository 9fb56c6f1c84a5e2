/*
 * Text from strangers: UTF-8 that may be broken, made safe for a table or a terminal.
 *
 * Nothing here asks for the locale.
 */
#ifndef READPERF_UTIL_TEXT_H
#define READPERF_UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** The code point of bytes that are no character. */
#define TEXT_INVALID UINT32_MAX

/** U+FFFD REPLACEMENT CHARACTER in UTF-8, 3 bytes. */
#define TEXT_REPLACEMENT "\xef\xbf\xbd"

/**
 * The first character of the @len bytes (at least 1) at @text; its code point goes to @code.
 *
 * Ill-formed bytes give TEXT_INVALID; they are taken together as Unicode's chapter 3.9 recommends
 * (maximal subpart), so that everybody puts the same number of U+FFFD.
 *
 * @return the bytes that it takes, 1 to 4.
 */
size_t text_decode(const char *text, size_t len, uint32_t *code);

/**
 * Prints as many characters of @text to @out as fit into @columns columns of a terminal. Controls,
 * invalid bytes and unseen characters are printed as `\xNN` for each of their bytes, cut between
 * characters only.
 *
 * @out may be NULL to measure.
 * @return the columns printed.
 */
size_t text_show(FILE *out, const char *text, size_t columns);

/**
 * As text_show(), but what does not fit is cut out of the middle and "..." stands in its place, so
 * that both ends are read. Where that would leave less than 3 columns a side, the end is cut.
 */
size_t text_show_ends(FILE *out, const char *text, size_t columns);

/** The columns of the whole of @text when it is shown. */
size_t text_columns(const char *text);

/** The width of the terminal behind @stream in columns; 0 if it is not a terminal. */
size_t text_terminal_columns(FILE *stream);

/** Its height in lines; 0 if it is not a terminal. */
size_t text_terminal_lines(FILE *stream);

/** Whether @stream is a terminal that can be drawn anew: a dumb one would print the sequences. */
bool text_terminal_redraws(FILE *stream);

/**
 * Prints @text to @out, broken at spaces so that no line is wider than @columns. The first line
 * starts at column @at, where the cursor is; the following ones are indented by @indent. Ends with
 * a newline.
 */
void text_wrap(FILE *out, const char *text, size_t at, size_t indent, size_t columns);

/**
 * Prints the ASCII sentences @text as roff: each on a line of its own, dashes as they are typed, a
 * backslash as itself, and no request at a line's start.
 */
void text_print_roff(FILE *out, const char *text);

#endif

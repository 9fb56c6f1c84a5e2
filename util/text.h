/*
 * Makes untrusted text, possibly invalid UTF-8, safe for a table or a terminal.
 *
 * Nothing here depends on the locale.
 */
#ifndef READPERF_UTIL_TEXT_H
#define READPERF_UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** The code point of invalid bytes. */
#define TEXT_INVALID UINT32_MAX

/** U+FFFD REPLACEMENT CHARACTER in UTF-8, 3 bytes. */
#define TEXT_REPLACEMENT "\xef\xbf\xbd"

/**
 * Decodes the first character of the @len bytes (at least 1) at @text; sets *@code to its code
 * point.
 *
 * Ill-formed bytes give TEXT_INVALID; they are grouped as Unicode's chapter 3.9 recommends (maximal
 * subpart), so that the number of U+FFFD is the same as in other programs.
 *
 * @return its length in bytes, 1 to 4.
 */
size_t text_decode(const char *text, size_t len, uint32_t *code);

/** True if @text has only ASCII characters. */
bool text_is_ascii(const char *text);

/**
 * Copies the @len bytes of @text to @to, which has room for three times as many, with U+FFFD for
 * invalid bytes; no NUL. Returns the end.
 */
char *text_repair(char *to, const char *text, size_t len);

/**
 * Prints as many characters of @text to @out as fit into @columns columns of a terminal. Each byte
 * of control characters, invalid bytes and invisible characters is printed as `\xNN`. Text is only
 * cut between characters.
 *
 * @out may be NULL to measure.
 * @return the columns printed.
 */
size_t text_show(FILE *out, const char *text, size_t columns);

/**
 * As text_show(), but text that does not fit is cut in the middle and replaced by "...", so that
 * both ends are visible. If that leaves less than 3 columns a side, the end is cut.
 */
size_t text_show_ends(FILE *out, const char *text, size_t columns);

/** Returns the columns that all of @text takes when shown. */
size_t text_columns(const char *text);

/** Returns the width of the terminal @stream in columns; 0 if it is not a terminal. */
size_t text_terminal_columns(FILE *stream);

/** Returns the height of the terminal @stream in lines; 0 if it is not a terminal. */
size_t text_terminal_lines(FILE *stream);

/** True if @stream is a terminal that can be redrawn, unlike a dumb one. */
bool text_terminal_redraws(FILE *stream);

/**
 * Prints @text to @out with line breaks at spaces, so that lines have at most @columns columns. The
 * first line starts at column @at, where the cursor is; the others are indented by @indent columns.
 * Ends with a newline.
 */
void text_wrap(FILE *out, const char *text, size_t at, size_t indent, size_t columns);

/**
 * Prints the ASCII sentences @text as roff: one per line, with dashes and backslashes printed
 * literally and no request at the start of a line.
 */
void text_print_roff(FILE *out, const char *text);

#endif

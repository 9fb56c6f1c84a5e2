/*
 * The data of a page while they are written: numbers as JSON, packed columns, and the texts that
 * both refer to by number, so that no text stands in the page as it is.
 */
#ifndef READPERF_REPORT_EXPORT_PAGEDATA_H
#define READPERF_REPORT_EXPORT_PAGEDATA_H

#include "report/export/pagenumbers.h"
#include "util/intern.h"
#include "util/outfile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zero with @out set is a page without data. */
struct pagedata {
	struct outfile *out; /* borrowed */
	struct intern strings;
	size_t nr_written; /* of the strings */
	bool failed;	   /* memory is out */
};

/** The number of @text among the strings, which get a copy of it. */
uint32_t pagedata_string(struct pagedata *data, const char *text);

/** Writes a member of a JSON object that is not its first: a number. */
void pagedata_put_number(struct pagedata *data, const char *key, uint64_t number);

/** A number in quotes: those of JavaScript have 53 bits. */
void pagedata_put_sum(struct pagedata *data, const char *key, uint64_t number);

/** A number with four decimals; null if it is not finite. */
void pagedata_put_decimal(struct pagedata *data, const char *key, double number);

/** The number of a string. */
void pagedata_put_string(struct pagedata *data, const char *key, const char *string);

/** Starts empty packed numbers; false if memory is out. */
bool pagedata_start(struct pagedata *data, struct pagenumbers *packed);

/** Writes what was packed under the name of @what and @number, and frees it. */
void pagedata_write(struct pagedata *data, struct pagenumbers *packed, const char *what,
		    size_t number);

/**
 * Writes the strings that are not written yet in the order of their numbers as part @number of
 * them: how many they are; for each in one byte how many bytes it shares with the one before; the
 * other bytes of each, with its NUL.
 */
void pagedata_write_strings(struct pagedata *data, size_t number);

/** The bytes of the page so far. */
uint64_t pagedata_size(const struct pagedata *data);

void pagedata_free(struct pagedata *data);

#endif

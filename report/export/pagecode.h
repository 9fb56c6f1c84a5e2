/*
 * The source and assembly of the page: the code and the lines of the functions that have the most
 * samples, as far as there is room, and what each instruction counted.
 */
#ifndef READPERF_REPORT_EXPORT_PAGECODE_H
#define READPERF_REPORT_EXPORT_PAGECODE_H

#include "decode/results/functionrows.h"
#include "report/export/pagenumbers.h"
#include "util/index.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Code, and what it counted in the event that it was chosen for. */
struct page_code {
	const struct address_stat *address; /* one of its addresses */
	uint64_t period;
};

/** The chosen code, by number. All zero is none. */
struct pagecode {
	struct page_code *list;
	size_t nr, room;
	struct index by_code;
};

/**
 * Chooses code of the @nr @addresses of one event, that with the largest period first, until it
 * would be more than about @bytes before it is packed. False if memory is out.
 */
bool pagecode_choose(struct pagecode *codes, const struct address_stat *addresses, size_t nr,
		     uint64_t bytes);

/**
 * Packs the chosen code: its number; of each the number of the names of function and binary among
 * @strings, start (the upper and the lower 32 bits), number of bytes and of instructions; of each
 * instruction the distance from the one before (the first: from the start), text, file, line, and
 * the distance of its target from the start + 1, 0 without one. False if memory is out.
 */
bool pagecode_put(const struct pagecode *codes, struct pagenumbers *packed, struct intern *strings);

/**
 * Packs what instructions counted, of the @nr @addresses of one event, whose @nr_functions
 * functions are at @functions: the number of rows; in columns the function's number, less that of
 * the row before, the number of the code, that of the instruction in it, samples and period. Then
 * the number of functions whose address with the largest period has no code: their numbers, each
 * less the one before, and why. False if memory is out.
 */
bool pagecode_put_spots(const struct pagecode *codes, struct pagenumbers *packed,
			struct intern *strings, const struct address_stat *addresses, size_t nr,
			const struct function_stat *functions, size_t nr_functions);

/**
 * Packs the @nr texts of source files, those of the functions with the largest shares first, until
 * they are more than about @bytes: their number; of each the file's name, whether it is newer, why
 * it is missing, the first line, the number of lines and their texts. False if memory is out.
 */
bool pagecode_put_sources(struct pagenumbers *packed, struct intern *strings,
			  const struct source_stat *texts, size_t nr, uint64_t bytes);

void pagecode_free(struct pagecode *codes);

#endif

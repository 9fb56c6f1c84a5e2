/*
 * The functions of an event as the page has them: in the order of their names, as those that begin
 * alike take less room beside each other. The page brings them into the order of results.csv.
 */
#ifndef READPERF_REPORT_EXPORT_PAGEFUNCTIONS_H
#define READPERF_REPORT_EXPORT_PAGEFUNCTIONS_H

#include "decode/results/functionrows.h"
#include "report/export/pagenumbers.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The order. All zero is none. */
struct pagefunctions {
	const struct function_stat *functions; /* borrowed, in the order of results.csv */
	size_t nr;
	uint32_t *rows;	  /* by place on the page: number in results.csv */
	uint32_t *places; /* by number in results.csv: place on the page */
	/* falling periods, and where they are alike the places, tell the order of results.csv; else
	 * both orders are the same */
	bool by_name;
};

/** Sets @order for the @nr @functions. False if memory is out; free it in both cases. */
bool pagefunctions_sort(struct pagefunctions *order, const struct function_stat *functions,
			size_t nr);

/**
 * Packs all but the sums, a column after the other: numbers of names among @strings, which gets
 * them, each less that of the one before and 1; binary, source file, build id, reason, all such
 * numbers; line, size, origin of the code. False if memory is out.
 */
bool pagefunctions_put(const struct pagefunctions *order, struct pagenumbers *packed,
		       struct intern *strings);

void pagefunctions_free(struct pagefunctions *order);

#endif

/*
 * What functions counted, for the page: packed, unless its tree tells it.
 */
#ifndef READPERF_REPORT_EXPORT_PAGESUMS_H
#define READPERF_REPORT_EXPORT_PAGESUMS_H

#include "decode/results/functionrows.h"
#include "decode/results/pathrows.h"
#include "report/export/pagenumbers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The page adds up the sums of functions itself if it has at most so many paths. */
enum { PAGESUMS_PATHS_MAX = 2000000 };

/** Functions of one event, and their paths in the order of pathstat_paths. */
struct pagesums_input {
	const struct function_stat *functions;
	size_t nr_functions;
	const struct path_stat *paths;
	size_t nr_paths;
};

/**
 * Sets *@told to whether the sums of all functions follow from the paths, which are not too many
 * for the page to add up, as exactly as it can count. Returns false if memory is out.
 */
bool pagesums_told(const struct pagesums_input *input, bool *told);

/**
 * Adds the columns self, children and inlined: the samples of each, then its periods. @rows:
 * numbers of the functions, as they come.
 */
void pagesums_put(const struct pagesums_input *input, const uint32_t *rows,
		  struct pagenumbers *packed);

#endif

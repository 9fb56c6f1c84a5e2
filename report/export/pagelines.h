/*
 * The source lines of the page: what each line of a function counted.
 */
#ifndef READPERF_REPORT_EXPORT_PAGELINES_H
#define READPERF_REPORT_EXPORT_PAGELINES_H

#include "decode/results/functionrows.h"
#include "report/export/pagenumbers.h"
#include "util/intern.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Packs the lines of the @nr @addresses of one event, whose functions are at @functions: first
 * their number, then in columns the function's number, ascending, the number of the file's name
 * among
 * @strings, which gets it, the line, samples and period; the lines of a function by falling period.
 * Addresses whose line is unknown are left out. False if memory is out.
 */
bool pagelines_put(struct pagenumbers *packed, struct intern *strings,
		   const struct address_stat *addresses, size_t nr,
		   const struct function_stat *functions);

#endif

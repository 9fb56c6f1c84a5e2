/* The page without its data: the files of report/html/, joined by report/html/join.sh. */
#ifndef READPERF_REPORT_EXPORT_PAGESOURCE_H
#define READPERF_REPORT_EXPORT_PAGESOURCE_H

#include <stddef.h>

/** What stands before the data, and after them; not terminated. */
extern const unsigned char pagesource_head[], pagesource_tail[];
/** Their lengths in bytes. */
extern const size_t pagesource_head_len, pagesource_tail_len;

#endif

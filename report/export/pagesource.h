/* The page without its data: the files of report/html/, joined by report/html/join.sh. */
#ifndef READPERF_REPORT_EXPORT_PAGESOURCE_H
#define READPERF_REPORT_EXPORT_PAGESOURCE_H

#include <stddef.h>

/** What stands before the data, and after them: of a run, and of a comparison; not terminated. */
extern const unsigned char pagesource_head[], pagesource_tail[];
extern const unsigned char pagesource_diff_head[], pagesource_diff_tail[];
/** Their lengths in bytes. */
extern const size_t pagesource_head_len, pagesource_tail_len;
extern const size_t pagesource_diff_head_len, pagesource_diff_tail_len;

#endif

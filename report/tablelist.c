/* The list of tables. It is apart from table.c, which the tables call. */
#include "report/table.h"

/* Only the names of tables and answers are needed here, so they are declared from the list. */
#define DECLARE(name, needed)                   \
	extern const struct table table_##name; \
	extern const struct answer needed;
REPORT_TABLES(DECLARE)

_Static_assert(REPORT_NR_TABLES <= 32, "each has a bit, and fewer needs than ANSWERS_MAX");

#define LINE(name, needed) {&table_##name, &(needed)},
const struct table_line table_list[REPORT_NR_TABLES] = {REPORT_TABLES(LINE)};

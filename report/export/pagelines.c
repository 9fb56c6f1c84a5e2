#include "report/export/pagelines.h"

#include <stdlib.h>
#include <string.h>

/* A source line of a function. */
struct page_line {
	size_t function;
	const char *filename;
	uint32_t line;
	struct tally self;
};

static int compare_places(const void *a, const void *b)
{
	const struct page_line *x = a, *y = b;
	int order;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if ((order = strcmp(x->filename, y->filename)) != 0)
		return order;
	return (x->line > y->line) - (x->line < y->line);
}

static int compare_weights(const void *a, const void *b)
{
	const struct page_line *x = a, *y = b;

	if (x->function == y->function && x->self.period != y->self.period)
		return x->self.period > y->self.period ? -1 : 1;
	return compare_places(a, b);
}

/* Makes one of those that are of one line; returns how many there are then. */
static size_t merge_lines(struct page_line *lines, size_t nr)
{
	size_t kept = 0;

	qsort(lines, nr, sizeof(*lines), compare_places);
	for (size_t i = 0; i < nr; i++) {
		if (kept && compare_places(&lines[kept - 1], &lines[i]) == 0)
			tally_add(&lines[kept - 1].self, lines[i].self.samples,
				  lines[i].self.period);
		else
			lines[kept++] = lines[i];
	}
	qsort(lines, kept, sizeof(*lines), compare_weights);
	return kept;
}

static bool put_lines(struct pagenumbers *packed, struct intern *strings,
		      const struct page_line *lines, size_t nr)
{
	bool ok = true;

	pagenumbers_put(packed, nr);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, lines[i].function);
	for (size_t i = 0; i < nr; i++) {
		const uint32_t filename = intern_string(strings, lines[i].filename);

		ok &= filename != INTERN_NOMEM;
		pagenumbers_put(packed, filename);
	}
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, lines[i].line);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, lines[i].self.samples);
	for (size_t i = 0; i < nr; i++)
		pagenumbers_put(packed, lines[i].self.period);
	return ok;
}

bool pagelines_put(struct pagenumbers *packed, struct intern *strings,
		   const struct address_stat *addresses, size_t nr,
		   const struct function_stat *functions)
{
	struct page_line *lines = calloc(nr + 1, sizeof(*lines));
	size_t nr_lines = 0;
	bool ok;

	if (!lines)
		return false;
	for (size_t i = 0; i < nr; i++)
		if (addresses[i].line)
			lines[nr_lines++] = (struct page_line){
				(size_t)(addresses[i].owner - functions), addresses[i].filename,
				addresses[i].line, addresses[i].self};
	ok = put_lines(packed, strings, lines, merge_lines(lines, nr_lines));
	free(lines);
	return ok;
}

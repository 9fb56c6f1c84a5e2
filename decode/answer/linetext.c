#include "decode/answer/linetext.h"

#include <stdlib.h>
#include <string.h>

/* ---- functions ------------------------------------------------------------------------------- */

static int compare_shares(const void *a, const void *b)
{
	const struct line_share *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return strcmp(x->function, y->function);
}

/* Sets the function of the row whose shares are the @nr first ones; they are sorted. */
static void choose_function(struct line_stat *line, const struct line_share *shares, size_t nr)
{
	uint64_t best = 0;
	size_t first = 0;

	while (first < nr) {
		uint64_t period = 0;
		size_t i = first;

		for (; i < nr && strcmp(shares[i].function, shares[first].function) == 0; i++)
			period += shares[i].period;
		if (!line->function || period > best) {
			line->function = shares[first].function;
			best = period;
		}
		first = i;
	}
}

/* ---- source ---------------------------------------------------------------------------------- */

/* The next rows of the same file are read with it. */
struct line_order {
	struct line_stat *line;
	const struct dso *dso;
};

static int compare_places(const void *a, const void *b)
{
	const struct line_order *x = a, *y = b;
	int order = strcmp(x->line->filename, y->line->filename);

	if (order)
		return order;
	if (x->line->line != y->line->line)
		return x->line->line < y->line->line ? -1 : 1;
	return (x->dso->number > y->dso->number) - (x->dso->number < y->dso->number);
}

/* What is missing so far, and the file that lacks most. */
struct lack_count {
	struct textless_stat *lacks;
	uint64_t most, most_newer;
};

static void count_file(struct lack_count *count, const char *filename, uint64_t missing,
		       const char *why, uint64_t newer)
{
	struct textless_stat *lacks = count->lacks;

	lacks->samples += missing;
	lacks->newer += newer;
	if (missing > count->most) {
		count->most = missing;
		lacks->of = filename;
		lacks->why = why;
	}
	if (newer > count->most_newer) {
		count->most_newer = newer;
		lacks->newest = filename;
	}
}

/* Sets the source of the rows from @first on that are of its file; returns how many, or -1. */
static long fill_file(struct line_order *first, const struct line_order *end,
		      const struct symbolizer *symbolizer, struct intern *strings,
		      struct lack_count *count)
{
	const char *filename = first->line->filename;
	uint64_t missing = 0, all = 0;
	struct sourcefile file;
	struct line_order *at;
	bool newer, ok;

	ok = symbolizer_read_source(symbolizer, first->dso, filename, &file, &newer) == 0;
	for (at = first; ok && at < end && strcmp(at->line->filename, filename) == 0; at++) {
		size_t len;
		const char *text = sourcefile_line(&file, at->line->line, &len);
		const uint32_t number = text ? intern(strings, text, len) : 0;

		ok = number != INTERN_NOMEM;
		all += at->line->self.samples;
		missing += text ? 0 : at->line->self.samples;
		if (ok)
			at->line->source = intern_get(strings, number);
	}
	count_file(count, filename, missing, file.lack[0] ? file.lack : "has fewer lines",
		   newer ? all : 0);
	count->lacks->total += all;
	sourcefile_close(&file);
	return ok ? (long)(at - first) : -1;
}

static int fill_sources(struct line_order *list, size_t nr, const struct symbolizer *symbolizer,
			struct intern *strings, struct textless_stat *lacks)
{
	struct lack_count count = {.lacks = lacks};

	for (size_t i = 0; i < nr;) {
		const long done = fill_file(&list[i], list + nr, symbolizer, strings, &count);

		if (done < 0)
			return -1;
		i += (size_t)done;
	}
	return 0;
}

int linetext_fill(const struct linetext_rows *rows, const struct symbolizer *symbolizer,
		  struct intern *strings, struct textless_stat *lacks)
{
	struct line_order *list = calloc(rows->nr + 1, sizeof(*list));
	size_t nr = 0, first = 0;
	int rc;

	*lacks = (struct textless_stat){.of = "", .why = ""};
	if (!list)
		return -1;
	if (rows->nr_shares)
		qsort(rows->shares, rows->nr_shares, sizeof(*rows->shares), compare_shares);
	for (size_t row = 0; row < rows->nr; row++) {
		struct line_stat *line = &rows->lines[row];
		size_t end = first;

		while (end < rows->nr_shares && rows->shares[end].row == row)
			end++;
		choose_function(line, &rows->shares[first], end - first);
		line->source = "";
		if (line->line)
			list[nr++] = (struct line_order){line, rows->shares[first].dso};
		first = end;
	}
	if (nr)
		qsort(list, nr, sizeof(*list), compare_places);
	rc = fill_sources(list, nr, symbolizer, strings, lacks);
	free(list);
	return rc;
}

/* ---- instructions ---------------------------------------------------------------------------- */

bool linetext_count_instructions(const struct address_stat *addresses, size_t nr,
				 struct textless_stat *lacks)
{
	uint64_t most = 0, missing = 0;

	*lacks = (struct textless_stat){.of = "", .why = ""};
	for (size_t i = 0; i < nr; i++) {
		const struct address_stat *address = &addresses[i];

		if (i == 0 || strcmp(address->binary, addresses[i - 1].binary) != 0)
			missing = 0;
		lacks->total += address->self.samples;
		if (address->instruction[0])
			continue;
		lacks->samples += address->self.samples;
		missing += address->self.samples;
		if (missing > most) {
			most = missing;
			lacks->of = address->binary;
			lacks->why = address->code_lack;
		}
	}
	return lacks->samples;
}

#include "report/export/pick.h"

#include "report/export/sourcepath.h"
#include "util/text.h"
#include "util/textfile.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void pick_nomem(const struct export_view *view)
{
	struct error err = {0};

	error_nomem(&err, "exporting a comparison");
	outfile_fail(view->out, &err);
}

bool pick_is_gated(const struct export_settings *settings)
{
	return settings->gate || settings->total_percent;
}

bool pick_row_fails(const struct export_settings *settings, const struct diff_row *row)
{
	if (pick_is_gated(settings))
		return settings->gate && diff_row_fails(row, settings->gate);
	return row->verdict == VERDICT_MORE;
}

enum verdict pick_total_verdict(const struct export_view *view, const struct diff_event *event)
{
	return view->diff->measure == MEASURE_SHARE ? VERDICT_UNSURE : event->change.verdict;
}

bool pick_total_fails(const struct export_view *view, const struct diff_event *event)
{
	const double *percent = view->settings->total_percent;

	if (pick_is_gated(view->settings))
		return percent && diff_total_fails(event, *percent);
	return pick_total_verdict(view, event) == VERDICT_MORE;
}

/* The weight of a function; it is not picked if this is 0 or less. */
static double weigh(const struct picked *picked, enum pick_order order)
{
	const struct diff_row *row = picked->row;

	switch (order) {
	case PICK_FAILING:
		return picked->fails;
	case PICK_LARGER:
		return picked->fails ? (double)INFINITY : fmax(row->old_value, row->new_value);
	default:
		return row->new_value;
	}
}

static int compare_names(const void *a, const void *b)
{
	const struct picked *x = a, *y = b;
	int order = strcmp(x->row->function, y->row->function);

	return order ? order : strcmp(x->binary, y->binary);
}

static int compare_weights(const void *a, const void *b)
{
	const struct picked *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static bool allocate(struct picks *picks, const struct diff_event *event)
{
	size_t room = 1;

	for (size_t i = 0; i < event->nr_rows; i++)
		room += strlen(event->rows[i].binary) + 1;
	picks->rows = calloc(event->nr_rows + 1, sizeof(*picks->rows));
	picks->binaries = malloc(room);
	return picks->rows && picks->binaries;
}

/* Appends all rows of @event, with their weights and names. */
static void fill(struct picks *picks, const struct export_settings *settings,
		 const struct diff_event *event, enum pick_order order)
{
	char *binary = picks->binaries;

	for (size_t i = 0; i < event->nr_rows; i++) {
		struct picked *picked = &picks->rows[i];

		picked->row = &event->rows[i];
		diff_binary_name(binary, picked->row->binary);
		picked->binary = binary;
		binary += strlen(binary) + 1;
		picked->fails = pick_row_fails(settings, picked->row);
		picked->weight = weigh(picked, order);
	}
	qsort(picks->rows, event->nr_rows, sizeof(*picks->rows), compare_names);
	for (size_t i = 1; i < event->nr_rows; i++) {
		struct picked *pair = &picks->rows[i - 1];

		if (compare_names(&pair[0], &pair[1]) == 0)
			pair[0].shares_name = pair[1].shares_name = true;
	}
	qsort(picks->rows, event->nr_rows, sizeof(*picks->rows), compare_weights);
}

bool pick_rows(struct picks *picks, const struct export_view *view, const struct diff_event *event,
	       enum pick_order order, size_t max)
{
	*picks = (struct picks){0};
	if (!allocate(picks, event)) {
		pick_nomem(view);
		return false;
	}
	fill(picks, view->settings, event, order);
	while (picks->nr < event->nr_rows && picks->nr < max && picks->rows[picks->nr].weight > 0)
		picks->nr++;
	return true;
}

void pick_free(struct picks *picks)
{
	free(picks->rows);
	free(picks->binaries);
	*picks = (struct picks){0};
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *pick_name(const struct export_view *view, const struct picked *picked)
{
	const struct diff_row *row = picked->row;
	struct textfile text;
	char *name;

	if (textfile_open(&text)) {
		text_show(text.out, row->event, SIZE_MAX);
		fputs(": ", text.out);
		text_show(text.out, row->function, SIZE_MAX);
		if (picked->shares_name) {
			fputs(", ", text.out);
			text_show(text.out, sourcepath_strip(view->settings, row->filename),
				  SIZE_MAX);
		}
		fputs(", ", text.out);
		text_show(text.out, picked->shares_name ? base_of(row->binary) : picked->binary,
			  SIZE_MAX);
	}
	name = textfile_close(&text);
	if (!name)
		pick_nomem(view);
	return name;
}

/* FNV-1a (Fowler, Noll and Vo): the hashes of util/hash.h differ from run to run. */
void pick_fingerprint(char to[PICK_FINGERPRINT], const char *name)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
	snprintf(to, PICK_FINGERPRINT, "%016" PRIx64, hash);
}

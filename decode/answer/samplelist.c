#include "decode/answer/samplelist.h"

#include "util/sorter.h"

#include <stddef.h>

enum { BUDGET_BYTES = 32 << 20 };

struct sample_row {
	struct sample_stat sample;
	uint64_t order; /* in which samples came */
};

static int compare_rows(const void *a, const void *b)
{
	const struct sample_row *x = a, *y = b;

	if (x->sample.thread != y->sample.thread)
		return x->sample.thread < y->sample.thread ? -1 : 1;
	if (x->sample.time != y->sample.time)
		return x->sample.time < y->sample.time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

bool samplelist_start(struct sample_list *list)
{
	samplelist_free(list);
	list->sorter = sorter_create(sizeof(struct sample_row), compare_rows, BUDGET_BYTES);
	return list->sorter;
}

int samplelist_add(struct sample_list *list, const struct logged_sample *sample, uint32_t chain,
		   struct error *err)
{
	const struct sample_row row = {
		.sample =
			{
				.time = sample->time == SAMPLELOG_TIMELESS ? 0 : sample->time,
				.period = sample->period,
				.thread = sample->thread,
				.chain = chain,
			},
		.order = list->nr++,
	};

	return sorter_add(list->sorter, &row, err);
}

int samplelist_rewind(struct sample_list *list, struct error *err)
{
	return sorter_start(list->sorter, err);
}

int samplelist_next(struct sample_list *list, struct sample_stat *row, struct error *err)
{
	const void *next;
	const int rc = sorter_next(list->sorter, &next, err);

	if (rc > 0)
		*row = ((const struct sample_row *)next)->sample;
	return rc;
}

void samplelist_free(struct sample_list *list)
{
	sorter_free(list->sorter);
	*list = (struct sample_list){0};
}

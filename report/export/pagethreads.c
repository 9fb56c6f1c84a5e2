#include "report/export/pagethreads.h"

#include "util/array.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

static int compare_threads(const void *a, const void *b)
{
	const struct page_thread *x = a, *y = b;

	if (x->self.period != y->self.period)
		return x->self.period > y->self.period ? -1 : 1;
	if (x->self.samples != y->self.samples)
		return x->self.samples > y->self.samples ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return (x->life > y->life) - (x->life < y->life);
}

/* The samples of no known process go to the end: they are not told from others there. */
static void move_unknown(struct pagethreads *threads)
{
	struct page_thread *list = threads->list;

	for (size_t i = 0; i + 1 < threads->nr; i++) {
		const struct page_thread moved = list[i];

		if (moved.life)
			continue;
		memmove(&list[i], &list[i + 1], (threads->nr - i - 1) * sizeof(*list));
		list[threads->nr - 1] = moved;
		break;
	}
}

/* The smallest ones become the last one. */
static void join_others(struct pagethreads *threads)
{
	struct page_thread *last;

	if (threads->nr > 1)
		qsort(threads->list, threads->nr, sizeof(*threads->list), compare_threads);
	if (threads->nr <= PAGETHREADS_MAX)
		return;
	move_unknown(threads);
	last = &threads->list[PAGETHREADS_MAX - 1];
	last->life = 0;
	last->pid = last->tid = PAGETHREADS_OTHERS;
	for (size_t i = PAGETHREADS_MAX; i < threads->nr; i++)
		tally_add(&last->self, threads->list[i].self.samples, threads->list[i].self.period);
	threads->nr_others = threads->nr - PAGETHREADS_MAX + 1;
	threads->nr = PAGETHREADS_MAX;
}

/* The row of the samples of no known process, of which there is one: its lives are not told apart. */
static struct page_thread *find_unknown(const struct pagethreads *threads)
{
	for (size_t i = 0; i < threads->nr; i++)
		if (!threads->list[i].life)
			return &threads->list[i];
	return NULL;
}

static bool add(struct pagethreads *threads, const struct thread_stat *thread, uint32_t event,
		struct intern *strings)
{
	struct page_thread *unknown = thread->pid < 0 ? find_unknown(threads) : NULL;
	const struct page_thread row = {
		.life = thread->pid < 0 ? 0 : thread->life,
		.pid = thread->pid,
		.tid = thread->tid,
		.comm = intern_string(strings, thread->comm),
		.process_comm = intern_string(strings, thread->process_comm),
		.self = thread->by_event[event],
	};

	if (unknown) {
		tally_add(&unknown->self, row.self.samples, row.self.period);
		return true;
	}
	if (row.comm == INTERN_NOMEM || row.process_comm == INTERN_NOMEM ||
	    !array_grow(threads->list, threads->room, threads->nr + 1))
		return false;
	threads->list[threads->nr++] = row;
	return true;
}

static bool index_lives(struct pagethreads *threads)
{
	for (size_t i = 0; i < threads->nr; i++)
		if (!index_add(&threads->by_life, hash_u64(threads->list[i].life)))
			return false;
	return true;
}

int pagethreads_make(struct pagethreads *threads, const struct row_source *source, uint32_t event,
		     struct intern *strings, struct error *err)
{
	struct thread_stat thread;
	int rc;

	*threads = (struct pagethreads){0};
	if (!source->start)
		return 0;
	if (source->start(source->arg, err) < 0)
		return -1;
	while ((rc = source->next(source->arg, &thread, err)) > 0)
		if (thread.by_event[event].samples && !add(threads, &thread, event, strings))
			return error_nomem(err, "listing threads");
	if (rc < 0)
		return -1;
	join_others(threads);
	return index_lives(threads) ? 0 : error_nomem(err, "listing threads");
}

uint32_t pagethreads_find(const struct pagethreads *threads, uint64_t life)
{
	const struct index *ix = &threads->by_life;
	const uint64_t hash = hash_u64(life);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);)
		if (threads->list[number].life == life)
			return number;
	return life && threads->nr ? pagethreads_find(threads, 0) : 0;
}

void pagethreads_put(const struct pagethreads *threads, struct pagenumbers *packed)
{
	const struct page_thread *list = threads->list;

	for (size_t i = 0; i < threads->nr; i++)
		pagenumbers_put_signed(packed, list[i].pid);
	for (size_t i = 0; i < threads->nr; i++)
		pagenumbers_put_signed(packed, list[i].tid);
	for (size_t i = 0; i < threads->nr; i++)
		pagenumbers_put(packed, list[i].comm);
	for (size_t i = 0; i < threads->nr; i++)
		pagenumbers_put(packed, list[i].process_comm);
	for (size_t i = 0; i < threads->nr; i++)
		pagenumbers_put(packed, list[i].self.samples);
	for (size_t i = 0; i < threads->nr; i++)
		pagenumbers_put(packed, list[i].self.period);
}

void pagethreads_free(struct pagethreads *threads)
{
	free(threads->list);
	index_free(&threads->by_life);
	*threads = (struct pagethreads){0};
}

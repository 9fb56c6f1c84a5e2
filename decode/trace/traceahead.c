#include "decode/trace/traceahead.h"

#include "util/thread.h"

#include <stdlib.h>

/* ---- decoding -------------------------------------------------------------------------------- */

/* The next piece that nobody decodes; NULL: there is none, or no log for it. */
static struct tracepiece *take(struct traceahead *ahead)
{
	struct tracepiece *piece;

	while (ahead->next < ahead->nr && ahead->order[ahead->next]->state != TRACEPIECE_WAITING)
		ahead->next++;
	if (ahead->next == ahead->nr || ahead->nr_logs >= 2 * ahead->nr_helpers)
		return NULL;
	piece = ahead->order[ahead->next++];
	piece->state = TRACEPIECE_TAKEN;
	ahead->nr_logs++;
	if (ahead->nr_spare)
		piece->log = ahead->spare[--ahead->nr_spare];
	return piece;
}

/* Takes back the log of @piece, which has none then. */
static void take_log(struct traceahead *ahead, struct tracepiece *piece)
{
	piece->state = TRACEPIECE_DIRECT;
	ahead->spare[ahead->nr_spare++] = piece->log;
	piece->log = (struct tracelog){0};
	ahead->nr_logs--;
}

/* Decodes @piece; the lock is held, but not meanwhile. */
static void decode(struct traceahead *ahead, struct trace_helper *helper, struct tracepiece *piece)
{
	bool ok;

	pthread_mutex_unlock(&ahead->lock);
	ok = tracereader_log(&helper->reader, piece);
	tracereader_close(&helper->reader);
	pthread_mutex_lock(&ahead->lock);
	piece->state = TRACEPIECE_LOGGED;
	if (!ok)
		take_log(ahead, piece);
	pthread_cond_broadcast(&ahead->changed);
}

static void *run(void *arg)
{
	struct trace_helper *helper = arg;
	struct traceahead *ahead = helper->ahead;
	struct tracepiece *piece;

	pthread_mutex_lock(&ahead->lock);
	while (!ahead->over) {
		piece = take(ahead);
		if (piece)
			decode(ahead, helper, piece);
		else if (ahead->next == ahead->nr)
			break;
		else
			pthread_cond_wait(&ahead->changed, &ahead->lock);
	}
	pthread_mutex_unlock(&ahead->lock);
	return NULL;
}

/* ---- the one who counts ---------------------------------------------------------------------- */

bool traceahead_init(struct traceahead *ahead, const struct trace_setup *setup, size_t nr_threads,
		     struct tracecode *code)
{
	ahead->setup = setup;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	if (nr_threads > TRACEAHEAD_THREADS_MAX)
		nr_threads = TRACEAHEAD_THREADS_MAX;
	if (nr_threads == 1)
		return true;
	for (size_t i = 0; i < nr_threads; i++) {
		struct trace_helper *helper = &ahead->helpers[ahead->nr_helpers++];

		helper->ahead = ahead;
		helper->reader = (struct tracereader){.setup = setup, .kit = &helper->kit};
		if (!tracekit_init(&helper->kit, code, setup->pokes))
			return false;
	}
	return true;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct tracepiece *x = *(struct tracepiece *const *)a;
	const struct tracepiece *y = *(struct tracepiece *const *)b;

	if (x->tsc != y->tsc)
		return x->tsc < y->tsc ? -1 : 1;
	return (x > y) - (x < y);
}

static void start_threads(struct traceahead *ahead)
{
	for (size_t i = 1; i < ahead->nr_helpers && i < ahead->nr; i++) {
		if (!thread_start(&ahead->helpers[i].thread, run, &ahead->helpers[i]))
			break;
		ahead->nr_threads++;
	}
}

bool traceahead_begin(struct traceahead *ahead, struct tracepieces *pieces)
{
	ahead->over = false;
	ahead->nr = ahead->next = 0;
	if (ahead->nr_helpers == 0)
		return true;
	ahead->order = calloc(pieces->nr + 1, sizeof(struct tracepiece *));
	if (!ahead->order)
		return false;
	for (size_t i = 0; i < pieces->nr; i++)
		ahead->order[ahead->nr++] = &pieces->list[i];
	qsort(ahead->order, ahead->nr, sizeof(struct tracepiece *), compare_pieces);
	start_threads(ahead);
	return true;
}

bool traceahead_get(struct traceahead *ahead, struct tracepiece *piece)
{
	bool logged;

	if (ahead->nr_helpers == 0)
		return false;
	pthread_mutex_lock(&ahead->lock);
	if (piece->state == TRACEPIECE_WAITING)
		piece->state = TRACEPIECE_DIRECT;
	while (piece->state == TRACEPIECE_TAKEN) {
		struct tracepiece *other = take(ahead);

		if (other)
			decode(ahead, &ahead->helpers[0], other);
		else
			pthread_cond_wait(&ahead->changed, &ahead->lock);
	}
	logged = piece->state == TRACEPIECE_LOGGED;
	pthread_mutex_unlock(&ahead->lock);
	return logged;
}

void traceahead_release(struct traceahead *ahead, struct tracepiece *piece)
{
	pthread_mutex_lock(&ahead->lock);
	take_log(ahead, piece);
	pthread_cond_broadcast(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
}

void traceahead_end(struct traceahead *ahead)
{
	if (ahead->nr_helpers == 0)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->over = true;
	pthread_cond_broadcast(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	for (; ahead->nr_threads > 0; ahead->nr_threads--)
		pthread_join(ahead->helpers[ahead->nr_threads].thread, NULL);
	for (size_t i = 0; i < ahead->nr; i++)
		if (ahead->order[i]->state == TRACEPIECE_LOGGED)
			take_log(ahead, ahead->order[i]);
	free(ahead->order);
	ahead->order = NULL;
}

void traceahead_free(struct traceahead *ahead)
{
	for (size_t i = 0; i < ahead->nr_helpers; i++)
		tracekit_free(&ahead->helpers[i].kit);
	while (ahead->nr_spare > 0)
		tracelog_free(&ahead->spare[--ahead->nr_spare]);
	pthread_mutex_destroy(&ahead->lock);
	pthread_cond_destroy(&ahead->changed);
}

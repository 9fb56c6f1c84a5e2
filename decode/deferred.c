#include "decode/deferred.h"

#include "decode/context.h"

#include <stdlib.h>
#include <string.h>

/* Sets the copy's chain to the first @nr of its words. */
static void set_chain(struct deferred *deferred, size_t nr)
{
	deferred->rec.sample.callchain.ips =
		span_make(deferred->words, nr * sizeof(deferred->words[0]), false);
}

bool deferred_cookie(const struct record *rec, uint64_t *cookie)
{
	struct span ips = rec->sample.callchain.ips;

	if (span_left(&ips) < 2 * sizeof(uint64_t))
		return false;
	ips.pos = ips.end - 2 * sizeof(uint64_t);
	if (span_u64(&ips) != CONTEXT_USER_DEFERRED)
		return false;
	*cookie = span_u64(&ips);
	return true;
}

bool deferred_hold(struct thread *thread, const struct record *rec, uint64_t cookie,
		   const struct event *event, uint64_t period, uint32_t leaf)
{
	struct span ips = rec->sample.callchain.ips;
	size_t nr = span_left(&ips) / sizeof(uint64_t) - 2;
	struct deferred *deferred = malloc(sizeof(*deferred) + nr * sizeof(uint64_t));

	if (!deferred)
		return false;
	deferred->rec = *rec;
	deferred->event = event;
	deferred->period = period;
	deferred->leaf = leaf;
	deferred->cookie = cookie;
	for (size_t i = 0; i < nr; i++)
		deferred->words[i] = span_u64(&ips);
	set_chain(deferred, nr);
	deferred->next = thread->deferred;
	thread->deferred = deferred;
	return true;
}

struct deferred *deferred_take_all(struct thread *thread)
{
	struct deferred *all = thread->deferred;

	thread->deferred = NULL;
	return all;
}

struct deferred *deferred_take_others(struct thread *thread, uint64_t cookie)
{
	/* They come in the order of their cookies, so the first tells of all. */
	if (!thread->deferred || thread->deferred->cookie == cookie)
		return NULL;
	return deferred_take_all(thread);
}

struct deferred *deferred_merge(struct deferred *deferred, struct span ips)
{
	size_t had = span_left(&deferred->rec.sample.callchain.ips) / sizeof(uint64_t);
	size_t more = span_left(&ips) / sizeof(uint64_t);
	struct deferred *grown =
		realloc(deferred, sizeof(*deferred) + (had + 1 + more) * sizeof(uint64_t));

	if (!grown) {
		free(deferred);
		return NULL;
	}
	grown->words[had] = CONTEXT_USER;
	for (size_t i = 0; i < more; i++)
		grown->words[had + 1 + i] = span_u64(&ips);
	set_chain(grown, had + 1 + more);
	return grown;
}

void deferred_free(struct deferred *deferred)
{
	for (struct deferred *next; deferred; deferred = next) {
		next = deferred->next;
		free(deferred);
	}
}

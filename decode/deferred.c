#include "decode/deferred.h"

#include "perffile/context.h"

#include <stdlib.h>
#include <string.h>

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
	deferred->rec.sample.callchain.ips =
		span_make(deferred->words, nr * sizeof(deferred->words[0]), false);
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

void deferred_free(struct deferred *deferred)
{
	for (struct deferred *next; deferred; deferred = next) {
		next = deferred->next;
		free(deferred);
	}
}

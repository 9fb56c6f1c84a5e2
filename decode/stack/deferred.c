#include "decode/stack/deferred.h"

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

bool deferred_hold(struct deferred **list, const struct stack_sample *sample, uint64_t cookie)
{
	struct span ips = sample->rec->sample.callchain.ips;
	size_t nr = span_left(&ips) / sizeof(uint64_t) - 2;
	struct deferred *deferred = malloc(sizeof(*deferred) + nr * sizeof(uint64_t));

	if (!deferred)
		return false;
	deferred->sample = *sample;
	deferred->sample.rec = &deferred->rec;
	deferred->rec = *sample->rec;
	/* What else it has is the recording's, and has no user chain. */
	if (deferred->rec.event->layout.has_extra)
		deferred->rec.sample.extra = (struct sample_extra){0};
	deferred->cookie = cookie;
	deferred->wait = UINT32_MAX;
	for (size_t i = 0; i < nr; i++)
		deferred->words[i] = span_u64(&ips);
	deferred->rec.sample.callchain.ips =
		span_make(deferred->words, nr * sizeof(deferred->words[0]), false);
	deferred->next = *list;
	*list = deferred;
	return true;
}

struct deferred *deferred_take_all(struct deferred **list)
{
	struct deferred *all = *list;

	*list = NULL;
	return all;
}

struct deferred *deferred_take_others(struct deferred **list, uint64_t cookie)
{
	/* Samples come in the order of their cookies, so checking the first one is enough. */
	if (!*list || (*list)->cookie == cookie)
		return NULL;
	return deferred_take_all(list);
}

void deferred_free(struct deferred *deferred)
{
	for (struct deferred *next; deferred; deferred = next) {
		next = deferred->next;
		free(deferred);
	}
}

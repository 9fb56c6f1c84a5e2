#include "decode/trace/cswaiting.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>

/* Behind the newest branch no more waits in a trace: what a packet can cost has a bound. */
enum { BEHIND_MAX = 1 << 10 };

static bool is_instruction(const struct cswaiting_item *item)
{
	return item->kind < CSWAITING_ADDRESS;
}

static bool is_clock(const struct cswaiting_item *item)
{
	return item->kind == CSWAITING_TIME || item->kind == CSWAITING_CYCLES;
}

bool cswaiting_add(struct cswaiting *waiting, const struct cswaiting_item *item)
{
	const size_t nr = waiting->end - waiting->first;

	if (waiting->end == waiting->room && waiting->first > nr) {
		memmove(waiting->list, waiting->list + waiting->first, nr * sizeof(*item));
		waiting->first = 0;
		waiting->end = nr;
	}
	if (!array_grow(waiting->list, waiting->room, waiting->end + 1))
		return false;
	waiting->list[waiting->end++] = *item;
	waiting->nr += is_instruction(item);
	return true;
}

bool cswaiting_take(struct cswaiting *waiting, size_t left, struct cswaiting_item *item)
{
	for (; waiting->nr_unseen && waiting->nr > left; waiting->nr--)
		waiting->nr_unseen--;
	if (waiting->nr_unseen || waiting->first == waiting->end)
		return false;
	*item = waiting->list[waiting->first];
	if (is_instruction(item) && waiting->nr <= left)
		return false;
	waiting->nr -= is_instruction(item);
	if (++waiting->first == waiting->end)
		waiting->first = waiting->end = 0;
	return true;
}

/* Clocks tell of what has passed, whatever was executed. */
bool cswaiting_cancel(struct cswaiting *waiting, size_t nr)
{
	size_t from = waiting->end, to;

	if (nr > waiting->nr)
		return false;
	waiting->nr -= nr;
	while (nr && from > waiting->first)
		nr -= is_instruction(&waiting->list[--from]);
	waiting->nr_unseen -= nr;
	to = from;
	for (; from < waiting->end; from++)
		if (is_clock(&waiting->list[from]))
			waiting->list[to++] = waiting->list[from];
	waiting->end = to;
	return true;
}

/* Addresses behind it are those that it did not lead to. */
bool cswaiting_turn(struct cswaiting *waiting)
{
	const bool is_long = waiting->end - waiting->first > BEHIND_MAX;
	const size_t oldest = is_long ? waiting->end - BEHIND_MAX : waiting->first;
	size_t at = waiting->end, to;

	while (at > oldest && waiting->list[at - 1].kind != CSWAITING_BRANCH)
		at--;
	if (at == oldest)
		return !is_long && waiting->nr_unseen;
	waiting->list[at - 1].flag = !waiting->list[at - 1].flag;
	to = at;
	for (; at < waiting->end; at++)
		if (waiting->list[at].kind != CSWAITING_ADDRESS)
			waiting->list[to++] = waiting->list[at];
	waiting->end = to;
	return true;
}

void cswaiting_clear(struct cswaiting *waiting, size_t nr_unseen)
{
	waiting->first = waiting->end = 0;
	waiting->nr = waiting->nr_unseen = nr_unseen;
}

void cswaiting_free(struct cswaiting *waiting)
{
	free(waiting->list);
	*waiting = (struct cswaiting){0};
}

#include "decode/answer/resolve.h"

#include "util/keysort.h"

#include <stdlib.h>

/*
 * Sorts @list, numbers of addresses, by the key of each; those with equal keys stay in their order.
 * @spare: room for as many.
 */
static void sort_by(struct keyed *list, struct keyed *spare, size_t nr,
		    const struct address *addresses, uint64_t (*key_of)(const struct address *))
{
	for (size_t i = 0; i < nr; i++) {
		if (i + ADDRESS_AHEAD < nr)
			address_prefetch(addresses, list[i + ADDRESS_AHEAD].value);
		list[i].key = key_of(&addresses[list[i].value]);
	}
	keysort(list, spare, nr);
}

static uint64_t event_of(const struct address *address)
{
	return address->event;
}

static uint64_t place_of(const struct address *address)
{
	return address->place;
}

static uint64_t dso_of(const struct address *address)
{
	return address->dso;
}

/* Sorts the addresses by dso, place and event. Returns false if memory is out. */
static bool sort_addresses(struct place_set *set, const struct address *addresses)
{
	const size_t nr = set->nr_sorted;
	struct keyed *list = calloc(nr * 2 + 1, sizeof(*list));

	if (!list)
		return false;
	for (size_t i = 0; i < nr; i++)
		list[i].value = i;
	sort_by(list, list + nr, nr, addresses, event_of);
	sort_by(list, list + nr, nr, addresses, dso_of);
	/* Places of one dso have few digits that differ, and fit into the processor's caches. */
	for (size_t first = 0, end; first < nr; first = end) {
		for (end = first + 1; end < nr && list[end].key == list[first].key; end++)
			;
		sort_by(list + first, list + nr, end - first, addresses, place_of);
	}
	for (size_t i = 0; i < nr; i++)
		set->sorted[i].number = (uint32_t)list[i].value;
	free(list);
	return true;
}

static int alloc_places(struct place_set *set, size_t nr, size_t nr_dsos, unsigned wishes)
{
	set->nr_sorted = nr;
	set->sorted = calloc(nr + 1, sizeof(*set->sorted));
	set->places = calloc(nr + 1, sizeof(*set->places));
	set->lists = calloc(nr_dsos + 1, sizeof(*set->lists));
	if (wishes)
		set->details = calloc(nr + 1, sizeof(*set->details));
	return set->sorted && set->places && set->lists && (set->details || !wishes) ? 0 : -1;
}

/* Adds to each place its part of the period of each event, and counts these events. */
static int add_shares(struct place_set *set, const struct address_table *addresses)
{
	uint64_t *totals;
	unsigned nr_events = 0;
	uint32_t last = 0;

	for (size_t i = 0; i < set->nr_sorted; i++)
		if (addresses->addresses[i].event > last)
			last = addresses->addresses[i].event;
	totals = calloc((size_t)last + 1, sizeof(*totals));
	if (!totals)
		return -1;
	for (size_t i = 0; i < set->nr_sorted; i++) {
		const struct address *at = &addresses->addresses[i];

		nr_events += !totals[at->event] && at->self.period;
		if (__builtin_add_overflow(totals[at->event], at->self.period, &totals[at->event]))
			totals[at->event] = UINT64_MAX;
	}
	for (size_t i = 0; i < set->nr_sorted; i++) {
		const struct address *at = &addresses->addresses[set->sorted[i].number];

		if (at->self.period)
			set->details[set->sorted[i].place].share +=
				(double)at->self.period / (double)totals[at->event];
	}
	for (size_t i = 0; i < set->nr_lists; i++)
		set->lists[i].nr_events = nr_events ? nr_events : 1;
	free(totals);
	return 0;
}

static void start_list(struct place_set *set, const struct dso *dso, unsigned wishes)
{
	set->lists[set->nr_lists++] = (struct place_list){
		.dso = dso,
		.places = &set->places[set->nr_places],
		.details = set->details ? &set->details[set->nr_places] : NULL,
		.wishes = wishes,
	};
}

int resolve_collect(struct place_set *set, const struct dso_table *dsos,
		    const struct address_table *addresses, unsigned wishes, struct error *err)
{
	const struct address *last = NULL;

	if (alloc_places(set, address_count(addresses), dsos->nr_dsos, wishes) < 0 ||
	    !sort_addresses(set, addresses->addresses))
		return error_nomem(err, "sorting addresses");
	/* Equal addresses of different events share a place. */
	for (size_t i = 0; i < set->nr_sorted; i++) {
		const struct address *at = &addresses->addresses[set->sorted[i].number];

		if (i + ADDRESS_AHEAD < set->nr_sorted)
			address_prefetch(addresses->addresses,
					 set->sorted[i + ADDRESS_AHEAD].number);
		if (!last || last->dso != at->dso)
			start_list(set, dsos->dsos[at->dso], wishes);
		if (!last || last->dso != at->dso || last->place != at->place) {
			set->places[set->nr_places++].address = at->place;
			set->lists[set->nr_lists - 1].nr_places++;
		}
		set->sorted[i].place = (uint32_t)(set->nr_places - 1);
		if (wishes & WISH_CALLERS || (wishes && at->self.samples))
			set->details[set->nr_places - 1].wanted = true;
		last = at;
	}
	if (wishes & WISH_CODE && add_shares(set, addresses) < 0)
		return error_nomem(err, "sorting addresses");
	return 0;
}

/* Passes the caller's tick the total over all lists. */
struct total_tick {
	void (*tick)(void *arg, size_t done, size_t total);
	void *arg;
	size_t total;
};

static void tick_lists(void *arg, size_t done)
{
	const struct total_tick *total = arg;

	total->tick(total->arg, done, total->total);
}

int resolve_symbols(struct place_set *set, struct symbolizer *symbolizer,
		    void (*tick)(void *arg, size_t done, size_t total), void *tick_arg,
		    struct error *err)
{
	struct total_tick total = {tick, tick_arg, set->nr_lists};

	return symbolizer_resolve(symbolizer, set->lists, set->nr_lists, tick ? tick_lists : NULL,
				  &total, err);
}

void resolve_free(struct place_set *set)
{
	free(set->sorted);
	free(set->places);
	free(set->details);
	free(set->lists);
	*set = (struct place_set){0};
}

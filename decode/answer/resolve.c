#include "decode/answer/resolve.h"

#include <stdlib.h>

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

/* Marks the places whose details are wanted. */
static void want_details(struct place_set *set, const struct address_table *addresses,
			 unsigned wishes)
{
	for (size_t i = 0; i < set->nr_sorted; i++) {
		const struct sorted_address *at = &set->sorted[i];

		if (wishes & WISH_CALLERS || addresses->addresses[at->number].self.samples)
			set->details[at->place].wanted = true;
	}
	for (size_t i = 0; i < set->nr_lists; i++)
		set->lists[i].wishes = wishes;
}

int resolve_collect(struct place_set *set, const struct dso_table *dsos,
		    const struct address_table *addresses, unsigned wishes, struct helpers *helpers,
		    struct error *err)
{
	if (wishes)
		set->details = calloc(address_count(addresses) + 1, sizeof(*set->details));
	if ((wishes && !set->details) || !placesort_collect(set, dsos, addresses, helpers))
		return error_nomem(err, "sorting addresses");
	if (wishes)
		want_details(set, addresses, wishes);
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

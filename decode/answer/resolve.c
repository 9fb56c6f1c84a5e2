#include "decode/answer/resolve.h"

#include "util/keysort.h"
#include "util/largemem.h"
#include "util/zeroed.h"

#include <stdlib.h>

static int alloc_places(struct place_set *set, size_t nr, size_t nr_dsos, unsigned wishes)
{
	set->sorted = largemem_get_all((nr + 1) * sizeof(*set->sorted), nr * sizeof(*set->sorted));
	set->places = zeroed_get(nr + 1, sizeof(*set->places));
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

/* What addresses are sorted with. */
struct sorting {
	struct keyed *list, *spare;
	size_t *ends; /* by dso number: where its addresses end in set->sorted */
};

static void sorting_free(struct sorting *sorting)
{
	free(sorting->list);
	free(sorting->ends);
	*sorting = (struct sorting){0};
}

/* Makes room for @nr addresses. Returns false if memory is out. */
static bool sorting_room(struct sorting *sorting, size_t nr)
{
	free(sorting->list);
	sorting->list = largemem_get_all((2 * nr + 1) * sizeof(*sorting->list),
					 2 * nr * sizeof(*sorting->list));
	sorting->spare = sorting->list + nr;
	return sorting->list;
}

static bool have_one_event(const struct address_table *table)
{
	for (size_t i = 1; i < address_count(table); i++)
		if (table->addresses[i].event != table->addresses[0].event)
			return false;
	return true;
}

/* Lists the numbers of all addresses in the order of their events, if there are several. Returns
 * false if memory is out. */
static bool sort_events(struct sorting *sorting, const struct address_table *table)
{
	const size_t nr = address_count(table);

	if (have_one_event(table))
		return true;
	if (!sorting_room(sorting, nr))
		return false;
	for (size_t i = 0; i < nr; i++)
		sorting->list[i] = (struct keyed){table->addresses[i].event, i};
	keysort(sorting->list, sorting->spare, nr);
	return true;
}

/* Puts the numbers of the addresses into set->sorted, those of one dso after those of another.
 * Returns that of the dso with the most. */
static size_t sort_dsos(struct place_set *set, struct sorting *sorting,
			const struct address_table *table, size_t nr_dsos)
{
	const size_t nr = address_count(table);
	size_t start = 0, most = 0;

	for (size_t i = 0; i < nr; i++)
		sorting->ends[table->addresses[i].dso]++;
	for (size_t i = 0; i < nr_dsos; i++) {
		const size_t of_dso = sorting->ends[i];

		sorting->ends[i] = start;
		start += of_dso;
		most = of_dso > most ? of_dso : most;
	}
	for (size_t i = 0; i < nr; i++) {
		const size_t number = sorting->list ? sorting->list[i].value : i;

		set->sorted[sorting->ends[table->addresses[number].dso]++].number =
			(uint32_t)number;
	}
	return most;
}

/* Sorts the @nr addresses of @dso that come next, at least one, by place, and adds these. */
static void add_dso(struct place_set *set, const struct dso *dso, struct sorting *sorting,
		    const struct address *addresses, size_t nr)
{
	struct sorted_address *sorted = &set->sorted[set->nr_sorted];
	struct place *place = &set->places[set->nr_places];
	struct place_list *of_dso = &set->lists[set->nr_lists++];
	struct keyed *list = sorting->list;

	for (size_t i = 0; i < nr; i++)
		list[i] = (struct keyed){addresses[sorted[i].number].place, sorted[i].number};
	keysort(list, sorting->spare, nr);
	*of_dso = (struct place_list){
		.dso = dso,
		.places = place,
		.details = set->details ? &set->details[set->nr_places] : NULL,
	};
	place->address = list[0].key;
	for (size_t i = 0; i < nr; i++) {
		/* Equal addresses of different events share a place. */
		if (list[i].key != place->address)
			(++place)->address = list[i].key;
		sorted[i].number = (uint32_t)list[i].value;
		sorted[i].place = (uint32_t)(place - set->places);
	}
	of_dso->nr_places = (size_t)(place - of_dso->places) + 1;
	set->nr_places += of_dso->nr_places;
	set->nr_sorted += nr;
}

/* Collects the places by dso, address and event. Returns false if memory is out. */
static bool collect(struct place_set *set, struct sorting *sorting, const struct dso_table *dsos,
		    const struct address_table *table)
{
	size_t most;

	sorting->ends = calloc(dsos->nr_dsos + 1, sizeof(*sorting->ends));
	if (!sorting->ends || !sort_events(sorting, table))
		return false;
	most = sort_dsos(set, sorting, table, dsos->nr_dsos);
	if (!sorting_room(sorting, most))
		return false;
	for (size_t i = 0; i < dsos->nr_dsos; i++) {
		const size_t nr = sorting->ends[i] - set->nr_sorted;

		if (nr > 0)
			add_dso(set, dsos->dsos[i], sorting, table->addresses, nr);
	}
	return true;
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
		    const struct address_table *addresses, unsigned wishes, struct error *err)
{
	struct sorting sorting = {0};
	const bool ok = alloc_places(set, address_count(addresses), dsos->nr_dsos, wishes) == 0 &&
			collect(set, &sorting, dsos, addresses);

	sorting_free(&sorting);
	if (!ok)
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

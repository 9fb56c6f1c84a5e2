#include "decode/answer/resolve.h"

#include "util/keysort.h"
#include "util/largemem.h"

#include <stdlib.h>

static struct sorted_address *make_list(size_t nr)
{
	const size_t bytes = nr * sizeof(struct sorted_address);

	return largemem_get_all(bytes + 1, bytes);
}

static int alloc_places(struct place_set *set, size_t nr, size_t nr_dsos, unsigned wishes)
{
	set->sorted = make_list(nr);
	set->places = largemem_get_all((nr + 1) * sizeof(*set->places), nr * sizeof(*set->places));
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

/* The addresses of one dso. */
struct dso_part {
	uint64_t first;	 /* one of its places */
	uint64_t differ; /* bits in which another is not as the first */
	size_t nr, end;	 /* where it ends in the list so far */
};

/* What addresses are sorted with: until they are sorted, their places are parts of addresses. */
struct sorting {
	struct sorted_address *by_event; /* all, or NULL if all have one event */
	struct sorted_address *spare;
	struct dso_part *parts; /* by number of dso */
};

static void sorting_free(struct sorting *sorting)
{
	free(sorting->by_event);
	free(sorting->spare);
	free(sorting->parts);
}

/* Sorts the @nr addresses @list by their places. */
static void sort(struct sorted_address *list, struct sorted_address *spare, size_t nr)
{
	_Static_assert(offsetof(struct sorted_address, place) == 0, "the key");
	keysort_pairs(list, spare, nr);
}

static bool have_one_event(const struct address_table *table)
{
	for (size_t i = 1; i < address_count(table); i++)
		if (table->addresses[i].event != table->addresses[0].event)
			return false;
	return true;
}

/* Lists all addresses in the order of their events. Returns false if memory is out. */
static bool sort_events(struct sorting *sorting, const struct address_table *table)
{
	const size_t nr = address_count(table);

	sorting->by_event = make_list(nr);
	if (!sorting->by_event)
		return false;
	for (size_t i = 0; i < nr; i++)
		sorting->by_event[i] =
			(struct sorted_address){table->addresses[i].event, (uint32_t)i};
	sort(sorting->by_event, sorting->spare, nr);
	return true;
}

static void look_at_dsos(struct sorting *sorting, const struct address_table *table, size_t nr_dsos)
{
	size_t start = 0;

	for (size_t i = 0; i < address_count(table); i++) {
		const struct address *at = &table->addresses[i];
		struct dso_part *part = &sorting->parts[at->dso];

		if (part->nr++ == 0)
			part->first = at->place;
		part->differ |= at->place ^ part->first;
	}
	for (size_t i = 0; i < nr_dsos; i++) {
		sorting->parts[i].end = start;
		start += sorting->parts[i].nr;
	}
}

/* Lists the addresses, those of one dso after those of another, with the low halves. */
static void sort_dsos(struct sorted_address *list, struct sorting *sorting,
		      const struct address_table *table, size_t nr_dsos)
{
	look_at_dsos(sorting, table, nr_dsos);
	for (size_t i = 0; i < address_count(table); i++) {
		const uint32_t number =
			sorting->by_event ? sorting->by_event[i].number : (uint32_t)i;
		const struct address *at = &table->addresses[number];

		list[sorting->parts[at->dso].end++] =
			(struct sorted_address){(uint32_t)at->place, number};
	}
}

/* Sorts the addresses @list of @part: by the low halves, then, if they differ, by the high ones. */
static void sort_part(struct sorted_address *list, const struct dso_part *part,
		      struct sorted_address *spare, const struct address *addresses)
{
	sort(list, spare, part->nr);
	if (!(part->differ >> 32))
		return;
	for (size_t i = 0; i < part->nr; i++)
		list[i].place = (uint32_t)(addresses[list[i].number].place >> 32);
	sort(list, spare, part->nr);
}

/* What @at in a sorted list of @part is the address of. */
static uint64_t address_of(const struct sorted_address *at, const struct dso_part *part,
			   const struct address *addresses)
{
	if (part->differ >> 32)
		return addresses[at->number].place;
	return part->first >> 32 << 32 | at->place;
}

/* Sorts the addresses of @dso, at least one, which come next in the set, and adds their places. */
static void add_dso(struct place_set *set, const struct dso *dso, const struct dso_part *part,
		    struct sorted_address *spare, const struct address *addresses)
{
	struct sorted_address *sorted = &set->sorted[set->nr_sorted];
	struct place *place = &set->places[set->nr_places];
	struct place_list *of_dso = &set->lists[set->nr_lists++];

	sort_part(sorted, part, spare, addresses);
	*of_dso = (struct place_list){
		.dso = dso,
		.places = place,
		.details = set->details ? &set->details[set->nr_places] : NULL,
	};
	*place = (struct place){address_of(&sorted[0], part, addresses), NULL};
	for (size_t i = 0; i < part->nr; i++) {
		const uint64_t address = address_of(&sorted[i], part, addresses);

		/* Equal addresses of different events share a place. */
		if (address != place->address)
			*++place = (struct place){address, NULL};
		sorted[i].place = (uint32_t)(place - set->places);
	}
	of_dso->nr_places = (size_t)(place - of_dso->places) + 1;
	set->nr_places += of_dso->nr_places;
	set->nr_sorted += part->nr;
}

/* Collects the places by dso, address and event. Returns false if memory is out. */
static bool collect(struct place_set *set, struct sorting *sorting, const struct dso_table *dsos,
		    const struct address_table *table)
{
	sorting->spare = make_list(address_count(table));
	sorting->parts = calloc(dsos->nr_dsos + 1, sizeof(*sorting->parts));
	if (!sorting->spare || !sorting->parts)
		return false;
	set->has_one_event = have_one_event(table);
	if (!set->has_one_event && !sort_events(sorting, table))
		return false;
	sort_dsos(set->sorted, sorting, table, dsos->nr_dsos);
	for (size_t i = 0; i < dsos->nr_dsos; i++)
		if (sorting->parts[i].nr > 0)
			add_dso(set, dsos->dsos[i], &sorting->parts[i], sorting->spare,
				table->addresses);
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

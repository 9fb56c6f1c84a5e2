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

/* The addresses of one dso. Many are split into pieces by their places, which threads can sort. */
struct dso_part {
	uint64_t first;	 /* one of its places */
	uint64_t differ; /* bits in which another is not as the first */
	size_t nr;
	size_t piece;	   /* the first of its pieces */
	size_t piece_mask; /* their number, a power of two, less one */
	int piece_shift;   /* a place's bits from there on tell its piece */
	size_t list;	   /* its list in the set */
};

struct dso_piece {
	uint32_t dso;
	size_t nr, end; /* where it ends in the list so far */
};

/* What addresses are sorted with: until they are sorted, their places are parts of addresses. */
struct sorting {
	struct place_set *set;
	const struct dso_table *dsos;
	const struct address *addresses;
	struct sorted_address *by_event; /* all, or NULL if all have one event */
	struct dso_part *parts;		 /* by number of dso */
	struct dso_piece *pieces;
	size_t nr_pieces;
};

static void sorting_free(struct sorting *sorting)
{
	free(sorting->by_event);
	free(sorting->parts);
	free(sorting->pieces);
}

/* Sorts the @nr addresses @list by their places. @unused: room for as many places, which are not
 * made yet. */
static void sort(struct sorted_address *list, struct place *unused, size_t nr)
{
	_Static_assert(offsetof(struct sorted_address, place) == 0, "the key");
	_Static_assert(sizeof(*list) <= sizeof(*unused), "room for all");
	keysort_pairs(list, unused, nr);
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
	sort(sorting->by_event, sorting->set->places, nr);
	return true;
}

static void look_at_dsos(struct sorting *sorting, const struct address_table *table)
{
	for (size_t i = 0; i < address_count(table); i++) {
		const struct address *at = &table->addresses[i];
		struct dso_part *part = &sorting->parts[at->dso];

		if (part->nr++ == 0)
			part->first = at->place;
		part->differ |= at->place ^ part->first;
	}
	for (size_t i = 0; i < sorting->dsos->nr_dsos; i++) {
		sorting->parts[i].list = sorting->set->nr_lists;
		sorting->set->nr_lists += sorting->parts[i].nr > 0;
	}
	sorting->set->nr_sorted = address_count(table);
}

/* Splits the addresses of a dso into pieces, if they are many, and each has a place of its own. */
static void split_part(struct dso_part *part, bool has_one_event)
{
	enum { MANY = 1 << 15, PIECE_BITS = 4 };

	if (!has_one_event || part->nr < MANY || part->differ >> 32 ||
	    part->differ >> PIECE_BITS == 0)
		return;
	part->piece_mask = (1 << PIECE_BITS) - 1;
	part->piece_shift = 64 - __builtin_clzll(part->differ) - PIECE_BITS;
}

/* The piece of @part that @place is in. */
static inline size_t piece_of(const struct dso_part *part, uint64_t place)
{
	return part->piece + (place >> part->piece_shift & part->piece_mask);
}

/* Makes the pieces of all dsos. Returns false if memory is out. */
static bool make_pieces(struct sorting *sorting, const struct address_table *table)
{
	const size_t nr_dsos = sorting->dsos->nr_dsos;
	size_t nr = 0, start = 0;

	for (size_t i = 0; i < nr_dsos; i++) {
		split_part(&sorting->parts[i], sorting->set->has_one_event);
		sorting->parts[i].piece = nr;
		nr += sorting->parts[i].piece_mask + 1;
	}
	sorting->pieces = calloc(nr + 1, sizeof(*sorting->pieces));
	if (!sorting->pieces)
		return false;
	sorting->nr_pieces = nr;
	for (size_t i = 0; i < address_count(table); i++) {
		const struct address *at = &table->addresses[i];

		sorting->pieces[piece_of(&sorting->parts[at->dso], at->place)].nr++;
	}
	for (size_t i = 0; i < nr; i++) {
		sorting->pieces[i].end = start;
		start += sorting->pieces[i].nr;
	}
	return true;
}

/* Lists the addresses, those of one piece after those of another, with the low halves. */
static void sort_pieces(struct sorted_address *list, struct sorting *sorting,
			const struct address_table *table)
{
	for (size_t i = 0; i < address_count(table); i++) {
		const uint32_t number =
			sorting->by_event ? sorting->by_event[i].number : (uint32_t)i;
		const struct address *at = &table->addresses[number];
		const size_t piece = piece_of(&sorting->parts[at->dso], at->place);

		list[sorting->pieces[piece].end++] =
			(struct sorted_address){(uint32_t)at->place, number};
	}
}

/* Sorts the @nr addresses @list of @part: by the low halves, then, if they differ, by the high
 * ones. */
static void sort_places(struct sorted_address *list, const struct dso_part *part, size_t nr,
			struct place *unused, const struct address *addresses)
{
	sort(list, unused, nr);
	if (!(part->differ >> 32))
		return;
	for (size_t i = 0; i < nr; i++)
		list[i].place = (uint32_t)(addresses[list[i].number].place >> 32);
	sort(list, unused, nr);
}

/* What @at in a sorted list of @part is the address of. */
static uint64_t address_of(const struct sorted_address *at, const struct dso_part *part,
			   const struct address *addresses)
{
	if (part->differ >> 32)
		return addresses[at->number].place;
	return part->first >> 32 << 32 | at->place;
}

/* Adds the places of @part that the @nr addresses @sorted are at, from @place on. Returns how many.
 */
static size_t add_places(const struct sorting *sorting, const struct dso_part *part,
			 struct sorted_address *sorted, size_t nr, struct place *place)
{
	const struct place *first = place;

	*place = (struct place){address_of(&sorted[0], part, sorting->addresses), NULL};
	for (size_t i = 0; i < nr; i++) {
		const uint64_t address = address_of(&sorted[i], part, sorting->addresses);

		/* Equal addresses of different events share a place. */
		if (address != place->address)
			*++place = (struct place){address, NULL};
		sorted[i].place = (uint32_t)(place - sorting->set->places);
	}
	return (size_t)(place - first) + 1;
}

/* Makes the lists, with room for all places that there may be. Those of a dso that is split are as
 * many as its addresses; else it is not known yet how many there are. */
static void make_lists(const struct sorting *sorting)
{
	struct place_set *set = sorting->set;
	size_t start = 0;

	for (size_t i = 0; i < sorting->dsos->nr_dsos; i++) {
		const struct dso_part *part = &sorting->parts[i];

		if (part->nr == 0)
			continue;
		set->lists[part->list] = (struct place_list){
			.dso = sorting->dsos->dsos[i],
			.places = &set->places[start],
			.details = set->details ? &set->details[start] : NULL,
			.nr_places = part->nr,
		};
		start += part->nr;
	}
}

/* A piece of the work that is shared: sorts the addresses of a piece, and lists their places, in a
 * range of its own. */
static void sort_piece(void *arg, size_t i)
{
	const struct sorting *sorting = arg;
	const struct dso_piece *piece = &sorting->pieces[i];
	const struct dso_part *part = &sorting->parts[piece->dso];
	struct place_set *set = sorting->set;
	const size_t start = piece->end - piece->nr;
	size_t nr;

	sort_places(&set->sorted[start], part, piece->nr, &set->places[start], sorting->addresses);
	nr = add_places(sorting, part, &set->sorted[start], piece->nr, &set->places[start]);
	if (!part->piece_mask)
		set->lists[part->list].nr_places = nr;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct dso_piece *x = a, *y = b;

	return x->nr > y->nr ? -1 : x->nr < y->nr;
}

/* The last pieces of work that threads share should be short; empty ones are left out. */
static void order_pieces(struct sorting *sorting)
{
	for (uint32_t i = 0; i < sorting->dsos->nr_dsos; i++) {
		const struct dso_part *part = &sorting->parts[i];

		for (size_t j = 0; j <= part->piece_mask; j++)
			sorting->pieces[part->piece + j].dso = i;
	}
	qsort(sorting->pieces, sorting->nr_pieces, sizeof(*sorting->pieces), compare_pieces);
	while (sorting->nr_pieces > 0 && sorting->pieces[sorting->nr_pieces - 1].nr == 0)
		sorting->nr_pieces--;
}

/* Collects the places by dso, address and event. Returns false if memory is out. */
static bool collect(struct sorting *sorting, const struct address_table *table,
		    struct helpers *helpers)
{
	struct place_set *set = sorting->set;

	sorting->parts = calloc(sorting->dsos->nr_dsos + 1, sizeof(*sorting->parts));
	if (!sorting->parts)
		return false;
	set->has_one_event = have_one_event(table);
	if (!set->has_one_event && !sort_events(sorting, table))
		return false;
	look_at_dsos(sorting, table);
	if (!make_pieces(sorting, table))
		return false;
	sort_pieces(set->sorted, sorting, table);
	make_lists(sorting);
	order_pieces(sorting);
	helpers_share(helpers, sort_piece, sorting, sorting->nr_pieces);
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
		    const struct address_table *addresses, unsigned wishes, struct helpers *helpers,
		    struct error *err)
{
	struct sorting sorting = {.set = set, .dsos = dsos, .addresses = addresses->addresses};
	const bool ok = alloc_places(set, address_count(addresses), dsos->nr_dsos, wishes) == 0 &&
			collect(&sorting, addresses, helpers);

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

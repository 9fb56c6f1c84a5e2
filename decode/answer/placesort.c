#include "decode/answer/placesort.h"

#include "util/keysort.h"
#include "util/largemem.h"

#include <stdlib.h>

enum {
	PIECE_BITS = 4,
	NR_PIECES = 1 << PIECE_BITS,
	MANY = 1 << 15, /* addresses of a dso, which are split into NR_PIECES */
};

/* What a share of the addresses has of one dso. */
struct dso_seen {
	uint64_t first;	 /* one of its places */
	uint64_t differ; /* bits in which another is not as the first */
	size_t nr;
};

/* The addresses of one dso. Many are split into pieces by their places. */
struct dso_part {
	struct dso_seen all;
	size_t piece;	   /* the first of its pieces */
	size_t piece_mask; /* their number, a power of two, less one */
	int piece_shift;   /* a place's bits from there on tell its piece */
	uint64_t *bounds;  /* or these do: the least place of each piece but the first; or NULL */
	size_t list;	   /* its list in the set */
};

struct dso_piece {
	uint32_t dso;
	size_t nr, end; /* where it ends in the list */
};

/* What addresses are sorted with: until they are sorted, their places are parts of addresses. */
struct sorting {
	struct place_set *set;
	const struct dso_table *dsos;
	const struct address *addresses;
	size_t nr, nr_shares;
	struct sorted_address *by_event; /* all, or NULL if all have one event */
	struct dso_seen *seen;		 /* by share and number of dso */
	struct dso_part *parts;		 /* by number of dso */
	struct dso_piece *pieces;
	size_t nr_pieces;
	/* By share and piece: how many addresses, then where the next one of them goes. */
	size_t *places;
};

static void sorting_free(struct sorting *sorting)
{
	for (size_t i = 0; sorting->parts && i < sorting->dsos->nr_dsos; i++)
		free(sorting->parts[i].bounds);
	free(sorting->by_event);
	free(sorting->seen);
	free(sorting->parts);
	free(sorting->pieces);
	free(sorting->places);
}

/* Where share @i of the addresses starts, and the one before ends. */
static size_t share_start(const struct sorting *sorting, size_t i)
{
	return sorting->nr * i / sorting->nr_shares;
}

static void look_at_share(const struct sorting *sorting, size_t share)
{
	const size_t end = share_start(sorting, share + 1);
	struct dso_seen *of_share = &sorting->seen[share * sorting->dsos->nr_dsos];

	for (size_t i = share_start(sorting, share); i < end; i++) {
		const struct address *at = &sorting->addresses[i];
		struct dso_seen *seen = &of_share[at->dso];

		if (seen->nr++ == 0)
			seen->first = at->place;
		seen->differ |= at->place ^ seen->first;
	}
}

/* Work that can be done first. */
enum { TO_FILL_SORTED, TO_FILL_PLACES, TO_LOOK };

/* A piece of the work that is shared. */
static void first_piece(void *arg, size_t i)
{
	const struct sorting *sorting = arg;
	struct place_set *set = sorting->set;

	switch (i) {
	case TO_FILL_SORTED:
		largemem_fill(set->sorted, sorting->nr * sizeof(*set->sorted));
		return;
	case TO_FILL_PLACES:
		largemem_fill(set->places, sorting->nr * sizeof(*set->places));
		return;
	default:
		look_at_share(sorting, i - TO_LOOK);
	}
}

/* Adds up what the shares have of each dso. */
static void add_up_shares(struct sorting *sorting)
{
	const size_t nr_dsos = sorting->dsos->nr_dsos;

	for (size_t i = 0; i < nr_dsos; i++) {
		struct dso_part *part = &sorting->parts[i];
		struct dso_seen *all = &part->all;

		for (size_t share = 0; share < sorting->nr_shares; share++) {
			const struct dso_seen *seen = &sorting->seen[share * nr_dsos + i];

			if (seen->nr == 0)
				continue;
			if (all->nr == 0)
				all->first = seen->first;
			all->differ |= seen->differ | (seen->first ^ all->first);
			all->nr += seen->nr;
		}
		part->list = sorting->set->nr_lists;
		sorting->set->nr_lists += all->nr > 0;
	}
}

static int compare_places(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Sets the bounds of pieces of about the same size for the dso @number, as some of its addresses
 * tell. Without memory for them the dso is one piece. */
static void set_bounds(const struct sorting *sorting, struct dso_part *part, uint32_t number)
{
	enum { SOME = 1024 };
	uint64_t some[SOME];
	size_t nr = 0;

	part->bounds = malloc((NR_PIECES - 1) * sizeof(*part->bounds));
	if (!part->bounds)
		return;
	for (size_t i = 0; i < sorting->nr; i += sorting->nr / SOME + 1)
		if (sorting->addresses[i].dso == number)
			some[nr++] = sorting->addresses[i].place;
	qsort(some, nr, sizeof(*some), compare_places);
	for (size_t i = 0; i < NR_PIECES - 1; i++)
		part->bounds[i] = nr ? some[nr * (i + 1) / NR_PIECES] : 0;
	part->piece_mask = NR_PIECES - 1;
}

/* Splits the addresses of the dso @number, if they are many, and each has a place of its own. Those
 * of most dsos differ in their low bits; code that has no dso may be anywhere. */
static void split_part(const struct sorting *sorting, struct dso_part *part, uint32_t number)
{
	const uint64_t differ = part->all.differ;

	if (!sorting->set->has_one_event || part->all.nr < MANY || differ >> PIECE_BITS == 0)
		return;
	if (differ >> 32) {
		set_bounds(sorting, part, number);
		return;
	}
	part->piece_mask = NR_PIECES - 1;
	part->piece_shift = 64 - __builtin_clzll(differ) - PIECE_BITS;
}

/* How many of the NR_PIECES - 1 ascending @bounds are not above @place. */
static inline size_t nr_bounds_below(const uint64_t *bounds, uint64_t place)
{
	size_t nr = 0;

	for (size_t step = NR_PIECES / 2; step > 0; step /= 2)
		nr += place >= bounds[nr + step - 1] ? step : 0;
	return nr;
}

/* The piece of @part that @place is in. */
static inline size_t piece_of(const struct dso_part *part, uint64_t place)
{
	if (part->bounds)
		return part->piece + nr_bounds_below(part->bounds, place);
	return part->piece + (place >> part->piece_shift & part->piece_mask);
}

/* Number @i in the list of all addresses, which is in the order of their events if they differ. */
static inline uint32_t number_at(const struct sorting *sorting, size_t i)
{
	return sorting->by_event ? sorting->by_event[i].number : (uint32_t)i;
}

/* A piece of the work that is shared: counts the addresses of each piece. */
static void count_share(void *arg, size_t share)
{
	const struct sorting *sorting = arg;
	const size_t end = share_start(sorting, share + 1);
	size_t *places = &sorting->places[share * sorting->nr_pieces];

	for (size_t i = share_start(sorting, share); i < end; i++) {
		const struct address *at = &sorting->addresses[number_at(sorting, i)];

		places[piece_of(&sorting->parts[at->dso], at->place)]++;
	}
}

/* A piece of the work that is shared: lists the addresses, those of one piece after those of
 * another, with the low halves. */
static void list_share(void *arg, size_t share)
{
	const struct sorting *sorting = arg;
	const size_t end = share_start(sorting, share + 1);
	size_t *places = &sorting->places[share * sorting->nr_pieces];

	for (size_t i = share_start(sorting, share); i < end; i++) {
		const uint32_t number = number_at(sorting, i);
		const struct address *at = &sorting->addresses[number];
		const size_t piece = piece_of(&sorting->parts[at->dso], at->place);

		sorting->set->sorted[places[piece]++] =
			(struct sorted_address){(uint32_t)at->place, number};
	}
}

/* Makes the pieces of all dsos. Returns false if memory is out. */
static bool make_pieces(struct sorting *sorting)
{
	const size_t nr_dsos = sorting->dsos->nr_dsos;
	size_t nr = 0;

	for (uint32_t i = 0; i < nr_dsos; i++) {
		struct dso_part *part = &sorting->parts[i];

		split_part(sorting, part, i);
		part->piece = nr;
		nr += part->piece_mask + 1;
	}
	sorting->nr_pieces = nr;
	sorting->pieces = calloc(nr + 1, sizeof(*sorting->pieces));
	sorting->places = calloc(nr * sorting->nr_shares + 1, sizeof(*sorting->places));
	return sorting->pieces && sorting->places;
}

/* Each piece has a range of the list, and each share a range of that. */
static void set_ranges(struct sorting *sorting)
{
	size_t end = 0;

	for (size_t i = 0; i < sorting->nr_pieces; i++) {
		const size_t start = end;

		for (size_t share = 0; share < sorting->nr_shares; share++) {
			size_t *place = &sorting->places[share * sorting->nr_pieces + i];
			const size_t nr = *place;

			*place = end;
			end += nr;
		}
		sorting->pieces[i].nr = end - start;
		sorting->pieces[i].end = end;
	}
}

static bool have_one_event(const struct address_table *table)
{
	for (size_t i = 1; i < address_count(table); i++)
		if (table->addresses[i].event != table->addresses[0].event)
			return false;
	return true;
}

/* Sorts the @nr addresses @list by their places. @unused: room for as many places, which are not
 * made yet. */
static void sort(struct sorted_address *list, struct place *unused, size_t nr)
{
	_Static_assert(offsetof(struct sorted_address, place) == 0, "the key");
	_Static_assert(sizeof(*list) <= sizeof(*unused), "room for all");
	keysort_pairs(list, unused, nr);
}

/* Lists all addresses in the order of their events. Returns false if memory is out. */
static bool sort_events(struct sorting *sorting)
{
	const size_t bytes = sorting->nr * sizeof(*sorting->by_event);

	sorting->by_event = largemem_get_all(bytes, bytes);
	if (!sorting->by_event)
		return false;
	for (size_t i = 0; i < sorting->nr; i++)
		sorting->by_event[i] =
			(struct sorted_address){sorting->addresses[i].event, (uint32_t)i};
	sort(sorting->by_event, sorting->set->places, sorting->nr);
	return true;
}

/* Sorts the @nr addresses @list of @part: by the low halves, then, if they differ, by the high
 * ones. */
static void sort_places(struct sorted_address *list, const struct dso_part *part, size_t nr,
			struct place *unused, const struct address *addresses)
{
	sort(list, unused, nr);
	if (!(part->all.differ >> 32))
		return;
	for (size_t i = 0; i < nr; i++)
		list[i].place = (uint32_t)(addresses[list[i].number].place >> 32);
	sort(list, unused, nr);
}

/* What @at in a sorted list of @part is the address of. */
static uint64_t address_of(const struct sorted_address *at, const struct dso_part *part,
			   const struct address *addresses)
{
	if (part->all.differ >> 32)
		return addresses[at->number].place;
	return part->all.first >> 32 << 32 | at->place;
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

		if (part->all.nr == 0)
			continue;
		set->lists[part->list] = (struct place_list){
			.dso = sorting->dsos->dsos[i],
			.places = &set->places[start],
			.details = set->details ? &set->details[start] : NULL,
			.nr_places = part->all.nr,
		};
		start += part->all.nr;
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

	helpers_share(helpers, first_piece, sorting, TO_LOOK + sorting->nr_shares);
	add_up_shares(sorting);
	set->nr_sorted = sorting->nr;
	set->has_one_event = have_one_event(table);
	if ((!set->has_one_event && !sort_events(sorting)) || !make_pieces(sorting))
		return false;
	helpers_share(helpers, count_share, sorting, sorting->nr_shares);
	set_ranges(sorting);
	helpers_share(helpers, list_share, sorting, sorting->nr_shares);
	make_lists(sorting);
	order_pieces(sorting);
	helpers_share(helpers, sort_piece, sorting, sorting->nr_pieces);
	return true;
}

bool placesort_collect(struct place_set *set, const struct dso_table *dsos,
		       const struct address_table *addresses, struct helpers *helpers)
{
	const size_t nr = address_count(addresses), nr_dsos = dsos->nr_dsos;
	struct sorting sorting = {
		.set = set,
		.dsos = dsos,
		.addresses = addresses->addresses,
		.nr = nr,
		.nr_shares = helpers ? 2 : 1,
	};
	bool ok;

	set->sorted = largemem_get_all((nr + 1) * sizeof(*set->sorted), 0);
	set->places = largemem_get_all((nr + 1) * sizeof(*set->places), 0);
	set->lists = calloc(nr_dsos + 1, sizeof(*set->lists));
	sorting.seen = calloc(nr_dsos * sorting.nr_shares + 1, sizeof(*sorting.seen));
	sorting.parts = calloc(nr_dsos + 1, sizeof(*sorting.parts));
	ok = set->sorted && set->places && set->lists && sorting.seen && sorting.parts &&
	     collect(&sorting, addresses, helpers);
	sorting_free(&sorting);
	return ok;
}

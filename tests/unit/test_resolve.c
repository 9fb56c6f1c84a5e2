/* The places of all addresses: by dso, address and event, each place once. */
#include "decode/answer/resolve.h"
#include "tests/support/idler.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* With MANY, those of a dso are sorted in pieces. */
enum { FEW = 3000, MANY = 147 * 1024, NR_DSOS = 4 };

/* What differs between the places of a dso, and what all have. */
static const struct {
	uint64_t mask, common;
} kinds[] = {
	{0xffff, 0},	  {0x1fffffff, 0xffffffff80000000}, {0x3, 0x7fff00000000},
	{0x30000000f, 0}, {0xffffffff00000000, 0x1234},	    {UINT64_MAX, 0},
};

static int compare(const void *a, const void *b)
{
	const struct address *x = a, *y = b;

	if (x->dso != y->dso)
		return x->dso < y->dso ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

static void add_dsos(struct dso_table *dsos)
{
	static const char *const paths[NR_DSOS] = {"/a", "/b", "/none", "/c"};

	for (size_t i = 0; i < NR_DSOS; i++)
		ck_assert_ptr_nonnull(dso_table_get(dsos, DSO_USER, paths[i], NULL, 0));
}

/* How @nr addresses are made. */
struct shape {
	size_t nr, kind;
	uint32_t nr_events;
	size_t stray; /* each so many is anywhere; 0: none */
	bool in_turn; /* the dsos are those of one address after another */
};

/* Adds addresses of all dsos but the third one. */
static void add_addresses(struct address_table *table, const struct shape *shape)
{
	const size_t kind = shape->kind;
	uint64_t random = 1;

	for (size_t i = 0; i < shape->nr; i++) {
		const bool stray = shape->stray && i % shape->stray == 0;
		uint64_t place;
		uint32_t dso, event;

		random = random * 6364136223846793005u + 1442695040888963407u;
		place = random ^ random >> 29;
		if (!stray)
			place = (place & kinds[kind].mask) | kinds[kind].common;
		dso = (uint32_t)(shape->in_turn ? i : random >> 40) % (NR_DSOS - 1);
		event = (uint32_t)(random >> 50) % shape->nr_events;
		ck_assert_uint_ne(address_get(table, event, dso < 2 ? dso : 3, place),
				  ADDRESS_NONE);
	}
}

static void check_places(const struct place_set *set, const struct address_table *table,
			 const struct dso_table *dsos)
{
	struct address *expected = malloc(address_count(table) * sizeof(*expected));
	size_t place = SIZE_MAX, list = SIZE_MAX, of_list = 0;

	ck_assert_uint_eq(set->nr_sorted, address_count(table));
	memcpy(expected, table->addresses, set->nr_sorted * sizeof(*expected));
	qsort(expected, set->nr_sorted, sizeof(*expected), compare);
	for (size_t i = 0; i < set->nr_sorted; i++) {
		const struct address *at = &table->addresses[set->sorted[i].number];
		const bool first = i == 0 || at->dso != expected[i - 1].dso;

		ck_assert_int_eq(compare(at, &expected[i]), 0);
		if (first) {
			ck_assert(i == 0 || set->lists[list].nr_places == of_list);
			list++;
			of_list = 1;
			place = i;
		} else if (at->place != expected[i - 1].place) {
			of_list++;
			place++;
		}
		ck_assert_uint_eq(set->sorted[i].place, place);
		ck_assert_uint_eq(set->places[place].address, at->place);
		ck_assert_ptr_null(set->places[place].symbol);
		ck_assert_ptr_eq(set->lists[list].dso, dsos->dsos[at->dso]);
		ck_assert_ptr_eq(&set->lists[list].places[of_list - 1], &set->places[place]);
	}
	ck_assert_uint_eq(set->nr_lists, list + 1);
	ck_assert_uint_eq(set->lists[list].nr_places, of_list);
	free(expected);
}

/* With another thread, too. */
static void collect(const struct shape *shape)
{
	struct idler idler;
	struct dso_table dsos = {0};
	struct address_table table = {0};
	struct place_set set = {0};
	struct error err;

	add_dsos(&dsos);
	add_addresses(&table, shape);
	idler_start(&idler);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(
			resolve_collect(&set, &dsos, &table, 0, i ? &idler.helpers : NULL, &err),
			0);
		check_places(&set, &table, &dsos);
		ck_assert_uint_eq(set.nr_lists, NR_DSOS - 1);
		resolve_free(&set);
	}
	idler_end(&idler);
	address_table_free(&table);
	dso_table_free(&dsos);
}

START_TEST(one_event)
{
	collect(&(struct shape){.nr = FEW, .kind = (size_t)_i, .nr_events = 1});
}
END_TEST

START_TEST(several_events)
{
	collect(&(struct shape){.nr = FEW, .kind = (size_t)_i, .nr_events = 3});
}
END_TEST

START_TEST(many)
{
	collect(&(struct shape){.nr = MANY, .kind = (size_t)_i, .nr_events = 1});
}
END_TEST

/* Some addresses are far from all others. */
START_TEST(strays)
{
	collect(&(struct shape){.nr = MANY, .kind = (size_t)_i, .nr_events = 1, .stray = 50});
}
END_TEST

/* The addresses that tell the bounds of pieces are all of one dso. */
START_TEST(in_turn)
{
	collect(&(struct shape){
		.nr = MANY, .kind = (size_t)_i, .nr_events = 1, .stray = 2, .in_turn = true});
}
END_TEST

START_TEST(nothing)
{
	struct dso_table dsos = {0};
	struct address_table table = {0};
	struct place_set set = {0};
	struct error err;

	add_dsos(&dsos);
	ck_assert_int_eq(resolve_collect(&set, &dsos, &table, 0, NULL, &err), 0);
	ck_assert_uint_eq(set.nr_lists, 0);
	resolve_free(&set);
	dso_table_free(&dsos);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("resolve");
	TCase *places = tcase_create("places");

	tcase_add_loop_test(places, one_event, 0, sizeof(kinds) / sizeof(kinds[0]));
	tcase_add_loop_test(places, several_events, 0, sizeof(kinds) / sizeof(kinds[0]));
	tcase_add_loop_test(places, many, 0, sizeof(kinds) / sizeof(kinds[0]));
	tcase_add_loop_test(places, strays, 0, sizeof(kinds) / sizeof(kinds[0]));
	tcase_add_loop_test(places, in_turn, 0, sizeof(kinds) / sizeof(kinds[0]));
	tcase_add_test(places, nothing);
	suite_add_tcase(suite, places);
	return suite_run(suite);
}

/* Places of frames, which are kept: the same as if none were, whatever comes to the maps. */
#include "decode/stack/unwind/unwindplace.h"
#include "decode/symbol/symbol.h"
#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { SPACE = 400, NR_SETS = 4, NR_CHANGES = 500, NR_EVENTS = 2 };

static const struct dso unmapped = {.kind = DSO_NONE, .path = "", .number = 0};
static const struct dso file = {.kind = DSO_USER, .path = "/no/such/file", .number = 1};
static const struct dso heap = {.kind = DSO_USER, .path = "/no/such/heap", .number = 2};
static const struct dso memory = {.kind = DSO_JIT, .path = "/no/such/perf-1.map", .number = 3};

/* Maps something somewhere in *@set, or nothing any more. */
static void change(struct map_set **set, uint64_t version)
{
	static const struct dso *const dsos[] = {&file, &heap, &memory};
	const uint64_t start = (uint64_t)rand() % SPACE;
	const struct map map = {
		.start = start,
		.end = start + 1 + (uint64_t)rand() % (SPACE - start) / 4,
		.pgoff = (uint64_t)rand() % 1000,
		.dso = dsos[rand() % 3],
		.is_code = rand() % 4 == 0,
	};

	switch (rand() % 10) {
	case 0:
		ck_assert(map_set_remove(set, map.start, map.end, version));
		break;
	case 1:
		ck_assert(map_set_insert_code(set,
					      &(struct map){.start = map.start,
							    .end = map.end,
							    .dso = &memory,
							    .is_code = true},
					      version));
		break;
	default:
		ck_assert(map_set_insert(set, &map, version));
	}
}

/* Looks a random place up in those that are kept, and where nothing is. */
static void compare(struct unwind_places *kept, struct map_set *set)
{
	const struct process process = {.maps = set};
	const struct unwind_owner owner = {&process, (uint32_t)rand() % NR_EVENTS};
	const uint64_t pc = 1 + (uint64_t)rand() % SPACE;
	const bool exact = rand() % 2;
	struct unwind_places empty = *kept;
	struct unwind_place is, was;

	empty.known = NULL;
	ck_assert(unwind_places_find(kept, &owner, pc, exact, &is));
	ck_assert(unwind_places_find(&empty, &owner, pc, exact, &was));
	ck_assert_ptr_eq(is.rule, was.rule);
	ck_assert_uint_eq(is.address, was.address);
	ck_assert_uint_eq(is.dso, was.dso);
	ck_assert_uint_eq(is.what, was.what);
	unwind_places_free(&empty);
}

/* Processes fork, map and unmap code and data. */
START_TEST(any_changes)
{
	const struct symbol_settings settings = {.build_id_cache = "/nonexistent",
						 .debug_dir = "/nonexistent",
						 .kallsyms = "/dev/null"};
	struct symbolizer *symbolizer = symbolizer_create(&settings);
	const struct addrspaces spaces = {
		.unmapped = &unmapped, .guest = &unmapped, .vsyscall = &unmapped};
	struct address_table addresses = {0};
	struct unwind_places kept = {.info = symbolizer_unwindinfo(symbolizer),
				     .addresses = &addresses,
				     .spaces = &spaces};
	struct map_set *sets[NR_SETS] = {map_set_create(1)};

	ck_assert(kept.info && sets[0]);
	srand(7);
	for (int i = 1; i < NR_SETS; i++)
		sets[i] = map_set_share(sets[0]);
	for (uint64_t version = 2; version < NR_CHANGES; version++) {
		change(&sets[rand() % NR_SETS], version);
		for (int i = 0; i < 20; i++)
			compare(&kept, sets[rand() % NR_SETS]);
		if (rand() % 30 == 0) { /* a fork */
			struct map_set **child = &sets[rand() % NR_SETS];
			struct map_set *parents = map_set_share(sets[rand() % NR_SETS]);

			map_set_release(*child);
			*child = parents;
		}
	}
	for (int i = 0; i < NR_SETS; i++)
		map_set_release(sets[i]);
	unwind_places_free(&kept);
	address_table_free(&addresses);
	symbolizer_destroy(symbolizer);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("unwindplace");
	TCase *tcase = tcase_create("places");

	tcase_add_test(tcase, any_changes);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}

/* Mappings of an address space against a model that has an entry per address. */
#include "decode/process/maps.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { SPACE = 200 };

static struct dso dsos[8];

/* What each address of a small space shows. */
struct model {
	const struct dso *dso[SPACE];
	uint64_t place[SPACE];
};

static void model_map(struct model *model, uint64_t start, uint64_t end, uint64_t pgoff,
		      const struct dso *dso)
{
	for (uint64_t addr = start; addr < end; addr++) {
		model->dso[addr] = dso;
		model->place[addr] = pgoff + addr - start;
	}
}

static bool insert(struct map_set **set, uint64_t start, uint64_t end, uint64_t pgoff,
		   const struct dso *dso, uint64_t version)
{
	const struct map map = {.start = start, .end = end, .pgoff = pgoff, .dso = dso};

	return map_set_insert(set, &map, version);
}

static bool insert_code(struct map_set **set, uint64_t start, uint64_t end, const struct dso *dso,
			uint64_t version)
{
	const struct map map = {.start = start, .end = end, .pgoff = 7, .dso = dso};

	return map_set_insert_code(set, &map, version);
}

static void model_unmap(struct model *model, uint64_t start, uint64_t end)
{
	for (uint64_t addr = start; addr < end; addr++)
		model->dso[addr] = NULL;
}

/* The height of the tree, every node of which must say its own and be in balance. */
static int check_balance(const struct map *map)
{
	int left, right;

	if (!map)
		return 0;
	ck_assert_uint_ge(map->refs, 1);
	left = check_balance(map->left);
	right = check_balance(map->right);
	ck_assert_int_le(abs(left - right), 1);
	ck_assert_int_eq(map->height, 1 + (left > right ? left : right));
	return map->height;
}

/* The maps that nobody but this tree holds. */
static size_t count_own(const struct map *map)
{
	return map && map->refs == 1 ? 1 + count_own(map->left) + count_own(map->right) : 0;
}

/* In an order that goes back to maps that were found before. */
static void check_same(struct map_set *set, const struct model *model)
{
	for (uint64_t i = 0; i < 2 * SPACE; i++) {
		const uint64_t addr = (i % 2 ? i * 37 : i / 2) % SPACE;
		const struct map *map = map_set_find(set, addr);

		ck_assert_ptr_eq(map ? map->dso : NULL, model->dso[addr]);
		if (map)
			ck_assert_uint_eq(map_place(map, addr), model->place[addr]);
	}
}

START_TEST(random_maps_agree_with_the_model)
{
	struct map_set *set = map_set_create(0);
	struct model model = {0};

	srand(1);
	for (int round = 0; round < 3000; round++) {
		uint64_t start = (uint64_t)rand() % SPACE;
		uint64_t end = start + (uint64_t)rand() % (SPACE - start + 1);
		uint64_t pgoff = (uint64_t)rand() % 1000;
		const struct dso *dso = &dsos[rand() % 8];

		ck_assert(insert(&set, start, end, pgoff, dso, (uint64_t)round));
		model_map(&model, start, end, pgoff, dso);
		if (round % 10 == 0)
			check_same(set, &model);
	}
	check_same(set, &model);
	map_set_release(set);
}
END_TEST

/* Code, memory without a file and files, each with its rule of what it displaces. */
START_TEST(random_code_agrees_with_the_model)
{
	static const struct dso file = {.kind = DSO_USER, .path = "/bin/x"};
	static const struct dso memory = {.kind = DSO_JIT, .path = "/tmp/perf-1.map"};
	static const struct dso code = {.kind = DSO_JITDUMP, .path = "/tmp/jit-1.dump"};
	const struct dso *const kinds[] = {&file, &memory, &code};
	struct map_set *set = map_set_create(0), *before;
	struct model maps = {0}, codes = {0}, seen;

	srand(3);
	for (int round = 0; round < 3000; round++) {
		uint64_t start = (uint64_t)rand() % SPACE;
		uint64_t end = start + (uint64_t)rand() % (SPACE - start + 1) / 4;
		const struct dso *dso = kinds[rand() % 3];

		before = round % 50 == 0 ? map_set_share(set) : NULL;
		if (dso == &code) {
			ck_assert(insert_code(&set, start, end, dso, (uint64_t)round));
			model_map(&codes, start, end, 7, dso);
		} else {
			ck_assert(insert(&set, start, end, 9, dso, (uint64_t)round));
			model_map(&maps, start, end, 9, dso);
		}
		for (uint64_t addr = start; addr < end && dso == &file; addr++)
			codes.dso[addr] = NULL;
		seen = maps;
		for (uint64_t addr = 0; addr < SPACE; addr++) {
			if (codes.dso[addr]) {
				seen.dso[addr] = codes.dso[addr];
				seen.place[addr] = codes.place[addr];
			}
		}
		check_same(set, &seen);
		check_balance(set->code);
		map_set_release(before);
	}
	map_set_release(set);
}
END_TEST

/* A family of sets: each of them is now and then given up for a share of another one. */
START_TEST(random_families_agree_with_their_models)
{
	enum { NR = 6 };
	struct map_set *sets[NR];
	static struct model models[NR];

	srand(2);
	memset(models, 0, sizeof(models));
	for (int i = 0; i < NR; i++)
		sets[i] = map_set_create(0);
	for (int round = 1; round < 6000; round++) {
		int i = rand() % NR, from = rand() % NR;
		uint64_t start = (uint64_t)rand() % SPACE;
		uint64_t end = start + (uint64_t)rand() % (SPACE - start + 1) % 16;
		const struct dso *dso = &dsos[rand() % 8];

		if (rand() % 20 == 0 && i != from) {
			map_set_release(sets[i]);
			sets[i] = map_set_share(sets[from]);
			models[i] = models[from];
		} else if (rand() % 3 == 0) {
			ck_assert(map_set_remove(&sets[i], start, end, (uint64_t)round));
			model_unmap(&models[i], start, end);
		} else {
			ck_assert(insert(&sets[i], start, end, start, dso, (uint64_t)round));
			model_map(&models[i], start, end, start, dso);
		}
		if (round % 20 == 0)
			check_same(sets[i], &models[i]);
		check_balance(sets[i]->root);
	}
	for (int i = 0; i < NR; i++) {
		check_same(sets[i], &models[i]);
		map_set_release(sets[i]);
	}
}
END_TEST

/* What is executable in a small space. */
struct code_view {
	const struct dso *dso[SPACE]; /* NULL: none */
	uint64_t place[SPACE];
};

static struct code_view code_of(const struct map_set *set)
{
	struct code_view view = {0};

	for (uint64_t addr = 0; addr < SPACE; addr++) {
		bool alone;
		const struct map *map = map_set_look(set, addr, &alone);

		if (map && map->is_code) {
			view.dso[addr] = map->dso;
			view.place[addr] = map_place(map, addr);
		}
	}
	return view;
}

static bool has_any(const struct code_view *view, uint64_t start, uint64_t end)
{
	for (uint64_t addr = start; addr < end; addr++)
		if (view->dso[addr])
			return true;
	return false;
}

/* Changes a random range of *@set. Returns whether code comes or goes. */
static bool change_any(struct map_set **set, uint64_t version)
{
	static const struct dso file = {.kind = DSO_USER, .path = "/bin/x"};
	static const struct dso memory = {.kind = DSO_JIT, .path = "/tmp/perf-1.map"};
	const uint64_t start = (uint64_t)rand() % SPACE;
	const struct map map = {
		.start = start,
		.end = start + 1 + (uint64_t)rand() % (SPACE - start) / 8,
		.pgoff = (uint64_t)rand() % 1000,
		.dso = rand() % 2 ? &file : &memory,
		.is_code = rand() % 4 == 0,
	};
	const struct code_view before = code_of(*set);
	const bool had = has_any(&before, map.start, map.end);

	switch (rand() % 8) {
	case 0:
		ck_assert(map_set_remove(set, map.start, map.end, version));
		return had;
	case 1:
		ck_assert(map_set_insert_code(set,
					      &(struct map){.start = map.start,
							    .end = map.end,
							    .dso = &memory,
							    .is_code = true},
					      version));
		return true;
	default:
		ck_assert(map_set_insert(set, &map, version));
		return had || map.is_code;
	}
}

/* Sets of one version of code have the same code, and data change nothing. */
START_TEST(code_has_its_own_version)
{
	enum { NR_SETS = 4, NR_CHANGES = 3000 };
	static struct code_view views[NR_CHANGES + 1];
	struct map_set *sets[NR_SETS];

	srand(5);
	sets[0] = map_set_create(0);
	for (int i = 1; i < NR_SETS; i++)
		sets[i] = map_set_share(sets[0]);
	for (uint64_t version = 1; version <= NR_CHANGES; version++) {
		struct map_set **set = &sets[rand() % NR_SETS];
		const uint64_t before = (*set)->code_version;
		const bool changes = change_any(set, version);

		ck_assert_uint_eq((*set)->version, version);
		ck_assert_uint_eq((*set)->code_version, changes ? version : before);
		if (changes)
			views[version] = code_of(*set);
		for (int i = 0; i < NR_SETS; i++) {
			const struct code_view view = code_of(sets[i]);

			ck_assert_mem_eq(&view, &views[sets[i]->code_version], sizeof(view));
		}
		if (rand() % 50 == 0) { /* a fork */
			struct map_set **child = &sets[rand() % NR_SETS];
			struct map_set *parents = map_set_share(*set);

			map_set_release(*child);
			*child = parents;
		}
	}
	for (int i = 0; i < NR_SETS; i++)
		map_set_release(sets[i]);
}
END_TEST

START_TEST(a_map_inside_another_splits_it)
{
	struct map_set *set = map_set_create(0);
	const struct map *map;

	insert(&set, 0x1000, 0x9000, 0x100, &dsos[0], 1);
	insert(&set, 0x3000, 0x5000, 0x700, &dsos[1], 2);
	map = map_set_find(set, 0x2fff);
	ck_assert_ptr_eq(map->dso, &dsos[0]);
	ck_assert_uint_eq(map->end, 0x3000);
	ck_assert_uint_eq(map_place(map, 0x2fff), 0x20ff);
	ck_assert_ptr_eq(map_set_find(set, 0x3000)->dso, &dsos[1]);
	ck_assert_ptr_eq(map_set_find(set, 0x4fff)->dso, &dsos[1]);
	map = map_set_find(set, 0x5000);
	ck_assert_ptr_eq(map->dso, &dsos[0]);
	ck_assert_uint_eq(map->start, 0x5000);
	ck_assert_uint_eq(map_place(map, 0x5000), 0x4100);
	ck_assert_ptr_null(map_set_find(set, 0x9000));
	ck_assert_ptr_null(map_set_find(set, 0xfff));
	map_set_release(set);
}
END_TEST

START_TEST(a_shared_set_is_copied_before_it_changes)
{
	struct map_set *parent = map_set_create(0), *child;

	insert(&parent, 0x1000, 0x2000, 0, &dsos[0], 1);
	child = map_set_share(parent);
	ck_assert_ptr_eq(child, parent);
	insert(&child, 0x1000, 0x2000, 0, &dsos[1], 2);
	ck_assert_ptr_ne(child, parent);
	ck_assert_ptr_eq(map_set_find(parent, 0x1800)->dso, &dsos[0]);
	ck_assert_ptr_eq(map_set_find(child, 0x1800)->dso, &dsos[1]);
	ck_assert_uint_eq(parent->version, 1);
	ck_assert_uint_eq(child->version, 2);
	map_set_release(parent);
	ck_assert_ptr_eq(map_set_find(child, 0x1800)->dso, &dsos[1]);
	map_set_release(child);
}
END_TEST

/* What a child changes costs it a way down the tree, not the tree. */
START_TEST(a_family_shares_the_maps_that_it_has_in_common)
{
	enum { NR = 10000, CHILDREN = 100 };
	struct map_set *parent = map_set_create(0), *children[CHILDREN];
	int height;

	for (uint64_t i = 0; i < NR; i++)
		insert(&parent, i * 0x1000, i * 0x1000 + 0x800, 0, &dsos[0], i);
	height = check_balance(parent->root);
	ck_assert_int_le(height, 19); /* 1.44 log2(10000) */
	for (uint64_t i = 0; i < CHILDREN; i++) {
		children[i] = map_set_share(parent);
		insert(&children[i], i * 0x50000, i * 0x50000 + 0x1000, 0, &dsos[1], NR + i);
		/* One map displaced, another in its place: two ways down and a rotation. */
		ck_assert_uint_le(count_own(children[i]->root), (size_t)(height + 2));
	}
	ck_assert_ptr_eq(map_set_find(parent, 0x50000)->dso, &dsos[0]);
	ck_assert_ptr_eq(map_set_find(children[1], 0x50000)->dso, &dsos[1]);
	ck_assert_ptr_eq(map_set_find(children[0], 0x50000)->dso, &dsos[0]);
	map_set_release(parent);
	for (uint64_t i = 0; i < CHILDREN; i++) {
		ck_assert_ptr_eq(map_set_find(children[i], 9999 * 0x1000)->dso, &dsos[0]);
		map_set_release(children[i]);
	}
}
END_TEST

START_TEST(what_is_removed_leaves_a_hole)
{
	struct map_set *set = map_set_create(0);

	insert(&set, 0x1000, 0x9000, 0x100, &dsos[0], 1);
	ck_assert(map_set_find(set, 0x4000)); /* which is remembered */
	ck_assert(map_set_remove(&set, 0x3000, 0x5000, 2));
	ck_assert_uint_eq(set->version, 2);
	ck_assert_ptr_null(map_set_find(set, 0x4000));
	ck_assert_uint_eq(map_place(map_set_find(set, 0x2fff), 0x2fff), 0x20ff);
	ck_assert_uint_eq(map_place(map_set_find(set, 0x5000), 0x5000), 0x4100);
	ck_assert(map_set_remove(&set, 7, 7, 3)); /* nothing lies in it */
	ck_assert_uint_eq(set->version, 2);
	ck_assert(map_set_remove(&set, 0, UINT64_MAX, 4));
	ck_assert(map_set_empty(set));
	map_set_release(set);
}
END_TEST

START_TEST(the_ends_of_the_address_space)
{
	struct map_set *set = map_set_create(0);

	insert(&set, 0, UINT64_MAX, 0, &dsos[0], 1);
	ck_assert_ptr_eq(map_set_find(set, 0)->dso, &dsos[0]);
	ck_assert_ptr_eq(map_set_find(set, UINT64_MAX - 1)->dso, &dsos[0]);
	insert(&set, UINT64_MAX - 10, UINT64_MAX, 0, &dsos[1], 2);
	ck_assert_ptr_eq(map_set_find(set, UINT64_MAX - 1)->dso, &dsos[1]);
	ck_assert_ptr_eq(map_set_find(set, UINT64_MAX - 11)->dso, &dsos[0]);
	insert(&set, 5, 5, 0, &dsos[2], 3); /* nothing lies in an empty one */
	ck_assert_ptr_eq(map_set_find(set, 5)->dso, &dsos[0]);
	map_set_release(set);
}
END_TEST

START_TEST(the_two_maps_found_last_are_known)
{
	const struct map maps[] = {
		{.start = 0, .end = 2}, {.start = 2, .end = 3}, {.start = 8, .end = UINT64_MAX}};
	struct map_pair pair = {0};

	ck_assert_ptr_null(map_pair_find(&pair, 0));
	map_pair_put(&pair, &maps[0]);
	ck_assert_ptr_eq(map_pair_find(&pair, 0), &maps[0]);
	ck_assert_ptr_null(map_pair_find(&pair, 2));
	map_pair_put(&pair, &maps[1]);
	ck_assert_ptr_eq(map_pair_find(&pair, 1), &maps[0]);
	ck_assert_ptr_eq(map_pair_find(&pair, 2), &maps[1]);
	map_pair_put(&pair, &maps[2]);
	ck_assert_ptr_null(map_pair_find(&pair, 1));
	ck_assert_ptr_eq(map_pair_find(&pair, 2), &maps[1]);
	ck_assert_ptr_null(map_pair_find(&pair, 3));
	ck_assert_ptr_null(map_pair_find(&pair, 7));
	ck_assert_ptr_eq(map_pair_find(&pair, 8), &maps[2]);
	ck_assert_ptr_eq(map_pair_find(&pair, UINT64_MAX - 1), &maps[2]);
	ck_assert_ptr_null(map_pair_find(&pair, UINT64_MAX));
}
END_TEST

START_TEST(many_maps_are_freed_and_found)
{
	enum { NR = 100000 };
	struct map_set *set = map_set_create(0);

	for (uint64_t i = 0; i < NR; i++) {
		uint64_t start = (i * 7919 % NR) * 0x1000;

		ck_assert(insert(&set, start, start + 0x1000, i, &dsos[i % 8], i));
	}
	for (uint64_t i = 0; i < NR; i++) {
		const struct map *map = map_set_find(set, (i * 7919 % NR) * 0x1000 + 5);

		ck_assert_uint_eq(map->pgoff, i);
	}
	map_set_release(set);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("maps");
	TCase *tc = tcase_create("maps");

	tcase_add_test(tc, random_maps_agree_with_the_model);
	tcase_add_test(tc, random_code_agrees_with_the_model);
	tcase_add_test(tc, the_two_maps_found_last_are_known);
	tcase_add_test(tc, code_has_its_own_version);
	tcase_add_test(tc, a_map_inside_another_splits_it);
	tcase_add_test(tc, a_shared_set_is_copied_before_it_changes);
	tcase_add_test(tc, random_families_agree_with_their_models);
	tcase_add_test(tc, a_family_shares_the_maps_that_it_has_in_common);
	tcase_add_test(tc, what_is_removed_leaves_a_hole);
	tcase_add_test(tc, the_ends_of_the_address_space);
	tcase_add_test(tc, many_maps_are_freed_and_found);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}

/* The hash table that nodes leave again, and the list, against plain arrays. */
#include "util/chains.h"
#include "util/list.h"

#include "tests/support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { NR_NODES = 2000, NR_KEYS = 300 };

struct item {
	struct chain_node node;
	bool in;
};

static struct item items[NR_NODES];

static void assert_same(const struct chains *table, uint32_t key)
{
	size_t expected = 0, found = 0;

	for (size_t i = 0; i < NR_NODES; i++)
		expected += items[i].in && items[i].node.key == key;
	for (struct chain_node *at = chains_first(table, key); at; at = chains_next(at)) {
		ck_assert_uint_eq(at->key, key);
		ck_assert(chain_entry(at, struct item, node)->in);
		found++;
	}
	ck_assert_uint_eq(found, expected);
}

START_TEST(nodes_come_and_go)
{
	struct chains table = {0};

	srand(1);
	ck_assert_ptr_null(chains_first(&table, 5));
	for (int step = 0; step < 20000; step++) {
		struct item *item = &items[rand() % NR_NODES];

		if (item->in)
			chains_remove(&table, &item->node);
		else
			ck_assert(chains_add(&table, &item->node, (uint32_t)(rand() % NR_KEYS)));
		item->in = !item->in;
		if (step % 100 == 0)
			assert_same(&table, (uint32_t)(rand() % NR_KEYS));
	}
	for (uint32_t key = 0; key < NR_KEYS; key++)
		assert_same(&table, key);
	chains_free(&table);
}
END_TEST

START_TEST(the_last_added_comes_first)
{
	struct chains table = {0};
	struct item first = {0}, second = {0};

	ck_assert(chains_add(&table, &first.node, 7));
	ck_assert(chains_add(&table, &second.node, 7));
	ck_assert_ptr_eq(chains_first(&table, 7), &second.node);
	chains_remove(&table, &second.node);
	ck_assert_ptr_eq(chains_first(&table, 7), &first.node);
	chains_free(&table);
}
END_TEST

START_TEST(a_list_keeps_its_order)
{
	static const int order[] = {0, 2, 1};
	struct list head, nodes[3];
	int nr = 0;

	list_init(&head);
	ck_assert(list_empty(&head));
	for (int i = 0; i < 3; i++)
		list_append(&head, &nodes[i]);
	list_remove(&nodes[1]);
	list_remove(&nodes[1]); /* in none: nothing happens */
	list_append(&head, &nodes[1]);
	for (struct list *at = head.next; at != &head; at = at->next)
		ck_assert_ptr_eq(at, &nodes[order[nr++]]);
	ck_assert_int_eq(nr, 3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("chains");
	TCase *tcase = tcase_create("chains");

	tcase_add_test(tcase, nodes_come_and_go);
	tcase_add_test(tcase, the_last_added_comes_first);
	tcase_add_test(tcase, a_list_keeps_its_order);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}

#include "decode/callpath.h"

#include "decode/address.h"
#include "util/array.h"
#include "util/hash.h"

static uint64_t hash_path(uint32_t caller, uint32_t address)
{
	return hash_u64((uint64_t)caller << 32 | address);
}

uint32_t callpath_get(struct callpath_table *table, uint32_t caller, uint32_t address)
{
	uint64_t hash = hash_path(caller, address);
	const struct index *ix = &table->index;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct callpath *have = &table->paths[number];

		if (have->caller == caller && have->address == address)
			return number + 1;
	}
	if (!array_grow(table->paths, table->room, ix->nr + 1))
		return CALLPATH_NONE;
	table->paths[ix->nr] = (struct callpath){.caller = caller, .address = address};
	if (!index_add(&table->index, hash))
		return CALLPATH_NONE;
	return (uint32_t)ix->nr;
}

/* The paths as a tree that can be walked down; all indexed by path number. */
struct walk {
	struct tally *below;	/* what was counted on the path and on all that continue it */
	uint32_t *first, *next; /* first path that continues this one, next of the same caller */
	uint32_t *on_stack;	/* by row: how often it is on the path being walked */
	const struct row_link *links;
};

static void walk_free(struct walk *walk)
{
	free(walk->below);
	free(walk->first);
	free(walk->next);
	free(walk->on_stack);
}

static int walk_init(struct walk *walk, const struct callpath *paths, size_t nr, size_t nr_rows)
{
	walk->below = calloc(nr + 1, sizeof(*walk->below));
	walk->first = calloc(nr + 1, sizeof(*walk->first));
	walk->next = calloc(nr + 1, sizeof(*walk->next));
	walk->on_stack = calloc(nr_rows + 1, sizeof(*walk->on_stack));
	if (!walk->below || !walk->first || !walk->next || !walk->on_stack)
		return -1;
	/* A caller's number is less than that of any path that continues it. */
	for (size_t i = nr; i > 0; i--) {
		const struct callpath *path = &paths[i - 1];

		tally_add(&walk->below[i], path->here.samples, path->here.period);
		tally_add(&walk->below[path->caller], walk->below[i].samples,
			  walk->below[i].period);
		walk->next[i] = walk->first[path->caller];
		walk->first[path->caller] = (uint32_t)i;
	}
	return 0;
}

/* Puts the functions at path @at on the stack, and counts what is below it for the new ones. */
static void enter(struct walk *walk, uint32_t at, uint32_t link, struct tally *totals)
{
	for (; link != LINK_NONE; link = walk->links[link].outer) {
		uint32_t row = walk->links[link].row;

		if (walk->on_stack[row]++ == 0)
			tally_add(&totals[row], walk->below[at].samples, walk->below[at].period);
	}
}

static void leave(struct walk *walk, uint32_t link)
{
	for (; link != LINK_NONE; link = walk->links[link].outer)
		walk->on_stack[walk->links[link].row]--;
}

int callpath_fold(const struct callpath *paths, size_t nr, const struct row_link *links,
		  const uint32_t *link_of, size_t nr_rows, struct tally *totals)
{
	struct walk walk = {.links = links};
	uint32_t at;

	if (walk_init(&walk, paths, nr, nr_rows) < 0) {
		walk_free(&walk);
		return -1;
	}
	at = walk.first[CALLPATH_ROOT];
	while (at != CALLPATH_ROOT) {
		enter(&walk, at, link_of[paths[at - 1].address], totals);
		if (walk.first[at]) {
			at = walk.first[at];
			continue;
		}
		/* Up to the next path not yet walked, taking off what is left behind. */
		for (;;) {
			const struct callpath *path = &paths[at - 1];

			leave(&walk, link_of[path->address]);
			if (walk.next[at]) {
				at = walk.next[at];
				break;
			}
			at = path->caller;
			if (at == CALLPATH_ROOT)
				break;
		}
	}
	walk_free(&walk);
	return 0;
}

void callpath_table_free(struct callpath_table *table)
{
	free(table->paths);
	index_free(&table->index);
	*table = (struct callpath_table){0};
}

#include "decode/answer/pathlist.h"

#include "util/array.h"
#include "util/hash.h"
#include "util/index.h"

#include <stdlib.h>
#include <string.h>

/* A path of functions: one, and the path of its caller. The first ones are roots, of no function:
 * one for each enum chain_end. */
struct path_node {
	uint32_t parent;
	uint32_t function; /* twice its row, plus 1 if it is inlined */
	/* its first child, the next one of its parent; 0: none, as no root is a child */
	uint32_t first, next;
};

/* What was counted on it; apart from the nodes, as these are looked for all over memory. */
struct path_count {
	struct tally self, total;
};

/* Of the children of a node only the first few, in their list, are looked at; those that come
 * later are looked up in the index. */
struct path_tree {
	struct path_node *nodes;
	struct path_count *counts; /* by node */
	size_t nr, room, counts_room;
	uint32_t *late; /* nodes by number in the index */
	size_t late_room;
	struct index index;
	bool has_waiting; /* as in struct path_list */
	bool failed;	  /* memory is out */
};

static bool make_room(struct path_tree *tree, size_t nr)
{
	return array_grow(tree->nodes, tree->room, nr) &&
	       array_grow(tree->counts, tree->counts_room, nr);
}

static bool init_tree(struct path_tree *tree)
{
	if (!make_room(tree, CHAIN_END_NR))
		return false;
	memset(tree->nodes, 0, CHAIN_END_NR * sizeof(*tree->nodes));
	memset(tree->counts, 0, CHAIN_END_NR * sizeof(*tree->counts));
	tree->nr = CHAIN_END_NR;
	return true;
}

/* After this no node can be looked for. */
static void free_index(struct path_tree *tree)
{
	free(tree->late);
	tree->late = NULL;
	tree->late_room = 0;
	index_free(&tree->index);
}

static void free_tree(struct path_tree *tree)
{
	free(tree->nodes);
	free(tree->counts);
	free_index(tree);
}

static uint32_t row_of(const struct path_node *node)
{
	return node->function / 2;
}

/* ---- from paths of addresses ----------------------------------------------------------------- */

static uint64_t hash_node(uint32_t parent, uint32_t function)
{
	return hash_u64((uint64_t)parent << 32 | function);
}

/* The node of @function below @parent, if it came late; else 0. */
static uint32_t find_late(const struct path_tree *tree, uint32_t parent, uint32_t function)
{
	const uint64_t hash = hash_node(parent, function);
	const struct index *ix = &tree->index;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct path_node *have = &tree->nodes[tree->late[number]];

		if (have->parent == parent && have->function == function)
			return tree->late[number];
	}
	return 0;
}

static bool add_late(struct path_tree *tree, uint32_t node)
{
	const size_t nr = tree->index.nr;

	if (!array_grow(tree->late, tree->late_room, nr + 1))
		return false;
	tree->late[nr] = node;
	return index_add(&tree->index,
			 hash_node(tree->nodes[node].parent, tree->nodes[node].function));
}

/* Makes a node below @parent, after its child @before; 0: as the only one. Returns 0 and sets
 * tree->failed if memory is out. */
static uint32_t add_node(struct path_tree *tree, uint32_t parent, uint32_t function,
			 uint32_t before)
{
	const uint32_t number = (uint32_t)tree->nr;
	uint32_t *link;

	tree->failed |= tree->nr >= UINT32_MAX || !make_room(tree, tree->nr + 1);
	if (tree->failed)
		return 0;
	link = before ? &tree->nodes[before].next : &tree->nodes[parent].first;
	tree->counts[tree->nr] = (struct path_count){0};
	tree->nodes[tree->nr++] = (struct path_node){
		.parent = parent,
		.function = function,
		.next = *link,
	};
	*link = number;
	return number;
}

/* The node of @row below @parent, which is made if it is new; 0 and tree->failed: memory is out. */
static uint32_t get_node(struct path_tree *tree, uint32_t parent, uint32_t row, bool inlined)
{
	enum { EARLY = 8 };
	const uint32_t function = row * 2 + inlined;
	uint32_t at = tree->nodes[parent].first, before = 0;
	unsigned nr = 0;

	for (; at && nr < EARLY; nr++) {
		if (tree->nodes[at].function == function)
			return at;
		before = at;
		at = tree->nodes[at].next;
	}
	if (at)
		at = find_late(tree, parent, function);
	if (at)
		return at;
	at = add_node(tree, parent, function, before);
	if (at && nr == EARLY)
		tree->failed |= !add_late(tree, at);
	return tree->failed ? 0 : at;
}

/* Sets @numbers to the paths of functions of the @nr @paths, whose samples count there. */
static void add_paths(struct path_tree *tree, const struct callpath *paths, size_t nr,
		      const struct address_rows *of_addresses, uint32_t *numbers)
{
	for (size_t i = 0; i < nr && !tree->failed; i++) {
		const struct callpath *path = &paths[i];
		const struct row_list functions = address_rows_of(of_addresses, path->address);
		uint32_t at = path->caller;

		if (at >= CHAIN_END_NR)
			at = numbers[at - CHAIN_END_NR];
		/* the outermost one first */
		for (size_t k = functions.nr; k-- > 0 && !tree->failed;)
			at = get_node(tree, at, functions.rows[k], k + 1 < functions.nr);
		tally_add(&tree->counts[at].self, path->here.samples, path->here.period);
		numbers[i] = at;
	}
}

/* What functions counted on no path, each alone. */
static bool add_pathless(struct path_tree *tree, const struct function_stat *functions, size_t nr)
{
	struct tally *on_paths = calloc(nr + 1, sizeof(*on_paths));

	if (!on_paths)
		return false;
	for (size_t i = CHAIN_END_NR; i < tree->nr; i++)
		tally_add(&on_paths[row_of(&tree->nodes[i])], tree->counts[i].self.samples,
			  tree->counts[i].self.period);
	for (uint32_t i = 0; i < nr && !tree->failed; i++) {
		const struct tally *self = &functions[i].self;
		uint32_t at;

		if (self->samples <= on_paths[i].samples)
			continue;
		tree->has_waiting |= functions[i].event->chains;
		at = get_node(tree, CHAIN_MISSING, i, false);
		tally_add(&tree->counts[at].self, self->samples - on_paths[i].samples,
			  self->period - on_paths[i].period);
	}
	free(on_paths);
	return !tree->failed;
}

/* A parent's number is less than that of its children. */
static void sum_totals(struct path_tree *tree)
{
	for (size_t i = tree->nr; i-- > CHAIN_END_NR;) {
		struct path_count *count = &tree->counts[i];

		tally_add(&count->total, count->self.samples, count->self.period);
		tally_add(&tree->counts[tree->nodes[i].parent].total, count->total.samples,
			  count->total.period);
	}
}

/* ---- to a list ------------------------------------------------------------------------------- */

/* The tree while it becomes a list. */
struct path_order {
	struct path_tree *tree;
	const struct function_stat *functions;
	uint32_t *siblings; /* room to sort some */
	size_t room;
	uint32_t *place; /* by node: in the list */
};

/* All roots are one. */
static uint32_t parent_of(const struct path_node *node)
{
	return node->parent < CHAIN_END_NR ? 0 : node->parent;
}

/* By event, highest totals first; the rest is for an order that is always the same. */
static int compare_siblings(const void *a, const void *b, void *arg)
{
	const struct path_order *order = arg;
	const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct path_node *x = &order->tree->nodes[i], *y = &order->tree->nodes[k];
	const uint64_t period = order->tree->counts[i].total.period;
	const uint64_t other = order->tree->counts[k].total.period;
	const struct function_stat *f = &order->functions[row_of(x)];
	const struct function_stat *g = &order->functions[row_of(y)];
	int names;

	/* Only roots can be of several events. */
	if (x->parent < CHAIN_END_NR && f->event != g->event)
		return f->event->number < g->event->number ? -1 : 1;
	if (period != other)
		return period > other ? -1 : 1;
	if ((names = strcmp(f->function, g->function)) != 0)
		return names;
	if (row_of(x) != row_of(y))
		return row_of(x) < row_of(y) ? -1 : 1;
	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return (x->function > y->function) - (x->function < y->function);
}

/* Appends @first and those after it to the @nr siblings to sort; nodes that nothing was counted
 * below are left out. Returns false if memory is out. */
static bool gather(struct path_order *order, size_t *nr, uint32_t first)
{
	const struct path_node *nodes = order->tree->nodes;

	for (uint32_t at = first; at; at = nodes[at].next) {
		if (!order->tree->counts[at].total.samples)
			continue;
		if (!array_grow(order->siblings, order->room, *nr + 1))
			return false;
		order->siblings[(*nr)++] = at;
	}
	return true;
}

/* Makes a sorted list of the @nr gathered siblings. Returns the first one. */
static uint32_t sort_siblings(struct path_order *order, size_t nr)
{
	struct path_node *nodes = order->tree->nodes;
	uint32_t first = 0;

	if (nr > 1)
		qsort_r(order->siblings, nr, sizeof(*order->siblings), compare_siblings, order);
	while (nr-- > 0) {
		nodes[order->siblings[nr]].next = first;
		first = order->siblings[nr];
	}
	return first;
}

static void append(struct path_list *list, const struct path_order *order, uint32_t number)
{
	const struct path_node *node = &order->tree->nodes[number];
	const struct path_count *count = &order->tree->counts[number];
	struct path_stat *row = &list->rows[list->nr];
	const bool root = node->parent < CHAIN_END_NR;

	*row = (struct path_stat){
		.function = &order->functions[row_of(node)],
		.parent = root ? PATH_NO_PARENT : order->place[node->parent],
		.self = count->self,
		.total = count->total,
		.inlined = node->function & 1,
	};
	if (root) {
		row->end = chain_end_word((enum chain_end)node->parent);
		row->cut = chain_end_is_cut((enum chain_end)node->parent) &&
			   row->function->event->chains;
	} else {
		const struct path_stat *parent = &list->rows[row->parent];

		row->depth = parent->depth + 1;
		row->end = parent->end;
		row->cut = parent->cut;
	}
	order->place[number] = (uint32_t)list->nr++;
}

/* Each node before its children, which are sorted when it is their turn. */
static bool append_all(struct path_list *list, struct path_order *order)
{
	struct path_node *nodes = order->tree->nodes;
	size_t nr = 0;
	uint32_t at;

	for (uint32_t root = 0; root < CHAIN_END_NR; root++)
		if (!gather(order, &nr, nodes[root].first))
			return false;
	at = nodes[0].first = sort_siblings(order, nr);
	while (at) {
		append(list, order, at);
		nr = 0;
		if (!gather(order, &nr, nodes[at].first))
			return false;
		if (nr) {
			at = sort_siblings(order, nr);
			continue;
		}
		while (at && !nodes[at].next)
			at = parent_of(&nodes[at]);
		at = nodes[at].next;
	}
	return true;
}

static size_t count_counted(const struct path_tree *tree)
{
	size_t nr = 0;

	for (size_t i = CHAIN_END_NR; i < tree->nr; i++)
		nr += tree->counts[i].total.samples > 0;
	return nr;
}

/* @cells may be NULL: none are wanted. */
static bool list_nodes(struct path_list *list, struct path_tree *tree,
		       const struct function_stat *functions, struct path_cells *cells)
{
	struct path_order order = {.tree = tree, .functions = functions};
	bool ok;

	order.place = calloc(tree->nr, sizeof(*order.place));
	list->rows = calloc(count_counted(tree) + 1, sizeof(*list->rows));
	ok = order.place && list->rows && append_all(list, &order);
	ok = ok && (!cells || pathcells_end(cells, order.place, list->nr));
	free(order.place);
	free(order.siblings);
	return ok;
}

/* ---- the list ----------------------------------------------------------------------------------
 */

/* The list in the making. */
struct list_work {
	struct path_tree tree;
	const struct pathlist_input *input;
	struct path_cells *cells; /* NULL: none are wanted */
};

/* The path of a sample without a call chain: its function alone. */
static uint32_t find_of_address(void *arg, uint32_t address)
{
	struct list_work *work = arg;

	return get_node(&work->tree, CHAIN_MISSING,
			address_rows_innermost(work->input->of_addresses, address), false);
}

/* Samples without call chains may be of a table without paths. */
static int add_table(void *arg, size_t table, const struct callpath *paths, size_t nr,
		     struct error *err)
{
	struct list_work *work = arg;
	const struct path_of_address of_address = {find_of_address, work};
	uint32_t *numbers = calloc(nr + 1, sizeof(*numbers));
	int rc = 0;

	if (!numbers)
		return error_nomem(err, "adding up call paths");
	add_paths(&work->tree, paths, nr, work->input->of_addresses, numbers);
	if (work->cells && !work->tree.failed)
		rc = pathcells_add_table(work->cells, table, numbers, &of_address, err);
	free(numbers);
	if (work->tree.failed)
		return error_nomem(err, "adding up call paths");
	return rc;
}

/* Returns 0, or -1 with @err filled. */
static int make_list(struct list_work *work, struct path_list *list, struct error *err)
{
	const struct pathlist_input *input = work->input;
	struct path_tree *tree = &work->tree;

	if (!init_tree(tree))
		return error_nomem(err, "adding up call paths");
	if (pathstore_read(input->paths, &(struct path_reader){add_table, work}, err) < 0)
		return -1;
	if (!add_pathless(tree, input->functions, input->nr))
		return error_nomem(err, "adding up call paths");
	sum_totals(tree);
	free_index(tree);
	list->has_waiting = tree->has_waiting;
	return list_nodes(list, tree, input->functions, work->cells)
		       ? 0
		       : error_nomem(err, "adding up call paths");
}

int pathlist_make_cells(struct path_list *list, struct path_cells *cells,
			const struct pathlist_input *input, struct error *err)
{
	struct list_work work = {.input = input, .cells = cells};
	int rc;

	*list = (struct path_list){0};
	rc = make_list(&work, list, err);
	free_tree(&work.tree);
	return rc;
}

int pathlist_make(struct path_list *list, const struct pathstore *paths,
		  const struct address_rows *of_addresses, const struct function_stat *functions,
		  size_t nr, struct error *err)
{
	const struct pathlist_input input = {paths, of_addresses, functions, nr};

	return pathlist_make_cells(list, NULL, &input, err);
}

/* Sets @numbers to the nodes of the @nr @given paths. */
static void add_given(struct path_tree *tree, const struct given_path *given, size_t nr,
		      uint32_t *numbers)
{
	for (size_t i = 0; i < nr && !tree->failed; i++) {
		if (given[i].function == PATH_NO_FUNCTION) {
			numbers[i] = CHAIN_RECORDED;
			continue;
		}
		numbers[i] = get_node(tree, numbers[given[i].caller], given[i].function, false);
		tally_add(&tree->counts[numbers[i]].self, given[i].self.samples,
			  given[i].self.period);
	}
}

int pathlist_make_given(struct path_list *list, const struct given_path *given, size_t nr,
			const struct function_stat *functions, struct error *err)
{
	struct path_tree tree = {0};
	uint32_t *numbers = calloc(nr + 1, sizeof(*numbers));
	bool ok = numbers && init_tree(&tree);

	*list = (struct path_list){0};
	if (ok) {
		add_given(&tree, given, nr, numbers);
		ok = !tree.failed;
		sum_totals(&tree);
	}
	free(numbers);
	free_index(&tree);
	ok = ok && list_nodes(list, &tree, functions, NULL);
	free_tree(&tree);
	return ok ? 0 : error_nomem(err, "adding up call paths");
}

void pathlist_free(struct path_list *list)
{
	free(list->rows);
	*list = (struct path_list){0};
}

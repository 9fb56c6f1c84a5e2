#include "decode/answer/pathlist.h"

#include "util/array.h"
#include "util/hash.h"
#include "util/index.h"

#include <stdlib.h>
#include <string.h>

/* A path of functions: one, and the path of its caller. The first ones are roots, of no function:
 * one for each enum chain_end. */
struct path_node {
	uint32_t parent, row;
	bool inlined;
	struct tally self, total;
};

/* Node number CHAIN_END_NR + n is element n of the index. */
struct path_tree {
	struct path_node *nodes;
	size_t room;
	struct index index;
	uint32_t at;		  /* while the paths are walked: where that is */
	struct path_cells *cells; /* NULL: none are wanted */
	bool failed;		  /* memory is out */
};

static size_t count_nodes(const struct path_tree *tree)
{
	return tree->index.nr + CHAIN_END_NR;
}

static bool init_tree(struct path_tree *tree)
{
	if (!array_grow(tree->nodes, tree->room, CHAIN_END_NR))
		return false;
	memset(tree->nodes, 0, CHAIN_END_NR * sizeof(*tree->nodes));
	return true;
}

static void free_tree(struct path_tree *tree)
{
	free(tree->nodes);
	index_free(&tree->index);
}

/* ---- from paths of addresses ----------------------------------------------------------------- */

/* The node of @row below @parent, which is made if it is new; 0 and tree->failed: memory is out. */
static uint32_t get_node(struct path_tree *tree, uint32_t parent, uint32_t row, bool inlined)
{
	const uint64_t hash = hash_u64(((uint64_t)parent << 32 | row) + inlined);
	const struct index *ix = &tree->index;
	const size_t nr = count_nodes(tree);
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);) {
		const struct path_node *have = &tree->nodes[number + CHAIN_END_NR];

		if (have->parent == parent && have->row == row && have->inlined == inlined)
			return number + CHAIN_END_NR;
	}
	tree->failed |= nr >= UINT32_MAX || !array_grow(tree->nodes, tree->room, nr + 1) ||
			!index_add(&tree->index, hash);
	if (tree->failed)
		return 0;
	tree->nodes[nr] = (struct path_node){.parent = parent, .row = row, .inlined = inlined};
	return (uint32_t)nr;
}

/* Goes down to the functions of an address, the outermost first. */
static void enter(void *arg, const struct path_visit *visit)
{
	struct path_tree *tree = arg;
	const struct row_list *functions = &visit->functions;
	const struct tally *here = &visit->path->here;

	if (tree->failed)
		return;
	if (visit->path->caller < CHAIN_END_NR)
		tree->at = visit->end;
	for (size_t i = functions->nr; i-- > 0 && !tree->failed;)
		tree->at = get_node(tree, tree->at, functions->rows[i], i + 1 < functions->nr);
	tally_add(&tree->nodes[tree->at].self, here->samples, here->period);
	if (tree->cells)
		pathcells_tell(tree->cells, visit->path, tree->at);
}

static void leave(void *arg, const struct path_visit *visit)
{
	struct path_tree *tree = arg;

	for (size_t i = 0; i < visit->functions.nr && !tree->failed; i++)
		tree->at = tree->nodes[tree->at].parent;
}

/* What functions counted on no path, each alone. */
static bool add_pathless(struct path_tree *tree, const struct function_stat *functions, size_t nr)
{
	struct tally *on_paths = calloc(nr + 1, sizeof(*on_paths));

	if (!on_paths)
		return false;
	for (size_t i = CHAIN_END_NR; i < count_nodes(tree); i++)
		tally_add(&on_paths[tree->nodes[i].row], tree->nodes[i].self.samples,
			  tree->nodes[i].self.period);
	for (uint32_t i = 0; i < nr && !tree->failed; i++) {
		const struct tally *self = &functions[i].self;

		if (self->samples <= on_paths[i].samples)
			continue;
		tree->at = get_node(tree, CHAIN_MISSING, i, false);
		tally_add(&tree->nodes[tree->at].self, self->samples - on_paths[i].samples,
			  self->period - on_paths[i].period);
	}
	free(on_paths);
	return !tree->failed;
}

/* A parent's number is less than that of its children. */
static void sum_totals(struct path_tree *tree)
{
	for (size_t i = count_nodes(tree); i-- > CHAIN_END_NR;) {
		struct path_node *node = &tree->nodes[i];

		tally_add(&node->total, node->self.samples, node->self.period);
		tally_add(&tree->nodes[node->parent].total, node->total.samples,
			  node->total.period);
	}
}

/* ---- to a list ------------------------------------------------------------------------------- */

/* The tree with its nodes sorted: those of a parent stand together, those of all roots first. */
struct path_order {
	const struct path_tree *tree;
	const struct function_stat *functions;
	uint32_t *sorted; /* numbers of nodes */
	size_t nr;
	size_t *next;	 /* by node: its first child in @sorted that is not in the list yet */
	uint32_t *place; /* by node: in the list */
};

/* All roots are one. */
static uint32_t parent_of(const struct path_node *node)
{
	return node->parent < CHAIN_END_NR ? 0 : node->parent;
}

/* Of nodes that have one parent. */
static int compare_siblings(const struct path_order *order, const struct path_node *x,
			    const struct path_node *y)
{
	const struct function_stat *f = &order->functions[x->row], *g = &order->functions[y->row];
	int names;

	if (f->event != g->event)
		return f->event->number < g->event->number ? -1 : 1;
	if (x->total.period != y->total.period)
		return x->total.period > y->total.period ? -1 : 1;
	if ((names = strcmp(f->function, g->function)) != 0)
		return names;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return (x->inlined > y->inlined) - (x->inlined < y->inlined);
}

static int compare_nodes(const void *a, const void *b, void *arg)
{
	const struct path_order *order = arg;
	const struct path_node *x = &order->tree->nodes[*(const uint32_t *)a];
	const struct path_node *y = &order->tree->nodes[*(const uint32_t *)b];

	if (parent_of(x) != parent_of(y))
		return parent_of(x) < parent_of(y) ? -1 : 1;
	return compare_siblings(order, x, y);
}

static void free_order(struct path_order *order)
{
	free(order->sorted);
	free(order->next);
	free(order->place);
}

/* Nodes that nothing was counted below are left out. */
static bool sort_nodes(struct path_order *order)
{
	const size_t nr = count_nodes(order->tree);

	order->sorted = calloc(nr, sizeof(*order->sorted));
	order->next = calloc(nr, sizeof(*order->next));
	order->place = calloc(nr, sizeof(*order->place));
	if (!order->sorted || !order->next || !order->place)
		return false;
	for (size_t i = CHAIN_END_NR; i < nr; i++)
		if (order->tree->nodes[i].total.samples)
			order->sorted[order->nr++] = (uint32_t)i;
	qsort_r(order->sorted, order->nr, sizeof(*order->sorted), compare_nodes, order);
	for (size_t i = 0; i < nr; i++)
		order->next[i] = order->nr;
	for (size_t i = order->nr; i-- > 0;)
		order->next[parent_of(&order->tree->nodes[order->sorted[i]])] = i;
	return true;
}

static void append(struct path_list *list, const struct path_order *order, uint32_t number)
{
	const struct path_node *node = &order->tree->nodes[number];
	struct path_stat *row = &list->rows[list->nr];
	const bool root = node->parent < CHAIN_END_NR;

	*row = (struct path_stat){
		.function = &order->functions[node->row],
		.parent = root ? PATH_NO_PARENT : order->place[node->parent],
		.self = node->self,
		.total = node->total,
		.inlined = node->inlined,
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

/* Each node before its children: down while there is one that is not in the list, else up. */
static void append_all(struct path_list *list, const struct path_order *order)
{
	const struct path_node *nodes = order->tree->nodes;
	uint32_t at = 0;

	while (list->nr < order->nr) {
		const size_t next = order->next[at];

		if (next < order->nr && parent_of(&nodes[order->sorted[next]]) == at) {
			order->next[at]++;
			at = order->sorted[next];
			append(list, order, at);
		} else {
			at = parent_of(&nodes[at]);
		}
	}
}

static bool list_nodes(struct path_list *list, struct path_tree *tree,
		       const struct function_stat *functions)
{
	struct path_order order = {.tree = tree, .functions = functions};
	bool ok = sort_nodes(&order);

	if (ok)
		list->rows = calloc(order.nr + 1, sizeof(*list->rows));
	ok = ok && list->rows;
	if (ok)
		append_all(list, &order);
	ok = ok && (!tree->cells || pathcells_end(tree->cells, order.place, list->nr));
	free_order(&order);
	return ok;
}

/* ---- the list ----------------------------------------------------------------------------------
 */

/* The list in the making. */
struct list_work {
	struct path_tree tree;
	const struct pathlist_input *input;
	bool in_table;	   /* a table of paths is being walked, for cells */
	struct error *err; /* NULL allowed */
	bool has_err;	   /* @err is filled */
};

/* The path of a sample without a call chain: its function alone. */
static uint32_t find_of_address(void *arg, uint32_t address)
{
	struct list_work *work = arg;

	return get_node(&work->tree, CHAIN_MISSING,
			address_rows_innermost(work->input->of_addresses, address), false);
}

static void end_table(struct list_work *work)
{
	const struct path_of_address of_address = {find_of_address, work};

	if (work->in_table && !work->has_err && !work->tree.failed)
		work->has_err = pathcells_end_table(work->tree.cells, &of_address, work->err) < 0;
	work->in_table = false;
}

/* The counts stay as they are: this is where a table of paths begins, and the one before ends. */
static void begin_table(void *arg, size_t table, struct callpath *paths, size_t nr)
{
	struct list_work *work = arg;

	end_table(work);
	pathcells_begin_table(work->tree.cells, table, paths, nr);
	work->tree.failed |= work->tree.cells->failed;
	work->in_table = true;
}

/* A current table without paths is not visited, but samples without call chains may be of it. */
static int walk_paths(struct list_work *work)
{
	const struct pathlist_input *input = work->input;
	const struct path_visitor visitor = {enter, leave, &work->tree};
	const struct path_recount tables = {begin_table, work};
	const bool cells = work->tree.cells != NULL;

	if (pathstore_visit(input->paths, cells ? &tables : NULL, input->of_addresses, &visitor,
			    work->err) < 0)
		return -1;
	end_table(work);
	if (cells && !work->has_err && !callpath_count(&input->paths->now)) {
		begin_table(work, input->paths->nr_aside, NULL, 0);
		end_table(work);
	}
	return work->has_err ? -1 : 0;
}

/* Returns 0, or -1 with work->err filled. */
static int make_list(struct list_work *work, struct path_list *list)
{
	const struct pathlist_input *input = work->input;
	struct path_tree *tree = &work->tree;

	if (!init_tree(tree))
		return error_nomem(work->err, "adding up call paths");
	if (walk_paths(work) < 0)
		return -1;
	if (tree->failed || !add_pathless(tree, input->functions, input->nr))
		return error_nomem(work->err, "adding up call paths");
	sum_totals(tree);
	/* No node is looked for any more, and the list needs room. */
	free(tree->index.slots);
	tree->index.slots = NULL;
	return list_nodes(list, tree, input->functions)
		       ? 0
		       : error_nomem(work->err, "adding up call paths");
}

int pathlist_make_cells(struct path_list *list, struct path_cells *cells,
			const struct pathlist_input *input, struct error *err)
{
	struct list_work work = {.tree = {.cells = cells}, .input = input, .err = err};
	int rc;

	*list = (struct path_list){0};
	rc = make_list(&work, list);
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

void pathlist_free(struct path_list *list)
{
	free(list->rows);
	*list = (struct path_list){0};
}

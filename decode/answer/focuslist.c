#include "decode/answer/focuslist.h"

#include "util/array.h"
#include "util/patterns.h"

#include <stdlib.h>
#include <string.h>

/* A path that belongs to a row of the tree, and what came through it to the tree's function. */
struct focus_item {
	uint32_t path; /* PATH_NO_PARENT: the chain was cut here */
	uint32_t key;  /* of its row: number of the function, or UINT32_MAX */
	const char *end;
	struct tally weight;
};

/* Items that make up a row. */
struct focus_group {
	size_t first, nr; /* in the list of items */
	struct tally total;
};

struct focus {
	const struct focus_input *input;
	struct focus_list *list;
	struct focus_item *items;
	size_t nr_items, items_room;
	uint32_t *behind; /* by path: the first one that does not continue it */
};

static const struct path_stat *path_at(const struct focus *focus, uint32_t number)
{
	return &focus->input->paths->rows[number];
}

static bool add_item(struct focus *focus, const struct focus_item *item)
{
	if (!array_grow(focus->items, focus->items_room, focus->nr_items + 1))
		return false;
	focus->items[focus->nr_items++] = *item;
	return true;
}

static uint32_t function_of(const struct focus *focus, uint32_t path)
{
	return path_at(focus, path)->function->number;
}

/* ---- groups of items ------------------------------------------------------------------------- */

static int compare_items(const void *a, const void *b)
{
	const struct focus_item *x = a, *y = b;
	int order;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if ((order = strcmp(x->end, y->end)) != 0)
		return order;
	return x->path == y->path ? 0 : x->path < y->path ? -1 : 1;
}

static bool is_one_row(const struct focus_item *a, const struct focus_item *b)
{
	return a->key == b->key && strcmp(a->end, b->end) == 0;
}

/* Sorts the items from @first on; those of one path become one. Returns how many there are then. */
static size_t sort_items(struct focus *focus, size_t first, size_t nr)
{
	struct focus_item *items = focus->items + first;
	size_t kept = 0;

	if (nr == 0)
		return 0;
	qsort(items, nr, sizeof(*items), compare_items);
	for (size_t i = 1; i < nr; i++) {
		if (compare_items(&items[kept], &items[i]) == 0)
			tally_add(&items[kept].weight, items[i].weight.samples,
				  items[i].weight.period);
		else
			items[++kept] = items[i];
	}
	return kept + 1;
}

/* Of which function it is; there is none where chains are cut. */
static const struct function_stat *function_of_group(const struct focus *focus,
						     const struct focus_group *group)
{
	const struct focus_item *item = &focus->items[group->first];

	return item->path == PATH_NO_PARENT ? NULL : path_at(focus, item->path)->function;
}

static int compare_groups(const void *a, const void *b, void *arg)
{
	const struct focus_group *x = a, *y = b;
	const struct function_stat *f = function_of_group(arg, x), *g = function_of_group(arg, y);

	if (f && g && f->event != g->event)
		return f->event->number < g->event->number ? -1 : 1;
	if (x->total.period != y->total.period)
		return x->total.period > y->total.period ? -1 : 1;
	if (x->total.samples != y->total.samples)
		return x->total.samples > y->total.samples ? -1 : 1;
	return x->first < y->first ? -1 : 1; /* items are sorted by function */
}

/* Whether @part is a percent of the function's @whole or more. */
static bool is_shown(const struct tally *whole, const struct tally *part)
{
	enum { PARTS = 100 };

	if (whole->period == 0)
		return part->samples >= whole->samples / PARTS;
	return part->period >= whole->period / PARTS;
}

/* Groups while they are made. */
struct group_list {
	struct focus_group *groups;
	size_t nr, room;
	size_t nr_left_out;
	struct tally left_out;
};

/* Adds @group, or counts it if it is too small for @whole, which may be NULL. False if memory is
 * out. */
static bool keep_group(struct group_list *list, const struct focus_group *group,
		       const struct tally *whole)
{
	if (whole && !is_shown(whole, &group->total)) {
		tally_add(&list->left_out, group->total.samples, group->total.period);
		list->nr_left_out++;
		return true;
	}
	if (!array_grow(list->groups, list->room, list->nr + 1))
		return false;
	list->groups[list->nr++] = *group;
	return true;
}

/* Adds the groups of the @nr sorted items from @first on, the largest first. @whole, unless NULL:
 * those that are too small a part of it are only counted. False if memory is out. */
static bool make_groups(struct focus *focus, size_t first, size_t nr, const struct tally *whole,
			struct group_list *list)
{
	struct focus_group group = {.first = first};

	for (size_t i = first; i < first + nr; i++) {
		const struct focus_item *item = &focus->items[i];

		if (!is_one_row(&focus->items[group.first], item)) {
			if (!keep_group(list, &group, whole))
				return false;
			group = (struct focus_group){.first = i};
		}
		group.nr++;
		tally_add(&group.total, item->weight.samples, item->weight.period);
	}
	if (group.nr && !keep_group(list, &group, whole))
		return false;
	if (list->nr)
		qsort_r(list->groups, list->nr, sizeof(*list->groups), compare_groups, focus);
	return true;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* The items become those of the callers. Returns how many there are. */
static size_t go_up(struct focus *focus, const struct focus_group *group)
{
	struct focus_item *items = focus->items + group->first;
	size_t nr = 0;

	for (size_t i = 0; i < group->nr; i++) {
		struct focus_item item = items[i];
		const struct path_stat *path;

		if (item.path == PATH_NO_PARENT)
			continue;
		path = path_at(focus, item.path);
		if (path->parent == PATH_NO_PARENT && !path->cut)
			continue;
		item.path = path->parent;
		item.key = path->parent == PATH_NO_PARENT ? UINT32_MAX
							  : function_of(focus, path->parent);
		item.end = path->parent == PATH_NO_PARENT ? path->end : "";
		items[nr++] = item;
	}
	return nr;
}

/* Appends the items of what was called. False if memory is out. */
static bool go_down(struct focus *focus, const struct focus_group *group)
{
	for (size_t i = 0; i < group->nr; i++) {
		const uint32_t path = focus->items[group->first + i].path;

		for (uint32_t at = path + 1; at < focus->behind[path]; at = focus->behind[at]) {
			const struct focus_item item = {at, function_of(focus, at), "",
							path_at(focus, at)->total};

			if (!add_item(focus, &item))
				return false;
		}
	}
	return true;
}

static bool add_row(struct focus *focus, const struct focus_stat *row)
{
	struct focus_list *list = focus->list;

	if (!array_grow(list->rows, list->room, list->nr + 1))
		return false;
	list->rows[list->nr++] = *row;
	return true;
}

static bool add_group(struct focus *focus, const struct focus_group *group,
		      const struct event_stat *event, uint32_t depth)
{
	const struct focus_stat row = {
		.event = event->event,
		.function = function_of_group(focus, group),
		.end = focus->items[group->first].end,
		.depth = depth,
		.total = group->total,
	};

	return add_row(focus, &row);
}

/* Adds the row of those groups of @list that are too small, if there are any. */
static bool add_left_out(struct focus *focus, const struct group_list *list,
			 const struct event_stat *event, uint32_t depth)
{
	const struct focus_stat row = {
		.event = event->event,
		.end = "",
		.depth = depth,
		.total = list->left_out,
		.left_out = list->nr_left_out,
	};

	return !row.left_out || add_row(focus, &row);
}

/* Adds a row for the @nr items from @first on, if there are any: the tree goes no further. */
static bool add_beyond(struct focus *focus, size_t first, size_t nr, const struct event_stat *event,
		       uint32_t depth)
{
	struct focus_stat row = {.event = event->event, .end = "", .depth = depth, .beyond = true};

	for (size_t i = first; i < first + nr; i++)
		tally_add(&row.total, focus->items[i].weight.samples,
			  focus->items[i].weight.period);
	return nr == 0 || add_row(focus, &row);
}

static bool add_tree(struct focus *focus, const struct focus_group *group,
		     const struct event_stat *event, const struct tally *whole, uint32_t depth);

/* Adds the trees of the @nr items from @first on, at @depth. Their depth has a bound. False if
 * memory is out. */
/* NOLINTNEXTLINE(misc-no-recursion): so has the recursion */
static bool add_trees_of(struct focus *focus, size_t first, size_t nr,
			 const struct event_stat *event, const struct tally *whole, uint32_t depth)
{
	struct group_list list = {0};
	bool ok;

	if (depth >= FOCUS_DEPTH_MAX)
		return add_beyond(focus, first, nr, event, depth);
	nr = sort_items(focus, first, nr);
	ok = make_groups(focus, first, nr, whole, &list);
	for (size_t i = 0; ok && i < list.nr; i++)
		ok = add_tree(focus, &list.groups[i], event, whole, depth);
	ok = ok && add_left_out(focus, &list, event, depth);
	free(list.groups);
	return ok;
}

/* Adds the tree of @group below a function that counted @whole. False if memory is out. */
/* NOLINTNEXTLINE(misc-no-recursion): its depth has a bound */
static bool add_tree(struct focus *focus, const struct focus_group *group,
		     const struct event_stat *event, const struct tally *whole, uint32_t depth)
{
	const bool callers = focus->input->callers;
	const size_t nr_before = focus->nr_items, first = callers ? group->first : nr_before;
	size_t nr;
	bool ok;

	if (!add_group(focus, group, event, depth))
		return false;
	if (!callers && !go_down(focus, group))
		return false;
	nr = callers ? go_up(focus, group) : focus->nr_items - first;
	ok = add_trees_of(focus, first, nr, event, whole, depth + 1);
	focus->nr_items = nr_before;
	return ok;
}

/* ---- the functions themselves ---------------------------------------------------------------- */

/* Each path without its own continuations that end with the same function: no sample counts twice.
 */
static bool is_outermost(const struct focus *focus, uint32_t at)
{
	const uint32_t function = function_of(focus, at);

	while ((at = path_at(focus, at)->parent) != PATH_NO_PARENT)
		if (function_of(focus, at) == function)
			return false;
	return true;
}

/* Whether each function matches is looked up once. */
static bool collect_matches(struct focus *focus, size_t nr_functions)
{
	enum { UNKNOWN, MATCHES, DIFFERS };
	const struct path_list *paths = focus->input->paths;
	char *const *patterns = focus->input->patterns;
	char *known = calloc(nr_functions + 1, 1);
	bool ok = known;

	for (uint32_t at = 0; ok && at < paths->nr; at++) {
		const struct path_stat *path = &paths->rows[at];
		const struct focus_item item = {at, path->function->number, "", path->total};

		if (known[item.key] == UNKNOWN)
			known[item.key] =
				patterns_match_function(patterns, path->function->function)
					? MATCHES
					: DIFFERS;
		if (known[item.key] == MATCHES && is_outermost(focus, at))
			ok = add_item(focus, &item);
	}
	free(known);
	return ok;
}

/* A path's continuations are those up to the next one that is not deeper. */
static bool find_behind(struct focus *focus)
{
	const struct path_list *paths = focus->input->paths;

	focus->behind = calloc(paths->nr + 1, sizeof(*focus->behind));
	if (!focus->behind)
		return false;
	for (uint32_t at = (uint32_t)paths->nr; at-- > 0;) {
		const uint32_t parent = paths->rows[at].parent;

		if (focus->behind[at] == 0)
			focus->behind[at] = at + 1;
		if (parent != PATH_NO_PARENT && focus->behind[parent] < focus->behind[at])
			focus->behind[parent] = focus->behind[at];
	}
	return true;
}

static size_t count_functions(const struct path_list *paths)
{
	size_t nr = 0;

	for (size_t i = 0; i < paths->nr; i++)
		if (paths->rows[i].function->number >= nr)
			nr = (size_t)paths->rows[i].function->number + 1;
	return nr;
}

static bool add_trees(struct focus *focus)
{
	struct group_list roots = {0};
	bool ok;

	focus->nr_items = sort_items(focus, 0, focus->nr_items);
	ok = make_groups(focus, 0, focus->nr_items, NULL, &roots);
	for (size_t i = 0; ok && i < roots.nr; i++) {
		const struct focus_group *root = &roots.groups[i];
		const struct event *event = function_of_group(focus, root)->event;

		ok = add_tree(focus, root, &focus->input->events[event->number], &root->total, 0);
	}
	free(roots.groups);
	return ok;
}

bool focuslist_make(struct focus_list *list, const struct focus_input *input)
{
	struct focus focus = {.input = input, .list = list};
	bool ok;

	*list = (struct focus_list){0};
	ok = find_behind(&focus) && collect_matches(&focus, count_functions(input->paths)) &&
	     add_trees(&focus);
	free(focus.items);
	free(focus.behind);
	return ok;
}

void focuslist_free(struct focus_list *list)
{
	free(list->rows);
	*list = (struct focus_list){0};
}

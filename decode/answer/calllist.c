#include "decode/answer/calllist.h"

#include "util/array.h"
#include "util/hash.h"
#include "util/index.h"

#include <stdlib.h>
#include <string.h>

/* Calls while they are counted; the paths are gone through from first to last. */
struct call_count {
	const struct path_list *paths;
	struct call_stat *rows;
	uint32_t *open; /* by row: how often it is on the path at hand */
	size_t rows_room, open_room;
	struct index index;
	uint32_t *call_of;   /* by path: the row of its last call */
	uint32_t *on_path;   /* by number of the function: how often it is on the path at hand */
	size_t nr_functions; /* every number is less */
};

static bool init_count(struct call_count *count, const struct path_list *paths)
{
	*count = (struct call_count){.paths = paths};
	for (size_t i = 0; i < paths->nr; i++)
		if (paths->rows[i].function->number >= count->nr_functions)
			count->nr_functions = (size_t)paths->rows[i].function->number + 1;
	count->call_of = calloc(paths->nr + 1, sizeof(*count->call_of));
	count->on_path = calloc(count->nr_functions + 1, sizeof(*count->on_path));
	return count->call_of && count->on_path;
}

static void free_count(struct call_count *count)
{
	free(count->rows);
	free(count->open);
	free(count->call_of);
	free(count->on_path);
	index_free(&count->index);
}

/* The call that @path ends with, nothing counted. */
static struct call_stat make_call(const struct path_list *paths, const struct path_stat *path)
{
	const bool root = path->parent == PATH_NO_PARENT;

	return (struct call_stat){
		.caller = root ? NULL : paths->rows[path->parent].function,
		.callee = path->function,
		.end = root && path->cut ? path->end : "",
		.cut = root && path->cut,
		.inlined = path->inlined,
	};
}

static bool is_same(const struct call_stat *a, const struct call_stat *b)
{
	return a->caller == b->caller && a->callee == b->callee && a->inlined == b->inlined &&
	       strcmp(a->end, b->end) == 0;
}

/* The row of @call; UINT32_MAX if memory is out. */
static uint32_t get_call(struct call_count *count, const struct call_stat *call)
{
	const uint64_t caller = call->caller ? call->caller->number : UINT32_MAX;
	const uint64_t hash = hash_u64(caller << 32 | call->callee->number);
	const struct index *ix = &count->index;
	const size_t nr = ix->nr;
	uint32_t number;

	for (size_t at = index_first(ix, hash); index_next(ix, hash, &at, &number);)
		if (is_same(&count->rows[number], call))
			return number;
	if (!array_grow(count->rows, count->rows_room, nr + 1) ||
	    !array_grow(count->open, count->open_room, nr + 1) || !index_add(&count->index, hash))
		return UINT32_MAX;
	count->rows[nr] = *call;
	count->open[nr] = 0;
	return (uint32_t)nr;
}

/* Leaves the path @at and its callers, up to @parent. */
static void leave_paths(struct call_count *count, uint32_t at, uint32_t parent)
{
	while (at != parent) {
		const struct path_stat *path = &count->paths->rows[at];

		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it was entered */
		count->open[count->call_of[at]]--;
		count->on_path[path->function->number]--;
		at = path->parent;
	}
}

static bool enter_path(struct call_count *count, uint32_t at)
{
	const struct path_stat *path = &count->paths->rows[at];
	const struct call_stat call = make_call(count->paths, path);
	const uint32_t number = get_call(count, &call);
	struct call_stat *row;

	if (number == UINT32_MAX)
		return false;
	row = &count->rows[number];
	count->call_of[at] = number;
	if (count->open[number]++ == 0)
		tally_add(&row->total, path->total.samples, path->total.period);
	tally_add(&row->self, path->self.samples, path->self.period);
	row->recursive |= count->on_path[path->function->number]++ > 0;
	return true;
}

static int compare_functions(const struct function_stat *a, const struct function_stat *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return a->number == b->number ? 0 : a->number < b->number ? -1 : 1;
}

static int compare_calls(const void *a, const void *b)
{
	const struct call_stat *x = a, *y = b;
	const struct event *of = x->callee->event, *other = y->callee->event;
	int order;

	if (of != other)
		return of->number < other->number ? -1 : 1;
	if (x->total.period != y->total.period)
		return x->total.period > y->total.period ? -1 : 1;
	if (x->caller && y->caller &&
	    (order = strcmp(x->caller->function, y->caller->function)) != 0)
		return order;
	if ((order = strcmp(x->callee->function, y->callee->function)) != 0)
		return order;
	if ((order = compare_functions(x->caller, y->caller)) != 0 ||
	    (order = compare_functions(x->callee, y->callee)) != 0 ||
	    (order = strcmp(x->end, y->end)) != 0)
		return order;
	return (x->inlined > y->inlined) - (x->inlined < y->inlined);
}

bool calllist_make(struct call_list *list, const struct path_list *paths)
{
	struct call_count count;
	uint32_t last = PATH_NO_PARENT;
	bool ok = init_count(&count, paths);

	*list = (struct call_list){0};
	for (uint32_t i = 0; ok && i < paths->nr; i++) {
		leave_paths(&count, last, paths->rows[i].parent);
		ok = enter_path(&count, i);
		last = i;
	}
	if (ok) {
		list->rows = count.rows;
		list->nr = count.index.nr;
		count.rows = NULL;
	}
	if (list->nr)
		qsort(list->rows, list->nr, sizeof(*list->rows), compare_calls);
	free_count(&count);
	return ok;
}

void calllist_free(struct call_list *list)
{
	free(list->rows);
	*list = (struct call_list){0};
}

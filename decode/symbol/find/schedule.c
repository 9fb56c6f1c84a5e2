#include "decode/symbol/find/schedule.h"

#include <stdlib.h>
#include <string.h>

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Returns the file at the recorded path: no other is known without a search. */
static struct file_stamp find_file(const struct dso *dso, const struct symbol_settings *settings)
{
	if (dso->kind != DSO_USER)
		return (struct file_stamp){0};
	return file_stamp_in(dso->root ? dso->root : settings->symfs, dso->path);
}

/* Orders by the file or, if none is at the recorded path, by the build id. 0: the same file. */
static int compare_files(const struct schedule_item *a, const struct schedule_item *b)
{
	const struct dso *x = a->list->dso, *y = b->list->dso;
	int order = compare(a->file.device, b->file.device);

	if (order == 0)
		order = compare(a->file.inode, b->file.inode);
	if (order == 0)
		order = compare(x->kind, y->kind);
	if (order != 0 || a->file.inode != 0)
		return order;
	order = compare(x->build_id_len, y->build_id_len);
	if (order == 0 && x->kind == DSO_USER && x->build_id_len > 0)
		return memcmp(x->build_id, y->build_id, x->build_id_len);
	return order ? order : compare(x->number, y->number);
}

static int by_file(const void *left, const void *right)
{
	return compare_files(left, right);
}

static bool needs_kallsyms(const struct schedule_item *item)
{
	return item->list->dso->kind == DSO_KERNEL || item->list->dso->kind == DSO_MODULE;
}

/* The kernel comes first, as reading kallsyms is slow; then the longest lists. */
static int by_effort(const void *left, const void *right)
{
	const struct schedule_item *a = left, *b = right;
	int order = compare(needs_kallsyms(b), needs_kallsyms(a));

	if (order == 0)
		order = compare(b->effort, a->effort);
	if (order == 0)
		order = compare_files(a, b);
	if (order == 0)
		order = compare(b->list->nr_places, a->list->nr_places);
	return order ? order : compare(a->list->dso->number, b->list->dso->number);
}

bool schedule_same_file(const struct schedule_item *a, const struct schedule_item *b)
{
	return compare_files(a, b) == 0;
}

/* @items must be sorted by file. @last: as schedule_make(). */
static void set_efforts(struct schedule_item *items, size_t nr, const struct dso *last)
{
	for (size_t first = 0, end; first < nr; first = end) {
		size_t most = 0;
		bool is_last = false;

		for (end = first; end < nr && schedule_same_file(&items[first], &items[end]);
		     end++) {
			most = items[end].list->nr_places > most ? items[end].list->nr_places
								 : most;
			is_last |= items[end].list->dso == last;
		}
		for (size_t i = first; i < end; i++)
			items[i].effort = is_last ? 0 : most;
	}
}

/* Orders by what answers tell binaries apart by. */
static int by_binary(const void *left, const void *right)
{
	const struct schedule_item *a = left, *b = right;
	const struct dso *x = a->list->dso, *y = b->list->dso;
	int order = strcmp(x->path, y->path);

	if (order == 0)
		order = compare(x->build_id_len, y->build_id_len);
	return order ? order : memcmp(x->build_id, y->build_id, x->build_id_len);
}

static void set_alone(struct schedule_item *items, size_t nr)
{
	qsort(items, nr, sizeof(*items), by_binary);
	for (size_t i = 0; i < nr; i++)
		items[i].alone = (i == 0 || by_binary(&items[i - 1], &items[i]) != 0) &&
				 (i + 1 == nr || by_binary(&items[i], &items[i + 1]) != 0);
}

struct schedule_item *schedule_make(struct place_list *lists, size_t nr, const struct dso *last,
				    const struct symbol_settings *settings)
{
	struct schedule_item *items = calloc(nr, sizeof(*items));

	if (!items)
		return NULL;
	for (size_t i = 0; i < nr; i++) {
		items[i].list = &lists[i];
		items[i].file = find_file(lists[i].dso, settings);
	}
	if (!symbol_settings_want_sources(settings))
		set_alone(items, nr);
	qsort(items, nr, sizeof(*items), by_file);
	set_efforts(items, nr, last);
	qsort(items, nr, sizeof(*items), by_effort);
	return items;
}

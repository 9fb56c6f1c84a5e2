#include "decode/symbol/loadahead.h"

#include "decode/symbol/loader.h"
#include "util/thread.h"

#include <string.h>

/* Bytes that binaries loaded ahead may take together, about; the last one may take more. */
enum { MAX_BYTES = 32 << 20 };

void load_ahead_init(struct load_ahead *ahead, struct load_context *context)
{
	*ahead = (struct load_ahead){.context = context};
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
}

void load_ahead_deinit(struct load_ahead *ahead)
{
	load_ahead_end(ahead);
	pthread_mutex_destroy(&ahead->lock);
	pthread_cond_destroy(&ahead->changed);
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Loads the binary of @item. Returns about how many bytes it takes. */
static size_t load(const struct load_ahead *ahead, const struct load_ahead_item *item)
{
	struct binary *binary = item->binary;

	/* Who needs it will try again, and tell of it. */
	if (loader_load(binary, &item->expected, ahead->context) < 0) {
		binary_unload(binary);
		return 0;
	}
	return binary->symbols.table.nr * sizeof(struct symtab_entry) +
	       binary_unpack_debuginfo(binary);
}

/* Waits for the next item; NULL: no more is to be loaded. */
static const struct load_ahead_item *take(struct load_ahead *ahead, size_t bytes)
{
	const struct load_ahead_item *item = NULL;

	pthread_mutex_lock(&ahead->lock);
	ahead->over |= bytes > MAX_BYTES;
	while (!ahead->over && ahead->nr_taken == ahead->nr)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	if (!ahead->over)
		item = &ahead->items[ahead->nr_taken++];
	pthread_mutex_unlock(&ahead->lock);
	return item;
}

static void *run(void *arg)
{
	struct load_ahead *ahead = arg;
	const struct load_ahead_item *item;
	size_t bytes = 0;

	while ((item = take(ahead, bytes)))
		bytes += load(ahead, item);
	return NULL;
}

/* ---- the others ------------------------------------------------------------------------------ */

bool load_ahead_takes(const struct load_ahead *ahead, const struct dso *dso)
{
	if (dso->kind != DSO_USER || dso->replaced || ahead->nr == LOAD_AHEAD_MAX)
		return false;
	for (size_t i = 0; i < ahead->nr; i++)
		if (ahead->items[i].dso == dso)
			return false;
	return true;
}

void load_ahead_add(struct load_ahead *ahead, struct binary *binary, const struct dso *dso)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->items[ahead->nr++] = (struct load_ahead_item){binary, dso, *dso};
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	if (!ahead->started)
		ahead->started = thread_start(&ahead->thread, run, ahead);
}

/* Whether the files that were found for @item are still those of its dso. */
static bool is_as_expected(const struct load_ahead_item *item)
{
	const struct dso *now = item->dso, *then = &item->expected;

	return !now->replaced && now->root == then->root &&
	       now->build_id_len == then->build_id_len &&
	       memcmp(now->build_id, then->build_id, now->build_id_len) == 0;
}

void load_ahead_end(struct load_ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->over = true;
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	if (!ahead->started)
		return;
	pthread_join(ahead->thread, NULL);
	ahead->started = false;
	for (size_t i = 0; i < ahead->nr_taken; i++)
		if (!is_as_expected(&ahead->items[i]))
			binary_unload(ahead->items[i].binary);
}

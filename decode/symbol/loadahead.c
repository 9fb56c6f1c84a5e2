#include "decode/symbol/loadahead.h"

#include "decode/symbol/loader.h"
#include "decode/symbol/lookup.h"
#include "util/thread.h"

#include <string.h>

/* Bytes that binaries loaded ahead may take together, about; the last one may take more. */
enum { MAX_BYTES = 32 << 20 };

/*
 * A recording with so many times the bytes of a binary's DWARF has all of that unpacked at once: it
 * takes little beside reading the recording, whose samples may come to any part of the binary.
 */
enum { LONG_RECORDING = 12 };

void load_ahead_init(struct load_ahead *ahead, struct load_context *context)
{
	*ahead = (struct load_ahead){.context = context, .helpers = &context->helpers};
}

void load_ahead_deinit(struct load_ahead *ahead)
{
	load_ahead_end(ahead);
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Returns about how many bytes what was loaded of @binary takes. */
static size_t size_of(const struct binary *binary)
{
	return binary->symbols.table.nr * sizeof(struct symtab_entry) + binary_unpacked(binary);
}

static bool wants_sources(const struct load_ahead *ahead, const struct load_ahead_item *item)
{
	return item->wishes || symbol_settings_want_sources(&ahead->context->settings);
}

static void load(const struct load_ahead *ahead, struct load_ahead_item *item)
{
	/* Who needs it will try again, and tell of it. */
	if (loader_load(item->binary, &item->expected, ahead->context) < 0)
		binary_unload(item->binary);
	else if (wants_sources(ahead, item))
		binary_unpack_debuginfo(item->binary,
					item->wishes || ahead->context->settings.inlined);
	item->debug_size = binary_debug_size(item->binary);
}

/*
 * Whether all of the DWARF is unpacked for the first item->nr_unpacked places: after so many,
 * others are to be expected anywhere, and what was unpacked to its middle would be unpacked again.
 */
static bool needs_all(const struct load_ahead *ahead, const struct load_ahead_item *item)
{
	const bool many = item->nr_unpacked == LOAD_AHEAD_PLACES ||
			  item->debug_size <= ahead->recording_size / LONG_RECORDING;

	return wants_sources(ahead, item) && many && item->debug_size <= MAX_BYTES;
}

/* Unpacks what the first item->nr_unpacked places need. */
static void unpack(const struct load_ahead *ahead, const struct load_ahead_item *item)
{
	struct place places[LOAD_AHEAD_PLACES];
	const struct lookup_query how = {
		.settings = &ahead->context->settings,
		.with_source = wants_sources(ahead, item),
	};
	const struct place_list list = {
		.dso = &item->expected,
		.places = places,
		.nr_places = item->nr_unpacked,
		.wishes = item->wishes,
	};

	for (size_t i = 0; i < list.nr_places; i++)
		places[i] = (struct place){.address = item->places[i]};
	/* What comes later is mostly near, and would have it unpacked from the start again. */
	binary_expect_more(item->binary, true);
	if (needs_all(ahead, item) || lookup_expect(item->binary, &list, 0, &how) == 0)
		binary_unpack_debuginfo(item->binary, true);
	binary_close_debug_part(item->binary);
	binary_expect_more(item->binary, false);
}

/* Each time there are twice as many places, what they need is unpacked. */
static bool is_due(const struct load_ahead_item *item)
{
	return item->nr_places > 0 && item->nr_places >= 2 * item->nr_unpacked;
}

/*
 * Returns the item that is due and has the most DWARF, or NULL: one that takes long and comes last
 * is waited for, while what takes less can be left to who looks up names.
 */
static struct load_ahead_item *find_due(struct load_ahead *ahead)
{
	struct load_ahead_item *most = NULL;

	for (size_t i = 0; i < ahead->nr_taken; i++) {
		struct load_ahead_item *item = &ahead->items[i];

		if (is_due(item) && (!most || item->debug_size > most->debug_size))
			most = item;
	}
	return most;
}

/* Waits for what comes next, after @bytes; NULL: nothing does. *@is_new: it is not loaded yet. */
static struct load_ahead_item *take(struct load_ahead *ahead, size_t bytes, bool *is_new)
{
	struct load_ahead_item *item = NULL;

	pthread_mutex_lock(&ahead->helpers->lock);
	ahead->over |= bytes > MAX_BYTES;
	while (!ahead->over && ahead->nr_taken == ahead->nr && !(item = find_due(ahead)))
		pthread_cond_wait(&ahead->helpers->changed, &ahead->helpers->lock);
	*is_new = !item;
	if (ahead->over)
		item = NULL;
	else if (*is_new)
		item = &ahead->items[ahead->nr_taken++];
	else
		item->nr_unpacked = item->nr_places;
	ahead->busy = item;
	pthread_mutex_unlock(&ahead->helpers->lock);
	return item;
}

/* The binary at hand may be used by others. */
static void let_go(struct load_ahead *ahead)
{
	pthread_mutex_lock(&ahead->helpers->lock);
	ahead->busy = NULL;
	pthread_cond_broadcast(&ahead->helpers->changed);
	pthread_mutex_unlock(&ahead->helpers->lock);
}

static void *run(void *arg)
{
	struct load_ahead *ahead = arg;
	struct load_ahead_item *item;
	size_t bytes = 0;
	bool is_new;

	while ((item = take(ahead, bytes, &is_new))) {
		const size_t before = size_of(item->binary);

		if (is_new)
			load(ahead, item);
		else
			unpack(ahead, item);
		bytes += size_of(item->binary) - before;
		let_go(ahead);
	}
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

void load_ahead_add(struct load_ahead *ahead, struct binary *binary, const struct dso *dso,
		    unsigned wishes)
{
	pthread_mutex_lock(&ahead->helpers->lock);
	ahead->items[ahead->nr++] = (struct load_ahead_item){
		.binary = binary, .dso = dso, .expected = *dso, .wishes = wishes};
	pthread_cond_broadcast(&ahead->helpers->changed);
	pthread_mutex_unlock(&ahead->helpers->lock);
	if (!ahead->started)
		ahead->started = thread_start(&ahead->thread, run, ahead);
}

void load_ahead_place(struct load_ahead *ahead, uint32_t dso, uint64_t place)
{
	for (size_t i = 0; i < ahead->nr; i++) {
		struct load_ahead_item *item = &ahead->items[i];

		if (item->dso->number != dso || item->nr_places == LOAD_AHEAD_PLACES)
			continue;
		pthread_mutex_lock(&ahead->helpers->lock);
		item->places[item->nr_places++] = place;
		if (is_due(item))
			pthread_cond_broadcast(&ahead->helpers->changed);
		pthread_mutex_unlock(&ahead->helpers->lock);
	}
}

/* Whether the files that were found for @item are still those of its dso. */
static bool is_as_expected(const struct load_ahead_item *item)
{
	const struct dso *now = item->dso, *then = &item->expected;

	return !now->replaced && now->root == then->root && file_id_same(&now->file, &then->file) &&
	       dso_has_build_id(now, then->build_id, then->build_id_len);
}

/* Makes the binary of @item as if it had not been loaded if its dso has changed. */
static void check(const struct load_ahead_item *item)
{
	if (!is_as_expected(item))
		binary_forget(item->binary);
}

/* Gives the binary of @item, if it was not given yet, to who looks up its names. */
static void give(struct load_ahead_item *item)
{
	if (!item->is_given)
		check(item);
	item->is_given = true;
}

bool load_ahead_is_busy(struct load_ahead *ahead)
{
	bool is_busy;

	pthread_mutex_lock(&ahead->helpers->lock);
	is_busy = ahead->busy || ahead->nr_taken < ahead->nr;
	for (size_t i = 0; i < ahead->nr_taken; i++)
		is_busy |= is_due(&ahead->items[i]);
	is_busy &= ahead->started && !ahead->over;
	pthread_mutex_unlock(&ahead->helpers->lock);
	return is_busy;
}

const struct dso *load_ahead_stop(struct load_ahead *ahead)
{
	const struct dso *busy;

	pthread_mutex_lock(&ahead->helpers->lock);
	ahead->over = true;
	pthread_cond_broadcast(&ahead->helpers->changed);
	busy = ahead->busy && ahead->busy->nr_unpacked > 0 ? ahead->busy->dso : NULL;
	pthread_mutex_unlock(&ahead->helpers->lock);
	return busy;
}

void load_ahead_await(struct load_ahead *ahead, struct binary *binary)
{
	pthread_mutex_lock(&ahead->helpers->lock);
	while (ahead->busy && ahead->busy->binary == binary)
		if (!helpers_do(ahead->helpers))
			pthread_cond_wait(&ahead->helpers->changed, &ahead->helpers->lock);
	pthread_mutex_unlock(&ahead->helpers->lock);
	for (size_t i = 0; i < ahead->nr_taken; i++)
		if (ahead->items[i].binary == binary)
			give(&ahead->items[i]);
}

void load_ahead_end(struct load_ahead *ahead)
{
	(void)load_ahead_stop(ahead);
	if (!ahead->started)
		return;
	pthread_join(ahead->thread, NULL);
	ahead->started = false;
	for (size_t i = 0; i < ahead->nr_taken; i++)
		if (!ahead->items[i].is_given)
			check(&ahead->items[i]);
}

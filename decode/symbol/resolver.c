#include "decode/symbol/resolver.h"

#include "decode/symbol/assembly.h"
#include "decode/symbol/find/doubt.h"
#include "decode/symbol/find/schedule.h"
#include "decode/symbol/loader.h"
#include "decode/symbol/lookup.h"
#include "decode/symbol/namesakes.h"
#include "util/clock.h"
#include "util/cores.h"
#include "util/thread.h"

#include <stdlib.h>
#include <sys/resource.h>

enum {
	MAX_THREADS = 64,
	/* Maximum number of open files per thread, and in the rest of the process. */
	FILES_OF_THREAD = 4,
	FILES_OF_OTHERS = 16,
};

/* ---- one list -------------------------------------------------------------------------------- */

/* Adds to the origin what the lookups in @in found out. -1 if memory is out. */
static int complete_origin(struct binary *binary, const struct binary *in, const struct dso *dso,
			   const struct load_context *context)
{
	struct symbol_origin *origin = &binary->origin;

	if (dso->kind == DSO_USER && in->runtime)
		origin->doubt = doubt_about(dso, &in->runtime->stamp, &context->settings,
					    context->recording_end);
	if (in->runtime)
		origin->written = clock_since_1970(&(struct timespec){
			.tv_sec = in->runtime->stamp.seconds, .tv_nsec = in->runtime->stamp.ns});
	origin->lacks_debug_info = symbol_settings_want_sources(&context->settings) &&
				   in->reason == REASON_NONE && in->tried_debuginfo &&
				   !in->debuginfo && (in->go.nr == 0 || context->settings.inlined);
	origin->refused = split_tally_describe(&in->splits, origin->refused ? origin->refused : "",
					       &binary->strings);
	return origin->refused ? 0 : -1;
}

/* Sets all places from @first on to @reason, also those already resolved. */
static void give_up(struct place_list *list, size_t first, enum reason reason)
{
	for (size_t i = first; i < list->nr_places; i++) {
		list->places[i].symbol = lookup_unknown(reason);
		if (list->details && list->details[i].wanted) {
			list->details[i].filename = "";
			list->details[i].line = 0;
			list->details[i].offset = 0;
			list->details[i].reason = reason;
			list->details[i].instruction = list->details[i].code_lack = "";
			list->details[i].code = NULL;
			list->details[i].code_start = list->details[i].code_end = 0;
		}
	}
}

/*
 * Looks up the places of @list from @first on that have no symbol in @in, with their sources unless
 * @namesakes are to be noted. -1 if memory is out.
 */
static int look_up(const struct resolver *resolver, struct binary *in, struct place_list *list,
		   size_t first, struct namesakes *namesakes)
{
	struct lookup_same same = {0};
	uint64_t start = 0;
	struct lookup_query how = {.settings = &resolver->context->settings,
				   .with_source = !namesakes,
				   .same = &same,
				   .start = &start};

	if (lookup_expect(in, list, first, &how) < 0)
		return -1;
	for (size_t i = first; i < list->nr_places; i++) {
		struct place *place = &list->places[i];

		if (place->symbol)
			continue;
		how.detail = NULL;
		if (list->details && list->details[i].wanted)
			how.detail = &list->details[i];
		place->symbol = lookup_place(in, place->address, &how);
		if (!place->symbol ||
		    (namesakes && namesakes_note(namesakes, place->symbol, start) < 0))
			return -1;
	}
	return 0;
}

/* As look_up(), with the sources of those only that are not told apart by their names. */
static int look_up_names(const struct resolver *resolver, struct binary *in,
			 struct place_list *list, size_t first)
{
	struct namesakes namesakes = {0};
	int rc = look_up(resolver, in, list, first, &namesakes);

	if (rc == 0 && namesakes.any_shared) {
		namesakes_clear(&namesakes, list, first);
		rc = look_up(resolver, in, list, first, NULL);
	}
	namesakes_free(&namesakes);
	return rc;
}

/* Looks up what @list asks for. @alone: as in struct schedule_item. -1 if memory is out. */
static int look_up_list(const struct resolver *resolver, struct binary *in, struct place_list *list,
			size_t first, bool alone)
{
	const struct symbol_settings *settings = &resolver->context->settings;

	if (alone && !list->wishes && !symbol_settings_want_sources(settings))
		return look_up_names(resolver, in, list, first);
	if (look_up(resolver, in, list, first, NULL) < 0)
		return -1;
	return list->wishes & (WISH_INSTRUCTIONS | WISH_CODE) ? assembly_read(in, list, settings)
							      : 0;
}

/* Loads @binary. Sets binary->same if it has the files of @like (or NULL). -1: memory is out. */
static int load(const struct resolver *resolver, struct binary *binary, struct binary *like,
		const struct place_list *list)
{
	int rc;

	/* A filter loaded it for names only; its line table may have to be fetched. */
	if (list->details && !binary->wants_lines && resolver->context->settings.debuginfod)
		binary_unload(binary);
	binary->wants_lines = list->details != NULL;
	binary->wants_code = list->wishes & (WISH_INSTRUCTIONS | WISH_CODE);
	/* A filter may have loaded it before the recording showed that it was replaced. */
	if (list->dso->replaced)
		binary_forget(binary);
	if (binary->is_loaded)
		return 0;
	binary->expected = list;
	binary->like = like;
	rc = loader_load(binary, list->dso, resolver->context);
	binary->expected = NULL;
	binary->like = NULL;
	return rc;
}

/*
 * Resolves @list, in any thread: lists share only the data of the kernel and the servers, which
 * have locks. *@open is the binary kept loaded for other dsos with the same files, or NULL. If
 * @list has other files, *@open is unloaded and replaced. @alone: as in struct schedule_item.
 */
static int resolve_list(const struct resolver *resolver, struct place_list *list, bool alone,
			struct binary **open)
{
	struct binary *binary = resolver->binaries[list->dso->number], *in;
	size_t first = 0;
	int rc;

	while (first < list->nr_places && list->places[first].symbol)
		first++;
	if (first == list->nr_places)
		return 0;
	load_ahead_await(resolver->ahead, binary);
	rc = load(resolver, binary, *open, list);
	in = binary->same ? binary->same : binary;
	if (in == binary && *open)
		binary_unload(*open);
	*open = in;
	if (rc == 0)
		rc = look_up_list(resolver, in, list, first, alone);
	if (rc == 0)
		rc = complete_origin(binary, in, list->dso, resolver->context);
	if (rc < 0 && (in->strings.is_full || binary->strings.is_full)) {
		give_up(list, first, REASON_FILE_EXCESSIVE);
		rc = 0;
	} else if (rc == 0 && binary_has_changed(in)) {
		give_up(list, first, REASON_FILE_CHANGED);
	}
	if (in != binary)
		binary_unload(binary);
	return rc;
}

/* ---- all lists ------------------------------------------------------------------------------- */

/* Shared by the threads. */
struct resolve_work {
	const struct resolver *resolver;
	struct schedule_item *items; /* in the order of processing */
	size_t nr_items;
	pthread_mutex_t lock; /* guards the members below and the calls of tick */
	size_t next, done;
	bool failed;
};

/* Takes the next items, all with the same file; *@nr is 0 if none is left. */
static struct schedule_item *take_items(struct resolve_work *work, size_t *nr)
{
	struct schedule_item *first;

	pthread_mutex_lock(&work->lock);
	first = &work->items[work->next];
	*nr = 0;
	while (!work->failed && work->next < work->nr_items &&
	       (*nr == 0 || schedule_same_file(first, &work->items[work->next]))) {
		work->next++;
		++*nr;
	}
	pthread_mutex_unlock(&work->lock);
	return first;
}

static void note_done(struct resolve_work *work, int rc)
{
	const struct resolver *resolver = work->resolver;

	pthread_mutex_lock(&work->lock);
	work->failed |= rc < 0;
	work->done++;
	if (resolver->tick && !work->failed) {
		pthread_mutex_lock(&resolver->context->talk);
		resolver->tick(resolver->tick_arg, work->done);
		pthread_mutex_unlock(&resolver->context->talk);
	}
	pthread_mutex_unlock(&work->lock);
}

static void *run(void *arg)
{
	struct resolve_work *work = arg;
	struct schedule_item *items;
	size_t nr;

	while ((items = take_items(work, &nr), nr > 0)) {
		struct binary *open = NULL;
		int rc = 0;

		for (size_t i = 0; i < nr && rc == 0; i++) {
			rc = resolve_list(work->resolver, items[i].list, items[i].alone, &open);
			note_done(work, rc);
		}
		if (open)
			binary_unload(open);
	}
	return NULL;
}

size_t resolver_most_threads(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 1;
	if (limit.rlim_cur >= FILES_OF_OTHERS + MAX_THREADS * FILES_OF_THREAD)
		return MAX_THREADS;
	if (limit.rlim_cur < FILES_OF_OTHERS + FILES_OF_THREAD)
		return 1;
	return (limit.rlim_cur - FILES_OF_OTHERS) / FILES_OF_THREAD;
}

static size_t choose_nr_threads(const struct resolver *resolver, size_t nr_lists)
{
	size_t nr = cores_choose(resolver->context->settings.threads);
	const size_t most = resolver_most_threads();

	nr = nr < most ? nr : most;
	return nr < nr_lists ? nr : nr_lists;
}

/* The calling thread works too, so the work gets done even if no thread can be started. */
static void run_threads(struct resolve_work *work, size_t nr_threads)
{
	pthread_t threads[MAX_THREADS];
	size_t nr = 0;

	while (nr + 1 < nr_threads && thread_start(&threads[nr], run, work))
		nr++;
	run(work);
	while (nr)
		pthread_join(threads[--nr], NULL);
}

int resolver_run(const struct resolver *resolver, struct place_list *lists, size_t nr_lists)
{
	struct resolve_work work = {
		.resolver = resolver,
		.nr_items = nr_lists,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};

	work.items = schedule_make(lists, nr_lists, resolver->last, &resolver->context->settings);
	if (!work.items)
		return -1;
	run_threads(&work, choose_nr_threads(resolver, nr_lists));
	free(work.items);
	return work.failed ? -1 : 0;
}

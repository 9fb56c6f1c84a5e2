#include "decode/symbol/symbol.h"

#include "decode/symbol/binary.h"
#include "decode/symbol/source.h"
#include "util/array.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	MAX_THREADS = 64,
	/* Files that are open at a time, at most: by a thread, and by the rest of the process. */
	FILES_OF_THREAD = 4,
	FILES_OF_OTHERS = 16,
	/* The demangler recurses as deep as names nest. */
	THREAD_STACK = 8 * 1024 * 1024,
};

struct symbolizer {
	struct source_context context;
	struct binary **binaries; /* by the dso's number; NULL until it is asked for */
	size_t nr_binaries, room;
};

/* The progress of a file that is fetched. */
static void tell_fetch(void *arg, uint64_t done, uint64_t total)
{
	struct source_context *context = arg;

	pthread_mutex_lock(&context->talk);
	if (context->settings.fetching)
		context->settings.fetching(context->settings.fetching_arg, done, total);
	pthread_mutex_unlock(&context->talk);
}

struct symbolizer *symbolizer_create(const struct symbol_settings *settings)
{
	struct symbolizer *symbolizer = calloc(1, sizeof(*symbolizer));

	if (!symbolizer)
		return NULL;
	symbolizer->context.settings = *settings;
	kernel_init(&symbolizer->context.kernel);
	pthread_mutex_init(&symbolizer->context.talk, NULL);
	debuginfod_init(&symbolizer->context.debuginfod);
	symbolizer->context.debuginfod.progress = tell_fetch;
	symbolizer->context.debuginfod.progress_arg = &symbolizer->context;
	return symbolizer;
}

void symbolizer_destroy(struct symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	for (size_t i = 0; i < symbolizer->nr_binaries; i++)
		binary_free(symbolizer->binaries[i]);
	free(symbolizer->binaries);
	kernel_deinit(&symbolizer->context.kernel);
	debuginfod_deinit(&symbolizer->context.debuginfod);
	pthread_mutex_destroy(&symbolizer->context.talk);
	free(symbolizer);
}

void symbolizer_set_kernel(struct symbolizer *symbolizer, const struct symbol_kernel *kernel)
{
	symbolizer->context.kernel.recorded = *kernel;
}

/* The place of @dso among the binaries, made if it is new; -1 if memory is out. */
static int make_binary(struct symbolizer *symbolizer, const struct dso *dso)
{
	size_t need = (size_t)dso->number + 1;

	if (!array_grow(symbolizer->binaries, symbolizer->room, need))
		return -1;
	while (symbolizer->nr_binaries < need)
		symbolizer->binaries[symbolizer->nr_binaries++] = NULL;
	if (!symbolizer->binaries[dso->number])
		symbolizer->binaries[dso->number] = calloc(1, sizeof(struct binary));
	if (dso->kind == DSO_KERNEL)
		symbolizer->context.kernel.recorded.dso = dso;
	return symbolizer->binaries[dso->number] ? 0 : -1;
}

/* ---- where it came from ---------------------------------------------------------------------- */

static const char *or_empty(const char *str)
{
	return str ? str : "";
}

struct symbol_origin symbolizer_origin(const struct symbolizer *symbolizer, const struct dso *dso)
{
	struct symbol_origin origin = {0};

	if (dso->number < symbolizer->nr_binaries && symbolizer->binaries[dso->number])
		origin = symbolizer->binaries[dso->number]->origin;
	return (struct symbol_origin){
		.file = or_empty(origin.file),
		.found_by = or_empty(origin.found_by),
		.debug_file = or_empty(origin.debug_file),
		.debug_found_by = or_empty(origin.debug_found_by),
		.refused = or_empty(origin.refused),
		.lacks_debug_info = origin.lacks_debug_info,
	};
}

/* ---- one list -------------------------------------------------------------------------------- */

/* Adds what looking up has shown of the binary's files. -1 if memory is out. */
static int complete_origin(struct binary *binary)
{
	struct symbol_origin *origin = &binary->origin;

	origin->lacks_debug_info =
		binary->reason == REASON_NONE && binary->tried_dwarf && !binary->dwarf;
	origin->refused =
		split_tally_describe(&binary->splits, or_empty(origin->refused), &binary->strings);
	return origin->refused ? 0 : -1;
}

/* Runs in any thread; nothing but the kernel's symbols is shared with other lists. */
static int resolve_list(struct symbolizer *symbolizer, struct place_list *list)
{
	struct binary *binary = symbolizer->binaries[list->dso->number];
	struct lookup how = {.settings = &symbolizer->context.settings, .with_source = true};
	size_t first = 0;
	int rc = 0;

	while (first < list->nr_places && list->places[first].symbol)
		first++;
	if (first == list->nr_places)
		return 0;
	/* What a filter has loaded for its names alone may have to be fetched for its lines. */
	if (list->details && !binary->wants_lines && how.settings->debuginfod)
		binary_unload(binary);
	binary->wants_lines = list->details != NULL;
	/* It may have been loaded, for a filter, before the recording told that it was replaced. */
	if (!binary->is_loaded || list->dso->replaced)
		rc = source_load(binary, list->dso, &symbolizer->context);
	for (size_t i = first; i < list->nr_places && rc == 0; i++) {
		struct place *place = &list->places[i];

		if (place->symbol)
			continue;
		how.detail = NULL;
		if (list->details && list->details[i].wanted)
			how.detail = &list->details[i];
		place->symbol = binary_lookup(binary, place->address, &how);
		if (!place->symbol)
			rc = -1;
	}
	if (rc == 0)
		rc = complete_origin(binary);
	binary_unload(binary);
	return rc;
}

/* ---- all lists ------------------------------------------------------------------------------- */

/* What the threads share. */
struct work {
	struct symbolizer *symbolizer;
	struct place_list **lists; /* in the order in which they are started */
	size_t nr_lists;
	void (*tick)(void *arg, size_t done);
	void *tick_arg;

	pthread_mutex_t lock; /* guards what follows, and the calls of tick */
	size_t next, done;
	bool failed;
};

static struct place_list *take_list(struct work *work)
{
	struct place_list *list = NULL;

	pthread_mutex_lock(&work->lock);
	if (!work->failed && work->next < work->nr_lists)
		list = work->lists[work->next++];
	pthread_mutex_unlock(&work->lock);
	return list;
}

static void *run(void *arg)
{
	struct work *work = arg;
	struct place_list *list;

	while ((list = take_list(work)) != NULL) {
		int rc = resolve_list(work->symbolizer, list);

		pthread_mutex_lock(&work->lock);
		work->failed |= rc < 0;
		work->done++;
		if (work->tick && !work->failed) {
			pthread_mutex_lock(&work->symbolizer->context.talk);
			work->tick(work->tick_arg, work->done);
			pthread_mutex_unlock(&work->symbolizer->context.talk);
		}
		pthread_mutex_unlock(&work->lock);
	}
	return NULL;
}

static bool needs_kallsyms(const struct place_list *list)
{
	return list->dso->kind == DSO_KERNEL || list->dso->kind == DSO_MODULE;
}

/* The kernel first, since it takes its time to print kallsyms; then the longest lists. */
static int by_effort(const void *left, const void *right)
{
	const struct place_list *a = *(struct place_list *const *)left;
	const struct place_list *b = *(struct place_list *const *)right;

	if (needs_kallsyms(a) != needs_kallsyms(b))
		return needs_kallsyms(a) ? -1 : 1;
	if (a->nr_places != b->nr_places)
		return a->nr_places > b->nr_places ? -1 : 1;
	return a->dso->number < b->dso->number ? -1 : a->dso->number > b->dso->number;
}

/* So many threads can read binaries before opening a file fails for want of descriptors. */
static size_t count_threads_with_files(void)
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

static size_t choose_nr_threads(const struct symbolizer *symbolizer, size_t nr_lists)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	size_t nr = symbolizer->context.settings.threads, most = count_threads_with_files();

	if (nr == 0)
		nr = online > 0 ? (size_t)online : 1;
	nr = nr < most ? nr : most;
	return nr < nr_lists ? nr : nr_lists;
}

/* The calling thread works too, so that the work is done even if no other can be started. */
static void run_threads(struct work *work, size_t nr_threads)
{
	pthread_t threads[MAX_THREADS];
	pthread_attr_t attr;
	size_t nr = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, THREAD_STACK);
	while (nr + 1 < nr_threads && pthread_create(&threads[nr], &attr, run, work) == 0)
		nr++;
	pthread_attr_destroy(&attr);
	run(work);
	while (nr)
		pthread_join(threads[--nr], NULL);
}

int symbolizer_resolve(struct symbolizer *symbolizer, struct place_list *lists, size_t nr_lists,
		       void (*tick)(void *arg, size_t done), void *tick_arg, struct error *err)
{
	struct work work = {
		.symbolizer = symbolizer,
		.nr_lists = nr_lists,
		.tick = tick,
		.tick_arg = tick_arg,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};

	if (nr_lists == 0)
		return 0;
	work.lists = malloc(nr_lists * sizeof(struct place_list *));
	if (!work.lists)
		return error_nomem(err, "looking up symbols");
	for (size_t i = 0; i < nr_lists; i++) {
		work.lists[i] = &lists[i];
		if (make_binary(symbolizer, lists[i].dso) < 0)
			work.failed = true;
	}
	qsort(work.lists, nr_lists, sizeof(struct place_list *), by_effort);
	run_threads(&work, choose_nr_threads(symbolizer, nr_lists));
	free(work.lists);
	return work.failed ? error_nomem(err, "looking up symbols") : 0;
}

const struct symbol *symbolizer_find(struct symbolizer *symbolizer, const struct dso *dso,
				     uint64_t address, struct error *err)
{
	const struct lookup how = {.settings = &symbolizer->context.settings};
	const struct symbol *symbol = NULL;
	struct binary *binary;

	if (make_binary(symbolizer, dso) == 0) {
		binary = symbolizer->binaries[dso->number];
		if (binary->is_loaded || source_load(binary, dso, &symbolizer->context) == 0)
			symbol = binary_lookup(binary, address, &how);
	}
	if (!symbol)
		error_nomem(err, "looking up a symbol");
	return symbol;
}

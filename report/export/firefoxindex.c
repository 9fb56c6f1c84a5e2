#include "report/export/firefoxindex.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>

void firefoxindex_nomem(struct firefox *to)
{
	if (!to->failed)
		error_nomem(&to->err, "exporting samples");
	to->failed = true;
}

bool firefoxindex_wants(const struct firefox *to, const struct place_stat *place)
{
	return to->results->functions[place->functions[0]].event == to->view->event;
}

void firefoxindex_chains(struct firefox *to,
			 void (*take)(struct firefox *to, const struct chain_stat *row,
				      uint32_t number))
{
	const struct row_source chains = results_rows(to->results, &chainstat_chains).source;
	struct chain_stat row;
	uint32_t number = 0;
	int rc = 1;

	if (to->failed || !chains.start)
		return;
	if (chains.start(chains.arg, &to->err) < 0) {
		to->failed = true;
		return;
	}
	while (!to->failed && (rc = chains.next(chains.arg, &row, &to->err)) > 0) {
		if (firefoxindex_wants(to, &to->places[row.place]) &&
		    !(row.alone && !row.self.samples))
			take(to, &row, number);
		number++;
	}
	to->failed |= rc < 0;
}

size_t firefoxindex_end(struct firefox *to, const char *end)
{
	size_t i = 0;

	while (i < to->nr_ends && strcmp(to->ends[i], end) != 0)
		i++;
	if (i < to->nr_ends)
		return i;
	if (array_grow(to->ends, to->ends_room, i + 1))
		to->ends[to->nr_ends++] = end;
	else
		firefoxindex_nomem(to);
	return i;
}

static void note_end(struct firefox *to, const struct chain_stat *row, uint32_t number)
{
	(void)number;
	if (row->cut)
		firefoxindex_end(to, row->end);
}

static void note_stack(struct firefox *to, const struct chain_stat *row, uint32_t number)
{
	to->nr_stacks += to->places[row->place].nr_functions;
	if (to->nr_stacks > INT32_MAX) {
		error_set(&to->err, ERROR_UNSUPPORTED,
			  "the call chains are too many for a profile of the Firefox Profiler: "
			  "choose some samples with --event or --comm");
		to->failed = true;
	} else if (!array_grow(to->stacks, to->stacks_room, (size_t)number + 1)) {
		firefoxindex_nomem(to);
	} else {
		while (to->nr_chains < number)
			to->stacks[to->nr_chains++] = NO_STACK;
		to->stacks[to->nr_chains++] = (uint32_t)to->nr_stacks - 1;
	}
}

static void list_stacks(struct firefox *to)
{
	firefoxindex_chains(to, note_end);
	to->nr_stacks = to->nr_ends;
	firefoxindex_chains(to, note_stack);
}

/* After the ends of chains, which list_stacks() has found. */
static void list_frames(struct firefox *to)
{
	to->nr_frames = to->nr_ends;
	to->frames = calloc(to->nr_places + 1, sizeof(*to->frames));
	if (!to->frames) {
		firefoxindex_nomem(to);
		return;
	}
	for (size_t i = 0; i < to->nr_places; i++) {
		to->frames[i] = (uint32_t)to->nr_frames;
		if (firefoxindex_wants(to, &to->places[i]))
			to->nr_frames += to->places[i].nr_functions;
	}
}

/* The functions of an event stand together. */
static void list_functions(struct firefox *to)
{
	const struct results *results = to->results;

	while (to->first_function < results->nr_functions &&
	       results->functions[to->first_function].event != to->view->event)
		to->first_function++;
	while (to->first_function + to->nr_functions < results->nr_functions &&
	       results->functions[to->first_function + to->nr_functions].event == to->view->event)
		to->nr_functions++;
}

const struct function_stat *firefoxindex_function(const struct firefox *to, size_t i)
{
	return &to->results->functions[to->first_function + i];
}

static void list_libs(struct firefox *to)
{
	uint32_t last = 0;

	for (size_t i = 0; i < to->nr_functions; i++)
		if (firefoxindex_function(to, i)->dso > last)
			last = firefoxindex_function(to, i)->dso;
	to->libs = calloc((size_t)last + 1, sizeof(*to->libs));
	to->lib_functions = calloc((size_t)last + 1, sizeof(*to->lib_functions));
	if (!to->libs || !to->lib_functions) {
		firefoxindex_nomem(to);
		return;
	}
	for (size_t i = 0; i < to->nr_functions; i++) {
		uint32_t *lib = &to->libs[firefoxindex_function(to, i)->dso];

		if (*lib)
			continue;
		to->lib_functions[to->nr_libs++] = firefoxindex_function(to, i);
		*lib = (uint32_t)to->nr_libs;
	}
}

static void note_sample(struct firefox *to, const struct sample_stat *sample)
{
	const size_t nr = to->nr_threads;

	if (nr && to->threads[nr - 1].life == sample->thread) {
		to->threads[nr - 1].nr++;
		return;
	}
	if (!array_grow(to->threads, to->threads_room, nr + 1)) {
		firefoxindex_nomem(to);
		return;
	}
	to->threads[to->nr_threads++] = (struct firefox_thread){.life = sample->thread,
								.nr = 1,
								.first = sample->time,
								.pid = -1,
								.tid = -1,
								.comm = "",
								.process_comm = ""};
}

void firefoxindex_samples(struct firefox *to,
			  void (*take)(struct firefox *to, const struct sample_stat *sample))
{
	const struct row_source samples = results_rows(to->results, &chainstat_samples).source;
	struct sample_stat row;
	int rc = 1;

	if (to->failed || !samples.start)
		return;
	if (samples.start(samples.arg, &to->err) < 0) {
		to->failed = true;
		return;
	}
	while (!to->failed && (rc = samples.next(samples.arg, &row, &to->err)) > 0)
		if (row.chain < to->nr_chains && to->stacks[row.chain] != NO_STACK)
			take(to, &row);
	to->failed |= rc < 0;
}

static int compare_threads(const void *a, const void *b)
{
	const struct firefox_thread *x = a, *y = b;

	return x->life < y->life ? -1 : x->life > y->life;
}

static void name_thread(struct firefox *to, const struct thread_stat *life)
{
	const struct firefox_thread key = {.life = (uint32_t)life->life};
	struct firefox_thread *thread = to->nr_threads && life->pid >= 0
						? bsearch(&key, to->threads, to->nr_threads,
							  sizeof(*to->threads), compare_threads)
						: NULL;

	if (!thread)
		return;
	thread->pid = life->pid;
	thread->tid = life->tid;
	thread->comm = intern_keep(&to->strings, life->comm);
	thread->process_comm = intern_keep(&to->strings, life->process_comm);
	if (!thread->comm || !thread->process_comm)
		firefoxindex_nomem(to);
}

static void name_threads(struct firefox *to)
{
	const struct row_source lives = results_rows(to->results, &processstat_thread_lives).source;
	struct thread_stat life;
	int rc = 1;

	if (to->failed || !lives.start || lives.start(lives.arg, &to->err) < 0) {
		to->failed |= lives.start != NULL;
		return;
	}
	while (!to->failed && (rc = lives.next(lives.arg, &life, &to->err)) > 0)
		name_thread(to, &life);
	to->failed |= rc < 0;
}

static void list_threads(struct firefox *to)
{
	firefoxindex_samples(to, note_sample);
	to->start = to->nr_threads ? UINT64_MAX : 0;
	for (size_t i = 0; i < to->nr_threads; i++)
		if (to->threads[i].first < to->start)
			to->start = to->threads[i].first;
	name_threads(to);
}

void firefoxindex_make(struct firefox *to)
{
	list_functions(to);
	list_libs(to);
	list_stacks(to);
	list_frames(to);
	list_threads(to);
}

void firefoxindex_free(struct firefox *to)
{
	free(to->frames);
	free(to->stacks);
	free(to->ends);
	intern_free(&to->strings);
	intern_free(&to->sources);
	free(to->libs);
	free(to->lib_functions);
	free(to->threads);
	spool_free(&to->times);
	spool_free(&to->weights);
	framename_free(&to->name);
}

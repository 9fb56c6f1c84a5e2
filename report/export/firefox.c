/*
 * A processed profile for the Firefox Profiler, of one event: its samples by thread, in the order
 * of time.
 *
 * All threads share the tables of stacks, frames and functions. A row of the stack table is a
 * function on a call chain; those that are inlined at an address follow the one that has the code.
 * Tables have a list for each column, so chains are read once for each; what samples need is put
 * aside while the first list is written.
 */
#include "perffile/format.h"
#include "report/export/framename.h"
#include "report/export/runexport.h"
#include "report/export/runforms.h"
#include "util/array.h"
#include "util/intern.h"
#include "util/json.h"
#include "util/spool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FORMAT = 66,	   /* of processed profiles; newer viewers read older ones */
	GECKO_FORMAT = 24, /* that goes with it */
	LINES = 3,	   /* values down to this depth have their own line */
	TYPE_LIBRARY = 1,  /* of resources */
	NS_DIGITS = 6,	   /* of a millisecond */
};

/* The chain is another event's. */
#define NO_STACK UINT32_MAX

/* A thread with samples of the event. */
struct firefox_thread {
	uint32_t life;	    /* as of struct thread_stat */
	uint64_t nr, first; /* number of samples, time of the first one */
	int64_t pid, tid;   /* -1 if unknown */
	const char *comm, *process_comm;
};

/* The file in the making. */
struct firefox {
	const struct runexport_view *view;
	const struct results *results;
	struct json json;
	const struct place_stat *places;
	size_t nr_places;
	uint32_t *frames; /* by place: its outermost function's frame */
	uint32_t *stacks; /* by chain: the row of its innermost function, or NO_STACK */
	size_t nr_chains, stacks_room;
	const char **ends; /* why chains are cut; the first frames and rows of the stack table */
	size_t nr_ends, ends_room;
	size_t nr_frames, nr_stacks;
	size_t first_function, nr_functions;	    /* those of the event */
	struct intern strings, sources;		    /* numbers are those of the profile */
	uint32_t *libs;				    /* by dso: number + 1 */
	const struct function_stat **lib_functions; /* by number: one of its functions */
	size_t nr_libs;
	struct firefox_thread *threads;
	size_t nr_threads, threads_room;
	uint64_t start;	  /* time of the first sample */
	size_t at;	  /* number of the thread whose samples are being written */
	uint64_t nr_done; /* number of its samples that were */
	struct spool times, weights;
	uint64_t times_from, weights_from; /* bytes before those of the thread */
	struct framename name;
	struct error err;
	bool failed; /* @err says why */
};

static void fail_for_memory(struct firefox *to)
{
	if (!to->failed)
		error_nomem(&to->err, "exporting samples");
	to->failed = true;
}

static bool is_wanted(const struct firefox *to, const struct place_stat *place)
{
	return to->results->functions[place->functions[0]].event == to->view->event;
}

/* ---- values ---------------------------------------------------------------------------------- */

static void put_string(struct firefox *to, const char *key, const char *text)
{
	const uint32_t number = text ? intern_string(&to->strings, text) : INTERN_NOMEM;

	if (number == INTERN_NOMEM)
		fail_for_memory(to);
	json_u64(&to->json, key, number);
}

static void put_if(struct firefox *to, const char *key, bool known, uint64_t number)
{
	if (known)
		json_u64(&to->json, key, number);
	else
		json_null(&to->json, key);
}

/* @ns as milliseconds, exactly. */
static void format_ms(char text[32], uint64_t ns)
{
	snprintf(text, 32, "%" PRIu64 ".%0*" PRIu64, ns / 1000000, NS_DIGITS, ns % 1000000);
}

static void put_ms(struct firefox *to, const char *key, uint64_t ns)
{
	char text[32];

	format_ms(text, ns);
	json_digits(&to->json, key, text);
}

static void put_empty(struct firefox *to, const char *key)
{
	json_open(&to->json, key, '[');
	json_close(&to->json);
}

/* A column of @nr times the same: digits, true, false or null. */
static void put_constants(struct firefox *to, const char *key, size_t nr, const char *value)
{
	json_open(&to->json, key, '[');
	for (size_t i = 0; i < nr; i++)
		json_digits(&to->json, NULL, value);
	json_close(&to->json);
}

/* ---- what there is: chains, frames, binaries, threads ---------------------------------------- */

/* Calls @take for each chain of the event, with its number. */
static void read_chains(struct firefox *to,
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
		if (is_wanted(to, &to->places[row.place]) && !(row.alone && !row.self.samples))
			take(to, &row, number);
		number++;
	}
	to->failed |= rc < 0;
}

static size_t number_of_end(struct firefox *to, const char *end)
{
	size_t i = 0;

	while (i < to->nr_ends && strcmp(to->ends[i], end) != 0)
		i++;
	if (i < to->nr_ends)
		return i;
	if (array_grow(to->ends, to->ends_room, i + 1))
		to->ends[to->nr_ends++] = end;
	else
		fail_for_memory(to);
	return i;
}

static void note_end(struct firefox *to, const struct chain_stat *row, uint32_t number)
{
	(void)number;
	if (row->cut)
		number_of_end(to, row->end);
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
		fail_for_memory(to);
	} else {
		while (to->nr_chains < number)
			to->stacks[to->nr_chains++] = NO_STACK;
		to->stacks[to->nr_chains++] = (uint32_t)to->nr_stacks - 1;
	}
}

static void list_stacks(struct firefox *to)
{
	read_chains(to, note_end);
	to->nr_stacks = to->nr_ends;
	read_chains(to, note_stack);
}

/* After the ends of chains, which list_stacks() has found. */
static void list_frames(struct firefox *to)
{
	to->nr_frames = to->nr_ends;
	to->frames = calloc(to->nr_places + 1, sizeof(*to->frames));
	if (!to->frames) {
		fail_for_memory(to);
		return;
	}
	for (size_t i = 0; i < to->nr_places; i++) {
		to->frames[i] = (uint32_t)to->nr_frames;
		if (is_wanted(to, &to->places[i]))
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

static const struct function_stat *function_at(const struct firefox *to, size_t i)
{
	return &to->results->functions[to->first_function + i];
}

static void list_libs(struct firefox *to)
{
	uint32_t last = 0;

	for (size_t i = 0; i < to->nr_functions; i++)
		if (function_at(to, i)->dso > last)
			last = function_at(to, i)->dso;
	to->libs = calloc((size_t)last + 1, sizeof(*to->libs));
	to->lib_functions = calloc((size_t)last + 1, sizeof(*to->lib_functions));
	if (!to->libs || !to->lib_functions) {
		fail_for_memory(to);
		return;
	}
	for (size_t i = 0; i < to->nr_functions; i++) {
		uint32_t *lib = &to->libs[function_at(to, i)->dso];

		if (*lib)
			continue;
		to->lib_functions[to->nr_libs++] = function_at(to, i);
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
		fail_for_memory(to);
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

/* Calls @take for each sample of the event. */
static void read_samples(struct firefox *to,
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
		fail_for_memory(to);
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
	read_samples(to, note_sample);
	to->start = to->nr_threads ? UINT64_MAX : 0;
	for (size_t i = 0; i < to->nr_threads; i++)
		if (to->threads[i].first < to->start)
			to->start = to->threads[i].first;
	name_threads(to);
}

/* ---- the tables that threads share ----------------------------------------------------------- */

static void put_stack_frames(struct firefox *to, const struct chain_stat *row, uint32_t number)
{
	const uint32_t first = to->frames[row->place];

	(void)number;
	for (uint32_t i = 0; i < to->places[row->place].nr_functions; i++)
		json_u64(&to->json, NULL, first + i);
}

/* How many rows above the caller is; 0: there is none. */
static void put_stack_callers(struct firefox *to, const struct chain_stat *row, uint32_t number)
{
	const uint32_t nr = to->places[row->place].nr_functions;
	const size_t at = (size_t)to->stacks[number] + 1 - nr;
	size_t offset = 0;

	if (row->caller != PATH_NO_PARENT)
		offset = at - to->stacks[row->caller];
	else if (row->cut)
		offset = at - number_of_end(to, row->end);
	json_u64(&to->json, NULL, offset);
	for (uint32_t i = 1; i < nr; i++)
		json_u64(&to->json, NULL, 1);
}

static void put_stack_table(struct firefox *to)
{
	struct json *json = &to->json;

	json_open(json, "stackTable", '{');
	json_open(json, "frame", '[');
	for (size_t i = 0; i < to->nr_ends; i++)
		json_u64(json, NULL, i);
	read_chains(to, put_stack_frames);
	json_close(json);
	json_open(json, "prefixOffset", '[');
	for (size_t i = 0; i < to->nr_ends; i++)
		json_u64(json, NULL, 0);
	read_chains(to, put_stack_callers);
	json_close(json);
	json_u64(json, "length", to->nr_stacks);
	json_close(json);
}

/* A function at a place; @depth: how many functions it is inlined into there. */
struct firefox_frame {
	const struct place_stat *place; /* NULL: why a chain is cut */
	uint32_t function, depth;
	bool innermost;
};

/* Writes a column of the frame table with a cell by @put for each frame. */
static void put_frames(struct firefox *to, const char *key,
		       void (*put)(struct firefox *to, const struct firefox_frame *frame))
{
	json_open(&to->json, key, '[');
	for (uint32_t i = 0; i < to->nr_ends; i++)
		put(to, &(struct firefox_frame){NULL, (uint32_t)to->nr_functions + i, 0, true});
	for (size_t i = 0; i < to->nr_places; i++) {
		const struct place_stat *place = &to->places[i];

		if (!is_wanted(to, place))
			continue;
		for (uint32_t depth = 0; depth < place->nr_functions; depth++) {
			const uint32_t inner = place->nr_functions - 1 - depth;

			put(to, &(struct firefox_frame){place,
							place->functions[inner] -
								(uint32_t)to->first_function,
							depth, inner == 0});
		}
	}
	json_close(&to->json);
}

/* Numbers of JavaScript have 53 bits, and there are none below 0. */
static void put_frame_address(struct firefox *to, const struct firefox_frame *frame)
{
	enum { JS_BITS = 53 };

	if (frame->place && !(frame->place->address >> JS_BITS))
		json_u64(&to->json, NULL, frame->place->address);
	else
		json_digits(&to->json, NULL, "-1");
}

static void put_frame_depth(struct firefox *to, const struct firefox_frame *frame)
{
	json_u64(&to->json, NULL, frame->depth);
}

static void put_frame_function(struct firefox *to, const struct firefox_frame *frame)
{
	json_u64(&to->json, NULL, frame->function);
}

static void put_frame_category(struct firefox *to, const struct firefox_frame *frame)
{
	json_u64(&to->json, NULL,
		 frame->place ? (uint64_t)function_at(to, frame->function)->code + 1 : 0);
}

static void put_frame_line(struct firefox *to, const struct firefox_frame *frame)
{
	const bool known = frame->place && frame->innermost && frame->place->line;

	put_if(to, NULL, known, known ? frame->place->line : 0);
}

static void put_frame_table(struct firefox *to)
{
	struct json *json = &to->json;
	const size_t nr = to->nr_frames;

	json_open(json, "frameTable", '{');
	put_frames(to, "address", put_frame_address);
	put_frames(to, "inlineDepth", put_frame_depth);
	put_frames(to, "category", put_frame_category);
	put_constants(to, "subcategory", nr, "0");
	put_frames(to, "func", put_frame_function);
	put_constants(to, "nativeSymbol", nr, "null");
	put_constants(to, "innerWindowID", nr, "null");
	put_frames(to, "line", put_frame_line);
	put_constants(to, "column", nr, "null");
	put_constants(to, "originalLocation", nr, "null");
	json_u64(json, "length", nr);
	json_close(json);
}

/* The number of a source file; it has one from now on. */
static uint32_t source_of(struct firefox *to, const char *filename)
{
	const uint32_t number = intern_string(&to->sources, filename);

	if (number == INTERN_NOMEM)
		fail_for_memory(to);
	return number - 1;
}

static void put_function_columns(struct firefox *to)
{
	struct json *json = &to->json;

	json_open(json, "name", '[');
	for (size_t i = 0; i < to->nr_functions; i++)
		put_string(to, NULL, framename_of(&to->name, function_at(to, i)));
	for (size_t i = 0; i < to->nr_ends; i++)
		put_string(to, NULL, framename_of_end(&to->name, to->ends[i]));
	json_close(json);
	json_open(json, "resource", '[');
	for (size_t i = 0; i < to->nr_functions; i++)
		json_u64(json, NULL, to->libs[function_at(to, i)->dso] - 1);
	for (size_t i = 0; i < to->nr_ends; i++)
		json_digits(json, NULL, "-1");
	json_close(json);
	json_open(json, "source", '[');
	for (size_t i = 0; i < to->nr_functions + to->nr_ends; i++) {
		const char *file = i < to->nr_functions ? function_at(to, i)->filename : "";

		put_if(to, NULL, *file, *file ? source_of(to, file) : 0);
	}
	json_close(json);
	json_open(json, "lineNumber", '[');
	for (size_t i = 0; i < to->nr_functions + to->nr_ends; i++) {
		const uint32_t line = i < to->nr_functions ? function_at(to, i)->line : 0;

		put_if(to, NULL, line, line);
	}
	json_close(json);
}

static void put_function_table(struct firefox *to)
{
	const size_t nr = to->nr_functions + to->nr_ends;

	json_open(&to->json, "funcTable", '{');
	put_function_columns(to);
	put_constants(to, "isJS", nr, "false");
	put_constants(to, "relevantForJS", nr, "false");
	put_constants(to, "columnNumber", nr, "null");
	put_constants(to, "originalLocation", nr, "null");
	json_u64(&to->json, "length", nr);
	json_close(&to->json);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void put_resource_table(struct firefox *to)
{
	struct json *json = &to->json;

	json_open(json, "resourceTable", '{');
	json_open(json, "lib", '[');
	for (size_t i = 0; i < to->nr_libs; i++)
		json_u64(json, NULL, i);
	json_close(json);
	json_open(json, "name", '[');
	for (size_t i = 0; i < to->nr_libs; i++)
		put_string(to, NULL, base_name(to->lib_functions[i]->binary));
	json_close(json);
	put_constants(to, "host", to->nr_libs, "null");
	json_open(json, "type", '[');
	for (size_t i = 0; i < to->nr_libs; i++)
		json_u64(json, NULL, TYPE_LIBRARY);
	json_close(json);
	json_u64(json, "length", to->nr_libs);
	json_close(json);
}

static void put_sources(struct firefox *to)
{
	const size_t nr = to->sources.nr_strings;

	json_open(&to->json, "sources", '{');
	put_constants(to, "id", nr, "null");
	json_open(&to->json, "filename", '[');
	for (uint32_t i = 0; i < nr; i++)
		put_string(to, NULL, intern_get(&to->sources, i + 1));
	json_close(&to->json);
	put_constants(to, "startLine", nr, "1");
	put_constants(to, "startColumn", nr, "1");
	put_constants(to, "sourceMapURL", nr, "null");
	put_constants(to, "content", nr, "null");
	json_u64(&to->json, "length", nr);
	json_close(&to->json);
}

/* A table without rows. */
static void put_no_rows(struct firefox *to, const char *key, const char *const *columns)
{
	json_open(&to->json, key, '{');
	for (; *columns; columns++)
		put_empty(to, *columns);
	json_u64(&to->json, "length", 0);
	json_close(&to->json);
}

/* Strings come last, when all that refers to them is written. */
static void put_shared(struct firefox *to)
{
	static const char *const symbols[] = {"libIndex", "address", "name", "functionSize", NULL};
	static const char *const locations[] = {"source", "line", "column", NULL};

	json_open(&to->json, "shared", '{');
	put_stack_table(to);
	put_frame_table(to);
	put_function_table(to);
	put_resource_table(to);
	put_no_rows(to, "nativeSymbols", symbols);
	put_sources(to);
	put_no_rows(to, "sourceLocationTable", locations);
	json_open(&to->json, "stringArray", '[');
	for (uint32_t i = 0; i <= to->strings.nr_strings; i++)
		json_text(&to->json, NULL, intern_get(&to->strings, i));
	json_close(&to->json);
	json_close(&to->json);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void put_no_markers(struct firefox *to)
{
	static const char *const columns[] = {"data",  "name",	   "startTime", "endTime",
					      "phase", "category", NULL};

	put_no_rows(to, "markers", columns);
}

static void start_thread(struct firefox *to, const struct firefox_thread *thread)
{
	struct json *json = &to->json;
	char pid[24];

	snprintf(pid, sizeof(pid), "%" PRId64, thread->pid < 0 ? 0 : thread->pid);
	json_open(json, NULL, '{');
	json_text(json, "name", *thread->comm ? thread->comm : "[unknown]");
	json_bool(json, "isMainThread", thread->pid == thread->tid);
	json_text(json, "processType", "default");
	json_text(json, "processName", thread->process_comm);
	put_ms(to, "processStartupTime", 0);
	json_null(json, "processShutdownTime");
	put_ms(to, "registerTime", thread->first - to->start);
	json_null(json, "unregisterTime");
	put_empty(to, "pausedRanges");
	json_text(json, "pid", pid);
	json_u64(json, "tid", thread->tid < 0 ? 0 : (uint64_t)thread->tid);
	put_no_markers(to);
	json_open(json, "samples", '{');
	json_u64(json, "length", thread->nr);
	json_text(json, "weightType", to->view->event->is_time ? "tracing-ms" : "samples");
	json_open(json, "stack", '[');
}

/* Copies what was put into @spool since @from, a list of numbers. */
static void copy_numbers(struct firefox *to, const char *key, struct spool *spool, uint64_t from)
{
	char bytes[4096];

	json_open(&to->json, key, '[');
	while (!to->failed && from < spool->size) {
		const uint64_t left = spool->size - from;
		const size_t len = left < sizeof(bytes) ? (size_t)left : sizeof(bytes);

		if (spool_get(spool, from, bytes, len, &to->err) < 0)
			to->failed = true;
		else
			outfile_append(to->view->out, bytes, len);
		from += len;
	}
	json_close(&to->json);
}

static void spool_number(struct firefox *to, struct spool *spool, const char *text, bool first)
{
	if ((!first && spool_put(spool, ",", 1, &to->err) < 0) ||
	    spool_put(spool, text, strlen(text), &to->err) < 0)
		to->failed = true;
}

static void end_thread(struct firefox *to)
{
	json_close(&to->json);
	copy_numbers(to, "time", &to->times, to->times_from);
	if (to->view->event->is_time)
		copy_numbers(to, "weight", &to->weights, to->weights_from);
	else
		json_null(&to->json, "weight");
	json_close(&to->json);
	json_close(&to->json);
	to->times_from = to->times.size;
	to->weights_from = to->weights.size;
	to->nr_done = 0;
	to->at++;
}

/* Samples come by thread, in the order of the list. */
static void put_sample(struct firefox *to, const struct sample_stat *sample)
{
	const struct firefox_thread *thread = &to->threads[to->at];
	const bool first = to->nr_done++ == 0;
	char text[32];

	if (first)
		start_thread(to, thread);
	json_u64(&to->json, NULL, to->stacks[sample->chain]);
	format_ms(text, sample->time - to->start);
	spool_number(to, &to->times, text, first);
	if (to->view->event->is_time) {
		format_ms(text, sample->period);
		spool_number(to, &to->weights, text, first);
	}
	if (to->nr_done == thread->nr)
		end_thread(to);
}

static void put_threads(struct firefox *to)
{
	json_open(&to->json, "threads", '[');
	read_samples(to, put_sample);
	json_close(&to->json);
}

/* ---- the profile ----------------------------------------------------------------------------- */

static void put_categories(struct firefox *to)
{
	static const char *const categories[][2] = {
		{"Other", "grey"},
		[CODE_USER + 1] = {"User", "yellow"},
		[CODE_KERNEL + 1] = {"Kernel", "orange"},
		[CODE_JIT + 1] = {"JIT", "blue"},
	};
	struct json *json = &to->json;

	json_open(json, "categories", '[');
	for (size_t i = 0; i < sizeof(categories) / sizeof(categories[0]); i++) {
		json_open(json, NULL, '{');
		json_text(json, "name", categories[i][0]);
		json_text(json, "color", categories[i][1]);
		json_open(json, "subcategories", '[');
		json_text(json, NULL, "Other");
		json_close(json);
		json_close(json);
	}
	json_close(json);
}

/* The time between two samples of a thread, as far as the recording says. */
static void put_interval(struct firefox *to)
{
	const struct event *event = to->view->event;
	const uint64_t period = event->attr.sample_period;

	if (event->attr.flags & ATTR_FREQ && period)
		json_number(&to->json, "interval", 1000.0 / (double)period, NS_DIGITS);
	else if (event->is_time && period)
		put_ms(to, "interval", period);
	else
		json_u64(&to->json, "interval", 1);
}

static void put_meta(struct firefox *to)
{
	struct json *json = &to->json;

	json_open(json, "meta", '{');
	put_interval(to);
	json_u64(json, "startTime", 0);
	json_u64(json, "processType", 0);
	json_text(json, "product", to->view->event->name);
	json_u64(json, "stackwalk", 1);
	json_u64(json, "version", GECKO_FORMAT);
	json_u64(json, "preprocessedProfileVersion", FORMAT);
	json_bool(json, "symbolicated", true);
	put_categories(to);
	put_empty(to, "markerSchema");
	json_open(json, "sampleUnits", '{');
	json_text(json, "time", "ms");
	json_text(json, "eventDelay", "ms");
	json_text(json, "threadCPUDelta", "ns");
	json_close(json);
	json_text(json, "importedFrom", "readperf " READPERF_VERSION);
	json_bool(json, "usesOnlyOneStackType", true);
	json_bool(json, "sourceCodeIsNotOnSearchfox", true);
	json_close(json);
}

/* The build id as Breakpad has it: its first 16 bytes as a GUID, whose first three numbers are
 * little-endian there, and an age of 0. */
static void format_breakpad_id(char id[34], const char *build_id)
{
	static const uint8_t places[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	const size_t len = strlen(build_id);

	memset(id, '0', 33);
	id[33] = '\0';
	for (size_t i = 0; i < 32; i++) {
		const size_t from = 2 * (size_t)places[i / 2] + i % 2;
		const char digit = from < len ? build_id[from] : '0';

		id[i] = digit;
		if (digit >= 'a' && digit <= 'f')
			id[i] = "ABCDEF"[digit - 'a'];
	}
	if (!len)
		id[0] = '\0';
}

static void put_libs(struct firefox *to)
{
	struct json *json = &to->json;
	char id[34];

	json_open(json, "libs", '[');
	for (size_t i = 0; i < to->nr_libs; i++) {
		const struct function_stat *function = to->lib_functions[i];

		format_breakpad_id(id, function->build_id);
		json_open(json, NULL, '{');
		json_text(json, "arch", "");
		json_text(json, "name", base_name(function->binary));
		json_text(json, "path", function->binary);
		json_text(json, "debugName", base_name(function->binary));
		json_text(json, "debugPath", function->binary);
		json_text(json, "breakpadId", id);
		if (*function->build_id)
			json_text(json, "codeId", function->build_id);
		else
			json_null(json, "codeId");
		json_close(json);
	}
	json_close(json);
}

static void put_profile(struct firefox *to)
{
	json_start(&to->json, to->view->out, LINES);
	json_open(&to->json, NULL, '{');
	put_meta(to);
	put_libs(to);
	put_threads(to);
	put_shared(to);
	json_close(&to->json);
	json_end(&to->json);
}

static void free_all(struct firefox *to)
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

void firefox_write(const struct runexport_view *view)
{
	const struct rows places = results_rows(view->results, &chainstat_places);
	struct firefox to = {
		.view = view,
		.results = view->results,
		.places = places.first,
		.nr_places = places.nr,
	};

	list_functions(&to);
	list_libs(&to);
	list_stacks(&to);
	list_frames(&to);
	list_threads(&to);
	if (!to.failed)
		put_profile(&to);
	if (to.failed)
		outfile_fail(view->out, &to.err);
	free_all(&to);
}

#include "decode/answer/traceprofile.h"

#include "decode/answer/funcstat.h"
#include "decode/stack/chainend.h"
#include "util/hash.h"
#include "util/index.h"

#include <stdlib.h>
#include <string.h>

/* ---- functions ------------------------------------------------------------------------------- */

static bool is_same(const struct trace_function *a, const struct trace_function *b)
{
	return a->symbol->reason == b->symbol->reason &&
	       dso_has_build_id(a->dso, b->dso->build_id, b->dso->build_id_len) &&
	       strcmp(a->dso->path, b->dso->path) == 0 &&
	       strcmp(a->symbol->function, b->symbol->function) == 0 &&
	       strcmp(a->symbol->filename, b->symbol->filename) == 0;
}

/* Appends a row for @function. Returns false if memory is out. */
static bool add_function(struct traceprofile *made, const struct trace_function *function)
{
	char build_id[DSO_BUILD_ID_TEXT];
	struct function_stat *row = &made->functions[made->nr++];

	dso_format_build_id(function->dso, build_id);
	*row = (struct function_stat){
		.event = &made->event,
		.binary = function->dso->path,
		.function = function->symbol->function,
		.filename = function->symbol->filename,
		.line = function->symbol->line,
		.size = function->symbol->size,
		.build_id = intern_keep(&made->strings, build_id),
		.reason = reason_name(function->symbol->reason),
		.dso = function->dso->number,
		.code = funcstat_origin(function->dso->kind),
	};
	return row->build_id;
}

/* Sets function_of[@number]; @firsts has the first one of each row. False if memory is out. */
static bool unite(struct traceprofile *made, const struct trace_function *functions,
		  uint32_t number, struct index *names, uint32_t *firsts)
{
	const struct trace_function *function = &functions[number];
	const char *name = function->symbol->function, *path = function->dso->path;
	const uint64_t hash =
		hash_add(hash_bytes(name, strlen(name)), hash_bytes(path, strlen(path)));
	uint32_t found;

	for (size_t at = index_first(names, hash); index_next(names, hash, &at, &found);) {
		made->function_of[number] = found;
		if (is_same(&functions[firsts[found]], function))
			return true;
	}
	made->function_of[number] = (uint32_t)made->nr;
	firsts[made->nr] = number;
	return index_add(names, hash) && add_function(made, function);
}

static bool unite_all(struct traceprofile *made, const struct tracecode *code)
{
	const size_t nr = code->nr_functions;
	uint32_t *firsts = calloc(nr + 1, sizeof(*firsts));
	struct index names = {0};
	bool ok;

	made->function_of = calloc(nr + 1, sizeof(*made->function_of));
	made->functions = calloc(nr + 1, sizeof(*made->functions));
	ok = firsts && made->function_of && made->functions;
	for (uint32_t i = 0; i < nr && ok; i++)
		ok = unite(made, code->functions, i, &names, firsts);
	index_free(&names);
	free(firsts);
	return ok;
}

/* What @node executed itself, unless a filter leaves its function out. */
static uint64_t own_instructions(const struct hardware_trace *tracing,
				 const struct trace_node *node)
{
	if (node->parent == TRACE_NO_NODE || tracing->code.functions[node->function].is_left_out)
		return 0;
	return node->instructions;
}

static void count_instructions(struct traceprofile *made, const struct hardware_trace *tracing)
{
	const struct tracecount *count = &tracing->count;
	struct tally *total = &made->nowhere.total;

	for (size_t i = 0; i < count->paths.nr; i++) {
		const uint64_t nr = own_instructions(tracing, &count->paths.nodes[i]);

		if (nr == 0)
			continue;
		tally_add(&made->functions[made->function_of[count->paths.nodes[i].function]].self,
			  nr, nr);
		tally_add(total, nr, nr);
	}
}

/* Brings the functions into the order of results.csv. Returns false if memory is out. */
static bool sort_functions(struct traceprofile *made, size_t nr_of_trace)
{
	uint32_t *places = calloc(made->nr + 1, sizeof(*places));

	if (!places)
		return false;
	for (uint32_t i = 0; i < made->nr; i++)
		made->functions[i].number = i;
	qsort(made->functions, made->nr, sizeof(*made->functions), funcstat_compare);
	for (uint32_t i = 0; i < made->nr; i++) {
		places[made->functions[i].number] = i;
		made->functions[i].number = i;
	}
	for (size_t i = 0; i < nr_of_trace; i++)
		made->function_of[i] = places[made->function_of[i]];
	free(places);
	return true;
}

/* ---- paths ----------------------------------------------------------------------------------- */

static int make_paths(struct traceprofile *made, const struct hardware_trace *tracing,
		      struct error *err)
{
	const struct tracecount *count = &tracing->count;
	const size_t nr = count->paths.nr;
	struct given_path *given = calloc(nr + 1, sizeof(*given));
	int rc;

	if (!given)
		return error_nomem(err, "adding up the hardware trace");
	for (size_t i = 0; i < nr; i++) {
		const struct trace_node *node = &count->paths.nodes[i];
		const uint64_t own = own_instructions(tracing, node);

		given[i] = (struct given_path){.caller = node->parent, .self = {own, own}};
		if (node->parent == TRACE_NO_NODE)
			given[i].function = PATH_NO_FUNCTION;
		else
			given[i].function = made->function_of[node->function];
	}
	rc = pathlist_make_given(&made->paths, given, nr, made->functions, err);
	free(given);
	return rc;
}

/* Adds the totals of paths to the functions that they end in, each instruction once. */
static bool sum_children(struct traceprofile *made)
{
	const struct path_stat *paths = made->paths.rows;
	uint32_t *on_path = calloc(made->nr + 1, sizeof(*on_path)), last = PATH_NO_PARENT;

	if (!on_path)
		return false;
	for (uint32_t i = 0; i < made->paths.nr; last = i++) {
		struct tally *all = &made->functions[paths[i].function->number].children;

		for (; last != paths[i].parent; last = paths[last].parent)
			on_path[paths[last].function->number]--;
		if (on_path[paths[i].function->number]++ == 0)
			tally_add(all, paths[i].total.samples, paths[i].total.period);
	}
	free(on_path);
	return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void tell(struct traceprofile *made)
{
	made->profile = (struct trace_profile){
		.stat = {.event = &made->event,
			 .total = made->nowhere.total,
			 .taken = made->nowhere.total,
			 .cut_reason = "",
			 .cut_advice = "",
			 .cpus = &made->nowhere,
			 .nr_cpus = 1},
		.functions = made->functions,
		.nr_functions = made->nr,
		.paths = made->paths.rows,
		.nr_paths = made->paths.nr,
		.calls = made->calls.rows,
		.nr_calls = made->calls.nr,
	};
}

int traceprofile_make(struct traceprofile *made, const struct hardware_trace *tracing,
		      unsigned number, bool has_paths, struct error *err)
{
	made->event = *tracing->event;
	made->event.name = hardware_trace_event(tracing);
	made->event.recorded = NULL;
	made->event.number = number;
	made->event.chains = true;
	if (!unite_all(made, &tracing->code))
		return error_nomem(err, "adding up the hardware trace");
	count_instructions(made, tracing);
	if (!sort_functions(made, tracing->code.nr_functions))
		return error_nomem(err, "adding up the hardware trace");
	if (has_paths) {
		if (make_paths(made, tracing, err) < 0)
			return -1;
		if (!sum_children(made) || !calllist_make(&made->calls, &made->paths))
			return error_nomem(err, "adding up the hardware trace");
	}
	tell(made);
	return 0;
}

void traceprofile_free(struct traceprofile *made)
{
	free(made->functions);
	free(made->function_of);
	pathlist_free(&made->paths);
	calllist_free(&made->calls);
	intern_free(&made->strings);
	*made = (struct traceprofile){0};
}

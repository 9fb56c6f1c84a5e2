/*
 * Branch statistics: what the branch stacks of samples tell of branches, and of the straight runs
 * of code between them.
 */
#include "decode/answer/aggregate.h"
#include "decode/answer/branchsample.h"
#include "decode/answer/ownplaces.h"
#include "util/intern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BRANCHES, BLOCKS }; /* numbers of the answers */

/* All zero is empty, but for what is borrowed. */
struct branchstat {
	const struct addrspaces *spaces; /* borrowed */
	struct branch_sink sink;
	/* Made by finish: addresses of the ends, and what is known of each. */
	struct address_table addresses;
	struct branch_place *places; /* by number of the address */
	struct branch_stat *branches;
	struct block_stat *blocks;
	uint64_t *all_cycles; /* by number of the event */
	struct intern strings;
};

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct branchstat *stat = state;

	(void)wanted;
	stat->spaces = view->spaces;
	stat->sink.count.limit = BRANCH_COUNT_MAX;
	return true;
}

static bool count_sample(void *state, const struct counted_sample *sample, struct error *err)
{
	struct branchstat *stat = state;

	if (branch_sample_count(&stat->sink, stat->spaces, sample))
		return true;
	error_nomem(err, "counting branches");
	return false;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The word of @number; of a newer kernel's, the number itself. NULL if memory is out. */
static const char *word(struct branchstat *stat, const char *const *words, size_t nr,
			unsigned number)
{
	char text[16];

	if (number < nr)
		return words[number];
	snprintf(text, sizeof(text), "0x%x", number);
	return intern_keep(&stat->strings, text);
}

#define NR_OF(list) (sizeof(list) / sizeof((list)[0]))

/* enum perf_branch_type, and what follows its PERF_BR_EXTEND_ABI; names as perf prints them. */
static const char *type_word(struct branchstat *stat, const struct branch_edge *edge)
{
	static const char *const types[] = {"",		"cond", "uncond",  "ind",    "call",
					    "ind_call", "ret",	"syscall", "sysret", "cond_call",
					    "cond_ret", "eret", "irq",	   "serror", "no_tx"};
	static const char *const new_types[] = {"fault_algn", "fault_data", "fault_inst", "arch_1",
						"arch_2",     "arch_3",	    "arch_4",	  "arch_5"};

	if (edge->type < NR_OF(types))
		return types[edge->type];
	return word(stat, new_types, NR_OF(new_types), edge->new_type);
}

static const char *priv_word(struct branchstat *stat, const struct branch_edge *edge)
{
	static const char *const privs[] = {"", "user", "kernel", "hypervisor"};

	return word(stat, privs, NR_OF(privs), edge->priv);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The number of the address of @spot; ADDRESS_NONE if memory is out. */
static uint32_t number_of(struct branchstat *stat, uint32_t event, const struct branch_spot *spot)
{
	const uint32_t number = address_get(&stat->addresses, event, spot->dso, spot->place);

	/* What has samples gets its details. */
	if (number != ADDRESS_NONE)
		stat->addresses.addresses[number].self.samples = 1;
	return number;
}

/* Both ends of a run are in one mapping: its end needs no symbol of its own. */
static bool collect_addresses(struct branchstat *stat)
{
	const struct branch_count *count = &stat->sink.count;
	bool ok = true;

	for (size_t i = 0; ok && i < count->edge_index.nr; i++) {
		const struct branch_edge *edge = &count->edges[i];

		ok = number_of(stat, edge->event, &edge->from) != ADDRESS_NONE &&
		     number_of(stat, edge->event, &edge->to) != ADDRESS_NONE;
	}
	for (size_t i = 0; ok && i < count->run_index.nr; i++)
		ok = number_of(stat, count->runs[i].event, &count->runs[i].start) != ADDRESS_NONE;
	return ok;
}

static bool fill_places(struct branchstat *stat, const struct aggregate_view *view,
			const struct own_places *own)
{
	const size_t nr = address_count(&stat->addresses);

	stat->places = calloc(nr + 1, sizeof(*stat->places));
	if (!stat->places)
		return false;
	for (size_t i = 0; i < nr; i++) {
		const struct dso *dso = view->dsos->dsos[stat->addresses.addresses[i].dso];
		const struct place_detail *detail = own_places_detail(own, (uint32_t)i);
		struct branch_place *place = &stat->places[i];

		*place = (struct branch_place){
			.binary = intern_keep(&stat->strings, dso->path),
			.function = intern_keep(&stat->strings,
						own_places_symbol(own, (uint32_t)i)->function),
			.address = detail->address,
			.filename = intern_keep(&stat->strings, detail->filename),
			.line = detail->line,
			.dso = dso->number,
			.is_file = dso->kind == DSO_USER,
			.is_found = *symbolizer_origin(view->symbolizer, dso).file,
		};
		if (!place->binary || !place->function || !place->filename)
			return false;
	}
	return true;
}

static int make_places(struct branchstat *stat, const struct aggregate_view *view,
		       struct error *err)
{
	struct own_places own = {0};
	int rc;

	if (!collect_addresses(stat))
		return error_nomem(err, "adding up branches");
	rc = own_places_resolve(&own, view, &stat->addresses, err);
	if (rc == 0 && !fill_places(stat, view, &own))
		rc = error_nomem(err, "adding up branches");
	own_places_free(&own);
	return rc;
}

/* All addresses have numbers: none is added. */
static const struct branch_place *place_of(struct branchstat *stat, uint32_t event,
					   const struct branch_spot *spot)
{
	return &stat->places[number_of(stat, event, spot)];
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool make_branches(struct branchstat *stat, const struct perffile *file)
{
	const struct branch_count *count = &stat->sink.count;

	stat->branches = calloc(count->edge_index.nr + 1, sizeof(*stat->branches));
	if (!stat->branches)
		return false;
	for (size_t i = 0; i < count->edge_index.nr; i++) {
		const struct branch_edge *edge = &count->edges[i];
		struct branch_stat *row = &stat->branches[i];

		*row = (struct branch_stat){
			.event = perffile_event(file, edge->event),
			.from = place_of(stat, edge->event, &edge->from),
			.to = place_of(stat, edge->event, &edge->to),
			.type = type_word(stat, edge),
			.priv = priv_word(stat, edge),
			.count = edge->count,
			.mispredicted = edge->mispredicted,
			.known = edge->known,
			.cycles = edge->cycles,
			.cycles_known = edge->cycles_known,
			.in_tx = edge->in_tx,
			.aborts = edge->aborts,
		};
		if (!row->type || !row->priv)
			return false;
	}
	return true;
}

static bool make_blocks(struct branchstat *stat, const struct perffile *file)
{
	const struct branch_count *count = &stat->sink.count;

	stat->blocks = calloc(count->run_index.nr + 1, sizeof(*stat->blocks));
	stat->all_cycles = calloc(perffile_nr_events(file) + 1, sizeof(*stat->all_cycles));
	if (!stat->blocks || !stat->all_cycles)
		return false;
	for (size_t i = 0; i < count->run_index.nr; i++)
		stat->all_cycles[count->runs[i].event] += count->runs[i].cycles;
	for (size_t i = 0; i < count->run_index.nr; i++) {
		const struct branch_run *run = &count->runs[i];
		const struct branch_place *at = place_of(stat, run->event, &run->start);

		stat->blocks[i] = (struct block_stat){
			.event = perffile_event(file, run->event),
			.start = at,
			.end = at->address + run->length,
			.count = run->count,
			.cycles = run->cycles,
			.cycles_known = run->cycles_known,
			.all_cycles = stat->all_cycles[run->event],
		};
	}
	return true;
}

static int compare_places(const struct branch_place *x, const struct branch_place *y)
{
	const int order = strcmp(x->binary, y->binary);

	if (order)
		return order;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->dso < y->dso ? -1 : x->dso > y->dso;
}

static int compare_branches(const void *a, const void *b)
{
	const struct branch_stat *x = a, *y = b;
	int order;

	if (x->event != y->event)
		return x->event->number < y->event->number ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if ((order = compare_places(x->from, y->from)) != 0)
		return order;
	if ((order = compare_places(x->to, y->to)) != 0)
		return order;
	order = strcmp(x->type, y->type);
	return order ? order : strcmp(x->priv, y->priv);
}

static int compare_blocks(const void *a, const void *b)
{
	const struct block_stat *x = a, *y = b;
	int order;

	if (x->event != y->event)
		return x->event->number < y->event->number ? -1 : 1;
	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if ((order = compare_places(x->start, y->start)) != 0)
		return order;
	return x->end < y->end ? -1 : x->end > y->end;
}

/* ---- the aggregate --------------------------------------------------------------------------- */

static void drop_rows(struct branchstat *stat)
{
	address_table_free(&stat->addresses);
	free(stat->places);
	free(stat->branches);
	free(stat->blocks);
	free(stat->all_cycles);
	intern_free(&stat->strings);
	stat->places = NULL;
	stat->branches = NULL;
	stat->blocks = NULL;
	stat->all_cycles = NULL;
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct branchstat *stat = state;
	const struct branch_count *count = &stat->sink.count;

	drop_rows(stat);
	if (make_places(stat, view, err) < 0)
		return -1;
	if (!make_branches(stat, view->file) || !make_blocks(stat, view->file))
		return error_nomem(err, "adding up branches");
	qsort(stat->branches, count->edge_index.nr, sizeof(*stat->branches), compare_branches);
	qsort(stat->blocks, count->run_index.nr, sizeof(*stat->blocks), compare_blocks);
	results->branches = &stat->sink.totals;
	return 0;
}

static struct rows rows(void *state, unsigned number)
{
	const struct branchstat *stat = state;

	if (number == BRANCHES)
		return (struct rows){.first = stat->branches, .nr = stat->sink.count.edge_index.nr};
	return (struct rows){.first = stat->blocks, .nr = stat->sink.count.run_index.nr};
}

static void end(void *state)
{
	struct branchstat *stat = state;

	drop_rows(stat);
	branch_count_free(&stat->sink.count);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct branchstat),
	.start = start,
	.sample = count_sample,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer branchstat_branches = {&aggregate, BRANCHES};
const struct answer branchstat_blocks = {&aggregate, BLOCKS};

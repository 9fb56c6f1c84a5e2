/* Cache line statistics: which code of which threads uses what part of a line. */
#include "decode/answer/aggregate.h"
#include "decode/answer/cachelinesample.h"
#include "decode/answer/ownplaces.h"
#include "util/intern.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 64, LINE_BYTES_MAX = 4096 };

/* What makes a function, by numbers of strings, but for the reason. */
enum { BINARY, FUNCTION, FILENAME, BUILD_ID, REASON, NR_NAMES };

/* A cell, and the row that it belongs to. */
struct line_use {
	const struct cacheline_cell *cell;
	uint64_t line;
	uint32_t offset;
	uint32_t names[NR_NAMES];
};

/* All zero is empty, but for what is borrowed. */
struct cachelinestat {
	const struct addrspaces *spaces;       /* borrowed */
	const struct process_table *processes; /* borrowed */
	struct cacheline_sink sink;
	/* Made by finish. */
	struct address_table addresses; /* of the code */
	struct cacheline_stat *rows;
	size_t nr_rows;
	struct intern strings;
};

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	struct cachelinestat *stat = state;

	(void)wanted;
	stat->spaces = view->spaces;
	stat->processes = view->processes;
	stat->sink.count.limit = CACHELINE_COUNT_MAX;
	return true;
}

static bool count_record(void *state, const struct record *rec)
{
	struct cachelinestat *stat = state;
	const struct process *process;

	if (rec->type != RECORD_SAMPLE)
		return true;
	process = process_find(stat->processes, rec->has & HAS_PID ? rec->pid : PID_NONE);
	return !process || cacheline_sample_count(&stat->sink, stat->spaces, process, rec);
}

/* An operation of a trace. */
static bool count_operation(void *state, const struct spe_operation *operation)
{
	struct cachelinestat *stat = state;

	if (!(operation->counts_for & 1u << SPE_EVENT_MEMORY))
		return true;
	return cacheline_sample_access(&stat->sink, stat->spaces,
				       &(struct cacheline_access){
					       .process = &operation->process,
					       .code = operation->at,
					       .addr = operation->record->data,
					       .data_src = operation->data_src,
					       .tid = operation->tid,
					       .cpu = operation->cpu,
				       });
}

/* ---- uses ------------------------------------------------------------------------------------ */

/* The recorded length of a cache line in bytes; the usual one if there is none that can be. */
static int line_bytes(const struct perffile *file, uint64_t *bytes, struct error *err)
{
	struct facts facts = {0};
	const int rc = perffile_describe(file, &facts, err);

	*bytes = LINE_BYTES;
	for (size_t i = 0; rc == 0 && i < facts.nr_rows; i++) {
		unsigned long value;

		if (strcmp(facts.rows[i].key, "cln_size") != 0)
			continue;
		value = strtoul(facts.rows[i].value, NULL, 10);
		if (value >= 8 && value <= LINE_BYTES_MAX && (value & (value - 1)) == 0)
			*bytes = value;
	}
	facts_free(&facts);
	return rc;
}

/* The number of the address of a cell's code; ADDRESS_NONE if memory is out. */
static uint32_t code_of(struct cachelinestat *stat, const struct cacheline_cell *cell)
{
	const uint32_t number =
		address_get(&stat->addresses, 0, cell->key.code_dso, cell->key.code_place);

	if (number != ADDRESS_NONE)
		stat->addresses.addresses[number].self.samples = 1;
	return number;
}

static bool collect_addresses(struct cachelinestat *stat)
{
	for (size_t i = 0; i < stat->sink.count.index.nr; i++)
		if (code_of(stat, &stat->sink.count.cells[i]) == ADDRESS_NONE)
			return false;
	return true;
}

static bool set_names(struct cachelinestat *stat, struct line_use *use, const struct dso *dso,
		      const struct symbol *symbol)
{
	char build_id[DSO_BUILD_ID_TEXT];

	dso_format_build_id(dso, build_id);
	use->names[BINARY] = intern_string(&stat->strings, dso->path);
	use->names[FUNCTION] = intern_string(&stat->strings, symbol->function);
	use->names[FILENAME] = intern_string(&stat->strings, symbol->filename);
	use->names[BUILD_ID] = intern_string(&stat->strings, build_id);
	use->names[REASON] = (uint32_t)symbol->reason;
	for (int i = 0; i < REASON; i++)
		if (use->names[i] == INTERN_NOMEM)
			return false;
	return true;
}

static bool make_uses(struct cachelinestat *stat, const struct aggregate_view *view,
		      const struct own_places *own, uint64_t bytes, struct line_use *uses)
{
	for (size_t i = 0; i < stat->sink.count.index.nr; i++) {
		const struct cacheline_cell *cell = &stat->sink.count.cells[i];
		const struct dso *dso = view->dsos->dsos[cell->key.code_dso];

		uses[i].cell = cell;
		uses[i].line = cell->key.data_place & ~(bytes - 1);
		uses[i].offset = (uint32_t)(cell->key.data_place & (bytes - 1));
		if (!set_names(stat, &uses[i], dso, own_places_symbol(own, code_of(stat, cell))))
			return false;
	}
	return true;
}

/* ---- groups of uses -------------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_lines(const struct line_use *x, const struct line_use *y)
{
	const struct cacheline_key *a = &x->cell->key, *b = &y->cell->key;
	int order;

	if ((order = compare_numbers(a->data_dso, b->data_dso)) != 0)
		return order;
	if ((order = compare_numbers(a->pid, b->pid)) != 0)
		return order;
	return compare_numbers(x->line, y->line);
}

static int compare_uses(const struct line_use *x, const struct line_use *y)
{
	int order = compare_lines(x, y);

	if (order == 0)
		order = compare_numbers(x->offset, y->offset);
	for (int i = 0; order == 0 && i < NR_NAMES; i++)
		order = compare_numbers(x->names[i], y->names[i]);
	return order;
}

static int by_line_and_tid(const void *a, const void *b)
{
	const struct line_use *x = a, *y = b;
	const int order = compare_lines(x, y);

	return order ? order : compare_numbers(x->cell->key.tid, y->cell->key.tid);
}

static int by_row_and_cpu(const void *a, const void *b)
{
	const struct line_use *x = a, *y = b;
	const int order = compare_uses(x, y);

	return order ? order : compare_numbers(x->cell->key.cpu, y->cell->key.cpu);
}

static int by_row_and_tid(const void *a, const void *b)
{
	const struct line_use *x = a, *y = b;
	const int order = compare_uses(x, y);

	return order ? order : compare_numbers(x->cell->key.tid, y->cell->key.tid);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Memory without a file has the name of a file that may have symbols of code in it. */
static const char *data_name(const struct dso *dso)
{
	char map[DSO_PERF_MAP_MAX];

	return dso->kind == DSO_JIT && strcmp(dso->path, dso_perf_map(map, dso->instance)) == 0
		       ? DSO_ANONYMOUS
		       : dso->path;
}

static struct cacheline_stat new_row(const struct cachelinestat *stat,
				     const struct aggregate_view *view, const struct line_use *use)
{
	const struct cacheline_key *key = &use->cell->key;

	return (struct cacheline_stat){
		.data_dso = key->data_dso,
		.data_binary = data_name(view->dsos->dsos[key->data_dso]),
		.line = use->line,
		.is_private = key->pid != CACHELINE_SHARED,
		.pid = key->pid,
		.offset = use->offset,
		.binary = intern_get(&stat->strings, use->names[BINARY]),
		.function = intern_get(&stat->strings, use->names[FUNCTION]),
		.filename = intern_get(&stat->strings, use->names[FILENAME]),
		.build_id = intern_get(&stat->strings, use->names[BUILD_ID]),
		.reason = reason_name((enum reason)use->names[REASON]),
	};
}

static void add_counts(struct cacheline_stat *row, const uint64_t *counts)
{
	row->records += counts[CACHELINE_RECORDS];
	row->loads += counts[CACHELINE_LOADS];
	row->stores += counts[CACHELINE_STORES];
	row->hitm_local += counts[CACHELINE_HITM_LOCAL];
	row->hitm_remote += counts[CACHELINE_HITM_REMOTE];
	row->peer += counts[CACHELINE_PEER];
	row->l1hit_stores += counts[CACHELINE_L1HIT_STORES];
	row->l1miss_stores += counts[CACHELINE_L1MISS_STORES];
	row->ram += counts[CACHELINE_RAM];
}

/* Makes the rows of @uses, which are in the order of rows, then of threads. */
static void fill_rows(struct cachelinestat *stat, const struct aggregate_view *view,
		      const struct line_use *uses, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const bool is_new = i == 0 || compare_uses(&uses[i], &uses[i - 1]) != 0;

		if (is_new)
			stat->rows[stat->nr_rows++] = new_row(stat, view, &uses[i]);
		add_counts(&stat->rows[stat->nr_rows - 1], uses[i].cell->counts);
		stat->rows[stat->nr_rows - 1].tids +=
			is_new || uses[i].cell->key.tid != uses[i - 1].cell->key.tid;
	}
}

/* @uses are in the order of rows, then of CPUs. */
static void count_cpus(struct cachelinestat *stat, const struct line_use *uses, size_t nr)
{
	struct cacheline_stat *row = stat->rows - 1;

	for (size_t i = 0; i < nr; i++) {
		const bool is_new = i == 0 || compare_uses(&uses[i], &uses[i - 1]) != 0;

		row += is_new;
		row->cpus += (is_new || uses[i].cell->key.cpu != uses[i - 1].cell->key.cpu) &&
			     uses[i].cell->key.cpu != UINT32_MAX;
	}
}

static bool same_line(const struct cacheline_stat *x, const struct cacheline_stat *y)
{
	return x->data_dso == y->data_dso && x->line == y->line && x->pid == y->pid;
}

/* Sets what rows [first, end) say of their whole line. */
static void set_line(struct cacheline_stat *first, const struct cacheline_stat *end, uint64_t tids)
{
	struct cacheline_stat sum = {.line_tids = tids};

	for (const struct cacheline_stat *row = first; row < end; row++) {
		sum.line_records += row->records;
		sum.line_hitm += row->hitm_local + row->hitm_remote + row->peer;
		sum.line_offsets += row == first || row->offset != row[-1].offset;
	}
	for (struct cacheline_stat *row = first; row < end; row++) {
		row->line_records = sum.line_records;
		row->line_hitm = sum.line_hitm;
		row->line_offsets = sum.line_offsets;
		row->line_tids = sum.line_tids;
	}
}

/* @uses are in the order of lines, then of threads; the rows are in the same order of lines. */
static void set_lines(struct cachelinestat *stat, const struct line_use *uses, size_t nr)
{
	struct cacheline_stat *first = stat->rows;
	const struct cacheline_stat *all_end = stat->rows + stat->nr_rows;
	size_t i = 0;

	while (first < all_end) {
		struct cacheline_stat *end = first + 1;
		const size_t start_of_line = i;
		uint64_t tids = 0;

		while (end < all_end && same_line(end, first))
			end++;
		for (; i < nr && compare_lines(&uses[i], &uses[start_of_line]) == 0; i++)
			tids += i == start_of_line ||
				uses[i].cell->key.tid != uses[i - 1].cell->key.tid;
		set_line(first, end, tids);
		first = end;
	}
}

static bool make_rows(struct cachelinestat *stat, const struct aggregate_view *view,
		      const struct own_places *own, uint64_t bytes)
{
	const size_t nr = stat->sink.count.index.nr;
	struct line_use *uses = calloc(nr + 1, sizeof(*uses));
	bool ok;

	stat->rows = calloc(nr + 1, sizeof(*stat->rows));
	ok = uses && stat->rows && make_uses(stat, view, own, bytes, uses);
	if (ok) {
		qsort(uses, nr, sizeof(*uses), by_row_and_tid);
		fill_rows(stat, view, uses, nr);
		qsort(uses, nr, sizeof(*uses), by_row_and_cpu);
		count_cpus(stat, uses, nr);
		qsort(uses, nr, sizeof(*uses), by_line_and_tid);
		set_lines(stat, uses, nr);
	}
	free(uses);
	return ok;
}

/* Lines with most modified copies come first; each one's rows stay together. */
static int compare_rows(const void *a, const void *b)
{
	const struct cacheline_stat *x = a, *y = b;
	int order;

	if ((order = compare_numbers(y->line_hitm, x->line_hitm)) != 0)
		return order;
	if ((order = compare_numbers(y->line_records, x->line_records)) != 0)
		return order;
	if ((order = strcmp(x->data_binary, y->data_binary)) != 0)
		return order;
	if ((order = compare_numbers(x->pid, y->pid)) != 0)
		return order;
	if ((order = compare_numbers(x->line, y->line)) != 0)
		return order;
	if ((order = compare_numbers(x->data_dso, y->data_dso)) != 0)
		return order;
	if ((order = compare_numbers(x->offset, y->offset)) != 0)
		return order;
	if ((order = compare_numbers(y->records, x->records)) != 0)
		return order;
	if ((order = strcmp(x->function, y->function)) != 0)
		return order;
	return strcmp(x->binary, y->binary);
}

/* ---- the aggregate --------------------------------------------------------------------------- */

static void drop_rows(struct cachelinestat *stat)
{
	address_table_free(&stat->addresses);
	free(stat->rows);
	intern_free(&stat->strings);
	stat->rows = NULL;
	stat->nr_rows = 0;
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct cachelinestat *stat = state;
	struct own_places own = {0};
	uint64_t bytes;
	int rc;

	drop_rows(stat);
	if (line_bytes(view->file, &bytes, err) < 0)
		return -1;
	if (!collect_addresses(stat))
		return error_nomem(err, "adding up cache lines");
	rc = own_places_resolve(&own, view, &stat->addresses, err);
	if (rc == 0 && !make_rows(stat, view, &own, bytes))
		rc = error_nomem(err, "adding up cache lines");
	own_places_free(&own);
	if (rc == 0)
		qsort(stat->rows, stat->nr_rows, sizeof(*stat->rows), compare_rows);
	results->cachelines = &stat->sink.totals;
	return rc;
}

static struct rows rows(void *state, unsigned number)
{
	const struct cachelinestat *stat = state;

	(void)number;
	return (struct rows){.first = stat->rows, .nr = stat->nr_rows};
}

static void end(void *state)
{
	struct cachelinestat *stat = state;

	drop_rows(stat);
	cacheline_free(&stat->sink.count);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct cachelinestat),
	.traces = AGGREGATE_OPERATIONS,
	.start = start,
	.record = count_record,
	.operation = count_operation,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer cachelinestat_accesses = {&aggregate, 0};

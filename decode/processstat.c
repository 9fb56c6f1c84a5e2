#include "decode/processstat.h"

#include "decode/address.h"

#include <stdlib.h>

/* Lives that nothing but their samples told of: together they are pid -1. */
static bool is_unknown(const struct process *process)
{
	return !process->known || process->pid == PID_NONE;
}

/* The row of pid -1, if there are samples for it. Nothing is moved: a life may become known later.
 */
static void add_unknown(struct processstat *stat, const struct process_table *table)
{
	struct process_stat row = {.pid = -1, .comm = "", .exe = "", .by_event = stat->unknown};
	bool any = false;

	for (size_t i = 0; i < table->nr_lives; i++) {
		const struct process *process = table->lives[i];

		if (!is_unknown(process) || !process->by_event)
			continue;
		any = true;
		row.threads += process->threads;
		for (size_t event = 0; event < process->nr_by_event; event++)
			tally_add(&stat->unknown[event], process->by_event[event].samples,
				  process->by_event[event].period);
	}
	if (any)
		stat->rows[stat->nr_rows++] = row;
}

static int compare_rows(const void *a, const void *b)
{
	const struct process_stat *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->life < y->life ? -1 : x->life > y->life;
}

static void fill_row(struct process_stat *row, const struct process_table *table,
		     const struct process *process, const struct tally *none)
{
	*row = (struct process_stat){
		.pid = (int32_t)process->pid,
		.comm = intern_get(&table->strings, process->comm),
		.nr_mmaps = process->nr_mmaps,
		.has_fork = process->has_fork,
		.has_exit = process->has_exit,
		.has_ppid = process->has_ppid,
		.fork = process->fork,
		.exit = process->exit,
		.ppid = (int32_t)process->ppid,
		.threads = process->threads,
		.exe = intern_get(&table->strings, process->exe),
		.by_event = process->by_event ? process->by_event : none,
	};
}

bool processstat_make(struct processstat *stat, struct process_table *table, size_t nr_events)
{
	processstat_free(stat);
	stat->rows = calloc(table->nr_lives + 1, sizeof(*stat->rows));
	stat->none = calloc(nr_events + 1, sizeof(*stat->none));
	stat->unknown = calloc(nr_events + 1, sizeof(*stat->unknown));
	if (!stat->rows || !stat->none || !stat->unknown)
		return false;
	add_unknown(stat, table);
	for (size_t i = 0; i < table->nr_lives; i++) {
		if (is_unknown(table->lives[i]))
			continue;
		if (table->lives[i]->by_event && !process_tally(table->lives[i], nr_events - 1))
			return false;
		fill_row(&stat->rows[stat->nr_rows], table, table->lives[i], stat->none);
		stat->rows[stat->nr_rows++].life = i;
	}
	qsort(stat->rows, stat->nr_rows, sizeof(*stat->rows), compare_rows);
	return true;
}

void processstat_free(struct processstat *stat)
{
	free(stat->rows);
	free(stat->none);
	free(stat->unknown);
	*stat = (struct processstat){0};
}

#include "decode/processstat.h"

#include "decode/address.h"

#include <stdlib.h>

/* Adds what @from has counted to @to. */
static bool add_tallies(struct process *to, const struct process *from)
{
	for (size_t i = 0; i < from->nr_by_event; i++) {
		struct tally *tally = process_tally(to, i);

		if (!tally)
			return false;
		tally_add(tally, from->by_event[i].samples, from->by_event[i].period);
	}
	return true;
}

/* Moves the samples of lives that are not known to pid -1. */
static bool fold_unknown(struct process_table *table)
{
	struct process *nobody = NULL;
	const size_t nr_lives = table->nr_lives; /* pid -1 may come on top */

	for (size_t i = 0; i < nr_lives; i++) {
		struct process *process = table->lives[i];

		if (process->known || !process->by_event)
			continue;
		if (!nobody)
			nobody = process_get(table, PID_NONE);
		if (!nobody)
			return false;
		nobody->known = true;
		if (process == nobody)
			continue;
		if (!add_tallies(nobody, process))
			return false;
		nobody->threads += process->threads;
	}
	return true;
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
	if (!fold_unknown(table))
		return false;
	stat->rows = calloc(table->nr_lives + 1, sizeof(*stat->rows));
	stat->none = calloc(nr_events + 1, sizeof(*stat->none));
	if (!stat->rows || !stat->none)
		return false;
	for (size_t i = 0; i < table->nr_lives; i++) {
		if (!table->lives[i]->known)
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
	*stat = (struct processstat){0};
}

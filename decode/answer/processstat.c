#include "decode/answer/processstat.h"

#include "decode/answer/aggregate.h"

#include <stdlib.h>

enum { BUDGET_BYTES = 1 << 20 };

enum { PROCESSES, THREADS }; /* numbers of the answers */

static int order(int64_t x, int64_t y)
{
	return x < y ? -1 : x > y;
}

/* By process; the row of the process comes before those of its threads. */
static int compare_lives(const struct life_row *x, const struct life_row *y)
{
	if (x->pid != y->pid)
		return order(x->pid, y->pid);
	if (x->life != y->life)
		return x->life < y->life ? -1 : 1;
	if (!x->thread_life != !y->thread_life)
		return x->thread_life ? 1 : -1;
	if (x->tid != y->tid)
		return order(x->tid, y->tid);
	return x->thread_life < y->thread_life ? -1 : x->thread_life > y->thread_life;
}

static int compare_rows(const void *a, const void *b)
{
	const struct life_row *x = a, *y = b;
	int lives = compare_lives(x, y);

	return lives ? lives : order(x->event, y->event);
}

bool processstat_init(struct processstat *stat, const struct intern *strings, bool threads,
		      size_t budget)
{
	*stat = (struct processstat){
		.strings = strings,
		.threads = threads,
		.budget = budget ? budget : BUDGET_BYTES,
	};
	stat->retired = sorter_create(sizeof(struct life_row), compare_rows, stat->budget);
	return stat->retired;
}

/* Whether @process stands for the samples whose process is unknown. */
static bool is_nobody(const struct process *process)
{
	return !process->known || process->pid == PID_NONE;
}

static struct life_row process_row(const struct process *process)
{
	if (is_nobody(process))
		return (struct life_row){.pid = -1,
					 .nr_mmaps = process->nr_mmaps,
					 .nr_threads = process->nr_threads};
	return (struct life_row){
		.life = process->life,
		.pid = (int32_t)process->pid,
		.comm = process->comm,
		.exe = process->exe,
		.ppid = (int32_t)process->ppid,
		.has_fork = process->has_fork,
		.has_exit = process->ended && process->exit,
		.has_ppid = process->has_ppid,
		.fork = process->fork,
		.exit = process->exit,
		.nr_mmaps = process->nr_mmaps,
		.nr_threads = process->nr_threads,
	};
}

static struct life_row thread_row(const struct process *process, const struct thread *thread)
{
	if (is_nobody(process))
		return (struct life_row){.pid = -1, .tid = -1, .thread_life = 1};
	return (struct life_row){
		.life = process->life,
		.thread_life = thread->life,
		.pid = (int32_t)process->pid,
		.tid = (int32_t)thread->tid,
		.comm = thread->comm,
		.has_fork = thread->has_fork,
		.has_exit = thread->has_exit,
		.fork = thread->fork,
		.exit = thread->exit,
		.has_switches = thread->switched,
		.switched = thread->switched ? *thread->switched : (struct switch_times){0},
	};
}

/*
 * Adds a row for each event with samples in @tallies. Without samples a life gets one row, but
 * @nobody only if it has mmaps.
 */
static int add_rows(struct sorter *sorter, struct life_row *row, const struct tallies *tallies,
		    bool nobody, struct error *err)
{
	bool any = false;

	for (size_t i = 0; i < tallies_count(tallies); i++) {
		row->tally = tallies_get(tallies, i, &row->event);
		if (!row->tally.samples)
			continue;
		if (sorter_add(sorter, row, err) < 0)
			return -1;
		row->nr_mmaps = row->nr_threads = 0;
		row->switched = (struct switch_times){0};
		any = true;
	}
	row->tally = (struct tally){0};
	row->event = 0;
	return any || (nobody && !row->nr_mmaps) ? 0 : sorter_add(sorter, row, err);
}

int processstat_retire(struct processstat *stat, const struct process *process,
		       const struct thread *thread, struct error *err)
{
	struct life_row row;

	if (thread && !stat->threads)
		return 0;
	row = thread ? thread_row(process, thread) : process_row(process);
	return add_rows(stat->retired, &row, thread ? &thread->tallies : &process->retired,
			is_nobody(process), err);
}

/* Adds the rows of the threads of @process that are not retired, and adds their counts to @sum. */
static int add_living_threads(struct processstat *stat, const struct process *process,
			      struct tallies *sum, struct error *err)
{
	const struct list *head = &process->threads;

	for (const struct list *at = head->next; at != head; at = at->next) {
		const struct thread *thread = list_entry(at, struct thread, in_process);
		struct life_row of_thread = thread_row(process, thread);

		if (!tallies_add(sum, &thread->tallies))
			return error_nomem(err, "adding up processes");
		if (stat->threads && add_rows(stat->living, &of_thread, &thread->tallies,
					      is_nobody(process), err) < 0)
			return -1;
	}
	return 0;
}

/* Adds the rows of @process, which is not retired, and of its threads. */
static int add_living(struct processstat *stat, const struct process *process, struct error *err)
{
	struct life_row row = process_row(process);
	struct tallies sum = {0};
	int rc = -1;

	if (!tallies_add(&sum, &process->retired))
		error_nomem(err, "adding up processes");
	else if (add_living_threads(stat, process, &sum, err) == 0)
		rc = add_rows(stat->living, &row, &sum, is_nobody(process), err);
	tallies_free(&sum);
	return rc;
}

int processstat_make(struct processstat *stat, const struct process_table *table, size_t nr_events,
		     struct error *err)
{
	const struct list *head = &table->processes;
	int rc = 0;

	sorter_free(stat->living);
	free(stat->by_event);
	free(stat->events);
	stat->living = sorter_create(sizeof(struct life_row), compare_rows, stat->budget);
	stat->by_event = calloc(nr_events + 1, sizeof(*stat->by_event));
	stat->events = calloc(nr_events + 1, sizeof(*stat->events));
	stat->nr_events = nr_events;
	stat->nr_counted = 0;
	if (!stat->living || !stat->by_event || !stat->events)
		return error_nomem(err, "adding up processes");
	for (const struct list *at = head->next; at != head && rc == 0; at = at->next)
		rc = add_living(stat, list_entry(at, struct process, in_table), err);
	return rc;
}

/* Reads the next row of sorter @number into its head. */
static int advance(struct processstat *stat, int number, struct error *err)
{
	const void *row;
	int rc = sorter_next(number ? stat->living : stat->retired, &row, err);

	stat->heads[number] = rc > 0 ? row : NULL;
	return rc < 0 ? -1 : 0;
}

static int start_rows(void *arg, struct error *err)
{
	struct processstat *stat = arg;

	if (sorter_start(stat->retired, err) < 0 || sorter_start(stat->living, err) < 0)
		return -1;
	return advance(stat, 0, err) < 0 || advance(stat, 1, err) < 0 ? -1 : 0;
}

/* Returns the number of the sorter whose row comes next, or -1 at the end. */
static int next_head(const struct processstat *stat)
{
	if (stat->heads[0] && stat->heads[1])
		return compare_rows(stat->heads[1], stat->heads[0]) < 0;
	return stat->heads[0] ? 0 : stat->heads[1] ? 1 : -1;
}

/* Adds the counts of @row to by_event; appends its event to events if it is not there yet. */
static void add_event(struct processstat *stat, const struct life_row *row)
{
	struct tally *tally = &stat->by_event[row->event];

	if (!row->tally.samples)
		return;
	if (!tally->samples)
		stat->events[stat->nr_counted++] = row->event;
	tally_add(tally, row->tally.samples, row->tally.period);
}

static void add_times(struct switch_times *sum, const struct switch_times *more)
{
	sum->on += more->on;
	sum->off += more->off;
	sum->delay += more->delay;
	sum->switches += more->switches;
	sum->preemptions += more->preemptions;
}

/*
 * Sums all rows of the next life, into @sum and by event; rows are sorted by event. Returns 1, 0 at
 * the end, -1 with @err filled.
 */
static int next_life(struct processstat *stat, struct life_row *sum, struct error *err)
{
	int number = next_head(stat);

	if (number < 0)
		return 0;
	*sum = *stat->heads[number];
	sum->nr_mmaps = sum->nr_threads = 0;
	sum->switched = (struct switch_times){0};
	while (stat->nr_counted)
		stat->by_event[stat->events[--stat->nr_counted]] = (struct tally){0};
	for (; number >= 0; number = next_head(stat)) {
		const struct life_row *row = stat->heads[number];

		if (compare_lives(row, sum) != 0)
			break;
		sum->nr_mmaps += row->nr_mmaps;
		sum->nr_threads += row->nr_threads;
		add_times(&sum->switched, &row->switched);
		if (row->event < stat->nr_events)
			add_event(stat, row);
		if (advance(stat, number, err) < 0)
			return -1;
	}
	return 1;
}

static int next_process(void *arg, void *to, struct error *err)
{
	struct processstat *stat = arg;
	struct process_stat *process = to;
	struct life_row row;
	int rc;

	do
		rc = next_life(stat, &row, err);
	while (rc > 0 && row.thread_life);
	if (rc <= 0)
		return rc;
	*process = (struct process_stat){
		.pid = row.pid,
		.comm = intern_get(stat->strings, row.comm),
		.nr_mmaps = row.nr_mmaps,
		.has_fork = row.has_fork,
		.has_exit = row.has_exit,
		.has_ppid = row.has_ppid,
		.fork = row.fork,
		.exit = row.exit,
		.ppid = row.ppid,
		.threads = row.nr_threads,
		.exe = intern_get(stat->strings, row.exe),
		.by_event = stat->by_event,
		.events = stat->events,
		.nr_events = stat->nr_counted,
	};
	return 1;
}

static int next_thread(void *arg, void *to, struct error *err)
{
	struct processstat *stat = arg;
	struct thread_stat *thread = to;
	struct life_row row;
	int rc;

	while ((rc = next_life(stat, &row, err)) > 0 && !row.thread_life)
		stat->process = row;
	if (rc <= 0)
		return rc;
	*thread = (struct thread_stat){
		.pid = row.pid,
		.tid = row.tid,
		.life = row.thread_life,
		.comm = intern_get(stat->strings, row.comm),
		.has_fork = row.has_fork,
		.has_exit = row.has_exit,
		.fork = row.fork,
		.exit = row.exit,
		.has_switches = row.has_switches,
		.on_cpu = row.switched.on,
		.off_cpu = row.switched.off,
		.delay = row.switched.delay,
		.switches = row.switched.switches,
		.preemptions = row.switched.preemptions,
		.process_comm = intern_get(stat->strings, stat->process.comm),
		.exe = intern_get(stat->strings, stat->process.exe),
		.by_event = stat->by_event,
		.events = stat->events,
		.nr_events = stat->nr_counted,
	};
	return 1;
}

struct row_source processstat_processes(struct processstat *stat)
{
	return (struct row_source){.arg = stat, .start = start_rows, .next = next_process};
}

struct row_source processstat_threads(struct processstat *stat)
{
	return (struct row_source){.arg = stat, .start = start_rows, .next = next_thread};
}

void processstat_free(struct processstat *stat)
{
	sorter_free(stat->retired);
	sorter_free(stat->living);
	free(stat->by_event);
	free(stat->events);
	*stat = (struct processstat){0};
}

/* ---- the aggregate --------------------------------------------------------------------------- */

static bool start(void *state, const struct aggregate_view *view, unsigned wanted)
{
	return processstat_init(state, &view->processes->strings, wanted & 1 << THREADS,
				view->life_bytes);
}

static int retire(void *state, const struct process *process, const struct thread *thread,
		  struct error *err)
{
	return processstat_retire(state, process, thread, err);
}

static int finish(void *state, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	return processstat_make(state, view->processes, results->nr_events, err);
}

static struct rows rows(void *state, unsigned number)
{
	return (struct rows){.source = number == PROCESSES ? processstat_processes(state)
							   : processstat_threads(state)};
}

static void end(void *state)
{
	processstat_free(state);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct processstat),
	.switches = 1 << THREADS,
	.start = start,
	.retire = retire,
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer processstat_lives = {&aggregate, PROCESSES};
const struct answer processstat_thread_lives = {&aggregate, THREADS};

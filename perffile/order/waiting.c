#include "perffile/order/waiting.h"

#include "perffile/record/raw.h"
#include "perffile/record/scope.h"

#include <stdlib.h>

static struct run *node_run(struct tree_node *node)
{
	return node ? tree_entry(node, struct run, node) : NULL;
}

void waiting_init(struct waiting *waiting, struct event_finder *finder)
{
	*waiting = (struct waiting){.finder = finder};
}

void waiting_use_leaps(struct waiting *waiting)
{
	waiting->leap = calloc(1, sizeof(*waiting->leap));
}

void waiting_end_leaps(struct waiting *waiting)
{
	free(waiting->leap);
	waiting->leap = NULL;
}

static inline bool is_leaping(const struct waiting *waiting)
{
	return waiting->leap && waiting->leap->end;
}

/* The tree that @run belongs to. */
static struct tree *tree_of(struct waiting *waiting, const struct run *run)
{
	return run->other ? &waiting->others : &waiting->runs;
}

void waiting_add(struct waiting *waiting, struct run *run)
{
	if (run->kept)
		leap_add(waiting->leap, run);
	else
		tree_insert(tree_of(waiting, run), &run->node, run_compare);
}

void waiting_add_near(struct waiting *waiting, struct run *run)
{
	tree_insert_near(tree_of(waiting, run), &run->node, run_compare);
}

static uint64_t earliest(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static struct run *run_after(const struct run *run)
{
	return run ? node_run(tree_next(&run->node)) : NULL;
}

/* The one of two runs that has the earlier record; each may be NULL. */
static struct run *earlier(struct run *a, struct run *b)
{
	if (!a || !b)
		return a ? a : b;
	return run_compare(&a->node, &b->node) < 0 ? a : b;
}

/* Where a gap or a leap that starts at @time ends at the latest. */
static uint64_t longest_from(uint64_t time)
{
	return time < UINT64_MAX - GAP_NS ? time + GAP_NS : UINT64_MAX;
}

/* Bounds the first run, which has samples, by the end of the gap that they are in. */
static void bound_by_gap(struct waiting *waiting)
{
	const uint64_t time = waiting->first->time;
	uint64_t end;

	if (time >= waiting->gap_limit)
		waiting->gap_limit = longest_from(time);
	end = earliest(waiting->gap_limit, waiting_released_end(waiting));
	if (end <= waiting->bound_time) {
		waiting->bound_time = end;
		waiting->bound_nr = 0;
	}
}

/* A run with samples in the gap that are not taken yet; NULL: there is none. */
static struct run *run_in_gap(struct waiting *waiting)
{
	struct run *run = started_next(&waiting->started, waiting->bound_time);

	if (run)
		return run;
	run = node_run(tree_first(&waiting->runs));
	return run && run->time < waiting->bound_time ? run : NULL;
}

/* Puts all runs back into the tree: from now on, samples come in order. */
static void order_started(struct waiting *waiting)
{
	while (waiting->started.nr > 0) {
		struct run *run = waiting->started.runs[--waiting->started.nr];

		run->started = false;
		tree_insert(&waiting->runs, &run->node, run_compare);
	}
}

void waiting_note_taken(struct waiting *waiting, uint64_t time)
{
	uint64_t *newest = is_leaping(waiting) ? &waiting->leap->newest : &waiting->newest_taken;

	if (time > *newest)
		*newest = time;
}

/* Takes note for the leap of the records of warm @run before @end ns. Returns the time of one
 * before which it has to end, or @end; sets @newest to the time of the last one noted. */
static uint64_t note_run(struct waiting *waiting, const struct run *run, uint64_t end,
			 uint64_t *newest)
{
	struct raw_stretch left = {.bytes = run->warm.bytes};
	const uint8_t *const run_end = left.bytes + run->len;

	while (left.bytes != run_end) {
		const uint64_t time = waiting_time(waiting, left.bytes);
		const struct raw_record raw = raw_take(&left, waiting->swap);
		const struct record_scope scope = record_scope(&raw, waiting->swap);

		if (time >= end)
			break;
		if (!leap_note(waiting->leap, &scope))
			end = time;
		else if (time > *newest)
			*newest = time;
	}
	return end;
}

/* As note_run() for all other records, up to what is cold. Nothing leaps from there up to those
 * that were noted in vain: no record is looked at again and again. */
static uint64_t note_others(struct waiting *waiting, uint64_t end)
{
	uint64_t newest = 0;

	for (struct run *run = node_run(tree_first(&waiting->others)); run && run->time < end;
	     run = run_after(run))
		end = run->cold ? run->time : note_run(waiting, run, end, &newest);
	if (newest >= end)
		waiting->leap->looked = newest;
	return end;
}

/* Whether samples from @start ns on may leap. */
static bool can_leap(const struct waiting *waiting, uint64_t start)
{
	const struct event_set *set = waiting->finder->set;

	return waiting->leap && start >= waiting->leap->looked &&
	       (!waiting->expects_cold || waiting->started.nr >= LEAP_STARTED_MIN) &&
	       set->sample_time && set->sample_pid;
}

/* Begins a leap at the first run, if it is worth it. */
static bool begin_leap(struct waiting *waiting)
{
	const uint64_t start = waiting->first->time;
	uint64_t end;

	if (!can_leap(waiting, start))
		return false;
	leap_clear(waiting->leap);
	end = note_others(waiting, earliest(longest_from(start), waiting_released_end(waiting)));
	if (end <= start || waiting->leap->nr_records < LEAP_RECORDS_MIN) {
		if (waiting->leap->looked < end)
			waiting->leap->looked = end;
		waiting->leap->looked += end <= start;
		return false;
	}
	waiting->leap->end = waiting->bound_time = end;
	waiting->leap->calm = true;
	waiting->bound_nr = 0;
	return true;
}

void waiting_find_first(struct waiting *waiting)
{
	const bool may_be_gap = waiting->has_gaps && waiting->finder->set->all_plain;
	struct run *run, *other, *next;

	if (!may_be_gap)
		order_started(waiting);
	run = earlier(node_run(tree_first(&waiting->runs)), started_first(&waiting->started));
	other = node_run(tree_first(&waiting->others));
	waiting->first = earlier(run, other);
	waiting->in_gap = may_be_gap && run && waiting->first == run;
	if (waiting->in_gap)
		next = other;
	else
		next = waiting->first == run ? earlier(other, run_after(run))
					     : earlier(run, run_after(other));
	waiting->bound_time = next ? next->time : UINT64_MAX;
	waiting->bound_nr = next ? next->nr : UINT64_MAX;
	if (waiting->in_gap && !begin_leap(waiting))
		bound_by_gap(waiting);
}

static void end_leap(struct waiting *waiting)
{
	const uint64_t newest = waiting->leap->newest;

	waiting->leap->end = 0;
	waiting_note_taken(waiting, newest);
	waiting_find_first(waiting);
}

/* Finds what comes before or as @other, a warm run whose first record is the next of the leap. */
static void go_on_before(struct waiting *waiting, struct run *other)
{
	struct raw_stretch one = {.bytes = other->warm.bytes};
	const struct raw_record raw = raw_take(&one, waiting->swap);
	const struct record_scope scope = record_scope(&raw, waiting->swap);
	struct run *kept = leap_older(waiting->leap, &scope, other->time, other->nr);

	waiting->first = kept ? kept : other;
	waiting->in_gap = kept;
	waiting->bound_time = other->time;
	waiting->bound_nr = other->nr;
}

/* As go_on() in a leap, when the samples of calm processes are taken: the next of the other records
 * comes, or what samples of its processes are older. */
static void go_on_leaping(struct waiting *waiting)
{
	struct leap *leap = waiting->leap;
	struct run *other = node_run(tree_first(&waiting->others));

	leap->calm = false;
	if (other && other->time < leap->end) {
		waiting->first = other;
		waiting->in_gap = false;
		if (!other->cold)
			go_on_before(waiting, other);
		return;
	}
	waiting->first = leap_rest(leap);
	waiting->bound_time = leap->end;
	waiting->bound_nr = 0;
	waiting->in_gap = waiting->first;
	if (!waiting->first)
		end_leap(waiting);
}

/* Finds the next run to take from: one in the same gap, if there is any. */
static void go_on(struct waiting *waiting)
{
	struct run *run = NULL;

	if (is_leaping(waiting) ? waiting->leap->calm
				: waiting->in_gap && waiting->finder->set->all_plain)
		run = run_in_gap(waiting);
	if (run)
		waiting->first = run;
	else if (is_leaping(waiting))
		go_on_leaping(waiting);
	else
		waiting_find_first(waiting);
}

void waiting_remove(struct waiting *waiting, struct run *run)
{
	if (run->kept)
		leap_remove(waiting->leap, run);
	else if (run->started)
		started_remove(&waiting->started);
	else
		tree_remove(tree_of(waiting, run), &run->node);
	go_on(waiting);
}

void waiting_move(struct waiting *waiting, struct run *run)
{
	struct tree *tree = tree_of(waiting, run);

	if (run->kept) {
		leap_move(waiting->leap, run);
	} else if (run->started) {
		started_move(&waiting->started);
	} else {
		tree_remove(tree, &run->node);
		run->started = waiting->in_gap && !started_full(&waiting->started);
		if (run->started)
			started_add(&waiting->started, run);
		else
			tree_insert(tree, &run->node, run_compare);
	}
	go_on(waiting);
}

/* Metrics: which ratios of which events tell something, and by which events they are found. */
#ifndef READPERF_DECODE_METRIC_H
#define READPERF_DECODE_METRIC_H

#include "decode/results/counterrows.h"

#include <stdbool.h>
#include <stddef.h>

/** What an event counts, as far as metrics need it. */
enum metric_role {
	METRIC_NO_ROLE,
	METRIC_CYCLES,
	METRIC_INSTRUCTIONS,
	METRIC_BRANCHES,
	METRIC_BRANCH_MISSES,
	METRIC_CACHE_REFERENCES,
	METRIC_CACHE_MISSES,
	METRIC_L1D_LOADS,
	METRIC_L1D_MISSES,
	METRIC_L1I_LOADS,
	METRIC_L1I_MISSES,
	METRIC_LLC_LOADS,
	METRIC_LLC_MISSES,
	METRIC_DTLB_LOADS,
	METRIC_DTLB_MISSES,
	METRIC_ITLB_LOADS,
	METRIC_ITLB_MISSES,
	METRIC_STALLED_FRONTEND,
	METRIC_STALLED_BACKEND,
	METRIC_SLOTS,
	METRIC_RETIRING,
	METRIC_BAD_SPECULATION,
	METRIC_FRONTEND_BOUND,
	METRIC_BACKEND_BOUND,
	METRIC_TASK_CLOCK,
	/* topdown level 1 before Ice Lake: decode/answer/topdown */
	METRIC_TOTAL_SLOTS,
	METRIC_SLOTS_ISSUED,
	METRIC_SLOTS_RETIRED,
	METRIC_FETCH_BUBBLES,
	METRIC_RECOVERY_BUBBLES,
};

/** @factor * events of @above / events of @below. */
struct metric_formula {
	const char *name, *unit;
	enum metric_role above, below;
	double factor;
	const char *remark; /* for a line of the console that shows @above; NULL: not shown there */
};

enum { METRIC_FORMULAS = 22 };
extern const struct metric_formula metric_formulas[METRIC_FORMULAS];

/** The role of @event, by its attr or else its name. */
enum metric_role metric_role(const struct event *event);

/** The role of an event that perf calls @name: "cycles:u", "cpu_core/topdown-retiring/". */
enum metric_role metric_role_of_name(const char *name);

/** As metric_fits(), as far as names tell. */
bool metric_names_fit(const char *a, const char *b);

/**
 * Whether a ratio of @a to @b tells something: both count in the same modes (user, kernel) and on
 * the same kind of core. Software clocks count for all.
 */
bool metric_fits(const struct event *a, const struct event *b);

/** Whether @event counts the time in ns that threads or CPUs take. */
bool metric_is_clock(const struct event *event);

/** Sets what is remarked on @total, from the @nr totals of its place. */
void metric_remark(struct counter_total *total, const struct counter_total *place, size_t nr);

#endif

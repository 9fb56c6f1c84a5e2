#include "decode/replay/beside.h"

#include "decode/replay/crew.h"
#include "decode/replay/state.h"
#include "util/cores.h"
#include "util/thread.h"

#include <stdlib.h>

/* So many addresses or paths take longer to be sorted than a thread takes to be started. */
enum { MANY_ADDRESSES = 1 << 15, MANY_PATHS = 1 << 15 };

static void count(struct beside *beside)
{
	beside->rc = missing_caller_count(&beside->input, beside->of_events, &beside->err);
}

/* With the lock. Without memory, tables are visited one by one. */
static void put_in_order(struct beside *beside)
{
	struct error err;

	beside->is_order_due = false;
	beside->orders = true;
	pthread_mutex_unlock(&beside->helpers.lock);
	(void)pathstore_walk(beside->paths, pathstore_only_table(beside->paths), NULL,
			     &beside->walk, &err);
	pthread_mutex_lock(&beside->helpers.lock);
	beside->orders = false;
	pthread_cond_broadcast(&beside->helpers.changed);
}

/* Does what is to be done next, or waits for it. Returns false when nothing is left. */
static bool work(struct beside *beside)
{
	if (beside->is_order_due) {
		put_in_order(beside);
	} else if (beside->is_due) {
		beside->is_due = false;
		pthread_mutex_unlock(&beside->helpers.lock);
		count(beside);
		pthread_mutex_lock(&beside->helpers.lock);
	} else if (beside->over) {
		return false;
	} else if (!helpers_do(&beside->helpers)) {
		pthread_cond_wait(&beside->helpers.changed, &beside->helpers.lock);
	}
	return true;
}

static void *run(void *arg)
{
	struct beside *beside = arg;

	pthread_mutex_lock(&beside->helpers.lock);
	while (work(beside))
		;
	pthread_mutex_unlock(&beside->helpers.lock);
	return NULL;
}

/* Whether callers may be missing in what was counted. */
static bool may_miss(const struct replay *replay)
{
	return missing_caller_is_possible(replay->file) && pathstore_has_any(&replay->stacks.paths);
}

static bool is_worth_it(const struct replay *replay)
{
	return replay->stacks.paths.nr_aside > 0 || may_miss(replay) ||
	       callpath_count(&replay->stacks.paths.now) >= MANY_PATHS ||
	       address_count(&replay->addresses) >= MANY_ADDRESSES;
}

void beside_begin(struct beside *beside, struct replay *replay)
{
	const struct symbol_settings *settings = &replay->settings.symbols;

	if (replay->crew)
		crew_await(replay->crew); /* it may still add paths */
	/* Who fetches files shows it, which only one thread may do. */
	if (cores_choose(settings->threads) == 1 || settings->debuginfod || !is_worth_it(replay))
		return;
	helpers_init(&beside->helpers);
	beside->started = thread_start(&beside->thread, run, beside);
	if (!beside->started)
		helpers_deinit(&beside->helpers);
}

struct helpers *beside_helpers(struct beside *beside)
{
	return beside->started ? &beside->helpers : NULL;
}

/* Tells the thread, if there is one, that what @flag stands for is so. */
static void tell(struct beside *beside, bool *flag)
{
	if (!beside->started)
		return;
	pthread_mutex_lock(&beside->helpers.lock);
	*flag = true;
	pthread_cond_broadcast(&beside->helpers.changed);
	pthread_mutex_unlock(&beside->helpers.lock);
}

void beside_order(struct beside *beside, const struct replay *replay)
{
	if (callpath_count(&replay->stacks.paths.now) < MANY_PATHS ||
	    pathstore_only_table(&replay->stacks.paths) == SIZE_MAX)
		return;
	beside->paths = &replay->stacks.paths;
	tell(beside, &beside->is_order_due);
}

const struct path_walk *beside_await_walk(struct beside *beside)
{
	if (!beside->started)
		return NULL;
	pthread_mutex_lock(&beside->helpers.lock);
	beside->is_order_due = false; /* who waits for it can do it as well */
	while (beside->orders)
		pthread_cond_wait(&beside->helpers.changed, &beside->helpers.lock);
	pthread_mutex_unlock(&beside->helpers.lock);
	return beside->walk.nr ? &beside->walk : NULL;
}

int beside_count(struct beside *beside, struct replay *replay, const struct place_set *places,
		 struct error *err)
{
	if (!may_miss(replay))
		return 0;
	beside->input = (struct missing_caller_input){
		.file = replay->file,
		.paths = &replay->stacks.paths,
		.addresses = &replay->addresses,
		.places = places,
		.dsos = &replay->spaces.dsos,
		.info = symbolizer_unwindinfo(replay->symbolizer),
	};
	beside->of_events =
		calloc(perffile_nr_events(replay->file) + 1, sizeof(*beside->of_events));
	if (!beside->of_events || !beside->input.info)
		return error_nomem(err, "adding up missing callers");
	tell(beside, &beside->is_due);
	return 0;
}

static void end_thread(struct beside *beside)
{
	tell(beside, &beside->over);
	pthread_join(beside->thread, NULL);
	helpers_deinit(&beside->helpers);
}

int beside_end(struct beside *beside, struct replay *replay, int rc, struct error *err)
{
	if (beside->started)
		end_thread(beside);
	else if (rc == 0 && beside->of_events)
		count(beside);
	if (rc == 0 && beside->rc < 0) {
		*err = beside->err;
		rc = -1;
	}
	for (size_t i = 0; rc == 0 && beside->of_events && i < replay->events.nr; i++)
		replay->events.rows[i].caller_missing = beside->of_events[i];
	free(beside->of_events);
	path_walk_free(&beside->walk);
	*beside = (struct beside){0};
	return rc;
}

#include "decode/replay/beside.h"

#include "decode/replay/state.h"
#include "util/cores.h"
#include "util/thread.h"

#include <stdlib.h>

static void count_missing_callers(struct beside *beside)
{
	if (beside->of_events)
		beside->rc = missing_caller_count(&beside->input, beside->of_events, &beside->err);
}

static void *help(void *arg)
{
	struct beside *beside = arg;

	count_missing_callers(beside);
	pthread_mutex_lock(&beside->helpers.lock);
	while (!beside->over)
		if (!helpers_do(&beside->helpers))
			pthread_cond_wait(&beside->helpers.changed, &beside->helpers.lock);
	pthread_mutex_unlock(&beside->helpers.lock);
	return NULL;
}

/* Whether there may be a thread. Who fetches files shows it, which only one thread may do. */
static bool may_start(const struct replay *replay)
{
	return cores_choose(replay->settings.symbols.threads) > 1 &&
	       !replay->settings.symbols.debuginfod;
}

int beside_begin(struct beside *beside, struct replay *replay, const struct place_set *places,
		 struct error *err)
{
	const struct pathstore *paths = &replay->stacks.paths;

	beside->input = (struct missing_caller_input){
		.file = replay->file,
		.paths = paths,
		.addresses = &replay->addresses,
		.places = places,
		.dsos = &replay->spaces.dsos,
		.info = symbolizer_unwindinfo(replay->symbolizer),
	};
	if (missing_caller_is_possible(replay->file) && pathstore_has_any(paths)) {
		beside->of_events =
			calloc(perffile_nr_events(replay->file) + 1, sizeof(*beside->of_events));
		if (!beside->of_events || !beside->input.info)
			return error_nomem(err, "adding up missing callers");
	}
	/* One table of paths is not shared. */
	if ((beside->of_events || paths->nr_aside > 0) && may_start(replay)) {
		helpers_init(&beside->helpers);
		beside->started = thread_start(&beside->thread, help, beside);
		if (!beside->started)
			helpers_deinit(&beside->helpers);
	}
	return 0;
}

struct helpers *beside_helpers(struct beside *beside)
{
	return beside->started ? &beside->helpers : NULL;
}

static void end_thread(struct beside *beside)
{
	pthread_mutex_lock(&beside->helpers.lock);
	beside->over = true;
	pthread_cond_broadcast(&beside->helpers.changed);
	pthread_mutex_unlock(&beside->helpers.lock);
	pthread_join(beside->thread, NULL);
	helpers_deinit(&beside->helpers);
}

int beside_end(struct beside *beside, struct replay *replay, int rc, struct error *err)
{
	if (beside->started)
		end_thread(beside);
	else if (rc == 0)
		count_missing_callers(beside);
	if (rc == 0 && beside->rc < 0) {
		*err = beside->err;
		rc = -1;
	}
	for (size_t i = 0; rc == 0 && beside->of_events && i < replay->events.nr; i++)
		replay->events.rows[i].caller_missing = beside->of_events[i];
	free(beside->of_events);
	return rc;
}

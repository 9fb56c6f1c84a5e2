/* The vendor's names of events that are recorded as codes. */
#include "decode/answer/aggregate.h"
#include "decode/vendor/vendornames.h"
#include "util/array.h"
#include "util/intern.h"

#include <stdlib.h>

struct eventmeaning {
	struct vendornames names;
	struct intern strings;
	const char **meanings; /* by number of the event */
	size_t nr, room;
};

static int find_meaning(struct eventmeaning *state, const struct perffile *file,
			const struct event *event, const char **meaning, struct error *err)
{
	const char *pmu = perffile_pmu_name(file, event->attr.type);
	char name[VENDOR_NAME_MAX] = "";

	if (vendornames_is_raw(event, pmu) &&
	    vendornames_find(&state->names, perffile_cpuid(file), pmu, event, name, err) < 0)
		return -1;
	*meaning = intern_keep(&state->strings, name);
	return *meaning ? 0 : error_nomem(err, "naming events");
}

static int finish(void *of, const struct aggregate_view *view, struct results *results,
		  struct error *err)
{
	struct eventmeaning *state = of;

	state->nr = 0;
	if (!array_grow(state->meanings, state->room, results->nr_events))
		return error_nomem(err, "naming events");
	for (; state->nr < results->nr_events; state->nr++) {
		const struct event *event = results->events[state->nr].event;

		if (find_meaning(state, view->file, event, &state->meanings[state->nr], err) < 0)
			return -1;
	}
	return 0;
}

static struct rows rows(void *of, unsigned number)
{
	const struct eventmeaning *state = of;

	(void)number;
	return (struct rows){.first = state->meanings, .nr = state->nr};
}

static void end(void *of)
{
	struct eventmeaning *state = of;

	vendornames_free(&state->names);
	intern_free(&state->strings);
	free(state->meanings);
}

static const struct aggregate aggregate = {
	.state_bytes = sizeof(struct eventmeaning),
	.finish = finish,
	.rows = rows,
	.free = end,
};

const struct answer eventmeaning_names = {&aggregate, 0};

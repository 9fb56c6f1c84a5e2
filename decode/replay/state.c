#include "decode/replay/state.h"

#include "decode/replay/crew.h"

int replay_fail(const struct replay *replay, const char *what, struct error *err)
{
	if (replay->failed.kind == ERROR_NONE)
		return error_nomem(err, what);
	if (err)
		*err = replay->failed;
	return -1;
}

void replay_tell_kernel(struct replay *replay)
{
	symbolizer_set_kernel(replay->symbolizer,
			      &(struct symbol_kernel){
				      .dso = replay->spaces.host,
				      .release = perffile_release(replay->file),
				      .hostname = perffile_hostname(replay->file),
				      .machine = perffile_machine(replay->file),
				      .kcore_dir = perffile_kcore_dir(replay->file),
			      });
}

void replay_meet(struct replay *replay, const struct dso *dso)
{
	if (!dso_set_add(&replay->met, dso))
		return; /* it only lets them be loaded earlier */
	if (dso != replay->spaces.host) {
		/* Filters may leave all its samples out, or ask for its symbols at once. */
		if (!replay->filtered)
			symbolizer_expect(replay->symbolizer, dso, replay->aggregates.wishes);
	} else if (!replay->kernel_sampled) {
		replay->kernel_sampled = true;
		if (replay->crew)
			crew_await(replay->crew); /* it may unwind through the vdso */
		replay_tell_kernel(replay);
		symbolizer_expect_kernel(replay->symbolizer);
	}
}

bool replay_settle(struct replay *replay, struct helpers *helpers)
{
	return !replay->crew ||
	       crew_finish(replay->crew, &replay->addresses, helpers, &replay->failed) == 0;
}

bool replay_heed_crew(struct replay *replay)
{
	const struct dso *dso;

	while ((dso = crew_next_met(replay->crew)))
		if (!dso_set_has(&replay->met, dso))
			replay_meet(replay, dso);
	return crew_check(replay->crew, &replay->failed) == 0;
}

bool replay_claim_stacks(struct replay *replay)
{
	return !replay->crew || crew_await_paths(replay->crew, &replay->failed) == 0;
}

bool replay_count_slice(struct replay *replay, bool timed, uint64_t time)
{
	/* The slice has what was counted until its end. */
	if (replay->crew && (!replay->slices.begun || !timed || time >= replay->slices.end) &&
	    crew_settle(replay->crew, &replay->addresses, NULL, &replay->failed) < 0)
		return false;
	return time_slices_sample(&replay->slices, &replay->addresses, timed, time);
}

struct aggregate_view replay_view(const struct replay *replay)
{
	return (struct aggregate_view){
		.file = replay->file,
		.processes = &replay->processes,
		.spaces = &replay->spaces,
		.life_bytes = replay->settings.life_bytes,
		.callers_of = replay->settings.callers_of,
		.callees_of = replay->settings.callees_of,
		.counters = &replay->stat_counters,
		.metrics = replay->settings.metrics,
		.filter = replay->settings.filter,
		.takes_event = filter_of_event,
		.slice = replay->settings.slice,
		.slice_by = replay->settings.slice_by,
		.slices_max = replay->settings.slices_max,
		.dsos = &replay->spaces.dsos,
		.symbolizer = replay->symbolizer,
		.addresses = &replay->addresses,
		.paths = &replay->stacks.paths,
		.log = &replay->log,
		.of_addresses = &replay->functions.of_addresses,
		.path_list = &replay->functions.paths,
		.path_cells = &replay->functions.cells,
		.unwinder = &replay->stacks.unwinder,
		.tracing = &replay->tracing,
		.spe = &replay->spe,
		.traced = &replay->traced,
		.switched = replay->switched.waits ? &replay->switched.switches : NULL,
		.wants_debug_info = replay->aggregates.wishes || replay->settings.symbols.inlined,
	};
}

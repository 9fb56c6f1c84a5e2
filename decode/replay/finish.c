/* Makes the results of a replay: resolves what was counted and sums it. */
#include "decode/answer/resolve.h"
#include "decode/replay/beside.h"
#include "decode/replay/countsample.h"
#include "decode/replay/counttrace.h"
#include "decode/replay/crew.h"
#include "decode/replay/state.h"

static void show_symbolizing(void *arg, size_t done, size_t total)
{
	const struct replay_progress *progress = arg;

	progress->show(progress->arg, REPLAY_SYMBOLIZING, done, total);
}

/* Resolves the symbols of all places, except those in @known, which may be NULL. */
static int resolve_places(struct replay *replay, struct place_set *places,
			  struct symbol_cache *known, struct error *err)
{
	const struct dso_table *dsos = &replay->spaces.dsos;
	struct replay_progress *progress = &replay->settings.progress;

	if (known)
		symbol_cache_take(known, places, dsos, &replay->addresses);
	if (resolve_symbols(places, replay->symbolizer, progress->show ? show_symbolizing : NULL,
			    progress, err) < 0)
		return -1;
	if (known && !symbol_cache_keep(known, places, dsos, &replay->addresses))
		return error_nomem(err, "keeping symbols");
	return 0;
}

static bool needs_paths(const struct needs *needs)
{
	return needs_have(needs, &pathstat_paths) || needs_have(needs, &pathstat_calls) ||
	       needs_have(needs, &pathstat_cells) || needs_have(needs, &pathstat_slices);
}

static int sum_up_functions(struct replay *replay, const struct place_set *places,
			    struct beside *beside, struct error *err)
{
	const struct funcstat_input functions = {
		.file = replay->file,
		.dsos = &replay->spaces.dsos,
		.addresses = &replay->addresses,
		.paths = &replay->stacks.paths,
		.walk = beside_await_walk(beside),
		.places = places,
		.slices = replay->settings.noise ? &replay->slices : NULL,
		.window = replay->window.timed ? &replay->window : NULL,
		.helpers = beside_helpers(beside),
		.nr_events = perffile_nr_events(replay->file),
		.lists_paths = needs_paths(&replay->settings.needs),
		.log = needs_have(&replay->settings.needs, &pathstat_cells) ? &replay->log : NULL,
	};

	if (funcstat_make(&replay->functions, &functions, err) < 0)
		return -1;
	replay->results.functions = replay->functions.rows;
	replay->results.nr_functions = funcstat_count(&replay->functions);
	replay->results.window = replay->window.timed ? &replay->functions.recent.stat : NULL;
	return 0;
}

/* Splits the functions by the keys of --per. */
static int split_functions(struct replay *replay, struct error *err)
{
	struct splitstat_input input = {
		.paths = &replay->stacks.paths,
		.of_addresses = &replay->functions.of_addresses,
		.functions = replay->functions.rows,
		.nr_functions = funcstat_count(&replay->functions),
	};

	if (!replay->split)
		return 0;
	if (samplesplit_finish(&replay->by_keys, &input, &replay->processes.strings,
			       replay->symbolizer, err) < 0)
		return -1;
	if (needs_have(&replay->settings.needs, &chainstat_chains) &&
	    samplesplit_chains(&replay->by_keys, &replay->stacks.paths, err) < 0)
		return -1;
	replay->results.split = &replay->by_keys.rows.stat;
	if (!replay->window.timed)
		return 0;
	if (samplesplit_recent(&replay->by_keys, &input, &replay->window, err) < 0)
		return -1;
	replay->functions.recent.stat.split = &replay->by_keys.recent.stat;
	return 0;
}

static int sum_up_events(struct replay *replay, struct error *err)
{
	if (!eventstat_make(&replay->events))
		return error_nomem(err, "adding up events");
	eventstat_set_cut(&replay->events, replay->functions.ends, replay->stacks.mode);
	replay->results.events = replay->events.rows;
	replay->results.nr_events = replay->events.nr;
	replay->results.sampled = replay->events.sampled;
	replay->results.nr_sampled = replay->events.nr_sampled;
	return 0;
}

/* Decodes the hardware trace, if there is one; what it executed is an event behind all others. */
static int sum_up_trace(struct replay *replay, struct error *err)
{
	const bool has_paths = needs_have(&replay->settings.needs, &tracestat_profile);

	if (count_trace_decode(replay, err) < 0)
		return -1;
	if (!replay->tracing.event || replay->traced.functions)
		return 0;
	if (traceprofile_make(&replay->traced, &replay->tracing, (unsigned)replay->events.nr,
			      has_paths, err) < 0)
		return -1;
	replay->results.traced = &replay->traced.profile;
	return 0;
}

/* Resolves each distinct address once, then sums: functions, events, then the aggregates. Ends
 * @beside. */
static int sum_up(struct replay *replay, struct symbol_cache *known, struct beside *beside,
		  struct error *err)
{
	const unsigned wishes = replay->aggregates.wishes;
	struct aggregate_view view = replay_view(replay);
	struct helpers *helpers = beside_helpers(beside);
	struct place_set places = {0};
	int rc;

	if (!needs_paths(&replay->settings.needs))
		beside_order(beside, replay);
	rc = resolve_collect(&places, view.dsos, view.addresses, wishes, helpers, err);
	/* Cached symbols have no details. */
	if (rc == 0)
		rc = resolve_places(replay, &places, wishes ? NULL : known, err);
	if (rc == 0)
		rc = beside_count(beside, replay, &places, err);
	if (rc == 0)
		rc = sum_up_functions(replay, &places, beside, err);
	if (rc == 0)
		rc = split_functions(replay, err);
	if (rc == 0)
		rc = sum_up_events(replay, err);
	rc = beside_end(beside, replay, rc, err);
	view.places = &places;
	if (rc == 0 && !known)
		rc = sum_up_trace(replay, err);
	if (rc == 0)
		rc = counterset_finish(&replay->stat_counters, replay->file, err);
	if (rc == 0)
		rc = aggregates_finish(&replay->aggregates, &replay->settings.needs, &view,
				       &replay->results, err);
	resolve_free(&places);
	return rc;
}

/* The union of the events' sample_type. */
static uint64_t sample_fields(const struct replay *replay)
{
	uint64_t fields = 0;

	for (size_t i = 0; i < perffile_nr_events(replay->file); i++)
		fields |= perffile_event(replay->file, i)->attr.sample_type;
	return fields;
}

/* What the answers on switches lack, if there are any. */
static void tell_gaps(struct replay *replay)
{
	const struct switch_replay *switched = &replay->switched;
	const struct switch_gaps gaps = switches_gaps(&switched->switches);

	replay->gaps = (struct offcpu_gaps){
		.begins = gaps.begins,
		.ends = gaps.ends,
		.lost = gaps.lost,
		.missed = gaps.missed,
		.backwards = gaps.backwards,
		.chainless = gaps.chainless,
		.some = switched->nr_some,
	};
	if (switched->waits || switched->nr_some)
		replay->results.switch_gaps = &replay->gaps;
}

/* Ends the counting of all samples so far. Returns false on error: replay_fail(). */
static bool end_counting(struct replay *replay, const struct symbol_cache *known,
			 struct helpers *helpers)
{
	if (!replay_end_gap(replay) || !replay_settle(replay, helpers))
		return false;
	if (replay->crew && !known)
		crew_empty(replay->crew);
	replay_tell_kernel(replay);
	symbolizer_set_end(replay->symbolizer, perffile_end(replay->file));
	return addrspaces_finish(&replay->spaces) && address_flush(&replay->addresses) &&
	       time_slices_finish(&replay->slices, &replay->addresses);
}

/* Makes the results of all records so far, and ends @beside. @known: symbols of earlier results, or
 * NULL. */
static const struct results *make_results(struct replay *replay, struct symbol_cache *known,
					  struct beside *beside, struct error *err)
{
	struct results *results = &replay->results;

	if (!end_counting(replay, known, beside_helpers(beside))) {
		(void)beside_end(beside, replay, -1, err);
		replay_fail(replay, "counting samples", err);
		return NULL;
	}
	*results = (struct results){
		.inlined = replay->settings.symbols.inlined,
		.window_untimed = replay->windowed && !replay->window.timed,
		.nr_untimed_dumps = replay->jit.nr_untimed,
		.filtered = replay->filtered,
	};
	tell_gaps(replay);
	results->lacks =
		filter_lacks(replay->settings.filter, sample_fields(replay), &results->lacks_how);
	if (replay->split)
		results->per_lacks = perkeys_lacks(replay->settings.per, sample_fields(replay),
						   &results->per_lacks_how, &results->per_lacking);
	return sum_up(replay, known, beside, err) < 0 ? NULL : results;
}

const struct results *replay_snapshot(struct replay *replay, struct error *err)
{
	struct beside beside = {0};

	replay->has_snapshots = true;
	beside_begin(&beside, replay);
	return make_results(replay, &replay->known, &beside, err);
}

/*
 * Whether symbols were looked up before all data that they depend on was known: for snapshots, or
 * for a symbol filter while the recording was still written or before its build ids were read.
 */
static bool has_looked_early(const struct replay *replay)
{
	const struct perffile *file = replay->file;

	return replay->has_snapshots ||
	       (replay->settings.filter->symbols &&
		(perffile_is_stream(file) || perffile_nr_build_ids(file) > replay->nr_build_ids));
}

/*
 * Discards all symbols that were looked up early, with the symbolizer's other conclusions: which
 * kernel was recorded, which files exist. Returns false if memory is out.
 */
static bool forget_symbols(struct replay *replay)
{
	if (!has_looked_early(replay))
		return true;
	symbol_cache_free(&replay->known);
	stacks_prepare(&replay->stacks, NULL, NULL);
	symbolizer_destroy(replay->symbolizer);
	replay->symbolizer = symbolizer_create(&replay->settings.symbols);
	return replay->symbolizer;
}

const struct results *replay_finish(struct replay *replay, struct error *err)
{
	struct beside beside = {0};

	beside_begin(&beside, replay);
	if (!replay_end_gap(replay) || !replay_settle(replay, beside_helpers(&beside)) ||
	    !count_sample_waiting(replay) || !forget_symbols(replay)) {
		(void)beside_end(&beside, replay, -1, err);
		replay_fail(replay, "counting samples", err);
		return NULL;
	}
	return make_results(replay, NULL, &beside, err);
}

/* The answers of the replay: what was counted, with names, added up. */
#include "decode/placeset.h"
#include "decode/replay_state.h"

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

/* Everything but the functions, which take the most work. */
static int sum_up(struct replay *replay, struct error *err)
{
	if (!eventstat_make(&replay->events))
		return error_nomem(err, "adding up events");
	if (processstat_make(&replay->processes_stat, &replay->processes, replay->events.nr, err) <
	    0)
		return -1;
	if (!binarystat_make(&replay->binaries, replay->functions.rows,
			     funcstat_count(&replay->functions), &replay->spaces.dsos,
			     replay->symbolizer) ||
	    !recordstat_make(&replay->records, perffile_counts(replay->file)))
		return error_nomem(err, "adding up binaries and records");
	facts_free(&replay->header);
	return replay->header_wanted ? perffile_describe(replay->file, &replay->header, err) : 0;
}

/* Gives all places their symbols; those in @known, unless NULL, are not looked up again. */
static int resolve_places(struct replay *replay, struct place_set *places,
			  struct known_symbols *known,
			  void (*tick)(void *arg, size_t done, size_t total), void *tick_arg,
			  struct error *err)
{
	const struct dso_table *dsos = &replay->spaces.dsos;

	if (known)
		known_symbols_take(known, places, dsos, &replay->addresses);
	if (place_set_resolve(places, replay->symbolizer, tick, tick_arg, err) < 0)
		return -1;
	if (known && !known_symbols_keep(known, places, dsos, &replay->addresses))
		return error_nomem(err, "keeping symbols");
	return 0;
}

/* Resolves the addresses, each once, and adds them up by function, and by line if that is wanted.
 */
static int sum_up_places(struct replay *replay, struct known_symbols *known,
			 void (*tick)(void *arg, size_t done, size_t total), void *tick_arg,
			 struct error *err)
{
	const struct dso_table *dsos = &replay->spaces.dsos;
	struct place_set places = {0};
	const struct funcstat_input functions = {
		.file = replay->file,
		.dsos = dsos,
		.addresses = &replay->addresses,
		.paths = &replay->stacks.paths,
		.places = &places,
		.blocks = replay->blocks_wanted ? &replay->blocks : NULL,
		.window = replay->window.timed ? &replay->window : NULL,
		.nr_events = perffile_nr_events(replay->file),
	};
	const struct linestat_input lines = {
		.file = replay->file,
		.dsos = dsos,
		.addresses = &replay->addresses,
		.places = &places,
		.lines = replay->lines_wanted,
		.each_address = replay->addresses_wanted,
	};
	bool details = lines.lines || lines.each_address;
	int rc = place_set_make(&places, dsos, &replay->addresses, details, err);

	/* What is known of a place has no details. */
	if (rc == 0)
		rc = resolve_places(replay, &places, details ? NULL : known, tick, tick_arg, err);
	if (rc == 0)
		rc = funcstat_make(&replay->functions, &functions, err);
	if (rc == 0 && details)
		rc = linestat_make(&replay->lines, &lines, err);
	place_set_free(&places);
	return rc;
}

/* The fields that samples have. */
static uint64_t sample_fields(const struct replay *replay)
{
	uint64_t fields = 0;

	for (size_t i = 0; i < perffile_nr_events(replay->file); i++)
		fields |= perffile_event(replay->file, i)->attr.sample_type;
	return fields;
}

/* Whether it matters that a binary has no debugging information. */
static bool wants_debug_info(const struct replay *replay)
{
	return replay->lines_wanted || replay->addresses_wanted || replay->inlined;
}

/* The results of all that was applied so far; @known: symbols of earlier ones, or NULL. */
static const struct results *make_results(struct replay *replay, struct known_symbols *known,
					  void (*tick)(void *arg, size_t done, size_t total),
					  void *tick_arg, struct error *err)
{
	replay_tell_kernel(replay);
	symbolizer_set_end(replay->symbolizer, perffile_end(replay->file));
	if (!addrspaces_finish(&replay->spaces) || !address_flush(&replay->addresses) ||
	    !blocks_finish(&replay->blocks, &replay->addresses)) {
		error_nomem(err, "counting samples");
		return NULL;
	}
	if (sum_up_places(replay, known, tick, tick_arg, err) < 0 || sum_up(replay, err) < 0)
		return NULL;
	replay->results = (struct results){
		.events = replay->events.rows,
		.nr_events = replay->events.nr,
		.sampled = replay->events.sampled,
		.nr_sampled = replay->events.nr_sampled,
		.functions = replay->functions.rows,
		.nr_functions = funcstat_count(&replay->functions),
		.window = replay->window.timed ? &replay->functions.recent.stat : NULL,
		.lines = replay->lines.lines,
		.nr_lines = replay->lines.index.nr,
		.addresses = replay->lines.addresses,
		.nr_addresses = replay->lines.nr_addresses,
		.inlined = replay->inlined,
		.binaries = replay->binaries.rows,
		.nr_binaries = replay->binaries.nr_rows,
		.unnamed = replay->binaries.has_unnamed ? &replay->binaries.unnamed : NULL,
		.unlined = wants_debug_info(replay) && replay->binaries.has_unlined
				   ? &replay->binaries.unlined
				   : NULL,
		.doubted = replay->binaries.has_doubted ? &replay->binaries.doubted : NULL,
		.processes = processstat_processes(&replay->processes_stat),
		.threads = processstat_threads(&replay->processes_stat),
		.records = replay->records.rows,
		.nr_records = replay->records.nr_rows,
		.header = replay->header.rows,
		.nr_header = replay->header.nr_rows,
		.window_untimed = replay->windowed && !replay->window.timed,
		.nr_untimed_dumps = replay->jit.nr_untimed,
		.filtered = replay->filtered,
	};
	replay->results.lacks =
		filter_lacks(replay->filter, sample_fields(replay), &replay->results.lacks_how);
	return &replay->results;
}

const struct results *replay_snapshot(struct replay *replay,
				      void (*tick)(void *arg, size_t done, size_t total),
				      void *tick_arg, struct error *err)
{
	replay->has_snapshots = true;
	return make_results(replay, &replay->known, tick, tick_arg, err);
}

/*
 * Whether anything was looked up before all was known that symbols depend on: by snapshots, and by
 * a filter while the recording was being made, or before it told of builds.
 */
static bool has_looked_early(const struct replay *replay)
{
	const struct perffile *file = replay->file;

	return replay->has_snapshots ||
	       (replay->filter->symbols &&
		(perffile_is_stream(file) || perffile_nr_build_ids(file) > replay->nr_build_ids));
}

/*
 * What was found early is no part of the answer. That is more than the symbols that are known:
 * which kernel it was, which files were there.
 */
static bool forget_symbols(struct replay *replay)
{
	if (!has_looked_early(replay))
		return true;
	known_symbols_free(&replay->known);
	symbolizer_destroy(replay->symbolizer);
	replay->symbolizer = symbolizer_create(&replay->symbol_settings);
	return replay->symbolizer;
}

const struct results *replay_finish(struct replay *replay,
				    void (*tick)(void *arg, size_t done, size_t total),
				    void *tick_arg, struct error *err)
{
	if (!replay_count_waiting(replay) || !forget_symbols(replay)) {
		replay_fail(replay, "counting samples", err);
		return NULL;
	}
	return make_results(replay, NULL, tick, tick_arg, err);
}

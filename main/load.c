#include "main/load.h"

#include "decode/compare/profile/profiletables.h"
#include "decode/replay.h"
#include "decode/replay/filter.h"
#include "main/losses.h"
#include "main/notes.h"
#include "main/reading.h"
#include "perffile/perffile.h"
#include "util/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The state of reading a recording. */
struct loading {
	const struct settings *settings;
	struct progress *progress;
	bool paths;	      /* call paths are asked for */
	struct filter filter; /* of the settings, whose --time is placed in the recording */
	struct reading reading;
};

static int tick_reading(void *arg, struct error *err)
{
	const struct loading *loading = arg;

	(void)err;
	reading_show_bytes(&loading->reading, loading->progress);
	return 0;
}

static const struct results *replay_file(struct loading *loading, const char *path,
					 struct error *err)
{
	const struct settings *settings = loading->settings;
	struct replay_settings replay = {.filter = &loading->filter,
					 .per = &settings->per,
					 .symbols = settings->symbols,
					 .stacks = settings->stacks,
					 .roots = &settings->roots,
					 .noise = true,
					 .progress = {reading_show_work, loading->progress}};

	needs_add(&replay.needs, &headerstat_facts);
	if (settings->diff.calls)
		needs_add(&replay.needs, &pathstat_calls);
	if (loading->paths)
		needs_add(&replay.needs, &pathstat_paths);
	notes_add_needs(&replay.needs);
	loading->reading.file = perffile_open(path, err);
	if (!loading->reading.file ||
	    filter_find_times(&loading->filter, loading->reading.file, reading_show_times,
			      loading->progress, err) < 0)
		return NULL;
	perffile_set_tick(loading->reading.file, tick_reading, loading);
	reading_use_threads(&loading->reading, settings->symbols.threads, settings->cores);
	loading->reading.filter = &loading->filter;
	loading->reading.names.vendor = settings->vendor_names;
	loading->reading.tick = tick_reading;
	loading->reading.tick_arg = loading;
	loading->reading.replay = replay_create(&replay, loading->reading.file, err);
	if (!loading->reading.replay || reading_run(&loading->reading, err) < 0)
		return NULL;
	return replay_finish(loading->reading.replay, err);
}

/* What comes through a pipe cannot be looked at first, so it is taken for a recording. */
static void advise_on_pipe(const char *path, struct error *err)
{
	const struct error plain = *err;
	struct stat st;

	if (plain.kind != ERROR_FORMAT || plain.offset != 0)
		return;
	if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
		error_at(err, plain.kind, plain.offset,
			 "%s (only recordings may come through a pipe; a table must be a file)",
			 plain.text);
}

/* State while the runs are read. */
struct runs {
	struct profile *profiles;
	struct pathsums *paths; /* NULL: not asked for */
	const struct settings *settings;
	struct progress progress;
	struct rowkeys *keys;	   /* keys shared by the recordings */
	bool *is_table;		   /* one for each run */
	struct notes_said said[2]; /* by side, because the runs of a side are of one program */
};

static int load_recording(struct runs *runs, size_t number, bool *missing, struct error *err)
{
	const struct settings *settings = runs->settings;
	const char *path = settings->diff.runs[number];
	struct loading loading = {.settings = settings,
				  .progress = &runs->progress,
				  .paths = runs->paths,
				  .filter = settings->filter};
	const struct results *results = replay_file(&loading, path, err);
	const struct notes_shown shown = {
		.verbose = settings->verbose,
		.callers = settings->diff.children || settings->diff.calls,
	};
	const int side = number >= settings->diff.nr_old;
	int rc = -1;

	progress_erase(&runs->progress);
	if (!results)
		advise_on_pipe(path, err);
	if (results) {
		rc = profile_from_results(&runs->profiles[number], results,
					  settings->diff.calls ? PROFILE_CALLS : PROFILE_FUNCTIONS,
					  loading.reading.span, err);
		if (rc == 0 && runs->paths)
			rc = pathsums_add(runs->paths, results, &runs->profiles[number], side, err);
		runs->profiles[number].incomplete =
			losses_print(path, perffile_counts(loading.reading.file), results, false);
		*missing |= runs->profiles[number].incomplete;
		if (!settings->quiet)
			notes_print(path, loading.reading.file, results, &shown, &runs->said[side]);
		if (!settings->quiet)
			eventnames_print_note(&loading.reading.names, path, loading.reading.file);
	}
	replay_destroy(loading.reading.replay);
	eventnames_free(&loading.reading.names);
	perffile_close(loading.reading.file);
	return rc;
}

static bool row_passes(const void *arg, const struct row_key *key)
{
	const struct filter *filter = arg;

	return filter_event(filter, key->event) && filter_binary(filter, key->binary) &&
	       filter_symbol(filter, key->function);
}

/*
 * Checks that the table at @path, in @profile, has what the options ask for. Returns 0, or -1 with
 * @err filled.
 */
static int check_table(const char *path, const struct profile *profile,
		       const struct settings *settings, struct error *err)
{
	const struct filter *filter = &settings->filter;

	if (filter->comms || filter->nr_pids || filter->nr_tids || filter->nr_cpus ||
	    filter->has_time || filter->where.nr)
		return error_set(
			err, ERROR_FORMAT,
			"%s: is a table, which does not contain threads, CPUs, times or fields: "
			"filters by them need the recording",
			path);
	if (settings->diff.calls)
		return error_set(err, ERROR_FORMAT,
				 "%s: is a table, which does not show who called what: --calls "
				 "needs the recording",
				 path);
	if (settings->diff.children && (filter->binaries || filter->symbols))
		return error_set(err, ERROR_FORMAT,
				 "%s: is a table, which does not show who called what: --children "
				 "with filters needs the recording",
				 path);
	if (settings->symbols.inlined && !profile->inlined && profile->nr_rows)
		return error_set(
			err, ERROR_FORMAT,
			"%s: is a table that was written without --inline: leave that out, "
			"or use the recording",
			path);
	return 0;
}

static void tick_tables(void *arg, size_t done)
{
	struct runs *runs = arg;

	progress_count(&runs->progress, "reading tables", done, runs->settings->diff.nr_runs);
}

static size_t read_tables(struct runs *runs, struct error *err)
{
	const struct settings *settings = runs->settings;
	const struct row_filter rows = {row_passes, &settings->filter, settings->per.names,
					settings->per.nr};
	const struct profiletables_input input = {
		.paths = settings->diff.runs,
		.nr = settings->diff.nr_runs,
		.filter = &rows,
		.threads = settings->symbols.threads,
		.tick = tick_tables,
		.tick_arg = runs,
	};

	return profiletables_read(runs->profiles, runs->is_table, &input, err);
}

/* Reads the tables first, then the recordings; messages come in the order of the runs. */
static int read_runs(struct runs *runs, bool *missing, struct error *err)
{
	const struct settings *settings = runs->settings;
	struct error table_err;
	size_t failed = read_tables(runs, &table_err);
	int rc = 0;

	for (size_t i = 0; i < settings->diff.nr_runs; i++)
		if (runs->is_table[i])
			runs->paths = NULL; /* those of the others would be compared with nothing */
	for (size_t i = 0; i < settings->diff.nr_runs && rc == 0; i++) {
		const char *path = settings->diff.runs[i];

		if (i == failed) {
			*err = table_err;
			return -1;
		}
		if (runs->is_table[i]) {
			rc = check_table(path, &runs->profiles[i], settings, err);
			continue;
		}
		profile_share(&runs->profiles[i], runs->keys);
		rc = load_recording(runs, i, missing, err);
	}
	return rc;
}

int load_runs(const struct settings *settings, struct profile *profiles, struct pathsums *paths,
	      bool *missing, struct error *err)
{
	struct runs runs = {
		.profiles = profiles,
		.paths = paths,
		.settings = settings,
		.keys = rowkeys_make(),
		.is_table = calloc(settings->diff.nr_runs, sizeof(*runs.is_table)),
	};
	int rc;

	for (size_t i = 0; i < settings->diff.nr_runs; i++)
		profiles[i].label = diffsettings_run(&settings->diff, i);
	progress_start(&runs.progress, settings->quiet ? NULL : stderr);
	if (runs.keys && runs.is_table)
		rc = read_runs(&runs, missing, err);
	else
		rc = error_nomem(err, "reading runs");
	progress_erase(&runs.progress);
	rowkeys_drop(runs.keys);
	free(runs.is_table);
	return rc;
}

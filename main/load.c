#include "main/load.h"

#include "decode/compare/profilecsv.h"
#include "decode/replay.h"
#include "main/losses.h"
#include "perffile/perffile.h"

/* A recording being read. */
struct loading {
	const struct settings *settings;
	struct progress *progress;
	struct perffile *file;
	struct replay *replay;
	struct sample_span span;
	uint64_t nr_records;
	bool sampled; /* a sample with a time was seen */
};

static void show_progress(struct loading *loading)
{
	uint64_t done = perffile_bytes_read(loading->file),
		 total = perffile_bytes_total(loading->file);

	if (total)
		progress_bytes(loading->progress, "reading", done, total);
	else
		progress_records(loading->progress, done, loading->nr_records);
}

static int tick_reading(void *arg, struct error *err)
{
	(void)err;
	show_progress(arg);
	return 0;
}

static void tick_binaries(void *arg, size_t done, size_t total)
{
	struct loading *loading = arg;

	progress_count(loading->progress, "symbolizing binaries", done, total);
}

/* Records come in the order of time. */
static void note_time(struct loading *loading, const struct record *rec)
{
	if (rec->type != RECORD_SAMPLE || !(rec->has & HAS_TIME))
		return;
	if (!loading->sampled)
		loading->span.first = rec->time;
	loading->sampled = true;
	if (rec->time > loading->span.last)
		loading->span.last = rec->time;
}

static int read_records(struct loading *loading, struct error *err)
{
	enum { TICK_EVERY = 1 << 16 };
	const struct record *rec;
	int rc, chosen;

	while ((rc = perffile_next(loading->file, &rec, err)) > 0) {
		chosen = replay_apply(loading->replay, rec, err);
		if (chosen < 0)
			return -1;
		if (chosen)
			note_time(loading, rec);
		if (++loading->nr_records % TICK_EVERY == 0)
			show_progress(loading);
	}
	return rc;
}

static const struct results *replay_file(struct loading *loading, const char *path,
					 struct error *err)
{
	const struct settings *settings = loading->settings;
	const struct replay_settings replay = {.filter = &settings->filter,
					       .symbols = settings->symbols,
					       .header = true,
					       .blocks = true};

	loading->file = perffile_open(path, err);
	if (!loading->file)
		return NULL;
	perffile_set_tick(loading->file, tick_reading, loading);
	loading->replay = replay_create(&replay, loading->file, err);
	if (!loading->replay || read_records(loading, err) < 0)
		return NULL;
	return replay_finish(loading->replay, tick_binaries, loading, err);
}

static int load_recording(struct profile *profile, const char *path,
			  const struct settings *settings, struct progress *progress, bool *missing,
			  struct error *err)
{
	struct loading loading = {.settings = settings, .progress = progress};
	const struct results *results = replay_file(&loading, path, err);
	int rc = -1;

	progress_erase(progress);
	if (results) {
		rc = profile_from_results(profile, results, loading.span, err);
		*missing |= losses_print(path, perffile_counts(loading.file), false);
		if (!settings->quiet)
			notes_print(path, loading.file, results, settings->verbose);
	}
	replay_destroy(loading.replay);
	perffile_close(loading.file);
	return rc;
}

int load_profile(struct profile *profile, const char *path, const struct settings *settings,
		 struct progress *progress, bool *missing, struct error *err)
{
	if (!profilecsv_is_table(path))
		return load_recording(profile, path, settings, progress, missing, err);
	if (filter_active(&settings->filter))
		return error_set(err, ERROR_FORMAT,
				 "%s: is a table, which cannot be filtered: give the recording",
				 path);
	return profilecsv_read(profile, path, err);
}

/* Replays: readperf/replay.h over decode/replay. */
#include "lib/replaying.h"

#include "lib/apierror.h"
#include "lib/symbols.h"
#include "report/report.h"
#include "report/table.h"

#include <stdlib.h>
#include <string.h>

static struct replay *inner_of(const struct readperf_replay *replay)
{
	handlemark_check(&replay->mark, HANDLE_REPLAY);
	return replay->replay;
}

static const struct moment_chain *chain_of(const struct readperf_replay *replay)
{
	handlemark_check(&replay->mark, HANDLE_REPLAY);
	return &replay->chain;
}

/* ---- create, apply, free --------------------------------------------------------------------- */

/*
 * Finds out which run it is, if a table tells: that reads the whole recording, by its path. Another
 * name may be that of no file, or of another one.
 */
static int tell_run(struct readperf_replay *replay, const struct readperf_recording *recording,
		    struct error *err)
{
	const struct report_settings *report = &replay->settings->report;
	int rc = 0;

	replay->tags = report->tags;
	replay->tags.file = strcmp(recording->name, "-") == 0 ? "" : recording->name;
	if (recording->by_path && (report->tags.on || report->tables & REPORT_BIT(run)))
		rc = perffile_hash(recording->file, &replay->tags.run, err);
	replay->tags.known = rc > 0;
	return rc < 0 ? -1 : 0;
}

static int start(struct readperf_replay *replay, struct readperf_recording *recording,
		 struct error *err)
{
	const struct readperf_settings *settings = replay->settings;
	struct replay_settings inner = {.filter = &replay->filter,
					.per = &settings->per,
					.symbols = settings->symbols,
					.stacks = settings->stacks,
					.roots = &settings->roots,
					.slice = settings->slice,
					.slice_by = settings->slice_by,
					.metrics = settings->metrics.list};

	report_add_needs(&settings->report, &inner.needs);
	if (replay_needs_traces(&inner.needs) && perffile_keep_traces(recording->file, err) < 0)
		return -1;
	if (settings->report.tables & REPORT_BIT(overview)) {
		replay->records = recordlog_create();
		if (!replay->records)
			return error_nomem(err, "starting the replay");
	}
	replay->filter = settings->filter;
	if (filter_find_times(&replay->filter, recording->file, NULL, NULL, err) < 0 ||
	    tell_run(replay, recording, err) < 0)
		return -1;
	replay->replay = replay_create(&inner, recording->file, err);
	return replay->replay ? 0 : -1;
}

struct readperf_replay *readperf_replay_create(struct readperf_recording *recording,
					       const struct readperf_settings *settings,
					       struct readperf_error *err)
{
	struct readperf_replay *replay;
	struct error why = {0};

	if (!recording) {
		apierror_null(err, "recording");
		return NULL;
	}
	replay = calloc(1, sizeof(*replay));
	if (!replay) {
		apierror_nomem(err, "starting the replay");
		return NULL;
	}
	handlemark_begin(&replay->mark, HANDLE_REPLAY);
	handlemark_begin(&replay->symbols.mark, HANDLE_SYMBOLS);
	handlemark_check(&recording->mark, HANDLE_RECORDING);
	if (settings)
		handlemark_check(&settings->mark, HANDLE_SETTINGS);
	replay->settings = settings ? settings : &replay->defaults;
	if (start(replay, recording, &why) == 0)
		return replay;
	apierror_copy(err, &why);
	readperf_replay_free(replay);
	return NULL;
}

int readperf_replay_apply(struct readperf_replay *replay, const struct readperf_record *record,
			  struct readperf_error *err)
{
	const struct record *rec = handles_record(record);
	struct error why = {0};
	int rc;

	if (!replay || !rec)
		return apierror_null(err, replay ? "record" : "replay");
	if (rec->type == RECORD_SAMPLE && rec->has & HAS_TIME)
		filter_first(&replay->filter, rec->time);
	rc = replay_apply(inner_of(replay), rec, &why);

	if (rc > 0 && replay->records &&
	    recordlog_put(replay->records, table_list[REPORT_NUMBER_overview].table, rec, &why) < 0)
		rc = -1;
	return rc < 0 ? apierror_copy(err, &why) : rc;
}

void readperf_replay_free(struct readperf_replay *replay)
{
	if (!replay)
		return;
	handlemark_check(&replay->mark, HANDLE_REPLAY);
	symbols_end(&replay->symbols);
	free(replay->chain.frames);
	recordlog_free(replay->records);
	replay_destroy(inner_of(replay));
	handlemark_end(&replay->symbols.mark);
	handlemark_free(&replay->mark);
}

/* ---- who ------------------------------------------------------------------------------------- */

const char *readperf_replay_thread_comm(const struct readperf_replay *replay, uint32_t pid,
					uint32_t tid)
{
	return moment_comm(inner_of(replay), pid, tid);
}

const char *readperf_replay_comm(const struct readperf_replay *replay,
				 const struct readperf_record *record)
{
	const struct record *rec = handles_record(record);

	return rec->has & HAS_PID ? moment_comm(inner_of(replay), rec->pid, rec->tid) : "";
}

int readperf_replay_processes(const struct readperf_replay *replay,
			      int (*each)(void *arg, uint32_t pid, uint32_t ppid, const char *comm),
			      void *arg)
{
	const struct process_table *table = moment_processes(inner_of(replay));
	const struct list *head = &table->processes;
	int rc = 0;

	for (const struct list *at = head->next; at != head && rc == 0; at = at->next) {
		const struct process *process = list_entry(at, struct process, in_table);

		if (!process->ended && process->pid != PID_NONE)
			rc = each(arg, process->pid, process->has_ppid ? process->ppid : UINT32_MAX,
				  intern_get(&table->strings, process->comm));
	}
	return rc;
}

/* ---- where ----------------------------------------------------------------------------------- */

int readperf_replay_maps(const struct readperf_replay *replay, uint32_t pid,
			 int (*each)(void *arg, uint64_t start, uint64_t end, uint64_t pgoff,
				     const struct readperf_binary *binary),
			 void *arg)
{
	const struct process *process = process_find(moment_processes(inner_of(replay)), pid);
	const struct map *map = NULL;
	int rc = 0;

	if (process && process->maps)
		map = maptree_from(process->maps->root, 0);
	while (map && rc == 0) {
		rc = each(arg, map->start, map->end, map->pgoff, handles_binary(map->dso));
		map = maptree_from(process->maps->root, map->end);
	}
	return rc;
}

const struct readperf_binary *readperf_replay_locate(const struct readperf_replay *replay,
						     uint32_t pid, int cpumode, uint64_t addr,
						     uint64_t *place)
{
	const struct location at =
		moment_locate(inner_of(replay), pid, (enum cpumode)(cpumode & CPUMODE_MASK), addr);

	*place = at.place;
	return handles_binary(at.dso);
}

long readperf_replay_chain(struct readperf_replay *replay, const struct readperf_record *record,
			   struct readperf_error *err)
{
	const struct record *rec = handles_record(record);
	struct error why = {0};

	if (!replay || !rec)
		return apierror_null(err, replay ? "record" : "replay");
	replay->chain.nr = 0;
	if (rec->type != RECORD_SAMPLE)
		return 0;
	if (moment_chain(inner_of(replay), rec, &replay->chain, &why) < 0)
		return apierror_copy(err, &why);
	return (long)chain_of(replay)->nr;
}

uint64_t readperf_replay_frame_ip(const struct readperf_replay *replay, size_t number)
{
	return number < chain_of(replay)->nr ? chain_of(replay)->frames[number].ip : 0;
}

int readperf_replay_frame_returns(const struct readperf_replay *replay, size_t number)
{
	return number < chain_of(replay)->nr && chain_of(replay)->frames[number].returns;
}

const struct readperf_binary *readperf_replay_frame_place(const struct readperf_replay *replay,
							  size_t number, uint64_t *place)
{
	*place = 0;
	if (number >= chain_of(replay)->nr)
		return NULL;
	*place = chain_of(replay)->frames[number].at.place;
	return handles_binary(chain_of(replay)->frames[number].at.dso);
}

struct readperf_symbols *readperf_replay_symbols(struct readperf_replay *replay)
{
	replay->symbols.symbolizer = moment_symbolizer(inner_of(replay));
	replay->symbols.dsos = moment_dsos(inner_of(replay));
	return &replay->symbols;
}

/* ---- results --------------------------------------------------------------------------------- */

static int take_results(struct readperf_replay *replay, const struct results *results,
			const struct error *why, struct readperf_error *err)
{
	replay->results = results;
	return results ? 0 : apierror_copy(err, why);
}

int readperf_replay_snapshot(struct readperf_replay *replay, struct readperf_error *err)
{
	struct error why = {0};

	if (!replay)
		return apierror_null(err, "replay");
	return take_results(replay, replay_snapshot(inner_of(replay), &why), &why, err);
}

int readperf_replay_finish(struct readperf_replay *replay, struct readperf_error *err)
{
	struct error why = {0};

	if (!replay)
		return apierror_null(err, "replay");
	return take_results(replay, replay_finish(inner_of(replay), &why), &why, err);
}

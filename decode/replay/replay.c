#include "decode/replay.h"

#include "decode/process/lifecycle.h"
#include "decode/replay/countsample.h"
#include "decode/replay/countswitch.h"
#include "decode/replay/counttrace.h"
#include "decode/replay/crew.h"
#include "decode/replay/state.h"
#include "perffile/format.h"

#include <stdlib.h>
#include <string.h>

/* Whether a metric has the name with @len bytes at @name, and '=' behind. */
static bool has_metric(const struct replay_metrics *metrics, const char *name, size_t len)
{
	for (size_t i = 0; i < metrics->nr; i++)
		if (strncmp(metrics->list[i], name, len + 1) == 0)
			return true;
	return false;
}

int replay_add_metric(struct replay_metrics *metrics, const char *arg, struct error *err)
{
	const char *events = strchr(arg, '=');

	if (!events || events == arg || !strchr(events, '/'))
		return error_set(err, ERROR_USAGE,
				 "option --metric: '%s' is not NAME=EVENT/EVENT, such as "
				 "ipc=instructions/cycles",
				 arg);
	if (metrics->nr == REPLAY_METRICS_MAX)
		return error_set(err, ERROR_USAGE, "option --metric: at most %d may be given",
				 REPLAY_METRICS_MAX);
	if (has_metric(metrics, arg, (size_t)(events - arg)))
		return error_set(err, ERROR_USAGE,
				 "option --metric: '%.*s' is given twice: a metric has one ratio",
				 (int)(events - arg), arg);
	metrics->list[metrics->nr++] = arg;
	return 0;
}

static void show_fetching(void *arg, uint64_t done, uint64_t total)
{
	const struct replay_progress *progress = &((struct replay *)arg)->settings.progress;

	progress->show(progress->arg, REPLAY_FETCHING, done, total);
}

static struct file_id find_on_disk(void *arg, const char *path, const struct build_id *build_id)
{
	const struct replay *replay = arg;

	return symbolizer_present_file(replay->symbolizer, NULL, path, build_id->bytes,
				       build_id->len);
}

static bool has_on_disk(void *arg, const char *root, const char *path, const struct build_id *id)
{
	const struct replay *replay = arg;
	const struct file_id file =
		symbolizer_present_file(replay->symbolizer, root, path, id->bytes, id->len);

	return id->len && file_id_known(&file);
}

/* Initializes the parts of the replay. Returns false if memory is out. */
static bool start_parts(struct replay *replay)
{
	const struct replay_settings *settings = &replay->settings;
	struct aggregate_view view = replay_view(replay);

	replay->switched.switches.processes = &replay->processes;
	stacks_init(&replay->stacks, &replay->addresses, &replay->spaces, &settings->stacks);
	recentcount_init(&replay->window, settings->window);
	if (replay->split) {
		samplesplit_init(&replay->by_keys, settings->per, &replay->spaces);
		replay->addresses.counted = count_sample_split;
		replay->addresses.counted_arg = replay;
	}
	replay->where.where = &settings->filter->where;
	samplelog_init(&replay->log, needs_have(&settings->needs, &pathstat_cells) ||
					     needs_have(&settings->needs, &chainstat_samples));
	replay->numbered = replay->windowed || replay->log.on;
	jit_code_init(&replay->jit, replay->file);
	replay->symbolizer = symbolizer_create(&settings->symbols);
	process_table_init(&replay->processes, &(struct process_hooks){count_sample_retire, replay,
								       count_sample_release});
	replay->present = (struct build_ids_present){has_on_disk, replay};
	return replay->symbolizer &&
	       addrspaces_init(&replay->spaces, replay->file, &replay->present) &&
	       roots_init(&replay->roots, settings->roots) &&
	       aggregates_start(&replay->aggregates, &settings->needs, &view);
}

struct replay *replay_create(const struct replay_settings *settings, const struct perffile *file,
			     struct error *err)
{
	struct replay *replay = calloc(1, sizeof(*replay));

	if (!replay) {
		error_nomem(err, "starting the replay");
		return NULL;
	}
	replay->file = file;
	replay->events.file = file;
	replay->settings = *settings;
	replay->settings.symbols.growing = perffile_is_stream(file);
	if (settings->progress.show) {
		replay->settings.symbols.fetching = show_fetching;
		replay->settings.symbols.fetching_arg = replay;
	}
	replay->filtered = filter_active(settings->filter);
	replay->windowed = settings->window;
	replay->split = settings->per && settings->per->nr;
	replay->looked_at = replay->filtered || settings->noise || replay->split;
	replay->nr_build_ids = perffile_nr_build_ids(file);
	if (!start_parts(replay)) {
		error_nomem(err, "starting the replay");
		replay_destroy(replay);
		return NULL;
	}
	symbolizer_set_size(replay->symbolizer, perffile_bytes_total(file));
	replay->switched.wanted = replay->aggregates.switches;
	count_trace_start(replay);
	replay->numbered |= replay->aggregates.nr_sampling > 0;
	replay->spaces.files.on_disk = find_on_disk;
	replay->spaces.files.disk_arg = replay;
	replay->spaces.roots = replay->jit.roots = &replay->roots;
	replay->jit.symfs = settings->symbols.symfs;
	return replay;
}

/* Something is about to change that samples depend on and their jobs do not keep. */
static void await_crew(void *arg)
{
	crew_await(arg);
}

int replay_share(struct replay *replay, struct perffile *file, size_t nr, struct error *err)
{
	/* Who fetches files shows it, which only one thread may do. */
	if (nr < 2 || !replay_takes_plain(replay) || replay->split ||
	    replay->aggregates.nr_sampling > 0 || replay->settings.symbols.debuginfod)
		return 0;
	replay->crew =
		crew_create(file, nr, &replay->spaces, &replay->stacks, &replay->settings.stacks);
	if (!replay->crew)
		return error_nomem(err, "starting the replay");
	replay->spaces.files.before_change = await_crew;
	replay->spaces.files.arg = replay->crew;
	return 0;
}

static bool apply_fork(struct process_table *processes, const struct record *rec)
{
	const struct fork_task task = {
		.pid = rec->pid,
		.ppid = rec->task.ppid,
		.tid = rec->tid,
		.ptid = rec->task.ptid,
		.time = rec->time,
		.copy_maps = !(rec->misc & MISC_FORK_EXEC),
	};

	return lifecycle_fork(processes, &task);
}

/* Applies the record to processes and maps. */
static bool apply_sideband(struct replay *replay, const struct record *rec)
{
	struct process_table *processes = &replay->processes;

	processes->keep_ended = perffile_has_offcpu(replay->file);
	switch (rec->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return addrspaces_mmap(&replay->spaces, processes, rec) &&
		       jit_code_mmap(&replay->jit, &replay->spaces.dsos, processes, rec);
	case RECORD_TIME_CONV:
		replay->jit.counter = rec->time_conv;
		return true;
	case RECORD_KSYMBOL:
		return addrspaces_ksymbol(&replay->spaces, processes, rec);
	case RECORD_COMM:
		return lifecycle_comm(processes, rec->pid, rec->tid, rec->comm.comm,
				      rec->comm.comm_len,
				      /* a late COMM is no exec: the new maps may already be there
				       */
				      (rec->misc & MISC_COMM_EXEC) && !rec->late);
	case RECORD_FORK:
		return roots_apply(&replay->roots, rec) && apply_fork(processes, rec);
	case RECORD_NAMESPACES:
		return roots_apply(&replay->roots, rec);
	case RECORD_CGROUP:
		return !replay->split || cgroups_add(&replay->by_keys.cgroups, rec->cgroup.id,
						     rec->cgroup.path, rec->cgroup.path_len);
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
	case RECORD_THROTTLE:
	case RECORD_UNTHROTTLE:
		return eventstat_trouble(&replay->events, rec);
	case RECORD_EXIT:
		return lifecycle_exit(processes, rec->pid, rec->tid, rec->time);
	case RECORD_CALLCHAIN_DEFERRED:
		return count_sample_deferred(replay, rec);
	case RECORD_STAT_CONFIG:
	case RECORD_STAT_ROUND:
	case RECORD_THREAD_MAP:
	case RECORD_EVENT_UPDATE:
		return counterset_record(&replay->stat_counters, replay->file, rec);
	default:
		return true;
	}
}

/* The current comm of the thread of @rec; "" if unknown. */
static const char *comm_of(const struct process_table *processes, const struct record *rec)
{
	const struct process *process;
	const struct thread *thread = NULL;

	if (!(rec->has & HAS_PID))
		return "";
	process = process_find(processes, rec->pid);
	if (rec->has & HAS_TID)
		thread = process_thread_find(processes, rec->pid, rec->tid);
	if (thread || process)
		return intern_get(&processes->strings, thread ? thread->comm : process->comm);
	return rec->pid == 0 ? "swapper" : "";
}

/* Whether a record other than a sample passes, by its own fields and its thread's comm. */
static bool other_chosen(const struct replay *replay, const struct record *rec)
{
	const struct filter *filter = replay->settings.filter;

	if (filter->binaries || filter->symbols || filter->where.nr || !filter_record(filter, rec))
		return false;
	return !filter->comms || filter_comm(filter, comm_of(&replay->processes, rec));
}

int replay_apply(struct replay *replay, const struct record *rec, struct error *err)
{
	int chosen = 1;

	/* A late sample is older than all in the gap. */
	if (!(rec->type == RECORD_SAMPLE && rec->late) && !replay_end_gap(replay))
		return replay_fail(replay, "counting samples", err);
	replay->processes.now = rec->time;
	replay->held = NULL;
	if (rec->time >= replay->jit.due &&
	    !jit_code_apply(&replay->jit, &replay->processes, rec->time))
		return error_nomem(err, "following processes");
	if (rec->type == RECORD_SAMPLE) {
		replay->path = CALLPATH_NONE;
		chosen = count_sample(replay, rec, err);
		if (chosen < 0)
			return -1;
		replay_tell_places(replay);
	} else {
		if (!apply_sideband(replay, rec))
			return replay_fail(replay, "following processes", err);
		if (replay->filtered)
			chosen = other_chosen(replay, rec);
		if (chosen && rec->type == RECORD_STAT &&
		    !counterset_record(&replay->stat_counters, replay->file, rec))
			return error_nomem(err, "counting records");
	}
	if (replay->aggregates.traces && count_trace(replay, rec, err) < 0)
		return -1;
	if (replay->switched.wanted && !count_switch(replay, rec, chosen, replay->path))
		return replay_fail(replay, "counting waits", err);
	if (!aggregates_record(&replay->aggregates, rec, chosen))
		return error_nomem(err, "counting records");
	return chosen;
}

void replay_destroy(struct replay *replay)
{
	if (!replay)
		return;
	crew_destroy(replay->crew); /* it uses what follows */
	aggregates_free(&replay->aggregates);
	funcstat_free(&replay->functions);
	symbol_cache_free(&replay->known);
	stacks_free(&replay->stacks);
	readcount_free(&replay->counters);
	counterset_free(&replay->stat_counters);
	address_table_free(&replay->addresses);
	dso_set_free(&replay->met);
	gap_samples_free(&replay->gap);
	jit_code_free(&replay->jit);
	time_slices_free(&replay->slices);
	recentcount_free(&replay->window);
	samplesplit_free(&replay->by_keys);
	where_tests_free(&replay->where);
	samplelog_free(&replay->log);
	count_switch_free(&replay->switched);
	traceprofile_free(&replay->traced);
	hardware_trace_free(&replay->tracing);
	spetrace_free(&replay->spe);
	cstrace_free(&replay->cs);
	symbolizer_destroy(replay->symbolizer); /* a thread may still use dsos */
	addrspaces_free(&replay->spaces);
	roots_free(&replay->roots);
	process_table_free(&replay->processes);
	eventstat_free(&replay->events);
	free(replay);
}

size_t replay_nr_busy(const struct replay *replay)
{
	return symbolizer_nr_busy(replay->symbolizer);
}

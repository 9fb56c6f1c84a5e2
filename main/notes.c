#include "main/notes.h"

#include "main/say.h"
#include "main/tablenotes.h"
#include "main/tracenotes.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* Prints why the tables are empty, unless it has counters: there is nothing else to be expected. */
static void print_no_samples(const char *input, const struct results *results)
{
	if (results_rows(results, &counterstat_totals).nr > 0)
		return; /* it was made by perf stat record, which counts instead of sampling */
	if (results->nr_events == 0)
		return; /* losses_print() tells of it */
	if (tracenotes_is_decoded(results))
		return;
	if (results->lacks)
		say(input,
		    "no sample passes the filters: the samples have no %s (perf record %s adds it)",
		    results->lacks, results->lacks_how);
	else if (results->filtered)
		say(input, "no sample passes the filters");
	else if (tracenotes_records(results, "STAT_CONFIG") > 0)
		say(input, "contains no counts: perf stat record, which made it, wrote none");
	else if (tracenotes_records(results, "AUXTRACE") > 0)
		return; /* tracenotes_print() tells of it */
	else if (tracenotes_has_records(results))
		say(input, "contains no samples: it should contain a hardware trace, but the trace "
			   "data (AUXTRACE) were never written or have been removed");
	else
		say(input, "contains no samples");
}

/* What the kernel dropped, and the number before that. */
struct dropped {
	uint64_t dropped, all;
};

/* More than 1 %: all of them may be from one function. */
static bool is_much(const struct dropped *samples)
{
	return samples->dropped > samples->all / 100;
}

static double percent_of(const struct dropped *samples)
{
	return 100 * (double)samples->dropped / (double)samples->all;
}

static struct dropped samples_of(const struct event_stat *stat)
{
	return (struct dropped){stat->dropped, loss_sum(stat->taken.samples, stat->dropped)};
}

/* Prints each event that lost much, adds the others to @rest. Returns whether there was one. */
static bool print_much_dropped(const char *input, const struct results *results,
			       struct dropped *rest)
{
	bool any = false;

	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *stat = &results->events[i];
		const struct dropped samples = samples_of(stat);

		if (stat->event->dummy)
			continue; /* it has no samples */
		if (!is_much(&samples)) {
			rest->dropped = loss_sum(rest->dropped, samples.dropped);
			rest->all = loss_sum(rest->all, samples.all);
			continue;
		}
		say(input,
		    "warning: %s: the kernel dropped %" PRIu64 " of %" PRIu64
		    " samples (%.1f %%): give perf record a larger buffer (-m) or a lower rate "
		    "(-F)",
		    stat->event->name, samples.dropped, samples.all, percent_of(&samples));
		any = true;
	}
	return any;
}

/* The number of dropped records that are not among the losses of an event with samples. */
static uint64_t dropped_elsewhere(const struct perffile_counts *counts,
				  const struct results *results)
{
	uint64_t nr = counts->lost;

	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *stat = &results->events[i];

		if (!stat->event->dummy)
			nr -= stat->dropped < nr ? stat->dropped : nr;
	}
	return nr;
}

static void print_dropped(const char *input, const struct perffile_counts *counts,
			  const struct results *results)
{
	const uint64_t others = dropped_elsewhere(counts, results);
	struct dropped rest = {0};
	const bool warned = print_much_dropped(input, results, &rest);

	if (rest.dropped)
		say(input,
		    "note: the kernel dropped %" PRIu64 " of %" PRIu64
		    " samples (%.1f %%)%s during the recording",
		    rest.dropped, rest.all, percent_of(&rest), warned ? " of other events" : "");
	if (others)
		say(input,
		    "note: the kernel dropped %" PRIu64
		    " record%s, possibly of mappings or processes: names may be wrong or missing",
		    others, say_plural(others));
}

/* Prints why many samples have no name, and what to do. */
static void print_unnamed(const char *input, const struct unnamed_stat *unnamed)
{
	const struct binary_stat *binary = unnamed->binary;

	say(input, "note: %.1f %% of the samples of %s have no name, most of them in %s (%s)%s%s",
	    100 * (double)unnamed->samples / (double)unnamed->total, binary->event->name,
	    say_binary(binary->binary), binary->reason, unnamed->advice[0] ? ": " : "",
	    unnamed->advice);
}

/* Prints why lines and inlined functions are missing. */
static void print_unlined(const char *input, const struct unnamed_stat *unlined)
{
	const struct binary_stat *binary = unlined->binary;

	say(input,
	    "note: %.1f %% of the samples of %s are in binaries without debugging information (no "
	    "source lines, no inlined functions), most of them in %s: %s",
	    100 * (double)unlined->samples / (double)unlined->total, binary->event->name,
	    say_binary(binary->binary), unlined->advice);
}

/* Prints that names may be from another build. */
static void print_doubted(const char *input, const struct unnamed_stat *doubted)
{
	const struct binary_stat *binary = doubted->binary;

	say(input,
	    "note: the names of %.1f %% of the samples of %s may be wrong, most of them in %s "
	    "(%s): %s, and it was mapped without a build id (perf record --buildid-mmap records "
	    "one)",
	    100 * (double)doubted->samples / (double)doubted->total, binary->event->name,
	    say_binary(binary->binary), binary->doubt, doubted->advice);
}

/* Notes that apply to all recordings of one program are printed for the first one. */
static void print_names(const char *input, const struct results *results, struct notes_said *said)
{
	for (size_t i = 0; i < results->nr_unnamed && !said->unnamed; i++)
		print_unnamed(input, &results->unnamed[i]);
	if (results->unlined && !said->unlined)
		print_unlined(input, results->unlined);
	if (results->doubted && !said->doubted)
		print_doubted(input, results->doubted);
	said->unnamed |= results->nr_unnamed > 0;
	said->unlined |= results->unlined != NULL;
	said->doubted |= results->doubted != NULL;
}

/* Prints that callers may be wrong where stacks were unwound with a file that was not the recorded
 * one. Returns whether it did. */
static bool print_unwound_amiss(const char *input, const struct results *results)
{
	const struct rows rows = results_rows(results, &binarystat_binaries);
	const struct binary_stat *binaries = rows.first;

	for (size_t i = 0; i < rows.nr; i++) {
		if (!binaries[i].unwound_amiss)
			continue;
		say(input,
		    "note: callers may be wrong in call chains through %s (%s): they were unwound "
		    "by the file that is there now, before the recording told that it is another "
		    "one (perf record --buildid-mmap tells in time)",
		    say_binary(binaries[i].binary), binaries[i].reason);
		return true;
	}
	return false;
}

/* More than 5 %: the children columns are that much too small. */
static bool is_much_cut(const struct event_stat *stat)
{
	return stat->cut.period > stat->total.period / 20;
}

/* Of each event whose call chains are often cut: how many, why, and what to do. */
static bool print_cut(const char *input, const struct results *results)
{
	bool any = false;

	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *stat = &results->events[i];

		if (!is_much_cut(stat))
			continue;
		say(input,
		    "note: %.1f %% of the period of %s has call chains without their outermost "
		    "callers, most of it %s%s%s",
		    100 * (double)stat->cut.period / (double)stat->total.period, stat->event->name,
		    stat->cut_reason, stat->cut_advice[0] ? ": " : "", stat->cut_advice);
		any = true;
	}
	return any;
}

/* Whether a table or tree of callers was made. */
static bool shows_callers(const struct results *results)
{
	static const struct answer *const of_calls[] = {&pathstat_paths, &pathstat_calls,
							&focusstat_callers, &focusstat_callees};
	size_t nr = 0;

	for (size_t i = 0; i < sizeof(of_calls) / sizeof(of_calls[0]); i++)
		nr += results_rows(results, of_calls[i]).nr;
	return nr > 0;
}

/* Of each event whose chains often lack the immediate caller: how many, and what to do. */
static bool print_missing_callers(const char *input, const struct results *results)
{
	bool any = false;

	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *stat = &results->events[i];

		if (stat->caller_missing.period <= stat->total.period / 20)
			continue;
		say(input,
		    "note: %.1f %% of the period of %s has call chains without the immediate "
		    "caller: the function has no frame pointer; --call-graph dwarf finds it",
		    100 * (double)stat->caller_missing.period / (double)stat->total.period,
		    stat->event->name);
		any = true;
	}
	return any;
}

/* A note for a recording without call chains, if these are shown. Returns whether it was said. */
static bool print_chainless(const char *input, const struct results *results)
{
	if (!shows_callers(results))
		return false;
	for (size_t i = 0; i < results->nr_events; i++)
		if (results->events[i].event->chains && results->events[i].total.samples)
			return false;
	say(input, "note: the samples have no call chains (perf record -g records them): no "
		   "function has a caller");
	return true;
}

/* Late records can change results only if others depend on them. */
static void print_late(const char *input, const struct perffile_counts *counts)
{
	static const uint32_t types[] = {RECORD_MMAP, RECORD_MMAP2, RECORD_COMM, RECORD_FORK,
					 RECORD_EXIT};
	uint64_t late = 0;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		late += counts->late_by_type[types[i]];
	if (late)
		say(input,
		    "warning: %" PRIu64
		    " records of mappings and processes arrived after samples that may depend on "
		    "them (stat.csv counts them by type): names of those samples may be wrong or "
		    "missing; perf record -k mono uses one clock for all CPUs",
		    late);
}

void notes_add_needs(struct needs *needs)
{
	needs_add(needs, &recordstat_records);
	needs_add(needs, &binarystat_binaries);
	needs_add(needs, &counterstat_totals);
}

void notes_print_vmlinux(const char *input, const struct results *results, const char *vmlinux)
{
	const struct rows rows = results_rows(results, &binarystat_binaries);
	const struct binary_stat *binaries = rows.first;
	const size_t len = strlen(vmlinux);

	for (size_t i = 0; i < rows.nr; i++) {
		const char *why = binaries[i].refused + len;

		if (strncmp(binaries[i].refused, vmlinux, len) != 0 || strncmp(why, ": ", 2) != 0)
			continue;
		why += 2;
		say(input, "note: option --vmlinux: '%s' is not used: %.*s", vmlinux,
		    (int)strcspn(why, ";"), why);
		return;
	}
}

static void print_unless_directory(const char *option, const char *path)
{
	struct stat st;

	if (path && (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)))
		say(NULL, "note: option --%s: '%s' is not a directory", option, path);
}

void notes_print_directories(const struct symbol_settings *symbols)
{
	if (!symbols->archive)
		print_unless_directory("buildid-dir", symbols->build_id_cache);
	print_unless_directory("debug-dir", symbols->debug_dir);
}

static void print_unsplit(const char *input, const struct results *results)
{
	say(input,
	    "note: the samples have no %s (perf record %s adds it): --per=%s does not split them",
	    results->per_lacks, results->per_lacks_how, results->per_lacking);
}

/* Prints what follows from times that samples or code do not have. */
static void print_clocks(const char *input, const struct results *results, bool sampled)
{
	if (results->window_untimed && sampled)
		say(input,
		    "note: no sample has a time (perf record --timestamp records it): the overview "
		    "covers everything, not only the last seconds");
	if (results->nr_untimed_dumps)
		say(input,
		    "note: %zu jitdump%s not use the recording's clock (perf record -k mono "
		    "makes them): where code was replaced at an address, all its samples have the "
		    "last name",
		    results->nr_untimed_dumps, results->nr_untimed_dumps == 1 ? " does" : "s do");
}

/* Prints how the records were put in order. */
static void print_reading(const char *input, const struct perffile *file)
{
	if (!perffile_counts(file)->rounds)
		say(input, "no FINISHED_ROUND records: everything was sorted at once");
	if (perffile_bytes_cold(file))
		say(input, "%" PRIu64 " MiB did not fit in memory for sorting and were read twice",
		    perffile_bytes_cold(file) >> 20);
}

void notes_print(const char *input, const struct perffile *file, const struct results *results,
		 const struct notes_shown *shown, struct notes_said *said)
{
	const struct perffile_counts *counts = perffile_counts(file);
	uint64_t samples = 0;

	for (size_t i = 0; i < results->nr_events; i++)
		samples += results->events[i].total.samples;
	if (samples == 0 && !said->empty)
		print_no_samples(input, results);
	said->empty |= samples == 0;
	tracenotes_print(input, file, results);
	tracenotes_print_missing(input, file, results, !said->absent);
	if (!said->absent && shown->counters && results_rows(results, &counterstat_counts).nr == 0)
		say(input, "note: there are no counts: perf stat record makes them");
	print_clocks(input, results, samples > 0);
	if (results->per_lacks && samples)
		print_unsplit(input, results);
	print_names(input, results, said);
	if (!said->amiss)
		said->amiss = print_unwound_amiss(input, results);
	if (!said->cut)
		said->cut = print_chainless(input, results) || print_cut(input, results);
	if (!said->callerless && (shown->verbose || shown->callers || shows_callers(results)))
		said->callerless = print_missing_callers(input, results);
	tablenotes_print(input, results, !said->absent, samples > 0);
	said->absent |= results->switchless;
	print_late(input, counts);
	print_dropped(input, counts, results);
	if (shown->verbose)
		print_reading(input, file);
}

#include "main/losses.h"

#include "util/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Prints a line about the recording. */
__attribute__((format(printf, 2, 3))) static void say(const char *input, const char *fmt, ...)
{
	struct error line = {0};
	va_list args;
	char text[1024];

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	/* error_set() makes the file's name safe for a terminal. */
	error_set(&line, ERROR_FORMAT, "%s: %s", strcmp(input, "-") == 0 ? "standard input" : input,
		  text);
	fprintf(stderr, "readperf: %s\n", line.text);
}

static const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

/* Prints the damaged records, by cause. */
static void print_damages(const char *input, const struct perffile_counts *counts)
{
	for (enum damage_cause cause = 0; cause < NR_DAMAGES; cause++) {
		const struct damage *damage = &counts->damages[cause];

		if (damage->records)
			say(input,
			    "%" PRIu64 " damaged record%s skipped, %" PRIu64
			    " bytes, the first %s byte %" PRIu64 ": %s",
			    damage->records, plural(damage->records), damage->bytes,
			    damage->packed ? "in a compressed record at or after" : "at",
			    damage->offset, counts_damage_meaning(cause));
	}
}

/* Prints the truncated ends; a directory recording has several files. */
static void print_truncated(const char *input, const struct perffile_counts *counts)
{
	if (counts->nr_truncated > 1)
		say(input,
		    "ignored %" PRIu64 " bytes of truncated records at the ends of %" PRIu64
		    " of its files",
		    counts->truncated_bytes, counts->nr_truncated);
	else if (counts->truncated_bytes)
		say(input,
		    "ignored the last %" PRIu64 " bytes, a truncated record at byte %" PRIu64,
		    counts->truncated_bytes, counts->truncated_offset);
}

/* Prints the events whose sums have reached 2^64 - 1; no other sums are larger. */
static bool print_overflows(const char *input, const struct results *results)
{
	bool any = false;

	for (size_t i = 0; i < results->nr_events; i++) {
		if (results->events[i].total.period < UINT64_MAX)
			continue;
		say(input, "the periods of %s add up to 2^64-1 or more: their sums stop there",
		    results->events[i].event->name);
		any = true;
	}
	return any;
}

bool losses_print(const char *input, const struct perffile_counts *counts,
		  const struct results *results, bool stopped)
{
	const bool overflow = print_overflows(input, results);

	if (stopped)
		say(input, "stopped before the end: the tables contain what had arrived by then");
	if (counts->cut_wrapper)
		say(input,
		    "the compressed file that contains the recording is truncated or damaged");
	if (counts->unfinished)
		say(input, "was never closed by its recorder: it was read to the end of the file, "
			   "but event names and build ids may be missing");
	if (counts->bent_fields)
		say(input,
		    "%" PRIu64 " field%s of the header cannot be right: the rest of the file was "
		    "used to correct them",
		    counts->bent_fields, plural(counts->bent_fields));
	if (counts->missing_ids)
		say(input, "the ids of %" PRIu64 " event%s are missing from the file",
		    counts->missing_ids, plural(counts->missing_ids));
	if (counts->missing_bytes)
		say(input, "the last %" PRIu64 " bytes of its data are missing",
		    counts->missing_bytes);
	if (counts->missing_features)
		say(input,
		    "%" PRIu64
		    " header section%s truncated: event names and build ids may be missing",
		    counts->missing_features, plural(counts->missing_features));
	print_damages(input, counts);
	print_truncated(input, counts);
	return stopped || overflow || counts->cut_wrapper || counts->unfinished ||
	       counts->bent_fields || counts->missing_ids || counts->missing_bytes ||
	       counts->missing_features || counts->damaged || counts->truncated_bytes;
}

/* The number of records of type @name. */
static uint64_t record_count(const struct results *results, const char *name)
{
	const struct rows rows = results_rows(results, &recordstat_records);
	const struct record_stat *records = rows.first;

	for (size_t i = 0; i < rows.nr; i++) {
		if (strcmp(records[i].record, name) == 0)
			return records[i].count;
	}
	return 0;
}

/* Whether there are records of a hardware trace. */
static bool tells_of_trace(const struct results *results)
{
	return record_count(results, "AUXTRACE_INFO") > 0 || record_count(results, "AUX") > 0 ||
	       record_count(results, "ITRACE_START") > 0;
}

/* Prints why the tables are empty, unless it has counters: there is nothing else to be expected. */
static void print_no_samples(const char *input, const struct results *results)
{
	if (results_rows(results, &counterstat_totals).nr > 0)
		return; /* it was made by perf stat record, which counts instead of sampling */
	if (results->lacks)
		say(input,
		    "no sample passes the filters: the samples have no %s (perf record %s adds it)",
		    results->lacks, results->lacks_how);
	else if (results->filtered)
		say(input, "no sample passes the filters");
	else if (record_count(results, "STAT_CONFIG") > 0)
		say(input, "contains no counts: perf stat record, which made it, wrote none");
	else if (record_count(results, "AUXTRACE") > 0)
		say(input, "contains no samples, only a hardware trace (AUXTRACE), which readperf "
			   "does not decode");
	else if (tells_of_trace(results))
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
		    others, plural(others));
}

/* Prints why many samples have no name, and what to do. */
static void print_unnamed(const char *input, const struct unnamed_stat *unnamed)
{
	const struct binary_stat *binary = unnamed->binary;

	say(input, "note: %.1f %% of the samples of %s have no name, most of them in %s (%s)%s%s",
	    100 * (double)unnamed->samples / (double)unnamed->total, binary->event->name,
	    binary->binary, binary->reason, unnamed->advice[0] ? ": " : "", unnamed->advice);
}

/* Prints why lines and inlined functions are missing. */
static void print_unlined(const char *input, const struct unnamed_stat *unlined)
{
	const struct binary_stat *binary = unlined->binary;

	say(input,
	    "note: %.1f %% of the samples of %s are in binaries without debugging information (no "
	    "source lines, no inlined functions), most of them in %s: %s",
	    100 * (double)unlined->samples / (double)unlined->total, binary->event->name,
	    binary->binary, unlined->advice);
}

/* Prints that names may be from another build. */
static void print_doubted(const char *input, const struct unnamed_stat *doubted)
{
	const struct binary_stat *binary = doubted->binary;

	say(input,
	    "note: the names of %.1f %% of the samples of %s may be wrong, most of them in %s "
	    "(%s): %s, and the recording has no build id for it (perf record --buildid-mmap "
	    "records one)",
	    100 * (double)doubted->samples / (double)doubted->total, binary->event->name,
	    binary->binary, binary->doubt, doubted->advice);
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
static void print_missing_callers(const char *input, const struct results *results)
{
	for (size_t i = 0; i < results->nr_events; i++) {
		const struct event_stat *stat = &results->events[i];

		if (stat->caller_missing.period <= stat->total.period / 20)
			continue;
		say(input,
		    "note: %.1f %% of the period of %s has call chains without the immediate "
		    "caller: the function has no frame pointer; --call-graph dwarf finds it",
		    100 * (double)stat->caller_missing.period / (double)stat->total.period,
		    stat->event->name);
	}
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

/* Whether more than 5 % of the samples lack a text. */
static bool is_much_textless(const struct textless_stat *lacks)
{
	return lacks && lacks->samples > lacks->total / 20;
}

/* Prints why source lines and instructions have no texts. */
static void print_textless(const char *input, const struct results *results)
{
	const struct textless_stat *source = results->no_source, *code = results->no_instruction;

	if (is_much_textless(source))
		say(input,
		    "note: %.1f %% of the samples with a source line have no source text, most of "
		    "them in %s, which %s: --source-dir=OLD=NEW says where source files are",
		    100 * (double)source->samples / (double)source->total, source->of, source->why);
	if (source && source->newer)
		say(input,
		    "note: the source text of %.1f %% of the samples may be wrong, most of it in "
		    "%s: the file was written after the program",
		    100 * (double)source->newer / (double)source->total, source->newest);
	if (is_much_textless(code))
		say(input,
		    "note: %.1f %% of the samples have no instruction, most of them in %s: %s",
		    100 * (double)code->samples / (double)code->total, code->of, code->why);
}

/* Notes that apply to all recordings of one program are printed for the first one. */
static void print_names(const char *input, const struct results *results, struct notes_said *said)
{
	if (results->unnamed && !said->unnamed)
		print_unnamed(input, results->unnamed);
	if (results->unlined && !said->unlined)
		print_unlined(input, results->unlined);
	if (results->doubted && !said->doubted)
		print_doubted(input, results->doubted);
	said->unnamed |= results->unnamed != NULL;
	said->unlined |= results->unlined != NULL;
	said->doubted |= results->doubted != NULL;
}

/* Why there are no waits, or which of them count nowhere. */
static void print_waits(const char *input, const struct results *results, struct notes_said *said)
{
	const struct offcpu_gaps *gaps = results->switch_gaps;

	if (results->switchless && !said->waitless)
		say(input,
		    "note: nothing tells when threads wait: perf record -a -g -e "
		    "sched:sched_switch,sched:sched_waking records it, as does --off-cpu, and "
		    "without call chains --switch-events");
	said->waitless |= results->switchless;
	if (!gaps)
		return;
	if (gaps->begins || gaps->ends)
		say(input,
		    "note: waits that begin or end outside of the recording are not counted: "
		    "%" PRIu64 " without their begin, %" PRIu64 " without their end",
		    gaps->begins, gaps->ends);
	if (gaps->lost || gaps->missed || gaps->backwards)
		say(input,
		    "note: times of threads that are not known for sure are not counted: %" PRIu64
		    " in which records were lost, %" PRIu64 " at switches that are not in the "
		    "recording, %" PRIu64 " that would end before they begin",
		    gaps->lost, gaps->missed, gaps->backwards);
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

/* Prints why the tables of branches are empty, or what they leave out. */
static void print_branches(const char *input, const struct branch_totals *branches)
{
	const uint64_t left_out = branches->wrong_path + branches->empty;

	if (branches->samples == 0 && branches->call_stacks)
		say(input,
		    "note: the branch stacks of the samples are calls (--call-graph lbr), not "
		    "branches that were taken: perf record -b records these");
	else if (branches->samples == 0)
		say(input, "note: the samples have no branch stacks: perf record -b records them");
	if (left_out)
		say(input,
		    "note: of %" PRIu64 " branches, %" PRIu64
		    " were speculated and never executed, "
		    "and %" PRIu64 " have no address: they are left out",
		    branches->entries, branches->wrong_path, branches->empty);
	if (branches->odd_runs)
		say(input,
		    "note: %" PRIu64 " of %" PRIu64
		    " runs between branches are not in one mapping, or "
		    "not straight as a branch is missing: they are left out of blocks",
		    branches->odd_runs, branches->runs);
	if (branches->beyond || branches->runs_beyond)
		say(input,
		    "note: there are more distinct branches than fit in memory: %" PRIu64
		    " branches and %" PRIu64 " runs between them are left out",
		    branches->beyond, branches->runs_beyond);
}

/* Prints why the tables of accesses to memory are empty, or what they leave out. */
static void print_memory(const char *input, const struct memory_totals *memory)
{
	if (memory->samples == 0)
		say(input, "note: the samples do not tell of accesses to memory: perf mem record "
			   "records them");
	if (memory->beyond)
		say(input,
		    "note: there are more different accesses to memory than fit in memory: %" PRIu64
		    " are left out",
		    memory->beyond);
}

static void print_cachelines(const char *input, const struct cacheline_totals *cachelines)
{
	if (cachelines->samples == 0)
		say(input, "note: the samples have no addresses of accesses to memory: perf c2c "
			   "record records them");
	if (cachelines->no_op || cachelines->no_addr)
		say(input,
		    "note: of %" PRIu64 " samples, %" PRIu64 " neither load nor store, and %" PRIu64
		    " have no address: they are left out of cachelines",
		    cachelines->samples, cachelines->no_op, cachelines->no_addr);
	if (cachelines->beyond)
		say(input,
		    "note: there are more uses of cache lines than fit in memory: %" PRIu64
		    " samples are left out",
		    cachelines->beyond);
}

void losses_add_needs(struct needs *needs)
{
	needs_add(needs, &recordstat_records);
	needs_add(needs, &binarystat_binaries);
}

void losses_print_notes(const char *input, const struct perffile *file,
			const struct results *results, bool verbose, struct notes_said *said)
{
	const struct perffile_counts *counts = perffile_counts(file);
	uint64_t samples = 0;

	for (size_t i = 0; i < results->nr_events; i++)
		samples += results->events[i].total.samples;
	if (samples == 0)
		print_no_samples(input, results);
	else if (record_count(results, "AUXTRACE") > 0)
		say(input, "note: readperf does not decode its hardware trace (AUXTRACE)");
	if (results->window_untimed && samples)
		say(input,
		    "note: no sample has a time (perf record --timestamp records it): the overview "
		    "covers everything, not only the last seconds");
	if (results->nr_untimed_dumps)
		say(input,
		    "note: %zu jitdumps do not use the recording's clock (perf record -k mono "
		    "makes them): where code was replaced at an address, all its samples have the "
		    "last name",
		    results->nr_untimed_dumps);
	print_names(input, results, said);
	print_textless(input, results);
	if (!said->cut) {
		said->cut = print_chainless(input, results) || print_cut(input, results);
		if (verbose || shows_callers(results))
			print_missing_callers(input, results);
	}
	if (results->branches && samples)
		print_branches(input, results->branches);
	if (results->memory && samples)
		print_memory(input, results->memory);
	if (results->cachelines && samples)
		print_cachelines(input, results->cachelines);
	print_waits(input, results, said);
	if (results->nr_sliceless)
		say(input,
		    "note: %" PRIu64 " samples have no time (perf record --timestamp records it): "
		    "they are in no slice of slices.csv",
		    results->nr_sliceless);
	print_late(input, counts);
	print_dropped(input, counts, results);
	if (!counts->rounds && verbose)
		say(input, "no FINISHED_ROUND records: everything was sorted at once");
	if (perffile_bytes_cold(file) && verbose)
		say(input, "%" PRIu64 " MiB did not fit in memory for sorting and were read twice",
		    perffile_bytes_cold(file) >> 20);
}

#include "main/losses.h"

#include "main/say.h"

#include <inttypes.h>
#include <string.h>

/* Prints the damaged records, by cause. */
static void print_damages(const char *input, const struct perffile_counts *counts)
{
	for (enum damage_cause cause = 0; cause < NR_DAMAGES; cause++) {
		const struct damage *damage = &counts->damages[cause];

		if (damage->records)
			say(input,
			    "%" PRIu64 " damaged record%s skipped, %" PRIu64
			    " bytes, the first %s byte %" PRIu64 ": %s",
			    damage->records, say_plural(damage->records), damage->bytes,
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

/* Says that the user stopped the decoding of a trace of @bytes when @undone of them were left. */
static void print_stop(const char *input, uint64_t bytes, uint64_t undone)
{
	say(input,
	    "stopped while its trace was decoded, %.2f %% of %" PRIu64
	    " bytes: the tables contain what was decoded by then",
	    bytes ? 100 - 100 * (double)undone / (double)bytes : 100, bytes);
}

/* Returns whether the decoding of a trace was stopped. */
static bool print_stops(const char *input, const struct results *results)
{
	const struct operation_outcome *operations = results->operations;
	const struct trace_outcome *trace = results->trace;
	const bool in_operations = operations && operations->stopped;
	const bool in_trace = trace && trace->stopped;

	if (in_operations)
		print_stop(input, operations->bytes, operations->undone);
	else if (in_trace)
		print_stop(input, trace->bytes, trace->undone);
	return in_operations || in_trace;
}

/* Prints what is not in the file, or in the directory. Returns whether there was any. */
static bool print_missing(const char *input, const struct perffile_counts *counts)
{
	if (counts->missing_ids)
		say(input, "the ids of %" PRIu64 " event%s are missing from the file",
		    counts->missing_ids, say_plural(counts->missing_ids));
	if (counts->missing_bytes)
		say(input, "the last %" PRIu64 " bytes of its data are missing",
		    counts->missing_bytes);
	if (counts->missing_files)
		say(input,
		    counts->missing_files == 1
			    ? "%" PRIu64 " of its files is missing: data.%" PRIu32
			    : "%" PRIu64 " of its files are missing, the first is data.%" PRIu32,
		    counts->missing_files, counts->missing_file);
	if (counts->missing_features)
		say(input,
		    "%" PRIu64
		    " header section%s truncated: event names and build ids may be missing",
		    counts->missing_features, say_plural(counts->missing_features));
	return counts->missing_ids || counts->missing_bytes || counts->missing_files ||
	       counts->missing_features;
}

bool losses_print(const char *input, const struct perffile_counts *counts,
		  const struct results *results, bool stopped)
{
	const bool overflow = print_overflows(input, results);
	const bool eventless = results->nr_events == 0 && !stopped; /* each recorder tells of one */
	bool trace_stopped, missing;

	if (stopped)
		say(input, "stopped before the end: the tables contain what had arrived by then");
	trace_stopped = print_stops(input, results);
	if (counts->broken)
		say(input, "broke off at byte %" PRIu64 ": %s", counts->broken_offset,
		    strerror(counts->broken));
	if (eventless)
		say(input, "describes no event: what should follow its header is missing");
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
		    counts->bent_fields, say_plural(counts->bent_fields));
	missing = print_missing(input, counts);
	if (counts->next_offset)
		say(input,
		    "another recording follows in the file at byte %" PRIu64
		    ", which is not read: put it into a file of its own",
		    counts->next_offset);
	print_damages(input, counts);
	print_truncated(input, counts);
	return stopped || trace_stopped || overflow || eventless || missing || counts->broken ||
	       counts->cut_wrapper || counts->unfinished || counts->bent_fields ||
	       counts->damaged || counts->truncated_bytes || counts->next_offset;
}

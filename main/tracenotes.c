#include "main/tracenotes.h"

#include "decode/replay.h"
#include "main/say.h"

#include <inttypes.h>
#include <string.h>

uint64_t tracenotes_records(const struct results *results, const char *name)
{
	const struct rows rows = results_rows(results, &recordstat_records);
	const struct record_stat *records = rows.first;

	for (size_t i = 0; i < rows.nr; i++) {
		if (strcmp(records[i].record, name) == 0)
			return records[i].count;
	}
	return 0;
}

bool tracenotes_has_records(const struct results *results)
{
	return tracenotes_records(results, "AUXTRACE_INFO") > 0 ||
	       tracenotes_records(results, "AUX") > 0 ||
	       tracenotes_records(results, "ITRACE_START") > 0;
}

/* Prints that nothing was decoded of a hardware trace; @begin begins the sentence. */
static void print_undecoded(const char *input, const struct perffile *file, const char *begin)
{
	const uint32_t type = perffile_trace(file)->type;
	const char *what = type == TRACE_CORESIGHT ? "a CoreSight" : "an Intel PT";
	char name[32];

	if (type == TRACE_ARM_SPE)
		say(input, "%s an Arm SPE trace, which --tables=spe,memory,cachelines decodes",
		    begin);
	else if (replay_trace_decoder(type, name))
		say(input, "%s %s trace, which --tables=trace decodes", begin, what);
	else if (name[0] == '\0')
		say(input, "%s %s trace, which readperf decodes if it is built with libipt", begin,
		    what);
	else
		say(input, "%s a hardware trace (AUXTRACE, %s), which readperf does not decode",
		    begin, name);
}

bool tracenotes_is_decoded(const struct results *results)
{
	return results->operations ||
	       (results->trace && results->trace->decoder && results->trace->bytes);
}

/* The bytes of a trace that ran code of @binary, which is missing. */
static uint64_t codeless_bytes(const struct trace_loss_stat *losses, size_t nr, const char *binary)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < nr; i++)
		if (strcmp(losses[i].kind, "no-code") == 0 && strcmp(losses[i].binary, binary) == 0)
			bytes = loss_sum(bytes, losses[i].bytes);
	return bytes;
}

/* Prints which file has the most of the code that a trace lacked; JIT code is in no file. */
static void print_codeless(const char *input, const struct results *results)
{
	enum { ROWS_MAX = 4096 }; /* for each CPU and thread there may be one of each binary */
	const struct rows rows = results_rows(results, &tracestat_losses);
	const struct trace_loss_stat *losses = rows.first;
	const size_t nr = rows.nr < ROWS_MAX ? rows.nr : ROWS_MAX;
	const char *most = NULL;
	uint64_t most_bytes = 0;

	for (size_t i = 0; i < nr; i++) {
		const uint64_t bytes = codeless_bytes(losses, nr, losses[i].binary);

		if (losses[i].binary[0] != '/' ||
		    strncmp(losses[i].binary, "/tmp/perf-", 10) == 0 || bytes <= most_bytes)
			continue;
		most = losses[i].binary;
		most_bytes = bytes;
	}
	if (most)
		say(input,
		    "note: the trace cannot be decoded where code is missing, mostly that of %s: "
		    "point --symfs or --buildid-dir at it",
		    most);
}

/* Prints why the tables of traces are empty, if there is no trace: filters do not choose it. */
static void print_traceless(const char *input, const struct perffile *file,
			    const struct results *results)
{
	if (perffile_trace(file)->nr_pieces > 0)
		return;
	if (results_find(results, &tracestat_functions) || results_find(results, &tracestat_losses))
		say(input, "note: there is no hardware trace: perf record -e intel_pt// or -e "
			   "cs_etm// records one");
	if (results_find(results, &spestat_functions))
		say(input, "note: there are no operations sampled by the processor: perf record -e "
			   "arm_spe// records them");
}

/* Prints what was decoded of a hardware trace, and what is missing. */
static void print_trace(const char *input, const struct trace_outcome *trace)
{
	const double lost =
		100 * (double)(trace->lost_bytes + trace->undone) / (double)trace->bytes;

	say(input,
	    "its trace: %" PRIu64 " instructions, %.3f ms, %.2f %% of %" PRIu64
	    " bytes decoded (%s, clock %s)",
	    trace->instructions, (double)trace->ns / 1e6, 100 - lost, trace->bytes, trace->decoder,
	    trace->clock[0] ? trace->clock : "none");
	if (trace->overflows || trace->errors)
		say(input,
		    "note: the trace has gaps (--tables=traceloss tells where): %" PRIu64
		    " where the processor lost packets, %" PRIu64 " that could not be decoded",
		    trace->overflows, trace->errors);
	if (trace->old_bytes)
		say(input,
		    "note: %" PRIu64 " bytes of the trace are ETMv3 or PTM, which readperf does "
		    "not decode",
		    trace->old_bytes);
	if (trace->unknown_cpu)
		say(input, "note: %s does not know the processor: its errata are not worked around",
		    trace->decoder);
}

/* Prints what was decoded of operations that the processor sampled, and what is missing. */
static void print_operations(const char *input, const struct operation_outcome *operations)
{
	const double lost =
		operations->bytes ? 100 * (double)operations->lost_bytes / (double)operations->bytes
				  : 0;

	say(input,
	    "its trace: %" PRIu64 " operations, %.2f %% of %" PRIu64 " bytes decoded (Arm SPE)",
	    operations->records, 100 - lost, operations->bytes);
	if (operations->filters[0])
		say(input, "note: the recording has only these operations: %s; they are not scaled",
		    operations->filters);
	if (operations->collisions || operations->lost_bytes)
		say(input,
		    "note: the trace has gaps (--tables=traceloss tells where): collisions of "
		    "samples in %" PRIu64 " buffer%s, %" PRIu64 " byte%s that could not be decoded",
		    operations->collisions, say_plural(operations->collisions),
		    operations->lost_bytes, say_plural(operations->lost_bytes));
	if (operations->threadless)
		say(input, "note: the thread of %" PRIu64 " operations is unknown",
		    operations->threadless);
	if (operations->timeless)
		say(input, "note: %" PRIu64 " operations have no time (arm_spe/ts_enable=1/)",
		    operations->timeless);
}

void tracenotes_print(const char *input, const struct perffile *file, const struct results *results)
{
	if (results->operations)
		print_operations(input, results->operations);
	else if (tracenotes_is_decoded(results))
		print_trace(input, results->trace);
	else if (tracenotes_records(results, "AUXTRACE") == 0)
		return;
	else if (tracenotes_records(results, "SAMPLE") > 0)
		print_undecoded(input, file, "note: beside samples it has");
	else if (!results->filtered)
		print_undecoded(input, file, "contains no samples, only");
}

void tracenotes_print_missing(const char *input, const struct perffile *file,
			      const struct results *results, bool absent)
{
	print_codeless(input, results);
	if (absent)
		print_traceless(input, file, results);
}

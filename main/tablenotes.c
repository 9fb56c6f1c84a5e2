#include "main/tablenotes.h"

#include "main/say.h"

#include <inttypes.h>

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
		    100 * (double)code->samples / (double)code->total, say_binary(code->of),
		    code->why);
}

/* Prints which waits count nowhere, or not where they belong. */
static void print_waits(const char *input, const struct offcpu_gaps *gaps)
{
	if (gaps->some)
		say(input,
		    "note: %" PRIu64
		    " samples of scheduler events do not cover every switch (perf record -F), so "
		    "no times of threads follow from them: leave out -F, and give events that need "
		    "a frequency their own, such as cpu-clock/freq=999/",
		    gaps->some);
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
	if (gaps->chainless)
		say(input,
		    "note: %" PRIu64 " waits have no user call chain: it was to come later in the "
		    "recording, and did not",
		    gaps->chainless);
}

/* Prints what the tables of branches leave out. */
static void print_branches(const char *input, const struct branch_totals *branches)
{
	const uint64_t left_out = branches->wrong_path + branches->empty;

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

/* Prints what the table of accesses to memory leaves out. */
static void print_memory(const char *input, const struct memory_totals *memory)
{
	if (memory->beyond)
		say(input,
		    "note: there are more different accesses to memory than fit in memory: %" PRIu64
		    " are left out",
		    memory->beyond);
}

static void print_spe(const char *input, uint64_t beyond)
{
	if (beyond)
		say(input,
		    "note: there are more places of operations than fit in memory: %" PRIu64
		    " operations are left out of spe",
		    beyond);
}

/* @absent: it is said, too, if none of the samples tells of an access. */
static void print_cachelines(const char *input, const struct cacheline_totals *cachelines,
			     bool absent)
{
	const uint64_t left_out = cachelines->no_op + cachelines->no_addr;

	if (left_out && (absent || left_out < cachelines->samples))
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

static void print_syscalls(const char *input, const struct syscall_totals *syscalls)
{
	if (syscalls->beyond)
		say(input,
		    "note: there are more threads or different system calls than fit in memory: "
		    "%" PRIu64 " samples are left out of syscalls",
		    syscalls->beyond);
}

/* Prints why tables that were asked for are empty. */
static void print_absent(const char *input, const struct results *results)
{
	const struct branch_totals *branches = results->branches;

	if (branches && branches->samples == 0 && branches->call_stacks)
		say(input,
		    "note: the branch stacks of the samples are calls (--call-graph lbr), not "
		    "branches that were taken: perf record -b records these");
	else if (branches && branches->samples == 0)
		say(input, "note: the samples have no branch stacks: perf record -b records them");
	if (results->memory && results->memory->samples == 0)
		say(input, "note: the samples do not tell of accesses to memory: perf mem record "
			   "records them");
	if (results->cachelines && results->cachelines->samples == 0)
		say(input, "note: the samples have no addresses of accesses to memory: perf c2c "
			   "record records them");
}

void tablenotes_print(const char *input, const struct results *results, bool absent, bool sampled)
{
	const struct answered *metrics = results_find(results, &metricstat_metrics);

	print_textless(input, results);
	if (sampled && absent)
		print_absent(input, results);
	if (absent && metrics && metrics->rows.nr == 0)
		say(input, "note: no two events that were counted together make a metric, as "
			   "cycles and instructions do; --metric defines others");
	if (results->switchless && absent && !(results->switch_gaps && results->switch_gaps->some))
		say(input,
		    "note: nothing tells when threads wait: perf record -a -g -e "
		    "sched:sched_switch,sched:sched_waking records it, as does --off-cpu, and "
		    "without call chains --switch-events");
	if (results->syscalls && absent && results->syscalls->samples == 0)
		say(input, "note: nothing tells of each system call: perf record -e "
			   "raw_syscalls:sys_enter,raw_syscalls:sys_exit without -F does");
	if (results->syscalls)
		print_syscalls(input, results->syscalls);
	if (results->branches)
		print_branches(input, results->branches);
	if (results->memory)
		print_memory(input, results->memory);
	if (results->spe_beyond)
		print_spe(input, *results->spe_beyond);
	if (results->cachelines)
		print_cachelines(input, results->cachelines, absent);
	if (results->switch_gaps)
		print_waits(input, results->switch_gaps);
	if (results->nr_sliceless)
		say(input,
		    "note: %" PRIu64
		    " samples have no time (perf record --timestamp records it, but "
		    "not for the sums of --off-cpu): they are in no slice of slices.csv",
		    results->nr_sliceless);
}

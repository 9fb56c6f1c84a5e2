/*
 * A crew: threads that count samples. The replay's own thread follows who is who and what is
 * mapped; where a sample is, and the path that it is on, is left to whoever of the crew has time.
 *
 * The replay puts samples into jobs, in order, each with the maps that its process has at that
 * moment: sets of maps do not change while a job shares them. What is counted are sums, so the
 * order in which jobs are done makes no difference.
 */
#ifndef READPERF_DECODE_REPLAY_CREW_H
#define READPERF_DECODE_REPLAY_CREW_H

#include "decode/process/addrspace.h"
#include "decode/stack/stack.h"
#include "perffile/perffile.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

struct crew;

/**
 * Makes a crew of @nr threads, two at least: the caller, the one that reads @file ahead, and others
 * that it starts. @stacks: where samples are counted that are not left to it. All is borrowed. NULL
 * if memory is out.
 */
struct crew *crew_create(struct perffile *file, size_t nr, const struct addrspaces *spaces,
			 struct stacks *stacks, const struct stack_settings *settings);

/** What is to be counted. */
enum crew_samples {
	CREW_STACKS, /* with stacks, to be unwound */
	CREW_CHAINS, /* plain ones with call chains */
	CREW_PLAIN,  /* plain ones without */
};

/**
 * Whether @nr samples of @kind that were just returned are to be left to the crew: if its threads
 * may soon have nothing else to do and, with stacks, the paths of most are known. New paths are
 * found by whoever comes to them, and again when they are added up: that is left to a crew of more
 * than two, or to a reader that has nothing to read most of the time; else crew_takes_path(). Plain
 * ones without call chains are left only to a crew of more than two: to pass them on costs more
 * than the reader alone can save, and it would have a table as large as the caller's. It is decided
 * once for a batch, by its first samples, and with stacks again and again; NULL is fine.
 */
bool crew_takes(struct crew *crew, size_t nr, enum crew_samples kind);

/** Whether crew_takes() may say yes for samples of @kind that come later. */
bool crew_wants(const struct crew *crew, enum crew_samples kind);

/**
 * Leaves the @nr @samples of one process, which has @maps now, to the crew; @swap: as in struct
 * plain_samples. Returns false if memory is out; crew_check() tells of what fails later.
 */
bool crew_add_plain(struct crew *crew, struct map_set *maps, const struct plain_sample *samples,
		    size_t nr, bool swap);

/** The same for @sample, whose record is copied; its process is not used. */
bool crew_add(struct crew *crew, struct map_set *maps, const struct stack_sample *sample);

/** Whether the caller is to find the path of the sample that crew_takes() did not take, and the
 * crew to count it. */
bool crew_takes_path(const struct crew *crew);

/** Finds the path of @sample with what crew_create() was given, and leaves it to the crew. Returns
 * false if memory is out, or an earlier path could not be counted: crew_check(). */
bool crew_add_path(struct crew *crew, const struct stack_sample *sample);

/** Waits until all paths are counted; from then on the caller may use the stacks that crew_create()
 * was given, until crew_add_path(). Returns 0, or -1 with @err filled. */
int crew_await_paths(struct crew *crew, struct error *err);

/** Sets what unwinding needs: as stacks_prepare(). */
void crew_prepare(struct crew *crew, struct unwindinfo *info, const char *machine);

/** Returns a dso that has samples and was not returned before; NULL: there is none now. */
const struct dso *crew_next_met(struct crew *crew);

/** Waits until all samples are counted. */
void crew_await(struct crew *crew);

/** Waits until all samples are counted, and adds what was counted at addresses to @addresses.
 * Returns 0, or -1 with @err filled. */
int crew_settle(struct crew *crew, struct address_table *addresses, struct helpers *helpers,
		struct error *err);

/** As crew_settle(), and adds paths to the stacks that crew_create() was given, too. Returns 0, or
 * -1 with @err filled. */
int crew_finish(struct crew *crew, struct address_table *addresses, struct helpers *helpers,
		struct error *err);

/** After crew_finish() and the last sample: frees the tables of all threads. */
void crew_empty(struct crew *crew);

/** How many samples were left to the crew so far, or the paths of these. */
uint64_t crew_nr_left(const struct crew *crew);

/** Whether all that was done so far could be done. Returns 0, or -1 with @err filled. */
int crew_check(const struct crew *crew, struct error *err);

/** Ends the crew, whatever is left to be done. NULL is fine. */
void crew_destroy(struct crew *crew);

#endif

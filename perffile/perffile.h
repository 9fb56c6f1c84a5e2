/*
 * The door of perffile/: open a recording, pull its records in time order, close it.
 *
 *	struct perffile *file = perffile_open("perf.data", &err);
 *	while ((rc = perffile_next(file, &rec, &err)) > 0)
 *		...
 *	perffile_close(file);
 *
 * Knows the file format; nothing of processes, symbols or tables. Two handles share nothing.
 */
#ifndef READPERF_PERFFILE_PERFFILE_H
#define READPERF_PERFFILE_PERFFILE_H

#include "perffile/batch.h"
#include "perffile/counts.h"
#include "perffile/event.h"
#include "perffile/fact.h"
#include "perffile/record.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perffile;

/**
 * Opens the recording at @path ("-": standard input). Returns NULL with @err filled if it cannot be
 * used. Of a stream (a pipe or a FIFO, which may have no writer yet) nothing is read before
 * perffile_next(), which then tells what is wrong with it; until then it has no events.
 */
struct perffile *perffile_open(const char *path, struct error *err);

/**
 * Sets who waits for a stream's data: @wait(@arg, its file descriptor) is called before each read
 * that would have to wait. It returns true when there is something to read, and if it returns true
 * earlier it is called again; it returns false to end the stream there: what came is then given as
 * at the end of the data, and a record that is not all there counts as truncated. Without it
 * perffile_next() waits for ever. It is not called for files.
 */
void perffile_set_wait(struct perffile *file, bool (*wait)(void *arg, int fd), void *arg);

/**
 * Ends the recording here: what was read is still given, as at the end of the data. May be called
 * by a tick.
 */
void perffile_stop(struct perffile *file);

/** Whether the records come from a stream; no longer true once a stream had to be copied. */
bool perffile_is_stream(const struct perffile *file);

/**
 * Sets how many bytes of records may wait in memory for their turn, about: 32 MiB unless it is set.
 * More of them are read again, or put into a temporary file if they cannot be.
 */
void perffile_set_memory(struct perffile *file, size_t bytes);

/**
 * Sets what is called now and then (after some 16 MiB) while perffile_next() reads, also where it
 * reads much before it can give the next record: @tick(@arg, err), to show progress or to stop.
 * What it returns is 0, or -1 with its err filled: then perffile_next() returns -1 with that.
 */
void perffile_set_tick(struct perffile *file, int (*tick)(void *arg, struct error *err), void *arg);

/**
 * The next record in time order (key: time, then index in the file; records without a time come
 * where they stand in the file).
 *
 * @return 1 with *@rec borrowed until the next call, 0 at the end, -1 with @err filled.
 */
int perffile_next(struct perffile *file, const struct record **rec, struct error *err);

/**
 * The next records, as perffile_next() would give them: one at least, and those after it that can
 * be had without reading more. They live until the caller gives the batch back, however many others
 * are taken meanwhile. Of an error nothing of the batch is given.
 *
 * @return 1 with *@batch, 0 at the end, -1 with @err filled.
 */
int perffile_next_batch(struct perffile *file, struct record_batch **batch, struct error *err);

/** Gives back a batch of @file, which is not closed yet. NULL is fine. */
void perffile_give_back(struct perffile *file, struct record_batch *batch);

/** The events, in the file's order; the array lives until perffile_close(). */
size_t perffile_nr_events(const struct perffile *file);
const struct event *perffile_event(const struct perffile *file, size_t number);

/** The event with @id, or NULL; for the values that a sample of a group carries. */
const struct event *perffile_event_by_id(const struct perffile *file, uint64_t id);

/**
 * Whether there is an event whose samples are waits of threads (perf record --off-cpu): they come
 * when the processes may long have ended.
 */
bool perffile_has_offcpu(const struct perffile *file);

/** The file's build id table; may be empty. The array lives until perffile_close(). */
size_t perffile_nr_build_ids(const struct perffile *file);
const struct named_build_id *perffile_build_ids(const struct perffile *file);

/** How the recording calls the PMU of number @type (an attr's type), or NULL if it does not. */
const char *perffile_pmu_name(const struct perffile *file, uint32_t type);

/** The release of the kernel that was recorded, as in uname(2); NULL if it is not known yet. */
const char *perffile_release(const struct perffile *file);

/** The same of the name of the host that was recorded, and of its hardware ("x86_64"). */
const char *perffile_hostname(const struct perffile *file);
const char *perffile_machine(const struct perffile *file);

/**
 * The moment, in ns since 1970, after which nothing was recorded, of what has been read: when the
 * file was written last or, if the recording tells how its clock and the wall clock went, its last
 * record, if that is earlier. INT64_MAX if neither is known, as of a pipe.
 */
int64_t perffile_end(const struct perffile *file);

/**
 * Of a directory recording the directory, which need not exist, for copies of the kernel's own
 * lists (perf record --kcore); else NULL.
 */
const char *perffile_kcore_dir(const struct perffile *file);

/**
 * Adds what the optional sections say to @facts, which the caller frees; of a pipe, those that have
 * been read. Returns 0, or -1 with @err filled if memory is out.
 */
int perffile_describe(const struct perffile *file, struct facts *facts, struct error *err);

const struct perffile_counts *perffile_counts(const struct perffile *file);

/**
 * Bytes of the recording done so far and its size; the size is 0 if it is not known (a pipe). What
 * must be read twice is done by half when it was read once.
 */
uint64_t perffile_bytes_read(const struct perffile *file);
uint64_t perffile_bytes_total(const struct perffile *file);

/** Bytes of records that were too many to wait in memory (see perffile_set_memory()), so far. */
uint64_t perffile_bytes_cold(const struct perffile *file);

/** Frees all; NULL is fine. */
void perffile_close(struct perffile *file);

#endif

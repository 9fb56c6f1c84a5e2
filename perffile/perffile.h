/*
 * Public interface of perffile/: opens a recording, returns its records in time order, closes it.
 *
 *	struct perffile *file = perffile_open("perf.data", &err);
 *	while ((rc = perffile_next(file, &rec, &err)) > 0)
 *		...
 *	perffile_close(file);
 *
 * It handles the file format only, not processes, symbols or tables. Handles share no state.
 */
#ifndef READPERF_PERFFILE_PERFFILE_H
#define READPERF_PERFFILE_PERFFILE_H

#include "perffile/counts.h"
#include "perffile/event.h"
#include "perffile/fact.h"
#include "perffile/record.h"
#include "perffile/sampletimes.h"
#include "perffile/tracesummary.h"
#include "perffile/tracefield.h"
#include "perffile/work.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perffile;

/**
 * Opens the recording at @path ("-": standard input). Returns NULL with @err filled if it cannot be
 * used. From a stream (a pipe or a FIFO, which may have no writer yet) nothing is read before
 * perffile_next(), which then reports errors in its header; until then it has no events. The caller
 * closes the handle with perffile_close().
 */
struct perffile *perffile_open(const char *path, struct error *err);

/**
 * As perffile_open() for the open file @fd, which stays the caller's; @name is for messages. A file
 * is read from its start, wherever the descriptor is.
 */
struct perffile *perffile_open_fd(int fd, const char *name, struct error *err);

/**
 * Opens the recording of @file, which is no stream, once more: the same files, from their start.
 * Otherwise as perffile_open().
 */
struct perffile *perffile_open_again(const struct perffile *file, struct error *err);

/**
 * Finds the times of samples of @file, which is no stream: those that perf noted in its header,
 * else by opening it again and reading it, damaged or not, as far as it can be read. If there are
 * no samples, as beside a hardware trace, they are those of its other records.
 *
 * @return 1, 0 if nothing has a time, -1 with @err filled if it cannot be opened again or memory is
 * out.
 */
int perffile_sample_times(const struct perffile *file, const struct times_search *search,
			  struct sample_times *times, struct error *err);

/**
 * Sets the function that waits for a stream's data: @wait(@arg, the stream's file descriptor) is
 * called before each read that would block. It returns true when there is something to read; if it
 * returns true too early it is called again. It returns false to end the stream: records read so
 * far are still returned, and an incomplete record counts as truncated. Without it perffile_next()
 * blocks. It is not called for files.
 */
void perffile_set_wait(struct perffile *file, bool (*wait)(void *arg, int fd), void *arg);

/**
 * Ends the recording here: records read so far are still returned, as at the end of the data. May
 * be called from a tick.
 */
void perffile_stop(struct perffile *file);

/** Whether the records come from a stream; false once a stream was copied to a file. */
bool perffile_is_stream(const struct perffile *file);

/**
 * Whether records tell which events there are: in a stream, and in what perf wrote to a pipe. If
 * not, those that come later all the same have no plain samples.
 */
bool perffile_events_come(const struct perffile *file);

/**
 * Sets about how many bytes of records may wait in memory to be sorted; the default is 32 MiB. If
 * there are more, waiting records are read again later, or put into a temporary file if they cannot
 * be.
 */
void perffile_set_memory(struct perffile *file, size_t bytes);

/**
 * Sets a function to be called about every 16 MiB while perffile_next() reads, also if it reads
 * much before it can return a record: @tick(@arg, err), to show progress or to stop. It returns 0,
 * or -1 with its err filled; perffile_next() then returns -1 with that error.
 */
void perffile_set_tick(struct perffile *file, int (*tick)(void *arg, struct error *err), void *arg);

/**
 * Lets the samples between two other records come in any order, if those of all events are plain
 * (see struct plain_sample). Call it before the first record is asked for.
 */
void perffile_use_gaps(struct perffile *file);

/**
 * Lets samples also come before older records of other kinds that are not about their processes,
 * after perffile_use_gaps(). Those of one process still come after and before the records that are
 * about it. Call it before the first record is asked for.
 */
void perffile_use_leaps(struct perffile *file);

/**
 * Lets plain samples without call chains be packed. They are not held then (see perffile_hold()).
 * Call it before the first record is asked for.
 */
void perffile_pack(struct perffile *file);

/**
 * Lets a thread of its own read and sort the records that come next, from the first one on that is
 * sorted, while the caller uses those before them. The caller's functions are called by the
 * caller's thread all the same, and all answers stay the same. It may be called before the first
 * record and between records.
 */
void perffile_read_ahead(struct perffile *file);

/**
 * Whether that thread would do more than read and sort: decode plain samples, or unpack. Call it
 * after perffile_next_plain(), if that is used.
 */
bool perffile_is_work_to_read(const struct perffile *file);

/**
 * Returns the next record in time order (by time, then by index in the file; records without a time
 * come at their position in the file).
 *
 * @return 1 with *@rec, valid until the next call; 0 at the end; -1 with @err filled.
 */
int perffile_next(struct perffile *file, const struct record **rec, struct error *err);

/**
 * Takes the plain samples that come next, in time order but for perffile_use_gaps(), in place of
 * perffile_next(). They and their records are valid until the next call for records of @file.
 *
 * @return 1 with at least one sample, 0 if the next record is for perffile_next(), which may find
 * the end, -1 with @err filled.
 */
int perffile_next_plain(struct perffile *file, struct plain_samples *samples, struct error *err);

/**
 * The number of the batch that the records returned last are in; 0 if they cannot be held: no
 * thread reads ahead.
 */
uint64_t perffile_batch(const struct perffile *file);

/** Keeps the records of that batch, and plain samples that are_held, until perffile_let_go(). */
void perffile_hold(struct perffile *file);

/** Ends what one call of perffile_hold() began for @batch. Any thread may call it. */
void perffile_let_go(struct perffile *file, uint64_t batch);

/**
 * Has @work called while there is nothing else to do. Call it before the first record. @nr_threads
 * use the records: the caller's, the reader, and others, which hold what they use.
 */
void perffile_set_work(struct perffile *file, size_t nr_threads, perffile_work work, void *arg);

/** Ends what perffile_set_work() began: no other thread is in the function when this returns. */
void perffile_end_work(struct perffile *file);

/** There is work, which the reader may be waiting for. */
void perffile_wake(struct perffile *file);

/** Whether there is a reader that has nothing to read: it is far ahead, or has read all. */
bool perffile_reader_is_free(struct perffile *file);

/**
 * As perffile_next() for several records at once, @room at most, which are decoded to @recs and all
 * valid until the next call. What is known of the recording itself may be ahead of them. Not with
 * perffile_read_ahead().
 *
 * @return how many, 0 at the end, -1 with @err filled, after the records before the error.
 */
long perffile_next_batch(struct perffile *file, struct record *recs, size_t room,
			 struct error *err);

/**
 * Returns records as they are in the file; none is late then. Call it before the first
 * perffile_next(), and not with perffile_read_ahead().
 */
void perffile_keep_order(struct perffile *file);

/** The events in file order, @number from 0; valid until perffile_close(). */
size_t perffile_nr_events(const struct perffile *file);
const struct event *perffile_event(const struct perffile *file, size_t number);

/**
 * Calls event @number @name, which is copied, wherever its name is shown; NULL gives it its own
 * name back, as does a record that names it. Returns 0, or -1 with @err filled if memory is out.
 */
int perffile_call_event(struct perffile *file, size_t number, const char *name, struct error *err);

/** Returns the event with @id, or NULL; for the counter values in a sample of a group. */
const struct event *perffile_event_by_id(const struct perffile *file, uint64_t id);

/**
 * Whether some event's samples are off-CPU waits of threads (perf record --off-cpu). Such samples
 * may come long after their processes ended.
 */
bool perffile_has_offcpu(const struct perffile *file);

/**
 * The build id table, may be empty. The array is valid until perffile_close(); for a pipe, until
 * more records are read.
 */
size_t perffile_nr_build_ids(const struct perffile *file);
const struct named_build_id *perffile_build_ids(const struct perffile *file);

/** Returns the recording's name of the PMU with number @type (attr.type), NULL if it has none. */
const char *perffile_pmu_name(const struct perffile *file, uint32_t type);

/**
 * Sets *@point to the tracepoint with number @id (attr.config). It is valid until perffile_close().
 * Returns false if the recording does not describe it (yet).
 */
bool perffile_tracepoint(const struct perffile *file, uint64_t id, struct tracepoint *point);

/** Returns the release of the recorded kernel, as in uname(2), or NULL if it is not known (yet). */
const char *perffile_release(const struct perffile *file);

/** The same for the name of the recorded host. */
const char *perffile_hostname(const struct perffile *file);

/**
 * The same for its hardware ("x86_64"). Where the recording has perf's own name ("x86"), which does
 * not tell 32 from 64 bits, it is taken to be of 64 bits unless its longs are known to have 32.
 */
const char *perffile_machine(const struct perffile *file);

/** The same for the version of perf that recorded, and for perf's text of the CPU model. */
const char *perffile_version(const struct perffile *file);
const char *perffile_cpuid(const struct perffile *file);

/**
 * Returns how many calls that have not returned the recorded processor keeps as branches: 32, the
 * most that any does, if it is not known (yet).
 */
uint64_t perffile_branches_kept(const struct perffile *file);

/** Where a CPU is: numbers of its socket, of its core and, where there are dies, of its die. */
struct cpu_place {
	uint32_t socket, core, die;
};

/** Finds the place of @cpu. Returns false if the recording does not say where it is (yet). */
bool perffile_cpu_place(const struct perffile *file, uint32_t cpu, struct cpu_place *place);

/**
 * Returns the time, in ns since 1970, after which nothing read so far was recorded: the file's last
 * modification or, if that is earlier and the recording relates its clock to the wall clock, the
 * time of its last record. INT64_MAX if neither is known, as for a pipe.
 */
int64_t perffile_end(const struct perffile *file);

/**
 * Finds the wall clock at @time of the recording's clock, both in ns, the former since 1970.
 * Returns false if the recording does not relate them (yet).
 */
bool perffile_wall_time(const struct perffile *file, uint64_t time, int64_t *wall);

/** Whether recordings of any byte order and age begin with the 8 bytes @head. */
bool perffile_is_begin(const void *head);

/**
 * Sets *@hash to the hash (util/xxh64.h) of the bytes of the recording's files, one after the
 * other, as they are on disk. Reads them all.
 *
 * @return 1, 0 if it is no file, or -1 with @err filled.
 */
int perffile_hash(const struct perffile *file, uint64_t *hash, struct error *err);

/**
 * Returns the kcore_dir of a directory recording, for copies of the kernel's symbol and module
 * lists (perf record --kcore); it need not exist. NULL for other recordings.
 */
const char *perffile_kcore_dir(const struct perffile *file);

/**
 * Adds the contents of the optional sections to @facts, which the caller frees; for a pipe, of
 * those read so far. Returns 0, or -1 with @err filled if memory is out.
 */
int perffile_describe(const struct perffile *file, struct facts *facts, struct error *err);

/** The hardware trace as far as it was read. */
const struct trace_summary *perffile_trace(const struct perffile *file);

/**
 * Keeps the bytes of traces that come from a pipe; call it before the first record is read. Returns
 * 0, or -1 with @err filled if memory is out.
 */
int perffile_keep_traces(struct perffile *file, struct error *err);

/**
 * Reads up to @len bytes, from byte @at on, of a trace at @place (of an AUXTRACE record). Returns
 * how many, 0 at its end, or -1 with @err filled.
 */
ssize_t perffile_read_trace(const struct perffile *file, const struct trace_place *place,
			    uint64_t at, void *to, size_t len, struct error *err);

/** Returns the counts so far; valid until perffile_close(). */
const struct perffile_counts *perffile_counts(const struct perffile *file);

/**
 * Bytes of the recording processed so far, and its size, which is 0 if unknown (a pipe). Bytes that
 * must be read twice count half after the first reading.
 */
uint64_t perffile_bytes_read(const struct perffile *file);
uint64_t perffile_bytes_total(const struct perffile *file);

/** About how many bytes @bytes of the recording are unpacked, as far as those so far tell. */
uint64_t perffile_bytes_unpacked(const struct perffile *file, uint64_t bytes);

/** Bytes of records so far that did not fit in memory, see perffile_set_memory(). */
uint64_t perffile_bytes_cold(const struct perffile *file);

/** Closes @file and frees everything it owns. NULL is fine. */
void perffile_close(struct perffile *file);

#endif

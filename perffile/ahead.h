/*
 * Reads a recording ahead: a thread frames and sorts records, and decodes plain samples, while the
 * caller uses those before.
 *
 * The thread fills batches of a ring. It alone touches what framing and sorting change: sources,
 * streams, blocks, the queue. What a record says of the recording itself (events, build ids)
 * changes what the caller uses, so it is applied while the caller waits, when all records before it
 * have been used. The caller's functions (see perffile_set_tick(), perffile_set_wait()) are called
 * by the caller's thread, while it waits for records. So everything happens in the order in which
 * it happens without the thread.
 *
 * The caller may hold batches that it has passed, for others to use. While the thread waits for
 * room, it does work of the caller's, and so does the caller while it waits for a batch.
 */
#ifndef READPERF_PERFFILE_AHEAD_H
#define READPERF_PERFFILE_AHEAD_H

#include "perffile/record.h"
#include "perffile/record/raw.h"
#include "perffile/work.h"
#include "util/error.h"

#include <stdbool.h>
#include <stdint.h>

struct ahead;
struct perffile;

/**
 * Starts a thread that reads @file on, as file->ahead: nothing but the functions below may read the
 * recording from now on. If samples are compressed, plain and without call chains, the second of
 * two threads only unpacks them, and there is no file->ahead; with more threads, another one
 * unpacks. If memory or threads are out, does nothing.
 */
void ahead_start(struct perffile *file);

/** As perffile_is_work_to_read(). */
bool ahead_is_work(const struct perffile *file);

/**
 * Waits until something can be taken without waiting. Returns 1, 0 at the end, -1 with @err filled;
 * what framing has counted until then is added to the counts of the file.
 */
int ahead_await(struct ahead *ahead, struct error *err);

/** After ahead_await(): whether a plain sample comes next that the thread has decoded. */
bool ahead_has_plain(const struct ahead *ahead);

/** Takes the decoded samples that come next. They are valid until another is waited for. */
void ahead_take_plain(struct ahead *ahead, struct plain_samples *samples);

/** As sequence_next(); what framing has counted until then is added to the counts of the file. */
int ahead_next(struct ahead *ahead, struct raw_stretch *stretch, struct error *err);

/** Whether ahead_next() can return without asking the thread. */
bool ahead_is_at_hand(const struct ahead *ahead);

/** As perffile_bytes_read(), when the batch of the current record was complete. */
uint64_t ahead_bytes_read(const struct ahead *ahead);

/** As the functions of perffile.h. */
uint64_t ahead_batch(const struct ahead *ahead);
void ahead_hold(struct ahead *ahead);
void ahead_let_go(struct ahead *ahead, uint64_t batch);
void ahead_end_work(struct ahead *ahead);
void ahead_wake(struct ahead *ahead);
bool ahead_is_free(struct ahead *ahead);

/** Ends the thread, and frees @ahead. NULL is fine. */
void ahead_stop(struct ahead *ahead);

#endif

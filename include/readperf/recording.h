/*
 * Recordings: opens what perf record wrote, and returns its records in the order of time.
 *
 *	#include <readperf/recording.h>
 *	#include <stdio.h>
 *
 *	int main(int argc, char **argv)
 *	{
 *		const struct readperf_record *record;
 *		struct readperf_recording *recording;
 *		struct readperf_error err;
 *		unsigned long nr = 0;
 *		int rc = -1;
 *
 *		recording = readperf_recording_open(argc > 1 ? argv[1] : "perf.data", &err);
 *		while (recording && (rc = readperf_recording_next(recording, &record, &err)) > 0)
 *			nr++;
 *		rc < 0 ? puts(err.text) : printf("%lu records\n", nr);
 *		readperf_recording_close(recording);
 *		return rc < 0;
 *	}
 */
#ifndef READPERF_RECORDING_H
#define READPERF_RECORDING_H

#include <readperf/error.h>
#include <readperf/record.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct readperf_recording;
struct readperf_event;

/**
 * Opens the recording at @path: a file (also packed by bzip2, gzip, xz or zstd), a directory, a
 * FIFO, or "-" for standard input. Of a stream nothing is read before readperf_recording_next();
 * until then it has no events. Returns NULL with @err filled if it cannot be used. The caller
 * closes it with readperf_recording_close().
 */
READPERF_API struct readperf_recording *readperf_recording_open(const char *path,
								struct readperf_error *err);

/**
 * As readperf_recording_open() for the open file @fd, which stays the caller's and may be closed at
 * once; @name stands in messages. A file is read from its start. Tables do not tell its run, for
 * which they need a path.
 */
READPERF_API struct readperf_recording *readperf_recording_open_fd(int fd, const char *name,
								   struct readperf_error *err);

/**
 * As readperf_recording_open() for the @len bytes at @bytes, which are copied; @name stands in
 * messages. Tables do not tell its run.
 */
READPERF_API struct readperf_recording *readperf_recording_open_memory(const void *bytes,
								       size_t len, const char *name,
								       struct readperf_error *err);

/**
 * Sets *@record to the next record in the order of time; records without a time come where they are
 * in the file. The recording owns it; it is valid until the next call. Returns 1, 0 at the end, -1
 * with @err filled. Damaged records are skipped and counted. Of a stream that broke off the records
 * that came are returned before the error.
 */
READPERF_API int readperf_recording_next(struct readperf_recording *recording,
					 const struct readperf_record **record,
					 struct readperf_error *err);

/**
 * Sets *@records to the next records, @room of them at most, and fewer at will: as
 * readperf_recording_next() for each, but all are valid until the next call. Returns how many, 0 at
 * the end, -1 with @err filled; records before an error are returned first. What the recording says
 * of itself may be ahead of the records by a batch.
 */
READPERF_API long readperf_recording_next_batch(struct readperf_recording *recording,
						const struct readperf_record **records, size_t room,
						struct readperf_error *err);

/**
 * Has the records come as they are in the file (of a directory: its files one after the other)
 * instead of in the order of time; none is late then. Call it before the first record. A replay
 * wants the order of time.
 */
READPERF_API void readperf_recording_keep_order(struct readperf_recording *recording);

/**
 * Sets the function that waits for the data of a stream: @wait(@arg, descriptor) is called before a
 * read that would block. It returns 1 when there may be something to read, or 0 to end the stream
 * here: the records so far are then still returned. Without it readperf_recording_next() blocks.
 */
READPERF_API void readperf_recording_set_wait(struct readperf_recording *recording,
					      int (*wait)(void *arg, int fd), void *arg);

/** Ends the recording here: the records read so far are still returned. */
READPERF_API void readperf_recording_stop(struct readperf_recording *recording);

/** Returns 1 if records come from a stream, else 0. */
READPERF_API int readperf_recording_is_stream(const struct readperf_recording *recording);

/** Closes @recording and frees all that it owns. NULL is fine. */
READPERF_API void readperf_recording_close(struct readperf_recording *recording);

/* ---- what it says of itself ------------------------------------------------------------------ */

/** Texts of the header; newer versions may add some. */
enum readperf_header_text {
	READPERF_HEADER_HOSTNAME = 1,
	READPERF_HEADER_RELEASE = 2, /* of the kernel */
	READPERF_HEADER_MACHINE = 3, /* "x86_64" */
	READPERF_HEADER_VERSION = 4, /* of perf */
	READPERF_HEADER_CPUID = 5,
};

/**
 * Returns a text of the header, which the recording owns until it is closed; NULL if it does not
 * have it (a stream: yet).
 */
READPERF_API const char *readperf_recording_header(const struct readperf_recording *recording,
						   int which);

/**
 * Sets *@wall to the time of day, in ns since 1970, when the recording's clock stood at @time.
 * Returns 1; 0, with *@wall 0, if the recording does not relate them (a stream: yet).
 */
READPERF_API int readperf_recording_wall_time(const struct readperf_recording *recording,
					      uint64_t time, int64_t *wall);

/** Facts: all optional sections of the header as pairs of key and value, as in the table header. */
struct readperf_facts;

/**
 * Reads the optional sections (of a stream: those so far). The caller frees the result with
 * readperf_facts_free(). NULL with @err filled if memory is out.
 */
READPERF_API struct readperf_facts *readperf_facts_read(const struct readperf_recording *recording,
							struct readperf_error *err);

/** Returns how many pairs there are. */
READPERF_API size_t readperf_facts_count(const struct readperf_facts *facts);

/** Returns the key of the pair with @number from 0, which @facts owns; NULL if there is none. */
READPERF_API const char *readperf_facts_key(const struct readperf_facts *facts, size_t number);

/** Returns the value of the pair with @number from 0, which @facts owns; NULL if there is none. */
READPERF_API const char *readperf_facts_value(const struct readperf_facts *facts, size_t number);

/** Frees @facts. NULL is fine. */
READPERF_API void readperf_facts_free(struct readperf_facts *facts);

/** Returns the number of build ids in the header (of a stream: so far). */
READPERF_API size_t readperf_recording_nr_build_ids(const struct readperf_recording *recording);

/**
 * Returns the path of the build id with @number from 0, which the recording owns until the next
 * record, and sets *@bytes and *@len to the id. NULL if there is none.
 */
READPERF_API const char *readperf_recording_build_id(const struct readperf_recording *recording,
						     size_t number, const unsigned char **bytes,
						     size_t *len);

/** What was lost or could not be read; newer versions may add some. */
enum readperf_count {
	READPERF_COUNT_LOST = 1,      /* records that the kernel dropped */
	READPERF_COUNT_DAMAGED = 2,   /* records that were skipped */
	READPERF_COUNT_LATE = 3,      /* records older than one returned before them */
	READPERF_COUNT_TRUNCATED = 4, /* bytes of incomplete records at the end */
	READPERF_COUNT_MISSING = 5,   /* bytes of the data that are not in the file */
};

/** Returns a count, complete once readperf_recording_next() has returned 0; 0 if unknown. */
READPERF_API uint64_t readperf_recording_count(const struct readperf_recording *recording,
					       int which);

/* ---- events ---------------------------------------------------------------------------------- */

/** Returns the number of events so far. */
READPERF_API size_t readperf_recording_nr_events(const struct readperf_recording *recording);

/** Returns the event with @number from 0, which the recording owns; NULL if there is none. */
READPERF_API const struct readperf_event *
readperf_recording_event(const struct readperf_recording *recording, size_t number);

/** Returns the name as perf prints it; the recording owns it. */
READPERF_API const char *readperf_event_name(const struct readperf_event *event);

/** Returns the number of the event in its recording. */
READPERF_API size_t readperf_event_number(const struct readperf_event *event);

/** Members of perf_event_attr, named as there; newer versions may add some. */
enum readperf_attr {
	READPERF_ATTR_TYPE = 1,
	READPERF_ATTR_CONFIG = 2,
	READPERF_ATTR_SAMPLE_PERIOD = 3, /* a frequency if bit 10 of the flags is set */
	READPERF_ATTR_SAMPLE_TYPE = 4,
	READPERF_ATTR_READ_FORMAT = 5,
	READPERF_ATTR_FLAGS = 6, /* the bits from "disabled" on */
	READPERF_ATTR_BRANCH_SAMPLE_TYPE = 7,
	READPERF_ATTR_SAMPLE_REGS_USER = 8,
	READPERF_ATTR_SAMPLE_REGS_INTR = 9,
	READPERF_ATTR_CONFIG1 = 10,
	READPERF_ATTR_CONFIG2 = 11,
};

/** Returns a member of the event's attr; 0 if the recording does not have it. */
READPERF_API uint64_t readperf_event_attr(const struct readperf_event *event, int which);

#ifdef __cplusplus
}
#endif

#endif

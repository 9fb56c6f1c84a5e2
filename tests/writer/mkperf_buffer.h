/* What the files of the recording writer share. */
#ifndef READPERF_TESTS_WRITER_MKPERF_BUFFER_H
#define READPERF_TESTS_WRITER_MKPERF_BUFFER_H

#include "tests/writer/mkperf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mkperf_buffer {
	uint8_t *bytes;
	size_t len, room;
};

struct mkperf {
	struct mkperf_options options;
	struct mkperf_event *events; /* ids and names are ours */
	size_t nr_events, events_room;
	struct mkperf_buffer streams[MKPERF_STREAMS]; /* the records; [0] is beside the header */
	struct mkperf_buffer *data;		      /* the one that they go to now */
	struct mkperf_buffer last;		      /* features that come behind all records */
	struct mkperf_buffer features[MKPERF_FEATURE_MAX]; /* by bit; a file only */
	bool has_feature[MKPERF_FEATURE_MAX];
	struct mkperf_buffer result;
	struct mkperf_buffer *out; /* where what is put goes */
	size_t begun;		   /* where in data the record under way starts */
	bool failed;
};

/** Puts words, zeros if @words is NULL. */
void mkperf_words(struct mkperf *m, const uint64_t *words, size_t nr);

/** Puts the perf_event_attr, cut to or padded with zeros up to the size that was asked for. */
void mkperf_attr(struct mkperf *m, const struct mkperf_event *event);

/** Puts what a pipe says about @event in place of the attrs section. */
void mkperf_event_records(struct mkperf *m, const struct mkperf_event *event);

/** Appends @len bytes, zeros if @bytes is NULL. False if memory is out. */
bool mkperf_buffer_add(struct mkperf_buffer *buffer, const void *bytes, size_t len);

/** Appends the records in @plain to @out, the kernel's packed as @packing says. */
bool mkperf_pack(struct mkperf_buffer *out, const struct mkperf_buffer *plain,
		 const struct mkperf_packing *packing, bool swap);

#endif

/*
 * Framing: a stream of bytes, taken block by block, cut into raw records.
 *
 * Where the bytes come from is the business of whoever makes the reader: a range of a file, a pipe,
 * or what compressed records hold.
 */
#ifndef READPERF_PERFFILE_ORDER_READER_H
#define READPERF_PERFFILE_ORDER_READER_H

#include "perffile/input/block.h"
#include "perffile/record/raw.h"
#include "util/error.h"
#include "util/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Puts up to @room next bytes at @to. Returns how many; 0 if there are none now; -1 with @err. */
typedef ssize_t (*reader_fill)(void *arg, uint8_t *to, size_t room, struct error *err);

enum reader_result {
	READER_ERROR = -1,
	READER_DRY = 0, /* the fill has no more bytes; what is left is no whole record */
	READER_RECORD = 1,
	READER_ODD = 2, /* what is at the next byte may be no record: recordsize.h */
};

struct record_sizes;

struct reader {
	struct block_pool *pool;
	struct block *block;  /* the one that is being cut up */
	size_t pos;	      /* in block->bytes, of the next record */
	uint64_t next_offset; /* file offset of the next byte that the fill gives */
	uint64_t skip;	      /* bytes to pass over before the next record */
	bool seeks;	      /* these are there and need not be filled in */
	uint64_t nr_filled;   /* bytes that the fill gave so far */
	uint64_t trusted;     /* of them, up to this one, records are what their sizes say */
	const struct record_sizes *sizes; /* borrowed */
	bool swap;
	bool packed;	       /* all bytes come from the compressed record at next_offset */
	struct source *origin; /* borrowed; has byte N at offset N, to be read again; or NULL */
	reader_fill fill;
	void *fill_arg;
};

/**
 * @pool, @sizes and @fill_arg must outlive the reader; @offset is the file offset of the first
 * byte.
 */
void reader_init(struct reader *reader, uint64_t offset, bool swap,
		 const struct record_sizes *sizes, struct block_pool *pool, reader_fill fill,
		 void *fill_arg);

/**
 * The next record, borrowed until the next call unless the caller refers to its block. With
 * READER_ODD nothing was taken; the reader can be told how to go on by reader_trust(),
 * reader_force() and reader_step().
 */
enum reader_result reader_next(struct reader *reader, struct raw_record *raw, struct error *err);

/** Bytes that were filled in and not yet cut into records. */
size_t reader_left(const struct reader *reader);

/** The bytes that were filled in and not yet cut into records; there are some. */
struct span reader_bytes(const struct reader *reader);

/**
 * Fills in more bytes behind them. Returns how many, 0 if the fill has none or there is no room for
 * more, which @full then says; -1 with @err filled.
 */
ssize_t reader_more(struct reader *reader, bool *full, struct error *err);

/** The next @len bytes are records, as far as they have the size of a header at least. */
void reader_trust(struct reader *reader, size_t len);

/** Whether it has been told so of the record that @raw is. */
bool reader_trusts(const struct reader *reader, const struct raw_record *raw);

/** Reads the header of the next record, which must have been filled in, without taking it. */
void reader_peek(const struct reader *reader, struct raw_record *raw);

/** Takes the next @size bytes, which must have been filled in, as a record, as reader_next(). */
void reader_force(struct reader *reader, struct raw_record *raw, uint16_t size);

/** Takes back the record @raw, the last that was given: it is next again. */
void reader_back(struct reader *reader, const struct raw_record *raw);

/** Goes on at byte @offset of what is filled from there, forgetting what was filled in. */
void reader_seek(struct reader *reader, uint64_t offset);

/** Passes over the next @len bytes, which must have been filled in. */
void reader_step(struct reader *reader, size_t len);

/** File offset of the next byte; of packed bytes, of the compressed record being read. */
uint64_t reader_offset(const struct reader *reader);

/** Bytes that have been cut into records or passed over. */
static inline uint64_t reader_place(const struct reader *reader)
{
	return reader->nr_filled - reader_left(reader);
}

/** Forgets the bytes that were filled in and not yet cut into records. */
void reader_drop(struct reader *reader);

/**
 * Takes the next @len bytes, which are no records, into @to.
 * Returns how many there were, fewer than @len only if the fill runs dry; -1 with @err filled.
 */
ssize_t reader_take(struct reader *reader, void *to, size_t len, struct error *err);

void reader_free(struct reader *reader);

#endif

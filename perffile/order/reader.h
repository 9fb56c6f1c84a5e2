/*
 * Framing: splits a stream of bytes, read block by block, into raw records.
 *
 * The fill function of a reader supplies the bytes: of a range of a file, a pipe, or compressed
 * records.
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

/** Puts up to @room next bytes at @to. Returns how many, 0 if there are none now, -1 with @err. */
typedef ssize_t (*reader_fill)(void *arg, uint8_t *to, size_t room, struct error *err);

/** Bytes from @from up to @to of @block, which follow those before. */
struct block_piece {
	struct block *block;
	size_t from, to;
};

/**
 * Sets *@piece to the next bytes, which may be none, in a block of the lender's; the reader takes a
 * reference. In the block of the piece before they follow that one, in another they begin at
 * READER_HEAD_BYTES. Returns 1, 0 if there are no more now, -1 with @err filled.
 */
typedef int (*reader_lend)(void *arg, struct block_piece *piece, struct error *err);

/* Room at the start of a block of packed bytes, for a record that the end of the block before cut.
 */
enum { READER_HEAD_BYTES = 64 * 1024 };

enum reader_result {
	READER_ERROR = -1,
	READER_DRY = 0, /* the fill has no more bytes; those left are not a whole record */
	READER_RECORD = 1,
	READER_ODD = 2, /* the next bytes may not be a record, see recordsize.h */
};

struct record_sizes;

struct reader {
	struct block_pool *pool;
	struct block *block;  /* the one being framed */
	size_t pos;	      /* in block->bytes, of the next record */
	uint64_t next_offset; /* file offset of the next byte to be filled in */
	uint64_t skip;	      /* bytes to skip before the next record */
	bool seeks;	      /* seek over these bytes, do not read them */
	uint64_t nr_filled;   /* bytes filled in so far */
	uint64_t trusted;     /* up to this count of bytes filled in, record sizes are trusted */
	const struct record_sizes *sizes; /* borrowed */
	bool swap;
	bool packed;	       /* all bytes come from the compressed record at next_offset */
	struct source *origin; /* borrowed; has byte N at offset N, to read it again; or NULL */
	reader_fill fill;
	reader_lend lend; /* in place of the fill; NULL: none */
	void *fill_arg;	  /* for both */
};

/**
 * Sets up @reader; @offset is the file offset of the first byte. @pool, @sizes and @fill_arg must
 * outlive the reader.
 */
void reader_init(struct reader *reader, uint64_t offset, bool swap,
		 const struct record_sizes *sizes, struct block_pool *pool, reader_fill fill,
		 void *fill_arg);

/**
 * Reads the next record, valid until the next call unless the caller takes a reference to its
 * block. With READER_ODD no bytes were taken; reader_trust(), reader_force() and reader_step() tell
 * the reader how to go on.
 */
enum reader_result reader_next(struct reader *reader, struct raw_record *raw, struct error *err);

/** Samples that follow each other in a block, in order. */
struct sample_stretch {
	uint64_t nr, time; /* number, and time of the last, ns */
	uint32_t len;	   /* bytes */
	uint16_t size;	   /* bytes of each; 0: they differ */
};

/**
 * Takes the samples that are next, as far as reader_next() would return them, their time is at byte
 * @time_at of each, and none is earlier than stretch->time, which is that of the record before.
 * Sets
 * *@stretch to them.
 */
void reader_stretch(struct reader *reader, uint16_t time_at, struct sample_stretch *stretch);

/** Number of bytes filled in and not yet framed. */
size_t reader_left(const struct reader *reader);

/** The bytes filled in and not yet framed; there must be some. */
struct span reader_bytes(const struct reader *reader);

/**
 * Fills in more bytes after these. Returns how many, 0 if the fill has none or, with *@full set, if
 * there is no room, -1 with @err filled.
 */
ssize_t reader_more(struct reader *reader, bool *full, struct error *err);

/** Accepts the next @len bytes as records by their sizes, except sizes less than a header's. */
void reader_trust(struct reader *reader, size_t len);

/** Whether reader_trust() covered @raw, the last record taken. */
bool reader_trusts(const struct reader *reader, const struct raw_record *raw);

/** Reads the header of the next record, which must have been filled in, without taking it. */
void reader_peek(const struct reader *reader, struct raw_record *raw);

/** Takes the next @size bytes, which must have been filled in, as a record, like reader_next(). */
void reader_force(struct reader *reader, struct raw_record *raw, uint16_t size);

/** Puts back @raw, the last record taken: it is next again. */
void reader_back(struct reader *reader, const struct raw_record *raw);

/** Drops the bytes filled in and continues at file offset @offset. */
void reader_seek(struct reader *reader, uint64_t offset);

/** Skips the next @len bytes, which must have been filled in. */
void reader_step(struct reader *reader, size_t len);

/** File offset of the next byte; for packed bytes, of the compressed record being read. */
uint64_t reader_offset(const struct reader *reader);

/** Number of bytes framed or skipped so far. */
static inline uint64_t reader_place(const struct reader *reader)
{
	return reader->nr_filled - reader_left(reader);
}

/** Drops the bytes filled in and not yet framed. */
void reader_drop(struct reader *reader);

/**
 * Copies the next @len bytes, which are not records, to @to. Returns how many, fewer than @len only
 * if the fill runs dry, or -1 with @err filled.
 */
ssize_t reader_take(struct reader *reader, void *to, size_t len, struct error *err);

void reader_free(struct reader *reader);

#endif

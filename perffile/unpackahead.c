#include "perffile/unpackahead.h"

#include "perffile/order/compressed.h"
#include "perffile/record.h"
#include "perffile/record/recordsize.h"
#include "util/apart.h"
#include "util/codec/codec.h"
#include "util/thread.h"

#include <pthread.h>
#include <stdlib.h>

enum {
	NR_BLOCKS = 8,	/* that wait to be filled or framed: as many as stay in the cache */
	NR_PIECES = 64, /* that wait to be framed: there may be many in a block */
};

/* What a record has in one block. */
struct piece {
	uint64_t offset; /* of the record in the file */
	struct block_piece bytes;
	size_t nr_left; /* packed bytes of the record that are still to be unpacked */
	bool last;	/* of the record */
	enum codec_result result;
};

struct unpackahead {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t to_caller, to_thread;
	/* Both use what follows, with the lock: two rings. */
	struct piece pieces[NR_PIECES];
	uint64_t nr_put, nr_taken;
	struct block *blocks[NR_BLOCKS]; /* a reference to each */
	uint64_t nr_given, nr_begun;	 /* by the caller, and by the thread */
	bool caller_waits, thread_waits;
	bool stops;		    /* the caller wants no more */
	bool ended;		    /* the thread puts no more */
	struct apart before_thread; /* what follows is the thread's */
	struct source *source;
	uint64_t end_offset;
	struct block_pool pool; /* of the packed bytes */
	struct reader reader;
	void *zstd;
	struct block *filling;	    /* NULL: none yet */
	size_t used;		    /* bytes of it */
	struct apart before_caller; /* what follows is the caller's */
	struct block_pool *blocks_of;
	struct block *lent; /* the block of the piece that was taken last; NULL: none */
	uint64_t nr_ended;  /* blocks whose reference was given back */
	bool open;	    /* a record is */
};

/* ---- the thread ------------------------------------------------------------------------------ */

/* Whether there is room for a piece and, if it @needs_block, a block for it. */
static bool has_room(const struct unpackahead *ahead, bool needs_block)
{
	return ahead->nr_put - ahead->nr_taken < NR_PIECES &&
	       (!needs_block || ahead->nr_begun < ahead->nr_given);
}

/* Waits until there is room. Returns false if the caller wants no more. With the lock. */
static bool await_room(struct unpackahead *ahead, bool needs_block)
{
	while (!ahead->stops && !has_room(ahead, needs_block)) {
		if (ahead->caller_waits)
			pthread_cond_signal(&ahead->to_caller);
		ahead->thread_waits = true;
		pthread_cond_wait(&ahead->to_thread, &ahead->lock);
		ahead->thread_waits = false;
	}
	return !ahead->stops;
}

/* Begins the next block if the one before is full. Returns false if the caller wants no more. */
static bool begin_piece(struct unpackahead *ahead)
{
	const bool needs_block = !ahead->filling || ahead->used == BLOCK_BYTES;
	bool goes_on;

	pthread_mutex_lock(&ahead->lock);
	goes_on = await_room(ahead, needs_block);
	if (goes_on && needs_block) {
		ahead->filling = ahead->blocks[ahead->nr_begun++ % NR_BLOCKS];
		ahead->used = READER_HEAD_BYTES;
	}
	pthread_mutex_unlock(&ahead->lock);
	return goes_on;
}

/* Few long waits cost less than many short ones. */
static bool are_many(const struct unpackahead *ahead)
{
	return ahead->nr_put - ahead->nr_taken >= NR_PIECES / 2 ||
	       ahead->nr_begun + NR_BLOCKS / 2 >= ahead->nr_given;
}

static void put_piece(struct unpackahead *ahead, const struct piece *piece)
{
	bool wakes;

	pthread_mutex_lock(&ahead->lock);
	ahead->pieces[ahead->nr_put++ % NR_PIECES] = *piece;
	wakes = ahead->caller_waits && are_many(ahead);
	pthread_mutex_unlock(&ahead->lock);
	if (wakes)
		pthread_cond_signal(&ahead->to_caller);
}

/* Unpacks bytes of the record of @piece from *@in on into the block. */
static void unpack_piece(struct unpackahead *ahead, struct piece *piece, const uint8_t **in)
{
	uint8_t *out = ahead->filling->bytes + ahead->used;
	size_t room = BLOCK_BYTES - ahead->used, before;

	do {
		before = piece->nr_left + room;
		piece->result = codec_zstd.unpack(ahead->zstd, in, &piece->nr_left, &out, &room);
		piece->last = piece->result == CODEC_NOMEM || piece->result == CODEC_DAMAGED ||
			      before == piece->nr_left + room;
	} while (!piece->last && room > 0);
	piece->bytes = (struct block_piece){ahead->filling, ahead->used, BLOCK_BYTES - room};
	ahead->used = BLOCK_BYTES - room;
}

/* Unpacks the compressed record @raw. Returns false if nothing can be unpacked after it. */
static bool unpack_record(struct unpackahead *ahead, const struct raw_record *raw)
{
	const struct span bytes = compressed_bytes(raw, ahead->reader.swap);
	struct piece piece = {.offset = raw_file_offset(raw), .nr_left = span_left(&bytes)};
	const uint8_t *in = bytes.pos;

	do {
		if (!begin_piece(ahead))
			return false;
		unpack_piece(ahead, &piece, &in);
		put_piece(ahead, &piece);
	} while (!piece.last);
	return piece.result != CODEC_NOMEM && piece.result != CODEC_DAMAGED;
}

static ssize_t fill(void *arg, uint8_t *to, size_t room, struct error *err)
{
	struct unpackahead *ahead = arg;
	const uint64_t offset = ahead->reader.next_offset;

	if (room > ahead->end_offset - offset)
		room = (size_t)(ahead->end_offset - offset);
	return room ? source_read(ahead->source, offset, to, room, err) : 0;
}

/* Whether a record follows @raw, the last one taken, for sure. If it is to be framed again, because
 * the next bytes were not there, *@again is set. */
static bool is_followed(struct unpackahead *ahead, const struct raw_record *raw, bool *again)
{
	struct raw_record next;
	struct error err;
	bool full;

	*again = reader_left(&ahead->reader) < RECORD_HEADER_BYTES;
	if (*again) {
		reader_back(&ahead->reader, raw);
		return reader_more(&ahead->reader, &full, &err) > 0;
	}
	reader_peek(&ahead->reader, &next);
	return record_sizes_allow(ahead->reader.sizes, next.type, next.size);
}

/* Goes past @raw. Returns false if the caller may not do the same. */
static bool pass_record(struct unpackahead *ahead, const struct raw_record *raw)
{
	bool again;

	if (!compressed_is(raw))
		return raw->type < RECORD_USER_FIRST || raw->type == RECORD_FINISHED_ROUND;
	if (!is_followed(ahead, raw, &again))
		return false;
	return again || unpack_record(ahead, raw);
}

static void *run(void *arg)
{
	struct unpackahead *ahead = arg;
	struct raw_record raw;
	struct error err;

	while (reader_next(&ahead->reader, &raw, &err) == READER_RECORD && pass_record(ahead, &raw))
		;
	pthread_mutex_lock(&ahead->lock);
	ahead->ended = true;
	pthread_mutex_unlock(&ahead->lock);
	pthread_cond_signal(&ahead->to_caller);
	return NULL;
}

/* ---- the caller ------------------------------------------------------------------------------ */

/* Gives the thread as many blocks as it may have. Returns false if memory is out. */
static bool give_blocks(struct unpackahead *ahead)
{
	while (ahead->nr_given - ahead->nr_ended < NR_BLOCKS) {
		struct block *block = block_get(ahead->blocks_of, true);

		if (!block)
			return false;
		block_leave_out(ahead->blocks_of, block);
		pthread_mutex_lock(&ahead->lock);
		ahead->blocks[ahead->nr_given++ % NR_BLOCKS] = block;
		pthread_mutex_unlock(&ahead->lock);
	}
	return true;
}

static void free_all(struct unpackahead *ahead)
{
	for (uint64_t i = ahead->nr_ended; i < ahead->nr_given; i++) {
		struct block *block = ahead->blocks[i % NR_BLOCKS];

		if (block != ahead->lent)
			block_count(ahead->blocks_of, block);
		block_put(ahead->blocks_of, block);
	}
	reader_free(&ahead->reader);
	block_pool_trim(&ahead->pool);
	pthread_cond_destroy(&ahead->to_caller);
	pthread_cond_destroy(&ahead->to_thread);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}

/* The first block is the one that the caller has, as far as it has room. */
static void take_block(struct unpackahead *ahead, struct block *block)
{
	if (!block || block->len == BLOCK_BYTES)
		return;
	ahead->blocks[0] = ahead->filling = ahead->lent = block_ref(block);
	ahead->used = block->len;
	ahead->nr_given = ahead->nr_begun = 1;
}

struct unpackahead *unpackahead_start(const struct unpackahead_start *start)
{
	struct unpackahead *ahead = calloc(1, sizeof(*ahead));

	if (!ahead)
		return NULL;
	ahead->source = start->source;
	ahead->end_offset = start->end_offset;
	ahead->zstd = start->zstd;
	ahead->blocks_of = start->pool;
	reader_init(&ahead->reader, start->offset, start->swap, start->sizes, &ahead->pool, fill,
		    ahead);
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->to_caller, NULL);
	pthread_cond_init(&ahead->to_thread, NULL);
	take_block(ahead, start->block);
	if (give_blocks(ahead) && thread_start(&ahead->thread, run, ahead))
		return ahead;
	free_all(ahead);
	return NULL;
}

/* Waits for the next piece, and copies it to @piece. Returns false if there will be none. */
static bool await_piece(struct unpackahead *ahead, struct piece *piece)
{
	bool any;

	pthread_mutex_lock(&ahead->lock);
	ahead->caller_waits = true;
	while (ahead->nr_put == ahead->nr_taken && !ahead->ended)
		pthread_cond_wait(&ahead->to_caller, &ahead->lock);
	ahead->caller_waits = false;
	any = ahead->nr_put != ahead->nr_taken;
	if (any)
		*piece = ahead->pieces[ahead->nr_taken % NR_PIECES];
	pthread_mutex_unlock(&ahead->lock);
	return any;
}

bool unpackahead_open(struct unpackahead *ahead, uint64_t offset)
{
	struct piece piece;

	ahead->open = await_piece(ahead, &piece) && piece.offset == offset;
	return ahead->open;
}

/* Notes that the caller takes @piece, and goes on to its block. False if memory is out. */
static bool take_piece(struct unpackahead *ahead, const struct piece *piece)
{
	bool wakes;

	if (piece->bytes.block != ahead->lent) {
		if (ahead->lent)
			block_put(ahead->blocks_of, ahead->blocks[ahead->nr_ended++ % NR_BLOCKS]);
		ahead->lent = piece->bytes.block;
		block_count(ahead->blocks_of, ahead->lent);
		if (!give_blocks(ahead))
			return false;
	}
	pthread_mutex_lock(&ahead->lock);
	ahead->nr_taken++;
	wakes = ahead->thread_waits && ahead->nr_put - ahead->nr_taken <= NR_PIECES / 2 &&
		ahead->nr_given - ahead->nr_begun >= NR_BLOCKS / 2;
	pthread_mutex_unlock(&ahead->lock);
	if (wakes)
		pthread_cond_signal(&ahead->to_thread);
	return true;
}

int unpackahead_lend(struct unpackahead *ahead, struct block_piece *bytes, size_t *nr_left,
		     bool *damaged, struct error *err)
{
	struct piece piece;

	if (!ahead->open || !await_piece(ahead, &piece))
		return 0;
	if (!take_piece(ahead, &piece) || piece.result == CODEC_NOMEM)
		return error_nomem(err, "unpacking compressed records");
	ahead->open = !piece.last;
	*bytes = piece.bytes;
	*nr_left = piece.nr_left;
	*damaged = piece.result == CODEC_DAMAGED;
	return 1;
}

bool unpackahead_end(struct unpackahead *ahead)
{
	bool took_all;

	pthread_mutex_lock(&ahead->lock);
	ahead->stops = true;
	pthread_mutex_unlock(&ahead->lock);
	pthread_cond_signal(&ahead->to_thread);
	pthread_join(ahead->thread, NULL);
	took_all = ahead->nr_put == ahead->nr_taken && !ahead->open;
	free_all(ahead);
	return took_all;
}

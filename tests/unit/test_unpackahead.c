/* A thread that unpacks ahead: the same records, whatever is compressed how, damaged or cut off. */
#include "perffile/unpackahead.h"
#include "perffile/format.h"
#include "perffile/perffile.h"
#include "perffile/record/recordsize.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"
#include "util/codec/codec.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NR_SAMPLES = 60500, ROUND = 1000, ID = 7, DATA_OFFSET = 40 };

/* How it is compressed, and where the event gets another name (0: never). */
struct shape {
	struct mkperf_packing packing;
	uint64_t renamed_at;
};

static const struct shape shapes[] = {
	{{.type = MKPERF_RECORD_COMPRESSED}, 0},
	{{.type = MKPERF_RECORD_COMPRESSED2, .flush = 300000}, 0},
	{{.type = MKPERF_RECORD_COMPRESSED, .flush = 50}, 0},
	{{.type = MKPERF_RECORD_COMPRESSED2, .flush = 20000, .cut = 9}, 0},
	{{.type = MKPERF_RECORD_COMPRESSED, .flush = 3000, .straddle = true}, 0},
	{{.type = MKPERF_RECORD_COMPRESSED2, .flush = 7000, .bad_size = true}, 0},
	{{.type = MKPERF_RECORD_COMPRESSED, .flush = 5000}, NR_SAMPLES / 2},
};

enum { NR_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static void rename_event(struct mkperf *m)
{
	mkperf_begin(m, MKPERF_RECORD_EVENT_UPDATE, 0);
	mkperf_u64(m, 2);
	mkperf_u64(m, ID);
	mkperf_string(m, "renamed");
	mkperf_end(m);
}

/* Samples of a few threads, and a name of one now and then, which has another size. */
static struct mkperf *make(const struct shape *shape)
{
	static const uint64_t ids[] = {ID};
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.packing = shape->packing});

	mkperf_event(m, &(struct mkperf_event){.name = "first",
					       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							      PERF_SAMPLE_TIME,
					       .sample_period = 1,
					       .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					       .ids = ids,
					       .nr_ids = 1});
	for (uint64_t i = 0; i < NR_SAMPLES; i++) {
		mkperf_sample(m, &(struct mkperf_sample){.pid = 1,
							 .tid = (uint32_t)(i / 100 % 5),
							 .ip = i * i % 7919,
							 .time = 1000 + (i ^ 21)});
		if (i % 777 == 0)
			mkperf_comm(m, &(struct mkperf_id){.time = 1000 + i}, 0, 1, 1, "name");
		if (i % ROUND == ROUND - 1)
			mkperf_round(m);
		if (i + 1 == shape->renamed_at)
			rename_event(m);
	}
	return m;
}

/* What comes of a recording, in order, and what was counted. */
struct seen {
	uint64_t sum;
	size_t nr;     /* plain samples */
	uint64_t cold; /* bytes that left memory */
	struct perffile_counts counts;
};

static void add_plain(struct seen *seen, const struct plain_samples *samples)
{
	const struct plain_sample *sample = samples->samples;

	for (size_t i = 0; i < samples->nr; i++)
		seen->sum = (seen->sum * 31 + sample[i].ip) * 31 + sample[i].time;
	seen->nr += samples->nr;
}

/* Reads the @len bytes at @bytes, with little @memory or as much as it takes (0); from the first
 * record on threads may help, if there are some. */
static struct seen read_all(const void *bytes, size_t len, size_t memory, size_t nr_threads)
{
	struct error err = {0};
	struct perffile *file = recording_open_bytes(bytes, len, &err);
	struct plain_samples samples;
	const struct record *rec = NULL;
	struct seen seen = {0};
	int rc;

	ck_assert_msg(file != NULL, "%s", err.text);
	if (memory)
		perffile_set_memory(file, memory);
	perffile_set_work(file, nr_threads, NULL, NULL);
	do {
		while ((rc = perffile_next_plain(file, &samples, &err)) > 0)
			add_plain(&seen, &samples);
		ck_assert_msg(rc == 0, "%s", err.text);
		if (!rec && nr_threads > 1)
			perffile_read_ahead(file);
		rec = recording_next(file);
		if (rec)
			seen.sum = (seen.sum * 31 + rec->type) * 31 +
				   (rec->type == RECORD_SAMPLE ? rec->sample.ip : rec->time);
	} while (rec);
	seen.cold = perffile_bytes_cold(file);
	seen.counts = *perffile_counts(file);
	perffile_close(file);
	return seen;
}

static void compare_with(const void *bytes, size_t len, size_t memory)
{
	const struct seen singly = read_all(bytes, len, memory, 1);

	for (size_t nr_threads = 2; nr_threads <= 3; nr_threads++) {
		const struct seen seen = read_all(bytes, len, memory, nr_threads);

		ck_assert_uint_eq(seen.sum, singly.sum);
		ck_assert_uint_eq(seen.nr, singly.nr);
		ck_assert_uint_eq(seen.cold, singly.cold);
		ck_assert(!memory || seen.cold > 0);
		ck_assert_mem_eq(&seen.counts, &singly.counts, sizeof(seen.counts));
	}
}

static void compare(const void *bytes, size_t len)
{
	compare_with(bytes, len, 0);
}

START_TEST(same_records)
{
	struct mkperf *m = make(&shapes[_i]);
	size_t len;
	const uint8_t *bytes = mkperf_finish(m, &len);

	compare(bytes, len);
	compare_with(bytes, len, 1);
	ck_assert_uint_eq(read_all(bytes, len, 0, 2).nr, NR_SAMPLES);
	mkperf_free(m);
}
END_TEST

/* Bytes that are changed, and an end anywhere: in headers of compressed records and within them. */
START_TEST(same_damage)
{
	struct mkperf *m = make(&shapes[_i]);
	size_t len;
	const uint8_t *whole = mkperf_finish(m, &len);
	uint8_t *bytes = malloc(len);

	for (size_t at = len / 9; at < len; at += len / 9 + 1) {
		memcpy(bytes, whole, len);
		bytes[at] ^= 0x55;
		compare(bytes, len);
		memset(bytes + at, 0xff, at % 200);
		compare(bytes, len);
		compare(whole, at);
	}
	free(bytes);
	mkperf_free(m);
}
END_TEST

/* ---- the thread itself ----------------------------------------------------------------------- */

/* A recording whose records are gone through one by one. */
struct walk {
	const uint8_t *bytes;
	uint64_t offset, end;
	void *theirs;	    /* the thread's decoder */
	void *ours;	    /* unpacks each record again, to compare */
	size_t nr_unpacked; /* by the thread */
	uint32_t before;    /* type of the record before */
};

static struct perf_event_header header_at(const struct walk *walk)
{
	struct perf_event_header header;

	memcpy(&header, walk->bytes + walk->offset, sizeof(header));
	return header;
}

/* Unpacks the record where @walk is; the caller frees it. */
static uint8_t *unpack(struct walk *walk, size_t *len)
{
	enum { ROOM = 1 << 20 };
	const struct perf_event_header header = header_at(walk);
	const uint8_t *in = walk->bytes + walk->offset + sizeof(header);
	size_t left = header.size - sizeof(header), room = ROOM;
	uint8_t *bytes = malloc(ROOM), *out = bytes;

	ck_assert_int_ne(codec_zstd.unpack(walk->ours, &in, &left, &out, &room), CODEC_DAMAGED);
	ck_assert_uint_eq(left, 0);
	*len = ROOM - room;
	return bytes;
}

/* The thread has unpacked the record where @walk is, in pieces that follow each other. */
static void compare_record(struct walk *walk, struct unpackahead *ahead, struct block_piece *last)
{
	size_t len, at = 0, nr_left = 0;
	uint8_t *bytes = unpack(walk, &len);
	struct block_piece piece;
	bool damaged = false;
	struct error err;

	while (unpackahead_lend(ahead, &piece, &nr_left, &damaged, &err) > 0) {
		ck_assert_uint_eq(piece.from,
				  piece.block == last->block ? last->to : READER_HEAD_BYTES);
		ck_assert_mem_eq(piece.block->bytes + piece.from, bytes + at,
				 piece.to - piece.from);
		at += piece.to - piece.from;
		*last = piece;
	}
	ck_assert_uint_eq(at, len);
	ck_assert_uint_eq(nr_left, 0);
	ck_assert(!damaged);
	walk->nr_unpacked++;
	free(bytes);
}

/* Goes through the recording until the thread has stopped. */
static void follow(struct walk *walk, struct unpackahead *ahead)
{
	struct block_piece last = {0};

	while (walk->offset < walk->end) {
		const struct perf_event_header header = header_at(walk);

		if (header.type == RECORD_COMPRESSED) {
			if (!unpackahead_open(ahead, walk->offset))
				return;
			compare_record(walk, ahead, &last);
		}
		walk->before = header.type;
		walk->offset += header.size;
	}
}

/* Goes to the first compressed record of @m, saved as @path, and has a thread start there. */
static struct unpackahead *start(struct walk *walk, struct mkperf *m, struct source *source,
				 const struct record_sizes *sizes, struct block_pool *pool)
{
	struct error err = {0};
	size_t len;

	walk->bytes = mkperf_finish(m, &len);
	ck_assert(mkperf_save(m, "packed.data"));
	memcpy(&walk->offset, walk->bytes + DATA_OFFSET, sizeof(walk->offset));
	memcpy(&walk->end, walk->bytes + DATA_OFFSET + 8, sizeof(walk->end));
	walk->end += walk->offset;
	while (header_at(walk).type != RECORD_COMPRESSED)
		walk->offset += header_at(walk).size;
	ck_assert_int_eq(source_open(source, "packed.data", &err), 0);
	return unpackahead_start(&(struct unpackahead_start){.source = source,
							     .offset = walk->offset,
							     .end_offset = walk->end,
							     .sizes = sizes,
							     .zstd = walk->theirs,
							     .pool = pool});
}

/* Before the last record, which none follows, and before those behind one that renames the event.
 */
START_TEST(stops_before)
{
	const struct shape shape = {{.type = MKPERF_RECORD_COMPRESSED}, _i ? NR_SAMPLES / 2 : 0};
	struct mkperf *m = make(&shape);
	struct source source;
	struct record_sizes sizes;
	struct block_pool pool = {0};
	struct walk walk = {.ours = codec_zstd.create(), .theirs = codec_zstd.create()};
	struct unpackahead *ahead;

	record_sizes_init(&sizes);
	ahead = start(&walk, m, &source, &sizes, &pool);
	ck_assert_ptr_nonnull(ahead);
	follow(&walk, ahead);
	ck_assert(unpackahead_end(ahead));
	ck_assert_uint_eq(walk.nr_unpacked, _i ? 121 : 241);
	if (_i)
		ck_assert_uint_eq(walk.before, RECORD_EVENT_UPDATE);
	else
		ck_assert_uint_eq(walk.offset + header_at(&walk).size, walk.end);
	block_pool_trim(&pool);
	source_close(&source);
	codec_zstd.destroy(walk.ours);
	codec_zstd.destroy(walk.theirs);
	remove("packed.data");
	mkperf_free(m);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("unpackahead");
	TCase *tcase = tcase_create("unpackahead");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, same_records, 0, NR_SHAPES);
	tcase_add_loop_test(tcase, same_damage, 0, NR_SHAPES);
	tcase_add_loop_test(tcase, stops_before, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}

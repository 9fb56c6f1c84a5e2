/*
 * Damage among records: what is whole beside it is read, and what is not is counted by its cause,
 * with its place and its bytes.
 */
#include "tests/support/machine.h"
#include "tests/support/recording.h"
#include "tests/support/suite.h"

#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	NR_SAMPLES = 60,
	ROUND_EVERY = 20,
	MAX_RECORDS = 100,
	HEADER_BYTES = 8,
	FIRST_TIME = 1000000,
};

static const uint64_t ids[] = {71, 72};

/* A recording as bytes, with where each record starts. */
struct image {
	uint8_t *bytes;
	size_t len;
	size_t starts[MAX_RECORDS + 1]; /* the last one: where they end */
	size_t nr, first_kernel;	/* records, and those before the kernel's */
	bool swap;
};

static uint16_t swap16(const struct image *image, uint16_t value)
{
	return image->swap ? __builtin_bswap16(value) : value;
}

static uint16_t size_at(const struct image *image, size_t at)
{
	uint16_t size;

	memcpy(&size, image->bytes + at + 6, sizeof(size));
	return swap16(image, size);
}

static void put_size(struct image *image, size_t at, uint16_t size)
{
	size = swap16(image, size);
	memcpy(image->bytes + at + 6, &size, sizeof(size));
}

static void put_type(struct image *image, size_t at, uint32_t type)
{
	type = image->swap ? __builtin_bswap32(type) : type;
	memcpy(image->bytes + at, &type, sizeof(type));
}

/* What @m writes, whose records lie in bytes [start, end). */
static struct image image_of(struct mkperf *m, size_t start, size_t end, bool swap)
{
	struct image image = {.swap = swap};
	const uint8_t *bytes = mkperf_finish(m, &image.len);

	ck_assert_ptr_nonnull(bytes);
	image.bytes = malloc(image.len);
	ck_assert_ptr_nonnull(image.bytes);
	memcpy(image.bytes, bytes, image.len);
	for (size_t at = start; at < end; at += size_at(&image, at)) {
		ck_assert_uint_lt(image.nr, MAX_RECORDS);
		image.starts[image.nr++] = at;
	}
	image.starts[image.nr] = end;
	mkperf_free(m);
	return image;
}

static void put_sample(struct mkperf *m, uint64_t number, size_t nr_ips)
{
	static const uint64_t ips[] = {PERF_CONTEXT_USER, 0x401000, 0x402000, 0x403000};

	mkperf_sample(m, &(struct mkperf_sample){
				 .event = (unsigned)(number % 2),
				 .pid = 42,
				 .tid = 42,
				 .ip = 0x401000 + number,
				 .time = FIRST_TIME + number,
				 .ips = ips,
				 .nr_ips = nr_ips,
			 });
}

/* COMM, MMAP2, samples of two events, rounds. Of a pipe the events are records, too. */
static void put_records(struct mkperf *m, bool chains)
{
	struct mkperf_id at = {.pid = 42, .tid = 42, .time = FIRST_TIME};
	struct mkperf_mmap map = {.pid = 42, .tid = 42, .start = 0x400000, .len = 0x8000};

	map.filename = "/usr/bin/program";
	mkperf_comm(m, &at, 0, 42, 42, "program");
	mkperf_mmap2(m, &at, &map);
	for (uint64_t i = 0; i < NR_SAMPLES; i++) {
		put_sample(m, i, chains ? i % 4 : 0);
		if (i % ROUND_EVERY == ROUND_EVERY - 1)
			mkperf_round(m);
	}
}

static struct mkperf *new_recording(const struct mkperf_options *options, bool chains)
{
	struct mkperf *m = mkperf_new(options);

	for (unsigned i = 0; i < 2; i++)
		mkperf_event(m, &(struct mkperf_event){
					.type = PERF_TYPE_SOFTWARE,
					.config = i,
					.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						       PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER |
						       (chains ? PERF_SAMPLE_CALLCHAIN : 0),
					.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					.ids = &ids[i],
					.nr_ids = 1,
				});
	return m;
}

/* By @number: bit 0 the byte order, bit 1 with call chains, bit 2 a pipe. */
static struct image new_image(int number)
{
	const bool swap = number & 1, chains = number & 2, pipe = number & 4;
	struct mkperf *m =
		new_recording(&(struct mkperf_options){.swap = swap, .pipe = pipe}, chains);
	size_t start = mkperf_offset(m), end;
	struct image image;

	put_records(m, chains);
	end = mkperf_offset(m);
	image = image_of(m, pipe ? 16 : start, end, swap);
	while (image.starts[image.first_kernel] < start)
		image.first_kernel++;
	return image;
}

static struct perffile *open_image(const struct image *image)
{
	struct error err = {0};
	struct perffile *file = recording_open_bytes(image->bytes, image->len, &err);

	ck_assert_msg(file, "%s", err.text);
	return file;
}

static uint64_t sum_of(const struct perffile_counts *counts)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < NR_DAMAGES; i++)
		sum += counts->damages[i].records;
	return sum;
}

/* Reads @image, in which record @bad cannot be read: all others are, and it is counted. */
static void check_all_but(const struct image *image, size_t bad, enum damage_cause cause)
{
	struct perffile *file = open_image(image);
	const struct perffile_counts *counts = perffile_counts(file);
	const size_t nr = recording_drain(file);
	const size_t bytes = image->starts[bad + 1] - image->starts[bad];

	ck_assert_msg(nr == image->nr - 1, "record %zu of %zu: %zu are read", bad, image->nr, nr);
	if (bad == image->nr - 1) { /* nothing follows: the end is cut off */
		ck_assert_uint_eq(counts->truncated_bytes + counts->damages[cause].bytes, bytes);
	} else {
		ck_assert_uint_eq(counts->damaged, 1);
		ck_assert_uint_eq(counts->damages[cause].records, 1);
		ck_assert_uint_eq(counts->damages[cause].bytes, bytes);
		ck_assert_uint_eq(counts->damages[cause].offset, image->starts[bad]);
		ck_assert(!counts->damages[cause].packed);
		ck_assert_uint_eq(counts->truncated_bytes, 0);
	}
	ck_assert_uint_eq(sum_of(counts), counts->damaged);
	perffile_close(file);
}

/* ---- sizes ---- */

/* Each record once has a size that is too small for any, or leads far away, or behind the end. */
START_TEST(sizes_that_lie)
{
	static const uint16_t lies[] = {0, 1, 7, 9, 15, 17, 8000, 32768, 65528, 65535};
	struct image image = new_image(_i);

	for (size_t i = image.first_kernel; i < image.nr; i++) {
		const uint16_t size = size_at(&image, image.starts[i]);

		for (size_t k = 0; k < sizeof(lies) / sizeof(lies[0]); k++) {
			put_size(&image, image.starts[i], lies[k]);
			check_all_but(&image, i, DAMAGE_SIZE);
		}
		put_size(&image, image.starts[i], size);
	}
	free(image.bytes);
}
END_TEST

/* A size that leads to another record further on, so that those between would be part of it. */
START_TEST(sizes_that_swallow)
{
	struct image image = new_image(_i);

	for (size_t i = image.first_kernel; i + 5 < image.nr; i++) {
		const size_t start = image.starts[i];
		const uint16_t size = size_at(&image, start);

		for (size_t more = 2; more < 5; more++) {
			put_size(&image, start, (uint16_t)(image.starts[i + more] - start));
			check_all_but(&image, i, DAMAGE_SIZE);
		}
		put_size(&image, start, size);
	}
	free(image.bytes);
}
END_TEST

/* ---- types ---- */

/* Its size is right: it alone is lost. */
START_TEST(types_that_lie)
{
	static const uint32_t lies[] = {0, 65536, 0x41414141, UINT32_MAX};
	struct image image = new_image(_i);

	for (size_t i = image.first_kernel; i < image.nr; i++) {
		uint8_t header[HEADER_BYTES];

		memcpy(header, image.bytes + image.starts[i], sizeof(header));
		for (size_t k = 0; k < sizeof(lies) / sizeof(lies[0]); k++) {
			put_type(&image, image.starts[i], lies[k]);
			check_all_but(&image, i, DAMAGE_TYPE);
		}
		memcpy(image.bytes + image.starts[i], header, sizeof(header));
	}
	free(image.bytes);
}
END_TEST

/* What a newer kernel, perf or simpleperf may write is no damage, wherever it stands. */
START_TEST(types_to_come)
{
	static const uint32_t types[] = {23, 63, 87, 127, 1000, 32777, 65535};
	struct mkperf *m = new_recording(&(struct mkperf_options){.swap = _i & 1}, false);
	const size_t nr_types = sizeof(types) / sizeof(types[0]);
	uint8_t body[64];
	struct perffile *file;
	size_t nr = 0;

	memset(body, 0x5a, sizeof(body));
	for (uint64_t i = 0; i < NR_SAMPLES; i++) {
		put_sample(m, i, 0);
		for (size_t k = 0; k < i % 3; k++, nr++)
			mkperf_record(m, types[(i + k) % nr_types], 0, body, i % 8 * 8);
	}
	mkperf_record(m, 40, 0, body, 40);
	file = recording_open(m);
	ck_assert_uint_eq(recording_drain(file), NR_SAMPLES + nr + 1);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	perffile_close(file);
}
END_TEST

/* ---- bytes that are no records ---- */

/* Put in before record @at, then all that was there is read. */
static void check_inserted(const struct image *image, size_t at, const uint8_t *bytes, size_t len)
{
	struct image bent = {.len = image->len + len};
	struct perffile *file;
	const struct perffile_counts *counts;
	const size_t start = image->starts[at];

	bent.bytes = malloc(bent.len);
	ck_assert_ptr_nonnull(bent.bytes);
	memcpy(bent.bytes, image->bytes, start);
	memcpy(bent.bytes + start, bytes, len);
	memcpy(bent.bytes + start + len, image->bytes + start, image->len - start);
	file = open_image(&bent);
	counts = perffile_counts(file);
	ck_assert_uint_eq(recording_drain(file), image->nr);
	ck_assert_uint_eq(counts->damaged, 1);
	ck_assert_uint_eq(sum_of(counts), 1);
	ck_assert_uint_eq(counts->damages[DAMAGE_SIZE].bytes + counts->damages[DAMAGE_TYPE].bytes,
			  len);
	ck_assert_uint_eq(counts->damaged_offset, start);
	ck_assert_uint_eq(counts->truncated_bytes, 0);
	perffile_close(file);
	free(bent.bytes);
}

/* More than is looked at at a time, too. In a pipe: the data of a file ends where it did. */
START_TEST(foreign_bytes)
{
	static const size_t lens[] = {1, 7, 8, 100, 4096, 300000, 1000001};
	struct image image = new_image(4 | (_i & 1));
	uint8_t *bytes = malloc(lens[6]);

	ck_assert_ptr_nonnull(bytes);
	memset(bytes, _i & 2 ? 0 : 0xa5, lens[6]);
	for (size_t k = 0; k < sizeof(lens) / sizeof(lens[0]); k++) {
		check_inserted(&image, image.first_kernel, bytes, lens[k]);
		check_inserted(&image, image.nr - 5, bytes, lens[k]);
		check_inserted(&image, image.nr - 1, bytes, lens[k]);
	}
	free(bytes);
	free(image.bytes);
}
END_TEST

/* ---- a list or a string that is longer than its record ---- */

START_TEST(bodies_that_lie)
{
	struct image image = new_image(2 | (_i & 1));
	const size_t comm = image.first_kernel, sample = comm + 2 + 5;
	const size_t chain = image.starts[sample] + HEADER_BYTES + 8 + 8 + 8 + 8;

	memset(image.bytes + chain, 0x7f, 8);
	check_all_but(&image, sample, DAMAGE_LIST);
	memset(image.bytes + image.starts[comm] + HEADER_BYTES + 8, 'x',
	       size_at(&image, image.starts[comm]) - HEADER_BYTES - 8);
	{
		struct perffile *file = open_image(&image);
		const struct perffile_counts *counts = perffile_counts(file);

		ck_assert_uint_eq(recording_drain(file), image.nr - 2);
		ck_assert_uint_eq(counts->damaged, 2);
		ck_assert_uint_eq(counts->damages[DAMAGE_LIST].records, 1);
		ck_assert_uint_eq(counts->damages[DAMAGE_STRING].records, 1);
		ck_assert_uint_eq(counts->damages[DAMAGE_STRING].offset, image.starts[comm]);
		perffile_close(file);
	}
	free(image.bytes);
}
END_TEST

/* ---- payloads ---- */

static void put_auxtrace(struct mkperf *m, uint64_t len)
{
	mkperf_begin(m, MKPERF_RECORD_AUXTRACE, 0);
	mkperf_u64(m, len);
	mkperf_bytes(m, NULL, 32);
	mkperf_end(m);
}

/* It announces a trace, but records follow at once: up to a place inside one, or to the end. */
START_TEST(trace_that_is_not_there)
{
	static const uint64_t lens[] = {8, 100, 1000, 1600, 100000, UINT64_MAX};
	struct mkperf *m = new_recording(&(struct mkperf_options){.swap = _i & 1}, false);
	const struct perffile_counts *counts;
	struct perffile *file;
	uint64_t offset;

	put_sample(m, 0, 0);
	offset = mkperf_offset(m);
	put_auxtrace(m, lens[_i / 2]);
	put_records(m, false);
	file = recording_open(m);
	counts = perffile_counts(file);
	ck_assert_uint_eq(recording_drain(file), 2 + 2 + NR_SAMPLES + NR_SAMPLES / ROUND_EVERY);
	ck_assert_uint_eq(counts->damaged, 1);
	ck_assert_uint_eq(counts->damages[DAMAGE_PAYLOAD].records, 1);
	ck_assert_uint_eq(counts->damages[DAMAGE_PAYLOAD].offset, offset);
	ck_assert_uint_eq(counts->truncated_bytes, 0);
	perffile_close(file);
}
END_TEST

/* The same in a pipe, in which nothing can be looked up that is not there yet. */
START_TEST(trace_that_does_not_come)
{
	static const uint64_t lens[] = {8, 1000, 1600, 100000, UINT64_MAX};
	const struct mkperf_options options = {.swap = _i & 1, .pipe = true};
	const struct perffile_counts *counts;
	struct perffile *file;
	const uint8_t *bytes;
	struct mkperf *m;
	char path[32];
	uint64_t offset;
	size_t len;
	int ends[2];

	if (!machine_has_proc()) /* by which the pipe gets a name */
		return;
	m = new_recording(&options, false);
	put_sample(m, 0, 0);
	offset = mkperf_offset(m);
	put_auxtrace(m, lens[_i / 2]);
	put_records(m, false);
	bytes = mkperf_finish(m, &len);
	ck_assert(bytes && len < 65536); /* a pipe takes it whole */
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], bytes, len), (ssize_t)len);
	close(ends[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	file = perffile_open(path, NULL);
	ck_assert_ptr_nonnull(file);
	close(ends[0]);
	counts = perffile_counts(file);
	ck_assert_uint_eq(recording_drain(file), 2 + 2 + 2 + NR_SAMPLES + NR_SAMPLES / ROUND_EVERY);
	ck_assert_uint_eq(counts->damaged, 1);
	ck_assert_uint_eq(counts->damages[DAMAGE_PAYLOAD].offset, offset);
	ck_assert_uint_eq(counts->truncated_bytes, 0);
	perffile_close(file);
	mkperf_free(m);
}
END_TEST

/* Trace of 4096 bytes of which it announces more or less: the records behind it are all read. */
START_TEST(trace_of_another_length)
{
	static const uint64_t lens[] = {8, 1000, 4095, 4097, 4500, 100000, UINT64_MAX};
	struct mkperf *m = new_recording(&(struct mkperf_options){.swap = _i & 1}, false);
	const struct perffile_counts *counts;
	struct perffile *file;
	uint8_t trace[4096];

	memset(trace, 0x99, sizeof(trace));
	put_auxtrace(m, lens[_i / 2]);
	mkperf_payload(m, trace, sizeof(trace));
	put_records(m, false);
	file = recording_open(m);
	counts = perffile_counts(file);
	ck_assert_uint_eq(recording_drain(file), 1 + 2 + NR_SAMPLES + NR_SAMPLES / ROUND_EVERY);
	ck_assert_uint_eq(counts->damaged, 1);
	ck_assert_uint_eq(counts->damages[DAMAGE_PAYLOAD].bytes, sizeof(trace));
	ck_assert_uint_eq(counts->truncated_bytes, 0);
	perffile_close(file);
}
END_TEST

/* Behind a trace comes a record of a type of the future, before other records or at the end. */
START_TEST(trace_before_a_new_type)
{
	static const uint32_t types[] = {RECORD_CALLCHAIN_DEFERRED + 1, RECORD_NAMED_MAX};
	struct mkperf *m = new_recording(&(struct mkperf_options){.swap = _i & 1}, false);
	const bool is_last = _i & 4;
	struct perffile *file;
	uint8_t trace[64];

	memset(trace, 0x99, sizeof(trace));
	if (is_last)
		put_records(m, false);
	put_auxtrace(m, sizeof(trace));
	mkperf_payload(m, trace, sizeof(trace));
	mkperf_begin(m, types[_i / 2 & 1], 0);
	mkperf_u64(m, 1);
	mkperf_end(m);
	if (!is_last)
		put_records(m, false);
	file = recording_open(m);
	ck_assert_uint_eq(recording_drain(file), 2 + 2 + NR_SAMPLES + NR_SAMPLES / ROUND_EVERY);
	ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
	ck_assert_uint_eq(perffile_counts(file)->truncated_bytes, 0);
	perffile_close(file);
}
END_TEST

/*
 * The file ends within a trace, some bytes of which look like records: nothing follows it, so
 * they are none. _i: bit 0 swapped, bit 1 the header does not know where the data end.
 */
START_TEST(trace_that_is_cut_off)
{
	struct mkperf *m = new_recording(&(struct mkperf_options){.swap = _i & 1}, false);
	const struct perffile_counts *counts;
	struct perffile *file;
	const uint8_t *whole;
	uint8_t *bytes;
	size_t start, len, size;

	put_auxtrace(m, 100000);
	start = mkperf_offset(m);
	put_records(m, false);
	len = mkperf_offset(m) - start;
	whole = mkperf_finish(m, &size);
	ck_assert(whole && size >= start + len);
	bytes = malloc(start + 64 + len);
	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, whole, start);
	memset(bytes + start, 0x99, 64);
	memcpy(bytes + start + 64, whole + start, len);
	memset(bytes + 48, _i & 2 ? 0 : 0x7f, 8); /* the size of the data */
	file = recording_open_bytes(bytes, start + 64 + len, NULL);
	ck_assert_ptr_nonnull(file);
	counts = perffile_counts(file);
	ck_assert_uint_eq(recording_drain(file), 1);
	ck_assert_uint_eq(counts->damaged, 0);
	ck_assert_uint_eq(counts->truncated_bytes, 100000 - 64 - len);
	perffile_close(file);
	mkperf_free(m);
	free(bytes);
}
END_TEST

/* ---- compressed ---- */

enum { PER_CONTAINER = 10, SAMPLE_BYTES = 40 };

/* Samples of SAMPLE_BYTES each, PER_CONTAINER in each compressed record, and no other records. */
static struct image new_packed_image(uint32_t type)
{
	struct mkperf *m = new_recording(
		&(struct mkperf_options){
			.packing = {.type = type, .flush = PER_CONTAINER * SAMPLE_BYTES}},
		false);
	size_t start = mkperf_offset(m), len, end;
	uint64_t data_size;
	const uint8_t *bytes;

	for (uint64_t i = 0; i < NR_SAMPLES; i++)
		put_sample(m, i, 0);
	bytes = mkperf_finish(m, &len);
	ck_assert_ptr_nonnull(bytes);
	memcpy(&data_size, bytes + 48, sizeof(data_size));
	end = start + data_size;
	return image_of(m, start, end, false);
}

/* A compressed record whose size or type lies is still taken for what it is: nothing is lost. */
START_TEST(containers_put_right)
{
	static const uint16_t lies[] = {0, 9, 30, 8000, 65535};
	struct image image =
		new_packed_image(_i ? MKPERF_RECORD_COMPRESSED2 : MKPERF_RECORD_COMPRESSED);

	ck_assert_uint_eq(image.nr, NR_SAMPLES / PER_CONTAINER);
	for (size_t i = 1; i + 1 < image.nr; i++) {
		const size_t start = image.starts[i];
		const uint16_t size = size_at(&image, start);
		uint32_t type;

		for (size_t k = 0; k < sizeof(lies) / sizeof(lies[0]); k++) {
			struct perffile *file;

			put_size(&image, start, lies[k]);
			file = open_image(&image);
			ck_assert_uint_eq(recording_drain(file), NR_SAMPLES);
			ck_assert_uint_eq(perffile_counts(file)->damages[DAMAGE_SIZE].records, 1);
			perffile_close(file);
		}
		put_size(&image, start, size);
		memcpy(&type, image.bytes + start, sizeof(type));
		put_type(&image, start, 0x12345678);
		{
			struct perffile *file = open_image(&image);

			ck_assert_uint_eq(recording_drain(file), NR_SAMPLES);
			ck_assert_uint_eq(perffile_counts(file)->damages[DAMAGE_TYPE].records, 1);
			perffile_close(file);
		}
		put_type(&image, start, type);
	}
	free(image.bytes);
}
END_TEST

/* Among the records that were unpacked: a sample whose size spans others behind zeros; in the
 * second half of the tests also what has the type of a container, and no size. */
START_TEST(damage_in_containers)
{
	static const size_t flushes[] = {33, 333, 8192, 1 << 20};
	struct mkperf_options options = {
		.packing = {.type = MKPERF_RECORD_COMPRESSED, .flush = flushes[_i % 4]}};
	struct mkperf *m = new_recording(&options, false);
	enum { NR_SPANNED = 6, NR_ZEROS = 64 };
	const unsigned nr_bad = _i < 4 ? 1 : 2;
	const struct perffile_counts *counts;
	struct perffile *file;

	for (uint64_t i = 0; i < NR_SAMPLES; i++)
		put_sample(m, i, 0);
	mkperf_begin(m, PERF_RECORD_SAMPLE, 0);
	mkperf_bytes(m, NULL, NR_ZEROS);
	for (uint64_t i = 0; i < NR_SPANNED; i++) {
		if (nr_bad == 2 && i == NR_SPANNED / 2) {
			mkperf_u64(m, MKPERF_RECORD_COMPRESSED);
			mkperf_bytes(m, NULL, NR_ZEROS);
		}
		mkperf_u32(m, PERF_RECORD_SAMPLE);
		mkperf_u16(m, 0);
		mkperf_u16(m, SAMPLE_BYTES);
		mkperf_u64(m, ids[0]);
		mkperf_u64(m, 0x401000);
		mkperf_u64(m, 42);
		mkperf_u64(m, FIRST_TIME + NR_SAMPLES);
	}
	mkperf_end(m);
	for (uint64_t i = 0; i < NR_SAMPLES; i++)
		put_sample(m, NR_SAMPLES + i, 0);
	file = recording_open(m);
	counts = perffile_counts(file);
	ck_assert_uint_eq(recording_drain(file), 2 * NR_SAMPLES + NR_SPANNED);
	ck_assert_uint_eq(counts->damaged, nr_bad);
	ck_assert_uint_eq(counts->damages[DAMAGE_SIZE].records, nr_bad);
	ck_assert_uint_eq(counts->damages[DAMAGE_SIZE].bytes, nr_bad * (HEADER_BYTES + NR_ZEROS));
	ck_assert(counts->damages[DAMAGE_SIZE].packed);
	ck_assert_uint_eq(counts->truncated_bytes, 0);
	perffile_close(file);
}
END_TEST

/* What is lost of the stream ends where another frame starts: here a second one, put behind it. */
START_TEST(frames_anew)
{
	struct image first = new_packed_image(MKPERF_RECORD_COMPRESSED);
	struct image second = new_packed_image(MKPERF_RECORD_COMPRESSED);
	const size_t more = second.starts[second.nr] - second.starts[0];
	const size_t end = first.starts[first.nr];
	const struct perffile_counts *counts;
	struct image both = {.len = end + more};
	struct perffile *file;
	uint64_t data_size = end - first.starts[0] + more;

	both.bytes = malloc(both.len);
	ck_assert_ptr_nonnull(both.bytes);
	memcpy(both.bytes, first.bytes, end);
	memcpy(both.bytes + end, second.bytes + second.starts[0], more);
	memcpy(both.bytes + 48, &data_size, sizeof(data_size));
	memset(both.bytes + first.starts[1] + HEADER_BYTES, 0xff, 16);
	file = open_image(&both);
	counts = perffile_counts(file);
	ck_assert_uint_eq(recording_drain(file), PER_CONTAINER + NR_SAMPLES);
	ck_assert_uint_eq(counts->damaged, first.nr - 1);
	ck_assert_uint_eq(counts->damages[DAMAGE_PACKED].records, first.nr - 1);
	ck_assert_uint_eq(counts->damages[DAMAGE_PACKED].offset, first.starts[1]);
	perffile_close(file);
	free(both.bytes);
	free(first.bytes);
	free(second.bytes);
}
END_TEST

/* ---- cut off ---- */

/* At each byte of a pipe: all that is whole before the cut is read. */
START_TEST(every_cut_of_a_pipe)
{
	struct image image = new_image(4 | _i);
	const size_t len = image.len;

	for (image.len = 17; image.len <= len; image.len++) {
		struct perffile *file = open_image(&image);
		const struct perffile_counts *counts = perffile_counts(file);
		size_t whole = 0;

		while (whole < image.nr && image.starts[whole + 1] <= image.len)
			whole++;
		ck_assert_uint_eq(recording_drain(file), whole);
		ck_assert_uint_eq(counts->damaged, 0);
		ck_assert_uint_eq(counts->truncated_bytes, image.len - image.starts[whole]);
		perffile_close(file);
	}
	free(image.bytes);
}
END_TEST

START_TEST(every_cut_of_containers)
{
	struct image image =
		new_packed_image(_i ? MKPERF_RECORD_COMPRESSED2 : MKPERF_RECORD_COMPRESSED);
	const size_t len = image.len;

	for (image.len = image.starts[0]; image.len <= len; image.len++) {
		struct perffile *file = open_image(&image);
		size_t whole = 0;

		while (whole < image.nr && image.starts[whole + 1] <= image.len)
			whole++;
		ck_assert_uint_eq(recording_drain(file), whole * PER_CONTAINER);
		ck_assert_uint_eq(perffile_counts(file)->damaged, 0);
		perffile_close(file);
	}
	free(image.bytes);
}
END_TEST

static TCase *shape_tests(void)
{
	TCase *tcase = tcase_create("pipes and compressed");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, containers_put_right, 0, 2);
	tcase_add_loop_test(tcase, damage_in_containers, 0, 8);
	tcase_add_test(tcase, frames_anew);
	tcase_add_loop_test(tcase, every_cut_of_a_pipe, 0, 4);
	tcase_add_loop_test(tcase, every_cut_of_containers, 0, 2);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("salvage");
	TCase *tcase = tcase_create("records");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, sizes_that_lie, 0, 8);
	tcase_add_loop_test(tcase, sizes_that_swallow, 0, 8);
	tcase_add_loop_test(tcase, types_that_lie, 0, 8);
	tcase_add_loop_test(tcase, types_to_come, 0, 2);
	tcase_add_loop_test(tcase, foreign_bytes, 0, 4);
	tcase_add_loop_test(tcase, bodies_that_lie, 0, 2);
	tcase_add_loop_test(tcase, trace_that_is_not_there, 0, 12);
	tcase_add_loop_test(tcase, trace_that_does_not_come, 0, 10);
	tcase_add_loop_test(tcase, trace_of_another_length, 0, 14);
	tcase_add_loop_test(tcase, trace_before_a_new_type, 0, 8);
	tcase_add_loop_test(tcase, trace_that_is_cut_off, 0, 4);
	suite_add_tcase(suite, tcase);
	suite_add_tcase(suite, shape_tests());
	return suite_run(suite);
}

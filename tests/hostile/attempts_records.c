/* Attempts with records as such: times, rounds, events, ids, chains, what a recording tells of
 * itself. */
#include "tests/hostile/attempts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLES "--quiet --tables=all perf.data"

/* ---- the order of time ---- */

/* Records of all kinds in zstd frames: for whoever wants to see that path walked. */
static void write_packed(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PACKED);
	uint64_t time = 1;

	for (uint32_t i = 0; i < size / 4; i++) {
		const struct mkperf_task task = {
			.pid = 1 + i, .tid = 1 + i, .ppid = i, .ptid = i, .time = time};
		struct mkperf_id at = attempt_at(time++);

		mkperf_fork(m, &at, &task);
		at.time = time++;
		mkperf_comm(m, &at, 0, 1 + i, 1 + i, "packed");
		attempt_map(m, 1 + i, 0x1000, 0x1000, i % 2 ? "//anon" : "/none", time++);
		attempt_sample(m, 1 + i, 0x1000, time++);
		mkperf_sample(m, &(struct mkperf_sample){.misc = 1,
							 .pid = 1 + i,
							 .tid = 1 + i,
							 .ip = 0xffffffff81000000,
							 .time = time++});
	}
	mkperf_round(m);
	attempt_save(m);
}

static void write_equal_times(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint32_t i = 0; i < size; i++)
		attempt_sample(m, 1, 0x1000, 5);
	attempt_save(m);
}

static void write_times_down(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint32_t i = 0; i < size; i++)
		attempt_sample(m, 1, 0x1000, 1 + size - i);
	attempt_save(m);
}

/* From both ends to the middle. */
static void write_times_zigzag(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint32_t i = 0; i < size; i++)
		attempt_sample(m, 1, 0x1000, i % 2 ? 2 * size - i : 1 + i);
	attempt_save(m);
}

/* Each record is a round of its own, in falling order: it comes late. */
static void write_rounds(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint32_t i = 0; i < size; i++) {
		attempt_sample(m, 1, 0x1000, 1 + size - i);
		mkperf_round(m);
	}
	attempt_save(m);
}

static void write_empty_rounds(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	attempt_sample(m, 1, 0x1000, 1);
	for (uint32_t i = 0; i < size; i++)
		mkperf_round(m);
	attempt_save(m);
}

/* ---- events ---- */

static void write_ids(uint32_t size)
{
	struct mkperf *m = mkperf_new(NULL);
	uint64_t *ids = m ? calloc(size, sizeof(*ids)) : NULL;

	for (uint32_t i = 0; ids && i < size; i++)
		ids[i] = i + 1;
	mkperf_event(m, &(struct mkperf_event){
				.type = 1, .sample_type = 0x47, .ids = ids, .nr_ids = size});
	mkperf_event(m, &(struct mkperf_event){
				.type = 1, .sample_type = 0x47, .ids = ids, .nr_ids = size});
	for (uint32_t i = 0; i < size; i++)
		mkperf_sample(m, &(struct mkperf_sample){
					 .pid = 1, .tid = 1, .ip = 1, .time = i, .id = 1 + i});
	free(ids);
	attempt_save(m);
}

/* What differs between the events that put_events() makes. */
enum { EVENTS_ALIKE, EVENTS_VARIED, EVENTS_TRACEPOINTS };

/* A 16th of @size: what describes one takes as many bytes as some records. Returns how many. */
static uint32_t put_events(struct mkperf *m, uint32_t size, int kind)
{
	const uint32_t nr = size / 16 + 2;

	for (uint32_t i = 0; i < nr; i++) {
		const uint64_t id = i + 1;

		mkperf_event(m,
			     &(struct mkperf_event){
				     .name = kind == EVENTS_ALIKE ? "same" : NULL,
				     .type = kind == EVENTS_TRACEPOINTS ? 2 : 1,
				     .config = kind == EVENTS_TRACEPOINTS ? i : 0,
				     .sample_period = 1,
				     /* IP, TID, TIME, CPU, ID; ADDR moves the ID */
				     .sample_type = 0xc7 | (kind == EVENTS_VARIED && i % 2 ? 8 : 0),
				     .flags = MKPERF_ATTR_SAMPLE_ID_ALL,
				     .ids = &id,
				     .nr_ids = 1,
			     });
	}
	return nr;
}

static void put_samples_of(struct mkperf *m, uint32_t size, uint32_t nr_events, bool threads)
{
	for (uint32_t i = 0; i < size; i++)
		mkperf_sample(
			m, &(struct mkperf_sample){.event = threads ? nr_events - 1 : i % nr_events,
						   .misc = 2,
						   .pid = 1,
						   .tid = threads ? 1 + i : 1,
						   .cpu = threads ? 0 : 8191,
						   .ip = 0x1000,
						   .time = i + 1});
}

static void write_events(uint32_t size)
{
	struct mkperf *m = mkperf_new(NULL);

	put_samples_of(m, size, put_events(m, size, EVENTS_ALIKE), false);
	mkperf_event_desc(m);
	attempt_save(m);
}

static void write_events_varied(uint32_t size)
{
	struct mkperf *m = mkperf_new(NULL);
	uint32_t nr = put_events(m, size, EVENTS_VARIED);

	for (uint32_t i = 0; i < size; i++)
		mkperf_comm(m, &(struct mkperf_id){.event = nr - 1 - i % 2, .time = i + 1}, 0, 1, 1,
			    "c");
	put_samples_of(m, size, nr, false);
	attempt_save(m);
}

static void write_events_of_threads(uint32_t size)
{
	struct mkperf *m = mkperf_new(NULL);

	put_samples_of(m, size, put_events(m, size, EVENTS_ALIKE), true);
	attempt_save(m);
}

/* Many events; each record names one of them anew. */
static void write_renames(uint32_t size)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.pipe = true});
	uint32_t nr = put_events(m, size, EVENTS_TRACEPOINTS);
	char name[64];

	for (uint32_t i = 0; i < size; i++) {
		snprintf(name, sizeof(name), "event%u", i);
		mkperf_begin(m, MKPERF_RECORD_EVENT_UPDATE, 0);
		mkperf_u64(m, 2);
		mkperf_u64(m, 1 + i % nr);
		mkperf_string(m, name);
		mkperf_end(m);
	}
	attempt_save(m);
}

/* As perf before 3.9: names by config, which many events share. */
static void write_event_types(uint32_t size)
{
	struct mkperf *m = mkperf_new(&(struct mkperf_options){.pipe = true});
	uint32_t nr = put_events(m, size, EVENTS_TRACEPOINTS);

	for (uint32_t i = 0; i < size; i++) {
		mkperf_begin(m, 65, 0);
		mkperf_u64(m, nr + i);
		mkperf_string(m, "none");
		mkperf_end(m);
	}
	attempt_save(m);
}

/* ---- call chains ---- */

static void put_chain(struct mkperf *m, const uint64_t *ips, size_t nr, uint64_t time)
{
	mkperf_sample(m, &(struct mkperf_sample){.misc = 2,
						 .pid = 1,
						 .tid = 1,
						 .ip = ips[1],
						 .time = time,
						 .ips = ips,
						 .nr_ips = nr});
}

/* As deep as a record can hold; all different, or (@same) always the same addresses. */
static void put_deep_chains(uint32_t size, size_t depth, bool same)
{
	struct mkperf *m = attempt_new(ATTEMPT_CHAINS);
	uint64_t *ips = m ? calloc(depth, sizeof(*ips)) : NULL;

	for (uint32_t i = 0; ips && i < size / depth + 1; i++) {
		ips[0] = (uint64_t)-512; /* user */
		for (size_t nr = 1; nr < depth; nr++)
			ips[nr] = same ? 0x1000 + nr % 7 : 0x1000 + i * depth + nr;
		put_chain(m, ips, depth, i + 1);
	}
	free(ips);
	attempt_save(m);
}

static void write_chains_deep(uint32_t size)
{
	put_deep_chains(size, 8000, false);
}

static void write_chains_deep_same(uint32_t size)
{
	put_deep_chains(size, 8000, true);
}

static void write_chains_127(uint32_t size)
{
	put_deep_chains(size, 128, false);
}

/* Paths through few functions that are all different. */
static void write_paths(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_CHAINS);

	for (uint32_t i = 0; i < size; i++) {
		uint64_t ips[24] = {(uint64_t)-512};

		for (unsigned nr = 1; nr < 24; nr++)
			ips[nr] = 0x1000 + (i >> (nr - 1) & 1);
		put_chain(m, ips, 24, i + 1);
	}
	attempt_save(m);
}

/* Samples that wait for the user part of their chain, which comes once for all and is long. */
static void write_chains_deferred(uint32_t size)
{
	enum { WORDS = 8000, SAMPLES = 1000 };
	struct mkperf *m = attempt_new(ATTEMPT_CHAINS);

	for (uint32_t i = 0; i < size; i++) {
		const struct mkperf_id at = {.pid = 1, .tid = 1, .time = i + 1};
		const uint64_t cookie = 1 + i / SAMPLES;
		const uint64_t ips[] = {(uint64_t)-128, 0xffffffff81000000 + i, (uint64_t)-640,
					cookie};

		put_chain(m, ips, 4, i + 1);
		if (i % SAMPLES != SAMPLES - 1)
			continue;
		mkperf_begin(m, 22, 0);
		mkperf_u64(m, cookie);
		mkperf_u64(m, WORDS);
		for (uint64_t nr = 0; nr < WORDS; nr++)
			mkperf_u64(m, 0x1000 + nr);
		mkperf_trailer(m, &at);
		mkperf_end(m);
	}
	attempt_save(m);
}

/* ---- addresses ---- */

static void write_addresses(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	attempt_map(m, 1, 0x1000, UINT64_C(1) << 40, "/bin/none", 1);
	for (uint64_t i = 0; i < size; i++)
		attempt_sample(m, 1, 0x1000 + 16 * i, i + 2);
	attempt_save(m);
}

/* The inverse of a mixing of integers that is well known. */
static uint64_t unmix(uint64_t v)
{
	v ^= v >> 32;
	v *= UINT64_C(0x96de1b173f119089); /* the inverse of 0xbf58476d1ce4e5b9 */
	v ^= v >> 29 ^ v >> 58;
	v *= UINT64_C(0xf1de83e19937733d); /* of 0x9e3779b97f4a7c15 */
	return v ^ v >> 32;
}

/* Addresses that share the lower half of that mixing: one chain of a hash table. */
static void write_addresses_colliding(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint64_t i = 0; i < size; i++)
		attempt_sample(m, 1, unmix(i << 32 | 5), i + 1);
	attempt_save(m);
}

/* Different addresses in as many binaries whose sum with the binary's number, shifted, is the same.
 */
static void write_addresses_shifted(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);
	char name[32];

	for (uint64_t i = 0; i < size; i++) {
		const struct mkperf_id at = attempt_at(2 * i + 1);

		snprintf(name, sizeof(name), "/none/%u", (unsigned)i);
		mkperf_mmap(m, &at,
			    &(struct mkperf_mmap){.misc = 2,
						  .pid = 1,
						  .tid = 1,
						  .start = 0x1000,
						  .len = 0x1000,
						  .pgoff = -(i << 40),
						  .filename = name});
		attempt_sample(m, 1, 0x1000, 2 * i + 2);
	}
	attempt_save(m);
}

/* ---- what a recording tells of itself ---- */

static void write_build_ids(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);
	uint8_t id[20] = {0};

	for (uint32_t i = 0; i < size; i++) {
		memcpy(id, &i, sizeof(i));
		mkperf_build_id(m, 2, 1, id, sizeof(id), "/bin/same");
	}
	attempt_map(m, 1, 0x1000, 0x1000, "/bin/same", 1);
	attempt_sample(m, 1, 0x1000, 2);
	attempt_save(m);
}

/* @nr strings behind their number, each behind a u32 if @numbered. */
static void put_strings(struct mkperf *m, unsigned feature, uint32_t nr, bool numbered)
{
	mkperf_feature_begin(m, feature);
	mkperf_u32(m, nr);
	for (uint32_t i = 0; i < nr; i++) {
		char text[16];

		snprintf(text, sizeof(text), "s%u", i);
		if (numbered)
			mkperf_u32(m, i + 64);
		mkperf_u32(m, 16);
		mkperf_bytes(m, text, strlen(text));
		mkperf_bytes(m, NULL, 16 - strlen(text));
	}
	mkperf_feature_end(m);
}

static void write_strings(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	put_strings(m, MKPERF_CMDLINE, size, false);
	put_strings(m, 16, size, true); /* PMU_MAPPINGS */
	attempt_sample(m, 1, 0x1000, 1);
	attempt_save(m);
}

static void write_lost(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint32_t i = 0; i < size; i++) {
		const struct mkperf_id at = attempt_at(i + 1);

		mkperf_lost(m, &at, i, 1);
	}
	attempt_save(m);
}

const struct attempt attempts_records[] = {
	{"packed", "short lives, packed", write_packed, TABLES},
	{"times-equal", "samples of one moment", write_equal_times, TABLES},
	{"times-down", "samples, each earlier than the one before", write_times_down, TABLES},
	{"times-zigzag", "samples, now earlier, now later", write_times_zigzag, TABLES},
	{"rounds-late", "rounds of one sample, each earlier than the one before", write_rounds,
	 TABLES},
	{"rounds-empty", "rounds without records", write_empty_rounds, TABLES},
	{"ids", "ids that two events claim", write_ids, TABLES},
	{"events", "events of one name with samples on the last CPU", write_events, TABLES},
	{"events-varied", "events whose samples differ in layout", write_events_varied, TABLES},
	{"events-threads", "threads with a sample of the last of many events",
	 write_events_of_threads, TABLES},
	{"events-renamed", "names for events", write_renames, TABLES},
	{"events-typed", "names for configs that no event has", write_event_types, TABLES},
	{"chains-deep", "call chains as deep as can be", write_chains_deep, TABLES},
	{"chains-deep-same", "such call chains through few addresses", write_chains_deep_same,
	 TABLES},
	{"chains-127", "call chains of 127 addresses", write_chains_127, TABLES},
	{"paths", "different paths through two addresses", write_paths, TABLES},
	{"chains-deferred", "samples that wait for one call chain", write_chains_deferred, TABLES},
	{"addresses", "addresses in one binary", write_addresses, TABLES},
	{"addresses-colliding", "addresses that a simple hash throws together",
	 write_addresses_colliding, TABLES},
	{"addresses-shifted", "addresses in binaries that a sum throws together",
	 write_addresses_shifted, TABLES},
	{"build-ids", "build ids of one file", write_build_ids, TABLES},
	{"strings", "words of a command line and names of PMUs", write_strings, TABLES},
	{"lost", "losses of counters that are not known", write_lost, TABLES},
	{0},
};

/* Attempts with processes, threads and what they map. */
#include "tests/hostile/attempts.h"

#include <stdio.h>

#define TABLES "--quiet --tables=all perf.data"

enum { PAGE = 0x1000 };

/* ---- mappings ---- */

static void write_nested(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint64_t i = 0; i < size; i++)
		attempt_map(m, 1, (1 + i) * PAGE, 2 * (size - i) * PAGE, "/bin/none", i + 1);
	for (uint64_t i = 0; i < size; i++)
		attempt_sample(m, 1, (1 + i * 7919 % size) * PAGE, size + i);
	attempt_save(m);
}

static void write_staggered(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint64_t i = 0; i < size; i++)
		attempt_map(m, 1, (1 + i) * PAGE, PAGE + PAGE / 2, "/bin/none", i + 1);
	attempt_save(m);
}

static void write_same_place(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint64_t i = 0; i < size; i++)
		attempt_map(m, 1, PAGE, PAGE, i % 2 ? "/bin/none" : "/bin/other", i + 1);
	attempt_save(m);
}

static void write_downwards(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint64_t i = 0; i < size; i++)
		attempt_map(m, 1, (1 + size - i) * PAGE, 2 * PAGE, "/bin/none", i + 1);
	attempt_save(m);
}

/* Many small ones, one over all of them, and so on: what is displaced was mapped before. */
static void write_swept(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);
	uint64_t time = 1;

	for (uint32_t i = 0; i < size; i++) {
		if (i % 1000 == 999)
			attempt_map(m, 1, PAGE, 1000 * PAGE, "/bin/all", time++);
		else
			attempt_map(m, 1, (1 + i % 1000) * PAGE, PAGE, "/bin/none", time++);
	}
	attempt_save(m);
}

/* Children share the mappings of a parent that has many, and each changes one. */
static void write_shared(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);
	const uint32_t half = size / 2;
	uint64_t time = 1;

	for (uint64_t i = 0; i < half; i++)
		attempt_map(m, 1, (1 + i) * 2 * PAGE, PAGE, "/bin/none", time++);
	for (uint32_t i = 0; i < half; i++) {
		const struct mkperf_task task = {
			.pid = 2 + i, .tid = 2 + i, .ppid = 1, .ptid = 1, .time = time};
		const struct mkperf_id at = attempt_at(time++);

		mkperf_fork(m, &at, &task);
		attempt_map(m, 2 + i, (1 + i * UINT64_C(7919) % half) * 2 * PAGE, PAGE, "/bin/own",
			    time++);
	}
	attempt_save(m);
}

/* Memory of a JIT compiler in each of many processes: each has its own file of symbols. */
static void write_anonymous(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint32_t i = 0; i < size; i++) {
		attempt_map(m, 1 + i, PAGE, PAGE, "//anon", 2 * i + 1);
		attempt_sample(m, 1 + i, PAGE, 2 * i + 2);
	}
	attempt_save(m);
}

/* ---- lives ---- */

static void put_fork(struct mkperf *m, uint32_t pid, uint32_t ppid, uint64_t time)
{
	const struct mkperf_id at = attempt_at(time);

	mkperf_fork(m, &at,
		    &(struct mkperf_task){
			    .pid = pid, .tid = pid, .ppid = ppid, .ptid = ppid, .time = time});
}

static void write_fork_chain(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint32_t i = 0; i < size; i++)
		put_fork(m, 2 + i, 1 + i, i + 1);
	attempt_save(m);
}

static void write_fork_star(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint32_t i = 0; i < size; i++)
		put_fork(m, 2 + i, 1, i + 1);
	attempt_save(m);
}

static void write_fork_same(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint32_t i = 0; i < size; i++)
		put_fork(m, 2, 1, i + 1);
	attempt_save(m);
}

/* Threads of one process, each forked and sampled. @exits: each ends as well. */
static void put_threads(struct mkperf *m, uint32_t size, bool exits)
{
	for (uint32_t i = 0; i < size; i++) {
		const struct mkperf_task task = {
			.pid = 1, .tid = 2 + i, .ppid = 1, .ptid = 1, .time = 3 * i + 1};
		struct mkperf_id at = attempt_at(3 * i + 1);

		mkperf_fork(m, &at, &task);
		mkperf_sample(
			m,
			&(struct mkperf_sample){
				.misc = 2, .pid = 1, .tid = 2 + i, .ip = PAGE, .time = 3 * i + 2});
		at.time = 3 * i + 3;
		if (exits)
			mkperf_exit(m, &at, &task);
	}
}

static void write_threads(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	put_threads(m, size, false);
	attempt_save(m);
}

static void write_threads_gone(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	put_threads(m, size, true);
	attempt_save(m);
}

static void put_comms(struct mkperf *m, uint32_t size, uint16_t misc, bool one)
{
	for (uint32_t i = 0; i < size; i++) {
		const struct mkperf_id at = attempt_at(i + 1);
		char name[16];

		snprintf(name, sizeof(name), "c%u", i);
		mkperf_comm(m, &at, misc, one ? 1 : 1 + i, one ? 1 : 1 + i, name);
	}
}

static void write_comms(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	put_comms(m, size, 0, true);
	attempt_save(m);
}

static void write_comms_apart(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	put_comms(m, size, 0, false);
	attempt_save(m);
}

/* A process with many threads starts programs, one after the other. */
static void write_execs(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	put_threads(m, size / 2, false);
	put_comms(m, size / 2, 1 << 13, true); /* COMM_EXEC */
	attempt_save(m);
}

/* ---- what else a process does ---- */

static void write_namespaces(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint32_t i = 0; i < size; i++) {
		const struct mkperf_id at = attempt_at(i + 1);

		mkperf_begin(m, 16, 0);
		mkperf_u32(m, 1 + i);
		mkperf_u32(m, 1 + i);
		mkperf_u64(m, 7);
		for (uint64_t nr = 0; nr < 7; nr++) {
			mkperf_u64(m, 4);
			mkperf_u64(m, 4026531835 + nr + i);
		}
		mkperf_trailer(m, &at);
		mkperf_end(m);
	}
	attempt_save(m);
}

static void write_cgroups(uint32_t size)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint32_t i = 0; i < size; i++) {
		const struct mkperf_id at = attempt_at(i + 1);
		char path[32];

		snprintf(path, sizeof(path), "/slice/%u", i);
		mkperf_begin(m, 19, 0);
		mkperf_u64(m, i);
		mkperf_string(m, path);
		mkperf_trailer(m, &at);
		mkperf_end(m);
	}
	attempt_save(m);
}

/* Code of the kernel that comes and goes: all at one place, or (@apart) all at once. */
static void put_ksymbols(uint32_t size, bool apart)
{
	struct mkperf *m = attempt_new(ATTEMPT_PLAIN);

	for (uint64_t i = 0; i < size; i++) {
		const uint64_t nr = apart ? i % (size / 2) : i / 2;
		const bool gone = apart ? i >= size / 2 : i % 2;
		const struct mkperf_id at = attempt_at(i + 1);
		char name[32];

		snprintf(name, sizeof(name), "bpf_prog_%u", (unsigned)nr);
		mkperf_begin(m, 17, 0);
		mkperf_u64(m, 0xffffffffc0000000 + (apart ? nr * 64 : 0));
		mkperf_u32(m, 64);
		mkperf_u16(m, 1);
		mkperf_u16(m, gone);
		mkperf_string(m, name);
		mkperf_trailer(m, &at);
		mkperf_end(m);
	}
	attempt_save(m);
}

static void write_ksymbols(uint32_t size)
{
	put_ksymbols(size, false);
}

static void write_ksymbols_apart(uint32_t size)
{
	put_ksymbols(size, true);
}

const struct attempt attempts_processes[] = {
	{"maps-nested", "mappings, each inside the one before", write_nested, TABLES},
	{"maps-staggered", "mappings, each over a half of the one before", write_staggered, TABLES},
	{"maps-same", "mappings at one address", write_same_place, TABLES},
	{"maps-down", "mappings, each below the one before and over a part of it", write_downwards,
	 TABLES},
	{"maps-swept", "mappings, each thousandth over all before", write_swept, TABLES},
	{"maps-shared", "forks of a process with many mappings, that change one each", write_shared,
	 TABLES},
	{"maps-anonymous", "processes with memory of a JIT compiler", write_anonymous, TABLES},
	{"fork-chain", "forks, each of the process before", write_fork_chain, TABLES},
	{"fork-star", "forks of one process", write_fork_star, TABLES},
	{"fork-same", "forks with one pid", write_fork_same, TABLES},
	{"threads", "threads of one process", write_threads, TABLES},
	{"threads-gone", "threads of one process that exit", write_threads_gone, TABLES},
	{"comms", "names of one process", write_comms, TABLES},
	{"comms-apart", "processes that nothing but a name is known of", write_comms_apart, TABLES},
	{"execs", "programs that one process with many threads starts", write_execs, TABLES},
	{"namespaces", "processes, each in namespaces of its own", write_namespaces, TABLES},
	{"cgroups", "control groups", write_cgroups, TABLES},
	{"ksymbols", "code of the kernel that comes and goes at one place", write_ksymbols, TABLES},
	{"ksymbols-apart", "code of the kernel that comes, then goes", write_ksymbols_apart,
	 TABLES},
	{0},
};

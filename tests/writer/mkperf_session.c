#include "tests/writer/mkperf_session.h"

#include <linux/perf_event.h>
#include <stdlib.h>

enum {
	CPUS = MKPERF_SESSION_CPUS,
	ROUNDS = MKPERF_SESSION_ROUNDS,
	BURST = MKPERF_SESSION_BURST,
	IN_ROUND = CPUS * BURST,
	NR_EVENTS = 3,
	FIRST_PID = 100,
	NR_PIDS = 8,
	IPS_MAX = 6,
};

static const uint64_t ids[NR_EVENTS][CPUS] = {{11, 12, 13, 14}, {21, 22, 23, 24}, {31, 32, 33, 34}};

/* A record to be: all else about it follows from @seed. */
struct planned {
	uint64_t time, seed;
	unsigned cpu;
};

static uint64_t draw(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random >> 11;
}

static uint32_t draw_pid(uint64_t *random)
{
	return FIRST_PID + (uint32_t)(draw(random) % NR_PIDS);
}

/* ---- events ---- */

#define COMMON                                                                          \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static void put_events(struct mkperf *m)
{
	static const uint64_t sample_types[NR_EVENTS] = {
		COMMON | PERF_SAMPLE_CALLCHAIN,
		COMMON | PERF_SAMPLE_ADDR | PERF_SAMPLE_RAW,
		COMMON | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK,
	};
	static const char *const names[NR_EVENTS] = {"alpha", "beta", "gamma"};

	for (unsigned i = 0; i < NR_EVENTS; i++)
		mkperf_event(m, &(struct mkperf_event){
					.name = names[i],
					.type = PERF_TYPE_SOFTWARE,
					.config = i,
					.sample_period = 1000,
					.sample_type = sample_types[i],
					.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
					.ids = ids[i],
					.nr_ids = CPUS,
				});
}

/* ---- records ---- */

static void put_sample(struct mkperf *m, const struct planned *p, uint64_t random)
{
	static const struct mkperf_branch branches[] = {{1, 2, 3}, {4, 5, 6}};
	uint64_t words[IPS_MAX] = {PERF_CONTEXT_USER};
	struct mkperf_sample sample = {
		.event = (unsigned)(draw(&random) % NR_EVENTS),
		.misc = PERF_RECORD_MISC_USER,
		.cpu = p->cpu,
		.time = p->time,
		.period = 1 + draw(&random) % 100000,
		.ip = 0x400000 + draw(&random) % 0x4000,
		.addr = draw(&random),
		.ips = words,
		.raw = "raw bytes of a tracepoint...",
		.raw_size = 28,
		.branches = branches,
	};

	sample.id = ids[sample.event][p->cpu];
	sample.pid = sample.tid = draw_pid(&random);
	sample.nr_branches = draw(&random) % 3;
	sample.nr_ips = 2 + draw(&random) % (IPS_MAX - 1);
	words[1] = sample.ip;
	for (size_t i = 2; i < sample.nr_ips; i++)
		words[i] = 0x400000 + draw(&random) % 0x400;
	if (draw(&random) % 8 == 0) { /* in a kernel without maps */
		sample.misc = PERF_RECORD_MISC_KERNEL;
		sample.ip = words[1] = 0xffffffff81000000 + draw(&random) % 0x1000;
		words[0] = PERF_CONTEXT_KERNEL;
		sample.nr_ips = 2;
	}
	mkperf_sample(m, &sample);
}

static void put_mmap(struct mkperf *m, const struct mkperf_id *at, uint64_t random)
{
	static const char *const names[] = {"/opt/none/make", "/opt/none/a name, with a comma",
					    "/opt/none/libc.so.6"};
	struct mkperf_mmap map = {
		.misc = PERF_RECORD_MISC_USER,
		.pid = at->pid,
		.tid = at->tid,
		.start = 0x400000 + draw(&random) % 4 * 0x1000,
		.len = 0x1000 + draw(&random) % 2 * 0x1000,
		.pgoff = draw(&random) % 4 * 0x1000,
		.filename = names[draw(&random) % 3],
		.maj = 8,
		.min = 1,
		.ino = 77,
		.prot = 5,
		.flags = 2,
	};

	if (draw(&random) % 2)
		mkperf_mmap2(m, at, &map);
	else
		mkperf_mmap(m, at, &map);
}

static void put_task(struct mkperf *m, const struct mkperf_id *at, uint64_t random)
{
	struct mkperf_task task = {.pid = draw_pid(&random), .time = at->time};

	task.tid = task.pid;
	if (draw(&random) % 2) {
		task.ppid = task.ptid = at->pid;
		mkperf_fork(m, at, &task);
	} else {
		task.ppid = task.ptid = 1;
		mkperf_exit(m, at, &task);
	}
}

static void put_comm(struct mkperf *m, const struct mkperf_id *at, uint64_t random)
{
	static const char *const names[] = {"sh", "=cmd", "a \"b\"", "cc1plus"};
	uint16_t misc = draw(&random) % 2 ? PERF_RECORD_MISC_COMM_EXEC : 0;

	mkperf_comm(m, at, misc, at->pid, at->tid, names[draw(&random) % 4]);
}

static void put_planned(struct mkperf *m, const struct planned *p)
{
	uint64_t random = p->seed;
	unsigned kind = (unsigned)(draw(&random) % 20);
	struct mkperf_id at = {
		.event = (unsigned)(draw(&random) % NR_EVENTS), .cpu = p->cpu, .time = p->time};

	at.id = ids[at.event][p->cpu];
	at.pid = at.tid = draw_pid(&random);
	if (kind < 13)
		put_sample(m, p, random);
	else if (kind < 15)
		put_mmap(m, &at, random);
	else if (kind < 17)
		put_task(m, &at, random);
	else if (kind < 18)
		put_comm(m, &at, random);
	else if (kind < 19)
		mkperf_lost(m, &at, at.id, draw(&random) % 10);
	else
		mkperf_throttle(m, &at, draw(&random) % 2, at.id, at.id);
}

/* What runs already: as perf record synthesizes it. */
static void put_start(struct mkperf *m)
{
	for (uint32_t pid = FIRST_PID; pid < FIRST_PID + NR_PIDS; pid += 2) {
		mkperf_comm(m, NULL, 0, pid, pid, "early");
		mkperf_mmap2(m, NULL,
			     &(struct mkperf_mmap){.misc = PERF_RECORD_MISC_USER,
						   .pid = pid,
						   .tid = pid,
						   .start = 0x400000,
						   .len = 0x3000,
						   .filename = "/opt/none/early",
						   .prot = 5});
	}
}

/* ---- order ---- */

static int compare_times(const void *a, const void *b)
{
	const struct planned *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* The records of a round: each CPU's ascend, no two have the same time. */
static void plan_round(struct planned *plan, unsigned round, uint64_t *random)
{
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		for (unsigned i = 0; i < BURST; i++) {
			uint64_t slot = (uint64_t)(round * BURST + i) * CPUS + cpu;

			plan[cpu * BURST + i] = (struct planned){
				.time = 1000000 + 10 * slot + draw(random) % 10,
				.seed = draw(random) + 1,
				.cpu = cpu,
			};
		}
	}
}

static void lay_out(struct planned *plan, enum mkperf_order order, uint64_t seed)
{
	uint64_t random = seed + 77;

	if (order == MKPERF_BY_TIME)
		qsort(plan, IN_ROUND, sizeof(*plan), compare_times);
	for (size_t i = IN_ROUND; order == MKPERF_SHUFFLED && i > 1; i--) {
		size_t other = (size_t)(draw(&random) % i);
		struct planned kept = plan[i - 1];

		plan[i - 1] = plan[other];
		plan[other] = kept;
	}
}

void mkperf_session(struct mkperf *m, const struct mkperf_session *session)
{
	uint64_t random = session->seed * 2654435761 + 1;
	struct planned plan[IN_ROUND];

	put_events(m);
	mkperf_feature_string(m, MKPERF_HOSTNAME, "host");
	mkperf_feature_string(m, MKPERF_ARCH, "x86_64");
	mkperf_event_desc(m);
	mkperf_build_id(m, PERF_RECORD_MISC_USER, 0, (const uint8_t *)"01234567890123456789", 20,
			"/opt/none/make");
	put_start(m);
	for (unsigned round = 0; round < ROUNDS; round++) {
		plan_round(plan, round, &random);
		lay_out(plan, session->order, session->seed + round);
		for (size_t i = 0; i < IN_ROUND; i++) {
			if (session->directory)
				mkperf_stream(m, 1 + plan[i].cpu);
			put_planned(m, &plan[i]);
		}
		if (!session->directory)
			mkperf_round(m);
	}
}

#include "tests/fuzz/scenario.h"

#include <linux/perf_event.h>
#include <string.h>

enum {
	EVENTS_MAX = 4,
	IDS = 2, /* of each event */
	RECORDS_MAX = 2000,
	WORDS = 64,
	STACK_BYTES = 8 * WORDS,
	PIDS = 6,
	BRANCHES_MAX = 8,
	COOKIES = 4,
	RECORD_CALLCHAIN_DEFERRED = 22, /* newer than the headers of some systems */
};

#define CONTEXT_USER_DEFERRED ((uint64_t)-640)

/* All that is written is a function of this. */
struct scenario {
	struct mkperf *m;
	struct fuzz_choices choices;
	bool loose;
	unsigned nr_files; /* of a directory; 0: it is none */
	unsigned nr_events;
	uint64_t ids[EVENTS_MAX][IDS];
	uint64_t time; /* ns */
	uint64_t words[WORDS];
	bool swap; /* stacks have the other byte order, as all else */
};

/* ---- events ---------------------------------------------------------------------------------- */

/* Everything that a sample can have. */
#define FIELDS (((uint64_t)PERF_SAMPLE_WEIGHT_STRUCT << 1) - 1)

static uint64_t choose_sample_type(struct scenario *s)
{
	uint64_t type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;

	switch (fuzz_pick(&s->choices, 4)) {
	case 0:
		type = fuzz_u64(&s->choices) & FIELDS;
		if (type & PERF_SAMPLE_WEIGHT) /* one of the two at most */
			type &= ~(uint64_t)PERF_SAMPLE_WEIGHT_STRUCT;
		break;
	case 1:
		type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_PERIOD;
		break;
	case 2:
		type |= PERF_SAMPLE_READ | PERF_SAMPLE_CPU;
		break;
	default:
		type |= PERF_SAMPLE_PERIOD | PERF_SAMPLE_CPU;
	}
	return type | PERF_SAMPLE_IDENTIFIER; /* which event it is must be found */
}

/* Any, or with those that unwinding takes: BP, SP, IP. */
static uint64_t choose_registers(struct scenario *s)
{
	const uint8_t byte = fuzz_u8(&s->choices);

	return byte & 1 ? byte | 0x1c0 : byte;
}

static void put_event(struct scenario *s, unsigned number)
{
	static const char *const names[EVENTS_MAX] = {"cycles", "instructions:u", "a,b", ""};
	struct mkperf_event event = {
		.name = names[number],
		.type = fuzz_pick(&s->choices, 6),
		.config = fuzz_pick(&s->choices, 12),
		.sample_period = fuzz_u8(&s->choices) * 1000ULL,
		.sample_type = choose_sample_type(s),
		.read_format = fuzz_pick(&s->choices, 4) ? 0 : fuzz_u8(&s->choices) & 0x1f,
		.flags = MKPERF_ATTR_SAMPLE_ID_ALL,
		.sample_regs_user = choose_registers(s),
		.sample_regs_intr = fuzz_u8(&s->choices),
		.sample_stack_user = STACK_BYTES,
		.ids = s->ids[number],
		.nr_ids = IDS,
	};

	if (fuzz_u8(&s->choices) & 1)
		event.flags |= MKPERF_ATTR_FREQ;
	for (unsigned i = 0; i < IDS; i++)
		s->ids[number][i] = 100 * (number + 1) + i;
	mkperf_event(s->m, &event);
}

/* ---- records --------------------------------------------------------------------------------- */

static uint32_t choose_pid(struct scenario *s)
{
	unsigned pick = fuzz_pick(&s->choices, PIDS + 2);

	return pick < PIDS ? 100 + pick : pick == PIDS ? 0 : UINT32_MAX;
}

/* Mostly in a few pages of user space. */
static uint64_t choose_address(struct scenario *s)
{
	switch (fuzz_pick(&s->choices, 8)) {
	case 0:
		return fuzz_u64(&s->choices);
	case 1:
		return 0xffffffff81000000 + fuzz_u8(&s->choices) * 256ULL;
	default:
		return 0x400000 + fuzz_u8(&s->choices) * 64ULL;
	}
}

static uint16_t choose_cpumode(struct scenario *s)
{
	unsigned pick = fuzz_pick(&s->choices, 12);

	return (uint16_t)(pick < 6 ? pick : PERF_RECORD_MISC_USER);
}

static struct mkperf_id choose_id(struct scenario *s)
{
	struct mkperf_id at = {.event = fuzz_pick(&s->choices, s->nr_events),
			       .cpu = fuzz_pick(&s->choices, 4),
			       .time = s->time};

	at.pid = at.tid = choose_pid(s);
	at.id = s->ids[at.event][fuzz_pick(&s->choices, IDS)];
	return at;
}

/* The words of a group read, of one event or of all. Returns how many. */
static size_t choose_read(struct scenario *s, uint64_t format, uint64_t *words)
{
	size_t nr = 0, members = 1;

	if (format & PERF_FORMAT_GROUP)
		words[nr++] = members = s->nr_events;
	else
		words[nr++] = fuzz_u8(&s->choices);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		words[nr++] = 5;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		words[nr++] = 5;
	for (unsigned i = 0; i < members; i++) {
		if (format & PERF_FORMAT_GROUP)
			words[nr++] = fuzz_u8(&s->choices);
		if (format & PERF_FORMAT_ID)
			words[nr++] = s->ids[i][0];
		if (format & PERF_FORMAT_LOST)
			words[nr++] = 0;
	}
	return nr;
}

static size_t choose_chain(struct scenario *s, uint64_t *ips)
{
	static const uint64_t markers[] = {PERF_CONTEXT_KERNEL, PERF_CONTEXT_USER,
					   PERF_CONTEXT_GUEST, PERF_CONTEXT_MAX};
	size_t nr = fuzz_pick(&s->choices, WORDS - 2);

	for (size_t i = 0; i < nr; i++) {
		unsigned pick = fuzz_pick(&s->choices, 24);

		ips[i] = pick < 4 ? markers[pick] : choose_address(s);
	}
	if (fuzz_pick(&s->choices, 4) == 1) {
		ips[nr++] = CONTEXT_USER_DEFERRED;
		ips[nr++] = fuzz_pick(&s->choices, COOKIES);
	}
	return nr;
}

/* The user part of the call chains that have this cookie. */
static void put_deferred(struct scenario *s)
{
	struct mkperf_id at = choose_id(s);
	uint64_t ips[WORDS];
	size_t nr;

	mkperf_begin(s->m, RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);
	mkperf_u64(s->m, fuzz_pick(&s->choices, COOKIES));
	nr = choose_chain(s, ips);
	mkperf_u64(s->m, nr);
	for (size_t i = 0; i < nr; i++)
		mkperf_u64(s->m, ips[i]);
	mkperf_trailer(s->m, &at);
	mkperf_end(s->m);
}

static void put_sample(struct scenario *s)
{
	struct mkperf_branch branches[BRANCHES_MAX];
	uint64_t read[4 + 3 * EVENTS_MAX], stack[WORDS];
	uint64_t ips[WORDS] = {0}; /* the chain; registers and stack have its addresses, too */
	struct mkperf_id at = choose_id(s);
	struct mkperf_sample sample = {
		.event = at.event,
		.misc = choose_cpumode(s),
		.pid = at.pid,
		.tid = at.tid,
		.cpu = at.cpu,
		.time = at.time,
		.id = at.id,
		.ip = choose_address(s),
		.addr = choose_address(s),
		.period = fuzz_u8(&s->choices),
		.read = read,
		.ips = ips,
		.raw = "raw bytes",
		.raw_size = 4,
		.branches = branches,
		.nr_branches = fuzz_pick(&s->choices, BRANCHES_MAX),
		.regs_user_abi = fuzz_pick(&s->choices, 3),
		.regs_intr_abi = fuzz_pick(&s->choices, 3),
		.regs_user = ips,
		.regs_intr = s->words,
		.stack = stack,
		.stack_size = STACK_BYTES,
		.stack_dyn_size = STACK_BYTES,
		.aux = s->words,
		.aux_size = 16,
	};

	for (size_t i = 0; i < sample.nr_branches; i++)
		branches[i] = (struct mkperf_branch){choose_address(s), choose_address(s), i};
	sample.nr_read = choose_read(s, mkperf_event_at(s->m, at.event)->read_format, read);
	sample.nr_ips = choose_chain(s, ips);
	for (size_t i = 0; i < WORDS; i++)
		stack[i] = s->swap ? __builtin_bswap64(ips[i]) : ips[i];
	mkperf_sample(s->m, &sample);
}

static void put_mmap(struct scenario *s)
{
	static const char *const names[] = {
		"/opt/none/a",	"/opt/none/b, \"c\"",	 "//anon", "[heap]", "[vdso]",
		"/tmp/none.so", "[kernel.kallsyms]_text"};
	struct mkperf_id at = choose_id(s);
	struct mkperf_mmap map = {
		.misc = choose_cpumode(s),
		.pid = at.pid,
		.tid = at.tid,
		.start = choose_address(s),
		.len = fuzz_u8(&s->choices) * 256ULL,
		.pgoff = fuzz_u8(&s->choices) * 4096ULL,
		.filename = names[fuzz_pick(&s->choices, 7)],
		.maj = 8,
		.ino = fuzz_pick(&s->choices, 4),
		.prot = fuzz_pick(&s->choices, 8),
		.flags = 2,
	};

	if (map.misc == PERF_RECORD_MISC_KERNEL)
		map.pid = UINT32_MAX;
	if (fuzz_u8(&s->choices) & 1) {
		mkperf_mmap(s->m, &at, &map);
		return;
	}
	if (fuzz_u8(&s->choices) & 1) {
		map.build_id = (const uint8_t *)"0123456789abcdefghij";
		map.build_id_size = 20;
	}
	mkperf_mmap2(s->m, &at, &map);
}

static void put_task(struct scenario *s)
{
	struct mkperf_id at = choose_id(s);
	struct mkperf_task task = {.pid = choose_pid(s), .ppid = at.pid, .time = at.time};

	task.tid = fuzz_u8(&s->choices) & 1 ? task.pid : choose_pid(s);
	task.ptid = at.tid;
	if (fuzz_u8(&s->choices) & 1)
		mkperf_fork(s->m, &at, &task);
	else
		mkperf_exit(s->m, &at, &task);
}

static void put_comm(struct scenario *s)
{
	static const char *const names[] = {"sh", "=cmd", "", "0123456789abcdef", "\xff\x1b[1m"};
	struct mkperf_id at = choose_id(s);
	uint16_t misc = fuzz_u8(&s->choices) & 1 ? PERF_RECORD_MISC_COMM_EXEC : 0;

	mkperf_comm(s->m, &at, misc, at.pid, at.tid, names[fuzz_pick(&s->choices, 5)]);
}

static void put_loss(struct scenario *s)
{
	struct mkperf_id at = choose_id(s);

	switch (fuzz_pick(&s->choices, 3)) {
	case 0:
		mkperf_lost(s->m, &at, at.id, fuzz_u8(&s->choices));
		break;
	case 1:
		mkperf_lost_samples(s->m, &at, 0, fuzz_u8(&s->choices));
		break;
	default:
		mkperf_throttle(s->m, &at, fuzz_u8(&s->choices) & 1, at.id, 0);
	}
}

/* Any type over any words, some text and a trailer. */
static void put_loose(struct scenario *s)
{
	struct mkperf_id at = choose_id(s);
	uint32_t type = fuzz_u8(&s->choices) % 90;
	unsigned nr = fuzz_pick(&s->choices, 12);
	size_t got;
	const uint8_t *bytes;

	mkperf_begin(s->m, type, fuzz_u8(&s->choices));
	for (unsigned i = 0; i < nr; i++)
		mkperf_u64(s->m, fuzz_pick(&s->choices, 3) ? choose_address(s) : nr);
	bytes = fuzz_bytes(&s->choices, 8 * fuzz_pick(&s->choices, 4), &got);
	mkperf_bytes(s->m, bytes, got);
	mkperf_bytes(s->m, NULL, (8 - got % 8) % 8);
	mkperf_trailer(s->m, &at);
	mkperf_end(s->m);
}

static void put_record(struct scenario *s)
{
	unsigned kind = fuzz_pick(&s->choices, 20);

	if (s->nr_files)
		mkperf_stream(s->m, fuzz_pick(&s->choices, s->nr_files));
	/* Mostly on, now and then back. */
	s->time += kind == 19 ? -(uint64_t)fuzz_u8(&s->choices) : fuzz_pick(&s->choices, 16);
	if (kind < 8)
		put_sample(s);
	else if (kind < 11)
		put_mmap(s);
	else if (kind < 14)
		put_task(s);
	else if (kind < 16)
		put_comm(s);
	else if (kind < 17)
		put_loss(s);
	else if (kind < 18 && s->loose)
		put_loose(s);
	else if (kind == 18)
		put_deferred(s);
	else if (!s->nr_files)
		mkperf_round(s->m);
}

static struct mkperf *make(struct scenario *s, const struct mkperf_options *options)
{
	s->m = mkperf_new(options);
	s->swap = options && options->swap;
	s->time = 1000000;
	fuzz_check(s->m);
	s->nr_events = 1 + fuzz_pick(&s->choices, EVENTS_MAX);
	for (unsigned i = 0; i < s->nr_events; i++)
		put_event(s, i);
	mkperf_event_desc(s->m);
	mkperf_feature_string(s->m, MKPERF_ARCH, "x86_64");
	mkperf_build_id(s->m, PERF_RECORD_MISC_USER, -1, (const uint8_t *)"01234567890123456789",
			20, "/opt/none/a");
	for (size_t i = 0; i < RECORDS_MAX && fuzz_choices_left(&s->choices); i++)
		put_record(s);
	/* Without a record a recording looks like one that was never finished. */
	mkperf_stream(s->m, 0);
	mkperf_round(s->m);
	return s->m;
}

struct mkperf *scenario_make(const struct mkperf_options *options, struct fuzz_choices choices,
			     bool loose)
{
	return make(&(struct scenario){.choices = choices, .loose = loose}, options);
}

struct mkperf *scenario_make_directory(const struct mkperf_options *options,
				       struct fuzz_choices choices, unsigned nr_files)
{
	return make(&(struct scenario){.choices = choices, .nr_files = nr_files}, options);
}

struct mkperf_options scenario_shape(struct fuzz_choices *choices)
{
	static const uint32_t attr_sizes[] = {0, 96, 104, 112, 120, 136, 144};
	const uint8_t swap = fuzz_u8(choices), pipe = fuzz_u8(choices);
	struct mkperf_options options = {
		.swap = swap & 1,
		.pipe = pipe & 1,
		.late = (pipe & 3) == 3,
		.attr_size = attr_sizes[fuzz_pick(choices, 7)],
	};
	unsigned packed = fuzz_pick(choices, 3);

	if (packed) {
		options.packing.type =
			packed == 1 ? MKPERF_RECORD_COMPRESSED : MKPERF_RECORD_COMPRESSED2;
		options.packing.flush = 64 + fuzz_u8(choices) * 32U;
		options.packing.cut = fuzz_pick(choices, 4);
		/* Straddling a round would move a record behind it: it may be late there. */
	}
	if (!options.pipe) {
		options.v1 = fuzz_pick(choices, 4) == 1;
		options.attr_padding = 8U * fuzz_pick(choices, 3);
	}
	return options;
}

/* Facts about the run of perf record: command, clock, output, build ids, BPF programs. */
#include "perffile/feature/featuretext_kinds.h"

#include "perffile/record.h"

#include <inttypes.h>
#include <stdio.h>

/* u32 nr, nr strings: joined to one value, quoted as shell words. */
void featuretext_cmdline(const struct telling *telling, struct span *s)
{
	uint32_t nr = span_u32(s);
	struct fact_value line = {0};

	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		struct span arg = format_string(s);

		if (s->failed)
			break;
		if (i > 0)
			fact_value_add(&line, " ", 1);
		fact_value_quoted(&line, (const char *)arg.pos, span_left(&arg));
	}
	fact_take(telling->facts, s, &line, "%s", telling->name);
}

static const char *cpumode_name(unsigned misc)
{
	static const char *const names[] = {
		[CPUMODE_UNKNOWN] = "unknown",
		[CPUMODE_KERNEL] = "kernel",
		[CPUMODE_USER] = "user",
		[CPUMODE_HYPERVISOR] = "hypervisor",
		[CPUMODE_GUEST_KERNEL] = "guest_kernel",
		[CPUMODE_GUEST_USER] = "guest_user",
	};
	unsigned mode = misc & CPUMODE_MASK;

	return mode < sizeof(names) / sizeof(names[0]) ? names[mode] : "unknown";
}

static void featuretext_build_id(const struct telling *telling, const struct named_build_id *entry,
				 size_t number)
{
	char hex[2 * sizeof(entry->id.bytes) + 1] = "", pid[16];
	const char *mode = cpumode_name(entry->misc);

	for (size_t i = 0; i < entry->id.len; i++)
		snprintf(hex + 2 * i, 3, "%02x", entry->id.bytes[i]);
	fact_text(telling->facts, hex, strlen(hex), "%s.%zu.id", telling->name, number);
	fact_text(telling->facts, entry->filename, strlen(entry->filename), "%s.%zu.filename",
		  telling->name, number);
	fact_text(telling->facts, mode, strlen(mode), "%s.%zu.cpumode", telling->name, number);
	if (entry->pid == -1)
		return; /* the host, not a guest */
	snprintf(pid, sizeof(pid), "%" PRId32, entry->pid);
	fact_text(telling->facts, pid, strlen(pid), "%s.%zu.pid", telling->name, number);
}

void featuretext_build_ids(const struct telling *telling, struct span *s)
{
	const struct features *features = telling->features;

	(void)s;
	for (size_t i = 0; i < features->nr_build_ids; i++)
		featuretext_build_id(telling, &features->build_ids[i], i);
}

/*
 * u64 nr, nr x {u64 file offset, u64 size} of AUXTRACE records. simpleperf writes only the entries,
 * without nr.
 */
void featuretext_auxtrace(const struct telling *telling, struct span *s)
{
	enum { ENTRY_BYTES = 16 };
	uint64_t nr = span_left(s) / ENTRY_BYTES;

	if (span_left(s) % ENTRY_BYTES != 0)
		nr = span_u64(s);

	for (uint64_t i = 0; i < nr && !s->failed; i++) {
		fact_u64(telling->facts, s, "%s.%" PRIu64 ".offset", telling->name, i);
		fact_u64(telling->facts, s, "%s.%" PRIu64 ".size", telling->name, i);
	}
}

/* u64 first, u64 last. */
void featuretext_sample_time(const struct telling *telling, struct span *s)
{
	fact_u64(telling->facts, s, "%s.first", telling->name);
	fact_u64(telling->facts, s, "%s.last", telling->name);
}

/* u32 version, u32 clockid, u64 wall clock, u64 recording's clock at the same moment, in ns. */
void featuretext_clock_data(const struct telling *telling, struct span *s)
{
	fact_u32(telling->facts, s, "%s.version", telling->name);
	fact_u32(telling->facts, s, "%s.clockid", telling->name);
	fact_u64(telling->facts, s, "%s.wall_time", telling->name);
	fact_u64(telling->facts, s, "%s.clock_time", telling->name);
}

/* u32 version, type, level, ratio, mmap_len. */
void featuretext_compressed(const struct telling *telling, struct span *s)
{
	static const char *const fields[] = {"version", "type", "level", "ratio", "mmap_len"};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		fact_u32(telling->facts, s, "%s.%s", telling->name, fields[i]);
}

/* struct bpf_prog_info of include/uapi/linux/bpf.h, whose length depends on the recorded kernel. */
static void featuretext_bpf_program(const struct telling *telling, struct span info,
				    uint32_t number)
{
	enum { TAG_BYTES = 8, NAME_BYTES = 16, BETWEEN = 40 };
	struct span tag, name;
	char hex[2 * TAG_BYTES + 1];

	fact_u32(telling->facts, &info, "%s.%" PRIu32 ".type", telling->name, number);
	fact_u32(telling->facts, &info, "%s.%" PRIu32 ".id", telling->name, number);
	tag = span_take(&info, TAG_BYTES);
	if (tag.failed)
		return;
	for (size_t i = 0; i < TAG_BYTES; i++)
		snprintf(hex + 2 * i, 3, "%02x", tag.pos[i]);
	fact_text(telling->facts, hex, strlen(hex), "%s.%" PRIu32 ".tag", telling->name, number);
	fact_u32(telling->facts, &info, "%s.%" PRIu32 ".jited_len", telling->name, number);
	fact_u32(telling->facts, &info, "%s.%" PRIu32 ".xlated_len", telling->name, number);
	span_skip(&info, BETWEEN);
	name = span_take(&info, NAME_BYTES);
	if (!name.failed)
		fact_text(telling->facts, (const char *)name.pos, NAME_BYTES, "%s.%" PRIu32 ".name",
			  telling->name, number);
}

/* u32 nr, nr x {u32 info_len, u32 data_len, u64 arrays, info, data}. */
void featuretext_bpf_prog_info(const struct telling *telling, struct span *s)
{
	uint32_t nr;
	struct span head = *s;

	fact_u32(telling->facts, s, "%s.count", telling->name);
	nr = span_u32(&head);
	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		uint32_t info_len = span_u32(s), data_len = span_u32(s);
		struct span info;

		span_skip(s, sizeof(uint64_t));
		info = span_take(s, info_len);
		span_skip(s, data_len);
		if (!s->failed)
			featuretext_bpf_program(telling, info, i);
	}
}

/* u32 nr, nr x {u32 id, u32 size, bytes}. */
void featuretext_bpf_btf(const struct telling *telling, struct span *s)
{
	uint32_t nr;
	struct span head = *s;

	fact_u32(telling->facts, s, "%s.count", telling->name);
	nr = span_u32(&head);
	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		uint32_t id = span_u32(s), size = span_u32(s);

		span_skip(s, size);
		if (s->failed)
			return;
		fact_number(telling->facts, id, "%s.%" PRIu32 ".id", telling->name, i);
		fact_number(telling->facts, size, "%s.%" PRIu32 ".bytes", telling->name, i);
	}
}

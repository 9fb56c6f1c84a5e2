#include "perffile/feature/feature.h"

#include "perffile/feature/tracing.h"
#include "util/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUILD_ID_BYTES = 20, HOST_PID = -1 };

/* How to read a section. @read returns -1 only if memory is out. */
struct feature_kind {
	enum feature number;
	int (*read)(struct features *features, struct event_set *events, struct span *s);
};

/*
 * u32 nr, u32 attr_size, nr x {attr, u32 nr_ids, string name, u64 ids[nr_ids]}: the i-th entry
 * names the i-th event and repeats its ids.
 */
static int read_event_desc(struct features *features, struct event_set *events, struct span *s)
{
	uint32_t nr = span_u32(s), attr_size = span_u32(s);

	(void)features;
	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		uint32_t nr_ids;
		struct span name, ids;

		span_skip(s, attr_size);
		nr_ids = span_u32(s);
		name = format_string(s);
		ids = span_take(s, (uint64_t)nr_ids * sizeof(uint64_t));
		if (!s->failed &&
		    (events_describe(events, i, (const char *)name.pos, span_left(&name)) < 0 ||
		     events_identify(events, i, ids) < 0))
			return -1;
	}
	return 0;
}

/* Moves @s over a record, and sets @body to what follows its header. Returns its misc. */
static uint16_t take_record(struct span *s, struct span *body)
{
	uint16_t misc, size;

	span_skip(s, sizeof(uint32_t));
	misc = span_u16(s);
	size = span_u16(s);
	if (size < RECORD_HEADER_BYTES)
		span_fail(s);
	*body = span_take(s, size < RECORD_HEADER_BYTES ? 0 : size - RECORD_HEADER_BYTES);
	return misc;
}

/* A record: header, s32 pid (if it @has_pid), u8 id[20], u8 size (if misc says so), 3 bytes,
 * filename. */
static int read_build_id(struct features *features, struct span *s, bool has_pid)
{
	struct named_build_id entry = {.id.len = sizeof(entry.id.bytes), .pid = HOST_PID};
	struct span body;
	uint32_t name;

	entry.misc = take_record(s, &body);
	if (has_pid)
		entry.pid = (int32_t)span_u32(&body);
	span_bytes(&body, entry.id.bytes, sizeof(entry.id.bytes));
	if (entry.misc & MISC_BUILD_ID_SIZE) {
		entry.id.len = span_u8(&body);
		if (entry.id.len > sizeof(entry.id.bytes))
			entry.id.len = sizeof(entry.id.bytes);
		span_skip(&body, 3);
	} else {
		span_skip(&body, 4);
	}
	if (s->failed || body.failed) {
		features->damaged_build_ids = true;
		return 0;
	}
	name = intern(&features->strings, (const char *)body.pos, span_left(&body));
	if (name == INTERN_NOMEM ||
	    !array_grow(features->build_ids, features->room, features->nr_build_ids + 1))
		return -1;
	entry.filename = intern_get(&features->strings, name);
	features->build_ids[features->nr_build_ids++] = entry;
	return 0;
}

int features_read_build_id(struct features *features, struct span *s)
{
	return read_build_id(features, s, true);
}

/*
 * Whether the records of @s have pids. Those of the first perf have none, and nothing says so but
 * the kernel's name, of which the first four bytes are taken for a part of the id then.
 * (perf_header__read_build_ids() in tools/perf/util/header.c)
 */
static bool have_pids(struct span s)
{
	static const char late[] = "nel.kallsyms]";
	const size_t name = sizeof(uint32_t) + BUILD_ID_BYTES + 4;
	struct span body;

	while (span_left(&s) >= RECORD_HEADER_BYTES) {
		(void)take_record(&s, &body);
		span_skip(&body, name);
		if (!body.failed && span_left(&body) >= sizeof(late) - 1 &&
		    memcmp(body.pos, late, sizeof(late) - 1) == 0)
			return false;
	}
	return true;
}

static int read_build_ids(struct features *features, struct event_set *events, struct span *s)
{
	const bool has_pid = have_pids(*s);

	(void)events;
	while (span_left(s) >= RECORD_HEADER_BYTES) {
		if (read_build_id(features, s, has_pid) < 0)
			return -1;
	}
	return 0;
}

/* Whether event @number takes simpleperf's name; the other types have perf's, by their attr. */
static bool needs_name(const struct event_set *events, size_t number)
{
	uint32_t type = number < events->nr_events ? events->events[number]->attr.type : 0;

	return type == ATTR_TYPE_TRACEPOINT || type == ATTR_TYPE_RAW || type > ATTR_TYPE_BREAKPOINT;
}

/*
 * simpleperf: alternating NUL-terminated keys and values; "event_type_info" has a line
 * "name,type,config" for each event, in file order.
 */
static int read_meta_info(struct features *features, struct event_set *events, struct span *s)
{
	(void)features;
	while (span_left(s) > 0) {
		const char *key = span_cstr(s, NULL), *value = span_cstr(s, NULL);
		size_t number = 0;

		if (!key || !value)
			return 0;
		if (strcmp(key, "event_type_info") != 0)
			continue;
		for (const char *line = value; *line; number++) {
			size_t len = strcspn(line, "\n"), name_len = strcspn(line, ",\n");

			if (needs_name(events, number) &&
			    events_describe(events, number, line, name_len) < 0)
				return -1;
			line += len + (line[len] == '\n');
		}
	}
	return 0;
}

/* u32 nr, nr x {u32 type, string name}. */
static int read_pmu_mappings(struct features *features, struct event_set *events, struct span *s)
{
	uint32_t nr = span_u32(s);

	(void)features;
	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		uint32_t type = span_u32(s);
		struct span name = format_string(s);

		if (!s->failed && !eventname_add_number(&events->numbers, NUMBER_PMU, type,
							(const char *)name.pos, span_left(&name)))
			return -1;
	}
	return events_name_again(events);
}

static int read_tracing_data(struct features *features, struct event_set *events, struct span *s)
{
	struct tracing tracing;
	struct tracing_event event;
	char name[EVENT_NAME_MAX];

	if (!tracing_open(&tracing, *s))
		return 0;
	features->long_size = tracing.long_size;
	while (tracing_next(&tracing, &event)) {
		if (!event.has_id || span_left(&event.name) == 0 ||
		    span_left(&event.name) >= sizeof(name))
			continue;
		snprintf(name, sizeof(name), "%s:%.*s", event.system, (int)span_left(&event.name),
			 (const char *)event.name.pos);
		if (!eventname_add_number(&events->numbers, NUMBER_TRACEPOINT, event.id, name,
					  strlen(name)))
			return -1;
	}
	return events_name_again(events);
}

/* Reads a short text, such as the names that uname(2) gives, into *@kept. */
static int read_system_name(struct features *features, struct span *s, const char **kept)
{
	struct span name = format_string(s);
	char text[256];

	if (s->failed || span_left(&name) == 0 || span_left(&name) >= sizeof(text))
		return 0;
	snprintf(text, sizeof(text), "%.*s", (int)span_left(&name), (const char *)name.pos);
	*kept = intern_keep(&features->strings, text);
	return *kept ? 0 : -1;
}

static int read_hostname(struct features *features, struct event_set *events, struct span *s)
{
	(void)events;
	return read_system_name(features, s, &features->hostname);
}

static int read_release(struct features *features, struct event_set *events, struct span *s)
{
	(void)events;
	return read_system_name(features, s, &features->release);
}

static int read_machine(struct features *features, struct event_set *events, struct span *s)
{
	(void)events;
	return read_system_name(features, s, &features->machine);
}

static int read_version(struct features *features, struct event_set *events, struct span *s)
{
	(void)events;
	return read_system_name(features, s, &features->version);
}

/* How many calls that have not returned the processor with this @cpuid keeps; 0: unknown. */
static uint32_t branches_of(const char *cpuid)
{
	static const char intel[] = "GenuineIntel,6,"; /* and the model */
	/* Haswell and Broadwell, the first that keep calls */
	static const uint8_t models_with_16[] = {60, 61, 63, 69, 70, 71, 79, 86};
	unsigned long model;

	if (strncmp(cpuid, intel, sizeof(intel) - 1) != 0)
		return 0;
	model = strtoul(cpuid + sizeof(intel) - 1, NULL, 10);
	for (size_t i = 0; i < sizeof(models_with_16) / sizeof(models_with_16[0]); i++)
		if (model == models_with_16[i])
			return 16;
	return 32;
}

static int read_cpuid(struct features *features, struct event_set *events, struct span *s)
{
	(void)events;
	if (read_system_name(features, s, &features->cpuid) < 0)
		return -1;
	if (features->cpuid)
		features->branches_of_model = branches_of(features->cpuid);
	return 0;
}

/* u32 version, u32 clockid, u64 wall clock, u64 recording's clock at the same moment, in ns. */
static int read_clock_data(struct features *features, struct event_set *events, struct span *s)
{
	uint64_t wall_time, clock_time;

	(void)events;
	span_skip(s, 8);
	wall_time = span_u64(s);
	clock_time = span_u64(s);
	if (s->failed)
		return 0;
	features->wall_time = wall_time;
	features->clock_time = clock_time;
	return 0;
}

/* @nr pairs of strings (name, value) that tell what a PMU can. */
static void read_caps(struct features *features, struct span *s, uint32_t nr)
{
	static const char name_of_branches[] = "branches";
	enum { BRANCHES_MAX = 1 << 16 };

	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		struct span name = format_string(s), value = format_string(s);
		uint32_t branches = 0;

		if (s->failed || span_left(&name) != sizeof(name_of_branches) - 1 ||
		    memcmp(name.pos, name_of_branches, sizeof(name_of_branches) - 1) != 0)
			continue;
		while (span_left(&value) > 0 && branches < BRANCHES_MAX && *value.pos >= '0' &&
		       *value.pos <= '9')
			branches = branches * 10 + (uint32_t)(span_u8(&value) - '0');
		if (branches > features->branches)
			features->branches = branches;
	}
}

/* u32 nr, nr x {string name, string value}. */
static int read_cpu_pmu_caps(struct features *features, struct event_set *events, struct span *s)
{
	uint32_t nr = span_u32(s);

	(void)events;
	read_caps(features, s, nr);
	return 0;
}

/* u32 nr, nr x {u32 nr_caps, nr_caps x {string name, string value}, string pmu}. */
static int read_pmu_caps(struct features *features, struct event_set *events, struct span *s)
{
	uint32_t nr = span_u32(s);

	(void)events;
	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		uint32_t nr_caps = span_u32(s);

		read_caps(features, s, nr_caps);
		format_string(s);
	}
	return 0;
}

static const struct feature_kind feature_kinds[] = {
	{FEATURE_TRACING_DATA, read_tracing_data},
	{FEATURE_BUILD_ID, read_build_ids},
	{FEATURE_EVENT_DESC, read_event_desc},
	{FEATURE_PMU_MAPPINGS, read_pmu_mappings},
	{FEATURE_META_INFO, read_meta_info},
	{FEATURE_OSRELEASE, read_release},
	{FEATURE_HOSTNAME, read_hostname},
	{FEATURE_ARCH, read_machine},
	{FEATURE_CLOCK_DATA, read_clock_data},
	{FEATURE_VERSION, read_version},
	{FEATURE_CPUID, read_cpuid},
	{FEATURE_CPU_PMU_CAPS, read_cpu_pmu_caps},
	{FEATURE_PMU_CAPS, read_pmu_caps},
};

/* Whether the section may be kept: an untrusted recording must not fill memory. */
static bool may_keep(const struct features *features, unsigned number, uint64_t len)
{
	enum { KEEP_MAX = 64 << 20 };

	/* copies of whole binaries */
	return number != FEATURE_DEBUG_UNWIND_FILE && len <= KEEP_MAX - features->bytes_kept;
}

static int add_section(struct features *features, const struct feature_bytes *section)
{
	if (!array_grow(features->sections, features->sections_room, features->nr_sections + 1))
		return -1;
	features->sections[features->nr_sections++] = *section;
	return 0;
}

static int keep_section(struct features *features, unsigned number, struct span s, uint64_t size)
{
	struct feature_bytes kept = {.number = number, .size = size, .cut = span_left(&s) < size};

	if (may_keep(features, number, span_left(&s))) {
		kept.len = span_left(&s);
		kept.bytes = malloc(kept.len + 1);
		if (!kept.bytes)
			return -1;
		memcpy(kept.bytes, s.pos, kept.len);
		features->bytes_kept += kept.len;
	}
	if (add_section(features, &kept) == 0)
		return 0;
	free(kept.bytes);
	return -1;
}

/* Returns how to read section @number; NULL if it is only kept. */
static const struct feature_kind *find_kind(unsigned number)
{
	for (size_t i = 0; i < sizeof(feature_kinds) / sizeof(feature_kinds[0]); i++) {
		if ((unsigned)feature_kinds[i].number == number)
			return &feature_kinds[i];
	}
	return NULL;
}

/* @size: the section's size in the recording; @s may be shorter. */
static int read_section(struct features *features, struct event_set *events, unsigned number,
			struct span s, uint64_t size)
{
	const struct feature_kind *kind = find_kind(number);

	if (keep_section(features, number, s, size) < 0)
		return -1;
	return kind ? kind->read(features, events, &s) : 0;
}

int features_read_section(struct features *features, struct event_set *events, unsigned number,
			  struct span s)
{
	return read_section(features, events, number, s, span_left(&s));
}

/* Like features_read(), for one section. A section that is neither read nor kept is not loaded. */
static int load_section(struct features *features, struct event_set *events, unsigned number,
			const struct header *header, struct source *source, struct error *err)
{
	const struct section *section = &header->features[number];
	const struct feature_bytes only_size = {.number = number, .size = section->size};
	struct span s;
	void *bytes = NULL;
	int rc;

	if (!find_kind(number) && !may_keep(features, number, section->size)) {
		rc = add_section(features, &only_size);
	} else {
		bytes = section_load(section, source, header->swap, &s, err);
		if (!bytes)
			return -1;
		rc = read_section(features, events, number, s, section->size);
	}
	free(bytes);
	return rc < 0 ? error_nomem(err, "reading the recording's features") : 0;
}

int features_read(struct features *features, struct event_set *events, const struct header *header,
		  struct source *source, struct error *err)
{
	for (unsigned number = 0; number < HEADER_FEATURE_BITS; number++) {
		if (header->features[number].offset != 0 &&
		    load_section(features, events, number, header, source, err) < 0)
			return -1;
	}
	return 0;
}

struct span features_section(const struct features *features, bool swap, unsigned number)
{
	for (size_t i = 0; i < features->nr_sections; i++) {
		const struct feature_bytes *section = &features->sections[i];

		if (section->number == number && section->bytes)
			return span_make(section->bytes, section->len, swap);
	}
	return (struct span){.failed = true};
}

void features_free(struct features *features)
{
	for (size_t i = 0; i < features->nr_sections; i++)
		free(features->sections[i].bytes);
	free(features->sections);
	free(features->build_ids);
	intern_free(&features->strings);
	*features = (struct features){0};
}

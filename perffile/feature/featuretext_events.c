/* Facts about events, their groups, and the PMUs that count them. */
#include "perffile/feature/featuretext_kinds.h"

#include "perffile/feature/tracing.h"
#include "perffile/record/attr.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Adds the fields that most events leave 0, if set. */
static void featuretext_rare_fields(const struct telling *telling, const struct attr *attr,
				    uint32_t event)
{
	const struct {
		const char *name;
		uint64_t value;
	} fields[] = {
		{"bp_type", attr->bp_type},
		{"config1", attr->config1},
		{"config2", attr->config2},
		{"config3", attr->config3},
		{"config4", attr->config4},
		{"branch_sample_type", attr->branch_sample_type},
		{"sample_regs_user", attr->sample_regs_user},
		{"sample_regs_intr", attr->sample_regs_intr},
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (fields[i].value)
			fact_hex(telling->facts, fields[i].value, "%s.%" PRIu32 ".%s",
				 telling->name, event, fields[i].name);
	}
}

static void featuretext_attr(const struct telling *telling, struct span s, uint32_t event)
{
	struct attr attr;

	if (!attr_decode(&attr, s))
		return;
	fact_number(telling->facts, attr.type, "%s.%" PRIu32 ".type", telling->name, event);
	fact_hex(telling->facts, attr.config, "%s.%" PRIu32 ".config", telling->name, event);
	fact_number(telling->facts, attr.sample_period, "%s.%" PRIu32 ".%s", telling->name, event,
		    attr.flags & ATTR_FREQ ? "sample_freq" : "sample_period");
	fact_hex(telling->facts, attr.sample_type, "%s.%" PRIu32 ".sample_type", telling->name,
		 event);
	fact_hex(telling->facts, attr.read_format, "%s.%" PRIu32 ".read_format", telling->name,
		 event);
	fact_hex(telling->facts, attr.flags, "%s.%" PRIu32 ".flags", telling->name, event);
	featuretext_rare_fields(telling, &attr, event);
}

static void featuretext_ids(const struct telling *telling, struct span *s, uint32_t nr,
			    uint32_t event)
{
	struct span ids = span_take(s, (uint64_t)nr * sizeof(uint64_t));
	struct fact_value list = {0};

	while (span_left(&ids) > 0)
		fact_value_number(&list, " ", span_u64(&ids));
	fact_take(telling->facts, s, &list, "%s.%" PRIu32 ".ids", telling->name, event);
}

/* u32 nr, u32 attr_size, nr x {attr, u32 nr_ids, string name, u64 ids[nr_ids]}. */
void featuretext_event_desc(const struct telling *telling, struct span *s)
{
	uint32_t nr = span_u32(s), attr_size = span_u32(s);

	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		struct span attr = span_take(s, attr_size);
		uint32_t nr_ids = span_u32(s);

		fact_string(telling->facts, s, "%s.%" PRIu32 ".name", telling->name, i);
		if (s->failed)
			return;
		featuretext_attr(telling, attr, i);
		featuretext_ids(telling, s, nr_ids, i);
	}
}

/* u32 nr, nr x {u32 type, string name}. */
void featuretext_pmu_mappings(const struct telling *telling, struct span *s)
{
	uint32_t nr = span_u32(s);

	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		uint32_t type = span_u32(s);

		fact_string(telling->facts, s, "%s.%" PRIu32, telling->name, type);
	}
}

/* u32 nr, nr x {string name, u32 leader, u32 nr_members}: leader is its index among the events. */
void featuretext_group_desc(const struct telling *telling, struct span *s)
{
	uint32_t nr = span_u32(s);

	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		fact_string(telling->facts, s, "%s.%" PRIu32 ".name", telling->name, i);
		fact_u32(telling->facts, s, "%s.%" PRIu32 ".leader", telling->name, i);
		fact_u32(telling->facts, s, "%s.%" PRIu32 ".members", telling->name, i);
	}
}

/* @nr pairs of strings (name, value) of the PMU @pmu; "" leaves the PMU out of the key. */
static void featuretext_caps(const struct telling *telling, struct span *s, uint32_t nr,
			     struct span pmu)
{
	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		struct span cap = format_string(s);

		fact_string(telling->facts, s, "%s%s%.*s.%.*s", telling->name,
			    span_left(&pmu) ? "." : "", (int)span_left(&pmu), (const char *)pmu.pos,
			    (int)span_left(&cap), (const char *)cap.pos);
	}
}

/* u32 nr, nr x {string name, string value}. */
void featuretext_cpu_pmu_caps(const struct telling *telling, struct span *s)
{
	uint32_t nr = span_u32(s);

	featuretext_caps(telling, s, nr, span_make("", 0, false));
}

/* u32 nr, nr x {u32 nr_caps, nr_caps x {string name, string value}, string pmu}. */
void featuretext_pmu_caps(const struct telling *telling, struct span *s)
{
	uint32_t nr = span_u32(s);

	for (uint32_t i = 0; i < nr && !s->failed; i++) {
		uint32_t nr_caps = span_u32(s);
		struct span caps = *s, pmu;

		for (uint32_t j = 0; j < nr_caps && !s->failed; j++) {
			format_string(s);
			format_string(s);
		}
		pmu = format_string(s);
		if (s->failed)
			return;
		featuretext_caps(telling, &caps, nr_caps, pmu);
	}
}

static void featuretext_line(const struct telling *telling, struct span line, uint64_t id,
			     const char *key)
{
	fact_text(telling->facts, (const char *)line.pos, span_left(&line),
		  "%s.event.%" PRIu64 ".%s", telling->name, id, key);
}

/* The lines of a format: "field:int prev_pid; offset:24; size:4; signed:1;" and "print fmt: ...".
 */
static void featuretext_tracepoint(const struct telling *telling, const struct tracing_event *event)
{
	struct span text = event->format, line;
	uint32_t nr_fields = 0;

	fact_text(telling->facts, event->system, strlen(event->system),
		  "%s.event.%" PRIu64 ".system", telling->name, event->id);
	featuretext_line(telling, event->name, event->id, "name");
	while (tracing_line(&text, &line)) {
		char key[32];

		snprintf(key, sizeof(key), "field.%" PRIu32, nr_fields);
		if (tracing_key(&line, "field:")) {
			featuretext_line(telling, line, event->id, key);
			nr_fields++;
		} else if (tracing_key(&line, "print fmt:")) {
			featuretext_line(telling, line, event->id, "print_fmt");
		}
	}
}

/* Adds the sizes of the parts after the formats: kallsyms, printk formats, saved cmdlines. */
static void featuretext_tracing_rest(const struct telling *telling, struct span *s)
{
	uint32_t kallsyms = span_u32(s), printk;

	span_skip(s, kallsyms);
	printk = span_u32(s);
	span_skip(s, printk);
	if (s->failed)
		return;
	fact_number(telling->facts, kallsyms, "%s.kallsyms.bytes", telling->name);
	fact_number(telling->facts, printk, "%s.printk.bytes", telling->name);
	if (span_left(s) >= sizeof(uint64_t))
		fact_u64(telling->facts, s, "%s.cmdlines.bytes", telling->name);
}

void featuretext_tracing_data(const struct telling *telling, struct span *s)
{
	struct tracing tracing;
	struct tracing_event event;

	if (!tracing_open(&tracing, *s)) {
		span_fail(s);
		return;
	}
	fact_text(telling->facts, tracing.version, strlen(tracing.version), "%s.version",
		  telling->name);
	fact_number(telling->facts, tracing.big_endian, "%s.big_endian", telling->name);
	fact_number(telling->facts, tracing.long_size, "%s.long_size", telling->name);
	fact_number(telling->facts, tracing.page_size, "%s.page_size", telling->name);
	while (tracing_next(&tracing, &event)) {
		if (event.has_id)
			featuretext_tracepoint(telling, &event);
	}
	featuretext_tracing_rest(telling, &tracing.rest);
	*s = tracing.rest;
}

/* The functions of perffile.h that describe an open recording and need no record. */
#include "perffile/feature/featuretext.h"
#include "perffile/feature/tracing.h"
#include "perffile/feature/topology.h"
#include "perffile/ahead.h"
#include "perffile/handle.h"
#include "perffile/perffile.h"
#include "perffile/sequence.h"

#include <stdlib.h>
#include <string.h>

size_t perffile_nr_events(const struct perffile *file)
{
	return file->events.nr_events;
}

const struct event *perffile_event(const struct perffile *file, size_t number)
{
	return file->events.events[number];
}

int perffile_call_event(struct perffile *file, size_t number, const char *name, struct error *err)
{
	return events_call(&file->events, number, name) < 0 ? error_nomem(err, "naming events") : 0;
}

const struct event *perffile_event_by_id(const struct perffile *file, uint64_t id)
{
	return events_by_id(&file->events, id);
}

bool perffile_has_offcpu(const struct perffile *file)
{
	return file->events.offcpu;
}

size_t perffile_nr_build_ids(const struct perffile *file)
{
	return file->features.nr_build_ids;
}

const struct named_build_id *perffile_build_ids(const struct perffile *file)
{
	return file->features.build_ids;
}

/* As perffile_tracepoint(), in one section. */
static bool find_tracepoint(struct span section, uint64_t id, struct tracepoint *point)
{
	struct tracing tracing;
	struct tracing_event event;

	if (!tracing_open(&tracing, section))
		return false;
	while (tracing_next(&tracing, &event)) {
		if (!event.has_id || event.id != id)
			continue;
		*point = (struct tracepoint){.system = event.system,
					     .name = event.name,
					     .format = event.format,
					     .long_size = tracing.long_size};
		return true;
	}
	return false;
}

bool perffile_tracepoint(const struct perffile *file, uint64_t id, struct tracepoint *point)
{
	const struct features *features = &file->features;

	for (size_t i = 0; i < features->nr_sections; i++) {
		const struct feature_bytes *kept = &features->sections[i];

		if (kept->number == FEATURE_TRACING_DATA && kept->bytes &&
		    find_tracepoint(span_make(kept->bytes, kept->len, file->header.swap), id,
				    point))
			return true;
	}
	return false;
}

const char *perffile_pmu_name(const struct perffile *file, uint32_t type)
{
	return eventname_find_number(&file->events.numbers, NUMBER_PMU, type);
}

const char *perffile_release(const struct perffile *file)
{
	return file->features.release;
}

const char *perffile_hostname(const struct perffile *file)
{
	return file->features.hostname;
}

/* The name by uname(2) of the machine that perf's own @name means: perf inject writes that one. */
static const char *name_by_uname(const char *name, uint8_t long_size)
{
	static const struct {
		const char *perf, *of_32, *of_64;
	} names[] = {
		{"x86", "i386", "x86_64"},
		{"arm64", "aarch64", "aarch64"},
		{"riscv", "riscv32", "riscv64"},
		{"s390", "s390", "s390x"},
		{"loongarch", "loongarch32", "loongarch64"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i].perf) == 0)
			return long_size == 4 ? names[i].of_32 : names[i].of_64;
	return name;
}

const char *perffile_machine(const struct perffile *file)
{
	const struct features *features = &file->features;

	return features->machine ? name_by_uname(features->machine, features->long_size) : NULL;
}

uint64_t perffile_branches_kept(const struct perffile *file)
{
	enum { MOST = 32 };
	const struct features *features = &file->features;

	if (features->branches)
		return features->branches;
	return features->branches_of_model ? features->branches_of_model : MOST;
}

const char *perffile_version(const struct perffile *file)
{
	return file->features.version;
}

const char *perffile_cpuid(const struct perffile *file)
{
	return file->features.cpuid;
}

bool perffile_cpu_place(const struct perffile *file, uint32_t cpu, struct cpu_place *place)
{
	return topology_find(&file->features, file->header.swap, cpu, place);
}

/* Returns when the last file of the recording was modified, in ns since 1970. */
static int64_t last_written(const struct perffile *file)
{
	int64_t last = INT64_MIN;

	for (size_t i = 0; i < file->nr_parts; i++) {
		if (file->parts[i].source.written > last)
			last = file->parts[i].source.written;
	}
	return last;
}

/*
 * Both clocks were read before the first record. Times invented by perf are centuries in the
 * future.
 */
bool perffile_wall_time(const struct perffile *file, uint64_t time, int64_t *wall)
{
	const struct features *features = &file->features;

	return features->wall_time != 0 && time >= features->clock_time &&
	       !__builtin_add_overflow(features->wall_time, time - features->clock_time, wall);
}

/* Returns the wall clock at the last record, in ns since 1970. */
static int64_t wall_clock_at_end(const struct perffile *file)
{
	int64_t end;

	return perffile_wall_time(file, file->last_time, &end) ? end : INT64_MAX;
}

int64_t perffile_end(const struct perffile *file)
{
	const int64_t written = last_written(file), end = wall_clock_at_end(file);

	return end < written ? end : written;
}

const char *perffile_kcore_dir(const struct perffile *file)
{
	return file->files.kcore_dir;
}

int perffile_describe(const struct perffile *file, struct facts *facts, struct error *err)
{
	if (features_describe(&file->features, file->header.swap, facts) < 0)
		return error_nomem(err, "describing the recording");
	tracestore_describe(&file->traces, facts);
	return facts->nomem ? error_nomem(err, "describing the recording") : 0;
}

const struct trace_summary *perffile_trace(const struct perffile *file)
{
	return &file->traces.summary;
}

int perffile_keep_traces(struct perffile *file, struct error *err)
{
	if (!file->traces.spool)
		file->traces.spool = calloc(1, sizeof(*file->traces.spool));
	return file->traces.spool ? 0 : error_nomem(err, "keeping the hardware trace");
}

ssize_t perffile_read_trace(const struct perffile *file, const struct trace_place *place,
			    uint64_t at, void *to, size_t len, struct error *err)
{
	if (at >= place->len)
		return 0;
	if (len > place->len - at)
		len = (size_t)(place->len - at);
	if (!place->spooled)
		return source_read(&file->parts[place->part].source, place->offset + at, to, len,
				   err);
	return spool_get(file->traces.spool, place->offset + at, to, len, err) < 0 ? -1
										   : (ssize_t)len;
}

const struct perffile_counts *perffile_counts(const struct perffile *file)
{
	return &file->counts;
}

uint64_t perffile_bytes_read(const struct perffile *file)
{
	return file->ahead ? ahead_bytes_read(file->ahead) : sequence_bytes_read(file);
}

uint64_t perffile_bytes_cold(const struct perffile *file)
{
	return file->queue.store.bytes_cooled;
}

uint64_t perffile_bytes_total(const struct perffile *file)
{
	return sequence_bytes_total(file);
}

uint64_t perffile_bytes_unpacked(const struct perffile *file, uint64_t bytes)
{
	uint64_t in = 0, out = 0;

	for (size_t i = 0; i < file->nr_parts; i++) {
		in += file->parts[i].stream.nr_in;
		out += file->parts[i].stream.nr_out;
	}
	return in ? (uint64_t)((double)bytes * ((double)out / (double)in)) : bytes;
}

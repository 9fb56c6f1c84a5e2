#include "perffile/record/recordtype.h"

enum {
	WORD = 7, /* mask: sizes are whole words of 8 bytes */
	ANY = RECORD_BYTES_MAX,
	PATH_BYTES = 4096,   /* PATH_MAX, with the NUL */
	NAME_BYTES = 512,    /* KSYM_NAME_LEN of new kernels */
	COMM_BYTES = 64,     /* the kernel's has 16 */
	NAMESPACES_MAX = 64, /* there are 7 kinds */
	NAMESPACE_BYTES = 16,
	NAMESPACES_BYTES = NAMESPACES_MAX * NAMESPACE_BYTES
};

/* A kernel record: a body of @least to @least + @more bytes, then a trailer. */
#define KERNEL(least, more) 8 + (least), 8 + (least) + (more), WORD, true, 0
/* The same, with a body that ends in a string of up to @most bytes at its byte @offset. */
#define ENDS_IN_STRING(offset, most) 16 + (offset), 16 + (offset) + (most), WORD, true, (offset)

/*
 * Kernel types are from perf_event.h; a string takes at least 8 bytes. perf's own types are from
 * tools/lib/perf/include/perf/event.h; HEADER_FEATURE, TRACING_DATA and compressed records are not
 * always whole words.
 */
static const struct record_kind kinds[RECORD_NAMED_MAX] = {
	[RECORD_MMAP] = {"MMAP", ENDS_IN_STRING(32, PATH_BYTES)},
	[RECORD_LOST] = {"LOST", KERNEL(16, 0)},
	[RECORD_COMM] = {"COMM", ENDS_IN_STRING(8, COMM_BYTES)},
	[RECORD_EXIT] = {"EXIT", KERNEL(24, 0)},
	[RECORD_THROTTLE] = {"THROTTLE", KERNEL(24, 0)},
	[RECORD_UNTHROTTLE] = {"UNTHROTTLE", KERNEL(24, 0)},
	[RECORD_FORK] = {"FORK", KERNEL(24, 0)},
	[RECORD_READ] = {"READ", 16, ANY, WORD, false, 0},
	[RECORD_SAMPLE] = {"SAMPLE", 8, ANY, WORD, false, 0},
	[RECORD_MMAP2] = {"MMAP2", ENDS_IN_STRING(64, PATH_BYTES)},
	[RECORD_AUX] = {"AUX", KERNEL(24, 0)},
	[RECORD_ITRACE_START] = {"ITRACE_START", KERNEL(8, 0)},
	[RECORD_LOST_SAMPLES] = {"LOST_SAMPLES", KERNEL(8, 0)},
	[RECORD_SWITCH] = {"SWITCH", KERNEL(0, 0)},
	[RECORD_SWITCH_CPU_WIDE] = {"SWITCH_CPU_WIDE", KERNEL(8, 0)},
	[RECORD_NAMESPACES] = {"NAMESPACES", KERNEL(16, NAMESPACES_BYTES)},
	[RECORD_KSYMBOL] = {"KSYMBOL", ENDS_IN_STRING(16, NAME_BYTES)},
	[RECORD_BPF_EVENT] = {"BPF_EVENT", KERNEL(16, 0)},
	[RECORD_CGROUP] = {"CGROUP", ENDS_IN_STRING(8, PATH_BYTES)},
	[RECORD_TEXT_POKE] = {"TEXT_POKE", 24, ANY, WORD, false, 0},
	[RECORD_AUX_OUTPUT_HW_ID] = {"AUX_OUTPUT_HW_ID", KERNEL(8, 0)},
	[RECORD_CALLCHAIN_DEFERRED] = {"CALLCHAIN_DEFERRED", 24, ANY, WORD, false, 0},
	[RECORD_HEADER_ATTR] = {"HEADER_ATTR", 8 + ATTR_BYTES_V0, ANY, WORD, false, 0},
	[RECORD_HEADER_EVENT_TYPE] = {"HEADER_EVENT_TYPE", 16, 16 + 64, WORD, false, 0},
	[RECORD_HEADER_TRACING_DATA] = {"HEADER_TRACING_DATA", 12, 16, 3, false, 0},
	[RECORD_HEADER_BUILD_ID] = {"HEADER_BUILD_ID", 36, 36 + PATH_BYTES + 64, 0, false, 0},
	[RECORD_FINISHED_ROUND] = {"FINISHED_ROUND", 8, 8, WORD, false, 0},
	[RECORD_ID_INDEX] = {"ID_INDEX", 16, ANY, WORD, false, 0},
	[RECORD_AUXTRACE_INFO] = {"AUXTRACE_INFO", 16, ANY, WORD, false, 0},
	[RECORD_AUXTRACE] = {"AUXTRACE", 48, 48, WORD, false, 0},
	[RECORD_AUXTRACE_ERROR] = {"AUXTRACE_ERROR", 40, 40 + 256, WORD, false, 0},
	[RECORD_THREAD_MAP] = {"THREAD_MAP", 16, ANY, WORD, false, 0},
	[RECORD_CPU_MAP] = {"CPU_MAP", 12, ANY, 0, false, 0},
	[RECORD_STAT_CONFIG] = {"STAT_CONFIG", 16, ANY, WORD, false, 0},
	[RECORD_STAT] = {"STAT", 48, 48, WORD, false, 0},
	[RECORD_STAT_ROUND] = {"STAT_ROUND", 24, 24, WORD, false, 0},
	[RECORD_EVENT_UPDATE] = {"EVENT_UPDATE", 24, ANY, WORD, false, 0},
	[RECORD_TIME_CONV] = {"TIME_CONV", 32, 56, WORD, false, 0},
	[RECORD_HEADER_FEATURE] = {"HEADER_FEATURE", 16, ANY, 3, false, 0},
	[RECORD_COMPRESSED] = {"COMPRESSED", 9, ANY, 0, false, 0},
	[82] = {"FINISHED_INIT", 8, 8, WORD, false, 0},
	[RECORD_COMPRESSED2] = {"COMPRESSED2", 16, ANY, 0, false, 0},
	[84] = {"BPF_METADATA", 16, ANY, WORD, false, 0},
	[85] = {"SCHEDSTAT_CPU", 16, ANY, WORD, false, 0},
	[86] = {"SCHEDSTAT_DOMAIN", 16, ANY, WORD, false, 0},
};

const struct record_kind *record_type(uint32_t type)
{
	return type < RECORD_NAMED_MAX && kinds[type].name ? &kinds[type] : NULL;
}

const char *record_type_name(uint32_t type)
{
	return type < RECORD_NAMED_MAX ? kinds[type].name : NULL;
}

bool record_type_may_exist(uint32_t type)
{
	return type > 0 && type <= UINT16_MAX;
}

size_t record_type_string(uint32_t type)
{
	return type < RECORD_NAMED_MAX ? kinds[type].string : 0;
}

/* Bytes of a record of @type and @body, which does not end in a string, before padding. */
static uint64_t own_bytes(uint32_t type, struct span body)
{
	const struct record_kind *kind = record_type(type);
	uint64_t nr;

	switch (type) {
	case RECORD_NAMESPACES:
		nr = span_peek_u64(&body, 8);
		return 16 + (nr <= NAMESPACES_MAX ? nr * NAMESPACE_BYTES : UINT32_MAX);
	case RECORD_TEXT_POKE:
		span_skip(&body, 8);
		nr = span_u16(&body); /* old bytes, and new ones */
		return 12 + nr + span_u16(&body);
	default:
		return kind ? kind->least - RECORD_HEADER_BYTES : 0;
	}
}

bool record_type_has_trailer(uint32_t type, struct span body, uint16_t trailer_bytes)
{
	const size_t string = record_type_string(type);

	if (string) {
		span_skip(&body, string);
		(void)span_cstr(&body, NULL);
	} else {
		span_skip(&body, own_bytes(type, body));
	}
	return !body.failed && span_left(&body) >= trailer_bytes;
}

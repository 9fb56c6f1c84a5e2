#include "perffile/shape.h"

#include "perffile/decode.h"

enum {
	WORD = 7, /* a mask: whole words of 8 bytes */
	ANY = RECORD_BYTES_MAX,
	PATH_BYTES = 4096,  /* PATH_MAX, with the NUL */
	NAME_BYTES = 512,   /* KSYM_NAME_LEN of new kernels */
	COMM_BYTES = 64,    /* the kernel has 16 of them */
	NAMESPACES_MAX = 64 /* there are 7 kinds */
};

/* Least and most bytes of a type, without the trailer that may follow. */
struct bounds {
	uint16_t least, most, mask;
	bool trailer; /* one may follow */
};

#define KERNEL(least, more)                                   \
	{                                                     \
		8 + (least), 8 + (least) + (more), WORD, true \
	}

/*
 * The kernel's types are those of perf_event.h, strings being at least a word. perf's own are
 * those of tools/lib/perf/include/perf/event.h; HEADER_FEATURE, TRACING_DATA and compressed records
 * are not always whole words.
 */
static const struct bounds bounds[RECORD_NAMED_MAX] = {
	[RECORD_MMAP] = KERNEL(40, PATH_BYTES),
	[RECORD_LOST] = KERNEL(16, 0),
	[RECORD_COMM] = KERNEL(16, COMM_BYTES),
	[RECORD_EXIT] = KERNEL(24, 0),
	[RECORD_THROTTLE] = KERNEL(24, 0),
	[RECORD_UNTHROTTLE] = KERNEL(24, 0),
	[RECORD_FORK] = KERNEL(24, 0),
	[RECORD_READ] = {16, ANY, WORD, false},
	[RECORD_SAMPLE] = {8, ANY, WORD, false},
	[RECORD_MMAP2] = KERNEL(72, PATH_BYTES),
	[RECORD_AUX] = KERNEL(24, 0),
	[RECORD_ITRACE_START] = KERNEL(8, 0),
	[RECORD_LOST_SAMPLES] = KERNEL(8, 0),
	[RECORD_SWITCH] = KERNEL(0, 0),
	[RECORD_SWITCH_CPU_WIDE] = KERNEL(8, 0),
	[RECORD_NAMESPACES] = KERNEL(16, 16 * NAMESPACES_MAX),
	[RECORD_KSYMBOL] = KERNEL(24, NAME_BYTES),
	[RECORD_BPF_EVENT] = KERNEL(16, 0),
	[RECORD_CGROUP] = KERNEL(16, PATH_BYTES),
	[RECORD_TEXT_POKE] = {24, ANY, WORD, false},
	[RECORD_AUX_OUTPUT_HW_ID] = KERNEL(8, 0),
	[RECORD_CALLCHAIN_DEFERRED] = {24, ANY, WORD, false},
	[RECORD_HEADER_ATTR] = {8 + ATTR_BYTES_V0, ANY, WORD, false},
	[RECORD_HEADER_EVENT_TYPE] = {16, 16 + 64, WORD, false},
	[RECORD_HEADER_TRACING_DATA] = {12, 16, 3, false},
	[RECORD_HEADER_BUILD_ID] = {36, 36 + PATH_BYTES + 64, 0, false},
	[RECORD_FINISHED_ROUND] = {8, 8, WORD, false},
	[RECORD_ID_INDEX] = {16, ANY, WORD, false},
	[RECORD_AUXTRACE_INFO] = {16, ANY, WORD, false},
	[RECORD_AUXTRACE] = {48, 48, WORD, false},
	[RECORD_AUXTRACE_ERROR] = {40, 40 + 256, WORD, false},
	[RECORD_THREAD_MAP] = {16, ANY, WORD, false},
	[RECORD_CPU_MAP] = {12, ANY, 0, false},
	[RECORD_STAT_CONFIG] = {16, ANY, WORD, false},
	[RECORD_STAT] = {48, 48, WORD, false},
	[RECORD_STAT_ROUND] = {24, 24, WORD, false},
	[RECORD_EVENT_UPDATE] = {24, ANY, WORD, false},
	[RECORD_TIME_CONV] = {32, 56, WORD, false},
	[RECORD_HEADER_FEATURE] = {16, ANY, 3, false},
	[RECORD_COMPRESSED] = {9, ANY, 0, false},
	[82] = {8, 8, WORD, false}, /* FINISHED_INIT */
	[RECORD_COMPRESSED2] = {16, ANY, 0, false},
	[84] = {16, ANY, WORD, false}, /* BPF_METADATA */
	[85] = {16, ANY, WORD, false}, /* SCHEDSTAT_CPU */
	[86] = {16, ANY, WORD, false}, /* SCHEDSTAT_DOMAIN */
};

static const struct shape no_shape = {.least = ANY, .mask = UINT16_MAX};

void shapes_init(struct shapes *shapes)
{
	*shapes = (struct shapes){0};
	for (uint32_t type = 0; type < SHAPE_TYPES; type++) {
		const struct bounds *known = &bounds[type < RECORD_NAMED_MAX ? type : 0];

		shapes->by_type[type] = no_shape;
		if (!known->least)
			continue;
		shapes->by_type[type] = (struct shape){
			.least = known->least,
			.range = (uint16_t)(known->most - known->least),
			.mask = known->mask,
		};
		if (record_string_offset(type))
			shapes->by_type[type].string =
				(uint16_t)(RECORD_HEADER_BYTES + record_string_offset(type));
	}
}

/* The first event alone says how large samples are, as far as the others agree with it. */
static void learn_sample(struct shapes *shapes, const struct sample_layout *layout, bool first)
{
	struct shape *sample = &shapes->by_type[RECORD_SAMPLE];
	const uint16_t chain = layout->chain_offset;
	const uint16_t range = layout->varies ? (uint16_t)(ANY - layout->least) : 0;

	if (first) {
		sample->least = layout->least;
		sample->range = range;
		shapes->chain_offset = chain;
		shapes->chain_least = chain ? layout->least : 0;
		return;
	}
	if (sample->least == layout->least && sample->range == range &&
	    shapes->chain_offset == chain)
		return;
	if (layout->least < sample->least)
		sample->least = layout->least;
	sample->range = (uint16_t)(ANY - sample->least);
	shapes->chain_offset = 0;
}

/* Records may have longer trailers from now on. */
static void learn_trailer(struct shapes *shapes, uint16_t trailer_bytes)
{
	if (trailer_bytes <= shapes->trailer_most)
		return;
	for (uint32_t type = 0; type < RECORD_NAMED_MAX; type++) {
		const struct bounds *known = &bounds[type];

		if (known->trailer)
			shapes->by_type[type].range =
				(uint16_t)(known->most - known->least + trailer_bytes);
	}
	shapes->trailer_most = trailer_bytes;
}

void shapes_learn(struct shapes *shapes, const struct event_set *events)
{
	for (; shapes->nr_events < events->nr_events; shapes->nr_events++) {
		const struct sample_layout *layout = &events->events[shapes->nr_events]->layout;

		learn_sample(shapes, layout, shapes->nr_events == 0);
		learn_trailer(shapes, layout->trailer_bytes);
	}
}

enum damage_cause shapes_damage(const struct shapes *shapes, uint32_t type, struct span body)
{
	const size_t string = record_string_offset(type), left = span_left(&body);

	if (!record_type_name(type))
		return DAMAGE_TYPE;
	if (string)
		return left > string ? DAMAGE_STRING : DAMAGE_SHORT;
	if (type < SHAPE_TYPES && RECORD_HEADER_BYTES + left < shapes->by_type[type].least)
		return DAMAGE_SHORT;
	return DAMAGE_LIST;
}

#include "perffile/record/recordsize.h"

#include "perffile/record/recordtype.h"

enum { ANY = RECORD_BYTES_MAX };

static const struct record_size no_size = {.least = ANY, .mask = UINT16_MAX};

void record_sizes_init(struct record_sizes *sizes)
{
	*sizes = (struct record_sizes){0};
	for (uint32_t type = 0; type < RECORD_SIZES_TYPES; type++) {
		const struct record_kind *known = record_type(type);

		sizes->by_type[type] = no_size;
		if (!known)
			continue;
		sizes->by_type[type] = (struct record_size){
			.least = known->least,
			.range = (uint16_t)(known->most - known->least),
			.mask = known->mask,
		};
		if (known->string)
			sizes->by_type[type].string =
				(uint16_t)(RECORD_HEADER_BYTES + known->string);
	}
}

/* The first event sets the size of samples; if others differ, any size from the least on fits. */
static void learn_sample(struct record_sizes *sizes, const struct sample_layout *layout, bool first)
{
	struct record_size *sample = &sizes->by_type[RECORD_SAMPLE];
	const uint16_t chain = layout->chain_offset;
	const uint16_t range = layout->varies ? (uint16_t)(ANY - layout->least) : 0;

	if (first) {
		sample->least = layout->least;
		sample->range = range;
		sizes->chain_offset = chain;
		sizes->chain_least = chain ? layout->least : 0;
		return;
	}
	if (sample->least == layout->least && sample->range == range &&
	    sizes->chain_offset == chain)
		return;
	if (layout->least < sample->least)
		sample->least = layout->least;
	sample->range = (uint16_t)(ANY - sample->least);
	sizes->chain_offset = 0;
}

/* Allows trailers of @trailer_bytes from now on. */
static void learn_trailer(struct record_sizes *sizes, uint16_t trailer_bytes)
{
	if (trailer_bytes <= sizes->trailer_most)
		return;
	for (uint32_t type = 0; type < RECORD_NAMED_MAX; type++) {
		const struct record_kind *known = record_type(type);

		if (known && known->trailer)
			sizes->by_type[type].range =
				(uint16_t)(known->most - known->least + trailer_bytes);
	}
	sizes->trailer_most = trailer_bytes;
}

void record_sizes_learn(struct record_sizes *sizes, const struct event_set *events)
{
	for (; sizes->nr_events < events->nr_events; sizes->nr_events++) {
		const struct sample_layout *layout = &events->events[sizes->nr_events]->layout;

		learn_sample(sizes, layout, sizes->nr_events == 0);
		learn_trailer(sizes, layout->trailer_bytes);
	}
}

enum damage_cause record_sizes_damage(const struct record_sizes *sizes, uint32_t type,
				      struct span body)
{
	const size_t string = record_type_string(type), left = span_left(&body);

	if (!record_type_name(type))
		return DAMAGE_TYPE;
	if (string)
		return left > string ? DAMAGE_STRING : DAMAGE_SHORT;
	if (type < RECORD_SIZES_TYPES && RECORD_HEADER_BYTES + left < sizes->by_type[type].least)
		return DAMAGE_SHORT;
	return DAMAGE_LIST;
}

#include "decode/symbol/diescan.h"

#include "decode/symbol/leb.h"
#include "util/array.h"

#include <stdlib.h>

struct die_layout *die_layout_begin(struct die_layouts *layouts, uint64_t code)
{
	struct die_layout *layout;

	if (layouts->nr_parts >= UINT32_MAX || layouts->nr_attrs >= UINT32_MAX ||
	    !array_grow(layouts->list, layouts->room, layouts->nr + 1))
		return NULL;
	layout = &layouts->list[layouts->nr++];
	*layout = (struct die_layout){
		.code = code,
		.first_part = (uint32_t)layouts->nr_parts,
		.first_attr = (uint32_t)layouts->nr_attrs,
	};
	return layout;
}

int die_layout_append(struct die_layouts *layouts, uint32_t fixed, enum die_part_kind kind)
{
	struct die_layout *layout = &layouts->list[layouts->nr - 1];
	struct die_part *part;

	if (!array_grow(layouts->parts, layouts->parts_room, layouts->nr_parts + 1))
		return -1;
	part = layouts->parts + layouts->nr_parts;
	if (layout->nr_parts && part[-1].kind == DIE_FIXED) {
		part[-1].fixed += fixed;
		part[-1].kind = kind;
		return 0;
	}
	*part = (struct die_part){fixed, kind};
	layouts->nr_parts++;
	layout->nr_parts++;
	return 0;
}

int die_layout_append_attr(struct die_layouts *layouts, const struct die_attr *attr)
{
	if (!array_grow(layouts->attrs, layouts->attrs_room, layouts->nr_attrs + 1))
		return -1;
	layouts->attrs[layouts->nr_attrs++] = *attr;
	layouts->list[layouts->nr - 1].nr_attrs++;
	return 0;
}

static int by_code(const void *left, const void *right)
{
	const struct die_layout *a = left, *b = right;

	return a->code < b->code ? -1 : a->code > b->code;
}

void die_layouts_finish(struct die_layouts *layouts)
{
	if (layouts->nr)
		qsort(layouts->list, layouts->nr, sizeof(*layouts->list), by_code);
}

void die_layouts_clear(struct die_layouts *layouts)
{
	layouts->nr = layouts->nr_parts = layouts->nr_attrs = 0;
}

void die_layouts_free(struct die_layouts *layouts)
{
	free(layouts->list);
	free(layouts->parts);
	free(layouts->attrs);
	*layouts = (struct die_layouts){0};
}

/* Compilers number abbreviations 1, 2, 3, ..., which makes the code the place in the list. */
static const struct die_layout *find_layout(const struct die_layouts *layouts, uint64_t code)
{
	const struct die_layout key = {.code = code};

	if (code - 1 < layouts->nr && layouts->list[code - 1].code == code)
		return &layouts->list[code - 1];
	if (!layouts->nr)
		return NULL;
	return bsearch(&key, layouts->list, layouts->nr, sizeof(key), by_code);
}

void die_skip(struct span *dies, struct die_part part)
{
	span_skip(dies, part.fixed);
	switch (part.kind) {
	case DIE_FIXED:
		break;
	case DIE_LEB:
		span_skip_leb(dies);
		break;
	case DIE_STRING:
		span_cstr(dies, NULL);
		break;
	case DIE_BLOCK1:
		span_skip(dies, span_u8(dies));
		break;
	case DIE_BLOCK2:
		span_skip(dies, span_u16(dies));
		break;
	case DIE_BLOCK4:
		span_skip(dies, span_u32(dies));
		break;
	case DIE_BLOCK:
		span_skip(dies, span_uleb(dies));
		break;
	case DIE_UNKNOWN:
		span_fail(dies);
		break;
	}
}

int die_scan(const struct die_layouts *layouts, struct span dies,
	     int (*found)(void *arg, const struct die_entry *entry), void *arg)
{
	const uint8_t *start = dies.pos;
	uint32_t depth = 0, least_depth = 0;

	while (span_left(&dies) && !dies.failed) {
		struct die_entry entry = {.place = (size_t)(dies.pos - start),
					  .depth = depth,
					  .least_depth = least_depth};
		uint64_t code = span_uleb(&dies);
		const struct die_layout *layout;

		if (code == 0) { /* the end of a list of children */
			depth -= depth > 0;
			least_depth = depth < least_depth ? depth : least_depth;
			continue;
		}
		layout = find_layout(layouts, code);
		if (!layout)
			return 0;
		entry.layout = layout;
		entry.values = dies;
		for (uint32_t i = 0; i < layout->nr_parts; i++)
			die_skip(&dies, layouts->parts[layout->first_part + i]);
		depth += layout->has_children && depth < UINT32_MAX;
		if (layout->kind == DIE_OTHER || dies.failed)
			continue;
		if (found(arg, &entry) < 0)
			return -1;
		least_depth = depth;
	}
	return 0;
}

bool die_at(const struct die_layouts *layouts, struct span dies, size_t place,
	    struct die_entry *entry)
{
	const struct die_layout *layout;
	uint64_t code;

	span_skip(&dies, place);
	code = span_uleb(&dies);
	layout = code && !dies.failed ? find_layout(layouts, code) : NULL;
	if (!layout)
		return false;
	*entry = (struct die_entry){.place = place, .layout = layout, .values = dies};
	return true;
}

#include "perffile/tracefield.h"

#include "perffile/feature/tracing.h"

#include <string.h>

static bool is_word(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static void trim(struct span *s)
{
	while (span_left(s) > 0 && (s->end[-1] == ' ' || s->end[-1] == '\t'))
		s->end--;
	while (span_left(s) > 0 && (*s->pos == ' ' || *s->pos == '\t'))
		s->pos++;
}

static bool contains(const struct span *s, const char *word)
{
	return span_left(s) > 0 && memmem(s->pos, span_left(s), word, strlen(word));
}

/* Takes the bytes before the next @end, and @end itself. Returns false if there is none. */
static bool take_until(struct span *s, char end, struct span *part)
{
	const uint8_t *at = span_left(s) ? memchr(s->pos, end, span_left(s)) : NULL;

	if (!at)
		return false;
	*part = span_take(s, (uint64_t)(at - s->pos));
	span_skip(s, 1);
	return true;
}

/* Reads the decimal number that @s starts with; false if there is none below 2^31. */
static bool take_number(struct span s, uint32_t *number)
{
	bool any = false;

	for (*number = 0; span_left(&s) > 0 && *s.pos >= '0' && *s.pos <= '9'; any = true) {
		*number = *number * 10 + (uint32_t)(span_u8(&s) - '0');
		if (*number >= UINT32_MAX / 20)
			return false;
	}
	return any;
}

/* "char prev_comm[16]": its type ("char"), its name, and what is between the brackets, if any. */
struct declaration {
	struct span type, name, count;
	bool is_array; /* with brackets, behind the type or the name */
};

static void split_declaration(struct span text, struct declaration *decl)
{
	trim(&text);
	*decl = (struct declaration){.count = span_make(NULL, 0, false)};
	if (span_left(&text) > 0 && text.end[-1] == ']') {
		const uint8_t *open = memrchr(text.pos, '[', span_left(&text));

		if (open) {
			decl->is_array = true;
			decl->count = span_make(open + 1, (size_t)(text.end - 1 - (open + 1)), 0);
			text.end = open;
			trim(&text);
		}
	}
	decl->name = decl->type = text;
	for (decl->name.pos = text.end; decl->name.pos > text.pos && is_word(decl->name.pos[-1]);)
		decl->name.pos--;
	decl->type.end = decl->name.pos;
	trim(&decl->type);
	decl->is_array |= span_left(&decl->type) > 0 && decl->type.end[-1] == ']';
}

/* Types whose elements have a size that their name tells. The first that is part of it counts. */
static const struct {
	const char *part;
	uint8_t size; /* bytes; 0: of a long */
} element_sizes[] = {
	{"long long", 8}, {"64", 8},  {"*", 0},	   {"long", 0},	 {"size_t", 0},
	{"short", 2},	  {"16", 2},  {"char", 1}, {"u8", 1},	 {"s8", 1},
	{"int8", 1},	  {"int", 4}, {"32", 4},   {"pid_t", 4},
};

static uint8_t element_by_type(const struct tracepoint *point, const struct span *type)
{
	for (size_t i = 0; i < sizeof(element_sizes) / sizeof(element_sizes[0]); i++) {
		if (!contains(type, element_sizes[i].part))
			continue;
		return element_sizes[i].size ? element_sizes[i].size
					     : (point->long_size == 4 ? 4 : 8);
	}
	return 1;
}

static bool is_number_size(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* The bytes of an element of an array: by their number if it is given, else by their type. */
static uint8_t element_of(const struct tracepoint *point, const struct declaration *decl,
			  const struct tracefield *field)
{
	uint32_t count;

	if (field->place == TRACEFIELD_HERE && take_number(decl->count, &count) && count > 0 &&
	    field->size % count == 0 && is_number_size(field->size / count))
		return (uint8_t)(field->size / count);
	return element_by_type(point, &decl->type);
}

/* Whether the elements are characters: "char", "const char", but not "unsigned char". */
static bool is_text(const struct span *type)
{
	return contains(type, "char") && !contains(type, "signed") && !contains(type, "uchar") &&
	       !contains(type, "*");
}

/* What a format of an old kernel leaves out: whether the numbers have a sign. */
static bool signed_by_type(const struct span *type)
{
	return !contains(type, "unsigned") && !contains(type, "*") && !contains(type, "size_t") &&
	       !(span_left(type) > 0 && *type->pos == 'u') && !contains(type, "__u");
}

static void set_kind(const struct tracepoint *point, const struct declaration *decl,
		     struct tracefield *field)
{
	if (contains(&decl->type, "__data_loc"))
		field->place = TRACEFIELD_DATA_LOC;
	else if (contains(&decl->type, "__rel_loc"))
		field->place = TRACEFIELD_REL_LOC;
	field->kind = TRACEFIELD_ARRAY;
	if (decl->is_array && is_text(&decl->type)) {
		field->kind = TRACEFIELD_TEXT;
		field->element = 1;
	} else if (decl->is_array || field->place != TRACEFIELD_HERE) {
		field->element = element_of(point, decl, field);
	} else if (is_number_size(field->size)) {
		field->kind = TRACEFIELD_NUMBER;
		field->element = (uint8_t)field->size;
		field->is_pointer = contains(&decl->type, "*");
	} else {
		field->element = 1;
	}
}

/* Reads "TYPE NAME[COUNT];  offset:8;  size:16;  signed:0;". */
static bool read_field(const struct tracepoint *point, struct span line, struct tracefield *field)
{
	struct declaration decl;
	bool has_offset = false, has_size = false, has_sign = false;
	struct span part;
	uint32_t sign;

	if (!take_until(&line, ';', &part))
		return false;
	split_declaration(part, &decl);
	*field = (struct tracefield){.name = decl.name, .swap = point->format.swap};
	while (take_until(&line, ';', &part)) {
		if (tracing_key(&part, "offset:"))
			has_offset = take_number(part, &field->offset);
		else if (tracing_key(&part, "size:"))
			has_size = take_number(part, &field->size);
		else if (tracing_key(&part, "signed:") && take_number(part, &sign))
			has_sign = true, field->is_signed = sign;
	}
	if (!has_offset || !has_size || span_left(&decl.type) == 0 || span_left(&field->name) == 0)
		return false;
	if (!has_sign)
		field->is_signed = signed_by_type(&decl.type);
	set_kind(point, &decl, field);
	return true;
}

bool tracefield_next(const struct tracepoint *point, struct span *text, struct tracefield *field)
{
	struct span line;

	while (tracing_line(text, &line)) {
		if (tracing_key(&line, "print fmt:"))
			return false;
		if (tracing_key(&line, "field:") && read_field(point, line, field))
			return true;
	}
	return false;
}

bool tracefield_find(const struct tracepoint *point, const char *name, size_t len,
		     struct tracefield *field)
{
	struct span text = point->format;

	while (tracefield_next(point, &text, field)) {
		if (span_left(&field->name) == len && memcmp(field->name.pos, name, len) == 0)
			return true;
	}
	return false;
}

bool tracefield_element(struct tracefield *field, uint32_t number)
{
	const uint64_t start = (uint64_t)number * field->element;

	if (field->kind != TRACEFIELD_ARRAY || field->place != TRACEFIELD_HERE ||
	    start + field->element > field->size || start + field->offset > UINT32_MAX)
		return false;
	field->offset += (uint32_t)start;
	field->size = field->element;
	field->kind = TRACEFIELD_NUMBER;
	return true;
}

static uint64_t sign_extend(uint64_t value, unsigned bytes)
{
	const unsigned shift = 64 - 8 * bytes;

	return (uint64_t)((int64_t)(value << shift) >> shift);
}

/* Reads a number of the field's size; check @s->failed. */
static uint64_t read_number(const struct tracefield *field, struct span *s)
{
	uint64_t value;

	switch (field->element) {
	case 1:
		value = span_u8(s);
		break;
	case 2:
		value = span_u16(s);
		break;
	case 4:
		value = span_u32(s);
		break;
	default:
		return span_u64(s);
	}
	return field->is_signed ? sign_extend(value, field->element) : value;
}

bool tracefield_number(const struct tracefield *field, struct span raw, uint64_t *value)
{
	if (field->kind != TRACEFIELD_NUMBER)
		return false;
	raw.swap = field->swap;
	span_skip(&raw, field->offset);
	*value = read_number(field, &raw);
	return !raw.failed;
}

bool tracefield_bytes(const struct tracefield *field, struct span raw, struct span *bytes)
{
	struct span at = raw;
	uint32_t where;

	if (field->kind == TRACEFIELD_NUMBER)
		return false;
	at.swap = field->swap;
	span_skip(&at, field->offset);
	if (field->place != TRACEFIELD_HERE) {
		where = span_u32(&at);
		if (field->place == TRACEFIELD_DATA_LOC && !at.failed) {
			at = raw;
			at.swap = field->swap;
		}
		span_skip(&at, where & 0xffff);
		*bytes = span_take(&at, where >> 16);
	} else {
		*bytes = span_take(&at, field->size);
	}
	if (at.failed || bytes->failed)
		return false;
	if (field->kind == TRACEFIELD_TEXT && span_left(bytes) > 0)
		bytes->end = bytes->pos + strnlen((const char *)bytes->pos, span_left(bytes));
	return true;
}

bool tracefield_take(const struct tracefield *field, struct span *bytes, uint64_t *value)
{
	if (span_left(bytes) < field->element)
		return false;
	*value = read_number(field, bytes);
	return true;
}

/*
 * Facts from the sections that only simpleperf writes. Layouts from record_file_format.h and, as
 * protocol buffers, record_file.proto of system/extras/simpleperf.
 */
#include "perffile/feature/featuretext_kinds.h"

#include <inttypes.h>

/* A field of a protocol buffer message: a number, or bytes, which may be a message themselves. */
struct field {
	uint32_t number;
	uint64_t value;
	struct span bytes;
};

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

/* Takes a varint: 7 bits in each byte, lowest first; the top bit is set if more bytes follow. */
static uint64_t take_varint(struct span *s)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte = span_u8(s);

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	span_fail(s);
	return 0;
}

/* Takes the next field. Returns false at the message's end or, with @s failed, if it is damaged. */
static bool take_field(struct span *s, struct field *field)
{
	uint64_t tag;

	if (span_left(s) == 0)
		return false;
	tag = take_varint(s);
	*field = (struct field){.number = (uint32_t)(tag >> 3), .bytes = span_make("", 0, false)};
	switch (tag & 7) {
	case WIRE_VARINT:
		field->value = take_varint(s);
		break;
	case WIRE_64:
		span_skip(s, 8);
		break;
	case WIRE_BYTES:
		field->bytes = span_take(s, take_varint(s));
		break;
	case WIRE_32:
		span_skip(s, 4);
		break;
	default:
		span_fail(s);
	}
	return !s->failed;
}

static void add_path(const struct telling *telling, const struct field *field, uint32_t number)
{
	fact_text(telling->facts, (const char *)field->bytes.pos, span_left(&field->bytes),
		  "%s.%" PRIu32 ".path", telling->name, number);
}

/* Alternating NUL-terminated keys and values. */
void featuretext_meta_info(const struct telling *telling, struct span *s)
{
	while (span_left(s) > 0 && !s->failed) {
		size_t len = 0;
		const char *key = span_cstr(s, NULL), *value = span_cstr(s, &len);

		if (key && value)
			fact_text(telling->facts, value, len, "%s.%s", telling->name, key);
	}
}

/* Adds the kind of a file: enum DsoType of simpleperf. */
static void featuretext_type(const struct telling *telling, uint64_t type, uint32_t number)
{
	static const char *const names[] = {"kernel", "kernel_module", "elf", "dex", "symbol_map"};
	const char *name = type < sizeof(names) / sizeof(names[0]) ? names[type] : "unknown";

	fact_text(telling->facts, name, strlen(name), "%s.%" PRIu32 ".type", telling->name, number);
}

/* char path[], u32 type, u64 min_vaddr, u32 nr_symbols, the symbols, then more by type. */
static bool featuretext_file_struct(const struct telling *telling, struct span file,
				    uint32_t number)
{
	size_t len = 0;
	const char *path = span_cstr(&file, &len);
	uint32_t type = span_u32(&file), nr_symbols;
	uint64_t min_vaddr = span_u64(&file);

	nr_symbols = span_u32(&file);
	if (file.failed)
		return false;
	fact_text(telling->facts, path, len, "%s.%" PRIu32 ".path", telling->name, number);
	featuretext_type(telling, type, number);
	fact_hex(telling->facts, min_vaddr, "%s.%" PRIu32 ".min_vaddr", telling->name, number);
	fact_number(telling->facts, nr_symbols, "%s.%" PRIu32 ".symbols", telling->name, number);
	return true;
}

/* string path = 1; DsoType type = 2; uint64 min_vaddr = 3; repeated Symbol symbol = 4; more by
 * type.
 */
static bool featuretext_file_message(const struct telling *telling, struct span file,
				     uint32_t number)
{
	enum { PATH = 1, TYPE = 2, MIN_VADDR = 3, SYMBOL = 4 };
	uint64_t type = 0, min_vaddr = 0, nr_symbols = 0;
	struct field field;

	while (take_field(&file, &field)) {
		if (field.number == PATH)
			add_path(telling, &field, number);
		else if (field.number == TYPE)
			type = field.value;
		else if (field.number == MIN_VADDR)
			min_vaddr = field.value;
		else if (field.number == SYMBOL)
			nr_symbols++;
	}
	featuretext_type(telling, type, number);
	fact_hex(telling->facts, min_vaddr, "%s.%" PRIu32 ".min_vaddr", telling->name, number);
	fact_number(telling->facts, nr_symbols, "%s.%" PRIu32 ".symbols", telling->name, number);
	return !file.failed;
}

/* Entries {u32 size, bytes} up to the section's end. */
static void featuretext_files(const struct telling *telling, struct span *s,
			      bool (*tell)(const struct telling *telling, struct span file,
					   uint32_t number))
{
	uint32_t number = 0;

	while (span_left(s) > 0) {
		struct span file = span_take(s, span_u32(s));

		if (s->failed || !tell(telling, file, number)) {
			span_fail(s);
			return;
		}
		number++;
	}
	fact_number(telling->facts, number, "%s.count", telling->name);
}

void featuretext_file(const struct telling *telling, struct span *s)
{
	featuretext_files(telling, s, featuretext_file_struct);
}

void featuretext_file2(const struct telling *telling, struct span *s)
{
	featuretext_files(telling, s, featuretext_file_message);
}

/* File: string path = 1; uint64 size = 2. */
static bool featuretext_unwind_file(const struct telling *telling, struct span file,
				    uint32_t number)
{
	enum { PATH = 1, SIZE = 2 };
	uint64_t size = 0;
	struct field field;

	while (take_field(&file, &field)) {
		if (field.number == PATH)
			add_path(telling, &field, number);
		else if (field.number == SIZE)
			size = field.value;
	}
	fact_number(telling->facts, size, "%s.%" PRIu32 ".size", telling->name, number);
	return !file.failed;
}

/* DebugUnwindFeature: repeated File file = 1. */
void featuretext_debug_unwind(const struct telling *telling, struct span *s)
{
	enum { FILE_FIELD = 1 };
	uint32_t number = 0;
	struct field field;

	while (take_field(s, &field)) {
		if (field.number == FILE_FIELD &&
		    !featuretext_unwind_file(telling, field.bytes, number++)) {
			span_fail(s);
			return;
		}
	}
	if (!s->failed)
		fact_number(telling->facts, number, "%s.count", telling->name);
}

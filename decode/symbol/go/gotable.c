#include "decode/symbol/go/gotable.h"

#include "decode/symbol/elf/elfsection.h"
#include "decode/symbol/go/gotext.h"

#include <string.h>

/* The first bytes of a table. */
static const struct {
	uint32_t magic;
	enum gotable_since since;
} magics[] = {
	{0xfffffffb, GOTABLE_1_2},
	{0xfffffffa, GOTABLE_1_16},
	{0xfffffff0, GOTABLE_1_18},
	{0xfffffff1, GOTABLE_1_20},
};

enum {
	HEADER_BYTES = 8,
	NUMBER_BYTES = 5,     /* at most, of 32 bits */
	TEXT_BYTES = 1 << 16, /* at most, of names and paths */
};

/* The numbers in a function's data that follow its address, of 4 bytes each, from 1 on. */
enum {
	FIELD_NAME = 1,
	FIELD_FRAMES = 4, /* offsets of tables of values: bytes on the stack */
	FIELD_FILES = 5,
	FIELD_LINES = 6,
	FIELD_UNIT = 8,	      /* since Go 1.16 */
	FIELD_START_LINE = 9, /* since 1.20 */
};

enum { FLAG_TOPFRAME = 1, MAX_FUNCTIONS = 1 << 28 };

/* What follows @offset bytes after the start of @part. */
static struct span from(const struct span *part, uint64_t offset)
{
	struct span rest = *part;

	span_skip(&rest, offset);
	return rest;
}

/* A number of 32 bits, 7 in each byte, the lowest first. A longer one is damage. */
static uint32_t read_number(struct span *s)
{
	uint32_t number = 0;

	for (unsigned i = 0; i < NUMBER_BYTES; i++) {
		const uint8_t byte = span_u8(s);

		number |= (uint32_t)(byte & 0x7f) << (7 * i);
		if (!(byte & 0x80))
			return number;
	}
	span_fail(s);
	return 0;
}

/* The text @offset bytes after the start of @part; NULL if there is none. */
static const char *text_at(const struct span *part, uint64_t offset)
{
	struct span rest = from(part, offset), text;

	text = span_take(&rest, span_left(&rest) < TEXT_BYTES ? span_left(&rest) : TEXT_BYTES);
	return span_cstr(&text, NULL);
}

/* ---- the header ------------------------------------------------------------------------------ */

bool gotable_is_go(const struct elffile *file)
{
	static const char *const sections[] = {".gopclntab", ".note.go.buildid", ".go.buildinfo",
					       ".data.rel.ro.gopclntab"};

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if (elffile_section_named(file, sections[i]))
			return true;
	return false;
}

/* Reads what all layouts have first; @bytes moves behind it. */
static bool read_start(struct gotable *table, struct span *bytes)
{
	const uint32_t magic = span_u32(bytes);
	const uint16_t zero = span_u16(bytes);

	table->quantum = span_u8(bytes);
	table->word = span_u8(bytes);
	if (zero || (table->quantum != 1 && table->quantum != 2 && table->quantum != 4) ||
	    (table->word != 4 && table->word != 8))
		return false;
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (magics[i].magic == magic) {
			table->since = magics[i].since;
			return true;
		}
	return false;
}

/* Go 1.2: functions follow the header, and then the offset of the list of files. */
static void read_first_layout(struct gotable *table, struct span whole, struct span header)
{
	struct span rest;

	table->nr = gotext_word(&header, table->word);
	table->functions = header;
	table->data = table->names = table->values = whole;
	rest = from(&header, (table->nr * 2 + 1) * table->word);
	table->files = from(&whole, span_u32(&rest));
}

/* Since then the header has the offsets of all parts. */
static void read_layout(struct gotable *table, const struct elffile *file, struct span whole,
			struct span header)
{
	struct span *const parts[] = {&table->names, &table->units, &table->files, &table->values,
				      &table->data};

	table->nr = gotext_word(&header, table->word);
	(void)gotext_word(&header, table->word); /* the number of files */
	if (table->since >= GOTABLE_1_18)
		table->text =
			gotext_find(file, whole, gotext_word(&header, table->word), table->word);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		*parts[i] = from(&whole, gotext_word(&header, table->word));
	table->functions = table->data;
}

/* Bytes of each of the two numbers that `functions` has of a function. */
static unsigned entry_bytes(const struct gotable *table)
{
	return table->since >= GOTABLE_1_18 ? 4 : table->word;
}

/* Where function number @i begins; after the last one, where that ends. */
static uint64_t start_of(const struct gotable *table, uint64_t i)
{
	struct span entry = from(&table->functions, i * 2 * entry_bytes(table));

	return table->text + gotext_word(&entry, entry_bytes(table));
}

/* Whether each function begins behind the one before: so all are as long as the code. */
static bool ascends(const struct gotable *table)
{
	for (uint64_t i = 0; i < table->nr; i++)
		if (start_of(table, i) >= start_of(table, i + 1))
			return false;
	return true;
}

/* Whether the functions are where the file has code. */
static bool has_code(const struct gotable *table, const struct elffile *file)
{
	const uint64_t start = start_of(table, 0);
	const struct span code = elffile_code_at(file, start);

	return table->end > start && table->end - start <= span_left(&code);
}

static bool read_table(struct gotable *table, const struct elffile *file, struct span whole)
{
	struct span header = whole;

	*table = (struct gotable){0};
	if (!read_start(table, &header))
		return false;
	if (table->since == GOTABLE_1_2)
		read_first_layout(table, whole, header);
	else
		read_layout(table, file, whole, header);
	if (table->nr == 0 || table->nr > MAX_FUNCTIONS ||
	    !span_holds(&table->functions, table->nr * 2 + 1, entry_bytes(table)))
		return false;
	table->end = start_of(table, table->nr);
	return has_code(table, file) && ascends(table);
}

/* Whether a table may begin with @bytes. */
static bool is_start(struct span bytes)
{
	struct gotable table;

	return read_start(&table, &bytes);
}

/* Other linkers put the table among other data, and nothing tells where. */
static bool search_table(struct gotable *table, const struct elffile *file, size_t section)
{
	enum { ALIGNED = 32, TRIES = 16 };
	const struct span whole = elfsection_bytes(file, section);
	unsigned tries = 0;

	for (uint64_t at = 0; at + HEADER_BYTES < span_left(&whole) && tries < TRIES;
	     at += ALIGNED) {
		if (!is_start(from(&whole, at)))
			continue;
		tries++;
		if (read_table(table, file, from(&whole, at)))
			return true;
	}
	return false;
}

static bool find_table(struct gotable *table, const struct elffile *file)
{
	static const char *const sections[] = {".gopclntab", ".data.rel.ro.gopclntab"};

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		const size_t section = elffile_section_named(file, sections[i]);

		if (section)
			return read_table(table, file, elfsection_bytes(file, section));
	}
	return gotable_is_go(file) &&
	       search_table(table, file, elffile_section_named(file, ".data.rel.ro"));
}

bool gotable_open(struct gotable *table, const struct elffile *file)
{
	if (find_table(table, file))
		return true;
	*table = (struct gotable){0};
	return false;
}

/* ---- functions ------------------------------------------------------------------------------- */

bool gotable_get(const struct gotable *table, uint64_t i, struct gofunction *function)
{
	const unsigned bytes = entry_bytes(table);
	struct span entry = from(&table->functions, i * 2 * bytes + bytes);

	*function = (struct gofunction){start_of(table, i), start_of(table, i + 1),
					from(&table->data, gotext_word(&entry, bytes))};
	return i < table->nr && !function->data.failed;
}

bool gotable_find(const struct gotable *table, uint64_t address, struct gofunction *function)
{
	uint64_t first = 0, end = table->nr;

	while (first < end) {
		const uint64_t middle = first + (end - first) / 2;

		if (start_of(table, middle) <= address)
			first = middle + 1;
		else
			end = middle;
	}
	return first > 0 && gotable_get(table, first - 1, function) && address < function->end;
}

static uint32_t field(const struct gotable *table, const struct gofunction *function, unsigned i)
{
	struct span s = from(&function->data, entry_bytes(table) + (i - 1) * 4);

	return span_u32(&s);
}

const char *gotable_name(const struct gotable *table, const struct gofunction *function)
{
	return text_at(&table->names, field(table, function, FIELD_NAME));
}

/* ---- values ---------------------------------------------------------------------------------- */

/*
 * Reads the next value, which holds from value->end on. Numbers come in pairs: what the value
 * changes by, its sign in the lowest bit, and for how many instructions it holds. False at the end.
 */
static bool next_value(const struct gotable *table, const struct gofunction *function,
		       struct span *values, struct govalue *value)
{
	const bool is_first = value->start == value->end;
	const uint32_t change = read_number(values);
	const uint64_t bytes = (uint64_t)read_number(values) * table->quantum;

	if (values->failed || (change == 0 && !is_first) || bytes == 0 ||
	    bytes > function->end - value->end)
		return false;
	value->value = (int32_t)((uint32_t)value->value + ((change >> 1) ^ -(change & 1)));
	value->start = value->end;
	value->end += bytes;
	return true;
}

/*
 * Finds the value at @address in the table of values at @offset. Goes on where @cursor was left, so
 * that ascending addresses of a function take one walk through its values.
 */
static bool find_value(const struct gotable *table, const struct gofunction *function,
		       uint32_t offset, uint64_t address, struct gocursor *cursor)
{
	if (cursor->offset != offset || cursor->function != function->start ||
	    address < cursor->value.start)
		*cursor = (struct gocursor){function->start,
					    offset,
					    from(&table->values, offset),
					    {function->start, function->start, -1}};
	while (offset && address >= cursor->value.end)
		if (!next_value(table, function, &cursor->values, &cursor->value))
			return false;
	return offset; /* 0: there is no table */
}

bool gotable_frame(const struct gotable *table, const struct gofunction *function, uint64_t address,
		   struct govalue *frame)
{
	const uint32_t offset = field(table, function, FIELD_FRAMES);
	struct gocursor cursor = {0};
	const bool found = find_value(table, function, offset, address, &cursor);

	*frame = cursor.value;
	return found && frame->value >= -(int32_t)table->word;
}

uint64_t gotable_code_end(const struct gotable *table, const struct gofunction *function)
{
	struct gocursor cursor = {0};

	(void)find_value(table, function, field(table, function, FIELD_FRAMES), function->end,
			 &cursor);
	return cursor.value.end > function->start ? cursor.value.end : function->end;
}

/* Until functions got flags. */
static bool has_outermost_name(const char *name)
{
	return strcmp(name, "runtime.goexit") == 0 || strcmp(name, "runtime.mstart") == 0 ||
	       strcmp(name, "runtime.rt0_go") == 0;
}

bool gotable_is_outermost(const struct gotable *table, const struct gofunction *function)
{
	const unsigned before = table->since >= GOTABLE_1_20 ? FIELD_START_LINE : FIELD_UNIT;
	struct span flags = from(&function->data, entry_bytes(table) + before * 4 + 1);
	const char *name = gotable_name(table, function);

	if (table->since < GOTABLE_1_18)
		return name && has_outermost_name(name);
	/* Since Go 1.19 it has the flag, but the kernel calls it, and interrupts other code for it.
	 */
	return span_u8(&flags) & FLAG_TOPFRAME && !(name && strcmp(name, "runtime.sigtramp") == 0);
}

/* ---- the source ------------------------------------------------------------------------------ */

/* The name of the file with @number in the unit of @function; NULL if there is none. */
static const char *filename(const struct gotable *table, const struct gofunction *function,
			    int32_t number)
{
	const uint64_t unit = field(table, function, FIELD_UNIT);
	struct span place;

	if (number < 0)
		return NULL;
	place = table->since == GOTABLE_1_2 ? from(&table->files, (uint64_t)number * 4)
					    : from(&table->units, (unit + (uint64_t)number) * 4);
	return text_at(table->since == GOTABLE_1_2 ? &table->data : &table->files,
		       span_u32(&place));
}

bool gotable_source(const struct gotable *table, const struct gofunction *function,
		    uint64_t address, struct golines *lines, struct gosource *source)
{
	struct gocursor *file = &lines->files, *line = &lines->lines;

	*source = (struct gosource){0};
	if (!find_value(table, function, field(table, function, FIELD_FILES), address, file))
		return false;
	source->filename = filename(table, function, file->value.value);
	if (source->filename &&
	    find_value(table, function, field(table, function, FIELD_LINES), address, line) &&
	    line->value.value > 0)
		source->line = (uint32_t)line->value.value;
	return source->filename;
}

bool gotable_definition(const struct gotable *table, const struct gofunction *function,
			struct gosource *source)
{
	const uint32_t line =
		table->since >= GOTABLE_1_20 ? field(table, function, FIELD_START_LINE) : 0;
	struct golines lines = {0};

	if (!gotable_source(table, function, function->start, &lines, source))
		return false;
	if (line)
		source->line = line;
	return true;
}

#include "decode/symbol/linefiles.h"

#include "decode/symbol/form.h"
#include "decode/symbol/leb.h"
#include "decode/symbol/path.h"
#include "decode/symbol/strtab.h"
#include "util/array.h"

#include <stdlib.h>

/* Of the DWARF standard, version 5, section 7.22. */
enum {
	LNCT_PATH = 1,
	LNCT_DIRECTORY_INDEX = 2,

	MAX_FORMATS = 255, /* their number is one byte */
};

/* A header being read. */
struct header {
	struct span bytes;
	const struct line_sections *sections;
	bool is_64bit; /* offsets have 8 bytes */
	uint16_t version;
};

struct format {
	uint64_t content, form;
	size_t nr;
};

static uint64_t take_offset(struct header *header)
{
	return header->is_64bit ? span_u64(&header->bytes) : span_u32(&header->bytes);
}

static const char *string_at(struct span strings, uint64_t offset)
{
	const char *string = strtab_at(&strings, offset);

	return string ? string : "";
}

static int add_dir(struct line_files *table, const char *name)
{
	if (!array_grow(table->dirs, table->dirs_room, table->nr_dirs + 1))
		return -1;
	table->dirs[table->nr_dirs++] = name;
	return 0;
}

int line_files_add(struct line_files *table, const char *name, uint64_t dir)
{
	if (!array_grow(table->files, table->files_room, table->nr_files + 1))
		return -1;
	table->files[table->nr_files++] = (struct line_file){name, dir};
	return 0;
}

/* Up to version 4 number 0 is not in the table: the compilation directory, and no file. */
static int read_old_tables(struct header *header, struct line_files *table)
{
	const char *name;

	if (add_dir(table, "") < 0 || line_files_add(table, "", 0) < 0)
		return -1;
	while ((name = span_cstr(&header->bytes, NULL)) != NULL && *name)
		if (add_dir(table, name) < 0)
			return -1;
	while ((name = span_cstr(&header->bytes, NULL)) != NULL && *name) {
		uint64_t dir = span_uleb(&header->bytes);

		span_skip_leb(&header->bytes); /* time of modification */
		span_skip_leb(&header->bytes); /* size */
		if (line_files_add(table, name, dir) < 0)
			return -1;
	}
	return 0;
}

/* Reads one value: a string into @string or a number into @number, as @form says. */
static void read_value(struct header *header, uint64_t form, const char **string, uint64_t *number)
{
	switch (form) {
	case FORM_STRING:
		*string = span_cstr(&header->bytes, NULL);
		break;
	case FORM_LINE_STRP:
		*string = string_at(header->sections->line_str, take_offset(header));
		break;
	case FORM_STRP:
		*string = string_at(header->sections->str, take_offset(header));
		break;
	case FORM_UDATA:
		*number = span_uleb(&header->bytes);
		break;
	case FORM_DATA1:
		*number = span_u8(&header->bytes);
		break;
	case FORM_DATA2:
		*number = span_u16(&header->bytes);
		break;
	case FORM_DATA4:
		*number = span_u32(&header->bytes);
		break;
	case FORM_DATA8:
		*number = span_u64(&header->bytes);
		break;
	case FORM_DATA16: /* a checksum */
		span_skip(&header->bytes, 16);
		break;
	case FORM_BLOCK:
		span_skip(&header->bytes, span_uleb(&header->bytes));
		break;
	default: /* of unknown size: what follows cannot be read */
		span_fail(&header->bytes);
	}
}

/* Reads a table of version 5, of directories or of files, into the matching part of @table. */
static int read_new_table(struct header *header, bool of_files, struct line_files *table)
{
	struct format formats[MAX_FORMATS];
	size_t nr_formats = span_u8(&header->bytes);
	uint64_t nr;

	for (size_t i = 0; i < nr_formats; i++) {
		formats[i].content = span_uleb(&header->bytes);
		formats[i].form = span_uleb(&header->bytes);
	}
	nr = span_uleb(&header->bytes);
	/* Without a format an entry has no bytes, and nothing would bound their number. */
	for (uint64_t entry = 0; entry < nr && nr_formats; entry++) {
		const char *name = NULL;
		uint64_t dir = 0;

		for (size_t i = 0; i < nr_formats; i++) {
			const char *string = NULL;
			uint64_t number = 0;

			read_value(header, formats[i].form, &string, &number);
			if (formats[i].content == LNCT_PATH)
				name = string;
			else if (formats[i].content == LNCT_DIRECTORY_INDEX)
				dir = number;
		}
		if (header->bytes.failed)
			return 0;
		name = name ? name : "";
		if ((of_files ? line_files_add(table, name, dir) : add_dir(table, name)) < 0)
			return -1;
	}
	return 0;
}

/* The unit at @offset of the section, past its length; failed if there is none that can be read. */
static void open_unit(struct header *header, uint64_t offset)
{
	uint64_t length;

	span_skip(&header->bytes, offset);
	length = span_u32(&header->bytes);
	header->is_64bit = length == UINT32_MAX;
	if (header->is_64bit)
		length = span_u64(&header->bytes);
	header->bytes = span_take(&header->bytes, length);
	header->version = span_u16(&header->bytes);
	if (header->version < 2 || header->version > 5)
		span_fail(&header->bytes);
	if (header->version >= 5)
		span_skip(&header->bytes, 2); /* sizes of an address and of a segment selector */
}

/* Reads how the program is run; the tables of files come next. */
static void read_program(struct header *header, struct line_program *program)
{
	program->min_instruction_length = span_u8(&header->bytes);
	if (header->version >= 4)
		span_u8(&header->bytes); /* maximum_operations_per_instruction: see linetable.c */
	span_u8(&header->bytes);	 /* default_is_stmt */
	program->line_base = (int8_t)span_u8(&header->bytes);
	program->line_range = span_u8(&header->bytes);
	program->opcode_base = span_u8(&header->bytes);
	for (unsigned opcode = 1; opcode < program->opcode_base; opcode++)
		program->nr_operands[opcode] = span_u8(&header->bytes);
}

uint64_t line_files_size(const struct line_sections *sections, uint64_t offset)
{
	struct header header = {.bytes = sections->line};

	open_unit(&header, offset);
	return header.bytes.failed ? 0 : span_left(&header.bytes);
}

int line_files_read(struct line_files *table, const struct line_sections *sections, uint64_t offset)
{
	struct header header = {.bytes = sections->line, .sections = sections};
	struct span behind;
	uint64_t length;

	open_unit(&header, offset);
	length = take_offset(&header);
	behind = header.bytes;
	span_skip(&behind, length);
	header.bytes = span_take(&header.bytes, length);
	read_program(&header, &table->program);
	table->program.opcodes = behind;
	if (header.bytes.failed)
		return 0;
	if (header.version < 5)
		return read_old_tables(&header, table);
	if (read_new_table(&header, false, table) < 0)
		return -1;
	return read_new_table(&header, true, table);
}

bool line_files_have(const struct line_files *table, uint64_t number)
{
	return number < table->nr_files && table->files[number].name[0] != '\0';
}

char *line_files_path(const struct line_files *table, uint64_t number, const char *comp_dir)
{
	const struct line_file *file = &table->files[number];
	const char *dir = file->dir < table->nr_dirs ? table->dirs[file->dir] : NULL;

	return path_join(comp_dir, dir, file->name);
}

void line_files_free(struct line_files *table)
{
	free(table->dirs);
	free(table->files);
	*table = (struct line_files){0};
}

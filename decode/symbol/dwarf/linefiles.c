#include "decode/symbol/dwarf/linefiles.h"

#include "decode/symbol/dwarf/form.h"
#include "decode/symbol/dwarf/path.h"
#include "decode/symbol/elf/strtab.h"
#include "util/array.h"
#include "util/leb.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FORMATS = 255 }; /* their number is stored in one byte */

/* A header being read. */
struct line_header {
	struct span bytes;
	const struct line_sections *sections;
	struct form_context sizes;
};

struct line_format {
	uint64_t content, form;
};

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

/* Before version 5 the tables do not store number 0: the compilation directory, and no file. */
static int read_old_tables(struct line_header *header, struct line_files *table)
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

/* Returns the string of @value; NULL if it is not a string. */
static const char *string_of(const struct line_header *header, struct form_value value)
{
	switch (value.form) {
	case DW_FORM_string:
		return value.text;
	case DW_FORM_line_strp:
		return strtab_at(&header->sections->line_str, value.number);
	case DW_FORM_strp:
		return strtab_at(&header->sections->str, value.number);
	default:
		return NULL;
	}
}

/* Reads an entry of a table of version 5. */
static struct line_file read_new_entry(struct line_header *header,
				       const struct line_format *formats, size_t nr_formats)
{
	struct line_file file = {0};

	for (size_t i = 0; i < nr_formats; i++) {
		const struct form_value value =
			form_read(&header->bytes, formats[i].form, 0, &header->sizes);

		if (formats[i].content == DW_LNCT_path)
			file.name = string_of(header, value);
		else if (formats[i].content == DW_LNCT_directory_index)
			file.dir = value.number;
	}
	if (!file.name)
		file.name = "";
	return file;
}

/* Reads a table of version 5, of directories or of files, into the matching part of @table. */
static int read_new_table(struct line_header *header, bool of_files, struct line_files *table)
{
	struct line_format formats[MAX_FORMATS];
	size_t nr_formats = span_u8(&header->bytes);
	uint64_t nr;

	for (size_t i = 0; i < nr_formats; i++) {
		formats[i].content = span_uleb(&header->bytes);
		formats[i].form = span_uleb(&header->bytes);
	}
	nr = span_uleb(&header->bytes);
	for (uint64_t entry = 0; entry < nr; entry++) {
		const uint8_t *start = header->bytes.pos;
		const struct line_file file = read_new_entry(header, formats, nr_formats);

		/* Without bytes in an entry nothing would limit the number of entries. */
		if (header->bytes.failed || header->bytes.pos == start)
			return 0;
		if ((of_files ? line_files_add(table, file.name, file.dir)
			      : add_dir(table, file.name)) < 0)
			return -1;
	}
	return 0;
}

/*
 * Opens the unit at @offset and reads its length, version and sizes. header->bytes fails if it
 * cannot be read.
 */
static void open_unit(struct line_header *header, uint64_t offset)
{
	uint64_t length;

	span_skip(&header->bytes, offset);
	length = span_u32(&header->bytes);
	header->sizes.offset = length == UINT32_MAX ? 8 : 4;
	if (header->sizes.offset == 8)
		length = span_u64(&header->bytes);
	header->bytes = span_take(&header->bytes, length);
	header->sizes.version = span_u16(&header->bytes);
	if (header->sizes.version < 2 || header->sizes.version > 5)
		span_fail(&header->bytes);
	if (header->sizes.version >= 5) {
		header->sizes.address = span_u8(&header->bytes);
		span_u8(&header->bytes); /* size of a segment selector */
	}
}

/* Reads the parameters of the program; the tables of files come next. */
static void read_program(struct line_header *header, struct line_program *program)
{
	program->min_instruction_length = span_u8(&header->bytes);
	if (header->sizes.version >= 4)
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
	struct line_header header = {.bytes = sections->line};

	open_unit(&header, offset);
	return header.bytes.failed ? 0 : span_left(&header.bytes);
}

/* Reads the header at @offset up to its tables of files, which are in header->bytes then. */
static void open_program(struct line_header *header, uint64_t offset, struct line_program *program)
{
	struct span behind;
	uint64_t length;

	open_unit(header, offset);
	length = form_take(&header->bytes, header->sizes.offset);
	behind = header->bytes;
	span_skip(&behind, length);
	header->bytes = span_take(&header->bytes, length);
	read_program(header, program);
	program->version = header->sizes.version;
	program->opcodes = behind;
}

bool line_files_skim(struct line_program *program, const struct line_sections *sections,
		     uint64_t *offset)
{
	struct line_header header = {.bytes = sections->line, .sections = sections};

	open_program(&header, *offset, program);
	*offset = (uint64_t)(program->opcodes.end - sections->line.pos);
	return !header.bytes.failed;
}

int line_files_read(struct line_files *table, const struct line_sections *sections, uint64_t offset)
{
	struct line_header header = {.bytes = sections->line, .sections = sections};

	open_program(&header, offset, &table->program);
	if (header.bytes.failed)
		return 0;
	if (header.sizes.version < 5)
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
	const bool is_comp_dir = file->dir == 0 && comp_dir && dir && strcmp(dir, comp_dir) == 0;

	return path_join(is_comp_dir ? NULL : comp_dir, dir, file->name);
}

void line_files_free(struct line_files *table)
{
	free(table->dirs);
	free(table->files);
	*table = (struct line_files){0};
}

#include "decode/symbol/linetable.h"

#include "decode/symbol/leb.h"
#include "util/array.h"

#include <stdlib.h>

/* Of the DWARF standard, version 5, section 6.2.5. */
enum {
	LNS_EXTENDED = 0,
	LNS_COPY = 1,
	LNS_ADVANCE_PC = 2,
	LNS_ADVANCE_LINE = 3,
	LNS_SET_FILE = 4,
	LNS_CONST_ADD_PC = 8,
	LNS_FIXED_ADVANCE_PC = 9,

	LNE_END_SEQUENCE = 1,
	LNE_SET_ADDRESS = 2,
	LNE_DEFINE_FILE = 3,
};

/*
 * The machine that a program runs on; of its registers those that matter here. The operation within
 * an instruction (op_index), which VLIW machines have, is taken for 0: Linux runs on none whose
 * compiler writes it.
 */
struct machine {
	const struct line_program *program;
	struct line_table *table;
	struct line_files *files;
	struct span code;
	uint64_t address, file, line;
	uint64_t start;	  /* of the sequence, once it has a row */
	size_t first_row; /* of the sequence */
};

static void begin_sequence(struct machine *machine)
{
	machine->address = 0;
	machine->file = machine->line = 1;
	machine->first_row = machine->table->nr_rows;
}

/* Rows that say the same as the one before are left out, and so are those that go back. */
static int add_row(struct machine *machine)
{
	struct line_table *table = machine->table;
	const struct line_row row = {
		.address = machine->address,
		.file = machine->file < UINT32_MAX ? (uint32_t)machine->file : UINT32_MAX,
		.line = machine->line < UINT32_MAX ? (uint32_t)machine->line : 0,
	};

	if (table->nr_rows == machine->first_row) {
		machine->start = row.address;
	} else {
		struct line_row *last = &table->rows[table->nr_rows - 1];

		if (row.address < last->address ||
		    (row.file == last->file && row.line == last->line))
			return 0;
		if (row.address == last->address) {
			*last = row;
			return 0;
		}
	}
	if (!array_grow(table->rows, table->rows_room, table->nr_rows + 1))
		return -1;
	table->rows[table->nr_rows++] = row;
	return 0;
}

/* Keeps the sequence, unless it is of code that the linker has thrown away and so put at 0. */
static int end_sequence(struct machine *machine)
{
	struct line_table *table = machine->table;
	size_t first = machine->first_row, number = table->nr_sequences;

	if (table->nr_rows == first || machine->start == 0 || machine->address <= machine->start ||
	    table->nr_rows > UINT32_MAX) {
		table->nr_rows = first;
		begin_sequence(machine);
		return 0;
	}
	if (!array_grow(table->sequences, table->sequences_room, number + 1))
		return -1;
	table->sequences[table->nr_sequences++] =
		(struct line_sequence){(uint32_t)first, (uint32_t)(table->nr_rows - first)};
	if (ranges_add(&table->ranges, machine->start, machine->address, (uint32_t)number) < 0)
		return -1;
	begin_sequence(machine);
	return 0;
}

static void advance(struct machine *machine, uint64_t operations)
{
	machine->address += operations * machine->program->min_instruction_length;
}

/* The operand of DW_LNE_set_address is as large as the machine's addresses. */
static uint64_t take_address(struct span *operands)
{
	switch (span_left(operands)) {
	case 2:
		return span_u16(operands);
	case 4:
		return span_u32(operands);
	default:
		return span_u64(operands);
	}
}

static int define_file(struct machine *machine, struct span *operands)
{
	const char *name = span_cstr(operands, NULL);

	return name ? line_files_add(machine->files, name, span_uleb(operands)) : 0;
}

/* A length goes before, so that unknown opcodes can be stepped over. */
static int run_extended(struct machine *machine)
{
	struct span operands = span_take(&machine->code, span_uleb(&machine->code));

	switch (span_u8(&operands)) {
	case LNE_END_SEQUENCE:
		return end_sequence(machine);
	case LNE_SET_ADDRESS:
		machine->address = take_address(&operands);
		return 0;
	case LNE_DEFINE_FILE:
		return define_file(machine, &operands);
	default:
		return 0;
	}
}

static void advance_by_special(struct machine *machine, unsigned opcode)
{
	const struct line_program *program = machine->program;

	if (program->line_range)
		advance(machine, (opcode - program->opcode_base) / program->line_range);
}

static int run_special(struct machine *machine, unsigned opcode)
{
	const struct line_program *program = machine->program;
	unsigned adjusted = opcode - program->opcode_base;

	if (!program->line_range)
		return 0;
	advance_by_special(machine, opcode);
	machine->line += (uint64_t)(program->line_base + (int)(adjusted % program->line_range));
	return add_row(machine);
}

static int run_standard(struct machine *machine, unsigned opcode)
{
	struct span *code = &machine->code;

	switch (opcode) {
	case LNS_COPY:
		return add_row(machine);
	case LNS_ADVANCE_PC:
		advance(machine, span_uleb(code));
		return 0;
	case LNS_ADVANCE_LINE:
		machine->line += (uint64_t)span_sleb(code);
		return 0;
	case LNS_SET_FILE:
		machine->file = span_uleb(code);
		return 0;
	case LNS_CONST_ADD_PC:
		advance_by_special(machine, UINT8_MAX);
		return 0;
	case LNS_FIXED_ADVANCE_PC:
		machine->address += span_u16(code);
		return 0;
	default: /* what does not matter here, and what is newer than this */
		for (unsigned i = 0; i < machine->program->nr_operands[opcode]; i++)
			span_skip_leb(code);
		return 0;
	}
}

int line_table_read(struct line_table *table, struct line_files *files)
{
	struct machine machine = {
		.program = &files->program,
		.table = table,
		.files = files,
		.code = files->program.opcodes,
	};

	begin_sequence(&machine);
	while (span_left(&machine.code)) {
		unsigned opcode = span_u8(&machine.code);
		int rc;

		if (opcode == LNS_EXTENDED)
			rc = run_extended(&machine);
		else if (opcode >= machine.program->opcode_base)
			rc = run_special(&machine, opcode);
		else
			rc = run_standard(&machine, opcode);
		if (rc < 0)
			return -1;
	}
	table->nr_rows = machine.first_row;
	return ranges_build(&table->ranges);
}

/* The last of the @nr rows from @rows on, the first of which holds for it, that starts by @address.
 */
static const struct line_row *last_by(const struct line_row *rows, size_t nr, uint64_t address)
{
	size_t low = 1, high = nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (rows[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return &rows[low - 1];
}

const struct line_row *line_table_find(struct line_table *table, uint64_t address)
{
	const struct range *range = ranges_find(&table->ranges, address, &table->cursor);
	const struct line_sequence *sequence;

	if (!range)
		return NULL;
	sequence = &table->sequences[range->item];
	return last_by(&table->rows[sequence->first_row], sequence->nr_rows, address);
}

void line_table_free(struct line_table *table)
{
	free(table->rows);
	free(table->sequences);
	ranges_free(&table->ranges);
	*table = (struct line_table){0};
}

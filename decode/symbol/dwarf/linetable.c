#include "decode/symbol/dwarf/linetable.h"

#include "util/array.h"
#include "util/leb.h"

#include <dwarf.h>
#include <stdlib.h>

enum { EXTENDED = 0 }; /* the opcode before a DW_LNE_ one: DWARF 5, section 6.2.5.3 */

/*
 * The state machine of a line program, with only the registers needed here. The operation within an
 * instruction (op_index), which VLIW machines have, is taken for 0: no compiler for a machine that
 * Linux runs on writes it.
 */
struct line_machine {
	const struct line_program *program;
	struct line_table *table;
	struct line_files *files;
	struct span code;
	uint64_t address, file, line;
	uint64_t start;	  /* address of the sequence's first row */
	size_t first_row; /* index of the sequence's first row */
};

static void begin_sequence(struct line_machine *machine)
{
	machine->address = 0;
	machine->file = machine->line = 1;
	machine->first_row = machine->table->nr_rows;
}

/*
 * Adds the current row. Omits one with the same file and line as the last, or with a lower address;
 * one with the same address replaces the last.
 */
static int add_row(struct line_machine *machine)
{
	struct line_table *table = machine->table;
	const struct line_table_row row = {
		.address = machine->address,
		.file = machine->file < UINT32_MAX ? (uint32_t)machine->file : UINT32_MAX,
		.line = machine->line < UINT32_MAX ? (uint32_t)machine->line : 0,
	};

	if (table->nr_rows == machine->first_row) {
		machine->start = row.address;
	} else {
		struct line_table_row *last = &table->rows[table->nr_rows - 1];

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

/* Keeps the sequence, unless it is empty or at address 0, where the linker puts discarded code. */
static int end_sequence(struct line_machine *machine)
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

static void advance(struct line_machine *machine, uint64_t operations)
{
	machine->address += operations * machine->program->min_instruction_length;
}

/* The operand of DW_LNE_set_address has the size of an address. */
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

static int define_file(struct line_machine *machine, struct span *operands)
{
	const char *name = span_cstr(operands, NULL);

	return name ? line_files_add(machine->files, name, span_uleb(operands)) : 0;
}

/* The length comes first, so unknown opcodes can be skipped. */
static int run_extended(struct line_machine *machine)
{
	struct span operands = span_take(&machine->code, span_uleb(&machine->code));

	switch (span_u8(&operands)) {
	case DW_LNE_end_sequence:
		return end_sequence(machine);
	case DW_LNE_set_address:
		machine->address = take_address(&operands);
		return 0;
	case DW_LNE_define_file:
		return define_file(machine, &operands);
	default:
		return 0;
	}
}

static void advance_by_special(struct line_machine *machine, unsigned opcode)
{
	const struct line_program *program = machine->program;

	if (program->line_range)
		advance(machine, (opcode - program->opcode_base) / program->line_range);
}

static int run_special(struct line_machine *machine, unsigned opcode)
{
	const struct line_program *program = machine->program;
	unsigned adjusted = opcode - program->opcode_base;

	if (!program->line_range)
		return 0;
	advance_by_special(machine, opcode);
	machine->line += (uint64_t)(program->line_base + (int)(adjusted % program->line_range));
	return add_row(machine);
}

static void skip_operands(struct span *code, const struct line_program *program, unsigned opcode)
{
	for (unsigned i = 0; i < program->nr_operands[opcode]; i++)
		span_skip_leb(code);
}

static int run_standard(struct line_machine *machine, unsigned opcode)
{
	struct span *code = &machine->code;

	switch (opcode) {
	case DW_LNS_copy:
		return add_row(machine);
	case DW_LNS_advance_pc:
		advance(machine, span_uleb(code));
		return 0;
	case DW_LNS_advance_line:
		machine->line += (uint64_t)span_sleb(code);
		return 0;
	case DW_LNS_set_file:
		machine->file = span_uleb(code);
		return 0;
	case DW_LNS_const_add_pc:
		advance_by_special(machine, UINT8_MAX);
		return 0;
	case DW_LNS_fixed_advance_pc:
		machine->address += span_u16(code);
		return 0;
	default: /* not needed here, or newer than this code */
		skip_operands(code, machine->program, opcode);
		return 0;
	}
}

int line_table_read(struct line_table *table, struct line_files *files)
{
	struct line_machine machine = {
		.program = &files->program,
		.table = table,
		.files = files,
		.code = files->program.opcodes,
	};

	begin_sequence(&machine);
	while (span_left(&machine.code)) {
		unsigned opcode = span_u8(&machine.code);
		int rc;

		if (opcode == EXTENDED)
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

bool line_table_start(const struct line_program *program, uint64_t *address)
{
	struct span code = program->opcodes, operands;

	while (span_left(&code)) {
		const unsigned opcode = span_u8(&code);

		if (opcode == EXTENDED) {
			operands = span_take(&code, span_uleb(&code));
			if (span_u8(&operands) != DW_LNE_set_address)
				continue;
			*address = take_address(&operands);
			return !operands.failed;
		}
		if (opcode == DW_LNS_copy || opcode == DW_LNS_fixed_advance_pc ||
		    opcode >= program->opcode_base)
			return false;
		skip_operands(&code, program, opcode);
	}
	return false;
}

/*
 * Returns the last of the @nr rows at @rows that starts at or before @address; the first one does.
 */
static const struct line_table_row *last_by(const struct line_table_row *rows, size_t nr,
					    uint64_t address)
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

const struct line_table_row *line_table_find(struct line_table *table, uint64_t address)
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

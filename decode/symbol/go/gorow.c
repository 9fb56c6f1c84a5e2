#include "decode/symbol/go/gorow.h"

#include <elf.h>
#include <stddef.h>

/* Registers by DWARF number. */
static const struct go_machine {
	uint16_t machine; /* EM_ */
	uint8_t sp, ra;
	bool has_link; /* a call leaves the return address in a register, else on the stack */
} machines[] = {
	{EM_X86_64, 7, 16, false}, {EM_386, 4, 8, false},   {EM_AARCH64, 31, 30, true},
	{EM_ARM, 13, 14, true},	   {EM_PPC64, 1, 65, true}, {EM_S390, 15, 14, true},
	{EM_RISCV, 2, 1, true},
};

static const struct go_machine *machine_of(const struct elffile *file)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == file->machine)
			return &machines[i];
	return NULL;
}

/* Where the return address is while the function has @frame bytes on the stack: those without a
 * link register have it above these, others below. */
static struct cfi_value return_address(const struct go_machine *machine,
				       const struct gotable *table, int32_t frame)
{
	if (!machine->has_link)
		return (struct cfi_value){.how = CFI_AT_CFA, .offset = -(int64_t)table->word};
	if (frame == 0)
		return (struct cfi_value){.how = CFI_SAME};
	return (struct cfi_value){.how = CFI_AT_CFA, .offset = -(int64_t)frame};
}

bool gorow_find(const struct gotable *table, const struct elffile *file, uint64_t address,
		struct cfi_row *row)
{
	const struct go_machine *machine = machine_of(file);
	struct gofunction function;
	struct govalue frame;

	if (!machine || !gotable_find(table, address, &function) ||
	    !gotable_frame(table, &function, address, &frame))
		return false;
	*row = (struct cfi_row){
		.start = frame.start,
		.end = frame.end,
		.cfa = {.how = CFI_REGISTER,
			.reg = machine->sp,
			.offset = frame.value + (machine->has_link ? 0 : (int64_t)table->word)},
		.ra_column = machine->ra,
		.swap = file->swap,
		.is_64bit = file->is_64bit,
	};
	row->regs[machine->ra] = return_address(machine, table, frame.value);
	gorow_mark_outermost(table, address, row);
	return true;
}

void gorow_mark_outermost(const struct gotable *table, uint64_t address, struct cfi_row *row)
{
	struct gofunction function;

	if (gotable_find(table, address, &function) && gotable_is_outermost(table, &function))
		row->regs[row->ra_column].how = CFI_UNDEFINED;
}

#include "decode/symbol/go/gorow.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258 /* in glibc's headers since 2.36 */
#endif

/* Registers by DWARF number. */
static const struct go_machine {
	uint16_t machine; /* EM_ */
	uint8_t sp, ra;
	bool has_link; /* a call leaves the return address in a register, else on the stack */
} machines[] = {
	{EM_X86_64, 7, 16, false}, {EM_386, 4, 8, false},      {EM_AARCH64, 31, 30, true},
	{EM_ARM, 13, 14, true},	   {EM_PPC64, 1, 65, true},    {EM_S390, 15, 14, true},
	{EM_RISCV, 2, 1, true},	   {EM_LOONGARCH, 3, 1, true}, {EM_MIPS, 29, 31, true},
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
	if (frame <= 0)
		return (struct cfi_value){.how = CFI_SAME};
	return (struct cfi_value){.how = CFI_AT_CFA, .offset = -(int64_t)frame};
}

/*
 * On x86-64 handlers return to a function of Go's own, unless there is C in the program. The stack
 * pointer is at what the kernel has saved then (struct ucontext), of which these are the registers:
 * bytes of expressions, register 7 plus so many bytes.
 */
static void make_signal_row(struct cfi_row *row)
{
	static const struct {
		uint8_t reg, expr[3];
	} saved[] = {
		{3, {0x77, 0x80, 1}},  {6, {0x77, 0xf8, 0}},  {12, {0x77, 0xc8, 0}},
		{13, {0x77, 0xd0, 0}}, {14, {0x77, 0xd8, 0}}, {15, {0x77, 0xe0, 0}},
		{16, {0x77, 0xa8, 1}},
	};
	static const uint8_t sp[] = {0x77, 0xa0, 1, 0x06}; /* the word there */

	row->cfa = (struct cfi_value){.how = CFI_IS_EXPR, .expr_len = sizeof(sp), .expr = sp};
	for (size_t i = 0; i < sizeof(saved) / sizeof(saved[0]); i++)
		row->regs[saved[i].reg] = (struct cfi_value){.how = CFI_AT_EXPR,
							     .expr_len = sizeof(saved[i].expr),
							     .expr = saved[i].expr};
	row->is_signal = true;
}

/* Whether @function is the one that handlers return to, by which name debuggers know it. */
static bool is_sigreturn(const struct gotable *table, const struct gofunction *function)
{
	static const char sigreturn[] = "runtime.sigreturn";
	const char *name = gotable_name(table, function);

	return name && strncmp(name, sigreturn, sizeof(sigreturn) - 1) == 0;
}

/* Whether @address is in that function, or the byte before it, which is looked up for the return
 * address of a handler, as if that had been called. */
static bool is_trampoline(const struct gotable *table, const struct elffile *file, uint64_t address)
{
	struct gofunction function;

	if (file->machine != EM_X86_64)
		return false;
	return (gotable_find(table, address + 1, &function) && function.start == address + 1 &&
		is_sigreturn(table, &function)) ||
	       (gotable_find(table, address, &function) && is_sigreturn(table, &function));
}

bool gorow_find(const struct gotable *table, const struct elffile *file, uint64_t address,
		struct cfi_row *row)
{
	const struct go_machine *machine = machine_of(file);
	struct gofunction function;
	struct govalue frame;

	*row = (struct cfi_row){.swap = file->swap, .is_64bit = file->is_64bit};
	if (!machine)
		return false;
	row->ra_column = machine->ra;
	if (is_trampoline(table, file, address)) {
		row->start = address;
		row->end = address + 1;
		make_signal_row(row);
		return true;
	}
	if (!gotable_find(table, address, &function) ||
	    !gotable_frame(table, &function, address, &frame))
		return false;
	row->start = frame.start;
	row->end = frame.end;
	row->cfa = (struct cfi_value){
		.how = CFI_REGISTER,
		.reg = machine->sp,
		.offset = frame.value + (machine->has_link ? 0 : (int64_t)table->word),
	};
	row->regs[machine->ra] = return_address(machine, table, frame.value);
	if (gotable_is_outermost(table, &function))
		row->regs[machine->ra].how = CFI_UNDEFINED;
	return true;
}

void gorow_correct(const struct gotable *table, const struct elffile *file, uint64_t address,
		   struct cfi_row *row)
{
	struct gofunction function;

	if (is_trampoline(table, file, address))
		make_signal_row(row);
	else if (gotable_find(table, address, &function) && gotable_is_outermost(table, &function))
		row->regs[row->ra_column].how = CFI_UNDEFINED;
}

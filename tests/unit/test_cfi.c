/* Call frame information, byte for byte: instructions, CIEs, pointers, tables, and damage. */
#include "decode/symbol/cfi/cfi.h"
#include "decode/symbol/cfi/cfiindex.h"
#include "decode/symbol/cfi/cfiknown.h"
#include "decode/symbol/cfi/cfirow.h"
#include "tests/support/suite.h"
#include "util/leb.h"

#include <check.h>
#include <dwarf.h>
#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
	SECTION_ADDR = 0x8000,
	START = 0x1000,
	LENGTH = 0x100,
	BYTES_MAX = 1 << 16,
	TEXT_MAX = 512,
};

/* Bytes and their number. */
#define CODE(...)                                                     \
	{                                                             \
		{__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}) \
	}

static const bool swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;

struct code {
	uint8_t bytes[48];
	size_t len;
};

/* A section being written, little-endian. */
struct writer {
	uint8_t bytes[BYTES_MAX];
	size_t len, entry; /* entry: where the one being written begins */
	bool is_64bit_length;
};

static void put(struct writer *w, const void *bytes, size_t len)
{
	ck_assert_uint_le(w->len + len, BYTES_MAX);
	if (len)
		memcpy(w->bytes + w->len, bytes, len);
	w->len += len;
}

static void put_number(struct writer *w, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		const uint8_t byte = (uint8_t)(value >> 8 * i);

		put(w, &byte, 1);
	}
}

static void begin(struct writer *w)
{
	w->entry = w->len;
	if (w->is_64bit_length)
		put_number(w, UINT32_MAX, 4);
	put_number(w, 0, w->is_64bit_length ? 8 : 4);
}

static void end(struct writer *w)
{
	const size_t head = w->is_64bit_length ? 12 : 4, len = w->len;

	w->len = w->entry + (w->is_64bit_length ? 4 : 0);
	put_number(w, len - w->entry - head, w->is_64bit_length ? 8 : 4);
	w->len = len;
}

/* What a CIE of .eh_frame has; all zero but for the instructions is that of most tests. */
struct cie {
	uint8_t version;	  /* 0: 1 */
	const char *augmentation; /* NULL: none */
	struct code data;	  /* of the augmentation, with its length */
	uint8_t address_size;	  /* of version 4 */
	struct code instructions;
	uint8_t code_align, data_align; /* 0: 1, -8 */
	bool is_debug;			/* of .debug_frame */
};

/* Returns its offset. */
static size_t put_cie(struct writer *w, const struct cie *cie)
{
	const char *augmentation = cie->augmentation ? cie->augmentation : "";

	begin(w);
	put_number(w, cie->is_debug ? UINT64_MAX : 0, cie->is_debug && w->is_64bit_length ? 8 : 4);
	put_number(w, cie->version ? cie->version : 1, 1);
	put(w, augmentation, strlen(augmentation) + 1);
	if (strncmp(augmentation, "eh", 2) == 0)
		put_number(w, 0x1234, 8);
	if (cie->version == 4)
		put_number(w, cie->address_size, 2);
	put_number(w, cie->code_align ? cie->code_align : 1, 1);
	put_number(w, cie->data_align ? cie->data_align : 0x78, 1);
	put_number(w, 16, 1);
	put(w, cie->data.bytes, cie->data.len);
	put(w, cie->instructions.bytes, cie->instructions.len);
	end(w);
	return w->entry;
}

/* An FDE of .eh_frame whose addresses are in @where. Returns its offset. */
static size_t put_fde_at(struct writer *w, size_t cie, const struct code *where,
			 const struct code *instructions)
{
	begin(w);
	put_number(w, w->len - cie, 4);
	put(w, where->bytes, where->len);
	put(w, instructions->bytes, instructions->len);
	end(w);
	return w->entry;
}

/* The same with two addresses of 8 bytes. */
static size_t put_fde(struct writer *w, size_t cie, uint64_t start, uint64_t length,
		      const struct code *instructions)
{
	struct code where = {.len = 16};

	for (size_t i = 0; i < 8; i++) {
		where.bytes[i] = (uint8_t)(start >> 8 * i);
		where.bytes[8 + i] = (uint8_t)(length >> 8 * i);
	}
	return put_fde_at(w, cie, &where, instructions);
}

static struct cfi_section section_of(const struct writer *w)
{
	return (struct cfi_section){
		.bytes = span_make(w->bytes, w->len, swap),
		.addr = SECTION_ADDR,
		.is_eh = true,
		.is_64bit = true,
		.machine = EM_X86_64,
	};
}

/* ---- rows as text ---------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void append(char *text, const char *fmt, ...)
{
	const size_t len = strlen(text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + len, TEXT_MAX - len, fmt, args);
	va_end(args);
}

static void append_value(char *text, const struct cfi_value *value)
{
	static const char *const names[] = {
		[CFI_UNSET] = "unset", [CFI_UNDEFINED] = "none", [CFI_SAME] = "same",
		[CFI_AT_CFA] = "*",    [CFI_IS_CFA] = "",	 [CFI_REGISTER] = "r",
		[CFI_AT_EXPR] = "*{",  [CFI_IS_EXPR] = "{"};

	append(text, "%s", names[value->how]);
	if (value->how == CFI_REGISTER)
		append(text, "%u", value->reg);
	if (value->how == CFI_AT_CFA || value->how == CFI_IS_CFA)
		append(text, "%+lld", (long long)value->offset);
	if (value->how == CFI_AT_EXPR || value->how == CFI_IS_EXPR) {
		for (uint32_t i = 0; i < value->expr_len; i++)
			append(text, "%s%02x", i ? " " : "", value->expr[i]);
		append(text, "}");
	}
}

/* The rows of @fde: "AT CFA REG=VALUE..., ..."; "damaged" where the instructions are. */
static void print_rows(char *text, const struct cfi_section *section, const struct cfi_fde *fde)
{
	*text = '\0';
	for (uint64_t at = fde->start; at < fde->end;) {
		struct cfi_row row;

		append(text, "%s%llx ", at == fde->start ? "" : ", ",
		       (unsigned long long)(at - fde->start));
		if (!cfi_run(section, fde, at, &row)) {
			append(text, "damaged");
			return;
		}
		ck_assert_uint_eq(row.start, at);
		append_value(text, &row.cfa);
		if (row.cfa.how == CFI_REGISTER)
			append(text, "%+lld", (long long)row.cfa.offset);
		for (unsigned reg = 0; reg < CFI_NR_REGS; reg++) {
			if (row.regs[reg].how == CFI_UNSET)
				continue;
			append(text, " %u=", reg);
			append_value(text, &row.regs[reg]);
		}
		ck_assert_uint_gt(row.end, at);
		at = row.end;
	}
}

/* ---- instructions ---------------------------------------------------------------------------- */

#define OFFSET(reg)  (DW_CFA_offset | (reg))
#define RESTORE(reg) (DW_CFA_restore | (reg))
#define ADVANCE(by)  (DW_CFA_advance_loc | (by))

/* What begins most CIEs of x86-64: the CFA is SP + 8, the return address before it. */
#define CALLED DW_CFA_def_cfa, 7, 8, OFFSET(16), 1

static const struct {
	struct code cie, fde;
	const char *rows;
} programs[] = {
	{CODE(CALLED), CODE(DW_CFA_nop), "0 r7+8 16=*-8"},
	{CODE(CALLED),
	 CODE(ADVANCE(1), DW_CFA_def_cfa_offset, 16, OFFSET(6), 2, ADVANCE(3),
	      DW_CFA_def_cfa_register, 6, ADVANCE(0x3f), DW_CFA_def_cfa, 7, 8, RESTORE(6)),
	 "0 r7+8 16=*-8, 1 r7+16 6=*-16 16=*-8, 4 r6+16 6=*-16 16=*-8, 43 r7+8 16=*-8"},
	/* advances of every size, and none */
	{CODE(CALLED),
	 CODE(DW_CFA_advance_loc1, 2, DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc2, 4, 0,
	      DW_CFA_def_cfa_offset, 24, DW_CFA_advance_loc4, 8, 0, 0, 0, DW_CFA_def_cfa_offset, 32,
	      DW_CFA_MIPS_advance_loc8, 1, 0, 0, 0, 0, 0, 0, 0, DW_CFA_def_cfa_offset, 40,
	      ADVANCE(0), DW_CFA_def_cfa_offset, 48),
	 "0 r7+8 16=*-8, 2 r7+16 16=*-8, 6 r7+24 16=*-8, e r7+32 16=*-8, f r7+48 16=*-8"},
	{CODE(CALLED),
	 CODE(DW_CFA_set_loc, 0x10, 0x10, 0, 0, 0, 0, 0, 0, DW_CFA_def_cfa_offset, 16),
	 "0 r7+8 16=*-8, 10 r7+16 16=*-8"},
	/* behind the end of the function, and back */
	{CODE(CALLED), CODE(DW_CFA_advance_loc2, 0, 2, DW_CFA_def_cfa_offset, 16), "0 r7+8 16=*-8"},
	{CODE(CALLED),
	 CODE(ADVANCE(8), DW_CFA_set_loc, 4, 0x10, 0, 0, 0, 0, 0, 0, DW_CFA_def_cfa_offset, 16),
	 "0 r7+8 16=*-8, 8 damaged"},
	{CODE(CALLED),
	 CODE(ADVANCE(8), DW_CFA_MIPS_advance_loc8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
	 "0 r7+8 16=*-8, 8 damaged"},
	/* the CFA */
	{CODE(CALLED), CODE(DW_CFA_def_cfa_sf, 6, 0x7e, ADVANCE(1), DW_CFA_def_cfa_offset_sf, 0x7d),
	 "0 r6+16 16=*-8, 1 r6+24 16=*-8"},
	{CODE(CALLED), CODE(DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 8, DW_OP_deref),
	 "0 {77 08 06} 16=*-8"},
	{CODE(CALLED), CODE(DW_CFA_def_cfa, 0x80, 1, 8), "0 damaged"},
	{CODE(CALLED), CODE(DW_CFA_def_cfa_expression, 1, DW_OP_lit0, DW_CFA_def_cfa_offset, 8),
	 "0 damaged"},
	{CODE(CALLED), CODE(DW_CFA_def_cfa_expression, 1, DW_OP_lit0, DW_CFA_def_cfa_register, 8),
	 "0 damaged"},
	{CODE(OFFSET(16), 1), CODE(DW_CFA_nop), "0 damaged"},
	/* registers */
	{CODE(CALLED),
	 CODE(DW_CFA_offset_extended, 3, 2, DW_CFA_offset_extended_sf, 6, 0x7f,
	      DW_CFA_GNU_negative_offset_extended, 12, 3, DW_CFA_val_offset, 13, 4,
	      DW_CFA_val_offset_sf, 14, 0x7e, DW_CFA_undefined, 0, DW_CFA_same_value, 1,
	      DW_CFA_register, 15, 65),
	 "0 r7+8 0=none 1=same 3=*-16 6=*+8 12=*+24 13=-32 14=+16 15=r65 16=*-8"},
	{CODE(CALLED),
	 CODE(DW_CFA_expression, 3, 2, DW_OP_breg6, 0x78, DW_CFA_val_expression, 6, 1, DW_OP_lit1,
	      DW_CFA_expression, 12, 0),
	 "0 r7+8 3=*{76 78} 6={31} 12=*{} 16=*-8"},
	/* of registers that no unwinding needs, and one that is in such a register */
	{CODE(CALLED),
	 CODE(DW_CFA_offset_extended, 66, 1, DW_CFA_restore_extended, 0x80, 4, DW_CFA_register, 3,
	      66),
	 "0 r7+8 3=none 16=*-8"},
	{CODE(CALLED, OFFSET(3), 2),
	 CODE(DW_CFA_undefined, 3, ADVANCE(1), RESTORE(3), DW_CFA_same_value, 6, ADVANCE(1),
	      DW_CFA_restore_extended, 6),
	 "0 r7+8 3=none 16=*-8, 1 r7+8 3=*-16 6=same 16=*-8, 2 r7+8 3=*-16 16=*-8"},
	{CODE(CALLED), CODE(DW_CFA_undefined, 16), "0 r7+8 16=none"},
	/* states are remembered with their CFA */
	{CODE(CALLED),
	 CODE(DW_CFA_remember_state, ADVANCE(1), DW_CFA_def_cfa, 6, 16, OFFSET(6), 2,
	      DW_CFA_remember_state, ADVANCE(1), DW_CFA_undefined, 16, ADVANCE(1),
	      DW_CFA_restore_state, ADVANCE(1), DW_CFA_restore_state),
	 "0 r7+8 16=*-8, 1 r6+16 6=*-16 16=*-8, 2 r6+16 6=*-16 16=none, 3 r6+16 6=*-16 "
	 "16=*-8, 4 r7+8 16=*-8"},
	{CODE(CALLED), CODE(DW_CFA_restore_state), "0 damaged"},
	/* what changes no row, and what is not known */
	{CODE(CALLED), CODE(DW_CFA_GNU_args_size, 0x80, 1, DW_CFA_nop), "0 r7+8 16=*-8"},
	{CODE(CALLED), CODE(DW_CFA_GNU_window_save), "0 damaged"},
	{CODE(CALLED), CODE(0x2c), "0 damaged"},
	{CODE(CALLED), CODE(0x17), "0 damaged"},
	{CODE(CALLED), CODE(0x3f), "0 damaged"},
	/* cut off */
	{CODE(CALLED), CODE(DW_CFA_def_cfa_offset), "0 damaged"},
	{CODE(CALLED), CODE(DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 8), "0 damaged"},
	{CODE(CALLED), CODE(DW_CFA_advance_loc4, 1, 0), "0 damaged"},
	{CODE(CALLED, ADVANCE(1)), CODE(DW_CFA_nop), "0 damaged"},
};

START_TEST(rows_of_instructions)
{
	const struct cie cie = {.instructions = programs[_i].cie};
	struct writer w = {0};
	struct cfi_section section;
	char rows[TEXT_MAX];
	struct cfi_fde fde;
	size_t offset = put_cie(&w, &cie);

	offset = put_fde(&w, offset, START, LENGTH, &programs[_i].fde);
	section = section_of(&w);
	ck_assert(cfi_read_fde(&section, offset, &fde));
	print_rows(rows, &section, &fde);
	ck_assert_str_eq(rows, programs[_i].rows);
}
END_TEST

/* What signs return addresses changes no row of arm64. */
START_TEST(instructions_of_arm64)
{
	static const struct code code = CODE(DW_CFA_GNU_window_save, ADVANCE(4), 0x2c);
	struct writer w = {0};
	struct cfi_section section;
	char rows[TEXT_MAX];
	struct cfi_fde fde;
	const size_t offset =
		put_fde(&w, put_cie(&w, &(struct cie){.instructions = CODE(DW_CFA_def_cfa, 31, 0)}),
			START, LENGTH, &code);

	section = section_of(&w);
	section.machine = EM_AARCH64;
	ck_assert(cfi_read_fde(&section, offset, &fde));
	print_rows(rows, &section, &fde);
	ck_assert_str_eq(rows, "0 r31+0, 4 r31+0");
}
END_TEST

/* Factors of advances and offsets. */
START_TEST(factors)
{
	static const struct code code =
		CODE(ADVANCE(2), OFFSET(6), 3, DW_CFA_advance_loc1, 4, DW_CFA_def_cfa_offset_sf, 2);
	const struct cie cie = {.instructions = CODE(CALLED), .code_align = 4, .data_align = 0x10};
	struct writer w = {0};
	struct cfi_section section;
	char rows[TEXT_MAX];
	struct cfi_fde fde;
	const size_t offset = put_fde(&w, put_cie(&w, &cie), START, LENGTH, &code);

	section = section_of(&w);
	ck_assert(cfi_read_fde(&section, offset, &fde));
	print_rows(rows, &section, &fde);
	ck_assert_str_eq(rows, "0 r7+8 16=*+16, 8 r7+8 6=*+48 16=*+16, 18 r7+32 6=*+48 16=*+16");
}
END_TEST

/* _i states nested; 16 are what is remembered. */
START_TEST(nested_states)
{
	struct code code = {.len = 2 * (size_t)_i};
	struct writer w = {0};
	struct cfi_section section;
	char rows[TEXT_MAX];
	struct cfi_fde fde;
	size_t offset = put_cie(&w, &(struct cie){.instructions = CODE(CALLED)});

	memset(code.bytes, DW_CFA_remember_state, (size_t)_i);
	memset(code.bytes + _i, DW_CFA_restore_state, (size_t)_i);
	offset = put_fde(&w, offset, START, LENGTH, &code);
	section = section_of(&w);
	ck_assert(cfi_read_fde(&section, offset, &fde));
	print_rows(rows, &section, &fde);
	ck_assert_str_eq(rows, _i <= 16 ? "0 r7+8 16=*-8" : "0 damaged");
}
END_TEST

/* ---- CIEs ------------------------------------------------------------------------------------ */

#define FDE_WORDS  0, 0x10, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0
#define FDE_HALVES 0, 0x10, 0, 0, 0, 1, 0, 0

/* CIEs, and how the addresses of their FDEs are written. */
static const struct {
	struct cie cie;
	struct code where;
	bool is_readable, is_signal;
} cies[] = {
	{{.version = 1}, CODE(FDE_WORDS), true, false},
	{{.version = 3}, CODE(FDE_WORDS), true, false},
	{{.version = 4, .address_size = 8}, CODE(FDE_WORDS), true, false},
	{{.version = 4, .address_size = 4}, CODE(FDE_HALVES), true, false},
	{{.version = 4, .address_size = 2}, CODE(FDE_WORDS), false, false},
	{{.version = 2}, CODE(FDE_WORDS), false, false},
	{{.version = 5}, CODE(FDE_WORDS), false, false},
	{{.augmentation = "eh"}, CODE(FDE_WORDS), true, false},
	{{.augmentation = "S"}, CODE(FDE_WORDS), true, true},
	{{.augmentation = "zS", .data = CODE(0)}, CODE(FDE_WORDS, 0), true, true},
	{{.augmentation = "zR", .data = CODE(1, 3)}, CODE(FDE_HALVES, 0), true, false},
	{{.augmentation = "zR", .data = CODE(1, 0)}, CODE(FDE_WORDS, 2, 1, 1), true, false},
	{{.augmentation = "zPLR", .data = CODE(7, 3, 1, 2, 3, 4, 0x1b, 3)},
	 CODE(FDE_HALVES, 4, 1, 1, 1, 1),
	 true,
	 false},
	{{.augmentation = "zPR", .data = CODE(2, 0xff, 3)}, CODE(FDE_HALVES, 0), true, false},
	{{.augmentation = "zRBG", .data = CODE(1, 3)}, CODE(FDE_HALVES, 0), true, false},
	/* unknown letters: what is before them counts, behind them nothing */
	{{.augmentation = "zRXS", .data = CODE(4, 3, 9, 9, 9)}, CODE(FDE_HALVES, 0), true, false},
	{{.augmentation = "X"}, CODE(FDE_WORDS), false, false},
	{{.augmentation = "armcc+"}, CODE(FDE_WORDS), false, false},
	/* data too short for its letters */
	{{.augmentation = "zR", .data = CODE(0)}, CODE(FDE_HALVES, 0), false, false},
	{{.augmentation = "zP", .data = CODE(2, 3, 1)}, CODE(FDE_WORDS, 0), false, false},
	{{.augmentation = "zR", .data = CODE(200, 3)}, CODE(FDE_HALVES, 0), false, false},
};

START_TEST(cies_of_every_kind)
{
	static const struct code none = {.len = 0};
	struct cie cie = cies[_i].cie;
	struct writer w = {0};
	struct cfi_section section;
	char rows[TEXT_MAX];
	struct cfi_fde fde;
	size_t offset;

	cie.instructions = (struct code)CODE(CALLED);
	offset = put_fde_at(&w, put_cie(&w, &cie), &cies[_i].where, &none);
	section = section_of(&w);
	ck_assert(cfi_read_fde(&section, offset, &fde) == cies[_i].is_readable);
	if (!cies[_i].is_readable)
		return;
	ck_assert_uint_eq(fde.start, START);
	ck_assert_uint_eq(fde.end, START + LENGTH);
	ck_assert(fde.cie.is_signal == cies[_i].is_signal);
	print_rows(rows, &section, &fde);
	ck_assert_str_eq(rows, "0 r7+8 16=*-8");
}
END_TEST

/* ---- pointers -------------------------------------------------------------------------------- */

static const struct {
	uint8_t encoding;
	struct code bytes;
	uint64_t value_64, value_32; /* of addresses of 8, 4 bytes */
	size_t read_64, read_32;     /* bytes; 0: fails */
} pointers[] = {
	{0x00, CODE(1, 2, 3, 4, 5, 6, 7, 8), 0x0807060504030201, 0x04030201, 8, 4},
	{0x01, CODE(0xff, 1), 0xff, 0xff, 2, 2},
	{0x02, CODE(0xfe, 0xff), 0xfffe, 0xfffe, 2, 2},
	{0x03, CODE(0xfe, 0xff, 0xff, 0xff), 0xfffffffe, 0xfffffffe, 4, 4},
	{0x04, CODE(1, 0, 0, 0, 1, 0, 0, 0), 0x100000001, 1, 8, 8},
	{0x08, CODE(0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), UINT64_MAX - 1, UINT32_MAX - 1,
	 8, 4},
	{0x09, CODE(0x7f), UINT64_MAX, UINT32_MAX, 1, 1},
	{0x0a, CODE(0xfe, 0xff), UINT64_MAX - 1, UINT32_MAX - 1, 2, 2},
	{0x0b, CODE(0xfe, 0xff, 0xff, 0xff), UINT64_MAX - 1, UINT32_MAX - 1, 4, 4},
	{0x0c, CODE(1, 0, 0, 0, 1, 0, 0, 0), 0x100000001, 1, 8, 8},
	/* from where it stands, from the text, from the data */
	{0x1b, CODE(0xf0, 0xff, 0xff, 0xff), SECTION_ADDR - 0x10, SECTION_ADDR - 0x10, 4, 4},
	{0x2b, CODE(1, 0, 0, 0), 0x20001, 0x20001, 4, 4},
	{0x3b, CODE(1, 0, 0, 0), 0x30001, 0x30001, 4, 4},
	/* from the function, aligned, in memory, and no form at all */
	{0x4b, CODE(1, 0, 0, 0), 0, 0, 0, 0},
	{0x50, CODE(1, 0, 0, 0, 0, 0, 0, 0), 0, 0, 0, 0},
	{0x9b, CODE(1, 0, 0, 0), 0, 0, 0, 0},
	{0x05, CODE(1, 0, 0, 0, 0, 0, 0, 0), 0, 0, 0, 0},
	{0x0b, CODE(1, 0, 0), 0, 0, 0, 0},
};

START_TEST(pointers_of_every_encoding)
{
	const struct code *code = &pointers[_i].bytes;

	for (unsigned size = 4; size <= 8; size += 4) {
		const size_t read = size == 8 ? pointers[_i].read_64 : pointers[_i].read_32;
		const struct cfi_section section = {
			.bytes = span_make(code->bytes, code->len, swap),
			.addr = SECTION_ADDR,
			.text = 0x20000,
			.data = 0x30000,
			.is_64bit = size == 8,
		};
		struct span s = section.bytes;
		const uint64_t value = cfi_pointer(&section, &s, pointers[_i].encoding, size);

		ck_assert(s.failed == (read == 0));
		if (read == 0)
			continue;
		ck_assert_uint_eq(value, size == 8 ? pointers[_i].value_64 : pointers[_i].value_32);
		ck_assert_uint_eq(code->len - span_left(&s), read);
	}
}
END_TEST

/* ---- entries --------------------------------------------------------------------------------- */

static const struct code no_code = {.len = 0};

/* The CIE that most of what follows has. */
static size_t put_plain_cie(struct writer *w)
{
	return put_cie(w, &(struct cie){.instructions = CODE(CALLED)});
}

START_TEST(functions_thrown_away)
{
	struct writer w = {0};
	const size_t cie = put_plain_cie(&w), at_0 = put_fde(&w, cie, 0, LENGTH, &no_code),
		     empty = put_fde(&w, cie, START, 0, &no_code),
		     over = put_fde(&w, cie, UINT64_MAX - 1, LENGTH, &no_code),
		     last = put_fde(&w, cie, START, LENGTH, &no_code);
	const struct cfi_section section = section_of(&w);
	struct cfi_fde fde;

	ck_assert(!cfi_read_fde(&section, cie, &fde));
	ck_assert(!cfi_read_fde(&section, at_0, &fde));
	ck_assert(!cfi_read_fde(&section, empty, &fde));
	ck_assert(!cfi_read_fde(&section, over, &fde));
	ck_assert(cfi_read_fde(&section, last, &fde));
	ck_assert(!cfi_read_fde(&section, w.len, &fde));
	ck_assert(!cfi_read_fde(&section, UINT64_MAX, &fde));
}
END_TEST

/* FDEs that name as their CIE what is none: another FDE, themselves, something before the start. */
START_TEST(wrong_cies)
{
	struct writer w = {0};
	const size_t cie = put_plain_cie(&w), fde_at = put_fde(&w, cie, START, LENGTH, &no_code),
		     of_fde = put_fde(&w, fde_at, START, LENGTH, &no_code),
		     of_itself = put_fde(&w, w.len, START, LENGTH, &no_code),
		     before = put_fde(&w, (size_t)-8, START, LENGTH, &no_code);
	const struct cfi_section section = section_of(&w);
	struct cfi_fde fde;

	ck_assert(cfi_read_fde(&section, fde_at, &fde));
	ck_assert(!cfi_read_fde(&section, of_fde, &fde));
	ck_assert(!cfi_read_fde(&section, of_itself, &fde));
	ck_assert(!cfi_read_fde(&section, before, &fde));
}
END_TEST

/* .debug_frame: the offset of the CIE is its own, and 8 bytes where lengths are. _i: 64 bits. */
START_TEST(debug_frame)
{
	struct writer w = {.is_64bit_length = _i};
	struct cfi_section section;
	char rows[TEXT_MAX];
	struct cfi_fde fde;
	size_t cie, offset;

	put_cie(&w, &(struct cie){.version = 9, .is_debug = true});
	cie = put_cie(&w, &(struct cie){.version = 4,
					.address_size = 8,
					.is_debug = true,
					.instructions = CODE(CALLED)});
	begin(&w);
	put_number(&w, cie, _i ? 8 : 4);
	put_number(&w, START, 8);
	put_number(&w, LENGTH, 8);
	end(&w);
	offset = w.entry;
	section = section_of(&w);
	section.is_eh = false;
	ck_assert(!cfi_read_fde(&section, cie, &fde));
	ck_assert(cfi_read_fde(&section, offset, &fde));
	ck_assert_uint_eq(fde.end, START + LENGTH);
	print_rows(rows, &section, &fde);
	ck_assert_str_eq(rows, "0 r7+8 16=*-8");
}
END_TEST

/* In .eh_frame the id has 4 bytes whatever the length has. */
START_TEST(eh_frame_with_lengths_of_64_bits)
{
	struct writer w = {.is_64bit_length = true};
	size_t cie = put_plain_cie(&w), offset;
	struct cfi_section section;
	struct cfi_fde fde;

	offset = put_fde(&w, cie, START, LENGTH, &no_code);
	section = section_of(&w);
	ck_assert(cfi_read_fde(&section, offset, &fde));
	ck_assert_uint_eq(fde.start, START);
	ck_assert(cfi_skip_entry(&section, &cie));
	ck_assert_uint_eq(cie, offset);
	ck_assert(!cfi_skip_entry(&section, &offset));
}
END_TEST

/* The end of the letters is not looked for all over the file, again for each function. */
START_TEST(many_letters)
{
	struct writer w = {0};
	const size_t cie = put_cie(&w, &(struct cie){.augmentation = "zXXXXXXXXXXXXXXXXXXXXXXXX",
						     .data = CODE(0),
						     .instructions = CODE(CALLED)}),
		     offset = put_fde(&w, cie, START, LENGTH, (const struct code[]){CODE(0)});
	const struct cfi_section section = section_of(&w);
	struct cfi_fde fde;

	ck_assert(!cfi_read_fde(&section, offset, &fde));
}
END_TEST

/* ---- indexes --------------------------------------------------------------------------------- */

enum { NR_FUNCTIONS = 4, HDR_ADDR = 0x7000, HDR_MAX = 64 };

/* Functions of 16 bytes at START, START + 32..., in an order of their own; their FDEs' offsets. */
static struct writer functions(size_t *offsets)
{
	static const unsigned order[NR_FUNCTIONS] = {2, 0, 3, 1};
	struct writer w = {0};
	const size_t cie = put_plain_cie(&w);

	for (size_t i = 0; i < NR_FUNCTIONS; i++) {
		if (i == 2)
			put_number(&w, 0, 4); /* a terminator between two objects' entries */
		offsets[order[i]] = put_fde(&w, cie, START + 32 * order[i], 16, &no_code);
	}
	return w;
}

/* .eh_frame_hdr for them, in the order @order of digits. */
static struct writer table_of(const size_t *offsets, const char *order)
{
	struct writer w = {0};

	put_number(&w, 0x3b031b01, 4);
	put_number(&w, SECTION_ADDR - HDR_ADDR - 4, 4);
	put_number(&w, strlen(order), 4);
	for (; *order; order++) {
		const unsigned number = (unsigned)(*order - '0');

		put_number(&w, (uint64_t)START + 32 * number - HDR_ADDR, 4);
		put_number(&w, SECTION_ADDR + offsets[number] - HDR_ADDR, 4);
	}
	return w;
}

/* Whether each function is found for its first and last address, and nothing between them. */
static void check_index(struct cfi_index *index)
{
	struct cfi_fde fde;

	for (uint64_t i = 0; i < NR_FUNCTIONS; i++) {
		const uint64_t start = START + 32 * i;

		for (uint64_t at = 0; at < 16; at += 15) {
			ck_assert_int_eq(cfi_index_find(index, start + at, &fde), 1);
			ck_assert_uint_eq(fde.start, start);
		}
		ck_assert_int_eq(cfi_index_find(index, start - 1, &fde), 0);
		ck_assert_int_eq(cfi_index_find(index, start + 16, &fde), 0);
	}
	ck_assert_int_eq(cfi_index_find(index, 0, &fde), 0);
	ck_assert_int_eq(cfi_index_find(index, UINT64_MAX, &fde), 0);
}

/* Tables: their order, and whether they are used to the end. */
static const struct {
	const char *order;
	uint8_t at, byte; /* of the header is changed, unless both are 0 */
	bool is_used;
} tables[] = {
	{"0123", 0, 0, true},	   {"0132", 0, 0, false}, {"3210", 0, 0, false},
	{"", 0, 0, false},	   {"0123", 0, 2, false}, /* version */
	{"0123", 1, 0xff, false}, /* no pointer to .eh_frame: the count is elsewhere */
	{"0123", 2, 0xff, false}, /* no count */
	{"0123", 3, 0x1b, false}, /* entries of another form */
	{"0123", 8, 5, false},	  /* more entries than bytes */
	{"0123", 11, 0x7f, false},
};

START_TEST(tables_of_linkers)
{
	size_t offsets[NR_FUNCTIONS];
	const struct writer w = functions(offsets);
	struct writer hdr = table_of(offsets, tables[_i].order);
	const struct cfi_section section = section_of(&w);
	struct cfi_index index;

	if (tables[_i].at || tables[_i].byte)
		hdr.bytes[tables[_i].at] = tables[_i].byte;
	cfi_index_init(&index, &section, span_make(hdr.bytes, hdr.len, swap), HDR_ADDR);
	check_index(&index);
	ck_assert(!index.is_walked == tables[_i].is_used);
	for (size_t i = 0; i < NR_FUNCTIONS; i++) {
		const size_t number = tables[_i].is_used ? i : SIZE_MAX;

		ck_assert_uint_eq(cfi_index_number(&index, START + 32 * i), number);
		ck_assert_uint_eq(cfi_index_number(&index, START + 32 * i + 31), number);
	}
	ck_assert_uint_eq(cfi_index_number(&index, START - 1), SIZE_MAX);
	cfi_index_free(&index);
}
END_TEST

/* A table in order whose FDEs are others, none, or outside: no answer is wrong. */
START_TEST(tables_that_lie)
{
	static const uint32_t lies[] = {0, 1, 0x10000, UINT32_MAX, 0x80000000};
	size_t offsets[NR_FUNCTIONS];
	const struct writer w = functions(offsets);
	struct writer hdr = table_of(offsets, "0123");
	const struct cfi_section section = section_of(&w);
	struct cfi_index index;
	struct cfi_fde fde;

	hdr.len = 12 + 8 * 2 + 4;
	put_number(&hdr, lies[_i], 4);
	hdr.len = 12 + 8 * NR_FUNCTIONS;
	cfi_index_init(&index, &section, span_make(hdr.bytes, hdr.len, swap), HDR_ADDR);
	ck_assert_int_eq(cfi_index_find(&index, START + 64, &fde), 0);
	ck_assert_int_eq(cfi_index_find(&index, START + 96, &fde), 1);
	ck_assert_uint_eq(fde.start, START + 96);
	cfi_index_free(&index);
}
END_TEST

enum { NR_MANY = 300, SETTLES_AFTER = 64 };

/* Functions of 16 bytes with gaps of many sizes, one of them large, as many as in a small library.
 */
struct many_functions {
	struct writer frames, hdr;
	uint64_t starts[NR_MANY];
};

/* @late: the function that is two later in the table than its address says; 0: none. */
static void make_many(struct many_functions *many, size_t late)
{
	size_t cie, offsets[NR_MANY];
	uint64_t start = START;

	*many = (struct many_functions){0};
	cie = put_plain_cie(&many->frames);
	put_number(&many->hdr, 0x3b031b01, 4);
	put_number(&many->hdr, SECTION_ADDR - HDR_ADDR - 4, 4);
	put_number(&many->hdr, NR_MANY, 4);
	for (size_t i = 0; i < NR_MANY; i++) {
		many->starts[i] = start;
		offsets[i] = put_fde(&many->frames, cie, start, 16, &no_code);
		start += 16 + i * 37 % 11 * (i % 50 == 0 ? 4096 : 16);
	}
	for (size_t i = 0; i < NR_MANY; i++) {
		const size_t number = late && i >= late && i < late + 2 ? i + 1
				      : late && i == late + 2		? late
									: i;

		put_number(&many->hdr, many->starts[number] - HDR_ADDR, 4);
		put_number(&many->hdr, SECTION_ADDR + offsets[number] - HDR_ADDR, 4);
	}
}

static void check_function(struct cfi_index *index, const struct many_functions *many, size_t i)
{
	const uint64_t start = many->starts[i];
	const bool has_gap = i + 1 == NR_MANY || start + 16 < many->starts[i + 1];
	struct cfi_fde fde;

	for (uint64_t at = 0; at < 16; at += 15) {
		ck_assert_int_eq(cfi_index_find(index, start + at, &fde), 1);
		ck_assert_uint_eq(fde.start, start);
	}
	ck_assert_int_eq(cfi_index_find(index, start + 16, &fde), !has_gap);
}

/* A table is divided once many addresses were found in it. Answers stay the same. */
START_TEST(tables_that_are_divided)
{
	static struct many_functions many;
	struct cfi_section section;
	struct cfi_index index;
	struct cfi_fde fde;

	make_many(&many, 0);
	section = section_of(&many.frames);
	cfi_index_init(&index, &section, span_make(many.hdr.bytes, many.hdr.len, swap), HDR_ADDR);
	for (size_t i = 0; i < SETTLES_AFTER; i++) {
		ck_assert(!cfi_index_is_settled(&index));
		ck_assert_int_eq(cfi_index_find(&index, many.starts[7], &fde), 1);
	}
	ck_assert(cfi_index_is_settled(&index));
	for (size_t i = 0; i < NR_MANY; i++) {
		check_function(&index, &many, i);
		ck_assert_uint_eq(cfi_index_number(&index, many.starts[i]), i);
		ck_assert_uint_eq(cfi_index_number(&index, many.starts[i] - 1), i - 1);
	}
	ck_assert_uint_eq(cfi_index_number(&index, 0), SIZE_MAX);
	ck_assert_uint_eq(cfi_index_number(&index, START - 1), SIZE_MAX);
	ck_assert_uint_eq(cfi_index_number(&index, many.starts[NR_MANY - 1] + 4096), NR_MANY - 1);
	ck_assert_uint_eq(cfi_index_number(&index, UINT64_MAX), NR_MANY - 1);
	cfi_index_free(&index);
}
END_TEST

/* A table that is not in order is not divided. */
START_TEST(tables_out_of_order_are_not_divided)
{
	static struct many_functions many;
	struct cfi_section section;
	struct cfi_index index;
	struct cfi_fde fde;

	make_many(&many, (size_t)_i);
	section = section_of(&many.frames);
	cfi_index_init(&index, &section, span_make(many.hdr.bytes, many.hdr.len, swap), HDR_ADDR);
	for (size_t i = 0; i < 2 * SETTLES_AFTER; i++)
		ck_assert_int_eq(cfi_index_find(&index, many.starts[200], &fde), 1);
	ck_assert(!cfi_index_is_settled(&index));
	for (size_t i = 0; i < NR_MANY; i++)
		check_function(&index, &many, i);
	ck_assert(index.is_walked);
	cfi_index_free(&index);
}
END_TEST

struct address_pair {
	uint64_t one, other;
	bool is_one;
};

typedef bool (*pair_test)(struct cfi *cfi, uint64_t one, uint64_t other, bool *is_one);

/* Asks @test about the @nr @pairs, and without CFI. */
static void check_pairs(pair_test test, const struct address_pair *pairs, size_t nr)
{
	size_t offsets[NR_FUNCTIONS];
	const struct writer w = functions(offsets);
	struct cfi *cfi =
		cfi_open_eh_frame(span_make(w.bytes, w.len, swap), SECTION_ADDR, EM_X86_64);
	struct cfi *none = cfi_open(NULL, NULL);
	bool is_one;

	ck_assert_ptr_nonnull(cfi);
	ck_assert_ptr_nonnull(none);
	for (size_t i = 0; i < nr; i++) {
		ck_assert(test(cfi, pairs[i].one, pairs[i].other, &is_one));
		ck_assert_msg(is_one == pairs[i].is_one, "pair %zu", i);
	}
	ck_assert(test(none, START, START, &is_one));
	ck_assert(!is_one);
	ck_assert(cfi_is_signal(cfi, START, &is_one));
	ck_assert(!is_one);
	cfi_close(cfi);
	cfi_close(none);
}

START_TEST(one_function_has_one_entry)
{
	static const struct address_pair pairs[] = {
		{START, START, true},
		{START, START + 15, true},
		{START + 15, START, true},
		{START - 1, START, false},
		{START + 16, START + 15, false},
		{START, START + 16, false},
		{START, START + 32, false},
		{START + 32, START, false},
		{0, UINT64_MAX, false},
	};

	check_pairs(cfi_is_one_function, pairs, sizeof(pairs) / sizeof(pairs[0]));
}
END_TEST

START_TEST(gaps_are_between_entries)
{
	enum { BEHIND_LAST = START + 32 * (NR_FUNCTIONS - 1) + 16 };
	static const struct address_pair pairs[] = {
		{START + 16, START + 31, true},
		{START + 31, START + 16, true},
		{START + 16, START + 16, true},
		{START + 15, START + 16, false},
		{START + 16, START + 32, false},
		{START + 16, START + 48, false},
		{START, START, false},
		{START - 1, START - 1, false},
		{BEHIND_LAST, BEHIND_LAST, false},
		{0, UINT64_MAX, false},
	};

	check_pairs(cfi_is_one_gap, pairs, sizeof(pairs) / sizeof(pairs[0]));
}
END_TEST

/* A section cut off finds the functions whose entries are whole. */
START_TEST(cut_sections)
{
	size_t offsets[NR_FUNCTIONS];
	const struct writer w = functions(offsets);

	for (size_t len = 0; len <= w.len; len++) {
		struct cfi_section section = section_of(&w);
		struct cfi_index index;
		struct cfi_fde fde;

		section.bytes = span_make(w.bytes, len, swap);
		cfi_index_init(&index, &section, (struct span){0}, 0);
		for (uint64_t i = 0; i < NR_FUNCTIONS; i++)
			ck_assert_int_eq(cfi_index_find(&index, START + 32 * i, &fde),
					 len >= offsets[i] + 24);
		cfi_index_free(&index);
	}
}
END_TEST

/* No function takes so many instructions: each of its addresses would cost as much. */
START_TEST(endless_instructions)
{
	enum { MOST = 1 << 18 };
	static uint8_t nops[MOST + 1];
	struct cfi_fde fde = {.cie = {.ra_column = 16}, .start = START, .end = START + LENGTH};
	const struct cfi_section section = {.is_64bit = true};
	static const uint8_t called[] = {CALLED};
	struct cfi_row row;

	fde.cie.instructions = span_make(called, sizeof(called), swap);
	fde.instructions = span_make(nops, MOST, swap);
	ck_assert(cfi_run(&section, &fde, START, &row));
	fde.instructions = span_make(nops, MOST + 1, swap);
	ck_assert(!cfi_run(&section, &fde, START, &row));
	fde.instructions = fde.cie.instructions;
	fde.cie.instructions = span_make(nops, MOST + 1, swap);
	ck_assert(!cfi_run(&section, &fde, START, &row));
}
END_TEST

/* Rows are known by their FDE, in any order; of one that has more than 16, the first 16. */
START_TEST(known_rows)
{
	enum { NR_FDES = 3, NR_ROWS = 17, ROW = 8 };
	static const struct cfi_rule rules[NR_ROWS];
	struct cfi_known known = {0};

	ck_assert_ptr_null(cfi_known_find(&known, 1, START));
	for (uint64_t i = 0; i < NR_ROWS; i++) {
		const struct cfi_row row = {.start = START + i * ROW, .end = START + (i + 1) * ROW};

		cfi_known_add(&known, 1, NR_FDES, &row, &rules[i]);
	}
	for (uint64_t i = 0; i < NR_ROWS; i++) {
		const struct cfi_rule *rule = i == 16 ? NULL : &rules[i];

		ck_assert_ptr_eq(cfi_known_find(&known, 1, START + i * ROW), rule);
		ck_assert_ptr_eq(cfi_known_find(&known, 1, START + (i + 1) * ROW - 1), rule);
	}
	ck_assert_ptr_null(cfi_known_find(&known, 1, START - 1));
	ck_assert_ptr_null(cfi_known_find(&known, 1, START + (uint64_t)NR_ROWS * ROW));
	ck_assert_ptr_null(cfi_known_find(&known, 0, START + ROW));
	ck_assert_ptr_null(cfi_known_find(&known, 2, START + ROW));
	ck_assert_ptr_null(cfi_known_find(&known, NR_FDES, START + ROW));
	ck_assert_ptr_null(cfi_known_find(&known, SIZE_MAX, START + ROW));
	cfi_known_add(&known, NR_FDES, NR_FDES, &(struct cfi_row){.start = 1, .end = 2}, rules);
	ck_assert_ptr_null(cfi_known_find(&known, NR_FDES, 1));
	cfi_known_free(&known);
	ck_assert_ptr_null(cfi_known_find(&known, 1, START + ROW));
}
END_TEST

/* More rows than fit in the first blocks of memory. */
START_TEST(many_known_rows)
{
	enum { NR_FDES = 5000 };
	static const struct cfi_rule rules[NR_FDES];
	struct cfi_known known = {0};

	for (uint64_t i = 0; i < NR_FDES; i++)
		cfi_known_add(&known, i, NR_FDES, &(struct cfi_row){.start = i, .end = i + 2},
			      &rules[i]);
	for (uint64_t i = 0; i < NR_FDES; i++) {
		ck_assert_ptr_eq(cfi_known_find(&known, i, i), &rules[i]);
		ck_assert_ptr_eq(cfi_known_find(&known, i, i + 1), &rules[i]);
		ck_assert_ptr_null(cfi_known_find(&known, i, i + 2));
	}
	cfi_known_free(&known);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cfi");
	TCase *tcase = tcase_create("cfi");

	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, rows_of_instructions, 0, sizeof(programs) / sizeof(programs[0]));
	tcase_add_test(tcase, instructions_of_arm64);
	tcase_add_test(tcase, factors);
	tcase_add_loop_test(tcase, nested_states, 15, 18);
	tcase_add_loop_test(tcase, cies_of_every_kind, 0, sizeof(cies) / sizeof(cies[0]));
	tcase_add_loop_test(tcase, pointers_of_every_encoding, 0,
			    sizeof(pointers) / sizeof(pointers[0]));
	tcase_add_test(tcase, functions_thrown_away);
	tcase_add_test(tcase, wrong_cies);
	tcase_add_loop_test(tcase, debug_frame, 0, 2);
	tcase_add_test(tcase, eh_frame_with_lengths_of_64_bits);
	tcase_add_test(tcase, many_letters);
	tcase_add_loop_test(tcase, tables_of_linkers, 0, sizeof(tables) / sizeof(tables[0]));
	tcase_add_loop_test(tcase, tables_that_lie, 0, 5);
	tcase_add_test(tcase, tables_that_are_divided);
	tcase_add_loop_test(tcase, tables_out_of_order_are_not_divided, 100, 102);
	tcase_add_loop_test(tcase, tables_out_of_order_are_not_divided, 297, 298);
	tcase_add_test(tcase, one_function_has_one_entry);
	tcase_add_test(tcase, gaps_are_between_entries);
	tcase_add_test(tcase, cut_sections);
	tcase_add_test(tcase, endless_instructions);
	tcase_add_test(tcase, known_rows);
	tcase_add_test(tcase, many_known_rows);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}

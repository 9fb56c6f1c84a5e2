#include "decode/symbol/disasm.h"

#ifdef HAVE_CAPSTONE
#include "util/dynlib.h"

#include <capstone.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRING_OF(number) #number
#define LIBRARY_OF(major) "libcapstone.so." STRING_OF(major)

/* The library's functions. */
struct capstone {
	__typeof__(&cs_version) version;
	__typeof__(&cs_open) open;
	__typeof__(&cs_option) option;
	__typeof__(&cs_malloc) malloc;
	__typeof__(&cs_disasm_iter) disasm_iter;
	__typeof__(&cs_free) free;
	__typeof__(&cs_close) close;
};

struct disasm {
	struct capstone cs;
	csh handle;
	cs_insn *insn;
	uint16_t machine;
};

/* The mnemonics of jumps begin with one of these words; "b=" is the whole mnemonic. */
struct disasm_kind {
	const char *jumps[24];
	cs_arch arch;
	int mode, mode_64bit; /* mode_64bit: of the larger word, if it is another mode */
	uint16_t machine;
	bool both_orders; /* its code may be big-endian */
};

static const struct disasm_kind kinds[] = {
	{.machine = EM_X86_64,
	 .arch = CS_ARCH_X86,
	 .mode = CS_MODE_64,
	 .jumps = {"j", "call", "loop"}},
	{.machine = EM_386,
	 .arch = CS_ARCH_X86,
	 .mode = CS_MODE_32,
	 .jumps = {"j", "call", "loop"}},
	{.machine = EM_AARCH64,
	 .arch = CS_ARCH_ARM64,
	 .jumps = {"b=", "b.", "bl=", "cbz", "cbnz", "tbz", "tbnz"}},
	{.machine = EM_ARM,
	 .arch = CS_ARCH_ARM,
	 .jumps = {"b=",  "b.",	 "beq", "bne", "bhs", "blo", "bmi", "bpl", "bvs", "bvc",
		   "bhi", "bls", "bge", "blt", "bgt", "ble", "bl=", "blx", "cbz", "cbnz"}},
	{.machine = EM_PPC64,
	 .arch = CS_ARCH_PPC,
	 .mode = CS_MODE_64,
	 .both_orders = true,
	 .jumps = {"b"}},
	{.machine = EM_PPC,
	 .arch = CS_ARCH_PPC,
	 .mode = CS_MODE_32,
	 .both_orders = true,
	 .jumps = {"b"}},
	{.machine = EM_S390,
	 .arch = CS_ARCH_SYSZ,
	 .both_orders = true,
	 .jumps = {"j", "br", "crj", "cgrj", "cij", "cgij", "clrj", "clgrj", "clij", "clgij"}},
#if CS_API_MAJOR >= 5
	{.machine = EM_RISCV,
	 .arch = CS_ARCH_RISCV,
	 .mode = CS_MODE_RISCV32 | CS_MODE_RISCVC,
	 .mode_64bit = CS_MODE_RISCV64 | CS_MODE_RISCVC,
	 .jumps = {"b", "j=", "jal=", "c.b", "c.j=", "c.jal="}},
#endif
};

static const struct disasm_kind *kind_of(uint16_t machine)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].machine == machine)
			return &kinds[i];
	return NULL;
}

/* Returns false if the library is not installed. */
static bool load(struct capstone *cs)
{
	void *library = dynlib_open(LIBRARY_OF(CS_API_MAJOR));

	return dynlib_find(library, "cs_version", &cs->version) &&
	       dynlib_find(library, "cs_open", &cs->open) &&
	       dynlib_find(library, "cs_option", &cs->option) &&
	       dynlib_find(library, "cs_malloc", &cs->malloc) &&
	       dynlib_find(library, "cs_disasm_iter", &cs->disasm_iter) &&
	       dynlib_find(library, "cs_free", &cs->free) &&
	       dynlib_find(library, "cs_close", &cs->close);
}

const char *disasm_library(char name[32])
{
	struct capstone cs;
	int major, minor;

	if (!load(&cs))
		return NULL;
	cs.version(&major, &minor);
	snprintf(name, 32, "capstone %d.%d", major, minor);
	return name;
}

struct disasm *disasm_open(const struct disasm_machine *machine, bool *nomem)
{
	const struct disasm_kind *kind = kind_of(machine->machine);
	struct disasm *disasm;
	cs_err failed;
	int mode;

	*nomem = false;
	if (!kind || (machine->is_big_endian && !kind->both_orders))
		return NULL;
	mode = machine->is_64bit && kind->mode_64bit ? kind->mode_64bit : kind->mode;
	if (machine->is_big_endian)
		mode = (int)((unsigned)mode | (unsigned)CS_MODE_BIG_ENDIAN);
	disasm = calloc(1, sizeof(*disasm));
	*nomem = !disasm;
	if (!disasm)
		return NULL;
	disasm->machine = machine->machine;
	if (!load(&disasm->cs)) {
		free(disasm);
		return NULL;
	}
	failed = disasm->cs.open(kind->arch, (cs_mode)mode, &disasm->handle);
	if (failed != CS_ERR_OK) {
		*nomem = failed == CS_ERR_MEM;
		free(disasm);
		return NULL;
	}
	if (kind->arch == CS_ARCH_X86) /* as perf and objdump write it */
		disasm->cs.option(disasm->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	disasm->cs.option(disasm->handle, CS_OPT_SKIPDATA, CS_OPT_ON);
	disasm->insn = disasm->cs.malloc(disasm->handle);
	if (disasm->insn)
		return disasm;
	*nomem = true;
	disasm_close(disasm);
	return NULL;
}

void disasm_set_thumb(struct disasm *disasm, bool thumb)
{
	if (disasm->machine == EM_ARM)
		disasm->cs.option(disasm->handle, CS_OPT_MODE, thumb ? CS_MODE_THUMB : CS_MODE_ARM);
}

static bool is_jump(const struct disasm_kind *kind, const char *mnemonic)
{
	for (size_t i = 0; i < sizeof(kind->jumps) / sizeof(kind->jumps[0]); i++) {
		const char *word = kind->jumps[i];
		const size_t len = word ? strcspn(word, "=") : 0;

		if (len && strncmp(mnemonic, word, len) == 0 &&
		    (!word[len] || !mnemonic[len] || strcmp(mnemonic + len, ".w") == 0))
			return true;
	}
	return false;
}

/* The last operand of a jump is its target: capstone tells no more of it for all machines. */
static uint64_t find_target(const struct disasm_kind *kind, const cs_insn *insn)
{
	const char *operand = strrchr(insn->op_str, ',');
	uint64_t target;
	char *end;

	if (!is_jump(kind, insn->mnemonic))
		return DISASM_NOWHERE;
	operand = operand ? operand + 1 : insn->op_str;
	operand += strspn(operand, " #");
	if (strncmp(operand, "0x", 2) != 0 && strncmp(operand, "-0x", 3) != 0)
		return DISASM_NOWHERE;
	target = strtoull(operand, &end, 16);
	if (*end)
		return DISASM_NOWHERE;
	return kind->machine == EM_RISCV ? insn->address + target : target;
}

bool disasm_next(struct disasm *disasm, struct span *bytes, uint64_t address,
		 struct disasm_code *code)
{
	const uint8_t *at = bytes->pos;
	size_t left = span_left(bytes);
	const cs_insn *insn = disasm->insn;

	if (!left || !disasm->cs.disasm_iter(disasm->handle, &at, &left, &address, disasm->insn))
		return false;
	code->size = insn->size;
	snprintf(code->text, sizeof(code->text), "%s%s%s", insn->mnemonic,
		 insn->op_str[0] ? " " : "", insn->op_str);
	code->target = find_target(kind_of(disasm->machine), insn);
	span_skip(bytes, insn->size);
	return !bytes->failed && insn->size;
}

void disasm_close(struct disasm *disasm)
{
	if (!disasm)
		return;
	if (disasm->insn)
		disasm->cs.free(disasm->insn, 1);
	disasm->cs.close(&disasm->handle);
	free(disasm);
}

#else

const char *disasm_library(char name[32])
{
	(void)name;
	return NULL;
}

struct disasm *disasm_open(const struct disasm_machine *machine, bool *nomem)
{
	(void)machine;
	*nomem = false;
	return NULL;
}

void disasm_set_thumb(struct disasm *disasm, bool thumb)
{
	(void)disasm;
	(void)thumb;
}

bool disasm_next(struct disasm *disasm, struct span *bytes, uint64_t address,
		 struct disasm_code *code)
{
	(void)disasm;
	(void)bytes;
	(void)address;
	(void)code;
	return false;
}

void disasm_close(struct disasm *disasm)
{
	(void)disasm;
}

#endif

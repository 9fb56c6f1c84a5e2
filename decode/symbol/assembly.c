#include "decode/symbol/assembly.h"

#include "decode/symbol/disasm.h"
#include "decode/symbol/elf/thumb.h"
#include "decode/symbol/kernel/modcode.h"
#include "decode/symbol/lookup.h"
#include "decode/symbol/sourceline.h"
#include "util/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* Of a larger function only the code near samples is read, and none of a huge one. */
	CODE_WHOLE = 8 * 1024,
	CODE_NEAR = 256,
	CODE_MAX = 4 * 1024 * 1024,
	/* Instructions that are kept of all functions together; each has its share. */
	INSTRUCTIONS_MAX = 1 << 20,
	NAME_MAX_BYTES = 100, /* of a target's name */
};

/* The part of its event's period that a function must have for its code to be read. */
#define LEAST_SHARE 0.002

/* The reading of one list. Addresses here are virtual ones of the file. */
struct assembly {
	struct binary *in;
	const struct elffile *file; /* with the code; NULL: it is in in->file */
	struct modcode operands;    /* that a file which was never linked lacks */
	struct disasm *disasm;
	struct thumb thumb;
	uint64_t shift; /* a printed address + shift is a virtual one */
	const struct symbol_settings *settings;
};

/* ---- where code is --------------------------------------------------------------------------- */

static const struct elffile *file_of(const struct binary *in)
{
	return in->runtime ? in->runtime : in->debug;
}

/* The bytes at @address, to the end of what holds them. */
static struct span bytes_at(const struct assembly *assembly, uint64_t address)
{
	const struct file_bytes *bytes = &assembly->in->file;

	if (assembly->file && assembly->file->is_relocatable)
		return modcode_bytes_at(assembly->file, address);
	if (assembly->file)
		return elffile_code_at(assembly->file, address);
	if (address >= bytes->size)
		return span_make("", 0, false);
	return span_make((const uint8_t *)bytes->bytes + address, bytes->size - address, false);
}

/* Why there is no code for a binary that could not be loaded. */
static const char *why_no_code(enum reason reason)
{
	switch ((int)reason) {
	case REASON_NO_MAPPING:
	case REASON_NO_FILE:
		return "they are in no binary";
	case REASON_FILE_MISSING:
		return "the binary was not found";
	default:
		return "the binary cannot be used";
	}
}

/* Opens the disassembler. Returns why it cannot, "" if it can or memory is out. */
static const char *start(struct assembly *assembly, bool *nomem)
{
	const bool big_endian_here = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const struct binary *in = assembly->in;
	struct disasm_machine machine = {in->file_machine, true, big_endian_here};
	char name[32];

	if (!disasm_library(name))
		return "there is no capstone";
	if (in->reason != REASON_NONE)
		return why_no_code(in->reason);
	assembly->file = file_of(in);
	if (assembly->file && elffile_lacks_code(assembly->file))
		return "only its debug file was found, which has no code";
	if (assembly->file)
		machine = (struct disasm_machine){assembly->file->machine, assembly->file->is_64bit,
						  big_endian_here != assembly->file->swap};
	else if (!in->file_machine)
		return "no file has the code";
	assembly->shift = in->runtime ? 0 : in->shift;
	assembly->disasm = disasm_open(&machine, nomem);
	return assembly->disasm || *nomem ? "" : "capstone does not know the processor";
}

/* ---- one instruction ------------------------------------------------------------------------- */

/* The bytes of a name that are shown: whole characters. */
static int shown_bytes(const char *name)
{
	int len = (int)strnlen(name, NAME_MAX_BYTES);

	while (len > 0 && ((unsigned char)name[len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* Appends " <name>", or with the distance from it. */
static void append_name(struct disasm_code *code, const char *name, uint64_t offset)
{
	const size_t used = strlen(code->text);
	const bool before = offset >> 63;

	if (offset)
		snprintf(code->text + used, sizeof(code->text) - used, " <%.*s%s0x%" PRIx64 ">",
			 shown_bytes(name), name, before ? "-" : "+", before ? 0 - offset : offset);
	else
		snprintf(code->text + used, sizeof(code->text) - used, " <%.*s>", shown_bytes(name),
			 name);
}

/* Puts what @operand says in the place of a target that the bytes do not have: the address of code
 * of the module, else a name. */
static void link_target(struct disasm_code *code, const struct modcode_operand *operand,
			uint64_t offset)
{
	char *target = strrchr(code->text, '0'); /* of the last 0x */

	while (target && target > code->text && target[1] != 'x')
		target--;
	if (!target)
		return;
	if (target > code->text && target[-1] == '-')
		target--;
	if (operand->is_placed) {
		code->target = operand->value + offset;
		snprintf(target, sizeof(code->text) - (size_t)(target - code->text), "0x%" PRIx64,
			 code->target);
		return;
	}
	while (target > code->text && strchr("# ", target[-1]))
		target--;
	*target = '\0';
	code->target = DISASM_NOWHERE;
	append_name(code, operand->name, offset);
}

/* Completes an instruction at @address whose operands relocations tell. */
static void link_instruction(const struct assembly *assembly, struct disasm_code *code,
			     uint64_t address)
{
	const uint64_t end = address + code->size;
	size_t nr;
	const struct modcode_operand *operands =
		modcode_find(&assembly->operands, address, end, &nr);

	for (size_t i = 0; i < nr; i++) {
		const uint64_t offset = modcode_offset(&operands[i], address, end);

		if (code->target == DISASM_NOWHERE)
			append_name(code, operands[i].name, offset);
		else
			link_target(code, &operands[i], offset);
	}
}

/* Appends where a jump or call leads: " <name+0x10>". -1 if memory is out. */
static int name_target(struct assembly *assembly, struct disasm_code *code)
{
	const uint64_t target = code->target + assembly->shift;
	const char *name;
	uint64_t start = 0;

	if (lookup_name(assembly->in, target, assembly->settings, &name, &start) < 0)
		return -1;
	if (name)
		append_name(code, name, target - start);
	return 0;
}

static const char *keep_text(struct assembly *assembly, struct disasm_code *code, uint64_t from,
			     uint64_t to)
{
	if (code->target != DISASM_NOWHERE && (code->target < from || code->target >= to) &&
	    name_target(assembly, code) < 0)
		return NULL;
	return intern_keep(&assembly->in->strings, code->text);
}

/* Sets the instruction of a place. -1 if memory is out. */
static int read_one(struct assembly *assembly, struct place_detail *detail)
{
	const uint64_t address = detail->address + assembly->shift;
	struct span bytes = bytes_at(assembly, address);
	struct disasm_code code;

	disasm_set_thumb(assembly->disasm, thumb_at(&assembly->thumb, address));
	if (!disasm_next(assembly->disasm, &bytes, detail->address, &code))
		return 0;
	link_instruction(assembly, &code, address);
	detail->instruction = keep_text(assembly, &code, detail->code_start, detail->code_end);
	return detail->instruction ? 0 : -1;
}

/* ---- the code of a function ------------------------------------------------------------------ */

/* The places of a list that are in one function: [first, end). */
struct stretch {
	const struct place_detail *details;
	size_t first, end;
	size_t most; /* instructions to keep */
	size_t near; /* the first place that may be near what is read */
	size_t next; /* the first place behind what is read */
};

/* Whether code at printed @address is to be kept: addresses ascend. */
static bool is_near(struct stretch *stretch, uint64_t address)
{
	const struct place_detail *details = stretch->details;

	while (stretch->near < stretch->end && details[stretch->near].address + CODE_NEAR < address)
		stretch->near++;
	while (stretch->near < stretch->end && !details[stretch->near].wanted)
		stretch->near++;
	return stretch->near < stretch->end && details[stretch->near].address < address + CODE_NEAR;
}

/*
 * Samples are where instructions start: what seems to reach past the next one is data, or an
 * instruction that the library does not know.
 */
static void end_at_sample(struct stretch *stretch, struct span *bytes, struct span before,
			  uint64_t address, struct disasm_code *code)
{
	const struct place_detail *details = stretch->details;

	while (stretch->next < stretch->end &&
	       (!details[stretch->next].wanted || details[stretch->next].address <= address))
		stretch->next++;
	if (stretch->next == stretch->end || details[stretch->next].address - address >= code->size)
		return;
	*bytes = before;
	snprintf(code->text, sizeof(code->text), ".byte 0x%02x", span_u8(bytes));
	code->size = 1;
	code->target = DISASM_NOWHERE;
}

static int add_instruction(struct assembly *assembly, struct code *code, size_t *room,
			   uint64_t address, struct disasm_code *read)
{
	struct instruction *to;
	struct source_line line = {0};
	bool has_line;

	if (!array_grow(code->instructions, *room, code->nr + 1))
		return -1;
	if (sourceline_find(assembly->in, address + assembly->shift, &line, &has_line) < 0)
		return -1;
	to = &code->instructions[code->nr];
	*to = (struct instruction){
		.address = address,
		.text = keep_text(assembly, read, code->start, code->end),
		.filename = has_line ? line.filename : "",
		.line = has_line ? line.line : 0,
		.target = read->target >= code->start && read->target < code->end ? read->target
										  : UINT64_MAX,
	};
	code->nr++;
	return to->text ? 0 : -1;
}

static int read_code(struct assembly *assembly, struct code *code, struct stretch *stretch)
{
	const uint64_t size = code->end - code->start;
	struct span all = bytes_at(assembly, code->start + assembly->shift);
	struct span bytes = span_take(&all, size < span_left(&all) ? size : span_left(&all));
	uint64_t address = code->start;
	struct disasm_code read;
	size_t room = 0;

	while (code->nr < stretch->most) {
		const struct span before = bytes;

		disasm_set_thumb(assembly->disasm,
				 thumb_at(&assembly->thumb, address + assembly->shift));
		if (!disasm_next(assembly->disasm, &bytes, address, &read))
			break;
		end_at_sample(stretch, &bytes, before, address, &read);
		link_instruction(assembly, &read, address + assembly->shift);
		if ((size <= CODE_WHOLE || is_near(stretch, address)) &&
		    add_instruction(assembly, code, &room, address, &read) < 0)
			return -1;
		address += read.size;
	}
	return 0;
}

static struct code *find_code(const struct binary *in, uint64_t start)
{
	for (size_t i = in->nr_codes; i-- > 0;)
		if (in->codes[i]->start == start)
			return in->codes[i];
	return NULL;
}

/* Adds the code at [start, end) to the binary, and reads it. NULL if memory is out. */
static struct code *add_code(struct assembly *assembly, uint64_t start, uint64_t end,
			     struct stretch *stretch)
{
	struct binary *in = assembly->in;
	struct code *code;

	if (!array_grow(in->codes, in->codes_room, in->nr_codes + 1))
		return NULL;
	code = calloc(1, sizeof(*code));
	if (!code)
		return NULL;
	in->codes[in->nr_codes++] = code;
	code->start = start;
	code->end = end;
	return read_code(assembly, code, stretch) < 0 ? NULL : code;
}

/* Reads the code of the function that has the places of @stretch, if they count enough. */
static int read_stretch(struct assembly *assembly, struct place_list *list, struct stretch *stretch)
{
	const struct place_detail *first = &list->details[stretch->first];
	double share = 0;
	struct code *code;

	for (size_t i = stretch->first; i < stretch->end; i++)
		share += list->details[i].wanted ? list->details[i].share : 0;
	if (share < LEAST_SHARE || first->code_end - first->code_start > CODE_MAX)
		return 0;
	stretch->most = (size_t)(share / list->nr_events * INSTRUCTIONS_MAX);
	stretch->near = stretch->next = stretch->first;
	code = find_code(assembly->in, first->code_start);
	if (!code)
		code = add_code(assembly, first->code_start, first->code_end, stretch);
	for (size_t i = stretch->first; code && code->nr && i < stretch->end; i++)
		list->details[i].code = code;
	return code ? 0 : -1;
}

static int read_codes(struct assembly *assembly, struct place_list *list)
{
	const struct place_detail *details = list->details;
	size_t first = 0;

	while (first < list->nr_places) {
		struct stretch stretch = {.details = details, .first = first};
		const uint64_t end = details[first].code_end;

		if (!details[first].wanted || !end) {
			first++;
			continue;
		}
		stretch.end = first + 1;
		while (stretch.end < list->nr_places &&
		       (!details[stretch.end].wanted ||
			details[stretch.end].code_start == details[first].code_start))
			stretch.end++;
		if (read_stretch(assembly, list, &stretch) < 0)
			return -1;
		first = stretch.end;
	}
	return 0;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void tell_lack(struct place_list *list, const char *why)
{
	for (size_t i = 0; i < list->nr_places; i++) {
		struct place_detail *detail = &list->details[i];

		if (!detail->wanted)
			continue;
		if (why[0])
			detail->code_lack = why;
		else if (list->wishes & WISH_INSTRUCTIONS && !detail->instruction[0])
			detail->code_lack = "its file has no code there";
		else if (list->wishes & WISH_CODE && !detail->code)
			detail->code_lack = detail->code_end
						    ? "few samples, or too large a function"
						    : "nothing says where its function begins and "
						      "ends";
	}
}

static int read_instructions(struct assembly *assembly, struct place_list *list)
{
	for (size_t i = 0; i < list->nr_places; i++) {
		struct place_detail *detail = &list->details[i];

		if (detail->wanted && detail->placed && read_one(assembly, detail) < 0)
			return -1;
	}
	return 0;
}

int assembly_read(struct binary *in, struct place_list *list,
		  const struct symbol_settings *settings)
{
	struct assembly assembly = {.in = in, .settings = settings};
	bool nomem = false;
	const char *why = start(&assembly, &nomem);
	int rc = nomem ? -1 : 0;

	if (rc == 0 && assembly.disasm && assembly.file)
		rc = thumb_read(&assembly.thumb, assembly.file);
	if (rc == 0 && assembly.disasm && assembly.file && assembly.file->is_relocatable)
		rc = modcode_read(&assembly.operands, assembly.file);
	if (rc == 0 && assembly.disasm && list->wishes & WISH_INSTRUCTIONS)
		rc = read_instructions(&assembly, list);
	if (rc == 0 && assembly.disasm && list->wishes & WISH_CODE)
		rc = read_codes(&assembly, list);
	if (rc == 0)
		tell_lack(list, why);
	modcode_free(&assembly.operands);
	thumb_free(&assembly.thumb);
	disasm_close(assembly.disasm);
	return rc;
}

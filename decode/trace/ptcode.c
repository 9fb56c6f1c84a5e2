#include "decode/trace/ptcode.h"

#ifdef HAVE_LIBIPT

#include "decode/trace/ptshared.h"

#include <stdlib.h>
#include <string.h>

enum {
	ROOM_MIN = 1 << 12,	 /* blocks that are kept */
	ROOM_MAX = 1 << 20,	 /* 32 MB */
	INSTRUCTIONS_MAX = 4096, /* of a block: it has less than 64 KiB */
};

/* A trace that begins at an address, and ends: code is read by following it. */
static const uint8_t start[] = {
	0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, /* PSB */
	0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0xdd,
	0,    0,    0,	  0,	0,    0,    0,	  0, /* FUP of 8 bytes */
	0x99, 0x01,				     /* MODE.Exec: 64 bits */
	0x02, 0x23,				     /* PSBEND */
};

enum { START_IP = 17 };

struct ptcodes {
	struct ptcode *list;   /* by a hash of their addresses, each in one place */
	size_t room;	       /* a power of two */
	size_t displaced;      /* since the last growth */
	struct ptcode other;   /* one that is not kept */
	struct ptsection here; /* where the last one was asked for, of: */
	uint32_t image;	       /* number of an image; 0: none yet */
	/* Reads code, of an image: */
	struct pt_insn_decoder *decoder;
	uint32_t decoded;
	uint8_t trace[sizeof(start)];
};

/* ---- instructions ---------------------------------------------------------------------------- */

/* Begins to read at @ip. */
static bool begin(struct ptcodes *codes, const struct ptimage *image, uint64_t ip)
{
	struct pt_event event;
	int status;

	if (codes->decoded != image->number && pt_insn_set_image(codes->decoder, image->image) < 0)
		return false;
	codes->decoded = image->number;
	memcpy(codes->trace + START_IP, &ip, sizeof(ip));
	status = pt_insn_sync_set(codes->decoder, 0);
	while (status >= 0 && status & pts_event_pending)
		status = pt_insn_event(codes->decoder, &event, sizeof(event));
	return status >= 0;
}

/* Reads the next instruction. It may be known even if what follows it is not. */
static bool next(struct ptcodes *codes, struct pt_insn *insn)
{
	insn->iclass = ptic_error;
	insn->isid = 0;
	(void)pt_insn_next(codes->decoder, insn, sizeof(*insn));
	return insn->iclass != ptic_error && insn->mode == ptem_64bit;
}

static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x66:
	case 0x67:
	case 0xf0:
	case 0xf2:
	case 0xf3:
		return true;
	default:
		return byte >> 4 == 4; /* REX */
	}
}

/* Where in its bytes the opcode of @insn begins. */
static size_t opcode_of(const struct pt_insn *insn)
{
	size_t at = 0;

	while (at + 1 < insn->size && is_prefix(insn->raw[at]))
		at++;
	return at;
}

/* Whether @insn is MOV to CR3: 0F 22 /3 without REX.R, which would make it CR11. */
static bool sets_cr3(const struct pt_insn *insn)
{
	const size_t at = opcode_of(insn);
	const bool has_rex_r = at > 0 && (insn->raw[at - 1] & 0xf4) == 0x44;

	return !has_rex_r && at + 2 < insn->size && insn->raw[at] == 0x0f &&
	       insn->raw[at + 1] == 0x22 && (insn->raw[at + 2] >> 3 & 7) == 3;
}

/* Bytes of the distance that a direct branch jumps, at its end; 0 if it has none. From the Intel 64
 * SDM, volume 2, "Opcode map". */
static size_t distance_bytes(const struct pt_insn *insn)
{
	const size_t at = opcode_of(insn);

	switch (insn->raw[at]) {
	case 0xe8: /* CALL */
	case 0xe9: /* JMP */
		return 4;
	case 0x0f: /* Jcc */
		return insn->raw[at + 1] >> 4 == 8 ? 4 : 0;
	case 0xeb: /* JMP */
	case 0xe0: /* LOOPNE, LOOPE, LOOP, JRCXZ */
	case 0xe1:
	case 0xe2:
	case 0xe3:
		return 1;
	default: /* Jcc */
		return insn->raw[at] >> 4 == 7 ? 1 : 0;
	}
}

/* Where the direct branch @insn leads to; 0 if it is another one. */
static uint64_t target_of(const struct pt_insn *insn)
{
	const size_t bytes = distance_bytes(insn);
	const uint64_t next = insn->ip + insn->size;
	int32_t distance;

	if (bytes == 0 || bytes >= insn->size)
		return 0;
	if (bytes == 1)
		return next + (uint64_t)(int8_t)insn->raw[insn->size - 1];
	memcpy(&distance, insn->raw + insn->size - sizeof(distance), sizeof(distance));
	return next + (uint64_t)distance;
}

/* Ends @code by @insn, if that is a branch that can be followed. */
static bool end_block(struct ptcode *code, const struct pt_insn *insn)
{
	code->end = (uint16_t)(insn->ip - code->ip);
	code->end_size = insn->size;
	code->flow = ptshared_flow(insn->iclass);
	code->target =
		code->flow >= PTFLOW_BRANCH && code->flow <= PTFLOW_CALL ? target_of(insn) : 0;
	return insn->iclass != ptic_ptwrite && (code->flow != PTFLOW_BRANCH || code->target);
}

/* Reads the block at code->ip. Sets *@is_kept to whether it may be kept: all of it lies in its
 * section, and does not change. */
static bool read_block(struct ptcodes *codes, const struct ptimage *image, struct ptcode *code,
		       bool *is_kept)
{
	const uint32_t number = code->section & PTSECTION_NONE ? 0 : code->section;
	struct pt_insn insn;

	*is_kept = !image->overlaps && (number || code->ip >> 63 == 0);
	if (!begin(codes, image, code->ip))
		return false;
	for (code->nr = 1; code->nr < INSTRUCTIONS_MAX; code->nr++) {
		if (!next(codes, &insn))
			return false;
		*is_kept &= (uint32_t)insn.isid == number && !insn.truncated;
		if (insn.iclass != ptic_other)
			return end_block(code, &insn);
		code->sets_cr3 |= sets_cr3(&insn);
	}
	return false;
}

/* Reads the next instruction into *@part. */
static bool read_part(struct ptcodes *codes, struct pt_insn *insn, struct ptcode_part *part)
{
	if (part->nr == INSTRUCTIONS_MAX || !next(codes, insn))
		return false;
	part->end_ip = insn->ip;
	part->next_ip = insn->ip + insn->size;
	part->nr++;
	return true;
}

bool ptcode_cut(struct ptcodes *codes, const struct ptimage *image, uint64_t ip, uint64_t until,
		struct ptcode_part *part)
{
	struct pt_insn insn = {.iclass = ptic_other};

	part->nr = 0;
	if (!begin(codes, image, ip))
		return false;
	while (insn.iclass == ptic_other && read_part(codes, &insn, part))
		if (part->next_ip == until)
			return true;
	return false;
}

bool ptcode_cut_at_cr3(struct ptcodes *codes, const struct ptimage *image, uint64_t ip,
		       struct ptcode_part *part)
{
	struct pt_insn insn = {.iclass = ptic_other};

	part->nr = 0;
	if (!begin(codes, image, ip))
		return false;
	while (read_part(codes, &insn, part) && insn.iclass == ptic_other)
		if (sets_cr3(&insn))
			return true;
	return false;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static size_t place_of(const struct ptcodes *codes, uint32_t section, uint64_t ip)
{
	return (ip ^ ip >> 13 ^ (uint64_t)section * 0x9e3779b1u) & (codes->room - 1);
}

/* Doubles the room. Without memory it stays as it is. */
static void grow(struct ptcodes *codes)
{
	struct ptcodes grown = {.room = 2 * codes->room};

	codes->displaced = 0;
	if (codes->room == ROOM_MAX)
		return;
	grown.list = calloc(grown.room, sizeof(*grown.list));
	if (!grown.list)
		return;
	for (size_t i = 0; i < codes->room; i++)
		if (codes->list[i].nr)
			grown.list[place_of(&grown, codes->list[i].section, codes->list[i].ip)] =
				codes->list[i];
	free(codes->list);
	codes->list = grown.list;
	codes->room = grown.room;
}

/* As ptcode_get(), for one that is not known yet. */
static const struct ptcode *read_code(struct ptcodes *codes, const struct ptimage *image,
				      uint64_t ip)
{
	struct ptcode code = {.ip = ip, .section = codes->here.number};
	struct ptcode *to = &codes->other;
	bool is_kept;

	if (!read_block(codes, image, &code, &is_kept))
		return NULL;
	if (is_kept) {
		to = &codes->list[place_of(codes, code.section, ip)];
		codes->displaced += to->nr != 0;
		if (codes->displaced > codes->room / 2) {
			grow(codes);
			to = &codes->list[place_of(codes, code.section, ip)];
		}
	}
	*to = code;
	return to;
}

const struct ptcode *ptcode_get(struct ptcodes *codes, struct ptimage *image, uint64_t ip)
{
	const struct ptcode *code;

	if (ip - codes->here.start >= codes->here.size || codes->image != image->number) {
		codes->here = *ptimage_find(image, ip);
		codes->image = image->number;
	}
	code = &codes->list[place_of(codes, codes->here.number, ip)];
	if (code->ip == ip && code->section == codes->here.number && code->nr && !image->overlaps)
		return code;
	return read_code(codes, image, ip);
}

/* ---- all of it ------------------------------------------------------------------------------- */

struct ptcodes *ptcode_open(void)
{
	struct ptcodes *codes = calloc(1, sizeof(*codes));
	struct pt_config config;

	if (!codes)
		return NULL;
	memcpy(codes->trace, start, sizeof(start));
	pt_config_init(&config);
	config.begin = codes->trace;
	config.end = codes->trace + sizeof(codes->trace);
	codes->decoder = pt_insn_alloc_decoder(&config);
	codes->room = ROOM_MIN;
	codes->list = calloc(codes->room, sizeof(*codes->list));
	if (codes->decoder && codes->list)
		return codes;
	ptcode_close(codes);
	return NULL;
}

void ptcode_close(struct ptcodes *codes)
{
	if (!codes)
		return;
	pt_insn_free_decoder(codes->decoder);
	free(codes->list);
	free(codes);
}

#endif

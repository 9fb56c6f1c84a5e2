/*
 * Decodes a piece of an Intel PT trace, which begins with a PSB, into blocks of instructions and
 * what happens between them, by the block layer of libipt.
 *
 *	decoder = ptdecode_open(&config, codes);
 *	do {
 *		nr = ptdecode_next(decoder, blocks, room, &step);
 *		if (step.kind == PTSTEP_SYNC || step.kind == PTSTEP_ENABLED)
 *			ptdecode_set_image(decoder, image);
 *	} while (step.kind != PTSTEP_END && step.kind != PTSTEP_STOP);
 */
#ifndef READPERF_DECODE_TRACE_PTDECODE_H
#define READPERF_DECODE_TRACE_PTDECODE_H

#include "decode/trace/ptcode.h"
#include "decode/trace/ptimage.h"
#include "decode/trace/ptstep.h"

#include <stdbool.h>
#include <stddef.h>

struct ptdecode;

/** Makes a decoder, for ptdecode_close(); @codes are borrowed. NULL if memory is out. */
struct ptdecode *ptdecode_open(const struct ptconfig *config, struct ptcodes *codes);

/** What the code is from here on; @image is borrowed. Returns false if memory is out. */
bool ptdecode_set_image(struct ptdecode *decoder, struct ptimage *image);

/** Sets *@step to what comes next, after the blocks whose number is returned: at most @room. */
size_t ptdecode_next(struct ptdecode *decoder, struct ptblock *blocks, size_t room,
		     struct ptstep *step);

void ptdecode_close(struct ptdecode *decoder);

#endif

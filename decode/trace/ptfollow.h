/*
 * Follows a piece of an Intel PT trace through code that is known from before, by the query layer
 *of libipt: faster than its block layer, which decodes what this is not sure of. What both tell is
 *the same.
 *
 *	follow = ptfollow_open(&config, codes);
 *	do {
 *		nr = ptfollow_next(follow, blocks, room, &step);
 *		if (step.kind == PTSTEP_SYNC || step.kind == PTSTEP_ENABLED)
 *			ptfollow_set_image(follow, image);
 *	} while (step.kind < PTSTEP_END);
 *	if (step.kind == PTSTEP_UNSURE)
 *		decode the piece by ptdecode.h, and pass over what was told
 */
#ifndef READPERF_DECODE_TRACE_PTFOLLOW_H
#define READPERF_DECODE_TRACE_PTFOLLOW_H

#include "decode/trace/ptcode.h"
#include "decode/trace/ptimage.h"
#include "decode/trace/ptstep.h"

#include <stddef.h>

struct ptfollow;

/** Makes one, for ptfollow_close(); @codes are borrowed. NULL if memory is out. */
struct ptfollow *ptfollow_open(const struct ptconfig *config, struct ptcodes *codes);

/** What the code is from here on; @image is borrowed. */
void ptfollow_set_image(struct ptfollow *follow, struct ptimage *image);

/**
 * As ptdecode_next(); there are no errors, but PTSTEP_UNSURE, which is the last step: the blocks
 * before it are right.
 */
size_t ptfollow_next(struct ptfollow *follow, struct ptblock *blocks, size_t room,
		     struct ptstep *step);

void ptfollow_close(struct ptfollow *follow);

#endif

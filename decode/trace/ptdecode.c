#include "decode/trace/ptdecode.h"

#ifdef HAVE_LIBIPT

#include "decode/trace/ptlate.h"
#include "decode/trace/ptpacket.h"
#include "decode/trace/ptquiet.h"
#include "decode/trace/ptshared.h"

#include <stdlib.h>

struct ptdecode {
	struct pt_block_decoder *blocks;
	struct ptconfig config;
	struct ptcodes *codes;
	struct ptimage *image;
	uint64_t failed_ip; /* address of the code that was to be decoded; 0: unknown */
	uint64_t synced_at; /* offset of the last PSB that decoding began at */
	struct ptquiet quiet;
	struct ptlate late;
	struct ptblock ahead; /* for which there was no room, if it @has_ahead */
	int status;
	bool begun, failed; /* failed: @status is an error that was not told yet */
	bool synced;	    /* it was at a PSB, which was not told yet */
	bool runs;	    /* tracing is on */
	bool stopped;	    /* the code of the next piece begins here */
	bool has_ahead;
};

struct ptdecode *ptdecode_open(const struct ptconfig *config, struct ptcodes *codes)
{
	struct ptdecode *decoder = calloc(1, sizeof(*decoder));
	struct pt_config pt;

	if (!decoder)
		return NULL;
	ptshared_configure(&pt, config);
	pt.flags.variant.block.end_on_call = 1;
	pt.flags.variant.block.end_on_jump = 1;
	/* They take time, and without these packets the clock only moves where steps are anyway. */
	pt.flags.variant.block.enable_tick_events = config->has_ticks;
	decoder->config = *config;
	decoder->codes = codes;
	ptshared_late(&decoder->late, config);
	decoder->blocks = pt_blk_alloc_decoder(&pt);
	if (decoder->blocks)
		return decoder;
	free(decoder);
	return NULL;
}

void ptdecode_close(struct ptdecode *decoder)
{
	if (decoder)
		pt_blk_free_decoder(decoder->blocks);
	free(decoder);
}

bool ptdecode_set_image(struct ptdecode *decoder, struct ptimage *image)
{
	decoder->image = image;
	return pt_blk_set_image(decoder->blocks, image->image) >= 0;
}

/* Bytes of this piece that have been read. */
static size_t offset_of(const struct ptdecode *decoder)
{
	uint64_t offset;

	if (pt_blk_get_offset(decoder->blocks, &offset) < 0)
		offset = decoder->synced_at;
	return offset < decoder->config.stop ? (size_t)offset : decoder->config.stop;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static enum ptstep_error error_of(int status)
{
	switch (pt_errcode(status)) {
	case pte_nomap:
		return PTERROR_NO_CODE;
	case pte_nomem:
		return PTERROR_NOMEM;
	case pte_bad_opc:
	case pte_bad_packet:
	case pte_bad_context:
		return PTERROR_BAD_PACKET;
	default:
		return PTERROR_MISMATCH;
	}
}

/* Begins at the next PSB. */
static void sync_on(struct ptdecode *decoder)
{
	const bool first = !decoder->begun;
	uint64_t before = decoder->synced_at;
	size_t psb;

	decoder->begun = decoder->synced = true;
	decoder->status = pt_blk_sync_forward(decoder->blocks);
	if (pt_blk_get_sync_offset(decoder->blocks, &decoder->synced_at) < 0)
		decoder->synced_at = before;
	if (first || decoder->status == -pte_eos || decoder->synced_at > before)
		return;
	/* It must not stay where it is. */
	psb = ptpacket_find_psb(decoder->config.bytes, decoder->config.size, (size_t)before + 1);
	decoder->synced_at = psb;
	decoder->status =
		psb < decoder->config.size ? pt_blk_sync_set(decoder->blocks, psb) : -pte_eos;
}

/* An error: the step tells of it, and of the bytes up to the next PSB. */
static void step_error(struct ptdecode *decoder, struct ptstep *step)
{
	step->kind = PTSTEP_ERROR;
	step->has_tsc = false;
	decoder->late.branches = 0;
	step->error = (uint8_t)error_of(decoder->status);
	step->ip = decoder->failed_ip;
	step->offset = offset_of(decoder);
	decoder->failed = false;
	sync_on(decoder);
	step->resumed_at = decoder->config.stop;
	if (decoder->status != -pte_eos && decoder->synced_at < decoder->config.stop)
		step->resumed_at = decoder->synced_at;
	if (step->resumed_at < step->offset)
		step->resumed_at = step->offset;
}

/* What is behind the stop is another decoder's. */
static void step_sync(struct ptdecode *decoder, struct ptstep *step)
{
	step->kind = decoder->synced_at < decoder->config.stop ? PTSTEP_SYNC : PTSTEP_END;
	step->ip = 0;
	step->has_tsc = pt_blk_time(decoder->blocks, &step->tsc, NULL, NULL) >= 0;
	decoder->failed = decoder->status < 0 && decoder->status != -pte_eos;
	decoder->synced = false;
}

/* Sets @step to the event that is pending. Returns false if nothing needs to know of it. */
static bool step_event(struct ptdecode *decoder, struct ptstep *step)
{
	struct pt_event event;

	decoder->quiet.nr = 0;
	decoder->status = pt_blk_event(decoder->blocks, &event, sizeof(event));
	decoder->failed = decoder->status < 0 && decoder->status != -pte_eos;
	if (decoder->status < 0)
		return false;
	decoder->stopped = ptshared_is_stop(&decoder->config, &event) &&
			   offset_of(decoder) == decoder->config.stop;
	if (!ptshared_step(&event, step))
		return false;
	if (step->kind == PTSTEP_DISABLED)
		decoder->runs = false;
	else if (step->kind == PTSTEP_OVERFLOW)
		decoder->late.branches = 0;
	return true;
}

/* The trace did not choose where @block, which is whole, leads to, nor did it for those before. */
static void note_quiet(struct ptdecode *decoder, const struct ptblock *block)
{
	uint64_t offset = 0;

	(void)pt_blk_get_offset(decoder->blocks, &offset);
	if (!ptquiet_is_endless(&decoder->quiet, block->ip, offset) || decoder->status < 0)
		return;
	decoder->status = -pte_bad_query;
	decoder->failed = true;
	decoder->failed_ip = block->ip;
}

/* How @block ends. Of some branches the library does not say what they are, such as jumps to where
 * it has been before; from 2.1 on it has one class for indirect jumps and far transfers. */
static uint8_t flow_of(const struct ptdecode *decoder, const struct pt_block *block)
{
	const uint8_t flow = ptshared_flow(block->iclass);
	const struct ptcode *code = NULL;

	if ((block->iclass == ptic_error || block->iclass > ptic_ptwrite) && decoder->image)
		code = ptcode_get(decoder->codes, decoder->image, block->ip);
	return code && code->ip + code->end == block->end_ip ? code->flow : flow;
}

/*
 * Decodes what follows the *@nr blocks: it becomes part of the last one, or the next one, which is
 * kept for later if these are @room. The library also ends blocks where it knows the code behind
 * them, that is, by what it has decoded before: these are made whole. Returns false if nothing was
 * executed.
 */
static bool next_block(struct ptdecode *decoder, struct ptblock *blocks, size_t *nr, size_t room)
{
	struct ptblock *to = &blocks[*nr];
	struct pt_block block;

	block.ip = 0;
	block.ninsn = 0;
	decoder->runs = true;
	decoder->status = pt_blk_next(decoder->blocks, &block, sizeof(block));
	if (decoder->status < 0) {
		decoder->failed = decoder->status != -pte_eos;
		decoder->failed_ip = block.ninsn ? 0 : block.ip;
	}
	/* Those before an error were executed, too. */
	if (!block.ninsn)
		return false;
	if (*nr && ptblock_goes_on(to - 1, block.ip)) {
		to--;
		to->nr += block.ninsn;
	} else {
		decoder->has_ahead = *nr == room;
		if (decoder->has_ahead)
			to = &decoder->ahead;
		else
			++*nr;
		/* One by one, as they were written: both at once the processor cannot forward. */
		to->ip = __atomic_load_n(&block.ip, __ATOMIC_RELAXED);
		to->nr = block.ninsn;
	}
	to->end_ip = __atomic_load_n(&block.end_ip, __ATOMIC_RELAXED);
	to->flow = flow_of(decoder, &block);
	if (ptquiet_note(&decoder->quiet, to))
		note_quiet(decoder, to);
	return true;
}

/* Adds blocks until something else is due, or there is no room. Returns whether what is late comes
 * after the last one. */
static bool add_blocks(struct ptdecode *decoder, struct ptblock *blocks, size_t *nr, size_t room)
{
	do {
		if (!next_block(decoder, blocks, nr, room) || decoder->has_ahead)
			return false;
		if (ptlate_ends(&decoder->late, &blocks[*nr - 1]))
			return true;
	} while (decoder->status == 0 && *nr < room);
	return false;
}

/* As ptdecode_next(), behind the PSB where decoding begins. */
static size_t next_blocks(struct ptdecode *decoder, struct ptblock *blocks, size_t room,
			  struct ptstep *step)
{
	size_t nr = 0;

	if (decoder->has_ahead && room) {
		decoder->has_ahead = false;
		blocks[nr++] = decoder->ahead;
		if (ptlate_ends(&decoder->late, &blocks[0])) {
			*step = decoder->late.late;
			return nr;
		}
	}
	for (;;) {
		if (decoder->has_ahead) {
			step->kind = PTSTEP_MORE;
			return nr;
		}
		if (decoder->failed) {
			step_error(decoder, step);
			return nr;
		}
		if (!decoder->stopped && decoder->status >= 0 &&
		    decoder->status & pts_event_pending) {
			if (step_event(decoder, step) &&
			    ptlate_put(&decoder->late, step, offset_of(decoder)))
				return nr;
			continue;
		}
		if (decoder->stopped || decoder->status < 0 || decoder->status & pts_eos) {
			ptshared_end(&decoder->config, decoder->stopped, decoder->runs, step);
			(void)ptlate_put(&decoder->late, step, offset_of(decoder));
			return nr;
		}
		if (nr == room && !(nr && ptblock_is_open(&blocks[nr - 1]))) {
			step->kind = PTSTEP_MORE;
			return nr;
		}
		if (add_blocks(decoder, blocks, &nr, room)) {
			*step = decoder->late.late;
			return nr;
		}
	}
}

size_t ptdecode_next(struct ptdecode *decoder, struct ptblock *blocks, size_t room,
		     struct ptstep *step)
{
	if (!decoder->begun)
		sync_on(decoder);
	if (ptlate_take_next(&decoder->late, step))
		return 0;
	if (decoder->synced) {
		step_sync(decoder, step);
		(void)ptlate_put(&decoder->late, step, offset_of(decoder));
		return 0;
	}
	return next_blocks(decoder, blocks, room, step);
}

#endif

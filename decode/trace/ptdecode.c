#include "decode/trace/ptdecode.h"

#include "decode/trace/ptclock.h"
#include "decode/trace/ptpacket.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_LIBIPT

#include <intel-pt.h>

/* Bytes of sections that stay mapped while no decoder uses them. */
#define SECTIONS_BYTES ((uint64_t)1 << 30)

struct ptdecode {
	struct pt_block_decoder *blocks;
	const uint8_t *bytes;
	size_t size, stop;
	uint64_t stop_ip;
	uint64_t failed_ip; /* address of the code that was to be decoded; 0: unknown */
	uint64_t synced_at; /* offset of the last PSB that decoding began at */
	size_t quiet;	    /* blocks since the trace chose a way or had an event */
	uint64_t quiet_ip, quiet_offset; /* one of them */
	struct ptclock clock;
	struct ptstep late;   /* a tick that is due once as many branches as @branches come */
	struct ptstep next;   /* the step behind one that was given, if it @has_next */
	struct ptblock ahead; /* for which there was no room, if it @has_ahead */
	unsigned branches;
	int status;
	bool begun, failed; /* failed: @status is an error that was not told yet */
	bool synced;	    /* it was at a PSB, which was not told yet */
	bool runs;	    /* tracing is on */
	bool stopped;	    /* the code of the next piece begins here */
	bool has_cycles, has_next, has_ahead;
};

/* So many quiet blocks are no loop yet: most code has some, and to look at them takes time. */
enum { QUIET_MIN = 16, INSTRUCTION_BYTES = 15 /* the longest */ };

struct ptdecode_sections {
	struct pt_image_section_cache *sections;
};

struct ptdecode_image {
	struct pt_image *image;
};

const char *ptdecode_library(char name[32])
{
	const struct pt_version version = pt_library_version();

	snprintf(name, 32, "libipt %u.%u", version.major, version.minor);
	return name;
}

/* ---- images ---------------------------------------------------------------------------------- */

struct ptdecode_sections *ptdecode_sections_create(void)
{
	struct ptdecode_sections *images = calloc(1, sizeof(*images));

	if (!images)
		return NULL;
	images->sections = pt_iscache_alloc(NULL);
	if (!images->sections) {
		free(images);
		return NULL;
	}
	(void)pt_iscache_set_limit(images->sections, SECTIONS_BYTES);
	return images;
}

void ptdecode_sections_destroy(struct ptdecode_sections *images)
{
	if (images)
		pt_iscache_free(images->sections);
	free(images);
}

struct ptdecode_image *ptdecode_image_create(void)
{
	struct ptdecode_image *image = calloc(1, sizeof(*image));

	if (!image)
		return NULL;
	image->image = pt_image_alloc(NULL);
	if (!image->image) {
		free(image);
		return NULL;
	}
	return image;
}

bool ptdecode_image_add(struct ptdecode_sections *images, struct ptdecode_image *image, int fd,
			uint64_t offset, uint64_t size, uint64_t start)
{
	char path[32];
	int isid;

	/* The library opens files by their names: this name is the descriptor. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	isid = pt_iscache_add_file(images->sections, path, offset, size, start);
	if (isid > 0)
		isid = pt_image_add_cached(image->image, images->sections, isid, NULL);
	return isid != -pte_nomem;
}

static int read_code(uint8_t *to, size_t len, const struct pt_asid *asid, uint64_t ip, void *arg)
{
	const struct ptdecode_reader *reader = arg;
	const size_t got = reader->read(reader->arg, ip, to, len);

	(void)asid;
	return got ? (int)got : -pte_nomap;
}

void ptdecode_image_read_by(struct ptdecode_image *image, const struct ptdecode_reader *reader)
{
	(void)pt_image_set_callback(image->image, read_code, (void *)(uintptr_t)reader);
}

void ptdecode_image_destroy(struct ptdecode_image *image)
{
	if (image)
		pt_image_free(image->image);
	free(image);
}

/* ---- decoders -------------------------------------------------------------------------------- */

/* Passes over packets that the library may not know: CFE and EVD. */
static int pass_unknown(struct pt_packet_unknown *unknown, const struct pt_config *config,
			const uint8_t *pos, void *context)
{
	const struct ptpacket packet = ptpacket_read(pos, (size_t)(config->end - pos));

	(void)unknown;
	(void)context;
	return packet.kind == PTPACKET_BAD ? -pte_bad_opc : (int)packet.size;
}

static struct pt_cpu cpu_of(const struct ptdecode_config *config)
{
	return (struct pt_cpu){pcv_intel, config->family, config->model, config->stepping};
}

static void configure(struct pt_config *to, const struct ptdecode_config *config)
{
	pt_config_init(to);
	to->begin = (uint8_t *)(uintptr_t)config->bytes; /* it only reads them */
	to->end = to->begin + config->size;
	to->decode.callback = pass_unknown;
	to->mtc_freq = config->mtc_period;
	to->nom_freq = config->max_ratio;
	to->cpuid_0x15_eax = config->ctc_denominator;
	to->cpuid_0x15_ebx = config->ctc_numerator;
	to->flags.variant.block.end_on_call = 1;
	to->flags.variant.block.end_on_jump = 1;
	/* They take time, and without these packets the clock only moves where steps are anyway. */
	to->flags.variant.block.enable_tick_events = config->has_ticks;
	if (!config->family)
		return;
	to->cpu = cpu_of(config);
	if (pt_cpu_errata(&to->errata, &to->cpu) < 0)
		to->cpu = (struct pt_cpu){0};
}

bool ptdecode_knows_cpu(const struct ptdecode_config *config)
{
	const struct pt_cpu cpu = cpu_of(config);
	struct pt_errata errata;

	return !config->family || pt_cpu_errata(&errata, &cpu) >= 0;
}

struct ptdecode *ptdecode_open(const struct ptdecode_config *config)
{
	struct ptdecode *decoder = calloc(1, sizeof(*decoder));
	struct pt_config pt;

	if (!decoder)
		return NULL;
	configure(&pt, config);
	decoder->bytes = config->bytes;
	decoder->size = config->size;
	decoder->stop = config->stop;
	decoder->stop_ip = config->stop_ip;
	decoder->has_cycles = config->has_cycles;
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

bool ptdecode_set_image(struct ptdecode *decoder, struct ptdecode_image *image)
{
	return pt_blk_set_image(decoder->blocks, image->image) >= 0;
}

/* Bytes of this piece that have been read. */
static size_t offset_of(const struct ptdecode *decoder)
{
	uint64_t offset;

	if (pt_blk_get_offset(decoder->blocks, &offset) < 0)
		offset = decoder->synced_at;
	return offset < decoder->stop ? (size_t)offset : decoder->stop;
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
	psb = ptpacket_find_psb(decoder->bytes, decoder->size, (size_t)before + 1);
	decoder->synced_at = psb;
	decoder->status = psb < decoder->size ? pt_blk_sync_set(decoder->blocks, psb) : -pte_eos;
}

/* An error: the step tells of it, and of the bytes up to the next PSB. */
static void step_error(struct ptdecode *decoder, struct ptstep *step)
{
	step->kind = PTSTEP_ERROR;
	step->has_tsc = false;
	decoder->branches = 0;
	step->error = (uint8_t)error_of(decoder->status);
	step->ip = decoder->failed_ip;
	step->offset = offset_of(decoder);
	decoder->failed = false;
	sync_on(decoder);
	step->resumed_at = decoder->stop;
	if (decoder->status != -pte_eos && decoder->synced_at < decoder->stop)
		step->resumed_at = decoder->synced_at;
	if (step->resumed_at < step->offset)
		step->resumed_at = step->offset;
}

/* What is behind the stop is another decoder's. */
static void step_sync(struct ptdecode *decoder, struct ptstep *step)
{
	step->kind = decoder->synced_at < decoder->stop ? PTSTEP_SYNC : PTSTEP_END;
	step->ip = 0;
	step->has_tsc = pt_blk_time(decoder->blocks, &step->tsc, NULL, NULL) >= 0;
	decoder->failed = decoder->status < 0 && decoder->status != -pte_eos;
	decoder->synced = false;
}

/* Whether @event, the mode of execution at a PSB, is that of the stop: the code that was to be
 * decoded reaches to its address. */
static bool is_stop(const struct ptdecode *decoder, const struct pt_event *event)
{
	uint64_t offset;

	return event->type == ptev_exec_mode && decoder->stop < decoder->size &&
	       event->variant.exec_mode.ip == decoder->stop_ip &&
	       pt_blk_get_offset(decoder->blocks, &offset) >= 0 && offset >= decoder->stop;
}

/* Sets @step to the event that is pending. Returns false if nothing needs to know of it. */
static bool step_event(struct ptdecode *decoder, struct ptstep *step)
{
	struct pt_event event;

	decoder->quiet = 0;
	decoder->status = pt_blk_event(decoder->blocks, &event, sizeof(event));
	decoder->failed = decoder->status < 0 && decoder->status != -pte_eos;
	if (decoder->status < 0)
		return false;
	step->has_tsc = event.has_tsc;
	step->tsc = event.tsc;
	step->ip = 0;
	/* What is said again at a PSB is no news, but it has the time. */
	if (event.status_update) {
		decoder->stopped = is_stop(decoder, &event);
		step->kind = PTSTEP_TICK;
		return event.has_tsc;
	}
	switch (event.type) {
	case ptev_enabled:
		step->kind = PTSTEP_ENABLED;
		step->ip = event.variant.enabled.ip;
		return true;
	case ptev_disabled:
	case ptev_async_disabled:
	case ptev_stop:
		decoder->runs = false;
		step->kind = PTSTEP_DISABLED;
		return true;
	case ptev_async_branch:
		step->kind = PTSTEP_INTERRUPTED;
		step->ip = event.variant.async_branch.to;
		return true;
	case ptev_overflow:
		decoder->branches = 0;
		step->kind = PTSTEP_OVERFLOW;
		step->ip = event.ip_suppressed ? 0 : event.variant.overflow.ip;
		return true;
	case ptev_tick:
		step->kind = PTSTEP_TICK;
		return true;
	default:
		return false;
	}
}

static uint8_t flow_of(enum pt_insn_class class)
{
	static const uint8_t flows[] = {
		[ptic_call] = PTFLOW_CALL,
		[ptic_return] = PTFLOW_RETURN,
		[ptic_cond_jump] = PTFLOW_BRANCH,
		[ptic_jump] = PTFLOW_JUMP,
		[ptic_far_jump] = PTFLOW_JUMP,
		[ptic_far_call] = PTFLOW_FAR_CALL,
		[ptic_far_return] = PTFLOW_FAR_RETURN,
	};

	return (size_t) class < sizeof(flows) ? flows[class] : PTFLOW_JUMP;
}

/* Whether a packet says where a block that ends by @flow leads to. */
static bool is_told(uint8_t flow)
{
	return flow == PTFLOW_BRANCH || flow == PTFLOW_RETURN;
}

/*
 * Whether the block at @ip is part of an endless loop: one of the quiet blocks before it began
 * where it begins, and no packet was read since. Of those one is kept, which is a later one
 * whenever they have doubled.
 */
static bool is_endless(struct ptdecode *decoder, uint64_t ip)
{
	uint64_t offset = 0;

	if (ip != decoder->quiet_ip && (decoder->quiet & (decoder->quiet - 1)))
		return false;
	(void)pt_blk_get_offset(decoder->blocks, &offset);
	if (decoder->quiet > QUIET_MIN && ip == decoder->quiet_ip &&
	    offset == decoder->quiet_offset)
		return true;
	decoder->quiet_ip = ip;
	decoder->quiet_offset = offset;
	return false;
}

/* Whether what follows @block may be part of it: no branch ends it, or one that is not known. */
static bool is_open(const struct ptblock *block)
{
	return block->flow == PTFLOW_OTHER;
}

/* Whether code at @ip, which follows, is part of @block. */
static bool goes_on(const struct ptblock *block, uint64_t ip)
{
	return is_open(block) && ip - block->end_ip - 1 < INSTRUCTION_BYTES;
}

/* The trace did not choose where @block, which is whole, leads to, nor did it for those before. */
static void note_quiet(struct ptdecode *decoder, const struct ptblock *block)
{
	if (!is_endless(decoder, block->ip) || decoder->status < 0)
		return;
	decoder->status = -pte_bad_query;
	decoder->failed = true;
	decoder->failed_ip = block->ip;
}

/* Takes note whether the trace chose where @block leads to: without branches, as no one knows what
 * comes. */
static inline void note_told(struct ptdecode *decoder, const struct ptblock *block)
{
	const bool told = is_told(block->flow), is_quiet = !told & !is_open(block);

	decoder->quiet = told ? 0 : decoder->quiet + is_quiet;
	if (__builtin_expect(is_quiet & (decoder->quiet >= QUIET_MIN), 0))
		note_quiet(decoder, block);
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
	if (*nr && goes_on(to - 1, block.ip)) {
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
	to->flow = flow_of(block.iclass);
	note_told(decoder, to);
	return true;
}

/* The end of the bytes. Where tracing is off, no code leads to the stop. */
static void step_end(struct ptdecode *decoder, struct ptstep *step)
{
	const bool is_off = decoder->stop < decoder->size && !decoder->runs && !decoder->stop_ip;

	step->kind = decoder->stopped || is_off ? PTSTEP_STOP : PTSTEP_END;
	step->has_tsc = false;
}

static bool moves_clock(uint8_t kind)
{
	return kind == PTSTEP_TICK || kind == PTSTEP_DISABLED || kind == PTSTEP_END ||
	       kind == PTSTEP_STOP;
}

/*
 * Whether a step is to be told now: @step, or before it a tick that is late. The clock of a packet
 * of several branches is that of the last of them, of which the first was seen; unless something
 * else comes before.
 */
static bool put_step(struct ptdecode *decoder, struct ptstep *step)
{
	const bool was_late = decoder->branches > 0;
	unsigned branches = 0;
	struct ptstep now;
	bool is_late;

	if (!moves_clock(step->kind))
		return true;
	if (decoder->has_cycles && step->kind != PTSTEP_STOP)
		branches = ptclock_read(&decoder->clock, decoder->bytes, offset_of(decoder));
	step->cycles = decoder->clock.told;
	step->cycles_read = decoder->clock.read;
	is_late = step->kind == PTSTEP_TICK && branches > 1;
	if (!was_late && !is_late)
		return true;
	now = *step;
	*step = decoder->late;
	decoder->branches = is_late ? branches - 1 : 0;
	decoder->has_next = !is_late;
	*(is_late ? &decoder->late : &decoder->next) = now;
	return was_late;
}

/* Whether the tick that is late, if there is one, is due behind @block. */
static bool ends_late(struct ptdecode *decoder, const struct ptblock *block)
{
	return decoder->branches && is_told(block->flow) && --decoder->branches == 0;
}

/* Adds blocks until something else is due, or there is no room. Returns whether what is late comes
 * after the last one. */
static bool add_blocks(struct ptdecode *decoder, struct ptblock *blocks, size_t *nr, size_t room)
{
	do {
		if (!next_block(decoder, blocks, nr, room) || decoder->has_ahead)
			return false;
		if (ends_late(decoder, &blocks[*nr - 1]))
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
		if (ends_late(decoder, &blocks[0])) {
			*step = decoder->late;
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
			if (step_event(decoder, step) && put_step(decoder, step))
				return nr;
			continue;
		}
		if (decoder->stopped || decoder->status < 0 || decoder->status & pts_eos) {
			step_end(decoder, step);
			(void)put_step(decoder, step);
			return nr;
		}
		if (nr == room && !(nr && is_open(&blocks[nr - 1]))) {
			step->kind = PTSTEP_MORE;
			return nr;
		}
		if (add_blocks(decoder, blocks, &nr, room)) {
			*step = decoder->late;
			return nr;
		}
	}
}

size_t ptdecode_next(struct ptdecode *decoder, struct ptblock *blocks, size_t room,
		     struct ptstep *step)
{
	if (!decoder->begun)
		sync_on(decoder);
	if (decoder->has_next) {
		decoder->has_next = false;
		*step = decoder->next;
		return 0;
	}
	if (decoder->synced) {
		step_sync(decoder, step);
		(void)put_step(decoder, step);
		return 0;
	}
	return next_blocks(decoder, blocks, room, step);
}

#else

const char *ptdecode_library(char name[32])
{
	(void)name;
	return NULL;
}

bool ptdecode_knows_cpu(const struct ptdecode_config *config)
{
	(void)config;
	return true;
}

struct ptdecode *ptdecode_open(const struct ptdecode_config *config)
{
	(void)config;
	return NULL;
}

bool ptdecode_set_image(struct ptdecode *decoder, struct ptdecode_image *image)
{
	(void)decoder;
	(void)image;
	return false;
}

size_t ptdecode_next(struct ptdecode *decoder, struct ptblock *blocks, size_t room,
		     struct ptstep *step)
{
	(void)decoder;
	(void)blocks;
	(void)room;
	step->kind = PTSTEP_END;
	return 0;
}

void ptdecode_close(struct ptdecode *decoder)
{
	(void)decoder;
}

struct ptdecode_sections *ptdecode_sections_create(void)
{
	return NULL;
}

void ptdecode_sections_destroy(struct ptdecode_sections *images)
{
	(void)images;
}

struct ptdecode_image *ptdecode_image_create(void)
{
	return NULL;
}

bool ptdecode_image_add(struct ptdecode_sections *images, struct ptdecode_image *image, int fd,
			uint64_t offset, uint64_t size, uint64_t start)
{
	(void)images;
	(void)image;
	(void)fd;
	(void)offset;
	(void)size;
	(void)start;
	return false;
}

void ptdecode_image_read_by(struct ptdecode_image *image, const struct ptdecode_reader *reader)
{
	(void)image;
	(void)reader;
}

void ptdecode_image_destroy(struct ptdecode_image *image)
{
	(void)image;
}

#endif

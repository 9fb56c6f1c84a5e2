#include "decode/trace/tracepiece.h"

#include "decode/trace/ptpacket.h"
#include "util/array.h"

#include <stdlib.h>

enum {
	PIECE_BYTES = 1 << 14, /* at least, but for the last one of a stretch */
	LOG_LEGS_MAX = 1 << 18,
	LOG_STEPS_MAX = 1 << 18,
	DOUBT_MAX = 63, /* pieces */
};

/* ---- cutting --------------------------------------------------------------------------------- */

static bool add_piece(struct tracepieces *pieces, const struct trace_buffer *buffer, size_t start,
		      size_t stop, size_t size)
{
	const struct ptpacket_psb next = ptpacket_read_psb(buffer->bytes, size, stop);

	if (!array_grow(pieces->list, pieces->room, pieces->nr + 1))
		return false;
	pieces->list[pieces->nr++] = (struct tracepiece){
		.buffer = buffer,
		.start = start,
		.stop = stop,
		.end = next.end,
		.stop_ip = next.ip,
		.tsc = ptpacket_read_psb(buffer->bytes, size, start).tsc,
	};
	return true;
}

static bool add_stretch(struct tracepieces *pieces, const struct trace_buffer *buffer,
			const struct trace_stretch *stretch)
{
	const size_t first = pieces->nr, end = stretch->end;
	size_t at = ptpacket_find_psb(buffer->bytes, end, stretch->start), next;

	for (; at < end; at = next) {
		next = end;
		if (end - at > PIECE_BYTES)
			next = ptpacket_find_psb(buffer->bytes, end, at + PIECE_BYTES);
		if (!add_piece(pieces, buffer, at, next, end))
			return false;
		pieces->list[pieces->nr - 1].first = pieces->nr - 1 == first;
	}
	return true;
}

bool tracepieces_add(struct tracepieces *pieces, const struct trace_buffer *buffer)
{
	for (size_t i = 0; i < buffer->nr_stretches; i++)
		if (!add_stretch(pieces, buffer, &buffer->stretches[i]))
			return false;
	return true;
}

void tracelog_free(struct tracelog *log)
{
	tracelegs_free(&log->legs);
	free(log->steps);
	free(log->ends);
	*log = (struct tracelog){0};
}

void tracepieces_free(struct tracepieces *pieces)
{
	for (size_t i = 0; i < pieces->nr; i++)
		tracelog_free(&pieces->list[i].log);
	free(pieces->list);
	*pieces = (struct tracepieces){0};
}

/* ---- decoding -------------------------------------------------------------------------------- */

uint64_t tracesetup_ns(const struct trace_setup *setup, const struct ptstep *step)
{
	if (!step->has_tsc || setup->clock == PTINFO_NO_CLOCK)
		return 0;
	return ptinfo_ns(setup->info, step->tsc);
}

bool tracesetup_may_switch(const struct trace_setup *setup, const struct ptstep *step)
{
	switch (step->kind) {
	case PTSTEP_SYNC:
	case PTSTEP_ENABLED:
		return true;
	case PTSTEP_TICK:
		return setup->pokes && step->has_tsc;
	default:
		return false;
	}
}

bool tracekit_init(struct tracekit *kit, struct tracecode *code, const struct tracepokes *pokes)
{
	return tracespots_init(&kit->spots, code) &&
	       traceimages_init(&kit->images, code->symbolizer, code->lock, pokes);
}

void tracekit_free(struct tracekit *kit)
{
	traceimages_free(&kit->images);
	tracespots_free(&kit->spots);
}

/* Opens what decodes the piece: @follow, or the library alone. Returns false if memory is out. */
static bool open_decoder(struct tracereader *reader, bool follow)
{
	const struct tracepiece *piece = reader->piece;
	struct ptconfig config = reader->setup->cpu;

	config.bytes = piece->buffer->bytes + piece->start;
	config.size = piece->end - piece->start;
	config.stop = piece->stop - piece->start;
	config.stop_ip = piece->stop_ip;
	reader->maps = NULL;
	reader->time = UINT64_MAX;
	reader->nr_steps = reader->nr_blocks = 0;
	if (follow)
		reader->follow = ptfollow_open(&config, reader->kit->images.codes);
	else
		reader->decoder = ptdecode_open(&config, reader->kit->images.codes);
	return reader->follow || reader->decoder;
}

bool tracereader_open(struct tracereader *reader, const struct tracepiece *piece)
{
	struct tracekit *kit = reader->kit;
	const bool follow = kit->left == 0;

	tracereader_close(reader);
	kit->left -= !follow;
	reader->piece = piece;
	return open_decoder(reader, follow);
}

/* Gives the decoder the code in the maps. Returns false if memory is out. */
static bool set_image(struct tracereader *reader)
{
	struct ptimage *image = traceimages_get(&reader->kit->images, reader->maps);

	reader->replaced = reader->kit->images.replaced;
	if (image && reader->follow)
		ptfollow_set_image(reader->follow, image);
	return image && (reader->follow || ptdecode_set_image(reader->decoder, image));
}

/* Sets the code of the thread that runs from @step on. Returns false if memory is out. */
static bool set_code(struct tracereader *reader, const struct ptstep *step)
{
	const struct trace_buffer *buffer = reader->piece->buffer;
	const uint64_t ns = tracesetup_ns(reader->setup, step);
	const struct trace_who who =
		traceworld_who(reader->setup->world, buffer->cpu, buffer->tid, ns);

	reader->time = ns ? ns : UINT64_MAX;
	if (!who.space || who.space->maps == reader->maps)
		return true;
	reader->maps = who.space->maps;
	return set_image(reader);
}

/*
 * Decodes up to @room blocks to the kit's, and sets *@step to what comes next, with the code that
 * the thread has which goes on. Sets *@nr to the number of blocks. Returns false if memory is out.
 */
static bool decode(struct tracereader *reader, size_t room, size_t *nr, struct ptstep *step)
{
	struct tracekit *kit = reader->kit;

	kit->images.time = reader->time;
	/* Other readers may have displaced the image meanwhile. */
	if (reader->maps && reader->replaced != kit->images.replaced && !set_image(reader))
		return false;
	if (reader->follow)
		*nr = ptfollow_next(reader->follow, kit->blocks, room, step);
	else
		*nr = ptdecode_next(reader->decoder, kit->blocks, room, step);
	return true;
}

/* The blocks of @step, which was decoded, are used: the code of what comes next is set. */
static bool end_step(struct tracereader *reader, size_t nr, const struct ptstep *step)
{
	reader->nr_blocks += nr;
	if (step->kind == PTSTEP_MORE || step->kind == PTSTEP_UNSURE)
		return true;
	reader->nr_blocks = 0;
	reader->nr_steps++;
	return !tracesetup_may_switch(reader->setup, step) || set_code(reader, step);
}

static bool is_end(const struct ptstep *step)
{
	return step->kind == PTSTEP_END || step->kind == PTSTEP_STOP;
}

/*
 * Decodes the piece by the library from its start on, up to where it could not be followed any
 * more. Sets *@step to what comes next, or to PTSTEP_MORE. Returns false if memory is out.
 */
static bool start_again(struct tracereader *reader, struct ptstep *step)
{
	const size_t nr_steps = reader->nr_steps, nr_blocks = reader->nr_blocks;
	struct tracekit *kit = reader->kit;
	bool is_told = true;
	size_t nr, room;

	ptfollow_close(reader->follow);
	reader->follow = NULL;
	kit->doubt = kit->doubt >= DOUBT_MAX ? DOUBT_MAX : 2 * kit->doubt + 1;
	kit->left = kit->doubt;
	if (!open_decoder(reader, false))
		return false;
	step->kind = PTSTEP_MORE;
	while (is_told && (reader->nr_steps < nr_steps || reader->nr_blocks < nr_blocks)) {
		room = TRACE_BATCH;
		if (reader->nr_steps == nr_steps && nr_blocks - reader->nr_blocks < room)
			room = nr_blocks - reader->nr_blocks;
		if (!decode(reader, room, &nr, step) || !end_step(reader, nr, step))
			return false;
		is_told =
			step->kind == PTSTEP_MORE || (reader->nr_steps <= nr_steps &&
						      step->kind != PTSTEP_ERROR && !is_end(step));
	}
	if (is_told)
		step->kind = PTSTEP_MORE;
	return true;
}

/* As tracereader_next(). Returns false if memory is out. */
static bool read_step(struct tracereader *reader, struct trace_legs *legs, struct ptstep *step)
{
	struct tracekit *kit = reader->kit;
	size_t nr;

	if (!decode(reader, TRACE_BATCH, &nr, step) ||
	    !tracelegs_add(legs, &kit->spots, reader->maps, kit->blocks, nr) ||
	    !end_step(reader, nr, step))
		return false;
	if (step->kind == PTSTEP_UNSURE)
		return start_again(reader, step);
	if (reader->follow && is_end(step))
		kit->doubt = 0;
	return true;
}

void tracereader_next(struct tracereader *reader, struct trace_legs *legs, struct ptstep *step)
{
	if (!read_step(reader, legs, step))
		*step = (struct ptstep){.kind = PTSTEP_ERROR, .error = PTERROR_NOMEM};
}

static bool make_room(struct tracelog *log)
{
	return log->legs.nr <= LOG_LEGS_MAX && log->nr_steps < LOG_STEPS_MAX &&
	       array_grow(log->steps, log->steps_room, log->nr_steps + 1) &&
	       array_grow(log->ends, log->ends_room, log->nr_steps + 1);
}

bool tracereader_log(struct tracereader *reader, struct tracepiece *piece)
{
	struct tracelog *log = &piece->log;
	struct ptstep *step;

	log->legs.nr = log->nr_steps = 0;
	if (!tracereader_open(reader, piece))
		return false;
	do {
		if (!make_room(log))
			return false;
		step = &log->steps[log->nr_steps];
		tracereader_next(reader, &log->legs, step);
		if (step->kind == PTSTEP_ERROR && step->error == PTERROR_NOMEM)
			return false;
		if (step->kind == PTSTEP_MORE)
			continue;
		log->ends[log->nr_steps++] = log->legs.nr;
	} while (!is_end(step));
	return true;
}

void tracereader_close(struct tracereader *reader)
{
	ptfollow_close(reader->follow);
	ptdecode_close(reader->decoder);
	reader->follow = NULL;
	reader->decoder = NULL;
}

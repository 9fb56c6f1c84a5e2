#include "decode/trace/tracebuffer.h"

#include "decode/trace/ptpacket.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/tempfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { COPY_BYTES = 256 * 1024, PAD_MAX = 7, BUFFERS_MAX = 1 << 14 };

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Finds or makes a buffer. Returns false if memory is out; *@found is NULL if there are too many.
 */
static bool get_buffer(struct tracebuffers *buffers, uint32_t idx, bool of_samples,
		       struct trace_buffer **found)
{
	const uint64_t hash = hash_u64((uint64_t)of_samples << 32 | idx);
	uint32_t number;

	for (size_t at = index_first(&buffers->by_idx, hash);
	     index_next(&buffers->by_idx, hash, &at, &number);) {
		*found = &buffers->list[number];
		if ((*found)->idx == idx && (*found)->of_samples == of_samples)
			return true;
	}
	*found = NULL;
	if (buffers->nr == BUFFERS_MAX) {
		buffers->nr_beyond++;
		return true;
	}
	if (!array_grow(buffers->list, buffers->room, buffers->nr + 1) ||
	    !index_add(&buffers->by_idx, hash))
		return false;
	buffers->list[buffers->nr] = (struct trace_buffer){
		.idx = idx, .cpu = TRACE_OF_NONE, .tid = TRACE_OF_NONE, .of_samples = of_samples};
	*found = &buffers->list[buffers->nr++];
	return true;
}

static bool add_piece(struct trace_buffer *buffer, const struct trace_piece *piece)
{
	if (!array_grow(buffer->pieces, buffer->pieces_room, buffer->nr_pieces + 1))
		return false;
	buffer->pieces[buffer->nr_pieces++] = *piece;
	return true;
}

/* Whether the piece at @place lies behind all before it: sizes that lie could make it overlap. */
static bool lies_behind(struct tracebuffers *buffers, const struct trace_place *place)
{
	if (place->spooled)
		return true;
	if (place->part != buffers->part)
		buffers->places_end = 0;
	if (place->offset < buffers->places_end)
		return false;
	buffers->part = place->part;
	buffers->places_end = place->offset + place->len;
	return true;
}

bool tracebuffers_piece(struct tracebuffers *buffers, const struct record *rec, bool apart)
{
	const struct record_auxtrace *trace = &rec->auxtrace;
	struct trace_buffer *buffer;

	if (trace->place.len == 0 || !lies_behind(buffers, &trace->place))
		return true;
	if (!get_buffer(buffers, trace->idx, false, &buffer))
		return false;
	if (!buffer)
		return true;
	buffer->cpu = rec->cpu;
	buffer->tid = rec->cpu == TRACE_OF_NONE ? rec->tid : TRACE_OF_NONE;
	return add_piece(buffer, &(struct trace_piece){
					 .place = trace->place,
					 .offset = trace->offset,
					 .apart = apart,
				 });
}

static uint64_t bytes_of(const struct trace_buffer *buffer)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < buffer->nr_pieces; i++)
		bytes += buffer->pieces[i].place.len;
	return bytes;
}

uint64_t tracebuffers_bytes(const struct tracebuffers *buffers)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < buffers->nr; i++)
		bytes += bytes_of(&buffers->list[i]);
	return bytes;
}

int tracebuffers_sample(struct tracebuffers *buffers, const struct record *rec, bool of_cpu,
			struct error *err)
{
	const struct span *trace = &rec->sample.extra.aux;
	const unsigned needs = of_cpu ? HAS_CPU : HAS_TID;
	struct trace_buffer *buffer;
	struct trace_piece piece = {
		.place = {.offset = buffers->samples.size, .len = span_left(trace)},
		.apart = true,
	};

	if (piece.place.len == 0 || !(rec->has & needs))
		return 0;
	if (!get_buffer(buffers, of_cpu ? rec->cpu : rec->tid, true, &buffer) ||
	    (buffer && !add_piece(buffer, &piece)))
		return error_nomem(err, "keeping the hardware trace");
	if (!buffer)
		return 0;
	if (of_cpu)
		buffer->cpu = rec->cpu;
	else
		buffer->tid = rec->tid;
	return spool_put(&buffers->samples, trace->pos, span_left(trace), err);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Where the bytes of a buffer are put: into memory or, if there are many, into a file. */
struct trace_copy {
	uint8_t *room; /* for all bytes, or for COPY_BYTES of a file's */
	int fd;	       /* -1: into memory */
	uint64_t size; /* of what was put there */
};

/* Puts up to COPY_BYTES of @piece, from byte @at on, to @to. Returns how many, 0 if they are gone,
 * -1 with @err filled. */
static ssize_t read_some(struct tracebuffers *buffers, const struct perffile *file,
			 const struct trace_piece *piece, bool of_sample, uint64_t at, uint8_t *to,
			 struct error *err)
{
	const uint64_t left = piece->place.len - at;
	const size_t len = left < COPY_BYTES ? (size_t)left : COPY_BYTES;

	if (!of_sample)
		return perffile_read_trace(file, &piece->place, at, to, len, err);
	if (spool_get(&buffers->samples, piece->place.offset + at, to, len, err) < 0)
		return -1;
	return (ssize_t)len;
}

static int copy_piece(struct tracebuffers *buffers, const struct perffile *file,
		      const struct trace_piece *piece, bool of_sample, struct trace_copy *copy,
		      struct error *err)
{
	for (uint64_t at = 0; at < piece->place.len;) {
		uint8_t *to = copy->fd < 0 ? copy->room + copy->size : copy->room;
		const ssize_t got = read_some(buffers, file, piece, of_sample, at, to, err);

		if (got < 0)
			return -1;
		if (got == 0)
			break; /* the file was cut meanwhile */
		if (copy->fd >= 0 && tempfile_append(copy->fd, to, (size_t)got, err) < 0)
			return -1;
		at += (uint64_t)got;
		copy->size += (uint64_t)got;
	}
	return 0;
}

static int copy_pieces(struct tracebuffers *buffers, struct trace_buffer *buffer,
		       const struct perffile *file, struct trace_copy *copy, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; i < buffer->nr_pieces && rc == 0; i++) {
		buffer->pieces[i].start = copy->size;
		rc = copy_piece(buffers, file, &buffer->pieces[i], buffer->of_samples, copy, err);
	}
	buffer->size = (size_t)copy->size;
	return rc;
}

/* Loads the bytes of @buffer, @bytes of them, into memory. */
static int load_to_memory(struct tracebuffers *buffers, struct trace_buffer *buffer, size_t bytes,
			  const struct perffile *file, struct error *err)
{
	struct trace_copy copy = {.room = malloc(bytes + 1), .fd = -1};

	buffer->bytes = copy.room;
	if (!copy.room)
		return error_nomem(err, "reading the hardware trace");
	buffer->in_memory = bytes;
	buffers->in_memory += bytes;
	return copy_pieces(buffers, buffer, file, &copy, err);
}

static int map_bytes(struct trace_buffer *buffer, int fd, struct error *err)
{
	void *bytes;

	if (buffer->size == 0)
		return 0;
	bytes = mmap(NULL, buffer->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return error_set(err, ERROR_IO, "cannot map the hardware trace: %s",
				 strerror(errno));
	buffer->bytes = bytes;
	buffer->is_mapped = true;
	(void)madvise(bytes, buffer->size, MADV_SEQUENTIAL);
	return 0;
}

/* Copies the bytes of @buffer into a file, and maps it: the system drops pages not in use. */
static int load_to_file(struct tracebuffers *buffers, struct trace_buffer *buffer,
			const struct perffile *file, struct error *err)
{
	struct trace_copy copy = {.room = malloc(COPY_BYTES), .fd = tempfile_create(err)};
	int rc = -1;

	if (!copy.room)
		rc = error_nomem(err, "reading the hardware trace");
	else if (copy.fd >= 0)
		rc = copy_pieces(buffers, buffer, file, &copy, err);
	if (rc == 0)
		rc = map_bytes(buffer, copy.fd, err);
	if (copy.fd >= 0)
		close(copy.fd);
	free(copy.room);
	return rc;
}

/* ---- stretches ------------------------------------------------------------------------------- */

/* The offset of the last PSB of @stretch; its end if it has none. */
static size_t last_psb(const struct trace_buffer *buffer, const struct trace_stretch *stretch)
{
	size_t last = stretch->end, at = stretch->start;

	while ((at = ptpacket_find_psb(buffer->bytes, stretch->end, at)) < stretch->end) {
		last = at;
		at += PTPACKET_PSB_BYTES;
	}
	return last;
}

/*
 * If @next repeats what comes from the last PSB of @before on, leaves that to @next: then nothing
 * is missing between them.
 */
static bool join(const struct trace_buffer *buffer, struct trace_stretch *before,
		 struct trace_stretch *next)
{
	const size_t psb = last_psb(buffer, before);
	const uint8_t *found;

	if (psb == before->end)
		return false;
	found = memmem(buffer->bytes + next->start, next->end - next->start, buffer->bytes + psb,
		       before->end - psb);
	if (!found)
		return false;
	before->end = psb;
	next->start = (size_t)(found - buffer->bytes);
	return true;
}

/*
 * Cuts what @next repeats of @before. If @next begins behind the last PSB of @before, and there are
 * times, drops what comes before its first later PSB: nothing tells how much of that is new.
 */
static void cut_repeated(const struct trace_buffer *buffer, struct trace_stretch *before,
			 struct trace_stretch *next)
{
	uint64_t seen = 0;

	if (!join(buffer, before, next) &&
	    ptpacket_last_tsc(buffer->bytes + before->start, before->end - before->start, &seen))
		next->start += ptpacket_skip_seen(buffer->bytes + next->start,
						  next->end - next->start, seen);
}

/* Whether piece @i goes on where the one before it ends, which may have been padded. */
static bool goes_on(const struct trace_buffer *buffer, size_t i)
{
	const struct trace_piece *before = &buffer->pieces[i - 1], *piece = &buffer->pieces[i];
	const uint64_t end = before->offset + before->place.len;

	return !piece->apart && piece->offset <= end && end - piece->offset <= PAD_MAX;
}

static int divide(struct trace_buffer *buffer, struct error *err)
{
	buffer->stretches = calloc(buffer->nr_pieces, sizeof(*buffer->stretches));
	if (!buffer->stretches)
		return error_nomem(err, "reading the hardware trace");
	for (size_t i = 0; i < buffer->nr_pieces; i++) {
		const struct trace_piece *piece = &buffer->pieces[i];
		struct trace_stretch *stretch = &buffer->stretches[buffer->nr_stretches];
		const uint64_t end = i + 1 < buffer->nr_pieces ? piece[1].start : buffer->size;

		if (i > 0 && goes_on(buffer, i)) {
			stretch[-1].end = (size_t)end;
			continue;
		}
		*stretch = (struct trace_stretch){(size_t)piece->start, (size_t)end};
		if (i > 0 && piece->apart)
			cut_repeated(buffer, stretch - 1, stretch);
		buffer->nr_stretches++;
	}
	return 0;
}

int tracebuffer_load(struct tracebuffers *buffers, struct trace_buffer *buffer,
		     const struct perffile *file, struct error *err)
{
	const uint64_t bytes = bytes_of(buffer);
	int rc;

	if (bytes <= TRACE_MEMORY_MAX - buffers->in_memory)
		rc = load_to_memory(buffers, buffer, (size_t)bytes, file, err);
	else
		rc = load_to_file(buffers, buffer, file, err);
	return rc == 0 ? divide(buffer, err) : rc;
}

void tracebuffer_unload(struct tracebuffers *buffers, struct trace_buffer *buffer)
{
	if (buffer->is_mapped)
		munmap(buffer->bytes, buffer->size);
	else
		free(buffer->bytes);
	buffers->in_memory -= buffer->in_memory;
	free(buffer->stretches);
	buffer->bytes = NULL;
	buffer->is_mapped = false;
	buffer->in_memory = 0;
	buffer->stretches = NULL;
	buffer->nr_stretches = buffer->size = 0;
}

void tracebuffers_free(struct tracebuffers *buffers)
{
	for (size_t i = 0; i < buffers->nr; i++) {
		tracebuffer_unload(buffers, &buffers->list[i]);
		free(buffers->list[i].pieces);
	}
	free(buffers->list);
	index_free(&buffers->by_idx);
	spool_free(&buffers->samples);
	*buffers = (struct tracebuffers){0};
}

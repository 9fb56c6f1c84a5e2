/*
 * Compresses bytes in memory: raw deflate (RFC 1951) without a header, or gzip (RFC 1952).
 *
 *	pack = codec_pack_create(limit, numbers);
 *	codec_pack_put(pack, bytes, len);          any number of times
 *	if (codec_pack_end(pack)) ...              pack->bytes, pack->size
 *	codec_pack_destroy(pack);
 */
#ifndef READPERF_UTIL_CODEC_PACK_H
#define READPERF_UTIL_CODEC_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the bytes so far have become; the rest is private to the packer. */
struct codec_pack {
	uint8_t *bytes; /* the first ones, at most @limit */
	size_t kept;	/* number of @bytes */
	size_t limit;
	uint64_t size; /* all bytes, also those that were not kept */
	size_t room;
	bool failed; /* memory is out */
};

/**
 * A packer that keeps at most @limit bytes; NULL if memory is out. @numbers: what comes is small
 * numbers rather than text, which repeat by chance: short repetitions are not worth telling, and
 * where there are many numbers, looking for longer ones only where a trial says that it is.
 */
struct codec_pack *codec_pack_create(size_t limit, bool numbers);

/** As codec_pack_create(), but with gzip's header and without a limit. */
struct codec_pack *codec_pack_create_gzip(void);

/** Compresses the next @len bytes. */
void codec_pack_put(struct codec_pack *pack, const void *bytes, size_t len);

/** What was put so far is in pack->size; what follows is of another kind. */
void codec_pack_divide(struct codec_pack *pack);

/** Completes the stream. False if memory was out; then the result is of no use. */
bool codec_pack_end(struct codec_pack *pack);

/** Frees @pack, which may be NULL, and its bytes. */
void codec_pack_destroy(struct codec_pack *pack);

#endif

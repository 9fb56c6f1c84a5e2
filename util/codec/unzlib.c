/* The only file that includes libdeflate. It takes half the time that zlib takes. */
#include "util/codec/unzlib.h"

#ifdef HAVE_LIBDEFLATE

#include <libdeflate.h>

/* Returns what libdeflate says of unpacking, with *@got bytes unpacked if that is success. */
static enum libdeflate_result inflate(const void *packed, size_t len, void *to, size_t size,
				      size_t *got)
{
	struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
	enum libdeflate_result result;

	if (!inflater)
		return LIBDEFLATE_BAD_DATA;
	result = libdeflate_zlib_decompress(inflater, packed, len, to, size, got);
	libdeflate_free_decompressor(inflater);
	return result;
}

bool unzlib(const void *packed, size_t len, void *to, size_t size)
{
	return inflate(packed, len, to, size, NULL) == LIBDEFLATE_SUCCESS;
}

/*
 * libdeflate says that the room is too small when it comes to something that does not fit. What is
 * before that is there, since it copies from it what repeats; and it is at most a stored block of
 * 65535 bytes (RFC 1951, section 3.2.4).
 */
bool unzlib_start(const void *packed, size_t len, void *to, size_t size)
{
	size_t got = 0;

	switch (inflate(packed, len, to, size + UNZLIB_SPARE, &got)) {
	case LIBDEFLATE_SUCCESS:
		return got >= size;
	case LIBDEFLATE_INSUFFICIENT_SPACE:
		return true;
	default:
		return false;
	}
}

#else

bool unzlib(const void *packed, size_t len, void *to, size_t size)
{
	(void)packed;
	(void)len;
	(void)to;
	(void)size;
	return false;
}

bool unzlib_start(const void *packed, size_t len, void *to, size_t size)
{
	return unzlib(packed, len, to, size);
}

#endif

/* The only file that includes libdeflate. It takes half the time that zlib takes. */
#include "util/codec/unzlib.h"

#ifdef HAVE_LIBDEFLATE

#include <libdeflate.h>

bool unzlib(const void *packed, size_t len, void *to, size_t size)
{
	struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
	bool whole;

	if (!inflater)
		return false;
	whole = libdeflate_zlib_decompress(inflater, packed, len, to, size, NULL) ==
		LIBDEFLATE_SUCCESS;
	libdeflate_free_decompressor(inflater);
	return whole;
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

#endif

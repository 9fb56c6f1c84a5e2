#include "util/codec/gzipfile.h"

#include "util/codec/pack.h"

#include <stdlib.h>

struct gzipfile {
	struct outfile *out;
	struct codec_pack *pack;
};

struct gzipfile *gzipfile_create(struct outfile *out)
{
	struct gzipfile *gzip = calloc(1, sizeof(*gzip));

	if (!gzip)
		return NULL;
	gzip->out = out;
	gzip->pack = codec_pack_create_gzip();
	if (!gzip->pack) {
		free(gzip);
		return NULL;
	}
	return gzip;
}

/* What is packed goes on at once. */
static void pass_on(struct gzipfile *gzip)
{
	outfile_append(gzip->out, (const char *)gzip->pack->bytes, gzip->pack->kept);
	gzip->pack->kept = 0;
}

void gzipfile_put(struct gzipfile *gzip, const void *bytes, size_t len)
{
	codec_pack_put(gzip->pack, bytes, len);
	pass_on(gzip);
}

bool gzipfile_end(struct gzipfile *gzip)
{
	bool ok;

	if (!gzip)
		return false;
	ok = codec_pack_end(gzip->pack);
	pass_on(gzip);
	codec_pack_destroy(gzip->pack);
	free(gzip);
	return ok;
}

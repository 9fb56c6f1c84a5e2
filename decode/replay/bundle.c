#include "decode/replay/bundle.h"

#include "decode/symbol/file/archive.h"
#include "decode/symbol/file/file.h"
#include "util/codec/codec.h"
#include "util/codec/wrappedfile.h"
#include "util/spool.h"
#include "util/tempfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_BYTES = 256 * 1024, HEAD_BYTES = 16 };

/* The binaries of a large recording, with full debugging information, take a few GB. */
#define MAX_UNPACKED (UINT64_C(32) << 30)

/* An archive that is being opened. */
struct bundle {
	const char *path;
	bundle_tick tick;
	void *arg;
	int fd;
	uint64_t size;	     /* size of the file in bytes */
	bool wrapper_is_cut; /* the compressed data is truncated or damaged */
};

bool bundle_is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* ---- unpacking ------------------------------------------------------------------------------- */

/* The maximum size to unpack to: a tenth of the free space is left for other programs. */
static uint64_t limit_of_room(void)
{
	const uint64_t room = tempfile_room(), limit = room - room / 10;

	return limit < MAX_UNPACKED ? limit : MAX_UNPACKED;
}

static int too_large(const struct bundle *bundle, uint64_t limit, struct error *err)
{
	if (limit == MAX_UNPACKED)
		return error_set(err, ERROR_USAGE,
				 "%s: unpacks to more than %" PRIu64
				 " GiB: unpack it into a directory with tar",
				 bundle->path, limit >> 30);
	return error_set(
		err, ERROR_IO,
		"%s: unpacks to more than the %" PRIu64
		" MiB available for temporary files: set TMPDIR to a directory with more room",
		bundle->path, limit >> 20);
}

/* Unpacks the whole file into @copy. */
static int unwrap_all(struct bundle *bundle, struct wrappedfile *unwrap, struct spool *copy,
		      uint8_t *buffer, struct error *err)
{
	uint64_t done = 0;
	int rc = 1;

	while (rc > 0) {
		ssize_t got = pread(bundle->fd, buffer, READ_BYTES, (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_io(err, bundle->path, "cannot read it", errno);
		if (got == 0)
			break;
		rc = wrappedfile_put(unwrap, copy, buffer, (size_t)got, err);
		done += (uint64_t)got;
		if (bundle->tick)
			bundle->tick(bundle->arg, done, bundle->size);
	}
	if (unwrap->too_large)
		return too_large(bundle, unwrap->limit, err);
	bundle->wrapper_is_cut = !wrappedfile_is_whole(unwrap);
	return rc < 0 ? -1 : 0;
}

/*
 * Unpacks the file, whose first @len bytes are @head, into a temporary file. Returns its
 * descriptor, or -1 with @err filled.
 */
static int unpack_to_file(struct bundle *bundle, const uint8_t *head, size_t len, struct error *err)
{
	uint8_t *buffer = malloc(READ_BYTES);
	struct spool copy = {0};
	struct wrappedfile unwrap;
	int fd = -1;

	if (!buffer)
		return error_nomem(err, "unpacking an archive");
	if (wrappedfile_start(&unwrap, bundle->path, head, len, limit_of_room(), err) == 0) {
		if (unwrap_all(bundle, &unwrap, &copy, buffer, err) == 0)
			fd = spool_take_file(&copy, err);
		wrappedfile_free(&unwrap);
	}
	spool_free(&copy);
	free(buffer);
	return fd;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_file(struct bundle *bundle, struct error *err)
{
	struct stat st;

	if (file_open_in(NULL, bundle->path, &bundle->fd) != FILE_OPEN ||
	    fstat(bundle->fd, &st) < 0)
		return error_set(err, ERROR_USAGE, "%s: cannot be read", bundle->path);
	bundle->size = (uint64_t)st.st_size;
	return 0;
}

/* Maps the archive, after unpacking it if it is compressed. */
static int map_archive(struct bundle *bundle, struct file_bytes *bytes, struct error *err)
{
	uint8_t head[HEAD_BYTES];
	ssize_t len = pread(bundle->fd, head, sizeof(head), 0);
	struct stat st;
	int unpacked;

	if (len > 0 && codec_by_magic(head, (size_t)len)) {
		unpacked = unpack_to_file(bundle, head, (size_t)len, err);
		if (unpacked < 0)
			return -1;
		close(bundle->fd);
		bundle->fd = unpacked;
	}
	if (file_map(bundle->fd, bytes) || fstat(bundle->fd, &st) < 0 || st.st_size == 0)
		return 0;
	return error_nomem(err, "mapping an archive");
}

static struct archive *refuse(struct archive *archive, const struct bundle *bundle, const char *why,
			      struct error *err)
{
	error_set(err, ERROR_USAGE, "%s: %s", bundle->path, why);
	archive_free(archive);
	return NULL;
}

static void describe_damage(const struct bundle *bundle, const struct archive *archive,
			    struct error *note)
{
	if (archive->end == TAR_WHOLE && !bundle->wrapper_is_cut)
		return;
	error_set(note, ERROR_FORMAT,
		  "%s: note: truncated or damaged at byte %" PRIu64
		  " of its unpacked contents: only what comes before is used, %zu of its files",
		  bundle->path, archive->end_offset, archive_nr_files(archive));
}

static struct archive *list_archive(const struct bundle *bundle, struct file_bytes *bytes,
				    struct error *note, struct error *err)
{
	struct archive *archive;
	bool nomem;

	archive = archive_create(bundle->path, bytes, &nomem);
	if (!archive) {
		file_unmap(bytes);
		if (nomem)
			error_nomem(err, "listing an archive");
		else
			refuse(NULL, bundle, "has too many entries for an archive of binaries",
			       err);
		return NULL;
	}
	if (archive->by_path.nr == 0 && bundle->wrapper_is_cut)
		return refuse(archive, bundle,
			      "is truncated or damaged: nothing in it can be unpacked", err);
	if (archive->by_path.nr == 0)
		return refuse(archive, bundle,
			      "is neither a directory nor a tar archive of one (plain, bzip2, "
			      "gzip, xz or zstd)",
			      err);
	if (!archive_has(archive, ".build-id/"))
		return refuse(archive, bundle,
			      "has no .build-id directory, so perf archive did not make it", err);
	describe_damage(bundle, archive, note);
	return archive;
}

struct archive *bundle_open(const char *path, bundle_tick tick, void *arg, struct error *note,
			    struct error *err)
{
	struct bundle bundle = {.path = path, .tick = tick, .arg = arg, .fd = -1};
	struct archive *archive = NULL;
	struct file_bytes bytes;

	if (open_file(&bundle, err) == 0 && map_archive(&bundle, &bytes, err) == 0)
		archive = list_archive(&bundle, &bytes, note, err);
	if (bundle.fd >= 0)
		close(bundle.fd);
	return archive;
}

void bundle_close(struct archive *archive)
{
	archive_free(archive);
}

#include "decode/symbol/find/candidate.h"

#include "decode/symbol/find/link.h"
#include "util/array.h"
#include "util/codec/unpack.h"
#include "util/textfile.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Limits for compressed files; the largest modules have about 20 MB. */
enum { MAX_PACKED = 256 * 1024 * 1024, MAX_UNPACKED = 512 * 1024 * 1024 };

/* The word for each fate, and the reason if an address has no name because of it. */
static const struct {
	const char *word;
	enum reason reason;
} fates[FATE_NR] = {
	[FATE_USED] = {"used", REASON_NONE},
	[FATE_NOT_NEEDED] = {"not needed", REASON_NONE},
	[FATE_MISSING] = {"missing", REASON_NONE},
	[FATE_NO_ANSWER] = {"no answer", REASON_NONE},
	[FATE_NO_LIBRARY] = {"no libdebuginfod", REASON_NONE},
	[FATE_DIRECTORY] = {"a directory", REASON_FILE_UNREADABLE},
	[FATE_UNREADABLE] = {"unreadable", REASON_FILE_UNREADABLE},
	[FATE_NO_DESCRIPTOR] = {"too many open files", REASON_FILE_UNREADABLE},
	[FATE_NO_MEMORY] = {"out of memory", REASON_FILE_UNREADABLE},
	[FATE_DEFECTIVE] = {"input/output error", REASON_FILE_UNREADABLE},
	[FATE_EMPTY] = {"empty", REASON_FILE_UNREADABLE},
	[FATE_NOT_ELF] = {"no ELF file", REASON_FILE_UNREADABLE},
	[FATE_TRUNCATED] = {"truncated", REASON_FILE_TRUNCATED},
	[FATE_OTHER_BUILD] = {"other build id", REASON_BUILD_ID_MISMATCH},
	[FATE_OTHER_CHECKSUM] = {"other checksum", REASON_NONE},
	[FATE_NO_CODE] = {"no code", REASON_NONE},
	[FATE_NO_SYMBOLS] = {"no symbols", REASON_NONE},
	[FATE_UNPROVEN] = {"maybe another kernel", REASON_KERNEL_OTHER},
	[FATE_OTHER_KERNEL] = {"another kernel", REASON_KERNEL_OTHER},
	[FATE_UNRELOCATED] = {"its DWARF needs relocations that cannot be applied", REASON_NONE},
	[FATE_HIDDEN] = {"no addresses", REASON_KERNEL_HIDDEN},
	[FATE_SPARSE] = {"sparse in the archive", REASON_FILE_UNREADABLE},
};

enum fate candidate_fate(enum file_status status)
{
	static const enum fate fates_of[] = {
		[FILE_OPEN] = FATE_USED,
		[FILE_MISSING] = FATE_MISSING,
		[FILE_DIRECTORY] = FATE_DIRECTORY,
		[FILE_UNREADABLE] = FATE_UNREADABLE,
		[FILE_NO_DESCRIPTOR] = FATE_NO_DESCRIPTOR,
		[FILE_NO_MEMORY] = FATE_NO_MEMORY,
		[FILE_DEFECTIVE] = FATE_DEFECTIVE,
	};

	return fates_of[status];
}

int candidates_add(struct candidates *tried, const char *rule, const char *root, const char *path,
		   enum fate fate)
{
	const char *kept = intern_keep(tried->strings, path);

	if (!kept || !array_grow(tried->list, tried->room, tried->nr + 1))
		return -1;
	tried->list[tried->nr++] = (struct candidate){rule, root, kept, fate};
	return 0;
}

static bool same_root(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

int candidates_append(struct candidates *tried, const struct candidates *others)
{
	for (size_t i = 0; i < others->nr; i++) {
		const struct candidate *other = &others->list[i];

		if (candidates_add(tried, other->rule, other->root, other->path, other->fate) < 0)
			return -1;
	}
	return 0;
}

bool candidates_have(const struct candidates *tried, const char *root, const char *path)
{
	for (size_t i = 0; i < tried->nr; i++)
		if (same_root(tried->list[i].root, root) && strcmp(tried->list[i].path, path) == 0)
			return true;
	return false;
}

static bool has_id(const struct elffile *file, const struct file_id *id)
{
	return id->ino && file->stamp.inode == id->ino && major(file->stamp.device) == id->maj &&
	       minor(file->stamp.device) == id->min;
}

/* Checks that @file is complete and is the one searched for. */
static enum fate judge(const struct elffile *file, const struct proof *proof)
{
	if (file->is_truncated)
		return FATE_TRUNCATED;
	if (proof->is_alternate)
		return link_is_alternate(file, proof->build_id, proof->build_id_len)
			       ? FATE_USED
			       : FATE_OTHER_BUILD;
	if (proof->build_id_len)
		return elffile_has_build_id(file, proof->build_id, proof->build_id_len)
			       ? FATE_USED
			       : FATE_OTHER_BUILD;
	if (proof->id)
		return has_id(file, proof->id) ? FATE_USED : FATE_OTHER_BUILD;
	if (!proof->crc)
		return FATE_USED;
	return file->has_crc && file->crc == *proof->crc ? FATE_USED : FATE_OTHER_CHECKSUM;
}

static bool is_packed(int fd)
{
	uint8_t head[UNPACK_HEAD_BYTES];

	return pread(fd, head, sizeof(head), 0) == (ssize_t)sizeof(head) && unpack_knows(head);
}

static struct elffile *open_packed(struct span packed, bool *nomem)
{
	size_t size;
	void *image = unpack(packed, MAX_UNPACKED, &size, nomem);

	return image ? elffile_adopt(image, size, nomem) : NULL;
}

/* Unpacks the file @fd and closes @fd, also on error. */
static struct elffile *open_packed_file(int fd, bool *nomem)
{
	struct elffile *file = NULL;
	enum file_status status;
	size_t size;
	char *bytes = file_read_rest(fd, MAX_PACKED, &size, &status);

	close(fd);
	if (bytes)
		file = open_packed(span_make(bytes, size, false), nomem);
	else
		*nomem |= status == FILE_OPEN;
	free(bytes);
	return file;
}

/* Shares the known file made of the bytes at @packed or, if that is NULL, with @stamp; or NULL. */
static struct elffile *share_known(const struct candidates *tried, const struct file_stamp *stamp,
				   const void *packed)
{
	for (size_t i = 0; i < CANDIDATES_KNOWN; i++) {
		struct elffile *known = tried->known[i];

		if (known &&
		    (packed ? known->packed == packed : file_stamp_same(&known->stamp, stamp)))
			return elffile_share(known);
	}
	return NULL;
}

/* Opens the file @fd, which it takes over; computes its checksum if @wants_crc. */
static struct elffile *open_file(const struct candidates *tried, int fd, bool wants_crc,
				 bool *nomem)
{
	const struct file_stamp stamp = file_stamp_of(fd);
	struct elffile *file = share_known(tried, &stamp, NULL);
	bool has_crc = file && file->has_crc;
	uint32_t crc = has_crc ? file->crc : 0;

	if (wants_crc && !has_crc)
		has_crc = file_crc32(fd, &crc);
	if (file)
		close(fd);
	else
		file = is_packed(fd) ? open_packed_file(fd, nomem) : elffile_open(fd, nomem);
	if (!file)
		return NULL;
	file->stamp = stamp;
	file->has_crc = has_crc;
	file->crc = crc;
	return file;
}

/* Whether the open file @fd has no bytes. */
static bool is_empty(int fd)
{
	const struct file_stamp stamp = file_stamp_of(fd);

	return stamp.inode && stamp.size == 0;
}

/* Returns @file if it is proven, and closes it otherwise. */
static struct elffile *keep_proven(struct elffile *file, const struct proof *proof, enum fate *fate)
{
	*fate = file ? judge(file, proof) : FATE_NOT_ELF;
	if (*fate == FATE_USED)
		return file;
	elffile_close(file);
	return NULL;
}

static struct elffile *open_from_system(const struct candidates *tried, const char *root,
					const char *path, const struct proof *proof,
					enum fate *fate, bool *nomem)
{
	const bool wants_crc = proof->crc && !proof->build_id_len;
	int fd;

	*fate = candidate_fate(file_open_in(root, path, &fd));
	if (*fate != FATE_USED)
		return NULL;
	if (!is_empty(fd))
		return keep_proven(open_file(tried, fd, wants_crc, nomem), proof, fate);
	close(fd);
	*fate = FATE_EMPTY;
	return NULL;
}

enum fate candidates_find_archived(const struct candidates *tried, const char *path,
				   struct span *bytes)
{
	static const enum fate fates_of[] = {
		[ARCHIVE_FILE] = FATE_USED,	[ARCHIVE_MISSING] = FATE_MISSING,
		[ARCHIVE_CUT] = FATE_TRUNCATED, [ARCHIVE_DIRECTORY] = FATE_DIRECTORY,
		[ARCHIVE_SPARSE] = FATE_SPARSE, [ARCHIVE_OTHER] = FATE_UNREADABLE,
	};
	const char *inner;

	if (!archive_leads_into(tried->archive, path, &inner))
		return FATE_NR;
	return fates_of[archive_find(tried->archive, inner, bytes)];
}

/* Files in an archive get no checksum: computing it would mean reading all of the file. */
static struct elffile *open_archived(const struct candidates *tried, struct span bytes,
				     const struct proof *proof, enum fate *fate, bool *nomem)
{
	struct elffile *file = share_known(tried, NULL, bytes.pos);

	if (file)
		return keep_proven(file, proof, fate);
	if (span_left(&bytes) >= UNPACK_HEAD_BYTES && unpack_knows(bytes.pos))
		file = open_packed(bytes, nomem);
	else
		file = elffile_from_memory((void *)(uintptr_t)bytes.pos, span_left(&bytes), nomem);
	if (file)
		file->packed = bytes.pos;
	return keep_proven(file, proof, fate);
}

struct elffile *candidates_open(struct candidates *tried, const char *rule, const char *root,
				const char *path, const struct proof *proof, bool *nomem)
{
	struct span bytes;
	enum fate fate = root ? FATE_NR : candidates_find_archived(tried, path, &bytes);
	struct elffile *file = NULL;

	if (fate == FATE_USED)
		file = open_archived(tried, bytes, proof, &fate, nomem);
	else if (fate == FATE_NR)
		file = open_from_system(tried, root, path, proof, &fate, nomem);
	if (*nomem || candidates_add(tried, rule, root, path, fate) < 0) {
		*nomem = true;
		elffile_close(file);
		return NULL;
	}
	if (file && !file->image && !file->path) {
		file->root = root;
		file->path = tried->list[tried->nr - 1].path;
	}
	return file;
}

struct elffile *candidates_fetch(struct candidates *tried, struct servers *servers,
				 enum servers_kind kind, const struct proof *proof, bool *nomem)
{
	static const char rule[] = "debuginfod";
	static const enum fate fate_of[] = {
		[SERVERS_HAS] = FATE_MISSING, /* unused, as there is a path then */
		[SERVERS_HAS_NOT] = FATE_MISSING,
		[SERVERS_SILENT] = FATE_NO_ANSWER,
		[SERVERS_NO_LIBRARY] = FATE_NO_LIBRARY,
	};
	enum servers_answer answer;
	struct elffile *file;
	char *path = servers_fetch(servers, kind, proof->build_id, proof->build_id_len, &answer);

	if (!path) {
		*nomem |=
			candidates_add(tried, rule, NULL,
				       kind == SERVERS_EXECUTABLE ? "executable of DEBUGINFOD_URLS"
								  : "debuginfo of DEBUGINFOD_URLS",
				       fate_of[answer]) < 0;
		return NULL;
	}
	file = candidates_open(tried, rule, NULL, path, proof, nomem);
	free(path);
	return file;
}

void candidates_forget_absent(struct candidates *tried)
{
	enum fate last = tried->nr ? tried->list[tried->nr - 1].fate : FATE_USED;

	if (last == FATE_MISSING || last == FATE_DIRECTORY)
		tried->nr--;
}

void candidates_forget_last(struct candidates *tried)
{
	tried->nr--;
}

enum reason candidates_reason(const struct candidates *tried)
{
	for (size_t i = 0; i < tried->nr; i++)
		if (fates[tried->list[i].fate].reason != REASON_NONE)
			return fates[tried->list[i].fate].reason;
	return REASON_FILE_MISSING;
}

static void print_path(FILE *out, const struct candidate *candidate)
{
	const char *slash = candidate->root && candidate->path[0] != '/' ? "/" : "";

	fprintf(out, "%s%s%s", candidate->root ? candidate->root : "", slash, candidate->path);
}

/* Closes @text and keeps its contents in @strings. NULL if memory is out. */
static const char *keep_text(struct textfile *text, struct intern *strings)
{
	char *printed = textfile_close(text);
	const char *kept = printed ? intern_keep(strings, printed) : NULL;

	free(printed);
	return kept;
}

const char *candidate_path(const struct candidate *candidate, struct intern *strings)
{
	struct textfile text;

	if (!candidate->root)
		return candidate->path;
	if (textfile_open(&text))
		print_path(text.out, candidate);
	return keep_text(&text, strings);
}

const char *candidates_refused(const struct candidates *tried)
{
	struct textfile text;
	bool any = false;

	if (!textfile_open(&text))
		return NULL;
	for (size_t i = 0; i < tried->nr; i++) {
		const struct candidate *candidate = &tried->list[i];

		if (candidate->fate == FATE_USED)
			continue;
		if (any)
			fputs("; ", text.out);
		any = true;
		print_path(text.out, candidate);
		fprintf(text.out, ": %s", fates[candidate->fate].word);
	}
	return keep_text(&text, tried->strings);
}

unsigned candidate_info(const struct elffile *file)
{
	unsigned info = 0;

	for (size_t i = 1; file && i < file->nr_sections; i++)
		if (file->sections[i].type == SHT_SYMTAB)
			info |= HAS_SYMTAB;
	if (file && (elffile_section_named(file, ".debug_info") ||
		     elffile_section_named(file, ".zdebug_info")))
		info |= HAS_DWARF;
	return info;
}

void candidates_free(struct candidates *tried)
{
	free(tried->list);
	tried->list = NULL;
	tried->nr = tried->room = 0;
}
